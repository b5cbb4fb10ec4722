//! A shop server with axum: one page with the payment form, a receiver of notifications, and the page that the buyer comes back to.
//!
//! ```sh
//! PAYFRAME_GATEWAY=http://localhost:8080 PAYFRAME_API_KEY=… PAYFRAME_NOTIFICATION_SECRET=whsec_… cargo run --example shop
//! ```
//!
//! The order keeper says when an order is paid: see `order_book.rs`.

mod order_book;
mod shop;

use order_book::OrderBook;
use payframe_server::{NotificationVerifier, Payframe};
use shop::Shop;
use std::env::var;
use std::sync::Arc;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gateway = var("PAYFRAME_GATEWAY")?;
    let payframe = Payframe::new(&gateway, var("PAYFRAME_API_KEY")?)?;
    let port = var("PORT").unwrap_or_else(|_| "3000".into());
    let origin = format!("http://localhost:{port}");
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    let shop = Shop {
        orders: OrderBook::new(payframe.clone(), |problem| eprintln!("{problem}")),
        notifications: NotificationVerifier::new(&[var("PAYFRAME_NOTIFICATION_SECRET")?])?,
        payframe,
        gateway,
        origin,
    };
    println!("{}", shop.origin);
    axum::serve(listener, shop::router(Arc::new(shop))).await?;
    Ok(())
}
