//! Calls of the gateway: who makes them, with which key, and what they ask for.

use crate::card::Card;

/// Who makes a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Client {
    /// A form, by its tab.
    Tab(usize),
    /// The merchant's server.
    Server,
}

/// An idempotency key. Two calls have the same key only if the real calls would.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// Of a submission of card data: by tab, reload, and number.
    Submission(usize, u8, u8),
    /// Of a closing attempt of a form: by tab, reload, and number.
    Attempt(usize, u8, u8),
    /// Of a closing attempt of the merchant's server.
    Server(u8),
}

/// What a client asks of the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ask {
    /// `POST /fe/build/action/PAY_WITH_CARD`
    ChooseCard,
    /// `POST /fe/build/text`
    SendCard {
        /// The idempotency key.
        key: Key,
        /// What is sent.
        card: Card,
        /// The sum that the form shows: see [`sum_of`](crate::sum_of).
        sum: u8,
        /// The proof of work.
        proof: Option<u8>,
        /// What was chosen beside the card.
        beside: SentBeside,
    },
    /// `GET /fe/build/check_gdi_result`
    CheckDevice {
        /// This is the last question.
        last: bool,
    },
    /// `POST /fe/build/skip_gdi`
    SkipDevice,
    /// `GET /build/state`
    ReadState,
    /// `POST /build/finalize_payment`
    Close {
        /// The idempotency key.
        key: Key,
        /// The sum that the form shows; the merchant's server names none.
        sum: Option<u8>,
    },
    /// `POST /fe/build/sum`
    Agree {
        /// The sum that the form shows.
        sum: u8,
    },
    /// `POST /fe/build/leave_challenge`
    LeaveChallenge,
    /// `POST /build/cancel`
    Cancel,
}

/// What is sent beside a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SentBeside {
    /// The currency offer that the buyer took.
    pub offer: Option<usize>,
    /// Whether the saved card pays.
    pub is_saved: bool,
    /// In how many parts the buyer pays.
    pub parts: u8,
    /// Whether the buyer consents to saving the card.
    pub consents: bool,
}

impl Ask {
    /// Whether it changes something, so that it matters even if it arrives after its caller stopped waiting.
    pub(crate) fn acts(self) -> bool {
        !matches!(self, Ask::ReadState | Ask::CheckDevice { last: false })
    }
}
