//! `docs/behaviours.md`: what the form does for buyers and merchants, and which tests show it.
//!
//! A test carries the id of the behaviour that it shows: a script's at the beginning of its name (`B1 first digits …`), a
//! Rust test's in a doc comment of its own (`/// B1: …`). `cargo xtask reference` writes the page's last column from that.
//! The house rules fail if it is not current, or if a behaviour has no test.

use crate::project::Project;
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = "docs/behaviours.md";
/// Begins the line that lists behaviours without a test.
const OPEN: &str = "Without a test so far: ";
/// Begin the lines that list behaviours which hold without scripts, as a whole and in part.
const PLAIN: [&str; 2] = ["Holds without scripts: ", "Holds in part without scripts: "];

/// Writes the page's last column again.
pub(crate) fn renew(project: &Project) -> Result<()> {
    let file = project.root.join(PAGE);
    let page = std::fs::read_to_string(&file).with_context(|| format!("cannot read {PAGE}"))?;
    std::fs::write(&file, filled_in(&page, &shown_in(project)?))?;
    println!("{} is current", file.display());
    Ok(())
}

/// The errors in the page.
pub(crate) fn breaches(project: &Project) -> Result<Vec<String>> {
    let page = std::fs::read_to_string(project.root.join(PAGE))
        .with_context(|| format!("cannot read {PAGE}"))?;
    Ok(faults(&page, &shown_in(project)?))
}

/// The files whose tests show a behaviour, by its id.
type Shown = BTreeMap<String, BTreeSet<String>>;

fn shown_in(project: &Project) -> Result<Shown> {
    let mut shown = Shown::new();
    for path in project.files()? {
        let name = path.to_string_lossy();
        let ids: fn(&str) -> Vec<String> = match name.rsplit_once('.') {
            Some((_, "mjs")) => ids_of_script,
            Some((_, "rs")) => ids_of_rust,
            _ => continue,
        };
        let Ok(text) = std::fs::read_to_string(project.root.join(&path)) else {
            continue;
        };
        for id in ids(&text) {
            shown.entry(id).or_default().insert(name.to_string());
        }
    }
    Ok(shown)
}

/// Ids at the beginning of the names of tests.
fn ids_of_script(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| {
            let line = line.trim_start();
            let call = line
                .strip_prefix("test(")
                .or(line.strip_prefix("describe("))?;
            call.strip_prefix(['\'', '"', '`'])
        })
        .flat_map(leading_ids)
        .collect()
}

/// Ids at the beginning of doc comments that belong to a test.
fn ids_of_rust(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = Vec::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim_start) {
        if let Some(words) = line.strip_prefix("/// ") {
            waiting.extend(
                words
                    .split_once(": ")
                    .map_or(Vec::new(), |(ids, _)| leading_ids(ids)),
            );
        } else if line.starts_with("#[") {
            is_test |= line.contains("test");
        } else if !line.is_empty() || waiting.is_empty() {
            // Properties are tests too: their functions are in a macro, after an attribute.
            if is_test && line.contains("fn ") {
                found.append(&mut waiting);
            }
            waiting.clear();
            is_test = false;
        }
    }
    found
}

/// `B1 B2 first digits` and `B1, B2` begin with two ids.
pub(crate) fn leading_ids(words: &str) -> Vec<String> {
    words
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .map_while(|word| is_id(word).then(|| word.to_owned()))
        .collect()
}

fn is_id(word: &str) -> bool {
    let mut letters = word.chars();
    letters
        .next()
        .is_some_and(|group| ('A'..='O').contains(&group))
        && (1..=2).contains(&letters.as_str().len())
        && letters.all(|digit| digit.is_ascii_digit())
}

/// The first two cells of a row `| A1 | what | where |`.
fn row(line: &str) -> Option<(&str, &str)> {
    let mut cells = line.strip_prefix("| ")?.split(" | ");
    let id = cells.next().filter(|id| is_id(id))?;
    Some((id, cells.next()?))
}

fn filled_in(page: &str, shown: &Shown) -> String {
    let mut text = String::new();
    for line in page.lines() {
        match row(line) {
            Some((id, what)) => {
                let places = shown.get(id).map(|files| {
                    let files: Vec<String> = files.iter().map(|file| format!("`{file}`")).collect();
                    files.join(", ")
                });
                let places = places.unwrap_or_else(|| String::from("none"));
                text.push_str(&format!("| {id} | {what} | {places} |"));
            }
            None => text.push_str(line),
        }
        text.push('\n');
    }
    text
}

fn faults(page: &str, shown: &Shown) -> Vec<String> {
    let mut faults = Vec::new();
    if filled_in(page, shown) != page {
        faults.push(format!(
            "{PAGE} is not current: run `cargo xtask reference`"
        ));
    }
    let open: BTreeSet<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix(OPEN))
        .flat_map(|ids| ids.trim_end_matches('.').split(", "))
        .collect();
    let listed: BTreeSet<&str> = page.lines().filter_map(row).map(|(id, _)| id).collect();
    for id in &listed {
        match (shown.contains_key(*id), open.contains(id)) {
            (false, false) => faults.push(format!("{PAGE}: no test shows {id}")),
            (true, true) => faults.push(format!(
                "{PAGE}: {id} has a test now; take it off the list of those without"
            )),
            _ => {}
        }
    }
    let mut in_a_mode = BTreeSet::new();
    for begin in PLAIN {
        let line = page.lines().find_map(|line| line.strip_prefix(begin));
        let ids = line.and_then(|line| line.split('.').next());
        for id in ids.into_iter().flat_map(|ids| ids.split(", ")) {
            if !listed.contains(id) || !in_a_mode.insert(id) {
                faults.push(format!(
                    "{PAGE}: `{begin}` names {id}, which is not in the table or named twice"
                ));
            }
        }
    }
    let unknown = shown.keys().filter(|id| !listed.contains(id.as_str()));
    faults
        .extend(unknown.map(|id| format!("{PAGE}: a test names {id}, which is not in the table")));
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_from_the_names_of_scripts_tests() {
        let text = "test('B1 first digits', () => {});\n  test(`K4, K10 paid ${once}`, go);\ntest('a B2 inside');\nconst A1 = 1;\n";
        assert_eq!(ids_of_script(text), ["B1", "K4", "K10"]);
    }

    #[test]
    fn ids_are_read_from_the_doc_comments_of_rust_tests() {
        let text = "/// A1: gaps.\n#[test]\nfn gaps() {}\n\n/// A2: no test.\nfn helper() {}\n/// B1, B2: two.\n#[wasm_bindgen_test]\nasync fn two() {}\n";
        assert_eq!(ids_of_rust(text), ["A1", "B1", "B2"]);
    }

    #[test]
    fn a_behaviour_without_a_test_is_a_fault_unless_the_page_says_so() {
        let shown = Shown::from([(String::from("A1"), BTreeSet::from([String::from("a.mjs")]))]);
        let page = "Without a test so far: A2.\n| A1 | gaps | `a.mjs` |\n| A2 | none | none |\n";
        assert_eq!(faults(page, &shown), Vec::<String>::new());
        let silent = page.replace("A2.\n", "\n");
        assert_eq!(
            faults(&silent, &shown).len(),
            1,
            "A2 has no test, and nothing says so"
        );
        let boasting = page.replace("far: A2", "far: A1, A2");
        assert_eq!(faults(&boasting, &shown).len(), 1, "A1 has one");
        let stale = page.replace("`a.mjs`", "`b.mjs`");
        assert_eq!(faults(&stale, &shown).len(), 1, "not current");
        assert_eq!(faults("", &shown).len(), 1, "A1 is not in the table");
        let modes = |whole: &str, part: &str| {
            let lists = format!(
                "Holds without scripts: {whole}.\nHolds in part without scripts: {part}. More.\n"
            );
            faults(&format!("{lists}{page}"), &shown).len()
        };
        assert_eq!(modes("A1", "A2"), 0);
        assert_eq!(modes("A1, A3", "A2"), 1, "A3 is not in the table");
        assert_eq!(modes("A1", "A1"), 1, "A1 is named twice");
    }
}
