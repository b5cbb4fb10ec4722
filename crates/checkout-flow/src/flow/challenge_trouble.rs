//! What went wrong around the issuer's page, as the merchant's page is told of it beside the outcome.

/// Why the issuer did not confirm the buyer, as far as the form knows. It explains a refusal and never is one: the gateway's
/// answer decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChallengeTrouble {
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

impl ChallengeTrouble {
    /// The stable code, as in `docs/errors.md`.
    pub fn code(self) -> &'static str {
        match self {
            Self::Cancelled => "challenge_cancelled",
            Self::TimedOut => "challenge_timeout",
            Self::Unreachable => "acs_unreachable",
            Self::Blocked => "blocked_by_policy",
            Self::Replaced => "challenge_replaced",
            Self::Mismatched => "notification_mismatch",
        }
    }

    /// From its code. `None` for any other text.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|trouble| trouble.code() == code)
    }

    /// Each of them.
    pub const ALL: [Self; 6] = [
        Self::Cancelled,
        Self::TimedOut,
        Self::Unreachable,
        Self::Blocked,
        Self::Replaced,
        Self::Mismatched,
    ];
}
