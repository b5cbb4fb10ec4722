//! The hosted payment page and the page of a payment link: the card form inside a page of our own.
//!
//! The page has the same origin as the form's frame, so any script in it could read the card. Only our own two
//! files run in it, nobody may frame it, and what merchants write is text and never markup. It is made without a
//! session: its script asks for one, so a program that only loads the address starts nothing. Everything except the card
//! form works without script.

use super::hosted_answers::{address, failed, guard, in_own_task, refusal, unknown};
use super::hosted_terms::{self, ShownClause};
use super::hosted_texts::HostedTexts;
use super::payment_summary::fill;
use crate::App;
use crate::dist::Dist;
use askama::Template;
use axum::extract::rejection::FormRejection;
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use payframe_money::currency_format::format_amount;
use payframe_payment_domain::hosted::Kind;
use payframe_payment_domain::method::{Method, put_home_first};
use payframe_payment_domain::operation::ActionType;
use payframe_payment_service::PaymentError;
use payframe_payment_service::hosted::PageSession;
use payframe_payment_service::report;
use payframe_payment_service::{HostedPageAvailability, HostedView, RedirectTarget};
use payframe_web_pages::language::{accepted_country, accepted_language};
use payframe_web_pages::policy::{form_targets, is_web_address};
use payframe_web_pages::{compression, render, see_other};
use serde::{Deserialize, Serialize};

/// Everything under `/pay/` and `/link/`.
pub(super) fn router() -> Router<App> {
    of_kind(Kind::Page, "/pay").merge(of_kind(Kind::Link, "/link"))
}

fn of_kind(kind: Kind, folder: &'static str) -> Router<App> {
    let at = |rest: &str| format!("{folder}/{{token}}{rest}");
    Router::new()
        .route(
            &at(""),
            get(move |app, token, query, headers| show(kind, app, token, query, headers)),
        )
        .route(
            &at("/session"),
            post(move |app, token, headers| session(kind, app, token, headers)),
        )
        .route(
            &at("/method"),
            post(move |app, token, headers, form| method(kind, app, token, headers, form)),
        )
        .route(
            &at("/cancel"),
            post(move |app, token, headers| cancel(kind, app, token, headers)),
        )
        .route(
            &at("/return"),
            get(move |app, token, headers| back(kind, app, token, headers)),
        )
        .merge(hosted_terms::of_kind(kind, folder))
        .layer(compression())
}

/// The parameters of the address about how to show the page.
#[derive(Default, Deserialize)]
struct PageQuery {
    /// Set if the buyer pressed cancel and can come back.
    left: Option<String>,
    /// Set if the buyer left a box unticked.
    missing: Option<String>,
}

async fn show(
    kind: Kind,
    State(app): State<App>,
    Path(token): Path<String>,
    Query(query): Query<PageQuery>,
    headers: HeaderMap,
) -> Response {
    match app.hosted_pages().view(kind, &token).await {
        Ok(Some(mut view)) => {
            if let HostedPageAvailability::Open { methods, .. } = &mut view.status {
                let country = accepted_country(&headers).unwrap_or_default();
                put_home_first(methods, country, |method| Some(method));
            }
            page(&app, &view, &address(kind, &token), &query)
        }
        Ok(None) => unknown(&headers),
        Err(problem) => failed(&headers, &problem),
    }
}

/// The answer for the page's script.
#[derive(Serialize)]
struct SessionAnswer {
    session: String,
}

/// The session in which the page is paid by card. 409: nothing can be paid now, and the page shows why.
async fn session(
    kind: Kind,
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Response {
    if let Some(refused) = refusal(&app, &token, &headers).await {
        return refused;
    }
    let mut answer = match in_own_task(&app, move |app| async move {
        reported_by_page(app.hosted_pages().session(kind, &token).await)
    })
    .await
    {
        Some(Ok(PageSession::Open { session_id, .. })) => Json(SessionAnswer {
            session: session_id,
        })
        .into_response(),
        Some(Ok(PageSession::Shut)) => StatusCode::CONFLICT.into_response(),
        Some(Ok(PageSession::Unknown)) => StatusCode::NOT_FOUND.into_response(),
        Some(Err(problem)) => {
            report("a session of a hosted page", &problem);
            // The page's script asks again.
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    };
    answer
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

/// What the form with the methods sends.
#[derive(Deserialize)]
struct MethodForm {
    #[serde(default)]
    method: String,
}

/// The buyer chose an alternative method: redirects to its page.
async fn method(
    kind: Kind,
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
    form: Result<Form<MethodForm>, FormRejection>,
) -> Response {
    if let Some(refused) = refusal(&app, &token, &headers).await {
        return refused;
    }
    let here = address(kind, &token);
    let view = match app.hosted_pages().view(kind, &token).await {
        Ok(Some(view)) => view,
        Ok(None) => return unknown(&headers),
        Err(problem) => return failed(&headers, &problem),
    };
    let asked = form
        .ok()
        .and_then(|Form(form)| Method::from_code(&form.method));
    let offered = match view.status {
        HostedPageAvailability::Open { methods, .. } => {
            asked.filter(|asked| methods.contains(asked))
        }
        HostedPageAvailability::AtMethod { method, .. } => asked.filter(|asked| *asked == method),
        // The page shows the outcome.
        _ => return see_other(&here),
    };
    let Some(method) = offered else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    match in_own_task(&app, move |app| async move {
        reported_by_page(app.hosted_pages().choose_method(kind, &token, method).await)
    })
    .await
    {
        Some(Ok(PageSession::Open { row, .. })) => match app.payments().method_url(&row) {
            Some(url) => see_other(&url),
            None => see_other(&here),
        },
        Some(Ok(PageSession::Shut)) => see_other(&here),
        Some(Ok(PageSession::Unknown)) => unknown(&headers),
        Some(Err(problem)) => failed(&headers, &problem),
        None => HostedTexts::of(accepted_language(&headers)).failed_page(),
    }
}

/// Makes a refusal to pay now a success: it is not an error, because the page shows why.
fn reported_by_page(
    session: Result<PageSession, PaymentError>,
) -> Result<PageSession, PaymentError> {
    match session {
        Err(PaymentError::Hosted(_) | PaymentError::Contract(_) | PaymentError::Refused(_)) => {
            Ok(PageSession::Shut)
        }
        other => other,
    }
}

/// The buyer cancels.
async fn cancel(
    kind: Kind,
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Response {
    if let Some(refused) = refusal(&app, &token, &headers).await {
        return refused;
    }
    let here = address(kind, &token);
    match in_own_task(&app, move |app| async move {
        app.hosted_pages().left_view(kind, &token).await
    })
    .await
    {
        Some(Ok(target)) => redirect(target, &here, &headers),
        Some(Err(problem)) => failed(&headers, &problem),
        None => HostedTexts::of(accepted_language(&headers)).failed_page(),
    }
}

/// The buyer returns: the payment has its outcome, or the buyer comes back from a method.
async fn back(
    kind: Kind,
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Response {
    match app.hosted_pages().return_view(kind, &token).await {
        Ok(target) => redirect(target, &address(kind, &token), &headers),
        Err(problem) => failed(&headers, &problem),
    }
}

fn redirect(target: Option<RedirectTarget>, here: &str, headers: &HeaderMap) -> Response {
    match target {
        Some(RedirectTarget::Shop(url)) => see_other(&url),
        Some(RedirectTarget::Page) => see_other(here),
        Some(RedirectTarget::Left) => see_other(&format!("{here}?left=1")),
        None => unknown(headers),
    }
}

fn page(app: &App, view: &HostedView, here: &str, query: &PageQuery) -> Response {
    let left = query.left.is_some();
    let texts = HostedTexts::of(Some(&view.language));
    let amount = format_amount(view.amount, &view.currency, &texts.code);
    let fill = |text: &str| fill(text, &amount, &view.merchant);
    let notice = |mark, title, text: &str| ClosedNotice {
        mark,
        title,
        text: fill(text),
    };
    let way_back = view.way_back.as_deref().filter(|url| is_web_address(url));
    let closed = match &view.status {
        HostedPageAvailability::Open { .. } if left => Some(notice(
            "neutral",
            &texts.cancelled_title,
            &texts.cancelled_text,
        )),
        HostedPageAvailability::Open { .. } | HostedPageAvailability::AtMethod { .. } => None,
        HostedPageAvailability::Pending => {
            Some(notice("neutral", &texts.pending_title, &texts.pending_text))
        }
        HostedPageAvailability::Paid => Some(match view.action {
            ActionType::Pay => notice("approved", &texts.approved_title, &texts.approved_text),
            ActionType::PreAuth => notice("approved", &texts.held_title, &texts.held_text),
            ActionType::Verify => notice("approved", &texts.verified_title, &texts.verified_text),
        }),
        HostedPageAvailability::PaidElsewhere => {
            Some(notice("neutral", &texts.used_title, &texts.used_text))
        }
        HostedPageAvailability::Canceled | HostedPageAvailability::Expired
            if view.kind == Kind::Link =>
        {
            Some(notice(
                "neutral",
                &texts.link_over_title,
                &texts.link_over_text,
            ))
        }
        HostedPageAvailability::Canceled => Some(notice(
            "neutral",
            &texts.cancelled_title,
            &texts.cancelled_text,
        )),
        HostedPageAvailability::Expired => {
            Some(notice("neutral", &texts.expired_title, &texts.expired_text))
        }
        HostedPageAvailability::Failed => Some(notice(
            "failed",
            &texts.declined_title,
            &texts.too_many_tries,
        )),
    };
    let (card, methods, refused) = match &view.status {
        HostedPageAvailability::Open {
            card,
            methods,
            refused,
        } if closed.is_none() && view.clauses.is_empty() => (*card, methods.clone(), *refused),
        HostedPageAvailability::AtMethod { method, .. } => (false, vec![*method], false),
        _ => (false, Vec::new(), false),
    };
    let paying = closed.is_none();
    let template = HostedPage {
        texts,
        language: &view.language,
        origin: &app.config().origin,
        script: app.dist().map(Dist::hosted_script).unwrap_or_default(),
        sdk: app.dist().map(Dist::shim).unwrap_or_default(),
        here,
        title: fill(&texts.title),
        order_id: &view.order_id,
        description: view.description.as_deref(),
        rows: &view.rows,
        // A card verification has no amount to show.
        sum: (view.action != ActionType::Verify).then_some(&amount),
        card,
        methods: methods
            .iter()
            .map(|method| {
                (
                    method.code(),
                    texts.label_pay_with.replace("{method}", method.name()),
                )
            })
            .collect(),
        refused,
        clauses: match paying {
            true => view.clauses.iter().map(ShownClause::of).collect(),
            false => Vec::new(),
        },
        missing: query.missing.is_some(),
        paying,
        closed,
        again: left && matches!(view.status, HostedPageAvailability::Open { .. }),
        way_back,
        back: fill(&texts.back),
        leaving: fill(&texts.leaving),
    };
    let mut page = render(StatusCode::OK, &template);
    guard(
        &mut page,
        form_targets(app.config().mode.allows_insecure_urls()),
    );
    page
}

/// Why nothing can be paid on this page.
struct ClosedNotice<'a> {
    /// Its symbol.
    mark: &'static str,
    title: &'a str,
    text: String,
}

#[derive(Template)]
#[template(path = "hosted.html")]
struct HostedPage<'a> {
    texts: &'a HostedTexts,
    language: &'a str,
    origin: &'a str,
    script: &'a str,
    sdk: &'a str,
    here: &'a str,
    title: String,
    order_id: &'a str,
    description: Option<&'a str>,
    rows: &'a [(String, String)],
    sum: Option<&'a String>,
    card: bool,
    /// Code and label of each button.
    methods: Vec<(&'static str, String)>,
    refused: bool,
    clauses: Vec<ShownClause<'a>>,
    missing: bool,
    paying: bool,
    closed: Option<ClosedNotice<'a>>,
    again: bool,
    way_back: Option<&'a str>,
    back: String,
    leaving: String,
}
