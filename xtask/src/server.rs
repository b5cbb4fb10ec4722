//! Starts a server program, waits until it is ready, and stops it again.
//!
//! A program of this workspace prints a line `listening on …` when it is ready. Its output goes into a log file. It is stopped
//! by SIGTERM, and killed if it does not end within a few seconds. Dropping a `Server` stops it too.

use crate::process::last_lines;
use anyhow::{Context, Result, bail};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A running server.
pub(crate) struct Server {
    name: &'static str,
    child: Child,
    log: PathBuf,
}

impl Server {
    /// Starts a program of this workspace and waits for its ready line. `give_up` is asked at intervals whether to stop waiting.
    pub(crate) fn start(
        name: &'static str,
        command: Command,
        log: PathBuf,
        give_up: impl Fn() -> bool,
    ) -> Result<Server> {
        Server::start_saying(READY_WORDS, name, command, log, give_up)
    }

    /// The same for a program with another ready line on stdout.
    pub(crate) fn start_saying(
        words: &'static str,
        name: &'static str,
        mut command: Command,
        log: PathBuf,
        give_up: impl Fn() -> bool,
    ) -> Result<Server> {
        let file = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(file.try_clone()?)
            .spawn()
            .with_context(|| format!("cannot start {}", command.get_program().to_string_lossy()))?;
        let mut server = Server { name, child, log };
        let ready = server.copy_output(file, words)?;
        let deadline = Instant::now() + READY_LIMIT;
        loop {
            match ready.recv_timeout(POLL) {
                Ok(()) => return Ok(server),
                Err(RecvTimeoutError::Disconnected) => return Err(server.exit_error()),
                Err(RecvTimeoutError::Timeout) if give_up() => {
                    bail!("stopped while {name} was starting")
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() > deadline => {
                    bail!(
                        "{name} did not say that it is ready within {READY_LIMIT:?}; see {}",
                        server.log.display()
                    )
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// The message if the program ended on its own: its name, its exit status and its last lines.
    pub(crate) fn exit_error(&mut self) -> anyhow::Error {
        let end = match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(problem) => problem.to_string(),
        };
        let said = std::fs::read_to_string(&self.log).unwrap_or_default();
        anyhow::anyhow!(
            "{} ended on its own ({end}). The end of {}:\n{}",
            self.name,
            self.log.display(),
            last_lines(&said, 20)
        )
    }

    /// Asks the program to end and waits; kills it after a time limit.
    pub(crate) fn stop(mut self) -> Result<()> {
        self.terminate()
    }

    fn terminate(&mut self) -> Result<()> {
        if self.child.try_wait()?.is_some() {
            return Ok(());
        }
        if let Ok(id) = i32::try_from(self.child.id()) {
            // The process is ours and not yet waited for, so no other process can have its id.
            kill(Pid::from_raw(id), Signal::SIGTERM)?;
        }
        let deadline = Instant::now() + STOP_LIMIT;
        while self.child.try_wait()?.is_none() {
            if Instant::now() > deadline {
                eprintln!(
                    "{} did not end within {STOP_LIMIT:?} and is killed",
                    self.name
                );
                self.child.kill()?;
                self.child.wait()?;
                break;
            }
            std::thread::sleep(POLL);
        }
        Ok(())
    }

    /// Copies stdout to the log until it ends; the channel receives the ready line.
    fn copy_output(&mut self, mut log: File, words: &'static str) -> Result<Receiver<()>> {
        let stdout = self
            .child
            .stdout
            .take()
            .context("the program has no stdout")?;
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let mut lines = BufReader::new(stdout).lines();
            // First until the ready line. The sender must not be dropped yet, because that would mean that the program ended.
            while let Some(Ok(line)) = lines.next() {
                // Errors of the log are ignored: a full disk must not stop the reading of the program's output.
                let _ = writeln!(log, "{line}");
                if line.contains(words) {
                    let _ = sender.send(());
                }
            }
        });
        Ok(receiver)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Err(problem) = self.terminate() {
            eprintln!("{} could not be stopped: {problem}", self.name);
        }
    }
}

/// A port of this machine that nobody listens at.
pub(crate) fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

const READY_WORDS: &str = "listening on ";
const READY_LIMIT: Duration = Duration::from_secs(60);
const STOP_LIMIT: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(50);

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", text]);
        command
    }

    fn log(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("payframe-{name}-{}.log", std::process::id()))
    }

    #[test]
    fn ready_server_is_stopped_by_a_signal() -> Result<()> {
        let started = Instant::now();
        let command = script(
            "trap 'echo bye; exit 0' TERM; echo listening on http://x; while :; do sleep 0.05; done",
        );
        let path = log("ready");
        Server::start("the server", command, path.clone(), || false)?.stop()?;
        assert!(started.elapsed() < STOP_LIMIT);
        std::fs::remove_file(path)?;
        Ok(())
    }

    #[test]
    fn server_that_dies_early_is_quoted() -> Result<()> {
        let path = log("dies");
        let problem = Server::start(
            "the server",
            script("echo no luck >&2; exit 7"),
            path.clone(),
            || false,
        );
        let text = problem
            .err()
            .map(|problem| problem.to_string())
            .unwrap_or_default();
        assert!(
            text.contains("the server ended on its own") && text.contains("no luck"),
            "{text}"
        );
        std::fs::remove_file(path)?;
        Ok(())
    }
}
