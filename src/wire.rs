//! From wire values to the types of the rules, and back.
//!
//! Values are read member by member from the browser's own JSON objects, because that is a third of the code of
//! derived deserialisers, and every buyer downloads it. The shapes are those of `payframe-protocol`: `tests/wire.rs`
//! reads values that its types wrote.

use crate::build_events::SessionState;
use js_sys::{Array, Function, JSON, JsString, Object, Reflect};
use payframe_card_rules::address::{AddressPart, BILLING_COUNTRY, billing_item};
use payframe_checkout_flow::choices::ChoiceId;
use payframe_checkout_flow::decline::Decline;
use payframe_checkout_flow::flow::{
    Answer, CaptureInitiator, ChallengeFailure, Failure, Notice, Outcome, Phase, SessionSnapshot,
    Verdict,
};
use payframe_checkout_flow::sum::{Sum, Sums};
use payframe_protocol::api::{Field, FieldSet};
use payframe_protocol::build_messages::BuildOperation;
use payframe_protocol::frame::{self, ChallengeProblem, PayframeErrorCode};
use wasm_bindgen::{JsCast, JsValue};

/// A value that the browser parsed. Reading a member that it does not have gives `undefined`, never an exception.
#[derive(Clone, Debug)]
pub struct Json(pub JsValue);

impl Json {
    /// The member of this name; `undefined` if this is no object or has no such member.
    pub fn member(&self, name: &str) -> Json {
        let found = if self.0.is_object() {
            Reflect::get(&self.0, &JsString::from(name)).unwrap_or(JsValue::UNDEFINED)
        } else {
            JsValue::UNDEFINED
        };
        Json(found)
    }

    /// The item at this place of an array.
    pub fn item(&self, place: u32) -> Json {
        Json(if self.0.is_object() {
            Reflect::get_u32(&self.0, place).unwrap_or(JsValue::UNDEFINED)
        } else {
            JsValue::UNDEFINED
        })
    }

    /// The items of an array, in order, up to the first missing one.
    pub fn items(&self) -> impl Iterator<Item = Json> {
        (0..)
            .map(|place| self.item(place))
            .take_while(Json::is_there)
    }

    /// A new object of this class; `undefined` if this is no class, or if it refuses the arguments.
    pub fn construct(&self, arguments: &[JsValue]) -> Json {
        let all = Array::new();
        for argument in arguments {
            all.push(argument);
        }
        // The browser refuses what is no function.
        let class: &Function = self.0.unchecked_ref();
        let made = Reflect::construct(class, &all);
        Json(made.unwrap_or(JsValue::UNDEFINED))
    }

    /// The result of the method of this name; `undefined` if there is none, or if it refuses the argument.
    pub fn call(&self, method: &str, argument: &JsValue) -> Json {
        let method = self.member(method);
        // The browser refuses what is no function.
        let method: &Function = method.0.unchecked_ref();
        Json(
            method
                .call1(&self.0, argument)
                .unwrap_or(JsValue::UNDEFINED),
        )
    }

    /// Whether there is a value.
    pub fn is_there(&self) -> bool {
        !self.0.is_null() && !self.0.is_undefined()
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<String> {
        self.0.as_string()
    }

    /// The text, or an empty one.
    pub fn text_or_empty(&self) -> String {
        self.text().unwrap_or_default()
    }
}

/// An object with these members.
pub fn object(members: &[(&str, &str)]) -> JsValue {
    let object = Object::new().into();
    for (name, value) in members {
        set(&object, name, &JsValue::from_str(value));
    }
    object
}

/// Sets a member of an object that this module made.
pub fn set(object: &JsValue, name: &str, value: &JsValue) {
    // Setting a member of an own plain object can't fail.
    let _ = Reflect::set(object, &JsString::from(name), value);
}

/// Adds an item to an array of them.
pub fn push_item(items: &JsValue, id: &str, value: &str) {
    let item = object(&[("id", id), ("value", value)]);
    items.unchecked_ref::<Array>().push(&item);
}

/// Key of the sentence that names the changed sum. It is no error.
pub const SUM_CHANGED: &str = "sum_changed";

/// Key of the sentence that names the changed sum, and asks for another press of Pay.
pub const TERMS_CHANGED: &str = "terms_changed";

/// Name of the puzzle in what [`proof_due`] makes.
const PROOF_OF_WORK: &str = "proofOfWork";

/// JSON text of a value that this module made.
pub fn text(value: &JsValue) -> JsValue {
    JSON::stringify(value).map_or(JsValue::NULL, JsValue::from)
}

/// Appends a decimal number.
pub fn push_number(text: &mut String, number: u8) {
    if number >= 100 {
        text.push(char::from(b'0' + number / 100));
    }
    if number >= 10 {
        text.push(char::from(b'0' + number / 10 % 10));
    }
    text.push(char::from(b'0' + number % 10));
}

/// Who makes the completion call: `form.closing` of contract 3.7, or `PAGE` if the loader of a single field says that the page's own script
/// does. Anything else means the server.
pub fn capture_initiator(closing: &str) -> CaptureInitiator {
    match closing {
        "FRAME" => CaptureInitiator::Frame,
        "PAGE" => CaptureInitiator::Page,
        _ => CaptureInitiator::Server,
    }
}

/// What an errors object (1.5) means for the flow; codes of contract 10.7.
pub fn failure(problems: &Json) -> Failure {
    match refusal(problems).as_deref() {
        Some("PS0061") => Failure::Expired,
        // A frame may confirm only the session's amount, and the server has fixed another one: treated like a wrong state.
        Some("GW9003" | "PS0026") => Failure::WrongState,
        Some(_) => Failure::Service,
        // The answer does not come from the gateway.
        None => Failure::Connection,
    }
}

/// The first code of an errors object (1.5); `None` if this is no errors object.
pub fn refusal(problems: &Json) -> Option<String> {
    problems.member("errors").item(0).member("code").text()
}

/// An operation (2.7) as the flow sees it.
pub fn verdict(operation: &Json) -> Verdict {
    let result = operation.member("operationResult").text_or_empty();
    let outcome = Outcome::from_operation_result(&result);
    let iso = operation
        .member("additionalData")
        .member("authorizationStatus")
        .text();
    Verdict {
        outcome,
        decline: matches!(outcome, Outcome::Declined | Outcome::Failed)
            .then(|| Decline::sort(&result, iso.as_deref())),
        operation_id: operation.member("operationId").text_or_empty(),
    }
}

/// A state object (2.10) as the flow sees it. `None` for what the one-frame form can't show.
pub fn snapshot(state: &Json) -> Option<SessionSnapshot> {
    let operation = state.member("operation");
    let operation = operation.is_there().then_some(operation);
    Some(match state.member("state").text()?.as_str() {
        "PAYMENT_METHOD_SELECTION" => SessionSnapshot::MethodSelection,
        "CARD_DATA_COLLECTION" => SessionSnapshot::Collecting(operation.as_ref().map(verdict)),
        "READY_FOR_PAYMENT" => SessionSnapshot::Ready,
        "GDI_VERIFICATION" => SessionSnapshot::Verifying(state.member("url").text_or_empty()),
        "REDIRECTED_TO_EXTERNAL_DOMAIN" => {
            let url = state.member("url").text()?;
            if state.member("method").is_there() {
                SessionSnapshot::Elsewhere(url)
            } else {
                SessionSnapshot::Challenge(url)
            }
        }
        "PAYMENT_COMPLETE" => SessionSnapshot::Complete(verdict(&operation?)),
        _ => return None,
    })
}

/// A state object (2.10) as a page of the Build protocol is told of it. `None` if this is none.
pub fn session_state(now: &Json) -> Option<SessionState> {
    let present = |name| Some(now.member(name)).filter(Json::is_there);
    Some(SessionState {
        state: now.member("state").text()?.parse().ok()?,
        url: now.member("url").text(),
        field_set: present("fieldSet").map(|set| FieldSet {
            session_id: set.member("sessionId").text_or_empty(),
            fields: set.member("fields").items().map(shown_field).collect(),
        }),
        operation: present("operation").map(|made| BuildOperation {
            order_id: made.member("orderId").text_or_empty(),
            operation_id: made.member("operationId").text_or_empty(),
            operation_type: made.member("operationType").text_or_empty(),
            operation_result: made.member("operationResult").text_or_empty(),
            operation_time: made.member("operationTime").text_or_empty(),
        }),
    })
}

fn shown_field(field: Json) -> Field {
    Field {
        kind: field.member("type").text_or_empty(),
        class: field.member("class").text_or_empty(),
        id: field.member("id").text_or_empty(),
        src: field.member("src").text_or_empty(),
    }
}

/// The answer of a call that gives a state object.
pub fn state_answer(state: &Json) -> Answer {
    match (snapshot(state), sum(&state.member("sum"))) {
        (Some(snapshot), Some(session)) => {
            let offer = sum(&state.member("offer"));
            Answer::StateWithSums(snapshot, Sums { session, offer })
        }
        (Some(snapshot), None) => Answer::State(snapshot),
        (None, _) => Answer::Failed(Failure::Service),
    }
}

/// From a value with `amount`, `currency` and `minorDigits`; `None` if there is no such value.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn sum(sum: &Json) -> Option<Sum> {
    Some(Sum {
        amount_minor: sum.member("amount").text()?,
        currency: sum.member("currency").text()?,
        // No currency has more than four.
        minor_digits: sum.member("minorDigits").0.as_f64().unwrap_or(0.0) as u8,
    })
}

/// The answer to card data that is taken only with the solution of this puzzle.
pub fn proof_due(puzzle: &str) -> Json {
    Json(object(&[(PROOF_OF_WORK, puzzle)]))
}

/// The answer to card data (5.3), or [`proof_due`]. [`refused_fields`] reads which fields were refused.
pub fn card_taken(answer: &Json) -> Answer {
    if let Some(puzzle) = answer.member(PROOF_OF_WORK).text() {
        return Answer::ProofDue(puzzle);
    }
    if let Some(url) = answer.member("gdiStatus").member("gdiUrl").text() {
        return Answer::CardTaken(url);
    }
    match answer.member("workflowState").text().as_deref() {
        Some("READY_FOR_PAYMENT") => Answer::CardTakenNoCheck,
        Some("CARD_DATA_COLLECTION") => {
            let refused = refused_fields(answer);
            Answer::CardRefused(refused.iter().filter_map(|(id, _)| choice(id)).collect())
        }
        // The session has changed otherwise, e.g. after too many tries: read its state.
        Some(_) => Answer::Failed(Failure::WrongState),
        None => Answer::Failed(Failure::Connection),
    }
}

/// Field ids and codes that the gateway refused (5.3).
pub fn refused_fields(answer: &Json) -> Vec<(String, String)> {
    let statuses = answer.member("fieldStatus");
    let refused = statuses
        .items()
        .filter(|status| status.member("event").text().as_deref() == Some("BUILD_ERROR"));
    refused
        .map(|status| {
            (
                status.member("id").text_or_empty(),
                status.member("errorCode").text_or_empty(),
            )
        })
        .collect()
}

/// The choice that the item with this id stands for. `None`: it is a field, or unknown.
fn choice(id: &str) -> Option<ChoiceId> {
    Some(match id {
        "CURRENCY_OFFER" => ChoiceId::CurrencyOffer,
        "SAVED_CARD" => ChoiceId::SavedCard,
        "CONTRACT_CONSENT" => ChoiceId::Consent,
        BILLING_COUNTRY => ChoiceId::Billing(None),
        _ => {
            let mut parts = AddressPart::ALL.into_iter();
            ChoiceId::Billing(Some(parts.find(|part| billing_item(*part) == id)?))
        }
    })
}

/// The answer to a question for the device check (5.5).
pub fn device(answer: &Json) -> Answer {
    let operation = answer.member("operation");
    match answer.member("result").text().as_deref() {
        Some("OK") => Answer::DevicePassed,
        Some(_) if operation.is_there() => Answer::DeviceFailed(verdict(&operation)),
        Some(_) => Answer::DevicePending,
        None => Answer::Failed(Failure::Connection),
    }
}

/// An outcome, as the page is told.
pub fn outcome(outcome: Outcome) -> frame::Outcome {
    match outcome {
        Outcome::Approved => frame::Outcome::Approved,
        Outcome::Pending => frame::Outcome::Pending,
        Outcome::Declined => frame::Outcome::Declined,
        Outcome::Cancelled => frame::Outcome::Cancelled,
        Outcome::Failed => frame::Outcome::Failed,
        Outcome::Reversed => frame::Outcome::Reversed,
        Outcome::Unknown => frame::Outcome::Unknown,
    }
}

/// A phase, as the page is told. `None` if there is no news: a session that is being replaced has not ended.
pub fn flow_state(phase: &Phase) -> Option<frame::FlowState> {
    use frame::FlowState;
    Some(match phase {
        Phase::Opening | Phase::Renewing { pressed: false } => return None,
        Phase::ChoosingMethod | Phase::OpeningCard | Phase::OpeningElsewhere { .. } => {
            FlowState::PaymentMethodSelection
        }
        Phase::Elsewhere { .. } => FlowState::RedirectedToExternalDomain,
        Phase::Collecting(_) | Phase::Reviewing => FlowState::CardDataCollection,
        Phase::Repriced => FlowState::ReadyForPayment,
        Phase::Verifying { .. }
        | Phase::Sending { .. }
        | Phase::Proving { .. }
        | Phase::CheckingDevice { .. }
        | Phase::SkippingDevice { .. }
        | Phase::LeavingChallenge { .. }
        | Phase::Renewing { pressed: true }
        | Phase::Resuming
        | Phase::Agreeing { .. }
        | Phase::Rereading { .. } => FlowState::Processing,
        Phase::AwaitingServer { .. } | Phase::HandedOver => FlowState::ReadyForPayment,
        Phase::Completing { .. } | Phase::Cancelling { .. } | Phase::Unknown { .. } => {
            FlowState::Finalizing
        }
        Phase::Challenge { .. } => FlowState::Challenge,
        Phase::Complete(_) | Phase::Retrying(_) => FlowState::PaymentComplete,
        Phase::Expired => FlowState::Expired,
    })
}

/// Key of the text that says why the fields are shown again.
pub fn notice_key(notice: &Notice) -> Option<&'static str> {
    match notice {
        Notice::None | Notice::FieldsRefused => None,
        Notice::Refused(decline) => Some(decline.code()),
        Notice::Connection => Some("connection_lost"),
        Notice::Service => Some("service_fault"),
        Notice::SumChanged => Some(TERMS_CHANGED),
    }
}

/// The code of a problem of the issuer's page that the shop's page is told at once. `None`: it is told with the result.
pub fn error_code(trouble: ChallengeFailure) -> Option<PayframeErrorCode> {
    match trouble {
        ChallengeFailure::Cancelled | ChallengeFailure::TimedOut => None,
        ChallengeFailure::Unreachable => Some(PayframeErrorCode::AcsUnreachable),
        ChallengeFailure::Blocked => Some(PayframeErrorCode::BlockedByPolicy),
        ChallengeFailure::Replaced => Some(PayframeErrorCode::ChallengeReplaced),
        ChallengeFailure::Mismatched => Some(PayframeErrorCode::NotificationMismatch),
    }
}

/// A problem of the issuer's page, as the page is told.
pub fn problem(trouble: ChallengeFailure) -> ChallengeProblem {
    match trouble {
        ChallengeFailure::Cancelled => ChallengeProblem::ChallengeCancelled,
        ChallengeFailure::TimedOut => ChallengeProblem::ChallengeTimeout,
        ChallengeFailure::Unreachable => ChallengeProblem::AcsUnreachable,
        ChallengeFailure::Blocked => ChallengeProblem::BlockedByPolicy,
        ChallengeFailure::Replaced => ChallengeProblem::ChallengeReplaced,
        ChallengeFailure::Mismatched => ChallengeProblem::NotificationMismatch,
    }
}
