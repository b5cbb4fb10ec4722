//! Why a billing address is not sent, as the buyer reads it.

use payframe_card_rules::address::AddressPart;

/// What is wrong with a part of a billing address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BillingProblem {
    /// No country is chosen.
    CountryMissing,
    /// The country needs a postal code.
    PostalCodeMissing,
    /// The country has no such postal code.
    PostalCodeWrong {
        /// A code as the country writes them, made up.
        example: String,
    },
    /// The country needs this other part.
    PartMissing(AddressPart),
    /// This other part is too long, or nothing that the country has.
    PartWrong(AddressPart),
}

impl BillingProblem {
    /// The part. `None`: the country.
    pub fn part(&self) -> Option<AddressPart> {
        match self {
            BillingProblem::CountryMissing => None,
            BillingProblem::PostalCodeMissing | BillingProblem::PostalCodeWrong { .. } => {
                Some(AddressPart::PostalCode)
            }
            BillingProblem::PartMissing(part) | BillingProblem::PartWrong(part) => Some(*part),
        }
    }
}
