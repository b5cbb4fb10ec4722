//! `cargo xtask bench`: compares the form with a plain HTML form in a frame, both served by one gateway, in Chromium; five
//! fields driven by one widget with five widgets; or the form that a shop's server prints with a plain form that a script adds.
//!
//! Scripts in `tests/bench/` load and measure. This module prepares; [`metrics`], [`targets`] and [`report`] evaluate the numbers. A missed
//! target is printed and is not an error, because results vary between runs.

mod metrics;
mod report;
mod targets;

use crate::build::{self, Wanted};
use crate::demo::{API_KEY, Gateway, ServersFor, build_servers};
use crate::dist::{brotli, gzip};
use crate::process::run as run_loudly;
use crate::project::{Project, files_below};
use crate::server::{Server, free_port};
use crate::setup;
use anyhow::{Context, Result, bail};
use report::{Measured, Report};
use std::path::Path;
use targets::{CONDITIONS, PRINTED_TARGETS, TARGETS, Target};

/// The options of the command line.
pub(crate) struct Options {
    /// Counted loads of each form under each condition.
    pub(crate) runs: u32,
    /// Names of conditions; none means all.
    pub(crate) conditions: Vec<String>,
    /// The comparison.
    pub(crate) contest: Comparison,
}

/// Two things that are measured side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// The form and a plain form.
    Form,
    /// Five fields in one session, driven by one widget, compared with five widgets.
    Fields,
    /// The form in the HTML of the shop's page, and a plain form that a script adds to it.
    Printed,
}

impl Comparison {
    fn script(self) -> &'static str {
        match self {
            Comparison::Form => "tests/bench/run.mjs",
            Comparison::Fields => "tests/bench/fields.mjs",
            Comparison::Printed => "tests/bench/printed.mjs",
        }
    }

    /// The titles of the two columns.
    fn sides(self) -> [&'static str; 2] {
        match self {
            Comparison::Form => ["ours", "bare"],
            Comparison::Fields => ["one", "five"],
            Comparison::Printed => ["printed", "bare"],
        }
    }

    fn measures(self, metric: &str) -> bool {
        match self {
            Comparison::Form => true,
            Comparison::Fields => [
                "live", "bytes", "wire", "requests", "heap", "longest", "blocking",
            ]
            .contains(&metric),
            Comparison::Printed => metric == "typable",
        }
    }

    fn targets(self) -> &'static [Target] {
        match self {
            Comparison::Form => &TARGETS,
            Comparison::Fields => &[],
            Comparison::Printed => &PRINTED_TARGETS,
        }
    }

    /// The path of the samples, below `target/`.
    fn out(self) -> &'static str {
        match self {
            Comparison::Form => "bench.json",
            Comparison::Fields => "bench-fields.json",
            Comparison::Printed => "bench-printed.json",
        }
    }
}

/// Builds, serves, measures, prints.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    if let Some(unknown) = options
        .conditions
        .iter()
        .find(|name| !CONDITIONS.contains(&name.as_str()))
    {
        bail!(
            "there is no condition `{unknown}`; there are {}",
            CONDITIONS.join(", ")
        );
    }
    build::build(project, Wanted::AsReleased)?;
    let browser = setup::browser()?;
    build_servers(project, ServersFor::Bench)?;

    let scratch = project.empty_folder("bench")?;
    let dist = scratch.join("dist");
    copy_with_bare_form(project, &dist)?;
    let gateway = Gateway {
        port: free_port()?,
        data: scratch.join("data"),
        assets: dist.clone(),
        profile_dir: "release",
    };
    let server = Server::start(
        "the gateway",
        gateway.command(project),
        scratch.join("gateway.log"),
        || false,
    )?;
    let samples = scratch.join("samples.json");
    let conditions = match options.conditions.as_slice() {
        [] => CONDITIONS.join(","),
        named => named.join(","),
    };
    run_loudly(
        project
            .command("node")?
            .arg(options.contest.script())
            .envs(setup::browser_environment(&browser))
            .env("BENCH_GATEWAY", gateway.origin())
            .env("BENCH_API_KEY", API_KEY)
            .env("BENCH_MANIFEST", dist.join("manifest.json"))
            .env("BENCH_RUNS", options.runs.to_string())
            .env("BENCH_CONDITIONS", conditions)
            .env("BENCH_OUT", &samples),
    )?;
    server.stop()?;

    let measured: Measured = serde_json::from_str(&std::fs::read_to_string(samples)?)?;
    let report = Report::of(&measured, options.contest)?;
    print!("{}", report.table());
    let out = project.target.join(options.contest.out());
    std::fs::write(&out, serde_json::to_vec_pretty(&(&report, &measured))?)?;
    println!("all samples: {}", out.display());
    Ok(())
}

/// The built dist, with the plain form's files among its assets.
fn copy_with_bare_form(project: &Project, to: &Path) -> Result<()> {
    let from = project.dist();
    for file in files_below(&from)? {
        let target = to.join(&file);
        std::fs::create_dir_all(target.parent().context("a file has a folder")?)?;
        std::fs::copy(from.join(&file), target)?;
    }
    for (source, served) in [
        ("bare-shim.js", "bench-shim.js"),
        ("bare-form.js", "bench-form.js"),
        ("bare-form.html", "bench-form.html"),
    ] {
        let bytes = std::fs::read(project.root.join("tests/bench").join(source))?;
        let assets = to.join("assets");
        std::fs::write(assets.join(served), &bytes)?;
        std::fs::write(assets.join(format!("{served}.br")), brotli(&bytes)?)?;
        std::fs::write(assets.join(format!("{served}.gz")), gzip(&bytes)?)?;
    }
    Ok(())
}
