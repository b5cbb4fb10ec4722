//! Watched pages: which pages of the merchant browsers reported, the export for an assessor, and the setting of a terminal.
//! [`super::page_entries`] shows what a page was made of.

use super::error::OfficeError;
use super::filter::FieldErrors;
use super::form::Posted;
use super::login_session::LoginSession;
use super::moment::Moment;
use super::page::{LastAction, Layout, Section, show};
use super::page_watch_parts::{PATH, kind, must_own, path_of_page, state};
use super::spreadsheet::{Cell, Spreadsheet};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::back_office::{Act, Role};
use payframe_payment_domain::calendar::instant;
use payframe_payment_domain::page_watch::PageWatch;
use payframe_storage::page_watch::{self, PageEntry};
use payframe_storage::{Subject, audit, merchants};
use payframe_web_pages::see_other;
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route(PATH, get(list))
        .route("/office/page-watch.csv", get(export))
        .route("/office/page-watch/{terminal}", get(ask).post(change))
}

/// A terminal as the list shows it.
struct ShownTerminal {
    id: String,
    /// How many loads are reported, in words; empty where pages are not watched.
    sample: String,
    pages: Vec<ShownPage>,
}

/// A page as the list shows it.
struct ShownPage {
    path: String,
    page: String,
    loads: i64,
    last: Moment,
    entries: i64,
    undecided: i64,
}

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(done): Query<LastAction>,
) -> Result<Response, OfficeError> {
    let mut connection = office.store().read().await?;
    let mut terminals = Vec::new();
    for id in merchants::terminals(&mut connection, &login.member.merchant_id).await? {
        let watch = merchants::terminal(&mut connection, &id).await?.page_watch;
        let counts = page_watch::counts(&mut connection, &id).await?;
        let pages = page_watch::pages(&mut connection, &id).await?;
        let pages = pages.into_iter().map(|page| {
            let (entries, undecided) = counts.get(&page.page).copied().unwrap_or_default();
            ShownPage {
                path: path_of_page(&id, &page.page),
                page: page.page,
                loads: page.loads,
                last: Moment(page.last_ms),
                entries,
                undecided,
            }
        });
        terminals.push(ShownTerminal {
            sample: sample(watch),
            pages: pages.collect(),
            id,
        });
    }
    drop(connection);
    let page = ListPage {
        layout: Layout::of(&login, Section::PageWatch, "Watched pages").after(&done, DONE),
        may_set: login.may(Role::Administrator),
        has_pages: terminals.iter().any(|terminal| !terminal.pages.is_empty()),
        terminals,
    };
    Ok(show(StatusCode::OK, &page))
}

fn sample(watch: PageWatch) -> String {
    match watch.one_of() {
        0 => String::new(),
        1 => String::from("Every load"),
        one_of => format!("1 load of {one_of}"),
    }
}

async fn export(
    State(office): State<BackOffice>,
    login: LoginSession,
) -> Result<Response, OfficeError> {
    let merchant_id = &login.member.merchant_id;
    let mut sheet = Spreadsheet::new(&[
        "Terminal",
        "Page",
        "Kind",
        "Source",
        "SHA-256",
        "Integrity attribute",
        "State",
        "First seen",
        "Gone since",
        "SHA-256 before",
        "Alarm",
        "Differs at each load",
        "Justification",
        "Decided by",
        "Decided at",
    ])?;
    let mut connection = office.store().read().await?;
    let mut behind = (String::new(), String::new(), String::new());
    while !sheet.is_full() {
        let place = (behind.0.as_str(), behind.1.as_str(), behind.2.as_str());
        let rows = page_watch::list(&mut connection, merchant_id, place, AT_ONCE).await?;
        let Some(last) = rows.last() else { break };
        behind = (
            last.terminal_id.clone(),
            last.page.clone(),
            last.known.entry.id.exact.clone(),
        );
        for row in &rows {
            add_row(&mut sheet, row)?;
        }
    }
    sheet.answer("page-watch.csv")
}

fn add_row(sheet: &mut Spreadsheet, row: &PageEntry) -> Result<(), OfficeError> {
    let entry = &row.known.entry;
    let yes_or_no = |is_so: bool| Cell::Text(if is_so { "yes" } else { "no" });
    let judged = row.judged.as_ref();
    sheet.row(&[
        Cell::Text(&row.terminal_id),
        Cell::Text(&row.page),
        Cell::Text(kind(entry.kind)),
        Cell::Text(&entry.source),
        Cell::Text(&entry.hash),
        yes_or_no(entry.has_integrity),
        Cell::Text(state(row).text),
        Cell::Text(&instant(row.first_ms)),
        Cell::maybe(row.gone_ms.map(instant).as_deref()),
        Cell::maybe(row.replaces.as_deref()),
        Cell::maybe(row.alarm_ms.map(instant).as_deref()),
        yes_or_no(row.known.varies),
        Cell::Text(&row.justification),
        Cell::maybe(judged.map(|(by, _)| by.as_str())),
        Cell::maybe(judged.map(|(_, at_ms)| instant(*at_ms)).as_deref()),
    ])
}

/// The setting as it was typed.
#[derive(Deserialize)]
struct SettingForm {
    one_of: String,
}

async fn ask(
    State(office): State<BackOffice>,
    Path(terminal_id): Path<String>,
    login: LoginSession,
) -> Result<Response, OfficeError> {
    login.require(Role::Administrator)?;
    let mut connection = office.store().read().await?;
    must_own(&mut connection, &login, &terminal_id).await?;
    let terminal = merchants::terminal(&mut connection, &terminal_id).await?;
    drop(connection);
    let form = SettingForm {
        one_of: terminal.page_watch.one_of().to_string(),
    };
    Ok(setting(&login, &terminal_id, &form, FieldErrors::default()))
}

async fn change(
    State(office): State<BackOffice>,
    Path(terminal_id): Path<String>,
    Posted {
        login,
        fields: form,
    }: Posted<SettingForm>,
) -> Result<Response, OfficeError> {
    login.require(Role::Administrator)?;
    let typed = form.one_of.trim();
    let read = PageWatch::from_code(if typed == "0" { "off" } else { typed });
    let mut write = office.store().write(Subject::Gateway).await?;
    must_own(&mut write, &login, &terminal_id).await?;
    let Some(watch) = read else {
        let mut errors = FieldErrors::default();
        errors.add("one_of", "Type a whole number from 0 to 10000.");
        return Ok(setting(&login, &terminal_id, &form, errors));
    };
    let mut terminal = merchants::terminal(&mut write, &terminal_id).await?;
    terminal.page_watch = watch;
    merchants::put_terminal(&mut write, &terminal).await?;
    let detail = format!("page_watch={}", watch.code());
    let now_ms = office.clock().now_ms();
    let entry = login.entry(now_ms, Act::ChangeTerminal, &terminal_id, &detail);
    audit::add(&mut write, &entry).await?;
    write.commit().await?;
    Ok(see_other(&format!("{PATH}?done=kept")))
}

fn setting(
    login: &LoginSession,
    terminal_id: &str,
    form: &SettingForm,
    errors: FieldErrors,
) -> Response {
    let title = format!("Watch over pages of terminal {terminal_id}");
    let page = SettingPage {
        layout: Layout::of(login, Section::PageWatch, title),
        terminal_id,
        form,
        errors,
    };
    show(page.errors.status(), &page)
}

#[derive(Template)]
#[template(path = "office-page-watch.html")]
struct ListPage<'a> {
    layout: Layout<'a>,
    terminals: Vec<ShownTerminal>,
    may_set: bool,
    has_pages: bool,
}

#[derive(Template)]
#[template(path = "office-page-watch-terminal.html")]
struct SettingPage<'a> {
    layout: Layout<'a>,
    terminal_id: &'a str,
    form: &'a SettingForm,
    errors: FieldErrors,
}

/// Sentences about the last action.
const DONE: &[(&str, &str)] = &[(
    "kept",
    "The setting is kept. It applies to forms that are opened from now on.",
)];

/// How many rows of an export are read at a time.
const AT_ONCE: i64 = 1_000;
