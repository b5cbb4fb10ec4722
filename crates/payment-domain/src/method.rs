//! Alternative payment methods: the table of all methods (contract 10.3).
//!
//! Cards are not in it, and neither are wallets, whose payments come with card data. A method without a row can
//! neither be offered nor requested. A setting of each terminal says which of them it has.

/// A method that is paid on another page.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Method {
    code: &'static str,
    circuit: &'static str,
    name: &'static str,
    home: Option<&'static str>,
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

    /// The name for buyers, as the method itself writes it. It is the same in every language.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The country in which most of its buyers live, as two letters, if there is one. It decides about the order of buttons only.
    pub fn home(&self) -> Option<&'static str> {
        self.home
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

const fn method(code: &'static str, name: &'static str) -> Method {
    Method {
        code,
        circuit: code,
        name,
        home: None,
        country: None,
        start: MethodStart::Paid,
        end_to_end: None,
    }
}

const fn at_home_in(home: &'static str, code: &'static str, name: &'static str) -> Method {
    Method {
        home: Some(home),
        ..method(code, name)
    }
}

/// Every method, in the order in which buttons are shown.
pub static METHODS: [Method; 28] = [
    Method {
        circuit: "BANCOMAT_PAY",
        end_to_end: Some("bpayEndToEndId"),
        ..at_home_in("IT", "BANCOMATPAY", "BANCOMAT Pay")
    },
    Method {
        country: Some("BEL"),
        ..at_home_in("BE", "BANCONTACT", "Bancontact")
    },
    Method {
        country: Some("DEU"),
        ..at_home_in("DE", "GIROPAY", "giropay")
    },
    at_home_in("NL", "IDEAL", "iDEAL"),
    Method {
        end_to_end: Some("myBankEndToEndId"),
        ..at_home_in("IT", "MYBANK", "MyBank")
    },
    method("PAYPAL", "PayPal"),
    method("PAYPAL_BNPL", "PayPal Pay Later"),
    at_home_in("IT", "PAYPAL_PAGAIN3", "PayPal Paga in 3 rate"),
    Method {
        start: MethodStart::Pending,
        country: Some("PRT"),
        ..at_home_in("PT", "MULTIBANCO", "Multibanco")
    },
    at_home_in("CN", "WECHAT", "WeChat Pay"),
    at_home_in("CN", "ALIPAY", "Alipay"),
    method("PIS", "Open Banking"),
    at_home_in("IT", "SATISPAY_DIRECT", "Satispay Direct"),
    at_home_in("IT", "SATISPAY", "Satispay"),
    at_home_in("AT", "EPS", "eps"),
    at_home_in("FR", "ONEY", "Oney"),
    method("SKRILL", "Skrill"),
    method("SKRILL1TAP", "Skrill 1-Tap"),
    method("HEYLIGHT", "HeyLight"),
    at_home_in("PL", "BLIK", "BLIK"),
    method("KLARNA", "Klarna"),
    at_home_in("IT", "PAGODIL", "PagoDIL"),
    at_home_in("IT", "PAGOINCONTO", "PagoInConto"),
    method("PAYU", "PayU"),
    at_home_in("PL", "PRZELEWY24", "Przelewy24"),
    Method {
        circuit: "AMAZON_PAY",
        ..method("AMAZONPAY", "Amazon Pay")
    },
    at_home_in("GR", "IRIS", "IRIS"),
    Method {
        circuit: "PAY_BY_BANK",
        ..at_home_in("GB", "PAYBYBANK", "Pay by Bank")
    },
];

/// Sorts methods for a buyer whose device is set to a country (two letters): those at home there come first. Otherwise the order
/// remains, which is the terminal's.
pub fn put_home_first<T>(methods: &mut [T], country: &str, method: impl Fn(&T) -> Option<&Method>) {
    methods.sort_by_key(|shown| {
        let home = method(shown).and_then(Method::home);
        !home.is_some_and(|home| home.eq_ignore_ascii_case(country))
    });
}

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
        let check = |code: &str, circuit: &str, member: Option<&str>| {
            let method = Method::from_code(code).unwrap();
            assert_eq!(method.circuit(), circuit);
            assert_eq!(method.end_to_end_member(), member, "{code}");
        };
        check("BANCOMATPAY", "BANCOMAT_PAY", Some("bpayEndToEndId"));
        check("MYBANK", "MYBANK", Some("myBankEndToEndId"));
        check("AMAZONPAY", "AMAZON_PAY", None);
        check("PAYPAL_BNPL", "PAYPAL_BNPL", None);
        check("PAYBYBANK", "PAY_BY_BANK", None);
        let pending: Vec<&str> = METHODS
            .iter()
            .filter(|method| method.start() == MethodStart::Pending)
            .map(Method::code)
            .collect();
        assert_eq!(pending, ["MULTIBANCO"]);
    }

    #[test]
    fn every_method_has_a_name_of_its_own_that_is_no_code() {
        let mut names: Vec<&str> = METHODS.iter().map(Method::name).collect();
        assert!(names.iter().all(|name| !name.contains('_')), "{names:?}");
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), METHODS.len());
    }

    #[test]
    fn methods_at_home_in_the_buyers_country_come_first_and_the_others_keep_their_order() {
        let order = |country: &str| {
            let mut shown = ["KLARNA", "IDEAL", "BLIK", "PRZELEWY24", "CARDS"];
            put_home_first(&mut shown, country, |code| Method::from_code(code));
            shown
        };
        assert_eq!(
            order("PL"),
            ["BLIK", "PRZELEWY24", "KLARNA", "IDEAL", "CARDS"]
        );
        assert_eq!(
            order("nl"),
            ["IDEAL", "KLARNA", "BLIK", "PRZELEWY24", "CARDS"]
        );
        for country in ["SE", ""] {
            assert_eq!(
                order(country),
                ["KLARNA", "IDEAL", "BLIK", "PRZELEWY24", "CARDS"]
            );
        }
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
