//! What the pages of settlement share: their addresses, sums and badges.

use super::display::{segment, signed_sum};
use super::labels::Badge;
use payframe_storage::settlements::{FileRow, Sums, Target};

/// The address of the list of files.
pub(super) const FILES: &str = "/office/settlement";

/// The address of the list of differences.
pub(super) const DIFFERENCES: &str = "/office/settlement/differences";

/// The page of a file.
pub(super) fn path_of_file(file_id: &str) -> String {
    format!("{FILES}/{}", segment(file_id))
}

/// The page of a difference.
pub(super) fn path_of_difference(target: &Target) -> String {
    format!("{DIFFERENCES}/{target}")
}

/// Sums of one currency.
pub(super) struct ShownSums {
    pub(super) gross: String,
    pub(super) fee: String,
    pub(super) net: String,
    pub(super) lines: i64,
}

impl ShownSums {
    pub(super) fn of(sums: &Sums) -> ShownSums {
        let currency = &sums.currency;
        ShownSums {
            gross: signed_sum(sums.gross_minor, currency),
            fee: signed_sum(sums.fee_minor, currency),
            net: signed_sum(sums.net_minor, currency),
            lines: sums.lines,
        }
    }
}

/// Whether all lines of a file agree.
pub(super) fn badge(file: &FileRow) -> Badge {
    match file.open_differences {
        0 => Badge::good("Agrees"),
        _ => Badge::bad("Differs"),
    }
}
