//! How an action changes the world.

use super::actions::END;
use super::{Action, NOBODY, Setting, Violation, World};
use crate::form::{CallProgress, Form, FormReport};
use crate::gateway::{Ask, Client, Handled, Key};
use crate::setting::Broken;
use crate::sums::ToldSums;
use payframe_checkout_flow::flow::{
    Answer, ChallengeFailure, Event, Failure, Outcome, Phase, SessionSnapshot, Terms, Verdict,
};
use payframe_payment_domain::session::StepUp;
use std::mem::{Discriminant, discriminant};

impl World {
    pub(crate) fn act(&mut self, setting: &Setting, action: Action) {
        self.spend(action);
        match action {
            Action::Choose(tab) => {
                self.with_form(tab, |form| form.handle(Event::MethodChosen, setting.broken))
            }
            Action::Press(tab, card) => {
                self.press_seen(tab);
                self.with_form(tab, |form| form.press(card, setting.broken))
            }
            Action::ChooseCurrency(..)
            | Action::ChooseParts(..)
            | Action::ChooseCard(..)
            | Action::Consent(_)
            | Action::Offer(_)
            | Action::OfferTimesOut(_)
            | Action::OffersEnd
            | Action::SavedCardGoes => self.chosen(setting, action),
            Action::GiveUp(tab) => self.with_form(tab, |form| form.give_up(setting.broken)),
            Action::Leave(tab) => {
                self.with_form(tab, |form| {
                    form.handle(Event::ChallengeLeft, setting.broken)
                });
            }
            Action::PeekState(tab) => {
                let seen = self.seen_by_forms();
                self.with_form(tab, |form| form.peek_state(seen, setting.broken));
            }
            Action::Retry(tab) => {
                self.with_form(tab, |form| {
                    form.handle(Event::RetryRequested, setting.broken)
                });
            }
            Action::Renew(tab, terms) => self.renew(setting, tab, terms),
            Action::NotRenewed(tab) => {
                self.with_form(tab, |form| {
                    form.handle(Event::RenewalFailed, setting.broken)
                });
            }
            Action::ChangeSum => self.gateway.change_sum(),
            Action::Recheck(tab) => {
                self.with_form(tab, |form| {
                    form.handle(Event::RecheckRequested, setting.broken)
                });
            }
            Action::Hint(tab) => self.hint(setting, tab),
            Action::TimeEnds(tab) => {
                if setting.broken == Some(Broken::EndIsOutcome) {
                    self.take_note_of_outcome(&Verdict::without_operation(Outcome::Failed));
                }
                self.with_form(tab, |form| {
                    form.handle(Event::TimePassed(END), setting.broken)
                });
            }
            Action::IssuerPage(tab, content) => self.with_form(tab, |form| {
                form.handle(Event::IssuerPageSeen(content), setting.broken)
            }),
            Action::IssuerPageBlocked(tab) => {
                let blocked = Event::ChallengeTroubled(ChallengeFailure::Blocked);
                self.with_form(tab, |form| form.handle(blocked, setting.broken));
            }
            Action::Load(tab) => self.load(setting, tab),
            Action::Wake(tab) => self.with_form(tab, |form| form.wake(setting.broken)),
            Action::Persist(tab) => self.persist(setting, tab),
            Action::CutOff(tab) => self.cut_off(setting, tab),
            Action::ServerAsks => {
                let key = Key::Server(self.server.key);
                self.server.call = Some(CallProgress::ToGateway(Ask::Close { key, sum: None }));
            }
            Action::ServerCrashes => {
                let left = self.server.call.take();
                self.server.key += 1;
                self.leave(Client::Server, left);
            }
            Action::Arrive(client) | Action::ArriveTwice(client) => {
                let Some(CallProgress::ToGateway(ask)) = self.call(client) else {
                    return;
                };
                let ask = *ask;
                self.arrive(setting, client, ask);
                if matches!(action, Action::ArriveTwice(_)) {
                    self.abandon_call(client, ask);
                }
            }
            Action::LoseCall(client) => {
                self.hang_up(client);
                self.miss(setting, client);
            }
            Action::Overtake(client) => {
                let left = self.hang_up(client);
                self.leave(client, left);
                self.miss(setting, client);
            }
            Action::LoseAnswer(client) => {
                let left = self.hang_up(client);
                self.leave(client, left);
                self.miss(setting, client);
            }
            Action::ArriveLate(index) => {
                let (client, ask) = self.abandoned_calls.remove(index);
                let before = self.gateway.session.clone();
                if let Handled::Begun = self.gateway.handle(setting, client, ask) {
                    self.gateway.caller_leaves(client);
                }
                self.check_charge(setting, &before);
            }
            Action::AnswerArrives(client) => {
                if let Some(CallProgress::ToCaller(answer, sum)) = self.hang_up(client) {
                    self.deliver_answer(setting, client, (answer, sum));
                }
            }
            Action::AskAcquirer => self.gateway.ask_acquirer(setting.broken),
            Action::Book => {
                if let Some((client, answer)) = self.gateway.book(setting.broken) {
                    self.answer(client, answer);
                }
            }
            Action::StepUp(step_up) => {
                if let Some((client, answer)) = self.gateway.step_up(step_up) {
                    self.answer(client, answer);
                }
            }
            Action::AcquirerSilent => {
                let client = self.gateway.miss_acquirer(setting.broken);
                self.fail_call(client);
            }
            Action::WaitEndsInReversal => {
                let client = self.gateway.reverse(setting.broken);
                self.fail_call(client);
            }
            Action::Crash => {
                let client = self.gateway.crash(setting.broken);
                self.break_off(setting, client);
            }
            Action::BookAndCrash => {
                let client = self.gateway.book_and_die();
                self.break_off(setting, client);
            }
            Action::Recover => {
                if setting.broken != Some(Broken::NoRecovery) {
                    self.gateway.recover();
                }
            }
            Action::DeviceReports => self.gateway.report_device(),
            Action::Reply(reply) => self.gateway.reply_to_challenge(reply),
            Action::Confirm(reply) => self.gateway.reply_to_confirmation(reply, setting.broken),
            Action::ConfirmAgain => self.gateway.hear_second_outcome(setting.broken),
            Action::LimitPasses => self.gateway.pass_limit(),
            Action::DayPasses => self.gateway.forget_outcome(),
            Action::PendingResolves(result) => self.gateway.resolve_pending(result),
        }
    }

    fn spend(&mut self, action: Action) {
        match action {
            Action::Press(..) => self.left.presses -= 1,
            Action::GiveUp(_) | Action::Leave(_) => self.left.cancels -= 1,
            Action::Load(_) => self.left.loads -= 1,
            Action::Renew(..) => self.left.renewals -= 1,
            Action::ChangeSum => self.left.changes -= 1,
            Action::Offer(_) => self.left.offers -= 1,
            Action::WaitEndsInReversal => self.left.reversals -= 1,
            Action::ServerAsks => self.left.server_asks = self.left.server_asks.saturating_sub(1),
            Action::CutOff(_)
            | Action::ServerCrashes
            | Action::ArriveTwice(_)
            | Action::LoseCall(_)
            | Action::Overtake(_)
            | Action::LoseAnswer(_)
            | Action::AcquirerSilent
            | Action::Crash
            | Action::ConfirmAgain
            | Action::DayPasses
            | Action::SavedCardGoes
            | Action::StepUp(StepUp::NotPossible)
            | Action::BookAndCrash => self.left.faults -= 1,
            _ => {}
        }
    }

    pub(super) fn with_form(&mut self, tab: usize, act: impl FnOnce(&mut Form) -> Vec<FormReport>) {
        if let Some(form) = &mut self.forms[tab] {
            let reports = act(form);
            self.take_note(tab, reports);
        }
    }

    fn take_note(&mut self, tab: usize, reports: Vec<FormReport>) {
        for report in reports {
            match report {
                FormReport::StoppedWaiting(call) => self.leave(Client::Tab(tab), Some(call)),
                FormReport::ClosedAfterGivingUp => self.wrong = Some(Violation::ClosedAgainstWill),
                FormReport::PaidUnread => self.wrong = Some(Violation::PaidUnread),
                FormReport::Refusal(verdict) => {
                    self.reported_refusal = true;
                    // A buyer who left the issuer's page has cancelled; the gateway calls it a refusal.
                    let is_told = matches!(verdict.outcome, Outcome::Declined | Outcome::Cancelled);
                    let stated = self.gateway.outcome_of(&verdict.operation_id);
                    if stated != Some(Outcome::Declined) || !is_told {
                        self.wrong = Some(Violation::FalseRefusal);
                    }
                }
                FormReport::Outcome(verdict) => self.take_note_of_outcome(&verdict),
            }
        }
    }

    fn take_note_of_outcome(&mut self, verdict: &Verdict) {
        let stated = self.gateway.outcome_of(&verdict.operation_id);
        match verdict.outcome {
            Outcome::Approved => self.reported_paid = true,
            Outcome::Unknown => self.reported_unknown = true,
            Outcome::Pending => {}
            Outcome::Declined | Outcome::Cancelled | Outcome::Failed | Outcome::Reversed => {
                self.reported_unpaid = true;
            }
        }
        // A session without an operation ended without one; what was pending when it was told may be final by now.
        let is_own = verdict.operation_id.is_empty() && verdict.outcome != Outcome::Approved;
        let was_pending = verdict.outcome == Outcome::Pending;
        if !is_own && !was_pending && stated != Some(verdict.outcome) {
            self.wrong = Some(Violation::FalseOutcome);
        }
    }

    fn hint(&mut self, setting: &Setting, tab: usize) {
        if setting.broken == Some(Broken::HintIsOutcome) {
            self.take_note_of_outcome(&Verdict {
                outcome: Outcome::Approved,
                decline: None,
                operation_id: String::new(),
            });
        }
        self.with_form(tab, |form| form.handle(Event::Hinted, setting.broken));
    }

    pub(super) fn load(&mut self, setting: &Setting, tab: usize) {
        let load = self.forms[tab].as_ref().map_or(0, |form| form.load + 1);
        let left = self.forms[tab].take().and_then(|form| form.call);
        self.leave(Client::Tab(tab), left);
        // The page of a dead session contains no form.
        if let Answer::State(snapshot) = self.gateway.snapshot() {
            let (form, reports) = Form::open(
                tab,
                load,
                setting.capture_initiator,
                setting.renewal(),
                (snapshot, self.gateway.told_sums()),
                self.asked(setting),
                setting.is_timed,
            );
            self.forms[tab] = Some(form);
            self.take_note(tab, reports);
        }
    }

    fn renew(&mut self, setting: &Setting, tab: usize, terms: Terms) {
        // Calls for the former session have no effect any more: it is dead, or its outcome is final, or the gateway ends it now.
        self.abandoned_calls.clear();
        if self.server.call.take().is_some() {
            self.server.key += 1;
        }
        self.gateway.replace_session(setting.first_state());
        self.gateway.sum += u8::from(terms == Terms::Changed);
        // Reports about the former session do not apply to the new one.
        self.reported_unpaid = false;
        if let Answer::State(snapshot) = self.gateway.snapshot() {
            let seen = (snapshot, self.gateway.told_sums());
            let asked = self.asked(setting);
            self.with_form(tab, |form| {
                form.renew(
                    setting.capture_initiator,
                    seen,
                    terms,
                    asked,
                    setting.broken,
                )
            });
        }
    }

    /// Polls until the form does something else, or stops asking.
    fn persist(&mut self, setting: &Setting, tab: usize) {
        let Some(phase) = self.kind_of(tab) else {
            return;
        };
        for _ in 0..POLLS {
            self.with_form(tab, |form| form.wake(setting.broken));
            while let Some(CallProgress::ToGateway(ask)) = self.call(Client::Tab(tab)) {
                if !self.gateway.is_free_for(*ask) {
                    return;
                }
                let ask = *ask;
                self.arrive(setting, Client::Tab(tab), ask);
                if let Some(CallProgress::ToCaller(answer, sum)) = self.hang_up(Client::Tab(tab)) {
                    self.deliver_answer(setting, Client::Tab(tab), (answer, sum));
                }
                if self.kind_of(tab) != Some(phase) {
                    return;
                }
            }
            let waits = self.forms[tab].as_ref().is_some_and(|form| form.waits);
            if self.kind_of(tab) != Some(phase) || !waits {
                return;
            }
        }
    }

    fn cut_off(&mut self, setting: &Setting, tab: usize) {
        self.was_cut_off = true;
        let Some(phase) = self.kind_of(tab) else {
            return;
        };
        for _ in 0..2 * POLLS {
            let left = self.hang_up(Client::Tab(tab));
            match left {
                // The first call may be on its way; the others are never sent.
                Some(CallProgress::AtGateway(_)) => {
                    self.leave(Client::Tab(tab), left);
                    self.miss(setting, Client::Tab(tab));
                }
                Some(_) => self.miss(setting, Client::Tab(tab)),
                None => self.with_form(tab, |form| form.wake(setting.broken)),
            }
            let rests = self.forms[tab]
                .as_ref()
                .is_none_or(|form| !form.has_question_out());
            if rests || self.kind_of(tab) != Some(phase) {
                return;
            }
        }
    }

    fn kind_of(&self, tab: usize) -> Option<Discriminant<Phase>> {
        let form = self.forms[tab].as_ref()?;
        Some(discriminant(form.flow.phase()))
    }

    fn arrive(&mut self, setting: &Setting, client: Client, ask: Ask) {
        let (before, sums) = (
            self.gateway.session.clone(),
            self.gateway.answered_sums(ask),
        );
        let handled = self.gateway.handle(setting, client, ask);
        self.check_charge(setting, &before);
        if let Some(call) = self.call_mut(client) {
            *call = match handled {
                Handled::Answered(answer) => CallProgress::ToCaller(answer, sums),
                Handled::Begun => CallProgress::AtGateway(ask),
            };
        }
    }

    fn answer(&mut self, client: Client, answer: Answer) {
        let sums = self.gateway.told_sums();
        if client != NOBODY
            && let Some(call @ CallProgress::AtGateway(_)) = self.call_mut(client)
        {
            *call = CallProgress::ToCaller(answer, Some(sums));
        }
    }

    fn deliver_answer(
        &mut self,
        setting: &Setting,
        client: Client,
        (answer, sums): (Answer, Option<ToldSums>),
    ) {
        match client {
            Client::Tab(tab) => {
                let answer = self.dated(setting, answer);
                self.with_form(tab, |form| form.receive(answer, sums, setting.broken));
            }
            Client::Server => {
                if let Answer::State(SessionSnapshot::Collecting(_)) = answer {
                    self.server.key += 1;
                }
            }
        }
    }

    /// An answer, as a form takes it that had no answer for a day.
    fn dated(&self, setting: &Setting, answer: Answer) -> Answer {
        let is_old = self.gateway.is_forgotten && setting.broken != Some(Broken::DeathIsUnpaid);
        match answer {
            Answer::Failed(Failure::Expired) if is_old => Answer::Failed(Failure::Forgotten),
            other => other,
        }
    }

    /// The session's state, for a form that was suspended.
    pub(super) fn seen_by_forms(&self) -> (Answer, ToldSums) {
        let answer = match self.gateway.snapshot() {
            Answer::Failed(Failure::Expired) if self.gateway.is_forgotten => {
                Answer::Failed(Failure::Forgotten)
            }
            other => other,
        };
        (answer, self.gateway.told_sums())
    }

    fn hang_up(&mut self, client: Client) -> Option<CallProgress> {
        match client {
            Client::Tab(tab) => self.forms[tab].as_mut()?.call.take(),
            Client::Server => self.server.call.take(),
        }
    }

    /// The caller goes on without an answer. The server asks again when it is due.
    fn miss(&mut self, setting: &Setting, client: Client) {
        if let Client::Tab(tab) = client {
            self.with_form(tab, |form| form.miss(setting.broken));
        }
    }

    /// The caller does not wait for its answer any more.
    fn leave(&mut self, client: Client, left: Option<CallProgress>) {
        match left {
            Some(CallProgress::ToGateway(ask)) => self.abandon_call(client, ask),
            Some(CallProgress::AtGateway(_)) => self.gateway.caller_leaves(client),
            Some(CallProgress::ToCaller(..)) | None => {}
        }
    }

    fn abandon_call(&mut self, client: Client, ask: Ask) {
        let call = (client, ask);
        if ask.acts() && !self.abandoned_calls.contains(&call) {
            self.abandoned_calls.push(call);
            self.abandoned_calls.sort_unstable();
        }
    }

    /// The gateway's end of a connection is lost.
    fn break_off(&mut self, setting: &Setting, client: Option<Client>) {
        if let Some(client) = client.filter(|client| *client != NOBODY)
            && let Some(CallProgress::AtGateway(_)) = self.call(client)
        {
            self.hang_up(client);
            self.miss(setting, client);
        }
    }

    /// The caller, if one waits, is told that there is no answer.
    fn fail_call(&mut self, client: Option<Client>) {
        if let Some(client) = client {
            self.answer(client, Answer::Failed(Failure::Service));
        }
    }
}

/// More polls than any limit of the flow allows.
const POLLS: usize = 250;
