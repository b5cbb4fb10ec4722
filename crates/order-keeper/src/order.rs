//! The order itself: its state, and the stored form of it.

use crate::reading::OperationId;
use crate::{MAX_OPEN_ATTEMPTS, READS_UNTIL_PERSON};
use payframe_money::Amount;

use crate::messages::Cause;

/// The status of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Nothing is paid, and no attempt is open.
    Unpaid,
    /// An attempt is open or undecided.
    Paying(WaitingFor),
    /// The whole amount is held.
    Paid,
    /// Some money is held, but less than the order costs.
    PartlyPaid,
    /// It was paid, and all of it was refunded.
    Refunded,
    /// Not paid, and it never will be.
    GivenUp,
    /// A person has to look.
    NeedsPerson(Cause),
}

/// Who has to act next in a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WaitingFor {
    /// The buyer, at the form.
    Buyer,
    /// The issuer: the payment is pending.
    Issuer,
}

/// The shop's intention for the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Intent {
    /// To sell.
    Sell,
    /// The time limit has passed; a payment that was in time still counts.
    GiveUp,
    /// Not to sell, and to give back what was paid.
    GiveBack,
}

/// The status of the goods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Goods {
    /// Reserved for the order.
    Reserved,
    /// [`crate::Output::Fulfil`] was returned.
    Fulfilled,
    /// [`crate::Output::ReleaseStock`] was returned.
    Released,
}

/// An attempt that may still lead to a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpenAttempt {
    /// The number of the attempt, from 1.
    pub number: u32,
    /// [`crate::Output::CloseAttempt`] was returned.
    pub is_closing: bool,
}

/// A shop's order. The crate's documentation says how to use it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Order {
    pub(crate) at: Snapshot,
}

/// The complete state of an order, to be stored as columns or as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot {
    /// What the order costs, in the minor unit of its currency.
    pub due: Amount,
    /// Its state.
    pub status: Status,
    /// The shop's intention.
    pub intent: Intent,
    /// The status of the goods.
    pub goods: Goods,
    /// Attempts that are not known to be over, by number.
    pub open: Vec<OpenAttempt>,
    /// The number of attempts so far.
    pub attempts: u32,
    /// Payments for which [`crate::Output::GiveBack`] was returned.
    pub returning: Vec<OperationId>,
    /// The ticket of the open request.
    pub asked: Option<u32>,
    /// The number of tickets so far.
    pub tickets: u32,
    /// Answers in a row without a result; the count stops at [`READS_UNTIL_PERSON`].
    pub reads: u8,
    /// The reason for the last call of a person.
    pub called: Option<Cause>,
}

/// Why a stored order is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidOrderError {
    /// Its amount is zero.
    #[error("the amount is zero")]
    Free,
    /// It has attempts that were not made, duplicate attempts, or too many.
    #[error("the attempts are not possible")]
    Attempts,
    /// It has a ticket that was not issued.
    #[error("the ticket was not issued")]
    Ticket,
    /// It has more reads than are counted.
    #[error("more reads than are counted")]
    Reads,
    /// The status of the goods does not match the rest.
    #[error("the status of the goods does not match the rest")]
    Goods,
}

impl Order {
    /// A new order with this amount, of which nothing is paid. Its stock is reserved.
    ///
    /// # Errors
    ///
    /// [`InvalidOrderError::Free`]
    pub fn new(due: Amount) -> Result<Self, InvalidOrderError> {
        Self::restore(Snapshot {
            due,
            status: Status::Unpaid,
            intent: Intent::Sell,
            goods: Goods::Reserved,
            open: Vec::new(),
            attempts: 0,
            returning: Vec::new(),
            asked: None,
            tickets: 0,
            reads: 0,
            called: None,
        })
    }

    /// The order of a stored state.
    ///
    /// # Errors
    ///
    /// [`InvalidOrderError`]: the stored state is not one that [`Order::snapshot`] returned.
    pub fn restore(stored: Snapshot) -> Result<Self, InvalidOrderError> {
        let Snapshot { open, attempts, .. } = &stored;
        let ascends = open.windows(2).all(|two| two[0].number < two[1].number);
        let were_made = open.iter().all(|one| (1..=*attempts).contains(&one.number));
        let is_never = match stored.status {
            Status::Paid => stored.goods != Goods::Fulfilled,
            Status::GivenUp => stored.goods != Goods::Released,
            Status::Unpaid | Status::Paying(WaitingFor::Buyer) => stored.goods != Goods::Reserved,
            _ => false,
        };
        if stored.due.is_zero() {
            Err(InvalidOrderError::Free)
        } else if !ascends || !were_made {
            Err(InvalidOrderError::Attempts)
        } else if stored
            .asked
            .is_some_and(|asked| asked == 0 || asked > stored.tickets)
        {
            Err(InvalidOrderError::Ticket)
        } else if stored.reads > READS_UNTIL_PERSON {
            Err(InvalidOrderError::Reads)
        } else if is_never {
            Err(InvalidOrderError::Goods)
        } else {
            Ok(Self { at: stored })
        }
    }

    /// The state to store.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.at.clone()
    }

    /// Its status.
    #[must_use]
    pub fn status(&self) -> Status {
        self.at.status
    }

    /// The status of the goods.
    #[must_use]
    pub fn goods(&self) -> Goods {
        self.at.goods
    }

    /// The ticket of the open request.
    #[must_use]
    pub fn asked(&self) -> Option<u32> {
        self.at.asked
    }

    /// Whether nothing is open: no request, and no attempt.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.at.asked.is_none() && self.at.open.is_empty()
    }

    pub(crate) fn has_room(&self) -> bool {
        self.at.open.len() < MAX_OPEN_ATTEMPTS
    }
}
