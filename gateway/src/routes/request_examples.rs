//! A complete body for each operation that has one, for the documents. A test of the API sends each of them and expects it
//! to be accepted; the test fills in ids that come from earlier answers. They are not in `utoipa::path`, because most are made of
//! the same parts.

use serde_json::{Value, json};

/// The example of an operation, by its id.
pub(super) fn of(operation: &str) -> Option<Value> {
    let example = match operation {
        "openPayment" => json!({
            "version": "3",
            "merchantUrl": "https://shop.example",
            "order": order("A1B2C3"),
            "paymentSession": session(),
            "form": { "closing": "SERVER", "attempts": 3 },
        }),
        "openHostedPage" | "createPaymentLinkV1" => json!({
            "order": order("A1B2C3"),
            "paymentSession": session(),
        }),
        "createPaymentLink" => json!({
            "order": order("A1B2C3"),
            "paymentSession": session(),
            "expirationDate": LINK_END,
            "expirationTime": "18:30+02:00",
        }),
        "payWithWallet" => json!({
            "order": order("A1B2C3"),
            "paymentSession": wallet_session(),
            "walletPaymentData": wallet_data(),
        }),
        "payWithGooglePay" => json!({
            "order": order("A1B2C3"),
            "paymentSession": wallet_session(),
            "googlePayPaymentData": wallet_data(),
        }),
        "beginThreeStepPayment" => json!({ "order": order("A1B2C3"), "card": card() }),
        "validateThreeStepPayment" => json!({
            "operationId": OPERATION,
            "threeDSAuthResponse": "notneeded",
        }),
        "makeThreeStepPayment" => json!({
            "operationId": OPERATION,
            "order": order("A1B2C3"),
            "card": card(),
        }),
        "chargeContract" => json!({ "order": order("A1B2C4"), "contractId": "contract-7" }),
        "takeMailOrder" => {
            let mut order = order("A1B2C3");
            order["customerInfo"] = json!({ "cardHolderName": "Anna Rossi" });
            json!({ "order": order, "card": card() })
        }
        "verifyCard" => json!({
            "order": { "orderId": "A1B2C3", "amount": "0", "currency": "EUR" },
            "card": card(),
        }),
        "cancelSession" | "finalizePayment" => json!({ "sessionId": SESSION }),
        "changeSession" => {
            json!({ "sessionId": SESSION, "amount": "4045", "description": "Two tickets, row 7, and a programme" })
        }
        "confirmPayment" => json!({ "sessionId": SESSION, "amount": "3545" }),
        "capture" => json!({ "amount": "3545", "currency": "EUR", "description": "sent today" }),
        "refund" => {
            json!({ "amount": "1000", "currency": "EUR", "description": "one item came back" })
        }
        "cancel" => json!({ "description": "ordered twice" }),
        "advanceTestClock" => json!({ "secondsAhead": 2_678_400 }),
        "tellFulfilment" => json!({ "state": "FULFILLED", "note": "parcel 1 of 1" }),
        "addDisputeFile" => json!({ "name": "delivery note.pdf", "content": "JVBERi0xLjcK" }),
        "submitEvidence" => json!({
            "explanation": "The buyer confirmed that the tickets arrived.",
            "goods": "Two tickets, row 7",
            "delivery": "Picked up at the counter on 20 November",
        }),
        "openTestDispute" => {
            json!({ "operationId": OPERATION, "kind": "CHARGEBACK", "category": "NOT_RECEIVED" })
        }
        "decideTestDispute" => json!({ "result": "WON" }),
        _ => return of_guaranteed_collection(operation).or_else(|| of_frames(operation)),
    };
    Some(example)
}

fn of_guaranteed_collection(operation: &str) -> Option<Value> {
    let text = "PHA+UXVpZXQgYWZ0ZXIgdGVuLjwvcD4=";
    let example = match operation {
        "putStructure" => json!({ "structure": {
            "structureId": "HOTEL-1",
            "structureName": "Hotel Miramare",
            "structureEmail": "desk@hotel.example",
            "checkInToTime": "20:00",
        } }),
        "createTerms" => json!({
            "name": "House rules",
            "termsAndConditions": [{
                "language": "eng",
                "checkMarkLabel": "I accept the house rules",
                "linkLabel": "House rules",
                "text": text,
            }],
        }),
        "createStructureCondition" => json!({
            "structureId": "HOTEL-1",
            "reservationType": "GUARANTEED_PENALTY",
            "name": "Stays with a penalty",
            "termsAndConditions": [{
                "language": "eng",
                "checkMarkLabelStructureCondition": "I accept the conditions of the stay",
                "linkLabelStructureCondition": "Conditions of the stay",
                "textStructureCondition": text,
                "checkMarkLabelCancellationCondition": "I accept the conditions of cancelling",
                "linkLabelCancellationCondition": "Conditions of cancelling",
                "textCancellationCondition": text,
            }],
        }),
        "createCustomField" => json!({
            "structureId": "HOTEL-1",
            "customFieldOrd": 1,
            "customFieldTitle": "Plate",
            "customFieldEnabled": true,
            "customFieldTranslations": [{ "language": "eng", "label": "Number plate of your car" }],
        }),
        "createReservation" => json!({ "reservation": {
            "reservationId": "STAY-1",
            "reservationType": "GUARANTEED_PENALTY",
            "structureId": "HOTEL-1",
            "amount": "30000",
            "currency": "EUR",
            "deposit": "10000",
            "checkInDate": "2030-01-31",
            "checkOutDate": "2030-02-03",
            "customerName": "Anna",
            "customerSurname": "Rossi",
            "CancelationDetails": {
                "dataType": "DAY_FROM_CHECKIN",
                "cancellationCondition": [{ "dataTypeValue": "2", "value": "10000" }],
            },
        } }),
        "linkReservation" => json!({ "linkExpirationDate": LINK_END }),
        "chargePart" => json!({ "amount": "10000" }),
        "increment" => following("1000", "one more night"),
        "chargeDelayed" => following("1500", "minibar"),
        "chargeNoShow" => following("10000", "nobody came"),
        "validateIncrement" | "validateDelayedCharge" | "validateNoShow" => {
            json!({ "reservationId": "STAY-1", "amount": "10000", "currency": "EUR" })
        }
        _ => return None,
    };
    Some(example)
}

fn of_frames(operation: &str) -> Option<Value> {
    let example = match operation {
        "submitCard" => json!([
            { "id": "CARD_NUMBER", "value": "4761730000000003" },
            { "id": "EXPIRATION_DATE", "value": "1230" },
            { "id": "SECURITY_CODE", "value": "123" },
            { "id": "CARDHOLDER_NAME", "value": "Anna Rossi" },
        ]),
        "checkField" => json!({ "value": "Anna Rossi" }),
        "lookUpBin" => json!({ "bin": "47617300" }),
        "agreeToSum" => json!({ "shownSum": "4045 EUR" }),
        _ => return None,
    };
    Some(example)
}

fn order(order_id: &str) -> Value {
    json!({ "orderId": order_id, "amount": "3545", "currency": "EUR", "description": "Two tickets, row 7" })
}

fn session() -> Value {
    json!({
        "actionType": "PAY",
        "amount": "3545",
        "paymentService": "CARDS",
        "resultUrl": "https://shop.example/ok",
        "cancelUrl": "https://shop.example/ko",
        "notificationUrl": "https://shop.example/hook",
    })
}

fn wallet_session() -> Value {
    let mut session = session();
    session["paymentService"] = json!("GOOGLEPAY");
    session
}

/// Payment data in the format of the sandbox's wallet.
fn wallet_data() -> Value {
    let message = json!({ "paymentMethodDetails": {
        "pan": "4761730000000003", "expirationMonth": 12, "expirationYear": 2030,
        "authMethod": "CRYPTOGRAM_3DS", "cryptogram": "AAAA", "eciIndicator": "05",
    } });
    let token = json!({ "protocolVersion": "ECv2", "signature": "x", "signedMessage": message.to_string() });
    json!({
        "apiVersion": 2,
        "paymentMethodData": {
            "type": "CARD",
            "info": { "cardNetwork": "VISA", "cardDetails": "0003" },
            "tokenizationData": { "type": "PAYMENT_GATEWAY", "token": token.to_string() },
        },
    })
}

/// A test card.
fn card() -> Value {
    json!({ "pan": "4761730000000003", "expiryDate": "1230", "cvv": "123" })
}

fn following(amount: &str, description: &str) -> Value {
    json!({
        "originalOperationId": OPERATION, "amount": amount, "currency": "EUR", "description": description,
    })
}

/// A link may be valid for 90 days at most, so a test replaces this day with one in the near future.
const LINK_END: &str = "2026-12-31";
const OPERATION: &str = "347074400000000001";
const SESSION: &str = "m3p0Zr8cV1nT5xQ2bK7sLw9dYe4uHgJfA6oPiRtXvQk";
