//! The member `order` of a creation call (contract 2.1).

use super::customer::{self, currency};
use super::error::Findings;
use super::fields::{Presence, Section};
use super::request_schema;
use crate::error_code::ErrorCode::{PS0005, PS0006, PS0026};
use payframe_card_rules::expiry::Date;
use payframe_money::Amount;
use serde_json::{Map, Value, json};

/// The order of a request.
pub(super) struct OrderPart {
    pub(super) order_id: String,
    pub(super) amount: Amount,
    pub(super) currency: String,
    /// The terms and conditions that the buyer accepts first.
    pub(super) terms_ids: Vec<String>,
    pub(super) document: Map<String, Value>,
}

/// Answers the order's amount beside the order: other checks need it even where the order is not good.
pub(super) fn read(
    mut order: Section<'_>,
    today: Date,
    findings: &mut Findings,
) -> (Option<OrderPart>, Option<Amount>) {
    let order_id = read_id(&mut order, "orderId", Presence::Mandatory, findings);
    let amount = order.amount("amount", Presence::Mandatory, findings);
    let currency = currency(&mut order, findings);
    order.text("customerId", Presence::Optional, 0..=27, findings);
    order.text("description", Presence::Optional, 0..=255, findings);
    order.text("customField", Presence::Optional, 0..=255, findings);
    if let Some(info) = customer::read(&order, findings) {
        order.put("customerInfo", info);
    }
    read_summary(&mut order, findings);
    read_installments(&mut order, amount, today, Dated::FromTheFirst, findings);
    order.count("installmentQty", 2..=99, findings);
    if order.has("plan") {
        let mut plan = order.section("plan", Presence::Optional, findings);
        plan.must_have("planType", findings);
        plan.one_of("planType", &["ACQUIRER_AGREEMENT"], findings);
        plan.must_have("installmentQty", findings);
        plan.count("installmentQty", 2..=u64::MAX, findings);
        let plan = plan.document();
        order.put("plan", plan);
    }
    let terms_ids = read_terms_ids(&mut order, findings);
    order.text("invoiceId", Presence::Optional, 0..=30, findings);
    let part = match (order_id, amount, currency) {
        (Some(order_id), Some(amount), Some(currency)) => Some(OrderPart {
            order_id: order_id.to_owned(),
            amount,
            currency,
            terms_ids,
            document: order.document(),
        }),
        _ => None,
    };
    (part, amount)
}

impl OrderPart {
    /// For calls that make no page of ours: nobody could accept terms there.
    pub(super) fn refuse_terms(&self, findings: &mut Findings) {
        if !self.terms_ids.is_empty() {
            findings.add(
                PS0026,
                "order.termsAndConditionsIds is for hosted pages and links, where buyers can accept them",
            );
        }
    }
}

/// Reads the ids of terms and conditions; copied.
pub(super) fn read_terms_ids(section: &mut Section<'_>, findings: &mut Findings) -> Vec<String> {
    let element = || request_schema::text(1, 36);
    let terms_ids: Vec<String> = section
        .texts("termsAndConditionsIds", 0..=10, element, findings)
        .into_iter()
        .map(str::to_owned)
        .collect();
    if !terms_ids.is_empty() {
        section.put("termsAndConditionsIds", terms_ids.clone());
    }
    terms_ids
}

pub(super) fn read_summary(order: &mut Section<'_>, findings: &mut Findings) {
    if !order.has("transactionSummary") {
        return;
    }
    let mut summaries = Vec::new();
    for (index, item) in order
        .array("transactionSummary", 0..=20, findings)
        .iter()
        .enumerate()
    {
        let mut summary = order.element("transactionSummary", index, item, findings);
        summary.language("language", Presence::Mandatory, findings);
        let mut rows = Vec::new();
        for (place, row) in summary
            .array("summaryList", 0..=20, findings)
            .iter()
            .enumerate()
        {
            let mut row = summary.element("summaryList", place, row, findings);
            row.text("label", Presence::Mandatory, 0..=50, findings);
            row.text("value", Presence::Mandatory, 0..=255, findings);
            rows.push(Value::Object(row.document()));
        }
        summary.put("summaryList", rows);
        summaries.push(Value::Object(summary.document()));
    }
    order.put("transactionSummary", summaries);
}

/// Which of the installments have a date that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dated {
    /// All of them.
    FromTheFirst,
    /// All but the first, which is what is paid at once.
    FromTheSecond,
}

/// Reads the installments of an order or a reservation and answers the first one's amount.
pub(super) fn read_installments(
    order: &mut Section<'_>,
    amount: Option<Amount>,
    today: Date,
    dated: Dated,
    findings: &mut Findings,
) -> Option<Amount> {
    if !order.has("installments") {
        return None;
    }
    let mut installments = Vec::new();
    let mut sum = 0;
    let mut first = None;
    for (index, item) in order
        .array("installments", 2..=12, findings)
        .iter()
        .enumerate()
    {
        let mut installment = order.element("installments", index, item, findings);
        let path = installment.path_of("date");
        if index == 0 && dated == Dated::FromTheSecond {
            // What it says does not matter, so it is not kept.
            let any = || json!({ "description": "Of the first one ignored; of the others a date that is not past." });
            installment.value_of("date", Presence::Optional, any);
        } else {
            match installment
                .value_of("date", Presence::Mandatory, request_schema::date)
                .map(|date| date.as_str().and_then(Date::parse))
            {
                None => findings.add(PS0026, format!("{path} is missing")),
                Some(Some(date)) if date >= today => {
                    let text = format!("{:04}-{:02}-{:02}", date.year, date.month, date.day);
                    installment.put("date", text);
                }
                Some(_) => findings.add(
                    PS0006,
                    format!("{path} must be a date, YYYY-MM-DD, that is not past"),
                ),
            }
        }
        let part = installment.amount("amount", Presence::Mandatory, findings);
        first = first.or(part.filter(|_| index == 0));
        sum += part.map_or(0, Amount::minor);
        installment.put("type", "AUTOMATIC");
        installment.one_of("type", &["AUTOMATIC", "MANUAL"], findings);
        installments.push(Value::Object(installment.document()));
    }
    if amount.is_some_and(|amount| sum > amount.minor()) {
        let (parts, whole) = (order.path_of("installments"), order.path_of("amount"));
        findings.add(PS0005, format!("{parts} exceed {whole}"));
    }
    order.put("installments", installments);
    first
}

/// What an order's id is made of; and it is not a word that is a path (contract 2.1).
const ORDER_ID: &str = r"^[A-Za-z0-9#*+\-.:;=?\[\]_{|}]{1,27}$";

/// Reads the id of an order or a reservation; copied.
pub(super) fn read_id<'a>(
    section: &mut Section<'a>,
    name: &str,
    presence: Presence,
    findings: &mut Findings,
) -> Option<&'a str> {
    let path = section.path_of(name);
    let Some(value) = section.value_of(name, presence, order_id_schema) else {
        if presence == Presence::Mandatory {
            findings.add(PS0026, format!("{path} is missing"));
        }
        return None;
    };
    let id = value.as_str().filter(|text| is_order_id(text));
    match id {
        Some(id) => section.put(name, id),
        None => findings.add(PS0026, format!("{path} must be 1 to 27 of A-Z a-z 0-9 # * + - . : ; = ? [ ] _ {{ | }}, and not paybylink")),
    }
    id
}

/// What [`is_order_id`] accepts, as a schema.
pub(super) fn order_id_schema() -> Value {
    let mut schema = request_schema::pattern(ORDER_ID, "A1B2C3");
    schema["not"] = json!({ "const": "paybylink" });
    schema
}

/// Whether a text can be an order's id (contract 2.1).
pub(super) fn is_order_id(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"#*+-.:;=?[]_{|}".contains(&byte);
    (1..=27).contains(&text.len()) && text.bytes().all(allowed) && text != "paybylink"
}
