//! SQL statements and their values, independent of the database.
//!
//! Values are written as `?`, in the order in which they are bound, or as `?1`, `?2` and so on if a value is used twice. Every statement
//! is a constant text of this program: values are never part of it.

use sqlx::postgres::PgArguments;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments, AssertSqlSafe};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

/// A value. A null value has a type as well, because some databases require it.
#[derive(Clone, Debug)]
pub enum Value {
    /// An integer.
    Integer(Option<i64>),
    /// A text.
    Text(Option<String>),
    /// Bytes.
    Bytes(Option<Vec<u8>>),
}

/// A statement, with its values.
#[must_use = "it is not sent yet"]
pub struct Statement {
    pub(crate) sql: &'static str,
    pub(crate) values: Vec<Value>,
}

/// A statement that returns the first column of its rows.
#[must_use = "it is not sent yet"]
pub struct Scalar(pub(crate) Statement);

/// A statement.
pub fn query(sql: &'static str) -> Statement {
    Statement {
        sql,
        values: Vec::new(),
    }
}

/// A statement that returns the first column of its rows.
pub fn query_scalar(sql: &'static str) -> Scalar {
    Scalar(query(sql))
}

impl Statement {
    /// Binds the next value.
    pub fn bind(mut self, value: impl Into<Value>) -> Statement {
        self.values.push(value.into());
        self
    }
}

impl Scalar {
    /// Binds the next value.
    pub fn bind(self, value: impl Into<Value>) -> Scalar {
        Scalar(self.0.bind(value))
    }
}

/// Appends the values in the format of SQLite.
pub(crate) fn add_to_sqlite(
    values: Vec<Value>,
    arguments: &mut SqliteArguments,
) -> Result<(), sqlx::Error> {
    for value in values {
        let added = match value {
            Value::Integer(value) => arguments.add(value),
            Value::Text(value) => arguments.add(value),
            Value::Bytes(value) => arguments.add(value),
        };
        added.map_err(sqlx::Error::Encode)?;
    }
    Ok(())
}

/// The values in the format of PostgreSQL.
pub(crate) fn for_postgres(values: Vec<Value>) -> Result<PgArguments, sqlx::Error> {
    let mut arguments = PgArguments::default();
    for value in values {
        let added = match value {
            Value::Integer(value) => arguments.add(value),
            Value::Text(value) => arguments.add(value),
            Value::Bytes(value) => arguments.add(value),
        };
        added.map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}

/// The statement with `$1`, `$2` and so on for its values, as PostgreSQL requires.
pub(crate) fn numbered(sql: &'static str) -> AssertSqlSafe<Arc<str>> {
    static KNOWN: LazyLock<RwLock<HashMap<&'static str, Arc<str>>>> =
        LazyLock::new(RwLock::default);
    // A panic during the lock cannot leave the map inconsistent: each change is one insertion.
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(text) = known.get(sql) {
        return AssertSqlSafe(Arc::clone(text));
    }
    drop(known);
    let text: Arc<str> = number(sql).into();
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    known.insert(sql, Arc::clone(&text));
    AssertSqlSafe(text)
}

fn number(sql: &str) -> String {
    let mut text = String::with_capacity(sql.len() + 16);
    let mut place = 0;
    let mut rest = sql.chars().peekable();
    while let Some(char) = rest.next() {
        text.push(if char == '?' { '$' } else { char });
        if char == '?' && !rest.peek().is_some_and(char::is_ascii_digit) {
            place += 1;
            text.push_str(&place.to_string());
        }
    }
    text
}

macro_rules! values {
    ($($kind:ident: $($from:ty),+;)+) => {$($(
        impl From<$from> for Value {
            fn from(value: $from) -> Value {
                Value::$kind(Some(value.into()))
            }
        }

        impl From<Option<$from>> for Value {
            fn from(value: Option<$from>) -> Value {
                Value::$kind(value.map(Into::into))
            }
        }
    )+)+};
}

values! {
    Integer: i64, i32, u32, u16, u8, bool;
    Text: &str, String, &String;
    Bytes: &[u8], Vec<u8>;
}

impl From<&Option<String>> for Value {
    fn from(value: &Option<String>) -> Value {
        Value::Text(value.clone())
    }
}

impl From<&Vec<u8>> for Value {
    fn from(value: &Vec<u8>) -> Value {
        Value::from(value.as_slice())
    }
}

impl From<&Option<Vec<u8>>> for Value {
    fn from(value: &Option<Vec<u8>>) -> Value {
        Value::Bytes(value.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_numbered_in_the_order_in_which_they_stand() {
        for (written, sent) in [
            ("SELECT 1", "SELECT 1"),
            ("a = ? AND b = ?", "a = $1 AND b = $2"),
            (
                "?1 IS NULL OR a = ?1 LIMIT ?10",
                "$1 IS NULL OR a = $1 LIMIT $10",
            ),
        ] {
            assert_eq!(number(written), sent);
        }
    }
}
