//! The properties that hold in every state, and the outcomes that a search has to reach.

use super::beside::{Beside, PARTS, Seen};
use super::card::Card;
use super::form::Form;
use super::setting::Setting;
use super::sums::offered_sum;
use super::world::{Violation, World};
use payframe_checkout_flow::flow::{CaptureInitiator, Outcome, Phase};
use payframe_payment_domain::session::State;
use stateright::Property;

/// The properties of a setting.
pub(crate) fn of(setting: &Setting) -> Vec<Property<Setting>> {
    let mut properties = promises();
    properties.extend(reached());
    if setting.cards.contains(&Card::Demanding) {
        properties.push(sometimes(DEMAND_MET, |_, world| {
            world.gateway.demands_met > 0 && world.reported_paid
        }));
    }
    if setting.cards.contains(&Card::Confirmed) {
        properties.push(sometimes(
            "confirmed by the device, or challenged",
            |_, world| world.gateway.asks_device(),
        ));
    }
    if setting.bounds.cancels > 0 {
        properties.push(sometimes("given up", |_, world| {
            matches!(world.gateway.session.state, State::Cancelled { .. })
        }));
    }
    if setting.bounds.renewals > 0 {
        properties.push(sometimes("renewed, then paid", |setting, world| {
            world.left.renewals < setting.bounds.renewals && world.reported_paid
        }));
        properties.push(sometimes("a press went on", |setting, world| {
            let has_pressed = setting.bounds.presses - world.left.presses == 1;
            world.left.renewals < setting.bounds.renewals && has_pressed && world.reported_paid
        }));
    }
    if setting.bounds.reversals > 0 {
        properties.push(sometimes("reversed, and told as not paid", |_, world| {
            world.gateway.has_reversed() && (world.reported_unpaid || world.reported_refusal)
        }));
        if setting.bounds.renewals > 0 {
            properties.push(sometimes("reversed, then paid", |_, world| {
                world.gateway.has_reversed() && world.reported_paid
            }));
        }
    }
    if setting.bounds.changes > 0 {
        properties.push(sometimes("another sum, then paid", |_, world| {
            world.left.changes == 0 && world.gateway.sum > 0 && world.reported_paid
        }));
        properties.push(sometimes("asked to press again", |_, world| {
            let is_asked = |form: &Form| matches!(form.flow.phase(), Phase::Repriced);
            world.forms.iter().flatten().any(is_asked)
        }));
    }
    if setting.beside.contains(&Beside::Currency) {
        properties.push(sometimes("paid in the card's currency", |_, world| {
            let is_of_offer = |seen: &Seen| seen.sum == Some(offered_sum(world.gateway.sum));
            world.reported_paid && world.charged.is_some_and(|seen| is_of_offer(&seen))
        }));
        properties.push(sometimes(
            "sent again, then paid in the shop's currency",
            |_, world| {
                let is_of_shop = |seen: &Seen| seen.sum == Some(world.gateway.sum);
                let was_refused = world.gateway.session.counters.submissions > 1;
                world.reported_paid
                    && was_refused
                    && world.charged.is_some_and(|seen| is_of_shop(&seen))
            },
        ));
    }
    if setting.beside.contains(&Beside::SavedCard) {
        properties.push(sometimes("paid with the saved card", |_, world| {
            world.reported_paid && world.charged.is_some_and(|seen| seen.is_saved)
        }));
        properties.push(sometimes("paid with a card that was typed", |_, world| {
            world.reported_paid && world.charged.is_some_and(|seen| !seen.is_saved)
        }));
    }
    if setting.beside.contains(&Beside::Instalments) {
        properties.push(sometimes("paid in parts", |_, world| {
            world.reported_paid && world.charged.is_some_and(|seen| seen.parts == PARTS)
        }));
    }
    if setting.capture_initiator == CaptureInitiator::Server {
        let in_vain = |_: &Setting, world: &World| {
            let gave_up_waiting = |form: &Form| matches!(form.flow.phase(), Phase::Unknown { .. });
            !world.was_cut_off && world.forms.iter().flatten().any(gave_up_waiting)
        };
        properties.push(sometimes("waits for the server in vain", in_vain));
    }
    properties
}

fn promises() -> Vec<Property<Setting>> {
    vec![
        always(ONE_CHARGE, |_, world| world.gateway.taken() <= 1),
        always(PRESSED, |setting, world| {
            let presses = setting.bounds.presses - world.left.presses;
            world.gateway.charges.len() <= usize::from(presses + world.gateway.demands_met)
        }),
        always(PAID_IS_TRUE, |_, world| {
            !world.reported_paid || (world.gateway.is_charged() && world.gateway.is_known())
        }),
        always(UNPAID_IS_TRUE, |_, world| {
            !world.reported_unpaid || world.gateway.taken() == 0
        }),
        always(STATED, |_, world| {
            let untrue = [Violation::FalseOutcome, Violation::FalseRefusal].map(Some);
            !untrue.contains(&world.wrong)
        }),
        always(GIVEN_UP, |_, world| {
            let is_cancelled = matches!(world.gateway.session.state, State::Cancelled { .. });
            let is_charged = is_cancelled && world.gateway.taken() > 0;
            !is_charged && world.wrong != Some(Violation::ClosedAgainstWill)
        }),
        always(AGREED, |_, world| {
            world.wrong != Some(Violation::PaidUnread)
        }),
        always(SHOWN, |_, world| {
            world.wrong != Some(Violation::ChargedUnseen)
        }),
        always(OFFERED, |_, world| {
            world.wrong != Some(Violation::ChargedStaleOffer)
        }),
        always(CONSENTED, |_, world| {
            world.wrong != Some(Violation::ChargedWithoutConsent)
        }),
        always(CONFIRMED, |_, world| !world.gateway.is_unconfirmed),
        always(PROOF_ONCE, |setting, world| {
            let proofs = world.gateway.proofs;
            !setting.is_attacked
                || (!proofs.is_reused && proofs.taken == world.gateway.session.counters.submissions)
        }),
        always(ASKS, |_, world| {
            let mut forms = world.forms.iter().flatten();
            forms.all(|form| form.is_at_rest() || form.has_question_out() || form.asks_page())
        }),
        always(LATE, |_, world| {
            !world.forms.iter().flatten().any(Form::accepts_late_answers)
        }),
        always(ENDS, |setting, world| {
            let end = world.drain(setting);
            end.is_some_and(|end| end.gateway.is_reconciled() && all_agree(&end))
        }),
    ]
}

fn reached() -> Vec<Property<Setting>> {
    vec![
        sometimes("paid", |_, world| world.reported_paid),
        sometimes("reported unpaid", |_, world| world.reported_unpaid),
        sometimes("reported unknown, then paid", |_, world| {
            world.reported_unknown && world.reported_paid
        }),
        sometimes("refused, then paid", |_, world| {
            world.reported_refusal && world.reported_paid
        }),
        sometimes("charged, and no form knows", |_, world| {
            world.gateway.is_charged() && !world.reported_paid
        }),
        sometimes("died", |_, world| {
            world.gateway.session.state == State::Dead
        }),
    ]
}

fn always(name: &'static str, condition: fn(&Setting, &World) -> bool) -> Property<Setting> {
    Property::always(name, condition)
}

fn sometimes(name: &'static str, condition: fn(&Setting, &World) -> bool) -> Property<Setting> {
    Property::sometimes(name, condition)
}

/// Whether every form that shows an outcome shows the gateway's.
fn all_agree(end: &World) -> bool {
    let agrees = |form: &Form| match form.flow.phase() {
        Phase::Complete(verdict) | Phase::Retrying(verdict) => {
            let stated = end.gateway.outcome_of(&verdict.operation_id);
            // What was pending when the form ended may be final by now.
            stated == Some(verdict.outcome) || verdict.outcome == Outcome::Pending
        }
        Phase::Expired => end.gateway.taken() == 0,
        _ => true,
    };
    end.forms.iter().flatten().all(agrees)
}

/// The acquirer's records contain at most one charge, pending ones included.
pub(crate) const ONE_CHARGE: &str = "a payment is never charged twice, whatever sessions it takes";
/// The acquirer is asked for no more operations than there were presses, and challenges passed that it demanded.
pub(crate) const PRESSED: &str =
    "nothing is charged without a press of Pay, or a challenge that was demanded";
/// A decline for want of an authentication is not the end.
pub(crate) const DEMAND_MET: &str = "demanded, challenged, then paid";
/// By the acquirer's records and by the gateway's.
pub(crate) const PAID_IS_TRUE: &str = "a form says paid only of what is paid";
/// Declined, cancelled, failed.
pub(crate) const UNPAID_IS_TRUE: &str = "what a form called unpaid is not charged, then or later";
/// Operation by operation.
pub(crate) const STATED: &str = "every outcome that a form tells is the gateway's";
/// Neither by the gateway nor by the form.
pub(crate) const GIVEN_UP: &str = "what is given up is not charged";
/// Neither card data nor a completion call.
pub(crate) const AGREED: &str = "nothing is paid on terms that the buyer did not press Pay for";
/// At the last press in any tab, for both kinds of completion.
pub(crate) const SHOWN: &str =
    "nobody is charged a sum, a card or parts that the form did not show at the press";
/// Not for one that the merchant's server has changed since.
pub(crate) const OFFERED: &str = "an offer is charged only for the sum that it was made for";
/// A tick in any tab.
pub(crate) const CONSENTED: &str = "no card is charged without the consent that is needed";
/// Neither after one that was cancelled, nor by a second one after the issuer has answered.
pub(crate) const CONFIRMED: &str =
    "nothing is charged after a confirmation that the issuer did not accept";
/// Solved for this submission of this session.
pub(crate) const PROOF_ONCE: &str =
    "at a terminal under attack every card has a proof of work of its own";
/// A call, a wait with an end, or the page's answer.
pub(crate) const ASKS: &str = "a form that waits has a question out";
/// The same for a wait that ends too late.
pub(crate) const LATE: &str = "a late answer changes nothing";
/// See [`World::drain`].
pub(crate) const ENDS: &str = "from everywhere there is an end, with books that agree";
