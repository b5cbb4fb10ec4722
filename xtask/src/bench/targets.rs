//! The targets that a run is compared with, and what a run says about them.

use serde::Serialize;

/// The limit of one metric under one condition.
pub(super) struct Target {
    pub(super) condition: &'static str,
    pub(super) metric: &'static str,
    pub(super) limit: Limit,
}

/// How large a value may be.
pub(super) enum Limit {
    /// At most this many times the plain form's value.
    Times(f64),
    /// At most this value.
    AtMost(f64),
    /// At most this much more than the plain form's value.
    Over(f64),
}

impl Limit {
    fn holds(&self, ours: f64, bare: f64) -> bool {
        match self {
            Limit::Times(factor) => ours <= factor * bare,
            Limit::AtMost(limit) => ours <= *limit,
            Limit::Over(extra) => ours <= bare + extra,
        }
    }

    pub(super) fn verdict(&self, ours: f64, bare: f64, spread: Option<[f64; 2]>) -> Verdict {
        let open = match (self, spread) {
            (Limit::Times(factor), Some([low, high])) => (low..=high).contains(factor),
            _ => false,
        };
        match (self.holds(ours, bare), open) {
            (true, false) => Verdict::Held,
            (true, true) => Verdict::HeldWithinSpread,
            (false, false) => Verdict::Missed,
            (false, true) => Verdict::MissedWithinSpread,
        }
    }

    pub(super) fn words(&self) -> String {
        match self {
            Limit::Times(factor) => format!("at most {factor}x"),
            Limit::AtMost(limit) => format!("at most {limit}"),
            Limit::Over(extra) => format!("at most {extra} over"),
        }
    }
}

/// The result of a run for a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Verdict {
    Held,
    /// The target is met, but the limit lies within the spread: another run may have the other result.
    HeldWithinSpread,
    Missed,
    MissedWithinSpread,
}

impl Verdict {
    pub(super) fn words(self) -> &'static str {
        match self {
            Verdict::Held => "held",
            Verdict::HeldWithinSpread => "held, within the spread",
            Verdict::Missed => "MISSED",
            Verdict::MissedWithinSpread => "MISSED, within the spread",
        }
    }
}

/// How a page is loaded.
pub(super) const CONDITIONS: [&str; 4] = ["plain", "cpu4", "slow4g", "mobile"];

/// The targets that a run reports as met or missed, at most one for each condition and metric. Loading times without a slow link have no target.
pub(super) const TARGETS: [Target; 10] = [
    Target {
        condition: "plain",
        metric: "bytes",
        limit: Limit::AtMost(62_000.0),
    },
    Target {
        condition: "plain",
        metric: "requests",
        limit: Limit::AtMost(6.0),
    },
    Target {
        condition: "plain",
        metric: "heap",
        limit: Limit::Over(2_000_000.0),
    },
    Target {
        condition: "plain",
        metric: "longest",
        limit: Limit::AtMost(0.0),
    },
    Target {
        condition: "plain",
        metric: "shift",
        limit: Limit::AtMost(0.0),
    },
    Target {
        condition: "cpu4",
        metric: "stroke",
        limit: Limit::Times(1.15),
    },
    Target {
        condition: "cpu4",
        metric: "worstStroke",
        limit: Limit::AtMost(50.0),
    },
    Target {
        condition: "cpu4",
        metric: "blocking",
        limit: Limit::AtMost(10.0),
    },
    Target {
        condition: "mobile",
        metric: "typable",
        limit: Limit::Times(1.15),
    },
    Target {
        condition: "mobile",
        metric: "live",
        limit: Limit::Times(1.35),
    },
];

/// The targets for the form in the HTML of a shop's page.
pub(super) const PRINTED_TARGETS: [Target; 1] = [Target {
    condition: "mobile",
    metric: "typable",
    limit: Limit::Times(0.8),
}];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_compare_as_they_say() {
        assert!(Limit::Times(1.1).holds(110.0, 100.0) && !Limit::Times(1.1).holds(111.0, 100.0));
        assert!(Limit::AtMost(6.0).holds(6.0, 0.0) && !Limit::AtMost(6.0).holds(7.0, 9.0));
        assert!(Limit::Over(2.0).holds(5.0, 3.0) && !Limit::Over(2.0).holds(5.1, 3.0));
    }

    #[test]
    fn a_limit_within_the_spread_is_said() {
        let verdict = |ours, spread| Limit::Times(1.1).verdict(ours, 100.0, spread);
        assert_eq!(verdict(104.0, Some([1.02, 1.08])), Verdict::Held);
        assert_eq!(
            verdict(104.0, Some([0.98, 1.12])),
            Verdict::HeldWithinSpread
        );
        assert_eq!(
            verdict(112.0, Some([1.09, 1.18])),
            Verdict::MissedWithinSpread
        );
        assert_eq!(verdict(120.0, Some([1.15, 1.3])), Verdict::Missed);
        assert_eq!(verdict(112.0, None), Verdict::Missed);
        // A value that is not a ratio has no spread.
        let spread = Some([0.5, 9.0]);
        assert_eq!(Limit::AtMost(10.0).verdict(9.0, 0.0, spread), Verdict::Held);
    }
}
