//! The merchant's page in the Build protocol: the events for it, and the port to it.

use crate::build_events::BuildEvents;
use crate::host::Host;
use std::cell::RefCell;

/// What the late part of the widget has in a frame of the Build protocol.
pub struct BuildPage {
    /// What the page is told next.
    pub events: RefCell<BuildEvents>,
    /// To the frame's script, which sends to the page.
    pub host: Host,
}
