//! Clearing files of acquirers, by the mapping that ships as an example.

use payframe_settlement_files::{Mapping, read};
use std::sync::LazyLock;

static MAPPING: LazyLock<Mapping> = LazyLock::new(|| {
    match Mapping::parse(include_str!("../../../examples/settlement/mapping.toml")) {
        Ok(mapping) => mapping,
        Err(problem) => panic!("the mapping that ships is refused: {problem}"),
    }
});

/// What is read adds up, and stands where its number says.
pub(crate) fn check(bytes: &[u8]) {
    let Ok(lines) = read(&MAPPING, bytes) else {
        return;
    };
    let last = bytes.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
    for line in lines {
        let net_minor = line.gross_minor.checked_sub(line.fee_minor);
        assert_eq!(net_minor, Some(line.net_minor), "line {}", line.number);
        assert!(
            (1..=last).contains(&line.number),
            "line {} of {last}",
            line.number
        );
    }
}

pub(crate) fn samples() -> Vec<Vec<u8>> {
    let file = include_str!("../../../examples/settlement/clearing.csv");
    let with_windows_ends = file.replace('\n', "\r\n");
    vec![file.into(), with_windows_ends.into_bytes()]
}
