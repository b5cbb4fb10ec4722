//! Starts the demo shop: reads the settings, opens the records, serves until it is stopped.

use clap::Parser;
use payframe_shop::{Shop, config::Config, router};
use std::{error::Error, io::Write};
use tracing_subscriber::EnvFilter;

/// The demo shop: a merchant's server that pays with the form of a gateway. Its settings come from the environment.
#[derive(Parser)]
#[command(name = "payframe-shop", version, after_help = SETTINGS)]
struct CommandLine {}

const SETTINGS: &str = "\
Settings:
  SHOP_LISTEN   address and port to listen on [default: 127.0.0.1:8788]
  SHOP_ORIGIN   origin under which buyers reach the shop [default: http://127.0.0.1:8788]
  SHOP_GATEWAY  origin of the gateway [default: http://localhost:8787]
  SHOP_API_KEY  the merchant's key [default: sandbox-implicit]
  SHOP_DATA     folder of the shop's records [default: ./data]
  SHOP_LOG      what is logged, such as `debug` [default: info]";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let CommandLine {} = CommandLine::parse();
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_env_filter(
            EnvFilter::try_from_env("SHOP_LOG").unwrap_or_else(|_| EnvFilter::new("info")),
        )
        .init();
    let config = Config::from_env()?;
    let listener = tokio::net::TcpListener::bind(config.listen).await?;
    let address = listener.local_addr()?;
    let shop = Shop::open(config).await?;
    // The program that starts the shop waits for this line.
    let mut stdout = std::io::stdout();
    writeln!(stdout, "listening on http://{address}")?;
    stdout.flush()?;
    axum::serve(listener, router(shop))
        .with_graceful_shutdown(stop_signal())
        .await?;
    Ok(())
}

async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        // Without a handler, SIGTERM ends the process as usual; only Ctrl-C is handled.
        let _ = tokio::signal::ctrl_c().await;
        return;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_refused_because_settings_come_from_the_environment() {
        for (line, is_read) in [
            (&["payframe-shop"][..], true),
            (&["payframe-shop", "--listen", "127.0.0.1:1"], false),
            (&["payframe-shop", "serve"], false),
        ] {
            assert_eq!(
                CommandLine::try_parse_from(line).is_ok(),
                is_read,
                "{line:?}"
            );
        }
    }
}
