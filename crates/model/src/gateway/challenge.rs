//! Challenges: the buyer's answers, and challenges that the acquirer demands by its decline.

use super::observed::GatewayStep;
use super::{Broken, Client, Gateway};
use crate::card::Card;
use payframe_checkout_flow::flow::Answer;
use payframe_payment_domain::operation::AuthorizationResult;
use payframe_payment_domain::session::{
    Authentication, ChallengeReply, Event, State, StateBeforeAuthorization, StepUp,
};

impl Gateway {
    /// The buyer answers on the issuer's page.
    pub(crate) fn reply_to_challenge(&mut self, reply: ChallengeReply) {
        let State::Challenged { completion, .. } = &self.session.state else {
            return;
        };
        let is_demanded = completion.repeats.is_some();
        let operation_id = completion.operation_id.clone();
        let event = Event::ChallengeAnswered {
            operation_id,
            reply,
        };
        if self.apply(event).is_ok() && self.waits_for_answer() {
            self.demands_met += u8::from(is_demanded);
            self.begin_alone();
        }
        self.record(|| GatewayStep::ChallengeAnswered(reply));
    }

    /// Whether the 3-D Secure server has to be asked.
    pub(crate) fn is_stepping_up(&self) -> bool {
        matches!(self.session.state, State::SteppingUp { .. })
    }

    /// Whether the acquirer's answer that is not booked yet demands an authentication.
    pub(crate) fn has_demand(&self) -> bool {
        let is_declined = |result| result == Some(AuthorizationResult::Declined);
        self.stored_card == Some(Card::Demanding)
            && self.job.is_some_and(|job| is_declined(job.result))
            && matches!(
                self.session.state,
                State::Authorizing {
                    authentication: Authentication::None,
                    ..
                }
            )
    }

    /// Books a decline that demands an authentication. The job goes on: the 3-D Secure server is asked.
    pub(super) fn record_demand(&mut self, broken: Option<Broken>) -> bool {
        if !self.has_demand() {
            return false;
        }
        let operation_id = self.fresh_id();
        let event = Event::AuthenticationDemanded { operation_id };
        if self.apply(event).is_err() {
            return false;
        }
        if let Some(job) = &mut self.job {
            job.result = None;
        }
        match broken {
            Some(Broken::RepeatsWithoutChallenge) => self.repeat_at_once(),
            Some(Broken::RepeatsSameReference) => self.keep_reference(),
            _ => {}
        }
        true
    }

    /// The 3-D Secure server answers, and its answer is booked. Returns who waits for it, and the answer to that caller.
    pub(crate) fn step_up(&mut self, step_up: StepUp) -> Option<(Client, Answer)> {
        let job = self.job.take()?;
        // Only called where the session waits for it.
        let _ = self.apply(Event::StepUpAnswered { answer: step_up });
        let answer = self.snapshot();
        let answered = self.answer_job(job, answer);
        self.record(|| {
            let answer = answered.as_ref().map(|(_, answer)| answer.clone());
            GatewayStep::StepUpBooked(step_up, answer)
        });
        answered
    }

    /// Asks the acquirer again, although nobody has asked the buyer.
    fn repeat_at_once(&mut self) {
        let _ = self.apply(Event::StepUpAnswered {
            answer: StepUp::Challenge,
        });
        if let State::Challenged {
            card, completion, ..
        } = self.session.state.clone()
        {
            self.session.state = State::Authorizing {
                card,
                authentication: Authentication::Full,
                from: StateBeforeAuthorization::Challenged,
                completion,
            };
        }
    }

    /// Repeats the declined operation with its own reference.
    fn keep_reference(&mut self) {
        if let State::SteppingUp {
            declined,
            operation_id,
            ..
        } = &mut self.session.state
        {
            operation_id.clone_from(&declined.operation_id);
        }
    }
}
