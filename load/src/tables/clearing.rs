//! Clearing files of the copies, as an acquirer sends them each week: a line for each payment, but for a few that no file has, and a few lines
//! that differ.
//!
//! Both that and what the gateway keeps of it are written by statements, because the import of so many lines takes hours.

use super::calendar::DAY_MS;
use super::database::Database;
use anyhow::Result;

/// Writes the files of this merchant up to this time.
pub(super) async fn write(database: &mut Database, merchant_id: &str, now_ms: i64) -> Result<()> {
    let missed_before_ms = now_ms - MISSING_AFTER_DAYS * DAY_MS;
    let file_id = database.digits("week", FILE_ID);
    let day = |ms: &str| format!("SUBSTR({}, 1, 10)", database.instant(ms));
    let (day_of_line, first_day, last_day) =
        (day("time_ms"), day("MIN(booked_ms)"), day("MAX(booked_ms)"));
    let hash = database.digits("number", FILE_ID);
    let paid = format!(
        "SELECT operation_id, terminal_id, order_id, time_ms, amount_minor, currency, time_ms / {WEEK_MS} AS week, \
         ROW_NUMBER() OVER (ORDER BY time_ms, operation_id) AS number, \
         ROW_NUMBER() OVER (PARTITION BY time_ms / {WEEK_MS} ORDER BY time_ms, operation_id) AS line FROM operation WHERE merchant_id = '{merchant_id}' \
         AND operation_type = 'AUTHORIZATION' AND result = 'EXECUTED' AND release_ms IS NULL AND time_ms < {missed_before_ms}"
    );
    for sql in [
        format!(
            "INSERT INTO settlement_scope (terminal_id, acquirer, since_ms, missing_after_days, compared_since_ms, compared_until_ms) \
             SELECT terminal_id, '', MIN(time_ms), {MISSING_AFTER_DAYS}, MIN(time_ms), {missed_before_ms} FROM ({paid}) AS paid GROUP BY terminal_id"
        ),
        format!(
            "INSERT INTO settlement_file (file_id, merchant_id, file_hash, file_name, mapping, terminal_ids, imported_ms, imported_by, line_count, \
             repeated_count, first_day, last_day) \
             SELECT {file_id}, '{merchant_id}', {file_id}, 'week.csv', 'Bench', MIN(terminal_id), MAX(time_ms), 'bench', COUNT(*), 0, '', '' \
             FROM ({paid}) AS paid WHERE number % {LEFT_OUT} <> 0 GROUP BY week"
        ),
        format!(
            "INSERT INTO settlement_line (file_id, line_number, merchant_id, line_hash, kind, difference, operation_id, operation_reference, \
             payout_id, booked_day, booked_ms, gross_minor, fee_minor, net_minor, currency) \
             SELECT {file_id}, line, '{merchant_id}', {hash}, 'PAYMENT', CASE WHEN number % {DIFFERING} = 1 THEN 'AMOUNT_DIFFERS' END, \
             operation_id, operation_id, 'week', {day_of_line}, time_ms, amount_minor, 0, amount_minor, currency \
             FROM ({paid}) AS paid WHERE number % {LEFT_OUT} <> 0"
        ),
        format!(
            "INSERT INTO settlement_unmatched (operation_id, merchant_id, time_ms) \
             SELECT operation_id, '{merchant_id}', time_ms FROM ({paid}) AS paid WHERE number % {LEFT_OUT} = 0"
        ),
        String::from(
            "INSERT INTO settlement_sum (file_id, payout_id, currency, line_count, gross_minor, fee_minor, net_minor) \
             SELECT file_id, payout_id, currency, COUNT(*), SUM(gross_minor), SUM(fee_minor), SUM(net_minor) FROM settlement_line \
             GROUP BY file_id, payout_id, currency",
        ),
        format!(
            "UPDATE settlement_file SET \
             first_day = (SELECT {first_day} FROM settlement_line l WHERE l.file_id = settlement_file.file_id), \
             last_day = (SELECT {last_day} FROM settlement_line l WHERE l.file_id = settlement_file.file_id)"
        ),
    ] {
        database.execute(sql).await?;
    }
    Ok(())
}

/// The file that has the payments of this time.
pub(super) fn file_of(time_ms: i64) -> String {
    format!("{:0FILE_ID$}", time_ms / WEEK_MS)
}

/// How many digits the id of a file has.
const FILE_ID: usize = 18;
const WEEK_MS: i64 = 7 * DAY_MS;
const MISSING_AFTER_DAYS: i64 = 5;

/// Of so many payments, no file has one.
const LEFT_OUT: i64 = 500;
/// Of so many lines, one differs.
const DIFFERING: i64 = 1000;
