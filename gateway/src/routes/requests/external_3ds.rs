//! Bodies of 3-step payments (contract 8.1.5 to 8.1.7).

use super::forms::{ActionTypes, CaptureTypes, ChallengeWishes};
use super::order::Order;
use super::payment_session::Recurrence;
use super::server_to_server::Card;
use super::{Member, Part};
use serde::Deserialize;
use utoipa::ToSchema;

/// The body of `POST /orders/3steps/init`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BeginThreeStepPayment {
    /// What is paid for, and by whom. It is kept, and answered again by `GET /orders/{orderId}`.
    #[schema(value_type = Order)]
    pub(crate) order: Part<Order>,
    /// Whether the card is kept for later, or a kept one is used or replaced. The terminal must be able to keep cards.
    #[schema(value_type = Option<Recurrence>)]
    pub(crate) recurrence: Part<Recurrence>,
    /// The card that pays. It may be missing where a kept card pays (`SUBSEQUENT_PAYMENT`). Only for merchants who may
    /// handle card data. It is never logged, and never answered.
    #[schema(value_type = Option<Card>)]
    pub(crate) card: Part<Card>,
    /// `PAY` charges (also where it is left out), `PREAUTH` holds money that is captured later, `VERIFY` keeps or
    /// checks the card without a charge.
    #[schema(value_type = Option<ActionTypes>)]
    pub(crate) action_type: Member,
    /// What the merchant wishes of 3-D Secure: nothing (also where it is left out), or that the buyer is asked. The
    /// issuer decides.
    #[schema(value_type = Option<ChallengeWishes>)]
    pub(crate) exemptions: Member,
}

/// The body of `POST /orders/3steps/validation`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ValidateThreeStepPayment {
    /// The operation of the first call, `/orders/3steps/init`. It is good for 30 minutes.
    #[schema(value_type = String, pattern = r"^[0-9]{18}$", examples("347074400000000001"))]
    pub(crate) operation_id: Member,
    /// The field `PaRes` that the buyer's browser brought to the return address, unchanged; or `notneeded` where the
    /// first call's `threeDSAuthRequest` was that.
    #[serde(rename = "threeDSAuthResponse")]
    #[schema(value_type = String, min_length = 1, max_length = 2048, examples("notneeded"))]
    pub(crate) three_ds_auth_response: Member,
}

/// The body of `POST /orders/3steps/payment`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MakeThreeStepPayment {
    /// What is paid for, and by whom. It is kept, and answered again by `GET /orders/{orderId}`.
    #[schema(value_type = Order)]
    pub(crate) order: Part<Order>,
    /// Whether approved money is captured at once (`IMPLICIT`), or held until a call captures it within 5 days
    /// (`EXPLICIT`). Without it: the terminal's setting. A terminal that captures at once refuses `EXPLICIT`. With
    /// `PREAUTH` money is always held.
    #[schema(value_type = Option<CaptureTypes>)]
    pub(crate) capture_type: Member,
    /// Whether the card is kept for later, or a kept one is used or replaced. The terminal must be able to keep cards.
    #[schema(value_type = Option<Recurrence>)]
    pub(crate) recurrence: Part<Recurrence>,
    /// The card that pays. It may be missing where a kept card pays (`SUBSEQUENT_PAYMENT`). Only for merchants who may
    /// handle card data. It is never logged, and never answered.
    #[schema(value_type = Option<Card>)]
    pub(crate) card: Part<Card>,
    /// Read, and without effect: the wish of the first call counts.
    #[schema(value_type = Option<ChallengeWishes>)]
    pub(crate) exemptions: Member,
    /// The operation of the first call, `/orders/3steps/init`. It is good for 30 minutes.
    #[schema(value_type = String, pattern = r"^[0-9]{18}$", examples("347074400000000001"))]
    pub(crate) operation_id: Member,
    /// What the validation answered as `threeDSAuthResult`. Needed where the buyer was asked; it may be missing where
    /// not.
    #[serde(rename = "threeDSAuthData")]
    #[schema(value_type = Option<AuthenticationData>)]
    pub(crate) three_ds_auth_data: Part<AuthenticationData>,
}

/// The proof of an authentication.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuthenticationData {
    /// The proof of the authentication, as the validation answered it.
    #[schema(value_type = String, min_length = 1, max_length = 255, examples("AJkBAiFGcQAAAAAghEJydAAAAAA="))]
    pub(crate) authentication_value: Member,
    /// The network's word for how sure the authentication is, as the validation answered it. It may be left out.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 2, examples("05"))]
    pub(crate) eci: Member,
    /// The id of the authentication, as the validation answered it. It may be left out.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 255, examples("MDAwMDAwMDAwMDAwMDAwMDAwMDE="))]
    pub(crate) xid: Member,
    /// What the validation was called with, for clients that send it again; anything else is refused (`GW9003`).
    #[serde(rename = "threeDSAuthResponse")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 2048, examples("notneeded"))]
    pub(crate) three_ds_auth_response: Member,
}
