//! The client: one merchant's key at one gateway.

use crate::call::Call;
use crate::disputes::Disputes;
use crate::errors::PayframeError;
use crate::events::Events;
use crate::exchange::{Sent, Verb};
use crate::hosted_pages::HostedPages;
use crate::links::PaymentLinks;
use crate::operations::Operations;
use crate::options::Options;
use crate::orders::Orders;
use crate::paths::checked_path;
use crate::sandbox_clock::SandboxClock;
use crate::sandbox_disputes::SandboxDisputes;
use crate::sessions::Sessions;
use crate::settlements::Settlements;
use crate::transport::Sender;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// A client. It holds connections and no other state, so one is enough for a whole server: tasks share it, and a clone is the same client.
#[derive(Clone)]
pub struct Payframe {
    /// Sessions of the embedded form.
    pub sessions: Sessions,
    /// Orders: the truth about payments.
    pub orders: Orders,
    /// What is done with the money of a payment afterwards.
    pub operations: Operations,
    /// Payment links.
    pub links: PaymentLinks,
    /// The gateway's own payment page.
    pub hosted_pages: HostedPages,
    /// The feed of events.
    pub events: Events,
    /// What buyers' banks dispute, and the merchant's answers.
    pub disputes: Disputes,
    /// Clearing files of acquirers.
    pub settlements: Settlements,
    /// The clock of a sandbox, for tests.
    pub test_clock: SandboxClock,
    /// The buyer's bank of a sandbox, for tests.
    pub test_disputes: SandboxDisputes,
    sender: Arc<Sender>,
}

impl Payframe {
    /// A client with the default options: see [`Options::new`].
    ///
    /// # Errors
    ///
    /// `bad_value`
    pub fn new(
        gateway: impl Into<String>,
        api_key: impl Into<String>,
    ) -> Result<Self, PayframeError> {
        Self::with(Options::new(gateway, api_key))
    }

    /// A client with these options.
    ///
    /// # Errors
    ///
    /// `bad_value`
    pub fn with(options: Options) -> Result<Self, PayframeError> {
        let sender = Arc::new(Sender::new(options.checked()?));
        Ok(Self {
            sessions: Sessions::new(&sender),
            orders: Orders::new(&sender),
            operations: Operations::new(&sender),
            links: PaymentLinks::new(&sender),
            hosted_pages: HostedPages::new(&sender),
            events: Events::new(&sender),
            disputes: Disputes::new(&sender),
            settlements: Settlements::new(&sender),
            test_clock: SandboxClock::new(&sender),
            test_disputes: SandboxDisputes::new(&sender),
            sender,
        })
    }

    /// Any other call of the API, with the same key, retries and errors. `path` is below `/api`, such as `/orders/mit`, with its ids percent-encoded.
    pub fn call(
        &self,
        verb: Verb,
        path: &str,
        query: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Call<Value> {
        let sent = checked_path(path).and_then(|path| {
            let pairs = query.iter();
            let sent = pairs.fold(Sent::new(verb, path), |sent, (name, value)| {
                sent.pair(name, value)
            });
            match body {
                Some(body) => sent.body(body),
                None => Ok(sent),
            }
        });
        Call::new(&self.sender, sent)
    }
}

impl fmt::Debug for Payframe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Payframe").finish_non_exhaustive()
    }
}
