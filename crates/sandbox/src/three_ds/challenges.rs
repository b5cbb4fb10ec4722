//! Challenges that an access control server keeps, until it ends.

use crate::cards::ChallengeScript;
use payframe_card_rules::network::Network;
use payframe_emv_3ds::element::{TransactionId, WebAddress};
use payframe_emv_3ds::message::{TransactionStatus, Version};
use payframe_payment_service::ChallengeView;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

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

/// The newest challenges.
#[derive(Default)]
pub(super) struct Challenges(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    by_id: HashMap<TransactionId, Challenge>,
    /// The oldest one first.
    order: VecDeque<TransactionId>,
}

impl Challenges {
    pub(super) fn find(&self, id: &TransactionId) -> Option<Challenge> {
        self.kept().by_id.get(id).cloned()
    }

    /// Keeps a new one. One that is there stays: AReq was repeated. Returns whether it is new.
    pub(super) fn begin(&self, id: TransactionId, challenge: Challenge) -> bool {
        let mut kept = self.kept();
        if kept.by_id.contains_key(&id) {
            return false;
        }
        kept.order.push_back(id.clone());
        kept.by_id.insert(id, challenge);
        while kept.order.len() > MOST {
            if let Some(oldest) = kept.order.pop_front() {
                kept.by_id.remove(&oldest);
            }
        }
        true
    }

    /// Counts a wrong code. Returns how many further tries there are.
    pub(super) fn count_wrong_code(&self, id: &TransactionId, most: u8) -> u8 {
        let mut kept = self.kept();
        let Some(challenge) = kept.by_id.get_mut(id) else {
            return 0;
        };
        challenge.wrong_codes = challenge.wrong_codes.saturating_add(1);
        most.saturating_sub(challenge.wrong_codes)
    }

    pub(super) fn end(&self, id: &TransactionId, status: TransactionStatus) {
        if let Some(challenge) = self.kept().by_id.get_mut(id) {
            challenge.ended = Some(status);
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// More than buyers of a sandbox are asked at the same time.
const MOST: usize = 10_000;
