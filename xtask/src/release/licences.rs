//! The licences of other people's crates in the program, as one text that goes with it: most licences ask for that.

use super::crates::Crate;
use anyhow::{Context, Result};
use std::collections::BTreeMap;

/// Every licence text once, below the crates that it is in; then the crates whose archive has no text.
pub(crate) fn of_program(crates: &BTreeMap<String, Crate>) -> Result<String> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut without = Vec::new();
    for part in crates.values().filter(|part| part.checksum.is_some()) {
        let found = texts_of(part)?;
        if found.is_empty() {
            let license = part.license.as_deref().unwrap_or("no licence");
            without.push(format!("{}: {license}", part.id()));
        }
        for text in found {
            texts.entry(text).or_default().push(part.id());
        }
    }
    let mut blocks: Vec<(String, String)> = texts
        .into_iter()
        .map(|(text, crates)| (crates.join(", "), text))
        .collect();
    blocks.sort();
    let blocks: String = blocks
        .into_iter()
        .map(|(crates, text)| format!("{RULE}\n{crates}\n{RULE}\n\n{}\n\n", text.trim()))
        .collect();
    Ok(format!(
        "payframe-gateway contains these packages of other people.\n\n{blocks}{RULE}\nWithout a text of their own, under the licence that they name\n{RULE}\n\n{}\n",
        without.join("\n")
    ))
}

/// The texts in the folder of a crate whose files are named like licences.
fn texts_of(part: &Crate) -> Result<Vec<String>> {
    let mut files = Vec::new();
    let entries = std::fs::read_dir(&part.folder)
        .with_context(|| format!("cannot list {}", part.folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_uppercase();
        if path.is_file() && NAMES.iter().any(|start| name.starts_with(start)) {
            files.push(path);
        }
    }
    files.sort();
    let read = |path| Ok(String::from_utf8_lossy(&std::fs::read(path)?).replace("\r\n", "\n"));
    files.iter().map(read).collect()
}

const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"];
const RULE: &str =
    "--------------------------------------------------------------------------------";

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn equal_texts_are_written_once_and_missing_ones_are_named() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let part = |name: &str, text: Option<&str>| -> Result<Crate> {
            let crate_folder = folder.path().join(name);
            std::fs::create_dir(&crate_folder)?;
            std::fs::write(crate_folder.join("lib.rs"), "no licence")?;
            if let Some(text) = text {
                std::fs::write(crate_folder.join("license-mit"), text)?;
            }
            Ok(Crate {
                name: name.into(),
                version: "1.0.0".into(),
                license: Some("MIT".into()),
                repository: None,
                checksum: Some("ab".into()),
                folder: crate_folder,
                uses: BTreeSet::new(),
            })
        };
        let parts = [
            part("a", Some("free\r\n"))?,
            part("b", Some("free\n"))?,
            part("c", None)?,
        ];
        let text = of_program(&parts.into_iter().map(|part| (part.id(), part)).collect())?;
        assert_eq!(text.matches("free").count(), 1, "{text}");
        assert!(text.contains("\na 1.0.0, b 1.0.0\n"), "{text}");
        assert!(text.ends_with("c 1.0.0: MIT\n"), "{text}");
        assert!(!text.contains("no licence"), "{text}");
        Ok(())
    }
}
