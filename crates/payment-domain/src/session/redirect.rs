//! The redirect to an alternative method: the buyer is sent to another page and comes back with an outcome.

use super::{Counters, Effect, MethodReply, Recorded, Redirect, State, Step, moved, unchanged};
use crate::method::Method;
use crate::operation::{AuthorizationResult, OperationResult};

pub(super) fn method_chosen(
    counters: Counters,
    state: State,
    method: &'static Method,
    operation_id: String,
    now_ms: i64,
) -> Step {
    match state {
        State::ChoosingMethod => {
            let redirect = Redirect {
                method,
                operation_id: operation_id.clone(),
                since_ms: now_ms,
            };
            moved(
                counters,
                State::Redirected { redirect },
                vec![Effect::OpenRedirect { operation_id }],
            )
        }
        // A second click is answered with the current state (contract 5.4), whichever button was the first.
        other => unchanged(counters, other),
    }
}

pub(super) fn method_answered(
    counters: Counters,
    state: State,
    operation_id: &str,
    reply: MethodReply,
    now_ms: i64,
) -> Step {
    match state {
        State::Redirected { redirect } if redirect.operation_id == operation_id => match reply {
            MethodReply::Cancel => {
                given_up(counters, redirect.method, redirect.operation_id, now_ms)
            }
            MethodReply::Returned(return_data) => {
                let effects = vec![Effect::AskIssuer {
                    operation_id: redirect.operation_id.clone(),
                }];
                moved(
                    counters,
                    State::AuthorizingMethod {
                        redirect,
                        return_data,
                    },
                    effects,
                )
            }
        },
        // An answer to a page that is over changes nothing.
        other => unchanged(counters, other),
    }
}

/// The method's operator has reported the result of the payment.
pub(super) fn complete_redirect(
    counters: Counters,
    redirect: Redirect,
    result: AuthorizationResult,
    now_ms: i64,
) -> Step {
    let Redirect {
        method,
        operation_id,
        ..
    } = redirect;
    let record = Effect::RecordMethod {
        operation_id: operation_id.clone(),
        method,
        result: Recorded::Issuer(result),
    };
    let state = State::Complete {
        card: None,
        operation_id,
        since_ms: now_ms,
    };
    moved(counters, state, vec![record])
}

/// The buyer left the method's page, the payment was cancelled, or the time limit has passed.
pub(super) fn given_up(
    counters: Counters,
    method: &'static Method,
    operation_id: String,
    now_ms: i64,
) -> Step {
    let record = Effect::RecordMethod {
        operation_id: operation_id.clone(),
        method,
        result: Recorded::Own(OperationResult::Canceled),
    };
    let state = State::Cancelled {
        operation_id,
        since_ms: now_ms,
    };
    moved(counters, state, vec![record])
}
