//! Connections to a PostgreSQL server: each is lent to one caller at a time.
//!
//! The pool of sqlx tests a connection before it lends it and after it gets it back. Each test is a journey to the server, so a query would
//! take three. Here a connection is tested only if it was idle for a while ([`TRUSTED_FOR`]), or if its caller went away in the middle of a
//! statement. A failure of the network closes all idle connections, because they probably lead to the same server that is gone.
//!
//! A caller waits for a connection in the order of arrival, and not for ever: see [`ServerPool::acquire`]. It does not wait for ever for an
//! answer either ([`ANSWER_TIMEOUT`]): a machine that is gone without a word never sends one. What was sent may have been done then, and a
//! commit whose answer is lost is neither done nor not done: its caller says that it is unknown.

use super::STATEMENTS;
use super::beginning::{Beginning, PreparedNames};
use super::hosts::Hosts;
use super::joined::Joined;
use futures_util::TryStreamExt;
use sqlx::postgres::{PgArguments, PgConnection, PgRow};
use sqlx::{AssertSqlSafe, Connection as _, Either, Error, Executor};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

/// Lends connections to a server.
#[derive(Clone, Debug)]
pub(crate) struct ServerPool(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    hosts: Hosts,
    idle: Mutex<Vec<Idle>>,
    turns: Arc<Semaphore>,
    journeys: Arc<AtomicU64>,
}

/// A connection.
#[derive(Debug)]
struct Opened {
    connection: PgConnection,
    names: PreparedNames,
    at: Instant,
}

#[derive(Debug)]
struct Idle {
    opened: Opened,
    since: Instant,
}

/// A lent connection. A transaction that has not ended is rolled back when it is dropped.
#[derive(Debug)]
pub(crate) struct Lent {
    /// `None` only while it is given back.
    opened: Option<Opened>,
    pool: Arc<Shared>,
    turn: Option<OwnedSemaphorePermit>,
    state: ConnectionState,
}

/// What the server may still be doing on a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConnectionState {
    /// Nothing.
    Idle,
    /// A statement outside of a transaction whose answer was not read.
    Busy,
    /// A transaction.
    Transaction,
    /// A transaction in which a statement failed: nothing of it can be kept.
    Failed,
    /// The connection is lost.
    Broken,
}

impl ServerPool {
    /// Opens connections on demand, up to `most`. `journeys` counts what is sent on all of them.
    pub(crate) fn new(hosts: Hosts, most: usize, journeys: Arc<AtomicU64>) -> ServerPool {
        ServerPool(Arc::new(Shared {
            hosts,
            idle: Mutex::default(),
            turns: Arc::new(Semaphore::new(most)),
            journeys,
        }))
    }

    /// A connection. [`Error::PoolTimedOut`]: all of them were in use for [`CONNECTION_TIMEOUT`].
    pub(crate) async fn acquire(&self) -> Result<Lent, Error> {
        let turn = timeout(
            CONNECTION_TIMEOUT,
            Arc::clone(&self.0.turns).acquire_owned(),
        )
        .await;
        let turn = turn.map_err(|_| Error::PoolTimedOut)?;
        let turn = turn.map_err(|_| Error::PoolClosed)?;
        let opened = match self.0.tested().await {
            Some(found) => found,
            None => self.0.open().await?,
        };
        Ok(Lent {
            opened: Some(opened),
            pool: Arc::clone(&self.0),
            turn: Some(turn),
            state: ConnectionState::Idle,
        })
    }
}

impl Shared {
    /// The idle connection that was used last, if it still leads to the server.
    async fn tested(&self) -> Option<Opened> {
        loop {
            let Idle { mut opened, since } = self.idle().pop()?;
            if since.elapsed() < TRUSTED_FOR {
                return Some(opened);
            }
            self.journeys.fetch_add(1, Ordering::Relaxed);
            if matches!(timeout(TEST, opened.connection.ping()).await, Ok(Ok(()))) {
                return Some(opened);
            }
        }
    }

    /// A new connection.
    async fn open(&self) -> Result<Opened, Error> {
        Ok(Opened {
            connection: self.hosts.connect(CONNECTION_TIMEOUT).await?,
            names: PreparedNames::default(),
            at: Instant::now(),
        })
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Idle>> {
        // A panic during the lock cannot leave the list inconsistent.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, opened: Opened) {
        // A server's memory for a connection grows with its age, and with what is prepared on it.
        if opened.at.elapsed() < LIFE && opened.names.count() < STATEMENTS {
            let since = Instant::now();
            self.idle().push(Idle { opened, since });
        }
    }
}

impl Lent {
    /// Whether a transaction has begun.
    pub(crate) fn is_in_transaction(&self) -> bool {
        matches!(
            self.state,
            ConnectionState::Transaction | ConnectionState::Failed
        )
    }

    /// Begins a transaction with statements, in one journey. Returns the rows of the last of them. Their values may be in a server's log
    /// ([`super::beginning`]).
    pub(crate) async fn begin(&mut self, first: &[Joined]) -> Result<Vec<PgRow>, Error> {
        let mut message = Beginning::of(BEGIN);
        let names = &mut self.opened()?.names;
        for statement in first {
            message.add(names, statement)?;
        }
        self.state = ConnectionState::Transaction;
        let Beginning { sql, new } = message;
        let answer = answered(rows_of_each(self.departing()?, sql), ANSWER_TIMEOUT).await;
        let mut rows = self.arrived(answer)?;
        self.opened()?.names.note(new);
        Ok(rows.pop().unwrap_or_default())
    }

    /// Runs a statement with values. Returns the number of changed rows.
    pub(crate) async fn execute(
        &mut self,
        sql: Arc<str>,
        values: PgArguments,
    ) -> Result<u64, Error> {
        let sent = sqlx::query_with(AssertSqlSafe(sql), values).execute(self.departing()?);
        let answer = answered(sent, ANSWER_TIMEOUT).await;
        Ok(self.arrived(answer)?.rows_affected())
    }

    /// All rows of a statement with values.
    pub(crate) async fn fetch_all(
        &mut self,
        sql: Arc<str>,
        values: PgArguments,
    ) -> Result<Vec<PgRow>, Error> {
        let sent = sqlx::query_with(AssertSqlSafe(sql), values).fetch_all(self.departing()?);
        let answer = answered(sent, ANSWER_TIMEOUT).await;
        self.arrived(answer)
    }

    /// Ends the transaction. An error: nothing of it is kept, or nobody knows.
    pub(crate) async fn commit(&mut self) -> Result<(), Error> {
        if self.state == ConnectionState::Failed {
            // The server would roll back, and say no more than that in its answer to `COMMIT`.
            return Err(Error::Protocol(String::from(
                "a commit behind a failed statement",
            )));
        }
        let sent = self.departing()?.execute(sqlx::raw_sql("COMMIT"));
        let answer = answered(sent, ANSWER_TIMEOUT).await;
        self.arrived(answer)?;
        self.state = ConnectionState::Idle;
        Ok(())
    }

    fn opened(&mut self) -> Result<&mut Opened, Error> {
        self.opened.as_mut().ok_or(Error::WorkerCrashed)
    }

    /// The connection, for one journey.
    fn departing(&mut self) -> Result<&mut PgConnection, Error> {
        if self.state == ConnectionState::Idle {
            self.state = ConnectionState::Busy;
        }
        self.pool.journeys.fetch_add(1, Ordering::Relaxed);
        Ok(&mut self.opened()?.connection)
    }

    /// Notes what an answer says about the connection.
    fn arrived<T>(&mut self, answer: Result<T, Error>) -> Result<T, Error> {
        self.state = match (&answer, self.state) {
            (Err(problem), _) if is_loss(problem) => {
                self.pool.idle().clear();
                ConnectionState::Broken
            }
            (Err(_), ConnectionState::Transaction) => ConnectionState::Failed,
            (_, ConnectionState::Busy) => ConnectionState::Idle,
            (_, state) => state,
        };
        answer
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let Some(mut opened) = self.opened.take() else {
            return;
        };
        let pool = Arc::clone(&self.pool);
        match self.state {
            ConnectionState::Broken => {}
            ConnectionState::Idle => pool.keep(opened),
            ConnectionState::Busy | ConnectionState::Transaction | ConnectionState::Failed => {
                // Without a runtime the process is ending: the connection is closed, and the server rolls back.
                let Ok(runtime) = tokio::runtime::Handle::try_current() else {
                    return;
                };
                let turn = self.turn.take();
                runtime.spawn(async move {
                    let rolled_back = opened.connection.execute(sqlx::raw_sql("ROLLBACK"));
                    pool.journeys.fetch_add(1, Ordering::Relaxed);
                    if matches!(timeout(TEST, rolled_back).await, Ok(Ok(_))) {
                        pool.keep(opened);
                    }
                    drop(turn);
                });
            }
        }
    }
}

/// Runs the statements of a message. Returns the rows of each.
async fn rows_of_each(
    connection: &mut PgConnection,
    sql: String,
) -> Result<Vec<Vec<PgRow>>, Error> {
    let mut all = Vec::new();
    let mut rows = Vec::new();
    let mut answers = connection.fetch_many(sqlx::raw_sql(AssertSqlSafe(sql)));
    while let Some(answer) = answers.try_next().await? {
        match answer {
            Either::Left(_) => all.push(std::mem::take(&mut rows)),
            Either::Right(row) => rows.push(row),
        }
    }
    Ok(all)
}

/// Waits for an answer, but not for ever. An error of the network: the connection is of no use behind it.
async fn answered<T>(
    sent: impl Future<Output = Result<T, Error>>,
    limit: Duration,
) -> Result<T, Error> {
    match timeout(limit, sent).await {
        Ok(answer) => answer,
        Err(_) => Err(Error::Io(std::io::ErrorKind::TimedOut.into())),
    }
}

/// Whether a connection is of no use behind this error.
fn is_loss(problem: &Error) -> bool {
    match problem {
        // 57P01 to 57P05: the server ends, or ends the connection. 25006: it no longer takes changes. 25P03: a transaction was idle for
        // too long. 0A000: a newer version has added a column to a table of which the connection has prepared `SELECT *`.
        Error::Database(problem) => problem.code().is_some_and(|code| {
            code.starts_with("57P") || ["25006", "25P03", "0A000"].contains(&&*code)
        }),
        Error::Io(_) | Error::Tls(_) | Error::Protocol(_) | Error::WorkerCrashed => true,
        _ => false,
    }
}

const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";
/// How long a caller waits for a connection.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a statement may take, the wait for a lock included: longer than that (`lock_timeout` in [`super::database`]).
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// How long an idle connection is lent without a test.
const TRUSTED_FOR: Duration = Duration::from_secs(2);
/// How long a test or a rollback may take.
const TEST: Duration = Duration::from_secs(2);
/// The age at which a connection is replaced.
const LIFE: Duration = Duration::from_secs(30 * 60);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own_server::OwnServer;
    use crate::{Store, orders, query};

    #[tokio::test]
    async fn a_server_that_says_nothing_is_a_lost_connection_and_callers_come_back() {
        let silent = std::future::pending::<Result<(), Error>>();
        let problem = answered(silent, Duration::from_millis(20))
            .await
            .unwrap_err();
        assert!(is_loss(&problem), "{problem}");
        assert!(crate::is_passing(&problem), "{problem}");
    }

    #[tokio::test]
    async fn a_connection_is_replaced_when_a_table_has_got_a_column() {
        let Some(server) = OwnServer::begin("column").await else {
            return;
        };
        let store = Store::open(server.settings()).await.unwrap();
        let find = async || {
            let mut connection = store.read().await.unwrap();
            orders::find(&mut connection, "demo", "A1").await
        };
        find().await.unwrap();
        let column = query("ALTER TABLE merchant_order ADD COLUMN added TEXT");
        store.change(column).await.unwrap();
        let Err(problem) = find().await else {
            panic!("the statement was prepared before");
        };
        assert!(crate::is_passing(&problem), "{problem}");
        find().await.unwrap();
        server.end().await;
    }
}
