//! The card form for a browser that runs no script in the frame: plain HTML pages that the gateway takes and answers.
//!
//! The form's page leads such a browser here. One address shows where the payment stands: the fields, a challenge, a wait, the outcome. Its
//! forms post to the same address. What they ask for goes through the API ([`crate::routes::inner_api`]) as if the frame's scripts had
//! called it, so the checks are the same. After that the browser is redirected to the same address, and a reload sends nothing.
//!
//! Each form has a token of its own, made with its page: whatever is sent again with it is done once.

mod billing;
mod card_fields;
mod form_token;
mod payment;
mod screen;
mod steps;
mod texts;

use self::card_fields::Typed;
use self::form_token::FormToken;
use self::payment::Payment;
use self::screen::{Refusal, Screen};
use self::steps::{Press, Step};
use self::texts::PlainTexts;
use super::error_page::ErrorPage;
use super::hosted_answers::{in_own_task, refusal};
use super::texts::Texts;
use crate::App;
use crate::listener::Connection;
use crate::routes::inner_api::{Browser, InnerApi};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Extension, Query, Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::map_request;
use axum::response::Response;
use axum::routing::get;
use payframe_web_pages::language::accepted_language;
use payframe_web_pages::theme::Theme;
use payframe_web_pages::{compression, see_other, static_file};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use url::form_urlencoded;

/// Serves `/form/plain`, with and without the slash at the end, and the style of its pages.
pub(super) fn router(api: InnerApi) -> Router<App> {
    let pages = get(show).post(sent);
    Router::new()
        .route("/form/plain", pages.clone())
        .route("/form/plain/", pages)
        .layer(DefaultBodyLimit::max(LONGEST_BODY_BYTES))
        .layer(Extension(api))
        .layer(map_request(async |request: Request| {
            // What is posted here is a card, in clear.
            if request.method() == Method::POST {
                Connection::end_after_answers(request.extensions());
            }
            request
        }))
        .route(
            STYLE,
            get(async || {
                let style = include_str!("../../../www/plain/plain.css");
                static_file("text/css; charset=utf-8", style)
            }),
        )
        .layer(compression())
}

/// The address of the form of a session.
pub(super) fn address(session_id: &str, lang: Option<&str>, theme: Theme) -> String {
    let path = String::from("/form/plain?");
    let start = path.len();
    let mut query = form_urlencoded::Serializer::for_suffix(path, start);
    query.append_pair("sessionid", session_id);
    if let Some(lang) = lang {
        query.append_pair("lang", lang);
    }
    if theme != Theme::Auto {
        query.append_pair("theme", theme.as_str());
    }
    query.finish()
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PlainQuery {
    sessionid: String,
    lang: Option<String>,
    theme: Option<String>,
    /// Set if the buyer asks to cancel, and has not confirmed it.
    cancel: Option<String>,
}

impl PlainQuery {
    fn theme(&self) -> Theme {
        Theme::parse(self.theme.as_deref())
    }

    fn address(&self) -> String {
        address(&self.sessionid, self.lang.as_deref(), self.theme())
    }

    fn notice(&self, notice: ErrorPage, headers: &HeaderMap) -> Response {
        let texts = Texts::of([self.lang.as_deref(), accepted_language(headers)]);
        notice.page(texts, self.theme())
    }
}

async fn show(
    State(app): State<App>,
    Query(query): Query<PlainQuery>,
    headers: HeaderMap,
) -> Response {
    let payment = match Payment::find(&app, &query.sessionid, &headers).await {
        Ok(payment) => payment,
        Err(notice) => return query.notice(notice, &headers),
    };
    let screen = if query.cancel.is_some() && payment.row.session.state.is_open() {
        Screen::Question
    } else {
        Screen::of(&app, &payment, texts(&query, &payment), None)
    };
    page(&app, &query, &headers, &payment, &screen)
}

async fn sent(
    State(app): State<App>,
    Extension(api): Extension<InnerApi>,
    peer: Option<Extension<ConnectInfo<SocketAddr>>>,
    Query(query): Query<PlainQuery>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if let Some(refused) = refusal(&app, &query.sessionid, &headers).await {
        return refused;
    }
    let payment = match Payment::find(&app, &query.sessionid, &headers).await {
        Ok(payment) => payment,
        Err(notice) => return query.notice(notice, &headers),
    };
    let mut values: BTreeMap<String, String> = form_urlencoded::parse(&body).into_owned().collect();
    let mut take = |name: &str| values.remove(name).unwrap_or_default();
    let (token, shown, act) = (take("token"), take("shown"), take("act"));
    let token = FormToken::read(app.payments().vault(), &payment.row.hash, &shown, &token);
    let (Some(token), Some(press)) = (token, Press::read(&act)) else {
        return see_other(&query.address());
    };
    if !screen::is_offered(&app, &payment) {
        return see_other(&query.address());
    }
    let typed = Typed::of(values);
    let step = Step {
        browser: Browser {
            headers: headers.clone(),
            peer: peer.map(|Extension(ConnectInfo(peer))| peer),
        },
        session_id: query.sessionid.clone(),
        token,
        shown,
        press,
    };
    let again = typed.without_secrets();
    // A closed connection does not interrupt a payment between two calls.
    let refused = in_own_task(&app, move |app| async move {
        Box::pin(step.carry_out(&app, &api, &payment, typed)).await
    })
    .await;
    match refused {
        Some(None) => see_other(&query.address()),
        Some(Some(refusal)) => {
            let payment = match Payment::find(&app, &query.sessionid, &headers).await {
                Ok(payment) => payment,
                Err(notice) => return query.notice(notice, &headers),
            };
            let refusal = Refusal { again, ..refusal };
            let screen = Screen::of(&app, &payment, texts(&query, &payment), Some(refusal));
            page(&app, &query, &headers, &payment, &screen)
        }
        None => query.notice(ErrorPage::Failed, &headers),
    }
}

/// The texts in the page's language, else in the session's.
fn texts(query: &PlainQuery, payment: &Payment) -> &'static PlainTexts {
    PlainTexts::of([query.lang.as_deref(), Some(payment.view.language.as_str())])
}

fn page(
    app: &App,
    query: &PlainQuery,
    headers: &HeaderMap,
    payment: &Payment,
    screen: &Screen,
) -> Response {
    let status = match screen {
        Screen::Card(card) if card.is_refused() => StatusCode::UNPROCESSABLE_ENTITY,
        _ => StatusCode::OK,
    };
    let frame = screen::PageFrame {
        texts: texts(query, payment),
        theme: query.theme(),
        here: query.address(),
        style: STYLE,
    };
    match FormToken::new(app.payments().vault(), &payment.row.hash, &payment.sum()) {
        Some(token) => screen::render_page(status, &frame, payment, screen, token.as_str()),
        None => query.notice(ErrorPage::Failed, headers),
    }
}

const STYLE: &str = "/assets/pages/plain.css";

/// More than all fields of the form together may hold.
const LONGEST_BODY_BYTES: usize = 16 << 10;
