//! The index of the site's search: the sections of all pages with the beginning of their texts, as JSON. The site's script searches it.

use super::contents::Contents;
use super::document::Document;
use anyhow::Result;
use pulldown_cmark::{Event, Tag, TagEnd};
use serde::Serialize;

/// A page: its path and title, and its sections.
#[derive(Serialize)]
struct Page<'a> {
    path: String,
    title: &'a str,
    sections: Vec<Section<'a>>,
}

/// A section: its heading, the anchor of it, and how its text begins.
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
                if let Some(section) = sections.last_mut().filter(|one| one.text.len() < ENOUGH) {
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
        let words: Vec<&str> = section.text.split_whitespace().collect();
        section.text = words.join(" ");
    }
    sections
}

/// Bytes of a section's text. More would make the index larger and its results no better.
const ENOUGH: usize = 500;

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
}
