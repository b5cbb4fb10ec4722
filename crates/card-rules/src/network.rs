//! Card networks: who issued a number, which lengths it may have, how it is grouped, what its security code is, and
//! whether its last digit must fit the others.
//!
//! `docs/networks.md` is the table in words, with the source that decides each row; a test holds this module against it,
//! at both edges of every range. First digits decide, and of two ranges that hold a number the one with more digits does.
//! What a single issuer's range adds (a second network on a co-badged card) is known to the gateway alone and asked there.

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
    /// `MIR`
    Mir,
    /// `ELO`
    Elo,
    /// `HIPER`
    Hiper,
    /// `HIPERCARD`
    Hipercard,
    /// `VERVE`
    Verve,
    /// `RUPAY`
    RuPay,
    /// `TROY`: also stands beside `DISCOVER`.
    Troy,
    /// `DANKORT`: also stands beside `VISA`.
    Dankort,
    /// `GIROCARD`: has no range of its own, only stands beside `MAESTRO`, `MC` and `VISA`.
    Girocard,
    /// `PAGOBANCOMAT`: has no range of its own, only stands beside `MAESTRO`, `MC` and `VISA`.
    PagoBancomat,
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
    /// Every network: first those of the contract's table (10.5), in its order.
    pub const ALL: [Self; 20] = [
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
        Self::Mir,
        Self::Elo,
        Self::Hiper,
        Self::Hipercard,
        Self::Verve,
        Self::RuPay,
        Self::Troy,
        Self::Dankort,
        Self::Girocard,
        Self::PagoBancomat,
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
            Self::Bancontact | Self::Girocard | Self::PagoBancomat => SecurityCodePolicy::None,
            _ => SecurityCodePolicy::Required,
        }
    }

    /// Whether the last digit of its numbers is a check digit. UnionPay has issued cards whose numbers have none.
    #[must_use]
    pub fn has_check_digit(self) -> bool {
        !matches!(self, Self::UnionPay)
    }

    /// The networks that may stand beside this one on a co-badged card.
    #[must_use]
    pub fn companions(self) -> NetworkSet {
        const DEBIT: u32 = 1 << Network::Girocard as u32 | 1 << Network::PagoBancomat as u32;
        const FRENCH: u32 = 1 << Network::CartesBancaires as u32;
        NetworkSet(match self {
            Self::Visa => FRENCH | DEBIT | 1 << Self::Dankort as u32,
            Self::Mastercard => FRENCH | DEBIT,
            Self::Maestro => DEBIT | 1 << Self::Bancontact as u32,
            Self::Discover => 1 << Self::Troy as u32,
            _ => 0,
        })
    }

    /// Whether a session that takes `accepted` may take a number of this network's ranges: for the network itself, or for
    /// one that may stand beside it.
    #[must_use]
    pub fn is_taken(self, accepted: NetworkSet) -> bool {
        !accepted
            .intersection(NetworkSet(self.companions().0 | Self::bit(self)))
            .is_empty()
    }

    const fn bit(self) -> u32 {
        1 << self as u32
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
pub struct NetworkSet(u32);

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
        Self(network.bit())
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

    /// The one network of a set that has just one.
    #[must_use]
    pub fn only(self) -> Option<Network> {
        self.iter().next().filter(|_| self.0.is_power_of_two())
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
    let (mut low, mut width) = (0, 100_000_000);
    for digit in digits.bytes().take_while(u8::is_ascii_digit).take(8) {
        width /= 10;
        low += u32::from(digit - b'0') * width;
    }
    let high = low + (width - 1);
    let mut fitting = 0;
    for step in STEPS.iter().rev() {
        let start = step >> NETWORK_BITS;
        if start <= high {
            fitting |= 1 << (step & NOBODY);
        }
        if start <= low {
            break;
        }
    }
    NetworkSet(fitting & NetworkSet::all().0)
}

/// The one network that fits `digits` (plain digits); `None` while several fit, or none does.
#[must_use]
pub fn network_of(digits: &str) -> Option<Network> {
    candidates(digits).only()
}

/// The network that a form of a session that takes `accepted` may claim: the one that fits, or the only one of several
/// that the session takes. `None` without a digit.
#[must_use]
pub fn claimed_network(digits: &str, accepted: NetworkSet) -> Option<Network> {
    let fitting = candidates(digits);
    let taken = || {
        fitting
            .iter()
            .filter(|network| network.is_taken(accepted))
            .collect::<NetworkSet>()
    };
    if digits.is_empty() {
        return None;
    }
    taken_as(digits, accepted).or_else(|| taken().only())
}

/// The network under which a session that takes `accepted` takes a number: the one that fits, unless the session does
/// not take that one but takes Discover, whose own first digits the number has (`docs/networks.md`, "Processed for
/// another").
#[must_use]
pub fn taken_as(digits: &str, accepted: NetworkSet) -> Option<Network> {
    let network = network_of(digits)?;
    let is_processed_by_discover = digits.starts_with("65")
        && accepted.contains(Network::Discover)
        && !network.is_taken(accepted);
    Some(if is_processed_by_discover {
        Network::Discover
    } else {
        network
    })
}

/// The networks of `accepted` that a number that begins with `digits` may still be taken as.
#[must_use]
pub fn candidates_among(digits: &str, accepted: NetworkSet) -> NetworkSet {
    let fitting = taken_as(digits, accepted).map_or_else(|| candidates(digits), NetworkSet::of);
    fitting.intersection(accepted)
}

/// The ranges of first digits as they are told apart, in order: eight digits from and to, and whose they are.
pub fn ranges() -> impl Iterator<Item = (u32, u32, Network)> {
    let ends = STEPS.iter().skip(1).map(|step| step >> NETWORK_BITS);
    let whose = |step: &u32| Network::ALL.into_iter().nth((step & NOBODY) as usize);
    STEPS
        .iter()
        .zip(ends.chain([100_000_000]))
        .filter_map(move |(step, end)| Some((step >> NETWORK_BITS, end - 1, whose(step)?)))
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
const FACTS: [Facts; 20] = [
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
    facts("MIR", "Mir", from_to(16, 19)),
    facts("ELO", "Elo", 1 << 16),
    facts("HIPER", "Hiper", 1 << 16),
    facts("HIPERCARD", "Hipercard", 1 << 13 | 1 << 16 | 1 << 19),
    facts("VERVE", "Verve", 1 << 16 | 1 << 18 | 1 << 19),
    facts("RUPAY", "RuPay", 1 << 16),
    facts("TROY", "Troy", 1 << 16),
    facts("DANKORT", "Dankort", 1 << 16),
    facts("GIROCARD", "Girocard", from_to(16, 19)),
    facts("PAGOBANCOMAT", "PagoBANCOMAT", from_to(16, 19)),
];

/// First digits from and to, as `docs/networks.md` has them. They may lie in each other. Not in the compiled widget: that
/// has [`STEPS`].
#[rustfmt::skip]
const RANGES: &[Range] = {
    use Network::*;
    &[
        range("4", "4", Visa),
        range("51", "55", Mastercard), range("2221", "2720", Mastercard),
        range("34", "34", Amex), range("37", "37", Amex),
        range("300", "305", Diners), range("3095", "3095", Diners), range("36", "36", Diners), range("38", "39", Diners),
        range("6011", "6011", Discover), range("644", "649", Discover), range("65", "65", Discover),
        range("3528", "3589", Jcb),
        range("62", "62", UnionPay), range("81", "81", UnionPay),
        range("50", "50", Maestro), range("56", "58", Maestro), range("6304", "6304", Maestro), range("67", "67", Maestro),
        range("2200", "2204", Mir),
        range("401178", "401179", Elo), range("431274", "431274", Elo), range("438935", "438935", Elo),
        range("451416", "451416", Elo), range("457393", "457393", Elo), range("457631", "457632", Elo),
        range("504175", "504175", Elo), range("506699", "506778", Elo), range("509000", "509999", Elo),
        range("627780", "627780", Elo), range("636297", "636297", Elo), range("636368", "636368", Elo),
        range("650031", "650033", Elo), range("650035", "650051", Elo), range("650405", "650439", Elo),
        range("650485", "650538", Elo), range("650541", "650598", Elo), range("650700", "650718", Elo),
        range("650720", "650727", Elo), range("650901", "650978", Elo), range("651652", "651679", Elo),
        range("655000", "655019", Elo), range("655021", "655058", Elo),
        range("637095", "637095", Hiper), range("637568", "637568", Hiper), range("637599", "637599", Hiper),
        range("637609", "637609", Hiper), range("637612", "637612", Hiper), range("63737423", "63737423", Hiper),
        range("63743358", "63743358", Hiper),
        range("606282", "606282", Hipercard), range("384100", "384100", Hipercard), range("384140", "384140", Hipercard),
        range("384160", "384160", Hipercard),
        range("506099", "506198", Verve), range("507865", "507964", Verve), range("650002", "650027", Verve),
        range("508500", "508999", RuPay), range("606985", "607984", RuPay), range("608001", "608500", RuPay),
        range("652150", "653149", RuPay), range("817200", "820199", RuPay),
        range("979200", "979289", Troy),
        range("5019", "5019", Dankort),
    ]
};

/// First digits, widened to eight.
struct Range {
    from: u32,
    to: u32,
    /// How many digits it was written with: the more, the stronger.
    digits: usize,
    network: Network,
}

const fn range(from: &str, to: &str, network: Network) -> Range {
    Range {
        from: widened(from, b'0'),
        to: widened(to, b'9'),
        digits: from.len(),
        network,
    }
}

const fn widened(digits: &str, filler: u8) -> u32 {
    let (digits, mut value, mut place) = (digits.as_bytes(), 0, 0);
    while place < 8 {
        let digit = if place < digits.len() {
            digits[place]
        } else {
            filler
        };
        value = value * 10 + (digit - b'0') as u32;
        place += 1;
    }
    value
}

/// Whose the numbers are from these eight digits on, until the next step: the number of the network in the last five bits.
/// So a lookup is one pass, and the table a third of what ranges that overlap would be.
const STEPS: [u32; count_steps()] = {
    let mut steps = [0; count_steps()];
    let (mut count, mut start) = (0, 0);
    while count < steps.len() {
        steps[count] = start << NETWORK_BITS | owner(start);
        start = next_step(start);
        count += 1;
    }
    steps
};

/// Bits of a step that say whose it is.
const NETWORK_BITS: u32 = 5;

/// All of them: numbers that no network has.
const NOBODY: u32 = (1 << NETWORK_BITS) - 1;

const fn count_steps() -> usize {
    let (mut count, mut start) = (0, 0);
    while start < 100_000_000 {
        start = next_step(start);
        count += 1;
    }
    count
}

/// The first eight digits after `start` that are somebody else's.
const fn next_step(start: u32) -> u32 {
    let mut next = start;
    while next < 100_000_000 && owner(next) == owner(start) {
        let (mut nearest, mut place) = (100_000_000, 0);
        while place < RANGES.len() {
            let Range { from, to, .. } = RANGES[place];
            if from > next && from < nearest {
                nearest = from;
            }
            if to >= next && to + 1 < nearest {
                nearest = to + 1;
            }
            place += 1;
        }
        next = nearest;
    }
    next
}

/// The network of a number that begins with these eight digits.
const fn owner(digits: u32) -> u32 {
    let (mut owner, mut strongest, mut place) = (NOBODY, 0, 0);
    while place < RANGES.len() {
        let range = &RANGES[place];
        if range.from <= digits && digits <= range.to && range.digits > strongest {
            owner = range.network as u32;
            strongest = range.digits;
        }
        place += 1;
    }
    owner
}

#[cfg(test)]
mod tests;
