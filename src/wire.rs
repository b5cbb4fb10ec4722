//! From wire types to the types of the rules, and back.

use payframe_checkout::decline::Decline;
use payframe_checkout::flow::{Answer, Closing, Failure, Notice, Outcome, Phase, Reading, Verdict};
use payframe_protocol::api::{BuildState, GdiResult, OperationSummary, StateObject, TextAnswer};
use payframe_protocol::frame;

/// Who closes: `form.closing` of contract 3.7. Anything but `FRAME` leaves it to the server.
pub fn closing(closing: &str) -> Closing {
    if closing == "FRAME" { Closing::Frame } else { Closing::Server }
}

/// What an error code of the gateway means for the flow; contract 10.7.
pub fn failure(code: Option<&str>) -> Failure {
    match code {
        Some("PS0061") => Failure::Expired,
        Some("GW9003") => Failure::WrongState,
        _ => Failure::Service,
    }
}

/// An operation as the flow sees it.
pub fn verdict(operation: OperationSummary) -> Verdict {
    let outcome = Outcome::from_operation_result(&operation.operation_result);
    let iso = operation.additional_data.and_then(|data| data.authorization_status);
    let decline = matches!(outcome, Outcome::Declined | Outcome::Failed)
        .then(|| Decline::sort(&operation.operation_result, iso.as_deref()));
    Verdict {
        outcome,
        decline,
        operation_id: operation.operation_id,
    }
}

/// A state object as the flow sees it. `None` for what the one-frame form can't show.
pub fn reading(state: StateObject) -> Option<Reading> {
    Some(match state.state {
        BuildState::PaymentMethodSelection => Reading::MethodSelection,
        BuildState::CardDataCollection => Reading::Collecting(state.operation.map(verdict)),
        BuildState::ReadyForPayment => Reading::Ready,
        BuildState::RedirectedToExternalDomain => Reading::Challenge(state.url?),
        BuildState::PaymentComplete => Reading::Complete(verdict(state.operation?)),
        BuildState::GdiVerification => return None,
    })
}

/// The answer of any call that gives a state object.
pub fn stands(answer: Result<StateObject, Failure>) -> Answer {
    match answer {
        Ok(state) => reading(state).map_or(Answer::Failed(Failure::Service), Answer::Stands),
        Err(failure) => Answer::Failed(failure),
    }
}

/// The answer to card data. Which fields were refused is read by the caller.
pub fn card_taken(answer: &TextAnswer) -> Answer {
    match (&answer.gdi_status, answer.workflow_state) {
        (Some(check), _) => Answer::CardTaken(check.gdi_url.clone()),
        (None, BuildState::ReadyForPayment) => Answer::CardTakenNoCheck,
        (None, BuildState::CardDataCollection) => Answer::CardRefused,
        // The session moved on without us, e.g. after too many tries: ask where it stands.
        (None, _) => Answer::Failed(Failure::WrongState),
    }
}

/// The answer to a question for the device check.
pub fn device(answer: Result<GdiResult, Failure>) -> Answer {
    match answer {
        Ok(GdiResult { result, .. }) if result == "OK" => Answer::DevicePassed,
        Ok(GdiResult { operation: None, .. }) => Answer::DevicePending,
        Ok(GdiResult {
            operation: Some(operation), ..
        }) => Answer::DeviceFailed(verdict(operation)),
        Err(failure) => Answer::Failed(failure),
    }
}

/// An outcome as the page hears it.
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

/// A phase as the page hears it.
pub fn flow_state(phase: &Phase) -> frame::FlowState {
    use frame::FlowState;
    match phase {
        Phase::ChoosingMethod | Phase::OpeningCard => FlowState::PaymentMethodSelection,
        Phase::Collecting(_) | Phase::Reviewing => FlowState::CardDataCollection,
        Phase::Sending { .. } | Phase::CheckingDevice { .. } | Phase::Rereading { .. } => FlowState::Processing,
        Phase::AwaitingServer { .. } => FlowState::ReadyForPayment,
        Phase::Closing { .. } | Phase::Cancelling { .. } | Phase::Unknown { .. } => FlowState::Finalizing,
        Phase::Challenge { .. } => FlowState::Challenge,
        Phase::Complete(_) => FlowState::PaymentComplete,
        Phase::Expired => FlowState::Expired,
    }
}

/// The text that tells the buyer why the fields are back.
pub fn notice_key(notice: &Notice) -> Option<&'static str> {
    match notice {
        Notice::None | Notice::FieldsRefused => None,
        Notice::Refused(decline) => Some(decline.code()),
        Notice::Connection => Some("connection_lost"),
        Notice::Service => Some("service_fault"),
    }
}
