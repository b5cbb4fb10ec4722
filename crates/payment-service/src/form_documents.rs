//! Which documents of a form show the customer's saved cards: the first one, and those that follow it in the same tab.
//!
//! A session's id stands in the merchant's page and in addresses, so whoever has it may be anybody. A document with saved cards carries
//! a pass for the next one, which it leaves in the storage of its tab (`www/frame/form-pass.js`). A pass is good for one document. Whoever
//! has the session's id alone, and does not come first, gets the form without saved cards.

use super::Forms;
use super::error::PaymentError;
use super::page_views::{Asker, FormPass};
use payframe_storage::sessions::SessionRow;
use payframe_storage::{Subject, sessions};
use subtle::ConstantTimeEq;

impl Forms<'_> {
    /// Whether the document that is being made shows the saved cards. Of two that ask at once, one does.
    pub(super) async fn claim_document(
        &self,
        row: &SessionRow,
        asker: Asker<'_>,
    ) -> Result<FormPass, PaymentError> {
        let Asker::Frame(pass) = asker else {
            return Ok(FormPass::None);
        };
        let refused = match pass {
            // The tab has no other one.
            Some(_) => FormPass::None,
            None => FormPass::LookedFor,
        };
        let number = {
            let mut connection = self.context.store().read().await?;
            sessions::card_documents(&mut connection, &row.hash).await?
        };
        let fits = |pass: &str| {
            let expected = self.pass(row, number);
            bool::from(pass.as_bytes().ct_eq(expected.as_bytes()))
        };
        if number > 0 && !pass.is_some_and(fits) {
            return Ok(refused);
        }
        let mut transaction = self.context.store().write(Subject::Statement).await?;
        let is_counted = sessions::count_card_document(&mut transaction, &row.hash, number).await?;
        transaction.commit().await?;
        Ok(if is_counted {
            FormPass::Kept(self.pass(row, number + 1))
        } else {
            refused
        })
    }

    /// The pass for the document that follows this number of documents.
    fn pass(&self, row: &SessionRow, documents: i64) -> String {
        let subject = format!("document {documents} of session {}", row.hash);
        self.context.vault().page_token(&subject)
    }
}
