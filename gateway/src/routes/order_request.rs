//! Reading `POST /orders/build` (contract 2.1 to 2.5, 3.1, 3.7), and of the other creation calls what they share with it.

use super::customer;
use super::error::{ApiError, Findings};
use super::fields::{Presence, Section};
use super::order_part::{self, OrderPart};
use super::pipeline::Call;
use super::recurrence;
use super::request_schema;
use super::urls::merchant_origin;
use crate::App;
use crate::config::Config;
use crate::error_code::ErrorCode::{self, GW0001, GW9101, GW9104, PS0007, PS0026};
use crate::payments::create_session::{FormWishes, Opening, Start};
use payframe_card_rules::expiry::Date;
use payframe_money::Amount;
use payframe_payment_domain::calendar::terminal_day;
use payframe_payment_domain::card_on_file::{CardOnFileTerms, Consent, SavedCards};
use payframe_payment_domain::contract::Recurrence;
use payframe_payment_domain::language::Language;
use payframe_payment_domain::method::Method;
use payframe_payment_domain::operation::{ActionType, Capture};
use payframe_payment_domain::terms::{
    CaptureInitiator, RedirectHandler, Terminal, Version, agreed_capture,
};
use payframe_payment_domain::wallet::Wallet;
use payframe_payment_ports::bin_lookup::PublicRanges;
use payframe_payment_ports::wallet_tokens::NoWalletTokens;
use payframe_payment_ports::{BinLookup, WalletTokens};
use payframe_protocol::operation::Warning;
use serde_json::{Value, json};
use std::time::Duration;

/// What of a request is not in its body.
pub(crate) struct Headers<'a> {
    pub(crate) plugin_name: Option<&'a str>,
    pub(crate) correlation_id: &'a str,
}

impl<'a> Headers<'a> {
    pub(super) fn of(call: &'a Call) -> Headers<'a> {
        Headers {
            plugin_name: call.plugin_name.as_deref(),
            correlation_id: &call.correlation_id,
        }
    }
}

/// What requests are held against.
pub(crate) struct Rules<'a> {
    pub(crate) config: &'a Config,
    pub(crate) terminal: &'a Terminal,
    pub(crate) bins: &'a dyn BinLookup,
    pub(crate) wallet_tokens: &'a dyn WalletTokens,
    /// In the terminal's time zone.
    pub(crate) today: Date,
}

impl<'a> Rules<'a> {
    pub(super) fn of(app: &'a App, terminal: &'a Terminal) -> Rules<'a> {
        Rules {
            config: app.config(),
            terminal,
            bins: app.payments().bin_lookup(),
            wallet_tokens: app.payments().wallet_tokens(),
            today: terminal_day(app.clock().now_ms()),
        }
    }
}

/// Reads the request. Every problem of the first failing group is told.
pub(crate) fn read(
    body: &Value,
    headers: &Headers<'_>,
    rules: &Rules<'_>,
) -> Result<Opening, ApiError> {
    let mut findings = Findings::default();
    let mut whole = Section::body(body, &mut findings);
    let country = country_of(body);
    let opening = read_body(
        &mut whole,
        country.as_deref(),
        headers,
        rules,
        &mut findings,
    );
    findings.into_result()?;
    // Without a finding everything mandatory was read.
    opening.ok_or(ApiError::Ours)
}

/// Where the buyer lives, which decides about methods: three letters.
pub(super) fn country_of(body: &Value) -> Option<String> {
    let country = body.pointer("/order/customerInfo/billingAddress/country")?;
    country.as_str().and_then(customer::country)
}

/// The payment of a request.
pub(super) struct SessionPart {
    amount: Amount,
    pub(super) action: ActionType,
    capture: Capture,
    language: Language,
    challenge_wish: &'static str,
    pub(super) result_url: Option<String>,
    cancel_url: Option<String>,
    notification_url: Option<String>,
    start: Start,
    pub(super) recurrence: Option<Recurrence>,
    pub(super) wallet: Option<Wallet>,
}

/// Reads what a terminal with everything takes, for the documents.
pub(super) fn sketch(body: &mut Section<'_>, findings: &mut Findings) {
    sketched(|headers, rules| {
        // Only what is asked for counts.
        let _ = read_body(body, None, headers, rules, findings);
    });
}

/// Runs a reader against a terminal with everything, for the documents.
pub(super) fn sketched(read: impl FnOnce(&Headers<'_>, &Rules<'_>)) {
    let rules = Rules {
        config: &Config::sandbox(),
        terminal: &Terminal::with_everything(),
        bins: &PublicRanges,
        wallet_tokens: &NoWalletTokens,
        today: Date {
            year: 2026,
            month: 1,
            day: 1,
        },
    };
    let headers = Headers {
        plugin_name: None,
        correlation_id: "",
    };
    read(&headers, &rules);
}

/// Order and payment of a request: what every creation call has.
pub(super) struct PaymentPart {
    pub(super) order: OrderPart,
    pub(super) session: SessionPart,
    country: Option<String>,
    plugin_name: Option<String>,
}

fn read_body(
    whole: &mut Section<'_>,
    country: Option<&str>,
    headers: &Headers<'_>,
    rules: &Rules<'_>,
    findings: &mut Findings,
) -> Option<Opening> {
    let version = read_version(whole, findings);
    let url = whole.value_of("merchantUrl", Presence::Mandatory, request_schema::url);
    let merchant_origin = match url.and_then(Value::as_str) {
        Some(url) => merchant_origin(url, rules.config.mode.allows_insecure_urls()),
        None => None,
    };
    if merchant_origin.is_none() {
        findings.add(GW0001, "merchantUrl must be an https origin");
    }
    let payment = read_payment(
        whole,
        country,
        headers,
        rules,
        (Presence::Mandatory, Services::Methods),
        findings,
    );
    let form = read_form(whole, findings);
    let payment = payment?;
    payment.order.refuse_terms(findings);
    let (form, offer) = form?;
    if let Some(form) = &form {
        judge_keeping(&form.keeping, &payment, rules.terminal, findings);
    }
    if payment.session.action != ActionType::Pay
        && form
            .as_ref()
            .is_some_and(|form| !form.installments.is_empty())
    {
        findings.add(
            PS0026,
            "form.installments is for paymentSession.actionType PAY",
        );
    }
    let (version, merchant_origin) = (version?, merchant_origin?);
    Some(payment.opening(version, merchant_origin, form, offer, headers, rules))
}

/// What `paymentSession.paymentService` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Services {
    /// Cards or an alternative method.
    Methods,
    /// A wallet.
    Wallets,
}

/// Reads order and payment. `returns`: whether the addresses of the way back must be there.
pub(super) fn read_payment(
    whole: &Section<'_>,
    country: Option<&str>,
    headers: &Headers<'_>,
    rules: &Rules<'_>,
    (returns, services): (Presence, Services),
    findings: &mut Findings,
) -> Option<PaymentPart> {
    let order_section = whole.section("order", Presence::Mandatory, findings);
    let (order, order_amount) = order_part::read(order_section, rules.today, findings);
    let session_section = whole.section("paymentSession", Presence::Mandatory, findings);
    let session = read_session(
        session_section,
        rules,
        order_amount,
        country,
        (returns, services),
        findings,
    );
    let plugin_name = headers.plugin_name.map(str::to_owned);
    if plugin_name
        .as_ref()
        .is_some_and(|name| name.chars().count() > 255)
    {
        findings.add(
            PS0026,
            "header x-plugin-name must have at most 255 characters",
        );
    }
    Some(PaymentPart {
        order: order?,
        session: session?,
        country: country.map(str::to_owned),
        plugin_name,
    })
}

impl PaymentPart {
    /// The payment to be opened.
    pub(super) fn opening(
        self,
        version: Version,
        merchant_origin: String,
        form: Option<FormWishes>,
        offer: MethodOffer,
        headers: &Headers<'_>,
        rules: &Rules<'_>,
    ) -> Opening {
        let (order, session) = (self.order, self.session);
        let methods = offered(&session, offer, self.country.as_deref(), rules.terminal);
        let warnings = warnings(session.language, &order.currency);
        Opening {
            version,
            merchant_origin,
            order_id: order.order_id,
            order_amount: order.amount,
            currency: order.currency,
            document: order.document,
            is_reservation: false,
            plugin_name: self.plugin_name,
            amount: session.amount,
            action: session.action,
            capture: session.capture,
            language: session.language.code(),
            challenge_wish: session.challenge_wish.to_owned(),
            result_url: session.result_url,
            cancel_url: session.cancel_url,
            notification_url: session.notification_url,
            start: session.start,
            recurrence: session.recurrence,
            wallet: session.wallet,
            methods,
            form,
            warnings,
            trace_id: headers.correlation_id.to_owned(),
        }
    }
}

fn read_version(whole: &Section<'_>, findings: &mut Findings) -> Option<Version> {
    let schema =
        || json!({ "type": ["string", "integer"], "enum": ["2", "3", 2, 3], "default": "3" });
    let version = match whole.value_of("version", Presence::Optional, schema) {
        None => Some(Version::Three),
        Some(Value::String(text)) if text == "2" => Some(Version::Two),
        Some(Value::String(text)) if text == "3" => Some(Version::Three),
        Some(Value::Number(number)) if number.as_u64() == Some(2) => Some(Version::Two),
        Some(Value::Number(number)) if number.as_u64() == Some(3) => Some(Version::Three),
        Some(_) => None,
    };
    if version.is_none() {
        findings.add(PS0026, "version must be one of 2, 3");
    }
    version
}

fn read_session(
    mut session: Section<'_>,
    rules: &Rules<'_>,
    order_amount: Option<Amount>,
    country: Option<&str>,
    (returns, services): (Presence, Services),
    findings: &mut Findings,
) -> Option<SessionPart> {
    let action = session.one_of("actionType", &["PAY", "VERIFY", "PREAUTH"], findings);
    let action = action
        .and_then(ActionType::from_code)
        .unwrap_or(ActionType::Pay);
    let amount = session.amount("amount", Presence::Mandatory, findings);
    check_amounts(action, order_amount, amount, findings);
    let recurrence = recurrence::read(&session, rules.terminal, rules.today, findings);
    let capture = read_capture(&mut session, action, rules.terminal, findings);
    let wish = session.one_of(
        "exemptions",
        &["NO_PREFERENCE", "CHALLENGE_REQUESTED"],
        findings,
    );
    let language = session.language("language", Presence::Optional, findings);
    let (start, wallet) = match services {
        Services::Methods => {
            let start = read_service(&session, action, rules.terminal, country, findings);
            (start, None)
        }
        Services::Wallets => (Start::Card, read_wallet(&session, rules.terminal, findings)),
    };
    let start = with_recurrence(start, recurrence.as_ref(), findings);
    let insecure = rules.config.mode.allows_insecure_urls();
    let mut url = |name: &str, presence| {
        let url = session.url(name, presence, insecure, findings);
        url.map(str::to_owned)
    };
    let result_url = url("resultUrl", returns);
    let cancel_url = url("cancelUrl", returns);
    let notification_url = url("notificationUrl", Presence::Optional);
    Some(SessionPart {
        amount: amount?,
        action,
        capture,
        language: language.unwrap_or(Language::Known("ita")),
        challenge_wish: wish.unwrap_or("NO_PREFERENCE"),
        result_url,
        cancel_url,
        notification_url,
        start,
        recurrence,
        wallet,
    })
}

/// The wallet that pays.
fn read_wallet(
    session: &Section<'_>,
    terminal: &Terminal,
    findings: &mut Findings,
) -> Option<Wallet> {
    let codes = || request_schema::one_of(&Wallet::ALL.map(Wallet::code));
    let wallet = match session.value_of("paymentService", Presence::Optional, codes) {
        None => Some(Wallet::GooglePay),
        Some(value) => value.as_str().and_then(Wallet::from_code),
    };
    let taken = wallet.filter(|wallet| terminal.wallets.contains(wallet));
    if taken.is_none() {
        findings.add(
            PS0026,
            "paymentSession.paymentService must be a wallet that the terminal takes: GOOGLEPAY, APPLEPAY",
        );
    }
    taken
}

/// What the buyer sees first, where a card is to be kept or was kept.
fn with_recurrence(
    start: Start,
    recurrence: Option<&Recurrence>,
    findings: &mut Findings,
) -> Start {
    match (start, recurrence) {
        (Start::Redirect(_), Some(_)) => {
            findings.add(
                PS0026,
                "paymentSession.paymentService must be CARDS with paymentSession.recurrence",
            );
            start
        }
        (Start::Methods | Start::Card, Some(Recurrence::Pay { .. })) => Start::KeptCard,
        _ => start,
    }
}

fn check_amounts(
    action: ActionType,
    order: Option<Amount>,
    session: Option<Amount>,
    findings: &mut Findings,
) {
    if action == ActionType::Verify {
        return;
    }
    for (path, amount) in [("order.amount", order), ("paymentSession.amount", session)] {
        if amount.is_some_and(Amount::is_zero) {
            findings.add(
                PS0026,
                format!("{path} must be above 0, except with VERIFY"),
            );
        }
    }
    if let (Some(order), Some(session)) = (order, session)
        && session > order
    {
        findings.add(PS0007, "paymentSession.amount is above order.amount");
    }
}

pub(super) fn read_capture(
    session: &mut Section<'_>,
    action: ActionType,
    terminal: &Terminal,
    findings: &mut Findings,
) -> Capture {
    let asked = read_asked_capture(session, findings);
    agreed_capture(asked, action, terminal).unwrap_or_else(|why| {
        let path = session.path_of("captureType");
        findings.add(PS0026, format!("{path} {why}"));
        terminal.capture
    })
}

/// The capture that a request asks for, if it does.
pub(super) fn read_asked_capture(
    session: &mut Section<'_>,
    findings: &mut Findings,
) -> Option<Capture> {
    let asked = session.one_of("captureType", &["IMPLICIT", "EXPLICIT"], findings);
    asked.and_then(Capture::from_code)
}

fn read_service(
    session: &Section<'_>,
    action: ActionType,
    terminal: &Terminal,
    country: Option<&str>,
    findings: &mut Findings,
) -> Start {
    let codes = || {
        let wallets = Wallet::ALL.map(Wallet::code);
        let codes = CARD_CODES.into_iter().chain(wallets);
        request_schema::one_of(&codes.chain(Method::spellings()).collect::<Vec<_>>())
    };
    let Some(value) = session.value_of("paymentService", Presence::Optional, codes) else {
        return Start::Methods;
    };
    let code = value.as_str().unwrap_or("");
    // Card rules apply to wallets (contract 10.3); what they hand over comes by a call of its own (8.1.11).
    let wallet = Wallet::from_code(code).filter(|wallet| terminal.wallets.contains(wallet));
    if CARD_CODES.contains(&code) || wallet.is_some() {
        return Start::Card;
    }
    let method = Method::from_code(code).filter(|method| terminal.methods.contains(method));
    match method {
        Some(method) if action == ActionType::Pay => {
            if !method.serves(country) {
                let (needed, code) = (method.country().unwrap_or(""), method.code());
                findings.add(
                    PS0026,
                    format!(
                        "order.customerInfo.billingAddress.country must be {needed} with {code}"
                    ),
                );
            }
            Start::Redirect(method)
        }
        Some(_) => {
            findings.add(
                PS0026,
                "paymentSession.paymentService must be CARDS where paymentSession.actionType is not PAY",
            );
            Start::Methods
        }
        None => {
            findings.add(
                PS0026,
                "paymentSession.paymentService must be one that the terminal has: CARDS, or the code of a wallet or method",
            );
            Start::Methods
        }
    }
}

/// What a card is called: `CARD` is its type in answers, and existing clients send either (contract 13, D133).
const CARD_CODES: [&str; 2] = ["CARDS", "CARD"];

/// What `form.methods` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MethodOffer {
    All,
    Cards,
}

/// The alternative methods that a session offers: those of the terminal that the order's buyer can use. Only cards
/// can be verified, and only their money can be held.
fn offered(
    session: &SessionPart,
    offer: MethodOffer,
    country: Option<&str>,
    terminal: &Terminal,
) -> Vec<&'static Method> {
    match session.start {
        Start::Redirect(method) => vec![method],
        // Only cards can be kept for later.
        Start::Methods
            if offer == MethodOffer::All
                && session.action == ActionType::Pay
                && session.recurrence.is_none() =>
        {
            let methods = terminal.methods.iter().copied();
            methods.filter(|method| method.serves(country)).collect()
        }
        Start::Methods | Start::Card | Start::KeptCard => Vec::new(),
    }
}

/// `None`: the member is not good.
fn read_form(
    whole: &Section<'_>,
    findings: &mut Findings,
) -> Option<(Option<FormWishes>, MethodOffer)> {
    if !whole.has("form") {
        return Some((None, MethodOffer::All));
    }
    let mut form = whole.section("form", Presence::Optional, findings);
    let closer = form
        .one_of("closing", &["SERVER", "FRAME"], findings)
        .and_then(CaptureInitiator::from_code);
    let attempts = form.count("attempts", 1..=5, findings);
    let card_summary = form.one_of("cardSummary", &["NONE", "LAST4", "BIN_LAST4"], findings);
    let offer = match form.one_of("methods", &["ALL", "CARDS"], findings) {
        Some("CARDS") => MethodOffer::Cards,
        _ => MethodOffer::All,
    };
    let life = form.count("expiresInSeconds", 60..=1800, findings);
    let leader = form
        .one_of("redirect", &["FRAME", "PAGE"], findings)
        .and_then(RedirectHandler::from_code);
    let installments = read_counts(&form, findings);
    let keeping = read_keeping(&mut form, findings);
    let wishes = FormWishes {
        closer: closer.unwrap_or(CaptureInitiator::Server),
        attempts: attempts
            .and_then(|attempts| u8::try_from(attempts).ok())
            .unwrap_or(1),
        card_summary: card_summary.unwrap_or("NONE").to_owned(),
        life: life.map(Duration::from_secs),
        leader: leader.unwrap_or(RedirectHandler::Frame),
        installments,
        keeping,
    };
    Some((Some(wishes), offer))
}

/// `form.savedCards`, `form.consent` and `form.consentText`.
fn read_keeping(form: &mut Section<'_>, findings: &mut Findings) -> CardOnFileTerms {
    let saved = form
        .one_of("savedCards", &SavedCards::CODES, findings)
        .and_then(SavedCards::from_code);
    let consent = form
        .one_of("consent", &Consent::CODES, findings)
        .and_then(Consent::from_code);
    let text = form.text("consentText", Presence::Optional, 1..=500, findings);
    CardOnFileTerms {
        saved: saved.unwrap_or_default(),
        consent: consent.unwrap_or_default(),
        text: text.map(str::to_owned),
    }
}

/// What is asked about kept cards has to fit the payment.
fn judge_keeping(
    keeping: &CardOnFileTerms,
    payment: &PaymentPart,
    terminal: &Terminal,
    findings: &mut Findings,
) {
    let recurrence = payment.session.recurrence.as_ref();
    if keeping.saved != SavedCards::None {
        let wrong = [
            (
                payment
                    .order
                    .document
                    .get("customerId")
                    .and_then(Value::as_str)
                    .is_none_or(str::is_empty),
                "form.savedCards needs order.customerId",
            ),
            (
                payment.session.action == ActionType::Verify,
                "form.savedCards is not for paymentSession.actionType VERIFY",
            ),
            (
                !terminal.tokenization,
                "form.savedCards is not enabled on this terminal",
            ),
            (
                matches!(
                    recurrence,
                    Some(Recurrence::Pay { .. } | Recurrence::Substitute { .. })
                ),
                "form.savedCards is for recurrence.action NO_RECURRING or CONTRACT_CREATION",
            ),
        ];
        for (_, why) in wrong.into_iter().filter(|(is_wrong, _)| *is_wrong) {
            findings.add(PS0026, why);
        }
    }
    let creates = matches!(recurrence, Some(Recurrence::Create { .. }));
    if (keeping.consent != Consent::None || keeping.text.is_some()) && !creates {
        findings.add(
            PS0026,
            "form.consent is for recurrence.action CONTRACT_CREATION",
        );
    }
    if keeping.consent == Consent::Optional && payment.session.action == ActionType::Verify {
        findings.add(
            PS0026,
            "form.consent must not be OPTIONAL with VERIFY, which does nothing but keep the card",
        );
    }
}

/// `form.installments`: what the buyer may choose among, rising.
fn read_counts(form: &Section<'_>, findings: &mut Findings) -> Vec<u8> {
    let schema = || {
        let count = serde_json::json!({ "type": "integer", "minimum": 2, "maximum": 24 });
        serde_json::json!({ "type": "array", "minItems": 1, "maxItems": 6, "items": count })
    };
    let Some(value) = form.value_of("installments", Presence::Optional, schema) else {
        return Vec::new();
    };
    let sent = value.as_array().map_or(&[][..], Vec::as_slice);
    let mut counts: Vec<u8> = sent
        .iter()
        .filter_map(|count| u8::try_from(count.as_u64()?).ok())
        .filter(|count| (2..=24).contains(count))
        .collect();
    counts.sort_unstable();
    counts.dedup();
    if counts.len() != sent.len() || !(1..=6).contains(&sent.len()) {
        findings.add(
            PS0026,
            "form.installments must hold 1 to 6 different whole numbers from 2 to 24",
        );
    }
    counts
}

fn warnings(language: Language, currency: &str) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut warn = |code: ErrorCode, description: &str| {
        warnings.push(Warning {
            code: code.to_string(),
            description: description.to_owned(),
        });
    };
    if language == Language::Unknown {
        warn(GW9101, "language not available, English used");
    }
    if WITHDRAWN.contains(&currency) {
        warn(GW9104, "order.currency has been withdrawn");
    }
    warnings
}

const WITHDRAWN: [&str; 6] = ["BGN", "BYR", "HRK", "LTL", "LVL", "VEF"];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Stands in for everything that a sender would not want to read again.
    const MARK: &str = "Xq7Zt";

    fn read_any(body: &Value) -> Result<Opening, ApiError> {
        let terminal = Terminal::with_everything();
        let today = Date {
            year: 2026,
            month: 11,
            day: 20,
        };
        let rules = Rules {
            config: &Config::sandbox(),
            terminal: &terminal,
            bins: &PublicRanges,
            wallet_tokens: &NoWalletTokens,
            today,
        };
        let headers = Headers {
            plugin_name: None,
            correlation_id: "",
        };
        read(body, &headers, &rules)
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".{0,40}".prop_map(|text| Value::from(format!("{MARK}{text}"))),
            Just(json!("PAY")),
            Just(json!("3545")),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::hash_map("[a-z]{1,8}", inner, 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    const PLACES: [&str; 24] = [
        "/version",
        "/merchantUrl",
        "/order",
        "/order/orderId",
        "/order/amount",
        "/order/currency",
        "/order/description",
        "/order/customerInfo",
        "/order/customerInfo/billingAddress",
        "/order/customerInfo/cardHolderAcctInfo",
        "/order/customerInfo/merchantRiskIndicator",
        "/order/transactionSummary",
        "/order/installments",
        "/order/installments/0",
        "/order/plan",
        "/order/termsAndConditionsIds",
        "/paymentSession",
        "/paymentSession/amount",
        "/paymentSession/recurrence",
        "/paymentSession/language",
        "/paymentSession/resultUrl",
        "/paymentSession/captureType",
        "/form",
        "/form/attempts",
    ];

    proptest! {
        #[test]
        fn no_body_makes_the_reader_panic_or_repeat_what_was_sent(
            values in proptest::collection::vec((0..PLACES.len(), any_json()), 1..4),
        ) {
            let mut body = json!({
                "version": "3", "merchantUrl": "https://shop.example",
                "order": {
                    "orderId": "A1", "amount": "3545", "currency": "EUR", "description": "",
                    "customerInfo": { "billingAddress": {}, "cardHolderAcctInfo": {}, "merchantRiskIndicator": {} },
                    "transactionSummary": [], "plan": {}, "termsAndConditionsIds": [],
                    "installments": [{ "date": "2027-01-01", "amount": "1" }, { "date": "2027-02-01", "amount": "1" }]
                },
                "paymentSession": {
                    "amount": "3545", "recurrence": {}, "language": "ita", "captureType": "IMPLICIT",
                    "resultUrl": "https://shop.example", "cancelUrl": "https://shop.example"
                },
                "form": { "attempts": 1 }
            });
            for (place, value) in values {
                if let Some(member) = body.pointer_mut(PLACES[place]) {
                    *member = value;
                }
            }
            match read_any(&body) {
                Ok(_) => {}
                Err(ApiError::Because(_, problems)) => {
                    for problem in problems {
                        prop_assert!(problem.description.chars().count() <= 255, "{}", problem.description);
                        prop_assert!(!problem.description.contains(MARK), "{}", problem.description);
                    }
                }
                Err(other) => prop_assert!(false, "{other:?}"),
            }
        }
    }
}
