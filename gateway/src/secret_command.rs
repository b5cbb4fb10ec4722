//! A secret that a program prints: a client of a secret store, or a tool of an HSM.
//!
//! The program is started without a shell. What it prints is never part of an error.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use thiserror::Error;
use tokio::process::Command;
use zeroize::Zeroizing;

/// Why a program gives no secret.
#[derive(Debug, Error)]
pub enum SecretCommandError {
    /// It cannot be started.
    #[error("the program {program} of {setting} cannot be started: {problem}")]
    Start {
        /// The setting.
        setting: &'static str,
        /// The program, without its arguments.
        program: String,
        /// What the system says.
        #[source]
        problem: io::Error,
    },
    /// It failed.
    #[error("the program {program} of {setting} ended with {status}")]
    Failed {
        /// The setting.
        setting: &'static str,
        /// The program.
        program: String,
        /// How it ended.
        status: ExitStatus,
    },
    /// It takes too long.
    #[error("the program {program} of {setting} did not end within {} seconds", TIMEOUT.as_secs())]
    Late {
        /// The setting.
        setting: &'static str,
        /// The program.
        program: String,
    },
    /// It printed nothing, or no text.
    #[error("the program {program} of {setting} must print the secret as text")]
    Output {
        /// The setting.
        setting: &'static str,
        /// The program.
        program: String,
    },
}

/// What the command of a setting prints, without blanks at its ends. Words are separated by blanks; there are no quotes.
pub(crate) async fn printed_by(
    setting: &'static str,
    command: &str,
) -> Result<Zeroizing<String>, SecretCommandError> {
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or_default().to_owned();
    let started = Command::new(&program)
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn();
    let child = match started {
        Ok(child) => child,
        Err(problem) => {
            return Err(SecretCommandError::Start {
                setting,
                program,
                problem,
            });
        }
    };
    let ended = match tokio::time::timeout(TIMEOUT, child.wait_with_output()).await {
        Err(_) => return Err(SecretCommandError::Late { setting, program }),
        Ok(Err(problem)) => {
            return Err(SecretCommandError::Start {
                setting,
                program,
                problem,
            });
        }
        Ok(Ok(ended)) => ended,
    };
    let (printed, status) = (Zeroizing::new(ended.stdout), ended.status);
    if !status.success() {
        return Err(SecretCommandError::Failed {
            setting,
            program,
            status,
        });
    }
    match std::str::from_utf8(&printed).map(str::trim) {
        Ok(text) if !text.is_empty() => Ok(Zeroizing::new(text.to_owned())),
        _ => Err(SecretCommandError::Output { setting, program }),
    }
}

/// Long enough for a secret store in another network.
const TIMEOUT: Duration = Duration::from_secs(30);

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_a_program_prints_is_the_secret() {
        let printed = printed_by("X", "echo  one two").await.unwrap();
        assert_eq!(printed.as_str(), "one two");
    }

    #[tokio::test]
    async fn an_error_names_the_setting_and_the_program_and_no_argument() {
        for (command, expected) in [
            (
                "/nonexistent/program hunter2",
                "the program /nonexistent/program of X cannot be started",
            ),
            ("false hunter2", "the program false of X ended with"),
            (
                "true hunter2",
                "the program true of X must print the secret",
            ),
            ("", "the program  of X cannot be started"),
        ] {
            let said = printed_by("X", command).await.unwrap_err().to_string();
            assert!(said.starts_with(expected), "{said}");
            assert!(!said.contains("hunter2"), "{said}");
        }
    }
}
