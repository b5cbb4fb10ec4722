//! The member `order` of a creation call (contract 2.1).

use super::customer::{self, currency};
use super::error::RequestErrors;
use super::fields::{Presence, Section};
use super::requests::forms::{InstallmentTypes, PlanTypes};
use super::requests::order::{Installment, Order, TransactionSummary};
use super::requests::reservation::ReservationPart;
use super::requests::{Member, Parts};
use payframe_card_rules::expiry::Date;
use payframe_error_codes::ErrorCode::{PS0005, PS0006, PS0026};
use payframe_money::Amount;
use serde_json::{Map, Value};

/// The order of a request.
pub(super) struct OrderPart {
    pub(super) order_id: String,
    pub(super) amount: Amount,
    pub(super) currency: String,
    /// The terms and conditions that the buyer accepts first.
    pub(super) terms_ids: Vec<String>,
    pub(super) document: Map<String, Value>,
}

/// Reads the order. Its amount is returned separately, because other checks need it even if the order is not valid.
pub(super) fn read(
    mut order: Section,
    sent: &Order,
    today: Date,
    findings: &mut RequestErrors,
) -> (Option<OrderPart>, Option<Amount>) {
    let (mandatory, optional) = (Presence::Mandatory, Presence::Optional);
    let order_id = read_id(&mut order, "orderId", &sent.order_id, mandatory, findings);
    let amount = order.amount("amount", &sent.amount, mandatory, findings);
    let currency = currency(&mut order, &sent.currency, findings);
    order.customers_id("customerId", &sent.customer_id, 27, findings);
    for (name, member) in [
        ("description", &sent.description),
        ("customField", &sent.custom_field),
    ] {
        order.free_text(name, member, optional, 0..=255, findings);
    }
    if let Some(info) = customer::read(&order, &sent.customer_info, findings) {
        order.put("customerInfo", info);
    }
    read_summary(&mut order, &sent.transaction_summary, findings);
    let dated = DatedInstallments::FromTheFirst;
    read_installments(
        &mut order,
        &sent.installments,
        amount,
        today,
        dated,
        findings,
    );
    order.count("installmentQty", &sent.installment_qty, 2..=99, findings);
    if sent.plan.is_there() {
        let mut plan = order.section("plan", &sent.plan, optional, findings);
        let sent = sent.plan.members();
        plan.must_have("planType", sent.plan_type.is_there(), findings);
        plan.one_of("planType", &sent.plan_type, PlanTypes::CODES, findings);
        plan.must_have("installmentQty", sent.installment_qty.is_there(), findings);
        plan.count(
            "installmentQty",
            &sent.installment_qty,
            2..=u64::MAX,
            findings,
        );
        let plan = plan.document();
        order.put("plan", plan);
    }
    let terms_ids = read_terms_ids(&mut order, &sent.terms_and_conditions_ids, findings);
    order.text("invoiceId", &sent.invoice_id, optional, 0..=30, findings);
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
    /// Refuses terms, for calls without a hosted page: the buyer could not accept them.
    pub(super) fn refuse_terms(&self, findings: &mut RequestErrors) {
        if !self.terms_ids.is_empty() {
            findings.add(
                PS0026,
                "order.termsAndConditionsIds is for hosted pages and links, where buyers can accept them",
            );
        }
    }
}

/// Reads the ids of terms and conditions; copied.
pub(super) fn read_terms_ids(
    section: &mut Section,
    member: &Member,
    findings: &mut RequestErrors,
) -> Vec<String> {
    let terms_ids: Vec<String> = section
        .texts("termsAndConditionsIds", member, 0..=10, findings)
        .into_iter()
        .map(str::to_owned)
        .collect();
    if !terms_ids.is_empty() {
        section.put("termsAndConditionsIds", terms_ids.clone());
    }
    terms_ids
}

pub(super) fn read_summary(
    order: &mut Section,
    parts: &Parts<TransactionSummary>,
    findings: &mut RequestErrors,
) {
    if !parts.is_there() {
        return;
    }
    let mut summaries = Vec::new();
    for (index, item) in order
        .array("transactionSummary", parts, 0..=20, findings)
        .iter()
        .enumerate()
    {
        let mut summary = order.element("transactionSummary", index, item, findings);
        let sent = item.members();
        summary.language("language", &sent.language, Presence::Mandatory, findings);
        let mut rows = Vec::new();
        for (place, item) in summary
            .array("summaryList", &sent.summary_list, 0..=20, findings)
            .iter()
            .enumerate()
        {
            let mut row = summary.element("summaryList", place, item, findings);
            let sent = item.members();
            row.free_text("label", &sent.label, Presence::Mandatory, 0..=50, findings);
            row.free_text("value", &sent.value, Presence::Mandatory, 0..=255, findings);
            rows.push(Value::Object(row.document()));
        }
        summary.put("summaryList", rows);
        summaries.push(Value::Object(summary.document()));
    }
    order.put("transactionSummary", summaries);
}

/// Which of the installments have a date that is checked and kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DatedInstallments {
    /// All of them.
    FromTheFirst,
    /// All except the first, which is paid at once.
    FromTheSecond,
}

/// A part of an order or of a reservation.
pub(super) trait SentInstallment {
    /// Its members `date`, `amount` and `type`.
    fn members(&self) -> [&Member; 3];
}

impl SentInstallment for Installment {
    fn members(&self) -> [&Member; 3] {
        [&self.date, &self.amount, &self.kind]
    }
}

impl SentInstallment for ReservationPart {
    fn members(&self) -> [&Member; 3] {
        [&self.date, &self.amount, &self.kind]
    }
}

/// Reads the installments of an order or a reservation, and returns the first one's amount.
pub(super) fn read_installments<T: SentInstallment>(
    order: &mut Section,
    parts: &Parts<T>,
    amount: Option<Amount>,
    today: Date,
    dated: DatedInstallments,
    findings: &mut RequestErrors,
) -> Option<Amount> {
    if !parts.is_there() {
        return None;
    }
    let mut installments = Vec::new();
    let mut sum = 0;
    let mut first = None;
    for (index, item) in order
        .array("installments", parts, 2..=12, findings)
        .iter()
        .enumerate()
    {
        let mut installment = order.element("installments", index, item, findings);
        let [date, amount, kind] = item.members().members();
        let path = installment.path_of("date");
        // The date of the first part of a reservation has no meaning, so it is not kept.
        if index > 0 || dated == DatedInstallments::FromTheFirst {
            match date.sent().map(|date| date.as_str().and_then(Date::parse)) {
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
        let part = installment.amount("amount", amount, Presence::Mandatory, findings);
        first = first.or(part.filter(|_| index == 0));
        sum += part.map_or(0, Amount::minor);
        installment.put("type", "AUTOMATIC");
        installment.one_of("type", kind, InstallmentTypes::CODES, findings);
        installments.push(Value::Object(installment.document()));
    }
    if amount.is_some_and(|amount| sum > amount.minor()) {
        let (parts, whole) = (order.path_of("installments"), order.path_of("amount"));
        findings.add(PS0005, format!("{parts} exceed {whole}"));
    }
    order.put("installments", installments);
    first
}

/// Reads and copies the id of an order or a reservation.
pub(super) fn read_id<'a>(
    section: &mut Section,
    name: &str,
    member: &'a Member,
    presence: Presence,
    findings: &mut RequestErrors,
) -> Option<&'a str> {
    let path = section.path_of(name);
    let Some(value) = member.sent() else {
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

/// Whether a text is a valid order id (contract 2.1).
pub(super) fn is_order_id(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"#*+-.:;=?[]_{|}".contains(&byte);
    (1..=27).contains(&text.len()) && text.bytes().all(allowed) && text != "paybylink"
}
