//! `cargo xtask test`: every check of this repository, with the cheap checks first.
//!
//! Steps share `target/`, and cargo always sees the same set of packages, so that nothing is compiled twice.

use crate::build::{self, Wanted};
use crate::demo::{ServersFor, build_servers};
use crate::postgres;
use crate::process::{readable, run as run_loudly};
use crate::project::{Project, files_below};
use crate::server_tests::{self, Extent};
use crate::setup::{self, Browser, OtherEngines};
use crate::{accessibility, contract, declarations, deny, php, size, tidy};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// In which browsers the step `engines` pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Engines {
    /// Chromium alone.
    Chromium,
    /// Chromium, Firefox and WebKit.
    All,
}

/// Runs the named steps, or all of them, in order. Stops at the first that fails.
pub(crate) fn run(project: &Project, only: &[String], engines: Engines) -> Result<()> {
    let steps = chosen(only)?;
    let started = Instant::now();
    let ready = set_up(project, &steps, engines)?;
    let mut times = vec![("setup", started.elapsed())];
    let mut failure = None;
    for step in steps {
        println!("\n== {}: {}", step.name, step.what);
        let begun = Instant::now();
        let outcome = (step.work)(project, &ready);
        times.push((step.name, begun.elapsed()));
        if let Err(problem) = outcome {
            failure = Some((step.name, problem));
            break;
        }
    }
    println!("\n{}", summary(&times, started.elapsed()));
    match failure {
        None => {
            println!("all passed");
            Ok(())
        }
        Some((name, problem)) => Err(problem.context(format!(
            "the step `{name}` failed (again alone: `cargo xtask test --only {name}`)"
        ))),
    }
}

/// The steps with their descriptions, for `--list`.
pub(crate) fn list() -> String {
    let line = |step: &Step| format!("{:<12} {}\n", step.name, step.what);
    STEPS.iter().map(line).collect()
}

struct Step {
    name: &'static str,
    what: &'static str,
    needs: Needs,
    work: fn(&Project, &Ready) -> Result<()>,
}

/// What set-up found or installed for the steps.
#[derive(Default)]
struct Ready {
    browser: Option<Browser>,
    others: Option<OtherEngines>,
}

impl Ready {
    fn browser(&self) -> Result<&Browser> {
        self.browser
            .as_ref()
            .context("this step needs a browser, and set-up brought none")
    }
}

/// What a step wants to find in place; the browser comes with everything else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Needs {
    Cargo,
    Node,
    Browser,
    Engines,
}

const STEPS: [Step; 16] = [
    Step {
        name: "fmt",
        what: "cargo fmt --check",
        needs: Needs::Cargo,
        work: |project, _| run_loudly(project.cargo().args(["fmt", "--all", "--check"])),
    },
    Step {
        name: "tidy",
        what: "house rules",
        needs: Needs::Cargo,
        work: |project, _| tidy::check(project),
    },
    Step {
        name: "deny",
        what: "licences and sources of all packages against deny.toml",
        needs: Needs::Cargo,
        work: |project, _| deny::check(project),
    },
    Step {
        name: "types",
        what: "declarations against the Rust types, and scripts against them (tsc)",
        needs: Needs::Node,
        work: |project, _| {
            declarations::check(project)?;
            npm(project, "typecheck", None)
        },
    },
    Step {
        name: "clippy",
        what: "the tests of all packages are compiled by clippy, warnings denied",
        needs: Needs::Cargo,
        work: |project, _| {
            run_loudly(project.linting_cargo().args([
                "test",
                "--locked",
                "--workspace",
                "--no-run",
            ]))
        },
    },
    Step {
        name: "native",
        what: "cargo test over all packages",
        needs: Needs::Cargo,
        work: |project, _| {
            setup::command_line()?;
            setup::soft_hsm()?;
            run_loudly(
                project
                    .linting_cargo()
                    .args(["test", "--locked", "--workspace"]),
            )
        },
    },
    Step {
        name: "postgres",
        what: "the gateway's tests on a PostgreSQL server, and several processes on one database",
        needs: Needs::Cargo,
        work: |project, _| server_tests::run(project, Extent::Share),
    },
    Step {
        name: "shim",
        what: "the shim's own tests",
        needs: Needs::Browser,
        work: |project, ready| npm(project, "test:shim", Some(ready.browser()?)),
    },
    Step {
        name: "packages",
        what: "the npm packages' and the PHP packages' own tests; code in documents, and the scripts of the docs",
        needs: Needs::Node,
        work: |project, _| {
            php::set_up()?;
            npm(project, "test:packages", None)?;
            php::test(project, php::Tests::Offline, &[])
        },
    },
    Step {
        name: "wasm",
        what: "the widget's tests in headless Chromium (wasm-bindgen-test), compiled by clippy",
        needs: Needs::Browser,
        work: widget_tests,
    },
    Step {
        name: "build",
        what: "the widget and everything else that is served, as released",
        needs: Needs::Node,
        work: |project, _| build::build(project, Wanted::AsReleased).map(drop),
    },
    Step {
        name: "size",
        what: "sizes against budgets.toml",
        needs: Needs::Node,
        work: |project, _| {
            let library = build::build(project, Wanted::AsReleased)?;
            size::check(project, library)
        },
    },
    Step {
        name: "contract",
        what: "the demo; a live gateway: calls made from the OpenAPI document (schemathesis), notifications verified by other libraries, a shop that is killed, and payments by hosts that speak ISO 8583",
        needs: Needs::Node,
        work: |project, _| {
            build::build(project, Wanted::AsReleased)?;
            contract::check(project)
        },
    },
    Step {
        name: "e2e",
        what: "whole payments in headless Chromium",
        needs: Needs::Browser,
        work: end_to_end,
    },
    Step {
        name: "gallery",
        what: "pictures of every state of the form against those that are kept",
        needs: Needs::Browser,
        work: |project, ready| run_loudly(&mut payments(project, ready, "tests/gallery", &[])?),
    },
    Step {
        name: "engines",
        what: "payments in Chromium, Firefox and WebKit",
        needs: Needs::Engines,
        work: in_every_engine,
    },
];

fn chosen(only: &[String]) -> Result<Vec<&'static Step>> {
    if let Some(unknown) = only
        .iter()
        .find(|name| STEPS.iter().all(|step| step.name != **name))
    {
        bail!("there is no step `{unknown}`; the steps are:\n{}", list());
    }
    let wanted = |step: &&Step| only.is_empty() || only.iter().any(|name| name == step.name);
    Ok(STEPS.iter().filter(wanted).collect())
}

fn set_up(project: &Project, steps: &[&Step], engines: Engines) -> Result<Ready> {
    let needs = steps
        .iter()
        .map(|step| step.needs)
        .max()
        .unwrap_or(Needs::Cargo);
    setup::rust_components()?;
    if needs >= Needs::Node {
        widget_tools_and_packages(project, engines)?;
        setup::node_packages(project)?;
    }
    let mut ready = Ready::default();
    if needs >= Needs::Browser {
        ready.browser = Some(setup::browser()?);
    }
    if needs >= Needs::Engines && engines == Engines::All {
        ready.others = Some(setup::other_engines(project)?);
    }
    Ok(ready)
}

/// The tools of the widget; and, on a fresh machine, the system's packages of all steps, which are downloaded while the tools are compiled.
/// A package that can not be installed is told by the step that looks for it.
fn widget_tools_and_packages(project: &Project, engines: Engines) -> Result<()> {
    let mut packages = [
        &setup::CHROMIUM_PACKAGES[..],
        &[setup::HEADLESS_SHELL],
        &setup::SOFT_HSM_PACKAGES,
        &php::PACKAGES,
        &postgres::PACKAGES,
    ]
    .concat();
    if engines == Engines::All {
        packages.extend(setup::ENGINE_PACKAGES);
    }
    std::thread::scope(|scope| {
        if setup::is_fresh_machine() {
            scope.spawn(|| setup::apt_install(&packages));
        }
        setup::widget_tools(project).map(drop)
    })
}

/// `cargo xtask model`: the tests of the model, with the largest settings whole.
pub(crate) fn model(project: &Project) -> Result<()> {
    run_loudly(
        project
            .linting_cargo()
            .args(["test", "--locked", "--package", "payframe-model"])
            .env("PAYFRAME_MODEL", "all"),
    )
}

fn widget_tests(project: &Project, ready: &Ready) -> Result<()> {
    let browser = ready.browser()?;
    let mut wasm_pack = project.command("wasm-pack")?;
    Project::lint(&mut wasm_pack);
    run_loudly(
        wasm_pack
            .args(["test", "--headless", "--chrome", "--chromedriver"])
            .arg(&browser.driver)
            .args([
                "--mode",
                "no-install",
                ".",
                "--locked",
                "--package",
                "payframe",
            ])
            .envs(setup::browser_environment(browser)),
    )
}

fn end_to_end(project: &Project, ready: &Ready) -> Result<()> {
    let outcomes = project.target.join("outcomes.jsonl");
    let mut tests = payments(project, ready, "tests/e2e", &reporters(&outcomes))?;
    run_loudly(&mut tests)?;
    accessibility::check(project, &std::fs::read_to_string(outcomes)?)
}

/// `cargo xtask audit`: the end-to-end tests that audit the languages, in every look.
pub(crate) fn audit(project: &Project) -> Result<()> {
    setup::rust_components()?;
    setup::widget_tools(project)?;
    setup::node_packages(project)?;
    let ready = Ready {
        browser: Some(setup::browser()?),
        ..Ready::default()
    };
    let outcomes = project.target.join("audits.jsonl");
    let files = vec![accessibility::AUDITS.into()];
    let mut tests = browser_tests(project, &ready, files, &reporters(&outcomes))?;
    run_loudly(tests.env(accessibility::AUDIT_EXTENT, "all"))?;
    let audits = accessibility::check_audits(project, &std::fs::read_to_string(outcomes)?)?;
    println!("{audits} audits, without a finding");
    Ok(())
}

/// Options of Node: results on the screen, and in a file for the report of accessibility.
fn reporters(outcomes: &Path) -> [String; 4] {
    [
        "--test-reporter=tap".to_owned(),
        "--test-reporter-destination=stdout".to_owned(),
        "--test-reporter=./tests/outcomes.mjs".to_owned(),
        format!("--test-reporter-destination={}", outcomes.display()),
    ]
}

fn in_every_engine(project: &Project, ready: &Ready) -> Result<()> {
    let mut tests = payments(project, ready, "tests/engines", &[])?;
    match &ready.others {
        Some(others) => tests.envs(setup::engine_environment(others)),
        None => tests.env("PAYFRAME_ENGINES", "chromium"),
    };
    run_loudly(&mut tests)
}

/// The tests of a folder, with the current gateway and shop. `options` are Node's.
fn payments(project: &Project, ready: &Ready, folder: &str, options: &[String]) -> Result<Command> {
    let tests = test_files(project, folder)?;
    browser_tests(project, ready, tests, options)
}

fn browser_tests(
    project: &Project,
    ready: &Ready,
    tests: Vec<PathBuf>,
    options: &[String],
) -> Result<Command> {
    let browser = ready.browser()?;
    build::build(project, Wanted::AsReleased)?;
    build_servers(project, ServersFor::Tests)?;
    let mut command = project.command("node")?;
    command
        .arg("--test")
        .arg(format!("--test-concurrency={}", files_at_once()))
        .args(options)
        .args(tests)
        .env(
            "PAYFRAME_GATEWAY_BIN",
            project.binary("debug", "payframe-gateway"),
        )
        .env(
            "PAYFRAME_SHOP_BIN",
            project.binary("debug", "payframe-shop"),
        )
        .env("PAYFRAME_DIST", project.dist())
        .envs(setup::browser_environment(browser));
    Ok(command)
}

/// The number of cores, but at least two: a browser test spends half of its time waiting.
fn files_at_once() -> usize {
    std::thread::available_parallelism().map_or(2, |cores| cores.get().max(2))
}

/// The files `*.test.mjs` of a folder, the largest first, so that no long one runs alone at the end. An empty list is a failure: a test run
/// without tests must not pass.
fn test_files(project: &Project, folder: &str) -> Result<Vec<PathBuf>> {
    let files = files_below(&project.root.join(folder))?;
    let mut tests: Vec<PathBuf> = files
        .into_iter()
        .filter(|file| file.to_string_lossy().ends_with(".test.mjs"))
        .map(|file| PathBuf::from(folder).join(file))
        .collect();
    if tests.is_empty() {
        bail!("{folder} holds no file named *.test.mjs");
    }
    let size =
        |file: &PathBuf| std::fs::metadata(project.root.join(file)).map_or(0, |file| file.len());
    tests.sort_by_cached_key(|file| std::cmp::Reverse(size(file)));
    Ok(tests)
}

fn npm(project: &Project, script: &str, browser: Option<&Browser>) -> Result<()> {
    let mut command = project.command("npm")?;
    command.args(["run", "--silent", script]);
    if let Some(browser) = browser {
        command.envs(setup::browser_environment(browser));
    }
    run_loudly(&mut command)
}

fn summary(times: &[(&str, Duration)], total: Duration) -> String {
    let row = |name: &str, time: Duration| format!("{name:<12} {:>12}\n", readable(time));
    let rows: String = times.iter().map(|(name, time)| row(name, *time)).collect();
    format!("{rows}{}", row("total", total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_steps_run_in_their_own_order() -> Result<()> {
        let names = |only: &[&str]| -> Result<Vec<&str>> {
            let only: Vec<String> = only.iter().map(|name| (*name).to_owned()).collect();
            Ok(chosen(&only)?.iter().map(|step| step.name).collect())
        };
        assert_eq!(names(&["clippy", "fmt"])?, ["fmt", "clippy"]);
        assert_eq!(names(&[])?.len(), STEPS.len());
        assert!(names(&["clipy"]).is_err());
        Ok(())
    }

    #[test]
    fn folder_without_tests_fails() -> Result<()> {
        let project = Project::locate()?;
        assert!(test_files(&project, "xtask/src").is_err());
        Ok(())
    }

    #[test]
    fn summary_names_each_step_with_its_time() {
        let text = summary(&[("fmt", Duration::from_secs(2))], Duration::from_secs(65));
        assert_eq!(
            text,
            "fmt                 2.0 s\ntotal          1 min 05 s\n"
        );
    }
}
