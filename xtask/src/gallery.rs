//! `cargo xtask gallery`: every state of the form in one page, until Ctrl-C.
//!
//! The page is in `tests/gallery`; a step of `cargo xtask test` compares its pictures.

use crate::build::{self, Wanted};
use crate::process::run as run_loudly;
use crate::project::Project;
use anyhow::Result;

/// Builds the files that the gateway serves, and serves them with made-up sessions.
pub(crate) fn run(project: &Project, port: u16) -> Result<()> {
    build::build(project, Wanted::ByStableRust)?;
    run_loudly(
        project
            .command("node")?
            .arg("tests/gallery/server.mjs")
            .env("PAYFRAME_DIST", project.dist())
            .env("PAYFRAME_GALLERY_PORT", port.to_string()),
    )
}

/// The port, unless the command line names another one.
pub(crate) const PORT: u16 = 8789;
