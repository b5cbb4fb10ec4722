//! What a terminal's rules against card testing can be set to: on or off, limits, and lists of ranges and addresses.
//!
//! Every value has one spelling, which the command line, the back office and the database share.

use super::Listed;
use core::fmt;
use core::net::{IpAddr, Ipv6Addr};
use core::str::FromStr;

/// A terminal's settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardTestingSettings {
    /// Whether the rules apply.
    pub switch: Switch,
    /// How many tries without an approval are admitted.
    pub limits: Limits,
    /// Ranges to which the rule about ranges does not apply.
    pub allowed_ranges: Vec<CardRange>,
    /// Ranges whose cards are refused.
    pub blocked_ranges: Vec<CardRange>,
    /// Addresses to which only the rules about cards and sessions apply.
    pub allowed_addresses: Vec<AddressRange>,
    /// Addresses whose tries are refused.
    pub blocked_addresses: Vec<AddressRange>,
}

/// Whether a terminal has the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Switch {
    /// As the gateway says: on in production, off in a sandbox.
    #[default]
    Default,
    /// On.
    On,
    /// Off.
    Off,
}

/// How many tries without an approval are admitted; 0 is no limit. Those of a day count; of a terminal, a merchant and an order value those
/// of an hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// With one card.
    pub card: u32,
    /// In one session.
    pub session: u32,
    /// From one address.
    pub address: u32,
    /// With the cards of one range.
    pub range: u32,
    /// At the terminal.
    pub terminal: u32,
    /// At all terminals of the merchant.
    pub merchant: u32,
    /// From browsers of one kind.
    pub device: u32,
    /// Of one sum.
    pub order_value: u32,
}

/// The beginning of card numbers: 4 to 10 digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardRange(String);

/// An address, or all that begin with the same bits, as in `192.0.2.0/24`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressRange {
    first: IpAddr,
    bits: u8,
}

/// A text that is no such setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a value of this setting")]
pub struct SettingError;

impl CardTestingSettings {
    /// Whether the rules apply at a gateway that has them by default or not.
    pub fn is_on(&self, by_default: bool) -> bool {
        match self.switch {
            Switch::Default => by_default,
            Switch::On => true,
            Switch::Off => false,
        }
    }

    /// What the lists say of the card with this number. Blocked counts before allowed.
    pub fn listed_number(&self, number: &str) -> Listed {
        let has = |ranges: &[CardRange]| ranges.iter().any(|range| number.starts_with(&range.0));
        listed(has(&self.blocked_ranges), has(&self.allowed_ranges))
    }

    /// What the lists say of a buyer's address.
    pub fn listed_address(&self, address: IpAddr) -> Listed {
        let has = |ranges: &[AddressRange]| ranges.iter().any(|range| range.contains(address));
        listed(has(&self.blocked_addresses), has(&self.allowed_addresses))
    }
}

/// The text by which tries of one buyer's address are counted. Of IPv6 a household has a network of 64 bits, and as many addresses as it
/// likes.
pub fn address_key(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let network = u128::from(address) >> 64 << 64;
            format!("{}/64", Ipv6Addr::from(network))
        }
    }
}

fn listed(is_blocked: bool, is_allowed: bool) -> Listed {
    match (is_blocked, is_allowed) {
        (true, _) => Listed::Blocked,
        (false, true) => Listed::Allowed,
        (false, false) => Listed::No,
    }
}

impl Switch {
    /// The code of the setting.
    pub fn code(self) -> &'static str {
        match self {
            Switch::Default => "default",
            Switch::On => "on",
            Switch::Off => "off",
        }
    }

    /// The switch of a code.
    pub fn from_code(code: &str) -> Option<Switch> {
        Switch::ALL.into_iter().find(|switch| switch.code() == code)
    }

    /// All of them.
    pub const ALL: [Switch; 3] = [Switch::Default, Switch::On, Switch::Off];
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            card: 8,
            session: 6,
            address: 12,
            range: 12,
            terminal: 16,
            merchant: 18,
            device: 16,
            order_value: 16,
        }
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limits {
            card,
            session,
            address,
            range,
            terminal,
            merchant,
            device,
            order_value,
        } = self;
        write!(
            to,
            "card:{card},session:{session},address:{address},range:{range},terminal:{terminal},merchant:{merchant},\
             device:{device},order_value:{order_value}"
        )
    }
}

impl FromStr for Limits {
    type Err = SettingError;

    /// Limits that the text does not name have their defaults; an empty text, or `default`, names none.
    fn from_str(text: &str) -> Result<Limits, SettingError> {
        let mut limits = Limits::default();
        if matches!(text, "" | "default") {
            return Ok(limits);
        }
        for part in text.split(',') {
            let (name, number) = part.split_once(':').ok_or(SettingError)?;
            let number = number.parse().map_err(|_| SettingError)?;
            let limit = match name {
                "card" => &mut limits.card,
                "session" => &mut limits.session,
                "address" => &mut limits.address,
                "range" => &mut limits.range,
                "terminal" => &mut limits.terminal,
                "merchant" => &mut limits.merchant,
                "device" => &mut limits.device,
                "order_value" => &mut limits.order_value,
                _ => return Err(SettingError),
            };
            if number > MOST {
                return Err(SettingError);
            }
            *limit = number;
        }
        Ok(limits)
    }
}

impl fmt::Display for CardRange {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

impl FromStr for CardRange {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<CardRange, SettingError> {
        // More digits would say too much about one card.
        let is_good =
            (4..=10).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        is_good
            .then(|| CardRange(text.to_owned()))
            .ok_or(SettingError)
    }
}

impl AddressRange {
    fn contains(&self, address: IpAddr) -> bool {
        let bits = u32::from(self.bits);
        match (self.first, address.to_canonical()) {
            (IpAddr::V4(first), IpAddr::V4(address)) => {
                let differs = u32::from(first) ^ u32::from(address);
                differs.checked_shr(32 - bits).unwrap_or(0) == 0
            }
            (IpAddr::V6(first), IpAddr::V6(address)) => {
                let differs = u128::from(first) ^ u128::from(address);
                differs.checked_shr(128 - bits).unwrap_or(0) == 0
            }
            _ => false,
        }
    }
}

impl fmt::Display for AddressRange {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.bits == whole(self.first) {
            self.first.fmt(to)
        } else {
            write!(to, "{}/{}", self.first, self.bits)
        }
    }
}

impl FromStr for AddressRange {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<AddressRange, SettingError> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let first: IpAddr = address.parse().map_err(|_| SettingError)?;
        let bits = match bits {
            None => whole(first),
            Some(bits) => bits.parse().map_err(|_| SettingError)?,
        };
        // All of the Internet is no range that somebody means.
        if bits == 0 || bits > whole(first) {
            return Err(SettingError);
        }
        Ok(AddressRange { first, bits })
    }
}

/// The bits of a whole address.
fn whole(address: IpAddr) -> u8 {
    match address {
        IpAddr::V4(_) => 32,
        IpAddr::V6(_) => 128,
    }
}

/// The largest limit.
const MOST: u32 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_setting_is_written_as_it_was_read() {
        for text in ["4111", "4761730000"] {
            assert_eq!(text.parse::<CardRange>().unwrap().to_string(), text);
        }
        for text in ["192.0.2.1", "192.0.2.0/24", "2001:db8::1", "2001:db8::/32"] {
            assert_eq!(text.parse::<AddressRange>().unwrap().to_string(), text);
        }
        let limits = Limits {
            card: 0,
            ..Limits::default()
        };
        assert_eq!(limits.to_string().parse(), Ok(limits));
        assert_eq!("card:0".parse(), Ok(limits));
        assert_eq!("".parse(), Ok(Limits::default()));
    }

    #[test]
    fn other_texts_are_no_settings() {
        for text in ["", "411", "41111111111", "4111x", "-411"] {
            assert!(text.parse::<CardRange>().is_err(), "{text}");
        }
        for text in [
            "",
            "shop.example",
            "192.0.2",
            "192.0.2.0/33",
            "0.0.0.0/0",
            "::/129",
            "192.0.2.0/24/8",
        ] {
            assert!(text.parse::<AddressRange>().is_err(), "{text}");
        }
        for text in [
            "card",
            "card:",
            "card:-1",
            "card:1000001",
            "cards:1",
            "card:1,",
        ] {
            assert!(text.parse::<Limits>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_address_is_in_the_ranges_that_share_its_first_bits() {
        for (range, address, expected) in [
            ("192.0.2.0/24", "192.0.2.255", true),
            ("192.0.2.0/24", "192.0.3.0", false),
            ("192.0.2.7", "192.0.2.7", true),
            ("192.0.2.7", "192.0.2.6", false),
            ("192.0.2.0/24", "::ffff:192.0.2.9", true),
            ("2001:db8::/32", "2001:db8:ffff::1", true),
            ("2001:db8::/32", "2001:db9::1", false),
            ("128.0.0.0/1", "1.2.3.4", false),
            ("2001:db8::/32", "192.0.2.7", false),
        ] {
            let range: AddressRange = range.parse().unwrap();
            assert_eq!(
                range.contains(address.parse().unwrap()),
                expected,
                "{range:?}"
            );
        }
    }

    #[test]
    fn a_household_is_counted_as_one() {
        let key = |text: &str| address_key(text.parse().unwrap());
        assert_eq!(key("2001:db8:1:2::1"), key("2001:db8:1:2:ffff::9"));
        assert_ne!(key("2001:db8:1:2::1"), key("2001:db8:1:3::1"));
        assert_eq!(key("::ffff:192.0.2.1"), key("192.0.2.1"));
        assert_ne!(key("192.0.2.2"), key("192.0.2.1"));
    }

    proptest! {
        #[test]
        fn no_text_makes_reading_fail_otherwise(text in "\\PC{0,40}") {
            let _ = text.parse::<CardRange>();
            let _ = text.parse::<AddressRange>();
            let _ = text.parse::<Limits>();
        }
    }
}
