//! The second step of logging in: a code of the member's authenticator app, or a recovery code.
//!
//! The password was right, and the browser has a log-in that opens this page alone. Codes count as attempts of the same limits as
//! passwords, before they are checked.

use super::attempts::Attempts;
use super::error::OfficeError;
use super::form::Posted;
use super::login_session::{self, LogInStep, LoginSession};
use super::next_page::Next;
use super::page::{Layout, show, with_next};
use super::pending_step::CODE_PAGE;
use super::second_factor::{self, GivenFactor};
use super::visit::Visit;
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::back_office::Act;
use payframe_storage::{Subject, audit, login_sessions};
use payframe_web_pages as web_pages;
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new().route(CODE_PAGE, get(ask).post(check))
}

async fn ask(login: LoginSession, Query(next): Query<Next>) -> Response {
    if !login.awaits_code() {
        return web_pages::see_other(next.path());
    }
    page(StatusCode::OK, &login, &next, "")
}

#[derive(Deserialize)]
struct CodeForm {
    code: String,
    #[serde(flatten)]
    next: Next,
}

async fn check(
    State(office): State<BackOffice>,
    visit: Visit,
    Posted { login, fields }: Posted<CodeForm>,
) -> Result<Response, OfficeError> {
    if !login.awaits_code() {
        return Ok(web_pages::see_other(fields.next.path()));
    }
    let member = &login.member;
    let attempts = Attempts::of(&office, &member.email, &visit);
    if let Err(wait) = attempts.count().await? {
        let status = StatusCode::TOO_MANY_REQUESTS;
        let page = page(status, &login, &fields.next, &wait.sentence());
        return Ok(wait.on(page));
    }
    let now_ms = office.clock().now_ms();
    let mut change = office
        .store()
        .write(Subject::Merchant(&member.merchant_id))
        .await?;
    let Some(given) = second_factor::use_code(&office, &mut change, member, &fields.code).await?
    else {
        let entry = login.entry(now_ms, Act::LogInRefused, "", "wrong code");
        audit::add(&mut change, &entry).await?;
        change.commit().await?;
        return Ok(page(StatusCode::FORBIDDEN, &login, &fields.next, WRONG));
    };
    login_sessions::end(&mut change, &login.token_hash).await?;
    let token = login_session::begin(&office, &mut change, member, LogInStep::Done, &visit).await?;
    let detail = match given {
        GivenFactor::Code => String::from("with a code"),
        GivenFactor::RecoveryCode(left) => format!("with a recovery code; {left} are left"),
    };
    audit::add(&mut change, &login.entry(now_ms, Act::LogIn, "", &detail)).await?;
    change.commit().await?;
    attempts.reset(member).await?;
    Ok(login_session::go_with_cookie(
        &office,
        fields.next.path(),
        Some(&token),
    ))
}

/// The page of this step, which leads on to the same page as the log-in.
pub(super) fn address(next: &Next) -> String {
    with_next(CODE_PAGE, Some(next.path()))
}

fn page(status: StatusCode, login: &LoginSession, next: &Next, problem: &str) -> Response {
    let page = CodePage {
        layout: Layout::of_nobody("Enter your code"),
        token: login.form_token(),
        next: next.path(),
        problem,
    };
    show(status, &page)
}

#[derive(Template)]
#[template(path = "office-login-code.html")]
struct CodePage<'a> {
    layout: Layout<'static>,
    token: &'a str,
    next: &'a str,
    /// Why the last code was refused; empty on the first page.
    problem: &'a str,
}

const WRONG: &str =
    "This code is wrong, or it was used before. Wait for the next code of your app.";
