//! A session's card as it lies in the vault.

use super::error::PaymentError;
use crate::store::sessions::SessionRow;
use crate::vault::Vault;
use payframe_card_rules::secret::Secret;
use zeroize::Zeroizing;

/// What only the acquirer needs of a card. The security code is not in it, only whether there was one.
pub(crate) struct SealedCard {
    pub(crate) number: Secret,
    pub(crate) security_code_given: bool,
}

impl SealedCard {
    /// The same card for a call that goes without its security code.
    pub(crate) fn without_code(&self) -> SealedCard {
        SealedCard {
            // Exposed to be sealed once more.
            number: Secret::new(self.number.expose().to_owned()),
            security_code_given: false,
        }
    }

    /// Seals the card for a session.
    pub(crate) fn seal(&self, vault: &Vault, session_hash: &str) -> Result<Vec<u8>, PaymentError> {
        // Exposed to be sealed.
        let mut content = Zeroizing::new(Vec::with_capacity(32));
        content.push(if self.security_code_given {
            GIVEN
        } else {
            NOT_GIVEN
        });
        content.extend_from_slice(self.number.expose().as_bytes());
        Ok(vault.seal(&content, &belongs_to(session_hash))?)
    }

    /// The card of a session, while there is one.
    pub(crate) fn of(vault: &Vault, row: &SessionRow) -> Result<Option<SealedCard>, PaymentError> {
        let sealed = row.sealed_card.as_deref();
        sealed
            .map(|sealed| SealedCard::open(vault, &row.hash, sealed))
            .transpose()
    }

    /// Opens a card that was sealed for this owner.
    pub(crate) fn open(
        vault: &Vault,
        session_hash: &str,
        sealed: &[u8],
    ) -> Result<SealedCard, PaymentError> {
        let unreadable = PaymentError::Vault("a sealed card does not open");
        let Ok(content) = vault.open_sealed(sealed, &belongs_to(session_hash)) else {
            return Err(unreadable);
        };
        match content.split_first() {
            Some((flag, digits)) if digits.iter().all(u8::is_ascii_digit) => {
                let mut number = String::with_capacity(digits.len());
                number.extend(digits.iter().map(|digit| char::from(*digit)));
                Ok(SealedCard {
                    number: Secret::new(number),
                    security_code_given: *flag == GIVEN,
                })
            }
            _ => Err(unreadable),
        }
    }
}

/// What the card of a session is sealed for.
pub(crate) fn belongs_to(session_hash: &str) -> String {
    format!("card of {session_hash}")
}

const GIVEN: u8 = b'+';
const NOT_GIVEN: u8 = b'-';
