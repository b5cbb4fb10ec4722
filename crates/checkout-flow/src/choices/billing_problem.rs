//! Why a billing address is not sent, as the buyer reads it.

/// What is wrong with a billing address.
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
}
