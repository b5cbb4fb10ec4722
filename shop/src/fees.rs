//! The fee for paying with a certain card: the table that the shop uses.
//!
//! A shop can know the fee only after the gateway returns network, funding and first digits of the card. The first row that matches
//! applies:
//!
//! | Card | Fee |
//! |---|---|
//! | of the partner bank (first digits 541333) | none |
//! | American Express, Diners, JCB | 2.5 % |
//! | prepaid | 1.5 % |
//! | any other | 1 % |
//!
//! The numbers are made up. Whether a shop may charge a fee depends on the law of its country.

use crate::gateway::CardData;

/// A fee as a share of the price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fee {
    per_mille: u64,
    /// The reason, for the buyer.
    pub reason: &'static str,
}

impl Fee {
    /// The fee for this card.
    pub fn of(card: &CardData) -> Self {
        let (per_mille, reason) = if card.bin.starts_with(PARTNER_BANK) {
            (0, "card of our partner bank, no fee")
        } else if DEARER_NETWORKS.contains(&card.circuit.as_str()) {
            (25, "2.5 % for this network")
        } else if card.funding.as_deref() == Some("PREPAID") {
            (15, "1.5 % for prepaid cards")
        } else {
            (10, "1 % for cards")
        };
        Self { per_mille, reason }
    }

    /// The fee on a price, in the same minor units, rounded half up. `None` if it cannot be computed.
    pub fn on(self, price_minor: u64) -> Option<u64> {
        Some(price_minor.checked_mul(self.per_mille)?.checked_add(500)? / 1000)
    }
}

const PARTNER_BANK: &str = "541333";
const DEARER_NETWORKS: [&str; 3] = ["AMEX", "DINERS", "JCB"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_that_fits_counts() {
        let check = |bin: &str, circuit: &str, funding: Option<&str>, expected: u64| {
            let card = CardData {
                bin: bin.to_owned(),
                last_four_digits: "0003".to_owned(),
                circuit: circuit.to_owned(),
                funding: funding.map(str::to_owned),
            };
            assert_eq!(Fee::of(&card).on(3545), Some(expected), "{card:?}");
        };
        check("476173", "VISA", Some("CREDIT"), 35);
        check("476173", "VISA", None, 35);
        check("476173", "VISA", Some("PREPAID"), 53);
        check("374245", "AMEX", Some("CREDIT"), 89);
        check("541333", "MC", Some("PREPAID"), 0);
    }

    #[test]
    fn a_price_beyond_counting_has_no_fee() {
        let fee = Fee {
            per_mille: 25,
            reason: "",
        };
        assert_eq!(fee.on(u64::MAX), None);
        assert_eq!(fee.on(999_999_999_999), Some(25_000_000_000));
    }
}
