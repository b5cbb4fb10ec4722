//! What a watched page was made of: its scripts, policies and security headers, what changed, and what members decided about each.

use super::display::address;
use super::error::OfficeError;
use super::filter::FieldErrors;
use super::form::Posted;
use super::labels::Badge;
use super::login_session::LoginSession;
use super::moment::Moment;
use super::page::{LastAction, Layout, Section, show};
use super::page_watch_parts::{PATH, is_named, kind, must_own, path_of_page, state};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::back_office::{Act, Role};
use payframe_payment_domain::page_watch::EntryKind;
use payframe_storage::page_watch::{self, Judgement, PageEntry};
use payframe_storage::{Subject, audit};
use payframe_web_pages::see_other;
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route("/office/page-watch/{terminal}/entries", get(list))
        .route(
            "/office/page-watch/{terminal}/entries/{entry}",
            get(ask).post(judge),
        )
}

/// An entry as the list shows it.
struct ShownEntry {
    path: String,
    kind: &'static str,
    /// Where it comes from, for lists: two scripts in the page differ in the beginning of their hash.
    place: String,
    source: String,
    hash: String,
    integrity: bool,
    first: Moment,
    gone: Option<Moment>,
    replaces: Option<String>,
    justification: String,
    judged: Option<(String, Moment)>,
    badge: Badge,
}

impl ShownEntry {
    fn of(entry: PageEntry) -> ShownEntry {
        let badge = state(&entry);
        let told = entry.known.entry;
        ShownEntry {
            path: address(
                &format!("{PATH}/{}/entries/{}", entry.terminal_id, told.id.exact),
                &[("page", entry.page.as_str())],
            ),
            kind: kind(told.kind),
            place: match told.source.as_str() {
                "" => format!("the page ({}…)", told.hash.get(..8).unwrap_or_default()),
                source => source.to_owned(),
            },
            source: told.source,
            hash: told.hash,
            integrity: told.has_integrity,
            first: Moment(entry.first_ms),
            gone: entry.gone_ms.map(Moment),
            replaces: entry.replaces,
            justification: entry.justification,
            judged: entry.judged.map(|(by, at_ms)| (by, Moment(at_ms))),
            badge,
        }
    }
}

/// The parameters of the address.
#[derive(Default, Deserialize)]
#[serde(default)]
struct EntriesQuery {
    page: String,
    /// `open`: only what nobody has decided about.
    state: String,
}

async fn list(
    State(office): State<BackOffice>,
    Path(terminal_id): Path<String>,
    login: LoginSession,
    Query(query): Query<EntriesQuery>,
    Query(done): Query<LastAction>,
) -> Result<Response, OfficeError> {
    let mut connection = office.store().read().await?;
    must_own(&mut connection, &login, &terminal_id).await?;
    let found = page_watch::page(&mut connection, &terminal_id, &query.page).await?;
    let watched = found.ok_or(OfficeError::NotFound)?;
    let entries = page_watch::of_page(&mut connection, &terminal_id, &query.page).await?;
    drop(connection);
    let rows = entries
        .into_iter()
        .filter(|entry| query.state != OPEN || entry.is_open());
    let page = EntriesPage {
        layout: Layout::of(&login, Section::PageWatch, "Parts of a page").after(&done, DONE),
        only_open: query.state == OPEN,
        all: path_of_page(&terminal_id, &query.page),
        open: address(
            &format!("{PATH}/{terminal_id}/entries"),
            &[("page", query.page.as_str()), ("state", OPEN)],
        ),
        terminal_id,
        page: query.page,
        loads: watched.loads,
        first: Moment(watched.first_ms),
        last: Moment(watched.last_ms),
        headers: watched.headers_ms.map(Moment),
        rows: rows.map(ShownEntry::of).collect(),
    };
    Ok(show(StatusCode::OK, &page))
}

/// What a member decides, as it was typed.
#[derive(Default, Deserialize)]
#[serde(default)]
struct JudgeForm {
    justification: String,
    /// The button that was pressed.
    decision: String,
    /// Not empty if the content differs at each load.
    varies: String,
    /// The page that the member comes from.
    page: String,
}

async fn ask(
    State(office): State<BackOffice>,
    Path((terminal_id, fingerprint)): Path<(String, String)>,
    login: LoginSession,
    Query(query): Query<EntriesQuery>,
) -> Result<Response, OfficeError> {
    let entries = entries_named(&office, &login, &terminal_id, &fingerprint).await?;
    let first = entries.iter().find(|entry| entry.page == query.page);
    let first = first.or(entries.first()).ok_or(OfficeError::NotFound)?;
    let form = JudgeForm {
        justification: first.justification.clone(),
        decision: String::new(),
        varies: if first.known.varies { "on" } else { "" }.to_owned(),
        page: first.page.clone(),
    };
    Ok(one(&login, &entries, &form, FieldErrors::default()))
}

async fn judge(
    State(office): State<BackOffice>,
    Path((terminal_id, fingerprint)): Path<(String, String)>,
    Posted {
        login,
        fields: form,
    }: Posted<JudgeForm>,
) -> Result<Response, OfficeError> {
    login.require(Role::Administrator)?;
    let entries = entries_named(&office, &login, &terminal_id, &fingerprint).await?;
    let justification = form.justification.trim();
    if justification.is_empty() || justification.chars().count() > LONGEST_JUSTIFICATION {
        let mut errors = FieldErrors::default();
        let accepted = format!("Write why, in at most {LONGEST_JUSTIFICATION} characters.");
        errors.add("justification", accepted);
        return Ok(one(&login, &entries, &form, errors));
    }
    let is_authorized = form.decision == "authorize";
    let varies = is_authorized && !form.varies.is_empty();
    let judgement = Judgement {
        is_authorized,
        varies,
        justification,
        by: &login.member.name,
        at_ms: office.payment_clock().now_ms(),
    };
    let mut change = office
        .store()
        .write(Subject::PageWatch(&terminal_id))
        .await?;
    page_watch::judge(&mut change, &terminal_id, &fingerprint, &judgement).await?;
    let act = match is_authorized {
        true => Act::AuthorizePageEntry,
        false => Act::WithdrawPageEntry,
    };
    let entry = entries.first().map(|entry| &entry.known.entry);
    let detail = entry.map_or_else(String::new, |entry| {
        let varies = if varies { ", differs at each load" } else { "" };
        let (kind, source) = (entry.kind.code(), &entry.source);
        format!("{kind} {source}{varies}: {justification}")
    });
    let subject = format!("terminal {terminal_id}, {fingerprint}");
    let now_ms = office.clock().now_ms();
    audit::add(&mut change, &login.entry(now_ms, act, &subject, &detail)).await?;
    change.commit().await?;
    let list = path_of_page(&terminal_id, &form.page);
    Ok(see_other(&format!("{list}&done=decided")))
}

/// The entries with this fingerprint; at least one.
async fn entries_named(
    office: &BackOffice,
    login: &LoginSession,
    terminal_id: &str,
    fingerprint: &str,
) -> Result<Vec<PageEntry>, OfficeError> {
    let mut connection = office.store().read().await?;
    must_own(&mut connection, login, terminal_id).await?;
    let found = page_watch::with_fingerprint(&mut connection, terminal_id, fingerprint).await?;
    is_named(!found.is_empty())?;
    Ok(found)
}

fn one(
    login: &LoginSession,
    entries: &[PageEntry],
    form: &JudgeForm,
    errors: FieldErrors,
) -> Response {
    let shown = entries.iter().find(|entry| entry.page == form.page);
    let Some(entry) = shown.or(entries.first()).cloned() else {
        return axum::response::IntoResponse::into_response(OfficeError::NotFound);
    };
    let page = EntryPage {
        layout: Layout::of(login, Section::PageWatch, kind(entry.known.entry.kind)),
        may_judge: login.may(Role::Administrator),
        back: path_of_page(&entry.terminal_id, &entry.page),
        can_vary: entry.known.entry.kind != EntryKind::Rest,
        pages: entries.iter().map(|entry| entry.page.clone()).collect(),
        shown: ShownEntry::of(entry),
        form,
        errors,
    };
    show(page.errors.status(), &page)
}

#[derive(Template)]
#[template(path = "office-page-entries.html")]
struct EntriesPage<'a> {
    layout: Layout<'a>,
    terminal_id: String,
    page: String,
    loads: i64,
    first: Moment,
    last: Moment,
    headers: Option<Moment>,
    rows: Vec<ShownEntry>,
    only_open: bool,
    all: String,
    open: String,
}

#[derive(Template)]
#[template(path = "office-page-entry.html")]
struct EntryPage<'a> {
    layout: Layout<'a>,
    shown: ShownEntry,
    pages: Vec<String>,
    may_judge: bool,
    can_vary: bool,
    back: String,
    form: &'a JudgeForm,
    errors: FieldErrors,
}

/// Sentences about the last action.
const DONE: &[(&str, &str)] = &[(
    "decided",
    "Your decision is kept, for all pages of the terminal.",
)];

const OPEN: &str = "open";
const LONGEST_JUSTIFICATION: usize = 500;
