//! Plays many merchants and buyers, in a process of its own. `payframe-load bench` measures how many payments a
//! second a gateway takes and what each costs. `payframe-load soak` makes everything fail during the payments, and then checks
//! the databases. `payframe-load acquirers` does so with an acquirer outside the gateway. `payframe-load shops` does the same to a shop, and compares its book. `payframe-load attack` tries out cards as bots do, among honest buyers. `payframe-load tables` compares
//! a gateway with few orders with one that has many.
//!
//! It starts the gateway itself, so that it can end it and read its database afterwards. `cargo xtask` builds both and
//! passes their paths.

mod acquirers;
mod attack;
mod bench;
mod caller;
mod commits;
mod connection;
mod cpu;
mod database_server;
mod gateway;
mod orders;
mod overload;
mod payment;
mod receiver;
mod reconciliation;
mod rotation;
mod settle;
mod shops;
mod soak;
mod tables;
mod times;

use acquirers::Protocol;
use anyhow::{Result, bail};
use clap::{Args, Parser, Subcommand, value_parser};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Makes many payments on a gateway: to measure it, or while everything fails.
#[derive(Debug, Parser)]
#[command(
    name = "payframe-load",
    subcommand_value_name = "bench|soak|acquirers|shops|attack|tables"
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Prints how many payments a second a gateway takes, and the cost of each.
    Bench(Bench),
    /// Tries out cards as bots do, among honest buyers; fails if a bot is stopped too late, or honest buyers are refused.
    Attack(Attack),
    /// Makes payments while calls fail and the gateway is killed, then compares the records.
    Soak(Soak),
    /// Makes payments at an acquirer outside the gateway, over a line that loses, doubles and delays, then compares both books.
    Acquirers(Acquirers),
    /// Makes payments in a shop that is killed, over a network that loses, doubles and delays, then compares its book with the money.
    Shops(Shops),
    /// Asks for every list, search and look-up with few orders and with many, and compares the times; fails if an aim is missed.
    Tables(Tables),
}

/// The gateway that is measured.
#[derive(Args, Debug)]
struct Measured {
    /// The gateway's program.
    #[arg(long, value_name = "PROGRAM")]
    gateway: PathBuf,
    /// An empty folder for databases and logs.
    #[arg(long, value_name = "FOLDER")]
    data: PathBuf,
    /// Keeps the tables on this PostgreSQL server instead of in the folder.
    #[arg(long, value_name = "URL")]
    database: Option<String>,
}

#[derive(Args, Debug)]
struct Tables {
    #[command(flatten)]
    measured: Measured,
    /// The number of orders.
    #[arg(long, default_value_t = 1_000_000, value_parser = value_parser!(u32).range(400..=50_000_000))]
    orders: u32,
    /// How often each question is asked.
    #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..))]
    times: u32,
    /// The number of payments at each.
    #[arg(long, default_value_t = 300, value_parser = value_parser!(u32).range(1..))]
    payments: u32,
    /// A missed aim is no error: the gateway is one of the tests.
    #[arg(long)]
    only_asks: bool,
    /// Fills no tables, and asks those that an earlier run with as many orders has left in the folder and on the server.
    #[arg(long)]
    again: bool,
}

#[derive(Args, Debug)]
struct Bench {
    #[command(flatten)]
    measured: Measured,
    /// How many gateways share the database.
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u32).range(1..))]
    processes: u32,
    /// How many buyers pay at the same time.
    #[arg(long, default_value_t = 64, value_parser = value_parser!(u32).range(1..))]
    buyers: u32,
    /// The number of payments.
    #[arg(long, default_value_t = 2000)]
    payments: u32,
    /// Then sends ten times as many as the gateway can take, and looks at what becomes of them.
    #[arg(long, conflicts_with = "processes")]
    overload: bool,
    /// Then changes the vault's key while as many payments are made, and looks at what becomes of them.
    #[arg(long, conflicts_with_all = ["processes", "overload"])]
    rotation: bool,
}

#[derive(Args, Debug)]
struct Soak {
    /// The gateway's program.
    #[arg(long, value_name = "PROGRAM")]
    gateway: PathBuf,
    /// What the gateway serves to browsers.
    #[arg(long, value_name = "FOLDER")]
    assets: PathBuf,
    /// An empty folder for databases and logs.
    #[arg(long, value_name = "FOLDER")]
    data: PathBuf,
    /// The number of orders through the API.
    #[arg(long, default_value_t = 2000)]
    payments: u32,
    /// The number of orders through browsers.
    #[arg(long, default_value_t = 200)]
    browser_payments: u32,
    /// The program that drives browsers, as separate words.
    #[arg(long, value_name = "WORD")]
    browsers: Vec<OsString>,
    /// Repeats the random choices of a run; each run prints its seed.
    #[arg(long)]
    seed: Option<u32>,
}

#[derive(Args, Debug)]
struct Acquirers {
    /// The gateway's program.
    #[arg(long, value_name = "PROGRAM")]
    gateway: PathBuf,
    /// An empty folder for databases and logs.
    #[arg(long, value_name = "FOLDER")]
    data: PathBuf,
    /// How the acquirer is reached.
    #[arg(long)]
    acquirer: Protocol,
    /// The acquirer's program, as separate words.
    #[arg(long, value_name = "WORD", required = true)]
    program: Vec<OsString>,
    /// The number of orders.
    #[arg(long, default_value_t = 2000, value_parser = value_parser!(u32).range(1..))]
    orders: u32,
    /// Lets nothing fail, and measures payments beside those of the sandbox's own acquirer.
    #[arg(long)]
    compare: bool,
    /// Repeats the random choices of a run; each run prints its seed.
    #[arg(long)]
    seed: Option<u32>,
}

#[derive(Args, Debug)]
struct Shops {
    /// The gateway's program.
    #[arg(long, value_name = "PROGRAM")]
    gateway: PathBuf,
    /// An empty folder for databases and logs.
    #[arg(long, value_name = "FOLDER")]
    data: PathBuf,
    /// The program of the shop, as separate words.
    #[arg(long, value_name = "WORD", required = true)]
    shop: Vec<OsString>,
    /// The number of orders.
    #[arg(long, default_value_t = 2000, value_parser = value_parser!(u32).range(1..))]
    orders: u32,
    /// How often the shop is killed.
    #[arg(long, default_value_t = 200)]
    kills: u32,
    /// Repeats the random choices of a run; each run prints its seed.
    #[arg(long)]
    seed: Option<u32>,
}

#[derive(Args, Debug)]
struct Attack {
    /// The gateway's program.
    #[arg(long, value_name = "PROGRAM")]
    gateway: PathBuf,
    /// An empty folder for databases and logs.
    #[arg(long, value_name = "FOLDER")]
    data: PathBuf,
    /// How many cards all bots together try.
    #[arg(long, default_value_t = 10_000)]
    cards: u32,
    /// From how many addresses each bot tries.
    #[arg(long, default_value_t = 500, value_parser = value_parser!(u32).range(1..=60_000))]
    addresses: u32,
    /// The number of honest buyers.
    #[arg(long, default_value_t = 2000)]
    honest: u32,
    /// How many tries a fast bot makes at the same time.
    #[arg(long, default_value_t = 32, value_parser = value_parser!(u32).range(1..))]
    at_once: u32,
    /// Repeats the random choices of a run; each run prints its seed.
    #[arg(long)]
    seed: Option<u32>,
}

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
    match line.command {
        Command::Bench(given) => {
            let (overload, rotation) = (given.overload, given.rotation);
            let options = given.options()?;
            // One thread is enough for this work, and saves waking up other threads.
            let mut runtime = tokio::runtime::Builder::new_current_thread();
            let runtime = runtime.enable_all().build()?;
            match (overload, rotation) {
                (true, _) => runtime.block_on(overload::run(&options)),
                (_, true) => runtime.block_on(rotation::run(&options)),
                (false, false) => runtime.block_on(bench::run(&options)),
            }
        }
        Command::Attack(given) => {
            tokio::runtime::Runtime::new()?.block_on(attack::run(&given.options()))
        }
        Command::Soak(given) => {
            tokio::runtime::Runtime::new()?.block_on(soak::run(&given.options()))
        }
        Command::Acquirers(given) => {
            let (compare, options) = (given.compare, given.options());
            let runtime = tokio::runtime::Runtime::new()?;
            match compare {
                true => runtime.block_on(acquirers::comparison::run(&options)),
                false => runtime.block_on(acquirers::run(&options)),
            }
        }
        Command::Shops(given) => {
            tokio::runtime::Runtime::new()?.block_on(shops::run(&given.options()))
        }
        Command::Tables(given) => {
            tokio::runtime::Runtime::new()?.block_on(tables::run(&given.options()))
        }
    }
}

impl Bench {
    fn options(self) -> Result<bench::Options> {
        if self.payments < self.buyers {
            bail!("--payments must be at least as many as --buyers");
        }
        if self.processes > 1 && self.measured.database.is_none() {
            bail!("more than one of --processes share a --database");
        }
        Ok(bench::Options {
            gateway: self.measured.gateway,
            data: self.measured.data,
            database: self.measured.database,
            processes: self.processes,
            buyers: self.buyers,
            payments: self.payments,
        })
    }
}

impl Tables {
    fn options(self) -> tables::Options {
        tables::Options {
            gateway: self.measured.gateway,
            data: self.measured.data,
            database: self.measured.database,
            again: self.again,
            orders: self.orders,
            times: self.times,
            payments: self.payments,
            only_asks: self.only_asks,
        }
    }
}

impl Attack {
    fn options(self) -> attack::Options {
        attack::Options {
            gateway: self.gateway,
            data: self.data,
            cards: self.cards,
            addresses: self.addresses,
            honest: self.honest,
            at_once: self.at_once,
            seed: self.seed.unwrap_or_else(|| fastrand::u32(..)).into(),
        }
    }
}

impl Acquirers {
    fn options(self) -> acquirers::Options {
        acquirers::Options {
            gateway: self.gateway,
            data: self.data,
            acquirer: self.acquirer,
            program: self.program,
            orders: self.orders,
            seed: self.seed.unwrap_or_else(|| fastrand::u32(..)).into(),
        }
    }
}

impl Shops {
    fn options(self) -> shops::Options {
        shops::Options {
            gateway: self.gateway,
            data: self.data,
            shop: self.shop,
            orders: self.orders,
            kills: self.kills,
            seed: self.seed.unwrap_or_else(|| fastrand::u32(..)).into(),
        }
    }
}

impl Soak {
    fn options(self) -> soak::Options {
        soak::Options {
            gateway: self.gateway,
            assets: self.assets,
            data: self.data,
            payments: self.payments,
            browser_payments: self.browser_payments,
            browsers: self.browsers,
            seed: self.seed.unwrap_or_else(|| fastrand::u32(..)).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn read(line: &str) -> Result<CommandLine, clap::Error> {
        CommandLine::try_parse_from(["payframe-load"].into_iter().chain(line.split_whitespace()))
    }

    #[test]
    fn commands_and_options_do_not_contradict_each_other() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn the_command_lines_of_xtask_are_read() -> Result<()> {
        let bench = "bench --gateway a --data b --buyers 3 --payments 9 --database c --processes 3";
        let Command::Bench(bench) = read(bench)?.command else {
            bail!("not a bench");
        };
        let options = bench.options()?;
        assert_eq!(
            (options.buyers, options.payments, options.processes),
            (3, 9, 3)
        );
        let attack = "attack --gateway a --data b --cards 90 --seed 7";
        let Command::Attack(attack) = read(attack)?.command else {
            bail!("not an attack");
        };
        let options = attack.options();
        assert_eq!((options.cards, options.honest, options.seed), (90, 2000, 7));
        let shops = "shops --gateway a --data b --shop node --shop packages/server/tests/soak/server.mjs --orders 40 --kills 5";
        let Command::Shops(shops) = read(shops)?.command else {
            bail!("not shops");
        };
        let options = shops.options();
        assert_eq!(
            options.shop,
            ["node", "packages/server/tests/soak/server.mjs"]
        );
        assert_eq!((options.orders, options.kills), (40, 5));
        let acquirers = "acquirers --gateway a --data b --acquirer iso8583-1993 --program python3 --program host.py --orders 40";
        let Command::Acquirers(acquirers) = read(acquirers)?.command else {
            bail!("not acquirers");
        };
        let options = acquirers.options();
        assert_eq!(options.acquirer, Protocol::Iso1993);
        assert_eq!(options.program, ["python3", "host.py"]);
        assert_eq!(options.orders, 40);
        let tables = "tables --gateway a --data b --orders 400 --times 2 --database c --only-asks";
        let Command::Tables(tables) = read(tables)?.command else {
            bail!("not tables");
        };
        let options = tables.options();
        assert_eq!(
            (options.orders, options.times, options.payments),
            (400, 2, 300)
        );
        assert!(options.only_asks && options.database.is_some() && !options.again);
        let soak = "soak --gateway a --assets b --data c --browsers node --browsers tests/soak/browsers.mjs --payments 40 --seed 7";
        let Command::Soak(soak) = read(soak)?.command else {
            bail!("not a soak");
        };
        let options = soak.options();
        assert_eq!(options.browsers, ["node", "tests/soak/browsers.mjs"]);
        assert_eq!(
            (options.payments, options.browser_payments, options.seed),
            (40, 200, 7)
        );
        Ok(())
    }

    #[test]
    fn what_is_not_accepted_is_refused_with_what_is() {
        for (line, said) in [
            ("", "bench"),
            ("bank", "<bench|soak|acquirers|shops|attack|tables>"),
            ("bench --data b", "--gateway <PROGRAM>"),
            ("shops --gateway a --data b", "--shop <WORD>"),
            ("bench --gateway a --data b --buyer 3", "'--buyers'"),
            ("bench --gateway a --data b --buyers 0", "0 is not in 1.."),
        ] {
            let refusal = read(line).map_err(|refusal| refusal.to_string());
            assert!(
                refusal.as_ref().is_err_and(|text| text.contains(said)),
                "{line}: {refusal:?}"
            );
        }
        for line in ["--buyers 9 --payments 8", "--processes 2"] {
            let bench = read(&format!("bench --gateway a --data b {line}"));
            let refused = bench.is_ok_and(|line| match line.command {
                Command::Bench(bench) => bench.options().is_err(),
                _ => false,
            });
            assert!(refused, "{line}");
        }
    }
}
