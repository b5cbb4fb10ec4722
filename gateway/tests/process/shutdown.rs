//! A gateway that is stopped finishes running calls.

use crate::http;
use crate::process::Process;
use crate::shop::{APPROVED, pay_with, socket};
use std::process::Command;

#[test]
fn a_call_that_runs_gets_its_answer_and_then_the_process_ends() {
    let folder = tempfile::tempdir().unwrap();
    let settings = [("PAYFRAME_METRICS_LISTEN", "127.0.0.1:0")];
    let mut gateway = Process::start(folder.path(), &settings);
    let server = socket(&gateway.address);
    let metrics = socket(gateway.said[0].strip_prefix("metrics at ").unwrap());
    // The payment is booked at once, and its answer comes late.
    let call = std::thread::spawn(move || {
        pay_with(server, "A1", APPROVED, &[("x-sandbox-fault", "slow:3000")])
    });
    loop {
        let measured = http::send(metrics, "GET", "/metrics", &[], "").unwrap();
        if measured.text.contains("payframe_operations_total{") {
            break;
        }
    }
    let pid = gateway.child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(call.join().unwrap(), "EXECUTED");
    assert!(gateway.child.wait().unwrap().success());
    assert!(http::send(server, "GET", "/health", &[], "").is_err());
}
