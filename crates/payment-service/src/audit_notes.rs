//! Entries of the audit log about what a merchant's server changes after a payment: written in the transaction of the change, so that
//! there is no change without its entry and no entry without its change. Forms of the back office note theirs themselves.

use super::{PaymentContext, PaymentError};
use payframe_payment_domain::back_office::Act;
use payframe_storage::Connection;
use payframe_storage::audit::{self, Author, Entry};

/// What an entry says.
pub struct Noted<'a> {
    /// The merchant.
    pub merchant_id: &'a str,
    /// The kind of action.
    pub act: Act,
    /// What it was done to.
    pub subject: String,
    /// More about it, for people. Empty: nothing.
    pub detail: String,
}

impl PaymentContext {
    /// Writes an entry. It comes last in its change: until that ends, nobody else writes one.
    pub async fn note(
        &self,
        connection: &mut Connection,
        author: Author<'_>,
        noted: Noted<'_>,
    ) -> Result<(), PaymentError> {
        let entry = Entry {
            merchant_id: noted.merchant_id,
            author,
            // The log lives in the real time, also that of a sandbox whose clock is ahead.
            at_ms: self.clock().real().now_ms(),
            act: noted.act,
            subject: &noted.subject,
            detail: &noted.detail,
        };
        Ok(audit::add(connection, &entry).await?)
    }
}
