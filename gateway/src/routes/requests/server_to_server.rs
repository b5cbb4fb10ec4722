//! Bodies of payments that one call makes (contract 8.1.8 to 8.1.10).

use super::forms::CaptureTypes;
use super::order::Order;
use super::{Member, Part};
use serde::Deserialize;
use utoipa::ToSchema;

/// The body of `POST /orders/mit`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChargeContract {
    /// What is paid for, and by whom. It is stored, and returned by `GET /orders/{orderId}`.
    #[schema(value_type = Order)]
    pub(crate) order: Part<Order>,
    /// Whether approved money is captured at once (`IMPLICIT`), or held until a call captures it within 5 days
    /// (`EXPLICIT`). Without it: the terminal's setting. A terminal that captures at once refuses `EXPLICIT`. With
    /// `PREAUTH` money is always held.
    #[schema(value_type = Option<CaptureTypes>)]
    pub(crate) capture_type: Member,
    /// The contract whose stored card is charged. It must be active (`PS0017`), and one that the merchant may charge
    /// without the buyer (`PS0043`).
    #[schema(value_type = String, format = "contract-id")]
    pub(crate) contract_id: Member,
}

/// The body of `POST /orders/moto`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TakeMailOrder {
    /// What is paid for, and by whom. It is stored, and returned by `GET /orders/{orderId}`.
    #[schema(value_type = Order)]
    pub(crate) order: Part<Order>,
    /// Whether approved money is captured at once (`IMPLICIT`), or held until a call captures it within 5 days
    /// (`EXPLICIT`). Without it: the terminal's setting. A terminal that captures at once refuses `EXPLICIT`. With
    /// `PREAUTH` money is always held.
    #[schema(value_type = Option<CaptureTypes>)]
    pub(crate) capture_type: Member,
    /// The card that pays. Only for merchants who may handle card data. It is never logged, and never returned.
    #[schema(value_type = Card)]
    pub(crate) card: Part<Card>,
}

/// The body of `POST /orders/card_verification`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VerifyCard {
    /// What is paid for, and by whom. It is stored, and returned by `GET /orders/{orderId}`.
    #[schema(value_type = Order)]
    pub(crate) order: Part<Order>,
    /// The card to verify. Only for merchants who may handle card data. It is never logged, and never returned.
    #[schema(value_type = Card)]
    pub(crate) card: Part<Card>,
}

/// A card that the merchant's server sends (contract 2.6).
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Card {
    /// The card number: 13 to 19 digits with a correct check digit, of a network that the terminal accepts. Spaces are
    /// ignored.
    #[schema(value_type = String, pattern = r"^ *([0-9] *){13,19}$", examples("4761730000000003"))]
    pub(crate) pan: Member,
    /// The card's last month and year, as `MMYY`. It must not be in the past.
    #[schema(value_type = String, pattern = r"^(0[1-9]|1[0-2])[0-9]{2}$", examples("1230"))]
    pub(crate) expiry_date: Member,
    /// The security code, with the length that the card's network has. It is not stored. It may be left out; the issuer then decides without it.
    #[schema(value_type = Option<String>, pattern = r"^[0-9]{3,4}$", examples("123"))]
    pub(crate) cvv: Member,
}
