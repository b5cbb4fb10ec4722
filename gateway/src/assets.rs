//! The built widget: what `cargo xtask build` left in the dist folder, and how browsers get it.
//!
//! [`Dist::load`] reads the manifest and the form pages once, and refuses a dist whose parts do not belong
//! together. The files themselves are served from disk, compressed at build time: `/sdk/*` is for
//! merchants' pages, `/assets/*` for our own frames. Whatever else lies in the dist is not served, and
//! no folder is ever listed.

use crate::App;
use crate::pages::form_template::{FormTemplate, TemplateProblem};
use axum::Router;
use axum::body::Body;
use axum::extract::{Path as UrlPath, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Deserialize;
use sha2::{Digest, Sha384};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::path::{Path, PathBuf};
use tower::ServiceExt as _;
use tower_http::services::fs::ServeFileSystemResponseBody;
use tower_http::services::{ServeDir, ServeFile};

/// Routes of the built files.
pub fn router() -> Router<App> {
    Router::new()
        .route("/sdk/{file}", get(current_sdk))
        .route("/sdk/{release}/{file}", get(released_file))
        .route("/assets/{file}", get(released_file))
        .route("/assets/methods/{file}", get(picture))
        .route("/assets/threeds/{file}", get(sandbox_file))
}

/// The built widget. Made once, at start.
#[derive(Clone, Debug)]
pub struct Dist {
    root: PathBuf,
    release: String,
    integrity: Vec<(String, String)>,
    forms: BTreeMap<String, FormTemplate>,
    script_hashes: Vec<String>,
    style_hashes: Vec<String>,
}

impl Dist {
    /// Reads manifest and pages of the dist in `dir`, and checks that the script is the one that the manifest names.
    pub fn load(dir: &Path) -> Result<Dist, DistProblem> {
        let manifest: Manifest = serde_json::from_str(&read(dir, "manifest.json")?)
            .map_err(|problem| DistProblem::Manifest(problem.to_string()))?;
        for path in [&manifest.sdk.path, &manifest.sdk.release_path] {
            let found = sha384(&read_bytes(dir, path.trim_start_matches('/'))?);
            if found != manifest.sdk.integrity {
                return Err(DistProblem::Integrity { path: path.clone() });
            }
        }
        let mut forms = BTreeMap::new();
        for (language, path) in manifest.pages.form {
            let template = FormTemplate::parse(&read(dir, &path)?)
                .map_err(|problem| DistProblem::Page { path, problem })?;
            forms.insert(language, template);
        }
        if !forms.contains_key(FALLBACK_LANGUAGE) {
            return Err(DistProblem::Manifest(format!(
                "no form page in `{FALLBACK_LANGUAGE}`"
            )));
        }
        let hashes = manifest.csp.script.iter().chain(&manifest.csp.style);
        if let Some(odd) = hashes.clone().find(|hash| !is_hash(hash)) {
            return Err(DistProblem::Manifest(format!(
                "`{odd}` is not a hash for a Content-Security-Policy"
            )));
        }
        Ok(Dist {
            root: dir.to_owned(),
            release: manifest.release,
            integrity: vec![
                (manifest.sdk.path, manifest.sdk.integrity.clone()),
                (manifest.sdk.release_path, manifest.sdk.integrity),
            ],
            forms,
            script_hashes: manifest.csp.script,
            style_hashes: manifest.csp.style,
        })
    }

    /// Path and integrity value of each script that merchants load; the current browser SDK first.
    pub fn integrity(&self) -> Vec<(String, String)> {
        self.integrity.clone()
    }

    /// Version and hash over everything that was shipped, e.g. `0.1.0-1a2b3c4d`.
    pub fn release(&self) -> &str {
        &self.release
    }

    /// Three-letter codes of the languages that have a form page, lower case.
    pub(crate) fn languages(&self) -> impl Iterator<Item = &str> {
        self.forms.keys().map(String::as_str)
    }

    /// The form page in that language, or in English.
    pub(crate) fn form(&self, language: &str) -> Option<&FormTemplate> {
        self.forms
            .get(language)
            .or_else(|| self.forms.get(FALLBACK_LANGUAGE))
    }

    /// Hashes of the inline scripts of the form pages, as `sha256-…`.
    pub(crate) fn script_hashes(&self) -> &[String] {
        &self.script_hashes
    }

    /// Hashes of the inline styles of the form pages, as `sha256-…`.
    pub(crate) fn style_hashes(&self) -> &[String] {
        &self.style_hashes
    }
}

/// Why there is no built widget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DistProblem {
    /// A file cannot be read.
    File {
        /// Path of the file.
        path: PathBuf,
        /// What the system said.
        cause: std::io::ErrorKind,
    },
    /// The manifest is not one of ours.
    Manifest(String),
    /// A script is not the one that the manifest names: the dist was changed or only half copied.
    Integrity {
        /// Path of the script on the gateway.
        path: String,
    },
    /// A page cannot be filled.
    Page {
        /// Path below the dist folder.
        path: String,
        /// What is wrong with it.
        problem: TemplateProblem,
    },
}

impl fmt::Display for DistProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DistProblem::File { path, cause } => {
                write!(f, "{} cannot be read: {cause}", path.display())
            }
            DistProblem::Manifest(cause) => write!(f, "manifest.json: {cause}"),
            DistProblem::Integrity { path } => {
                write!(f, "{path} is not the file that manifest.json names")
            }
            DistProblem::Page { path, problem } => write!(f, "{path}: {problem}"),
        }
    }
}

impl std::error::Error for DistProblem {}

#[derive(Deserialize)]
struct Manifest {
    release: String,
    sdk: SdkPaths,
    pages: Pages,
    csp: Hashes,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SdkPaths {
    path: String,
    release_path: String,
    integrity: String,
}

#[derive(Deserialize)]
struct Pages {
    form: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Hashes {
    script: Vec<String>,
    style: Vec<String>,
}

/// `/sdk/payframe.js`: the present release, looked for again after five minutes.
async fn current_sdk(State(app): State<App>, request: Request) -> Response {
    from_disk(&app, request, "public, max-age=300").await
}

/// A path that holds its release or its hash: its bytes never change.
async fn released_file(State(app): State<App>, request: Request) -> Response {
    from_disk(&app, request, "public, max-age=31536000, immutable").await
}

/// A picture of a network or method, under its plain name.
async fn picture(State(app): State<App>, request: Request) -> Response {
    from_disk(&app, request, "public, max-age=86400").await
}

/// Style and script of the sandbox's own pages. Named one by one: their markup lies in the same folder.
async fn sandbox_file(
    State(app): State<App>,
    UrlPath(file): UrlPath<String>,
    request: Request,
) -> Response {
    let (Some(dist), Some(name)) = (
        app.dist(),
        SANDBOX_FILES.into_iter().find(|name| *name == file),
    ) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let service = ServeFile::new(dist.root.join("threeds").join(name))
        .precompressed_br()
        .precompressed_gzip();
    finish(service.oneshot(request).await, "public, max-age=300")
}

/// Serves the file whose path in the dist is the request's own path. `ServeDir` refuses what leads out of the dist.
async fn from_disk(app: &App, request: Request, caching: &'static str) -> Response {
    let Some(dist) = app.dist() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let service = ServeDir::new(&dist.root)
        .append_index_html_on_directories(false)
        .precompressed_br()
        .precompressed_gzip();
    finish(service.oneshot(request).await, caching)
}

type FileAnswer = axum::http::Response<ServeFileSystemResponseBody>;

fn finish(answer: Result<FileAnswer, Infallible>, caching: &'static str) -> Response {
    let Ok(answer) = answer;
    // A folder is answered by a redirect to itself with a slash; here there are no folders.
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

fn read(dir: &Path, path: &str) -> Result<String, DistProblem> {
    String::from_utf8(read_bytes(dir, path)?).map_err(|_| DistProblem::File {
        path: dir.join(path),
        cause: std::io::ErrorKind::InvalidData,
    })
}

fn read_bytes(dir: &Path, path: &str) -> Result<Vec<u8>, DistProblem> {
    let path = dir.join(path);
    std::fs::read(&path).map_err(|problem| DistProblem::File {
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

/// Used where there is no page in the language that was asked for.
pub(crate) const FALLBACK_LANGUAGE: &str = "eng";

const SANDBOX_FILES: [&str; 4] = ["page.css", "device.js", "challenge.js", "return.js"];

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::config::Config;
    use axum::body::to_bytes;
    use axum::http::{HeaderMap, Method};
    use tempfile::TempDir;

    /// A dist folder with little in it, of the same shape as a real one.
    pub(crate) struct MadeUpDist {
        pub(crate) folder: TempDir,
    }

    impl MadeUpDist {
        pub(crate) fn new() -> MadeUpDist {
            let made = MadeUpDist {
                folder: tempfile::tempdir().unwrap(),
            };
            made.write("sdk/payframe.js", SDK);
            made.write("sdk/payframe.js.br", "brotli of the sdk");
            made.write("sdk/payframe.js.gz", "gzip of the sdk");
            made.write("sdk/0.1.0-1a2b3c4d/payframe.js", SDK);
            made.write("assets/payframe.0011223344556677.js", "export {}");
            made.write("assets/payframe_bg.8899aabbccddeeff.wasm", "\0asm");
            made.write("frame/form.eng.html", &FORM.replace("LANG", "en"));
            made.write("frame/form.ita.html", &FORM.replace("LANG", "it"));
            for name in SANDBOX_FILES {
                made.write(&format!("threeds/{name}"), "/* sandbox */");
            }
            made.write("threeds/challenge.html", "a template");
            made.write("secret.txt", "not for anybody");
            made.write_manifest(&sha384(SDK.as_bytes()));
            made
        }

        pub(crate) fn write(&self, path: &str, text: &str) {
            let path = self.folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }

        fn write_manifest(&self, integrity: &str) {
            self.write("manifest.json", &format!(
                r#"{{"release": "0.1.0-1a2b3c4d",
                    "sdk": {{"path": "/sdk/payframe.js", "releasePath": "/sdk/0.1.0-1a2b3c4d/payframe.js", "integrity": "{integrity}"}},
                    "glue": "/assets/payframe.0011223344556677.js", "wasm": "/assets/payframe_bg.8899aabbccddeeff.wasm",
                    "pages": {{"form": {{"eng": "frame/form.eng.html", "ita": "frame/form.ita.html"}}}},
                    "csp": {{"script": ["{HASH}"], "style": ["{HASH}"]}}}}"#
            ));
        }

        pub(crate) async fn app(&self) -> App {
            let config = Config {
                data: self.folder.path().join("data"),
                assets: self.folder.path().to_owned(),
                ..Config::default()
            };
            App::open(config, Clock::system()).await.unwrap()
        }
    }

    const SDK: &str = "export const here = 1;\n";
    pub(crate) const HASH: &str = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
    const FORM: &str = r#"<!doctype html><html lang="LANG" data-theme="{{theme}}" data-button="{{button}}"><script type="application/json" id="boot">{{boot}}</script>"#;

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
        let answer = router()
            .with_state(app.clone())
            .oneshot(request)
            .await
            .unwrap();
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
        assert_eq!(
            dist.integrity()[0],
            ("/sdk/payframe.js".to_owned(), sha384(SDK.as_bytes()))
        );
        assert_eq!(dist.languages().collect::<Vec<_>>(), ["eng", "ita"]);
    }

    #[test]
    fn a_dist_whose_parts_do_not_belong_together_is_refused() {
        let made = MadeUpDist::new();
        made.write("sdk/payframe.js", "something else");
        assert_eq!(
            Dist::load(made.folder.path()).unwrap_err(),
            DistProblem::Integrity {
                path: "/sdk/payframe.js".to_owned()
            }
        );

        let made = MadeUpDist::new();
        made.write("frame/form.ita.html", "{{theme}}{{button}}");
        assert!(matches!(
            Dist::load(made.folder.path()).unwrap_err(),
            DistProblem::Page { .. }
        ));

        let made = MadeUpDist::new();
        std::fs::remove_file(made.folder.path().join("frame/form.eng.html")).unwrap();
        assert!(matches!(
            Dist::load(made.folder.path()).unwrap_err(),
            DistProblem::File { .. }
        ));

        let made = MadeUpDist::new();
        made.write("manifest.json", "{}");
        assert!(matches!(
            Dist::load(made.folder.path()).unwrap_err(),
            DistProblem::Manifest(_)
        ));

        assert!(matches!(
            Dist::load(Path::new("/nowhere")).unwrap_err(),
            DistProblem::File { .. }
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
        assert_eq!(plain.text, SDK);
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
        assert_eq!(released.text, SDK);
        assert_eq!(
            released.header("cache-control"),
            "public, max-age=31536000, immutable"
        );
    }

    #[tokio::test]
    async fn what_was_compressed_at_build_time_is_sent_to_whoever_takes_it() {
        let made = MadeUpDist::new();
        let app = made.app().await;
        for (encodings, sent, text) in [
            ("gzip, deflate, br, zstd", "br", "brotli of the sdk"),
            ("gzip", "gzip", "gzip of the sdk"),
            ("br;q=0, gzip", "gzip", "gzip of the sdk"),
            ("identity", "", SDK),
            ("", "", SDK),
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
