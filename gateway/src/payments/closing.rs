//! The calls that close a payment: confirm, finalize, cancel, and the device check's part in it.

use super::card_seal::SealedCard;
use super::course::Along;
use super::problem::PaymentProblem;
use crate::App;
use crate::domain::session::{
    Authentication, CheckProgress, Closing, ClosingCall, DeviceCheck, Event, Refusal, State,
    Verdict,
};
use crate::idempotency::Slot;
use crate::locks::Held;
use crate::store::sessions::SessionRow;
use crate::vault;
use payframe_money::Amount;

/// A closing call.
pub(crate) struct CloseCall<'a> {
    pub(crate) closing: Closing,
    /// With `confirm_payment`.
    pub(crate) amount: Option<Amount>,
    /// The terminal of the caller.
    pub(crate) terminal_id: String,
    /// The buyer's frame calls.
    pub(crate) by_buyer: bool,
    pub(crate) slot: Option<&'a Slot>,
}

/// Why a closing call was not carried out.
#[derive(Debug)]
pub(crate) enum CloseProblem {
    /// The payment does not move on.
    Payment(PaymentProblem),
    /// The call is under way with another amount.
    OtherAmount,
}

impl From<PaymentProblem> for CloseProblem {
    fn from(problem: PaymentProblem) -> CloseProblem {
        CloseProblem::Payment(problem)
    }
}

/// A session after a closing call.
pub(crate) struct Closed {
    pub(crate) row: SessionRow,
    /// An accepted currency offer was dropped, because the amount changed.
    pub(crate) offer_dropped: bool,
}

/// How a device check goes, as its pages are told.
pub(crate) enum CheckStanding {
    /// Done, or nothing is due any more.
    Over(SessionRow),
    /// It has not reported yet.
    Running(SessionRow),
}

impl App {
    /// Closes a payment, or tells again what became of it.
    pub(crate) async fn close(
        &self,
        hash: &str,
        call: CloseCall<'_>,
    ) -> Result<Closed, CloseProblem> {
        let held = self.hold_session(hash).await;
        let offer_dropped = match call.amount {
            Some(amount) => self.change_amount(&held, hash, amount).await?,
            None => false,
        };
        let operation_id = vault::random_operation_id().map_err(PaymentProblem::from)?;
        let (due, (check, verdict)) = loop {
            let asked = self.lapsed(hash).await?;
            let assessed = self.assess(&asked, call.closing, &operation_id).await?;
            let due = self.due(&held, hash).await?;
            // Another process may have moved the session on while the issuer was asked about its card.
            if due.row.session == asked.session && due.row.sealed_card == asked.sealed_card {
                break (due, assessed);
            }
        };
        let event = Event::ClosingAsked {
            closing: call.closing,
            check,
            verdict,
            call: ClosingCall {
                operation_id,
                terminal_id: call.terminal_id.clone(),
                asked_by: call.slot.map(Slot::name),
            },
        };
        let along = Along {
            by_buyer: call.by_buyer,
            ..Along::default()
        };
        let row = self.carry_on(&held, due, event, along).await?;
        Ok(Closed { row, offer_dropped })
    }

    /// Gives a session that is about to be closed the amount that it is to be closed with. Whether that dropped a currency offer.
    async fn change_amount(
        &self,
        held: &Held,
        hash: &str,
        amount: Amount,
    ) -> Result<bool, CloseProblem> {
        let before = self.session_held(hash).await?;
        if amount == before.amount {
            return Ok(false);
        }
        if has_begun(&before.session.state) {
            return Err(CloseProblem::OtherAmount);
        }
        if !matches!(before.session.state, State::Ready { .. }) {
            return Ok(false);
        }
        let along = Along {
            amount: Some(amount),
            ..Along::default()
        };
        self.advance(held, hash, Event::AmountChanged, along)
            .await?;
        Ok(has_offer(&before))
    }

    /// Fixes another amount without closing anything (contract 4.5, `confirm: false`).
    pub(crate) async fn fix_amount(
        &self,
        hash: &str,
        amount: Amount,
    ) -> Result<Closed, PaymentProblem> {
        let held = self.hold_session(hash).await;
        let before = self.session_held(hash).await?;
        let is_over = matches!(
            before.session.state,
            State::Complete { .. } | State::Cancelled { .. }
        );
        if amount == before.amount || is_over {
            if has_begun(&before.session.state) {
                return Err(Refusal::WrongState.into());
            }
            return Ok(Closed {
                row: before,
                offer_dropped: false,
            });
        }
        let offer_dropped = has_offer(&before);
        let along = Along {
            amount: Some(amount),
            ..Along::default()
        };
        let row = self
            .advance(&held, hash, Event::AmountChanged, along)
            .await?;
        Ok(Closed { row, offer_dropped })
    }

    /// Gives a payment up, unless it has its outcome.
    pub(crate) async fn cancel(
        &self,
        hash: &str,
        terminal_id: Option<&str>,
        by_buyer: bool,
    ) -> Result<SessionRow, PaymentProblem> {
        let held = self.hold_session(hash).await;
        let event = Event::CancelAsked {
            operation_id: vault::random_operation_id()?,
        };
        self.advance(
            &held,
            hash,
            event,
            Along {
                terminal_id,
                by_buyer,
                ..Along::default()
            },
        )
        .await
    }

    /// Version 3: how the device check goes. `last`: nobody will ask again.
    pub(crate) async fn check_device(
        &self,
        hash: &str,
        last: bool,
    ) -> Result<CheckStanding, PaymentProblem> {
        let held = self.hold_session(hash).await;
        let row = self.session_held(hash).await?;
        match &row.session.state {
            State::CheckingDevice { .. } if !last => Ok(CheckStanding::Running(row)),
            State::ChoosingMethod | State::CollectingCard(_) | State::VerifyingDevice { .. } => {
                Err(Refusal::WrongState.into())
            }
            State::CheckingDevice { .. } => {
                let event = Event::DeviceCheckGivenUp {
                    operation_id: vault::random_operation_id()?,
                };
                self.advance(&held, hash, event, Along::default())
                    .await
                    .map(CheckStanding::Over)
            }
            _ => Ok(CheckStanding::Over(row)),
        }
    }

    /// Version 3: goes on without the device check, which stayed silent.
    pub(crate) async fn skip_device_check(&self, hash: &str) -> Result<SessionRow, PaymentProblem> {
        self.advance_by_buyer(hash, Event::DeviceCheckSkipped).await
    }

    /// The buyer leaves the challenge: the attempt ends, and the payment only where it was the last.
    pub(crate) async fn leave_challenge(&self, hash: &str) -> Result<SessionRow, PaymentProblem> {
        self.advance_by_buyer(hash, Event::ChallengeLeft).await
    }

    async fn advance_by_buyer(
        &self,
        hash: &str,
        event: Event,
    ) -> Result<SessionRow, PaymentProblem> {
        let held = self.hold_session(hash).await;
        let along = Along {
            by_buyer: true,
            ..Along::default()
        };
        self.advance(&held, hash, event, along).await
    }

    /// Version 2: goes on with a confirmed payment once its device check is done. `last`: nobody will ask again.
    pub(crate) async fn verify_device(
        &self,
        hash: &str,
        last: bool,
    ) -> Result<CheckStanding, PaymentProblem> {
        let held = self.hold_session(hash).await;
        let row = self.session_held(hash).await?;
        let event = match &row.session.state {
            State::VerifyingDevice {
                progress: CheckProgress::Running,
                ..
            } if !last => {
                return Ok(CheckStanding::Running(row));
            }
            State::VerifyingDevice {
                progress: CheckProgress::Running,
                ..
            } => Event::DeviceCheckGivenUp {
                operation_id: vault::random_operation_id()?,
            },
            State::VerifyingDevice { card, closing, .. } => Event::DeviceVerified {
                verdict: match SealedCard::of(self.vault(), &row)? {
                    Some(sealed) => {
                        self.verdict_on(&row, card, &sealed, &closing.operation_id)
                            .await?
                    }
                    None => Verdict::Refused,
                },
            },
            // Nothing is verified: whatever is said here decides nothing.
            _ => Event::DeviceVerified {
                verdict: Verdict::Refused,
            },
        };
        self.advance(
            &held,
            hash,
            event,
            Along {
                by_buyer: true,
                ..Along::default()
            },
        )
        .await
        .map(CheckStanding::Over)
    }

    /// Takes the recorded result of a challenge (contract 5.5, `validateAndPay`): the session has an outcome, or
    /// waits for another card.
    pub(crate) async fn challenge_result(&self, hash: &str) -> Result<SessionRow, PaymentProblem> {
        let held = self.hold_session(hash).await;
        let row = self.settle(&held, hash).await?;
        match &row.session.state {
            State::Complete { .. } | State::Cancelled { .. } => Ok(row),
            State::CollectingCard(crate::domain::session::AfterRefusal::Yes { .. }) => Ok(row),
            State::Dead => Err(Refusal::Dead.into()),
            _ => Err(Refusal::WrongState.into()),
        }
    }

    /// A session as it is now, for one who holds its lock.
    async fn session_held(&self, hash: &str) -> Result<SessionRow, PaymentProblem> {
        let row = self.lapsed(hash).await?;
        if row.session.state == State::Dead {
            Err(Refusal::Dead.into())
        } else {
            Ok(row)
        }
    }

    /// What a closing call of a session that is ready comes to: whether the card's device check is due, and what risk rules and
    /// access control say. Without a card nobody is authenticated; of other sessions whatever is said here decides nothing.
    async fn assess(
        &self,
        row: &SessionRow,
        closing: Closing,
        operation_id: &str,
    ) -> Result<(DeviceCheck, Verdict), PaymentProblem> {
        let sealed = SealedCard::of(self.vault(), row)?;
        let (State::Ready { card }, Some(sealed)) = (&row.session.state, sealed) else {
            return Ok((DeviceCheck::NotDue, Verdict::Refused));
        };
        let verdict = match closing {
            Closing::Finalize => self.verdict_on(row, card, &sealed, operation_id).await?,
            // The device check comes first, and the issuer is asked after it.
            Closing::Confirm => {
                self.verdict_unless_risky(&sealed, card.expiry, Authentication::None)
            }
        };
        Ok((self.device_check_of(card, &sealed), verdict))
    }
}

/// Whether the payment is under way with its amount.
fn has_begun(state: &State) -> bool {
    matches!(
        state,
        State::VerifyingDevice { .. }
            | State::Challenged { .. }
            | State::Authorizing { .. }
            | State::Redirected { .. }
            | State::Settling { .. }
    )
}

fn has_offer(row: &SessionRow) -> bool {
    matches!(&row.session.state, State::Ready { card } | State::CheckingDevice { card, .. } if card.offer.is_some())
}
