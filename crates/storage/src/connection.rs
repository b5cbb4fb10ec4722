//! A connection to the database, and the statements that are queued for it.
//!
//! A statement is a message and its response, to the thread of an SQLite connection or over the network. This costs more than most
//! statements do. So a change whose result nobody needs is queued with [`Connection::enqueue`]: it is sent together with the following
//! statements, at the latest before the next query on the same connection. The delay is not visible: an error of a queued statement is
//! returned by the call that sends it, and fails the same transaction. SQLite receives all queued statements in one message.
//!
//! A query is sent as a separate message after the queue. If sqlx can no longer compile a statement that it has compiled before, because a
//! table was dropped, its thread can handle that only for the first statement of a message.

use super::row::Row;
use super::statement::{Statement, Value, add_to_sqlite, for_postgres, numbered};
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, Postgres};
use sqlx::sqlite::{SqliteArguments, SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Sqlite, Transaction};

/// A connection, with or without a transaction. Every query runs after the queued statements.
#[derive(Debug)]
pub struct Connection {
    database: Database,
    waiting: Vec<QueuedSql>,
    problem: Option<sqlx::Error>,
    /// Whether nothing was sent since [`Connection::turn`].
    silent: bool,
}

/// The underlying connection.
#[derive(Debug)]
enum Database {
    Sqlite(SqliteConnection),
    /// For queries.
    Postgres(PoolConnection<Postgres>),
    /// A transaction. It is rolled back if it is dropped.
    Change(Transaction<'static, Postgres>),
}

/// A queued statement, or several without values, separated by `; `.
#[derive(Debug)]
struct QueuedSql {
    sql: &'static str,
    values: Vec<Value>,
}

/// A queued statement that still receives its values.
pub struct QueuedStatement<'a> {
    connection: &'a mut Connection,
    waiting: QueuedSql,
}

impl Connection {
    fn of(database: Database) -> Connection {
        Connection {
            database,
            waiting: Vec::new(),
            problem: None,
            silent: true,
        }
    }

    /// Opens a connection to a file.
    pub(crate) async fn open(options: &SqliteConnectOptions) -> Result<Connection, sqlx::Error> {
        Ok(Connection::of(Database::Sqlite(options.connect().await?)))
    }

    /// A connection to a server, for queries.
    pub(crate) fn asking(connection: PoolConnection<Postgres>) -> Connection {
        Connection::of(Database::Postgres(connection))
    }

    /// A transaction on a server.
    pub(crate) fn changing(transaction: Transaction<'static, Postgres>) -> Connection {
        Connection::of(Database::Change(transaction))
    }

    /// Queues statements whose result is not needed: they are sent with the next statements. Values are written as `?`, in the order in
    /// which they are bound.
    pub fn enqueue(&mut self, sql: &'static str) -> QueuedStatement<'_> {
        QueuedStatement {
            connection: self,
            waiting: QueuedSql {
                sql,
                values: Vec::new(),
            },
        }
    }

    /// Sends the queued statements.
    pub async fn send(&mut self) -> Result<(), sqlx::Error> {
        let waiting = std::mem::take(&mut self.waiting);
        if let Some(problem) = self.problem.take() {
            return Err(problem);
        }
        if waiting.is_empty() {
            return Ok(());
        }
        self.silent = false;
        match &mut self.database {
            Database::Sqlite(connection) => {
                let mut sql = String::new();
                let mut arguments = SqliteArguments::default();
                for statement in waiting {
                    if !sql.is_empty() {
                        sql.push_str("; ");
                    }
                    sql.push_str(statement.sql);
                    add_to_sqlite(statement.values, &mut arguments)?;
                }
                // Composed of constant texts of this program.
                sqlx::query_with::<Sqlite, _>(AssertSqlSafe(sql), arguments)
                    .execute(connection)
                    .await?;
            }
            Database::Postgres(connection) => one_by_one(connection, waiting).await?,
            Database::Change(transaction) => one_by_one(transaction, waiting).await?,
        }
        Ok(())
    }

    /// Commits a transaction on a server. On a file, the writer commits.
    pub(crate) async fn commit(mut self) -> Result<(), sqlx::Error> {
        self.send().await?;
        match self.database {
            Database::Change(transaction) => transaction.commit().await,
            Database::Sqlite(_) | Database::Postgres(_) => Ok(()),
        }
    }

    /// Drops the queued statements, and puts this SQL first in the queue.
    pub(crate) fn turn(&mut self, sql: &'static str) {
        self.waiting.clear();
        self.problem = None;
        if !sql.is_empty() {
            self.enqueue(sql);
        }
        self.silent = true;
    }

    /// Whether statements are queued.
    pub(crate) fn has_more_to_send(&self) -> bool {
        !self.waiting.is_empty() || self.problem.is_some()
    }

    /// Whether nothing was sent since [`Connection::turn`].
    pub(crate) fn is_silent(&self) -> bool {
        self.silent
    }

    pub(crate) async fn execute(&mut self, statement: Statement) -> Result<u64, sqlx::Error> {
        self.send().await?;
        self.silent = false;
        let Statement { sql, values } = statement;
        match &mut self.database {
            Database::Sqlite(connection) => {
                let done = sqlx::query_with(sql, sqlite(values)?).execute(connection);
                Ok(done.await?.rows_affected())
            }
            database => {
                let query = sqlx::query_with(numbered(sql), for_postgres(values)?);
                let done = query.execute(database.server()?).await?;
                Ok(done.rows_affected())
            }
        }
    }

    pub(crate) async fn fetch_all(
        &mut self,
        statement: Statement,
    ) -> Result<Vec<Row>, sqlx::Error> {
        self.send().await?;
        self.silent = false;
        let Statement { sql, values } = statement;
        match &mut self.database {
            Database::Sqlite(connection) => {
                let asked = sqlx::query_with(sql, sqlite(values)?).fetch_all(connection);
                Ok(asked.await?.into_iter().map(Row::Sqlite).collect())
            }
            database => {
                let query = sqlx::query_with(numbered(sql), for_postgres(values)?);
                let rows = query.fetch_all(database.server()?).await?;
                Ok(rows.into_iter().map(Row::Postgres).collect())
            }
        }
    }

    pub(crate) async fn fetch_optional(
        &mut self,
        statement: Statement,
    ) -> Result<Option<Row>, sqlx::Error> {
        self.send().await?;
        self.silent = false;
        let Statement { sql, values } = statement;
        match &mut self.database {
            Database::Sqlite(connection) => {
                let asked = sqlx::query_with(sql, sqlite(values)?).fetch_optional(connection);
                Ok(asked.await?.map(Row::Sqlite))
            }
            database => {
                let query = sqlx::query_with(numbered(sql), for_postgres(values)?);
                let row = query.fetch_optional(database.server()?).await?;
                Ok(row.map(Row::Postgres))
            }
        }
    }

    fn add_problem(&mut self, what: &str, sql: &str) {
        let problem = sqlx::Error::Protocol(format!("{what}: {sql}"));
        self.problem.get_or_insert(problem);
    }
}

impl Database {
    /// The connection to a server.
    fn server(&mut self) -> Result<&mut PgConnection, sqlx::Error> {
        match self {
            Database::Postgres(connection) => Ok(connection),
            Database::Change(transaction) => Ok(transaction),
            Database::Sqlite(_) => Err(sqlx::Error::Protocol(String::from("a file is no server"))),
        }
    }
}

fn sqlite(values: Vec<Value>) -> Result<SqliteArguments, sqlx::Error> {
    let mut arguments = SqliteArguments::default();
    add_to_sqlite(values, &mut arguments)?;
    Ok(arguments)
}

/// A server accepts one statement with values at a time.
async fn one_by_one(
    connection: &mut PgConnection,
    waiting: Vec<QueuedSql>,
) -> Result<(), sqlx::Error> {
    for QueuedSql { sql, values } in waiting {
        sqlx::query_with(numbered(sql), for_postgres(values)?)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

impl QueuedStatement<'_> {
    /// Binds the statement's next value.
    pub fn bind(mut self, value: impl Into<Value>) -> Self {
        self.waiting.values.push(value.into());
        self
    }
}

impl Drop for QueuedStatement<'_> {
    fn drop(&mut self) {
        let QueuedSql { sql, values } = &mut self.waiting;
        // A wrong number of values would shift those of all following statements. This is a bug of this program and must not change data.
        if sql.matches('?').count() != values.len() {
            self.connection
                .add_problem("a value too many or missing", sql);
        }
        let values = std::mem::take(values);
        self.connection.waiting.push(QueuedSql { sql, values });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::query;

    async fn notes() -> (Connection, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let options = crate::sqlite_options(&folder.path().join("notes.db"));
        let mut connection = Connection::open(&options).await.unwrap();
        connection.enqueue("CREATE TABLE note (words TEXT NOT NULL UNIQUE, number BIGINT)");
        connection.send().await.unwrap();
        (connection, folder)
    }

    fn note(connection: &mut Connection, words: &str, number: Option<i64>) {
        connection
            .enqueue("INSERT INTO note (words, number) VALUES (?, ?)")
            .bind(words)
            .bind(number);
    }

    async fn all(connection: &mut Connection) -> Vec<(String, Option<i64>)> {
        let rows = query("SELECT words, number FROM note WHERE words <> ? ORDER BY words")
            .bind("none")
            .fetch_all(connection);
        let read = |row: &Row| Ok((row.try_get("words")?, row.try_get("number")?));
        let rows = rows.await.unwrap();
        rows.iter()
            .map(read)
            .collect::<Result<_, sqlx::Error>>()
            .unwrap()
    }

    #[tokio::test]
    async fn what_waits_is_there_for_whoever_asks() {
        let (mut connection, _folder) = notes().await;
        note(&mut connection, "b", Some(2));
        note(&mut connection, "a", None);
        connection.enqueue("UPDATE note SET number = 3 WHERE words = 'b'");
        let there = all(&mut connection).await;
        assert_eq!(there, [("a".to_owned(), None), ("b".to_owned(), Some(3))]);
    }

    #[tokio::test]
    async fn a_turn_is_silent_until_something_is_asked() {
        let (mut connection, _folder) = notes().await;
        connection.turn("BEGIN IMMEDIATE; SAVEPOINT one");
        assert!(connection.is_silent());
        assert_eq!(all(&mut connection).await, []);
        assert!(!connection.is_silent());
        note(&mut connection, "a", Some(1));
        connection.enqueue("RELEASE one; ROLLBACK");
        connection.send().await.unwrap();
        assert_eq!(all(&mut connection).await, []);
    }

    #[tokio::test]
    async fn a_failure_comes_with_what_sends_it_and_stops_what_comes_behind() {
        let (mut connection, _folder) = notes().await;
        for words in ["a", "a", "b"] {
            note(&mut connection, words, None);
        }
        let asked = query("SELECT 1").fetch_optional(&mut connection);
        assert!(asked.await.is_err(), "`a` is there already");
        assert_eq!(all(&mut connection).await, [("a".to_owned(), None)]);
    }

    #[tokio::test]
    async fn a_value_more_or_less_is_never_sent() {
        let (mut connection, _folder) = notes().await;
        connection.enqueue("INSERT INTO note (words) VALUES (?)");
        note(&mut connection, "a", None);
        assert!(connection.send().await.is_err());
        note(&mut connection, "b", None);
        connection
            .enqueue("INSERT INTO note (words) VALUES (?)")
            .bind("c")
            .bind("d");
        assert!(connection.send().await.is_err());
        assert_eq!(all(&mut connection).await, []);
    }
}
