//! Terms that the buyer accepts before a reservation is paid, and the evidence of it.

use super::*;

#[tokio::test]
async fn nothing_is_paid_before_the_terms_are_accepted_and_the_evidence_is_kept() {
    let app = TestApp::with_dist().await;
    let terms = with_structure(&app).await;
    let stay = condition("S1", "GUARANTEED_NOSHOW");
    let stay = app
        .merchant()
        .post("/structure_conditions", &stay)
        .await
        .ok();
    let stay = stay["structureConditionId"].as_str().unwrap();
    let sent = with(
        reservation("R1", "GUARANTEED_NOSHOW"),
        json!({ "termsAndConditionsIds": [terms] }),
    );
    make(&app, &sent).await.ok();
    let address = link_address(&app, "R1").await;
    let page = text_of(&app, &address).await;
    // In the page's language if available, else in English.
    for label in [
        "Accetto il regolamento",
        "I accept the conditions of the stay",
        "I accept the conditions of cancellation",
    ] {
        assert!(page.contains(label), "{label}");
    }
    assert!(!page.contains(r#"id="form""#));
    assert_eq!(open_session(&app, &address).await.status, 409);
    // All boxes are necessary.
    for ticked in ["", "accepted=0", "accepted=0&accepted=2&accepted=7&other=1"] {
        let answer = form(&app, &address, "accept", ticked).await;
        assert_eq!(answer.status, 303);
        assert!(
            answer.header("location").unwrap().ends_with("?missing=1"),
            "{ticked}"
        );
        assert_eq!(app.count("SELECT COUNT(*) FROM acceptance").await, 0);
    }
    assert_eq!(open_session(&app, &address).await.status, 409);
    let all = "accepted=0&accepted=1&accepted=2";
    let answer = form(&app, &address, "accept", all).await;
    assert!(address.ends_with(answer.header("location").unwrap()));
    // A repetition changes nothing.
    app.clock.advance(std::time::Duration::from_secs(60));
    form(&app, &address, "accept", all).await;
    let page = text_of(&app, &address).await;
    assert!(page.contains(r#"id="form""#) && !page.contains("Accetto il regolamento"));
    let session = session_of(&app, &address).await;
    let answer = pay(&app, &session, APPROVED).await;
    assert_eq!(
        short(&answer),
        "PAYMENT_COMPLETE CARD_VERIFICATION/EXECUTED"
    );
    let answer = read(&app, "R1").await;
    let link = &answer["paymentLinks"][0]["linkId"];
    let expected = |text_id: &str, part: &str, language: &str, label: &str| {
        json!({
            "linkId": link, "textId": text_id, "part": part, "language": language, "checkMarkLabel": label, "text": HTML,
            // The hash of `<p>The terms.</p>`.
            "textHash": "2d4ccd75a510d246dbfc8c3268499d05a3f622f5245b17559135192fc92a37c6",
            "acceptedTime": "2026-11-20T10:00:00.000Z",
        })
    };
    assert_eq!(
        answer["acceptances"],
        json!([
            expected(&terms, "TERMS", "ITA", "Accetto il regolamento"),
            expected(stay, "STAY", "eng", "I accept the conditions of the stay"),
            expected(
                stay,
                "CANCELLATION",
                "eng",
                "I accept the conditions of cancellation"
            ),
        ])
    );
    // Accepted terms cannot be cancelled any more.
    let path = format!("/terms_and_conditions/{terms}/cancels");
    let refused = app.merchant().post(&path, &json!({})).await;
    assert_eq!(refused.refusal(), "400 GW9007");
}

#[tokio::test]
async fn a_text_of_terms_is_shown_where_nothing_of_it_can_run() {
    let app = TestApp::with_dist().await;
    let terms = with_structure(&app).await;
    let sent = with(
        reservation("R1", "BUNDLE"),
        json!({ "termsAndConditionsIds": [terms] }),
    );
    make(&app, &sent).await.ok();
    let address = link_address(&app, "R1").await;
    let text = app.page(&format!("{address}/terms/0"), &[]).await;
    assert_eq!(text.status, 200);
    assert!(text.text().contains("<p>The terms.</p>"));
    assert!(text.text().contains(r#"<html lang="it">"#));
    let policy = text.header("content-security-policy").unwrap();
    assert!(
        policy.starts_with("default-src 'none'; style-src https://gateway.example;"),
        "{policy}"
    );
    assert!(
        policy.contains("frame-ancestors https://gateway.example; sandbox allow-popups"),
        "{policy}"
    );
    for missing in ["terms/1", "terms/x"] {
        let answer = app.page(&format!("{address}/{missing}"), &[]).await;
        assert!(
            matches!(answer.status, 400 | 404),
            "{missing}: {}",
            answer.status
        );
    }
    let other = app.page("/link/unknown/terms/0", &[]).await;
    assert_eq!(other.status, 404);
    assert_eq!(
        form(
            &app,
            "https://gateway.example/link/unknown",
            "accept",
            "accepted=0"
        )
        .await
        .status,
        404
    );
}
