//! The card ranges that a directory server has published, in memory.

use crate::message::{PublishedRange, RangeAction, RangesAnswer, Version};
use std::collections::BTreeMap;

/// The ranges of one directory server.
#[derive(Clone, Default)]
pub(crate) struct CardRanges {
    /// By the length and the first number of the range.
    ranges: BTreeMap<(usize, String), Range>,
    /// What the last answer said. `None`: there was none.
    serial_number: Option<String>,
}

#[derive(Clone)]
struct Range {
    end: String,
    versions: Versions,
}

/// The versions that an issuer supports, and the address of its 3DS method in each.
pub(crate) type Versions = Vec<(Version, Option<String>)>;

impl CardRanges {
    /// The serial number of the last answer.
    pub(crate) fn serial_number(&self) -> Option<&str> {
        self.serial_number.as_deref()
    }

    /// The ranges after an answer. `is_complete`: it contains all ranges, because no serial number was sent.
    pub(crate) fn after(&self, answer: &RangesAnswer, is_complete: bool) -> CardRanges {
        let mut next = match is_complete {
            true => CardRanges::default(),
            false => self.clone(),
        };
        for entry in answer.entries() {
            next.take(entry);
        }
        next.serial_number = Some(answer.serial_number.to_string());
        next
    }

    fn take(&mut self, entry: &PublishedRange) {
        for (start, end) in &entry.bounds {
            let key = (start.len(), start.to_string());
            match entry.action {
                RangeAction::Delete => {
                    self.ranges.remove(&key);
                }
                RangeAction::Add | RangeAction::Modify => {
                    let versions = entry.versions.iter();
                    let versions = versions.map(|(version, address)| {
                        let address = address.as_ref().map(|address| address.to_string());
                        (*version, address)
                    });
                    let range = Range {
                        end: end.to_string(),
                        versions: versions.collect(),
                    };
                    self.ranges.insert(key, range);
                }
            }
        }
    }

    /// The versions of the issuer of a card. `None`: the issuer does not take part.
    pub(crate) fn find(&self, number: &str) -> Option<&Versions> {
        let key = (number.len(), number.to_owned());
        let ((length, _), range) = self.ranges.range(..=key).next_back()?;
        (*length == number.len() && number <= range.end.as_str()).then_some(&range.versions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Fields, Message};
    use serde_json::{Value, json};

    fn answer(serial: &str, entries: &[(&str, &str, &str)]) -> RangesAnswer {
        let entries = entries.iter().map(|(action, start, end)| {
            json!({ "startRange": start, "endRange": end, "actionInd": action,
                "acsStartProtocolVersion": "2.2.0", "acsEndProtocolVersion": "2.3.1" })
        });
        let message = json!({ "messageType": "PRes", "messageVersion": "2.2.0", "serialNum": serial,
            "threeDSServerTransID": "6afa6072-9412-446b-9673-2f98b3ee98a2",
            "dsTransID": "6afa6072-9412-446b-9673-2f98b3ee98a2", "cardRangeData": entries.collect::<Vec<Value>>() });
        RangesAnswer::read(&Fields::parse(message.to_string().as_bytes()).unwrap()).unwrap()
    }

    #[test]
    fn ranges_are_added_changed_and_deleted() {
        let first = answer(
            "1",
            &[
                ("A", "4000000000000000", "4099999999999999"),
                ("A", "4100000000000", "4199999999999"),
            ],
        );
        let ranges = CardRanges::default().after(&first, true);
        for (number, is_found) in [
            ("4000000000000000", true),
            ("4099999999999999", true),
            ("4100000000000000", false),
            ("3999999999999999", false),
            ("4150000000000", true),
            ("4050000000000", false),
        ] {
            assert_eq!(ranges.find(number).is_some(), is_found, "{number}");
        }
        assert_eq!(ranges.find("4000000000000000").unwrap().len(), 2);
        let second = answer(
            "2",
            &[
                ("M", "4000000000000000", "4000000000000009"),
                ("D", "4100000000000", "4199999999999"),
            ],
        );
        let changed = ranges.after(&second, false);
        assert!(changed.find("4000000000000010").is_none());
        assert!(changed.find("4150000000000").is_none());
        assert_eq!(changed.serial_number(), Some("2"));
        let anew = ranges.after(&second, true);
        assert!(anew.find("4000000000000009").is_some() && anew.find("4150000000000").is_none());
    }
}
