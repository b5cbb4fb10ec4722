//! The pages of single fields (contract 3.5): an input, a method's button, the device check of version 2.
//!
//! Only the page of the session's merchant may frame them. If there is no field to show, the answer is a page that
//! sends the reason in a message to the page around it, and only to that page. It contains no data of the session.

use super::built::{PageContent, PageName, Sheets};
use super::error_page::ErrorPage;
use super::template::PageAppearance;
use super::texts::Texts;
use crate::App;
use crate::dist::Dist;
use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use axum::routing::get;
use payframe_error_codes::ErrorCode::{HF0003, HF9002, HF9003};
use payframe_payment_service::{FieldError, FieldKind, FieldRequest, FieldView};
use payframe_protocol::boot::{Driver, ErrorsPlace, UnavailableFieldBoot};
use payframe_web_pages::compression;
use payframe_web_pages::language::{accepted_country, accepted_language};
use payframe_web_pages::policy::{ANYBODY, ancestors};
use payframe_web_pages::theme::Theme;
use serde::Deserialize;
use url::Url;

/// Serves `/fields/`, with and without the slash at the end (contract 1.1).
pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/fields", get(field))
        .route("/fields/", get(field))
        .layer(compression())
}

/// The first members belong to the contract; the last four are only for our own scripts.
#[derive(Default, Deserialize)]
#[serde(default)]
struct FieldQuery {
    id: String,
    lang: Option<String>,
    sessionid: String,
    placeholder: Option<String>,
    theme: Option<String>,
    errors: Option<String>,
    driver: Option<String>,
    label: Option<String>,
}

async fn field(
    State(app): State<App>,
    headers: HeaderMap,
    query: Result<Query<FieldQuery>, QueryRejection>,
) -> Response {
    // Our own addresses never repeat a name. An address that does finds no session.
    let query = query.map(|Query(query)| query).unwrap_or_default();
    let asker = asker(&headers);
    let theme = match query.theme.as_deref() {
        // Merchants' pages are light unless they say otherwise, and their sheets are written for light colours.
        None => Theme::Light,
        named => Theme::parse(named),
    };
    let ask = FieldRequest {
        session_id: &query.sessionid,
        id: &query.id,
        asker: asker.as_deref(),
        driver: match query.driver.as_deref() {
            Some("form") => Driver::Form,
            _ => Driver::Fields,
        },
        placeholder: query.placeholder.as_deref() != Some("N"),
        errors: match query.errors.as_deref() {
            Some("inside") => ErrorsPlace::Inside,
            _ => ErrorsPlace::Outside,
        },
        label: query.label.as_deref().and_then(label),
    };
    let options = FrameOptions {
        lang: query.lang.as_deref(),
        accepted: accepted_language(&headers),
        theme,
    };
    let answer = match (app.forms().field(ask).await, app.dist()) {
        (Err(FieldError::Failed), _) => None,
        (_, None) => {
            tracing::error!("a field was asked for, but the widget is not built");
            None
        }
        (Ok(mut view), Some(dist)) => {
            dist.arrange_methods(&mut view.boot.boot.methods, accepted_country(&headers));
            options.field(dist, &view)
        }
        (Err(refusal), Some(dist)) => options.unavailable(dist, refusal, &query.id, asker),
    };
    answer.unwrap_or_else(|| {
        let texts = Texts::of([options.lang, options.accepted]);
        ErrorPage::Failed.page(texts, theme)
    })
}

/// How to show the frame; independent of its content.
struct FrameOptions<'a> {
    lang: Option<&'a str>,
    accepted: Option<&'a str>,
    theme: Theme,
}

impl FrameOptions<'_> {
    fn field(&self, dist: &Dist, view: &FieldView) -> Option<Response> {
        let name = match view.kind {
            FieldKind::Input(field) => PageName::Input(field),
            FieldKind::Button => PageName::Button,
            FieldKind::DeviceCheck => PageName::DeviceCheck,
        };
        let page = dist.page(name)?;
        let content = PageContent {
            boot: &view.boot,
            language: page.language([self.lang, Some(view.language.as_str())]),
            appearance: PageAppearance {
                font: view.font.as_deref(),
                ..PageAppearance::without_button(self.theme)
            },
            sheets: Sheets::Merchants,
            ancestors: &ancestors(view.framing.origins()),
        };
        page.answer(StatusCode::OK, &content)
    }

    /// The page that replaces a field. `asker` receives the message if no session names the page.
    fn unavailable(
        &self,
        dist: &Dist,
        refusal: FieldError,
        id: &str,
        asker: Option<String>,
    ) -> Option<Response> {
        let (status, code, framing) = match refusal {
            FieldError::Unknown => (StatusCode::NOT_FOUND, HF0003, None),
            FieldError::OtherOrigin => (StatusCode::OK, HF9003, None),
            FieldError::Dead { framing } => (StatusCode::GONE, HF0003, Some(framing)),
            FieldError::NoSuchField { framing } => (StatusCode::NOT_FOUND, HF9002, Some(framing)),
            FieldError::Failed => return None,
        };
        let (origin, ancestors) = match framing {
            Some(framing) => {
                let ancestors = ancestors(framing.origins());
                (Some(framing.merchant), ancestors)
            }
            None => (asker, ANYBODY.to_owned()),
        };
        let message = match code {
            HF9002 => "the session has no such field",
            HF9003 => "the page's origin is not that of merchantUrl",
            _ => "the session has expired: start again from POST /orders/build",
        };
        let boot = UnavailableFieldBoot {
            id: field_id(id).to_owned(),
            origin,
            code: code.to_string(),
            message: message.to_owned(),
        };
        let page = dist.page(PageName::UnavailableField)?;
        let content = PageContent {
            boot: &boot,
            language: page.language([self.lang, self.accepted]),
            appearance: PageAppearance::without_button(self.theme),
            sheets: Sheets::Own,
            ancestors: &ancestors,
        };
        page.answer(status, &content)
    }
}

/// Origin of the page that asks, if its browser says it.
fn asker(headers: &HeaderMap) -> Option<String> {
    let referer = headers.get(header::REFERER)?.to_str().ok()?;
    let url = Url::parse(referer).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.origin().ascii_serialization())
}

/// An id that can belong to a field. Other ids are not repeated.
fn field_id(id: &str) -> &str {
    let is_plain = id.len() <= 40
        && id
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    if is_plain { id } else { "" }
}

/// The merchant's label: one line, limited in length, without characters that change the direction of the text beside it.
fn label(text: &str) -> Option<String> {
    let plain: String = text
        .chars()
        .filter(|c| {
            !c.is_control() && !matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        })
        .collect();
    let label: String = plain.trim().chars().take(LONGEST_LABEL).collect();
    (!label.is_empty()).then_some(label)
}

const LONGEST_LABEL: usize = 80;

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn labels_are_one_line_of_text() {
        for (text, expected) in [
            ("Card number", Some("Card number")),
            (" Card\r\nnumber\u{0}", Some("Cardnumber")),
            ("a\u{202e}b\u{2066}c", Some("abc")),
            ("Numéro 卡号", Some("Numéro 卡号")),
            ("", None),
            (" \n", None),
        ] {
            assert_eq!(label(text).as_deref(), expected, "{text:?}");
        }
        assert_eq!(label(&"é".repeat(200)).unwrap(), "é".repeat(80));
    }

    #[test]
    fn only_what_looks_like_an_id_is_repeated() {
        for (id, expected) in [
            ("CARD_NUMBER", "CARD_NUMBER"),
            ("PAY_WITH_CARD", "PAY_WITH_CARD"),
            ("", ""),
            ("card", ""),
            ("4761730000000003", ""),
            ("</script>", ""),
            (&"A".repeat(41), ""),
        ] {
            assert_eq!(field_id(id), expected, "{id}");
        }
    }

    #[test]
    fn the_asker_is_an_origin_of_the_web() {
        for (referer, expected) in [
            (
                "https://shop.example/basket?x=1",
                Some("https://shop.example"),
            ),
            ("http://127.0.0.1:8788/", Some("http://127.0.0.1:8788")),
            ("https://Shop.example:443", Some("https://shop.example")),
            ("about:blank", None),
            ("android-app://shop.example/", None),
            ("shop", None),
            ("", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::REFERER, HeaderValue::from_static(referer));
            assert_eq!(asker(&headers).as_deref(), expected, "{referer}");
        }
        assert_eq!(asker(&HeaderMap::new()), None);
    }
}
