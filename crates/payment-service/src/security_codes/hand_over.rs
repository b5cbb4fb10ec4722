//! How a process gets a security code that another process has: it asks all of them, and the one that has the code hands it over and keeps nothing.
//!
//! Question and answer travel as messages through the database server ([`payframe_storage::peers`]), which may write them to its disk. So each message is
//! encrypted by the vault, and the code in it also for a key that the asking process makes for this question and forgets with the answer (HPKE, RFC 9180).
//! Nobody can decrypt it afterwards, whoever has the vault's keys.

use super::SecurityCodes;
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use hpke::aead::AesGcm256;
use hpke::kdf::HkdfSha256;
use hpke::kem::DhP256HkdfSha256;
use hpke::rand_core::{CryptoRng, SeedableRng};
use hpke::{Deserializable, HpkeError, Kem as _, OpModeR, OpModeS, Serializable};
use payframe_card_rules::security_code::SecurityCode;
use payframe_payment_ports::Vault;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use tokio::sync::{oneshot, watch};
use uuid::Uuid;
use zeroize::Zeroizing;

/// The questions of this process that wait for their answers.
#[derive(Default)]
pub(crate) struct Questions {
    waiting: Mutex<HashMap<QuestionId, Waiting>>,
    /// Whether this process hears the others. Otherwise no answer arrives, and none is awaited.
    pub(crate) listens: watch::Sender<bool>,
}

struct Waiting {
    session_hash: String,
    key: PrivateKey,
    answer: oneshot::Sender<SecurityCode>,
}

/// What processes send each other.
#[derive(Serialize, Deserialize)]
enum Message {
    /// Who has the code of this session? It is to be encrypted for this key.
    Wanted {
        question: QuestionId,
        session_hash: String,
        key: Vec<u8>,
    },
    /// The code.
    Given {
        question: QuestionId,
        encapsulated: Vec<u8>,
        code: Vec<u8>,
    },
}

/// Why a message could not be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HandOverError {
    /// The vault has no key.
    #[error(transparent)]
    Vault(#[from] payframe_payment_ports::vault::VaultError),
    /// The code could not be encrypted for the process that asks.
    #[error("HPKE: {0}")]
    Hpke(HpkeError),
    /// The operating system gives no random bytes.
    #[error("no random bytes")]
    Random,
}

impl Questions {
    /// A new question: the message to send, and where the answer arrives.
    pub(crate) fn ask(
        &self,
        vault: &dyn Vault,
        session_hash: &str,
    ) -> Result<(Asked<'_>, String), HandOverError> {
        let (private, public) = Kem::gen_keypair(&mut random()?);
        let question = Uuid::new_v4().into_bytes();
        let message = Message::Wanted {
            question,
            session_hash: session_hash.to_owned(),
            key: public.to_bytes().to_vec(),
        };
        let text = message.encrypt(vault)?;
        let (answer, arriving) = oneshot::channel();
        let waiting = Waiting {
            session_hash: session_hash.to_owned(),
            key: private,
            answer,
        };
        self.waiting().insert(question, waiting);
        let asked = Asked {
            questions: self,
            question,
            arriving,
        };
        Ok((asked, text))
    }

    /// Hears a message of any process. Returns the answer to send, if this process has what another one wants.
    pub(crate) fn hear(
        &self,
        vault: &dyn Vault,
        codes: &SecurityCodes,
        text: &str,
    ) -> Result<Option<String>, HandOverError> {
        match Message::decrypt(vault, text) {
            Some(Message::Wanted {
                question,
                session_hash,
                key,
            }) => {
                let Some(code) = codes.find(&session_hash) else {
                    return Ok(None);
                };
                let answer = given(question, &session_hash, &key, &code)?.encrypt(vault)?;
                codes.forget(&session_hash);
                Ok(Some(answer))
            }
            Some(Message::Given {
                question,
                encapsulated,
                code,
            }) => {
                let waiting = self.waiting().remove(&question);
                if let Some(waiting) = waiting
                    && let Some(code) = waiting.open(question, &encapsulated, &code)
                {
                    // Whoever asked may have stopped waiting.
                    let _ = waiting.answer.send(code);
                }
                Ok(None)
            }
            None => Ok(None),
        }
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, HashMap<QuestionId, Waiting>> {
        // A panic during the lock cannot leave the map inconsistent: each change is one call.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A question that was asked. It is withdrawn when this is dropped, and its key with it.
pub(crate) struct Asked<'a> {
    questions: &'a Questions,
    question: QuestionId,
    arriving: oneshot::Receiver<SecurityCode>,
}

impl Asked<'_> {
    /// The code, once it arrives.
    pub(crate) async fn answer(&mut self) -> Option<SecurityCode> {
        (&mut self.arriving).await.ok()
    }
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        self.questions.waiting().remove(&self.question);
    }
}

impl Waiting {
    fn open(&self, question: QuestionId, encapsulated: &[u8], code: &[u8]) -> Option<SecurityCode> {
        let encapsulated = <Kem as hpke::Kem>::EncappedKey::from_bytes(encapsulated).ok()?;
        let opened = hpke::single_shot_open::<AesGcm256, HkdfSha256, Kem>(
            &OpModeR::Base,
            &self.key,
            &encapsulated,
            INFO,
            code,
            &belongs_to(question, &self.session_hash),
        );
        let opened = Zeroizing::new(opened.ok()?);
        let text = std::str::from_utf8(&opened).ok()?;
        SecurityCode::parse(text, None).ok().flatten()
    }
}

fn given(
    question: QuestionId,
    session_hash: &str,
    key: &[u8],
    code: &SecurityCode,
) -> Result<Message, HandOverError> {
    let key = <Kem as hpke::Kem>::PublicKey::from_bytes(key).map_err(HandOverError::Hpke)?;
    let (encapsulated, code) = hpke::single_shot_seal::<AesGcm256, HkdfSha256, Kem, _>(
        &OpModeS::Base,
        &key,
        INFO,
        // Exposed to be encrypted for the process that makes the payment.
        code.expose().as_bytes(),
        &belongs_to(question, session_hash),
        &mut random()?,
    )
    .map_err(HandOverError::Hpke)?;
    Ok(Message::Given {
        question,
        encapsulated: encapsulated.to_bytes().to_vec(),
        code,
    })
}

/// An answer fits this question and this session only.
fn belongs_to(question: QuestionId, session_hash: &str) -> Vec<u8> {
    [question.as_slice(), session_hash.as_bytes()].concat()
}

impl Message {
    fn encrypt(&self, vault: &dyn Vault) -> Result<String, HandOverError> {
        // The members are texts and bytes, which JSON always has.
        let plain = serde_json::to_vec(self).unwrap_or_default();
        Ok(STANDARD_NO_PAD.encode(vault.encrypt(&plain, OWNER)?))
    }

    /// `None`: it is not from a process with the same vault.
    fn decrypt(vault: &dyn Vault, text: &str) -> Option<Message> {
        let encrypted = STANDARD_NO_PAD.decode(text).ok()?;
        let plain = vault.decrypt(&encrypted, OWNER).ok()?;
        serde_json::from_slice(&plain).ok()
    }
}

/// The operating system's random bytes, as HPKE takes them: all that is needed are read at once, because reading can fail.
fn random() -> Result<impl CryptoRng, HandOverError> {
    let mut seed = Zeroizing::new([0; 32]);
    getrandom::fill(seed.as_mut_slice()).map_err(|_| HandOverError::Random)?;
    Ok(rand_chacha::ChaCha20Rng::from_seed(*seed))
}

type QuestionId = [u8; 16];
type Kem = DhP256HkdfSha256;
type PrivateKey = <Kem as hpke::Kem>::PrivateKey;

const INFO: &[u8] = b"payframe security code";
const OWNER: &str = "messages between processes";

#[cfg(test)]
mod tests;
