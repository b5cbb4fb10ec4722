//! Files that merchants send as evidence: which types there are, and how many and how large they may be.
//!
//! The type is found in the content. What a file is called says nothing about it.

use crate::card_data_in_text;
use thiserror::Error;

/// A type of file that may be evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvidenceFileType {
    /// A document.
    Pdf,
    /// A picture.
    Png,
    /// A picture.
    Jpeg,
}

/// Why a file is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EvidenceFileError {
    /// It is empty, or none of the types.
    #[error("the file must be a PDF document, or a PNG or JPEG picture")]
    Type,
    /// It is larger than one file may be.
    #[error("a file must have at most 4.5 MB")]
    TooLarge,
    /// The dispute has as many files as it may have.
    #[error("a dispute has at most 10 files")]
    TooMany,
    /// All files together are larger than they may be.
    #[error("the files of a dispute must have at most 13.5 MB together")]
    TooLargeTogether,
    /// The name is empty or too long, or has characters that names of files do not have.
    #[error(
        "the file's name must have 1 to 100 characters, without slashes and control characters"
    )]
    Name,
    /// The name holds card data.
    #[error("the file's name holds card data: card data is taken by the form only")]
    CardDataInName,
}

/// The files that a dispute has already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FilesSoFar {
    /// How many.
    pub count: u64,
    /// How many bytes they have together.
    pub bytes: u64,
}

impl EvidenceFileType {
    /// All.
    pub const ALL: [EvidenceFileType; 3] = [
        EvidenceFileType::Pdf,
        EvidenceFileType::Png,
        EvidenceFileType::Jpeg,
    ];

    /// The type of this content. `None`: another one.
    pub fn of_content(content: &[u8]) -> Option<EvidenceFileType> {
        EvidenceFileType::ALL
            .into_iter()
            .find(|kind| content.starts_with(kind.beginning()))
    }

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            EvidenceFileType::Pdf => "application/pdf",
            EvidenceFileType::Png => "image/png",
            EvidenceFileType::Jpeg => "image/jpeg",
        }
    }

    /// The type of a media type.
    pub fn from_media_type(media_type: &str) -> Option<EvidenceFileType> {
        EvidenceFileType::ALL
            .into_iter()
            .find(|kind| kind.media_type() == media_type)
    }

    fn beginning(self) -> &'static [u8] {
        match self {
            EvidenceFileType::Pdf => b"%PDF-",
            EvidenceFileType::Png => b"\x89PNG\r\n\x1a\n",
            EvidenceFileType::Jpeg => b"\xff\xd8\xff",
        }
    }
}

/// Judges a file that is added to these others, and finds its type.
pub fn judge(
    name: &str,
    content: &[u8],
    others: FilesSoFar,
) -> Result<EvidenceFileType, EvidenceFileError> {
    let is_name = (1..=100).contains(&name.chars().count())
        && !name.trim().is_empty()
        && !name.contains(['/', '\\'])
        && !name.chars().any(char::is_control);
    if !is_name {
        return Err(EvidenceFileError::Name);
    }
    if card_data_in_text::find(name).is_some() {
        return Err(EvidenceFileError::CardDataInName);
    }
    if content.len() > MOST_FILE_BYTES {
        return Err(EvidenceFileError::TooLarge);
    }
    let kind = EvidenceFileType::of_content(content).ok_or(EvidenceFileError::Type)?;
    if others.count >= MOST_FILES {
        return Err(EvidenceFileError::TooMany);
    }
    if others.bytes + content.len() as u64 > MOST_BYTES_TOGETHER {
        return Err(EvidenceFileError::TooLargeTogether);
    }
    Ok(kind)
}

/// How large one file may be.
pub const MOST_FILE_BYTES: usize = 4_500_000;

/// How many files a dispute may have.
pub const MOST_FILES: u64 = 10;

/// How large all files of a dispute together may be.
pub const MOST_BYTES_TOGETHER: u64 = 13_500_000;

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: FilesSoFar = FilesSoFar { count: 0, bytes: 0 };
    const PDF: &[u8] = b"%PDF-1.7\n";

    #[test]
    fn the_content_says_what_a_file_is_and_its_name_does_not() {
        for (name, content, expected) in [
            ("a.pdf", PDF, Some(EvidenceFileType::Pdf)),
            (
                "a.pdf",
                b"\x89PNG\r\n\x1a\n....",
                Some(EvidenceFileType::Png),
            ),
            ("a.exe", b"\xff\xd8\xff\xe0..", Some(EvidenceFileType::Jpeg)),
            ("a.pdf", b"<html><script>", None),
            ("a.png", b"<svg xmlns=", None),
            ("a.pdf", b"MZ\x90\x00", None),
            ("a.pdf", b" %PDF-1.7", None),
            ("a.jpg", b"", None),
        ] {
            let judged = judge(name, content, NONE);
            assert_eq!(
                judged,
                expected.ok_or(EvidenceFileError::Type),
                "{content:?}"
            );
        }
    }

    #[test]
    fn files_have_limits_one_by_one_and_together() {
        let mut large = PDF.to_vec();
        large.resize(MOST_FILE_BYTES, b' ');
        let with = |count, bytes| judge("a.pdf", &large, FilesSoFar { count, bytes });
        assert!(with(2, 9_000_000).is_ok());
        assert_eq!(with(2, 9_000_001), Err(EvidenceFileError::TooLargeTogether));
        assert!(with(9, 0).is_ok());
        assert_eq!(with(10, 0), Err(EvidenceFileError::TooMany));
        large.push(b' ');
        assert_eq!(
            judge("a.pdf", &large, NONE),
            Err(EvidenceFileError::TooLarge)
        );
    }

    #[test]
    fn names_are_names_of_files_without_card_data() {
        let long = "a".repeat(101);
        for name in ["", "  ", "a/b.pdf", "a\\b.pdf", "a\nb.pdf", long.as_str()] {
            assert_eq!(judge(name, PDF, NONE), Err(EvidenceFileError::Name));
        }
        assert_eq!(
            judge("4761730000000003.pdf", PDF, NONE),
            Err(EvidenceFileError::CardDataInName)
        );
        assert!(judge("Beleg für Anna.pdf", PDF, NONE).is_ok());
    }

    #[test]
    fn media_types_lead_back() {
        for kind in EvidenceFileType::ALL {
            let media_type = kind.media_type();
            assert_eq!(EvidenceFileType::from_media_type(media_type), Some(kind));
        }
    }
}
