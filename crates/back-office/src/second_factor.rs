//! A member's own second factors: the page that lists them, setting an authenticator app up, new recovery codes, removing the app. And
//! checking what somebody typed.
//!
//! The page that shows a new secret stores nothing: the form carries the secret, encrypted for this log-in, and it is stored once a code
//! proves that the app has it.

use super::authenticator::{self, Authenticator};
use super::error::OfficeError;
use super::form::{NoFields, Posted};
use super::login_session::{self, LoginSession};
use super::moment::Moment;
use super::page::{LastAction, Layout, Section, show};
use super::pending_step::{NEW_APP_PAGE, SECOND_FACTOR_PAGE as PATH};
use super::recovery_codes::{RecoveryCodes, use_recovery_code, without_spaces};
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
use payframe_storage::passkeys;
use payframe_storage::{Connection, Subject, audit, login_sessions, second_factors};
use payframe_web_pages::see_other;
use serde::Deserialize;
use url::Url;
use zeroize::Zeroizing;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route(PATH, get(show_factor))
        .route(NEW_APP_PAGE, get(ask).post(set_up))
        .route(&format!("{PATH}/recovery-codes"), post(make_recovery_codes))
        .route(&format!("{PATH}/remove"), post(remove))
}

async fn show_factor(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(done): Query<LastAction>,
) -> Result<Response, OfficeError> {
    let mut connection = office.store().read().await?;
    let member_id = &login.member.id;
    let app = second_factors::find(&mut connection, member_id).await?;
    let passkeys = passkeys::of_member(&mut connection, member_id).await?;
    let left = second_factors::recovery_codes(&mut connection, member_id).await?;
    drop(connection);
    let factors = usize::from(app.is_some()) + passkeys.len();
    let page = FactorPage {
        layout: Layout::of(&login, Section::SecondFactor, TITLE).after(&done, DONE),
        app_since: app.map(|app| Moment(app.created_ms)),
        passkeys: passkeys
            .into_iter()
            .map(|passkey| ShownPasskey {
                id: passkey.id,
                name: passkey.name,
                added: Moment(passkey.created_ms),
                used: passkey.used_ms.map(Moment),
            })
            .collect(),
        has_passkeys: office.relying_party().is_some(),
        left: (factors > 0).then_some(left),
        may_remove: factors > 1 || !office.settings().requires_second_factor,
    };
    Ok(show(StatusCode::OK, &page))
}

async fn ask(
    State(office): State<BackOffice>,
    login: LoginSession,
) -> Result<Response, OfficeError> {
    login.require_confirmed(&office, NEW_APP_PAGE)?;
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
    login.require_confirmed(&office, NEW_APP_PAGE)?;
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
    codes.put(&mut change, member).await?;
    let token = login_session::replace_all(&office, &mut change, &login, &visit).await?;
    let entry = login.entry(now_ms, Act::SetUpSecondFactor, "", "");
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    let login = login.renewed(&token);
    let mut page = codes.page(&login);
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
    codes.put(&mut change, member).await?;
    let now_ms = office.clock().now_ms();
    let entry = login.entry(now_ms, Act::MakeRecoveryCodes, "", "");
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    Ok(codes.page(&login))
}

async fn remove(
    State(office): State<BackOffice>,
    Posted { login, .. }: Posted<NoFields>,
) -> Result<Response, OfficeError> {
    login.require_confirmed(&office, PATH)?;
    let member = &login.member;
    let mut change = office
        .store()
        .write(Subject::Merchant(&member.merchant_id))
        .await?;
    if !second_factors::remove_app(&mut change, &member.id).await? {
        return Err(OfficeError::NotFound);
    }
    if second_factors::count(&mut change, &member.id).await? == 0 {
        if office.settings().requires_second_factor {
            // The change is not committed.
            return Err(OfficeError::NotFound);
        }
        second_factors::put_recovery_codes(&mut change, &member.id, &[]).await?;
    }
    login_sessions::end_others(&mut change, &member.id, &login.token_hash).await?;
    let now_ms = office.clock().now_ms();
    let entry = login.entry(now_ms, Act::RemoveSecondFactor, "", "");
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    Ok(see_other(&format!("{PATH}?done=removed")))
}

/// The message about a code that was not accepted.
pub(super) const WRONG_CODE: &str =
    "This code is wrong, or it was used before. Wait for the next code of your app.";

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
    if let Some(app) = second_factors::find(change, &member.id).await? {
        let belongs_to = authenticator::belongs_to(&member.id);
        let secret = office
            .vault()
            .decrypt(&app.encrypted_secret, &belongs_to)
            .map_err(|_| payframe_storage::StoreError::Unreadable("second factor"))?;
        let app = Authenticator::new(&secret, "", "");
        if let Some(step) = app.step_of(&without_spaces(typed), office.clock().now_ms()) {
            let is_new = second_factors::use_step(change, &member.id, step).await?;
            return Ok(is_new.then_some(GivenFactor::Code));
        }
    }
    let left = use_recovery_code(office, change, member, typed).await?;
    Ok(left.map(GivenFactor::RecoveryCode))
}

/// Whether a member has an authenticator app.
pub(super) async fn has_app(office: &BackOffice, member: &Member) -> Result<bool, OfficeError> {
    let mut connection = office.store().read().await?;
    let app = second_factors::find(&mut connection, &member.id).await?;
    Ok(app.is_some())
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
        has_passkeys: office.relying_party().is_some(),
        problem,
    };
    Ok(show(status, &page))
}

#[derive(Template)]
#[template(path = "office-factor.html")]
struct FactorPage<'a> {
    layout: Layout<'a>,
    /// When the app was set up; `None`: there is none.
    app_since: Option<Moment>,
    passkeys: Vec<ShownPasskey>,
    /// Whether browsers use passkeys here.
    has_passkeys: bool,
    /// How many recovery codes are left. `None`: there is no second factor that they could stand in for.
    left: Option<i64>,
    /// Whether the member may remove one of the second factors.
    may_remove: bool,
}

/// A passkey in the list.
struct ShownPasskey {
    id: String,
    name: String,
    added: Moment,
    /// `None`: never.
    used: Option<Moment>,
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
    /// Whether browsers use passkeys here.
    has_passkeys: bool,
    /// Why the last code was refused; empty on the first page.
    problem: &'a str,
}

const TITLE: &str = "Your second factor";
const DONE: &[(&str, &str)] = &[
    (
        "removed",
        "The authenticator app was removed. Everywhere else you are logged out.",
    ),
    (
        "passkey-added",
        "The passkey was added. Everywhere else you are logged out.",
    ),
    (
        "passkey-removed",
        "The passkey was removed. Everywhere else you are logged out.",
    ),
];
const WRONG: &str = "This is not the code that the app shows now. Codes change every 30 seconds. Check the clock of your telephone.";
