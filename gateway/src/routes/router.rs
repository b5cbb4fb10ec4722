//! The axum router of the API: which endpoints there are, and below which paths each is served (contract 1.1).
//!
//! To add an endpoint, write it in its module ([`super::endpoint`] shows how). To add the endpoints of another module, name its
//! function `endpoints` in [`endpoints`].

use super::endpoint::{Availability, Endpoint, Verb};
use super::error::ApiError;
use super::pipeline;
use super::route::Route;
use super::{
    actions, back_office, build, contracts, disputes, events, external_3ds, field_settings, frame,
    fulfilment, hosted, legal_texts, lists, reservation_charges, reservations, server_to_server,
    session_sum, settlements, structures, test_clock, test_disputes, wallets,
};
use crate::App;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{Response, Uri};
use axum::middleware;
use axum::routing::{MethodFilter, MethodRouter};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::future::ready;
use std::sync::LazyLock;
use tower::{Layer, Service, ServiceExt};

/// Every endpoint of the API, in the order of the documents.
pub(crate) fn endpoints() -> impl Iterator<Item = &'static Endpoint> {
    static ENDPOINTS: LazyLock<Vec<Endpoint>> = LazyLock::new(|| {
        [
            build::endpoints(),
            session_sum::merchants(),
            server_to_server::endpoints(),
            external_3ds::endpoints(),
            wallets::endpoints(),
            hosted::endpoints(),
            lists::endpoints(),
            back_office::endpoints(),
            actions::endpoints(),
            fulfilment::endpoints(),
            disputes::endpoints(),
            contracts::endpoints(),
            events::endpoints(),
            settlements::endpoints(),
            legal_texts::endpoints(),
            structures::endpoints(),
            reservations::endpoints(),
            reservation_charges::endpoints(),
            field_settings::endpoints(),
            frame::endpoints(),
            session_sum::frames(),
            test_clock::endpoints(),
            test_disputes::endpoints(),
        ]
        .into_iter()
        .flatten()
        .collect()
    });
    ENDPOINTS.iter()
}

/// Answers every call of the API.
pub(crate) fn service(
    app: &App,
) -> impl Service<Request, Response = Response<Body>, Error = Infallible, Future: Send>
+ Clone
+ Send
+ Sync
+ 'static {
    let is_served = |endpoint: &&Endpoint| match endpoint.availability {
        Availability::Always => true,
        Availability::WithTestClock => app.has_test_clock(),
    };
    let routes = routes(endpoints().filter(is_served), |route| {
        let handler = route.endpoint.handler.clone().with_state(app.clone());
        let admit = middleware::from_fn_with_state((app.clone(), route), pipeline::admit);
        MethodRouter::new().on_service(filter(route.verb), admit.layer(handler))
    });
    routes
        .fallback(|| ready(ApiError::NotFound))
        .layer(middleware::from_fn(pipeline::mark))
        .map_request(with_served_path)
}

/// The router of these endpoints. A fixed path also serves the verbs of the routes with a parameter that match it; its own verbs come first.
fn routes(
    endpoints: impl Iterator<Item = &'static Endpoint>,
    serve: impl Fn(Route) -> MethodRouter,
) -> Router {
    let all: Vec<(String, Route)> = endpoints
        .flat_map(Route::of)
        .map(|route| (route.path(), route))
        .collect();
    let paths: BTreeSet<&String> = all.iter().map(|(path, _)| path).collect();
    let mut router = Router::new();
    for path in paths {
        let is_fixed = !path.contains('{');
        let fitting = all
            .iter()
            .filter(|(own, _)| own == path || is_fixed && could_be(own, path));
        let mut verbs: Vec<&'static str> = Vec::new();
        let mut served: Vec<Route> = Vec::new();
        for (own, route) in fitting {
            match served.iter_mut().find(|known| known.verb == route.verb) {
                Some(known) if own == path => *known = *route,
                Some(_) => {}
                None => {
                    verbs.extend(allowed(route.verb));
                    served.push(*route);
                }
            }
        }
        let methods = served
            .into_iter()
            .fold(MethodRouter::new(), |methods, route| {
                methods.merge(serve(route))
            })
            .fallback(move || ready(ApiError::Verb(verbs)));
        router = router.route(path, methods);
    }
    router
}

/// Whether a path with a parameter matches a fixed path.
fn could_be(pattern: &str, fixed: &str) -> bool {
    let mut pieces = fixed.split('/');
    let is_same = pattern.split('/').all(|expected| {
        pieces
            .next()
            .is_some_and(|piece| expected == piece || expected.starts_with('{'))
    });
    is_same && pieces.next().is_none()
}

/// The methods that `Allow` names for a verb.
fn allowed(verb: Verb) -> &'static [&'static str] {
    match verb {
        Verb::Get => &["GET", "HEAD"],
        Verb::Post => &["POST"],
        Verb::Put => &["PUT"],
        Verb::Patch => &["PATCH"],
        Verb::Delete => &["DELETE"],
    }
}

fn filter(verb: Verb) -> MethodFilter {
    match verb {
        Verb::Get => MethodFilter::GET,
        Verb::Post => MethodFilter::POST,
        Verb::Put => MethodFilter::PUT,
        Verb::Patch => MethodFilter::PATCH,
        Verb::Delete => MethodFilter::DELETE,
    }
}

/// A request with the path under which its call is served: without a slash at the end, and with the gateway's own base.
fn with_served_path(mut request: Request) -> Request {
    let uri = request.uri();
    let Some(path) = served_path(uri.path()) else {
        return request;
    };
    let target = match uri.query() {
        Some(query) => format!("{path}?{query}"),
        None => path,
    };
    // Parts of a valid path and query are always valid.
    if let Ok(uri) = Uri::try_from(target) {
        *request.uri_mut() = uri;
    }
    request
}

/// The path that serves `path`. `None`: the path itself.
fn served_path(path: &str) -> Option<String> {
    let foreign = FOREIGN_BASES
        .iter()
        .find_map(|base| path.strip_prefix(base))
        .filter(|below| below.starts_with('/'));
    let whole = match foreign {
        Some(below) => Cow::Owned(format!("/api/v1{below}")),
        None => Cow::Borrowed(path),
    };
    match whole.strip_suffix('/') {
        Some(bare) => Some(bare.to_owned()),
        None => foreign.map(|_| whole.into_owned()),
    }
}

/// Base paths of existing clients that can change only the host: at the root, and below `/api` (contract 1.1). Each has
/// the same calls as `/api/v1`.
const FOREIGN_BASES: [&str; 4] = [
    "/api/phoenix-0.0/psp/api/v1",
    "/psp/api/v1",
    "/api/api/phoenix-0.0/psp/api/v1",
    "/api/psp/api/v1",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::admission::CallKind;
    use axum::http::header::ALLOW;
    use axum::http::{Method, StatusCode};
    use http_body_util::BodyExt;

    #[test]
    fn calls_with_a_card_in_clear_are_known() {
        let ids = endpoints().filter(|endpoint| endpoint.takes_card());
        let ids: Vec<&str> = ids.map(|endpoint| endpoint.id.as_str()).collect();
        let expected = [
            "takeMailOrder",
            "verifyCard",
            "beginThreeStepPayment",
            "makeThreeStepPayment",
        ];
        assert_eq!(ids, expected);
    }

    #[test]
    fn calls_that_begin_payments_of_buyers_are_known() {
        let begins = |endpoint: &&Endpoint| endpoint.call_kind() == CallKind::Beginning;
        let ids: Vec<&str> = endpoints()
            .filter(begins)
            .map(|endpoint| endpoint.id.as_str())
            .collect();
        let expected = [
            "openPayment",
            "beginThreeStepPayment",
            "openHostedPage",
            "createPaymentLink",
            "createPaymentLinkV1",
            "renewPaymentLink",
            "linkReservation",
        ];
        assert_eq!(ids, expected);
    }

    async fn check(method: Method, path: &str) -> String {
        let router = routes(endpoints(), |route| {
            let answer = move |request: Request| async move {
                let parameter = route.parameter(request.uri().path());
                let answer =
                    parameter.map(|parameter| format!("{} {parameter}", route.endpoint.id));
                answer.ok_or(ApiError::NotFound)
            };
            MethodRouter::new().on(filter(route.verb), answer)
        });
        let request = Request::builder().uri(path).method(&method);
        let request = with_served_path(request.body(Body::empty()).unwrap());
        let response = router.oneshot(request).await.unwrap();
        match (response.status(), response.headers().get(ALLOW)) {
            (StatusCode::OK, _) if method == Method::HEAD => String::from("found"),
            (StatusCode::OK, _) => {
                let body = response.into_body().collect().await.unwrap().to_bytes();
                String::from_utf8(body.to_vec())
                    .unwrap()
                    .trim_end()
                    .to_owned()
            }
            (status, Some(allow)) => format!("{} {}", status.as_u16(), allow.to_str().unwrap()),
            (status, None) => status.as_u16().to_string(),
        }
    }

    #[tokio::test]
    async fn paths_are_found_as_the_contract_says() {
        for (method, path, expected) in [
            (Method::GET, "/api/build/state", "readState"),
            (Method::GET, "/api/v1/build/state", "readState"),
            (Method::GET, "/api/build/state/", "readState"),
            (Method::HEAD, "/api/build/state", "found"),
            (Method::GET, "/api/build/state//", "404"),
            (Method::GET, "/api/v1/v1/build/state", "404"),
            (
                Method::GET,
                "/api/phoenix-0.0/psp/api/v1/orders/A1",
                "readOrder A1",
            ),
            (Method::GET, "/psp/api/v1/orders/A1", "readOrder A1"),
            (Method::GET, "/api/psp/api/v1/orders/A1", "readOrder A1"),
            (Method::GET, "/psp/api/v1orders/A1", "404"),
            (Method::GET, "/psp/api/v2/orders/A1", "404"),
            (Method::GET, "/api/v2/build/state", "404"),
            (Method::GET, "/api/Build/state", "404"),
            (Method::GET, "/api", "404"),
            (Method::GET, "/api/", "404"),
            (Method::GET, "/api/v1", "404"),
            (Method::GET, "/other/build/state", "404"),
            (Method::POST, "/api/build/state", "405 GET, HEAD"),
            (Method::PUT, "/api/build/cancel", "405 POST"),
            (
                Method::PUT,
                "/api/orders/A1/fulfilment",
                "tellFulfilment A1",
            ),
            (Method::GET, "/api/orders/A1/fulfilment", "405 PUT"),
            (Method::DELETE, "/api/orders/build", "405 POST, GET, HEAD"),
            (Method::POST, "/api/orders/build", "openPayment"),
            (Method::GET, "/api/orders/build", "readOrder build"),
            (Method::POST, "/api/orders/A1", "405 GET, HEAD"),
            (Method::GET, "/api/orders/A%231%3F%3B", "readOrder A#1?;"),
            (Method::GET, "/api/orders/A%2523", "readOrder A%23"),
            (Method::GET, "/api/orders/A%", "readOrder A%"),
            (Method::GET, "/api/orders/%FF", "404"),
            (Method::GET, "/api/orders/", "listOrders"),
            (Method::POST, "/api/orders", "405 GET, HEAD"),
            (Method::GET, "/api/v1/operations", "listOperations"),
            (Method::GET, "/api/payment_methods", "listPaymentMethods"),
            (Method::GET, "/api/operations/1/actions", "listActions 1"),
            (Method::POST, "/api/operations/1/refunds", "refund 1"),
            (Method::POST, "/api/v1/operations/1/captures/", "capture 1"),
            (Method::POST, "/api/operations/1/cancels", "cancel 1"),
            (Method::GET, "/api/operations/1/refunds", "405 POST"),
            (Method::POST, "/api/operations//refunds", "404"),
            (Method::GET, "/api/orders/a/b", "404"),
            (Method::POST, "/api/v1/orders/hpp", "openHostedPage"),
            (Method::POST, "/api/v2/orders/hpp", "404"),
            (Method::POST, "/api/orders/paybylink", "createPaymentLinkV1"),
            (
                Method::POST,
                "/api/v1/orders/paybylink",
                "createPaymentLinkV1",
            ),
            (
                Method::POST,
                "/api/v2/orders/paybylink/",
                "createPaymentLink",
            ),
            (Method::GET, "/api/orders/paybylink", "listPaymentLinks"),
            (Method::GET, "/api/v2/orders/paybylink", "listPaymentLinks"),
            (Method::GET, "/api/v2/orders/A1", "404"),
            (
                Method::GET,
                "/api/v1/orders/paybylink/7",
                "readPaymentLink 7",
            ),
            (
                Method::DELETE,
                "/api/v2/orders/paybylink/7",
                "cancelPaymentLink 7",
            ),
            (Method::DELETE, "/api/orders/paybylink/7", "405 GET, HEAD"),
            (
                Method::PUT,
                "/api/v2/orders/paybylink/7",
                "405 GET, HEAD, DELETE",
            ),
            (
                Method::POST,
                "/api/v2/paybylink/7/cancels",
                "cancelPaymentLink 7",
            ),
            (Method::GET, "/api/v1/v2/orders/paybylink", "404"),
            (Method::POST, "/api/fe/build/text", "submitCard"),
            (
                Method::POST,
                "/api/fe/build/text/CARD_NUMBER",
                "checkField CARD_NUMBER",
            ),
        ] {
            assert_eq!(
                check(method.clone(), path).await,
                expected,
                "{method} {path}"
            );
        }
    }
}
