//! `cargo xtask gallery`: every state of the form in one page, until Ctrl-C.
//!
//! What it serves is in `tests/gallery`; the pictures of it are a step of `cargo xtask test`.

use crate::build::{self, Wanted};
use crate::process::run as run_loudly;
use crate::project::Project;
use anyhow::Result;

/// Builds what the gateway would serve, and serves it with made-up sessions.
pub(crate) fn run(project: &Project, port: u16) -> Result<()> {
    build::build(project, Wanted::Smallest)?;
    run_loudly(
        project
            .command("node")?
            .arg("tests/gallery/server.mjs")
            .env("PAYFRAME_DIST", project.dist())
            .env("PAYFRAME_GALLERY_PORT", port.to_string()),
    )
}

/// Where it is found unless the command line says otherwise.
pub(crate) const PORT: u16 = 8789;
