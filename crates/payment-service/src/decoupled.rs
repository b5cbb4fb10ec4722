//! Decoupled authentications: the issuer asks the buyer apart from the browser, for example in its app, and the gateway's own page waits.
//!
//! The result is that of a challenge. It continues the payment whether the page is open or not.

use super::BuyerPages;
use super::cardholder_data::CardholderData;
use super::challenge_means::challenge_means;
use super::error::PaymentError;
use super::page_views::WaitingView;
use payframe_payment_domain::session::{Challenge, ChallengeMeans, ChallengeReply, State};
use payframe_storage::session_pages::Page;
use payframe_storage::sessions::SessionRow;

impl BuyerPages<'_> {
    /// The page that waits for the challenge with this token. If the issuer has sent the result, the payment continues before this returns.
    /// `None`: there is nothing to wait for.
    pub async fn waiting(&self, token: &str) -> Result<Option<WaitingView>, PaymentError> {
        let Some((row, Page::Challenge(operation_id))) = self.page(token).await? else {
            return Ok(None);
        };
        // Also if the result continues the payment already: then this waits for its outcome.
        self.continue_with_result(row, operation_id.clone()).await;
        let Some((row, _)) = self.page(token).await? else {
            return Ok(None);
        };
        let means = challenge_means(&row.session.state, &operation_id);
        if !matches!(means, Some(ChallengeMeans::Decoupled { .. })) {
            return Ok(None);
        }
        let server = self.context.three_ds_server();
        Ok(Some(WaitingView {
            framing: row.terms.framing,
            language: row.terms.language,
            notice: server.decoupled_notice(&operation_id).await?,
        }))
    }

    /// What the issuer has said about the challenge of an operation.
    pub(super) async fn result(
        &self,
        row: &SessionRow,
        operation_id: &str,
    ) -> Result<ChallengeReply, PaymentError> {
        let server = self.context.three_ds_server();
        match server.needs_browser() {
            true => Ok(server.challenge_result(operation_id).await?),
            false => self.simulated_result(row),
        }
    }

    /// What the buyer of a simulated issuer has said in its app.
    fn simulated_result(&self, row: &SessionRow) -> Result<ChallengeReply, PaymentError> {
        let State::Challenged {
            challenge:
                Challenge {
                    means: ChallengeMeans::Decoupled { .. },
                    since_ms,
                    ..
                },
            ..
        } = row.session.state
        else {
            return Ok(ChallengeReply::Undecided);
        };
        let waited_ms = self.context.clock().now_ms() - since_ms;
        let card = CardholderData::of(self.context.vault(), row)?;
        Ok(card.map_or(ChallengeReply::No, |card| {
            let pages = self.context.simulator_pages();
            pages.reply_in_app(&card.number, waited_ms)
        }))
    }
}
