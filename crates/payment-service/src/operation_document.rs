//! The document of an operation: what merchants read of it in answers, lists and notifications.

use super::PaymentContext;
use payframe_card_rules::secret::Secret;
use payframe_error_codes::ErrorCode::TRA001;
use payframe_money::Amount;
use payframe_payment_domain::calendar::instant;
use payframe_payment_domain::card::{DeviceMark, EnteredCard, circuit};
use payframe_payment_domain::contract::is_hidden;
use payframe_payment_domain::exemption::RequestedExemption;
use payframe_payment_domain::liability::Liability;
use payframe_payment_domain::method::Method;
use payframe_payment_domain::offer::AcceptedOffer;
use payframe_payment_domain::operation::{ActionType, OperationResult, OperationType};
use payframe_payment_domain::session::{Authentication, Recorded};
use payframe_payment_domain::terms::{Channel, Terms};
use payframe_payment_domain::wallet::Wallet;
use payframe_payment_ports::acquirer::{Approval, AuthorizationResponse};
use payframe_protocol::operation::Operation;
use payframe_protocol::warning::Warning;
use payframe_storage::sessions::SessionRow;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// An operation to be written.
pub(crate) struct Booking<'a> {
    pub operation_id: &'a str,
    pub terminal_id: &'a str,
    pub card: Option<&'a EnteredCard>,
    /// The alternative method, if there is no card.
    pub method: Option<&'static Method>,
    pub number: Option<&'a Secret>,
    pub authentication: Option<Authentication>,
    /// The exemption that the acquirer was told.
    pub exemption: Option<RequestedExemption>,
    pub result: Recorded,
    /// The declined operation that it repeats after a challenge.
    pub repeats: Option<&'a str>,
    pub reply: Option<&'a AuthorizationResponse>,
}

impl Booking<'_> {
    /// What merchants read of it. `result`: as it is told to them.
    pub(super) fn document(
        &self,
        context: &PaymentContext,
        row: &SessionRow,
        result: OperationResult,
        amount: Amount,
        time_ms: i64,
        customer_info: Map<String, Value>,
    ) -> Operation {
        let operation_type = operation_type(result, &row.terms);
        let mut additional_data = BTreeMap::new();
        if let Some(card) = self.card {
            let merchant_id = &row.terms.merchant_id;
            add_card(
                context,
                &mut additional_data,
                merchant_id,
                card,
                self.number,
            );
        }
        if let Some(reply) = self.reply {
            add_reply(&mut additional_data, self.method, reply);
        }
        let mut warnings = Vec::new();
        if let Some((authentication, code)) = self
            .authentication
            .and_then(|authentication| Some((authentication, threeds(authentication)?)))
        {
            additional_data.insert(String::from("threeDS"), Value::from(code));
            if authentication == Authentication::None {
                warnings.push(Warning {
                    code: TRA001.to_string(),
                    description: String::from("3-D Secure was not performed or is not available"),
                });
            }
        }
        if self.authentication == Some(Authentication::DataShared) {
            additional_data.insert(String::from("dataShareOnly"), Value::from(YES));
        }
        if let Some(exemption) = self.exemption {
            additional_data.insert(String::from("exemption"), Value::from(exemption.code()));
        }
        if let (Some(_), Some(authentication)) = (self.reply, self.authentication)
            && row.terms.action != ActionType::Verify
            && may_be_disputed(result)
        {
            let liability = Liability::of(authentication, self.exemption);
            additional_data.insert(LIABILITY.to_owned(), Value::from(liability.code()));
        }
        Operation {
            order_id: row.terms.order_id.clone(),
            operation_id: self.operation_id.to_owned(),
            channel: String::from("ECOMMERCE"),
            channel_detail: row.terms.channel.code().to_owned(),
            operation_type: operation_type.code().to_owned(),
            operation_result: result.code().to_owned(),
            operation_time: instant(time_ms),
            payment_method: match (self.card, self.method) {
                (Some(_), _) => Some(String::from("CARD")),
                (None, Some(_)) => Some(String::from(OTHER_METHOD)),
                (None, None) => None,
            },
            payment_circuit: match (self.card, self.method) {
                (Some(card), _) => {
                    let network = || circuit(card.network);
                    let circuit = row.terms.wallet.map_or_else(network, Wallet::circuit);
                    Some(circuit.to_owned())
                }
                (None, Some(method)) => Some(method.circuit().to_owned()),
                (None, None) => None,
            },
            payment_instrument_info: self.card.map(|card| format!("***{}", card.last4)),
            payment_end_to_end_id: self
                .reply
                .and_then(|reply| reply.approval.as_ref())
                .and_then(scheme_id),
            cancelled_operation_id: None,
            operation_amount: amount.to_string(),
            operation_currency: row.terms.currency.clone(),
            customer_info,
            warnings,
            payment_link_id: link_id(&row.terms),
            terminal_id: self.terminal_id.to_owned(),
            omnichannel_id: None,
            additional_data,
        }
    }
}

fn add_card(
    context: &PaymentContext,
    additional_data: &mut BTreeMap<String, Value>,
    merchant_id: &str,
    card: &EnteredCard,
    number: Option<&Secret>,
) {
    let expiry = card.expiry.yyyymm();
    let mut put = |key: &str, value: Value| additional_data.insert(key.to_owned(), value);
    put("maskedPan", Value::from(card.masked.as_str()));
    put("cardExpiryDate", Value::from(expiry.as_str()));
    put(
        "cardType",
        Value::from(card.funding.map_or("NONE", |funding| funding.code())),
    );
    if let Some(chooser) = card.network_chosen_by {
        put("networkChosenBy", Value::from(chooser.code()));
    }
    if let Some(country) = &card.country {
        put("cardCountry", Value::from(country.as_str()));
    }
    if let Some(number) = number {
        put("cardId", Value::from(context.card_id(merchant_id, number)));
        // Exposed to compute a hash, with a key and for this merchant only.
        put(
            "cardId4",
            Value::from(
                context
                    .vault()
                    .card_id(merchant_id, &[number.expose(), &expiry]),
            ),
        );
    }
    if let Some(count) = card.installments {
        put("installmentQty", Value::from(count));
    }
    if card.device == DeviceMark::NotDone {
        put("deviceCheck", Value::from("NOT_DONE"));
    }
    if let Some(offer) = &card.offer {
        put(CONVERSION, conversion_document(offer));
    }
}

/// What the cardholder pays in the card's own currency: a member of `additionalData`.
pub(super) const CONVERSION: &str = "multiCurrencyConversion";

pub(super) fn conversion_document(offer: &AcceptedOffer) -> Value {
    json!({
        "amount": offer.amount.to_string(),
        "currency": offer.currency,
        "exchangeRate": offer.exchange_rate,
    })
}

/// What the cardholder pays, or gets back, in the card's own currency by a stored operation.
pub(super) fn conversion_of(operation: &Operation) -> Option<AcceptedOffer> {
    let conversion = operation.additional_data.get(CONVERSION)?;
    let text = |name: &str| conversion.get(name).and_then(Value::as_str);
    Some(AcceptedOffer {
        amount: Amount::parse(text("amount")?)?,
        currency: text("currency")?.to_owned(),
        exchange_rate: text("exchangeRate")?.to_owned(),
    })
}

pub(super) fn operation_type(result: OperationResult, terms: &Terms) -> OperationType {
    match result {
        // A buyer who leaves a hosted page has tried to pay (contract 13, D134).
        OperationResult::Canceled if terms.hosted_page.is_none() => OperationType::Cancel,
        _ => terms.operation_type(),
    }
}

/// The alternative method of a stored operation.
pub(super) fn method_of(operation: &Operation) -> Option<&'static Method> {
    let is_other = operation.payment_method.as_deref() == Some(OTHER_METHOD);
    let circuit = operation.payment_circuit.as_deref().filter(|_| is_other)?;
    Method::from_circuit(circuit)
}

pub(super) fn add_reply(
    additional_data: &mut BTreeMap<String, Value>,
    method: Option<&Method>,
    reply: &AuthorizationResponse,
) {
    if let Some(method) = method {
        // The other members are for cards only.
        if let (Some(member), Some(approval)) = (method.end_to_end_member(), &reply.approval) {
            let id = Value::from(approval.scheme_id.as_str());
            additional_data.insert(member.to_owned(), id);
        }
        return;
    }
    add_status(additional_data, reply);
    if let Some(approval) = &reply.approval {
        add_if_any(
            additional_data,
            "authorizationCode",
            &approval.authorization_code,
        );
        add_if_any(additional_data, "schemaTID", &approval.scheme_id);
    }
}

/// The scheme's id of the payment, if the acquirer has one.
pub(super) fn scheme_id(approval: &Approval) -> Option<String> {
    Some(approval.scheme_id.clone()).filter(|id| !id.is_empty())
}

fn add_if_any(additional_data: &mut BTreeMap<String, Value>, member: &str, value: &str) {
    if !value.is_empty() {
        additional_data.insert(member.to_owned(), Value::from(value));
    }
}

/// Names the declined operation that this one repeats after a challenge, and the exemption that was refused with it.
pub(super) fn add_repeated(additional_data: &mut BTreeMap<String, Value>, declined: &Operation) {
    let id = Value::from(declined.operation_id.as_str());
    additional_data.insert(REPEATS.to_owned(), id);
    if let Some(exemption) = declined.additional_data.get("exemption") {
        additional_data.insert(String::from("refusedExemption"), exemption.clone());
    }
}

/// The operation under which the try of a buyer was written down: the first one, if this one repeats it.
pub(super) fn tried(operation: &Operation) -> &str {
    let repeats = operation.additional_data.get(REPEATS);
    let repeats = repeats.and_then(Value::as_str);
    repeats.unwrap_or(&operation.operation_id)
}

/// The declined operation that an operation repeats: a member of `additionalData`.
const REPEATS: &str = "repeatsOperationId";

/// Adds the members of a response that belong to a single operation.
pub(super) fn add_status(
    additional_data: &mut BTreeMap<String, Value>,
    reply: &AuthorizationResponse,
) {
    let status = Value::from(reply.response_code.as_str());
    additional_data.insert(String::from("authorizationStatus"), status);
    if let Some(reason) = reply.decline_reason {
        let reason = Value::from(reason.code());
        additional_data.insert(String::from("declineReason"), reason);
    }
    if let Some(approval) = &reply.approval {
        add_if_any(additional_data, "rrn", &approval.retrieval_reference);
    }
}

/// Whether an operation has money that its cardholder could dispute, or may still get it.
pub(super) fn may_be_disputed(result: OperationResult) -> bool {
    result.is_good() || result == OperationResult::Pending
}

/// Who bears the loss of a fraud, as a rule: a member of `additionalData`.
pub(super) const LIABILITY: &str = "liability";

/// A member of `additionalData` that says that something is so.
const YES: &str = "YES";

/// `paymentMethod` of everything but cards.
const OTHER_METHOD: &str = "APM";

/// `None` if no authentication of the buyer was required.
fn threeds(authentication: Authentication) -> Option<&'static str> {
    match authentication {
        Authentication::Full => Some("FULL_SECURE"),
        Authentication::Attempted => Some("ATTEMPTED"),
        Authentication::DataShared | Authentication::None => Some("NOT_SECURE"),
        Authentication::NotDue => None,
    }
}

/// Names the contract that the operation made, updated with a card, or charged. Not the contract of a reservation: it is not reported to
/// anyone.
pub(super) fn add_contract(operation: &mut Operation, contract_id: Option<String>) {
    if let Some(contract_id) = contract_id.filter(|id| !is_hidden(id)) {
        operation
            .additional_data
            .insert(String::from("contractId"), Value::from(contract_id));
    }
}

/// The id of the link through which a session is paid.
fn link_id(terms: &Terms) -> Option<String> {
    let page_id = terms.hosted_page.clone();
    page_id.filter(|_| terms.channel == Channel::Link)
}
