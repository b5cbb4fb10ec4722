//! Which failures of a database pass by themselves: it is away, has no free connection, or another change has locked what this one needs.
//!
//! Whoever comes back later can succeed. A change that failed so is rolled back. Only if the connection is lost during a commit, nobody
//! knows, as after any other failure of a commit.

use sqlx::Error;

/// Whether this is such a failure, or was caused by one.
pub fn is_passing(problem: &(dyn std::error::Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(problem), |cause| cause.source());
    causes.any(|cause| cause.downcast_ref().is_some_and(passes))
}

fn passes(problem: &Error) -> bool {
    match problem {
        Error::PoolTimedOut | Error::Io(_) => true,
        Error::Database(problem) => problem.code().is_some_and(|code| is_passing_code(&code)),
        _ => false,
    }
}

/// A code of SQLite, as a number, or of PostgreSQL, in five characters.
fn is_passing_code(code: &str) -> bool {
    match code {
        // Another program holds the file (`SQLITE_BUSY` and its variants), or a table (`SQLITE_LOCKED`).
        "5" | "261" | "517" | "773" | "6" | "262" => true,
        // The server ends or is starting, has no free connection, or takes no changes because another one is the primary.
        "57P01" | "57P02" | "57P03" | "57P05" | "53300" | "25006" => true,
        // Another change has the lock, was preferred, or had to wait for this one.
        "55P03" | "40001" | "40P01" | "25P03" => true,
        // A statement was prepared before its table got a column.
        "0A000" => true,
        // The connection failed.
        other => other.len() == 5 && other.starts_with("08"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StoreError;

    #[test]
    fn what_passes_by_itself_is_told_from_what_stays() {
        for (code, expected) in [
            ("5", true),
            ("517", true),
            ("6", true),
            ("57P01", true),
            ("53300", true),
            ("55P03", true),
            ("40P01", true),
            ("0A000", true),
            ("08006", true),
            // A full disk, a constraint, a missing table, a wrong password, a database that was dropped.
            ("13", false),
            ("2067", false),
            ("53100", false),
            ("23505", false),
            ("42P01", false),
            ("28P01", false),
            ("57P04", false),
            ("", false),
        ] {
            assert_eq!(is_passing_code(code), expected, "{code}");
        }
    }

    #[test]
    fn the_cause_decides_however_it_is_wrapped() {
        let lost = || Error::Io(std::io::ErrorKind::ConnectionReset.into());
        assert!(is_passing(&Error::PoolTimedOut));
        assert!(is_passing(&StoreError::Database(lost())));
        assert!(is_passing(&std::io::Error::other(StoreError::from(lost()))));
        assert!(!is_passing(&StoreError::Unreadable("amount")));
        assert!(!is_passing(&Error::RowNotFound));
        // It is not the database that is away.
        let other = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
        assert!(!is_passing(&other));
    }
}
