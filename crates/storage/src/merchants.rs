//! Merchants, their terminals and API keys.

use super::{
    Connection, Row, Statement, StoreError, method_codes, methods_of, query, query_scalar,
};
use payframe_card_rules::network::{Network, NetworkSet};
use payframe_payment_domain::card_testing::{CardTestingSettings, Switch};
use payframe_payment_domain::exemption::NoChallengeRequest;
use payframe_payment_domain::operation::Capture;
use payframe_payment_domain::page_watch::PageWatch;
use payframe_payment_domain::terms::{AcceptanceChannel, CardField, Terminal};
use payframe_payment_domain::wallet::Wallet;
use std::str::FromStr;

/// A merchant and one of its terminals with an API key, created at start.
pub struct InitialMerchant<'a> {
    /// The merchant's name for buyers.
    pub merchant_name: &'a str,
    /// The terminal.
    pub terminal: Terminal,
    /// The hash of the API key.
    pub key_hash: String,
}

/// Creates a merchant, a terminal and a key. Existing rows stay unchanged.
pub async fn put_in_place(
    connection: &mut Connection,
    initial: &InitialMerchant<'_>,
) -> Result<(), StoreError> {
    let terminal = &initial.terminal;
    add(connection, &terminal.merchant_id, initial.merchant_name).await?;
    add_terminal(connection, terminal).await?;
    query("INSERT INTO api_key (key_hash, terminal_id) VALUES (?, ?) ON CONFLICT (key_hash) DO NOTHING")
        .bind(&initial.key_hash)
        .bind(&terminal.terminal_id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Writes a new merchant. `false`: the id is in use.
pub async fn add(
    connection: &mut Connection,
    merchant_id: &str,
    name: &str,
) -> Result<bool, StoreError> {
    let added = query(
        "INSERT INTO merchant (merchant_id, name) VALUES (?, ?) ON CONFLICT (merchant_id) DO NOTHING",
    );
    let added = added.bind(merchant_id).bind(name).execute(connection);
    Ok(added.await? > 0)
}

/// Renames a merchant. `false`: it does not exist.
pub async fn rename(
    connection: &mut Connection,
    merchant_id: &str,
    name: &str,
) -> Result<bool, StoreError> {
    let renamed = query("UPDATE merchant SET name = ? WHERE merchant_id = ?");
    let renamed = renamed.bind(name).bind(merchant_id).execute(connection);
    Ok(renamed.await? > 0)
}

/// The amount above which refunds in the back office are confirmed, in the smallest unit of their currency.
pub async fn confirmed_refund(
    connection: &mut Connection,
    merchant_id: &str,
) -> Result<i64, StoreError> {
    Ok(
        query_scalar("SELECT confirmed_refund FROM merchant WHERE merchant_id = ?")
            .bind(merchant_id)
            .fetch_one(connection)
            .await?,
    )
}

/// Sets that amount. `false`: the merchant does not exist.
pub async fn put_confirmed_refund(
    connection: &mut Connection,
    merchant_id: &str,
    minor: i64,
) -> Result<bool, StoreError> {
    let put = query("UPDATE merchant SET confirmed_refund = ? WHERE merchant_id = ?");
    Ok(put
        .bind(minor)
        .bind(merchant_id)
        .execute(connection)
        .await?
        > 0)
}

/// All merchants: id and name.
pub async fn all(connection: &mut Connection) -> Result<Vec<(String, String)>, StoreError> {
    let rows = query("SELECT merchant_id, name FROM merchant ORDER BY merchant_id")
        .fetch_all(connection)
        .await?;
    let read = |row: &Row| Ok((row.try_get("merchant_id")?, row.try_get("name")?));
    rows.iter().map(read).collect()
}

/// The terminals of all merchants.
pub async fn all_terminals(connection: &mut Connection) -> Result<Vec<Terminal>, StoreError> {
    let rows = query("SELECT * FROM terminal ORDER BY merchant_id, terminal_id")
        .fetch_all(connection)
        .await?;
    rows.iter().map(terminal_of).collect()
}

/// Writes a new terminal. `false`: the id is in use.
pub async fn add_terminal(
    connection: &mut Connection,
    terminal: &Terminal,
) -> Result<bool, StoreError> {
    let added = with_settings(
        terminal,
        query(
            "INSERT INTO terminal (capture, tokenization, currency_conversion, networks, eight_digit_bins, card_fields, \
             methods, wallets, place, exemptions, card_testing, card_testing_limits, allowed_ranges, blocked_ranges, \
             allowed_addresses, blocked_addresses, page_watch, terminal_id, merchant_id) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (terminal_id) DO NOTHING",
        ),
    )
    .bind(&terminal.terminal_id)
    .bind(&terminal.merchant_id)
    .execute(connection);
    Ok(added.await? > 0)
}

/// Writes the settings of an existing terminal.
pub async fn put_terminal(
    connection: &mut Connection,
    terminal: &Terminal,
) -> Result<(), StoreError> {
    let put = with_settings(
        terminal,
        query(
            "UPDATE terminal SET capture = ?, tokenization = ?, currency_conversion = ?, networks = ?, \
             eight_digit_bins = ?, card_fields = ?, methods = ?, wallets = ?, place = ?, exemptions = ?, card_testing = ?, \
             card_testing_limits = ?, allowed_ranges = ?, blocked_ranges = ?, allowed_addresses = ?, blocked_addresses = ?, page_watch = ? WHERE terminal_id = ?",
        ),
    );
    put.bind(&terminal.terminal_id).execute(connection).await?;
    Ok(())
}

/// Binds a terminal's settings to a statement.
fn with_settings(terminal: &Terminal, statement: Statement) -> Statement {
    statement
        .bind(terminal.capture.code())
        .bind(i64::from(terminal.tokenization))
        .bind(i64::from(terminal.currency_conversion))
        .bind(network_codes(terminal))
        .bind(codes(terminal.eight_digit_bins))
        .bind(
            terminal
                .card_fields
                .iter()
                .map(|field| field.id())
                .collect::<Vec<_>>()
                .join(","),
        )
        .bind(method_codes(&terminal.methods))
        .bind(
            terminal
                .wallets
                .iter()
                .map(|wallet| wallet.code())
                .collect::<Vec<_>>()
                .join(","),
        )
        .bind(terminal.place.code())
        .bind(
            terminal
                .exemptions
                .iter()
                .map(|exemption| exemption.code())
                .collect::<Vec<_>>()
                .join(","),
        )
        .bind(terminal.card_testing.switch.code())
        .bind(terminal.card_testing.limits.to_string())
        .bind(in_one_text(&terminal.card_testing.allowed_ranges))
        .bind(in_one_text(&terminal.card_testing.blocked_ranges))
        .bind(in_one_text(&terminal.card_testing.allowed_addresses))
        .bind(in_one_text(&terminal.card_testing.blocked_addresses))
        .bind(terminal.page_watch.code())
}

/// The terminal of an API key that is valid now, with the stored hash of the key.
pub async fn terminal_of_key(
    connection: &mut Connection,
    key_hash: &str,
    now_ms: i64,
) -> Result<Option<(String, Terminal)>, StoreError> {
    let row = query(
        "SELECT k.key_hash, t.* FROM api_key k JOIN terminal t ON t.terminal_id = k.terminal_id \
         WHERE k.key_hash = ? AND (k.ends_ms IS NULL OR k.ends_ms > ?)",
    )
    .bind(key_hash)
    .bind(now_ms)
    .fetch_optional(connection)
    .await?;
    row.map(|row| Ok((row.try_get("key_hash")?, terminal_of(&row)?)))
        .transpose()
}

/// A terminal by its id.
pub async fn terminal(
    connection: &mut Connection,
    terminal_id: &str,
) -> Result<Terminal, StoreError> {
    let row = query("SELECT * FROM terminal WHERE terminal_id = ?")
        .bind(terminal_id)
        .fetch_optional(connection)
        .await?
        .ok_or(StoreError::Unreadable("terminal"))?;
    terminal_of(&row)
}

/// The ids of a merchant's terminals.
pub async fn terminals(
    connection: &mut Connection,
    merchant_id: &str,
) -> Result<Vec<String>, StoreError> {
    Ok(
        query_scalar("SELECT terminal_id FROM terminal WHERE merchant_id = ? ORDER BY terminal_id")
            .bind(merchant_id)
            .fetch_all(connection)
            .await?,
    )
}

/// The terminal's default notification address, for payments that name none.
pub async fn notification_url(
    connection: &mut Connection,
    terminal_id: &str,
) -> Result<Option<String>, StoreError> {
    let url: Option<Option<String>> =
        query_scalar("SELECT notification_url FROM terminal WHERE terminal_id = ?")
            .bind(terminal_id)
            .fetch_optional(connection)
            .await?;
    Ok(url.flatten())
}

/// Writes the default notification address, or removes it.
pub async fn put_notification_url(
    connection: &mut Connection,
    terminal_id: &str,
    url: Option<&str>,
) -> Result<(), StoreError> {
    query("UPDATE terminal SET notification_url = ? WHERE terminal_id = ?")
        .bind(url)
        .bind(terminal_id)
        .execute(connection)
        .await?;
    Ok(())
}

/// The merchant of a terminal. `None`: the terminal does not exist.
pub async fn owner_of_terminal(
    connection: &mut Connection,
    terminal_id: &str,
) -> Result<Option<String>, StoreError> {
    let owner = query_scalar("SELECT merchant_id FROM terminal WHERE terminal_id = ?")
        .bind(terminal_id)
        .fetch_optional(connection)
        .await?;
    Ok(owner)
}

/// The acceptance channel of a terminal.
pub async fn place(
    connection: &mut Connection,
    terminal_id: &str,
) -> Result<AcceptanceChannel, StoreError> {
    let code: Option<String> = query_scalar("SELECT place FROM terminal WHERE terminal_id = ?")
        .bind(terminal_id)
        .fetch_optional(connection)
        .await?;
    code.and_then(|code| AcceptanceChannel::from_code(&code))
        .ok_or(StoreError::Unreadable("place"))
}

/// Whether the merchant exists.
pub async fn is_there(connection: &mut Connection, merchant_id: &str) -> Result<bool, StoreError> {
    let found: i64 = query_scalar("SELECT COUNT(*) FROM merchant WHERE merchant_id = ?")
        .bind(merchant_id)
        .fetch_one(connection)
        .await?;
    Ok(found > 0)
}

/// The merchant's name for buyers.
pub async fn name(connection: &mut Connection, merchant_id: &str) -> Result<String, StoreError> {
    let name = query_scalar("SELECT name FROM merchant WHERE merchant_id = ?")
        .bind(merchant_id)
        .fetch_optional(connection)
        .await?;
    name.ok_or(StoreError::Unreadable("merchant"))
}

fn terminal_of(row: &Row) -> Result<Terminal, StoreError> {
    let networks = |column| Ok::<_, sqlx::Error>(networks_of(row.try_get::<&str>(column)?));
    Ok(Terminal {
        terminal_id: row.try_get("terminal_id")?,
        merchant_id: row.try_get("merchant_id")?,
        capture: Capture::from_code(row.try_get("capture")?)
            .ok_or(StoreError::Unreadable("capture"))?,
        tokenization: row.try_get::<i64>("tokenization")? != 0,
        currency_conversion: row.try_get::<i64>("currency_conversion")? != 0,
        networks: networks("networks")?.1,
        preferred_networks: networks("networks")?.0,
        eight_digit_bins: networks("eight_digit_bins")?.1,
        card_fields: row
            .try_get::<String>("card_fields")?
            .split(',')
            .filter_map(CardField::from_id)
            .collect(),
        methods: methods_of(row)?,
        wallets: row
            .try_get::<String>("wallets")?
            .split(',')
            .filter_map(Wallet::from_code)
            .collect(),
        place: AcceptanceChannel::from_code(row.try_get("place")?)
            .ok_or(StoreError::Unreadable("place"))?,
        font: row.try_get("font")?,
        exemptions: row
            .try_get::<String>("exemptions")?
            .split(',')
            .filter_map(NoChallengeRequest::from_code)
            .collect(),
        card_testing: card_testing_of(row)?,
        page_watch: PageWatch::from_code(row.try_get("page_watch")?)
            .ok_or(StoreError::Unreadable("page watch"))?,
    })
}

/// A terminal's rules against card testing.
pub(crate) fn card_testing_of(row: &Row) -> Result<CardTestingSettings, StoreError> {
    let unreadable = || StoreError::Unreadable("card testing");
    let limits = row.try_get::<&str>("card_testing_limits")?.parse();
    Ok(CardTestingSettings {
        switch: Switch::from_code(row.try_get("card_testing")?).ok_or_else(unreadable)?,
        limits: limits.map_err(|_| unreadable())?,
        allowed_ranges: parts_of(row, "allowed_ranges")?,
        blocked_ranges: parts_of(row, "blocked_ranges")?,
        allowed_addresses: parts_of(row, "allowed_addresses")?,
        blocked_addresses: parts_of(row, "blocked_addresses")?,
    })
}

/// The values of a column that are separated by commas.
fn parts_of<T: FromStr>(row: &Row, column: &'static str) -> Result<Vec<T>, StoreError> {
    let text: &str = row.try_get(column)?;
    let parts = text.split(',').filter(|part| !part.is_empty());
    parts
        .map(|part| part.parse().map_err(|_| StoreError::Unreadable(column)))
        .collect()
}

fn in_one_text<T: ToString>(parts: &[T]) -> String {
    let parts: Vec<String> = parts.iter().map(T::to_string).collect();
    parts.join(",")
}

/// The terminal's networks in the format of a column: a network that is preferred on co-badged cards has a star after its code.
pub fn network_codes(terminal: &Terminal) -> String {
    let code = |network: Network| {
        let preferred = terminal.preferred_networks.contains(network);
        [network.code(), if preferred { PREFERRED } else { "" }].concat()
    };
    let codes: Vec<String> = terminal.networks.iter().map(code).collect();
    codes.join(",")
}

/// The preferred networks of a column, and all of them.
fn networks_of(column: &str) -> (NetworkSet, NetworkSet) {
    let preferred = column
        .split(',')
        .filter_map(|code| code.strip_suffix(PREFERRED));
    let all = column
        .split(',')
        .map(|code| code.trim_end_matches(PREFERRED));
    (
        NetworkSet::from_codes(preferred),
        NetworkSet::from_codes(all),
    )
}

const PREFERRED: &str = "*";

fn codes(networks: NetworkSet) -> String {
    networks
        .iter()
        .map(|network| network.code())
        .collect::<Vec<_>>()
        .join(",")
}
