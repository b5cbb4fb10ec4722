//! Stopped tries by what stopped them, and what members decided about them ([`payframe_payment_domain::card_testing::Verdict`]).
//! [`super::card_tries`] writes and counts the tries, [`super::stopped_tries`] lists them one by one.

use super::card_tries::TryOf;
use super::{Connection, Row, RowPlace, StoreError, query};
use payframe_payment_domain::card_testing::{Rule, Verdict, Verdicts};

/// Tries that one rule stopped for one reason: one card, one address, one terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TryGroup {
    /// The rule.
    pub rule: Rule,
    /// What it counted by: a hash or an id.
    pub subject: String,
    /// How many tries there are.
    pub tries: i64,
    /// How many of them were paid after a challenge.
    pub paid: i64,
    /// The first of them.
    pub first_ms: i64,
    /// The last of them.
    pub last_ms: i64,
    /// One of their terminals, and whether there are others.
    pub terminal_id: String,
    /// How many terminals there are.
    pub terminals: i64,
    /// The operation of one of them, which names the group.
    pub operation_id: String,
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// Its id.
    pub review_id: String,
    /// The merchant.
    pub merchant_id: String,
    /// The rule that stopped the tries.
    pub rule: Rule,
    /// What the rule counted by.
    pub subject: String,
    /// What was decided.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// The member who decided.
    pub member_id: String,
    /// How many tries the member saw.
    pub tries: i64,
    /// The terminal of one of them.
    pub terminal_id: String,
    /// When.
    pub at_ms: i64,
    /// Until when it is in force.
    pub ends_ms: i64,
}

/// A decision with the name of who decided.
pub struct ListedReview {
    /// The decision.
    pub review: Review,
    /// The member's present name.
    pub member: Option<String>,
}

/// The decisions in force about what a try has in common with others.
pub async fn in_force(
    connection: &mut Connection,
    what: &TryOf<'_>,
    now_ms: i64,
) -> Result<Verdicts, StoreError> {
    let mut statement = query(
        "SELECT rule, subject, verdict FROM card_try_review \
         WHERE merchant_id = ? AND subject IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) AND ends_ms > ? ORDER BY at_ms, review_id",
    )
    .bind(what.merchant_id);
    for rule in Rule::ALL {
        statement = statement.bind(what.subject(rule).unwrap_or_default());
    }
    let rows = statement.bind(now_ms).fetch_all(connection).await?;
    let mut found = Vec::new();
    for row in &rows {
        let (rule, verdict) = (rule_of(row)?, verdict_of(row)?);
        if what.subject(rule) == Some(row.try_get("subject")?) {
            found.push((rule, verdict));
        }
    }
    Ok(found.into_iter().collect())
}

/// The groups of a merchant's stopped tries that nobody has decided about, those with the newest tries first, at most `max`. Only the
/// newest [`MOST_LOOKED_AT`] tries are looked at.
pub async fn undecided(
    connection: &mut Connection,
    merchant_id: &str,
    max: i64,
) -> Result<Vec<TryGroup>, StoreError> {
    let rows = query(UNDECIDED)
        .bind(merchant_id)
        .bind(MOST_LOOKED_AT)
        .bind("")
        .bind(max)
        .fetch_all(connection)
        .await?;
    rows.iter().map(group).collect()
}

/// The group of the stopped try with this operation, unless it is decided about.
pub async fn group_of(
    connection: &mut Connection,
    merchant_id: &str,
    operation_id: &str,
) -> Result<Option<TryGroup>, StoreError> {
    let row = query(UNDECIDED)
        .bind(merchant_id)
        .bind(MOST_LOOKED_AT)
        .bind(operation_id)
        .bind(1_i64)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(group).transpose()
}

/// Writes a decision down.
pub fn add(connection: &mut Connection, review: &Review) {
    connection
        .enqueue(
            "INSERT INTO card_try_review (review_id, merchant_id, rule, subject, verdict, reason, member_id, tries, terminal_id, at_ms, ends_ms) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(&review.review_id)
        .bind(&review.merchant_id)
        .bind(review.rule.code())
        .bind(&review.subject)
        .bind(review.verdict.code())
        .bind(&review.reason)
        .bind(&review.member_id)
        .bind(review.tries)
        .bind(&review.terminal_id)
        .bind(review.at_ms)
        .bind(review.ends_ms);
}

/// Ends a decision that is in force. `None`: the merchant has none with this id, or it is over.
pub async fn end(
    connection: &mut Connection,
    merchant_id: &str,
    review_id: &str,
    now_ms: i64,
) -> Result<Option<Review>, StoreError> {
    let row = query(
        "UPDATE card_try_review SET ends_ms = ?1 WHERE merchant_id = ?2 AND review_id = ?3 AND ends_ms > ?1 RETURNING *",
    )
    .bind(now_ms)
    .bind(merchant_id)
    .bind(review_id)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(review).transpose()
}

impl Review {
    /// Its place in the list.
    pub fn place(&self) -> RowPlace {
        RowPlace {
            at_ms: self.at_ms,
            id: self.review_id.clone(),
        }
    }
}

/// The decisions of a merchant, newest first, at most `max`.
pub async fn list(
    connection: &mut Connection,
    merchant_id: &str,
    behind: Option<&RowPlace>,
    max: i64,
) -> Result<Vec<ListedReview>, StoreError> {
    let (at_ms, review_id) = RowPlace::bounds(behind);
    let rows = query(
        "SELECT r.*, m.name FROM card_try_review r LEFT JOIN member m ON m.member_id = r.member_id \
         WHERE r.merchant_id = ?1 AND r.at_ms <= ?2 AND (r.at_ms < ?2 OR r.review_id < ?3) \
         ORDER BY r.at_ms DESC, r.review_id DESC LIMIT ?4",
    )
    .bind(merchant_id)
    .bind(at_ms)
    .bind(review_id)
    .bind(max)
    .fetch_all(connection)
    .await?;
    let listed = |row: &Row| {
        Ok(ListedReview {
            review: review(row)?,
            member: row.try_get("name")?,
        })
    };
    rows.iter().map(listed).collect()
}

fn group(row: &Row) -> Result<TryGroup, StoreError> {
    Ok(TryGroup {
        rule: rule_of(row)?,
        subject: row.try_get("subject")?,
        tries: row.try_get("tries")?,
        paid: row.try_get("paid")?,
        first_ms: row.try_get("first_ms")?,
        last_ms: row.try_get("last_ms")?,
        terminal_id: row.try_get("terminal_id")?,
        terminals: row.try_get("terminals")?,
        operation_id: row.try_get("operation_id")?,
    })
}

fn review(row: &Row) -> Result<Review, StoreError> {
    Ok(Review {
        review_id: row.try_get("review_id")?,
        merchant_id: row.try_get("merchant_id")?,
        rule: rule_of(row)?,
        subject: row.try_get("subject")?,
        verdict: verdict_of(row)?,
        reason: row.try_get("reason")?,
        member_id: row.try_get("member_id")?,
        tries: row.try_get("tries")?,
        terminal_id: row.try_get("terminal_id")?,
        at_ms: row.try_get("at_ms")?,
        ends_ms: row.try_get("ends_ms")?,
    })
}

fn rule_of(row: &Row) -> Result<Rule, StoreError> {
    Rule::from_code(row.try_get("rule")?).ok_or(StoreError::Unreadable("rule"))
}

fn verdict_of(row: &Row) -> Result<Verdict, StoreError> {
    Verdict::from_code(row.try_get("verdict")?).ok_or(StoreError::Unreadable("verdict"))
}

/// Tries after the end of a decision are new. With an operation (3), only the group in which it is.
const UNDECIDED: &str = "SELECT t.rule, t.rule_subject AS subject, COUNT(*) AS tries, \
     COUNT(CASE WHEN t.outcome = 'APPROVED' THEN 1 END) AS paid, MIN(t.at_ms) AS first_ms, MAX(t.at_ms) AS last_ms, \
     MAX(t.terminal_id) AS terminal_id, COUNT(DISTINCT t.terminal_id) AS terminals, MAX(t.operation_id) AS operation_id \
     FROM (SELECT * FROM card_try WHERE merchant_id = ?1 AND rule IS NOT NULL ORDER BY at_ms DESC, operation_id DESC LIMIT ?2) t \
     WHERE t.rule_subject IS NOT NULL AND NOT EXISTS (SELECT 1 FROM card_try_review r WHERE r.merchant_id = ?1 \
     AND r.subject = t.rule_subject AND r.rule = t.rule AND r.ends_ms >= t.at_ms) \
     GROUP BY t.rule, t.rule_subject HAVING ?3 = '' OR COUNT(CASE WHEN t.operation_id = ?3 THEN 1 END) > 0 \
     ORDER BY last_ms DESC, t.rule, t.rule_subject LIMIT ?4";

/// More tries than a person looks at.
const MOST_LOOKED_AT: i64 = 5_000;
