//! A member's own passkeys: adding one, and removing one. The page that lists them is that of the second factor.
//!
//! A new passkey ends all log-ins, as a new authenticator app does. With the first second factor come recovery codes.

use super::error::OfficeError;
use super::form::{NoFields, Posted};
use super::login_session::{self, LoginSession};
use super::page::{Layout, Section, show};
use super::passkeys::{self, PasskeyRefusal};
use super::pending_step::{NEW_PASSKEY_PAGE, SECOND_FACTOR_PAGE};
use super::recovery_codes::RecoveryCodes;
use super::staff::Name;
use super::visit::Visit;
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use payframe_payment_domain::back_office::Act;
use payframe_storage::{Subject, audit, login_sessions, passkeys as stored, second_factors};
use payframe_web_pages::see_other;
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route(NEW_PASSKEY_PAGE, get(ask).post(add))
        .route("/office/second-factor/passkeys/{id}/remove", post(remove))
}

async fn ask(
    State(office): State<BackOffice>,
    visit: Visit,
    login: LoginSession,
) -> Result<Response, OfficeError> {
    login.require_confirmed(&office, NEW_PASSKEY_PAGE)?;
    page(&office, &login, StatusCode::OK, visit.browser, "").await
}

#[derive(Deserialize)]
struct NewForm {
    name: String,
    answer: String,
}

async fn add(
    State(office): State<BackOffice>,
    visit: Visit,
    Posted { login, fields }: Posted<NewForm>,
) -> Result<Response, OfficeError> {
    login.require_confirmed(&office, NEW_PASSKEY_PAGE)?;
    let again = |problem| {
        page(
            &office,
            &login,
            StatusCode::BAD_REQUEST,
            &fields.name,
            problem,
        )
    };
    let Some(name) = Name::parse(&fields.name) else {
        return again(WRONG_NAME).await;
    };
    let new = passkeys::new_passkey(&office, &login, name.as_str(), &fields.answer).await?;
    let passkey = match new {
        Ok(passkey) => passkey,
        Err(refusal) => return again(refusal.sentence()).await,
    };
    let member = &login.member;
    let now_ms = passkey.created_ms;
    let codes = RecoveryCodes::generate(&office, member)?;
    let mut change = office
        .store()
        .write(Subject::Merchant(&member.merchant_id))
        .await?;
    let is_first = second_factors::count(&mut change, &member.id).await? == 0;
    if stored::of_member(&mut change, &member.id).await?.len() >= MOST {
        return Err(too_many());
    }
    if !stored::add(&mut change, &passkey).await? {
        drop(change);
        return again(PasskeyRefusal::Wrong.sentence()).await;
    }
    if is_first {
        codes.put(&mut change, member).await?;
    }
    let token = login_session::replace_all(&office, &mut change, &login, &visit).await?;
    let entry = login.entry(now_ms, Act::AddPasskey, "", name.as_str());
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    let login = login.renewed(&token);
    let mut answer = match is_first {
        true => codes.page(&login),
        false => see_other(&format!("{SECOND_FACTOR_PAGE}?done=passkey-added")),
    };
    login_session::put_cookie(&office, &mut answer, Some(&token));
    Ok(answer)
}

async fn remove(
    State(office): State<BackOffice>,
    Path(id): Path<String>,
    Posted { login, .. }: Posted<NoFields>,
) -> Result<Response, OfficeError> {
    login.require_confirmed(&office, SECOND_FACTOR_PAGE)?;
    let member = &login.member;
    let mut change = office
        .store()
        .write(Subject::Merchant(&member.merchant_id))
        .await?;
    let Some(name) = stored::remove(&mut change, &member.id, &id).await? else {
        return Err(OfficeError::NotFound);
    };
    if second_factors::count(&mut change, &member.id).await? == 0 {
        if office.settings().requires_second_factor {
            // The change is not committed.
            return Err(OfficeError::Bad(String::from(LAST)));
        }
        second_factors::put_recovery_codes(&mut change, &member.id, &[]).await?;
    }
    login_sessions::end_others(&mut change, &member.id, &login.token_hash).await?;
    let now_ms = office.clock().now_ms();
    let entry = login.entry(now_ms, Act::RemovePasskey, "", &name);
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    Ok(see_other(&format!(
        "{SECOND_FACTOR_PAGE}?done=passkey-removed"
    )))
}

/// The page that makes a passkey, with a new question.
async fn page(
    office: &BackOffice,
    login: &LoginSession,
    status: StatusCode,
    name: &str,
    problem: &str,
) -> Result<Response, OfficeError> {
    let mut connection = office.store().read().await?;
    let present = stored::of_member(&mut connection, &login.member.id).await?;
    drop(connection);
    if present.len() >= MOST {
        return Err(too_many());
    }
    let question = passkeys::ask_to_add(office, login, &present).await?;
    let page = NewPage {
        layout: Layout::of(login, Section::SecondFactor, "Add a passkey"),
        question: question.ok_or(OfficeError::NotFound)?,
        name,
        is_required: office.settings().requires_second_factor && !login.has_second_factor,
        problem,
    };
    Ok(show(status, &page))
}

fn too_many() -> OfficeError {
    OfficeError::Bad(format!(
        "You have {MOST} passkeys. Remove one before you add another one."
    ))
}

#[derive(Template)]
#[template(path = "office-passkey-new.html")]
struct NewPage<'a> {
    layout: Layout<'a>,
    /// What the browser is asked for, as JSON.
    question: String,
    /// The name in the field: that of the browser, until the member types another one.
    name: &'a str,
    /// Whether the member can do nothing else before.
    is_required: bool,
    /// Why the last passkey was refused; empty on the first page.
    problem: &'a str,
}

/// For each member.
const MOST: usize = 10;
const WRONG_NAME: &str = "A name has 1 to 80 characters.";
const LAST: &str = "This is your last second factor, and the back office opens with one only. Add another one first.";
