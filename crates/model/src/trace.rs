//! What happens at the gateway in a walk through a setting: for a test that does the same with the real gateway.
//!
//! A [`Walk`] takes actions of the model, one after the other. Each returns its [`GatewayStep`]s, and the model's view
//! of the gateway after each of them. Actions between forms and network only are not in it.

use crate::gateway::observed::{Observed, Recorder};
use crate::setting::Setting;
use crate::world::{Action, World};
use stateright::Model;

/// A walk through a setting.
#[derive(Clone, Debug)]
pub struct Walk {
    setting: Setting,
    world: World,
}

impl Walk {
    /// At the beginning: the form's pages are loaded, and nothing has happened.
    pub fn begin(setting: Setting) -> Walk {
        let mut world = setting.start();
        world.gateway.recorder = Recorder(Some(Vec::new()));
        Walk { setting, world }
    }

    /// What can happen next.
    pub fn choices(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        self.setting.actions(&self.world, &mut actions);
        actions
    }

    /// Lets it happen.
    pub fn take(&mut self, action: Action) -> Vec<Observed> {
        self.world.act(&self.setting, action);
        let recorder = &mut self.world.gateway.recorder;
        recorder.0.as_mut().map(std::mem::take).unwrap_or_default()
    }
}
