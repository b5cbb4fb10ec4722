//! The form without scripts, while somebody tries out cards at its terminal.

use super::{Plain, leads_back};
use crate::attacks::attack;
use crate::card_testing::guarded;
use crate::harness::{APPROVED, token_of};
use payframe_payment_service::ChallengeAnswer;

/// It cannot compute: under attack it has one try, which needs a challenge as any try without a proof of work.
#[tokio::test]
async fn under_attack_a_browser_without_scripts_has_one_try() {
    let app = guarded().await;
    attack(&app, 0..17).await;
    let plain = Plain::open(&app, |_| {}).await;
    leads_back(&plain.pay(APPROVED).await, &plain);
    let state = app.state(&plain.session).await;
    let url = state["url"].as_str().unwrap();
    let pages = app.app.buyer_pages();
    let answer = ChallengeAnswer::Reject;
    pages.challenge_answer(token_of(url), answer).await;
    assert_eq!(plain.operations().await, ["AUTHORIZATION THREEDS_FAILED"]);
    let answer = plain.pay(APPROVED).await;
    assert!(
        answer
            .text()
            .contains("The payment service did not answer. Nothing was charged. Try again."),
        "{}",
        answer.text()
    );
    assert_eq!(plain.operations().await, ["AUTHORIZATION THREEDS_FAILED"]);
}
