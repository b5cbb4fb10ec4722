//! Which command lines are read, and what the others are told.

use super::*;
use clap::CommandFactory;

fn read(line: &str) -> Result<CommandLine, clap::Error> {
    CommandLine::try_parse_from(["xtask"].into_iter().chain(line.split_whitespace()))
}

#[test]
fn commands_and_options_do_not_contradict_each_other() {
    CommandLine::command().debug_assert();
    let commands = CommandLine::command();
    let names: Vec<&str> = commands
        .get_subcommands()
        .map(clap::Command::get_name)
        .collect();
    assert_eq!(names.join("|"), COMMANDS);
}

#[test]
fn every_command_line_of_the_documents_is_read() {
    for line in [
        "",
        "demo",
        "demo --gateway-port 8797 --shop-port=8798 --data folder",
        "gallery --port 8789",
        "test",
        "audit",
        "frameworks",
        "frameworks react next",
        "plugins",
        "plugins vendure",
        "conformance",
        "release",
        "release --machine x86_64 --machine aarch64",
        "release --sign-key key --check-reproducible",
        "test --list",
        "test --only fmt --only tidy --engines chromium",
        "build",
        "dist --rebuild-std",
        "size --stable",
        "bench --runs 30 --condition plain --condition mobile",
        "bench --fields",
        "bench --gateway --buyers 64 --payments 1500 --postgres --processes 3",
        "bench --gateway --overload --postgres",
        "bench --gateway --rotation",
        "bench --tables",
        "bench --tables --orders 10000000",
        "bench --tables --orders 300000 --postgres",
        "soak --payments 40 --browser-payments 0 --seed 7",
        "soak --shops",
        "soak --shops --orders 40 --kills 5 --seed 7",
        "soak --acquirer iso8583-1987 --orders 40 --seed 7",
        "bench --acquirer adapter --orders 40",
        "failover",
        "failover --rounds 3",
        "fuzz",
        "fuzz font --minutes 5",
        "reference",
        "sums",
        "tidy",
        "setup",
    ] {
        assert!(read(line).is_ok(), "{line}: {:?}", read(line));
    }
}

#[test]
fn what_is_not_accepted_is_refused_with_what_is() {
    for (line, said) in [
        ("tests", "'test'"),
        ("everything", "demo|gallery|test"),
        ("tidy --all", "unexpected argument '--all'"),
        ("build --rebuild", "--rebuild-std"),
        ("demo --gateway-port 0", "0 is not in 1..=65535"),
        ("bench --runs 0", "0 is not in 1.."),
        ("test --engines firefox", "possible values: chromium, all"),
        ("bench --buyers 3", "--gateway"),
        ("bench --gateway --fields", "cannot be used with"),
        ("bench --gateway --processes 2", "--postgres"),
        (
            "bench --tables --postgres --processes 2",
            "cannot be used with",
        ),
        ("bench --tables --gateway", "cannot be used with"),
        ("bench --gateway --orders 9", "--acquirer"),
        ("soak --kills 5", "--shops"),
        ("soak --shops --payments 40", "cannot be used with"),
        ("soak --shops --acquirer adapter", "cannot be used with"),
        (
            "soak --acquirer bank",
            "iso8583-1987, iso8583-1993, adapter",
        ),
        ("soak --orders 40", "--shops"),
        ("bench --gateway --acquirer adapter", "cannot be used with"),
    ] {
        let refusal = read(line).map_err(|refusal| refusal.to_string());
        assert!(
            refusal.as_ref().is_err_and(|text| text.contains(said)),
            "{line}: {refusal:?}"
        );
    }
}

#[test]
fn only_what_was_given_is_handed_on() -> Result<()> {
    let Some(Command::Soak(soak)) = read("soak --seed 7 --payments 40")?.command else {
        bail!("not a soak");
    };
    assert_eq!(soak.words(), ["--payments", "40", "--seed", "7"]);
    let Some(Command::Soak(soak)) = read("soak --shops --orders 40")?.command else {
        bail!("not a soak");
    };
    assert!(matches!(soak.what(), Soaked::Shops));
    assert_eq!(soak.words(), ["--orders", "40"]);
    let Some(Command::Attack(attack)) = read("attack --cards 90")?.command else {
        bail!("not an attack");
    };
    assert_eq!(attack.words(), ["--cards", "90"]);
    let Some(Command::Bench(bench)) = read("bench --gateway --postgres --payments 9")?.command
    else {
        bail!("not a bench");
    };
    let Measured::Gateway { on_server, words } = bench.measured() else {
        bail!("not of the gateway");
    };
    assert!(on_server);
    assert_eq!(words, ["--payments", "9"]);
    Ok(())
}
