//! A member's own password.

use super::attempts::Attempts;
use super::error::OfficeError;
use super::form::Posted;
use super::login_session::{self, LoginSession};
use super::page::{LastAction, Layout, Section, show};
use super::password::{self, Password, PasswordError};
use super::pending_step::PASSWORD_PAGE;
use super::staff::{Actor, Staff, StaffError};
use super::visit::Visit;
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::back_office::Act;
use payframe_storage::members::Member;
use payframe_storage::{Subject, audit, members};
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new().route(PASSWORD_PAGE, get(ask).post(change))
}

async fn ask(login: LoginSession, Query(done): Query<LastAction>) -> Result<Response, OfficeError> {
    if !login.has_password {
        return Err(StaffError::NoPasswords.into());
    }
    let layout = Layout::of(&login, Section::Password, TITLE).after(&done, DONE);
    Ok(page(StatusCode::OK, layout, "", ""))
}

#[derive(Deserialize)]
struct PasswordForm {
    current: String,
    new: String,
    again: String,
}

async fn change(
    State(office): State<BackOffice>,
    visit: Visit,
    Posted { login, fields }: Posted<PasswordForm>,
) -> Result<Response, OfficeError> {
    if !login.has_password {
        return Err(StaffError::NoPasswords.into());
    }
    let member = &login.member;
    let layout = || Layout::of(&login, Section::Password, TITLE);
    // Somebody who finds an open browser must not be able to guess the password.
    let attempts = Attempts::to_confirm(&office, member, &visit);
    if let Err(wait) = attempts.count().await? {
        let sentence = wait.sentence();
        return Ok(page(StatusCode::TOO_MANY_REQUESTS, layout(), &sentence, ""));
    }
    let kept = members::password_of(&mut *office.store().read().await?, &member.id).await?;
    if !password::matches(fields.current, kept).await {
        let entry = login.entry(office.clock().now_ms(), Act::ConfirmationRefused, "", "");
        let subject = Subject::Merchant(&member.merchant_id);
        let mut change = office.store().write(subject).await?;
        audit::add(&mut change, &entry).await?;
        change.commit().await?;
        return Ok(page(StatusCode::BAD_REQUEST, layout(), WRONG, ""));
    }
    attempts.reset(member).await?;
    let chosen = match accepted(&office, &fields.new, member).await? {
        Ok(chosen) if fields.new == fields.again => chosen,
        Ok(_) => return Ok(page(StatusCode::BAD_REQUEST, layout(), "", DIFFERENT)),
        Err(weakness) => {
            return Ok(page(
                StatusCode::BAD_REQUEST,
                layout(),
                "",
                &weakness.to_string(),
            ));
        }
    };
    let actor = Actor::member(&office, &login);
    let staff = Staff::new(office.store());
    match staff.change_password(actor, member, &chosen).await {
        Ok(()) => {}
        Err(problem @ StaffError::FormerPassword) => {
            let sentence = problem.to_string();
            return Ok(page(StatusCode::BAD_REQUEST, layout(), "", &sentence));
        }
        Err(problem) => return Err(problem.into()),
    }
    // The member's other log-ins end.
    let mut change = office.store().write(Subject::Statement).await?;
    let token = login_session::begin(
        &office,
        &mut change,
        member,
        login.completed(&office),
        &visit,
    )
    .await?;
    change.commit().await?;
    Ok(login_session::go_with_cookie(
        &office,
        "/office/password?done=changed",
        Some(&token),
    ))
}

/// The password, or why the member may not choose it.
async fn accepted(
    office: &BackOffice,
    new: &str,
    member: &Member,
) -> Result<Result<Password, PasswordError>, OfficeError> {
    let parsed = Password::parse(new, &member.email, &member.name);
    if parsed.is_err() {
        return Ok(parsed);
    }
    match office.settings().leaked_passwords.contain(new).await {
        Ok(false) => Ok(parsed),
        Ok(true) => Ok(Err(PasswordError::Leaked)),
        // Nobody chooses a password that cannot be searched for.
        Err(problem) => {
            tracing::error!(%problem, "the list of leaked passwords cannot be searched");
            Err(OfficeError::Failed)
        }
    }
}

fn page(status: StatusCode, layout: Layout<'_>, about_current: &str, about_new: &str) -> Response {
    show(
        status,
        &PasswordPage {
            layout,
            about_current,
            about_new,
        },
    )
}

#[derive(Template)]
#[template(path = "office-password.html")]
struct PasswordPage<'a> {
    layout: Layout<'a>,
    /// The error in the current password that was typed; empty if there is none.
    about_current: &'a str,
    /// The error in the new password.
    about_new: &'a str,
}

const TITLE: &str = "Your password";
const DONE: &[(&str, &str)] = &[(
    "changed",
    "Your password was changed. Everywhere else you are logged out.",
)];
const WRONG: &str = "This is not your password.";
const DIFFERENT: &str = "The two are not the same. Type the new password twice.";
