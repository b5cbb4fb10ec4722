//! Scripts of pages, each with the hash that `Integrity-Policy` demands ([`crate::protect`] sends it with every page).
//!
//! [`PageScript`] is for scripts that are part of the program. Scripts of the built widget have their own addresses and only need [`element`].

use axum::http::header;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest, Sha256, Sha384};
use std::fmt;

/// A module script that is part of the program. Its address contains its hash, so a page never gets the script of another release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageScript {
    path: String,
    element: String,
    text: &'static str,
}

impl PageScript {
    /// `name`: below `/assets`, without the ending, such as `issuer/device`.
    pub fn new(name: &str, text: &'static str) -> PageScript {
        let hash = hex::encode(&Sha256::digest(text)[..8]);
        let path = format!("/assets/{name}.{hash}.js");
        PageScript {
            element: element(&path, &integrity(text.as_bytes())),
            path,
            text,
        }
    }

    /// Where it is served.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The script itself. Frames in an origin of their own load it too, so every origin may.
    pub fn answer(&self) -> Response {
        let mut answer = crate::static_file("text/javascript; charset=utf-8", self.text);
        let caching = header::HeaderValue::from_static("public, max-age=31536000, immutable");
        answer.headers_mut().insert(header::CACHE_CONTROL, caching);
        answer.into_response()
    }
}

/// The element that loads it.
impl fmt::Display for PageScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.element)
    }
}

/// The element that loads a module. `path`: an address of ours, without characters that HTML escapes.
pub fn element(path: &str, integrity: &str) -> String {
    format!("<script type=\"module\" src=\"{path}\" integrity=\"{integrity}\"></script>")
}

/// The value of the attribute `integrity` for a script.
pub fn integrity(script: &[u8]) -> String {
    format!("sha384-{}", BASE64.encode(Sha384::digest(script)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn element_names_address_and_hash() {
        let script = PageScript::new("issuer/device", "abc");
        assert_eq!(script.path(), "/assets/issuer/device.ba7816bf8f01cfea.js");
        // printf abc | openssl dgst -sha384 -binary | base64
        assert_eq!(
            script.to_string(),
            "<script type=\"module\" src=\"/assets/issuer/device.ba7816bf8f01cfea.js\" \
             integrity=\"sha384-ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn\"></script>"
        );
    }
}
