//! The issuer's challenge: its page, and the buyer's answer.

use super::SandboxPages;
use super::error_page::ErrorPage;
use super::framed_page::{framed_page, themed};
use super::page_theme::PageTheme;
use super::texts::Texts;
use askama::Template;
use axum::Router;
use axum::extract::rejection::{FormRejection, QueryRejection};
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use payframe_money::currency_format::format_amount;
use payframe_payment_domain::session::ChallengeMeans;
use payframe_payment_service::{ChallengeAnswer, ChallengeStep, ChallengeView};
use payframe_web_pages::language::accepted_language;
use payframe_web_pages::policy::{ancestors, form_targets};
use payframe_web_pages::script::PageScript;
use payframe_web_pages::theme::Theme;
use payframe_web_pages::{confirmation_address, see_other, waiting_address};
use serde::Deserialize;

/// The page and what its form sends.
pub(super) fn router() -> Router<SandboxPages> {
    Router::new()
        .route("/threeds/challenge/{token}", get(challenge))
        .route("/threeds/result/{token}", post(answer))
}

/// What the challenge page says of the last try.
#[derive(Default, Deserialize)]
pub(super) struct LastTry {
    /// Set after a wrong code: the number of remaining attempts. It is only for the sentence on the page; the payment counts them.
    pub(super) left: Option<u8>,
    /// Set after an empty code.
    pub(super) missing: Option<u8>,
}

async fn challenge(
    State(pages): State<SandboxPages>,
    Path(token): Path<String>,
    PageTheme(theme): PageTheme,
    headers: HeaderMap,
    last_try: Result<Query<LastTry>, QueryRejection>,
) -> Response {
    let last_try = last_try.map(|Query(last_try)| last_try).unwrap_or_default();
    let accepted = Texts::of([accepted_language(&headers)]);
    match pages.buyer_pages().challenge(&token).await {
        Err(problem) => ErrorPage::failed(&problem).page(accepted, theme, None),
        Ok(None) => ErrorPage::PageGone.page(accepted, theme, None),
        // A script of the merchant's page navigated a frame of ours: the challenge is not shown.
        Ok(Some(view)) if view.framed_by_us && led_here_by_others(&headers) => {
            ErrorPage::PageGone.page(accepted, theme, None)
        }
        Ok(Some(view)) => match view.means {
            None => see_other(&themed("/threeds/return", &token, theme)),
            Some(ChallengeMeans::Confirmation) => see_other(&confirmation_address(&token)),
            Some(ChallengeMeans::Decoupled { .. }) => see_other(&waiting_address(&token)),
            Some(ChallengeMeans::Page) => {
                let view = spoken(view, &headers);
                challenge_page(&view, &token, theme, &last_try, pages.allows_insecure_urls)
            }
        },
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
    theme: Theme,
    last_try: &LastTry,
    plain_http: bool,
) -> Response {
    let action = themed("/threeds/result", token, theme);
    let template = ChallengePage::of(view, action, theme, last_try);
    framed_page(&template, &view.framing, form_targets(plain_http))
}

/// The fields of the challenge's form.
#[derive(Deserialize)]
pub(super) struct AnswerForm {
    #[serde(default)]
    answer: String,
    #[serde(default)]
    code: String,
}

impl AnswerForm {
    /// `None` if the code box was left empty. Approving with a code in the box submits the code.
    pub(super) fn read(self) -> Option<ChallengeAnswer> {
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
    State(pages): State<SandboxPages>,
    Path(token): Path<String>,
    PageTheme(theme): PageTheme,
    headers: HeaderMap,
    form: Result<Form<AnswerForm>, FormRejection>,
) -> Response {
    if pages.is_forged(&headers) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let accepted = Texts::of([accepted_language(&headers)]);
    let Ok(Form(form)) = form else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let view = match pages.buyer_pages().challenge(&token).await {
        Ok(Some(view)) => view,
        Ok(None) => return ErrorPage::PageGone.page(accepted, theme, None),
        Err(problem) => return ErrorPage::failed(&problem).page(accepted, theme, None),
    };
    let view = spoken(view, &headers);
    let texts = Texts::of([Some(view.language.as_str())]);
    let ancestors = format!("'self' {}", ancestors(view.framing.origins()));
    if view.never_ends && view.means.is_some() {
        return ErrorPage::Waiting.page(texts, theme, Some(&ancestors));
    }
    let Some(answer) = form.read() else {
        return see_other(&format!(
            "{}missing=1",
            with_query(themed("/threeds/challenge", &token, theme))
        ));
    };
    match pages.buyer_pages().challenge_answer(&token, answer).await {
        ChallengeStep::AskAgain { left } => see_other(&format!(
            "{}left={left}",
            with_query(themed("/threeds/challenge", &token, theme))
        )),
        ChallengeStep::Return => see_other(&themed("/threeds/return", &token, theme)),
        ChallengeStep::Gone => ErrorPage::PageGone.page(texts, theme, Some(&ancestors)),
        ChallengeStep::Failed => ErrorPage::Failed.page(texts, theme, Some(&ancestors)),
    }
}

fn with_query(address: String) -> String {
    let join = if address.contains('?') { '&' } else { '?' };
    address + &join.to_string()
}

#[derive(Template)]
#[template(path = "challenge.html")]
pub(super) struct ChallengePage<'a> {
    script: &'static PageScript,
    texts: &'a Texts,
    theme: &'static str,
    merchant: &'a str,
    amount: String,
    last4: &'a str,
    action: String,
    problem: Option<String>,
}

impl<'a> ChallengePage<'a> {
    /// The page for a challenge. `action`: where its form goes.
    pub(super) fn of(
        view: &'a ChallengeView,
        action: String,
        theme: Theme,
        last_try: &LastTry,
    ) -> ChallengePage<'a> {
        let texts = Texts::of([Some(view.language.as_str())]);
        ChallengePage {
            script: &super::CHALLENGE_SCRIPT,
            texts,
            theme: theme.as_str(),
            merchant: &view.merchant,
            amount: format_amount(view.amount, &view.currency, &texts.code),
            last4: &view.last4,
            action,
            problem: match (last_try.left, last_try.missing) {
                (Some(1), _) => Some(texts.code_wrong_one.clone()),
                (Some(left), _) => Some(texts.code_wrong_many.replace("{left}", &left.to_string())),
                (None, Some(_)) => Some(texts.code_missing.clone()),
                (None, None) => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;
    use payframe_money::Amount;
    use payframe_payment_domain::terms::FramingPages;

    fn view() -> ChallengeView {
        ChallengeView {
            framing: FramingPages::only("https://shop.example"),
            merchant: "Demo <b>shop</b>".to_owned(),
            amount: Amount::from_minor(3_545).unwrap(),
            currency: "EUR".to_owned(),
            language: "eng".to_owned(),
            last4: "3007".to_owned(),
            never_ends: false,
            means: Some(ChallengeMeans::Page),
            framed_by_us: true,
        }
    }

    async fn text(page: Response) -> String {
        String::from_utf8(to_bytes(page.into_body(), 1 << 20).await.unwrap().to_vec()).unwrap()
    }

    #[tokio::test]
    async fn the_challenge_says_who_asks_for_what() {
        let page = challenge_page(&view(), "t0ken", Theme::Auto, &LastTry::default(), false);
        let policy = page.headers()["content-security-policy"]
            .to_str()
            .unwrap()
            .to_owned();
        assert!(
            policy.ends_with(
                "form-action 'self' https:; require-trusted-types-for 'script'; \
                 trusted-types 'none'; frame-ancestors 'self' https://shop.example; \
                 report-uri /reports; report-to reports"
            ),
            "{policy}"
        );
        assert!(!policy.contains("unsafe"), "{policy}");
        let text = text(page).await;
        for part in [
            "Demo &#60;b&#62;shop&#60;/b&#62;",
            "€35.45",
            r#"<bdi dir="ltr">•••• 3007</bdi>"#,
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
    async fn the_challenge_is_written_as_its_language_is() {
        for (language, parts) in [
            (
                "ara",
                [
                    r#"<html lang="ar" dir="rtl""#,
                    "الرمز هو <strong>123456</strong>.",
                    "35.45",
                ],
            ),
            (
                "jpn",
                [
                    r#"<html lang="ja" dir="ltr""#,
                    "コードは <strong>123456</strong> です。",
                    "€35.45",
                ],
            ),
            (
                "deu",
                [
                    r#"<html lang="de" dir="ltr""#,
                    "Der Code ist <strong>123456</strong>.",
                    "35,45\u{a0}€",
                ],
            ),
        ] {
            let view = ChallengeView {
                language: language.to_owned(),
                ..view()
            };
            let page = challenge_page(&view, "t0ken", Theme::Auto, &LastTry::default(), false);
            let text = text(page).await;
            for part in parts {
                assert!(text.contains(part), "{part} is missing in {text}");
            }
        }
    }

    #[tokio::test]
    async fn a_wrong_code_is_said_beside_its_box() {
        for (left, expected) in [(2, "You have 2 tries left."), (1, "You have one try left.")] {
            let last_try = LastTry {
                left: Some(left),
                missing: None,
            };
            let page = challenge_page(&view(), "t0ken", Theme::Dark, &last_try, false);
            let text = text(page).await;
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
        let last_try = LastTry {
            left: None,
            missing: Some(1),
        };
        let page = challenge_page(&italian, "t0ken", Theme::Auto, &last_try, false);
        let text = text(page).await;
        assert!(text.contains("Inserisci le 6 cifre del codice."), "{text}");
        assert!(text.contains("35,45\u{a0}€"), "{text}");
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
}
