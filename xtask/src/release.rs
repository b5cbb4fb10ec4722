//! `cargo xtask release`: the files that operators download, one program for each kind of machine.
//!
//! A program is linked statically (musl), and the built widget is inside it: it needs no other file. `zig` compiles and links the C code of
//! its libraries for every target, so no cross compilers of the system are needed.

use crate::build::{self, Wanted};
use crate::dist::hex_digest;
use crate::process::{run as run_loudly, step};
use crate::project::Project;
use crate::python::Environment;
use crate::setup;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// A kind of machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Machine {
    /// 64-bit x86.
    #[value(name = "x86_64")]
    X86,
    /// 64-bit ARM.
    #[value(name = "aarch64")]
    Arm,
}

impl Machine {
    fn name(self) -> &'static str {
        match self {
            Machine::X86 => "x86_64",
            Machine::Arm => "aarch64",
        }
    }

    fn target(self) -> String {
        format!("{}-unknown-linux-musl", self.name())
    }
}

/// Builds the programs for these machines (all unless some are named) and writes them with their checksums into the folder
/// `target/release-files`.
pub(crate) fn run(project: &Project, machines: &[Machine]) -> Result<()> {
    let machines = match machines {
        [] => &[Machine::X86, Machine::Arm][..],
        named => named,
    };
    build::build(project, Wanted::Smallest)?;
    let tools = Environment {
        name: "release",
        tools: "cargo-zigbuild and zig",
        requirements: "xtask/release-requirements.txt",
    }
    .set_up(project)?;
    let folder = project.empty_folder("release-files")?;
    let mut files = Vec::new();
    for machine in machines {
        let program = program(project, &tools, *machine)?;
        let name = format!(
            "payframe-gateway-{}-{}-linux",
            env!("CARGO_PKG_VERSION"),
            machine.name()
        );
        std::fs::copy(&program, folder.join(&name))
            .with_context(|| format!("cannot copy {}", program.display()))?;
        files.push(name);
    }
    std::fs::write(folder.join("SHA256SUMS"), checksums(&folder, &files)?)?;
    println!("{}:", folder.display());
    for file in &files {
        let size = std::fs::metadata(folder.join(file))?.len();
        println!("  {file} ({:.1} MB)", size as f64 / 1_000_000.0);
    }
    println!("  SHA256SUMS");
    Ok(())
}

/// Compiles the gateway for a machine and returns the path of the program.
fn program(project: &Project, tools: &Path, machine: Machine) -> Result<PathBuf> {
    let target = machine.target();
    setup::rust_target(&target)?;
    let folder = project.target.join("release-build");
    step(&format!("cargo zigbuild for {target}\n"), |_| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(
            std::iter::once(tools.to_owned()).chain(std::env::split_paths(&path)),
        )?;
        run_loudly(
            project
                .cargo()
                .args(["zigbuild", "--locked", "--release"])
                .args(["--package", "payframe-gateway"])
                .args(["--bin", "payframe-gateway"])
                .args(["--features", "embedded-widget"])
                .args(["--target", &target])
                .env("PATH", path)
                .env("CARGO_TARGET_DIR", &folder)
                .env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
                .env("CARGO_INCREMENTAL", "0")
                .env("PAYFRAME_EMBEDDED_DIST", project.dist())
                // No path of the machine that builds is in the program.
                .env("RUSTFLAGS", remapped(project)?),
        )
    })?;
    Ok(folder.join(target).join("release/payframe-gateway"))
}

fn remapped(project: &Project) -> Result<String> {
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
        .context("there is no home folder")?;
    Ok(format!(
        "--remap-path-prefix={}=/payframe --remap-path-prefix={}=/cargo",
        project.root.display(),
        home.display()
    ))
}

/// As `sha256sum` writes them, so that `sha256sum --check` reads them.
fn checksums(folder: &Path, files: &[String]) -> Result<String> {
    let mut lines = String::new();
    for file in files {
        let digest = hex_digest(&std::fs::read(folder.join(file))?);
        lines.push_str(&format!("{digest}  {file}\n"));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_that_sha256sum_reads() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("payframe-sums-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("a"), "abc")?;
        let lines = checksums(&folder, &["a".to_owned()])?;
        std::fs::remove_dir_all(folder)?;
        assert_eq!(
            lines,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n"
        );
        Ok(())
    }
}
