//! The other three ways to embed a payment, each with the requests of its page to the shop's server: separate fields, the class
//! `Build` in version 3, and in version 2 with a fee that depends on the card.
//!
//! The server computes the amounts and closes the payment. An amount from a page is only compared with the server's own.

use crate::{
    Shop,
    checkout::{Pairs, answer, choice, closing, open_payment, order_of_page},
    error::ShopError,
    fees::Fee,
    gateway::{CardData, Embedding},
    ledger::ShopOrder,
    money::Money,
    pages::{Basket, ButtonsPage, CardInput, FeesPage, FieldsPage, PaymentForm},
};
use axum::{
    Json,
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};

/// `GET /fields`: `<payment-field>`s in the shop's own layout.
pub(crate) async fn fields(State(shop): State<Shop>, query: Pairs) -> Response {
    let choice = match choice(query, &["forms", "button"]) {
        Ok(choice) => choice,
        Err(refused) => return *refused,
    };
    let opened = async {
        let scripts = shop.gateway.scripts().await?;
        let opened = open_payment(&shop, &choice, Embedding::Form).await?;
        Ok::<_, ShopError>(FieldsPage {
            theme: choice.theme.as_str(),
            gateway: &shop.config.gateway,
            sdk: scripts.named("payframe.js")?,
            fields_sdk: scripts.named("fields.js")?,
            locale: &choice.locale,
            mode: choice.mode.as_str(),
            basket: Basket::new(&choice),
            form: PaymentForm::new(&opened.order),
        })
    };
    answer(opened.await)
}

/// The methods that this shop shows, out of all methods of the gateway.
const METHODS: [&str; 4] = ["PAY_WITH_CARD", "BANCOMATPAY", "IDEAL", "SATISPAY"];

/// `GET /build3`: the class `Build`, beginning with the buttons of the methods.
pub(crate) async fn build_with_buttons(State(shop): State<Shop>, query: Pairs) -> Response {
    let choice = match choice(query, &FORM_ONLY) {
        Ok(choice) => choice,
        Err(refused) => return *refused,
    };
    let opened = async {
        let scripts = shop.gateway.scripts().await?;
        let opened = open_payment(&shop, &choice, Embedding::BuildWithButtons).await?;
        Ok::<_, ShopError>(ButtonsPage {
            theme: choice.theme.as_str(),
            gateway: &shop.config.gateway,
            sdk: scripts.named("build.js")?,
            basket: Basket::new(&choice),
            form: PaymentForm::new(&opened.order),
            buttons: opened
                .fields
                .into_iter()
                .filter(|button| METHODS.contains(&button.id.as_str()))
                .collect(),
        })
    };
    answer(opened.await)
}

/// `GET /build2`: the class `Build`, with a fee that depends on the card.
pub(crate) async fn build_with_fees(State(shop): State<Shop>, query: Pairs) -> Response {
    let choice = match choice(query, &FORM_ONLY) {
        Ok(choice) => choice,
        Err(refused) => return *refused,
    };
    let opened = async {
        let scripts = shop.gateway.scripts().await?;
        let opened = open_payment(&shop, &choice, Embedding::BuildWithFees).await?;
        Ok::<_, ShopError>(FeesPage {
            theme: choice.theme.as_str(),
            gateway: &shop.config.gateway,
            sdk: scripts.named("build.js")?,
            basket: Basket::new(&choice),
            form: PaymentForm::new(&opened.order),
            fields: opened.fields.into_iter().map(CardInput::new).collect(),
        })
    };
    answer(opened.await)
}

/// Parameters of the checkout page that a page of the class `Build` does not use.
const FORM_ONLY: [&str; 5] = ["forms", "button", "mode", "attempts", "customer"];

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionRequest {
    session_id: String,
}

/// The sum that the buyer is asked to accept.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Quote {
    card: String,
    reason: &'static str,
    fee: String,
    total: String,
    /// The page sends it back when the buyer agrees.
    total_minor: String,
}

/// `POST /quote`: version 2, after the card is known. Returns the price with the fee for this card.
pub(crate) async fn quote(
    State(shop): State<Shop>,
    headers: HeaderMap,
    Json(request): Json<SessionRequest>,
) -> Response {
    let quoted = async {
        let order = order_of_page(&shop, &headers, &request.session_id).await?;
        let card = shop.gateway.card(&request.session_id).await?;
        let Costs { fee, total } = Costs::of(&order, &card)?;
        let shown = |minor| Money::new(minor, order.currency.clone()).format(&order.locale);
        Ok::<_, ShopError>(Quote {
            card: format!("{} •••• {}", card.circuit, card.last_four_digits),
            reason: Fee::of(&card).reason,
            fee: shown(fee),
            total: shown(total),
            total_minor: total.to_string(),
        })
    };
    match quoted.await {
        Ok(quote) => Json(quote).into_response(),
        Err(problem) => problem.into_json(),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConfirmRequest {
    session_id: String,
    /// The sum that the buyer accepted.
    total_minor: String,
}

/// `POST /confirm`: version 2, after the buyer agreed to the sum. It is computed again, because a page can send any value.
pub(crate) async fn confirm(
    State(shop): State<Shop>,
    headers: HeaderMap,
    Json(request): Json<ConfirmRequest>,
) -> Response {
    let confirmed = async {
        let order = order_of_page(&shop, &headers, &request.session_id).await?;
        let card = shop.gateway.card(&request.session_id).await?;
        let Costs { fee, total } = Costs::of(&order, &card)?;
        if request.total_minor != total.to_string() {
            return Err(ShopError::OtherTotal);
        }
        shop.ledger.add_fee(&order.order_id, fee).await?;
        tracing::info!(order_id = order.order_id, fee, "confirming");
        Ok(shop.gateway.confirm(&request.session_id, total).await?)
    };
    closing(confirmed.await)
}

/// `POST /cancel`: the buyer cancels.
pub(crate) async fn cancel(
    State(shop): State<Shop>,
    headers: HeaderMap,
    Json(request): Json<SessionRequest>,
) -> Response {
    let cancelled = async {
        let order = order_of_page(&shop, &headers, &request.session_id).await?;
        tracing::info!(order_id = order.order_id, "cancelling");
        Ok::<_, ShopError>(shop.gateway.cancel(&request.session_id).await?)
    };
    closing(cancelled.await)
}

/// In minor units.
struct Costs {
    fee: u64,
    total: u64,
}

impl Costs {
    fn of(order: &ShopOrder, card: &CardData) -> Result<Self, ShopError> {
        let counted = || {
            let price: u64 = order.amount_minor.parse().ok()?;
            let fee = Fee::of(card).on(price)?;
            let total = price.checked_add(fee)?;
            Some(Self { fee, total })
        };
        counted().ok_or(ShopError::OtherTotal)
    }
}
