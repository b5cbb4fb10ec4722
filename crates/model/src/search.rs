//! The model for the checker: its first state, its possible actions, and its properties.

use super::properties;
use super::setting::Setting;
use super::world::{Action, World};
use stateright::{Model, Property};

impl Model for Setting {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        vec![self.start()]
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        if world.wrong.is_some() {
            return;
        }
        world.buyers(self, actions);
        world.choose(self, actions);
        world.travels(self, actions);
        world.works(actions);
    }

    fn next_state(&self, world: &World, action: Action) -> Option<World> {
        let mut world = world.clone();
        world.act(self, action);
        Some(world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        properties::of(self)
    }
}
