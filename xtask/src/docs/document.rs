//! A document that was read: its parts in order, and its headings with their anchors.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

/// A document that was read.
pub(super) struct Document<'a> {
    pub(super) text: &'a str,
    pub(super) events: Vec<(Event<'a>, Range<usize>)>,
    pub(super) headings: Vec<Heading>,
}

/// A heading.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Heading {
    pub(super) level: u8,
    pub(super) text: String,
    pub(super) anchor: String,
}

impl<'a> Document<'a> {
    pub(super) fn read(text: &'a str) -> Document<'a> {
        let events: Vec<_> = Parser::new_ext(text, Options::ENABLE_TABLES)
            .into_offset_iter()
            .collect();
        let mut headings = Vec::new();
        let mut known = BTreeMap::new();
        let mut open: Option<(u8, String)> = None;
        for (event, _) in &events {
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    open = Some((*level as u8, String::new()))
                }
                Event::Text(part) | Event::Code(part) => {
                    if let Some((_, text)) = &mut open {
                        text.push_str(part);
                    }
                }
                Event::End(TagEnd::Heading(_)) => {
                    if let Some((level, text)) = open.take() {
                        let anchor = unique(slug(&text), &mut known);
                        headings.push(Heading {
                            level,
                            text,
                            anchor,
                        });
                    }
                }
                _ => {}
            }
        }
        Document {
            text,
            events,
            headings,
        }
    }

    /// The text of the first heading.
    pub(super) fn title(&self) -> &str {
        self.headings.first().map_or("", |first| &first.text)
    }
}

/// The anchor of a heading, as code hosts make it: lower case, dashes for blanks, no punctuation.
fn slug(text: &str) -> String {
    let kept = text.trim().chars().filter_map(|character| match character {
        ' ' => Some('-'),
        '-' | '_' => Some(character),
        other => other.is_alphanumeric().then_some(other),
    });
    kept.flat_map(char::to_lowercase).collect()
}

/// Of several headings with the same text the second gets `-1`.
fn unique(slug: String, known: &mut BTreeMap<String, usize>) -> String {
    let count = known.entry(slug.clone()).or_default();
    let mut anchor = slug;
    if *count > 0 {
        let _ = write!(anchor, "-{count}");
    }
    *count += 1;
    anchor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_those_of_code_hosts() {
        let text =
            "# A `b` c!\n\n## Back-up and restore\n\n## The vault's keys\n\n### Same\n\n### Same\n";
        let anchors: Vec<_> = Document::read(text)
            .headings
            .into_iter()
            .map(|heading| heading.anchor)
            .collect();
        assert_eq!(
            anchors,
            [
                "a-b-c",
                "back-up-and-restore",
                "the-vaults-keys",
                "same",
                "same-1"
            ]
        );
    }
}
