//! The names of the rules against card testing: what tries are counted by, and the lists that block.

/// What tries are counted by, and so the names of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// One card number.
    Card,
    /// One build session.
    Session,
    /// One address of a buyer; of IPv6 its network of 64 bits.
    Address,
    /// The first six digits of card numbers.
    Range,
    /// One terminal.
    Terminal,
    /// All terminals of one merchant together.
    Merchant,
    /// Browsers that name themselves alike.
    Device,
    /// Orders of one sum.
    OrderValue,
    /// A list of the terminal blocks the card's range.
    BlockedRange,
    /// A list of the terminal blocks the buyer's address.
    BlockedAddress,
}

impl Rule {
    /// The code on the wire and in the database.
    pub fn code(self) -> &'static str {
        match self {
            Rule::Card => "CARD",
            Rule::Session => "SESSION",
            Rule::Address => "ADDRESS",
            Rule::Range => "RANGE",
            Rule::Terminal => "TERMINAL",
            Rule::Merchant => "MERCHANT",
            Rule::Device => "DEVICE",
            Rule::OrderValue => "ORDER_VALUE",
            Rule::BlockedRange => "BLOCKED_RANGE",
            Rule::BlockedAddress => "BLOCKED_ADDRESS",
        }
    }

    /// Whether what it stops is refused at once. Otherwise the issuer has to demand a challenge.
    pub fn refuses(self) -> bool {
        match self {
            Rule::Card
            | Rule::Session
            | Rule::Address
            | Rule::BlockedRange
            | Rule::BlockedAddress => true,
            Rule::Range | Rule::Terminal | Rule::Merchant | Rule::Device | Rule::OrderValue => {
                false
            }
        }
    }

    /// The rule of a code.
    pub fn from_code(code: &str) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.code() == code)
    }

    /// All of them.
    pub const ALL: [Rule; 10] = [
        Rule::Card,
        Rule::Session,
        Rule::Address,
        Rule::Range,
        Rule::Terminal,
        Rule::Merchant,
        Rule::Device,
        Rule::OrderValue,
        Rule::BlockedRange,
        Rule::BlockedAddress,
    ];
}
