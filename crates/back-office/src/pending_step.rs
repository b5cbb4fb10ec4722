//! What a member has to do before the back office opens, and the page where it is done.

/// What a member has to do before the back office opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PendingStep {
    /// Prove the second factor.
    Code,
    /// Choose another password, because somebody else knows the present one.
    Password,
    /// Set a second factor up.
    SecondFactor,
}

impl PendingStep {
    /// The page where it is done.
    pub(super) fn page(self) -> &'static str {
        match self {
            PendingStep::Code => CODE_PAGE,
            PendingStep::Password => PASSWORD_PAGE,
            PendingStep::SecondFactor => NEW_APP_PAGE,
        }
    }

    /// Whether this page is open before it is done.
    pub(super) fn allows(self, path: &str) -> bool {
        let other = match self {
            PendingStep::Code => CODE_BY_PASSKEY,
            PendingStep::Password => PASSWORD_PAGE,
            PendingStep::SecondFactor => NEW_PASSKEY_PAGE,
        };
        [LOG_OUT, self.page(), other].contains(&path)
    }
}

pub(super) const CODE_PAGE: &str = "/office/login/code";
/// Takes the passkey, in place of the code.
pub(super) const CODE_BY_PASSKEY: &str = "/office/login/code/passkey";
pub(super) const SECOND_FACTOR_PAGE: &str = "/office/second-factor";
/// Where an authenticator app is set up.
pub(super) const NEW_APP_PAGE: &str = "/office/second-factor/new";
pub(super) const NEW_PASSKEY_PAGE: &str = "/office/second-factor/passkeys/new";
pub(super) const PASSWORD_PAGE: &str = "/office/password";
/// Always open: whoever is logged in can log out.
pub(super) const LOG_OUT: &str = "/office/logout";
