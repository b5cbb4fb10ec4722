//! Payments with encrypted tokens in production: from the wallet's object to what the acquirer gets.

use super::request;
use crate::acquirer_desk::Desk;
use crate::harness::{Answer, OWN_MERCHANT, START_MS, TestApp};
use crate::keys::{command, made};
use payframe_gateway::App;
use payframe_gateway::config::{Config, Mode};
use payframe_payment_ports::acquirer::AuthorizationResult;
use payframe_payment_ports::risk_rules::{RiskDecision, RiskQuestion};
use payframe_payment_ports::{Clock, Ports, RiskRules};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Tokens with their keys; `crates/wallet-tokens/tests` makes them.
fn fixture() -> Value {
    let text = include_str!("../../../../crates/wallet-tokens/fixtures/tokens.json");
    let fixture: Value = serde_json::from_str(text).unwrap();
    assert_eq!(fixture["nowMs"], START_MS);
    assert_eq!(fixture["merchantId"], OWN_MERCHANT);
    fixture
}

/// The operator's file of wallets, with the files that it names.
fn write_files(folder: &Path) -> PathBuf {
    let fixture = fixture();
    let text = |part: &str| fixture.pointer(part).unwrap().as_str().unwrap().to_owned();
    let file = format!(
        "[[applepay]]\nidentifier = '{}'\nmerchants = ['{OWN_MERCHANT}']\nkey_files = ['apple.pem']\nroot_file = 'root.pem'\n\
         [[googlepay]]\nrecipient = '{}'\nkey_files = ['google.pem']\nroot_file = 'roots.json'\n",
        text("/applepay/identifier"),
        text("/googlepay/recipient"),
    );
    for (name, text) in [
        ("apple.pem", text("/applepay/key")),
        ("root.pem", text("/applepay/root")),
        ("google.pem", text("/googlepay/key")),
        ("roots.json", fixture["googlepay"]["roots"].to_string()),
        ("wallets.toml", file),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    folder.join("wallets.toml")
}

/// What the wallet's interface returned, as the body of the call.
pub(super) fn apple(order_id: &str) -> Value {
    let token = fixture()["applepay"]["token"].clone();
    let mut request = request(order_id, json!({ "token": { "paymentData": token } }));
    request["paymentSession"]["paymentService"] = json!("APPLEPAY");
    request
}

pub(super) fn google(order_id: &str, kind: &str) -> Value {
    let token = fixture()["googlepay"][kind].clone();
    request(
        order_id,
        json!({ "paymentMethodData": { "type": "CARD", "tokenizationData": { "token": token } } }),
    )
}

struct AnyRisk;

impl RiskRules for AnyRisk {
    fn decide(&self, _question: &RiskQuestion<'_>) -> RiskDecision {
        RiskDecision::Accept
    }
}

/// A production gateway with an acquirer and the file of wallets.
pub(super) struct Shop {
    pub(super) app: TestApp,
    key: String,
    pub(super) desk: Desk,
    _folder: tempfile::TempDir,
}

impl Shop {
    pub(super) async fn open() -> Shop {
        Shop::with(|folder| Some(write_files(folder))).await
    }

    async fn with(wallets: impl FnOnce(&Path) -> Option<PathBuf>) -> Shop {
        let folder = tempfile::tempdir().unwrap();
        let wallets = wallets(folder.path());
        let desk = Desk::with(AuthorizationResult::Approved);
        let acquirers = desk.clone();
        let replace = move |ports: Ports| Ports {
            risk_rules: Arc::new(AnyRisk),
            ..acquirers.replace(ports)
        };
        let in_production = |config: &mut Config| {
            config.mode = Mode::Production;
            config.wallets = wallets;
        };
        let app = TestApp::with_ports(in_production, replace).await;
        let key = app.own_shop().await;
        let set = ["terminal", "set", "55000001", "wallets=GOOGLEPAY,APPLEPAY"];
        command(&app, &set).await.unwrap();
        Shop {
            app,
            key,
            desk,
            _folder: folder,
        }
    }

    pub(super) async fn pay(&self, request: &Value) -> Answer {
        let merchant = self.app.key(&self.key);
        merchant.post("/orders/walletpay", request).await
    }
}

#[tokio::test]
async fn the_acquirer_gets_the_network_token_of_an_encrypted_token() {
    let shop = Shop::open().await;
    for (request, circuit, wallet, eci) in [
        (apple("A1"), "APPLE_PAY", "APPLEPAY", "07"),
        (google("A2", "cryptogram"), "GOOGLE_PAY", "GOOGLEPAY", "05"),
    ] {
        let answer = shop.pay(&request).await.ok();
        assert_eq!(answer["paymentFlow"], "CRYPTOGRAM");
        assert_eq!(answer["operation"]["operationResult"], "EXECUTED");
        assert_eq!(answer["operation"]["paymentCircuit"], circuit);
        assert!(!answer.to_string().contains("4111111111111111"), "{answer}");
        let asked = shop.desk.asked();
        let expected = format!(" {wallet} AgAAAAAABk4DWZ4C28yUQAAAAAA= {eci}");
        assert!(
            asked.len() == 1 && asked[0].ends_with(&expected),
            "{asked:?}"
        );
    }
    // The number and the cryptogram are gone with the payments.
    assert_eq!(shop.app.count("SELECT count(*) FROM sealed_card").await, 0);
    assert!(!shop.app.keeps("4111111111111111").await);
    assert!(!shop.app.keeps("AgAAAAAABk4DWZ4C28yUQAAAAAA=").await);
}

#[tokio::test]
async fn a_token_pays_one_order() {
    let shop = Shop::open().await;
    shop.pay(&apple("A1")).await.ok();
    shop.pay(&google("A2", "cryptogram")).await.ok();
    shop.desk.asked();
    for request in [apple("A3"), google("A3", "cryptogram")] {
        let answer = shop.pay(&request).await;
        assert_eq!(answer.refusal(), "400 PS0026");
        assert!(answer.why().contains("another order"), "{}", answer.why());
    }
    // The same order again is refused because it is paid.
    assert_eq!(shop.pay(&apple("A1")).await.refusal(), "400 GW9006");
    assert!(shop.desk.asked().is_empty());
    let tokens = "SELECT count(*) FROM wallet_token";
    assert_eq!(shop.app.count(tokens).await, 2);
    // The first one has been too old for an hour, and the second one for less.
    shop.app.advance(Duration::from_secs(3600 + 301)).await;
    shop.app.app.due_work().tidy_up().await;
    assert_eq!(shop.app.count(tokens).await, 1);
}

#[tokio::test]
async fn of_several_orders_at_once_a_token_pays_one() {
    let shop = Shop::open().await;
    let calls: Vec<_> = (0..4)
        .map(|number| {
            (
                google(&format!("A{number}"), "cryptogram"),
                format!("k{number}"),
            )
        })
        .collect();
    let answers = shop
        .app
        .all_at_once(&shop.key, "/orders/walletpay", &calls)
        .await;
    let paid = answers.iter().filter(|answer| answer.status == 200);
    assert_eq!(paid.count(), 1);
    assert_eq!(shop.desk.asked().len(), 1);
}

/// A declined card may be tried again for its order, as long as the token is good.
#[tokio::test]
async fn a_token_may_try_its_order_again() {
    let shop = Shop::open().await;
    shop.desk
        .change(|plan| plan.answer = Some(AuthorizationResult::Declined));
    for _ in 0..2 {
        let answer = shop.pay(&apple("A1")).await.ok();
        assert_eq!(answer["operation"]["operationResult"], "DECLINED");
    }
    assert_eq!(shop.desk.asked().len(), 2);
}

#[tokio::test]
async fn a_repeated_call_gets_its_outcome_when_the_token_is_too_old() {
    let shop = Shop::open().await;
    let merchant = shop.app.key(&shop.key);
    let headers = [("idempotency-key", "wallet-1")];
    let pay = async |request: &Value| {
        let path = "/orders/walletpay";
        merchant.post_with(path, request, &headers).await
    };
    let first = pay(&apple("A1")).await.ok();
    shop.app.lose_answers().await;
    shop.app.advance(Duration::from_secs(301)).await;
    assert_eq!(pay(&apple("A1")).await.ok(), first);
    assert_eq!(shop.desk.asked().len(), 1);
    shop.app.lose_answers().await;
    assert_eq!(pay(&apple("A2")).await.refusal(), "400 PS0025");
}

/// Nobody has authenticated this buyer, and there is no directory server.
#[tokio::test]
async fn a_number_alone_needs_three_d_secure() {
    let shop = Shop::open().await;
    shop.app
        .has_proven("55000001", "https://shop.example")
        .await;
    let answer = shop.pay(&google("A1", "numberOnly")).await;
    assert_eq!(answer.refusal(), "400 GW9010");
    assert!(shop.desk.asked().is_empty());
}

#[tokio::test]
async fn a_token_for_one_merchant_is_not_spent_by_another() {
    let shop = Shop::open().await;
    for words in [
        ["merchant", "add", "backwaren", "Backwaren"].as_slice(),
        &["terminal", "add", "55000002", "backwaren"],
        &["terminal", "set", "55000002", "wallets=GOOGLEPAY,APPLEPAY"],
    ] {
        command(&shop.app, words).await.unwrap();
    }
    let told = command(&shop.app, &["keys", "new", "55000002"]).await;
    let (_, key) = made(&told.unwrap());
    let other = shop.app.key(&key);
    for (request, reason) in [
        (
            apple("A1"),
            "no key of this wallet is set up for the merchant",
        ),
        (
            google("A2", "cryptogram"),
            "it was made for another merchant",
        ),
    ] {
        let answer = other.post("/orders/walletpay", &request).await;
        assert_eq!(answer.refusal(), "400 PS0026");
        assert!(answer.why().ends_with(reason), "{}", answer.why());
    }
    assert!(shop.desk.asked().is_empty());
}

#[tokio::test]
async fn what_is_wrong_with_a_token_is_said_without_its_content() {
    let shop = Shop::open().await;
    let mut changed = apple("A1");
    let data = changed.pointer_mut("/walletPaymentData/token/paymentData/data");
    let data = data.unwrap();
    *data = json!(format!("AAAA{}", &data.as_str().unwrap()[4..]));
    let mut swapped = google("A1", "cryptogram");
    swapped["paymentSession"]["paymentService"] = json!("APPLEPAY");
    for (request, reason) in [
        (
            changed,
            "the signature does not fit the content and the recipient",
        ),
        (swapped, "version is missing or malformed"),
    ] {
        let answer = shop.pay(&request).await;
        assert_eq!(answer.refusal(), "400 PS0026");
        assert!(answer.why().ends_with(reason), "{}", answer.why());
        assert!(!answer.text().contains("AAAA"), "{}", answer.text());
    }
    shop.app.advance(Duration::from_secs(301)).await;
    let late = shop.pay(&apple("A1")).await;
    assert_eq!(late.refusal(), "400 PS0026");
    assert!(
        late.why()
            .ends_with("it was signed too long ago, or in the future")
    );
    assert!(shop.desk.asked().is_empty());
}

#[tokio::test]
async fn without_a_file_no_token_opens() {
    let shop = Shop::with(|_| None).await;
    for request in [apple("A1"), google("A2", "cryptogram")] {
        let answer = shop.pay(&request).await;
        assert_eq!(answer.refusal(), "400 PS0026");
        let reason = "no key of this wallet is set up for the merchant";
        assert!(answer.why().ends_with(reason), "{}", answer.why());
    }
}

#[tokio::test]
async fn a_sandbox_reads_its_own_tokens_whatever_the_file_says() {
    let folder = tempfile::tempdir().unwrap();
    let file = write_files(folder.path());
    let app = TestApp::with(|config| config.wallets = Some(file)).await;
    for request in [apple("A1"), google("A2", "cryptogram")] {
        let answer = super::pay(&app, &request).await;
        assert_eq!(answer.refusal(), "400 PS0026");
        let reason = "a sandbox reads its own tokens only, whose content is in clear";
        assert!(answer.why().ends_with(reason), "{}", answer.why());
    }
    let own = super::google(crate::harness::APPROVED, "CRYPTOGRAM_3DS");
    super::pay(&app, &request("A3", own)).await.ok();
}

#[tokio::test]
async fn a_file_that_does_not_fit_stops_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let config = Config {
        mode: Mode::Production,
        data: folder.path().to_owned(),
        wallets: Some(folder.path().join("none.toml")),
        ..Config::sandbox()
    };
    let said = App::open(config, Clock::system()).await.err().unwrap();
    let said = said.to_string();
    assert!(
        said.starts_with("the wallets (PAYFRAME_WALLETS): "),
        "{said}"
    );
    assert!(said.contains("none.toml: "), "{said}");
}
