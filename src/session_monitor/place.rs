//! What the issuer's frame shows, derived from the address of its document. Reads nothing from the browser.

/// The address of a frame's document, if it may be read: that of a document of our own origin, or of an empty one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its whole address.
    pub href: String,
    /// Its origin.
    pub origin: String,
    /// Its path.
    pub path: String,
}

/// What a frame shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing yet.
    Nothing,
    /// A document of this challenge.
    Ours,
    /// Another document, or an error of the browser.
    Other,
}

impl Content {
    /// The content of a frame that should show the challenge at `address`. `place`: `None` if it can not be read. A document that the merchant's
    /// page puts there, even an empty one, has that page's origin and can not be read from here.
    pub fn of(place: Option<&Place>, own_origin: &str, address: &str) -> Self {
        let Some(place) = place else {
            return Self::Other;
        };
        if place.href == "about:blank" {
            return Self::Nothing;
        }
        let token = token(path_of(address));
        if place.origin == own_origin && token.is_some() && self::token(&place.path) == token {
            Self::Ours
        } else {
            Self::Other
        }
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
    fn at(origin: &str, path: &str) -> Content {
        let place = Place {
            href: [origin, path].concat(),
            origin: origin.into(),
            path: path.into(),
        };
        Content::of(Some(&place), OWN, ADDRESS)
    }

    #[test]
    fn only_documents_of_this_very_challenge_are_ours() {
        for (path, expected) in [
            ("/threeds/challenge/abc", Content::Ours),
            ("/threeds/return/abc", Content::Ours),
            ("/threeds/challenge/abc/", Content::Ours),
            ("/threeds/challenge/other", Content::Other),
            ("/threeds/challenge/", Content::Other),
            ("/threeds/challenge", Content::Other),
            ("/threeds/abc", Content::Other),
            ("/health", Content::Other),
            ("/form/abc/abc", Content::Other),
            ("/x/threeds/challenge/abc", Content::Other),
            ("/", Content::Other),
        ] {
            assert_eq!(at(OWN, path), expected, "{path}");
        }
    }

    #[test]
    fn same_path_of_another_origin_is_not_ours() {
        for origin in ["https://shop.example", "https://pay.example.evil", "null"] {
            assert_eq!(at(origin, "/threeds/challenge/abc"), Content::Other);
        }
    }

    #[test]
    fn what_can_not_be_read_is_not_ours() {
        assert_eq!(Content::of(None, OWN, ADDRESS), Content::Other);
    }

    #[test]
    fn an_empty_document_of_ours_is_nothing_yet() {
        let place = Place {
            href: "about:blank".into(),
            origin: OWN.into(),
            path: "blank".into(),
        };
        assert_eq!(Content::of(Some(&place), OWN, ADDRESS), Content::Nothing);
    }

    #[test]
    fn challenge_without_a_token_of_its_own_has_no_document() {
        let place = Place {
            href: "https://pay.example/threeds/challenge/".into(),
            origin: OWN.into(),
            path: "/threeds/challenge/".into(),
        };
        assert_eq!(
            Content::of(Some(&place), OWN, "https://pay.example/threeds/challenge/"),
            Content::Other
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
