//! The shop's process: it is started, killed at any moment, and started again with what is on its disk.

use super::network::{CALL_LIMIT, Network};
use anyhow::{Context, Result};
use fastrand::Rng;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;

/// What a shop does when something happens to an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Handler {
    /// It asks the order keeper.
    Keeper,
    /// What is common.
    Naive,
}

impl Handler {
    /// The word for folders and settings.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Handler::Keeper => "keeper",
            Handler::Naive => "naive",
        }
    }
}

/// How a shop is started.
pub(crate) struct Opening {
    /// The program and its first arguments.
    pub(crate) words: Vec<OsString>,
    pub(crate) handler: Handler,
    pub(crate) port: u16,
    /// The address for buyers and the gateway.
    pub(crate) origin: String,
    /// The gateway's address.
    pub(crate) gateway: String,
    pub(crate) api_key: &'static str,
    pub(crate) secret: String,
    /// The shop's database.
    pub(crate) file: PathBuf,
    /// Where it writes what failed.
    pub(crate) log: PathBuf,
    /// When its clock begins to go fast, in milliseconds since 1970.
    pub(crate) since_ms: u128,
    /// How many times as fast.
    pub(crate) speed: u32,
}

/// The shop.
pub(crate) struct Shop {
    opening: Opening,
    process: Option<Child>,
    is_open: watch::Sender<bool>,
    deaths: u32,
}

impl Shop {
    /// It is closed.
    pub(crate) fn new(opening: Opening) -> Shop {
        Shop {
            opening,
            process: None,
            is_open: watch::Sender::new(false),
            deaths: 0,
        }
    }

    /// Says whether it is open.
    pub(crate) fn is_open(&self) -> watch::Receiver<bool> {
        self.is_open.subscribe()
    }

    /// How often it was killed.
    pub(crate) fn deaths(&self) -> u32 {
        self.deaths
    }

    /// Starts it, and waits until it is open.
    pub(crate) async fn open(&mut self) -> Result<()> {
        let opening = &self.opening;
        let (program, words) = opening.words.split_first().context("no program")?;
        let clock = format!("{},{}", opening.since_ms, opening.speed);
        let mut process = Command::new(program)
            .args(words)
            .env("PAYFRAME_GATEWAY", &opening.gateway)
            .env("PAYFRAME_API_KEY", opening.api_key)
            .env("PAYFRAME_NOTIFICATION_SECRET", &opening.secret)
            .env("SHOP_ORDERS", opening.handler.word())
            .env("SHOP_ORIGIN", &opening.origin)
            .env("SHOP_PORT", opening.port.to_string())
            .env("SHOP_FILE", &opening.file)
            .env("SHOP_CLOCK", clock)
            .env("SHOP_CALL_MS", CALL_LIMIT.as_millis().to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(self.log()?)
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let said = process.stdout.take().context("the shop has no stdout")?;
        let line = BufReader::new(said).lines().next_line().await?;
        line.filter(|line| line == "open").with_context(|| {
            let log = opening.log.display();
            format!("the shop ended before it was open; see {log}")
        })?;
        self.process = Some(process);
        self.is_open.send_replace(true);
        Ok(())
    }

    /// Kills it: it runs no more code.
    pub(crate) async fn kill(&mut self) -> Result<()> {
        self.is_open.send_replace(false);
        if let Some(mut process) = self.process.take() {
            process.kill().await?;
        }
        Ok(())
    }

    /// Kills it and opens it again each time the network says so, for ever.
    pub(crate) async fn die_again_and_again(
        &mut self,
        deaths: &mut UnboundedReceiver<()>,
        network: &Network,
        mut random: Rng,
    ) -> Result<()> {
        while deaths.recv().await.is_some() {
            if random.bool() {
                self.die_behind_a_statement().await?;
            } else {
                // So that it is somewhere in its work, and not always at a message.
                let into_the_work = Duration::from_micros(u64::from(random.u32(..15_000)));
                tokio::time::sleep(into_the_work).await;
                self.kill_and_open().await?;
            }
            network.shop_is_back();
        }
        Ok(())
    }

    /// Has it die right behind a statement of its database, and opens it. If there is no statement, it is killed.
    async fn die_behind_a_statement(&mut self) -> Result<()> {
        if let Some(process) = &mut self.process
            && let Some(id) = process.id()
        {
            let mut ask = Command::new("kill");
            ask.arg("-USR2").arg(id.to_string()).status().await?;
            // An error: nothing happened for so long.
            let _died = tokio::time::timeout(STATEMENT_LIMIT, process.wait()).await;
        }
        self.kill_and_open().await
    }

    /// Kills it, and opens it with what is on its disk.
    pub(crate) async fn kill_and_open(&mut self) -> Result<()> {
        self.kill().await?;
        self.deaths += 1;
        self.open().await
    }

    fn log(&self) -> Result<File> {
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.opening.log)?;
        Ok(log)
    }
}

/// How long a statement of the shop's database is waited for.
const STATEMENT_LIMIT: Duration = Duration::from_millis(500);
