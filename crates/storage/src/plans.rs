//! No list, no search and no look-up reads a table from its beginning to its end: the plan of each statement is asked of the database.
//!
//! The tests run on a file, and also on a server if `PAYFRAME_TEST_DATABASE` names one.

mod clearing;
mod questions;
mod rows;

use self::questions::statements;
use self::rows::{ROWS, filled, written};
use super::beginning::{literal, type_of};
use super::joined::alone;
use super::statement::{Statement, Value, add_to_sqlite};
use super::{Store, query};
use crate::own_server::OwnServer;
use crate::{StorageSettings, Subject};
use sqlx::sqlite::SqliteArguments;
use sqlx::{ConnectOptions, Executor as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Tables that grow with the payments.
const LARGE: [&str; 14] = [
    "merchant_order",
    "operation",
    "earlier_card",
    "build_session",
    "notification",
    "notification_attempt",
    "event",
    "contract",
    "hosted_page",
    "stored_answer",
    "dispute",
    "order_fulfilment",
    "book_open_order",
    "settlement_line",
];

/// A page of a list takes some thousand steps of SQLite's machine. To look at each row of a table takes more than ten for each.
const MOST_STEPS: u64 = 60_000;

/// The steps of the plan of a statement.
async fn plan(store: &Store, sql: &str, values: &[Value]) -> Vec<String> {
    let explained: &'static str = match store.is_shared() {
        true => format!("EXPLAIN (ANALYZE, COSTS OFF) {sql}").leak(),
        false => format!("EXPLAIN QUERY PLAN {sql}").leak(),
    };
    let mut question = query(explained);
    for value in values {
        question = question.bind(value.clone());
    }
    let mut change = store.write(crate::Subject::Statement).await.unwrap();
    let rows = question.fetch_all(&mut change).await;
    let rows = rows.unwrap_or_else(|problem| panic!("{problem}: {sql}"));
    rows.iter()
        .map(|row| match store.is_shared() {
            true => row.first::<String>().unwrap(),
            false => row.try_get::<String>("detail").unwrap(),
        })
        .collect()
}

/// The steps of the plan that a server has for a statement after [`CALLS_WITH_PLANS`] calls: from then on it uses one for all values, if that
/// seems as good as those for the values of each call.
async fn later_plan(store: &Store, sql: &'static str, values: &[Value]) -> Vec<String> {
    let sql = alone(Statement {
        sql,
        values: values.to_vec(),
    })
    .sql;
    let types: Vec<_> = values.iter().map(type_of).collect();
    let values: Vec<_> = values.iter().map(|value| literal(value).unwrap()).collect();
    let call = match values.is_empty() {
        true => String::from("asked"),
        false => format!("asked ({})", values.join(", ")),
    };
    let prepare = match types.is_empty() {
        true => format!("PREPARE asked AS {sql}"),
        false => format!("PREPARE asked ({}) AS {sql}", types.join(", ")),
    };
    let mut change = store.write(Subject::Statement).await.unwrap();
    let mut rows = Vec::new();
    let early = vec![format!("EXPLAIN EXECUTE {call}"); CALLS_WITH_PLANS];
    let last = format!("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE {call}");
    for sql in [prepare].into_iter().chain(early).chain([last]) {
        let sql: &'static str = sql.leak();
        let asked = query(sql).fetch_all(&mut change).await;
        rows = asked.unwrap_or_else(|problem| panic!("{problem}: {sql}"));
    }
    query("DEALLOCATE asked")
        .execute(&mut change)
        .await
        .unwrap();
    rows.iter()
        .map(|row| row.first::<String>().unwrap())
        .collect()
}

/// How often PostgreSQL plans a statement for the values of a call.
const CALLS_WITH_PLANS: usize = 5;

/// The rows that a step of a server's plan gives, in all its turns.
fn rows_of(step: &str) -> i64 {
    let count = |name: &str| {
        let (_, rest) = step.split_once(name)?;
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse::<i64>().ok()
    };
    count(" rows=").unwrap_or(0) * count(" loops=").unwrap_or(0)
}

/// Whether a step reads a large table as a whole.
fn reads_all(step: &str, sql: &str) -> bool {
    if rows_of(step) > ROWS / 4 {
        return true;
    }
    if let Some((_, rest)) = step.split_once("Rows Removed by Filter: ") {
        return rest.trim().parse().is_ok_and(|rows: i64| rows > ROWS / 10);
    }
    if let Some((_, rest)) = step.split_once("Seq Scan on ") {
        let table = rest.split(' ').next().unwrap_or_default();
        return LARGE.contains(&table);
    }
    let Some(name) = step.strip_prefix("SCAN ") else {
        return false;
    };
    let name = name.split(' ').next().unwrap_or_default();
    // By the name of the table, or by another that the statement gives it.
    LARGE.iter().any(|table| {
        name == *table
            || ["FROM", "JOIN"].iter().any(|word| {
                sql.contains(&format!("{word} {table} {name} "))
                    || sql.contains(&format!("{word} {table} AS {name} "))
            })
    })
}

fn must_be_none(bad: &[String]) {
    assert!(
        bad.is_empty(),
        "these statements read a large part of a large table; give each an index or another form:\n\n{}",
        bad.join("\n\n")
    );
}

#[tokio::test]
async fn no_statement_reads_a_large_part_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let settings = StorageSettings {
        folder: folder.path().to_owned(),
        server_url: None,
    };
    let store = filled(&settings).await;
    let asked = statements(&store).await;
    let mut bad = bad_in_a_file(&store, folder.path(), &asked).await;
    // Of two indices that seem as good as each other, SQLite takes the one that was made later.
    make_indices_in_reverse(&store).await;
    bad.extend(bad_in_a_file(&store, folder.path(), &asked).await);
    must_be_none(&bad);
}

/// Makes all indices of a file again, the last one first.
async fn make_indices_in_reverse(store: &Store) {
    let mut change = store.write(Subject::Statement).await.unwrap();
    let of_tables = query(
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY rowid DESC",
    );
    let mut made = Vec::new();
    for row in of_tables.fetch_all(&mut change).await.unwrap() {
        let name: String = row.try_get("name").unwrap();
        let drop: &'static str = format!("DROP INDEX {name}").leak();
        query(drop).execute(&mut change).await.unwrap();
        made.push(row.try_get::<String>("sql").unwrap());
    }
    for sql in made {
        let create: &'static str = sql.leak();
        query(create).execute(&mut change).await.unwrap();
    }
    change.commit().await.unwrap();
}

/// The statements that take too long in the file of this folder.
async fn bad_in_a_file(
    store: &Store,
    folder: &Path,
    asked: &[(&'static str, Vec<Value>)],
) -> Vec<String> {
    let options = crate::sqlite_options(&folder.join(crate::FILE));
    let mut connection = options.connect().await.unwrap();
    let steps = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&steps);
    let mut handle = connection.lock_handle().await.unwrap();
    handle.set_progress_handler(100, move || {
        counted.fetch_add(100, Ordering::Relaxed);
        true
    });
    drop(handle);
    let mut bad = Vec::new();
    for (sql, values) in asked {
        let mut arguments = SqliteArguments::default();
        add_to_sqlite(values.clone(), &mut arguments).unwrap();
        connection.execute("BEGIN").await.unwrap();
        steps.store(0, Ordering::Relaxed);
        let done = sqlx::query_with(*sql, arguments).fetch_all(&mut connection);
        done.await.unwrap();
        let taken = steps.load(Ordering::Relaxed);
        connection.execute("ROLLBACK").await.unwrap();
        let plan = plan(store, sql, values).await;
        // The plan of an insertion has how rows would be searched that refer to the new one. That is done only where one was there before it.
        let is_insertion = sql.starts_with("INSERT") && sql.contains(" VALUES ");
        let reads_all = !is_insertion && plan.iter().any(|step| reads_all(step, sql));
        if taken > MOST_STEPS || reads_all {
            bad.push(format!("{taken} steps: {sql}\n    {}", plan.join("\n    ")));
        }
    }
    bad
}

#[tokio::test]
async fn no_statement_reads_a_large_part_of_a_server() {
    let Some(server) = OwnServer::begin("plans").await else {
        return;
    };
    let store = filled(server.settings()).await;
    let mut bad = Vec::new();
    for (sql, values) in statements(&store).await {
        for plan in [
            plan(&store, sql, &values).await,
            later_plan(&store, sql, &values).await,
        ] {
            if plan.iter().any(|step| reads_all(step, sql)) {
                bad.push(format!("{sql}\n    {}", plan.join("\n    ")));
            }
        }
    }
    server.end().await;
    must_be_none(&bad);
}

#[tokio::test]
async fn the_lock_of_an_order_reads_few_pages_of_a_server() {
    let Some(server) = OwnServer::begin("lock_plans").await else {
        return;
    };
    let store = filled(server.settings()).await;
    let mut read = Vec::new();
    for subject in [
        Subject::Session("s77"),
        Subject::Operation("100000000000000077"),
    ] {
        read.push(pages(&store, subject.lock().unwrap()).await);
    }
    server.end().await;
    // A table of all these orders has hundreds.
    assert!(read.iter().all(|pages| (1..20).contains(pages)), "{read:?}");
}

#[tokio::test]
async fn what_triggers_make_of_a_later_operation_reads_few_pages_of_a_server() {
    let Some(server) = OwnServer::begin("trigger_plans").await else {
        return;
    };
    // Without statistics, as in the first hours of a gateway.
    let store = written(server.settings()).await;
    let called = pages(&store, query("SELECT put_earlier_cards('demo', 'o77')")).await;
    server.end().await;
    assert!((1..50).contains(&called), "{called}");
}

/// How many pages of tables and indexes the server reads for a statement, with the functions that it calls.
async fn pages(store: &Store, statement: Statement) -> u64 {
    let sql: &'static str = format!("EXPLAIN (ANALYZE, BUFFERS) {}", statement.sql).leak();
    let explained = Statement { sql, ..statement };
    let mut change = store.write(Subject::Statement).await.unwrap();
    // The first one also plans.
    for _ in 0..2 {
        explained.clone().fetch_all(&mut change).await.unwrap();
    }
    let rows = explained.clone().fetch_all(&mut change).await.unwrap();
    let buffers = rows
        .iter()
        .map(|row| row.first::<String>().unwrap())
        .find(|step| step.contains("Buffers: "))
        .unwrap();
    buffers
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse::<u64>().ok())
        .sum()
}
