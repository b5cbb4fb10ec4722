//! The second step of logging in: a passkey, a code of the member's authenticator app, or a recovery code.
//!
//! The password was right, and the browser has a log-in that opens this page alone. Passkeys and codes count as attempts of the same
//! limits as passwords, before they are checked.

use super::attempts::{Attempts, Wait};
use super::error::OfficeError;
use super::form::Posted;
use super::login_session::{self, BY_EMERGENCY_ACCESS, LoginSession};
use super::next_page::Next;
use super::page::{Layout, show, with_next};
use super::passkeys;
use super::pending_step::{CODE_BY_PASSKEY, CODE_PAGE};
use super::second_factor::{self, GivenFactor, WRONG_CODE};
use super::visit::Visit;
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use payframe_payment_domain::back_office::Act;
use payframe_storage::login_sessions::Proof;
use payframe_storage::passkeys::Purpose;
use payframe_storage::{Subject, Write, audit, login_sessions};
use payframe_web_pages as web_pages;
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route(CODE_PAGE, get(ask).post(check_code))
        .route(CODE_BY_PASSKEY, post(check_passkey))
}

async fn ask(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(next): Query<Next>,
) -> Result<Response, OfficeError> {
    if !login.awaits_code() {
        return Ok(web_pages::see_other(next.path()));
    }
    page(&office, StatusCode::OK, &login, &next, "").await
}

#[derive(Deserialize)]
struct CodeForm {
    code: String,
    #[serde(flatten)]
    next: Next,
}

async fn check_code(
    State(office): State<BackOffice>,
    visit: Visit,
    Posted { login, fields }: Posted<CodeForm>,
) -> Result<Response, OfficeError> {
    let CodeForm { code, next } = fields;
    if !login.awaits_code() {
        return Ok(web_pages::see_other(next.path()));
    }
    let member = &login.member;
    let attempts = Attempts::of(&office, &member.email, &visit);
    if let Err(wait) = attempts.count().await? {
        return too_many_attempts(&office, &login, &next, wait).await;
    }
    let subject = Subject::Merchant(&member.merchant_id);
    let mut change = office.store().write(subject).await?;
    let given = second_factor::use_code(&office, &mut change, member, &code).await?;
    let detail = match given {
        None => {
            return refused(&office, change, &login, &next, "wrong code", WRONG_CODE).await;
        }
        Some(GivenFactor::Code) => String::from("with a code"),
        Some(GivenFactor::RecoveryCode(left)) => {
            format!("with a recovery code; {left} are left")
        }
    };
    let answer = log_in(&office, change, &login, &visit, &next, &detail).await?;
    attempts.reset(member).await?;
    Ok(answer)
}

#[derive(Deserialize)]
struct PasskeyForm {
    answer: String,
    #[serde(flatten)]
    next: Next,
}

async fn check_passkey(
    State(office): State<BackOffice>,
    visit: Visit,
    Posted { login, fields }: Posted<PasskeyForm>,
) -> Result<Response, OfficeError> {
    let PasskeyForm { answer, next } = fields;
    if !login.awaits_code() {
        return Ok(web_pages::see_other(next.path()));
    }
    let member = &login.member;
    let attempts = Attempts::of(&office, &member.email, &visit);
    if let Err(wait) = attempts.count().await? {
        return too_many_attempts(&office, &login, &next, wait).await;
    }
    let used = passkeys::use_by_member(&office, &login, Purpose::SecondFactor, &answer);
    let (change, used) = used.await?;
    let detail = match used {
        Ok(name) => format!("with the passkey \"{name}\""),
        Err(refusal) => {
            let (detail, sentence) = (refusal.detail(), refusal.sentence());
            return refused(&office, change, &login, &next, detail, sentence).await;
        }
    };
    let answer = log_in(&office, change, &login, &visit, &next, &detail).await?;
    attempts.reset(member).await?;
    Ok(answer)
}

/// The second factor was right: a full log-in replaces that of the first step.
async fn log_in(
    office: &BackOffice,
    mut change: Write,
    login: &LoginSession,
    visit: &Visit,
    next: &Next,
    detail: &str,
) -> Result<Response, OfficeError> {
    login_sessions::end(&mut change, &login.token_hash).await?;
    let done = login.completed(office);
    let token = login_session::begin(office, &mut change, &login.member, done, visit).await?;
    let detail = match login.proof {
        Proof::EmergencyAccess => format!("{BY_EMERGENCY_ACCESS}, {detail}"),
        _ => detail.to_owned(),
    };
    let entry = login.entry(office.clock().now_ms(), Act::LogIn, "", &detail);
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    let token = Some(token.as_str());
    Ok(login_session::go_with_cookie(office, next.path(), token))
}

/// The second factor was wrong.
async fn refused(
    office: &BackOffice,
    mut change: Write,
    login: &LoginSession,
    next: &Next,
    detail: &str,
    sentence: &str,
) -> Result<Response, OfficeError> {
    let entry = login.entry(office.clock().now_ms(), Act::LogInRefused, "", detail);
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    page(office, StatusCode::FORBIDDEN, login, next, sentence).await
}

async fn too_many_attempts(
    office: &BackOffice,
    login: &LoginSession,
    next: &Next,
    wait: Wait,
) -> Result<Response, OfficeError> {
    let status = StatusCode::TOO_MANY_REQUESTS;
    let page = page(office, status, login, next, &wait.sentence()).await?;
    Ok(wait.on(page))
}

/// The page of this step, which leads on to the same page as the log-in.
pub(super) fn address(next: &Next) -> String {
    with_next(CODE_PAGE, Some(next.path()))
}

async fn page(
    office: &BackOffice,
    status: StatusCode,
    login: &LoginSession,
    next: &Next,
    problem: &str,
) -> Result<Response, OfficeError> {
    let question = passkeys::ask_member(office, login, Purpose::SecondFactor).await?;
    let title = match question {
        Some(_) => "One more step",
        None => "Enter your code",
    };
    let page = CodePage {
        layout: Layout::of_nobody(title),
        token: login.form_token(),
        question,
        has_app: second_factor::has_app(office, &login.member).await?,
        next: next.path(),
        problem,
    };
    Ok(show(status, &page))
}

#[derive(Template)]
#[template(path = "office-login-code.html")]
struct CodePage<'a> {
    layout: Layout<'static>,
    token: &'a str,
    /// What the browser is asked for, as JSON. `None`: the member has no passkey.
    question: Option<String>,
    /// Whether the member has an authenticator app.
    has_app: bool,
    next: &'a str,
    /// Why the last code or passkey was refused; empty on the first page.
    problem: &'a str,
}
