//! The Rust package for merchants' servers (`packages/rust`), against a gateway's process.

mod disputes;
mod example_shop;

use crate::process::{Process, command};
use crate::shop::{APPROVED, DECLINED, call, socket};
use payframe_server::types::{
    ActionType, BuildState, Closing, EventQuery, FormOptions, HostedPageRequest,
    LinkPaymentSession, LinkQuery, LinkRequest, LinkStatus, OperationQuery, OrderQuery,
    OrderRequest, PaymentService, PaymentSession, SessionChange, SessionRequest,
};
use payframe_server::{ErrorKind, Options, Payframe, PayframeError, Runtime, Verb, money};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;

const KEY: &str = "sandbox-implicit";
const SETTINGS: [(&str, &str); 2] = [
    ("PAYFRAME_SANDBOX_FAULTS", "1"),
    ("PAYFRAME_ALLOW_INSECURE_URLS", "1"),
];

/// A gateway of the sandbox, a client of it, and a notification secret of the key's terminal.
struct Sandbox {
    gateway: Process,
    payframe: Payframe,
    secret: String,
    data: tempfile::TempDir,
}

impl Sandbox {
    fn start() -> Sandbox {
        let data = tempfile::tempdir().unwrap();
        let gateway = Process::start(data.path(), &SETTINGS);
        let made = command(data.path(), &SETTINGS)
            .args(["secrets", "new", "91000001"])
            .output()
            .unwrap();
        let printed = String::from_utf8(made.stdout).unwrap();
        let secret = printed.lines().nth(1).unwrap().to_owned();
        Sandbox {
            payframe: Payframe::new(origin(&gateway), KEY).unwrap(),
            gateway,
            secret,
            data,
        }
    }

    fn server(&self) -> SocketAddr {
        socket(&self.gateway.address)
    }

    /// A session whose payment the shop's server closes.
    async fn session(&self, order_id: &str, action: ActionType) -> String {
        let request = request(order_id, action);
        self.payframe
            .sessions
            .create(&request)
            .await
            .unwrap()
            .session_id
    }

    /// The form submits a card, and closes the payment if the session lets it. The call that was refused, if one was.
    fn enter_card(
        &self,
        session: &str,
        number: &str,
        shown_sum: Option<&str>,
    ) -> Result<(), Value> {
        let year = (this_year() + 1) % 100;
        let fields = json!([
            { "id": "CARD_NUMBER", "value": number },
            { "id": "EXPIRATION_DATE", "value": format!("12{year:02}") },
            { "id": "SECURITY_CODE", "value": "123" },
            { "id": "CARDHOLDER_NAME", "value": "Ada Lovelace" },
        ]);
        let as_frame = |path: &str, body: &Value| match call(
            self.server(),
            path,
            &[("session", session)],
            body,
        ) {
            (200, _) => Ok(()),
            (_, refusal) => Err(refusal),
        };
        as_frame("/fe/build/text", &fields)?;
        // There is no device to check.
        as_frame("/fe/build/skip_gdi", &json!({}))?;
        match shown_sum {
            Some(sum) => as_frame("/build/finalize_payment", &json!({ "shownSum": sum })),
            None => Ok(()),
        }
    }

    /// Holds the money of an order, and answers the operation.
    async fn authorized(&self, order_id: &str) -> String {
        let session = self.session(order_id, ActionType::Preauth).await;
        self.enter_card(&session, APPROVED, None).unwrap();
        let state = self.payframe.sessions.finalize(&session).await.unwrap();
        let operation = state.operation.unwrap();
        assert_eq!(operation.operation_result, "AUTHORIZED");
        operation.operation_id
    }

    async fn types_and_amounts(&self, order_id: &str) -> Vec<String> {
        let order = self.payframe.orders.read(order_id).await.unwrap();
        let row = order.operations.iter();
        row.map(|one| format!("{} {}", one.operation_type, one.operation_amount))
            .collect()
    }

    /// A client whose every attempt has a fault.
    fn faulty(&self, fault: &str, change: impl FnOnce(Options) -> Options) -> Payframe {
        let mut headers = payframe_server::reqwest::header::HeaderMap::new();
        headers.insert("x-sandbox-fault", fault.parse().unwrap());
        let http = payframe_server::reqwest::ClientBuilder::new()
            .no_proxy()
            .default_headers(headers);
        let options = Options::new(origin(&self.gateway), KEY)
            .http(http)
            .runtime(WithoutPauses);
        Payframe::with(change(options)).unwrap()
    }
}

/// Only the time limit of an attempt is real.
struct WithoutPauses;

impl Runtime for WithoutPauses {
    fn pause(&self, _: Duration) -> payframe_server::Pause {
        Box::pin(std::future::ready(()))
    }
}

fn origin(gateway: &Process) -> String {
    gateway.address.trim_end_matches('/').to_owned()
}

fn this_year() -> u64 {
    let since = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs();
    1970 + since / 31_556_952
}

/// A day of the month after an instant: of a link that is valid, and not for too long.
fn next_month(instant: &str) -> String {
    let part = |from, to| instant[from..to].parse::<u32>().unwrap();
    match (part(0, 4), part(5, 7)) {
        (year, 12) => format!("{}-01-28", year + 1),
        (year, month) => format!("{year}-{:02}-28", month + 1),
    }
}

fn order(order_id: &str, amount: &str) -> OrderRequest {
    OrderRequest {
        order_id: order_id.into(),
        amount: amount.into(),
        currency: "EUR".into(),
        ..OrderRequest::default()
    }
}

fn payment(amount: &str) -> PaymentSession {
    PaymentSession {
        amount: amount.into(),
        payment_service: Some(PaymentService::Cards),
        result_url: "https://shop.example/ok".into(),
        cancel_url: "https://shop.example/ko".into(),
        ..PaymentSession::default()
    }
}

fn request(order_id: &str, action: ActionType) -> SessionRequest {
    SessionRequest {
        version: Some("3".into()),
        merchant_url: "https://shop.example".into(),
        order: order(order_id, "3545"),
        payment_session: PaymentSession {
            action_type: Some(action),
            ..payment("3545")
        },
        form: Some(FormOptions {
            closing: Some(Closing::Server),
            ..FormOptions::default()
        }),
        ..SessionRequest::default()
    }
}

#[tokio::test]
async fn a_payment_by_the_rust_package_session_other_sum_card_close_order_capture_refund() {
    let sandbox = Sandbox::start();
    let payframe = &sandbox.payframe;
    let opened = payframe
        .sessions
        .create(&request("RUST1", ActionType::Preauth))
        .await
        .unwrap();
    assert!(opened.form.unwrap().html.starts_with("<payment-form "));
    assert_eq!(opened.security_token.len(), 32);
    let session = opened.session_id.as_str();
    let change = SessionChange {
        session_id: session.into(),
        amount: Some("3000".into()),
        ..SessionChange::default()
    };
    assert_eq!(
        payframe
            .sessions
            .change(&change)
            .await
            .unwrap()
            .order_amount,
        "3000"
    );
    sandbox.enter_card(session, APPROVED, None).unwrap();
    let state = payframe.sessions.read(session).await.unwrap();
    assert_eq!(state.state, BuildState::ReadyForPayment);
    let card = payframe.sessions.read_card(session).await.unwrap();
    assert_eq!(card.last_four_digits, APPROVED[12..]);
    let paid = payframe
        .sessions
        .finalize(session)
        .await
        .unwrap()
        .operation
        .unwrap();

    let captured = payframe
        .operations
        .capture(&paid.operation_id, money(2000, "EUR").unwrap());
    let captured = captured.await.unwrap().operation_id;
    let read = payframe.operations.read(&captured).await.unwrap();
    assert_eq!(read.operation_type, "CAPTURE");
    let refund = |minor| {
        let refund = payframe
            .operations
            .refund(&captured, money(minor, "EUR").unwrap());
        refund.idempotency_key("refund of RUST1")
    };
    let first = refund(500).await.unwrap().operation_id;
    assert_eq!(refund(500).await.unwrap().operation_id, first);
    let other = refund(501).await.unwrap_err();
    assert_eq!(
        (other.code(), other.member(), other.outcome_unknown()),
        ("PS0025", Some("Idempotency-Key"), false)
    );

    let seen = payframe.orders.read("RUST1").await.unwrap();
    let status = &seen.order_status;
    assert_eq!(
        [
            &status.authorized_amount,
            &status.captured_amount,
            &status.refunded_amount
        ],
        ["3000", "2000", "500"]
    );
    assert_eq!(
        sandbox.types_and_amounts("RUST1").await,
        ["REFUND 500", "CAPTURE 2000", "AUTHORIZATION 3000"]
    );
    let again = payframe
        .operations
        .refund(&captured, money(100, "EUR").unwrap());
    again
        .order_version(seen.order_version.clone())
        .await
        .unwrap();
    let late = payframe
        .operations
        .refund(&captured, money(100, "EUR").unwrap());
    let late = late.order_version(seen.order_version).await.unwrap_err();
    assert_eq!((late.code(), late.status()), ("GW9012", Some(412)));

    let orders = OrderQuery {
        order_id: Some("RUST1".into()),
        ..OrderQuery::default()
    };
    assert_eq!(payframe.orders.list(&orders).await.unwrap().len(), 1);
    let operations = payframe
        .operations
        .list(&OperationQuery::default())
        .await
        .unwrap();
    assert!(operations.iter().any(|one| one.operation_id == first));
    let page = payframe.events.list(&EventQuery::default()).await.unwrap();
    let mut events = payframe.events.since(None);
    let mut count = 0;
    while let Some(event) = events.next().await.unwrap() {
        assert_eq!(event.notification.unwrap().operation.order_id, "RUST1");
        count += 1;
    }
    assert_eq!(count, page.events.len());
    assert!(count >= 3, "{count}");
}

#[tokio::test]
async fn declines_voids_links_hosted_pages_and_refusals_by_the_rust_package() {
    let sandbox = Sandbox::start();
    let payframe = &sandbox.payframe;
    // A declined payment is an answer, and a session can be given up.
    let session = sandbox.session("RUST1", ActionType::Pay).await;
    sandbox.enter_card(&session, DECLINED, None).unwrap();
    let state = payframe.sessions.finalize(&session).await.unwrap();
    assert_eq!(state.operation.unwrap().operation_result, "DECLINED");
    let session = sandbox.session("RUST2", ActionType::Pay).await;
    let state = payframe.sessions.cancel(&session).await.unwrap();
    assert_eq!(state.operation.unwrap().operation_result, "CANCELED");

    // A void releases what is held, and never touches captured money.
    let held = sandbox.authorized("RUST3").await;
    let part = |minor| money(minor, "EUR").unwrap();
    let captured = payframe
        .operations
        .capture(&held, part(1000))
        .await
        .unwrap();
    let voided = payframe.operations.void(&held).await.unwrap().operation_id;
    assert_eq!(
        payframe
            .operations
            .read(&voided)
            .await
            .unwrap()
            .operation_type,
        "VOID"
    );
    let nothing = payframe.operations.void(&held).await.unwrap_err();
    assert_eq!(nothing.code(), "nothing_to_void");
    payframe
        .operations
        .cancel(&captured.operation_id, Some("ordered twice"))
        .await
        .unwrap();
    assert_eq!(
        payframe
            .orders
            .read("RUST3")
            .await
            .unwrap()
            .order_status
            .captured_amount,
        "0"
    );
    let held = sandbox.authorized("RUST4").await;
    payframe
        .operations
        .capture(&held, part(2000))
        .await
        .unwrap();
    assert_eq!(
        payframe.operations.void(&held).await.unwrap_err().code(),
        "void_ambiguous"
    );

    let seen = payframe.operations.read(&voided).await.unwrap();
    let link = LinkRequest {
        expiration_date: Some(next_month(&seen.operation_time)),
        order: order("RUST5", "12000"),
        payment_session: LinkPaymentSession {
            amount: "12000".into(),
            result_url: Some("https://shop.example/ok".into()),
            cancel_url: Some("https://shop.example/ko".into()),
            ..LinkPaymentSession::default()
        },
        ..LinkRequest::default()
    };
    let link = payframe
        .links
        .create(&link)
        .await
        .unwrap()
        .payment_link
        .link_id;
    assert_eq!(
        payframe
            .links
            .read(&link)
            .await
            .unwrap()
            .payment_link
            .status,
        "ACTIVE"
    );
    let active = LinkQuery {
        status: Some(LinkStatus::Active),
        ..LinkQuery::default()
    };
    assert_eq!(payframe.links.list(&active).await.unwrap()[0].link_id, link);
    assert_eq!(payframe.links.renew(&link).await.unwrap().renewals, Some(1));
    assert_eq!(
        payframe.links.cancel(&link).await.unwrap().status,
        "CANCELED"
    );
    let page = HostedPageRequest {
        order: order("RUST6", "12000"),
        payment_session: payment("12000"),
        ..HostedPageRequest::default()
    };
    let page = payframe
        .hosted_pages
        .create(&page)
        .await
        .unwrap()
        .hosted_page;
    assert!(page.contains("/pay/"), "{page}");

    let other = payframe
        .call(Verb::Get, "/payment_methods", &[], None)
        .await
        .unwrap();
    assert!(!other["paymentMethods"].as_array().unwrap().is_empty());
    let missing = payframe
        .sessions
        .create(&SessionRequest::default())
        .await
        .unwrap_err();
    assert_eq!(
        (missing.kind(), missing.status()),
        (ErrorKind::Caller, Some(400))
    );
    assert_eq!(missing.request_id().unwrap().len(), 36);
    let unknown = payframe.orders.read("no-such-order").await.unwrap_err();
    assert_eq!((unknown.code(), unknown.status()), ("not_found", Some(404)));
    let stranger = Payframe::new(origin(&sandbox.gateway), "no-such-key").unwrap();
    let denied = stranger.orders.read("RUST1").await.unwrap_err();
    assert_eq!(
        (denied.code(), denied.status(), denied.member()),
        ("GW9020", Some(401), Some("X-API-KEY"))
    );
}

#[tokio::test]
async fn a_capture_whose_answer_is_lost_tells_the_key_and_the_key_tells_the_outcome() {
    let sandbox = Sandbox::start();
    for (fault, code) in [("drop", "unreachable"), ("timeout", "timeout")] {
        let held = sandbox.authorized(&format!("RUST{fault}")).await;
        let sum = || money(3545, "EUR").unwrap();
        let short = |options: Options| options.max_retries(0).timeout(Duration::from_secs(2));
        let faulty = sandbox.faulty(fault, short);
        let error: PayframeError = faulty.operations.capture(&held, sum()).await.unwrap_err();
        assert_eq!(
            (
                error.code(),
                error.kind(),
                error.outcome_unknown(),
                error.is_retryable()
            ),
            (code, ErrorKind::Network, true, true)
        );
        let key = error.idempotency_key().unwrap();
        let again = sandbox
            .payframe
            .operations
            .capture(&held, sum())
            .idempotency_key(key);
        again.await.unwrap();
        let operations = sandbox.types_and_amounts(&format!("RUST{fault}")).await;
        assert_eq!(operations, ["CAPTURE 3545", "AUTHORIZATION 3545"]);
    }
}
