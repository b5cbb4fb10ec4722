//! The settings that are searched, and the broken ones that the search has to find.

use super::beside::Beside;
use super::card::Card;
use super::properties::{
    AGREED, ASKS, CONFIRMED, CONSENTED, DEMAND_MET, ENDS, GIVEN_UP, OFFERED, ONE_CHARGE,
    PAID_IS_TRUE, PRESSED, PROOF_ONCE, SHOWN, STATED, UNPAID_IS_TRUE,
};
use super::setting::{Bounds, Broken, Setting};
use payframe_checkout_flow::flow::CaptureInitiator;
use stateright::{Checker, HasDiscoveries, Model};

/// A form that closes itself, in one tab.
const FRAME: Setting = Setting {
    capture_initiator: CaptureInitiator::Frame,
    tabs: 1,
    cards: &[Card::Good, Card::Declined, Card::Challenged],
    with_method: false,
    beside: &[],
    is_timed: false,
    is_attacked: false,
    bounds: Bounds {
        faults: 1,
        presses: 2,
        loads: 1,
        cancels: 1,
        server_asks: 0,
        renewals: 0,
        changes: 0,
        offers: 0,
        reversals: 0,
    },
    broken: None,
};

/// Searches every state. Every property must hold, every required outcome must be reached, with at least `least` states.
fn check(setting: Setting, least: usize) {
    let checker = setting.checker().spawn_bfs().join();
    let states = checker.unique_state_count();
    println!("{states} states");
    checker.assert_properties();
    assert!(states >= least, "{states} states only: what was left out?");
}

#[test]
fn one_tab_with_two_faults() {
    let bounds = Bounds {
        faults: 2,
        ..FRAME.bounds
    };
    check(Setting { bounds, ..FRAME }, 241_000);
}

/// K9, L12: the form never steps back and reads the server's state; exactly one outcome, the server's.
#[test]
fn one_tab_with_three_faults() {
    let bounds = Bounds {
        faults: 3,
        ..FRAME.bounds
    };
    let cards = &[Card::Good, Card::Declined];
    check(
        Setting {
            cards,
            bounds,
            ..FRAME
        },
        299_000,
    );
}

#[test]
fn every_card_and_the_choice_of_a_method() {
    let cards = &Card::ALL;
    let with_method = true;
    check(
        Setting {
            cards,
            with_method,
            ..FRAME
        },
        551_000,
    );
}

/// M8: one charge, and the other tab shows its outcome.
#[test]
fn two_tabs_on_one_session() {
    let bounds = Bounds {
        faults: 2,
        loads: 0,
        ..FRAME.bounds
    };
    let cards = &[Card::Good, Card::Declined];
    check(
        Setting {
            tabs: 2,
            cards,
            bounds,
            ..FRAME
        },
        538_000,
    );
}

#[test]
fn two_tabs_with_a_challenge_and_a_reload() {
    let bounds = Bounds {
        cancels: 0,
        ..FRAME.bounds
    };
    check(
        Setting {
            tabs: 2,
            bounds,
            ..FRAME
        },
        486_000,
    );
}

/// K5: the form waits visibly and with a limit at READY_FOR_PAYMENT, then reads the outcome from the gateway.
#[test]
fn the_merchants_server_closes() {
    let bounds = Bounds {
        server_asks: 2,
        ..FRAME.bounds
    };
    check(
        Setting {
            capture_initiator: CaptureInitiator::Server,
            bounds,
            ..FRAME
        },
        480_000,
    );
}

#[test]
fn the_merchants_server_closes_under_two_tabs() {
    let bounds = Bounds {
        loads: 0,
        server_asks: 2,
        ..FRAME.bounds
    };
    let cards = &[Card::Good, Card::Declined];
    check(
        Setting {
            capture_initiator: CaptureInitiator::Server,
            tabs: 2,
            cards,
            bounds,
            ..FRAME
        },
        672_000,
    );
}

/// Idempotency keys are the first protection; the session's states are the second, and are sufficient alone.
#[test]
fn a_form_that_closes_with_a_new_key_for_every_try_still_charges_once() {
    check(
        Setting {
            broken: Some(Broken::KeyForEachTry),
            ..FRAME
        },
        90_000,
    );
}

/// K15: the session dies before or after the press, or refuses the card for good, and the page brings another one.
#[test]
fn one_tab_with_another_session() {
    let bounds = Bounds {
        renewals: 1,
        loads: 0,
        ..FRAME.bounds
    };
    let cards = &[Card::Good, Card::Declined];
    check(
        Setting {
            cards,
            bounds,
            ..FRAME
        },
        18_600,
    );
}

#[test]
fn the_merchants_server_closes_another_session() {
    let bounds = Bounds {
        renewals: 1,
        loads: 0,
        cancels: 0,
        server_asks: 2,
        ..FRAME.bounds
    };
    let cards = &[Card::Good, Card::Declined];
    check(
        Setting {
            capture_initiator: CaptureInitiator::Server,
            cards,
            bounds,
            ..FRAME
        },
        60_400,
    );
}

/// The merchant's server changes the sum while the buyer types, and while a press is on its way.
#[test]
fn the_sum_changes_in_one_tab() {
    let bounds = Bounds {
        changes: 1,
        presses: 3,
        cancels: 0,
        ..FRAME.bounds
    };
    check(Setting { bounds, ..FRAME }, 268_000);
}

#[test]
fn the_sum_changes_under_two_tabs() {
    let bounds = Bounds {
        changes: 1,
        loads: 0,
        cancels: 0,
        ..FRAME.bounds
    };
    let cards = &[Card::Good, Card::Declined];
    check(
        Setting {
            tabs: 2,
            cards,
            bounds,
            ..FRAME
        },
        189_000,
    );
}

#[test]
fn the_sum_changes_and_the_merchants_server_closes() {
    let bounds = Bounds {
        changes: 1,
        presses: 3,
        cancels: 0,
        server_asks: 2,
        ..FRAME.bounds
    };
    let cards = &[Card::Good, Card::Declined, Card::Checked];
    check(
        Setting {
            capture_initiator: CaptureInitiator::Server,
            cards,
            bounds,
            ..FRAME
        },
        2_492_000,
    );
}

/// The time that the form counts ends, and the issuer's page does not come, or is replaced, at any moment.
#[test]
fn the_time_ends_and_the_issuers_page_fails() {
    let bounds = Bounds {
        loads: 0,
        ..FRAME.bounds
    };
    check(
        Setting {
            is_timed: true,
            bounds,
            ..FRAME
        },
        11_900,
    );
}

/// The buyer pays in the shop's currency or in the card's, offers end, and the merchant's server changes the sum.
#[test]
fn a_currency_offer() {
    let bounds = Bounds {
        offers: 2,
        changes: 1,
        cancels: 0,
        loads: 0,
        ..FRAME.bounds
    };
    check(
        Setting {
            beside: &[Beside::Currency],
            cards: &[Card::Good, Card::Declined],
            bounds,
            ..FRAME
        },
        167_000,
    );
}

#[test]
fn a_currency_offer_and_another_session() {
    let bounds = Bounds {
        offers: 2,
        renewals: 1,
        cancels: 0,
        loads: 0,
        ..FRAME.bounds
    };
    check(
        Setting {
            beside: &[Beside::Currency],
            cards: &[Card::Good, Card::Declined],
            bounds,
            ..FRAME
        },
        201_000,
    );
}

#[test]
fn a_currency_offer_under_two_tabs() {
    let bounds = Bounds {
        offers: 1,
        cancels: 0,
        loads: 0,
        ..FRAME.bounds
    };
    check(
        Setting {
            tabs: 2,
            beside: &[Beside::Currency],
            cards: &[Card::Good, Card::Declined],
            bounds,
            ..FRAME
        },
        497_000,
    );
}

#[test]
fn a_currency_offer_and_a_reload() {
    let bounds = Bounds {
        offers: 1,
        cancels: 0,
        ..FRAME.bounds
    };
    check(
        Setting {
            beside: &[Beside::Currency],
            cards: &[Card::Good, Card::Declined],
            bounds,
            ..FRAME
        },
        41_100,
    );
}

/// A saved card or a card that is typed, at once or in parts, with the consent that is needed.
#[test]
fn what_is_chosen_beside_the_card() {
    let bounds = Bounds {
        renewals: 1,
        cancels: 0,
        loads: 0,
        ..FRAME.bounds
    };
    check(
        Setting {
            beside: &[Beside::SavedCard, Beside::Instalments, Beside::Consent],
            cards: &[Card::Good, Card::Declined],
            bounds,
            ..FRAME
        },
        55_800,
    );
}

/// Somebody tries out cards at the terminal: the gateway takes each card only with a proof of work of its own.
#[test]
fn a_terminal_under_attack() {
    let bounds = Bounds {
        loads: 0,
        ..FRAME.bounds
    };
    let is_attacked = true;
    check(
        Setting {
            is_attacked,
            bounds,
            ..FRAME
        },
        11_000,
    );
}

#[test]
fn a_terminal_under_attack_with_two_tabs() {
    let bounds = Bounds {
        loads: 0,
        cancels: 0,
        ..FRAME.bounds
    };
    check(
        Setting {
            is_attacked: true,
            tabs: 2,
            cards: &[Card::Good, Card::Declined],
            bounds,
            ..FRAME
        },
        74_000,
    );
}

/// The acquirer demands an authentication: one challenge, one more request, and no charge without them.
#[test]
fn a_challenge_that_the_acquirer_demands() {
    let bounds = Bounds {
        faults: 2,
        ..FRAME.bounds
    };
    let cards = &[Card::Demanding, Card::Good];
    check(
        Setting {
            cards,
            bounds,
            ..FRAME
        },
        243_000,
    );
}

/// The device confirms, or not, or twice: one charge after a yes of the issuer, and none without.
#[test]
fn a_confirmation_by_the_device() {
    let bounds = Bounds {
        faults: 2,
        ..FRAME.bounds
    };
    let cards = &[Card::Confirmed, Card::Good];
    check(
        Setting {
            cards,
            bounds,
            ..FRAME
        },
        160_000,
    );
}

#[test]
fn a_challenge_that_the_acquirer_demands_under_two_tabs() {
    let bounds = Bounds {
        loads: 0,
        ..FRAME.bounds
    };
    let cards = &[Card::Demanding];
    check(
        Setting {
            tabs: 2,
            cards,
            bounds,
            ..FRAME
        },
        408_000,
    );
}

#[test]
fn a_challenge_that_the_acquirer_demands_and_the_merchants_server_closes() {
    let bounds = Bounds {
        server_asks: 2,
        ..FRAME.bounds
    };
    let cards = &[Card::Demanding];
    check(
        Setting {
            capture_initiator: CaptureInitiator::Server,
            cards,
            bounds,
            ..FRAME
        },
        201_000,
    );
}

/// The acquirer has no question about earlier payments: what has no answer in time is reversed, and an answer after that counts for nothing.
#[test]
fn a_wait_for_the_acquirer_ends_in_a_reversal() {
    let bounds = Bounds {
        reversals: 2,
        renewals: 1,
        loads: 0,
        ..FRAME.bounds
    };
    let cards = &[Card::Good, Card::Declined];
    check(
        Setting {
            cards,
            bounds,
            ..FRAME
        },
        62_100,
    );
}

#[test]
fn a_wait_for_the_acquirer_ends_in_a_reversal_under_two_tabs() {
    let bounds = Bounds {
        reversals: 1,
        loads: 0,
        cancels: 0,
        ..FRAME.bounds
    };
    let cards = &[Card::Good, Card::Challenged];
    check(
        Setting {
            tabs: 2,
            cards,
            bounds,
            ..FRAME
        },
        175_700,
    );
}

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
