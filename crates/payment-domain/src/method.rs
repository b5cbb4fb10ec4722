//! Alternative payment methods: the table of all methods (contract 10.3).
//!
//! Cards are not in it, and neither are wallets, whose payments come with card data. A method without a row can
//! neither be offered nor requested. A setting of each terminal says which of them it has.

/// A method that is paid on another page.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Method {
    code: &'static str,
    circuit: &'static str,
    country: Option<&'static str>,
    start: MethodStart,
    end_to_end: Option<&'static str>,
}

/// The first result of a payment, after the buyer agreed to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MethodStart {
    /// Paid.
    Paid,
    /// Pending: the buyer pays later, somewhere else.
    Pending,
}

impl Method {
    /// The method of a code on the wire; other spellings that existing clients send are accepted (contract 13, D133).
    pub fn from_code(code: &str) -> Option<&'static Method> {
        let code = SPELLINGS
            .iter()
            .find(|(spelling, _)| *spelling == code)
            .map_or(code, |(_, code)| code);
        METHODS.iter().find(|method| method.code == code)
    }

    /// Every code that is accepted.
    pub fn spellings() -> impl Iterator<Item = &'static str> {
        let further = SPELLINGS.iter().map(|(spelling, _)| *spelling);
        METHODS.iter().map(Method::code).chain(further)
    }

    /// The method of a `paymentCircuit`. Some card networks have the same circuit, so call it only for methods.
    pub fn from_circuit(circuit: &str) -> Option<&'static Method> {
        METHODS.iter().find(|method| method.circuit == circuit)
    }

    /// Every method.
    pub fn all() -> impl Iterator<Item = &'static Method> {
        METHODS.iter()
    }

    /// The code on the wire: its `paymentService`, and the id of its button.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// Its `paymentCircuit`.
    pub fn circuit(&self) -> &'static str {
        self.circuit
    }

    /// The name for buyers: the circuit, with spaces.
    pub fn label(&self) -> String {
        self.circuit.replace('_', " ")
    }

    /// The country that the billing address must have, as three letters.
    pub fn country(&self) -> Option<&'static str> {
        self.country
    }

    /// Whether it is for a buyer with this country in the billing address. Letters of any case.
    pub fn serves(&self, country: Option<&str>) -> bool {
        self.country.is_none_or(|needed| {
            country.is_some_and(|country| country.eq_ignore_ascii_case(needed))
        })
    }

    /// The first result of a payment.
    pub fn start(&self) -> MethodStart {
        self.start
    }

    /// The member of `additionalData` with its end-to-end id, if it has one of its own (contract 2.7.3).
    pub fn end_to_end_member(&self) -> Option<&'static str> {
        self.end_to_end
    }
}

const fn method(code: &'static str) -> Method {
    Method {
        code,
        circuit: code,
        country: None,
        start: MethodStart::Paid,
        end_to_end: None,
    }
}

const fn in_country(code: &'static str, country: &'static str) -> Method {
    Method {
        country: Some(country),
        ..method(code)
    }
}

/// Every method, in the order in which buttons are shown.
pub static METHODS: [Method; 28] = [
    Method {
        circuit: "BANCOMAT_PAY",
        end_to_end: Some("bpayEndToEndId"),
        ..method("BANCOMATPAY")
    },
    in_country("BANCONTACT", "BEL"),
    in_country("GIROPAY", "DEU"),
    method("IDEAL"),
    Method {
        end_to_end: Some("myBankEndToEndId"),
        ..method("MYBANK")
    },
    method("PAYPAL"),
    method("PAYPAL_BNPL"),
    method("PAYPAL_PAGAIN3"),
    Method {
        start: MethodStart::Pending,
        ..in_country("MULTIBANCO", "PRT")
    },
    method("WECHAT"),
    method("ALIPAY"),
    method("PIS"),
    method("SATISPAY_DIRECT"),
    method("SATISPAY"),
    method("EPS"),
    method("ONEY"),
    method("SKRILL"),
    method("SKRILL1TAP"),
    method("HEYLIGHT"),
    method("BLIK"),
    method("KLARNA"),
    method("PAGODIL"),
    method("PAGOINCONTO"),
    method("PAYU"),
    method("PRZELEWY24"),
    Method {
        circuit: "AMAZON_PAY",
        ..method("AMAZONPAY")
    },
    method("IRIS"),
    Method {
        circuit: "PAY_BY_BANK",
        ..method("PAYBYBANK")
    },
];

/// Other spellings, each with its code.
const SPELLINGS: [(&str, &str); 4] = [
    ("BANCOMAT_PAY", "BANCOMATPAY"),
    ("AMAZON_PAY", "AMAZONPAY"),
    ("PAY_BY_BANK", "PAYBYBANK"),
    ("WECHATPAY", "WECHAT"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_circuits_name_one_method_each() {
        for method in &METHODS {
            assert_eq!(Method::from_code(method.code()), Some(method));
            assert_eq!(Method::from_circuit(method.circuit()), Some(method));
        }
        for code in ["CARDS", "APPLEPAY", "GOOGLEPAY", "paypal", ""] {
            assert_eq!(Method::from_code(code), None, "{code}");
        }
    }

    #[test]
    fn another_spelling_is_no_method_of_its_own() {
        for (spelling, code) in SPELLINGS {
            let method = Method::from_code(spelling).unwrap();
            assert_eq!(method.code(), code, "{spelling}");
            assert!(METHODS.iter().all(|method| method.code() != spelling));
        }
        let mut spellings: Vec<&str> = Method::spellings().collect();
        let count = spellings.len();
        spellings.sort_unstable();
        spellings.dedup();
        assert_eq!(spellings.len(), count);
    }

    #[test]
    fn the_rows_that_differ_are_those_of_the_contract() {
        let check = |code: &str, circuit: &str, label: &str, member: Option<&str>| {
            let method = Method::from_code(code).unwrap();
            assert_eq!(
                (method.circuit(), method.label().as_str()),
                (circuit, label)
            );
            assert_eq!(method.end_to_end_member(), member, "{code}");
        };
        check(
            "BANCOMATPAY",
            "BANCOMAT_PAY",
            "BANCOMAT PAY",
            Some("bpayEndToEndId"),
        );
        check("MYBANK", "MYBANK", "MYBANK", Some("myBankEndToEndId"));
        check("AMAZONPAY", "AMAZON_PAY", "AMAZON PAY", None);
        check("PAYPAL_BNPL", "PAYPAL_BNPL", "PAYPAL BNPL", None);
        check("PAYBYBANK", "PAY_BY_BANK", "PAY BY BANK", None);
        let pending: Vec<&str> = METHODS
            .iter()
            .filter(|method| method.start() == MethodStart::Pending)
            .map(Method::code)
            .collect();
        assert_eq!(pending, ["MULTIBANCO"]);
    }

    #[test]
    fn a_country_is_asked_of_three_methods() {
        for method in &METHODS {
            let needed = match method.code() {
                "BANCONTACT" => Some("BEL"),
                "GIROPAY" => Some("DEU"),
                "MULTIBANCO" => Some("PRT"),
                _ => None,
            };
            assert_eq!(method.country(), needed, "{}", method.code());
            assert_eq!(method.serves(None), needed.is_none());
            assert_eq!(method.serves(Some("ITA")), needed.is_none());
            assert!(needed.is_none() || method.serves(needed));
        }
        let bancontact = Method::from_code("BANCONTACT").unwrap();
        assert!(bancontact.serves(Some("bel")));
    }
}
