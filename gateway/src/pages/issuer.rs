//! The way to issuers' own pages: the device check that runs their 3DS method, the challenge, the way back, and the address that they send
//! results to.
//!
//! An issuer's page is in a frame of a page of ours, so the form's policy allows no other origin, and the form never sees the issuer's
//! page. Who knows the token of a page gets that page and nothing else. The token of results is told to the directory server alone.

mod steps;
mod texts;

use self::texts::Texts;
use super::browser_headers::{LONGEST_LANGUAGE, browser_of};
use crate::App;
use askama::Template;
use axum::Extension;
use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::JsonRejection;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Json, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use payframe_payment_domain::session::ChallengeMeans;
use payframe_payment_domain::terms::FramingPages;
use payframe_payment_service::{
    BrowserData, BrowserForm, BuyerPages, IssuerDeviceCheck, PaymentError, report,
};
use payframe_web_pages::language::accepted_language;
use payframe_web_pages::notice::Notice;
use payframe_web_pages::policy::{ancestors, form_targets, is_web_address};
use payframe_web_pages::script::PageScript;
use payframe_web_pages::theme::Theme;
use payframe_web_pages::{
    compression, confirmation_address, protect, render, see_other, sent_from_elsewhere,
    static_file, waiting_address,
};
use serde::Deserialize;
use std::net::SocketAddr;
use std::sync::LazyLock;

/// Everything under `/threeds/`, and the files of these pages.
pub(super) fn router() -> Router<App> {
    let style = async || static_file("text/css; charset=utf-8", STYLE);
    let files = Router::new().route("/assets/issuer/challenge.css", get(style));
    let scripts: [&'static PageScript; 4] = [
        &DEVICE_SCRIPT,
        &CHALLENGE_SCRIPT,
        &BACK_SCRIPT,
        &RETURN_SCRIPT,
    ];
    let files = scripts.into_iter().fold(files, |router, script| {
        router.route(script.path(), get(async move || script.answer()))
    });
    Router::new()
        .route(
            "/threeds/device/{token}",
            get(device_check).post(describe_browser),
        )
        .route("/threeds/method/{token}", post(method_done))
        .route("/threeds/challenge/{token}", get(challenge))
        .route("/threeds/notify/{token}", post(challenge_done))
        .route("/threeds/back/{token}", get(back))
        .route("/threeds/return/{token}", get(way_back))
        .route("/threeds/results/{token}", post(results))
        .merge(steps::router())
        .layer(DefaultBodyLimit::max(LONGEST_BODY_BYTES))
        .merge(files.layer(compression()))
}

async fn device_check(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Response {
    let texts = Texts::of([accepted_language(&headers)]);
    match BuyerPages::new(app.payments())
        .issuer_device_check(&token)
        .await
    {
        Err(problem) => failed(texts, &problem),
        Ok(None) => gone(texts),
        Ok(Some(IssuerDeviceCheck {
            framing,
            is_due,
            form,
        })) => {
            let policy = with_issuer(&framing, form.as_ref());
            let page = DevicePage {
                script: &DEVICE_SCRIPT,
                texts,
                theme: Theme::Auto.as_str(),
                check: if is_due { "run" } else { "done" },
                form,
            };
            protected(&page, &policy)
        }
    }
}

/// What the page of the device check says about the browser.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DescribedBrowser {
    language: String,
    has_java: bool,
    color_depth: u8,
    screen_height: u32,
    screen_width: u32,
    time_zone_minutes: i16,
    is_method_done: bool,
    /// Missing from pages that an earlier release has shown.
    #[serde(default)]
    can_confirm: bool,
    /// Whether the check is over.
    is_over: bool,
}

async fn describe_browser(
    State(app): State<App>,
    Path(token): Path<String>,
    peer: Option<Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
    described: Result<Json<DescribedBrowser>, JsonRejection>,
) -> StatusCode {
    if sent_from_elsewhere(&app.config().origin, &headers) {
        return StatusCode::FORBIDDEN;
    }
    let Ok(Json(described)) = described else {
        return StatusCode::BAD_REQUEST;
    };
    let peer = peer.map(|Extension(ConnectInfo(address))| address.ip());
    let browser = BrowserData {
        language: described.language.chars().take(LONGEST_LANGUAGE).collect(),
        has_javascript: true,
        has_java: described.has_java,
        color_depth: described.color_depth,
        screen_height: described.screen_height,
        screen_width: described.screen_width,
        time_zone_minutes: described.time_zone_minutes,
        is_method_done: described.is_method_done,
        can_confirm: described.can_confirm,
        ..browser_of(&app, &headers, peer)
    };
    let pages = BuyerPages::new(app.payments());
    let mut kept = pages.keep_browser(&token, &browser).await;
    if kept.is_ok() && described.is_over {
        kept = pages.device_check_done(&token).await;
    }
    match kept {
        // What is over needs no report.
        Ok(()) | Err(PaymentError::Refused(_)) => StatusCode::NO_CONTENT,
        Err(problem) => {
            report("a device check", &problem);
            StatusCode::SERVICE_UNAVAILABLE
        }
    }
}

/// The issuer's 3DS method is over.
async fn method_done(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Response {
    let texts = Texts::of([accepted_language(&headers)]);
    match BuyerPages::new(app.payments()).method_framing(&token).await {
        Err(problem) => failed(texts, &problem),
        Ok(None) => gone(texts),
        Ok(Some(framing)) => back_page(texts, &framing, "check", false),
    }
}

async fn challenge(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Response {
    let accepted = accepted_language(&headers);
    let view = BuyerPages::new(app.payments())
        .issuer_challenge(&token)
        .await;
    let view = match view {
        Ok(view) => view,
        Err(problem) => return failed(Texts::of([accepted]), &problem),
    };
    // A script of the merchant's page navigated a frame of ours: the challenge is not shown.
    let Some(view) = view.filter(|view| !(view.framed_by_us && led_here_by_others(&headers)))
    else {
        return gone(Texts::of([accepted]));
    };
    match view.means {
        Some(ChallengeMeans::Confirmation) => return see_other(&confirmation_address(&token)),
        Some(ChallengeMeans::Decoupled { .. }) => return see_other(&waiting_address(&token)),
        Some(ChallengeMeans::Page) | None => {}
    }
    let texts = Texts::of([Some(view.language.as_str()), accepted]);
    let Some(form) = view.form else {
        return see_other(&format!("/threeds/return/{token}"));
    };
    let policy = with_issuer(&view.framing, Some(&form));
    let page = ChallengePage {
        script: &CHALLENGE_SCRIPT,
        texts,
        theme: Theme::Auto.as_str(),
        form,
    };
    protected(&page, &policy)
}

/// The issuer's page sends the browser back. What it says about the result does not count.
async fn challenge_done(Path(token): Path<String>) -> Response {
    see_other(&format!("/threeds/back/{token}"))
}

async fn back(State(app): State<App>, Path(token): Path<String>, headers: HeaderMap) -> Response {
    let texts = Texts::of([accepted_language(&headers)]);
    let pages = BuyerPages::new(app.payments());
    let found = async {
        let framing = pages.back_from_challenge(&token).await?;
        Ok(framing.zip(pages.issuer_challenge(&token).await?))
    };
    let (framing, view) = match found.await {
        Ok(Some(found)) => found,
        Ok(None) => return gone(texts),
        Err(problem) => return failed(texts, &problem),
    };
    match view.form {
        // The issuer has not sent the result yet.
        Some(_) => back_page(texts, &framing, "", true),
        None => back_page(texts, &framing, &format!("/threeds/return/{token}"), false),
    }
}

async fn way_back(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Response {
    let texts = Texts::of([accepted_language(&headers)]);
    if let Some(answer) = steps::way_back(&app, &token, texts).await {
        return answer;
    }
    let view = match BuyerPages::new(app.payments())
        .challenge_return(&token)
        .await
    {
        Ok(Some(view)) => view,
        Ok(None) => return gone(texts),
        Err(problem) => return failed(texts, &problem),
    };
    let return_url = Some(view.return_url.as_str()).filter(|url| is_web_address(url));
    // The browser says whether the page has a window of its own: then there is nothing to show here (contract 2.4).
    let is_window = says(&headers, "sec-fetch-dest", &["document"]);
    if let Some(url) = return_url.filter(|_| is_window) {
        return see_other(url);
    }
    let page = ReturnPage {
        script: &RETURN_SCRIPT,
        texts,
        theme: Theme::Auto.as_str(),
        return_url,
    };
    protected(&page, &policy(&view.framing, "'none'", "'none'"))
}

/// A directory server sends the result of a challenge.
async fn results(State(app): State<App>, Path(token): Path<String>, message: Bytes) -> Response {
    let answer = BuyerPages::new(app.payments())
        .issuer_result(&token, &message)
        .await;
    match answer {
        Ok(Some(answer)) => {
            let kind = (header::CONTENT_TYPE, "application/json; charset=utf-8");
            ([kind], answer).into_response()
        }
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(problem) => {
            report("a result of an issuer", &problem);
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}

fn back_page(
    texts: &'static Texts,
    framing: &FramingPages,
    leads: &str,
    is_waiting: bool,
) -> Response {
    let page = BackPage {
        script: &BACK_SCRIPT,
        texts,
        theme: Theme::Auto.as_str(),
        leads,
        is_waiting,
    };
    protected(&page, &policy(framing, "'none'", "'none'"))
}

fn gone(texts: &Texts) -> Response {
    let notice = Notice {
        status: StatusCode::NOT_FOUND,
        tag: &texts.tag,
        title: &texts.page_gone_title,
        text: &texts.page_gone_text,
    };
    notice.page(Theme::Auto, None)
}

/// The page for a failure of the gateway, which the log has: the same can be tried again.
fn failed(texts: &Texts, problem: &PaymentError) -> Response {
    report("a page of an issuer", problem);
    unavailable(texts)
}

/// The same for a failure that has been reported.
fn unavailable(texts: &Texts) -> Response {
    let notice = Notice {
        status: StatusCode::SERVICE_UNAVAILABLE,
        tag: &texts.tag,
        title: &texts.failed_title,
        text: &texts.failed_text,
    };
    notice.page(Theme::Auto, None)
}

fn protected(template: &impl Template, policy: &str) -> Response {
    let mut page = render(StatusCode::OK, template);
    protect(&mut page, policy);
    page
}

/// The policy of a page with an issuer's page in it. Issuers lead on to further addresses of theirs.
fn with_issuer(framing: &FramingPages, form: Option<&BrowserForm>) -> String {
    match form {
        Some(form) => {
            // An issuer of this machine may be plain http. Messages name no other plain address.
            let targets = form_targets(form.address.starts_with("http:"));
            policy(framing, targets, targets)
        }
        None => policy(framing, "'none'", "'none'"),
    }
}

fn policy(framing: &FramingPages, frames: &str, form_targets: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; frame-src {frames}; \
         base-uri 'none'; form-action {form_targets}; require-trusted-types-for 'script'; trusted-types 'none'; \
         frame-ancestors 'self' {}",
        ancestors(framing.origins())
    )
}

/// Whether a browser says that a page of another origin navigated this frame.
fn led_here_by_others(headers: &HeaderMap) -> bool {
    says(headers, "sec-fetch-dest", &["iframe", "frame"])
        && says(headers, "sec-fetch-site", &["cross-site", "same-site"])
}

fn says(headers: &HeaderMap, name: &str, values: &[&str]) -> bool {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.is_some_and(|value| values.contains(&value))
}

#[derive(Template)]
#[template(path = "issuer-device.html")]
struct DevicePage<'a> {
    script: &'static PageScript,
    texts: &'a Texts,
    theme: &'static str,
    check: &'static str,
    form: Option<BrowserForm>,
}

#[derive(Template)]
#[template(path = "issuer-challenge.html")]
struct ChallengePage<'a> {
    script: &'static PageScript,
    texts: &'a Texts,
    theme: &'static str,
    form: BrowserForm,
}

#[derive(Template)]
#[template(path = "issuer-back.html")]
struct BackPage<'a> {
    script: &'static PageScript,
    texts: &'a Texts,
    theme: &'static str,
    leads: &'a str,
    is_waiting: bool,
}

#[derive(Template)]
#[template(path = "issuer-return.html")]
struct ReturnPage<'a> {
    script: &'static PageScript,
    texts: &'a Texts,
    theme: &'static str,
    return_url: Option<&'a str>,
}

const STYLE: &str = include_str!("../../../www/issuer/challenge.css");

static DEVICE_SCRIPT: LazyLock<PageScript> = LazyLock::new(|| {
    PageScript::new(
        "issuer/device",
        include_str!("../../../www/issuer/device.js"),
    )
});

static CHALLENGE_SCRIPT: LazyLock<PageScript> = LazyLock::new(|| {
    PageScript::new(
        "issuer/challenge",
        include_str!("../../../www/issuer/challenge.js"),
    )
});

static BACK_SCRIPT: LazyLock<PageScript> =
    LazyLock::new(|| PageScript::new("issuer/back", include_str!("../../../www/issuer/back.js")));

static RETURN_SCRIPT: LazyLock<PageScript> = LazyLock::new(|| {
    PageScript::new(
        "issuer/return",
        include_str!("../../../www/issuer/return.js"),
    )
});

/// Messages of issuers are far shorter.
const LONGEST_BODY_BYTES: usize = 64 << 10;
