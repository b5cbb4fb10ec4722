//! Commands about the audit log: whether it is as it was written, and its entries as lines for a collector of logs.

use super::{CommandContext, CommandError};
use clap::Subcommand;
use payframe_payment_domain::back_office::Act;
use payframe_payment_domain::calendar::instant;
use payframe_storage::audit_chain::{self, ChainedEntry, Verified};
use payframe_storage::{StoreError, Subject, audit};
use serde::Serialize;

/// What can be done with the audit log.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum AuditCommand {
    /// Checks that no entry was changed, removed, inserted or moved, and prints the newest hash, the head.
    ///
    /// The exit status is 1 if something is wrong. Keep the head on another machine: whoever can write to the database can compute all
    /// hashes anew, and only a head from before shows it.
    #[command(verbatim_doc_comment)]
    Verify {
        /// A head that was printed before: fails unless its entry is still there, with all entries before it.
        #[arg(long, value_name = "HASH", value_parser = hash)]
        head: Option<String>,
    },
    /// Prints entries of all merchants as lines of JSON, oldest first.
    Export {
        /// Only entries behind the one with this number: `number` of the last line that was printed before.
        #[arg(long, value_name = "NUMBER", default_value_t = 0)]
        after: i64,
    },
}

impl CommandContext<'_> {
    /// Carries out a subcommand of `audit`.
    pub(super) async fn audit(&self, command: AuditCommand) -> Result<String, CommandError> {
        match command {
            AuditCommand::Verify { head } => self.verify_audit_log(head.as_deref()).await,
            AuditCommand::Export { after } => self.export_audit_log(after).await,
        }
    }

    async fn verify_audit_log(&self, asked: Option<&str>) -> Result<String, CommandError> {
        let mut connection = self.store.read().await?;
        let verified = match audit_chain::verify(&mut connection, asked).await? {
            Ok(verified) => verified,
            Err(found) => {
                let sound = found.sound;
                let before = match sound {
                    1 => String::from("1 entry before that is as it was written"),
                    _ => format!("{sound} entries before that are as they were written"),
                };
                return Err(CommandError::AuditLogBroken(format!("{found} ({before})")));
            }
        };
        match (asked, verified.asked_place) {
            (Some(_), None) => Err(CommandError::AuditLogBroken(format!(
                "no entry has the hash that was asked for; entries were removed or written anew since it was the head. \
                 The log has {}, and the head is {}",
                entries(verified.entries),
                verified.head
            ))),
            (_, place) => Ok(described(&verified, place)),
        }
    }

    async fn export_audit_log(&self, after: i64) -> Result<String, CommandError> {
        self.note_reading(after).await?;
        let mut connection = self.store.read().await?;
        let mut text = String::new();
        let mut last = after;
        loop {
            let page = audit_chain::after(&mut connection, last, PAGE).await?;
            let Some(newest) = page.last() else {
                return Ok(text);
            };
            last = newest.seq;
            for entry in &page {
                text.push_str(&line(entry)?);
            }
        }
    }

    /// Reading leaves an entry too: one for each user of the machine and hour, so that a job that exports often does not fill the log.
    async fn note_reading(&self, after: i64) -> Result<(), CommandError> {
        let mut change = self.store.write(Subject::Gateway).await?;
        let since_ms = self.now_ms - HOUR_MS;
        if audit::was_read_by_command(&mut change, &self.os_user, since_ms).await? {
            return Ok(());
        }
        let subject = format!("export after {after}");
        self.log_of_each(&mut change, Act::ReadAuditLog, &subject)
            .await?;
        Ok(change.commit().await.map_err(StoreError::from)?)
    }
}

fn described(verified: &Verified, place: Option<i64>) -> String {
    let all = entries(verified.entries);
    let mut text = format!("{all}, none changed, removed, inserted or moved\n");
    match verified.without_hash {
        0 => {}
        1 => text.push_str(
            "the first is from before entries had hashes; the hash behind it covers it\n",
        ),
        more => text.push_str(&format!(
            "the first {more} are from before entries had hashes; the hash behind them covers them\n"
        )),
    }
    if let Some(place) = place {
        let before = entries(place);
        let are = if place == 1 { "is" } else { "are" };
        let since = verified.entries - place;
        let follow = if since == 1 { "follows" } else { "follow" };
        text.push_str(&format!(
            "the hash that was asked for was the head of {before}, which {are} still there; {since} {follow}\n"
        ));
    }
    text.push_str(&format!("head {}\n", verified.head));
    text
}

/// A number of entries, in words.
fn entries(count: i64) -> String {
    match count {
        1 => String::from("1 entry"),
        _ => format!("{count} entries"),
    }
}

/// An entry as one line of JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    number: i64,
    at: String,
    at_ms: i64,
    merchant_id: &'a str,
    member_id: Option<&'a str>,
    member_name: Option<&'a str>,
    address: Option<&'a str>,
    os_user: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key_id: Option<&'a str>,
    act: &'a str,
    subject: &'a str,
    detail: &'a str,
    previous_hash: Option<&'a str>,
    hash: Option<&'a str>,
}

fn line(entry: &ChainedEntry) -> Result<String, CommandError> {
    let content = &entry.content;
    let line = Line {
        number: entry.seq,
        at: instant(content.at_ms),
        at_ms: content.at_ms,
        merchant_id: &content.merchant_id,
        member_id: content.member_id.as_deref(),
        member_name: entry.member_name.as_deref(),
        address: content.address.as_deref(),
        os_user: content.os_user.as_deref(),
        key_id: content.key_id.as_deref(),
        act: &content.act,
        subject: &content.subject,
        detail: &content.detail,
        previous_hash: entry.previous_hash.as_deref(),
        hash: entry.hash.as_deref(),
    };
    let text = serde_json::to_string(&line);
    Ok(text.map_err(|problem| CommandError::Failed(problem.to_string()))? + "\n")
}

/// A hash as it is printed: 64 hexadecimal digits in lower case.
fn hash(text: &str) -> Result<String, &'static str> {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if text.len() == 64 && text.bytes().all(is_digit) {
        Ok(text.to_owned())
    } else {
        Err("a head has 64 digits, as `audit verify` prints it")
    }
}

/// How many entries are read at a time.
const PAGE: i64 = 1000;

const HOUR_MS: i64 = 3_600_000;
