//! A token, and what is asked of it.

use super::pin_state::PinState;
use super::{LogIn, TokenError, TokenSettings};
use cryptoki::context::{CInitializeArgs, CInitializeFlags, Pkcs11};
use cryptoki::error::{Error as CallError, RvError};
use cryptoki::mechanism::Mechanism;
use cryptoki::mechanism::aead::GcmParams;
use cryptoki::object::{Attribute, AttributeType, KeyType, ObjectClass, ObjectHandle};
use cryptoki::session::{Session, UserType};
use cryptoki::slot::Slot;
use cryptoki::types::AuthPin;
use payframe_vault::KeyWrapping;
use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use zeroize::Zeroizing;

/// A token, of which one key wraps.
pub struct Token {
    settings: TokenSettings,
    pin: AuthPin,
    log_in: LogIn,
    pkcs11: Pkcs11,
    /// The PIN was wrong, and is not tried again.
    is_wrong: AtomicBool,
}

/// What a session may do with the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

impl Token {
    /// Loads the module and finds the token. Nobody logs in yet.
    ///
    /// # Errors
    /// The module cannot be loaded, or has no such token.
    pub fn open(settings: TokenSettings, pin: &str, log_in: LogIn) -> Result<Token, TokenError> {
        let problem = |problem: CallError| TokenError::Module {
            module: settings.module.display().to_string(),
            problem: problem.to_string(),
        };
        let pkcs11 = Pkcs11::new(&settings.module).map_err(problem)?;
        let arguments = CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK);
        match pkcs11.initialize(arguments) {
            // A module begins once in a process.
            Ok(()) | Err(CallError::Pkcs11(RvError::CryptokiAlreadyInitialized, _)) => {}
            Err(refused) => return Err(problem(refused)),
        }
        let token = Token {
            settings,
            pin: AuthPin::from(pin.to_owned()),
            log_in,
            pkcs11,
            is_wrong: AtomicBool::new(false),
        };
        token.slot()?;
        Ok(token)
    }

    /// Logs in and out.
    ///
    /// # Errors
    /// The PIN is wrong or may not be tried, or the token cannot be asked.
    pub fn log_in(&self) -> Result<(), TokenError> {
        self.within(Access::Read, |_| Ok(()))
    }

    /// Makes the wrapping key: AES of 256 bits, which never leaves the token.
    ///
    /// # Errors
    /// There is a key with this label, or the token makes none.
    pub fn make_key(&self) -> Result<(), TokenError> {
        let label = &self.settings.key;
        self.within(Access::Write, |session| {
            if !session
                .find_objects(&template(label))
                .map_err(call)?
                .is_empty()
            {
                return Err(TokenError::KeyExists(label.clone()));
            }
            let attributes = [
                Attribute::Token(true),
                Attribute::Private(true),
                Attribute::Sensitive(true),
                Attribute::Extractable(false),
                Attribute::Encrypt(true),
                Attribute::Decrypt(true),
                Attribute::Label(label.as_bytes().to_vec()),
                Attribute::ValueLen(KEY_BYTES.into()),
            ];
            session
                .generate_key(&Mechanism::AesKeyGen, &attributes)
                .map(drop)
                .map_err(call)
        })
    }

    /// The slot of the token. It may be another one after the token was taken out and put in again.
    fn slot(&self) -> Result<Slot, TokenError> {
        let mut found = Vec::new();
        for slot in self.pkcs11.get_slots_with_token().map_err(call)? {
            let info = self.pkcs11.get_token_info(slot).map_err(call)?;
            if info.token_initialized() {
                found.push((info.label().trim_end().to_owned(), slot));
            }
        }
        let wanted = &self.settings.token;
        let mut fitting = found.iter().filter(|(label, _)| label == wanted);
        match (fitting.next(), fitting.next()) {
            (Some((_, slot)), None) => Ok(*slot),
            (Some(_), Some(_)) => Err(TokenError::SeveralTokens(wanted.clone())),
            (None, _) => {
                let labels: Vec<_> = found.into_iter().map(|(label, _)| label).collect();
                Err(TokenError::NoToken {
                    token: wanted.clone(),
                    found: match labels.is_empty() {
                        true => String::from("none"),
                        false => labels.join(", "),
                    },
                })
            }
        }
    }

    /// Does something while logged in.
    fn within<T>(
        &self,
        access: Access,
        work: impl FnOnce(&Session) -> Result<T, TokenError>,
    ) -> Result<T, TokenError> {
        // Nothing is left half done if a thread panics.
        let _one_at_a_time = LOGGED_IN.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_wrong.load(Ordering::SeqCst) {
            return Err(TokenError::WrongPin);
        }
        let slot = self.slot()?;
        let info = self.pkcs11.get_token_info(slot).map_err(call)?;
        PinState::of(&info).check(self.log_in)?;
        let session = match access {
            Access::Read => self.pkcs11.open_ro_session(slot),
            Access::Write => self.pkcs11.open_rw_session(slot),
        };
        let session = session.map_err(call)?;
        if let Err(refused) = session.login(UserType::User, Some(&self.pin)) {
            let refused = log_in_refused(refused);
            let is_wrong = refused == TokenError::WrongPin;
            self.is_wrong.store(is_wrong, Ordering::SeqCst);
            return Err(refused);
        }
        let done = work(&session);
        // The end of the session logs out too.
        drop(session.logout());
        done
    }

    /// Encrypts or decrypts with a key of the token.
    fn with_key<T>(
        &self,
        label: &str,
        work: impl FnOnce(&Session, ObjectHandle) -> Result<T, TokenError>,
    ) -> Result<T, TokenError> {
        self.within(Access::Read, |session| {
            let keys = session.find_objects(&template(label)).map_err(call)?;
            let key = match keys.as_slice() {
                [key] => *key,
                [] => return Err(TokenError::NoKey(label.to_owned())),
                _ => return Err(TokenError::SeveralKeys(label.to_owned())),
            };
            let asked = [AttributeType::Sensitive, AttributeType::Extractable];
            let attributes = session.get_attributes(key, &asked).map_err(call)?;
            let stays = attributes.contains(&Attribute::Sensitive(true))
                && attributes.contains(&Attribute::Extractable(false));
            match stays {
                true => work(session, key),
                false => Err(TokenError::KeyMayLeave(label.to_owned())),
            }
        })
    }

    fn encrypted(&self, key: &[u8]) -> Result<Vec<u8>, TokenError> {
        let label = &self.settings.key;
        let mut nonce = payframe_vault::random::<NONCE>()
            .map_err(|problem| TokenError::Call(problem.to_string()))?;
        let ciphertext = self.with_key(label, |session, handle| {
            let purpose = purpose(label);
            let parameters = GcmParams::new(&mut nonce, purpose.as_bytes(), TAG_BITS.into());
            let mechanism = Mechanism::AesGcm(parameters.map_err(call)?);
            session.encrypt(&mechanism, handle, key).map_err(call)
        })?;
        // Read afterwards: some tokens take a nonce of their own and tell it here.
        Ok([&nonce[..], &ciphertext].concat())
    }

    fn decrypted(&self, label: &str, wrapped: &[u8]) -> Result<Zeroizing<Vec<u8>>, TokenError> {
        let not_wrapped = || TokenError::NotWrappedByIt(label.to_owned());
        let (nonce, ciphertext) = wrapped.split_at_checked(NONCE).ok_or_else(not_wrapped)?;
        let mut nonce = nonce.to_vec();
        self.with_key(label, |session, handle| {
            let purpose = purpose(label);
            let parameters = GcmParams::new(&mut nonce, purpose.as_bytes(), TAG_BITS.into());
            let mechanism = Mechanism::AesGcm(parameters.map_err(call)?);
            match session.decrypt(&mechanism, handle, ciphertext) {
                Ok(key) => Ok(Zeroizing::new(key)),
                // Modules name a wrong tag in several ways.
                Err(CallError::Pkcs11(
                    RvError::EncryptedDataInvalid
                    | RvError::EncryptedDataLenRange
                    | RvError::GeneralError,
                    _,
                )) => Err(not_wrapped()),
                Err(other) => Err(call(other)),
            }
        })
    }
}

impl KeyWrapping for Token {
    fn name(&self) -> &str {
        &self.settings.key
    }

    fn wrap(&self, key: &[u8]) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
        Ok(self.encrypted(key)?)
    }

    fn unwrap(
        &self,
        name: &str,
        wrapped: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Box<dyn Error + Send + Sync>> {
        Ok(self.decrypted(name, wrapped)?)
    }
}

fn template(label: &str) -> [Attribute; 3] {
    [
        Attribute::Class(ObjectClass::SECRET_KEY),
        Attribute::KeyType(KeyType::AES),
        Attribute::Label(label.as_bytes().to_vec()),
    ]
}

/// What a wrapped key is bound to: nothing else that the token has encrypted is taken for one.
fn purpose(label: &str) -> String {
    format!("payframe vault key, wrapped by {label}")
}

fn log_in_refused(problem: CallError) -> TokenError {
    match problem {
        CallError::Pkcs11(
            RvError::PinIncorrect | RvError::PinInvalid | RvError::PinLenRange,
            _,
        ) => TokenError::WrongPin,
        CallError::Pkcs11(RvError::PinLocked, _) => TokenError::Locked,
        CallError::Pkcs11(RvError::PinExpired | RvError::UserPinNotInitialized, _) => {
            TokenError::PinToBeSet
        }
        other => call(other),
    }
}

fn call(problem: impl std::fmt::Display) -> TokenError {
    TokenError::Call(problem.to_string())
}

/// A log-in is the whole process's, for all its sessions.
static LOGGED_IN: Mutex<()> = Mutex::new(());

const KEY_BYTES: u64 = 32;
const NONCE: usize = 12;
const TAG_BITS: u64 = 128;
