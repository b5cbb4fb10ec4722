//! Zip archives, as WordPress takes plug-ins: the files of an [`Archive`], deflated, with one time for all.
//!
//! Its bytes depend on nothing but the content. There are no folders in it, because file names are enough for every reader.

use super::archive::Archive;
use anyhow::{Context, Result};
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use std::io::Write;

/// The archive. `root` stands in front of each path.
pub(crate) fn zip(archive: &Archive, root: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    let mut count: u16 = 0;
    for (path, content) in archive.files() {
        let name = format!("{root}{path}");
        let header = header(&name, content)?;
        let start = u32::try_from(bytes.len()).context(TOO_LARGE)?;
        bytes.extend_from_slice(b"PK\x03\x04");
        bytes.extend_from_slice(&header.fields);
        bytes.extend_from_slice(name.as_bytes());
        bytes.extend_from_slice(&header.deflated);
        // Made by a Unix system, which alone says that the modes are those of files.
        directory.extend_from_slice(b"PK\x01\x02");
        directory.extend_from_slice(&((3 << 8) | VERSION).to_le_bytes());
        directory.extend_from_slice(&header.fields);
        // No comment, disk 0, no internal attributes.
        directory.extend_from_slice(&[0; 6]);
        directory.extend_from_slice(&(REGULAR_FILE << 16).to_le_bytes());
        directory.extend_from_slice(&start.to_le_bytes());
        directory.extend_from_slice(name.as_bytes());
        count = count.checked_add(1).context(TOO_LARGE)?;
    }
    let start = u32::try_from(bytes.len()).context(TOO_LARGE)?;
    let size = u32::try_from(directory.len()).context(TOO_LARGE)?;
    bytes.extend_from_slice(&directory);
    bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    bytes.extend_from_slice(&count.to_le_bytes());
    bytes.extend_from_slice(&count.to_le_bytes());
    bytes.extend_from_slice(&size.to_le_bytes());
    bytes.extend_from_slice(&start.to_le_bytes());
    bytes.extend_from_slice(&[0; 2]);
    Ok(bytes)
}

struct Header {
    /// What the header of a file and its entry in the directory share.
    fields: Vec<u8>,
    deflated: Vec<u8>,
}

fn header(name: &str, content: &[u8]) -> Result<Header> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    let deflated = encoder.finish()?;
    let mut crc = Crc::new();
    crc.update(content);
    let mut fields = Vec::new();
    for field in [VERSION, NAMES_ARE_UTF8, DEFLATED, MIDNIGHT, FIRST_DAY] {
        fields.extend_from_slice(&field.to_le_bytes());
    }
    fields.extend_from_slice(&crc.sum().to_le_bytes());
    for length in [deflated.len(), content.len()] {
        fields.extend_from_slice(&u32::try_from(length).context(TOO_LARGE)?.to_le_bytes());
    }
    fields.extend_from_slice(&u16::try_from(name.len()).context(TOO_LARGE)?.to_le_bytes());
    // No extra fields.
    fields.extend_from_slice(&[0; 2]);
    Ok(Header { fields, deflated })
}

/// 2.0, which a reader needs for deflated files.
const VERSION: u16 = 20;
const NAMES_ARE_UTF8: u16 = 1 << 11;
const DEFLATED: u16 = 8;
const MIDNIGHT: u16 = 0;
/// 1 January 1980, with which the times of this form begin. They have no time zone, so that no other time would be exact.
const FIRST_DAY: u16 = (1 << 5) | 1;
/// Readable by everybody, writable by the owner.
const REGULAR_FILE: u32 = 0o100_644;
const TOO_LARGE: &str = "the content is too large for this form of a zip archive";

#[cfg(test)]
mod tests {
    use super::super::archive::Owner;
    use super::*;
    use std::process::Command;

    #[test]
    fn python_reads_what_was_written() -> Result<()> {
        let long = "a line\n".repeat(10_000);
        let mut archive = Archive::new(86_400);
        archive
            .file("src/b.php", 0o644, Owner::ROOT, long.clone())
            .file("a.php", 0o644, Owner::ROOT, "<?php")
            .file("empty", 0o644, Owner::ROOT, "");
        let bytes = zip(&archive, "plug-in/")?;
        assert!(bytes.len() < long.len() / 10, "it is compressed");
        assert_eq!(bytes, zip(&archive, "plug-in/")?);
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("x.zip");
        std::fs::write(&path, &bytes)?;
        let script = "import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1]) as file:\n    assert file.testzip() is None\n    \
            print([(one.filename, one.file_size, oct(one.external_attr >> 16), one.date_time[:3]) for one in file.infolist()])\n    print(file.read('plug-in/a.php'))";
        let output = Command::new("python3")
            .args(["-c", script])
            .arg(&path)
            .output()?;
        let printed = String::from_utf8(output.stdout)? + &String::from_utf8(output.stderr)?;
        assert_eq!(
            printed,
            "[('plug-in/a.php', 5, '0o100644', (1980, 1, 1)), ('plug-in/empty', 0, '0o100644', (1980, 1, 1)), \
             ('plug-in/src/b.php', 70000, '0o100644', (1980, 1, 1))]\nb'<?php'\n"
        );
        Ok(())
    }
}
