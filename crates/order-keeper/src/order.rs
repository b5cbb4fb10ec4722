//! The order itself: its state, and the snapshot that is stored.

use crate::reading::OperationId;
use crate::{MAX_OPEN_ATTEMPTS, READS_UNTIL_PERSON};
use payframe_money::Amount;

use crate::messages::Cause;

/// The state of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Nothing is paid, and no attempt is open.
    Unpaid,
    /// An attempt is open or undecided.
    Paying(Turn),
    /// The whole amount is held.
    Paid,
    /// Something is held, and less than the order costs.
    PartlyPaid,
    /// It was paid, and all of it was refunded.
    Refunded,
    /// Not paid, and it never will be.
    GivenUp,
    /// A person has to look.
    NeedsPerson(Cause),
}

/// Who moves next in a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Turn {
    /// The buyer, at the form.
    Buyer,
    /// The issuer: the payment is pending.
    Issuer,
}

/// What the shop intends to do with the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Intent {
    /// To sell.
    Sell,
    /// The time limit has passed; a payment that was in time still counts.
    GiveUp,
    /// Not to sell, and to give back what was paid.
    GiveBack,
}

/// Where the goods are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Goods {
    /// Kept for the order.
    Reserved,
    /// [`crate::Output::Fulfil`] was given.
    Fulfilled,
    /// [`crate::Output::ReleaseStock`] was given.
    Released,
}

/// An attempt that may still bring a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpenAttempt {
    /// Counts from 1.
    pub number: u32,
    /// [`crate::Output::CloseAttempt`] was given.
    pub is_closing: bool,
}

/// A shop's order. See the crate's documentation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Order {
    pub(crate) at: Snapshot,
}

/// All data of an order, to be stored in columns or as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot {
    /// What the order costs, in the minor unit of its currency.
    pub due: Amount,
    /// Its state.
    pub status: Status,
    /// What the shop wants.
    pub intent: Intent,
    /// Where the goods are.
    pub goods: Goods,
    /// Attempts that are not known to be over, by number.
    pub open: Vec<OpenAttempt>,
    /// How many attempts there were.
    pub attempts: u32,
    /// Payments for which [`crate::Output::GiveBack`] was given.
    pub returning: Vec<OperationId>,
    /// The ticket of the open question.
    pub asked: Option<u32>,
    /// How many tickets there were.
    pub tickets: u32,
    /// Answers in a row that settled nothing; stops at [`READS_UNTIL_PERSON`].
    pub reads: u8,
    /// The cause for which a person was called last.
    pub called: Option<Cause>,
}

/// Why a stored order is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidOrder {
    /// It costs nothing.
    Free,
    /// Attempts that were not made, are there twice, or are too many.
    Attempts,
    /// A ticket that was not given out.
    Ticket,
    /// A greater number of reads than is ever counted.
    Reads,
    /// Goods in a state that contradicts the order's, for example sold and released.
    Goods,
}

impl Order {
    /// An order with this price and without payments. Its stock is reserved.
    ///
    /// # Errors
    ///
    /// [`InvalidOrder::Free`]
    pub fn new(due: Amount) -> Result<Self, InvalidOrder> {
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

    /// The order that was stored.
    ///
    /// # Errors
    ///
    /// [`InvalidOrder`]: what was stored is not what [`Order::snapshot`] gave.
    pub fn restore(stored: Snapshot) -> Result<Self, InvalidOrder> {
        let Snapshot { open, attempts, .. } = &stored;
        let ascends = open.windows(2).all(|two| two[0].number < two[1].number);
        let were_made = open.iter().all(|one| (1..=*attempts).contains(&one.number));
        let is_never = match stored.status {
            Status::Paid => stored.goods != Goods::Fulfilled,
            Status::GivenUp => stored.goods != Goods::Released,
            Status::Unpaid | Status::Paying(Turn::Buyer) => stored.goods != Goods::Reserved,
            _ => false,
        };
        if stored.due.is_zero() {
            Err(InvalidOrder::Free)
        } else if !ascends || !were_made {
            Err(InvalidOrder::Attempts)
        } else if stored
            .asked
            .is_some_and(|asked| asked == 0 || asked > stored.tickets)
        {
            Err(InvalidOrder::Ticket)
        } else if stored.reads > READS_UNTIL_PERSON {
            Err(InvalidOrder::Reads)
        } else if is_never {
            Err(InvalidOrder::Goods)
        } else {
            Ok(Self { at: stored })
        }
    }

    /// What to store.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.at.clone()
    }

    /// Its state.
    #[must_use]
    pub fn status(&self) -> Status {
        self.at.status
    }

    /// Where the goods are.
    #[must_use]
    pub fn goods(&self) -> Goods {
        self.at.goods
    }

    /// The ticket of the open question.
    #[must_use]
    pub fn asked(&self) -> Option<u32> {
        self.at.asked
    }

    /// Whether there is no open question and no open attempt.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.at.asked.is_none() && self.at.open.is_empty()
    }

    pub(crate) fn has_room(&self) -> bool {
        self.at.open.len() < MAX_OPEN_ATTEMPTS
    }
}
