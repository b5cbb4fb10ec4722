//! Makes a member of the demo merchant, so that people can log in to the demo's back office.
//!
//! The password is made once and kept in the demo's folder, beside its databases.

use crate::process::capture;
use anyhow::{Context, Result};
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// The member's e-mail address.
pub(crate) const EMAIL: &str = "demo@shop.example";

/// The member's password. If there is no member yet, or the password is lost, the gateway's own command
/// makes it; `gateway` is that program with its settings.
pub(crate) fn password(gateway: impl Fn() -> Command, data: &Path) -> Result<String> {
    let kept = data.join("office-password");
    let members = |words: &[&str]| capture(gateway().arg("members").args(words));
    let is_there = lists(&members(&["list"])?, EMAIL);
    if is_there && let Ok(password) = std::fs::read_to_string(&kept) {
        return Ok(password);
    }
    let told = if is_there {
        members(&["password", EMAIL])?
    } else {
        members(&["add", MERCHANT, EMAIL, "administrator", NAME])?
    };
    let password = told
        .lines()
        .nth(1)
        .context("the gateway told no password")?;
    keep(&kept, password)?;
    Ok(password.to_owned())
}

/// Whether a list of members contains this address.
fn lists(list: &str, email: &str) -> bool {
    list.lines()
        .any(|line| line.split_whitespace().next() == Some(email))
}

/// Writes the file so that only this user can read it.
fn keep(file: &Path, password: &str) -> Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(file)
        .and_then(|mut open| open.write_all(password.as_bytes()))
        .with_context(|| format!("cannot write {}", file.display()))
}

const MERCHANT: &str = "demo";
const NAME: &str = "Demo administrator";

#[cfg(test)]
mod tests {
    use super::*;

    /// A gateway whose list is the output of `members add`, and which makes another password each time.
    fn gateway(folder: &Path) -> Command {
        let mut command = Command::new("sh");
        let script = "cd \"$1\"; shift 2; touch members made; case $1 in list) cat members;; *) \
                      [ $1 = add ] && echo \"$3 $2\" >> members; echo x >> made; echo for $3; echo password-$(wc -l < made);; esac";
        command.args(["-c", script, "sh"]).arg(folder);
        command
    }

    #[test]
    fn a_password_is_made_once_and_goes_with_the_members_of_its_folder() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("payframe-office-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let ask = || password(|| gateway(&folder), &folder);
        assert_eq!(ask()?.trim(), "password-1");
        assert_eq!(ask()?.trim(), "password-1", "kept");
        std::fs::remove_file(folder.join("office-password"))?;
        assert_eq!(ask()?.trim(), "password-2", "forgotten");
        std::fs::remove_file(folder.join("members"))?;
        assert_eq!(ask()?.trim(), "password-3", "of other databases");
        assert_eq!(ask()?.trim(), "password-3");
        std::fs::remove_dir_all(folder)?;
        Ok(())
    }
}
