//! What a shop says about the goods of an order. The shop is the authority: the gateway keeps the newest state, and compares it
//! with the money ([`super::reconciliation`]).

/// The state of an order's goods, in the shop's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FulfilmentState {
    /// Nothing is sent yet.
    None,
    /// A part is sent.
    Partial,
    /// Everything is sent, or handed over.
    Fulfilled,
    /// Nothing will be sent: the goods are for sale again.
    Canceled,
    /// The goods came back, or the shop has written them off.
    Returned,
}

impl FulfilmentState {
    /// Its code on the wire and in tables.
    pub fn code(self) -> &'static str {
        match self {
            FulfilmentState::None => "NONE",
            FulfilmentState::Partial => "PARTIAL",
            FulfilmentState::Fulfilled => "FULFILLED",
            FulfilmentState::Canceled => "CANCELED",
            FulfilmentState::Returned => "RETURNED",
        }
    }

    /// The state with this code.
    pub fn from_code(code: &str) -> Option<FulfilmentState> {
        FulfilmentState::ALL
            .into_iter()
            .find(|state| state.code() == code)
    }

    /// All of them.
    pub const ALL: [FulfilmentState; 5] = [
        FulfilmentState::None,
        FulfilmentState::Partial,
        FulfilmentState::Fulfilled,
        FulfilmentState::Canceled,
        FulfilmentState::Returned,
    ];

    /// The codes of all of them.
    pub const CODES: [&'static str; 5] = ["NONE", "PARTIAL", "FULFILLED", "CANCELED", "RETURNED"];
}

/// How many characters a shop's note on an order's goods may have.
pub const MOST_NOTE_CHARACTERS: usize = 255;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_found_by_its_code() {
        assert_eq!(
            FulfilmentState::ALL.map(FulfilmentState::code),
            FulfilmentState::CODES
        );
        for state in FulfilmentState::ALL {
            assert_eq!(FulfilmentState::from_code(state.code()), Some(state));
        }
        assert_eq!(FulfilmentState::from_code("SHIPPED"), None);
    }
}
