//! The gateway's process: reads the settings, finishes what a crash interrupted, serves until it is stopped.
//! With a command after its name it carries out that command instead ([`operator`]).

use clap::Parser;
use payframe_gateway::config::{self, Config};
use payframe_gateway::listener::{Files, Limits, Tls};
use payframe_gateway::operator::{CommandLine, GatewayCommand};
use payframe_gateway::{App, listener, maintenance, monitoring, operator, pages, router};
use payframe_payment_ports::Clock;
use std::error::Error;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tracing_subscriber::EnvFilter;

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
        Some(GatewayCommand::Settings) => {
            print!("{}", config::in_markdown());
            Ok(())
        }
        Some(GatewayCommand::Reference) => {
            print!("{}", pages::reference_in_markdown());
            Ok(())
        }
        Some(GatewayCommand::Examine(examination)) => {
            Ok(examination.run(|report| println!("{report}")).await?)
        }
        Some(GatewayCommand::Operator(command)) => {
            let config = Config::from_environment()?;
            print!(
                "{}",
                operator::run(&config, &Clock::system(), command).await?
            );
            Ok(())
        }
    }
}

async fn serve(config: Config) -> Result<(), Box<dyn Error>> {
    let filter = EnvFilter::try_new(&config.log)?;
    tracing_subscriber::fmt()
        .json()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
    let listen = config.listen;
    let metrics = match config.metrics_listen {
        Some(address) => Some((
            monitoring::install()?,
            bind(address, "PAYFRAME_METRICS_LISTEN").await?,
        )),
        None => None,
    };
    let files = config.tls_certificate.clone().zip(config.tls_key.clone());
    let tls = files.map(|(certificate, key)| Tls::open(Files { certificate, key }));
    let tls = tls
        .transpose()
        .map_err(|problem| format!("TLS: {problem}"))?;
    let limits = Limits {
        per_address: config.connections_per_address(),
        ..Limits::default()
    };
    let app = App::open(config, Clock::system()).await?;
    if !app.store().is_shared() {
        maintenance::recover(&app).await;
    }
    let scheme = if tls.is_some() { "https" } else { "http" };
    let listener = bind(listen, "PAYFRAME_LISTEN").await?;
    let address = listener.local_addr()?;

    let (stop, stopped) = watch::channel(());
    let until_stop = || {
        let mut stopped = stopped.clone();
        async move {
            // An error means that the sender was dropped, which also means a stop.
            let _ = stopped.changed().await;
        }
    };
    let maintenance = tokio::spawn({
        let (app, stopped) = (app.clone(), until_stop());
        async move { maintenance::run(&app, stopped).await }
    });
    let notifier = tokio::spawn(app.notifier().run(until_stop()));
    let mut beside = JoinSet::new();
    if let Some(tls) = tls.clone() {
        beside.spawn(tls.keep_refreshed(until_stop()));
    }
    if let Some((exporter, listener)) = metrics {
        println!("metrics at http://{}/metrics", listener.local_addr()?);
        beside.spawn(monitoring::keep_tidy(exporter.clone(), until_stop()));
        let router = monitoring::router(app.clone(), exporter);
        let limits = Limits::default();
        let until = until_stop();
        let serving = listener::serve(listener, None, router, limits, until, SHUTDOWN_TIMEOUT);
        beside.spawn(async move {
            if let Err(problem) = serving.await {
                tracing::error!(%problem, "metrics are no longer served");
            }
        });
    }
    println!("listening on {scheme}://{address} ({})", app.summary());
    let told = shutdown_signal();
    let router = router(app);
    listener::serve(
        listener,
        tls.as_ref(),
        router,
        limits,
        told,
        SHUTDOWN_TIMEOUT,
    )
    .await?;
    drop(stop);
    maintenance.await?;
    notifier.await?;
    beside.join_all().await;
    Ok(())
}

/// Listens at the address that a setting names.
async fn bind(address: SocketAddr, setting: &str) -> Result<TcpListener, String> {
    let listener = TcpListener::bind(address).await;
    listener.map_err(|problem| format!("cannot listen at {address} ({setting}): {problem}"))
}

/// How long running calls may delay the end of the process: longer than any normal call takes.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(30);

/// Waits for Ctrl-C, or for the signal that service managers send.
async fn shutdown_signal() {
    let interrupt = async {
        if let Err(problem) = tokio::signal::ctrl_c().await {
            tracing::error!(%problem, "cannot listen for Ctrl-C");
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(problem) => {
                tracing::error!(%problem, "cannot listen for SIGTERM");
                std::future::pending::<()>().await;
            }
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}
