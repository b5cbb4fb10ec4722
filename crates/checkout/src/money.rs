//! Money: amounts in the minor unit of their currency, and how many digits that unit has.
//!
//! Amounts are integers; nothing here rounds. Writing an amount for a reader is the browser's business.

use core::fmt;

/// An amount in the minor unit of a currency that stands beside it: 3545 is 35.45 EUR or 3545 JPY.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(u64);

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// The greatest amount that the wire takes: 12 digits.
    pub const MAX: Self = Self(999_999_999_999);

    /// An amount of this many minor units; `None` above [`Amount::MAX`].
    #[must_use]
    pub fn from_minor(minor: u64) -> Option<Self> {
        (minor <= Self::MAX.0).then_some(Self(minor))
    }

    /// Reads 1 to 12 plain digits, leading zeros dropped; `None` for anything else (sign, blank, point, exponent).
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if !(1..=12).contains(&text.len()) {
            return None;
        }
        text.bytes()
            .try_fold(0, |sum, byte| {
                byte.is_ascii_digit()
                    .then(|| sum * 10 + u64::from(byte - b'0'))
            })
            .map(Self)
    }

    /// How many minor units.
    #[must_use]
    pub fn minor(self) -> u64 {
        self.0
    }

    /// Whether it is nothing.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The sum; `None` above [`Amount::MAX`].
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        // Both are at most 12 digits, far from the end of the integer.
        Self::from_minor(self.0 + other.0)
    }

    /// The difference; `None` where it would be less than nothing.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }
}

/// Digits only, as on the wire.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How many digits the minor unit of a currency has; `None` for one that is not dealt in (contract, table 10.2).
#[must_use]
pub fn minor_digits(currency: &str) -> Option<u8> {
    let listed = |list: &str| currency.len() == 3 && list.split(' ').any(|code| code == currency);
    if listed(TWO_DIGITS) {
        Some(2)
    } else if listed(NO_DIGIT) {
        Some(0)
    } else if listed(THREE_DIGITS) {
        Some(3)
    } else {
        None
    }
}

const NO_DIGIT: &str = "BYR CLP ISK JPY KRW VND";

const TWO_DIGITS: &str = "AED AOA ARS AUD AZN BAM BGN BRL BYN CAD CHF CNY COP CZK DKK EGP EUR GBP GIP HKD HRK HUF INR KZT \
                          LTL LVL MKD MXN MYR NGN NOK PHP PLN QAR RON RSD RUB SAR SEK SGD THB TRY TWD UAH USD VEF ZAR";

const THREE_DIGITS: &str = "BHD JOD KWD";
