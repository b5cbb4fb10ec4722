//! `cargo xtask demo`: the gateway and the demo shop on this machine, until Ctrl-C.

use crate::build::{self, Wanted};
use crate::process::{run as run_loudly, step};
use crate::project::Project;
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::Command;

/// The options of the command line.
pub(crate) struct Options {
    pub(crate) gateway_port: u16,
    pub(crate) shop_port: u16,
    /// The folder of databases, keys and logs.
    pub(crate) data: PathBuf,
}

/// Builds the widget and the gateway, and becomes the gateway's own demo.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    build::build(project, Wanted::ByStableRust)?;
    build_servers(project, ServersFor::Demo)?;
    let mut demo = Command::new(project.binary("debug", "payframe-gateway"));
    demo.current_dir(&project.root)
        .arg("demo")
        .args(["--gateway-port", &options.gateway_port.to_string()])
        .args(["--shop-port", &options.shop_port.to_string()])
        .arg("--data")
        .arg(&options.data)
        .env("PAYFRAME_ASSETS", project.dist());
    become_program(demo)
}

/// Replaces this process, so that signals reach the demo alone.
#[cfg(unix)]
fn become_program(mut program: Command) -> Result<()> {
    let problem = std::os::unix::process::CommandExt::exec(&mut program);
    Err(problem).context("the demo can not be started")
}

#[cfg(not(unix))]
fn become_program(mut program: Command) -> Result<()> {
    run_loudly(&mut program)
}

/// How the gateway is run for bench and tests: as a sandbox, with faults and plain-http merchants allowed.
pub(crate) struct Gateway {
    pub(crate) port: u16,
    pub(crate) data: PathBuf,
    pub(crate) assets: PathBuf,
    /// Cargo's folder for the profile: `debug` or `release`.
    pub(crate) profile_dir: &'static str,
}

impl Gateway {
    /// The address that browsers and merchants' servers use.
    pub(crate) fn origin(&self) -> String {
        format!("http://localhost:{}", self.port)
    }

    /// The command that starts it.
    pub(crate) fn command(&self, project: &Project) -> Command {
        let mut command = Command::new(project.binary(self.profile_dir, "payframe-gateway"));
        command
            .current_dir(&project.root)
            .env("PAYFRAME_MODE", "sandbox")
            .env("PAYFRAME_LISTEN", format!("127.0.0.1:{}", self.port))
            .env("PAYFRAME_ORIGIN", self.origin())
            .env("PAYFRAME_DATA", &self.data)
            .env("PAYFRAME_ASSETS", &self.assets)
            .env("PAYFRAME_SANDBOX_FAULTS", "1")
            .env("PAYFRAME_ALLOW_INSECURE_URLS", "1");
        command
    }
}

/// For what the servers are compiled.
#[derive(Clone, Copy)]
pub(crate) enum ServersFor {
    Demo,
    Bench,
    Tests,
}

/// Compiles the gateway, the shop and the load program. Features are resolved over the whole workspace.
pub(crate) fn build_servers(project: &Project, purpose: ServersFor) -> Result<()> {
    let (mut cargo, options): (_, &[&str]) = match purpose {
        ServersFor::Demo => (project.cargo(), &["--profile=dev"]),
        ServersFor::Bench => (project.cargo(), &["--profile=release"]),
        // As the step `native` compiles: what that has compiled is not compiled again. With a test among the targets cargo adds the
        // features of dev-dependencies, as `cargo test` does.
        ServersFor::Tests => (project.linting_cargo(), &["--profile=dev", "--test=guides"]),
    };
    step("cargo build of gateway and shop\n", |_| {
        run_loudly(
            cargo
                .args(["build", "--locked", "--workspace"])
                .args(SERVERS.map(|name| format!("--bin={name}")))
                .args(options),
        )
    })
}

/// Key of the sandbox's demo merchant, implicit capture.
pub(crate) const API_KEY: &str = "sandbox-implicit";
const SERVERS: [&str; 3] = ["payframe-gateway", "payframe-shop", "payframe-load"];
