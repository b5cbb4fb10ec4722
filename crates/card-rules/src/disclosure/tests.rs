//! The page as a listener that remembers everything: for any two numbers it receives the same messages.

use super::*;
use crate::card_number::{CardNumber, passes_luhn};
use crate::entry::{Entry, type_card_number};
use proptest::prelude::*;

/// Networks of the sessions under test: the global networks, these with companions, and all networks.
fn sessions() -> [NetworkSet; 3] {
    let world = [
        "VISA", "MC", "AMEX", "DINERS", "DISCOVER", "JCB", "UNIONPAY", "MAESTRO",
    ];
    let beside = [
        "VISA",
        "MC",
        "MAESTRO",
        "CARTES_BANCAIRES",
        "BANCONTACT",
        "DANKORT",
    ];
    [
        NetworkSet::from_codes(world),
        NetworkSet::from_codes(beside),
        NetworkSet::all(),
    ]
}

/// What one message tells about the number.
#[derive(Clone, PartialEq, Eq)]
struct Heard {
    empty: bool,
    complete: bool,
    fault: Option<&'static str>,
    network: Option<Network>,
    candidates: NetworkSet,
    /// First six and last four digits.
    digits: Option<(String, String)>,
}

impl std::fmt::Debug for Heard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let brand = self.network.map(Network::code);
        write!(
            f,
            "{}{} {:?} {brand:?} {}",
            self.empty,
            self.complete,
            self.fault,
            self.candidates.len()
        )
    }
}

/// A buyer at the number's field, and a page that notes every message.
struct Form {
    accepted: NetworkSet,
    entry: Entry,
    disclosure: Disclosure,
    heard: Vec<Heard>,
}

impl Form {
    fn open(accepted: NetworkSet) -> Self {
        Self {
            accepted,
            entry: Entry::default(),
            disclosure: Disclosure::new(accepted),
            heard: Vec::new(),
        }
    }

    fn digits(&self) -> String {
        self.entry.text.replace(' ', "")
    }

    fn verdict(&self) -> Result<CardNumber, &'static str> {
        CardNumber::parse(&self.entry.text, self.accepted).map_err(|problem| problem.code())
    }

    /// What the field shows becomes `raw`, the caret behind it.
    fn put(&mut self, raw: &str) {
        let had = self.digits().len();
        let typed = type_card_number(&self.entry, raw, raw.len());
        self.entry = Entry {
            start: typed.text.len(),
            end: typed.text.len(),
            text: typed.text,
        };
        let digits = self.digits();
        self.disclosure
            .edited(&digits, DigitInput::of(had, digits.len()));
        self.tell();
    }

    fn type_keys(&mut self, keys: &str) {
        for key in keys.chars() {
            let raw = format!("{}{key}", self.entry.text);
            self.put(&raw);
        }
    }

    fn delete(&mut self, count: usize) {
        for _ in 0..count {
            let mut raw = self.entry.text.clone();
            raw.pop();
            self.put(&raw);
        }
    }

    fn leave(&mut self) {
        let shown = self.disclosure.record_verdict(&self.digits());
        if shown && self.verdict().is_ok() {
            self.disclosure.left_good();
        }
        self.tell();
    }

    fn send(&mut self) {
        self.disclosure.record_verdict(&self.digits());
        self.disclosure.sent();
        self.tell();
    }

    fn tell(&mut self) {
        let verdict = self.verdict();
        let good = verdict.as_ref().ok();
        let told = Heard {
            empty: self.entry.text.is_empty(),
            complete: good.is_some() && self.disclosure.tells_good(),
            fault: verdict
                .as_ref()
                .err()
                .copied()
                .filter(|_| self.disclosure.tells_fault() && !self.entry.text.is_empty()),
            network: self.disclosure.network(),
            candidates: self.disclosure.candidates(),
            digits: good
                .filter(|_| self.disclosure.tells_digits())
                .map(|number| (number.bin(6).to_owned(), number.last4().to_owned())),
        };
        if self.heard.last() != Some(&told) {
            self.heard.push(told);
        }
    }

    /// All that was told beside first and last digits.
    fn states(&self) -> Vec<Heard> {
        let mut heard = self.heard.clone();
        heard.iter_mut().for_each(|heard| heard.digits = None);
        heard.dedup();
        heard
    }

    /// All first and last digits that were told, each once.
    fn digits_told(&self) -> Vec<(String, String)> {
        let mut told: Vec<_> = self
            .heard
            .iter()
            .filter_map(|heard| heard.digits.clone())
            .collect();
        told.dedup();
        told
    }
}

/// As `text`, with the check digit that fits, if that is still a number of this network.
fn with_check_digit(mut text: Vec<u8>, place: usize, network: Network) -> Option<String> {
    let fits = |text: &[u8]| {
        let digits = String::from_utf8_lossy(text).into_owned();
        let good = !network.has_check_digit() || passes_luhn(&digits);
        (good && network_of(&digits) == Some(network)).then_some(digits)
    };
    (b'0'..=b'9').find_map(|digit| {
        text[place] = digit;
        fits(&text)
    })
}

/// Two numbers of one network and one length, whose first six and last four digits are the same where `alike`.
fn two_numbers(alike: bool) -> impl Strategy<Value = (NetworkSet, String, String)> {
    let seeds = (
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
    );
    let digits = || prop::collection::vec(b'0'..=b'9', 19);
    (
        0_usize..3,
        seeds,
        any::<prop::sample::Index>(),
        digits(),
        digits(),
        any::<[u32; 2]>(),
    )
        .prop_filter_map(
            "no such numbers",
            move |(session, (one, other, length), of, first, second, within)| {
                let accepted = sessions()[session];
                let networks: Vec<Network> = ranges()
                    .map(|(_, _, network)| network)
                    .filter(|network| accepted.contains(*network))
                    .collect();
                let network = *of.get(&networks);
                let places: Vec<(u32, u32)> = ranges()
                    .filter(|(_, _, of)| *of == network)
                    .map(|(from, to, _)| (from, to))
                    .collect();
                let lengths: Vec<u8> = network.lengths().collect();
                let length = usize::from(*length.get(&lengths));
                let make = |digits: &[u8], place: &(u32, u32), within: u32| {
                    let start = place.0 + within % (place.1 - place.0 + 1);
                    let mut text = format!("{start:08}").into_bytes();
                    text.extend(&digits[8..length]);
                    text
                };
                let first = make(&first, one.get(&places), within[0]);
                let mut second = make(&second, other.get(&places), within[1]);
                let first = with_check_digit(first, length - 1, network)?;
                if alike {
                    second[..6].copy_from_slice(&first.as_bytes()[..6]);
                    second[length - 4..].copy_from_slice(&first.as_bytes()[length - 4..]);
                }
                let place = if alike { length - 5 } else { length - 1 };
                let second = with_check_digit(second, place, network)?;
                Some((accepted, first, second))
            },
        )
}

/// What the page is told about a number that is entered in this way and then sent.
fn heard(accepted: NetworkSet, number: &str, way: &[u8]) -> Form {
    let mut form = Form::open(accepted);
    let mut typed = 0;
    for step in way {
        match step {
            // On by some digits, or back.
            0..=5 => {
                let until = (typed + usize::from(*step) + 1).min(number.len());
                form.type_keys(&number[typed..until]);
                typed = until;
            }
            6 | 7 => {
                let back = typed.min(usize::from(*step) - 4);
                form.delete(back);
                typed -= back;
            }
            // By a paste over all that there is.
            _ => {
                form.entry.start = 0;
                form.put(number);
                typed = number.len();
            }
        }
    }
    form.type_keys(&number[typed..]);
    form.leave();
    form.send();
    form
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// N7: without digits that the session allows, the page hears the same of any two numbers of a network.
    #[test]
    fn a_page_that_may_hear_no_digits_hears_the_network_and_the_length_at_most(
        (accepted, one, other) in two_numbers(false),
        way in prop::collection::vec(0_u8..=8, 0..8),
    ) {
        let states = |number: &str| heard(accepted, number, &way).states();
        prop_assert_eq!(states(&one), states(&other));
    }

    /// N7: with all digits that a session can allow, it hears the same of two numbers that have those in common.
    #[test]
    fn a_page_that_may_hear_first_and_last_digits_hears_no_others(
        (accepted, one, other) in two_numbers(true),
        way in prop::collection::vec(0_u8..=8, 0..8),
    ) {
        let [one_form, other_form] = [&one, &other].map(|number| heard(accepted, number, &way));
        prop_assert_eq!(&one_form.heard, &other_form.heard);
        prop_assert_eq!(one_form.digits_told(), [(one[..6].to_owned(), one[one.len() - 4..].to_owned())]);
    }

    /// A page can take the focus away after every key. It gets one set of digits, and verdicts of two lengths.
    #[test]
    fn a_page_that_takes_the_focus_at_every_key_gets_little_for_it((accepted, number, _) in two_numbers(false)) {
        let mut form = Form::open(accepted);
        for key in number.chars() {
            form.type_keys(&key.to_string());
            form.leave();
        }
        form.send();
        prop_assert!(form.digits_told().len() <= 1);
        let judged = |heard: &&Heard| heard.complete || heard.fault == Some("card_number_check_digit");
        // Each verdict is taken back by the next key; the last one is that of the whole number.
        let states = form.states();
        prop_assert!(states.iter().filter(judged).count() <= 3, "{states:?}");
    }
}

fn visa() -> NetworkSet {
    NetworkSet::of(Network::Visa)
}

/// Every tenth number also passes the check at a shorter length of its network; this one does at 13 digits.
#[test]
fn number_that_is_good_at_several_lengths_is_told_once() {
    let number = "4000000000006000000";
    let mut form = Form::open(visa());
    form.type_keys("4000000000006");
    assert!(form.verdict().is_ok(), "good at 13 digits");
    form.type_keys("000");
    form.type_keys("000");
    assert!(form.verdict().is_ok(), "and at 19");
    assert_eq!(form.digits(), number);
    assert!(form.heard.iter().all(|heard| heard.digits.is_none()));
    let complete = form.heard.iter().filter(|heard| heard.complete).count();
    assert!(complete <= 1, "{:?}", form.heard);
    form.leave();
    assert!(form.digits_told().len() <= 1);
}

/// A number that was left, told and edited is not told again, and a payment with it tells nothing.
#[test]
fn edited_number_is_told_no_more() {
    let mut form = Form::open(visa());
    form.type_keys("4761730000000003");
    form.leave();
    assert_eq!(form.digits_told(), [("476173".into(), "0003".into())]);
    form.delete(1);
    assert!(!form.disclosure.tells_digits());
    form.type_keys("3");
    form.leave();
    form.send();
    assert!(!form.disclosure.tells_digits());
}

/// Another card after a refusal is told with the result of its payment, and not before.
#[test]
fn card_that_is_entered_anew_is_told_when_it_is_sent() {
    let mut form = Form::open(visa());
    form.type_keys("4761730000000003");
    form.leave();
    form.send();
    form.delete(16);
    form.type_keys("4012888888881881");
    form.leave();
    assert!(!form.disclosure.tells_digits());
    form.send();
    assert!(form.disclosure.tells_digits());
}

/// What a browser or a paste brings is no half-typed number.
#[test]
fn number_that_came_at_once_is_complete_at_once() {
    let mut form = Form::open(visa());
    form.put("4761730000000003");
    assert!(form.heard.last().is_some_and(|heard| heard.complete));
    // Behind the first digits, too, where browsers offer what they know.
    let mut form = Form::open(visa());
    form.type_keys("4761");
    form.put("4761730000000003");
    assert!(form.heard.last().is_some_and(|heard| heard.complete));
    form.delete(1);
    form.type_keys("3");
    assert!(
        form.heard.last().is_some_and(|heard| !heard.complete),
        "typed since"
    );
    form.leave();
    assert!(form.heard.last().is_some_and(|heard| heard.complete));
}

/// B1: first digits fit several brands: every network of the session counts as possible until the last of them is told apart.
#[test]
fn networks_are_told_at_one_length_for_all() {
    let [world, beside, all] = sessions();
    let certain = [world, beside, all, visa(), NetworkSet::empty()].map(certain_from);
    assert_eq!(certain, [2, 4, 6, 1, 1]);
    let mut form = Form::open(world);
    form.type_keys("5");
    assert_eq!(form.disclosure.candidates(), candidates_among("", world));
    form.type_keys("4");
    assert_eq!(form.disclosure.network(), Some(Network::Mastercard));
    assert_eq!(
        form.disclosure.candidates(),
        NetworkSet::of(Network::Mastercard)
    );
}
