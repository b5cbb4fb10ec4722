//! The gateway's tests on a PostgreSQL server: the step `postgres`, `cargo xtask postgres` and `cargo xtask failover`.

use crate::postgres::{self, Durability, Postgres};
use crate::process::run as run_loudly;
use crate::project::Project;
use anyhow::Result;

/// How many of the tests that open the gateway's tables run on a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Without `LEFT_OUT` (the step `postgres`).
    Share,
    /// All (`cargo xtask postgres`).
    All,
}

/// What the share leaves out because it takes long: the back office, simulated bots, the places for calls, and thousands of calls with a wrong
/// member. `cargo xtask test` runs all of it on a file.
const LEFT_OUT: [&str; 7] = [
    "attacks::",
    "busy::",
    "card_testing::",
    "documented_examples::members_are_judged_by_the_names_and_limits_of_the_document",
    "office::",
    "precedence::values::",
    "proofs_of_work::",
];

/// The tests that open the gateway's tables, repeated on a server. The results of other packages do not depend on it.
pub(crate) fn run(project: &Project, extent: Extent) -> Result<()> {
    let programs = postgres::programs()?;
    let server = Postgres::start(&programs, Durability::None)?;
    // Dumps need the programs of the server's own version.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(
        std::iter::once(programs.clone()).chain(std::env::split_paths(&path)),
    )?;
    let mut api = vec!["--test", "api", "--test", "crash", "--test", "logs", "--"];
    if extent == Extent::Share {
        api.extend(LEFT_OUT.iter().flat_map(|name| ["--skip", name]));
    }
    for chosen in [
        &["--lib", "--", "delivery::", "plans::"][..],
        &api,
        &["--test", "process", "--", "dump"],
    ] {
        run_loudly(
            project
                .linting_cargo()
                .args(["test", "--locked", "--workspace"])
                .args(chosen)
                .env("PAYFRAME_TEST_DATABASE", &server.url)
                .env(postgres::PROGRAMS_OF_TESTS, &programs)
                .env("PATH", &path),
        )?;
    }
    Ok(())
}

/// `cargo xtask failover`: the test that kills a primary, with more rounds than the step `postgres`.
pub(crate) fn failover(project: &Project, rounds: u32) -> Result<()> {
    let programs = postgres::programs()?;
    run_loudly(
        project
            .linting_cargo()
            .args(["test", "--locked", "--workspace", "--test", "crash"])
            .args(["--", "--nocapture", "failover"])
            .env(postgres::PROGRAMS_OF_TESTS, programs)
            .env("FAILOVER_ROUNDS", rounds.to_string()),
    )
}
