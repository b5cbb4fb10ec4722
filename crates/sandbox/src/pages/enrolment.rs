//! The issuer's page where a buyer enrols a device, which may confirm payments with the card of scenario 314 from then on.
//!
//! It has a window of its own. Whoever knows its address may enrol a device: all who use a sandbox share its cards.

use super::SandboxPages;
use super::page_theme::PageTheme;
use super::texts::Texts;
use askama::Template;
use axum::Router;
use axum::extract::rejection::FormRejection;
use axum::extract::{DefaultBodyLimit, Form, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use payframe_payment_service::{BuyerPages, Enrolment, Registration, report};
use payframe_web_pages::language::accepted_language;
use payframe_web_pages::script::PageScript;
use payframe_web_pages::{protect, render, see_other};
use serde::Deserialize;

/// The page, and what its form sends.
pub(super) fn router() -> Router<SandboxPages> {
    Router::new()
        .route(PATH, get(enrolment).post(enrol))
        .layer(DefaultBodyLimit::max(LONGEST_BODY_BYTES))
}

/// What the page says of the last try.
#[derive(Default, Deserialize)]
struct LastTry {
    /// Set after a device was enrolled.
    done: Option<u8>,
    /// Set after a device was not enrolled.
    failed: Option<u8>,
}

async fn enrolment(
    State(pages): State<SandboxPages>,
    PageTheme(theme): PageTheme,
    Query(last_try): Query<LastTry>,
    headers: HeaderMap,
) -> Response {
    let texts = Texts::of([accepted_language(&headers)]);
    let template = EnrolmentPage {
        script: &super::ENROLMENT_SCRIPT,
        texts,
        theme: theme.as_str(),
        asked: BuyerPages::new(&pages.payments).enrolment(),
        said: match (last_try.done, last_try.failed) {
            (Some(_), _) => &texts.enrolment_done,
            (None, Some(_)) => &texts.enrolment_failed,
            (None, None) => "",
        },
    };
    let mut page = render(StatusCode::OK, &template);
    protect(&mut page, POLICY);
    page
}

/// The fields of the page's form.
#[derive(Deserialize)]
struct RegistrationForm {
    client_data: String,
    authenticator_data: String,
}

async fn enrol(
    State(pages): State<SandboxPages>,
    headers: HeaderMap,
    form: Result<Form<RegistrationForm>, FormRejection>,
) -> Response {
    if pages.is_forged(&headers) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let Ok(Form(form)) = form else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let registration = Registration {
        client_data: form.client_data,
        authenticator_data: form.authenticator_data,
    };
    match BuyerPages::new(&pages.payments).enrol(&registration).await {
        Ok(true) => see_other(&format!("{PATH}?done=1")),
        Ok(false) => see_other(&format!("{PATH}?failed=1")),
        Err(problem) => {
            report("the enrolment of a device", &problem);
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}

#[derive(Template)]
#[template(path = "enrolment.html")]
struct EnrolmentPage<'a> {
    script: &'static PageScript,
    texts: &'a Texts,
    theme: &'static str,
    asked: Option<Enrolment>,
    said: &'a str,
}

const PATH: &str = "/threeds/enrolment";

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; \
     require-trusted-types-for 'script'; trusted-types 'none'; frame-ancestors 'none'";

/// Registrations are far shorter.
const LONGEST_BODY_BYTES: usize = 16 << 10;
