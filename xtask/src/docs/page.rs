//! The page of a document: its HTML, and its Markdown with links that work in the site.

use super::document::{Document, Heading};
use super::links::{Links, Target, way_up};
use super::snippets;
use crate::pages::escape_html as escaped;
use anyhow::{Context, Result};
use pulldown_cmark::{CodeBlockKind, CowStr, Event, Tag, TagEnd, html};
use std::ops::Range;

/// What the site has of a document.
pub(super) struct Rendered {
    pub(super) html: String,
    pub(super) markdown: String,
}

/// The document `file` as the page at `path`.
pub(super) fn render(
    document: &Document<'_>,
    file: &str,
    path: &str,
    links: &Links<'_>,
) -> Result<Rendered> {
    let up = way_up(path);
    let mut writer = Writer {
        headings: document.headings.iter(),
        open: None,
        code: None,
        links_open: 0,
        is_in_table: false,
    };
    let mut written = Vec::with_capacity(document.events.len());
    let mut changes = Vec::new();
    for (event, range) in &document.events {
        let event = match event {
            Event::Start(Tag::Link {
                dest_url,
                title,
                link_type,
                id,
            }) => {
                writer.links_open += 1;
                let target = links.target(file, dest_url)?;
                let source = &document.text[range.clone()];
                let place = source.rfind(&**dest_url).map(|at| range.start + at);
                if let (Some(at), Some(address)) = (place, markdown_address(&target, &up)) {
                    changes.push((at..at + dest_url.len(), address));
                }
                Event::Start(Tag::Link {
                    link_type: *link_type,
                    dest_url: address(&target, &up).map_or(dest_url.clone(), CowStr::from),
                    title: title.clone(),
                    id: id.clone(),
                })
            }
            Event::Start(Tag::Image {
                dest_url,
                title,
                link_type,
                id,
            }) => {
                let target = links.target(file, dest_url)?;
                Event::Start(Tag::Image {
                    link_type: *link_type,
                    dest_url: address(&target, &up).map_or(dest_url.clone(), CowStr::from),
                    title: title.clone(),
                    id: id.clone(),
                })
            }
            Event::End(TagEnd::Link) => {
                writer.links_open -= 1;
                event.clone()
            }
            Event::Text(text) if writer.links_open > 0 => {
                Event::Text(links.with_title(file, text).into())
            }
            Event::Code(word) if writer.may_link() => match links.mentioned(file, word) {
                Some((target, title)) => {
                    Event::InlineHtml(mention(&target, word, title, &up).into())
                }
                None => event.clone(),
            },
            event => event.clone(),
        };
        writer.write(event, &mut written).context(file.to_owned())?;
    }
    let mut html = String::with_capacity(document.text.len() * 2);
    html::push_html(&mut html, written.into_iter());
    Ok(Rendered {
        html,
        markdown: changed(document.text, changes),
    })
}

/// Replaces what the library would write where the site wants something else.
struct Writer<'d> {
    headings: std::slice::Iter<'d, Heading>,
    /// The heading that is being written.
    open: Option<&'d Heading>,
    /// The code block that is being written: its language and its text.
    code: Option<(String, String)>,
    links_open: usize,
    is_in_table: bool,
}

impl Writer<'_> {
    fn may_link(&self) -> bool {
        self.links_open == 0 && self.open.is_none()
    }

    fn write<'a>(&mut self, event: Event<'a>, written: &mut Vec<Event<'a>>) -> Result<()> {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                self.open = self.headings.next();
                if let Some(heading) = self.open {
                    let start = format!("<h{} id=\"{}\">", heading.level, heading.anchor);
                    written.push(Event::Html(start.into()));
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                if let Some(heading) = self.open.take() {
                    written.push(Event::Html(end_of(heading).into()));
                }
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                let language = match &kind {
                    CodeBlockKind::Fenced(info) => info.split(' ').next().unwrap_or_default(),
                    CodeBlockKind::Indented => "",
                };
                self.code = Some((language.to_owned(), String::new()));
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((language, text)) = self.code.take() {
                    snippets::check(&language, &text)?;
                    written.push(Event::Html(code_block(&language, &text).into()));
                }
            }
            Event::Text(text) if self.code.is_some() => {
                if let Some((_, code)) = &mut self.code {
                    code.push_str(&text);
                }
            }
            Event::Code(word) if self.is_in_table => {
                written.push(Event::InlineHtml(
                    format!("<code>{}</code>", breakable(&word)).into(),
                ));
            }
            Event::Start(Tag::Table(_)) => {
                self.is_in_table = true;
                written.push(Event::Html("<div class=\"wide\" tabindex=\"0\">".into()));
                written.push(event);
            }
            Event::End(TagEnd::Table) => {
                self.is_in_table = false;
                written.push(event);
                written.push(Event::Html("</div>".into()));
            }
            // Comments are for those who read the source. Anything else is a word such as `<payment-form>` without backticks.
            Event::Html(text) | Event::InlineHtml(text) if text.starts_with("<!--") => {}
            Event::Html(text) => written.push(Event::Text(text)),
            other => written.push(other),
        }
        Ok(())
    }
}

fn end_of(heading: &Heading) -> String {
    let Heading {
        level,
        text,
        anchor,
    } = heading;
    match level {
        1 => String::from("</h1>"),
        level => format!(
            "<a class=\"anchor\" href=\"#{anchor}\" aria-label=\"Link to “{}”\">#</a></h{level}>",
            escaped(text)
        ),
    }
}

/// A code block. Its script adds a button that copies it.
pub(super) fn code_block(language: &str, text: &str) -> String {
    let language = match language {
        "" => "text",
        language => language,
    };
    format!(
        "<div class=\"code\" data-language=\"{}\"><pre tabindex=\"0\"><code>{}</code></pre></div>\n",
        escaped(language),
        super::colours::coloured(language, text)
    )
}

/// The address of a target in a page; `None` if it stays as it is.
fn address(target: &Target, up: &str) -> Option<String> {
    match target {
        Target::Elsewhere => None,
        Target::Page(path, anchor) if path.is_empty() => Some(format!("{up}./{anchor}")),
        Target::Page(path, anchor) => Some(format!("{up}{path}{anchor}")),
        Target::File(path) => Some(format!("{up}{path}")),
    }
}

/// The address of a target in the Markdown of a page; `None` if it stays as it is.
fn markdown_address(target: &Target, up: &str) -> Option<String> {
    match target {
        Target::Page(path, anchor) if path.is_empty() => Some(format!("{up}start.md{anchor}")),
        Target::Page(path, anchor) => Some(format!("{up}{path}.md{anchor}")),
        other => address(other, up),
    }
}

fn mention(target: &Target, word: &str, title: Option<&str>, up: &str) -> String {
    let address = address(target, up).unwrap_or_default();
    match title {
        Some(title) => format!("<a href=\"{address}\">{}</a>", escaped(title)),
        None => format!("<a href=\"{address}\"><code>{}</code></a>", escaped(word)),
    }
}

/// A name that narrow columns may break after its dots, dashes and slashes.
fn breakable(word: &str) -> String {
    let marks = ['.', '_', '/'].into_iter();
    marks.fold(escaped(word), |html, mark| {
        html.replace(mark, &format!("{mark}<wbr>"))
    })
}

/// The text with these parts replaced.
fn changed(text: &str, mut changes: Vec<(Range<usize>, String)>) -> String {
    changes.sort_by_key(|(range, _)| range.start);
    let mut whole = String::with_capacity(text.len());
    let mut written = 0;
    for (range, replacement) in changes {
        whole.push_str(&text[written..range.start]);
        whole.push_str(&replacement);
        written = range.end;
    }
    whole.push_str(&text[written..]);
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_break_between_their_parts() {
        assert_eq!(breakable("a.b_c/<d"), "a.<wbr>b_<wbr>c/<wbr>&lt;d");
    }

    #[test]
    fn parts_of_a_text_are_replaced_where_they_stand() {
        let changes = vec![(8..9, "long".to_owned()), (2..3, "x".to_owned())];
        assert_eq!(changed("a b c d e", changes), "a x c d long");
    }
}
