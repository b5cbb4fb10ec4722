//! A file of one acquirer, and what happens if one thing in it is different.

use super::*;

const MAPPING: &str = r#"
name = "Example"
separator = ";"
decimal_mark = ","
date_format = "%d.%m.%Y"
time_zone = "Europe/Rome"

[columns]
operation = "Merchant reference"
retrieval_reference = "RRN"
acquirer_reference = "ARN"
kind = "Type"
amount = "Gross"
currency = "Currency"
fee = "Fee"
net = "Net"
payout = "Payout"
booked = "Booked"

[kinds]
payment = ["Sale"]
refund = ["Refund"]
other = ["Fee"]
skip = ["Total"]
"#;

const HEADER: &str = "Type;Merchant reference;RRN;ARN;Card;Gross;Fee;Net;Currency;Payout;Booked";
const SALE: &str =
    "Sale;100000000000000001;652310000001;74;4761********0003;35,45;0,40;35,05;EUR;P1;20.11.2026";
const REFUND: &str = "Refund;100000000000000002;;75;;10,00;0,00;10,00;EUR;P1;21.11.2026";

fn mapping() -> Mapping {
    Mapping::parse(MAPPING).unwrap()
}

fn file(lines: &[&str]) -> String {
    let mut text = format!("{HEADER}\n");
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// Reads a file with the sale, in which this is replaced.
fn changed(from: &str, to: &str) -> Result<Vec<ClearingLine>, ReadError> {
    let text = file(&[SALE]);
    assert!(text.contains(from), "{from}");
    read(&mapping(), text.replace(from, to).as_bytes())
}

#[test]
fn a_file_is_read() {
    let lines = read(&mapping(), file(&[SALE, REFUND]).as_bytes()).unwrap();
    let [sale, refund] = lines.as_slice() else {
        panic!("{lines:?}");
    };
    assert_eq!((sale.number, sale.kind), (2, LineKind::Payment));
    assert_eq!(
        (sale.gross_minor, sale.fee_minor, sale.net_minor),
        (3545, 40, 3505)
    );
    assert_eq!(
        sale.references.operation_id.as_deref(),
        Some("100000000000000001")
    );
    assert_eq!(sale.references.retrieval.as_deref(), Some("652310000001"));
    assert_eq!(
        (sale.payout_id.as_deref(), sale.currency.as_str()),
        (Some("P1"), "EUR")
    );
    // Midnight in Rome.
    assert_eq!(
        (sale.booked_day.as_str(), sale.booked_ms),
        ("2026-11-20", 1_795_129_200_000)
    );
    assert_eq!((refund.number, refund.kind), (3, LineKind::Refund));
    assert_eq!(
        (refund.gross_minor, refund.fee_minor, refund.net_minor),
        (-1000, 0, -1000)
    );
    assert_eq!(refund.references.retrieval, None);
    assert_ne!(sale.identity, refund.identity);
}

#[test]
fn a_byte_order_mark_line_ends_and_quotes_do_not_matter() {
    let plain = read(&mapping(), file(&[SALE]).as_bytes()).unwrap();
    let text = file(&[SALE]).replace('\n', "\r\n").replace("P1", "\"P1\"");
    assert_eq!(
        read(&mapping(), format!("\u{feff}{text}").as_bytes()).unwrap(),
        plain
    );
}

#[test]
fn lines_before_the_header_are_skipped_and_counted() {
    let mapping = Mapping::parse(&format!("skip_lines = 2\n{MAPPING}")).unwrap();
    let text = format!("Clearing of P1\nAcquirer\n{}", file(&[SALE]));
    assert_eq!(read(&mapping, text.as_bytes()).unwrap()[0].number, 4);
    let problem = read(&mapping, text.replace("35,45", "x").as_bytes()).unwrap_err();
    assert!(
        problem.to_string().starts_with("line 4, column Gross: "),
        "{problem}"
    );
}

#[test]
fn totals_are_skipped_and_fees_need_no_reference() {
    let total = "Total;;;;;45,45;;;EUR;;21.11.2026";
    let fee = "Fee;;;;;-3,00;;;EUR;P1;21.11.2026";
    let lines = read(&mapping(), file(&[SALE, total, fee]).as_bytes()).unwrap();
    assert_eq!(lines.len(), 2);
    assert_eq!(
        (lines[1].kind, lines[1].net_minor, lines[1].number),
        (LineKind::Other, -300, 4)
    );
}

#[test]
fn what_a_line_leaves_out_follows_from_the_rest() {
    for (from, to, expected) in [
        ("35,45;0,40;35,05", "35,45;;35,05", (3545, 40, 3505)),
        ("35,45;0,40;35,05", "35,45;0,40;", (3545, 40, 3505)),
        ("35,45;0,40;35,05", "35,45;;", (3545, 0, 3545)),
    ] {
        let line = &changed(from, to).unwrap()[0];
        assert_eq!((line.gross_minor, line.fee_minor, line.net_minor), expected);
    }
}

#[test]
fn without_a_column_for_the_kind_the_sign_tells_it() {
    let text = "name = \"X\"\ncurrency = \"JPY\"\namounts = \"minor\"\nfees = \"signed\"\n[columns]\norder = \"o\"\namount = \"a\"\nfee = \"f\"\nbooked = \"d\"\n";
    let mapping = Mapping::parse(text).unwrap();
    let lines = read(
        &mapping,
        b"o,a,f,d\nA1,3545,-40,2026-11-20\nA1,-1000,0,2026-11-20\n",
    )
    .unwrap();
    let short = |line: &ClearingLine| (line.kind, line.gross_minor, line.fee_minor, line.net_minor);
    assert_eq!(short(&lines[0]), (LineKind::Payment, 3545, 40, 3505));
    assert_eq!(short(&lines[1]), (LineKind::Refund, -1000, 0, -1000));
}

#[test]
fn what_can_not_be_read_is_said_with_line_and_column_and_without_the_value() {
    for (from, to, expected) in [
        (
            "35,45",
            "35.45",
            "line 2, column Gross: must be a number with at most 2 decimals, such as 12,50",
        ),
        (
            "EUR",
            "EURO",
            "line 2, column Currency: must be the three letters of a currency, such as EUR",
        ),
        (
            "20.11.2026",
            "2026-11-20",
            "line 2, column Booked: must be a time as %d.%m.%Y",
        ),
        (
            "20.11.2026",
            "31.11.2026",
            "line 2, column Booked: must be a time as %d.%m.%Y",
        ),
        (
            "Sale",
            "Payment",
            "line 2, column Type: must be one of Sale, Refund, Fee, Total",
        ),
        (
            "35,45",
            "-35,45",
            "line 2, column Gross: must be positive for a payment",
        ),
        (
            "35,05",
            "35,45",
            "line 2, column Net: must be the amount less the fee",
        ),
        (
            ";P1;",
            ";P1;P2;",
            "line 2: it has 12 columns, and the header has 11",
        ),
        (
            "100000000000000001;652310000001",
            ";",
            "line 2: it has none of the references of the mapping",
        ),
        (
            "Payout",
            "Batch",
            "the header has no column Payout; it has: Type, Merchant reference, RRN, ARN, Card, Gross, Fee, Net, Currency, Batch, Booked",
        ),
        ("Card", "RRN", "the header has the column RRN twice"),
        (SALE, "", "the file has a header and no line"),
    ] {
        assert_eq!(changed(from, to).unwrap_err().to_string(), expected);
    }
    let text = file(&[SALE]).replace("P1", "P\u{1}");
    let problem = read(&mapping(), text.as_bytes()).unwrap_err().to_string();
    assert!(
        problem.contains("column Payout: must be at most 100 characters"),
        "{problem}"
    );
    let mut bytes = file(&[SALE, REFUND]).into_bytes();
    let at = bytes.len() - 14;
    bytes[at] = 0xff;
    let problem = read(&mapping(), &bytes);
    assert_eq!(problem, Err(ReadError::Encoding { line: 3 }));
}

#[test]
fn a_time_of_its_own_zone_is_an_instant() {
    let mapping = MAPPING.replace("%d.%m.%Y", "%Y-%m-%dT%H:%M:%S%:z");
    let mapping = Mapping::parse(&mapping).unwrap();
    let text = file(&[SALE]).replace("20.11.2026", "2026-11-20T23:30:00+00:00");
    let line = &read(&mapping, text.as_bytes()).unwrap()[0];
    assert_eq!(
        (line.booked_day.as_str(), line.booked_ms),
        ("2026-11-21", 1_795_217_400_000)
    );
}

#[test]
fn no_bytes_make_reading_panic() {
    let text = file(&[SALE, REFUND]).into_bytes();
    for at in 0..text.len() {
        for byte in [b'\n', b'"', b';', 0xff, b'-', b'0'] {
            let mut bytes = text.clone();
            bytes[at] = byte;
            let _ = read(&mapping(), &bytes);
            let _ = read(&mapping(), &bytes[..at]);
        }
    }
}
