//! Merchants and buyers in great number, from a process of their own. `payframe-load bench` says how many payments a
//! second a gateway takes and what each costs; `payframe-load soak` has everything fail meanwhile, and then looks whether
//! the books are right.
//!
//! It starts the gateway itself, so that it can end it and read the books afterwards; `cargo xtask` builds both and
//! says where they lie.

mod bench;
mod books;
mod caller;
mod commits;
mod connection;
mod gateway;
mod orders;
mod payment;
mod random;
mod receiver;
mod soak;
mod times;

use anyhow::{Context, Result, bail};
use lexopt::{Arg, Parser, ValueExt};
use std::path::PathBuf;
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
    match arguments.next()? {
        Some(Arg::Value(command)) if command == "bench" => {
            let options = bench_options(&mut arguments)?;
            // One thread is enough for what it computes, and never wakes another one.
            let mut runtime = tokio::runtime::Builder::new_current_thread();
            runtime.enable_all().build()?.block_on(bench::run(&options))
        }
        Some(Arg::Value(command)) if command == "soak" => {
            let options = soak_options(&mut arguments)?;
            tokio::runtime::Runtime::new()?.block_on(soak::run(&options))
        }
        _ => bail!("{USAGE}"),
    }
}

fn bench_options(arguments: &mut Parser) -> Result<bench::Options> {
    let (mut gateway, mut data) = (None, None);
    let (mut database, mut processes) = (None, 1);
    let (mut buyers, mut payments) = (64, 2000);
    while let Some(argument) = arguments.next()? {
        match argument {
            Arg::Long("gateway") => gateway = Some(PathBuf::from(arguments.value()?)),
            Arg::Long("data") => data = Some(PathBuf::from(arguments.value()?)),
            Arg::Long("database") => database = Some(arguments.value()?.string()?),
            Arg::Long("processes") => processes = number(arguments, "--processes")?,
            Arg::Long("buyers") => buyers = number(arguments, "--buyers")?,
            Arg::Long("payments") => payments = number(arguments, "--payments")?,
            other => return Err(other.unexpected().into()),
        }
    }
    if buyers == 0 || payments < buyers {
        bail!("--buyers must be at least 1, and --payments at least as many");
    }
    if processes == 0 || (processes > 1 && database.is_none()) {
        bail!("--processes must be at least 1, and more than one share a --database");
    }
    Ok(bench::Options {
        gateway: gateway.context("--gateway names the program")?,
        data: data.context("--data names a folder")?,
        database,
        processes,
        buyers,
        payments,
    })
}

fn soak_options(arguments: &mut Parser) -> Result<soak::Options> {
    let (mut gateway, mut assets, mut data) = (None, None, None);
    let (mut payments, mut browser_payments) = (2000, 200);
    let mut seed = None;
    let mut browsers = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Arg::Long("gateway") => gateway = Some(PathBuf::from(arguments.value()?)),
            Arg::Long("assets") => assets = Some(PathBuf::from(arguments.value()?)),
            Arg::Long("data") => data = Some(PathBuf::from(arguments.value()?)),
            Arg::Long("payments") => payments = number(arguments, "--payments")?,
            Arg::Long("browser-payments") => {
                browser_payments = number(arguments, "--browser-payments")?;
            }
            Arg::Long("seed") => seed = Some(number(arguments, "--seed")?),
            Arg::Long("browsers") => browsers.push(arguments.value()?),
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(soak::Options {
        gateway: gateway.context("--gateway names the program")?,
        assets: assets.context("--assets names what the build made")?,
        data: data.context("--data names a folder")?,
        payments,
        browser_payments,
        browsers,
        seed: seed.unwrap_or_else(std::process::id).into(),
    })
}

fn number(arguments: &mut Parser, option: &str) -> Result<u32> {
    arguments
        .value()?
        .parse()
        .with_context(|| format!("{option} takes a number"))
}

const USAGE: &str =
    "usage: payframe-load bench --gateway PROGRAM --data FOLDER [--buyers 64] [--payments 2000]
                           [--database URL [--processes 1]]
       payframe-load soak --gateway PROGRAM --assets FOLDER --data FOLDER [--payments 2000]
                          [--browser-payments 200] [--browsers WORD]... [--seed N]";
