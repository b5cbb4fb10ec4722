//! What calls send. Write one with its members and `..Default::default()`: members may be added.
//!
//! Made by `tools/types.mjs`; changes by hand are lost. It is longer than most, because it has one type for each object of the API.

use crate::types::choices::{
    ActionType, AmountType, BillingAddress, CaptureType, CardSummary, Channel, Closing, Consent,
    ContractType, DisputeCategory, DisputeKind, DisputeResult, DisputeState, Exemptions,
    FormMethods, FulfilmentState, InstallmentType, LinkStatus, OperationType, OrderState,
    PaymentService, PlanType, RecurrenceAction, Redirect, SavedCards,
};
use serde::Serialize;

/// Where the buyer lives, or where the goods go.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Address {
    /// Additional information for the delivery: floor, staircase, company.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_info: Option<String>,
    /// The town.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    /// The country: three or two letters of ISO 3166-1, in any letter case; stored as three.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// The person or company that receives the bill or the goods.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The postal code, in the format of its country.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_code: Option<String>,
    /// The code of the province or state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub province: Option<String>,
    /// Street and house number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub street: Option<String>,
}

/// Body of `POST /operations/{operationId}/captures`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CaptureRequest {
    /// How much of the held money is captured, in the minor unit: from 1 to what is open.
    pub amount: String,
    /// The currency of the operation, which is also the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// The reason, for the merchant's own staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// What the merchant knows about the buyer's account in the shop.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CardHolderAccount {
    /// How long there has been an account. One of `01`, `02`, `03`, `04`, `05`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ch_acc_age_indicator: Option<String>,
    /// The day on which the account was changed last: addresses, cards, users.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ch_acc_change_date: Option<String>,
    /// How long ago the account was changed. One of `01`, `02`, `03`, `04`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ch_acc_change_indicator: Option<String>,
    /// The day on which the account was opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ch_acc_date: Option<String>,
    /// The day on which the password was changed last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ch_acc_pw_change_date: Option<String>,
    /// How long ago the password was changed. One of `01`, `02`, `03`, `04`, `05`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ch_acc_pw_change_indicator: Option<String>,
    /// The day on which the shipping address was first used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destination_address_usage_date: Option<String>,
    /// How long the shipping address has been in use. One of `01`, `02`, `03`, `04`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destination_address_usage_indicator: Option<String>,
    /// Whether the account's name is the name in the shipping address. One of `01`, `02`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destination_name_indicator: Option<String>,
    /// The number of purchases of the account in the last six months.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nb_purchase_account: Option<u32>,
    /// The day on which this card was added to the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_acc_age_date: Option<String>,
    /// How long this card has been in the account. One of `01`, `02`, `03`, `04`, `05`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_acc_indicator: Option<String>,
    /// How many times a card was added to the account in the last 24 hours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provision_attempts_day: Option<u32>,
    /// Whether the merchant has seen fraud on the account. One of `01`, `02`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suspicious_acc_activity: Option<String>,
    /// The number of purchases that the account began in the last 24 hours, completed or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub txn_activity_day: Option<u32>,
    /// The number of purchases that the account began in the last year, completed or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub txn_activity_year: Option<u32>,
}

/// Body of `POST /build/confirm_payment`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Confirmation {
    /// The amount to charge, in the minor unit of the order's currency.
    pub amount: String,
    /// Whether the card is charged now (the default).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm: Option<bool>,
    /// The session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The sum that the form showed when the buyer pressed Pay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown_sum: Option<String>,
}

/// The buyer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CustomerInfo {
    /// The billing address, as the issuer knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billing_address: Option<Address>,
    /// What the merchant knows about the buyer's account in the shop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card_holder_acct_info: Option<CardHolderAccount>,
    /// The buyer's e-mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card_holder_email: Option<String>,
    /// The name of the buyer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card_holder_name: Option<String>,
    /// The home telephone number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub home_phone: Option<String>,
    /// What the merchant knows about this purchase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merchant_risk_indicator: Option<MerchantRiskIndicator>,
    /// The mobile number without the country's calling code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mobile_phone: Option<String>,
    /// The country's calling code of `mobilePhone`, with or without `+`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mobile_phone_country_code: Option<String>,
    /// The shipping address, if it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shipping_address: Option<Address>,
    /// The buyer's tax number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tax_code: Option<String>,
    /// The work telephone number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work_phone: Option<String>,
}

/// Query of `GET /disputes`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DisputeQuery {
    /// Only disputes behind this one: the `disputeId` of the last row of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The largest number of disputes of an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Only what belongs to the order with exactly this id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_id: Option<String>,
    /// Only disputes in this state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<DisputeState>,
}

/// Query of `GET /events`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventQuery {
    /// Only events behind this cursor: the `nextCursor` of the last answer, or the `cursor` of an event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The largest number of events of an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// Body of `POST /disputes/{disputeId}/evidence`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceRequest {
    /// What buyer and merchant wrote to each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correspondence: Option<String>,
    /// When, how and where it was delivered, such as the carrier and the number of the parcel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery: Option<String>,
    /// Why the payment is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// What was sold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goods: Option<String>,
    /// The terms of cancellation and refund that the buyer accepted, and how.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refund_terms: Option<String>,
}

/// Asks for the form in one frame, and says how it behaves.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FormOptions {
    /// How many refused payments end the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    /// What the form asks of the billing address, because banks in several countries compare it with their own records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billing_address: Option<BillingAddress>,
    /// Which digits of the card the form may report to the page: none (the default), the last four, or the first six and the last four.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card_summary: Option<CardSummary>,
    /// Who may charge once the card is entered: the merchant's server (`SERVER`, the default), or the form itself when the buyer presses Pay (`FRAME`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closing: Option<Closing>,
    /// Whether the form asks the buyer before it stores the card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consent: Option<Consent>,
    /// How the buyer can withdraw the consent, as plain text in the buyer's language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consent_text: Option<String>,
    /// The number of seconds after which the session ends, also while it is in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_in_seconds: Option<u32>,
    /// The numbers of installments from which the buyer may choose: different whole numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub installments: Option<Vec<u32>>,
    /// What the buyer can choose from if `paymentService` names nothing: every method of the terminal (the default), or the card alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub methods: Option<FormMethods>,
    /// Who sends the buyer to a method that is paid on another page: the form (`FRAME`, the default), or the merchant's page, which receives an event (`PAGE`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirect: Option<Redirect>,
    /// Whether the form offers the cards that are stored for `order.customerId`: no (the default), to pay with, or also to remove.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved_cards: Option<SavedCards>,
}

/// Body of `PUT /orders/{orderId}/fulfilment`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FulfilmentRequest {
    /// A note for the merchant's own staff, such as the number of a parcel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The state of the order's goods.
    pub state: FulfilmentState,
}

/// The total value of the gift cards of this purchase.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GiftCardAmount {
    /// The currency of the gift cards: the ISO 4217 letters.
    pub currency: String,
    /// Their value, in the minor unit of the currency.
    pub value: String,
}

/// Body of `POST /orders/hpp`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HostedPageRequest {
    /// How the form of the page behaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<LinkFormOptions>,
    /// What is paid for, and by whom.
    pub order: OrderRequest,
    /// The payment that is made now: how much, by which method, and where the browser goes afterwards.
    pub payment_session: PaymentSession,
}

/// A part of the amount, and the day on which it is paid.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Installment {
    /// The amount that is paid on that day, in the minor unit of the order's currency.
    pub amount: String,
    /// The day on which the part is paid, in the terminal's time zone.
    pub date: String,
    /// Who charges the installment: the gateway on its date (`AUTOMATIC`, the default), or the merchant's server by a call (`MANUAL`).
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<InstallmentType>,
}

/// An installment plan between merchant, acquirer and buyer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InstallmentPlan {
    /// The number of installments of the plan.
    pub installment_qty: u32,
    /// The basis of the plan.
    pub plan_type: PlanType,
}

/// How the form of the page behaves.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LinkFormOptions {
    /// What the form asks of the billing address, because banks in several countries compare it with their own records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billing_address: Option<BillingAddress>,
}

/// The payment that is made now: how much, by which method, and where the browser goes afterwards.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LinkPaymentSession {
    /// `PAY` charges (the default), `PREAUTH` holds money that is captured later, `VERIFY` checks the card without a charge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action_type: Option<ActionType>,
    /// The amount that is paid now, in the minor unit of `order.currency`: at most `order.amount` (`PS0007`).
    pub amount: String,
    /// Where the browser goes when the buyer cancels: by GET, to exactly this address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancel_url: Option<String>,
    /// Whether approved money is captured at once (`IMPLICIT`), or held until a call captures it within 5 days (`EXPLICIT`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capture_type: Option<CaptureType>,
    /// What the merchant asks of 3-D Secure: nothing (the default), a challenge, or an exemption from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exemptions: Option<Exemptions>,
    /// The language of form, pages and messages: three letters, in any letter case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The address to which the gateway sends a notification of every operation of the order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notification_url: Option<String>,
    /// The only means of payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_service: Option<PaymentService>,
    /// Whether the card is stored for later, or a stored one is used or replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recurrence: Option<Recurrence>,
    /// Where the browser goes when the payment has its outcome: by GET, to exactly this address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_url: Option<String>,
}

/// Query of `GET /orders/paybylink`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LinkQuery {
    /// Only rows whose order has exactly this text in `order.customField`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_field: Option<String>,
    /// Only links whose order has exactly this `order.customerId`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_id: Option<String>,
    /// The beginning of the window, included; an ISO 8601 instant with its zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_time: Option<String>,
    /// The largest number of rows of a page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_records: Option<u32>,
    /// Only what belongs to the order with exactly this id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_id: Option<String>,
    /// Only links in this state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<LinkStatus>,
    /// The end of the window, excluded; an ISO 8601 instant with its zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_time: Option<String>,
}

/// Body of `POST /v2/orders/paybylink`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LinkRequest {
    /// The last day on which the link can be paid, in the terminal's time zone: not in the past, at most 90 days ahead (`PS0042`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiration_date: Option<String>,
    /// The time of `expirationDate` at which the link ends, with its zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiration_time: Option<String>,
    /// How the form of the page behaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<LinkFormOptions>,
    /// What is paid for, and by whom.
    pub order: OrderRequest,
    /// The payment that is made now: how much, by which method, and where the browser goes afterwards.
    pub payment_session: LinkPaymentSession,
}

/// What the merchant knows about this purchase.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MerchantRiskIndicator {
    /// The e-mail address that digital goods are sent to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery_email: Option<String>,
    /// When the goods arrive. One of `01`, `02`, `03`, `04`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery_timeframe: Option<String>,
    /// The total value of the gift cards of this purchase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gift_card_amount: Option<GiftCardAmount>,
    /// How many gift cards are bought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gift_card_count: Option<u32>,
    /// The day from which pre-ordered goods are available.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pre_order_date: Option<String>,
    /// Whether the goods are available. One of `01`, `02`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pre_order_purchase_indicator: Option<String>,
    /// Whether the buyer orders these goods again. One of `01`, `02`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reorder_items_indicator: Option<String>,
    /// Where the goods go. One of `01`, `02`, `03`, `04`, `05`, `06`, `07`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ship_indicator: Option<String>,
}

/// Query of `GET /operations`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OperationQuery {
    /// Only operations that were made this way: in a web shop, at a point of sale, or by hand in the back office.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    /// Only rows whose order has exactly this text in `order.customField`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_field: Option<String>,
    /// The beginning of the window, included; an ISO 8601 instant with its zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_time: Option<String>,
    /// The largest number of rows of a page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_records: Option<u32>,
    /// Only operations of this type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation_type: Option<OperationType>,
    /// The end of the window, excluded; an ISO 8601 instant with its zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_time: Option<String>,
}

/// Query of `GET /orders`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OrderQuery {
    /// Which amount of an order is compared with `minAmount` and `maxAmount`: what was ordered (the default), held or captured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount_type: Option<AmountType>,
    /// Only rows whose order has exactly this text in `order.customField`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_field: Option<String>,
    /// The beginning of the window, included; an ISO 8601 instant with its zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_time: Option<String>,
    /// The largest amount, included, in the minor unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_amount: Option<String>,
    /// The largest number of rows of a page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_records: Option<u32>,
    /// The smallest amount, included, in the minor unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_amount: Option<String>,
    /// Only what belongs to the order with exactly this id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_id: Option<String>,
    /// `TO_CAPTURE`: only orders with held money that can be captured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_state: Option<OrderState>,
    /// The end of the window, excluded; an ISO 8601 instant with its zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_time: Option<String>,
}

/// What is paid for, and by whom.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OrderRequest {
    /// The price of the order, in the minor unit of `order.currency`.
    pub amount: String,
    /// The currency of the order and of all its operations: the ISO 4217 letters, in any letter case.
    pub currency: String,
    /// A text of the merchant's own, such as a shop or a till.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_field: Option<String>,
    /// The merchant's id of the buyer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_id: Option<String>,
    /// The buyer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_info: Option<CustomerInfo>,
    /// What is bought, as a text for the buyer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The number of installments in which the order is paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub installment_qty: Option<u32>,
    /// The dates and amounts at which the order is paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub installments: Option<Vec<Installment>>,
    /// The merchant's number of the invoice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invoice_id: Option<String>,
    /// The merchant's id of the order.
    pub order_id: String,
    /// An installment plan between merchant, acquirer and buyer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<InstallmentPlan>,
    /// Texts that the buyer has to accept before paying, by the ids of `POST /terms_and_conditions`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms_and_conditions_ids: Option<Vec<String>>,
    /// What the buyer sees of the order on hosted pages and links, once for each language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transaction_summary: Option<Vec<TransactionSummary>>,
}

/// The payment that is made now: how much, by which method, and where the browser goes afterwards.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentSession {
    /// `PAY` charges (the default), `PREAUTH` holds money that is captured later, `VERIFY` checks the card without a charge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action_type: Option<ActionType>,
    /// The amount that is paid now, in the minor unit of `order.currency`: at most `order.amount` (`PS0007`).
    pub amount: String,
    /// Where the browser goes when the buyer cancels: by GET, to exactly this address.
    pub cancel_url: String,
    /// Whether approved money is captured at once (`IMPLICIT`), or held until a call captures it within 5 days (`EXPLICIT`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capture_type: Option<CaptureType>,
    /// What the merchant asks of 3-D Secure: nothing (the default), a challenge, or an exemption from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exemptions: Option<Exemptions>,
    /// The language of form, pages and messages: three letters, in any letter case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The address to which the gateway sends a notification of every operation of the order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notification_url: Option<String>,
    /// The only means of payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_service: Option<PaymentService>,
    /// Whether the card is stored for later, or a stored one is used or replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recurrence: Option<Recurrence>,
    /// Where the browser goes when the payment has its outcome: by GET, to exactly this address.
    pub result_url: String,
}

/// Whether the card is stored for later, or a stored one is used or replaced.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Recurrence {
    /// `NO_RECURRING` stores and uses nothing.
    pub action: RecurrenceAction,
    /// The last day on which the merchant may charge, in the terminal's time zone; not in the past.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract_expiry_date: Option<String>,
    /// The smallest number of days between two charges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract_frequency: Option<String>,
    /// The merchant's id of the contract under which the card is stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract_id: Option<String>,
    /// Who may use the card later: the buyer with one press (`CIT`), or the merchant without the buyer, at any time (`MIT_UNSCHEDULED`) or at fixed times (`MIT_SCHEDULED`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract_type: Option<ContractType>,
}

/// Body of `POST /operations/{operationId}/refunds`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RefundRequest {
    /// The amount to refund, in the minor unit.
    pub amount: String,
    /// The currency of the operation, which is also the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// The reason, for the merchant's own staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// Body of `POST /test/disputes/{disputeId}/result`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SandboxDisputeDecision {
    /// `WON`, `LOST`: the bank decides for the merchant, or for the buyer.
    pub result: DisputeResult,
}

/// Body of `POST /test/disputes`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SandboxDisputeRequest {
    /// The disputed money, in the minor unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
    /// Why the buyer disputes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<DisputeCategory>,
    /// How far it has come.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<DisputeKind>,
    /// The operation whose captured money is disputed.
    pub operation_id: String,
    /// The network's code of the reason: letters, digits, dots and hyphens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason_code: Option<String>,
    /// The time for an answer, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_to_respond: Option<u32>,
}

/// Body of `PATCH /build/session`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionChange {
    /// The new amount of the session, in the minor unit of its currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
    /// The currency of the session and of its order: the ISO 4217 letters, in any letter case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// What is bought, as a text for the buyer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The new amount of the order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_amount: Option<String>,
    /// The session.
    pub session_id: String,
}

/// Body of `POST /orders/build`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionRequest {
    /// Origins of pages that may contain the page of `merchantUrl` in a frame, such as a hotel's page with a booking widget: at most 8, each exact, without a path and without a wildcard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ancestor_origins: Option<Vec<String>>,
    /// Asks for the form in one frame, and says how it behaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<FormOptions>,
    /// The address of the page that shows the form.
    pub merchant_url: String,
    /// What is paid for, and by whom.
    pub order: OrderRequest,
    /// The payment that is made now: how much, by which method, and where the browser goes afterwards.
    pub payment_session: PaymentSession,
    /// The version of the protocol between page, server and gateway. One of `2`, `3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// Query of `GET /settlements/{settlementId}`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SettlementLineQuery {
    /// Only lines behind this cursor: the `nextCursor` of the last answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The largest number of lines of an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// Query of `GET /settlements`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SettlementQuery {
    /// Only settlements behind this cursor: the `nextCursor` of the last answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The largest number of settlements of an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// A row: its label and its value.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SummaryLine {
    /// The label of the row, at the start of the line.
    pub label: String,
    /// The value of the row.
    pub value: String,
}

/// What is bought, as rows in one language.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TransactionSummary {
    /// The language of this entry's rows: three letters, in any letter case.
    pub language: String,
    /// The rows, in the order in which they are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary_list: Option<Vec<SummaryLine>>,
}
