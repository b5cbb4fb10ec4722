//! What the issuer tells of a challenge.

use super::*;

#[tokio::test]
async fn the_result_of_a_challenge_is_that_of_the_issuer() {
    for (status, cancel, expected) in [
        ("Y", None, ChallengeReply::Right),
        ("A", None, ChallengeReply::Attempted),
        // The buyer did not begin in time; the buyer cancelled.
        ("A", Some("05"), ChallengeReply::Attempted),
        ("A", Some("01"), ChallengeReply::No),
        ("N", None, ChallengeReply::No),
        ("N", Some("01"), ChallengeReply::No),
        ("U", None, ChallengeReply::No),
        ("R", None, ChallengeReply::No),
    ] {
        let mut bench = Bench::start().await;
        bench.directory.behave(Conduct::Status("C"));
        bench.completes(&Payment::default()).await;
        let form = bench.server.challenge_form("op1").await.unwrap().unwrap();
        assert_eq!(form.address, ACS_URL);
        let creq = decoded(&form.field.1);
        assert_eq!(
            (&creq["messageType"], &creq["challengeWindowSize"]),
            (&json!("CReq"), &json!("05"))
        );
        bench.restart();
        let before = bench.server.challenge_result("op1").await.unwrap();
        assert_eq!(before, ChallengeReply::Undecided);
        let none = bench.server.evidence(&evidence(Authentication::Full)).await;
        assert!(none.is_err());
        let mut results = bench.directory.results(status);
        if let Some(cancel) = cancel {
            results["challengeCancel"] = json!(cancel);
            // Nobody knows how a buyer who cancelled would have been asked.
            let elements = results.as_object_mut().unwrap();
            elements.remove("authenticationMethod");
        }
        let answer = bench.receive(&results).await;
        assert_eq!(
            (&answer["messageType"], &answer["resultsStatus"]),
            (&json!("RRes"), &json!("01"))
        );
        let after = bench.server.challenge_result("op1").await.unwrap();
        assert_eq!(after, expected, "{status} {cancel:?}");
        assert!(bench.server.challenge_form("op1").await.unwrap().is_none());
        bench.proves(expected).await;
    }
}

#[tokio::test]
async fn a_result_counts_once_and_only_for_its_transaction() {
    let bench = Bench::start().await;
    bench.directory.behave(Conduct::Status("C"));
    bench.completes(&Payment::default()).await;
    let good = bench.directory.results("N");
    for (name, value, code) in [
        (
            "threeDSServerTransID",
            json!("6afa6072-9412-446b-9673-2f98b3ee98a2"),
            "301",
        ),
        (
            "dsTransID",
            json!("6afa6072-9412-446b-9673-2f98b3ee98a2"),
            "301",
        ),
        (
            "acsTransID",
            json!("6afa6072-9412-446b-9673-2f98b3ee98a2"),
            "301",
        ),
        ("messageVersion", json!("2.2.0"), "102"),
        ("messageVersion", json!("9.9.9"), "102"),
        ("messageType", json!("ARes"), "101"),
        ("transStatus", json!("C"), "203"),
        ("interactionCounter", json!("x"), "203"),
    ] {
        let mut bad = good.clone();
        // As the older version says what the newer one says by `authenticationMethod`.
        bad["authenticationType"] = json!("02");
        bad[name] = value;
        let answer = bench.receive(&bad).await;
        assert_eq!(
            (&answer["messageType"], &answer["errorCode"]),
            (&json!("Erro"), &json!(code)),
            "{name}"
        );
        let result = bench.server.challenge_result("op1").await.unwrap();
        assert_eq!(result, ChallengeReply::Undecided);
    }
    for status in ["Y", "N"] {
        let mut bad = bench.directory.results(status);
        bad.as_object_mut().unwrap().remove("authenticationMethod");
        let answer = bench.receive(&bad).await;
        assert_eq!(
            (&answer["errorCode"], &answer["errorDetail"]),
            (&json!("201"), &json!("authenticationMethod")),
            "{status}"
        );
        let result = bench.server.challenge_result("op1").await.unwrap();
        assert_eq!(result, ChallengeReply::Undecided);
    }
    for (message, status) in [
        (good.clone(), "01"),
        (good, "01"),
        (bench.directory.results("Y"), "03"),
    ] {
        assert_eq!(bench.receive(&message).await["resultsStatus"], status);
        let result = bench.server.challenge_result("op1").await.unwrap();
        assert_eq!(result, ChallengeReply::No);
    }
    // Nobody was asked with this reference.
    let body = bench.directory.results("Y").to_string();
    let answer = bench
        .server
        .receive_result("op2", body.as_bytes())
        .await
        .unwrap();
    let answer: Value = serde_json::from_slice(&answer).unwrap();
    assert_eq!(answer["errorCode"], "301");
}
