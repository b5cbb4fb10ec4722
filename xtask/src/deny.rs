//! Checks every package of the lock file against `deny.toml`: its licence, its source, and whether it is banned.
//!
//! The file has cargo-deny's format, so that people with that program can run it. This check does not use the program: each new machine
//! would have to compile it, and it contains a Git client. The program also checks advisories, whose database comes from the network.
//! `spdx` reads the licence expressions, as in cargo-deny. A key of the file that this check does not know is
//! refused, so that every rule in the file is checked.

use crate::process::capture;
use crate::project::Project;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use spdx::{Expression, LicenseReq, Licensee, ParseMode};
use std::collections::HashMap;

/// Checks all packages and lists all breaches.
pub(crate) fn check(project: &Project) -> Result<()> {
    let text = std::fs::read_to_string(project.root.join("deny.toml"))?;
    let rules = Rules::read(&text)?;
    let metadata = ["metadata", "--locked", "--format-version", "1"];
    let metadata = capture(project.cargo().args(metadata))?;
    let packages = packages(serde_json::from_str(&metadata)?);
    let breaches = rules.breaches(&packages)?;
    if breaches.is_empty() {
        println!("{} packages keep the rules of deny.toml", packages.len());
        return Ok(());
    }
    bail!("deny.toml:\n{}", breaches.join("\n"))
}

/// The parts of `deny.toml` that are checked here.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    /// Only for cargo-deny.
    #[serde(rename = "graph")]
    _graph: Option<toml::Table>,
    /// Only for cargo-deny.
    #[serde(rename = "advisories")]
    _advisories: Option<toml::Table>,
    licenses: Licenses,
    bans: Bans,
    sources: Sources,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Licenses {
    allow: Vec<String>,
    #[serde(default)]
    exceptions: Vec<Exception>,
}

/// Additional licences that one package may have.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Bans {
    /// Only for cargo-deny. The only accepted value is to allow them.
    multiple_versions: Allowed,
    wildcards: Denied,
    allow_wildcard_paths: bool,
    deny: Vec<Banned>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Banned {
    #[serde(rename = "crate")]
    name: String,
    /// The only packages that may depend on it.
    #[serde(default)]
    wrappers: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Sources {
    #[serde(rename = "unknown-registry")]
    _unknown_registry: Denied,
    #[serde(rename = "unknown-git")]
    _unknown_git: Denied,
    allow_registry: Vec<String>,
}

/// The only value that this check accepts.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Denied {
    Deny,
}

/// The only value that this check accepts.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Allowed {
    Allow,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

/// A package with those that it is built with. Optional dependencies that are off are not among them.
#[derive(Deserialize)]
struct Node {
    id: String,
    dependencies: Vec<String>,
}

#[derive(Clone, Deserialize)]
struct Package {
    id: String,
    /// The names of the packages that are built with it.
    #[serde(skip)]
    dependents: Vec<String>,
    name: String,
    version: String,
    license: Option<String>,
    /// `None` for packages of this repository.
    source: Option<String>,
    dependencies: Vec<Dependency>,
}

#[derive(Clone, Deserialize)]
struct Dependency {
    name: String,
    req: String,
    path: Option<String>,
}

/// The packages, each with its dependents.
fn packages(Metadata { packages, resolve }: Metadata) -> Vec<Package> {
    let names: HashMap<String, String> = packages
        .iter()
        .map(|package| (package.id.clone(), package.name.clone()))
        .collect();
    let mut dependents: HashMap<String, Vec<String>> = HashMap::new();
    for node in resolve.nodes {
        let Some(name) = names.get(&node.id) else {
            continue;
        };
        for used in node.dependencies {
            dependents.entry(used).or_default().push(name.clone());
        }
    }
    let with_dependents = |package: Package| Package {
        dependents: dependents.get(&package.id).cloned().unwrap_or_default(),
        ..package
    };
    packages.into_iter().map(with_dependents).collect()
}

impl Rules {
    fn read(text: &str) -> Result<Rules> {
        let rules: Rules = toml::from_str(text).context("deny.toml")?;
        // Each has only one possible value, which is the one that is checked.
        let Bans {
            multiple_versions: Allowed::Allow,
            wildcards: Denied::Deny,
            ..
        } = &rules.bans;
        Ok(rules)
    }

    fn breaches(&self, packages: &[Package]) -> Result<Vec<String>> {
        let everybody = licensees(&self.licenses.allow)?;
        let mut breaches = Vec::new();
        for package in packages {
            let of = format!("{} {}", package.name, package.version);
            let mut allowed = everybody.clone();
            for exception in &self.licenses.exceptions {
                if exception.name == package.name {
                    allowed.extend(licensees(&exception.allow)?);
                }
            }
            breaches.extend(unlicensed(package, &allowed).map(|breach| format!("{of}: {breach}")));
            breaches.extend(
                self.unlisted_source(package)
                    .map(|breach| format!("{of}: {breach}")),
            );
            let is_banned = self.bans.deny.iter().any(|banned| {
                let is_wrapped = !banned.wrappers.is_empty()
                    && package
                        .dependents
                        .iter()
                        .all(|dependent| banned.wrappers.contains(dependent));
                banned.name == package.name && !is_wrapped
            });
            if is_banned {
                breaches.push(format!(
                    "{of} is banned; `cargo tree -i {}` says who brings it in",
                    package.name
                ));
            }
            if package.source.is_none() {
                breaches.extend(
                    self.wildcards(package)
                        .map(|breach| format!("{of}: {breach}")),
                );
            }
        }
        for exception in &self.licenses.exceptions {
            if packages
                .iter()
                .all(|package| package.name != exception.name)
            {
                breaches.push(format!(
                    "the exception for {} is for nobody: take it out",
                    exception.name
                ));
            }
        }
        for wrapper in self.bans.deny.iter().flat_map(|banned| &banned.wrappers) {
            if packages.iter().all(|package| package.name != *wrapper) {
                breaches.push(format!("the wrapper {wrapper} is not there: take it out"));
            }
        }
        Ok(breaches)
    }

    /// A source that is not on the list.
    fn unlisted_source(&self, package: &Package) -> Option<String> {
        let source = package.source.as_deref()?;
        let is_known = source.strip_prefix("registry+").is_some_and(|registry| {
            self.sources
                .allow_registry
                .iter()
                .any(|known| known == registry)
        });
        (!is_known).then(|| {
            format!("comes from {source}. Only registries in `sources.allow-registry` are allowed")
        })
    }

    fn wildcards(&self, package: &Package) -> impl Iterator<Item = String> {
        let paths = self.bans.allow_wildcard_paths;
        package
            .dependencies
            .iter()
            .filter(move |dependency| {
                dependency.req == "*" && !(paths && dependency.path.is_some())
            })
            .map(|dependency| format!("takes any version of {}. Write down which", dependency.name))
    }
}

fn licensees(texts: &[String]) -> Result<Vec<Licensee>> {
    let read = |text: &String| {
        Licensee::parse(text).with_context(|| format!("deny.toml: `{text}` is no licence"))
    };
    texts.iter().map(read).collect()
}

/// Why a package may not be used under the allowed licences.
fn unlicensed(package: &Package, allowed: &[Licensee]) -> Option<String> {
    let Some(text) = &package.license else {
        return Some("has no licence".into());
    };
    // Older packages write `MIT/Apache-2.0`.
    let Ok(expression) = Expression::parse_mode(text, ParseMode::LAX) else {
        return Some(format!("has a licence that cannot be read: {text}"));
    };
    let fits = |wanted: &LicenseReq| allowed.iter().any(|licensee| licensee.satisfies(wanted));
    (!expression.evaluate(fits)).then(|| {
        format!("is licensed as {text}. Do without it, or add the licence to `licenses` with what it asks for")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = r#"
        [licenses]
        allow = ["MIT", "Apache-2.0"]
        exceptions = [{ allow = ["MPL-2.0"], crate = "parser" }]
        [bans]
        multiple-versions = "allow"
        wildcards = "deny"
        allow-wildcard-paths = true
        deny = [{ crate = "leaky" }, { crate = "slow", wrappers = ["parser"] }]
        [sources]
        unknown-registry = "deny"
        unknown-git = "deny"
        allow-registry = ["https://index.example"]
    "#;

    fn package(name: &str, license: &str) -> Package {
        Package {
            id: name.into(),
            dependents: Vec::new(),
            name: name.into(),
            version: "1.0.0".into(),
            license: Some(license.into()),
            source: Some("registry+https://index.example".into()),
            dependencies: Vec::new(),
        }
    }

    /// The result for the package of the exception.
    fn breaches(of: Package) -> Result<Vec<String>> {
        Rules::read(RULES)?.breaches(&[of, package("parser", "MPL-2.0")])
    }

    #[test]
    fn licences_are_those_of_the_list() -> Result<()> {
        for (license, fits) in [
            ("MIT", true),
            ("MIT/Apache-2.0", true),
            ("GPL-3.0-only OR MIT", true),
            ("(MIT OR GPL-3.0-only) AND Apache-2.0", true),
            ("MIT AND GPL-3.0-only", false),
            ("GPL-3.0-only", false),
            ("MPL-2.0", false),
            ("as you like", false),
        ] {
            assert_eq!(
                breaches(package("some", license))?.is_empty(),
                fits,
                "{license}"
            );
        }
        let without = Package {
            license: None,
            ..package("some", "MIT")
        };
        assert_eq!(breaches(without)?, ["some 1.0.0: has no licence"]);
        Ok(())
    }

    #[test]
    fn an_exception_is_for_a_package_that_is_there() -> Result<()> {
        let found = Rules::read(RULES)?.breaches(&[package("some", "MIT")])?;
        assert_eq!(
            found,
            [
                "the exception for parser is for nobody: take it out",
                "the wrapper parser is not there: take it out",
            ]
        );
        Ok(())
    }

    #[test]
    fn other_sources_and_what_is_banned_are_found() -> Result<()> {
        for source in [
            "git+https://git.example/some",
            "registry+https://other.example",
        ] {
            let other = Package {
                source: Some(source.into()),
                ..package("some", "MIT")
            };
            let found = breaches(other)?;
            assert!(
                found.iter().any(|breach| breach.contains(source)),
                "{found:?}"
            );
        }
        let found = breaches(package("leaky", "MIT"))?;
        assert_eq!(
            found,
            ["leaky 1.0.0 is banned; `cargo tree -i leaky` says who brings it in"]
        );
        Ok(())
    }

    #[test]
    fn a_banned_package_may_be_used_by_its_wrappers_alone() -> Result<()> {
        let node = |id: &str, dependencies: &[&str]| Node {
            id: id.into(),
            dependencies: dependencies.iter().map(|&used| used.into()).collect(),
        };
        for (others, expected) in [
            (vec![], vec![]),
            (
                vec![node("hasty", &["slow"])],
                vec!["slow 1.0.0 is banned; `cargo tree -i slow` says who brings it in"],
            ),
        ] {
            let mut nodes = others;
            nodes.push(node("parser", &["slow"]));
            let found = packages(Metadata {
                packages: vec![
                    package("slow", "MIT"),
                    package("parser", "MPL-2.0"),
                    package("hasty", "MIT"),
                ],
                resolve: Resolve { nodes },
            });
            assert_eq!(Rules::read(RULES)?.breaches(&found)?, expected);
        }
        let without = RULES.replace("crate = \"parser\"", "crate = \"other\"");
        let found = Rules::read(&without)?.breaches(&[package("other", "MIT")])?;
        assert_eq!(found, ["the wrapper parser is not there: take it out"]);
        Ok(())
    }

    #[test]
    fn only_packages_of_a_path_may_have_any_version() -> Result<()> {
        for (path, fits) in [(None, false), (Some("crates/other"), true)] {
            let dependency = Dependency {
                name: "other".into(),
                req: "*".into(),
                path: path.map(str::to_owned),
            };
            let ours = Package {
                source: None,
                dependencies: vec![dependency],
                ..package("ours", "MIT")
            };
            assert_eq!(breaches(ours)?.is_empty(), fits, "{path:?}");
        }
        Ok(())
    }

    #[test]
    fn a_rule_that_nobody_holds_is_refused() {
        for rule in ["[licenses]\nconfidence = 1", "[bans]\nworkspace = 1"] {
            let (table, line) = rule.split_once('\n').unwrap_or_default();
            let more = RULES.replace(table, rule);
            assert!(Rules::read(&more).is_err(), "{line}");
        }
        assert!(
            Rules::read(&RULES.replace("wildcards = \"deny\"", "wildcards = \"warn\"")).is_err()
        );
        assert!(Rules::read(RULES).is_ok());
    }
}
