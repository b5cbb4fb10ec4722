//! Passwords of members: which are accepted, how they are made, stored and compared.
//!
//! An argon2id hash is stored. Hashing takes memory and time on purpose, so it runs on threads apart from the tasks that serve calls,
//! a few at a time.

use argon2::password_hash::{Output, PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{Argon2, Params};
use payframe_vault::KeyringError;
use thiserror::Error;
use tokio::sync::Semaphore;
use zeroize::Zeroizing;
use zxcvbn::{Score, zxcvbn};

/// A password that meets the rules.
pub struct Password(Zeroizing<String>);

/// Why a password is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PasswordError {
    /// It has fewer characters than a password needs.
    #[error("A password has at least {SHORTEST} characters.")]
    Short,
    /// It has more bytes than are hashed.
    #[error("A password has at most {LONGEST} bytes.")]
    Long,
    /// It is one of the first that somebody would try.
    #[error(
        "This password is easy to guess. Take several words that nobody would say together, or have a password made for you."
    )]
    Guessable,
    /// It was in a leak ([`super::leaked_passwords`]).
    #[error(
        "This password was in a leak, and whoever guesses tries it. Take several words that nobody would say together, or have a password made for you."
    )]
    Leaked,
    /// It is the member's e-mail address or name.
    #[error("A password is not your e-mail address or your name.")]
    Own,
}

impl Password {
    /// Accepts or refuses a password for a member with this e-mail address and name.
    pub fn parse(text: &str, email: &str, name: &str) -> Result<Password, PasswordError> {
        if text.chars().count() < SHORTEST {
            return Err(PasswordError::Short);
        }
        if text.len() > LONGEST {
            return Err(PasswordError::Long);
        }
        let lower = text.to_lowercase();
        if lower == email.to_lowercase() || lower == name.to_lowercase() {
            return Err(PasswordError::Own);
        }
        if zxcvbn(text, &[email, name]).score() < WEAKEST {
            return Err(PasswordError::Guessable);
        }
        Ok(Password(Zeroizing::new(text.to_owned())))
    }

    /// A new password with 100 random bits, in letters and digits that cannot be confused.
    pub fn generate() -> Result<Password, KeyringError> {
        Ok(Password(readable::<GENERATED>()?))
    }

    /// For the page or the command that shows it once.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The hash to store. It has the salt of another hash, if there is one: those of one e-mail address share their salt, so that
    /// [`matching`] computes one hash for all of them.
    pub async fn hash(&self, other: Option<&str>) -> Result<String, KeyringError> {
        let text = self.0.clone();
        let salt = match other.and_then(salt_of) {
            Some(salt) => salt,
            None => new_salt()?,
        };
        beside(move || hash_with(&text, &salt))
            .await
            .unwrap_or(Err(KeyringError::Random))
    }
}

/// Random letters and digits that cannot be confused, five bits each, in groups of four.
pub(crate) fn readable<const LENGTH: usize>() -> Result<Zeroizing<String>, KeyringError> {
    let secret = Zeroizing::new(payframe_vault::random::<LENGTH>()?);
    let mut text = Zeroizing::new(String::with_capacity(LENGTH + LENGTH / GROUP));
    for (place, byte) in secret.iter().enumerate() {
        if place > 0 && place % GROUP == 0 {
            text.push('-');
        }
        text.push(char::from(LETTERS[usize::from(*byte) % LETTERS.len()]));
    }
    Ok(text)
}

/// Whether a typed password is the stored one. Without a stored one this takes the same time and answers no.
pub async fn matches(typed: String, kept: Option<String>) -> bool {
    let typed = Zeroizing::new(typed);
    beside(move || {
        let is_there = kept.is_some();
        let kept = kept.as_deref().unwrap_or(NOBODYS);
        let good = PasswordHash::new(kept).is_ok_and(|hash| {
            Argon2::default()
                .verify_password(typed.as_bytes(), &hash)
                .is_ok()
        });
        good && is_there
    })
    .await
    .unwrap_or(false)
}

/// Which of the stored passwords a typed one is. Without a stored one this takes the same time as with one or with several of one e-mail
/// address, whose hashes share their salt.
pub async fn matching(typed: String, kept: Vec<String>) -> Vec<bool> {
    let typed = Zeroizing::new(typed);
    beside(move || {
        let nobodys = [String::from(NOBODYS)];
        let compared = if kept.is_empty() { &nobodys[..] } else { &kept };
        let mut computed: Vec<(String, Option<Output>)> = Vec::new();
        let mut same = Vec::new();
        for text in compared {
            let Ok(hash) = PasswordHash::new(text) else {
                same.push(false);
                continue;
            };
            // All but the hash: the costs and the salt.
            let beginning = text
                .rsplit_once('$')
                .map_or(text.as_str(), |(start, _)| start);
            let known = computed.iter().find(|(known, _)| known == beginning);
            let output = match known {
                Some((_, output)) => *output,
                None => {
                    let output = output_like(&typed, &hash);
                    computed.push((beginning.to_owned(), output));
                    output
                }
            };
            same.push(output.is_some() && output == hash.hash);
        }
        same.truncate(kept.len());
        same
    })
    .await
    .unwrap_or_default()
}

/// The hash of a text with the costs and the salt of another one.
fn output_like(text: &str, other: &PasswordHash<'_>) -> Option<Output> {
    let params = Params::try_from(other).ok()?;
    let hash = Argon2::default().hash_password_customized(
        text.as_bytes(),
        Some(other.algorithm),
        other.version,
        params,
        other.salt?,
    );
    hash.ok()?.hash
}

fn salt_of(hash: &str) -> Option<SaltString> {
    let hash = PasswordHash::new(hash).ok()?;
    SaltString::from_b64(hash.salt?.as_str()).ok()
}

fn new_salt() -> Result<SaltString, KeyringError> {
    let salt = payframe_vault::random::<SALT>()?;
    SaltString::encode_b64(&salt).map_err(|_| KeyringError::Random)
}

fn hash_with(text: &str, salt: &SaltString) -> Result<String, KeyringError> {
    let hash = Argon2::default().hash_password(text.as_bytes(), salt);
    Ok(hash.map_err(|_| KeyringError::TooLong)?.to_string())
}

/// A hash with the costs and the salt of another one, which no password matches.
pub(crate) fn ended(hash: &str) -> String {
    let costs_and_salt = hash.rsplit_once('$').map(|(start, _)| start);
    let output = NOBODYS.rsplit_once('$').map(|(_, output)| output);
    match (costs_and_salt, output) {
        (Some(start), Some(output)) => format!("{start}${output}"),
        _ => String::from(NOBODYS),
    }
}

/// Runs slow work apart from the tasks that serve calls. `None`: it panicked, or the process ends.
async fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    // The semaphore is never closed, so there is no error.
    let _turn = AT_ONCE.acquire().await;
    tokio::task::spawn_blocking(work).await.ok()
}

/// The hash to compare with if no member has the address: it costs the same time and no password matches it.
const NOBODYS: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Each takes 19 MiB and a core.
static AT_ONCE: Semaphore = Semaphore::const_new(2);

/// At least 10^8 guesses, to which an argon2id hash adds its own cost.
const WEAKEST: Score = Score::Three;

const SHORTEST: usize = 12;
const LONGEST: usize = 256;
const SALT: usize = 16;
/// There are 32 letters, so the remainder of a byte has no bias: five bits each.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
const GENERATED: usize = 20;
const GROUP: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_long_hard_to_guess_and_not_the_members_name() {
        let check = |text: &str, expected: Option<PasswordError>| {
            let refused = Password::parse(text, "anna@shop.example", "Anna Maria Rossi").err();
            assert_eq!(refused, expected, "{text}");
        };
        check("elevenchars", Some(PasswordError::Short));
        check("twelve chars", None);
        check("ünïcödé wörd", None);
        let words = "lamp orbit quince ".repeat(15);
        check(&words[..256], None);
        check(&words[..257], Some(PasswordError::Long));
        for guessable in [
            "aaaaaaaaaaaa",
            "password1234",
            "            ",
            "qwertyuiop12",
            "123456789012",
            "anna@shop.example1",
            "rossirossi12",
        ] {
            check(guessable, Some(PasswordError::Guessable));
        }
        check("Anna@Shop.example", Some(PasswordError::Own));
        check("anna maria rossi", Some(PasswordError::Own));
    }

    #[tokio::test]
    async fn a_generated_password_is_recognised_and_no_other_is() {
        let password = Password::generate().unwrap();
        let text = password.expose().to_owned();
        assert_eq!(text.len(), 24, "{text}");
        assert!(text.split('-').all(|group| group.len() == 4), "{text}");
        assert_ne!(Password::generate().unwrap().expose(), text);
        let hash = password.hash(None).await.unwrap();
        let costs = |hash: &str| hash.split('$').take(4).collect::<Vec<_>>().join("$");
        assert_eq!(
            costs(&hash),
            costs(NOBODYS),
            "an unknown address takes as long"
        );
        let ended = ended(&hash);
        assert_eq!(salt_of(&ended), salt_of(&hash));
        assert!(!matches(password.expose().to_owned(), Some(ended)).await);
        assert!(matches(password.expose().to_owned(), Some(hash.clone())).await);
        assert_ne!(password.hash(None).await.unwrap(), hash, "salted");
        assert_eq!(password.hash(Some(&hash)).await.unwrap(), hash);
        let other = Password::generate()
            .unwrap()
            .hash(Some(&hash))
            .await
            .unwrap();
        let kept = vec![other, hash.clone(), password.hash(None).await.unwrap()];
        assert_eq!(matching(text.clone(), kept).await, [false, true, true]);
        assert!(matching(text.clone(), Vec::new()).await.is_empty());
        assert!(matches(text.clone(), Some(hash.clone())).await);
        assert!(!matches(format!("{text}x"), Some(hash)).await);
        assert!(!matches(text, None).await);
    }
}
