//! Other methods than cards on the hosted page.

use super::*;

/// A page that offers methods besides the card.
async fn page_with_methods(app: &TestApp, order_id: &str) -> String {
    let mut request = hpp(order_id);
    request["paymentSession"]["paymentService"] = Value::Null;
    page_of(app, &request).await
}

/// Chooses a method and presses a button on its page.
async fn by_method(app: &TestApp, address: &str, button: &str) -> String {
    let chosen = form(app, address, "method", "method=PAYPAL").await;
    assert_eq!(chosen.status, 303, "{}", chosen.text());
    let there = chosen.header("location").unwrap().to_owned();
    let path = there.strip_prefix("https://gateway.example").unwrap();
    let press = Request::post(path)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(format!("answer={button}")))
        .unwrap();
    let pressed = app.send(press).await;
    followed(app, pressed.header("location").unwrap()).await
}

#[tokio::test]
async fn other_methods_start_from_the_page_and_come_back_to_it() {
    let app = TestApp::new().await;
    let here = |address: &str| {
        address
            .strip_prefix("https://gateway.example")
            .unwrap()
            .to_owned()
    };

    let address = page_with_methods(&app, "A1").await;
    assert!(
        text_of(&app, &address)
            .await
            .contains(r#"name="method" value="PAYPAL""#)
    );
    // The payment by card was started first.
    session_of(&app, &address).await;
    assert_eq!(
        by_method(&app, &address, "approve").await,
        "https://shop.example/ok"
    );
    let operations = app.order("A1").await["operations"].clone();
    assert_eq!(operations.as_array().unwrap().len(), 1);
    assert_eq!(operations[0]["paymentCircuit"], "PAYPAL");
    assert_eq!(operations[0]["channelDetail"], "HOSTED_PAGE");

    let address = page_with_methods(&app, "A2").await;
    assert_eq!(by_method(&app, &address, "refuse").await, here(&address));
    assert!(text_of(&app, &address).await.contains("class=\"notice\""));
    let session = session_of(&app, &address).await;
    let paid = pay(&app, &session, APPROVED).await;
    assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");

    let address = page_with_methods(&app, "A3").await;
    assert_eq!(
        by_method(&app, &address, "cancel").await,
        "https://shop.example/ko"
    );
    assert_eq!(open_session(&app, &address).await.status, 409);

    let address = page_with_methods(&app, "A4").await;
    assert_eq!(
        by_method(&app, &address, "pending").await,
        "https://shop.example/ok"
    );
    assert!(text_of(&app, &address).await.contains("Pagamento in corso"));
    assert_eq!(open_session(&app, &address).await.status, 409);
    app.pass(31).await;
    assert!(
        text_of(&app, &address)
            .await
            .contains("Pagamento completato")
    );
}

#[tokio::test]
async fn only_what_is_offered_is_chosen_and_only_on_the_page_itself() {
    let app = TestApp::new().await;
    let address = page_with_methods(&app, "A1").await;
    for method in ["method=SHELLS", "method=", "method=MYBANK%00", ""] {
        let refused = form(&app, &address, "method", method).await;
        assert_eq!(refused.status, 400, "{method}");
    }
    let cards_only = page_for(&app, "A2").await;
    assert_eq!(
        form(&app, &cards_only, "method", "method=PAYPAL")
            .await
            .status,
        400
    );
    let path = address.strip_prefix("https://gateway.example").unwrap();
    for part in ["session", "method", "cancel"] {
        for (header, value) in [
            ("origin", "https://evil.example"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            let foreign = Request::post(format!("{path}/{part}"))
                .header("content-type", "application/x-www-form-urlencoded")
                .header(header, value)
                .body(Body::from("method=PAYPAL"))
                .unwrap();
            assert_eq!(app.send(foreign).await.status, 403, "{part} {value}");
        }
    }
    assert_eq!(app.count("SELECT count(*) FROM build_session").await, 0);
    // Too many requests are refused.
    let mut slowed = false;
    for _ in 0..40 {
        slowed |= open_session(&app, &address).await.status == 429;
    }
    assert!(slowed);
}

#[tokio::test]
async fn a_page_for_one_method_has_no_form() {
    let app = TestApp::new().await;
    let mut request = hpp("A1");
    request["paymentSession"]["paymentService"] = json!("PAYPAL");
    let address = page_of(&app, &request).await;
    let text = text_of(&app, &address).await;
    assert!(
        text.contains(r#"value="PAYPAL""#) && !text.contains(r#"id="form""#),
        "{text}"
    );
    // Opening the page, or leaving the method's page with the back button, starts and ends nothing.
    assert_eq!(app.count("SELECT count(*) FROM operation").await, 0);
    let chosen = form(&app, &address, "method", "method=PAYPAL").await;
    let text = text_of(&app, &address).await;
    assert!(text.contains(r#"value="PAYPAL""#), "{text}");
    let again = form(&app, &address, "method", "method=PAYPAL").await;
    assert_eq!(again.header("location"), chosen.header("location"));
    assert_eq!(open_session(&app, &address).await.status, 409);
    assert_eq!(
        by_method(&app, &address, "approve").await,
        "https://shop.example/ok"
    );
}
