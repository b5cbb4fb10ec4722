//! House rules that the compiler cannot check. Each message says what to do.
//!
//! Each rule is a function of a path and a text and has a test that shows it fail. Rules read the
//! files that belong to the repository (tracked, or new and not ignored).

use crate::behaviours;
use crate::project::Project;
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// Checks every rule for every file and lists all breaches.
pub(crate) fn check(project: &Project) -> Result<()> {
    let files = project.files()?;
    let mut breaches = Vec::new();
    for path in &files {
        // Pictures and other binary files are skipped; no rule is about them.
        let Ok(text) = std::fs::read_to_string(project.root.join(path)) else {
            continue;
        };
        let name = path.to_string_lossy();
        for rule in RULES {
            breaches.extend(
                rule(&name, &text)
                    .into_iter()
                    .map(|breach| format!("{name}: {breach}")),
            );
        }
        let missing = named_paths(&name, &text)
            .into_iter()
            .filter(|named| !exists(project, path, named));
        breaches.extend(missing.map(|named| {
            format!(
                "{name}: names `{named}`, which is not there. Correct the path, or add the file"
            )
        }));
    }
    breaches.extend(behaviours::breaches(project)?);
    if breaches.is_empty() {
        println!("{} files keep the house rules", files.len());
        return Ok(());
    }
    bail!("house rules:\n{}", breaches.join("\n"))
}

type Rule = fn(&str, &str) -> Vec<String>;

const RULES: [Rule; 7] = [
    rust_files_say_what_they_are,
    long_files_say_why,
    scripts_are_type_checked,
    nothing_is_unfinished,
    no_test_is_left_out,
    messages_have_one_receiver,
    the_sandbox_is_known_to_its_wiring_alone,
];

fn rust_files_say_what_they_are(name: &str, text: &str) -> Vec<String> {
    if !name.ends_with(".rs") || text.starts_with("//! ") {
        return Vec::new();
    }
    vec!["does not open with `//! `. Say in its first lines what this module is, when to use it, what it does not do".into()]
}

fn long_files_say_why(name: &str, text: &str) -> Vec<String> {
    let is_source = [".rs", ".js", ".mjs", ".css", ".html", ".py", ".php"]
        .iter()
        .any(|ending| name.ends_with(ending));
    let says_why = || text.lines().take(20).any(|line| line.contains(LONGER));
    if !is_source || text.lines().count() <= MAX_LINES || says_why() {
        return Vec::new();
    }
    vec![format!(
        "has more than {MAX_LINES} lines. Split it by concept, or say in its head why it is `{LONGER}`"
    )]
}

fn scripts_are_type_checked(name: &str, text: &str) -> Vec<String> {
    let is_shipped = ["www/", "packages/"]
        .iter()
        .any(|folder| name.starts_with(folder));
    let script = is_shipped && name.ends_with(".js");
    if !script || text.starts_with("// @ts-check\n") {
        return Vec::new();
    }
    vec!["does not open with `// @ts-check`. Put it into the first line, so that `npm run typecheck` reads the file".into()]
}

fn nothing_is_unfinished(name: &str, text: &str) -> Vec<String> {
    let words = if name.ends_with(".rs") {
        [concat!("to", "do!"), concat!("unimple", "mented!")].as_slice()
    } else {
        &[]
    };
    let with_marks = [concat!("TO", "DO"), concat!("FIX", "ME")];
    let found = lines_with(text, words).chain(lines_with(text, code_marks(name, &with_marks)));
    found
        .map(|(line, word)| format!("line {line} holds `{word}`. Finish the work, or open an issue and say there what is missing"))
        .collect()
}

fn no_test_is_left_out(name: &str, text: &str) -> Vec<String> {
    let words: &[&str] = if name.ends_with(".rs") {
        &[concat!("#[ig", "nore")]
    } else if is_script(name) {
        &[
            concat!(".on", "ly("),
            concat!("test.sk", "ip("),
            concat!("it.sk", "ip("),
            concat!("describe.sk", "ip("),
            concat!("test.to", "do("),
        ]
    } else {
        &[]
    };
    lines_with(text, words)
        .map(|(line, word)| format!("line {line} holds `{word}`. Every test runs: mend it, or delete it with its reason in the commit"))
        .collect()
}

/// With the target `'*'`, any page in the window would receive the message.
fn messages_have_one_receiver(name: &str, text: &str) -> Vec<String> {
    if !(is_script(name) || name.ends_with(".rs") || name.ends_with(".html")) {
        return Vec::new();
    }
    let mut breaches = Vec::new();
    let mut searched = 0;
    for call in [concat!("post", "Message("), concat!("post_", "message(")] {
        while let Some(at) = text[searched..].find(call).map(|at| at + searched) {
            let arguments = balanced(&text[at + call.len()..]);
            if ["'*'", "\"*\"", "`*`"]
                .iter()
                .any(|star| arguments.contains(star))
            {
                let line = text[..at].matches('\n').count() + 1;
                breaches.push(format!("line {line} posts a message to any origin. Name the one origin that may read it"));
            }
            searched = at + call.len();
        }
        searched = 0;
    }
    breaches
}

/// Payments, storage, routes and pages know outside systems only through the ports. They do not ask for the mode either: its settings say
/// what applies. A document may name the sandbox's header.
fn the_sandbox_is_known_to_its_wiring_alone(name: &str, text: &str) -> Vec<String> {
    let is_gateway = name.starts_with("gateway/src/") || name.starts_with("crates/");
    let is_wiring = name == "gateway/src/modes.rs"
        || name.starts_with("gateway/src/modes/")
        || name.starts_with("crates/sandbox/");
    let is_setting = name == "gateway/src/config.rs" || name.starts_with("gateway/src/config/");
    let is_test = name.ends_with("/tests.rs");
    if !is_gateway || is_wiring || is_test || !name.ends_with(".rs") {
        return Vec::new();
    }
    let words: &[&str] = if is_setting {
        &["payframe_sandbox", "\"x-sandbox"]
    } else {
        &[
            "payframe_sandbox::",
            "\"x-sandbox",
            "Mode::Sandbox",
            ".is_sandbox()",
        ]
    };
    lines_with(text, words)
        .map(|(line, word)| {
            format!(
                "line {line} names `{word}`. Only `gateway/src/modes.rs` knows the sandbox: put what is needed into a trait of \
                 `crates/payment-ports`, implement it in `crates/sandbox`, and have `modes` pass it on"
            )
        })
        .collect()
}

/// Paths that documents name: words in backticks that start with a folder of ours, and targets of links.
fn named_paths(name: &str, text: &str) -> Vec<String> {
    let document = name == "README.md" || (name.starts_with("docs/") && name.ends_with(".md"));
    if !document {
        return Vec::new();
    }
    let quoted = text
        .lines()
        .flat_map(|line| line.split('`').skip(1).step_by(2))
        .map(str::trim)
        .filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder)))
        .filter(|word| !word.contains([' ', '*', '<', '{', '…', '$']));
    let linked = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', '#', ' ']).next())
        .filter(|target| {
            !target.is_empty() && !target.contains("://") && !target.starts_with("mailto:")
        })
        // A pattern in a table of the API, not a link.
        .filter(|target| !target.contains(['[', '|', '\\']));
    quoted
        .map(|word| format!("/{word}"))
        .chain(linked.map(String::from))
        .collect()
}

/// Whether a document's path exists: from the root if it starts with `/`, else beside the document.
fn exists(project: &Project, document: &Path, named: &str) -> bool {
    let base = match named.strip_prefix('/') {
        Some(from_root) => project.root.join(from_root),
        None => {
            let beside: PathBuf = document.parent().unwrap_or(Path::new("")).join(named);
            project.root.join(beside)
        }
    };
    base.exists()
}

fn lines_with<'a>(text: &'a str, words: &'a [&'a str]) -> impl Iterator<Item = (usize, &'a str)> {
    text.lines().enumerate().flat_map(move |(index, line)| {
        words
            .iter()
            .filter(move |word| line.contains(**word))
            .map(move |word| (index + 1, *word))
    })
}

/// Marks of unfinished work count in code, not in lock files or prose.
fn code_marks<'a>(name: &str, marks: &'a [&'a str]) -> &'a [&'a str] {
    let code = is_script(name)
        || [".rs", ".css", ".html", ".toml", ".php"]
            .iter()
            .any(|end| name.ends_with(end));
    if code { marks } else { &[] }
}

fn is_script(name: &str) -> bool {
    [".js", ".mjs", ".ts"].iter().any(|end| name.ends_with(end))
}

/// The text up to the parenthesis that closes the opened one.
fn balanced(text: &str) -> &str {
    let mut depth = 1_u32;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[..at];
        }
    }
    text
}

/// The lines of a source file that need no reason.
const MAX_LINES: usize = 500;
/// The words of a head that gives the reason.
const LONGER: &str = "longer than most";

const FOLDERS: [&str; 11] = [
    "src/",
    "crates/",
    "packages/",
    "gateway/",
    "shop/",
    "www/",
    "xtask/",
    "tests/",
    "docs/",
    ".ci/",
    ".cargo/",
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of breaches that a rule finds in a file.
    fn check(rule: Rule, name: &str, text: &str, expected: usize) {
        let breaches = rule(name, text);
        assert_eq!(
            breaches.len(),
            expected,
            "{name}: {text:?} gave {breaches:?}"
        );
    }

    #[test]
    fn rust_files_open_with_module_docs() {
        check(
            rust_files_say_what_they_are,
            "src/a.rs",
            "//! The card.\n",
            0,
        );
        check(
            rust_files_say_what_they_are,
            "src/a.rs",
            "// The card.\n",
            1,
        );
        check(rust_files_say_what_they_are, "src/a.md", "# The card\n", 0);
    }

    #[test]
    fn long_files_say_why_they_are_long() {
        let lines = "//! A.\n".repeat(501);
        check(long_files_say_why, "src/a.rs", &lines, 1);
        check(long_files_say_why, "www/a.css", &lines, 1);
        check(long_files_say_why, "src/a.rs", &lines[7..], 0);
        check(long_files_say_why, "docs/a.md", &lines, 0);
        let reason = "//! This file is longer than most, because it is a table.\n";
        check(
            long_files_say_why,
            "src/a.rs",
            &[reason, &lines].concat(),
            0,
        );
    }

    #[test]
    fn scripts_for_merchants_are_type_checked() {
        check(scripts_are_type_checked, "www/a.js", "// @ts-check\n", 0);
        check(scripts_are_type_checked, "www/a.js", "export {};\n", 1);
        check(scripts_are_type_checked, "tests/a.mjs", "export {};\n", 0);
    }

    #[test]
    fn payments_do_not_name_the_sandbox() {
        let rule = the_sandbox_is_known_to_its_wiring_alone;
        let text = "use payframe_sandbox::SandboxSettings;\n";
        check(rule, "gateway/src/pages/a.rs", text, 1);
        check(rule, "gateway/src/lib.rs", text, 1);
        check(rule, "crates/storage/src/lib.rs", text, 1);
        check(rule, "crates/payment-domain/src/a.rs", text, 1);
        check(rule, "gateway/src/modes.rs", text, 0);
        check(rule, "crates/sandbox/src/acquirer.rs", text, 0);
        check(rule, "crates/notifier/src/tests.rs", text, 0);
        let mode = "if let Mode::Sandbox(_) = config.mode {}\n";
        check(rule, "gateway/src/pages/a.rs", mode, 1);
        check(rule, "gateway/src/config/mode.rs", mode, 0);
        let header = "const HEADER: &str = \"x-sandbox-fault\";\n";
        check(rule, "gateway/src/routes/a.rs", header, 1);
        check(rule, "gateway/src/config/mode.rs", header, 1);
        for document in ["/// Not in a sandbox.\n", "words(\"`x-sandbox-fault`\")\n"] {
            check(rule, "gateway/src/pages/a.rs", document, 0);
        }
    }

    #[test]
    fn unfinished_work_is_found() {
        check(nothing_is_unfinished, "src/a.rs", "fn a() { to_do() }", 0);
        check(
            nothing_is_unfinished,
            "src/a.rs",
            concat!("fn a() { to", "do!() }"),
            1,
        );
        check(
            nothing_is_unfinished,
            "www/a.js",
            concat!("// FIX", "ME later"),
            1,
        );
        check(nothing_is_unfinished, "docs/a.md", concat!("TO", "DO"), 0);
    }

    #[test]
    fn tests_that_do_not_run_are_found() {
        check(
            no_test_is_left_out,
            "src/a.rs",
            concat!("#[ig", "nore = \"slow\"]"),
            1,
        );
        check(
            no_test_is_left_out,
            "tests/a.mjs",
            concat!("test.on", "ly('x')"),
            1,
        );
        check(no_test_is_left_out, "tests/a.mjs", "test('x')", 0);
    }

    #[test]
    fn messages_to_any_origin_are_found() {
        let star = ["'*'", "\"*\"", "`*`"];
        for any in star {
            let text = format!("port.x();\nparent.postMessage(\n  f({{a: 1}}),\n  {any})");
            check(messages_have_one_receiver, "www/a.js", &text, 1);
        }
        check(
            messages_have_one_receiver,
            "www/a.js",
            "parent.postMessage(a, origin); b('*')",
            0,
        );
    }

    #[test]
    fn documents_name_paths_by_backticks_and_links() {
        let text = "See `src/lib.rs`, `cargo xtask test`, `target/dist`, [map](architecture.md#map), [web](https://a.b)";
        assert_eq!(
            named_paths("docs/a.md", text),
            ["/src/lib.rs", "architecture.md"]
        );
        assert!(named_paths("src/a.rs", text).is_empty());
        let pattern = r"| `time` | text `^([01][0-9])(Z\|[+-](0[0-9]\|1[0-4]))$` |";
        assert!(named_paths("docs/a.md", pattern).is_empty());
    }
}
