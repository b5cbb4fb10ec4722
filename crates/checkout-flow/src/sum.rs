//! Sums of money, as a form compares them with those that the gateway tells.

/// A sum of money.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sum {
    /// Minor units, digits only.
    pub amount_minor: String,
    /// ISO 4217 letters.
    pub currency: String,
    /// How many of the digits stand behind the decimal separator.
    pub minor_digits: u8,
}

impl Sum {
    /// As the gateway reads it: `3545 EUR`.
    pub fn text(&self) -> String {
        [&*self.amount_minor, " ", &*self.currency].concat()
    }
}

/// The sums of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sums {
    /// What the session asks for, in the shop's currency.
    pub session: Sum,
    /// What is paid in its place: the sum of the offer that was sent with the card, in the card's currency.
    pub offer: Option<Sum>,
}

impl Sums {
    /// Those of a session whose card has no offer.
    pub fn of_session(session: Sum) -> Self {
        Self {
            session,
            offer: None,
        }
    }

    /// What is paid.
    pub fn due(&self) -> &Sum {
        self.offer.as_ref().unwrap_or(&self.session)
    }
}
