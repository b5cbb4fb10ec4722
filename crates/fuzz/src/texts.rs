//! Small parsers of texts that merchants, members, pages and wallets send. What is read is written so that it is read as the same.

use payframe_card_rules::secret::Secret;
use payframe_money::Amount;
use payframe_payment_domain::calendar::{instant, parse_instant};
use payframe_payment_domain::card_data_in_text;
use payframe_payment_domain::dispute::evidence_file::{EvidenceFileType, FilesSoFar, judge};
use payframe_payment_domain::network_token::TokenCryptogram;
use payframe_proof_of_work::Puzzle;

/// A description, a note, an id of a customer. Whatever stands before it, a card number is found.
pub(crate) fn merchant_text(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let with_number = format!("{text}\ncard: 4761730000000003.");
    assert!(
        card_data_in_text::find(&with_number).is_some(),
        "a card number hides"
    );
}

pub(crate) fn merchant_texts() -> Vec<Vec<u8>> {
    samples(&[
        "Order 42, two lamps",
        "paid by 4761 7300 0000 0003",
        "CVV: 123",
        "IT60X0542811101000000123456",
        "４７６１７３００００００００００３",
    ])
}

/// An amount as the API or a member writes it, and an instant.
pub(crate) fn amount_or_instant(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Some(amount) = Amount::parse(text) {
        assert_eq!(Amount::parse(&amount.to_string()), Some(amount));
    }
    for digits in 0..=4 {
        if let Some(amount) = Amount::parse_typed(text, digits) {
            let again = Amount::parse_typed(&amount.to_typed(digits), digits);
            assert_eq!(again, Some(amount));
        }
    }
    if let Some(ms) = parse_instant(text).filter(|ms| *ms <= LAST_INSTANT_MS) {
        assert_eq!(parse_instant(&instant(ms)), Some(ms));
    }
}

pub(crate) fn amounts_and_instants() -> Vec<Vec<u8>> {
    samples(&[
        "3545",
        "000000000001",
        "12,50",
        "1.2345",
        "2026-11-20T10:00:00.000Z",
        "2026-11-20T10:00:00.0001+02:00",
        "2026-11-20 10:00:00.5",
        "9999-12-31T23:59:59.999Z",
    ])
}

/// A puzzle and an answer to it, in the second line.
pub(crate) fn proof_of_work(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let (text, answer) = text.split_once('\n').unwrap_or((text, ""));
    let Some(puzzle) = Puzzle::parse(text) else {
        return;
    };
    assert_eq!(puzzle.text(), text);
    if puzzle.is_solved_by(answer) {
        // What is right is written in one way only.
        for other in [
            format!("{answer}."),
            format!("0{answer}"),
            format!("+{answer}"),
        ] {
            assert!(!puzzle.is_solved_by(&other), "{other}");
        }
    }
}

pub(crate) fn proofs_of_work() -> Vec<Vec<u8>> {
    samples(&[
        "0.1.token\n0",
        "0.3.token\n1.2.3",
        "15.16.token\n266.78.156",
        "1.2.a.b\n5.6",
    ])
}

/// A file that a merchant uploads as evidence, behind its name and a line break.
pub(crate) fn evidence_file(bytes: &[u8]) {
    let place = bytes.iter().position(|byte| *byte == b'\n');
    let (name, content) = bytes.split_at(place.unwrap_or(bytes.len()));
    let content = content.get(1..).unwrap_or_default();
    let Ok(name) = std::str::from_utf8(name) else {
        return;
    };
    if let Ok(kind) = judge(name, content, FilesSoFar::default()) {
        assert!(!name.contains(['/', '\\', '\r', '\0']), "{name}");
        assert_eq!(
            EvidenceFileType::from_media_type(kind.media_type()),
            Some(kind)
        );
    }
}

pub(crate) fn evidence_files() -> Vec<Vec<u8>> {
    vec![
        b"receipt.pdf\n%PDF-1.7".to_vec(),
        b"photo.png\n\x89PNG\r\n\x1a\n".to_vec(),
        "Quittung für Zoë.jpg\n"
            .bytes()
            .chain(*b"\xff\xd8\xff\xe0")
            .collect(),
        b"a.html\n<script>".to_vec(),
    ]
}

/// The cryptogram of a wallet's network token, and its indicator in the second line.
pub(crate) fn cryptogram(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let (value, eci) = text.split_once('\n').unwrap_or((text, ""));
    if let Ok(cryptogram) = TokenCryptogram::read(value, Some(eci)) {
        // Exposed to be compared with what was read.
        let (again, eci) = (Secret::expose(cryptogram.value()), cryptogram.eci());
        let again = TokenCryptogram::read(again, eci);
        assert_eq!(
            again.ok().as_ref().and_then(TokenCryptogram::eci),
            cryptogram.eci()
        );
    }
}

pub(crate) fn cryptograms() -> Vec<Vec<u8>> {
    samples(&["AgAAAAAABk4DWZ4C28yUQAAAAAA=\n7", "AAAA\n", "AA==\n05"])
}

pub(crate) fn samples(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}
/// The last instant that is written as it is.
const LAST_INSTANT_MS: i64 = 253_402_300_799_999;
