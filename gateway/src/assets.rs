//! The built widget: what `cargo xtask build` writes into the dist folder, and how browsers get it.
//!
//! [`Dist::load`] reads the manifest and the built pages once. It refuses a dist whose parts do not belong
//! together. The files are served from disk, compressed at build time: `/sdk/*` is for
//! merchants' pages, `/assets/*` for our own frames. Other files of the dist are not served, and
//! no folder is listed.

use crate::App;
use crate::config::Mode;
use crate::pages::built::{BuiltPage, PageName};
use crate::pages::language::FALLBACK_LANGUAGE;
use crate::pages::template::{Marks, PageTemplate, TemplateError};
use axum::Router;
use axum::body::Body;
use axum::extract::{Path as UrlPath, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use payframe_payment_domain::method::Method;
use payframe_protocol::boot::BootMethod;
use serde::Deserialize;
use sha2::{Digest, Sha384};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use thiserror::Error;
use tower::ServiceExt as _;
use tower_http::services::fs::ServeFileSystemResponseBody;
use tower_http::services::{ServeDir, ServeFile};

/// Routes of the built files.
pub fn router(mode: Mode) -> Router<App> {
    let of_sandbox = match mode {
        Mode::Sandbox(_) => Router::new().route("/assets/threeds/{file}", get(sandbox_file)),
        Mode::Production => Router::new(),
    };
    Router::new()
        .route("/sdk/{file}", get(current_sdk))
        .route("/sdk/{release}/{file}", get(released_file))
        .route("/assets/{file}", get(released_file))
        .route("/assets/methods/{file}", get(picture))
        .route("/assets/hosted/{file}", get(hosted_file))
        .merge(of_sandbox)
}

/// The built widget. Made once, at start.
#[derive(Clone, Debug)]
pub struct Dist {
    root: PathBuf,
    release: String,
    integrity: Vec<(String, String)>,
    pages: Vec<(PageName, BuiltPage)>,
}

impl Dist {
    /// Reads manifest and pages of the dist in `dir`, and checks that the scripts are those that the manifest names.
    pub fn load(dir: &Path) -> Result<Dist, DistError> {
        let mut manifest: Manifest = serde_json::from_str(&read(dir, "manifest.json")?)
            .map_err(|problem| DistError::Manifest(problem.to_string()))?;
        let pages = PageName::all()
            .map(|name| {
                let parts = manifest
                    .pages
                    .remove(name.as_str())
                    .ok_or_else(|| DistError::Manifest(format!("no page `{}`", name.as_str())))?;
                Ok((name, built_page(dir, name, parts)?))
            })
            .collect::<Result<_, DistError>>()?;
        Ok(Dist {
            root: dir.to_owned(),
            integrity: integrity(dir, manifest.scripts)?,
            release: manifest.release,
            pages,
        })
    }

    /// Path and integrity value of each script that merchants load; the current browser SDK first. Of each script
    /// the current path comes before that of the release.
    pub fn integrity(&self) -> Vec<(String, String)> {
        self.integrity.clone()
    }

    /// Version and hash of all files that ship, e.g. `0.1.0-1a2b3c4d`.
    pub fn release(&self) -> &str {
        &self.release
    }

    /// The path of the shim of this release, whose bytes never change.
    pub(crate) fn sdk_path(&self) -> String {
        format!("/sdk/{}/payframe.js", self.release)
    }

    /// The page with this name. [`Dist::load`] refuses a dist that lacks one.
    pub(crate) fn page(&self, name: PageName) -> Option<&BuiltPage> {
        self.pages
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, page)| page)
    }

    /// Names the pictures of the methods that a form shows.
    pub(crate) fn add_method_pictures(&self, methods: &mut [BootMethod]) {
        for shown in methods {
            let method = Method::from_code(&shown.id);
            shown.picture = method.and_then(|method| self.method_picture(method.circuit()));
        }
    }

    /// The path under which the picture of a method is served; `None` where there is none.
    pub(crate) fn method_picture(&self, circuit: &str) -> Option<String> {
        let path = format!("assets/methods/{circuit}.svg");
        self.root.join(&path).is_file().then(|| format!("/{path}"))
    }
}

/// Checks every script against its hash and lists them, the browser SDK first.
fn integrity(
    dir: &Path,
    mut scripts: BTreeMap<String, ScriptPaths>,
) -> Result<Vec<(String, String)>, DistError> {
    let sdk = scripts
        .remove(SDK)
        .ok_or_else(|| DistError::Manifest(format!("no script `{SDK}`")))?;
    let mut listed = Vec::new();
    for script in std::iter::once(sdk).chain(scripts.into_values()) {
        for path in [script.path, script.release_path] {
            let found = sha384(&read_bytes(dir, path.trim_start_matches('/'))?);
            if found != script.integrity {
                return Err(DistError::Integrity { path });
            }
            listed.push((path, found));
        }
    }
    Ok(listed)
}

fn built_page(dir: &Path, name: PageName, parts: PageParts) -> Result<BuiltPage, DistError> {
    let marks = match name {
        PageName::Form | PageName::FieldsHost => Marks::WithButton,
        _ => Marks::WithoutButton,
    };
    let mut languages = BTreeMap::new();
    for (language, path) in parts.files {
        let template = PageTemplate::parse(&read(dir, &path)?, marks)
            .map_err(|problem| DistError::Page { path, problem })?;
        languages.insert(language, template);
    }
    if !languages.contains_key(FALLBACK_LANGUAGE) {
        return Err(DistError::Manifest(format!(
            "the page `{}` is not there in `{FALLBACK_LANGUAGE}`",
            name.as_str()
        )));
    }
    let mut hashes = parts.script.iter().chain(&parts.style);
    if let Some(odd) = hashes.find(|hash| !is_hash(hash)) {
        return Err(DistError::Manifest(format!(
            "`{odd}` is not a hash for a Content-Security-Policy"
        )));
    }
    Ok(BuiltPage {
        languages,
        script_hashes: parts.script,
        style_hashes: parts.style,
    })
}

/// Why there is no built widget.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DistError {
    /// A file cannot be read.
    #[error("{} cannot be read: {cause}", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// The system's error.
        cause: std::io::ErrorKind,
    },
    /// The manifest does not have our format.
    #[error("manifest.json: {0}")]
    Manifest(String),
    /// A script is not the one that the manifest names: the dist was changed or only half copied.
    #[error("{path} is not the file that manifest.json names")]
    Integrity {
        /// Path of the script on the gateway.
        path: String,
    },
    /// A page cannot be filled.
    #[error("{path}: {problem}")]
    Page {
        /// Path below the dist folder.
        path: String,
        /// What is wrong with it.
        #[source]
        problem: TemplateError,
    },
}

#[derive(Deserialize)]
struct Manifest {
    release: String,
    /// By file name.
    scripts: BTreeMap<String, ScriptPaths>,
    /// By [`PageName`].
    pages: BTreeMap<String, PageParts>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ScriptPaths {
    path: String,
    release_path: String,
    integrity: String,
}

/// A page: the hashes of its inline scripts and styles, and a file for each language.
#[derive(Deserialize)]
struct PageParts {
    script: Vec<String>,
    style: Vec<String>,
    files: BTreeMap<String, String>,
}

/// `/sdk/payframe.js` and the other scripts of the current release. Browsers ask again after five minutes.
async fn current_sdk(State(app): State<App>, request: Request) -> Response {
    from_disk(&app, request, "public, max-age=300").await
}

/// A path that contains its release or its hash: its bytes never change.
async fn released_file(State(app): State<App>, request: Request) -> Response {
    from_disk(&app, request, "public, max-age=31536000, immutable").await
}

/// A picture of a network or method, under its plain name.
async fn picture(State(app): State<App>, request: Request) -> Response {
    from_disk(&app, request, "public, max-age=86400").await
}

/// Style and script of the sandbox's own pages.
async fn sandbox_file(
    State(app): State<App>,
    UrlPath(file): UrlPath<String>,
    request: Request,
) -> Response {
    one_of(&app, "threeds", &SANDBOX_FILES, &file, request).await
}

/// Styles and script of the hosted payment page.
async fn hosted_file(
    State(app): State<App>,
    UrlPath(file): UrlPath<String>,
    request: Request,
) -> Response {
    one_of(&app, "hosted", &HOSTED_FILES, &file, request).await
}

/// Serves a file of a folder of the dist if it is one of `names`. The list is explicit because the markup of the
/// pages is in the same folder.
async fn one_of(app: &App, folder: &str, names: &[&str], file: &str, request: Request) -> Response {
    let (Some(dist), Some(name)) = (app.dist(), names.iter().find(|name| **name == file)) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let service = ServeFile::new(dist.root.join(folder).join(name))
        .precompressed_br()
        .precompressed_gzip();
    finish(service.oneshot(request).await, "public, max-age=300")
}

/// Serves the file whose path in the dist is the request's own path. `ServeDir` refuses paths that leave the dist.
async fn from_disk(app: &App, request: Request, caching: &'static str) -> Response {
    let path = request.uri().path();
    // A path that the file system can not look up (with a zero byte, or too long) would otherwise be answered as our failure.
    let may_be_there = path.len() <= LONGEST_PATH
        && path
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte));
    let Some(dist) = app.dist().filter(|_| may_be_there) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let service = ServeDir::new(&dist.root)
        .append_index_html_on_directories(false)
        .precompressed_br()
        .precompressed_gzip();
    finish(service.oneshot(request).await, caching)
}

/// Longer than the path of any file in a dist.
const LONGEST_PATH: usize = 200;

type FileAnswer = axum::http::Response<ServeFileSystemResponseBody>;

fn finish(answer: Result<FileAnswer, Infallible>, caching: &'static str) -> Response {
    let Ok(answer) = answer;
    // `ServeDir` answers a folder with a redirect to the same path with a slash. The dist serves no folders.
    if answer.status() == StatusCode::NOT_FOUND || answer.headers().contains_key(header::LOCATION) {
        return StatusCode::NOT_FOUND.into_response();
    }
    let mut answer = answer.map(Body::new);
    let keeps = answer.status().is_success() || answer.status() == StatusCode::NOT_MODIFIED;
    let caching = if keeps { caching } else { "no-store" };
    for (name, value) in [
        (header::CACHE_CONTROL, caching),
        (header::VARY, "accept-encoding"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "cross-origin",
        ),
    ] {
        answer
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    answer
}

fn read(dir: &Path, path: &str) -> Result<String, DistError> {
    String::from_utf8(read_bytes(dir, path)?).map_err(|_| DistError::File {
        path: dir.join(path),
        cause: std::io::ErrorKind::InvalidData,
    })
}

fn read_bytes(dir: &Path, path: &str) -> Result<Vec<u8>, DistError> {
    let path = dir.join(path);
    std::fs::read(&path).map_err(|problem| DistError::File {
        path,
        cause: problem.kind(),
    })
}

fn sha384(bytes: &[u8]) -> String {
    format!("sha384-{}", BASE64.encode(Sha384::digest(bytes)))
}

/// Whether `text` may stand between the quotes of a policy's hash.
fn is_hash(text: &str) -> bool {
    text.strip_prefix("sha256-")
        .and_then(|digest| BASE64.decode(digest).ok())
        .is_some_and(|digest| digest.len() == 32)
}

/// The script that `GET /build/integrity` describes (contract 4.4).
const SDK: &str = "build.js";

const HOSTED_FILES: [&str; 3] = ["hosted.css", "hosted.js", "terms.css"];

const SANDBOX_FILES: [&str; 5] = [
    "page.css",
    "device.js",
    "challenge.js",
    "return.js",
    "step-return.js",
];

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::config::Config;
    use axum::body::to_bytes;
    use axum::http::{HeaderMap, Method};
    use payframe_payment_ports::Clock;
    use serde_json::json;
    use tempfile::TempDir;

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
            for name in SANDBOX_FILES {
                made.write(&format!("threeds/{name}"), "/* sandbox */");
            }
            made.write("threeds/challenge.html", "a template");
            made.write("secret.txt", "not for anybody");
            made.write("manifest.json", &manifest().to_string());
            made
        }

        pub(crate) fn write(&self, path: &str, text: &str) {
            let path = self.folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }

        pub(crate) async fn app(&self) -> App {
            let config = Config {
                data: self.folder.path().join("data"),
                assets: self.folder.path().to_owned(),
                ..Config::sandbox()
            };
            App::open(config, Clock::system()).await.unwrap()
        }
    }

    fn manifest() -> serde_json::Value {
        let scripts = SCRIPTS.map(|(name, script)| {
            let paths = json!({
                "path": format!("/sdk/{name}"), "releasePath": format!("/sdk/0.1.0-1a2b3c4d/{name}"),
                "integrity": sha384(script.as_bytes()),
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
    const SHIM: &str = "export const here = 1;\n";
    pub(crate) const HASH: &str = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
    const FORM: &str = r#"<!doctype html><html lang="LANG" data-page="PAGE" data-theme="{{theme}}" data-button="{{button}}">{{font}}<p>{{promise}}</p><button>{{pay}}</button><script type="application/json" id="boot">{{boot}}</script>"#;
    const FIELD: &str = r#"<!doctype html><html lang="LANG" data-page="PAGE" data-theme="{{theme}}">{{font}}<script type="application/json" id="boot">{{boot}}</script>"#;

    struct Answer {
        status: StatusCode,
        headers: HeaderMap,
        text: String,
    }

    impl Answer {
        fn header(&self, name: &str) -> &str {
            self.headers
                .get(name)
                .map_or("", |value| value.to_str().unwrap())
        }
    }

    async fn ask(app: &App, method: Method, path: &str, encodings: &str) -> Answer {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("accept-encoding", encodings)
            .body(Body::empty())
            .unwrap();
        let answer = crate::router(app.clone()).oneshot(request).await.unwrap();
        let (parts, body) = answer.into_parts();
        let bytes = to_bytes(body, 1 << 20).await.unwrap();
        Answer {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    #[test]
    fn a_whole_dist_is_loaded() {
        let made = MadeUpDist::new();
        let dist = Dist::load(made.folder.path()).unwrap();
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
        assert_eq!(listed[5].1, sha384(SHIM.as_bytes()));
        for name in PageName::all() {
            assert!(dist.page(name).is_some(), "{name:?}");
        }
    }

    #[test]
    fn a_dist_whose_parts_do_not_belong_together_is_refused() {
        let made = MadeUpDist::new();
        made.write("sdk/payframe.js", "something else");
        assert_eq!(
            Dist::load(made.folder.path()).unwrap_err(),
            DistError::Integrity {
                path: "/sdk/payframe.js".to_owned()
            }
        );

        let made = MadeUpDist::new();
        made.write(
            "frame/form.ita.html",
            "{{theme}}{{button}}{{pay}}{{promise}}{{font}}",
        );
        assert!(matches!(
            Dist::load(made.folder.path()).unwrap_err(),
            DistError::Page { .. }
        ));

        let made = MadeUpDist::new();
        std::fs::remove_file(made.folder.path().join("frame/form.eng.html")).unwrap();
        assert!(matches!(
            Dist::load(made.folder.path()).unwrap_err(),
            DistError::File { .. }
        ));

        let made = MadeUpDist::new();
        made.write("frame/CARD_NUMBER.eng.html", "{{theme}}");
        assert!(matches!(
            Dist::load(made.folder.path()).unwrap_err(),
            DistError::Page { .. }
        ));

        let without = |pointer: &str, name: &str| {
            let mut manifest = manifest();
            let parts = manifest.pointer_mut(pointer).unwrap();
            parts.as_object_mut().unwrap().remove(name).unwrap();
            let made = MadeUpDist::new();
            made.write("manifest.json", &manifest.to_string());
            Dist::load(made.folder.path()).unwrap_err()
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
        assert!(matches!(
            Dist::load(made.folder.path()).unwrap_err(),
            DistError::Manifest(_)
        ));

        assert!(matches!(
            Dist::load(Path::new("/nowhere")).unwrap_err(),
            DistError::File { .. }
        ));
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

    #[tokio::test]
    async fn the_sdk_is_for_everybody_and_fresh_within_five_minutes() {
        let made = MadeUpDist::new();
        let app = made.app().await;
        let plain = ask(&app, Method::GET, "/sdk/payframe.js", "identity").await;
        assert_eq!(plain.status, StatusCode::OK);
        assert_eq!(plain.text, SHIM);
        assert_eq!(plain.header("content-type"), "text/javascript");
        assert_eq!(plain.header("cache-control"), "public, max-age=300");
        assert_eq!(plain.header("access-control-allow-origin"), "*");
        assert_eq!(plain.header("cross-origin-resource-policy"), "cross-origin");
        assert_eq!(plain.header("x-content-type-options"), "nosniff");
        let released = ask(
            &app,
            Method::GET,
            "/sdk/0.1.0-1a2b3c4d/payframe.js",
            "identity",
        )
        .await;
        assert_eq!(released.text, SHIM);
        assert_eq!(
            released.header("cache-control"),
            "public, max-age=31536000, immutable"
        );
    }

    #[tokio::test]
    async fn existing_pages_have_the_class_build_from_its_former_address() {
        let made = MadeUpDist::new();
        let app = made.app().await;
        let present = ask(&app, Method::GET, "/sdk/build.js", "identity").await;
        let former = "/monetaweb/resources/hfsdk.js";
        let answer = ask(&app, Method::GET, former, "identity").await;
        assert_eq!(
            (answer.status, &answer.text),
            (StatusCode::OK, &present.text)
        );
        assert_eq!(answer.header("content-type"), "text/javascript");
        assert_eq!(answer.header("cache-control"), "public, max-age=300");
        let other = ask(
            &app,
            Method::GET,
            "/monetaweb/resources/other.js",
            "identity",
        )
        .await;
        assert_eq!(other.status, StatusCode::NOT_FOUND);
    }

    #[tokio::test]
    async fn what_was_compressed_at_build_time_is_sent_to_whoever_takes_it() {
        let made = MadeUpDist::new();
        let app = made.app().await;
        for (encodings, sent, text) in [
            ("gzip, deflate, br, zstd", "br", "brotli of the shim"),
            ("gzip", "gzip", "gzip of the shim"),
            ("br;q=0, gzip", "gzip", "gzip of the shim"),
            ("identity", "", SHIM),
            ("", "", SHIM),
        ] {
            let answer = ask(&app, Method::GET, "/sdk/payframe.js", encodings).await;
            assert_eq!(answer.header("content-encoding"), sent, "{encodings}");
            assert_eq!(answer.text, text, "{encodings}");
            assert_eq!(answer.header("content-type"), "text/javascript");
            assert_eq!(answer.header("vary"), "accept-encoding");
        }
    }

    #[tokio::test]
    async fn hashed_assets_never_change() {
        let made = MadeUpDist::new();
        let app = made.app().await;
        let wasm = ask(
            &app,
            Method::GET,
            "/assets/payframe_bg.8899aabbccddeeff.wasm",
            "br",
        )
        .await;
        assert_eq!(wasm.header("content-type"), "application/wasm");
        assert_eq!(
            wasm.header("cache-control"),
            "public, max-age=31536000, immutable"
        );
        assert_eq!(wasm.header("access-control-allow-origin"), "*");
        let head = ask(
            &app,
            Method::HEAD,
            "/assets/payframe.0011223344556677.js",
            "br",
        )
        .await;
        assert_eq!((head.status, head.text.as_str()), (StatusCode::OK, ""));
    }

    #[tokio::test]
    async fn nothing_else_of_the_dist_is_served() {
        let made = MadeUpDist::new();
        let app = made.app().await;
        for path in [
            "/sdk/",
            "/sdk/0.1.0-1a2b3c4d",
            "/sdk/0.1.0-1a2b3c4d/",
            "/assets/",
            "/assets/none.js",
            "/assets/threeds",
            "/assets/threeds/challenge.html",
            "/assets/threeds/..%2fmanifest.json",
            "/sdk/..%2fsecret.txt",
            "/sdk/%2e%2e/secret.txt",
            "/sdk/../secret.txt",
            "/assets/..%2f..%2fetc%2fpasswd",
            "/sdk/%00",
            "/manifest.json",
            "/frame/form.eng.html",
        ] {
            let answer = ask(&app, Method::GET, path, "identity").await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
            assert!(!answer.text.contains("not for anybody"), "{path}");
            assert_eq!(answer.header("cache-control"), "", "{path}");
        }
        assert_eq!(
            ask(&app, Method::GET, "/assets/threeds/page.css", "identity")
                .await
                .status,
            StatusCode::OK
        );
        assert_eq!(
            ask(&app, Method::POST, "/sdk/payframe.js", "identity")
                .await
                .status,
            StatusCode::METHOD_NOT_ALLOWED
        );
    }
}
