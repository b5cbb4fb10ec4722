//! What the shop's page asks of the form.

use super::{App, announce_assertively};
use crate::app::lifecycle::apply_options;
use crate::host;
use crate::task::{PageCommand, Task};
use crate::wire::Json;
use leptos::prelude::Notify;
use payframe_checkout_flow::flow::Event;
use payframe_protocol::frame::{PayframeErrorCode, ShimCommand};

impl App {
    /// Takes a message of the page. What must not come seconds late is done at once: moving the focus, emptying the fields before the buyer
    /// types again, the theme, taking back a press of Pay. The rest is for the late part.
    pub(super) fn receive(&'static self, message: Json) {
        let Some((kind, id)) = host::kind_and_id(&message) else {
            return;
        };
        match kind.as_str() {
            "focus" => return self.move_focus(id, message.member("field").text().as_deref()),
            "clear" => return self.clear(id),
            "abort" if self.withdraw_press() => return self.host.reply(id, None),
            "update" => apply_options(&message.member("options")),
            _ => {}
        }
        // An edit before the message counts as one.
        self.settle();
        self.later(Task::Command(PageCommand {
            id,
            message,
            edits: self.edits.get(),
        }));
    }

    /// Takes back the page's press of Pay, if it still waits for the late part.
    fn withdraw_press(&self) -> bool {
        let mut found = false;
        self.late.remove(&mut |task| match task {
            Task::Command(command) if command.pays() => {
                self.host
                    .reply(command.id, Some(PayframeErrorCode::Aborted));
                found = true;
                true
            }
            _ => false,
        });
        if found {
            // The form showed a press.
            self.refresh();
        }
        found
    }

    fn clear(&'static self, id: u32) {
        if !self.is_collecting() {
            return self.host.reply(id, Some(PayframeErrorCode::WrongState));
        }
        self.fields.clear();
        self.typed_in.set(false);
        self.keys.edited();
        self.look_up();
        self.refresh();
        self.report_change();
        self.host.reply(id, None);
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
            None => self.host.reply(id, Some(PayframeErrorCode::WrongState)),
        }
    }

    /// Carries out a command of the page. `edits`: how often the buyer had edited when it came.
    pub fn handle_command(&'static self, command: ShimCommand, edits: u32) {
        let collecting = self.is_collecting();
        match command {
            ShimCommand::Confirm { id } => {
                let refusal = self.submit().err();
                if refusal.is_some() {
                    // While the command waited for this part, the form showed a press.
                    self.refresh();
                }
                self.host.reply(id, refusal);
            }
            ShimCommand::Refresh { id } => self.refresh_for(id),
            // What was confirmed is sent already; its true outcome will follow.
            ShimCommand::Abort { id } => self.host.reply(id, Some(PayframeErrorCode::WrongState)),
            ShimCommand::Cancel { id } => {
                self.host.reply(id, None);
                self.dispatch(Event::CancelRequested);
            }
            ShimCommand::Validate { id } if collecting => {
                let wrong = self.fields.check();
                self.refresh();
                self.report_change();
                if let Some((_, message)) = wrong {
                    announce_assertively(&self.fields.sentence(&self.texts, message));
                }
                self.host.reply_field_errors(id, self.fields.faults());
            }
            // What the buyer has edited since is not what the server refused.
            ShimCommand::ServerError { id, field, code }
                if collecting && edits == self.edits.get() =>
            {
                let said = self.fields.state(field.as_deref(), code, &self.texts);
                self.refresh();
                self.report_change();
                announce_assertively(&self.texts.text(said));
                self.host.reply(id, None);
            }
            ShimCommand::Validate { id } | ShimCommand::ServerError { id, .. } => {
                self.host.reply(id, Some(PayframeErrorCode::WrongState));
            }
            // Carried out before the late part is asked.
            ShimCommand::Focus { .. } | ShimCommand::Clear { .. } => {}
            // Answers to requests of the session monitor.
            ShimCommand::Renew { .. }
            | ShimCommand::Reveal { .. }
            | ShimCommand::Redirect { .. }
            | ShimCommand::Cover { .. } => self.handle_answer(command),
            ShimCommand::Update { id, .. } => {
                // The texts may have changed even if the state has not.
                self.show_sum();
                self.refresh();
                self.shown.notify();
                self.last_reported_fields.set(None);
                if collecting {
                    self.report_change();
                }
                self.host.reply(id, None);
            }
        }
    }
}
