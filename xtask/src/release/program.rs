//! Compiles the gateway for a kind of machine, with the built widget inside.

use super::Machine;
use crate::process::{run as run_loudly, step};
use crate::project::Project;
use crate::setup;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Compiles the gateway and returns the path of the program. `tools` is the folder of cargo-zigbuild and zig.
pub(crate) fn compile(project: &Project, tools: &Path, machine: Machine) -> Result<PathBuf> {
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
    let mut folders = vec![(project.root.as_path(), "/payframe"), (&home, "/cargo")];
    if !project.target.starts_with(&project.root) {
        folders.push((&project.target, "/payframe/target"));
    }
    let flags: Vec<String> = folders
        .into_iter()
        .map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display()))
        .collect();
    Ok(flags.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_of_the_build_has_another_name_in_the_program() -> Result<()> {
        let flags = |root: &str, target: &str| {
            remapped(&Project {
                root: root.into(),
                target: target.into(),
            })
        };
        let inside = flags("/home/a/payframe", "/home/a/payframe/target")?;
        assert!(
            inside.starts_with("--remap-path-prefix=/home/a/payframe=/payframe "),
            "{inside}"
        );
        assert!(inside.ends_with("=/cargo"), "{inside}");
        let outside = flags("/home/a/payframe", "/var/target")?;
        assert!(
            outside.ends_with(" --remap-path-prefix=/var/target=/payframe/target"),
            "{outside}"
        );
        Ok(())
    }
}
