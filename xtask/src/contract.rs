//! The step `contract`: tests a running gateway with other people's tools, and the acquirer over ISO 8583 against other people's hosts
//! ([`crate::counterparts`]).
//!
//! Schemathesis makes calls from the OpenAPI document and sends them. The reference libraries of Standard Webhooks verify a notification
//! (`tests/contract/webhooks.test.mjs`). The packages for merchants' servers make their calls (`packages/server/tests/live`,
//! `packages/python/tests/live`, `packages/php/tests/Live`). The tests of `packages/connectors` that need no library of connectors run along.
//! A gateway with copies of orders is asked for every list ([`crate::load::few_tables`]). The example shop takes a few orders while it is killed ([`crate::load::few_shops`]). So do the
//! acquirers outside the gateway ([`crate::load::few_at_acquirers`]). The demo starts and serves its pages.
//!
//! Schemathesis and one of the libraries are in Python. Set-up installs them with their dependencies, at the versions and hashes of
//! `tests/contract/requirements.txt`, into an environment below `target/tools`. Its settings are in
//! `tests/contract/schemathesis.toml` and `tests/contract/hooks.py`.

use crate::counterparts;
use crate::demo::{API_KEY, Gateway, ServersFor, build_servers};
use crate::load;
use crate::php;
use crate::process::{capture, run as run_loudly};
use crate::project::Project;
use crate::python::Environment;
use crate::release;
use crate::server::{Server, free_port};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Installs schemathesis and returns its path.
pub(crate) fn set_up(project: &Project) -> Result<PathBuf> {
    let environment = Environment {
        name: "contract",
        tools: "schemathesis",
        requirements: "tests/contract/requirements.txt",
    };
    Ok(environment.set_up(project)?.join("schemathesis"))
}

/// Starts a gateway, lets schemathesis call it, and has a notification verified.
pub(crate) fn check(project: &Project) -> Result<()> {
    let schemathesis = set_up(project)?;
    php::set_up()?;
    build_servers(project, ServersFor::Tests)?;
    release::try_compiled(project, &project.target.join("debug/payframe-gateway"))?;
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
    let calls = run_loudly(
        Command::new(&schemathesis)
            .current_dir(&data)
            .arg("--config-file")
            .arg(folder.join("schemathesis.toml"))
            .args(["run", &format!("{origin}/api/openapi.json")])
            .env("SCHEMATHESIS_HOOKS", folder.join("hooks.py"))
            .env("PAYFRAME_API", format!("{origin}/api"))
            .env("PAYFRAME_API_KEY", API_KEY),
    );
    let python = schemathesis.with_file_name("python");
    let clients = new_secret(&gateway, project).and_then(|secret| {
        let environment = [
            ("PAYFRAME_API", format!("{origin}/api")),
            ("PAYFRAME_API_KEY", API_KEY.to_owned()),
            ("PAYFRAME_NOTIFICATION_SECRET", secret),
            ("PAYFRAME_PYTHON", python.display().to_string()),
        ];
        clients(project, &python, environment)
    });
    server.stop()?;
    calls.context("schemathesis found something; it says above how to repeat each call")?;
    clients.context("a notification was not verified, or a package for servers fails")?;
    load::few_tables(project).context("a gateway with many orders")?;
    load::few_shops(project).context("the example shop and the money disagree")?;
    counterparts::check(project)?;
    load::few_at_acquirers(project).context("the gateway and an acquirer disagree about money")
}

/// Runs the programs that use the gateway as a merchant's server does.
fn clients(project: &Project, python: &Path, environment: [(&str, String); 4]) -> Result<()> {
    run_loudly(
        Command::new("node")
            .current_dir(&project.root)
            .arg("--test")
            .arg("tests/contract/webhooks.test.mjs")
            .arg("packages/server/tests/live/gateway.test.mjs")
            .envs(environment.clone()),
    )?;
    for (package, tests) in [
        ("packages/python", "tests"),
        ("packages/python", "tests/live"),
        ("packages/connectors", "tests"),
    ] {
        run_loudly(
            Command::new(python)
                .current_dir(project.root.join(package))
                .args(["-m", "pytest", "-q", "-p", "no:cacheprovider", tests])
                .env("PYTHONDONTWRITEBYTECODE", "1")
                .envs(environment.clone()),
        )?;
    }
    php::test(project, php::Tests::Live, &environment)
}

/// Makes a notification secret for the terminal of [`API_KEY`]. The command prints it in its second line.
fn new_secret(gateway: &Gateway, project: &Project) -> Result<String> {
    let printed = capture(gateway.command(project).args(["secrets", "new", TERMINAL]))?;
    let secret = printed.lines().nth(1);
    Ok(secret.context("the gateway printed no secret")?.to_owned())
}

/// The terminal of [`API_KEY`].
const TERMINAL: &str = "91000001";
