//! What can happen next, within the bounds.

use super::{Action, Setting, World};
use crate::card::Card;
use crate::form::{CallProgress, Form};
use crate::gateway::Client;
use payframe_checkout_flow::flow::{
    Answer, CaptureInitiator, ChallengeFailure, Event, FrameContent, Phase, SessionSnapshot, Terms,
};
use payframe_payment_domain::operation::AuthorizationResult;
use payframe_payment_domain::session::{
    Authentication, ChallengeReply, ConfirmationReply, State, StepUp,
};

impl World {
    /// What buyers and their browsers may do.
    pub(crate) fn buyers(&self, setting: &Setting, actions: &mut Vec<Action>) {
        for (tab, form) in self.forms.iter().enumerate() {
            let Some(form) = form else { continue };
            if self.left.presses > 0 && form.takes_press(setting.broken) {
                match form.flow.phase() {
                    // The saved card is a good one.
                    Phase::Collecting(_) if form.flow.answers().saved_card.is_some() => {
                        actions.push(Action::Press(tab, Some(Card::Good)));
                    }
                    Phase::Collecting(_) | Phase::Renewing { .. } => actions.extend(
                        setting
                            .cards
                            .iter()
                            .map(|card| Action::Press(tab, Some(*card))),
                    ),
                    _ => actions.push(Action::Press(tab, None)),
                }
            }
            if self.left.cancels > 0 && form.takes_giving_up() {
                actions.push(Action::GiveUp(tab));
            }
            if self.left.cancels > 0 && matches!(form.flow.phase(), Phase::Challenge { .. }) {
                actions.push(Action::Leave(tab));
            }
            if form.would_change(form.state_peeked(self.seen_by_forms())) {
                actions.push(Action::PeekState(tab));
            }
            if form.asks_page() {
                actions.push(Action::NotRenewed(tab));
            }
            // A shop that is asked for a session makes one in any case; without being asked it makes none for an order that is paid.
            let is_wanted = form.asks_page() || (form.takes_session() && self.gateway.taken() == 0);
            if self.left.renewals > 0 && is_wanted && self.gateway.is_free() {
                let terms = [Terms::Same, Terms::Changed];
                actions.extend(terms.map(|terms| Action::Renew(tab, terms)));
            }
            if self.left.renewals > 0 && form.would_change(Event::RetryRequested) {
                actions.push(Action::Retry(tab));
            }
            if setting.is_timed {
                watched(tab, form, actions);
            }
            if self.left.loads > 0 && !form.is_through() {
                actions.push(Action::Load(tab));
            }
            match form.flow.phase() {
                Phase::ChoosingMethod => actions.push(Action::Choose(tab)),
                Phase::CheckingDevice { .. } | Phase::Challenge { .. } => {
                    actions.push(Action::Hint(tab));
                }
                Phase::Unknown { .. } => actions.push(Action::Recheck(tab)),
                _ => {}
            }
            if form.waits {
                actions.push(Action::Wake(tab));
                if self.gateway.is_free()
                    && matches!(
                        form.flow.phase(),
                        Phase::CheckingDevice { .. }
                            | Phase::AwaitingServer { .. }
                            | Phase::Unknown { .. }
                    )
                {
                    actions.push(Action::Persist(tab));
                }
            }
            if self.left.faults > 0
                && form.has_question_out()
                && !matches!(form.flow.phase(), Phase::Challenge { .. })
            {
                actions.push(Action::CutOff(tab));
            }
        }
    }

    /// What may happen to calls, and the calls of the merchant's server.
    pub(crate) fn travels(&self, setting: &Setting, actions: &mut Vec<Action>) {
        let tabs = (0..self.forms.len()).map(Client::Tab);
        for client in tabs.chain([Client::Server]) {
            match self.call(client) {
                Some(CallProgress::ToGateway(ask)) => {
                    if self.gateway.is_free_for(*ask) {
                        actions.push(Action::Arrive(client));
                    }
                    if self.left.faults > 0 {
                        actions.push(Action::LoseCall(client));
                        if ask.acts() {
                            actions.push(Action::Overtake(client));
                            if self.gateway.is_free_for(*ask) {
                                actions.push(Action::ArriveTwice(client));
                            }
                        }
                    }
                }
                Some(CallProgress::AtGateway(_)) if self.left.faults > 0 => {
                    actions.push(Action::LoseAnswer(client));
                }
                Some(CallProgress::ToCaller(..)) => {
                    actions.push(Action::AnswerArrives(client));
                    if self.left.faults > 0 {
                        actions.push(Action::LoseAnswer(client));
                    }
                }
                Some(CallProgress::AtGateway(_)) | None => {}
            }
        }
        for (index, (_, ask)) in self.abandoned_calls.iter().enumerate() {
            if self.gateway.is_free_for(*ask) {
                actions.push(Action::ArriveLate(index));
            }
        }
        if self.left.changes > 0 && self.gateway.takes_sum() {
            actions.push(Action::ChangeSum);
        }
        if setting.capture_initiator == CaptureInitiator::Server {
            if self.server_is_due() && self.left.server_asks > 0 {
                actions.push(Action::ServerAsks);
            }
            if self.left.faults > 0 && self.server.call.is_some() {
                actions.push(Action::ServerCrashes);
            }
        }
    }

    /// What gateway, acquirer, issuer and time may do.
    pub(crate) fn works(&self, actions: &mut Vec<Action>) {
        let gateway = &self.gateway;
        match gateway.job {
            Some(_) if gateway.is_stepping_up() => {
                actions.push(Action::StepUp(StepUp::Challenge));
                if self.left.faults > 0 {
                    actions.extend([Action::Crash, Action::StepUp(StepUp::NotPossible)]);
                }
            }
            Some(job) => {
                actions.push(if job.result.is_none() {
                    Action::AskAcquirer
                } else {
                    Action::Book
                });
                if self.left.faults > 0 {
                    actions.extend([Action::Crash, Action::AcquirerSilent]);
                    if job.result.is_some() && !gateway.has_demand() {
                        actions.push(Action::BookAndCrash);
                    }
                }
                if self.left.reversals > 0 && !gateway.has_demand() {
                    actions.push(Action::WaitEndsInReversal);
                }
            }
            None if gateway.waits_for_answer() => actions.push(Action::Recover),
            None => {
                if gateway.limit().is_some() {
                    actions.push(Action::LimitPasses);
                }
                match &gateway.session.state {
                    State::CheckingDevice { .. } if gateway.stored_card != Some(Card::Silent) => {
                        actions.push(Action::DeviceReports);
                    }
                    State::Challenged { .. } if gateway.asks_device() => {
                        let passed = ConfirmationReply::Passed(Authentication::Full);
                        let replies = [
                            passed,
                            ConfirmationReply::Challenge,
                            ConfirmationReply::Refused,
                        ];
                        actions.extend(replies.map(Action::Confirm));
                    }
                    State::Challenged { .. } => {
                        actions.extend([
                            Action::Reply(ChallengeReply::Right),
                            Action::Reply(ChallengeReply::No),
                        ]);
                        if self.left.faults > 0 && gateway.stored_card == Some(Card::Confirmed) {
                            actions.push(Action::ConfirmAgain);
                        }
                    }
                    _ => {}
                }
            }
        }
        if self.left.faults > 0 && gateway.has_outcome() && !self.all_through() {
            actions.push(Action::DayPasses);
        }
        if gateway.has_booked_pending() {
            actions.extend([
                Action::PendingResolves(AuthorizationResult::Approved),
                Action::PendingResolves(AuthorizationResult::Declined),
            ]);
        }
    }

    /// Whether no form waits for an answer.
    fn all_through(&self) -> bool {
        self.forms.iter().flatten().all(Form::is_through)
    }

    /// Whether the merchant's server has a reason to close.
    pub(super) fn server_is_due(&self) -> bool {
        self.server.call.is_none()
            && self.gateway.snapshot() == Answer::State(SessionSnapshot::Ready)
    }
}

/// What the form may notice of its time and of the issuer's page.
fn watched(tab: usize, form: &Form, actions: &mut Vec<Action>) {
    if form.would_change(Event::TimePassed(END)) {
        actions.push(Action::TimeEnds(tab));
    }
    for content in [FrameContent::Ours, FrameContent::Other] {
        if form.would_change(Event::IssuerPageSeen(content)) {
            actions.push(Action::IssuerPage(tab, content));
        }
    }
    if form.would_change(Event::ChallengeTroubled(ChallengeFailure::Blocked)) {
        actions.push(Action::IssuerPageBlocked(tab));
    }
}

/// Every time that a form counts is over by then.
pub(super) const END: u64 = 1_000_000;
