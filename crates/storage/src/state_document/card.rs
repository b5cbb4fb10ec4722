//! The card in the document of a session's state, and in rows that store only a card.

use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_money::Amount;
use payframe_payment_domain::card::{
    ConsentMark, DeviceMark, EnteredCard, Funding, NetworkChooser,
};
use payframe_payment_domain::offer::AcceptedOffer;
use payframe_payment_domain::sum::Sum;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(super) struct CardDocument {
    bin: String,
    masked: String,
    last4: String,
    expiry: String,
    network: String,
    network_chosen_by: Option<String>,
    funding: Option<String>,
    country: Option<String>,
    offer: Option<OfferDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contract_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    installments: Option<u8>,
    /// Missing in documents of earlier releases.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    without_device_check: bool,
    /// The buyer does not consent to storing the card.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    not_to_be_kept: bool,
    /// The sum that the form showed when the buyer pressed Pay, as in `3545 EUR`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shown: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct OfferDocument {
    amount: String,
    currency: String,
    exchange_rate: String,
}

impl CardDocument {
    pub(super) fn of(card: EnteredCard) -> CardDocument {
        CardDocument {
            bin: card.bin,
            masked: card.masked,
            last4: card.last4,
            expiry: card.expiry.mmyy(),
            network: card.network.code().to_owned(),
            network_chosen_by: card
                .network_chosen_by
                .map(|chooser| chooser.code().to_owned()),
            funding: card.funding.map(|funding| funding.code().to_owned()),
            country: card.country,
            installments: card.installments,
            offer: card.offer.map(|offer| OfferDocument {
                amount: offer.amount.to_string(),
                currency: offer.currency,
                exchange_rate: offer.exchange_rate,
            }),
            contract_id: card.contract_id,
            without_device_check: card.device == DeviceMark::NotDone,
            not_to_be_kept: card.consent == ConsentMark::Refused,
            shown: card.shown.as_ref().map(Sum::to_string),
        }
    }

    pub(super) fn card(self) -> Option<EnteredCard> {
        Some(EnteredCard {
            bin: self.bin,
            masked: self.masked,
            last4: self.last4,
            expiry: Expiry::parse_shape(&self.expiry).ok()?,
            network: Network::from_code(&self.network)?,
            network_chosen_by: self
                .network_chosen_by
                .as_deref()
                .and_then(NetworkChooser::from_code),
            funding: self.funding.as_deref().and_then(Funding::from_code),
            country: self.country,
            installments: self.installments,
            device: if self.without_device_check {
                DeviceMark::NotDone
            } else {
                DeviceMark::None
            },
            consent: if self.not_to_be_kept {
                ConsentMark::Refused
            } else {
                ConsentMark::None
            },
            offer: match self.offer {
                None => None,
                Some(offer) => Some(AcceptedOffer {
                    amount: Amount::parse(&offer.amount)?,
                    currency: offer.currency,
                    exchange_rate: offer.exchange_rate,
                }),
            },
            contract_id: self.contract_id,
            shown: match self.shown {
                None => None,
                Some(shown) => Some(Sum::parse(&shown)?),
            },
        })
    }
}
