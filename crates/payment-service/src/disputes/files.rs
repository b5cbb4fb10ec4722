//! The files of a dispute: added and removed while it needs a response, and stored encrypted.

use super::{DisputeRefusal, Disputes};
use crate::PaymentError;
use payframe_payment_domain::calendar::instant;
use payframe_payment_domain::dispute::DisputeError;
use payframe_payment_domain::dispute::evidence_file::judge;
use payframe_protocol::dispute::DisputeFile;
use payframe_storage::dispute_files::{self, DisputeFileRow, so_far};
use payframe_storage::disputes::{self, DisputeRow};
use payframe_storage::{StoreError, Write};
use zeroize::Zeroizing;

impl Disputes<'_> {
    /// Adds a file to a merchant's dispute. The caller commits.
    pub async fn add_file(
        &self,
        merchant_id: &str,
        dispute_id: &str,
        name: &str,
        content: &[u8],
    ) -> Result<(Write, DisputeFile), DisputeRefusal> {
        let (mut transaction, row) = self.begin(Some(merchant_id), dispute_id).await?;
        self.must_need_response(&row)?;
        let others = dispute_files::of_dispute(&mut transaction, dispute_id).await?;
        let file = DisputeFileRow {
            file_id: uuid::Uuid::new_v4().to_string(),
            dispute_id: dispute_id.to_owned(),
            name: name.to_owned(),
            file_type: judge(name, content, so_far(&others))?,
            size: content.len() as u64,
            added_ms: self.clock.now_ms(),
        };
        let encrypted = self
            .vault
            .encrypt(content, &file_belongs_to(&file.file_id))
            .map_err(PaymentError::from)?;
        dispute_files::add(&mut transaction, &file, encrypted).await?;
        Ok((transaction, on_the_wire(&file)))
    }

    /// Removes a file of a merchant's dispute that was not submitted yet. The caller commits. Also gives the file.
    pub async fn remove_file(
        &self,
        merchant_id: &str,
        file_id: &str,
    ) -> Result<(Write, DisputeFileRow), DisputeRefusal> {
        let file = self.file(merchant_id, file_id).await?;
        let file = file.ok_or(DisputeRefusal::NoFile)?;
        let (mut transaction, row) = self.begin(Some(merchant_id), &file.dispute_id).await?;
        self.must_need_response(&row)?;
        let submitted_ms = row.evidence.map(|evidence| evidence.submitted_ms);
        if submitted_ms.is_some_and(|submitted_ms| file.added_ms <= submitted_ms) {
            return Err(DisputeRefusal::FileSubmitted);
        }
        dispute_files::remove(&mut transaction, file_id).await?;
        Ok((transaction, file))
    }

    /// A file of a merchant's dispute, with its content. `None`: there is none.
    pub async fn file_content(
        &self,
        merchant_id: &str,
        file_id: &str,
    ) -> Result<Option<(DisputeFile, Zeroizing<Vec<u8>>)>, PaymentError> {
        let Some(file) = self.file(merchant_id, file_id).await? else {
            return Ok(None);
        };
        let mut connection = self.store.read().await?;
        let Some(encrypted) = dispute_files::content(&mut connection, file_id).await? else {
            return Ok(None);
        };
        let content = self
            .vault
            .decrypt(&encrypted, &file_belongs_to(file_id))
            .map_err(|_| StoreError::Unreadable("file of a dispute"))?;
        Ok(Some((on_the_wire(&file), content)))
    }

    /// A file of a merchant's dispute. `None`: there is none.
    pub async fn file(
        &self,
        merchant_id: &str,
        file_id: &str,
    ) -> Result<Option<DisputeFileRow>, PaymentError> {
        let mut connection = self.store.read().await?;
        let Some(file) = dispute_files::find(&mut connection, file_id).await? else {
            return Ok(None);
        };
        let of = disputes::of_merchant(&mut connection, merchant_id, &file.dispute_id).await?;
        Ok(of.map(|_| file))
    }

    fn must_need_response(&self, row: &DisputeRow) -> Result<(), DisputeError> {
        let standing = row.standing.at(self.clock.now_ms());
        match standing.needs_response() {
            true => Ok(()),
            false => Err(DisputeError::State(standing.state)),
        }
    }
}

pub(super) fn on_the_wire(file: &DisputeFileRow) -> DisputeFile {
    DisputeFile {
        file_id: file.file_id.clone(),
        name: file.name.clone(),
        media_type: file.file_type.media_type().to_owned(),
        size: file.size,
        added_time: instant(file.added_ms),
    }
}

/// The owner of the encrypted content of a file.
pub fn file_belongs_to(file_id: &str) -> String {
    format!("file of evidence {file_id}")
}
