//! `cargo xtask bench --gateway`, `--tables` and `--acquirer`, `cargo xtask soak` and `cargo xtask attack`: build the gateway and the load program (`load/`), and
//! run the load program.

use crate::build::{self, Wanted};
use crate::counterparts;
use crate::demo::{ServersFor, build_servers};
use crate::postgres::{self, Durability, Postgres};
use crate::process::run as run_loudly;
use crate::project::Project;
use crate::setup;
use anyhow::Result;
use clap::ValueEnum;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// Measures payments a second and the cost of each; `words` are options of the program. `on_server`: the tables are on a database server
/// that is started for it.
pub(crate) fn bench(project: &Project, on_server: bool, words: &[OsString]) -> Result<()> {
    measure(project, "bench", on_server, words)
}

/// Asks a gateway with many orders for every list, search and look-up, and compares the times with those of one with few; `words` are
/// options of the program. `on_server`: the tables are on a database server that is started for it.
pub(crate) fn tables(project: &Project, on_server: bool, words: &[OsString]) -> Result<()> {
    measure(project, "tables", on_server, words)
}

/// The same with few orders, and the programs of the tests, which are built already: no time is judged.
pub(crate) fn few_tables(project: &Project) -> Result<()> {
    run_loudly(
        Command::new(project.binary("debug", "payframe-load"))
            .arg("tables")
            .arg("--gateway")
            .arg(project.binary("debug", "payframe-gateway"))
            .arg("--data")
            .arg(project.empty_folder("few-tables")?)
            .args(["--orders", "400", "--times", "1", "--payments", "2"])
            .arg("--only-asks"),
    )
}

fn measure(project: &Project, command: &str, on_server: bool, words: &[OsString]) -> Result<()> {
    build_servers(project, ServersFor::Bench)?;
    let mut bench = program(project);
    bench
        .arg(command)
        .arg("--gateway")
        .arg(project.binary("release", "payframe-gateway"))
        .arg("--data")
        .arg(project.empty_folder(&format!("{command}-gateway"))?)
        .args(words);
    // It runs as long as the bench.
    let server = match on_server {
        true => Some(Postgres::start(&postgres::programs()?, Durability::Real)?),
        false => None,
    };
    if let Some(server) = &server {
        bench.args(["--database", &server.url]);
    }
    run_loudly(&mut bench)
}

/// Makes thousands of payments while everything fails, and checks the databases afterwards; `words` are options of the program.
pub(crate) fn soak(project: &Project, words: &[OsString]) -> Result<()> {
    build::build(project, Wanted::AsReleased)?;
    setup::node_packages(project)?;
    let browser = setup::browser()?;
    build_servers(project, ServersFor::Bench)?;
    run_loudly(
        program(project)
            .current_dir(&project.root)
            .envs(setup::browser_environment(&browser))
            .arg("soak")
            .arg("--gateway")
            .arg(project.binary("release", "payframe-gateway"))
            .arg("--assets")
            .arg(project.dist())
            .arg("--data")
            .arg(project.empty_folder("soak")?)
            .args([
                "--browsers",
                "node",
                "--browsers",
                "tests/soak/browsers.mjs",
            ])
            .args(words),
    )
}

/// Makes payments in shops that are killed, and compares their books with the money; `words` are options of the program.
pub(crate) fn shops(project: &Project, words: &[OsString]) -> Result<()> {
    build_servers(project, ServersFor::Bench)?;
    run_loudly(shops_of(project, "release")?.args(words))
}

/// The same with few orders, the same choices each time, and the programs of the tests, which are built already.
pub(crate) fn few_shops(project: &Project) -> Result<()> {
    let few = ["--orders", "36", "--kills", "5", "--seed", "31"];
    run_loudly(shops_of(project, "debug")?.args(few))
}

/// The command for a profile of cargo: `debug` or `release`.
fn shops_of(project: &Project, profile_dir: &str) -> Result<Command> {
    let mut command = Command::new(project.binary(profile_dir, "payframe-load"));
    command
        .current_dir(&project.root)
        .arg("shops")
        .arg("--gateway")
        .arg(project.binary(profile_dir, "payframe-gateway"))
        .arg("--data")
        .arg(project.empty_folder("soak-shops")?)
        .args([
            "--shop",
            "node",
            "--shop",
            "packages/server/tests/soak/server.mjs",
        ]);
    Ok(command)
}

/// An acquirer outside the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Acquirer {
    /// A host for ISO 8583:1987 in text.
    #[value(name = "iso8583-1987")]
    Iso1987,
    /// A host for ISO 8583:1993 in binary.
    #[value(name = "iso8583-1993")]
    Iso1993,
    /// The adapter in Python of `examples/`.
    #[value(name = "adapter")]
    Adapter,
}

/// Makes payments at an acquirer outside the gateway while everything fails, and compares both books; `words` are options of the program.
pub(crate) fn acquirer(project: &Project, acquirer: Acquirer, words: &[OsString]) -> Result<()> {
    build_servers(project, ServersFor::Bench)?;
    run_loudly(at_acquirer(project, "release", acquirer)?.args(words))
}

/// Measures payments at an acquirer outside the gateway; `words` are options of the program.
pub(crate) fn compare_acquirer(
    project: &Project,
    acquirer: Acquirer,
    words: &[OsString],
) -> Result<()> {
    build_servers(project, ServersFor::Bench)?;
    let mut command = at_acquirer(project, "release", acquirer)?;
    run_loudly(command.arg("--compare").args(words))
}

/// A few orders at each acquirer, with the same choices each time, and the programs of the tests, which are built already.
pub(crate) fn few_at_acquirers(project: &Project) -> Result<()> {
    for acquirer in [Acquirer::Iso1987, Acquirer::Iso1993, Acquirer::Adapter] {
        let few = ["--orders", "60", "--seed", "31"];
        run_loudly(at_acquirer(project, "debug", acquirer)?.args(few))?;
    }
    Ok(())
}

/// The command for a profile of cargo: `debug` or `release`.
fn at_acquirer(project: &Project, profile_dir: &str, acquirer: Acquirer) -> Result<Command> {
    let host = || counterparts::set_up(project);
    let (name, python, program) = match acquirer {
        Acquirer::Iso1987 => ("iso8583-1987", host()?, counterparts::HOST),
        Acquirer::Iso1993 => ("iso8583-1993", host()?, counterparts::HOST),
        Acquirer::Adapter => (
            "adapter",
            PathBuf::from("python3"),
            "examples/acquirer-python/adapter.py",
        ),
    };
    let mut command = Command::new(project.binary(profile_dir, "payframe-load"));
    command
        .current_dir(&project.root)
        .arg("acquirers")
        .arg("--gateway")
        .arg(project.binary(profile_dir, "payframe-gateway"))
        .arg("--data")
        .arg(project.empty_folder(&format!("soak-{name}"))?)
        .args(["--acquirer", name, "--program"])
        .arg(python)
        .args(["--program", program]);
    Ok(command)
}

/// Tries out cards as bots do, among honest buyers; `words` are options of the program.
pub(crate) fn attack(project: &Project, words: &[OsString]) -> Result<()> {
    build_servers(project, ServersFor::Bench)?;
    run_loudly(
        program(project)
            .arg("attack")
            .arg("--gateway")
            .arg(project.binary("release", "payframe-gateway"))
            .arg("--data")
            .arg(project.empty_folder("attack")?)
            .args(words),
    )
}

fn program(project: &Project) -> Command {
    Command::new(project.binary("release", "payframe-load"))
}
