//! The member `card` of a call from the merchant's server (contract 2.6). What was sent is never repeated.

use super::fields::{Presence, Section};
use super::problem::Findings;
use crate::domain::terms::Terminal;
use crate::payments::card_entry::GoodCard;
use crate::payments::server_card::{BadMember, SentCard, check};
use payframe_checkout::expiry::Date;
use serde_json::Value;

/// Reads the member of `holder`. `today` is the date in the last time zone of the world.
pub(super) fn read(
    holder: &Section<'_>,
    terminal: &Terminal,
    today: Date,
    findings: &mut Findings,
) -> Option<GoodCard> {
    let card = holder.section("card", Presence::Mandatory, findings);
    if !holder.value("card").is_some_and(Value::is_object) {
        return None;
    }
    // A value of another type is as bad as a text that is none of a card's.
    let text = |name: &str| card.value(name).map(|value| value.as_str().unwrap_or("?"));
    let sent = SentCard {
        pan: text("pan"),
        expiry: text("expiryDate"),
        cvv: text("cvv"),
    };
    match check(&sent, terminal, today) {
        Ok(good) => Some(good),
        Err(members) => {
            for member in members {
                let (name, rule) = match member {
                    BadMember::Pan => ("pan", NUMBER_RULE),
                    BadMember::Expiry => ("expiryDate", "must be MMYY, and not past"),
                    BadMember::Cvv => ("cvv", "must be the 3 or 4 digits of the card's network"),
                };
                let path = card.path_of(name);
                if card.has(name) {
                    findings.add("PS0026", format!("{path} {rule}"));
                } else {
                    findings.add("PS0026", format!("{path} is missing"));
                }
            }
            None
        }
    }
}

const NUMBER_RULE: &str =
    "must be 13 to 19 digits with a right check digit, of a network that the terminal takes";
