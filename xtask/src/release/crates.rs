//! The crates whose code is in the program: those of the gateway, and those of the widget that is inside it.
//!
//! Which they are says `cargo tree`, which resolves features as the build does; the rest is from `cargo metadata` and `Cargo.lock`. Crates that only
//! run while others compile (macros, build scripts) are left out.

use crate::process::capture;
use crate::project::Project;
use crate::setup::WASM_TARGET;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A crate of the program.
#[derive(Clone, Debug)]
pub(crate) struct Crate {
    pub(crate) name: String,
    pub(crate) version: String,
    /// As it is written in the crate: an expression of SPDX, or of the time before.
    pub(crate) license: Option<String>,
    pub(crate) repository: Option<String>,
    /// The SHA-256 of its archive in the registry; of our own crates there is none.
    pub(crate) checksum: Option<String>,
    /// Where its source is on this machine.
    pub(crate) folder: PathBuf,
    /// The crates of the program that it uses, as [`Crate::id`].
    pub(crate) uses: BTreeSet<String>,
}

impl Crate {
    /// Name and version.
    pub(crate) fn id(&self) -> String {
        id(&self.name, &self.version)
    }
}

/// The crates of the program by [`Crate::id`].
pub(crate) fn of_program(project: &Project, target: &str) -> Result<BTreeMap<String, Crate>> {
    let gateway = tree(
        project,
        &[
            "payframe-gateway",
            "--features=embedded-widget",
            "--target",
            target,
        ],
    )?;
    let widget = tree(project, &["payframe-module", "--target", WASM_TARGET])?;
    let wanted: BTreeSet<String> = gateway.into_iter().chain(widget).collect();
    // With the crates of optional features, of which the program has some.
    let metadata = [
        "metadata",
        "--locked",
        "--all-features",
        "--format-version",
        "1",
    ];
    let metadata = capture(project.cargo().args(metadata))?;
    let lock = std::fs::read_to_string(project.root.join("Cargo.lock"))?;
    described(&wanted, &metadata, &lock)
}

/// Name and version of each crate that is linked.
fn tree(project: &Project, options: &[&str]) -> Result<Vec<String>> {
    let listing = capture(
        project
            .cargo()
            .args(["tree", "--locked", "--edges=normal,no-proc-macro"])
            .args(["--prefix=none", "--no-dedupe", "--format={p}", "--package"])
            .args(options),
    )?;
    let line = |line: &str| {
        let mut words = line.split(' ');
        let (name, version) = words.next().zip(words.next())?;
        Some(id(name, version.strip_prefix('v')?))
    };
    listing
        .lines()
        .map(|text| line(text).with_context(|| format!("cargo tree says `{text}`")))
        .collect()
}

fn described(
    wanted: &BTreeSet<String>,
    metadata: &str,
    lock: &str,
) -> Result<BTreeMap<String, Crate>> {
    let metadata: Metadata = serde_json::from_str(metadata)?;
    let lock: Lock = toml::from_str(lock).context("Cargo.lock cannot be read")?;
    let checksums: BTreeMap<String, String> = lock
        .package
        .into_iter()
        .filter_map(|locked| Some((id(&locked.name, &locked.version), locked.checksum?)))
        .collect();
    let names: BTreeMap<&str, String> = metadata
        .packages
        .iter()
        .map(|package| (package.id.as_str(), id(&package.name, &package.version)))
        .collect();
    let mut uses: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for node in &metadata.resolve.nodes {
        let linked = node.deps.iter().filter(|used| {
            let kinds = &used.dep_kinds;
            kinds.iter().any(|kind| kind.kind.is_none())
        });
        let linked = linked.filter_map(|used| names.get(used.pkg.as_str()));
        let linked = linked.filter(|name| wanted.contains(*name)).cloned();
        uses.insert(&node.id, linked.collect());
    }
    let mut crates = BTreeMap::new();
    for package in &metadata.packages {
        let name = id(&package.name, &package.version);
        if !wanted.contains(&name) {
            continue;
        }
        let folder = package.manifest_path.parent();
        let described = Crate {
            name: package.name.clone(),
            version: package.version.clone(),
            license: package.license.clone(),
            repository: package.repository.clone(),
            checksum: checksums.get(&name).cloned(),
            folder: folder.context("a manifest is in a folder")?.to_owned(),
            uses: uses.remove(package.id.as_str()).unwrap_or_default(),
        };
        crates.insert(name, described);
    }
    for name in wanted {
        crates
            .get(name)
            .with_context(|| format!("cargo metadata does not know {name}"))?;
    }
    Ok(crates)
}

fn id(name: &str, version: &str) -> String {
    format!("{name} {version}")
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    repository: Option<String>,
    manifest_path: PathBuf,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Used>,
}

#[derive(Deserialize)]
struct Used {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

/// How a crate is used; nothing stands for code that is linked.
#[derive(Deserialize)]
struct Kind {
    kind: Option<String>,
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    version: String,
    checksum: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_has_what_it_links_and_not_what_only_compiles_or_tests_it() -> Result<()> {
        let crates = of_program(&Project::locate()?, "x86_64-unknown-linux-musl")?;
        let named = |name: &str| crates.values().find(|found| found.name == name);
        for there in [
            "payframe-gateway",
            "payframe",
            "axum",
            "leptos",
            "rustls",
            "rust-embed",
        ] {
            assert!(named(there).is_some(), "{there}");
        }
        for absent in [
            "proptest",
            "jsonschema",
            "serde_derive",
            "cc",
            "windows-sys",
            "xtask",
        ] {
            assert!(named(absent).is_none(), "{absent}");
        }
        let axum = named("axum").context("no axum")?;
        assert_eq!(axum.checksum.as_ref().map(String::len), Some(64));
        assert!(
            axum.uses.iter().any(|used| used.starts_with("hyper ")),
            "{:?}",
            axum.uses
        );
        assert!(axum.uses.iter().all(|used| crates.contains_key(used)));
        assert_eq!(
            named("payframe-gateway").and_then(|ours| ours.checksum.clone()),
            None
        );
        Ok(())
    }
}
