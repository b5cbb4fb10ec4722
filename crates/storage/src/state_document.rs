//! A session's state as a JSON document in its row. The domain's types do not depend on it.
//!
//! The next release must be able to read what this one writes: add members with a default, and rename none. Members that are no longer
//! written (`check`, `script` of a challenge) are ignored on reading.

mod card;
#[cfg(test)]
mod tests;

use super::StoreError;
use card::CardDocument;
use payframe_payment_domain::card::EnteredCard;
use payframe_payment_domain::method::Method;
use payframe_payment_domain::session::{
    Authentication, Challenge, ChallengeMeans, CheckProgress, PendingCompletion, PreviousAttempt,
    Redirect, State, StateBeforeAuthorization,
};
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
        // These states wait for an answer about a payment. With one name, a query finds all.
        State::Authorizing { .. } | State::SteppingUp { .. } | State::AuthorizingMethod { .. } => {
            "AUTHORIZING"
        }
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
    SteppingUp {
        card: CardDocument,
        #[serde(with = "StateBeforeAuthorizationDocument")]
        from: StateBeforeAuthorization,
        #[serde(with = "PendingCompletionDocument")]
        declined: PendingCompletion,
        operation_id: String,
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
#[serde(remote = "PendingCompletion")]
struct PendingCompletionDocument {
    operation_id: String,
    terminal_id: String,
    #[serde(rename = "asked_by")]
    idempotency_key: Option<String>,
    /// Missing in documents of earlier releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    repeats: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Challenge")]
struct ChallengeDocument {
    /// Missing in documents of earlier releases, and where a page asks.
    #[serde(
        default = "page",
        skip_serializing_if = "is_page",
        with = "ChallengeMeansDocument"
    )]
    means: ChallengeMeans,
    wrong_codes: u8,
    since_ms: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ChallengeMeans")]
enum ChallengeMeansDocument {
    Page,
    Confirmation,
    Decoupled { until_ms: i64 },
}

fn page() -> ChallengeMeans {
    ChallengeMeans::Page
}

fn is_page(means: &ChallengeMeans) -> bool {
    *means == ChallengeMeans::Page
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
    DataShared,
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
            State::SteppingUp {
                card,
                from,
                declined,
                operation_id,
            } => StateDocument::SteppingUp {
                card: CardDocument::of(card),
                from,
                declined,
                operation_id,
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
            StateDocument::SteppingUp {
                card,
                from,
                declined,
                operation_id,
            } => State::SteppingUp {
                card: card.card()?,
                from,
                declined,
                operation_id,
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
