//! The operator's acquirers by name, and which terminal uses which.

use crate::client::HttpAcquirer;
use payframe_payment_ports::acquirers::{ChosenAcquirer, Instruments};
use payframe_payment_ports::{Acquirer, Acquirers};
use std::collections::HashMap;
use std::sync::Arc;

/// The acquirers of a file, and the gateway's own for the terminals that are not in it.
pub struct HttpAcquirers {
    pub(crate) by_name: HashMap<String, HttpAcquirer>,
    /// The name of the acquirer of each terminal.
    pub(crate) of_terminal: HashMap<String, String>,
    /// Those of a sandbox, or none.
    pub(crate) own: Arc<dyn Acquirers>,
}

impl Acquirers for HttpAcquirers {
    fn of_terminal(&self, terminal_id: &str) -> Option<ChosenAcquirer<'_>> {
        match self.of_terminal.get(terminal_id) {
            Some(name) => Some(ChosenAcquirer {
                name: Some(name),
                instruments: Instruments::Cards,
            }),
            None => self.own.of_terminal(terminal_id),
        }
    }

    fn named(&self, name: Option<&str>) -> Option<&dyn Acquirer> {
        let connected = name.and_then(|name| self.by_name.get(name));
        match connected {
            Some(acquirer) => Some(acquirer),
            None => self.own.named(name),
        }
    }

    fn is_empty(&self) -> bool {
        self.of_terminal.is_empty() && self.own.is_empty()
    }
}
