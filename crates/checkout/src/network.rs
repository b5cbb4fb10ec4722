//! Card networks: who issued a number, which lengths it may have, how it is grouped, what its security code is.
//!
//! The source is table 10.5 of the gateway's contract. First digits decide; what a single issuer's range adds (a second
//! network on a co-badged card, for example) is known to the gateway alone and asked there.

/// A card network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Network {
    /// `VISA`
    Visa,
    /// `MC`
    Mastercard,
    /// `AMEX`
    Amex,
    /// `DINERS`
    Diners,
    /// `DISCOVER`
    Discover,
    /// `JCB`
    Jcb,
    /// `UNIONPAY`
    UnionPay,
    /// `MAESTRO`
    Maestro,
    /// `CARTES_BANCAIRES`: has no range of its own, only stands beside `VISA` or `MC`.
    CartesBancaires,
    /// `BANCONTACT`: has no range of its own, only stands beside `MAESTRO`.
    Bancontact,
}

/// Whether a card's security code is asked for. Ordered: the greater one is the stricter one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SecurityCodePolicy {
    /// The card has none; what was typed is dropped.
    None,
    /// May be left empty.
    Optional,
    /// Must be given.
    Required,
}

impl Network {
    /// Every network, in the order of the contract's table.
    pub const ALL: [Self; 10] = [
        Self::Visa,
        Self::Mastercard,
        Self::Amex,
        Self::Diners,
        Self::Discover,
        Self::Jcb,
        Self::UnionPay,
        Self::Maestro,
        Self::CartesBancaires,
        Self::Bancontact,
    ];

    /// The code on the wire.
    #[must_use]
    pub fn code(self) -> &'static str {
        FACTS[self as usize].code
    }

    /// The network of a code on the wire; upper case only.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|network| network.code() == code)
    }

    /// What a buyer reads. Names of networks are not translated.
    #[must_use]
    pub fn name(self) -> &'static str {
        FACTS[self as usize].name
    }

    /// How many digits its numbers may have.
    #[must_use]
    pub fn lengths(self) -> LengthSet {
        LengthSet(FACTS[self as usize].lengths)
    }

    /// How many digits its security code has: 3 or 4.
    #[must_use]
    pub fn security_code_length(self) -> u8 {
        if matches!(self, Self::Amex) { 4 } else { 3 }
    }

    /// Whether its security code is asked for.
    ///
    /// A co-badged card takes the stricter policy of its two networks (their maximum) until the buyer chooses one.
    #[must_use]
    pub fn security_code_policy(self) -> SecurityCodePolicy {
        match self {
            Self::UnionPay | Self::Maestro => SecurityCodePolicy::Optional,
            Self::Bancontact => SecurityCodePolicy::None,
            _ => SecurityCodePolicy::Required,
        }
    }

    /// The networks that may stand beside this one on a co-badged card and have no range of their own.
    #[must_use]
    pub fn companions(self) -> NetworkSet {
        match self {
            Self::Visa | Self::Mastercard => NetworkSet::of(Self::CartesBancaires),
            Self::Maestro => NetworkSet::of(Self::Bancontact),
            _ => NetworkSet::empty(),
        }
    }
}

/// The lengths that a network's numbers may have, shortest first. Iterating takes them out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LengthSet(u32);

impl LengthSet {
    /// Whether a number may have this many digits.
    #[must_use]
    pub fn contains(&self, length: usize) -> bool {
        length < 32 && self.0 >> length & 1 == 1
    }

    /// The shortest length.
    #[must_use]
    pub fn shortest(&self) -> u8 {
        self.0.trailing_zeros() as u8
    }

    /// The longest length.
    #[must_use]
    pub fn longest(&self) -> u8 {
        (31 - self.0.leading_zeros()) as u8
    }
}

impl Iterator for LengthSet {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let length = self.shortest();
        self.0 &= self.0 - 1;
        Some(length)
    }
}

/// A set of networks, in the order of [`Network::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct NetworkSet(u16);

impl NetworkSet {
    /// Every network.
    #[must_use]
    pub fn all() -> Self {
        Self((1 << Network::ALL.len()) - 1)
    }

    /// No network.
    #[must_use]
    pub fn empty() -> Self {
        Self(0)
    }

    /// This one network.
    #[must_use]
    pub fn of(network: Network) -> Self {
        Self(1 << network as u16)
    }

    /// The networks of these codes on the wire; codes that are not known are left out.
    pub fn from_codes<'a>(codes: impl IntoIterator<Item = &'a str>) -> Self {
        let mut set = Self::empty();
        for network in codes.into_iter().filter_map(Network::from_code) {
            set.insert(network);
        }
        set
    }

    /// Adds a network.
    pub fn insert(&mut self, network: Network) {
        self.0 |= Self::of(network).0;
    }

    /// Whether the network is in the set.
    #[must_use]
    pub fn contains(self, network: Network) -> bool {
        self.0 & Self::of(network).0 != 0
    }

    /// The networks that are in both sets.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The networks, in the order of [`Network::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Network> {
        Network::ALL
            .into_iter()
            .filter(move |network| self.contains(*network))
    }

    /// How many networks there are.
    #[must_use]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<Network> for NetworkSet {
    fn from_iter<T: IntoIterator<Item = Network>>(networks: T) -> Self {
        let mut set = Self::empty();
        for network in networks {
            set.insert(network);
        }
        set
    }
}

/// The networks whose ranges are still possible for a number that begins with `digits` (plain digits).
///
/// Empty text: every network that has ranges of its own. No network: an empty set.
#[must_use]
pub fn candidates(digits: &str) -> NetworkSet {
    let (mut low, mut width) = (0, 10_000);
    for digit in digits.bytes().take_while(u8::is_ascii_digit).take(4) {
        width /= 10;
        low += u16::from(digit - b'0') * width;
    }
    let high = low + (width - 1);
    RANGES
        .iter()
        .filter(|range| range.0 <= high && low <= range.1)
        .map(|range| range.2)
        .collect()
}

/// The one network that fits `digits` (plain digits); `None` while several fit, or none does.
#[must_use]
pub fn network_of(digits: &str) -> Option<Network> {
    let fitting = candidates(digits);
    if fitting.len() == 1 {
        fitting.iter().next()
    } else {
        None
    }
}

/// The digit counts after which a gap stands, for a number of `digit_count` digits.
///
/// 4-4-4-4-3 for most; 4-6-5 for `AMEX`; 4-6-4 and 4-6-5 for `DINERS` of up to 15 digits.
#[must_use]
pub fn gaps(network: Option<Network>, digit_count: usize) -> &'static [u8] {
    match network {
        Some(Network::Amex) => &[4, 10],
        Some(Network::Diners) if digit_count < 16 => &[4, 10],
        _ => &[4, 8, 12, 16],
    }
}

/// The longest length that any network fitting `digits` allows; [`LONGEST`] where none fits.
#[must_use]
pub fn max_length(digits: &str) -> u8 {
    candidates(digits)
        .iter()
        .map(|network| network.lengths().longest())
        .max()
        .unwrap_or(LONGEST)
}

/// Whether no further digit can come: one network fits, and its longest length is reached. For moving on by itself.
#[must_use]
pub fn is_certainly_full(digits: &str) -> bool {
    network_of(digits)
        .is_some_and(|network| digits.len() == usize::from(network.lengths().longest()))
}

/// The shortest length that any card number has.
pub const SHORTEST: u8 = 13;

/// The longest length that any card number has (ISO/IEC 7812).
pub const LONGEST: u8 = 19;

struct Facts {
    code: &'static str,
    name: &'static str,
    /// Bit n is set where numbers may have n digits.
    lengths: u32,
}

const fn facts(code: &'static str, name: &'static str, lengths: u32) -> Facts {
    Facts {
        code,
        name,
        lengths,
    }
}

const fn from_to(shortest: u32, longest: u32) -> u32 {
    (1 << (longest + 1)) - (1 << shortest)
}

/// In the order of [`Network::ALL`].
const FACTS: [Facts; 10] = [
    facts("VISA", "Visa", 1 << 13 | 1 << 16 | 1 << 19),
    facts("MC", "Mastercard", 1 << 16),
    facts("AMEX", "American Express", 1 << 15),
    facts("DINERS", "Diners Club", from_to(14, 19)),
    facts("DISCOVER", "Discover", from_to(16, 19)),
    facts("JCB", "JCB", from_to(16, 19)),
    facts("UNIONPAY", "UnionPay", from_to(16, 19)),
    facts("MAESTRO", "Maestro", from_to(13, 19)),
    facts("CARTES_BANCAIRES", "Cartes Bancaires", 1 << 16),
    facts("BANCONTACT", "Bancontact", from_to(16, 19)),
];

/// First digits, widened to four, from and to. No two ranges overlap (a test says so), so the contract's rule that the
/// longest prefix counts has nothing to decide.
const RANGES: &[(u16, u16, Network)] = &[
    (2221, 2720, Network::Mastercard),
    (3000, 3059, Network::Diners),
    (3095, 3095, Network::Diners),
    (3400, 3499, Network::Amex),
    (3528, 3589, Network::Jcb),
    (3600, 3699, Network::Diners),
    (3700, 3799, Network::Amex),
    (3800, 3999, Network::Diners),
    (4000, 4999, Network::Visa),
    (5000, 5099, Network::Maestro),
    (5100, 5599, Network::Mastercard),
    (5600, 5899, Network::Maestro),
    (6011, 6011, Network::Discover),
    (6200, 6299, Network::UnionPay),
    (6304, 6304, Network::Maestro),
    (6440, 6599, Network::Discover),
    (6700, 6799, Network::Maestro),
    (8100, 8199, Network::UnionPay),
];

#[cfg(test)]
mod tests {
    use super::*;

    type FirstDigits = &'static [(u32, u32)];

    /// Table 10.5 as it is written there: code, first digits from and to, lengths.
    const CONTRACT: &[(&str, FirstDigits, &[u8])] = &[
        ("VISA", &[(4, 4)], &[13, 16, 19]),
        ("MC", &[(51, 55), (2221, 2720)], &[16]),
        ("AMEX", &[(34, 34), (37, 37)], &[15]),
        (
            "DINERS",
            &[(300, 305), (3095, 3095), (36, 36), (38, 38), (39, 39)],
            &[14, 15, 16, 17, 18, 19],
        ),
        (
            "DISCOVER",
            &[(6011, 6011), (644, 649), (65, 65)],
            &[16, 17, 18, 19],
        ),
        ("JCB", &[(3528, 3589)], &[16, 17, 18, 19]),
        ("UNIONPAY", &[(62, 62), (81, 81)], &[16, 17, 18, 19]),
        (
            "MAESTRO",
            &[(50, 50), (56, 58), (6304, 6304), (67, 67)],
            &[13, 14, 15, 16, 17, 18, 19],
        ),
        ("CARTES_BANCAIRES", &[], &[16]),
        ("BANCONTACT", &[], &[16, 17, 18, 19]),
    ];

    fn prefixes() -> Vec<(String, Network)> {
        let mut all = Vec::new();
        for (code, ranges, _) in CONTRACT {
            for (from, to) in *ranges {
                for prefix in *from..=*to {
                    all.push((prefix.to_string(), Network::from_code(code).unwrap()));
                }
            }
        }
        all
    }

    /// Every beginning of up to five digits, so both edges of every range, and what lies just outside of them.
    #[test]
    fn every_beginning_has_the_candidates_of_the_contract() {
        let prefixes = prefixes();
        for length in 0..=5_usize {
            for number in 0..10_u32.pow(length as u32) {
                let digits = if length == 0 {
                    String::new()
                } else {
                    format!("{number:0length$}")
                };
                let expected: NetworkSet = prefixes
                    .iter()
                    .filter(|(prefix, _)| {
                        digits.starts_with(prefix.as_str()) || prefix.starts_with(&digits)
                    })
                    .map(|(_, network)| *network)
                    .collect();
                assert_eq!(candidates(&digits), expected, "{digits}");
                let only = (expected.len() == 1).then(|| expected.iter().next().unwrap());
                assert_eq!(network_of(&digits), only, "{digits}");
            }
        }
    }

    #[test]
    fn no_two_ranges_overlap() {
        assert!(RANGES.windows(2).all(|pair| pair[0].1 < pair[1].0));
        assert!(RANGES.iter().all(|range| range.0 <= range.1));
    }

    #[test]
    fn edges_of_the_ranges() {
        let check = |digits: &str, expected: &str| {
            let names: Vec<_> = candidates(digits).iter().map(Network::code).collect();
            assert_eq!(names.join(" "), expected, "{digits}");
        };
        check("", "VISA MC AMEX DINERS DISCOVER JCB UNIONPAY MAESTRO");
        check("2", "MC");
        check("222", "MC");
        check("2220", "");
        check("2221", "MC");
        check("2720", "MC");
        check("2721", "");
        check("3", "AMEX DINERS JCB");
        check("30", "DINERS");
        check("305", "DINERS");
        check("306", "");
        check("309", "DINERS");
        check("3094", "");
        check("3095", "DINERS");
        check("3096", "");
        check("35", "JCB");
        check("3527", "");
        check("3528", "JCB");
        check("3589", "JCB");
        check("3590", "");
        check("5", "MC MAESTRO");
        check("50", "MAESTRO");
        check("51", "MC");
        check("55", "MC");
        check("56", "MAESTRO");
        check("58", "MAESTRO");
        check("59", "");
        check("6", "DISCOVER UNIONPAY MAESTRO");
        check("63", "MAESTRO");
        check("6303", "");
        check("6304", "MAESTRO");
        check("64", "DISCOVER");
        check("643", "");
        check("644", "DISCOVER");
        check("7", "");
        check("80", "");
        check("82", "");
    }

    #[test]
    fn what_follows_the_fourth_digit_changes_nothing() {
        for tail in ["", "0", "999999999999999", " and more"] {
            assert_eq!(network_of(&format!("3528{tail}")), Some(Network::Jcb));
            assert_eq!(network_of(&format!("3527{tail}")), None);
        }
    }

    #[test]
    fn text_that_is_not_digits_fits_everything_and_does_no_harm() {
        assert_eq!(candidates("x4"), candidates(""));
        assert_eq!(candidates("4\u{661}"), candidates("4"));
        assert!(!is_certainly_full("five hundred and x"));
    }

    #[test]
    fn lengths_are_those_of_the_contract() {
        for (code, _, lengths) in CONTRACT {
            let network = Network::from_code(code).unwrap();
            assert_eq!(network.lengths().collect::<Vec<_>>(), *lengths, "{code}");
            for length in 0..40 {
                assert_eq!(
                    network.lengths().contains(length),
                    lengths.contains(&(length as u8)),
                    "{code} {length}"
                );
            }
            assert_eq!(network.lengths().shortest(), lengths[0]);
            assert_eq!(Some(&network.lengths().longest()), lengths.last());
            assert!(
                network
                    .lengths()
                    .all(|length| (SHORTEST..=LONGEST).contains(&length))
            );
        }
        assert_eq!(CONTRACT.len(), Network::ALL.len());
    }

    #[test]
    fn security_codes_are_those_of_the_contract() {
        use SecurityCodePolicy as Policy;
        for network in Network::ALL {
            let (length, policy) = match network.code() {
                "AMEX" => (4, Policy::Required),
                "UNIONPAY" | "MAESTRO" => (3, Policy::Optional),
                "BANCONTACT" => (3, Policy::None),
                _ => (3, Policy::Required),
            };
            assert_eq!(
                (
                    network.security_code_length(),
                    network.security_code_policy()
                ),
                (length, policy),
                "{network:?}"
            );
        }
        assert_eq!(
            Policy::Optional.max(Policy::None),
            Policy::Optional,
            "the stricter of two is the greater"
        );
        assert_eq!(Policy::Optional.max(Policy::Required), Policy::Required);
    }

    #[test]
    fn codes_lead_back_to_their_network() {
        for network in Network::ALL {
            assert_eq!(Network::from_code(network.code()), Some(network));
            assert_eq!(network.code(), CONTRACT[network as usize].0);
            assert!(!network.name().is_empty());
        }
        for code in ["", "visa", "Visa", "VISA ", "MASTERCARD"] {
            assert_eq!(Network::from_code(code), None, "{code}");
        }
    }

    #[test]
    fn companions_have_no_range_of_their_own() {
        for network in Network::ALL {
            let companions: Vec<_> = network.companions().iter().map(Network::code).collect();
            let expected: &[&str] = match network.code() {
                "VISA" | "MC" => &["CARTES_BANCAIRES"],
                "MAESTRO" => &["BANCONTACT"],
                _ => &[],
            };
            assert_eq!(companions, expected, "{network:?}");
            assert!(network.companions().intersection(candidates("")).is_empty());
        }
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let mut set = NetworkSet::empty();
        assert!(set.is_empty());
        assert_eq!(set, NetworkSet::default());
        set.insert(Network::Jcb);
        set.insert(Network::Visa);
        set.insert(Network::Jcb);
        assert_eq!(set.len(), 2);
        assert!(!set.is_empty());
        assert!(
            set.contains(Network::Visa)
                && set.contains(Network::Jcb)
                && !set.contains(Network::Amex)
        );
        assert_eq!(
            set.iter().collect::<Vec<_>>(),
            [Network::Visa, Network::Jcb]
        );
        assert_eq!(set, NetworkSet::from_codes(["JCB", "unheard of", "VISA"]));
        assert_eq!(NetworkSet::all().iter().collect::<Vec<_>>(), Network::ALL);
        assert_eq!(NetworkSet::all().len(), 10);
    }

    #[test]
    fn a_number_is_full_at_its_longest_length_only() {
        let check = |first: &str, max: u8| {
            assert_eq!(max_length(first), max, "{first}");
            for length in first.len()..=22 {
                let digits = format!("{first:0<length$}");
                assert_eq!(
                    is_certainly_full(&digits),
                    length == usize::from(max),
                    "{digits}"
                );
            }
        };
        check("4761", 19);
        check("5413", 16);
        check("2223", 16);
        check("3742", 15);
        check("3614", 19);
        check("6799", 19);
        assert_eq!(
            (
                max_length(""),
                max_length("5"),
                max_length("3"),
                max_length("9000")
            ),
            (19, 19, 19, 19)
        );
        assert!(
            !is_certainly_full("9000000000000000000"),
            "a network that is not known is never certain"
        );
    }
}
