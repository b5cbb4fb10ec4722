//! The files of a dispute: added by a form with a file, downloaded and never shown, and removed until they are submitted.

use super::disputes::{dispute_page, find, path_of, title};
use super::error::OfficeError;
use super::evidence_form::EvidenceForm;
use super::filter::FieldErrors;
use super::form::{NoFields, Posted, PostedFile};
use super::login_session::LoginSession;
use super::page::{Layout, Section};
use crate::BackOffice;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use payframe_payment_domain::back_office::{Act, Role};
use payframe_payment_domain::dispute::evidence_file::MOST_FILE_BYTES;
use payframe_payment_service::Disputes;
use payframe_payment_service::disputes::DisputeRefusal;
use payframe_storage::audit;
use payframe_web_pages::see_other;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route(
            "/office/disputes/{id}/files",
            post(add).layer(DefaultBodyLimit::max(LARGEST_UPLOAD)),
        )
        .route("/office/disputes/files/{file_id}", get(download))
        .route("/office/disputes/files/{file_id}/remove", post(remove))
}

async fn add(
    State(office): State<BackOffice>,
    Path(id): Path<String>,
    PostedFile {
        login,
        name,
        content,
    }: PostedFile,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let dispute = find(&office, &login, &id).await?;
    let merchant_id = &login.member.merchant_id;
    let disputes = Disputes::new(office.payments());
    let added = Box::pin(disputes.add_file(merchant_id, &id, &name, &content)).await;
    let (mut transaction, file) = match added {
        Ok(added) => added,
        Err(DisputeRefusal::File(refused)) => {
            let mut errors = FieldErrors::default();
            errors.add("file", sentence(&refused.to_string()));
            let layout = Layout::of(&login, Section::Disputes, title(&dispute));
            let form = EvidenceForm::of(dispute.evidence.as_ref());
            return Ok(dispute_page(&login, layout, &dispute, form, errors, None));
        }
        Err(refused) => return Err(refused.into()),
    };
    let subject = format!("order {}", dispute.order_id);
    let detail = format!("Dispute {id}, file {}", file.file_id);
    let now_ms = office.clock().now_ms();
    let entry = login.entry(now_ms, Act::AddEvidenceFile, &subject, &detail);
    audit::add(&mut transaction, &entry).await?;
    transaction.commit().await?;
    Ok(see_other(&format!("{}?done=file", path_of(&id))))
}

/// A sentence with a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).chain(['.']).collect()
}

/// The file is what somebody uploaded: browsers save it, and neither run nor show it.
async fn download(
    State(office): State<BackOffice>,
    login: LoginSession,
    Path(file_id): Path<String>,
) -> Result<Response, OfficeError> {
    let disputes = Disputes::new(office.payments());
    let merchant_id = &login.member.merchant_id;
    let found = disputes.file_content(merchant_id, &file_id).await?;
    let (file, content) = found.ok_or(OfficeError::NotFound)?;
    let headers = [
        (header::CONTENT_TYPE, file.media_type.clone()),
        (header::CONTENT_DISPOSITION, disposition(&file.name)),
        (header::X_CONTENT_TYPE_OPTIONS, String::from("nosniff")),
        (header::CACHE_CONTROL, String::from("no-store")),
        (
            header::CONTENT_SECURITY_POLICY,
            String::from("default-src 'none'; sandbox; frame-ancestors 'none'"),
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            String::from("same-origin"),
        ),
    ];
    Ok((headers, content.to_vec()).into_response())
}

/// The header that makes a browser save a file under its name (RFC 6266, RFC 8187).
fn disposition(name: &str) -> String {
    let mut encoded = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'_' => {
                encoded.push(char::from(byte));
            }
            other => encoded.push_str(&format!("%{other:02X}")),
        }
    }
    format!("attachment; filename*=UTF-8''{encoded}")
}

async fn remove(
    State(office): State<BackOffice>,
    Path(file_id): Path<String>,
    Posted { login, .. }: Posted<NoFields>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let disputes = Disputes::new(office.payments());
    let merchant_id = &login.member.merchant_id;
    let (mut transaction, file) = Box::pin(disputes.remove_file(merchant_id, &file_id)).await?;
    let dispute = find(&office, &login, &file.dispute_id).await?;
    let subject = format!("order {}", dispute.order_id);
    let detail = format!("Dispute {}, file {file_id}", file.dispute_id);
    let now_ms = office.clock().now_ms();
    let entry = login.entry(now_ms, Act::RemoveEvidenceFile, &subject, &detail);
    audit::add(&mut transaction, &entry).await?;
    transaction.commit().await?;
    let path = path_of(&file.dispute_id);
    Ok(see_other(&format!("{path}?done=removed")))
}

/// A file of the largest size with a little more, so that a larger one is refused with a sentence, and the rest of its form.
const LARGEST_UPLOAD: usize = 2 * MOST_FILE_BYTES;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_its_header() {
        for (name, expected) in [
            ("a.pdf", "attachment; filename*=UTF-8''a.pdf"),
            (
                "Beleg \"für\".pdf",
                "attachment; filename*=UTF-8''Beleg%20%22f%C3%BCr%22.pdf",
            ),
            (
                "a.pdf; filename=b.html",
                "attachment; filename*=UTF-8''a.pdf%3B%20filename%3Db.html",
            ),
            ("a'b\r\n", "attachment; filename*=UTF-8''a%27b%0D%0A"),
        ] {
            assert_eq!(disposition(name), expected);
        }
    }
}
