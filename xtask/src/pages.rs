//! Assembles a frame page from its parts: template, style, loader and the texts of one language.
//!
//! It only works on text. A page keeps placeholders for the gateway, which fills them at each request: `{{boot}}`, `{{theme}}` and,
//! if there is a pay button, `{{button}}`, `{{cancellation}}`, `{{pay}}` and `{{summary}}`, and `{{font}}`. Any other unknown placeholder fails the build,
//! and so does a part that would change a script or style whose hash the page's Content-Security-Policy contains.

use crate::import_map::ImportMap;
use crate::text_files::{CHOICE, as_json, is_first_word, is_late};
use anyhow::{Context, Result, bail};
use base64::Engine;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The parts of a page that are the same in every language, already minified.
pub(crate) struct PageParts {
    pub(crate) html: String,
    pub(crate) style: String,
    pub(crate) loader: String,
    /// Path of the widget's JavaScript on the gateway.
    pub(crate) glue: String,
    /// Path of the widget's WebAssembly on the gateway.
    pub(crate) wasm: String,
    /// The import map, which names the hash of each module that a loader imports.
    pub(crate) imports: ImportMap,
    /// Paths of the widget's texts on the gateway, by language code.
    pub(crate) texts: BTreeMap<String, String>,
    /// The placeholders that the gateway fills.
    pub(crate) marks: &'static [&'static str],
}

/// The marks of a page with a pay button.
pub(crate) const WITH_BUTTON: &[&str] = &[
    "boot",
    "theme",
    "font",
    "button",
    "cancellation",
    "pay",
    "summary",
    "plain",
];
/// The marks of a page without one.
pub(crate) const PLAIN: &[&str] = &["boot", "theme", "font"];

/// The texts of one language. Members whose name starts with `$` describe the language itself.
pub(crate) struct Locale {
    texts: serde_json::Map<String, serde_json::Value>,
}

impl Locale {
    /// Reads a locale file: one flat object of strings with at least `$code`, `$tag` and `$dir`.
    pub(crate) fn parse(json: &str) -> Result<Locale> {
        let texts: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(json).context("a locale is one JSON object of strings")?;
        if let Some((key, _)) = texts.iter().find(|(_, value)| !value.is_string()) {
            bail!("the text `{key}` is not a string");
        }
        let locale = Locale { texts };
        for member in ["$code", "$tag", "$dir"] {
            locale.text(member)?;
        }
        if !locale.code()?.bytes().all(|byte| byte.is_ascii_lowercase()) {
            bail!("`$code` is the gateway's language code: lower-case letters only");
        }
        Ok(locale)
    }

    /// The gateway's code of the language, lower case.
    pub(crate) fn code(&self) -> Result<&str> {
        self.text("$code")
    }

    /// Names of the texts in `other` that this language lacks.
    pub(crate) fn missing_keys<'a>(&self, other: &'a Locale) -> Vec<&'a str> {
        let names = other.texts.keys().map(String::as_str);
        names
            .filter(|name| !self.texts.contains_key(*name))
            .collect()
    }

    fn text(&self, key: &str) -> Result<&str> {
        self.texts
            .get(key)
            .and_then(|value| value.as_str())
            .with_context(|| format!("the locale has no text `{key}`"))
    }

    /// The texts for a form that does not start. They are in the page, because nothing else may have loaded.
    fn first_words(&self) -> Result<String> {
        Ok(serde_json::to_string(&self.some(is_first_word))?)
    }

    /// The other texts that the widget may need until the late part is there, as JSON. Texts that only the template uses,
    /// and those that describe the language, are left out. `choices` and `late`: the paths of the texts that are loaded later.
    pub(crate) fn texts(&self, choices: &str, late: &str) -> Result<String> {
        let elsewhere = ["$", "label_", CHOICE];
        let mut texts = self.some(|name| {
            !is_first_word(name)
                && !is_late(name)
                && !elsewhere.iter().any(|start| name.starts_with(start))
        });
        texts.insert("$choices".to_owned(), choices.into());
        texts.insert("$late".to_owned(), late.into());
        as_json(&texts)
    }

    /// The texts that only the late part shows, as JSON.
    pub(crate) fn late(&self) -> Result<String> {
        as_json(&self.some(is_late))
    }

    /// The texts of choices as JSON.
    pub(crate) fn choices(&self) -> Result<String> {
        as_json(&self.some(|name| name.starts_with(CHOICE)))
    }

    fn some(&self, wanted: impl Fn(&str) -> bool) -> serde_json::Map<String, serde_json::Value> {
        let texts = self.texts.iter().filter(|(name, _)| wanted(name));
        texts
            .map(|(name, text)| (name.clone(), text.clone()))
            .collect()
    }
}

/// The texts for a buyer if there is no form, and the label of the button that tries again, by language tag: JSON inside a raw
/// template literal of a script.
pub(crate) fn start_sentences(locales: &[Locale]) -> Result<String> {
    let mut sentences = serde_json::Map::new();
    for locale in locales {
        let texts = [
            locale.text("start_failed")?,
            locale.text("label_try_again")?,
            locale.code()?,
        ];
        sentences.insert(locale.text("$tag")?.to_owned(), texts.as_slice().into());
    }
    let json = serde_json::to_string(&sentences)?;
    if json.contains('`') || json.contains("${") {
        bail!("a text of www/locales would end the template literal that it stands in");
    }
    Ok(json)
}

/// Assembles the page of one language.
pub(crate) fn assemble(parts: &PageParts, locale: &Locale) -> Result<String> {
    let page = fill(&parts.html, |name| {
        Ok(match name {
            "style" => guarded(&parts.style, "</style", "the style")?,
            "loader" => guarded(&parts.loader, "</script", "the loader")?,
            "glue" => parts.glue.clone(),
            "glue-hash" => parts.imports.hash(&parts.glue)?.to_owned(),
            "imports" => guarded(&parts.imports.to_json()?, "</script", "the import map")?,
            "wasm" => parts.wasm.clone(),
            "lang" => escape_html(locale.text("$tag")?),
            "dir" => escape_html(locale.text("$dir")?),
            "words" => json_for_script(&locale.first_words()?),
            "texts" => {
                let path = parts.texts.get(locale.code()?);
                path.context("the page asks for texts that are nowhere")?
                    .clone()
            }
            _ if parts.marks.contains(&name) => format!("{{{{{name}}}}}"),
            _ => match name.strip_prefix("t:") {
                Some(key) => escape_html(locale.text(key)?),
                None => bail!("unknown placeholder `{{{{{name}}}}}`"),
            },
        })
    })?;
    // The gateway's rule (`PageTemplate::parse`): each placeholder stands in the page, and only that of the boot data not twice.
    for name in parts.marks {
        match page.matches(&format!("{{{{{name}}}}}")).count() {
            0 => bail!("`{{{{{name}}}}}` is missing in the page"),
            2.. if *name == "boot" => bail!("`{{{{boot}}}}` stands in the page more than once"),
            _ => {}
        }
    }
    Ok(page)
}

/// Fills the loader's own placeholders, by their names. Comments may contain double braces (types do), so
/// this ignores the others; `assemble` refuses a minified loader that still contains any.
pub(crate) fn fill_loader(loader: &str, paths: &[(&str, &str)]) -> String {
    paths
        .iter()
        .fold(loader.to_owned(), |filled, (name, path)| {
            filled.replace(&format!("{{{{{name}}}}}"), path)
        })
}

/// What the gateway writes into a page for one session.
pub(crate) struct PlaceholderValues<'a> {
    pub(crate) boot: &'a str,
    pub(crate) theme: &'a str,
    pub(crate) button: &'a str,
    pub(crate) cancellation: &'a str,
    /// The label of the pay button.
    pub(crate) pay: &'a str,
    /// The text above it.
    pub(crate) summary: &'a str,
    /// Where a browser without scripts goes.
    pub(crate) plain: &'a str,
}

/// The page as the gateway sends it for one session.
pub(crate) fn fill_session(page: &str, values: &PlaceholderValues<'_>) -> String {
    page.replace("{{theme}}", values.theme)
        .replace("{{font}}", "")
        .replace("{{button}}", values.button)
        .replace("{{cancellation}}", values.cancellation)
        .replace("{{pay}}", &escape_html(values.pay))
        .replace("{{summary}}", &escape_html(values.summary))
        .replace("{{plain}}", &escape_html(values.plain))
        .replace("{{boot}}", &json_for_script(values.boot))
}

/// Hashes of the inline scripts and styles of a page, as a Content-Security-Policy names them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct InlineHashes {
    pub(crate) script: Vec<String>,
    pub(crate) style: Vec<String>,
}

/// The page without the part between the comments `<!-- name -->` and `<!-- /name -->`.
pub(crate) fn without(html: &str, name: &str) -> Result<String> {
    let (before, rest) = html
        .split_once(&format!("<!-- {name} -->"))
        .with_context(|| format!("the page has no part `{name}`"))?;
    let (_, after) = rest
        .split_once(&format!("<!-- /{name} -->"))
        .with_context(|| format!("the part `{name}` of the page has no end"))?;
    Ok([before, after].concat())
}

/// Finds `<script type="module">…</script>`, the import map and `<style>…</style>`, and hashes the exact bytes inside.
pub(crate) fn inline_hashes(page: &str) -> Result<InlineHashes> {
    let mut scripts = hashes_between(page, "<script type=\"importmap\">", "</script>")?;
    scripts.extend(hashes_between(
        page,
        "<script type=\"module\">",
        "</script>",
    )?);
    let hashes = InlineHashes {
        script: scripts,
        style: hashes_between(page, "<style>", "</style>")?,
    };
    let scripts = page.matches("<script").count();
    let known = hashes.script.len() + page.matches("<script type=\"application/json\"").count();
    if scripts != known {
        bail!(
            "the page holds a script that is neither `type=\"module\"` nor `type=\"importmap\"` nor `type=\"application/json\"`"
        );
    }
    if page.matches("<style").count() != hashes.style.len() {
        bail!("the page holds a style element with attributes; its policy would not allow it");
    }
    Ok(hashes)
}

/// Removes comments, and turns white space with a line break into one line break.
/// Not for pages with `<pre>` or `<textarea>`.
pub(crate) fn collapse_blanks(html: &str) -> Result<String> {
    if html.contains("<pre") || html.contains("<textarea") {
        bail!("the page holds an element whose blanks count");
    }
    let mut without_comments = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, after)) = rest.split_once("<!--") {
        without_comments.push_str(before);
        rest = after
            .split_once("-->")
            .context("a comment of the page has no end")?
            .1;
    }
    without_comments.push_str(rest);
    let lines = without_comments.lines().map(str::trim);
    Ok(lines
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n"))
}

/// Replaces each `{{name}}` or `/*{{name}}*/` once. The inserted text is not searched again.
fn fill(template: &str, mut value_of: impl FnMut(&str) -> Result<String>) -> Result<String> {
    let mut filled = String::with_capacity(template.len() * 2);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after
            .split_once("}}")
            .context("a placeholder `{{` has no end")?;
        let (before, after) = match (before.strip_suffix("/*"), after.strip_prefix("*/")) {
            (Some(before), Some(after)) => (before, after),
            _ => (before, after),
        };
        filled.push_str(before);
        filled.push_str(&value_of(name)?);
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

fn guarded(text: &str, end: &str, what: &str) -> Result<String> {
    if text.contains(end) {
        bail!("{what} holds `{end}`, which would end its element");
    }
    if text.contains("{{") {
        bail!("{what} holds `{{{{`, which the gateway takes for a placeholder");
    }
    if text.contains('\r') {
        bail!("{what} holds a carriage return; browsers hash a page with plain line feeds");
    }
    Ok(text.to_owned())
}

fn hashes_between(page: &str, open: &str, close: &str) -> Result<Vec<String>> {
    let mut hashes = Vec::new();
    let mut rest = page;
    while let Some((_, after)) = rest.split_once(open) {
        let (inside, after) = after
            .split_once(close)
            .with_context(|| format!("`{open}` has no end"))?;
        let digest = Sha256::digest(inside.as_bytes());
        let encoded = base64::engine::general_purpose::STANDARD.encode(digest);
        hashes.push(format!("sha256-{encoded}"));
        rest = after;
    }
    Ok(hashes)
}

/// Text as HTML, also between quotes.
pub(crate) fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

fn json_for_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests;
