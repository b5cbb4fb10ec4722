//! Disputes of captured payments as the merchant's server reads them (own extension).

use serde::{Deserialize, Serialize};

/// Answer of `GET /disputes`: newest first. The rows have no `evidence` and no `files`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DisputeList {
    /// `[]` if none.
    pub disputes: Vec<Dispute>,
    /// Whether more disputes are behind these: `after` with the last `disputeId` reads on.
    pub has_more: bool,
}

/// A buyer's bank asks about a captured payment, or takes its money back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Dispute {
    /// UUID.
    pub dispute_id: String,
    /// The merchant's order.
    pub order_id: String,
    /// The operation whose captured money is disputed.
    pub operation_id: String,
    /// The terminal of the operation.
    pub terminal_id: String,
    /// The acquirer's own number of the case; absent if it gave none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// How far it has come at the card network.
    pub kind: DisputeKind,
    /// Why the buyer disputes, in plain words.
    pub category: DisputeCategory,
    /// Why, as the network writes it.
    pub reason_code: String,
    /// The disputed money, in the smallest unit of the currency.
    pub amount: String,
    /// Its currency.
    pub currency: String,
    /// What is to be done, or what became of it.
    pub state: DisputeState,
    /// Instant at which it was opened.
    pub opened_time: String,
    /// From this instant on it cannot be answered.
    pub deadline: String,
    /// Instant of its last change.
    pub changed_time: String,
    /// What the merchant submitted last; only in answers about one dispute, and absent if nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<SubmittedEvidence>,
    /// The files of the merchant; only in answers about one dispute, and absent if none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<DisputeFile>,
}

/// How far a dispute has come at the card network.
///
/// `INQUIRY`: the bank asks for information, and no money moves. `CHARGEBACK`: the bank takes the money back. `PRE_ARBITRATION`: the bank
/// insists after it read the evidence. `ARBITRATION`: the network decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DisputeKind {
    /// The bank asks for information, and no money moves.
    Inquiry,
    /// The bank takes the money back.
    Chargeback,
    /// The bank insists after it read the evidence.
    PreArbitration,
    /// The network decides.
    Arbitration,
}

/// Why a buyer disputes a payment, in plain words.
///
/// `FRAUD`: the card holder did not make the payment. `NOT_RECEIVED`: the goods did not arrive. `NOT_AS_DESCRIBED`: they are not what was
/// described. `DUPLICATE`: it was charged more than once. `CANCELED_RECURRING`: a subscription was charged after its end.
/// `PROCESSING_ERROR`: a wrong sum, currency or account, or a late capture. `GENERAL`: something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DisputeCategory {
    /// The card holder did not make the payment.
    Fraud,
    /// The goods did not arrive.
    NotReceived,
    /// The goods are not what was described.
    NotAsDescribed,
    /// It was charged more than once.
    Duplicate,
    /// A subscription was charged after its end.
    CanceledRecurring,
    /// A wrong sum, currency or account, or a late capture.
    ProcessingError,
    /// Something else.
    General,
}

/// The state of a dispute.
///
/// `NEEDS_RESPONSE`: the merchant submits evidence or accepts, before the deadline. `UNDER_REVIEW`: the evidence is with the bank. `WON`:
/// the merchant keeps the money. `LOST`: the buyer keeps it. `ACCEPTED`: the merchant agreed that the buyer keeps it. `EXPIRED`: the
/// deadline passed without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DisputeState {
    /// The merchant submits evidence or accepts, before the deadline.
    NeedsResponse,
    /// The evidence is with the bank.
    UnderReview,
    /// The merchant keeps the money.
    Won,
    /// The buyer keeps the money.
    Lost,
    /// The merchant agreed that the buyer keeps the money.
    Accepted,
    /// The deadline passed without an answer.
    Expired,
}

/// Evidence that a merchant submitted. The files of the dispute belong to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SubmittedEvidence {
    /// Instant at which it was submitted.
    pub submitted_time: String,
    /// Why the payment is right; absent if not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// What was sold; absent if not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goods: Option<String>,
    /// When, how and where it was delivered; absent if not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivery: Option<String>,
    /// What buyer and merchant wrote to each other; absent if not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correspondence: Option<String>,
    /// The terms of cancellation and refund that the buyer accepted; absent if not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refund_terms: Option<String>,
}

/// A file of evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DisputeFile {
    /// UUID.
    pub file_id: String,
    /// What the merchant calls it.
    pub name: String,
    /// `application/pdf`, `image/png`, `image/jpeg`: found in its content.
    pub media_type: String,
    /// How many bytes it has.
    pub size: u64,
    /// Instant at which it was added.
    pub added_time: String,
}

/// Answer of `GET /disputes/files/{fileId}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DisputeFileContent {
    /// The file.
    pub file: DisputeFile,
    /// Its content, in base64.
    pub content: String,
}
