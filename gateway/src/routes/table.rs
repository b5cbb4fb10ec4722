//! Which path and verb is which call, and what each call asks of its caller (contract 1.1, 1.3, 1.4).
//!
//! To serve another call: a variant of [`Endpoint`], a row of [`ROUTES`], an arm in `routes::handle`.

use super::problem::Refusal;
use crate::domain::life::ActionCall;
use axum::http::Method;

/// A call of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    /// `POST /orders/build`
    OpenPayment,
    /// `GET /build/state`
    State,
    /// `GET /build/cardData`
    CardData,
    /// `GET /build/integrity`
    Integrity,
    /// `POST /build/confirm_payment`
    Confirm,
    /// `POST /build/finalize_payment`
    Finalize,
    /// `POST /build/cancel`
    Cancel,
    /// `GET /orders`
    Orders,
    /// `GET /operations`
    Operations,
    /// `GET /payment_methods`
    PaymentMethods,
    /// `GET /orders/{orderId}`
    Order,
    /// `GET /operations/{operationId}`
    Operation,
    /// `GET /operations/{operationId}/actions`
    Actions,
    /// `POST /operations/{operationId}/captures`, `refunds` and `cancels`
    Act(ActionCall),
    /// `POST /orders/mit`
    MerchantInitiated,
    /// `POST /orders/moto`
    MailOrTelephone,
    /// `POST /orders/card_verification`
    CardVerification,
    /// `GET /contracts/customers/{customerId}`
    Contracts,
    /// `POST /contracts/{contractId}/deactivation`
    DeactivateContract,
    /// `GET /fe/build/field_settings/{id}`
    FieldSettings,
    /// `POST /fe/build/text`
    Text,
    /// `POST /fe/build/text/{id}`
    TextOne,
    /// `POST /fe/build/action/{id}`
    Action,
    /// `GET /fe/build/check_gdi_result`
    CheckDevice,
    /// `GET /fe/build/gdi_and_finalize`
    VerifyDevice,
    /// `GET /fe/build/validateAndPay`
    ChallengeResult,
    /// `POST /fe/build/bin`
    Bin,
}

/// Who may make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callers {
    /// The merchant's server, with its API key.
    Merchant,
    /// The merchant's server, or a frame of the session that the call is about.
    MerchantOrFrame,
    /// A frame, with its session.
    Frame,
}

/// The verbs that the API has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    /// Reads. HEAD is the same without a body.
    Get,
    /// Acts.
    Post,
}

/// Whether a header must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needed {
    /// It must.
    Yes,
    /// It may.
    No,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route {
    pub(crate) verb: Verb,
    /// Below the base; at most one parameter.
    pub(crate) pattern: &'static str,
    pub(crate) endpoint: Endpoint,
    pub(crate) callers: Callers,
    pub(crate) idempotency_key: Needed,
    pub(crate) correlation_id: Needed,
    /// Whether a body must be there.
    pub(crate) body: Needed,
}

/// A call that was found by its path and verb.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) route: &'static Route,
    /// The path's parameter, decoded.
    pub(crate) parameter: Option<String>,
    /// The path below the base, as it was sent, without a slash at its end.
    pub(crate) path: String,
}

/// Finds a call. `path` is the whole path, percent-encoded.
pub(crate) fn find(method: &Method, path: &str) -> Result<Found, Refusal> {
    let below = path.strip_prefix("/api").ok_or(Refusal::NotFound)?;
    let below = below
        .strip_prefix("/v1")
        .filter(|rest| rest.starts_with('/'))
        .unwrap_or(below);
    let below = below.strip_suffix('/').unwrap_or(below);
    let verb = match *method {
        Method::GET | Method::HEAD => Some(Verb::Get),
        Method::POST => Some(Verb::Post),
        _ => None,
    };
    let fitting = || {
        ROUTES
            .iter()
            .filter_map(|route| fits(route.pattern, below).map(|parameter| (route, parameter)))
    };
    // A fixed path before one with a parameter.
    let found = fitting()
        .filter(|(route, _)| Some(route.verb) == verb)
        .min_by_key(|(route, _)| route.pattern.contains('{'));
    match found {
        Some((route, parameter)) => Ok(Found {
            route,
            parameter,
            path: below.to_owned(),
        }),
        None => {
            let mut verbs = Vec::new();
            for (route, _) in fitting() {
                let served: &[&str] = match route.verb {
                    Verb::Get => &["GET", "HEAD"],
                    Verb::Post => &["POST"],
                };
                for verb in served {
                    if !verbs.contains(verb) {
                        verbs.push(verb);
                    }
                }
            }
            Err(if verbs.is_empty() {
                Refusal::NotFound
            } else {
                Refusal::Verb(verbs)
            })
        }
    }
}

/// Whether a path fits a pattern, and with which parameter.
fn fits(pattern: &str, path: &str) -> Option<Option<String>> {
    let mut parameter = None;
    let mut pieces = path.split('/');
    for expected in pattern.split('/') {
        let piece = pieces.next()?;
        if expected.starts_with('{') {
            parameter = Some(decode(piece)?);
        } else if piece != expected {
            return None;
        }
    }
    pieces.next().is_none().then_some(parameter)
}

/// Decodes percent signs once. `None`: nothing, or not UTF-8.
fn decode(piece: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(piece.len());
    let mut rest = piece.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        let escaped = after.get(..2).filter(|_| *byte == b'%').and_then(|digits| {
            let digits = std::str::from_utf8(digits).ok()?;
            u8::from_str_radix(digits, 16).ok()
        });
        match escaped {
            Some(decoded) => {
                bytes.push(decoded);
                rest = &after[2..];
            }
            None => {
                bytes.push(*byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes)
        .ok()
        .filter(|text| !text.is_empty())
}

const fn get(pattern: &'static str, endpoint: Endpoint, callers: Callers) -> Route {
    Route {
        verb: Verb::Get,
        pattern,
        endpoint,
        callers,
        idempotency_key: Needed::No,
        correlation_id: Needed::Yes,
        body: Needed::No,
    }
}

const fn post(
    pattern: &'static str,
    endpoint: Endpoint,
    callers: Callers,
    idempotency_key: Needed,
) -> Route {
    Route {
        verb: Verb::Post,
        pattern,
        endpoint,
        callers,
        idempotency_key,
        correlation_id: Needed::Yes,
        body: Needed::Yes,
    }
}

const ROUTES: &[Route] = &[
    post(
        "/orders/build",
        Endpoint::OpenPayment,
        Callers::Merchant,
        Needed::No,
    ),
    get("/orders", Endpoint::Orders, Callers::Merchant),
    get("/operations", Endpoint::Operations, Callers::Merchant),
    get(
        "/payment_methods",
        Endpoint::PaymentMethods,
        Callers::Merchant,
    ),
    get("/orders/{orderId}", Endpoint::Order, Callers::Merchant),
    get(
        "/operations/{operationId}",
        Endpoint::Operation,
        Callers::Merchant,
    ),
    get(
        "/operations/{operationId}/actions",
        Endpoint::Actions,
        Callers::Merchant,
    ),
    post(
        "/operations/{operationId}/refunds",
        Endpoint::Act(ActionCall::Refund),
        Callers::Merchant,
        Needed::Yes,
    ),
    post(
        "/operations/{operationId}/captures",
        Endpoint::Act(ActionCall::Capture),
        Callers::Merchant,
        Needed::Yes,
    ),
    Route {
        body: Needed::No,
        ..post(
            "/operations/{operationId}/cancels",
            Endpoint::Act(ActionCall::Cancel),
            Callers::Merchant,
            Needed::No,
        )
    },
    post(
        "/orders/mit",
        Endpoint::MerchantInitiated,
        Callers::Merchant,
        Needed::Yes,
    ),
    post(
        "/orders/moto",
        Endpoint::MailOrTelephone,
        Callers::Merchant,
        Needed::No,
    ),
    post(
        "/orders/card_verification",
        Endpoint::CardVerification,
        Callers::Merchant,
        Needed::No,
    ),
    get(
        "/contracts/customers/{customerId}",
        Endpoint::Contracts,
        Callers::Merchant,
    ),
    Route {
        body: Needed::No,
        ..post(
            "/contracts/{contractId}/deactivation",
            Endpoint::DeactivateContract,
            Callers::Merchant,
            Needed::No,
        )
    },
    get("/build/state", Endpoint::State, Callers::MerchantOrFrame),
    get(
        "/build/cardData",
        Endpoint::CardData,
        Callers::MerchantOrFrame,
    ),
    Route {
        correlation_id: Needed::No,
        ..get("/build/integrity", Endpoint::Integrity, Callers::Merchant)
    },
    post(
        "/build/confirm_payment",
        Endpoint::Confirm,
        Callers::MerchantOrFrame,
        Needed::No,
    ),
    post(
        "/build/finalize_payment",
        Endpoint::Finalize,
        Callers::MerchantOrFrame,
        Needed::No,
    ),
    post(
        "/build/cancel",
        Endpoint::Cancel,
        Callers::MerchantOrFrame,
        Needed::No,
    ),
    get(
        "/fe/build/field_settings/{id}",
        Endpoint::FieldSettings,
        Callers::Frame,
    ),
    post(
        "/fe/build/text",
        Endpoint::Text,
        Callers::Frame,
        Needed::Yes,
    ),
    post(
        "/fe/build/text/{id}",
        Endpoint::TextOne,
        Callers::Frame,
        Needed::Yes,
    ),
    Route {
        body: Needed::No,
        ..post(
            "/fe/build/action/{id}",
            Endpoint::Action,
            Callers::Frame,
            Needed::Yes,
        )
    },
    get(
        "/fe/build/check_gdi_result",
        Endpoint::CheckDevice,
        Callers::Frame,
    ),
    get(
        "/fe/build/gdi_and_finalize",
        Endpoint::VerifyDevice,
        Callers::Frame,
    ),
    get(
        "/fe/build/validateAndPay",
        Endpoint::ChallengeResult,
        Callers::Frame,
    ),
    post("/fe/build/bin", Endpoint::Bin, Callers::Frame, Needed::No),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(method: Method, path: &str) -> String {
        match find(&method, path) {
            Ok(Found {
                route, parameter, ..
            }) => match parameter {
                Some(parameter) => format!("{:?} {parameter}", route.endpoint),
                None => format!("{:?}", route.endpoint),
            },
            Err(Refusal::Verb(verbs)) => format!("405 {}", verbs.join(", ")),
            Err(_) => String::from("404"),
        }
    }

    #[test]
    fn paths_are_found_as_the_contract_says() {
        for (method, path, expected) in [
            (Method::GET, "/api/build/state", "State"),
            (Method::GET, "/api/v1/build/state", "State"),
            (Method::GET, "/api/build/state/", "State"),
            (Method::HEAD, "/api/build/state", "State"),
            (Method::GET, "/api/build/state//", "404"),
            (Method::GET, "/api/v1/v1/build/state", "404"),
            (Method::GET, "/api/v2/build/state", "404"),
            (Method::GET, "/api/Build/state", "404"),
            (Method::GET, "/api", "404"),
            (Method::GET, "/api/", "404"),
            (Method::GET, "/api/v1", "404"),
            (Method::GET, "/other/build/state", "404"),
            (Method::POST, "/api/build/state", "405 GET, HEAD"),
            (Method::PUT, "/api/build/cancel", "405 POST"),
            (Method::DELETE, "/api/orders/build", "405 POST, GET, HEAD"),
            (Method::POST, "/api/orders/build", "OpenPayment"),
            (Method::GET, "/api/orders/build", "Order build"),
            (Method::POST, "/api/orders/A1", "405 GET, HEAD"),
            (Method::GET, "/api/orders/A%231%3F%3B", "Order A#1?;"),
            (Method::GET, "/api/orders/A%2523", "Order A%23"),
            (Method::GET, "/api/orders/A%", "Order A%"),
            (Method::GET, "/api/orders/%FF", "404"),
            (Method::GET, "/api/orders/", "Orders"),
            (Method::POST, "/api/orders", "405 GET, HEAD"),
            (Method::GET, "/api/v1/operations", "Operations"),
            (Method::GET, "/api/payment_methods", "PaymentMethods"),
            (Method::GET, "/api/operations/1/actions", "Actions 1"),
            (Method::POST, "/api/operations/1/refunds", "Act(Refund) 1"),
            (
                Method::POST,
                "/api/v1/operations/1/captures/",
                "Act(Capture) 1",
            ),
            (Method::POST, "/api/operations/1/cancels", "Act(Cancel) 1"),
            (Method::GET, "/api/operations/1/refunds", "405 POST"),
            (Method::POST, "/api/operations//refunds", "404"),
            (Method::GET, "/api/orders/a/b", "404"),
            (Method::POST, "/api/fe/build/text", "Text"),
            (
                Method::POST,
                "/api/fe/build/text/CARD_NUMBER",
                "TextOne CARD_NUMBER",
            ),
        ] {
            assert_eq!(check(method.clone(), path), expected, "{method} {path}");
        }
    }
}
