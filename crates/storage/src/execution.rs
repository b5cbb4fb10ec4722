//! Runs statements on a connection.

use super::connection::Connection;
use super::row::{Column, Row};
use super::statement::{Scalar, Statement};

impl Statement {
    /// Runs it. Returns the number of changed rows.
    pub async fn execute(self, connection: &mut Connection) -> Result<u64, sqlx::Error> {
        connection.execute(self).await
    }

    /// All rows.
    pub async fn fetch_all(self, connection: &mut Connection) -> Result<Vec<Row>, sqlx::Error> {
        connection.fetch_all(self).await
    }

    /// The first row, if there is one.
    pub async fn fetch_optional(
        self,
        connection: &mut Connection,
    ) -> Result<Option<Row>, sqlx::Error> {
        connection.fetch_optional(self).await
    }

    /// The first row.
    pub async fn fetch_one(self, connection: &mut Connection) -> Result<Row, sqlx::Error> {
        let row = connection.fetch_optional(self).await?;
        row.ok_or(sqlx::Error::RowNotFound)
    }
}

impl Scalar {
    /// The first column of all rows.
    pub async fn fetch_all<T: for<'r> Column<'r>>(
        self,
        connection: &mut Connection,
    ) -> Result<Vec<T>, sqlx::Error> {
        let rows = self.0.fetch_all(connection).await?;
        rows.iter().map(Row::first).collect()
    }

    /// The first column of the first row, if there is one.
    pub async fn fetch_optional<T: for<'r> Column<'r>>(
        self,
        connection: &mut Connection,
    ) -> Result<Option<T>, sqlx::Error> {
        let row = self.0.fetch_optional(connection).await?;
        row.as_ref().map(Row::first).transpose()
    }

    /// The first column of the first row.
    pub async fn fetch_one<T: for<'r> Column<'r>>(
        self,
        connection: &mut Connection,
    ) -> Result<T, sqlx::Error> {
        self.0.fetch_one(connection).await?.first()
    }
}
