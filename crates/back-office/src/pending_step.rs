//! What a member has to do before the back office opens, and the page where it is done.

/// What a member has to do before the back office opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PendingStep {
    /// Give the code of the second factor.
    Code,
    /// Choose another password, because somebody else knows the present one.
    Password,
    /// Set a second factor up.
    SecondFactor,
}

impl PendingStep {
    /// The page where it is done. It and the pages below it are open.
    pub(super) fn page(self) -> &'static str {
        match self {
            PendingStep::Code => CODE_PAGE,
            PendingStep::Password => PASSWORD_PAGE,
            PendingStep::SecondFactor => "/office/second-factor/new",
        }
    }

    /// Whether this page is open before it is done.
    pub(super) fn allows(self, path: &str) -> bool {
        path == LOG_OUT || path == self.page()
    }
}

pub(super) const CODE_PAGE: &str = "/office/login/code";
pub(super) const PASSWORD_PAGE: &str = "/office/password";
/// Always open: whoever is logged in can log out.
pub(super) const LOG_OUT: &str = "/office/logout";
