//! The message that begins a transaction on a server.
//!
//! It has several statements: `BEGIN`, the lock of what is changed, and the query for it. A server takes several statements in one message only as
//! a text, without values beside it, and would plan such a text anew each time. So a connection prepares a statement under a name when it sends it
//! first (`PREPARE`). From then on the text only names it, with its values written out (`EXECUTE`): the server reads some words and has its plan.
//!
//! A server writes the text of a message that fails into its log, and no values that are beside a statement. So these values are ids and hashes, and
//! never what buyers or merchants have entered. For the same reason, `COMMIT` is a message of its own behind the last statement of a change.

use super::joined::Joined;
use super::statement::Value;
use sqlx::Error;
use std::collections::HashMap;
use std::sync::Arc;

/// The statements that a connection has prepared, by their texts.
#[derive(Debug, Default)]
pub(crate) struct PreparedNames {
    numbers: HashMap<Arc<str>, usize>,
    /// How many names were given. None is given twice, because a message that failed may have prepared some of its statements.
    given: usize,
}

/// A message.
#[derive(Debug)]
pub(crate) struct Beginning {
    pub(crate) sql: String,
    /// The statements that it prepares.
    pub(crate) new: Vec<(Arc<str>, usize)>,
}

impl PreparedNames {
    /// How many statements are prepared.
    pub(crate) fn count(&self) -> usize {
        self.numbers.len()
    }

    /// The server has carried out a message that prepares these.
    pub(crate) fn note(&mut self, new: Vec<(Arc<str>, usize)>) {
        self.numbers.extend(new);
    }
}

impl Beginning {
    /// With its first statement.
    pub(crate) fn of(first: &str) -> Beginning {
        Beginning {
            sql: String::from(first),
            new: Vec::new(),
        }
    }

    /// Adds a statement with values. An error: a value that no statement can contain.
    pub(crate) fn add(
        &mut self,
        names: &mut PreparedNames,
        statement: &Joined,
    ) -> Result<(), Error> {
        let Joined { sql, values } = statement;
        let number = match names.numbers.get(sql) {
            Some(number) => *number,
            None => {
                names.given += 1;
                let types = values.iter().map(type_of).collect();
                self.add_named("PREPARE", names.given, types);
                self.sql.push_str(" AS ");
                self.sql.push_str(sql);
                self.new.push((Arc::clone(sql), names.given));
                names.given
            }
        };
        let values = values.iter().map(literal).collect::<Result<_, _>>()?;
        self.add_named("EXECUTE", number, values);
        Ok(())
    }

    /// `VERB name`, with a list in parentheses unless it is empty.
    fn add_named(&mut self, verb: &str, number: usize, list: Vec<impl AsRef<str>>) {
        self.sql.push_str(&format!("; {verb} beginning_{number}"));
        for (place, member) in list.iter().enumerate() {
            self.sql.push_str(if place == 0 { " (" } else { ", " });
            self.sql.push_str(member.as_ref());
        }
        if !list.is_empty() {
            self.sql.push(')');
        }
    }
}

/// The type of a value on a server.
pub(crate) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Integer(_) => "bigint",
        Value::Text(_) => "text",
        Value::Bytes(_) => "bytea",
    }
}

/// A value in the text of a statement. In `E'…'`, quotes and backslashes are doubled whatever the server's settings are, and no other character
/// has a meaning. No text of a server contains the character zero, at which it would end a message.
pub(crate) fn literal(value: &Value) -> Result<String, Error> {
    Ok(match value {
        Value::Integer(Some(number)) => number.to_string(),
        Value::Text(Some(text)) if text.contains('\0') => {
            return Err(Error::Encode("a text with the character zero".into()));
        }
        Value::Text(Some(text)) => {
            let mut literal = String::with_capacity(text.len() + 3);
            literal.push_str("E'");
            for char in text.chars() {
                if matches!(char, '\'' | '\\') {
                    literal.push(char);
                }
                literal.push(char);
            }
            literal.push('\'');
            literal
        }
        Value::Bytes(Some(bytes)) => format!(r"E'\\x{}'", hex::encode(bytes)),
        Value::Integer(None) | Value::Text(None) | Value::Bytes(None) => String::from("NULL"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joined::alone;
    use crate::order_status::with_orders;
    use crate::orders::{self, NewOrder};
    use crate::own_server::{OwnServer, in_a_file, on_a_server};
    use crate::{Row, StorageSettings, Store, Subject, query, sessions};
    use payframe_money::Amount;
    use serde_json::{Map, json};

    #[test]
    fn a_statement_is_prepared_once_and_named_from_then_on() {
        let mut names = PreparedNames::default();
        let lock = |number: i64| alone(query("SELECT lock(?, ?)").bind("it's").bind(number));
        let mut first = Beginning::of("BEGIN");
        first.add(&mut names, &lock(-1)).unwrap();
        first.add(&mut names, &alone(query("SELECT 1"))).unwrap();
        assert_eq!(
            first.sql,
            "BEGIN; PREPARE beginning_1 (text, bigint) AS SELECT lock($1, $2); EXECUTE beginning_1 (E'it''s', -1); \
             PREPARE beginning_2 AS SELECT 1; EXECUTE beginning_2"
        );
        names.note(first.new);
        let mut second = Beginning::of("BEGIN");
        second.add(&mut names, &lock(2)).unwrap();
        assert_eq!(second.sql, "BEGIN; EXECUTE beginning_1 (E'it''s', 2)");
    }

    #[test]
    fn what_a_failed_message_prepared_gets_another_name() {
        let mut names = PreparedNames::default();
        let statement = alone(query("SELECT 1"));
        let mut failed = Beginning::of("BEGIN");
        failed.add(&mut names, &statement).unwrap();
        drop(failed);
        assert_eq!(names.count(), 0);
        let mut next = Beginning::of("BEGIN");
        next.add(&mut names, &statement).unwrap();
        assert_eq!(
            next.sql,
            "BEGIN; PREPARE beginning_2 AS SELECT 1; EXECUTE beginning_2"
        );
    }

    #[test]
    fn a_text_with_the_character_zero_is_refused() {
        let statement = alone(query("SELECT ?").bind("a\0b"));
        let refused = Beginning::of("BEGIN").add(&mut PreparedNames::default(), &statement);
        assert!(matches!(refused, Err(Error::Encode(_))), "{refused:?}");
    }

    #[tokio::test]
    async fn values_arrive_at_a_server_as_they_are_whatever_its_settings() {
        let Some(server) = OwnServer::begin("values").await else {
            return;
        };
        let texts = [
            "",
            "'",
            "''",
            r"\",
            r"\'",
            r"\\'",
            "a\u{1}\n\r\t\u{7f}",
            "E'x'; DROP TABLE operation; --",
            "\u{e9}\u{1f600}\u{2028}",
            "$1 ? {}",
            r"\x41",
        ];
        for setting in ["on", "off"] {
            let store = Store::open(server.settings()).await.unwrap();
            let set = format!(
                "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET standard_conforming_strings = {setting}', current_database()); END $$"
            );
            store.change(query(set.leak())).await.unwrap();
            let store = Store::open(server.settings()).await.unwrap();
            let numbers = [0, -1, i64::MAX, i64::MIN].into_iter().cycle();
            for (text, number) in texts.iter().zip(numbers) {
                let bytes: Vec<u8> = (0..=255).chain(text.bytes()).collect();
                let asked = query(
                    "SELECT ? AS words, ? AS bytes, ? AS number, ? AS no_words, ? AS no_bytes, ? AS no_number, \
                     current_setting('standard_conforming_strings') AS setting",
                )
                .bind(*text)
                .bind(&bytes)
                .bind(number)
                .bind(None::<String>)
                .bind(None::<Vec<u8>>)
                .bind(None::<i64>);
                let begun = store.0.write_reading(Subject::Statement, Some(asked));
                let (_write, row) = begun.await.unwrap();
                let row = row.unwrap();
                assert_eq!(row.try_get::<String>("setting").unwrap(), setting);
                assert_eq!(row.try_get::<String>("words").unwrap(), *text, "{setting}");
                assert_eq!(row.try_get::<Vec<u8>>("bytes").unwrap(), bytes);
                assert_eq!(row.try_get::<i64>("number").unwrap(), number);
                assert_eq!(row.try_get::<Option<String>>("no_words").unwrap(), None);
                assert_eq!(row.try_get::<Option<Vec<u8>>>("no_bytes").unwrap(), None);
                assert_eq!(row.try_get::<Option<i64>>("no_number").unwrap(), None);
            }
        }
        server.end().await;
    }

    #[tokio::test]
    async fn a_commit_that_fails_keeps_nothing_and_its_connection_works_on() {
        let Some(server) = OwnServer::begin("failed_commit").await else {
            return;
        };
        let store = Store::open(server.settings()).await.unwrap();
        let made = query("CREATE TABLE note (words TEXT NOT NULL UNIQUE)");
        store.change(made).await.unwrap();
        let add = async |words: [&str; 3]| {
            let mut change = store.write(Subject::Statement).await.unwrap();
            for words in words {
                change
                    .enqueue("INSERT INTO note (words) VALUES (?)")
                    .bind(words);
            }
            change.commit().await
        };
        let read = async || {
            let rows = store.ask(query("SELECT words FROM note ORDER BY words"));
            let rows = rows.await.unwrap();
            rows.iter()
                .map(|row: &Row| row.try_get("words"))
                .collect::<Result<Vec<String>, _>>()
                .unwrap()
        };
        assert!(add(["a", "b", "a"]).await.is_err());
        assert_eq!(read().await, [""; 0]);
        add(["a", "b", "c"]).await.unwrap();
        assert!(add(["d", "a", "e"]).await.is_err());
        add(["d", "e", "f"]).await.unwrap();
        assert_eq!(read().await, ["a", "b", "c", "d", "e", "f"]);
        server.end().await;
    }

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
