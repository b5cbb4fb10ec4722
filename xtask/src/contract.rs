//! The step `contract`: schemathesis makes calls from the OpenAPI document and sends them to a running gateway.
//!
//! It is a Python program. Set-up installs it with its dependencies, at the versions and hashes of
//! `tests/contract/requirements.txt`, into an environment below `target/tools`. Its settings are in
//! `tests/contract/schemathesis.toml` and `tests/contract/hooks.py`.

use crate::demo::{API_KEY, Gateway, build_servers};
use crate::dist::hex_digest;
use crate::process::{capture, run as run_loudly, step, version_of};
use crate::project::Project;
use crate::server::Server;
use crate::setup::apt_install;
use anyhow::{Context, Result};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;

/// Installs schemathesis and returns its path.
pub(crate) fn set_up(project: &Project) -> Result<PathBuf> {
    step("setup: schemathesis", |line| {
        let folder = project.target.join("tools/contract");
        let program = folder.join("bin/schemathesis");
        let requirements = project.root.join("tests/contract/requirements.txt");
        let stamp = hex_digest(&std::fs::read(&requirements)?);
        let stamp_file = folder.join("payframe-requirements");
        if std::fs::read_to_string(&stamp_file).is_ok_and(|text| text == stamp)
            && version_of(&program).is_some()
        {
            line.say("present");
            return Ok(program);
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
            Command::new(folder.join("bin/python"))
                .args([
                    "-m",
                    "pip",
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                ])
                .args(["--require-hashes", "--only-binary", ":all:", "-r"])
                .arg(&requirements),
        )
        .context("pip could not install tests/contract/requirements.txt (is PyPI reachable?)")?;
        std::fs::write(&stamp_file, stamp)?;
        Ok(program)
    })
}

/// Starts a gateway and lets schemathesis call it.
pub(crate) fn check(project: &Project) -> Result<()> {
    let schemathesis = set_up(project)?;
    build_servers(project, "dev")?;
    // Payments of an earlier run must not be there.
    let data = project.empty_folder("contract")?;
    let gateway = Gateway {
        port: free_port()?,
        data: data.clone(),
        assets: project.dist(),
        profile_dir: "debug",
    };
    let origin = gateway.origin();
    let server = Server::start(
        "the gateway",
        gateway.command(project),
        data.join("gateway.log"),
        || false,
    )?;
    let folder = project.root.join("tests/contract");
    let outcome = run_loudly(
        Command::new(schemathesis)
            .current_dir(&data)
            .arg("--config-file")
            .arg(folder.join("schemathesis.toml"))
            .args(["run", &format!("{origin}/api/openapi.json")])
            .env("SCHEMATHESIS_HOOKS", folder.join("hooks.py"))
            .env("PAYFRAME_API", format!("{origin}/api"))
            .env("PAYFRAME_API_KEY", API_KEY),
    );
    server.stop()?;
    outcome.context("schemathesis found something; it says above how to repeat each call")
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

const NO_PYTHON: &str =
    "Python 3.11 or newer with its module `venv` is needed (on Debian the package `python3-venv`)";
