//! Cards for tests: as a buyer types them, and as the acquirer receives them.

use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_card_rules::secret::Secret;
use payframe_card_rules::security_code::SecurityCode;
use payframe_payment_ports::acquirer::{
    CardAuthorization, CardOrigin, Exemption, Initiator, SecurityCodeData,
};
use payframe_payment_ports::three_ds_server::AuthenticationEvidence;

/// The values that a buyer typed.
#[derive(Debug)]
pub(crate) struct Typed {
    pub(crate) number: Secret,
    pub(crate) expiry: Expiry,
    pub(crate) name: Option<Secret>,
    code: Option<SecurityCode>,
}

impl Typed {
    /// A valid card with this number.
    pub(crate) fn of(number: &str) -> Typed {
        Typed {
            number: Secret::new(number.to_owned()),
            expiry: Expiry::parse_shape("1230").unwrap(),
            name: Some(Secret::new(String::from("Anna Rossi"))),
            code: None,
        }
        .with_code("123")
    }

    pub(crate) fn with_code(self, code: &str) -> Typed {
        Typed {
            code: SecurityCode::parse(code, None).unwrap(),
            ..self
        }
    }

    pub(crate) fn without_code(self) -> Typed {
        Typed { code: None, ..self }
    }

    pub(crate) fn with_name(self, name: &str) -> Typed {
        Typed {
            name: Some(Secret::new(name.to_owned())),
            ..self
        }
    }

    pub(crate) fn with_expiry(self, mmyy: &str) -> Typed {
        Typed {
            expiry: Expiry::parse_shape(mmyy).unwrap(),
            ..self
        }
    }
}

/// The card that the acquirer receives.
pub(crate) fn card(typed: &Typed) -> CardAuthorization<'_> {
    CardAuthorization {
        number: &typed.number,
        network_token: None,
        expiry: typed.expiry,
        network: Network::Visa,
        security_code: match &typed.code {
            Some(code) => SecurityCodeData::Given(code),
            None => SecurityCodeData::NotGiven,
        },
        holder_name: typed.name.as_ref(),
        holder_email: None,
        billing_address: None,
        origin: CardOrigin::Entered,
        initiator: Initiator::Cardholder,
        first_scheme_id: None,
        authentication: None,
        data_share: None,
        exemption: Exemption::None,
    }
}

/// The evidence of an authentication.
pub(crate) fn evidence() -> AuthenticationEvidence {
    AuthenticationEvidence {
        eci: "05".into(),
        authentication_value: String::from("value"),
        ds_transaction_id: String::from("id"),
        version: "2.2.0",
        acquirer_bin: "000000".into(),
        operator: "sandbox",
    }
}
