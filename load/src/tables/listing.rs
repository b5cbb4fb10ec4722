//! Whether the gateway reads what the generator wrote: every order is in the list once, and every event is in the feed once.

use super::calendar::{DAY_MS, instants, written};
use super::filled::Filled;
use super::orders::{Case, MERCHANT};
use crate::payment::text;
use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;

/// Reads both lists from one end to the other; an error if something is missing or doubled.
pub(super) async fn check(filled: &mut Filled) -> Result<()> {
    let orders = orders(filled).await?;
    let templates = filled.orders.iter();
    // What nobody has tried to pay is in no list.
    let tried = templates.filter(|order| order.case != Case::Link);
    for (template, order) in filled.orders.iter().enumerate() {
        for n in [0, filled.copies.of_each / 2, filled.copies.of_each - 1] {
            let order_id = format!("{}-{n}", order.order_id);
            let is_listed = orders.contains(&order_id);
            ensure!(
                is_listed != (order.case == Case::Link),
                "template {template}: {order_id} is listed: {is_listed}"
            );
        }
    }
    // The templates themselves, too.
    let expected = usize::try_from(filled.copies.of_each)? + 1;
    let expected = tried.count() * expected;
    ensure!(
        orders.len() == expected,
        "{} orders are listed, of {expected}",
        orders.len()
    );
    let events = events(filled).await?;
    println!("the gateway lists {expected} orders and {events} events, each once",);
    Ok(())
}

async fn orders(filled: &mut Filled) -> Result<BTreeSet<String>> {
    let mut listed = BTreeSet::new();
    let oldest_ms = filled.copies.time_ms(0, filled.copies.of_each) - 31 * DAY_MS;
    let mut to_ms = filled.copies.newest_ms + DAY_MS;
    while to_ms > oldest_ms {
        let from_ms = to_ms - 31 * DAY_MS;
        let path = format!(
            "/api/orders?maxRecords=500&fromTime={}&toTime={}",
            written(from_ms),
            written(to_ms)
        );
        let page = filled.line.get(MERCHANT, &path).await?;
        let rows = page["orders"].as_array().context("no orders")?;
        for row in rows {
            let order_id = text(&row["order"], "orderId")?;
            ensure!(
                listed.insert(order_id.to_owned()),
                "{order_id} is listed twice"
            );
        }
        to_ms = match rows.last() {
            Some(last) if rows.len() == 500 => {
                let time = text(last, "lastOperationTime")?;
                let (_, ms) = instants(time).next().context("no time")?;
                ms
            }
            _ => from_ms,
        };
    }
    Ok(listed)
}

async fn events(filled: &mut Filled) -> Result<usize> {
    let mut ids = BTreeSet::new();
    let mut path = String::from("/api/events?limit=500");
    loop {
        let page = filled.line.get(MERCHANT, &path).await?;
        let rows = page["events"].as_array().context("no events")?;
        if rows.is_empty() {
            break;
        }
        for row in rows {
            let id = text(row, "eventId")?;
            ensure!(ids.insert(id.to_owned()), "{id} is in the feed twice");
        }
        path = format!("/api/events?limit=500&after={}", text(&page, "nextCursor")?);
    }
    ensure!(!ids.is_empty(), "the feed is empty");
    Ok(ids.len())
}
