//! The labels of codes for people, and whether a code is good or bad.
//!
//! An unknown code is shown as it is: a new code must not break a page.

use super::display::sum_of_text;
use payframe_card_rules::network::NetworkSet;
use payframe_payment_domain::billing_address::BillingAddressFields;
use payframe_payment_domain::card::{self, network_of_circuit};
use payframe_payment_domain::card_testing::Rule;
use payframe_payment_domain::fulfilment::FulfilmentState;
use payframe_payment_domain::hosted::Status;
use payframe_payment_domain::ledger_rules::FollowUpOperation;
use payframe_payment_domain::method::Method;
use payframe_payment_domain::operation::{OperationResult, OperationType};
use payframe_payment_domain::reservation::{CollectionType, ReservationType};
use payframe_payment_domain::wallet::Wallet;
use payframe_payment_ports::acquirer::DeclineReason;
use payframe_protocol::dispute::{DisputeCategory, DisputeKind, DisputeState};
use payframe_protocol::notice::{AttackState, Notice, RefundApprovalState};
use payframe_storage::order_list::OrderStatus;
use payframe_storage::outbox::Delivery;
use std::collections::BTreeSet;

/// A status: shown by a label and by a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Badge {
    pub(super) text: &'static str,
    /// The CSS class of its colour.
    pub(super) tone: &'static str,
}

impl Badge {
    pub(super) const fn good(text: &'static str) -> Badge {
        Badge { text, tone: "good" }
    }

    pub(super) const fn bad(text: &'static str) -> Badge {
        Badge { text, tone: "bad" }
    }

    pub(super) const fn waiting(text: &'static str) -> Badge {
        Badge { text, tone: "wait" }
    }

    pub(super) const fn quiet(text: &'static str) -> Badge {
        Badge { text, tone: "" }
    }
}

/// The status of an order.
pub(super) fn status(status: OrderStatus) -> Badge {
    match status {
        OrderStatus::Pending => Badge::waiting("Pending"),
        OrderStatus::ToCapture => Badge::waiting("To capture"),
        OrderStatus::Paid => Badge::good("Paid"),
        OrderStatus::PartlyRefunded => Badge::quiet("Partly refunded"),
        OrderStatus::Refunded => Badge::quiet("Refunded"),
        OrderStatus::Released => Badge::quiet("Released"),
        OrderStatus::Verified => Badge::good("Card checked"),
        OrderStatus::Refused => Badge::bad("Refused"),
        OrderStatus::Cancelled => Badge::quiet("Given up"),
        OrderStatus::Failed => Badge::bad("Failed"),
    }
}

/// The state of a dispute.
pub(super) fn dispute_state(state: DisputeState) -> Badge {
    match state {
        DisputeState::NeedsResponse => Badge::waiting("Needs response"),
        DisputeState::UnderReview => Badge::waiting("Under review"),
        DisputeState::Won => Badge::good("Won"),
        DisputeState::Lost => Badge::bad("Lost"),
        DisputeState::Accepted => Badge::quiet("Accepted"),
        DisputeState::Expired => Badge::bad("Not answered in time"),
    }
}

/// How far a dispute has come.
pub(super) fn dispute_kind(kind: DisputeKind) -> &'static str {
    match kind {
        DisputeKind::Inquiry => "Inquiry",
        DisputeKind::Chargeback => "Chargeback",
        DisputeKind::PreArbitration => "Pre-arbitration",
        DisputeKind::Arbitration => "Arbitration",
    }
}

/// Why a buyer disputes.
pub(super) fn dispute_category(category: DisputeCategory) -> &'static str {
    match category {
        DisputeCategory::Fraud => "Fraud",
        DisputeCategory::NotReceived => "Goods not received",
        DisputeCategory::NotAsDescribed => "Goods not as described",
        DisputeCategory::Duplicate => "Charged twice",
        DisputeCategory::CanceledRecurring => "Subscription was ended",
        DisputeCategory::ProcessingError => "Processing error",
        DisputeCategory::General => "Other",
    }
}

/// What is to be done about a dispute, or what became of it.
pub(super) fn about_dispute(kind: DisputeKind, state: DisputeState) -> &'static str {
    let is_inquiry = kind == DisputeKind::Inquiry;
    match state {
        DisputeState::NeedsResponse if is_inquiry => {
            "The buyer's bank asks for information. No money has moved: answer, or refund the payment."
        }
        DisputeState::NeedsResponse => {
            "The buyer's bank wants this money back. Answer with evidence, or accept. Without an answer in time the buyer keeps it. \
             Until it is decided, this money cannot be refunded."
        }
        DisputeState::UnderReview => "The evidence is with the buyer's bank.",
        DisputeState::Won => "The bank decided for you.",
        DisputeState::Lost if is_inquiry => "The bank was not satisfied. No money has moved.",
        DisputeState::Lost => "The bank decided for the buyer, who keeps this money.",
        DisputeState::Accepted => "You accepted: the buyer keeps this money.",
        DisputeState::Expired if is_inquiry => {
            "Nobody answered in time. No money has moved, but the bank may take it back now."
        }
        DisputeState::Expired => "Nobody answered in time: the buyer keeps this money.",
    }
}

/// The state of an order's goods, as the shop told it.
pub(super) fn goods(state: FulfilmentState) -> Badge {
    match state {
        FulfilmentState::None => Badge::waiting("Nothing sent"),
        FulfilmentState::Partial => Badge::waiting("Partly sent"),
        FulfilmentState::Fulfilled => Badge::good("Sent"),
        FulfilmentState::Canceled => Badge::quiet("Not to be sent"),
        FulfilmentState::Returned => Badge::quiet("Came back"),
    }
}

/// The result of an operation.
pub(super) fn result(code: &str) -> Badge {
    match OperationResult::from_code(code) {
        Some(OperationResult::Authorized) => Badge::good("Authorized"),
        Some(OperationResult::Executed) => Badge::good("Done"),
        Some(OperationResult::Declined) => Badge::bad("Declined"),
        Some(OperationResult::DeniedByRisk) => Badge::bad("Refused for its risk"),
        Some(OperationResult::ThreeDsValidated) => Badge::waiting("Buyer authenticated"),
        Some(OperationResult::ThreeDsFailed) => Badge::bad("Buyer not authenticated"),
        Some(OperationResult::Pending) => Badge::waiting("Pending"),
        Some(OperationResult::Canceled) => Badge::quiet("Given up"),
        Some(OperationResult::Voided) => Badge::quiet("Voided"),
        Some(OperationResult::Refunded) => Badge::quiet("Refunded"),
        Some(OperationResult::Failed) => Badge::bad("Failed"),
        None => Badge::quiet("Unknown"),
    }
}

/// What a notification about no operation is about, and what it says of it.
pub(super) fn notice(notice: &Notice) -> (String, String) {
    if let Some(attack) = &notice.attack {
        let state = match attack.state {
            AttackState::Begun => "begun",
            AttackState::Ended => "ended",
        };
        return (String::from("Attack"), state.to_owned());
    }
    if let Some(refund) = &notice.refund_approval {
        let what = format!("Refund {}", sum_of_text(&refund.amount, &refund.currency));
        let state = match refund.state {
            RefundApprovalState::Asked => "waiting for a second member",
            RefundApprovalState::Approved => "approved",
            RefundApprovalState::Declined => "declined",
            RefundApprovalState::NotPossible => "not possible",
        };
        return (what, state.to_owned());
    }
    if let Some(dispute) = &notice.dispute {
        let what = format!(
            "Dispute {}",
            sum_of_text(&dispute.amount, &dispute.currency)
        );
        return (what, dispute_state(dispute.state).text.to_lowercase());
    }
    if let Some(change) = &notice.page_change {
        let state = format!(
            "{} new, {} changed, {} gone",
            change.added, change.changed, change.removed
        );
        return (String::from("Page changed"), state);
    }
    (notice.event_type.clone(), String::from("unknown"))
}

/// The type of an operation.
pub(super) fn kind(code: &str) -> String {
    let text = match OperationType::from_code(code) {
        Some(OperationType::Authorization) => "Payment",
        Some(OperationType::CardVerification) => "Card check",
        Some(OperationType::Capture) => "Capture",
        Some(OperationType::Void) => "Release",
        Some(OperationType::Refund) => "Refund",
        Some(OperationType::Cancel) => "Cancellation",
        Some(OperationType::Incremental) => "Increment",
        Some(OperationType::NoShow) => "No-show",
        Some(OperationType::DelayCharge) => "Delayed charge",
        None => code,
    };
    text.to_owned()
}

/// A movement of money, as the label of a button.
pub(super) fn follow_up(follow_up: FollowUpOperation) -> &'static str {
    match follow_up {
        FollowUpOperation::Capture => "Capture",
        FollowUpOperation::Void => "Release",
        FollowUpOperation::Refund => "Refund",
        FollowUpOperation::Cancel => "Cancel the capture",
        FollowUpOperation::Increment => "Hold more",
    }
}

/// Network, wallet or method.
pub(super) fn circuit(code: &str) -> String {
    let network = network_of_circuit(code).map(|network| network.name().to_owned());
    let method = || Method::from_circuit(code).map(|method| method.name().to_owned());
    network
        .or_else(method)
        .unwrap_or_else(|| code.replace('_', " "))
}

/// Every network, wallet and method, by code and name, sorted by name.
pub(super) fn circuits() -> Vec<(&'static str, String)> {
    let networks = NetworkSet::all();
    let wallets = Wallet::ALL.map(Wallet::circuit);
    let methods = Method::all().map(Method::circuit);
    let codes = networks
        .iter()
        .map(card::circuit)
        .chain(wallets)
        .chain(methods);
    // Some methods have the circuit of a card network.
    let codes: BTreeSet<&str> = codes.collect();
    let mut circuits: Vec<_> = codes
        .into_iter()
        .map(|code| (code, circuit(code)))
        .collect();
    circuits.sort_by_key(|(_, name)| name.to_lowercase());
    circuits
}

/// The status of a payment link.
pub(super) fn link(status: Status) -> Badge {
    match status {
        Status::Active => Badge::waiting("Open"),
        Status::Paid => Badge::good("Paid"),
        Status::Expired => Badge::quiet("Expired"),
        Status::Canceled => Badge::quiet("Revoked"),
        Status::Failed => Badge::bad("Refused too often"),
    }
}

/// What the form of a link asks of the billing address, if it asks anything.
pub(super) fn billing_address(asked: BillingAddressFields) -> Option<&'static str> {
    match asked {
        BillingAddressFields::None => None,
        BillingAddressFields::PostalCode => Some("country and postal code are asked for"),
        BillingAddressFields::Full => Some("is asked for"),
    }
}

/// How a reservation is paid.
pub(super) fn reservation(kind: ReservationType) -> &'static str {
    match kind {
        ReservationType::PrepaidRefundable => "Paid ahead, refundable",
        ReservationType::PrepaidNotRefundable => "Paid ahead, not refundable",
        ReservationType::GuaranteedNoShow => "Guaranteed, a night for a no-show",
        ReservationType::GuaranteedPenalty => "Guaranteed, a fixed penalty",
        ReservationType::Bundle => "Package, paid ahead",
    }
}

/// How its amount is collected.
pub(super) fn collection(kind: CollectionType) -> &'static str {
    match kind {
        CollectionType::Instant => "at once",
        CollectionType::Delayed => "held for 28 days",
        CollectionType::Installment => "in parts",
    }
}

/// The status of a notification.
pub(super) fn delivery(delivery: Delivery) -> Badge {
    match delivery {
        Delivery::Waiting => Badge::waiting("Waiting"),
        Delivery::Delivered => Badge::good("Delivered"),
        Delivery::GivenUp => Badge::bad("Given up"),
    }
}

/// Why a notification had no answer.
pub(super) fn no_answer(cause: &str) -> String {
    let text = match cause {
        "timeout" => "no answer within 10 seconds",
        "connect" => "no connection",
        "network" => "the connection broke",
        "signature" => "could not be signed",
        "client" => "could not be sent",
        // The same words, so that nobody learns which names exist in the gateway's own network.
        "unresolvable" | "private_address" => "no address on the public internet",
        other => return other.replace('_', " "),
    };
    text.to_owned()
}

/// Why an operation was refused; `None` if it was not.
pub(super) fn reason(result: OperationResult, issuer_code: Option<&str>) -> Option<String> {
    let said = issuer_code.and_then(issuer_word);
    match (result, said, issuer_code) {
        (OperationResult::DeniedByRisk, _, _) => Some(String::from(
            "rules about risk refused it; the issuer was not asked",
        )),
        (OperationResult::ThreeDsFailed, _, _) => Some(String::from(
            "the buyer was not authenticated by 3-D Secure",
        )),
        (OperationResult::Declined | OperationResult::Failed, Some(word), Some(code)) => {
            Some(format!("{word} ({code})"))
        }
        (OperationResult::Declined | OperationResult::Failed, None, Some(code)) => {
            Some(format!("code {code}"))
        }
        (OperationResult::Declined, _, None) => Some(String::from("refused by the issuer")),
        (OperationResult::Failed, _, None) => Some(String::from("a technical failure")),
        (OperationResult::Pending, _, _) => {
            Some(String::from("the issuer has not said yes or no yet"))
        }
        _ => None,
    }
}

/// Why a rule against card testing refused a payment. `code`: the rule's.
pub(super) fn card_testing_reason(code: &str) -> Option<&'static str> {
    Some(match Rule::from_code(code)? {
        Rule::Card => {
            "stopped as card testing: too many tries with this card; the issuer was not asked"
        }
        Rule::Session => {
            "stopped as card testing: too many tries in this session; the issuer was not asked"
        }
        Rule::Address => {
            "stopped as card testing: too many tries from this buyer's address; the issuer was not asked"
        }
        Rule::Range => {
            "stopped as card testing: too many tries with cards of this range, and the issuer of this one demanded no challenge"
        }
        Rule::Terminal => {
            "stopped as card testing: too many tries at this terminal, and the issuer of this card demanded no challenge"
        }
        Rule::Merchant => {
            "stopped as card testing: too many tries at all terminals together, and the issuer of this card demanded no challenge"
        }
        Rule::Device => {
            "stopped as card testing: too many tries from browsers of this kind, and the issuer of this card demanded no challenge"
        }
        Rule::OrderValue => {
            "stopped as card testing: too many tries with this sum, and the issuer of this card demanded no challenge"
        }
        Rule::BlockedRange => "stopped: a list of the terminal blocks the range of this card",
        Rule::BlockedAddress => "stopped: a list of the terminal blocks the buyer's address",
    })
}

/// Why an issuer declined, where the gateway acts on it. `code`: the member `declineReason` of an operation.
pub(super) fn decline_reason(code: &str) -> Option<&'static str> {
    (code == DeclineReason::AuthenticationRequired.code())
        .then_some("the issuer demanded that the buyer be authenticated first")
}

/// The meaning of an issuer's code (contract 10.6).
fn issuer_word(code: &str) -> Option<&'static str> {
    let found = ISSUER_WORDS.iter().find(|(known, _)| *known == code);
    found.map(|(_, word)| *word)
}

/// Contract 10.6, without the codes for approved and pending.
const ISSUER_WORDS: [(&str, &str); 35] = [
    ("100", "refused by the issuer"),
    ("101", "expired card or wrong expiry date"),
    ("102", "fraud suspected"),
    ("104", "restricted card"),
    ("106", "too many PIN attempts"),
    ("109", "merchant not valid"),
    ("110", "amount not valid"),
    ("111", "card number not valid"),
    ("115", "function not supported"),
    ("116", "insufficient funds"),
    ("117", "wrong PIN"),
    ("118", "card unknown"),
    ("119", "not allowed to this cardholder"),
    ("120", "not allowed to this terminal"),
    ("121", "over the amount limit"),
    ("122", "not permitted"),
    ("123", "over the frequency limit"),
    ("124", "against the law"),
    ("125", "card not active yet"),
    ("126", "PIN block wrong"),
    ("129", "counterfeit suspected, or wrong security code"),
    ("200", "refused by the issuer"),
    ("202", "fraud suspected"),
    ("204", "card not valid"),
    ("208", "lost card"),
    ("209", "stolen card"),
    ("210", "counterfeit suspected"),
    ("413", "too many attempts of a refused payment"),
    ("902", "transaction not valid"),
    ("903", "to be entered again"),
    ("904", "format error"),
    ("906", "the issuer's systems are changing over"),
    ("908", "no route to the issuer"),
    ("909", "system malfunction"),
    ("913", "duplicate"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_reads_which_names_exist_in_the_gateways_network() {
        assert_eq!(no_answer("unresolvable"), no_answer("private_address"));
    }

    #[test]
    fn a_refusal_has_a_reason_and_a_success_has_none() {
        for (result, code, expected) in [
            (OperationResult::Executed, Some("000"), None),
            (
                OperationResult::Declined,
                Some("116"),
                Some("insufficient funds (116)"),
            ),
            (OperationResult::Declined, Some("777"), Some("code 777")),
            (
                OperationResult::Declined,
                None,
                Some("refused by the issuer"),
            ),
            (OperationResult::Failed, None, Some("a technical failure")),
            (
                OperationResult::DeniedByRisk,
                None,
                Some("rules about risk refused it; the issuer was not asked"),
            ),
        ] {
            assert_eq!(reason(result, code).as_deref(), expected, "{result:?}");
        }
    }

    #[test]
    fn whatever_can_be_searched_by_has_one_name() {
        let circuits = circuits();
        let mut names: Vec<_> = circuits.iter().map(|(_, name)| name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), circuits.len());
        assert!(
            circuits.contains(&("VISA", String::from("Visa"))),
            "{circuits:?}"
        );
    }

    #[test]
    fn every_result_and_type_has_a_word() {
        for result_code in OperationResult::ALL.map(OperationResult::code) {
            assert_ne!(result(result_code).text, "Unknown");
        }
        for code in OperationType::CODES {
            assert_ne!(kind(code), code);
        }
        assert_eq!(kind("NEW_KIND"), "NEW_KIND");
    }
}
