//! The kinds of events that merchants are told about, by notifications and in the feed (contract 9.1).

/// What an event is about: the value of `eventType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventType {
    /// The first operation of a payment over a form, a hosted page or a wallet, or from the merchant's server.
    Payment,
    /// The first operation of a payment over a link.
    PayByLink,
    /// A capture, a refund, a release, an increment, or a charge of a reservation.
    Operation,
    /// A terminal is under attack, or no longer is.
    TerminalAttack,
    /// A refund in the back office waits for a second member, or somebody decided it.
    RefundApproval,
    /// A dispute was opened, or it changed.
    Dispute,
    /// A page that shows a form was changed.
    PageChange,
}

impl EventType {
    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            EventType::Payment => "PAYMENT",
            EventType::PayByLink => "PAY_BY_LINK",
            EventType::Operation => "OPERATION",
            EventType::TerminalAttack => "TERMINAL_ATTACK",
            EventType::RefundApproval => "REFUND_APPROVAL",
            EventType::Dispute => "DISPUTE",
            EventType::PageChange => "PAGE_CHANGE",
        }
    }

    /// All of them.
    pub const ALL: [EventType; 7] = [
        EventType::Payment,
        EventType::PayByLink,
        EventType::Operation,
        EventType::TerminalAttack,
        EventType::RefundApproval,
        EventType::Dispute,
        EventType::PageChange,
    ];
}
