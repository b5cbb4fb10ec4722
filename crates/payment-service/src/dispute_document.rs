//! Disputes as merchants read them, without their evidence, and the money that they hold or took.

use payframe_money::Amount;
use payframe_payment_domain::calendar::instant;
use payframe_payment_domain::dispute::{self, DisputedMoney};
use payframe_protocol::dispute::{Dispute, DisputeCategory, DisputeKind, DisputeState};
use payframe_storage::disputes::{self, DisputeRow};
use payframe_storage::{Connection, StoreError};

/// The disputes of an order, newest first, without their evidence.
pub async fn of_order(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<Vec<Dispute>, StoreError> {
    let rows = disputes::of_order(connection, merchant_id, order_id).await?;
    Ok(rows.iter().map(on_the_wire).collect())
}

/// A dispute without its evidence.
pub fn on_the_wire(row: &DisputeRow) -> Dispute {
    Dispute {
        dispute_id: row.dispute_id.clone(),
        order_id: row.order_id.clone(),
        operation_id: row.operation_id.clone(),
        terminal_id: row.terminal_id.clone(),
        reference: row.reference.clone(),
        kind: kind(row.standing.kind),
        category: category(row.category),
        reason_code: row.reason_code.clone(),
        amount: row.amount.to_string(),
        currency: row.currency.clone(),
        state: state(row.standing.state),
        opened_time: instant(row.opened_ms),
        deadline: instant(row.standing.deadline_ms),
        changed_time: instant(row.changed_ms),
        evidence: None,
        files: Vec::new(),
    }
}

/// What disputes hold, and what they took. Both are a part of the captured money of one order.
pub fn money_of(rows: &[DisputeRow]) -> (Amount, Amount) {
    let sum = |money| {
        let amounts = rows
            .iter()
            .filter(|row| row.standing.money() == money)
            .map(|row| row.amount);
        amounts.fold(Amount::ZERO, |sum, amount| {
            sum.checked_add(amount).unwrap_or(Amount::MAX)
        })
    };
    (sum(DisputedMoney::Held), sum(DisputedMoney::Taken))
}

fn kind(kind: dispute::DisputeKind) -> DisputeKind {
    match kind {
        dispute::DisputeKind::Inquiry => DisputeKind::Inquiry,
        dispute::DisputeKind::Chargeback => DisputeKind::Chargeback,
        dispute::DisputeKind::PreArbitration => DisputeKind::PreArbitration,
        dispute::DisputeKind::Arbitration => DisputeKind::Arbitration,
    }
}

fn category(category: dispute::DisputeCategory) -> DisputeCategory {
    match category {
        dispute::DisputeCategory::Fraud => DisputeCategory::Fraud,
        dispute::DisputeCategory::NotReceived => DisputeCategory::NotReceived,
        dispute::DisputeCategory::NotAsDescribed => DisputeCategory::NotAsDescribed,
        dispute::DisputeCategory::Duplicate => DisputeCategory::Duplicate,
        dispute::DisputeCategory::CanceledRecurring => DisputeCategory::CanceledRecurring,
        dispute::DisputeCategory::ProcessingError => DisputeCategory::ProcessingError,
        dispute::DisputeCategory::General => DisputeCategory::General,
    }
}

fn state(state: dispute::DisputeState) -> DisputeState {
    match state {
        dispute::DisputeState::NeedsResponse => DisputeState::NeedsResponse,
        dispute::DisputeState::UnderReview => DisputeState::UnderReview,
        dispute::DisputeState::Won => DisputeState::Won,
        dispute::DisputeState::Lost => DisputeState::Lost,
        dispute::DisputeState::Accepted => DisputeState::Accepted,
        dispute::DisputeState::Expired => DisputeState::Expired,
    }
}
