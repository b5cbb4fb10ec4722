//! `PUT /orders/{orderId}/fulfilment`: the shop tells the state of an order's goods. An extension of the contract.

use super::call::{Call, CallingTerminal, PathId};
use super::endpoint::{BACK_OFFICE, Endpoint};
use super::error::{ApiError, RequestErrors};
use super::fields::{Presence, Section};
use super::requests::Part;
use super::requests::forms::FulfilmentStates;
use super::requests::fulfilment::TellFulfilment;
use crate::App;
use axum::Json;
use axum::extract::State;
use payframe_error_codes::ErrorCode::PS0026;
use payframe_payment_domain::fulfilment::{FulfilmentState, MOST_NOTE_CHARACTERS};
use payframe_protocol::fulfilment::Fulfilment;
use payframe_storage::orders;
use utoipa_axum::routes;

/// It is not in the contract.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![Endpoint::of(routes!(tell_fulfilment)).refusals(&[PS0026])]
}

/// Tell the state of an order's goods
///
/// The gateway moves no money by it: it keeps the newest state, shows it in `GET /orders/{orderId}` and in the back office, writes an
/// event `ORDER_FULFILMENT` into the feed, and compares it with the money that it holds. The same state with the same note again
/// changes nothing and writes no event. Each state may follow each other one: the shop knows its goods.
#[utoipa::path(
    put, path = "/orders/{orderId}/fulfilment", operation_id = "tellFulfilment", tag = BACK_OFFICE,
    params((
        "orderId" = String, Path, example = "A1B2C3",
        description = "The order, by the id that the merchant gave it. Percent-encode it: it may hold `#`, `?` or `;`.",
    )),
    request_body = TellFulfilment,
    responses((status = 200, body = Fulfilment)),
)]
async fn tell_fulfilment(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(order_id): PathId,
    call: Call,
) -> Result<Json<Fulfilment>, ApiError> {
    let merchant_id = &terminal.merchant_id;
    let order = orders::find(&mut *app.store().read().await?, merchant_id, &order_id).await?;
    order.ok_or(ApiError::NotFound)?;
    call.refuse_scripts()?;
    let mut findings = RequestErrors::default();
    let body = Part::of(&call.body);
    let (state, note) = read(&body, &mut findings);
    findings.into_result()?;
    let state = state.ok_or(ApiError::Ours)?;
    let told = app
        .fulfilments()
        .tell(merchant_id, &order_id, state, note)
        .await?;
    told.map(Json).ok_or(ApiError::NotFound)
}

/// A note that is empty is none.
fn read<'a>(
    body: &'a Part<TellFulfilment>,
    findings: &mut RequestErrors,
) -> (Option<FulfilmentState>, Option<&'a str>) {
    let mut whole = Section::body(body, findings);
    let sent = body.members();
    whole.must_have("state", sent.state.is_there(), findings);
    let state = whole.one_of("state", &sent.state, FulfilmentStates::CODES, findings);
    let lengths = 0..=MOST_NOTE_CHARACTERS;
    let note = whole.free_text("note", &sent.note, Presence::Optional, lengths, findings);
    (
        state.and_then(FulfilmentState::from_code),
        note.filter(|note| !note.is_empty()),
    )
}
