//! Why a payment was refused, and what that means for the buyer.
//!
//! The gateway states an operation result and, where an issuer spoke, an ISO response code (contract 10.6). This
//! module sorts them by what the buyer can do. It does not word anything: each cause names a text of the locale files.

/// What a refusal means for the buyer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decline {
    /// The issuer does not know the card number.
    CardNumber,
    /// Wrong expiry date, or the card has expired.
    Expiry,
    /// Wrong security code.
    SecurityCode,
    /// Some detail is wrong and the issuer does not say which.
    Details,
    /// Not enough money, or over a limit.
    Funds,
    /// The issuer refuses and does not say why; also lost, stolen and suspected cards, on purpose.
    Issuer,
    /// 3-D Secure did not confirm the cardholder.
    NotConfirmed,
    /// Risk rules of the gateway.
    Risk,
    /// Issuer or network out of reach, or a fault on the way.
    Technical,
}

impl Decline {
    /// `operation_result` as in contract 2.7.2, `iso` as in 10.6.
    pub fn sort(operation_result: &str, iso: Option<&str>) -> Self {
        match (operation_result, iso) {
            ("THREEDS_FAILED" | "3DS_FAILED", _) => Self::NotConfirmed,
            ("DENIED_BY_RISK", _) => Self::Risk,
            ("FAILED", _) => Self::Technical,
            (_, Some("101")) => Self::Expiry,
            (_, Some("111")) => Self::CardNumber,
            (_, Some("129")) => Self::SecurityCode,
            (_, Some("110" | "117" | "126")) => Self::Details,
            (_, Some("116" | "121" | "123")) => Self::Funds,
            (_, Some(code)) if code.starts_with('9') => Self::Technical,
            _ => Self::Issuer,
        }
    }

    /// Id of the field that the refusal concerns; contract 2.10.
    pub fn field(self) -> Option<&'static str> {
        match self {
            Self::CardNumber => Some("CARD_NUMBER"),
            Self::Expiry => Some("EXPIRATION_DATE"),
            Self::SecurityCode => Some("SECURITY_CODE"),
            _ => None,
        }
    }

    /// Whether the buyer is told to use another card, so that the next thing to enter is its number.
    pub fn wants_another_card(self) -> bool {
        matches!(self, Self::Funds | Self::Issuer | Self::Risk)
    }

    /// Key of the buyer's text in the locale files, and the stable code that the page is told.
    pub fn code(self) -> &'static str {
        match self {
            Self::CardNumber => "card_number_declined",
            Self::Expiry => "expiry_declined",
            Self::SecurityCode => "security_code_declined",
            Self::Details => "decline_data",
            Self::Funds => "decline_funds",
            Self::Issuer => "decline_issuer",
            Self::NotConfirmed => "decline_not_confirmed",
            Self::Risk => "decline_risk",
            Self::Technical => "decline_technical",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// D9: refusals for code, expiry or number are told apart.
    /// D10: money and issuer reasons.
    #[test]
    fn refusals_are_sorted_by_what_the_buyer_can_do() {
        let rows = [
            ("DECLINED", Some("100"), Decline::Issuer),
            ("DECLINED", Some("101"), Decline::Expiry),
            ("DECLINED", Some("111"), Decline::CardNumber),
            ("DECLINED", Some("116"), Decline::Funds),
            ("DECLINED", Some("129"), Decline::SecurityCode),
            ("DECLINED", Some("907"), Decline::Technical),
            ("DECLINED", None, Decline::Issuer),
            ("THREEDS_FAILED", None, Decline::NotConfirmed),
            ("DENIED_BY_RISK", None, Decline::Risk),
            ("FAILED", Some("909"), Decline::Technical),
        ];
        for (result, iso, expected) in rows {
            assert_eq!(Decline::sort(result, iso), expected, "{result} {iso:?}");
        }
    }

    /// D12: if another card is needed, its number has to be entered next.
    #[test]
    fn another_card_is_wanted_where_this_one_will_not_do() {
        for (decline, expected) in [
            (Decline::Funds, true),
            (Decline::Issuer, true),
            (Decline::Risk, true),
            (Decline::Details, false),
            (Decline::NotConfirmed, false),
            (Decline::Technical, false),
        ] {
            assert_eq!(decline.wants_another_card(), expected, "{decline:?}");
        }
    }

    /// D11: fraud, loss and theft read like any refusal.
    #[test]
    fn suspicion_is_not_told_apart_from_a_plain_refusal() {
        for iso in ["102", "104", "200", "202", "208", "209", "210", "413"] {
            assert_eq!(
                Decline::sort("DECLINED", Some(iso)),
                Decline::Issuer,
                "{iso}"
            );
        }
    }

    /// D10: no field is marked wrong for what is no fault of it.
    #[test]
    fn only_refusals_of_one_field_name_a_field() {
        assert_eq!(Decline::SecurityCode.field(), Some("SECURITY_CODE"));
        assert_eq!(Decline::Details.field(), None);
        assert_eq!(Decline::Issuer.field(), None);
    }
}
