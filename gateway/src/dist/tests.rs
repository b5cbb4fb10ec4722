//! Tests of [`Dist`], and a dist folder for tests of other modules.

use super::*;
use crate::App;
use crate::config::{Config, Mode};
use axum::body::to_bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use payframe_payment_ports::Clock;
use serde_json::json;
use tempfile::TempDir;

/// What a route answered.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) async fn read(answer: Response) -> Answer {
        let (parts, body) = answer.into_parts();
        let bytes = to_bytes(body, 1 << 20).await.unwrap();
        Answer {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }
}

/// A dist folder with few files, with the structure of a real one.
pub(crate) struct MadeUpDist {
    pub(crate) folder: TempDir,
}

impl MadeUpDist {
    pub(crate) fn new() -> MadeUpDist {
        let made = MadeUpDist {
            folder: tempfile::tempdir().unwrap(),
        };
        made.write("sdk/payframe.js.br", "brotli of the shim");
        made.write("sdk/payframe.js.gz", "gzip of the shim");
        for (name, script) in SCRIPTS {
            made.write(&format!("sdk/{name}"), script);
            made.write(&format!("sdk/0.1.0-1a2b3c4d/{name}"), script);
        }
        made.write("assets/form-pass.0011223344556677.js", "{}");
        made.write("assets/hosted.0011223344556677.js", "export {};\n");
        made.write("assets/payframe.0011223344556677.js", "export {}");
        made.write("assets/payframe_bg.8899aabbccddeeff.wasm", "\0asm");
        for name in PageName::all().map(PageName::as_str) {
            let page = if ["form", "fields-host"].contains(&name) {
                FORM
            } else {
                FIELD
            };
            let page = page.replace("PAGE", name);
            made.write(
                &format!("frame/{name}.eng.html"),
                &page.replace("LANG", "en"),
            );
            made.write(
                &format!("frame/{name}.ita.html"),
                &page.replace("LANG", "it"),
            );
        }
        made.write("hosted/hosted.css", "/* style */");
        made.write("hosted/hosted.html", "a template");
        made.write("secret.txt", "not for anybody");
        made.write("manifest.json", &manifest().to_string());
        made
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn load(&self) -> Result<Dist, DistError> {
        Dist::load(DistFiles::of_folder(self.folder.path())?)
    }

    pub(crate) async fn app(&self) -> App {
        let config = Config {
            data: self.folder.path().join("data"),
            assets: Some(self.folder.path().to_owned()),
            ..Config::sandbox()
        };
        App::open(config, Clock::system()).await.unwrap()
    }
}

fn manifest() -> serde_json::Value {
    let scripts = SCRIPTS.map(|(name, script)| {
        let paths = json!({
            "path": format!("/sdk/{name}"), "releasePath": format!("/sdk/0.1.0-1a2b3c4d/{name}"),
            "integrity": script::integrity(script.as_bytes()),
        });
        (name.to_owned(), paths)
    });
    let pages = PageName::all().map(PageName::as_str).map(|name| {
        let files = json!({
            "eng": format!("frame/{name}.eng.html"), "ita": format!("frame/{name}.ita.html"),
        });
        let parts = json!({ "script": [HASH], "style": [HASH], "files": files });
        (name.to_owned(), parts)
    });
    json!({
        "release": "0.1.0-1a2b3c4d",
        "formPass": "/assets/form-pass.0011223344556677.js", "hosted": "/assets/hosted.0011223344556677.js",
        "scripts": serde_json::Map::from_iter(scripts),
        "glue": "/assets/payframe.0011223344556677.js", "wasm": "/assets/payframe_bg.8899aabbccddeeff.wasm",
        "pages": serde_json::Map::from_iter(pages),
    })
}

const SCRIPTS: [(&str, &str); 3] = [
    ("build.js", "window.Build = class {};\n"),
    ("fields.js", "export {};\n"),
    ("payframe.js", SHIM),
];
pub(crate) const SHIM: &str = "export const here = 1;\n";
pub(crate) const HASH: &str = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
const FORM: &str = r#"<!doctype html><html lang="LANG" data-page="PAGE" data-theme="{{theme}}" data-button="{{button}}" data-cancellation="{{cancellation}}">{{font}}<p>{{summary}}</p><button>{{pay}}</button><a href="{{plain}}"><script type="application/json" id="boot">{{boot}}</script>"#;
const FIELD: &str = r#"<!doctype html><html lang="LANG" data-page="PAGE" data-theme="{{theme}}">{{font}}<script type="application/json" id="boot">{{boot}}</script>"#;

#[test]
fn a_whole_dist_is_loaded() {
    let made = MadeUpDist::new();
    let dist = made.load().unwrap();
    assert_eq!(dist.release(), "0.1.0-1a2b3c4d");
    let listed = dist.integrity();
    let paths: Vec<_> = listed.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "/sdk/build.js",
            "/sdk/0.1.0-1a2b3c4d/build.js",
            "/sdk/fields.js",
            "/sdk/0.1.0-1a2b3c4d/fields.js",
            "/sdk/payframe.js",
            "/sdk/0.1.0-1a2b3c4d/payframe.js"
        ]
    );
    assert_eq!(listed[5].1, script::integrity(SHIM.as_bytes()));
    for name in PageName::all() {
        assert!(dist.page(name).is_some(), "{name:?}");
    }
}

#[test]
fn a_dist_whose_parts_do_not_belong_together_is_refused() {
    let made = MadeUpDist::new();
    made.write("sdk/payframe.js", "something else");
    assert_eq!(
        made.load().unwrap_err(),
        DistError::Integrity {
            path: "/sdk/payframe.js".to_owned()
        }
    );

    let made = MadeUpDist::new();
    made.write(
        "frame/form.ita.html",
        "{{theme}}{{button}}{{pay}}{{summary}}{{font}}{{plain}}",
    );
    assert!(matches!(made.load().unwrap_err(), DistError::Page { .. }));

    let made = MadeUpDist::new();
    std::fs::remove_file(made.folder.path().join("frame/form.eng.html")).unwrap();
    assert!(matches!(made.load().unwrap_err(), DistError::File { .. }));

    let made = MadeUpDist::new();
    made.write("frame/CARD_NUMBER.eng.html", "{{theme}}");
    assert!(matches!(made.load().unwrap_err(), DistError::Page { .. }));

    let without = |pointer: &str, name: &str| {
        let mut manifest = manifest();
        let parts = manifest.pointer_mut(pointer).unwrap();
        parts.as_object_mut().unwrap().remove(name).unwrap();
        let made = MadeUpDist::new();
        made.write("manifest.json", &manifest.to_string());
        made.load().unwrap_err()
    };
    for (pointer, name) in [
        ("/scripts", "build.js"),
        ("/pages", "form"),
        ("/pages", "unavailable-field"),
        ("/pages", "PRIVACY_CONDITIONS"),
        ("/pages/fields-host/files", "eng"),
        ("/pages/button", "script"),
    ] {
        let problem = without(pointer, name);
        assert!(
            matches!(problem, DistError::Manifest(_)),
            "{pointer} {name}: {problem}"
        );
    }

    let made = MadeUpDist::new();
    made.write("manifest.json", "{}");
    assert!(matches!(made.load().unwrap_err(), DistError::Manifest(_)));

    assert!(matches!(
        DistFiles::of_folder(std::path::Path::new("/nowhere")).unwrap_err(),
        DistError::File { .. }
    ));
}

/// The dist of a later release, which has another shim.
fn later_release() -> MadeUpDist {
    let made = MadeUpDist::new();
    let shim = "export const here = 2;\n";
    let mut manifest = manifest();
    manifest["release"] = json!("0.2.0-5e6f7a8b");
    for (name, script) in SCRIPTS {
        let script = if script == SHIM { shim } else { script };
        let path = format!("/sdk/0.2.0-5e6f7a8b/{name}");
        made.write(path.trim_start_matches('/'), script);
        made.write(&format!("sdk/{name}"), script);
        manifest["scripts"][name]["releasePath"] = json!(path);
        manifest["scripts"][name]["integrity"] = json!(script::integrity(script.as_bytes()));
    }
    std::fs::remove_dir_all(made.folder.path().join("sdk/0.1.0-1a2b3c4d")).unwrap();
    std::fs::remove_file(
        made.folder
            .path()
            .join("assets/payframe.0011223344556677.js"),
    )
    .unwrap();
    made.write("manifest.json", &manifest.to_string());
    made
}

async fn served(dist: &Dist, path: &str) -> Answer {
    Answer::read(dist.answer(path, &HeaderMap::new())).await
}

#[tokio::test]
async fn a_page_that_pinned_a_release_finds_it_after_an_update() {
    let folder = tempfile::tempdir().unwrap();
    let releases = folder.path().join("releases");
    let (before, after) = (MadeUpDist::new(), later_release());
    before.load().unwrap().keep(&releases).unwrap();
    let dist = after.load().unwrap().beside_earlier(&releases).unwrap();
    let later = "export const here = 2;\n";
    for (path, expected) in [
        ("sdk/0.1.0-1a2b3c4d/payframe.js", SHIM),
        ("sdk/0.2.0-5e6f7a8b/payframe.js", later),
        ("sdk/payframe.js", later),
        // What an open form loads of its own release.
        ("assets/payframe.0011223344556677.js", "export {}"),
    ] {
        let answer = served(&dist, path).await;
        assert_eq!(
            (answer.status, answer.text.as_str()),
            (StatusCode::OK, expected),
            "{path}"
        );
    }
    let unknown = served(&dist, "sdk/0.0.9-00000000/payframe.js").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    assert_eq!(dist.release(), "0.2.0-5e6f7a8b");
}

#[tokio::test]
async fn an_earlier_release_that_was_changed_is_not_served() {
    let folder = tempfile::tempdir().unwrap();
    MadeUpDist::new()
        .load()
        .unwrap()
        .keep(folder.path())
        .unwrap();
    let pinned = "sdk/0.1.0-1a2b3c4d/payframe.js";
    std::fs::write(
        folder.path().join("0.1.0-1a2b3c4d").join(pinned),
        "something else",
    )
    .unwrap();
    let after = later_release();
    let dist = after.load().unwrap().beside_earlier(folder.path()).unwrap();
    assert_eq!(served(&dist, pinned).await.status, StatusCode::NOT_FOUND);
}

#[test]
fn a_release_is_kept_once_and_the_first_start_finds_none() {
    let folder = tempfile::tempdir().unwrap();
    let releases = folder.path().join("releases");
    let made = MadeUpDist::new();
    let dist = made.load().unwrap().beside_earlier(&releases).unwrap();
    assert!(dist.earlier.is_empty());
    let unfinished = releases.join(format!("unfinished-{}", std::process::id()));
    std::fs::create_dir_all(&unfinished).unwrap();
    std::fs::write(
        unfinished.join("secret.txt"),
        "of a process that was killed",
    )
    .unwrap();
    for _ in 0..2 {
        dist.keep(&releases).unwrap();
    }
    let kept: Vec<_> = std::fs::read_dir(&releases)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(kept, ["0.1.0-1a2b3c4d"]);
    let kept = releases.join("0.1.0-1a2b3c4d");
    assert!(
        kept.join("assets/payframe_bg.8899aabbccddeeff.wasm")
            .exists()
    );
    for other in ["secret.txt", "frame", "hosted", "sdk/payframe.js"] {
        assert!(!kept.join(other).exists(), "{other}");
    }
}

#[tokio::test]
async fn a_production_gateway_keeps_its_scripts_and_a_sandbox_does_not() {
    for (mode, is_kept) in [(Mode::Production, true), (Config::sandbox().mode, false)] {
        let made = MadeUpDist::new();
        let config = Config {
            mode,
            data: made.folder.path().join("data"),
            assets: Some(made.folder.path().to_owned()),
            ..Config::sandbox()
        };
        let releases = config.releases();
        App::open(config, Clock::system()).await.unwrap();
        assert_eq!(releases.join("0.1.0-1a2b3c4d").exists(), is_kept);
    }
}

#[test]
fn only_hashes_get_into_the_policy() {
    for (text, expected) in [
        (HASH, true),
        ("sha256-", false),
        ("sha384-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", false),
        ("sha256-x' 'unsafe-inline", false),
    ] {
        assert_eq!(is_hash(text), expected, "{text}");
    }
}
