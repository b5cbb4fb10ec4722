//! The examples of the merchants' guides, carried out.

use crate::harness::TestApp;
use axum::body::Body;
use axum::http::Request;

/// Calls that a guide shows: each `curl` of its shell blocks.
fn calls(guide: &str) -> Vec<String> {
    let blocks = guide.split("```sh\n").skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap().replace("\\\n", " "))
        .filter(|block| block.starts_with("curl "))
        .collect()
}

/// The part of a call between two texts, if it has one.
fn between<'a>(call: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = call.split_once(start)?;
    rest.split_once(end).map(|(found, _)| found)
}

#[tokio::test]
async fn every_call_of_the_guide_to_hosted_pages_is_answered() {
    let guide = include_str!("../../../docs/hosted-page.md");
    let app = TestApp::new().await;
    let mut link_id = String::new();
    let calls = calls(guide);
    assert_eq!(calls.len(), 6);
    for call in calls {
        // The harness's clock stands on 2026-11-20.
        let call = call
            .replace("LINK_ID", &link_id)
            .replace("TOMORROW", "2026-11-21");
        let (_, address) = call.split_once("https://gateway.example").unwrap();
        let path = address.split([' ', '\'']).next().unwrap();
        let body = between(&call, "-d '", "'").unwrap_or_default();
        let is_post = !body.is_empty() || call.contains("-X POST");
        let mut request = Request::builder()
            .method(if is_post { "POST" } else { "GET" })
            .uri(path)
            .header("correlation-id", uuid::Uuid::new_v4().to_string());
        for header in call.split("-H '").skip(1) {
            let (name, value) = header.split('\'').next().unwrap().split_once(": ").unwrap();
            request = request.header(name, value);
        }
        let answer = app
            .send(request.body(Body::from(body.to_owned())).unwrap())
            .await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        if let Some(found) = answer.body["paymentLink"]["linkId"].as_str() {
            link_id = found.to_owned();
        }
        if path.contains('?') {
            assert_eq!(answer.body["paymentLinks"].as_array().unwrap().len(), 1);
        }
    }
}
