//! The buyer, the addresses, and what 3-D Secure may use: the member `customerInfo` (contract 2.3).

use super::forms::{Indicators2, Indicators4, Indicators5, Indicators7};
use super::{Member, Part};
use serde::Deserialize;
use utoipa::ToSchema;

/// The buyer.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(title = "CustomerInfo")]
pub(crate) struct CustomerInfo {
    /// The name of the buyer. It is the first value of the form's input for the name. For a mail or telephone order it is
    /// the name on the card, and is mandatory, because nobody enters it.
    #[schema(value_type = Option<String>, max_length = 255, examples("Anna Rossi"))]
    pub(crate) card_holder_name: Member,
    /// The buyer's e-mail address. It is the first value of the form's input for the address.
    #[schema(value_type = Option<String>, max_length = 255, examples("anna@example.com"))]
    pub(crate) card_holder_email: Member,
    /// The billing address, as the issuer knows it.
    #[schema(value_type = Option<Address>)]
    pub(crate) billing_address: Part<Address>,
    /// The shipping address, if it differs.
    #[schema(value_type = Option<Address>)]
    pub(crate) shipping_address: Part<Address>,
    /// The country's calling code of `mobilePhone`, with or without `+`.
    #[schema(value_type = Option<String>, max_length = 4, examples("+39"))]
    pub(crate) mobile_phone_country_code: Member,
    /// The mobile number without the country's calling code.
    #[schema(value_type = Option<String>, max_length = 15, examples("3331234567"))]
    pub(crate) mobile_phone: Member,
    /// The home telephone number.
    #[schema(value_type = Option<String>, max_length = 19, examples("+39021234567"))]
    pub(crate) home_phone: Member,
    /// The work telephone number.
    #[schema(value_type = Option<String>, max_length = 19, examples("+39027654321"))]
    pub(crate) work_phone: Member,
    /// The buyer's tax number. It is stored and returned.
    #[schema(value_type = Option<String>, max_length = 21, examples("RSSNNA80A41F205X"))]
    pub(crate) tax_code: Member,
    /// What the merchant knows about the buyer's account in the shop. The more the issuer knows, the more rarely it asks
    /// the buyer.
    #[schema(value_type = Option<AccountInfo>)]
    pub(crate) card_holder_acct_info: Part<AccountInfo>,
    /// What the merchant knows about this purchase. The issuer may use it to assess the risk.
    #[schema(value_type = Option<RiskIndicator>)]
    pub(crate) merchant_risk_indicator: Part<RiskIndicator>,
}

/// An address of the buyer.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(title = "Address")]
pub(crate) struct Address {
    /// The person or company that receives the bill or the goods.
    #[schema(value_type = Option<String>, max_length = 50, examples("Anna Rossi"))]
    pub(crate) name: Member,
    /// Street and house number.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 50, examples("Via Roma 1"))]
    pub(crate) street: Member,
    /// Additional information for the delivery: floor, staircase, company.
    #[schema(value_type = Option<String>, max_length = 50, examples("Stairs B"))]
    pub(crate) additional_info: Member,
    /// The town.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 50, examples("Milano"))]
    pub(crate) city: Member,
    /// The postal code, in the format of its country.
    #[schema(value_type = Option<String>, max_length = 16, examples("20121"))]
    pub(crate) post_code: Member,
    /// The code of the province or state.
    #[schema(value_type = Option<String>, max_length = 3, examples("MI"))]
    pub(crate) province: Member,
    /// The country: three or two letters of ISO 3166-1, in any letter case; stored as three. The country of the billing
    /// address decides which methods the buyer can use: some methods are for one country and need it. An address with
    /// another text here is ignored, with a warning.
    #[schema(value_type = Option<String>, format = "country")]
    pub(crate) country: Member,
}

/// What the merchant knows about the buyer's account in the shop.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AccountInfo {
    /// The day on which the account was opened.
    #[schema(value_type = Option<String>, format = "date", examples("2021-04-01"))]
    pub(crate) ch_acc_date: Member,
    /// How long there has been an account: `01` there is none, `02` since this purchase, `03` under 30 days, `04` 30 to
    /// 60 days, `05` over 60 days.
    #[schema(value_type = Option<Indicators5>)]
    pub(crate) ch_acc_age_indicator: Member,
    /// The day on which the account was changed last: addresses, cards, users.
    #[schema(value_type = Option<String>, format = "date", examples("2026-02-14"))]
    pub(crate) ch_acc_change_date: Member,
    /// How long ago the account was changed: `01` with this purchase, `02` under 30 days, `03` 30 to 60 days, `04` over
    /// 60 days.
    #[schema(value_type = Option<Indicators4>)]
    pub(crate) ch_acc_change_indicator: Member,
    /// The day on which the password was changed last.
    #[schema(value_type = Option<String>, format = "date", examples("2025-11-30"))]
    pub(crate) ch_acc_pw_change_date: Member,
    /// How long ago the password was changed: `01` never, `02` with this purchase, `03` under 30 days, `04` 30 to 60
    /// days, `05` over 60 days.
    #[schema(value_type = Option<Indicators5>)]
    pub(crate) ch_acc_pw_change_indicator: Member,
    /// The number of purchases of the account in the last six months.
    #[schema(value_type = Option<u64>, minimum = 0, examples(4))]
    pub(crate) nb_purchase_account: Member,
    /// The day on which the shipping address was first used.
    #[schema(value_type = Option<String>, format = "date", examples("2024-08-20"))]
    pub(crate) destination_address_usage_date: Member,
    /// How long the shipping address has been in use: `01` since this purchase, `02` under 30 days, `03` 30 to 60 days,
    /// `04` over 60 days.
    #[schema(value_type = Option<Indicators4>)]
    pub(crate) destination_address_usage_indicator: Member,
    /// Whether the account's name is the name in the shipping address: `01` the same, `02` another.
    #[schema(value_type = Option<Indicators2>)]
    pub(crate) destination_name_indicator: Member,
    /// The number of purchases that the account began in the last 24 hours, completed or not.
    #[schema(value_type = Option<u64>, minimum = 0, examples(1))]
    pub(crate) txn_activity_day: Member,
    /// The number of purchases that the account began in the last year, completed or not.
    #[schema(value_type = Option<u64>, minimum = 0, examples(12))]
    pub(crate) txn_activity_year: Member,
    /// How many times a card was added to the account in the last 24 hours.
    #[schema(value_type = Option<u64>, minimum = 0, examples(0))]
    pub(crate) provision_attempts_day: Member,
    /// Whether the merchant has seen fraud on the account: `01` none, `02` seen.
    #[schema(value_type = Option<Indicators2>)]
    pub(crate) suspicious_acc_activity: Member,
    /// The day on which this card was added to the account.
    #[schema(value_type = Option<String>, format = "date", examples("2025-06-01"))]
    pub(crate) payment_acc_age_date: Member,
    /// How long this card has been in the account: `01` it is not, `02` since this purchase, `03` under 30 days, `04`
    /// 30 to 60 days, `05` over 60 days.
    #[schema(value_type = Option<Indicators5>)]
    pub(crate) payment_acc_indicator: Member,
}

/// What the merchant knows about this purchase.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RiskIndicator {
    /// The e-mail address that digital goods are sent to.
    #[schema(value_type = Option<String>, max_length = 255, examples("anna@example.com"))]
    pub(crate) delivery_email: Member,
    /// When the goods arrive: `01` at once, by electronic means, `02` on the same day, `03` overnight, `04` in two days
    /// or more.
    #[schema(value_type = Option<Indicators4>)]
    pub(crate) delivery_timeframe: Member,
    /// The total value of the gift cards of this purchase.
    #[schema(value_type = Option<GiftCardAmount>)]
    pub(crate) gift_card_amount: Part<GiftCardAmount>,
    /// How many gift cards are bought.
    #[schema(value_type = Option<u64>, minimum = 0, examples(1))]
    pub(crate) gift_card_count: Member,
    /// The day from which pre-ordered goods are available.
    #[schema(value_type = Option<String>, format = "date")]
    pub(crate) pre_order_date: Member,
    /// Whether the goods are available: `01` now, `02` later.
    #[schema(value_type = Option<Indicators2>)]
    pub(crate) pre_order_purchase_indicator: Member,
    /// Whether the buyer orders these goods again: `01` for the first time, `02` again.
    #[schema(value_type = Option<Indicators2>)]
    pub(crate) reorder_items_indicator: Member,
    /// Where the goods go: `01` to the billing address, `02` to another address that the merchant has verified, `03` to
    /// another address, `04` to a shop for pick-up, `05` nowhere, they are digital, `06` nowhere, they are tickets,
    /// `07` other.
    #[schema(value_type = Option<Indicators7>)]
    pub(crate) ship_indicator: Member,
}

/// The value of gift cards.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GiftCardAmount {
    /// Their value, in the minor unit of the currency. A number is returned as a number.
    #[schema(value_type = String, format = "amount", examples("5000"))]
    pub(crate) value: Member,
    /// The currency of the gift cards: the ISO 4217 letters.
    #[schema(value_type = String, format = "currency")]
    pub(crate) currency: Member,
}
