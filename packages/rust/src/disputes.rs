//! Disputes: a buyer's bank asks about a captured payment, or takes its money back, and the merchant answers before a deadline.

use crate::call::Call;
use crate::errors::PayframeError;
use crate::exchange::{Sent, Verb};
use crate::paths::segment;
use crate::rows::{Page, Rows};
use crate::transport::Sender;
use crate::types::{
    Dispute, DisputeFile, DisputeFileContent, DisputePage, DisputeQuery, Done, EvidenceRequest,
};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use std::fmt;
use std::sync::Arc;

/// Calls of [`crate::Payframe::disputes`].
#[derive(Clone)]
pub struct Disputes {
    sender: Arc<Sender>,
}

impl Disputes {
    pub(crate) fn new(sender: &Arc<Sender>) -> Self {
        Self {
            sender: Arc::clone(sender),
        }
    }

    /// A page of disputes, the newest first, without their evidence. For the next page repeat the call with `after` = `dispute_id` of the last row.
    pub fn list(&self, query: &DisputeQuery) -> Call<DisputePage> {
        Call::new(&self.sender, Sent::new(Verb::Get, "/disputes").query(query))
    }

    /// All disputes that the query asks for, page by page.
    ///
    /// ```
    /// use payframe_server::types::{DisputeQuery, DisputeState};
    /// use payframe_server::{Payframe, PayframeError};
    ///
    /// async fn to_be_answered(payframe: &Payframe) -> Result<Vec<String>, PayframeError> {
    ///     let state = Some(DisputeState::NeedsResponse);
    ///     let mut disputes = payframe.disputes.all(&DisputeQuery { state, ..Default::default() });
    ///     let mut rows = Vec::new();
    ///     while let Some(dispute) = disputes.next().await? {
    ///         rows.push(format!("{} until {}", dispute.order_id, dispute.deadline));
    ///     }
    ///     Ok(rows)
    /// }
    /// ```
    #[must_use]
    pub fn all(&self, query: &DisputeQuery) -> Rows<Dispute> {
        let (disputes, query) = (self.clone(), query.clone());
        Rows::new(query.after.clone(), move |after| {
            let call = disputes.list(&DisputeQuery {
                after,
                ..query.clone()
            });
            async move {
                let page = call.await?;
                let last = page.disputes.last().filter(|_| page.has_more);
                Ok(Page {
                    next: last.map(|dispute| dispute.dispute_id.clone()),
                    rows: page.disputes,
                })
            }
        })
    }

    /// A dispute, with the evidence that was submitted last and its files.
    pub fn read(&self, dispute_id: &str) -> Call<Dispute> {
        Call::new(&self.sender, at(Verb::Get, dispute_id, ""))
    }

    /// Adds a file to the evidence that is submitted next: the bytes of a PDF document, or of a PNG or JPEG picture, at most 4.5 MB.
    pub fn add_file(&self, dispute_id: &str, name: &str, content: &[u8]) -> Call<DisputeFile> {
        let file = json!({ "name": name, "content": STANDARD.encode(content) });
        let sent = at(Verb::Post, dispute_id, "/files");
        Call::new(&self.sender, sent.and_then(|sent| sent.body(&file)))
    }

    /// A file with its content. Show it to nobody as a page of yours: somebody uploaded it.
    pub fn read_file(&self, file_id: &str) -> Call<DisputeFileContent> {
        Call::new(&self.sender, file_at(Verb::Get, file_id, ""))
    }

    /// Removes a file that was not submitted yet.
    pub fn remove_file(&self, file_id: &str) -> Call<Done> {
        Call::new(&self.sender, file_at(Verb::Post, file_id, "/removal"))
    }

    /// Submits texts, with all files of the dispute: at least one text or one file. Nothing can be changed afterwards.
    pub fn submit_evidence(&self, dispute_id: &str, request: &EvidenceRequest) -> Call<Dispute> {
        let sent = at(Verb::Post, dispute_id, "/evidence");
        Call::new(&self.sender, sent.and_then(|sent| sent.body(request)))
    }

    /// The buyer keeps the money, and the dispute is over.
    pub fn accept(&self, dispute_id: &str) -> Call<Dispute> {
        Call::new(&self.sender, at(Verb::Post, dispute_id, "/acceptance"))
    }
}

impl fmt::Debug for Disputes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Disputes").finish_non_exhaustive()
    }
}

fn at(verb: Verb, dispute_id: &str, rest: &str) -> Result<Sent, PayframeError> {
    let id = segment(dispute_id, "dispute_id")?;
    Ok(Sent::new(verb, format!("/disputes/{id}{rest}")))
}

fn file_at(verb: Verb, file_id: &str, rest: &str) -> Result<Sent, PayframeError> {
    let id = segment(file_id, "file_id")?;
    Ok(Sent::new(verb, format!("/disputes/files/{id}{rest}")))
}
