//! What the SDK reports of merchants' pages whose terminal wants them watched: which scripts, policies and security headers a page had.
//!
//! The merchant's page sends it, so its origin may read the answer. The browser sends neither cookie nor a header of ours, and so asks nothing
//! first. A report belongs to a session, and has at most 1,000 bytes. What becomes of it: `payframe_payment_service`, `take_page_report`.

use crate::App;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use payframe_payment_domain::page_watch::{Entry, entry_ids};
use payframe_payment_service::{PageReport, PageReportAnswer, PageReportPart, report};
use payframe_protocol::page_report::{SentEntry, SentPart, SentReport};
use serde_json::json;
use std::num::NonZeroU32;
use std::sync::Arc;

/// Takes reports.
pub(super) fn router() -> Router<App> {
    let limit = Arc::new(RateLimiter::keyed(Quota::per_minute(REPORTS_PER_MINUTE)));
    let take = move |State(app): State<App>, headers: HeaderMap, body: Bytes| async move {
        let origin = headers.get(header::ORIGIN).cloned();
        let mut answer = take(&app, &limit, origin.as_ref(), &body).await;
        let headers = answer.headers_mut();
        headers.insert(header::VARY, HeaderValue::from_static("origin"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(origin) = origin {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        }
        answer
    };
    Router::new()
        .route("/page-reports", post(take))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
}

/// `None`: it is not what the SDK writes.
fn read_entry(sent: &SentEntry) -> Option<Entry> {
    let SentEntry(id, kind, source, hash, has_integrity) = sent;
    let id = entry_ids(id)?.pop()?;
    Entry::read(id, kind, source, hash, *has_integrity)
}

/// `None`: it is not what the SDK writes.
fn read_part(sent: &SentPart) -> Option<PageReportPart> {
    match sent {
        SentPart::Load { entries, headers } => Some(PageReportPart::Load {
            entries: entry_ids(entries)?,
            has_headers: *headers,
        }),
        SentPart::Told { told } => {
            let told: Option<Vec<Entry>> = told.iter().map(read_entry).collect();
            Some(PageReportPart::Entries(told?))
        }
    }
}

async fn take(
    app: &App,
    limit: &DefaultKeyedRateLimiter<String>,
    origin: Option<&HeaderValue>,
    body: &[u8],
) -> Response {
    let Ok(sent) = serde_json::from_slice::<SentReport>(body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let origin = origin.and_then(|origin| origin.to_str().ok());
    let (Some(told), Some(origin)) = (read_part(&sent.part), origin) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    if limit.len() > MOST_SESSIONS {
        limit.retain_recent();
    }
    if limit.check_key(&sent.session).is_err() {
        return StatusCode::TOO_MANY_REQUESTS.into_response();
    }
    let page_report = PageReport {
        session_id: &sent.session,
        origin,
        page: &sent.page,
        told,
    };
    match app.payments().take_page_report(page_report).await {
        Ok(PageReportAnswer::Taken) => StatusCode::NO_CONTENT.into_response(),
        Ok(PageReportAnswer::Unknown(unknown)) => {
            axum::Json(json!({ "unknown": unknown })).into_response()
        }
        Ok(PageReportAnswer::Refused) => StatusCode::FORBIDDEN.into_response(),
        Err(problem) => {
            report("a report of a page", &problem);
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}

const MOST_BYTES: usize = 1_000;
/// Of a session: a page with many scripts is told of in several reports.
const REPORTS_PER_MINUTE: NonZeroU32 = NonZeroU32::new(60).unwrap();
/// Sessions that reported lately, before those of longer ago are forgotten.
const MOST_SESSIONS: usize = 10_000;
