//! Statements that each connection for changes prepares when a server opens it.
//!
//! A transaction begins with a message without values, so a statement in it is a text that the server reads and plans anew each time.
//! `EXECUTE` there gets its values as text, too, but the server has its plan. So a change locks its subject, and reads what it is about, in
//! the journey of its `BEGIN`.

use super::joined::numbered;
use super::statement::{Statement, query};
use std::fmt::Write;

/// A statement under the name that a connection has prepared it by. All its values are texts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prepared {
    name: &'static str,
    /// With `?` for its values.
    sql: &'static str,
}

/// A prepared statement with its values.
#[derive(Debug)]
pub(crate) struct PreparedCall<'a> {
    prepared: Prepared,
    values: Vec<&'a str>,
}

/// Locks an order of a merchant. Migration 0219 has the functions.
pub(crate) const LOCK_ORDER: Prepared = Prepared {
    name: "payframe_lock_order",
    sql: "SELECT lock_order(?, ?)",
};
/// Locks the order of a session.
pub(crate) const LOCK_ORDER_OF_SESSION: Prepared = Prepared {
    name: "payframe_lock_order_of_session",
    sql: "SELECT lock_order_of_session(?)",
};
/// Locks the order of an operation.
pub(crate) const LOCK_ORDER_OF_OPERATION: Prepared = Prepared {
    name: "payframe_lock_order_of_operation",
    sql: "SELECT lock_order_of_operation(?)",
};
/// A session, with its card.
pub(crate) const SESSION: Prepared = Prepared {
    name: "payframe_session",
    sql: "SELECT s.*, c.sealed AS sealed_card FROM build_session s \
          LEFT JOIN sealed_card c ON c.session_hash = s.session_hash WHERE s.session_hash = ?",
};
/// An order of a merchant.
pub(crate) const ORDER: Prepared = Prepared {
    name: "payframe_order",
    sql: "SELECT * FROM merchant_order WHERE merchant_id = ? AND order_id = ?",
};

const ALL: [Prepared; 5] = [
    LOCK_ORDER,
    LOCK_ORDER_OF_SESSION,
    LOCK_ORDER_OF_OPERATION,
    SESSION,
    ORDER,
];

/// What prepares all of them on a connection.
pub(crate) fn preparations() -> String {
    ALL.map(|Prepared { name, sql }| format!("PREPARE {name} AS {}", numbered(sql, 0)))
        .join("; ")
}

impl Prepared {
    /// The same with its values.
    pub(crate) fn with<'a>(self, values: &[&'a str]) -> PreparedCall<'a> {
        PreparedCall {
            prepared: self,
            values: values.to_vec(),
        }
    }
}

impl PreparedCall<'_> {
    /// As a statement without values, for a connection that has prepared it.
    pub(crate) fn execution(&self) -> String {
        let values: Vec<String> = self.values.iter().map(|value| literal(value)).collect();
        format!("EXECUTE {}({})", self.prepared.name, values.join(", "))
    }

    /// As a statement with values, for any connection.
    pub(crate) fn statement(&self) -> Statement {
        let values = self.values.iter();
        values.fold(query(self.prepared.sql), |statement, value| {
            statement.bind(*value)
        })
    }
}

/// A text inside of a statement. It is written in hexadecimal digits, so that no character of it can have a meaning there.
pub(crate) fn literal(text: &str) -> String {
    let mut digits = String::with_capacity(2 * text.len());
    for byte in text.bytes() {
        // A `String` takes everything.
        let _ = write!(digits, "{byte:02x}");
    }
    format!("convert_from(decode('{digits}', 'hex'), 'UTF8')")
}

#[cfg(test)]
mod tests {
    use crate::order_status::with_orders;
    use crate::orders::{self, NewOrder};
    use crate::own_server::{in_a_file, on_a_server};
    use crate::{StorageSettings, Store, Subject, sessions};
    use payframe_money::Amount;
    use serde_json::{Map, json};

    async fn a_change_begins_with_its_order(settings: &StorageSettings) {
        let store = with_orders(settings).await;
        let document = Map::from_iter([(String::from("customer"), json!("Zoë 'O\\"))]);
        let names = ["A1", "it's", r"a\'b", "\"\u{e9}\u{1f600}\" -- ; ?"];
        for (at, order_id) in (1..).zip(names) {
            let (mut write, found) = orders::begin_change(&store, "demo", order_id)
                .await
                .unwrap();
            assert!(found.is_none(), "{order_id}");
            let new = NewOrder {
                merchant_id: "demo",
                order_id,
                currency: "EUR",
                amount: Amount::from_minor(at).unwrap(),
                document: &document,
                plugin_name: None,
                created_ms: 1,
                is_reservation: at == 2,
            };
            orders::put(&mut write, &new);
            write.commit().await.unwrap();
        }
        for (at, order_id) in (1..).zip(names) {
            let (_write, found) = orders::begin_change(&store, "demo", order_id)
                .await
                .unwrap();
            let found = found.unwrap();
            assert_eq!(found.amount.minor(), at, "{order_id}");
            assert_eq!(found.document, document);
            assert_eq!(
                (found.is_reservation, found.payment_operation_id),
                (at == 2, None)
            );
        }
    }

    #[tokio::test]
    async fn a_change_begins_with_its_order_in_a_file() {
        in_a_file(a_change_begins_with_its_order).await;
    }

    #[tokio::test]
    async fn a_change_begins_with_its_order_on_a_server() {
        on_a_server("begin", a_change_begins_with_its_order).await;
    }

    #[tokio::test]
    async fn a_change_of_an_unknown_session_begins_without_one_and_locks_nothing_of_others() {
        let check = async |settings: &StorageSettings| {
            let store = Store::open(settings).await.unwrap();
            let (write, found) = sessions::begin_change(&store, "no'ne").await.unwrap();
            assert!(found.is_none());
            write.commit().await.unwrap();
            let order = Subject::Order {
                merchant_id: "demo",
                order_id: "A1",
            };
            drop(store.write(order).await.unwrap());
        };
        in_a_file(check).await;
        on_a_server("no_session", check).await;
    }
}
