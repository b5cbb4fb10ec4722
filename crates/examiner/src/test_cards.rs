//! The cards that the examiner pays with.

use payframe_card_rules::card_number::CardNumber;
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::NetworkSet;
use payframe_card_rules::security_code::SecurityCode;
use payframe_money::{Amount, minor_digits};
use payframe_payment_domain::wallet::Wallet;
use payframe_payment_ports::acquirer::{NetworkToken, TokenCryptogram};
use serde::Deserialize;
use std::fmt;

/// What the examiner pays with: cards of a test endpoint, and the currencies and the terminal that it accepts.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestCards {
    /// The terminal of the payments.
    #[serde(default = "TestCards::some_terminal")]
    pub terminal: String,
    /// A card that is approved.
    pub approved: String,
    /// A card that is declined.
    pub declined: String,
    /// The amount with which it is declined, in the minor unit, where the endpoint decides by the amount. Without it: any.
    pub declined_amount: Option<u64>,
    /// A card whose payment is pending first. Without it that part is left out, and the report says so.
    pub pending: Option<String>,
    /// A card of which a part is approved. Without it that part is left out, and the report says so.
    pub partial: Option<String>,
    /// The amount of which a part is approved, as `declined_amount`.
    pub partial_amount: Option<u64>,
    /// A network token. Without it that part is left out, and the report says so.
    pub network_token: Option<TestToken>,
    /// `MMYY`
    pub expiry: String,
    /// The security code of all of them.
    pub security_code: String,
    /// Currencies to pay in.
    pub currencies: Vec<String>,
    /// A program and its arguments, which stops an adapter hard and starts it again. Without it that part is left out, and the report says so.
    pub restart_command: Option<Vec<String>>,
}

/// A network token of a test endpoint. Its expiry is that of the cards.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestToken {
    /// Its number.
    pub number: String,
    /// The wallet that it was made for, as the protocol of adapters writes it.
    pub wallet: String,
    /// The cryptogram with which it is approved, as base64.
    pub cryptogram: String,
    /// The wallet's indicator, if it gives one.
    pub eci: Option<String>,
    /// A cryptogram with which it is not approved. Without it that part is left out, and the report says so.
    pub declined_cryptogram: Option<String>,
}

impl TestToken {
    /// What a payment with this cryptogram is made with. `None`: something cannot be read.
    pub fn with(&self, cryptogram: &str) -> Option<NetworkToken> {
        let read = TokenCryptogram::read(cryptogram, self.eci.as_deref()).ok()?;
        Some(NetworkToken {
            wallet: Wallet::from_code(&self.wallet)?,
            cryptogram: Some(read),
        })
    }

    /// Whether all of it can be read.
    fn is_readable(&self) -> bool {
        let mut cryptograms = std::iter::once(&self.cryptogram).chain(&self.declined_cryptogram);
        is_card(&self.number) && cryptograms.all(|one| self.with(one).is_some())
    }
}

fn is_card(number: &str) -> bool {
    CardNumber::parse(number, NetworkSet::all()).is_ok()
}

impl TestCards {
    /// The numbers of `docs/testing.md`.
    pub fn of_sandbox() -> TestCards {
        TestCards {
            terminal: TestCards::some_terminal(),
            approved: String::from("4761730000000003"),
            declined: String::from("4761730000001167"),
            pending: Some(String::from("4761730000009111")),
            partial: None,
            declined_amount: None,
            partial_amount: None,
            network_token: Some(TestToken {
                number: String::from("4761730000000003"),
                wallet: String::from("APPLEPAY"),
                cryptogram: String::from("AgAAAAAABk4DWZ4C28yUQAAAAAA="),
                eci: Some(String::from("05")),
                declined_cryptogram: Some(String::from("AAAAAAAAAAAAAAAAAAAAAAAAAAA=")),
            }),
            expiry: String::from("1240"),
            security_code: String::from("123"),
            currencies: ["EUR", "JPY", "KWD"].map(String::from).to_vec(),
            restart_command: None,
        }
    }

    fn some_terminal() -> String {
        String::from("99000001")
    }

    /// What is accepted, if something is not.
    pub fn problem(&self) -> Option<&'static str> {
        let numbers = [
            Some(&self.approved),
            Some(&self.declined),
            self.pending.as_ref(),
            self.partial.as_ref(),
        ];
        if !numbers.into_iter().flatten().all(|number| is_card(number)) {
            return Some("given with card numbers as approved, declined, pending and partial");
        }
        if !self.network_token.iter().all(TestToken::is_readable) {
            return Some(
                "given with a card number, APPLEPAY or GOOGLEPAY as wallet, base64 as cryptogram and declined_cryptogram, and two digits as eci in network_token",
            );
        }
        let amounts = [self.declined_amount, self.partial_amount];
        let is_amount = |minor: &u64| *minor > 0 && Amount::from_minor(*minor).is_some();
        if !amounts.iter().flatten().all(is_amount) {
            return Some("given with declined_amount and partial_amount from 1 to 999999999999");
        }
        if self.restart_command.as_ref().is_some_and(Vec::is_empty) {
            return Some("given with a program as restart_command");
        }
        if Expiry::parse_shape(&self.expiry).is_err() {
            return Some("given with an expiry as MMYY");
        }
        if !matches!(SecurityCode::parse(&self.security_code, None), Ok(Some(_))) {
            return Some("given with a security_code of three or four digits");
        }
        let are_known = self
            .currencies
            .iter()
            .all(|currency| minor_digits(currency).is_some());
        if self.currencies.is_empty() || !are_known {
            return Some("given with currencies, as ISO 4217 codes");
        }
        None
    }
}

impl fmt::Debug for TestCards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TestCards(…)")
    }
}
