//! Joins statements for a server, so that they travel in one journey.
//!
//! A server accepts one statement with values at a time, and each is a message and its answer. But one statement can contain others:
//! `WITH a AS (INSERT …), b AS (UPDATE …) SELECT …`. All of them see the tables as they were before the first. So statements are joined
//! only if none of them names a table that an earlier one of them changes. Foreign keys are checked behind the last, as after each.
//!
//! A text is composed once for each sequence of constant texts. The combinations are those that the program queues, so they are few, and
//! the server prepares each once for a connection.

use super::statement::{Statement, Value};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

/// What is sent in one journey.
#[derive(Debug)]
pub(crate) struct Joined {
    pub(crate) sql: Arc<str>,
    pub(crate) values: Vec<Value>,
}

/// The journeys of these statements, in their order. The result of the last statement is the result of the last journey.
pub(crate) fn journeys(statements: Vec<Statement>) -> Vec<Joined> {
    let mut groups: Vec<Vec<Statement>> = Vec::new();
    let mut changed: Vec<&'static str> = Vec::new();
    for statement in statements {
        let joins = groups
            .last()
            .is_some_and(|group| may_follow(group, &changed, &statement));
        if !joins {
            groups.push(Vec::new());
            changed.clear();
        }
        changed.extend(changed_table(statement.sql));
        if let Some(group) = groups.last_mut() {
            group.push(statement);
        }
    }
    groups.into_iter().map(join).collect()
}

/// A statement that travels alone.
pub(crate) fn alone(statement: Statement) -> Joined {
    join(vec![statement])
}

/// Whether a statement can travel with those of a group, which change these tables.
fn may_follow(group: &[Statement], changed: &[&str], statement: &Statement) -> bool {
    let Some(last) = group.last() else {
        return false;
    };
    // A query in the group would have no reader, and a statement that is composed already stays as it is.
    changed_table(last.sql).is_some()
        && first_word(statement.sql) != "WITH"
        && !changed.iter().any(|table| names(statement.sql, table))
}

/// The table that a statement changes.
fn changed_table(sql: &'static str) -> Option<&'static str> {
    let rest = ["INSERT INTO ", "UPDATE ", "DELETE FROM "]
        .iter()
        .find_map(|verb| sql.strip_prefix(verb))?;
    rest.split(|char: char| !is_of_name(char)).next()
}

fn first_word(sql: &str) -> &str {
    sql.split_whitespace().next().unwrap_or_default()
}

/// Whether a text contains the name as a word.
fn names(sql: &str, name: &str) -> bool {
    sql.split(|char: char| !is_of_name(char))
        .any(|word| word == name)
}

fn is_of_name(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}

fn join(group: Vec<Statement>) -> Joined {
    let key: Vec<&'static str> = group.iter().map(|statement| statement.sql).collect();
    let counts: Vec<usize> = group
        .iter()
        .map(|statement| statement.values.len())
        .collect();
    let values = group
        .into_iter()
        .flat_map(|statement| statement.values)
        .collect();
    Joined {
        sql: known_text(key, &counts),
        values,
    }
}

fn known_text(key: Vec<&'static str>, counts: &[usize]) -> Arc<str> {
    static KNOWN: LazyLock<RwLock<HashMap<Vec<&'static str>, Arc<str>>>> =
        LazyLock::new(RwLock::default);
    // A panic during the lock cannot leave the map inconsistent: each change is one insertion.
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(text) = known.get(&key) {
        return Arc::clone(text);
    }
    drop(known);
    let text: Arc<str> = text(&key, counts).into();
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    known.insert(key, Arc::clone(&text));
    text
}

fn text(statements: &[&str], counts: &[usize]) -> String {
    let mut whole = String::new();
    let mut before = 0;
    for (place, (sql, count)) in statements.iter().zip(counts).enumerate() {
        let numbered = numbered(sql, before);
        before += count;
        let is_last = place + 1 == statements.len();
        match (place, is_last) {
            (_, true) => {
                if place > 0 {
                    whole.push(' ');
                }
                whole.push_str(&numbered);
            }
            (0, false) => whole.push_str(&format!("WITH q0 AS ({numbered})")),
            (_, false) => whole.push_str(&format!(", q{place} AS ({numbered})")),
        }
    }
    whole
}

/// The statement with `$1`, `$2` and so on for its values, as PostgreSQL requires, counted behind `before` other values.
pub(crate) fn numbered(sql: &str, before: usize) -> String {
    let mut text = String::with_capacity(sql.len() + 16);
    let mut place = 0;
    let mut rest = sql.chars().peekable();
    while let Some(char) = rest.next() {
        if char != '?' {
            text.push(char);
            continue;
        }
        let mut written = String::new();
        while let Some(digit) = rest.next_if(char::is_ascii_digit) {
            written.push(digit);
        }
        let own = written.parse().unwrap_or_else(|_| {
            place += 1;
            place
        });
        text.push('$');
        text.push_str(&(before + own).to_string());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn single(sql: &'static str) -> Statement {
        let values = sql.matches('?').map(|_| Value::from("x")).collect();
        Statement { sql, values }
    }

    fn check(statements: &[&'static str], sent: &[&str]) {
        let statements = statements.iter().map(|sql| single(sql)).collect();
        let joined = journeys(statements);
        let texts: Vec<&str> = joined.iter().map(|journey| &*journey.sql).collect();
        assert_eq!(texts, sent);
    }

    #[test]
    fn values_are_numbered_in_the_order_in_which_they_stand() {
        for (written, sent) in [
            ("SELECT 1", "SELECT 1"),
            ("a = ? AND b = ?", "a = $1 AND b = $2"),
            (
                "?1 IS NULL OR a = ?1 LIMIT ?10",
                "$1 IS NULL OR a = $1 LIMIT $10",
            ),
        ] {
            assert_eq!(numbered(written, 0), sent);
        }
        assert_eq!(numbered("a = ? AND b = ?", 3), "a = $4 AND b = $5");
        assert_eq!(numbered("a = ?2 AND b = ?1", 3), "a = $5 AND b = $4");
    }

    #[test]
    fn changes_of_different_tables_travel_together_and_with_the_query_behind_them() {
        check(
            &[
                "INSERT INTO note (words) VALUES (?)",
                "UPDATE page SET number = ? WHERE id = ?",
                "SELECT 1 FROM other WHERE id = ?",
            ],
            &[
                "WITH q0 AS (INSERT INTO note (words) VALUES ($1)), q1 AS (UPDATE page SET number = $2 WHERE id = $3) \
               SELECT 1 FROM other WHERE id = $4",
            ],
        );
    }

    #[test]
    fn what_names_a_changed_table_travels_behind_the_change() {
        check(
            &[
                "INSERT INTO note (words) VALUES (?)",
                "UPDATE note SET words = ?",
                "DELETE FROM page",
                "INSERT INTO copy SELECT words FROM page",
            ],
            &[
                "INSERT INTO note (words) VALUES ($1)",
                "WITH q0 AS (UPDATE note SET words = $1) DELETE FROM page",
                "INSERT INTO copy SELECT words FROM page",
            ],
        );
        // Part of another name is another table.
        check(
            &["DELETE FROM page", "DELETE FROM page_token"],
            &["WITH q0 AS (DELETE FROM page) DELETE FROM page_token"],
        );
    }

    #[test]
    fn a_query_or_a_composed_statement_is_never_inside_of_another() {
        check(
            &["SELECT 1", "DELETE FROM page"],
            &["SELECT 1", "DELETE FROM page"],
        );
        check(
            &["DELETE FROM page", "WITH a AS (SELECT 1) SELECT * FROM a"],
            &["DELETE FROM page", "WITH a AS (SELECT 1) SELECT * FROM a"],
        );
    }
}
