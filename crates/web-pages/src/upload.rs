//! The parts of a form with a file (`multipart/form-data`, RFC 7578), of a body that has arrived.
//!
//! How long a body may be, and what a part may hold, is for those who take it.

use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use multer::Multipart;

/// A part of a form.
#[derive(Debug, PartialEq, Eq)]
pub struct FormPart {
    /// The name of its field. Empty: it has none.
    pub name: String,
    /// What the browser calls the file. `None`: the part is no file.
    pub file_name: Option<String>,
    /// Its bytes.
    pub content: Bytes,
}

/// The separator of the parts. `None`: the headers are not those of such a form.
pub fn separator(headers: &HeaderMap) -> Option<String> {
    let kind = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    multer::parse_boundary(kind).ok()
}

/// The parts of a form. `None`: the body is no such form.
pub async fn parts(separator: String, body: Bytes) -> Option<Vec<FormPart>> {
    let mut form = Multipart::new(Body::from(body).into_data_stream(), separator);
    let mut found = Vec::new();
    while let Some(field) = form.next_field().await.ok()? {
        let name = field.name().unwrap_or_default().to_owned();
        let file_name = field.file_name().map(str::to_owned);
        found.push(FormPart {
            name,
            file_name,
            content: field.bytes().await.ok()?,
        });
    }
    Some(found)
}
