//! What was tried, and how it ended.

use std::fmt;

/// What an examination found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The acquirer's name in the settings.
    pub acquirer: String,
    /// Where it is reached.
    pub address: String,
    /// What the other side calls itself.
    pub counterpart: String,
    /// In the order in which they were tried.
    pub checks: Vec<Check>,
    /// What has been booked, by our own books, for a comparison with those of the other side.
    pub books: Vec<String>,
}

/// One thing that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What the acquirer has to do.
    pub name: String,
    /// How it ended.
    pub verdict: Verdict,
}

/// How a check ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It did what it has to do.
    Passed,
    /// It did not. The text says what was expected, and what came.
    Failed(String),
    /// It was not tried, for this reason.
    NotTried(String),
}

/// Why a check did not pass.
#[derive(Debug)]
pub enum Finding {
    /// See [`Verdict::Failed`].
    Failed(String),
    /// See [`Verdict::NotTried`].
    NotTried(String),
}

impl Report {
    /// An empty report. `counterpart`: what the other side calls itself.
    pub fn about(acquirer: &str, address: &str, counterpart: &str) -> Report {
        Report {
            acquirer: acquirer.to_owned(),
            address: address.to_string(),
            // The text of others: nothing in it may look like a line of the report.
            counterpart: counterpart
                .chars()
                .filter(|c| !c.is_control())
                .take(80)
                .collect(),
            checks: Vec::new(),
            books: Vec::new(),
        }
    }

    /// Writes down how a check ended.
    pub fn add(&mut self, name: impl Into<String>, ended: Result<(), Finding>) {
        self.checks.push(Check {
            name: name.into(),
            verdict: match ended {
                Ok(()) => Verdict::Passed,
                Err(Finding::Failed(text)) => Verdict::Failed(text),
                Err(Finding::NotTried(text)) => Verdict::NotTried(text),
            },
        });
    }

    /// The checks that failed.
    pub fn failures(&self) -> impl Iterator<Item = &Check> {
        self.checks
            .iter()
            .filter(|check| matches!(check.verdict, Verdict::Failed(_)))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report {
            acquirer,
            address,
            counterpart,
            checks,
            books,
        } = self;
        writeln!(f, "{acquirer} at {address}: {counterpart}\n")?;
        for Check { name, verdict } in checks {
            match verdict {
                Verdict::Passed => writeln!(f, "passed     {name}")?,
                Verdict::Failed(text) => writeln!(f, "FAILED     {name}\n           {text}")?,
                Verdict::NotTried(text) => writeln!(f, "not tried  {name}\n           {text}")?,
            }
        }
        if !books.is_empty() {
            writeln!(
                f,
                "\nBooked by this examination. Compare it with the report of the other side:"
            )?;
        }
        for line in books {
            writeln!(f, "  {line}")?;
        }
        let count = |wanted: fn(&Verdict) -> bool| {
            let found = checks.iter().filter(|check| wanted(&check.verdict));
            found.count()
        };
        writeln!(
            f,
            "\n{} passed, {} failed, {} not tried",
            count(|verdict| *verdict == Verdict::Passed),
            count(|verdict| matches!(verdict, Verdict::Failed(_))),
            count(|verdict| matches!(verdict, Verdict::NotTried(_))),
        )
    }
}
