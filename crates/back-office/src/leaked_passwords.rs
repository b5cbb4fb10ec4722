//! Passwords that were in leaks: whoever guesses tries those first, however good they look.
//!
//! The program knows those of at least twelve characters that are the most frequent in leaks and that `zxcvbn` takes for good; it refuses the
//! other frequent ones itself ([`super::password`]). An operator names a file with all that are known: SHA-1 hashes in hexadecimal
//! digits, one a line, in their order, each with or without a count behind a colon. Nobody is asked over a network.

use sha1::{Digest, Sha1};
use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use thiserror::Error;
use zeroize::Zeroizing;

/// Passwords that nobody may choose.
#[derive(Clone, Debug, Default)]
pub struct LeakedPasswords {
    file: Option<PathBuf>,
}

/// Why the operator's file cannot be used.
#[derive(Debug, Error)]
pub enum LeakedPasswordsProblem {
    /// It cannot be read.
    #[error("{}: {problem}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        problem: io::Error,
    },
    /// Its first lines are not hashes in their order.
    #[error(
        "{}: line {line} is not a SHA-1 hash in hexadecimal digits that follows the line before; the list has to be ordered by hash",
        path.display()
    )]
    NotOrdered {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
    },
}

impl LeakedPasswords {
    /// The passwords of the program and of the operator's file, of which the first lines are checked.
    ///
    /// # Errors
    /// The file cannot be read, or is not such a list.
    pub fn open(file: Option<&Path>) -> Result<LeakedPasswords, LeakedPasswordsProblem> {
        if let Some(path) = file {
            let unreadable = |problem| LeakedPasswordsProblem::Unreadable {
                path: path.to_owned(),
                problem,
            };
            let lines = BufReader::new(File::open(path).map_err(unreadable)?).lines();
            let mut former = None;
            for (place, line) in lines.take(CHECKED).enumerate() {
                let hash = hash_of(line.map_err(unreadable)?.as_bytes());
                if hash.is_none() || hash <= former {
                    return Err(LeakedPasswordsProblem::NotOrdered {
                        path: path.to_owned(),
                        line: place + 1,
                    });
                }
                former = hash;
            }
        }
        Ok(LeakedPasswords {
            file: file.map(Path::to_owned),
        })
    }

    /// Whether a password was in a leak. The search of a file of any size takes a few dozen reads.
    pub(crate) async fn contain(&self, password: &str) -> io::Result<bool> {
        let lower = Zeroizing::new(password.to_lowercase());
        if FREQUENT.lines().any(|line| line == lower.as_str()) {
            return Ok(true);
        }
        let Some(path) = self.file.clone() else {
            return Ok(false);
        };
        let sought: Hash = Sha1::digest(password).into();
        let searched = tokio::task::spawn_blocking(move || search(&path, sought)).await;
        searched.map_err(io::Error::other)?
    }
}

type Hash = [u8; 20];

/// Halves the part of the file in which the hash can be, until it is found or nothing is left.
fn search(path: &Path, sought: Hash) -> io::Result<bool> {
    let file = File::open(path)?;
    let (mut from, mut to) = (0, file.metadata()?.len());
    let mut file = BufReader::with_capacity(LONGEST_LINE, file);
    while from < to {
        let middle = from + (to - from) / 2;
        let (start, line) = line_from(&mut file, middle)?;
        if line.is_empty() || start >= to {
            to = middle;
            continue;
        }
        let hash = hash_of(&line).ok_or(io::ErrorKind::InvalidData)?;
        match hash.cmp(&sought) {
            Ordering::Equal => return Ok(true),
            Ordering::Less => from = start + line.len() as u64,
            Ordering::Greater => to = middle,
        }
    }
    Ok(false)
}

/// The first line that begins at this place of the file or behind it, with its end, and where it begins. Empty: there is none.
fn line_from(file: &mut BufReader<File>, place: u64) -> io::Result<(u64, Vec<u8>)> {
    let mut start = place;
    if let Some(before) = place.checked_sub(1) {
        file.seek(SeekFrom::Start(before))?;
        let mut rest = Vec::new();
        start = before + file.read_until(b'\n', &mut rest)? as u64;
    } else {
        file.seek(SeekFrom::Start(0))?;
    }
    let mut line = Vec::new();
    file.read_until(b'\n', &mut line)?;
    Ok((start, line))
}

/// The hash of a line, which may have a count behind a colon.
fn hash_of(line: &[u8]) -> Option<Hash> {
    let digits = line.split(|byte| b":\r\n".contains(byte)).next()?;
    let mut hash = Hash::default();
    if digits.len() != 2 * hash.len() {
        return None;
    }
    let value = |digit: u8| char::from(digit).to_digit(16);
    for (byte, pair) in hash.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = u8::try_from(value(pair[0])? * 16 + value(pair[1])?).ok()?;
    }
    Some(hash)
}

/// In lower case. Of the 20,000 passwords that are the most frequent in leaks, those of at least twelve characters that `zxcvbn` takes for
/// good, and two that are famous.
const FREQUENT: &str = include_str!("leaked_passwords.txt");
/// How many lines of a file are checked when a gateway starts: enough to see what it is.
const CHECKED: usize = 1000;
/// Of a hash with its count, with room.
const LONGEST_LINE: usize = 128;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::password::Password;
    use std::fmt::Write as _;

    /// A file of the hashes of these passwords.
    fn list(folder: &Path, passwords: impl Iterator<Item = String>) -> PathBuf {
        let mut hashes: Vec<Hash> = passwords
            .map(|password| Sha1::digest(password).into())
            .collect();
        hashes.sort();
        let mut text = String::new();
        for (place, hash) in hashes.iter().enumerate() {
            for byte in hash {
                write!(text, "{byte:02X}").unwrap();
            }
            // Lines of many lengths, and one without a count.
            match place % 7 {
                0 => text.push_str("\r\n"),
                more => writeln!(text, ":{}\r", 10_u64.pow(more as u32)).unwrap(),
            }
        }
        let path = folder.join("leaked");
        std::fs::write(&path, text.trim_end()).unwrap();
        path
    }

    #[tokio::test]
    async fn each_password_of_the_operators_file_is_found_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        for count in [0, 1, 2, 3, 1000] {
            let name = |number: usize| format!("quince orbit {number}");
            let path = list(folder.path(), (0..count).map(name));
            let leaked = LeakedPasswords::open(Some(&path)).unwrap();
            for number in 0..count {
                assert!(leaked.contain(&name(number)).await.unwrap(), "{number}");
            }
            for other in count..count + 500 {
                assert!(!leaked.contain(&name(other)).await.unwrap(), "{other}");
            }
        }
    }

    #[tokio::test]
    async fn frequent_ones_are_known_without_a_file_also_in_capitals() {
        let leaked = LeakedPasswords::open(None).unwrap();
        for frequent in ["correct horse battery staple", "Telechargement"] {
            assert!(leaked.contain(frequent).await.unwrap(), "{frequent}");
        }
        assert!(!leaked.contain("lamp orbit quince ladder").await.unwrap());
        // Each would be accepted otherwise, so the list has none too many.
        for line in FREQUENT.lines() {
            let parsed = Password::parse(line, "anna@shop.example", "Anna");
            assert!(parsed.is_ok(), "{line}");
        }
    }

    #[test]
    fn a_file_that_is_no_such_list_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        let (low, high) = ("0".repeat(40), "F".repeat(40));
        for (text, line) in [
            (String::from("password\n"), 1),
            (format!("{low}:3\npassword:4\n"), 2),
            (format!("{high}:3\n{low}:4\n"), 2),
            (format!("{low}\n{low}\n"), 2),
            (format!("{}\n", "0".repeat(64)), 1),
        ] {
            std::fs::write(&path, text).unwrap();
            let problem = LeakedPasswords::open(Some(&path)).unwrap_err();
            let expected = format!("line {line} is not a SHA-1 hash");
            assert!(problem.to_string().contains(&expected), "{problem}");
        }
        let nowhere = folder.path().join("nowhere");
        let problem = LeakedPasswords::open(Some(&nowhere)).unwrap_err();
        assert!(problem.to_string().contains("nowhere"), "{problem}");
    }
}
