//! Asking for the password again, or for a code of the second factor, before what can do the most harm: somebody else may have found the
//! browser open. Whoever gives it wrongly too often waits, as at the log-in.

use super::attempts::Attempts;
use super::error::OfficeError;
use super::form::Posted;
use super::login_session::LoginSession;
use super::next_page::Next;
use super::page::{Layout, show};
use super::password;
use super::second_factor;
use super::visit::Visit;
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::back_office::Act;
use payframe_storage::{Subject, audit, login_sessions, members};
use payframe_web_pages::see_other;
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new().route("/office/confirm", get(ask).post(confirm))
}

async fn ask(login: LoginSession, Query(next): Query<Next>) -> Response {
    page(StatusCode::OK, &login, &next, "")
}

#[derive(Deserialize)]
struct ConfirmForm {
    /// The password, or a code.
    proof: String,
    #[serde(flatten)]
    next: Next,
}

async fn confirm(
    State(office): State<BackOffice>,
    visit: Visit,
    Posted { login, fields }: Posted<ConfirmForm>,
) -> Result<Response, OfficeError> {
    let member = &login.member;
    let attempts = Attempts::of(&office, &member.email, &visit);
    if let Err(wait) = attempts.count().await? {
        let status = StatusCode::TOO_MANY_REQUESTS;
        let page = page(status, &login, &fields.next, &wait.sentence());
        return Ok(wait.on(page));
    }
    let is_right_password = if login.has_second_factor {
        false
    } else {
        let kept = members::password_of(&mut *office.store().read().await?, &member.id).await?;
        password::matches(fields.proof.clone(), kept).await
    };
    let now_ms = office.clock().now_ms();
    let subject = Subject::Merchant(&member.merchant_id);
    let mut change = office.store().write(subject).await?;
    let is_right = is_right_password
        || second_factor::use_code(&office, &mut change, member, &fields.proof)
            .await?
            .is_some();
    if !is_right {
        let entry = login.entry(now_ms, Act::ConfirmationRefused, "", "");
        audit::add(&mut change, &entry).await?;
        change.commit().await?;
        let sentence = match login.has_second_factor {
            true => WRONG_CODE,
            false => WRONG_PASSWORD,
        };
        return Ok(page(StatusCode::FORBIDDEN, &login, &fields.next, sentence));
    }
    login_sessions::put_confirmed(&mut change, &login.token_hash, now_ms).await?;
    change.commit().await?;
    attempts.reset(member).await?;
    Ok(see_other(fields.next.path()))
}

fn page(status: StatusCode, login: &LoginSession, next: &Next, problem: &str) -> Response {
    let page = ConfirmPage {
        layout: Layout::of_page(login, "Confirm that it is you"),
        asks_for_code: login.has_second_factor,
        next: next.path(),
        problem,
    };
    show(status, &page)
}

#[derive(Template)]
#[template(path = "office-reauthentication.html")]
struct ConfirmPage<'a> {
    layout: Layout<'a>,
    /// Whether the member has a second factor. If not, the password is asked for.
    asks_for_code: bool,
    next: &'a str,
    /// Why the last proof was refused; empty on the first page.
    problem: &'a str,
}

const WRONG_PASSWORD: &str = "This is not your password.";
const WRONG_CODE: &str =
    "This code is wrong, or it was used before. Wait for the next code of your app.";
