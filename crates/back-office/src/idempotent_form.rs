//! Carries out a form once, however often it is sent, and records who did it.
//!
//! A form carries a key that was made with its page. If it is sent again, by a double click or by going back, the answer is the result of
//! the first time. The action continues if the browser closes the connection, as with calls of the API.

use super::error::OfficeError;
use super::login_session::LoginSession;
use crate::BackOffice;
use payframe_payment_domain::back_office::Act;
use payframe_payment_service::idempotency::{PreviousUse, Slot};
use payframe_storage::members::Member;
use payframe_storage::{StoreError, Subject, answers, audit};
use std::sync::Arc;

/// A form that moves money, as it was sent.
pub(super) struct FormSubmission<'a> {
    pub(super) login: &'a LoginSession,
    /// The idempotency key, made with the page.
    pub(super) key: &'a str,
    pub(super) act: Act,
    /// The object of the action.
    pub(super) subject: String,
    /// The action, for the audit log. It also distinguishes two forms with the same key.
    pub(super) detail: String,
}

/// The result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormOutcome {
    /// It was carried out now.
    Done,
    /// The same form was carried out before.
    DoneBefore,
}

/// A key for a form of a new page.
pub(super) fn new_key() -> String {
    uuid::Uuid::new_v4().to_string()
}

/// Carries out what a form asks for, unless that was done. `action` gets the slot in which it may keep its answer, and returns the
/// result as a short text.
pub(super) async fn carry_out<F>(
    office: &BackOffice,
    submission: FormSubmission<'_>,
    action: impl FnOnce(BackOffice, Arc<Slot>) -> F + Send + 'static,
) -> Result<FormOutcome, OfficeError>
where
    F: Future<Output = Result<String, OfficeError>> + Send,
{
    if uuid::Uuid::try_parse(submission.key).is_err() {
        return Err(OfficeError::incomplete());
    }
    let author = Submitter {
        member: submission.login.member.clone(),
        address: submission.login.address().to_owned(),
    };
    let (act, subject, detail) = (submission.act, submission.subject, submission.detail);
    let values = [act.code(), &subject, &detail].map(str::as_bytes);
    let slot = Arc::new(Slot::new(
        scope(submission.login),
        submission.key.to_owned(),
        office.vault().fingerprint(&values),
    ));
    let office = office.clone();
    let task = tokio::spawn(async move {
        let _held = office.idempotency_keys().lock(&slot.name()).await;
        if was_done(&office, &slot).await? {
            return Ok(FormOutcome::DoneBefore);
        }
        note(&office, &author, act, &subject, &format!("{detail}: begun")).await?;
        let outcome = action(office.clone(), slot.clone()).await;
        let said = match &outcome {
            Ok(said) => format!("{detail}: {said}"),
            Err(OfficeError::Bad(why)) => format!("{detail}: refused. {why}"),
            Err(_) => format!("{detail}: failed"),
        };
        note(&office, &author, act, &subject, &said).await?;
        match outcome {
            Ok(_) => {
                slot.keep_unless_kept(office.payments(), 200, &[]).await?;
                Ok(FormOutcome::Done)
            }
            // Another process carried it out in the meantime: its result counts.
            Err(_) if office.store().is_shared() && was_done(&office, &slot).await? => {
                Ok(FormOutcome::DoneBefore)
            }
            Err(refused) => Err(refused),
        }
    });
    task.await.unwrap_or_else(|problem| {
        tracing::error!(%problem, "a form of the back office failed");
        Err(OfficeError::Failed)
    })
}

/// Whether a form with this key was sent before and was carried out, whatever its values were. Waits for one that is being carried
/// out. Call this after reading what is possible: then the effect of the form itself is already included.
pub(super) async fn was_sent(
    office: &BackOffice,
    login: &LoginSession,
    key: &str,
) -> Result<bool, StoreError> {
    let slot = Slot::new(scope(login), key.to_owned(), String::new());
    let _held = office.idempotency_keys().lock(&slot.name()).await;
    let mut connection = office.store().read().await?;
    Ok(answers::find(&mut connection, &scope(login), key)
        .await?
        .is_some())
}

/// Keys of different members are independent.
fn scope(login: &LoginSession) -> String {
    format!("office {}", login.member.id)
}

/// Whether the form was sent before and was carried out.
async fn was_done(office: &BackOffice, slot: &Slot) -> Result<bool, OfficeError> {
    let mut connection = office.store().read().await?;
    match slot.earlier(&mut connection, office.vault()).await? {
        PreviousUse::Nothing => Ok(false),
        PreviousUse::Same { .. } => Ok(true),
        PreviousUse::Other => Err(OfficeError::Bad(String::from(
            "This form was sent before with other values, and what it asked for then was done. Open the page again to do more.",
        ))),
    }
}

/// Who sent a form, and from where.
struct Submitter {
    member: Member,
    address: String,
}

/// Writes an entry of its own. It needs nothing of the merchant, so payments do not wait for it.
async fn note(
    office: &BackOffice,
    author: &Submitter,
    act: Act,
    subject: &str,
    detail: &str,
) -> Result<(), StoreError> {
    let mut change = office.store().write(Subject::Statement).await?;
    let now_ms = office.clock().now_ms();
    let entry = author
        .member
        .entry(&author.address, now_ms, act, subject, detail);
    audit::add(&mut change, &entry).await?;
    Ok(change.commit().await?)
}
