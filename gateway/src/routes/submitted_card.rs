//! The items of a card that a frame submits, as they are sent: their ids and lengths are checked here, their values where the card is taken.

use super::call::Call;
use super::encrypted_card::{Encrypted, does_not_open, is_encrypted, not_encrypted};
use super::error::ApiError;
use super::query::text_of;
use super::requests::Part;
use super::requests::frame::SubmittedItem;
use payframe_card_rules::secret::Secret;
use payframe_error_codes::ErrorCode::PS0026;
use payframe_payment_domain::card::NetworkChooser;
use payframe_payment_domain::terms::{CardField, Terminal};
use payframe_payment_service::card_entry::{
    BILLING_ITEMS, CONTRACT_CONSENT, CURRENCY_OFFER, CardEntry, INSTALLMENTS, PREFERRED_NETWORK,
    PROOF_OF_WORK, SAVED_CARD, SHOWN_SUM,
};
use payframe_payment_service::proofs::ProofOfWork;

/// Reads a submission.
pub(super) fn read_entry(
    call: &Call,
    terminal: &Terminal,
    require_encryption: bool,
) -> Result<CardEntry, ApiError> {
    let malformed = || ApiError::bad(PS0026, "the body must be an array of {id, value}");
    let repeated = || ApiError::bad(PS0026, "id must not be repeated");
    let too_long = || ApiError::bad(PS0026, "value must have at most 1024 bytes");
    let sent = call.body.as_array().ok_or_else(malformed)?;
    if let Encrypted::Closed = call.encrypted {
        return Err(does_not_open());
    }
    let mut proof = match call.encrypted {
        Encrypted::Typed(_) => ProofOfWork::Impossible,
        _ => ProofOfWork::None,
    };
    let mut items: Vec<(String, Secret)> = Vec::new();
    let mut take = |id: &str, value: &str| {
        if !is_input(terminal, id) && !BESIDE.contains(&id) && !BILLING_ITEMS.contains(&id) {
            return Err(ApiError::bad(PS0026, "id must be an input of this session"));
        }
        if items.iter().any(|(known, _)| known == id) {
            return Err(repeated());
        }
        if value.len() > LONGEST_VALUE {
            return Err(too_long());
        }
        items.push((id.to_owned(), Secret::new(value.to_owned())));
        Ok(())
    };
    for (id, value) in call.encrypted.items() {
        // The value is exposed to be checked.
        take(id, value.expose())?;
    }
    // A client that knows only the contract's members sends a choice only if the buyer made one.
    let mut network_chosen_by = NetworkChooser::Buyer;
    for item in sent {
        let item: Part<SubmittedItem> = Part::of(item);
        let item = item.members();
        let id = text_of(&item.id).ok_or_else(malformed)?;
        let value = text_of(&item.value).ok_or_else(malformed)?;
        if id == PROOF_OF_WORK {
            if value.len() > LONGEST_VALUE {
                return Err(too_long());
            }
            if let ProofOfWork::Solution(_) = proof {
                return Err(repeated());
            }
            proof = ProofOfWork::Solution(value.to_owned());
            continue;
        }
        take(id, value)?;
        if require_encryption && is_encrypted(id) {
            return Err(not_encrypted(id));
        }
        let chooser = match item.chosen_by.sent() {
            None => None,
            Some(chooser) => Some(
                chooser
                    .as_str()
                    .and_then(NetworkChooser::from_code)
                    .ok_or_else(|| ApiError::bad(PS0026, "chosenBy must be BUYER or DEFAULT"))?,
            ),
        };
        if let (PREFERRED_NETWORK, Some(chooser)) = (id, chooser) {
            network_chosen_by = chooser;
        }
    }
    Ok(CardEntry {
        items,
        network_chosen_by,
        proof,
    })
}

/// Whether this is an input of the terminal's sessions.
pub(super) fn is_input(terminal: &Terminal, id: &str) -> bool {
    CardField::from_id(id).is_some_and(|field| terminal.card_fields.contains(&field))
}

/// Items that are sent with the inputs (contract 5.3).
const BESIDE: [&str; 6] = [
    PREFERRED_NETWORK,
    CURRENCY_OFFER,
    INSTALLMENTS,
    SAVED_CARD,
    CONTRACT_CONSENT,
    SHOWN_SUM,
];

const LONGEST_VALUE: usize = 1024;
