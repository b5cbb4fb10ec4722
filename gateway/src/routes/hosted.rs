//! Hosted payment pages and payment links (contract 8.1.1 to 8.1.4, 8.2.12 to 8.2.14).

use super::Reply;
use super::call::Call;
use super::creation_rules::{Headers, Rules};
use super::error::ApiError;
use super::hosted_request::{self, HostedCall};
use super::operation::{
    Alias, Area, Money, Operation, PathParameter, Request, Verb, answers, body,
};
use super::order_part::is_order_id;
use super::query::{Query, sent, text_of};
use super::requests::creation::{CreatePaymentLink, CreatePaymentLinkV1, OpenHostedPage};
use super::requests::forms::LinkStatuses;
use super::requests::queries::ListPaymentLinks;
use super::requests::schema::parameters;
use crate::App;
use payframe_error_codes::ErrorCode::{
    self, GW9003, GW9006, PS0005, PS0006, PS0007, PS0008, PS0009, PS0010, PS0011, PS0012, PS0017,
    PS0026, PS0036, PS0042, PS0044, PS0045,
};
use payframe_payment_domain::terms::Terminal;
use payframe_payment_service::HostedPages;
use payframe_protocol::hosted::{
    ChangedLink, HostedPageAnswer, PaymentLinkAnswer, PaymentLinkDetails, PaymentLinkList,
};
use payframe_storage::Window;
use payframe_storage::hosted_pages::{self, HostedPageRow, LinkFilter};

/// Contract 8.1.1 to 8.1.4 and 8.2.12 to 8.2.14.
pub(super) const OPERATIONS: &[Operation] = &[
    Operation {
        title: "Open a hosted payment page",
        about: "Makes a page of the gateway that shows the form. Send the browser to `hostedPage`. It can be used for 60 minutes, \
                for one good payment and five tries; the browser comes back to `resultUrl`, or to `cancelUrl` where the buyer gave \
                up. The order may be new, or one without an approved payment and with the same amount and currency.",
        answer: answers::<HostedPageAnswer>(),
        refusals: OPENING,
        money: Money::Asked,
        ..Operation::post(
            "openHostedPage",
            "/orders/hpp",
            body::<OpenHostedPage>(),
            |app, call| Box::pin(open_page(app, call)),
        )
    },
    Operation {
        title: "Create a payment link",
        about: "Makes an address that a buyer can be sent: it shows the hosted payment page until it was paid, expired or \
                cancelled. `expirationDate` must be there: the last valid day, at most 90 days ahead; `expirationTime` ends the link \
                at a time of that day. Both may also stand in `paymentSession`.",
        bases: SECOND,
        answer: answers::<PaymentLinkAnswer>(),
        refusals: LINKING,
        money: Money::Asked,
        ..Operation::post(
            "createPaymentLink",
            "/orders/paybylink",
            body::<CreatePaymentLink>(),
            |app, call| Box::pin(open_link_two(app, call)),
        )
    },
    Operation {
        title: "Create a payment link, version 1",
        about: "As version 2, with a shorter answer, without a time, without `PREAUTH`; a link without a date is good for 30 days.",
        bases: FIRST,
        answer: answers::<PaymentLinkAnswer>(),
        refusals: LINKING,
        money: Money::Asked,
        ..Operation::post(
            "createPaymentLinkV1",
            "/orders/paybylink",
            body::<CreatePaymentLinkV1>(),
            |app, call| Box::pin(open_link_one(app, call)),
        )
    },
    Operation {
        title: "List payment links",
        about: "Newest first, by the time of their making. Paged as orders are.",
        bases: ALL,
        query: parameters::<ListPaymentLinks>,
        answer: answers::<PaymentLinkList>(),
        refusals: &[PS0026, PS0010, PS0012],
        ..Operation::get("listPaymentLinks", "/orders/paybylink", |app, call| {
            Box::pin(list(app, call))
        })
    },
    Operation {
        title: "Read a payment link",
        about: "The link and its order. The `securityToken` is not told again.",
        bases: ALL,
        answer: answers::<PaymentLinkDetails>(),
        parameter: LINK_ID,
        ..Operation::get(
            "readPaymentLink",
            "/orders/paybylink/{linkId}",
            |app, call| Box::pin(details(app, call)),
        )
    },
    Operation {
        area: Area::BackOffice,
        title: "Renew a payment link",
        about: "Makes a link that expired or failed good again, or prolongs one that was not paid: for as many days as at first, \
                with the same id and address.",
        bases: ALL,
        answer: answers::<ChangedLink>(),
        refusals: &[PS0045, GW9003, GW9006],
        money: Money::Asked,
        parameter: LINK_ID,
        ..Operation::post(
            "renewPaymentLink",
            "/orders/paybylink/{linkId}/renewals",
            Request::None,
            |app, call| Box::pin(renew(app, call)),
        )
    },
    Operation {
        title: "Cancel a payment link",
        about: "Only where it was not paid and no payment is under way on it. Again is no error.",
        bases: ALL,
        aliases: &[Alias {
            verb: Verb::Delete,
            path: "/orders/paybylink/{linkId}",
            bases: SECOND,
        }],
        answer: answers::<ChangedLink>(),
        refusals: &[PS0044, PS0045],
        parameter: LINK_ID,
        ..Operation::post(
            "cancelPaymentLink",
            "/paybylink/{linkId}/cancels",
            Request::None,
            |app, call| Box::pin(cancel(app, call)),
        )
    },
];

const LINK_ID: PathParameter = PathParameter::new(
    "The payment link, by the id that the answer of its creation tells.",
    "7f2c1d0e9a4b4c6f8d3e5a7b9c1d2e3f",
);

const FIRST: &[&str] = &["/v1", ""];
const SECOND: &[&str] = &["/v2"];
const ALL: &[&str] = &["", "/v1", "/v2"];

const OPENING: &[ErrorCode] = &[
    PS0026, PS0036, PS0008, PS0009, PS0007, PS0005, PS0006, PS0017, GW9006,
];
const LINKING: &[ErrorCode] = &[
    PS0026, PS0036, PS0008, PS0011, PS0009, PS0007, PS0005, PS0006, PS0042, PS0017, GW9006,
];

/// `POST /orders/hpp`
async fn open_page(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let (terminal, hosted) = read(app, call, HostedCall::Page)?;
    let slot = call.slot.as_ref();
    let write = |pages: &HostedPages<'_>, page: &HostedPageRow, warnings| HostedPageAnswer {
        hosted_page: pages.address(page),
        security_token: page.terms.security_token.clone(),
        warnings,
    };
    Ok(Reply::bytes(
        app.hosted_pages()
            .open(terminal, hosted, slot, write)
            .await?,
    ))
}

/// `POST /v1/orders/paybylink`
async fn open_link_one(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let (terminal, hosted) = read(app, call, HostedCall::LinkOne)?;
    let slot = call.slot.as_ref();
    let write = |pages: &HostedPages<'_>, link: &HostedPageRow, warnings| PaymentLinkAnswer {
        payment_link: pages.first_link_answer(link),
        security_token: link.terms.security_token.clone(),
        warnings,
    };
    Ok(Reply::bytes(
        app.hosted_pages()
            .open(terminal, hosted, slot, write)
            .await?,
    ))
}

/// `POST /v2/orders/paybylink`
async fn open_link_two(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let (terminal, hosted) = read(app, call, HostedCall::LinkTwo)?;
    let slot = call.slot.as_ref();
    let write = |pages: &HostedPages<'_>, link: &HostedPageRow, warnings| PaymentLinkAnswer {
        payment_link: pages.link_answer(link),
        security_token: link.terms.security_token.clone(),
        warnings,
    };
    Ok(Reply::bytes(
        app.hosted_pages()
            .open(terminal, hosted, slot, write)
            .await?,
    ))
}

/// `GET /orders/paybylink`
async fn list(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let terminal = call.terminal()?;
    call.refuse_scripts()?;
    let sent: ListPaymentLinks = sent(call);
    let mut query = Query::default();
    let (filter, window) = read_list(&mut query, &sent, app.clock().now_ms());
    query.into_result()?;
    let mut connection = app.store().read().await?;
    let links =
        hosted_pages::list_links(&mut connection, &terminal.merchant_id, &filter, window).await?;
    Reply::json(&PaymentLinkList {
        payment_links: links
            .iter()
            .map(|link| app.hosted_pages().link_answer(link))
            .collect(),
    })
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

/// `GET /orders/paybylink/{linkId}`
async fn details(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let link = named(app, call).await?;
    let order = hosted_pages::order_document(&mut *app.store().read().await?, &link.terms).await?;
    Reply::json(&PaymentLinkDetails {
        payment_link: app.hosted_pages().link_answer(&link),
        order,
    })
}

/// `POST /orders/paybylink/{linkId}/renewals`
async fn renew(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let link = named(app, call).await?;
    call.refuse_scripts()?;
    let link = app.hosted_pages().renew_link(&link).await?;
    Reply::json(&ChangedLink {
        payment_link: app.hosted_pages().link_answer(&link),
    })
}

/// `POST /paybylink/{linkId}/cancels`
async fn cancel(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let link = named(app, call).await?;
    call.refuse_scripts()?;
    let link = app.hosted_pages().cancel_link(&link).await?;
    Reply::json(&ChangedLink {
        payment_link: app.hosted_pages().link_answer(&link),
    })
}

/// The merchant's link that the path names.
async fn named(app: &App, call: &Call) -> Result<HostedPageRow, ApiError> {
    let terminal = call.terminal()?;
    app.hosted_pages()
        .link(&terminal.merchant_id, &call.parameter)
        .await?
        .ok_or(ApiError::NotFound)
}

fn read<'a>(
    app: &App,
    call: &'a Call,
    which: HostedCall,
) -> Result<
    (
        &'a Terminal,
        payframe_payment_service::hosted::NewHostedPage,
    ),
    ApiError,
> {
    let terminal = call.terminal()?;
    call.refuse_scripts()?;
    let now_ms = app.clock().now_ms();
    let rules = Rules::of(app, terminal);
    let headers = Headers::of(call);
    let hosted = hosted_request::read(&call.body, which, &headers, &rules, now_ms)?;
    Ok((terminal, hosted))
}
