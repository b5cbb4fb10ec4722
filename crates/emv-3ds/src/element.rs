//! Data elements: the formats of single values. A value of these types has its format.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use payframe_card_rules::secret::Secret;
use serde_json::Value;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use url::Url;
use uuid::Uuid;

/// A value of a data element.
pub trait Element: Sized {
    /// Reads it. `None`: it does not have the format.
    fn read(value: &Value) -> Option<Self>;

    /// As it is on the wire.
    fn write(&self) -> Value;
}

/// A text of `MIN` to `MAX` characters, without control characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text<const MIN: usize, const MAX: usize>(String);

/// `MIN` to `MAX` digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digits<const MIN: usize, const MAX: usize>(String);

/// The id of a transaction: a UUID as RFC 4122 writes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TransactionId(String);

/// An `https` address of at most `MAX` characters. Plain `http` is accepted for this machine alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebAddress<const MAX: usize>(String);

/// 20 bytes in base64: the proof of an authentication.
#[derive(Clone, PartialEq, Eq)]
pub struct AuthenticationValue(String);

/// The number of the card. Its digits are never shown.
#[derive(Clone)]
pub struct AccountNumber(Arc<Secret>);

/// The difference between UTC and the browser's time, in minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeZone(i16);

impl<const MIN: usize, const MAX: usize> Text<MIN, MAX> {
    /// `None`: it does not have the format.
    pub fn new(text: &str) -> Option<Self> {
        let length = text.chars().count();
        let fits = (MIN..=MAX).contains(&length) && !text.contains(char::is_control);
        fits.then(|| Text(text.to_owned()))
    }
}

impl<const MIN: usize, const MAX: usize> Digits<MIN, MAX> {
    /// `None`: it does not have the format.
    pub fn new(text: &str) -> Option<Self> {
        let fits =
            (MIN..=MAX).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| Digits(text.to_owned()))
    }
}

impl TransactionId {
    /// `None`: it does not have the format.
    pub fn new(text: &str) -> Option<Self> {
        let is_plain = text.len() == 36 && Uuid::try_parse(text).is_ok();
        is_plain.then(|| TransactionId(text.to_ascii_lowercase()))
    }

    /// The id that these bytes stand for.
    pub fn of_bytes(bytes: [u8; 16]) -> Self {
        let id = uuid::Builder::from_random_bytes(bytes).into_uuid();
        TransactionId(id.hyphenated().to_string())
    }
}

impl<const MAX: usize> WebAddress<MAX> {
    /// `None`: it does not have the format.
    pub fn new(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        let is_loopback = match url.host() {
            Some(url::Host::Ipv4(address)) => address.is_loopback(),
            Some(url::Host::Ipv6(address)) => address.is_loopback(),
            Some(url::Host::Domain(name)) => name == "localhost",
            None => false,
        };
        let is_accepted = url.scheme() == "https" || url.scheme() == "http" && is_loopback;
        let has_secrets = !url.username().is_empty() || url.password().is_some();
        (text.len() <= MAX && is_accepted && !has_secrets).then(|| WebAddress(text.to_owned()))
    }
}

impl AuthenticationValue {
    /// `None`: it does not have the format.
    pub fn new(text: &str) -> Option<Self> {
        let bytes = STANDARD.decode(text).ok()?;
        (bytes.len() == 20).then(|| AuthenticationValue(text.to_owned()))
    }

    /// The value, to be sent to the acquirer.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl AccountNumber {
    /// `None`: it does not have the format.
    pub fn new(digits: &str) -> Option<Self> {
        let fits = (13..=19).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
        fits.then(|| AccountNumber(Arc::new(Secret::new(digits.to_owned()))))
    }

    /// The digits.
    pub fn secret(&self) -> &Secret {
        &self.0
    }
}

impl TimeZone {
    /// `None`: there is no such time zone.
    pub fn new(minutes: i16) -> Option<Self> {
        (-1080..=1080)
            .contains(&minutes)
            .then_some(TimeZone(minutes))
    }
}

macro_rules! texts {
    ($($type:ident[$($limit:ident),*]),*) => {$(
        impl<$(const $limit: usize),*> Element for $type<$($limit),*> {
            fn read(value: &Value) -> Option<Self> {
                $type::new(value.as_str()?)
            }

            fn write(&self) -> Value {
                Value::String(self.0.clone())
            }
        }

        impl<$(const $limit: usize),*> Deref for $type<$($limit),*> {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }
    )*};
}

texts!(Text[MIN, MAX], Digits[MIN, MAX], WebAddress[MAX]);

impl Element for TransactionId {
    fn read(value: &Value) -> Option<Self> {
        TransactionId::new(value.as_str()?)
    }

    fn write(&self) -> Value {
        Value::String(self.0.clone())
    }
}

impl Deref for TransactionId {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Element for AuthenticationValue {
    fn read(value: &Value) -> Option<Self> {
        AuthenticationValue::new(value.as_str()?)
    }

    fn write(&self) -> Value {
        Value::String(self.0.clone())
    }
}

impl fmt::Debug for AuthenticationValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AuthenticationValue(…)")
    }
}

impl Element for AccountNumber {
    fn read(value: &Value) -> Option<Self> {
        AccountNumber::new(value.as_str()?)
    }

    fn write(&self) -> Value {
        // Exposed to be sent to the directory server.
        Value::String(self.0.expose().to_owned())
    }
}

impl PartialEq for AccountNumber {
    fn eq(&self, other: &Self) -> bool {
        // Exposed to be compared.
        self.0.expose() == other.0.expose()
    }
}

impl fmt::Debug for AccountNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccountNumber(…)")
    }
}

impl Element for TimeZone {
    fn read(value: &Value) -> Option<Self> {
        TimeZone::new(value.as_str()?.parse().ok()?)
    }

    fn write(&self) -> Value {
        Value::String(self.0.to_string())
    }
}

impl Element for bool {
    fn read(value: &Value) -> Option<Self> {
        value.as_bool()
    }

    fn write(&self) -> Value {
        Value::Bool(*self)
    }
}

impl<T: Element> Element for Vec<T> {
    fn read(value: &Value) -> Option<Self> {
        let values = value.as_array()?;
        values.iter().map(T::read).collect()
    }

    fn write(&self) -> Value {
        Value::Array(self.iter().map(T::write).collect())
    }
}

/// An element with a few accepted values.
macro_rules! codes {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $code:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)+
        }

        impl $name {
            /// The value on the wire.
            pub fn code(self) -> &'static str {
                match self {
                    $($name::$variant => $code,)+
                }
            }
        }

        impl $crate::element::Element for $name {
            fn read(value: &serde_json::Value) -> Option<Self> {
                match value.as_str()? {
                    $($code => Some($name::$variant),)+
                    _ => None,
                }
            }

            fn write(&self) -> serde_json::Value {
                serde_json::Value::String(self.code().to_owned())
            }
        }
    };
}
pub(crate) use codes;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn formats_are_those_of_the_protocol() {
        fn check<T: Element>(value: Value, expected: bool) {
            assert_eq!(T::read(&value).is_some(), expected, "{value}");
        }
        check::<Text<1, 3>>(json!("äöü"), true);
        check::<Text<1, 3>>(json!("abcd"), false);
        check::<Text<1, 3>>(json!(""), false);
        check::<Text<1, 3>>(json!("a\n"), false);
        check::<Text<1, 3>>(json!(1), false);
        check::<Digits<3, 3>>(json!("978"), true);
        check::<Digits<3, 3>>(json!("97"), false);
        check::<Digits<3, 3>>(json!("9x8"), false);
        check::<TransactionId>(json!("6afa6072-9412-446b-9673-2f98b3ee98a2"), true);
        check::<TransactionId>(json!("6afa60729412446b96732f98b3ee98a2"), false);
        check::<WebAddress<40>>(json!("https://acs.example/challenge"), true);
        check::<WebAddress<20>>(json!("https://acs.example/challenge"), false);
        check::<WebAddress<40>>(json!("http://acs.example/"), false);
        check::<WebAddress<40>>(json!("http://127.0.0.1:9/"), true);
        check::<WebAddress<40>>(json!("https://a:b@acs.example/"), false);
        check::<WebAddress<40>>(json!("javascript:alert(1)"), false);
        check::<AuthenticationValue>(json!("AAECAwQFBgcICQoLDA0ODxAREhM="), true);
        check::<AuthenticationValue>(json!("AAECAwQFBgcICQoLDA0ODxAREhM"), false);
        check::<AuthenticationValue>(json!("AAEC"), false);
        check::<AccountNumber>(json!("4761730000000003"), true);
        check::<AccountNumber>(json!("476173000000"), false);
        check::<TimeZone>(json!("-120"), true);
        check::<TimeZone>(json!("+60"), true);
        check::<TimeZone>(json!("1081"), false);
        check::<bool>(json!("true"), false);
        check::<Vec<Digits<2, 2>>>(json!(["01", "x"]), false);
    }

    #[test]
    fn secrets_are_not_shown() {
        let number = AccountNumber::new("4761730000000003").unwrap();
        let value = AuthenticationValue::new("AAECAwQFBgcICQoLDA0ODxAREhM=").unwrap();
        assert_eq!(
            format!("{number:?}{value:?}"),
            "AccountNumber(…)AuthenticationValue(…)"
        );
    }
}
