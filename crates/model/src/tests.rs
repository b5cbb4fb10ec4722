//! The settings that are searched, and the broken ones that the search has to find.

mod beside;
mod broken;

use super::card::Card;
use super::setting::{Bounds, Broken, Setting};
use payframe_checkout_flow::flow::CaptureInitiator;
use stateright::{Checker, Model};

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

/// Whether the two largest settings are searched whole (`cargo xtask model`), or with fewer cards or without Cancel.
fn are_largest_searched() -> bool {
    std::env::var("PAYFRAME_MODEL").is_ok_and(|extent| extent == "all")
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
    let (cancels, least) = match are_largest_searched() {
        true => (FRAME.bounds.cancels, 672_000),
        false => (0, 777_000),
    };
    let bounds = Bounds {
        loads: 0,
        cancels,
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
        least,
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
    let (cards, least): (&[Card], _) = match are_largest_searched() {
        true => (&[Card::Good, Card::Declined, Card::Checked], 2_492_000),
        false => (&[Card::Good, Card::Declined], 782_000),
    };
    let bounds = Bounds {
        changes: 1,
        presses: 3,
        cancels: 0,
        server_asks: 2,
        ..FRAME.bounds
    };
    check(
        Setting {
            capture_initiator: CaptureInitiator::Server,
            cards,
            bounds,
            ..FRAME
        },
        least,
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
