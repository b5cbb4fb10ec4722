//! The PostgreSQL server of a measurement.

use crate::cpu;
use anyhow::Result;
use sqlx::any::install_default_drivers;
use sqlx::{AnyConnection, Connection, Executor};

/// Lets the planner look at the tables, as the server does by itself a minute after they are filled.
pub(crate) async fn analyze(url: &str) -> Result<()> {
    let mut connection = connect(url).await?;
    connection.execute("ANALYZE").await?;
    Ok(connection.close().await?)
}

/// The process that starts all others of the server. `None` if it is not on this machine.
pub(crate) async fn main_process(url: &str) -> Result<Option<u32>> {
    let mut connection = connect(url).await?;
    let own: i32 = sqlx::query_scalar("SELECT pg_backend_pid()")
        .fetch_one(&mut connection)
        .await?;
    let main = cpu::parent(u32::try_from(own)?, "postgres");
    connection.close().await?;
    Ok(main)
}

async fn connect(url: &str) -> Result<AnyConnection> {
    install_default_drivers();
    Ok(AnyConnection::connect(url).await?)
}
