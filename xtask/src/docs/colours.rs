//! Colours of code: comments and texts stand out, and nothing else.
//!
//! One small scanner for all languages of the documents. It knows how they write comments and texts, and no grammar, so
//! it stays right when a language grows; a library that knows grammars would be larger than the rest of this program.

use crate::pages::escape_html as escaped;

/// The HTML of a piece of code.
pub(super) fn coloured(language: &str, text: &str) -> String {
    let Some(notation) = Notation::of(language) else {
        return escaped(text);
    };
    let mut html = String::with_capacity(text.len() * 2);
    let mut rest = text;
    let mut is_word_before = false;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = notation.next(rest, first, is_word_before);
        let (part, after) = rest.split_at(length);
        match kind {
            Some(kind) => {
                html.push_str(&format!("<span class=\"{kind}\">{}</span>", escaped(part)))
            }
            None => html.push_str(&escaped(part)),
        }
        is_word_before = part.ends_with(|last: char| !last.is_whitespace());
        rest = after;
    }
    html
}

/// How a language writes comments and texts.
struct Notation {
    line_comment: &'static str,
    /// Start and end.
    block_comment: Option<(&'static str, &'static str)>,
    quotes: &'static [char],
}

impl Notation {
    fn of(language: &str) -> Option<Notation> {
        let notation = |line_comment, block_comment, quotes| Notation {
            line_comment,
            block_comment,
            quotes,
        };
        Some(match language {
            "js" | "ts" | "tsx" | "css" => notation("//", Some(("/*", "*/")), &['\'', '"', '`']),
            "rust" => notation("//", Some(("/*", "*/")), &['"']),
            "json" => notation("//", None, &['"']),
            "html" | "vue" | "svelte" => notation("//", Some(("<!--", "-->")), &['"', '`']),
            "sh" | "toml" | "yaml" | "python" => notation("#", None, &['\'', '"']),
            _ => return None,
        })
    }

    /// What begins here: its class, if it has a colour, and its length.
    fn next(&self, rest: &str, first: char, is_word_before: bool) -> (Option<&'static str>, usize) {
        if let Some((start, end)) = self.block_comment
            && rest.starts_with(start)
        {
            let length = rest.find(end).map_or(rest.len(), |at| at + end.len());
            return (Some("comment"), length);
        }
        // `https://` and `$#` are no comments.
        if rest.starts_with(self.line_comment) && !is_word_before {
            return (Some("comment"), rest.find('\n').unwrap_or(rest.len()));
        }
        if self.quotes.contains(&first)
            && let Some(length) = quoted(rest, first)
        {
            return (Some("text"), length);
        }
        (None, first.len_utf8())
    }
}

/// The length of a text with its quotes; `None` if it has no end on its line.
fn quoted(rest: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            '\n' if quote != '`' => return None,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            other if other == quote => return Some(at + quote.len_utf8()),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_texts_stand_out() {
        let check = |language, text, expected: &str| {
            assert_eq!(coloured(language, text), expected, "{language}");
        };
        check(
            "js",
            r#"f("a\"b", x); // why"#,
            "f(<span class=\"text\">&quot;a\\&quot;b&quot;</span>, x); <span class=\"comment\">// why</span>",
        );
        check("js", "it's https://a", "it&#39;s https://a");
        check(
            "sh",
            "a $# # c\nd",
            "a $# <span class=\"comment\"># c</span>\nd",
        );
        check("text", "<a>", "&lt;a&gt;");
    }
}
