//! The project's own tooling: `cargo xtask <command>`. `cargo xtask help` lists the commands.
//!
//! It prepares a machine itself (`setup`). To start it needs only cargo; what runs in a browser also needs Node.

mod accessibility;
mod behaviours;
mod bench;
mod build;
mod command_line;
mod conformance;
mod contract;
mod counterparts;
mod declarations;
mod demo;
mod deny;
#[cfg(test)]
mod dependencies;
mod dist;
mod docs;
mod frame_pages;
mod frameworks;
mod fuzz;
mod gallery;
mod glue;
#[cfg(test)]
mod import_circles;
mod import_map;
mod load;
#[cfg(test)]
mod locales;
mod minify;
mod pages;
mod php;
mod plugins;
mod postgres;
mod process;
mod project;
mod python;
mod reference;
mod release;
#[cfg(test)]
mod script_circles;
mod script_widget;
mod server;
mod server_tests;
mod setup;
mod size;
mod sums;
mod test;
mod text_files;
mod tidy;
mod widget;
mod widget_port;

use anyhow::{Result, bail};
use build::Wanted;
use clap::{CommandFactory, Parser};
use command_line::{Command, CommandLine, Measured, Soaked};
use project::Project;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run(CommandLine::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(line: CommandLine) -> Result<()> {
    let Some(command) = line.command else {
        CommandLine::command().print_help()?;
        return Ok(());
    };
    if !cfg!(unix) {
        bail!(
            "these commands run on Linux (Debian 12 or Ubuntu are tried) and macOS; on Windows use WSL"
        );
    }
    let project = Project::locate()?;
    match command {
        Command::Demo(demo) => demo::run(&project, &demo.options(&project)?),
        Command::Gallery { port } => gallery::run(&project, port),
        Command::Test(test) if test.list => {
            print!("{}", test::list());
            Ok(())
        }
        Command::Test(test) => test::run(&project, &test.only, test.engines),
        Command::Release(release) => release::run(&project, &release.options()),
        Command::Audit => test::audit(&project),
        Command::Frameworks { apps } => frameworks::run(&project, &apps),
        Command::Conformance => conformance::run(&project),
        Command::Plugins { systems } => plugins::run(&project, &systems),
        Command::Build { rebuild_std } => {
            let wanted = if rebuild_std {
                Wanted::AsReleased
            } else {
                Wanted::ByStableRust
            };
            build::build(&project, wanted).map(drop)
        }
        Command::Docs => {
            setup::node_packages(&project)?;
            docs::build(&project)
        }
        Command::Size { stable } => {
            let wanted = if stable {
                Wanted::ByStableRust
            } else {
                Wanted::AsReleased
            };
            let library = build::build(&project, wanted)?;
            size::check(&project, library)
        }
        Command::Bench(bench) => match bench.measured() {
            Measured::Form(options) => bench::run(&project, &options),
            Measured::Gateway { on_server, words } => load::bench(&project, on_server, &words),
            Measured::Tables { on_server, words } => load::tables(&project, on_server, &words),
            Measured::Acquirer { acquirer, words } => {
                load::compare_acquirer(&project, acquirer, &words)
            }
        },
        Command::Soak(soak) => match soak.what() {
            Soaked::Gateway => load::soak(&project, &soak.words()),
            Soaked::Shops => load::shops(&project, &soak.words()),
            Soaked::Acquirer(acquirer) => load::acquirer(&project, acquirer, &soak.words()),
        },
        Command::Postgres => server_tests::run(&project, server_tests::Extent::All),
        Command::Failover { rounds } => server_tests::failover(&project, rounds),
        Command::Model => test::model(&project),
        Command::Attack(attack) => load::attack(&project, &attack.words()),
        Command::Fuzz { targets, minutes } => fuzz::run(&project, &targets, minutes),
        Command::Reference => {
            behaviours::renew(&project)?;
            declarations::renew(&project)?;
            reference::renew(&project)
        }
        Command::Sums => sums::renew(&project),
        Command::Tidy => tidy::check(&project),
        Command::Setup => set_up(&project),
    }
}

/// Everything that any command needs.
fn set_up(project: &Project) -> Result<()> {
    setup::widget_tools(project)?;
    setup::node_packages(project)?;
    setup::browser()?;
    setup::other_engines(project)?;
    contract::set_up(project)?;
    counterparts::set_up(project)?;
    setup::command_line()?;
    postgres::programs()?;
    setup::rust_components()
}
