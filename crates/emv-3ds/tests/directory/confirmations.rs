//! Confirmations by the buyer's device: when they are offered, what the browser is asked, and what the issuer says to the outcome.

use crate::bench::{Bench, Payment, evidence};
use crate::counterpart::{ACS_URL, Conduct, PROOF};
use payframe_payment_domain::session::ChallengeReply;
use payframe_payment_ports::three_ds_server::{
    Assertion, AssertionResponse, Authentication, AuthenticationResponse, ChallengePreference,
    Confirmation, ConfirmationOutcome, ConfirmationStatus, ThreeDsServer, ThreeDsServerError,
};
use serde_json::{Value, json};

/// A payment in a browser that can ask the buyer's device.
fn able(reference: &str) -> Payment<'_> {
    Payment {
        reference,
        can_confirm: true,
        ..Payment::default()
    }
}

fn signed(signature: &str) -> ConfirmationOutcome {
    ConfirmationOutcome::Confirmed(Box::new(Assertion {
        id: String::from("AAEC"),
        response: AssertionResponse {
            client_data: String::from("e30"),
            authenticator_data: String::from("AA"),
            signature: signature.to_owned(),
            user_handle: None,
        },
    }))
}

async fn asked(bench: &Bench) -> Value {
    bench.directory.heard("AReq").pop().unwrap()
}

#[tokio::test]
async fn a_confirmation_is_offered_where_it_is_possible() {
    let bench = Bench::start().await;
    let offered = async |payment: &Payment<'_>| {
        bench.completes(payment).await;
        let asked = asked(&bench).await;
        let said = ["threeDSRequestorSpcSupport", "payeeOrigin"];
        said.map(|name| asked[name].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(offered(&able("1")).await, ["Y", "https://shop.example"]);
    let unable = Payment {
        can_confirm: false,
        ..able("2")
    };
    assert_eq!(offered(&unable).await, ["", ""]);
    bench.directory.behave(Conduct::Status("I"));
    let sharing = Payment {
        preference: ChallengePreference::DataShareOnly,
        ..able("3")
    };
    assert_eq!(offered(&sharing).await, ["", ""]);
    bench.directory.behave(Conduct::Status("Y"));
    bench.directory.accept_at_most("2.2.0");
    assert_eq!(offered(&able("4")).await, ["", ""]);
}

#[tokio::test]
async fn the_browser_is_asked_what_the_issuer_says_also_after_a_restart() {
    let mut bench = Bench::start().await;
    bench.directory.behave(Conduct::Confirms("Y"));
    let answer = bench.completes(&able("op1")).await;
    assert_eq!(answer, AuthenticationResponse::Confirmation);
    bench.restart();
    assert_eq!(bench.completes(&able("op1")).await, answer);
    let expected = Confirmation {
        rp_id: String::from("acs.example"),
        credential_ids: vec![
            String::from("AAECAwQFBgcICQoL"),
            String::from("AwQFBgcICQoLDA0O"),
        ],
        challenge: String::from("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"),
        payee_name: None,
        payee_origin: Some(String::from("https://shop.example")),
        instrument_name: String::from("Card 0003"),
        instrument_icon: String::from("data:image/png;base64,AA=="),
        currency: String::from("EUR"),
        value: String::from("35.45"),
        timeout_ms: 60_000,
    };
    let status = bench.confirmation(&able("op1")).await;
    assert_eq!(status, ConfirmationStatus::Asked(Box::new(expected)));
    // It is neither a challenge nor a proof.
    assert!(bench.server.challenge_form("op1").await.unwrap().is_none());
    let proof = bench.server.evidence(&evidence(Authentication::Full)).await;
    assert!(proof.is_err());
    assert_eq!(bench.directory.heard("AReq").len(), 1);
}

#[tokio::test]
async fn each_answer_to_an_outcome_has_its_meaning_and_the_first_counts() {
    use AuthenticationResponse::{Challenge, Completed, Refused};
    for (status, expected) in [
        ("Y", Completed(Authentication::Full)),
        ("A", Completed(Authentication::Attempted)),
        ("C", Challenge),
        ("N", Refused),
        ("R", Refused),
        ("D", Refused),
        // The terminal pays without authentication: not after the issuer wanted one.
        ("U", Refused),
        ("I", Refused),
    ] {
        let mut bench = Bench::start().await;
        bench.directory.behave(Conduct::Confirms(status));
        bench.completes(&able("op1")).await;
        let answer = bench.confirm(&able("op1"), &signed("AA")).await.unwrap();
        assert_eq!(answer, expected, "{status}");
        bench.restart();
        bench.directory.behave(Conduct::Confirms("Y"));
        let outcome = ConfirmationOutcome::Cancelled;
        let again = bench.confirm(&able("op1"), &outcome).await.unwrap();
        assert_eq!(again, expected, "{status}");
        let kept = bench.confirmation(&able("op1")).await;
        assert_eq!(kept, ConfirmationStatus::Answered(expected), "{status}");
        assert_eq!(bench.directory.heard("AReq").len(), 2, "{status}");
    }
}

#[tokio::test]
async fn the_second_question_says_what_came_of_it() {
    for (outcome, incompletion) in [
        (signed("AA"), None),
        (ConfirmationOutcome::NotCompleted, Some("01")),
        (ConfirmationOutcome::Cancelled, Some("02")),
        (ConfirmationOutcome::TimedOut, Some("03")),
    ] {
        let bench = Bench::start().await;
        bench.directory.behave(Conduct::Confirms("C"));
        bench.completes(&able("op1")).await;
        bench.confirm(&able("op1"), &outcome).await.unwrap();
        let [first, second] = bench.directory.heard("AReq").try_into().unwrap();
        assert_ne!(
            first["threeDSServerTransID"],
            second["threeDSServerTransID"]
        );
        assert_eq!(second["messageVersion"], "2.3.1");
        assert_eq!(second["purchaseAmount"], first["purchaseAmount"]);
        let prior = &second["threeDSRequestorPriorAuthenticationInfo"][0];
        assert_eq!(
            prior["threeDSReqPriorRef"],
            "acacacac-0000-4000-8000-00000000acac"
        );
        assert_eq!(second.get("threeDSRequestorSpcSupport"), None);
        assert_eq!(
            second.get("spcIncompInd"),
            incompletion.map(|code| json!(code)).as_ref()
        );
        let info = second.get("threeDSRequestorAuthenticationInfo");
        let Some(info) = info.map(|info| &info[0]) else {
            assert!(incompletion.is_some());
            continue;
        };
        assert_eq!(info["threeDSReqAuthMethod"], "09");
        assert_eq!(info["threeDSReqAuthTimestamp"], "202611201000");
        let expected = json!({ "id": "AAEC", "response": {
            "clientDataJSON": "e30", "authenticatorData": "AA", "signature": "AA" } });
        assert_eq!(info["threeDSReqAuthData"], expected);
    }
}

#[tokio::test]
async fn the_same_outcome_is_the_same_question_until_there_is_an_answer() {
    let bench = Bench::start().await;
    bench.directory.behave(Conduct::Confirms("Y"));
    bench.completes(&able("op1")).await;
    bench.directory.behave(Conduct::Broken);
    for outcome in [signed("AA"), signed("AA"), signed("AB")] {
        let failed = bench.confirm(&able("op1"), &outcome).await;
        assert!(matches!(failed, Err(ThreeDsServerError::NoAnswer(_))));
    }
    let status = bench.confirmation(&able("op1")).await;
    assert!(matches!(status, ConfirmationStatus::Asked(_)));
    let heard = bench.directory.heard("AReq");
    let ids: Vec<_> = heard
        .iter()
        .map(|one| &one["threeDSServerTransID"])
        .collect();
    assert_eq!(ids[1], ids[2]);
    assert_ne!(ids[2], ids[3]);
    bench.directory.behave(Conduct::Confirms("Y"));
    let answer = bench.confirm(&able("op1"), &signed("AA")).await.unwrap();
    assert_eq!(
        answer,
        AuthenticationResponse::Completed(Authentication::Full)
    );
    let proof = bench.server.evidence(&evidence(Authentication::Full)).await;
    let proof = proof.unwrap();
    assert_eq!((&*proof.eci, &*proof.authentication_value), ("05", PROOF));
}

#[tokio::test]
async fn the_challenge_that_follows_is_as_any_other() {
    let bench = Bench::start().await;
    bench.directory.behave(Conduct::Confirms("C"));
    bench.completes(&able("op1")).await;
    bench
        .confirm(&able("op1"), &ConfirmationOutcome::Cancelled)
        .await
        .unwrap();
    let form = bench.server.challenge_form("op1").await.unwrap().unwrap();
    assert_eq!(form.address, ACS_URL);
    let answer = bench.receive(&bench.directory.results("Y")).await;
    assert_eq!(answer["resultsStatus"], "01");
    let result = bench.server.challenge_result("op1").await.unwrap();
    assert_eq!(result, ChallengeReply::Right);
}

#[tokio::test]
async fn a_confirmation_that_was_not_offered_or_of_another_sum_is_no_answer() {
    let bench = Bench::start().await;
    let unable = Payment {
        can_confirm: false,
        ..able("op1")
    };
    for (conduct, payment, element) in [
        (Conduct::Status("S"), &unable, "transStatus"),
        (Conduct::ConfirmsOtherSum, &able("op1"), "spcTransData"),
    ] {
        bench.directory.behave(conduct);
        let answer = bench.pay(payment).await;
        assert!(matches!(answer, Err(ThreeDsServerError::Unreadable(_))));
        let problem = bench.directory.heard("Erro").pop().unwrap();
        assert_eq!(problem["errorCode"], "305");
        assert_eq!(problem["errorDetail"], element);
    }
    // The outcome of a confirmation is not answered by another one.
    bench.directory.behave(Conduct::Confirms("S"));
    bench.completes(&able("op1")).await;
    let answer = bench.confirm(&able("op1"), &signed("AA")).await;
    assert!(matches!(answer, Err(ThreeDsServerError::Unreadable(_))));
    // Nothing is kept of it.
    bench.directory.behave(Conduct::Confirms("Y"));
    let answer = bench.confirm(&able("op1"), &signed("AA")).await.unwrap();
    assert_eq!(
        answer,
        AuthenticationResponse::Completed(Authentication::Full)
    );
}
