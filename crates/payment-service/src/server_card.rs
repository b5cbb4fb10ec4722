//! A card that the merchant's server sends (contract 2.6): the same rules as in the form, and the part of it that may be shown.

use super::card_entry::{ValidatedCard, choice, code_network, good_card, read_expiry, read_number};
use payframe_card_rules::expiry::Date;
use payframe_card_rules::security_code::SecurityCode;
use payframe_payment_domain::card::NetworkChooser;
use payframe_payment_domain::terms::Terminal;
use payframe_payment_ports::BinLookup;
use thiserror::Error;

/// The members that were sent; a missing member is `None`.
pub struct SentCard<'a> {
    /// The number, as it was sent.
    pub pan: Option<&'a str>,
    /// `MMYY`
    pub expiry: Option<&'a str>,
    /// The security code, as it was sent.
    pub cvv: Option<&'a str>,
}

/// A member that is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CardMemberError {
    /// `pan`
    #[error("pan is not valid")]
    Pan,
    /// `expiryDate`
    #[error("expiryDate is not valid")]
    Expiry,
    /// `cvv`
    #[error("cvv is not valid")]
    Cvv,
}

/// Checks the members. `today` is the date in the last time zone of the world.
pub fn check(
    sent: &SentCard<'_>,
    terminal: &Terminal,
    today: Date,
    bins: &dyn BinLookup,
) -> Result<ValidatedCard, Vec<CardMemberError>> {
    let number = sent.pan.and_then(|pan| {
        let digits_and_blanks = pan
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b' ');
        read_number(pan, terminal.networks, bins)
            .ok()
            .filter(|_| digits_and_blanks)
    });
    let known = number.as_ref();
    // The form accepts a slash; the API does not.
    let expiry = sent
        .expiry
        .filter(|text| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit()))
        .and_then(|text| read_expiry(text, known.map(|(number, _)| number), today, bins).ok());
    let network = code_network(known.map(|(_, networks)| *networks), None);
    let cvv = match sent.cvv {
        None => Ok(None),
        Some(text) => SecurityCode::parse(text, network).map_err(|_| ()),
    };
    match (number, expiry, cvv) {
        (Some((number, networks)), Some(expiry), Ok(cvv)) => Ok(good_card(
            &number,
            choice(networks, None, NetworkChooser::Default, terminal),
            expiry,
            cvv,
            None,
            terminal,
            bins,
        )),
        (number, expiry, cvv) => Err([
            (CardMemberError::Pan, number.is_none()),
            (CardMemberError::Expiry, expiry.is_none()),
            (CardMemberError::Cvv, cvv.is_err()),
        ]
        .into_iter()
        .filter_map(|(member, is_bad)| is_bad.then_some(member))
        .collect()),
    }
}
