//! Card data from the buyer: checked with the same rules as in the form, then encrypted.

mod billing;

pub use billing::BILLING_ITEMS;

use super::cardholder_data::{CardholderData, Holder};
use super::contracts::StoredCard;
use super::proofs::ProofOfWork;
use payframe_card_rules::card_number::CardNumber;
use payframe_card_rules::co_badge::strictest;
use payframe_card_rules::expiry::{Date, Expiry};
use payframe_card_rules::holder::{Email, HolderName};
use payframe_card_rules::network::{Network, NetworkSet};
use payframe_card_rules::secret::Secret;
use payframe_card_rules::security_code::SecurityCode;
use payframe_error_codes::ErrorCode::{self, HF0001, HF0005, HF0006, HF9001};
use payframe_money::Amount;
use payframe_payment_domain::billing_address::BillingAddressFields;
use payframe_payment_domain::card::{ConsentMark, DeviceMark, EnteredCard, NetworkChooser};
use payframe_payment_domain::card_on_file::Consent;
use payframe_payment_domain::offer::AcceptedOffer;
use payframe_payment_domain::terms::{CardField, Terminal};
use payframe_payment_ports::BinLookup;
use payframe_storage::cards::OfferRow;

/// The items that the buyer sent.
pub struct CardEntry {
    /// Items by their ids (2.10), in the order of the request.
    pub items: Vec<(String, Secret)>,
    /// Who chose the value of `PREFERRED_NETWORK`, if it was sent.
    pub network_chosen_by: NetworkChooser,
    /// The proof of work.
    pub proof: ProofOfWork,
}

/// The rules that a submission is checked against.
pub struct Rules<'a> {
    /// The terminal on which the card is charged.
    pub terminal: &'a Terminal,
    /// Finds the issuer of the card.
    pub bins: &'a dyn BinLookup,
    /// The date in the last time zone of the world.
    pub today: Date,
    /// The time of the submission.
    pub now_ms: i64,
    /// The session's amount, for currency offers.
    pub amount: Amount,
    /// The offer that the entry names, if it exists.
    pub offer: Option<OfferRow>,
    /// The numbers of installments that the session offers.
    pub installments: &'a [u8],
    /// Whether the buyer must consent before the card is stored.
    pub consent: Consent,
    /// What the form asks of the billing address.
    pub billing_address: BillingAddressFields,
}

/// Valid card data.
pub struct ValidatedCard {
    /// The part of the card that may be shown.
    pub card: EnteredCard,
    pub(crate) cardholder_data: CardholderData,
    /// In memory only. `None` if the network has no security code, or none was requested.
    pub security_code: Option<SecurityCode>,
}

/// The result of one field's check: its id, and the error code if it is not valid.
pub type FieldResult = (String, Option<ErrorCode>);

/// Id of the choice between the two networks of a co-badged card.
pub const PREFERRED_NETWORK: &str = "PREFERRED_NETWORK";

/// Id of the accepted currency offer.
pub const CURRENCY_OFFER: &str = "CURRENCY_OFFER";

/// Id of the number of installments.
pub const INSTALLMENTS: &str = "INSTALLMENTS";

/// Id of the choice of a stored card. Its value is in the form's page.
pub const SAVED_CARD: &str = "SAVED_CARD";

/// Id of the buyer's consent to store the card.
pub const CONTRACT_CONSENT: &str = "CONTRACT_CONSENT";

/// Id of the sum that the form showed when the buyer pressed Pay, as in `3545 EUR`.
pub const SHOWN_SUM: &str = "SHOWN_SUM";

/// Id of the solution of the puzzle that the gateway asked for.
pub const PROOF_OF_WORK: &str = "PROOF_OF_WORK";

impl CardEntry {
    /// The value of a field, if it was sent.
    pub fn value(&self, id: &str) -> Option<&str> {
        // Exposed for validation.
        self.items
            .iter()
            .find(|(item, _)| item == id)
            .map(|(_, value)| value.expose())
    }
}

/// Checks a submission. Returns one finding for each field that was sent, in that order, then one for each missing field.
pub fn check(entry: &CardEntry, rules: &Rules<'_>) -> (Vec<FieldResult>, Option<ValidatedCard>) {
    let number = read_number(
        entry.value(CardField::Number.id()).unwrap_or(""),
        rules.terminal.networks,
        rules.bins,
    );
    let card = number.as_ref().ok();
    let preferred = read_preference(
        entry.value(PREFERRED_NETWORK),
        card.map(|(_, networks)| *networks),
    );
    let expiry = read_expiry(
        entry.value(CardField::Expiry.id()).unwrap_or(""),
        card.map(|(number, _)| number),
        rules.today,
        rules.bins,
    );
    let policy_of = code_network(
        card.map(|(_, networks)| *networks),
        preferred
            .ok()
            .flatten()
            .filter(|_| entry.network_chosen_by == NetworkChooser::Buyer),
    );
    let security_code = SecurityCode::parse(
        entry.value(CardField::SecurityCode.id()).unwrap_or(""),
        policy_of,
    )
    .map_err(ErrorCode::from);
    let offer = read_offer(
        entry.value(CURRENCY_OFFER),
        card.map(|(number, _)| number),
        rules,
    );
    let installments = read_installments(entry.value(INSTALLMENTS), rules.installments);
    let consent = read_consent(entry.value(CONTRACT_CONSENT), rules.consent);
    let billing = billing::read(entry, rules.billing_address);
    let finding = |id: &str| match id {
        "CARD_NUMBER" => number.as_ref().err().copied(),
        "EXPIRATION_DATE" => expiry.err(),
        "SECURITY_CODE" => security_code.as_ref().err().copied(),
        PREFERRED_NETWORK => preferred.err(),
        CURRENCY_OFFER => offer.as_ref().err().copied(),
        INSTALLMENTS => installments.err(),
        CONTRACT_CONSENT => consent.err(),
        // Compared with the session's before anything else.
        SHOWN_SUM => None,
        id if BILLING_ITEMS.contains(&id) => {
            let wrong = billing.as_ref().err();
            wrong.filter(|wrong| **wrong == id).map(|_| HF0001)
        }
        other => check_other(other, entry.value(other).unwrap_or("")),
    };
    let mut findings: Vec<FieldResult> = entry
        .items
        .iter()
        .map(|(id, _)| (id.clone(), finding(id)))
        .collect();
    for field in &rules.terminal.card_fields {
        // A field that was not sent counts as empty. If an empty value is valid, there is no finding.
        if entry.value(field.id()).is_none() && finding(field.id()).is_some() {
            findings.push((field.id().to_owned(), finding(field.id())));
        }
    }
    if entry.value(CONTRACT_CONSENT).is_none()
        && let Err(code) = consent
    {
        findings.push((CONTRACT_CONSENT.to_owned(), Some(code)));
    }
    if let Err(wrong) = billing
        && entry.value(wrong).is_none()
    {
        findings.push((wrong.to_owned(), Some(HF0001)));
    }
    if findings.iter().any(|(_, code)| code.is_some()) {
        return (findings, None);
    }
    let asks_code = rules
        .terminal
        .card_fields
        .contains(&CardField::SecurityCode);
    let good = match (number, expiry, security_code, preferred, offer) {
        (Ok((number, networks)), Ok(expiry), code, Ok(preferred), Ok(offer))
            if code.is_ok() || !asks_code =>
        {
            let mut good = good_card(
                &number,
                choice(networks, preferred, entry.network_chosen_by, rules.terminal),
                expiry,
                code.ok().flatten(),
                offer,
                rules.terminal,
                rules.bins,
            );
            good.cardholder_data.holder = Holder {
                billing: billing.ok().flatten(),
                ..read_holder(entry)
            };
            good.card.installments = installments.ok().flatten();
            good.card.consent = consent.unwrap_or(ConsentMark::None);
            Some(good)
        }
        _ => None,
    };
    (findings, good)
}

/// Checks a submission with a stored card: only the security code is requested again. `kept`: the stored card that the entry names, if the
/// buyer has it.
pub(crate) fn check_saved(
    entry: &CardEntry,
    rules: &Rules<'_>,
    kept: Option<StoredCard>,
) -> (Vec<FieldResult>, Option<ValidatedCard>) {
    let asks = |field| rules.terminal.card_fields.contains(&field);
    let is_over = kept
        .as_ref()
        .is_some_and(|kept| has_expired(kept.shown.expiry, rules.today));
    let chosen = match kept {
        Some(_) if is_over => Err(HF0006),
        None => Err(HF0001),
        Some(kept) => Ok(kept),
    };
    let code = entry.value(CardField::SecurityCode.id()).unwrap_or("");
    let security_code = match &chosen {
        // Without a card there is nothing to check the value against.
        Err(_) => Ok(None),
        Ok(_) if !asks(CardField::SecurityCode) => Ok(None),
        Ok(kept) => SecurityCode::parse(code, Some(kept.shown.network)).map_err(ErrorCode::from),
    };
    let installments = read_installments(entry.value(INSTALLMENTS), rules.installments);
    let privacy = CardField::Privacy.id();
    let finding = |id: &str, value: &str| match id {
        SAVED_CARD => chosen.as_ref().err().copied(),
        "SECURITY_CODE" => security_code.as_ref().err().copied(),
        "PRIVACY_CONDITIONS" => check_other(privacy, value),
        INSTALLMENTS => installments.err(),
        CONTRACT_CONSENT | SHOWN_SUM => None,
        // A submission has either a stored card or a new one.
        _ => (!value.is_empty()).then_some(HF0001),
    };
    let mut findings: Vec<FieldResult> = entry
        .items
        .iter()
        // Exposed for validation.
        .map(|(id, value)| (id.clone(), finding(id, value.expose())))
        .collect();
    for field in [CardField::SecurityCode, CardField::Privacy] {
        let code = finding(field.id(), "");
        if asks(field) && entry.value(field.id()).is_none() && code.is_some() {
            findings.push((field.id().to_owned(), code));
        }
    }
    if findings.iter().any(|(_, code)| code.is_some()) {
        return (findings, None);
    }
    let good = match (chosen, security_code) {
        (Ok(kept), Ok(security_code)) => Some(ValidatedCard {
            card: EnteredCard {
                installments: installments.ok().flatten(),
                ..kept.shown
            },
            cardholder_data: CardholderData {
                security_code_given: security_code.is_some(),
                ..kept.cardholder_data
            },
            security_code,
        }),
        _ => None,
    };
    (findings, good)
}

/// Whether a card's expiry month has passed in all time zones.
pub(super) fn has_expired(expiry: Expiry, today: Date) -> bool {
    expiry.last_day() < today
}

/// Checks one value of a field by itself (contract 5.3, `text/{id}`).
pub fn check_one(
    id: &str,
    value: &str,
    networks: NetworkSet,
    today: Date,
    bins: &dyn BinLookup,
) -> Option<ErrorCode> {
    match id {
        "CARD_NUMBER" => read_number(value, networks, bins).err(),
        "EXPIRATION_DATE" => read_expiry(value, None, today, bins).err(),
        // The network decides whether it may be empty, and only the complete submission names the network.
        "SECURITY_CODE" if value.is_empty() => None,
        "SECURITY_CODE" => SecurityCode::parse(value, None).err().map(ErrorCode::from),
        other => check_other(other, value),
    }
}

pub(super) fn read_number(
    text: &str,
    accepted: NetworkSet,
    bins: &dyn BinLookup,
) -> Result<(CardNumber, NetworkSet), ErrorCode> {
    let number = CardNumber::parse(text, accepted).map_err(ErrorCode::from)?;
    let issuer = bins.issuer_of(number.bin(8));
    let networks = issuer.networks.intersection(accepted);
    if !networks.is_empty() {
        Ok((number, networks))
    } else if accepted.contains(number.network()) {
        // None of the issuer's networks is accepted, but the network of the number range processes the card as one of its own.
        let network = NetworkSet::of(number.network());
        Ok((number, network))
    } else {
        Err(HF0005)
    }
}

fn read_preference(
    value: Option<&str>,
    networks: Option<NetworkSet>,
) -> Result<Option<Network>, ErrorCode> {
    match value {
        None | Some("") => Ok(None),
        Some(code) => match (Network::from_code(code), networks) {
            (Some(network), Some(networks)) if networks.contains(network) => Ok(Some(network)),
            // Checked once the number is valid.
            (Some(_), None) => Ok(None),
            _ => Err(HF0005),
        },
    }
}

pub(super) fn read_expiry(
    text: &str,
    number: Option<&CardNumber>,
    today: Date,
    bins: &dyn BinLookup,
) -> Result<Expiry, ErrorCode> {
    Expiry::parse(text, today).or_else(|problem| match (Expiry::parse_shape(text), number) {
        (Ok(expiry), Some(number)) if bins.takes_past_expiry(number, expiry) => Ok(expiry),
        _ => Err(problem.into()),
    })
}

/// The network whose rules apply to a security code: the one that the buyer chose, or the strictest (contract 10.5).
pub(super) fn code_network(
    networks: Option<NetworkSet>,
    chosen: Option<Network>,
) -> Option<Network> {
    chosen.or_else(|| strictest(networks?))
}

/// The network to charge, and who chose it if the card has several: the choice that was sent, or the merchant's preference, or the first
/// network.
pub(super) fn choice(
    networks: NetworkSet,
    sent: Option<Network>,
    sent_by: NetworkChooser,
    terminal: &Terminal,
) -> (Option<Network>, Option<NetworkChooser>) {
    let first = |networks: NetworkSet| networks.iter().next();
    let fallback = || first(networks.intersection(terminal.preferred_networks)).or(first(networks));
    let chosen_by = if sent.is_some() {
        sent_by
    } else {
        NetworkChooser::Default
    };
    (
        sent.or_else(fallback),
        (networks.len() > 1).then_some(chosen_by),
    )
}

fn read_offer(
    value: Option<&str>,
    number: Option<&CardNumber>,
    rules: &Rules<'_>,
) -> Result<Option<AcceptedOffer>, ErrorCode> {
    if value.is_none_or(str::is_empty) {
        return Ok(None);
    }
    match (&rules.offer, number) {
        (Some(row), Some(number))
            if row.bin == number.bin(8)
                && row.merchant_amount == rules.amount
                && (row.accepted || rules.now_ms < row.expires_ms) =>
        {
            Ok(Some(row.offer.clone()))
        }
        _ => Err(HF9001),
    }
}

/// An empty value or 1 means no installments.
fn read_installments(value: Option<&str>, offered: &[u8]) -> Result<Option<u8>, ErrorCode> {
    match value {
        None | Some("" | "1") => Ok(None),
        Some(text) => match text.parse() {
            Ok(count) if offered.contains(&count) => Ok(Some(count)),
            _ => Err(HF0001),
        },
    }
}

/// Reads the buyer's consent to store the card. No value means no consent.
fn read_consent(value: Option<&str>, asked: Consent) -> Result<ConsentMark, ErrorCode> {
    match (value.unwrap_or(""), asked) {
        ("true", _) | ("" | "false", Consent::None) => Ok(ConsentMark::None),
        ("" | "false", Consent::Optional) => Ok(ConsentMark::Refused),
        _ => Err(HF0001),
    }
}

/// Reads the cardholder's data that was typed. Values that are not valid were found before.
fn read_holder(entry: &CardEntry) -> Holder {
    let value = |field: CardField| entry.value(field.id()).unwrap_or("");
    let names: Vec<HolderName> = [CardField::HolderName, CardField::HolderSurname]
        .into_iter()
        .filter_map(|field| HolderName::parse(value(field)).ok())
        .collect();
    let names: Vec<&str> = names.iter().map(HolderName::as_str).collect();
    let email = Email::parse(value(CardField::Email)).ok();
    Holder {
        name: (!names.is_empty()).then(|| Secret::new(names.join(" "))),
        email: email.map(|email| Secret::new(email.as_str().to_owned())),
        billing: None,
    }
}

fn check_other(id: &str, value: &str) -> Option<ErrorCode> {
    match CardField::from_id(id) {
        Some(CardField::HolderName | CardField::HolderSurname) => {
            HolderName::parse(value).err().map(ErrorCode::from)
        }
        Some(CardField::Email) => Email::parse(value).err().map(ErrorCode::from),
        Some(CardField::Privacy) if value != "true" => Some(HF0001),
        _ => None,
    }
}

pub(super) fn good_card(
    number: &CardNumber,
    choice: (Option<Network>, Option<NetworkChooser>),
    expiry: Expiry,
    security_code: Option<SecurityCode>,
    offer: Option<AcceptedOffer>,
    terminal: &Terminal,
    bins: &dyn BinLookup,
) -> ValidatedCard {
    let (network, network_chosen_by) = choice;
    let network = network.unwrap_or(number.network());
    let issuer = bins.issuer_of(number.bin(8));
    let bin_length = if terminal.eight_digit_bins.contains(network) {
        8
    } else {
        6
    };
    // Exposed to be masked and encrypted.
    let digits = number.expose();
    let stars = digits.len().saturating_sub(10);
    let card = EnteredCard {
        bin: number.bin(bin_length).to_owned(),
        masked: format!("{}{}{}", number.bin(6), "*".repeat(stars), number.last4()),
        last4: number.last4().to_owned(),
        expiry,
        network,
        network_chosen_by,
        funding: issuer.funding,
        country: issuer.country.map(str::to_owned),
        offer,
        contract_id: None,
        installments: None,
        device: DeviceMark::None,
        consent: ConsentMark::None,
        shown: None,
    };
    let cardholder_data = CardholderData {
        number: Secret::new(digits.to_owned()),
        network_token: None,
        security_code_given: security_code.is_some(),
        holder: Holder::default(),
        browser: None,
    };
    ValidatedCard {
        card,
        cardholder_data,
        security_code,
    }
}
