//! Merchants and buyers in great number, from a process of their own: `payframe-load bench` says how many payments a
//! second a gateway takes and what each costs.
//!
//! It starts the gateway itself, so that it can stop and read the books afterwards; `cargo xtask` builds both and
//! says where they lie.

mod bench;
mod caller;
mod commits;
mod gateway;
mod payment;

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
    let runtime = tokio::runtime::Runtime::new()?;
    match arguments.next()? {
        Some(Arg::Value(command)) if command == "bench" => {
            let options = bench_options(&mut arguments)?;
            runtime.block_on(bench::run(&options))
        }
        _ => bail!(
            "usage: payframe-load bench --gateway PROGRAM --data FOLDER [--buyers 64] [--payments 2000]"
        ),
    }
}

fn bench_options(arguments: &mut Parser) -> Result<bench::Options> {
    let (mut gateway, mut data) = (None, None);
    let (mut buyers, mut payments) = (64, 2000);
    while let Some(argument) = arguments.next()? {
        match argument {
            Arg::Long("gateway") => gateway = Some(PathBuf::from(arguments.value()?)),
            Arg::Long("data") => data = Some(PathBuf::from(arguments.value()?)),
            Arg::Long("buyers") => {
                buyers = arguments
                    .value()?
                    .parse()
                    .context("--buyers takes a number")?
            }
            Arg::Long("payments") => {
                payments = arguments
                    .value()?
                    .parse()
                    .context("--payments takes a number")?
            }
            other => return Err(other.unexpected().into()),
        }
    }
    if buyers == 0 || payments < buyers {
        bail!("--buyers must be at least 1, and --payments at least as many");
    }
    Ok(bench::Options {
        gateway: gateway.context("--gateway names the program")?,
        data: data.context("--data names a folder")?,
        buyers,
        payments,
    })
}
