//! The gateway's process: reads the settings, books what a crash left behind, serves until it is told to stop.
//! With words after its name it carries out a command of the operator's instead ([`operator`]).

use axum::serve::Listener;
use futures_util::FutureExt;
use payframe_gateway::config::{self, Config};
use payframe_gateway::listener::{Files, Peer, Socket, Tls};
use payframe_gateway::{App, listener, monitoring, operator, pages, router};
use payframe_payment_ports::Clock;
use std::error::Error;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;
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
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => serve(Config::from_environment()?).await,
        ["settings"] => {
            print!("{}", config::in_markdown());
            Ok(())
        }
        ["reference"] => {
            print!("{}", pages::reference_in_markdown());
            Ok(())
        }
        ["help" | "--help" | "-h"] => {
            print!("{}", operator::HELP);
            Ok(())
        }
        words => {
            let config = Config::from_environment()?;
            print!(
                "{}",
                operator::command(&config, &Clock::system(), words).await?
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
    let (listen, mode) = (config.listen, config.mode);
    let metrics = match config.metrics_listen {
        Some(address) => Some((
            monitoring::install()?,
            bind(address, None, "PAYFRAME_METRICS_LISTEN").await?,
        )),
        None => None,
    };
    let files = config.tls_certificate.clone().zip(config.tls_key.clone());
    let tls = files.map(|(certificate, key)| Tls::open(Files { certificate, key }));
    let tls = tls
        .transpose()
        .map_err(|problem| format!("TLS: {problem}"))?;
    let app = App::open(config, Clock::system()).await?;
    if !app.store().is_shared() {
        app.recover().await;
    }
    let scheme = if tls.is_some() { "https" } else { "http" };
    let listener = bind(listen, tls.clone(), "PAYFRAME_LISTEN").await?;
    let address = listener.local_addr()?;

    let (stop, stopped) = watch::channel(());
    let until_stop = || {
        let mut stopped = stopped.clone();
        async move {
            // An error says that the sender is gone: that is a stop as well.
            let _ = stopped.changed().await;
        }
    };
    let sweeper = tokio::spawn({
        let (app, stopped) = (app.clone(), until_stop());
        async move { app.keep_doing_due_work(stopped).await }
    });
    let notifier = tokio::spawn(app.notifier().run(until_stop()));
    let mut beside = JoinSet::new();
    if let Some(tls) = tls {
        beside.spawn(tls.keep_refreshed(until_stop()));
    }
    if let Some((exporter, listener)) = metrics {
        println!("metrics at http://{}/metrics", listener.local_addr()?);
        beside.spawn(monitoring::keep_tidy(exporter.clone(), until_stop()));
        let serving = axum::serve(listener, monitoring::router(app.clone(), exporter));
        let serving = serving.with_graceful_shutdown(until_stop());
        beside.spawn(async move {
            if let Err(problem) = serving.await {
                tracing::error!(%problem, "metrics are not served any more");
            }
        });
    }
    println!("listening on {scheme}://{address} ({})", mode.summary());
    let service = router(app).into_make_service_with_connect_info::<Peer>();
    let told = told_to_stop().shared();
    let serving = axum::serve(listener, service)
        .with_graceful_shutdown(told.clone())
        .into_future();
    let shutdown_timeout = async {
        told.await;
        tokio::time::sleep(SHUTDOWN_TIMEOUT).await;
    };
    tokio::select! {
        ended = serving => ended?,
        () = shutdown_timeout => tracing::warn!("some calls had no end: they are cut off"),
    }
    drop(stop);
    sweeper.await?;
    notifier.await?;
    beside.join_all().await;
    Ok(())
}

/// Listens at the address that a setting names.
async fn bind(address: SocketAddr, tls: Option<Tls>, setting: &str) -> Result<Socket, String> {
    let listener = listener::listen(address, tls).await;
    listener.map_err(|problem| format!("cannot listen at {address} ({setting}): {problem}"))
}

/// How long calls that run hold up the end of the process: longer than any that is good.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(30);

/// Waits for Ctrl-C, or for the signal that service managers send.
async fn told_to_stop() {
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
