//! How the world continues without further faults.

use super::{Action, Setting, World};
use crate::form::{CallProgress, Form};
use crate::gateway::Client;
use payframe_checkout_flow::flow::CaptureInitiator;
use payframe_payment_domain::session::StepUp;

impl World {
    /// The final state if every call and every answer arrives, every wait ends, and at last the time limits
    /// pass. `None` if that takes too many steps.
    pub(crate) fn drain(&self, setting: &Setting) -> Option<World> {
        let mut world = self.clone();
        for round in 0..ROUNDS {
            for steps in 0.. {
                let Some(action) = world.next_drain(setting) else {
                    break;
                };
                if steps > STEPS {
                    return None;
                }
                world.act(setting, action);
            }
            let is_over = world.forms.iter().flatten().all(Form::is_at_rest);
            if is_over && !world.gateway.waits_for_answer() && world.gateway.limit().is_none() {
                return Some(world);
            }
            // After enough polls, the issuer's page, the buyer and the server do nothing more.
            if is_over || round >= MAX_LOST_ANSWERS {
                world.gateway.pass_limit();
            }
            for tab in 0..world.forms.len() {
                if world.forms[tab].as_ref().is_some_and(|form| form.waits) {
                    world.act(setting, Action::Wake(tab));
                }
            }
        }
        None
    }

    fn next_drain(&self, setting: &Setting) -> Option<Action> {
        if let Some(job) = self.gateway.job {
            return Some(match job.result {
                None if self.gateway.is_stepping_up() => Action::StepUp(StepUp::Challenge),
                None => Action::AskAcquirer,
                Some(_) => Action::Book,
            });
        }
        if self.gateway.waits_for_answer() {
            return Some(Action::Recover);
        }
        if !self.abandoned_calls.is_empty() {
            return Some(Action::ArriveLate(0));
        }
        let asks_page = |form: &Option<Form>| form.as_ref().is_some_and(Form::asks_page);
        if let Some(tab) = self.forms.iter().position(asks_page) {
            return Some(Action::NotRenewed(tab));
        }
        let tabs = (0..self.forms.len()).map(Client::Tab);
        for client in tabs.chain([Client::Server]) {
            match self.call(client) {
                Some(CallProgress::ToGateway(_)) => return Some(Action::Arrive(client)),
                Some(CallProgress::ToCaller(..)) => return Some(Action::AnswerArrives(client)),
                Some(CallProgress::AtGateway(_)) | None => {}
            }
        }
        let has_server =
            setting.capture_initiator == CaptureInitiator::Server && self.left.server_asks > 0;
        (has_server && self.server_is_due()).then_some(Action::ServerAsks)
    }
}

/// How many rounds of ending all waits lead to an end.
const ROUNDS: usize = 24;
/// How many rounds there are before the session's limits pass.
const MAX_LOST_ANSWERS: usize = 3;
/// How many steps are allowed between two waits.
const STEPS: usize = 40;
