//! Payment links: an address at which a customer pays.

use crate::call::Call;
use crate::exchange::{Sent, Verb};
use crate::paths::segment;
use crate::transport::Sender;
use crate::types::{CreatedLink, LinkDetails, LinkQuery, LinkRequest, PaymentLink};
use std::fmt;
use std::sync::Arc;

/// Calls of [`crate::Payframe::links`].
#[derive(Clone)]
pub struct PaymentLinks {
    sender: Arc<Sender>,
}

impl PaymentLinks {
    pub(crate) fn new(sender: &Arc<Sender>) -> Self {
        Self {
            sender: Arc::clone(sender),
        }
    }

    /// `payment_link.link` of the answer is the address to send.
    pub fn create(&self, request: &LinkRequest) -> Call<CreatedLink> {
        Call::new(
            &self.sender,
            Sent::new(Verb::Post, "/v2/orders/paybylink").body(request),
        )
    }

    /// A link, and the order that it is for.
    pub fn read(&self, link_id: &str) -> Call<LinkDetails> {
        let id = segment(link_id, "link_id");
        Call::new(
            &self.sender,
            id.map(|id| Sent::new(Verb::Get, format!("/orders/paybylink/{id}"))),
        )
    }

    /// Links, the newest first. For the next page repeat the call with `to_time` = `creation_time` of the last row.
    pub fn list(&self, query: &LinkQuery) -> Call<Vec<PaymentLink>> {
        let sent = Sent::new(Verb::Get, "/orders/paybylink").member("paymentLinks");
        Call::new(&self.sender, sent.query(query))
    }

    /// Makes an expired or failed link valid again, or prolongs an unpaid one.
    pub fn renew(&self, link_id: &str) -> Call<PaymentLink> {
        let sent = segment(link_id, "link_id").map(|id| {
            Sent::new(Verb::Post, format!("/orders/paybylink/{id}/renewals")).member("paymentLink")
        });
        Call::new(&self.sender, sent)
    }

    /// Gives up a link that is not paid. To do it again is no error.
    pub fn cancel(&self, link_id: &str) -> Call<PaymentLink> {
        let sent = segment(link_id, "link_id").map(|id| {
            Sent::new(Verb::Post, format!("/paybylink/{id}/cancels")).member("paymentLink")
        });
        Call::new(&self.sender, sent)
    }
}

impl fmt::Debug for PaymentLinks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PaymentLinks").finish_non_exhaustive()
    }
}
