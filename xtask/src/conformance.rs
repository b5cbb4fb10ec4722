//! `cargo xtask conformance`: `payframe-gateway mcp` against the public conformance package of the Model Context Protocol.
//!
//! `tests/contract/mcp-conformance.mjs` does it. It is no step of `cargo xtask test`, because npm fetches the package from the registry.

use crate::build::{self, Wanted};
use crate::demo::{ServersFor, build_servers};
use crate::process::run as run_loudly;
use crate::project::Project;
use anyhow::Result;

/// Runs the scenarios, with the docs of a built widget.
pub(crate) fn run(project: &Project) -> Result<()> {
    build::build(project, Wanted::ByStableRust)?;
    build_servers(project, ServersFor::Tests)?;
    run_loudly(
        project
            .command("node")?
            .arg("tests/contract/mcp-conformance.mjs")
            .env(
                "PAYFRAME_GATEWAY_BIN",
                project.binary("debug", "payframe-gateway"),
            )
            .env("PAYFRAME_DIST", project.dist()),
    )
}
