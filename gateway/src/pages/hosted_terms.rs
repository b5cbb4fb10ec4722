//! What a buyer has to accept on a hosted page: the boxes, the acceptance, and the texts.
//!
//! A text is the merchant's HTML. It never becomes part of the page in which the card is typed: it is a separate document,
//! cleaned of everything except plain markup, in an origin of its own (`sandbox`), where nothing runs and nothing is loaded.

use super::hosted_answers::{address, failed, in_own_task, refusal, unknown};
use super::hosted_texts::{HostedTexts, tag_of};
use crate::App;
use askama::Template;
use axum::Router;
use axum::extract::rejection::FormRejection;
use axum::extract::{Form, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use payframe_payment_domain::clause::Clause;
use payframe_payment_domain::hosted::Kind;
use payframe_payment_service::acceptance::Accepted;
use payframe_web_pages::language::accepted_language;
use payframe_web_pages::{protect, render, see_other};

/// The addresses below that of a page: `accept`, and the texts, numbered like their boxes.
pub(super) fn of_kind(kind: Kind, folder: &'static str) -> Router<App> {
    Router::new()
        .route(
            &format!("{folder}/{{token}}/accept"),
            post(move |app, token, headers, form| accept(kind, app, token, headers, form)),
        )
        .route(
            &format!("{folder}/{{token}}/terms/{{place}}"),
            get(move |app, place, headers| text(kind, app, place, headers)),
        )
}

/// A box, with its label and link.
pub(super) struct ShownClause<'a> {
    pub(super) label: &'a str,
    pub(super) link_label: &'a str,
    /// The tag of the language, if it is known.
    pub(super) tag: Option<&'static str>,
}

impl<'a> ShownClause<'a> {
    pub(super) fn of(clause: &'a Clause) -> ShownClause<'a> {
        ShownClause {
            label: &clause.label,
            link_label: &clause.link_label,
            tag: tag_of(&clause.language),
        }
    }
}

/// What the form of the boxes sends: a name and a value for each ticked box.
type TermsForm = Vec<(String, String)>;

/// The buyer accepts.
async fn accept(
    kind: Kind,
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
    form: Result<Form<TermsForm>, FormRejection>,
) -> Response {
    if let Some(refused) = refusal(&app, &token, &headers).await {
        return refused;
    }
    let here = address(kind, &token);
    let Form(sent) = form.unwrap_or_default();
    let ticked: Vec<usize> = sent
        .iter()
        .filter(|(name, _)| name == "accepted")
        .filter_map(|(_, place)| place.parse().ok())
        .collect();
    let accepted = in_own_task(&app, move |app| async move {
        app.hosted_pages().accept(kind, &token, &ticked).await
    });
    match accepted.await {
        Some(Ok(Accepted::Heard)) => see_other(&here),
        Some(Ok(Accepted::NotAll)) => see_other(&format!("{here}?missing=1")),
        Some(Ok(Accepted::Unknown)) => unknown(&headers),
        Some(Err(problem)) => failed(&headers, &problem),
        None => HostedTexts::of(accepted_language(&headers)).failed_page(),
    }
}

/// A text, for the frame below its box.
async fn text(
    kind: Kind,
    State(app): State<App>,
    Path((token, place)): Path<(String, usize)>,
    headers: HeaderMap,
) -> Response {
    match app.hosted_pages().clause(kind, &token, place).await {
        Ok(Some(clause)) => document(&app, &clause),
        Ok(None) => unknown(&headers),
        Err(problem) => failed(&headers, &problem),
    }
}

fn document(app: &App, clause: &Clause) -> Response {
    let html = clause.html().unwrap_or_default();
    let mut page = render(
        StatusCode::OK,
        &TermsPage {
            title: &clause.link_label,
            tag: tag_of(&clause.language),
            html: clean(&html),
        },
    );
    let origin = &app.config().origin;
    let policy = format!(
        "default-src 'none'; style-src {origin}; base-uri 'none'; form-action 'none'; frame-ancestors {origin}; \
         sandbox allow-popups allow-popups-to-escape-sandbox"
    );
    protect(&mut page, &policy);
    page
}

/// Cleans a merchant's HTML to plain markup. Links open in another window; pictures are removed.
fn clean(html: &str) -> String {
    ammonia::Builder::default()
        .rm_tags(["img"])
        .set_tag_attribute_value("a", "target", "_blank")
        .clean(html)
        .to_string()
}

#[derive(Template)]
#[template(path = "hosted-terms.html")]
struct TermsPage<'a> {
    title: &'a str,
    tag: Option<&'static str>,
    /// The cleaned HTML.
    html: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_plain_markup() {
        for (html, expected) in [
            (
                "<h1>Stay</h1><p>Quiet &amp; clean",
                "<h1>Stay</h1><p>Quiet &amp; clean</p>",
            ),
            (
                "<p onclick=alert(1)>a<script>alert(1)</script></p>",
                "<p>a</p>",
            ),
            (
                "<iframe src=//evil.example></iframe><form action=/x><input>b</form>",
                "b",
            ),
            ("<img src=x onerror=alert(1)>c", "c"),
            (
                "<a href=\"javascript:alert(1)\">d</a>",
                "<a target=\"_blank\" rel=\"noopener noreferrer\">d</a>",
            ),
            (
                "<meta http-equiv=refresh content=0><style>p{}</style>e",
                "e",
            ),
        ] {
            assert_eq!(clean(html), expected, "{html}");
        }
        let link = clean("<a href=\"https://shop.example/terms\">f</a>");
        assert!(
            link.contains("href=\"https://shop.example/terms\""),
            "{link}"
        );
        assert!(
            link.contains("target=\"_blank\"") && link.contains("noopener"),
            "{link}"
        );
    }
}
