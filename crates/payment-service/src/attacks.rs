//! Whether a terminal is under attack: it begins with the first try that meets the rule `TERMINAL`
//! ([`payframe_payment_domain::card_testing::is_under_attack`]), and ends once the rule was not met for a while, also if no more tries
//! arrive. The merchant is told of both.
//!
//! A change of it is a change of one row, beside those of the merchant's tries. So it is told once, whichever process sees it.

use super::{PaymentContext, PaymentError};
use payframe_payment_domain::calendar::instant;
use payframe_payment_domain::card_testing::is_under_attack;
use payframe_protocol::notice::{AttackState, TerminalAttack};
use payframe_storage::card_tries::{self, TryOf};
use payframe_storage::terminal_attacks::{self, Attack};
use payframe_storage::{Connection, Subject};

impl PaymentContext {
    /// Writes down that a try met the rule. Returns whether the attack begins with it.
    pub(super) async fn begin_attack(
        &self,
        connection: &mut Connection,
        this: &TryOf<'_>,
        now_ms: i64,
    ) -> Result<bool, PaymentError> {
        let attack = Attack {
            terminal_id: this.terminal_id.to_owned(),
            merchant_id: this.merchant_id.to_owned(),
            since_ms: now_ms,
            met_ms: now_ms,
            check_ms: now_ms + CHECK_EVERY_MS,
        };
        let begins = terminal_attacks::begin(connection, &attack).await?;
        if begins {
            self.tell_change(connection, &attack, AttackState::Begun)
                .await?;
        }
        Ok(begins)
    }

    /// Looks at the attacks whose time has come, and ends those that are over.
    pub(super) async fn check_attacks(&self) -> Result<(), PaymentError> {
        let now_ms = self.clock().now_ms();
        let due = terminal_attacks::due(&mut *self.store().read().await?, now_ms).await?;
        for attack in due {
            Box::pin(self.check_attack(&attack, now_ms)).await?;
        }
        Ok(())
    }

    /// How many terminals are under attack, of all merchants.
    pub async fn terminals_under_attack(&self) -> Result<i64, PaymentError> {
        let mut connection = self.store().read().await?;
        Ok(terminal_attacks::count(&mut connection).await?)
    }

    async fn check_attack(&self, seen: &Attack, now_ms: i64) -> Result<(), PaymentError> {
        let subject = Subject::CardTries(&seen.merchant_id);
        let mut change = self.store().write(subject).await?;
        let found = terminal_attacks::find(&mut change, &seen.terminal_id).await?;
        // Another process may have looked meanwhile.
        let Some(attack) = found.filter(|attack| attack.check_ms <= now_ms) else {
            return Ok(());
        };
        let terminal_id = attack.terminal_id.clone();
        let rules = card_tries::settings(&mut change, &terminal_id).await?;
        let since_ms = now_ms - Self::COUNTS_AT_TERMINAL_MS;
        let tries = card_tries::at_terminal(&mut change, &terminal_id, since_ms).await?;
        let is_on = self.has_rules(&rules);
        let is_met = is_on && is_under_attack(&rules.limits, tries);
        let is_over = !is_on || (!is_met && now_ms - attack.met_ms >= QUIET_MS);
        if is_over {
            if terminal_attacks::end(&mut change, &attack).await? {
                self.tell_change(&mut change, &attack, AttackState::Ended)
                    .await?;
            }
        } else {
            let looked_at = Attack {
                met_ms: if is_met { now_ms } else { attack.met_ms },
                check_ms: now_ms + CHECK_EVERY_MS,
                ..attack
            };
            terminal_attacks::go_on(&mut change, &looked_at).await?;
        }
        change.commit().await?;
        if is_over {
            self.wake_notifier();
            tracing::info!(terminal_id, "nobody tries out cards at a terminal any more");
        }
        Ok(())
    }

    async fn tell_change(
        &self,
        connection: &mut Connection,
        attack: &Attack,
        state: AttackState,
    ) -> Result<(), PaymentError> {
        let told = TerminalAttack {
            terminal_id: attack.terminal_id.clone(),
            state,
            since_time: instant(attack.since_ms),
        };
        self.tell_of_attack(connection, &attack.merchant_id, told)
            .await
    }
}

/// How often an attack is looked at.
const CHECK_EVERY_MS: i64 = 60_000;

/// An attack is over once the rule was not met for ten minutes, so that a bot around the limit does not make it begin again and again.
const QUIET_MS: i64 = 600_000;
