//! Reservations: making, reading and cancelling them, and the link that pays or guarantees one (contract 8.3.7 to 8.3.10).

use super::Reply;
use super::call::{Call, CallingTerminal, SentBody, SentQuery};
use super::endpoint::{Endpoint, GUARANTEED_COLLECTION};
use super::error::{ApiError, RequestErrors};
use super::fields::{BodyCheck, Presence, Section};
use super::hosted_request::read_page_form;
use super::order_part::is_order_id;
use super::payment_part::read_asked_capture;
use super::query::{Query, text_of};
use super::requests::Part;
use super::requests::forms::{DateTypes, ReservationTypes};
use super::requests::queries::ListReservations;
use super::requests::reservation::{CreateReservation, LinkReservation};
use super::reservation_request;
use crate::App;
use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request;
use payframe_card_rules::expiry::Date;
use payframe_error_codes::ErrorCode::{
    GW9003, GW9006, PS0005, PS0006, PS0008, PS0009, PS0010, PS0011, PS0012, PS0013, PS0026, PS0036,
    PS0042,
};
use payframe_payment_domain::billing_address::BillingAddressFields;
use payframe_payment_domain::calendar::{day_text, terminal_day};
use payframe_payment_domain::hosted::LinkValidity;
use payframe_payment_domain::operation::Capture;
use payframe_payment_service::HostedPages;
use payframe_payment_service::PaymentError;
use payframe_payment_service::acceptance::evidence;
use payframe_payment_service::reservation_lifecycle::CreateReservationError;
use payframe_payment_service::reservation_link::{LinkError, LinkRequest, PAID};
use payframe_payment_service::reservations::{self as agreed, Reservation, day};
use payframe_protocol::hosted::PaymentLinkAnswer;
use payframe_protocol::operation::Operation as Charged;
use payframe_protocol::reservation::{
    CancelledReservation, ReservationAnswer, ReservationList, ReservationMade, ReservationStatus,
};
use payframe_storage::hosted_pages::{self, HostedPageRow};
use payframe_storage::reservations::{self, ListedBy, ReservationFilter, ReservationRow};
use payframe_storage::{Window, merchants, operations};
use serde_json::{Map, Value, json};
use utoipa_axum::routes;

/// Contract 8.3.7 to 8.3.10.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(create_reservation)).refusals(&[
            PS0026, PS0036, PS0008, PS0011, PS0009, PS0005, PS0006, PS0013, GW9006,
        ]),
        Endpoint::of(routes!(list_reservations))
            .query::<ListReservations>()
            .refusals(&[PS0026, PS0010, PS0012]),
        Endpoint::of(routes!(read_reservation)),
        Endpoint::of(routes!(link_reservation))
            .asking_for_buyers_money()
            .refusals(&[PS0026, PS0008, PS0042, GW9003]),
        Endpoint::of(routes!(cancel_reservation)).refusals(&[GW9003]),
    ]
}

const RESERVATION_ID: &str =
    "The reservation, by its id, which is also the `orderId` of its payments.";

/// Make a reservation
///
/// Stores what is agreed with a guest: what is reserved, when, how the money is collected, and what the guest accepts.
/// Nothing is charged. Its members may also be in the body itself, without `reservation`. Without an id the gateway
/// makes one; it is also the `orderId` of all its payments.
#[utoipa::path(
    post, path = "/reservations", operation_id = "createReservation", tag = GUARANTEED_COLLECTION,
    request_body = CreateReservation,
    responses((status = 200, body = ReservationMade)),
)]
async fn create_reservation(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(sent): SentBody<CreateReservation>,
    call: Call,
) -> Result<Json<ReservationMade>, ApiError> {
    let mut check = BodyCheck::of(&sent);
    let today = terminal_day(app.clock().now_ms());
    let part = &sent.members().reservation;
    let new = if part.is_there() {
        let mut reservation =
            check
                .body
                .section("reservation", part, Presence::Optional, &mut check.findings);
        reservation_request::read(&mut reservation, part.members(), today, &mut check.findings)
    } else {
        // The members are directly in the body.
        let whole = Part::of(&call.body);
        reservation_request::read(&mut check.body, whole.members(), today, &mut check.findings)
    };
    check.findings.into_result()?;
    // Without a finding, all mandatory members were read.
    let mut new = new.ok_or(ApiError::Ours)?;
    new.plugin_name = call.plugin_name.clone();
    let made = app.reservations().make(&terminal, new).await?;
    let reservation_id = made.map_err(|why| match why {
        CreateReservationError::Structure => {
            ApiError::bad(PS0026, "structureId is not that of an active structure")
        }
        CreateReservationError::Terms => ApiError::bad(
            PS0026,
            "termsAndConditionsIds names terms and conditions that are not there or not active",
        ),
        CreateReservationError::Used => {
            ApiError::bad(GW9006, "reservationId is that of an order already")
        }
    })?;
    Ok(Json(ReservationMade { reservation_id }))
}

/// List reservations
///
/// Newest first, by the time that `dateType` names: its creation, or the first moment of the day. Paged as orders are.
/// The two names and `structureName` are compared with the beginning, in any letter case.
#[utoipa::path(
    get, path = "/reservations", operation_id = "listReservations", tag = GUARANTEED_COLLECTION,
    responses((status = 200, body = ReservationList)),
)]
async fn list_reservations(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentQuery(sent): SentQuery<ListReservations>,
) -> Result<Json<ReservationList>, ApiError> {
    let merchant_id = &terminal.merchant_id;
    let mut query = Query::default();
    let (filter, window) = read_list(&mut query, &sent, app.clock().now_ms());
    query.into_result()?;
    let mut connection = app.store().read().await?;
    let rows = reservations::list(&mut connection, merchant_id, &filter, window).await?;
    Ok(Json(ReservationList {
        reservation: rows.into_iter().map(on_the_wire).collect(),
    }))
}

fn read_list<'a>(
    query: &mut Query,
    sent: &'a ListReservations,
    now_ms: i64,
) -> (ReservationFilter<'a>, Window) {
    let reservation_id = text_of(&sent.reservation_id);
    if reservation_id.is_some_and(|id| !is_order_id(id)) {
        query
            .findings
            .add(PS0026, "reservationId must be the id of a reservation");
    }
    let filter = ReservationFilter {
        reservation_id,
        by: match query.one_of("dateType", &sent.date_type, DateTypes::CODES) {
            Some("CHECK_IN") => ListedBy::CheckIn,
            Some("CHECK_OUT") => ListedBy::CheckOut,
            _ => ListedBy::Creation,
        },
        custom_field: query.text("customField", &sent.custom_field, 0..=255),
        kind: query.one_of(
            "reservationType",
            &sent.reservation_type,
            ReservationTypes::CODES,
        ),
        structure_name: query.text("structureName", &sent.structure_name, 0..=255),
        customer_name: query.text(
            "customerNameReservation",
            &sent.customer_name_reservation,
            0..=255,
        ),
        customer_surname: query.text(
            "customerSurnameReservation",
            &sent.customer_surname_reservation,
            0..=255,
        ),
    };
    let window = query.window(&sent.window, now_ms);
    (filter, window)
}

/// Read a reservation
///
/// The reservation as it was sent, its totals, its operations, oldest first, its links, and what its buyers accepted: each text as it
/// was shown, with the time.
#[utoipa::path(
    get, path = "/reservations/{reservationId}", operation_id = "readReservation", tag = GUARANTEED_COLLECTION,
    params(("reservationId" = String, Path, description = RESERVATION_ID, example = "STAY-1")),
    responses((status = 200, body = ReservationAnswer)),
)]
async fn read_reservation(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    NamedReservation(reservation): NamedReservation,
) -> Result<Json<ReservationAnswer>, ApiError> {
    let merchant_id = &terminal.merchant_id;
    let Reservation { row, order, .. } = reservation;
    let reservation_id = row.reservation_id.clone();
    let mut connection = app.store().read().await?;
    let operations = operations::of_order(&mut connection, merchant_id, &reservation_id).await?;
    let links = hosted_pages::links_of_order(&mut connection, merchant_id, &reservation_id).await?;
    let last = operations.last();
    Ok(Json(ReservationAnswer {
        reservation_status: ReservationStatus {
            reservation: on_the_wire(row),
            authorized_amount: order.totals.authorized.to_string(),
            captured_amount: order.totals.captured.to_string(),
            last_operation_type: last.map(|last| last.operation_type.clone()),
            last_operation_time: last.map(|last| last.operation_time.clone()),
        },
        acceptances: evidence(&mut connection, merchant_id, &reservation_id).await?,
        payment_links: links
            .iter()
            .map(|link| app.hosted_pages().link_answer(link))
            .collect(),
        operations,
    }))
}

fn on_the_wire(row: ReservationRow) -> Map<String, Value> {
    let mut document = row.document;
    let status = match row.cancelled_ms {
        Some(_) => "CANCELED",
        None => "ACTIVE",
    };
    let day = day_text(terminal_day(row.created_ms));
    document.insert(String::from("status"), json!(status));
    document.insert(String::from("creationDate"), json!(day));
    document
}

/// Create the payment link of a reservation
///
/// On the page of the link the guest accepts the terms and then pays, or has the card verified, as the reservation's type says.
/// The card is stored only for later charges of this reservation. A new link replaces an earlier one
/// that is not paid.
#[utoipa::path(
    post, path = "/reservations/{reservationId}/paybylink", operation_id = "linkReservation", tag = GUARANTEED_COLLECTION,
    params(("reservationId" = String, Path, description = RESERVATION_ID, example = "STAY-1")),
    request_body = Option<LinkReservation>,
    responses((status = 200, body = PaymentLinkAnswer)),
)]
async fn link_reservation(
    State(app): State<App>,
    NamedReservation(reservation): NamedReservation,
    call: Call,
) -> Result<Reply, ApiError> {
    call.refuse_scripts()?;
    let nothing = Value::Object(Map::new());
    let sent = match &call.body {
        Value::Null => &nothing,
        body => body,
    };
    let mut findings = RequestErrors::default();
    let sent = read_link(&Part::of(sent), &mut findings);
    let now_ms = app.clock().now_ms();
    let today = terminal_day(now_ms);
    let last_day = sent
        .last_day
        .or_else(|| day(&reservation.row.document, "linkExpirationDate"));
    let validity = last_day.map_or(LinkValidity::usual(today), LinkValidity::until);
    if !validity.is_acceptable(today, now_ms) {
        findings.add(
            PS0042,
            "linkExpirationDate must not be past, and at most 90 days ahead",
        );
    }
    findings.into_result()?;
    let mut connection = app.store().read().await?;
    let terminal_id = &reservation.row.terminal_id;
    let terminal = merchants::terminal(&mut connection, terminal_id).await?;
    let request = LinkRequest {
        validity,
        capture: sent.capture,
        billing_address: sent.billing_address,
        notification_url: merchants::notification_url(&mut connection, terminal_id).await?,
        plugin_name: call.plugin_name.clone(),
        trace_id: call.correlation_id.clone(),
    };
    drop(connection);
    let page = reservation
        .link(&terminal, request)
        .map_err(|why| match why {
            LinkError::State(sentence) => ApiError::bad(GW9003, sentence),
            LinkError::Capture(why) => ApiError::bad(PS0026, format!("captureType {why}")),
            LinkError::Terminal => {
                ApiError::bad(PS0026, "contracts are not enabled on this terminal")
            }
        })?;
    let write = |pages: &HostedPages<'_>, link: &HostedPageRow, warnings| PaymentLinkAnswer {
        payment_link: pages.first_link_answer(link),
        security_token: link.terms.security_token.clone(),
        warnings,
    };
    let slot = call.slot.as_ref();
    match app.hosted_pages().open(&terminal, page, slot, write).await {
        Ok(body) => Ok(Reply::bytes(body)),
        // It was paid in the meantime.
        Err(PaymentError::OrderPaid) => Err(ApiError::bad(GW9003, PAID)),
        Err(problem) => Err(problem.into()),
    }
}

/// What a merchant chooses for the link of a reservation.
struct ChosenLink {
    last_day: Option<Date>,
    capture: Option<Capture>,
    billing_address: BillingAddressFields,
}

fn read_link(body: &Part<LinkReservation>, findings: &mut RequestErrors) -> ChosenLink {
    let mut whole = Section::body(body, findings);
    let sent = body.members();
    ChosenLink {
        last_day: whole.date("linkExpirationDate", &sent.link_expiration_date, findings),
        capture: read_asked_capture(&mut whole, &sent.capture_type, findings),
        billing_address: read_page_form(&whole, &sent.form, findings),
    }
}

/// Cancel a reservation
///
/// Its unpaid links are cancelled. With `GUARANTEED_PENALTY` the penalty that is due under its terms of cancellation
/// is charged; if that charge is refused, another call tries it again.
#[utoipa::path(
    post, path = "/reservations/{reservationId}/cancels", operation_id = "cancelReservation", tag = GUARANTEED_COLLECTION,
    params(("reservationId" = String, Path, description = RESERVATION_ID, example = "STAY-1")),
    responses((status = 200, body = CancelledReservation)),
)]
async fn cancel_reservation(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    NamedReservation(reservation): NamedReservation,
    call: Call,
) -> Result<Json<CancelledReservation>, ApiError> {
    let merchant_id = &terminal.merchant_id;
    call.refuse_scripts()?;
    let penalty: Option<Charged> = app
        .reservations()
        .cancel(merchant_id, &reservation.row.reservation_id, call.author())
        .await?
        .ok_or(ApiError::NotFound)?;
    Ok(Json(CancelledReservation { operation: penalty }))
}

/// The merchant's reservation that the path names.
pub(super) struct NamedReservation(pub(super) Reservation);

impl FromRequestParts<App> for NamedReservation {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut request::Parts,
        app: &App,
    ) -> Result<NamedReservation, ApiError> {
        let call = Call::from_request_parts(parts, app).await?;
        let merchant_id = &call.terminal()?.merchant_id;
        let mut connection = app.store().read().await?;
        let found = agreed::load(&mut connection, merchant_id, &call.parameter).await?;
        found.map(NamedReservation).ok_or(ApiError::NotFound)
    }
}
