//! `cargo xtask reference`: writes `docs/api.md` from the gateway's own declarations. A test of the gateway fails if the
//! file is not current.

use crate::demo::{ServersFor, build_servers};
use crate::process::capture;
use crate::project::Project;
use anyhow::{Context, Result};
use std::process::Command;

/// Writes the reference again.
pub(crate) fn renew(project: &Project) -> Result<()> {
    build_servers(project, ServersFor::Tests)?;
    let text = capture(Command::new(project.binary("debug", "payframe-gateway")).arg("reference"))?;
    let file = project.root.join("docs/api.md");
    std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    println!("{} is current", file.display());
    Ok(())
}
