//! The command that copies the tables while a gateway serves.

use super::CommandError;
use crate::config::Config;
use payframe_storage::{StoreError, backup};
use std::path::Path;

/// Copies the tables into a new folder. The folder appears complete or not at all.
pub(super) async fn run(config: &Config, folder: &Path) -> Result<String, CommandError> {
    if config.database_url.is_some() {
        return Err(CommandError::Failed(String::from(
            "the database is on a server: docs/operations.md says how to copy it there",
        )));
    }
    if folder.exists() {
        let there = folder.display();
        return Err(CommandError::Failed(format!("{there} is there already")));
    }
    let failed =
        |problem: std::io::Error| CommandError::Failed(format!("{}: {problem}", folder.display()));
    let unfinished = folder.with_extension(format!("unfinished-{}", std::process::id()));
    crate::make_folder(&unfinished).map_err(failed)?;
    let copied = backup::copy(
        &config.data,
        &unfinished,
        crate::modes::acquirer_file(&config.data),
    )
    .await;
    if let Err(problem) = copied {
        std::fs::remove_dir_all(&unfinished).map_err(failed)?;
        return Err(StoreError::from(problem).into());
    }
    std::fs::rename(&unfinished, folder).map_err(failed)?;
    Ok(format!(
        "the database is in {}; the vault's keys, which are needed to read it, are not\n",
        folder.display()
    ))
}
