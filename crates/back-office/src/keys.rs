//! API keys: the list, making and revoking them. For administrators.

use super::error::OfficeError;
use super::form::{NoFields, Posted};
use super::login_session::LoginSession;
use super::moment::Moment;
use super::page::{LastAction, Layout, Section, show};
use super::secret;
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use payframe_payment_domain::back_office::{Act, Role};
use payframe_payment_domain::calendar::instant;
use payframe_payment_service::api_keys;
use payframe_storage::credentials::{self, Credential};
use payframe_storage::{Subject, audit, merchants};
use payframe_web_pages::see_other;
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route("/office/keys", get(list).post(make))
        .route("/office/keys/{id}/rotate", post(rotate))
        .route("/office/keys/{id}/revoke", get(ask).post(revoke))
}

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(done): Query<LastAction>,
) -> Result<Response, OfficeError> {
    login.require(Role::Administrator)?;
    let merchant_id = &login.member.merchant_id;
    let mut connection = office.store().read().await?;
    let terminals = merchants::terminals(&mut connection, merchant_id).await?;
    let keys = credentials::keys_of_merchant(&mut connection, merchant_id).await?;
    drop(connection);
    let now_ms = office.clock().now_ms();
    let layout = Layout::of(&login, Section::Keys, "API keys").after(&done, DONE);
    let keys = keys
        .into_iter()
        .map(|key| ShownKey::of(key, now_ms))
        .collect();
    Ok(show(
        StatusCode::OK,
        &ListPage {
            layout,
            terminals,
            keys,
        },
    ))
}

#[derive(Deserialize)]
struct KeyForm {
    terminal: String,
}

async fn make(
    State(office): State<BackOffice>,
    Posted { login, fields }: Posted<KeyForm>,
) -> Result<Response, OfficeError> {
    login.require(Role::Administrator)?;
    login.require_confirmed(&office, "/office/keys")?;
    let mut change = office.store().write(Subject::Gateway).await?;
    let owner = merchants::owner_of_terminal(&mut change, &fields.terminal).await?;
    if owner.as_ref() != Some(&login.member.merchant_id) {
        return Err(OfficeError::NotFound);
    }
    let now_ms = office.clock().now_ms();
    let made = api_keys::make(&mut change, office.vault(), &fields.terminal, now_ms).await?;
    let detail = format!("terminal {}", fields.terminal);
    let entry = login.entry(now_ms, Act::MakeKey, &made.id, &detail);
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    let about = format!(
        "The key {} of terminal {}. It is shown this once: put it where your server keeps its secrets.",
        made.id, fields.terminal
    );
    let layout = Layout::of(&login, Section::Keys, "A key was made");
    Ok(new_key_page(layout, &about, &made.key))
}

async fn rotate(
    State(office): State<BackOffice>,
    Path(id): Path<String>,
    Posted { login, .. }: Posted<NoFields>,
) -> Result<Response, OfficeError> {
    let former = named(&office, &login, &id).await?;
    login.require_confirmed(&office, "/office/keys")?;
    let now_ms = office.clock().now_ms();
    let mut change = office.store().write(Subject::Gateway).await?;
    let terminal_id = &former.terminal_id;
    let made = api_keys::follow(&mut change, office.vault(), &former.id, terminal_id, now_ms);
    let (made, ends_ms) = made.await?;
    let detail = format!("terminal {terminal_id}, followed by {}", made.id);
    let entry = login.entry(now_ms, Act::RotateKey, &former.id, &detail);
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    let about = format!(
        "The key {} of terminal {terminal_id} follows {}, which ends at the latest at {}. It is shown this once: put it where your \
         server keeps its secrets.",
        made.id,
        former.id,
        instant(ends_ms)
    );
    let layout = Layout::of(&login, Section::Keys, "A new key follows");
    Ok(new_key_page(layout, &about, &made.key))
}

async fn ask(
    State(office): State<BackOffice>,
    login: LoginSession,
    Path(id): Path<String>,
) -> Result<Response, OfficeError> {
    let key = named(&office, &login, &id).await?;
    let now_ms = office.clock().now_ms();
    let merchant_id = &login.member.merchant_id;
    let keys =
        credentials::keys_of_merchant(&mut *office.store().read().await?, merchant_id).await?;
    let is_last = !keys.iter().any(|other| {
        other.terminal_id == key.terminal_id && other.id != key.id && !has_ended(other, now_ms)
    });
    let page = RevokePage {
        layout: Layout::of(&login, Section::Keys, "Revoke an API key"),
        key: ShownKey::of(key, now_ms),
        is_last,
    };
    Ok(show(StatusCode::OK, &page))
}

async fn revoke(
    State(office): State<BackOffice>,
    Path(id): Path<String>,
    Posted { login, .. }: Posted<NoFields>,
) -> Result<Response, OfficeError> {
    let key = named(&office, &login, &id).await?;
    let now_ms = office.clock().now_ms();
    let mut change = office.store().write(Subject::Gateway).await?;
    credentials::end_key(&mut change, &key.id, now_ms).await?;
    let detail = format!("terminal {}", key.terminal_id);
    let entry = login.entry(now_ms, Act::RevokeKey, &key.id, &detail);
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    Ok(see_other("/office/keys?done=revoked"))
}

/// The merchant's key that the path names, for an administrator.
async fn named(
    office: &BackOffice,
    login: &LoginSession,
    id: &str,
) -> Result<Credential, OfficeError> {
    login.require(Role::Administrator)?;
    let merchant_id = &login.member.merchant_id;
    let keys =
        credentials::keys_of_merchant(&mut *office.store().read().await?, merchant_id).await?;
    keys.into_iter()
        .find(|key| key.id == id)
        .ok_or(OfficeError::NotFound)
}

fn new_key_page(layout: Layout<'_>, about: &str, key: &str) -> Response {
    secret::secret_page(layout, about, key, "/office/keys", "To the keys")
}

fn has_ended(key: &Credential, now_ms: i64) -> bool {
    key.ends_ms.is_some_and(|ends_ms| ends_ms <= now_ms)
}

/// A key as pages show it.
struct ShownKey {
    id: String,
    terminal_id: String,
    /// `None` for keys that the gateway sets up itself.
    made: Option<Moment>,
    ends: Option<Moment>,
    has_ended: bool,
}

impl ShownKey {
    fn of(key: Credential, now_ms: i64) -> ShownKey {
        ShownKey {
            made: (key.created_ms > 0).then_some(Moment(key.created_ms)),
            ends: key.ends_ms.map(Moment),
            has_ended: has_ended(&key, now_ms),
            id: key.id,
            terminal_id: key.terminal_id,
        }
    }
}

#[derive(Template)]
#[template(path = "office-keys.html")]
struct ListPage<'a> {
    layout: Layout<'a>,
    terminals: Vec<String>,
    keys: Vec<ShownKey>,
}

#[derive(Template)]
#[template(path = "office-key-revoke.html")]
struct RevokePage<'a> {
    layout: Layout<'a>,
    key: ShownKey,
    /// Whether it is the only key of its terminal.
    is_last: bool,
}

const DONE: &[(&str, &str)] = &[("revoked", "The key was revoked. Calls with it are refused.")];
