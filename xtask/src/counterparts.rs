//! Part of the step `contract`: the acquirer over ISO 8583 against hosts that others wrote.
//!
//! The hosts are in Python. Set-up installs them with their dependencies, at the versions and hashes of
//! `crates/acquirer-iso8583/tests/counterparts/requirements.txt`, into an environment below `target/tools`. They are tools of the tests alone:
//! nothing of them is in what ships.

use crate::process::run as run_loudly;
use crate::project::Project;
use crate::python::Environment;
use anyhow::{Context, Result};
use std::path::PathBuf;

/// The program of the hosts, in the project.
pub(crate) const HOST: &str = "crates/acquirer-iso8583/tests/counterparts/host.py";

/// Installs the hosts and returns the Python that has them.
pub(crate) fn set_up(project: &Project) -> Result<PathBuf> {
    let environment = Environment {
        name: "counterparts",
        tools: "hosts that speak ISO 8583",
        requirements: "crates/acquirer-iso8583/tests/counterparts/requirements.txt",
    };
    Ok(environment.set_up(project)?.join("python"))
}

/// Runs the tests against them.
pub(crate) fn check(project: &Project) -> Result<()> {
    let python = set_up(project)?;
    run_loudly(
        project
            .linting_cargo()
            // As the step `native` compiles, so that only the crate with this feature is compiled again.
            .args(["test", "--locked", "--workspace", "--test", "counterparts"])
            .args(["--features", "payframe-acquirer-iso8583/counterparts"])
            .env("PAYFRAME_COUNTERPARTS_PYTHON", python),
    )
    .context("the acquirer over ISO 8583 fails against a host")
}
