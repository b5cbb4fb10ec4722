//! Instants as the API writes them.

use jiff::Timestamp;

/// An instant as the API writes it. What is outside all calendars is written as 1970 begins: no table has it.
pub(super) fn written(ms: i64) -> String {
    let instant = Timestamp::from_millisecond(ms).unwrap_or(Timestamp::UNIX_EPOCH);
    format!("{instant:.3}")
}

/// The instants in a text, each with its spelling: `2026-11-28T14:07:18.131Z`.
pub(super) fn instants(text: &str) -> impl Iterator<Item = (&str, i64)> {
    let starts = text.match_indices('T').map(|(at, _)| at);
    starts.filter_map(|at| {
        let spelling = text.get(at.checked_sub(10)?..at + 14)?;
        let ms = spelling.parse::<Timestamp>().ok()?.as_millisecond();
        // There are other spellings, which the API does not use.
        (written(ms) == spelling).then_some((spelling, ms))
    })
}

/// A day.
pub(super) const DAY_MS: i64 = 86_400_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_written_as_they_are_read() {
        for text in [
            "2026-11-28T14:07:18.131Z",
            "2024-02-29T00:00:00.000Z",
            "1970-01-01T00:00:00.000Z",
        ] {
            let ms = instants(text).next().map(|(_, ms)| ms);
            assert_eq!(ms.map(written).as_deref(), Some(text));
        }
    }

    #[test]
    fn instants_are_found_in_documents() {
        let document = r#"{"operationTime":"2026-11-28T14:07:18.131Z","note":"TEST"}"#;
        let found: Vec<_> = instants(document).collect();
        assert_eq!(found, [("2026-11-28T14:07:18.131Z", 1_795_874_838_131)]);
        for text in [
            "T, 2026-11-28T14:07Z and nothing else",
            "2026-11-28T14:07:18.1314Z",
            "2026-11-28T14:07:18+00:00",
        ] {
            assert_eq!(instants(text).count(), 0, "{text}");
        }
    }
}
