//! Compares the money that the gateway holds with what shops told of their goods. No payment waits for it, and no order is changed.
//!
//! [`BookWatch`] goes on where the last comparison of a merchant ended: a difference begins to count when a grace period ends after a
//! movement, or when a dispute changes, so only orders with such a moment in between are read. Those that differ, and those that wait for a
//! result, are kept, and are judged again each time. [`compare_books`] reads every order, and [`open_differences`] a page of those that
//! are kept. All of them read piece by piece.

use crate::meter;
use payframe_money::Amount;
use payframe_payment_domain::reconciliation::{Difference, GracePeriods, compare};
use payframe_storage::books::{DueSpan, OrderBooks, Progress, Standing};
use payframe_storage::{Store, StoreError, Subject, books, cut_page, merchants};
use std::collections::BTreeMap;

/// The comparison of all orders, of one merchant or of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Those that differ: usually none. In the order of merchants and orders.
    pub differences: Vec<OrderDifference>,
    /// Whether there may be more: the comparison ended after [`MOST`] differences.
    pub is_cut: bool,
}

/// An order whose books differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderDifference {
    /// The merchant of the order.
    pub merchant_id: String,
    /// The merchant's order.
    pub order_id: String,
    /// What differs.
    pub difference: Difference,
    /// The last movement of money or goods.
    pub since_ms: i64,
    /// The approved money that was neither released nor refunded.
    pub held: Amount,
    /// ISO 4217 code.
    pub currency: String,
}

/// A page of the differences that comparisons have found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferencePage {
    /// Those that still differ, in the order of their orders.
    pub differences: Vec<OrderDifference>,
    /// The last order of the page, if there are more behind it.
    pub next: Option<String>,
    /// When the last comparison ended. `None`: the first one has not.
    pub compared_ms: Option<i64>,
}

/// Compares every order of one merchant or of all, until [`MOST`] differences are found.
pub async fn compare_books(
    store: &Store,
    merchant_id: Option<&str>,
    grace: GracePeriods,
    now_ms: i64,
) -> Result<Comparison, StoreError> {
    let merchant_ids = match merchant_id {
        Some(merchant_id) => vec![merchant_id.to_owned()],
        None => all_merchants(store).await?,
    };
    let mut differences = Vec::new();
    for merchant_id in merchant_ids {
        let mut behind = String::new();
        loop {
            let mut connection = store.read().await?;
            let page = books::all(&mut connection, &merchant_id, &behind, PIECE).await?;
            drop(connection);
            for order in &page.orders {
                differences.extend(judge(&merchant_id, order, grace, now_ms));
            }
            if differences.len() > MOST {
                differences.truncate(MOST);
                return Ok(Comparison {
                    differences,
                    is_cut: true,
                });
            }
            match page.last {
                Some(last) => behind = last,
                None => break,
            }
        }
    }
    Ok(Comparison {
        differences,
        is_cut: false,
    })
}

/// The differences of a merchant that comparisons have found, behind an order, at most `most` orders. Each is judged by what its books say
/// now.
pub async fn open_differences(
    store: &Store,
    (merchant_id, behind): (&str, &str),
    most: u32,
    grace: GracePeriods,
    now_ms: i64,
) -> Result<DifferencePage, StoreError> {
    let mut connection = store.read().await?;
    let progress = books::progress(&mut connection, merchant_id).await?;
    let differing = Some(Standing::Differs);
    let mut orders = books::open(&mut connection, merchant_id, differing, behind, most + 1).await?;
    drop(connection);
    let next = cut_page(&mut orders, most as usize).map(|(last, _)| last.order_id.clone());
    let judged = orders
        .iter()
        .flat_map(|(order, _)| judge(merchant_id, order, grace, now_ms));
    Ok(DifferencePage {
        differences: judged.collect(),
        next,
        compared_ms: progress.and_then(|progress| progress.ended_ms),
    })
}

/// A comparison that goes on where the last one ended.
#[derive(Clone, Copy, Debug)]
pub struct BookWatch<'a> {
    /// Where the books are.
    pub store: &'a Store,
    /// How long shops may take.
    pub grace: GracePeriods,
    /// The time of payments.
    pub now_ms: i64,
    /// About how many orders are read at once: usually [`PIECE`].
    pub piece: u32,
}

/// How far a comparison of a merchant's books has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// What is written of it.
    progress: Progress,
    /// Every difference that counted by then was looked at. What is written stays behind, by [`OVERLAP_MS`].
    at_ms: i64,
}

/// What became of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// The next one begins here.
    Compared(Reached),
    /// It was the last one.
    Last,
    /// Another process has written meanwhile, so nothing of it is written.
    Overtaken,
}

impl BookWatch<'_> {
    /// Compares the books of all merchants, for the log and the metrics of a running gateway: a line for each difference, for at most
    /// [`MOST`].
    pub async fn compare_all(&self) -> Result<(), StoreError> {
        let mut told = Told::default();
        for merchant_id in all_merchants(self.store).await? {
            let mut at = self.begin(&merchant_id).await?;
            loop {
                at = match self.compare_piece(&merchant_id, at).await? {
                    Piece::Compared(next) => next,
                    Piece::Last => break,
                    Piece::Overtaken => {
                        let newest = self.begin(&merchant_id).await?;
                        if newest.at_ms > at.at_ms {
                            // Another process is at it, and goes on.
                            break;
                        }
                        newest
                    }
                };
            }
            self.look_again(&merchant_id, &mut told).await?;
        }
        for difference in Difference::ALL {
            let count = told.counts.get(&difference).copied().unwrap_or(0);
            meter::books_compared(difference.code(), count);
        }
        Ok(())
    }

    /// Where the comparison of a merchant goes on. The first one begins with the oldest order.
    pub async fn begin(&self, merchant_id: &str) -> Result<Reached, StoreError> {
        let known = books::progress(&mut *self.store.read().await?, merchant_id).await?;
        let progress = match known {
            Some(known) => known,
            None => self.first(merchant_id).await?,
        };
        // With a shorter time for the goods than before, more orders are due.
        let shorter_ms = progress.fulfil_ms.saturating_sub(self.grace.to_fulfil_ms);
        let compared_ms = progress.compared_ms.saturating_sub(shorter_ms.max(0));
        Ok(Reached {
            progress,
            at_ms: compared_ms.min(self.settled_ms()),
        })
    }

    async fn first(&self, merchant_id: &str) -> Result<Progress, StoreError> {
        let first = Progress {
            compared_ms: 0,
            fulfil_ms: self.grace.to_fulfil_ms,
            ended_ms: None,
            turn: 0,
        };
        let mut change = self.store.write(Subject::Statement).await?;
        books::begin(&mut change, merchant_id, &first).await?;
        change.commit().await?;
        // If another process was faster, the first piece finds that its turn is over.
        Ok(first)
    }

    /// Looks at the orders of a merchant that became due next. What was found and how far that is are written together, so a process that ends
    /// between two pieces loses nothing.
    pub async fn compare_piece(
        &self,
        merchant_id: &str,
        reached: Reached,
    ) -> Result<Piece, StoreError> {
        let mut span = DueSpan {
            after_ms: reached.at_ms,
            until_ms: self.now_ms,
            grace: self.grace,
        };
        let mut connection = self.store.read().await?;
        let end_ms = books::piece_end_ms(&mut connection, merchant_id, &span, self.piece).await?;
        span.until_ms = end_ms.unwrap_or(self.now_ms);
        let orders = books::due(&mut connection, merchant_id, &span).await?;
        drop(connection);
        let is_last = span.until_ms >= self.now_ms;
        let progress = Progress {
            compared_ms: span.until_ms.min(self.settled_ms()),
            fulfil_ms: self.grace.to_fulfil_ms,
            ended_ms: match is_last {
                true => Some(self.now_ms),
                false => reached.progress.ended_ms,
            },
            turn: reached.progress.turn,
        };
        let open: Vec<_> = orders
            .iter()
            .filter_map(|order| {
                let judged = judge(merchant_id, order, self.grace, self.now_ms);
                Some((order.order_id.as_str(), Some(standing(order, &judged)?)))
            })
            .collect();
        let at_ms = span.until_ms;
        Ok(
            match written(self.store, merchant_id, &progress, &open).await? {
                None => Piece::Overtaken,
                Some(_) if is_last => Piece::Last,
                Some(progress) => Piece::Compared(Reached { progress, at_ms }),
            },
        )
    }

    /// Judges the orders that are kept by what their books say now, and tells of those that differ.
    async fn look_again(&self, merchant_id: &str, told: &mut Told) -> Result<(), StoreError> {
        let mut behind = String::new();
        loop {
            let mut connection = self.store.read().await?;
            // Before the orders: if others change them afterwards, this progress is too old to be written.
            let progress = books::progress(&mut connection, merchant_id).await?;
            let orders =
                books::open(&mut connection, merchant_id, None, &behind, self.piece).await?;
            drop(connection);
            let (Some(progress), Some((last, _))) = (progress, orders.last()) else {
                return Ok(());
            };
            behind = last.order_id.clone();
            let mut changed = Vec::new();
            for (order, before) in &orders {
                let judged = judge(merchant_id, order, self.grace, self.now_ms);
                let now = standing(order, &judged);
                if now != Some(*before) {
                    changed.push((order.order_id.as_str(), now));
                }
                told.tell(&judged);
            }
            if !changed.is_empty() {
                // If another process has written meanwhile, the next comparison looks at them again.
                written(self.store, merchant_id, &progress, &changed).await?;
            }
        }
    }

    /// Before that, every change is committed, whichever process made it.
    fn settled_ms(&self) -> i64 {
        self.now_ms.saturating_sub(OVERLAP_MS)
    }
}

/// Writes how far the comparison is, and the standing of orders. Returns the new progress. `None`: somebody else has written since
/// `progress` was read, and nothing is written.
async fn written(
    store: &Store,
    merchant_id: &str,
    progress: &Progress,
    orders: &[(&str, Option<Standing>)],
) -> Result<Option<Progress>, StoreError> {
    let mut change = store.write(Subject::Statement).await?;
    if !books::advance(&mut change, merchant_id, progress).await? {
        return Ok(None);
    }
    for (order_id, standing) in orders {
        books::put_standing(&mut change, merchant_id, order_id, *standing).await?;
    }
    change.commit().await?;
    Ok(Some(Progress {
        turn: progress.turn + 1,
        ..*progress
    }))
}

async fn all_merchants(store: &Store) -> Result<Vec<String>, StoreError> {
    let all = merchants::all(&mut *store.read().await?).await?;
    Ok(all.into_iter().map(|(id, _)| id).collect())
}

fn judge(
    merchant_id: &str,
    order: &OrderBooks,
    grace: GracePeriods,
    now_ms: i64,
) -> Vec<OrderDifference> {
    let found = compare(&order.facts, grace, now_ms).into_iter();
    found
        .map(|found| OrderDifference {
            merchant_id: merchant_id.to_owned(),
            order_id: order.order_id.clone(),
            difference: found.difference,
            since_ms: found.since_ms,
            held: order.facts.held(),
            currency: order.currency.clone(),
        })
        .collect()
}

/// Why an order has to be looked at again. `None`: only if something moves.
fn standing(order: &OrderBooks, judged: &[OrderDifference]) -> Option<Standing> {
    match judged {
        [] => order.facts.has_pending.then_some(Standing::Undecided),
        _ => Some(Standing::Differs),
    }
}

/// What the log and the metrics are told.
#[derive(Default)]
struct Told {
    counts: BTreeMap<Difference, usize>,
    lines: usize,
}

impl Told {
    fn tell(&mut self, found: &[OrderDifference]) {
        for one in found {
            *self.counts.entry(one.difference).or_default() += 1;
            self.lines += 1;
            if self.lines > MOST {
                continue;
            }
            let OrderDifference {
                merchant_id,
                order_id,
                difference,
                ..
            } = one;
            let (difference, cause) = (difference.code(), difference.cause());
            tracing::warn!(
                merchant_id,
                order_id,
                difference,
                cause,
                "the books of an order differ"
            );
        }
    }
}

/// How many differences a command lists, and the log of one comparison. A shop with more has another problem than single orders.
pub const MOST: usize = 5000;

/// About how many orders are read at once.
pub const PIECE: u32 = 1000;

/// What became due in this time is looked at again by the next comparison. A change has its time before it is committed, and the clocks of
/// several processes differ a little.
pub const OVERLAP_MS: i64 = 10 * 60_000;
