//! `docs/accessibility.md`: how the form meets WCAG 2.2 AA, made from `tests/accessibility.toml` and from the results of the end-to-end
//! tests. `cargo xtask test --only e2e` fails if the page differs, or names a behaviour that no test showed. It audits each language in
//! one look; `cargo xtask audit` audits each in every look, which takes some minutes.

use crate::behaviours::leading_ids;
use crate::project::Project;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;

const PAGE: &str = "docs/accessibility.md";
const CRITERIA: &str = "tests/accessibility.toml";
/// The end-to-end tests that audit the languages.
pub(crate) const AUDITS: &str = "tests/e2e/accessibility-locales.test.mjs";
/// With the value `all`, each language is audited in every look.
pub(crate) const AUDIT_EXTENT: &str = "PAYFRAME_AUDIT";
/// If set, the page is written again.
const RENEW: &str = "PAYFRAME_RENEW_REPORT";
/// The looks in which every language is audited, as the tests name them.
const LOOKS: [&str; 3] = ["standard", "minimal", "high-contrast"];
const SCHEMES: [&str; 2] = ["light", "dark"];

/// Compares the page with the results of the tests, one JSON object on each line of `outcomes`; or writes it.
pub(crate) fn check(project: &Project, outcomes: &str) -> Result<()> {
    let read = |path: &str| {
        std::fs::read_to_string(project.root.join(path))
            .with_context(|| format!("cannot read {path}"))
    };
    let criteria: Criteria =
        toml::from_str(&read(CRITERIA)?).with_context(|| format!("in {CRITERIA}"))?;
    let packages: Packages = serde_json::from_str(&read("package.json")?)?;
    let tests = passed(tests_of(outcomes)?)?;
    let languages = languages(project)?;
    every_language_was_audited(&tests, &languages)?;
    let page = report(
        &criteria.criteria,
        &tests,
        &languages,
        &packages.dev_dependencies.axe,
    )?;
    if std::env::var_os(RENEW).is_some() {
        std::fs::write(project.root.join(PAGE), page)?;
        println!("{PAGE} is current");
        return Ok(());
    }
    if read(PAGE)? != page {
        bail!(
            "{PAGE} is not what the tests found; {RENEW}=1 cargo xtask test --only e2e writes it anew"
        );
    }
    Ok(())
}

/// Whether each language was audited in every look, without a finding; returns the number of audits.
pub(crate) fn check_audits(project: &Project, outcomes: &str) -> Result<usize> {
    every_look_was_audited(&passed(tests_of(outcomes)?)?, &languages(project)?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Criteria {
    criteria: Vec<Criterion>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Criterion {
    id: String,
    level: String,
    name: String,
    how: String,
    #[serde(default)]
    shown: Vec<String>,
}

#[derive(Deserialize)]
struct Packages {
    #[serde(rename = "devDependencies")]
    dev_dependencies: Pinned,
}

#[derive(Deserialize)]
struct Pinned {
    #[serde(rename = "axe-core")]
    axe: String,
}

#[derive(Deserialize)]
struct Test {
    file: String,
    name: String,
    passed: bool,
}

fn tests_of(outcomes: &str) -> Result<Vec<Test>> {
    let tests = outcomes.lines().map(serde_json::from_str);
    tests
        .collect::<Result<_, _>>()
        .context("in what the tests' reporter wrote")
}

fn passed(tests: Vec<Test>) -> Result<Vec<Test>> {
    match tests.iter().find(|test| !test.passed) {
        Some(failed) => bail!("`{}` of {} failed", failed.name, failed.file),
        None => Ok(tests),
    }
}

fn languages(project: &Project) -> Result<BTreeSet<String>> {
    let folder = std::fs::read_dir(project.root.join("www/locales"))?;
    folder
        .map(|file| {
            let name = file?.file_name().to_string_lossy().into_owned();
            Ok(name.trim_end_matches(".json").to_owned())
        })
        .collect()
}

/// Writes the whole page.
fn report(
    criteria: &[Criterion],
    tests: &[Test],
    languages: &BTreeSet<String>,
    axe: &str,
) -> Result<String> {
    let shown = tests
        .iter()
        .flat_map(|test| leading_ids(&test.name))
        .collect();
    let mut page = String::from(HEAD);
    writeln!(page, "\n## Success criteria\n")?;
    writeln!(
        page,
        "| Criterion | Level | How | Shown by |\n|---|---|---|---|"
    )?;
    for criterion in criteria {
        let Criterion {
            id,
            level,
            name,
            how,
            ..
        } = criterion;
        let by = evidence(criterion, &shown)?;
        writeln!(page, "| {id} {name} | {level} | {how} | {by} |")?;
    }
    writeln!(
        page,
        "\n## Audits\n\n\
         axe-core {axe}, rules of WCAG 2.0, 2.1 and 2.2, levels A and AA, in the shop's page and in every frame that is seen.\n\n\
         From the empty form to the end, with faults, a decline and the issuer's page on the way; each found nothing:\n"
    )?;
    for name in stories(tests) {
        writeln!(page, "- {name}")?;
    }
    let audits = languages.len() * LOOKS.len() * SCHEMES.len();
    let codes: Vec<_> = languages.iter().map(|code| format!("`{code}`")).collect();
    writeln!(
        page,
        "\nEvery language in every look ({looks}), {schemes}, with a message at each field: {audits} audits, which \
         `cargo xtask audit` makes; each found nothing. The end-to-end tests audit each language in one of these looks.\n\n\
         Languages: {codes}.",
        looks = LOOKS.join(", "),
        schemes = SCHEMES.join(" and "),
        codes = codes.join(", "),
    )?;
    Ok(page)
}

/// The behaviours that meet a criterion. A test shows each of them.
fn evidence(criterion: &Criterion, shown: &BTreeSet<String>) -> Result<String> {
    if let Some(missing) = criterion.shown.iter().find(|id| !shown.contains(*id)) {
        bail!(
            "{CRITERIA}: no end-to-end test showed {missing}, which {} names",
            criterion.id
        );
    }
    Ok(match criterion.shown.as_slice() {
        [] => "nothing to show".to_owned(),
        ids => ids.join(", "),
    })
}

/// What was audited in every state.
fn stories(tests: &[Test]) -> impl Iterator<Item = &str> {
    tests.iter().filter_map(|test| {
        test.name
            .strip_prefix("G20 axe finds nothing from the empty form to the end: ")
    })
}

/// The names of a language's audits, one for each look and scheme.
fn audits_of(language: &str) -> impl Iterator<Item = String> {
    SCHEMES
        .iter()
        .flat_map(move |scheme| LOOKS.map(|look| format!("{language}, {look}, {scheme}")))
}

fn every_language_was_audited(tests: &[Test], languages: &BTreeSet<String>) -> Result<()> {
    let audited = names(tests);
    let is_missing =
        |language: &&String| !audits_of(language).any(|name| audited.contains(name.as_str()));
    match languages.iter().find(is_missing) {
        Some(language) => bail!("no audit of the language `{language}` was run"),
        None => Ok(()),
    }
}

fn every_look_was_audited(tests: &[Test], languages: &BTreeSet<String>) -> Result<usize> {
    let audited = names(tests);
    let wanted: Vec<String> = languages
        .iter()
        .flat_map(|language| audits_of(language))
        .collect();
    match wanted.iter().find(|name| !audited.contains(name.as_str())) {
        Some(missing) => bail!("no audit `{missing}` was run"),
        None => Ok(wanted.len()),
    }
}

fn names(tests: &[Test]) -> BTreeSet<&str> {
    tests.iter().map(|test| test.name.as_str()).collect()
}

const HEAD: &str = "\
# Accessibility

The form conforms to WCAG 2.2, levels A and AA. This page is the report: `cargo xtask test --only e2e` fails where the tests find
something else, and where a criterion names a behaviour that no test showed. `PAYFRAME_RENEW_REPORT=1` before that command writes it
anew. The behaviours are those of `behaviours.md`, which names the tests of each.

What it covers: the form, the separate fields, the issuer's page of the sandbox, and the demo shop, in Chromium. What it does not: the page
of a real issuer, which is the issuer's; colours that a merchant sets, which are measured while the form runs, with a warning on the console
that states the contrast; and how each screen reader speaks, which no program of ours can hear.
";

#[cfg(test)]
mod tests {
    use super::*;

    fn test(name: &str) -> Test {
        Test {
            file: "tests/e2e/a.test.mjs".to_owned(),
            name: name.to_owned(),
            passed: true,
        }
    }

    fn criterion(shown: &[&str]) -> Criterion {
        Criterion {
            id: "1.1.1".to_owned(),
            level: "A".to_owned(),
            name: "Non-text content".to_owned(),
            how: "Marks have names.".to_owned(),
            shown: shown.iter().map(ToString::to_string).collect(),
        }
    }

    fn audits() -> Vec<Test> {
        audits_of("en")
            .map(|name| test(&name))
            .chain([
                test("G4 a find is announced"),
                test("G20 axe finds nothing from the empty form to the end: dark"),
            ])
            .collect()
    }

    fn english() -> BTreeSet<String> {
        ["en".to_owned()].into()
    }

    fn two_languages() -> BTreeSet<String> {
        ["en".to_owned(), "it".to_owned()].into()
    }

    #[test]
    fn what_was_found_is_on_the_page() -> Result<()> {
        let page = report(
            &[criterion(&["G4"]), criterion(&[])],
            &audits(),
            &two_languages(),
            "1.2.3",
        )?;
        for part in [
            "| 1.1.1 Non-text content | A | Marks have names. | G4 |",
            "| nothing to show |",
            "axe-core 1.2.3",
            "\n- dark\n",
            "(standard, minimal, high-contrast), light and dark",
            ": 12 audits,",
            "Languages: `en`, `it`.",
        ] {
            assert!(page.contains(part), "{part} is not in {page}");
        }
        Ok(())
    }

    #[test]
    fn a_criterion_without_the_test_that_it_names_is_refused() {
        let problem = report(&[criterion(&["G5"])], &audits(), &english(), "1").unwrap_err();
        assert!(
            problem
                .to_string()
                .contains("no end-to-end test showed G5, which 1.1.1 names")
        );
    }

    #[test]
    fn a_language_without_an_audit_is_refused() -> Result<()> {
        every_language_was_audited(&audits()[..1], &english())?;
        let problem = every_language_was_audited(&audits(), &two_languages()).unwrap_err();
        assert_eq!(problem.to_string(), "no audit of the language `it` was run");
        Ok(())
    }

    #[test]
    fn a_look_without_an_audit_is_refused() -> Result<()> {
        assert_eq!(every_look_was_audited(&audits(), &english())?, 6);
        let problem = every_look_was_audited(&audits()[1..], &english()).unwrap_err();
        assert_eq!(
            problem.to_string(),
            "no audit `en, standard, light` was run"
        );
        Ok(())
    }

    #[test]
    fn a_test_that_failed_is_refused() {
        let mut tests = audits();
        tests[0].passed = false;
        let problem = passed(tests).err().map(|problem| problem.to_string());
        assert!(problem.is_some_and(|problem| problem.contains("failed")));
    }

    #[test]
    fn own_criteria_are_those_of_both_levels() -> Result<()> {
        let project = Project::locate()?;
        let text = std::fs::read_to_string(project.root.join(CRITERIA))?;
        let criteria = toml::from_str::<Criteria>(&text)?.criteria;
        let of = |level: &str| {
            criteria
                .iter()
                .filter(|criterion| criterion.level == level)
                .count()
        };
        assert_eq!((of("A"), of("AA"), criteria.len()), (31, 24, 55));
        Ok(())
    }
}
