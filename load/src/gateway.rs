//! A gateway's process: starting it with an empty or a used folder, reading its computing time, stopping it.

use anyhow::{Context, Result, ensure};
use std::ffi::OsString;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// How to start a gateway. It can be started repeatedly, always at the same address.
pub(crate) struct Recipe {
    program: PathBuf,
    data: PathBuf,
    port: u16,
    settings: Vec<(&'static str, OsString)>,
}

/// A process that listens. It ends when this value is dropped.
pub(crate) struct Gateway {
    process: Child,
}

impl Recipe {
    /// The program, and the folder of its databases; the port is a free one.
    pub(crate) fn new(program: &Path, data: &Path) -> Result<Recipe> {
        Ok(Recipe {
            program: program.to_owned(),
            data: data.to_owned(),
            port: Recipe::free_port()?,
            settings: Vec::new(),
        })
    }

    /// A port that nobody uses.
    pub(crate) fn free_port() -> Result<u16> {
        Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
    }

    /// The same with another setting in the gateway's environment.
    pub(crate) fn with(mut self, variable: &'static str, value: impl Into<OsString>) -> Recipe {
        self.settings.push((variable, value.into()));
        self
    }

    /// The origin for browsers and merchants' servers.
    pub(crate) fn origin(&self) -> String {
        format!("http://localhost:{}", self.port)
    }

    /// Starts it and waits until it listens. The error: it ended before.
    pub(crate) async fn start(&self) -> Result<Gateway> {
        let mut process = self
            .command()
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("cannot start {}", self.program.display()))?;
        let said = process.stdout.take().context("the gateway has no stdout")?;
        let line = BufReader::new(said).lines().next_line().await?;
        line.filter(|line| line.starts_with("listening on "))
            .context("the gateway ended before it listened")?;
        Ok(Gateway { process })
    }

    /// What a command of the operator prints.
    pub(crate) async fn say(&self, words: &[&str]) -> Result<String> {
        let output = self.command().args(words).output().await?;
        ensure!(
            output.status.success(),
            "{words:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(String::from_utf8(output.stdout)?)
    }

    fn command(&self) -> Command {
        let address = SocketAddr::from(([127, 0, 0, 1], self.port));
        let mut command = Command::new(&self.program);
        command
            .env("PAYFRAME_MODE", "sandbox")
            .env("PAYFRAME_LISTEN", address.to_string())
            .env("PAYFRAME_ORIGIN", self.origin())
            .env("PAYFRAME_DATA", &self.data)
            .env("PAYFRAME_ASSETS", self.data.join("no-assets"))
            .env("PAYFRAME_MERCHANT_CALLS_PER_SECOND", "1000000")
            .env("PAYFRAME_ADDRESS_CALLS_PER_SECOND", "1000000")
            .env("PAYFRAME_LOG", "warn")
            .envs(
                self.settings
                    .iter()
                    .map(|(variable, value)| (variable, value)),
            );
        command
    }
}

impl Gateway {
    /// The process, while it runs.
    pub(crate) fn id(&self) -> Option<u32> {
        self.process.id()
    }

    /// Asks it to end, and waits for the end.
    pub(crate) async fn stop(mut self) -> Result<()> {
        if let Some(id) = self.process.id() {
            let asked = Command::new("kill")
                .arg("-TERM")
                .arg(id.to_string())
                .status()
                .await?;
            ensure!(asked.success(), "the gateway can not be asked to end");
        }
        self.process.wait().await?;
        Ok(())
    }

    /// Ends it without warning: the process runs no more code.
    pub(crate) async fn kill(mut self) -> Result<()> {
        Ok(self.process.kill().await?)
    }
}

/// The memory of a process in MB, now and at most so far; `None` if the system does not tell it.
pub(crate) fn memory_of(process: Option<u32>) -> Option<[u64; 2]> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process?)).ok()?;
    let mega_bytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kilo_bytes: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(kilo_bytes / 1024)
    };
    Some([mega_bytes("VmRSS:")?, mega_bytes("VmHWM:")?])
}
