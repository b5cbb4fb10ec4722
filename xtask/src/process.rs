//! Runs other programs, quietly (output is shown only if they fail) or loudly, and prints one line for each step.

use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs a program and returns its stdout; if it fails, the error contains the end of all its output.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {}", name(command)))?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(stdout);
    }
    let said = format!("{stdout}{}", String::from_utf8_lossy(&output.stderr));
    bail!(
        "{} failed ({}):\n{}",
        line(command),
        output.status,
        last_lines(&said, 60)
    )
}

/// Sends a text through a program and returns its output.
pub(crate) fn filter(command: &mut Command, input: &str) -> Result<String> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", name(command)))?;
    let stdin = child.stdin.take();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || {
            // A program that ends early reports its own error.
            stdin.map(|mut stdin| stdin.write_all(input.as_bytes()))
        });
        child.wait_with_output()
    })?;
    if output.status.success() {
        return Ok(String::from_utf8(output.stdout)?);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    bail!(
        "{} failed ({}):\n{}",
        line(command),
        output.status,
        last_lines(&said, 60)
    )
}

/// Runs a program that writes to our own terminal.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", name(command)))?;
    if status.success() {
        return Ok(());
    }
    bail!("{} failed ({status})", line(command))
}

/// The first file with this name in the folders of `path`.
pub(crate) fn find_in(path: &OsStr, program: &str) -> Option<PathBuf> {
    std::env::split_paths(path)
        .map(|dir| dir.join(program))
        .find(|candidate| candidate.is_file())
}

/// The first file with this name in the folders of `PATH`.
pub(crate) fn find_on_path(program: &str) -> Option<PathBuf> {
    find_in(&std::env::var_os("PATH")?, program)
}

/// The output of `program --version`, if the program can be run.
pub(crate) fn version_of(program: impl AsRef<OsStr>) -> Option<String> {
    let said = capture(Command::new(program).arg("--version")).ok()?;
    Some(said.trim().to_owned())
}

/// One step with one line: what it does, what it found, how long it took.
pub(crate) fn step<T>(what: &str, work: impl FnOnce(&mut StepLine) -> Result<T>) -> Result<T> {
    let started = Instant::now();
    let mut line = StepLine { said_any: false };
    print!("{what}");
    flush();
    match work(&mut line) {
        Ok(value) => {
            println!(" ({})", readable(started.elapsed()));
            Ok(value)
        }
        Err(problem) => {
            println!(" FAILED ({})", readable(started.elapsed()));
            Err(problem)
        }
    }
}

/// The line of a running step, to be continued.
pub(crate) struct StepLine {
    said_any: bool,
}

impl StepLine {
    /// Adds a few words to the line, at once.
    pub(crate) fn say(&mut self, words: &str) {
        print!("{}{words}", if self.said_any { ", " } else { ": " });
        self.said_any = true;
        flush();
    }
}

/// A duration for people: `0.4 s`, `12 s`, `3 min 05 s`.
pub(crate) fn readable(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..10 => format!("{:.1} s", duration.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        _ => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

/// The last lines of a text, which usually show the error.
pub(crate) fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

fn line(command: &Command) -> String {
    let words = command.get_args().map(|word| word.to_string_lossy());
    format!(
        "`{} {}`",
        name(command),
        words.collect::<Vec<_>>().join(" ")
    )
}

fn flush() {
    // The work continues if the terminal is closed.
    let _ = std::io::stdout().flush();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_readable() {
        assert_eq!(readable(Duration::from_millis(420)), "0.4 s");
        assert_eq!(readable(Duration::from_millis(12_900)), "12 s");
        assert_eq!(readable(Duration::from_secs(185)), "3 min 05 s");
    }

    #[test]
    fn failing_program_shows_the_end_of_its_output() {
        let failure = capture(Command::new("sh").args(["-c", "echo one; echo two >&2; exit 3"]));
        let text = failure.err().map(|problem| problem.to_string());
        assert!(text.is_some_and(|text| text.contains("one") && text.contains("two")));
    }

    #[test]
    fn only_the_last_lines_are_kept() {
        assert_eq!(last_lines("a\nb\nc", 2), "b\nc");
        assert_eq!(last_lines("a", 2), "a");
    }
}
