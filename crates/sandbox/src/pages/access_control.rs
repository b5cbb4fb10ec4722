//! The pages of the sandbox's access control server: its 3DS method, the challenge, and the enrolment of devices. They have an origin of
//! their own, as pages of issuers have.
//!
//! Any shop may frame them, but for the enrolment. A challenge's page needs the CReq of its transaction, or its id.

use super::challenge::{AnswerForm, ChallengePage, LastTry};
use super::enrolment::{self, Enrolled, EnrolsDevices};
use super::error_page::ErrorPage;
use super::texts::Texts;
use crate::three_ds::{AccessControl, Answered, Challenge};
use askama::Template;
use async_trait::async_trait;
use axum::Router;
use axum::extract::rejection::FormRejection;
use axum::extract::{Form, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use payframe_emv_3ds::element::TransactionId;
use payframe_payment_service::{Enrolment, Registration};
use payframe_web_pages::language::accepted_language;
use payframe_web_pages::policy::{ANYBODY, form_targets, is_web_address};
use payframe_web_pages::script::PageScript;
use payframe_web_pages::theme::Theme;
use payframe_web_pages::{compression, notice, protect, render, sent_from_elsewhere};
use serde::Deserialize;
use serde_json::json;
use std::sync::{Arc, LazyLock};

/// Everything that browsers load.
pub(crate) fn router(desk: Arc<AccessControl>) -> Router {
    let scripts: [&'static PageScript; 3] = [
        &super::CHALLENGE_SCRIPT,
        &super::ENROLMENT_SCRIPT,
        &BACK_SCRIPT,
    ];
    let files = scripts.into_iter().fold(Router::new(), |router, script| {
        router.route(script.path(), get(async move || script.answer()))
    });
    Router::new()
        .route("/method/{behaviour}", post(method))
        .route("/challenge", post(challenge))
        .route("/challenge/{id}", post(answer))
        .merge(enrolment::router::<Arc<AccessControl>>())
        .with_state(desk)
        .merge(files.merge(notice::router()).layer(compression()))
}

#[async_trait]
impl EnrolsDevices for Arc<AccessControl> {
    fn origin(&self) -> &str {
        self.issuer().origin()
    }

    fn asked(&self) -> Option<Enrolment> {
        self.issuer().enrolment()
    }

    async fn enrol(&self, registration: &Registration) -> Enrolled {
        match self.issuer().enrol(registration).await {
            Ok(true) => Enrolled::Kept,
            Ok(false) => Enrolled::Wrong,
            Err(problem) => {
                tracing::error!(%problem, "a device is not kept");
                Enrolled::Failed
            }
        }
    }
}

#[derive(Deserialize)]
struct MethodForm {
    #[serde(rename = "threeDSMethodData")]
    data: String,
}

/// What a 3-D Secure server tells the 3DS method.
#[derive(Deserialize)]
struct MethodData {
    #[serde(rename = "threeDSServerTransID")]
    server_transaction_id: String,
    #[serde(rename = "threeDSMethodNotificationURL")]
    notification_url: String,
}

impl MethodData {
    fn read(text: &str) -> Option<MethodData> {
        let data = URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok()?;
        let data: MethodData = serde_json::from_slice(&data).ok()?;
        is_web_address(&data.notification_url).then_some(data)
    }
}

async fn method(
    Path(behaviour): Path<String>,
    headers: HeaderMap,
    form: Result<Form<MethodForm>, FormRejection>,
) -> Response {
    let texts = Texts::of([accepted_language(&headers)]);
    let data = form
        .ok()
        .and_then(|Form(form)| MethodData::read(&form.data));
    let Some(data) = data else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let delay_ms = match behaviour.as_str() {
        "quick" => 0,
        "slow" => crate::page_behaviour::SLOW_CHECK_MS,
        _ => return ErrorPage::Waiting.page(texts, Theme::Auto, Some(ANYBODY)),
    };
    let said = json!({ "threeDSServerTransID": data.server_transaction_id });
    let page = BackPage {
        script: &BACK_SCRIPT,
        texts,
        theme: Theme::Auto.as_str(),
        delay_ms,
        title: &texts.device_title,
        address: &data.notification_url,
        field: "threeDSMethodData",
        value: &URL_SAFE_NO_PAD.encode(said.to_string()),
    };
    protected(&page)
}

#[derive(Deserialize)]
struct ChallengeForm {
    creq: String,
}

async fn challenge(
    State(desk): State<Arc<AccessControl>>,
    headers: HeaderMap,
    form: Result<Form<ChallengeForm>, FormRejection>,
) -> Response {
    let Ok(Form(form)) = form else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    match desk.begin(&form.creq) {
        Some((id, challenge)) => challenge_page(&id, &challenge, &LastTry::default()),
        None => gone(&headers),
    }
}

async fn answer(
    State(desk): State<Arc<AccessControl>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    form: Result<Form<AnswerForm>, FormRejection>,
) -> Response {
    if sent_from_elsewhere(&desk.origin, &headers) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let Ok(Form(form)) = form else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let id = TransactionId::new(&id);
    let found = id.and_then(|id| desk.challenge(&id).map(|challenge| (id, challenge)));
    let Some((id, challenge)) = found else {
        return gone(&headers);
    };
    let Some(answer) = form.read() else {
        let last_try = LastTry {
            left: None,
            missing: Some(1),
        };
        return challenge_page(&id, &challenge, &last_try);
    };
    let texts = Texts::of([Some(challenge.view.language.as_str())]);
    // In a separate task: a browser that disconnects must not keep the result back.
    let answered = tokio::spawn({
        let (desk, id) = (desk.clone(), id.clone());
        async move { desk.answer(&id, &answer).await }
    });
    match answered.await.unwrap_or(Answered::Failed) {
        Answered::AskAgain { left } => {
            let last_try = LastTry {
                left: Some(left),
                missing: None,
            };
            challenge_page(&id, &challenge, &last_try)
        }
        Answered::Waiting => ErrorPage::Waiting.page(texts, Theme::Auto, Some(ANYBODY)),
        Answered::Back { address, cres } => protected(&BackPage {
            script: &BACK_SCRIPT,
            texts,
            theme: Theme::Auto.as_str(),
            delay_ms: 0,
            title: &texts.return_title,
            address: &address,
            field: "cres",
            value: &cres,
        }),
        Answered::Gone => gone(&headers),
        Answered::Failed => ErrorPage::Failed.page(texts, Theme::Auto, Some(ANYBODY)),
    }
}

fn challenge_page(id: &TransactionId, challenge: &Challenge, last_try: &LastTry) -> Response {
    let action = format!("/challenge/{}", &**id);
    let page = ChallengePage::of(&challenge.view, action, Theme::Auto, last_try);
    protected(&page)
}

fn gone(headers: &HeaderMap) -> Response {
    let texts = Texts::of([accepted_language(headers)]);
    ErrorPage::PageGone.page(texts, Theme::Auto, Some(ANYBODY))
}

fn protected(template: &impl Template) -> Response {
    let mut page = render(StatusCode::OK, template);
    // A gateway on this machine may be plain http.
    let targets = form_targets(true);
    protect(
        &mut page,
        &format!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; \
             form-action {targets}; frame-ancestors {ANYBODY}"
        ),
    );
    page
}

static BACK_SCRIPT: LazyLock<PageScript> = LazyLock::new(|| {
    PageScript::new(
        "threeds/issuer-back",
        include_str!("../../../../www/threeds/issuer-back.js"),
    )
});

/// Sends the browser back to the 3-D Secure server.
#[derive(Template)]
#[template(path = "issuer-post-back.html")]
struct BackPage<'a> {
    script: &'static PageScript,
    texts: &'a Texts,
    theme: &'static str,
    delay_ms: u64,
    title: &'a str,
    address: &'a str,
    field: &'static str,
    value: &'a str,
}
