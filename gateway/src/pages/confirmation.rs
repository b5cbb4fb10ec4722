//! The page that asks the buyer's device for a confirmation before an issuer shows its own page, and what came of it.
//!
//! It is at the place of the challenge: in the same frame, with the same token. A browser that cannot ask, and one without scripts, leads to
//! the issuer's page.

use super::locales::{InAllLanguages, LOCALES};
use crate::App;
use askama::Template;
use axum::Router;
use axum::extract::rejection::FormRejection;
use axum::extract::{DefaultBodyLimit, Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use payframe_payment_domain::terms::FramingPages;
use payframe_payment_service::{
    Assertion, AssertionProblem, BuyerPages, ConfirmationOutcome, ConfirmationStep, report,
};
use payframe_web_pages::language::{accepted_language, choose_texts, direction, read_texts};
use payframe_web_pages::policy::ancestors;
use payframe_web_pages::script::PageScript;
use payframe_web_pages::theme::Theme;
use payframe_web_pages::{
    compression, confirmation_address, protect, render, see_other, sent_from_elsewhere,
};
use serde::Deserialize;
use std::sync::LazyLock;

/// The page, what its form sends, and its script.
pub(super) fn router() -> Router<App> {
    let script = async || SCRIPT.answer();
    Router::new()
        .route(
            &confirmation_address("{token}"),
            get(confirmation).post(confirm),
        )
        .layer(DefaultBodyLimit::max(LONGEST_BODY_BYTES))
        .merge(
            Router::new()
                .route(SCRIPT.path(), get(script))
                .layer(compression()),
        )
}

/// The parameters of the address about how to show the page.
#[derive(Default, Deserialize)]
struct LastTry {
    /// Set if the issuer did not answer to the last try.
    failed: Option<u8>,
}

async fn confirmation(
    State(app): State<App>,
    Path(token): Path<String>,
    Query(last_try): Query<LastTry>,
    headers: HeaderMap,
) -> Response {
    let view = BuyerPages::new(app.payments()).confirmation(&token).await;
    let view = match view {
        Ok(Some(view)) => view,
        // The challenge's address says that the page is over.
        Ok(None) => return see_other(&challenge_address(&token)),
        Err(problem) => {
            report("a confirmation", &problem);
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
    };
    let Some(asked) = view.asked else {
        return see_other(&challenge_address(&token));
    };
    let Ok(asked) = serde_json::to_string(&asked) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let texts = ConfirmationTexts::of([
        Some(view.language.as_str()).filter(|language| !language.is_empty()),
        accepted_language(&headers),
    ]);
    let template = ConfirmationPage {
        script: &SCRIPT,
        texts,
        theme: Theme::Auto.as_str(),
        address: confirmation_address(&token),
        asked,
        said: match last_try.failed {
            Some(_) => &texts.failed,
            None => "",
        },
    };
    let mut page = render(StatusCode::OK, &template);
    protect(&mut page, &policy(&view.framing));
    page
}

/// The fields of the page's form.
#[derive(Deserialize)]
struct OutcomeForm {
    outcome: String,
    #[serde(default)]
    assertion: String,
}

impl OutcomeForm {
    /// The outcome, or what is wrong with which field.
    fn read(&self) -> Result<ConfirmationOutcome, &'static str> {
        match self.outcome.as_str() {
            "CONFIRMED" => self.read_assertion(),
            "NOT_COMPLETED" => Ok(ConfirmationOutcome::NotCompleted),
            "CANCELLED" => Ok(ConfirmationOutcome::Cancelled),
            "TIMED_OUT" => Ok(ConfirmationOutcome::TimedOut),
            _ => Err("outcome: must be CONFIRMED, NOT_COMPLETED, CANCELLED or TIMED_OUT"),
        }
    }

    fn read_assertion(&self) -> Result<ConfirmationOutcome, &'static str> {
        let assertion = Assertion::read(&self.assertion).map_err(|problem| match problem {
            AssertionProblem::TooLong => "assertion: must have at most 16000 characters",
            AssertionProblem::NotJson => {
                "assertion: must be JSON with id and response (clientDataJSON, authenticatorData, signature, userHandle)"
            }
            AssertionProblem::NotEncoded => {
                "assertion: its members must be base64url without padding"
            }
        })?;
        Ok(ConfirmationOutcome::Confirmed(Box::new(assertion)))
    }
}

async fn confirm(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
    form: Result<Form<OutcomeForm>, FormRejection>,
) -> Response {
    if sent_from_elsewhere(&app.config().origin, &headers) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let form = match form {
        Ok(Form(form)) => form,
        Err(rejection) => return rejection.into_response(),
    };
    let outcome = match form.read() {
        Ok(outcome) => outcome,
        Err(problem) => return (StatusCode::BAD_REQUEST, problem).into_response(),
    };
    let pages = BuyerPages::new(app.payments());
    match pages.confirm(&token, outcome).await {
        ConfirmationStep::Over | ConfirmationStep::Gone => see_other(&challenge_address(&token)),
        ConfirmationStep::Failed => {
            see_other(&format!("{}?failed=1", confirmation_address(&token)))
        }
    }
}

/// Leads on, whatever became of the confirmation.
fn challenge_address(token: &str) -> String {
    format!("/threeds/challenge/{token}")
}

/// The picture of the card may be at the issuer's site.
fn policy(framing: &FramingPages) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data: https:; base-uri 'none'; form-action 'self'; \
         require-trusted-types-for 'script'; trusted-types 'none'; frame-ancestors 'self' {}",
        ancestors(framing.origins())
    )
}

#[derive(Template)]
#[template(path = "issuer-confirmation.html")]
struct ConfirmationPage<'a> {
    script: &'static PageScript,
    texts: &'a ConfirmationTexts,
    theme: &'static str,
    address: String,
    asked: String,
    said: &'a str,
}

/// The sentences of the page, in every language of the form, from the form's own files (`www/locales`).
#[derive(Clone, Debug, Deserialize)]
struct ConfirmationTexts {
    #[serde(rename = "$tag")]
    tag: String,
    #[serde(rename = "challenge_title")]
    title: String,
    #[serde(rename = "label_confirm_text")]
    text: String,
    #[serde(rename = "label_confirm_device")]
    device: String,
    #[serde(rename = "label_confirm_other")]
    other: String,
    #[serde(rename = "label_confirm_again")]
    again: String,
    checking: String,
    #[serde(rename = "decline_technical")]
    failed: String,
}

impl ConfirmationTexts {
    /// The texts of the first language that is available; else English.
    fn of<'a>(asked: impl IntoIterator<Item = Option<&'a str>>) -> &'static ConfirmationTexts {
        choose_texts(&*TEXTS, asked)
    }

    /// For the layout.
    fn dir(&self) -> &'static str {
        direction(&self.tag)
    }
}

static TEXTS: InAllLanguages<ConfirmationTexts> = LazyLock::new(|| read_texts(LOCALES));

static SCRIPT: LazyLock<PageScript> = LazyLock::new(|| {
    PageScript::new(
        "issuer/confirmation",
        include_str!("../../../www/issuer/confirmation.js"),
    )
});

/// With room for the encoding of the form.
const LONGEST_BODY_BYTES: usize = 64 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_the_texts() {
        for (code, texts) in TEXTS.iter() {
            for asked in [code, texts.tag.as_str()] {
                assert_eq!(ConfirmationTexts::of([Some(asked)]).tag, texts.tag);
            }
        }
        assert_eq!(ConfirmationTexts::of([Some("tlh"), None]).tag, "en");
    }

    #[test]
    fn an_outcome_is_read_or_its_field_is_named() {
        let read = |outcome: &str, assertion: &str| {
            let form = OutcomeForm {
                outcome: outcome.to_owned(),
                assertion: assertion.to_owned(),
            };
            match form.read() {
                Ok(ConfirmationOutcome::Confirmed(_)) => "confirmed",
                Ok(ConfirmationOutcome::NotCompleted) => "not completed",
                Ok(ConfirmationOutcome::Cancelled) => "cancelled",
                Ok(ConfirmationOutcome::TimedOut) => "timed out",
                Err(problem) => problem.split(':').next().unwrap(),
            }
        };
        const SIGNED: &str = r#"{"id":"AA-_","response":{"clientDataJSON":"AA","authenticatorData":"AA","signature":"AA"}}"#;
        let long = format!("{SIGNED}{}", " ".repeat(16_000));
        for (outcome, assertion, expected) in [
            ("CONFIRMED", SIGNED, "confirmed"),
            ("NOT_COMPLETED", "", "not completed"),
            ("CANCELLED", "", "cancelled"),
            ("TIMED_OUT", "", "timed out"),
            ("", "", "outcome"),
            ("confirmed", SIGNED, "outcome"),
            ("CONFIRMED", "", "assertion"),
            ("CONFIRMED", &SIGNED.replace("AA-_", "A+=="), "assertion"),
            ("CONFIRMED", &SIGNED.replace("\"AA\"", "\"\""), "assertion"),
            (
                "CONFIRMED",
                &SIGNED.replace("\"id\"", "\"card\""),
                "assertion",
            ),
            ("CONFIRMED", &long, "assertion"),
        ] {
            assert_eq!(
                read(outcome, assertion),
                expected,
                "{outcome} {assertion:.40}"
            );
        }
    }
}
