//! `cargo xtask plugins`: the payment plug-ins in whole shop systems, paid in Chromium.
//!
//! Each plug-in has a program that installs, starts and tries its shop system: `packages/NAME/tests/run.mjs`. It is no step of `cargo xtask test`,
//! because it installs some thousand packages of others from the registries of npm, Python and Debian, and two of them need PostgreSQL. That for WooCommerce is
//! tried in WordPress alone: WooCommerce itself is in none of these registries.

use crate::build::{self, Wanted};
use crate::demo::{ServersFor, build_servers};
use crate::php;
use crate::postgres;
use crate::process::run as run_loudly;
use crate::project::Project;
use crate::setup;
use anyhow::{Result, ensure};

/// The shop systems.
const SYSTEMS: [&str; 4] = ["vendure", "medusa", "django-oscar", "woocommerce"];

/// Those whose shop is tried with PostgreSQL.
const WITH_POSTGRES: [&str; 2] = ["vendure", "medusa"];

/// Checks the plug-ins of the named shop systems, or all.
pub(crate) fn run(project: &Project, systems: &[String]) -> Result<()> {
    for system in systems {
        ensure!(
            SYSTEMS.contains(&system.as_str()),
            "there is no plug-in for {system}; there are: {}",
            SYSTEMS.join(", ")
        );
    }
    let chosen = SYSTEMS
        .iter()
        .filter(|system| systems.is_empty() || systems.iter().any(|wanted| wanted == *system));
    let browser = setup::browser()?;
    if chosen.clone().any(|system| WITH_POSTGRES.contains(system)) {
        postgres::programs()?;
    }
    if chosen.clone().any(|system| *system == "woocommerce") {
        php::set_up()?;
        php::set_up_wordpress()?;
    }
    build::build(project, Wanted::ByStableRust)?;
    build_servers(project, ServersFor::Tests)?;
    for system in chosen {
        run_loudly(
            project
                .command("node")?
                .arg(format!("packages/{system}/tests/run.mjs"))
                .env(
                    "PAYFRAME_GATEWAY_BIN",
                    project.binary("debug", "payframe-gateway"),
                )
                .env("PAYFRAME_DIST", project.dist())
                .envs(setup::browser_environment(&browser)),
        )?;
    }
    Ok(())
}
