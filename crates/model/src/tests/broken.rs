//! Compositions that are broken on purpose: the search has to find each.

use super::FRAME;
use crate::beside::Beside;
use crate::card::Card;
use crate::properties::{
    AGREED, ASKS, CONFIRMED, CONSENTED, DEMAND_MET, ENDS, GIVEN_UP, OFFERED, ONE_CHARGE,
    PAID_IS_TRUE, PRESSED, PROOF_ONCE, SHOWN, STATED, UNPAID_IS_TRUE,
};
use crate::setting::{Bounds, Broken, Setting};
use stateright::{Checker, HasDiscoveries, Model};

/// An acquirer answers a reference always the same: whoever asks again with the declined one is never paid.
#[test]
fn the_declined_reference_is_never_approved() {
    let setting = Setting {
        cards: &[Card::Demanding],
        broken: Some(Broken::RepeatsSameReference),
        ..FRAME
    };
    let checker = setting.checker().spawn_bfs().join();
    assert!(checker.discovery(DEMAND_MET).is_none());
}

/// The checker has to find that this property is broken.
#[track_caller]
fn caught(broken: Broken, promise: &'static str) {
    caught_with(broken, promise, FRAME.bounds);
}

#[track_caller]
fn caught_with(broken: Broken, promise: &'static str, bounds: Bounds) {
    let bounds = Bounds {
        faults: 2,
        ..bounds
    };
    let cards: &[Card] = match broken {
        Broken::RepeatsWithoutChallenge => &[Card::Demanding],
        Broken::EveryConfirmationPasses | Broken::SecondOutcomeCounts => &[Card::Confirmed],
        _ => &[Card::Good, Card::Declined, Card::Challenged],
    };
    let beside: &[Beside] = match broken {
        Broken::OfferUnchecked => &[Beside::Currency],
        Broken::ChoosesForBuyer => &[Beside::Currency, Beside::Consent],
        _ => &[],
    };
    let setting = Setting {
        cards,
        beside,
        is_timed: broken == Broken::EndIsOutcome,
        is_attacked: broken == Broken::ProofsStayGood,
        bounds,
        broken: Some(broken),
        ..FRAME
    };
    let found = HasDiscoveries::AnyOf([promise].into());
    let checker = setting.checker().finish_when(found).spawn_bfs().join();
    assert!(
        checker.discovery(promise).is_some(),
        "{broken:?} goes unnoticed: {promise}"
    );
}

#[test]
fn broken_compositions_are_caught() {
    caught(Broken::FreshReference, ONE_CHARGE);
    caught(Broken::IntentForgotten, ONE_CHARGE);
    caught(Broken::SilenceIsRefusal, ONE_CHARGE);
    caught(Broken::SilenceIsRefusal, UNPAID_IS_TRUE);
    caught(Broken::AnswersForgotten, PRESSED);
    caught(Broken::RepeatsWithoutChallenge, PRESSED);
    caught(Broken::EveryConfirmationPasses, CONFIRMED);
    caught(Broken::SecondOutcomeCounts, CONFIRMED);
    caught(Broken::NoRecovery, ENDS);
    caught(Broken::HintIsOutcome, PAID_IS_TRUE);
    caught(Broken::HintIsOutcome, STATED);
    caught(Broken::WaitsForgotten, ASKS);
    caught(Broken::EndIsOutcome, UNPAID_IS_TRUE);
    caught(Broken::GivingUpCloses, GIVEN_UP);
    caught(Broken::DeathIsUnpaid, UNPAID_IS_TRUE);
    let renewing = Bounds {
        renewals: 1,
        ..FRAME.bounds
    };
    caught_with(Broken::DeathIsUnpaid, ONE_CHARGE, renewing);
    caught_with(Broken::TermsUnread, AGREED, renewing);
    let reversing = Bounds {
        reversals: 1,
        renewals: 1,
        ..FRAME.bounds
    };
    caught_with(Broken::LateAnswerBooked, PAID_IS_TRUE, reversing);
    caught_with(Broken::ReversalForgotten, UNPAID_IS_TRUE, reversing);
    caught_with(Broken::ReversalForgotten, ONE_CHARGE, reversing);
    let changing = Bounds {
        changes: 1,
        ..FRAME.bounds
    };
    caught_with(Broken::SumUnchecked, SHOWN, changing);
    caught_with(Broken::SumSlipsIn, SHOWN, changing);
    let offering = Bounds {
        offers: 1,
        loads: 0,
        cancels: 0,
        ..changing
    };
    caught_with(Broken::OfferUnchecked, OFFERED, offering);
    caught_with(Broken::ChoosesForBuyer, SHOWN, offering);
    caught_with(Broken::ChoosesForBuyer, CONSENTED, offering);
    let staying = Bounds {
        loads: 0,
        cancels: 0,
        ..FRAME.bounds
    };
    caught_with(Broken::ProofsStayGood, PROOF_ONCE, staying);
}
