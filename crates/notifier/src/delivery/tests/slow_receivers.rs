//! A receiver that hardly answers has a long queue, and nobody else waits because of it.

use super::*;
use tokio::time::Instant;

/// Two merchants have 100 notifications each for a server that answers none in time, under one address or under one for each order.
#[tokio::test]
async fn two_hundred_notifications_for_a_slow_receiver_hold_up_nobody_else() {
    let stage = Stage::new().await;
    let mut slow = Shop::open(&[0; 200]).await;
    let mut quick = Shop::open(&[]).await;
    for number in 0..100 {
        let order = format!("slow-{number}");
        let own_url = format!("{}?order={number}", slow.url);
        for (merchant, url) in [("m1", &slow.url), ("m2", &own_url)] {
            let id = format!("{merchant}-{number}");
            stage.put(&id, merchant, &order, url, "{}").await;
        }
    }
    // Later than all of those: of a merchant with a slow receiver, and of another merchant.
    stage.put("q1", "m1", "quick", &quick.url, "first").await;
    stage.put("q2", "m3", "quick", &quick.url, "first").await;
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(stage.notifier.clone().run(async {
        let _ = stopped.await;
    }));
    let began = Instant::now();
    for _ in 0..2 {
        assert_eq!(quick.next().await.body, "first");
    }
    for _ in 0..2 {
        slow.next().await;
    }
    // What comes while the slow one is waited for goes at once, too.
    for number in 0..20 {
        let (id, order) = (format!("l{number}"), format!("later-{number}"));
        stage.put(&id, "m3", &order, &quick.url, &id).await;
        stage.notifier.outbox_filled.notify_one();
        assert_eq!(quick.next().await.body, id);
    }
    assert!(
        began.elapsed() < ANSWER_TIMEOUT,
        "nobody waited for the slow one to be given up"
    );
    for id in ["m1-0", "m2-0"] {
        assert_eq!(stage.attempts(id).await, [], "it is still waited for");
    }
    assert!(slow.is_quiet(), "one delivery at a time for a lane");
    stop.send(()).unwrap();
    running.await.unwrap();
}
