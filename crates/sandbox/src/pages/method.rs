//! The page of an alternative method: what the buyer sees there, and the way back. It is in its own window or in a frame.

use super::SandboxPages;
use super::error_page::ErrorPage;
use super::framed_page::{framed_page, return_page, themed};
use super::page_theme::PageTheme;
use super::texts::Texts;
use askama::Template;
use axum::Router;
use axum::extract::rejection::FormRejection;
use axum::extract::{Form, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use payframe_money::currency_format::format_amount;
use payframe_payment_service::{MethodAnswer, MethodStep, MethodView};
use payframe_web_pages::language::accepted_language;
use payframe_web_pages::policy::{ancestors, form_targets};
use payframe_web_pages::script::PageScript;
use payframe_web_pages::see_other;
use payframe_web_pages::theme::Theme;
use serde::Deserialize;

/// Everything under `/methods/`.
pub(super) fn router() -> Router<SandboxPages> {
    Router::new()
        .route("/methods/pay/{token}", get(show).post(answer))
        .route("/methods/return/{token}", get(back))
}

async fn show(
    State(pages): State<SandboxPages>,
    Path(token): Path<String>,
    PageTheme(theme): PageTheme,
    headers: HeaderMap,
) -> Response {
    let accepted = Texts::of([accepted_language(&headers)]);
    match pages.buyer_pages().method_page(&token).await {
        Err(problem) => ErrorPage::failed(&problem).page(accepted, theme, None),
        Ok(None) => ErrorPage::PageGone.page(accepted, theme, None),
        Ok(Some(view)) if view.finished => see_other(&themed("/methods/return", &token, theme)),
        Ok(Some(view)) => method_page(&view, &token, theme, pages.allows_insecure_urls),
    }
}

fn method_page(view: &MethodView, token: &str, theme: Theme, plain_http: bool) -> Response {
    let texts = Texts::of([Some(view.language.as_str())]);
    let template = MethodPage {
        script: &super::CHALLENGE_SCRIPT,
        texts,
        theme: theme.as_str(),
        title: texts.method_title.replace("{method}", &view.method),
        method: &view.method,
        merchant: &view.merchant,
        amount: format_amount(view.amount, &view.currency, &texts.code),
        action: themed("/methods/pay", token, theme),
    };
    framed_page(&template, &view.framing, form_targets(plain_http))
}

/// The fields of the page's form.
#[derive(Deserialize)]
struct AnswerForm {
    #[serde(default)]
    answer: String,
}

impl AnswerForm {
    fn read(&self) -> Option<MethodAnswer> {
        match self.answer.as_str() {
            "approve" => Some(MethodAnswer::Approve),
            "refuse" => Some(MethodAnswer::Refuse),
            "pending" => Some(MethodAnswer::Pending),
            "cancel" => Some(MethodAnswer::Cancel),
            _ => None,
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
    let Some(answer) = form.ok().and_then(|Form(form)| form.read()) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let accepted = Texts::of([accepted_language(&headers)]);
    let view = match pages.buyer_pages().method_page(&token).await {
        Ok(Some(view)) => view,
        Ok(None) => return ErrorPage::PageGone.page(accepted, theme, None),
        Err(problem) => return ErrorPage::failed(&problem).page(accepted, theme, None),
    };
    let texts = Texts::of([Some(view.language.as_str())]);
    let ancestors = format!("'self' {}", ancestors(view.framing.origins()));
    match pages.buyer_pages().method_answer(&token, answer).await {
        MethodStep::Return => see_other(&themed("/methods/return", &token, theme)),
        MethodStep::Gone => ErrorPage::PageGone.page(texts, theme, Some(&ancestors)),
        MethodStep::Failed => ErrorPage::Failed.page(texts, theme, Some(&ancestors)),
    }
}

async fn back(
    State(pages): State<SandboxPages>,
    Path(token): Path<String>,
    PageTheme(theme): PageTheme,
    headers: HeaderMap,
) -> Response {
    let texts = Texts::of([accepted_language(&headers)]);
    match pages.buyer_pages().method_return(&token).await {
        Err(problem) => ErrorPage::failed(&problem).page(texts, theme, None),
        Ok(None) => ErrorPage::PageGone.page(texts, theme, None),
        Ok(Some(view)) => return_page(&view, texts, theme, &headers),
    }
}

#[derive(Template)]
#[template(path = "method.html")]
struct MethodPage<'a> {
    script: &'static PageScript,
    texts: &'a Texts,
    theme: &'static str,
    title: String,
    method: &'a str,
    merchant: &'a str,
    amount: String,
    action: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;
    use payframe_money::Amount;
    use payframe_payment_domain::terms::FramingPages;

    fn view() -> MethodView {
        MethodView {
            framing: FramingPages::only("https://shop.example"),
            merchant: "Demo <b>shop</b>".to_owned(),
            method: "PAYPAL BNPL".to_owned(),
            amount: Amount::from_minor(3_545).unwrap(),
            currency: "EUR".to_owned(),
            language: "eng".to_owned(),
            finished: false,
        }
    }

    async fn text(page: Response) -> String {
        String::from_utf8(to_bytes(page.into_body(), 1 << 20).await.unwrap().to_vec()).unwrap()
    }

    #[tokio::test]
    async fn the_page_says_who_asks_for_what_and_has_a_button_for_each_outcome() {
        let page = method_page(&view(), "t0ken", Theme::Dark, false);
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
        let text = text(page).await;
        for part in [
            r#"data-theme="dark""#,
            "Pay with PAYPAL BNPL",
            "Demo &#60;b&#62;shop&#60;/b&#62;",
            "€35.45",
            r#"<form method="post" action="/methods/pay/t0ken?theme=dark""#,
            r#"value="approve" data-testid="apm-approve""#,
            r#"value="refuse" data-testid="apm-refuse""#,
            r#"value="pending" data-testid="apm-pending""#,
            r#"value="cancel" data-testid="apm-cancel""#,
        ] {
            assert!(text.contains(part), "{part} is missing in {text}");
        }
        assert!(
            !text.contains("<script>") && !text.contains("<style"),
            "{text}"
        );
        let italian = MethodView {
            language: "ita".to_owned(),
            ..view()
        };
        let page = method_page(&italian, "t0ken", Theme::Auto, true);
        let text = self::text(page).await;
        assert!(text.contains("Paga con PAYPAL BNPL"), "{text}");
        assert!(text.contains("35,45\u{a0}€"), "{text}");
    }
}
