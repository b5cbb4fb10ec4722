//! One payment as a merchant's server and a buyer's frame make it: build, card, device check, and the call that closes it.

use crate::caller::Credentials;
use crate::connection::Connection;
use crate::times::Times;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::time::Instant;

/// The calls of a payment, in their order.
pub(crate) const STEPS: [&str; 4] = ["build", "card", "device check", "finalize"];

/// The time of each call of a payment, and of all together.
#[derive(Default)]
pub(crate) struct Taken {
    pub(crate) steps: [Times; STEPS.len()],
    pub(crate) whole: Times,
}

impl Taken {
    pub(crate) fn append(&mut self, others: Taken) {
        for (step, other) in self.steps.iter_mut().zip(others.steps) {
            step.append(other);
        }
        self.whole.append(others.whole);
    }
}

/// Pays an order with a card that is approved without a challenge. Returns the id of its operation.
pub(crate) async fn pay(
    line: &mut Connection,
    api_key: &str,
    order: &str,
    taken: &mut Taken,
) -> Result<String> {
    let [build, card, check, close] = &mut taken.steps;
    let started = Instant::now();

    let merchant = Credentials::Merchant(api_key);
    let key = format!("{order}-build");
    let built = line
        .post(merchant, "/api/orders/build", &key, request(order))
        .await?;
    build.add(started);
    let session = text(&built, "sessionId")?;
    let frame = Credentials::Frame(session);

    let since = Instant::now();
    let key = format!("{order}-card");
    let entered = line.post(frame, "/api/fe/build/text", &key, CARD).await?;
    card.add(since);

    let since = Instant::now();
    let url = text(&entered["gdiStatus"], "gdiUrl")?;
    line.press(url, "").await?;
    check.add(since);

    let since = Instant::now();
    let key = format!("{order}-close");
    let closed = line
        .post(frame, "/api/build/finalize_payment", &key, "{}")
        .await?;
    close.add(since);
    taken.whole.add(started);

    match closed["operation"]["operationResult"].as_str() {
        Some("EXECUTED") => text(&closed["operation"], "operationId").map(str::to_owned),
        _ => bail!("{order} was not paid: {closed}"),
    }
}

/// Refunds ten euros of a payment.
pub(crate) async fn refund(
    line: &mut Connection,
    api_key: &str,
    operation_id: &str,
    taken: &mut Times,
) -> Result<()> {
    let since = Instant::now();
    let path = format!("/api/operations/{operation_id}/refunds");
    let key = format!("{operation_id}-refund");
    let merchant = Credentials::Merchant(api_key);
    let body = r#"{ "amount": "1000" }"#;
    line.post(merchant, &path, &key, body).await?;
    taken.add(since);
    Ok(())
}

/// An order of 35.45 euros. `order` is one of our own ids, so it needs no escapes.
pub(crate) fn request(order: &str) -> String {
    request_of(order, 3_545)
}

/// An order of a sum in euro cents.
pub(crate) fn request_of(order: &str, amount_minor: u32) -> String {
    format!(
        r#"{{
  "merchantUrl": "https://shop.example",
  "order": {{ "orderId": "{order}", "amount": "{amount_minor}", "currency": "EUR" }},
  "paymentSession": {{
    "actionType": "PAY", "amount": "{amount_minor}", "paymentService": "CARDS",
    "resultUrl": "https://shop.example/paid", "cancelUrl": "https://shop.example/left"
  }},
  "form": {{ "closing": "FRAME" }}
}}"#
    )
}

/// A card that is approved without a challenge, as its frame sends it.
pub(crate) const CARD: &str = r#"[
  { "id": "CARD_NUMBER", "value": "4761730000000003" }, { "id": "EXPIRATION_DATE", "value": "1230" },
  { "id": "SECURITY_CODE", "value": "123" }, { "id": "CARDHOLDER_NAME", "value": "Anna Rossi" }
]"#;

/// The card data that a frame sends.
pub(crate) fn card_entry(number: &str) -> Value {
    json!([
        { "id": "CARD_NUMBER", "value": number }, { "id": "EXPIRATION_DATE", "value": "1230" },
        { "id": "SECURITY_CODE", "value": "123" }, { "id": "CARDHOLDER_NAME", "value": "Anna Rossi" }
    ])
}

/// A mandatory member.
pub(crate) fn text<'a>(value: &'a Value, member: &str) -> Result<&'a str> {
    value[member]
        .as_str()
        .with_context(|| format!("`{member}` is missing in {value}"))
}
