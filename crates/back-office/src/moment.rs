//! An instant as the pages of the back office show it.

use jiff::Timestamp;
use payframe_payment_domain::calendar::instant;
use std::fmt;

/// An instant as pages show it: to the minute, in UTC. The exact instant is in the markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment(pub(crate) i64);

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact = instant(self.0);
        let words = Timestamp::from_millisecond(self.0)
            .map(|time| time.strftime("%-d %b %Y, %H:%M UTC").to_string());
        let words = words.as_deref().unwrap_or(&exact);
        write!(f, "<time datetime=\"{exact}\">{words}</time>")
    }
}

/// The markup contains only our own words and digits.
impl askama::filters::HtmlSafe for Moment {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_in_utc_and_says_so() {
        assert_eq!(
            Moment(1_795_168_800_123).to_string(),
            "<time datetime=\"2026-11-20T10:00:00.123Z\">20 Nov 2026, 10:00 UTC</time>"
        );
    }
}
