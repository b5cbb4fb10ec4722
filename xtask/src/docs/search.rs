//! The index of the site's search: the sections of all pages with the words of their texts, as JSON. The site's script searches it.

use super::contents::Contents;
use super::document::Document;
use anyhow::Result;
use pulldown_cmark::{Event, Tag, TagEnd};
use serde::Serialize;
use std::collections::HashSet;

/// A page: its path and title, and its sections.
#[derive(Serialize)]
struct Page<'a> {
    path: String,
    title: &'a str,
    sections: Vec<Section<'a>>,
}

/// A section: its heading, the anchor of it, and its text, as [`shortened`].
#[derive(Serialize)]
struct Section<'a> {
    heading: &'a str,
    anchor: &'a str,
    text: String,
}

pub(super) fn index(contents: &Contents, documents: &[(&str, Document<'_>)]) -> Result<String> {
    let pages: Vec<Page<'_>> = contents
        .pages()
        .filter_map(|entry| {
            let (_, document) = documents.iter().find(|(file, _)| *file == entry.file)?;
            Some(Page {
                path: entry.path(),
                title: &entry.title,
                sections: sections(document),
            })
        })
        .collect();
    Ok(serde_json::to_string(&pages)?)
}

fn sections<'d>(document: &'d Document<'_>) -> Vec<Section<'d>> {
    let mut headings = document.headings.iter();
    let mut sections: Vec<Section<'d>> = Vec::new();
    let mut in_heading = false;
    for (event, _) in &document.events {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                in_heading = true;
                sections.extend(headings.next().map(|heading| Section {
                    heading: &heading.text,
                    anchor: &heading.anchor,
                    text: String::new(),
                }));
            }
            Event::End(TagEnd::Heading(_)) => in_heading = false,
            Event::Text(text) | Event::Code(text) if !in_heading => {
                if let Some(section) = sections.last_mut() {
                    section.text.push_str(text);
                }
            }
            Event::SoftBreak | Event::HardBreak | Event::End(_) => {
                if let Some(section) = sections.last_mut() {
                    section.text.push(' ');
                }
            }
            _ => {}
        }
    }
    for section in &mut sections {
        section.text = shortened(&section.text);
    }
    sections
}

/// The beginning of a text, and of the rest each word that is not in it yet. So every word is found, and long tables stay small.
fn shortened(text: &str) -> String {
    let mut known = HashSet::new();
    let mut length = 0;
    let words = text.split_whitespace().filter(|word| {
        let is_new = known.insert(word.to_lowercase());
        length += word.len();
        is_new || length <= BEGINNING
    });
    words.collect::<Vec<_>>().join(" ")
}

/// How many bytes of words are the beginning.
const BEGINNING: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_have_the_text_below_their_heading() {
        let document =
            Document::read("# A\n\nfirst\nline\n\n## B `c`\n\n| x | y |\n|---|---|\n| 1 | 2 |\n");
        let found: Vec<_> = sections(&document)
            .into_iter()
            .map(|section| (section.heading, section.text))
            .collect();
        assert_eq!(
            found,
            [
                ("A", "first line".to_owned()),
                ("B c", "x y 1 2".to_owned())
            ]
        );
    }

    #[test]
    fn of_a_long_text_every_word_is_kept_once() {
        let beginning = "one two ".repeat(90);
        let text = format!("{beginning}three One four three");
        let short = shortened(&text);
        assert!(short.starts_with("one two one two "));
        assert!(short.ends_with(" three four"), "{short}");
        assert!(short.len() < text.len());
    }
}
