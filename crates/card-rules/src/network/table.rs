//! The table of networks: codes, names, lengths, and ranges of first digits. Constant functions turn the ranges into the steps that a
//! lookup goes through.

use super::Network;

pub(super) struct Facts {
    pub(super) code: &'static str,
    pub(super) name: &'static str,
    /// Bit n is set where numbers may have n digits.
    pub(super) lengths: u32,
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
pub(super) const FACTS: [Facts; 20] = [
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

/// First digits from and to, as in `docs/networks.md`. Ranges may contain others. They are not in the compiled widget, which
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
    /// How many digits it was written with: more digits have precedence.
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

/// The network of the numbers from these eight digits on, until the next step. The last five bits are the network's index.
/// So a look-up is one pass, and the table has a third of the size of overlapping ranges.
pub(super) const STEPS: [u32; count_steps()] = {
    let mut steps = [0; count_steps()];
    let (mut count, mut start) = (0, 0);
    while count < steps.len() {
        steps[count] = start << NETWORK_BITS | owner(start);
        start = next_step(start);
        count += 1;
    }
    steps
};

/// How many bits of a step are the network's index.
pub(super) const NETWORK_BITS: u32 = 5;

/// All bits set: numbers that belong to no network.
pub(super) const NOBODY: u32 = (1 << NETWORK_BITS) - 1;

const fn count_steps() -> usize {
    let (mut count, mut start) = (0, 0);
    while start < 100_000_000 {
        start = next_step(start);
        count += 1;
    }
    count
}

/// The first eight digits after `start` that belong to another network.
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
