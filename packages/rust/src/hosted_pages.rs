//! The gateway's own payment page, for shops without a page for the form.

use crate::call::Call;
use crate::exchange::{Sent, Verb};
use crate::transport::Sender;
use crate::types::{HostedPage, HostedPageRequest};
use std::fmt;
use std::sync::Arc;

/// Calls of [`crate::Payframe::hosted_pages`].
#[derive(Clone)]
pub struct HostedPages {
    sender: Arc<Sender>,
}

impl HostedPages {
    pub(crate) fn new(sender: &Arc<Sender>) -> Self {
        Self {
            sender: Arc::clone(sender),
        }
    }

    /// `hosted_page` of the answer is where to send the browser.
    pub fn create(&self, request: &HostedPageRequest) -> Call<HostedPage> {
        Call::new(
            &self.sender,
            Sent::new(Verb::Post, "/orders/hpp").body(request),
        )
    }
}

impl fmt::Debug for HostedPages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostedPages").finish_non_exhaustive()
    }
}
