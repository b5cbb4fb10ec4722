//! Tests of what is taken as a report.

use super::*;
use axum::body::Body;
use axum::http::Request;
use tower::ServiceExt as _;

#[tokio::test]
async fn what_is_no_report_is_refused() {
    for (body, expected) in [
        (r#"{"csp-report": {}}"#.to_owned(), StatusCode::NO_CONTENT),
        ("[]".to_owned(), StatusCode::NO_CONTENT),
        ("{}".to_owned(), StatusCode::BAD_REQUEST),
        ("\u{0}".to_owned(), StatusCode::BAD_REQUEST),
        (" ".repeat(MOST_BYTES + 1), StatusCode::PAYLOAD_TOO_LARGE),
    ] {
        let request = Request::post(REPORTS_PATH).body(Body::from(body)).unwrap();
        let answer = router::<()>()
            .with_state(())
            .oneshot(request)
            .await
            .unwrap();
        assert_eq!(answer.status(), expected);
    }
}
