//! Checks that no two files of a crate need each other: imports have no circle.
//!
//! A file may name the files that contain it (`super`). Everything else counts: `use` and paths in code, with
//! re-exports followed to the file that defines the item. Tests inside a file and the bodies of macros do not count.

use crate::project::Project;
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Attribute, ItemMod, ItemUse, UseTree, Visibility};

/// The names from the crate's root to a module: `["store", "writer"]`.
type ModulePath = Vec<String>;

/// The files of a crate, each with the paths in it.
#[derive(Default)]
struct Modules {
    named: BTreeMap<ModulePath, BTreeSet<Vec<String>>>,
    /// The re-exports of a module: its own path with the name, and the path to which the name refers.
    passed_on: BTreeMap<Vec<String>, Vec<String>>,
}

impl Modules {
    fn add(&mut self, module: ModulePath, source: &str) {
        let file = syn::parse_file(source)
            .unwrap_or_else(|error| panic!("{}: {error}", module.join("::")));
        let mut reader = Reader {
            module: module.clone(),
            depth: 0,
            named: BTreeSet::new(),
            passed_on: BTreeMap::new(),
        };
        reader.visit_file(&file);
        self.named.insert(module, reader.named);
        self.passed_on.extend(reader.passed_on);
    }

    /// The file that defines what a path names, if it belongs to the crate.
    fn file_of(&self, path: &[String], steps: usize) -> Option<&ModulePath> {
        let length = (0..=path.len())
            .rev()
            .find(|length| self.named.contains_key(&path[..*length]))?;
        let (module, _) = self.named.get_key_value(&path[..length])?;
        let Some(rest) = path.get(length + 1..) else {
            return Some(module);
        };
        match self.passed_on.get(&path[..=length]) {
            // A chain of re-exports always ends. The limit is for sources that do not compile.
            Some(target) if steps < 16 => {
                let target: Vec<String> = target.iter().chain(rest).cloned().collect();
                self.file_of(&self.absolute(module, &target), steps + 1)
            }
            _ => Some(module),
        }
    }

    /// The path in a module, from the crate's root. Paths of other crates name no module here.
    fn absolute(&self, module: &[String], path: &[String]) -> Vec<String> {
        let mut base = module.to_vec();
        let mut rest = path;
        let mut is_relative = false;
        while let Some((first, behind)) = rest.split_first() {
            match first.as_str() {
                "crate" => base.clear(),
                "self" => {}
                "super" => {
                    base.pop();
                }
                _ => break,
            }
            is_relative = true;
            rest = behind;
        }
        let absolute: Vec<String> = base.iter().chain(rest).cloned().collect();
        let child = &absolute[..(base.len() + 1).min(absolute.len())];
        let is_known = self.named.contains_key(child) || self.passed_on.contains_key(child);
        if is_relative || is_known {
            absolute
        } else {
            vec!["::".to_owned()]
        }
    }

    /// Groups of files that need each other: for each, which file uses which.
    fn circles(&self) -> Vec<Vec<String>> {
        let names: Vec<&ModulePath> = self.named.keys().collect();
        let mut graph = DiGraphMap::<usize, ()>::new();
        for (from, (module, paths)) in self.named.iter().enumerate() {
            for path in paths {
                let absolute = self.absolute(module, path);
                let Some(used) = self.file_of(&absolute, 0).filter(|_| absolute != ["::"]) else {
                    continue;
                };
                if used != module
                    && !module.starts_with(used)
                    && let Ok(to) = names.binary_search(&used)
                {
                    graph.add_edge(from, to, ());
                }
            }
        }
        tarjan_scc(&graph)
            .into_iter()
            .filter(|group| group.len() > 1)
            .map(|group| {
                let mut uses: Vec<String> = graph
                    .all_edges()
                    .filter(|(from, to, ())| group.contains(from) && group.contains(to))
                    .map(|(from, to, ())| {
                        format!("{} uses {}", names[from].join("::"), names[to].join("::"))
                    })
                    .collect();
                uses.sort();
                uses
            })
            .collect()
    }
}

/// Collects the paths in a file.
struct Reader {
    module: ModulePath,
    /// How many modules of the same file enclose the current position.
    depth: usize,
    named: BTreeSet<Vec<String>>,
    passed_on: BTreeMap<Vec<String>, Vec<String>>,
}

impl Reader {
    /// Inside nested modules of the file, the same number of `super` leads out of them.
    fn add(&mut self, mut path: Vec<String>) {
        for _ in 0..self.depth {
            match path.first().map(String::as_str) {
                Some("super") => drop(path.remove(0)),
                Some("crate") => break,
                _ => return,
            }
        }
        self.named.insert(path);
    }

    fn add_tree(&mut self, tree: &UseTree, mut path: Vec<String>, passes_on: bool) {
        match tree {
            UseTree::Path(part) => {
                path.push(part.ident.to_string());
                self.add_tree(&part.tree, path, passes_on);
            }
            UseTree::Group(group) => {
                for one in &group.items {
                    self.add_tree(one, path.clone(), passes_on);
                }
            }
            UseTree::Name(name) => self.add_leaf(path, &name.ident.to_string(), None, passes_on),
            UseTree::Rename(name) => {
                self.add_leaf(
                    path,
                    &name.ident.to_string(),
                    Some(name.rename.to_string()),
                    passes_on,
                );
            }
            UseTree::Glob(_) => self.add(path),
        }
    }

    fn add_leaf(
        &mut self,
        mut path: Vec<String>,
        name: &str,
        new_name: Option<String>,
        passes_on: bool,
    ) {
        if name != "self" {
            path.push(name.to_owned());
        }
        if passes_on && self.depth == 0 {
            // A re-export does not count as a use.
            let mut own = self.module.clone();
            own.push(new_name.unwrap_or_else(|| name.to_owned()));
            self.passed_on.insert(own, path);
        } else {
            self.add(path);
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_for_tests(&item.attrs) {
            self.depth += 1;
            visit::visit_item_mod(self, item);
            self.depth -= 1;
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if !is_for_tests(&item.attrs) {
            self.add_tree(
                &item.tree,
                Vec::new(),
                !matches!(item.vis, Visibility::Inherited),
            );
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() && path.segments.len() > 1 {
            self.add(
                path.segments
                    .iter()
                    .map(|segment| segment.ident.to_string())
                    .collect(),
            );
        }
        visit::visit_path(self, path);
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Path>()
                .is_ok_and(|what| what.is_ident("test"))
    })
}

/// The module of a file below `src`; `None` for programs and tests.
fn module_of(file: &Path) -> Option<ModulePath> {
    let mut names: Vec<String> = file
        .with_extension("")
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    match names.last()?.as_str() {
        "main" | "tests" => return None,
        "lib" | "mod" => drop(names.pop()),
        _ => {}
    }
    (!names.iter().any(|name| name == "tests")).then_some(names)
}

fn read_crate(src: &Path) -> Modules {
    let mut modules = Modules::default();
    let mut folders: Vec<PathBuf> = vec![src.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs")
                && let Some(module) = module_of(path.strip_prefix(src).unwrap())
            {
                modules.add(module, &std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    modules
}

fn modules(files: &[(&str, &str)]) -> Modules {
    let mut modules = Modules::default();
    for (file, source) in files {
        modules.add(module_of(Path::new(file)).unwrap(), source);
    }
    modules
}

#[test]
fn no_files_import_each_other() {
    let root = Project::locate().unwrap().root;
    let mut crates = vec![
        root.join("src"),
        root.join("gateway/src"),
        root.join("shop/src"),
        root.join("load/src"),
        root.join("xtask/src"),
    ];
    crates.extend(
        std::fs::read_dir(root.join("crates"))
            .unwrap()
            .map(|entry| entry.unwrap().path().join("src")),
    );
    let mut found = Vec::new();
    for src in crates {
        let modules = read_crate(&src);
        assert!(!modules.named.is_empty(), "{}: no sources", src.display());
        found.extend(modules.circles().into_iter().map(|uses| {
            format!("{}: files need each other. Move what both need into a file of its own, or give it as a parameter\n  {}", src.display(), uses.join("\n  "))
        }));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_circle_is_found() {
    let check = |files: &[(&str, &str)], expected: &[&[&str]]| {
        assert_eq!(modules(files).circles(), expected, "{files:?}");
    };
    check(
        &[
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::B;"),
            ("b.rs", ""),
        ],
        &[],
    );
    check(
        &[
            ("lib.rs", ""),
            ("a.rs", "use crate::b::B;"),
            ("b.rs", "fn f() { crate::a::g(); }"),
        ],
        &[&["a uses b", "b uses a"]],
    );
    check(
        &[
            ("lib.rs", ""),
            ("a.rs", "use super::b::B;"),
            ("b.rs", "#[cfg(test)] mod tests { use crate::a::A; }"),
        ],
        &[],
    );
    // The file that contains another one.
    check(
        &[
            ("lib.rs", ""),
            ("a.rs", "mod b; use b::B;"),
            ("a/b.rs", "use super::A;"),
        ],
        &[],
    );
    // A re-export of an enclosing file: the file with the definition counts.
    check(
        &[
            ("lib.rs", ""),
            ("a.rs", "mod b; mod c; pub use b::B;"),
            ("a/b.rs", "use super::c::C;"),
            ("a/c.rs", "use super::B;"),
        ],
        &[&["a::b uses a::c", "a::c uses a::b"]],
    );
    check(
        &[
            ("lib.rs", ""),
            ("a/mod.rs", "mod b; pub use b::B;"),
            ("a/b.rs", "use crate::d::D;"),
            ("d.rs", "use crate::a::B;"),
        ],
        &[&["a::b uses d", "d uses a::b"]],
    );
}
