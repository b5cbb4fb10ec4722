//! A challenge, as an access control server keeps it until it ends.

use crate::cards::ChallengeScript;
use payframe_card_rules::network::Network;
use payframe_emv_3ds::element::{TransactionId, WebAddress};
use payframe_emv_3ds::message::{TransactionStatus, Version};
use payframe_payment_domain::session::CODES;
use payframe_payment_service::ChallengeView;

/// How the issuer asks a buyer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asking {
    /// On its page, by a code.
    ByCode,
    /// In its app, apart from the browser.
    InApp,
}

/// A buyer is to be asked.
#[derive(Clone)]
pub(crate) struct Challenge {
    pub(super) version: Version,
    pub(super) asking: Asking,
    pub(super) server_transaction_id: TransactionId,
    pub(super) ds_transaction_id: TransactionId,
    /// Where RReq goes.
    pub(super) ds_url: WebAddress<2048>,
    pub(super) network: Network,
    /// Where the browser goes with the final CRes.
    pub(crate) notification_url: String,
    pub(crate) script: ChallengeScript,
    /// What the page shows.
    pub(crate) view: ChallengeView,
    /// How many codes were wrong.
    pub(super) wrong_codes: u8,
    /// How it ended, if the 3-D Secure server has heard it.
    pub(super) ended: Option<TransactionStatus>,
}

impl Challenge {
    /// Counts a wrong code. Returns how many further tries there are.
    pub(super) fn count_wrong_code(&mut self) -> u8 {
        self.wrong_codes = self.wrong_codes.saturating_add(1);
        CODES.saturating_sub(self.wrong_codes)
    }
}
