//! What all pages of the back office have in common: the layout with its navigation, the style, the policy, and the page that
//! shows an error.

use super::error::OfficeError;
use super::login_session::LoginSession;
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use payframe_payment_domain::back_office::Role;
use payframe_web_pages::{self as web_pages, script};
use serde::Deserialize;
use std::sync::LazyLock;

/// Style and script of all pages.
pub(super) fn router() -> Router<BackOffice> {
    let served = |asset: &'static Asset| {
        get(move || async move {
            (
                [
                    (header::CONTENT_TYPE, asset.kind),
                    (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
                    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
                ],
                asset.text,
            )
        })
    };
    // Only these are compressed: the length of a compressed page would reveal the token of its forms.
    Router::new()
        .route(&STYLE.path, served(&STYLE))
        .route(&SCRIPT.path, served(&SCRIPT))
        .route(&PASSKEY_SCRIPT.path, served(&PASSKEY_SCRIPT))
        .route(&ICON.path, served(&ICON))
        .layer(web_pages::compression())
}

/// A file that pages need. Its address contains its hash, so its bytes never change.
struct Asset {
    path: String,
    /// What loads it, if it is a script.
    element: String,
    kind: &'static str,
    text: &'static str,
}

impl Asset {
    fn new(name: &str, kind: &'static str, text: &'static str) -> Asset {
        let hash = payframe_vault::hash(text);
        let path = format!("/office/assets/{}/{name}", &hash[..16]);
        Asset {
            element: script::element(&path, &script::integrity(text.as_bytes())),
            path,
            kind,
            text,
        }
    }
}

static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let text = include_str!("../../../www/office/office.css");
    Asset::new("office.css", "text/css; charset=utf-8", text)
});

static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let text = include_str!("../../../www/office/office.js");
    Asset::new("office.js", "text/javascript; charset=utf-8", text)
});

static PASSKEY_SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let text = include_str!("../../../www/office/passkeys.js");
    Asset::new("passkeys.js", "text/javascript; charset=utf-8", text)
});

static ICON: LazyLock<Asset> = LazyLock::new(|| {
    let text = include_str!("../../../www/office/icon.svg");
    Asset::new("icon.svg", "image/svg+xml", text)
});

/// The section of the back office that a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Overview,
    Orders,
    Disputes,
    Notifications,
    Books,
    Settlement,
    Links,
    Contracts,
    Reservations,
    Approvals,
    Keys,
    CardTesting,
    PageWatch,
    Members,
    Audit,
    Password,
    SecondFactor,
    LogIns,
}

/// A link of the navigation.
pub(crate) struct NavigationLink {
    pub(crate) path: &'static str,
    pub(crate) label: &'static str,
    pub(crate) current: bool,
}

/// What every page has: the log-in, the current section, the title, and the message about the last action.
pub(crate) struct Layout<'a> {
    pub(crate) title: String,
    /// `None`: before the log-in, or where the log-in is not known.
    pub(crate) login: Option<&'a LoginSession>,
    section: Option<Section>,
    /// The message about the last action.
    pub(crate) notice: Option<&'static str>,
}

impl<'a> Layout<'a> {
    /// For a page of a section.
    pub(crate) fn of(
        login: &'a LoginSession,
        section: Section,
        title: impl Into<String>,
    ) -> Layout<'a> {
        Layout {
            title: title.into(),
            login: Some(login),
            section: Some(section),
            notice: None,
        }
    }

    /// For a page of no section.
    pub(super) fn of_page(login: &'a LoginSession, title: &str) -> Layout<'a> {
        Layout {
            title: title.to_owned(),
            login: Some(login),
            section: None,
            notice: None,
        }
    }

    /// For a page that has no log-in.
    pub(super) fn of_nobody(title: impl Into<String>) -> Layout<'static> {
        Layout {
            title: title.into(),
            login: None,
            section: None,
            notice: None,
        }
    }

    /// With the message about the last action, which the address names.
    pub(crate) fn after(
        mut self,
        done: &LastAction,
        sentences: &[(&str, &'static str)],
    ) -> Layout<'a> {
        let word = done.done.as_deref();
        let found = sentences
            .iter()
            .find(|(sentence_word, _)| Some(*sentence_word) == word);
        self.notice = found.map(|(_, sentence)| *sentence);
        self
    }

    /// The sections that this log-in may open.
    pub(crate) fn navigation(&self) -> Vec<NavigationLink> {
        let Some(login) = self.login else {
            return Vec::new();
        };
        SECTIONS
            .iter()
            .filter(|(_, _, _, role)| login.pending.is_none() && login.may(*role))
            .filter(|(section, ..)| login.has_password || *section != Section::Password)
            .map(|&(section, path, label, _)| NavigationLink {
                path,
                label,
                current: self.section == Some(section),
            })
            .collect()
    }

    /// The token for the forms of this page.
    pub(crate) fn form_token(&self) -> &str {
        self.login.map_or("", LoginSession::form_token)
    }

    /// The e-mail address that the member logs in with, for password managers.
    pub(crate) fn email(&self) -> &str {
        self.login.map_or("", |login| &login.member.email)
    }

    /// Whether the member has to choose another password first.
    pub(crate) fn must_change_password(&self) -> bool {
        self.login.is_some_and(|login| login.member.must_change)
    }

    /// The address of the style.
    pub(crate) fn style(&self) -> &'static str {
        &STYLE.path
    }

    /// The address of the icon.
    pub(crate) fn icon(&self) -> &'static str {
        &ICON.path
    }

    /// The element that loads the script.
    pub(crate) fn script(&self) -> &'static str {
        &SCRIPT.element
    }

    /// The element that loads the script of pages that ask for a passkey.
    pub(crate) fn passkey_script(&self) -> &'static str {
        &PASSKEY_SCRIPT.element
    }
}

/// The part of a page's address that names the last action.
#[derive(Default, Deserialize)]
pub(crate) struct LastAction {
    done: Option<String>,
}

/// A filled page with its headers.
pub(crate) fn show(status: StatusCode, template: &impl Template) -> Response {
    let mut page = web_pages::render(status, template);
    web_pages::protect(&mut page, POLICY);
    page.headers_mut().insert(
        HeaderName::from_static("cross-origin-opener-policy"),
        header::HeaderValue::from_static("same-origin"),
    );
    page
}

impl IntoResponse for OfficeError {
    fn into_response(self) -> Response {
        let (status, title, text) = match self {
            OfficeError::LoggedOut(next) => {
                return web_pages::see_other(&with_next("/office/login", next.as_deref()));
            }
            OfficeError::Pending(step, next) => {
                return web_pages::see_other(&with_next(step.page(), next.as_deref()));
            }
            OfficeError::Unconfirmed(next) => {
                return web_pages::see_other(&with_next("/office/confirm", Some(&next)));
            }
            OfficeError::Role(role) => (
                StatusCode::FORBIDDEN,
                "Not allowed",
                format!(
                    "Your role does not allow this: {} does. An administrator can change your role.",
                    role.label()
                ),
            ),
            OfficeError::Elsewhere => (
                StatusCode::FORBIDDEN,
                "Nothing was done",
                String::from(
                    "The form was not sent from a page of this log-in. Open the page again and send it from there.",
                ),
            ),
            OfficeError::NotFound => (
                StatusCode::NOT_FOUND,
                "Not found",
                String::from("There is nothing at this address."),
            ),
            OfficeError::Bad(text) => (StatusCode::BAD_REQUEST, "Nothing was done", text),
            OfficeError::Failed => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "Something went wrong",
                String::from("The gateway failed to do this. The cause is in its log."),
            ),
        };
        show(
            status,
            &RefusedPage {
                layout: Layout::of_nobody(title),
                text,
            },
        )
    }
}

/// The address of a page that then leads on to `next`.
pub(super) fn with_next(path: &str, next: Option<&str>) -> String {
    match next {
        None => path.to_owned(),
        Some(next) => {
            let next: String = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
            format!("{path}?next={next}")
        }
    }
}

#[derive(Template)]
#[template(path = "office-refused.html")]
struct RefusedPage {
    layout: Layout<'static>,
    text: String,
}

/// The sections in their order, with their first page and the role that may open it.
const SECTIONS: &[(Section, &str, &str, Role)] = &[
    (Section::Overview, "/office", "Overview", Role::Viewer),
    (Section::Orders, "/office/orders", "Orders", Role::Viewer),
    (
        Section::Disputes,
        "/office/disputes",
        "Disputes",
        Role::Viewer,
    ),
    (
        Section::Links,
        "/office/links",
        "Payment links",
        Role::Viewer,
    ),
    (
        Section::Contracts,
        "/office/contracts",
        "Contracts",
        Role::Viewer,
    ),
    (
        Section::Reservations,
        "/office/reservations",
        "Reservations",
        Role::Viewer,
    ),
    (
        Section::Approvals,
        "/office/approvals",
        "Approvals",
        Role::Operator,
    ),
    (
        Section::Notifications,
        "/office/notifications",
        "Notifications",
        Role::Viewer,
    ),
    (Section::Books, "/office/books", "Books", Role::Viewer),
    (
        Section::Settlement,
        "/office/settlement",
        "Settlement",
        Role::Viewer,
    ),
    (
        Section::Keys,
        "/office/keys",
        "API keys",
        Role::Administrator,
    ),
    (
        Section::CardTesting,
        "/office/card-testing",
        "Card testing",
        Role::Administrator,
    ),
    (
        Section::PageWatch,
        "/office/page-watch",
        "Watched pages",
        Role::Viewer,
    ),
    (
        Section::Members,
        "/office/members",
        "Members",
        Role::Administrator,
    ),
    (
        Section::Audit,
        "/office/audit",
        "Audit log",
        Role::Administrator,
    ),
    (
        Section::Password,
        "/office/password",
        "Your password",
        Role::Viewer,
    ),
    (
        Section::SecondFactor,
        "/office/second-factor",
        "Your second factor",
        Role::Viewer,
    ),
    (
        Section::LogIns,
        "/office/log-ins",
        "Your log-ins",
        Role::Viewer,
    ),
];

/// What a page may do: show our own style and pictures, run our own script, and send forms to us.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; \
                      frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_goes_through_the_log_in_as_it_is() {
        assert_eq!(
            with_next("/office/login", Some("/office/orders?q=a&b=1")),
            "/office/login?next=%2Foffice%2Forders%3Fq%3Da%26b%3D1"
        );
    }
}
