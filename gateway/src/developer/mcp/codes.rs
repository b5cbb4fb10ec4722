//! What a code means and what to do about it: codes of the gateway from [`payframe_error_codes`], codes of the form from the page of
//! the docs that lists them.

use payframe_error_codes::{CodeSource, ErrorCode};
use strum::IntoEnumIterator;

/// A code of the API, of its warnings or of the class `Build`, explained. `None`: the gateway has no such code.
pub(super) fn of_gateway(code: &str) -> Option<String> {
    let found = named(code)?;
    let explanation = found.explanation();
    let given_in = match explanation.given_in {
        CodeSource::Refusal(statuses) => {
            let statuses: Vec<String> = statuses.iter().map(u16::to_string).collect();
            format!("a refused call, with status {}", statuses.join(" or "))
        }
        CodeSource::Warning => String::from("a warning of a call that was carried out"),
        CodeSource::Browser => String::from("the class Build in the browser"),
    };
    let remedy = explanation
        .remedy
        .unwrap_or("Nothing: this gateway does not give the code.");
    Some(format!(
        "{found}: {}.\nGiven in: {given_in}.\nWhose fault: {}.\nWhat to do: {remedy}",
        found.meaning(),
        explanation.fault.in_words(),
    ))
}

/// What to do about a refusal that begins with a code of the gateway.
pub(super) fn remedy(said: &str) -> Option<&'static str> {
    named(said.split(':').next()?)?.explanation().remedy
}

/// A code of the form, explained by the page `errors` of the docs: each row that begins with the code, below the heading and the head of
/// its table. `None`: no row has the code.
pub(super) fn of_form(page: &str, code: &str) -> Option<String> {
    let quoted = format!("`{}`", code.trim());
    let mut heading = "";
    let mut head: Vec<&str> = Vec::new();
    let mut found = String::new();
    for line in page.lines() {
        if line.starts_with('#') {
            heading = line;
        }
        if !line.starts_with('|') {
            head.clear();
            continue;
        }
        let is_head = head.len() < 2;
        let codes = line.split('|').nth(1).unwrap_or_default();
        if is_head {
            head.push(line);
        } else if codes.contains(&quoted) {
            found.push_str(&format!("{heading}\n\n{}\n{line}\n\n", head.join("\n")));
        }
    }
    (!found.is_empty()).then_some(found)
}

fn named(code: &str) -> Option<ErrorCode> {
    let code = code.trim();
    ErrorCode::iter().find(|known| known.to_string().eq_ignore_ascii_case(code))
}

#[cfg(test)]
mod tests {
    // A panic fails the test.
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_code_of_the_gateway_comes_with_its_remedy() {
        let text = of_gateway("gw9020 ").unwrap();
        assert!(text.starts_with("GW9020: The API key"), "{text}");
        assert!(text.contains("with status 401."), "{text}");
        assert!(text.contains("What to do: Send a key"), "{text}");
        assert!(of_gateway("GW9101").unwrap().contains("a warning"));
        assert_eq!(of_gateway("frame_policy"), None);
        assert!(remedy("GW9020: who calls?").unwrap().contains("a key"));
        assert_eq!(remedy("without a reason"), None);
    }

    #[test]
    fn a_code_of_the_form_is_found_in_the_page_of_the_docs() {
        let page = include_str!("../../../../docs/errors.md");
        let text = of_form(page, "frame_policy").unwrap();
        assert!(text.starts_with("## The form did not load\n\n| Code |"));
        assert!(text.contains("frame-src"), "{text}");
        assert_eq!(text.lines().count(), 6, "{text}");
        // One row explains several codes, and one code stands in two tables.
        assert!(of_form(page, "expiry_month").is_some());
        assert_eq!(
            of_form(page, "too_many_calls")
                .unwrap()
                .matches("##")
                .count(),
            2
        );
        assert_eq!(of_form(page, "frame"), None);
        assert_eq!(of_form(page, ""), None);
    }
}
