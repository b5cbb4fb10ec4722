//! Bills of materials in the format CycloneDX 1.6 (JSON): what is in the program, and in the npm packages.
//!
//! They are written here, not by `npm sbom` and `cargo cyclonedx`: the first knows only packages of one npm workspace, the second puts files beside
//! all manifests, and both leave the widget out. The time is that of the commit, and there is no serial number, so the bytes are always the same.

use super::VERSION;
use super::crates::Crate;
use super::source::Source;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The bill of the program.
pub(crate) fn of_program(crates: &BTreeMap<String, Crate>, source: &Source) -> Result<String> {
    let (own, others): (Vec<&Crate>, Vec<&Crate>) =
        crates.values().partition(|part| part.name == PROGRAM);
    let [program] = own.as_slice() else {
        anyhow::bail!("the program is one crate, {PROGRAM}");
    };
    let components: Vec<Value> = others.into_iter().map(component).collect();
    let dependencies: Vec<Value> = crates
        .values()
        .map(|part| {
            let uses = part.uses.iter().filter_map(|used| crates.get(used));
            json!({ "ref": reference(part), "dependsOn": uses.map(reference).collect::<Vec<_>>() })
        })
        .collect();
    let mut about = component(program);
    about["type"] = json!("application");
    bill(source, &about, &components, &dependencies)
}

/// An npm package of ours.
pub(crate) struct NpmPackage {
    /// The text of its `package.json`.
    pub(crate) manifest: Value,
    /// The SHA-256 of its archive.
    pub(crate) sha256: String,
}

/// The bill of the npm packages. What a package wants its app to have (peers) is not in it.
pub(crate) fn of_packages(packages: &[NpmPackage], source: &Source) -> Result<String> {
    let text = |package: &NpmPackage, key: &str| -> Result<String> {
        let value = package.manifest[key].as_str();
        Ok(value
            .with_context(|| format!("no {key} in a package.json"))?
            .to_owned())
    };
    let mut components = Vec::new();
    let mut dependencies = Vec::new();
    let mut references = Vec::new();
    for package in packages {
        let reference = npm_reference(&text(package, "name")?, &text(package, "version")?);
        components.push(json!({
            "type": "library",
            "bom-ref": reference,
            "purl": reference,
            "name": text(package, "name")?,
            "version": text(package, "version")?,
            "description": text(package, "description")?,
            "licenses": licences(&text(package, "license")?),
            "hashes": [{ "alg": "SHA-256", "content": package.sha256 }],
        }));
        let mut uses = Vec::new();
        for (name, version) in package.manifest["dependencies"]
            .as_object()
            .into_iter()
            .flatten()
        {
            let version = version.as_str().context("a version is a text")?;
            uses.push(npm_reference(name, version));
        }
        dependencies.push(json!({ "ref": reference, "dependsOn": uses }));
        references.push(reference);
    }
    for used in dependencies
        .iter()
        .filter_map(|dependency| dependency["dependsOn"].as_array())
        .flatten()
    {
        let ours = references.iter().any(|reference| used == reference);
        anyhow::ensure!(
            ours,
            "{used} is no package of ours: packages of others belong into the bill, too"
        );
    }
    let about = json!({ "type": "application", "bom-ref": "payframe-packages", "name": "payframe-packages", "version": VERSION });
    dependencies.insert(
        0,
        json!({ "ref": "payframe-packages", "dependsOn": references }),
    );
    bill(source, &about, &components, &dependencies)
}

fn bill(
    source: &Source,
    about: &Value,
    components: &[Value],
    dependencies: &[Value],
) -> Result<String> {
    let bill = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": { "timestamp": source.date, "component": about },
        "components": components,
        "dependencies": dependencies,
    });
    Ok(serde_json::to_string_pretty(&bill)? + "\n")
}

fn component(part: &Crate) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": reference(part),
        "name": part.name,
        "version": part.version,
    });
    if let Some(license) = &part.license {
        component["licenses"] = licences(license);
    }
    // Our own crates are in no registry.
    if let Some(checksum) = &part.checksum {
        component["purl"] = json!(reference(part));
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    if let Some(repository) = &part.repository {
        component["externalReferences"] = json!([{ "type": "vcs", "url": repository }]);
    }
    component
}

fn reference(part: &Crate) -> String {
    format!(
        "pkg:cargo/{}@{}",
        part.name,
        part.version.replace('+', "%2B")
    )
}

fn npm_reference(name: &str, version: &str) -> String {
    format!("pkg:npm/{}@{version}", name.replace('@', "%40"))
}

/// An expression of SPDX. Older crates write `MIT/Apache-2.0`.
fn licences(text: &str) -> Value {
    json!([{ "expression": text.replace('/', " OR ").replace("  ", " ") }])
}

/// The crate that is the program.
const PROGRAM: &str = "payframe-gateway";

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn part(name: &str, license: &str, uses: &[&str]) -> Crate {
        Crate {
            name: name.into(),
            version: "1.0.0+lib".into(),
            license: Some(license.into()),
            repository: None,
            checksum: (name != PROGRAM).then(|| "ab".repeat(32)),
            folder: "".into(),
            uses: uses
                .iter()
                .map(|used| format!("{used} 1.0.0+lib"))
                .collect(),
        }
    }

    #[test]
    fn a_bill_names_each_part_once_and_every_reference_leads_to_one() -> Result<()> {
        let parts = [
            part(PROGRAM, "MIT OR Apache-2.0", &["web", "data"]),
            part("web", "MIT/Apache-2.0", &["data"]),
            part("data", "Zlib", &[]),
        ];
        let crates = parts.into_iter().map(|part| (part.id(), part)).collect();
        let text = of_program(&crates, &Source::sample())?;
        assert_eq!(text, of_program(&crates, &Source::sample())?);
        let bill: Value = serde_json::from_str(&text)?;
        assert_eq!(bill["metadata"]["timestamp"], "2025-11-26T06:13:20Z");
        let components = bill["components"].as_array().context("no components")?;
        let mut known: HashSet<&Value> = components.iter().map(|part| &part["bom-ref"]).collect();
        assert_eq!(known.len(), 2);
        known.insert(&bill["metadata"]["component"]["bom-ref"]);
        for dependency in bill["dependencies"].as_array().context("no dependencies")? {
            assert!(known.contains(&dependency["ref"]));
            for used in dependency["dependsOn"].as_array().context("no list")? {
                assert!(known.contains(used), "{used}");
            }
        }
        assert_eq!(components[1]["purl"], "pkg:cargo/web@1.0.0%2Blib");
        assert_eq!(
            components[1]["licenses"][0]["expression"],
            "MIT OR Apache-2.0"
        );
        assert_eq!(bill["metadata"]["component"].get("purl"), None);
        Ok(())
    }

    #[test]
    fn a_package_of_others_may_not_be_missing_from_the_bill() {
        let package = |dependencies: Value| NpmPackage {
            manifest: json!({
                "name": "@payframe/form", "version": "0.1.0", "description": "a form", "license": "MIT",
                "dependencies": dependencies,
            }),
            sha256: "ab".repeat(32),
        };
        assert!(of_packages(&[package(json!({}))], &Source::sample()).is_ok());
        let refused = of_packages(
            &[package(json!({ "left-pad": "1.0.0" }))],
            &Source::sample(),
        );
        let said = refused.err().map(|refusal| refusal.to_string());
        assert!(said.is_some_and(|said| said.contains("pkg:npm/left-pad@1.0.0")));
    }
}
