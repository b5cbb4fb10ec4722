//! Hosted pages and payment links.

use super::few_orders::{Searched, are_few};
use super::{
    Connection, Row, StoreError, Window, amount, contracts, listed, method_codes, methods_of,
    minor, query, query_scalar,
};
use payframe_card_rules::expiry::Date;
use payframe_money::Amount;
use payframe_payment_domain::billing_address::BillingAddressFields;
use payframe_payment_domain::calendar::day_text;
use payframe_payment_domain::contract::ContractIntent;
use payframe_payment_domain::hosted::{
    EndTime, HostedPageLifecycle, HostedPageState, Kind, LinkValidity,
};
use payframe_payment_domain::method::Method;
use payframe_payment_domain::operation::{ActionType, Capture};
use serde_json::{Map, Value};

/// A hosted page or a link.
#[derive(Clone, Debug)]
pub struct HostedPageRow {
    /// The `linkId` of a link.
    pub page_id: String,
    /// The hash of the token in its address.
    pub token_hash: String,
    /// The fixed terms.
    pub terms: PageTerms,
    /// Its status.
    pub life: HostedPageLifecycle,
    /// The number of its form sessions. The last one is the present one.
    pub sessions: u32,
    /// When it was created.
    pub created_ms: i64,
    /// The validity period, for a link.
    pub term: Option<LinkTerm>,
}

/// The validity period of a link, and its renewals.
#[derive(Clone, Debug)]
pub struct LinkTerm {
    /// The present validity period.
    pub validity: LinkValidity,
    /// Days from the creation to the first expiry date.
    pub life_days: i32,
    /// The number of renewals.
    pub renewals: u32,
}

/// The terms that are fixed at the creation of a page.
#[derive(Clone, Debug)]
pub struct PageTerms {
    /// The merchant of the page.
    pub merchant_id: String,
    /// The terminal that created it.
    pub terminal_id: String,
    /// The merchant's order.
    pub order_id: String,
    /// What the payment is to do.
    pub action: ActionType,
    /// When the money is captured.
    pub capture: Capture,
    /// Three letters, lower case.
    pub language: String,
    /// The merchant's challenge preference, as sent.
    pub challenge_preference: String,
    /// The payment options of the buyer.
    pub offer: PageOffer,
    /// The alternative methods that are offered.
    pub methods: Vec<&'static Method>,
    /// Where the buyer returns with a result.
    pub result_url: Option<String>,
    /// Where the buyer returns without a result.
    pub cancel_url: Option<String>,
    /// The address for notifications.
    pub notification_url: Option<String>,
    /// The token that identifies its notifications.
    pub security_token: String,
    /// The id that links its calls in logs.
    pub trace_id: String,
    /// ISO 4217 code.
    pub currency: String,
    /// The amount.
    pub amount: Amount,
    /// What a successful payment does with a contract.
    pub contract: Option<ContractIntent>,
    /// The contract whose stored card pays.
    pub kept_card_of: Option<String>,
    /// The texts that the buyer must accept, for an order. A reservation has its own list.
    pub text_ids: Vec<String>,
    /// What its forms ask of the billing address.
    pub billing_address: BillingAddressFields,
}

/// The payment options of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageOffer {
    /// Cards and the methods.
    All,
    /// Cards.
    Cards,
    /// Only the one method.
    Method,
}

/// A filter for links. `None` does not filter.
pub struct LinkFilter<'a> {
    /// The merchant's order.
    pub order_id: Option<&'a str>,
    /// The merchant's id of the customer.
    pub customer_id: Option<&'a str>,
    /// The merchant's own text.
    pub custom_field: Option<&'a str>,
    /// Its status, in the contract's terms.
    pub status: Option<&'a str>,
    /// For the status: links that ended before this instant are expired.
    pub now_ms: i64,
}

/// Writes a new page or link.
pub async fn add(connection: &mut Connection, row: &HostedPageRow) -> Result<(), StoreError> {
    let terms = &row.terms;
    let term = row.term.as_ref();
    query(
        "INSERT INTO hosted_page (page_id, token_hash, kind, merchant_id, terminal_id, order_id, action_type, capture, \
         language, challenge_wish, service, methods, result_url, cancel_url, notification_url, security_token, trace_id, \
         currency, amount_minor, status, created_ms, ends_ms, last_day, last_time, life_days, contract_wish, kept_card_of, text_ids, billing_address) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(&row.page_id)
    .bind(&row.token_hash)
    .bind(row.life.kind.code())
    .bind(&terms.merchant_id)
    .bind(&terms.terminal_id)
    .bind(&terms.order_id)
    .bind(terms.action.code())
    .bind(terms.capture.code())
    .bind(&terms.language)
    .bind(&terms.challenge_preference)
    .bind(match (terms.offer, terms.methods.first()) {
        (PageOffer::All, _) | (PageOffer::Method, None) => None,
        (PageOffer::Cards, _) => Some(CARDS),
        (PageOffer::Method, Some(method)) => Some(method.code()),
    })
    .bind(method_codes(&terms.methods))
    .bind(&terms.result_url)
    .bind(&terms.cancel_url)
    .bind(&terms.notification_url)
    .bind(&terms.security_token)
    .bind(&terms.trace_id)
    .bind(&terms.currency)
    .bind(minor(terms.amount))
    .bind(status_code(&row.life.status))
    .bind(row.created_ms)
    .bind(row.life.ends_ms)
    .bind(term.map(|term| term.validity.day_text()))
    .bind(term.and_then(|term| term.validity.time.as_ref()).map(EndTime::as_str))
    .bind(term.map(|term| term.life_days))
    .bind(terms.contract.as_ref().map(contracts::write_contract_intent))
    .bind(&terms.kept_card_of)
    .bind(terms.text_ids.join(","))
    .bind(terms.billing_address.code())
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes the changed columns.
pub async fn put(connection: &mut Connection, row: &HostedPageRow) -> Result<(), StoreError> {
    let term = row.term.as_ref();
    query(
        "UPDATE hosted_page SET status = ?, refused = ?, paid_by = ?, sessions = ?, ends_ms = ?, last_day = ?, renewals = ? \
         WHERE page_id = ?",
    )
    .bind(status_code(&row.life.status))
    .bind(i64::from(row.life.refused))
    .bind(row.life.paid_by())
    .bind(i64::from(row.sessions))
    .bind(row.life.ends_ms)
    .bind(term.map(|term| day_text(term.validity.last_day)))
    .bind(term.map_or(0, |term| i64::from(term.renewals)))
    .bind(&row.page_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// A page or a link by its id.
pub async fn find(
    connection: &mut Connection,
    page_id: &str,
) -> Result<Option<HostedPageRow>, StoreError> {
    only(
        connection,
        "SELECT * FROM hosted_page WHERE page_id = ?",
        page_id,
    )
    .await
}

/// A page or a link by the hash of the token in its address.
pub async fn find_by_token(
    connection: &mut Connection,
    token_hash: &str,
) -> Result<Option<HostedPageRow>, StoreError> {
    only(
        connection,
        "SELECT * FROM hosted_page WHERE token_hash = ?",
        token_hash,
    )
    .await
}

/// The page or link that a query with one value finds.
async fn only(
    connection: &mut Connection,
    question: &'static str,
    value: &str,
) -> Result<Option<HostedPageRow>, StoreError> {
    let row = query(question)
        .bind(value)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(page_of).transpose()
}

/// A merchant's link.
pub async fn find_link(
    connection: &mut Connection,
    merchant_id: &str,
    link_id: &str,
) -> Result<Option<HostedPageRow>, StoreError> {
    let row =
        query("SELECT * FROM hosted_page WHERE page_id = ? AND merchant_id = ? AND kind = 'LINK'")
            .bind(link_id)
            .bind(merchant_id)
            .fetch_optional(connection)
            .await?;
    row.as_ref().map(page_of).transpose()
}

/// Pages and links of an order with the status active, even if they have expired.
pub async fn active_of_order(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<Vec<HostedPageRow>, StoreError> {
    let rows = query(
        "SELECT * FROM hosted_page WHERE merchant_id = ? AND order_id = ? AND status = 'ACTIVE' ORDER BY created_ms",
    )
    .bind(merchant_id)
    .bind(order_id)
    .fetch_all(connection)
    .await?;
    rows.iter().map(page_of).collect()
}

/// All links of an order, oldest first.
pub async fn links_of_order(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<Vec<HostedPageRow>, StoreError> {
    let rows = query(
        // The expression keeps SQLite from going through all links.
        "SELECT * FROM hosted_page WHERE merchant_id = ? AND order_id = ? AND kind || '' = 'LINK' ORDER BY created_ms",
    )
    .bind(merchant_id)
    .bind(order_id)
    .fetch_all(connection)
    .await?;
    rows.iter().map(page_of).collect()
}

/// The list of links. `$source`: where the search begins. `$where`: what holds there besides.
macro_rules! listed_from {
    ($source:literal, $where:literal) => {
        concat!(
            "SELECT p.* FROM ",
            $source,
            " WHERE ",
            $where,
            " AND m.merchant_id = ?1 AND m.order_id = p.order_id \
             AND p.merchant_id = ?1 AND p.created_ms >= ?2 AND p.created_ms < ?3 \
             AND (?4 IS NULL OR p.order_id = ?4) AND (?5 IS NULL OR m.customer_id = ?5) \
             AND (?6 IS NULL OR m.custom_field = ?6) \
             AND (?7 IS NULL OR ?7 = CASE WHEN p.status = 'ACTIVE' AND p.ends_ms <= ?8 THEN 'EXPIRED' ELSE p.status END) \
             ORDER BY p.created_ms DESC LIMIT ?9"
        )
    };
}

/// A merchant's links, newest first.
pub async fn list_links(
    connection: &mut Connection,
    merchant_id: &str,
    filter: &LinkFilter<'_>,
    window: Window,
) -> Result<Vec<HostedPageRow>, StoreError> {
    let customer = filter.customer_id.map(Searched::Customer);
    let are_few_of_customer = are_few(connection, merchant_id, customer).await?;
    let custom_field = filter.custom_field.map(Searched::CustomField);
    let are_few_with_field = are_few(connection, merchant_id, custom_field).await?;
    // `CROSS JOIN` has SQLite begin with the orders, which have an index by customer and by custom field. The expression keeps it from
    // going through all links.
    let rows = query(match filter {
        LinkFilter {
            order_id: Some(_), ..
        } => listed_from!(
            "hosted_page p CROSS JOIN merchant_order m",
            "p.order_id = ?4 AND p.kind || '' = 'LINK'"
        ),
        _ if are_few_of_customer => listed_from!(
            "merchant_order m CROSS JOIN hosted_page p",
            "m.customer_id = ?5 AND p.kind || '' = 'LINK'"
        ),
        _ if are_few_with_field => listed_from!(
            "merchant_order m CROSS JOIN hosted_page p",
            "m.custom_field = ?6 AND p.kind || '' = 'LINK'"
        ),
        // What is over by time is stored as active.
        LinkFilter {
            status: Some("ACTIVE" | "EXPIRED"),
            ..
        } => listed_from!(
            "hosted_page p CROSS JOIN merchant_order m",
            "p.kind = 'LINK' AND p.status = 'ACTIVE'"
        ),
        LinkFilter {
            status: Some(_), ..
        } => listed_from!(
            "hosted_page p CROSS JOIN merchant_order m",
            "p.kind = 'LINK' AND p.status = ?7"
        ),
        _ => listed_from!(
            "hosted_page p CROSS JOIN merchant_order m",
            "p.kind = 'LINK'"
        ),
    })
    .bind(merchant_id)
    .bind(window.from_ms)
    .bind(window.to_ms)
    .bind(filter.order_id)
    .bind(filter.customer_id)
    .bind(filter.custom_field)
    .bind(filter.status)
    .bind(filter.now_ms)
    .bind(window.max_records)
    .fetch_all(connection)
    .await?;
    rows.iter().map(page_of).collect()
}

/// Whether a payment in one of its sessions has no final result: the issuer has not responded, or responds later.
pub async fn has_unfinished(
    connection: &mut Connection,
    page_id: &str,
) -> Result<bool, StoreError> {
    let unfinished = query_scalar(
        "SELECT EXISTS (SELECT 1 FROM build_session s WHERE s.hosted_page_id = ?1 AND (             s.state = 'AUTHORIZING' OR EXISTS (SELECT 1 FROM operation o                  WHERE o.session_hash = s.session_hash AND o.payment_id IS NULL AND o.result = 'PENDING')))",
    )
    .bind(page_id)
    .fetch_one(connection)
    .await?;
    Ok(unfinished)
}

/// The document of an order as it was sent, for a page that shows it.
pub async fn order_document(
    connection: &mut Connection,
    terms: &PageTerms,
) -> Result<Map<String, Value>, StoreError> {
    let order = super::orders::find(connection, &terms.merchant_id, &terms.order_id).await?;
    order
        .map(|order| order.document)
        .ok_or(StoreError::Unreadable("order"))
}

fn page_of(row: &Row) -> Result<HostedPageRow, StoreError> {
    let unreadable = || StoreError::Unreadable("hosted page");
    let count = |column| u32::try_from(row.try_get::<i64>(column)?).map_err(|_| unreadable());
    let status = match row.try_get("status")? {
        "ACTIVE" => HostedPageState::Active,
        "PAID" => HostedPageState::Paid(row.try_get("paid_by")?),
        "CANCELED" => HostedPageState::Canceled,
        "FAILED" => HostedPageState::Failed,
        _ => return Err(unreadable()),
    };
    Ok(HostedPageRow {
        page_id: row.try_get("page_id")?,
        token_hash: row.try_get("token_hash")?,
        terms: terms_of(row)?,
        life: HostedPageLifecycle {
            kind: Kind::from_code(row.try_get("kind")?).ok_or_else(unreadable)?,
            status,
            refused: u8::try_from(count("refused")?).map_err(|_| unreadable())?,
            ends_ms: row.try_get("ends_ms")?,
        },
        sessions: count("sessions")?,
        created_ms: row.try_get("created_ms")?,
        term: match row.try_get::<Option<&str>>("last_day")? {
            None => None,
            Some(last_day) => Some(LinkTerm {
                validity: LinkValidity {
                    last_day: Date::parse(last_day).ok_or_else(unreadable)?,
                    time: row
                        .try_get::<Option<&str>>("last_time")?
                        .and_then(EndTime::parse),
                },
                life_days: i32::try_from(row.try_get::<i64>("life_days")?)
                    .map_err(|_| unreadable())?,
                renewals: count("renewals")?,
            }),
        },
    })
}

fn terms_of(row: &Row) -> Result<PageTerms, StoreError> {
    Ok(PageTerms {
        merchant_id: row.try_get("merchant_id")?,
        terminal_id: row.try_get("terminal_id")?,
        order_id: row.try_get("order_id")?,
        action: ActionType::from_code(row.try_get("action_type")?)
            .ok_or(StoreError::Unreadable("action type"))?,
        capture: Capture::from_code(row.try_get("capture")?)
            .ok_or(StoreError::Unreadable("capture"))?,
        language: row.try_get("language")?,
        challenge_preference: row.try_get("challenge_wish")?,
        offer: match row.try_get::<Option<&str>>("service")? {
            None => PageOffer::All,
            Some(CARDS) => PageOffer::Cards,
            Some(_) => PageOffer::Method,
        },
        methods: methods_of(row)?,
        result_url: row.try_get("result_url")?,
        cancel_url: row.try_get("cancel_url")?,
        notification_url: row.try_get("notification_url")?,
        security_token: row.try_get("security_token")?,
        trace_id: row.try_get("trace_id")?,
        currency: row.try_get("currency")?,
        amount: amount(row.try_get("amount_minor")?)?,
        contract: row
            .try_get::<Option<&str>>("contract_wish")?
            .map(contracts::read_contract_intent)
            .transpose()?,
        kept_card_of: row.try_get("kept_card_of")?,
        text_ids: listed(row.try_get("text_ids")?),
        billing_address: BillingAddressFields::from_code(row.try_get("billing_address")?)
            .ok_or(StoreError::Unreadable("billing address"))?,
    })
}

fn status_code(status: &HostedPageState) -> &'static str {
    match status {
        HostedPageState::Active => "ACTIVE",
        HostedPageState::Paid(_) => "PAID",
        HostedPageState::Canceled => "CANCELED",
        HostedPageState::Failed => "FAILED",
    }
}

const CARDS: &str = "CARDS";
