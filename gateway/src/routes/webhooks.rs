//! What the gateway sends to merchants' servers (contract, section 9), as webhooks of the OpenAPI document. It is sent by
//! [`payframe_notifier`], and it is in the feed of events ([`super::events`]): this is the catalogue of both.
//!
//! The body is the schema of its wire type: [`Notification`] where it is about money, [`Notice`] where it is not. The rest is written here, because utoipa does not support webhooks.

use super::answers::AnswerSchema;
use super::api_version;
use payframe_payment_domain::event_type::EventType;
use payframe_protocol::notice::Notice;
use payframe_protocol::operation::Notification;
use serde_json::{Map, Value, json};

/// What an event of one type is about.
struct Kind {
    /// The name for client generators.
    id: &'static str,
    event_type: EventType,
    title: &'static str,
    about: &'static str,
    /// Where and how often it comes.
    when: &'static str,
    body: AnswerSchema,
    /// The members of the example, beside those of every notification.
    example: Value,
}

/// The schemas of the bodies.
pub(super) fn shapes() -> [AnswerSchema; 2] {
    [
        AnswerSchema::of::<Notification>(),
        AnswerSchema::of::<Notice>(),
    ]
}

/// The webhooks, by their names.
pub(super) fn document() -> Value {
    let webhooks: Map<String, Value> = EventType::ALL
        .into_iter()
        .map(kind)
        .map(|kind| (kind.id.to_owned(), json!({ "post": describe(&kind) })))
        .collect();
    Value::Object(webhooks)
}

fn describe(kind: &Kind) -> Value {
    let body = (kind.body.describe)(&mut Map::new());
    let schema = json!({
        "allOf": [body, { "properties": { "eventType": { "const": kind.event_type.code() } } }],
    });
    json!({
        "operationId": kind.id,
        "summary": kind.title,
        "description": format!("{} {}", kind.about, kind.when),
        "parameters": headers(),
        "requestBody": {
            "required": true,
            "content": { "application/json": { "schema": schema, "example": example(kind) } },
        },
        "responses": {
            "2XX": { "description": "Acknowledged. The body is ignored." },
            "default": { "description": "Not acknowledged, nor is no answer within ten seconds: the same event comes again later. Redirects are not followed." },
        },
    })
}

fn headers() -> Value {
    json!([
        {
            "name": "X-Event-Id", "in": "header", "required": true,
            "description": "The `eventId` of the body: the same in every attempt.",
            "schema": { "type": "string", "format": "uuid", "examples": [EVENT_ID] },
        },
        {
            "name": "X-Event-Attempt", "in": "header", "required": true,
            "description": "Which attempt this is, from 1.",
            "schema": { "type": "integer", "minimum": 1, "examples": [1] },
        },
        {
            "name": "Payframe-Version", "in": "header", "required": true,
            "description": "The version of the API in which the notification is written.",
            "schema": { "type": "string", "enum": api_version::dates() },
        },
        {
            "name": "X-Signature", "in": "header", "required": false,
            "description": "There once the terminal has a notification secret (`payframe-gateway secrets new`). `t` is the time of sending in Unix seconds; `v1` is HMAC-SHA-256 with the secret, in hex, over `t`, a dot and the bytes of the body. While two secrets are valid there are two `v1`. Compare in constant time, and refuse a `t` that is older than five minutes.",
            "schema": { "type": "string", "pattern": "^t=[0-9]+(,v1=[0-9a-f]{64})+$",
                        "examples": ["t=1662000000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd"] },
        },
        {
            "name": "webhook-id", "in": "header", "required": false,
            "description": "The `eventId` again, for libraries of Standard Webhooks. This header and the next two are there once the terminal has a notification secret.",
            "schema": { "type": "string", "format": "uuid", "examples": [EVENT_ID] },
        },
        {
            "name": "webhook-timestamp", "in": "header", "required": false,
            "description": "The time of sending in Unix seconds.",
            "schema": { "type": "string", "pattern": "^[0-9]+$", "examples": ["1662000000"] },
        },
        {
            "name": "webhook-signature", "in": "header", "required": false,
            "description": "HMAC-SHA-256, in base64, over `webhook-id`, a dot, `webhook-timestamp`, a dot and the bytes of the body; one for each valid secret, separated by blanks. The key is what stands behind `whsec_` in the secret, decoded from base64.",
            "schema": { "type": "string", "pattern": "^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$",
                        "examples": ["v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="] },
        },
    ])
}

fn example(kind: &Kind) -> Value {
    let mut body = json!({
        "eventId": EVENT_ID,
        "eventTime": "2026-11-20T10:00:00.001Z",
        "eventType": kind.event_type.code(),
    });
    if let (Value::Object(body), Value::Object(members)) = (&mut body, kind.example.clone()) {
        body.extend(members);
    }
    body
}

/// The members of a notification about an operation of this type.
fn of_operation(operation_type: &str) -> Value {
    json!({
        "securityToken": "2f0ea5059b41414ca3744fe672327d85",
        "operation": {
            "orderId": "A1B2C3",
            "operationId": "347074400000000001",
            "channel": "ECOMMERCE",
            "channelDetail": "BUILD",
            "operationType": operation_type,
            "operationResult": "EXECUTED",
            "operationTime": "2026-11-20T10:00:00.001Z",
            "paymentMethod": "CARD",
            "paymentCircuit": "VISA",
            "paymentInstrumentInfo": "***0003",
            "operationAmount": "3545",
            "operationCurrency": "EUR",
            "customerInfo": {},
            "warnings": [],
            "terminalId": "91000001",
            "additionalData": { "authorizationCode": "647189", "authorizationStatus": "000" },
        },
    })
}

fn kind(event_type: EventType) -> Kind {
    let of_money = |id, title, about, operation_type| Kind {
        id,
        event_type,
        title,
        about,
        when: OF_MONEY,
        body: AnswerSchema::of::<Notification>(),
        example: of_operation(operation_type),
    };
    let of_no_money = |id, title, about, example| Kind {
        id,
        event_type,
        title,
        about,
        when: OF_NO_MONEY,
        body: AnswerSchema::of::<Notice>(),
        example,
    };
    match event_type {
        EventType::Payment => of_money(
            "notifyPayment",
            "A payment has a result",
            "The first operation of a payment over a form, a hosted page or a wallet, or from your server, got a result, or its result \
             changed.",
            "AUTHORIZATION",
        ),
        EventType::PayByLink => of_money(
            "notifyPaymentByLink",
            "A payment over a link has a result",
            "The first operation of a payment over a link got a result, or its result changed. `paymentLinkId` names the link.",
            "AUTHORIZATION",
        ),
        EventType::Operation => of_money(
            "notifyOperation",
            "A later operation has a result",
            "A capture, a refund, a release, an increment or a charge of a reservation got a result, or its result changed.",
            "REFUND",
        ),
        EventType::TerminalAttack => of_no_money(
            "notifyTerminalAttack",
            "A terminal is under attack, or no longer is",
            "Somebody began to try out stolen cards at a terminal (`BEGUN`), or nobody does any more (`ENDED`).",
            json!({ "attack": {
                "terminalId": "91000001", "state": "BEGUN", "sinceTime": "2026-11-20T10:00:00.001Z",
            } }),
        ),
        EventType::RefundApproval => of_no_money(
            "notifyRefundApproval",
            "A refund waits for a second member, or was decided",
            "A member of the back office asked for a refund that a second one has to approve, or it was approved or declined, or turned \
             out to be impossible.",
            json!({ "refundApproval": {
                "requestId": "7c1e6f3a9b2d4c58", "orderId": "A1B2C3", "operationId": "347074400000000001",
                "terminalId": "91000001", "amount": "3545", "currency": "EUR", "state": "ASKED",
                "askedTime": "2026-11-20T10:00:00.001Z", "endTime": "2026-11-23T10:00:00.001Z",
            } }),
        ),
        EventType::Dispute => of_no_money(
            "notifyDispute",
            "A dispute was opened, or it changed",
            "A buyer's bank disputes a captured payment, or the dispute was answered, decided, came to a later stage, or its deadline \
             passed.",
            json!({ "dispute": {
                "disputeId": "6f1e2a3b-8c4d-4e5f-9a0b-1c2d3e4f5a6b", "orderId": "A1B2C3",
                "operationId": "347074400000000001", "terminalId": "91000001", "kind": "CHARGEBACK", "category": "NOT_RECEIVED",
                "reasonCode": "13.1", "amount": "3545", "currency": "EUR", "state": "NEEDS_RESPONSE",
                "openedTime": "2026-11-20T10:00:00.001Z", "deadline": "2026-11-30T10:00:00.001Z",
                "changedTime": "2026-11-20T10:00:00.001Z",
            } }),
        ),
        EventType::PageChange => of_no_money(
            "notifyPageChange",
            "A page that shows a form was changed",
            "A watched page has scripts, policies or security headers that it did not have before, or lacks some.",
            json!({ "pageChange": {
                "terminalId": "91000001", "page": "https://shop.example/checkout", "added": 1, "changed": 0, "removed": 0,
                "foundTime": "2026-11-20T10:00:00.001Z",
            } }),
        ),
    }
}

const OF_MONEY: &str = "It is in the feed of events, and is posted to the order's `notificationUrl`, or to the terminal's address for reservations, until a 2xx \
answers: at once, then after 1, 2, 4, … 1024 minutes and 24 hours. Events of one order come in order, and one may come more than \
once: heed each `eventId` once. Compare `securityToken` with the one that the creation call answered, and read `GET /orders/{orderId}` \
before anything is shipped, because anybody can post to an address.";

const OF_NO_MONEY: &str = "It is in the feed of events, and is posted to the terminal's own address (`payframe-gateway notify`), if it has one, until a 2xx answers: \
at once, then after 1, 2, 4, … 1024 minutes and 24 hours. It has no `operation` and no `securityToken`. It may come more than once: \
heed each `eventId` once, and verify its signature, because anybody can post to an address.";

const EVENT_ID: &str = "554ccc00-28fb-4344-a3fa-4bb8d1999bd5";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_is_a_webhook_whose_example_can_be_read() {
        let document = document();
        assert_eq!(document.as_object().unwrap().len(), EventType::ALL.len());
        for event_type in EventType::ALL {
            let kind = kind(event_type);
            let body = &document[kind.id]["post"]["requestBody"]["content"]["application/json"];
            let example = body["example"].clone();
            let read = if example.get("operation").is_some() {
                let read: Notification = serde_json::from_value(example.clone()).unwrap();
                serde_json::to_value(read)
            } else {
                let read: Notice = serde_json::from_value(example.clone()).unwrap();
                serde_json::to_value(read)
            };
            assert_eq!(read.unwrap(), example);
            assert_eq!(example["eventType"], event_type.code());
            let constant = &body["schema"]["allOf"][1]["properties"]["eventType"]["const"];
            assert_eq!(constant, event_type.code());
        }
    }
}
