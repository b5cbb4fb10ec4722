//! The scripts of earlier releases: pages may have pinned them by their hashes, and forms that are open load further parts of theirs.
//!
//! Each release is a folder that is named after it, with the files whose addresses contain a release or a hash.

use super::{Dist, DistError, DistFiles, Manifest, check_script};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Writes the scripts of a release into its folder below `folder`, unless it is there. The folder appears complete or not at all.
pub(super) fn keep(dist: &Dist, folder: &Path) -> io::Result<()> {
    let kept = folder.join(dist.release());
    if kept.exists() {
        return Ok(());
    }
    let unfinished = folder.join(format!("{UNFINISHED}{}", std::process::id()));
    if unfinished.exists() {
        // Of a process that was killed: in a container each has the same id.
        std::fs::remove_dir_all(&unfinished)?;
    }
    for (path, content) in dist.files().iter().filter(|(path, _)| is_kept(path)) {
        let file = unfinished.join(path);
        std::fs::create_dir_all(file.parent().unwrap_or(&unfinished))?;
        std::fs::write(file, content)?;
    }
    match std::fs::rename(&unfinished, &kept) {
        // Another process of the same release was quicker.
        Err(_) if kept.exists() => std::fs::remove_dir_all(&unfinished),
        renamed => renamed,
    }
}

/// The releases below `folder` but the current one, newest first. One that is not whole is left out, with a warning.
pub(super) fn earlier(folder: &Path, current: &str) -> io::Result<Vec<DistFiles>> {
    let entries = match std::fs::read_dir(folder) {
        Err(problem) if problem.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name == current || name.starts_with(UNFINISHED) || !entry.path().is_dir() {
            continue;
        }
        match load(&entry.path()) {
            Ok(files) => found.push((entry.metadata()?.modified()?, files)),
            Err(problem) => tracing::warn!(release = name, %problem, "a release is not served"),
        }
    }
    found.sort_by_key(|(written, _)| std::cmp::Reverse(*written));
    Ok(found.into_iter().map(|(_, files)| files).collect())
}

fn load(folder: &Path) -> Result<DistFiles, DistError> {
    let files = DistFiles::of_folder(folder)?;
    for script in Manifest::of(&files)?.scripts.into_values() {
        check_script(&files, &script.release_path, &script.integrity)?;
    }
    Ok(files)
}

/// Whether a file of a dist has an address that contains its release or its hash.
pub(super) fn is_kept(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    matches!(parts[..], ["manifest.json"] | ["sdk", _, _] | ["assets", _])
}

const UNFINISHED: &str = "unfinished-";
