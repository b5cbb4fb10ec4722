//! Every code in one table, for the reference: those of refused calls ([`super::codes`]), of warnings, and of the fields and
//! buttons of the class `Build` in the browser (contract 7.5, 10.7).
//!
//! A test compares it with the sources: a code that is given somewhere has to be here, and one that is not given
//! anywhere is said to be so.

use super::codes::{CODES, Code, Fault};

/// As a table of Markdown, sorted by code.
pub(super) fn table() -> String {
    let mut rows: Vec<(&str, String)> = CODES
        .iter()
        .map(|code| {
            let status = match code.code {
                "PS0035" => String::from("400, 415"),
                _ => code.status.to_string(),
            };
            (code.code, row(code, &status))
        })
        .collect();
    rows.extend(
        WARNINGS
            .iter()
            .map(|code| (code.code, row(code, "warning"))),
    );
    rows.extend(
        FRAME_CODES
            .iter()
            .map(|code| (code.code, row(code, "browser"))),
    );
    rows.sort_unstable_by_key(|(code, _)| {
        let kind = ["PS", "GW", "TRA", "HF"]
            .iter()
            .position(|kind| code.starts_with(kind));
        (kind, *code)
    });
    let mut table = String::from(
        "| Code | Status | Meaning | Whose fault | What to do |\n|---|---|---|---|---|\n",
    );
    table.extend(rows.into_iter().map(|(_, row)| row));
    table
}

fn row(code: &Code, status: &str) -> String {
    let remedy = match NOT_GIVEN.contains(&code.code) {
        true => "Nothing: this gateway does not give it. Clients may know it from others.",
        false => code.remedy,
    };
    format!(
        "| `{}` | {status} | {} | {} | {remedy} |\n",
        code.code,
        capital(code.meaning),
        code.fault.words(),
    )
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

impl Fault {
    fn words(self) -> &'static str {
        match self {
            Fault::Caller => "who calls",
            Fault::Buyer => "the buyer",
            Fault::Outside => "issuer, network or method",
            Fault::Operator => "the gateway's operator",
            Fault::Gateway => "the gateway",
            Fault::Nobody => "nobody",
        }
    }
}

/// Of the contract, and given by nothing here.
const NOT_GIVEN: &[&str] = &[
    "PS0001", "PS0018", "PS0032", "PS0033", "PS0034", "PS0040", "PS0051",
];

const fn remark(
    code: &'static str,
    meaning: &'static str,
    fault: Fault,
    remedy: &'static str,
) -> Code {
    Code {
        code,
        // Not a status of a refusal: the call is carried out.
        status: 200,
        meaning,
        fault,
        remedy,
    }
}

/// In `warnings` of answers and operations. What was asked for is done.
const WARNINGS: &[Code] = &[
    remark(
        "GW9101",
        "the language is not spoken, English is used",
        Fault::Caller,
        "Ask for a language that the gateway speaks.",
    ),
    remark(
        "GW9102",
        "the currency offer that the buyer had taken is dropped, because the amount changed",
        Fault::Nobody,
        "Nothing: the order's currency is charged.",
    ),
    remark(
        "GW9103",
        "an earlier session or page of the same order is closed",
        Fault::Nobody,
        "Nothing; forget the earlier one.",
    ),
    remark(
        "GW9104",
        "the currency has been withdrawn",
        Fault::Caller,
        "Move to the currency that took its place.",
    ),
    remark(
        "GW9105",
        "the idempotency key was missing, and one was made",
        Fault::Caller,
        "Send a key of your own: without one the call cannot be repeated safely.",
    ),
    remark(
        "TRA001",
        "3-D Secure was not done, or could not be",
        Fault::Outside,
        "Weigh the risk: the liability may be the merchant's.",
    ),
];

/// `errorCode` of the events of the class `Build`.
const FRAME_CODES: &[Code] = &[
    remark(
        "HF0001",
        "the security code, the e-mail address, a consent or a choice is wrong",
        Fault::Buyer,
        "Let the buyer correct it.",
    ),
    remark(
        "HF0002",
        "the service is briefly unavailable",
        Fault::Gateway,
        "Let the buyer try again.",
    ),
    remark(
        "HF0003",
        "the session is over",
        Fault::Buyer,
        "Start again from `POST /orders/build`.",
    ),
    remark(
        "HF0004",
        "the card number has a wrong check digit or length",
        Fault::Buyer,
        "Let the buyer correct it.",
    ),
    remark(
        "HF0005",
        "the card's network is not accepted",
        Fault::Buyer,
        "Let the buyer take another card.",
    ),
    remark(
        "HF0006",
        "the card has expired, or that is no expiry date",
        Fault::Buyer,
        "Let the buyer correct it.",
    ),
    remark(
        "HF0007",
        "the holder's name is wrong; at `confirmData()`: some field is, see `validationStatus`",
        Fault::Buyer,
        "Let the buyer correct it.",
    ),
    remark(
        "HF0009",
        "the device check failed, and the payment with it",
        Fault::Outside,
        "Show the outcome; make a new session for another try.",
    ),
    remark(
        "HF9001",
        "the currency offer has expired, or is one for something else",
        Fault::Buyer,
        "Let the buyer choose again.",
    ),
    remark(
        "HF9002",
        "the frame can not run: blocked, not loaded, or no such field",
        Fault::Caller,
        "Look whether the page's policy or a filter keeps the frame out, and whether the session has the field.",
    ),
    remark(
        "HF9003",
        "the page's origin is not that of `merchantUrl`",
        Fault::Caller,
        "Name the page's origin in `merchantUrl`.",
    ),
    remark(
        "HF9004",
        "a method was called in a state that does not allow it",
        Fault::Caller,
        "Call it once the state allows it.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use regex::Regex;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// What the sources hold of a form of codes. Left out are tests, and the lists that say what codes mean and in
    /// which order they come.
    fn found(folders: &[&str], form: &str) -> BTreeSet<String> {
        const LISTS: [&str; 4] = ["codes.rs", "code_list.rs", "openapi.rs", "tests.rs"];
        fn read(folder: &Path, text: &mut String) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap();
                if path.is_dir() {
                    read(&path, text);
                } else if [".rs", ".js"].iter().any(|end| name.ends_with(end))
                    && !LISTS.contains(&name)
                {
                    let source = std::fs::read_to_string(&path).unwrap();
                    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
                    text.push_str(source.split("const PRECEDENCE:").next().unwrap());
                }
            }
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let mut text = String::new();
        for folder in folders {
            read(&root.join(folder), &mut text);
        }
        let form = Regex::new(form).unwrap();
        form.captures_iter(&text)
            .map(|found| found[1].to_owned())
            .collect()
    }

    fn compare(given: &BTreeSet<String>, lists: &[&'static [Code]], list: &str) {
        let listed: BTreeSet<String> = codes(lists)
            .filter(|code| !NOT_GIVEN.contains(code))
            .map(str::to_owned)
            .collect();
        let missing: Vec<&String> = given.difference(&listed).collect();
        let unused: Vec<&String> = listed.difference(given).collect();
        assert!(
            missing.is_empty(),
            "given, but without a meaning: {missing:?}; write it into {list}"
        );
        assert!(
            unused.is_empty(),
            "nothing gives {unused:?}; delete them from {list}, or say so in NOT_GIVEN"
        );
    }

    fn codes(lists: &[&'static [Code]]) -> impl Iterator<Item = &'static str> {
        lists
            .iter()
            .flat_map(|list| list.iter())
            .map(|code| code.code)
    }

    #[test]
    fn the_codes_of_calls_are_those_of_the_sources() {
        let given = found(&["gateway/src", "crates"], r#""((?:PS|GW|TRA)\d{3,4})""#);
        compare(
            &given,
            &[CODES, WARNINGS],
            "CODES of routes/codes.rs, or WARNINGS of routes/code_list.rs",
        );
    }

    #[test]
    fn the_codes_in_the_browser_are_those_of_the_sources() {
        let given = found(&["gateway/src", "crates", "src", "www"], r"\b(HF\d{4})\b");
        compare(&given, &[FRAME_CODES], "FRAME_CODES of routes/code_list.rs");
    }

    #[test]
    fn every_code_is_in_the_table_once_with_what_to_do() {
        let table = table();
        for code in codes(&[CODES, WARNINGS, FRAME_CODES]) {
            let start = format!("| `{code}` |");
            assert_eq!(table.matches(&start).count(), 1, "{code}");
        }
        for code in CODES.iter().chain(WARNINGS).chain(FRAME_CODES) {
            assert!(
                code.remedy.ends_with('.'),
                "{}: what is to be done?",
                code.code
            );
            assert!(!code.meaning.ends_with('.'), "{}: meaning", code.code);
        }
    }
}
