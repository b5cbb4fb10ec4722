//! Runs a server of the sandbox until it is told to stop.

use crate::serving::shutdown_signal;
use payframe_gateway::modes::SandboxCommand;
use std::error::Error;
use std::io::Write;
use tokio::io::AsyncReadExt;
use tracing_subscriber::EnvFilter;

pub(crate) async fn run(command: SandboxCommand) -> Result<(), Box<dyn Error>> {
    let filter = std::env::var("PAYFRAME_LOG").unwrap_or_else(|_| String::from("info"));
    tracing_subscriber::fmt()
        .json()
        .with_env_filter(EnvFilter::try_new(filter)?)
        .with_writer(std::io::stderr)
        .init();
    let is_with_parent = command.is_with_parent();
    let stop = async {
        match is_with_parent {
            true => parent_ends().await,
            false => shutdown_signal().await,
        }
    };
    let say = |line: String| {
        // Whoever started it may not want to know.
        let _ = writeln!(std::io::stdout(), "{line}");
    };
    command.run(stop, say).await
}

/// Waits for the end of standard input. Ctrl-C at a terminal reaches this process, too; its parent decides.
async fn parent_ends() {
    let ignored = tokio::spawn(async { while tokio::signal::ctrl_c().await.is_ok() {} });
    let mut nothing = [0; 64];
    let mut input = tokio::io::stdin();
    while matches!(input.read(&mut nothing).await, Ok(1..)) {}
    ignored.abort();
}
