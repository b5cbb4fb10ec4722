//! The end of a challenge: the way back to the shop, or to the server that leads a 3-step payment.

use super::SandboxPages;
use super::error_page::ErrorPage;
use super::framed_page::return_page;
use super::page_theme::PageTheme;
use super::texts::Texts;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_service::StepReturnView;
use payframe_web_pages::language::accepted_language;
use payframe_web_pages::post_back::PostBack;
use payframe_web_pages::theme::Theme;

/// Where a challenge ends.
pub(super) fn router() -> Router<SandboxPages> {
    Router::new().route("/threeds/return/{token}", get(back))
}

async fn back(
    State(pages): State<SandboxPages>,
    Path(token): Path<String>,
    headers: HeaderMap,
    PageTheme(theme): PageTheme,
) -> Response {
    let texts = Texts::of([accepted_language(&headers)]);
    match pages.buyer_pages().step_return(&token).await {
        Ok(None) => {}
        Ok(Some(view)) => {
            return step_return_page(&view, texts, theme, pages.allows_insecure_urls);
        }
        Err(problem) => return ErrorPage::failed(&problem).page(texts, theme, None),
    }
    match pages.buyer_pages().challenge_return(&token).await {
        Ok(Some(view)) => return_page(&view, texts, theme, &headers),
        Ok(None) => ErrorPage::PageGone.page(texts, theme, None),
        Err(problem) => ErrorPage::failed(&problem).page(texts, theme, None),
    }
}

/// The way back to the server that leads a 3-step payment: the browser posts a form to it.
fn step_return_page(
    view: &StepReturnView,
    texts: &'static Texts,
    theme: Theme,
    plain_http: bool,
) -> Response {
    let back = PostBack {
        tag: &texts.tag,
        title: &texts.return_title,
        button: &texts.return_link,
        address: &view.return_url,
        fields: &view.fields(),
    };
    back.page(theme, view.framing.origins(), plain_http)
}
