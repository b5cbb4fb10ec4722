//! The hidden device check of 3-D Secure, and the start of a 3-step payment in the buyer's browser.

use super::SandboxPages;
use super::error_page::ErrorPage;
use super::framed_page::{framed_page, themed};
use super::texts::Texts;
use askama::Template;
use axum::Router;
use axum::extract::rejection::{FormRejection, JsonRejection};
use axum::extract::{Form, Json, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use payframe_payment_service::{
    BrowserData, DeviceCheckView, PaymentError, StepRequest, StepStart, report,
};
use payframe_web_pages::language::accepted_language;
use payframe_web_pages::script::PageScript;
use payframe_web_pages::see_other;
use payframe_web_pages::theme::Theme;
use serde::Deserialize;

/// The check, and the start of a 3-step payment.
pub(super) fn router() -> Router<SandboxPages> {
    Router::new()
        .route(
            "/threeds/device/{token}",
            get(device_check).post(device_check_done),
        )
        .route("/threeds/start", post(start))
}

async fn start(
    State(pages): State<SandboxPages>,
    headers: HeaderMap,
    form: Result<Form<StepRequest>, FormRejection>,
) -> Response {
    let texts = Texts::of([accepted_language(&headers)]);
    let notice = |notice: ErrorPage| notice.page(texts, Theme::Auto, None);
    let Ok(Form(sent)) = form else {
        return notice(ErrorPage::StartBad);
    };
    match pages
        .buyer_pages()
        .start_step(&sent, pages.allows_insecure_urls)
        .await
    {
        StepStart::Started(token) => see_other(&themed("/threeds/challenge", &token, Theme::Auto)),
        StepStart::Wrong => notice(ErrorPage::StartBad),
        StepStart::Gone => notice(ErrorPage::PageGone),
        StepStart::Failed => notice(ErrorPage::Failed),
    }
}

async fn device_check(
    State(pages): State<SandboxPages>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Response {
    let texts = Texts::of([accepted_language(&headers)]);
    match pages.buyer_pages().device_check(&token).await {
        Ok(Some(view)) => device_page(&view, texts),
        Ok(None) => ErrorPage::PageGone.page(texts, Theme::Auto, None),
        Err(problem) => ErrorPage::failed(&problem).page(texts, Theme::Auto, None),
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
        script: &super::DEVICE_SCRIPT,
        texts,
        theme: Theme::Auto.as_str(),
        check,
        delay_ms: view.delay_ms.unwrap_or(0),
    };
    framed_page(&template, &view.framing, "'none'")
}

async fn device_check_done(
    State(pages): State<SandboxPages>,
    Path(token): Path<String>,
    headers: HeaderMap,
    described: Result<Json<DescribedBrowser>, JsonRejection>,
) -> StatusCode {
    if pages.is_forged(&headers) {
        return StatusCode::FORBIDDEN;
    }
    if described.is_ok_and(|Json(browser)| browser.can_confirm)
        && let Err(problem) = pages.buyer_pages().keep_browser(&token, &ABLE).await
    {
        report("a device check", &problem);
        return StatusCode::SERVICE_UNAVAILABLE;
    }
    match pages.buyer_pages().device_check_done(&token).await {
        // What is over needs no report.
        Ok(()) | Err(PaymentError::Refused(_)) => StatusCode::NO_CONTENT,
        Err(problem) => {
            report("a device check", &problem);
            StatusCode::SERVICE_UNAVAILABLE
        }
    }
}

/// What the page says about the browser.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DescribedBrowser {
    can_confirm: bool,
}

/// A browser that can ask the buyer's device for a confirmation. The sandbox's issuers want to know nothing else.
const ABLE: BrowserData = BrowserData {
    accept: String::new(),
    accept_language: String::new(),
    user_agent: String::new(),
    ip: None,
    language: String::new(),
    has_javascript: true,
    has_java: false,
    color_depth: 0,
    screen_height: 0,
    screen_width: 0,
    time_zone_minutes: 0,
    is_method_done: false,
    can_confirm: true,
};

#[derive(Template)]
#[template(path = "device.html")]
struct DevicePage<'a> {
    script: &'static PageScript,
    texts: &'a Texts,
    theme: &'static str,
    check: &'static str,
    delay_ms: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;
    use payframe_payment_domain::terms::FramingPages;

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
                framing: FramingPages::only("https://shop.example"),
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
}
