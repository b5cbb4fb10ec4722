//! What a token tells about its PIN before anybody logs in (PKCS #11 2.40, `CK_TOKEN_INFO`), and whether one is tried then.

use super::{LogIn, TokenError};
use cryptoki::slot::TokenInfo;

/// The flags of a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PinState {
    pub(crate) is_unset: bool,
    /// Somebody gave a wrong PIN since the last log-in.
    pub(crate) was_wrong: bool,
    pub(crate) is_last_try: bool,
    pub(crate) is_locked: bool,
}

impl PinState {
    pub(crate) fn of(token: &TokenInfo) -> PinState {
        PinState {
            is_unset: !token.user_pin_initialized() || token.user_pin_to_be_changed(),
            was_wrong: token.user_pin_count_low(),
            is_last_try: token.user_pin_final_try(),
            is_locked: token.user_pin_locked(),
        }
    }

    /// Whether a PIN may be tried.
    pub(crate) fn check(self, log_in: LogIn) -> Result<(), TokenError> {
        let refusal = match self {
            PinState {
                is_locked: true, ..
            } => TokenError::Locked,
            PinState { is_unset: true, .. } => TokenError::PinToBeSet,
            PinState {
                is_last_try: true, ..
            } => TokenError::LastTry,
            PinState {
                was_wrong: true, ..
            } if log_in == LogIn::Careful => TokenError::WrongPinBefore,
            _ => return Ok(()),
        };
        Err(refusal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(state: PinState, careful: Option<TokenError>, after_wrong_pin: Option<TokenError>) {
        assert_eq!(state.check(LogIn::Careful).err(), careful);
        assert_eq!(state.check(LogIn::AfterWrongPin).err(), after_wrong_pin);
    }

    #[test]
    fn a_pin_is_tried_only_where_a_wrong_one_does_no_harm() {
        let fresh = PinState::default();
        check(fresh, None, None);
        let was_wrong = PinState {
            was_wrong: true,
            ..fresh
        };
        check(was_wrong, Some(TokenError::WrongPinBefore), None);
        let last = PinState {
            is_last_try: true,
            ..was_wrong
        };
        check(last, Some(TokenError::LastTry), Some(TokenError::LastTry));
        let locked = PinState {
            is_locked: true,
            ..last
        };
        check(locked, Some(TokenError::Locked), Some(TokenError::Locked));
        let unset = PinState {
            is_unset: true,
            ..fresh
        };
        let refusal = Some(TokenError::PinToBeSet);
        check(unset, refusal.clone(), refusal);
    }
}
