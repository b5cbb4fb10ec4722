//! Pages have a limited number at work together with the calls of the API ([`crate::admission`]). Who finds no place gets a page that says so.

use super::error_page::ErrorPage;
use super::texts::Texts;
use crate::App;
use crate::admission::{Busy, CallKind, RETRY_AFTER_SECONDS};
use axum::extract::{Request, State};
use axum::http::header::RETRY_AFTER;
use axum::middleware::Next;
use axum::response::Response;
use payframe_web_pages::language::accepted_language;
use payframe_web_pages::theme::Theme;

/// Middleware of the pages: lets a request work, or turns it away. Files have no limit.
pub(crate) async fn admit(State(app): State<App>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if FILES.iter().any(|files| path.starts_with(files)) {
        return next.run(request).await;
    }
    let kind = match OF_NO_PAYMENT.iter().any(|pages| path.starts_with(pages)) {
        true => CallKind::Other,
        false => CallKind::OfPayment,
    };
    match app.admission().enter(kind).await {
        Ok(permit) => {
            let answer = next.run(request).await;
            drop(permit);
            answer
        }
        Err(Busy) => {
            let texts = Texts::of([accepted_language(request.headers())]);
            let mut page = ErrorPage::Failed.page(texts, Theme::Auto);
            let wait = RETRY_AFTER_SECONDS.into();
            page.headers_mut().insert(RETRY_AFTER, wait);
            page
        }
    }
}

/// What no payment waits for.
const OF_NO_PAYMENT: [&str; 2] = ["/office", "/page-reports"];

/// Where there are files, or pages that never ask the database.
const FILES: [&str; 6] = [
    "/assets/",
    "/api/docs",
    "/docs",
    "/fonts/",
    "/privacy",
    "/reports",
];
