//! Where the links of pages go: to a page, to a heading, or to a file of the repository, of which the site shows a copy.
//!
//! A link to nothing is an error. Addresses elsewhere are not looked up.

use super::contents::{Contents, START};
use super::document::Document;
use super::sources::Sources;
use anyhow::{Result, bail};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The places that links can name.
pub(super) struct Links<'a> {
    sources: &'a Sources,
    /// The anchors of each page's headings, by document.
    anchors: BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// The files that pages link to and that are no pages.
    named: RefCell<BTreeSet<String>>,
}

/// Where a link goes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// An address elsewhere, as it is written.
    Elsewhere,
    /// A path in the site, without an ending, and an anchor with its `#`.
    Page(String, String),
    /// A copy of a file in the site.
    File(String),
}

impl<'a> Links<'a> {
    pub(super) fn new(sources: &'a Sources, documents: &'a [(&'a str, Document<'a>)]) -> Links<'a> {
        let anchors = documents.iter().map(|(file, document)| {
            let anchors = document.headings.iter();
            (
                *file,
                anchors.map(|heading| heading.anchor.as_str()).collect(),
            )
        });
        Links {
            sources,
            anchors: anchors.collect(),
            named: RefCell::default(),
        }
    }

    fn contents(&self) -> &Contents {
        &self.sources.contents
    }

    /// Where a link in the document `from` goes.
    pub(super) fn target(&self, from: &str, link: &str) -> Result<Target> {
        if link.contains("://") || link.starts_with("mailto:") {
            return Ok(Target::Elsewhere);
        }
        let (path, anchor) = match link.split_once('#') {
            Some((path, anchor)) => (path, Some(anchor)),
            None => (link, None),
        };
        let file = match path {
            "" => from.to_owned(),
            path => match resolved(from, path) {
                Some(file) => file,
                None => bail!("{from}: the link `{link}` leaves the repository"),
            },
        };
        let page = match file.as_str() {
            // The start page takes the place of the repository's own.
            "README.md" | START => Some(String::new()),
            file => self.contents().page_of(file).map(|page| page.path()),
        };
        let Some(page) = page else {
            if anchor.is_some() || !self.sources.is_file(&file) {
                bail!("{from}: the link `{link}` leads nowhere: there is no such file or heading");
            }
            self.named.borrow_mut().insert(file.clone());
            return Ok(Target::File(format!("files/{file}")));
        };
        let Some(anchor) = anchor else {
            return Ok(Target::Page(page, String::new()));
        };
        let known = self.anchors.get(file.as_str());
        if !known.is_some_and(|anchors| anchors.contains(anchor)) {
            bail!("{from}: the link `{link}` leads nowhere: {file} has no such heading");
        }
        Ok(Target::Page(page, format!("#{anchor}")))
    }

    /// The page or file that a word in backticks names, with the page's title; `None` if it names none that readers open.
    pub(super) fn mentioned(&self, from: &str, word: &str) -> Option<(Target, Option<&str>)> {
        if word == "/docs/playground" {
            return Some((
                Target::Page(String::from("playground"), String::new()),
                Some("the playground"),
            ));
        }
        let page = self.contents().page_of(word);
        let page = page.or_else(|| self.contents().page_of(&format!("{word}/README.md")));
        if let Some(page) = page {
            let title = (page.file != from).then_some(page.title.as_str())?;
            return Some((Target::Page(page.path(), String::new()), Some(title)));
        }
        let is_for_readers = FOR_READERS.iter().any(|folder| word.starts_with(folder));
        if !is_for_readers || !self.sources.is_file(word) {
            return None;
        }
        self.named.borrow_mut().insert(word.to_owned());
        Some((Target::File(format!("files/{word}")), None))
    }

    /// The text of a link, with the title of a page in place of its file's name: `operations.md` is "Operations".
    pub(super) fn with_title(&self, from: &str, text: &str) -> String {
        let (name, rest) = match text.split_once(".md") {
            Some((name, rest)) => (format!("{name}.md"), rest),
            None => return text.to_owned(),
        };
        let file = resolved(from, &name).unwrap_or_default();
        match self.contents().page_of(&file) {
            Some(page) => format!("{}{rest}", page.title),
            None => text.to_owned(),
        }
    }

    /// The files that the site has to show because a page names them.
    pub(super) fn named_files(&self) -> BTreeSet<String> {
        self.named.borrow().clone()
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

/// The way from a page to the top of the site.
pub(super) fn way_up(page: &str) -> String {
    "../".repeat(page.matches('/').count())
}

/// Files below these folders are examples and declarations: a mention of them is a link. Others are for those who work on the code.
const FOR_READERS: [&str; 4] = ["www/sdk/", "www/shop/", "examples/", "docs/dashboard.json"];

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// Two pages in a folder with a file that is none.
    fn sources(folder: &tempfile::TempDir) -> Result<Sources> {
        std::fs::create_dir_all(folder.path().join("www/sdk"))?;
        std::fs::write(folder.path().join("www/sdk/a.d.ts"), "export {}")?;
        let contents = Contents::parse(
            "[[group]]\ntitle = \"G\"\npage = [\n  { file = \"docs/a.md\", title = \"A\", about = \"\" },\n  \
             { file = \"docs/adr/b.md\", title = \"B\", about = \"\" },\n]\n",
        )?;
        Ok(Sources {
            contents,
            files: BTreeMap::new(),
            root: PathBuf::from(folder.path()),
        })
    }

    #[test]
    fn links_lead_to_pages_headings_and_files() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let sources = sources(&folder)?;
        let documents = [
            ("docs/a.md", Document::read("# A\n\n## Two words\n")),
            ("docs/adr/b.md", Document::read("# B\n")),
        ];
        let links = Links::new(&sources, &documents);
        let page = |path: &str, anchor: &str| Target::Page(path.into(), anchor.into());
        for (from, link, expected) in [
            ("docs/a.md", "adr/b.md", page("adr/b", "")),
            (
                "docs/adr/b.md",
                "../a.md#two-words",
                page("a", "#two-words"),
            ),
            ("docs/a.md", "#two-words", page("a", "#two-words")),
            ("docs/a.md", "../README.md", page("", "")),
            ("docs/a.md", "https://a.example/#b", Target::Elsewhere),
            (
                "docs/a.md",
                "../www/sdk/a.d.ts",
                Target::File("files/www/sdk/a.d.ts".into()),
            ),
        ] {
            assert_eq!(links.target(from, link)?, expected, "{from} {link}");
        }
        for (link, why) in [
            ("c.md", "no such file"),
            ("a.md#three", "no such heading"),
            ("#three", "no such heading"),
            ("../../x", "leaves the repository"),
        ] {
            let refusal = links
                .target("docs/a.md", link)
                .err()
                .map(|why| why.to_string());
            assert!(refusal.is_some_and(|said| said.contains(why)), "{link}");
        }
        assert_eq!(
            links.named_files(),
            BTreeSet::from(["www/sdk/a.d.ts".to_owned()])
        );
        Ok(())
    }

    #[test]
    fn words_in_backticks_that_name_a_page_are_links() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let sources = sources(&folder)?;
        let links = Links::new(&sources, &[]);
        let page = Target::Page("adr/b".into(), String::new());
        assert_eq!(
            links.mentioned("docs/a.md", "docs/adr/b.md"),
            Some((page, Some("B")))
        );
        let file = Target::File("files/www/sdk/a.d.ts".into());
        assert_eq!(
            links.mentioned("docs/a.md", "www/sdk/a.d.ts"),
            Some((file, None))
        );
        assert_eq!(links.with_title("docs/a.md", "adr/b.md, Words"), "B, Words");
        assert_eq!(links.with_title("docs/a.md", "c.md"), "c.md");
        for word in ["docs/a.md", "docs/c.md", "www/sdk/none.js", "a"] {
            assert_eq!(links.mentioned("docs/a.md", word), None, "{word}");
        }
        Ok(())
    }

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
