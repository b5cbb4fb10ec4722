//! The widget as a script, for browsers without WebAssembly: lockdown modes, policies that forbid it, engines without a compiler.
//!
//! It is the same program: binaryen's wasm2js writes the linked module as JavaScript. Only a browser that cannot run the module loads it
//! (`www/frame/load-wasm.js`), so its size counts for nobody else.

use crate::glue;
use crate::process::{capture, step};
use crate::project::Project;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;

/// The file's name.
pub(crate) const SCRIPT: &str = "payframe-script.js";

/// Writes [`SCRIPT`] into `out`, from the module that the linker wrote with these features of WebAssembly.
pub(crate) fn build(project: &Project, linked: &Path, features: &[&str], out: &Path) -> Result<()> {
    step(
        "widget: wasm2js, for browsers without WebAssembly",
        |line| {
            let dir = project.target.join("widget-build/script");
            std::fs::create_dir_all(&dir)?;
            let file = |name: &str| dir.join(name);
            let tool = |name: &str, input: &Path| -> Result<Command> {
                let mut command = project.command(project.npm_bin(name))?;
                command.arg(input);
                Ok(command)
            };
            // wasm-bindgen keeps objects in a table of the module if the module says that references may be used, else in an array of
            // the glue. The first step takes away what the module says; the second lowers the code to the first version of WebAssembly.
            let mut strip = tool("wasm-opt", linked)?;
            strip
                .args(features)
                .args(["--strip-target-features", "-g", "-o"]);
            capture(strip.arg(file("stripped.wasm")))?;
            let mut lower = tool("wasm-opt", &file("stripped.wasm"))?;
            lower.args(LOWERED_FEATURES).args(LOWERING).args([
                "--emit-target-features",
                "-g",
                "-o",
            ]);
            capture(lower.arg(file("lowered.wasm")))?;

            let mut bind = project.command("wasm-bindgen")?;
            bind.arg(file("lowered.wasm")).args([
                "--target",
                "bundler",
                "--no-typescript",
                "--keep-lld-exports",
                "--out-name",
                "payframe",
                "--out-dir",
            ]);
            capture(bind.arg(&dir))?;

            let glue = [file("payframe.js"), file("payframe_bg.js")]
                .map(std::fs::read_to_string)
                .into_iter()
                .collect::<Result<String, _>>()?;
            let mut disassemble = tool("wasm-dis", &file("payframe_bg.wasm"))?;
            let text = capture(disassemble.args(features))?;
            let joints = ModuleImports::read(&glue, &split_imports(&text))?;
            let mut exports = glue::used_exports(&glue);
            exports.extend(joints.exports.iter().map(String::as_str));
            std::fs::write(file("reachable.json"), glue::reachability(&exports))?;
            let mut reach = tool("wasm-metadce", &file("payframe_bg.wasm"))?;
            reach
                .arg("--graph-file")
                .arg(file("reachable.json"))
                .arg("-o");
            capture(reach.arg(file("reachable.wasm")))?;
            let mut translate = tool("wasm2js", &file("reachable.wasm"))?;
            translate.args(["-Oz", "--output"]);
            capture(translate.arg(file("translated.js")))?;

            // The output has the name that the glue imports.
            let translated = std::fs::read_to_string(file("translated.js"))?;
            std::fs::write(file("payframe_bg.wasm"), like_a_module(&translated)?)?;
            std::fs::write(file("joints.js"), &joints.script)?;
            std::fs::write(file("entry.js"), ENTRY)?;
            let mut bundle = tool("esbuild", &file("entry.js"))?;
            bundle
                .args(["--bundle", "--format=esm", "--minify", "--target=es2022"])
                .args(["--loader:.wasm=js", "--legal-comments=none"])
                .arg("--log-level=warning")
                .args(JOINED.map(|module| format!("--alias:{module}=./joints.js")));
            let script = capture(bundle.current_dir(&dir))?;
            line.say(&format!("{} bytes", script.len()));
            std::fs::write(out.join(SCRIPT), script).context("the script cannot be written")
        },
    )
}

/// What stands in place of the splitter and of wasm-bindgen's table of objects: the script is one piece, and its objects are in an array.
struct ModuleImports {
    script: String,
    /// What it uses of the module.
    exports: Vec<String>,
}

impl ModuleImports {
    /// `names`: what the module imports from the splitter.
    fn read(glue: &str, names: &[String]) -> Result<ModuleImports> {
        // Objects that are never dropped, from index 1024 on.
        if !glue.contains(FIXED_OBJECTS) {
            bail!("the glue does not hold `{FIXED_OBJECTS}`: has wasm-bindgen changed?");
        }
        let mut script = "import * as module from './payframe_bg.wasm';\n\
            export const __wbindgen_externref_statics_end = () => 1028;\n"
            .to_owned();
        let mut exports = vec![TABLE.to_owned()];
        for name in names {
            if name.starts_with("__wasm_split_load_") {
                script.push_str(&format!(
                    "export const {name} = async (callback, data) => {{\n  \
                       const done = await payframeLoadTexts('$late').then(() => 1, () => 0);\n  \
                       module.{TABLE}[callback](data, done);\n}};\n"
                ));
            } else {
                let export = name.replacen("_import_", "_export_", 1);
                script.push_str(&format!(
                    "export const {name} = (...values) => module.{export}(...values);\n"
                ));
                exports.push(export);
            }
        }
        if exports.len() == 1 || exports.len() == names.len() + 1 {
            bail!(
                "the module has no late part, or none that is loaded: has the splitter changed? {names:?}"
            );
        }
        Ok(ModuleImports { script, exports })
    }
}

/// wasm2js's text with two habits of modules that it lacks. A memory that grows detaches its old buffer, and the glue's views of it
/// notice that. The table is an export of its own, not only a member of the object of exports.
fn like_a_module(translated: &str) -> Result<String> {
    if translated.matches(GROWN).count() != 1 {
        bail!("wasm2js does not grow the memory by `{GROWN}`: has it changed?");
    }
    let detaching = format!("structuredClone(buffer, {{ transfer: [buffer] }}); {GROWN}");
    let translated = translated.replace(GROWN, &detaching);
    Ok(format!(
        "{translated}\nexport var {TABLE} = retasmFunc.{TABLE};\n"
    ))
}

/// The names that the splitter's macro gave to imports: that of each late function, and one that loads each part.
/// `text`: the module in the text format.
fn split_imports(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| {
            let rest = line.trim_start().strip_prefix(SPLIT_IMPORT)?;
            Some(rest.split_once('"')?.0.to_owned())
        })
        .collect()
}

/// What the code may have before it is lowered.
const LOWERED_FEATURES: [&str; 6] = [
    "--mvp-features",
    "--enable-mutable-globals",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
];

/// Passes that replace instructions newer than the first version of WebAssembly by older ones.
const LOWERING: [&str; 3] = [
    "--llvm-memory-copy-fill-lowering",
    "--llvm-nontrapping-fptoint-lowering",
    "--signext-lowering",
];

/// How the glue's array of objects begins.
const FIXED_OBJECTS: &str = "let heap = new Array(1024).fill(undefined);
heap.push(undefined, null, true, false);";

const TABLE: &str = "__indirect_function_table";

/// Where wasm2js's text takes a larger buffer into use.
const GROWN: &str = "buffer = newBuffer;";

const SPLIT_IMPORT: &str = "(import \"__wasm_split_placeholder__\" \"";

/// The modules that [`ModuleImports`] stand in for.
const JOINED: [&str; 2] = ["__wasm_split_placeholder__", "__wbindgen_externref_xform__"];

/// Has the shape of the module's glue. Whoever imports it has started the program, so there is nothing left for the function that does.
const ENTRY: &str = "export * from './payframe.js';
export default async () => {};
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_functions_are_called_and_parts_are_there_at_once() -> Result<()> {
        let text = r#"(module
 (import "./payframe_bg.js" "__wbg_value" (func $f0 (param i32)))
 (import "__wasm_split_placeholder__" "__wasm_split_00late00_import_ab_chunk" (func $f1 (param i32) (result i32)))
 (import "__wasm_split_placeholder__" "__wasm_split_load_late" (func $f2 (param i32 i32)))
)"#;
        let names = split_imports(text);
        assert_eq!(
            names,
            [
                "__wasm_split_00late00_import_ab_chunk",
                "__wasm_split_load_late"
            ]
        );
        let joints = ModuleImports::read(FIXED_OBJECTS, &names)?;
        assert_eq!(
            joints.exports,
            [TABLE, "__wasm_split_00late00_export_ab_chunk"]
        );
        assert!(
            joints
                .script
                .contains("module.__wasm_split_00late00_export_ab_chunk(...values)")
        );
        assert!(
            joints
                .script
                .contains("export const __wasm_split_load_late")
        );
        Ok(())
    }

    #[test]
    fn grown_memory_detaches_the_buffer_that_it_had() -> Result<()> {
        let text = like_a_module("function grow() {\n      buffer = newBuffer;\n}")?;
        let (detached, taken) = (
            text.find("structuredClone("),
            text.find("buffer = newBuffer"),
        );
        assert!(detached.is_some() && detached < taken, "{text}");
        assert!(like_a_module("buffer = bigger;").is_err());
        Ok(())
    }

    #[test]
    fn module_without_late_parts_is_no_input() {
        assert!(ModuleImports::read(FIXED_OBJECTS, &[]).is_err());
        assert!(
            ModuleImports::read(FIXED_OBJECTS, &["__wasm_split_load_late".to_owned()]).is_err()
        );
        assert!(
            ModuleImports::read("let heap = [];", &["__wasm_split_load_late".to_owned()]).is_err()
        );
    }
}
