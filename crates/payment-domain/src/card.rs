//! The data of a card that may be used after its number is encrypted: enough to show the card, not enough to charge it.

use super::offer::AcceptedOffer;
use super::sum::Sum;
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_money::Amount;

/// A card that the buyer entered, now or for an earlier payment. Contains no more digits than a receipt shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EnteredCard {
    /// First 6 digits; 8 if the terminal's setting says so.
    pub bin: String,
    /// First 6 digits, stars, last four.
    pub masked: String,
    /// Last four digits.
    pub last4: String,
    /// The last month in which it is valid.
    pub expiry: Expiry,
    /// The network on which it is charged.
    pub network: Network,
    /// Who chose that network; `None` for a card of one network.
    pub network_chosen_by: Option<NetworkChooser>,
    /// How it is paid for, if known.
    pub funding: Option<Funding>,
    /// ISO 3166-1 alpha-3 of the issuer, if known.
    pub country: Option<String>,
    /// The currency offer that the buyer accepted, if any.
    pub offer: Option<AcceptedOffer>,
    /// The contract that stores it, if the buyer did not enter it now.
    pub contract_id: Option<String>,
    /// The number of installments; `None` means that the buyer pays at once.
    pub installments: Option<u8>,
    /// The status of its device check.
    pub device: DeviceMark,
    /// Whether the buyer allows the session to store it.
    pub consent: ConsentMark,
    /// The sum that the form showed when the buyer pressed Pay. `None` if no form of ours showed one: fields in frames of their
    /// own, and payments without a form.
    pub shown: Option<Sum>,
}

impl EnteredCard {
    /// What is paid with the card for this sum of the order: the sum itself, or that of the accepted offer in the card's own currency.
    pub fn due<'a>(&'a self, amount: Amount, currency: &'a str) -> (Amount, &'a str) {
        match &self.offer {
            Some(offer) => (offer.amount, &offer.currency),
            None => (amount, currency),
        }
    }
}

/// What merchants' servers read of a network (`paymentCircuit`, `circuit`): its code, except for two networks that existing clients know by
/// another one (contract 13, D133).
pub fn circuit(network: Network) -> &'static str {
    match network {
        Network::Maestro => "MAE",
        Network::UnionPay => "UPI",
        network => network.code(),
    }
}

/// The network of a circuit. For the two exceptions, either code is accepted.
pub fn network_of_circuit(circuit_code: &str) -> Option<Network> {
    let mut networks = Network::ALL.into_iter();
    networks.find(|network| circuit(*network) == circuit_code || network.code() == circuit_code)
}

/// The buyer's decision about storing a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConsentMark {
    /// No refusal: the buyer agreed, or was not asked here.
    None,
    /// The buyer does not want it.
    Refused,
}

/// The status of a card's device check, as it is reported when the payment continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceMark {
    /// It was done, or none was due.
    None,
    /// The form continued without it, because it did not report.
    NotDone,
}

/// Who chose the network of a co-badged card (Regulation (EU) 2015/751, article 8(6)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NetworkChooser {
    /// The buyer.
    Buyer,
    /// Nobody: the merchant's preference, or the card's first network.
    Default,
}

impl NetworkChooser {
    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            NetworkChooser::Buyer => "BUYER",
            NetworkChooser::Default => "DEFAULT",
        }
    }

    /// The chooser of a code on the wire.
    pub fn from_code(code: &str) -> Option<NetworkChooser> {
        [NetworkChooser::Buyer, NetworkChooser::Default]
            .into_iter()
            .find(|chooser| chooser.code() == code)
    }
}

/// How the cardholder pays for purchases with the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Funding {
    /// Later.
    Credit,
    /// At once, from an account.
    Debit,
    /// Beforehand.
    Prepaid,
}

impl Funding {
    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            Funding::Credit => "CREDIT",
            Funding::Debit => "DEBIT",
            Funding::Prepaid => "PREPAID",
        }
    }

    /// The funding of a code on the wire.
    pub fn from_code(code: &str) -> Option<Funding> {
        [Funding::Credit, Funding::Debit, Funding::Prepaid]
            .into_iter()
            .find(|funding| funding.code() == code)
    }
}
