//! The check that the charged sum is the one that the buyer saw.

use super::{State, TransitionError};
use crate::card::EnteredCard;
use crate::sum::Sum;

/// Whether a completion call may charge a session in this state. `session`: the sum of the session. `named`: the sum in the call, which the
/// form showed when the buyer pressed Pay. A call without a sum, such as that of the merchant's server, may charge only the sum that the
/// form sent with the card or later. In states in which the call charges nothing new, every sum is accepted.
///
/// # Errors
/// [`TransitionError::OtherSum`].
pub fn may_charge(
    state: &State,
    session: &Sum,
    named: Option<&Sum>,
) -> Result<(), TransitionError> {
    let State::Ready { card } = state else {
        return Ok(());
    };
    match named.or(card.shown.as_ref()) {
        Some(sum) if *sum != due(card, session) => Err(TransitionError::OtherSum),
        _ => Ok(()),
    }
}

/// What the buyer pays: the session's sum, or the sum of the accepted offer in the card's own currency.
fn due(card: &EnteredCard, session: &Sum) -> Sum {
    let (amount, currency) = card.due(session.amount, &session.currency);
    Sum {
        amount,
        currency: currency.to_owned(),
    }
}

/// The state after the buyer pressed Pay again for this sum: the card continues with it. A payment that is in progress or over does not change.
///
/// # Errors
/// [`TransitionError::OtherSum`] if another sum is due, [`TransitionError::WrongState`] if there is no card.
pub(super) fn agreed(state: State, session: &Sum, sum: Sum) -> Result<State, TransitionError> {
    match state {
        State::Ready { card } if sum != due(&card, session) => Err(TransitionError::OtherSum),
        State::Ready { card } => Ok(State::Ready {
            card: EnteredCard {
                shown: Some(sum),
                ..card
            },
        }),
        State::ChoosingMethod | State::CollectingCard(_) | State::CheckingDevice { .. } => {
            Err(TransitionError::WrongState)
        }
        other => Ok(other),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{card, states};
    use super::*;

    fn sum(text: &str) -> Sum {
        Sum::parse(text).unwrap()
    }

    fn ready(shown: Option<&str>) -> State {
        State::Ready {
            card: EnteredCard {
                shown: shown.map(sum),
                offer: None,
                ..card()
            },
        }
    }

    #[test]
    fn only_the_sum_that_was_shown_is_charged() {
        let check = |shown: Option<&str>, named: Option<&str>, expected| {
            let named = named.map(sum);
            let answer = may_charge(&ready(shown), &sum("3545 EUR"), named.as_ref());
            assert_eq!(answer, expected, "{shown:?} {named:?}");
        };
        let refused = Err(TransitionError::OtherSum);
        check(None, None, Ok(()));
        check(Some("3545 EUR"), None, Ok(()));
        check(Some("3500 EUR"), None, refused);
        check(Some("3545 USD"), None, refused);
        check(Some("3500 EUR"), Some("3545 EUR"), Ok(()));
        check(Some("3545 EUR"), Some("3500 EUR"), refused);
        check(None, Some("3545 USD"), refused);
    }

    #[test]
    fn a_taken_offer_is_what_the_buyer_pays() {
        let session = sum("3545 EUR");
        let state = State::Ready {
            card: EnteredCard {
                shown: Some(sum("3952 USD")),
                ..card()
            },
        };
        assert_eq!(may_charge(&state, &session, None), Ok(()));
        let refused = Err(TransitionError::OtherSum);
        assert_eq!(may_charge(&state, &session, Some(&session)), refused);
        // The offer is withdrawn, and the form does not know it.
        let withdrawn = ready(Some("3952 USD"));
        assert_eq!(may_charge(&withdrawn, &session, None), refused);
    }

    #[test]
    fn a_call_that_charges_nothing_new_may_name_any_sum() {
        for state in states() {
            if !matches!(state, State::Ready { .. }) {
                let answer = may_charge(&state, &sum("3545 EUR"), Some(&sum("1 USD")));
                assert_eq!(answer, Ok(()), "{state:?}");
            }
        }
    }

    #[test]
    fn another_press_is_for_the_sum_that_is_due() {
        let (due, other) = (sum("3500 EUR"), sum("3545 EUR"));
        let after = agreed(ready(Some("3545 EUR")), &due, due.clone()).unwrap();
        assert_eq!(may_charge(&after, &due, None), Ok(()));
        assert_eq!(
            agreed(ready(None), &due, other),
            Err(TransitionError::OtherSum)
        );
        assert_eq!(
            agreed(State::ChoosingMethod, &due, due.clone()),
            Err(TransitionError::WrongState)
        );
    }
}
