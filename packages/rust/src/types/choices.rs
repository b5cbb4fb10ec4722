//! Words out of closed sets. Words may be added.
//!
//! Made by `tools/types.mjs`; changes by hand are lost. It is longer than most, because it has one type for each object of the API.

use serde::{Deserialize, Serialize};

/// `PAY` charges (the default), `PREAUTH` holds money that is captured later, `VERIFY` checks the card without a charge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum ActionType {
    /// `PAY`
    Pay,
    /// `VERIFY`
    Verify,
    /// `PREAUTH`
    Preauth,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// Which amount of an order is compared with `minAmount` and `maxAmount`: what was ordered (the default), held or captured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum AmountType {
    /// `ORDER_AMOUNT`
    OrderAmount,
    /// `AUTHORIZED_AMOUNT`
    AuthorizedAmount,
    /// `CAPTURED_AMOUNT`
    CapturedAmount,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// Whether a terminal is under attack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum AttackState {
    /// `BEGUN`
    Begun,
    /// `ENDED`
    Ended,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// What the form asks of the billing address, because banks in several countries compare it with their own records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum BillingAddress {
    /// `NONE`
    None,
    /// `POSTAL_CODE`
    PostalCode,
    /// `FULL`
    Full,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// Where a build session stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum BuildState {
    /// `PAYMENT_METHOD_SELECTION`
    PaymentMethodSelection,
    /// `CARD_DATA_COLLECTION`
    CardDataCollection,
    /// `READY_FOR_PAYMENT`
    ReadyForPayment,
    /// `REDIRECTED_TO_EXTERNAL_DOMAIN`
    RedirectedToExternalDomain,
    /// `PAYMENT_COMPLETE`
    PaymentComplete,
    /// `GDI_VERIFICATION`
    GdiVerification,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// Whether approved money is captured at once (`IMPLICIT`), or held until a call captures it within 5 days (`EXPLICIT`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum CaptureType {
    /// `IMPLICIT`
    Implicit,
    /// `EXPLICIT`
    Explicit,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// Which digits of the card the form may report to the page: none (the default), the last four, or the first six and the last four.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum CardSummary {
    /// `NONE`
    None,
    /// `LAST4`
    Last4,
    /// `BIN_LAST4`
    BinLast4,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// Where an operation was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum Channel {
    /// `ECOMMERCE`
    Ecommerce,
    /// `POS`
    Pos,
    /// `BACKOFFICE`
    Backoffice,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// Who may charge once the card is entered: the merchant's server (`SERVER`, the default), or the form itself when the buyer presses Pay (`FRAME`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum Closing {
    /// `SERVER`
    Server,
    /// `FRAME`
    Frame,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// Whether the form asks the buyer before it stores the card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum Consent {
    /// `NONE`
    None,
    /// `OPTIONAL`
    Optional,
    /// `REQUIRED`
    Required,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// Who may use the card later: the buyer with one press (`CIT`), or the merchant without the buyer, at any time (`MIT_UNSCHEDULED`) or at fixed times (`MIT_SCHEDULED`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum ContractType {
    /// `MIT_UNSCHEDULED`
    MitUnscheduled,
    /// `MIT_SCHEDULED`
    MitScheduled,
    /// `CIT`
    Cit,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// Why a buyer disputes a payment, in plain words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum DisputeCategory {
    /// `FRAUD`
    Fraud,
    /// `NOT_RECEIVED`
    NotReceived,
    /// `NOT_AS_DESCRIBED`
    NotAsDescribed,
    /// `DUPLICATE`
    Duplicate,
    /// `CANCELED_RECURRING`
    CanceledRecurring,
    /// `PROCESSING_ERROR`
    ProcessingError,
    /// `GENERAL`
    General,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// How far a dispute has come at the card network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum DisputeKind {
    /// `INQUIRY`
    Inquiry,
    /// `CHARGEBACK`
    Chargeback,
    /// `PRE_ARBITRATION`
    PreArbitration,
    /// `ARBITRATION`
    Arbitration,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// What a test makes the buyer's bank do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum DisputeResult {
    /// `WON`
    #[default]
    Won,
    /// `LOST`
    Lost,
    /// `CHARGEBACK`
    Chargeback,
    /// `PRE_ARBITRATION`
    PreArbitration,
    /// `ARBITRATION`
    Arbitration,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// The state of a dispute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum DisputeState {
    /// `NEEDS_RESPONSE`
    NeedsResponse,
    /// `UNDER_REVIEW`
    UnderReview,
    /// `WON`
    Won,
    /// `LOST`
    Lost,
    /// `ACCEPTED`
    Accepted,
    /// `EXPIRED`
    Expired,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// `PAYMENT`, `PAY_BY_LINK`, `OPERATION`, `ORDER_FULFILMENT`, `TERMINAL_ATTACK`, `REFUND_APPROVAL`, `DISPUTE`, `PAGE_CHANGE`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum EventType {
    /// `PAYMENT`
    Payment,
    /// `PAY_BY_LINK`
    PayByLink,
    /// `OPERATION`
    Operation,
    /// `ORDER_FULFILMENT`
    OrderFulfilment,
    /// `TERMINAL_ATTACK`
    TerminalAttack,
    /// `REFUND_APPROVAL`
    RefundApproval,
    /// `DISPUTE`
    Dispute,
    /// `PAGE_CHANGE`
    PageChange,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// What the merchant asks of 3-D Secure: nothing (the default), a challenge, or an exemption from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum Exemptions {
    /// `NO_PREFERENCE`
    NoPreference,
    /// `CHALLENGE_REQUESTED`
    ChallengeRequested,
    /// `DATA_SHARE_ONLY`
    DataShareOnly,
    /// `LOW_VALUE`
    LowValue,
    /// `TRANSACTION_RISK_ANALYSIS`
    TransactionRiskAnalysis,
    /// `TRUSTED_BENEFICIARY`
    TrustedBeneficiary,
    /// `RECURRING_SAME_AMOUNT`
    RecurringSameAmount,
    /// `DELEGATED_AUTHENTICATION`
    DelegatedAuthentication,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// What the buyer can choose from if `paymentService` names nothing: every method of the terminal (the default), or the card alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum FormMethods {
    /// `ALL`
    All,
    /// `CARDS`
    Cards,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// The state of an order's goods.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum FulfilmentState {
    /// `NONE`
    #[default]
    None,
    /// `PARTIAL`
    Partial,
    /// `FULFILLED`
    Fulfilled,
    /// `CANCELED`
    Canceled,
    /// `RETURNED`
    Returned,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// Who charges the installment: the gateway on its date (`AUTOMATIC`, the default), or the merchant's server by a call (`MANUAL`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum InstallmentType {
    /// `AUTOMATIC`
    Automatic,
    /// `MANUAL`
    Manual,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// The state of a payment link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum LinkStatus {
    /// `ACTIVE`
    Active,
    /// `PAID`
    Paid,
    /// `EXPIRED`
    Expired,
    /// `CANCELED`
    Canceled,
    /// `FAILED`
    Failed,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// What became of an order's money, in one word (own extension).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum MoneyStatus {
    /// `UNPAID`
    Unpaid,
    /// `TO_CAPTURE`
    ToCapture,
    /// `PAID`
    Paid,
    /// `PARTLY_REFUNDED`
    PartlyRefunded,
    /// `REFUNDED`
    Refunded,
    /// `PENDING`
    Pending,
    /// `VERIFIED`
    Verified,
    /// `REFUSED`
    Refused,
    /// `CANCELED`
    Canceled,
    /// `FAILED`
    Failed,
    /// `RELEASED`
    Released,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// `TERMINAL_ATTACK`, `REFUND_APPROVAL`, `DISPUTE`, `PAGE_CHANGE`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum NoticeType {
    /// `TERMINAL_ATTACK`
    TerminalAttack,
    /// `REFUND_APPROVAL`
    RefundApproval,
    /// `DISPUTE`
    Dispute,
    /// `PAGE_CHANGE`
    PageChange,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// `PAYMENT`, `PAY_BY_LINK`, `OPERATION`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum NotificationType {
    /// `PAYMENT`
    Payment,
    /// `PAY_BY_LINK`
    PayByLink,
    /// `OPERATION`
    Operation,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum OperationType {
    /// `AUTHORIZATION`
    Authorization,
    /// `CAPTURE`
    Capture,
    /// `VOID`
    Void,
    /// `REFUND`
    Refund,
    /// `CANCEL`
    Cancel,
    /// `CARD_VERIFICATION`
    CardVerification,
    /// `NOSHOW`
    Noshow,
    /// `INCREMENTAL`
    Incremental,
    /// `DELAY_CHARGE`
    DelayCharge,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// Whether the money of an order is captured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum OrderState {
    /// `TO_CAPTURE`
    ToCapture,
    /// `CAPTURED`
    Captured,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// The only means of payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum PaymentService {
    /// `CARDS`
    Cards,
    /// `CARD`
    Card,
    /// `GOOGLEPAY`
    Googlepay,
    /// `APPLEPAY`
    Applepay,
    /// `BANCOMATPAY`
    Bancomatpay,
    /// `BANCONTACT`
    Bancontact,
    /// `GIROPAY`
    Giropay,
    /// `IDEAL`
    Ideal,
    /// `MYBANK`
    Mybank,
    /// `PAYPAL`
    Paypal,
    /// `PAYPAL_BNPL`
    PaypalBnpl,
    /// `PAYPAL_PAGAIN3`
    PaypalPagain3,
    /// `MULTIBANCO`
    Multibanco,
    /// `WECHAT`
    Wechat,
    /// `ALIPAY`
    Alipay,
    /// `PIS`
    Pis,
    /// `SATISPAY_DIRECT`
    SatispayDirect,
    /// `SATISPAY`
    Satispay,
    /// `EPS`
    Eps,
    /// `ONEY`
    Oney,
    /// `SKRILL`
    Skrill,
    /// `SKRILL1TAP`
    Skrill1tap,
    /// `HEYLIGHT`
    Heylight,
    /// `BLIK`
    Blik,
    /// `KLARNA`
    Klarna,
    /// `PAGODIL`
    Pagodil,
    /// `PAGOINCONTO`
    Pagoinconto,
    /// `PAYU`
    Payu,
    /// `PRZELEWY24`
    Przelewy24,
    /// `AMAZONPAY`
    Amazonpay,
    /// `IRIS`
    Iris,
    /// `PAYBYBANK`
    Paybybank,
    /// `BANCOMAT_PAY`
    BancomatPay,
    /// `AMAZON_PAY`
    AmazonPay,
    /// `PAY_BY_BANK`
    PayByBank,
    /// `WECHATPAY`
    Wechatpay,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// The basis of the plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum PlanType {
    /// `ACQUIRER_AGREEMENT`
    #[default]
    AcquirerAgreement,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// `NO_RECURRING` stores and uses nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum RecurrenceAction {
    /// `NO_RECURRING`
    #[default]
    NoRecurring,
    /// `CONTRACT_CREATION`
    ContractCreation,
    /// `SUBSEQUENT_PAYMENT`
    SubsequentPayment,
    /// `CARD_SUBSTITUTION`
    CardSubstitution,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// Who sends the buyer to a method that is paid on another page: the form (`FRAME`, the default), or the merchant's page, which receives an event (`PAGE`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum Redirect {
    /// `FRAME`
    Frame,
    /// `PAGE`
    Page,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// What became of a refund that waits for a second member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum RefundApprovalState {
    /// `ASKED`
    Asked,
    /// `APPROVED`
    Approved,
    /// `DECLINED`
    Declined,
    /// `NOT_POSSIBLE`
    NotPossible,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}

/// Whether the form offers the cards that are stored for `order.customerId`: no (the default), to pay with, or also to remove.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum SavedCards {
    /// `NONE`
    None,
    /// `USE`
    Use,
    /// `USE_AND_REMOVE`
    UseAndRemove,
    /// A word that this version of the package does not know.
    #[serde(untagged)]
    Other(String),
}
