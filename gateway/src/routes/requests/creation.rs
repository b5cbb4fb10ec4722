//! Bodies of the calls that open a form, a hosted page or a link (contract 3.1, 3.7, 8.1.1 to 8.1.3).

use super::forms::{
    BillingAddresses, CardSummaries, Closers, Consents, InstallmentCount, MethodOffers,
    RedirectHandlers, SavedCardUses, VersionNumber,
};
use super::order::Order;
use super::payment_session::{LinkSession, PaymentSession};
use super::{Member, Part};
use serde::Deserialize;
use utoipa::ToSchema;

/// The body of `POST /orders/build`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpenPayment {
    /// The version of the protocol between page, server and gateway. `3`: the device check is part of the entry, and
    /// `/build/finalize_payment` closes the payment. `2`: the server reads the card's first digits, then fixes the
    /// amount with `/build/confirm_payment`.
    #[schema(value_type = Option<VersionNumber>)]
    pub(crate) version: Member,
    /// The address of the page that shows the form. Only its origin counts: no other page can frame the form or receive its
    /// messages. It must be https; the sandbox also accepts http on a loopback address.
    #[schema(value_type = String, format = "uri", examples("https://shop.example"))]
    pub(crate) merchant_url: Member,
    /// Origins of pages that may contain the page of `merchantUrl` in a frame, such as a hotel's page with a booking widget: at most 8,
    /// each exact, without a path and without a wildcard. The form sends messages only to the page of `merchantUrl`. Without this member,
    /// no other page may contain that page.
    #[schema(value_type = Option<Vec<String>>, max_items = 8, examples(json!(["https://hotel.example"])))]
    pub(crate) ancestor_origins: Member,
    /// What is paid for, and by whom. It is stored, and returned by `GET /orders/{orderId}`.
    #[schema(value_type = Order)]
    pub(crate) order: Part<Order>,
    /// The payment that is made now: how much, by which method, and where the browser goes afterwards.
    #[schema(value_type = PaymentSession)]
    pub(crate) payment_session: Part<PaymentSession>,
    /// Asks for the form in one frame, and says how it behaves. Without it the page shows one frame for each field.
    #[schema(value_type = Option<Form>)]
    pub(crate) form: Part<Form>,
}

/// How the form in one frame behaves.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Form {
    /// Who may charge once the card is entered: the merchant's server (`SERVER`, the default), or the form itself when the
    /// buyer presses Pay (`FRAME`).
    #[schema(value_type = Option<Closers>)]
    pub(crate) closing: Member,
    /// How many refused payments end the session. Until then the buyer can correct the card or use another. Without
    /// it: 1.
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 5, examples(3))]
    pub(crate) attempts: Member,
    /// Which digits of the card the form may report to the page: none (the default), the last four, or the first six and
    /// the last four.
    #[schema(value_type = Option<CardSummaries>)]
    pub(crate) card_summary: Member,
    /// What the buyer can choose from if `paymentService` names nothing: every method of the terminal (the default), or
    /// the card alone.
    #[schema(value_type = Option<MethodOffers>)]
    pub(crate) methods: Member,
    /// The number of seconds after which the session ends, also while it is in use. Without it: the gateway's setting, 1800.
    #[schema(value_type = Option<u64>, minimum = 60, maximum = 1800, examples(900))]
    pub(crate) expires_in_seconds: Member,
    /// Who sends the buyer to a method that is paid on another page: the form (`FRAME`, the default), or the merchant's
    /// page, which receives an event (`PAGE`).
    #[schema(value_type = Option<RedirectHandlers>)]
    pub(crate) redirect: Member,
    /// The numbers of installments from which the buyer may choose: different whole numbers. With `PAY` only. The choice
    /// is `additionalData.installmentQty` of the operation. Without it the buyer pays at once.
    #[schema(value_type = Option<Vec<InstallmentCount>>, min_items = 1, max_items = 6)]
    pub(crate) installments: Member,
    /// Whether the form offers the cards that are stored for `order.customerId`: no (the default), to pay with, or also to
    /// remove.
    #[schema(value_type = Option<SavedCardUses>)]
    pub(crate) saved_cards: Member,
    /// Whether the form asks the buyer before it stores the card. `NONE` (the default): the merchant already has the
    /// buyer's consent. `OPTIONAL`: the buyer can pay without consent. `REQUIRED`: without consent the buyer cannot pay.
    /// With `CONTRACT_CREATION` only.
    #[schema(value_type = Option<Consents>)]
    pub(crate) consent: Member,
    /// How the buyer can withdraw the consent, as plain text in the buyer's language. It is shown below the box. Without
    /// it, the form says that the buyer has to tell the merchant.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 500, examples("You can remove it in your account."))]
    pub(crate) consent_text: Member,
    /// What the form asks of the billing address, because banks in several countries compare it with their own records. `NONE` (the
    /// default): nothing. `POSTAL_CODE`: the country, and the postal code where the country has them. `FULL`: the country, and everything
    /// that its addresses have. The first values are those of `order.customerInfo.billingAddress`. What the buyer enters goes to the acquirer and to 3-D Secure; it does not change the order.
    /// A saved card and a wallet are paid with without it.
    #[schema(value_type = Option<BillingAddresses>)]
    pub(crate) billing_address: Member,
}

/// How the form of a hosted page or a link behaves.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PageForm {
    /// What the form asks of the billing address, because banks in several countries compare it with their own records. `NONE` (the
    /// default): nothing. `POSTAL_CODE`: the country, and the postal code where the country has them. `FULL`: the country, and everything
    /// that its addresses have. The first values are those of `order.customerInfo.billingAddress`. What the buyer enters goes to the acquirer and to 3-D Secure; it does not change the order.
    /// A saved card and a wallet are paid with without it.
    #[schema(value_type = Option<BillingAddresses>)]
    pub(crate) billing_address: Member,
}

/// The body of `POST /orders/hpp`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpenHostedPage {
    /// What is paid for, and by whom. It is stored, and returned by `GET /orders/{orderId}`.
    #[schema(value_type = Order)]
    pub(crate) order: Part<Order>,
    /// The payment that is made now: how much, by which method, and where the browser goes afterwards.
    #[schema(value_type = PaymentSession)]
    pub(crate) payment_session: Part<PaymentSession>,
    /// How the form of the page behaves.
    #[schema(value_type = Option<PageForm>)]
    pub(crate) form: Part<PageForm>,
}

/// The body of `POST /v2/orders/paybylink`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreatePaymentLink {
    /// What is paid for, and by whom. It is stored, and returned by `GET /orders/{orderId}`.
    #[schema(value_type = Order)]
    pub(crate) order: Part<Order>,
    /// The payment that is made now: how much, by which method, and where the browser goes afterwards.
    #[schema(value_type = LinkSession)]
    pub(crate) payment_session: Part<LinkSession>,
    /// How the form of the page behaves.
    #[schema(value_type = Option<PageForm>)]
    pub(crate) form: Part<PageForm>,
    /// The last day on which the link can be paid, in the terminal's time zone: not in the past, at most 90 days ahead
    /// (`PS0042`). It is mandatory here or in `paymentSession`.
    #[schema(value_type = Option<String>, format = "date")]
    pub(crate) expiration_date: Member,
    /// The time of `expirationDate` at which the link ends, with its zone. Without it: the end of the day in the
    /// terminal's time zone. It is also read in `paymentSession`.
    #[schema(value_type = Option<String>, format = "end-time")]
    pub(crate) expiration_time: Member,
    /// Refused if it is an array: a link has one payment.
    #[schema(ignore)]
    pub(crate) payment_sessions: Member,
}

/// The body of `POST /v1/orders/paybylink`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreatePaymentLinkV1 {
    /// What is paid for, and by whom. It is stored, and returned by `GET /orders/{orderId}`.
    #[schema(value_type = Order)]
    pub(crate) order: Part<Order>,
    /// The payment that is made now: how much, by which method, and where the browser goes afterwards.
    #[schema(value_type = LinkSession)]
    pub(crate) payment_session: Part<LinkSession>,
    /// How the form of the page behaves.
    #[schema(value_type = Option<PageForm>)]
    pub(crate) form: Part<PageForm>,
    /// The last day on which the link can be paid, in the terminal's time zone: not in the past, at most 90 days ahead
    /// (`PS0042`). Without it: 30 days ahead.
    #[schema(value_type = Option<String>, format = "date")]
    pub(crate) expiration_date: Member,
}
