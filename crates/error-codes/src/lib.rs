//! All codes of the gateway: in refusals of calls, in warnings, and for the scripts on a merchant's page (contract 7.5, 10.7).
//!
//! Clients compare the codes, so their texts never change. The comment of a code is its meaning: the reference and the OpenAPI document
//! contain it too. [`explanation`] has the remedy, and who caused the code.

mod conversions;
mod explanation;

pub use explanation::{CodeSource, ResponsibleParty};

use strum::EnumMessage;

/// A code. Refusals are in the order of a call's checks; then warnings, then the codes for a merchant's page.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    strum::Display,
    strum::EnumIter,
    strum::EnumMessage,
    strum::IntoStaticStr,
)]
#[deny(clippy::missing_docs_in_private_items)]
pub enum ErrorCode {
    /// The API key, or the session of a frame, is missing or not valid.
    GW9020,
    /// Too many requests.
    GW9002,
    /// A sandbox fault that the call requested.
    GW9005,
    /// Request too large.
    GW9004,
    /// The body is not JSON (415 if its media type is not JSON).
    PS0035,
    /// The idempotency key is malformed, was left out by a frame, or was used for another request.
    PS0025,
    /// A member is unknown, and the caller wants a refusal in that case (`Prefer: handling=strict`).
    GW9106,
    /// An address has an unknown country, and the caller wants a refusal in that case (`Prefer: handling=strict`); otherwise the address is ignored.
    GW9107,
    /// A request with this idempotency key is still running.
    GW9001,
    /// The terminal has no acquirer: nothing can be charged, authorized, captured or refunded.
    GW9009,
    /// Buyers of the terminal cannot be authenticated, and its operator has not allowed payments without authentication.
    GW9010,
    /// The build session has expired, or is not yours.
    PS0061,
    /// Script in the data.
    PS0041,
    /// The merchant's URL is not valid.
    GW0001,
    /// A parameter is missing or not valid; the text names it.
    PS0026,
    /// The card was not encrypted with a key that is valid now, for this session; or it was not encrypted although it has to be.
    GW9008,
    /// An amount is not a number.
    PS0036,
    /// A date in the body is not a date.
    PS0008,
    /// A time in the query is not a time.
    PS0010,
    /// A time of day is not HH:mm.
    PS0011,
    /// Somebody tries out cards at the terminal, and the card comes without the proof of work that is due for it.
    GW9015,
    /// The currency is not accepted.
    PS0009,
    /// The session's amount is above the order's.
    PS0007,
    /// The installments exceed the order's amount.
    PS0005,
    /// An installment's date is not a date, or in the past.
    PS0006,
    /// The window begins after its end.
    PS0012,
    /// The stay begins after its end.
    PS0013,
    /// The link's data does not fit together.
    PS0042,
    /// The origin of the page that embeds the form is not proven for the terminal.
    GW0002,
    /// Tenant, merchant or terminal not found.
    PS0040,
    /// The terminal of the payment methods was not found.
    PS0051,
    /// The terminal was not found.
    PS0052,
    /// The contract's id is not valid.
    PS0017,
    /// No contract was found.
    PS0018,
    /// The id is used by an approved payment, or with another amount or currency.
    GW9006,
    /// The object is in use and cannot be cancelled.
    GW9007,
    /// The event of the cursor is not in the feed: it is older than the feed keeps, or the cursor is of another feed.
    GW9011,
    /// The order is not the one that the caller saw: its version is not that of `If-Match`.
    GW9012,
    /// The link is used already.
    PS0045,
    /// The link could not be cancelled.
    PS0044,
    /// Voided, cannot be captured.
    PS0022,
    /// Executed, cannot be captured.
    PS0023,
    /// Refunded, cannot be captured.
    PS0024,
    /// Voided already.
    PS0028,
    /// Refunded already.
    PS0027,
    /// The method does not allow a cancel.
    PS0001,
    /// A cancel is possible on the same day only.
    PS0002,
    /// The refund exceeds what was captured.
    PS0029,
    /// A dispute holds the money, or took it back.
    GW9014,
    /// The state does not allow this call; the text names the state and what it allows.
    GW9003,
    /// The card could not be verified.
    PS0004,
    /// The charge without the buyer failed.
    PS0043,
    /// The method could not void.
    PS0032,
    /// The method could not refund.
    PS0033,
    /// The method could not capture.
    PS0034,
    /// The gateway's database is away, has no free connection, or the gateway has too many calls at work.
    GW9013,
    /// A failure of ours.
    PS0000,
    /// The language is not available, so English is used.
    GW9101,
    /// The currency offer that the buyer accepted is withdrawn, because the amount changed.
    GW9102,
    /// An earlier session or page of the same order is closed.
    GW9103,
    /// The currency has been withdrawn.
    GW9104,
    /// The idempotency key was missing, so the gateway made one.
    GW9105,
    /// 3-D Secure was not done, or was not possible.
    TRA001,
    /// The security code, the e-mail address, a consent or a choice is wrong.
    HF0001,
    /// The service is briefly unavailable.
    HF0002,
    /// The session is over.
    HF0003,
    /// The card number has a wrong check digit or length.
    HF0004,
    /// The card's network is not accepted.
    HF0005,
    /// The card has expired, or the value is not an expiry date.
    HF0006,
    /// The holder's name is wrong; at `confirmData()`: some field is, see `validationStatus`.
    HF0007,
    /// The device check failed, and the payment with it.
    HF0009,
    /// The currency offer has expired, or does not match this payment.
    HF9001,
    /// The frame cannot run: blocked, not loaded, or no such field.
    HF9002,
    /// The page's origin is not that of `merchantUrl`.
    HF9003,
    /// A method was called in a state that does not allow it.
    HF9004,
}

impl ErrorCode {
    /// The meaning, as part of a sentence or of a table: without the full stop.
    pub fn meaning(self) -> &'static str {
        self.get_documentation()
            .unwrap_or_default()
            .trim_end_matches('.')
    }
}

#[cfg(test)]
mod tests;
