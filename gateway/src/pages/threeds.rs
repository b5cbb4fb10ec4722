//! The sandbox's side of 3-D Secure: the hidden device check, the bank's challenge, and the way back.
//!
//! The address of each page contains a token that gives access to nothing else. The pages are in frames of the
//! form, so both the gateway's and the merchant's page may be above them. They work without script, except
//! the device check, which consists of a script.

mod challenge;
mod way_back;

use super::error_page::ErrorPage;
use super::headers::accepted_language;
use super::simulator_pages::{framed_page, themed};
use super::template::Theme;
use super::texts::Texts;
use crate::App;
use crate::routes::public_url;
use askama::Template;
use axum::Router;
use axum::extract::rejection::FormRejection;
use axum::extract::{Form, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use payframe_payment_service::{DeviceCheckView, StepStart};
use payframe_web_pages::see_other;
use serde::Deserialize;

/// Everything under `/threeds/`.
pub(super) fn router() -> Router<App> {
    Router::new()
        .route(
            "/threeds/device/{token}",
            get(device_check).post(device_check_done),
        )
        .route("/threeds/start", post(start))
        .merge(challenge::router())
        .merge(way_back::router())
}

/// What the browser sends in a 3-step payment (contract 8.1.5).
#[derive(Deserialize)]
struct StartForm {
    #[serde(rename = "ThreeDsRequest")]
    request: String,
    #[serde(rename = "ReturnUrl")]
    return_url: String,
    #[serde(rename = "transactionId")]
    operation_id: String,
}

async fn start(
    State(app): State<App>,
    headers: HeaderMap,
    form: Result<Form<StartForm>, FormRejection>,
) -> Response {
    let texts = Texts::of([accepted_language(&headers)]);
    let notice = |notice: ErrorPage| notice.page(texts, Theme::Auto, None);
    let insecure = app.config().mode.allows_insecure_urls();
    let Ok(Form(form)) = form else {
        return notice(ErrorPage::StartBad);
    };
    if !public_url(&form.return_url, insecure) {
        return notice(ErrorPage::StartBad);
    }
    match app
        .buyer_pages()
        .start_step(&form.operation_id, &form.request, &form.return_url)
        .await
    {
        StepStart::Challenge(token) => see_other(&address("challenge", &token, Theme::Auto)),
        StepStart::Gone => notice(ErrorPage::PageGone),
        StepStart::Failed => notice(ErrorPage::Failed),
    }
}

async fn device_check(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Response {
    let texts = Texts::of([accepted_language(&headers)]);
    match app.buyer_pages().device_check(&token).await {
        Some(view) => device_page(&view, texts),
        None => ErrorPage::PageGone.page(texts, Theme::Auto, None),
    }
}

fn device_page(view: &DeviceCheckView, texts: &'static Texts) -> Response {
    let check = match view {
        DeviceCheckView {
            already_done: true, ..
        } => "done",
        DeviceCheckView { never: true, .. } => "never",
        _ => "run",
    };
    let template = DevicePage {
        texts,
        theme: Theme::Auto.as_str(),
        check,
        delay_ms: view.delay_ms.unwrap_or(0),
    };
    framed_page(&template, &view.merchant_origin, "'none'")
}

async fn device_check_done(State(app): State<App>, Path(token): Path<String>) -> StatusCode {
    app.buyer_pages().device_check_done(&token).await;
    StatusCode::NO_CONTENT
}

fn return_address(token: &str, theme: Theme) -> String {
    address("return", token, theme)
}

fn address(page: &str, token: &str, theme: Theme) -> String {
    themed(&format!("/threeds/{page}"), token, theme)
}

#[derive(Template)]
#[template(path = "device.html")]
struct DevicePage<'a> {
    texts: &'a Texts,
    theme: &'static str,
    check: &'static str,
    delay_ms: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::tests::MadeUpDist;
    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use tower::ServiceExt;

    async fn text(page: Response) -> String {
        String::from_utf8(to_bytes(page.into_body(), 1 << 20).await.unwrap().to_vec()).unwrap()
    }

    #[tokio::test]
    async fn the_device_check_runs_as_the_test_card_asks() {
        for (delay_ms, never, already_done, expected) in [
            (None, false, false, r#"data-check="run" data-delay-ms="0""#),
            (
                Some(5000),
                false,
                false,
                r#"data-check="run" data-delay-ms="5000""#,
            ),
            (None, true, false, r#"data-check="never""#),
            (None, true, true, r#"data-check="done""#),
        ] {
            let view = DeviceCheckView {
                merchant_origin: "https://shop.example".to_owned(),
                delay_ms,
                never,
                already_done,
            };
            let page = device_page(&view, Texts::of([None]));
            let policy = page.headers()["content-security-policy"]
                .to_str()
                .unwrap()
                .to_owned();
            assert!(
                policy.contains("connect-src 'self'") && policy.contains("form-action 'none'"),
                "{policy}"
            );
            let text = text(page).await;
            assert!(text.contains(expected), "{text}");
        }
    }

    #[tokio::test]
    async fn pages_of_unknown_tokens_are_readable() {
        let made = MadeUpDist::new();
        let app = made.app().await;
        let form = "application/x-www-form-urlencoded";
        for (request, expected) in [
            (
                Request::get("/threeds/device/none").body(Body::empty()),
                StatusCode::NOT_FOUND,
            ),
            (
                Request::get("/threeds/challenge/none?left=9999").body(Body::empty()),
                StatusCode::NOT_FOUND,
            ),
            (
                Request::get("/threeds/return/none").body(Body::empty()),
                StatusCode::NOT_FOUND,
            ),
            (
                Request::post("/threeds/result/none")
                    .header("content-type", form)
                    .body(Body::from("code=1")),
                StatusCode::NOT_FOUND,
            ),
            (
                Request::post("/threeds/result/none")
                    .header("content-type", "text/plain")
                    .body(Body::from("code=1")),
                StatusCode::BAD_REQUEST,
            ),
            (
                Request::get("/threeds/result/none").body(Body::empty()),
                StatusCode::METHOD_NOT_ALLOWED,
            ),
            (
                Request::post("/threeds/device/none").body(Body::empty()),
                StatusCode::NO_CONTENT,
            ),
        ] {
            let request = request.unwrap();
            let path = request.uri().to_string();
            let answer = router()
                .with_state(app.clone())
                .oneshot(request)
                .await
                .unwrap();
            assert_eq!(answer.status(), expected, "{path}");
            if expected == StatusCode::NOT_FOUND {
                assert!(text(answer).await.contains("This page is over"), "{path}");
            }
        }
    }
}
