//! What the pages of the gateway's own origin need to know of a payment: the form, its fields, and pages that it shows in an
//! issuer's or a method's place.
//!
//! Pages know a session by its id (the form, the fields) or by the token in their address (the others). The tokens
//! open nothing but their own page.

use payframe_money::Amount;
use payframe_payment_domain::operation::ActionType;
use payframe_payment_domain::terms::CardField;
use payframe_protocol::boot::{Boot, Driver, ErrorsPlace, FieldBoot};

/// Why there is no form to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormError {
    /// No session has this id.
    Unknown,
    /// The session has ended without a payment.
    Dead,
    /// The gateway failed; it is in the log.
    Failed,
}

/// A form to show.
#[derive(Clone, Debug)]
pub struct FormView {
    /// Goes into the page.
    pub boot: Boot,
    /// What the payment is to do.
    pub action: ActionType,
    /// What the buyer pays: in the card's own currency, once that was chosen and the card was taken.
    pub amount: Amount,
    /// ISO 4217 letters.
    pub currency: String,
    /// Three-letter code of the session's language, lower case: used where the address names none.
    pub language: String,
    /// Hash of the terminal's font.
    pub font: Option<String>,
}

/// Which field is asked for, and how it is wanted.
pub struct FieldAsk<'a> {
    /// As the address names it.
    pub session_id: &'a str,
    /// Field id; anything.
    pub id: &'a str,
    /// Origin of the page that asks, where the browser says it.
    pub asker: Option<&'a str>,
    /// Which frame runs the widget.
    pub driver: Driver,
    /// Whether the input shows an example.
    pub placeholder: bool,
    /// Where mistakes are shown.
    pub errors: ErrorsPlace,
    /// The merchant's own label.
    pub label: Option<String>,
}

/// Why there is no field to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldError {
    /// No session has this id.
    Unknown,
    /// The session has ended without a payment.
    Dead {
        /// Origin of the page that holds the fields.
        merchant_origin: String,
    },
    /// The session has no such field.
    NoSuchField {
        /// Origin of the page that holds the fields.
        merchant_origin: String,
    },
    /// A page asks that is not the merchant's.
    OtherOrigin,
    /// The gateway failed; it is in the log.
    Failed,
}

/// A field to show.
#[derive(Clone, Debug)]
pub struct FieldView {
    /// Goes into the page.
    pub boot: FieldBoot,
    /// What it is.
    pub kind: FieldKind,
    /// Three-letter code of the session's language, lower case: used where the address names none.
    pub language: String,
    /// Hash of the terminal's font.
    pub font: Option<String>,
}

/// What a field is (contract 2.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// An input.
    Input(CardField),
    /// The button of a method.
    Button,
    /// The device check of version 2.
    DeviceCheck,
}

/// A device check to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceCheckView {
    /// Origin of the page that holds the form: may frame the page.
    pub merchant_origin: String,
    /// How long the check takes before it reports; `None` is at once.
    pub delay_ms: Option<u64>,
    /// The check never reports.
    pub never: bool,
    /// The check has reported before, or is not wanted any more.
    pub already_done: bool,
}

/// A challenge to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChallengeView {
    /// Origin of the page that holds the form: may frame the page.
    pub merchant_origin: String,
    /// Name of the merchant.
    pub merchant: String,
    /// Amount in minor units, digits only.
    pub amount_minor: String,
    /// ISO 4217 letters.
    pub currency: String,
    /// How many of the amount's digits stand behind the decimal separator.
    pub minor_digits: u8,
    /// Three-letter code, lower case; empty where the browser's own counts.
    pub language: String,
    /// Last four digits of the card.
    pub last4: String,
    /// The page takes answers but never finishes.
    pub never_ends: bool,
    /// The challenge has its outcome: show the return page.
    pub finished: bool,
    /// A frame that shows it is one that we made: not where the merchant's own page begins it, as with 3-step payments.
    pub framed_by_us: bool,
}

/// How a challenge goes on after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeStep {
    /// The code was wrong; that many tries are left.
    AskAgain {
        /// At least 1.
        left: u8,
    },
    /// The outcome is recorded: send the browser to the return page.
    Return,
    /// There is no such challenge any more.
    Gone,
    /// The gateway failed; it is in the log. The challenge is as it was.
    Failed,
}

/// The page of an alternative method to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodView {
    /// Origin of the page that holds the form: may frame the page.
    pub merchant_origin: String,
    /// Name of the merchant.
    pub merchant: String,
    /// Name of the method; empty where it has its outcome.
    pub method: String,
    /// Amount in minor units, digits only.
    pub amount_minor: String,
    /// ISO 4217 letters.
    pub currency: String,
    /// How many of the amount's digits stand behind the decimal separator.
    pub minor_digits: u8,
    /// Three-letter code, lower case.
    pub language: String,
    /// The payment has its outcome: show the return page.
    pub finished: bool,
}

/// How an alternative method goes on after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodStep {
    /// The outcome is recorded: send the browser to the return page.
    Return,
    /// There is no such payment any more.
    Gone,
    /// The gateway failed; it is in the log. The outcome will be booked, or the page can be answered again.
    Failed,
}

/// Where the browser goes after a challenge or an alternative method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReturnView {
    /// Origin of the page that holds the form: may frame the page.
    pub merchant_origin: String,
    /// The merchant's `resultUrl`, or its `cancelUrl` where the payment was cancelled. For a page that is not framed.
    pub return_url: String,
}

/// What becomes of a browser that comes with the request of a 3-step payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepStart {
    /// It goes to the challenge with this token, or on from there where that is over.
    Challenge(String),
    /// There is no such payment.
    Gone,
    /// The gateway failed; it is in the log. The browser may come again.
    Failed,
}

/// The way back from the challenge of a 3-step payment: a form that the browser posts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepReturnView {
    /// Origin of `return_url`: may frame the page.
    pub merchant_origin: String,
    /// Where the form goes.
    pub return_url: String,
    /// `PaRes`
    pub response: String,
    /// `paymentId`
    pub operation_id: String,
}
