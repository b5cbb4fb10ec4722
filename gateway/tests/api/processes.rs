//! Several processes on one database: each call of a payment reaches another one.

use crate::harness::{APPROVED, CHALLENGED, TestApp, build, card, short, token_of};
use payframe_gateway::{App, router};
use payframe_payment_service::ChallengeAnswer;
use payframe_storage::query;
use std::time::Duration;

/// Two more processes beside that of `app`. All hear each other if their tables are on a server.
async fn three(app: &TestApp) -> [App; 3] {
    let another = || App::open(app.config().clone(), app.clock.clone());
    let processes = [
        app.app.clone(),
        another().await.unwrap(),
        another().await.unwrap(),
    ];
    for process in &processes {
        tokio::spawn(process.clone().hear_peers(std::future::pending()));
    }
    if app.config().database_url.is_some() {
        for process in &processes {
            process.peers_are_heard().await;
        }
    }
    processes
}

/// What the acquirer was told of security codes, one word for each payment.
async fn codes(app: &TestApp) -> Vec<String> {
    let charges = app.acquirer().await;
    let rows = charges.ask(query("SELECT security_code FROM charge")).await;
    rows.unwrap()
        .iter()
        .map(|row| row.first().unwrap())
        .collect()
}

#[tokio::test]
async fn a_payment_has_its_security_code_in_whichever_process_it_is_made() {
    let mut app = TestApp::new().await;
    let [first, second, third] = three(&app).await;
    let session = app.open(&build("A1")).await;
    let answer = app
        .frame(&session)
        .post("/fe/build/text", &card(CHALLENGED))
        .await
        .ok();
    app.router = router(second.clone());
    if let Some(url) = answer["gdiStatus"]["gdiUrl"].as_str() {
        second
            .buyer_pages()
            .device_check_done(token_of(url))
            .await
            .unwrap();
    }
    let challenge = app.finalize(&session).await["url"].clone();
    third
        .buyer_pages()
        .challenge_answer(
            token_of(challenge.as_str().unwrap()),
            ChallengeAnswer::Approve,
        )
        .await;
    app.router = router(first);
    assert_eq!(
        short(&app.state(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
    // Where the tables are in a file, a second process is a command of the operator, and hears nobody.
    let shared = app.config().database_url.is_some();
    let expected = if shared { "GIVEN" } else { "LOST" };
    assert_eq!(codes(&app).await, [expected]);
}

#[tokio::test]
async fn a_process_hears_that_another_one_has_filled_the_outbox() {
    let app = TestApp::new().await;
    if app.config().database_url.is_none() {
        // A file has one process.
        return;
    }
    let [_, second, _] = three(&app).await;
    let heard = second.notifier().outbox_filled;
    let session = app.open(&build("A1")).await;
    app.enter(&session, APPROVED).await;
    app.finalize(&session).await;
    let hearing = tokio::time::timeout(Duration::from_secs(20), heard.notified());
    hearing.await.expect("a message of the first process");
}

/// A process that ended takes its codes with it.
#[tokio::test]
async fn a_code_that_no_process_has_is_said_to_be_lost() {
    let mut app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, APPROVED).await;
    app = app.restarted().await;
    let [_, _, third] = three(&app).await;
    app.router = router(third);
    assert_eq!(
        short(&app.finalize(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
    assert_eq!(codes(&app).await, ["LOST"]);
}
