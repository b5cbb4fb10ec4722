//! The payment that is made now: the member `paymentSession` of creation calls (contract 2.4, 2.5).

use super::forms::{
    ActionTypes, CaptureTypes, ChallengeWishes, ContractTypes, PaymentServices, RecurrenceActions,
    WalletCodes,
};
use super::{Member, Part};
use serde::Deserialize;
use utoipa::ToSchema;

/// What every payment session has.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionMembers {
    /// `PAY` charges (the default), `PREAUTH` holds money that is captured later, `VERIFY` checks the card without a
    /// charge.
    #[schema(value_type = Option<ActionTypes>)]
    pub(crate) action_type: Member,
    /// The amount that is paid now, in the minor unit of `order.currency`: at most `order.amount` (`PS0007`). With `VERIFY` any
    /// amount is accepted; it is recorded as 0.
    #[schema(value_type = String, format = "amount")]
    pub(crate) amount: Member,
    /// Whether approved money is captured at once (`IMPLICIT`), or held until a call captures it within 5 days
    /// (`EXPLICIT`). Without it: the terminal's setting. A terminal that captures at once refuses `EXPLICIT`. With
    /// `PREAUTH` money is always held.
    #[schema(value_type = Option<CaptureTypes>)]
    pub(crate) capture_type: Member,
    /// What the merchant asks of 3-D Secure: nothing (the default), a challenge, or an exemption from it. Who asks for an
    /// exemption takes over the liability; the terminal must be allowed it, and the payment must be one that can have it. The issuer
    /// decides.
    #[schema(value_type = Option<ChallengeWishes>)]
    pub(crate) exemptions: Member,
    /// The language of form, pages and messages: three letters, in any letter case. A language that the gateway does not have
    /// gives English and the warning `GW9101`. Without it: `ita`.
    #[schema(value_type = Option<String>, format = "language")]
    pub(crate) language: Member,
    /// The address to which the gateway sends a notification of every operation of the order. Without it nothing is sent: ask
    /// with `GET /orders/{orderId}`.
    #[schema(value_type = Option<String>, format = "uri", examples("https://shop.example/hook"))]
    pub(crate) notification_url: Member,
    /// Whether the card is stored for later, or a stored one is used or replaced. The terminal must allow stored cards.
    #[schema(value_type = Option<Recurrence>)]
    pub(crate) recurrence: Part<Recurrence>,
}

/// The payment of a form or a hosted page.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(title = "PaymentSession")]
pub(crate) struct PaymentSession {
    #[serde(flatten)]
    #[schema(value_type = SessionMembers)]
    pub(crate) members: SessionMembers,
    /// The only means of payment. `CARDS` (or `CARD`) opens the card's inputs, and so does the code of a wallet; the code of a
    /// method sends the buyer to its page. `GET /payment_methods` lists the codes. Without it the buyer chooses from those
    /// of the terminal. With `recurrence`, `PREAUTH` and `VERIFY`: cards only.
    #[schema(value_type = Option<PaymentServices>)]
    pub(crate) payment_service: Member,
    /// Where the browser goes when the payment has its outcome: by GET, to exactly this address. A visit to the address
    /// proves nothing; read the order.
    #[schema(value_type = String, format = "uri")]
    pub(crate) result_url: Member,
    /// Where the browser goes when the buyer cancels: by GET, to exactly this address.
    #[schema(value_type = String, format = "uri", examples("https://shop.example/ko"))]
    pub(crate) cancel_url: Member,
}

/// The payment of a link.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(title = "LinkSession")]
pub(crate) struct LinkSession {
    #[serde(flatten)]
    #[schema(value_type = SessionMembers)]
    pub(crate) members: SessionMembers,
    /// The only means of payment. `CARDS` (or `CARD`) opens the card's inputs, and so does the code of a wallet; the code of a
    /// method sends the buyer to its page. `GET /payment_methods` lists the codes. Without it the buyer chooses from those
    /// of the terminal. With `recurrence`, `PREAUTH` and `VERIFY`: cards only.
    #[schema(value_type = Option<PaymentServices>)]
    pub(crate) payment_service: Member,
    /// Where the browser goes when the payment has its outcome: by GET, to exactly this address. A visit to the address
    /// proves nothing; read the order.
    #[schema(value_type = Option<String>, format = "uri")]
    pub(crate) result_url: Member,
    /// Where the browser goes when the buyer cancels: by GET, to exactly this address.
    #[schema(value_type = Option<String>, format = "uri", examples("https://shop.example/ko"))]
    pub(crate) cancel_url: Member,
    /// Read if the body has no `expirationDate`; version 2 only.
    #[schema(ignore)]
    pub(crate) expiration_date: Member,
    /// Read if the body has no `expirationTime`; version 2 only.
    #[schema(ignore)]
    pub(crate) expiration_time: Member,
}

/// The payment of a wallet.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(title = "WalletSession")]
pub(crate) struct WalletSession {
    #[serde(flatten)]
    #[schema(value_type = SessionMembers)]
    pub(crate) members: SessionMembers,
    /// The wallet that pays. Without it: `GOOGLEPAY`.
    #[schema(value_type = Option<WalletCodes>)]
    pub(crate) payment_service: Member,
    /// Where the browser goes when the payment has its outcome: by GET, to exactly this address. A visit to the address
    /// proves nothing; read the order.
    #[schema(value_type = Option<String>, format = "uri")]
    pub(crate) result_url: Member,
    /// Where the browser goes when the buyer cancels: by GET, to exactly this address.
    #[schema(value_type = Option<String>, format = "uri", examples("https://shop.example/ko"))]
    pub(crate) cancel_url: Member,
}

/// Whether a card is stored, used or replaced.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(title = "Recurrence")]
pub(crate) struct Recurrence {
    /// `NO_RECURRING` stores and uses nothing. `CONTRACT_CREATION` stores the card when the payment is approved.
    /// `SUBSEQUENT_PAYMENT` pays with the stored card. `CARD_SUBSTITUTION` replaces the stored card with the card that is
    /// entered.
    #[schema(value_type = RecurrenceActions)]
    pub(crate) action: Member,
    /// The merchant's id of the contract under which the card is stored. Mandatory except with `NO_RECURRING`. To create a
    /// contract, the id must not be that of an active one; to use a contract, it must be (`PS0017`).
    #[schema(value_type = Option<String>, format = "contract-id")]
    pub(crate) contract_id: Member,
    /// Who may use the card later: the buyer with one press (`CIT`), or the merchant without the buyer, at any time
    /// (`MIT_UNSCHEDULED`) or at fixed times (`MIT_SCHEDULED`). Mandatory with `CONTRACT_CREATION`; elsewhere it must be the contract's.
    #[schema(value_type = Option<ContractTypes>)]
    pub(crate) contract_type: Member,
    /// The last day on which the merchant may charge, in the terminal's time zone; not in the past. With `MIT_SCHEDULED` only.
    /// Without it the contract has no end.
    #[schema(value_type = Option<String>, format = "date")]
    pub(crate) contract_expiry_date: Member,
    /// The smallest number of days between two charges. With `MIT_SCHEDULED` only. Without it there is no minimum.
    #[schema(value_type = Option<String>, format = "number", examples("30"))]
    pub(crate) contract_frequency: Member,
}
