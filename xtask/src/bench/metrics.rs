//! What is measured in each load, and how the loads of a run become one value.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The loads of both forms under one condition.
#[derive(Deserialize, Serialize)]
pub(super) struct Samples {
    pub(super) ours: Vec<BTreeMap<String, f64>>,
    pub(super) bare: Vec<BTreeMap<String, f64>>,
}

/// A value that is measured in every load.
pub(super) struct Metric {
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
    /// How several loads become one value.
    pub(super) middle: Middle,
}

#[derive(Clone, Copy)]
pub(super) enum Middle {
    Median,
    /// For values that must never exceed the limit.
    Worst,
}

impl Metric {
    /// In the order of the loads.
    fn values(&self, samples: &[BTreeMap<String, f64>]) -> Result<Vec<f64>> {
        let value = |sample: &BTreeMap<String, f64>| {
            let value = sample.get(self.name).copied();
            value.with_context(|| format!("a load lacks `{}`", self.name))
        };
        samples.iter().map(value).collect()
    }

    pub(super) fn middle(&self, samples: &[BTreeMap<String, f64>]) -> Result<f64> {
        let mut values = self.values(samples)?;
        values.sort_by(f64::total_cmp);
        let count = values.len();
        let at = |index: usize| values.get(index).copied().context("nothing was measured");
        match self.middle {
            Middle::Worst => at(count.wrapping_sub(1)),
            Middle::Median if count % 2 == 1 => at(count / 2),
            Middle::Median => Ok((at((count / 2).wrapping_sub(1))? + at(count / 2)?) / 2.0),
        }
    }
}

/// The ratio of each load of ours to the plain form's load that was measured with it; none if the latter is zero.
pub(super) fn ratios(metric: &Metric, samples: &Samples) -> Result<Vec<f64>> {
    let [ours, bare] = [metric.values(&samples.ours)?, metric.values(&samples.bare)?];
    let pairs = ours.into_iter().zip(bare).filter(|(_, bare)| *bare > 0.0);
    Ok(pairs.map(|(ours, bare)| ours / bare).collect())
}

/// The 95 % confidence interval of the median of all such ratios. Its bounds are order statistics (sign test): it needs no assumption
/// about the distribution. At least six ratios are needed.
pub(super) fn spread(mut ratios: Vec<f64>) -> Option<[f64; 2]> {
    ratios.sort_by(f64::total_cmp);
    let count = ratios.len();
    // The probability that so many ratios are all on one side, if each is on either side with probability one half.
    let mut chance = 0.5_f64.powi(i32::try_from(count).ok()?);
    let (mut rank, mut tail) = (0, chance);
    while tail <= 0.025 {
        chance *= (count - rank) as f64 / (rank + 1) as f64;
        rank += 1;
        tail += chance;
    }
    let low = rank.checked_sub(1)?;
    Some([*ratios.get(low)?, *ratios.get(count - 1 - low)?])
}

/// In the order of the report.
pub(super) const METRICS: [Metric; 11] = [
    Metric {
        name: "typable",
        unit: "ms",
        middle: Middle::Median,
    },
    Metric {
        name: "live",
        unit: "ms",
        middle: Middle::Median,
    },
    Metric {
        name: "bytes",
        unit: "body",
        middle: Middle::Median,
    },
    Metric {
        name: "wire",
        unit: "body+headers",
        middle: Middle::Median,
    },
    Metric {
        name: "requests",
        unit: "count",
        middle: Middle::Median,
    },
    Metric {
        name: "stroke",
        unit: "ms",
        middle: Middle::Median,
    },
    Metric {
        name: "worstStroke",
        unit: "ms",
        middle: Middle::Worst,
    },
    Metric {
        name: "heap",
        unit: "bytes",
        middle: Middle::Median,
    },
    Metric {
        name: "longest",
        unit: "ms",
        middle: Middle::Median,
    },
    Metric {
        name: "blocking",
        unit: "ms",
        middle: Middle::Median,
    },
    Metric {
        name: "shift",
        unit: "CLS",
        middle: Middle::Worst,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(name: &str, values: &[f64]) -> Vec<BTreeMap<String, f64>> {
        let sample = |value: &f64| BTreeMap::from([(name.to_owned(), *value)]);
        values.iter().map(sample).collect()
    }

    #[test]
    fn medians_are_the_middle_of_the_sorted_loads() -> Result<()> {
        let metric = |middle| Metric {
            name: "live",
            unit: "ms",
            middle,
        };
        let middle = |middle, values: &[f64]| metric(middle).middle(&samples("live", values));
        assert_eq!(middle(Middle::Median, &[9.0, 1.0, 2.0])?, 2.0);
        assert_eq!(middle(Middle::Median, &[4.0, 1.0, 2.0, 9.0])?, 3.0);
        assert_eq!(middle(Middle::Worst, &[4.0, 9.0, 2.0])?, 9.0);
        assert!(middle(Middle::Median, &[]).is_err());
        assert!(
            metric(Middle::Median)
                .middle(&samples("typable", &[1.0]))
                .is_err()
        );
        Ok(())
    }

    #[test]
    fn a_spread_leaves_out_what_chance_seldom_puts_on_one_side() {
        let of = |count: u32| spread((1..=count).rev().map(f64::from).collect());
        // Five coins all show heads in 1 of 2^5 = 32 throws, which is too often. For six coins it is 1 of 64, which is rare enough.
        assert_eq!([of(0), of(5)], [None, None]);
        assert_eq!(of(6), Some([1.0, 6.0]));
        // The ranks from tables of the sign test.
        assert_eq!(of(10), Some([2.0, 9.0]));
        assert_eq!(of(14), Some([3.0, 12.0]));
        assert_eq!(of(40), Some([14.0, 27.0]));
    }
}
