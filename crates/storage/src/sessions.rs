//! Build sessions.

use super::{
    Connection, Row, Statement, Store, StoreError, Subject, Write, amount, contracts, method_codes,
    methods_of, minor, query, query_scalar, state_document,
};
use payframe_money::Amount;
use payframe_payment_domain::billing_address::BillingAddressFields;
use payframe_payment_domain::card_on_file::{CardOnFileTerms, Consent, SavedCards};
use payframe_payment_domain::operation::{ActionType, Capture};
use payframe_payment_domain::reservation::charges::Charge;
use payframe_payment_domain::session::{Counters, Session};
use payframe_payment_domain::sum::Sum;
use payframe_payment_domain::terms::{
    CaptureInitiator, Channel, FramingPages, RedirectHandler, Terms, Version,
};
use payframe_payment_domain::wallet::Wallet;

/// A stored session.
#[derive(Clone, Debug)]
pub struct SessionRow {
    /// The hash of its id.
    pub hash: String,
    /// The terms that are fixed at its creation. The currency alone may change with the amount.
    pub terms: Terms,
    /// The amount.
    pub amount: Amount,
    /// Its state.
    pub session: Session,
    /// The buyer's last activity.
    pub last_seen_ms: i64,
    /// When it expires at the latest.
    pub ends_ms: i64,
    /// When the periodic job must check it next.
    pub wake_ms: i64,
    /// The card, encrypted, if there is one.
    pub encrypted_card: Option<Vec<u8>>,
}

impl SessionRow {
    /// The sum that it charges.
    pub fn sum(&self) -> Sum {
        Sum {
            amount: self.amount,
            currency: self.terms.currency.clone(),
        }
    }
}

/// A session by its id's hash.
pub async fn find(
    connection: &mut Connection,
    hash: &str,
) -> Result<Option<SessionRow>, StoreError> {
    let row = by_hash(hash).fetch_optional(connection).await?;
    row.as_ref().map(session_of).transpose()
}

/// Starts a change of a session's order, and reads the session in it.
pub async fn begin_change(
    store: &Store,
    hash: &str,
) -> Result<(Write, Option<SessionRow>), StoreError> {
    let (write, row) = store
        .0
        .write_reading(Subject::Session(hash), Some(by_hash(hash)))
        .await?;
    Ok((write, row.as_ref().map(session_of).transpose()?))
}

/// A session, with its card.
fn by_hash(hash: &str) -> Statement {
    query(
        "SELECT s.*, c.sealed AS sealed_card FROM build_session s \
         LEFT JOIN sealed_card c ON c.session_hash = s.session_hash WHERE s.session_hash = ?",
    )
    .bind(hash)
}

/// Writes a new session.
pub fn add(connection: &mut Connection, row: &SessionRow, now_ms: i64) -> Result<(), StoreError> {
    let terms = &row.terms;
    let document = state_document::write(&row.session.state)?;
    connection.enqueue(
        "INSERT INTO build_session (session_hash, merchant_id, terminal_id, order_id, version, merchant_origin, \
         action_type, capture, language, challenge_wish, result_url, cancel_url, notification_url, security_token, \
         trace_id, closing, card_summary, currency, amount_minor, attempts_left, submissions, state, state_document, \
         created_ms, last_seen_ms, ends_ms, wake_ms, methods, channel_detail, contract_wish, hosted_page_id, \
         announced_operation_id, wallet, redirect, installments, saved_cards, consent, consent_text, charge, ancestor_origins, \
         billing_address) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(&row.hash)
    .bind(&terms.merchant_id)
    .bind(&terms.terminal_id)
    .bind(&terms.order_id)
    .bind(i64::from(terms.version.number()))
    .bind(&terms.framing.merchant)
    .bind(terms.action.code())
    .bind(terms.capture.code())
    .bind(&terms.language)
    .bind(&terms.challenge_preference)
    .bind(&terms.result_url)
    .bind(&terms.cancel_url)
    .bind(&terms.notification_url)
    .bind(&terms.security_token)
    .bind(&terms.trace_id)
    .bind(terms.capture_initiator.code())
    .bind(&terms.card_summary)
    .bind(&terms.currency)
    .bind(minor(row.amount))
    .bind(i64::from(row.session.counters.attempts_left))
    .bind(i64::from(row.session.counters.submissions))
    .bind(state_document::name(&row.session.state))
    .bind(document)
    .bind(now_ms)
    .bind(row.last_seen_ms)
    .bind(row.ends_ms)
    .bind(row.wake_ms)
    .bind(method_codes(&terms.methods))
    .bind(terms.channel.code())
    .bind(terms.contract.as_ref().map(contracts::write_contract_intent))
    .bind(&terms.hosted_page)
    .bind(&terms.preassigned_operation_id)
    .bind(terms.wallet.map(Wallet::code))
    .bind(terms.redirect_handler.code())
    .bind(written(&terms.installments))
    .bind(terms.card_on_file.saved.code())
    .bind(terms.card_on_file.consent.code())
    .bind(&terms.card_on_file.text)
    .bind(terms.charge.map(Charge::code))
    .bind(terms.framing.ancestors.join(" "))
    .bind(terms.billing_address.code());
    Ok(())
}

/// Writes the changed columns of a session.
pub fn put(connection: &mut Connection, row: &SessionRow) -> Result<(), StoreError> {
    let document = state_document::write(&row.session.state)?;
    connection.enqueue(
        "UPDATE build_session SET amount_minor = ?, currency = ?, attempts_left = ?, submissions = ?, state = ?, state_document = ?, \
         last_seen_ms = ?, wake_ms = ? WHERE session_hash = ?",
    )
    .bind(minor(row.amount))
    .bind(&row.terms.currency)
    .bind(i64::from(row.session.counters.attempts_left))
    .bind(i64::from(row.session.counters.submissions))
    .bind(state_document::name(&row.session.state))
    .bind(document)
    .bind(row.last_seen_ms)
    .bind(row.wake_ms)
    .bind(&row.hash);
    Ok(())
}

/// Writes the limit of a session that waits only for the merchant's server, and the time of its next check.
pub async fn put_end(
    connection: &mut Connection,
    hash: &str,
    ends_ms: i64,
) -> Result<(), StoreError> {
    query("UPDATE build_session SET ends_ms = ?, wake_ms = ? WHERE session_hash = ?")
        .bind(ends_ms)
        .bind(ends_ms)
        .bind(hash)
        .execute(connection)
        .await?;
    Ok(())
}

/// Writes the values that the last call of a 3-step payment sets: the capture type, and the contract intent.
pub async fn put_decided(connection: &mut Connection, row: &SessionRow) -> Result<(), StoreError> {
    query("UPDATE build_session SET capture = ?, contract_wish = ? WHERE session_hash = ?")
        .bind(row.terms.capture.code())
        .bind(
            row.terms
                .contract
                .as_ref()
                .map(contracts::write_contract_intent),
        )
        .bind(&row.hash)
        .execute(connection)
        .await?;
    Ok(())
}

/// Records activity of the buyer, and the time of the next check.
pub async fn touch(
    connection: &mut Connection,
    hash: &str,
    seen_ms: i64,
    wake_ms: i64,
) -> Result<(), StoreError> {
    query("UPDATE build_session SET last_seen_ms = ?, wake_ms = ? WHERE session_hash = ? AND last_seen_ms < ?")
        .bind(seen_ms)
        .bind(wake_ms)
        .bind(hash)
        .bind(seen_ms)
        .execute(connection)
        .await?;
    Ok(())
}

/// Counts a look-up of first digits. Returns the number of look-ups, including this one.
pub async fn count_bin_lookup(connection: &mut Connection, hash: &str) -> Result<i64, StoreError> {
    let count = query_scalar(
        "UPDATE build_session SET bin_lookups = bin_lookups + 1 WHERE session_hash = ? RETURNING bin_lookups",
    )
    .bind(hash)
    .fetch_optional(connection)
    .await?;
    count.ok_or(StoreError::Unreadable("session"))
}

/// How many documents of the session's form have shown saved cards.
pub async fn card_documents(connection: &mut Connection, hash: &str) -> Result<i64, StoreError> {
    let count = query_scalar("SELECT card_documents FROM build_session WHERE session_hash = ?")
        .bind(hash)
        .fetch_optional(connection)
        .await?;
    count.ok_or(StoreError::Unreadable("session"))
}

/// Counts a document that shows saved cards, if there were `before` of them. Gives whether it was counted: of two at once, one is.
pub async fn count_card_document(
    connection: &mut Connection,
    hash: &str,
    before: i64,
) -> Result<bool, StoreError> {
    let count: Option<i64> = query_scalar(
        "UPDATE build_session SET card_documents = card_documents + 1 \
         WHERE session_hash = ? AND card_documents = ? RETURNING card_documents",
    )
    .bind(hash)
    .bind(before)
    .fetch_optional(connection)
    .await?;
    Ok(count.is_some())
}

/// The open sessions of an order: without an outcome, and not expired.
pub async fn open_of_order(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<Vec<String>, StoreError> {
    let hashes = query_scalar(
        "SELECT session_hash FROM build_session WHERE merchant_id = ? AND order_id = ? \
         AND state NOT IN ('COMPLETE', 'CANCELLED', 'DEAD') ORDER BY created_ms",
    )
    .bind(merchant_id)
    .bind(order_id)
    .fetch_all(connection)
    .await?;
    Ok(hashes)
}

/// Links a session to the call that makes its whole payment.
pub async fn put_asked(
    connection: &mut Connection,
    hash: &str,
    asked_by: &str,
    fingerprint: &str,
) -> Result<(), StoreError> {
    query("UPDATE build_session SET asked_by = ?, asked_fingerprint = ? WHERE session_hash = ?")
        .bind(asked_by)
        .bind(fingerprint)
        .bind(hash)
        .execute(connection)
        .await?;
    Ok(())
}

/// The session in which a call has made a payment, and the fingerprint of that call.
pub async fn find_asked(
    connection: &mut Connection,
    asked_by: &str,
) -> Result<Option<(String, String)>, StoreError> {
    let row = query("SELECT session_hash, asked_fingerprint FROM build_session WHERE asked_by = ?")
        .bind(asked_by)
        .fetch_optional(connection)
        .await?;
    row.map(|row| {
        Ok((
            row.try_get("session_hash")?,
            row.try_get("asked_fingerprint")?,
        ))
    })
    .transpose()
}

/// The sessions that the periodic job must check by `now_ms`.
pub async fn to_wake(connection: &mut Connection, now_ms: i64) -> Result<Vec<String>, StoreError> {
    let hashes = query_scalar(
        "SELECT session_hash FROM build_session WHERE wake_ms <= ? AND state <> 'DEAD' ORDER BY wake_ms LIMIT 500",
    )
    .bind(now_ms)
    .fetch_all(connection)
    .await?;
    Ok(hashes)
}

/// The periodic job checks the session at `wake_ms`, unless somebody else has found work for it in the meantime.
pub async fn postpone(
    connection: &mut Connection,
    hash: &str,
    due_ms: i64,
    wake_ms: i64,
) -> Result<(), StoreError> {
    query("UPDATE build_session SET wake_ms = ? WHERE session_hash = ? AND wake_ms <= ?")
        .bind(wake_ms)
        .bind(hash)
        .bind(due_ms)
        .execute(connection)
        .await?;
    Ok(())
}

/// The number of sessions whose payment has not ended. The periodic job checks each of them by `by_ms`.
pub async fn count_open(connection: &mut Connection, by_ms: i64) -> Result<i64, StoreError> {
    let count = query_scalar(
        "SELECT COUNT(*) FROM build_session WHERE wake_ms <= ? AND state NOT IN ('COMPLETE', 'CANCELLED', 'DEAD')",
    )
    .bind(by_ms)
    .fetch_one(connection);
    Ok(count.await?)
}

/// The sessions that wait for an answer about a payment. The periodic job checks each of them, so it has a time for that; sessions that are over
/// have none, and are not read.
pub async fn authorizing(connection: &mut Connection) -> Result<Vec<String>, StoreError> {
    let hashes = query_scalar(
        "SELECT session_hash FROM build_session WHERE wake_ms < ? AND state = 'AUTHORIZING'",
    )
    .bind(i64::MAX)
    .fetch_all(connection)
    .await?;
    Ok(hashes)
}

pub(crate) fn session_of(row: &Row) -> Result<SessionRow, StoreError> {
    let count = |column| {
        u8::try_from(row.try_get::<i64>(column)?)
            .map_err(|_| StoreError::Unreadable("session counter"))
    };
    Ok(SessionRow {
        hash: row.try_get("session_hash")?,
        terms: terms_of(row)?,
        amount: amount(row.try_get("amount_minor")?)?,
        session: Session {
            counters: Counters {
                attempts_left: count("attempts_left")?,
                submissions: count("submissions")?,
            },
            state: state_document::read(row.try_get("state_document")?)?,
        },
        last_seen_ms: row.try_get("last_seen_ms")?,
        ends_ms: row.try_get("ends_ms")?,
        wake_ms: row.try_get("wake_ms")?,
        encrypted_card: row.try_get("sealed_card")?,
    })
}

fn terms_of(row: &Row) -> Result<Terms, StoreError> {
    let unreadable = StoreError::Unreadable("session terms");
    Ok(Terms {
        hosted_page: row.try_get("hosted_page_id")?,
        preassigned_operation_id: row.try_get("announced_operation_id")?,
        wallet: row
            .try_get::<Option<&str>>("wallet")?
            .and_then(Wallet::from_code),
        merchant_id: row.try_get("merchant_id")?,
        terminal_id: row.try_get("terminal_id")?,
        order_id: row.try_get("order_id")?,
        version: match row.try_get::<i64>("version")? {
            2 => Version::Two,
            3 => Version::Three,
            _ => return Err(unreadable),
        },
        framing: FramingPages {
            merchant: row.try_get("merchant_origin")?,
            ancestors: row
                .try_get::<&str>("ancestor_origins")?
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
        },
        action: ActionType::from_code(row.try_get("action_type")?)
            .ok_or(StoreError::Unreadable("action type"))?,
        capture: Capture::from_code(row.try_get("capture")?)
            .ok_or(StoreError::Unreadable("capture"))?,
        language: row.try_get("language")?,
        challenge_preference: row.try_get("challenge_wish")?,
        result_url: row.try_get("result_url")?,
        cancel_url: row.try_get("cancel_url")?,
        notification_url: row.try_get("notification_url")?,
        security_token: row.try_get("security_token")?,
        trace_id: row.try_get("trace_id")?,
        capture_initiator: CaptureInitiator::from_code(row.try_get("closing")?)
            .ok_or(StoreError::Unreadable("closing"))?,
        card_summary: row.try_get("card_summary")?,
        currency: row.try_get("currency")?,
        methods: methods_of(row)?,
        channel: Channel::from_code(row.try_get("channel_detail")?)
            .ok_or(StoreError::Unreadable("channel"))?,
        contract: row
            .try_get::<Option<&str>>("contract_wish")?
            .map(contracts::read_contract_intent)
            .transpose()?,
        redirect_handler: RedirectHandler::from_code(row.try_get("redirect")?)
            .ok_or(StoreError::Unreadable("redirect"))?,
        installments: counts(row.try_get("installments")?)?,
        card_on_file: CardOnFileTerms {
            saved: SavedCards::from_code(row.try_get("saved_cards")?)
                .ok_or(StoreError::Unreadable("saved cards"))?,
            consent: Consent::from_code(row.try_get("consent")?)
                .ok_or(StoreError::Unreadable("consent"))?,
            text: row.try_get("consent_text")?,
        },
        billing_address: BillingAddressFields::from_code(row.try_get("billing_address")?)
            .ok_or(StoreError::Unreadable("billing address"))?,
        charge: row
            .try_get::<Option<&str>>("charge")?
            .map(|code| Charge::from_code(code).ok_or(StoreError::Unreadable("charge")))
            .transpose()?,
    })
}

fn written(counts: &[u8]) -> String {
    let counts: Vec<String> = counts.iter().map(u8::to_string).collect();
    counts.join(",")
}

fn counts(text: &str) -> Result<Vec<u8>, StoreError> {
    text.split(',')
        .filter(|count| !count.is_empty())
        .map(|count| {
            count
                .parse()
                .map_err(|_| StoreError::Unreadable("instalments"))
        })
        .collect()
}
