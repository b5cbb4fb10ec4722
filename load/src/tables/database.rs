//! The gateway's tables as the generator sees them: which columns a table has, rows as literals of SQL, and the indices that are made again
//! after a great number of rows has been added.
//!
//! The gateway does not run while rows are added. What differs between SQLite and PostgreSQL is here, and nowhere else in the generator.

use anyhow::{Context, Result};
use sqlx::any::{AnyRow, install_default_drivers};
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor, Row};
use std::path::Path;

/// An open database of a gateway.
pub(super) struct Database {
    connection: AnyConnection,
    kind: Kind,
}

/// The kind of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Sqlite,
    Postgres,
}

/// A column that a statement may write.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) name: String,
    /// Its type, for a cast.
    sql_type: String,
}

/// A value of a stored row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    /// A text, which may contain ids and times of its order.
    Text(String),
    Integer(i64),
    /// Anything else, as the database writes it into a statement.
    Literal(String),
}

impl Database {
    /// Opens the database of the gateway with this folder, or the one on the server at `url`.
    pub(super) async fn open(folder: &Path, url: Option<&str>) -> Result<Database> {
        install_default_drivers();
        let file = format!("sqlite://{}?mode=rw", folder.join("gateway.db").display());
        let connection = AnyConnection::connect(url.unwrap_or(&file)).await?;
        let kind = match url {
            Some(_) => Kind::Postgres,
            None => Kind::Sqlite,
        };
        let mut database = Database { connection, kind };
        if kind == Kind::Postgres {
            // The gateway's own tables are in a schema of their own, beside those of the sandbox's acquirer.
            let schema = String::from("SET search_path = payframe");
            database.execute(schema).await?;
        }
        Ok(database)
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    pub(super) async fn close(self) -> Result<()> {
        Ok(self.connection.close().await?)
    }

    /// Executes a statement. Returns how many rows it changed.
    pub(super) async fn execute(&mut self, sql: String) -> Result<u64> {
        let short: String = sql.chars().take(2000).collect();
        let done = sqlx::query(AssertSqlSafe(sql))
            .execute(&mut self.connection)
            .await;
        Ok(done.with_context(|| short)?.rows_affected())
    }

    async fn rows(&mut self, sql: String) -> Result<Vec<AnyRow>> {
        let short: String = sql.chars().take(2000).collect();
        let rows = self.connection.fetch_all(AssertSqlSafe(sql)).await;
        rows.with_context(|| short)
    }

    /// A number that a question has as its answer.
    pub(super) async fn number(&mut self, sql: &str) -> Result<i64> {
        let rows = self.rows(sql.to_owned()).await?;
        let row = rows.first().context("no row")?;
        Ok(row.try_get(0)?)
    }

    /// A text that a question has as its answer, if there is a row.
    pub(super) async fn text(&mut self, sql: &str) -> Result<Option<String>> {
        let rows = self.rows(sql.to_owned()).await?;
        Ok(rows.first().map(|row| row.try_get(0)).transpose()?)
    }

    /// The tables, in the order of their names.
    pub(super) async fn tables(&mut self) -> Result<Vec<String>> {
        let sql = match self.kind {
            Kind::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
            Kind::Postgres => {
                "SELECT CAST(table_name AS TEXT) FROM information_schema.tables \
                 WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name"
            }
        };
        let rows = self.rows(sql.to_owned()).await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    /// The columns of a table, without those that the database computes.
    pub(super) async fn columns(&mut self, table: &str) -> Result<Vec<Column>> {
        let sql = match self.kind {
            // `table_info` leaves out generated columns.
            Kind::Sqlite => format!("SELECT name, type FROM pragma_table_info('{table}')"),
            Kind::Postgres => format!(
                "SELECT CAST(column_name AS TEXT), CAST(data_type AS TEXT) FROM information_schema.columns \
                 WHERE table_schema = current_schema() AND table_name = '{table}' AND is_generated = 'NEVER' \
                 ORDER BY ordinal_position"
            ),
        };
        let read = |row: &AnyRow| {
            Ok(Column {
                name: row.try_get(0)?,
                sql_type: row.try_get(1)?,
            })
        };
        self.rows(sql).await?.iter().map(read).collect()
    }

    /// The rows of a table for which a condition holds.
    pub(super) async fn stored(
        &mut self,
        table: &str,
        columns: &[Column],
        condition: &str,
    ) -> Result<Vec<Vec<Stored>>> {
        // Each value as its kind, its text and its literal.
        let value = |column: &Column| {
            let name = &column.name;
            match self.kind {
                Kind::Sqlite => format!(
                    "typeof({name}), COALESCE(CASE WHEN typeof({name}) <> 'blob' THEN CAST({name} AS TEXT) END, ''), quote({name})"
                ),
                Kind::Postgres => format!(
                    "CASE WHEN {name} IS NULL THEN 'null' ELSE CAST(pg_typeof({name}) AS TEXT) END, \
                     COALESCE(CAST({name} AS TEXT), ''), quote_nullable(CAST({name} AS TEXT))"
                ),
            }
        };
        let values: Vec<String> = columns.iter().map(value).collect();
        let sql = format!(
            "SELECT {} FROM {table} WHERE {condition}",
            values.join(", ")
        );
        let read = |row: &AnyRow| {
            (0..columns.len())
                .map(|at| {
                    let (kind, text): (String, String) =
                        (row.try_get(3 * at)?, row.try_get(3 * at + 1)?);
                    Ok(match kind.as_str() {
                        "text" => Stored::Text(text),
                        "integer" | "bigint" => Stored::Integer(text.parse()?),
                        _ => Stored::Literal(row.try_get(3 * at + 2)?),
                    })
                })
                .collect()
        };
        self.rows(sql).await?.iter().map(read).collect()
    }

    /// An expression as a value of a column.
    pub(super) fn cast(&self, expression: &str, column: &Column) -> String {
        match self.kind {
            Kind::Sqlite => expression.to_owned(),
            Kind::Postgres => format!("CAST({expression} AS {})", column.sql_type),
        }
    }

    /// The series of numbers `n` from `first` on, without `end`, as a source of rows.
    pub(super) fn series(&self, first: i64, end: i64) -> String {
        match self.kind {
            Kind::Sqlite => format!(
                "(WITH RECURSIVE c (n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM c WHERE n + 1 < {end}) SELECT n FROM c) AS s"
            ),
            Kind::Postgres => format!(
                "generate_series(CAST({first} AS BIGINT), {}) AS s (n)",
                end - 1
            ),
        }
    }

    /// An instant in milliseconds, as documents write it.
    pub(super) fn instant(&self, ms: &str) -> String {
        match self.kind {
            Kind::Sqlite => format!(
                "(strftime('%Y-%m-%dT%H:%M:%S', ({ms}) / 1000, 'unixepoch') || printf('.%03dZ', ({ms}) % 1000))"
            ),
            Kind::Postgres => format!(
                "to_char(to_timestamp(({ms}) / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS') || '.' || lpad((({ms}) % 1000)::text, 3, '0') || 'Z'"
            ),
        }
    }

    /// A number with this many digits.
    pub(super) fn digits(&self, number: &str, width: usize) -> String {
        match self.kind {
            Kind::Sqlite => format!("printf('%0{width}d', {number})"),
            Kind::Postgres => format!("lpad(CAST({number} AS TEXT), {width}, '0')"),
        }
    }

    /// Prepares for a great number of new rows: their foreign keys are right by themselves, and a loss of power only costs a new run.
    /// Returns the statements that make again what was dropped: indices and triggers of these tables, as copies have what triggers write, and on
    /// a server, which only ignores its triggers, keys. A random id is added to its index much faster with all others.
    pub(super) async fn begin_filling(&mut self, tables: &[&str]) -> Result<Vec<String>> {
        let names = tables.iter().map(|name| format!("'{name}'"));
        let names = names.collect::<Vec<_>>().join(", ");
        let (settings, dropped): (&[&str], String) = match self.kind {
            Kind::Sqlite => (
                &[
                    "PRAGMA foreign_keys = OFF",
                    "PRAGMA synchronous = OFF",
                    "PRAGMA cache_size = -400000",
                ],
                // A constraint's index has no text.
                format!(
                    "SELECT 'DROP ' || type || ' ' || name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL AND tbl_name IN ({names})"
                ),
            ),
            Kind::Postgres => (
                &[
                    "SET session_replication_role = replica",
                    "SET synchronous_commit = off",
                    "SET maintenance_work_mem = '256MB'",
                    "SET work_mem = '256MB'",
                    "SET jit = off",
                ],
                // Foreign keys first: they need the keys.
                format!(
                    "WITH constraints AS (SELECT contype, CAST(CAST(conrelid AS REGCLASS) AS TEXT) AS on_table, \
                         CAST(CAST(confrelid AS REGCLASS) AS TEXT) AS to_table, conname, pg_get_constraintdef(oid) AS text FROM pg_constraint \
                         WHERE connamespace = CAST(current_schema() AS REGNAMESPACE)), \
                     dropped AS (SELECT CASE contype WHEN 'f' THEN 1 ELSE 2 END AS place, 'ALTER TABLE ' || on_table || ' DROP CONSTRAINT ' || conname AS drops, \
                         'ALTER TABLE ' || on_table || ' ADD CONSTRAINT ' || conname || ' ' || text AS makes FROM constraints \
                         WHERE contype = 'f' AND to_table IN ({names}) OR contype IN ('p', 'u') AND on_table IN ({names}) \
                     UNION ALL SELECT 3, 'DROP INDEX ' || i.indexname, i.indexdef FROM pg_indexes i \
                         WHERE i.schemaname = current_schema() AND i.tablename IN ({names}) \
                         AND NOT EXISTS (SELECT 1 FROM constraints c WHERE c.conname = i.indexname)) \
                     SELECT drops, makes FROM dropped ORDER BY place"
                ),
            ),
        };
        for setting in settings {
            self.execute((*setting).to_owned()).await?;
        }
        let mut made = Vec::new();
        for row in self.rows(dropped).await? {
            let (drops, makes): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            self.execute(drops).await?;
            made.push(makes);
        }
        made.reverse();
        Ok(made)
    }

    /// Makes again what was dropped, and leaves the tables as a database that has been in use for long: a server has statistics of them, a file
    /// has none, as in a gateway.
    pub(super) async fn end_filling(&mut self, dropped: Vec<String>) -> Result<()> {
        for sql in dropped {
            self.execute(sql).await?;
        }
        match self.kind {
            Kind::Sqlite => {
                // The gateway begins with an empty log.
                self.rows(String::from("PRAGMA wal_checkpoint(TRUNCATE)"))
                    .await?;
            }
            Kind::Postgres => {
                self.execute(String::from("VACUUM ANALYZE")).await?;
                self.execute(String::from("CHECKPOINT")).await?;
            }
        }
        Ok(())
    }
}
