//! The card data that is stored encrypted only: for a session, or for a contract.

use super::browser_data;
use super::error::PaymentError;
use payframe_card_rules::address::{AddressPart, AddressTexts};
use payframe_card_rules::secret::Secret;
use payframe_payment_domain::billing_address::{BillingAddress, BillingAddressFields};
use payframe_payment_domain::network_token::{NetworkToken, TokenCryptogram};
use payframe_payment_domain::wallet::Wallet;
use payframe_payment_ports::Vault;
use payframe_payment_ports::three_ds_server::BrowserData;
use payframe_storage::sessions::SessionRow;
use serde_json::{Map, Value};
use zeroize::Zeroizing;

/// The card data that only the acquirer needs. It does not contain the security code, only whether there was one.
pub(crate) struct CardholderData {
    pub number: Secret,
    /// What is known of a number that is a wallet's network token.
    pub(crate) network_token: Option<NetworkToken>,
    pub(crate) security_code_given: bool,
    /// As the buyer typed them, for this payment. A contract does not store them.
    pub holder: Holder,
    /// What is known of the browser, where the 3-D Secure server needs it.
    pub(crate) browser: Option<BrowserData>,
}

/// The cardholder. Data that was not requested is `None`.
#[derive(Default)]
pub(crate) struct Holder {
    /// Name before surname.
    pub name: Option<Secret>,
    pub email: Option<Secret>,
    /// Where the bill for the card goes.
    pub billing: Option<BillingAddress>,
}

impl Holder {
    /// The holder that an order names.
    pub(crate) fn of_order(order: &Map<String, Value>) -> Holder {
        let info = order.get("customerInfo");
        let member = |name: &str| {
            let text = info?.get(name)?.as_str()?.trim();
            let is_plain = !text.is_empty() && !text.contains(char::is_control);
            is_plain.then(|| Secret::new(text.to_owned()))
        };
        Holder {
            name: member("cardHolderName"),
            email: member("cardHolderEmail"),
            billing: None,
        }
    }
}

impl CardholderData {
    /// The card without the holder's data and without what was for one payment only.
    pub(crate) fn number_only(&self) -> CardholderData {
        CardholderData {
            // Exposed to be encrypted again.
            number: Secret::new(self.number.expose().to_owned()),
            network_token: self.network_token.as_ref().map(|token| NetworkToken {
                wallet: token.wallet,
                cryptogram: None,
            }),
            security_code_given: false,
            holder: Holder::default(),
            browser: None,
        }
    }

    /// The card with what an issuer is told of its holder, and without what was for one payment only. A card that a merchant's server sends
    /// has no billing address.
    pub(crate) fn for_authentication(&self) -> CardholderData {
        // Exposed to be encrypted again.
        let copied = |text: &Secret| Secret::new(text.expose().to_owned());
        CardholderData {
            holder: Holder {
                name: self.holder.name.as_ref().map(copied),
                email: self.holder.email.as_ref().map(copied),
                billing: None,
            },
            ..self.number_only()
        }
    }

    /// Encrypts the card for a session.
    pub(crate) fn encrypt(
        &self,
        vault: &dyn Vault,
        session_hash: &str,
    ) -> Result<Vec<u8>, PaymentError> {
        // Exposed to be encrypted.
        let browser = self.browser.as_ref().and_then(browser_data::write);
        let browser_length = browser.as_ref().map_or(0, String::len);
        let mut content = Zeroizing::new(Vec::with_capacity(CONTENT + browser_length));
        content.push(if self.security_code_given {
            GIVEN
        } else {
            NOT_GIVEN
        });
        content.extend_from_slice(self.number.expose().as_bytes());
        let Holder {
            name,
            email,
            billing,
        } = &self.holder;
        // Exposed to be encrypted.
        let text = |secret: &Option<Secret>| -> Zeroizing<String> {
            let text = secret.as_ref().map_or("", Secret::expose);
            Zeroizing::new(text.to_owned())
        };
        let parts = [
            text(name),
            text(email),
            Zeroizing::new(browser.unwrap_or_default()),
            billing.as_ref().map(write_billing).unwrap_or_default(),
            self.network_token
                .as_ref()
                .map(write_network_token)
                .unwrap_or_default(),
        ];
        let last = parts.iter().rposition(|part| !part.is_empty());
        for part in parts.iter().take(last.map_or(0, |last| (last + 1).max(2))) {
            content.push(NEXT);
            content.extend_from_slice(part.as_bytes());
        }
        Ok(vault.encrypt(&content, &belongs_to(session_hash))?)
    }

    /// The card of a session, if it has one.
    pub(crate) fn of(
        vault: &dyn Vault,
        row: &SessionRow,
    ) -> Result<Option<CardholderData>, PaymentError> {
        let encrypted = row.encrypted_card.as_deref();
        encrypted
            .map(|encrypted| CardholderData::decrypt(vault, &row.hash, encrypted))
            .transpose()
    }

    /// Decrypts a card that was encrypted for this owner.
    pub(crate) fn decrypt(
        vault: &dyn Vault,
        session_hash: &str,
        encrypted: &[u8],
    ) -> Result<CardholderData, PaymentError> {
        let content = vault
            .decrypt(encrypted, &belongs_to(session_hash))
            .map_err(|_| UNREADABLE)?;
        let (flag, content) = content.split_first().ok_or(UNREADABLE)?;
        let mut parts = content.split(|byte| *byte == NEXT);
        let digits = parts.next().unwrap_or_default();
        let name = optional(parts.next(), secret)?;
        let email = optional(parts.next(), secret)?;
        let browser = optional(parts.next(), browser_data::read)?;
        let billing = optional(parts.next(), read_billing)?;
        let network_token = optional(parts.next(), read_network_token)?;
        if !digits.iter().all(u8::is_ascii_digit) || parts.next().is_some() {
            return Err(UNREADABLE);
        }
        Ok(CardholderData {
            number: secret(digits).ok_or(UNREADABLE)?,
            network_token,
            security_code_given: *flag == GIVEN,
            holder: Holder {
                name,
                email,
                billing,
            },
            browser,
        })
    }
}

/// A part that may be missing or empty. One that cannot be read is not none at all.
fn optional<T>(
    part: Option<&[u8]>,
    read: impl Fn(&[u8]) -> Option<T>,
) -> Result<Option<T>, PaymentError> {
    match part {
        None | Some([]) => Ok(None),
        Some(part) => read(part).map(Some).ok_or(UNREADABLE),
    }
}

/// The wallet, the electronic commerce indicator and the cryptogram, with a blank between them. The last two may be empty.
fn write_network_token(token: &NetworkToken) -> Zeroizing<String> {
    let cryptogram = token.cryptogram.as_ref();
    let eci = cryptogram.and_then(TokenCryptogram::eci).unwrap_or("");
    // Exposed to be encrypted.
    let value = cryptogram.map_or("", |cryptogram| cryptogram.value().expose());
    Zeroizing::new(format!("{} {eci} {value}", token.wallet.code()))
}

fn read_network_token(text: &[u8]) -> Option<NetworkToken> {
    let mut parts = std::str::from_utf8(text).ok()?.split(' ');
    let wallet = Wallet::from_code(parts.next()?)?;
    let (eci, value) = (parts.next()?, parts.next()?);
    let cryptogram = match (eci, value) {
        ("", "") => None,
        _ => Some(TokenCryptogram::read(value, Some(eci)).ok()?),
    };
    Some(NetworkToken { wallet, cryptogram })
}

/// The country, and behind a blank the postal code, if there is one. Of a whole address: the country, and each part behind a tabulator, which no
/// part contains.
fn write_billing(address: &BillingAddress) -> Zeroizing<String> {
    let mut text = Zeroizing::new(String::with_capacity(CONTENT));
    text.push_str(address.country().code());
    // Exposed to be encrypted.
    let part = |part| address.part(part).map_or("", Secret::expose);
    let postal_code = part(AddressPart::PostalCode);
    if !part(AddressPart::Line1).is_empty() {
        for of in AddressPart::ALL {
            text.push(NEXT_PART);
            text.push_str(part(of));
        }
    } else if !postal_code.is_empty() {
        text.push(' ');
        text.push_str(postal_code);
    }
    text
}

fn read_billing(text: &[u8]) -> Option<BillingAddress> {
    let text = std::str::from_utf8(text).ok()?;
    let mut texts = AddressTexts::default();
    let (asked, country) = match text.split_once(NEXT_PART) {
        Some((country, parts)) => {
            let mut parts = parts.split(NEXT_PART);
            for part in AddressPart::ALL {
                texts.set(part, parts.next()?.to_owned());
            }
            (BillingAddressFields::Full, country)
        }
        None => {
            let (country, postal_code) = text.split_once(' ').unwrap_or((text, ""));
            texts.set(AddressPart::PostalCode, postal_code.to_owned());
            (BillingAddressFields::PostalCode, country)
        }
    };
    BillingAddress::read(asked, country, &texts).ok()
}

fn secret(bytes: &[u8]) -> Option<Secret> {
    let text = std::str::from_utf8(bytes).ok()?;
    Some(Secret::new(text.to_owned()))
}

/// What the card of a session is bound to.
pub fn belongs_to(session_hash: &str) -> String {
    format!("card of {session_hash}")
}

const UNREADABLE: PaymentError = PaymentError::Broken("the card can not be decrypted");

/// Separates number, name, e-mail address, browser, billing address and network token: none of them contains a line break. Cards without the others end after
/// the number.
const NEXT: u8 = b'\n';

/// Separates the parts of a whole billing address.
const NEXT_PART: char = '\t';

/// Capacity for all parts but the browser, so that the buffer never grows and leaves a copy in memory. The longest name and address are far shorter.
const CONTENT: usize = 2048;

const GIVEN: u8 = b'+';
const NOT_GIVEN: u8 = b'-';

#[cfg(test)]
mod tests {
    use super::*;
    use payframe_vault::{HashingKeys, Keyring, KeyringVault};
    use std::path::PathBuf;

    fn vault() -> KeyringVault {
        let key = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
        let keyring = Keyring::open(Some(key), None, PathBuf::new()).unwrap();
        KeyringVault::new(keyring, HashingKeys::random().unwrap())
    }

    fn card(name: Option<&str>, email: Option<&str>) -> CardholderData {
        let secret = |text: Option<&str>| text.map(|text| Secret::new(text.to_owned()));
        CardholderData {
            number: Secret::new(String::from("4761730000000003")),
            network_token: None,
            security_code_given: true,
            holder: Holder {
                name: secret(name),
                email: secret(email),
                billing: None,
            },
            browser: None,
        }
    }

    #[test]
    fn the_browser_is_kept_with_the_card() {
        let vault = vault();
        let browser = BrowserData {
            accept: String::from("text/html\n"),
            accept_language: String::from("it"),
            user_agent: String::from("Mozilla \"5.0\""),
            ip: Some([192, 0, 2, 1].into()),
            language: String::from("it-IT"),
            has_javascript: true,
            has_java: false,
            color_depth: 24,
            screen_height: 900,
            screen_width: 1440,
            time_zone_minutes: -60,
            is_method_done: true,
            can_confirm: true,
        };
        for name in [None, Some("Zoë Müller")] {
            let card = CardholderData {
                browser: Some(browser.clone()),
                ..card(name, None)
            };
            let encrypted = card.encrypt(&vault, "session").unwrap();
            let opened = CardholderData::decrypt(&vault, "session", &encrypted).unwrap();
            assert_eq!(opened.browser, Some(browser.clone()));
            let found = opened.holder.name.as_ref().map(|name| name.expose());
            assert_eq!(found, name);
        }
    }

    #[test]
    fn the_billing_address_is_kept_with_the_card() {
        let vault = vault();
        use BillingAddressFields::{Full, PostalCode};
        for (name, asked, country, typed, expected) in [
            (
                None,
                PostalCode,
                "US",
                ["", "", "", "", "95014"],
                "////95014",
            ),
            (
                Some("Zoë Müller"),
                PostalCode,
                "GB",
                ["", "", "", "", "sw1a1aa"],
                "////SW1A 1AA",
            ),
            (None, PostalCode, "AE", [""; 5], "////"),
            (
                None,
                Full,
                "US",
                ["1 Loop", "", "Cupertino", "CA", "95014"],
                "1 Loop//Cupertino/CA/95014",
            ),
            (
                Some("Zoë Müller"),
                Full,
                "AE",
                ["شارع 1", "2", "", "DU", ""],
                "شارع 1/2//DU/",
            ),
        ] {
            let mut card = card(name, None);
            let texts = AddressPart::ALL.into_iter().zip(typed).collect();
            card.holder.billing = BillingAddress::read(asked, country, &texts).ok();
            let encrypted = card.encrypt(&vault, "session").unwrap();
            let opened = CardholderData::decrypt(&vault, "session", &encrypted).unwrap();
            assert!(opened.browser.is_none());
            let found = opened.holder.name.as_ref().map(|name| name.expose());
            assert_eq!(found, name);
            let billing = opened.holder.billing.unwrap();
            assert_eq!(billing.country().code(), country);
            let part = |part| billing.part(part).map_or("", Secret::expose);
            assert_eq!(AddressPart::ALL.map(part).join("/"), expected);
        }
    }

    #[test]
    fn a_network_token_is_kept_and_its_cryptogram_is_for_one_payment() {
        let vault = vault();
        let reopened = |card: &CardholderData| {
            let encrypted = card.encrypt(&vault, "session").unwrap();
            let opened = CardholderData::decrypt(&vault, "session", &encrypted).unwrap();
            let token = opened.network_token.unwrap();
            let cryptogram = token.cryptogram.map(|cryptogram| {
                // Exposed to be compared.
                let value = cryptogram.value().expose().to_owned();
                (value, cryptogram.eci().map(str::to_owned))
            });
            (token.wallet, cryptogram)
        };
        for (wallet, eci) in [
            (Wallet::ApplePay, None),
            (Wallet::ApplePay, Some("07")),
            (Wallet::GooglePay, Some("05")),
        ] {
            let mut card = card(Some("Zoë Müller"), None);
            card.network_token = Some(NetworkToken {
                wallet,
                cryptogram: TokenCryptogram::read("AAAA", eci).ok(),
            });
            let cryptogram = (String::from("AAAA"), eci.map(str::to_owned));
            assert_eq!(reopened(&card), (wallet, Some(cryptogram)));
            assert_eq!(reopened(&card.number_only()), (wallet, None));
        }
    }

    #[test]
    fn a_card_is_decrypted_as_it_was_encrypted() {
        let vault = vault();
        for (name, email) in [
            (None, None),
            (Some("Zoë Müller"), None),
            (None, Some("zoe@example.com")),
            (Some("Zoë Müller"), Some("zoe@example.com")),
        ] {
            let encrypted = card(name, email).encrypt(&vault, "session").unwrap();
            let opened = CardholderData::decrypt(&vault, "session", &encrypted).unwrap();
            let text = |secret: &Option<Secret>| secret.as_ref().map(|s| s.expose().to_owned());
            assert_eq!(opened.number.expose(), "4761730000000003");
            assert!(opened.security_code_given);
            assert_eq!(text(&opened.holder.name).as_deref(), name);
            assert_eq!(text(&opened.holder.email).as_deref(), email);
        }
    }

    #[test]
    fn a_card_of_a_former_release_is_opened() {
        let vault = vault();
        let encrypted = vault
            .encrypt(b"-4761730000000003", &belongs_to("session"))
            .unwrap();
        let opened = CardholderData::decrypt(&vault, "session", &encrypted).unwrap();
        assert_eq!(opened.number.expose(), "4761730000000003");
        assert!(!opened.security_code_given);
        assert!(opened.holder.name.is_none() && opened.holder.email.is_none());
    }

    #[test]
    fn what_is_no_card_is_not_opened() {
        let vault = vault();
        for content in [
            &b""[..],
            b"+47617300x",
            b"+4761\na\nb\nc",
            b"+4761\na\nb\n\nd",
            b"+4761\na\nb\n\nUS 1",
            b"+4761\na\nb\n\nUS\t1 Loop\t\tCupertino\tCA",
            b"+4761\na\nb\n\nUS 95014\ne",
            b"+4761\na\nb\n\n\nOTHER 05 AAAA",
            b"+4761\na\nb\n\n\nGOOGLEPAY 05 ",
            b"+4761\na\nb\n\n\nGOOGLEPAY 05",
            b"+4761\na\nb\n\n\nGOOGLEPAY 05 AAAA\ne",
            b"+4761\n\xff",
        ] {
            let encrypted = vault.encrypt(content, &belongs_to("session")).unwrap();
            assert!(CardholderData::decrypt(&vault, "session", &encrypted).is_err());
        }
        let encrypted = card(None, None).encrypt(&vault, "session").unwrap();
        assert!(CardholderData::decrypt(&vault, "another", &encrypted).is_err());
    }
}
