//! Card networks: who issued a number, which lengths it may have, how it is grouped, what its security code is, and
//! whether its last digit must fit the others.
//!
//! `docs/networks.md` is the table in words, with the source of each row; a test compares this module with it,
//! at both edges of every range. First digits decide; if two ranges contain a number, the one with more digits decides.
//! Only the gateway knows what a single issuer's range adds (a second network on a co-badged card).

mod sets;
mod table;

pub use sets::{LengthSet, NetworkSet};
use table::{FACTS, NETWORK_BITS, NOBODY, STEPS};

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

/// The network as which a session that takes `accepted` takes a number: the one that fits. If the session does
/// not take that one, but takes Discover, and the number begins with Discover's own digits, then Discover (`docs/networks.md`, "Processed for
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

/// The distinct ranges of first digits, in order: eight digits from and to, and their network.
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

/// Whether no further digit can follow: one network fits, and its longest length is reached. Then the focus may move on.
#[must_use]
pub fn is_certainly_full(digits: &str) -> bool {
    network_of(digits)
        .is_some_and(|network| digits.len() == usize::from(network.lengths().longest()))
}

/// The shortest length that any card number has.
pub const SHORTEST: u8 = 13;

/// The longest length that any card number has (ISO/IEC 7812).
pub const LONGEST: u8 = 19;

#[cfg(test)]
mod tests;
