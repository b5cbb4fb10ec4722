//! Order and payment of a creation call (contract 2.1 to 2.5): what forms, hosted pages, links and wallets have in common.

use super::creation_rules::{Headers, Rules};
use super::customer;
use super::error::RequestErrors;
use super::exemptions;
use super::fields::{Presence, Section};
use super::order_part::{self, OrderPart};
use super::recurrence;
use super::requests::forms::{ActionTypes, CARD_CODES, CaptureTypes};
use super::requests::order::Order;
use super::requests::payment_session::{
    LinkSession, PaymentSession, SessionMembers, WalletSession,
};
use super::requests::{Member, Part};
use payframe_error_codes::ErrorCode::{self, GW9101, GW9104, PS0007, PS0026};
use payframe_money::Amount;
use payframe_payment_domain::contract::Recurrence;
use payframe_payment_domain::exemption::{NoChallengeRequest, UnchallengedPayment};
use payframe_payment_domain::language::Language;
use payframe_payment_domain::method::Method;
use payframe_payment_domain::operation::{ActionType, Capture};
use payframe_payment_domain::terms::{FramingPages, Terminal, Version, agreed_capture};
use payframe_payment_domain::wallet::Wallet;
use payframe_payment_service::create_session::{FormOptions, NewSession, Start};
use payframe_protocol::warning::Warning;

/// Order and payment of a request: what every creation call has.
pub(super) struct PaymentPart {
    pub(super) order: OrderPart,
    pub(super) session: SessionPart,
    country: Option<String>,
    plugin_name: Option<String>,
}

/// The payment of a request.
pub(super) struct SessionPart {
    pub(super) amount: Amount,
    pub(super) action: ActionType,
    capture: Capture,
    language: Language,
    challenge_preference: &'static str,
    pub(super) result_url: Option<String>,
    cancel_url: Option<String>,
    notification_url: Option<String>,
    start: Start,
    pub(super) recurrence: Option<Recurrence>,
    pub(super) wallet: Option<Wallet>,
}

/// What `paymentSession.paymentService` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Services {
    /// Cards or an alternative method.
    Methods,
    /// A wallet.
    Wallets,
}

/// The member `paymentSession` of a creation call, as it was sent.
pub(super) trait SentSession {
    /// The members that all of them have.
    fn members(&self) -> &SessionMembers;
    /// The means of payment.
    fn payment_service(&self) -> &Member;
    /// The addresses that the browser returns to: `resultUrl` and `cancelUrl`.
    fn return_urls(&self) -> [&Member; 2];
}

macro_rules! sessions {
    ($($session:ty),*) => {$(
        impl SentSession for $session {
            fn members(&self) -> &SessionMembers {
                &self.members
            }

            fn payment_service(&self) -> &Member {
                &self.payment_service
            }

            fn return_urls(&self) -> [&Member; 2] {
                [&self.result_url, &self.cancel_url]
            }
        }
    )*};
}

sessions!(PaymentSession, LinkSession, WalletSession);

/// Reads order and payment. `returns`: whether the return addresses are mandatory.
pub(super) fn read_payment<S: SentSession>(
    whole: &Section,
    (order, session): (&Part<Order>, &Part<S>),
    headers: &Headers<'_>,
    rules: &Rules<'_>,
    (returns, services): (Presence, Services),
    findings: &mut RequestErrors,
) -> Option<PaymentPart> {
    let country = country_of(order.members());
    let order_section = whole.section("order", order, Presence::Mandatory, findings);
    let (order, order_amount) =
        order_part::read(order_section, order.members(), rules.today, findings);
    let currency = order.as_ref().map(|order| order.currency.as_str());
    let session_section = whole.section("paymentSession", session, Presence::Mandatory, findings);
    let session = read_session(
        session_section,
        session.members(),
        rules,
        (order_amount, currency, country.as_deref()),
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
        country,
        plugin_name,
    })
}

/// The buyer's country in three letters, which decides about methods.
fn country_of(order: &Order) -> Option<String> {
    let info = order.customer_info.members();
    customer::country_of(&info.billing_address.members().country)
}

impl PaymentPart {
    /// The payment to be opened.
    pub(super) fn new_session(
        self,
        version: Version,
        framing: FramingPages,
        form: Option<FormOptions>,
        offer: MethodOffer,
        headers: &Headers<'_>,
        rules: &Rules<'_>,
    ) -> NewSession {
        let (order, session) = (self.order, self.session);
        let methods = offered(&session, offer, self.country.as_deref(), rules.terminal);
        let warnings = warnings(session.language, &order.currency);
        NewSession {
            version,
            framing,
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
            challenge_preference: session.challenge_preference.to_owned(),
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

fn read_session(
    mut session: Section,
    sent: &impl SentSession,
    rules: &Rules<'_>,
    (order_amount, currency, country): (Option<Amount>, Option<&str>, Option<&str>),
    (returns, services): (Presence, Services),
    findings: &mut RequestErrors,
) -> Option<SessionPart> {
    let members = sent.members();
    let action = session.one_of(
        "actionType",
        &members.action_type,
        ActionTypes::CODES,
        findings,
    );
    let action = action
        .and_then(ActionType::from_code)
        .unwrap_or(ActionType::Pay);
    let amount = session.amount("amount", &members.amount, Presence::Mandatory, findings);
    check_amounts(action, order_amount, amount, findings);
    let recurrence = &members.recurrence;
    let recurrence = recurrence::read(&session, recurrence, rules.terminal, rules.today, findings);
    let asked = &members.capture_type;
    let capture = read_capture(&mut session, asked, action, rules.terminal, findings);
    let language = &members.language;
    let language = session.language("language", language, Presence::Optional, findings);
    let service = sent.payment_service();
    let (start, wallet) = match services {
        Services::Methods => {
            let start = read_service(service, action, rules.terminal, country, findings);
            (start, None)
        }
        Services::Wallets => (Start::Card, read_wallet(service, rules.terminal, findings)),
    };
    let start = with_recurrence(start, recurrence.as_ref(), findings);
    let payment = amount
        .zip(currency)
        .map(|(amount, currency)| UnchallengedPayment {
            action,
            amount,
            currency,
            recurrence: recurrence.as_ref(),
        });
    let (asked, payment) = (&members.exemptions, payment.as_ref());
    let wish = exemptions::read(&mut session, asked, payment, rules.terminal, findings);
    if matches!(start, Start::Redirect(_)) && NoChallengeRequest::from_code(wish).is_some() {
        findings.add(
            PS0026,
            format!(
                "paymentSession.exemptions {wish} is only for paymentSession.paymentService CARDS"
            ),
        );
    }
    let insecure = rules.config.mode.allows_insecure_urls();
    let mut url = |name: &str, member, presence| {
        let url = session.url(name, member, presence, insecure, findings);
        url.map(str::to_owned)
    };
    let [result_url, cancel_url] = sent.return_urls();
    let result_url = url("resultUrl", result_url, returns);
    let cancel_url = url("cancelUrl", cancel_url, returns);
    let notification_url = &members.notification_url;
    let notification_url = url("notificationUrl", notification_url, Presence::Optional);
    Some(SessionPart {
        amount: amount?,
        action,
        capture,
        language: language.unwrap_or(Language::Known("ita")),
        challenge_preference: wish,
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
    member: &Member,
    terminal: &Terminal,
    findings: &mut RequestErrors,
) -> Option<Wallet> {
    let wallet = match member.sent() {
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

/// What the buyer sees first if a card is to be stored, or if a stored card pays.
fn with_recurrence(
    start: Start,
    recurrence: Option<&Recurrence>,
    findings: &mut RequestErrors,
) -> Start {
    match (start, recurrence) {
        (Start::Redirect(_), Some(_)) => {
            findings.add(
                PS0026,
                "paymentSession.paymentService must be CARDS with paymentSession.recurrence",
            );
            start
        }
        (Start::Methods | Start::Card, Some(Recurrence::Pay { .. })) => Start::StoredCard,
        _ => start,
    }
}

fn check_amounts(
    action: ActionType,
    order: Option<Amount>,
    session: Option<Amount>,
    findings: &mut RequestErrors,
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

/// The capture of a payment: the value of its member `captureType`, if it may have one.
pub(super) fn read_capture(
    session: &mut Section,
    member: &Member,
    action: ActionType,
    terminal: &Terminal,
    findings: &mut RequestErrors,
) -> Capture {
    let asked = read_asked_capture(session, member, findings);
    agreed_capture(asked, action, terminal).unwrap_or_else(|why| {
        let path = session.path_of("captureType");
        findings.add(PS0026, format!("{path} {why}"));
        terminal.capture
    })
}

/// The capture that a request asks for, if it asks for one.
pub(super) fn read_asked_capture(
    session: &mut Section,
    member: &Member,
    findings: &mut RequestErrors,
) -> Option<Capture> {
    let asked = session.one_of("captureType", member, CaptureTypes::CODES, findings);
    asked.and_then(Capture::from_code)
}

fn read_service(
    member: &Member,
    action: ActionType,
    terminal: &Terminal,
    country: Option<&str>,
    findings: &mut RequestErrors,
) -> Start {
    let Some(value) = member.sent() else {
        return Start::Methods;
    };
    let code = value.as_str().unwrap_or("");
    // Card rules apply to wallets (contract 10.3). The wallet's data comes with another call (8.1.11).
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

/// What `form.methods` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MethodOffer {
    All,
    Cards,
}

/// The alternative methods of a session: those of the terminal that the order's buyer can use. Verification and
/// holding money are possible only with cards.
fn offered(
    session: &SessionPart,
    offer: MethodOffer,
    country: Option<&str>,
    terminal: &Terminal,
) -> Vec<&'static Method> {
    match session.start {
        Start::Redirect(method) => vec![method],
        // Only cards can be stored for later.
        Start::Methods
            if offer == MethodOffer::All
                && session.action == ActionType::Pay
                && session.recurrence.is_none() =>
        {
            let methods = terminal.methods.iter().copied();
            methods.filter(|method| method.serves(country)).collect()
        }
        Start::Methods | Start::Card | Start::StoredCard => Vec::new(),
    }
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
