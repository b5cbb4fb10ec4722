//! The sandbox's directory server and issuer as processes, and a shop with a buyer's browser at a gateway that asks them.

use crate::http::{self, Response};
use crate::process::Process;
use crate::shop::{call, merchant, socket};
use serde_json::{Value, json};
use std::cell::Cell;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A program of the sandbox, until it is dropped.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Directory server and issuer.
pub(super) struct Networks {
    pub(super) directory_server: String,
    pub(super) acs: String,
    /// The issuer's page that enrols devices.
    pub(super) enrolment: String,
    settings: String,
    folder: tempfile::TempDir,
    _servers: [Server; 2],
}

/// Starts an issuer, closes its standard input, and waits for its end. Returns whether it ended well.
pub(super) fn issuer_ends_with_its_parent() -> bool {
    let folder = tempfile::tempdir().unwrap();
    let acs = command("acs", &folder.path().join("3ds"));
    let (mut acs, _) = start(acs, ACS_SAYS);
    drop(acs.0.stdin.take());
    acs.0.wait().unwrap().success()
}

impl Networks {
    /// Starts both. `options`: further ones of the issuer.
    pub(super) fn start(options: &[&str]) -> Networks {
        let folder = tempfile::tempdir().unwrap();
        let certificates = folder.path().join("3ds");
        let log = std::fs::File::create(folder.path().join("acs.log")).unwrap();
        let mut acs = command("acs", &certificates);
        acs.args(options).env("PAYFRAME_LOG", "info").stderr(log);
        let (acs, [address, pages, enrolment]) = start(acs, ACS_SAYS);
        let mut directory_server = command("directory-server", &certificates);
        directory_server.args(["--acs", &address, "--acs-pages", &pages]);
        let heads = ["directory server: ", "settings: "];
        let (directory_server, [asked_at, settings]) = start(directory_server, heads);
        Networks {
            directory_server: asked_at,
            acs: address,
            enrolment,
            settings,
            folder,
            _servers: [acs, directory_server],
        }
    }

    /// The folder of the certificates.
    pub(super) fn folder(&self) -> PathBuf {
        self.folder.path().join("3ds")
    }

    pub(super) fn log_of_acs(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("acs.log")).unwrap()
    }
}

fn command(name: &str, folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_payframe-gateway"));
    command
        .args(["sandbox", name, "--with-parent", "--folder"])
        .arg(folder)
        .env("PAYFRAME_LOG", "off");
    command
}

fn start<const N: usize>(mut command: Command, heads: [&str; N]) -> (Server, [String; N]) {
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut server = Server(command.spawn().unwrap());
    let mut lines = BufReader::new(server.0.stdout.take().unwrap()).lines();
    let said = heads.map(|head| {
        let line = lines.next().unwrap().unwrap();
        line.strip_prefix(head).unwrap().to_owned()
    });
    (server, said)
}

/// A merchant's server and a buyer's browser, at a gateway of their own.
pub(crate) struct Shop {
    server: SocketAddr,
    orders: Cell<u32>,
    /// The gateway, if it is for this shop alone.
    _gateway: Option<(Process, tempfile::TempDir)>,
}

/// How far a payment is.
pub(crate) struct Paid {
    /// State, kind and result.
    pub(crate) state: String,
    /// `threeDS` of an operation that was paid.
    pub(crate) secure: String,
}

impl Shop {
    pub(super) fn open(networks: &Networks) -> Shop {
        let data = tempfile::tempdir().unwrap();
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let listen = free.local_addr().unwrap().to_string();
        drop(free);
        let origin = format!("http://{listen}");
        let settings = [
            ("PAYFRAME_LISTEN", listen.as_str()),
            ("PAYFRAME_ORIGIN", origin.as_str()),
            ("PAYFRAME_3DS", networks.settings.as_str()),
        ];
        let gateway = Process::start(data.path(), &settings);
        Shop {
            server: socket(&gateway.address),
            orders: Cell::new(0),
            _gateway: Some((gateway, data)),
        }
    }

    /// At a gateway that runs already.
    pub(crate) fn at(server: SocketAddr) -> Shop {
        Shop {
            server,
            orders: Cell::new(0),
            _gateway: None,
        }
    }

    /// Pays, and gives these answers in a challenge.
    pub(crate) fn pay(&self, number: &str, answers: &[&str]) -> Paid {
        let session = self.begin(number);
        let mut ended = false;
        for answer in answers {
            assert!(!ended, "{number}: the challenge is over");
            ended = self.challenge(&session, answer).is_some();
        }
        assert!(
            ended || answers.is_empty(),
            "{number}: the challenge goes on"
        );
        self.state(&session)
    }

    /// A session whose card is known, and whose browser has described itself.
    pub(super) fn entered(&self, number: &str) -> String {
        self.entered_in(number, &browser())
    }

    fn entered_in(&self, number: &str, browser: &Value) -> String {
        let (session, check) = self.with_card(number);
        let page = self.at_gateway("GET", &check, "");
        if let Some(method) = method_form(&page.text) {
            let said = http_form(&method, "threeDSMethodData");
            let back = method_form(&said.text).unwrap();
            let told = http_form(&back, "threeDSMethodData");
            assert!(told.text.contains("data-leads=\"check\""), "{}", told.text);
        }
        let kind = [
            ("content-type", "application/json"),
            ("user-agent", "Mozilla/5.0"),
        ];
        let path = split(&check).1;
        let sent = http::send(self.server, "POST", path, &kind, &browser.to_string());
        assert_eq!(sent.unwrap().status, Some(204));
        session
    }

    fn with_card(&self, number: &str) -> (String, String) {
        self.orders.set(self.orders.get() + 1);
        let build = json!({
            "version": "3", "merchantUrl": "https://shop.example", "form": { "closing": "FRAME", "attempts": 2 },
            "order": { "orderId": format!("order-{}", self.orders.get()), "amount": "3545", "currency": "EUR" },
            "paymentSession": {
                "actionType": "PAY", "amount": "3545", "paymentService": "CARDS", "resultUrl": "https://shop.example/ok",
                "cancelUrl": "https://shop.example/ko", "notificationUrl": "http://127.0.0.1:9/hook"
            }
        });
        let session = merchant(self.server, "/orders/build", &build)["sessionId"]
            .as_str()
            .unwrap()
            .to_owned();
        let card = json!([
            { "id": "CARD_NUMBER", "value": number }, { "id": "EXPIRATION_DATE", "value": "1230" },
            { "id": "SECURITY_CODE", "value": "123" }, { "id": "CARDHOLDER_NAME", "value": "Anna Rossi" }
        ]);
        let header = [("session", session.as_str())];
        let (status, answer) = call(self.server, "/fe/build/text", &header, &card);
        assert_eq!(status, 200, "{answer}");
        let check = answer["gdiStatus"]["gdiUrl"].as_str().unwrap().to_owned();
        (session, check)
    }

    /// The page of the issuer's 3DS method. `None`: it only waits.
    pub(super) fn method_of(&self, number: &str) -> Option<String> {
        let (_, check) = self.with_card(number);
        let page = self.at_gateway("GET", &check, "").text;
        let method = method_form(&page).unwrap();
        let said = http_form(&method, "threeDSMethodData").text;
        said.contains("id=\"back\"").then_some(said)
    }

    /// A session that was told to pay.
    pub(super) fn begin(&self, number: &str) -> String {
        self.told_to_pay(self.entered(number))
    }

    /// The same in a browser that can ask the buyer's device.
    pub(super) fn begin_able(&self, number: &str) -> String {
        let mut able = browser();
        able["canConfirm"] = json!(true);
        self.told_to_pay(self.entered_in(number, &able))
    }

    fn told_to_pay(&self, session: String) -> String {
        merchant(
            self.server,
            "/build/finalize_payment",
            &json!({ "sessionId": session }),
        );
        session
    }

    /// The status of HTTP of the call that pays.
    pub(super) fn close_status(&self, session: &str) -> u16 {
        let key = [("x-api-key", "sandbox-implicit")];
        let closing = json!({ "sessionId": session });
        call(self.server, "/build/finalize_payment", &key, &closing).0
    }

    /// Opens the issuer's page and gives an answer. Returns the gateway's page after it, if the challenge is over.
    pub(super) fn challenge(&self, session: &str, answer: &str) -> Option<String> {
        let address = self.asked(session)["url"].as_str().unwrap().to_owned();
        let page = self.at_gateway("GET", &address, "").text;
        let asks = method_form(&page).unwrap();
        let shown = http_form(&asks, "creq");
        assert_eq!(shown.status, Some(200), "{}", shown.text);
        let action = between(&shown.text, "action=\"", "\"").to_owned();
        let kind = [("content-type", FORM)];
        let issuer = socket_of(split(between(&asks, "action=\"", "\"")).0);
        let answered = http::send(issuer, "POST", &action, &kind, answer).unwrap();
        let back = method_form(&answered.text).filter(|form| form.contains("name=\"cres\""))?;
        let sent = http_form(&back, "cres");
        assert_eq!(sent.status, Some(303));
        Some(self.at_gateway("GET", &sent.location.unwrap(), "").text)
    }

    /// The page in the issuer's place that is of the gateway.
    pub(super) fn issuer_page(&self, session: &str) -> String {
        let address = self.asked(session)["url"].as_str().unwrap().to_owned();
        let led = self.at_gateway("GET", &address, "").location.unwrap();
        self.at_gateway("GET", &led, "").text
    }

    /// The page that asks the device in place of the issuer's page: its address, and what the browser is asked. `None`: there is none.
    pub(super) fn asked_of_device(&self, session: &str) -> Option<(String, Value)> {
        let address = self.asked(session)["url"].as_str().unwrap().to_owned();
        let led = self.at_gateway("GET", &address, "").location?;
        let page = self.at_gateway("GET", &led, "").text;
        let asked = between(&page, "data-asked=\"", "\"").replace("&#34;", "\"");
        Some((led, serde_json::from_str(&asked).unwrap()))
    }

    /// Sends what came of it.
    pub(super) fn tell_outcome(&self, address: &str, outcome: &str, assertion: &str) {
        let body = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs([("outcome", outcome), ("assertion", assertion)])
            .finish();
        let kind = [("content-type", FORM)];
        let told = http::send(self.server, "POST", address, &kind, &body).unwrap();
        assert_eq!(told.status, Some(303));
    }

    /// The gateway's own origin.
    pub(super) fn origin(&self) -> String {
        format!("http://{}", self.server)
    }

    /// Waits until the issuer has sent its result.
    pub(super) fn ended(&self, session: &str) -> Paid {
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            let paid = self.state(session);
            if !paid.state.starts_with("REDIRECTED_TO_EXTERNAL_DOMAIN") {
                return paid;
            }
            assert!(Instant::now() < deadline, "{}", paid.state);
            // As seldom as a shop may ask.
            std::thread::sleep(Duration::from_millis(250));
        }
    }

    pub(super) fn state(&self, session: &str) -> Paid {
        let state = self.asked(session);
        let operation = &state["operation"];
        let text = |value: &Value| value.as_str().unwrap_or("?").to_owned();
        let result = text(&operation["operationResult"]);
        let secure = &operation["additionalData"]["threeDS"];
        Paid {
            state: format!(
                "{} {}/{result}",
                text(&state["state"]),
                text(&operation["operationType"])
            ),
            secure: match result.as_str() {
                "EXECUTED" => secure.as_str().unwrap_or_default().to_owned(),
                _ => String::new(),
            },
        }
    }

    fn asked(&self, session: &str) -> Value {
        let id = uuid::Uuid::new_v4().to_string();
        let headers = [
            ("x-api-key", "sandbox-implicit"),
            ("correlation-id", id.as_str()),
        ];
        let path = format!("/api/build/state?sessionId={session}");
        let answer = http::send(self.server, "GET", &path, &headers, "").unwrap();
        serde_json::from_str(&answer.text).unwrap()
    }

    fn at_gateway(&self, method: &str, address: &str, body: &str) -> Response {
        http::send(self.server, method, split(address).1, &[], body).unwrap()
    }
}

/// What a browser says of itself.
fn browser() -> Value {
    json!({
        "language": "it-IT", "hasJava": false, "colorDepth": 24, "screenHeight": 900, "screenWidth": 1440,
        "timeZoneMinutes": -60, "isMethodDone": true, "isOver": true,
    })
}

/// The form that a page sends to another origin: from its tag to its first input.
fn method_form(page: &str) -> Option<String> {
    let (_, form) = page.split_once("<form")?;
    let (form, _) = form.split_once("</form>")?;
    Some(form.to_owned())
}

/// Sends the one field of a form to where it leads.
fn http_form(form: &str, field: &str) -> Response {
    let (server, path) = split(between(form, "action=\"", "\""));
    let value = between(form, &format!("name=\"{field}\" value=\""), "\"");
    let kind = [("content-type", FORM)];
    http::send(
        socket_of(server),
        "POST",
        path,
        &kind,
        &format!("{field}={value}"),
    )
    .unwrap()
}

pub(super) fn between<'a>(text: &'a str, head: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(head).unwrap();
    rest.split_once(end).unwrap().0
}

/// Host and path of an address.
pub(super) fn split(address: &str) -> (&str, &str) {
    match address.split_once("://") {
        Some((_, rest)) => rest.split_at(rest.find('/').unwrap()),
        None => ("", address),
    }
}

pub(super) fn socket_of(host: &str) -> SocketAddr {
    host.replace("localhost", "127.0.0.1").parse().unwrap()
}

/// What the issuer prints until it is ready.
const ACS_SAYS: [&str; 3] = ["acs: ", "pages: ", "enrolment: "];

const FORM: &str = "application/x-www-form-urlencoded";
