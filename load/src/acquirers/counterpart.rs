//! The acquirer's process, the gateway's file that leads to it, and what is in its books at the end.

use super::Protocol;
use super::orders::TERMINALS;
use crate::cpu;
use anyhow::{Context, Result};
use serde::Deserialize;
use sqlx::Row;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// A running acquirer. It ends when this value is dropped.
pub(super) struct Counterpart {
    protocol: Protocol,
    folder: PathBuf,
    port: u16,
    books: BooksAt,
    /// The process ends with it.
    process: Child,
}

/// Where the acquirer's books are.
enum BooksAt {
    /// The host prints them for each line that it is sent.
    Host {
        ask: ChildStdin,
        says: Lines<BufReader<ChildStdout>>,
    },
    /// The adapter keeps them in this file.
    Adapter(PathBuf),
}

/// What the acquirer has written down about a message, by the number that the gateway gave to it: the trace audit number for ISO 8583, the
/// reference for an adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) amount_minor: i64,
    pub(super) state: EntryState,
}

/// What has become of a message's money at the acquirer.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum EntryState {
    Booked,
    Declined,
    Reversed,
}

/// The books of the host for ISO 8583, as it prints them.
#[derive(Deserialize)]
struct HostBooks {
    moves: BTreeMap<String, HostMove>,
}

#[derive(Deserialize)]
struct HostMove {
    amount: i64,
    state: EntryState,
}

impl Counterpart {
    /// Starts the acquirer and waits until it listens.
    pub(super) async fn start(
        protocol: Protocol,
        program: &[OsString],
        data: &Path,
    ) -> Result<Counterpart> {
        let folder = data.join("acquirer");
        std::fs::create_dir_all(&folder)?;
        let (first, words) = program.split_first().context("no program is given")?;
        let mut command = Command::new(first);
        command.args(words).env("PYTHONDONTWRITEBYTECODE", "1");
        match protocol {
            Protocol::Iso1987 => command.arg("1987"),
            Protocol::Iso1993 => command.arg("1993"),
            Protocol::Adapter => {
                std::fs::write(folder.join("main.secret"), SECRET)?;
                command
                    .arg("--secret-file")
                    .arg(folder.join("main.secret"))
                    .arg("--database")
                    .arg(folder.join(ADAPTER_BOOKS))
                    .args(["--port", "0", "--pending-seconds", "2"])
            }
        };
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Broken connections are part of the run.
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("cannot start {}", first.display()))?;
        let ask = process.stdin.take().context("the acquirer has no stdin")?;
        let says = process
            .stdout
            .take()
            .context("the acquirer has no stdout")?;
        let mut says = BufReader::new(says).lines();
        let ready = says
            .next_line()
            .await?
            .context("the acquirer ended before it listened")?;
        let port = port_in(&ready).with_context(|| format!("`{ready}` has no port"))?;
        let books = match protocol {
            Protocol::Adapter => {
                // Its log is read, or it would wait for a reader once the pipe is full.
                tokio::spawn(async move { while let Ok(Some(_)) = says.next_line().await {} });
                BooksAt::Adapter(folder.join(ADAPTER_BOOKS))
            }
            Protocol::Iso1987 | Protocol::Iso1993 => BooksAt::Host { ask, says },
        };
        Ok(Counterpart {
            protocol,
            folder,
            port,
            books,
            process,
        })
    }

    /// Where it listens.
    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// The computing time of its process so far; `None` if the system does not tell it.
    pub(super) fn cpu(&self) -> Option<Duration> {
        cpu::of_process(self.process.id())
    }

    /// Writes the gateway's file of acquirers, in which this one is reached through a port of this machine.
    pub(super) fn settings_file(&self, port: u16) -> Result<PathBuf> {
        let acquirer = match self.protocol {
            Protocol::Iso1987 => self.host(port, "1987-ascii", ""),
            Protocol::Iso1993 => {
                std::fs::write(self.folder.join("mac.key"), MAC_KEY)?;
                self.host(port, "1993-binary", "mac_key_file = 'mac.key'\n")
            }
            Protocol::Adapter => {
                format!("url = 'http://127.0.0.1:{port}/payframe'\nsecret_file = 'main.secret'\n")
            }
        };
        let mut text = format!(
            "[[acquirer]]\nname = 'main'\ntest_endpoint = true\nanswer_seconds = 1\nconnect_seconds = 1\n{acquirer}"
        );
        for (terminal, _) in TERMINALS {
            text.push_str(&format!(
                "[[terminal]]\nid = '{terminal}'\nacquirer = 'main'\n"
            ));
        }
        let file = self.folder.join("acquirers.toml");
        std::fs::write(&file, text)?;
        Ok(file)
    }

    fn host(&self, port: u16, dialect: &str, mac: &str) -> String {
        let dialects = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../crates/acquirer-iso8583/dialects"
        );
        format!(
            "protocol = 'iso8583'\nhost = '127.0.0.1'\nport = {port}\ntls = false\n\
             dialect_file = '{dialects}/{dialect}.toml'\n{mac}acquirer_id = '123456'\n\
             merchant_id = 'MERCHANT1'\nmerchant_category = '5999'\necho_seconds = 5\n"
        )
    }

    /// What is in its books.
    pub(super) async fn entries(&mut self) -> Result<BTreeMap<String, Entry>> {
        let line = match &mut self.books {
            BooksAt::Adapter(file) => return entries_of_adapter(file).await,
            BooksAt::Host { ask, says } => {
                ask.write_all(b"books\n").await?;
                says.next_line().await?.context("the host has ended")?
            }
        };
        let books: HostBooks = serde_json::from_str(&line)?;
        let entries = books.moves.into_iter().map(|(number, one)| {
            let entry = Entry {
                amount_minor: one.amount,
                state: one.state,
            };
            (number, entry)
        });
        Ok(entries.collect())
    }
}

async fn entries_of_adapter(database: &Path) -> Result<BTreeMap<String, Entry>> {
    let mut tables = crate::reconciliation::connect(database).await?;
    let rows = sqlx::query("SELECT reference, amount_minor, result FROM operation")
        .fetch_all(&mut tables)
        .await?;
    let entries = rows.iter().map(|row| {
        let result: Option<&str> = row.try_get("result")?;
        let entry = Entry {
            amount_minor: row.try_get("amount_minor")?,
            state: match result {
                Some("APPROVED") => EntryState::Booked,
                Some("DECLINED" | "FAILED") => EntryState::Declined,
                other => anyhow::bail!("the adapter has a movement that is {other:?}"),
            },
        };
        Ok((row.try_get("reference")?, entry))
    });
    entries.collect()
}

/// The last number of the line with which the acquirer says that it listens.
fn port_in(ready: &str) -> Option<u16> {
    let words = ready.split(|c: char| !c.is_ascii_digit());
    words.rev().find_map(|word| word.parse().ok())
}

/// The adapter's file.
const ADAPTER_BOOKS: &str = "adapter.db";
/// Anything with 32 bytes.
const SECRET: &str = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
/// The key of the host for ISO 8583:1993.
const MAC_KEY: &str = "0123456789ABCDEFFEDCBA9876543210\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_adapters_say_their_port() {
        for (ready, port) in [
            ("40123", Some(40123)),
            ("listening on http://127.0.0.1:9100/payframe", Some(9100)),
            ("no", None),
        ] {
            assert_eq!(port_in(ready), port, "{ready}");
        }
    }
}
