//! The sandbox's side of 3-D Secure: the hidden device check, the bank's challenge, and the way back.
//!
//! The address of each page contains a token that gives access to nothing else. The pages are in frames of the
//! form, so both the gateway's and the merchant's page may be above them. They work without script, except
//! the device check, which consists of a script.

use super::error_page::ErrorPage;
use super::headers::{accepted_language, ancestor};
use super::template::Theme;
use super::texts::Texts;
use crate::App;
use crate::routes::public_url;
use askama::Template;
use axum::Router;
use axum::extract::rejection::{FormRejection, QueryRejection};
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use payframe_payment_service::{
    ChallengeAnswer, ChallengeStep, ChallengeView, DeviceCheckView, ReturnView, StepReturnView,
    StepStart,
};
use payframe_web_pages::{protect, render, see_other};
use serde::Deserialize;

/// Everything under `/threeds/`.
pub(super) fn router() -> Router<App> {
    Router::new()
        .route(
            "/threeds/device/{token}",
            get(device_check).post(device_check_done),
        )
        .route("/threeds/challenge/{token}", get(challenge))
        .route("/threeds/result/{token}", post(answer))
        .route("/threeds/return/{token}", get(back))
        .route("/threeds/start", post(start))
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
    let mut page = render(StatusCode::OK, &template);
    protect(&mut page, &policy(&view.merchant_origin, "'none'"));
    page
}

async fn device_check_done(State(app): State<App>, Path(token): Path<String>) -> StatusCode {
    app.buyer_pages().device_check_done(&token).await;
    StatusCode::NO_CONTENT
}

/// The parameters of the challenge page's address about how to show it.
#[derive(Default, Deserialize)]
struct ChallengeQuery {
    theme: Option<String>,
    /// Set after a wrong code: how many tries are left. Only for the sentence on the page; the payment keeps the count.
    left: Option<u8>,
    /// Set after an empty code.
    missing: Option<u8>,
}

impl ChallengeQuery {
    fn of(query: Result<Query<ChallengeQuery>, QueryRejection>) -> ChallengeQuery {
        query.map(|Query(query)| query).unwrap_or_default()
    }

    fn theme(&self) -> Theme {
        Theme::parse(self.theme.as_deref())
    }
}

async fn challenge(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
    query: Result<Query<ChallengeQuery>, QueryRejection>,
) -> Response {
    let query = ChallengeQuery::of(query);
    match app.buyer_pages().challenge(&token).await {
        None => ErrorPage::PageGone.page(
            Texts::of([accepted_language(&headers)]),
            query.theme(),
            None,
        ),
        // A script of the merchant's page navigated a frame of ours: the challenge is not shown.
        Some(view) if view.framed_by_us && led_here_by_others(&headers) => ErrorPage::PageGone
            .page(
                Texts::of([accepted_language(&headers)]),
                query.theme(),
                None,
            ),
        Some(view) if view.finished => see_other(&return_address(&token, query.theme())),
        Some(view) => {
            let view = spoken(view, &headers);
            challenge_page(
                &view,
                &token,
                &query,
                app.config().mode.allows_insecure_urls(),
            )
        }
    }
}

/// Whether a browser says that a page of another origin navigated this frame.
fn led_here_by_others(headers: &HeaderMap) -> bool {
    let says = |name: &str, values: &[&str]| {
        let value = headers.get(name).and_then(|value| value.to_str().ok());
        value.is_some_and(|value| values.contains(&value))
    };
    says("sec-fetch-dest", &["iframe", "frame"])
        && says("sec-fetch-site", &["cross-site", "same-site"])
}

/// A challenge in the browser's language, if its payment names none.
fn spoken(mut view: ChallengeView, headers: &HeaderMap) -> ChallengeView {
    if view.language.is_empty() {
        view.language = accepted_language(headers).unwrap_or_default().to_owned();
    }
    view
}

fn challenge_page(
    view: &ChallengeView,
    token: &str,
    query: &ChallengeQuery,
    plain_http: bool,
) -> Response {
    let texts = Texts::of([Some(view.language.as_str())]);
    let template = ChallengePage {
        texts,
        theme: query.theme().as_str(),
        merchant: &view.merchant,
        amount: amount(
            &view.amount_minor,
            view.minor_digits,
            &view.currency,
            &texts.tag,
        ),
        last4: &view.last4,
        action: address("result", token, query.theme()),
        problem: match (query.left, query.missing) {
            (Some(1), _) => Some(texts.code_wrong_one.clone()),
            (Some(left), _) => Some(texts.code_wrong_many.replace("{left}", &left.to_string())),
            (None, Some(_)) => Some(texts.code_missing.clone()),
            (None, None) => None,
        },
    };
    let mut page = render(StatusCode::OK, &template);
    protect(
        &mut page,
        &policy(&view.merchant_origin, form_targets(plain_http)),
    );
    page
}

/// The addresses to which a page's form may lead.
pub(super) fn form_targets(plain_http: bool) -> &'static str {
    // Browsers check all redirects after a form against the policy, and the last one may be the shop's own address.
    if plain_http {
        "'self' https: http:"
    } else {
        "'self' https:"
    }
}

/// The fields of the challenge's form.
#[derive(Deserialize)]
struct AnswerForm {
    #[serde(default)]
    answer: String,
    #[serde(default)]
    code: String,
}

impl AnswerForm {
    /// `None` if the code box was left empty. Approving with a code in the box submits the code.
    fn read(self) -> Option<ChallengeAnswer> {
        let code: String = self
            .code
            .chars()
            .filter(|letter| !letter.is_whitespace())
            .collect();
        match (self.answer.as_str(), code.is_empty()) {
            ("cancel", _) => Some(ChallengeAnswer::Cancel),
            ("reject", _) => Some(ChallengeAnswer::Reject),
            ("approve", true) => Some(ChallengeAnswer::Approve),
            (_, false) => Some(ChallengeAnswer::Code(code)),
            (_, true) => None,
        }
    }
}

async fn answer(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
    query: Result<Query<ChallengeQuery>, QueryRejection>,
    form: Result<Form<AnswerForm>, FormRejection>,
) -> Response {
    let theme = ChallengeQuery::of(query).theme();
    let accepted = Texts::of([accepted_language(&headers)]);
    let Ok(Form(form)) = form else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let Some(view) = app.buyer_pages().challenge(&token).await else {
        return ErrorPage::PageGone.page(accepted, theme, None);
    };
    let view = spoken(view, &headers);
    let texts = Texts::of([Some(view.language.as_str())]);
    let ancestors = format!("'self' {}", ancestor(&view.merchant_origin));
    if view.never_ends && !view.finished {
        return ErrorPage::Waiting.page(texts, theme, Some(&ancestors));
    }
    let Some(answer) = form.read() else {
        return see_other(&format!(
            "{}missing=1",
            with_query(address("challenge", &token, theme))
        ));
    };
    match app.buyer_pages().challenge_answer(&token, answer).await {
        ChallengeStep::AskAgain { left } => see_other(&format!(
            "{}left={left}",
            with_query(address("challenge", &token, theme))
        )),
        ChallengeStep::Return => see_other(&return_address(&token, theme)),
        ChallengeStep::Gone => ErrorPage::PageGone.page(texts, theme, Some(&ancestors)),
        ChallengeStep::Failed => ErrorPage::Failed.page(texts, theme, Some(&ancestors)),
    }
}

async fn back(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
    query: Result<Query<ChallengeQuery>, QueryRejection>,
) -> Response {
    let theme = ChallengeQuery::of(query).theme();
    let texts = Texts::of([accepted_language(&headers)]);
    if let Some(view) = app.buyer_pages().step_return(&token).await {
        return step_return_page(
            &view,
            texts,
            theme,
            app.config().mode.allows_insecure_urls(),
        );
    }
    match app.buyer_pages().challenge_return(&token).await {
        None => ErrorPage::PageGone.page(texts, theme, None),
        Some(view) => return_page(&view, texts, theme, &headers),
    }
}

/// The way back to the shop.
pub(super) fn return_page(
    view: &ReturnView,
    texts: &'static Texts,
    theme: Theme,
    headers: &HeaderMap,
) -> Response {
    let return_url = Some(view.return_url.as_str()).filter(|url| is_web_address(url));
    // The browser says whether the page has a window of its own: then there is nothing to show here (contract 2.4).
    let in_own_window = headers
        .get("sec-fetch-dest")
        .is_some_and(|destination| destination == "document");
    if let Some(url) = return_url.filter(|_| in_own_window) {
        return see_other(url);
    }
    let mut page = render(
        StatusCode::OK,
        &ReturnPage {
            texts,
            theme: theme.as_str(),
            return_url,
        },
    );
    protect(&mut page, &policy(&view.merchant_origin, "'none'"));
    page
}

/// The way back to the server that leads a 3-step payment: the browser posts a form to it.
fn step_return_page(
    view: &StepReturnView,
    texts: &'static Texts,
    theme: Theme,
    plain_http: bool,
) -> Response {
    let template = StepReturnPage {
        texts,
        theme: theme.as_str(),
        return_url: &view.return_url,
        response: &view.response,
        operation_id: &view.operation_id,
    };
    let mut page = render(StatusCode::OK, &template);
    protect(
        &mut page,
        &policy(&view.merchant_origin, form_targets(plain_http)),
    );
    page
}

/// The policy of the sandbox's pages. Every frame above counts as an ancestor: the form's and the merchant's page.
pub(super) fn policy(merchant_origin: &str, form_targets: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; \
         form-action {form_targets}; frame-ancestors 'self' {}",
        ancestor(merchant_origin)
    )
}

fn return_address(token: &str, theme: Theme) -> String {
    address("return", token, theme)
}

fn address(page: &str, token: &str, theme: Theme) -> String {
    themed(&format!("/threeds/{page}"), token, theme)
}

/// The address of a page with this token, with the same theme.
pub(super) fn themed(folder: &str, token: &str, theme: Theme) -> String {
    let token: String = url::form_urlencoded::byte_serialize(token.as_bytes()).collect();
    match theme {
        Theme::Auto => format!("{folder}/{token}"),
        Theme::Light | Theme::Dark => format!("{folder}/{token}?theme={}", theme.as_str()),
    }
}

fn with_query(address: String) -> String {
    let join = if address.contains('?') { '&' } else { '?' };
    address + &join.to_string()
}

/// Whether `url` may become a link. A script or data address must not.
fn is_web_address(url: &str) -> bool {
    url::Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// The amount as banks write it, with the currency code first.
pub(super) fn amount(minor: &str, minor_digits: u8, currency: &str, tag: &str) -> String {
    let decimal = if tag == "it" { ',' } else { '.' };
    let digits = usize::from(minor_digits);
    let minor = format!("{minor:0>width$}", width = digits + 1);
    let (whole, fraction) = minor.split_at(minor.len() - digits);
    if digits == 0 {
        return format!("{currency} {whole}");
    }
    format!("{currency} {whole}{decimal}{fraction}")
}

#[derive(Template)]
#[template(path = "device.html")]
struct DevicePage<'a> {
    texts: &'a Texts,
    theme: &'static str,
    check: &'static str,
    delay_ms: u64,
}

#[derive(Template)]
#[template(path = "challenge.html")]
struct ChallengePage<'a> {
    texts: &'a Texts,
    theme: &'static str,
    merchant: &'a str,
    amount: String,
    last4: &'a str,
    action: String,
    problem: Option<String>,
}

#[derive(Template)]
#[template(path = "return.html")]
struct ReturnPage<'a> {
    texts: &'a Texts,
    theme: &'static str,
    return_url: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "step-return.html")]
struct StepReturnPage<'a> {
    texts: &'a Texts,
    theme: &'static str,
    return_url: &'a str,
    response: &'a str,
    operation_id: &'a str,
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::{Body, to_bytes};
    use axum::http::HeaderValue;
    use axum::http::Request;
    use tower::ServiceExt;

    fn view() -> ChallengeView {
        ChallengeView {
            merchant_origin: "https://shop.example".to_owned(),
            merchant: "Demo <b>shop</b>".to_owned(),
            amount_minor: "3545".to_owned(),
            currency: "EUR".to_owned(),
            minor_digits: 2,
            language: "eng".to_owned(),
            last4: "3007".to_owned(),
            never_ends: false,
            finished: false,
            framed_by_us: true,
        }
    }

    async fn text(page: Response) -> String {
        String::from_utf8(to_bytes(page.into_body(), 1 << 20).await.unwrap().to_vec()).unwrap()
    }

    #[tokio::test]
    async fn the_challenge_says_who_asks_for_what() {
        let page = challenge_page(&view(), "t0ken", &ChallengeQuery::default(), false);
        let policy = page.headers()["content-security-policy"]
            .to_str()
            .unwrap()
            .to_owned();
        assert!(
            policy.ends_with(
                "form-action 'self' https:; frame-ancestors 'self' https://shop.example"
            ),
            "{policy}"
        );
        assert!(!policy.contains("unsafe"), "{policy}");
        let text = text(page).await;
        for part in [
            "Demo &#60;b&#62;shop&#60;/b&#62;",
            "EUR 35.45",
            "•••• 3007",
            "123456",
            r#"<form method="post" action="/threeds/result/t0ken""#,
            r#"<label for="code">Confirmation code</label>"#,
            r#"data-testid="acs-otp""#,
            r#"data-testid="acs-approve""#,
            r#"data-testid="acs-reject""#,
            r#"data-testid="acs-cancel""#,
        ] {
            assert!(text.contains(part), "{part} is missing in {text}");
        }
        assert!(!text.contains(r#"role="alert""#), "{text}");
        assert!(
            !text.contains("<script>") && !text.contains("<style"),
            "{text}"
        );
    }

    #[tokio::test]
    async fn a_wrong_code_is_said_beside_its_box() {
        for (left, expected) in [(2, "You have 2 tries left."), (1, "You have one try left.")] {
            let query = ChallengeQuery {
                left: Some(left),
                theme: Some("dark".to_owned()),
                missing: None,
            };
            let text = text(challenge_page(&view(), "t0ken", &query, false)).await;
            assert!(text.contains(expected), "{text}");
            assert!(
                text.contains(r#"aria-describedby="problem hint" aria-invalid="true""#),
                "{text}"
            );
            assert!(
                text.contains(r#"action="/threeds/result/t0ken?theme=dark""#),
                "{text}"
            );
        }
        let italian = ChallengeView {
            language: "ita".to_owned(),
            ..view()
        };
        let query = ChallengeQuery {
            missing: Some(1),
            ..ChallengeQuery::default()
        };
        let text = text(challenge_page(&italian, "t0ken", &query, false)).await;
        assert!(text.contains("Inserisci le 6 cifre del codice."), "{text}");
        assert!(text.contains("EUR 35,45"), "{text}");
    }

    #[test]
    fn buttons_and_box_make_one_answer() {
        for (answer, code, expected) in [
            (
                "code",
                "123456",
                Some(ChallengeAnswer::Code("123456".to_owned())),
            ),
            (
                "code",
                " 123 456 ",
                Some(ChallengeAnswer::Code("123456".to_owned())),
            ),
            ("code", "", None),
            ("code", "   ", None),
            (
                "",
                "123456",
                Some(ChallengeAnswer::Code("123456".to_owned())),
            ),
            ("", "", None),
            ("approve", "", Some(ChallengeAnswer::Approve)),
            (
                "approve",
                "000000",
                Some(ChallengeAnswer::Code("000000".to_owned())),
            ),
            ("reject", "123456", Some(ChallengeAnswer::Reject)),
            ("cancel", "123456", Some(ChallengeAnswer::Cancel)),
        ] {
            let form = AnswerForm {
                answer: answer.to_owned(),
                code: code.to_owned(),
            };
            assert!(form.read() == expected, "{answer} {code}");
        }
    }

    #[test]
    fn amounts_have_the_digits_of_their_currency() {
        for (minor, digits, currency, tag, expected) in [
            ("3545", 2, "EUR", "en", "EUR 35.45"),
            ("3545", 2, "EUR", "it", "EUR 35,45"),
            ("5", 2, "EUR", "en", "EUR 0.05"),
            ("0", 2, "EUR", "en", "EUR 0.00"),
            ("50", 0, "JPY", "en", "JPY 50"),
            ("1234", 3, "KWD", "en", "KWD 1.234"),
        ] {
            assert_eq!(amount(minor, digits, currency, tag), expected);
        }
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
    async fn the_way_back_is_a_redirect_in_a_window_and_a_hint_in_a_frame() {
        let view = ReturnView {
            merchant_origin: "https://shop.example".to_owned(),
            return_url: "https://shop.example/ok?a=1&b=%20".to_owned(),
        };
        let texts = Texts::of([None]);
        let mut headers = HeaderMap::new();
        headers.insert("sec-fetch-dest", HeaderValue::from_static("document"));
        let window = return_page(&view, texts, Theme::Auto, &headers);
        assert_eq!(window.status(), StatusCode::SEE_OTHER);
        assert_eq!(
            window.headers()["location"],
            "https://shop.example/ok?a=1&b=%20"
        );
        headers.insert("sec-fetch-dest", HeaderValue::from_static("iframe"));
        let frame = return_page(&view, texts, Theme::Auto, &headers);
        assert_eq!(frame.status(), StatusCode::OK);
        assert!(text(frame).await.contains("/assets/threeds/return.js"));
        let hostile = ReturnView {
            return_url: "javascript:alert(1)".to_owned(),
            ..view
        };
        let page = return_page(&hostile, texts, Theme::Auto, &HeaderMap::new());
        assert!(!text(page).await.contains("javascript:"));
    }

    #[tokio::test]
    async fn pages_of_unknown_tokens_are_readable() {
        let made = crate::assets::tests::MadeUpDist::new();
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
