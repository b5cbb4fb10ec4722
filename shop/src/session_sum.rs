//! The buyer chooses the delivery beside the form, and the shop changes the sum of the open session.

use crate::{
    Shop, checkout::order_of_page, delivery::Delivery, error::ShopError, ledger::ShopOrder,
    money::Money,
};
use axum::{
    Json,
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeliveryRequest {
    session_id: String,
    delivery: Delivery,
}

/// What the page writes into its list of sums.
#[derive(Serialize)]
struct Sums {
    delivery: String,
    total: String,
}

/// `POST /delivery`: the page tells the choice, never a sum. The form asks the gateway for the sum.
pub(crate) async fn choose_delivery(
    State(shop): State<Shop>,
    headers: HeaderMap,
    Json(request): Json<DeliveryRequest>,
) -> Response {
    let changed = async {
        let order = order_of_page(&shop, &headers, &request.session_id).await?;
        let total = total(&order, request.delivery)?;
        // The gateway refuses this once the payment is being charged. The shop's record follows what the gateway accepted.
        shop.gateway
            .change_amount(&request.session_id, total)
            .await?;
        let price = request.delivery.price_minor();
        shop.ledger.add_fee(&order.order_id, price).await?;
        tracing::info!(order_id = order.order_id, total, "the sum has changed");
        Ok::<_, ShopError>(Sums {
            delivery: request.delivery.price(&order.currency, &order.locale),
            total: Money::new(total, order.currency).format(&order.locale),
        })
    };
    match changed.await {
        Ok(sums) => Json(sums).into_response(),
        Err(problem) => problem.into_json(),
    }
}

/// The price of the goods with the delivery, in minor units.
fn total(order: &ShopOrder, delivery: Delivery) -> Result<u64, ShopError> {
    let price: Option<u64> = order.amount_minor.parse().ok();
    price
        .and_then(|price| price.checked_add(delivery.price_minor()))
        .ok_or(ShopError::OtherTotal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delivery_is_added_to_the_price_of_the_goods() {
        let order = |amount_minor: &str| ShopOrder {
            order_id: "A1".to_owned(),
            session_id: "s".to_owned(),
            security_token: "t".to_owned(),
            amount_minor: amount_minor.to_owned(),
            fee_minor: "490".to_owned(),
            currency: "EUR".to_owned(),
            locale: "en".to_owned(),
            created_ms: 0,
        };
        let sum = |amount, delivery| total(&order(amount), delivery).ok();
        assert_eq!(sum("3545", Delivery::Standard), Some(3545));
        assert_eq!(sum("3545", Delivery::Express), Some(4035));
        assert_eq!(sum("18446744073709551615", Delivery::Express), None);
    }
}
