//! The Build protocol: listens to what the widget says, tells the merchant's page the events that follow, and reads the session's state for them.
//!
//! What follows from what is said is decided in [`crate::build_events`].

use crate::app::{App, BuildPage};
use crate::build_events::{BuildEvents, Effect, NoState, SessionState};
use crate::frame_scripts::build_port;
use crate::host::{self, Host};
use crate::page::{element, on};
use crate::wire::{self, Json};
use leptos::prelude::window;
use payframe_checkout_flow::flow::Failure;
use payframe_protocol::build_messages::FieldFrameMessage;
use payframe_protocol::field_id::FieldId;
use std::cell::RefCell;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;

/// Passes an answer of the gateway to the events.
type Receive = fn(&mut BuildEvents, Result<SessionState, NoState>) -> Vec<Effect>;

impl App {
    /// Starts to tell events, if this is a frame of the Build protocol. What was said before waits in the port.
    pub fn start_build_events(&'static self) {
        let session = self.session.borrow();
        if !session.is_page_driven() {
            return;
        }
        let field = |id: Json| FieldId::from_id(&id.text_or_empty());
        let fields = session.member("fields").items().filter_map(field).collect();
        let own_field = session.member("field").member("id").text_or_empty();
        // It lives as long as the form.
        let page: &'static BuildPage = Box::leak(Box::new(BuildPage {
            events: RefCell::new(BuildEvents::new(fields, own_field)),
            host: Host::new(build_port()),
        }));
        self.build_page.set(Some(page));
        page.host.listen(move |message| {
            if let Some(said) = host::said(&message) {
                let effects = page.events.borrow_mut().hear(said);
                self.follow(page, effects);
            }
        });
        // Back from the back-forward cache: the session's state may have changed meanwhile.
        on(&window(), "pageshow", move |event| {
            if Json(event.into()).member("persisted").0.is_truthy() {
                self.read_state_for(page, BuildEvents::state_read_again);
            }
        });
    }

    /// Whether a command of the page is carried out: in the Build protocol it may be a copy of an earlier one, or come too soon.
    pub(super) fn admits(&self, command: &Json) -> bool {
        let Some(page) = self.build_page.get() else {
            return true;
        };
        let call = command.member("call").text_or_empty();
        let is_new = page.events.borrow_mut().begin_confirm(call);
        if is_new {
            page.host.send(&FieldFrameMessage::Loading { payframe: 1 });
        }
        is_new
    }

    fn follow(&'static self, page: &'static BuildPage, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Tell(event) => page.host.send(&event),
                Effect::ReadState => self.read_state_for(page, BuildEvents::state_read),
            }
        }
        set_classes(&page.events.borrow());
    }

    fn read_state_for(&'static self, page: &'static BuildPage, receive: Receive) {
        spawn_local(async move {
            let client = self.client();
            let answer = match client.exchange(client.state()).await {
                Ok(state) => wire::session_state(&state).ok_or(NoState::Unknown),
                Err(Failure::Expired) => Err(NoState::Expired),
                Err(_) => Err(NoState::Unknown),
            };
            let effects = receive(&mut page.events.borrow_mut(), answer);
            self.follow(page, effects);
        });
    }
}

/// Gives the inputs the classes of their state, for style sheets of merchants.
fn set_classes(events: &BuildEvents) {
    for field in events.known_fields() {
        let Ok(input) = element::<Element>(field.id()) else {
            continue;
        };
        let list = Json(input.into()).member("classList");
        for (class, is_on) in events.classes(field) {
            list.call(if is_on { "add" } else { "remove" }, &class.into());
        }
    }
}
