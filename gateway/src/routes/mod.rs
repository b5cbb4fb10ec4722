//! The HTTP API below `/api`: [`table`] says which calls there are, [`pipeline`] what each goes through,
//! [`handle`] who answers it. Rules of payments are not here but in `payments` and `domain`.

mod actions;
mod back_office;
mod build;
mod caller;
mod card_part;
mod contracts;
mod customer;
mod direct;
mod fault;
mod field_settings;
mod fields;
mod frame;
mod lists;
mod order_part;
mod order_request;
mod pipeline;
mod problem;
mod query;
mod rate;
mod recurrence;
mod request_log;
mod scripts;
mod session_call;
mod table;
mod urls;

pub(crate) use rate::Rates;
pub(crate) use request_log::log;

use crate::App;
use axum::Router;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use axum::http::{Response, StatusCode};
use axum::routing::any;
use pipeline::Call;
use problem::Refusal;
use serde::Serialize;
use table::Endpoint;

/// The API's routes.
pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/api", any(pipeline::serve))
        .route("/api/", any(pipeline::serve))
        .route("/api/{*path}", any(pipeline::serve))
}

/// The answer where a handler panicked. The panic's own words are in the log.
pub(crate) fn panicked(_: Box<dyn std::any::Any + Send>) -> Response<Body> {
    Refusal::Ours.into_response()
}

/// A good answer.
#[derive(Debug)]
pub(crate) struct Reply {
    status: u16,
    body: Vec<u8>,
    replayed: bool,
    cache: Option<&'static str>,
}

impl Reply {
    /// 200 with a value as JSON.
    fn json(value: &impl Serialize) -> Result<Reply, Refusal> {
        serde_json::to_vec(value)
            .map(Reply::bytes)
            .map_err(|_| Refusal::Ours)
    }

    /// 200 with JSON that is written already.
    fn bytes(body: Vec<u8>) -> Reply {
        Reply {
            status: 200,
            body,
            replayed: false,
            cache: None,
        }
    }

    /// 200 without a body.
    fn empty() -> Reply {
        Reply::bytes(Vec::new())
    }

    /// An answer that was given before.
    fn replayed(status: u16, body: Vec<u8>) -> Reply {
        Reply {
            status,
            body,
            replayed: true,
            cache: None,
        }
    }

    fn into_response(self) -> Response<Body> {
        let has_body = !self.body.is_empty();
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = StatusCode::from_u16(self.status).unwrap_or(StatusCode::OK);
        let headers = response.headers_mut();
        if has_body {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        if let Some(cache) = self.cache {
            headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache));
        }
        if self.replayed {
            headers.insert("idempotency-replayed", HeaderValue::from_static("true"));
        }
        response
    }
}

/// Carries a call out: steps 8 to 15 of the contract's table of precedence.
async fn handle(app: &App, call: &Call) -> Result<Reply, Refusal> {
    match call.route.endpoint {
        Endpoint::OpenPayment => build::open_payment(app, call).await,
        Endpoint::State => build::state(app, call).await,
        Endpoint::CardData => build::card_data(app, call).await,
        Endpoint::Integrity => build::integrity(app),
        Endpoint::Confirm => build::confirm(app, call).await,
        Endpoint::Finalize => build::finalize(app, call).await,
        Endpoint::Cancel => build::cancel(app, call).await,
        Endpoint::Orders => lists::orders(app, call).await,
        Endpoint::Operations => lists::operations(app, call).await,
        Endpoint::PaymentMethods => back_office::payment_methods(app, call),
        Endpoint::Order => back_office::order(app, call).await,
        Endpoint::Operation => back_office::operation(app, call).await,
        Endpoint::Actions => actions::list(app, call).await,
        Endpoint::Act(action) => actions::act(app, call, action).await,
        Endpoint::MerchantInitiated => direct::merchant_initiated(app, call).await,
        Endpoint::MailOrTelephone => direct::mail_or_telephone(app, call).await,
        Endpoint::CardVerification => direct::card_verification(app, call).await,
        Endpoint::Contracts => contracts::list(app, call).await,
        Endpoint::DeactivateContract => contracts::deactivate(app, call).await,
        Endpoint::FieldSettings => field_settings::answer(app, call).await,
        Endpoint::Text => frame::text(app, call).await,
        Endpoint::TextOne => frame::text_one(app, call).await,
        Endpoint::Action => frame::action(app, call).await,
        Endpoint::CheckDevice => frame::check_device(app, call).await,
        Endpoint::VerifyDevice => frame::verify_device(app, call).await,
        Endpoint::ChallengeResult => frame::challenge_result(app, call).await,
        Endpoint::Bin => frame::bin(app, call).await,
    }
}
