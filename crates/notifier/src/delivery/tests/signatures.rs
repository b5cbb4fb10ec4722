//! How notifications are signed, and with which of a terminal's secrets.

use super::*;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

fn id_of(received: &Received) -> &str {
    received.headers["x-event-id"].to_str().unwrap()
}

/// Puts an event of a terminal into the outbox and delivers it.
async fn deliver(stage: &Stage, shop: &mut Shop, event_id: &str) -> Received {
    stage
        .put(event_id, "m1", event_id, &shop.url, r#"{"a":1}"#)
        .await;
    let owned = query("UPDATE notification SET terminal_id = ? WHERE event_id = ?");
    let owned = owned.bind(TERMINAL);
    stage
        .notifier
        .store
        .change(owned.bind(event_id))
        .await
        .unwrap();
    stage.settle().await;
    shop.next().await
}

#[tokio::test]
async fn a_notification_is_signed_with_every_secret_of_the_terminal_that_is_valid() {
    let stage = Stage::new().await;
    let mut shop = Shop::open(&[]).await;
    let unsigned = deliver(&stage, &mut shop, "e1").await;
    assert!(
        !unsigned.headers.contains_key("x-signature"),
        "no secret, no signature"
    );
    assert!(!unsigned.headers.contains_key("webhook-signature"));
    let seconds = START_MS / 1000;
    let v1 = |secret: &str, body: &str| {
        let signed = format!("{seconds}.{body}");
        payframe_vault::signature(secret.as_bytes(), &[signed.as_bytes()])
    };
    let standard = |secret: &str, received: &Received| {
        let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap());
        let signed = format!("{}.{seconds}.{}", id_of(received), received.body);
        let mac = payframe_vault::signature_base64(&key.unwrap(), &[signed.as_bytes()]);
        format!("v1,{mac}")
    };
    let first = add_secret(&stage, "first").await;
    let one = deliver(&stage, &mut shop, "e2").await;
    assert_eq!(
        one.headers["x-signature"],
        format!("t={seconds},v1={}", v1(&first, &one.body)).as_str()
    );
    assert_eq!(id_of(&one), "e2");
    assert_eq!(one.headers["webhook-id"], "e2");
    assert_eq!(
        one.headers["webhook-timestamp"],
        seconds.to_string().as_str()
    );
    assert_eq!(
        one.headers["webhook-signature"],
        standard(&first, &one).as_str()
    );
    // While two secrets are valid, a receiver that knows either of them can verify the event.
    let second = add_secret(&stage, "second").await;
    let both = deliver(&stage, &mut shop, "e3").await;
    let header = both.headers["x-signature"].to_str().unwrap().to_owned();
    for secret in [&first, &second] {
        assert!(
            header.contains(&format!(",v1={}", v1(secret, &both.body))),
            "{header}"
        );
    }
    assert_eq!(header.matches("v1=").count(), 2);
    let signatures = both.headers["webhook-signature"].to_str().unwrap();
    let expected = [&second, &first].map(|secret| standard(secret, &both));
    let mut given: Vec<&str> = signatures.split(' ').collect();
    given.sort_unstable();
    let mut expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    expected.sort_unstable();
    assert_eq!(given, expected);
    revoke_secret(&stage, "first").await;
    let last = deliver(&stage, &mut shop, "e4").await;
    assert_eq!(
        last.headers["x-signature"],
        format!("t={seconds},v1={}", v1(&second, &last.body)).as_str()
    );
    // Events of another terminal are not signed with this secret.
    stage.put("e5", "m1", "o5", &shop.url, "{}").await;
    stage.settle().await;
    assert!(!shop.next().await.headers.contains_key("x-signature"));
}

#[tokio::test]
async fn a_signature_has_the_real_time_although_the_clock_is_ahead() {
    let stage = Stage::new().await;
    add_secret(&stage, "s1").await;
    stage.notifier.clock.put_ahead(400 * 86_400_000);
    let mut shop = Shop::open(&[]).await;
    let received = deliver(&stage, &mut shop, "e1").await;
    let real_seconds = (START_MS / 1000).to_string();
    assert_eq!(received.headers["webhook-timestamp"], *real_seconds);
    assert_eq!(stage.state("e1").await, "DELIVERED");
}
