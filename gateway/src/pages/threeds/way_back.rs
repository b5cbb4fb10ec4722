//! The end of a challenge: the way back to the shop, or to the server that leads a 3-step payment.

use super::challenge::ChallengeQuery;
use crate::App;
use crate::pages::error_page::ErrorPage;
use crate::pages::headers::accepted_language;
use crate::pages::link_targets::form_targets;
use crate::pages::simulator_pages::{framed_page, return_page};
use crate::pages::template::Theme;
use crate::pages::texts::Texts;
use askama::Template;
use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_service::StepReturnView;

/// Where a challenge ends.
pub(super) fn router() -> Router<App> {
    Router::new().route("/threeds/return/{token}", get(back))
}

async fn back(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
    query: Result<Query<ChallengeQuery>, QueryRejection>,
) -> Response {
    let theme = ChallengeQuery::of(query).theme();
    let texts = Texts::of([accepted_language(&headers)]);
    if let Some(view) = app.buyer_pages().step_return(&token).await {
        return step_return_page(
            &view,
            texts,
            theme,
            app.config().mode.allows_insecure_urls(),
        );
    }
    match app.buyer_pages().challenge_return(&token).await {
        None => ErrorPage::PageGone.page(texts, theme, None),
        Some(view) => return_page(&view, texts, theme, &headers),
    }
}

/// The way back to the server that leads a 3-step payment: the browser posts a form to it.
fn step_return_page(
    view: &StepReturnView,
    texts: &'static Texts,
    theme: Theme,
    plain_http: bool,
) -> Response {
    let template = StepReturnPage {
        texts,
        theme: theme.as_str(),
        return_url: &view.return_url,
        response: &view.response,
        operation_id: &view.operation_id,
    };
    framed_page(&template, &view.merchant_origin, form_targets(plain_http))
}

#[derive(Template)]
#[template(path = "step-return.html")]
struct StepReturnPage<'a> {
    texts: &'a Texts,
    theme: &'static str,
    return_url: &'a str,
    response: &'a str,
    operation_id: &'a str,
}
