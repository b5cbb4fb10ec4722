//! Text work on the JavaScript that wasm-bindgen writes: loads the parts of the module by our loader, and shortens names.
//!
//! The module and its glue name every import by a word and a hash, which neither minifier nor compressor can shorten.
//! `used_exports` tells which exports of the module the glue mentions, and `Names::apply` writes the names that wasm-opt chose.
//! It depends on the form of wasm-bindgen's text (the version is locked), and fails if that changes.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The module's imports for its parts: for each part, the function that loads it, by the name that the splitter gave to it.
///
/// `link` is the splitter's own loader, from which only the list of shared items is used: our loader, `loader`, checks the hash of a part
/// and tries again. The build of the dist replaces `{{chunk:NAME}}` by paths and hashes.
pub(crate) fn chunk_loaders<'a>(
    link: &str,
    chunks: impl Iterator<Item = &'a str>,
    loader: &Path,
) -> Result<ChunkLoaders> {
    let shared = link
        .split_once("const { ")
        .and_then(|(_, rest)| rest.split_once("} = initSync("))
        .context("the splitter's loader does not say what is shared: has it changed?")?;
    let shared = shared.0.split(',').map(str::trim);
    let shared: Vec<String> = shared
        .filter(|name| !name.is_empty())
        .map(|name| format!("{name}: wasm.{name}"))
        .collect();
    let mut entries = String::new();
    for name in chunks {
        let entry = format!("__wasm_split_load_{name}");
        if !link.contains(&format!("const {entry} = wrapAsyncCb(")) {
            bail!("the splitter's loader has no `{entry}`: has it changed?");
        }
        entries.push_str(&format!(
            "        {entry}: chunkLoader('{{{{chunk:{name}}}}}', '{{{{integrity:{name}}}}}', () => ({{ {} }})),\n",
            shared.join(", ")
        ));
    }
    Ok(ChunkLoaders {
        import: format!(
            "import {{ chunkLoader }} from {};\n",
            serde_json::to_string(loader)?
        ),
        entries,
    })
}

/// What the glue needs to load the parts of the module.
pub(crate) struct ChunkLoaders {
    /// The line that imports the loader.
    import: String,
    /// The entries of the object of the module's imports.
    entries: String,
}

/// The glue with our loader of parts in place of the splitter's.
pub(crate) fn with_chunks(glue: &str, loaders: &ChunkLoaders) -> Result<String> {
    const IMPORTS: &str = "const import0 = {\n";
    let theirs = glue
        .lines()
        .find(|line| line.ends_with(" from \"./__wasm_split.js\""))
        .context("the glue does not load the splitter's loader: has wasm-bindgen changed?")?;
    if !glue.contains(IMPORTS) {
        bail!("the glue holds no imports");
    }
    let lines = glue
        .lines()
        .filter(|line| *line != theirs && !line.contains("\"./__wasm_split.js\": "));
    let ours = lines.collect::<Vec<_>>().join("\n");
    let ours = ours.replace(IMPORTS, &format!("{IMPORTS}{}", loaders.entries));
    Ok(format!("{}{ours}", loaders.import))
}

/// The exports of the module that the glue mentions, as `wasm.NAME`.
pub(crate) fn used_exports(glue: &str) -> BTreeSet<&str> {
    mentions(glue).map(|(_, name)| name).collect()
}

/// The input of wasm-metadce: only these exports are used from outside.
pub(crate) fn reachability(exports: &BTreeSet<&str>) -> String {
    let outside = serde_json::json!({"name": "outside", "root": true, "reaches": exports});
    let nodes = exports
        .iter()
        .map(|export| serde_json::json!({"name": export, "export": export}));
    let graph: Vec<serde_json::Value> = std::iter::once(outside).chain(nodes).collect();
    serde_json::Value::from(graph).to_string()
}

/// The short names that wasm-opt gave to the imports and exports of the module.
pub(crate) struct Names {
    imports: BTreeMap<String, String>,
    exports: BTreeMap<String, String>,
}

impl Names {
    /// Reads what wasm-opt prints for `--minify-imports-and-exports-and-modules`.
    pub(crate) fn parse(printed: &str) -> Result<Names> {
        #[derive(Deserialize)]
        struct Printed {
            imports: Vec<(String, String, String)>,
            exports: Vec<(String, String)>,
        }
        let printed: Printed =
            serde_json::from_str(printed).context("wasm-opt printed no list of names")?;
        let imports = printed.imports.into_iter();
        Ok(Names {
            imports: imports.map(|(_, long, short)| (long, short)).collect(),
            exports: printed.exports.into_iter().collect(),
        })
    }

    /// Writes the short names into the glue, and removes import functions that the module does not use.
    pub(crate) fn apply(&self, glue: &str) -> Result<String> {
        self.rename_exports(&self.rename_imports(glue)?)
    }

    /// Changes `const import0 = {…}`: one entry for each import.
    fn rename_imports(&self, glue: &str) -> Result<String> {
        let open = "const import0 = {\n";
        let (before, rest) = glue.split_once(open).context("the glue holds no imports")?;
        let mut renamed = format!("{before}{open}");
        let mut lines = rest.split_inclusive('\n');
        let mut kept = 0;
        loop {
            let mut entry = lines
                .next()
                .context("the glue's imports have no end")?
                .to_owned();
            if entry.trim_start().starts_with('}') {
                renamed.push_str(&entry);
                break;
            }
            while nesting(&entry) > 0 {
                entry.push_str(lines.next().context("an import of the glue has no end")?);
            }
            let (name, function) = entry
                .split_once(':')
                .context("an import of the glue has no name")?;
            let name = name.trim().trim_matches('"');
            if let Some(short) = self.imports.get(name) {
                renamed.push_str(&format!("\"{short}\":{function}"));
                kept += 1;
            } else if name == "__proto__" {
                renamed.push_str(&entry);
            }
        }
        if kept != self.imports.len() {
            bail!(
                "the module takes {} imports, and the glue has {kept} of them",
                self.imports.len()
            );
        }
        renamed.extend(lines);
        let module = "\"./payframe_bg.js\": import0";
        if !renamed.contains(module) {
            bail!("the glue does not hand over its imports by `{module}`");
        }
        Ok(renamed.replace(module, &format!("\"{MODULE}\": import0")))
    }

    fn rename_exports(&self, glue: &str) -> Result<String> {
        let mut renamed = String::with_capacity(glue.len());
        let mut copied = 0;
        for (at, name) in mentions(glue) {
            let short = self.exports.get(name).with_context(|| {
                format!("the glue uses `{name}`, which the module does not export")
            })?;
            renamed.push_str(&glue[copied..at]);
            renamed.push_str(short);
            copied = at + name.len();
        }
        renamed.push_str(&glue[copied..]);
        Ok(renamed)
    }
}

/// Each `wasm.NAME`: the position of the name, and the name.
fn mentions(glue: &str) -> impl Iterator<Item = (usize, &str)> {
    const OBJECT: &str = "wasm.";
    glue.match_indices(OBJECT).filter_map(|(at, _)| {
        let inside_a_word = glue[..at].ends_with(is_word);
        let start = at + OBJECT.len();
        let rest = &glue[start..];
        let name = &rest[..rest.find(|letter| !is_word(letter)).unwrap_or(rest.len())];
        // The default path of the module ends in `.wasm'`, for example.
        (!inside_a_word && !name.is_empty()).then_some((start, name))
    })
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '$'
}

/// How many braces and parentheses stay open.
fn nesting(text: &str) -> i64 {
    text.bytes().fold(0, |open, byte| match byte {
        b'{' | b'(' => open + 1,
        b'}' | b')' => open - 1,
        _ => open,
    })
}

/// The name that wasm-opt gives to all modules of imports.
const MODULE: &str = "a";

#[cfg(test)]
mod tests {
    use super::*;

    const GLUE: &str = "export class Stream { free() { wasm.__wbg_stream_free(0); } }
if (Symbol.dispose) Stream.prototype[Symbol.dispose] = Stream.prototype.free;
export function start(a) {
    return wasm.start(a);
}
function __wbg_get_imports() {
    const import0 = {
        __proto__: null,
        __wbg_log_0123: function(arg0) { console.log(arg0); },
        __wbg_unused_4567: function() { return handleError(function (arg0) {
            arg0.unused();
        }, arguments); },
        __wbindgen_throw: function(arg0) {
            if (arg0) {
                throw new Error(wasm.memory);
            }
        },
    };
    return {
        __proto__: null,
        \"./payframe_bg.js\": import0,
    };
}
const registry = new FinalizationRegistry(ptr => wasm.__wbg_stream_free(ptr));
const path = 'payframe_bg.wasm';
export { initSync, __wbg_init as default };
";
    const PRINTED: &str = r#"{
        "imports": [["./payframe_bg.js", "__wbg_log_0123", "a"], ["./payframe_bg.js", "__wbindgen_throw", "$"]],
        "exports": [["start", "b"], ["memory", "c"], ["__wbg_stream_free", "d"]]
    }"#;

    #[test]
    fn parts_are_loaded_by_our_loader() -> Result<()> {
        let link = "import { initSync } from \"./payframe.js\";
        const { __indirect_function_table, memory,  } = initSync(undefined, undefined);
export const __wasm_split_load_payment = wrapAsyncCb(makeLoad(() => {}, []));
";
        let glue = format!(
            "import * as import1 from \"./__wasm_split.js\"\n{}",
            GLUE.replace(
                "\"./payframe_bg.js\": import0,",
                "\"./payframe_bg.js\": import0,\n        \"./__wasm_split.js\": import1,"
            )
        );
        let loader = Path::new("/www/chunks.js");
        let loaders = chunk_loaders(link, ["payment"].into_iter(), loader)?;
        let whole = with_chunks(&glue, &loaders)?;
        assert!(whole.starts_with("import { chunkLoader } from \"/www/chunks.js\";\n"));
        assert!(whole.contains("__wasm_split_load_payment: chunkLoader('{{chunk:payment}}', '{{integrity:payment}}', () => ({ __indirect_function_table: wasm.__indirect_function_table, memory: wasm.memory })),"));
        assert!(!whole.contains("import1") && whole.contains("\"./payframe_bg.js\": import0,"));
        assert!(chunk_loaders(link, ["other"].into_iter(), loader).is_err());
        assert!(with_chunks(GLUE, &loaders).is_err());
        Ok(())
    }

    #[test]
    fn used_exports_are_those_that_are_mentioned() {
        let used =
            used_exports("wasm.start(a); x.wasm.memory; awasm.no; 'payframe.wasm'; wasm.$b2");
        assert_eq!(
            used.into_iter().collect::<Vec<_>>(),
            ["$b2", "memory", "start"]
        );
    }

    #[test]
    fn only_used_exports_are_reachable() {
        let graph = reachability(&BTreeSet::from(["memory", "start"]));
        assert_eq!(
            graph,
            r#"[{"name":"outside","reaches":["memory","start"],"root":true},{"export":"memory","name":"memory"},{"export":"start","name":"start"}]"#
        );
    }

    #[test]
    fn short_names_reach_imports_and_exports() -> Result<()> {
        let renamed = Names::parse(PRINTED)?.apply(GLUE)?;
        assert!(renamed.contains("\"a\": function(arg0) { console.log(arg0); },"));
        assert!(
            renamed.contains("\"$\": function(arg0) {")
                && renamed.contains("throw new Error(wasm.c)")
        );
        assert!(renamed.contains("return wasm.b(a);") && renamed.contains("\"a\": import0"));
        assert!(!renamed.contains("__wbg_unused_4567") && !renamed.contains("arg0.unused()"));
        assert!(renamed.contains("__proto__: null,") && renamed.contains("'payframe_bg.wasm'"));
        Ok(())
    }

    #[test]
    fn glue_and_module_that_do_not_belong_together_are_refused() -> Result<()> {
        let names = Names::parse(&PRINTED.replace("__wbg_log_0123", "__wbg_other"))?;
        assert!(names.apply(GLUE).is_err());
        let names = Names::parse(&PRINTED.replace("\"start\"", "\"begin\""))?;
        assert!(names.apply(GLUE).is_err());
        Ok(())
    }
}
