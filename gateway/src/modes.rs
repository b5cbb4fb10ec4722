//! Keeps the tables of sandboxes and of production gateways apart.
//!
//! A sandbox's tables hold API keys that everybody knows, and payments that moved no money: in production they would be taken for
//! real. So the first start writes down whose the tables are, and a gateway of the other mode does not open them. Tables
//! from before that was written down are a sandbox's where one of those keys or an order is in them.

use crate::StartError;
use crate::config::Mode;
use payframe_storage::{Connection, mode};

/// Refuses tables of the other mode; writes down whose new ones are. A key that everybody knows makes them a sandbox's.
pub(crate) async fn claim(
    change: &mut Connection,
    wanted: Mode,
    has_known_key: bool,
) -> Result<(), StartError> {
    let said = mode::find(change).await?;
    match (wanted, said.as_deref()) {
        (Mode::Sandbox(_), Some("sandbox")) => return Ok(()),
        (Mode::Sandbox(_), Some(_)) => return Err(StartError::ProductionTables),
        (Mode::Sandbox(_), None) => {}
        (Mode::Production, said) => {
            let is_productions = said == Some(wanted.name());
            let is_used = said.is_none() && mode::has_orders(change).await?;
            let is_sandboxs = said.is_some() && !is_productions;
            if is_sandboxs || is_used || has_known_key {
                return Err(StartError::SandboxTables);
            }
            if is_productions {
                return Ok(());
            }
        }
    }
    Ok(mode::put(change, wanted.name()).await?)
}
