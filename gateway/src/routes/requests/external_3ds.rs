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
    /// What is paid for, and by whom. It is stored, and returned by `GET /orders/{orderId}`.
    #[schema(value_type = Order)]
    pub(crate) order: Part<Order>,
    /// Whether the card is stored for later, or a stored one is used or replaced. The terminal must allow stored cards.
    #[schema(value_type = Option<Recurrence>)]
    pub(crate) recurrence: Part<Recurrence>,
    /// The card that pays. It may be missing if a stored card pays (`SUBSEQUENT_PAYMENT`). Only for merchants who may
    /// handle card data. It is never logged, and never returned.
    #[schema(value_type = Option<Card>)]
    pub(crate) card: Part<Card>,
    /// `PAY` charges (the default), `PREAUTH` holds money that is captured later, `VERIFY` stores or checks the card
    /// without a charge.
    #[schema(value_type = Option<ActionTypes>)]
    pub(crate) action_type: Member,
    /// What the merchant asks of 3-D Secure: nothing (the default), a challenge, or an exemption from it. Who asks for an
    /// exemption takes over the liability; the terminal must be allowed it, and the payment must be one that can have it. The issuer
    /// decides.
    #[schema(value_type = Option<ChallengeWishes>)]
    pub(crate) exemptions: Member,
}

/// The body of `POST /orders/3steps/validation`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ValidateThreeStepPayment {
    /// The operation of the first call, `/orders/3steps/init`. It is valid for 30 minutes.
    #[schema(value_type = String, pattern = r"^[0-9]{18}$", examples("347074400000000001"))]
    pub(crate) operation_id: Member,
    /// The field `PaRes` that the buyer's browser brought to the return address, unchanged; or `notneeded` if the
    /// first call's `threeDSAuthRequest` was that.
    #[serde(rename = "threeDSAuthResponse")]
    #[schema(value_type = String, min_length = 1, max_length = 2048, examples("notneeded"))]
    pub(crate) three_ds_auth_response: Member,
}

/// The body of `POST /orders/3steps/payment`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MakeThreeStepPayment {
    /// What is paid for, and by whom. It is stored, and returned by `GET /orders/{orderId}`.
    #[schema(value_type = Order)]
    pub(crate) order: Part<Order>,
    /// Whether approved money is captured at once (`IMPLICIT`), or held until a call captures it within 5 days
    /// (`EXPLICIT`). Without it: the terminal's setting. A terminal that captures at once refuses `EXPLICIT`. With
    /// `PREAUTH` money is always held.
    #[schema(value_type = Option<CaptureTypes>)]
    pub(crate) capture_type: Member,
    /// Whether the card is stored for later, or a stored one is used or replaced. The terminal must allow stored cards.
    #[schema(value_type = Option<Recurrence>)]
    pub(crate) recurrence: Part<Recurrence>,
    /// The card that pays. It may be missing if a stored card pays (`SUBSEQUENT_PAYMENT`). Only for merchants who may
    /// handle card data. It is never logged, and never returned.
    #[schema(value_type = Option<Card>)]
    pub(crate) card: Part<Card>,
    /// It has no effect: the value in the first call counts.
    #[schema(value_type = Option<ChallengeWishes>)]
    pub(crate) exemptions: Member,
    /// The operation of the first call, `/orders/3steps/init`. It is valid for 30 minutes.
    #[schema(value_type = String, pattern = r"^[0-9]{18}$", examples("347074400000000001"))]
    pub(crate) operation_id: Member,
    /// The `threeDSAuthResult` in the answer of the validation. Mandatory if the buyer was asked; optional if not.
    #[serde(rename = "threeDSAuthData")]
    #[schema(value_type = Option<AuthenticationData>)]
    pub(crate) three_ds_auth_data: Part<AuthenticationData>,
}

/// The proof of an authentication.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuthenticationData {
    /// The proof of the authentication, from the answer of the validation.
    #[schema(value_type = String, min_length = 1, max_length = 255, examples("AJkBAiFGcQAAAAAghEJydAAAAAA="))]
    pub(crate) authentication_value: Member,
    /// The network's indicator for the strength of the authentication, from the answer of the validation. It may be left out.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 2, examples("05"))]
    pub(crate) eci: Member,
    /// The id of the authentication, from the answer of the validation. It may be left out.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 255, examples("MDAwMDAwMDAwMDAwMDAwMDAwMDE="))]
    pub(crate) xid: Member,
    /// The `threeDSAuthResponse` that was validated, for clients that send it again. Another value is refused (`GW9003`).
    #[serde(rename = "threeDSAuthResponse")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 2048, examples("notneeded"))]
    pub(crate) three_ds_auth_response: Member,
}
