//! The page that waits while an issuer asks the buyer apart from the browser (a decoupled authentication).
//!
//! It is at the place of the challenge: in the same frame, with the same token. It asks its own address until that leads on. Without scripts
//! it loads itself again.

use super::locales::{InAllLanguages, LOCALES};
use crate::App;
use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use payframe_payment_domain::terms::FramingPages;
use payframe_payment_service::{BuyerPages, report};
use payframe_web_pages::language::{accepted_language, choose_texts, direction, read_texts};
use payframe_web_pages::policy::ancestors;
use payframe_web_pages::script::PageScript;
use payframe_web_pages::theme::Theme;
use payframe_web_pages::{compression, protect, render, see_other, static_file, waiting_address};
use serde::Deserialize;
use std::sync::LazyLock;

/// The page, its style and its script.
pub(super) fn router() -> Router<App> {
    let script = async || SCRIPT.answer();
    let style = async || static_file("text/css; charset=utf-8", STYLE);
    Router::new()
        .route(&waiting_address("{token}"), get(waiting))
        .merge(
            Router::new()
                .route(SCRIPT.path(), get(script))
                .route("/assets/issuer/waiting.css", get(style))
                .layer(compression()),
        )
}

async fn waiting(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Response {
    let view = match BuyerPages::new(app.payments()).waiting(&token).await {
        Ok(Some(view)) => view,
        // The challenge's address leads on, whatever became of it.
        Ok(None) => return see_other(&format!("/threeds/challenge/{token}")),
        Err(problem) => {
            report("a decoupled authentication", &problem);
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
    };
    let template = WaitingPage {
        script: &SCRIPT,
        texts: WaitingTexts::of([
            Some(view.language.as_str()).filter(|language| !language.is_empty()),
            accepted_language(&headers),
        ]),
        theme: Theme::Auto.as_str(),
        notice: view.notice,
    };
    let mut page = render(StatusCode::OK, &template);
    protect(&mut page, &policy(&view.framing));
    page
}

fn policy(framing: &FramingPages) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; \
         form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'; frame-ancestors 'self' {}",
        ancestors(framing.origins())
    )
}

#[derive(Template)]
#[template(path = "issuer-waiting.html")]
struct WaitingPage<'a> {
    script: &'static PageScript,
    texts: &'a WaitingTexts,
    theme: &'static str,
    notice: Option<String>,
}

/// The sentences of the page, in every language of the form, from the form's own files (`www/locales`).
#[derive(Clone, Debug, Deserialize)]
struct WaitingTexts {
    #[serde(rename = "$tag")]
    tag: String,
    #[serde(rename = "challenge_title")]
    title: String,
    #[serde(rename = "label_confirm_elsewhere")]
    text: String,
    checking: String,
}

impl WaitingTexts {
    /// The texts of the first language that is available; else English.
    fn of<'a>(asked: impl IntoIterator<Item = Option<&'a str>>) -> &'static WaitingTexts {
        choose_texts(&*TEXTS, asked)
    }

    /// For the layout.
    fn dir(&self) -> &'static str {
        direction(&self.tag)
    }
}

static TEXTS: InAllLanguages<WaitingTexts> = LazyLock::new(|| read_texts(LOCALES));

static SCRIPT: LazyLock<PageScript> = LazyLock::new(|| {
    PageScript::new(
        "issuer/waiting",
        include_str!("../../../www/issuer/waiting.js"),
    )
});

const STYLE: &str = include_str!("../../../www/issuer/waiting.css");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_the_texts() {
        for (code, texts) in TEXTS.iter() {
            for asked in [code, texts.tag.as_str()] {
                assert_eq!(WaitingTexts::of([Some(asked)]).tag, texts.tag);
            }
        }
        assert_eq!(WaitingTexts::of([Some("tlh"), None]).tag, "en");
    }
}
