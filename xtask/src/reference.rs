//! `cargo xtask reference`: writes `docs/api.md` and `docs/api/` from the gateway's own declarations. A test of the gateway fails if a
//! page is not current.

use crate::demo::{ServersFor, build_servers};
use crate::process::run;
use crate::project::Project;
use anyhow::Result;
use std::process::Command;

/// Writes the reference again.
pub(crate) fn renew(project: &Project) -> Result<()> {
    build_servers(project, ServersFor::Tests)?;
    let docs = project.root.join("docs");
    let chapters = docs.join("api");
    if chapters.is_dir() {
        // A chapter that has another name now leaves no page.
        std::fs::remove_dir_all(&chapters)?;
    }
    let mut gateway = Command::new(project.binary("debug", "payframe-gateway"));
    run(gateway.arg("reference").arg(docs))
}
