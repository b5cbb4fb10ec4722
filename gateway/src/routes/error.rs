//! Refusals of the API: codes, statuses, and which code comes first (contract 1.5, 10.7, 10.8).

use super::order_of_checks::FOUND_BY_READING;
use crate::admission::{self, Busy};
use crate::unavailable::{self, RETRY_AFTER_SECONDS};
use axum::body::Body;
use axum::http::header::{ALLOW, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse;
use bytes::Bytes;
use payframe_error_codes::ErrorCode::{
    self, GW0002, GW9002, GW9003, GW9006, GW9009, GW9010, GW9013, GW9015, GW9020, PS0000, PS0004,
    PS0017, PS0025, PS0026, PS0043, PS0044, PS0045, PS0061,
};
use payframe_payment_domain::contract::ContractChargeError;
use payframe_payment_domain::hosted::HostedPageError;
use payframe_payment_domain::session::{State, TransitionError};
use payframe_payment_service::{ContractError, NoAcquirerError, PaymentError};
use payframe_protocol::api::{ApiProblem, ApiProblems};
use std::pin::Pin;
use std::task::{Context, Poll};

/// Why a call is not carried out.
#[derive(Debug)]
pub(crate) enum ApiError {
    /// 400 (or the status of the code) with reasons.
    Because(StatusCode, Vec<Reason>),
    /// 401: names the needed header, and never says whether a key exists.
    Unauthorized,
    /// 404.
    NotFound,
    /// 405, with the verbs that are served.
    Verb(Vec<&'static str>),
    /// 429, with seconds to wait.
    TooMany(u64),
    /// 400, with the puzzle whose solution is due.
    ProofDue(String),
    /// No answer at all: the connection is closed (contract 11.9).
    Close,
    /// 503: the database is away or busy. The same call can succeed later.
    Unavailable,
    /// 503: too many calls are at work, and nothing was begun for this one.
    Busy,
    /// A failure of ours. The log has the details.
    Ours,
    /// The refusal of a handler, as its answer.
    Answered(Box<Response<Body>>),
}

/// One reason why a call is refused.
#[derive(Debug)]
pub(crate) struct Reason {
    pub(crate) code: ErrorCode,
    /// In English; names fields, never values.
    pub(crate) description: String,
}

/// The errors found in a request; the first group with an error answers.
#[derive(Debug, Default)]
pub(crate) struct RequestErrors(Vec<Reason>);

impl RequestErrors {
    /// Adds an error. `description` names fields, never values.
    pub(crate) fn add(&mut self, code: ErrorCode, description: impl Into<String>) {
        self.0.push(Reason {
            code,
            description: description.into(),
        });
    }

    /// A refusal with the errors of the first group that has errors, in the order of the group's row.
    pub(crate) fn into_result(mut self) -> Result<(), ApiError> {
        self.0.sort_by_key(|reason| rank(reason.code));
        let Some(first) = self.0.first().map(|reason| rank(reason.code).0) else {
            return Ok(());
        };
        self.0.retain(|reason| rank(reason.code).0 == first);
        Err(ApiError::Because(StatusCode::BAD_REQUEST, self.0))
    }
}

impl ApiError {
    /// 400 with one reason.
    pub(crate) fn bad(code: ErrorCode, description: impl Into<String>) -> ApiError {
        ApiError::with(StatusCode::BAD_REQUEST, code, description)
    }

    /// A status with one reason.
    pub(crate) fn with(
        status: StatusCode,
        code: ErrorCode,
        description: impl Into<String>,
    ) -> ApiError {
        let reason = Reason {
            code,
            description: description.into(),
        };
        ApiError::Because(status, vec![reason])
    }

    /// The session is dead, or treated like a dead one.
    pub(crate) fn session_dead() -> ApiError {
        ApiError::bad(PS0061, "build session expired")
    }

    /// No acquirer can be asked for money.
    pub(crate) fn no_acquirer() -> ApiError {
        ApiError::bad(
            GW9009,
            "the terminal has no acquirer: nothing can be charged, authorized, captured or refunded",
        )
    }

    /// The buyer can not be authenticated.
    fn no_authentication() -> ApiError {
        ApiError::bad(
            GW9010,
            "buyers of the terminal can not be authenticated: there is no 3-D Secure server, and the operator has not allowed \
             payments without it",
        )
    }

    /// The session's state does not allow the call.
    pub(crate) fn wrong_state(state: &State) -> ApiError {
        let (name, allowed) = match state {
            State::ChoosingMethod => ("PAYMENT_METHOD_SELECTION", "state, cancel"),
            State::CollectingCard(_) | State::CheckingDevice { .. } => {
                ("CARD_DATA_COLLECTION", "state, cancel")
            }
            State::Ready { .. } => (
                "READY_FOR_PAYMENT",
                "state, cardData, confirm_payment, finalize_payment, cancel",
            ),
            State::VerifyingDevice { .. } => (
                "GDI_VERIFICATION",
                "state, cardData, confirm_payment, cancel",
            ),
            State::Redirected { .. } | State::AuthorizingMethod { .. } => {
                ("REDIRECTED_TO_EXTERNAL_DOMAIN", "state, cancel")
            }
            State::Challenged { .. } | State::Authorizing { .. } | State::SteppingUp { .. } => {
                ("REDIRECTED_TO_EXTERNAL_DOMAIN", "state, cardData, cancel")
            }
            State::Complete { card: None, .. } => ("PAYMENT_COMPLETE", "state"),
            State::Complete { .. } => ("PAYMENT_COMPLETE", "state, cardData"),
            State::Cancelled { .. } => ("PAYMENT_COMPLETE (cancelled)", "state"),
            State::Dead => return ApiError::session_dead(),
        };
        ApiError::bad(
            GW9003,
            format!("the session is in {name}, which does not allow this call; allowed: {allowed}"),
        )
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response<Body> {
        match self {
            ApiError::Because(status, reasons) => {
                let errors = reasons.into_iter().map(ApiProblem::from).collect();
                respond(status, Some(&ApiProblems { errors }), None)
            }
            ApiError::Unauthorized => respond(
                StatusCode::UNAUTHORIZED,
                Some(&one(GW9020, CREDENTIAL)),
                None,
            ),
            ApiError::NotFound => respond(StatusCode::NOT_FOUND, None, None),
            ApiError::Verb(verbs) => {
                let allow = HeaderValue::from_str(&verbs.join(", ")).ok();
                respond(
                    StatusCode::METHOD_NOT_ALLOWED,
                    None,
                    allow.map(|allow| (ALLOW, allow)),
                )
            }
            ApiError::TooMany(seconds) => {
                let errors = one(GW9002, "too many requests");
                respond(
                    StatusCode::TOO_MANY_REQUESTS,
                    Some(&errors),
                    Some((RETRY_AFTER, seconds.into())),
                )
            }
            ApiError::ProofDue(puzzle) => {
                let errors = one(
                    GW9015,
                    "somebody tries out cards at this terminal: send the card again with the item PROOF_OF_WORK, a solution of the puzzle in \
                     the header Proof-Of-Work, which is good for this card of this session alone",
                );
                let puzzle = HeaderValue::from_str(&puzzle).ok();
                respond(
                    StatusCode::BAD_REQUEST,
                    Some(&errors),
                    puzzle.map(|puzzle| (PUZZLE, puzzle)),
                )
            }
            ApiError::Close => {
                // A body that fails before its first byte makes the server close the connection without an answer.
                Response::new(Body::new(NoAnswer))
            }
            ApiError::Unavailable => respond(
                StatusCode::SERVICE_UNAVAILABLE,
                Some(&one(GW9013, "the gateway has no access to its data now")),
                Some((RETRY_AFTER, RETRY_AFTER_SECONDS.into())),
            ),
            ApiError::Busy => respond(
                StatusCode::SERVICE_UNAVAILABLE,
                Some(&one(GW9013, "too many calls are at work now")),
                Some((RETRY_AFTER, admission::RETRY_AFTER_SECONDS.into())),
            ),
            ApiError::Ours => respond(
                StatusCode::INTERNAL_SERVER_ERROR,
                Some(&one(PS0000, "general API error")),
                None,
            ),
            ApiError::Answered(response) => *response,
        }
    }
}

impl From<Reason> for ApiProblem {
    fn from(reason: Reason) -> ApiProblem {
        ApiProblem {
            code: reason.code.to_string(),
            description: reason.description,
        }
    }
}

impl From<PaymentError> for ApiError {
    fn from(problem: PaymentError) -> ApiError {
        match problem {
            PaymentError::Refused(TransitionError::Dead) => ApiError::session_dead(),
            PaymentError::Refused(TransitionError::WrongVersion) => ApiError::bad(
                GW9003,
                "version 2 is closed by confirm_payment, version 3 by finalize_payment",
            ),
            PaymentError::Refused(TransitionError::WrongState | TransitionError::Authorizing) => {
                ApiError::bad(GW9003, "the session's state does not allow this call")
            }
            PaymentError::Refused(TransitionError::OtherSum) => ApiError::bad(
                PS0026,
                "the sum that the form showed at the press is not the session's: the buyer has to press Pay for the new one",
            ),
            PaymentError::OrderPaid => ApiError::bad(
                GW9006,
                "order.orderId is used by an approved or pending payment, or with another amount or currency",
            ),
            PaymentError::UnprovenOrigin => ApiError::bad(
                GW0002,
                "the origin of merchantUrl is not proven for this terminal: whoever operates the gateway registers it with \
                 `payframe-gateway terminal origin add`, and proves it with `terminal origin verify`",
            ),
            PaymentError::Contract(ContractError::OtherSum) => ApiError::bad(
                PS0026,
                "exemptions RECURRING_SAME_AMOUNT is only for the amount and currency of the payment that stored the card",
            ),
            PaymentError::Contract(refusal) => ApiError::bad(PS0017, describe_contract(refusal)),
            PaymentError::Charge(denial) => ApiError::bad(PS0043, describe_charge(denial)),
            PaymentError::Reservation(denial) => ApiError::bad(denial.into(), denial.sentence()),
            PaymentError::NoTerms => ApiError::bad(
                PS0026,
                "order.termsAndConditionsIds names terms and conditions that are not there or not active",
            ),
            PaymentError::WalletTokenUsed => ApiError::bad(
                PS0026,
                "the wallet's data must be of this payment: its token has begun the payment of another order",
            ),
            PaymentError::NoVerification => ApiError::bad(
                PS0004,
                "card verification is not possible: the card's network does not support it",
            ),
            PaymentError::NoAcquirer(NoAcquirerError::OfTerminal) => ApiError::no_acquirer(),
            PaymentError::NoAcquirer(refusal) => ApiError::bad(GW9009, refusal.to_string()),
            PaymentError::ProofDue(puzzle) => ApiError::ProofDue(puzzle),
            PaymentError::NoAuthentication => ApiError::no_authentication(),
            PaymentError::KeyReused => ApiError::bad(
                PS0025,
                "header Idempotency-Key was used for another request",
            ),
            PaymentError::Hosted(HostedPageError::Used) => {
                ApiError::bad(PS0045, "the link has been paid")
            }
            PaymentError::Hosted(HostedPageError::Running) => {
                ApiError::bad(PS0044, "a payment is under way on the link")
            }
            PaymentError::Hosted(HostedPageError::Canceled) => ApiError::bad(
                GW9003,
                "the link is CANCELED, which does not allow this call; allowed: get, cancels",
            ),
            problem if problem.is_passing() => {
                unavailable::note(&problem);
                ApiError::Unavailable
            }
            problem => {
                tracing::error!(%problem, "a call failed");
                ApiError::Ours
            }
        }
    }
}

impl From<Busy> for ApiError {
    fn from(_: Busy) -> ApiError {
        ApiError::Busy
    }
}

impl From<payframe_storage::StoreError> for ApiError {
    fn from(problem: payframe_storage::StoreError) -> ApiError {
        PaymentError::from(problem).into()
    }
}

fn describe_contract(refusal: ContractError) -> &'static str {
    match refusal {
        ContractError::Unknown => "contractId is not that of an active contract",
        ContractError::Taken => {
            "contractId is that of an active contract already, or of one that is being made"
        }
        ContractError::OtherType => "contractType is not that of the contract",
        ContractError::OtherSum => "the contract's card was stored with another sum",
    }
}

fn describe_charge(denial: ContractChargeError) -> &'static str {
    match denial {
        ContractChargeError::NeedsBuyer => "the contract is for payments with the buyer (CIT)",
        ContractChargeError::Expired => "the contract's contractExpiryDate has passed",
        ContractChargeError::TooSoon => {
            "the contract's contractFrequency has not passed since its latest charge"
        }
        ContractChargeError::ChargeRunning => {
            "a charge of the contract has no outcome yet, and its contractFrequency depends on that"
        }
    }
}

/// The same description for every missing or wrong credential.
const CREDENTIAL: &str = "header X-API-KEY (or Authorization with Bearer) must hold a valid API key: \
                          one line of ASCII letters, digits, - and _, as it was shown when the key was made; \
                          a frame's header session must hold its session";

/// The header with the puzzle of a refusal with `GW9015`.
const PUZZLE: HeaderName = HeaderName::from_static("proof-of-work");

/// The body of an answer that is not sent.
struct NoAnswer;

impl http_body::Body for NoAnswer {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, std::io::Error>>> {
        Poll::Ready(Some(Err(std::io::Error::other(
            "closed without an answer, as the caller asked",
        ))))
    }
}

fn one(code: ErrorCode, description: &str) -> ApiProblems {
    ApiProblems {
        errors: vec![ApiProblem {
            code: code.to_string(),
            description: description.to_owned(),
        }],
    }
}

fn respond(
    status: StatusCode,
    body: Option<&ApiProblems>,
    header: Option<(HeaderName, HeaderValue)>,
) -> Response<Body> {
    let bytes = body.and_then(|body| serde_json::to_vec(body).ok());
    let mut response = Response::new(bytes.map_or_else(Body::empty, Body::from));
    *response.status_mut() = status;
    if body.is_some() {
        response
            .headers_mut()
            .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    if let Some((name, value)) = header {
        response.headers_mut().insert(name, value);
    }
    response
}

/// Group of a code and its place in the group's row. Codes that do not come from reading fields are last.
fn rank(code: ErrorCode) -> (usize, usize) {
    for (group, row) in FOUND_BY_READING.iter().enumerate() {
        if let Some(place) = row.iter().position(|known| *known == code) {
            return (group, place);
        }
    }
    (FOUND_BY_READING.len(), 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use payframe_error_codes::ErrorCode::{GW0001, PS0005, PS0007, PS0009, PS0036, PS0041};

    fn codes(found: &[ErrorCode]) -> Vec<ErrorCode> {
        let mut findings = RequestErrors::default();
        for &code in found {
            findings.add(code, "somewhere");
        }
        match findings.into_result() {
            Err(ApiError::Because(_, reasons)) => {
                reasons.into_iter().map(|reason| reason.code).collect()
            }
            _ => Vec::new(),
        }
    }

    #[test]
    fn the_first_failing_group_answers_in_the_order_of_its_row() {
        assert_eq!(
            codes(&[PS0007, PS0036, PS0026, GW0001]),
            [GW0001, PS0026, PS0036]
        );
        assert_eq!(codes(&[PS0017, PS0005, PS0009]), [PS0009, PS0005]);
        assert_eq!(codes(&[PS0026, PS0041]), [PS0041]);
        assert!(codes(&[]).is_empty());
    }
}
