//! The gateway's process. Without a command it serves until it is stopped ([`serving`]); with a command after its name it carries out that
//! command instead ([`demo`], [`health`], [`sandbox_server`], [`operator`]).

mod demo;
mod health;
mod memory;
mod sandbox_server;
mod serving;

use clap::Parser;
use memory::Swap;
use mimalloc::MiMalloc;
use payframe_gateway::config::{self, Config};
use payframe_gateway::operator::{CommandError, CommandLine, GatewayCommand};
use payframe_gateway::{operator, pages};
use payframe_payment_ports::Clock;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;
use zeroizing_alloc::ZeroAlloc;

/// Wipes memory that is given back: libraries that carry card data, for HTTP, TLS and JSON, do not. `MiMalloc` takes less time than the
/// system's allocator, above all than that of musl, with which releases are built.
#[global_allocator]
static ALLOCATOR: ZeroAlloc<MiMalloc> = ZeroAlloc(MiMalloc);

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("payframe-gateway: {problem}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Box<dyn Error>> {
    match CommandLine::parse().command {
        None => serve(Config::from_environment()?).await,
        Some(GatewayCommand::Demo(options)) => demo::run(options).await,
        Some(GatewayCommand::Sandbox(command)) => sandbox_server::run(command).await,
        Some(GatewayCommand::Settings) => {
            print!("{}", config::in_markdown());
            Ok(())
        }
        Some(GatewayCommand::Reference { folder }) => write_reference(&folder),
        Some(GatewayCommand::Examine(examination)) => {
            Ok(examination.run(|report| println!("{report}")).await?)
        }
        Some(GatewayCommand::Listen(listening)) => {
            Ok(listening.run(|line| println!("{line}")).await?)
        }
        Some(GatewayCommand::Trigger(trigger)) => {
            print!("{}", trigger.run().await?);
            Ok(())
        }
        Some(GatewayCommand::Mcp(access)) => Ok(access.serve().await?),
        Some(GatewayCommand::Verify(verification)) => {
            Ok(verification.run(|line| println!("{line}")).await?)
        }
        Some(GatewayCommand::Health(question)) => {
            health::ask(&Config::from_environment()?, &question).await
        }
        Some(GatewayCommand::Operator(command)) => {
            let config = Config::from_environment()?;
            if config.keeps_memory_off_disk() {
                memory::forbid_dumps()?;
            }
            let done = operator::run(&config, &Clock::system(), command).await;
            if let Ok(text) | Err(CommandError::Differences { report: text, .. }) = &done {
                print!("{text}");
            }
            Ok(done.map(drop)?)
        }
    }
}

fn write_reference(folder: &Path) -> Result<(), Box<dyn Error>> {
    for page in pages::markdown_pages() {
        let file = folder.join(page.file);
        std::fs::create_dir_all(file.parent().unwrap_or(folder))?;
        std::fs::write(&file, page.text)
            .map_err(|problem| format!("cannot write {}: {problem}", file.display()))?;
        println!("{}", file.display());
    }
    Ok(())
}

async fn serve(config: Config) -> Result<(), Box<dyn Error>> {
    let filter = EnvFilter::try_new(&config.log)?;
    tracing_subscriber::fmt()
        .json()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
    if config.keeps_memory_off_disk() {
        keep_memory_off_disk()?;
    }
    let gateway = serving::open(config).await?;
    println!("{}", gateway.summary()?);
    gateway.serve().await
}

/// Real cards and keys are in this process's memory from now on.
fn keep_memory_off_disk() -> std::io::Result<()> {
    memory::forbid_dumps()?;
    if memory::lock()? == Swap::Possible {
        tracing::warn!(
            "memory with card data can be swapped to a disk: let the process lock all of it (docs/operations.md, \"Memory\")"
        );
    }
    Ok(())
}
