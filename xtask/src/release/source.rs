//! What a release is made from: the commit, its time, and the licences.
//!
//! Every time in a release's files is that of the commit, so that a later build of it makes the same bytes.

use crate::process::capture;
use crate::project::Project;
use anyhow::{Context, Result};
use std::process::Command;

/// The commit that a release is made from.
pub(crate) struct Source {
    /// Its time, in seconds since 1970.
    pub(crate) time: u64,
    /// The same as `2026-11-26T06:00:00Z`.
    pub(crate) date: String,
    /// Its hash; `-modified` follows where files differ from it.
    pub(crate) revision: String,
    /// The licences of the project, as a text.
    pub(crate) copyright: String,
    /// Those of other people's crates in the program.
    pub(crate) licences: String,
}

impl Source {
    /// Asks git. `licences` are those of other people's crates.
    pub(crate) fn of(project: &Project, licences: &str) -> Result<Source> {
        let git = |words: &[&str]| {
            let mut git = Command::new("git");
            let said = capture(git.current_dir(&project.root).args(words).env("TZ", "UTC"));
            said.map(|said| said.trim().to_owned())
                .context("a release is made in a checkout: its times are those of the commit")
        };
        let date = git(&[
            "log",
            "-1",
            "--date=format-local:%Y-%m-%dT%H:%M:%SZ",
            "--format=%cd",
        ])?;
        let modified = match git(&["status", "--porcelain"])?.is_empty() {
            true => "",
            false => "-modified",
        };
        let read = |file: &str| {
            std::fs::read_to_string(project.root.join(file))
                .with_context(|| format!("{file} is missing"))
        };
        Ok(Source {
            time: git(&["log", "-1", "--format=%ct"])?.parse()?,
            date,
            revision: format!("{}{modified}", git(&["rev-parse", "HEAD"])?),
            copyright: format!(
                "Payframe may be used under the MIT licence or the Apache licence 2.0, at your option. Both follow.\n\n{}\n\n{}",
                read("LICENSE-MIT")?,
                read("LICENSE-APACHE")?
            ),
            licences: licences.to_owned(),
        })
    }

    #[cfg(test)]
    pub(crate) fn sample() -> Source {
        Source {
            time: 1_764_137_600,
            date: "2025-11-26T06:13:20Z".into(),
            revision: "0123456789abcdef0123456789abcdef01234567".into(),
            copyright: "free\n".into(),
            licences: "theirs\n".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkout_says_which_commit_it_is_of_and_when_that_was_made() -> Result<()> {
        let source = Source::of(&Project::locate()?, "theirs")?;
        // The last digits of the time are the seconds of the minute.
        let seconds: u64 = source.date[17..19].parse()?;
        assert_eq!(source.time % 60, seconds, "{}", source.date);
        assert_eq!((source.date.len(), &source.date[19..]), (20, "Z"));
        assert!(source.revision.trim_end_matches("-modified").len() >= 40);
        assert!(source.copyright.contains("Apache License"));
        Ok(())
    }
}
