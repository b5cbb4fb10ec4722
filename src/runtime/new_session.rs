//! Another session takes over: its page is requested and checked, and the payment continues in it with what was typed.

use super::{address, boot_page};
use crate::app::App;
use crate::choices::{self, read};
use crate::gateway_client;
use crate::session::Session;
use crate::wire::{self, Json};
use js_sys::JSON;
use leptos::prelude::*;
use payframe_checkout_flow::flow::{Event, NewSession};
use payframe_protocol::frame::PayframeErrorCode;
use wasm_bindgen_futures::spawn_local;

impl App {
    /// Takes the page's answer: another session for the same payment, or none. `id`: of the command that is answered.
    pub(super) fn take_over(&'static self, id: u32, session: String) {
        spawn_local(async move {
            let is_asked_for = self.flow.borrow().phase().asks_for_session();
            let next = if self.takes_session() && !session.is_empty() {
                self.boot_of(&session).await
            } else {
                None
            };
            // The buyer may have pressed meanwhile: a session is not replaced while a press is carried out.
            let refusal = if !self.takes_session() {
                Some(PayframeErrorCode::WrongState)
            } else if next.is_some_and(|next| self.go_on_with(&next)) {
                None
            } else {
                Some(PayframeErrorCode::SessionRejected)
            };
            if is_asked_for && refusal.is_some() {
                self.dispatch(Event::RenewalFailed);
            }
            self.host.reply(id, refusal);
        });
    }

    fn takes_session(&self) -> bool {
        self.flow.borrow().phase().takes_session()
    }

    /// The boot data of another session, from its own page. The gateway decides whether it may replace this session: only for the same order
    /// of the same terminal.
    async fn boot_of(&self, session: &str) -> Option<Json> {
        let location = Json(window().location().into());
        let address = address::of_session(
            &location.member("pathname").text()?,
            &location.member("search").text()?,
            session,
            &self.session.borrow().text("session"),
        );
        let page = gateway_client::page(&address).await?;
        let boot = boot_page::boot_in(&page)?;
        JSON::parse(boot).ok().map(Json)
    }

    /// Continues in the session of these boot data, with what was typed. Gives whether that is possible.
    fn go_on_with(&'static self, next: &Json) -> bool {
        let former = self.session.borrow().clone();
        // It can replace this session only with the same inputs.
        if !former.has_inputs_of(next) {
            return false;
        }
        let Some(snapshot) = Session::read(next).and_then(|next| wire::snapshot(&next.state()))
        else {
            return false;
        };
        let terms = former.terms_beside(next);
        let Some(session) = former.replaced_by(next) else {
            return false;
        };
        let renewed = NewSession {
            capture_initiator: session.capture_initiator(),
            snapshot,
            terms,
            sums: session.sums(),
            asked: read::asked(&session),
        };
        self.fields.renew(session.asking, session.today);
        self.monitor.state_read(&session.state());
        self.session.replace(session);
        self.card_used.replace(String::new());
        self.sent_last4.replace(String::new());
        self.dispatch(Event::Renewed(renewed));
        // The merchant's name may be another one.
        self.show_sum();
        choices::adopt(self);
        if !self.fields.is_latest(self.looked_up.get()) {
            // The former session's look-up is not answered, or refused because that session is over.
            self.fields.look_up_anew();
            self.look_up();
        }
        true
    }
}
