//! The page of the card form: the built page of a language with the session written into it. With `layout=fields`
//! it is the page without inputs, whose fields are separate frames.
//!
//! Only the page of the session's merchant may frame it. If there is no session to show, the answer is a readable page
//! that says so, without any data.

use super::billing_country::choose_country;
use super::built::{PageContent, PageName, Sheets};
use super::error_page::ErrorPage;
use super::payment_summary::PaymentSummary;
use super::plain_form;
use super::template::{PageAppearance, Shown};
use super::texts::Texts;
use crate::App;
use crate::dist::Dist;
use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::Response;
use axum::routing::get;
use payframe_payment_service::{Asker, FormError, FormPass, FormRequest, FormView};
use payframe_protocol::boot::FormBoot;
use payframe_web_pages::compression;
use payframe_web_pages::language::{accepted_country, accepted_language};
use payframe_web_pages::policy::ancestors;
use payframe_web_pages::theme::Theme;
use serde::Deserialize;

/// Serves `/form/`, with and without the slash at the end (contract 1.1).
pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/form", get(form))
        .route("/form/", get(form))
        .layer(compression())
}

#[derive(Deserialize)]
struct FormQuery {
    #[serde(default)]
    sessionid: String,
    lang: Option<String>,
    theme: Option<String>,
    button: Option<String>,
    cancellation: Option<String>,
    layout: Option<String>,
    /// The session of the form that this form replaces.
    follows: Option<String>,
    /// What the document before this one left in its tab, if it showed saved cards.
    pass: Option<String>,
}

/// The parameters of the page's address besides the session.
struct PageOptions<'a> {
    layout: PageName,
    lang: Option<&'a str>,
    /// Without the label of the button, which depends on the session.
    appearance: PageAppearance<'a>,
}

async fn form(
    State(app): State<App>,
    method: Method,
    headers: HeaderMap,
    query: Result<Query<FormQuery>, QueryRejection>,
) -> Response {
    let Ok(Query(query)) = query else {
        return ErrorPage::FormUnknown.page(Texts::of([accepted_language(&headers)]), Theme::Auto);
    };
    let theme = Theme::parse(query.theme.as_deref());
    let notice = |notice: ErrorPage| {
        notice.page(
            Texts::of([query.lang.as_deref(), accepted_language(&headers)]),
            theme,
        )
    };
    let mut view = match app
        .forms()
        .form(FormRequest {
            session_id: &query.sessionid,
            former: query.follows.as_deref(),
            asker: if method == Method::GET && loads_form(&headers) {
                Asker::Frame(query.pass.as_deref())
            } else {
                Asker::Other
            },
        })
        .await
    {
        Ok(view) => view,
        Err(FormError::Unknown) => return notice(ErrorPage::FormUnknown),
        Err(FormError::Dead) => return notice(ErrorPage::FormDead),
        Err(FormError::Failed) => return notice(ErrorPage::Failed),
    };
    let Some(dist) = app.dist() else {
        tracing::error!("a form was asked for, but the widget is not built");
        return notice(ErrorPage::Failed);
    };
    let plain_form = plain_form::address(&query.sessionid, query.lang.as_deref(), theme);
    let options = PageOptions {
        layout: match query.layout.as_deref() {
            Some("fields") => PageName::FieldsHost,
            _ => PageName::Form,
        },
        lang: query.lang.as_deref(),
        appearance: PageAppearance {
            theme,
            button: Shown::parse(query.button.as_deref()),
            cancellation: Shown::parse(query.cancellation.as_deref()),
            summary: None,
            font: None,
            script: None,
            plain_form: &plain_form,
        },
    };
    dist.arrange_methods(&mut view.boot.methods, accepted_country(&headers));
    choose_country(&mut view.boot, &headers);
    filled(dist, view, &options).unwrap_or_else(|| notice(ErrorPage::Failed))
}

/// Whether the document is loaded into a frame, or by a form that takes over another session. Browsers say so, other programs need not.
fn loads_form(headers: &HeaderMap) -> bool {
    let said = |name| headers.get(name).map(HeaderValue::as_bytes);
    match said("sec-fetch-dest") {
        None | Some(b"iframe" | b"frame") => true,
        Some(b"empty") => said("sec-fetch-site") == Some(b"same-origin"),
        Some(_) => false,
    }
}

/// The page with its headers. `None` if it cannot be made.
fn filled(dist: &Dist, view: FormView, options: &PageOptions<'_>) -> Option<Response> {
    let page = dist.page(options.layout)?;
    let language = page.language([options.lang, Some(view.language.as_str())]);
    let summary = PaymentSummary::of(&view, language);
    let script = match &view.pass {
        FormPass::None => None,
        FormPass::Kept(pass) => Some(dist.form_pass(Some(pass))),
        FormPass::LookedFor => Some(dist.form_pass(None)),
    };
    let boot = FormBoot {
        boot: view.boot,
        amount_text: summary.amount.clone(),
        pay_text: summary.pay.clone(),
    };
    let content = PageContent {
        boot: &boot,
        language,
        appearance: PageAppearance {
            summary: Some(&summary),
            font: view.font.as_deref(),
            script: script.as_deref(),
            ..options.appearance
        },
        sheets: Sheets::Own,
        ancestors: &ancestors(view.framing.origins()),
    };
    page.answer(StatusCode::OK, &content)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::template::tests::boot;
    use super::*;
    use crate::dist::tests::{HASH, MadeUpDist};
    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use payframe_money::Amount;
    use payframe_payment_domain::operation::ActionType;
    use payframe_payment_domain::terms::FramingPages;
    use tower::ServiceExt;

    pub(crate) fn view() -> FormView {
        FormView {
            boot: boot("Demo shop"),
            action: ActionType::Pay,
            amount: Amount::from_minor(3_545).unwrap(),
            currency: "EUR".to_owned(),
            language: "ita".to_owned(),
            font: None,
            framing: FramingPages::only("https://shop.example"),
            pass: FormPass::None,
        }
    }

    async fn text(page: Response) -> String {
        String::from_utf8(to_bytes(page.into_body(), 1 << 20).await.unwrap().to_vec()).unwrap()
    }

    #[tokio::test]
    async fn the_page_holds_the_session_and_may_be_framed_by_its_merchant_only() {
        let made = MadeUpDist::new();
        let dist = made.load().unwrap();
        let options = PageOptions {
            layout: PageName::Form,
            lang: Some("en-GB"),
            appearance: PageAppearance {
                ..PageAppearance::without_button(Theme::Dark)
            },
        };
        let page = filled(&dist, view(), &options).unwrap();
        assert_eq!(
            page.headers()["content-security-policy"],
            format!(
                "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' '{HASH}'; style-src '{HASH}'; \
                 img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; \
                 form-action 'none'; frame-ancestors https://shop.example; require-trusted-types-for 'script'; \
                 trusted-types payframe-page; report-uri /reports; report-to reports"
            )
        );
        assert_eq!(page.headers()["cache-control"], "no-store");
        assert_eq!(page.headers()["referrer-policy"], "no-referrer");
        assert_eq!(page.headers()["x-content-type-options"], "nosniff");
        assert!(
            page.headers()["permissions-policy"]
                .to_str()
                .unwrap()
                .contains("payment=(self)")
        );
        let text = text(page).await;
        assert!(
            text.contains(
                r#"<html lang="en" data-page="form" data-theme="dark" data-button="hidden" data-cancellation="auto">"#
            ),
            "{text}"
        );
        assert!(text.contains(r#""session":"m3p0""#), "{text}");
        assert!(text.contains(r#""payText":"Pay €35.45""#), "{text}");
        assert!(
            text.contains("<p>You pay €35.45 to Demo shop.</p><button>Pay €35.45</button>"),
            "{text}"
        );
    }

    #[tokio::test]
    async fn the_language_is_the_pages_then_the_sessions_then_english() {
        let made = MadeUpDist::new();
        let dist = made.load().unwrap();
        for (lang, session, expected) in [
            (Some("eng"), "ita", "en"),
            (Some("ENG"), "ita", "en"),
            (Some("it-CH"), "eng", "it"),
            (None, "ita", "it"),
            (Some("de"), "ita", "it"),
            (Some("de"), "deu", "en"),
        ] {
            let view = FormView {
                language: session.to_owned(),
                ..view()
            };
            let options = PageOptions {
                layout: PageName::FieldsHost,
                lang,
                appearance: PageAppearance {
                    button: Shown::Auto,
                    ..PageAppearance::without_button(Theme::Auto)
                },
            };
            let page = filled(&dist, view, &options).unwrap();
            let text = text(page).await;
            assert!(
                text.contains(&format!(r#"lang="{expected}""#)),
                "{lang:?} {session}: {text}"
            );
        }
    }

    #[tokio::test]
    async fn an_unknown_session_gets_a_readable_page_in_its_language() {
        let made = MadeUpDist::new();
        let app = made.app().await;
        for (address, accepted, expected) in [
            (
                "/form/?sessionid=none&lang=it",
                "en",
                "Qui non c&#39;è nessun pagamento",
            ),
            (
                "/form?sessionid=none&lang=ENG",
                "it",
                "There is no payment here",
            ),
            (
                "/form/?sessionid=none",
                "it-IT,en;q=0.5",
                "Qui non c&#39;è nessun pagamento",
            ),
            ("/form/", "sv", "There is no payment here"),
            (
                "/form/?sessionid=a&sessionid=b",
                "en",
                "There is no payment here",
            ),
        ] {
            let request = Request::get(address)
                .header("accept-language", accepted)
                .body(Body::empty())
                .unwrap();
            let page = router()
                .with_state(app.clone())
                .oneshot(request)
                .await
                .unwrap();
            assert_eq!(page.status(), StatusCode::NOT_FOUND, "{address}");
            let policy = page.headers()["content-security-policy"].to_str().unwrap();
            assert!(
                policy.ends_with(
                    "frame-ancestors 'self' http: https:; require-trusted-types-for 'script'; trusted-types 'none'; \
                     report-uri /reports; report-to reports"
                ),
                "{policy}"
            );
            assert!(!policy.contains("script-src"), "{policy}");
            let text = text(page).await;
            assert!(text.contains(expected), "{address}: {text}");
            assert!(!text.contains("<script"), "{text}");
        }
    }

    #[tokio::test]
    async fn pages_are_compressed_for_whoever_takes_it() {
        let made = MadeUpDist::new();
        let app = made.app().await;
        for (accepted, expected) in [
            ("gzip, br", Some("br")),
            ("gzip", Some("gzip")),
            ("identity", None),
        ] {
            let request = Request::get("/form/")
                .header("accept-encoding", accepted)
                .body(Body::empty())
                .unwrap();
            let page = router()
                .with_state(app.clone())
                .oneshot(request)
                .await
                .unwrap();
            let found = page
                .headers()
                .get("content-encoding")
                .map(|value| value.to_str().unwrap());
            assert_eq!(found, expected, "{accepted}");
        }
    }
}
