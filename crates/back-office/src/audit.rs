//! The audit log: who did what, and when. For administrators.

use super::error::OfficeError;
use super::login_session::LoginSession;
use super::moment::Moment;
use super::page::{Layout, Section, show};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::back_office::{Act, Role};
use payframe_payment_domain::calendar::parse_instant;
use payframe_storage::audit::{self, EntryFilter, EntryRow};
use payframe_storage::members::{self, Member};
use payframe_storage::{Subject, cut_page, login_sessions};
use serde::{Deserialize, Serialize};

pub(super) fn router() -> Router<BackOffice> {
    Router::new().route("/office/audit", get(list))
}

/// The filter from the address. An empty or unreadable value filters nothing.
#[derive(Clone, Default, Deserialize, Serialize)]
#[serde(default)]
struct AuditQuery {
    member: String,
    act: String,
    /// Days in UTC, as 2026-11-20; both are within.
    from: String,
    to: String,
    /// Number of the entry that the page begins after.
    before: String,
}

impl AuditQuery {
    fn filter(&self) -> EntryFilter<'_> {
        EntryFilter {
            member_id: Some(self.member.as_str()).filter(|id| !id.is_empty()),
            act: Act::from_code(&self.act),
            from_ms: day(&self.from),
            to_ms: day(&self.to).map(|start_ms| start_ms + DAY_MS),
            before: self.before.parse().ok(),
        }
    }

    fn narrows(&self) -> bool {
        ![&self.member, &self.act, &self.from, &self.to]
            .into_iter()
            .all(String::is_empty)
    }

    /// The address of the entries that follow this one.
    fn after(&self, seq: i64) -> String {
        let mut address = url::form_urlencoded::Serializer::new(String::from("/office/audit?"));
        for (name, value) in [
            ("member", &self.member),
            ("act", &self.act),
            ("from", &self.from),
            ("to", &self.to),
        ] {
            if !value.is_empty() {
                address.append_pair(name, value);
            }
        }
        address.append_pair("before", &seq.to_string());
        address.finish()
    }
}

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(query): Query<AuditQuery>,
) -> Result<Response, OfficeError> {
    login.require(Role::Administrator)?;
    note_reading(&office, &login).await?;
    let merchant_id = &login.member.merchant_id;
    let mut connection = office.store().read().await?;
    let members = members::of_merchant(&mut connection, merchant_id).await?;
    let mut entries = audit::list(&mut connection, merchant_id, &query.filter(), PAGE + 1).await?;
    drop(connection);
    let older = cut_page(&mut entries, PAGE as usize).map(|last| query.after(last.seq));
    let page = AuditPage {
        layout: Layout::of(&login, Section::Audit, "Audit log"),
        entries,
        members,
        acts: &Act::ALL,
        older,
        query,
    };
    Ok(show(StatusCode::OK, &page))
}

/// Reading leaves an entry too: one for each log-in and hour, so that pages and filters do not fill the log.
async fn note_reading(office: &BackOffice, login: &LoginSession) -> Result<(), OfficeError> {
    let now_ms = office.clock().now_ms();
    let mut change = office.store().write(Subject::Statement).await?;
    let token_hash = &login.token_hash;
    let before_ms = now_ms - HOUR_MS;
    if login_sessions::note_audit_read(&mut change, token_hash, now_ms, before_ms).await? {
        let entry = login.entry(now_ms, Act::ReadAuditLog, "", "");
        audit::add(&mut change, &entry).await?;
        change.commit().await?;
    }
    Ok(())
}

/// The first instant of a day.
fn day(text: &str) -> Option<i64> {
    parse_instant(&format!("{text}T00:00:00Z"))
}

#[derive(Template)]
#[template(path = "office-audit.html")]
struct AuditPage<'a> {
    layout: Layout<'a>,
    entries: Vec<EntryRow>,
    members: Vec<Member>,
    acts: &'static [Act],
    query: AuditQuery,
    /// The address of older entries.
    older: Option<String>,
}

impl AuditPage<'_> {
    fn moment(&self, entry: &EntryRow) -> Moment {
        Moment(entry.at_ms)
    }

    fn who(&self, entry: &EntryRow) -> String {
        match (&entry.member, &entry.key_id, &entry.os_user) {
            (Some(member), ..) => member.clone(),
            (None, Some(key_id), _) => format!("API key {key_id}"),
            (None, None, Some(os_user)) => format!("Command on the gateway, by {os_user}"),
            (None, None, None) => String::from("The gateway"),
        }
    }
}

const PAGE: i64 = 50;
const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 86_400_000;
