//! The notes of a release: what the changelog says of its version, and the hash of each file.

use anyhow::{Context, Result};

/// A file of the release.
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) bytes: usize,
    pub(crate) sha256: String,
}

/// The notes as Markdown. `revision` is the commit.
pub(crate) fn notes(
    changelog: &str,
    version: &str,
    revision: &str,
    files: &[Listed],
) -> Result<String> {
    let section = section(changelog, version)?;
    let rows: String = files
        .iter()
        .map(|file| format!("| `{}` | {} | `{}` |\n", file.name, file.bytes, file.sha256))
        .collect();
    Ok(format!(
        "# Payframe {version}\n\n{section}\n\n## Files\n\nMade from the commit `{revision}`. `docs/releases.md` says what each is for, and how to verify it.\n\n\
         | File | Bytes | SHA-256 |\n|---|---|---|\n{rows}"
    ))
}

/// What the changelog says of a version.
fn section<'a>(changelog: &'a str, version: &str) -> Result<&'a str> {
    let heading = changelog.lines().find(|line| {
        let mut words = line.split(' ');
        words.next() == Some("##") && words.next() == Some(version)
    });
    let heading = heading.with_context(|| format!("CHANGELOG.md has no section `## {version}`"))?;
    let (_, rest) = changelog
        .split_once(heading)
        .context("the heading was found")?;
    Ok(rest.split("\n## ").next().unwrap_or(rest).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGELOG: &str =
        "# Changelog\n\n## 0.2.0 (unreleased)\n\n- New.\n\n## 0.1.0\n\n- First.\n- ## no heading\n";

    #[test]
    fn notes_have_the_section_of_the_version_and_the_files() -> Result<()> {
        let file = Listed {
            name: "gateway".into(),
            bytes: 7,
            sha256: "ab".into(),
        };
        let notes = notes(CHANGELOG, "0.2.0", "c0ffee", &[file])?;
        assert!(
            notes.starts_with(
                "# Payframe 0.2.0\n\n- New.\n\n## Files\n\nMade from the commit `c0ffee`."
            ),
            "{notes}"
        );
        assert!(notes.ends_with("| `gateway` | 7 | `ab` |\n"), "{notes}");
        assert!(!notes.contains("First"), "{notes}");
        assert_eq!(section(CHANGELOG, "0.1.0")?, "- First.\n- ## no heading");
        Ok(())
    }

    #[test]
    fn a_version_without_a_section_has_no_release() {
        assert!(section(CHANGELOG, "0.3.0").is_err());
        assert!(section(CHANGELOG, "0.1").is_err());
    }
}
