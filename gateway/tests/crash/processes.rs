//! The processes of a run, what they have in common, and questions to their databases.

use super::database::TestDatabase;
use payframe_gateway::config::Config;
use payframe_storage::{Column, Row, Store, StoreError, query};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// What the processes of a run have in common.
pub(super) struct Place {
    folder: tempfile::TempDir,
    tables: Tables,
}

/// Where the processes keep their tables.
enum Tables {
    /// In files, or in a database of a server for tests.
    OfTest(TestDatabase),
    /// On the servers of this address.
    OnServers(String),
}

impl Place {
    pub(super) fn make() -> Place {
        Place {
            folder: tempfile::tempdir().unwrap(),
            tables: Tables::OfTest(TestDatabase::make(None)),
        }
    }

    /// On servers of its own.
    pub(super) fn on(url: String) -> Place {
        Place {
            folder: tempfile::tempdir().unwrap(),
            tables: Tables::OnServers(url),
        }
    }

    fn database_url(&self) -> Option<String> {
        match &self.tables {
            Tables::OfTest(database) => database.url(),
            Tables::OnServers(url) => Some(url.clone()),
        }
    }

    /// The number of processes that can share the database.
    pub(super) fn processes(&self) -> usize {
        self.database_url().map_or(1, |_| 3)
    }

    pub(super) fn start(&self) -> Gateway {
        let data = self.folder.path();
        let process = Command::new(env!("CARGO_BIN_EXE_payframe-gateway"))
            .env("PAYFRAME_MODE", "sandbox")
            .env("PAYFRAME_LISTEN", "127.0.0.1:0")
            .env("PAYFRAME_ORIGIN", "http://localhost:8787")
            .env("PAYFRAME_DATA", data)
            .envs(self.database_url().map(|url| ("DATABASE_URL", url)))
            .env("PAYFRAME_ASSETS", data.join("no-dist"))
            .env("PAYFRAME_PENDING_SECONDS", "1")
            // Long enough for slow machines.
            .env("PAYFRAME_CHALLENGE_SECONDS", "900")
            .env("PAYFRAME_LOG", "off")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Gateway(process)
    }

    pub(super) fn gateways(&self, question: &'static str) -> Vec<Row> {
        ask(question, Store::open(&self.config().storage()))
    }

    pub(super) fn acquirers(&self, question: &'static str) -> Vec<Row> {
        ask(question, payframe_gateway::open_acquirer_db(&self.config()))
    }

    fn config(&self) -> Config {
        Config {
            data: self.folder.path().to_owned(),
            database_url: self.database_url(),
            ..Config::sandbox()
        }
    }

    /// Waits for payments in progress. Processes that share a database recover the payments of a killed one only after some seconds.
    pub(super) fn wait_for_pending(&self) {
        let open = "SELECT operation_id FROM operation WHERE result = 'PENDING' \
            UNION ALL SELECT session_hash FROM build_session WHERE state = 'AUTHORIZING'";
        for _ in 0..300 {
            if self.gateways(open).is_empty() {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("a payment never got its result");
    }
}

fn ask(question: &'static str, store: impl Future<Output = Result<Store, StoreError>>) -> Vec<Row> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async { store.await.unwrap().ask(query(question)).await.unwrap() })
}

pub(super) fn get<'r, T: Column<'r>>(row: &'r Row, column: &str) -> T {
    row.try_get(column).unwrap()
}

/// The gateway's process. It is killed when this value is dropped.
pub(super) struct Gateway(Child);

impl Gateway {
    /// Waits for the line that says that the process is ready.
    pub(super) fn address(&mut self) -> SocketAddr {
        let mut lines = BufReader::new(self.0.stdout.take().unwrap()).lines();
        let line = lines
            .next()
            .expect("the process ended before it was ready")
            .unwrap();
        let ready = line.strip_prefix("listening on http://").unwrap();
        // The mode follows the address.
        ready.split(' ').next().unwrap().parse().unwrap()
    }

    pub(super) fn is_running(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(None))
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
