//! An empty database of a test's own: in a file, or on the server that `PAYFRAME_TEST_DATABASE` names.

use crate::StorageSettings;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};
use std::path::PathBuf;

/// An empty database on the server. [`OwnServer::end`] removes it.
pub(crate) struct OwnServer {
    admin: PgConnection,
    name: String,
    settings: StorageSettings,
}

impl OwnServer {
    /// Makes the database. `None`: no server is named.
    pub(crate) async fn begin(test: &str) -> Option<OwnServer> {
        let server = std::env::var("PAYFRAME_TEST_DATABASE").ok()?;
        let mut admin = PgConnection::connect(&server).await.unwrap();
        let name = format!("payframe_{test}_{}", std::process::id());
        let made = format!("CREATE DATABASE {name}");
        admin.execute(AssertSqlSafe(made)).await.unwrap();
        let (base, _) = server.rsplit_once('/').unwrap();
        let settings = StorageSettings {
            folder: PathBuf::new(),
            server_url: Some(format!("{base}/{name}")),
        };
        Some(OwnServer {
            admin,
            name,
            settings,
        })
    }

    pub(crate) fn settings(&self) -> &StorageSettings {
        &self.settings
    }

    pub(crate) async fn end(mut self) {
        let dropped = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        self.admin.execute(AssertSqlSafe(dropped)).await.unwrap();
    }
}

/// Checks an empty database in a file.
pub(crate) async fn in_a_file(check: impl AsyncFnOnce(&StorageSettings)) {
    let folder = tempfile::tempdir().unwrap();
    check(&StorageSettings {
        folder: folder.path().to_owned(),
        server_url: None,
    })
    .await;
}

/// Checks an empty database of a server, if the tests have one.
pub(crate) async fn on_a_server(test: &str, check: impl AsyncFnOnce(&StorageSettings)) {
    let Some(server) = OwnServer::begin(test).await else {
        return;
    };
    check(server.settings()).await;
    server.end().await;
}
