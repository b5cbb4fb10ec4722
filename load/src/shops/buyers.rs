//! Buyers of the shop, and its staff: they open pages, pay with cards of every kind, come back or do not, change their mind, and give money back.
//!
//! A buyer whose page does not come loads it again, as people do. What a form does in a browser is done here by its calls.

use super::network::Network;
use crate::payment::card_entry;
use anyhow::{Context, Result, bail};
use fastrand::Rng;
use reqwest::{Client, Method, StatusCode, redirect};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::JoinSet;
use uuid::Uuid;

/// Everybody who uses the shop.
pub(crate) struct Buyers {
    http: Client,
    shop: String,
    gateway: String,
    api_key: &'static str,
    shop_is_open: watch::Receiver<bool>,
    /// How long the shop waits for the payment of an order.
    pay_within: Duration,
    random: Mutex<Rng>,
    figures: Figures,
}

/// What they did.
#[derive(Default)]
pub(crate) struct Figures {
    /// Cards for which the form showed an outcome.
    pub(crate) payments: AtomicU32,
    pub(crate) refunds: AtomicU32,
}

/// Where they buy.
pub(crate) struct Place {
    pub(crate) shop: String,
    pub(crate) gateway: String,
    pub(crate) api_key: &'static str,
    pub(crate) shop_is_open: watch::Receiver<bool>,
    pub(crate) pay_within: Duration,
}

/// What a buyer does.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// With this card.
    Pays(&'static str),
    /// Some cards are refused; then the buyer presses Pay again in the shop, and pays.
    TriesAgain,
    /// Closes the page with the form.
    Leaves,
    /// Pays, and never comes back to the shop.
    PaysAndLeaves,
    PaysInTwoTabs,
    CancelsWhilePaying,
    /// About when the shop's time limit is over.
    PaysLate,
    /// Staff gives a part back.
    GetsAPartBack,
}

/// A page with a form.
#[derive(Clone)]
struct Form {
    order: String,
    session: String,
}

/// What a form shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Approved,
    Refused,
    /// The session takes no card any more.
    Over,
}

impl Buyers {
    pub(crate) fn new(place: Place, random: Rng) -> Result<Buyers> {
        Ok(Buyers {
            http: Client::builder()
                .redirect(redirect::Policy::none())
                .timeout(PAGE_LIMIT)
                .no_proxy()
                .build()?,
            shop: place.shop,
            gateway: place.gateway,
            api_key: place.api_key,
            shop_is_open: place.shop_is_open,
            pay_within: place.pay_within,
            random: Mutex::new(random),
            figures: Figures::default(),
        })
    }

    /// The counts so far.
    pub(crate) fn figures(&self) -> &Figures {
        &self.figures
    }

    /// So many orders. The shop dies so often meanwhile, evenly over the orders.
    pub(crate) async fn buy(
        self: Arc<Self>,
        orders: u32,
        kills: u32,
        network: &Network,
    ) -> Result<()> {
        let next = Arc::new(AtomicU32::new(0));
        let mut running = JoinSet::new();
        for _ in 0..AT_A_TIME {
            let (buyers, next, network) = (Arc::clone(&self), Arc::clone(&next), network.clone());
            running.spawn(async move {
                let mut late = JoinSet::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= orders {
                        break;
                    }
                    network.let_shop_die(
                        share(number + 1, kills, orders) - share(number, kills, orders),
                    );
                    let way = WAYS[number as usize % WAYS.len()];
                    if let Way::PaysLate = way {
                        // Others buy meanwhile.
                        let buyers = Arc::clone(&buyers);
                        late.spawn(async move { buyers.goes(way).await });
                    } else {
                        buyers.goes(way).await?;
                    }
                }
                all_of(late).await
            });
        }
        all_of(running).await
    }

    async fn goes(&self, way: Way) -> Result<()> {
        self.go(way)
            .await
            .with_context(|| format!("a buyer, {way:?}"))
    }

    async fn go(&self, way: Way) -> Result<()> {
        let Some(form) = self.form("/").await? else {
            // The shop's answer took so long that the order is not for sale any more. The buyer goes elsewhere.
            return Ok(());
        };
        match way {
            Way::Pays(card) => {
                self.pay(&form, card).await?;
                self.come_back(&form).await
            }
            Way::TriesAgain => self.try_again(&form).await,
            Way::Leaves => Ok(()),
            Way::PaysAndLeaves => self.pay(&form, APPROVED).await.map(drop),
            Way::PaysInTwoTabs => {
                let again = self.form(&format!("/pay?order={}", form.order)).await?;
                let other = again.as_ref().unwrap_or(&form);
                let (one, two) =
                    tokio::join!(self.pay(&form, APPROVED), self.pay(other, CHALLENGED));
                one?;
                two?;
                let (one, two) = tokio::join!(self.come_back(&form), self.come_back(other));
                one.and(two)
            }
            Way::CancelsWhilePaying => {
                let cancel = async {
                    tokio::time::sleep(self.pause(60)).await;
                    let path = format!("/cancel?order={}", form.order);
                    self.page(Method::POST, &path).await
                };
                let (paid, cancelled) = tokio::join!(self.pay(&form, APPROVED), cancel);
                paid?;
                cancelled?;
                self.come_back(&form).await
            }
            Way::PaysLate => {
                let about = self
                    .pay_within
                    .mul_f64(0.7 + f64::from(self.draw(60)) / 100.0);
                tokio::time::sleep(about).await;
                self.pay(&form, APPROVED).await?;
                self.come_back(&form).await
            }
            Way::GetsAPartBack => {
                let outcome = self.pay(&form, APPROVED).await?;
                self.come_back(&form).await?;
                if outcome == Outcome::Approved {
                    self.give_a_part_back(&form).await?;
                }
                self.come_back(&form).await
            }
        }
    }

    async fn try_again(&self, form: &Form) -> Result<()> {
        for _ in 0..=self.draw(3) {
            self.pay(form, NO_FUNDS).await?;
        }
        let again = self.form(&format!("/pay?order={}", form.order)).await?;
        if let Some(again) = again {
            self.pay(&again, APPROVED).await?;
        }
        self.come_back(form).await
    }

    /// A page of the shop with a form; `None`: the shop does not sell this order any more.
    async fn form(&self, path: &str) -> Result<Option<Form>> {
        let (status, page) = self.page(Method::GET, path).await?;
        if status == StatusCode::CONFLICT {
            return Ok(None);
        }
        let between = |start: &str| {
            let rest = page.split_once(start)?.1;
            rest.split('"').next().map(str::to_owned)
        };
        match (between("data-order=\""), between(" session=\"")) {
            (Some(order), Some(session)) => Ok(Some(Form { order, session })),
            _ => bail!("{path}: {status}: {page}"),
        }
    }

    async fn come_back(&self, form: &Form) -> Result<()> {
        let path = format!("/result?order={}", form.order);
        self.page(Method::GET, &path).await.map(drop)
    }

    /// A page of the shop. It is loaded again until it comes.
    async fn page(&self, method: Method, path: &str) -> Result<(StatusCode, String)> {
        let deadline = Instant::now() + PAGE_TIMEOUT;
        let mut shop_is_open = self.shop_is_open.clone();
        while Instant::now() < deadline {
            shop_is_open.wait_for(|is_open| *is_open).await?;
            let asked = async {
                let url = format!("{}{path}", self.shop);
                let answer = self.http.request(method.clone(), url).send().await?;
                Ok::<_, reqwest::Error>((answer.status(), answer.text().await?))
            };
            match asked.await {
                Ok((status, page)) if !status.is_server_error() => return Ok((status, page)),
                _ => tokio::time::sleep(self.pause(200)).await,
            }
        }
        bail!("{path}: no page within {PAGE_TIMEOUT:?}")
    }

    /// Enters a card, answers the bank, and reads what the form would show.
    async fn pay(&self, form: &Form, card: &str) -> Result<Outcome> {
        let session = &form.session;
        let (status, entered) = self
            .call(session, "/api/fe/build/text", &card_entry(card))
            .await?;
        if status != StatusCode::OK {
            return Ok(Outcome::Over);
        }
        if let Some(url) = entered["gdiStatus"]["gdiUrl"].as_str() {
            self.press(url, "").await?;
        }
        let (status, mut state) = self
            .call(session, "/api/build/finalize_payment", &json!({}))
            .await?;
        if status != StatusCode::OK {
            return Ok(Outcome::Over);
        }
        if let Some(url) = state["url"].as_str() {
            let token = url.rsplit('/').next().unwrap_or_default();
            let page = format!("{}/threeds/result/{token}", self.gateway);
            self.press(&page, "answer=approve&code=123456").await?;
            let asked = self.http.get(format!("{}/api/build/state", self.gateway));
            state = self.answer(asked.header("session", session)).await?.1;
        }
        self.figures.payments.fetch_add(1, Ordering::Relaxed);
        Ok(match state["operation"]["operationResult"].as_str() {
            Some("EXECUTED") => Outcome::Approved,
            Some(_) => Outcome::Refused,
            None => Outcome::Over,
        })
    }

    /// A call of the form.
    async fn call(&self, session: &str, path: &str, body: &Value) -> Result<(StatusCode, Value)> {
        let request = self
            .http
            .post(format!("{}{path}", self.gateway))
            .header("session", session)
            .header("idempotency-key", Uuid::new_v4().to_string())
            .header("content-type", "application/json")
            .body(body.to_string());
        self.answer(request).await
    }

    async fn press(&self, url: &str, form: &'static str) -> Result<()> {
        let request = self
            .http
            .post(url)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form);
        // The session may be over meanwhile: what counts is its state.
        request.send().await?;
        Ok(())
    }

    /// Staff gives a part of the payment back, at the gateway.
    async fn give_a_part_back(&self, form: &Form) -> Result<()> {
        let order = format!("{}/api/orders/{}", self.gateway, form.order);
        let asked = self.http.get(order).header("x-api-key", self.api_key);
        let (_, order) = self.answer(asked).await?;
        let is_sale = |one: &&Value| one["operationResult"] == "EXECUTED";
        let operations = order["operations"].as_array();
        let sale = operations.and_then(|all| all.iter().find(is_sale));
        let sale = sale.and_then(|sale| sale["operationId"].as_str());
        let Some(sale) = sale else {
            return Ok(());
        };
        let part = json!({ "amount": A_PART, "currency": "EUR" });
        let refund = self
            .http
            .post(format!("{}/api/operations/{sale}/refunds", self.gateway))
            .header("x-api-key", self.api_key)
            .header("idempotency-key", format!("part {sale}"))
            .header("content-type", "application/json")
            .body(part.to_string());
        let (status, answer) = self.answer(refund).await?;
        if status != StatusCode::OK {
            bail!("no refund: {status}: {answer}");
        }
        self.figures.refunds.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    async fn answer(&self, request: reqwest::RequestBuilder) -> Result<(StatusCode, Value)> {
        let answer = request
            .header("correlation-id", Uuid::new_v4().to_string())
            .send()
            .await?;
        let status = answer.status();
        if status.is_server_error() {
            bail!("the gateway answers {status}");
        }
        let text = answer.text().await?;
        let value = serde_json::from_str(&text).with_context(|| format!("{status}: {text}"))?;
        Ok((status, value))
    }

    fn pause(&self, most_ms: u32) -> Duration {
        Duration::from_millis(u64::from(self.draw(most_ms)))
    }

    fn draw(&self, below: u32) -> u32 {
        // A panic while it is locked leaves it valid.
        let mut random = self.random.lock().unwrap_or_else(PoisonError::into_inner);
        random.u32(..below)
    }
}

async fn all_of(mut running: JoinSet<Result<()>>) -> Result<()> {
    while let Some(done) = running.join_next().await {
        done??;
    }
    Ok(())
}

/// How many of `kills` there are before the order with this number.
fn share(number: u32, kills: u32, orders: u32) -> u32 {
    // The quotient is at most `kills`.
    u32::try_from(u64::from(number) * u64::from(kills) / u64::from(orders)).unwrap_or(kills)
}

/// Buyers take them in turn.
const WAYS: [Way; 12] = [
    Way::Pays(APPROVED),
    Way::PaysLate,
    Way::CancelsWhilePaying,
    Way::TriesAgain,
    Way::PaysAndLeaves,
    Way::PaysInTwoTabs,
    Way::Leaves,
    Way::Pays(LATER_APPROVED),
    Way::GetsAPartBack,
    Way::Pays(CHALLENGED),
    Way::CancelsWhilePaying,
    Way::Pays(LATER_DECLINED),
];
const APPROVED: &str = "4761730000000003";
const CHALLENGED: &str = "4761730000003007";
const NO_FUNDS: &str = "4761730000001167";
const LATER_APPROVED: &str = "4761730000008881";
const LATER_DECLINED: &str = "4761730000009079";
const A_PART: &str = "1000";
const AT_A_TIME: usize = 12;
/// How long a buyer waits for one page.
const PAGE_LIMIT: Duration = Duration::from_secs(20);
/// How long a buyer loads a page again and again.
const PAGE_TIMEOUT: Duration = Duration::from_secs(120);

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn the_shop_dies_as_often_as_was_asked_and_evenly() {
        for (orders, kills) in [(2000, 200), (40, 5), (3, 7), (10, 0)] {
            let each = |number| share(number + 1, kills, orders) - share(number, kills, orders);
            let all: u32 = (0..orders).map(each).sum();
            assert_eq!(all, kills, "{orders} orders");
            let most = (0..orders).map(each).max();
            assert!(most <= Some(kills / orders + 1), "{orders} orders");
        }
    }
}
