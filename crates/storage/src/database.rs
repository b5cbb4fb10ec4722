//! Where tables are stored: in a file of this process, or on a PostgreSQL server that several processes share.
//!
//! For each [`Subject`], one change runs at a time, from its first statement on. So the data that a change reads stays the same until it
//! writes. A file has one change at a time in any case ([`super::writer`]). On a server, a change first locks its subject
//! ([`super::lock_order`]). Other changes of the same subject wait, in every process; changes of different orders do not.

use super::connection::Connection;
use super::hosts::Hosts;
use super::joined::{Joined, alone};
use super::readers::{PooledConnection, Readers};
use super::remnants;
use super::row::Row;
use super::server::ServerPool;
use super::statement::Statement;
use super::subject::Subject;
use super::writer::{Change, Writer};
use super::{make_private, open_sqlite, sqlite_options};
use crate::meter::{DatabaseMeter, GaugeGuard};
use sqlx::migrate::{Migration, Migrator};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection as _, Executor};
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Tables, in a file or on a server.
#[derive(Clone, Debug)]
pub struct Database {
    backend: Backend,
    meter: DatabaseMeter,
}

#[derive(Clone, Debug)]
enum Backend {
    /// An SQLite file.
    File { readers: Readers, writer: Writer },
    /// A PostgreSQL server. Queries use their own connections, so they never wait for changes. Changes may wait for each other.
    Server {
        readers: ServerPool,
        writers: ServerPool,
        hosts: Hosts,
        journeys: Arc<AtomicU64>,
    },
}

/// Where a gateway's tables are stored.
#[derive(Clone, Debug)]
pub struct StorageSettings {
    /// The folder of the files.
    pub folder: PathBuf,
    /// The address of a PostgreSQL server that stores the tables instead of files.
    pub server_url: Option<String>,
}

/// A set of tables, and its names.
pub struct Tables<'a> {
    /// Name of their file.
    pub file: &'static str,
    /// Creates and updates them in a file.
    pub for_files: &'a Migrator,
    /// Name of their schema on a server.
    pub schema: &'static str,
    /// Creates and updates them on a server.
    pub for_servers: &'a Migrator,
}

/// A borrowed connection for queries.
#[derive(Debug)]
pub struct Read {
    lent: ReadConnection,
    _counted: GaugeGuard,
}

#[derive(Debug)]
enum ReadConnection {
    File(PooledConnection),
    Server(Connection),
}

/// A change. It is rolled back if it is dropped.
#[derive(Debug)]
pub struct Write {
    change: WriteConnection,
    meter: DatabaseMeter,
    _counted: GaugeGuard,
}

#[derive(Debug)]
enum WriteConnection {
    File(Change),
    Server(Connection),
}

impl Database {
    /// Opens the configured database, creates a missing file, and migrates the tables.
    pub async fn open(
        settings: &StorageSettings,
        tables: &Tables<'_>,
    ) -> Result<Database, sqlx::Error> {
        let backend = match &settings.server_url {
            None => {
                Backend::open_file(&settings.folder.join(tables.file), tables.for_files).await?
            }
            Some(url) => Backend::open_server(url, tables).await?,
        };
        Ok(Database {
            backend,
            meter: DatabaseMeter::of(tables.schema),
        })
    }

    /// A connection for queries.
    pub async fn read(&self) -> Result<Read, sqlx::Error> {
        let (lent, counted) = self.meter.asking(self.backend.acquire()).await;
        Ok(Read {
            lent: lent?,
            _counted: counted,
        })
    }

    /// Starts a change, once earlier changes of the same subject are complete.
    pub async fn write(&self, subject: Subject<'_>) -> Result<Write, sqlx::Error> {
        let (write, _) = self.write_reading(subject, None).await?;
        Ok(write)
    }

    /// The same, and reads what the change begins with: on a server in the journey that locks the subject. Returns the first row.
    pub(crate) async fn write_reading(
        &self,
        subject: Subject<'_>,
        first: Option<Statement>,
    ) -> Result<(Write, Option<Row>), sqlx::Error> {
        // On the heap: every change has it, also those that are deep in other calls.
        let beginning = Box::pin(self.backend.begin(subject, first));
        let (begun, counted) = self.meter.changing(beginning).await;
        let (change, row) = begun?;
        let mut write = Write {
            change,
            meter: self.meter.clone(),
            _counted: counted,
        };
        if let Some(rank) = subject.rank() {
            write.takes_lock(rank, "subject")?;
        }
        Ok((write, row))
    }

    /// Runs one statement, as a change of its own. Returns the number of changed rows.
    pub async fn change(&self, statement: Statement) -> Result<u64, sqlx::Error> {
        let mut write = self.write(Subject::Statement).await?;
        if let WriteConnection::Server(change) = &mut write.change {
            return change.execute_alone(statement).await;
        }
        let changed = statement.execute(&mut write).await?;
        write.commit().await?;
        Ok(changed)
    }

    /// The same, for a statement that returns rows.
    pub(crate) async fn change_returning(
        &self,
        statement: Statement,
    ) -> Result<Vec<Row>, sqlx::Error> {
        let mut write = self.write(Subject::Statement).await?;
        if let WriteConnection::Server(change) = &mut write.change {
            return change.fetch_alone(statement).await;
        }
        let rows = statement.fetch_all(&mut write).await?;
        write.commit().await?;
        Ok(rows)
    }

    /// Removes what erased values left in unused parts of a file. Returns what is left to do.
    pub(crate) async fn forget_remnants(&self, vacuum: bool) -> Result<&'static str, sqlx::Error> {
        match &self.backend {
            Backend::File { readers, .. } => remnants::forget(readers.options(), vacuum).await,
            Backend::Server { .. } => Ok(remnants::ON_SERVER),
        }
    }

    /// Whether other processes may change the same tables.
    pub fn is_shared(&self) -> bool {
        matches!(self.backend, Backend::Server { .. })
    }

    /// The hosts of the server. `None`: the tables are in a file.
    pub(crate) fn hosts(&self) -> Option<&Hosts> {
        match &self.backend {
            Backend::File { .. } => None,
            Backend::Server { hosts, .. } => Some(hosts),
        }
    }

    /// How many messages have been sent to a server and answered so far, commits included. `None`: the tables are in a file.
    pub fn journeys(&self) -> Option<u64> {
        match &self.backend {
            Backend::File { .. } => None,
            Backend::Server { journeys, .. } => Some(journeys.load(Ordering::Relaxed)),
        }
    }
}

impl Backend {
    async fn open_file(path: &Path, tables: &Migrator) -> Result<Backend, sqlx::Error> {
        make_private(path)?;
        let pool = open_sqlite(path).await?;
        tables.run(&pool).await?;
        pool.close().await;
        Ok(Backend::File {
            readers: Readers::new(sqlite_options(path)),
            writer: Writer::open(&sqlite_options(path)).await?,
        })
    }

    async fn open_server(url: &str, tables: &Tables<'_>) -> Result<Backend, sqlx::Error> {
        let schema = tables.schema;
        let hosts = Hosts::parse(url, |options| {
            options
                .application_name("payframe-gateway")
                .disable_statement_logging()
                .statement_cache_capacity(super::STATEMENTS)
                .options([
                    ("search_path", schema),
                    // If a machine fails during a change, others do not wait for it indefinitely.
                    ("idle_in_transaction_session_timeout", "30s"),
                    ("lock_timeout", "20s"),
                    // To compile a plan takes longer than any statement here. A server does so where it expects many rows, also if a
                    // statement ends after the first ones.
                    ("jit", "off"),
                    // A server that ends the wait for its standby by this limit answers the commit as done. `ServerPool` has a limit.
                    ("statement_timeout", "0"),
                ])
        })?;
        let mut first = hosts.connect(AT_START).await?;
        // Composed of constant texts of this program. If another process creates the schema at the same moment, the error is ignored.
        let made = format!("CREATE SCHEMA IF NOT EXISTS {schema}");
        if let Err(problem) = first.execute(AssertSqlSafe(made)).await
            && !is_there_already(&problem)
        {
            return Err(problem);
        }
        tables.for_servers.run(&mut first).await?;
        first.close().await?;
        let journeys = Arc::default();
        let pool = || ServerPool::new(hosts.clone(), CONNECTIONS, Arc::clone(&journeys));
        Ok(Backend::Server {
            readers: pool(),
            writers: pool(),
            hosts,
            journeys,
        })
    }

    async fn acquire(&self) -> Result<ReadConnection, sqlx::Error> {
        Ok(match self {
            Backend::File { readers, .. } => ReadConnection::File(readers.acquire().await?),
            Backend::Server { readers, .. } => {
                ReadConnection::Server(Connection::asking(readers.acquire().await?))
            }
        })
    }

    /// Begins a change with its first query, if it has one. On a server, both travel with the lock of the subject.
    async fn begin(
        &self,
        subject: Subject<'_>,
        first: Option<Statement>,
    ) -> Result<(WriteConnection, Option<Row>), sqlx::Error> {
        let pool = match self {
            Backend::File { writer, .. } => {
                let mut change = writer.begin().await;
                let row = match first {
                    Some(first) => first.fetch_optional(&mut change).await?,
                    None => None,
                };
                return Ok((WriteConnection::File(change), row));
            }
            Backend::Server { writers, .. } => writers,
        };
        let mut lent = pool.acquire().await?;
        let reads = first.is_some();
        let statements: Vec<Joined> = subject.lock().into_iter().chain(first).map(alone).collect();
        let mut row = None;
        if !statements.is_empty() {
            let rows = lent.begin(&statements).await?;
            row = rows.into_iter().next().filter(|_| reads).map(Row::Postgres);
        }
        let change = Connection::changing(lent);
        Ok((WriteConnection::Server(change), row))
    }
}

impl Write {
    /// Returns when the change is on the disk. After an error, the change is rolled back.
    pub async fn commit(self) -> Result<(), sqlx::Error> {
        let began = Instant::now();
        let outcome = match self.change {
            WriteConnection::File(change) => change.commit().await,
            WriteConnection::Server(change) => uninterrupted(change.commit()).await.map(|_| ()),
        };
        self.meter.committed(began);
        outcome
    }

    /// The same with a last statement, whose rows it returns: on a server in one journey with what is queued, if nothing was sent before.
    pub async fn commit_with(self, last: Statement) -> Result<Vec<Row>, sqlx::Error> {
        let began = Instant::now();
        let outcome = match self.change {
            WriteConnection::File(mut change) => match last.fetch_all(&mut change).await {
                Ok(rows) => change.commit().await.map(|()| rows),
                Err(problem) => Err(problem),
            },
            WriteConnection::Server(change) => uninterrupted(change.commit_with(last)).await,
        };
        self.meter.committed(began);
        outcome
    }
}

/// Runs a commit in a separate task: a caller that disconnects must not interrupt it.
async fn uninterrupted<T: Send + 'static>(
    commit: impl Future<Output = Result<T, sqlx::Error>> + Send + 'static,
) -> Result<T, sqlx::Error> {
    match tokio::spawn(commit).await {
        Ok(outcome) => outcome,
        Err(_) => Err(sqlx::Error::WorkerCrashed),
    }
}

impl Deref for Read {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        match &self.lent {
            ReadConnection::File(lent) => lent,
            ReadConnection::Server(connection) => connection,
        }
    }
}

impl DerefMut for Read {
    fn deref_mut(&mut self) -> &mut Connection {
        match &mut self.lent {
            ReadConnection::File(lent) => lent,
            ReadConnection::Server(connection) => connection,
        }
    }
}

impl Deref for Write {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        match &self.change {
            WriteConnection::File(change) => change,
            WriteConnection::Server(connection) => connection,
        }
    }
}

impl DerefMut for Write {
    fn deref_mut(&mut self) -> &mut Connection {
        match &mut self.change {
            WriteConnection::File(change) => change,
            WriteConnection::Server(connection) => connection,
        }
    }
}

/// The migrations that have not run: the name of the file or schema, and the name of each migration.
pub async fn missing(
    settings: &StorageSettings,
    tables: &Tables<'_>,
) -> Result<Vec<(&'static str, String)>, sqlx::Error> {
    let (name, all, done) = match &settings.server_url {
        None => {
            let path = settings.folder.join(tables.file);
            (tables.file, tables.for_files, done_in_file(&path).await?)
        }
        Some(url) => (
            tables.schema,
            tables.for_servers,
            done_on_server(url, tables.schema).await?,
        ),
    };
    let is_missing = |migration: &&Migration| !done.contains(&migration.version);
    let called = |migration: &Migration| {
        let Migration {
            version,
            description,
            ..
        } = migration;
        (name, format!("{version:04} {description}"))
    };
    Ok(all.iter().filter(is_missing).map(called).collect())
}

async fn done_in_file(path: &Path) -> Result<Vec<i64>, sqlx::Error> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let mut connection = sqlite_options(path).connect().await?;
    let there = "SELECT COUNT(*) FROM sqlite_master WHERE name = '_sqlx_migrations'";
    match sqlx::query_scalar(there).fetch_one(&mut connection).await? {
        0 => Ok(Vec::new()),
        _ => sqlx::query_scalar(DONE).fetch_all(&mut connection).await,
    }
}

async fn done_on_server(url: &str, schema: &'static str) -> Result<Vec<i64>, sqlx::Error> {
    let with = |options: PgConnectOptions| options.options([("search_path", schema)]);
    let mut connection = Hosts::parse(url, with)?.connect(AT_START).await?;
    let there =
        "SELECT COUNT(*) FROM pg_tables WHERE schemaname = $1 AND tablename = '_sqlx_migrations'";
    match sqlx::query_scalar::<_, i64>(there)
        .bind(schema)
        .fetch_one(&mut connection)
        .await?
    {
        0 => Ok(Vec::new()),
        _ => sqlx::query_scalar(DONE).fetch_all(&mut connection).await,
    }
}

const DONE: &str = "SELECT version FROM _sqlx_migrations";

/// Whether the creation failed because another process created the same object at the same moment.
fn is_there_already(problem: &sqlx::Error) -> bool {
    problem.as_database_error().is_some_and(|problem| {
        problem.is_unique_violation() || problem.code().as_deref() == Some("42P06")
    })
}

/// The maximum number of connections of one process for queries, and the same number for changes. A change holds one connection until it
/// ends.
const CONNECTIONS: usize = 8;

/// How long a start waits for a server that is starting, too.
const AT_START: Duration = Duration::from_secs(30);
