//! Forms: accepted only from a page of the log-in that sends them.
//!
//! Three independent checks keep other sites out: the cookie is not sent with their requests, the browser says which origin
//! sent the form, and other sites do not know the token in our forms.

use super::error::OfficeError;
use super::login_session::LoginSession;
use crate::BackOffice;
use axum::body::Body;
use axum::extract::{Form, FromRequest, FromRequestParts, Request};
use bytes::Bytes;
use payframe_web_pages as web_pages;
use payframe_web_pages::upload;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use subtle::ConstantTimeEq;

/// A form that this log-in's own page sent.
pub(crate) struct Posted<T> {
    pub(crate) login: LoginSession,
    pub(crate) fields: T,
}

/// The fields of a form that has only a button.
#[derive(Deserialize)]
pub(crate) struct NoFields {}

impl<T: DeserializeOwned + Send> FromRequest<BackOffice> for Posted<T> {
    type Rejection = OfficeError;

    async fn from_request(request: Request, office: &BackOffice) -> Result<Posted<T>, OfficeError> {
        let (mut parts, body) = request.into_parts();
        let login = LoginSession::from_request_parts(&mut parts, office).await?;
        if web_pages::sent_from_elsewhere(office.origin(), &parts.headers) {
            return Err(OfficeError::Elsewhere);
        }
        let whole = Request::from_parts(parts.clone(), body);
        let bytes = Bytes::from_request(whole, office)
            .await
            .map_err(|_| OfficeError::incomplete())?;
        let carried = url::form_urlencoded::parse(&bytes)
            .find_map(|(name, value)| (name == TOKEN).then_some(value));
        let carried = carried.unwrap_or_default();
        if !bool::from(carried.as_bytes().ct_eq(login.form_token().as_bytes())) {
            return Err(OfficeError::Elsewhere);
        }
        let again = Request::from_parts(parts, Body::from(bytes));
        let Form(fields) = Form::from_request(again, office)
            .await
            .map_err(|_| OfficeError::incomplete())?;
        Ok(Posted { login, fields })
    }
}

/// A form with a file that this log-in's own page sent.
pub(crate) struct PostedFile {
    pub(crate) login: LoginSession,
    /// What the browser calls the file.
    pub(crate) name: String,
    pub(crate) content: Bytes,
}

impl FromRequest<BackOffice> for PostedFile {
    type Rejection = OfficeError;

    async fn from_request(
        request: Request,
        office: &BackOffice,
    ) -> Result<PostedFile, OfficeError> {
        let (mut parts, body) = request.into_parts();
        let login = LoginSession::from_request_parts(&mut parts, office).await?;
        if web_pages::sent_from_elsewhere(office.origin(), &parts.headers) {
            return Err(OfficeError::Elsewhere);
        }
        let separator = upload::separator(&parts.headers).ok_or_else(OfficeError::incomplete)?;
        let whole = Request::from_parts(parts, body);
        let bytes = Bytes::from_request(whole, office)
            .await
            .map_err(|_| OfficeError::Bad(String::from("The file is too large.")))?;
        let parts = upload::parts(separator, bytes).await;
        let mut is_own = false;
        let mut file = None;
        for part in parts.ok_or_else(OfficeError::incomplete)? {
            match (part.name.as_str(), part.file_name) {
                (TOKEN, None) => {
                    is_own = bool::from(part.content.ct_eq(login.form_token().as_bytes()));
                }
                (FILE, Some(name)) => file = Some((name, part.content)),
                _ => {}
            }
        }
        if !is_own {
            return Err(OfficeError::Elsewhere);
        }
        let (name, content) = file.ok_or_else(OfficeError::incomplete)?;
        Ok(PostedFile {
            login,
            name,
            content,
        })
    }
}

/// Name of the field with the file.
const FILE: &str = "file";

/// Name of the field with the token.
const TOKEN: &str = "token";
