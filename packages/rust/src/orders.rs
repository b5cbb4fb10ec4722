//! Orders: the truth about payments.

use crate::call::Call;
use crate::exchange::{Sent, Verb};
use crate::paths::segment;
use crate::transport::Sender;
use crate::types::{Fulfilment, FulfilmentRequest, Order, OrderQuery, OrderStatus};
use std::fmt;
use std::sync::Arc;

/// Calls of [`crate::Payframe::orders`].
#[derive(Clone)]
pub struct Orders {
    sender: Arc<Sender>,
}

impl Orders {
    pub(crate) fn new(sender: &Arc<Sender>) -> Self {
        Self {
            sender: Arc::clone(sender),
        }
    }

    /// An order with its totals and its operations, the newest first. Ask before anything is shipped. An id that no call has named yet is
    /// `not_found`.
    pub fn read(&self, order_id: &str) -> Call<Order> {
        let id = segment(order_id, "order_id");
        Call::new(
            &self.sender,
            id.map(|id| Sent::new(Verb::Get, format!("/orders/{id}"))),
        )
    }

    /// Orders, the newest first. For the next page repeat the call with `to_time` = `last_operation_time` of the last row.
    pub fn list(&self, query: &OrderQuery) -> Call<Vec<OrderStatus>> {
        Call::new(
            &self.sender,
            Sent::new(Verb::Get, "/orders")
                .member("orders")
                .query(query),
        )
    }

    /// Tells the gateway the state of an order's goods, so that its books can be compared with the shop's. It moves no money. The same state with the
    /// same note again changes nothing.
    pub fn tell_fulfilment(&self, order_id: &str, request: &FulfilmentRequest) -> Call<Fulfilment> {
        let sent = segment(order_id, "order_id")
            .and_then(|id| Sent::new(Verb::Put, format!("/orders/{id}/fulfilment")).body(request));
        Call::new(&self.sender, sent)
    }
}

impl fmt::Debug for Orders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Orders").finish_non_exhaustive()
    }
}
