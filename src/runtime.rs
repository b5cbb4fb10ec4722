//! Carries out the flow's effects: the only place where the widget acts on the world by itself.

use crate::app::App;
use crate::fields::{FieldId, Message, wipe};
use crate::gateway_client::GatewayClient;
use crate::wire;
use leptos::prelude::*;
use payframe_checkout::flow::{Answer, Call, Effect, Event, Notice, Phase, Turn, Verdict};
use payframe_checkout::network::Network;
use payframe_protocol::frame::FrameMessage;
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen_futures::spawn_local;

impl App {
    /// One step of the flow, and what follows from it.
    pub fn dispatch(self: &Rc<Self>, event: Event) {
        let before = self.flow.get_untracked();
        let told = wire::flow_state(before.phase());
        let (after, effects) = before.step(event);
        let entered = self.flow.with_untracked(|flow| flow.phase() != after.phase());
        self.flow.set(after);
        if wire::flow_state(self.flow.get_untracked().phase()) != told {
            self.report_state();
        }
        self.perform(effects);
        if entered {
            self.arrive();
        }
    }

    /// Carries out in order.
    pub fn perform(self: &Rc<Self>, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Call(call, turn) => self.call(call, turn),
                Effect::Wait(ms, turn) => {
                    let app = Rc::clone(self);
                    set_timeout(
                        move || app.dispatch(Event::WaitOver(turn)),
                        Duration::from_millis(u64::from(ms)),
                    );
                }
                Effect::ReadCard => self.read_card(),
                Effect::ForgetSecurityCode => self.fields.forget_security_code(),
                Effect::NewAttempt => self.keys.new_attempt(),
                Effect::WipeCard => self.fields.clear(),
                Effect::ReportRefusal(verdict) => self.report(verdict, Finality::MayRetry),
                Effect::ReportOutcome(verdict) => self.report(verdict, Finality::Final),
            }
        }
    }

    /// Tells the page where the flow stands.
    pub fn report_state(&self) {
        let state = self.flow.with_untracked(|flow| wire::flow_state(flow.phase()));
        self.host.send(&FrameMessage::StateChange { state });
    }

    fn report(&self, verdict: Verdict, finality: Finality) {
        let (bin, last4) = self.summary();
        let order_id = self.boot.order_id.clone();
        self.host.send(&FrameMessage::Result {
            outcome: wire::outcome(verdict.outcome),
            order_id,
            operation_id: Some(verdict.operation_id).filter(|id| !id.is_empty()),
            is_final: finality == Finality::Final,
            bin,
            last4,
        });
    }

    /// What a new phase asks of the fields: marks and focus after a refusal.
    fn arrive(&self) {
        match self.flow.with_untracked(|flow| flow.phase().clone()) {
            Phase::Collecting(Notice::Refused(decline)) => {
                let field = decline.field().and_then(FieldId::from_id);
                if let Some(field) = field {
                    let message = Message::stated(decline.code());
                    self.fields.field(field).message.set(Some(message));
                }
                self.say_urgently(&self.texts.text(decline.code()));
                self.fields.field(field.unwrap_or(FieldId::SecurityCode)).focus();
            }
            Phase::Collecting(notice) => {
                if let Some(key) = wire::notice_key(&notice) {
                    self.say_urgently(&self.texts.text(key));
                }
            }
            Phase::Expired => self.host.send(&FrameMessage::Error {
                code: "session_expired".into(),
                message: "the build session ended without a payment; make a new one with POST /orders/build".into(),
            }),
            _ => {}
        }
    }

    fn call(self: &Rc<Self>, call: Call, turn: Turn) {
        let app = Rc::clone(self);
        spawn_local(async move {
            let answer = app.ask(call).await;
            app.dispatch(Event::Answered(turn, answer));
        });
    }

    async fn ask(&self, call: Call) -> Answer {
        let client: &GatewayClient = &self.client;
        match call {
            Call::ChooseCard => wire::stands(client.choose_card().await),
            Call::SendCard => self.send_card().await,
            Call::CheckDevice(question) => wire::device(client.check_device(question).await),
            Call::ReadState => wire::stands(client.state().await),
            Call::Close => wire::stands(client.finalize(&self.keys.closing()).await),
            Call::Cancel => wire::stands(client.cancel().await),
        }
    }

    async fn send_card(&self) -> Answer {
        let Some(mut items) = self.fields.card_data() else {
            return Answer::CardRefused;
        };
        let key = self.keys.submission();
        let answer = self.client.send_card(&items, &key).await;
        wipe(&mut items);
        match answer {
            Ok(answer) => {
                let taken = wire::card_taken(&answer);
                if taken == Answer::CardRefused
                    && let Some(first) = self.fields.refused(&answer.field_status)
                {
                    self.fields.field(first).focus();
                    self.say_urgently(&self.texts.text("field_refused"));
                }
                taken
            }
            Err(failure) => Answer::Failed(failure),
        }
    }

    /// For display only: the flow does not wait for it.
    fn read_card(self: &Rc<Self>) {
        let app = Rc::clone(self);
        spawn_local(async move {
            if let Ok(card) = app.client.card_data().await {
                let brand = Network::from_code(&card.circuit).map_or("", Network::name);
                let used = app
                    .texts
                    .fill("card_used", &[("{brand}", brand), ("{last4}", &card.last_four_digits)]);
                app.card_used.set(Some(used));
            }
        });
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Finality {
    MayRetry,
    Final,
}
