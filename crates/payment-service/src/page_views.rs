//! The data for the pages of the gateway's own origin: the form, its fields, and simulated pages of an issuer or a method.
//!
//! The form and the fields identify a session by its id. The other pages use the token in their address. A token gives access to its own
//! page only.

use payframe_money::Amount;
use payframe_payment_domain::operation::ActionType;
use payframe_payment_domain::session::ChallengeMeans;
use payframe_payment_domain::terms::{CardField, FramingPages};
use payframe_payment_ports::three_ds_server::{BrowserForm, Confirmation};
use payframe_protocol::boot::{Boot, Driver, ErrorsPlace, FieldBoot};
use serde::Deserialize;
use thiserror::Error;

/// Why the form cannot be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FormError {
    /// No session has this id.
    #[error("no session has this id")]
    Unknown,
    /// The session has ended without a payment.
    #[error("the session has ended without a payment")]
    Dead,
    /// An internal error; see the log.
    #[error("an internal error, which is in the log")]
    Failed,
}

/// The data of a form.
#[derive(Clone, Debug)]
pub struct FormView {
    /// Embedded in the page.
    pub boot: Boot,
    /// What the payment is to do.
    pub action: ActionType,
    /// The amount to pay: in the card's own currency, if the buyer chose it and the card was accepted.
    pub amount: Amount,
    /// ISO 4217 letters.
    pub currency: String,
    /// Three-letter code of the session's language, lower case. Used if the address names no language.
    pub language: String,
    /// The pages that may frame the page.
    pub framing: FramingPages,
    /// Hash of the terminal's font.
    pub font: Option<String>,
    /// Whether this document or the next one shows saved cards.
    pub pass: FormPass,
}

/// What a document of the form has to do with passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormPass {
    /// Nothing.
    None,
    /// It shows saved cards, and keeps this pass for the next document.
    Kept(String),
    /// The customer has saved cards, and this document does not show them: it looks for a pass in its tab.
    LookedFor,
}

/// What the caller of a document shows to get saved cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asker<'a> {
    /// A browser that loads the document into a frame, with the pass of the document before, if it has one.
    Frame(Option<&'a str>),
    /// Anything else, such as a window, or a check whether the page is there. It gets no saved cards and takes nobody's turn.
    Other,
}

/// A request for a form.
#[derive(Clone, Copy, Debug)]
pub struct FormRequest<'a> {
    /// The session id in the address.
    pub session_id: &'a str,
    /// The session of an existing form. The new session takes over that form with the typed values.
    pub former: Option<&'a str>,
    /// Who asks, which decides whether saved cards are shown.
    pub asker: Asker<'a>,
}

/// A request for a field.
pub struct FieldRequest<'a> {
    /// The session id in the address.
    pub session_id: &'a str,
    /// Field id; not validated.
    pub id: &'a str,
    /// Origin of the page that sends the request, if the browser reports it.
    pub asker: Option<&'a str>,
    /// Which frame runs the widget.
    pub driver: Driver,
    /// Whether the input shows an example.
    pub placeholder: bool,
    /// Where validation errors are shown.
    pub errors: ErrorsPlace,
    /// The merchant's own label.
    pub label: Option<String>,
}

/// Why a field cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FieldError {
    /// No session has this id.
    #[error("no session has this id")]
    Unknown,
    /// The session has ended without a payment.
    #[error("the session has ended without a payment")]
    Dead {
        /// The pages that contain the fields.
        framing: FramingPages,
    },
    /// The session has no such field.
    #[error("the session has no such field")]
    NoSuchField {
        /// The pages that contain the fields.
        framing: FramingPages,
    },
    /// The request comes from a page that is not the merchant's.
    #[error("the request comes from a page that is not the merchant's")]
    OtherOrigin,
    /// An internal error; see the log.
    #[error("an internal error, which is in the log")]
    Failed,
}

/// The data of a field.
#[derive(Clone, Debug)]
pub struct FieldView {
    /// Embedded in the page.
    pub boot: FieldBoot,
    /// The kind of the field.
    pub kind: FieldKind,
    /// Three-letter code of the session's language, lower case. Used if the address names no language.
    pub language: String,
    /// The pages that may frame the page.
    pub framing: FramingPages,
    /// Hash of the terminal's font.
    pub font: Option<String>,
}

/// The kind of a field (contract 2.10).
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
    /// The pages that may frame the page.
    pub framing: FramingPages,
    /// How long the check takes before it reports. `None`: it reports at once.
    pub delay_ms: Option<u64>,
    /// The check never reports.
    pub never: bool,
    /// The check has already reported, or is no longer needed.
    pub already_done: bool,
}

/// A device check that runs an issuer's 3DS method.
#[derive(Clone, PartialEq, Eq)]
pub struct IssuerDeviceCheck {
    /// The pages that may frame the page.
    pub framing: FramingPages,
    /// Whether it is still needed.
    pub is_due: bool,
    /// What it posts in a hidden frame. `None`: the issuer has no 3DS method.
    pub form: Option<BrowserForm>,
}

/// The way to an issuer's page.
#[derive(Clone, PartialEq, Eq)]
pub struct IssuerForm {
    /// The pages that may frame the page.
    pub framing: FramingPages,
    /// Whether our own frame shows the challenge. In 3-step payments, the merchant's page opens it.
    pub framed_by_us: bool,
    /// Three-letter code, lower case. Empty: the browser's language is used.
    pub language: String,
    /// What the browser posts in a frame. `None`: the challenge is over, or has no page of the issuer.
    pub form: Option<BrowserForm>,
    /// How the issuer asks now. `None`: the challenge is over.
    pub means: Option<ChallengeMeans>,
}

/// The data of the page that waits while the issuer asks the buyer apart from the browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingView {
    /// The pages that may frame the page.
    pub framing: FramingPages,
    /// Three-letter code, lower case. Empty: the browser's language is used.
    pub language: String,
    /// What the issuer tells the buyer.
    pub notice: Option<String>,
}

/// The data of the page that asks the buyer's device for a confirmation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmationView {
    /// The pages that may frame the page.
    pub framing: FramingPages,
    /// Three-letter code, lower case. Empty: the browser's language is used.
    pub language: String,
    /// What the browser is asked. `None`: it is over, and the challenge's address leads on.
    pub asked: Option<Confirmation>,
}

/// The next step after the outcome of a confirmation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfirmationStep {
    /// The issuer has answered: the challenge's address leads on.
    Over,
    /// The confirmation no longer exists.
    Gone,
    /// Nobody has answered; see the log. The confirmation is unchanged.
    Failed,
}

/// The data of a challenge page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChallengeView {
    /// The pages that may frame the page.
    pub framing: FramingPages,
    /// Name of the merchant.
    pub merchant: String,
    /// What the cardholder is to pay: the sum of an accepted offer in the card's own currency, if there is one.
    pub amount: Amount,
    /// ISO 4217 letters.
    pub currency: String,
    /// Three-letter code, lower case. Empty: the browser's language is used.
    pub language: String,
    /// Last four digits of the card.
    pub last4: String,
    /// The page accepts answers but never finishes.
    pub never_ends: bool,
    /// How the issuer asks now. `None`: the challenge is over: show the return page.
    pub means: Option<ChallengeMeans>,
    /// Whether our own frame shows the challenge. In 3-step payments, the merchant's page opens it.
    pub framed_by_us: bool,
}

/// The next step of a challenge after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeStep {
    /// The code was wrong, and attempts remain.
    AskAgain {
        /// At least 1.
        left: u8,
    },
    /// The outcome is recorded: redirect the browser to the return page.
    Return,
    /// The challenge no longer exists.
    Gone,
    /// An internal error; see the log. The challenge is unchanged.
    Failed,
}

/// The data of an alternative method's page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodView {
    /// The pages that may frame the page.
    pub framing: FramingPages,
    /// Name of the merchant.
    pub merchant: String,
    /// Name of the method. Empty if the payment has an outcome.
    pub method: String,
    /// What is to be paid.
    pub amount: Amount,
    /// ISO 4217 letters.
    pub currency: String,
    /// Three-letter code, lower case.
    pub language: String,
    /// The payment has an outcome: show the return page.
    pub finished: bool,
}

/// The next step of an alternative method after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodStep {
    /// The outcome is recorded: redirect the browser to the return page.
    Return,
    /// The payment no longer exists.
    Gone,
    /// An internal error; see the log. The outcome is recorded later, or the buyer can answer the page again.
    Failed,
}

/// Where the browser goes after a challenge or an alternative method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReturnView {
    /// The pages that may frame the page.
    pub framing: FramingPages,
    /// The merchant's `resultUrl`, or its `cancelUrl` if the payment was cancelled. For a page that is not framed.
    pub return_url: String,
}

/// What a browser sends at the start of its part of a 3-step payment (contract 8.1.5).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct StepRequest {
    /// `threeDSAuthRequest` of the first call.
    #[serde(rename = "ThreeDsRequest")]
    pub request: String,
    /// Where the browser goes with the result.
    #[serde(rename = "ReturnUrl")]
    pub return_url: String,
    /// The operation id of the first call.
    #[serde(rename = "transactionId")]
    pub operation_id: String,
}

/// The next step of a browser that sends the request of a 3-step payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepStart {
    /// Redirect to the page of the payment with this token, which redirects further if there is nothing to do.
    Started(String),
    /// The address to return to is none that a browser may be sent to.
    Wrong,
    /// The payment does not exist.
    Gone,
    /// An internal error; see the log. The browser can repeat the request.
    Failed,
}

/// What the browser does in a 3-step payment whose issuer speaks the real protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepView {
    /// It describes itself by the device check with the same token. Then the issuer is asked.
    BrowserDue {
        /// The pages that may frame the page.
        framing: FramingPages,
    },
    /// It goes to the challenge with the same token.
    Challenge {
        /// The pages that may frame the page.
        framing: FramingPages,
    },
    /// It goes back to the merchant.
    Return(StepReturnView),
}

/// The return from the challenge of a 3-step payment: a form that the browser posts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepReturnView {
    /// The pages that may frame the page: that of `return_url`.
    pub framing: FramingPages,
    /// The target of the form.
    pub return_url: String,
    /// `PaRes`
    pub response: String,
    /// `paymentId`
    pub operation_id: String,
}

impl StepReturnView {
    /// Names and values of the form.
    pub fn fields(&self) -> [(&str, &str); 2] {
        [
            ("PaRes", self.response.as_str()),
            ("paymentId", self.operation_id.as_str()),
        ]
    }
}
