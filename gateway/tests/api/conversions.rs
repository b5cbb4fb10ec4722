//! Payments in the card's own currency: what acquirers and 3-D Secure are told of an accepted offer, and who gets none.

use crate::acquirer_desk::Desk;
use crate::actions::{done, stands};
use crate::harness::{TestApp, build_form, short, token_of};
use async_trait::async_trait;
use payframe_card_rules::secret::Secret;
use payframe_payment_ports::Ports;
use payframe_payment_ports::acquirer::AuthorizationResult;
use payframe_payment_ports::three_ds_server::{
    AuthenticationEvidence, AuthenticationRequest, AuthenticationResponse, CardRange,
    EvidenceRequest, ThreeDsServer, ThreeDsServerError,
};
use payframe_payment_service::ChallengeAnswer;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

const DOLLAR_CARD: &str = "4761738400000002";
/// The same range, with a challenge.
const DOLLAR_CHALLENGE: &str = "4761738400003006";

const CHARGED: &str = "authorize IMPLICIT as 3952 USD at 0.897085020";

/// Acquirers that approve everything. Only the first one charges cards in their own currency, and it has a fallback.
fn desk() -> Desk {
    let desk = Desk::with(AuthorizationResult::Approved);
    desk.change(|plan| {
        plan.fallback = Some("second");
        plan.converting = vec!["first"];
    });
    desk
}

/// The offer for cards in dollars, if there is one.
async fn offer(app: &TestApp, session: &str) -> Option<Value> {
    let asked = json!({ "bin": "47617384" });
    let answer = app.frame(session).post("/fe/build/bin", &asked).await.ok();
    let offer = answer.get("currencyOffer")?;
    Some(offer["offerId"].clone())
}

/// A session whose buyer has accepted to pay 35.45 EUR in dollars.
async fn accepted(app: &TestApp, number: &str) -> String {
    let session = app.open(&build_form("A1", 2)).await;
    let offer = offer(app, &session).await.expect("an offer");
    let mut items = crate::harness::card(number);
    let item = json!({ "id": "CURRENCY_OFFER", "value": offer });
    items.as_array_mut().unwrap().push(item);
    let answer = app
        .frame(&session)
        .post("/fe/build/text", &items)
        .await
        .ok();
    let check = answer["gdiStatus"]["gdiUrl"].as_str().unwrap();
    let pages = app.app.buyer_pages();
    pages.device_check_done(token_of(check)).await.unwrap();
    session
}

#[tokio::test]
async fn the_acquirer_is_told_what_the_cardholder_is_charged_and_gets_back() {
    let desk = desk();
    let app = desk.app().await;
    let session = accepted(&app, DOLLAR_CARD).await;
    let paid = app.finalize(&session).await;
    assert_eq!(desk.asked(), [format!("first {CHARGED}")]);
    let operation = paid["operation"]["operationId"].as_str().unwrap();
    let app = app.restarted().await;
    let refund = done(&app, operation, "refunds", 1000).await;
    assert_eq!(stands(&app, &refund).await, "REFUND/EXECUTED");
    let refunded = "first REFUND 1000 EUR of the authorization as 1115 USD at 0.897085020";
    assert_eq!(desk.asked(), [refunded]);
}

#[tokio::test]
async fn a_repeated_request_names_the_same_conversion_also_after_a_restart() {
    let desk = desk();
    desk.change(|plan| plan.silent = vec!["first"]);
    let app = desk.app().await;
    let session = accepted(&app, DOLLAR_CARD).await;
    let closing = json!({ "sessionId": session });
    let answer = app
        .merchant()
        .post("/build/finalize_payment", &closing)
        .await;
    assert_eq!(answer.refusal(), "500 PS0000");
    let app = app.restarted().await;
    // It is charged in the same currency also if nobody would be offered it now.
    desk.change(|plan| {
        plan.silent.clear();
        plan.converting.clear();
    });
    app.pass(600).await;
    let asked = desk.asked();
    assert!(asked.len() >= 2, "{asked:?}");
    assert!(
        asked.iter().all(|one| *one == format!("first {CHARGED}")),
        "{asked:?}"
    );
    assert_eq!(
        short(&app.state(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
}

#[tokio::test]
async fn without_an_acquirer_that_converts_there_is_no_offer() {
    let desk = desk();
    desk.change(|plan| plan.converting = vec!["second"]);
    let app = desk.app().await;
    let session = app.open(&build_form("A1", 2)).await;
    assert_eq!(offer(&app, &session).await, None);
    desk.change(|plan| plan.converting = vec!["first"]);
    assert!(offer(&app, &session).await.is_some());
}

#[tokio::test]
async fn an_acquirer_that_converts_no_more_is_not_asked_for_another_sum() {
    let desk = desk();
    let app = desk.app().await;
    let session = accepted(&app, DOLLAR_CARD).await;
    desk.change(|plan| plan.converting.clear());
    let closing = json!({ "sessionId": session });
    let answer = app
        .merchant()
        .post("/build/finalize_payment", &closing)
        .await;
    assert_eq!(answer.refusal(), "400 GW9009");
    assert!(desk.asked().is_empty());
}

#[tokio::test]
async fn a_fallback_that_does_not_convert_is_not_asked() {
    let desk = desk();
    desk.change(|plan| plan.taking_nothing = vec!["first"]);
    let app = desk.app().await;
    let session = accepted(&app, DOLLAR_CARD).await;
    app.finalize(&session).await;
    assert_eq!(desk.asked(), [format!("first {CHARGED}")]);
}

#[tokio::test]
async fn three_d_secure_and_the_banks_page_name_what_the_cardholder_is_charged() {
    let asked = Asked::default();
    let server = asked.clone();
    let app = TestApp::with_ports(|_| {}, move |ports| server.replace(ports)).await;
    let session = accepted(&app, DOLLAR_CHALLENGE).await;
    let closed = app.finalize(&session).await;
    assert_eq!(asked.sums(), ["3952 USD"]);
    let token = token_of(closed["url"].as_str().expect("a challenge"));
    let pages = app.app.buyer_pages();
    let page = pages.challenge(token).await.unwrap().unwrap();
    assert_eq!((page.amount.minor(), page.currency.as_str()), (3952, "USD"));
    pages
        .challenge_answer(token, ChallengeAnswer::Approve)
        .await;
    let books = payframe_storage::query(
        "SELECT CAST(amount_minor AS TEXT) || ' ' || currency || ' as ' || CAST(cardholder_amount_minor AS TEXT) || ' ' || \
         cardholder_currency AS sums FROM charge",
    );
    let books = app.acquirer().await.ask(books).await.unwrap();
    let sums: Vec<String> = books
        .iter()
        .map(|row| row.try_get("sums").unwrap())
        .collect();
    assert_eq!(sums, ["3545 EUR as 3952 USD"]);
}

/// The sums that a 3-D Secure server was asked to authenticate.
#[derive(Clone, Default)]
struct Asked(Arc<Mutex<Vec<String>>>);

impl Asked {
    fn replace(&self, ports: Ports) -> Ports {
        Ports {
            three_ds_server: Arc::new(Listening {
                server: ports.three_ds_server,
                asked: self.clone(),
            }),
            ..ports
        }
    }

    fn sums(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

struct Listening {
    server: Arc<dyn ThreeDsServer>,
    asked: Asked,
}

#[async_trait]
impl ThreeDsServer for Listening {
    fn card_range(&self, number: &Secret) -> CardRange {
        self.server.card_range(number)
    }

    async fn authenticate(
        &self,
        request: &AuthenticationRequest<'_>,
    ) -> Result<AuthenticationResponse, ThreeDsServerError> {
        let sum = format!("{} {}", request.amount, request.currency);
        self.asked.0.lock().unwrap().push(sum);
        self.server.authenticate(request).await
    }

    async fn evidence(
        &self,
        request: &EvidenceRequest<'_>,
    ) -> Result<AuthenticationEvidence, ThreeDsServerError> {
        self.server.evidence(request).await
    }
}
