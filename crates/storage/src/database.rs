//! Where tables are kept: in a file of this process, or on a PostgreSQL server that several processes share.
//!
//! A change is made by one at a time for each [`Subject`], from its first statement on, so what it reads is what it writes
//! upon. A file has one change at a time in any case ([`super::writer`]). A server has many: there a change first locks the
//! row of what it is about, and whoever wants the same, in whatever process, waits for its end.

use super::connection::Connection;
use super::readers::{Lent, Readers};
use super::statement::query;
use super::writer::{Change, Writer};
use super::{open_sqlite, sqlite_options};
use crate::meter::{Counted, DatabaseMeter};
use sqlx::migrate::{Migration, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Executor, PgPool};
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;

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
    /// A PostgreSQL server. Who asks never waits for those who change something, who may wait for each other.
    Server { readers: PgPool, writers: PgPool },
}

/// Where a gateway's tables are.
#[derive(Clone, Debug)]
pub struct StorageSettings {
    /// The folder of the files.
    pub folder: PathBuf,
    /// The address of a PostgreSQL server that has the tables in place of files.
    pub server_url: Option<String>,
}

/// Which tables, and how they are called where they are.
pub struct Tables<'a> {
    /// Name of their file.
    pub file: &'static str,
    /// How they come to be there.
    pub for_files: &'a Migrator,
    /// Name of their schema on a server.
    pub schema: &'static str,
    /// How they come to be there.
    pub for_servers: &'a Migrator,
}

/// What a change is about.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// What one merchant has: orders, sessions, operations, contracts, pages, stored answers.
    Merchant(&'a str),
    /// The same, of the merchant whose session this is.
    Session(&'a str),
    /// The same, of the merchant whose operation this is.
    Operation(&'a str),
    /// What no merchant has: terminals, keys.
    Gateway,
    /// What another party than the gateway keeps here, in tables of its own.
    Foreign {
        /// The question that locks its row on a server, with one value.
        lock: &'static str,
        /// The value.
        name: &'a str,
    },
    /// One statement, or several that need nobody to wait.
    Statement,
}

/// A connection that is lent to ask with.
#[derive(Debug)]
pub struct Read {
    lent: Asking,
    _counted: Counted,
}

#[derive(Debug)]
enum Asking {
    File(Lent),
    Server(Connection),
}

/// A change. Given up, it has never been.
#[derive(Debug)]
pub struct Write {
    change: Changing,
    meter: DatabaseMeter,
    _counted: Counted,
}

#[derive(Debug)]
enum Changing {
    File(Change),
    Server(Connection),
}

impl Database {
    /// Opens the configured one, makes it if it is a file that is not there, and brings the tables up to date.
    pub async fn open(
        settings: &StorageSettings,
        tables: &Tables<'_>,
    ) -> Result<Database, sqlx::Error> {
        let backend = match &settings.server_url {
            None => {
                Backend::open_file(&settings.folder.join(tables.file), tables.for_files).await?
            }
            Some(url) => Backend::open_server(url, tables.schema, tables.for_servers).await?,
        };
        Ok(Database {
            backend,
            meter: DatabaseMeter::of(tables.schema),
        })
    }

    /// A connection to ask with.
    pub async fn read(&self) -> Result<Read, sqlx::Error> {
        let (lent, counted) = self.meter.asking(self.backend.lend()).await;
        Ok(Read {
            lent: lent?,
            _counted: counted,
        })
    }

    /// Begins a change, once it is its turn.
    pub async fn write(&self, subject: Subject<'_>) -> Result<Write, sqlx::Error> {
        let (change, counted) = self.meter.changing(self.backend.begin(subject)).await;
        Ok(Write {
            change: change?,
            meter: self.meter.clone(),
            _counted: counted,
        })
    }

    /// Whether other processes may change the same tables.
    pub fn is_shared(&self) -> bool {
        matches!(self.backend, Backend::Server { .. })
    }
}

impl Backend {
    async fn open_file(path: &Path, tables: &Migrator) -> Result<Backend, sqlx::Error> {
        let pool = open_sqlite(path).await?;
        tables.run(&pool).await?;
        pool.close().await;
        Ok(Backend::File {
            readers: Readers::new(sqlite_options(path)),
            writer: Writer::open(&sqlite_options(path)).await?,
        })
    }

    async fn open_server(
        url: &str,
        schema: &'static str,
        tables: &Migrator,
    ) -> Result<Backend, sqlx::Error> {
        let options = PgConnectOptions::from_str(url)?
            .application_name("payframe-gateway")
            .disable_statement_logging()
            .statement_cache_capacity(super::STATEMENTS)
            .options([
                ("search_path", schema),
                // Somebody whose machine went away in the middle of a change does not keep others waiting for ever.
                ("idle_in_transaction_session_timeout", "30s"),
                ("lock_timeout", "20s"),
            ]);
        let pool = PgPoolOptions::new().max_connections(CONNECTIONS);
        let writers = pool.clone().connect_with(options.clone()).await?;
        // Put together from words of this program. Who comes second finds it, or hears that it was made just now.
        let made = format!("CREATE SCHEMA IF NOT EXISTS {schema}");
        if let Err(problem) = writers.execute(AssertSqlSafe(made)).await
            && !is_there_already(&problem)
        {
            return Err(problem);
        }
        tables.run(&writers).await?;
        Ok(Backend::Server {
            readers: pool.connect_lazy_with(options),
            writers,
        })
    }

    async fn lend(&self) -> Result<Asking, sqlx::Error> {
        Ok(match self {
            Backend::File { readers, .. } => Asking::File(readers.lend().await?),
            Backend::Server { readers, .. } => {
                Asking::Server(Connection::asking(readers.acquire().await?))
            }
        })
    }

    async fn begin(&self, subject: Subject<'_>) -> Result<Changing, sqlx::Error> {
        let pool = match self {
            Backend::File { writer, .. } => return Ok(Changing::File(writer.begin().await)),
            Backend::Server { writers, .. } => writers,
        };
        let transaction = pool
            .begin_with("BEGIN ISOLATION LEVEL READ COMMITTED")
            .await?;
        let mut change = Connection::changing(transaction);
        if let Some((lock, name)) = subject.lock() {
            query(lock).bind(name).fetch_optional(&mut change).await?;
        }
        Ok(Changing::Server(change))
    }
}

impl<'a> Subject<'a> {
    /// The question that locks its row, and the value in it.
    fn lock(self) -> Option<(&'static str, &'a str)> {
        Some(match self {
            Subject::Merchant(merchant_id) => (
                "SELECT 1 FROM merchant WHERE merchant_id = ? FOR NO KEY UPDATE",
                merchant_id,
            ),
            Subject::Session(session_hash) => (
                "SELECT 1 FROM merchant m JOIN build_session s ON s.merchant_id = m.merchant_id \
                 WHERE s.session_hash = ? FOR NO KEY UPDATE OF m",
                session_hash,
            ),
            Subject::Operation(operation_id) => (
                "SELECT 1 FROM merchant m JOIN operation o ON o.merchant_id = m.merchant_id \
                 WHERE o.operation_id = ? FOR NO KEY UPDATE OF m",
                operation_id,
            ),
            Subject::Gateway => (
                "SELECT 1 FROM turn WHERE name = ? FOR NO KEY UPDATE",
                "gateway",
            ),
            Subject::Foreign { lock, name } => (lock, name),
            Subject::Statement => return None,
        })
    }
}

impl Write {
    /// Answers when the change is on the disk. An error: it is not, and was never there.
    pub async fn commit(self) -> Result<(), sqlx::Error> {
        let began = Instant::now();
        let outcome = match self.change {
            Changing::File(change) => change.commit().await,
            // A task of its own: a caller that goes away meanwhile does not cut it off half way.
            Changing::Server(change) => match tokio::spawn(change.commit()).await {
                Ok(outcome) => outcome,
                Err(_) => Err(sqlx::Error::WorkerCrashed),
            },
        };
        self.meter.committed(began);
        outcome
    }
}

impl Deref for Read {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        match &self.lent {
            Asking::File(lent) => lent,
            Asking::Server(connection) => connection,
        }
    }
}

impl DerefMut for Read {
    fn deref_mut(&mut self) -> &mut Connection {
        match &mut self.lent {
            Asking::File(lent) => lent,
            Asking::Server(connection) => connection,
        }
    }
}

impl Deref for Write {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        match &self.change {
            Changing::File(change) => change,
            Changing::Server(connection) => connection,
        }
    }
}

impl DerefMut for Write {
    fn deref_mut(&mut self) -> &mut Connection {
        match &mut self.change {
            Changing::File(change) => change,
            Changing::Server(connection) => connection,
        }
    }
}

/// The migrations of some tables that have not run: the name of their file or schema, and what each is called.
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
    let options = PgConnectOptions::from_str(url)?.options([("search_path", schema)]);
    let mut connection = options.connect().await?;
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

/// Whether something could not be made because somebody else made it at the same moment.
fn is_there_already(problem: &sqlx::Error) -> bool {
    problem.as_database_error().is_some_and(|problem| {
        problem.is_unique_violation() || problem.code().as_deref() == Some("42P06")
    })
}

/// To ask with, and as many to change something with, of one process. A change holds one for its whole length.
const CONNECTIONS: u32 = 8;
