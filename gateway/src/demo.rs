//! `payframe-gateway demo`: a sandbox gateway and the demo shop in one process, the directory server and the issuer of its cards in
//! processes of their own, and how to pay in it.

mod issuers;

use crate::serving;
use issuers::Issuers;
use payframe_back_office::login_providers::LoginProviders;
use payframe_back_office::staff::{Actor, Email, FirstPassword, Name, NewMember, Staff};
use payframe_gateway::App;
use payframe_gateway::config::Config;
use payframe_gateway::operator::{self, DemoOptions};
use payframe_payment_domain::back_office::Role;
use payframe_shop::Shop;
use payframe_shop::config::Config as ShopConfig;
use payframe_storage::audit::Author;
use payframe_storage::members;
use std::error::Error;
use std::fs::OpenOptions;
use std::io::Write;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;
use std::sync::Mutex;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tracing_subscriber::EnvFilter;

/// Serves the gateway and the shop until the process is told to stop.
pub(crate) async fn run(demo: DemoOptions) -> Result<(), Box<dyn Error>> {
    let mut config = gateway_config(&demo)?;
    std::fs::create_dir_all(&demo.data)
        .map_err(|problem| format!("cannot make the folder {}: {problem}", demo.data.display()))?;
    let log = demo.data.join("demo.log");
    log_to(&log, &config.log)?;
    let shop_listener = bind(demo.shop_port, "--shop-port").await?;
    // Browsers may take either loopback address for `localhost`: another program at the other one would answer them.
    let other_loopback = SocketAddr::from((Ipv6Addr::LOCALHOST, demo.gateway_port));
    if let Err(problem) = TcpListener::bind(other_loopback).await
        && problem.kind() == std::io::ErrorKind::AddrInUse
    {
        return Err(taken(demo.gateway_port, "--gateway-port").into());
    }
    drop(bind(demo.gateway_port, "--gateway-port").await?);
    let mut issuers = Issuers::start(&demo.data.join("3ds"), &log).await?;
    config.three_ds = Some(issuers.settings());
    let gateway = serving::open(config).await?;
    let password = member_password(gateway.app(), &demo.data).await?;
    let shop = payframe_shop::router(Shop::open(shop_config(&demo)?).await?);
    let (stop, stopped) = oneshot::channel::<()>();
    let shop = tokio::spawn(async move {
        axum::serve(shop_listener, shop)
            .with_graceful_shutdown(async {
                // An error means that the sender was dropped, which also means a stop.
                let _ = stopped.await;
            })
            .await
    });
    print!("{}", guide(&demo, &password, issuers.enrolment()));
    std::io::stdout().flush()?;
    tokio::select! {
        served = gateway.serve() => served?,
        problem = issuers.end() => return Err(problem.into()),
    }
    drop(stop);
    shop.await??;
    Ok(())
}

/// A sandbox with everything that helps to develop.
fn gateway_config(demo: &DemoOptions) -> Result<Config, Box<dyn Error>> {
    let fixed = |name: &str| match name {
        "PAYFRAME_MODE" => Some("sandbox".to_owned()),
        "PAYFRAME_LISTEN" => Some(format!("127.0.0.1:{}", demo.gateway_port)),
        "PAYFRAME_ORIGIN" => Some(gateway_origin(demo)),
        "PAYFRAME_DATA" => Some(demo.data.display().to_string()),
        "PAYFRAME_SANDBOX_FAULTS" | "PAYFRAME_ALLOW_INSECURE_URLS" => Some("1".to_owned()),
        // Nothing else of the environment counts: it may be that of a gateway with real money, or name its database.
        "PAYFRAME_ASSETS" | "PAYFRAME_LOG" => std::env::var(name).ok(),
        _ => None,
    };
    Ok(Config::read(fixed)?)
}

fn shop_config(demo: &DemoOptions) -> Result<ShopConfig, Box<dyn Error>> {
    Ok(ShopConfig::from_lookup(|name| match name {
        "SHOP_LISTEN" => Some(format!("127.0.0.1:{}", demo.shop_port)),
        "SHOP_ORIGIN" => Some(shop_origin(demo)),
        "SHOP_GATEWAY" => Some(gateway_origin(demo)),
        "SHOP_API_KEY" => Some(API_KEY.to_owned()),
        "SHOP_DATA" => Some(demo.data.display().to_string()),
        _ => None,
    })?)
}

fn gateway_origin(demo: &DemoOptions) -> String {
    format!("http://localhost:{}", demo.gateway_port)
}

/// The shop is on another site than the gateway (an address, not `localhost`), so that the frame is cross-site.
fn shop_origin(demo: &DemoOptions) -> String {
    format!("http://127.0.0.1:{}", demo.shop_port)
}

fn log_to(file: &Path, filter: &str) -> Result<(), Box<dyn Error>> {
    let log = OpenOptions::new().create(true).append(true).open(file)?;
    tracing_subscriber::fmt()
        .json()
        .with_env_filter(EnvFilter::try_new(filter)?)
        .with_writer(Mutex::new(log))
        .init();
    Ok(())
}

async fn bind(port: u16, option: &str) -> Result<TcpListener, Box<dyn Error>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    listener.map_err(|problem| match problem.kind() {
        std::io::ErrorKind::AddrInUse => taken(port, option).into(),
        _ => format!("cannot listen at 127.0.0.1:{port}: {problem}").into(),
    })
}

fn taken(port: u16, option: &str) -> String {
    format!("port {port} is in use by another program; choose another with `{option} PORT`")
}

/// The password of the demo's member of the back office. It is made once and kept beside the databases.
async fn member_password(app: &App, data: &Path) -> Result<String, Box<dyn Error>> {
    let kept = data.join("office-password");
    let known = members::by_email(&mut *app.store().read().await?, EMAIL).await?;
    let known = known
        .into_iter()
        .find(|(member, _)| member.merchant_id == MERCHANT);
    if known.is_some()
        && let Ok(password) = std::fs::read_to_string(&kept)
    {
        return Ok(password);
    }
    let staff = Staff::new(app.store());
    let user = operator::os_user();
    let actor = Actor {
        author: Author::Command { os_user: &user },
        now_ms: app.clock().real().now_ms(),
    };
    let password = match known {
        Some((member, _)) => {
            let providers = LoginProviders::default();
            staff.reset_password(actor, &member, &providers).await?
        }
        None => {
            let added = staff.add(actor, demo_member()?, FirstPassword::EveryUse);
            added.await?.1
        }
    };
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(&kept)?
        .write_all(password.expose().as_bytes())?;
    Ok(password.expose().to_owned())
}

fn demo_member() -> Result<NewMember, Box<dyn Error>> {
    Ok(NewMember {
        merchant_id: MERCHANT.to_owned(),
        email: Email::parse(EMAIL).ok_or("the demo's address is not valid")?,
        role: Role::Administrator,
        name: Name::parse("Demo administrator").ok_or("the demo's name is not valid")?,
    })
}

/// What to open, and with which cards to pay.
fn guide(demo: &DemoOptions, password: &str, enrolment: &str) -> String {
    let (gateway, shop) = (gateway_origin(demo), shop_origin(demo));
    format!(
        "
gateway: {gateway} (API base /api)
databases and log: {}
api key: {API_KEY}
back office: {gateway}/office  ({EMAIL} / {password})
test cards (any future expiry date, any three-digit security code):
  approved    4761 7300 0000 0003
  challenged  4761 7300 0000 3007 (the code is 123456)
  declined    4761 7300 0000 1167
  confirmed   4761 7300 0000 3148 (by this device, once it is enrolled at {enrolment})
other ways to take a payment: /fields, /build3, /build2, /hosted and /link of the shop
Ctrl-C stops all of them.
shop: {shop}
",
        demo.data.display()
    )
}

/// Key of the sandbox's demo merchant, implicit capture.
const API_KEY: &str = "sandbox-implicit";
const MERCHANT: &str = "demo";
const EMAIL: &str = "demo@shop.example";
