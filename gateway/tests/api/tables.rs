//! Tables for tests: the migrations run once in a process, and each test's gateway gets a copy.

use crate::database::TestDatabase;
use payframe_gateway::config::{Config, Mode};
use payframe_gateway::open_acquirer_db;
use payframe_storage::{StorageSettings, Store, open_sqlite};
use sqlx::{AssertSqlSafe, Executor};
use std::path::Path;
use std::sync::LazyLock;

/// The tables of a sandbox that has no entries yet.
pub(crate) struct UpToDate {
    /// The databases in files: their names and contents. Empty if the tests use a server.
    files: Vec<(&'static str, Vec<u8>)>,
    /// The database on the server. It stays there when the tests end.
    server: TestDatabase,
}

pub(crate) static UP_TO_DATE: LazyLock<UpToDate> = LazyLock::new(|| {
    // A thread of its own, because the test already has a runtime.
    let making = std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(UpToDate::make())
    });
    making.join().unwrap()
});

impl UpToDate {
    async fn make() -> UpToDate {
        let folder = tempfile::tempdir().unwrap();
        let server = TestDatabase::make(None);
        let config = Config {
            data: folder.path().to_owned(),
            database_url: server.url(),
            ..Config::sandbox()
        };
        let storage = StorageSettings {
            folder: config.data.clone(),
            server_url: server.url(),
        };
        drop(Store::open(&storage).await.unwrap());
        drop(open_acquirer_db(&config).await.unwrap());
        let mut files = Vec::new();
        if server.url().is_none() {
            for name in ["gateway.db", ACQUIRER] {
                files.push((name, contents(&folder.path().join(name)).await));
            }
        }
        UpToDate { files, server }
    }

    /// A database on the server with these tables; none if the tests use files.
    pub(crate) fn database(&self) -> TestDatabase {
        TestDatabase::make(Some(&self.server))
    }

    /// Puts the files into the folder of a gateway in this mode. Only sandboxes have an acquirer's database beside their own.
    pub(crate) fn copy_into(&self, folder: &Path, mode: &Mode) {
        for (name, contents) in &self.files {
            if *name != ACQUIRER || matches!(mode, Mode::Sandbox(_)) {
                std::fs::write(folder.join(name), contents).unwrap();
            }
        }
    }
}

const ACQUIRER: &str = "acquirer.db";

/// A database as one file, with what SQLite keeps beside it.
async fn contents(file: &Path) -> Vec<u8> {
    let copy = file.with_extension("copy");
    let pool = open_sqlite(file).await.unwrap();
    let words = format!("VACUUM INTO '{}'", copy.display());
    pool.execute(AssertSqlSafe(words)).await.unwrap();
    pool.close().await;
    std::fs::read(copy).unwrap()
}
