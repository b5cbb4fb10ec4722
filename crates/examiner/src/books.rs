//! The books of both sides: what the examination was told of each reference is held against what the acquirer says of it in the end.
//!
//! For an acquirer that answers an inquiry about every reference, also of a follow-up operation, as adapters do.

use crate::bench::{failed, must_be_same};
use crate::report::{Finding, Report};
use async_trait::async_trait;
use payframe_money::Amount;
use payframe_payment_ports::acquirer::{
    Acquirer, AcquirerError, AuthorizationRequest, AuthorizationResponse, AuthorizationResult,
    FollowUpRequest, InquiryRequest,
};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An acquirer whose every reference is written down.
pub struct Books<'a> {
    acquirer: &'a dyn Acquirer,
    entries: Mutex<BTreeMap<String, Entry>>,
}

/// A reference, as it was asked for first.
#[derive(Clone)]
struct Entry {
    terminal_id: String,
    /// As the protocol of adapters calls it.
    kind: &'static str,
    amount: Amount,
    currency: String,
    /// The latest answer.
    told: Option<AuthorizationResponse>,
}

impl<'a> Books<'a> {
    /// Empty books of what this acquirer is asked for.
    pub fn of(acquirer: &'a dyn Acquirer) -> Books<'a> {
        Books {
            acquirer,
            entries: Mutex::default(),
        }
    }

    /// Writes down a payment that is asked for on another way.
    pub fn expect(&self, request: &AuthorizationRequest<'_>) {
        let entry = Entry {
            terminal_id: request.terminal_id.to_owned(),
            kind: request.action.code(),
            amount: request.amount,
            currency: request.currency.to_owned(),
            told: None,
        };
        self.write_down(request.reference, entry);
    }

    /// The first entry of a reference stays.
    fn write_down(&self, reference: &str, entry: Entry) {
        self.entries().entry(reference.to_owned()).or_insert(entry);
    }

    /// Asks the acquirer about every reference, and writes into the report what both sides have booked.
    pub async fn compare(&self, report: &mut Report) {
        let mut booked: BTreeMap<(&str, String), (u32, u64)> = BTreeMap::new();
        let outcome = self.agree(&mut booked).await;
        report.add(
            "the books of both sides agree about every reference of this examination",
            outcome,
        );
        let lines = booked
            .into_iter()
            .map(|((kind, currency), (count, minor))| {
                format!("{kind}, APPROVED: {count}, together {minor} {currency}")
            });
        report.books.extend(lines);
    }

    async fn agree(
        &self,
        booked: &mut BTreeMap<(&str, String), (u32, u64)>,
    ) -> Result<(), Finding> {
        let entries = self.entries().clone();
        for (reference, entry) in entries {
            let request = InquiryRequest {
                reference: &reference,
                terminal_id: &entry.terminal_id,
                amount: entry.amount,
                currency: &entry.currency,
            };
            let there = self.acquirer.inquire(&request).await?;
            let what = format!("{} {reference}", entry.kind);
            let is_final =
                |told: &AuthorizationResponse| told.result != AuthorizationResult::Pending;
            match (entry.told.filter(is_final), &there) {
                (Some(told), Some(there)) => must_be_same(&what, &told, there)?,
                (Some(_), None) => {
                    return failed(format!("{what}: it was answered, and is not known"));
                }
                (None, _) => {}
            }
            if there.is_some_and(|there| there.result == AuthorizationResult::Approved) {
                let (count, minor) = booked.entry((entry.kind, entry.currency)).or_default();
                *count += 1;
                *minor += entry.amount.minor();
            }
        }
        Ok(())
    }

    fn note(&self, reference: &str, answer: &Result<AuthorizationResponse, AcquirerError>) {
        if let (Some(entry), Ok(response)) = (self.entries().get_mut(reference), answer) {
            entry.told = Some(response.clone());
        }
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        // A panic during the lock cannot leave the entries inconsistent: each change is one call.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Acquirer for Books<'_> {
    async fn authorize(
        &self,
        request: &AuthorizationRequest<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        self.expect(request);
        let answer = self.acquirer.authorize(request).await;
        self.note(request.reference, &answer);
        answer
    }

    async fn follow_up(
        &self,
        request: &FollowUpRequest<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        let entry = Entry {
            terminal_id: request.terminal_id.to_owned(),
            kind: request.operation.operation_type().code(),
            amount: request.amount,
            currency: request.currency.to_owned(),
            told: None,
        };
        self.write_down(request.reference, entry);
        let answer = self.acquirer.follow_up(request).await;
        self.note(request.reference, &answer);
        answer
    }

    async fn inquire(
        &self,
        request: &InquiryRequest<'_>,
    ) -> Result<Option<AuthorizationResponse>, AcquirerError> {
        self.acquirer.inquire(request).await
    }

    fn converts(&self) -> bool {
        self.acquirer.converts()
    }
}
