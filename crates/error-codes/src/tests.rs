//! Every code has an explanation, and the sources use it.

use super::*;
use regex::Regex;
use std::collections::BTreeSet;
use std::path::Path;
use strum::IntoEnumIterator;

/// The codes that the sources return. Tests are excluded, and so are the files that explain the codes or define their order.
fn given_by(folders: &[&str]) -> BTreeSet<String> {
    const LISTS: [&str; 6] = [
        "build_messages.rs",
        "error-codes/src/lib.rs",
        "explanation.rs",
        "order_of_checks.rs",
        "openapi.rs",
        "tests.rs",
    ];
    fn read(folder: &Path, text: &mut String) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                read(&path, text);
            } else if [".rs", ".js"].iter().any(|end| name.ends_with(end))
                && !LISTS.iter().any(|list| path.ends_with(list))
            {
                let source = std::fs::read_to_string(&path).unwrap();
                let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
                // Comments, imports and the lists of possible refusals do not return a code.
                let lists =
                    r"//.*|(?m:^) *(?:pub(?:\([a-z]+\))? )?use [^;]*;|refusals: &\[[^\]]*\]";
                let lists = Regex::new(lists).unwrap();
                text.push_str(&lists.replace_all(source, ""));
            }
        }
    }
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut text = String::new();
    for folder in folders {
        read(&root.join(folder), &mut text);
    }
    let code = Regex::new(r"\b(?:(?:PS|GW|HF)\d{4}|TRA\d{3})\b").unwrap();
    code.find_iter(&text)
        .map(|found| found.as_str().to_owned())
        .collect()
}

#[test]
fn every_code_is_given_or_said_not_to_be() {
    let given = given_by(&["gateway/src", "crates", "src", "www"]);
    let (listed, not_given): (BTreeSet<_>, BTreeSet<_>) = ErrorCode::iter()
        .map(|code| (code.to_string(), code.explanation().remedy.is_some()))
        .partition(|(_, is_given)| *is_given);
    let names = |codes: BTreeSet<(String, bool)>| -> BTreeSet<String> {
        codes.into_iter().map(|(name, _)| name).collect()
    };
    let (listed, not_given) = (names(listed), names(not_given));
    let unknown: Vec<&String> = given.difference(&listed).collect();
    let unused: Vec<&String> = listed.difference(&given).collect();
    assert!(
        unknown.is_empty(),
        "given, but no code of ours: {unknown:?}; make each a variant of ErrorCode, with a remedy"
    );
    assert!(
        unused.is_empty(),
        "nothing gives {unused:?}; delete the variants, or explain them as not_given"
    );
    assert!(not_given.is_disjoint(&given), "given after all");
}

#[test]
fn every_code_says_what_it_means_and_what_to_do() {
    for code in ErrorCode::iter() {
        let meaning = code.meaning();
        assert!(
            !meaning.is_empty() && !meaning.contains('\n'),
            "{code}: {meaning:?}"
        );
        if let Some(remedy) = code.explanation().remedy {
            assert!(remedy.ends_with('.'), "{code}: what is to be done?");
        }
    }
}

/// Clients see the name of the variant, so it must not change.
#[test]
fn codes_are_written_as_the_contract_writes_them() {
    let form = Regex::new(r"^(?:(?:PS|GW|HF)\d{4}|TRA\d{3})$").unwrap();
    for code in ErrorCode::iter() {
        assert!(form.is_match(&code.to_string()), "{code}");
        assert_eq!(code.to_string(), <&str>::from(code));
    }
}

/// The types that merchants' pages are checked with.
#[test]
fn the_declarations_for_pages_name_the_codes_for_pages() {
    let declarations = include_str!("../../../www/sdk/build-messages.d.ts");
    let code = Regex::new(r"'(HF\d{4})'").unwrap();
    let declared: BTreeSet<&str> = code
        .captures_iter(declarations)
        .map(|found| found.get(1).unwrap().as_str())
        .collect();
    let ours: BTreeSet<&str> = ErrorCode::iter()
        .map(<&str>::from)
        .filter(|code| code.starts_with("HF"))
        .collect();
    assert_eq!(declared, ours);
}

/// D7, contract 7.5: the codes for a field of the form that is not valid.
#[test]
fn refused_card_data_has_the_contracts_codes() {
    use payframe_card_rules::card_number::CardNumberError as Number;
    use payframe_card_rules::expiry::ExpiryError;
    use payframe_card_rules::holder::{EmailError, HolderNameError};
    use payframe_card_rules::network::Network;
    use payframe_card_rules::security_code::SecurityCodeError;
    let number = |problem: Number| ErrorCode::from(problem).to_string();
    for problem in [
        Number::Empty,
        Number::NotDigits,
        Number::TooShort,
        Number::TooLong,
        Number::WrongLength,
        Number::CheckDigit,
    ] {
        assert_eq!(number(problem), "HF0004", "{problem:?}");
    }
    assert_eq!(number(Number::UnknownNetwork), "HF0005");
    assert_eq!(number(Number::NotAccepted(Network::Jcb)), "HF0005");
    assert_eq!(ErrorCode::from(ExpiryError::Past).to_string(), "HF0006");
    assert_eq!(
        ErrorCode::from(SecurityCodeError::Empty).to_string(),
        "HF0001"
    );
    assert_eq!(
        ErrorCode::from(HolderNameError::Symbols).to_string(),
        "HF0007"
    );
    assert_eq!(ErrorCode::from(EmailError::Form).to_string(), "HF0001");
}

/// Contract 8.2: the codes for a refused follow-up operation or charge on a reservation.
#[test]
fn refused_operations_have_the_contracts_codes() {
    use payframe_payment_domain::ledger_rules::FollowUpError as FollowUp;
    use payframe_payment_domain::reservation::charges::ReservationChargeError as Charge;
    for (problem, code) in [
        (FollowUp::CaptureOfVoided, "PS0022"),
        (FollowUp::CaptureOfExecuted, "PS0023"),
        (FollowUp::CaptureOfRefunded, "PS0024"),
        (FollowUp::AlreadyVoided, "PS0028"),
        (FollowUp::AlreadyRefunded, "PS0027"),
        (FollowUp::OtherDay, "PS0002"),
        (FollowUp::AboveCaptured, "PS0029"),
        (FollowUp::AboveOpen, "PS0026"),
        (FollowUp::AboveIncrement, "PS0026"),
        (FollowUp::NotTheOpenAmount, "PS0026"),
        (FollowUp::State, "GW9003"),
    ] {
        assert_eq!(ErrorCode::from(problem).to_string(), code, "{problem:?}");
    }
    assert_eq!(ErrorCode::from(Charge::Nothing).to_string(), "PS0026");
    assert_eq!(ErrorCode::from(Charge::NoCard).to_string(), "PS0043");
    assert_eq!(ErrorCode::from(Charge::Cancelled).to_string(), "GW9003");
}
