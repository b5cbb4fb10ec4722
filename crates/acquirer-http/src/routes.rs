//! Which of several acquirers gets a payment of a terminal: choices in order, each with conditions and with shares of the payments that it
//! takes.
//!
//! A share is decided by the order alone, so all attempts to pay an order are treated alike, by every process and after every restart.

use payframe_card_rules::network::Network;
use payframe_payment_ports::acquirers::{ChosenAcquirer, NewPayment};
use sha2::{Digest, Sha256};

/// The choices of a terminal, in order. The last one has no conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Routes(pub(crate) Vec<Choice>);

/// Where the payments go that fulfil some conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) conditions: Conditions,
    /// At least one. Their shares add up to [`WHOLE`].
    pub(crate) shares: Vec<Share>,
}

/// Which payments a choice takes. `None`: every value fits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Conditions {
    pub(crate) networks: Option<Vec<Network>>,
    /// ISO 4217 codes.
    pub(crate) currencies: Option<Vec<String>>,
    pub(crate) ranges: Option<Vec<CardRange>>,
}

/// Card numbers that begin alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CardRange {
    /// The lowest and the highest eight digits.
    pub(crate) first: u32,
    pub(crate) last: u32,
}

/// One acquirer of a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    pub(crate) percent: u8,
    pub(crate) acquirer: String,
    /// The acquirer that is asked if the first has surely not taken the payment.
    pub(crate) fallback: Option<String>,
}

impl Routes {
    /// One acquirer for every payment.
    pub(crate) fn to(acquirer: String, fallback: Option<String>) -> Routes {
        Routes(vec![Choice {
            conditions: Conditions::default(),
            shares: vec![Share {
                percent: WHOLE,
                acquirer,
                fallback,
            }],
        }])
    }

    /// The acquirer of a payment.
    pub(crate) fn choose(&self, payment: &NewPayment<'_>) -> Option<ChosenAcquirer<'_>> {
        let point = Point::of(payment);
        let mut choices = self.0.iter();
        let choice = choices.find(|choice| choice.conditions.take(&point))?;
        let share = choice.share_of(place_in_hundred(payment))?;
        Some(ChosenAcquirer {
            name: Some(&share.acquirer),
            fallback: share.fallback.as_deref(),
        })
    }

    /// The first choice that no payment reaches, because those before it take all of its payments.
    pub(crate) fn unreachable(&self) -> Option<usize> {
        (0..self.0.len()).find(|place| !self.is_reached(*place))
    }

    /// Whether a payment reaches this choice. Conditions change at few points only, so these points are tried.
    fn is_reached(&self, place: usize) -> bool {
        let Some((choice, before)) = self.0.get(..=place).and_then(<[Choice]>::split_last) else {
            return false;
        };
        let all = || self.0.iter().map(|choice| &choice.conditions);
        let currencies = all().filter_map(|conditions| conditions.currencies.as_deref());
        let mut currencies: Vec<&str> = currencies.flatten().map(String::as_str).collect();
        // One that no condition names.
        currencies.push("");
        let ranges = all().filter_map(|conditions| conditions.ranges.as_deref());
        let mut digits: Vec<u32> = ranges
            .flatten()
            .flat_map(|range| [range.first, range.last.saturating_add(1)])
            .filter(|digits| *digits <= LAST_DIGITS)
            .collect();
        digits.push(0);
        let points = Network::ALL.iter().flat_map(|network| {
            let digits = &digits;
            currencies.iter().flat_map(move |currency| {
                digits.iter().map(move |digits| Point {
                    network: Some(*network),
                    currency,
                    digits: Some(*digits),
                })
            })
        });
        points
            .filter(|point| choice.conditions.take(point))
            .any(|point| !before.iter().any(|one| one.conditions.take(&point)))
    }
}

impl Choice {
    /// The share that this place of a hundred belongs to.
    fn share_of(&self, place: u8) -> Option<&Share> {
        let mut end = 0;
        self.shares.iter().find(|share| {
            end += share.percent;
            place < end
        })
    }
}

impl Conditions {
    fn take(&self, point: &Point<'_>) -> bool {
        let networks = self.networks.as_ref();
        let is_network = networks.is_none_or(|networks| {
            let is_listed = |network| networks.contains(&network);
            point.network.is_some_and(is_listed)
        });
        let currencies = self.currencies.as_ref();
        let is_currency =
            currencies.is_none_or(|currencies| currencies.iter().any(|one| one == point.currency));
        let ranges = self.ranges.as_ref();
        let is_range = ranges.is_none_or(|ranges| {
            let is_in = |digits| ranges.iter().any(|range| range.contains(digits));
            point.digits.is_some_and(is_in)
        });
        is_network && is_currency && is_range
    }
}

impl CardRange {
    /// The numbers that begin with these digits, or lie between two such beginnings: `4`, or `510000-559999`.
    pub(crate) fn parse(text: &str) -> Option<CardRange> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let is_start = |text: &str| {
            (1..=DIGITS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !is_start(first) || first.len() != last.len() || !is_start(last) {
            return None;
        }
        let range = CardRange {
            first: format!("{first:0<DIGITS$}").parse().ok()?,
            last: format!("{last:9<DIGITS$}").parse().ok()?,
        };
        (range.first <= range.last).then_some(range)
    }

    fn contains(self, digits: u32) -> bool {
        (self.first..=self.last).contains(&digits)
    }
}

/// What conditions are about.
#[derive(Clone, Copy)]
struct Point<'a> {
    network: Option<Network>,
    currency: &'a str,
    /// The first eight digits of the card.
    digits: Option<u32>,
}

impl<'a> Point<'a> {
    fn of(payment: &NewPayment<'a>) -> Point<'a> {
        let first_digits = payment
            .card
            .and_then(|card| card.first_digits.get(..DIGITS));
        Point {
            network: payment.card.map(|card| card.network),
            currency: payment.currency,
            digits: first_digits.and_then(|digits| digits.parse().ok()),
        }
    }
}

/// A number from 0 to 99 that belongs to the order for ever, and is as good as random over all orders.
fn place_in_hundred(payment: &NewPayment<'_>) -> u8 {
    let name = format!("{} {}", payment.merchant_id, payment.order_id);
    let [a, b, c, d, e, f, g, h, ..] = <[u8; 32]>::from(Sha256::digest(name));
    let place = u64::from_be_bytes([a, b, c, d, e, f, g, h]) % u64::from(WHOLE);
    // The cast loses nothing: it is less than a hundred.
    place as u8
}

/// What shares add up to.
pub(crate) const WHOLE: u8 = 100;

/// How many digits of a card number a range may have.
const DIGITS: usize = 8;

/// The highest of them.
const LAST_DIGITS: u32 = 99_999_999;

#[cfg(test)]
mod tests {
    use super::*;
    use payframe_payment_ports::acquirers::NewPaymentCard;

    fn payment<'a>(order_id: &'a str, card: Option<NewPaymentCard<'a>>) -> NewPayment<'a> {
        NewPayment {
            terminal_id: "55000001",
            merchant_id: "blumen",
            order_id,
            currency: "EUR",
            card,
        }
    }

    const VISA: NewPaymentCard<'static> = NewPaymentCard {
        network: Network::Visa,
        first_digits: "47617300",
    };

    fn choice(conditions: Conditions, shares: &[(u8, &str)]) -> Choice {
        let share = |(percent, acquirer): &(u8, &str)| Share {
            percent: *percent,
            acquirer: (*acquirer).to_owned(),
            fallback: None,
        };
        Choice {
            conditions,
            shares: shares.iter().map(share).collect(),
        }
    }

    fn networks(networks: &[Network]) -> Conditions {
        Conditions {
            networks: Some(networks.to_vec()),
            ..Conditions::default()
        }
    }

    fn currencies(currencies: &[&str]) -> Conditions {
        let currencies = currencies.iter().map(|one| (*one).to_owned()).collect();
        Conditions {
            currencies: Some(currencies),
            ..Conditions::default()
        }
    }

    fn ranges(ranges: &[&str]) -> Conditions {
        let ranges = ranges.iter().map(|range| CardRange::parse(range).unwrap());
        Conditions {
            ranges: Some(ranges.collect()),
            ..Conditions::default()
        }
    }

    #[test]
    fn the_first_choice_whose_conditions_fit_takes_the_payment() {
        let check = |conditions: Conditions, card: Option<NewPaymentCard<'_>>, expected: &str| {
            let rest = choice(Conditions::default(), &[(100, "rest")]);
            let routes = Routes(vec![choice(conditions, &[(100, "first")]), rest]);
            let chosen = routes.choose(&payment("A1", card)).unwrap();
            assert_eq!(chosen.name, Some(expected), "{routes:?}");
        };
        check(networks(&[Network::Visa]), Some(VISA), "first");
        check(networks(&[Network::Mastercard]), Some(VISA), "rest");
        check(currencies(&["USD", "EUR"]), Some(VISA), "first");
        check(currencies(&["USD"]), Some(VISA), "rest");
        check(ranges(&["47"]), Some(VISA), "first");
        check(ranges(&["47617300"]), Some(VISA), "first");
        check(ranges(&["47617299", "47617301"]), Some(VISA), "rest");
        check(ranges(&["4000-4761"]), Some(VISA), "first");
        check(ranges(&["4000-4760"]), Some(VISA), "rest");
        let both = Conditions {
            currencies: Some(vec![String::from("USD")]),
            ..networks(&[Network::Visa])
        };
        check(both, Some(VISA), "rest");
        // An alternative method has neither a network nor digits.
        check(networks(&Network::ALL), None, "rest");
        check(ranges(&["0-9"]), None, "rest");
    }

    #[test]
    fn a_share_takes_about_its_part_and_the_same_orders_every_time() {
        let shares = [(70, "north"), (30, "south")];
        let routes = Routes(vec![choice(Conditions::default(), &shares)]);
        let north = |order: &str| {
            let order = payment(order, Some(VISA));
            routes.choose(&order).unwrap().name == Some("north")
        };
        let orders: Vec<String> = (0..2_000).map(|number| format!("order-{number}")).collect();
        let first: Vec<bool> = orders.iter().map(|order| north(order)).collect();
        let again: Vec<bool> = orders.iter().map(|order| north(order)).collect();
        assert_eq!(first, again);
        let count = first.iter().filter(|is_north| **is_north).count();
        assert!((1_330..=1_470).contains(&count), "{count}");
        // Written down, because it may not change with a release: payments would change their acquirer.
        let places = ["A1", "A2", "A3", "A4"].map(|order| place_in_hundred(&payment(order, None)));
        assert_eq!(places, PLACES);
    }

    /// SHA-256 of "blumen A1" and so on: the first eight bytes as a number, modulo 100.
    const PLACES: [u8; 4] = [36, 94, 83, 62];

    #[test]
    fn attempts_of_one_order_go_the_same_way_whatever_the_card() {
        let shares = [(50, "north"), (50, "south")];
        let routes = Routes(vec![choice(Conditions::default(), &shares)]);
        let other = NewPaymentCard {
            network: Network::Mastercard,
            first_digits: "51200000",
        };
        for order in ["A1", "A2", "A3", "A4", "A5"] {
            let [first, second] =
                [VISA, other].map(|card| routes.choose(&payment(order, Some(card))).unwrap().name);
            assert_eq!(first, second, "{order}");
        }
    }

    #[test]
    fn a_choice_is_unreachable_once_those_before_it_take_all_its_payments() {
        let check = |conditions: Vec<Conditions>, expected: Option<usize>| {
            let choices = conditions.into_iter();
            let routes = Routes(choices.map(|one| choice(one, &[(100, "one")])).collect());
            assert_eq!(routes.unreachable(), expected, "{routes:?}");
        };
        let rest = Conditions::default;
        let (visa, master) = (Network::Visa, Network::Mastercard);
        check(vec![rest()], None);
        check(vec![rest(), rest()], Some(1));
        check(vec![rest(), networks(&[visa])], Some(1));
        check(vec![networks(&[visa]), networks(&[visa, master])], None);
        check(vec![networks(&[visa, master]), networks(&[visa])], Some(1));
        // Together they take what neither takes alone.
        let both = networks(&[visa, master]);
        check(
            vec![networks(&[visa]), networks(&[master]), both.clone()],
            Some(2),
        );
        check(vec![networks(&Network::ALL), rest()], Some(1));
        check(vec![currencies(&["EUR"]), currencies(&["EUR"])], Some(1));
        check(vec![currencies(&["EUR"]), rest()], None);
        check(vec![currencies(&["EUR"]), both.clone(), rest()], None);
        let both_in_euro = Conditions {
            currencies: Some(vec![String::from("EUR")]),
            ..both
        };
        check(vec![currencies(&["EUR"]), both_in_euro], Some(1));
        check(vec![ranges(&["4"]), ranges(&["40-41"])], Some(1));
        check(vec![ranges(&["40-41"]), ranges(&["4"]), rest()], None);
        check(vec![ranges(&["0-4"]), ranges(&["5-9"]), rest()], Some(2));
        check(vec![ranges(&["0-4"]), ranges(&["5-8"]), rest()], None);
    }

    #[test]
    fn a_range_is_one_beginning_or_lies_between_two() {
        let check = |text: &str, expected: Option<(u32, u32)>| {
            let range = CardRange::parse(text).map(|range| (range.first, range.last));
            assert_eq!(range, expected, "{text}");
        };
        check("4", Some((40_000_000, 49_999_999)));
        check("00", Some((0, 999_999)));
        check("51-55", Some((51_000_000, 55_999_999)));
        check("12345678", Some((12_345_678, 12_345_678)));
        for text in [
            "",
            "-",
            "4-",
            "-4",
            "4-50",
            "55-51",
            "123456789",
            "4x",
            "+4",
            "4 ",
            "4-5-6",
            "٤",
        ] {
            check(text, None);
        }
    }
}
