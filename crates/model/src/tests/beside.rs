//! Searches with what is asked beside the card, and with the time that a form counts.

use super::{FRAME, check};
use crate::beside::Beside;
use crate::card::Card;
use crate::setting::{Bounds, Setting};

/// A buyer who gives nothing up and loads nothing again.
const STEADY: Bounds = Bounds {
    cancels: 0,
    loads: 0,
    ..FRAME.bounds
};

/// An offer in the currency of a card that is approved or declined.
const OFFERED: Setting = Setting {
    beside: &[Beside::Currency],
    cards: &[Card::Good, Card::Declined],
    ..FRAME
};

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
        ..STEADY
    };
    check(Setting { bounds, ..OFFERED }, 167_000);
}

#[test]
fn a_currency_offer_and_another_session() {
    let bounds = Bounds {
        offers: 2,
        renewals: 1,
        ..STEADY
    };
    check(Setting { bounds, ..OFFERED }, 201_000);
}

#[test]
fn a_currency_offer_under_two_tabs() {
    let tabs = 2;
    let bounds = Bounds {
        offers: 1,
        ..STEADY
    };
    check(
        Setting {
            tabs,
            bounds,
            ..OFFERED
        },
        497_000,
    );
}

#[test]
fn a_currency_offer_and_a_reload() {
    let bounds = Bounds {
        offers: 1,
        loads: 1,
        ..STEADY
    };
    check(Setting { bounds, ..OFFERED }, 41_100);
}

/// A saved card or a card that is typed, at once or in parts, with the consent that is needed.
#[test]
fn what_is_chosen_beside_the_card() {
    let bounds = Bounds {
        renewals: 1,
        ..STEADY
    };
    check(
        Setting {
            beside: &[Beside::SavedCard, Beside::Instalments, Beside::Consent],
            bounds,
            ..OFFERED
        },
        55_800,
    );
}
