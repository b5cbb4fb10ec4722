//! What is said about a file that cannot be used.

use super::*;

#[tokio::test]
async fn a_settings_file_is_refused_by_member() {
    let folder = tempfile::tempdir().unwrap();
    Counterpart::start(folder.path(), TERMINALS).await;
    let path = folder.path().join("3ds.toml");
    let good = std::fs::read_to_string(&path).unwrap();
    for (from, to, expected) in [
        (
            "'https://localhost",
            "'http://localhost",
            "url of directory visa must be an https address",
        ),
        (
            "['VISA']",
            "['VISUM']",
            "networks of directory visa must be codes of networks, at least one",
        ),
        (
            "'client.key'",
            "'none.key'",
            "key_file of directory visa must be a file in PEM format that can be read",
        ),
        (
            "answer_seconds = 1",
            "answer_seconds = 0",
            "answer_seconds of directory visa must be a whole number",
        ),
        (
            "'5411'",
            "'54'",
            "merchant_category of terminal T1 must be four digits",
        ),
        (
            "directory.visa",
            "directory.other",
            "directory of terminal T1 must be tables with names of directories",
        ),
        ("'T2'", "'T1'", "id of a terminal must be that of no other"),
        ("'pay'", "'maybe'", "unknown variant `maybe`"),
        (
            "decoupled_minutes = 10",
            "decoupled_minutes = 0",
            "decoupled_minutes of terminal T4 must be a whole number of minutes from 1 to 60",
        ),
        (
            "decoupled_minutes = 10",
            "decoupled_minutes = 61",
            "decoupled_minutes of terminal T4 must be a whole number of minutes from 1 to 60",
        ),
        (
            "decoupled_minutes = 10",
            "decoupled_minutes = 65537",
            "decoupled_minutes of terminal T4 must be a whole number of minutes from 1 to 60",
        ),
        (
            "decoupled_minutes = 10",
            "decoupled_minutes = '10'",
            "invalid type",
        ),
    ] {
        std::fs::write(&path, good.replacen(from, to, 1)).unwrap();
        let problem = ThreeDsFile::read(&path).unwrap_err().to_string();
        assert!(problem.contains(expected), "{problem}");
    }
}
