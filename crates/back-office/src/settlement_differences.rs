//! Differences between clearing files and the books: the list with its filter and its export, and marking one as cleared.

use super::display::{address, signed_sum};
use super::error::OfficeError;
use super::filter::{FieldErrors, typed};
use super::form::Posted;
use super::labels::Badge;
use super::login_session::LoginSession;
use super::moment::Moment;
use super::orders::path_of as order_path;
use super::page::{LastAction, Layout, Section, show};
use super::settlement_parts::{DIFFERENCES, path_of_difference, path_of_file};
use super::spreadsheet::{Cell, Spreadsheet};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::back_office::{Act, Role};
use payframe_payment_domain::calendar::instant;
use payframe_payment_domain::settlement::Difference;
use payframe_storage::settlements::{
    self, ALL_STATES, DifferenceFilter, DifferencePlace, DifferenceRow, DifferenceState, Target,
};
use payframe_storage::{Subject, audit, cut_page};
use payframe_web_pages::see_other;
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route(DIFFERENCES, get(list))
        .route("/office/settlement/differences.csv", get(export))
        .route(
            "/office/settlement/differences/{target}",
            get(ask).post(clear),
        )
}

/// The message of the list after each action.
const DONE: [(&str, &str); 2] = [
    ("cleared", "The difference is marked as cleared."),
    (
        "before",
        "Somebody marked this difference as cleared before.",
    ),
];

/// The parameters of the address.
#[derive(Default, Deserialize)]
#[serde(default)]
struct DifferencesQuery {
    difference: String,
    state: String,
    file: String,
    /// The difference that the page begins behind: its time, and what it is about. An unreadable one begins at the newest.
    before: String,
}

impl DifferencesQuery {
    fn filter(&self, errors: &mut FieldErrors) -> DifferenceFilter<'_> {
        DifferenceFilter {
            difference: errors.choice("difference", &self.difference, Difference::from_code),
            state: errors.choice("state", &self.state, DifferenceState::from_code),
            file_id: typed(&self.file),
        }
    }

    /// The address with what is searched for, and where it begins.
    fn address(&self, path: &str, before: &str) -> String {
        let fields = [
            ("difference", self.difference.as_str()),
            ("state", &self.state),
            ("file", &self.file),
            ("before", before),
        ];
        address(path, &fields)
    }

    fn is_filtered(&self) -> bool {
        ![&self.difference, &self.state, &self.file]
            .into_iter()
            .all(String::is_empty)
    }
}

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(query): Query<DifferencesQuery>,
    Query(done): Query<LastAction>,
) -> Result<Response, OfficeError> {
    let mut errors = FieldErrors::default();
    let filter = query.filter(&mut errors);
    let place = DifferencePlace::parse(&query.before);
    let mut found = match errors.is_empty() {
        true => found(&office, &login, &filter, place.as_ref(), PAGE + 1).await?,
        false => Vec::new(),
    };
    let older = cut_page(&mut found, PAGE as usize)
        .map(|last| query.address(DIFFERENCES, &last.place().to_string()));
    let layout = Layout::of(&login, Section::Settlement, "Differences").after(&done, &DONE);
    let page = DifferencesPage {
        layout,
        rows: found.into_iter().map(Shown::of).collect(),
        older,
        export: query.address("/office/settlement/differences.csv", ""),
        is_filtered: query.is_filtered(),
        kinds: Difference::ALL.map(|one| (one.code(), one.label())),
        states: ALL_STATES.map(|state| match state {
            DifferenceState::Open => (state.code(), "Open"),
            DifferenceState::Cleared => (state.code(), "Cleared"),
        }),
        query: &query,
        errors: &errors,
    };
    Ok(show(errors.status(), &page))
}

async fn export(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(query): Query<DifferencesQuery>,
) -> Result<Response, OfficeError> {
    let mut errors = FieldErrors::default();
    let filter = query.filter(&mut errors);
    if !errors.is_empty() {
        return Err(OfficeError::NotFound);
    }
    let mut sheet = Spreadsheet::new(&[
        "Difference",
        "When",
        "File",
        "Order",
        "Operation",
        "Reference",
        "In the file",
        "Currency in the file",
        "In the books",
        "Currency in the books",
        "Cleared by",
        "Cleared at",
        "Note",
    ])?;
    let mut place: Option<DifferencePlace> = None;
    while !sheet.is_full() {
        let rows = found(&office, &login, &filter, place.as_ref(), AT_ONCE).await?;
        let Some(last) = rows.last() else { break };
        place = Some(last.place());
        for row in &rows {
            add_row(&mut sheet, row)?;
        }
    }
    sheet.answer("differences.csv")
}

fn add_row(sheet: &mut Spreadsheet, row: &DifferenceRow) -> Result<(), OfficeError> {
    let currency = |sum: &Option<(i64, String)>| sum.as_ref().map(|(_, currency)| currency.clone());
    let when = row.booked_day.clone().unwrap_or_else(|| instant(row.at_ms));
    let resolved = row.resolved.as_ref();
    let resolved_at = resolved.map(|one| instant(one.at_ms));
    sheet.row(&[
        Cell::Text(row.difference.code()),
        Cell::Text(&when),
        Cell::maybe(row.file.as_ref().map(|(_, name)| name.as_str())),
        Cell::maybe(row.order_id.as_deref()),
        Cell::maybe(row.operation_id.as_deref()),
        Cell::maybe(row.reference.as_deref()),
        Cell::maybe_sum(row.cleared.as_ref()),
        Cell::maybe(currency(&row.cleared).as_deref()),
        Cell::maybe_sum(row.booked.as_ref()),
        Cell::maybe(currency(&row.booked).as_deref()),
        Cell::maybe(resolved.map(|one| one.member.as_str())),
        Cell::maybe(resolved_at.as_deref()),
        Cell::maybe(resolved.map(|one| one.note.as_str())),
    ])
}

async fn found(
    office: &BackOffice,
    login: &LoginSession,
    filter: &DifferenceFilter<'_>,
    place: Option<&DifferencePlace>,
    most: u32,
) -> Result<Vec<DifferenceRow>, OfficeError> {
    let merchant = (
        login.member.merchant_id.as_str(),
        office.payment_clock().now_ms(),
    );
    let mut connection = office.store().read().await?;
    Ok(settlements::differences(&mut connection, merchant, filter, place, most).await?)
}

/// The form that marks a difference as cleared.
#[derive(Default, Deserialize)]
struct ClearForm {
    #[serde(default)]
    note: String,
}

async fn ask(
    State(office): State<BackOffice>,
    login: LoginSession,
    Path(target): Path<String>,
) -> Result<Response, OfficeError> {
    let (_, row) = named(&office, &login, &target).await?;
    Ok(one(
        &login,
        row,
        ClearForm::default(),
        FieldErrors::default(),
    ))
}

async fn clear(
    State(office): State<BackOffice>,
    Path(target): Path<String>,
    Posted {
        login,
        fields: form,
    }: Posted<ClearForm>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let (target, row) = named(&office, &login, &target).await?;
    let mut errors = FieldErrors::default();
    let note = form.note.trim();
    if note.is_empty() || note.chars().count() > LONGEST_NOTE {
        let accepted = format!("Write what became of it, in at most {LONGEST_NOTE} characters.");
        errors.add("note", accepted);
        return Ok(one(&login, row, form, errors));
    }
    let now_ms = office.clock().now_ms();
    let member = (login.member.id.as_str(), now_ms, note);
    let mut change = office.store().write(Subject::Statement).await?;
    if !settlements::resolve(&mut change, &target, member).await? {
        return Ok(see_other(&format!("{DIFFERENCES}?done=before")));
    }
    let subject = match &target {
        Target::Line { file_id, number } => format!("settlement {file_id}, line {number}"),
        Target::Operation { operation_id } => format!("operation {operation_id}"),
    };
    let detail = format!("{}: {note}", row.difference.code());
    let entry = login.entry(now_ms, Act::ClearDifference, &subject, &detail);
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    Ok(see_other(&format!("{DIFFERENCES}?state=OPEN&done=cleared")))
}

/// A difference of the member's merchant.
async fn named(
    office: &BackOffice,
    login: &LoginSession,
    target: &str,
) -> Result<(Target, DifferenceRow), OfficeError> {
    let target = Target::parse(target).ok_or(OfficeError::NotFound)?;
    let merchant = (
        login.member.merchant_id.as_str(),
        office.payment_clock().now_ms(),
    );
    let mut connection = office.store().read().await?;
    let found = settlements::difference(&mut connection, merchant, &target).await?;
    Ok((target, found.ok_or(OfficeError::NotFound)?))
}

/// The page of a difference, with its form as long as nobody cleared it.
fn one(login: &LoginSession, row: DifferenceRow, form: ClearForm, errors: FieldErrors) -> Response {
    let page = DifferencePage {
        layout: Layout::of(login, Section::Settlement, row.difference.label()),
        action: row.difference.action(),
        file: row.file.clone().map(|(id, name)| (path_of_file(&id), name)),
        operation_id: row.operation_id.clone(),
        resolved: row
            .resolved
            .clone()
            .map(|one| (one.member, Moment(one.at_ms), one.note)),
        may_clear: login.may(Role::Operator),
        shown: Shown::of(row),
        form,
        errors,
    };
    show(page.errors.status(), &page)
}

#[derive(Template)]
#[template(path = "office-differences.html")]
struct DifferencesPage<'a> {
    layout: Layout<'a>,
    rows: Vec<Shown>,
    older: Option<String>,
    export: String,
    is_filtered: bool,
    kinds: [(&'static str, &'static str); 5],
    states: [(&'static str, &'static str); 2],
    query: &'a DifferencesQuery,
    errors: &'a FieldErrors,
}

#[derive(Template)]
#[template(path = "office-difference.html")]
struct DifferencePage<'a> {
    layout: Layout<'a>,
    shown: Shown,
    action: &'static str,
    file: Option<(String, String)>,
    operation_id: Option<String>,
    /// Who cleared it, when and why.
    resolved: Option<(String, Moment, String)>,
    may_clear: bool,
    form: ClearForm,
    errors: FieldErrors,
}

/// A difference as pages show it.
struct Shown {
    path: String,
    label: &'static str,
    /// The order and the address of its page.
    order: Option<(String, String)>,
    /// What the line calls its operation.
    reference: String,
    cleared: String,
    booked: String,
    /// The day of the booking.
    day: Option<String>,
    at: Moment,
    badge: Badge,
}

impl Shown {
    fn of(row: DifferenceRow) -> Shown {
        let sum = |sum: Option<(i64, String)>| {
            sum.map(|(minor, currency)| signed_sum(minor, &currency))
                .unwrap_or_default()
        };
        Shown {
            path: path_of_difference(&row.target),
            label: row.difference.label(),
            order: row.order_id.map(|id| (order_path(&id), id)),
            reference: row.reference.unwrap_or_default(),
            cleared: sum(row.cleared),
            booked: sum(row.booked),
            day: row.booked_day,
            at: Moment(row.at_ms),
            badge: match row.resolved {
                Some(_) => Badge::quiet("Cleared"),
                None => Badge::bad("Open"),
            },
        }
    }
}

const PAGE: u32 = 25;

/// How many differences an export reads at a time.
const AT_ONCE: u32 = 1000;

/// In characters.
const LONGEST_NOTE: usize = 500;
