//! Answers of the gateway, as a form understands them.

use payframe_checkout_flow::flow::{Answer, Failure, SessionSnapshot};
use payframe_payment_domain::session::TransitionError;

/// The answer to the choice of a method, as a form understands it: it names no operation.
pub(super) fn without_operation(answer: Answer) -> Answer {
    match answer {
        Answer::State(SessionSnapshot::Collecting(_)) => {
            Answer::State(SessionSnapshot::Collecting(None))
        }
        Answer::State(SessionSnapshot::Complete(_)) => Answer::Failed(Failure::Service),
        other => other,
    }
}

/// The answer to a refused call.
pub(super) fn refused(refusal: TransitionError) -> Answer {
    Answer::Failed(match refusal {
        TransitionError::Dead => Failure::Expired,
        TransitionError::WrongState | TransitionError::WrongVersion | TransitionError::OtherSum => {
            Failure::WrongState
        }
        TransitionError::Authorizing => Failure::Service,
    })
}
