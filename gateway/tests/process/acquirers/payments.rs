//! A production gateway that charges over TLS, by the example in Python.

use super::example::{Adapter, EXAMPLE, SECRET};
use crate::http;
use crate::process::{Process, command};
use crate::shop::{APPROVED, DECLINED, call, pay, socket};
use rcgen::CertifiedKey;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A shop of a production gateway whose terminals differ in what they are connected to.
struct Shop {
    gateway: Process,
    adapter: Adapter,
    /// The keys of the terminals that are connected, connected without authentication, not connected, and connected by routes.
    keys: [String; 4],
    data: PathBuf,
    settings: Vec<(&'static str, String)>,
}

const TERMINALS: [&str; 4] = ["55000001", "55000002", "55000003", "55000004"];

impl Shop {
    fn open() -> Shop {
        let adapter = adapter_over_tls();
        let folder = adapter.folder.path();
        let port = adapter.url.split(':').nth(2).unwrap();
        let connected = |id: &str, more: &str| {
            format!("[[terminal]]\nid = '{id}'\nacquirer = 'main'\n{more}\n")
        };
        // Nobody listens there: its only listener is closed.
        let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let closed = closed.local_addr().unwrap().port();
        let file = [
            format!(
                "[[acquirer]]\nname = 'down'\nurl = 'https://localhost:{closed}'\nsecret_file = 'main.secret'\n"
            ),
            format!(
                "[[acquirer]]\nname = 'main'\nurl = 'https://localhost:{port}'\nsecret_file = 'main.secret'\nca_file = 'cert.pem'\n"
            ),
            connected(TERMINALS[0], ""),
            connected(TERMINALS[1], "without_authentication = true"),
            format!(
                "[[terminal]]\nid = '{}'\n[[terminal.route]]\ncurrencies = ['USD']\nacquirer = 'down'\n\
                 [[terminal.route]]\nacquirer = 'down'\nfallback = 'main'\n",
                TERMINALS[3]
            ),
        ];
        std::fs::write(&adapter.file, file.concat()).unwrap();
        let data = folder.join("data");
        let settings = vec![
            ("PAYFRAME_MODE", String::from("production")),
            ("PAYFRAME_ORIGIN", String::from("https://pay.example")),
            ("PAYFRAME_ACQUIRERS", adapter.file.display().to_string()),
        ];
        tell(
            &data,
            &settings,
            &["merchant", "add", "blumen", "Blumenladen"],
        );
        let keys = TERMINALS.map(|terminal| {
            tell(&data, &settings, &["terminal", "add", terminal, "blumen"]);
            let told = tell(&data, &settings, &["keys", "new", terminal]);
            key_in(&told)
        });
        let gateway = Process::start(&data, &borrowed(&settings));
        Shop {
            gateway,
            adapter,
            keys,
            data,
            settings,
        }
    }

    /// The same with a new process.
    fn restarted(self) -> Shop {
        drop(self.gateway);
        Shop {
            gateway: Process::start(&self.data, &borrowed(&self.settings)),
            ..self
        }
    }

    fn call(&self, terminal: usize, path: &str, body: &Value) -> (u16, Value) {
        let key = ("x-api-key", self.keys[terminal].as_str());
        call(socket(&self.gateway.address), path, &[key], body)
    }

    /// An order by telephone; returns its operation.
    fn pay(&self, order: &str, number: &str) -> Value {
        let (status, paid) = self.call(0, "/orders/moto", &moto(order, number));
        assert_eq!(status, 200, "{paid}");
        paid["operation"].clone()
    }

    fn order(&self, order: &str) -> Value {
        let key = [("x-api-key", self.keys[0].as_str())];
        let server = socket(&self.gateway.address);
        let answer = http::send(server, "GET", &format!("/api/orders/{order}"), &key, "").unwrap();
        serde_json::from_str(&answer.text).unwrap()
    }
}

/// The example with a certificate for this machine.
fn adapter_over_tls() -> Adapter {
    let folder = tempfile::tempdir().unwrap();
    let CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed([String::from("localhost")]).unwrap();
    let [certificate, key] = ["cert.pem", "key.pem"].map(|name| folder.path().join(name));
    std::fs::write(&certificate, cert.pem()).unwrap();
    std::fs::write(&key, signing_key.serialize_pem()).unwrap();
    let paths = [&certificate, &key].map(|path| path.display().to_string());
    let arguments = ["--tls-cert", &paths[0], "--tls-key", &paths[1]];
    Adapter::start_in(folder, EXAMPLE, &arguments)
}

fn tell(data: &Path, settings: &[(&'static str, String)], words: &[&str]) -> String {
    let told = command(data, &borrowed(settings))
        .args(words)
        .output()
        .unwrap();
    let problem = String::from_utf8(told.stderr).unwrap();
    assert!(told.status.success(), "{words:?}: {problem}");
    String::from_utf8(told.stdout).unwrap()
}

fn borrowed<'a>(settings: &'a [(&'static str, String)]) -> Vec<(&'a str, &'a str)> {
    let settings = settings.iter();
    settings
        .map(|(name, value)| (*name, value.as_str()))
        .collect()
}

/// The key that `keys new` shows: its longest word.
fn key_in(told: &str) -> String {
    let words = told.split_whitespace();
    words.max_by_key(|word| word.len()).unwrap().to_owned()
}

fn moto(order: &str, number: &str) -> Value {
    json!({
        "order": {
            "orderId": order, "amount": "3545", "currency": "EUR",
            "customerInfo": { "cardHolderName": "Anna Rossi" }
        },
        "card": { "pan": number, "expiryDate": "1240", "cvv": "123" }
    })
}

/// A payment with a form.
fn build(order: &str) -> Value {
    json!({
        "version": "3", "merchantUrl": "https://shop.example",
        "order": { "orderId": order, "amount": "3545", "currency": "EUR" },
        "paymentSession": {
            "actionType": "PAY", "amount": "3545", "language": "ITA",
            "resultUrl": "https://shop.example/result", "cancelUrl": "https://shop.example/cancel"
        }
    })
}

fn refusal((status, answer): (u16, Value)) -> String {
    format!(
        "{status} {}",
        answer["errors"][0]["code"].as_str().unwrap_or("?")
    )
}

#[test]
fn a_production_gateway_charges_and_gives_back_by_an_adapter() {
    let shop = Shop::open();
    assert_eq!(
        shop.gateway.mode,
        "(production: terminals with an acquirer are charged)"
    );
    let paid = shop.pay("A1", APPROVED);
    assert_eq!(paid["operationResult"], "EXECUTED", "{paid}");
    assert_eq!(paid["additionalData"]["authorizationStatus"], "000");
    assert_eq!(
        paid["additionalData"]["authorizationCode"]
            .as_str()
            .unwrap()
            .len(),
        6
    );
    assert_eq!(shop.pay("A2", DECLINED)["operationResult"], "DECLINED");
    let id = paid["operationId"].as_str().unwrap();
    let body = json!({ "amount": "1000", "currency": "EUR" });
    let (status, answer) = shop.call(0, &format!("/operations/{id}/refunds"), &body);
    assert_eq!(status, 200, "{answer}");
    let order = shop.order("A1");
    assert_eq!(order["orderStatus"]["capturedAmount"], "3545", "{order}");
    let refund = &order["operations"][0];
    assert_eq!(
        (
            refund["operationType"].as_str(),
            refund["operationResult"].as_str()
        ),
        (Some("REFUND"), Some("EXECUTED")),
        "{order}"
    );
    assert_eq!(shop.adapter.operations(), 3);
}

#[test]
fn a_payment_whose_acquirer_refuses_connections_is_charged_by_the_fallback_of_its_route() {
    let shop = Shop::open();
    let (status, paid) = shop.call(3, "/orders/moto", &moto("A1", APPROVED));
    assert_eq!(status, 200, "{paid}");
    assert_eq!(paid["operation"]["operationResult"], "EXECUTED", "{paid}");
    assert_eq!(shop.adapter.operations(), 1);
    let id = paid["operation"]["operationId"].as_str().unwrap();
    let body = json!({ "amount": "1000", "currency": "EUR" });
    let (status, answer) = shop.call(3, &format!("/operations/{id}/refunds"), &body);
    assert_eq!(status, 200, "{answer}");
    assert_eq!(shop.adapter.operations(), 2);
    // Another route, without a fallback: the payment waits for its acquirer.
    let mut order = moto("A2", APPROVED);
    order["order"]["currency"] = json!("USD");
    assert_eq!(refusal(shop.call(3, "/orders/moto", &order)), "500 PS0000");
    assert_eq!(shop.adapter.operations(), 2);
}

#[test]
fn terminals_are_refused_without_an_acquirer_and_buyers_without_authentication() {
    let shop = Shop::open();
    let path = "/orders/build";
    assert_eq!(refusal(shop.call(0, path, &build("A1"))), "400 GW9010");
    // The next check: nobody has proven the page's origin.
    assert_eq!(refusal(shop.call(1, path, &build("A1"))), "400 GW0002");
    assert_eq!(refusal(shop.call(2, path, &build("A1"))), "400 GW9009");
    let order = moto("A2", APPROVED);
    assert_eq!(refusal(shop.call(2, "/orders/moto", &order)), "400 GW9009");
    assert_eq!(shop.adapter.operations(), 0);
    assert_eq!(shop.pay("A2", APPROVED)["operationResult"], "EXECUTED");
}

#[test]
fn a_payment_of_a_gateway_that_was_stopped_is_given_back_by_the_next_one() {
    let shop = Shop::open();
    let paid = shop.pay("A1", APPROVED);
    let shop = shop.restarted();
    let id = paid["operationId"].as_str().unwrap();
    let body = json!({ "amount": "3545", "currency": "EUR" });
    let (status, answer) = shop.call(0, &format!("/operations/{id}/refunds"), &body);
    assert_eq!(status, 200, "{answer}");
    assert_eq!(shop.order("A1")["orderStatus"]["refundedAmount"], "3545");
}

#[test]
fn neither_log_has_card_data_at_any_level() {
    let shop = Shop::open();
    let log = shop.data.join("log");
    let mut traced = command(&shop.data, &borrowed(&shop.settings));
    traced
        .env("PAYFRAME_LOG", "trace")
        .stderr(std::fs::File::create(&log).unwrap());
    let Shop {
        gateway,
        adapter,
        keys,
        data,
        settings,
    } = shop;
    drop(gateway);
    let shop = Shop {
        gateway: Process::of(traced),
        adapter,
        keys,
        data,
        settings,
    };
    shop.pay("A1", APPROVED);
    shop.pay("A2", DECLINED);
    let logs = [
        std::fs::read_to_string(log).unwrap(),
        shop.adapter.log.lock().unwrap().join("\n"),
    ];
    // Both have logged the payments.
    for (log, expected) in logs
        .iter()
        .zip(["\"level\":\"TRACE\"", "/payframe/authorize 200"])
    {
        assert!(log.contains(expected), "{log}");
        for secret in [APPROVED, DECLINED, "Anna Rossi", "\"securityCode\"", SECRET] {
            assert!(!log.contains(secret), "{secret}");
        }
    }
}

#[test]
fn a_sandboxs_terminal_may_use_an_adapter_for_tests() {
    let adapter = Adapter::start(EXAMPLE, &[]);
    let connected = format!(
        "{}[[terminal]]\nid = '91000001'\nacquirer = 'main'\n",
        std::fs::read_to_string(&adapter.file).unwrap()
    );
    std::fs::write(&adapter.file, connected).unwrap();
    let file = adapter.file.display().to_string();
    let settings = [("PAYFRAME_ACQUIRERS", file.as_str())];
    let sandbox = Process::start(&adapter.folder.path().join("data"), &settings);
    assert_eq!(sandbox.mode, "(sandbox: no money moves)");
    let server = socket(&sandbox.address);
    assert_eq!(pay(server, "A1", APPROVED), "EXECUTED");
    assert_eq!(adapter.operations(), 1);
    // Another terminal, whose payments stay in the sandbox.
    let other = [("x-api-key", "sandbox-explicit")];
    let (status, answer) = call(server, "/orders/moto", &other, &moto("A2", APPROVED));
    assert_eq!(status, 200, "{answer}");
    assert_eq!(adapter.operations(), 1);
}

#[test]
fn a_file_that_cannot_be_used_stops_the_start_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("acquirers.toml");
    std::fs::write(folder.path().join("main.secret"), SECRET).unwrap();
    let text =
        "[[acquirer]]\nname = 'main'\nurl = 'http://127.0.0.1:9100'\nsecret_file = 'main.secret'\n";
    std::fs::write(&file, text).unwrap();
    let path = file.display().to_string();
    for (mode, expected) in [
        (
            "production",
            "url of acquirer main must be an https address",
        ),
        (
            "sandbox",
            "test_endpoint of acquirer main must be true in a sandbox",
        ),
    ] {
        let settings = [
            ("PAYFRAME_MODE", mode),
            ("PAYFRAME_ORIGIN", "https://pay.example"),
            ("PAYFRAME_ACQUIRERS", path.as_str()),
        ];
        let ended = command(&folder.path().join(mode), &settings)
            .output()
            .unwrap();
        assert_eq!(ended.status.code(), Some(1));
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(said.contains("PAYFRAME_ACQUIRERS"), "{said}");
        assert!(said.contains(expected), "{said}");
    }
}
