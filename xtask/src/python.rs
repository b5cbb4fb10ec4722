//! Python environments below `target/tools`, for tools that are installed from PyPI at fixed versions and hashes.

use crate::dist::hex_digest;
use crate::process::{capture, step, version_of};
use crate::project::Project;
use crate::setup::apt_install;
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::Command;

/// An environment, which is made unless it is there.
pub(crate) struct Environment {
    /// Its name below `target/tools`.
    pub(crate) name: &'static str,
    /// What set-up says that it installs.
    pub(crate) tools: &'static str,
    /// The file with versions and hashes, from the project's root.
    pub(crate) requirements: &'static str,
}

impl Environment {
    /// Installs what is missing, and returns the folder of the environment's programs.
    pub(crate) fn set_up(&self, project: &Project) -> Result<PathBuf> {
        step(&format!("setup: {}", self.tools), |line| {
            let folder = project.target.join("tools").join(self.name);
            let programs = folder.join("bin");
            let requirements = project.root.join(self.requirements);
            let stamp = hex_digest(&std::fs::read(&requirements)?);
            let stamp_file = folder.join("payframe-requirements");
            if std::fs::read_to_string(&stamp_file).is_ok_and(|text| text == stamp)
                && version_of(programs.join("python")).is_some()
            {
                line.say("present");
                return Ok(programs);
            }
            line.say("installing from PyPI");
            let environment = || {
                capture(
                    Command::new("python3")
                        .args(["-m", "venv", "--clear"])
                        .arg(&folder),
                )
            };
            if environment().is_err() {
                apt_install(&["--no-install-recommends", "python3-venv"]).context(NO_PYTHON)?;
                environment().context(NO_PYTHON)?;
            }
            capture(
                Command::new(programs.join("python"))
                    .args(["-m", "pip", "install", "--quiet"])
                    .arg("--disable-pip-version-check")
                    .args(["--require-hashes", "--only-binary", ":all:", "-r"])
                    .arg(&requirements),
            )
            .with_context(|| {
                format!(
                    "pip could not install {} (is PyPI reachable?)",
                    self.requirements
                )
            })?;
            std::fs::write(&stamp_file, stamp)?;
            Ok(programs)
        })
    }
}

const NO_PYTHON: &str =
    "Python 3.11 or newer with its module `venv` is needed (on Debian the package `python3-venv`)";
