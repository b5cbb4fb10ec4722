//! The buyer's bank of a sandbox, for tests: it disputes payments, and decides.

use crate::call::Call;
use crate::exchange::{Sent, Verb};
use crate::paths::segment;
use crate::transport::Sender;
use crate::types::{Dispute, DisputeResult, SandboxDisputeDecision, SandboxDisputeRequest};
use std::fmt;
use std::sync::Arc;

/// Calls of [`crate::Payframe::test_disputes`]. A gateway in production has none of them, so they are `not_found` there.
#[derive(Clone)]
pub struct SandboxDisputes {
    sender: Arc<Sender>,
}

impl SandboxDisputes {
    pub(crate) fn new(sender: &Arc<Sender>) -> Self {
        Self {
            sender: Arc::clone(sender),
        }
    }

    /// Opens a dispute of a captured payment: a chargeback of all that can be disputed, unless the request says otherwise.
    pub fn open(&self, request: &SandboxDisputeRequest) -> Call<Dispute> {
        let sent = Sent::new(Verb::Post, "/test/disputes").body(request);
        Call::new(&self.sender, sent)
    }

    /// Decides for the merchant (`WON`) or for the buyer (`LOST`), or takes the dispute to a later stage.
    pub fn decide(&self, dispute_id: &str, result: DisputeResult) -> Call<Dispute> {
        let decision = SandboxDisputeDecision { result };
        let sent = segment(dispute_id, "dispute_id").and_then(|id| {
            Sent::new(Verb::Post, format!("/test/disputes/{id}/result")).body(&decision)
        });
        Call::new(&self.sender, sent)
    }
}

impl fmt::Debug for SandboxDisputes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SandboxDisputes").finish_non_exhaustive()
    }
}
