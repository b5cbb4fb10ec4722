//! `payframe-gateway settlement`: reads an acquirer's clearing file (`docs/settlement.md`).

use super::{CommandContext, CommandError};
use crate::modes;
use clap::{Args, Subcommand};
use payframe_card_rules::expiry::Date;
use payframe_payment_domain::back_office::Act;
use payframe_payment_domain::calendar::{at_terminal, day_over};
use payframe_payment_service::books::PIECE;
use payframe_payment_service::clearing_watch::ClearingWatch;
use payframe_payment_service::settlement::{
    ClearingFile, MatchedFile, Matching, Summary, match_file,
};
use payframe_settlement_files::{Mapping, read};
use payframe_storage::{StoreError, Subject, merchants, settlements};
use payframe_vault::{hash_of_bytes, random_operation_id};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What can be done with clearing files.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum SettlementCommand {
    /// Reads a clearing file, and matches its lines with operations.
    ///
    /// A file is read whole or not at all. The same file, or a line that was read before, books nothing twice.
    Import(ClearingImport),
    /// Prints the clearing file of the sandbox's acquirer for a day, to try the import with.
    ///
    /// docs/settlement.md says which amounts ask for a difference.
    SandboxFile {
        /// The terminal.
        #[arg(long, value_name = "TERMINAL")]
        terminal: String,
        /// The day in the terminal's time zone, such as 2026-11-20.
        #[arg(long, value_name = "DAY", value_parser = day)]
        day: Date,
    },
}

/// A file to import.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct ClearingImport {
    /// The terminal that the file is about; several times for several terminals of one merchant.
    #[arg(long = "terminal", value_name = "TERMINAL", required = true)]
    pub terminals: Vec<String>,
    /// The file that says what the columns mean; docs/settlement.md describes it.
    #[arg(long, value_name = "FILE")]
    pub mapping: PathBuf,
    /// Reads and matches, prints what would be imported, and writes nothing.
    #[arg(long)]
    pub check: bool,
    /// The clearing file: CSV in UTF-8.
    pub file: PathBuf,
}

impl CommandContext<'_> {
    /// Carries out a subcommand of `settlement`.
    pub(super) async fn settlement(
        &self,
        command: SettlementCommand,
    ) -> Result<String, CommandError> {
        match command {
            SettlementCommand::Import(import) => self.import_clearing(import).await,
            SettlementCommand::SandboxFile { terminal, day } => {
                self.sandbox_file(&terminal, day).await
            }
        }
    }

    async fn import_clearing(&self, import: ClearingImport) -> Result<String, CommandError> {
        let mut terminal_ids = import.terminals;
        terminal_ids.sort();
        terminal_ids.dedup();
        let merchant_id = self.merchant_of(&terminal_ids).await?;
        let text = String::from_utf8(contents(&import.mapping)?)
            .map_err(|_| about(&import.mapping, "the file must be UTF-8"))?;
        let mapping = Mapping::parse(&text).map_err(|problem| about(&import.mapping, problem))?;
        if let Some(acquirer) = &mapping.acquirer
            && !modes::acquirer_names(self.config)?.contains(acquirer)
        {
            let accepts = "acquirer must be the name of an acquirer in PAYFRAME_ACQUIRERS";
            return Err(about(&import.mapping, accepts));
        }
        let bytes = contents(&import.file)?;
        let lines = read(&mapping, &bytes).map_err(|problem| about(&import.file, problem))?;
        let name = import.file.file_name().unwrap_or_default();
        let name = name.to_string_lossy();
        let file = ClearingFile {
            merchant_id: &merchant_id,
            terminal_ids: &terminal_ids,
            name: &name,
            hash: &hash_of_bytes(&bytes),
            mapping: &mapping.name,
            acquirer: mapping.acquirer.as_deref(),
            missing_after_days: mapping.missing_after_days,
            lines,
        };
        let matched = match Box::pin(match_file(&self.store, file)).await? {
            Matching::ImportedBefore { file_id } => {
                return Ok(format!(
                    "{name} was imported before, as settlement {file_id}; nothing was changed\n"
                ));
            }
            Matching::New(matched) => matched,
        };
        let summary = matched.summary();
        if import.check {
            return Ok(format!("{name} can be imported\n{}", described(&summary)));
        }
        let file_id = self.write_clearing(&matched, (&merchant_id, &name)).await?;
        let mut told = format!("{name} is settlement {file_id}\n{}", described(&summary));
        if let Err(problem) = self.compare_with_files(&merchant_id).await {
            // The file is imported nevertheless.
            let _ = writeln!(
                told,
                "the comparison with all operations did not end, and goes on within an hour: {problem}"
            );
        }
        Ok(told)
    }

    /// Compares the operations that came due, as the gateway does every hour: after a file that begins earlier than those before it they are so many
    /// that the pages of the back office would take long to compare them.
    async fn compare_with_files(&self, merchant_id: &str) -> Result<(), StoreError> {
        let watch = ClearingWatch {
            store: &self.store,
            now_ms: self.clock.now_ms(),
            piece: PIECE,
        };
        watch.compare_merchant(merchant_id).await
    }

    async fn sandbox_file(&self, terminal_id: &str, day: Date) -> Result<String, CommandError> {
        let mut connection = self.store.read().await?;
        super::must_exist(&mut connection, terminal_id).await?;
        let window = (at_terminal(day, 0), day_over(day));
        let operations = settlements::expected(&mut connection, terminal_id, window).await?;
        let file = modes::clearing_file(self.config, &operations, day).await?;
        file.ok_or_else(|| {
            CommandError::Failed(String::from(
                "only a sandbox has an acquirer of its own; in production the acquirer sends the file",
            ))
        })
    }

    async fn write_clearing(
        &self,
        matched: &MatchedFile<'_>,
        (merchant_id, name): (&str, &str),
    ) -> Result<String, CommandError> {
        let file_id = random_operation_id()?;
        let mut change = self.store.write(Subject::Clearing(merchant_id)).await?;
        let who = (self.clock.now_ms(), self.os_user.as_str());
        matched
            .write(&mut change, &file_id, who)
            .await
            .map_err(|problem| CommandError::Failed(problem.to_string()))?;
        let Summary {
            lines, differences, ..
        } = matched.summary();
        let differing: usize = differences.iter().map(|(_, count)| count).sum();
        let subject = format!("settlement {file_id}");
        let detail = format!("{name}, {lines} lines, {differing} of them differ");
        self.log_of(
            &mut change,
            merchant_id,
            Act::ImportSettlement,
            (&subject, &detail),
        )
        .await?;
        change.commit().await.map_err(StoreError::from)?;
        Ok(file_id)
    }

    /// The merchant of all these terminals.
    async fn merchant_of(&self, terminal_ids: &[String]) -> Result<String, CommandError> {
        let mut connection = self.store.read().await?;
        let mut found: Option<String> = None;
        for terminal_id in terminal_ids {
            super::must_exist(&mut connection, terminal_id).await?;
            let merchant_id = merchants::terminal(&mut connection, terminal_id)
                .await?
                .merchant_id;
            if found.as_ref().is_some_and(|known| *known != merchant_id) {
                return Err(CommandError::Failed(String::from(
                    "the terminals belong to several merchants; import the file of each merchant on its own",
                )));
            }
            found = Some(merchant_id);
        }
        // There is at least one terminal: the command line requires it.
        found.ok_or_else(|| CommandError::Failed(String::from("no terminal is given")))
    }
}

fn contents(path: &Path) -> Result<Vec<u8>, CommandError> {
    let size = std::fs::metadata(path).map_err(|problem| about(path, problem))?;
    if size.len() > LARGEST {
        return Err(about(path, "the file must have at most 64 MiB; split it"));
    }
    std::fs::read(path).map_err(|problem| about(path, problem))
}

fn about(path: &Path, problem: impl std::fmt::Display) -> CommandError {
    CommandError::Failed(format!("{}: {problem}", path.display()))
}

fn described(summary: &Summary) -> String {
    let mut text = format!(
        "{} lines: {} agree with an operation",
        summary.lines, summary.agreeing
    );
    if summary.others > 0 {
        let _ = write!(text, ", {} are fees or corrections", summary.others);
    }
    text.push('\n');
    if summary.repeated > 0 {
        let _ = writeln!(
            text,
            "{} lines were read before, and are not booked again",
            summary.repeated
        );
    }
    for (difference, count) in &summary.differences {
        let _ = writeln!(
            text,
            "{count} {}: {}",
            difference.code(),
            difference.action()
        );
    }
    text
}

fn day(text: &str) -> Result<Date, &'static str> {
    Date::parse(text).ok_or("a day is written as 2026-11-20")
}

/// In bytes.
const LARGEST: u64 = 64 * 1024 * 1024;
