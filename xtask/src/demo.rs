//! `cargo xtask demo`: the gateway and the demo shop on this machine, until Ctrl-C.

use crate::build::{self, Wanted};
use crate::office_member;
use crate::process::{run as run_loudly, step};
use crate::project::Project;
use crate::server::Server;
use anyhow::{Context, Result, bail};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The options of the command line.
pub(crate) struct Options {
    pub(crate) gateway_port: u16,
    pub(crate) shop_port: u16,
    /// The folder of databases, keys and logs.
    pub(crate) data: PathBuf,
}

/// Builds, starts both servers, prints how to pay, and waits for the signal to stop.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    for (port, option) in [
        (options.gateway_port, "--gateway-port"),
        (options.shop_port, "--shop-port"),
    ] {
        ensure_free(port, option)?;
    }
    build::build(project, Wanted::Smallest)?;
    build_servers(project, ServersFor::Demo)?;
    std::fs::create_dir_all(&options.data)
        .with_context(|| format!("cannot make the folder {}", options.data.display()))?;

    // Until here a signal ends this process and its children at once. From here on they are stopped in order.
    let stop = stop_signal()?;
    let stopping = || stop.load(Ordering::SeqCst);
    let gateway = Gateway {
        port: options.gateway_port,
        data: options.data.clone(),
        assets: project.dist(),
        profile_dir: "debug",
    };
    let password = office_member::password(|| gateway.command(project), &options.data)?;
    let gateway = Server::start(
        "the gateway",
        gateway.command(project),
        options.data.join("gateway.log"),
        stopping,
    );
    let shop = gateway.and_then(|gateway| {
        let command = shop_command(project, options);
        let log = options.data.join("shop.log");
        Ok((gateway, Server::start("the shop", command, log, stopping)?))
    });
    let (gateway, shop) = match shop {
        Err(_) if stopping() => return Ok(()),
        started => started?,
    };
    announce(options, &password);
    wait(stopping, gateway, shop)
}

/// How the gateway is run for demo and bench: as a sandbox, with faults and plain-http merchants allowed.
pub(crate) struct Gateway {
    pub(crate) port: u16,
    pub(crate) data: PathBuf,
    pub(crate) assets: PathBuf,
    /// Cargo's folder for the profile: `debug` or `release`.
    pub(crate) profile_dir: &'static str,
}

impl Gateway {
    /// The address that browsers and merchants' servers use.
    pub(crate) fn origin(&self) -> String {
        format!("http://localhost:{}", self.port)
    }

    /// The command that starts it.
    pub(crate) fn command(&self, project: &Project) -> Command {
        let mut command = Command::new(project.binary(self.profile_dir, "payframe-gateway"));
        command
            .current_dir(&project.root)
            .env("PAYFRAME_MODE", "sandbox")
            .env("PAYFRAME_LISTEN", format!("127.0.0.1:{}", self.port))
            .env("PAYFRAME_ORIGIN", self.origin())
            .env("PAYFRAME_DATA", &self.data)
            .env("PAYFRAME_ASSETS", &self.assets)
            .env("PAYFRAME_SANDBOX_FAULTS", "1")
            .env("PAYFRAME_ALLOW_INSECURE_URLS", "1");
        command
    }
}

/// For what the servers are compiled.
#[derive(Clone, Copy)]
pub(crate) enum ServersFor {
    Demo,
    Bench,
    Tests,
}

/// Compiles the gateway, the shop and the load program. Features are resolved over the whole workspace.
pub(crate) fn build_servers(project: &Project, purpose: ServersFor) -> Result<()> {
    let options: &[&str] = match purpose {
        ServersFor::Demo => &["--profile=dev"],
        ServersFor::Bench => &["--profile=release"],
        // With a test among the targets cargo adds the features of dev-dependencies, as `cargo test` does: what that has compiled is
        // not compiled again.
        ServersFor::Tests => &["--profile=dev", "--test=guides"],
    };
    step("cargo build of gateway and shop\n", |_| {
        run_loudly(
            project
                .cargo()
                .args(["build", "--locked", "--workspace"])
                .args(SERVERS.map(|name| format!("--bin={name}")))
                .args(options),
        )
    })
}

fn shop_command(project: &Project, options: &Options) -> Command {
    let mut command = Command::new(project.binary("debug", "payframe-shop"));
    command
        .current_dir(&project.root)
        .env("SHOP_LISTEN", format!("127.0.0.1:{}", options.shop_port))
        .env("SHOP_ORIGIN", shop_origin(options))
        .env(
            "SHOP_GATEWAY",
            format!("http://localhost:{}", options.gateway_port),
        )
        .env("SHOP_API_KEY", API_KEY)
        .env("SHOP_DATA", &options.data)
        .env("SHOP_WWW", project.root.join("www/shop"));
    command
}

/// The shop is on another site than the gateway (an address, not `localhost`), so that the frame is cross-site.
fn shop_origin(options: &Options) -> String {
    format!("http://127.0.0.1:{}", options.shop_port)
}

fn announce(options: &Options, password: &str) {
    println!();
    println!(
        "gateway: http://localhost:{} (API base /api)",
        options.gateway_port
    );
    println!("logs and databases: {}", options.data.display());
    println!("api key: {API_KEY}");
    println!(
        "back office: http://localhost:{}/office  ({} / {password})",
        options.gateway_port,
        office_member::EMAIL
    );
    println!("test cards (any future expiry date, any three-digit security code):");
    println!("  approved    4761 7300 0000 0003");
    println!("  challenged  4761 7300 0000 3007 (the code is 123456)");
    println!("  declined    4761 7300 0000 1167");
    println!(
        "other ways to take a payment: /fields, /build3, /build2, /hosted and /link of the shop"
    );
    println!("Ctrl-C stops both.");
    println!("shop: {}", shop_origin(options));
}

fn wait(stopping: impl Fn() -> bool, mut gateway: Server, mut shop: Server) -> Result<()> {
    loop {
        for server in [&mut gateway, &mut shop] {
            if server.ended()?.is_some() {
                // Ctrl-C reaches the whole process group, and a server may end before this process.
                std::thread::sleep(SIGNAL_GRACE);
                if !stopping() {
                    return Err(server.exit_error());
                }
            }
        }
        if stopping() {
            println!("\nstopping");
            // The shop first, because it is the gateway's client.
            shop.stop()?;
            return gateway.stop();
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn stop_signal() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::SeqCst) {
            // A second signal ends the program at once.
            std::process::exit(130);
        }
    })?;
    Ok(stop)
}

/// `localhost` may mean either loopback address to a browser, so both must be free.
fn ensure_free(port: u16, option: &str) -> Result<()> {
    let taken = |address: &str| match TcpListener::bind((address, port)) {
        Ok(_) => false,
        Err(problem) => problem.kind() == std::io::ErrorKind::AddrInUse,
    };
    if taken("127.0.0.1") || taken("::1") {
        bail!("port {port} is in use by another program; choose another with `{option} PORT`");
    }
    Ok(())
}

/// Key of the sandbox's demo merchant, implicit capture.
pub(crate) const API_KEY: &str = "sandbox-implicit";
const SERVERS: [&str; 3] = ["payframe-gateway", "payframe-shop", "payframe-load"];
const SIGNAL_GRACE: Duration = Duration::from_millis(300);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn busy_port_is_named_with_its_option() -> Result<()> {
        let holder = TcpListener::bind("127.0.0.1:0")?;
        let port = holder.local_addr()?.port();
        let problem = ensure_free(port, "--shop-port")
            .err()
            .map(|problem| problem.to_string());
        let text = problem.unwrap_or_default();
        assert!(
            text.contains(&port.to_string()) && text.contains("--shop-port"),
            "{text}"
        );
        drop(holder);
        ensure_free(port, "--shop-port")
    }
}
