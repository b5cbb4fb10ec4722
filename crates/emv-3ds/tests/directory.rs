//! The 3-D Secure server against a directory server in this process, over mutual TLS.

// This file has only tests: a panic fails the test.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod bench;
#[path = "directory/challenges.rs"]
mod challenges;
#[path = "directory/confirmations.rs"]
mod confirmations;
mod counterpart;
#[path = "directory/data_share.rs"]
mod data_share;
#[path = "directory/decoupled.rs"]
mod decoupled;
#[path = "directory/settings.rs"]
mod settings;

use bench::{Bench, NOW_MS, NUMBER, Payment, TERMINALS, connect, evidence};
use counterpart::{ACS_URL, Conduct, Counterpart, METHOD_URL, NOTICE, PROOF, decoded, preference};
use payframe_card_rules::network::Network;
use payframe_card_rules::secret::Secret;
use payframe_emv_3ds::ThreeDsFile;
use payframe_payment_domain::session::ChallengeReply;
use payframe_payment_ports::three_ds_server::{
    Authentication, AuthenticationResponse, ChallengePreference, Enrollment, RequestedExemption,
    ThreeDsServer, ThreeDsServerError,
};
use payframe_storage::retention::OldRecords;
use payframe_storage::{Subject, query};
use serde_json::{Value, json};
use std::collections::HashSet;

#[tokio::test]
async fn each_status_has_its_outcome() {
    use AuthenticationResponse::{Challenge, Completed, Refused};
    let bench = Bench::start().await;
    for (status, paying, strict) in [
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
        ("N", Refused, Refused),
        ("R", Refused, Refused),
        ("D", Refused, Refused),
        ("C", Challenge, Challenge),
        ("U", Completed(Authentication::None), Refused),
        ("I", Completed(Authentication::None), Refused),
    ] {
        bench.directory.behave(Conduct::Status(status));
        for (terminal, expected) in [("T1", paying), ("T2", strict)] {
            let reference = format!("{status} {terminal}");
            let payment = Payment {
                reference: &reference,
                terminal,
                ..Payment::default()
            };
            assert_eq!(bench.completes(&payment).await, expected, "{reference}");
        }
    }
}

#[tokio::test]
async fn an_exemption_is_asked_for_in_the_words_of_each_version_and_the_issuer_decides() {
    use AuthenticationResponse::{Challenge, Completed, Refused};
    let bench = Bench::start().await;
    // The strict terminal, which pays nothing without authentication: an exemption that the issuer grants is no such payment.
    for (status, expected) in [
        ("Y", Completed(Authentication::Full)),
        ("A", Completed(Authentication::Attempted)),
        ("I", Completed(Authentication::None)),
        ("C", Challenge),
        ("N", Refused),
        ("R", Refused),
        ("U", Refused),
    ] {
        bench.directory.behave(Conduct::Status(status));
        let payment = Payment {
            reference: status,
            terminal: "T2",
            preference: ChallengePreference::Exemption(RequestedExemption::LowValue),
            ..Payment::default()
        };
        assert_eq!(bench.completes(&payment).await, expected, "{status}");
    }
    bench.directory.behave(Conduct::Status("Y"));
    for exemption in RequestedExemption::ALL {
        let payment = Payment {
            reference: exemption.code(),
            preference: ChallengePreference::Exemption(exemption),
            ..Payment::default()
        };
        bench.completes(&payment).await;
    }
    let asked = bench.directory.heard("AReq");
    let last = &asked[asked.len() - RequestedExemption::ALL.len()..];
    let words: Vec<_> = last.iter().map(preference).collect();
    assert_eq!(words, ["10", "05", "08", "02", "07"]);
}

#[tokio::test]
async fn the_acquirer_may_be_in_another_country_than_the_merchant() {
    let bench = Bench::start().await;
    for (terminal, country) in [("T1", "380"), ("T2", "276")] {
        let payment = Payment {
            reference: terminal,
            terminal,
            ..Payment::default()
        };
        bench.completes(&payment).await;
        let asked = bench.directory.heard("AReq").pop().unwrap();
        assert_eq!(asked["merchantCountryCode"], "380");
        assert_eq!(asked["acquirerCountryCode"], country);
    }
}

#[tokio::test]
async fn the_call_says_what_is_known_and_the_same_reference_is_asked_once() {
    let mut bench = Bench::start().await;
    for _ in 0..2 {
        bench.completes(&Payment::default()).await;
    }
    // The same after a restart, even if the issuer would say something else by then.
    bench.directory.behave(Conduct::Status("N"));
    bench.restart();
    let again = bench.completes(&Payment::default()).await;
    assert_eq!(
        again,
        AuthenticationResponse::Completed(Authentication::Full)
    );
    let asked = bench.directory.heard("AReq");
    assert_eq!(asked.len(), 1);
    for (name, value) in [
        ("messageVersion", json!("2.3.1")),
        ("acctNumber", json!(NUMBER)),
        ("cardExpiryDate", json!("3012")),
        ("cardholderName", json!("Zoë Müller")),
        ("billAddrCountry", json!("826")),
        ("billAddrLine1", json!("10 Street")),
        ("billAddrLine2", json!("Flat 2")),
        ("billAddrCity", json!("London")),
        ("billAddrPostCode", json!("SW1A 1AA")),
        ("purchaseAmount", json!("3545")),
        ("purchaseCurrency", json!("978")),
        ("purchaseExponent", json!("2")),
        ("purchaseDate", json!("20261120100000")),
        ("threeDSRequestorChallengeInd", json!(["03"])),
        ("acquirerCountryCode", json!("380")),
        ("acquirerCountryCodeSource", json!("01")),
        ("threeDSCompInd", json!("N")),
        ("browserColorDepth", json!("24")),
        ("browserTZ", json!("-60")),
        ("browserIP", json!("192.0.2.1")),
        ("acceptLanguage", json!(["it-IT", "en;q=0.8"])),
        (
            "threeDSServerURL",
            json!("https://pay.example/threeds/results/r"),
        ),
        (
            "notificationURL",
            json!("https://pay.example/threeds/notify/n"),
        ),
        ("threeDSServerOperatorID", json!("OP1")),
        ("acquirerBIN", json!("400000")),
    ] {
        assert_eq!(asked[0][name], value, "{name}");
    }
    let proof = bench
        .server
        .evidence(&evidence(Authentication::Full))
        .await
        .unwrap();
    assert_eq!(proof.authentication_value, PROOF);
    assert_eq!((&*proof.eci, proof.version), ("05", "2.3.1"));
    assert_eq!(proof.acquirer_bin, "400000");
    // It is kept until it is old.
    for (before_ms, rows) in [(NOW_MS, 1), (NOW_MS + 1, 0)] {
        let mut change = bench.store.write(Subject::Statement).await.unwrap();
        let deleted = OldRecords::Authentications.delete(&mut change, before_ms, 100);
        deleted.await.unwrap();
        change.commit().await.unwrap();
        let kept = bench
            .store
            .ask(query("SELECT count(*) FROM three_ds_authentication"))
            .await;
        assert_eq!(kept.unwrap()[0].first::<i64>().unwrap(), rows);
    }
}

/// An issuer compares states by their codes.
#[tokio::test]
async fn a_state_without_a_code_is_left_out() {
    let bench = Bench::start().await;
    for (place, (country, parts, state)) in [
        (
            "US",
            ["1 Loop", "", "Cupertino", "CA", "95014"],
            json!("CA"),
        ),
        ("HK", ["1 Road", "", "", "Kowloon", ""], Value::Null),
    ]
    .into_iter()
    .enumerate()
    {
        let reference = format!("op{place}");
        let payment = Payment {
            reference: &reference,
            billing: (country, parts),
            ..Payment::default()
        };
        bench.completes(&payment).await;
        let asked = &bench.directory.heard("AReq")[place];
        assert_eq!(asked["billAddrLine1"], parts[0]);
        assert_eq!(asked["billAddrState"], state, "{country}");
    }
}

#[tokio::test]
async fn an_answer_that_does_not_belong_here_authenticates_nobody() {
    let bench = Bench::start().await;
    for (conduct, is_readable, code) in [
        (Conduct::Malformed, false, Some("101")),
        (Conduct::WrongIds, false, Some("305")),
        (Conduct::WrongVersion, false, Some("102")),
        (Conduct::NoProof, false, Some("201")),
        (Conduct::Broken, true, None),
        (Conduct::Silent, true, None),
    ] {
        bench.directory.behave(conduct);
        let problem = bench.pay(&Payment::default()).await.unwrap_err();
        let is_silence = matches!(problem, ThreeDsServerError::NoAnswer(_));
        assert_eq!(is_silence, is_readable, "{conduct:?}: {problem}");
        assert!(!format!("{problem:?}").contains("47617"), "{problem:?}");
        // The directory server is told what is wrong.
        let told = bench.directory.heard("Erro").pop();
        if let Some(code) = code {
            assert_eq!(told.unwrap()["errorCode"], code, "{conduct:?}");
        }
    }
    // The same question, once the directory server is well again.
    bench.directory.behave(Conduct::Status("Y"));
    bench.completes(&Payment::default()).await;
    let ids: HashSet<String> = bench
        .directory
        .heard("AReq")
        .iter()
        .map(|asked| asked["threeDSServerTransID"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ids.len(), 1, "one reference is one transaction");
}

#[tokio::test]
async fn a_server_with_the_certificate_of_another_authority_is_not_asked() {
    let mut bench = Bench::start().await;
    let other = tempfile::tempdir().unwrap();
    Counterpart::start(other.path(), TERMINALS).await;
    let trusted = bench.folder.path().join("ca.pem");
    std::fs::copy(other.path().join("ca.pem"), trusted).unwrap();
    bench.restart();
    let problem = bench.pay(&Payment::default()).await.unwrap_err();
    assert!(matches!(problem, ThreeDsServerError::NoAnswer(_)));
    assert!(bench.directory.heard("AReq").is_empty());
}

#[tokio::test]
async fn an_older_directory_server_is_asked_in_its_version() {
    let bench = Bench::start().await;
    // The card ranges are known by then.
    bench
        .completes(&Payment {
            reference: "op0",
            ..Payment::default()
        })
        .await;
    bench.directory.accept_at_most("2.2.0");
    let answer = bench.completes(&Payment::default()).await;
    assert_eq!(
        answer,
        AuthenticationResponse::Completed(Authentication::Full)
    );
    let asked = bench.directory.heard("AReq");
    let versions: Vec<_> = asked[1..]
        .iter()
        .map(|asked| asked["messageVersion"].clone())
        .collect();
    assert_eq!(versions, ["2.3.1", "2.2.0"]);
    assert_ne!(
        asked[1]["threeDSServerTransID"],
        asked[2]["threeDSServerTransID"]
    );
    assert!(asked[2].get("acceptLanguage").is_none());
    let proof = bench
        .server
        .evidence(&evidence(Authentication::Full))
        .await
        .unwrap();
    assert_eq!(proof.version, "2.2.0");
}

#[tokio::test]
async fn card_ranges_are_asked_for_in_an_older_version_too() {
    let bench = Bench::start().await;
    bench.directory.accept_at_most("2.2.0");
    let answer = bench.completes(&Payment::default()).await;
    assert_eq!(
        answer,
        AuthenticationResponse::Completed(Authentication::Full)
    );
    // The range says that the issuer has no newer version, so nothing newer is tried.
    let asked = bench.directory.heard("AReq");
    assert_eq!(
        (asked.len(), &asked[0]["messageVersion"]),
        (1, &json!("2.2.0"))
    );
}

#[tokio::test]
async fn the_device_check_and_the_call_are_one_transaction() {
    let bench = Bench::start().await;
    let number = Secret::new(NUMBER.to_owned());
    // Until the card ranges are there, nothing is known of the issuer.
    bench
        .completes(&Payment {
            reference: "op0",
            ..Payment::default()
        })
        .await;
    assert_eq!(
        bench.server.card_range(&number).enrollment,
        Enrollment::Enrolled
    );
    let form = bench
        .server
        .device_check_form(&number, "check 1", "https://pay.example/m")
        .unwrap();
    assert_eq!(form.address, METHOD_URL);
    let data = decoded(&form.field.1);
    assert_eq!(
        data["threeDSMethodNotificationURL"],
        "https://pay.example/m"
    );
    for (reference, completion) in [("op1", "Y"), ("op2", "N")] {
        let payment = Payment {
            reference,
            check: Some("check 1"),
            ..Payment::default()
        };
        bench.completes(&payment).await;
        let asked = bench.directory.heard("AReq").pop().unwrap();
        // The second payment with the same check is a transaction of its own, which the check says nothing about.
        let is_same = asked["threeDSServerTransID"] == data["threeDSServerTransID"];
        assert_eq!(
            (is_same, asked["threeDSCompInd"].as_str()),
            (reference == "op1", Some(completion))
        );
    }
}

#[tokio::test]
async fn without_a_method_of_the_issuer_none_is_run() {
    let folder = Bench::start().await;
    folder.directory.have_no_method();
    let bench = Bench {
        server: connect(&folder.folder, &folder.store, &folder.vault, &folder.clock),
        ..folder
    };
    bench
        .completes(&Payment {
            check: Some("check 1"),
            ..Payment::default()
        })
        .await;
    let number = Secret::new(NUMBER.to_owned());
    assert!(
        bench
            .server
            .device_check_form(&number, "check 1", "https://pay.example/m")
            .is_none()
    );
    assert_eq!(bench.directory.heard("AReq")[0]["threeDSCompInd"], "U");
}

#[tokio::test]
async fn who_is_not_asked_about_is_not_authenticated() {
    let bench = Bench::start().await;
    let other_range = Payment {
        number: "4000000000000002",
        ..Payment::default()
    };
    let other_network = Payment {
        network: Network::Mastercard,
        ..Payment::default()
    };
    for payment in [other_range, other_network] {
        let pays = bench.completes(&payment).await;
        assert_eq!(
            pays,
            AuthenticationResponse::Completed(Authentication::None)
        );
        let refused = bench
            .completes(&Payment {
                terminal: "T2",
                ..payment
            })
            .await;
        assert_eq!(refused, AuthenticationResponse::Refused);
    }
    // Whoever hides the browser does not get around the authentication.
    let hidden = bench
        .completes(&Payment {
            has_browser: false,
            ..Payment::default()
        })
        .await;
    assert_eq!(hidden, AuthenticationResponse::Refused);
    assert!(bench.directory.heard("AReq").is_empty());
    let allowed = bench
        .completes(&Payment {
            terminal: "T9",
            ..Payment::default()
        })
        .await;
    assert_eq!(
        allowed,
        AuthenticationResponse::Completed(Authentication::None)
    );
    assert!(
        bench
            .pay(&Payment {
                terminal: "T3",
                ..Payment::default()
            })
            .await
            .is_err()
    );
    assert!(bench.server.serves("T1") && bench.server.serves("T9") && !bench.server.serves("T3"));
}
