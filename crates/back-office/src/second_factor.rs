//! A member's own second factor: setting an authenticator app up, new recovery codes, removing it. And checking what somebody typed.
//!
//! The page that shows a new secret stores nothing: the form carries the secret, encrypted for this log-in, and it is stored once a code
//! proves that the app has it.

use super::authenticator::{self, Authenticator};
use super::error::OfficeError;
use super::form::{NoFields, Posted};
use super::login_session::{self, LogInStep, LoginSession};
use super::moment::Moment;
use super::page::{LastAction, Layout, Section, show};
use super::password;
use super::visit::Visit;
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use payframe_payment_domain::back_office::Act;
use payframe_storage::members::Member;
use payframe_storage::{Connection, Subject, audit, login_sessions, second_factors};
use payframe_web_pages::see_other;
use serde::Deserialize;
use url::Url;
use zeroize::Zeroizing;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route(PATH, get(show_factor))
        .route(&format!("{PATH}/new"), get(ask).post(set_up))
        .route(&format!("{PATH}/recovery-codes"), post(make_recovery_codes))
        .route(&format!("{PATH}/remove"), post(remove))
}

async fn show_factor(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(done): Query<LastAction>,
) -> Result<Response, OfficeError> {
    let mut connection = office.store().read().await?;
    let factor = second_factors::find(&mut connection, &login.member.id).await?;
    let left = second_factors::recovery_codes(&mut connection, &login.member.id).await?;
    let page = FactorPage {
        layout: Layout::of(&login, Section::SecondFactor, TITLE).after(&done, DONE),
        since: factor.map(|factor| Moment(factor.created_ms)),
        left,
        is_required: office.settings().requires_second_factor,
    };
    Ok(show(StatusCode::OK, &page))
}

async fn ask(
    State(office): State<BackOffice>,
    login: LoginSession,
) -> Result<Response, OfficeError> {
    login.require_confirmed(&office, &format!("{PATH}/new"))?;
    let secret = authenticator::new_secret()?;
    set_up_page(&office, &login, StatusCode::OK, secret.as_slice(), "")
}

#[derive(Deserialize)]
struct SetUpForm {
    secret: String,
    code: String,
}

async fn set_up(
    State(office): State<BackOffice>,
    visit: Visit,
    Posted { login, fields }: Posted<SetUpForm>,
) -> Result<Response, OfficeError> {
    login.require_confirmed(&office, &format!("{PATH}/new"))?;
    let Some(secret) = read_secret(&office, &login, &fields.secret) else {
        return Err(OfficeError::incomplete());
    };
    let now_ms = office.clock().now_ms();
    let member = &login.member;
    let app = Authenticator::new(&secret, &gateway_name(&office), &member.email);
    let Some(step) = app.step_of(&without_spaces(&fields.code), now_ms) else {
        return set_up_page(&office, &login, StatusCode::BAD_REQUEST, &secret, WRONG);
    };
    let belongs_to = authenticator::belongs_to(&member.id);
    let encrypted = office.vault().encrypt(&secret, &belongs_to);
    let encrypted = encrypted.map_err(payframe_payment_service::PaymentError::from)?;
    let codes = RecoveryCodes::generate(&office, member)?;
    let mut change = office
        .store()
        .write(Subject::Merchant(&member.merchant_id))
        .await?;
    second_factors::put(&mut change, &member.id, &encrypted, step, now_ms).await?;
    second_factors::put_recovery_codes(&mut change, &member.id, &codes.hashes).await?;
    // All log-ins end; this browser gets a new one.
    login_sessions::end_all(&mut change, &member.id).await?;
    let token = login_session::begin(&office, &mut change, member, LogInStep::Done, &visit).await?;
    let entry = login.entry(now_ms, Act::SetUpSecondFactor, "", "");
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    let login = login.renewed(&token);
    let layout = Layout::of(&login, Section::SecondFactor, "Your recovery codes");
    let mut page = codes.page(layout);
    login_session::put_cookie(&office, &mut page, Some(&token));
    Ok(page)
}

async fn make_recovery_codes(
    State(office): State<BackOffice>,
    Posted { login, .. }: Posted<NoFields>,
) -> Result<Response, OfficeError> {
    if !login.has_second_factor {
        return Err(OfficeError::NotFound);
    }
    login.require_confirmed(&office, PATH)?;
    let member = &login.member;
    let codes = RecoveryCodes::generate(&office, member)?;
    let mut change = office
        .store()
        .write(Subject::Merchant(&member.merchant_id))
        .await?;
    second_factors::put_recovery_codes(&mut change, &member.id, &codes.hashes).await?;
    let now_ms = office.clock().now_ms();
    let entry = login.entry(now_ms, Act::MakeRecoveryCodes, "", "");
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    let layout = Layout::of(&login, Section::SecondFactor, "Your recovery codes");
    Ok(codes.page(layout))
}

async fn remove(
    State(office): State<BackOffice>,
    Posted { login, .. }: Posted<NoFields>,
) -> Result<Response, OfficeError> {
    if office.settings().requires_second_factor || !login.has_second_factor {
        return Err(OfficeError::NotFound);
    }
    login.require_confirmed(&office, PATH)?;
    let member = &login.member;
    let mut change = office
        .store()
        .write(Subject::Merchant(&member.merchant_id))
        .await?;
    second_factors::remove(&mut change, &member.id).await?;
    login_sessions::end_others(&mut change, &member.id, &login.token_hash).await?;
    let now_ms = office.clock().now_ms();
    let entry = login.entry(now_ms, Act::RemoveSecondFactor, "", "");
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    Ok(see_other(&format!("{PATH}?done=removed")))
}

/// What a member gave as the second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GivenFactor {
    /// The code of the app.
    Code,
    /// A recovery code. So many are left.
    RecoveryCode(i64),
}

/// Checks a typed code of the app, or a recovery code, and uses it up. `None`: it is wrong, or was used before.
pub(super) async fn use_code(
    office: &BackOffice,
    change: &mut Connection,
    member: &Member,
    typed: &str,
) -> Result<Option<GivenFactor>, OfficeError> {
    let Some(factor) = second_factors::find(change, &member.id).await? else {
        return Ok(None);
    };
    let belongs_to = authenticator::belongs_to(&member.id);
    let secret = office
        .vault()
        .decrypt(&factor.encrypted_secret, &belongs_to)
        .map_err(|_| payframe_storage::StoreError::Unreadable("second factor"))?;
    let app = Authenticator::new(&secret, "", "");
    let typed = without_spaces(typed);
    if let Some(step) = app.step_of(&typed, office.clock().now_ms()) {
        let is_new = second_factors::use_step(change, &member.id, step).await?;
        return Ok(is_new.then_some(GivenFactor::Code));
    }
    let hash = recovery_hash(office, member, &typed);
    if !second_factors::use_recovery_code(change, &member.id, &hash).await? {
        return Ok(None);
    }
    let left = second_factors::recovery_codes(change, &member.id).await?;
    Ok(Some(GivenFactor::RecoveryCode(left)))
}

/// New recovery codes: the texts for the page that shows them once, and the hashes to store.
struct RecoveryCodes {
    texts: Vec<Zeroizing<String>>,
    hashes: Vec<String>,
}

impl RecoveryCodes {
    fn generate(office: &BackOffice, member: &Member) -> Result<RecoveryCodes, OfficeError> {
        let texts: Result<Vec<_>, _> = (0..RECOVERY_CODES)
            .map(|_| password::readable::<RECOVERY_LETTERS>())
            .collect();
        let texts = texts?;
        let hashes = texts
            .iter()
            .map(|text| recovery_hash(office, member, &without_spaces(text)))
            .collect();
        Ok(RecoveryCodes { texts, hashes })
    }

    fn page(&self, layout: Layout<'_>) -> Response {
        let codes = self.texts.iter().map(|text| text.as_str()).collect();
        show(StatusCode::OK, &CodesPage { layout, codes })
    }
}

/// The stored hash of a recovery code that was typed. It is keyed: without the vault nobody can try codes on a copy of the tables.
fn recovery_hash(office: &BackOffice, member: &Member, typed: &str) -> String {
    let typed = typed.to_lowercase();
    let parts = ["recovery code", &member.id, &typed].map(str::as_bytes);
    office.vault().fingerprint(&parts)
}

/// As people type codes: with spaces or hyphens between groups.
fn without_spaces(typed: &str) -> Zeroizing<String> {
    let is_kept = |c: &char| !c.is_whitespace() && *c != '-';
    Zeroizing::new(typed.chars().filter(is_kept).collect())
}

/// The name in the list of the app.
fn gateway_name(office: &BackOffice) -> String {
    let origin = Url::parse(office.origin()).ok();
    let host = origin.as_ref().and_then(Url::host_str);
    format!("Back office {}", host.unwrap_or_default())
}

/// The secret as the form carries it: encrypted for this log-in.
fn sealed_secret(
    office: &BackOffice,
    login: &LoginSession,
    secret: &[u8],
) -> Result<String, OfficeError> {
    let encrypted = office.vault().encrypt(secret, &set_up_of(login));
    let encrypted = encrypted.map_err(payframe_payment_service::PaymentError::from)?;
    Ok(URL_SAFE_NO_PAD.encode(encrypted))
}

fn read_secret(
    office: &BackOffice,
    login: &LoginSession,
    sealed: &str,
) -> Option<Zeroizing<Vec<u8>>> {
    let encrypted = URL_SAFE_NO_PAD.decode(sealed).ok()?;
    office.vault().decrypt(&encrypted, &set_up_of(login)).ok()
}

fn set_up_of(login: &LoginSession) -> String {
    format!("second factor of log-in {}", login.token_hash)
}

fn set_up_page(
    office: &BackOffice,
    login: &LoginSession,
    status: StatusCode,
    secret: &[u8],
    problem: &str,
) -> Result<Response, OfficeError> {
    let app = Authenticator::new(secret, &gateway_name(office), &login.member.email);
    let page = SetUpPage {
        layout: Layout::of(login, Section::SecondFactor, "Set up your second factor"),
        picture: app.picture(),
        typed_secret: app.secret_text(),
        sealed_secret: sealed_secret(office, login, secret)?,
        is_required: office.settings().requires_second_factor && !login.has_second_factor,
        problem,
    };
    Ok(show(status, &page))
}

#[derive(Template)]
#[template(path = "office-factor.html")]
struct FactorPage<'a> {
    layout: Layout<'a>,
    /// When the app was set up; `None`: there is none.
    since: Option<Moment>,
    /// How many recovery codes are left.
    left: i64,
    is_required: bool,
}

#[derive(Template)]
#[template(path = "office-factor-new.html")]
struct SetUpPage<'a> {
    layout: Layout<'a>,
    /// SVG of ours.
    picture: String,
    typed_secret: String,
    sealed_secret: String,
    /// Whether the member can do nothing else before.
    is_required: bool,
    /// Why the last code was refused; empty on the first page.
    problem: &'a str,
}

#[derive(Template)]
#[template(path = "office-recovery-codes.html")]
struct CodesPage<'a> {
    layout: Layout<'a>,
    codes: Vec<&'a str>,
}

pub(super) const PATH: &str = "/office/second-factor";
const TITLE: &str = "Your second factor";
const DONE: &[(&str, &str)] = &[(
    "removed",
    "The second factor was removed. Everywhere else you are logged out.",
)];
const WRONG: &str = "This is not the code that the app shows now. Codes change every 30 seconds. Check the clock of your telephone.";
const RECOVERY_CODES: usize = 10;
/// 60 random bits.
const RECOVERY_LETTERS: usize = 12;
