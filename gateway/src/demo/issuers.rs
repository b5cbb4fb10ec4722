//! The demo's directory server and issuer: programs of their own, which end with the demo.

use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};

/// Directory server and issuer, until this is dropped.
pub(super) struct Issuers {
    acs: Child,
    directory_server: Child,
    settings: PathBuf,
    enrolment: String,
    /// While these are open, the programs run.
    _inputs: [Option<ChildStdin>; 2],
}

impl Issuers {
    /// Starts both. `folder`: their certificates. `log`: where they write.
    pub(super) async fn start(folder: &Path, log: &Path) -> Result<Issuers, Box<dyn Error>> {
        let command = |name: &str| -> std::io::Result<Command> {
            let log = File::options().create(true).append(true).open(log)?;
            let mut command = Command::new(own_program()?);
            // Each ends when its standard input does, so also if the demo is killed.
            command
                .args(["sandbox", name, "--with-parent", "--folder"])
                .arg(folder)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(log)
                .kill_on_drop(true);
            Ok(command)
        };
        let mut acs = command("acs")?.spawn()?;
        let heads = ["acs: ", "pages: ", "enrolment: "];
        let [address, pages, enrolment] = said(&mut acs, ACS, heads).await?;
        let mut directory_server = command("directory-server")?
            .args(["--acs", &address, "--acs-pages", &pages])
            .spawn()?;
        let heads = ["directory server: ", "settings: "];
        let [_, settings] = said(&mut directory_server, DIRECTORY_SERVER, heads).await?;
        Ok(Issuers {
            // A child that is waited for would close its own.
            _inputs: [acs.stdin.take(), directory_server.stdin.take()],
            acs,
            directory_server,
            settings: settings.into(),
            enrolment,
        })
    }

    /// The file for the gateway.
    pub(super) fn settings(&self) -> PathBuf {
        self.settings.clone()
    }

    /// The page where buyers enrol devices.
    pub(super) fn enrolment(&self) -> &str {
        &self.enrolment
    }

    /// Waits until one of them has ended, and says which.
    pub(super) async fn end(&mut self) -> String {
        let (name, status) = tokio::select! {
            status = self.acs.wait() => (ACS, status),
            status = self.directory_server.wait() => (DIRECTORY_SERVER, status),
        };
        format!("{name} has ended {}, and the demo with it", how(status))
    }
}

/// This program. Where the system does not say it, as in a container without `/proc`, it is as it was called.
fn own_program() -> std::io::Result<PathBuf> {
    std::env::current_exe().or_else(|problem| {
        let called = std::env::args_os().next();
        called.map(PathBuf::from).ok_or(problem)
    })
}

/// What a server prints until it is ready: the rest of the lines that begin so.
async fn said<const N: usize>(
    server: &mut Child,
    name: &str,
    heads: [&str; N],
) -> Result<[String; N], Box<dyn Error>> {
    let mut found = heads.map(|_| String::new());
    let output = server.stdout.take().ok_or("a server has no output")?;
    let mut lines = BufReader::new(output).lines();
    for (found, head) in found.iter_mut().zip(heads) {
        let line = lines.next_line().await?;
        let Some(rest) = line.as_deref().and_then(|line| line.strip_prefix(head)) else {
            let status = how(server.wait().await);
            return Err(
                format!("{name} did not start, and ended {status}: demo.log says why").into(),
            );
        };
        *found = rest.to_owned();
    }
    Ok(found)
}

fn how(status: std::io::Result<ExitStatus>) -> String {
    match status {
        Ok(status) => format!("({status})"),
        Err(problem) => format!("({problem})"),
    }
}

const ACS: &str = "the sandbox's issuer (sandbox acs)";
const DIRECTORY_SERVER: &str = "the sandbox's directory server (sandbox directory-server)";
