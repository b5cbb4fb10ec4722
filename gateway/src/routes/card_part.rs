//! The member `card` of a call from the merchant's server (contract 2.6). Its values are never repeated in an answer.

use super::error::RequestErrors;
use super::fields::{Presence, Section};
use super::requests::server_to_server::Card;
use super::requests::{Member, Part};
use payframe_card_rules::expiry::Date;
use payframe_error_codes::ErrorCode::PS0026;
use payframe_payment_domain::terms::Terminal;
use payframe_payment_ports::BinLookup;
use payframe_payment_service::card_entry::ValidatedCard;
use payframe_payment_service::server_card::{CardMemberError, SentCard, check};

/// Reads the member `card` of `holder`. `today` is the date in the time zone where the day ends last.
pub(super) fn read(
    holder: &Section,
    part: &Part<Card>,
    presence: Presence,
    (terminal, bins): (&Terminal, &dyn BinLookup),
    today: Date,
    findings: &mut RequestErrors,
) -> Option<ValidatedCard> {
    if presence == Presence::Optional && !part.is_there() {
        return None;
    }
    let card = holder.section("card", part, presence, findings);
    let members = part.members();
    let sent = SentCard {
        pan: text(&members.pan),
        expiry: text(&members.expiry_date),
        cvv: text(&members.cvv),
    };
    if !card.is_there() {
        return None;
    }
    match check(&sent, terminal, today, bins) {
        Ok(good) => Some(good),
        Err(bad) => {
            for member in bad {
                let (name, sent, rule) = match member {
                    CardMemberError::Pan => ("pan", &members.pan, NUMBER_RULE),
                    CardMemberError::Expiry => ("expiryDate", &members.expiry_date, EXPIRY_RULE),
                    CardMemberError::Cvv => ("cvv", &members.cvv, CODE_RULE),
                };
                let path = card.path_of(name);
                if sent.is_there() {
                    findings.add(PS0026, format!("{path} {rule}"));
                } else {
                    findings.add(PS0026, format!("{path} is missing"));
                }
            }
            None
        }
    }
}

/// A value of another type is as wrong as a text that is not valid in a card.
fn text(member: &Member) -> Option<&str> {
    member.sent().map(|value| value.as_str().unwrap_or("?"))
}

const EXPIRY_RULE: &str = "must be MMYY, and not past";
const CODE_RULE: &str = "must be the 3 or 4 digits of the card's network";
const NUMBER_RULE: &str =
    "must be 13 to 19 digits with a right check digit, of a network that the terminal takes";
