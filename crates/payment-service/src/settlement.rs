//! Imports the lines of an acquirer's clearing file: matches them with operations, and writes them, all or none.
//!
//! Matching only reads, so that payments do not wait for it. [`MatchedFile::write`] then writes in one transaction of the caller, who
//! begins it for [`Subject::Clearing`](payframe_storage::Subject::Clearing) and adds an entry to the audit log.

use payframe_payment_domain::settlement::{BookedOperation, ClearingLine, Difference, match_line};
use payframe_storage::settlements::{self, NewFile, NewLine, NewScope};
use payframe_storage::{Connection, Store, StoreError};
use payframe_vault::hash;
use std::collections::{HashMap, HashSet};

/// A file that was read.
pub struct ClearingFile<'a> {
    /// The merchant of its terminals.
    pub merchant_id: &'a str,
    /// The terminals that it is about.
    pub terminal_ids: &'a [String],
    /// Its name, without a folder.
    pub name: &'a str,
    /// The hash of its bytes.
    pub hash: &'a str,
    /// The name of its format.
    pub mapping: &'a str,
    /// The acquirer of the operator's file. `None`: it has the operations of all.
    pub acquirer: Option<&'a str>,
    /// An operation is missed after so many days.
    pub missing_after_days: u16,
    /// What it says.
    pub lines: Vec<ClearingLine>,
}

/// A file whose lines are matched, and not written yet.
pub struct MatchedFile<'a> {
    file: ClearingFile<'a>,
    lines: Vec<MatchedLine>,
    repeated: usize,
    /// How many files the merchant had when the lines were matched.
    files_before: i64,
}

struct MatchedLine {
    line: ClearingLine,
    hash: String,
    operation_id: Option<String>,
    difference: Option<Difference>,
}

/// What a file is matched to.
pub enum Matching<'a> {
    /// A file with the same bytes was imported: it has this id.
    ImportedBefore {
        /// Its id.
        file_id: String,
    },
    /// It is new.
    New(MatchedFile<'a>),
}

/// What is imported, in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Lines that no file before it has.
    pub lines: usize,
    /// Lines that were read before. They are not among the others.
    pub repeated: usize,
    /// Lines that agree with an operation.
    pub agreeing: usize,
    /// Lines of fees, chargebacks and corrections.
    pub others: usize,
    /// Differences, by what differs: those that are there.
    pub differences: Vec<(Difference, usize)>,
}

/// Why a matched file was not written.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Another file was imported since the lines were matched.
    #[error("another file was imported meanwhile; import this one again")]
    Overtaken,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Matches the lines of a file. It writes nothing.
pub async fn match_file<'a>(
    store: &Store,
    mut file: ClearingFile<'a>,
) -> Result<Matching<'a>, StoreError> {
    let mut connection = store.read().await?;
    let before = settlements::imported_before(&mut connection, file.merchant_id, file.hash).await?;
    if let Some(file_id) = before {
        return Ok(Matching::ImportedBefore { file_id });
    }
    let files_before = settlements::count_files(&mut connection, file.merchant_id).await?;
    let all = std::mem::take(&mut file.lines);
    let times = || all.iter().map(|line| line.booked_ms);
    let from_ms = times().min().unwrap_or_default();
    let to_ms = times().max().unwrap_or_default();
    let mut known =
        settlements::known_lines(&mut connection, file.merchant_id, (from_ms, to_ms)).await?;
    let by_retrieval = match all.iter().any(|line| line.references.retrieval.is_some()) {
        true => {
            let window = (from_ms - LOOK_BACK_MS, to_ms + DAY_MS);
            settlements::payments_by_retrieval(&mut connection, file.merchant_id, window).await?
        }
        false => HashMap::new(),
    };
    let mut books = Books {
        connection: &mut connection,
        merchant_id: file.merchant_id,
        by_retrieval,
        cleared: HashSet::new(),
    };
    let mut lines = Vec::with_capacity(all.len());
    let mut repeated = 0;
    for line in all {
        let hash = hash(&line.identity);
        if known.insert(hash.clone()) {
            lines.push(books.matched(line, hash).await?);
        } else {
            repeated += 1;
        }
    }
    Ok(Matching::New(MatchedFile {
        file,
        lines,
        repeated,
        files_before,
    }))
}

/// The merchant's operations, as far as lines name them.
struct Books<'a> {
    connection: &'a mut Connection,
    merchant_id: &'a str,
    by_retrieval: HashMap<String, Vec<String>>,
    /// The operations that lines of this file cleared.
    cleared: HashSet<String>,
}

impl Books<'_> {
    async fn matched(
        &mut self,
        line: ClearingLine,
        hash: String,
    ) -> Result<MatchedLine, StoreError> {
        let mut candidates = self.candidates(&line).await?;
        for one in &mut candidates {
            one.is_cleared |= self.cleared.contains(&one.operation_id);
        }
        let verdict = match_line(&line, &candidates);
        let operation_id = verdict.operation.map(|one| one.operation_id.clone());
        let difference = verdict.difference;
        self.cleared.extend(operation_id.clone());
        Ok(MatchedLine {
            line,
            hash,
            operation_id,
            difference,
        })
    }

    /// The operations of what the line names: by the operation, or else by the retrieval reference, or else by the order.
    async fn candidates(
        &mut self,
        line: &ClearingLine,
    ) -> Result<Vec<BookedOperation>, StoreError> {
        let (connection, merchant_id) = (&mut *self.connection, self.merchant_id);
        let references = &line.references;
        if let Some(operation_id) = &references.operation_id {
            let payment_id =
                payframe_storage::ledger::payment_of(connection, merchant_id, operation_id).await?;
            if let Some(payment_id) = payment_id {
                return settlements::booked_of_payment(connection, merchant_id, &payment_id).await;
            }
        }
        let retrieval = references.retrieval.as_ref();
        if let Some(payments) = retrieval.and_then(|one| self.by_retrieval.get(one)) {
            let mut found = Vec::new();
            for payment_id in payments {
                found.extend(
                    settlements::booked_of_payment(connection, merchant_id, payment_id).await?,
                );
            }
            return Ok(found);
        }
        match &references.order_id {
            Some(order_id) => settlements::booked_of_order(connection, merchant_id, order_id).await,
            None => Ok(Vec::new()),
        }
    }
}

impl MatchedFile<'_> {
    /// What is imported, in numbers.
    pub fn summary(&self) -> Summary {
        let count = |difference| {
            let of_kind = self.lines.iter();
            of_kind.filter(|one| one.difference == difference).count()
        };
        let none = count(None);
        let without = self.lines.iter().filter(|one| one.operation_id.is_none());
        let others = without.filter(|one| one.difference.is_none()).count();
        Summary {
            lines: self.lines.len(),
            repeated: self.repeated,
            agreeing: none - others,
            others,
            differences: Difference::ALL
                .into_iter()
                .map(|one| (one, count(Some(one))))
                .filter(|(_, count)| *count > 0)
                .collect(),
        }
    }

    /// Writes the file with its lines, and which operations its kind has to have.
    ///
    /// # Errors
    /// Another file of the merchant was imported since: its lines may be about the same operations.
    pub async fn write(
        &self,
        change: &mut Connection,
        file_id: &str,
        (imported_ms, imported_by): (i64, &str),
    ) -> Result<(), ImportError> {
        let file = &self.file;
        let since_ms = self.lines.iter().map(|one| one.line.booked_ms).min();
        for terminal_id in file.terminal_ids {
            let scope = NewScope {
                terminal_id,
                acquirer: file.acquirer.unwrap_or_default(),
                since_ms: since_ms.unwrap_or(imported_ms),
                missing_after_days: file.missing_after_days,
            };
            settlements::put_scope(change, &scope).await?;
        }
        if settlements::count_files(change, file.merchant_id).await? != self.files_before {
            return Err(ImportError::Overtaken);
        }
        let new = NewFile {
            file_id,
            merchant_id: file.merchant_id,
            hash: file.hash,
            name: file.name,
            mapping: file.mapping,
            terminal_ids: file.terminal_ids,
            imported_ms,
            imported_by,
            repeated: self.repeated,
        };
        let lines: Vec<NewLine<'_>> = self
            .lines
            .iter()
            .map(|one| NewLine {
                line: &one.line,
                hash: &one.hash,
                operation_id: one.operation_id.as_deref(),
                difference: one.difference,
            })
            .collect();
        Ok(settlements::add(change, &new, &lines).await?)
    }
}

const DAY_MS: i64 = 86_400_000;

/// How long before its booking an operation may have been made that is named by its retrieval reference alone: 12 digits come again.
const LOOK_BACK_MS: i64 = 45 * DAY_MS;
