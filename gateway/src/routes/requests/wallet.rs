//! Bodies of payments with a wallet (contract 8.1.11).

use super::order::Order;
use super::payment_session::WalletSession;
use super::{Member, Part};
use serde::Deserialize;
use utoipa::ToSchema;

/// The body of `POST /orders/walletpay`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PayWithWallet {
    /// The address of the page that shows the hidden frame of a `PAN_ONLY` payment; only its origin counts. Without it:
    /// the origin of `paymentSession.resultUrl`.
    #[schema(value_type = Option<String>, format = "uri", examples("https://shop.example"))]
    pub(crate) merchant_url: Member,
    /// What is paid for, and by whom. It is stored, and returned by `GET /orders/{orderId}`.
    #[schema(value_type = Order)]
    pub(crate) order: Part<Order>,
    /// The payment that is made now: how much, with which wallet, and where the browser goes afterwards.
    #[schema(value_type = WalletSession)]
    pub(crate) payment_session: Part<WalletSession>,
    /// The whole object that the wallet's interface in the browser returned, unchanged.
    #[schema(value_type = Object)]
    pub(crate) wallet_payment_data: Member,
}

/// The body of `POST /orders/googlepay`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PayWithGooglePay {
    /// The address of the page that shows the hidden frame of a `PAN_ONLY` payment; only its origin counts. Without it:
    /// the origin of `paymentSession.resultUrl`.
    #[schema(value_type = Option<String>, format = "uri", examples("https://shop.example"))]
    pub(crate) merchant_url: Member,
    /// What is paid for, and by whom. It is stored, and returned by `GET /orders/{orderId}`.
    #[schema(value_type = Order)]
    pub(crate) order: Part<Order>,
    /// The payment that is made now: how much, with which wallet, and where the browser goes afterwards.
    #[schema(value_type = WalletSession)]
    pub(crate) payment_session: Part<WalletSession>,
    /// The whole object that the wallet's interface in the browser returned, unchanged.
    #[schema(value_type = Object)]
    pub(crate) google_pay_payment_data: Member,
}
