//! A file of a dispute as pages show it: its name and size, never its content.

use super::display::moment;
use super::moment::Moment;
use payframe_protocol::dispute::{DisputeFile, SubmittedEvidence};

/// The address of a file.
fn file_path(file_id: &str) -> String {
    format!("/office/disputes/files/{file_id}")
}

/// A file as the page of its dispute shows it.
pub(super) struct ShownFile {
    pub(super) path: String,
    pub(super) name: String,
    pub(super) kind: &'static str,
    pub(super) size: String,
    pub(super) added: Moment,
    /// Whether this member may remove it now.
    pub(super) may_be_removed: bool,
}

impl ShownFile {
    pub(super) fn of(
        file: &DisputeFile,
        evidence: Option<&SubmittedEvidence>,
        may_answer: bool,
    ) -> ShownFile {
        // Instants of the same form are in the order of their texts.
        let is_submitted =
            evidence.is_some_and(|evidence| file.added_time <= evidence.submitted_time);
        ShownFile {
            path: file_path(&file.file_id),
            name: file.name.clone(),
            kind: match file.media_type.as_str() {
                "application/pdf" => "PDF",
                "image/png" => "PNG",
                _ => "JPEG",
            },
            size: size(file.size),
            added: moment(&file.added_time),
            may_be_removed: may_answer && !is_submitted,
        }
    }
}

/// Bytes in words.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_in_words() {
        for (bytes, expected) in [
            (7, "7 bytes"),
            (1_000, "1 kB"),
            (1_001, "2 kB"),
            (4_500_000, "4.5 MB"),
        ] {
            assert_eq!(size(bytes), expected);
        }
    }
}
