//! The gateway's tests on a PostgreSQL server: the step `postgres`, and `cargo xtask failover`.

use crate::postgres::{self, Durability, Postgres};
use crate::process::run as run_loudly;
use crate::project::Project;
use anyhow::Result;

/// Leaves out the two tests of thousands of calls that are refused by their members alone: what they prove does not depend on the tables.
const WITHOUT_TABLES: [&str; 4] = [
    "--skip",
    "precedence::values::every_member_with_a_wrong_value_is_named",
    "--skip",
    "documented_examples::members_are_judged_by_the_names_and_limits_of_the_document",
];

/// The tests that open the gateway's tables, repeated on a server. The results of other packages do not depend on it.
pub(crate) fn run(project: &Project) -> Result<()> {
    let programs = postgres::programs()?;
    let server = Postgres::start(&programs, Durability::None)?;
    // Dumps need the programs of the server's own version.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(
        std::iter::once(programs.clone()).chain(std::env::split_paths(&path)),
    )?;
    for chosen in [
        &["--lib", "--", "delivery::"][..],
        &[
            &["--test", "api", "--test", "crash", "--test", "logs", "--"][..],
            &WITHOUT_TABLES,
        ]
        .concat(),
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
