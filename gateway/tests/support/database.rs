//! Where a test's gateways keep their tables: in files of its folder, or, if `PAYFRAME_TEST_DATABASE` names a PostgreSQL
//! server, in a database there that is made for the test and dropped with this value.

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection, Executor};

/// A database for one test.
pub(crate) struct TestDatabase(Option<OnServer>);

struct OnServer {
    server: String,
    name: String,
}

impl TestDatabase {
    /// Makes a database: an empty one, or a copy of another, which nobody may be connected to.
    pub(crate) fn make(original: Option<&TestDatabase>) -> TestDatabase {
        let Ok(server) = std::env::var("PAYFRAME_TEST_DATABASE") else {
            return TestDatabase(None);
        };
        let original = original.and_then(|original| original.0.as_ref());
        let template = original.map_or("template1", |original| original.name.as_str());
        let name = format!("payframe_{}", uuid::Uuid::new_v4().simple());
        tell(
            &server,
            format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy"),
        );
        TestDatabase(Some(OnServer { server, name }))
    }

    /// The address for `DATABASE_URL`; `None` for files.
    pub(crate) fn url(&self) -> Option<String> {
        let OnServer { server, name } = self.0.as_ref()?;
        let mut url = url::Url::parse(server).unwrap();
        url.set_path(name);
        Some(url.into())
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        if let Some(OnServer { server, name }) = &self.0 {
            tell(server, format!("DROP DATABASE {name} WITH (FORCE)"));
        }
    }
}

/// Runs in a thread of its own, because the test may already have a runtime.
fn tell(server: &str, words: String) {
    let server = server.to_owned();
    let telling = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut connection = PgConnection::connect(&server).await.unwrap();
            connection.execute(AssertSqlSafe(words)).await.unwrap();
            connection.close().await.unwrap();
        });
    });
    telling.join().unwrap();
}
