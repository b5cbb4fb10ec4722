//! Requests to the gateway, and what their answers mean.

use super::page::answer_all;
use js_sys::JSON;
use payframe::gateway_client::GatewayClient;
use payframe::session::Session;
use payframe::wire::Json;
use payframe_checkout_flow::flow::Failure;
use wasm_bindgen_test::wasm_bindgen_test;

/// M13: the form waits as long as the gateway says.
#[wasm_bindgen_test]
async fn a_gateway_that_cannot_work_now_says_when_to_ask_again() {
    let boot = JSON::parse(r#"{"session":"s","today":"2026-11-20"}"#).unwrap();
    let client = GatewayClient::new(Session::read(&Json(boot)).unwrap());
    for (status, headers, expected) in [
        (429, r#"{"retry-after":"5"}"#, Failure::Busy(5_000)),
        (503, r#"{"retry-after":"7"}"#, Failure::Busy(7_000)),
        (503, "{}", Failure::Busy(1_000)),
        (500, r#"{"retry-after":"7"}"#, Failure::Service),
    ] {
        answer_all(status, "{}", &JSON::parse(headers).unwrap());
        let exchanged = client.exchange(client.state()).await;
        assert_eq!(exchanged.map(|_| ()), Err(expected), "{status} {headers}");
    }
}
