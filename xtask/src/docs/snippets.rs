//! Blocks of code in the documents: which languages there are, and whether their data can be read.
//!
//! JSON and TOML are read here. Blocks in languages of programs are read by `tests/docs/snippets.test.mjs`, which also names the tests that
//! run them.

use anyhow::{Context, Result, bail};

/// Refuses a block without a known language, and data that its language cannot read.
pub(super) fn check(language: &str, text: &str) -> Result<()> {
    match language {
        "json" => {
            serde_json::from_str::<serde_json::Value>(text)
                .with_context(|| format!("a block of code is not JSON:\n{text}"))?;
        }
        "toml" => {
            toml::from_str::<toml::Table>(text)
                .with_context(|| format!("a block of code is not TOML:\n{text}"))?;
        }
        "" => bail!("a block of code does not say its language; `text` is one:\n{text}"),
        known if READ_ELSEWHERE.contains(&known) => {}
        unknown => bail!(
            "nothing reads code in `{unknown}`: teach tests/docs/snippets.test.mjs to, and name it here:\n{text}"
        ),
    }
    Ok(())
}

/// Languages that the other test reads or lists.
const READ_ELSEWHERE: [&str; 14] = [
    "css", "graphql", "html", "js", "php", "python", "rust", "sh", "svelte", "text", "ts", "tsx",
    "vue", "yaml",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_read_and_languages_are_known() {
        let refusal = |language, text| match check(language, text) {
            Ok(()) => String::new(),
            Err(problem) => problem.to_string(),
        };
        assert_eq!(refusal("json", "{ \"a\": [1, \"…\"] }"), "");
        assert!(refusal("json", "{ a: 1 }").contains("not JSON"));
        assert_eq!(refusal("toml", "a = 1 # b"), "");
        assert!(refusal("toml", "a = ").contains("not TOML"));
        assert_eq!(refusal("sh", "anything"), "");
        assert!(refusal("", "a").contains("does not say its language"));
        assert!(refusal("cobol", "a").contains("nothing reads"));
    }
}
