//! Tries the files for this machine's own kind before anybody downloads them: the program alone in an empty folder, with an empty environment; and,
//! for the administrator, the layer of the image as the root of a file system, by the image's user. A browser pays with the program alone, and the
//! seconds until that first payment are printed. The tests try the program that they compile ([`compiled`]).

use super::{image, signature};
use crate::process::{capture, run as run_loudly, step};
use crate::project::Project;
use crate::server::{Server, free_port};
use crate::setup;
use anyhow::{Context, Result, bail};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Starts the demo of the program at this path, asks gateway and shop, and compares what the gateway serves with the built widget.
pub(crate) fn program(project: &Project, path: &Path) -> Result<()> {
    step("trial: the program alone in an empty folder", |_| {
        let folder = tempfile::tempdir()?;
        let alone = folder.path().join("payframe-gateway");
        std::fs::copy(path, &alone)?;
        let program = || {
            let mut command = Command::new(&alone);
            command.current_dir(folder.path()).env_clear();
            command
        };
        demo(folder.path(), "demo", program, |gateway| {
            verify(project, program(), gateway)
        })
    })
}

/// The same for a program that reads the built widget from `target/dist`.
pub(super) fn compiled(project: &Project, path: &Path) -> Result<()> {
    step("trial: the demo as this checkout has it", |_| {
        let folder = tempfile::tempdir()?;
        let program = || {
            let mut command = Command::new(path);
            command
                .current_dir(folder.path())
                .env_clear()
                .env("PAYFRAME_ASSETS", project.dist());
            command
        };
        demo(folder.path(), "demo", program, |gateway| {
            verify(project, program(), gateway)
        })
    })
}

/// Pays in a browser with the card that the demo of the program at this path prints.
pub(super) fn first_payment(project: &Project, path: &Path) -> Result<()> {
    let browser = setup::browser()?;
    run_loudly(
        project
            .command("node")?
            .arg("tests/e2e/first-payment.mjs")
            .arg(path)
            .envs(setup::browser_environment(&browser)),
    )
}

/// The demo of an image, in a root folder of its own. Returns at once unless root runs this, because nobody else may change the root folder.
pub(crate) fn image(archive: &[u8]) -> Result<()> {
    if !nix::unistd::Uid::effective().is_root() {
        return Ok(());
    }
    step(
        "trial: the image's layer as a root folder, by its user",
        |_| {
            let folder = tempfile::tempdir()?;
            let root = folder.path().join("root");
            let entry = image::unpack(archive, &root)?;
            let program = || {
                let mut command = Command::new("/usr/sbin/chroot");
                command
                    .arg(format!("--userspec={}", entry.user))
                    .arg(&root)
                    .args(&entry.command)
                    .env_clear()
                    .envs(entry.environment.iter().cloned());
                command
            };
            demo(folder.path(), "/var/lib/payframe/demo", program, |_| Ok(()))
        },
    )
}

/// Signs the list of the built widget's files with a key of its own, and lets the program compare the gateway at this address with it.
fn verify(project: &Project, mut program: Command, gateway: &str) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name);
    let key = path("key");
    let mut keygen = Command::new("ssh-keygen");
    keygen.args(["-q", "-t", "ed25519", "-N", "", "-f"]);
    capture(keygen.arg(&key))?;
    let public = std::fs::read_to_string(key.with_extension("pub"))?;
    std::fs::write(path("signers"), format!("trial {public}"))?;
    let release = path("release");
    std::fs::create_dir(&release)?;
    super::write_widget_list(project, &release)?;
    let checksums = super::write_checksums(&release)?;
    signature::sign(&checksums, &key)?;
    program.arg("verify").arg(gateway);
    program.arg("--release").arg(&release);
    let said = capture(program.arg("--signers").arg(path("signers")))?;
    println!("{}", said.trim_end());
    Ok(())
}

/// Runs the demo of a program with a folder for its databases, and asks what it serves; `check` gets the gateway's address. Its log is written
/// into `folder`.
fn demo(
    folder: &Path,
    data: &str,
    program: impl Fn() -> Command,
    check: impl FnOnce(&str) -> Result<()>,
) -> Result<()> {
    let (gateway, shop) = (free_port()?, free_port()?);
    let mut demo = program();
    demo.args(["demo", "--gateway-port", &gateway.to_string()])
        .args(["--shop-port", &shop.to_string(), "--data", data]);
    let log = folder.join("demo.log");
    let server = Server::start_saying("shop: http", "the demo", demo, log, || false)?;
    // As `demo` prints their addresses. The shop sends a browser that asks another name to its own.
    let (at_gateway, at_shop) = (format!("localhost:{gateway}"), format!("127.0.0.1:{shop}"));
    for (host, path, says) in [
        (&at_gateway, "/health", "ok"),
        (&at_gateway, "/sdk/payframe.js", "customElements"),
        (&at_gateway, "/office/login", "<html"),
        (&at_gateway, "/docs/", "Your first payment"),
        (&at_shop, "/", "payment-form"),
    ] {
        let answer = get(host, path)?;
        if !answer.starts_with("HTTP/1.1 200 ") || !answer.contains(says) {
            let head = answer.lines().next().unwrap_or_default();
            bail!("{host}{path} answers `{head}`, without `{says}`");
        }
    }
    check(&format!("http://{at_gateway}"))?;
    let health = |port: u16| -> Result<bool> {
        let mut health = program();
        let health = health
            .arg("health")
            .env("PAYFRAME_MODE", "sandbox")
            .env("PAYFRAME_LISTEN", format!("127.0.0.1:{port}"));
        Ok(health.output()?.status.success())
    };
    if !health(gateway)? {
        bail!("the command `health` fails while the gateway runs");
    }
    server.stop()?;
    if health(gateway)? {
        bail!("the command `health` succeeds without a gateway");
    }
    Ok(())
}

/// The whole answer to a request, as text.
fn get(host: &str, path: &str) -> Result<String> {
    let mut connection = TcpStream::connect(host)?;
    connection.set_read_timeout(Some(Duration::from_secs(30)))?;
    write!(
        connection,
        "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
    )?;
    let mut answer = Vec::new();
    connection
        .read_to_end(&mut answer)
        .with_context(|| format!("{host}{path}"))?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
