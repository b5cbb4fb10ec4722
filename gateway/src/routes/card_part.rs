//! The member `card` of a call from the merchant's server (contract 2.6). What was sent is never repeated.

use super::error::Findings;
use super::fields::{Presence, Section};
use super::request_schema;
use crate::error_code::ErrorCode::PS0026;
use crate::payments::card_entry::GoodCard;
use crate::payments::server_card::{BadMember, SentCard, check};
use payframe_card_rules::expiry::Date;
use payframe_payment_domain::terms::Terminal;
use payframe_payment_ports::BinLookup;

/// Reads the member of `holder`. `today` is the date in the last time zone of the world.
pub(super) fn read(
    holder: &Section<'_>,
    presence: Presence,
    (terminal, bins): (&Terminal, &dyn BinLookup),
    today: Date,
    findings: &mut Findings,
) -> Option<GoodCard> {
    if presence == Presence::Optional && !holder.has("card") {
        return None;
    }
    let card = holder.section("card", presence, findings);
    // A value of another type is as bad as a text that is none of a card's.
    let text = |name: &str, presence, pattern: &str, example: &str| {
        let schema = || request_schema::pattern(pattern, example);
        let value = card.value_of(name, presence, schema);
        value.map(|value| value.as_str().unwrap_or("?"))
    };
    let sent = SentCard {
        pan: text("pan", Presence::Mandatory, PAN, "4761730000000003"),
        expiry: text("expiryDate", Presence::Mandatory, EXPIRY, "1230"),
        cvv: text("cvv", Presence::Optional, "^[0-9]{3,4}$", "123"),
    };
    if !card.is_there() {
        return None;
    }
    match check(&sent, terminal, today, bins) {
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
                    findings.add(PS0026, format!("{path} {rule}"));
                } else {
                    findings.add(PS0026, format!("{path} is missing"));
                }
            }
            None
        }
    }
}

const PAN: &str = "^ *([0-9] *){13,19}$";
const EXPIRY: &str = "^(0[1-9]|1[0-2])[0-9]{2}$";

const NUMBER_RULE: &str =
    "must be 13 to 19 digits with a right check digit, of a network that the terminal takes";
