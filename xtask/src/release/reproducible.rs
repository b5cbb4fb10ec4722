//! Whether a release depends on nothing but its commit: it is made again in a clone in another folder, and each file is compared.

use super::Machine;
use crate::dist::hex_digest;
use crate::process::capture;
use crate::project::{Project, files_below};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;

/// Makes the release of the same commit again, and fails if a file of `folder` differs. Tools are not installed again.
pub(crate) fn check(project: &Project, machines: &[Machine], folder: &Path) -> Result<()> {
    let git = |words: &[&str]| {
        let mut git = Command::new("git");
        capture(git.current_dir(&project.root).args(words))
    };
    if !git(&["status", "--porcelain"])?.is_empty() {
        bail!("there are changes that are not committed: a clone would not have them");
    }
    let clone = project.empty_folder("release-again")?.join("payframe");
    let path = clone
        .to_str()
        .context("the path of the checkout is no text")?;
    git(&["clone", "--quiet", "--no-hardlinks", ".", path])?;
    let again = Project {
        target: clone.join("target"),
        root: clone,
    };
    std::fs::create_dir_all(&again.target)?;
    std::os::unix::fs::symlink(project.target.join("tools"), again.target.join("tools"))?;
    let second = super::make(&again, machines)?;
    let differing = differences(folder, &second)?;
    if differing.is_empty() {
        println!(
            "the release is the same, byte for byte, when it is made in {}",
            again.root.display()
        );
        return Ok(());
    }
    bail!(
        "made again in {}, these files differ: {}",
        again.root.display(),
        differing.join(", ")
    )
}

/// The files that are not the same in both folders. Signatures are not compared: the second release has none.
fn differences(one: &Path, other: &Path) -> Result<Vec<String>> {
    let mut names = files_below(one)?;
    names.extend(files_below(other)?);
    names.sort();
    names.dedup();
    let digest = |path: &Path| std::fs::read(path).ok().map(|bytes| hex_digest(&bytes));
    let differs = |name: &&std::path::PathBuf| digest(&one.join(name)) != digest(&other.join(name));
    let unsigned = names
        .iter()
        .filter(|name| name.extension().is_none_or(|end| end != "sig"));
    Ok(unsigned
        .filter(differs)
        .map(|name| name.display().to_string())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_differ_or_are_in_one_folder_only_are_named() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        for (folder, name, text) in [
            (&one, "same", "a"),
            (&other, "same", "a"),
            (&one, "changed", "a"),
            (&other, "changed", "b"),
            (&one, "alone", "a"),
            (&one, "SHA256SUMS.sig", "a"),
        ] {
            std::fs::create_dir_all(folder)?;
            std::fs::write(folder.join(name), text)?;
        }
        assert_eq!(differences(&one, &other)?, ["alone", "changed"]);
        assert!(differences(&one, &one)?.is_empty());
        Ok(())
    }
}
