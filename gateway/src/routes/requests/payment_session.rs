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
    /// `PAY` charges (also where it is left out), `PREAUTH` holds money that is captured later, `VERIFY` checks the
    /// card without a charge.
    #[schema(value_type = Option<ActionTypes>)]
    pub(crate) action_type: Member,
    /// What is paid now, in the minor unit of `order.currency`: at most `order.amount` (`PS0007`). With `VERIFY` any
    /// sum will do; it is booked as 0.
    #[schema(value_type = String, format = "amount")]
    pub(crate) amount: Member,
    /// Whether approved money is captured at once (`IMPLICIT`), or held until a call captures it within 5 days
    /// (`EXPLICIT`). Without it: the terminal's setting. A terminal that captures at once refuses `EXPLICIT`. With
    /// `PREAUTH` money is always held.
    #[schema(value_type = Option<CaptureTypes>)]
    pub(crate) capture_type: Member,
    /// What the merchant wishes of 3-D Secure: nothing (also where it is left out), or that the buyer is asked. The
    /// issuer decides.
    #[schema(value_type = Option<ChallengeWishes>)]
    pub(crate) exemptions: Member,
    /// The language of form, pages and messages: three letters, in any letter case. One that the gateway does not speak
    /// gives English and the warning `GW9101`. Without it: `ita`.
    #[schema(value_type = Option<String>, format = "language")]
    pub(crate) language: Member,
    /// Where the gateway tells the merchant's server of every operation of the order. Without it nobody is told: ask
    /// with `GET /orders/{orderId}`.
    #[schema(value_type = Option<String>, format = "uri", examples("https://shop.example/hook"))]
    pub(crate) notification_url: Member,
    /// Whether the card is kept for later, or a kept one is used or replaced. The terminal must be able to keep cards.
    #[schema(value_type = Option<Recurrence>)]
    pub(crate) recurrence: Part<Recurrence>,
}

/// The payment of a form or a hosted page.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaymentSession {
    #[serde(flatten)]
    #[schema(value_type = SessionMembers)]
    pub(crate) members: SessionMembers,
    /// The one way to pay. `CARDS` (or `CARD`) opens the card's inputs, and so does the code of a wallet; the code of a
    /// method sends the buyer there. `GET /payment_methods` lists the codes. Without it the buyer chooses among those
    /// of the terminal. With `recurrence`, `PREAUTH` and `VERIFY`: cards only.
    #[schema(value_type = Option<PaymentServices>)]
    pub(crate) payment_service: Member,
    /// Where the browser goes once there is an outcome, good or bad: by GET, to exactly this address. The address
    /// proves nothing; read the order.
    #[schema(value_type = String, format = "uri")]
    pub(crate) result_url: Member,
    /// Where the browser goes when the buyer gives up: by GET, to exactly this address.
    #[schema(value_type = String, format = "uri", examples("https://shop.example/ko"))]
    pub(crate) cancel_url: Member,
}

/// The payment of a link.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LinkSession {
    #[serde(flatten)]
    #[schema(value_type = SessionMembers)]
    pub(crate) members: SessionMembers,
    /// The one way to pay. `CARDS` (or `CARD`) opens the card's inputs, and so does the code of a wallet; the code of a
    /// method sends the buyer there. `GET /payment_methods` lists the codes. Without it the buyer chooses among those
    /// of the terminal. With `recurrence`, `PREAUTH` and `VERIFY`: cards only.
    #[schema(value_type = Option<PaymentServices>)]
    pub(crate) payment_service: Member,
    /// Where the browser goes once there is an outcome, good or bad: by GET, to exactly this address. The address
    /// proves nothing; read the order.
    #[schema(value_type = Option<String>, format = "uri")]
    pub(crate) result_url: Member,
    /// Where the browser goes when the buyer gives up: by GET, to exactly this address.
    #[schema(value_type = Option<String>, format = "uri", examples("https://shop.example/ko"))]
    pub(crate) cancel_url: Member,
    /// Read where the body has no `expirationDate`; version 2 only.
    #[schema(ignore)]
    pub(crate) expiration_date: Member,
    /// Read where the body has no `expirationTime`; version 2 only.
    #[schema(ignore)]
    pub(crate) expiration_time: Member,
}

/// The payment of a wallet.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WalletSession {
    #[serde(flatten)]
    #[schema(value_type = SessionMembers)]
    pub(crate) members: SessionMembers,
    /// The wallet that handed the payment over. Without it: `GOOGLEPAY`.
    #[schema(value_type = Option<WalletCodes>)]
    pub(crate) payment_service: Member,
    /// Where the browser goes once there is an outcome, good or bad: by GET, to exactly this address. The address
    /// proves nothing; read the order.
    #[schema(value_type = Option<String>, format = "uri")]
    pub(crate) result_url: Member,
    /// Where the browser goes when the buyer gives up: by GET, to exactly this address.
    #[schema(value_type = Option<String>, format = "uri", examples("https://shop.example/ko"))]
    pub(crate) cancel_url: Member,
}

/// Whether a card is kept, used or replaced.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Recurrence {
    /// `NO_RECURRING` keeps and uses nothing. `CONTRACT_CREATION` keeps the card once the payment is good.
    /// `SUBSEQUENT_PAYMENT` pays with the kept card. `CARD_SUBSTITUTION` puts the card that is entered in place of the
    /// kept one.
    #[schema(value_type = RecurrenceActions)]
    pub(crate) action: Member,
    /// The merchant's id of the contract under which the card is kept. Needed except with `NO_RECURRING`. To create, it
    /// must not be that of an active contract; to use, it must be (`PS0017`).
    #[schema(value_type = Option<String>, format = "contract-id")]
    pub(crate) contract_id: Member,
    /// Who may use the card later: the buyer with one press (`CIT`), or the merchant without the buyer, at any time
    /// (`MIT_UNSCHEDULED`) or at fixed times (`MIT_SCHEDULED`). Needed to create; elsewhere it must be the contract's.
    #[schema(value_type = Option<ContractTypes>)]
    pub(crate) contract_type: Member,
    /// The last day on which the merchant may charge, in the terminal's time zone; not past. With `MIT_SCHEDULED` only.
    /// Without it the contract has no end.
    #[schema(value_type = Option<String>, format = "date")]
    pub(crate) contract_expiry_date: Member,
    /// The least number of days between two charges. With `MIT_SCHEDULED` only. Without it any gap will do.
    #[schema(value_type = Option<String>, format = "number", examples("30"))]
    pub(crate) contract_frequency: Member,
}
