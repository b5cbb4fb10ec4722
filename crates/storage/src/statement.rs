//! SQL statements and their values, independent of the database.
//!
//! Values are written as `?`, in the order in which they are bound, or as `?1`, `?2` and so on if a value is used twice. Every statement
//! is a constant text of this program: values are never part of it.

use sqlx::Arguments;
use sqlx::postgres::PgArguments;
use sqlx::sqlite::SqliteArguments;

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
#[derive(Clone, Debug)]
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
