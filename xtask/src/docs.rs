//! `cargo xtask docs`: the docs site, as static files in `target/dist/docs`. The gateway serves them at `/docs`.
//!
//! The pages are the Markdown of the repository that `docs/contents.toml` names: their order, their groups and one sentence for each are
//! there. The build refuses a page that no group names, a link to a page, a heading or a file that does not exist, and data in a block of code that
//! cannot be read. All links
//! are relative, so any server of static files can serve the folder at any address; it has to find `x.html` for `x`.

mod colours;
mod contents;
mod links;
mod page;
mod search;
mod site;
mod snippets;

use crate::dist::{CompressedCopies, hex_digest};
use crate::minify::{Language, bundle, minify};
use crate::process::step;
use crate::project::{Project, files_below};
use anyhow::{Context, Result};
use contents::Contents;
use std::collections::BTreeMap;
use std::path::Path;

/// Brings `target/dist/docs` up to date.
pub(crate) fn build(project: &Project) -> Result<()> {
    let sources = Sources::read(project)?;
    let folder = project.dist().join("docs");
    let stamp = sources.stamp();
    if std::fs::read_to_string(folder.join(STAMP)).is_ok_and(|text| text == stamp) {
        println!("docs: unchanged");
        return Ok(());
    }
    step("docs: pages, links and search", |line| {
        let mut site = site::render(&sources)?;
        for script in SCRIPTS {
            let script_text = bundle(project, &format!("docs/{script}"))?;
            site.add(script, script_text, CompressedCopies::Compressed);
        }
        let style = sources.text("www/docs/site.css")?;
        let style = minify(project, style, Language::Style)?;
        site.add("site.css", style, CompressedCopies::Compressed);
        site.add(STAMP, stamp, CompressedCopies::None);
        site.write(&folder)?;
        line.say(&format!("{} pages", sources.contents.pages().count()));
        Ok(())
    })
}

/// What the site is made from.
pub(crate) struct Sources {
    contents: Contents,
    /// By path in the repository.
    files: BTreeMap<String, Vec<u8>>,
    /// Every file of the repository: links may name any of them.
    root: std::path::PathBuf,
}

impl Sources {
    fn read(project: &Project) -> Result<Sources> {
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

    fn text(&self, name: &str) -> Result<&str> {
        let bytes = self.files.get(name);
        let bytes = bytes.with_context(|| format!("{name} is missing"))?;
        std::str::from_utf8(bytes).with_context(|| format!("{name} is not UTF-8"))
    }

    /// A file of the repository that a page links to.
    fn linked(&self, name: &str) -> Result<Vec<u8>> {
        std::fs::read(self.root.join(name)).with_context(|| format!("{name} cannot be read"))
    }

    fn is_file(&self, name: &str) -> bool {
        self.root.join(name).is_file()
    }

    /// A hash of what decides the content of the site: this program, and the pages.
    fn stamp(&self) -> String {
        let mut inputs = String::from(env!("CARGO_PKG_VERSION"));
        for code in [
            include_str!("docs.rs"),
            include_str!("docs/colours.rs"),
            include_str!("docs/contents.rs"),
            include_str!("docs/links.rs"),
            include_str!("docs/page.rs"),
            include_str!("docs/search.rs"),
            include_str!("docs/site.rs"),
            include_str!("docs/snippets.rs"),
        ] {
            inputs.push_str(code);
        }
        inputs.push_str(&self.contents.text);
        for (name, bytes) in &self.files {
            inputs.push_str(&format!("{name} {}\n", hex_digest(bytes)));
        }
        hex_digest(inputs.as_bytes())
    }
}

/// The path of a file that `target` names in the document `from`, without `.` and `..`; `None` if it is outside of the repository.
fn resolved(from: &str, target: &str) -> Option<String> {
    let folder = Path::new(from).parent()?;
    let mut path: Vec<&str> = Vec::new();
    let pieces = folder.to_str()?.split('/').chain(target.split('/'));
    for piece in pieces.filter(|piece| !piece.is_empty() && *piece != ".") {
        match piece {
            ".." => {
                path.pop()?;
            }
            piece => path.push(piece),
        }
    }
    Some(path.join("/"))
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
/// The scripts of the site, below `www/docs`. `theme.js` runs before the page is drawn.
const SCRIPTS: [&str; 3] = ["site.js", "theme.js", "playground.js"];
const STAMP: &str = "stamp";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_relative_to_their_document() {
        let check = |from, target, expected: Option<&str>| {
            assert_eq!(
                resolved(from, target).as_deref(),
                expected,
                "{from} {target}"
            );
        };
        check("docs/a.md", "b.md", Some("docs/b.md"));
        check("docs/adr/1.md", "../b.md", Some("docs/b.md"));
        check("docs/a.md", "../README.md", Some("README.md"));
        check("README.md", "./docs/a.md", Some("docs/a.md"));
        check("README.md", "../a.md", None);
    }
}
