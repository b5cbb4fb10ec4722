//! `payframe-gateway dispute`: what an acquirer tells the operator of disputes comes in here, and the merchants' evidence goes out.
//!
//! A program of the operator that reads the acquirer's files or calls runs these commands.

use super::{CommandContext, CommandError};
use clap::{Args, Subcommand};
use payframe_money::Amount;
use payframe_payment_domain::back_office::Act;
use payframe_payment_domain::calendar::parse_instant;
use payframe_payment_domain::dispute::{
    DisputeCategory, DisputeEvent, DisputeKind, DisputeState, ReasonCode,
};
use payframe_payment_service::Disputes;
use payframe_payment_service::disputes::{DisputeChange, DisputeRefusal, NewDispute};
use payframe_protocol::dispute::Dispute;
use payframe_storage::disputes::DisputeFilter;
use payframe_storage::{StoreError, Subject, disputes, merchants};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// What can be done with disputes.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum DisputeCommand {
    /// Prints disputes, the newest first: id, state, deadline, order, operation, sum, reference.
    List(DisputesListed),
    /// Records a dispute of a captured payment, and tells its merchant.
    Open(OpenedDispute),
    /// Records what the bank decided, and tells the merchant.
    Result {
        /// The dispute's id.
        dispute: String,
        /// WON for the merchant, or LOST.
        #[arg(value_parser = decision)]
        result: DisputeState,
    },
    /// Records that a dispute came to a later stage, which needs a new response, and tells the merchant.
    Advance {
        /// The dispute's id.
        dispute: String,
        /// CHARGEBACK, PRE_ARBITRATION or ARBITRATION.
        #[arg(value_parser = kind)]
        kind: DisputeKind,
        /// Until when the merchant can answer, as 2026-12-05T00:00:00Z.
        #[arg(long, value_name = "INSTANT", value_parser = moment)]
        deadline: i64,
    },
    /// Writes a dispute with its evidence into a new folder: dispute.json, and its files under their ids.
    Evidence {
        /// The dispute's id.
        dispute: String,
        /// The folder to create.
        folder: PathBuf,
    },
}

/// Which disputes are printed.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct DisputesListed {
    /// Only disputes of this merchant.
    #[arg(long, value_name = "ID")]
    pub merchant: Option<String>,
    /// Only disputes in this state, such as UNDER_REVIEW.
    #[arg(long, value_name = "STATE", value_parser = state)]
    pub state: Option<DisputeState>,
}

/// A dispute that the acquirer reported.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct OpenedDispute {
    /// The id of the operation whose captured money is disputed.
    pub operation: String,
    /// INQUIRY, CHARGEBACK, PRE_ARBITRATION or ARBITRATION.
    #[arg(long, value_parser = kind, default_value = "CHARGEBACK")]
    pub kind: DisputeKind,
    /// FRAUD, NOT_RECEIVED, NOT_AS_DESCRIBED, DUPLICATE, CANCELED_RECURRING, PROCESSING_ERROR or GENERAL.
    #[arg(long, value_parser = category)]
    pub category: DisputeCategory,
    /// The network's code of the reason, such as 10.4.
    #[arg(long, value_name = "CODE", value_parser = reason)]
    pub reason: ReasonCode,
    /// Until when the merchant can answer, as 2026-12-05T00:00:00Z.
    #[arg(long, value_name = "INSTANT", value_parser = moment)]
    pub deadline: i64,
    /// The disputed money in the smallest unit of the currency; without it all that can be disputed.
    #[arg(long, value_name = "MINOR_UNITS", value_parser = money)]
    pub amount: Option<Amount>,
    /// The acquirer's own number of the case: a second dispute with it is refused.
    #[arg(long, value_name = "TEXT", value_parser = reference)]
    pub reference: Option<String>,
}

impl CommandContext<'_> {
    /// Carries out a subcommand of `dispute`.
    pub(super) async fn dispute(&self, command: DisputeCommand) -> Result<String, CommandError> {
        let disputes = Disputes::over(&self.store, &self.vault, &self.clock);
        match command {
            DisputeCommand::List(listed) => self.list_disputes(&disputes, &listed).await,
            DisputeCommand::Open(opened) => {
                let new = NewDispute {
                    operation_id: &opened.operation,
                    reference: opened.reference.as_deref(),
                    kind: opened.kind,
                    category: opened.category,
                    reason_code: opened.reason,
                    amount: opened.amount,
                    deadline_ms: opened.deadline,
                };
                let change = Box::pin(disputes.open(None, &new)).await?;
                self.record(change, Act::OpenDispute).await
            }
            DisputeCommand::Result { dispute, result } => {
                let event = match result {
                    DisputeState::Won => DisputeEvent::Won,
                    _ => DisputeEvent::Lost,
                };
                let change = Box::pin(disputes.decide(&dispute, event)).await?;
                self.record(change, Act::DecideDispute).await
            }
            DisputeCommand::Advance {
                dispute,
                kind,
                deadline,
            } => {
                let event = DisputeEvent::Advanced {
                    to: kind,
                    deadline_ms: deadline,
                };
                let change = Box::pin(disputes.decide(&dispute, event)).await?;
                self.record(change, Act::DecideDispute).await
            }
            DisputeCommand::Evidence { dispute, folder } => {
                self.write_evidence(&disputes, &dispute, &folder).await
            }
        }
    }

    /// Commits a change with its entry of the audit log.
    async fn record(&self, change: DisputeChange, act: Act) -> Result<String, CommandError> {
        let DisputeChange {
            mut transaction,
            dispute,
            merchant_id,
        } = change;
        let subject = format!("order {}", dispute.order_id);
        let detail = line(&dispute);
        self.log_of(&mut transaction, &merchant_id, act, (&subject, &detail))
            .await?;
        transaction.commit().await.map_err(StoreError::from)?;
        self.tell_gateways_of_outbox().await;
        Ok(detail + "\n")
    }

    async fn list_disputes(
        &self,
        disputes: &Disputes<'_>,
        listed: &DisputesListed,
    ) -> Result<String, CommandError> {
        let all = merchants::all(&mut *self.store.read().await?).await?;
        let filter = DisputeFilter {
            state: listed.state,
            order_id: None,
        };
        let mut text = String::new();
        for (merchant_id, _) in all {
            if listed
                .merchant
                .as_ref()
                .is_some_and(|only| *only != merchant_id)
            {
                continue;
            }
            let mut after = None;
            loop {
                let page = disputes
                    .list(&merchant_id, &filter, after.as_deref(), PAGE)
                    .await?;
                let (rows, has_more) = page.unwrap_or_default();
                for row in &rows {
                    let _ = writeln!(text, "{}", line(row));
                }
                after = rows.last().map(|row| row.dispute_id.clone());
                if !has_more {
                    break;
                }
            }
        }
        Ok(text)
    }

    async fn write_evidence(
        &self,
        disputes: &Disputes<'_>,
        dispute_id: &str,
        folder: &Path,
    ) -> Result<String, CommandError> {
        let row = disputes::find(&mut *self.store.read().await?, dispute_id).await?;
        let merchant_id = row.ok_or(DisputeRefusal::NoDispute)?.merchant_id;
        let dispute = disputes.read(&merchant_id, dispute_id).await?;
        let dispute = dispute.ok_or(DisputeRefusal::NoDispute)?;
        let mut change = self.store.write(Subject::Gateway).await?;
        let subject = format!("order {}", dispute.order_id);
        let detail = line(&dispute);
        let what = (subject.as_str(), detail.as_str());
        self.log_of(&mut change, &merchant_id, Act::ExportEvidence, what)
            .await?;
        change.commit().await.map_err(StoreError::from)?;
        let failed = |problem: std::io::Error| {
            CommandError::Failed(format!("{} cannot be written: {problem}", folder.display()))
        };
        make_folder(folder).map_err(failed)?;
        let json = serde_json::to_string_pretty(&dispute)
            .map_err(|problem| CommandError::Failed(problem.to_string()))?;
        fs::write(folder.join("dispute.json"), json + "\n").map_err(failed)?;
        for file in &dispute.files {
            let found = disputes.file_content(&merchant_id, &file.file_id).await?;
            let (_, content) = found.ok_or(DisputeRefusal::NoFile)?;
            // The name that the merchant gave it is in dispute.json only.
            let ending = file.media_type.rsplit('/').next().unwrap_or("bin");
            let path = folder.join(format!("{}.{ending}", file.file_id));
            fs::write(path, content.as_slice()).map_err(failed)?;
        }
        let count = dispute.files.len();
        Ok(format!(
            "{} has dispute.json and {count} files\n",
            folder.display()
        ))
    }
}

/// Makes a folder that only its owner can read: evidence names buyers.
fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// A dispute in one line.
fn line(dispute: &Dispute) -> String {
    let word = |value| {
        let value = serde_json::to_value(value).unwrap_or_default();
        value.as_str().unwrap_or("?").to_owned()
    };
    let state = word(serde_json::json!(dispute.state));
    let kind = word(serde_json::json!(dispute.kind));
    format!(
        "{} {kind} {state} until {} order {} operation {} {} {} {}",
        dispute.dispute_id,
        dispute.deadline,
        dispute.order_id,
        dispute.operation_id,
        dispute.amount,
        dispute.currency,
        dispute.reference.as_deref().unwrap_or("-"),
    )
}

impl From<DisputeRefusal> for CommandError {
    fn from(refusal: DisputeRefusal) -> CommandError {
        match refusal {
            DisputeRefusal::Payment(problem) => problem.into(),
            refusal => CommandError::Failed(refusal.to_string()),
        }
    }
}

fn kind(text: &str) -> Result<DisputeKind, String> {
    let found = DisputeKind::from_code(&text.to_ascii_uppercase());
    found.ok_or_else(|| DisputeKind::CODES.join(", "))
}

fn category(text: &str) -> Result<DisputeCategory, String> {
    let found = DisputeCategory::from_code(&text.to_ascii_uppercase());
    found.ok_or_else(|| DisputeCategory::CODES.join(", "))
}

fn state(text: &str) -> Result<DisputeState, String> {
    let found = DisputeState::from_code(&text.to_ascii_uppercase());
    found.ok_or_else(|| DisputeState::CODES.join(", "))
}

fn decision(text: &str) -> Result<DisputeState, String> {
    let decided = state(text)?;
    match decided {
        DisputeState::Won | DisputeState::Lost => Ok(decided),
        _ => Err(String::from("WON, LOST")),
    }
}

fn reason(text: &str) -> Result<ReasonCode, String> {
    let read = ReasonCode::parse(text);
    read.ok_or_else(|| String::from("1 to 20 letters, digits, dots and hyphens"))
}

fn moment(text: &str) -> Result<i64, String> {
    let read = parse_instant(text);
    read.ok_or_else(|| String::from("an ISO 8601 instant, as 2026-12-05T00:00:00Z"))
}

fn money(text: &str) -> Result<Amount, String> {
    let read = Amount::parse(text).filter(|amount| !amount.is_zero());
    read.ok_or_else(|| String::from("1 to 12 digits, above 0"))
}

fn reference(text: &str) -> Result<String, String> {
    let is_sound = (1..=63).contains(&text.chars().count()) && !text.contains(char::is_control);
    match is_sound {
        true => Ok(text.to_owned()),
        false => Err(String::from("1 to 63 characters")),
    }
}

const PAGE: u32 = 500;
