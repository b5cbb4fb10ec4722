//! Tells merchants of what is no operation: in the feed, and by a notification to the terminal's own address if it has one. What it tells of
//! is written in the same transaction.

use crate::{PaymentContext, PaymentError};
use payframe_payment_domain::calendar::instant;
use payframe_payment_domain::event_type::EventType;
use payframe_protocol::dispute::Dispute;
use payframe_protocol::notice::{Notice, PageChange, RefundApproval, TerminalAttack};
use payframe_storage::events::{self, About};
use payframe_storage::{Connection, merchants, outbox};

impl PaymentContext {
    /// Tells of the beginning or the end of an attack. Call [`PaymentContext::wake_notifier`] behind the commit.
    pub(super) async fn tell_of_attack(
        &self,
        connection: &mut Connection,
        merchant_id: &str,
        attack: TerminalAttack,
    ) -> Result<(), PaymentError> {
        let terminal_id = attack.terminal_id.clone();
        let notice = Notice {
            attack: Some(attack),
            ..self.notice(EventType::TerminalAttack)
        };
        let about = format!("attack at terminal {terminal_id}");
        self.tell(connection, merchant_id, &terminal_id, &about, &notice)
            .await
    }

    /// Tells of a refund that waits for a second member. Call [`PaymentContext::wake_notifier`] behind the commit.
    pub async fn tell_of_refund(
        &self,
        connection: &mut Connection,
        merchant_id: &str,
        refund: RefundApproval,
    ) -> Result<(), PaymentError> {
        let terminal_id = refund.terminal_id.clone();
        let about = format!("refund request {}", refund.request_id);
        let notice = Notice {
            refund_approval: Some(refund),
            ..self.notice(EventType::RefundApproval)
        };
        self.tell(connection, merchant_id, &terminal_id, &about, &notice)
            .await
    }

    /// Tells of a page that was changed. Call [`PaymentContext::wake_notifier`] behind the commit.
    pub(super) async fn tell_of_page_change(
        &self,
        connection: &mut Connection,
        merchant_id: &str,
        change: PageChange,
    ) -> Result<(), PaymentError> {
        let terminal_id = change.terminal_id.clone();
        let about = format!("page of terminal {terminal_id}");
        let notice = Notice {
            page_change: Some(change),
            ..self.notice(EventType::PageChange)
        };
        self.tell(connection, merchant_id, &terminal_id, &about, &notice)
            .await
    }

    /// It says nothing yet.
    fn notice(&self, event_type: EventType) -> Notice {
        blank(event_type, self.clock().now_ms())
    }

    async fn tell(
        &self,
        connection: &mut Connection,
        merchant_id: &str,
        terminal_id: &str,
        about: &str,
        notice: &Notice,
    ) -> Result<(), PaymentError> {
        let now_ms = self.clock().now_ms();
        tell(
            connection,
            (merchant_id, terminal_id),
            about,
            notice,
            now_ms,
        )
        .await
    }
}

/// Tells of a dispute that was opened or changed. Wake the notifier behind the commit, where there is one.
pub(super) async fn tell_of_dispute(
    connection: &mut Connection,
    merchant_id: &str,
    dispute: Dispute,
    now_ms: i64,
) -> Result<(), PaymentError> {
    let terminal_id = dispute.terminal_id.clone();
    let about = format!("dispute {}", dispute.dispute_id);
    let notice = Notice {
        dispute: Some(dispute),
        ..blank(EventType::Dispute, now_ms)
    };
    let of = (merchant_id, terminal_id.as_str());
    tell(connection, of, &about, &notice, now_ms).await
}

/// A notice that says nothing yet.
fn blank(event_type: EventType, now_ms: i64) -> Notice {
    Notice {
        event_id: uuid::Uuid::new_v4().to_string(),
        event_time: instant(now_ms),
        event_type: event_type.code().to_owned(),
        attack: None,
        refund_approval: None,
        dispute: None,
        page_change: None,
    }
}

async fn tell(
    connection: &mut Connection,
    (merchant_id, terminal_id): (&str, &str),
    about: &str,
    notice: &Notice,
    now_ms: i64,
) -> Result<(), PaymentError> {
    let url = merchants::notification_url(connection, terminal_id).await?;
    let place = events::next_place(connection, merchant_id, About::Other, now_ms).await?;
    events::add_notice(connection, merchant_id, place, notice)?;
    if let Some(url) = url {
        let of = (merchant_id, terminal_id);
        outbox::add_notice(connection, of, &url, about, notice, now_ms)?;
    }
    Ok(())
}
