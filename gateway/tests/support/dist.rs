//! A very small built widget, in the form that the gateway reads.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha384};
use std::path::Path;

/// Writes all files into `folder`.
pub(crate) fn write(folder: &Path) {
    let write = |path: &str, text: &str| {
        let file = folder.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    };
    let mut scripts = Map::new();
    for (name, script) in SCRIPTS {
        write(&format!("sdk/{name}"), script);
        write(&format!("sdk/{RELEASE}/{name}"), script);
        let paths = json!({
            "path": format!("/sdk/{name}"), "releasePath": format!("/sdk/{RELEASE}/{name}"),
            "integrity": integrity(script.as_bytes()),
        });
        scripts.insert(name.to_owned(), paths);
    }
    write(
        "assets/methods/VISA.svg",
        "<svg xmlns='http://www.w3.org/2000/svg'/>",
    );
    write("assets/form-pass.0011223344556677.js", "{}");
    write("assets/hosted.0011223344556677.js", "export {};\n");
    let mut pages = Map::new();
    for name in PAGES {
        let (button, promise) = if ["form", "fields-host"].contains(&name) {
            (
                r#" data-button="{{button}}" data-cancellation="{{cancellation}}""#,
                r#"<p>{{summary}}</p><button>{{pay}}</button><noscript><a href="{{plain}}"></a></noscript>"#,
            )
        } else {
            ("", "")
        };
        let mut files = Map::new();
        for (language, tag) in [("eng", "en"), ("ita", "it")] {
            let path = format!("frame/{name}.{language}.html");
            let boot = r#"<script type="application/json" id="boot">{{boot}}</script>"#;
            write(
                &path,
                &format!(
                    r#"<html lang="{tag}" data-page="{name}" data-theme="{{{{theme}}}}"{button}>{{{{font}}}}{promise}{boot}"#
                ),
            );
            files.insert(language.to_owned(), Value::String(path));
        }
        let parts = json!({ "script": [HASH], "style": [HASH], "files": files });
        pages.insert(name.to_owned(), parts);
    }
    let manifest = json!({
        "release": RELEASE, "scripts": scripts, "pages": pages,
        "formPass": "/assets/form-pass.0011223344556677.js", "hosted": "/assets/hosted.0011223344556677.js",
        "glue": "/assets/payframe.0011223344556677.js", "wasm": "/assets/payframe_bg.8899aabbccddeeff.wasm",
    });
    write("manifest.json", &manifest.to_string());
}

/// The integrity value of a script's bytes.
pub(crate) fn integrity(script: &[u8]) -> String {
    format!("sha384-{}", STANDARD.encode(Sha384::digest(script)))
}

/// Name of the release.
pub(crate) const RELEASE: &str = "0.1.0-1a2b3c4d";

/// Hash of every page's script and style.
pub(crate) const HASH: &str = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

const SCRIPTS: [(&str, &str); 3] = [
    ("build.js", "window.Build = class {};\n"),
    ("fields.js", "export {};\n"),
    ("payframe.js", "export const here = 1;\n"),
];

const PAGES: [&str; 12] = [
    "form",
    "fields-host",
    "button",
    "gdi",
    "unavailable-field",
    "CARD_NUMBER",
    "EXPIRATION_DATE",
    "SECURITY_CODE",
    "CARDHOLDER_NAME",
    "CARDHOLDER_SURNAME",
    "CARDHOLDER_EMAIL",
    "PRIVACY_CONDITIONS",
];
