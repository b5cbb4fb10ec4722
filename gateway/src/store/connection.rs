//! A connection to the database, and the changes that wait to be sent over it.
//!
//! A statement is a message to the thread of its connection and back, which costs more than most statements do. So a
//! change whose answer nobody needs is put with [`Connection::later`]: it goes to the database together with the next
//! ones, at the latest before anything is asked over the same connection. Nobody can see that it was not sent at once:
//! an error of it comes with whatever sends it, and takes the same change with it.
//!
//! A question goes by itself, behind what waits: where sqlx can not compile a statement any more that it has compiled
//! before, because a table is gone, its thread bears that only of the first statement of a message.

use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use futures_util::{FutureExt, StreamExt, TryFutureExt};
use sqlx::sqlite::{
    SqliteArguments, SqliteConnectOptions, SqliteQueryResult, SqliteRow, SqliteStatement,
    SqliteTypeInfo,
};
use sqlx::{
    Arguments, AssertSqlSafe, ConnectOptions, Describe, Either, Encode, Execute, Executor, SqlStr,
    Sqlite, SqliteConnection, Type,
};

/// A connection, inside a transaction or not. Whatever sqlx asks over it comes after what waits.
#[derive(Debug)]
pub(crate) struct Connection {
    connection: SqliteConnection,
    waiting: Waiting,
    /// Nothing was sent since [`Connection::turn`].
    silent: bool,
}

/// Statements that are sent with the next ones.
#[derive(Debug, Default)]
struct Waiting {
    /// Separated by `; `. All of them are words of this program: values are in `arguments`.
    sql: String,
    arguments: SqliteArguments,
    problem: Option<sqlx::Error>,
}

/// A statement that waits, while its values are given.
pub(crate) struct Later<'a> {
    waiting: &'a mut Waiting,
    /// Values that are still to come.
    missing: usize,
}

impl Connection {
    /// Opens a connection.
    pub(crate) async fn open(options: &SqliteConnectOptions) -> Result<Connection, sqlx::Error> {
        Ok(Connection {
            connection: options.connect().await?,
            waiting: Waiting::default(),
            silent: true,
        })
    }

    /// Puts statements whose answer nobody needs: they are sent with what comes next. Values stand as `?`, in the order in
    /// which they are bound.
    pub(crate) fn later(&mut self, statements: &'static str) -> Later<'_> {
        self.waiting.add(statements);
        Later {
            waiting: &mut self.waiting,
            missing: statements.matches('?').count(),
        }
    }

    /// Sends what waits.
    pub(crate) async fn send(&mut self) -> Result<(), sqlx::Error> {
        let Waiting {
            sql,
            arguments,
            problem,
        } = std::mem::take(&mut self.waiting);
        if let Some(problem) = problem {
            return Err(problem);
        }
        if sql.is_empty() {
            return Ok(());
        }
        self.silent = false;
        // Put together from words of this program.
        sqlx::query_with::<Sqlite, _>(AssertSqlSafe(sql), arguments)
            .execute(&mut self.connection)
            .await
            .map(|_| ())
    }

    /// Drops what waits, and puts these words first of what is sent from now on.
    pub(super) fn turn(&mut self, words: &str) {
        self.waiting = Waiting::default();
        self.waiting.add(words);
        self.silent = true;
    }

    /// Whether something waits.
    pub(super) fn has_more_to_send(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Whether nothing was sent since [`Connection::turn`].
    pub(super) fn is_silent(&self) -> bool {
        self.silent
    }
}

impl<'c> Executor<'c> for &'c mut Connection {
    type Database = Sqlite;

    fn fetch_many<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxStream<'e, Result<Either<SqliteQueryResult, SqliteRow>, sqlx::Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Sqlite>,
    {
        if self.waiting.is_empty() {
            self.silent = false;
            return self.connection.fetch_many(query);
        }
        let sent = async move {
            self.send().await?;
            let Connection { connection, .. } = self;
            Ok(connection.fetch_many(query))
        };
        sent.try_flatten_stream().boxed()
    }

    fn fetch_optional<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxFuture<'e, Result<Option<SqliteRow>, sqlx::Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Sqlite>,
    {
        if self.waiting.is_empty() {
            self.silent = false;
            return self.connection.fetch_optional(query);
        }
        let sent = async move {
            self.send().await?;
            self.connection.fetch_optional(query).await
        };
        sent.boxed()
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [SqliteTypeInfo],
    ) -> BoxFuture<'e, Result<SqliteStatement, sqlx::Error>>
    where
        'c: 'e,
    {
        self.connection.prepare_with(sql, parameters)
    }

    fn describe<'e>(self, sql: SqlStr) -> BoxFuture<'e, Result<Describe<Sqlite>, sqlx::Error>>
    where
        'c: 'e,
    {
        self.connection.describe(sql)
    }
}

impl Waiting {
    fn is_empty(&self) -> bool {
        self.sql.is_empty() && self.problem.is_none()
    }

    fn add(&mut self, statements: &str) {
        if !self.sql.is_empty() {
            self.sql.push_str("; ");
        }
        self.sql.push_str(statements);
    }

    /// Nothing of this is to be sent: our bug.
    fn add_problem(&mut self, what: &str) {
        let problem = sqlx::Error::Protocol(format!("{what}: {}", self.sql));
        self.problem.get_or_insert(problem);
    }
}

impl Later<'_> {
    /// The statement's next value.
    pub(crate) fn bind<'t, T: Encode<'t, Sqlite> + Type<Sqlite>>(mut self, value: T) -> Self {
        if let Err(problem) = self.waiting.arguments.add(value) {
            self.waiting.problem = Some(sqlx::Error::Encode(problem));
        }
        match self.missing.checked_sub(1) {
            Some(missing) => self.missing = missing,
            None => self.waiting.add_problem("a value too many"),
        }
        self
    }
}

impl Drop for Later<'_> {
    fn drop(&mut self) {
        // A value more or less would shift those of every statement behind, which must not reach the books.
        if self.missing > 0 {
            self.waiting.add_problem("a value is missing");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn notes() -> (Connection, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let options = crate::store::sqlite_options(&folder.path().join("notes.db"));
        let mut connection = Connection::open(&options).await.unwrap();
        connection.later("CREATE TABLE note (words TEXT NOT NULL UNIQUE, number BIGINT)");
        connection.send().await.unwrap();
        (connection, folder)
    }

    fn note(connection: &mut Connection, words: &str, number: Option<i64>) {
        connection
            .later("INSERT INTO note (words, number) VALUES (?, ?)")
            .bind(words)
            .bind(number);
    }

    async fn all(connection: &mut Connection) -> Vec<(String, Option<i64>)> {
        sqlx::query_as("SELECT words, number FROM note WHERE words <> ? ORDER BY words")
            .bind("none")
            .fetch_all(connection)
            .await
            .unwrap()
    }

    #[tokio::test]
    async fn what_waits_is_there_for_whoever_asks() {
        let (mut connection, _folder) = notes().await;
        note(&mut connection, "b", Some(2));
        note(&mut connection, "a", None);
        connection.later("UPDATE note SET number = 3 WHERE words = 'b'");
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
        connection.later("RELEASE one; ROLLBACK");
        connection.send().await.unwrap();
        assert_eq!(all(&mut connection).await, []);
    }

    #[tokio::test]
    async fn a_failure_comes_with_what_sends_it_and_stops_what_comes_behind() {
        let (mut connection, _folder) = notes().await;
        for words in ["a", "a", "b"] {
            note(&mut connection, words, None);
        }
        let asked = sqlx::query("SELECT 1").fetch_optional(&mut connection);
        assert!(asked.await.is_err(), "`a` is there already");
        assert_eq!(all(&mut connection).await, [("a".to_owned(), None)]);
    }

    #[tokio::test]
    async fn a_value_more_or_less_is_never_sent() {
        let (mut connection, _folder) = notes().await;
        connection.later("INSERT INTO note (words) VALUES (?)");
        note(&mut connection, "a", None);
        assert!(connection.send().await.is_err());
        note(&mut connection, "b", None);
        connection
            .later("INSERT INTO note (words) VALUES (?)")
            .bind("c")
            .bind("d");
        assert!(connection.send().await.is_err());
        assert_eq!(all(&mut connection).await, []);
    }
}
