//! An acquirer's clearing held against the gateway's operations: which operation a line of a file is about, and whether both agree.
//!
//! Files are read by `payframe_settlement_files`; this module knows no file, no table and no clock. Money of a line has a sign, from the
//! merchant's view: a payment is positive, a refund negative. A fee is positive if the acquirer keeps it, so `net = gross - fee`.

use super::operation::{Capture, OperationResult, OperationType};
use payframe_money::Amount;

/// What a line of a clearing file is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// Money for the merchant.
    Payment,
    /// Money that goes back to a buyer.
    Refund,
    /// A fee, a chargeback or a correction: it counts in the sums and belongs to no operation.
    Other,
}

/// One line of a clearing file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClearingLine {
    /// Where it begins in the file: 1 is the first line.
    pub number: u64,
    /// What it is about.
    pub kind: LineKind,
    /// What it calls the operation.
    pub references: References,
    /// The payout or batch that it belongs to.
    pub payout_id: Option<String>,
    /// The day on which the acquirer booked it, in the file's time zone: `2026-11-20`.
    pub booked_day: String,
    /// The same as an instant: the start of the day if the file tells no time.
    pub booked_ms: i64,
    /// Minor units, negative for refunds.
    pub gross_minor: i64,
    /// Minor units, positive if the acquirer keeps it.
    pub fee_minor: i64,
    /// Minor units: `gross_minor - fee_minor`.
    pub net_minor: i64,
    /// ISO 4217 code.
    pub currency: String,
    /// All that the line says, to recognize it in another file. Only its hash is stored.
    pub identity: String,
}

/// What a line calls its operation. At least one is there, unless the line is of [`LineKind::Other`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct References {
    /// The gateway's operation.
    pub operation_id: Option<String>,
    /// The merchant's order.
    pub order_id: Option<String>,
    /// The retrieval reference of the authorization.
    pub retrieval: Option<String>,
    /// The acquirer's own reference.
    pub acquirer: Option<String>,
}

/// A difference between a clearing file and the books.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Difference {
    /// The acquirer cleared another amount.
    AmountDiffers,
    /// The acquirer cleared another currency.
    CurrencyDiffers,
    /// No operation that moved money fits the line.
    NotInBooks,
    /// The operation was cleared by another line already.
    BookedTwice,
    /// The operation moved money, and no file has it in time.
    NotInFile,
}

/// An operation that moved money, as far as a line may be about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookedOperation {
    /// Its id.
    pub operation_id: String,
    /// Its order.
    pub order_id: String,
    /// Never [`LineKind::Other`].
    pub kind: LineKind,
    /// Its amount.
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: String,
    /// Whether a line was matched with it before.
    pub is_cleared: bool,
}

/// What became of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict<'a> {
    /// The operation that it is about.
    pub operation: Option<&'a BookedOperation>,
    /// `None`: both agree, or there is nothing to compare.
    pub difference: Option<Difference>,
}

/// The kind of line in which an acquirer clears an operation. `None`: this operation moved no money. `capture`: when the money of an
/// authorization is captured. If that is later, its captures move the money, and the authorization itself is never cleared.
pub fn clearing_kind(
    kind: OperationType,
    result: OperationResult,
    capture: Capture,
) -> Option<LineKind> {
    let line = match kind {
        OperationType::Authorization if capture == Capture::Explicit => return None,
        OperationType::Authorization
        | OperationType::Capture
        | OperationType::NoShow
        | OperationType::DelayCharge => LineKind::Payment,
        OperationType::Refund => LineKind::Refund,
        OperationType::CardVerification
        | OperationType::Void
        | OperationType::Cancel
        | OperationType::Incremental => return None,
    };
    result.moved_money().then_some(line)
}

/// Finds the operation of a line among those of the payments or orders that the line names, oldest first.
///
/// Acquirers often name the payment in the line of its refund, and the authorization in that of a capture. So an operation of the line's
/// kind is searched for: the one that the line names, or else one with the same money that no other line has cleared.
pub fn match_line<'a>(line: &ClearingLine, candidates: &'a [BookedOperation]) -> Verdict<'a> {
    if line.kind == LineKind::Other {
        return Verdict {
            operation: None,
            difference: None,
        };
    }
    let of_kind = || candidates.iter().filter(|one| one.kind == line.kind);
    let named =
        |one: &&BookedOperation| line.references.operation_id.as_ref() == Some(&one.operation_id);
    let has_same_money = |one: &&BookedOperation| money_difference(line, one).is_none();
    let found = of_kind()
        .find(named)
        .or_else(|| of_kind().find(|one| !one.is_cleared && has_same_money(one)))
        .or_else(|| of_kind().find(|one| !one.is_cleared))
        .or_else(|| of_kind().find(has_same_money))
        .or_else(|| of_kind().next());
    let difference = match found {
        None => Some(Difference::NotInBooks),
        Some(one) if one.is_cleared => Some(Difference::BookedTwice),
        Some(one) => money_difference(line, one),
    };
    Verdict {
        operation: found,
        difference,
    }
}

fn money_difference(line: &ClearingLine, one: &BookedOperation) -> Option<Difference> {
    if line.currency != one.currency {
        Some(Difference::CurrencyDiffers)
    } else if line.gross_minor.unsigned_abs() != one.amount.minor() {
        Some(Difference::AmountDiffers)
    } else {
        None
    }
}

impl LineKind {
    /// All of them.
    pub const ALL: [LineKind; 3] = [LineKind::Payment, LineKind::Refund, LineKind::Other];

    /// The code in the database and on the wire.
    pub fn code(self) -> &'static str {
        match self {
            LineKind::Payment => "PAYMENT",
            LineKind::Refund => "REFUND",
            LineKind::Other => "OTHER",
        }
    }

    /// The kind of a code.
    pub fn from_code(code: &str) -> Option<LineKind> {
        LineKind::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

impl Difference {
    /// All of them.
    pub const ALL: [Difference; 5] = [
        Difference::AmountDiffers,
        Difference::CurrencyDiffers,
        Difference::NotInBooks,
        Difference::BookedTwice,
        Difference::NotInFile,
    ];

    /// The code in the database, in addresses and on the wire.
    pub fn code(self) -> &'static str {
        self.row().0
    }

    /// The difference of a code.
    pub fn from_code(code: &str) -> Option<Difference> {
        Difference::ALL.into_iter().find(|one| one.code() == code)
    }

    /// The name for people.
    pub fn label(self) -> &'static str {
        self.row().1
    }

    /// What to do about it, in a sentence.
    pub fn action(self) -> &'static str {
        self.row().2
    }

    fn row(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Difference::AmountDiffers => (
                "AMOUNT_DIFFERS",
                "Another amount",
                "Ask the acquirer why it cleared another amount than it approved.",
            ),
            Difference::CurrencyDiffers => (
                "CURRENCY_DIFFERS",
                "Another currency",
                "Ask the acquirer why it cleared another currency than it approved.",
            ),
            Difference::NotInBooks => (
                "NOT_IN_BOOKS",
                "Not in the books",
                "Look for the reference with the acquirer: no operation that moved money fits this line.",
            ),
            Difference::BookedTwice => (
                "BOOKED_TWICE",
                "Booked twice",
                "Ask the acquirer to take one of the lines back: another line has cleared this operation already.",
            ),
            Difference::NotInFile => (
                "NOT_IN_FILE",
                "Not in a file",
                "Import the file that is missing, or ask the acquirer when it pays this operation out.",
            ),
        }
    }
}

#[cfg(test)]
mod tests;
