//! An operator's settings file in TOML: reads its members, and says what cannot be used.
//!
//! What the members are and mean is the caller's. A message names the file and the line, or the member and what is accepted. It never
//! repeats a line of the file, which may hold a secret.

use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A settings file that was read.
#[derive(Clone, Debug)]
pub struct SettingsFile {
    name: String,
    folder: PathBuf,
}

/// Why a settings file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingsFileError {
    /// The file is missing, is not TOML, or has a member that does not exist.
    #[error("{file}: {problem}")]
    File {
        /// The file.
        file: String,
        /// What is wrong, and where.
        problem: String,
    },
    /// A member has a value that is not accepted.
    #[error("{file}: {member} must be {accepts}")]
    Member {
        /// The file.
        file: String,
        /// The member, with the table that it belongs to.
        member: String,
        /// The accepted values.
        accepts: String,
    },
}

impl SettingsFile {
    /// Reads a file and its members.
    ///
    /// # Errors
    /// The file is missing, is not TOML, or has other members.
    pub fn read<T: DeserializeOwned>(path: &Path) -> Result<(SettingsFile, T), SettingsFileError> {
        let file = SettingsFile {
            name: path.display().to_string(),
            folder: path.parent().unwrap_or(Path::new("")).to_owned(),
        };
        let text =
            std::fs::read_to_string(path).map_err(|error| file.unusable(error.to_string()))?;
        let members = toml::from_str(&text);
        let members = members.map_err(|error| file.unusable(without_source(&error, &text)))?;
        Ok((file, members))
    }

    /// The folder that paths in the file are relative to.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A file that this one names.
    pub fn beside(&self, path: impl AsRef<Path>) -> PathBuf {
        self.folder.join(path)
    }

    /// A member has a value that is not accepted.
    pub fn refused(
        &self,
        member: impl Into<String>,
        accepts: impl Into<String>,
    ) -> SettingsFileError {
        SettingsFileError::Member {
            file: self.name.clone(),
            member: member.into(),
            accepts: accepts.into(),
        }
    }

    /// Something else is wrong with the file.
    pub fn unusable(&self, problem: impl Into<String>) -> SettingsFileError {
        SettingsFileError::File {
            file: self.name.clone(),
            problem: problem.into(),
        }
    }
}

/// What is wrong and where, without the line itself.
fn without_source(error: &toml::de::Error, text: &str) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    match before {
        Some(before) => format!(
            "line {}: {}",
            before.matches('\n').count() + 1,
            error.message()
        ),
        None => error.message().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize, PartialEq, Eq)]
    #[serde(deny_unknown_fields)]
    struct Members {
        name: String,
        #[serde(default)]
        seconds: u64,
    }

    type Tested = Result<(), Box<dyn std::error::Error>>;

    fn folder_with(text: &str) -> std::io::Result<(tempfile::TempDir, PathBuf)> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("settings.toml");
        std::fs::write(&path, text)?;
        Ok((folder, path))
    }

    #[test]
    fn a_file_has_members_and_a_folder() -> Tested {
        let (folder, path) = folder_with("# The name.\nname = 'a'\n")?;
        let (file, members) = SettingsFile::read::<Members>(&path)?;
        let expected = Members {
            name: String::from("a"),
            seconds: 0,
        };
        assert_eq!(members, expected);
        assert_eq!(file.folder(), folder.path());
        assert_eq!(file.beside("key.pem"), folder.path().join("key.pem"));
        assert_eq!(file.beside("/key.pem"), Path::new("/key.pem"));
        Ok(())
    }

    #[test]
    fn what_cannot_be_used_is_named_with_its_line_and_without_its_text() -> Tested {
        for (text, said) in [
            (
                "name = 'hush'\n\nsecond = 1\n",
                "line 3: unknown field `second`",
            ),
            (
                "name = 'hush'\nseconds = 'hush'\n",
                "line 2: invalid type: string",
            ),
            ("name = 'hush", "line 1: "),
            ("seconds = 1\n", "missing field `name`"),
        ] {
            let (_folder, path) = folder_with(text)?;
            let problem = SettingsFile::read::<Members>(&path).err();
            let problem = problem
                .map(|problem| problem.to_string())
                .unwrap_or_default();
            assert!(
                problem.starts_with(&path.display().to_string()),
                "{problem}"
            );
            assert!(problem.contains(said), "{problem}");
            assert!(!problem.contains("name = "), "{problem}");
        }
        Ok(())
    }

    #[test]
    fn a_missing_file_and_a_refused_member_are_named() -> Tested {
        let (folder, path) = folder_with("name = 'a'")?;
        let missing = folder.path().join("none.toml");
        let problem = SettingsFile::read::<Members>(&missing).err();
        let problem = problem
            .map(|problem| problem.to_string())
            .unwrap_or_default();
        let start = format!("{}: ", missing.display());
        assert!(problem.starts_with(&start), "{problem}");
        let (file, _) = SettingsFile::read::<Members>(&path)?;
        let file_name = path.display();
        assert_eq!(
            file.refused("seconds of a", "from 1 to 60").to_string(),
            format!("{file_name}: seconds of a must be from 1 to 60")
        );
        assert_eq!(
            file.unusable("two names").to_string(),
            format!("{file_name}: two names")
        );
        Ok(())
    }
}
