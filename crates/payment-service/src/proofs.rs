//! Asks forms for a proof of work ([`payframe_proof_of_work`]) while their terminal is under attack, before their card data is taken.
//!
//! A puzzle is not stored: it is a keyed hash of the session, of how many cards it was sent, and of the time. So its solution is good for one
//! card of one session, for ten to twenty minutes. A form that cannot compute is let through once for each session and address, and its
//! try is one without a proof.

use super::card_testing::{COUNTS_MS, Proven};
use super::{PaymentContext, PaymentError};
use crate::meter;
use core::net::IpAddr;
use payframe_payment_domain::card_testing::Listed;
use payframe_payment_domain::session::State;
use payframe_payment_domain::terms::Terminal;
use payframe_proof_of_work::Puzzle;
use payframe_storage::sessions::SessionRow;
use payframe_storage::{Connection, card_tries, terminal_attacks};

/// What a form sent as its proof of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofOfWork {
    /// Nothing.
    None,
    /// This solution.
    Solution(String),
    /// The form runs no scripts, so it can not compute.
    Impossible,
}

impl PaymentContext {
    /// Checks the proof of work of a submission, if its terminal is under attack. The error [`PaymentError::ProofDue`]: there is none, or
    /// not the right one.
    pub(super) async fn check_proof(
        &self,
        connection: &mut Connection,
        row: &SessionRow,
        terminal: &Terminal,
        proof: &ProofOfWork,
        address: Option<IpAddr>,
    ) -> Result<Proven, PaymentError> {
        let rules = &terminal.card_testing;
        let takes_card = matches!(
            row.session.state,
            State::CollectingCard(_) | State::CheckingDevice { .. }
        );
        let is_trusted =
            address.is_some_and(|address| rules.listed_address(address) == Listed::Allowed);
        if !takes_card || is_trusted || !self.has_rules(rules) {
            return Ok(Proven::No);
        }
        let attack = terminal_attacks::find(connection, &row.terms.terminal_id).await?;
        if attack.is_none() {
            return Ok(Proven::No);
        }
        let now_ms = self.clock().now_ms();
        let window = now_ms / WINDOW_MS;
        let puzzle = |window: i64| self.puzzle(row, window);
        let is_right = match proof {
            ProofOfWork::None => false,
            ProofOfWork::Solution(solution) => {
                let [now, before] = [window, window - 1].map(puzzle);
                // Both are computed, whatever the first one says.
                now.is_solved_by(solution) | before.is_solved_by(solution)
            }
            ProofOfWork::Impossible => {
                let address_id = address.map(|address| self.address_id(terminal, address));
                let tried = card_tries::has_tried(
                    connection,
                    &row.hash,
                    &terminal.merchant_id,
                    address_id.as_deref(),
                    now_ms - COUNTS_MS,
                );
                if !tried.await? {
                    meter::proof("impossible");
                    return Ok(Proven::No);
                }
                false
            }
        };
        if is_right {
            meter::proof("passed");
            return Ok(Proven::Yes);
        }
        meter::proof(match proof {
            ProofOfWork::None => "asked",
            ProofOfWork::Solution(_) | ProofOfWork::Impossible => "refused",
        });
        Err(PaymentError::ProofDue(puzzle(window).text().to_owned()))
    }

    fn puzzle(&self, row: &SessionRow, window: i64) -> Puzzle {
        let submission = row.session.counters.submissions;
        let subject = format!("proof of work {window} {submission} of {}", row.hash);
        let token = self.vault().page_token(&subject);
        Puzzle::new(token.get(..TOKEN_LENGTH).unwrap_or_default())
    }
}

/// How long a new puzzle can be solved at least. At most it is twice as long.
const WINDOW_MS: i64 = 600_000;

/// 132 bits. So a try of the search hashes one block.
const TOKEN_LENGTH: usize = 22;
