//! Clearing files of acquirers: imported by command, shown in the back office, read by merchants' servers.

mod api;
mod differences;
mod import;
mod office;
mod sandbox_file;

use crate::actions::{done, paid};
use crate::harness::TestApp;
use crate::keys::command;

const IMPLICIT: &str = "sandbox-implicit";
const EXPLICIT: &str = "sandbox-explicit";
const DAY: u64 = 24 * 3600;

const HEADER: &str =
    "Type;Merchant reference;RRN;Acquirer reference;Gross;Fee;Net;Currency;Payout;Booked";

const MAPPING: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../examples/settlement/mapping.toml"
);

/// A line for this operation.
fn line(kind: &str, operation_id: &str, gross: &str) -> String {
    format!("{kind};{operation_id};;{kind}-{operation_id};{gross};;;EUR;P-1;2026-11-20")
}

/// Writes a file with these lines, and returns where it is.
fn file(app: &TestApp, name: &str, lines: &[String]) -> String {
    let path = app.data().join(name);
    std::fs::write(&path, format!("{HEADER}\n{}\n", lines.join("\n"))).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Imports a file for the terminal that captures at once.
async fn import(app: &TestApp, name: &str, lines: &[String]) -> String {
    import_for(app, "91000001", name, lines).await
}

/// Imports a file for this terminal.
async fn import_for(app: &TestApp, terminal_id: &str, name: &str, lines: &[String]) -> String {
    let path = file(app, name, lines);
    let words = [
        "settlement",
        "import",
        "--terminal",
        terminal_id,
        "--mapping",
        MAPPING,
        &path,
    ];
    Box::pin(command(app, &words)).await.unwrap()
}

/// The id in what an import printed.
fn id_of(told: &str) -> String {
    let (_, behind) = told.split_once("is settlement ").unwrap();
    behind.lines().next().unwrap().to_owned()
}

/// Imports a file of the demo merchant, and returns the id of its settlement.
pub(crate) async fn imported(app: &TestApp) -> String {
    let unknown = line("SALE", "100000000000000009", "5.00");
    id_of(&import(app, "imported.csv", &[unknown]).await)
}

/// A merchant with two sales and a refund of a part of the second, and a file in which the second sale has another amount, the refund is
/// not, and a payment is that nobody knows.
struct Month {
    sale: String,
    short: String,
    refund: String,
    file_id: String,
}

async fn month(app: &TestApp) -> Month {
    let sale = paid(app, IMPLICIT, "A1", "EUR").await;
    let short = paid(app, IMPLICIT, "A2", "EUR").await;
    let refund = done(app, &short, "refunds", 2500).await;
    let lines = [
        format!("SALE;{sale};;S1;100.00;1.10;98.90;EUR;P-1;2026-11-20"),
        line("SALE", &short, "99.00"),
        line("SALE", "100000000000000009", "5.00"),
        String::from("FEE;;;F1;-2.00;;;EUR;P-1;2026-11-20"),
    ];
    let told = import(app, "may.csv", &lines).await;
    Month {
        sale,
        short,
        refund,
        file_id: id_of(&told),
    }
}
