//! The money: the requests to the acquirer, the booking of its answers, and the comparison of both records.

use super::observed::GatewayStep;
use super::{Broken, Client, Gateway, Job, refused};
use crate::world::NOBODY;
use payframe_checkout_flow::flow::{Answer, Outcome};
use payframe_payment_domain::operation::{
    ActionType, AuthorizationResult, Capture, OperationResult,
};
use payframe_payment_domain::session::{Event, State};

impl Gateway {
    /// The acquirer gets the request.
    pub(crate) fn ask_acquirer(&mut self, broken: Option<Broken>) {
        let (
            Some(card),
            State::Authorizing {
                completion,
                authentication,
                ..
            },
        ) = (self.stored_card, &self.session.state)
        else {
            return;
        };
        let mut reference = completion.operation_id.clone();
        if broken == Some(Broken::FreshReference) {
            reference = format!("{reference}, asked {}", self.charges.len());
        }
        let answer = card.result(*authentication);
        let result = *self.charges.entry(reference).or_insert(answer);
        if let Some(job) = &mut self.job {
            job.result = Some(result);
        }
        self.record(|| GatewayStep::AcquirerAnswered);
    }

    /// Books the acquirer's answer. Returns who waits for it, and the answer to that caller: there is none yet if a challenge has to be
    /// asked for.
    pub(crate) fn book(&mut self, broken: Option<Broken>) -> Option<(Client, Answer)> {
        if self.record_demand(broken) {
            self.record(|| GatewayStep::DemandBooked);
            return None;
        }
        let answered = self.book_answer();
        self.record(|| {
            let answer = answered.as_ref().map(|(_, answer)| answer.clone());
            GatewayStep::Booked(answer)
        });
        answered
    }

    fn book_answer(&mut self) -> Option<(Client, Answer)> {
        let job = self.job.take()?;
        let result = job.result?;
        let booked = self.apply(Event::IssuerAnswered { result });
        let answer = match booked {
            Ok(()) => self.snapshot(),
            Err(refusal) => refused(refusal),
        };
        self.answer_job(job, answer)
    }

    /// Stores the answer to the call of a job that is done, and returns it with the caller.
    pub(super) fn answer_job(&mut self, job: Job, answer: Answer) -> Option<(Client, Answer)> {
        let (client, key) = job.origin?;
        if let (Some(key), Answer::State(_)) = (key, &answer) {
            self.answers.insert(key, answer.clone());
        }
        Some((client, answer))
    }

    /// Books, and crashes before the answer is stored or sent.
    pub(crate) fn book_and_die(&mut self) -> Option<Client> {
        let client = self.job?.origin.map(|(client, _)| client);
        if let Some(job) = &mut self.job {
            job.origin = None;
        }
        self.book_answer();
        self.record(|| GatewayStep::BookedThenCrashed);
        client
    }

    /// The process crashes during a charge. Returns who waited.
    pub(crate) fn crash(&mut self, broken: Option<Broken>) -> Option<Client> {
        let client = self.stop();
        if broken == Some(Broken::IntentForgotten) {
            self.forget_intent();
        }
        self.record(|| GatewayStep::Crashed);
        client
    }

    /// The acquirer gives no answer. Returns who waited for it.
    pub(crate) fn miss_acquirer(&mut self, broken: Option<Broken>) -> Option<Client> {
        let client = match &mut self.job {
            Some(job) if broken == Some(Broken::SilenceIsRefusal) => {
                job.result = Some(AuthorizationResult::Declined);
                None
            }
            _ => self.stop(),
        };
        self.record(|| GatewayStep::AcquirerSilent);
        client
    }

    /// The wait for the acquirer's answer ends, and the acquirer reverses what it may have approved. From then on it answers that the payment
    /// has failed. Returns who waited.
    pub(crate) fn reverse(&mut self, broken: Option<Broken>) -> Option<Client> {
        let State::Authorizing { completion, .. } = &self.session.state else {
            return None;
        };
        let reference = completion.operation_id.clone();
        match (broken, &mut self.job) {
            (Some(Broken::ReversalForgotten), Some(job)) => {
                job.result = Some(AuthorizationResult::Failed);
                return None;
            }
            (Some(Broken::LateAnswerBooked), Some(job)) if job.result.is_some() => {
                self.charges.insert(reference, AuthorizationResult::Failed);
                return None;
            }
            _ => {}
        }
        self.charges.insert(reference, AuthorizationResult::Failed);
        self.stop()
    }

    /// The caller of the running call stops waiting. The answer is stored.
    pub(crate) fn caller_leaves(&mut self, client: Client) {
        if let Some(job) = &mut self.job
            && let Some((origin, key)) = job.origin
            && origin == client
        {
            job.origin = Some((NOBODY, key));
            self.record(|| GatewayStep::CallerLeft);
        }
    }

    fn stop(&mut self) -> Option<Client> {
        let job = self.job.take()?;
        job.origin.map(|(client, _)| client)
    }

    /// The gateway has no memory of having asked the acquirer.
    fn forget_intent(&mut self) {
        if let State::Authorizing { card, .. } = &self.session.state {
            let card = card.clone();
            self.session.state = State::Ready { card };
        }
    }

    /// Continues what a crash interrupted, as the gateway does at its start and in its periodic work.
    pub(crate) fn recover(&mut self) {
        self.begin_alone();
        self.record(|| GatewayStep::RecoveryBegun);
    }

    /// Works on the session's money without a call that waits for it.
    pub(super) fn begin_alone(&mut self) {
        self.job = Some(Job {
            origin: None,
            result: None,
        });
    }

    /// A charge that is pending becomes final at the acquirer, and is booked.
    pub(crate) fn resolve_pending(&mut self, result: AuthorizationResult) {
        for (reference, charged) in &mut self.charges {
            if *charged != AuthorizationResult::Pending {
                continue;
            }
            *charged = result;
            if let Some(booked) = self.operations.get_mut(reference)
                && let Ok(resolved) = booked.resolve(result, ActionType::Pay, Capture::Implicit)
            {
                *booked = resolved;
            }
        }
        self.record(|| GatewayStep::PendingResolved(result));
    }

    /// What the records hold: operations by id, each with its result on the wire.
    pub(crate) fn operation_results(&self) -> Vec<(String, &'static str)> {
        let operations = self.operations.iter();
        operations
            .map(|(operation_id, result)| (operation_id.clone(), result.code()))
            .collect()
    }

    pub(crate) fn has_booked_pending(&self) -> bool {
        self.operations
            .values()
            .any(|result| *result == OperationResult::Pending)
    }

    /// Charges that took money, or still may.
    pub(crate) fn taken(&self) -> usize {
        let takes = |result: &&AuthorizationResult| {
            matches!(
                result,
                AuthorizationResult::Approved | AuthorizationResult::Pending
            )
        };
        self.charges.values().filter(takes).count()
    }

    /// Whether the acquirer has reversed a payment.
    pub(crate) fn has_reversed(&self) -> bool {
        self.charges
            .values()
            .any(|result| *result == AuthorizationResult::Failed)
    }

    /// Whether money was taken for good.
    pub(crate) fn is_charged(&self) -> bool {
        self.charges
            .values()
            .any(|result| *result == AuthorizationResult::Approved)
    }

    /// Whether the gateway's records hold a payment.
    pub(crate) fn is_known(&self) -> bool {
        self.operations
            .keys()
            .any(|operation_id| self.outcome_of(operation_id) == Some(Outcome::Approved))
    }

    /// What the gateway's own records say of an operation.
    pub(crate) fn outcome_of(&self, operation_id: &str) -> Option<Outcome> {
        self.operations
            .get(operation_id)
            .map(|result| Outcome::from_operation_result(result.code()))
    }

    /// Whether the records agree with the acquirer's, operation by operation.
    pub(crate) fn is_reconciled(&self) -> bool {
        let booked = self.charges.iter().all(|(reference, result)| {
            let expected = OperationResult::of(*result, ActionType::Pay, Capture::Implicit);
            self.operations.get(reference) == Some(&expected)
        });
        let charged = self.operations.iter().all(|(operation_id, result)| {
            let claims = Outcome::from_operation_result(result.code()) == Outcome::Approved;
            !claims || self.charges.get(operation_id) == Some(&AuthorizationResult::Approved)
        });
        booked && charged
    }
}
