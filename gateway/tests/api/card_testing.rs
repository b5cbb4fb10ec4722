//! Stolen cards that a bot tries out on a form: whatever its tries have in common, it is stopped, is told nothing of it, and honest buyers
//! pay on.

use crate::harness::{APPROVED, Answer, OWN_MERCHANT, TestApp, build, build_form, short, token_of};
use crate::keys::{command, made};
use payframe_card_rules::card_number::passes_luhn;
use payframe_payment_service::ChallengeAnswer;
use payframe_proof_of_work::{Puzzle, Search};
use serde_json::{Value, json};

/// One try: which card, from where.
pub(crate) struct Try {
    pub(crate) number: String,
    pub(crate) address: String,
}

/// A number of the range with these first digits that no issuer knows.
fn number(first_digits: &str, count: u32) -> String {
    let digits = format!(
        "{first_digits}{count:0width$}",
        width = 15 - first_digits.len()
    );
    let mut numbers = (0..10).map(|last| format!("{digits}{last}"));
    numbers.find(|number| passes_luhn(number)).unwrap()
}

/// A card of a range of its own.
pub(crate) fn any_number(count: u32) -> String {
    number(&format!("4{:05}", 20_000 + count), 1)
}

pub(crate) fn any_address(count: u32) -> String {
    format!("198.51.{}.{}", count / 250, 1 + count % 250)
}

/// The solution of a puzzle.
pub(crate) fn solved(puzzle: &str) -> String {
    let mut search = Search::new(Puzzle::parse(puzzle).unwrap());
    loop {
        if let Some(solution) = search.go_on(100_000) {
            return solution.to_owned();
        }
    }
}

/// A gateway with the rules, behind a proxy that says who calls.
pub(crate) async fn guarded() -> TestApp {
    TestApp::with(|config| {
        config.card_testing_rules = Some(true);
        config.proxies = 1;
    })
    .await
}

impl TestApp {
    /// Sends a card from an address, with the proof of work that is due at a terminal under attack, and lets its device check run.
    pub(crate) async fn enter_from(&self, session: &str, number: &str, address: &str) {
        let mut items = crate::harness::card(number);
        let mut answer = self.send_from(session, &items, address).await;
        if let Some(puzzle) = answer.header("proof-of-work") {
            let solution = json!({ "id": "PROOF_OF_WORK", "value": solved(puzzle) });
            items.as_array_mut().unwrap().push(solution);
            answer = self.send_from(session, &items, address).await;
        }
        if let Some(url) = answer.ok()["gdiStatus"]["gdiUrl"].as_str() {
            let pages = self.app.buyer_pages();
            pages.device_check_done(token_of(url)).await.unwrap();
        }
    }

    /// Sends items from an address. Each address has a kind of browser of its own.
    pub(crate) async fn send_from(&self, session: &str, items: &Value, address: &str) -> Answer {
        let browser = format!("Browser of {address}");
        self.send_by(session, items, (address, &browser)).await
    }

    /// Sends items from an address, by a browser that calls itself so.
    async fn send_by(
        &self,
        session: &str,
        items: &Value,
        (address, browser): (&str, &str),
    ) -> Answer {
        let key = uuid::Uuid::new_v4().to_string();
        let headers = [
            ("idempotency-key", key.as_str()),
            ("x-forwarded-for", address),
            ("user-agent", browser),
        ];
        let sent = self.frame(session);
        sent.post_with("/fe/build/text", items, &headers).await
    }

    /// Makes a try in a session of its own; returns what the merchant's server reads.
    pub(crate) async fn try_card(&self, order: &str, this: &Try) -> Value {
        self.clock.advance(std::time::Duration::from_secs(1));
        let session = self.open(&build(order)).await;
        self.enter_from(&session, &this.number, &this.address).await;
        self.finalize(&session).await
    }

    /// How often the acquirer was asked for money.
    pub(crate) async fn charges(&self) -> usize {
        let asked = payframe_storage::query("SELECT reference FROM charge");
        self.acquirer().await.ask(asked).await.unwrap().len()
    }
}

fn rule(state: &Value) -> &str {
    state["operation"]["additionalData"]["cardTestingRule"]
        .as_str()
        .unwrap_or("")
}

#[tokio::test]
async fn a_bot_is_stopped_by_what_its_tries_have_in_common() {
    type Pattern = fn(u32) -> Try;
    let patterns: [(&str, usize, Pattern); 5] = [
        ("CARD", 8, |count| Try {
            number: number("401234", 7),
            address: any_address(count),
        }),
        ("ADDRESS", 12, |count| Try {
            number: any_number(count),
            address: String::from("203.0.113.9"),
        }),
        ("ADDRESS", 12, |count| Try {
            number: any_number(count),
            address: format!("2001:db8:1:2:{count:x}::1"),
        }),
        // From here on the buyer has to pass a challenge. A bot cannot.
        ("RANGE", 12, |count| Try {
            number: number("401234", count),
            address: any_address(count),
        }),
        ("TERMINAL", 18, |count| Try {
            number: any_number(count),
            address: any_address(count),
        }),
    ];
    for (expected, most, pattern) in patterns {
        let app = guarded().await;
        for count in 0..24 {
            let state = app.try_card(&format!("B{count}"), &pattern(count)).await;
            let is_admitted = match expected {
                // The attack begins with the 17th. Of those with a proof of work two come through.
                "TERMINAL" => count < 16 || matches!(count, 17 | 18),
                _ => (count as usize) < most,
            };
            let status = &state["operation"]["additionalData"]["authorizationStatus"];
            assert_eq!(
                status.is_string(),
                is_admitted,
                "{expected} {count}: {state}"
            );
            if !is_admitted && matches!(expected, "CARD" | "ADDRESS") {
                assert_eq!(
                    short(&state),
                    "PAYMENT_COMPLETE AUTHORIZATION/DENIED_BY_RISK"
                );
                assert_eq!(rule(&state), expected);
            }
        }
        assert_eq!(app.charges().await, most, "{expected}");
        // An honest buyer from elsewhere, with another card, pays: with a challenge where anybody could be the bot.
        let honest = Try {
            number: APPROVED.to_owned(),
            address: String::from("192.0.2.77"),
        };
        // A rule wins over an exemption, too.
        let mut request = build("H1");
        request["paymentSession"]["exemptions"] = json!("TRANSACTION_RISK_ANALYSIS");
        let session = app.open(&request).await;
        app.enter_from(&session, &honest.number, &honest.address)
            .await;
        let mut state = app.finalize(&session).await;
        let is_challenged = matches!(expected, "RANGE" | "TERMINAL");
        assert_eq!(state["url"].is_string(), is_challenged, "{expected}");
        if let Some(url) = state["url"].as_str() {
            let pages = app.app.buyer_pages();
            pages
                .challenge_answer(token_of(url), ChallengeAnswer::Approve)
                .await;
            state = app.state(&session).await;
        }
        assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
        assert!(!app.keeps(any_number(3)).await && !app.keeps("203.0.113.9").await);
    }
}

#[tokio::test]
async fn a_bot_that_spreads_its_tries_over_the_terminals_of_a_merchant_is_stopped() {
    let app = guarded().await;
    app.own_shop().await;
    let mut keys = Vec::new();
    for terminal in ["55000011", "55000012", "55000013", "55000014"] {
        let add = ["terminal", "add", terminal, OWN_MERCHANT];
        command(&app, &add).await.unwrap();
        let key = command(&app, &["keys", "new", terminal]).await.unwrap();
        keys.push(made(&key).1);
    }
    let pay = async |order: String, key: &str, number: &str, address: &str| {
        app.clock.advance(std::time::Duration::from_secs(1));
        let session = app.open_by(key, &build_of(&order)).await;
        app.enter_from(&session, number, address).await;
        let body = json!({ "sessionId": session });
        let closed = app.key(key).post("/build/finalize_payment", &body).await;
        (session, closed.ok())
    };
    for count in 0..24 {
        let key = &keys[count as usize % keys.len()];
        let (number, address) = (any_number(count), any_address(count));
        let (_, state) = pay(format!("B{count}"), key, &number, &address).await;
        let status = &state["operation"]["additionalData"]["authorizationStatus"];
        // Six at each terminal: none is under attack by itself.
        assert_eq!(status.is_string(), count < 18, "{count}: {state}");
    }
    assert_eq!(app.charges().await, 18);
    // An honest buyer pays with a challenge; at a terminal of another merchant without one.
    let (session, state) = pay(String::from("H1"), &keys[0], APPROVED, "192.0.2.77").await;
    let url = state["url"].as_str().expect("a challenge");
    let pages = app.app.buyer_pages();
    pages
        .challenge_answer(token_of(url), ChallengeAnswer::Approve)
        .await;
    let state = app
        .key(&keys[0])
        .get(&format!("/build/state?sessionId={session}"))
        .await
        .ok();
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    let elsewhere = Try {
        number: APPROVED.to_owned(),
        address: String::from("192.0.2.78"),
    };
    let state = app.try_card("H2", &elsewhere).await;
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
}

/// A payment of a sum of its own, which the order's number says.
fn build_of(order: &str) -> Value {
    let amount = format!("1{:0>4}", &order[1..]);
    build_sum(order, &amount)
}

fn build_sum(order: &str, amount: &str) -> Value {
    let mut request = build(order);
    request["order"]["amount"] = json!(amount);
    request["paymentSession"]["amount"] = json!(amount);
    request
}

/// Of a shop where most pay, so that its terminal is not under attack.
#[tokio::test]
async fn a_bot_that_hides_among_honest_buyers_is_known_by_its_browser_or_by_the_sum() {
    for expected in ["DEVICE", "ORDER_VALUE"] {
        let app = guarded().await;
        let pay = async |order: String, number: String, amount: String, browser: String| {
            app.clock.advance(std::time::Duration::from_secs(1));
            let session = app.open(&build_sum(&order, &amount)).await;
            // Each of them comes from an address of its own.
            let count = app.count("SELECT count(*) FROM card_try").await;
            let address = any_address(u32::try_from(count).unwrap());
            let items = crate::harness::card(&number);
            let answer = app.send_by(&session, &items, (&address, &browser)).await;
            if let Some(url) = answer.ok()["gdiStatus"]["gdiUrl"].as_str() {
                let pages = app.app.buyer_pages();
                pages.device_check_done(token_of(url)).await.unwrap();
            }
            app.finalize(&session).await
        };
        let is_heard = |state: &Value| {
            let status = &state["operation"]["additionalData"]["authorizationStatus"];
            status.is_string()
        };
        for count in 0..24 {
            for buyer in 0..3 {
                let (order, sum) = (format!("H{count}-{buyer}"), format!("{}", 3000 + buyer));
                let browser = format!("Browser {buyer}");
                let state = pay(order, APPROVED.to_owned(), sum, browser).await;
                assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
            }
            let (browser, amount) = match expected {
                "DEVICE" => (String::from("Script/1"), 100 + count),
                _ => (format!("Script/{count}"), 100),
            };
            let number = any_number(count);
            let state = pay(format!("B{count}"), number, amount.to_string(), browser).await;
            assert_eq!(is_heard(&state), count < 16, "{expected} {count}: {state}");
        }
        let stopped = "SELECT DISTINCT rule FROM card_try WHERE rule IS NOT NULL";
        assert_eq!(app.texts(stopped).await, [expected]);
        assert!(
            !app.keeps("Script/1").await,
            "what a browser says is hashed"
        );
        // Honest buyers who have what the bot has pass a challenge; those who have not pay as ever.
        let shared = match expected {
            "DEVICE" => ("9999", "Script/1"),
            _ => ("100", "Browser 1"),
        };
        for ((amount, browser), is_challenged) in [(shared, true), (("9998", "Browser 1"), false)] {
            let order = format!("E{is_challenged}");
            let (amount, browser) = (amount.to_owned(), browser.to_owned());
            let state = pay(order, APPROVED.to_owned(), amount, browser).await;
            assert_eq!(state["url"].is_string(), is_challenged, "{expected}");
        }
    }
}

/// The limit of a session is below what a form may allow.
#[tokio::test]
async fn a_session_has_a_limit_too_and_the_bot_reads_an_ordinary_decline() {
    let app = guarded().await;
    let set = [
        "terminal",
        "set",
        "91000001",
        "card_testing_limits=session:2",
    ];
    command(&app, &set).await.unwrap();
    let session = app.open(&build_form("B1", 5)).await;
    let mut read = Vec::new();
    for count in 0..3 {
        app.enter_from(&session, &number("401234", count), &any_address(count))
            .await;
        let frame = app.frame(&session);
        let mut state = frame.post("/build/finalize_payment", &json!({})).await.ok();
        // The number that no issuer knows has a code of its own.
        let code = state["operation"]["additionalData"]["authorizationStatus"].take();
        read.push((
            short(&state),
            code,
            state["operation"]["additionalData"].clone(),
        ));
    }
    let declined = "CARD_DATA_COLLECTION AUTHORIZATION/DECLINED";
    assert_eq!(read[0].0, declined);
    assert_eq!((read[2].0.as_str(), &read[2].2), (declined, &read[0].2));
    assert_eq!(read[2].1, json!("100"), "a decline without a reason");
    // The merchant's server reads the reason.
    let operations = app.operations("B1").await;
    assert_eq!(operations[2]["operationResult"], "DENIED_BY_RISK");
    assert_eq!(
        operations[2]["additionalData"]["cardTestingRule"],
        "SESSION"
    );
    assert_eq!(app.charges().await, 2);
}

#[tokio::test]
async fn tries_at_the_same_time_do_not_slip_past() {
    let app = guarded().await;
    let mut requests = Vec::new();
    for count in 0..30 {
        let session = app.open(&build(&format!("B{count}"))).await;
        app.enter_from(&session, &any_number(count), "203.0.113.9")
            .await;
        let key = uuid::Uuid::new_v4().to_string();
        requests.push((json!({ "sessionId": session }), key));
    }
    let path = "/build/finalize_payment";
    for answer in app.all_at_once("sandbox-implicit", path, &requests).await {
        answer.ok();
    }
    assert_eq!(app.charges().await, 12);
    // Another process counts on.
    let app = app.restarted().await;
    let again = Try {
        number: any_number(99),
        address: String::from("203.0.113.9"),
    };
    assert_eq!(rule(&app.try_card("B99", &again).await), "ADDRESS");
}

#[tokio::test]
async fn buyers_who_mistype_and_buyers_behind_one_address_pay() {
    let app = guarded().await;
    for buyer in 0..20u32 {
        for attempt in 0..if buyer % 4 == 0 { 3 } else { 0 } {
            let mistyped = Try {
                number: number("476173", 900_000_000 + 10 * buyer + attempt),
                address: String::from("192.0.2.1"),
            };
            let order = format!("M{buyer}-{attempt}");
            let state = app.try_card(&order, &mistyped).await;
            assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/DECLINED");
        }
        let good = Try {
            number: APPROVED.to_owned(),
            address: String::from("192.0.2.1"),
        };
        let state = app.try_card(&format!("P{buyer}"), &good).await;
        assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    }
}

#[tokio::test]
async fn a_terminal_has_lists_and_can_do_without_the_rules() {
    let app = guarded().await;
    let set = async |setting: &str| {
        let set = ["terminal", "set", "91000001", setting];
        command(&app, &set).await
    };
    set("blocked_ranges=401234").await.unwrap();
    set("blocked_addresses=203.0.113.0/24").await.unwrap();
    let good = |address: &str| Try {
        number: APPROVED.to_owned(),
        address: address.to_owned(),
    };
    let blocked = Try {
        number: number("401234", 1),
        address: String::from("192.0.2.1"),
    };
    assert_eq!(rule(&app.try_card("B1", &blocked).await), "BLOCKED_RANGE");
    let state = app.try_card("B2", &good("203.0.113.200")).await;
    assert_eq!(rule(&state), "BLOCKED_ADDRESS");
    let state = app.try_card("B3", &good("192.0.2.1")).await;
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    let refused = set("blocked_addresses=shop.example").await;
    assert!(refused.unwrap_err().to_string().contains("192.0.2.0/24"));
    set("card_testing=off").await.unwrap();
    let state = app.try_card("B4", &good("203.0.113.200")).await;
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    let listed = command(&app, &["terminal", "list"]).await.unwrap();
    assert!(
        listed.contains("blocked_addresses=203.0.113.0/24"),
        "{listed}"
    );
}

#[tokio::test]
async fn tries_are_deleted_after_a_day_and_then_count_no_more() {
    let app = guarded().await;
    let from_one = |count| Try {
        number: any_number(count),
        address: String::from("203.0.113.9"),
    };
    for count in 0..13 {
        app.try_card(&format!("B{count}"), &from_one(count)).await;
    }
    app.pass(86_500).await;
    app.app.due_work().tidy_up().await;
    assert_eq!(app.count("SELECT count(*) FROM card_try").await, 0);
    assert_eq!(app.count("SELECT count(*) FROM card_source").await, 0);
    let state = app.try_card("B20", &from_one(20)).await;
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/DECLINED");
}

#[tokio::test]
async fn a_sandbox_writes_nothing_down() {
    let app = TestApp::new().await;
    let good = Try {
        number: APPROVED.to_owned(),
        address: String::from("192.0.2.1"),
    };
    app.try_card("A1", &good).await;
    assert_eq!(app.count("SELECT count(*) FROM card_try").await, 0);
    assert_eq!(app.count("SELECT count(*) FROM card_source").await, 0);
}
