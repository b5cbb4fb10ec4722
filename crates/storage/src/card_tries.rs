//! Tries to pay with cards, counted by what they have in common, to stop whoever tries out stolen cards.
//!
//! Cards, ranges, addresses and kinds of browsers are keyed hashes that are made for one merchant, so the rows say nothing about numbers or buyers. What
//! follows from the counts is decided in [`payframe_payment_domain::card_testing`].

use super::merchants::card_testing_of;
use super::{Connection, Row, StoreError, query};
use payframe_payment_domain::card_testing::{
    CardTestingSettings, EarlierTries, Listed, Rule, Tries,
};

/// What a try has in common with others.
pub struct TryOf<'a> {
    /// The operation that it becomes.
    pub operation_id: &'a str,
    /// The merchant.
    pub merchant_id: &'a str,
    /// The terminal.
    pub terminal_id: &'a str,
    /// The session.
    pub session_hash: &'a str,
    /// The card's hash.
    pub card_id: &'a str,
    /// The hash of the card's range.
    pub range_id: &'a str,
    /// The hash of the buyer's address, if it is known.
    pub address_id: Option<&'a str>,
    /// The hash of what the buyer's browser says of itself, if it is known.
    pub device_id: Option<&'a str>,
    /// The sum, such as `3545 EUR`.
    pub order_value: &'a str,
    /// Whether its card came with a proof of work.
    pub is_proven: bool,
}

/// What became of a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TryOutcome {
    /// It was admitted. It is not approved, or not yet.
    Admitted,
    /// It was approved.
    Approved,
    /// A rule refused it.
    Refused,
}

/// Where the card of a session was sent from.
pub struct CardSource {
    /// The hash of the buyer's address.
    pub address_id: String,
    /// The hash of what the buyer's browser says of itself. Empty: it was not known.
    pub device_id: String,
    /// What the terminal's lists say of the address.
    pub listed: Listed,
    /// Whether the card came with a proof of work.
    pub is_proven: bool,
}

/// The start of the times that count.
#[derive(Clone, Copy, Debug)]
pub struct CountedSince {
    /// Tries at the terminal, at all terminals of the merchant, and of one sum.
    pub at_terminal_ms: i64,
    /// All other tries.
    pub ms: i64,
}

/// The settings of a terminal's rules.
pub async fn settings(
    connection: &mut Connection,
    terminal_id: &str,
) -> Result<CardTestingSettings, StoreError> {
    let row = query(
        "SELECT card_testing, card_testing_limits, allowed_ranges, blocked_ranges, allowed_addresses, blocked_addresses \
         FROM terminal WHERE terminal_id = ?",
    )
    .bind(terminal_id)
    .fetch_optional(connection)
    .await?;
    card_testing_of(&row.ok_or(StoreError::Unreadable("terminal"))?)
}

/// What a terminal's rules know of a card before its tries are counted.
pub struct RulesForCard {
    /// The settings of the terminal's rules.
    pub settings: CardTestingSettings,
    /// How often issuers refused the card.
    pub refusals: i64,
    /// Whether members decided about tries of the merchant, and a decision is in force.
    pub has_reviews: bool,
}

/// What a terminal's rules know of a card, in one query: refusals after `refused_since_ms`, and whether decisions are in force now.
pub async fn rules_for_card(
    connection: &mut Connection,
    (merchant_id, terminal_id): (&str, &str),
    card_id: &str,
    (refused_since_ms, now_ms): (i64, i64),
) -> Result<RulesForCard, StoreError> {
    let row = query(
        "SELECT card_testing, card_testing_limits, allowed_ranges, blocked_ranges, allowed_addresses, blocked_addresses, \
         (SELECT COUNT(*) FROM card_refusal WHERE card_id = ? AND at_ms > ?) AS refusals, \
         EXISTS (SELECT 1 FROM card_try_review WHERE merchant_id = ? AND ends_ms > ?) AS has_reviews \
         FROM terminal WHERE terminal_id = ?",
    )
    .bind(card_id)
    .bind(refused_since_ms)
    .bind(merchant_id)
    .bind(now_ms)
    .bind(terminal_id)
    .fetch_optional(connection)
    .await?
    .ok_or(StoreError::Unreadable("terminal"))?;
    Ok(RulesForCard {
        settings: card_testing_of(&row)?,
        refusals: row.try_get("refusals")?,
        has_reviews: row.try_get("has_reviews")?,
    })
}

/// Writes down where the card of a session was sent from.
pub fn keep_source(
    connection: &mut Connection,
    session_hash: &str,
    source: &CardSource,
    at_ms: i64,
) {
    connection
        .enqueue(
            "INSERT INTO card_source (session_hash, address_id, device_id, listed, proven, at_ms) VALUES (?, ?, ?, ?, ?, ?) \
             ON CONFLICT (session_hash) DO UPDATE SET address_id = excluded.address_id, device_id = excluded.device_id, listed = excluded.listed, \
             proven = excluded.proven, at_ms = excluded.at_ms",
        )
        .bind(session_hash)
        .bind(&source.address_id)
        .bind(&source.device_id)
        .bind(listed_code(source.listed))
        .bind(i64::from(source.is_proven))
        .bind(at_ms);
}

/// Where the card of a session was sent from, if it is known.
pub async fn source(
    connection: &mut Connection,
    session_hash: &str,
) -> Result<Option<CardSource>, StoreError> {
    let row = query(
        "SELECT address_id, device_id, listed, proven FROM card_source WHERE session_hash = ?",
    )
    .bind(session_hash)
    .fetch_optional(connection)
    .await?;
    let read = |row: Row| {
        Ok(CardSource {
            address_id: row.try_get("address_id")?,
            device_id: row.try_get("device_id")?,
            listed: match row.try_get("listed")? {
                ALLOWED => Listed::Allowed,
                BLOCKED => Listed::Blocked,
                _ => Listed::No,
            },
            is_proven: row.try_get::<i64>("proven")? != 0,
        })
    };
    row.map(read).transpose()
}

/// Counts the tries before this one. Of many, no more than [`MOST_COUNTED`] are counted.
pub async fn earlier(
    connection: &mut Connection,
    what: &TryOf<'_>,
    since: CountedSince,
) -> Result<EarlierTries, StoreError> {
    let unapproved = count(connection, what, since, TryOutcome::Admitted, MOST_COUNTED).await?;
    // More than twice as many approvals change no decision, and without a failure none does.
    let enough = 2 * i64::from(unapproved.into_iter().max().unwrap_or(0));
    let approved = match enough {
        0 => [0; 8],
        enough => count(connection, what, since, TryOutcome::Approved, enough).await?,
    };
    let [
        card,
        session,
        address,
        range,
        terminal,
        merchant,
        device,
        order_value,
    ] = std::array::from_fn(|index| Tries {
        unapproved: unapproved[index],
        approved: approved[index],
    });
    Ok(EarlierTries {
        card,
        session,
        address,
        range,
        terminal,
        merchant,
        device,
        order_value,
        proven: None,
    })
}

/// Counts the tries at a terminal that came with a proof of work.
pub async fn proven(
    connection: &mut Connection,
    terminal_id: &str,
    since_ms: i64,
) -> Result<Tries, StoreError> {
    let rows = query(
        "SELECT outcome, COUNT(*) AS counted FROM card_try WHERE terminal_id = ? AND outcome IN ('ADMITTED', 'APPROVED') \
         AND at_ms > ? AND proven = 1 GROUP BY outcome",
    )
    .bind(terminal_id)
    .bind(since_ms)
    .fetch_all(connection)
    .await?;
    tries_of(&rows)
}

/// Whether this session, or anybody at this address of a merchant's buyers, has tried a card.
pub async fn has_tried(
    connection: &mut Connection,
    session_hash: &str,
    merchant_id: &str,
    address_id: Option<&str>,
    since_ms: i64,
) -> Result<bool, StoreError> {
    let found = query(
        "SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM card_try WHERE session_hash = ? AND at_ms > ?) \
         OR EXISTS (SELECT 1 FROM card_try WHERE merchant_id = ? AND address_id = ? AND at_ms > ?)",
    )
    .bind(session_hash)
    .bind(since_ms)
    .bind(merchant_id)
    .bind(address_id.unwrap_or(""))
    .bind(since_ms)
    .fetch_optional(connection)
    .await?;
    Ok(found.is_some())
}

async fn count(
    connection: &mut Connection,
    what: &TryOf<'_>,
    since: CountedSince,
    outcome: TryOutcome,
    most: i64,
) -> Result<[u32; 8], StoreError> {
    let outcome = outcome.code();
    let row = query(
        "SELECT \
         (SELECT COUNT(*) FROM (SELECT 1 FROM card_try WHERE merchant_id = ? AND card_id = ? AND outcome = ? AND at_ms > ? LIMIT ?) a) AS card, \
         (SELECT COUNT(*) FROM (SELECT 1 FROM card_try WHERE session_hash = ? AND outcome = ? AND at_ms > ? LIMIT ?) b) AS session, \
         (SELECT COUNT(*) FROM (SELECT 1 FROM card_try WHERE merchant_id = ? AND address_id = ? AND outcome = ? AND at_ms > ? LIMIT ?) c) AS address, \
         (SELECT COUNT(*) FROM (SELECT 1 FROM card_try WHERE merchant_id = ? AND range_id = ? AND outcome = ? AND at_ms > ? LIMIT ?) d) AS number_range, \
         (SELECT COUNT(*) FROM (SELECT 1 FROM card_try WHERE terminal_id = ? AND outcome = ? AND at_ms > ? LIMIT ?) e) AS terminal, \
         (SELECT COUNT(*) FROM (SELECT 1 FROM card_try WHERE terminal_id IN (SELECT terminal_id FROM terminal WHERE merchant_id = ? \
         AND terminal_id NOT IN (SELECT terminal_id FROM terminal_attack WHERE merchant_id = ?)) AND outcome = ? AND at_ms > ? LIMIT ?) f) AS merchant, \
         (SELECT COUNT(*) FROM (SELECT 1 FROM card_try WHERE merchant_id = ? AND device_id = ? AND outcome = ? AND at_ms > ? LIMIT ?) g) AS device, \
         (SELECT COUNT(*) FROM (SELECT 1 FROM card_try WHERE merchant_id = ? AND order_value = ? AND outcome = ? AND at_ms > ? LIMIT ?) h) AS order_value",
    )
    .bind(what.merchant_id).bind(what.card_id).bind(outcome).bind(since.ms).bind(most)
    .bind(what.session_hash).bind(outcome).bind(since.ms).bind(most)
    .bind(what.merchant_id).bind(what.address_id.unwrap_or("")).bind(outcome).bind(since.ms).bind(most)
    .bind(what.merchant_id).bind(what.range_id).bind(outcome).bind(since.ms).bind(most)
    .bind(what.terminal_id).bind(outcome).bind(since.at_terminal_ms).bind(most)
    .bind(what.merchant_id).bind(what.merchant_id).bind(outcome).bind(since.at_terminal_ms).bind(most)
    .bind(what.merchant_id).bind(what.device_id.unwrap_or("")).bind(outcome).bind(since.ms).bind(most)
    .bind(what.merchant_id).bind(what.order_value).bind(outcome).bind(since.at_terminal_ms).bind(most)
    .fetch_optional(connection)
    .await?
    .ok_or(StoreError::Unreadable("card tries"))?;
    let number = |column| {
        let counted: i64 = row.try_get(column)?;
        u32::try_from(counted).map_err(|_| StoreError::Unreadable("card tries"))
    };
    Ok([
        number("card")?,
        number("session")?,
        number("address")?,
        number("number_range")?,
        number("terminal")?,
        number("merchant")?,
        number("device")?,
        number("order_value")?,
    ])
}

/// The tries at a terminal.
pub async fn at_terminal(
    connection: &mut Connection,
    terminal_id: &str,
    since_ms: i64,
) -> Result<Tries, StoreError> {
    let rows = query(
        "SELECT outcome, COUNT(*) AS counted FROM card_try WHERE terminal_id = ? AND outcome IN ('ADMITTED', 'APPROVED') \
         AND at_ms > ? GROUP BY outcome",
    )
    .bind(terminal_id)
    .bind(since_ms)
    .fetch_all(connection)
    .await?;
    tries_of(&rows)
}

fn tries_of(rows: &[Row]) -> Result<Tries, StoreError> {
    let mut tries = Tries::default();
    for row in rows {
        let counted: i64 = row.try_get("counted")?;
        let counted = u32::try_from(counted).unwrap_or(u32::MAX);
        match TryOutcome::from_code(row.try_get("outcome")?) {
            Some(TryOutcome::Approved) => tries.approved = counted,
            Some(TryOutcome::Admitted) => tries.unapproved = counted,
            Some(TryOutcome::Refused) | None => {}
        }
    }
    Ok(tries)
}

/// How many tries at a terminal each rule stopped, or let pass only with a challenge.
pub async fn stopped(
    connection: &mut Connection,
    terminal_id: &str,
    since_ms: i64,
) -> Result<Vec<(Rule, i64)>, StoreError> {
    let rows = query(
        "SELECT rule, COUNT(*) AS counted FROM card_try WHERE terminal_id = ? AND rule IS NOT NULL AND at_ms > ? \
         GROUP BY rule ORDER BY rule",
    )
    .bind(terminal_id)
    .bind(since_ms)
    .fetch_all(connection)
    .await?;
    let mut stopped = Vec::new();
    for row in &rows {
        if let Some(rule) = Rule::from_code(row.try_get("rule")?) {
            stopped.push((rule, row.try_get("counted")?));
        }
    }
    Ok(stopped)
}

/// Writes a try down.
pub fn add(
    connection: &mut Connection,
    what: &TryOf<'_>,
    outcome: TryOutcome,
    rule: Option<Rule>,
    at_ms: i64,
) {
    connection
        .enqueue(
            "INSERT INTO card_try (operation_id, merchant_id, terminal_id, session_hash, card_id, range_id, address_id, device_id, order_value, proven, \
             at_ms, outcome, rule, rule_subject) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (operation_id) DO NOTHING",
        )
        .bind(what.operation_id)
        .bind(what.merchant_id)
        .bind(what.terminal_id)
        .bind(what.session_hash)
        .bind(what.card_id)
        .bind(what.range_id)
        .bind(what.address_id)
        .bind(what.device_id)
        .bind(what.order_value)
        .bind(i64::from(what.is_proven))
        .bind(at_ms)
        .bind(outcome.code())
        .bind(rule.map(Rule::code))
        .bind(rule.and_then(|rule| what.subject(rule)));
}

/// A try that was written down: what became of it, and the rule that it met.
pub async fn find(
    connection: &mut Connection,
    operation_id: &str,
) -> Result<Option<(TryOutcome, Option<Rule>)>, StoreError> {
    let row = query("SELECT outcome, rule FROM card_try WHERE operation_id = ?")
        .bind(operation_id)
        .fetch_optional(connection)
        .await?;
    let read = |row: Row| {
        let outcome = TryOutcome::from_code(row.try_get("outcome")?);
        let rule: Option<&str> = row.try_get("rule")?;
        Ok((
            outcome.ok_or(StoreError::Unreadable("card try"))?,
            rule.and_then(Rule::from_code),
        ))
    };
    row.map(read).transpose()
}

/// Changes what became of a try. Without such a try, nothing happens.
pub fn conclude(connection: &mut Connection, operation_id: &str, outcome: TryOutcome) {
    connection
        .enqueue("UPDATE card_try SET outcome = ? WHERE operation_id = ?")
        .bind(outcome.code())
        .bind(operation_id);
}

impl TryOf<'_> {
    /// What a rule counts it by: a hash or an id. `None`: that is not known of it.
    pub(super) fn subject(&self, rule: Rule) -> Option<&str> {
        match rule {
            Rule::Card => Some(self.card_id),
            Rule::Session => Some(self.session_hash),
            Rule::Address | Rule::BlockedAddress => self.address_id,
            Rule::Range | Rule::BlockedRange => Some(self.range_id),
            Rule::Terminal => Some(self.terminal_id),
            Rule::Merchant => Some(self.merchant_id),
            Rule::Device => self.device_id,
            Rule::OrderValue => Some(self.order_value),
        }
    }
}

impl TryOutcome {
    fn code(self) -> &'static str {
        match self {
            TryOutcome::Admitted => "ADMITTED",
            TryOutcome::Approved => "APPROVED",
            TryOutcome::Refused => "REFUSED",
        }
    }

    pub(super) fn from_code(code: &str) -> Option<TryOutcome> {
        [
            TryOutcome::Admitted,
            TryOutcome::Approved,
            TryOutcome::Refused,
        ]
        .into_iter()
        .find(|outcome| outcome.code() == code)
    }
}

fn listed_code(listed: Listed) -> &'static str {
    match listed {
        Listed::No => "",
        Listed::Allowed => ALLOWED,
        Listed::Blocked => BLOCKED,
    }
}

const ALLOWED: &str = "ALLOWED";
const BLOCKED: &str = "BLOCKED";

/// A limit is reached long before; more is not worth counting.
const MOST_COUNTED: i64 = 100_000;
