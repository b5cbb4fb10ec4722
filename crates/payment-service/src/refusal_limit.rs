//! How often issuers may refuse one card before no payment of a buyer is sent to them with it: the limit stops somebody who tries out expiry
//! dates or security codes of one number.
//!
//! The count is per merchant, and all processes and sessions share it.

use super::PaymentContext;
use payframe_card_rules::secret::Secret;
use payframe_storage::{Connection, card_refusals};

/// How long a refusal counts: an hour.
pub(super) const COUNTS_MS: i64 = 3_600_000;

impl PaymentContext {
    /// The time after which refusals count.
    pub(super) fn refusals_since_ms(&self) -> i64 {
        self.clock().now_ms() - COUNTS_MS
    }

    /// Whether issuers refused a card so often in this time that none is asked again.
    pub(super) fn is_refused_too_often(&self, merchant_id: &str, refusals: i64) -> bool {
        let most = self.settings().refusals_per_card;
        let is_too_often = most > 0 && refusals >= i64::from(most);
        if is_too_often {
            tracing::warn!(
                merchant_id,
                "a payment is refused: issuers refused its card too often in the last hour"
            );
        }
        is_too_often
    }

    /// Counts a refusal of an issuer, if there is a limit.
    pub(super) fn count_refusal(
        &self,
        connection: &mut Connection,
        merchant_id: &str,
        number: &Secret,
        now_ms: i64,
    ) {
        if self.settings().refusals_per_card > 0 {
            let card_id = self.card_id(merchant_id, number);
            card_refusals::add(connection, &card_id, now_ms);
        }
    }
}
