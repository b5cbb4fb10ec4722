//! Logging in with a passkey alone, without an e-mail address and a password.
//!
//! The device says whose passkey it is, and has verified its owner: two factors in one. The browser gets a cookie with the question, of
//! the same name as that of a log-in, so that another browser cannot answer it. How many questions a network gets is limited, and
//! answers count as attempts of their member, as passwords and codes do.

use super::attempts::{self, Attempts, Wait};
use super::error::OfficeError;
use super::login_session::{self, LogIn, LogInStep, LoginSession};
use super::next_page::Next;
use super::page::{Layout, show};
use super::passkeys::{self, Claim, PasskeyRefusal, UsedPasskey};
use super::visit::Visit;
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::rejection::FormRejection;
use axum::extract::{Form, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::post;
use payframe_payment_domain::back_office::Act;
use payframe_payment_ports::clock::millis;
use payframe_storage::login_sessions::{self, Proof};
use payframe_storage::members::Member;
use payframe_storage::{Subject, audit};
use payframe_web_pages as web_pages;
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route("/office/login/passkey", post(ask))
        .route("/office/login/passkey/answer", post(log_in))
}

async fn ask(
    State(office): State<BackOffice>,
    visit: Visit,
    headers: HeaderMap,
    form: Result<Form<Next>, FormRejection>,
) -> Result<Response, OfficeError> {
    if web_pages::sent_from_elsewhere(office.origin(), &headers) {
        return Err(OfficeError::Elsewhere);
    }
    let Form(next) = form.map_err(|_| OfficeError::incomplete())?;
    if LoginSession::of(&office, &headers, &visit).await?.is_some() {
        return Ok(web_pages::see_other(next.path()));
    }
    if let Err(wait) = attempts::count_question(&office, &visit).await? {
        return Ok(too_many_attempts(&next, wait));
    }
    let token = payframe_vault::random_secret()?;
    let question = passkeys::ask_anybody(&office, &payframe_vault::hash(&token)).await?;
    let question = question.ok_or(OfficeError::NotFound)?;
    let mut page = page(StatusCode::OK, &next, Some(&question), "");
    login_session::put_cookie(&office, &mut page, Some(&token));
    Ok(page)
}

#[derive(Deserialize)]
struct AnswerForm {
    answer: String,
    #[serde(flatten)]
    next: Next,
}

async fn log_in(
    State(office): State<BackOffice>,
    visit: Visit,
    headers: HeaderMap,
    form: Result<Form<AnswerForm>, FormRejection>,
) -> Result<Response, OfficeError> {
    if web_pages::sent_from_elsewhere(office.origin(), &headers) {
        return Err(OfficeError::Elsewhere);
    }
    let Form(form) = form.map_err(|_| OfficeError::incomplete())?;
    let next = &form.next;
    let Some(token) = login_session::token_of(&office, &headers) else {
        return Ok(refused(next, PasskeyRefusal::Late));
    };
    let token_hash = payframe_vault::hash(token);
    let claim = match Claim::of(&office, &token_hash, &form.answer).await? {
        Ok(claim) => claim,
        Err(refusal) => return Ok(refused(next, refusal)),
    };
    let member = claim.member.clone();
    attempts::uncount_question(&office, &visit).await?;
    let attempts = Attempts::of(&office, &member.email, &visit);
    if let Err(wait) = attempts.count().await? {
        return Ok(too_many_attempts(next, wait));
    }
    let token = match claim.check()? {
        Ok(_) if office.providers().are_only_way_in(&member.merchant_id) => {
            Err(PasskeyRefusal::NotAlone)
        }
        Ok(used) => begin(&office, &visit, &member, used).await?,
        Err(refusal) => Err(refusal),
    };
    match token {
        Ok(token) => {
            attempts.reset(&member).await?;
            Ok(login_session::go_with_cookie(
                &office,
                next.path(),
                Some(&token),
            ))
        }
        Err(refusal) => {
            let address = visit.address_text();
            let now_ms = office.clock().now_ms();
            let entry = member.entry(&address, now_ms, Act::LogInRefused, "", refusal.detail());
            let mut change = office
                .store()
                .write(Subject::Merchant(&member.merchant_id))
                .await?;
            audit::add(&mut change, &entry).await?;
            change.commit().await?;
            Ok(refused(next, refusal))
        }
    }
}

/// Stores the log-in. Returns the token for the cookie.
async fn begin(
    office: &BackOffice,
    visit: &Visit,
    member: &Member,
    used: UsedPasskey,
) -> Result<Result<String, PasskeyRefusal>, OfficeError> {
    let now_ms = office.clock().now_ms();
    let mut change = office
        .store()
        .write(Subject::Merchant(&member.merchant_id))
        .await?;
    let name = match used.record(&mut change, now_ms).await? {
        Ok(name) => name,
        Err(refusal) => return Ok(Err(refusal)),
    };
    login_sessions::forget(&mut change, now_ms - millis(login_session::HARD)).await?;
    let alone = LogIn {
        step: LogInStep::Done,
        proof: Proof::Own,
        confirmed_ms: now_ms,
        provider_session_hash: None,
    };
    let token = login_session::begin(office, &mut change, member, alone, visit).await?;
    let detail = format!("with the passkey \"{name}\" alone");
    let address = visit.address_text();
    let entry = member.entry(&address, now_ms, Act::LogIn, "", &detail);
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    Ok(Ok(token))
}

fn refused(next: &Next, refusal: PasskeyRefusal) -> Response {
    page(StatusCode::FORBIDDEN, next, None, refusal.sentence())
}

fn too_many_attempts(next: &Next, wait: Wait) -> Response {
    let page = page(StatusCode::TOO_MANY_REQUESTS, next, None, &wait.sentence());
    wait.on(page)
}

fn page(status: StatusCode, next: &Next, question: Option<&str>, problem: &str) -> Response {
    let page = PasskeyPage {
        layout: Layout::of_nobody("Log in with a passkey"),
        question,
        next: next.path(),
        problem,
    };
    show(status, &page)
}

#[derive(Template)]
#[template(path = "office-login-passkey.html")]
struct PasskeyPage<'a> {
    layout: Layout<'static>,
    /// What the browser is asked for, as JSON. `None`: the last answer was refused, and the next try is a new question.
    question: Option<&'a str>,
    next: &'a str,
    /// Why the last answer was refused; empty on the first page.
    problem: &'a str,
}
