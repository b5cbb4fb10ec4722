//! What is stored of a buyer, as JSON: with the names that the API uses, and no card number.

use super::{Buyer, Privacy};
use crate::Disputes;
use crate::error::PaymentError;
use payframe_payment_domain::calendar::instant;
use payframe_storage::{
    Connection, acceptances, buyers, disputes, erasure, fulfilments, hosted_pages, orders,
};
use serde_json::{Map, Value, json};

impl Privacy<'_> {
    /// Everything that is stored of a buyer. Of cards there are the network, the last four digits and the expiry.
    pub async fn export(&self, buyer: &Buyer) -> Result<Value, PaymentError> {
        let mut exported = Vec::new();
        for order_id in &buyer.orders {
            exported.push(self.order(&buyer.merchant_id, order_id).await?);
        }
        let cards: Vec<Value> = buyer
            .contracts
            .values()
            .map(|contract| {
                json!({
                    "contractId": contract.contract_id,
                    "contractType": contract.kind,
                    "isActive": contract.is_active,
                    "createdTime": instant(contract.created_ms),
                    "network": contract.network,
                    "lastFour": contract.last_four,
                    "expiry": contract.expiry,
                })
            })
            .collect();
        Ok(json!({
            "merchantId": buyer.merchant_id,
            "exportedTime": instant(self.clock.now_ms()),
            "orders": exported,
            "storedCards": cards,
        }))
    }

    async fn order(&self, merchant_id: &str, order_id: &str) -> Result<Value, PaymentError> {
        let mut connection = self.store.read().await?;
        let documents = erasure::documents(&mut connection, merchant_id, order_id).await?;
        let parsed = |text: &str| serde_json::from_str(text).unwrap_or(Value::Null);
        let mut order = Map::new();
        let mut put = |name: &str, value: Value| {
            if value != Value::Null && value != json!([]) {
                order.insert(name.to_owned(), value);
            }
        };
        put("orderId", Value::from(order_id));
        put("order", parsed(&documents.order));
        let reservation = documents.reservation.as_deref().map(parsed);
        put("reservation", reservation.unwrap_or_default());
        let operations = documents.operations.iter();
        put(
            "operations",
            operations.map(|(_, document)| parsed(document)).collect(),
        );
        let notifications = documents.notifications.len();
        put("notificationsSent", Value::from(notifications));
        let erased = buyers::erased_ms(&mut connection, merchant_id, order_id).await?;
        put("erasedTime", erased.map(instant).into());
        if let Some(row) = orders::find(&mut connection, merchant_id, order_id).await? {
            let totals = row.totals;
            put("authorizedAmount", totals.authorized.to_string().into());
            put("capturedAmount", totals.captured.to_string().into());
            put("refundedAmount", totals.refunded.to_string().into());
        }
        let sessions = buyers::sessions(&mut connection, merchant_id, order_id).await?;
        let sessions = sessions.iter().map(|session| {
            json!({
                "createdTime": instant(session.created_ms),
                "lastSeenTime": instant(session.last_seen_ms),
                "state": session.state,
                "language": session.language,
                "channelDetail": session.channel,
                "merchantUrl": session.merchant_origin,
            })
        });
        put("sessions", sessions.collect());
        put(
            "paymentLinks",
            links(&mut connection, merchant_id, order_id).await?,
        );
        let accepted = acceptances::of_order(&mut connection, merchant_id, order_id).await?;
        let accepted = accepted.iter().map(|row| {
            json!({
                "textId": row.text_id,
                "part": row.part.code(),
                "language": row.language,
                "textHash": row.text_hash,
                "acceptedTime": instant(row.accepted_ms),
            })
        });
        put("acceptances", accepted.collect());
        if let Some(told) = fulfilments::find(&mut connection, merchant_id, order_id).await? {
            put(
                "fulfilment",
                json!({
                    "state": told.state.code(),
                    "note": told.note,
                    "changedTime": instant(told.changed_ms),
                }),
            );
        }
        let of_order = disputes::of_order(&mut connection, merchant_id, order_id).await?;
        drop(connection);
        let service = Disputes::over(self.store, self.vault, self.clock);
        let mut with_evidence = Vec::new();
        for row in of_order {
            let dispute = service.read(merchant_id, &row.dispute_id).await?;
            with_evidence.extend(dispute.and_then(|dispute| serde_json::to_value(dispute).ok()));
        }
        put("disputes", Value::from(with_evidence));
        Ok(Value::Object(order))
    }
}

async fn links(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<Value, PaymentError> {
    let links = hosted_pages::links_of_order(connection, merchant_id, order_id).await?;
    let links = links.iter().map(|link| {
        json!({
            "linkId": link.page_id,
            "createdTime": instant(link.created_ms),
            "endTime": instant(link.life.ends_ms),
            "paidByOperationId": link.life.paid_by(),
        })
    });
    Ok(links.collect())
}
