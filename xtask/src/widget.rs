//! Compiles the widget to WebAssembly and makes it small: late parts in chunks of their own, wasm-opt, short import names,
//! minified glue; for a release with the standard library rebuilt for size. Does nothing if the inputs did not change.
//!
//! Rebuilding the library needs its source, and compiler switches that are not stable. They are used only for what is about a release,
//! and only with the compiler that Cargo.toml names; otherwise the widget has the ready-made library and is ten kilobytes larger.

use crate::dist::hex_digest;
use crate::glue::{self, Names};
use crate::process::{capture, step};
use crate::project::{Project, files_below};
use crate::script_widget::{self, SCRIPT};
use crate::setup::{StdSource, WASM_TARGET};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The widget as it ships.
pub(crate) struct Widget {
    /// The path of the glue, which is bundled with the other code of a live form.
    pub(crate) glue_file: PathBuf,
    pub(crate) glue: Vec<u8>,
    pub(crate) wasm: Vec<u8>,
    /// The path of the same program as a script, for browsers without WebAssembly ([`script_widget`]).
    pub(crate) script_file: PathBuf,
    pub(crate) script: Vec<u8>,
    /// The parts that are loaded after the form is live: the parts of the module by name.
    pub(crate) chunks: BTreeMap<String, Vec<u8>>,
}

/// Which standard library the widget is linked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Library {
    /// Compiled with the widget, for size.
    Rebuilt,
    /// As rustup delivers it: works with any stable toolchain.
    ReadyMade,
}

impl Library {
    /// Rebuilt by the compiler that Cargo.toml names for it, if the library's source is there; else ready-made.
    pub(crate) fn choose(project: &Project, std_source: StdSource) -> Result<Library> {
        let manifest = std::fs::read_to_string(project.root.join("Cargo.toml"))?;
        let compiler = capture(Command::new("rustc").arg("--version"))?;
        let pinned = may_rebuild(&manifest, &compiler)?;
        if !pinned {
            println!(
                "widget: {} is not the compiler of `{PINNED}` in Cargo.toml; the ready-made standard library makes the widget larger",
                compiler.trim()
            );
        }
        Ok(match (std_source, pinned) {
            (StdSource::Present, true) => Library::Rebuilt,
            (StdSource::Absent, _) | (_, false) => Library::ReadyMade,
        })
    }
}

/// Whether the manifest allows this compiler (as it prints its version) to rebuild the standard library.
fn may_rebuild(manifest: &str, compiler: &str) -> Result<bool> {
    let manifest: toml::Value = toml::from_str(manifest).context("Cargo.toml cannot be read")?;
    let mut entry = Some(&manifest);
    for name in PINNED.split('.') {
        entry = entry.and_then(|table| table.get(name));
    }
    let Some(version) = entry else {
        return Ok(false);
    };
    let version = version
        .as_str()
        .with_context(|| format!("`{PINNED}` in Cargo.toml must be a version, such as \"1.95\""))?;
    Ok(compiler.starts_with(&format!("rustc {version}.")))
}

/// The finished widget, compiled again if any input changed.
pub(crate) fn build(project: &Project, library: Library) -> Result<Widget> {
    let out = project.target.join("widget-build/out");
    let stamp = input_stamp(project, library)?;
    let stamp_file = out.join("stamp");
    if std::fs::read_to_string(&stamp_file).is_ok_and(|text| text == stamp) {
        println!("widget: unchanged");
    } else {
        // An incomplete build must not look like a complete one.
        let _ = std::fs::remove_file(&stamp_file);
        std::fs::create_dir_all(&out)?;
        let used = compile_or_fall_back(project, library)?;
        split(project)?;
        shrink(project, &out)?;
        script_widget::build(project, &linked(project), &WASM_FEATURES, &out)?;
        if used == library {
            std::fs::write(&stamp_file, stamp)?;
        }
    }
    Ok(Widget {
        glue: std::fs::read(out.join(GLUE))?,
        glue_file: out.join(GLUE),
        wasm: std::fs::read(out.join(WASM))?,
        script: std::fs::read(out.join(SCRIPT))?,
        script_file: out.join(SCRIPT),
        chunks: chunk_files(&out)?,
    })
}

/// The parts in a folder by name: the splitter writes each into `split_NAME.wasm`.
fn chunk_files(dir: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut chunks = BTreeMap::new();
    for file in files_below(dir)? {
        let name = file.to_str().and_then(|file| file.strip_prefix("split_"));
        if let Some(name) = name.and_then(|file| file.strip_suffix(".wasm")) {
            chunks.insert(name.to_owned(), std::fs::read(dir.join(&file))?);
        }
    }
    Ok(chunks)
}

fn compile_or_fall_back(project: &Project, library: Library) -> Result<Library> {
    let problem = match compile(project, library) {
        Ok(()) => return Ok(library),
        Err(problem) => problem,
    };
    let own_fault = problem.to_string().contains("could not compile `payframe");
    if library == Library::ReadyMade || own_fault {
        return Err(problem);
    }
    println!("{problem:#}");
    println!("widget: the standard library could not be rebuilt; building with the ready-made one");
    compile(project, Library::ReadyMade)?;
    Ok(Library::ReadyMade)
}

/// The file that the linker wrote.
fn linked(project: &Project) -> PathBuf {
    let dir = project.target.join("widget-build").join(WASM_TARGET);
    dir.join("widget/payframe_module.wasm")
}

/// Compiles and links the widget.
fn compile(project: &Project, library: Library) -> Result<()> {
    let how = match library {
        Library::Rebuilt => "with the standard library rebuilt for size",
        Library::ReadyMade => "with the ready-made standard library",
    };
    step(&format!("widget: wasm-pack build, {how}"), |_| {
        let mut command = project.command("wasm-pack")?;
        command
            .args([
                "build",
                "--target",
                "web",
                "--mode",
                "no-install",
                "--no-opt",
            ])
            .args(["--no-pack", "--no-typescript", "--no-gitignore"])
            .args(["--profile", "widget", "--out-name", "payframe", "--out-dir"])
            .arg(project.root.join("pkg"))
            .args(["crates/module", "--", "--locked"])
            .env("CARGO_TARGET_DIR", project.target.join("widget-build"))
            .env(
                "CARGO_ENCODED_RUSTFLAGS",
                rust_flags(project, library).join("\u{1f}"),
            )
            .env_remove("RUSTFLAGS");
        if library == Library::Rebuilt {
            command.args(BUILD_STD).env("RUSTC_BOOTSTRAP", "1");
        }
        capture(&mut command).map(drop)
    })
}

/// Compiler switches: optimise for size, and leave no path of this machine in the output.
fn rust_flags(project: &Project, library: Library) -> Vec<String> {
    let mut flags = vec![format!("--remap-path-prefix={}=.", project.root.display())];
    let cargo_home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    if let Some(home) = cargo_home {
        flags.push(format!("--remap-path-prefix={}=cargo", home.display()));
    }
    if library == Library::Rebuilt {
        flags.extend(SIZE_FLAGS.map(String::from));
    }
    // The splitter moves code by the linker's own notes. The script for browsers without WebAssembly calls functions by the table.
    flags.push("-Clink-args=--emit-relocs --export-table".to_owned());
    flags
}

/// Cuts the late parts out of the module (`src/late.rs`), and makes the glue of what is left.
fn split(project: &Project) -> Result<()> {
    step("widget: wasm-split-cli and wasm-bindgen", |_| {
        let built = project.target.join("widget-build");
        let parts = built.join("split");
        // A part that does not exist any more must not stay.
        let _ = std::fs::remove_dir_all(&parts);
        let mut command = project.command("wasm-split-cli")?;
        command
            .args(["--target", "web", "--out-name", "payframe"])
            .arg(linked(project))
            .arg(&parts);
        capture(&mut command)?;
        let mut command = project.command("wasm-bindgen")?;
        command
            .arg(parts.join("payframe.wasm"))
            .args([
                "--target",
                "web",
                "--no-typescript",
                "--keep-lld-exports",
                "--out-name",
                "payframe",
            ])
            .arg("--out-dir")
            .arg(project.root.join("pkg"));
        capture(&mut command)?;
        Ok(())
    })
}

/// Turns wasm-pack's output into what ships: unused parts removed, code optimised, names shortened on both sides.
fn shrink(project: &Project, out: &Path) -> Result<()> {
    step("widget: wasm-opt and esbuild", |line| {
        let pkg = project.root.join("pkg");
        let built_glue = std::fs::read_to_string(pkg.join(GLUE))?;
        let parts = project.target.join("widget-build/split");
        let link = std::fs::read_to_string(parts.join(LINK))?;
        let chunks = chunk_files(&parts)?;
        let loader = project.root.join("www/frame/chunks.js");
        let loaders = glue::chunk_loaders(&link, chunks.keys().map(String::as_str), &loader)?;
        let lean = glue::with_chunks(&built_glue, &loaders)?;
        let whole = bundle(project, out, &lean, &[])?;
        let exports = glue::used_exports(&whole);

        let graph = out.join("reachable.json");
        std::fs::write(&graph, glue::reachability(&exports))?;
        let reachable = out.join("reachable.wasm");
        let mut command = project.command(project.npm_bin("wasm-metadce"))?;
        command
            .arg(pkg.join(WASM))
            .args(WASM_FEATURES)
            .arg("--graph-file")
            .arg(graph)
            .arg("-o")
            .arg(&reachable);
        capture(&mut command)?;
        let mut command = project.command(project.npm_bin("wasm-opt"))?;
        command
            .arg(&reachable)
            .args(WASM_FEATURES)
            .args(WASM_PASSES)
            .arg("--minify-imports-and-exports-and-modules")
            .arg("-o")
            .arg(out.join(WASM));
        let names = Names::parse(&capture(&mut command)?)?;
        for name in chunks.keys() {
            let file = format!("split_{name}.wasm");
            let mut command = project.command(project.npm_bin("wasm-opt"))?;
            command
                .arg(parts.join(&file))
                .args(WASM_FEATURES)
                .args(WASM_PASSES)
                .arg("-o")
                .arg(out.join(&file));
            capture(&mut command)?;
        }

        let minified = bundle(project, out, &names.apply(&whole)?, &["--minify"])?;
        std::fs::write(out.join(GLUE), &minified)?;
        let size = |path: PathBuf| std::fs::metadata(path).map(|file| file.len());
        line.say(&format!(
            "module {} bytes to {}",
            size(pkg.join(WASM))?,
            size(out.join(WASM))?
        ));
        line.say(&format!("glue {} to {}", built_glue.len(), minified.len()));
        Ok(())
    })
}

/// The script without the parts that its exports do not use.
fn bundle(project: &Project, out: &Path, script: &str, options: &[&str]) -> Result<String> {
    let source = out.join("glue.mjs");
    std::fs::write(&source, script)?;
    let mut command = project.command(project.npm_bin("esbuild"))?;
    command
        .arg(&source)
        .args(["--bundle", "--format=esm", "--target=es2022"])
        .args(["--legal-comments=none", "--log-level=warning"])
        .args(options);
    capture(&mut command)
}

/// A hash of everything that decides the content of the widget.
fn input_stamp(project: &Project, library: Library) -> Result<String> {
    let compiler = capture(Command::new("rustc").arg("-vV"))?;
    let mut inputs = format!(
        "{library:?}\n{compiler}\n{}\n",
        concat!(
            include_str!("widget.rs"),
            include_str!("glue.rs"),
            include_str!("script_widget.rs")
        )
    );
    let mut add = |path: &Path| -> Result<()> {
        let bytes = std::fs::read(project.root.join(path))
            .with_context(|| format!("{} is missing", path.display()))?;
        inputs.push_str(&format!("{} {}\n", path.display(), hex_digest(&bytes)));
        Ok(())
    };
    for file in [
        "Cargo.toml",
        "Cargo.lock",
        "package-lock.json",
        "www/frame/chunks.js",
        "www/frame/choices.css",
        "www/frame/late.css",
    ] {
        add(Path::new(file))?;
    }
    for dir in [
        "src",
        "crates/card-rules",
        "crates/checkout-flow",
        "crates/protocol",
        "crates/module",
        "crates/paste",
        "crates/streams",
    ] {
        for file in files_below(&project.root.join(dir))? {
            add(&Path::new(dir).join(file))?;
        }
    }
    Ok(hex_digest(inputs.as_bytes()))
}

const GLUE: &str = "payframe.js";
const WASM: &str = "payframe_bg.wasm";
/// The splitter's own loader: it contains the list of items that the parts share with the module.
const LINK: &str = "__wasm_split.js";

/// The entry of Cargo.toml with the compiler that rebuilds the standard library.
const PINNED: &str = "workspace.metadata.widget.rebuilds-std";
const SIZE_FLAGS: [&str; 4] = [
    "-Zunstable-options",
    "-Cpanic=immediate-abort",
    "-Zlocation-detail=none",
    "-Zfmt-debug=none",
];
const BUILD_STD: [&str; 4] = [
    "-Z",
    "build-std=std,panic_abort",
    "-Z",
    "build-std-features=optimize_for_size",
];
/// The features that Rust 1.95 enables for the wasm target. Every browser of the last years has them.
const WASM_FEATURES: [&str; 8] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-call-indirect-overlong",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];
/// Chosen by tests with the widget itself; the size after brotli decides. No pass may assume that traps never
/// happen: a panic is a trap, and the page has to notice it.
const WASM_PASSES: [&str; 8] = [
    "--flatten",
    "--rereloop",
    "-Oz",
    "-Oz",
    // Addresses below 1024 are at the far end of the stack.
    "--low-memory-unused",
    "--strip-debug",
    "--strip-producers",
    "--strip-target-features",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_named_compiler_rebuilds_the_standard_library() -> Result<()> {
        let manifest = "[workspace.metadata.widget]\nrebuilds-std = \"1.95\"";
        assert!(may_rebuild(
            manifest,
            "rustc 1.95.0 (59807616e 2026-04-14)\n"
        )?);
        assert!(may_rebuild(
            manifest,
            "rustc 1.95.1 (59807616e 2026-04-14)\n"
        )?);
        assert!(!may_rebuild(
            manifest,
            "rustc 1.96.0 (59807616e 2026-05-28)\n"
        )?);
        assert!(!may_rebuild(manifest, "rustc 1.950.0\n")?);
        assert!(!may_rebuild("[workspace]", "rustc 1.95.0\n")?);
        assert!(may_rebuild(&manifest.replace('"', ""), "rustc 1.95.0\n").is_err());
        Ok(())
    }
}
