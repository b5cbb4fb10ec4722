//! What the issuer's frame shows, derived from the address of its document. Reads nothing from the browser.

use payframe_checkout_flow::flow::FrameContent;

/// The address of a frame's document, if it may be read: that of a document of our own origin, or of an empty one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Its whole address.
    pub(super) href: String,
    /// Its origin.
    pub(super) origin: String,
    /// Its path.
    pub(super) path: String,
}

/// The content of a frame that should show the challenge at `address`. `place`: `None` if it can not be read. A document that the merchant's
/// page puts there, even an empty one, has that page's origin and can not be read from here.
pub(super) fn content(place: Option<&Place>, own_origin: &str, address: &str) -> FrameContent {
    let Some(place) = place else {
        return FrameContent::Other;
    };
    if place.href == "about:blank" {
        return FrameContent::Nothing;
    }
    let token = token(path_of(address));
    if place.origin == own_origin && token.is_some() && self::token(&place.path) == token {
        FrameContent::Ours
    } else {
        FrameContent::Other
    }
}

/// The part of a path that identifies the challenge: `/threeds/{page}/{token}`.
fn token(path: &str) -> Option<&str> {
    let mut parts = path.strip_prefix("/threeds/")?.split('/');
    parts.next()?;
    parts.next().filter(|token| !token.is_empty())
}

/// The path of an address with or without an origin.
fn path_of(address: &str) -> &str {
    let path = match address.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("", |start| &rest[start..]),
        None => address,
    };
    path.split(['?', '#']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "https://pay.example";
    const ADDRESS: &str = "https://pay.example/threeds/challenge/abc?lang=en";

    /// A readable document at this path of this origin.
    fn at(origin: &str, path: &str) -> FrameContent {
        let place = Place {
            href: [origin, path].concat(),
            origin: origin.into(),
            path: path.into(),
        };
        content(Some(&place), OWN, ADDRESS)
    }

    #[test]
    fn only_documents_of_this_very_challenge_are_ours() {
        for (path, expected) in [
            ("/threeds/challenge/abc", FrameContent::Ours),
            ("/threeds/return/abc", FrameContent::Ours),
            ("/threeds/challenge/abc/", FrameContent::Ours),
            ("/threeds/challenge/other", FrameContent::Other),
            ("/threeds/challenge/", FrameContent::Other),
            ("/threeds/challenge", FrameContent::Other),
            ("/threeds/abc", FrameContent::Other),
            ("/health", FrameContent::Other),
            ("/form/abc/abc", FrameContent::Other),
            ("/x/threeds/challenge/abc", FrameContent::Other),
            ("/", FrameContent::Other),
        ] {
            assert_eq!(at(OWN, path), expected, "{path}");
        }
    }

    #[test]
    fn same_path_of_another_origin_is_not_ours() {
        for origin in ["https://shop.example", "https://pay.example.evil", "null"] {
            assert_eq!(at(origin, "/threeds/challenge/abc"), FrameContent::Other);
        }
    }

    #[test]
    fn what_can_not_be_read_is_not_ours() {
        assert_eq!(content(None, OWN, ADDRESS), FrameContent::Other);
    }

    #[test]
    fn an_empty_document_of_ours_is_nothing_yet() {
        let place = Place {
            href: "about:blank".into(),
            origin: OWN.into(),
            path: "blank".into(),
        };
        assert_eq!(content(Some(&place), OWN, ADDRESS), FrameContent::Nothing);
    }

    #[test]
    fn challenge_without_a_token_of_its_own_has_no_document() {
        let place = Place {
            href: "https://pay.example/threeds/challenge/".into(),
            origin: OWN.into(),
            path: "/threeds/challenge/".into(),
        };
        assert_eq!(
            content(Some(&place), OWN, "https://pay.example/threeds/challenge/"),
            FrameContent::Other
        );
    }

    #[test]
    fn path_is_what_stands_between_origin_and_query() {
        for (address, expected) in [
            (ADDRESS, "/threeds/challenge/abc"),
            ("/threeds/challenge/abc#end", "/threeds/challenge/abc"),
            ("http://127.0.0.1:8080/a?b=://c/d", "/a"),
            ("https://pay.example", ""),
        ] {
            assert_eq!(path_of(address), expected, "{address}");
        }
    }
}
