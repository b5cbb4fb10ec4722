//! A member who is logged in, recognised by a cookie.
//!
//! The cookie's value is 256 random bits; the store has only their hash. A login session ends with the log-out, after a quarter of an hour
//! without a call, after twelve hours, and with every change of the member's rights.
//!
//! A login session opens one page alone while there is something that the member has to do first ([`PendingStep`]). This is decided
//! here, before any handler, so that no page can forget it.
//!
//! Libraries considered: tower-sessions and axum-login. tower-sessions keeps each session under the same id as the cookie, so anyone who
//! reads the tables can use the session. It has one time limit for a session, not two. It finds sessions only by that id, so the
//! sessions of one member cannot be found and ended. axum-login is based on it.

use super::error::OfficeError;
use super::pending_step::PendingStep;
use super::visit::Visit;
use crate::BackOffice;
use crate::moment::Moment;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::response::Response;
use payframe_payment_domain::back_office::{Act, Role};
use payframe_payment_ports::clock::millis;
use payframe_storage::audit::Entry;
use payframe_storage::login_sessions::{self, ListedSession, NewLoginSession, Proof};
use payframe_storage::members::{self, Member};
use payframe_storage::{Connection, Subject};
use payframe_web_pages as web_pages;
use std::time::Duration;

/// A member who is logged in.
pub(crate) struct LoginSession {
    pub(crate) member: Member,
    /// The name of the member's merchant.
    pub(crate) merchant_name: String,
    /// Where this request comes from. Empty: a proxy of ours did not tell it.
    address: String,
    pub(super) token_hash: String,
    form_token: String,
    /// When the member last gave the password or a code.
    confirmed_ms: i64,
    pub(super) has_second_factor: bool,
    /// How the member proved who they are.
    pub(super) proof: Proof,
    /// The hash of the log-in's name at the provider, if it began there and has one.
    provider_session_hash: Option<String>,
    /// Whether the member has a password: some log in at a provider alone.
    pub(super) has_password: bool,
    /// The time of payments, if a test has put it ahead of the real time.
    pub(crate) test_time: Option<Moment>,
    /// What the member has to do before anything else.
    pub(super) pending: Option<PendingStep>,
}

/// How far a log-in is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LogInStep {
    /// The password was right, and the member has a second factor to prove.
    AwaitsCode,
    /// Everything was right.
    Done,
}

/// A log-in that begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LogIn {
    pub(super) step: LogInStep,
    pub(super) proof: Proof,
    /// When the member gave the password or another proof.
    pub(super) confirmed_ms: i64,
    /// The hash of its name at the provider, if it begins there and has one.
    pub(super) provider_session_hash: Option<String>,
}

impl LoginSession {
    /// Refuses an action that the member's role does not allow.
    pub(crate) fn require(&self, role: Role) -> Result<(), OfficeError> {
        if self.may(role) {
            Ok(())
        } else {
            Err(OfficeError::Role(role))
        }
    }

    /// Whether the member's role includes the rights of this role.
    pub(crate) fn may(&self, role: Role) -> bool {
        self.member.role >= role
    }

    /// The token in the forms of this log-in's pages. It is derived from the cookie's value, which other sites cannot read.
    pub(crate) fn form_token(&self) -> &str {
        &self.form_token
    }

    /// An entry of the audit log for an action of this request.
    pub(crate) fn entry<'a>(
        &'a self,
        now_ms: i64,
        act: Act,
        subject: &'a str,
        detail: &'a str,
    ) -> Entry<'a> {
        self.member
            .entry(&self.address, now_ms, act, subject, detail)
    }

    /// The log-in of the cookie in these headers, if it is valid.
    pub(super) async fn of(
        office: &BackOffice,
        headers: &HeaderMap,
        visit: &Visit,
    ) -> Result<Option<LoginSession>, OfficeError> {
        let Some(token) = token_of(office, headers) else {
            return Ok(None);
        };
        let token_hash = payframe_vault::hash(token);
        let now_ms = office.clock().now_ms();
        let Some(found) =
            login_sessions::find(&mut *office.store().read().await?, &token_hash).await?
        else {
            return Ok(None);
        };
        let over = |since_ms: i64, limit: Duration| now_ms - since_ms >= millis(limit);
        let limit = if found.awaits_code { HALF_OPEN } else { HARD };
        if over(found.seen_ms, IDLE) || over(found.created_ms, limit) {
            return Ok(None);
        }
        let has_password = !office
            .providers()
            .are_only_way_in(&found.member.merchant_id);
        // It began before the merchant's members had to log in at a provider.
        if found.proof == Proof::Own && !has_password {
            return Ok(None);
        }
        if over(found.seen_ms, SEEN_STEP) {
            let mut change = office.store().write(Subject::Statement).await?;
            login_sessions::put_seen(&mut change, &token_hash, now_ms).await?;
            change.commit().await?;
        }
        let pending = if found.awaits_code {
            Some(PendingStep::Code)
        } else if found.member.must_change && found.proof == Proof::Own {
            Some(PendingStep::Password)
        } else if office.settings().requires_second_factor
            && !found.has_second_factor
            && found.proof != Proof::ProviderWithTwoFactors
        {
            Some(PendingStep::SecondFactor)
        } else {
            None
        };
        Ok(Some(LoginSession {
            member: found.member,
            merchant_name: found.merchant_name,
            address: visit.address_text(),
            token_hash,
            form_token: form_token_of(token),
            confirmed_ms: found.confirmed_ms,
            has_second_factor: found.has_second_factor,
            proof: found.proof,
            provider_session_hash: found.provider_session_hash,
            has_password,
            test_time: test_time(office),
            pending,
        }))
    }

    /// Asks for the password or a code again, unless it was given a moment ago: somebody else may have found this browser open. The
    /// member then continues at the page `next`. A member who has to do something first has just given the password.
    pub(crate) fn require_confirmed(
        &self,
        office: &BackOffice,
        next: &str,
    ) -> Result<(), OfficeError> {
        let since_ms = office.clock().now_ms() - self.confirmed_ms;
        if since_ms < millis(CONFIRMED_FOR) || self.pending.is_some() {
            Ok(())
        } else {
            Err(OfficeError::Unconfirmed(next.to_owned()))
        }
    }

    /// The address of this request's browser, for the audit log. Empty: unknown.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The log-in that replaces this one now that a second factor was proven or set up.
    pub(super) fn completed(&self, office: &BackOffice) -> LogIn {
        LogIn {
            step: LogInStep::Done,
            proof: self.proof,
            confirmed_ms: office.clock().now_ms(),
            provider_session_hash: self.provider_session_hash.clone(),
        }
    }

    /// Whether the code of the second factor is not given yet.
    pub(super) fn awaits_code(&self) -> bool {
        self.pending == Some(PendingStep::Code)
    }

    /// The same for the rest of this answer, after the second factor was set up and the browser got another token.
    pub(super) fn renewed(self, token: &str) -> LoginSession {
        LoginSession {
            token_hash: payframe_vault::hash(token),
            form_token: form_token_of(token),
            has_second_factor: true,
            pending: None,
            ..self
        }
    }
}

impl FromRequestParts<BackOffice> for LoginSession {
    type Rejection = OfficeError;

    async fn from_request_parts(
        parts: &mut Parts,
        office: &BackOffice,
    ) -> Result<LoginSession, OfficeError> {
        let next = (parts.method == Method::GET)
            .then(|| parts.uri.path_and_query().map(ToString::to_string))
            .flatten();
        let Ok(visit) = Visit::from_request_parts(parts, office).await;
        match LoginSession::of(office, &parts.headers, &visit).await? {
            None => Err(OfficeError::LoggedOut(next)),
            Some(login) => match login.pending {
                Some(step) if !step.allows(parts.uri.path()) => {
                    Err(OfficeError::Pending(step, next))
                }
                _ => Ok(login),
            },
        }
    }
}

/// The time of payments, for a note on every page, if it is ahead of the real time.
fn test_time(office: &BackOffice) -> Option<Moment> {
    let clock = office.payment_clock();
    (clock.ahead_ms() > 0).then(|| Moment(clock.now_ms()))
}

/// Ends all log-ins of a member who has a new second factor, and stores a new one for this browser. Returns the token for the cookie.
pub(super) async fn replace_all(
    office: &BackOffice,
    change: &mut Connection,
    login: &LoginSession,
    visit: &Visit,
) -> Result<String, OfficeError> {
    login_sessions::end_all(change, &login.member.id).await?;
    begin(
        office,
        change,
        &login.member,
        login.completed(office),
        visit,
    )
    .await
}

/// Stores a new log-in of a member. Returns the token for the cookie.
pub(super) async fn begin(
    office: &BackOffice,
    change: &mut Connection,
    member: &Member,
    log_in: LogIn,
    visit: &Visit,
) -> Result<String, OfficeError> {
    let token = payframe_vault::random_secret()?;
    let session = NewLoginSession {
        id: &payframe_vault::random_token()?,
        token_hash: &payframe_vault::hash(&token),
        member_id: &member.id,
        now_ms: office.clock().now_ms(),
        confirmed_ms: log_in.confirmed_ms,
        awaits_code: log_in.step == LogInStep::AwaitsCode,
        proof: log_in.proof,
        provider_session_hash: log_in.provider_session_hash.as_deref(),
        address: &visit.address_text(),
        browser: visit.browser,
    };
    login_sessions::add(change, &session).await?;
    if log_in.step == LogInStep::Done {
        members::put_active(change, &member.id, session.now_ms).await?;
    }
    Ok(token)
}

/// The open log-ins of a member, newest first.
pub(super) async fn open_of(
    office: &BackOffice,
    member: &Member,
) -> Result<Vec<ListedSession>, OfficeError> {
    let now_ms = office.clock().now_ms();
    let (started_after, used_after) = (now_ms - millis(HARD), now_ms - millis(IDLE));
    let mut connection = office.store().read().await?;
    let open = login_sessions::of_member(&mut connection, &member.id, started_after, used_after);
    Ok(open.await?)
}

fn form_token_of(token: &str) -> String {
    payframe_vault::hash(&format!("form {token}"))
}

/// A redirect to another page with a cookie: the token of a log-in, or `None` to delete the cookie.
pub(super) fn go_with_cookie(office: &BackOffice, address: &str, token: Option<&str>) -> Response {
    let mut response = web_pages::see_other(address);
    put_cookie(office, &mut response, token);
    response
}

/// Puts a cookie into an answer: the token of a log-in, or `None` to delete the cookie.
pub(super) fn put_cookie(office: &BackOffice, response: &mut Response, token: Option<&str>) {
    let name = cookie_name(office);
    let secure = if is_secure(office) { "; Secure" } else { "" };
    let ends = if token.is_some() { "" } else { "; Max-Age=0" };
    let cookie = format!(
        "{name}={}; Path=/office; HttpOnly; SameSite=Strict{secure}{ends}",
        token.unwrap_or_default()
    );
    // Our names and base64url are plain ASCII.
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
}

/// The token of the cookie in these headers.
pub(super) fn token_of<'a>(office: &BackOffice, headers: &'a HeaderMap) -> Option<&'a str> {
    web_pages::cookie_value(headers, cookie_name(office))
}

fn cookie_name(office: &BackOffice) -> &'static str {
    if is_secure(office) {
        "__Secure-payframe-office"
    } else {
        "payframe-office"
    }
}

/// Whether browsers reach the back office over https.
pub(super) fn is_secure(office: &BackOffice) -> bool {
    office.origin().starts_with("https://")
}

/// The detail of such a log-in in the audit log.
pub(super) const BY_EMERGENCY_ACCESS: &str = "by emergency access";
/// A log-in ends after this long without a call: PCI DSS 8.2.8 asks for 15 minutes at most.
const IDLE: Duration = Duration::from_secs(15 * 60);
/// A log-in ends after this long in any case.
pub(super) const HARD: Duration = Duration::from_secs(12 * 3600);
/// What can do the most harm is open for this long after the member gave the password or a code.
const CONFIRMED_FOR: Duration = Duration::from_secs(5 * 60);
/// A log-in that waits for a code ends after this long.
const HALF_OPEN: Duration = Duration::from_secs(10 * 60);
/// The time of the last call is stored at most this often, so that not every page changes the database.
const SEEN_STEP: Duration = Duration::from_secs(60);
