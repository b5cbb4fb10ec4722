//! What a buyer must accept on a hosted page before a payment, and the evidence of the acceptance (contract 2.1, 2.12).
//!
//! The texts of a page are fixed with its order and never change. So the evidence stores which text, which part, which language, a hash of
//! the shown text, and the time. The text itself is read from its own table.

use crate::HostedPages;
use crate::error::PaymentError;
use payframe_payment_domain::calendar::instant;
use payframe_payment_domain::clause::{Clause, ClausePart};
use payframe_payment_domain::hosted::{Kind, Status};
use payframe_protocol::acceptance::Acceptance;
use payframe_storage::acceptances::{self, AcceptanceRow};
use payframe_storage::hosted_pages::HostedPageRow;
use payframe_storage::legal_texts::{self, TextKind};
use payframe_storage::{Connection, StoreError, Subject, orders, reservations};
use serde_json::Value;

/// The result of an acceptance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// It was recorded, or the page is no longer active. The page shows the next step.
    Heard,
    /// A box was not ticked: nothing is stored.
    NotAll,
    /// The page does not exist.
    Unknown,
}

impl HostedPages<'_> {
    /// A clause of a page, by the position of its box.
    pub async fn clause(
        &self,
        kind: Kind,
        token: &str,
        place: usize,
    ) -> Result<Option<Clause>, PaymentError> {
        let Some(page) = self.find(kind, token).await? else {
            return Ok(None);
        };
        let clauses = clauses_of(&mut *self.context.store().read().await?, &page).await?;
        Ok(clauses.into_iter().nth(place))
    }

    /// Stores the buyer's acceptance of all clauses of a page, or of none.
    pub async fn accept(
        &self,
        kind: Kind,
        token: &str,
        ticked: &[usize],
    ) -> Result<Accepted, PaymentError> {
        let Some(page) = self.find(kind, token).await? else {
            return Ok(Accepted::Unknown);
        };
        let now_ms = self.context.clock().now_ms();
        if page.life.status(now_ms) != Status::Active {
            return Ok(Accepted::Heard);
        }
        let mut transaction = self
            .context
            .store()
            .write(Subject::Merchant(&page.terms.merchant_id))
            .await?;
        let clauses = clauses_due(&mut transaction, &page).await?;
        if !(0..clauses.len()).all(|place| ticked.contains(&place)) {
            return Ok(Accepted::NotAll);
        }
        for (place, clause) in (0..).zip(&clauses) {
            let html = clause.html().ok_or(StoreError::Unreadable("legal text"))?;
            let row = AcceptanceRow {
                page_id: page.page_id.clone(),
                place,
                merchant_id: page.terms.merchant_id.clone(),
                order_id: page.terms.order_id.clone(),
                text_id: clause.text_id.clone(),
                part: clause.part,
                language: clause.language.clone(),
                text_hash: payframe_vault::hash(&html),
                accepted_ms: now_ms,
            };
            acceptances::add(&mut transaction, &row).await?;
        }
        transaction.commit().await?;
        Ok(Accepted::Heard)
    }
}

/// What the buyers of an order accepted, with the texts.
pub async fn evidence(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<Vec<Acceptance>, PaymentError> {
    let mut evidence = Vec::new();
    for row in acceptances::of_order(connection, merchant_id, order_id).await? {
        let entries = entries_of(connection, merchant_id, &row.text_id).await?.1;
        let is_it = |entry: &&Value| entry["language"] == row.language.as_str();
        let entry: Vec<Value> = entries.iter().find(is_it).cloned().into_iter().collect();
        let clause = Clause::of(&row.text_id, row.part, &entry, &row.language)
            .ok_or(StoreError::Unreadable("legal text"))?;
        evidence.push(Acceptance {
            link_id: row.page_id,
            text_id: row.text_id,
            part: row.part.code().to_owned(),
            language: row.language,
            check_mark_label: clause.label,
            text: clause.text,
            text_hash: row.text_hash,
            accepted_time: instant(row.accepted_ms),
        });
    }
    Ok(evidence)
}

/// The clauses of a page that the buyer must still accept before a payment. Empty if all are accepted.
pub(crate) async fn clauses_due(
    connection: &mut Connection,
    page: &HostedPageRow,
) -> Result<Vec<Clause>, PaymentError> {
    let mut clauses = clauses_of(connection, page).await?;
    if !clauses.is_empty() && acceptances::count(connection, &page.page_id).await? >= clauses.len()
    {
        clauses.clear();
    }
    Ok(clauses)
}

/// The requested terms and conditions, without duplicates. `None` if one of them does not exist or is not active.
pub(crate) async fn active_terms(
    connection: &mut Connection,
    merchant_id: &str,
    asked: &[String],
) -> Result<Option<Vec<String>>, StoreError> {
    let mut text_ids: Vec<String> = Vec::new();
    for text_id in asked {
        let text = legal_texts::find(connection, merchant_id, text_id).await?;
        if !text.is_some_and(|text| text.is_active && text.kind == TextKind::Terms) {
            return Ok(None);
        }
        if !text_ids.contains(text_id) {
            text_ids.push(text_id.clone());
        }
    }
    Ok(Some(text_ids))
}

/// The clauses of a page, in its language.
async fn clauses_of(
    connection: &mut Connection,
    page: &HostedPageRow,
) -> Result<Vec<Clause>, PaymentError> {
    let (merchant_id, order_id) = (&page.terms.merchant_id, &page.terms.order_id);
    let order = orders::find(connection, merchant_id, order_id).await?;
    let agreed;
    let text_ids = if order.is_some_and(|order| order.is_reservation) {
        let reservation = reservations::find(connection, merchant_id, order_id).await?;
        agreed = reservation.ok_or(StoreError::Unreadable("reservation"))?;
        &agreed.text_ids
    } else {
        &page.terms.text_ids
    };
    let mut clauses = Vec::new();
    for text_id in text_ids {
        let (parts, entries) = entries_of(connection, merchant_id, text_id).await?;
        for part in parts {
            let clause = Clause::of(text_id, *part, &entries, &page.terms.language);
            clauses.push(clause.ok_or(StoreError::Unreadable("legal text"))?);
        }
    }
    Ok(clauses)
}

/// The parts of a text, and its languages.
async fn entries_of(
    connection: &mut Connection,
    merchant_id: &str,
    text_id: &str,
) -> Result<(&'static [ClausePart], Vec<Value>), PaymentError> {
    let unreadable = || StoreError::Unreadable("legal text");
    let text = legal_texts::find(connection, merchant_id, text_id).await?;
    let mut text = text.ok_or_else(unreadable)?;
    let parts: &[ClausePart] = match text.kind {
        TextKind::Terms => &[ClausePart::Terms],
        TextKind::Condition { .. } => &[ClausePart::Stay, ClausePart::Cancellation],
    };
    match text.document.remove("termsAndConditions") {
        Some(Value::Array(entries)) => Ok((parts, entries)),
        _ => Err(unreadable().into()),
    }
}
