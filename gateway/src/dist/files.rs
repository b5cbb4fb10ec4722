//! The files of a dist in memory, and how browsers get them: whole, and compressed as at build time.
//!
//! They are read once, from a folder or from inside the program, so what is served always belongs together.

use super::DistError;
use super::addresses::ENCODINGS;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use payframe_vault::hex;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// All files of a dist, by their path in it, with `/` between folders.
#[derive(Clone, Debug)]
pub struct DistFiles {
    /// What error messages call it.
    name: PathBuf,
    files: Arc<BTreeMap<String, File>>,
}

#[derive(Debug)]
struct File {
    content: Bytes,
    /// Its `ETag`: other bytes have another one.
    tag: String,
}

impl File {
    fn new(content: Bytes) -> File {
        let tag = format!("\"{}\"", &hex(&Sha256::digest(&content))[..16]);
        File { content, tag }
    }
}

impl DistFiles {
    /// Reads every file of a folder.
    ///
    /// # Errors
    /// The folder or a file cannot be read.
    pub fn of_folder(folder: &Path) -> Result<DistFiles, DistError> {
        let mut files = BTreeMap::new();
        let mut folders = vec![(folder.to_owned(), String::new())];
        while let Some((folder, prefix)) = folders.pop() {
            let failed = |problem: std::io::Error| DistError::File {
                path: folder.clone(),
                cause: problem.kind(),
            };
            for entry in std::fs::read_dir(&folder).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
                // Links are followed: a mounted folder may consist of them.
                if std::fs::metadata(entry.path()).map_err(failed)?.is_dir() {
                    folders.push((entry.path(), format!("{name}/")));
                } else {
                    let content = std::fs::read(entry.path()).map_err(failed)?;
                    files.insert(name, File::new(Bytes::from(content)));
                }
            }
        }
        Ok(DistFiles {
            name: folder.to_owned(),
            files: Arc::new(files),
        })
    }

    /// The files inside the program, if it was built with them (feature `embedded-widget`).
    pub fn embedded() -> Option<DistFiles> {
        let files: BTreeMap<String, File> = embedded_files()
            .map(|(name, content)| match content {
                Cow::Borrowed(content) => (name, Bytes::from_static(content)),
                Cow::Owned(content) => (name, Bytes::from(content)),
            })
            .map(|(name, content)| (name, File::new(content)))
            .collect();
        (!files.is_empty()).then(|| DistFiles {
            name: PathBuf::from("payframe-gateway"),
            files: Arc::new(files),
        })
    }

    /// Each file's path and content.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Bytes)> {
        self.files
            .iter()
            .map(|(path, file)| (path.as_str(), &file.content))
    }

    /// Whether there is a file with this path.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// The content of the file with this path.
    pub(super) fn read(&self, path: &str) -> Result<&Bytes, DistError> {
        let file = self.files.get(path).ok_or_else(|| DistError::File {
            path: self.name.join(path),
            cause: std::io::ErrorKind::NotFound,
        })?;
        Ok(&file.content)
    }

    /// The text of the file with this path.
    pub(super) fn read_text(&self, path: &str) -> Result<&str, DistError> {
        std::str::from_utf8(self.read(path)?).map_err(|_| DistError::File {
            path: self.name.join(path),
            cause: std::io::ErrorKind::InvalidData,
        })
    }

    /// The answer to a request for the file with this path: compressed if the browser takes it so, or 304 if the browser has it.
    pub(crate) fn answer(&self, path: &str, request: &HeaderMap) -> Response {
        let Some(plain) = self.files.get(path) else {
            return StatusCode::NOT_FOUND.into_response();
        };
        let compressed = ENCODINGS.into_iter().find_map(|(encoding, ending)| {
            let file = self.files.get(&format!("{path}.{ending}"))?;
            accepts(request, encoding).then_some((file, encoding))
        });
        let File { content, tag } = compressed.map_or(plain, |(file, _)| file);
        let has_it = request
            .get_all(header::IF_NONE_MATCH)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .any(|known| known.trim().trim_start_matches("W/") == tag.as_str());
        let mut answer = if has_it {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let media_type = mime_guess::from_path(path).first_or_octet_stream();
            let mut answer = Response::new(Body::from(content.clone()));
            if let Ok(value) = media_type.essence_str().parse() {
                answer.headers_mut().insert(header::CONTENT_TYPE, value);
            }
            if let Some(value) = compressed.and_then(|(_, encoding)| encoding.parse().ok()) {
                answer.headers_mut().insert(header::CONTENT_ENCODING, value);
            }
            answer
        };
        if let Ok(value) = tag.parse() {
            answer.headers_mut().insert(header::ETAG, value);
        }
        answer
    }
}

/// Whether a request accepts an encoding: it names it, and not with the weight 0.
fn accepts(request: &HeaderMap, encoding: &str) -> bool {
    request
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|one| {
            let (name, weight) = one.split_once(';').unwrap_or((one, ""));
            let weight = weight.trim().strip_prefix("q=").map(str::parse::<f32>);
            name.trim().eq_ignore_ascii_case(encoding) && weight != Some(Ok(0.0))
        })
}

#[cfg(feature = "embedded-widget")]
fn embedded_files() -> impl Iterator<Item = (String, Cow<'static, [u8]>)> {
    use rust_embed::RustEmbed;

    /// `cargo xtask release` names the folder.
    #[derive(RustEmbed)]
    #[folder = "$PAYFRAME_EMBEDDED_DIST"]
    struct Widget;

    Widget::iter().filter_map(|name| {
        let file = Widget::get(&name)?;
        Some((name.into_owned(), file.data))
    })
}

#[cfg(not(feature = "embedded-widget"))]
fn embedded_files() -> impl Iterator<Item = (String, Cow<'static, [u8]>)> {
    std::iter::empty()
}
