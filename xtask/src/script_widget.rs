//! The widget as a script, for browsers without WebAssembly: lockdown modes, policies that forbid it, engines without a compiler.
//!
//! It is the same program: binaryen's wasm2js writes it as JavaScript. Only a browser that cannot run the module loads it
//! (`www/frame/load-wasm.js`), so its size is no cost for other browsers.

use crate::glue;
use crate::process::{capture, step};
use crate::project::Project;
use crate::widget::{self, Library, Output, SCRIPT, WASM_FEATURES};
use anyhow::{Context, Result};
use std::path::Path;
use std::process::Command;

/// Writes [`SCRIPT`] into `out`.
pub(crate) fn build(project: &Project, out: &Path, library: Library) -> Result<()> {
    widget::compile(project, library, Output::Script)?;
    step(
        "widget: wasm2js, for browsers without WebAssembly",
        |line| {
            let dir = Output::Script.dir(project);
            let file = |name: &str| dir.join(name);
            let tool = |name: &str, input: &Path| -> Result<Command> {
                let mut command = project.command(project.npm_bin(name))?;
                command.arg(input);
                Ok(command)
            };
            // The ready-made standard library declares the feature of references, and wasm-bindgen then uses it. The first step removes the
            // declared features of the module; the second lowers the code to the first version of WebAssembly and declares that.
            let mut strip = tool("wasm-opt", &Output::Script.linked(project))?;
            strip
                .args(WASM_FEATURES)
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
                "--out-name",
                "payframe",
                "--out-dir",
            ]);
            capture(bind.arg(&dir))?;

            let glue = [file("payframe.js"), file("payframe_bg.js")]
                .map(std::fs::read_to_string)
                .into_iter()
                .collect::<Result<String, _>>()?;
            std::fs::write(
                file("reachable.json"),
                glue::reachability(&glue::used_exports(&glue)),
            )?;
            let mut reach = tool("wasm-metadce", &file("payframe_bg.wasm"))?;
            reach
                .arg("--graph-file")
                .arg(file("reachable.json"))
                .arg("-o");
            capture(reach.arg(file("reachable.wasm")))?;
            // The output has the name that the glue imports.
            let mut translate = tool("wasm2js", &file("reachable.wasm"))?;
            translate.args(["-Oz", "--output"]);
            capture(translate.arg(file("payframe_bg.wasm")))?;

            std::fs::write(file("entry.js"), ENTRY)?;
            let mut bundle = tool("esbuild", &file("entry.js"))?;
            bundle.args(["--bundle", "--format=esm", "--minify", "--target=es2022"]);
            bundle.args([
                "--loader:.wasm=js",
                "--legal-comments=none",
                "--log-level=warning",
            ]);
            let script = capture(&mut bundle)?;
            line.say(&format!("{} bytes", script.len()));
            std::fs::write(out.join(SCRIPT), script).context("the script can not be written")
        },
    )
}

/// The features that the code may use before it is lowered.
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

/// Has the same exports as the module's glue. The import itself starts the program, so the initialiser has nothing to do.
const ENTRY: &str = "export * from './payframe.js';
export default async () => {};
";
