//! A difference between a clearing file and the books: what it is about, where it stands in the list, and who cleared it.

use crate::{Row, StoreError};
use payframe_payment_domain::settlement::Difference;

/// A difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferenceRow {
    /// What it is about.
    pub target: Target,
    /// What differs.
    pub difference: Difference,
    /// When the acquirer booked the line, or when the operation was made.
    pub at_ms: i64,
    /// The day of the booking in the file's time zone. `None`: no file has it.
    pub booked_day: Option<String>,
    /// The file that the line is in: its id and its name.
    pub file: Option<(String, String)>,
    /// The operation.
    pub operation_id: Option<String>,
    /// Its order.
    pub order_id: Option<String>,
    /// What the line calls the operation, if it names one.
    pub reference: Option<String>,
    /// What the file has, with a sign.
    pub cleared: Option<(i64, String)>,
    /// What the books have, without a sign.
    pub booked: Option<(i64, String)>,
    /// Who cleared it. `None`: nobody.
    pub resolved: Option<ResolvedBy>,
}

impl DifferenceRow {
    /// Its place in the list.
    pub fn place(&self) -> DifferencePlace {
        DifferencePlace {
            at_ms: self.at_ms,
            target: self.target.clone(),
        }
    }
}

/// Who cleared a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedBy {
    /// The name of the member.
    pub member: String,
    /// When.
    pub at_ms: i64,
    /// Why.
    pub note: String,
}

/// What a difference is about, in the order in which both come at the same time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// An operation that no file has.
    Operation {
        /// Its id.
        operation_id: String,
    },
    /// A line of a file.
    Line {
        /// The file.
        file_id: String,
        /// Where it begins.
        number: i64,
    },
}

/// Which differences are asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct DifferenceFilter<'a> {
    /// Only this one.
    pub difference: Option<Difference>,
    /// Only these.
    pub state: Option<DifferenceState>,
    /// Only those of this file.
    pub file_id: Option<&'a str>,
}

/// Whether somebody cleared a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceState {
    /// Nobody did.
    Open,
    /// Somebody did.
    Cleared,
}

/// All of them.
pub const ALL_STATES: [DifferenceState; 2] = [DifferenceState::Open, DifferenceState::Cleared];

impl DifferenceState {
    /// Its code in addresses.
    pub fn code(self) -> &'static str {
        match self {
            DifferenceState::Open => "OPEN",
            DifferenceState::Cleared => "CLEARED",
        }
    }

    /// The state of a code.
    pub fn from_code(code: &str) -> Option<DifferenceState> {
        ALL_STATES.into_iter().find(|state| state.code() == code)
    }
}

/// A place in the list: behind this difference. At the same time, lines of files come before operations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DifferencePlace {
    /// Its time.
    pub at_ms: i64,
    /// What it is about.
    pub target: Target,
}

impl DifferencePlace {
    /// The place of a text that [`std::fmt::Display`] wrote.
    pub fn parse(text: &str) -> Option<DifferencePlace> {
        let (at_ms, target) = text.split_once(':')?;
        Some(DifferencePlace {
            at_ms: at_ms.parse().ok()?,
            target: Target::parse(target)?,
        })
    }

    /// Lines of files that are behind: before the time, or then and before the line of the file.
    pub(super) fn lines(&self) -> (i64, &str, i64) {
        match &self.target {
            Target::Line { file_id, number } => (self.at_ms, file_id, *number),
            Target::Operation { .. } => (self.at_ms, "", 0),
        }
    }

    /// Operations that are behind: before the time, or then and with a lower id.
    pub(super) fn operations(&self) -> (i64, &str) {
        match &self.target {
            Target::Line { .. } => (self.at_ms.saturating_add(1), ""),
            Target::Operation { operation_id } => (self.at_ms, operation_id),
        }
    }
}

impl std::fmt::Display for DifferencePlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.at_ms, self.target)
    }
}

impl Target {
    /// The target of a text that [`std::fmt::Display`] wrote.
    pub fn parse(text: &str) -> Option<Target> {
        let is_id = |id: &str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        match text.split_once('-') {
            Some((file_id, number)) if is_id(file_id) && is_id(number) => Some(Target::Line {
                file_id: file_id.to_owned(),
                number: number.parse().ok()?,
            }),
            None if is_id(text) => Some(Target::Operation {
                operation_id: text.to_owned(),
            }),
            _ => None,
        }
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Target::Line { file_id, number } => write!(f, "{file_id}-{number}"),
            Target::Operation { operation_id } => f.write_str(operation_id),
        }
    }
}

/// Who cleared the difference of a row, if somebody did.
pub(super) fn resolved(row: &Row) -> Result<Option<ResolvedBy>, StoreError> {
    let at_ms: Option<i64> = row.try_get("resolved_ms")?;
    let Some(at_ms) = at_ms else {
        return Ok(None);
    };
    let member: Option<String> = row.try_get("resolver")?;
    let note: Option<String> = row.try_get("resolved_note")?;
    Ok(Some(ResolvedBy {
        member: member.unwrap_or_default(),
        at_ms,
        note: note.unwrap_or_default(),
    }))
}
