//! Logging in and out.
//!
//! A failed log-in does not say why it failed: an unknown address, a wrong password and a disabled member have the same
//! answer, and it takes the same time. An address may belong to members of several merchants: the password decides which one logs in, and
//! somebody who has the same password for several chooses. Attempts are counted before the password is checked, so that parallel attempts give no
//! additional ones.
//!
//! Members of a merchant whose providers are the only way in have no password here. What they may type in its place is the secret of an
//! emergency access, which the operator opens for one log-in.

use super::error::OfficeError;
use super::form::{NoFields, Posted};
use super::login_providers::LoginProvider;
use super::login_session::{self, LogIn, LogInStep, LoginSession};
use super::next_page::Next;
use super::page::{Layout, show};
use super::pending_step::LOG_OUT;
use super::visit::Visit;
use super::{attempts, login_code, password};
use crate::BackOffice;
use askama::Template;
use attempts::Attempts;
use axum::Router;
use axum::extract::rejection::FormRejection;
use axum::extract::{Form, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use payframe_payment_domain::back_office::Act;
use payframe_payment_ports::clock::millis;
use payframe_storage::login_sessions::{self, Proof};
use payframe_storage::members::{self, Member};
use payframe_storage::{Subject, audit, emergency_access, merchants, second_factors};
use payframe_web_pages as web_pages;
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route("/office/login", get(ask).post(log_in))
        .route(LOG_OUT, post(log_out))
}

async fn ask(
    State(office): State<BackOffice>,
    Query(next): Query<Next>,
    visit: Visit,
    headers: HeaderMap,
) -> Result<Response, OfficeError> {
    if LoginSession::of(&office, &headers, &visit).await?.is_some() {
        return Ok(web_pages::see_other(next.path()));
    }
    Ok(page(&office, StatusCode::OK, next.path(), "", ""))
}

#[derive(Deserialize)]
struct LogInForm {
    email: String,
    password: String,
    /// The id of the merchant, for somebody who has the same password for several.
    #[serde(default)]
    merchant: String,
    #[serde(flatten)]
    next: Next,
}

async fn log_in(
    State(office): State<BackOffice>,
    visit: Visit,
    headers: HeaderMap,
    form: Result<Form<LogInForm>, FormRejection>,
) -> Result<Response, OfficeError> {
    if web_pages::sent_from_elsewhere(office.origin(), &headers) {
        return Err(OfficeError::Elsewhere);
    }
    let Ok(Form(form)) = form else {
        let status = StatusCode::BAD_REQUEST;
        return Ok(page(&office, status, "/office", "", wrong(&office)));
    };
    let email = form.email.trim().to_lowercase();
    let attempts = Attempts::of(&office, &email, &visit);
    if let Err(wait) = attempts.count().await? {
        return Ok(too_many_attempts(&office, &form, wait));
    }
    let found = members::by_email(&mut *office.store().read().await?, &email).await?;
    let mut allowed = let_in(&office, &found, &form.password).await?;
    if !form.merchant.is_empty() {
        allowed.retain(|(member, _)| member.merchant_id == form.merchant);
    }
    if allowed.len() > 1 {
        attempts.uncount().await?;
        return choose_merchant(&office, &form, &allowed).await;
    }
    let Some((member, given)) = allowed.pop() else {
        let members = found.into_iter().map(|(member, _)| member).collect();
        return log_in_refused(&office, &form, &visit, members).await;
    };
    let now_ms = office.clock().now_ms();
    let mut change = office
        .store()
        .write(Subject::Merchant(&member.merchant_id))
        .await?;
    // While the password was checked, an administrator may have changed it, or the member.
    let now = members::by_email(&mut change, &email).await?;
    let is_still = match &given {
        Given::Password(kept) => now.contains(&(member.clone(), kept.clone())),
        Given::EmergencyAccess(secret_hash) => {
            now.iter().any(|(known, _)| *known == member)
                && emergency_access::take(&mut change, &member.id, secret_hash, now_ms).await?
        }
    };
    if !is_still {
        drop(change);
        return log_in_refused(&office, &form, &visit, vec![member]).await;
    }
    login_sessions::forget(&mut change, now_ms - millis(login_session::HARD)).await?;
    let factors = second_factors::count(&mut change, &member.id).await?;
    let step = match factors > 0 {
        true => LogInStep::AwaitsCode,
        false => LogInStep::Done,
    };
    let log_in = LogIn {
        step,
        proof: given.proof(),
        confirmed_ms: now_ms,
        provider_session_hash: None,
    };
    let token = login_session::begin(&office, &mut change, &member, log_in, &visit).await?;
    if step == LogInStep::Done {
        let address = visit.address_text();
        let entry = member.entry(&address, now_ms, Act::LogIn, "", given.detail());
        audit::add(&mut change, &entry).await?;
    }
    change.commit().await?;
    let next = match step {
        LogInStep::AwaitsCode => {
            // Wrong codes of earlier log-ins still count.
            attempts.uncount().await?;
            login_code::address(&form.next)
        }
        LogInStep::Done => {
            attempts.reset(&member).await?;
            form.next.path().to_owned()
        }
    };
    // A former log-in in this browser ends.
    if let Some(former) = LoginSession::of(&office, &headers, &visit).await? {
        end(&office, &former).await?;
    }
    Ok(login_session::go_with_cookie(&office, &next, Some(&token)))
}

/// What somebody typed as the password.
enum Given {
    /// The member's password, whose stored hash this is.
    Password(String),
    /// The secret of an emergency access, which has this hash.
    EmergencyAccess(String),
}

impl Given {
    fn proof(&self) -> Proof {
        match self {
            Given::Password(_) => Proof::Own,
            Given::EmergencyAccess(_) => Proof::EmergencyAccess,
        }
    }

    /// The detail of the entry in the audit log.
    fn detail(&self) -> &'static str {
        match self {
            Given::Password(_) => "",
            Given::EmergencyAccess(_) => login_session::BY_EMERGENCY_ACCESS,
        }
    }
}

/// Whom of the members with an e-mail address this lets in. Where members log in at a provider alone, a password lets nobody in.
async fn let_in(
    office: &BackOffice,
    found: &[(Member, String)],
    typed: &str,
) -> Result<Vec<(Member, Given)>, OfficeError> {
    let kept = found.iter().map(|(_, kept)| kept.clone()).collect();
    let right = password::matching(typed.to_owned(), kept).await;
    let secret_hash = payframe_vault::hash(typed);
    let now_ms = office.clock().now_ms();
    let mut connection = office.store().read().await?;
    let in_emergency = emergency_access::member_of(&mut connection, &secret_hash, now_ms).await?;
    drop(connection);
    let given = |member: &Member, kept: &String, is_right: bool| {
        if !office.providers().are_only_way_in(&member.merchant_id) {
            is_right.then(|| Given::Password(kept.clone()))
        } else if in_emergency.as_ref() == Some(&member.id) {
            Some(Given::EmergencyAccess(secret_hash.clone()))
        } else {
            None
        }
    };
    let known = found.iter().zip(right);
    Ok(known
        .filter(|((member, _), _)| !member.disabled)
        .filter_map(|((member, kept), is_right)| {
            Some((member.clone(), given(member, kept, is_right)?))
        })
        .collect())
}

/// Why nobody is logged in. It is the same for every address, so it does not tell who works for whom.
fn wrong(office: &BackOffice) -> &'static str {
    match office.providers().are_only_way_in_for_somebody() {
        true => WRONG_OR_PROVIDER,
        false => WRONG,
    }
}

/// The answer to a failed log-in. A known and an unknown address both cost one change of the database.
async fn log_in_refused(
    office: &BackOffice,
    form: &LogInForm,
    visit: &Visit,
    members: Vec<Member>,
) -> Result<Response, OfficeError> {
    let now_ms = office.clock().now_ms();
    let address = visit.address_text();
    let mut change = office.store().write(Subject::Statement).await?;
    for member in &members {
        let detail = match office.providers().are_only_way_in(&member.merchant_id) {
            true => "with a password, and not at a provider",
            false => "",
        };
        let entry = member.entry(&address, now_ms, Act::LogInRefused, "", detail);
        audit::add(&mut change, &entry).await?;
    }
    if members.is_empty() {
        login_sessions::count_attempt(&mut change, NOBODY, now_ms, now_ms).await?;
    }
    change.commit().await?;
    Ok(page(
        office,
        StatusCode::FORBIDDEN,
        form.next.path(),
        &form.email,
        wrong(office),
    ))
}

/// Asks somebody who has the same password for several merchants which one it is.
async fn choose_merchant(
    office: &BackOffice,
    form: &LogInForm,
    members: &[(Member, Given)],
) -> Result<Response, OfficeError> {
    let mut merchants = merchants::all(&mut *office.store().read().await?).await?;
    merchants.retain(|(id, _)| members.iter().any(|(member, _)| member.merchant_id == *id));
    let page = LogInPage {
        layout: Layout::of_nobody("Log in"),
        next: form.next.path(),
        email: &form.email,
        merchants,
        has_passkeys: office.relying_party().is_some(),
        providers: office.providers().all(),
        problem: "",
    };
    Ok(show(StatusCode::OK, &page))
}

async fn log_out(
    State(office): State<BackOffice>,
    Posted { login, .. }: Posted<NoFields>,
) -> Result<Response, OfficeError> {
    end(&office, &login).await?;
    Ok(login_session::go_with_cookie(
        &office,
        "/office/login",
        None,
    ))
}

/// Ends a log-in in the store.
async fn end(office: &BackOffice, login: &LoginSession) -> Result<(), OfficeError> {
    let now_ms = office.clock().now_ms();
    let mut change = office
        .store()
        .write(Subject::Merchant(&login.member.merchant_id))
        .await?;
    login_sessions::end(&mut change, &login.token_hash).await?;
    if !login.awaits_code() {
        let entry = login.entry(now_ms, Act::LogOut, "", "");
        audit::add(&mut change, &entry).await?;
    }
    change.commit().await?;
    Ok(())
}

fn too_many_attempts(office: &BackOffice, form: &LogInForm, wait: attempts::Wait) -> Response {
    let status = StatusCode::TOO_MANY_REQUESTS;
    wait.on(page(
        office,
        status,
        form.next.path(),
        &form.email,
        &wait.sentence(),
    ))
}

fn page(
    office: &BackOffice,
    status: StatusCode,
    next: &str,
    email: &str,
    problem: &str,
) -> Response {
    show(
        status,
        &LogInPage {
            layout: Layout::of_nobody("Log in"),
            next,
            email,
            merchants: Vec::new(),
            has_passkeys: office.relying_party().is_some(),
            providers: office.providers().all(),
            problem,
        },
    )
}

#[derive(Template)]
#[template(path = "office-login.html")]
struct LogInPage<'a> {
    layout: Layout<'static>,
    next: &'a str,
    email: &'a str,
    /// The merchants to choose from, by id and name. Empty: there is nothing to choose.
    merchants: Vec<(String, String)>,
    /// Whether browsers use passkeys here.
    has_passkeys: bool,
    providers: &'a [LoginProvider],
    /// Why the last attempt was refused; empty on the first page.
    problem: &'a str,
}

/// The counter of attempts with an address of no member.
const NOBODY: &str = "nobody";
const WRONG: &str = "E-mail address and password do not match.";
const WRONG_OR_PROVIDER: &str = "E-mail address and password do not match, or your company logs in at its provider only: use its button below.";
