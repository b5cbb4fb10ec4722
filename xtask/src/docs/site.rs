//! All files of the site but its scripts and its style: pages, their Markdown, copies of named files, pictures, the search's index and `llms.txt`.

use super::contents::{Contents, Entry, START};
use super::document::{Document, Heading};
use super::links::{Links, way_up};
use super::page::{code_block, render as render_page};
use super::search;
use super::sources::Sources;
use crate::dist::{CompressedCopies, Release, integrity};
use anyhow::{Context, Result};
use askama::Template;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Makes the site.
pub(super) fn render(sources: &Sources, scripts: &ScriptHashes) -> Result<Release> {
    let contents = &sources.contents;
    let mut documents = vec![(START, Document::read(sources.text(START)?))];
    for entry in contents.pages() {
        documents.push((&entry.file, Document::read(sources.text(&entry.file)?)));
    }
    let links = Links::new(sources, &documents);
    let mut site = Release::default();

    let entries: Vec<&Entry> = contents.pages().collect();
    for (file, document) in &documents {
        let position = entries.iter().position(|entry| entry.file == *file);
        let path = position.map_or(String::new(), |at| entries[at].path());
        let rendered = render_page(document, file, &path, &links)?;
        let frame = Frame::new(contents, scripts, &path, document.title());
        let Some(at) = position else {
            let page = StartPage {
                frame,
                html: &rendered.html,
            };
            add(&mut site, "index.html", page.render()?);
            add(&mut site, "start.md", rendered.markdown);
            continue;
        };
        let page = Page {
            frame,
            about: &entries[at].about,
            html: &rendered.html,
            sections: sections(document),
            before: at.checked_sub(1).map(|before| entries[before]),
            after: entries.get(at + 1).copied(),
        };
        add(&mut site, &format!("{path}.html"), page.render()?);
        add(&mut site, &format!("{path}.md"), rendered.markdown);
    }
    for file in links.named_files() {
        let bytes = sources.linked(&file)?;
        let path = format!("files/{file}");
        match String::from_utf8(bytes) {
            Ok(text) => {
                let ending = file.rsplit('.').next().unwrap_or_default();
                let page = SourcePage {
                    frame: Frame::new(contents, scripts, &path, &file),
                    html: &code_block(language(ending), &text),
                };
                add(&mut site, &format!("{path}.html"), page.render()?);
            }
            // A picture.
            Err(binary) => site.add(path, binary.into_bytes(), CompressedCopies::None),
        }
    }
    let playground = PlaygroundPage {
        frame: Frame::new(contents, scripts, PLAYGROUND, "Playground"),
    };
    add(&mut site, "playground.html", playground.render()?);
    let closed = ClosedPlaygroundPage {
        frame: Frame::new(contents, scripts, PLAYGROUND, "Playground"),
    };
    add(&mut site, "playground-closed.html", closed.render()?);
    add(
        &mut site,
        "search.json",
        search::index(contents, &documents)?,
    );
    add(&mut site, "llms.txt", for_models(contents, &documents)?);
    Ok(site)
}

/// Adds a text that browsers load.
fn add(site: &mut Release, path: &str, text: String) {
    site.add(path, text, CompressedCopies::QuicklyCompressed);
}

/// `llms.txt`: what there is, for programs that read Markdown.
fn for_models(contents: &Contents, documents: &[(&str, Document<'_>)]) -> Result<String> {
    let (_, start) = documents.first().context("there is no start page")?;
    let mut text = format!(
        "# {}\n\n> An embeddable card-payment form with its own gateway. A page shows it with one tag; card numbers exist only inside a frame of the gateway.\n",
        start.title()
    );
    for group in &contents.group {
        let _ = write!(text, "\n## {}\n\n", group.title);
        for page in &group.page {
            let _ = writeln!(
                text,
                "- [{}]({}.md): {}",
                page.title,
                page.path(),
                page.about
            );
        }
    }
    Ok(text)
}

/// The headings that the page's own contents list.
fn sections<'d>(document: &'d Document<'_>) -> Vec<&'d Heading> {
    let headings = document.headings.iter();
    headings.filter(|heading| heading.level == 2).collect()
}

/// The language of a file, for its colours.
fn language(ending: &str) -> &str {
    match ending {
        "py" => "python",
        "mjs" => "js",
        other => other,
    }
}

/// The value of the attribute `integrity` for each script of the site, by its name.
pub(super) struct ScriptHashes(BTreeMap<&'static str, String>);

impl ScriptHashes {
    pub(super) fn of(scripts: &[(&'static str, String)]) -> ScriptHashes {
        let hashes = scripts
            .iter()
            .map(|(name, script)| (*name, integrity(script.as_bytes())));
        ScriptHashes(hashes.collect())
    }
}

/// What every page has.
struct Frame<'a> {
    contents: &'a Contents,
    scripts: &'a ScriptHashes,
    /// Of the page in the site, without an ending.
    path: String,
    title: &'a str,
    /// The way to the top of the site: empty, or `../` for each folder.
    up: String,
}

impl<'a> Frame<'a> {
    fn new(
        contents: &'a Contents,
        scripts: &'a ScriptHashes,
        path: &str,
        title: &'a str,
    ) -> Frame<'a> {
        Frame {
            contents,
            scripts,
            path: path.to_owned(),
            title,
            up: way_up(path),
        }
    }

    /// The attributes of a script's element: its address and its hash.
    fn script(&self, name: &str) -> String {
        let hash = self.scripts.0.get(name).map_or("", String::as_str);
        format!("src=\"{}{name}\" integrity=\"{hash}\"", self.up)
    }

    fn is_here(&self, path: &str) -> bool {
        self.path == path
    }
}

#[derive(Template)]
#[template(path = "start.html")]
struct StartPage<'a> {
    frame: Frame<'a>,
    html: &'a str,
}

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    frame: Frame<'a>,
    about: &'a str,
    html: &'a str,
    sections: Vec<&'a Heading>,
    before: Option<&'a Entry>,
    after: Option<&'a Entry>,
}

#[derive(Template)]
#[template(path = "source.html")]
struct SourcePage<'a> {
    frame: Frame<'a>,
    html: &'a str,
}

#[derive(Template)]
#[template(path = "playground.html")]
struct PlaygroundPage<'a> {
    frame: Frame<'a>,
}

#[derive(Template)]
#[template(path = "playground-closed.html")]
struct ClosedPlaygroundPage<'a> {
    frame: Frame<'a>,
}

const PLAYGROUND: &str = "playground";
