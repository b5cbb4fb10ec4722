//! Every code in one table, for the reference: codes of refused calls, of warnings, and of the fields and buttons of the class
//! `Build` in the browser (contract 7.5, 10.7).

use payframe_error_codes::{CodeSource, ErrorCode};
use strum::IntoEnumIterator;

/// As a table of Markdown, sorted by code.
pub(super) fn table() -> String {
    let mut codes: Vec<(&'static str, ErrorCode)> =
        ErrorCode::iter().map(|code| (code.into(), code)).collect();
    codes.sort_unstable_by_key(|(name, _)| {
        let kind = ["PS", "GW", "TRA", "HF"]
            .iter()
            .position(|kind| name.starts_with(kind));
        (kind, *name)
    });
    let mut table = String::from(
        "| Code | Status | Meaning | Whose fault | What to do |\n|---|---|---|---|---|\n",
    );
    table.extend(codes.into_iter().map(|(_, code)| row(code)));
    table
}

fn row(code: ErrorCode) -> String {
    let explanation = code.explanation();
    let status = match explanation.given_in {
        CodeSource::Refusal(statuses) => {
            let statuses: Vec<String> = statuses.iter().map(u16::to_string).collect();
            statuses.join(", ")
        }
        CodeSource::Warning => String::from("warning"),
        CodeSource::Browser => String::from("browser"),
    };
    format!(
        "| `{code}` | {status} | {} | {} | {} |\n",
        code.meaning(),
        explanation.fault.in_words(),
        explanation
            .remedy
            .unwrap_or("Nothing: this gateway does not give it. Clients may know it from others."),
    )
}
