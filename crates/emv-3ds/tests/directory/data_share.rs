//! Data share only: the issuer takes note of the payment, and challenges nobody.

use crate::bench::{Bench, Payment, evidence};
use crate::counterpart::{Conduct, DS_ID, PROOF, preference};
use payframe_payment_ports::three_ds_server::{
    Authentication, AuthenticationResponse, ChallengePreference, DataShare, EvidenceRequest,
    ThreeDsServer, ThreeDsServerError,
};

/// A payment at the strict terminal, which pays nothing without authentication.
fn sharing(reference: &str) -> Payment<'_> {
    Payment {
        reference,
        terminal: "T2",
        preference: ChallengePreference::DataShareOnly,
        ..Payment::default()
    }
}

#[tokio::test]
async fn each_answer_to_shared_data_has_its_outcome() {
    use AuthenticationResponse::{Completed, Refused};
    let bench = Bench::start().await;
    for (status, strict, paying) in [
        (
            "I",
            Completed(Authentication::DataShared),
            Completed(Authentication::DataShared),
        ),
        // An issuer may authenticate although nobody asked it to.
        (
            "Y",
            Completed(Authentication::Full),
            Completed(Authentication::Full),
        ),
        (
            "A",
            Completed(Authentication::Attempted),
            Completed(Authentication::Attempted),
        ),
        ("U", Refused, Completed(Authentication::None)),
        ("N", Refused, Refused),
        ("R", Refused, Refused),
        ("D", Refused, Refused),
    ] {
        bench.directory.behave(Conduct::Status(status));
        for (terminal, expected) in [("T2", strict), ("T1", paying)] {
            let reference = format!("{status} {terminal}");
            let payment = Payment {
                terminal,
                ..sharing(&reference)
            };
            assert_eq!(bench.completes(&payment).await, expected, "{reference}");
        }
    }
    let asked = bench.directory.heard("AReq");
    assert!(asked.iter().map(preference).all(|word| word == "06"));
}

#[tokio::test]
async fn each_version_has_the_word_and_what_the_issuer_says_is_kept() {
    for newest in ["2.3.1", "2.2.0"] {
        let mut bench = Bench::start().await;
        bench.directory.accept_at_most(newest);
        bench.directory.behave(Conduct::Status("I"));
        bench.completes(&sharing("op1")).await;
        bench.restart();
        let again = bench.completes(&sharing("op1")).await;
        let expected = AuthenticationResponse::Completed(Authentication::DataShared);
        assert_eq!(again, expected);
        let asked = bench.directory.heard("AReq").pop().unwrap();
        assert_eq!(asked["messageVersion"], newest);
        assert_eq!(preference(&asked), "06");
        let told = DataShare {
            eci: Some(String::from("07")),
            ds_transaction_id: DS_ID.to_owned(),
            version: newest,
        };
        let asked = evidence(Authentication::DataShared);
        assert_eq!(bench.server.data_share(&asked).await.unwrap(), Some(told));
        // It proves nothing.
        let proof = bench.server.evidence(&asked);
        assert_eq!(proof.await.unwrap().authentication_value, "");
    }
}

#[tokio::test]
async fn an_authentication_is_no_share_of_data() {
    let bench = Bench::start().await;
    bench.completes(&sharing("op1")).await;
    for reference in ["op1", "other"] {
        let asked = EvidenceRequest {
            reference,
            ..evidence(Authentication::DataShared)
        };
        assert_eq!(bench.server.data_share(&asked).await.unwrap(), None);
    }
    let asked = evidence(Authentication::Full);
    let proof = bench.server.evidence(&asked);
    assert_eq!(proof.await.unwrap().authentication_value, PROOF);
}

#[tokio::test]
async fn a_challenge_is_no_answer_to_shared_data() {
    let bench = Bench::start().await;
    bench.directory.behave(Conduct::Status("C"));
    let asked = bench.pay(&sharing("op1")).await;
    assert!(
        matches!(asked, Err(ThreeDsServerError::Unreadable(_))),
        "{asked:?}"
    );
    let problem = bench.directory.heard("Erro").pop().unwrap();
    assert_eq!(problem["errorCode"], "305");
    assert_eq!(problem["errorDetail"], "transStatus");
    // Nothing is kept of it: the buyer can try again.
    bench.directory.behave(Conduct::Status("I"));
    let again = bench.completes(&sharing("op1")).await;
    let expected = AuthenticationResponse::Completed(Authentication::DataShared);
    assert_eq!(again, expected);
}
