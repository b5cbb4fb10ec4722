//! Carries out the effects of the flow and of the choices. Only this module and its submodules perform effects.
//!
//! The effects of the session monitor and of the issuer's page are in the submodules.
//!
//! [`carry_out`] and what only it needs are the late part of the module ([`crate::late`]). The first part of the module leaves [`Task`]s for it.

mod address;
mod boot_page;
mod build_protocol;
mod choices;
mod issuer_page;
mod new_session;
mod proof;
mod session;

use crate::app::{App, Form, announce_assertively};
use crate::fields::{FieldId, Message};
use crate::gateway_client::{GatewayClient, Request};
use crate::host;
use crate::task::{Act, GatewayTask, PageCommand, Task};
use crate::view::{email_suggestion, networks};
use crate::wire::{self, Json, SUM_CHANGED, TERMS_CHANGED};
use leptos::prelude::*;
use leptos::task::tick;
use payframe_card_rules::network::Network;
use payframe_checkout_flow::choices::ChoiceEvent;
use payframe_checkout_flow::flow::{
    Answer, Call, ChallengeFailure, Effect, Event, Failure, Notice, Phase, Verdict,
};
use payframe_protocol::frame::{Ask, FrameMessage, PayframeErrorCode, ResultDetail};
use std::time::Duration;
use wasm_bindgen_futures::spawn_local;

impl App {
    /// Passes an event to the flow, and carries out the effects. Only the late part calls this; before it is loaded, there are [`Task`]s.
    pub fn dispatch(&'static self, event: Event) {
        let before = self.flow.borrow().phase().clone();
        // A page that opens is read from its start: nothing is announced, and the focus stays where it is.
        let opens = matches!(event, Event::Opened(_));
        let effects = self.advance(event);
        let generation = self.flow.borrow().generation();
        let entered = *self.flow.borrow().phase() != before && !opens;
        self.report_state();
        self.carry_out_effects(effects);
        // The effects may have led to another phase, which has been handled already.
        if entered && self.flow.borrow().generation() == generation {
            self.arrive(&before);
        }
        self.refresh();
        if let Some(told) = self.monitor.take_time_left() {
            self.dispatch(Event::TimeTold(told));
        }
    }

    /// Passes an event to the flow, and shows the choices and the sum if they have changed. Gives the effects.
    pub fn advance(&'static self, event: Event) -> Vec<Effect> {
        let before = self.flow.borrow().clone();
        let (after, effects) = before.clone().step(event);
        let shows_other_sum = before.payable() != after.payable()
            || before.offer().map(|(open, _)| open.paid())
                != after.offer().map(|(open, _)| open.paid());
        self.flow.replace(after);
        let after = self.flow.borrow();
        if let Some(choosing) = self.choices.get() {
            if let Some(state) = after.choices()
                && before.choices() != Some(state)
            {
                choosing.state.set(state.clone());
            }
            if let Some(sum) = after.payable()
                && before.payable() != Some(sum)
            {
                choosing.sum.set(sum.clone());
            }
        }
        if let Some(running) = self.monitor.running() {
            running.show(&after);
        }
        drop(after);
        if shows_other_sum {
            self.show_sum();
        }
        effects
    }

    /// Reads the session's state outside of the flow. `command`: the command that is answered once the state is known.
    pub fn peek_state(&'static self, command: u32) {
        let generation = self.flow.borrow().generation();
        self.later(Task::Run(GatewayTask::PeekState(generation, Some(command))));
    }

    /// Carries out effects of the flow, in order.
    pub fn carry_out_effects(&'static self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Call(call, generation) => {
                    if call == Call::SendCard {
                        self.fields.sent();
                        self.report_change();
                    }
                    self.run(GatewayTask::Flow(call, generation));
                }
                Effect::Choice(effect) => self.follow_choice(effect),
                Effect::Wait(ms, generation) => {
                    set_timeout(
                        move || self.dispatch(Event::WaitOver(generation)),
                        Duration::from_millis(u64::from(ms)),
                    );
                }
                Effect::Leave(url) if !self.session.borrow().page_redirects() => {
                    // If the browser refuses, the buyer uses the button, whose press it allows.
                    let _ = window().open_with_url_and_target(&url, "_top");
                }
                // The page has heard the state, and does it.
                Effect::Leave(_) => {}
                Effect::SolvePuzzle(puzzle, generation) => self.solve_puzzle(&puzzle, generation),
                Effect::ReadCard => self.run(GatewayTask::CardUsed),
                Effect::ForgetSecurityCode => self.fields.forget_security_code(),
                Effect::NewAttempt => self.keys.new_attempt(),
                Effect::WipeCard => self.fields.clear(),
                Effect::PeekState(generation) => {
                    self.run(GatewayTask::PeekState(generation, None));
                }
                Effect::BeginWait(_)
                | Effect::CountOn(_)
                | Effect::Warn(_)
                | Effect::ExplainWait
                | Effect::RemoveIssuerPage(_)
                | Effect::ReportTrouble(_)
                | Effect::OpenIssuerWindow(_) => self.monitor_session(effect),
                Effect::AskForSession => self.host.send(&FrameMessage::Ask(Ask::Renew)),
                Effect::ShowNewTerms => self.show_sentence(SUM_CHANGED),
                Effect::AskToPayAgain => self.show_sentence(TERMS_CHANGED),
                Effect::CheckFields => {
                    // Missing fields are shown as after any press.
                    if self.submit().is_err() {
                        self.dispatch(Event::FieldsIncomplete);
                    }
                }
                Effect::ReportRefusal(verdict, trouble) => {
                    self.report(verdict, trouble, Finality::MayRetry);
                }
                Effect::ReportOutcome(verdict, trouble) => {
                    self.report(verdict, trouble, Finality::Final);
                }
            }
        }
    }

    /// Shows a sentence about the sum until the next edit, and announces it.
    fn show_sentence(&'static self, key: &'static str) {
        self.fields.stated.set(Some(key));
        // The same sentence may be shown already, with the former sum.
        self.shown.notify();
        announce_assertively(&self.sentence(key));
    }

    /// Tells the page the state of the flow, if it has changed.
    pub fn report_state(&self) {
        let state = wire::flow_state(self.flow.borrow().phase());
        if let Some(state) = state
            && self.last_reported_state.replace(Some(state)) != Some(state)
        {
            self.host.state(state);
        }
    }

    /// Asks for the networks of a card that may have two, and for an offer in its currency, once the buyer pauses.
    pub fn look_up(&'static self) {
        self.edits.set(self.edits.get().wrapping_add(1));
        let offered = self.offered.get();
        if offered.is_some_and(|look_up_id| !self.fields.is_latest(look_up_id)) {
            self.offered.set(None);
            self.later(Task::WithdrawOffer);
        }
        if let Some(look_up_id) = self.fields.take_due_look_up() {
            self.ask_in_a_pause(look_up_id);
        }
    }

    /// Preparing the request takes a slow phone as long as two frames. No key waits for that.
    fn ask_in_a_pause(&'static self, look_up_id: u32) {
        let edits = self.edits.get();
        let ask = move || {
            if self.edits.get() == edits {
                self.later(Task::Run(GatewayTask::Networks(look_up_id)));
            } else {
                self.ask_in_a_pause(look_up_id);
            }
        };
        set_timeout(ask, PAUSE);
    }

    fn report(&self, verdict: Verdict, trouble: Option<ChallengeFailure>, finality: Finality) {
        let (bin, last4) = self.summary();
        self.host.send(&FrameMessage::Result(ResultDetail {
            outcome: wire::outcome(verdict.outcome),
            cause: trouble.map(wire::problem),
            order_id: self.session.borrow().text("orderId"),
            operation_id: Some(verdict.operation_id).filter(|id| !id.is_empty()),
            is_final: finality == Finality::Final,
            bin,
            last4,
        }));
    }

    /// What a new phase changes at the fields: marks after a refusal, and the focus.
    fn arrive(&'static self, from: &Phase) {
        let phase = self.flow.borrow().phase().clone();
        match phase {
            Phase::Collecting(Notice::Refused(decline)) => {
                let field = self.fields.field_of_decline(decline);
                if let Some(field) = field {
                    let message = Message::stated(decline.code());
                    self.fields.field(field).message.set(Some(message));
                }
                announce_assertively(&self.texts.text(decline.code()));
                self.focus_when_shown(self.fields.next_after(decline));
            }
            Phase::Collecting(notice) => {
                if let Some(key) = wire::notice_key(&notice) {
                    announce_assertively(&self.sentence(key));
                }
                // The button that the buyer pressed is gone.
                if matches!(from, Phase::OpeningCard | Phase::Retrying(_))
                    && let Some(field) = self.fields.first_to_fill()
                {
                    self.focus_when_shown(field);
                }
            }
            Phase::Expired => self
                .host
                .error(PayframeErrorCode::SessionExpired, "build session expired"),
            _ => {}
        }
    }

    /// Moves the focus after the next update of the page, because the fields may still be hidden here. Not by a timer, which may fire late: the
    /// focus would then leave a field in which the buyer is typing.
    fn focus_when_shown(&'static self, field: FieldId) {
        spawn_local(async move {
            tick().await;
            self.fields.field(field).focus();
        });
    }

    /// Makes a request and handles its answer.
    fn run(&'static self, task: GatewayTask) {
        spawn_local(async move {
            let client = self.client();
            let request = match task {
                GatewayTask::Flow(call, _) => self.request(&client, call),
                GatewayTask::CardUsed => Some(client.card_data()),
                GatewayTask::Networks(look_up_id) => {
                    let range = self.fields.look_up(look_up_id);
                    range.map(|range| client.networks(range))
                }
                GatewayTask::PeekState(..) => Some(client.state()),
                GatewayTask::RemoveCard => {
                    let card = self.card_to_remove();
                    card.map(|id| client.remove_saved_card(&id))
                }
            };
            let answer = match request {
                Some(request) => {
                    let answer = client.exchange(request).await;
                    Some(self.monitor.date(answer))
                }
                None => None,
            };
            let is_known = !matches!(answer, Some(Err(_)));
            match (task, answer) {
                // The answer belongs to an earlier generation: it must not change the sum while a press is carried out.
                (GatewayTask::Flow(_, generation) | GatewayTask::PeekState(generation, _), _)
                    if generation != self.flow.borrow().generation() => {}
                (GatewayTask::Flow(call, generation), answer) => {
                    let answer = self.understand(call, answer);
                    self.dispatch(Event::Answered(generation, answer));
                }
                (GatewayTask::PeekState(generation, _), answer) => {
                    let answer = self.understand(Call::ReadState, answer);
                    self.dispatch(Event::StatePeeked(generation, answer));
                }
                (GatewayTask::CardUsed, Some(Ok(card))) => self.show_card(&card),
                (GatewayTask::Networks(look_up_id), Some(Ok(range))) => {
                    self.show_networks(look_up_id, &range)
                }
                (GatewayTask::RemoveCard, Some(answer)) => self.card_removed(answer),
                // For display only: without an answer nothing is shown, and the built-in rules hold.
                (GatewayTask::CardUsed | GatewayTask::Networks(_) | GatewayTask::RemoveCard, _) => {
                }
            }
            if let GatewayTask::PeekState(_, Some(id)) = task {
                self.host.reply(
                    id,
                    (!is_known).then_some(PayframeErrorCode::GatewayUnreachable),
                );
            }
        });
    }

    fn understand(&'static self, call: Call, answer: Option<Result<Json, Failure>>) -> Answer {
        let answer = match answer {
            Some(Ok(answer)) => answer,
            Some(Err(failure)) => return Answer::Failed(failure),
            // A field is wrong, so nothing was sent.
            None => return Answer::CardRefused(vec![]),
        };
        match call {
            Call::SendCard => {
                let taken = wire::card_taken(&answer);
                if let Answer::CardRefused(_) = taken {
                    self.mark_refused(&answer);
                }
                taken
            }
            Call::CheckDevice(_) => wire::device(&answer),
            _ => {
                self.monitor.state_read(&answer);
                wire::state_answer(&answer)
            }
        }
    }

    /// A client for the current session.
    fn client(&self) -> GatewayClient {
        GatewayClient::new(self.session.borrow().clone())
    }

    fn request(&'static self, client: &GatewayClient, call: Call) -> Option<Request> {
        Some(match call {
            Call::ChooseCard => client.choose("PAY_WITH_CARD"),
            Call::ChooseElsewhere => match self.flow.borrow().phase() {
                Phase::OpeningElsewhere { method } => client.choose(method),
                _ => return None,
            },
            Call::SendCard => {
                let items = self.fields.card_data()?;
                self.sent_last4.replace(self.fields.typed_last4());
                if !self.session.borrow().is_page_driven() {
                    wire::push_item(&items, "SHOWN_SUM", &self.shown_sum());
                }
                self.add_answers(&items);
                self.add_proof(&items);
                client.send_card(&items, self.keys.submission())
            }
            Call::CheckDevice(question) => client.check_device(question),
            Call::SkipDevice => client.skip_device(),
            Call::LeaveChallenge => client.leave_challenge(),
            Call::ReadState => client.state(),
            Call::VerifyDevice(question) => client.verify_device(question),
            Call::Complete => {
                let flow = self.flow.borrow();
                let sums = flow.sums().filter(|_| self.session.borrow().confirms());
                let amount = sums.map(|sums| &*sums.session.amount_minor);
                client.close(self.keys.capture_initiator(), &self.shown_sum(), amount)
            }
            Call::AgreeToSum => client.agree_to_sum(&self.shown_sum()),
            Call::Cancel => client.cancel(),
        })
    }

    fn mark_refused(&'static self, answer: &Json) {
        if let Some(first) = self.fields.refused(&wire::refused_fields(answer)) {
            self.fields.field(first).focus();
            announce_assertively(&self.texts.text("field_refused"));
        }
    }

    fn show_networks(&'static self, look_up_id: u32, range: &Json) {
        self.looked_up.set(look_up_id);
        let offer = range.member("currencyOffer");
        if offer.is_there() && self.fields.is_latest(look_up_id) {
            self.offer_currency(look_up_id, &offer);
        }
        let network = |code: Json| Network::from_code(&code.text_or_empty());
        let codes = range.member("networks");
        let networks = codes.items().filter_map(network).collect();
        let preferred = network(range.member("preferredNetwork"));
        self.fields.looked_up(look_up_id, networks, preferred);
        self.refresh();
        self.report_change();
    }

    fn show_card(&self, card: &Json) {
        let brand =
            Network::from_code(&card.member("circuit").text_or_empty()).map_or("", Network::name);
        // The gateway tells digits only where the session allows it, or of a stored card.
        let told = card.member("lastFourDigits").text_or_empty();
        let typed = self.sent_last4.borrow();
        let last4 = if told.is_empty() { &*typed } else { &told };
        let used = if last4.is_empty() {
            brand.into()
        } else {
            self.texts
                .fill("card_used", &[("brand", brand), ("last4", last4)])
        };
        self.card_used.replace(used);
        self.refresh();
    }
}

/// Carries out a task: the entry to the late part of the module.
pub fn carry_out(form: Form, task: Task) {
    match task {
        // The form showed a press. It counts only for the fields that the buyer has seen.
        Task::Press if !form.is_collecting() || form.submit().is_err() => form.refresh(),
        Task::Press => {}
        Task::Act(act) => form.dispatch(match act {
            Act::Submit(now_ms) => Event::Submitted(now_ms),
            Act::SubmitOffline => Event::SubmittedOffline,
            Act::AskToGiveUp => Event::GivingUpRequested,
            Act::StayOn => Event::GivingUpDropped,
            Act::GiveUp => Event::CancelRequested,
        }),
        Task::Open => {
            let state = form.session.borrow().state();
            form.dispatch(Event::Opened(wire::state_answer(&state)));
        }
        Task::Run(task) => form.run(task),
        Task::Command(PageCommand { message, edits, .. }) => {
            if let Some(command) = host::command(&message)
                && form.admits(&message)
            {
                form.handle_command(command, edits);
            }
        }
        Task::BuyerActive => {
            form.on_buyer_activity();
            email_suggestion::withdraw_if_changed(form);
        }
        Task::SuggestEmail => email_suggestion::suggest(form),
        Task::ReportChange => form.tell_change(),
        Task::WithdrawOffer => form.choose(ChoiceEvent::OfferWithdrawn),
        Task::BindNetworks => {
            // The page has the places; if the frame is gone, nothing is needed.
            let _ = networks::adopt(form);
        }
    }
}

/// For this time nothing is typed before the gateway is asked about the number.
const PAUSE: Duration = Duration::from_millis(200);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Finality {
    MayRetry,
    Final,
}
