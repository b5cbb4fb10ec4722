//! One e-mail address at several merchants: nobody learns of the others, and each member gets in at their own.

use super::{Person, added, command};
use crate::harness::{OWN_MERCHANT, TestApp};
use std::time::Duration;

const OTTO: &str = "otto@shop.example";

#[tokio::test]
async fn adding_a_member_does_not_tell_who_works_for_another_merchant() {
    let app = TestApp::new().await;
    app.own_shop().await;
    added(
        &app,
        &["members", "add", OWN_MERCHANT, OTTO, "viewer", "otto"],
    )
    .await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let add = async |email: &str| {
        let fields = [("name", "Otto"), ("email", email), ("role", "VIEWER")];
        let answer = ada.post("/office/members", &fields).await;
        let text = answer.text().replace(email, "ADDRESS");
        let (start, rest) = text.split_once("<output class=\"secret\">").unwrap();
        let (_, end) = rest.split_once("</output>").unwrap();
        (answer.status, format!("{start}{end}"))
    };
    assert_eq!(add(OTTO).await, add("nobody@shop.example").await);
    let list = ada.get("/office/members").await.text();
    assert!(list.contains(OTTO) && list.contains("nobody@shop.example"));
    // Their own members are no secret to them.
    let fields = [("name", "Otto"), ("email", OTTO), ("role", "VIEWER")];
    assert_eq!(ada.post("/office/members", &fields).await.status, 409);
}

#[tokio::test]
async fn the_password_decides_for_which_merchant_somebody_logs_in() {
    let app = TestApp::new().await;
    app.own_shop().await;
    let own = added(
        &app,
        &["members", "add", OWN_MERCHANT, OTTO, "viewer", "otto"],
    )
    .await;
    let demo = added(&app, &["members", "add", "demo", OTTO, "viewer", "otto"]).await;
    for (password, shop) in [(&own, "Blumenladen"), (&demo, "Demo shop")] {
        let person = Person::new(&app);
        assert_eq!(person.log_in(OTTO, password).await.status, 303);
        let page = person.get("/office").await.text();
        assert!(page.contains(shop), "{page}");
    }
    // The hashes share their salt, so that the time does not tell how many there are.
    let salts = app
        .texts("SELECT substr(password_hash, 1, 54) FROM member")
        .await;
    assert_eq!(salts[0], salts[1]);
    assert!(salts[0].starts_with("$argon2id$v=19$m=19456,t=2,p=1$") && salts[0].ends_with('$'));

    // The same password for both: the page asks.
    for password in [&own, &demo] {
        let person = Person::new(&app);
        person.log_in(OTTO, password).await;
        let new = "lamp orbit quince ladder";
        let fields = [("current", password.as_str()), ("new", new), ("again", new)];
        assert_eq!(person.post("/office/password", &fields).await.status, 303);
    }
    let log_in = async |merchant: &str| {
        let person = Person::new(&app);
        let fields = [
            ("email", OTTO),
            ("password", "lamp orbit quince ladder"),
            ("merchant", merchant),
        ];
        let answer = person.send("/office/login", &fields, &[]).await;
        (answer, person)
    };
    for _ in 0..6 {
        let (asked, _) = log_in("").await;
        assert_eq!((asked.status, asked.header("set-cookie")), (200, None));
        let text = asked.text();
        assert!(
            text.contains("<option value=\"blumen\">Blumenladen</option>"),
            "{text}"
        );
        assert!(!text.contains("lamp orbit"), "{text}");
    }
    let (answer, person) = log_in(OWN_MERCHANT).await;
    assert_eq!(answer.status, 303);
    assert!(person.get("/office").await.text().contains("Blumenladen"));
    assert_eq!(log_in("nobodys").await.0.status, 403);
    let fields = [
        ("email", OTTO),
        ("password", "wrong-password"),
        ("merchant", "demo"),
    ];
    let wrong = Person::new(&app).send("/office/login", &fields, &[]).await;
    assert!(wrong.status == 403 && !wrong.text().contains("Blumenladen"));
}

#[tokio::test]
async fn commands_ask_for_the_merchant_where_there_are_several() {
    let app = TestApp::new().await;
    app.own_shop().await;
    for merchant in [OWN_MERCHANT, "demo"] {
        added(&app, &["members", "add", merchant, OTTO, "viewer", "otto"]).await;
    }
    let problem = command(&app, &["members", "disable", OTTO])
        .await
        .unwrap_err();
    assert_eq!(
        problem.to_string(),
        "several merchants have a member otto@shop.example: add --merchant with one of blumen, demo"
    );
    command(&app, &["members", "disable", OTTO, "--merchant", "demo"])
        .await
        .unwrap();
    let disabled = app
        .texts("SELECT merchant_id FROM member WHERE disabled = 1")
        .await;
    assert_eq!(disabled, ["demo"]);
    let nobody = command(&app, &["members", "disable", OTTO, "--merchant", "x"]).await;
    assert!(nobody.is_err());
}

/// Otherwise an administrator could try passwords of another merchant's member from many networks.
#[tokio::test]
async fn a_network_is_known_once_it_is_known_to_all_members_with_the_address() {
    let app = TestApp::with(|config| config.proxies = 1).await;
    app.own_shop().await;
    let own = added(
        &app,
        &["members", "add", OWN_MERCHANT, OTTO, "viewer", "otto"],
    )
    .await;
    let demo = added(&app, &["members", "add", "demo", OTTO, "viewer", "otto"]).await;
    let attempt = async |password: &str, from: &str| {
        let fields = [("email", OTTO), ("password", password)];
        let headers = [("x-forwarded-for", from)];
        let answer = Person::new(&app)
            .send("/office/login", &fields, &headers)
            .await;
        answer.status
    };
    let (one, both) = ("198.51.100.7", "198.51.100.8");
    for (password, from) in [(&own, one), (&own, both), (&demo, both)] {
        assert_eq!(attempt(password, from).await, 303);
    }
    for place in 1..=10 {
        assert_eq!(
            attempt("wrong-password", &format!("192.0.2.{place}")).await,
            403
        );
    }
    assert_eq!(attempt(&own, one).await, 429);
    assert_eq!(attempt(&own, both).await, 303);
    app.clock.advance(Duration::from_secs(1800));
    assert_eq!(attempt(&own, one).await, 303);
}
