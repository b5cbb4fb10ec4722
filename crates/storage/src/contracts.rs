//! Contracts, and the contract changes of operations in progress.

use super::lock_order::Rank;
use super::{Connection, Row, StoreError, query, state_document};
use payframe_card_rules::expiry::Date;
use payframe_payment_domain::card::EnteredCard;
use payframe_payment_domain::contract::{Charges, ContractIntent, Kind, Rules, hidden_id};
use serde::{Deserialize, Serialize};

/// A contract.
pub struct ContractRow {
    /// The contract's id.
    pub contract_id: String,
    /// The uses that it allows.
    pub rules: Rules,
    /// The part of its card that may be shown.
    pub card: EnteredCard,
    /// `None` once it is deactivated.
    pub encrypted_card: Option<Vec<u8>>,
    /// The operation that stored the card. The encrypted card is bound to it.
    pub card_from: String,
    /// The latest charge that counts for the agreed interval.
    pub last_charge_ms: Option<i64>,
    /// Whether it is active.
    pub is_active: bool,
}

/// A contract in a list.
pub struct ListedContract {
    /// Its position in the order of creation. A later contract can have the same contract id.
    pub key: i64,
    /// The merchant's id of the customer.
    pub customer_id: Option<String>,
    /// When it was created.
    pub created_ms: i64,
    /// The contract.
    pub contract: ContractRow,
}

/// A filter for contracts. `None` does not filter.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContractFilter<'a> {
    /// Its key in the table.
    pub key: Option<i64>,
    /// The contract's id.
    pub contract_id: Option<&'a str>,
    /// The merchant's id of the customer.
    pub customer_id: Option<&'a str>,
    /// Whether it is active.
    pub is_active: Option<bool>,
    /// Only contracts that were created before this one.
    pub before_key: Option<i64>,
}

/// The contract change of an operation, applied if the operation succeeds.
pub struct ChangeRow {
    /// The operation.
    pub operation_id: String,
    /// The merchant of the contract.
    pub merchant_id: String,
    /// The contract's id.
    pub contract_id: String,
    /// The kind of change.
    pub kind: ChangeKind,
    /// Whether it counts for the agreed interval.
    pub is_charge: bool,
}

/// The kinds of contract changes.
pub enum ChangeKind {
    /// Creates the contract.
    Create {
        /// The merchant's id of the customer.
        customer_id: Option<String>,
        /// The uses that it allows.
        rules: Rules,
        /// The contract's card after the change.
        card: NewCard,
    },
    /// Replaces its card.
    Substitute {
        /// The contract's card after the change.
        card: NewCard,
    },
    /// Charges its card.
    Charge,
}

/// A new card of a contract.
pub struct NewCard {
    /// The part of it that may be shown.
    pub shown: EnteredCard,
    /// The card, encrypted.
    pub encrypted: Vec<u8>,
}

/// Locks a contract until the change ends, so that what the change reads of it stays the same. A change locks one contract at most.
pub async fn lock(
    connection: &mut Connection,
    merchant_id: &str,
    contract_id: &str,
) -> Result<(), StoreError> {
    let name = format!("contract {merchant_id} {contract_id}");
    if connection.takes_lock(Rank::Contract, &name)? {
        query("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))")
            .bind(&name)
            .execute(connection)
            .await?;
    }
    Ok(())
}

/// The merchant's active contract with this id.
pub async fn find_active(
    connection: &mut Connection,
    merchant_id: &str,
    contract_id: &str,
) -> Result<Option<ContractRow>, StoreError> {
    let row =
        query("SELECT * FROM contract WHERE merchant_id = ? AND contract_id = ? AND is_active = 1")
            .bind(merchant_id)
            .bind(contract_id)
            .fetch_optional(connection)
            .await?;
    row.as_ref().map(contract_of).transpose()
}

/// Whether the merchant has ever had a contract with this id.
pub async fn is_known(
    connection: &mut Connection,
    merchant_id: &str,
    contract_id: &str,
) -> Result<bool, StoreError> {
    let found = query("SELECT 1 FROM contract WHERE merchant_id = ? AND contract_id = ?")
        .bind(merchant_id)
        .bind(contract_id)
        .fetch_optional(connection)
        .await?;
    Ok(found.is_some())
}

/// All contracts that a customer of the merchant has ever had, newest first.
pub async fn of_customer(
    connection: &mut Connection,
    merchant_id: &str,
    customer_id: &str,
) -> Result<Vec<ContractRow>, StoreError> {
    let rows = query(
        "SELECT * FROM contract WHERE merchant_id = ? AND customer_id = ? ORDER BY contract_key DESC",
    )
    .bind(merchant_id)
    .bind(customer_id)
    .fetch_all(connection)
    .await?;
    rows.iter().map(contract_of).collect()
}

/// The list of contracts. `$where`: what an index leads to.
macro_rules! listed_where {
    ($where:literal) => {
        concat!(
            "SELECT * FROM contract WHERE merchant_id = ?1 AND ",
            $where,
            " AND SUBSTR(contract_id, 1, LENGTH(?2)) <> ?2 \
             AND (?3 IS NULL OR contract_key = ?3) AND (?4 IS NULL OR contract_id = ?4) \
             AND (?5 IS NULL OR customer_id = ?5) AND (?6 IS NULL OR is_active = ?6) \
             AND (?7 IS NULL OR contract_key < ?7) ORDER BY contract_key DESC LIMIT ?8"
        )
    };
}

/// A merchant's contracts, newest first. Contracts of reservations are not included, because merchants cannot name them.
pub async fn list(
    connection: &mut Connection,
    merchant_id: &str,
    filter: &ContractFilter<'_>,
    most: u32,
) -> Result<Vec<ListedContract>, StoreError> {
    let rows = query(match filter {
        ContractFilter { key: Some(_), .. } => listed_where!("contract_key = ?3"),
        ContractFilter {
            contract_id: Some(_),
            ..
        } => listed_where!("contract_id = ?4"),
        ContractFilter {
            customer_id: Some(_),
            ..
        } => listed_where!("customer_id = ?5"),
        _ => listed_where!("contract_key > 0"),
    })
    .bind(merchant_id)
    .bind(hidden_id(""))
    .bind(filter.key)
    .bind(filter.contract_id)
    .bind(filter.customer_id)
    .bind(filter.is_active)
    .bind(filter.before_key)
    .bind(most)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(ListedContract {
                key: row.try_get("contract_key")?,
                customer_id: row.try_get("customer_id")?,
                created_ms: row.try_get("created_ms")?,
                contract: contract_of(row)?,
            })
        })
        .collect()
}

/// Ends a contract and deletes its card.
pub async fn deactivate(
    connection: &mut Connection,
    merchant_id: &str,
    contract_id: &str,
) -> Result<bool, StoreError> {
    let ended = query(
        "UPDATE contract SET is_active = 0, sealed_card = NULL \
         WHERE merchant_id = ? AND contract_id = ? AND is_active = 1",
    )
    .bind(merchant_id)
    .bind(contract_id)
    .execute(connection)
    .await?;
    Ok(ended > 0)
}

/// The charges of a contract. `day_of` returns the day of an instant.
pub async fn charges(
    connection: &mut Connection,
    merchant_id: &str,
    contract: &ContractRow,
    day_of: impl Fn(i64) -> Date,
) -> Result<Charges, StoreError> {
    let running = query(
        "SELECT 1 FROM contract_change WHERE merchant_id = ? AND contract_id = ? AND is_charge = 1",
    )
    .bind(merchant_id)
    .bind(&contract.contract_id)
    .fetch_optional(connection)
    .await?;
    Ok(Charges {
        latest: contract.last_charge_ms.map(day_of),
        is_one_running: running.is_some(),
    })
}

/// Whether an operation in progress creates a contract with this id.
pub async fn is_being_made(
    connection: &mut Connection,
    merchant_id: &str,
    contract_id: &str,
) -> Result<bool, StoreError> {
    let found = query(
        "SELECT 1 FROM contract_change WHERE merchant_id = ? AND contract_id = ? AND kind = 'CREATE'",
    )
    .bind(merchant_id)
    .bind(contract_id)
    .fetch_optional(connection)
    .await?;
    Ok(found.is_some())
}

/// Writes the contract change of an operation.
pub async fn promise(connection: &mut Connection, change: &ChangeRow) -> Result<(), StoreError> {
    let (kind, customer_id, rules, card) = match &change.kind {
        ChangeKind::Create {
            customer_id,
            rules,
            card,
        } => (CREATE, customer_id.as_deref(), Some(rules), Some(card)),
        ChangeKind::Substitute { card } => (SUBSTITUTE, None, None, Some(card)),
        ChangeKind::Charge => (CHARGE, None, None, None),
    };
    let shown = card.map(|card| state_document::write_card(&card.shown));
    query(
        "INSERT INTO contract_change (operation_id, merchant_id, contract_id, kind, is_charge, customer_id, \
         contract_type, last_day, gap_days, card, sealed_card) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(&change.operation_id)
    .bind(&change.merchant_id)
    .bind(&change.contract_id)
    .bind(kind)
    .bind(i64::from(change.is_charge))
    .bind(customer_id)
    .bind(rules.map(|rules| rules.kind.code()))
    .bind(rules.and_then(|rules| rules.last_day).map(date_text))
    .bind(rules.and_then(|rules| rules.gap_days).map(i64::from))
    .bind(shown.transpose()?)
    .bind(card.map(|card| card.encrypted.as_slice()))
    .execute(connection)
    .await?;
    Ok(())
}

/// Reads and deletes the contract change of an operation. The caller applies it or discards it.
pub async fn take_preassigned_contract_id(
    connection: &mut Connection,
    operation_id: &str,
) -> Result<Option<ChangeRow>, StoreError> {
    let row = query("DELETE FROM contract_change WHERE operation_id = ? RETURNING *")
        .bind(operation_id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(change_of).transpose()
}

/// Applies the contract change of a successful operation, at `time_ms`.
pub async fn carry_out(
    connection: &mut Connection,
    change: ChangeRow,
    time_ms: i64,
) -> Result<(), StoreError> {
    let charged_ms = change.is_charge.then_some(time_ms);
    match change.kind {
        ChangeKind::Create {
            customer_id,
            rules,
            card,
        } => {
            query(
                "INSERT INTO contract (merchant_id, contract_id, customer_id, contract_type, last_day, gap_days, \
                 is_active, card, sealed_card, card_from, last_charge_ms, created_ms) \
                 VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?)",
            )
            .bind(&change.merchant_id)
            .bind(&change.contract_id)
            .bind(customer_id)
            .bind(rules.kind.code())
            .bind(rules.last_day.map(date_text))
            .bind(rules.gap_days.map(i64::from))
            .bind(state_document::write_card(&card.shown)?)
            .bind(card.encrypted)
            .bind(&change.operation_id)
            .bind(charged_ms)
            .bind(time_ms)
            .execute(connection)
            .await?;
        }
        ChangeKind::Substitute { card } => {
            // A contract that was deactivated in the meantime gets no new card.
            query(
                "UPDATE contract SET card = ?, sealed_card = ?, card_from = ? \
                 WHERE merchant_id = ? AND contract_id = ? AND is_active = 1",
            )
            .bind(state_document::write_card(&card.shown)?)
            .bind(card.encrypted)
            .bind(&change.operation_id)
            .bind(&change.merchant_id)
            .bind(&change.contract_id)
            .execute(connection)
            .await?;
        }
        // It does not move the date of the next agreed charge.
        ChangeKind::Charge if !change.is_charge => {}
        ChangeKind::Charge => {
            query(
                "UPDATE contract SET last_charge_ms = CASE WHEN last_charge_ms > ?1 THEN last_charge_ms ELSE ?1 END \
                 WHERE merchant_id = ?2 AND contract_id = ?3 AND is_active = 1",
            )
            .bind(time_ms)
            .bind(&change.merchant_id)
            .bind(&change.contract_id)
            .execute(connection)
            .await?;
        }
    }
    Ok(())
}

pub(crate) fn contract_of(row: &Row) -> Result<ContractRow, StoreError> {
    Ok(ContractRow {
        contract_id: row.try_get("contract_id")?,
        rules: rules_of(row)?,
        card: state_document::read_card(row.try_get("card")?)?,
        encrypted_card: row.try_get("sealed_card")?,
        card_from: row.try_get("card_from")?,
        last_charge_ms: row.try_get("last_charge_ms")?,
        is_active: row.try_get::<i64>("is_active")? != 0,
    })
}

fn change_of(row: &Row) -> Result<ChangeRow, StoreError> {
    let card = || {
        Ok::<_, StoreError>(NewCard {
            shown: state_document::read_card(row.try_get("card")?)?,
            encrypted: row.try_get("sealed_card")?,
        })
    };
    let kind = match row.try_get("kind")? {
        CREATE => ChangeKind::Create {
            customer_id: row.try_get("customer_id")?,
            rules: rules_of(row)?,
            card: card()?,
        },
        SUBSTITUTE => ChangeKind::Substitute { card: card()? },
        CHARGE => ChangeKind::Charge,
        _ => return Err(StoreError::Unreadable("contract change")),
    };
    Ok(ChangeRow {
        operation_id: row.try_get("operation_id")?,
        merchant_id: row.try_get("merchant_id")?,
        contract_id: row.try_get("contract_id")?,
        kind,
        is_charge: row.try_get::<i64>("is_charge")? != 0,
    })
}

fn rules_of(row: &Row) -> Result<Rules, StoreError> {
    let unreadable = || StoreError::Unreadable("contract rules");
    let last_day: Option<&str> = row.try_get("last_day")?;
    let gap_days: Option<i64> = row.try_get("gap_days")?;
    Ok(Rules {
        kind: Kind::from_code(row.try_get("contract_type")?).ok_or_else(unreadable)?,
        last_day: last_day
            .map(|text| Date::parse(text).ok_or_else(unreadable))
            .transpose()?,
        gap_days: gap_days
            .map(|days| u16::try_from(days).map_err(|_| unreadable()))
            .transpose()?,
    })
}

/// The contract intent of a payment, as a column of its session.
#[derive(Serialize, Deserialize)]
enum ContractIntentDocument {
    Create {
        contract_id: String,
        kind: String,
        last_day: Option<String>,
        gap_days: Option<u16>,
    },
    Substitute {
        contract_id: String,
    },
}

/// The JSON document of a contract intent.
pub fn write_contract_intent(wish: &ContractIntent) -> String {
    let document = match wish.clone() {
        ContractIntent::Create { contract_id, rules } => ContractIntentDocument::Create {
            contract_id,
            kind: rules.kind.code().to_owned(),
            last_day: rules.last_day.map(date_text),
            gap_days: rules.gap_days,
        },
        ContractIntent::Substitute { contract_id } => {
            ContractIntentDocument::Substitute { contract_id }
        }
    };
    // It contains only texts and numbers, which JSON can represent.
    serde_json::to_string(&document).unwrap_or_default()
}

/// Parses the JSON document of a contract intent.
pub fn read_contract_intent(document: &str) -> Result<ContractIntent, StoreError> {
    let unreadable = || StoreError::Unreadable("contract wish");
    Ok(
        match serde_json::from_str(document).map_err(|_| unreadable())? {
            ContractIntentDocument::Create {
                contract_id,
                kind,
                last_day,
                gap_days,
            } => ContractIntent::Create {
                contract_id,
                rules: Rules {
                    kind: Kind::from_code(&kind).ok_or_else(unreadable)?,
                    last_day: last_day
                        .map(|text| Date::parse(&text).ok_or_else(unreadable))
                        .transpose()?,
                    gap_days,
                },
            },
            ContractIntentDocument::Substitute { contract_id } => {
                ContractIntent::Substitute { contract_id }
            }
        },
    )
}

/// A date in the format of the columns and the API.
pub fn date_text(date: Date) -> String {
    format!("{:04}-{:02}-{:02}", date.year, date.month, date.day)
}

const CREATE: &str = "CREATE";
const SUBSTITUTE: &str = "SUBSTITUTE";
const CHARGE: &str = "CHARGE";
