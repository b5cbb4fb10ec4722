//! `cargo xtask bench`: compares the form with a plain HTML form in a frame, both served by one gateway, in Chromium; or five
//! fields driven by one widget with five widgets.
//!
//! Scripts in `tests/bench/` load and measure. This module prepares, and evaluates the numbers: medians, ratios, how far
//! the ratios vary, and whether each meets its target. A missed target is printed and is not an error, because results vary between runs.

use crate::build::{self, Wanted};
use crate::demo::{API_KEY, Gateway, build_servers};
use crate::dist::{brotli, gzip};
use crate::process::run as run_loudly;
use crate::project::{Project, files_below};
use crate::server::Server;
use crate::setup;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::Path;

/// The options of the command line.
pub(crate) struct Options {
    /// Counted loads of each form under each condition.
    pub(crate) runs: u32,
    /// Names of conditions; none means all.
    pub(crate) conditions: Vec<String>,
    /// The comparison.
    pub(crate) contest: Contest,
}

/// Two things that are measured side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contest {
    /// The form and a plain form.
    Form,
    /// Five fields in one session, driven by one widget, compared with five widgets.
    Fields,
}

impl Contest {
    fn script(self) -> &'static str {
        match self {
            Contest::Form => "tests/bench/run.mjs",
            Contest::Fields => "tests/bench/fields.mjs",
        }
    }

    /// The titles of the two columns.
    fn sides(self) -> [&'static str; 2] {
        match self {
            Contest::Form => ["ours", "bare"],
            Contest::Fields => ["one", "five"],
        }
    }

    fn measures(self, metric: &str) -> bool {
        self == Contest::Form
            || [
                "live", "bytes", "wire", "requests", "heap", "longest", "blocking",
            ]
            .contains(&metric)
    }

    /// The path of the samples, below `target/`.
    fn out(self) -> &'static str {
        match self {
            Contest::Form => "bench.json",
            Contest::Fields => "bench-fields.json",
        }
    }
}

/// Builds, serves, measures, prints.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    if let Some(unknown) = options
        .conditions
        .iter()
        .find(|name| !CONDITIONS.contains(&name.as_str()))
    {
        bail!(
            "there is no condition `{unknown}`; there are {}",
            CONDITIONS.join(", ")
        );
    }
    build::build(project, Wanted::Smallest)?;
    let browser = setup::browser()?;
    build_servers(project, "release")?;

    let scratch = project.empty_folder("bench")?;
    let dist = scratch.join("dist");
    copy_with_bare_form(project, &dist)?;
    let gateway = Gateway {
        port: free_port()?,
        data: scratch.join("data"),
        assets: dist.clone(),
        profile_dir: "release",
    };
    let server = Server::start(
        "the gateway",
        gateway.command(project),
        scratch.join("gateway.log"),
        || false,
    )?;
    let samples = scratch.join("samples.json");
    let conditions = match options.conditions.as_slice() {
        [] => CONDITIONS.join(","),
        named => named.join(","),
    };
    run_loudly(
        project
            .command("node")?
            .arg(options.contest.script())
            .envs(setup::browser_environment(&browser))
            .env("BENCH_GATEWAY", gateway.origin())
            .env("BENCH_API_KEY", API_KEY)
            .env("BENCH_MANIFEST", dist.join("manifest.json"))
            .env("BENCH_RUNS", options.runs.to_string())
            .env("BENCH_CONDITIONS", conditions)
            .env("BENCH_OUT", &samples),
    )?;
    server.stop()?;

    let measured: Measured = serde_json::from_str(&std::fs::read_to_string(samples)?)?;
    let report = Report::of(&measured, options.contest)?;
    print!("{}", report.table());
    let out = project.target.join(options.contest.out());
    std::fs::write(&out, serde_json::to_vec_pretty(&(&report, &measured))?)?;
    println!("all samples: {}", out.display());
    Ok(())
}

/// The built dist, with the plain form's files among its assets.
fn copy_with_bare_form(project: &Project, to: &Path) -> Result<()> {
    let from = project.dist();
    for file in files_below(&from)? {
        let target = to.join(&file);
        std::fs::create_dir_all(target.parent().context("a file has a folder")?)?;
        std::fs::copy(from.join(&file), target)?;
    }
    for (source, served) in [
        ("bare-shim.js", "bench-shim.js"),
        ("bare-form.js", "bench-form.js"),
        ("bare-form.html", "bench-form.html"),
    ] {
        let bytes = std::fs::read(project.root.join("tests/bench").join(source))?;
        let assets = to.join("assets");
        std::fs::write(assets.join(served), &bytes)?;
        std::fs::write(assets.join(format!("{served}.br")), brotli(&bytes)?)?;
        std::fs::write(assets.join(format!("{served}.gz")), gzip(&bytes)?)?;
    }
    Ok(())
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// The output of `run.mjs`.
#[derive(Deserialize, Serialize)]
struct Measured {
    browser: String,
    runs: u32,
    results: BTreeMap<String, Samples>,
}

/// The loads of both forms under one condition.
#[derive(Deserialize, Serialize)]
struct Samples {
    ours: Vec<BTreeMap<String, f64>>,
    bare: Vec<BTreeMap<String, f64>>,
}

/// Medians by condition.
#[derive(Serialize)]
struct Report {
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

/// The result of a run for a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
enum Verdict {
    Held,
    /// The target is met, but the limit lies within the spread: another run may have the other result.
    HeldWithinSpread,
    Missed,
    MissedWithinSpread,
}

impl Verdict {
    fn words(self) -> &'static str {
        match self {
            Verdict::Held => "held",
            Verdict::HeldWithinSpread => "held, within the spread",
            Verdict::Missed => "MISSED",
            Verdict::MissedWithinSpread => "MISSED, within the spread",
        }
    }
}

impl Report {
    fn of(measured: &Measured, contest: Contest) -> Result<Report> {
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
                let target = TARGETS.iter().find(|target| {
                    contest == Contest::Form
                        && target.condition == condition
                        && target.metric == metric.name
                });
                Ok(Row {
                    metric: metric.name,
                    unit: metric.unit,
                    ours,
                    bare,
                    spread,
                    target: target.map(|target| target.limit.words()),
                    verdict: target.map(|target| target.limit.judge(ours, bare, spread)),
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

    fn table(&self) -> String {
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

/// A value that is measured in every load.
struct Metric {
    name: &'static str,
    unit: &'static str,
    /// How several loads become one value.
    middle: Middle,
}

#[derive(Clone, Copy)]
enum Middle {
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

    fn middle(&self, samples: &[BTreeMap<String, f64>]) -> Result<f64> {
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

/// The ratio of each load of ours to the plain form's load beside it; none if the latter is zero.
fn ratios(metric: &Metric, samples: &Samples) -> Result<Vec<f64>> {
    let [ours, bare] = [metric.values(&samples.ours)?, metric.values(&samples.bare)?];
    let pairs = ours.into_iter().zip(bare).filter(|(_, bare)| *bare > 0.0);
    Ok(pairs.map(|(ours, bare)| ours / bare).collect())
}

/// The 95 % confidence interval of the median of all such ratios. Its bounds are order statistics (sign test): it needs no assumption
/// about the distribution. At least six ratios are needed.
fn spread(mut ratios: Vec<f64>) -> Option<[f64; 2]> {
    ratios.sort_by(f64::total_cmp);
    let count = ratios.len();
    // The probability that this many, each with probability one half, are on one side.
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

struct Target {
    condition: &'static str,
    metric: &'static str,
    limit: Limit,
}

enum Limit {
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

    fn judge(&self, ours: f64, bare: f64, spread: Option<[f64; 2]>) -> Verdict {
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

    fn words(&self) -> String {
        match self {
            Limit::Times(factor) => format!("at most {factor}x"),
            Limit::AtMost(limit) => format!("at most {limit}"),
            Limit::Over(extra) => format!("at most {extra} over"),
        }
    }
}

const CONDITIONS: [&str; 4] = ["plain", "cpu4", "slow4g", "mobile"];

const METRICS: [Metric; 11] = [
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

/// What is told as held or missed. Ratios on a machine without a slow link inform only.
const TARGETS: [Target; 10] = [
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
    fn limits_compare_as_they_say() {
        assert!(Limit::Times(1.1).holds(110.0, 100.0) && !Limit::Times(1.1).holds(111.0, 100.0));
        assert!(Limit::AtMost(6.0).holds(6.0, 0.0) && !Limit::AtMost(6.0).holds(7.0, 9.0));
        assert!(Limit::Over(2.0).holds(5.0, 3.0) && !Limit::Over(2.0).holds(5.1, 3.0));
    }

    #[test]
    fn a_spread_leaves_out_what_chance_seldom_puts_on_one_side() {
        let of = |count: u32| spread((1..=count).rev().map(f64::from).collect());
        // With five coins, all show heads in one of 2^5 = 32 throws, which is too often. With six it is one of 64, which is rare enough.
        assert_eq!([of(0), of(5)], [None, None]);
        assert_eq!(of(6), Some([1.0, 6.0]));
        // The ranks from tables of the sign test.
        assert_eq!(of(10), Some([2.0, 9.0]));
        assert_eq!(of(14), Some([3.0, 12.0]));
        assert_eq!(of(40), Some([14.0, 27.0]));
    }

    #[test]
    fn a_limit_within_the_spread_is_said() {
        let judge = |ours, spread| Limit::Times(1.1).judge(ours, 100.0, spread);
        assert_eq!(judge(104.0, Some([1.02, 1.08])), Verdict::Held);
        assert_eq!(judge(104.0, Some([0.98, 1.12])), Verdict::HeldWithinSpread);
        assert_eq!(
            judge(112.0, Some([1.09, 1.18])),
            Verdict::MissedWithinSpread
        );
        assert_eq!(judge(120.0, Some([1.15, 1.3])), Verdict::Missed);
        assert_eq!(judge(112.0, None), Verdict::Missed);
        // A value that is not a ratio has no spread.
        let spread = Some([0.5, 9.0]);
        assert_eq!(Limit::AtMost(10.0).judge(9.0, 0.0, spread), Verdict::Held);
    }

    #[test]
    fn every_target_is_of_something_measured() {
        for target in &TARGETS {
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
        let table = Report::of(&measured, Contest::Form)?.table();
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
