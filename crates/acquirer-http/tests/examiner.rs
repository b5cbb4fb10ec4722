//! The examiner restarts adapters, and looks at payments of which a part is approved. The other checks are in `gateway/tests/process/acquirers.rs`.

// This file has only tests: a panic fails the test.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use payframe_acquirer_http::examiner::examine;
use payframe_acquirer_http::{AcquirerFile, Place};
use payframe_examiner::{Report, Verdict};
use payframe_payment_ports::Clock;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// An adapter in Python that the examiner can restart, until it is dropped.
struct Adapter {
    folder: TempDir,
}

impl Adapter {
    fn start(program: &str, arguments: &[&str]) -> Adapter {
        let folder = tempfile::tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let place = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(place("main.secret"), SECRET).unwrap();
        let port = free_port();
        let mut command = vec![
            String::from("python3"),
            root.join("crates/acquirer-http/tests/examiner/restart.py")
                .display()
                .to_string(),
            place("pid"),
            port.to_string(),
            root.join(program).display().to_string(),
        ];
        command.extend(["--secret-file".into(), place("main.secret")]);
        command.extend(["--database".into(), place("adapter.db")]);
        command.extend(["--pending-seconds".into(), "0.5".into()]);
        command.extend(arguments.iter().map(ToString::to_string));
        let file = format!(
            "[[acquirer]]\nname = 'main'\nurl = 'http://127.0.0.1:{port}/payframe'\nsecret_file = 'main.secret'\ntest_endpoint = true\n\
             [acquirer.test_cards]\napproved = '4761730000000003'\ndeclined = '4761730000001167'\npartial = '4761730000000102'\n\
             expiry = '1240'\nsecurity_code = '123'\ncurrencies = ['EUR', 'JPY']\nrestart_command = {command:?}\n"
        );
        std::fs::write(place("acquirers.toml"), file).unwrap();
        let started = Command::new(&command[0]).args(&command[1..]).status();
        assert!(started.expect("python3 runs the adapter").success());
        Adapter { folder }
    }

    async fn examine(&self) -> Report {
        let file: PathBuf = self.folder.path().join("acquirers.toml");
        let file = AcquirerFile::read(&file, Place::Examination).unwrap();
        examine(&file.acquirers()[0], Clock::system())
            .await
            .unwrap()
    }
}

impl Drop for Adapter {
    fn drop(&mut self) {
        if let Ok(pid) = std::fs::read_to_string(self.folder.path().join("pid")) {
            // It may have ended already.
            let _ = Command::new("kill").args(["-KILL", &pid]).status();
        }
    }
}

/// A port that nobody uses.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn verdict<'a>(report: &'a Report, name: &str) -> &'a Verdict {
    let found = report.checks.iter().find(|check| check.name.contains(name));
    &found
        .unwrap_or_else(|| panic!("no check {name}: {report}"))
        .verdict
}

#[tokio::test]
async fn the_example_in_python_keeps_its_books_over_a_restart() {
    let report = Adapter::start(EXAMPLE, &[]).examine().await;
    assert_eq!(report.failures().count(), 0, "{report}");
    assert_eq!(verdict(&report, RESTART), &Verdict::Passed, "{report}");
    assert_eq!(verdict(&report, PART), &Verdict::Passed, "{report}");
}

#[test]
fn the_example_in_python_can_be_read_at_once() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(EXAMPLE);
    let lines = std::fs::read_to_string(file).unwrap().lines().count();
    assert!(lines <= 400, "{lines} lines");
}

#[tokio::test]
async fn an_adapter_that_loses_its_books_is_found() {
    let report = Adapter::start(FAULTY, &["--fault", "loses-its-books"])
        .examine()
        .await;
    assert!(
        matches!(verdict(&report, RESTART), Verdict::Failed(_)),
        "{report}"
    );
}

#[tokio::test]
async fn an_adapter_that_takes_a_part_for_the_whole_is_found() {
    let report = Adapter::start(FAULTY, &["--fault", "takes-a-part"])
        .examine()
        .await;
    assert!(
        matches!(verdict(&report, PART), Verdict::Failed(_)),
        "{report}"
    );
}

const EXAMPLE: &str = "examples/acquirer-python/adapter.py";
const FAULTY: &str = "gateway/tests/process/acquirers/faulty_adapter.py";
/// Anything with 32 bytes.
const SECRET: &str = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const RESTART: &str = "after the adapter was stopped and started";
const PART: &str = "of which a part is approved is declined";
