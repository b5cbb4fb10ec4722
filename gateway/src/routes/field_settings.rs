//! `GET /fe/build/field_settings/{id}`: the settings of a single field's frame (contract 5.2).

use super::call::{Call, PathId};
use super::caller::Callers;
use super::endpoint::{Endpoint, FRAMES};
use super::error::ApiError;
use super::query;
use super::requests::queries::FieldTexts;
use super::session_call::FrameSession;
use crate::App;
use axum::Json;
use axum::extract::State;
use payframe_card_rules::network::{Network, NetworkSet, ranges};
use payframe_error_codes::ErrorCode::{PS0026, PS0061};
use payframe_payment_domain::language::Language;
use payframe_payment_domain::method::Method;
use payframe_payment_domain::session::State as SessionState;
use payframe_payment_domain::terms::CardField;
use payframe_payment_service::session_status::CARD_BUTTON;
use payframe_protocol::build::{BrandInterval, FieldSettings};
use utoipa_axum::routes;

/// Contract 5.2.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(read_field_settings))
            .callers(Callers::Frame)
            .query::<FieldTexts>()
            .refusals(&[PS0026, PS0061]),
    ]
}

/// Read the settings of a field's frame
///
/// Texts, pattern and picture of one field or button of the session.
#[utoipa::path(
    get, path = "/fe/build/field_settings/{id}", operation_id = "readFieldSettings", tag = FRAMES,
    params((
        "id" = String, Path, example = "CARD_NUMBER",
        description = "The input or the button that the frame shows. One that the session does not have is answered with 404.",
    )),
    responses((status = 200, body = FieldSettings)),
)]
async fn read_field_settings(
    State(app): State<App>,
    FrameSession(session): FrameSession,
    PathId(id): PathId,
    call: Call,
) -> Result<Json<FieldSettings>, ApiError> {
    let terminal = session.terminal(&app).await?;
    let field = CardField::from_id(&id).filter(|field| terminal.card_fields.contains(field));
    let method = session.row.terms.offered(&id);
    let is_button = (id == CARD_BUTTON || method.is_some())
        && session.row.session.state == SessionState::ChoosingMethod;
    if field.is_none() && !is_button {
        return Err(ApiError::NotFound);
    }
    let sent: FieldTexts = query::sent(&call.query);
    let language = match query::text_of(&sent.lang) {
        None => session.row.terms.language.as_str(),
        Some(text) => match Language::parse(text) {
            Some(language) => language.code(),
            None => {
                return Err(ApiError::bad(
                    PS0026,
                    "lang must be a language code of three letters",
                ));
            }
        },
    };
    let facts = field.map_or(BUTTON, facts);
    let [label, title, placeholder] = if language == "ita" {
        facts.italian
    } else {
        facts.english
    };
    let (label, title) = match method.map(Method::name) {
        None => (label.to_owned(), title.to_owned()),
        Some(name) if language == "ita" => (name.to_owned(), format!("Paga con {name}")),
        Some(name) => (name.to_owned(), format!("Pay with {name}")),
    };
    let default_value = match field {
        Some(field) => app.forms().default_value(&session.row.terms, field).await?,
        None => None,
    };
    Ok(Json(FieldSettings {
        kind: facts.kind.to_owned(),
        ecomm_platform_domain: session.row.terms.framing.merchant.clone(),
        validation_reg_exp: facts.pattern.to_owned(),
        image: None,
        label,
        title,
        placeholder: placeholder.to_owned(),
        filter_type: facts.filter.to_owned(),
        css_link: None,
        container_class: None,
        component_class: None,
        default_value,
        brand_interval_list: (field == Some(CardField::Number))
            .then(|| intervals(terminal.networks)),
        field_required: match field {
            Some(CardField::SecurityCode) => terminal.networks.iter().any(|network| {
                network.security_code_policy()
                    == payframe_card_rules::network::SecurityCodePolicy::Required
            }),
            Some(_) => true,
            None => false,
        },
        transaction_id: session.row.terms.trace_id.clone(),
    }))
}

/// The ranges of first digits of the networks that the terminal accepts, each as its first and last eight digits. A network that
/// is not accepted leaves no hole in the range of one that is accepted.
fn intervals(accepted: NetworkSet) -> Vec<BrandInterval> {
    let mut found: Vec<(u32, u32, Network)> = Vec::new();
    // The end of the adjacent ranges that began with the last accepted range.
    let mut end = None;
    for (from, to, network) in ranges() {
        let joins = end.is_some_and(|end| end + 1 == from);
        if !accepted.contains(network) {
            end = joins.then_some(to);
            continue;
        }
        end = Some(to);
        match found.last_mut() {
            Some((_, last, known)) if joins && *known == network => *last = to,
            _ => found.push((from, to, network)),
        }
    }
    let interval = |(from, to, network): (u32, u32, Network)| BrandInterval {
        brand_name: network.code().to_owned(),
        bottom_limit: format!("{from:08}"),
        upper_limit: format!("{to:08}"),
    };
    found.into_iter().map(interval).collect()
}

/// The facts about a field that are the same in every session. Texts: label, title, placeholder.
struct Facts {
    kind: &'static str,
    pattern: &'static str,
    filter: &'static str,
    english: [&'static str; 3],
    italian: [&'static str; 3],
}

const BUTTON: Facts = Facts {
    kind: "button",
    pattern: "",
    filter: "NONE",
    english: ["Card", "Pay with card", ""],
    italian: ["Carta", "Paga con carta", ""],
};

fn facts(field: CardField) -> Facts {
    match field {
        CardField::Number => Facts {
            kind: "text",
            pattern: "^[0-9]{13,19}$",
            filter: "NUMERIC",
            english: ["Card number", "Card number", "1234 5678 9012 3456"],
            italian: [
                "Numero della carta",
                "Numero della carta",
                "1234 5678 9012 3456",
            ],
        },
        CardField::Expiry => Facts {
            kind: "text",
            pattern: "^(0[1-9]|1[0-2])/?[0-9]{2}$",
            filter: "NUMERIC",
            english: ["Expiry date", "Expiry date", "MM / YY"],
            italian: ["Scadenza", "Scadenza", "MM / AA"],
        },
        CardField::SecurityCode => Facts {
            kind: "password",
            pattern: "^[0-9]{3,4}$",
            filter: "NUMERIC",
            english: ["Security code", "Security code", "123"],
            italian: ["Codice di sicurezza", "Codice di sicurezza", "123"],
        },
        CardField::HolderName => Facts {
            kind: "text",
            pattern: r"^[\p{L}\p{M} '.\-]{2,45}$",
            filter: "ALPHA",
            english: ["Name on card", "Name on card", "Anna Rossi"],
            italian: ["Nome sulla carta", "Nome sulla carta", "Anna Rossi"],
        },
        CardField::HolderSurname => Facts {
            kind: "text",
            pattern: r"^[\p{L}\p{M} '.\-]{2,45}$",
            filter: "ALPHA",
            english: ["Surname on card", "Surname on card", "Rossi"],
            italian: ["Cognome sulla carta", "Cognome sulla carta", "Rossi"],
        },
        CardField::Email => Facts {
            kind: "text",
            pattern: r"^[^@\s]+@[^@\s]+$",
            filter: "EMAIL",
            english: ["E-mail", "E-mail", "name@example.com"],
            italian: ["E-mail", "E-mail", "nome@example.com"],
        },
        CardField::Privacy => Facts {
            kind: "checkbox",
            pattern: "^true$",
            filter: "NONE",
            english: ["I have read the privacy notice", "Privacy notice", ""],
            italian: [
                "Ho letto l'informativa sulla privacy",
                "Informativa sulla privacy",
                "",
            ],
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_accepted_networks() {
        let accepted = [Network::Visa, Network::Mastercard, Network::Hiper];
        let list = intervals(accepted.into_iter().collect());
        let texts: Vec<String> = list
            .iter()
            .map(|item| {
                format!(
                    "{} {} {}",
                    item.brand_name, item.bottom_limit, item.upper_limit
                )
            })
            .collect();
        assert_eq!(
            texts,
            [
                "MC 22210000 27209999",
                "VISA 40000000 49999999",
                "MC 51000000 55999999",
                "HIPER 63709500 63709599",
                "HIPER 63737423 63737423",
                "HIPER 63743358 63743358",
                "HIPER 63756800 63756899",
                "HIPER 63759900 63759999",
                "HIPER 63760900 63760999",
                "HIPER 63761200 63761299",
            ]
        );
    }
}
