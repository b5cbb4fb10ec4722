//! Checks that no two scripts need each other: imports between the files of `www`, `tests` and `packages` have no circle.
//!
//! Types that a comment takes from a script count as well, except where the script's declarations (`.d.ts`) give them.

use crate::project::{Project, files_below};
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Scripts with their sources, by path.
type Sources = BTreeMap<PathBuf, String>;

/// Groups of scripts that need each other: for each, which script uses which.
fn circles(sources: &Sources, has_declarations: impl Fn(&Path) -> bool) -> Vec<Vec<String>> {
    let mut graph = DiGraphMap::<&Path, ()>::new();
    for (file, source) in sources {
        for (used, is_in_comment) in imports(file, source) {
            let Some((used, _)) = sources.get_key_value(&used) else {
                continue;
            };
            if used != file && !(is_in_comment && has_declarations(used)) {
                graph.add_edge(file, used, ());
            }
        }
    }
    tarjan_scc(&graph)
        .into_iter()
        .filter(|group| group.len() > 1)
        .map(|group| {
            let inside = |file: &&Path| group.contains(file);
            let mut uses: Vec<String> = graph
                .all_edges()
                .filter(|(from, to, ())| inside(from) && inside(to))
                .map(|(from, to, ())| format!("{} uses {}", from.display(), to.display()))
                .collect();
            uses.sort();
            uses
        })
        .collect()
}

/// The files that a script names in its imports, and whether a comment names them.
fn imports(file: &Path, source: &str) -> Vec<(PathBuf, bool)> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut found = Vec::new();
    for line in source.lines() {
        for (start, word) in ["from '", "import('", "import '"]
            .iter()
            .flat_map(|word| line.match_indices(word))
        {
            let rest = &line[start + word.len()..];
            let Some((name, _)) = rest.split_once('\'') else {
                continue;
            };
            // The build writes the address of a lazy script here.
            let lazy = name
                .strip_prefix("{{lazy:")
                .and_then(|name| name.strip_suffix("}}"));
            let target = match lazy {
                Some(name) => folder.join(format!("{name}.js")),
                None if name.starts_with('.') => folder.join(name),
                None => continue,
            };
            let before = line[..start].trim_start();
            let is_in_comment = before.starts_with('*') || before.contains("/**");
            found.push((plain(&target), is_in_comment));
        }
    }
    found
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}

#[test]
fn no_scripts_import_each_other() {
    let root = Project::locate().unwrap().root;
    let mut sources = Sources::new();
    for folder in ["www", "tests", "packages"] {
        for file in files_below(&root.join(folder)).unwrap() {
            let file = Path::new(folder).join(file);
            let is_script = file
                .extension()
                .is_some_and(|end| end == "js" || end == "mjs");
            if is_script && !file.iter().any(|part| part == "node_modules") {
                let source = std::fs::read_to_string(root.join(&file)).unwrap();
                sources.insert(file, source);
            }
        }
    }
    assert!(sources.len() > 100, "only {} scripts", sources.len());
    let found: Vec<String> = circles(&sources, |file| root.join(file.with_extension("d.ts")).exists())
        .into_iter()
        .map(|uses| {
            format!("scripts need each other. Move what both need into a script of its own, or give it as a parameter\n  {}", uses.join("\n  "))
        })
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_circle_of_scripts_is_found() {
    let check = |files: &[(&str, &str)], declared: &str, expected: &[&[&str]]| {
        let sources = files
            .iter()
            .map(|(file, source)| (PathBuf::from(file), (*source).to_owned()))
            .collect();
        assert_eq!(
            circles(&sources, |file| file == Path::new(declared)),
            expected,
            "{files:?}"
        );
    };
    let a_uses_b = ("x/a.js", "import { b } from './b.js';");
    check(&[a_uses_b, ("x/b.js", "export const b = 1;")], "", &[]);
    let both: &[&[&str]] = &[&["x/a.js uses x/b.js", "x/b.js uses x/a.js"]];
    check(&[a_uses_b, ("x/b.js", "await import('./a.js');")], "", both);
    check(
        &[a_uses_b, ("x/b.js", "await import('{{lazy:a}}' + mark);")],
        "",
        both,
    );
    let type_of_a = ("x/b.js", "/** @param {import('../x/a.js').A} a */");
    check(&[a_uses_b, type_of_a], "", both);
    check(&[a_uses_b, type_of_a], "x/a.js", &[]);
    check(&[a_uses_b, ("x/b.js", "import 'node:fs';")], "", &[]);
}
