//! What the session asks, from the page's boot data; and the gateway's offers. The shapes are those of `payframe_protocol`.

use crate::session::Session;
use crate::wire::{self, Json};
use js_sys::Object;
use payframe_card_rules::address::AddressPart;
use payframe_checkout_flow::choices::{
    Asked, AskedBilling, BillingCountry, BillingParts, ConsentRule, CurrencyOffer, SavedCard,
};
use payframe_protocol::boot::{BootConsent, BootMethod, ConsentKind};

/// Whether there is anything to choose from the start, methods included.
pub(super) fn asks(session: &Session) -> bool {
    ["methods", "installments", "saved", "consent", "billing"]
        .into_iter()
        .any(|asked| session.member(asked).is_there())
}

/// What the session asks: members of `payframe_protocol::boot::Boot`.
pub(crate) fn asked(session: &Session) -> Asked {
    let saved = session.member("saved");
    Asked {
        instalments: session
            .member("installments")
            .items()
            .filter_map(|count| number(&count))
            .collect(),
        saved_cards: saved.is_there().then(|| saved_cards(&saved)),
        consent: consent(session).map(|consent| {
            if consent.required {
                ConsentRule::Required
            } else {
                ConsentRule::Optional
            }
        }),
        billing: billing(session),
    }
}

/// The methods that are paid elsewhere.
pub(crate) fn methods(session: &Session) -> Vec<BootMethod> {
    let methods = session.member("methods");
    let text = |method: &Json, name| method.member(name).text_or_empty();
    methods
        .items()
        .map(|method| BootMethod {
            id: text(&method, "id"),
            label: text(&method, "label"),
            picture: method.member("picture").text(),
        })
        .collect()
}

/// What the buyer is asked to agree to. `None` if nothing is asked, or if the shape is not of this release.
pub(crate) fn consent(session: &Session) -> Option<BootConsent> {
    let consent = session.member("consent");
    Some(BootConsent {
        kind: ConsentKind::from_code(&consent.member("kind").text()?)?,
        required: consent.member("required").0.is_truthy(),
        gap_days: number(&consent.member("gapDays")),
        last_day: consent.member("lastDay").text(),
        text: consent.member("text").text(),
    })
}

/// What is known of the billing address: a `payframe_protocol::boot::BootBilling`. `None` if it is not asked.
fn billing(session: &Session) -> Option<AskedBilling> {
    let asked = session.member("billing");
    let text = |name| asked.member(name).text();
    let known = |country: &String| asked.member("countries").member(country).is_there();
    asked.is_there().then(|| {
        let country = text("country").filter(known).unwrap_or_default();
        let address = asked.member("address");
        let part = |name| address.member(name).text_or_empty();
        let texts = [
            (AddressPart::Line1, part("line1")),
            (AddressPart::Line2, part("line2")),
            (AddressPart::City, part("city")),
            (AddressPart::State, part("state")),
            (
                AddressPart::PostalCode,
                text("postalCode").unwrap_or_default(),
            ),
        ];
        AskedBilling {
            parts: match address.is_there() {
                true => BillingParts::All,
                false => BillingParts::PostalCode,
            },
            country: billing_country(session, country),
            texts: texts.into_iter().collect(),
        }
    })
}

/// Two letters of each country that a billing address can have.
pub(crate) fn countries(session: &Session) -> Vec<String> {
    let countries = session.member("billing").member("countries").0;
    let countries = Json(Object::keys(&Object::from(countries)).into());
    countries.items().map(|code| code.text_or_empty()).collect()
}

/// A country that the buyer may choose, with its lines of the tables, by its two letters.
pub(crate) fn billing_country(session: &Session, code: String) -> BillingCountry {
    let billing = session.member("billing");
    let line = |table: &Json| table.member(&code).text_or_empty();
    let address = billing.member("address");
    BillingCountry {
        postal_codes: line(&billing.member("countries")),
        format: line(&address.member("formats")),
        states: line(&address.member("states")),
        code,
    }
}

/// The saved cards that the member `cards` lists: of `BootSaved`, and of the answer to a removal.
pub(crate) fn saved_cards(list: &Json) -> Vec<SavedCard> {
    let cards = list.member("cards");
    let text = |card: &Json, name| card.member(name).text_or_empty();
    cards
        .items()
        .map(|card| SavedCard {
            id: text(&card, "id"),
            network: text(&card, "network"),
            brand: text(&card, "brand"),
            last4: text(&card, "last4"),
            expires: text(&card, "expires"),
            is_expired: card.member("expired").0.is_truthy(),
        })
        .collect()
}

/// A `payframe_protocol::build::CurrencyOffer`. `None` if it is not of this release.
pub(super) fn offer(offer: &Json) -> Option<CurrencyOffer> {
    let text = |name| offer.member(name).text();
    Some(CurrencyOffer {
        id: text("offerId")?,
        sum: wire::sum(offer)?,
        exchange_rate: text("exchangeRate")?,
        mark_up_percent: text("markUpPercent")?,
        expires_in_s: number(&offer.member("expiresInSeconds"))?,
    })
}

/// A whole number in the range of the type; a fraction is cut off.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn number<N: TryFrom<u32>>(value: &Json) -> Option<N> {
    N::try_from(value.0.as_f64()? as u32).ok()
}
