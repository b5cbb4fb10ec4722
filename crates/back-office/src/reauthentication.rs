//! Asking for the password again, or for the second factor, before what can do the most harm: somebody else may have found the browser
//! open. Whoever gives it wrongly too often waits, as at the log-in.

use super::attempts::{Attempts, Wait};
use super::error::OfficeError;
use super::form::Posted;
use super::login_providers::LoginProvider;
use super::login_session::LoginSession;
use super::next_page::Next;
use super::page::{Layout, show};
use super::passkeys;
use super::password;
use super::second_factor::{self, WRONG_CODE};
use super::visit::Visit;
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use payframe_payment_domain::back_office::Act;
use payframe_storage::login_sessions::{self, Proof};
use payframe_storage::passkeys::Purpose;
use payframe_storage::{Subject, Write, audit, members};
use payframe_web_pages::see_other;
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route("/office/confirm", get(ask).post(confirm))
        .route("/office/confirm/passkey", post(confirm_by_passkey))
}

async fn ask(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(next): Query<Next>,
) -> Result<Response, OfficeError> {
    page(&office, StatusCode::OK, &login, &next, "").await
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
    let ConfirmForm { proof, next } = fields;
    let member = &login.member;
    let attempts = Attempts::to_confirm(&office, member, &visit);
    if let Err(wait) = attempts.count().await? {
        return too_many_attempts(&office, &login, &next, wait).await;
    }
    let is_right_password = if login.has_second_factor || !login.has_password {
        false
    } else {
        let kept = members::password_of(&mut *office.store().read().await?, &member.id).await?;
        password::matches(proof.clone(), kept).await
    };
    let subject = Subject::Merchant(&member.merchant_id);
    let mut change = office.store().write(subject).await?;
    let is_right = is_right_password
        || second_factor::use_code(&office, &mut change, member, &proof)
            .await?
            .is_some();
    if !is_right {
        let sentence = match login.has_second_factor {
            true => WRONG_CODE,
            false => WRONG_PASSWORD,
        };
        return refused(&office, change, &login, &next, "", sentence).await;
    }
    confirmed(&office, change, &login, &attempts, &next).await
}

#[derive(Deserialize)]
struct PasskeyForm {
    answer: String,
    #[serde(flatten)]
    next: Next,
}

async fn confirm_by_passkey(
    State(office): State<BackOffice>,
    visit: Visit,
    Posted { login, fields }: Posted<PasskeyForm>,
) -> Result<Response, OfficeError> {
    let PasskeyForm { answer, next } = fields;
    let member = &login.member;
    let attempts = Attempts::to_confirm(&office, member, &visit);
    if let Err(wait) = attempts.count().await? {
        return too_many_attempts(&office, &login, &next, wait).await;
    }
    let used = passkeys::use_by_member(&office, &login, Purpose::Confirm, &answer);
    let (change, used) = used.await?;
    match used {
        Ok(_) => confirmed(&office, change, &login, &attempts, &next).await,
        Err(refusal) => {
            let (detail, sentence) = (refusal.detail(), refusal.sentence());
            refused(&office, change, &login, &next, detail, sentence).await
        }
    }
}

/// The proof was right.
async fn confirmed(
    office: &BackOffice,
    mut change: Write,
    login: &LoginSession,
    attempts: &Attempts<'_>,
    next: &Next,
) -> Result<Response, OfficeError> {
    let now_ms = office.clock().now_ms();
    login_sessions::put_confirmed(&mut change, &login.token_hash, now_ms).await?;
    change.commit().await?;
    attempts.reset(&login.member).await?;
    Ok(see_other(next.path()))
}

/// The proof was wrong.
async fn refused(
    office: &BackOffice,
    mut change: Write,
    login: &LoginSession,
    next: &Next,
    detail: &str,
    sentence: &str,
) -> Result<Response, OfficeError> {
    let now_ms = office.clock().now_ms();
    let entry = login.entry(now_ms, Act::ConfirmationRefused, "", detail);
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

async fn page(
    office: &BackOffice,
    status: StatusCode,
    login: &LoginSession,
    next: &Next,
    problem: &str,
) -> Result<Response, OfficeError> {
    let page = ConfirmPage {
        layout: Layout::of_page(login, "Confirm that it is you"),
        question: passkeys::ask_member(office, login, Purpose::Confirm).await?,
        asks_for_code: login.has_second_factor,
        asks_for_password: login.has_password && !login.has_second_factor,
        providers: match login.proof {
            Proof::Own => Vec::new(),
            Proof::Provider | Proof::ProviderWithTwoFactors | Proof::EmergencyAccess => office
                .providers()
                .of_merchant(&login.member.merchant_id)
                .collect(),
        },
        has_app: second_factor::has_app(office, &login.member).await?,
        next: next.path(),
        problem,
    };
    Ok(show(status, &page))
}

#[derive(Template)]
#[template(path = "office-reauthentication.html")]
struct ConfirmPage<'a> {
    layout: Layout<'a>,
    /// What the browser is asked for, as JSON. `None`: the member has no passkey.
    question: Option<String>,
    /// Whether the member has a second factor.
    asks_for_code: bool,
    /// Whether the password is asked for: not of members who log in at a provider alone.
    asks_for_password: bool,
    /// Whether the member has an authenticator app.
    has_app: bool,
    /// Where the member may log in again in place of it. Empty: they did not log in at a provider.
    providers: Vec<&'a LoginProvider>,
    next: &'a str,
    /// Why the last proof was refused; empty on the first page.
    problem: &'a str,
}

const WRONG_PASSWORD: &str = "This is not your password.";
