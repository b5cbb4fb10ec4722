//! The item of a submission that stands for those that the frame has encrypted: taken out of the body before anything
//! else is done with it, so that what it held is in no document, and a repetition that was encrypted anew is recognised.

use super::caller::Caller;
use super::error::ApiError;
use crate::App;
use payframe_card_rules::secret::Secret;
use payframe_error_codes::ErrorCode::GW9008;
use payframe_payment_service::card_keys::{ENCRYPTED_CARD, OpenedItems};
use serde_json::Value;

/// What came encrypted with a call.
pub(crate) enum Encrypted {
    /// Nothing.
    Nothing,
    /// These items.
    Opened(OpenedItems),
    /// Something that does not open. It is still in the body.
    Closed,
}

impl Encrypted {
    /// Takes it out of `body`, if there is something in it.
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
                Encrypted::Opened(opened)
            }
            _ => Encrypted::Closed,
        })
    }

    /// The items that were opened.
    pub(super) fn items(&self) -> &[(String, Secret)] {
        match self {
            Encrypted::Opened(items) => items,
            Encrypted::Nothing | Encrypted::Closed => &[],
        }
    }
}

/// Whether an input's value has to be encrypted, where the operator wants that.
pub(super) fn is_encrypted(id: &str) -> bool {
    ENCRYPTED.contains(&id)
}

/// The refusal of what does not open. Which of the reasons it is, nobody is told.
pub(super) fn does_not_open() -> ApiError {
    ApiError::bad(
        GW9008,
        "ENCRYPTED_CARD does not open: it has to be encrypted for this session, with the key of its page",
    )
}

/// The refusal of what has to be encrypted and is not.
pub(super) fn not_encrypted(id: &str) -> ApiError {
    ApiError::bad(GW9008, format!("{id} has to be encrypted"))
}

/// What may be inside: nothing but digits, so that nothing else gets past what is looked for in a body.
const ENCRYPTED: [&str; 2] = ["CARD_NUMBER", "SECURITY_CODE"];
