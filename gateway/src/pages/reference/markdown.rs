//! The reference as Markdown: `docs/api.md`, and a page for each further chapter in `docs/api/`.

use super::{Block, Chapter, chapters, members, request_types};
use crate::routes::openapi_document;
use std::fmt::Write as _;

/// A page of the reference.
pub struct MarkdownPage {
    /// The file, seen from `docs/`.
    pub file: String,
    /// What is in it.
    pub text: String,
}

/// A type, and the page that describes it.
struct Type<'a> {
    name: &'a str,
    /// The page's name in `docs/api/`.
    page: &'static str,
}

/// The reference as Markdown; the first page leads to the others.
pub fn markdown_pages() -> Vec<MarkdownPage> {
    let document = openapi_document();
    let chapters = chapters(&document);
    let of_requests = request_types(&document).into_keys().map(|name| Type {
        name,
        page: "types-of-requests.md",
    });
    let of_answers = members(&document["components"]["schemas"]).map(|(name, _)| Type {
        name,
        page: "types-of-answers.md",
    });
    let types: Vec<Type> = of_requests.chain(of_answers).collect();
    let Some((introduction, others)) = chapters.split_first() else {
        return Vec::new();
    };
    let first = Page {
        file: String::from("api.md"),
        // Of the introduction, only what follows its first paragraph has headings: those of the codes.
        heading_offset: 0,
    };
    let mut text = first.head(introduction);
    let (beginning, rest) = introduction.blocks.split_at(1);
    text.push_str(&first.body(beginning, &types));
    text.push('\n');
    for chapter in others {
        let _ = writeln!(text, "- [{}]({})", chapter.title, file_of(chapter));
    }
    text.push_str(&first.body(rest, &types));
    let mut pages = vec![MarkdownPage {
        file: first.file,
        text,
    }];
    pages.extend(others.iter().map(|chapter| {
        let page = Page {
            file: file_of(chapter),
            heading_offset: 1,
        };
        MarkdownPage {
            text: page.head(chapter) + &page.body(&chapter.blocks, &types),
            file: page.file,
        }
    }));
    pages
}

/// `Back office` is in `api/back-office.md`.
fn file_of(chapter: &Chapter) -> String {
    let name = chapter.title.to_lowercase().replace(' ', "-");
    format!("api/{name}.md")
}

/// Where a chapter is written.
struct Page {
    file: String,
    /// How many levels its headings rise, because it is not below the title of the whole.
    heading_offset: usize,
}

impl Page {
    fn head(&self, chapter: &Chapter) -> String {
        format!("{NOTE}\n\n# {}\n", chapter.title)
    }

    fn body(&self, blocks: &[Block], types: &[Type]) -> String {
        let mut text = String::new();
        for block in blocks {
            text.push('\n');
            match block {
                Block::Heading(level, heading) => {
                    let marks = "#".repeat(level - self.heading_offset);
                    let _ = writeln!(text, "{marks} {heading}");
                }
                Block::Text(paragraph) => {
                    let _ = writeln!(text, "{}", self.linked(paragraph, types));
                }
                Block::Table(heads, rows) => {
                    let line = |cells: &[String]| {
                        let cells: Vec<String> = cells
                            .iter()
                            .map(|cell| self.linked(&cell.replace('|', "\\|"), types))
                            .collect();
                        format!("| {} |\n", cells.join(" | "))
                    };
                    text.push_str(&line(heads));
                    let _ = writeln!(text, "|{}", "---|".repeat(heads.len()));
                    text.extend(rows.iter().map(|row| line(row)));
                }
                Block::Code(language, code) => {
                    let _ = writeln!(text, "```{language}\n{code}\n```");
                }
            }
        }
        text
    }

    /// A text in which each name of a type leads to the type.
    fn linked(&self, text: &str, types: &[Type]) -> String {
        let mut parts = text.split('`');
        let mut linked = String::from(parts.next().unwrap_or_default());
        // Every second part is between backticks.
        while let Some(code) = parts.next() {
            let _ = match types.iter().find(|one| one.name == code) {
                Some(one) => {
                    let page = self.path_to(one.page);
                    write!(linked, "[`{code}`]({page}#{})", code.to_lowercase())
                }
                None => write!(linked, "`{code}`"),
            };
            linked.push_str(parts.next().unwrap_or_default());
        }
        linked
    }

    /// The path from this page to one in `docs/api/`. Empty for this page itself.
    fn path_to(&self, page: &str) -> String {
        match self.file.strip_prefix("api/") {
            Some(own) if own == page => String::new(),
            Some(_) => page.to_owned(),
            None => format!("api/{page}"),
        }
    }
}

const NOTE: &str = "<!-- Made by `cargo xtask reference` from the declarations of the operations; changes by hand are lost. -->";
