//! The shop's records: its orders with their sessions, and the notifications it received.
//!
//! One small SQLite file. It does not contain the state of a payment: the shop asks the gateway for it when needed.

use sqlx::{
    Row, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteRow},
};
use std::{path::Path, time::Duration};

/// The shop's own records.
#[derive(Clone, Debug)]
pub struct Ledger {
    pool: SqlitePool,
}

impl Ledger {
    /// Opens `shop.db` in the folder, and makes the folder if it is missing.
    pub async fn open(folder: &Path) -> Result<Self, sqlx::Error> {
        std::fs::create_dir_all(folder).map_err(sqlx::Error::Io)?;
        let options = SqliteConnectOptions::new()
            .filename(folder.join("shop.db"))
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(5));
        let pool = SqlitePoolOptions::new()
            .max_connections(4)
            .connect_with(options)
            .await?;
        sqlx::migrate!("./migrations").run(&pool).await?;
        Ok(Self { pool })
    }

    /// Stores an order whose payment was just opened.
    pub async fn remember(&self, order: &ShopOrder) -> Result<(), sqlx::Error> {
        sqlx::query(
            "INSERT INTO shop_order (order_id, session_id, security_token, amount_minor, fee_minor, currency, locale, created_ms)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(&order.order_id)
        .bind(&order.session_id)
        .bind(&order.security_token)
        .bind(&order.amount_minor)
        .bind(&order.fee_minor)
        .bind(&order.currency)
        .bind(&order.locale)
        .bind(order.created_ms)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Stores the fee that the buyer agreed to, and replaces an earlier one.
    pub async fn add_fee(&self, order_id: &str, fee_minor: u64) -> Result<(), sqlx::Error> {
        sqlx::query("UPDATE shop_order SET fee_minor = ? WHERE order_id = ?")
            .bind(fee_minor.to_string())
            .bind(order_id)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// The order with this id, if it belongs to this shop.
    pub async fn order(&self, order_id: &str) -> Result<Option<ShopOrder>, sqlx::Error> {
        let row = sqlx::query("SELECT * FROM shop_order WHERE order_id = ?")
            .bind(order_id)
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(ShopOrder::read).transpose()
    }

    /// The order that this session pays, if it belongs to this shop.
    pub async fn order_of_session(
        &self,
        session_id: &str,
    ) -> Result<Option<ShopOrder>, sqlx::Error> {
        let row = sqlx::query("SELECT * FROM shop_order WHERE session_id = ?")
            .bind(session_id)
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(ShopOrder::read).transpose()
    }

    /// Stores a notification. A repeated event changes nothing.
    pub async fn receive(
        &self,
        notification: &ReceivedNotification,
    ) -> Result<Receipt, sqlx::Error> {
        let done = sqlx::query(
            "INSERT INTO received_notification
                 (event_id, order_id, received_ms, event_time, operation_type, operation_result, body)
             VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (event_id) DO NOTHING",
        )
        .bind(&notification.event_id)
        .bind(&notification.order_id)
        .bind(notification.received_ms)
        .bind(&notification.event_time)
        .bind(&notification.operation_type)
        .bind(&notification.operation_result)
        .bind(&notification.body)
        .execute(&self.pool)
        .await?;
        Ok(if done.rows_affected() == 1 {
            Receipt::New
        } else {
            Receipt::Repeated
        })
    }

    /// Newest first, at most 100; only those of `order` if it is given.
    pub async fn notifications(
        &self,
        order_id: Option<&str>,
    ) -> Result<Vec<ReceivedNotification>, sqlx::Error> {
        let rows = sqlx::query(
            "SELECT * FROM received_notification WHERE ?1 IS NULL OR order_id = ?1
             ORDER BY received_ms DESC, rowid DESC LIMIT 100",
        )
        .bind(order_id)
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(ReceivedNotification::read).collect()
    }
}

/// An order of this shop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShopOrder {
    /// Unique in this shop.
    pub order_id: String,
    /// Session of the payment form; for a payment on the gateway's own page, the address of that page.
    pub session_id: String,
    /// The token that a notification about this order must repeat.
    pub security_token: String,
    /// Price of the goods in minor units, digits only.
    pub amount_minor: String,
    /// The fee for paying with this card, in minor units, digits only.
    pub fee_minor: String,
    /// ISO 4217 letters.
    pub currency: String,
    /// Language tag in which amounts are shown.
    pub locale: String,
    /// Milliseconds since 1970.
    pub created_ms: i64,
}

impl ShopOrder {
    /// What the buyer owes, in minor units. `None` if the records contain no valid amount.
    pub fn total_minor(&self) -> Option<u64> {
        let amount: u64 = self.amount_minor.parse().ok()?;
        amount.checked_add(self.fee_minor.parse().ok()?)
    }

    fn read(row: &SqliteRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            order_id: row.try_get("order_id")?,
            session_id: row.try_get("session_id")?,
            security_token: row.try_get("security_token")?,
            amount_minor: row.try_get("amount_minor")?,
            fee_minor: row.try_get("fee_minor")?,
            currency: row.try_get("currency")?,
            locale: row.try_get("locale")?,
            created_ms: row.try_get("created_ms")?,
        })
    }

    #[cfg(test)]
    pub(crate) fn example(amount_minor: &str, currency: &str) -> Self {
        Self {
            order_id: "A1B2C3".to_owned(),
            session_id: "session".to_owned(),
            security_token: "token".to_owned(),
            amount_minor: amount_minor.to_owned(),
            fee_minor: "0".to_owned(),
            currency: currency.to_owned(),
            locale: "en".to_owned(),
            created_ms: 0,
        }
    }
}

/// A notification with a valid token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedNotification {
    /// The same for all deliveries of an event.
    pub event_id: String,
    /// The order it is about.
    pub order_id: String,
    /// Milliseconds since 1970.
    pub received_ms: i64,
    /// Instant of the change.
    pub event_time: String,
    /// E.g. `AUTHORIZATION`.
    pub operation_type: String,
    /// E.g. `EXECUTED`.
    pub operation_result: String,
    /// The body as it was received.
    pub body: String,
}

impl ReceivedNotification {
    fn read(row: &SqliteRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            event_id: row.try_get("event_id")?,
            order_id: row.try_get("order_id")?,
            received_ms: row.try_get("received_ms")?,
            event_time: row.try_get("event_time")?,
            operation_type: row.try_get("operation_type")?,
            operation_result: row.try_get("operation_result")?,
            body: row.try_get("body")?,
        })
    }
}

/// Whether a notification was already known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receipt {
    /// First delivery.
    New,
    /// The gateway sent it again.
    Repeated,
}
