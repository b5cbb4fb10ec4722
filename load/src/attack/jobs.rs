//! Who tries which card from where: the bots' patterns, and honest buyers among them.

use fastrand::Rng;

/// What the tries of a bot have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    Card,
    Address,
    Network,
    Range,
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
    Bot {
        number: String,
        address: String,
        proofs: Proofs,
    },
    /// An honest buyer, who mistypes at first and then sends a good card.
    Honest {
        mistyped: Vec<String>,
        number: &'static str,
        address: String,
    },
}

/// The bots.
pub(super) const BOTS: [(Pattern, Proofs); 6] = [
    (Pattern::Card, Proofs::None),
    (Pattern::Address, Proofs::None),
    (Pattern::Network, Proofs::None),
    (Pattern::Range, Proofs::None),
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
    let bot = (0..tries).map(|count| {
        let (number, address) = pattern.attempt(count, addresses);
        Job::Bot {
            number,
            address,
            proofs,
        }
    });
    let buyers: Vec<Job> = (0..honest).map(|count| buyer(count, random)).collect();
    let mut jobs: Vec<Job> = bot.chain(buyers).collect();
    random.shuffle(&mut jobs);
    jobs
}

/// Of eight honest buyers one mistypes, up to three times.
fn buyer(count: u32, random: &mut Rng) -> Job {
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
        number,
        address: format!(
            "10.{}.{}.{}",
            count / 62_500,
            count / 250 % 250,
            1 + count % 250
        ),
    }
}

impl Pattern {
    pub(super) fn label(self) -> &'static str {
        match self {
            Pattern::Card => "card",
            Pattern::Address => "address",
            Pattern::Network => "network of IPv6",
            Pattern::Range => "range as most honest buyers",
            Pattern::Nothing => "nothing",
        }
    }

    /// The number and the address of a try.
    fn attempt(self, count: u32, addresses: u32) -> (String, String) {
        let place = count % addresses.max(1);
        let any_address = format!("198.18.{}.{}", place / 250, 1 + place % 250);
        let any_number = || made_number(&format!("4{:05}", 10_000 + count % 70_000), count);
        match self {
            Pattern::Card => (made_number("401234", 1), any_address),
            Pattern::Address => (any_number(), String::from("203.0.113.9")),
            Pattern::Network => (any_number(), format!("2001:db8:1:2::{count:x}")),
            Pattern::Range => (made_number(RANGE, TEST_CARDS + count), any_address),
            Pattern::Nothing => (any_number(), any_address),
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
        let tries: Vec<(String, String)> = (0..50)
            .map(|count| {
                let (number, address) = Pattern::Nothing.attempt(count, 10);
                (number[..6].to_owned(), address)
            })
            .collect();
        let ranges: std::collections::HashSet<_> = tries.iter().map(|(range, _)| range).collect();
        let addresses: std::collections::HashSet<_> =
            tries.iter().map(|(_, address)| address).collect();
        assert_eq!((ranges.len(), addresses.len()), (50, 10));
    }

    #[test]
    fn a_bot_with_the_same_range_tries_no_test_card() {
        let (first, _) = Pattern::Range.attempt(0, 10);
        assert!(first.starts_with(RANGE), "{first}");
        assert!(!first.starts_with("476173000000"), "{first}");
    }
}
