//! Keeps the tables of sandboxes and of production gateways apart.
//!
//! A sandbox's tables contain API keys that everybody knows, and payments that moved no money. In production they would be taken for
//! real. So the first start writes down which mode the tables belong to, and a gateway of the other mode does not open them. Tables
//! without this entry belong to a sandbox if they contain one of those keys or an order.

use crate::StartError;
use crate::config::Mode;
use payframe_storage::{Connection, mode};

/// Refuses tables of the other mode, and writes the mode into new ones. A key that everybody knows makes them a sandbox's tables.
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
