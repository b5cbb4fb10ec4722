//! A row of a result, from any of the databases.

use sqlx::postgres::{PgRow, Postgres};
use sqlx::sqlite::{Sqlite, SqliteRow};
use sqlx::{Decode, Row as _, Type};

/// A row.
pub enum Row {
    /// From a file.
    Sqlite(SqliteRow),
    /// From a server.
    Postgres(PgRow),
}

/// The types of a column: an `i64`, a text, bytes, or an `Option` of one of them. The result of a yes-or-no query is a `bool`; a column
/// with a `bool` contains 0 or 1.
pub trait Column<'r>:
    Decode<'r, Sqlite> + Type<Sqlite> + Decode<'r, Postgres> + Type<Postgres>
{
}

impl<'r, T> Column<'r> for T where
    T: Decode<'r, Sqlite> + Type<Sqlite> + Decode<'r, Postgres> + Type<Postgres>
{
}

impl Row {
    /// The value of a column.
    pub fn try_get<'r, T: Column<'r>>(&'r self, column: &str) -> Result<T, sqlx::Error> {
        match self {
            Row::Sqlite(row) => row.try_get(column),
            Row::Postgres(row) => row.try_get(column),
        }
    }

    /// The value of the first column.
    pub fn first<'r, T: Column<'r>>(&'r self) -> Result<T, sqlx::Error> {
        match self {
            Row::Sqlite(row) => row.try_get(0),
            Row::Postgres(row) => row.try_get(0),
        }
    }
}
