//! A gateway whose tables hold a great number of orders: some that were really paid, and copies of what they left.

use super::calendar::{DAY_MS, written};
use super::clearing;
use super::copies::{Ages, Copies, YOUNGEST_MS, scattered};
use super::database::{Column, Database};
use super::orders::{self, MERCHANT, Order};
use super::template::{self, Snapshot};
use crate::connection::Connection;
use crate::gateway::{Gateway, Recipe};
use crate::receiver::Receiver;
use anyhow::{Context, Result, bail};
use fastrand::Rng;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A running gateway with many orders.
pub(super) struct Filled {
    pub(super) line: Connection,
    /// The cookie of a member who is logged in to the back office.
    pub(super) cookie: String,
    pub(super) orders: Vec<Order>,
    pub(super) copies: Copies,
    /// The id that the gateway made for a row of each template in a table.
    ids: Vec<BTreeMap<&'static str, String>>,
    gateway: Gateway,
    origin: String,
    member: String,
    password: String,
}

impl Filled {
    /// Starts a gateway with an empty folder, or an empty database at `url`, and fills its tables.
    pub(super) async fn start(
        program: &Path,
        folder: &Path,
        url: Option<&str>,
        orders: i64,
    ) -> Result<Filled> {
        std::fs::create_dir_all(folder)?;
        let recipe = recipe(program, folder, url)?;
        let gateway = recipe.start().await?;
        let mut database = Database::open(folder, url).await?;
        let made = orders::all();
        let mut line = Connection::open(&recipe.origin()).await?;
        let receiver = Receiver::start(Rng::with_seed(0)).await?;
        pay(&mut line, &made, receiver.address()).await?;
        delivered(&mut database).await?;
        let columns = template::columns(&mut database).await?;
        let templates = grow_old(&mut line, &mut database, &columns, &made).await?;
        gateway.stop().await?;

        let now_ms = now_ms(&mut database).await?;
        let newest_ms = now_ms - YOUNGEST_MS;
        let copies = Copies::new(orders, made.len() as i64, newest_ms);
        let since = Instant::now();
        copies.add(&mut database, &columns, &templates).await?;
        clearing::write(&mut database, MERCHANT_ID, now_ms).await?;
        let (rows, seconds) = (
            copies.of_each * copies.templates,
            since.elapsed().as_secs_f64(),
        );
        println!(
            "{rows} orders in {seconds:.1} s, {:.0} a second",
            rows as f64 / seconds
        );
        Filled::open(recipe, database, copies, made).await
    }

    /// Starts the gateway of an earlier run with as many orders.
    pub(super) async fn again(
        program: &Path,
        folder: &Path,
        url: Option<&str>,
        orders: i64,
    ) -> Result<Filled> {
        let recipe = recipe(program, folder, url)?;
        let mut database = Database::open(folder, url).await?;
        let made = orders::all();
        // The first copy of the first template is the newest.
        let newest = format!(
            "SELECT created_ms FROM merchant_order WHERE merchant_id = '{MERCHANT_ID}' AND order_id = '{}-0'",
            made[0].order_id
        );
        let newest_ms = database.number(&newest).await?;
        let copies = Copies::new(orders, made.len() as i64, newest_ms);
        Filled::open(recipe, database, copies, made).await
    }

    async fn open(
        recipe: Recipe,
        mut database: Database,
        copies: Copies,
        orders: Vec<Order>,
    ) -> Result<Filled> {
        let gateway = recipe.start().await?;
        let member = format!("anna-{}@shop.example", real_ms()?);
        let password = add_member(&recipe, &member).await?;
        // Nobody else knows the password, so nobody has to choose another.
        let known = String::from("UPDATE member SET must_change = 0");
        database.execute(known).await?;
        let mut ids = Vec::new();
        for order in &orders {
            ids.push(ids_of(&mut database, &order.order_id).await?);
        }
        database.close().await?;
        let mut line = Connection::open(&recipe.origin()).await?;
        let cookie = line.log_in(&member, &password).await?;
        Ok(Filled {
            line,
            cookie,
            orders,
            copies,
            ids,
            gateway,
            origin: recipe.origin(),
            member,
            password,
        })
    }

    /// Takes a new connection, and logs in again: the gateway ends what rests.
    pub(super) async fn reconnect(&mut self) -> Result<()> {
        self.line = Connection::open(&self.origin).await?;
        self.cookie = self.line.log_in(&self.member, &self.password).await?;
        Ok(())
    }

    /// Ends the gateway.
    pub(super) async fn stop(self) -> Result<()> {
        self.gateway.stop().await
    }

    /// The id of copy `n` of a template in a table whose ids the gateway makes.
    pub(super) fn id(&self, table: &str, template: usize, n: i64) -> Option<String> {
        let id = self.ids.get(template)?.get(table)?;
        let kept = id.get(..id.len().checked_sub(12)?)?;
        Some(format!("{kept}{:012}", scattered(n)))
    }
}

fn recipe(program: &Path, folder: &Path, url: Option<&str>) -> Result<Recipe> {
    let recipe = Recipe::new(program, folder)?;
    Ok(match url {
        Some(url) => recipe.with("DATABASE_URL", url),
        None => recipe,
    })
}

async fn add_member(recipe: &Recipe, member: &str) -> Result<String> {
    let words = [
        "members",
        "add",
        MERCHANT_ID,
        member,
        "administrator",
        "Anna",
    ];
    let said = recipe.say(&words).await?;
    let password = said.lines().nth(1).context("no password")?;
    Ok(password.to_owned())
}

async fn pay(line: &mut Connection, orders: &[Order], hook: &str) -> Result<()> {
    let last_day = written(real_ms()? + 60 * DAY_MS);
    let last_day = last_day.get(..10).unwrap_or_default();
    for order in orders {
        let made = order.make(line, hook, last_day).await;
        made.with_context(|| format!("order {}", order.order_id))?;
    }
    Ok(())
}

/// Waits until the merchant has heard of everything.
async fn delivered(database: &mut Database) -> Result<()> {
    let deadline = Instant::now() + Duration::from_secs(150);
    let waiting = "SELECT COUNT(*) FROM notification WHERE state = 'WAITING'";
    while database.number(waiting).await? > 0 {
        if Instant::now() > deadline {
            bail!("notifications are not delivered");
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    Ok(())
}

/// Lets time pass by the sandbox's clock, and looks at the rows at each age: the gateway itself deletes what it does not keep.
async fn grow_old(
    line: &mut Connection,
    database: &mut Database,
    columns: &[Vec<Column>],
    orders: &[Order],
) -> Result<Vec<Ages>> {
    let mut templates: Vec<Ages> = orders.iter().map(|_| Ages::new()).collect();
    for (from_ms, hours) in AGES {
        let body = json!({ "secondsAhead": hours * 3600 }).to_string();
        let key = format!("advance-{hours}");
        line.post(MERCHANT, "/api/test/clock/advance", &key, body)
            .await?;
        for (order, ages) in orders.iter().zip(&mut templates) {
            let names = order.names();
            let snapshot = Snapshot::read(database, columns, &order.order_id, &names).await?;
            ages.push((from_ms, snapshot));
        }
    }
    Ok(templates)
}

/// The time of the gateway's payments.
async fn now_ms(database: &mut Database) -> Result<i64> {
    Ok(real_ms()? + database.number("SELECT ahead_ms FROM test_clock").await?)
}

/// Milliseconds since 1970 by the machine's clock.
pub(super) fn real_ms() -> Result<i64> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH)?;
    Ok(i64::try_from(since.as_millis())?)
}

/// The ids of an order that questions need, by their tables.
async fn ids_of(database: &mut Database, order_id: &str) -> Result<BTreeMap<&'static str, String>> {
    let mut ids = BTreeMap::new();
    for (table, column) in [("operation", "operation_id"), ("hosted_page", "page_id")] {
        let id = database
            .text(&format!(
                "SELECT {column} FROM {table} WHERE merchant_id = '{MERCHANT_ID}' AND order_id = '{order_id}' LIMIT 1"
            ))
            .await?;
        ids.extend(id.map(|id| (table, id)));
    }
    Ok(ids)
}

const MERCHANT_ID: &str = "demo";

/// From which age on copies look like an order of so many hours. Between two of them the gateway deletes a kind of records: answers for
/// repeated calls, what closed sessions leave, events and notifications. Records of card testing live for a day, and are in no copy.
const AGES: [(i64, i64); 4] = [
    (0, 25),
    (2 * DAY_MS, 50),
    (31 * DAY_MS, 33 * 24),
    (90 * DAY_MS, 100 * 24),
];
