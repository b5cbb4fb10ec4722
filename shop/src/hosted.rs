//! Payments on a page of the gateway: the shop sends the browser there, or sends its customer an address.
//!
//! The shop's page contains nothing of the gateway. The shop reads the outcome of the payment, as always, from the order.

use crate::{
    Shop,
    checkout::{Pairs, answer, choice, new_order_id, now_ms},
    error::ShopError,
    gateway::Hosting,
    ledger::ShopOrder,
    pages::{Basket, HostedPage},
};
use axum::{extract::State, response::Response};

/// `GET /hosted`: the hosted payment page.
pub(crate) async fn page(State(shop): State<Shop>, query: Pairs) -> Response {
    offer(&shop, query, Hosting::Page).await
}

/// `GET /link`: an address to send to a customer.
pub(crate) async fn link(State(shop): State<Shop>, query: Pairs) -> Response {
    offer(&shop, query, Hosting::Link).await
}

async fn offer(shop: &Shop, query: Pairs, hosting: Hosting) -> Response {
    let choice = match choice(query, &FORM_ONLY) {
        Ok(choice) => choice,
        Err(refused) => return *refused,
    };
    let opened = async {
        let order_id = new_order_id();
        let hosted = shop
            .gateway
            .host(&order_id, &choice, &shop.config.origin, hosting)
            .await?;
        let order = ShopOrder {
            order_id,
            session_id: hosted.address.clone(),
            security_token: hosted.security_token,
            amount_minor: choice.amount.minor().to_string(),
            fee_minor: "0".to_owned(),
            currency: choice.currency.clone(),
            locale: choice.locale.clone(),
            created_ms: now_ms(),
        };
        shop.ledger.remember(&order).await?;
        Ok::<_, ShopError>(HostedPage {
            theme: choice.theme.as_str(),
            basket: Basket::new(&choice),
            order_id: order.order_id,
            address: hosted.address,
            last_day: hosted.last_day,
        })
    };
    answer(opened.await)
}

/// Parameters of the checkout page that have no meaning here, because the gateway shows the form.
const FORM_ONLY: [&str; 5] = ["forms", "button", "mode", "attempts", "customer"];
