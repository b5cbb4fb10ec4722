//! One object of each kind that a path of the API can name.

use super::{Operation, Stage};
use serde_json::{Value, json};

/// The first merchant's objects, one of each kind that a path can name.
pub(super) struct Mine {
    pub(super) operation: String,
    link: String,
    terms: String,
    condition: String,
    field: String,
    settlement: String,
    dispute: String,
    file: String,
}

impl Mine {
    pub(super) async fn of(stage: &Stage) -> Mine {
        let merchant = stage.app.merchant();
        let paid = json!({
            "order": {
                "orderId": "P1", "amount": "3545", "currency": "EUR", "customerId": "cust-1",
                "customerInfo": { "cardHolderName": "Anna Rossi" }
            },
            "card": { "pan": crate::harness::APPROVED, "expiryDate": "1230" },
            "recurrence": { "action": "CONTRACT_CREATION", "contractId": "K1", "contractType": "CIT" }
        });
        let begun = merchant.post("/orders/3steps/init", &paid).await.ok();
        let operation = begun["operation"]["operationId"].as_str().unwrap();
        let mut last = paid.clone();
        last["operationId"] = json!(operation);
        merchant.post("/orders/3steps/payment", &last).await.ok();
        let link = crate::links::link_until("P2", "2026-11-30");
        let link = merchant.post("/v2/orders/paybylink", &link).await.ok();
        let terms = crate::catalogue::with_structure(&stage.app).await;
        let condition = crate::catalogue::condition("S1", "BUNDLE");
        let condition = merchant
            .post("/structure_conditions", &condition)
            .await
            .ok();
        let field = json!({
            "structureId": "S1", "customFieldOrd": 1, "customFieldTitle": "Car", "customFieldEnabled": true,
            "customFieldTranslations": [{ "language": "eng", "label": "Number plate" }],
        });
        let field = merchant.post("/custom_fields", &field).await.ok();
        crate::reservations::make(
            &stage.app,
            &crate::reservations::reservation("R1", "BUNDLE"),
        )
        .await
        .ok();
        let id = |answer: &Value, name: &str| answer[name].as_str().unwrap().to_owned();
        let disputed = json!({ "operationId": operation, "amount": "10" });
        let dispute = merchant.post("/test/disputes", &disputed).await.ok();
        let dispute = id(&dispute, "disputeId");
        let file = json!({ "name": "a.pdf", "content": "JVBERi0xLjcK" });
        let path = format!("/disputes/{dispute}/files");
        let file = merchant.post(&path, &file).await.ok();
        Mine {
            operation: operation.to_owned(),
            link: id(&link["paymentLink"], "linkId"),
            terms,
            condition: id(&condition, "structureConditionId"),
            field: id(&field, "customFieldId"),
            settlement: crate::settlement::imported(&stage.app).await,
            file: id(&file, "fileId"),
            dispute,
        }
    }

    /// The ids of the objects, as they stand in JSON.
    pub(super) fn ids(&self) -> Vec<String> {
        let made = [
            &self.operation,
            &self.link,
            &self.terms,
            &self.condition,
            &self.field,
            &self.settlement,
            &self.file,
            &self.dispute,
        ];
        let chosen = ["P1", "P2", "cust-1", "K1", "S1", "R1"];
        let all = made.into_iter().map(String::as_str).chain(chosen);
        all.map(|id| format!("\"{id}\"")).collect()
    }

    /// The path of an operation, for an existing object.
    pub(super) fn path(&self, operation: &Operation) -> String {
        let Some((_, rest)) = operation.path.split_once('{') else {
            return operation.path.to_owned();
        };
        let there = match rest.split_once('}').unwrap().0 {
            "orderId" => "P1",
            "operationId" => &self.operation,
            "linkId" => &self.link,
            "customerId" => "cust-1",
            "contractId" => "K1",
            "termsAndConditionsId" => &self.terms,
            "structureId" | "structureid" => "S1",
            "structureConditionId" => &self.condition,
            "customFieldId" => &self.field,
            "reservationId" => "R1",
            "settlementId" => &self.settlement,
            "disputeId" => &self.dispute,
            "fileId" => &self.file,
            // The id of a button of the session.
            "id" if operation.path.contains("/action/") => "PAY_WITH_CARD",
            "id" => "CARD_NUMBER",
            other => panic!("{other} is new: say here what it names that is there"),
        };
        operation.unknown().replace("unknown", there)
    }
}
