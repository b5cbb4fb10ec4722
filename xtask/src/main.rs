//! The project's own tooling: `cargo xtask <command>`. `cargo xtask help` lists the commands.
//!
//! It prepares a machine by itself (`setup`), and needs only cargo to start; Node for what runs in a browser.

mod accessibility;
mod behaviours;
mod bench;
mod build;
mod contract;
mod demo;
#[cfg(test)]
mod dependencies;
mod dist;
mod frame_pages;
mod gallery;
mod glue;
mod load;
#[cfg(test)]
mod locales;
mod office_member;
mod pages;
mod postgres;
mod process;
mod project;
mod reference;
mod server;
mod setup;
mod size;
mod sums;
mod test;
mod tidy;
mod widget;

use anyhow::{Context, Result, bail};
use build::Wanted;
use lexopt::{Arg, Parser, ValueExt};
use project::Project;
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let mut arguments = Parser::from_env();
    let Some(Arg::Value(command)) = arguments.next()? else {
        print!("{HELP}");
        return Ok(());
    };
    let command = command.string()?;
    if command == "help" {
        print!("{HELP}");
        return Ok(());
    }
    if !cfg!(unix) {
        bail!(
            "these commands run on Linux (Debian 12 or Ubuntu are tried) and macOS; on Windows use WSL"
        );
    }
    let project = Project::locate()?;
    match command.as_str() {
        "setup" => {
            no_more(&mut arguments)?;
            setup::all(&project)
        }
        "build" | "dist" => build::build(&project, build_options(&mut arguments)?),
        "size" => {
            build::build(&project, build_options(&mut arguments)?)?;
            size::check(&project)
        }
        "demo" => demo::run(&project, &demo_options(&project, &mut arguments)?),
        "gallery" => gallery::run(&project, gallery_port(&mut arguments)?),
        "test" => match test_options(&mut arguments)? {
            TestOptions::Run { only, engines } => test::run(&project, &only, engines),
            TestOptions::List => {
                print!("{}", test::list());
                Ok(())
            }
        },
        "tidy" => {
            no_more(&mut arguments)?;
            tidy::check(&project)
        }
        "reference" => {
            no_more(&mut arguments)?;
            behaviours::renew(&project)?;
            reference::renew(&project)
        }
        "sums" => {
            no_more(&mut arguments)?;
            sums::renew(&project)
        }
        "soak" => load::soak(&project, &arguments.raw_args()?.collect::<Vec<_>>()),
        "bench" => match bench_options(&mut arguments)? {
            BenchOptions::Browser(options) => bench::run(&project, &options),
            BenchOptions::Gateway(words) => load::bench(&project, &words),
        },
        unknown => bail!("unknown command `{unknown}`; `cargo xtask help` lists all"),
    }
}

fn build_options(arguments: &mut Parser) -> Result<Wanted> {
    let mut wanted = Wanted::Smallest;
    while let Some(argument) = arguments.next()? {
        match argument {
            Arg::Long("plain") => wanted = Wanted::Plain,
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(wanted)
}

fn demo_options(project: &Project, arguments: &mut Parser) -> Result<demo::Options> {
    let mut options = demo::Options {
        gateway_port: 8787,
        shop_port: 8788,
        data: project.target.join("demo-data"),
    };
    while let Some(argument) = arguments.next()? {
        match argument {
            Arg::Long("gateway-port") => options.gateway_port = port(arguments)?,
            Arg::Long("shop-port") => options.shop_port = port(arguments)?,
            Arg::Long("data") => options.data = std::path::absolute(arguments.value()?)?,
            other => return Err(other.unexpected().into()),
        }
    }
    if options.gateway_port == options.shop_port {
        bail!(
            "gateway and shop cannot share port {}: choose with --gateway-port and --shop-port",
            options.shop_port
        );
    }
    Ok(options)
}

fn gallery_port(arguments: &mut Parser) -> Result<u16> {
    let mut chosen = gallery::PORT;
    while let Some(argument) = arguments.next()? {
        match argument {
            Arg::Long("port") => chosen = port(arguments)?,
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(chosen)
}

enum TestOptions {
    Run {
        only: Vec<String>,
        engines: test::Engines,
    },
    List,
}

fn test_options(arguments: &mut Parser) -> Result<TestOptions> {
    let mut only = Vec::new();
    let mut engines = test::Engines::All;
    while let Some(argument) = arguments.next()? {
        match argument {
            Arg::Long("only") => only.push(arguments.value()?.string()?),
            Arg::Long("engines") => engines = arguments.value()?.parse()?,
            Arg::Long("list") => return Ok(TestOptions::List),
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(TestOptions::Run { only, engines })
}

enum BenchOptions {
    Browser(bench::Options),
    /// What the measuring program is told.
    Gateway(Vec<OsString>),
}

fn bench_options(arguments: &mut Parser) -> Result<BenchOptions> {
    let mut options = bench::Options::default();
    while let Some(argument) = arguments.next()? {
        match argument {
            Arg::Long("runs") => {
                options.runs = arguments
                    .value()?
                    .parse()
                    .context("--runs takes a number")?;
            }
            Arg::Long("condition") => options.conditions.push(arguments.value()?.string()?),
            Arg::Long("fields") => options.contest = bench::Contest::Fields,
            Arg::Long("gateway") => {
                return Ok(BenchOptions::Gateway(arguments.raw_args()?.collect()));
            }
            other => return Err(other.unexpected().into()),
        }
    }
    if options.runs == 0 {
        bail!("--runs must be at least 1");
    }
    Ok(BenchOptions::Browser(options))
}

fn port(arguments: &mut Parser) -> Result<u16> {
    let value = arguments.value()?;
    let port: u16 = value
        .parse()
        .with_context(|| format!("{} is not a port", value.to_string_lossy()))?;
    if port == 0 {
        bail!("port 0 is not a port that a browser can be sent to");
    }
    Ok(port)
}

fn no_more(arguments: &mut Parser) -> Result<()> {
    match arguments.next()? {
        Some(argument) => Err(argument.unexpected().into()),
        None => Ok(()),
    }
}

const HELP: &str = "\
cargo xtask <command>

  demo [--gateway-port 8787] [--shop-port 8788] [--data DIR]
          Builds everything, starts the gateway on http://localhost:8787 and a demo shop on
          http://127.0.0.1:8788, prints an API key and test cards, and stops both on Ctrl-C.
          What was paid lies in DIR (target/demo-data) and is there again after a restart.

  gallery [--port 8789]
          Builds, and serves a page with every state of the form side by side, in each theme, look and language.
          `PAYFRAME_RENEW_PICTURES=1 cargo xtask test --only gallery` renews the pictures that tests compare.

  test [--only STEP]... [--engines all] [--list]
          Everything that must pass: formatting, house rules, clippy, native tests, types, the shim's
          tests, the widget's tests in Chromium, sizes, whole payments in Chromium, and payments in
          Chromium, Firefox and WebKit. Stops at the first step that fails and names it.
          --engines chromium leaves Firefox and WebKit out. --list says what the steps are.
          `PAYFRAME_RENEW_REPORT=1 cargo xtask test --only e2e` writes docs/accessibility.md anew.

  build [--plain]
          The widget, the shim and the frame pages as the gateway serves them, in target/dist: hashed
          names, brotli and gzip beside each file. --plain takes Rust's ready-made standard library
          instead of one rebuilt for size. `dist` is the same command.

  size [--plain]
          Builds, then prints what each file weighs raw, after gzip and after brotli, and fails if what
          is loaded until the form is live is over the limit in budgets.toml.

  bench [--fields] [--runs 10] [--condition NAME]...
          Loads the form in Chromium beside a bare HTML form served by the same gateway, and prints
          times, bytes, requests and memory as medians and ratios, with where each ratio lies by 19 to 1 (from
          six loads on). Conditions: plain, cpu4, slow4g, mobile (slow4g with cpu4); all unless named. Writes
          target/bench.json. With --fields: five fields in frames of their own, driven by one widget, beside five
          widgets.

  bench --gateway [--buyers 64] [--payments 2000] [--postgres [--processes 1]]
          Pays on a gateway (release) from another process, and prints payments a second, times of each call
          and what a payment costs, in commits of the same database measured in the same run.

  soak [--payments 2000] [--browser-payments 200] [--seed N]
          Pays through the API and in Chromium while calls carry faults and the gateway (release) is killed and
          started again; then holds the gateway's books against the acquirer's and against what merchants, buyers
          and receivers of notifications were told. Prints the figures; fails if one thing is wrong.

  reference
          Writes docs/api.md anew from the declarations of the gateway's operations, and into docs/behaviours.md which
          tests show what.

  sums    Asks Chromium how sums are written in each language and currency, for the gateway to write them the same.

  tidy    The house rules alone: module docs, paths named in the documents, nothing unfinished.

  setup   Only puts in place what is missing: wasm target, wasm-bindgen, wasm-pack, npm packages,
          Chromium, Firefox with geckodriver, WebKit's GTK browser with its driver. Every other
          command does what it needs of this by itself.

  help    This page.

Needed beforehand: Rust by rustup (stable) and Node 20 or newer. What is made lies in target/ (or
CARGO_TARGET_DIR), but for pkg/ and node_modules/.
";
