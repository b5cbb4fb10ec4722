//! `payframe-gateway reconcile`: compares the money that the gateway holds with what shops told of their goods.

use super::{CommandContext, CommandError};
use clap::Args;
use payframe_payment_domain::calendar::instant;
use payframe_payment_domain::reconciliation::GracePeriods;
use payframe_payment_ports::clock::millis;
use payframe_payment_service::books::{Comparison, MOST, OrderDifference, compare_books};
use payframe_storage::merchants;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// What is compared, and how the answer is written.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct Reconciliation {
    /// Only the orders of this merchant.
    #[arg(long, value_name = "ID")]
    pub merchant: Option<String>,
    /// Writes JSON: an array with an object for each difference.
    #[arg(long)]
    pub json: bool,
}

impl CommandContext<'_> {
    /// Compares, and fails if there is a difference.
    pub(super) async fn reconcile(&self, asked: Reconciliation) -> Result<String, CommandError> {
        let merchant_id = asked.merchant.as_deref();
        if let Some(merchant_id) = merchant_id {
            let all = merchants::all(&mut *self.store.read().await?).await?;
            if !all.iter().any(|(known, _)| known == merchant_id) {
                return Err(CommandError::Failed(format!(
                    "there is no merchant {merchant_id}"
                )));
            }
        }
        let grace = GracePeriods::to_fulfil(millis(self.config.fulfil_within));
        let now_ms = self.clock.now_ms();
        let comparison = compare_books(&self.store, merchant_id, grace, now_ms).await?;
        let report = match asked.json {
            true => in_json(&comparison),
            false => in_words(&comparison),
        };
        match comparison.differences.len() {
            0 => Ok(report),
            count => Err(CommandError::Differences { report, count }),
        }
    }
}

fn in_json(comparison: &Comparison) -> String {
    let found = comparison.differences.iter().map(|one| {
        json!({
            "merchantId": one.merchant_id,
            "orderId": one.order_id,
            "difference": one.difference.code(),
            "since": instant(one.since_ms),
            "heldAmount": one.held.to_string(),
            "currency": one.currency,
            "cause": one.difference.cause(),
            "action": one.difference.action(),
        })
    });
    format!("{:#}\n", Value::Array(found.collect()))
}

fn in_words(comparison: &Comparison) -> String {
    if comparison.differences.is_empty() {
        return String::from("the books agree\n");
    }
    let mut text = String::new();
    for one in &comparison.differences {
        let OrderDifference {
            merchant_id,
            order_id,
            difference,
            since_ms,
            held,
            currency,
        } = one;
        let (code, since) = (difference.code(), instant(*since_ms));
        let (cause, action) = (difference.cause(), difference.action());
        let _ = writeln!(
            text,
            "{merchant_id} {order_id} {code} since {since}, {held} {currency} held\n  {cause}\n  {action}"
        );
    }
    if comparison.is_cut {
        let _ = writeln!(text, "There may be more: these are the first {MOST}.");
    }
    text
}
