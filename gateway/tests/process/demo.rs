//! The command `demo`: gateway and shop in one process, directory server and issuer in processes of their own.

use crate::http;
use crate::three_ds::Shop;
use std::io::{BufRead, BufReader, Read};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A running demo, until it is dropped.
struct Demo {
    child: Child,
    /// What it prints until it is ready.
    guide: Vec<String>,
}

impl Drop for Demo {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn command(data: &Path, gateway: &TcpListener, shop: &TcpListener) -> Command {
    let port = |listener: &TcpListener| listener.local_addr().unwrap().port().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_payframe-gateway"));
    command
        .args(["demo", "--gateway-port", &port(gateway)])
        .args(["--shop-port", &port(shop), "--data"])
        .arg(data)
        .env("PAYFRAME_ASSETS", data.join("no-dist"));
    command
}

fn start(data: &Path) -> (Demo, SocketAddr, SocketAddr) {
    let ports = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let [gateway, shop] = [&ports[0], &ports[1]].map(|port| port.local_addr().unwrap());
    let mut command = command(data, &ports[0], &ports[1]);
    drop(ports);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let said = BufReader::new(child.stdout.take().unwrap());
    let mut demo = Demo {
        child,
        guide: Vec::new(),
    };
    for line in said.lines() {
        demo.guide.push(line.unwrap());
        if demo.guide.last().unwrap().starts_with("shop: ") {
            return (demo, gateway, shop);
        }
    }
    panic!("the demo ended before it was ready")
}

fn status(server: SocketAddr, path: &str) -> Option<u16> {
    http::send(server, "GET", path, &[], "").unwrap().status
}

#[test]
fn gateway_and_shop_answer_and_the_password_stays_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("demo");
    let password = |demo: &Demo| {
        let line = demo
            .guide
            .iter()
            .find(|line| line.starts_with("back office: "));
        line.unwrap().rsplit_once(" / ").unwrap().1.to_owned()
    };
    let (demo, gateway, shop) = start(&data);
    assert_eq!(status(gateway, "/office/login"), Some(200));
    assert_eq!(status(shop, "/shop.css"), Some(200));
    assert_eq!(status(shop, "/health"), Some(200));
    let first = password(&demo);
    assert!(first.len() > 12, "{first}");
    assert!(demo.guide.iter().any(|line| line.contains("approved")));
    let enrolment = demo.guide.iter().find(|line| line.contains("confirmed"));
    assert!(enrolment.unwrap().contains(".localhost:"), "{enrolment:?}");
    drop(demo);
    let (again, ..) = start(&data);
    assert_eq!(password(&again), first);
    assert!(data.join("demo.log").exists());
}

#[test]
fn the_demo_pays_through_a_directory_server_and_an_issuer() {
    let folder = tempfile::tempdir().unwrap();
    let (_demo, gateway, _) = start(&folder.path().join("demo"));
    let shop = Shop::at(gateway);
    let code = "answer=code&code=123456";
    for (number, answers) in [("4761730000000003", &[][..]), ("5413330000003005", &[code])] {
        let paid = shop.pay(number, answers);
        let told = (paid.state.as_str(), paid.secure.as_str());
        assert_eq!(
            told,
            ("PAYMENT_COMPLETE AUTHORIZATION/EXECUTED", "FULL_SECURE")
        );
    }
    let triggered = Command::new(env!("CARGO_BIN_EXE_payframe-gateway"))
        .args(["trigger", "PAY_BY_LINK", "--gateway"])
        .arg(format!("http://{gateway}"))
        .output()
        .unwrap();
    let problem = String::from_utf8(triggered.stderr).unwrap();
    assert!(triggered.status.success(), "{problem}");
}

/// Which children a process has, only Linux tells in a file.
#[cfg(target_os = "linux")]
#[test]
fn the_demo_says_that_its_issuer_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let (mut demo, ..) = start(&folder.path().join("demo"));
    let pid = demo.child.id();
    // Any thread of the demo may have started them.
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let children =
        |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("children"));
    let all: String = threads
        .filter_map(|thread| children(thread.unwrap()).ok())
        .collect();
    let child = all.split_whitespace().next().unwrap();
    let killed = Command::new("kill")
        .args(["-KILL", child])
        .status()
        .unwrap();
    assert!(killed.success());
    assert!(!demo.child.wait().unwrap().success());
    let mut said = String::new();
    demo.child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    assert!(
        said.contains("has ended (signal: 9") && said.contains("the demo with it"),
        "{said}"
    );
}

#[test]
fn a_busy_port_is_named_with_its_option() {
    let folder = tempfile::tempdir().unwrap();
    let ports = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let [gateway, shop] = ports;
    let refused = |gateway: &TcpListener, shop: &TcpListener| {
        let ended = command(folder.path(), gateway, shop).output().unwrap();
        assert!(!ended.status.success());
        String::from_utf8(ended.stderr).unwrap()
    };
    let both = refused(&gateway, &shop);
    assert!(both.contains("--shop-port"), "{both}");
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let free_port = free.local_addr().unwrap();
    drop(free);
    let ended = Command::new(env!("CARGO_BIN_EXE_payframe-gateway"))
        .args(["demo", "--gateway-port"])
        .arg(gateway.local_addr().unwrap().port().to_string())
        .args(["--shop-port", &free_port.port().to_string(), "--data"])
        .arg(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(
        !ended.status.success() && said.contains("--gateway-port"),
        "{said}"
    );
}
