//! The confirmation by the buyer's device that an issuer asks for first: it authenticates the buyer, or leads to the issuer's page.
//!
//! Its limit is that of the challenge, and the page that follows it does not begin anew. Only the first answer has an effect.

use super::completion::after_verdict;
use super::{
    Challenge, ChallengeMeans, ConfirmationReply, Counters, State, StateBeforeAuthorization, Step,
    Verdict, unchanged,
};

/// The issuer answered to the outcome of a confirmation.
pub(super) fn answered(
    counters: Counters,
    state: State,
    operation_id: &str,
    reply: ConfirmationReply,
    now_ms: i64,
) -> Step {
    match state {
        State::Challenged {
            card,
            challenge:
                challenge @ Challenge {
                    means: ChallengeMeans::Confirmation,
                    ..
                },
            completion,
        } if completion.operation_id == operation_id => {
            let verdict = match reply {
                ConfirmationReply::Passed(authentication) => Verdict::Pass(authentication),
                ConfirmationReply::Refused => Verdict::Refused,
                ConfirmationReply::Challenge => {
                    let challenge = Challenge {
                        means: ChallengeMeans::Page,
                        ..challenge
                    };
                    let state = State::Challenged {
                        card,
                        challenge,
                        completion,
                    };
                    return unchanged(counters, state);
                }
            };
            let from = StateBeforeAuthorization::Challenged;
            after_verdict(counters, card, verdict, from, completion, now_ms)
        }
        // A confirmation that is over has its outcome.
        other => unchanged(counters, other),
    }
}
