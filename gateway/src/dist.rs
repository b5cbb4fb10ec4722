//! The built widget: what `cargo xtask build` writes into the dist folder.
//!
//! [`Dist::load`] reads the manifest and the built pages once. It refuses a dist whose parts do not belong
//! together. [`crate::assets`] serves its files, which are kept in memory ([`files`]).

pub(crate) mod addresses;
mod files;
mod releases;

pub use files::DistFiles;

use crate::pages::built::{BuiltPage, PageName};
use crate::pages::template::{PageTemplate, PlaceholderSet, TemplateError};
use axum::http::HeaderMap;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use payframe_payment_domain::method::{Method, put_home_first};
use payframe_protocol::boot::BootMethod;
use payframe_web_pages::language::FALLBACK_LANGUAGE;
use payframe_web_pages::script;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The built widget. Made once, at start.
#[derive(Clone, Debug)]
pub struct Dist {
    files: DistFiles,
    earlier: Vec<DistFiles>,
    release: String,
    integrity: Vec<(String, String)>,
    /// Path and integrity value of the script that keeps a form's pass.
    form_pass: (String, String),
    /// The elements that load the hosted page's script and the shim of this release.
    hosted_script: String,
    shim: String,
    pages: Vec<(PageName, BuiltPage)>,
}

impl Dist {
    /// Reads manifest and pages, and checks that the scripts have the hashes that the manifest names.
    ///
    /// # Errors
    /// A file is missing, or the files do not belong together.
    pub fn load(files: DistFiles) -> Result<Dist, DistError> {
        let mut manifest = Manifest::of(&files)?;
        let pages = PageName::all()
            .map(|name| {
                let parts = manifest
                    .pages
                    .remove(name.as_str())
                    .ok_or_else(|| DistError::Manifest(format!("no page `{}`", name.as_str())))?;
                Ok((name, built_page(&files, name, parts)?))
            })
            .collect::<Result<_, DistError>>()?;
        let form_pass = script::integrity(files.read(manifest.form_pass.trim_start_matches('/'))?);
        let element = |path: &str| -> Result<String, DistError> {
            let script = files.read(path.trim_start_matches('/'))?;
            Ok(script::element(path, &script::integrity(script)))
        };
        Ok(Dist {
            hosted_script: element(&manifest.hosted)?,
            shim: element(&format!("/sdk/{}/payframe.js", manifest.release))?,
            integrity: integrity(&files, manifest.scripts)?,
            form_pass: (manifest.form_pass, form_pass),
            release: manifest.release,
            pages,
            files,
            earlier: Vec::new(),
        })
    }

    /// This release beside the earlier ones in a folder, whose scripts are served, too.
    ///
    /// # Errors
    /// The folder is there and cannot be read.
    pub fn beside_earlier(self, folder: &Path) -> std::io::Result<Dist> {
        let earlier = releases::earlier(folder, &self.release)?;
        Ok(Dist { earlier, ..self })
    }

    /// Writes the scripts of this release into that folder, for the releases that follow.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn keep(&self, folder: &Path) -> std::io::Result<()> {
        releases::keep(self, folder)
    }

    /// The answer to a request for a file. What contains a release or a hash in its path may be of an earlier release.
    pub(crate) fn answer(&self, path: &str, request: &HeaderMap) -> Response {
        let earlier = self
            .earlier
            .iter()
            .find(|files| releases::is_kept(path) && files.has(path) && !self.files.has(path));
        earlier.unwrap_or(&self.files).answer(path, request)
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

    /// The element that loads the script which keeps a form's pass, or looks for one (`www/frame/form-pass.js`). `pass`: the one to keep. A
    /// document that keeps one does not wait for the script.
    pub(crate) fn form_pass(&self, pass: Option<&str>) -> String {
        let (path, integrity) = &self.form_pass;
        let kept = pass.map_or_else(String::new, |pass| format!(" async data-pass=\"{pass}\""));
        // Without `crossorigin`, `Integrity-Policy` refuses it in spite of its hash.
        format!("<script src=\"{path}\" integrity=\"{integrity}\" crossorigin{kept}></script>")
    }

    /// The files.
    pub(crate) fn files(&self) -> &DistFiles {
        &self.files
    }

    /// The element that loads the shim of this release, whose bytes never change.
    pub(crate) fn shim(&self) -> &str {
        &self.shim
    }

    /// The element that loads the hosted page's own script (`www/hosted/hosted.js`).
    pub(crate) fn hosted_script(&self) -> &str {
        &self.hosted_script
    }

    /// The page with this name. [`Dist::load`] refuses a dist that lacks one.
    pub(crate) fn page(&self, name: PageName) -> Option<&BuiltPage> {
        self.pages
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, page)| page)
    }

    /// Adds the pictures of the methods that a form shows, and puts those at home in the buyer's country first.
    pub(crate) fn arrange_methods(&self, methods: &mut [BootMethod], country: Option<&str>) {
        put_home_first(methods, country.unwrap_or_default(), |shown| {
            Method::from_code(&shown.id)
        });
        for shown in methods {
            let method = Method::from_code(&shown.id);
            shown.picture = method.and_then(|method| self.method_picture(method.circuit()));
        }
    }

    /// The path under which the picture of a method is served; `None` if there is none.
    pub(crate) fn method_picture(&self, circuit: &str) -> Option<String> {
        let path = format!("assets/methods/{circuit}.svg");
        self.files.has(&path).then(|| format!("/{path}"))
    }
}

/// Checks every script against its hash and lists them, the browser SDK first.
fn integrity(
    files: &DistFiles,
    mut scripts: BTreeMap<String, ScriptPaths>,
) -> Result<Vec<(String, String)>, DistError> {
    let sdk = scripts
        .remove(SDK)
        .ok_or_else(|| DistError::Manifest(format!("no script `{SDK}`")))?;
    let mut listed = Vec::new();
    for script in std::iter::once(sdk).chain(scripts.into_values()) {
        for path in [script.path, script.release_path] {
            check_script(files, &path, &script.integrity)?;
            listed.push((path, script.integrity.clone()));
        }
    }
    Ok(listed)
}

/// Whether the file at a path of the gateway has the hash that the manifest names.
fn check_script(files: &DistFiles, path: &str, integrity: &str) -> Result<(), DistError> {
    if script::integrity(files.read(path.trim_start_matches('/'))?) == integrity {
        return Ok(());
    }
    Err(DistError::Integrity {
        path: path.to_owned(),
    })
}

fn built_page(files: &DistFiles, name: PageName, parts: PageParts) -> Result<BuiltPage, DistError> {
    let placeholders = match name {
        PageName::Form | PageName::FieldsHost => PlaceholderSet::WithButton,
        _ => PlaceholderSet::WithoutButton,
    };
    let mut languages = BTreeMap::new();
    for (language, path) in parts.files {
        let template = PageTemplate::parse(files.read_text(&path)?, placeholders)
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
#[serde(rename_all = "camelCase")]
struct Manifest {
    release: String,
    /// Path of the script that keeps a form's pass.
    form_pass: String,
    /// Path of the hosted page's own script.
    hosted: String,
    /// By file name.
    scripts: BTreeMap<String, ScriptPaths>,
    /// By [`PageName`].
    pages: BTreeMap<String, PageParts>,
}

impl Manifest {
    fn of(files: &DistFiles) -> Result<Manifest, DistError> {
        serde_json::from_str(files.read_text("manifest.json")?)
            .map_err(|problem| DistError::Manifest(problem.to_string()))
    }
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

/// Whether `text` may stand between the quotes of a policy's hash.
fn is_hash(text: &str) -> bool {
    text.strip_prefix("sha256-")
        .and_then(|digest| BASE64.decode(digest).ok())
        .is_some_and(|digest| digest.len() == 32)
}

/// The script that `GET /build/integrity` describes (contract 4.4).
const SDK: &str = "build.js";

#[cfg(test)]
pub(crate) mod tests;
