//! The records of gateway and acquirer agree after repeated calls, simultaneous calls, random calls and crashes.

use super::*;

#[tokio::test]
async fn the_same_key_moves_money_once() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    let path = format!("/operations/{sale}/refunds");
    let body = json!({ "amount": "100", "currency": "EUR" });
    let key = [("idempotency-key", "refund-1")];
    let first = app.merchant().post_with(&path, &body, &key).await;
    let again = app.merchant().post_with(&path, &body, &key).await;
    assert_eq!(
        (again.status, again.header("idempotency-replayed")),
        (200, Some("true"))
    );
    assert_eq!(first.bytes, again.bytes);
    let other = json!({ "amount": "101", "currency": "EUR" });
    assert_eq!(
        app.merchant()
            .post_with(&path, &other, &key)
            .await
            .refusal(),
        "400 PS0025"
    );
    let elsewhere = format!("/operations/{sale}/captures");
    assert_eq!(
        app.merchant()
            .post_with(&elsewhere, &body, &key)
            .await
            .refusal(),
        "400 PS0025"
    );
    // A refusal leaves its key free.
    let late = [("idempotency-key", "refund-2")];
    let above = json!({ "amount": "10000", "currency": "EUR" });
    assert_eq!(
        app.merchant()
            .post_with(&path, &above, &late)
            .await
            .refusal(),
        "400 PS0029"
    );
    assert_eq!(
        app.merchant().post_with(&path, &body, &late).await.status,
        200
    );
    let lost = [
        ("idempotency-key", "refund-3"),
        ("x-sandbox-fault", "timeout"),
    ];
    assert!(app.merchant().post_with(&path, &body, &lost).await.closed);
    let found = app.merchant().post_with(&path, &body, &lost[..1]).await;
    assert_eq!(found.header("idempotency-replayed"), Some("true"));
    let app = app.restarted().await;
    let kept = app.merchant().post_with(&path, &body, &key).await;
    assert_eq!(kept.bytes, first.bytes);
    assert_eq!(totals(&app, "A1").await, "10000 10000 300");
}

#[tokio::test]
async fn many_callers_at_once_never_get_more_than_there_is() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    let held = paid(&app, EXPLICIT, "A2", "EUR").await;
    let burst = async |id: &str, action: &str, amount: u64, callers: u64| {
        let mut calls = tokio::task::JoinSet::new();
        for caller in 0..callers {
            let body = json!({ "amount": amount.to_string(), "currency": "EUR" }).to_string();
            let key = format!("{id}-{action}-{amount}-{caller}");
            let headers = [
                ("content-type", "application/json"),
                ("idempotency-key", &key),
            ];
            // The callers use different API keys.
            let caller = app.key([IMPLICIT, EXPLICIT, "sandbox-no-token"][caller as usize % 3]);
            let path = format!("/operations/{id}/{action}");
            let request = caller.request(Method::POST, &path, &headers, Body::from(body));
            let router = app.router.clone();
            calls.spawn(async move {
                let response = tower::ServiceExt::oneshot(router, request).await.unwrap();
                response.status().as_u16()
            });
        }
        let statuses = calls.join_all().await;
        app.clock.advance(Duration::from_secs(10));
        assert!(
            statuses.iter().all(|status| matches!(status, 200 | 400)),
            "{statuses:?}"
        );
        statuses.iter().filter(|status| **status == 200).count()
    };
    let first = sale.clone();
    assert_eq!(burst(&sale, "refunds", 700, 40).await, 14);
    assert_eq!(totals(&app, "A1").await, "10000 10000 9800");
    assert_eq!(burst(&held, "captures", 900, 40).await, 11);
    assert_eq!(totals(&app, "A2").await, "10000 9900 0");
    let rest = paid(&app, EXPLICIT, "A3", "EUR").await;
    assert_eq!(burst(&rest, "refunds", 10000, 10).await, 1, "released once");
    assert_eq!(totals(&app, "A3").await, "0 0 0");
    let sale = paid(&app, IMPLICIT, "A4", "EUR").await;
    assert_eq!(burst(&sale, "refunds", 10000, 10).await, 1, "undone once");
    assert_eq!(totals(&app, "A4").await, "10000 10000 10000");
    let capture = done(&app, &held, "captures", 100).await;
    assert_eq!(burst(&capture, "cancels", 100, 10).await, 1);
    assert_eq!(totals(&app, "A2").await, "10000 9900 0");
    let acquirer_db = app.acquirer().await;
    let refunded = query("SELECT amount_minor FROM movement WHERE kind = 'REFUND' AND charge = ?");
    let refunded = acquirer_db.ask(refunded.bind(&first)).await.unwrap();
    let refunded: i64 = refunded.iter().map(|row| row.first::<i64>().unwrap()).sum();
    assert_eq!(refunded, 9800);
    let refused = query("SELECT reference FROM movement WHERE settlement <> 'APPROVED'");
    assert!(
        acquirer_db.ask(refused).await.unwrap().is_empty(),
        "the acquirer was asked for nothing that is not there"
    );
}

/// The seed of a test's random numbers. A failed run prints how to repeat it.
struct Seed(u64);

impl Seed {
    fn given() -> Seed {
        let given = std::env::var("PAYFRAME_FUZZ_SEED");
        Seed(given.map_or(1, |seed| seed.parse().unwrap()))
    }
}

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("PAYFRAME_FUZZ_SEED={} repeats it", self.0);
        }
    }
}

#[tokio::test]
async fn random_actions_keep_the_ledgers_of_gateway_and_acquirer_equal() {
    let mut happened = 0;
    let seed = Seed::given();
    for (run, api_key, currency) in [
        (0, IMPLICIT, "EUR"),
        (1, EXPLICIT, "EUR"),
        (2, EXPLICIT, "JPY"),
        (3, EXPLICIT, "KWD"),
        (4, IMPLICIT, "JPY"),
        (5, EXPLICIT, "USD"),
    ] {
        let app = TestApp::new().await;
        let acquirer_db = app.acquirer().await;
        let mut random = Random::new(seed.0 + run);
        let mut ids = vec![paid(&app, api_key, "A1", currency).await];
        for _ in 0..70 {
            app.pass(if random.below(8) == 0 { 6 * 3600 } else { 1 })
                .await;
            // In half of the cases this is the authorization.
            let place = random.below(2) * random.below(ids.len());
            let id = ids[place].clone();
            let action = ["captures", "refunds", "refunds", "cancels"][random.below(4)];
            let path = format!("/operations/{id}/actions");
            let offered = app.merchant().get(&path).await.ok();
            let offers: Vec<&Value> = offered["actions"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|offer| offer["path"].as_str().unwrap().ends_with(action))
                .collect();
            let bounds = |offer: &Value| {
                let bound = |name: &str| offer[name].as_str().unwrap().parse::<u64>().unwrap();
                bound("minAmount")..=bound("maxAmount")
            };
            // Chooses at random between a refund and a release.
            let offer = offers.get(random.below(offers.len().max(1)));
            if offer.is_some_and(|offer| offer["actionType"] == "VOID") && random.below(8) > 0 {
                // Rarely chosen, because a release ends everything else.
                continue;
            }
            let (min, max) = offer.map_or((0, 0), |offer| bounds(offer).into_inner());
            let amount = match random.below(16) {
                0 => max + 1,
                1 => min.max(1),
                2 => max.max(1),
                _ => 1 + random.number() % 1000,
            };
            let body = json!({ "amount": amount, "currency": currency });
            let answer = app
                .merchant()
                .post(&format!("/operations/{id}/{action}"), &body)
                .await;
            let fits = offers
                .iter()
                .any(|offer| action == "cancels" || bounds(offer).contains(&amount));
            assert_eq!(
                answer.status == 200,
                fits,
                "run {run}: {action} {amount} of {offered}: {}",
                answer.body
            );
            if answer.status == 200 {
                ids.push(answer.body["operationId"].as_str().unwrap().to_owned());
            }
            add_up(&app, &acquirer_db, currency).await;
        }
        happened += ids.len() - 1;
    }
    assert!(happened > 40, "next to nothing happened: {happened}");
}

/// The order's totals are the sums of its operations, within their bounds, and agree with the acquirer.
async fn add_up(app: &TestApp, acquirer_db: &Store, currency: &str) {
    let order = app.order("A1").await;
    let mut sums = std::collections::BTreeMap::new();
    for operation in order["operations"].as_array().unwrap() {
        assert_eq!(operation["operationCurrency"], currency);
        assert_ne!(operation["operationResult"], "PENDING");
        let kind = operation["operationType"].as_str().unwrap();
        let amount: i64 = operation["operationAmount"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap();
        *sums.entry(kind.to_owned()).or_insert(0) += amount;
    }
    let sum = |kind: &str| sums.get(kind).copied().unwrap_or(0);
    let total = |name: &str| {
        order["orderStatus"][name]
            .as_str()
            .unwrap()
            .parse::<i64>()
            .unwrap()
    };
    let (authorized, captured, refunded) = (
        total("authorizedAmount"),
        total("capturedAmount"),
        total("refundedAmount"),
    );
    assert!(0 <= refunded && refunded <= captured && captured <= authorized && authorized <= 10000);
    assert_eq!(authorized, 10000 - sum("VOID"));
    let is_sale = app.operations("A1").await[0]["terminalId"] == "91000001";
    let taken = if is_sale {
        10000
    } else {
        sum("CAPTURE") - sum("CANCEL")
    };
    assert_eq!((captured, refunded), (taken, sum("REFUND")));
    let moved = query(
        "SELECT kind, CAST(sum(amount_minor) AS BIGINT) AS amount FROM movement WHERE settlement = 'APPROVED' GROUP BY kind",
    );
    for row in acquirer_db.ask(moved).await.unwrap() {
        let (kind, amount): (String, i64) = (row.first().unwrap(), row.try_get("amount").unwrap());
        assert_eq!(amount, sum(&kind), "{kind}");
    }
}

#[tokio::test]
async fn a_crash_before_the_acquirer_is_asked_loses_nothing() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    let acquirer_db = app.acquirer().await;
    // The acquirer cannot be reached: the gateway only writes down the intent.
    acquirer_db
        .change(query("ALTER TABLE movement RENAME TO gone"))
        .await
        .unwrap();
    let path = format!("/operations/{sale}/refunds");
    let body = json!({ "amount": "6000", "currency": "EUR" });
    let key = [("idempotency-key", "refund-1")];
    let taken = app.merchant().post_with(&path, &body, &key).await;
    assert_eq!(taken.status, 200, "{}", taken.body);
    let id = taken.body["operationId"].as_str().unwrap().to_owned();
    assert_eq!(stands(&app, &id).await, "REFUND/PENDING");
    assert_eq!(
        app.told().await.len(),
        1,
        "nobody is told of what has not happened"
    );
    let second = act(&app, &sale, "refunds", 1).await;
    assert_eq!(
        second.refusal(),
        "500 PS0000",
        "the first one has to end before"
    );
    app.pass(60).await;
    acquirer_db
        .change(query("ALTER TABLE gone RENAME TO movement"))
        .await
        .unwrap();
    let app = app.restarted().await;
    assert_eq!(stands(&app, &id).await, "REFUND/EXECUTED");
    assert_eq!(totals(&app, "A1").await, "10000 10000 6000");
    let again = app.merchant().post_with(&path, &body, &key).await;
    assert_eq!(again.bytes, taken.bytes);
    assert_eq!(
        act(&app, &sale, "refunds", 4001).await.refusal(),
        "400 PS0029"
    );
    assert_eq!(app.told().await.len(), 2);
}

#[tokio::test]
async fn a_crash_before_the_answer_is_booked_moves_nothing_twice() {
    let app = TestApp::new().await;
    let held = paid(&app, EXPLICIT, "A1", "EUR").await;
    // The acquirer answers, and the answer cannot be written.
    app.break_table(app.app.store(), "notification").await;
    let id = done(&app, &held, "captures", 4000).await;
    assert_eq!(stands(&app, &id).await, "CAPTURE/PENDING");
    assert_eq!(stands(&app, &held).await, "AUTHORIZATION/AUTHORIZED");
    assert_eq!(totals(&app, "A1").await, "10000 0 0", "all or nothing");
    assert_eq!(
        allowed(&app, &held).await,
        "CAPTURE 1..6000",
        "it is held, and may yet fail"
    );
    app.mend_table(app.app.store(), "notification").await;
    let app = app.restarted().await;
    assert_eq!(stands(&app, &id).await, "CAPTURE/EXECUTED");
    assert_eq!(totals(&app, "A1").await, "10000 4000 0");
    assert_eq!(app.told().await.len(), 2);
    let acquirer_db = app.acquirer().await;
    let moved = acquirer_db
        .ask(query("SELECT reference FROM movement"))
        .await
        .unwrap();
    assert_eq!(moved.len(), 1);
}
