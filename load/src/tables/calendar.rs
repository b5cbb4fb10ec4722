//! Instants as the API writes them.

/// An instant as the API writes it.
pub(super) fn written(ms: i64) -> String {
    let (days, of_day) = (ms.div_euclid(DAY_MS), ms.rem_euclid(DAY_MS));
    // Days of the civil calendar, with years that begin in March.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let of_years = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * of_years + of_years / 4 - of_years / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = of_years + era * 400 + i64::from(month <= 2);
    let seconds = of_day / 1000;
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:03}Z",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60,
        of_day % 1000
    )
}

/// A day.
pub(super) const DAY_MS: i64 = 86_400_000;

#[cfg(test)]
mod tests {
    use super::super::template;
    use super::*;

    #[test]
    fn instants_are_written_as_they_are_read() {
        for text in [
            "2026-11-28T14:07:18.131Z",
            "2024-02-29T00:00:00.000Z",
            "1970-01-01T00:00:00.000Z",
        ] {
            let ms = template::instants(text).next().map(|(_, ms)| ms);
            assert_eq!(ms.map(written).as_deref(), Some(text));
        }
    }
}
