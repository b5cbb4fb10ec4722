//! A connection to the database, and the statements that are queued for it.
//!
//! A statement is a message and its response, to the thread of an SQLite connection or over the network. This costs more than most
//! statements do. So a change whose result nobody needs is queued with [`Connection::enqueue`]: it is sent together with the following
//! statements, at the latest before the next query on the same connection. The delay is not visible: an error of a queued statement is
//! returned by the call that sends it, and fails the same transaction. SQLite receives all queued statements in one message. A server
//! receives as many as can be joined ([`super::joined`]), together with the query behind them.
//!
//! A query is sent as a separate message after the queue. If sqlx can no longer compile a statement that it has compiled before, because a
//! table was dropped, its thread can handle that only for the first statement of a message.

use super::joined::{Joined, alone, journeys};
use super::lock_order::{HeldLocks, Rank};
use super::row::Row;
use super::server::Lent;
use super::statement::{Statement, Value, add_to_sqlite, for_postgres, query};
use sqlx::sqlite::{SqliteArguments, SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Sqlite};

/// A connection, with or without a transaction. Every query runs after the queued statements.
#[derive(Debug)]
pub struct Connection {
    database: Database,
    waiting: Vec<Statement>,
    problem: Option<sqlx::Error>,
    /// Whether nothing was sent since [`Connection::turn`].
    silent: bool,
    locks: HeldLocks,
}

/// The underlying connection.
#[derive(Debug)]
enum Database {
    /// A file.
    Sqlite(SqliteConnection),
    /// A server, for queries.
    Server(Lent),
    /// A server, for a change. Its transaction begins with the first statement, and is rolled back if it is dropped.
    Change(Lent),
}

/// A queued statement that still receives its values.
pub struct QueuedStatement<'a> {
    connection: &'a mut Connection,
    waiting: Statement,
}

impl Connection {
    fn of(database: Database) -> Connection {
        Connection {
            database,
            waiting: Vec::new(),
            problem: None,
            silent: true,
            locks: HeldLocks::default(),
        }
    }

    /// Opens a connection to a file.
    pub(crate) async fn open(options: &SqliteConnectOptions) -> Result<Connection, sqlx::Error> {
        Ok(Connection::of(Database::Sqlite(options.connect().await?)))
    }

    /// A connection to a server, for queries.
    pub(crate) fn asking(lent: Lent) -> Connection {
        Connection::of(Database::Server(lent))
    }

    /// A change on a server.
    pub(crate) fn changing(lent: Lent) -> Connection {
        Connection::of(Database::Change(lent))
    }

    /// Queues statements whose result is not needed: they are sent with the next statements. Values are written as `?`, in the order in
    /// which they are bound.
    pub fn enqueue(&mut self, sql: &'static str) -> QueuedStatement<'_> {
        QueuedStatement {
            connection: self,
            waiting: query(sql),
        }
    }

    /// Sends the queued statements.
    pub async fn send(&mut self) -> Result<(), sqlx::Error> {
        let waiting = self.take_waiting()?;
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
            database => {
                let lent = database.server().await?;
                for journey in journeys(waiting) {
                    execute(lent, journey).await?;
                }
            }
        }
        Ok(())
    }

    /// Commits a change on a server, and returns the rows of its last queued statement. On a file, the writer commits.
    pub(crate) async fn commit(mut self) -> Result<Vec<Row>, sqlx::Error> {
        let mut last = journeys(self.take_waiting()?);
        let Database::Change(lent) = &mut self.database else {
            return Ok(Vec::new());
        };
        if !lent.is_in_transaction() {
            match last.len() {
                0 => return Ok(Vec::new()),
                // A single journey is a transaction of its own.
                1 => return Ok(fetch_all(lent, last.remove(0)).await?.collect()),
                _ => {
                    lent.begin(&[]).await?;
                }
            }
        }
        let mut rows = Vec::new();
        for journey in last {
            rows = fetch_all(lent, journey).await?.collect();
        }
        lent.commit().await?;
        Ok(rows)
    }

    /// The same with another statement behind those that are queued.
    pub(crate) async fn commit_with(mut self, last: Statement) -> Result<Vec<Row>, sqlx::Error> {
        self.waiting.push(last);
        self.commit().await
    }

    /// On a server: runs a statement as a transaction of its own, before any other of this change. Returns the number of changed rows.
    pub(crate) async fn execute_alone(&mut self, statement: Statement) -> Result<u64, sqlx::Error> {
        let Database::Change(lent) = &mut self.database else {
            return Err(sqlx::Error::Protocol(String::from("no change on a server")));
        };
        execute(lent, alone(statement)).await
    }

    /// The same, for a statement that returns rows.
    pub(crate) async fn fetch_alone(
        &mut self,
        statement: Statement,
    ) -> Result<Vec<Row>, sqlx::Error> {
        let Database::Change(lent) = &mut self.database else {
            return Err(sqlx::Error::Protocol(String::from("no change on a server")));
        };
        Ok(fetch_all(lent, alone(statement)).await?.collect())
    }

    /// Notes a lock of this change, in its place of the order. Whether the caller must ask a server for it: a file has one change at a
    /// time, and a change asks once.
    pub(crate) fn takes_lock(&mut self, rank: Rank, name: &str) -> Result<bool, sqlx::Error> {
        let is_new = self.locks.take(rank, name)?;
        Ok(is_new && !matches!(self.database, Database::Sqlite(_)))
    }

    /// Drops the queued statements, and puts this SQL first in the queue.
    pub(crate) fn turn(&mut self, sql: &'static str) {
        self.waiting.clear();
        self.problem = None;
        self.locks.clear();
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
        if let Some((lent, journey)) = self.last_journey(&statement).await? {
            return execute(lent, journey).await;
        }
        let (connection, sql, arguments) = self.on_file(statement).await?;
        let done = sqlx::query_with(sql, arguments).execute(connection);
        Ok(done.await?.rows_affected())
    }

    pub(crate) async fn fetch_all(
        &mut self,
        statement: Statement,
    ) -> Result<Vec<Row>, sqlx::Error> {
        if let Some((lent, journey)) = self.last_journey(&statement).await? {
            let rows = fetch_all(lent, journey).await?;
            return Ok(rows.collect());
        }
        let (connection, sql, arguments) = self.on_file(statement).await?;
        let asked = sqlx::query_with(sql, arguments).fetch_all(connection);
        Ok(asked.await?.into_iter().map(Row::Sqlite).collect())
    }

    pub(crate) async fn fetch_optional(
        &mut self,
        statement: Statement,
    ) -> Result<Option<Row>, sqlx::Error> {
        if let Some((lent, journey)) = self.last_journey(&statement).await? {
            return Ok(fetch_all(lent, journey).await?.next());
        }
        let (connection, sql, arguments) = self.on_file(statement).await?;
        let asked = sqlx::query_with(sql, arguments).fetch_optional(connection);
        Ok(asked.await?.map(Row::Sqlite))
    }

    /// The queued statements, in their order.
    fn take_waiting(&mut self) -> Result<Vec<Statement>, sqlx::Error> {
        let waiting = std::mem::take(&mut self.waiting);
        match self.problem.take() {
            Some(problem) => Err(problem),
            None => Ok(waiting),
        }
    }

    /// On a server: sends the queued statements, except for those that can travel with this one. Returns that journey. `None` for a file.
    async fn last_journey(
        &mut self,
        statement: &Statement,
    ) -> Result<Option<(&mut Lent, Joined)>, sqlx::Error> {
        #[cfg(test)]
        crate::asked::note(statement.sql, &statement.values);
        if matches!(self.database, Database::Sqlite(_)) {
            return Ok(None);
        }
        let mut statements = self.take_waiting()?;
        statements.push(statement.clone());
        self.silent = false;
        let mut all = journeys(statements);
        let last = all.pop();
        let lent = self.database.server().await?;
        for journey in all {
            execute(lent, journey).await?;
        }
        Ok(last.map(|last| (lent, last)))
    }

    /// On a file: sends the queued statements, and prepares this one.
    async fn on_file(
        &mut self,
        statement: Statement,
    ) -> Result<(&mut SqliteConnection, &'static str, SqliteArguments), sqlx::Error> {
        self.send().await?;
        self.silent = false;
        let Database::Sqlite(connection) = &mut self.database else {
            return Err(sqlx::Error::Protocol(String::from("a server is no file")));
        };
        let mut arguments = SqliteArguments::default();
        add_to_sqlite(statement.values, &mut arguments)?;
        Ok((connection, statement.sql, arguments))
    }

    fn add_problem(&mut self, what: &str, sql: &str) {
        let problem = sqlx::Error::Protocol(format!("{what}: {sql}"));
        self.problem.get_or_insert(problem);
    }
}

impl Database {
    /// The connection to a server, in a transaction if it is for a change.
    async fn server(&mut self) -> Result<&mut Lent, sqlx::Error> {
        match self {
            Database::Server(lent) => Ok(lent),
            Database::Change(lent) => {
                if !lent.is_in_transaction() {
                    lent.begin(&[]).await?;
                }
                Ok(lent)
            }
            Database::Sqlite(_) => Err(sqlx::Error::Protocol(String::from("a file is no server"))),
        }
    }
}

async fn execute(lent: &mut Lent, journey: Joined) -> Result<u64, sqlx::Error> {
    lent.execute(journey.sql, for_postgres(journey.values)?)
        .await
}

async fn fetch_all(
    lent: &mut Lent,
    journey: Joined,
) -> Result<impl Iterator<Item = Row> + use<>, sqlx::Error> {
    let rows = lent
        .fetch_all(journey.sql, for_postgres(journey.values)?)
        .await?;
    Ok(rows.into_iter().map(Row::Postgres))
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
        let Statement { sql, values } = &mut self.waiting;
        // A wrong number of values would shift those of all following statements. This is a bug of this program and must not change data.
        if sql.matches('?').count() != values.len() {
            self.connection
                .add_problem("a value too many or missing", sql);
        }
        #[cfg(test)]
        crate::asked::note(sql, values);
        let values = std::mem::take(values);
        self.connection.waiting.push(Statement { sql, values });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
