//! A terminal under attack takes a card only with a proof of work: bots pay for each try, and honest buyers pay without a challenge.

use crate::attacks::{any, attack};
use crate::card_testing::{Try, any_number, guarded, solved};
use crate::harness::{APPROVED, Answer, DECLINED, TestApp, build, card, short};
use crate::keys::command;
use serde_json::{Value, json};
use std::time::Duration;

const HONEST: &str = "192.0.2.77";

/// A gateway with a terminal under attack.
async fn attacked() -> TestApp {
    let app = guarded().await;
    attack(&app, 0..17).await;
    app
}

fn with_proof(number: &str, solution: &str) -> Value {
    let mut items = card(number);
    let proof = json!({ "id": "PROOF_OF_WORK", "value": solution });
    items.as_array_mut().unwrap().push(proof);
    items
}

impl TestApp {
    /// The puzzle that is due for a session's next card.
    async fn puzzle(&self, session: &str) -> String {
        let answer = self.send_from(session, &card(APPROVED), HONEST).await;
        puzzle_of(&answer)
    }
}

#[track_caller]
fn puzzle_of(answer: &Answer) -> String {
    assert_eq!(answer.refusal(), "400 GW9015");
    answer.header("proof-of-work").unwrap().to_owned()
}

/// M18: and nothing is asked where nobody tries out cards.
#[tokio::test]
async fn a_card_is_taken_only_with_the_proof_that_is_due_for_it() {
    let app = attacked().await;
    let session = app.open(&build("A1")).await;
    let other = app.open(&build("A2")).await;
    let solution = solved(&app.puzzle(&session).await);
    for wrong in [
        String::new(),
        String::from("1.2.3"),
        solution.replacen('.', ".1", 1),
        solved(&app.puzzle(&other).await),
    ] {
        let items = with_proof(APPROVED, &wrong);
        puzzle_of(&app.send_from(&session, &items, HONEST).await);
    }
    // Nothing was taken, and nothing is told about the card.
    assert_eq!(app.state(&session).await["state"], "CARD_DATA_COLLECTION");
    let bad = app.send_from(&session, &card("4111"), HONEST).await;
    let good = app.send_from(&session, &card(APPROVED), HONEST).await;
    assert_eq!(bad.body, good.body);
    // A card that the fields refuse uses the proof up, too.
    let items = with_proof("4111111111111112", &solution);
    let refused = app.send_from(&session, &items, HONEST).await.ok();
    assert_eq!(refused["workflowState"], "CARD_DATA_COLLECTION");
    let items = with_proof(APPROVED, &solution);
    let again = app.send_from(&session, &items, HONEST).await;
    let items = with_proof(APPROVED, &solved(&puzzle_of(&again)));
    app.send_from(&session, &items, HONEST).await.ok();
    // The permitted twin: where nobody tries out cards, nothing is asked, and what is sent nevertheless is not looked at.
    let quiet = guarded().await;
    for (order, items) in [("Q1", card(APPROVED)), ("Q2", with_proof(APPROVED, "x"))] {
        let session = quiet.open(&build(order)).await;
        let answer = quiet.send_from(&session, &items, HONEST).await;
        assert_eq!(answer.header("proof-of-work"), None);
        answer.ok();
    }
}

#[tokio::test]
async fn the_refusal_uses_no_idempotency_key_and_a_repetition_with_the_proof_is_answered_again() {
    let app = attacked().await;
    let session = app.open(&build("A1")).await;
    let headers = [("idempotency-key", "one"), ("x-forwarded-for", HONEST)];
    let frame = app.frame(&session);
    let card = card(APPROVED);
    let asked = frame.post_with("/fe/build/text", &card, &headers).await;
    let items = with_proof(APPROVED, &solved(&puzzle_of(&asked)));
    let taken = frame.post_with("/fe/build/text", &items, &headers).await;
    let taken = taken.ok();
    // The answer was lost.
    let repeated = frame.post_with("/fe/build/text", &items, &headers).await;
    assert_eq!(repeated.header("idempotency-replayed"), Some("true"));
    assert_eq!(repeated.ok(), taken);
}

#[tokio::test]
async fn a_puzzle_can_be_solved_for_ten_minutes_and_not_for_ever() {
    let app = attacked().await;
    let early = app.open(&build("A1")).await;
    let late = app.open(&build("A2")).await;
    let early_items = with_proof(APPROVED, &solved(&app.puzzle(&early).await));
    let late_items = with_proof(APPROVED, &solved(&app.puzzle(&late).await));
    // The buyers are still there.
    for _ in 0..6 {
        app.clock.advance(Duration::from_secs(99));
        app.puzzle(&early).await;
        app.puzzle(&late).await;
    }
    app.send_from(&early, &early_items, HONEST).await.ok();
    for _ in 0..6 {
        app.clock.advance(Duration::from_secs(101));
        app.puzzle(&late).await;
    }
    puzzle_of(&app.send_from(&late, &late_items, HONEST).await);
}

/// The bot sends cards without proofs: it is turned away before its card is read, so it counts against nobody.
#[tokio::test]
async fn honest_buyers_pay_without_a_challenge_while_a_bot_that_does_not_work_is_turned_away() {
    let app = attacked().await;
    let heard = app.charges().await;
    for count in 100..140 {
        let session = app.open(&build(&format!("B{count}"))).await;
        let this = any(count);
        let answer = app
            .send_from(&session, &card(&this.number), &this.address)
            .await;
        puzzle_of(&answer);
    }
    assert_eq!(app.charges().await, heard);
    for count in 0..12u32 {
        // One of them mistypes, once.
        let number = if count == 3 { DECLINED } else { APPROVED };
        let honest = Try {
            number: number.to_owned(),
            address: format!("192.0.2.{}", count + 1),
        };
        let state = app.try_card(&format!("H{count}"), &honest).await;
        let paid = if count == 3 { "DECLINED" } else { "EXECUTED" };
        let expected = format!("PAYMENT_COMPLETE AUTHORIZATION/{paid}");
        assert_eq!(short(&state), expected, "{count}");
    }
}

#[tokio::test]
async fn a_bot_that_works_for_each_try_is_stopped_within_twenty() {
    let app = guarded().await;
    attack(&app, 0..30).await;
    assert!(app.charges().await <= 20, "{}", app.charges().await);
    // Now an honest buyer passes a challenge, as without a proof.
    let honest = Try {
        number: APPROVED.to_owned(),
        address: HONEST.to_owned(),
    };
    let state = app.try_card("H1", &honest).await;
    assert!(state["url"].is_string(), "{state}");
}

#[tokio::test]
async fn trusted_addresses_other_terminals_and_terminals_without_rules_are_not_asked() {
    let app = attacked().await;
    let set = async |setting: &str| {
        let set = ["terminal", "set", "91000001", setting];
        command(&app, &set).await.unwrap();
    };
    set("allowed_addresses=192.0.2.0/24").await;
    let session = app.open(&build("A1")).await;
    app.send_from(&session, &card(APPROVED), HONEST).await.ok();
    let elsewhere = app.open(&build("A2")).await;
    let answer = app
        .send_from(&elsewhere, &card(APPROVED), "203.0.113.9")
        .await;
    puzzle_of(&answer);
    let other = app.key("sandbox-other-merchant");
    let built = other.post("/orders/build", &build("A3")).await.ok();
    let session = built["sessionId"].as_str().unwrap();
    let answer = app.send_from(session, &card(APPROVED), "203.0.113.9").await;
    answer.ok();
    set("card_testing=off").await;
    let answer = app
        .send_from(&elsewhere, &card(APPROVED), "203.0.113.9")
        .await;
    answer.ok();
}

#[tokio::test]
async fn nothing_is_asked_any_more_once_the_attack_is_over() {
    let app = attacked().await;
    for _ in 0..80 {
        app.pass(60).await;
    }
    let session = app.open(&build("A1")).await;
    app.send_from(&session, &card(&any_number(7)), HONEST)
        .await
        .ok();
}
