//! What the pages that take a payment have in common: their parameters, the payment they open, and the requests of their scripts.

use crate::{
    Shop,
    choice::Choice,
    error::ShopError,
    gateway::{Embedding, Field, PaymentProgress},
    ledger::ShopOrder,
    pages::{ProblemPage, page},
};
use askama::Template;
use axum::{
    Json,
    extract::{Query, rejection::QueryRejection},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::Serialize;
use uuid::Uuid;

/// The parameters in the query of an address.
pub(crate) type Pairs = Result<Query<Vec<(String, String)>>, QueryRejection>;

/// The choice in the query, or the page with its errors.
pub(crate) fn choice(query: Pairs, meaningless: &[&str]) -> Result<Choice, Box<Response>> {
    let refused = |problem| Box::new(page(StatusCode::BAD_REQUEST, problem));
    let Ok(Query(pairs)) = query else {
        return Err(refused(ProblemPage::new(
            "This address cannot be used",
            "The part behind the question mark is not readable.",
        )));
    };
    let pairs = pairs
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()));
    Choice::parse_without(meaningless, pairs)
        .map_err(|wrong| refused(ProblemPage::wrong_parameters(wrong)))
}

/// A filled page, or the page that says why it failed.
pub(crate) fn answer(filled: Result<impl Template, ShopError>) -> Response {
    match filled {
        Ok(filled) => page(StatusCode::OK, filled),
        Err(problem) => problem.into_response(),
    }
}

/// A payment that was just opened, with the frames that the page shows.
pub(crate) struct Opened {
    pub(crate) order: ShopOrder,
    pub(crate) fields: Vec<Field>,
}

/// Opens a payment at the gateway and stores it.
pub(crate) async fn open_payment(
    shop: &Shop,
    choice: &Choice,
    embedding: Embedding,
) -> Result<Opened, ShopError> {
    let order_id = new_order_id();
    let session = shop
        .gateway
        .build(&order_id, choice, &shop.config.origin, embedding)
        .await?;
    let order = ShopOrder {
        order_id,
        session_id: session.session_id,
        security_token: session.security_token,
        amount_minor: choice.amount.minor().to_string(),
        fee_minor: "0".to_owned(),
        currency: choice.currency.clone(),
        locale: choice.locale.clone(),
        created_ms: now_ms(),
    };
    shop.ledger.remember(&order).await?;
    Ok(Opened {
        order,
        fields: session.fields,
    })
}

/// The page's answer to a call that moved the payment on. The page reads the outcome at `/orders/{id}.json`.
pub(crate) fn closing(closed: Result<PaymentProgress, ShopError>) -> Response {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Told<'a> {
        state: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        url: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        device_check: Option<&'a str>,
    }
    match closed {
        Ok(closed) => Json(Told {
            state: &closed.state,
            url: closed.url.as_deref(),
            device_check: closed.device_check(),
        })
        .into_response(),
        Err(problem) => problem.into_json(),
    }
}

/// The order of the session that one of the shop's own pages names.
pub(crate) async fn order_of_page(
    shop: &Shop,
    headers: &HeaderMap,
    session_id: &str,
) -> Result<ShopOrder, ShopError> {
    // Only the shop's own pages may ask. The script of another site sends its own origin.
    let foreign = headers
        .get(header::ORIGIN)
        .is_some_and(|origin| origin.as_bytes() != shop.config.origin.as_bytes());
    if foreign {
        return Err(ShopError::ForeignOrigin);
    }
    shop.ledger
        .order_of_session(session_id)
        .await?
        .ok_or(ShopError::NoSuchSession)
}

/// 60 random bits, so that nobody can guess another buyer's order page.
pub(crate) fn new_order_id() -> String {
    let mut id = Uuid::new_v4().simple().to_string().to_ascii_uppercase();
    id.truncate(16);
    id
}

pub(crate) fn now_ms() -> i64 {
    Timestamp::now().as_millisecond()
}
