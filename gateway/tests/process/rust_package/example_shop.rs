//! The example shop of the Rust package, its orders and its pages, against a gateway's process.

#[path = "../../../../packages/rust/examples/shop/order_book.rs"]
mod order_book;
#[path = "../../../../packages/rust/examples/shop/shop.rs"]
mod shop;

use super::{Sandbox, origin};
use crate::shop::APPROVED;
use order_book::OrderBook;
use payframe_server::NotificationVerifier;
use payframe_server::order_keeper::Input;
use shop::Shop;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The example shop while it serves.
struct OpenShop {
    sandbox: Sandbox,
    shop: Arc<Shop>,
    address: SocketAddr,
    reported: Arc<Mutex<Vec<String>>>,
}

impl OpenShop {
    async fn start() -> OpenShop {
        let sandbox = Sandbox::start();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let reported = Arc::<Mutex<Vec<String>>>::default();
        let problems = Arc::clone(&reported);
        let report = move |problem: &dyn std::fmt::Display| {
            problems.lock().unwrap().push(problem.to_string());
        };
        let shop = Arc::new(Shop {
            payframe: sandbox.payframe.clone(),
            orders: OrderBook::new(sandbox.payframe.clone(), report),
            notifications: NotificationVerifier::new(&[&sandbox.secret]).unwrap(),
            gateway: origin(&sandbox.gateway),
            origin: format!("http://{address}"),
        });
        let pages = shop::router(Arc::clone(&shop));
        tokio::spawn(async move { axum::serve(listener, pages).await });
        OpenShop {
            sandbox,
            shop,
            address,
            reported,
        }
    }

    async fn visit(&self, path: &str) -> (u16, String) {
        let address = format!("http://{}{path}", self.address);
        let answer = payframe_server::reqwest::get(address).await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    }

    /// A page with a form: its order and its session.
    async fn open(&self, path: &str) -> (String, String) {
        let (status, page) = self.visit(path).await;
        assert_eq!(status, 200, "{page}");
        let between = |start: &str| {
            let (_, rest) = page.split_once(start).unwrap();
            rest.split('"').next().unwrap().to_owned()
        };
        (between("data-order=\""), between(" session=\""))
    }

    async fn result(&self, order_id: &str) -> String {
        self.visit(&format!("/result?order={order_id}")).await.1
    }

    /// Ends when the shop has asked the gateway because of the notification, and knows that the order is paid.
    async fn hears_of_payment(&self, order_id: &str) {
        for _ in 0..200 {
            if self.shop.orders.status(order_id).as_deref() == Some("PAID") {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the shop has not heard of the payment within ten seconds");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_example_shop_in_rust_is_paid_by_a_notification_and_sends_once() {
    let open = OpenShop::start().await;
    let (order_id, session) = open.open("/").await;
    assert_eq!(open.result(&order_id).await, "PAYING");
    open.sandbox
        .enter_card(&session, APPROVED, Some("3545 EUR"))
        .unwrap();
    // Nobody comes back: the notification tells.
    open.hears_of_payment(&order_id).await;
    assert_eq!(open.result(&order_id).await, "PAID");
    assert_eq!(open.shop.orders.shipped(&order_id), Some(1));
    assert_eq!(
        open.visit(&format!("/pay?order={order_id}")).await,
        (409, "ALREADY_PAID".into())
    );
    for page in ["/result?order=unknown", "/pay?order=unknown"] {
        assert_eq!(open.visit(page).await.0, 404);
    }
    let forged = payframe_server::reqwest::Client::new()
        .post(format!("http://{}/notifications", open.address))
        .body("{}");
    assert_eq!(forged.send().await.unwrap().status(), 400);
    let reported = open.reported.lock().unwrap().clone();
    assert_eq!(reported.len(), 1, "{reported:?}");
    assert!(
        reported[0].contains("The header webhook-id is missing"),
        "{reported:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_example_shop_in_rust_gives_up_what_is_not_paid_in_time_and_closes_other_tabs() {
    let open = OpenShop::start().await;
    let refuses = |session: &str| {
        open.sandbox
            .enter_card(session, APPROVED, Some("3545 EUR"))
            .is_err()
    };
    let (order_id, session) = open.open("/").await;
    open.shop.orders.happens(&order_id, Input::TimeOut).await;
    assert_eq!(open.result(&order_id).await, "GIVEN_UP");
    assert!(refuses(&session));
    assert_eq!(
        open.visit(&format!("/pay?order={order_id}")).await,
        (409, "NOT_FOR_SALE".into())
    );
    assert_eq!(open.shop.orders.shipped(&order_id), Some(0));

    let (order_id, first) = open.open("/").await;
    let (_, second) = open.open(&format!("/pay?order={order_id}")).await;
    assert!(refuses(&first));
    open.sandbox
        .enter_card(&second, APPROVED, Some("3545 EUR"))
        .unwrap();
    // A notification on its way takes the place of the question of the page.
    open.hears_of_payment(&order_id).await;
    for _ in 0..2 {
        assert_eq!(open.result(&order_id).await, "PAID");
    }
    assert_eq!(open.shop.orders.shipped(&order_id), Some(1));
    assert_eq!(
        open.sandbox.types_and_amounts(&order_id).await,
        ["AUTHORIZATION 3545"]
    );
}
