//! Outcomes as the journal keeps them, and as the port tells them.

use payframe_payment_ports::acquirer::{
    Approval, AuthorizationResponse, AuthorizationResult, DeclineReason, Taking,
};
use payframe_storage::iso8583_exchanges::StoredAnswer;

pub(super) fn response_of(answer: &StoredAnswer) -> AuthorizationResponse {
    let (result, decline_reason) = match answer.result.as_str() {
        APPROVED => (AuthorizationResult::Approved, None),
        DECLINED => (AuthorizationResult::Declined, None),
        AUTHENTICATION_REQUIRED => (
            AuthorizationResult::Declined,
            Some(DeclineReason::AuthenticationRequired),
        ),
        _ => (AuthorizationResult::Failed, None),
    };
    AuthorizationResponse {
        response_code: answer.response_code.clone(),
        result,
        approval: (result == AuthorizationResult::Approved).then(|| Approval {
            authorization_code: answer.authorization_code.clone(),
            retrieval_reference: answer.retrieval_reference.clone(),
            scheme_id: answer.scheme_id.clone(),
        }),
        decline_reason,
        ask_again_ms: None,
        taking: Taking::Taken,
    }
}

/// The response to what was never sent, which is certain.
pub(super) fn not_sent(response_code: &str) -> AuthorizationResponse {
    response_of(&failed(response_code))
}

pub(super) fn failed(response_code: &str) -> StoredAnswer {
    stored(FAILED, response_code)
}

pub(super) fn stored(result: &str, response_code: &str) -> StoredAnswer {
    StoredAnswer {
        result: result.to_owned(),
        response_code: response_code.to_owned(),
        ..StoredAnswer::default()
    }
}

pub(super) const APPROVED: &str = "APPROVED";
pub(super) const DECLINED: &str = "DECLINED";
/// Declined, because the buyer was not authenticated.
pub(super) const AUTHENTICATION_REQUIRED: &str = "AUTHENTICATION_REQUIRED";
const FAILED: &str = "FAILED";

/// "Approved for partial amount", which is reversed.
pub(super) const PARTIAL: &str = "002";

/// "Format error": the dialect has no such message, or it cannot be written.
pub(super) const NOT_POSSIBLE: &str = "904";

/// "Card issuer timed out".
pub(super) const TIMED_OUT: &str = "911";

/// "Unable to trace back to original transaction".
pub(super) const NO_ORIGINAL: &str = "914";
