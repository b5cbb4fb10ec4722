//! The settings of a terminal's rules against card testing.

use super::setting::{Setting, listed, one_of};
use payframe_payment_domain::card_testing::{CardTestingSettings, Switch};

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        name: "card_testing",
        accepts: || one_of(Switch::ALL.map(Switch::code)),
        put: |terminal, value| {
            let read = Switch::from_code(value);
            read.map(|read| terminal.card_testing.switch = read)
                .is_some()
        },
        shown: |terminal| terminal.card_testing.switch.code().to_owned(),
    },
    Setting {
        name: "card_testing_limits",
        accepts: || {
            let limits = CardTestingSettings::default().limits;
            format!("default, or limits such as {limits}; 0 is no limit")
        },
        put: |terminal, value| {
            let read = value.parse();
            read.map(|read| terminal.card_testing.limits = read).is_ok()
        },
        shown: |terminal| terminal.card_testing.limits.to_string(),
    },
    Setting {
        name: "allowed_ranges",
        accepts: || String::from(CARD_RANGES),
        put: |terminal, value| {
            let read = listed(value, |text| text.parse().ok());
            read.map(|read| terminal.card_testing.allowed_ranges = read)
                .is_some()
        },
        shown: |terminal| texts(&terminal.card_testing.allowed_ranges),
    },
    Setting {
        name: "blocked_ranges",
        accepts: || String::from(CARD_RANGES),
        put: |terminal, value| {
            let read = listed(value, |text| text.parse().ok());
            read.map(|read| terminal.card_testing.blocked_ranges = read)
                .is_some()
        },
        shown: |terminal| texts(&terminal.card_testing.blocked_ranges),
    },
    Setting {
        name: "allowed_addresses",
        accepts: || String::from(ADDRESSES),
        put: |terminal, value| {
            let read = listed(value, |text| text.parse().ok());
            read.map(|read| terminal.card_testing.allowed_addresses = read)
                .is_some()
        },
        shown: |terminal| texts(&terminal.card_testing.allowed_addresses),
    },
    Setting {
        name: "blocked_addresses",
        accepts: || String::from(ADDRESSES),
        put: |terminal, value| {
            let read = listed(value, |text| text.parse().ok());
            read.map(|read| terminal.card_testing.blocked_addresses = read)
                .is_some()
        },
        shown: |terminal| texts(&terminal.card_testing.blocked_addresses),
    },
];

fn texts<T: ToString>(values: &[T]) -> String {
    let texts: Vec<String> = values.iter().map(T::to_string).collect();
    texts.join(",")
}

const CARD_RANGES: &str =
    "beginnings of card numbers, of 4 to 10 digits, separated by commas, or none";

const ADDRESSES: &str = "addresses, or networks such as 192.0.2.0/24, separated by commas, or none";
