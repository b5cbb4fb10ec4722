//! The sandbox's own acquirer passes the examiner, as every acquirer has to.

use crate::harness::TestApp;
use payframe_examiner::{
    Bench, Report, TestCards, Totals, Verdict, conversions, network_tokens, sequences, totals,
};
use payframe_payment_ports::{Acquirers, Clock, Ports};
use std::sync::{Arc, Mutex};

#[tokio::test]
async fn the_sandbox_passes_the_examiner() {
    let acquirers: Arc<Mutex<Option<Arc<dyn Acquirers>>>> = Arc::default();
    let found = acquirers.clone();
    let keep = move |ports: Ports| {
        *found.lock().unwrap() = Some(ports.acquirers.clone());
        ports
    };
    let _app = TestApp::with_ports(|_| {}, keep).await;
    let acquirers = acquirers.lock().unwrap().clone().unwrap();
    let acquirer = acquirers.named(None).unwrap();
    let mut cards = TestCards::of_sandbox();
    // The sandbox's issuers look at no cryptogram.
    cards
        .network_token
        .iter_mut()
        .for_each(|token| token.declined_cryptogram = None);
    let operations = ["VERIFY", "CANCEL", "INCREMENTAL"].map(String::from);
    let bench = Bench::new(
        acquirer,
        &cards,
        operations.to_vec(),
        Totals::Kept,
        Clock::system(),
    );
    let bench = bench.ok().unwrap();
    let mut report = Report::about("sandbox", "this process", "sandbox");
    sequences(&bench, &mut report).await;
    network_tokens(&bench, &mut report).await;
    conversions(&bench, &mut report).await;
    totals(&bench, &mut report).await;
    let others: Vec<_> = report
        .checks
        .iter()
        .filter(|check| match &check.verdict {
            Verdict::Passed => false,
            Verdict::Failed(_) => true,
            Verdict::NotTried(why) => !why.contains("no cryptogram with which"),
        })
        .collect();
    assert!(others.is_empty(), "{report}");
    assert!(report.checks.len() >= 18, "{report}");
}
