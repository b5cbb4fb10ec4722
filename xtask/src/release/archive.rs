//! Tar archives whose bytes depend on nothing but their content: entries are sorted, times are given, owners are numbers.
//!
//! For layers of images and for Debian packages. What the file system says about files is not read.

use crate::dist::gzip;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use tar::{Builder, EntryType, Header};

/// An archive under construction.
pub(crate) struct Archive {
    /// The time of each entry, in seconds since 1970.
    time: u64,
    entries: BTreeMap<String, Entry>,
}

/// Who owns an entry: user and group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner(pub(crate) u32);

impl Owner {
    /// The system's administrator.
    pub(crate) const ROOT: Owner = Owner(0);
}

struct Entry {
    mode: u32,
    owner: Owner,
    /// `None` for a folder.
    bytes: Option<Vec<u8>>,
}

impl Archive {
    /// An empty archive.
    pub(crate) fn new(time: u64) -> Archive {
        Archive {
            time,
            entries: BTreeMap::new(),
        }
    }

    /// Adds a folder.
    pub(crate) fn folder(&mut self, path: &str, mode: u32, owner: Owner) -> &mut Archive {
        let entry = Entry {
            mode,
            owner,
            bytes: None,
        };
        self.entries.insert(path.to_owned(), entry);
        self
    }

    /// Adds a file, and folders of the administrator above it where there are none.
    pub(crate) fn file(
        &mut self,
        path: &str,
        mode: u32,
        owner: Owner,
        bytes: impl Into<Vec<u8>>,
    ) -> &mut Archive {
        for (end, _) in path.match_indices('/') {
            let folder = Entry {
                mode: 0o755,
                owner: Owner::ROOT,
                bytes: None,
            };
            self.entries.entry(path[..end].to_owned()).or_insert(folder);
        }
        let entry = Entry {
            mode,
            owner,
            bytes: Some(bytes.into()),
        };
        self.entries.insert(path.to_owned(), entry);
        self
    }

    /// The files by their paths.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let files = self.entries.iter();
        files.filter_map(|(path, entry)| Some((path.as_str(), entry.bytes.as_deref()?)))
    }

    /// The sum of the sizes of all files, in bytes.
    pub(crate) fn content_bytes(&self) -> usize {
        let files = self
            .entries
            .values()
            .filter_map(|entry| entry.bytes.as_ref());
        files.map(Vec::len).sum()
    }

    /// The archive. `root` stands in front of each path.
    pub(crate) fn tar(&self, root: &str) -> Result<Vec<u8>> {
        let mut tar = Builder::new(Vec::new());
        for (path, entry) in &self.entries {
            let bytes = entry.bytes.as_deref().unwrap_or_default();
            let mut header = Header::new_ustar();
            header.set_mode(entry.mode);
            header.set_uid(entry.owner.0.into());
            header.set_gid(entry.owner.0.into());
            header.set_mtime(self.time);
            header.set_size(bytes.len() as u64);
            if entry.owner == Owner::ROOT {
                header.set_username("root")?;
                header.set_groupname("root")?;
            }
            let (kind, end) = match entry.bytes {
                Some(_) => (EntryType::Regular, ""),
                None => (EntryType::Directory, "/"),
            };
            header.set_entry_type(kind);
            let whole = format!("{root}{path}{end}");
            set_path(&mut header, &whole)?;
            header.set_cksum();
            tar.append(&header, bytes)?;
        }
        Ok(tar.into_inner()?)
    }

    /// The same, compressed.
    pub(crate) fn tar_gz(&self, root: &str) -> Result<Vec<u8>> {
        gzip(&self.tar(root)?)
    }
}

/// Writes the path as it is. The library's own function takes `./` off its front, with which Debian's archives begin each path.
fn set_path(header: &mut Header, path: &str) -> Result<()> {
    let header = header.as_ustar_mut().context("the header is not ustar")?;
    if path.len() > header.name.len() {
        bail!("{path} is longer than a name in an archive may be");
    }
    header.name[..path.len()].copy_from_slice(path.as_bytes());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_below_their_folders_and_have_no_time_of_their_own() -> Result<()> {
        let make = |names: [&str; 2]| {
            let [first, second] = names;
            Archive::new(86_400)
                .folder("var/data", 0o700, Owner(65_532))
                .file(first, 0o644, Owner::ROOT, first)
                .file(second, 0o644, Owner::ROOT, second)
                .tar("./")
        };
        let bytes = make(["usr/bin/b", "etc/a"])?;
        assert_eq!(bytes, make(["etc/a", "usr/bin/b"])?);
        let mut listing = Vec::new();
        for entry in tar::Archive::new(&bytes[..]).entries()? {
            let entry = entry?;
            let header = entry.header();
            assert_eq!(header.mtime()?, 86_400);
            listing.push(format!(
                "{} {:o} {}",
                String::from_utf8_lossy(&entry.path_bytes()),
                header.mode()?,
                header.uid()?
            ));
        }
        assert_eq!(
            listing,
            [
                "./etc/ 755 0",
                "./etc/a 644 0",
                "./usr/ 755 0",
                "./usr/bin/ 755 0",
                "./usr/bin/b 644 0",
                "./var/data/ 700 65532"
            ]
        );
        Ok(())
    }

    #[test]
    fn a_path_that_does_not_fit_is_refused() {
        let mut archive = Archive::new(0);
        archive.file(&"a".repeat(101), 0o644, Owner::ROOT, "");
        assert!(archive.tar("").is_err());
    }
}
