//! What is paid for: the member `order` of creation calls (contract 2.1).

use super::customer::CustomerInfo;
use super::forms::{InstallmentTypes, PlanTypes, TermsId};
use super::{Member, Part, Parts};
use serde::Deserialize;
use utoipa::ToSchema;

/// An order.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(title = "Order")]
pub(crate) struct Order {
    /// The merchant's id of the order. An id that has an approved or pending payment is refused (`GW9006`); until then
    /// another call with it is a new attempt, and ends the earlier session.
    #[schema(value_type = String, format = "order-id")]
    pub(crate) order_id: Member,
    /// The price of the order, in the minor unit of `order.currency`. Above 0, except with `actionType` `VERIFY`. A card
    /// verification charges nothing, so any amount is accepted there; it is recorded as 0.
    #[schema(value_type = String, format = "amount")]
    pub(crate) amount: Member,
    /// The currency of the order and of all its operations: the ISO 4217 letters, in any letter case. The terminal must
    /// accept it (`PS0009`).
    #[schema(value_type = String, format = "currency")]
    pub(crate) currency: Member,
    /// The merchant's id of the buyer. It finds the cards that are stored for this buyer, and is needed to offer them.
    #[schema(value_type = Option<String>, max_length = 27, examples("cust-7"))]
    pub(crate) customer_id: Member,
    /// What is bought, as a text for the buyer. Hosted pages and links show it.
    #[schema(value_type = Option<String>, max_length = 255, examples("Two tickets, row 7"))]
    pub(crate) description: Member,
    /// A text of the merchant's own, such as a shop or a till. Lists of orders, operations and links can be filtered by it.
    #[schema(value_type = Option<String>, max_length = 255, examples("shop-12"))]
    pub(crate) custom_field: Member,
    /// What the buyer sees of the order on hosted pages and links, once for each language. Without an entry of the
    /// page's language, English is shown, else the first one.
    #[schema(value_type = Option<Vec<TransactionSummary>>, max_items = 20)]
    pub(crate) transaction_summary: Parts<TransactionSummary>,
    /// The dates and amounts at which the order is paid. Together they are at most `order.amount` (`PS0005`).
    #[schema(value_type = Option<Vec<Installment>>, min_items = 2, max_items = 12)]
    pub(crate) installments: Parts<Installment>,
    /// The number of installments in which the order is paid. It is stored and returned; it does not change what is charged.
    #[schema(value_type = Option<u64>, minimum = 2, maximum = 99, examples(3))]
    pub(crate) installment_qty: Member,
    /// An installment plan between merchant, acquirer and buyer. It is passed on to the acquirer.
    #[schema(value_type = Option<InstallmentPlan>)]
    pub(crate) plan: Part<InstallmentPlan>,
    /// Texts that the buyer has to accept before paying, by the ids of `POST /terms_and_conditions`. For hosted pages
    /// and links only; elsewhere `PS0026`.
    #[schema(value_type = Option<Vec<TermsId>>, max_items = 10)]
    pub(crate) terms_and_conditions_ids: Member,
    /// The merchant's number of the invoice. It is stored and returned.
    #[schema(value_type = Option<String>, max_length = 30, examples("2026-00042"))]
    pub(crate) invoice_id: Member,
    /// The buyer. The form takes name and e-mail address from it; the issuer takes the rest into account when it decides
    /// about 3-D Secure.
    #[schema(value_type = Option<CustomerInfo>)]
    pub(crate) customer_info: Part<CustomerInfo>,
}

/// An installment plan.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InstallmentPlan {
    /// The basis of the plan: `ACQUIRER_AGREEMENT`, the contract with the acquirer.
    #[schema(value_type = PlanTypes)]
    pub(crate) plan_type: Member,
    /// The number of installments of the plan.
    #[schema(value_type = u64, minimum = 2, examples(3))]
    pub(crate) installment_qty: Member,
}

/// What the buyer sees of an order, in one language.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TransactionSummary {
    /// The language of this entry's rows: three letters, in any letter case.
    #[schema(value_type = String, format = "language")]
    pub(crate) language: Member,
    /// The rows, in the order in which they are shown.
    #[schema(value_type = Option<Vec<SummaryRow>>, max_items = 20)]
    pub(crate) summary_list: Parts<SummaryRow>,
}

/// A row of a summary.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SummaryRow {
    /// The label of the row, at the start of the line.
    #[schema(value_type = String, max_length = 50, examples("Nights"))]
    pub(crate) label: Member,
    /// The value of the row. It is shown unchanged, so write amounts with their currency.
    #[schema(value_type = String, max_length = 255, examples("3"))]
    pub(crate) value: Member,
}

/// An installment: a part of an order, paid on a day of its own.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Installment {
    /// The day on which the part is paid, in the terminal's time zone. It must not be in the past (`PS0006`).
    #[schema(value_type = String, format = "date")]
    pub(crate) date: Member,
    /// The amount that is paid on that day, in the minor unit of the order's currency.
    #[schema(value_type = String, format = "amount")]
    pub(crate) amount: Member,
    /// Who charges the installment: the gateway on its date (`AUTOMATIC`, the default), or the merchant's server by a call
    /// (`MANUAL`).
    #[serde(rename = "type")]
    #[schema(value_type = Option<InstallmentTypes>)]
    pub(crate) kind: Member,
}
