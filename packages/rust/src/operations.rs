//! What is done with the money of a payment afterwards: capture, refund, void, cancel.

use crate::call::Call;
use crate::errors::{ErrorKind, PayframeError};
use crate::exchange::{Sent, Verb};
use crate::paths::segment;
use crate::transport::Sender;
use crate::types::{
    AllowedAction, CaptureRequest, Operation, OperationQuery, RefundRequest, Taken,
};
use serde_json::json;
use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;

/// Calls of [`crate::Payframe::operations`].
#[derive(Clone)]
pub struct Operations {
    sender: Arc<Sender>,
}

impl Operations {
    pub(crate) fn new(sender: &Arc<Sender>) -> Self {
        Self {
            sender: Arc::clone(sender),
        }
    }

    /// One operation.
    pub fn read(&self, operation_id: &str) -> Call<Operation> {
        Call::new(&self.sender, at(Verb::Get, operation_id, ""))
    }

    /// Operations, the newest first. For the next page repeat the call with `to_time` = `operation_time` of the last row.
    pub fn list(&self, query: &OperationQuery) -> Call<Vec<Operation>> {
        let sent = Sent::new(Verb::Get, "/operations").member("operations");
        Call::new(&self.sender, sent.query(query))
    }

    /// What may be done with an operation now.
    pub fn actions(&self, operation_id: &str) -> Call<Vec<AllowedAction>> {
        let sent = at(Verb::Get, operation_id, "/actions");
        Call::new(&self.sender, sent.map(|sent| sent.member("actions")))
    }

    /// Captures money that an authorization holds, all of it or a part. A [`crate::Money`] is a request, too.
    pub fn capture(&self, operation_id: &str, request: impl Into<CaptureRequest>) -> Call<Taken> {
        let sent = at(Verb::Post, operation_id, "/captures");
        Call::new(
            &self.sender,
            sent.and_then(|sent| sent.body(&request.into())),
        )
    }

    /// Gives captured money of an authorization or a capture back, all of it or a part. A [`crate::Money`] is a request, too.
    pub fn refund(&self, operation_id: &str, request: impl Into<RefundRequest>) -> Call<Taken> {
        let sent = at(Verb::Post, operation_id, "/refunds");
        Call::new(
            &self.sender,
            sent.and_then(|sent| sent.body(&request.into())),
        )
    }

    /// Releases what an authorization still holds. The gateway has no call of its own for this: it takes a refund of exactly the held amount for a release,
    /// but for a refund if that much or more is captured. Such a void is refused here (`void_ambiguous`).
    ///
    /// To repeat a void whose outcome is not known, call this again: `nothing_to_void` says that nothing is held any more.
    ///
    /// Captures made at the same time can change what the gateway takes the amount for. Make them one after the other, and read the
    /// operation that this answers: its `operation_type` is `VOID`.
    pub fn void(&self, operation_id: &str) -> Void {
        Void {
            operations: self.clone(),
            operation_id: operation_id.to_owned(),
            description: None,
            idempotency_key: None,
            order_version: None,
        }
    }

    /// Cancels a capture on the day on which it was made.
    pub fn cancel(&self, operation_id: &str, description: Option<&str>) -> Call<Taken> {
        let body = match description {
            Some(description) => json!({ "description": description }),
            None => json!({}),
        };
        let sent = at(Verb::Post, operation_id, "/cancels");
        Call::new(&self.sender, sent.and_then(|sent| sent.body(&body)))
    }
}

impl fmt::Debug for Operations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Operations").finish_non_exhaustive()
    }
}

/// A void that is made when it is awaited: see [`Operations::void`].
#[derive(Debug)]
#[must_use = "a call is made when it is awaited"]
pub struct Void {
    operations: Operations,
    operation_id: String,
    description: Option<String>,
    idempotency_key: Option<String>,
    order_version: Option<String>,
}

impl Void {
    /// The reason, for the merchant's own staff.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// As [`Call::idempotency_key`].
    pub fn idempotency_key(mut self, key: impl Into<String>) -> Self {
        self.idempotency_key = Some(key.into());
        self
    }

    /// As [`Call::order_version`].
    pub fn order_version(mut self, version: impl Into<String>) -> Self {
        self.order_version = Some(version.into());
        self
    }
}

impl IntoFuture for Void {
    type Output = Result<Taken, PayframeError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let actions = self.operations.actions(&self.operation_id).await?;
            let held = held(actions)?;
            let request = RefundRequest {
                amount: held.max_amount,
                currency: Some(held.currency),
                description: self.description,
            };
            let mut call = self.operations.refund(&self.operation_id, request);
            if let Some(key) = self.idempotency_key {
                call = call.idempotency_key(key);
            }
            if let Some(version) = self.order_version {
                call = call.order_version(version);
            }
            call.await
        })
    }
}

/// The release that the gateway offers now.
fn held(actions: Vec<AllowedAction>) -> Result<AllowedAction, PayframeError> {
    // What is held can be captured: then the gateway offers no release because it would refund captured money.
    let is_held = actions.iter().any(|action| action.action_type == "CAPTURE");
    let mut actions = actions.into_iter();
    actions
        .find(|action| action.action_type == "VOID")
        .ok_or_else(|| {
            let (code, message) = if is_held {
                (
                    "void_ambiguous",
                    "The gateway would refund captured money, because no more is held than captured. The rest ends by itself.",
                )
            } else {
                (
                    "nothing_to_void",
                    "The operation holds nothing that can be released.",
                )
            };
            PayframeError::new(ErrorKind::Caller, code, message)
        })
}

fn at(verb: Verb, operation_id: &str, rest: &str) -> Result<Sent, PayframeError> {
    let id = segment(operation_id, "operation_id")?;
    Ok(Sent::new(verb, format!("/operations/{id}{rest}")))
}
