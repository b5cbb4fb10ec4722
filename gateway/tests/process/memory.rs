//! What a core dump of a gateway has: no number and no security code of a card that was paid with.
//!
//! The test reads what a core dump would have: all memory that the process can write to. Card data comes on every way: encrypted by a form's
//! frame, in clear by a form without scripts, and in clear by a merchant's server.

use crate::acquirers::example::{Adapter, EXAMPLE};
use crate::encrypted_card::encrypted;
use crate::http;
use crate::process::{Process, command};
use crate::shop::{call, merchant, socket};
use crate::tls::{HOST, renew};
use memchr::memmem::Finder;
use nix::unistd::{SysconfVar, sysconf};
use reqwest::{Certificate, Client, ClientBuilder};
use serde_json::json;
use std::fs::File;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Codes with four digits, those of cards with 15. Four digits also occur by chance, as a part of an identifier or a random number. So each test
/// pays with two codes, at a gateway for each: a code that stays behind is found in both.
const CODES: [&str; 2] = ["7391", "8264"];
/// At each of the two gateways.
const PAYMENTS: u32 = 50;
const NUMBERS: [&str; 4] = [
    "374245000000009",
    "374245000003045",
    "374245000003052",
    "374245000003078",
];

/// The number of a test card that is approved without a challenge.
fn number(payment: u32) -> &'static str {
    NUMBERS[payment as usize % NUMBERS.len()]
}

/// All memory that a process can write to, as a core dump has it: without pages that it has reserved and never used.
fn memory(gateway: &Process) -> Vec<Vec<u8>> {
    let folder = format!("/proc/{}", gateway.child.id());
    let memory = File::open(format!("{folder}/mem")).unwrap();
    let pages = File::open(format!("{folder}/pagemap")).unwrap();
    let areas = std::fs::read_to_string(format!("{folder}/maps")).unwrap();
    let areas = areas.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let (from, to) = words.next()?.split_once('-')?;
        let is_writable = words.next()?.contains('w');
        let [from, to] = [from, to].map(|text| u64::from_str_radix(text, 16).unwrap());
        is_writable.then(|| used(&pages, from, to))
    });
    let read = areas.flatten().filter_map(|(from, to)| {
        let mut bytes = vec![0; usize::try_from(to - from).unwrap()];
        // What the kernel does not give away is in no dump either.
        memory.read_exact_at(&mut bytes, from).ok()?;
        Some(bytes)
    });
    read.collect()
}

/// The parts of an area whose pages are in memory or in the swap space.
fn used(pages: &File, from: u64, to: u64) -> Vec<(u64, u64)> {
    const ENTRY: u64 = 8;
    const PRESENT_OR_SWAPPED: u8 = 0b1100_0000;
    let page = u64::try_from(sysconf(SysconfVar::PAGE_SIZE).unwrap().unwrap()).unwrap();
    let mut entries = vec![0; usize::try_from((to - from) / page * ENTRY).unwrap()];
    // The kernel's own areas at the end of the addresses have no entries.
    if pages
        .read_exact_at(&mut entries, from / page * ENTRY)
        .is_err()
    {
        return vec![(from, to)];
    }
    let mut parts: Vec<(u64, u64)> = Vec::new();
    for (entry, at) in entries
        .chunks(ENTRY as usize)
        .zip((from..to).step_by(page as usize))
    {
        if entry[7] & PRESENT_OR_SWAPPED == 0 {
            continue;
        }
        match parts.last_mut() {
            Some((_, end)) if *end == at => *end += page,
            _ => parts.push((at, at + page)),
        }
    }
    parts
}

/// How a number may lie in memory: its last ten digits as text, and all of it with a value of a byte for each digit, or with half a byte.
fn spellings(number: &str) -> [Vec<u8>; 3] {
    let values: Vec<u8> = number.bytes().map(|digit| digit - b'0').collect();
    let halves = values.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]);
    let text = &number[number.len() - 10..];
    [text.as_bytes().to_vec(), halves.collect(), values]
}

/// Where a gateway's memory has cards and the code that were paid with, with what is around each place.
#[derive(Debug)]
struct Found {
    numbers: Vec<String>,
    codes: Vec<String>,
}

impl Found {
    fn of(areas: &[Vec<u8>], code: &str) -> Found {
        let code = Finder::new(code);
        let numbers: Vec<Vec<u8>> = NUMBERS.into_iter().flat_map(spellings).collect();
        let numbers: Vec<Finder<'_>> = numbers.iter().map(Finder::new).collect();
        let mut found = Found {
            numbers: Vec::new(),
            codes: Vec::new(),
        };
        for area in areas {
            let codes = code.find_iter(area).filter(|place| is_alone(area, *place));
            found.codes.extend(codes.map(|place| around(area, place)));
            for number in &numbers {
                let places = number.find_iter(area);
                found
                    .numbers
                    .extend(places.map(|place| around(area, place)));
            }
        }
        // Enough for whoever has to find out where they come from.
        found.codes.truncate(20);
        found.numbers.truncate(20);
        found
    }

    fn is_nothing(&self) -> bool {
        self.numbers.is_empty() && self.codes.is_empty()
    }
}

/// What was found at the two gateways, one for each code, once their payments are made.
fn assert_nothing_stays(found: &[Found; 2]) {
    let has_no_number = found.iter().all(|found| found.numbers.is_empty());
    let has_no_code = found.iter().any(|found| found.codes.is_empty());
    assert!(has_no_number && has_no_code, "{found:#?}");
}

/// Whether the four digits at a place are a text of their own, or a value in one: four bytes occur by chance, too.
fn is_alone(area: &[u8], place: usize) -> bool {
    let ends = |byte: Option<&u8>| byte.is_none_or(|byte| b"\0\"'\n,:;&= ".contains(byte));
    ends(place.checked_sub(1).and_then(|before| area.get(before))) && ends(area.get(place + 4))
}

/// The surroundings of a place, for whoever has to find out where it comes from.
fn around(area: &[u8], place: usize) -> String {
    let part = &area[place.saturating_sub(60)..(place + 60).min(area.len())];
    part.escape_ascii().to_string()
}

/// A session of a form.
pub(crate) fn session(server: SocketAddr, order: &str) -> String {
    let request = json!({
        "merchantUrl": "https://shop.example",
        "order": { "orderId": order, "amount": "3545", "currency": "EUR" },
        "paymentSession": {
            "amount": "3545", "paymentService": "CARDS",
            "resultUrl": "https://shop.example/ok", "cancelUrl": "https://shop.example/ko",
        },
        "form": { "closing": "FRAME", "attempts": 3 }
    });
    let answer = merchant(server, "/orders/build", &request);
    answer["sessionId"].as_str().unwrap().to_owned()
}

/// Sends a card as a form's frame does. It is not charged yet.
fn enter(server: SocketAddr, session: &str, (number, code): (&str, &str), seed: u8) {
    let page = http::send(
        server,
        "GET",
        &format!("/form/?sessionid={session}"),
        &[],
        "",
    )
    .unwrap();
    let (_, boot) = page.text.split_once(r#"id="boot">"#).unwrap();
    let boot = boot.split_once("</script>").unwrap().0;
    let boot: serde_json::Value = serde_json::from_str(boot).unwrap();
    let secret = json!([
        { "id": "CARD_NUMBER", "value": number }, { "id": "SECURITY_CODE", "value": code },
    ]);
    let secret = encrypted(&secret, boot["cardKey"].as_str().unwrap(), session, seed);
    let entry = json!([
        { "id": "ENCRYPTED_CARD", "value": secret },
        { "id": "EXPIRATION_DATE", "value": "1230" }, { "id": "CARDHOLDER_NAME", "value": "Anna Rossi" },
    ]);
    let (status, answer) = call(server, "/fe/build/text", &[("session", session)], &entry);
    assert_eq!(status, 200, "{answer}");
    if let Some(address) = answer["gdiStatus"]["gdiUrl"].as_str() {
        let (_, page) = address.split_once("/threeds/").unwrap();
        for verb in ["GET", "POST"] {
            http::send(server, verb, &format!("/threeds/{page}"), &[], "").unwrap();
        }
    }
}

fn finalize(server: SocketAddr, session: &str) {
    let headers = [("session", session)];
    let (_, state) = call(server, "/build/finalize_payment", &headers, &json!({}));
    assert_eq!(state["operation"]["operationResult"], "EXECUTED", "{state}");
}

/// Pays as a browser without scripts does.
fn pay_without_scripts(server: SocketAddr, session: &str, (number, code): (&str, &str)) {
    let address = format!("/form/plain?sessionid={session}&lang=en");
    let page = http::send(server, "GET", &address, &[], "").unwrap().text;
    let value = |name: &str| {
        let (_, rest) = page
            .split_once(&format!("name=\"{name}\" value=\""))
            .unwrap();
        rest.split_once('"').unwrap().0
    };
    let mut body = url::form_urlencoded::Serializer::new(String::new());
    for name in ["token", "shown"] {
        body.append_pair(name, value(name));
    }
    for (name, value) in [
        ("cardnumber", number),
        ("cc-exp", "12 / 30"),
        ("cvc", code),
        ("ccname", "Anna Rossi"),
        ("act", "card"),
    ] {
        body.append_pair(name, value);
    }
    let headers = [
        ("content-type", "application/x-www-form-urlencoded"),
        ("sec-fetch-site", "same-origin"),
    ];
    let paid = http::send(server, "POST", &address, &headers, &body.finish()).unwrap();
    assert_eq!(paid.status, Some(303), "{}", paid.text);
    let shown = http::send(server, "GET", &address, &[], "").unwrap().text;
    assert!(shown.contains("<h1>Payment complete</h1>"), "{shown}");
}

pub(crate) fn by_telephone(order: &str, (number, code): (&str, &str)) -> serde_json::Value {
    json!({
        "order": {
            "orderId": order, "amount": "3545", "currency": "EUR",
            "customerInfo": { "cardHolderName": "Anna Rossi" }
        },
        "card": { "pan": number, "expiryDate": "1230", "cvv": code }
    })
}

/// Sends the call of a merchant's server up to its last byte.
fn half_sent(server: SocketAddr, body: &str) -> TcpStream {
    let mut connection = TcpStream::connect(server).unwrap();
    let head = format!(
        "POST /api/orders/moto HTTP/1.1\r\nhost: {server}\r\nconnection: close\r\nx-api-key: sandbox-implicit\r\n\
         correlation-id: {0}\r\nidempotency-key: {0}\r\ncontent-type: application/json\r\ncontent-length: {1}\r\n\r\n",
        uuid::Uuid::new_v4(),
        body.len()
    );
    connection.write_all(head.as_bytes()).unwrap();
    connection
        .write_all(&body.as_bytes()[..body.len() - 1])
        .unwrap();
    connection
}

#[test]
fn a_core_dump_after_a_hundred_payments_holds_no_number_and_no_code() {
    assert_nothing_stays(&CODES.map(after_payments));
}

/// What a core dump of a gateway has after payments with this code, which came on every way.
fn after_payments(code: &str) -> Found {
    let folder = tempfile::tempdir().unwrap();
    let dist = folder.path().join("dist");
    crate::dist::write(&dist);
    let settings = [("PAYFRAME_ASSETS", dist.to_str().unwrap())];
    let gateway = Process::start(&folder.path().join("data"), &settings);
    let server = socket(&gateway.address);
    // The permitted twins: while a payment needs them, code and number are there and found.
    let waiting = session(server, "waiting");
    enter(server, &waiting, (number(0), code), 1);
    let call = by_telephone("telephone", (number(1), code)).to_string();
    let mut connection = half_sent(server, &call);
    let during = memory(&gateway);
    let told = Found::of(&during, code);
    assert!(!told.codes.is_empty(), "{told:?}");
    assert!(!told.numbers.is_empty(), "{told:?}");
    finalize(server, &waiting);
    connection
        .write_all(&call.as_bytes()[call.len() - 1..])
        .unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    assert!(answer.contains("EXECUTED"), "{answer}");
    for payment in 2..PAYMENTS {
        let (order, card) = (format!("order-{payment}"), (number(payment), code));
        match payment % 3 {
            0 => {
                let session = session(server, &order);
                enter(server, &session, card, 1 + payment as u8);
                finalize(server, &session);
            }
            1 => {
                let paid = merchant(server, "/orders/moto", &by_telephone(&order, card));
                assert_eq!(paid["operation"]["operationResult"], "EXECUTED", "{paid}");
            }
            _ => pay_without_scripts(server, &session(server, &order), card),
        }
    }
    Found::of(&memory(&gateway), code)
}

/// A merchant's server that calls a gateway over TLS, and keeps its connections as long as it may.
fn over_tls(gateway: &Process, trusted: &Certificate, client: ClientBuilder) -> Client {
    let client = client
        .no_proxy()
        .tls_built_in_root_certs(false)
        .add_root_certificate(trusted.clone())
        .resolve(HOST, socket(&gateway.address));
    client.build().unwrap()
}

#[tokio::test]
async fn nor_does_that_of_a_gateway_with_tls_and_an_adapter_whose_callers_keep_their_connections() {
    let [first, second] = CODES.map(after_payments_over_tls);
    assert_nothing_stays(&[first.await, second.await]);
}

/// What a core dump of a gateway with TLS and an adapter has after payments with this code.
async fn after_payments_over_tls(code: &str) -> Found {
    let adapter = Adapter::start(EXAMPLE, &[]);
    let connected = format!(
        "{}[[terminal]]\nid = '91000001'\nacquirer = 'main'\n",
        std::fs::read_to_string(&adapter.file).unwrap()
    );
    std::fs::write(&adapter.file, connected).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let trusted = renew(folder.path());
    let [certificate, key] = ["cert.pem", "key.pem"].map(|file| folder.path().join(file));
    let settings = [
        ("PAYFRAME_TLS_CERT", certificate.to_str().unwrap()),
        ("PAYFRAME_TLS_KEY", key.to_str().unwrap()),
        ("PAYFRAME_ORIGIN", "https://pay.example"),
        ("PAYFRAME_ACQUIRERS", adapter.file.to_str().unwrap()),
    ];
    let gateway = Process::start(&folder.path().join("data"), &settings);
    let port = socket(&gateway.address).port();
    let clients = [
        over_tls(&gateway, &trusted, Client::builder()),
        over_tls(&gateway, &trusted, Client::builder().http1_only()),
    ];
    for payment in 0..PAYMENTS {
        let client = &clients[payment as usize % clients.len()];
        let card = (number(payment / 2), code);
        let body = by_telephone(&format!("order-{payment}"), card);
        let id = uuid::Uuid::new_v4().to_string();
        let request = client
            .post(format!("https://{HOST}:{port}/api/orders/moto"))
            .header("x-api-key", "sandbox-implicit")
            .header("correlation-id", &id)
            .header("idempotency-key", &id)
            .header("content-type", "application/json");
        let paid = request.body(body.to_string()).send().await.unwrap();
        let paid = paid.text().await.unwrap();
        // Of some cases the example's processor declines.
        assert!(paid.contains("\"operationResult\""), "{paid}");
    }
    assert_eq!(adapter.operations(), PAYMENTS as usize);
    // The buffers of a connection hold what came last, so it ends. The clients would keep it for longer than this.
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        // Lets the clients close their ends.
        tokio::task::yield_now().await;
        let told = Found::of(&memory(&gateway), code);
        if told.is_nothing() || Instant::now() > deadline {
            return told;
        }
    }
}

/// The line of a file of the process that begins so.
fn line(gateway: &Process, file: &str, beginning: &str) -> String {
    let text = std::fs::read_to_string(format!("/proc/{}/{file}", gateway.child.id())).unwrap();
    let line = text.lines().find(|line| line.starts_with(beginning));
    line.unwrap().to_owned()
}

#[test]
fn production_locks_its_memory_where_it_may_lock_all_of_it_and_says_where_not() {
    let folder = tempfile::tempdir().unwrap();
    for (limit, is_locked) in [("64", false), ("unlimited", true)] {
        let log = folder.path().join(limit);
        let gateway = production(&folder.path().join("data"), limit, &log);
        let locked = line(&gateway, "status", "VmLck:");
        let may_lock_all = line(&gateway, "limits", "Max locked memory").contains("unlimited");
        assert!(
            may_lock_all == is_locked || limit == "unlimited",
            "only root raises the limit"
        );
        assert_eq!(may_lock_all, !locked.contains(" 0 kB"), "{locked}");
        let said = std::fs::read_to_string(&log).unwrap();
        assert_eq!(may_lock_all, !said.contains("can be swapped"), "{said}");
    }
}

/// A gateway of production that may lock this much memory.
fn production(data: &Path, limit: &str, log: &Path) -> Process {
    let settings = [
        ("PAYFRAME_MODE", "production"),
        ("PAYFRAME_ORIGIN", "https://pay.example"),
        ("PAYFRAME_LOG", "warn"),
    ];
    let gateway = command(data, &settings);
    let mut limited = Command::new("sh");
    limited
        .args([
            "-c",
            "command ulimit -l \"$0\" 2>/dev/null; exec \"$1\"",
            limit,
        ])
        .arg(gateway.get_program())
        .stderr(File::create(log).unwrap());
    for (name, value) in gateway.get_envs() {
        limited.env(name, value.unwrap());
    }
    Process::of(limited)
}
