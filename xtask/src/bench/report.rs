//! The report of a run: the medians of both sides under each condition, their ratios, and which targets are met.

use super::Comparison;
use super::metrics::{METRICS, Middle, Samples, ratios, spread};
use super::targets::{CONDITIONS, Verdict};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The output of `run.mjs`.
#[derive(Deserialize, Serialize)]
pub(super) struct Measured {
    browser: String,
    runs: u32,
    results: BTreeMap<String, Samples>,
}

/// Medians by condition.
#[derive(Serialize)]
pub(super) struct Report {
    sides: [&'static str; 2],
    conditions: Vec<Medians>,
}

#[derive(Serialize)]
struct Medians {
    condition: &'static str,
    rows: Vec<Row>,
}

/// One metric of both forms, and whether ours meets its target, if it has one.
#[derive(Serialize)]
struct Row {
    metric: &'static str,
    unit: &'static str,
    ours: f64,
    bare: f64,
    /// The interval that contains the ratio, as far as this run can tell: see [`spread`].
    spread: Option<[f64; 2]>,
    target: Option<String>,
    verdict: Option<Verdict>,
}

impl Report {
    pub(super) fn of(measured: &Measured, contest: Comparison) -> Result<Report> {
        let mut conditions = Vec::new();
        for condition in CONDITIONS {
            let Some(samples) = measured.results.get(condition) else {
                continue;
            };
            let metrics = METRICS
                .iter()
                .filter(|metric| contest.measures(metric.name));
            let rows = metrics.map(|metric| {
                let ours = metric.middle(&samples.ours)?;
                let bare = metric.middle(&samples.bare)?;
                let spread = match metric.middle {
                    Middle::Median => spread(ratios(metric, samples)?),
                    Middle::Worst => None,
                };
                let target = contest
                    .targets()
                    .iter()
                    .find(|target| target.condition == condition && target.metric == metric.name);
                Ok(Row {
                    metric: metric.name,
                    unit: metric.unit,
                    ours,
                    bare,
                    spread,
                    target: target.map(|target| target.limit.words()),
                    verdict: target.map(|target| target.limit.verdict(ours, bare, spread)),
                })
            });
            conditions.push(Medians {
                condition,
                rows: rows.collect::<Result<_>>()?,
            });
        }
        Ok(Report {
            sides: contest.sides(),
            conditions,
        })
    }

    pub(super) fn table(&self) -> String {
        let mut text = String::new();
        let [first, second] = self.sides;
        for Medians { condition, rows } in &self.conditions {
            text.push_str(&format!(
                "\n{condition:<22} {:>10} {:>10} {:>7}  {:<12}  target\n",
                first, second, "ratio", "spread"
            ));
            for row in rows {
                let ratio = match row.bare {
                    0.0 => "-".to_owned(),
                    bare => format!("{:.2}x", row.ours / bare),
                };
                let spread = match row.spread {
                    Some([low, high]) => format!("{low:.2} to {high:.2}"),
                    None => String::new(),
                };
                let target = match (&row.target, row.verdict) {
                    (Some(words), Some(verdict)) => format!("{words}: {}", verdict.words()),
                    _ => String::new(),
                };
                let label = format!("  {} ({})", row.metric, row.unit);
                let line = format!(
                    "{label:<22} {:>10} {:>10} {ratio:>7}  {spread:<12}  {target}",
                    number(row.ours),
                    number(row.bare)
                );
                text.push_str(line.trim_end());
                text.push('\n');
            }
        }
        text
    }
}

fn number(value: f64) -> String {
    if value.abs() < 100.0 && value.fract() != 0.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.0}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::targets::{PRINTED_TARGETS, TARGETS};
    use super::*;

    #[test]
    fn every_target_is_of_something_measured() {
        for target in TARGETS.iter().chain(&PRINTED_TARGETS) {
            assert!(
                CONDITIONS.contains(&target.condition),
                "{}",
                target.condition
            );
            assert!(
                METRICS.iter().any(|metric| metric.name == target.metric),
                "{}",
                target.metric
            );
        }
    }

    #[test]
    fn missed_targets_are_said() -> Result<()> {
        let load = |live: f64| -> BTreeMap<String, f64> {
            METRICS
                .iter()
                .map(|metric| {
                    (
                        metric.name.to_owned(),
                        if metric.name == "live" { live } else { 0.0 },
                    )
                })
                .collect()
        };
        let measured = Measured {
            browser: "1".into(),
            runs: 1,
            results: BTreeMap::from([(
                "mobile".into(),
                Samples {
                    ours: vec![load(200.0)],
                    bare: vec![load(100.0)],
                },
            )]),
        };
        let table = Report::of(&measured, Comparison::Form)?.table();
        let line = table
            .lines()
            .find(|line| line.contains("live"))
            .unwrap_or_default();
        assert!(
            line.contains("2.00x") && line.ends_with("at most 1.35x: MISSED"),
            "{line}"
        );
        Ok(())
    }
}
