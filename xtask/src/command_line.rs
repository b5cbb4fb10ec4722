//! The command line of `cargo xtask`: its commands and options, and their help texts.
//!
//! It only reads the command line. What a command does is in the module with its name.

use crate::bench::{self, Comparison};
use crate::demo;
use crate::gallery;
use crate::load::Acquirer;
use crate::project::Project;
use crate::release::{self, Machine};
use crate::test::Engines;
use anyhow::{Result, bail};
use clap::{Args, Parser, Subcommand, value_parser};
use std::ffi::OsString;
use std::path::PathBuf;

/// The project's own tooling: set-up, build, demo, tests, sizes, benchmarks.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", subcommand_value_name = COMMANDS, after_help = NEEDED)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Builds everything, and starts a gateway and a demo shop for payments.
    ///
    /// Prints an API key and test cards, and stops both on Ctrl-C. Payments are kept over a restart.
    #[command(verbatim_doc_comment)]
    Demo(Demo),
    /// Serves a page that shows every state of the form, in each theme, look and language.
    ///
    /// `PAYFRAME_RENEW_PICTURES=1 cargo xtask test --only gallery` renews the pictures that tests compare.
    #[command(verbatim_doc_comment)]
    Gallery {
        /// The port on which the page is served.
        #[arg(long, default_value_t = gallery::PORT, value_parser = value_parser!(u16).range(1..))]
        port: u16,
    },
    /// Runs every check, or the named steps; stops at the first that fails, and names it.
    ///
    /// `PAYFRAME_RENEW_REPORT=1 cargo xtask test --only e2e` writes docs/accessibility.md again.
    #[command(verbatim_doc_comment)]
    Test(Test),
    /// Audits the form for accessibility (axe-core) in every language, look and colour scheme.
    ///
    /// The step `e2e` of `test` audits each language in one look.
    #[command(verbatim_doc_comment)]
    Audit,
    /// Installs the npm packages in an app of each framework, or the named ones, and pays in each with Chromium.
    ///
    /// Other people's packages come from the registry. Apps and logs are in target/frameworks.
    #[command(verbatim_doc_comment)]
    Frameworks {
        /// Apps of packages/frameworks/apps, such as `next`.
        #[arg(value_name = "APP")]
        apps: Vec<String>,
    },
    /// Installs whole shop systems with our payment plug-ins, or the named ones, and pays in each with Chromium.
    ///
    /// Other people's packages come from the registries. Shops and logs are in target/plugins.
    #[command(verbatim_doc_comment)]
    Plugins {
        /// Shop systems: `vendure`, `medusa`, `django-oscar`; `woocommerce` is tried in WordPress without WooCommerce.
        #[arg(value_name = "SYSTEM")]
        systems: Vec<String>,
    },
    /// Runs the public conformance package of the Model Context Protocol against `payframe-gateway mcp`.
    ///
    /// npm fetches the package from the registry.
    #[command(verbatim_doc_comment)]
    Conformance,
    /// Builds the docs site as static files, in target/dist/docs. `build` does it too.
    Docs,
    /// Builds the widget, the SDK and the frame pages as the gateway serves them, in target/dist.
    ///
    /// Names contain a hash of the content. Copies in brotli and gzip are beside each file.
    #[command(verbatim_doc_comment, visible_alias = "dist")]
    Build {
        /// Rebuilds Rust's standard library for size, as releases have it, with switches of the compiler that are not stable.
        #[arg(long)]
        rebuild_std: bool,
    },
    /// Builds, prints the size of each file, and fails if the limit of budgets.toml is exceeded.
    ///
    /// The limit is that of a release, so the standard library is rebuilt for size; with `--stable` the sizes are only printed.
    /// Sizes are raw, after gzip and after brotli. The limit is for the files that are loaded until the form is live.
    #[command(verbatim_doc_comment)]
    Size {
        /// Measures what `build` makes: with Rust's ready-made standard library.
        #[arg(long)]
        stable: bool,
    },
    /// Makes the files that operators and merchants download: programs, images, packages, bills of materials.
    ///
    /// Writes them to target/release-files, with notes and checksums, and tries those for this kind of machine.
    /// docs/releases.md describes each.
    #[command(verbatim_doc_comment)]
    Release(Release),
    /// Compares the form with a plain HTML form in Chromium, or measures the gateway under load.
    ///
    /// Prints times, bytes, requests and memory as medians and ratios, with a 95 % confidence interval for each ratio
    /// (from six loads on). Writes target/bench.json.
    #[command(verbatim_doc_comment)]
    Bench(Bench),
    /// Makes payments while calls fail and the gateway is killed and restarted, then compares the records.
    ///
    /// The gateway's records are compared with the acquirer's, and with what merchants, buyers and receivers of
    /// notifications were told. Prints the figures; fails if any record differs.
    ///
    /// With --shops it is the shop that is killed: the example shop with its order keeper, and then one with a naive
    /// handler, while messages between shop, gateway and buyers are lost, doubled and late. Each shop's book is
    /// compared with the money. Fails if the order keeper has a difference, or if the naive handler has none.
    #[command(verbatim_doc_comment)]
    Soak(Soak),
    /// Runs all tests that open the gateway's tables on a PostgreSQL server.
    ///
    /// The step `postgres` of `test` leaves out some that take long: the back office, bots, places for calls, and wrong members.
    Postgres,
    /// Kills the primary of two database servers while buyers pay, again and again, and compares the records.
    ///
    /// The standby takes its place, and the killed one becomes its standby. The step `postgres` of `test` makes two rounds.
    #[command(verbatim_doc_comment)]
    Failover {
        /// How often a primary is killed.
        #[arg(long, default_value_t = 20, value_parser = value_parser!(u32).range(1..))]
        rounds: u32,
    },
    /// Searches all states of form, network, gateway and merchant's server, the two largest settings whole.
    ///
    /// The step `native` of `test` searches these two with fewer cards or without Cancel.
    Model,
    /// Tries out cards as bots do, among honest buyers, at a gateway with the rules against card testing.
    ///
    /// Prints for each bot how many tries the acquirer heard of before it was stopped, and how many honest buyers were
    /// refused; fails if a bot made more than 20, or more than 0.1 % of the honest buyers were refused.
    #[command(verbatim_doc_comment)]
    Attack(Attack),
    /// Lets libFuzzer search for bytes that break a parser, in all targets of crates/fuzz or the named ones.
    ///
    /// Needs a C++ compiler. Inputs that were found are in target/fuzz; the step `native` of `test` tries some mutations
    /// in each target.
    #[command(verbatim_doc_comment)]
    Fuzz {
        /// Targets, such as `font`.
        #[arg(value_name = "TARGET")]
        targets: Vec<String>,
        /// How long each target runs.
        #[arg(long, default_value_t = 60, value_parser = value_parser!(u32).range(1..))]
        minutes: u32,
    },
    /// Writes again docs/api.md and docs/api/, the TypeScript of messages, and the list of tests in docs/behaviours.md.
    Reference,
    /// Asks Chromium how amounts are written in each language and currency, so that the gateway writes them the same way.
    Sums,
    /// Checks only the house rules: module docs, paths named in the documents, no marks of unfinished work.
    Tidy,
    /// Installs what is missing, and does nothing else.
    ///
    /// It installs: wasm target, wasm-bindgen, wasm-pack, npm packages, Chromium, Firefox with geckodriver, WebKit's GTK
    /// browser with its driver. Every other command installs what it needs itself.
    #[command(verbatim_doc_comment)]
    Setup,
}

#[derive(Args, Debug)]
pub(crate) struct Demo {
    /// The gateway is served on http://localhost at this port.
    #[arg(long, default_value_t = 8787, value_parser = value_parser!(u16).range(1..))]
    gateway_port: u16,
    /// The shop is served on http://127.0.0.1 at this port.
    #[arg(long, default_value_t = 8788, value_parser = value_parser!(u16).range(1..))]
    shop_port: u16,
    /// The folder of the databases [default: target/demo-data].
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

impl Demo {
    pub(crate) fn options(self, project: &Project) -> Result<demo::Options> {
        if self.gateway_port == self.shop_port {
            bail!(
                "gateway and shop cannot share port {}: choose with --gateway-port and --shop-port",
                self.shop_port
            );
        }
        Ok(demo::Options {
            gateway_port: self.gateway_port,
            shop_port: self.shop_port,
            data: match self.data {
                Some(folder) => std::path::absolute(folder)?,
                None => project.target.join("demo-data"),
            },
        })
    }
}

#[derive(Args, Debug)]
pub(crate) struct Release {
    /// Builds for this machine; can be repeated [default: all].
    #[arg(long = "machine", value_name = "MACHINE", value_enum)]
    machines: Vec<Machine>,
    /// Signs the checksums with this SSH key.
    #[arg(long, value_name = "FILE")]
    sign_key: Option<PathBuf>,
    /// Makes the release again in a clone in another folder, and fails if a byte differs.
    #[arg(long)]
    check_reproducible: bool,
}

impl Release {
    /// The options of the release.
    pub(crate) fn options(self) -> release::Options {
        release::Options {
            machines: self.machines,
            sign_key: self.sign_key,
            check_reproducible: self.check_reproducible,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct Test {
    /// Runs only this step; can be repeated.
    #[arg(long, value_name = "STEP")]
    pub(crate) only: Vec<String>,
    /// The browsers of the step `engines`; `chromium` omits Firefox and WebKit.
    #[arg(long, value_enum, default_value_t = Engines::All)]
    pub(crate) engines: Engines,
    /// Lists the steps, and runs none.
    #[arg(long)]
    pub(crate) list: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Bench {
    /// Compares five fields in frames of their own, driven by one widget, with five widgets.
    #[arg(long)]
    fields: bool,
    /// Compares the form in the HTML of a shop's page with a plain form that a script adds to the page.
    #[arg(long, conflicts_with = "fields")]
    printed: bool,
    /// The number of measured loads of each form under each condition.
    #[arg(long, default_value_t = 10, value_parser = value_parser!(u32).range(1..))]
    runs: u32,
    /// `plain`, `cpu4`, `slow4g` or `mobile` (slow4g with cpu4); can be repeated; without it, all of them.
    #[arg(long, value_name = "NAME")]
    condition: Vec<String>,
    /// Measures the gateway: payments a second, the time of each call, and the number of commits of a payment.
    #[arg(long, group = "with_tables", conflicts_with_all = ["fields", "printed", "runs", "condition"])]
    gateway: bool,
    /// With --gateway: how many buyers pay at the same time [default: 64].
    #[arg(long, requires = "gateway")]
    buyers: Option<u32>,
    /// Measures payments at this acquirer outside the gateway, beside those at the sandbox's own.
    #[arg(long, group = "of_orders", conflicts_with_all = ["gateway", "fields", "printed", "condition", "runs"])]
    acquirer: Option<Acquirer>,
    /// Asks a gateway with this many orders, and one with ten thousand, for every list, search and look-up, and pays at both.
    #[arg(long, groups = ["of_orders", "with_tables"], conflicts_with_all = ["fields", "printed", "condition", "runs"])]
    tables: bool,
    /// With --acquirer: the number of orders at each [default: 2000]. With --tables: the number of orders [default: 1000000].
    #[arg(long, requires = "of_orders")]
    orders: Option<u32>,
    /// With --gateway: the number of payments [default: 2000].
    #[arg(long, requires = "gateway")]
    payments: Option<u32>,
    /// With --gateway or --tables: keeps the tables on a PostgreSQL server that is started for it.
    #[arg(long, requires = "with_tables")]
    postgres: bool,
    /// With --postgres: how many gateways share the database [default: 1].
    #[arg(long, requires = "postgres", conflicts_with = "tables")]
    processes: Option<u32>,
    /// With --gateway: then sends ten times as many payments as it can take. Fails if an accepted one is lost or doubled.
    #[arg(long, requires = "gateway", conflicts_with = "processes")]
    overload: bool,
    /// With --gateway: then changes the vault's key while as many payments are made. Fails if one is lost or doubled, or a value needs an earlier key.
    #[arg(long, requires = "gateway", conflicts_with_all = ["processes", "overload"])]
    rotation: bool,
}

/// What is measured.
pub(crate) enum Measured {
    /// The form in a browser.
    Form(bench::Options),
    /// The gateway under load.
    Gateway {
        /// Whether the tables are on a database server.
        on_server: bool,
        /// The options of the load program.
        words: Vec<OsString>,
    },
    /// The gateway with many orders.
    Tables {
        /// Whether the tables are on a database server.
        on_server: bool,
        /// The options of the load program.
        words: Vec<OsString>,
    },
    /// Payments at an acquirer outside the gateway.
    Acquirer {
        /// Which.
        acquirer: Acquirer,
        /// The options of the load program.
        words: Vec<OsString>,
    },
}

impl Bench {
    pub(crate) fn measured(self) -> Measured {
        if let Some(acquirer) = self.acquirer {
            return Measured::Acquirer {
                acquirer,
                words: words(&[("--orders", self.orders)]),
            };
        }
        if self.tables {
            return Measured::Tables {
                on_server: self.postgres,
                words: words(&[("--orders", self.orders)]),
            };
        }
        if self.gateway {
            let mut words = words(&[
                ("--buyers", self.buyers),
                ("--payments", self.payments),
                ("--processes", self.processes),
            ]);
            words.extend(self.overload.then(|| "--overload".into()));
            words.extend(self.rotation.then(|| "--rotation".into()));
            return Measured::Gateway {
                on_server: self.postgres,
                words,
            };
        }
        Measured::Form(bench::Options {
            runs: self.runs,
            conditions: self.condition,
            contest: match (self.fields, self.printed) {
                (true, _) => Comparison::Fields,
                (_, true) => Comparison::Printed,
                (false, false) => Comparison::Form,
            },
        })
    }
}

#[derive(Args, Debug)]
pub(crate) struct Attack {
    /// How many cards all bots together try [default: 10000].
    #[arg(long)]
    cards: Option<u32>,
    /// From how many addresses each bot tries [default: 500].
    #[arg(long)]
    addresses: Option<u32>,
    /// The number of honest buyers [default: 2000].
    #[arg(long)]
    honest: Option<u32>,
    /// Repeats the random choices of a run; each run prints its seed.
    #[arg(long)]
    seed: Option<u32>,
}

impl Attack {
    /// The options of the load program.
    pub(crate) fn words(&self) -> Vec<OsString> {
        words(&[
            ("--cards", self.cards),
            ("--addresses", self.addresses),
            ("--honest", self.honest),
            ("--seed", self.seed),
        ])
    }
}

#[derive(Args, Debug)]
pub(crate) struct Soak {
    /// The number of orders through the API [default: 2000].
    #[arg(long)]
    payments: Option<u32>,
    /// The number of orders through browsers [default: 200].
    #[arg(long)]
    browser_payments: Option<u32>,
    /// Kills a shop in place of the gateway, and compares its book with the money.
    #[arg(long, group = "other", conflicts_with_all = ["payments", "browser_payments"])]
    shops: bool,
    /// Pays at this acquirer outside the gateway, over a line that loses, doubles and delays, and compares both books.
    #[arg(long, group = "other", conflicts_with_all = ["payments", "browser_payments"])]
    acquirer: Option<Acquirer>,
    /// With --shops or --acquirer: the number of orders [default: 2000].
    #[arg(long, requires = "other")]
    orders: Option<u32>,
    /// With --shops: how often the shop is killed [default: 200].
    #[arg(long, requires = "shops")]
    kills: Option<u32>,
    /// Repeats the random choices of a run; each run prints its seed.
    #[arg(long)]
    seed: Option<u32>,
}

/// What has to hold out.
pub(crate) enum Soaked {
    Gateway,
    Shops,
    Acquirer(Acquirer),
}

impl Soak {
    /// What has to hold out.
    pub(crate) fn what(&self) -> Soaked {
        match self.acquirer {
            Some(acquirer) => Soaked::Acquirer(acquirer),
            None if self.shops => Soaked::Shops,
            None => Soaked::Gateway,
        }
    }

    /// The options of the load program.
    pub(crate) fn words(&self) -> Vec<OsString> {
        words(&[
            ("--payments", self.payments),
            ("--browser-payments", self.browser_payments),
            ("--orders", self.orders),
            ("--kills", self.kills),
            ("--seed", self.seed),
        ])
    }
}

/// The options that were given.
fn words(options: &[(&str, Option<u32>)]) -> Vec<OsString> {
    let given = |&(name, value): &(&str, Option<u32>)| {
        value.map(|value| [name.into(), value.to_string().into()])
    };
    options.iter().filter_map(given).flatten().collect()
}

/// The commands, for the usage line in the message about a mistyped one.
const COMMANDS: &str = "demo|gallery|test|audit|frameworks|plugins|conformance|docs|build|size|release|bench|soak|postgres|failover|model|attack|fuzz|reference|sums|tidy|setup";

const NEEDED: &str = "\
`cargo xtask help COMMAND` says what its options are.

Needed beforehand: rustup, and Node 20 or newer. What is made lies in target/ (or CARGO_TARGET_DIR), but for
pkg/ and node_modules/.";

#[cfg(test)]
mod tests;
