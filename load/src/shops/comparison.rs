//! Compares what a shop believes with the gateway's books and with the acquirer's, order by order.
//!
//! The shop's database is read from its disk, as the shop itself finds it after a crash.

use crate::reconciliation::connect;
use anyhow::{Context, Result};
use serde_json::Value;
use sqlx::{Row, SqliteConnection};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What can be wrong with an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Difference {
    HeldAndCancelled,
    HeldAndOpen,
    PaidAndNotHeld,
    SentTwice,
    SentAndNotHeld,
    PaidAndNotSent,
    SentAndFreed,
    ChargedTwice,
    NoEnd,
    NotInShop,
    GatewayAndAcquirer,
}

impl Difference {
    /// All, in the order in which they are printed.
    pub(crate) const ALL: [Difference; 11] = [
        Difference::HeldAndCancelled,
        Difference::HeldAndOpen,
        Difference::PaidAndNotHeld,
        Difference::SentTwice,
        Difference::SentAndNotHeld,
        Difference::PaidAndNotSent,
        Difference::SentAndFreed,
        Difference::ChargedTwice,
        Difference::NoEnd,
        Difference::NotInShop,
        Difference::GatewayAndAcquirer,
    ];

    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Difference::HeldAndCancelled => "cancelled, and its money is held",
            Difference::HeldAndOpen => "still open, and its money is held",
            Difference::PaidAndNotHeld => "paid, and no money is held",
            Difference::SentTwice => "goods sent more than once",
            Difference::SentAndNotHeld => "goods sent, and no money is held",
            Difference::PaidAndNotSent => "paid, and no goods sent",
            Difference::SentAndFreed => "goods sent, and for sale again",
            Difference::ChargedTwice => "a second charge is kept",
            Difference::NoEnd => "has no end, or work is left",
            Difference::NotInShop => "money is held, and the shop has no such order",
            Difference::GatewayAndAcquirer => "gateway and acquirer hold different sums",
        }
    }
}

/// An order in the shop's database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShopOrder {
    pub(crate) state: OrderState,
    /// The shop will do something more about it.
    pub(crate) has_work: bool,
    pub(crate) parcels: u32,
    pub(crate) is_freed: bool,
}

/// What the shop believes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrderState {
    Open,
    Paid,
    /// Given up, cancelled, refunded.
    Over,
}

/// The orders in a shop's database, by their ids.
pub(crate) type ShopBook = BTreeMap<String, ShopOrder>;

/// An approved charge at the acquirer.
#[derive(Clone, Debug)]
pub(crate) struct Charge {
    pub(crate) order: String,
    /// Without what was given back.
    pub(crate) held: i64,
    pub(crate) was_given_back: bool,
}

/// The databases of gateway and acquirer.
pub(crate) struct MoneyBooks {
    gateway: SqliteConnection,
    acquirer: SqliteConnection,
}

impl MoneyBooks {
    /// Those in a gateway's folder.
    pub(crate) async fn open(folder: &Path) -> Result<MoneyBooks> {
        Ok(MoneyBooks {
            gateway: connect(&folder.join("gateway.db")).await?,
            acquirer: connect(&folder.join("acquirer.db")).await?,
        })
    }

    /// How many payments have no outcome yet.
    pub(crate) async fn undecided(&mut self) -> Result<i64> {
        let question =
            "SELECT count(*) FROM operation WHERE result = 'PENDING' OR stage <> 'BOOKED'";
        Ok(sqlx::query_scalar(question)
            .fetch_one(&mut self.gateway)
            .await?)
    }

    /// What the gateway holds, by order.
    pub(crate) async fn held(&mut self) -> Result<BTreeMap<String, i64>> {
        let question =
            "SELECT order_id, authorized_minor - refunded_minor AS held FROM merchant_order";
        let rows = sqlx::query(question).fetch_all(&mut self.gateway).await?;
        rows.iter()
            .map(|row| Ok((row.try_get("order_id")?, row.try_get("held")?)))
            .collect()
    }

    /// The acquirer's approved charges, with the orders that the gateway has made them for.
    pub(crate) async fn charges(&mut self) -> Result<Vec<Charge>> {
        let payments = "SELECT operation_id, order_id FROM operation WHERE payment_id IS NULL";
        let mut orders = BTreeMap::<String, String>::new();
        for row in sqlx::query(payments).fetch_all(&mut self.gateway).await? {
            orders.insert(row.try_get("operation_id")?, row.try_get("order_id")?);
        }
        let back = "SELECT charge, sum(amount_minor) AS back FROM movement WHERE kind <> 'CAPTURE' \
                    AND coalesce(final_settlement, settlement) = 'APPROVED' GROUP BY charge";
        let mut given_back = BTreeMap::<String, i64>::new();
        for row in sqlx::query(back).fetch_all(&mut self.acquirer).await? {
            given_back.insert(row.try_get("charge")?, row.try_get("back")?);
        }
        let approved = "SELECT reference, amount_minor FROM charge WHERE coalesce(final_settlement, settlement) = 'APPROVED'";
        let rows = sqlx::query(approved).fetch_all(&mut self.acquirer).await?;
        rows.iter()
            .map(|row| {
                let reference: String = row.try_get("reference")?;
                let back = given_back.get(&reference);
                Ok(Charge {
                    held: row.try_get::<i64, _>("amount_minor")? - back.unwrap_or(&0),
                    was_given_back: back.is_some(),
                    order: orders.remove(&reference).unwrap_or(reference),
                })
            })
            .collect()
    }
}

/// What a shop has on its disk.
pub(crate) struct ShopFile {
    path: PathBuf,
}

impl ShopFile {
    /// See `packages/server/example/order-file.mjs`.
    pub(crate) fn new(path: PathBuf) -> ShopFile {
        ShopFile { path }
    }

    /// Its orders.
    pub(crate) fn read(&self) -> Result<ShopBook> {
        let path = self.path.display();
        let text = std::fs::read_to_string(&self.path).with_context(|| format!("no {path}"))?;
        book(&text).with_context(|| format!("{path} can not be read"))
    }
}

/// The orders of such a file: the newest line of a key counts, and none that was not written whole.
fn book(text: &str) -> Result<ShopBook> {
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let mut newest = BTreeMap::<(String, String), Value>::new();
    for line in whole.lines() {
        let (table, key, value) = serde_json::from_str(line)?;
        newest.insert((table, key), value);
    }
    let mut book = ShopBook::new();
    for ((table, key), value) in &newest {
        if table == "order" {
            book.insert(key.clone(), shop_order(value)?);
        }
    }
    for ((table, key), value) in &newest {
        let id = if table == "parcel" {
            value.as_str()
        } else {
            Some(key.as_str())
        };
        let Some(order) = id.and_then(|id| book.get_mut(id)) else {
            continue;
        };
        match table.as_str() {
            "parcel" => order.parcels += 1,
            "freed" => order.is_freed = true,
            _ => {}
        }
    }
    Ok(book)
}

/// A row of the order keeper's book, or of the naive shop.
fn shop_order(row: &Value) -> Result<ShopOrder> {
    let status = row["order"]["status"].as_str().or(row["status"].as_str());
    let state = match status.context("an order without a status")? {
        "PAID" | "PARTLY_PAID" => OrderState::Paid,
        "GIVEN_UP" | "REFUNDED" | "CANCELLED" => OrderState::Over,
        _ => OrderState::Open,
    };
    let outbox = row["outbox"].as_array();
    Ok(ShopOrder {
        state,
        has_work: !row["wakeAtMs"].is_null() || outbox.is_some_and(|all| !all.is_empty()),
        parcels: 0,
        is_freed: false,
    })
}

/// Everything that is wrong, with the order.
pub(crate) fn differences(
    book: &ShopBook,
    held: &BTreeMap<String, i64>,
    charges: &[Charge],
) -> Vec<(Difference, String)> {
    let mut at_acquirer = BTreeMap::<&str, (i64, usize)>::new();
    for charge in charges {
        let (sum, kept) = at_acquirer.entry(&charge.order).or_default();
        *sum += charge.held;
        *kept += usize::from(charge.held > 0);
    }
    let mut found = Vec::new();
    for (id, order) in book {
        let (charged, kept) = at_acquirer.remove(id.as_str()).unwrap_or_default();
        let booked = held.get(id).copied().unwrap_or_default();
        let is_held = charged > 0 || booked > 0;
        let is_paid = order.state == OrderState::Paid;
        let checks = [
            (
                Difference::HeldAndCancelled,
                is_held && order.state == OrderState::Over,
            ),
            (
                Difference::HeldAndOpen,
                is_held && order.state == OrderState::Open,
            ),
            (Difference::PaidAndNotHeld, is_paid && !is_held),
            (Difference::SentTwice, order.parcels > 1),
            (Difference::SentAndNotHeld, order.parcels > 0 && !is_held),
            (Difference::PaidAndNotSent, is_paid && order.parcels == 0),
            (
                Difference::SentAndFreed,
                order.parcels > 0 && order.is_freed,
            ),
            (Difference::ChargedTwice, kept > 1),
            (
                Difference::NoEnd,
                order.has_work || (order.state == OrderState::Open && !is_held),
            ),
            (Difference::GatewayAndAcquirer, charged != booked),
        ];
        let wrong = checks.iter().filter(|(_, is_wrong)| *is_wrong);
        found.extend(wrong.map(|(difference, _)| (*difference, id.clone())));
    }
    let unknown = at_acquirer.iter().filter(|(_, (sum, _))| *sum > 0);
    found.extend(unknown.map(|(id, _)| (Difference::NotInShop, (*id).to_owned())));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is wrong with one order: its lines, what the gateway holds, and the charges that the acquirer holds.
    fn check(lines: &[&str], booked: i64, charges: &[i64], expected: &[Difference]) {
        let text = lines.iter().map(|line| format!("{line}\n"));
        let book = book(&text.collect::<String>()).unwrap();
        let held = BTreeMap::from([(String::from("A"), booked)]);
        let charges: Vec<Charge> = charges
            .iter()
            .map(|held| Charge {
                order: String::from("A"),
                held: *held,
                was_given_back: false,
            })
            .collect();
        let found: Vec<Difference> = differences(&book, &held, &charges)
            .into_iter()
            .map(|(difference, _)| difference)
            .collect();
        assert_eq!(found, expected, "{lines:?}");
    }

    const OPEN: &str = r#"["order","A",{"order":{"status":"PAYING"},"outbox":[],"wakeAtMs":5}]"#;
    const PAID: &str = r#"["order","A",{"order":{"status":"PAID"},"outbox":[],"wakeAtMs":null}]"#;
    const PARTLY: &str =
        r#"["order","A",{"order":{"status":"PARTLY_PAID"},"outbox":[],"wakeAtMs":null}]"#;
    const GIVEN_UP: &str =
        r#"["order","A",{"order":{"status":"GIVEN_UP"},"outbox":[],"wakeAtMs":null}]"#;
    const PARCEL: &str = r#"["parcel","A","A"]"#;
    const FREED: &str = r#"["freed","A",true]"#;

    #[test]
    fn orders_that_agree_with_the_money_are_no_difference() {
        check(&[OPEN, PAID, PARCEL], 3545, &[3545], &[]);
        check(&[PARTLY, PARCEL], 2545, &[2545, 0], &[]);
        check(&[GIVEN_UP, FREED], 0, &[], &[]);
        check(
            &[r#"["order","A",{"status":"CANCELLED"}]"#, FREED],
            0,
            &[0],
            &[],
        );
    }

    #[test]
    fn each_difference_is_found() {
        use Difference::*;
        let cancelled = r#"["order","A",{"status":"CANCELLED"}]"#;
        check(&[cancelled, FREED], 3545, &[3545], &[HeldAndCancelled]);
        check(
            &[r#"["order","A",{"status":"PENDING"}]"#],
            3545,
            &[3545],
            &[HeldAndOpen],
        );
        check(&[PAID, PARCEL], 0, &[], &[PaidAndNotHeld, SentAndNotHeld]);
        check(
            &[PAID, PARCEL, r#"["parcel","x","A"]"#],
            3545,
            &[3545],
            &[SentTwice],
        );
        check(&[PAID], 3545, &[3545], &[PaidAndNotSent]);
        check(&[PAID, PARCEL, FREED], 3545, &[3545], &[SentAndFreed]);
        check(&[PAID, PARCEL], 7090, &[3545, 3545], &[ChargedTwice]);
        check(&[PAID, PARCEL], 0, &[3545], &[GatewayAndAcquirer]);
        check(&[OPEN], 0, &[], &[NoEnd]);
        let work = GIVEN_UP.replace(r#""outbox":[]"#, r#""outbox":[{"type":"RELEASE_STOCK"}]"#);
        check(&[&work], 0, &[], &[NoEnd]);
        check(&[], 3545, &[3545], &[NotInShop]);
        assert_eq!(Difference::ALL.len(), 11);
    }

    #[test]
    fn a_line_that_was_not_written_whole_does_not_count() {
        let text = format!("{PAID}\n[\"order\",\"A\",{{\"order\":{{\"sta");
        let orders = book(&text).unwrap();
        assert_eq!(orders["A"].state, OrderState::Paid);
        assert!(book("").unwrap().is_empty());
    }
}
