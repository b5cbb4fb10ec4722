//! The paths of this repository, and which files belong to it.
//!
//! Everything that xtask makes is under the target directory (`target/`, or `CARGO_TARGET_DIR`), except
//! `pkg/` (the output of `wasm-pack`) and `node_modules/`.

use crate::process;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The repository and its target directory.
pub(crate) struct Project {
    /// Root of the checkout.
    pub(crate) root: PathBuf,
    /// Cargo's target directory, absolute.
    pub(crate) target: PathBuf,
}

impl Project {
    /// The checkout that this xtask was compiled from.
    pub(crate) fn locate() -> Result<Project> {
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest
            .parent()
            .context("xtask/ has no parent folder")?
            .to_path_buf();
        if !root.join("Cargo.lock").is_file() {
            bail!(
                "no Cargo.lock in {}: run `cargo xtask` inside the checkout",
                root.display()
            );
        }
        let target = match std::env::var_os("CARGO_TARGET_DIR") {
            Some(dir) => std::path::absolute(PathBuf::from(dir))?,
            None => root.join("target"),
        };
        Ok(Project { root, target })
    }

    /// The finished files that the gateway serves.
    pub(crate) fn dist(&self) -> PathBuf {
        self.target.join("dist")
    }

    /// Where cargo installs the build's own command-line tools.
    pub(crate) fn tools_bin(&self) -> PathBuf {
        self.target.join("tools/bin")
    }

    /// A program that npm installed.
    pub(crate) fn npm_bin(&self, name: &str) -> PathBuf {
        self.root.join("node_modules/.bin").join(name)
    }

    /// PATH with the build's own tools in front.
    pub(crate) fn search_path(&self) -> Result<OsString> {
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let own = [self.tools_bin(), self.root.join("node_modules/.bin")];
        Ok(std::env::join_paths(
            own.into_iter().chain(std::env::split_paths(&inherited)),
        )?)
    }

    /// A command in the root folder that finds the build's own tools first.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Result<Command> {
        let mut command = Command::new(program);
        command
            .current_dir(&self.root)
            .env("PATH", self.search_path()?);
        Ok(command)
    }

    /// Cargo, as if it were called from a shell. Otherwise it would inherit variables that describe xtask's own package from the cargo that
    /// runs this program. A build script reads one of them, so half of the servers would be compiled again.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = Command::new("cargo");
        command.current_dir(&self.root);
        for (name, _) in std::env::vars_os() {
            let own = ["CARGO_MANIFEST_", "CARGO_PKG_"]
                .map(|start| name.to_string_lossy().starts_with(start));
            if own.contains(&true) {
                command.env_remove(name);
            }
        }
        command
    }

    /// Cargo with Clippy as the compiler of this workspace's packages, see [`Project::lint`].
    pub(crate) fn linting_cargo(&self) -> Command {
        let mut command = self.cargo();
        Self::lint(&mut command);
        command
    }

    /// Has a cargo use Clippy as the compiler of this workspace's packages, with warnings denied: one compilation checks them and makes
    /// what the tests run. `cargo clippy` is the same with `cargo check`, and that compiles every dependency a second time.
    pub(crate) fn lint(cargo: &mut Command) {
        cargo
            .env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
            // `cargo clippy` hands over what follows its `--` in this variable.
            .env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings");
    }

    /// A program of this workspace, in cargo's folder of the profile (`debug`, `release`).
    pub(crate) fn binary(&self, profile_dir: &str, name: &str) -> PathBuf {
        self.target.join(profile_dir).join(name)
    }

    /// An empty folder in the target directory.
    pub(crate) fn empty_folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.target.join(name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// All files that belong to the repository: tracked, or new and not ignored. Relative, sorted.
    pub(crate) fn files(&self) -> Result<Vec<PathBuf>> {
        let listing = process::capture(
            Command::new("git")
                .current_dir(&self.root)
                .args(["ls-files", "-z", "--cached", "--others"])
                .arg("--exclude-standard"),
        )
        .context("the list of files comes from git: is it installed, and is this a checkout?")?;
        let names: BTreeSet<PathBuf> = listing
            .split('\0')
            .filter(|name| !name.is_empty())
            .map(PathBuf::from)
            .filter(|name| self.root.join(name).is_file())
            .collect();
        Ok(names.into_iter().collect())
    }
}

/// The version of a package in a `Cargo.lock`. Refuses a package that is missing or locked twice.
pub(crate) fn locked_version(lock: &str, package: &str) -> Result<String> {
    #[derive(serde::Deserialize)]
    struct Lock {
        package: Vec<Locked>,
    }
    #[derive(serde::Deserialize)]
    struct Locked {
        name: String,
        version: String,
    }
    let lock: Lock = toml::from_str(lock).context("Cargo.lock cannot be read")?;
    let mut versions = lock
        .package
        .into_iter()
        .filter(|locked| locked.name == package)
        .map(|locked| locked.version);
    match (versions.next(), versions.next()) {
        (Some(version), None) => Ok(version),
        (None, _) => bail!("Cargo.lock holds no package {package}"),
        (Some(one), Some(other)) => {
            bail!(
                "Cargo.lock holds {package} twice ({one} and {other}); the widget needs exactly one"
            )
        }
    }
}

/// All regular files below a folder, relative to it, sorted.
pub(crate) fn files_below(dir: &Path) -> Result<Vec<PathBuf>> {
    fn walk(dir: &Path, base: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
        for entry in
            std::fs::read_dir(dir).with_context(|| format!("cannot list {}", dir.display()))?
        {
            let path = entry?.path();
            if path.is_dir() {
                walk(&path, base, found)?;
            } else {
                found.push(path.strip_prefix(base)?.to_path_buf());
            }
        }
        Ok(())
    }
    let mut found = Vec::new();
    walk(dir, dir, &mut found)?;
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = "version = 4\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n\n\
        [[package]]\nname = \"syn\"\nversion = \"1.0.1\"\n\n[[package]]\nname = \"syn\"\nversion = \"2.0.1\"\n";

    #[test]
    fn locked_version_of_a_package_is_found() -> Result<()> {
        assert_eq!(locked_version(LOCK, "wasm-bindgen")?, "0.2.130");
        Ok(())
    }

    #[test]
    fn package_that_is_missing_or_locked_twice_is_refused() {
        let refusal = |package| {
            locked_version(LOCK, package)
                .err()
                .map(|problem| problem.to_string())
        };
        assert_eq!(
            refusal("bindgen"),
            Some("Cargo.lock holds no package bindgen".into())
        );
        assert!(refusal("syn").is_some_and(|text| text.contains("1.0.1 and 2.0.1")));
    }

    #[test]
    fn own_lock_names_one_wasm_bindgen() -> Result<()> {
        let project = Project::locate()?;
        let lock = std::fs::read_to_string(project.root.join("Cargo.lock"))?;
        assert!(locked_version(&lock, "wasm-bindgen")?.starts_with("0.2."));
        Ok(())
    }
}
