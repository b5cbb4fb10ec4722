//! Settlements: the clearing files of acquirers that the operator imported, each line held against the gateway's operations.

use crate::call::Call;
use crate::exchange::{Sent, Verb};
use crate::paths::segment;
use crate::rows::{Page, Rows};
use crate::transport::Sender;
use crate::types::{
    Settlement, SettlementDetails, SettlementLine, SettlementLineQuery, SettlementPage,
    SettlementQuery,
};
use std::fmt;
use std::sync::Arc;

/// Calls of [`crate::Payframe::settlements`].
#[derive(Clone)]
pub struct Settlements {
    sender: Arc<Sender>,
}

impl Settlements {
    pub(crate) fn new(sender: &Arc<Sender>) -> Self {
        Self {
            sender: Arc::clone(sender),
        }
    }

    /// A page of clearing files with their sums, the newest first. For the next page repeat the call with `after` = `next_cursor`, until there is none.
    pub fn list(&self, query: &SettlementQuery) -> Call<SettlementPage> {
        let sent = Sent::new(Verb::Get, "/settlements").query(query);
        Call::new(&self.sender, sent)
    }

    /// All clearing files, page by page, the newest first.
    #[must_use]
    pub fn all(&self, query: &SettlementQuery) -> Rows<Settlement> {
        let (settlements, query) = (self.clone(), query.clone());
        Rows::new(query.after.clone(), move |after| {
            let call = settlements.list(&SettlementQuery {
                after,
                ..query.clone()
            });
            async move {
                let page = call.await?;
                Ok(Page {
                    rows: page.settlements,
                    next: page.next_cursor,
                })
            }
        })
    }

    /// A clearing file, with its payouts and a page of its lines. For more lines repeat the call with `after` = `next_cursor`, until there is none.
    pub fn read(
        &self,
        settlement_id: &str,
        query: &SettlementLineQuery,
    ) -> Call<SettlementDetails> {
        let sent = segment(settlement_id, "settlement_id")
            .and_then(|id| Sent::new(Verb::Get, format!("/settlements/{id}")).query(query));
        Call::new(&self.sender, sent)
    }

    /// All lines of a clearing file, page by page, in the order of the file.
    #[must_use]
    pub fn lines(&self, settlement_id: &str, query: &SettlementLineQuery) -> Rows<SettlementLine> {
        let (settlements, query) = (self.clone(), query.clone());
        let settlement_id = settlement_id.to_owned();
        Rows::new(query.after.clone(), move |after| {
            let query = SettlementLineQuery {
                after,
                ..query.clone()
            };
            let call = settlements.read(&settlement_id, &query);
            async move {
                let page = call.await?;
                Ok(Page {
                    rows: page.lines,
                    next: page.next_cursor,
                })
            }
        })
    }
}

impl fmt::Debug for Settlements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settlements").finish_non_exhaustive()
    }
}
