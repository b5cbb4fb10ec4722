//! Decoupled authentications: the issuer asks the buyer apart from the browser, and its result counts for a time.

use super::*;
use std::time::Duration;

/// At a terminal that allows ten minutes.
fn patient() -> Payment<'static> {
    Payment {
        terminal: "T4",
        ..Payment::default()
    }
}

/// Ten minutes, and the time that a result may be on its way.
const UNTIL_MS: i64 = NOW_MS + 600_000 + 30_000;

#[tokio::test]
async fn it_is_offered_where_the_terminal_allows_it_a_page_waits_and_data_is_not_only_shared() {
    use ChallengePreference::{ChallengeMandated, DataShareOnly, None};
    let bench = Bench::start().await;
    for version in ["2.3.1", "2.2.0"] {
        bench.directory.accept_at_most(version);
        let offered = [json!("Y"), json!("00010")];
        for (terminal, has_waiting_page, preference, expected) in [
            ("T1", true, None, [Value::Null, Value::Null]),
            ("T4", true, None, offered.clone()),
            ("T4", true, ChallengeMandated, offered),
            ("T4", true, DataShareOnly, [Value::Null, Value::Null]),
            ("T4", false, None, [Value::Null, Value::Null]),
        ] {
            let reference = format!("{version} {terminal} {has_waiting_page} {preference:?}");
            let payment = Payment {
                reference: &reference,
                terminal,
                has_waiting_page,
                preference,
                ..Payment::default()
            };
            bench.completes(&payment).await;
            let asked = bench.directory.heard("AReq").pop().unwrap();
            assert_eq!(asked["messageVersion"], version);
            let names = ["threeDSRequestorDecReqInd", "threeDSRequestorDecMaxTime"];
            assert_eq!(
                names.map(|name| asked[name].clone()),
                expected,
                "{reference}"
            );
        }
    }
    assert_eq!(bench.server.longest_decoupled_ms(), 630_000);
}

#[tokio::test]
async fn the_result_is_that_of_the_issuer_also_for_another_process() {
    for (status, cancel, expected) in [
        ("Y", None, ChallengeReply::Right),
        ("A", None, ChallengeReply::Attempted),
        ("N", None, ChallengeReply::No),
        // Nobody answered in the app.
        ("N", Some("03"), ChallengeReply::No),
        ("U", None, ChallengeReply::No),
        ("R", None, ChallengeReply::No),
    ] {
        let mut bench = Bench::start().await;
        bench.directory.behave(Conduct::Status("D"));
        let asked = AuthenticationResponse::Decoupled { until_ms: UNTIL_MS };
        assert_eq!(bench.completes(&patient()).await, asked);
        bench.restart();
        // The same answer again, and nobody is asked again.
        bench.clock.advance(Duration::from_secs(5));
        assert_eq!(bench.completes(&patient()).await, asked);
        assert_eq!(bench.directory.heard("AReq").len(), 1);
        let notice = bench.server.decoupled_notice("op1").await.unwrap();
        assert_eq!(notice.as_deref(), Some(NOTICE));
        // The issuer has no page.
        assert!(bench.server.challenge_form("op1").await.unwrap().is_none());
        let before = bench.server.challenge_result("op1").await.unwrap();
        assert_eq!(before, ChallengeReply::Undecided);
        let none = bench.server.evidence(&evidence(Authentication::Full)).await;
        assert!(none.is_err());
        let mut results = bench.directory.results(status);
        if let Some(cancel) = cancel {
            results["challengeCancel"] = json!(cancel);
        }
        assert_eq!(bench.receive(&results).await["resultsStatus"], "01");
        let after = bench.server.challenge_result("op1").await.unwrap();
        assert_eq!(after, expected, "{status} {cancel:?}");
        let notice = bench.server.decoupled_notice("op1").await.unwrap();
        assert_eq!(notice, None);
        bench.proves(expected).await;
    }
}

#[tokio::test]
async fn the_first_result_counts_and_a_repetition_is_none_also_after_the_time() {
    let bench = Bench::start().await;
    bench.directory.behave(Conduct::Status("D"));
    bench.completes(&patient()).await;
    let mut other = bench.directory.results("Y");
    other["threeDSServerTransID"] = json!("6afa6072-9412-446b-9673-2f98b3ee98a2");
    assert_eq!(bench.receive(&other).await["errorCode"], "301");
    let first = bench.directory.results("N");
    assert_eq!(bench.receive(&first).await["resultsStatus"], "01");
    bench.clock.advance(Duration::from_secs(3600));
    assert_eq!(bench.receive(&first).await["resultsStatus"], "01");
    let second = bench.directory.results("Y");
    assert_eq!(bench.receive(&second).await["resultsStatus"], "03");
    let result = bench.server.challenge_result("op1").await.unwrap();
    assert_eq!(result, ChallengeReply::No);
}

#[tokio::test]
async fn a_result_counts_until_the_time_is_over_and_not_after_it() {
    for (late_ms, is_taken) in [(-1, true), (0, false)] {
        let bench = Bench::start().await;
        bench.directory.behave(Conduct::Status("D"));
        bench.completes(&patient()).await;
        bench.clock.set(UNTIL_MS + late_ms);
        let answer = bench.receive(&bench.directory.results("Y")).await;
        let result = bench.server.challenge_result("op1").await.unwrap();
        if is_taken {
            assert_eq!(answer["resultsStatus"], "01");
            assert_eq!(result, ChallengeReply::Right);
        } else {
            let said = (&answer["messageType"], &answer["errorCode"]);
            assert_eq!(said, (&json!("Erro"), &json!("402")));
            assert_eq!(result, ChallengeReply::Undecided);
        }
    }
}

#[tokio::test]
async fn one_that_was_not_asked_for_is_refused_and_has_no_result() {
    let bench = Bench::start().await;
    bench.directory.behave(Conduct::Status("D"));
    let refused = bench.completes(&Payment::default()).await;
    assert_eq!(refused, AuthenticationResponse::Refused);
    let answer = bench.receive(&bench.directory.results("Y")).await;
    assert_eq!(answer["errorCode"], "305");
    let result = bench.server.challenge_result("op1").await.unwrap();
    assert_eq!(result, ChallengeReply::Undecided);
    let shared = Payment {
        reference: "op2",
        preference: ChallengePreference::DataShareOnly,
        ..patient()
    };
    assert_eq!(
        bench.completes(&shared).await,
        AuthenticationResponse::Refused
    );
}
