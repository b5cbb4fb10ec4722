//! Who tries which card from where: the bots' patterns, and honest buyers among them.

use fastrand::Rng;

/// What the tries of a bot have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    Card,
    Address,
    Network,
    Range,
    /// Tries that are few among those of honest buyers, so that only this is conspicuous.
    Browser,
    Sum,
    /// Its tries are spread over the terminals of a merchant.
    Merchant,
    Nothing,
}

/// Whether a bot computes the proofs of work that are due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proofs {
    Computed,
    None,
}

/// Somebody who pays or tries to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Job {
    /// A try of the bot.
    Bot { this: Try, proofs: Proofs },
    /// An honest buyer, who mistypes at first and then sends a good card.
    Honest { mistyped: Vec<String>, good: Try },
}

/// One try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Try {
    pub(super) number: String,
    pub(super) address: String,
    pub(super) browser: String,
    pub(super) amount_minor: u32,
    /// The key of the terminal.
    pub(super) api_key: &'static str,
}

/// The bots.
pub(super) const BOTS: [(Pattern, Proofs); 9] = [
    (Pattern::Card, Proofs::None),
    (Pattern::Address, Proofs::None),
    (Pattern::Network, Proofs::None),
    (Pattern::Range, Proofs::None),
    (Pattern::Browser, Proofs::None),
    (Pattern::Sum, Proofs::None),
    (Pattern::Merchant, Proofs::None),
    (Pattern::Nothing, Proofs::None),
    (Pattern::Nothing, Proofs::Computed),
];

/// The tries of a bot with a pattern, mixed with honest buyers.
pub(super) fn jobs(
    (pattern, proofs): (Pattern, Proofs),
    tries: u32,
    addresses: u32,
    honest: u32,
    random: &mut Rng,
) -> Vec<Job> {
    // Many more buyers than tries of the bot, so that no terminal is under attack.
    let (tries, honest) = match pattern {
        Pattern::Browser | Pattern::Sum => (honest / 4, 3 * honest),
        _ => (tries, honest),
    };
    let bot = (0..tries).map(|count| Job::Bot {
        this: pattern.attempt(count, addresses),
        proofs,
    });
    let buyers: Vec<Job> = (0..honest)
        .map(|count| buyer(pattern, count, random))
        .collect();
    let mut jobs: Vec<Job> = bot.chain(buyers).collect();
    random.shuffle(&mut jobs);
    jobs
}

/// Of eight honest buyers one mistypes, up to three times.
fn buyer(pattern: Pattern, count: u32, random: &mut Rng) -> Job {
    let number = GOOD[random.usize(..GOOD.len())];
    let mistakes = if random.u32(..8) == 0 {
        random.u32(1..=3)
    } else {
        0
    };
    let range = &number[..6];
    Job::Honest {
        mistyped: (0..mistakes)
            .map(|mistake| made_number(range, 900_000_000 + 10 * count + mistake))
            .collect(),
        good: Try {
            number: number.to_owned(),
            address: format!(
                "10.{}.{}.{}",
                count / 62_500,
                count / 250 % 250,
                1 + count % 250
            ),
            browser: browser(random.u32(..12)),
            amount_minor: PRICES[random.usize(..PRICES.len())],
            api_key: pattern.key(count),
        },
    }
}

/// What the browsers of a kind call themselves.
fn browser(kind: u32) -> String {
    format!("Browser/{kind}")
}

impl Pattern {
    pub(super) fn label(self) -> &'static str {
        match self {
            Pattern::Card => "card",
            Pattern::Address => "address",
            Pattern::Network => "network of IPv6",
            Pattern::Range => "range as most honest buyers",
            Pattern::Browser => "kind of browser, few",
            Pattern::Sum => "sum, few",
            Pattern::Merchant => "merchant, four terminals",
            Pattern::Nothing => "nothing",
        }
    }

    fn attempt(self, count: u32, addresses: u32) -> Try {
        let place = count % addresses.max(1);
        let mut this = Try {
            number: made_number(&format!("4{:05}", 10_000 + count % 70_000), count),
            address: format!("198.18.{}.{}", place / 250, 1 + place % 250),
            browser: browser(100 + count),
            amount_minor: 100 + count,
            api_key: self.key(count),
        };
        match self {
            Pattern::Card => this.number = made_number("401234", 1),
            Pattern::Address => this.address = String::from("203.0.113.9"),
            Pattern::Network => this.address = format!("2001:db8:1:2::{count:x}"),
            Pattern::Range => this.number = made_number(RANGE, TEST_CARDS + count),
            // No honest buyer has it: where many do, their approvals hide the bot.
            Pattern::Browser => this.browser = browser(99),
            Pattern::Sum => this.amount_minor = 100,
            Pattern::Merchant | Pattern::Nothing => {}
        }
        this
    }

    /// The terminal at which somebody pays.
    fn key(self, count: u32) -> &'static str {
        match self {
            Pattern::Merchant => KEYS[count as usize % KEYS.len()],
            _ => KEYS[0],
        }
    }
}

/// A number of sixteen digits that begins so, with its check digit.
fn made_number(first_digits: &str, count: u32) -> String {
    let digits = format!("{first_digits}{count:09}");
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(
            |(place, digit)| match (u32::from(digit - b'0'), place % 2) {
                (digit, 0) if digit > 4 => 2 * digit - 9,
                (digit, 0) => 2 * digit,
                (digit, _) => digit,
            },
        )
        .sum();
    format!("{digits}{}", (10 - sum % 10) % 10)
}

/// The range of most honest buyers.
const RANGE: &str = "476173";

/// The first numbers of the range are the sandbox's test cards. Each does what it is for: one never ends its device check, for example.
const TEST_CARDS: u32 = 1_000;

/// What the goods cost, in euro cents.
const PRICES: [u32; 8] = [199, 499, 999, 1_299, 2_450, 3_545, 7_900, 12_900];

/// Terminals of one merchant of the sandbox.
const KEYS: [&str; 4] = [
    "sandbox-implicit",
    "sandbox-no-token",
    "sandbox-bin8",
    "sandbox-cards-only",
];

/// Test cards that the sandbox approves.
const GOOD: [&str; 5] = [
    "4761730000000003",
    "4761735000000002",
    "5413330000000001",
    "5413335000000000",
    "4111111111111111",
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn made_numbers_have_a_check_digit_and_differ() {
        assert_eq!(made_number("411111", 111_111_111), "4111111111111111");
        assert_ne!(made_number("401234", 1), made_number("401234", 2));
    }

    #[test]
    fn a_seed_repeats_the_jobs_and_each_pattern_keeps_one_thing() {
        let bot = (Pattern::Range, Proofs::None);
        let made = || jobs(bot, 50, 10, 20, &mut Rng::with_seed(7));
        assert_eq!(made(), made());
        assert_eq!(made().len(), 70);
        let differing = |pattern: Pattern| {
            let tries: Vec<Try> = (0..50).map(|count| pattern.attempt(count, 10)).collect();
            let count = |of: fn(&Try) -> String| tries.iter().map(of).collect::<HashSet<_>>().len();
            [
                count(|this| this.number[..6].to_owned()),
                count(|this| this.address.clone()),
                count(|this| this.browser.clone()),
                count(|this| this.amount_minor.to_string()),
                count(|this| this.api_key.to_owned()),
            ]
        };
        assert_eq!(differing(Pattern::Nothing), [50, 10, 50, 50, 1]);
        assert_eq!(differing(Pattern::Address), [50, 1, 50, 50, 1]);
        assert_eq!(differing(Pattern::Range), [1, 10, 50, 50, 1]);
        assert_eq!(differing(Pattern::Browser), [50, 10, 1, 50, 1]);
        assert_eq!(differing(Pattern::Sum), [50, 10, 50, 1, 1]);
        assert_eq!(differing(Pattern::Merchant), [50, 10, 50, 50, 4]);
    }

    #[test]
    fn a_bot_that_hides_among_buyers_makes_few_tries() {
        let bot = (Pattern::Sum, Proofs::None);
        let jobs = jobs(bot, 500, 10, 100, &mut Rng::with_seed(7));
        let tries = jobs.iter().filter(|job| matches!(job, Job::Bot { .. }));
        assert_eq!((tries.count(), jobs.len()), (25, 325));
    }

    #[test]
    fn a_bot_with_the_same_range_tries_no_test_card() {
        let first = Pattern::Range.attempt(0, 10).number;
        assert!(first.starts_with(RANGE), "{first}");
        assert!(!first.starts_with("476173000000"), "{first}");
    }
}
