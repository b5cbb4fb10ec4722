//! Problems of the issuer's page, as they are reported to the merchant's page beside the outcome.

/// Why the issuer did not confirm the buyer, as far as the form knows. It explains a refusal and never causes one: the gateway's
/// answer decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChallengeFailure {
    /// The buyer or the page left it.
    Cancelled,
    /// Its time was over.
    TimedOut,
    /// It could not be loaded.
    Unreachable,
    /// The browser was not allowed to show it.
    Blocked,
    /// Something else was put in its place.
    Replaced,
    /// A page of another origin claimed to be its end.
    Mismatched,
}
