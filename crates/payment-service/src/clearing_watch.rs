//! Compares operations with the clearing files of acquirers, so that the back office need not ask for each operation whether a file has it.
//! No payment waits for it.
//!
//! What is shown does not depend on it: [`payframe_storage::settlements`] finds what came due since the last comparison by itself.

use payframe_storage::settlements::{self, Scope};
use payframe_storage::{Store, StoreError, Subject};
use std::collections::BTreeSet;

/// A comparison that goes on where the last one ended.
#[derive(Clone, Copy, Debug)]
pub struct ClearingWatch<'a> {
    /// Where operations and files are.
    pub store: &'a Store,
    /// The time of payments.
    pub now_ms: i64,
    /// About how many operations are read at once: usually [`PIECE`](crate::books::PIECE).
    pub piece: u32,
}

impl ClearingWatch<'_> {
    /// Compares the operations of all merchants that came due, and forgets those that are too old to be missed. Sums the files of processes of an
    /// earlier version, which know no sums.
    pub async fn compare_all(&self) -> Result<(), StoreError> {
        let scopes = self.compare(None).await?;
        let merchants: BTreeSet<&str> = scopes
            .iter()
            .map(|scope| scope.merchant_id.as_str())
            .collect();
        let mut change = self.store.write(Subject::Statement).await?;
        for merchant_id in merchants {
            settlements::forget(&mut change, merchant_id, self.now_ms).await?;
        }
        settlements::sum_files(&mut change).await?;
        Ok(change.commit().await?)
    }

    /// Compares the operations of one merchant that came due.
    pub async fn compare_merchant(&self, merchant_id: &str) -> Result<(), StoreError> {
        self.compare(Some(merchant_id)).await.map(drop)
    }

    /// Compares those of a merchant, or of all, and returns what was compared.
    async fn compare(&self, merchant_id: Option<&str>) -> Result<Vec<Scope>, StoreError> {
        let scopes = settlements::scopes(&mut *self.store.read().await?, merchant_id).await?;
        for scope in &scopes {
            self.compare_scope(scope).await?;
        }
        Ok(scopes)
    }

    /// Compares piece by piece. What was found and how far that is are written together, so a process that ends between two pieces loses
    /// nothing. Several processes may compare at a time: each of them writes what the others do.
    async fn compare_scope(&self, scope: &Scope) -> Result<(), StoreError> {
        let Some((mut from_ms, until_ms)) = scope.due(self.now_ms) else {
            return Ok(());
        };
        while from_ms < until_ms {
            let span = (from_ms, until_ms);
            let mut connection = self.store.read().await?;
            let merchant_id = &scope.merchant_id;
            let end_ms =
                settlements::piece_end_ms(&mut connection, merchant_id, span, self.piece).await?;
            drop(connection);
            // Operations of one time are in one piece.
            let end_ms = end_ms.map_or(until_ms, |end_ms| end_ms + 1);
            let mut change = self.store.write(Subject::Statement).await?;
            if !settlements::keep(&mut change, scope, (from_ms, end_ms)).await? {
                // A file was imported that begins earlier. The next comparison begins there.
                return Ok(());
            }
            change.commit().await?;
            from_ms = end_ms;
        }
        Ok(())
    }
}
