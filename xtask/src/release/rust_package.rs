//! The archive of the Rust package: the crate, and those of the project that it uses, as a workspace of their own. Cargo reads it as it is unpacked, by a `path`
//! dependency on `packages/rust` in it; no registry has to know the names.

use super::VERSION;
use super::archive::{Archive, Owner};
use super::source::Source;
use crate::process::step;
use crate::project::Project;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Writes the archive into a folder.
pub(crate) fn write(project: &Project, folder: &Path, source: &Source) -> Result<()> {
    step("Rust package", |_| {
        let mut archive = Archive::new(source.time);
        for (name, bytes) in files(project)? {
            archive.file(&name, 0o644, Owner::ROOT, bytes);
        }
        let name = format!("payframe-rust-{VERSION}");
        let packed = archive.tar_gz(&format!("{name}/"))?;
        std::fs::write(folder.join(format!("{name}.tar.gz")), packed)?;
        Ok(())
    })
}

/// The files by their paths in the archive, which are those in the repository.
fn files(project: &Project) -> Result<Vec<(String, Vec<u8>)>> {
    let manifest = std::fs::read_to_string(project.root.join("Cargo.toml"))?;
    let workspace = workspace(&manifest).context("Cargo.toml does not begin with [workspace]")?;
    let mut files = vec![("Cargo.toml".to_owned(), workspace.into_bytes())];
    for name in shipped(&project.files()?) {
        let bytes = std::fs::read(project.root.join(&name))?;
        files.push((name, bytes));
    }
    Ok(files)
}

/// What the project's manifest says of the workspace, with the crates of the archive alone.
fn workspace(manifest: &str) -> Option<String> {
    let (workspace, _) = manifest.split_once("\n[package]\n")?;
    let members: Vec<String> = CRATES.iter().map(|folder| format!("{folder:?}")).collect();
    let is_elsewhere = |line: &str| {
        let path = line.split_once("path = \"").map(|(_, rest)| rest);
        path.is_some_and(|path| {
            !CRATES
                .iter()
                .any(|folder| path.starts_with(&format!("{folder}\"")))
        })
    };
    let mut kept = String::new();
    for line in workspace.lines() {
        if line.starts_with("members = ") {
            kept.push_str(&format!("members = [{}]\n", members.join(", ")));
        } else if !line.starts_with("default-members = ") && !is_elsewhere(line) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    workspace.starts_with("[workspace]").then_some(kept)
}

/// The files that shops need.
fn shipped(files: &[PathBuf]) -> Vec<String> {
    let is_of_crate = |name: &str| {
        ["src/", "examples/", "LICENSE-", "README.md", "Cargo.toml"]
            .iter()
            .any(|start| name.starts_with(start))
    };
    let is_shipped = |name: &String| {
        let mut crates = CRATES
            .iter()
            .filter_map(|folder| name.strip_prefix(folder)?.strip_prefix('/'));
        name.starts_with("LICENSE-") || crates.any(is_of_crate)
    };
    let names = files.iter().map(|file| file.to_string_lossy().into_owned());
    names.filter(is_shipped).collect()
}

/// The package, and the crates of the project that it uses.
const CRATES: [&str; 3] = ["packages/rust", "crates/order-keeper", "crates/money"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::capture;
    use serde_json::Value;

    #[test]
    fn cargo_reads_the_archive_as_a_workspace_of_its_own() -> Result<()> {
        let project = Project::locate()?;
        let folder = project.empty_folder("rust-package")?;
        for (name, bytes) in files(&project)? {
            let file = folder.join(name);
            std::fs::create_dir_all(file.parent().context("a file has a folder")?)?;
            std::fs::write(file, bytes)?;
        }
        let mut cargo = project.cargo();
        let words = [
            "metadata",
            "--offline",
            "--no-deps",
            "--format-version",
            "1",
        ];
        let said = capture(cargo.current_dir(&folder).args(words))?;
        let metadata: Value = serde_json::from_str(&said)?;
        let packages = metadata["packages"].as_array().context("no packages")?;
        let mut names: Vec<_> = packages
            .iter()
            .filter_map(|one| one["name"].as_str())
            .collect();
        names.sort_unstable();
        assert_eq!(
            names,
            ["payframe-money", "payframe-order-keeper", "payframe-server"]
        );
        for package in packages {
            assert_eq!(package["version"], VERSION);
            // Every dependency on a crate of the project is one on a crate of the archive.
            for used in package["dependencies"]
                .as_array()
                .context("no dependencies")?
            {
                if let Some(path) = used["path"].as_str() {
                    assert!(Path::new(path).starts_with(&folder), "{path}");
                }
            }
        }
        Ok(())
    }

    #[test]
    fn the_archive_has_the_sources_and_no_tests() -> Result<()> {
        let names = shipped(&Project::locate()?.files()?);
        for needed in [
            "LICENSE-MIT",
            "packages/rust/Cargo.toml",
            "packages/rust/LICENSE-APACHE",
            "packages/rust/README.md",
            "packages/rust/examples/shop/main.rs",
            "packages/rust/src/lib.rs",
            "crates/money/src/lib.rs",
            "crates/order-keeper/Cargo.toml",
        ] {
            assert!(names.iter().any(|name| name == needed), "{needed}");
        }
        let is_test = |name: &&String| name.contains("/tests/") || name.contains("/tools/");
        assert_eq!(names.iter().find(is_test), None);
        Ok(())
    }
}
