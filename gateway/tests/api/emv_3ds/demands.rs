//! Soft declines at a gateway with directory servers: another AReq demands the challenge.

use super::bench::Bench;
use crate::counterpart::{Conduct, LATER_PROOF, PROOF, preference};
use crate::harness::short;

const DECLINED: &str = "CARD_DATA_COLLECTION AUTHORIZATION/DECLINED";

#[tokio::test]
async fn another_question_demands_the_challenge_and_the_acquirer_gets_its_proof() {
    let bench = Bench::start().await;
    bench.demand_challenges();
    bench.directory.behave(Conduct::OnDemand);
    let session = bench.checked("A1").await;
    let closed = bench.close(&session).await.ok();
    assert_eq!(short(&closed), "REDIRECTED_TO_EXTERNAL_DOMAIN");
    let asked = bench.directory.heard("AReq");
    let told = |name: &str| {
        let values = asked.iter().map(|asked| asked[name].as_str().unwrap());
        values.collect::<Vec<_>>()
    };
    assert_eq!(
        asked.iter().map(preference).collect::<Vec<_>>(),
        ["01", "04"]
    );
    let ids = told("threeDSServerTransID");
    assert_ne!(ids[0], ids[1], "another transaction");
    bench.result(&bench.directory.results("Y")).await.ok();
    let address = closed["url"].as_str().unwrap();
    bench.get(&address.replace("/challenge/", "/back/")).await;
    assert_eq!(
        bench.charges(),
        [format!("05 {PROOF}"), format!("05 {LATER_PROOF}")]
    );
    let paid = "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED";
    assert_eq!(bench.state(&session).await, paid);
}

#[tokio::test]
async fn an_issuer_without_a_challenge_leaves_the_decline() {
    let bench = Bench::start().await;
    bench.demand_challenges();
    let session = bench.checked("A1").await;
    let closed = bench.close(&session).await.ok();
    assert_eq!(short(&closed), DECLINED);
    assert_eq!(bench.directory.heard("AReq").len(), 2);
    assert_eq!(bench.charges(), [format!("05 {PROOF}")]);
}
