//! `GET /settlements` and `GET /settlements/{settlementId}`: clearing files of acquirers, page by page.

use super::call::{CallingTerminal, PathId, SentQuery};
use super::endpoint::{BACK_OFFICE, Endpoint};
use super::error::ApiError;
use super::query::{Query, text_of};
use super::requests::queries::{ListSettlements, ReadSettlement};
use crate::App;
use axum::Json;
use axum::extract::State;
use payframe_error_codes::ErrorCode::PS0026;
use payframe_payment_domain::calendar::instant;
use payframe_payment_domain::settlement::Difference;
use payframe_protocol::settlement::{
    Settlement, SettlementAnswer, SettlementLine, SettlementList, SettlementPayout, SettlementSum,
};
use payframe_storage::settlements::{self, FileRow, LineRow, Sums};
use payframe_storage::{RowPlace, cut_page};
use utoipa_axum::routes;

/// Settlements are not in the contract.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(list_settlements))
            .query::<ListSettlements>()
            .refusals(&[PS0026]),
        Endpoint::of(routes!(read_settlement))
            .query::<ReadSettlement>()
            .refusals(&[PS0026]),
    ]
}

/// List settlements
///
/// The clearing files of acquirers that the operator imported, the newest first, with their sums by currency. For the next page: the same
/// call with `after` = `nextCursor`.
#[utoipa::path(
    get, path = "/settlements", operation_id = "listSettlements", tag = BACK_OFFICE,
    responses((status = 200, body = SettlementList)),
)]
async fn list_settlements(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentQuery(sent): SentQuery<ListSettlements>,
) -> Result<Json<SettlementList>, ApiError> {
    let mut query = Query::default();
    let after = text_of(&sent.after);
    let place = after.and_then(place);
    if after.is_some() && place.is_none() {
        query
            .findings
            .add(PS0026, "after must be the nextCursor of an answer");
    }
    let limit = query.count("limit", &sent.limit, SETTLEMENTS);
    query.into_result()?;
    let merchant_id = &terminal.merchant_id;
    let mut connection = app.store().read().await?;
    let mut files =
        settlements::files(&mut connection, merchant_id, place.as_ref(), limit + 1).await?;
    let next_cursor = cut_page(&mut files, limit as usize).map(|last| last.place().to_string());
    let mut found = Vec::new();
    for file in files {
        let sums = settlements::sums(&mut connection, &file.file_id).await?;
        found.push(on_the_wire(file, &sums));
    }
    Ok(Json(SettlementList {
        settlements: found,
        next_cursor,
    }))
}

/// Read a settlement
///
/// A clearing file with the sums of its payouts and its lines, in the order of the file. For more lines: the same call with `after` =
/// `nextCursor`. What no file has is in the back office alone.
#[utoipa::path(
    get, path = "/settlements/{settlementId}", operation_id = "readSettlement", tag = BACK_OFFICE,
    params((
        "settlementId" = String, Path, example = "347074400000000001",
        description = "The settlement, by the id that the list tells.",
    )),
    responses((status = 200, body = SettlementAnswer)),
)]
async fn read_settlement(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(file_id): PathId,
    SentQuery(sent): SentQuery<ReadSettlement>,
) -> Result<Json<SettlementAnswer>, ApiError> {
    let mut query = Query::default();
    let after = text_of(&sent.after);
    let behind = after.map_or(Some(0), number);
    if behind.is_none() {
        query
            .findings
            .add(PS0026, "after must be the nextCursor of an answer");
    }
    let limit = query.count("limit", &sent.limit, LINES);
    query.into_result()?;
    let merchant_id = &terminal.merchant_id;
    let mut connection = app.store().read().await?;
    let file = settlements::file(&mut connection, merchant_id, &file_id)
        .await?
        .ok_or(ApiError::NotFound)?;
    let sums = settlements::sums(&mut connection, &file_id).await?;
    let payouts = settlements::payout_sums(&mut connection, &file_id).await?;
    let of = (merchant_id.as_str(), file_id.as_str());
    let mut lines = settlements::lines(&mut connection, of, behind.unwrap_or(0), limit + 1).await?;
    let next_cursor = cut_page(&mut lines, limit as usize).map(|last| last.number.to_string());
    Ok(Json(SettlementAnswer {
        settlement: on_the_wire(file, &sums),
        payouts: payouts
            .into_iter()
            .map(|one| SettlementPayout {
                payout_id: one.payout_id,
                sum: sum_of(&one.sums),
            })
            .collect(),
        lines: lines.into_iter().map(line_of).collect(),
        next_cursor,
    }))
}

/// The place of a cursor. Only one text is the same place.
fn place(cursor: &str) -> Option<RowPlace> {
    let (imported_ms, file_id) = cursor.split_once('-')?;
    Some(RowPlace {
        at_ms: number(imported_ms)?,
        id: number(file_id)?.to_string(),
    })
}

fn number(text: &str) -> Option<i64> {
    let number = text.parse().ok()?;
    (number >= 0 && text == i64::to_string(&number)).then_some(number)
}

fn on_the_wire(file: FileRow, sums: &[Sums]) -> Settlement {
    Settlement {
        settlement_id: file.file_id,
        file_name: file.name,
        terminal_ids: file.terminal_ids,
        imported_time: instant(file.imported_ms),
        first_day: file.first_day,
        last_day: file.last_day,
        open_differences: count(file.open_differences),
        sums: sums.iter().map(sum_of).collect(),
    }
}

fn sum_of(sums: &Sums) -> SettlementSum {
    SettlementSum {
        currency: sums.currency.clone(),
        lines: count(sums.lines),
        gross_amount: sums.gross_minor.to_string(),
        fee_amount: sums.fee_minor.to_string(),
        net_amount: sums.net_minor.to_string(),
    }
}

fn line_of(line: LineRow) -> SettlementLine {
    SettlementLine {
        line: count(line.number),
        kind: line.kind.code().to_owned(),
        booked_day: line.booked_day,
        payout_id: line.payout_id,
        operation_id: line.operation_id,
        order_id: line.order_id,
        reference: line.references.into_iter().flatten().next(),
        acquirer_reference: line.acquirer_reference,
        gross_amount: line.gross_minor.to_string(),
        fee_amount: line.fee_minor.to_string(),
        net_amount: line.net_minor.to_string(),
        currency: line.currency,
        difference: line.difference.map(Difference::code).map(str::to_owned),
        is_cleared: line.difference.map(|_| line.is_resolved),
    }
}

/// A number that counts is never below zero.
fn count(number: i64) -> u64 {
    number.unsigned_abs()
}

/// How many settlements an answer has if the caller does not say.
const SETTLEMENTS: u32 = 25;

/// How many lines an answer has if the caller does not say.
const LINES: u32 = 100;
