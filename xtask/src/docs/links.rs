//! Where the links of pages go: to a page, to a heading, or to a file of the repository, of which the site shows a copy.
//!
//! A link to nothing is an error. Addresses elsewhere are not looked up.

use super::contents::{Contents, START};
use super::page::Document;
use super::{Sources, resolved};
use anyhow::{Result, bail};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

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

    /// The files that the site has to show because a page names them.
    pub(super) fn named_files(&self) -> BTreeSet<String> {
        self.named.borrow().clone()
    }
}

/// The way from a page to the top of the site.
pub(super) fn way_up(page: &str) -> String {
    "../".repeat(page.matches('/').count())
}

/// Files below these folders are examples and declarations: a mention of them is a link. Others are for those who work on the code.
const FOR_READERS: [&str; 4] = ["www/sdk/", "www/shop/", "examples/", "docs/dashboard.json"];
