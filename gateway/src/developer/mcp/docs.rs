//! The docs of a gateway for an assistant: which pages there are, what their Markdown says, and where a question is answered.
//!
//! They come from the gateway that the assistant works with (`/docs`), so they describe its release.

use crate::developer::client::{CallError, GatewayClient};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// A page, as `llms.txt` names it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Page {
    /// Its name and its path below `/docs`, without an ending.
    pub(super) name: String,
    pub(super) title: String,
    /// What is in it, in a sentence.
    pub(super) about: String,
}

/// A section that may answer a question.
#[derive(Debug, Serialize)]
pub(super) struct Found {
    page: String,
    section: String,
    /// How its text begins.
    text: String,
}

/// All pages, in the order in which one reads them.
pub(super) async fn pages(gateway: &GatewayClient) -> Result<Vec<Page>, String> {
    let text = file(gateway, "llms.txt").await?;
    Ok(text.lines().filter_map(listed).collect())
}

/// The Markdown of a page.
pub(super) async fn page(gateway: &GatewayClient, name: &str) -> Result<String, String> {
    // Only names of pages become paths.
    if !pages(gateway).await?.iter().any(|page| page.name == name) {
        return Err(format!(
            "there is no page {name}; search_docs finds pages, and the resources list all of them"
        ));
    }
    file(gateway, &format!("{name}.md")).await
}

/// The sections with the words of a question, the best first.
pub(super) async fn search(
    gateway: &GatewayClient,
    question: &str,
    most: usize,
) -> Result<Vec<Found>, String> {
    let index = file(gateway, "search.json").await?;
    let index: Vec<IndexedPage> = serde_json::from_str(&index)
        .map_err(|_| String::from("the search index of this gateway is of another version"))?;
    Ok(find(&index, question, most))
}

async fn file(gateway: &GatewayClient, name: &str) -> Result<String, String> {
    let text = gateway.text(&format!("/docs/{name}")).await;
    text.map_err(|problem| match problem {
        CallError::Refused { status: 404, .. } => String::from(
            "this gateway serves no docs: it runs without the built widget, of which the docs are a part",
        ),
        problem => problem.to_string(),
    })
}

/// A line of `llms.txt` that names a page: `- [title](name.md): about`.
fn listed(line: &str) -> Option<Page> {
    let (title, rest) = line.strip_prefix("- [")?.split_once("](")?;
    let (name, about) = rest.split_once(".md): ")?;
    Some(Page {
        name: name.to_owned(),
        title: title.to_owned(),
        about: about.to_owned(),
    })
}

/// A page of the search index (`xtask/src/docs/search.rs`).
#[derive(Deserialize)]
struct IndexedPage {
    path: String,
    title: String,
    sections: Vec<IndexedSection>,
}

#[derive(Deserialize)]
struct IndexedSection {
    heading: String,
    text: String,
}

/// A section of the index with its words.
struct Place<'a> {
    page: &'a IndexedPage,
    section: &'a IndexedSection,
    title: Vec<String>,
    heading: Vec<String>,
    text: Vec<String>,
}

impl Place<'_> {
    /// How much a word says about the section; 0 if the word is not there.
    fn weight(&self, word: &String) -> f64 {
        if self.heading.contains(word) {
            // A word of a short heading says more than one of a long heading.
            8.0 + 8.0 / self.heading.len() as f64
        } else if self.title.contains(word) {
            4.0
        } else if self.text.contains(word) {
            2.0
        } else {
            0.0
        }
    }
}

/// Unlike the search of the site, this one takes whole questions: not every word has to be found, and those that few sections have say most.
fn find(index: &[IndexedPage], question: &str, most: usize) -> Vec<Found> {
    let mut places = Vec::new();
    for page in index {
        places.extend(page.sections.iter().map(|section| Place {
            page,
            section,
            title: words(&page.title),
            heading: words(&section.heading),
            text: words(&section.text),
        }));
    }
    let mut weights = vec![0.0; places.len()];
    for word in words(question) {
        let of_word: Vec<f64> = places.iter().map(|place| place.weight(&word)).collect();
        let having = of_word.iter().filter(|&&one| one > 0.0).count();
        let rarity = (1.0 + places.len() as f64 / (1 + having) as f64).ln();
        for (sum, one) in weights.iter_mut().zip(of_word) {
            *sum += one * rarity;
        }
    }
    let mut found: Vec<(f64, &Place<'_>)> = weights.into_iter().zip(&places).collect();
    found.retain(|(weight, _)| *weight > 0.0);
    // Equal ones stay in the order of the pages.
    found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let best = found.into_iter().take(most);
    best.map(|(_, place)| Found {
        page: place.page.path.clone(),
        section: place.section.heading.clone(),
        text: place.section.text.chars().take(EXCERPT).collect(),
    })
    .collect()
}

/// The words of a text in small letters and without the s of the plural, less those that every question has.
fn words(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let all = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    all.filter(|word| word.chars().count() > 1 && !COMMON.contains(word))
        .map(|word| match word.strip_suffix('s') {
            Some(one) if one.len() > 2 && !one.ends_with('s') => one.to_owned(),
            _ => word.to_owned(),
        })
        .collect()
}

/// A page, or the part of it below a heading, if it is short enough to be read at once. Otherwise its beginning and its headings.
pub(super) fn part(markdown: &str, section: Option<&str>) -> Result<String, String> {
    let headings = headings(markdown);
    let Some(wanted) = section else {
        return Ok(shortened(markdown, &headings));
    };
    let wanted = plain(wanted);
    let place = headings
        .iter()
        .position(|heading| plain(heading.text) == wanted)
        .or_else(|| {
            headings
                .iter()
                .position(|heading| plain(heading.text).contains(&wanted))
        })
        .filter(|_| !wanted.is_empty());
    let Some(place) = place else {
        return Err(format!(
            "the page has no such section. Its sections:\n{}",
            list(&headings)
        ));
    };
    let heading = &headings[place];
    let below = &headings[place + 1..];
    let length = below
        .iter()
        .position(|next| next.level <= heading.level)
        .unwrap_or(below.len());
    let end = below.get(length).map_or(markdown.len(), |next| next.start);
    Ok(shortened(&markdown[heading.start..end], &below[..length]))
}

/// The rows of the tables in a text that contain some words, with the heads of these tables.
pub(super) fn rows_with(markdown: &str, wanted: &str) -> String {
    let wanted = wanted.to_lowercase();
    let mut kept = String::new();
    let mut head: Vec<&str> = Vec::new();
    let mut is_kept = false;
    for line in markdown.lines() {
        if !line.starts_with('|') {
            head.clear();
            is_kept = false;
        } else if head.len() < 2 {
            head.push(line);
        } else if line.to_lowercase().contains(&wanted) {
            if !is_kept {
                let _ = writeln!(kept, "\n{}", head.join("\n"));
                is_kept = true;
            }
            let _ = writeln!(kept, "{line}");
        }
    }
    kept
}

struct Heading<'a> {
    level: usize,
    text: &'a str,
    /// The byte at which its line begins.
    start: usize,
}

/// The headings of a page. Lines in blocks of code are none.
fn headings(markdown: &str) -> Vec<Heading<'_>> {
    let mut found = Vec::new();
    let mut is_code = false;
    let mut start = 0;
    for line in markdown.split_inclusive('\n') {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        let level = line.chars().take_while(|&letter| letter == '#').count();
        if !is_code
            && level > 0
            && let Some(text) = line[level..].strip_prefix(' ')
        {
            let text = text.trim();
            found.push(Heading { level, text, start });
        }
        start += line.len();
    }
    found
}

/// The text, or what fits of it with the headings of what is left out.
fn shortened(text: &str, headings: &[Heading<'_>]) -> String {
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let mut end = LONGEST;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let end = text[..end].rfind('\n').unwrap_or(end);
    format!(
        "{}\n\n[The rest is left out, because it is long. Ask for one of its sections:]\n{}",
        &text[..end],
        list(headings)
    )
}

fn list(headings: &[Heading<'_>]) -> String {
    let mut text = String::new();
    for heading in headings {
        let indent = "  ".repeat(heading.level - 1);
        let _ = writeln!(text, "{indent}- {}", heading.text.replace('`', ""));
    }
    text
}

/// A heading without what differs between Markdown, the search index and what somebody types.
fn plain(heading: &str) -> String {
    let heading = heading.to_lowercase();
    let pieces = heading.split(|letter: char| !letter.is_alphanumeric());
    let pieces: Vec<&str> = pieces.filter(|piece| !piece.is_empty()).collect();
    pieces.join(" ")
}

/// Bytes that an answer has at most, about ten thousand tokens of a model.
const LONGEST: usize = 40_000;

/// How much of a section's text a search shows.
const EXCERPT: usize = 240;

/// Words that say nothing about what is asked.
const COMMON: [&str; 28] = [
    "an", "and", "are", "can", "do", "does", "for", "from", "get", "how", "if", "in", "is", "it",
    "my", "not", "of", "on", "or", "that", "the", "to", "use", "what", "when", "where", "which",
    "with",
];

#[cfg(test)]
mod tests {
    // A panic fails the test.
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn pages_are_read_from_the_list() {
        let page = listed("- [In frameworks](frameworks.md): React, Next and [more](x).").unwrap();
        assert_eq!(page.name, "frameworks");
        assert_eq!(page.title, "In frameworks");
        assert_eq!(page.about, "React, Next and [more](x).");
        for other in [
            "",
            "# Payframe",
            "- a list",
            "- [a](https://shop.example): no page",
        ] {
            assert_eq!(listed(other), None, "{other}");
        }
    }

    const PAGE: &str = "# A page\n\nabout\n\n## `GET /orders` List orders\n\n```sh\n## not a heading\n```\n\n### Below\n\ntext\n\n## The end\n\nlast\n";

    #[test]
    fn a_section_ends_where_the_next_of_its_level_begins() {
        fn check(wanted: &str, first: &str, last: &str) {
            let text = part(PAGE, Some(wanted)).unwrap();
            assert!(text.starts_with(first), "{text}");
            assert!(text.trim_end().ends_with(last), "{text}");
        }
        check("GET /orders List orders", "## `GET /orders`", "text");
        check("get /orders", "## `GET /orders`", "text");
        check("below", "### Below", "text");
        check("The end", "## The end", "last");
        check("A page", "# A page", "last");
        assert_eq!(part(PAGE, None).unwrap(), PAGE);
        for none in ["not a heading", "", "?"] {
            let said = part(PAGE, Some(none)).unwrap_err();
            assert!(
                said.contains("  - GET /orders List orders\n    - Below\n"),
                "{said}"
            );
        }
    }

    #[test]
    fn what_is_too_long_ends_with_its_headings() {
        let long = format!(
            "# A\n\n## B\n\n{}\n## C\n",
            "words – and more\n".repeat(4000)
        );
        let text = part(&long, None).unwrap();
        assert!(text.len() < LONGEST + 200);
        assert!(text.ends_with("one of its sections:]\n- A\n  - B\n  - C\n"));
    }

    #[test]
    fn questions_find_sections_by_most_of_their_words() {
        let index = r#"[
            { "path": "api", "title": "API reference", "sections": [
                { "heading": "POST /operations/{operationId}/refunds Refund an operation", "text": "Gives money back." },
                { "heading": "GET /orders List orders", "text": "Newest first." } ] },
            { "path": "testing", "title": "Testing", "sections": [
                { "heading": "Test cards", "text": "A refund of this card is declined." } ] }
        ]"#;
        let index: Vec<IndexedPage> = serde_json::from_str(index).unwrap();
        let check = |question: &str, expected: &[&str]| {
            let found = find(&index, question, 2);
            let sections: Vec<&str> = found.iter().map(|one| one.section.as_str()).collect();
            assert_eq!(sections, expected, "{question}");
        };
        let refund = "POST /operations/{operationId}/refunds Refund an operation";
        check("How do I refund an operation?", &[refund, "Test cards"]);
        check("test cards", &["Test cards"]);
        check("refunds of cards", &["Test cards", refund]);
        check("declined", &["Test cards"]);
        check("how do the", &[]);
        check("", &[]);
    }

    #[test]
    fn rows_keep_the_head_of_their_table() {
        let text = "## Cards\n\n| Card | Result |\n|---|---|\n| 1 | Approved |\n| 2 | declined |\n\nwords\n\n| Key |\n|---|\n| 3 |\n";
        assert_eq!(
            rows_with(text, "approved"),
            "\n| Card | Result |\n|---|---|\n| 1 | Approved |\n"
        );
        assert_eq!(rows_with(text, "result"), "");
    }
}
