//! What the operator allows the form without scripts.

use super::{Plain, leads_back};
use crate::harness::{APPROVED, TestApp, sandbox, short};

/// A form with scripts has to encrypt the card there; this one can not.
#[tokio::test]
async fn a_gateway_that_wants_encrypted_cards_takes_them_from_its_own_page() {
    let app = TestApp::with(|config| {
        config.form_without_scripts = Some(true);
        config.mode = sandbox(|sandbox| sandbox.require_encrypted_cards = true);
    })
    .await;
    let plain = Plain::open(&app, |_| {}).await;
    let items = crate::harness::card(APPROVED);
    let answer = app
        .frame(&plain.session)
        .post("/fe/build/text", &items)
        .await;
    assert_eq!(answer.refusal(), "400 GW9008");
    leads_back(&plain.pay(APPROVED).await, &plain);
    assert_eq!(plain.operations().await, ["AUTHORIZATION EXECUTED"]);
}

#[tokio::test]
async fn there_is_no_form_without_scripts_where_the_operator_has_it_off_or_wants_encrypted_cards() {
    for (set, requires_encryption) in [(Some(false), false), (None, true)] {
        let app = TestApp::with(|config| {
            config.form_without_scripts = set;
            config.mode = sandbox(|sandbox| sandbox.require_encrypted_cards = requires_encryption);
        })
        .await;
        let plain = Plain::open(&app, |_| {}).await;
        let page = plain.page().await;
        assert!(
            page.contains("Scripts are switched off in this browser"),
            "{page}"
        );
        assert!(!page.contains("name=\"cardnumber\""));
        leads_back(
            &plain.send("token=a.b&shown=3545+EUR&act=card").await,
            &plain,
        );
        assert_eq!(
            short(&app.state(&plain.session).await),
            "CARD_DATA_COLLECTION"
        );
    }
}
