//! A gateway in a folder of its own, with a clock that the test moves, and the roles that call it.

mod calls;
mod payments;

pub(crate) use calls::{ABSENT, Answer, Caller};
pub(crate) use payments::{
    APPROVED, CHALLENGED, DECLINED, build, build_form, build_two, card, short, token_of,
};

use crate::database::TestDatabase;
use crate::keys::{command, made};
use crate::tables::UP_TO_DATE;
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use payframe_gateway::config::{Config, Mode, Sandbox};
use payframe_gateway::{App, StartError, router};
use payframe_payment_ports::clock::millis;
use payframe_payment_ports::{Clock, Ports};
use payframe_storage::{Store, query};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

/// 2026-11-20T10:00:00Z
pub(crate) const START_MS: i64 = 1_795_168_800_000;

/// A merchant that is not the sandbox's.
pub(crate) const OWN_MERCHANT: &str = "blumen";

/// A sandbox with other settings than its defaults.
pub(crate) fn sandbox(change: impl FnOnce(&mut Sandbox)) -> Mode {
    let mut sandbox = Sandbox::default();
    change(&mut sandbox);
    Mode::Sandbox(sandbox)
}

pub(crate) struct TestApp {
    pub(crate) app: App,
    pub(crate) router: Router,
    pub(crate) clock: Clock,
    config: Config,
    folder: tempfile::TempDir,
    database: TestDatabase,
    ports: Arc<dyn Fn(Ports) -> Ports + Send + Sync>,
}

impl TestApp {
    pub(crate) async fn new() -> TestApp {
        TestApp::with(|_| {}).await
    }

    pub(crate) async fn with(change: impl FnOnce(&mut Config)) -> TestApp {
        TestApp::with_ports(change, |ports| ports).await
    }

    /// With other ports: `replace` gets the sandbox's ports and returns those to use.
    pub(crate) async fn with_ports(
        change: impl FnOnce(&mut Config),
        replace: impl Fn(Ports) -> Ports + Send + Sync + 'static,
    ) -> TestApp {
        let folder = tempfile::tempdir().unwrap();
        let database = UP_TO_DATE.database();
        let mut config = Config {
            origin: String::from("https://gateway.example"),
            data: folder.path().to_owned(),
            assets: Some(folder.path().join("no-dist")),
            // Longer than any machine needs. Tests of the wait itself set a short one.
            in_flight_wait: Duration::from_secs(60),
            fault_timeout: Duration::from_millis(100),
            database_url: database.url(),
            ..Config::sandbox()
        };
        change(&mut config);
        UP_TO_DATE.copy_into(folder.path(), &config.mode);
        let clock = Clock::manual(START_MS);
        let app = App::open_with(config.clone(), clock.clone(), &replace);
        let app = app.await.unwrap();
        TestApp {
            router: router(app.clone()),
            app,
            clock,
            config,
            folder,
            database,
            ports: Arc::new(replace),
        }
    }

    /// A sandbox with other settings than its defaults.
    pub(crate) async fn in_sandbox(change: impl FnOnce(&mut Sandbox)) -> TestApp {
        TestApp::with(|config| config.mode = sandbox(change)).await
    }

    /// With a built widget.
    pub(crate) async fn with_dist() -> TestApp {
        TestApp::with(|config| {
            let dist = config.data.join("dist");
            crate::dist::write(&dist);
            config.assets = Some(dist);
        })
        .await
    }

    /// In production, with a merchant and a terminal of its own, and the terminal's key.
    pub(crate) async fn in_production() -> (TestApp, String) {
        let app = TestApp::with(|config| config.mode = Mode::Production).await;
        let key = app.own_shop().await;
        (app, key)
    }

    /// Sets up a merchant by commands; returns its terminal's key.
    pub(crate) async fn own_shop(&self) -> String {
        let tell = async |words: &[&str]| command(self, words).await.unwrap();
        tell(&["merchant", "add", OWN_MERCHANT, "Blumenladen"]).await;
        tell(&["terminal", "add", "55000001", OWN_MERCHANT]).await;
        let (_, key) = made(&tell(&["keys", "new", "55000001"]).await);
        key
    }

    /// The same data in production, as if it did not belong to a sandbox, to test the second check.
    pub(crate) async fn passed_off_as_production(mut self) -> TestApp {
        self.change("UPDATE gateway_mode SET mode = 'production'")
            .await;
        self.config.mode = Mode::Production;
        self.restarted().await
    }

    /// The same data, opened in this mode.
    pub(crate) async fn reopened(&self, mode: Mode) -> Result<App, StartError> {
        let config = Config {
            mode,
            ..self.config.clone()
        };
        App::open(config, self.clock.clone()).await
    }

    /// The same data with a new process's memory.
    pub(crate) async fn restarted(self) -> TestApp {
        let app = self.crashed().await;
        payframe_gateway::maintenance::recover(&app.app).await;
        app
    }

    /// A new process on the same data, before it recovers what the former one left.
    pub(crate) async fn crashed(self) -> TestApp {
        let TestApp {
            clock,
            config,
            folder,
            database,
            ports,
            app,
            ..
        } = self;
        drop(app);
        let app = App::open_with(config.clone(), clock.clone(), &*ports);
        let app = app.await.unwrap();
        TestApp {
            router: router(app.clone()),
            app,
            clock,
            config,
            folder,
            database,
            ports,
        }
    }

    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    pub(crate) fn data(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Lets time pass and carries out what is due.
    pub(crate) async fn pass(&self, seconds: u64) {
        self.advance(Duration::from_secs(seconds)).await;
        payframe_gateway::maintenance::run_due_work(&self.app).await;
    }

    /// Lets time pass for the limits on calls, too: a database server counts calls by its own clock.
    pub(crate) async fn advance(&self, time: Duration) {
        self.clock.advance(time);
        if self.app.store().is_shared() {
            let past = query("UPDATE call_rate SET at_ms = at_ms - ?").bind(millis(time));
            // While the database is away, nothing is counted there.
            let _ = self.app.store().change(past).await;
        }
    }

    pub(crate) fn merchant(&self) -> Caller<'_> {
        self.key("sandbox-implicit")
    }

    pub(crate) fn key(&self, api_key: &str) -> Caller<'_> {
        Caller {
            app: self,
            credential: Some(("x-api-key", api_key.to_owned())),
        }
    }

    pub(crate) fn frame(&self, session_id: &str) -> Caller<'_> {
        Caller {
            app: self,
            credential: Some(("session", session_id.to_owned())),
        }
    }

    pub(crate) fn nobody(&self) -> Caller<'_> {
        Caller {
            app: self,
            credential: None,
        }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        calls::answer(self.router.clone(), request).await
    }

    /// The same in a task, which ends with the answer. Aborting the task closes the connection.
    pub(crate) fn send_apart(&self, request: Request<Body>) -> JoinHandle<Answer> {
        tokio::spawn(calls::answer(self.router.clone(), request))
    }

    /// A page, requested as a browser does it.
    pub(crate) async fn page(&self, address: &str, headers: &[(&str, &str)]) -> Answer {
        let path = address.strip_prefix(&self.config.origin).unwrap_or(address);
        let mut request = Request::get(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// The number of rows that match a condition.
    pub(crate) async fn count(&self, question: &'static str) -> i64 {
        self.app.store().ask(query(question)).await.unwrap()[0]
            .first()
            .unwrap()
    }

    /// The first column of all rows.
    pub(crate) async fn texts(&self, question: &'static str) -> Vec<String> {
        let rows = self.app.store().ask(query(question)).await.unwrap();
        rows.iter().map(|row| row.first().unwrap()).collect()
    }

    /// The notifications to the merchants, in the order of events.
    pub(crate) async fn told(&self) -> Vec<Value> {
        let bodies = self.texts("SELECT body FROM notification ORDER BY seq");
        let read = |body: &String| serde_json::from_str(body).unwrap();
        bodies.await.iter().map(read).collect()
    }

    /// Registers an origin for a terminal as if the gateway had found its file, because tests have no file on the public internet.
    pub(crate) async fn has_proven(&self, terminal_id: &str, origin: &str) {
        let added = query(
            "INSERT INTO terminal_origin (terminal_id, origin, token, added_ms, proven_ms) VALUES (?, ?, '', 0, 0)",
        );
        let added = added.bind(terminal_id).bind(origin);
        self.app.store().change(added).await.unwrap();
    }

    /// Changes the database without the gateway.
    pub(crate) async fn change(&self, statement: &'static str) {
        self.app.store().change(query(statement)).await.unwrap();
    }

    /// Deletes the stored answers, as after a crash between an action and its answer.
    pub(crate) async fn lose_answers(&self) {
        self.change("DELETE FROM stored_answer").await;
    }

    /// Whether these bytes are in any file of the data folder, or in any table of the server.
    pub(crate) async fn keeps(&self, needle: impl AsRef<[u8]>) -> bool {
        let needle = needle.as_ref();
        let in_files = std::fs::read_dir(self.data()).unwrap().any(|file| {
            let path = file.unwrap().path();
            path.is_file()
                && std::fs::read(&path)
                    .unwrap()
                    .windows(needle.len())
                    .any(|window| window == needle)
        });
        in_files || (self.config.database_url.is_some() && self.tables_keep(needle).await)
    }

    async fn tables_keep(&self, needle: &[u8]) -> bool {
        let text = String::from_utf8_lossy(needle);
        // Bytes are shown as hex.
        let in_hex: String = needle.iter().map(|byte| format!("{byte:02x}")).collect();
        let tables = self.texts(
            "SELECT table_schema || '.' || table_name FROM information_schema.tables WHERE table_schema LIKE 'payframe%'",
        );
        for table in tables.await {
            let rows = format!("SELECT CAST(it AS TEXT) FROM {table} AS it");
            let rows = self.texts(rows.leak()).await;
            if rows
                .iter()
                .any(|row| row.contains(&*text) || row.contains(&in_hex))
            {
                return true;
            }
        }
        false
    }

    /// From now on nothing can be written into this table, as on a full disk.
    pub(crate) async fn break_table(&self, database: &Store, table: &str) {
        let broken = if self.config.database_url.is_some() {
            format!("ALTER TABLE {table} ADD CONSTRAINT broken CHECK (false) NOT VALID")
        } else {
            format!(
                "CREATE TRIGGER broken BEFORE INSERT ON {table} BEGIN SELECT RAISE(FAIL, 'broken'); END"
            )
        };
        database.change(query(broken.leak())).await.unwrap();
    }

    /// The table can be written again.
    pub(crate) async fn mend_table(&self, database: &Store, table: &str) {
        let mended = if self.config.database_url.is_some() {
            format!("ALTER TABLE {table} DROP CONSTRAINT broken")
        } else {
            String::from("DROP TRIGGER broken")
        };
        database.change(query(mended.leak())).await.unwrap();
    }

    /// The acquirer's database.
    pub(crate) async fn acquirer(&self) -> Store {
        payframe_gateway::open_acquirer_db(&self.config)
            .await
            .unwrap()
    }
}
