//! Compares the gateway with `crates/model`: walks through the model are repeated, step by step, with real calls.
//!
//! The model searches everything that form, network, gateway and acquirer can do together. Its sessions use the functions that serve
//! payments. Around them it has a simplified form of transactions, stored answers, the call to the acquirer, crashes and recovery. These
//! tests compare that form with the gateway: [`replay`] does the steps of a walk, and after each step state, operations, charges and
//! answers have to be the same.
//!
//! The walks are the same in every run: one to each kind of step, and some at random. `PAYFRAME_WALKS_SEED` and
//! `PAYFRAME_WALKS` select others.

mod gate;
mod replay;

use crate::strange::Random;
use payframe_checkout_flow::flow::{Answer, CaptureInitiator, Failure};
use payframe_model::{
    Action, Ask, Beside, Bounds, Broken, Card, Client, GatewayStep, Observed, PARTS, SentBeside,
    Setting, Walk,
};
use payframe_payment_domain::operation::AuthorizationResult;
use payframe_payment_domain::session::{ChallengeReply, ConfirmationReply, Limit, StepUp};
use replay::replay;

/// A form that closes by itself, in two tabs.
const FORM: Setting = Setting {
    capture_initiator: CaptureInitiator::Frame,
    tabs: 2,
    cards: &Card::ALL,
    with_method: true,
    beside: &[],
    is_timed: false,
    is_attacked: false,
    bounds: Bounds {
        faults: 4,
        presses: 4,
        loads: 1,
        cancels: 1,
        server_asks: 0,
        renewals: 0,
        changes: 1,
        offers: 0,
        // The sandbox's acquirer can be asked about earlier payments.
        reversals: 0,
    },
    broken: None,
};

/// A form with currency offers and instalments.
const OFFERS: Setting = Setting {
    tabs: 1,
    cards: &[Card::Good, Card::Declined],
    with_method: false,
    beside: &[Beside::Currency, Beside::Instalments],
    bounds: Bounds {
        offers: 3,
        changes: 2,
        ..FORM.bounds
    },
    ..FORM
};

/// A form with a saved card. It pays as the good card does.
const SAVED_CARD: Setting = Setting {
    cards: &[Card::Good],
    beside: &[Beside::SavedCard, Beside::Currency],
    ..OFFERS
};

/// A form that asks for the consent to save the card.
const CONSENT: Setting = Setting {
    beside: &[Beside::Consent, Beside::Instalments],
    ..OFFERS
};

/// The merchant's server closes.
const SERVER: Setting = Setting {
    capture_initiator: CaptureInitiator::Server,
    tabs: 1,
    with_method: false,
    bounds: Bounds {
        server_asks: 3,
        ..FORM.bounds
    },
    ..FORM
};

/// The settings of random walks, one after the other.
const SETTINGS: [Setting; 6] = [SERVER, FORM, OFFERS, FORM, SAVED_CARD, CONSENT];

/// The steps at the gateway in a random walk.
fn walk(setting: &Setting, seed: u64) -> Vec<Observed> {
    let mut random = Random::new(seed);
    let mut walk = Walk::begin(setting.clone());
    let mut steps = Vec::new();
    for _ in 0..LENGTH {
        let choices = walk.choices();
        if choices.is_empty() {
            break;
        }
        steps.extend(walk.take(one_of(&choices, &mut random)));
    }
    // A form polls hundreds of times. Polls with the same answer as the one before are left out.
    steps.dedup_by(|poll, before| poll == before && is_poll(&poll.step));
    steps
}

fn is_poll(step: &GatewayStep) -> bool {
    matches!(
        step,
        GatewayStep::Called(_, Ask::ReadState | Ask::CheckDevice { last: false }, _)
    )
}

/// Successful steps are chosen more often than failures; otherwise no walk would get far.
fn one_of(choices: &[Action], random: &mut Random) -> Action {
    loop {
        let action = choices[random.below(choices.len())];
        let goes_well = matches!(
            action,
            Action::Arrive(_)
                | Action::AnswerArrives(_)
                | Action::Press(..)
                | Action::AskAcquirer
                | Action::Book
                | Action::StepUp(_)
                | Action::Recover
                | Action::DeviceReports
                | Action::Reply(_)
                | Action::Wake(_)
                | Action::Consent(_)
                | Action::Offer(_)
        );
        if goes_well || random.one_in(RARITY) {
            return action;
        }
    }
}

/// The shortest of these walks to a step of this kind, up to that step.
fn shortest_to(walks: &[Vec<Observed>], is_wanted: Kind) -> Option<&[Observed]> {
    let found = walks.iter().filter_map(|steps| {
        let last = steps.iter().position(|seen| is_wanted(&seen.step))?;
        Some(&steps[..=last])
    });
    found.min_by_key(|steps| steps.len())
}

/// Whether a step is of a kind.
type Kind = fn(&GatewayStep) -> bool;

macro_rules! kinds {
    ($($setting:ident { $($name:literal => $pattern:pat,)* })*) => {
        &[$(($setting, &[$(($name, |step: &GatewayStep| matches!(step, $pattern))),*])),*]
    };
}

/// Each kind of step, and each answer with a meaning of its own, by the setting in which it is looked for.
const KINDS: &[(Setting, &[(&str, Kind)])] = {
    use GatewayStep::*;
    kinds! {
        FORM {
            "the method is chosen" => Called(_, Ask::ChooseCard, Some(Answer::State(_))),
            "a card without a check" => Called(_, Ask::SendCard { .. }, Some(Answer::CardTakenNoCheck)),
            "a card with a check" => Called(_, Ask::SendCard { .. }, Some(Answer::CardTaken(_))),
            "a card that is refused" => Called(_, Ask::SendCard { .. }, Some(Answer::CardRefused(_))),
            "a card out of place" => Called(_, Ask::SendCard { .. }, Some(Answer::Failed(_))),
            "the check has not reported" => Called(_, Ask::CheckDevice { last: false }, Some(Answer::DevicePending)),
            "the check is skipped" => Called(_, Ask::SkipDevice, Some(Answer::State(_))),
            "the check reports" => DeviceReported,
            "the state is read" => Called(_, Ask::ReadState, Some(Answer::State(_))),
            "the form closes" => Called(Client::Tab(_), Ask::Close { .. }, None),
            "the form closes again" => Called(Client::Tab(_), Ask::Close { .. }, Some(Answer::State(_))),
            "the sum changes" => SumChanged,
            "the form closes with another sum" => Called(Client::Tab(_), Ask::Close { sum: Some(0), .. }, Some(Answer::Failed(Failure::WrongState))),
            "the challenge is left" => Called(_, Ask::LeaveChallenge, Some(Answer::State(_))),
            "the buyer gives up" => Called(_, Ask::Cancel, Some(Answer::State(_))),
            "the challenge is passed" => ChallengeAnswered(ChallengeReply::Right),
            "the challenge is failed" => ChallengeAnswered(ChallengeReply::No),
            "the device confirms" => ConfirmationAnswered(ConfirmationReply::Passed(_)),
            "the device is not asked" => ConfirmationAnswered(ConfirmationReply::Challenge),
            "the issuer refuses the confirmation" => ConfirmationAnswered(ConfirmationReply::Refused),
            "the acquirer answers" => AcquirerAnswered,
            "an answer is booked and sent" => Booked(Some(_)),
            "an answer is booked" => Booked(None),
            "a demand for an authentication is booked" => DemandBooked,
            "a challenge that was demanded is opened" => StepUpBooked(StepUp::Challenge, Some(_)),
            "a challenge that was demanded is not possible" => StepUpBooked(StepUp::NotPossible, _),
            "a crash after the booking" => BookedThenCrashed,
            "a crash" => Crashed,
            "a silent acquirer" => AcquirerSilent,
            "a caller who is gone" => CallerLeft,
            "a recovery" => RecoveryBegun,
            "nobody is there" => LimitPassed(Limit::Idle),
            "the challenge takes too long" => LimitPassed(Limit::Challenge),
            "a day passes" => OutcomeForgotten,
            "a pending payment is approved" => PendingResolved(AuthorizationResult::Approved),
            "a pending payment is declined" => PendingResolved(AuthorizationResult::Declined),
        }
        SERVER {
            "the buyer agrees to the new sum" => Called(_, Ask::Agree { sum: 1 }, Some(Answer::State(_))),
            "the server closes before the buyer agreed" => Called(Client::Server, Ask::Close { .. }, Some(Answer::Failed(_))),
            "the server closes" => Called(Client::Server, Ask::Close { .. }, None),
            "the server closes again" => Called(Client::Server, Ask::Close { .. }, Some(Answer::State(_))),
        }
        OFFERS {
            "an offer is made" => OfferMade(_),
            "a card with an offer" => Called(_, Ask::SendCard { beside: SentBeside { offer: Some(_), .. }, .. }, Some(Answer::CardTakenNoCheck)),
            "a card with a later offer" => Called(_, Ask::SendCard { beside: SentBeside { offer: Some(1), .. }, .. }, Some(Answer::CardTakenNoCheck)),
            "a card with an offer that is refused" => Called(_, Ask::SendCard { beside: SentBeside { offer: Some(_), .. }, .. }, Some(Answer::CardRefused(_))),
            "a card in parts" => Called(_, Ask::SendCard { beside: SentBeside { parts: PARTS, .. }, .. }, Some(Answer::CardTakenNoCheck)),
            "the offers end" => OffersEnded,
            "a payment in the card's currency" => Booked(Some(_)),
        }
        SAVED_CARD {
            "the saved card" => Called(_, Ask::SendCard { beside: SentBeside { is_saved: true, .. }, .. }, Some(Answer::CardTakenNoCheck)),
            "the saved card is removed" => SavedCardRemoved,
            "a saved card that is gone" => Called(_, Ask::SendCard { beside: SentBeside { is_saved: true, .. }, .. }, Some(Answer::CardRefused(_))),
        }
        CONSENT {
            "a card with consent" => Called(_, Ask::SendCard { beside: SentBeside { consents: true, .. }, .. }, Some(Answer::CardTakenNoCheck)),
        }
    }
};

#[tokio::test]
async fn the_gateway_does_what_the_model_does_in_each_kind_of_step() {
    for (setting, kinds) in KINDS {
        let walks = Vec::from_iter((0..SEARCHED).map(|seed| walk(setting, seed)));
        for (name, is_wanted) in *kinds {
            let steps = shortest_to(&walks, *is_wanted);
            let steps = steps.unwrap_or_else(|| panic!("no walk comes to it: {name}"));
            if let Err(mismatch) = replay(setting, steps).await {
                panic!("{name}: {mismatch}");
            }
        }
    }
}

#[tokio::test]
async fn the_gateway_does_what_the_model_does_on_any_walk() {
    let first = number("PAYFRAME_WALKS_SEED", 1);
    for seed in first..first + number("PAYFRAME_WALKS", WALKS) {
        let setting = &SETTINGS[seed as usize % SETTINGS.len()];
        if let Err(mismatch) = replay(setting, &walk(setting, seed)).await {
            panic!("PAYFRAME_WALKS=1 PAYFRAME_WALKS_SEED={seed} repeats it: {mismatch}");
        }
    }
}

/// A model that differs from the gateway is refused; otherwise the tests above would prove nothing.
#[tokio::test]
async fn a_model_of_another_gateway_is_refused() {
    for (setting, broken) in [
        (FORM, Broken::FreshReference),
        (FORM, Broken::IntentForgotten),
        (FORM, Broken::SilenceIsRefusal),
        (FORM, Broken::AnswersForgotten),
        (FORM, Broken::SumUnchecked),
        (OFFERS, Broken::OfferUnchecked),
    ] {
        assert!(
            is_refused(&setting, broken).await,
            "{broken:?} goes unnoticed"
        );
    }
}

/// Whether one of the first walks in which the broken model differs from the complete one is refused.
async fn is_refused(complete: &Setting, broken: Broken) -> bool {
    let broken = Setting {
        broken: Some(broken),
        ..complete.clone()
    };
    let differs = |seed: &u64| walk(&broken, *seed) != walk(complete, *seed);
    for seed in (0..SEARCHED).filter(differs).take(3) {
        let steps = walk(&broken, seed);
        if replay(&broken, &steps).await.is_err() {
            return true;
        }
    }
    false
}

fn number(variable: &str, otherwise: u64) -> u64 {
    let set = std::env::var(variable).ok();
    set.map_or(otherwise, |set| set.parse().unwrap())
}

/// The number of actions in a walk.
const LENGTH: usize = 80;
/// How many walks are searched for the shortest one to a step.
const SEARCHED: u64 = 3_000;
/// One of this number of possible failures happens.
const RARITY: usize = 6;
/// The number of random walks in a run.
const WALKS: u64 = 30;
