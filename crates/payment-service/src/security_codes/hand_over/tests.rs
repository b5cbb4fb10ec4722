//! Tests of what processes tell each other, and of who can read it.

use super::*;
use payframe_payment_ports::vault::{DecryptionError, VaultError};
use std::time::Duration;

/// A vault that encrypts nothing and knows its own values. What a reader of its keys would see is what it is given.
struct OpenVault(&'static [u8]);

impl Vault for OpenVault {
    fn encrypt(&self, content: &[u8], belongs_to: &str) -> Result<Vec<u8>, VaultError> {
        Ok([self.0, belongs_to.as_bytes(), content].concat())
    }

    fn decrypt(
        &self,
        encrypted: &[u8],
        belongs_to: &str,
    ) -> Result<Zeroizing<Vec<u8>>, DecryptionError> {
        let front = [self.0, belongs_to.as_bytes()].concat();
        let content = encrypted.strip_prefix(front.as_slice());
        Ok(Zeroizing::new(content.ok_or(DecryptionError)?.to_vec()))
    }

    fn page_token(&self, subject: &str) -> String {
        subject.to_owned()
    }

    fn fingerprint(&self, _parts: &[&[u8]]) -> String {
        String::new()
    }

    fn card_id(&self, _merchant_id: &str, _card: &[&str]) -> String {
        String::new()
    }

    fn api_key_hash(&self, api_key: &str) -> String {
        api_key.to_owned()
    }
}

const VAULT: OpenVault = OpenVault(b"ours ");

/// A process with the code of `session-1`.
fn keeper() -> (Questions, SecurityCodes) {
    let codes = SecurityCodes::new(Duration::from_secs(3600));
    codes.keep("session-1", SecurityCode::parse("739", None).unwrap());
    (Questions::default(), codes)
}

/// A process without a code.
fn other() -> (Questions, SecurityCodes) {
    (
        Questions::default(),
        SecurityCodes::new(Duration::from_secs(3600)),
    )
}

#[tokio::test]
async fn a_code_goes_to_the_process_that_asks_and_leaves_the_one_that_had_it() {
    let (asking, none) = other();
    let (keeping, codes) = keeper();
    let (third, nothing) = other();
    let (mut asked, question) = asking.ask(&VAULT, "session-1").unwrap();
    // Every process hears every message, its own too.
    assert_eq!(asking.hear(&VAULT, &none, &question).unwrap(), None);
    assert_eq!(third.hear(&VAULT, &nothing, &question).unwrap(), None);
    let answer = keeping.hear(&VAULT, &codes, &question).unwrap().unwrap();
    assert!(codes.find("session-1").is_none());
    for (questions, codes) in [(&third, &nothing), (&keeping, &codes), (&asking, &none)] {
        assert_eq!(questions.hear(&VAULT, codes, &answer).unwrap(), None);
    }
    let code = asked.answer().await.unwrap();
    // Exposed because the test compares it with its own.
    assert_eq!(code.expose(), "739");
    // A second copy of the question finds nothing more.
    assert_eq!(keeping.hear(&VAULT, &codes, &question).unwrap(), None);
}

#[test]
fn the_keys_of_the_vault_do_not_show_a_code() {
    let (asking, _) = other();
    let (keeping, codes) = keeper();
    let (_asked, question) = asking.ask(&VAULT, "session-1").unwrap();
    let answer = keeping.hear(&VAULT, &codes, &question).unwrap().unwrap();
    let shown = STANDARD_NO_PAD.decode(&answer).unwrap();
    let Some(Message::Given { code, .. }) = Message::decrypt(&VAULT, &answer) else {
        panic!("no answer");
    };
    assert_eq!(code.len(), 3 + 16, "three digits and the tag of AES-GCM");
    assert!(!shown.windows(3).any(|bytes| bytes == b"739"));
    // Another question of the same process has another key.
    let (_again, second) = asking.ask(&VAULT, "session-1").unwrap();
    let keys = [&question, &second].map(|text| match Message::decrypt(&VAULT, text) {
        Some(Message::Wanted { key, .. }) => key,
        _ => panic!("no question"),
    });
    assert_ne!(keys[0], keys[1]);
}

#[test]
fn another_vault_is_neither_heard_nor_answered() {
    let (asking, _) = other();
    let (keeping, codes) = keeper();
    let foreign = OpenVault(b"theirs ");
    let (_asked, question) = asking.ask(&foreign, "session-1").unwrap();
    for text in [question.as_str(), "", "4111", "%%%"] {
        assert_eq!(keeping.hear(&VAULT, &codes, text).unwrap(), None, "{text}");
    }
    assert!(codes.find("session-1").is_some());
}

#[tokio::test]
async fn an_answer_to_another_question_or_of_another_session_is_not_taken() {
    let (asking, none) = other();
    let (_, codes) = keeper();
    let (mut asked, text) = asking.ask(&VAULT, "session-1").unwrap();
    // With the key of the question, so that only what the answer belongs to is wrong.
    let Some(Message::Wanted { key, .. }) = Message::decrypt(&VAULT, &text) else {
        panic!("no question");
    };
    let code = codes.find("session-1").unwrap();
    for (question, session) in [([0; 16], "session-1"), (asked.question, "session-2")] {
        let answer = given(question, session, &key, &code).unwrap();
        let text = answer.encrypt(&VAULT).unwrap();
        assert_eq!(asking.hear(&VAULT, &none, &text).unwrap(), None);
    }
    assert!(asked.answer().await.is_none());
}

#[test]
fn a_question_that_is_given_up_leaves_nothing() {
    let (asking, _) = other();
    let (asked, _) = asking.ask(&VAULT, "session-1").unwrap();
    assert_eq!(asking.waiting().len(), 1);
    drop(asked);
    assert_eq!(asking.waiting().len(), 0);
}
