//! `cargo xtask frameworks`: the npm packages in apps of each framework, paid in Chromium.
//!
//! The apps, and the program that installs, builds and runs them, are in `packages/frameworks`. It is no step of `cargo xtask test`, because it
//! installs some thousand packages of others from the registry.

use crate::build::{self, Wanted};
use crate::demo::{ServersFor, build_servers};
use crate::process::run as run_loudly;
use crate::project::Project;
use crate::setup;
use anyhow::Result;

/// Checks the named apps, or all.
pub(crate) fn run(project: &Project, apps: &[String]) -> Result<()> {
    let browser = setup::browser()?;
    build::build(project, Wanted::ByStableRust)?;
    build_servers(project, ServersFor::Tests)?;
    run_loudly(
        project
            .command("node")?
            .arg("packages/frameworks/run.mjs")
            .args(apps)
            .env(
                "PAYFRAME_GATEWAY_BIN",
                project.binary("debug", "payframe-gateway"),
            )
            .env("PAYFRAME_DIST", project.dist())
            .envs(setup::browser_environment(&browser)),
    )
}
