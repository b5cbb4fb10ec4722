//! Keeps the tables of sandboxes and of production gateways apart.
//!
//! A sandbox's tables hold API keys that everybody knows, and payments that moved no money: in production they would be taken for
//! real. So the first start writes down whose the tables are, and a gateway of the other mode does not open them. Tables
//! from before that was written down are a sandbox's where one of those keys or an order is in them.

use crate::StartProblem;
use crate::config::Mode;
use crate::sandbox;
use crate::store::{Connection, mode};
use crate::vault::Vault;

/// Refuses tables of the other mode; writes down whose new ones are.
pub(crate) async fn claim(
    change: &mut Connection,
    vault: &Vault,
    wanted: Mode,
) -> Result<(), StartProblem> {
    let said = mode::find(change).await?;
    match (wanted, said.as_deref()) {
        (Mode::Sandbox(_), Some("sandbox")) => return Ok(()),
        (Mode::Sandbox(_), Some(_)) => return Err(StartProblem::ProductionTables),
        (Mode::Sandbox(_), None) => {}
        (Mode::Production, said) => {
            let is_productions = said == Some(wanted.name());
            let is_used = said.is_none() && mode::has_orders(change).await?;
            let is_sandboxs = said.is_some() && !is_productions;
            // Asked in any case: such a key must not answer, however it came there.
            if is_sandboxs || is_used || sandbox::terminals::are_in_place(change, vault).await? {
                return Err(StartProblem::SandboxTables);
            }
            if is_productions {
                return Ok(());
            }
        }
    }
    Ok(mode::put(change, wanted.name()).await?)
}
