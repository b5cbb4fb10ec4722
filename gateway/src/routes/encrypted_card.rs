//! The item of a submission that contains the items that the frame encrypted. It is removed from the body first, so that its
//! content is in no document, and a repetition that was encrypted again is recognised.

use super::caller::Caller;
use super::error::ApiError;
use crate::App;
use payframe_card_rules::secret::Secret;
use payframe_error_codes::ErrorCode::GW9008;
use payframe_payment_service::card_keys::{ENCRYPTED_CARD, OpenedItems};
use serde_json::Value;
use std::sync::Arc;

/// The encrypted part of a call.
pub(crate) enum Encrypted {
    /// Nothing.
    Nothing,
    /// The decrypted items.
    Opened(Arc<OpenedItems>),
    /// Those of a [`TypedCard`], which has nothing to decrypt.
    Typed(Arc<OpenedItems>),
    /// An item that cannot be decrypted. It is still in the body.
    Closed,
}

/// Card number and security code of a call that a page of the gateway makes: they came to it in the body of a form. An extension of the
/// request, which no HTTP message contains.
#[derive(Clone)]
pub(super) struct TypedCard(pub(super) Arc<OpenedItems>);

impl Encrypted {
    /// Removes the item from `body`, if there is one.
    pub(super) async fn take(
        app: &App,
        caller: &Caller,
        body: &mut Value,
    ) -> Result<Encrypted, ApiError> {
        let (Caller::Frame { session_hash, .. }, Some(items)) = (caller, body.as_array_mut())
        else {
            return Ok(Encrypted::Nothing);
        };
        let is_it = |item: &Value| item.get("id").and_then(Value::as_str) == Some(ENCRYPTED_CARD);
        let Some(place) = items.iter().position(is_it) else {
            return Ok(Encrypted::Nothing);
        };
        let text = items
            .get(place)
            .and_then(|item| item.get("value")?.as_str());
        let opened = match text {
            Some(text) => app.card_keys().open(session_hash, text).await?,
            None => None,
        };
        Ok(match opened {
            Some(opened)
                if opened
                    .iter()
                    .all(|(id, _)| ENCRYPTED.contains(&id.as_str())) =>
            {
                items.remove(place);
                Encrypted::Opened(Arc::new(opened))
            }
            _ => Encrypted::Closed,
        })
    }

    /// The decrypted items.
    pub(super) fn items(&self) -> &[(String, Secret)] {
        match self {
            Encrypted::Opened(items) | Encrypted::Typed(items) => items,
            Encrypted::Nothing | Encrypted::Closed => &[],
        }
    }
}

/// Whether an input's value has to be encrypted, if the operator requires it.
pub(super) fn is_encrypted(id: &str) -> bool {
    ENCRYPTED.contains(&id)
}

/// Whether an item of this body is in clear that a frame encrypts.
pub(super) fn is_in_clear(body: &Value) -> bool {
    let id = |item: &Value| {
        item.get("id")
            .and_then(Value::as_str)
            .is_some_and(is_encrypted)
    };
    body.as_array().is_some_and(|items| items.iter().any(id))
}

/// The refusal of an item that cannot be decrypted. It does not say why decryption failed.
pub(super) fn does_not_open() -> ApiError {
    ApiError::bad(
        GW9008,
        "ENCRYPTED_CARD does not open: it has to be encrypted for this session, with the key of its page",
    )
}

/// The refusal of a value that has to be encrypted and is not.
pub(super) fn not_encrypted(id: &str) -> ApiError {
    ApiError::bad(GW9008, format!("{id} has to be encrypted"))
}

/// The ids that may be inside: inputs whose values are digits, so that no other value avoids the checks of a body.
const ENCRYPTED: [&str; 2] = ["CARD_NUMBER", "SECURITY_CODE"];
