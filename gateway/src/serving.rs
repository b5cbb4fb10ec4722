//! Serves a gateway: opens its tables and its sockets, and answers until the process is told to stop.

use payframe_gateway::config::Config;
use payframe_gateway::listener::{Files, Limits, Tls};
use payframe_gateway::monitoring::Exporter;
use payframe_gateway::{App, listener, maintenance, monitoring, router};
use payframe_payment_ports::Clock;
use std::error::Error;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// A gateway whose tables and sockets are open, and that answers nobody yet.
pub(crate) struct Opened {
    app: App,
    listener: TcpListener,
    tls: Option<Tls>,
    metrics: Option<(Exporter, TcpListener)>,
    limits: Limits,
}

/// Opens everything that can fail at the start, and finishes what a crash interrupted.
pub(crate) async fn open(config: Config) -> Result<Opened, Box<dyn Error>> {
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
    let listener = bind(listen, "PAYFRAME_LISTEN").await?;
    Ok(Opened {
        app,
        listener,
        tls,
        metrics,
        limits,
    })
}

impl Opened {
    /// The gateway.
    pub(crate) fn app(&self) -> &App {
        &self.app
    }

    /// Where metrics are served, if they are; and in the last line where it listens, and in which mode.
    pub(crate) fn summary(&self) -> std::io::Result<String> {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        let address: SocketAddr = self.listener.local_addr()?;
        let mode = self.app.summary();
        let metrics = match &self.metrics {
            Some((_, listener)) => {
                format!("metrics at http://{}/metrics\n", listener.local_addr()?)
            }
            None => String::new(),
        };
        Ok(format!(
            "{metrics}listening on {scheme}://{address} ({mode})"
        ))
    }

    /// Serves until the process is told to stop, and ends what runs.
    pub(crate) async fn serve(self) -> Result<(), Box<dyn Error>> {
        let (stop, stopped) = watch::channel(());
        let until_stop = || {
            let mut stopped = stopped.clone();
            async move {
                // An error means that the sender was dropped, which also means a stop.
                let _ = stopped.changed().await;
            }
        };
        let maintenance = tokio::spawn({
            let (app, stopped) = (self.app.clone(), until_stop());
            async move { maintenance::run(&app, stopped).await }
        });
        let notifier = tokio::spawn(self.app.notifier().run(until_stop()));
        let mut beside = JoinSet::new();
        beside.spawn(self.app.clone().hear_peers(until_stop()));
        if let Some(tls) = self.tls.clone() {
            beside.spawn(tls.keep_refreshed(until_stop()));
        }
        if let Some((exporter, listener)) = self.metrics {
            beside.spawn(monitoring::run_upkeep(exporter.clone(), until_stop()));
            let router = monitoring::router(self.app.clone(), exporter);
            let limits = Limits::default();
            let until = until_stop();
            let serving = listener::serve(listener, None, router, limits, until, SHUTDOWN_TIMEOUT);
            beside.spawn(serving);
        }
        listener::serve(
            self.listener,
            self.tls.as_ref(),
            router(self.app),
            self.limits,
            shutdown_signal(),
            SHUTDOWN_TIMEOUT,
        )
        .await;
        drop(stop);
        maintenance.await?;
        notifier.await?;
        beside.join_all().await;
        Ok(())
    }
}

/// Listens at the address that a setting names.
async fn bind(address: SocketAddr, setting: &str) -> Result<TcpListener, String> {
    let listener = TcpListener::bind(address).await;
    listener.map_err(|problem| format!("cannot listen at {address} ({setting}): {problem}"))
}

/// How long running calls may delay the end of the process: longer than any normal call takes.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(30);

/// Waits for Ctrl-C, or for the signal that service managers send.
pub(crate) async fn shutdown_signal() {
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
