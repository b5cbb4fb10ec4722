//! The issuer's page where a buyer enrols a device, which may confirm payments with the card of scenario 314 from then on.
//!
//! A sandbox in one process has it, and so has the access control server. It has a window of its own. Whoever knows its address may enrol a
//! device: all who use a sandbox share its cards.

use super::page_theme::PageTheme;
use super::texts::Texts;
use askama::Template;
use async_trait::async_trait;
use axum::Router;
use axum::extract::rejection::FormRejection;
use axum::extract::{DefaultBodyLimit, Form, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use payframe_payment_service::{Enrolment, Registration};
use payframe_web_pages::language::accepted_language;
use payframe_web_pages::script::PageScript;
use payframe_web_pages::{protect, render, see_other, sent_from_elsewhere};
use serde::Deserialize;

/// Whose page it is.
#[async_trait]
pub(super) trait EnrolsDevices: Clone + Send + Sync + 'static {
    /// The origin of the page.
    fn origin(&self) -> &str;

    /// What a device is asked. `None`: none can be enrolled here.
    fn asked(&self) -> Option<Enrolment>;

    /// Keeps a device.
    async fn enrol(&self, registration: &Registration) -> Enrolled;
}

/// What became of a registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Enrolled {
    /// The device may confirm payments.
    Kept,
    /// It is not the answer to what was asked.
    Wrong,
    /// The device could not be kept; the log says why.
    Failed,
}

/// The page, and what its form sends.
pub(super) fn router<D: EnrolsDevices>() -> Router<D> {
    Router::new()
        .route(PATH, get(enrolment::<D>).post(enrol::<D>))
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

async fn enrolment<D: EnrolsDevices>(
    State(desk): State<D>,
    PageTheme(theme): PageTheme,
    Query(last_try): Query<LastTry>,
    headers: HeaderMap,
) -> Response {
    let texts = Texts::of([accepted_language(&headers)]);
    let template = EnrolmentPage {
        script: &super::ENROLMENT_SCRIPT,
        texts,
        theme: theme.as_str(),
        asked: desk.asked(),
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

async fn enrol<D: EnrolsDevices>(
    State(desk): State<D>,
    headers: HeaderMap,
    form: Result<Form<RegistrationForm>, FormRejection>,
) -> Response {
    if sent_from_elsewhere(desk.origin(), &headers) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let Ok(Form(form)) = form else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let registration = Registration {
        client_data: form.client_data,
        authenticator_data: form.authenticator_data,
    };
    match desk.enrol(&registration).await {
        Enrolled::Kept => see_other(&format!("{PATH}?done=1")),
        Enrolled::Wrong => see_other(&format!("{PATH}?failed=1")),
        Enrolled::Failed => StatusCode::SERVICE_UNAVAILABLE.into_response(),
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

/// Where the page is.
pub(crate) const PATH: &str = "/threeds/enrolment";

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; \
     require-trusted-types-for 'script'; trusted-types 'none'; frame-ancestors 'none'";

/// Registrations are far shorter.
const LONGEST_BODY_BYTES: usize = 16 << 10;
