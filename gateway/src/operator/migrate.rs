//! The command that brings the tables up to date. Every start does the same. The command is for operators who want to do it earlier,
//! and to see what changes.

use super::CommandError;
use crate::config::Config;
use crate::modes;

/// Brings the tables up to date.
pub(super) async fn run(config: &Config) -> Result<String, CommandError> {
    let missing = modes::missing_migrations(config).await?;
    crate::make_folder(&config.data).map_err(crate::StartError::Folder)?;
    modes::update_tables(config).await?;
    if missing.is_empty() {
        return Ok(String::from("the tables are up to date\n"));
    }
    Ok(listed(&missing))
}

/// Says what is missing, and changes nothing.
pub(super) async fn check(config: &Config) -> Result<String, CommandError> {
    let missing = modes::missing_migrations(config).await?;
    if missing.is_empty() {
        return Ok(String::from("the tables are up to date\n"));
    }
    Err(CommandError::Failed(format!(
        "{} migrations have not run:\n{}",
        missing.len(),
        listed(&missing)
    )))
}

fn listed(missing: &[(&str, String)]) -> String {
    let line = |(tables, migration): &(&str, String)| format!("{tables}: {migration}\n");
    missing.iter().map(line).collect()
}
