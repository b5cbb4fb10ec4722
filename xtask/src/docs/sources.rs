//! What the docs site is made from: the table of contents, the documents, and the files that these can show.

use super::contents::Contents;
use crate::dist::hex_digest;
use crate::project::{Project, files_below};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What the site is made from.
pub(super) struct Sources {
    pub(super) contents: Contents,
    /// By path in the repository.
    pub(super) files: BTreeMap<String, Vec<u8>>,
    /// Every file of the repository: links may name any of them.
    pub(super) root: PathBuf,
}

impl Sources {
    pub(super) fn read(project: &Project) -> Result<Sources> {
        let contents = Contents::read(&project.root)?;
        contents.names_every_page(&project.root)?;
        let mut files = BTreeMap::new();
        let mut own = Vec::new();
        for folder in FOLDERS {
            for file in files_below(&project.root.join(folder))? {
                own.push(format!("{folder}/{}", file.display()));
            }
        }
        let pages = contents.pages().map(|page| page.file.clone());
        for name in own.into_iter().chain(pages) {
            let path = project.root.join(&name);
            let bytes = std::fs::read(&path).with_context(|| format!("{name} is missing"))?;
            files.insert(name, bytes);
        }
        Ok(Sources {
            contents,
            files,
            root: project.root.clone(),
        })
    }

    pub(super) fn text(&self, name: &str) -> Result<&str> {
        let bytes = self.files.get(name);
        let bytes = bytes.with_context(|| format!("{name} is missing"))?;
        std::str::from_utf8(bytes).with_context(|| format!("{name} is not UTF-8"))
    }

    /// A file of the repository that a page links to.
    pub(super) fn linked(&self, name: &str) -> Result<Vec<u8>> {
        std::fs::read(self.root.join(name)).with_context(|| format!("{name} cannot be read"))
    }

    pub(super) fn is_file(&self, name: &str) -> bool {
        self.root.join(name).is_file()
    }

    /// A hash of the pages and everything that they show.
    pub(super) fn digest(&self) -> String {
        let mut inputs = self.contents.text.clone();
        for (name, bytes) in &self.files {
            inputs.push_str(&format!("{name} {}\n", hex_digest(bytes)));
        }
        hex_digest(inputs.as_bytes())
    }
}

/// The folders whose files decide what the site is: its pages, its own files and what these import, and what pages show copies of.
const FOLDERS: [&str; 6] = [
    "docs",
    "examples",
    "www/docs",
    "www/frame/appearance",
    "www/sdk",
    "www/shop",
];
