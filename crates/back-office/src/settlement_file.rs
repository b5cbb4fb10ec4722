//! One clearing file: the sums of its payouts, its lines, and its export.

use super::display::{address, signed_sum};
use super::error::OfficeError;
use super::labels::Badge;
use super::login_session::LoginSession;
use super::moment::Moment;
use super::orders::path_of as order_path;
use super::page::{Layout, Section, show};
use super::settlement_parts::{DIFFERENCES, ShownSums, badge, path_of_difference, path_of_file};
use super::spreadsheet::{Cell, Spreadsheet};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::settlement::{Difference, LineKind};
use payframe_storage::settlements::{self, FileRow, LineRow};
use payframe_storage::{Connection, cut_page};
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route("/office/settlement/{file_id}", get(read))
        .route("/office/settlement/{file_id}/lines.csv", get(export))
}

/// Which part of the lines.
#[derive(Default, Deserialize)]
#[serde(default)]
struct LinesQuery {
    /// The number of the line that the page begins behind. An unreadable one begins at the first.
    after: String,
}

async fn read(
    State(office): State<BackOffice>,
    login: LoginSession,
    Path(file_id): Path<String>,
    Query(query): Query<LinesQuery>,
) -> Result<Response, OfficeError> {
    let merchant_id = &login.member.merchant_id;
    let mut connection = office.store().read().await?;
    let file = named(&mut connection, merchant_id, &file_id).await?;
    let payouts = settlements::payout_sums(&mut connection, &file_id).await?;
    let behind = query.after.parse().unwrap_or(0);
    let of = (merchant_id.as_str(), file_id.as_str());
    let mut lines = settlements::lines(&mut connection, of, behind, PAGE + 1).await?;
    drop(connection);
    let path = path_of_file(&file_id);
    let later = cut_page(&mut lines, PAGE as usize)
        .map(|last| address(&path, &[("after", &last.number.to_string())]));
    let page = FilePage {
        layout: Layout::of(&login, Section::Settlement, &file.name),
        badge: badge(&file),
        imported: Moment(file.imported_ms),
        terminals: file.terminal_ids.join(", "),
        payouts: payouts
            .iter()
            .map(|one| (one.payout_id.clone(), ShownSums::of(&one.sums)))
            .collect(),
        lines: lines.into_iter().map(ShownLine::of).collect(),
        later,
        export: format!("{path}/lines.csv"),
        differences: address(DIFFERENCES, &[("file", &file_id)]),
        file,
    };
    Ok(show(StatusCode::OK, &page))
}

async fn export(
    State(office): State<BackOffice>,
    login: LoginSession,
    Path(file_id): Path<String>,
) -> Result<Response, OfficeError> {
    let merchant_id = &login.member.merchant_id;
    let mut connection = office.store().read().await?;
    named(&mut connection, merchant_id, &file_id).await?;
    let mut sheet = Spreadsheet::new(&[
        "Line",
        "Kind",
        "Booked",
        "Payout",
        "Order",
        "Operation",
        "Acquirer reference",
        "Gross",
        "Fee",
        "Net",
        "Currency",
        "Difference",
        "Cleared",
    ])?;
    let of = (merchant_id.as_str(), file_id.as_str());
    let mut behind = 0;
    while !sheet.is_full() {
        let lines = settlements::lines(&mut connection, of, behind, AT_ONCE).await?;
        let Some(last) = lines.last() else { break };
        behind = last.number;
        for line in &lines {
            let difference = line.difference.map(Difference::code);
            let cleared = difference.map(|_| if line.is_resolved { "yes" } else { "no" });
            sheet.row(&[
                Cell::Text(&line.number.to_string()),
                Cell::Text(line.kind.code()),
                Cell::Text(&line.booked_day),
                Cell::maybe(line.payout_id.as_deref()),
                Cell::maybe(line.order_id.as_deref()),
                Cell::maybe(line.operation_id.as_deref().or(named_by(line))),
                Cell::maybe(line.acquirer_reference.as_deref()),
                Cell::Sum(line.gross_minor, &line.currency),
                Cell::Sum(line.fee_minor, &line.currency),
                Cell::Sum(line.net_minor, &line.currency),
                Cell::Text(&line.currency),
                Cell::maybe(difference),
                Cell::maybe(cleared),
            ])?;
        }
    }
    sheet.answer(&format!("settlement-{file_id}.csv"))
}

/// A file of the member's merchant.
async fn named(
    connection: &mut Connection,
    merchant_id: &str,
    file_id: &str,
) -> Result<FileRow, OfficeError> {
    let found = settlements::file(connection, merchant_id, file_id).await?;
    found.ok_or(OfficeError::NotFound)
}

/// What a line calls its operation.
fn named_by(line: &LineRow) -> Option<&str> {
    line.references.iter().flatten().next().map(String::as_str)
}

#[derive(Template)]
#[template(path = "office-settlement.html")]
struct FilePage<'a> {
    layout: Layout<'a>,
    file: FileRow,
    badge: Badge,
    imported: Moment,
    terminals: String,
    payouts: Vec<(Option<String>, ShownSums)>,
    lines: Vec<ShownLine>,
    later: Option<String>,
    export: String,
    differences: String,
}

struct ShownLine {
    number: i64,
    kind: &'static str,
    booked_day: String,
    /// The order and the address of its page.
    order: Option<(String, String)>,
    /// What the line calls its operation, if there is no order.
    reference: String,
    gross: String,
    fee: String,
    net: String,
    badge: Badge,
    /// The page of its difference.
    difference: Option<String>,
}

impl ShownLine {
    fn of(line: LineRow) -> ShownLine {
        let currency = &line.currency;
        ShownLine {
            number: line.number,
            kind: match line.kind {
                LineKind::Payment => "Payment",
                LineKind::Refund => "Refund",
                LineKind::Other => "Fee or correction",
            },
            order: line
                .order_id
                .as_deref()
                .map(|id| (order_path(id), id.to_owned())),
            reference: named_by(&line).unwrap_or_default().to_owned(),
            gross: signed_sum(line.gross_minor, currency),
            fee: signed_sum(line.fee_minor, currency),
            net: signed_sum(line.net_minor, currency),
            badge: match (line.difference, line.is_resolved, line.kind) {
                (Some(_), true, _) => Badge::quiet("Cleared"),
                (Some(one), false, _) => Badge::bad(one.label()),
                (None, _, LineKind::Other) => Badge::quiet("Not compared"),
                (None, _, _) => Badge::good("Agrees"),
            },
            difference: line.difference.map(|_| {
                let target = settlements::Target::Line {
                    file_id: line.file_id.clone(),
                    number: line.number,
                };
                path_of_difference(&target)
            }),
            booked_day: line.booked_day,
        }
    }
}

const PAGE: u32 = 50;

/// How many lines an export reads at a time.
const AT_ONCE: u32 = 1000;
