//! Recovery codes: what lets a member in once who lost the app or the device with the passkey. They are shown once.

use super::error::OfficeError;
use super::page::{Layout, Section, show};
use super::{login_session, password};
use crate::BackOffice;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use login_session::LoginSession;
use payframe_storage::members::Member;
use payframe_storage::{Connection, StoreError, second_factors};
use zeroize::Zeroizing;

/// New recovery codes: the texts for the page that shows them once, and the hashes to store.
pub(super) struct RecoveryCodes {
    texts: Vec<Zeroizing<String>>,
    hashes: Vec<String>,
}

impl RecoveryCodes {
    pub(super) fn generate(
        office: &BackOffice,
        member: &Member,
    ) -> Result<RecoveryCodes, OfficeError> {
        let texts: Result<Vec<_>, _> = (0..RECOVERY_CODES)
            .map(|_| password::readable::<RECOVERY_LETTERS>())
            .collect();
        let texts = texts?;
        let hashes = texts
            .iter()
            .map(|text| recovery_hash(office, member, &without_spaces(text)))
            .collect();
        Ok(RecoveryCodes { texts, hashes })
    }

    /// Stores them in place of the member's former ones.
    pub(super) async fn put(
        &self,
        change: &mut Connection,
        member: &Member,
    ) -> Result<(), StoreError> {
        second_factors::put_recovery_codes(change, &member.id, &self.hashes).await
    }

    /// The page that shows them.
    pub(super) fn page(&self, login: &LoginSession) -> Response {
        let page = CodesPage {
            layout: Layout::of(login, Section::SecondFactor, "Your recovery codes"),
            codes: self.texts.iter().map(|text| text.as_str()).collect(),
        };
        show(StatusCode::OK, &page)
    }
}

/// Uses a typed recovery code up. Returns how many are left. `None`: it is none of the member's.
pub(super) async fn use_recovery_code(
    office: &BackOffice,
    change: &mut Connection,
    member: &Member,
    typed: &str,
) -> Result<Option<i64>, StoreError> {
    let hash = recovery_hash(office, member, &without_spaces(typed));
    if !second_factors::use_recovery_code(change, &member.id, &hash).await? {
        return Ok(None);
    }
    let left = second_factors::recovery_codes(change, &member.id).await?;
    Ok(Some(left))
}

/// As people type codes: with spaces or hyphens between groups.
pub(super) fn without_spaces(typed: &str) -> Zeroizing<String> {
    let is_kept = |c: &char| !c.is_whitespace() && *c != '-';
    Zeroizing::new(typed.chars().filter(is_kept).collect())
}

/// The stored hash of a recovery code that was typed. It is keyed: without the vault nobody can try codes on a copy of the tables.
fn recovery_hash(office: &BackOffice, member: &Member, typed: &str) -> String {
    let typed = typed.to_lowercase();
    let parts = ["recovery code", &member.id, &typed].map(str::as_bytes);
    office.vault().fingerprint(&parts)
}

#[derive(Template)]
#[template(path = "office-recovery-codes.html")]
struct CodesPage<'a> {
    layout: Layout<'a>,
    codes: Vec<&'a str>,
}

const RECOVERY_CODES: usize = 10;
/// 60 random bits.
const RECOVERY_LETTERS: usize = 12;
