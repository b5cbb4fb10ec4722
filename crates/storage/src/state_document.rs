//! A session's state as a JSON document in its row. The domain's types do not depend on it.
//!
//! The next release must be able to read what this one writes: add members with a default, and rename none. Members that are no longer
//! written (`check`, `script` of a challenge) are ignored on reading.

use super::StoreError;
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_money::Amount;
use payframe_payment_domain::card::{
    ConsentMark, DeviceMark, EnteredCard, Funding, NetworkChooser,
};
use payframe_payment_domain::method::Method;
use payframe_payment_domain::offer::AcceptedOffer;
use payframe_payment_domain::session::{
    Authentication, Challenge, CheckProgress, PendingCompletion, PreviousAttempt, Redirect, State,
    StateBeforeAuthorization,
};
use payframe_payment_domain::sum::Sum;
use serde::{Deserialize, Serialize};

/// The name of a state, for the column.
pub fn name(state: &State) -> &'static str {
    match state {
        State::ChoosingMethod => "CHOOSING_METHOD",
        State::CollectingCard(_) => "COLLECTING_CARD",
        State::CheckingDevice { .. } => "CHECKING_DEVICE",
        State::Ready { .. } => "READY",
        State::VerifyingDevice { .. } => "VERIFYING_DEVICE",
        State::Challenged { .. } => "CHALLENGED",
        State::Redirected { .. } => "REDIRECTED",
        // Both states have an authorization in progress. With one name, a query finds both.
        State::Authorizing { .. } | State::AuthorizingMethod { .. } => "AUTHORIZING",
        State::Complete { .. } => "COMPLETE",
        State::Cancelled { .. } => "CANCELLED",
        State::Dead => "DEAD",
    }
}

/// The document of a state.
pub fn write(state: &State) -> Result<String, StoreError> {
    serde_json::to_string(&StateDocument::of(state))
        .map_err(|_| StoreError::Unreadable("session state"))
}

/// The state of a document.
pub fn read(document: &str) -> Result<State, StoreError> {
    serde_json::from_str::<StateDocument>(document)
        .ok()
        .and_then(StateDocument::state)
        .ok_or(StoreError::Unreadable("session state"))
}

/// The document of a card, for rows that store only a card.
pub fn write_card(card: &EnteredCard) -> Result<String, StoreError> {
    serde_json::to_string(&CardDocument::of(card.clone()))
        .map_err(|_| StoreError::Unreadable("card"))
}

/// The card of a document.
pub fn read_card(document: &str) -> Result<EnteredCard, StoreError> {
    serde_json::from_str::<CardDocument>(document)
        .ok()
        .and_then(CardDocument::card)
        .ok_or(StoreError::Unreadable("card"))
}

#[derive(Serialize, Deserialize)]
enum StateDocument {
    ChoosingMethod,
    CollectingCard {
        refused: Option<RefusedDocument>,
    },
    CheckingDevice {
        card: CardDocument,
    },
    Ready {
        card: CardDocument,
    },
    VerifyingDevice {
        card: CardDocument,
        #[serde(with = "CheckProgressDocument")]
        progress: CheckProgress,
        #[serde(rename = "closing", with = "PendingCompletionDocument")]
        completion: PendingCompletion,
    },
    Challenged {
        card: CardDocument,
        #[serde(with = "ChallengeDocument")]
        challenge: Challenge,
        #[serde(rename = "closing", with = "PendingCompletionDocument")]
        completion: PendingCompletion,
    },
    Authorizing {
        card: CardDocument,
        #[serde(with = "AuthenticationDocument")]
        authentication: Authentication,
        #[serde(with = "StateBeforeAuthorizationDocument")]
        from: StateBeforeAuthorization,
        #[serde(rename = "closing", with = "PendingCompletionDocument")]
        completion: PendingCompletion,
    },
    Redirected {
        redirect: RedirectDocument,
    },
    /// The stored name is older than the Rust name.
    #[serde(rename = "Settling")]
    AuthorizingMethod {
        redirect: RedirectDocument,
        /// The stored name is older than the Rust name.
        #[serde(rename = "script")]
        return_data: String,
    },
    Complete {
        card: Option<CardDocument>,
        operation_id: String,
        since_ms: i64,
    },
    Cancelled {
        operation_id: String,
        since_ms: i64,
    },
    Dead,
}

#[derive(Serialize, Deserialize)]
struct RefusedDocument {
    operation_id: String,
    #[serde(rename = "asked_by")]
    idempotency_key: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct CardDocument {
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

#[derive(Serialize, Deserialize)]
#[serde(remote = "PendingCompletion")]
struct PendingCompletionDocument {
    operation_id: String,
    terminal_id: String,
    #[serde(rename = "asked_by")]
    idempotency_key: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Challenge")]
struct ChallengeDocument {
    wrong_codes: u8,
    since_ms: i64,
}

#[derive(Serialize, Deserialize)]
struct RedirectDocument {
    method: String,
    operation_id: String,
    since_ms: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "CheckProgress")]
enum CheckProgressDocument {
    Running,
    Done,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Authentication")]
enum AuthenticationDocument {
    Full,
    Attempted,
    None,
    NotDue,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "StateBeforeAuthorization")]
enum StateBeforeAuthorizationDocument {
    Ready,
    VerifyingDevice,
    Challenged,
}

impl StateDocument {
    fn of(state: &State) -> StateDocument {
        match state.clone() {
            State::ChoosingMethod => StateDocument::ChoosingMethod,
            State::CollectingCard(PreviousAttempt::None) => {
                StateDocument::CollectingCard { refused: None }
            }
            State::CollectingCard(PreviousAttempt::Refused {
                operation_id,
                idempotency_key,
            }) => StateDocument::CollectingCard {
                refused: Some(RefusedDocument {
                    operation_id,
                    idempotency_key,
                }),
            },
            State::CheckingDevice { card } => StateDocument::CheckingDevice {
                card: CardDocument::of(card),
            },
            State::Ready { card } => StateDocument::Ready {
                card: CardDocument::of(card),
            },
            State::VerifyingDevice {
                card,
                progress,
                completion,
            } => StateDocument::VerifyingDevice {
                card: CardDocument::of(card),
                progress,
                completion,
            },
            State::Challenged {
                card,
                challenge,
                completion,
            } => StateDocument::Challenged {
                card: CardDocument::of(card),
                challenge,
                completion,
            },
            State::Authorizing {
                card,
                authentication,
                from,
                completion,
            } => StateDocument::Authorizing {
                card: CardDocument::of(card),
                authentication,
                from,
                completion,
            },
            State::Redirected { redirect } => StateDocument::Redirected {
                redirect: RedirectDocument::of(redirect),
            },
            State::AuthorizingMethod {
                redirect,
                return_data,
            } => StateDocument::AuthorizingMethod {
                redirect: RedirectDocument::of(redirect),
                return_data,
            },
            State::Complete {
                card,
                operation_id,
                since_ms,
            } => StateDocument::Complete {
                card: card.map(CardDocument::of),
                operation_id,
                since_ms,
            },
            State::Cancelled {
                operation_id,
                since_ms,
            } => StateDocument::Cancelled {
                operation_id,
                since_ms,
            },
            State::Dead => StateDocument::Dead,
        }
    }

    fn state(self) -> Option<State> {
        Some(match self {
            StateDocument::ChoosingMethod => State::ChoosingMethod,
            StateDocument::CollectingCard { refused: None } => {
                State::CollectingCard(PreviousAttempt::None)
            }
            StateDocument::CollectingCard {
                refused:
                    Some(RefusedDocument {
                        operation_id,
                        idempotency_key,
                    }),
            } => State::CollectingCard(PreviousAttempt::Refused {
                operation_id,
                idempotency_key,
            }),
            StateDocument::CheckingDevice { card } => State::CheckingDevice { card: card.card()? },
            StateDocument::Ready { card } => State::Ready { card: card.card()? },
            StateDocument::VerifyingDevice {
                card,
                progress,
                completion,
            } => State::VerifyingDevice {
                card: card.card()?,
                progress,
                completion,
            },
            StateDocument::Challenged {
                card,
                challenge,
                completion,
            } => State::Challenged {
                card: card.card()?,
                challenge,
                completion,
            },
            StateDocument::Authorizing {
                card,
                authentication,
                from,
                completion,
            } => State::Authorizing {
                card: card.card()?,
                authentication,
                from,
                completion,
            },
            StateDocument::Redirected { redirect } => State::Redirected {
                redirect: redirect.redirect()?,
            },
            StateDocument::AuthorizingMethod {
                redirect,
                return_data,
            } => State::AuthorizingMethod {
                redirect: redirect.redirect()?,
                return_data,
            },
            StateDocument::Complete {
                card: None,
                operation_id,
                since_ms,
            } => State::Complete {
                card: None,
                operation_id,
                since_ms,
            },
            StateDocument::Complete {
                card: Some(card),
                operation_id,
                since_ms,
            } => State::Complete {
                card: Some(card.card()?),
                operation_id,
                since_ms,
            },
            StateDocument::Cancelled {
                operation_id,
                since_ms,
            } => State::Cancelled {
                operation_id,
                since_ms,
            },
            StateDocument::Dead => State::Dead,
        })
    }
}

impl RedirectDocument {
    fn of(redirect: Redirect) -> RedirectDocument {
        RedirectDocument {
            method: redirect.method.code().to_owned(),
            operation_id: redirect.operation_id,
            since_ms: redirect.since_ms,
        }
    }

    fn redirect(self) -> Option<Redirect> {
        Some(Redirect {
            method: Method::from_code(&self.method)?,
            operation_id: self.operation_id,
            since_ms: self.since_ms,
        })
    }
}

impl CardDocument {
    fn of(card: EnteredCard) -> CardDocument {
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

    fn card(self) -> Option<EnteredCard> {
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

#[cfg(test)]
mod tests;
