//! The order of the checks of a call. It decides which code is answered if several fit (contract 10.8).

use payframe_error_codes::ErrorCode::{self, *};

/// A check, and the answer to a call that fails it.
#[derive(Debug)]
pub(crate) struct Check {
    pub(crate) name: &'static str,
    pub(crate) failed: CheckFailure,
}

/// The answer to a call that fails a check.
#[derive(Debug)]
pub(crate) enum CheckFailure {
    /// One of these, with the status that it has.
    Codes(&'static [ErrorCode]),
    /// A description, in Markdown.
    Words(&'static str),
}

impl CheckFailure {
    /// The answer in Markdown, for the documents.
    pub(crate) fn markdown(&self) -> String {
        match self {
            CheckFailure::Words(words) => String::from(*words),
            CheckFailure::Codes(codes) => {
                let codes: Vec<String> = codes.iter().map(|code| format!("`{code}`")).collect();
                codes.join(", ")
            }
        }
    }
}

/// The checks of a call in their order: the first failed check answers.
pub(crate) const CHECKS: &[Check] = &[
    words("path and verb", "404; 405 with `Allow`"),
    words("credential", "401 `GW9020`"),
    words("rate", "429 `GW9002` with `Retry-After`"),
    words(
        "`x-sandbox-fault`",
        "`PS0026` where it is not allowed or malformed; else what it asks for",
    ),
    words(
        "size, media type, JSON",
        "413 `GW9004`, 415 `PS0035`, 400 `PS0035`",
    ),
    codes("header `Payframe-Version`", &[PS0026]),
    codes("header `Idempotency-Key`", &[PS0025]),
    codes(
        "members that nobody reads and addresses that are left out, with the header `Prefer: handling=strict`",
        &[GW9106, GW9107],
    ),
    words(
        "the idempotency key's stored answer",
        "that answer; `PS0025` for another request; 409 `GW9001`",
    ),
    codes(
        "the terminal's acquirer, where the call would have money asked for; and its 3-D Secure server, where a buyer pays",
        &[GW9009, GW9010],
    ),
    words(
        "the object in the path; the session",
        "404; `PS0061`. What belongs to another merchant is not there",
    ),
    codes("script in the data", SCRIPT),
    codes("fields: presence, type, accepted values, length", FIELDS),
    codes(
        "the proof of work of a card, while its terminal is under attack",
        &[GW9015],
    ),
    codes("fields against each other", COMBINATIONS),
    codes("things referred to", REFERENCES),
    codes(
        "state",
        &[
            GW9006, GW9007, GW9011, GW9012, PS0045, PS0044, PS0022, PS0023, PS0024, PS0028, PS0027,
            PS0001, PS0002, PS0029, GW9003,
        ],
    ),
    codes("the outer world", &[PS0004, PS0043, PS0032, PS0033, PS0034]),
    words(
        "the database, for whichever check or action needs it; and, before the credential, whether the process can work on one more call",
        "503 `GW9013` with `Retry-After`",
    ),
    words("a failure of ours", "500 `PS0000`"),
];

/// The groups of codes that come from reading a request. All errors of one group are answered, in the order of its row.
pub(crate) const FOUND_BY_READING: [&[ErrorCode]; 4] = [SCRIPT, FIELDS, COMBINATIONS, REFERENCES];

const SCRIPT: &[ErrorCode] = &[PS0041];

const FIELDS: &[ErrorCode] = &[GW0001, PS0026, GW9008, PS0036, PS0008, PS0010, PS0011];

const COMBINATIONS: &[ErrorCode] = &[PS0009, PS0007, PS0005, PS0006, PS0012, PS0013, PS0042];

const REFERENCES: &[ErrorCode] = &[GW0002, PS0040, PS0051, PS0052, PS0017, PS0018];

const fn codes(name: &'static str, codes: &'static [ErrorCode]) -> Check {
    Check {
        name,
        failed: CheckFailure::Codes(codes),
    }
}

const fn words(name: &'static str, words: &'static str) -> Check {
    Check {
        name,
        failed: CheckFailure::Words(words),
    }
}
