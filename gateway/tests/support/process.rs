//! A gateway's process, started as an operator does it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A gateway that listens, until it is dropped.
pub(crate) struct Process {
    pub(crate) child: Child,
    /// The address that it prints: scheme, host and port.
    pub(crate) address: String,
    /// What it prints about its mode, in brackets.
    #[allow(dead_code, reason = "not every test program asks")]
    pub(crate) mode: String,
    /// What it prints before that.
    #[allow(dead_code, reason = "not every test program asks")]
    pub(crate) said: Vec<String>,
}

impl Process {
    /// Starts a gateway with a folder, and with settings besides those for tests.
    pub(crate) fn start(data: &Path, settings: &[(&str, &str)]) -> Process {
        Process::of(command(data, settings))
    }

    /// Starts a gateway by this command.
    pub(crate) fn of(mut command: Command) -> Process {
        let mut process = Process {
            child: command.stdout(Stdio::piped()).spawn().unwrap(),
            address: String::new(),
            mode: String::new(),
            said: Vec::new(),
        };
        let said = process.child.stdout.take().unwrap();
        for line in BufReader::new(said).lines() {
            let line = line.unwrap();
            if let Some(ready) = line.strip_prefix("listening on ") {
                let (address, mode) = ready.split_once(' ').unwrap();
                process.address = address.to_owned();
                process.mode = mode.to_owned();
                return process;
            }
            process.said.push(line);
        }
        panic!("the process ended before it was ready")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The gateway's program with a folder and settings. Arguments make it a command of the operator.
pub(crate) fn command(data: &Path, settings: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_payframe-gateway"));
    command
        .env("PAYFRAME_MODE", "sandbox")
        .env("PAYFRAME_LISTEN", "127.0.0.1:0")
        .env("PAYFRAME_DATA", data)
        .env("PAYFRAME_ASSETS", data.join("no-dist"))
        // Long enough for slow machines.
        .env("PAYFRAME_CHALLENGE_SECONDS", "900")
        .env("PAYFRAME_LOG", "off")
        .envs(settings.iter().copied());
    command
}
