//! The table of contents, `docs/contents.toml`: which documents are pages, in which order and groups, and one sentence about each.

use crate::project::files_below;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::path::Path;

/// The groups of pages, in order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Contents {
    pub(super) group: Vec<Group>,
    /// What was read.
    #[serde(skip)]
    pub(super) text: String,
}

/// Pages for one purpose.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Group {
    pub(super) title: String,
    pub(super) page: Vec<Entry>,
}

/// A page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    /// Path in the repository.
    pub(super) file: String,
    /// In the navigation.
    pub(super) title: String,
    /// What one finds there, in one sentence.
    pub(super) about: String,
}

impl Entry {
    /// Path of the page in the site, without an ending.
    pub(super) fn path(&self) -> String {
        path_of(&self.file)
    }
}

/// Path in the site of the page of a document, without an ending.
fn path_of(file: &str) -> String {
    let plain = file.strip_suffix(".md").unwrap_or(file);
    if let Some(package) = plain.strip_suffix("/README") {
        return package.to_owned();
    }
    plain.strip_prefix("docs/").unwrap_or(plain).to_lowercase()
}

impl Contents {
    pub(super) fn read(root: &Path) -> Result<Contents> {
        let text = std::fs::read_to_string(root.join(FILE))
            .with_context(|| format!("{FILE} cannot be read"))?;
        Contents::parse(&text).with_context(|| format!("{FILE} is not what it should be"))
    }

    pub(super) fn parse(text: &str) -> Result<Contents> {
        let contents: Contents = toml::from_str(text)?;
        Ok(Contents {
            text: text.to_owned(),
            ..contents
        })
    }

    /// All pages, in the order in which one reads them.
    pub(super) fn pages(&self) -> impl Iterator<Item = &Entry> {
        self.group.iter().flat_map(|group| &group.page)
    }

    /// The page that is made from this document.
    pub(super) fn page_of(&self, file: &str) -> Option<&Entry> {
        self.pages().find(|page| page.file == file)
    }

    /// Refuses a document of `docs/` that no group names.
    pub(super) fn names_every_page(&self, root: &Path) -> Result<()> {
        for file in files_below(&root.join("docs"))? {
            let name = format!("docs/{}", file.display());
            let is_page = name.ends_with(".md") && name != START;
            if is_page && self.page_of(&name).is_none() {
                bail!("{name} is in no group of {FILE}: readers of the site would not find it");
            }
        }
        Ok(())
    }
}

const FILE: &str = "docs/contents.toml";
/// The text of the start page, above the table of contents.
pub(super) const START: &str = "docs/start.md";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documents_of_this_repository_are_all_named() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let contents = Contents::read(root).unwrap();
        contents.names_every_page(root).unwrap();
    }

    #[test]
    fn documents_have_addresses_without_endings() {
        for (file, expected) in [
            ("docs/element.md", "element"),
            (
                "docs/adr/0001-fonts-are-rebuilt.md",
                "adr/0001-fonts-are-rebuilt",
            ),
            ("packages/react/README.md", "packages/react"),
            ("CHANGELOG.md", "changelog"),
        ] {
            assert_eq!(path_of(file), expected);
        }
    }
}
