//! What an entry of the audit log says, and the hash of it that [`super::audit_chain`] links. What is hashed must not change: collectors of
//! logs check it.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The content of an entry, as it is hashed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The merchant of the action.
    pub merchant_id: String,
    /// The member who did it.
    pub member_id: Option<String>,
    /// The address of the member's browser, or of the merchant's server. Empty: unknown.
    pub address: Option<String>,
    /// The user of the operating system who gave the command.
    pub os_user: Option<String>,
    /// The id of the key with which the API was called.
    pub key_id: Option<String>,
    /// The time of the action.
    pub at_ms: i64,
    /// The code of the kind of action, also one that this version does not know.
    pub act: String,
    /// The object of the action.
    pub subject: String,
    /// Details, as text.
    pub detail: String,
}

impl Content {
    /// The hash of an entry with this content behind the entry with the hash `previous`: of a JSON array without white space.
    pub(crate) fn hash(&self, previous: &str) -> String {
        let mut array = vec![
            json!(FORMAT),
            json!(previous),
            json!(self.merchant_id),
            json!(self.member_id),
            json!(self.address),
            json!(self.os_user),
            json!(self.at_ms),
            json!(self.act),
            json!(self.subject),
            json!(self.detail),
        ];
        // Entries without a key are hashed as they were before there were entries with one.
        if let Some(key_id) = &self.key_id {
            array[0] = json!(FORMAT_WITH_KEY);
            array.push(json!(key_id));
        }
        let digest = Sha256::digest(Value::from(array).to_string());
        hex::encode(digest)
    }
}

/// What is hashed, and in which order. Another order would have another name.
const FORMAT: &str = "payframe audit 1";

/// The same, with the key's id as the last member.
const FORMAT_WITH_KEY: &str = "payframe audit 2";

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Any hash.
    const PREVIOUS: &str = "0";

    pub(crate) fn content() -> Content {
        Content {
            merchant_id: String::from("demo"),
            member_id: None,
            address: None,
            os_user: Some(String::from("payframe")),
            key_id: None,
            at_ms: 1_795_168_800_000,
            act: String::from("MAKE_KEY"),
            subject: String::from("k3v9x0a1b2c3"),
            detail: String::from("terminal 91000001"),
        }
    }

    /// The example of docs/audit-log.md.
    #[test]
    fn the_hash_is_the_one_of_the_documentation() {
        let previous = "db93d3341644fb17f3b8525bd545f564ad9524ec1e361e4f47dddc13922716c9";
        let hash = content().hash(previous);
        assert_eq!(
            hash,
            "52805f94c5a9738cd865e8f4d4cecf17209fe1e67781599e5fd22dfd7121bbbe"
        );
    }

    /// The second example of docs/audit-log.md.
    #[test]
    fn the_hash_of_a_call_of_the_api_is_the_one_of_the_documentation() {
        let call = Content {
            address: Some(String::from("192.0.2.10")),
            os_user: None,
            key_id: Some(String::from("k3v9x0a1b2c3")),
            act: String::from("REFUND"),
            subject: String::from("order A-1042"),
            detail: String::from("Refund €5.00 of operation 347074400000000002"),
            ..content()
        };
        let previous = "52805f94c5a9738cd865e8f4d4cecf17209fe1e67781599e5fd22dfd7121bbbe";
        assert_eq!(
            call.hash(previous),
            "42d137d7a6513bf0782abd813ca4b6106f9ee44826dcb7f43bd1ee059885b880"
        );
    }

    #[test]
    fn every_member_of_an_entry_is_hashed_and_none_is_taken_for_another() {
        let others: [fn(&mut Content); 12] = [
            |content| content.merchant_id.push('1'),
            |content| content.member_id = Some(String::new()),
            |content| content.address = Some(String::new()),
            |content| content.os_user = None,
            |content| content.key_id = Some(String::new()),
            |content| content.key_id = content.os_user.take(),
            |content| content.at_ms += 1,
            |content| content.act.push('1'),
            |content| content.subject.push('1'),
            |content| content.detail.push('1'),
            |content| content.detail.push('"'),
            |content| std::mem::swap(&mut content.address, &mut content.os_user),
        ];
        let mut hashes = vec![content().hash(PREVIOUS), content().hash("1")];
        for change in others {
            let mut other = content();
            change(&mut other);
            hashes.push(other.hash(PREVIOUS));
        }
        let subject_takes_all = Content {
            subject: String::from("k3v9x0a1b2c3\",\"terminal 91000001"),
            detail: String::new(),
            ..content()
        };
        hashes.push(subject_takes_all.hash(PREVIOUS));
        let count = hashes.len();
        hashes.sort();
        hashes.dedup();
        assert_eq!(hashes.len(), count);
    }
}
