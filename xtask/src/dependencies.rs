//! Which crate of ours may depend on which, compared with the output of `cargo metadata`; and what crates of pure rules
//! must not use.
//!
//! Dependencies have one direction: from composed crates (gateway, widget, tools) to simple ones (rules, money). Tests of a
//! crate may use more (`dev-dependencies`), except in the crates of [`PURE`].

mod allowed;

use self::allowed::{MAY_USE, PURE};
use crate::process;
use crate::project::Project;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Parts of the standard library that a pure crate does not name.
const IMPURE: &[&str] = &[
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
    "std::time::Instant",
    "SystemTime",
    "Instant::now",
    "Timestamp::now",
    "Zoned::now",
];

/// The one file of pure crates that reads the machine's clock: the type that all others get the time from.
const CLOCK: &str = "crates/payment-ports/src/clock.rs";

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// `dev` and `build`; absent for ordinary dependencies.
    kind: Option<String>,
}

fn packages() -> Vec<Package> {
    let project = Project::locate().unwrap();
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(&project.root).args([
        "metadata",
        "--offline",
        "--no-deps",
        "--format-version",
        "1",
    ]);
    let text = process::capture(&mut cargo).unwrap();
    serde_json::from_str::<Metadata>(&text).unwrap().packages
}

/// Forbidden dependencies among our own crates.
fn breaches(packages: &[Package]) -> Vec<String> {
    let is_ours = |name: &str| packages.iter().any(|package| package.name == name);
    let mut breaches = Vec::new();
    for package in packages {
        let name = &package.name;
        let Some((_, allowed)) = MAY_USE.iter().find(|(known, _)| known == name) else {
            breaches.push(format!("{name} has no row in MAY_USE. Add one below all crates that it uses, and say what it is in docs/architecture.md"));
            continue;
        };
        let linked = package
            .dependencies
            .iter()
            .filter(|one| one.kind.as_deref() != Some("dev"));
        for used in linked.filter(|one| is_ours(&one.name) && !allowed.contains(&one.name.as_str()))
        {
            breaches.push(format!(
                "{name} depends on {}, which MAY_USE does not allow. Move what it needs into a crate below both, or give it as a parameter",
                used.name
            ));
        }
    }
    breaches
}

/// Forbidden dependencies of pure crates on anything else; dependencies of tests on our own crates count too.
fn crates_with_io(packages: &[Package]) -> Vec<String> {
    let mut breaches = Vec::new();
    for (pure, libraries) in PURE {
        let Some(package) = packages.iter().find(|package| package.name == *pure) else {
            breaches.push(format!(
                "there is no crate {pure}. Take it out of PURE, or name it as it is called now"
            ));
            continue;
        };
        let ours = MAY_USE
            .iter()
            .find(|(name, _)| name == pure)
            .map_or(&[][..], |(_, ours)| ours);
        for used in &package.dependencies {
            let is_test_library =
                used.kind.as_deref() == Some("dev") && !used.name.starts_with("payframe");
            let allowed =
                libraries.contains(&used.name.as_str()) || ours.contains(&used.name.as_str());
            if !allowed && !is_test_library {
                breaches.push(format!("{pure} depends on {}. It holds rules alone: do this part in the crate that calls it", used.name));
            }
        }
    }
    breaches
}

/// Lines of a source that name a part of the standard library with side effects. Comments are ignored.
fn effects(source: &str) -> Vec<String> {
    source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .filter(|line| IMPURE.iter().any(|word| line.contains(word)))
        .map(|line| line.trim().to_owned())
        .collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

fn package(name: &str, dependencies: &[(&str, Option<&str>)]) -> Package {
    Package {
        name: name.to_owned(),
        manifest_path: PathBuf::new(),
        dependencies: dependencies
            .iter()
            .map(|(name, kind)| Dependency {
                name: (*name).to_owned(),
                kind: kind.map(str::to_owned),
            })
            .collect(),
    }
}

#[test]
fn dependencies_point_one_way() {
    let found = breaches(&packages());
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn pure_crates_have_no_clock_no_input_and_no_output() {
    let packages = packages();
    let mut found = crates_with_io(&packages);
    for package in packages
        .iter()
        .filter(|package| PURE.iter().any(|(pure, _)| *pure == package.name))
    {
        let mut files = Vec::new();
        sources(&package.manifest_path.with_file_name("src"), &mut files);
        assert!(!files.is_empty(), "{}: no sources", package.name);
        let is_checked = |file: &PathBuf| {
            !file.ends_with(CLOCK)
                && !file
                    .iter()
                    .any(|part| part == "tests" || part == "tests.rs")
        };
        for file in files.into_iter().filter(is_checked) {
            let lines = effects(&std::fs::read_to_string(&file).unwrap());
            found.extend(lines.into_iter().map(|line| {
                format!(
                    "{}: `{line}`. Take the time, the text or the answer as a parameter",
                    file.display()
                )
            }));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_row_names_only_crates_above_it() {
    for (at, (name, allowed)) in MAY_USE.iter().enumerate() {
        for used in *allowed {
            assert!(
                MAY_USE[..at].iter().any(|(above, _)| above == used),
                "{name} may use {used}, whose row is not above. Put it there: a circle cannot be written that way"
            );
        }
    }
}

#[test]
fn a_dependency_the_wrong_way_is_found() {
    let check = |packages: &[Package], expected: usize| {
        let found = breaches(packages);
        assert_eq!(found.len(), expected, "{found:?}");
    };
    let money = || package("payframe-money", &[]);
    check(
        &[
            money(),
            package("payframe-checkout-flow", &[("payframe-money", None)]),
        ],
        0,
    );
    check(
        &[
            package("payframe-money", &[("payframe-protocol", None)]),
            package("payframe-protocol", &[]),
        ],
        1,
    );
    check(
        &[
            package("payframe-protocol", &[("payframe-money", Some("build"))]),
            money(),
        ],
        1,
    );
    check(
        &[
            package("payframe-protocol", &[("payframe-money", Some("dev"))]),
            money(),
        ],
        0,
    );
    check(&[package("payframe-new", &[])], 1);
}

#[test]
fn an_impure_crate_is_found() {
    let check = |money: &[(&str, Option<&str>)], expected: usize| {
        let found = crates_with_io(&[
            package("payframe-card-rules", &[("zeroize", None)]),
            package("payframe-money", money),
            package("payframe-checkout-flow", &[]),
            package("payframe-proof-of-work", &[]),
            package("payframe-order-keeper", &[]),
            package("payframe-payment-domain", &[]),
            package("payframe-settlement-files", &[]),
            package("payframe-payment-ports", &[]),
        ]);
        assert_eq!(found.len(), expected, "{found:?}");
    };
    check(&[], 0);
    check(&[("proptest", Some("dev"))], 0);
    check(&[("serde", None)], 1);
    check(&[("payframe-protocol", Some("dev"))], 1);
    assert_eq!(crates_with_io(&[]).len(), PURE.len());
    assert_eq!(effects("let now = std::time::Instant::now();").len(), 1);
    assert!(effects("/// Not from `std::time`.\nlet sum = 1;").is_empty());
}
