//! Hosted payment pages and payment links (contract 8.1.1 to 8.1.4, 8.2.12 to 8.2.14).

use super::Reply;
use super::call::{Call, CallingTerminal, SentQuery};
use super::creation_rules::{Headers, Rules};
use super::endpoint::{BACK_OFFICE, Endpoint, PAYMENTS, Verb};
use super::error::ApiError;
use super::hosted_request::{self, HostedCall};
use super::order_part::is_order_id;
use super::query::{Query, text_of};
use super::requests::creation::{CreatePaymentLink, CreatePaymentLinkV1, OpenHostedPage};
use super::requests::forms::LinkStatuses;
use super::requests::queries::ListPaymentLinks;
use crate::App;
use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use payframe_error_codes::ErrorCode::{
    self, GW9003, GW9006, PS0005, PS0006, PS0007, PS0008, PS0009, PS0010, PS0011, PS0012, PS0017,
    PS0026, PS0036, PS0042, PS0044, PS0045,
};
use payframe_payment_domain::terms::Terminal;
use payframe_payment_service::HostedPages;
use payframe_payment_service::hosted::NewHostedPage;
use payframe_protocol::hosted::{
    ChangedLink, HostedPageAnswer, PaymentLinkAnswer, PaymentLinkDetails, PaymentLinkList,
};
use payframe_storage::Window;
use payframe_storage::hosted_pages::{self, HostedPageRow, LinkFilter};
use utoipa_axum::routes;

/// Contract 8.1.1 to 8.1.4 and 8.2.12 to 8.2.14.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(open_hosted_page))
            .asking_for_buyers_money()
            .refusals(OPENING),
        Endpoint::of(routes!(create_payment_link))
            .bases(SECOND)
            .asking_for_buyers_money()
            .refusals(LINKING),
        Endpoint::of(routes!(create_payment_link_v1))
            .bases(FIRST)
            .asking_for_buyers_money()
            .refusals(LINKING),
        Endpoint::of(routes!(list_payment_links))
            .bases(ALL)
            .query::<ListPaymentLinks>()
            .refusals(&[PS0026, PS0010, PS0012]),
        Endpoint::of(routes!(read_payment_link)).bases(ALL),
        Endpoint::of(routes!(renew_payment_link))
            .bases(ALL)
            .asking_for_buyers_money()
            .refusals(&[PS0045, GW9003, GW9006]),
        Endpoint::of(routes!(cancel_payment_link))
            .bases(ALL)
            .alias(Verb::Delete, "/orders/paybylink/{linkId}", SECOND)
            .refusals(&[PS0044, PS0045]),
    ]
}

const LINK_ID: &str = "The payment link, by the id that the answer of its creation tells.";

const FIRST: &[&str] = &["/v1", ""];
const SECOND: &[&str] = &["/v2"];
const ALL: &[&str] = &["", "/v1", "/v2"];

const OPENING: &[ErrorCode] = &[
    PS0026, PS0036, PS0008, PS0009, PS0007, PS0005, PS0006, PS0017, GW9006,
];
const LINKING: &[ErrorCode] = &[
    PS0026, PS0036, PS0008, PS0011, PS0009, PS0007, PS0005, PS0006, PS0042, PS0017, GW9006,
];

/// Open a hosted payment page
///
/// Makes a page of the gateway that shows the form. Send the browser to `hostedPage`. The page is valid for 60 minutes,
/// one approved payment and five attempts. The browser returns to `resultUrl`, or to `cancelUrl` if the buyer
/// cancelled. The order may be new, or one without an approved payment and with the same amount and currency.
#[utoipa::path(
    post, path = "/orders/hpp", operation_id = "openHostedPage", tag = PAYMENTS,
    request_body = OpenHostedPage,
    responses((status = 200, body = HostedPageAnswer)),
)]
async fn open_hosted_page(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    call: Call,
) -> Result<Reply, ApiError> {
    let hosted = read(&app, &terminal, &call, HostedCall::Page)?;
    let slot = call.slot.as_ref();
    let write = |pages: &HostedPages<'_>, page: &HostedPageRow, warnings| HostedPageAnswer {
        hosted_page: pages.address(page),
        security_token: page.terms.security_token.clone(),
        warnings,
    };
    Ok(Reply::bytes(
        app.hosted_pages()
            .open(&terminal, hosted, slot, write)
            .await?,
    ))
}

/// Create a payment link, version 1
///
/// As version 2, with a shorter answer, without a time, without `PREAUTH`; a link without a date is valid for 30 days.
#[utoipa::path(
    post, path = "/orders/paybylink", operation_id = "createPaymentLinkV1", tag = PAYMENTS,
    request_body = CreatePaymentLinkV1,
    responses((status = 200, body = PaymentLinkAnswer)),
)]
async fn create_payment_link_v1(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    call: Call,
) -> Result<Reply, ApiError> {
    let hosted = read(&app, &terminal, &call, HostedCall::LinkOne)?;
    let slot = call.slot.as_ref();
    let write = |pages: &HostedPages<'_>, link: &HostedPageRow, warnings| PaymentLinkAnswer {
        payment_link: pages.first_link_answer(link),
        security_token: link.terms.security_token.clone(),
        warnings,
    };
    Ok(Reply::bytes(
        app.hosted_pages()
            .open(&terminal, hosted, slot, write)
            .await?,
    ))
}

/// Create a payment link
///
/// Makes an address to send to a buyer. It shows the hosted payment page until the link is paid, expired or cancelled.
/// `expirationDate` is mandatory: the last valid day, at most 90 days ahead; `expirationTime` ends the link at a time
/// of that day. Both may also be in `paymentSession`.
#[utoipa::path(
    post, path = "/orders/paybylink", operation_id = "createPaymentLink", tag = PAYMENTS,
    request_body = CreatePaymentLink,
    responses((status = 200, body = PaymentLinkAnswer)),
)]
async fn create_payment_link(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    call: Call,
) -> Result<Reply, ApiError> {
    let hosted = read(&app, &terminal, &call, HostedCall::LinkTwo)?;
    let slot = call.slot.as_ref();
    let write = |pages: &HostedPages<'_>, link: &HostedPageRow, warnings| PaymentLinkAnswer {
        payment_link: pages.link_answer(link),
        security_token: link.terms.security_token.clone(),
        warnings,
    };
    Ok(Reply::bytes(
        app.hosted_pages()
            .open(&terminal, hosted, slot, write)
            .await?,
    ))
}

/// List payment links
///
/// Newest first, by the time of their creation. Paged as orders are.
#[utoipa::path(
    get, path = "/orders/paybylink", operation_id = "listPaymentLinks", tag = BACK_OFFICE,
    responses((status = 200, body = PaymentLinkList)),
)]
async fn list_payment_links(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentQuery(sent): SentQuery<ListPaymentLinks>,
) -> Result<Json<PaymentLinkList>, ApiError> {
    let mut query = Query::default();
    let (filter, window) = read_list(&mut query, &sent, app.clock().now_ms());
    query.into_result()?;
    let mut connection = app.store().read().await?;
    let links =
        hosted_pages::list_links(&mut connection, &terminal.merchant_id, &filter, window).await?;
    Ok(Json(PaymentLinkList {
        payment_links: links
            .iter()
            .map(|link| app.hosted_pages().link_answer(link))
            .collect(),
    }))
}

fn read_list<'a>(
    query: &mut Query,
    sent: &'a ListPaymentLinks,
    now_ms: i64,
) -> (LinkFilter<'a>, Window) {
    let order_id = text_of(&sent.order_id);
    if order_id.is_some_and(|order_id| !is_order_id(order_id)) {
        query
            .findings
            .add(PS0026, "orderId must be the id of an order");
    }
    let filter = LinkFilter {
        order_id,
        customer_id: query.text("customerId", &sent.customer_id, 0..=27),
        custom_field: query.text("customField", &sent.custom_field, 0..=255),
        status: query.one_of("status", &sent.status, LinkStatuses::CODES),
        now_ms,
    };
    let window = query.window(&sent.window, now_ms);
    (filter, window)
}

/// Read a payment link
///
/// The link and its order. The `securityToken` is not repeated.
#[utoipa::path(
    get, path = "/orders/paybylink/{linkId}", operation_id = "readPaymentLink", tag = BACK_OFFICE,
    params(("linkId" = String, Path, description = LINK_ID, example = "7f2c1d0e9a4b4c6f8d3e5a7b9c1d2e3f")),
    responses((status = 200, body = PaymentLinkDetails)),
)]
async fn read_payment_link(
    State(app): State<App>,
    NamedLink(link): NamedLink,
) -> Result<Json<PaymentLinkDetails>, ApiError> {
    let order = hosted_pages::order_document(&mut *app.store().read().await?, &link.terms).await?;
    Ok(Json(PaymentLinkDetails {
        payment_link: app.hosted_pages().link_answer(&link),
        order,
    }))
}

/// Renew a payment link
///
/// Makes an expired or failed link valid again, or prolongs an unpaid one: for the original number of days,
/// with the same id and address.
#[utoipa::path(
    post, path = "/orders/paybylink/{linkId}/renewals", operation_id = "renewPaymentLink", tag = BACK_OFFICE,
    params(("linkId" = String, Path, description = LINK_ID, example = "7f2c1d0e9a4b4c6f8d3e5a7b9c1d2e3f")),
    responses((status = 200, body = ChangedLink)),
)]
async fn renew_payment_link(
    State(app): State<App>,
    NamedLink(link): NamedLink,
    call: Call,
) -> Result<Json<ChangedLink>, ApiError> {
    call.refuse_scripts()?;
    let link = app.hosted_pages().renew_link(&link, call.author()).await?;
    Ok(Json(ChangedLink {
        payment_link: app.hosted_pages().link_answer(&link),
    }))
}

/// Cancel a payment link
///
/// Only if it is not paid and no payment is in progress on it. Repeating the call is not an error.
#[utoipa::path(
    post, path = "/paybylink/{linkId}/cancels", operation_id = "cancelPaymentLink", tag = PAYMENTS,
    params(("linkId" = String, Path, description = LINK_ID, example = "7f2c1d0e9a4b4c6f8d3e5a7b9c1d2e3f")),
    responses((status = 200, body = ChangedLink)),
)]
async fn cancel_payment_link(
    State(app): State<App>,
    NamedLink(link): NamedLink,
    call: Call,
) -> Result<Json<ChangedLink>, ApiError> {
    call.refuse_scripts()?;
    let link = app.hosted_pages().cancel_link(&link, call.author()).await?;
    Ok(Json(ChangedLink {
        payment_link: app.hosted_pages().link_answer(&link),
    }))
}

/// The merchant's link that the path names.
struct NamedLink(HostedPageRow);

impl FromRequestParts<App> for NamedLink {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<NamedLink, ApiError> {
        let call = Call::from_request_parts(parts, app).await?;
        let merchant_id = &call.terminal()?.merchant_id;
        let link = app
            .hosted_pages()
            .link(merchant_id, &call.parameter)
            .await?;
        link.map(NamedLink).ok_or(ApiError::NotFound)
    }
}

fn read(
    app: &App,
    terminal: &Terminal,
    call: &Call,
    which: HostedCall,
) -> Result<NewHostedPage, ApiError> {
    call.refuse_scripts()?;
    let now_ms = app.clock().now_ms();
    let rules = Rules::of(app, terminal);
    let headers = Headers::of(call);
    hosted_request::read(&call.body, which, &headers, &rules, now_ms)
}
