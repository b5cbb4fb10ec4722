//! What the shop's page asks of the form.

use super::{App, say_urgently};
use crate::app::lifecycle::dress;
use crate::host;
use crate::task::Task;
use crate::wire::Json;
use leptos::prelude::Notify;
use payframe_checkout_flow::flow::Event;
use payframe_protocol::frame::ShimCommand;

impl App {
    /// Takes a message of the page. Commands are for the late part, but not the one that leads to the first key: it moves the focus
    /// at once.
    pub(super) fn receive(&'static self, message: Json) {
        match host::kind_and_id(&message) {
            Some((kind, id)) if kind == "focus" => {
                let field = message.member("field").text();
                self.move_focus(id, field.as_deref());
            }
            Some(_) => self.later(Task::Message(message)),
            None => {}
        }
    }

    fn move_focus(&'static self, id: u32, field: Option<&str>) {
        let mut asked = self.fields.wanted();
        let wanted = match field {
            Some(id) => asked.find(|asked| asked.id.id() == id),
            None => asked.next(),
        };
        match wanted.filter(|_| self.is_collecting()) {
            Some(field) => {
                field.focus();
                self.host.reply(id, None);
            }
            None => self.host.reply(id, Some("wrong_state")),
        }
    }

    /// Carries out a command of the page.
    pub fn handle_command(&'static self, command: ShimCommand) {
        let collecting = self.is_collecting();
        match command {
            ShimCommand::Confirm { id } => {
                let refusal = self.submit().err();
                self.host.reply(id, refusal);
            }
            ShimCommand::Refresh { id } => self.refresh_for(id),
            // What was confirmed is sent already; its true outcome will follow.
            ShimCommand::Abort { id } => self.host.reply(id, Some("wrong_state")),
            ShimCommand::Cancel { id } => {
                self.host.reply(id, None);
                self.dispatch(Event::CancelRequested);
            }
            ShimCommand::Focus { id, field } => self.move_focus(id, field.as_deref()),
            ShimCommand::Clear { id } if collecting => {
                self.fields.clear();
                self.typed_in.set(false);
                self.keys.edited();
                self.look_up();
                self.refresh();
                self.report_change();
                self.host.reply(id, None);
            }
            ShimCommand::Validate { id } if collecting => {
                let wrong = self.fields.check();
                self.refresh();
                self.report_change();
                if let Some((_, message)) = wrong {
                    say_urgently(&self.fields.sentence(&self.texts, message));
                }
                self.host.reply_faults(id, self.fields.faults());
            }
            ShimCommand::ServerError { id, field, code } if collecting => {
                let said = self.fields.state(field.as_deref(), code, &self.texts);
                self.refresh();
                self.report_change();
                say_urgently(&self.texts.text(said));
                self.host.reply(id, None);
            }
            ShimCommand::Clear { id }
            | ShimCommand::Validate { id }
            | ShimCommand::ServerError { id, .. } => self.host.reply(id, Some("wrong_state")),
            // Answers to requests of the session monitor.
            ShimCommand::Renew { .. }
            | ShimCommand::Reveal { .. }
            | ShimCommand::Redirect { .. }
            | ShimCommand::Cover { .. } => self.handle_answer(command),
            ShimCommand::Update { id, options } => {
                dress(&options);
                // The texts may have changed even if the state has not.
                self.refresh();
                self.shown.notify();
                self.reported.set(None);
                if collecting {
                    self.report_change();
                }
                self.host.reply(id, None);
            }
        }
    }
}
