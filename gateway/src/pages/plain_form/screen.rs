//! What a page of the plain form shows, by the state of its session.

use super::billing::ShownBilling;
use super::card_fields::{Problem, input_name, is_secret};
use super::payment::Payment;
use super::texts::PlainTexts;
use crate::App;
use crate::pages::payment_summary::PaymentSummary;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use payframe_card_rules::network::Network;
use payframe_checkout_flow::decline::Decline;
use payframe_checkout_flow::flow::Outcome;
use payframe_payment_domain::billing_address::BillingAddressError;
use payframe_payment_domain::operation::ActionType;
use payframe_payment_domain::session::State;
use payframe_payment_domain::terms::{CaptureInitiator, CardField, Version};
use payframe_protocol::api::OperationSummary;
use payframe_protocol::boot::{BootConsent, ConsentKind};
use payframe_web_pages::policy::{ancestors, is_web_address};
use payframe_web_pages::theme::Theme;
use payframe_web_pages::{protect, render};
use std::collections::BTreeMap;

/// Why a form is shown again.
#[derive(Default)]
pub(super) struct Refusal {
    pub(super) problems: Vec<(CardField, Problem)>,
    /// Whether the consent to saving the card is missing.
    pub(super) consent: bool,
    /// What is wrong with the billing address.
    pub(super) billing: Vec<BillingAddressError>,
    /// Key of the text above the button.
    pub(super) notice: Option<&'static str>,
    /// What was typed, without card number and security code.
    pub(super) again: BTreeMap<String, String>,
}

/// What a page shows.
pub(super) enum Screen {
    /// The fields.
    Card(CardScreen),
    /// The card is known: a button pays.
    Review { title: String, notice: String },
    /// Somebody else has to act. The page loads itself again.
    Waiting(String),
    /// The issuer's page, at this address.
    Challenge(String),
    /// The way to the page of a method.
    Elsewhere(String),
    /// Whether to cancel.
    Question,
    /// The payment is over, or this form can not make it.
    End(End),
}

/// The fields and what is asked beside them.
#[derive(Default)]
pub(super) struct CardScreen {
    notice: String,
    fields: Vec<ShownField>,
    billing: Option<ShownBilling>,
    /// Code and label of each button of another method.
    methods: Vec<(String, String)>,
    /// Numbers of instalments, as the form sends them, and their labels.
    installments: Vec<(String, String)>,
    consent: Option<ShownConsent>,
}

/// One input.
struct ShownField {
    id: &'static str,
    name: &'static str,
    label: String,
    attributes: InputAttributes,
    value: String,
    problem: String,
}

struct InputAttributes {
    autocomplete: &'static str,
    inputmode: &'static str,
    placeholder: String,
}

struct ShownConsent {
    label: String,
    sentences: Vec<String>,
    problem: String,
}

/// The end of a payment.
#[derive(Default)]
pub(super) struct End {
    mark: &'static str,
    mark_class: &'static str,
    title: String,
    text: String,
    /// The shop's address, and the label of its link.
    back: Option<(String, String)>,
}

/// Whether this form may make the payment: the operator allows it, and the session is of the version whose device check may be left out.
pub(super) fn is_offered(app: &App, payment: &Payment) -> bool {
    app.config().serves_form_without_scripts() && payment.row.terms.version == Version::Three
}

impl CardScreen {
    /// Whether it says what was wrong with the last try.
    pub(super) fn is_refused(&self) -> bool {
        self.fields.iter().any(|field| !field.problem.is_empty())
            || self.billing.as_ref().is_some_and(ShownBilling::is_refused)
    }

    fn of(payment: &Payment, texts: &PlainTexts, refusal: Refusal) -> CardScreen {
        let boot = &payment.view.boot;
        let Refusal {
            mut problems,
            consent,
            billing,
            notice,
            again,
        } = refusal;
        let summary = PaymentSummary::of(&payment.view, texts.code());
        let values = [("amount", summary.amount.as_str())];
        let mut notice = notice.map(|key| texts.fill(key, &values));
        if problems.is_empty() && notice.is_none() && again.is_empty() {
            let decline = boot.state.operation.as_ref().map(decline_of);
            match decline.map(|decline| (decline, decline.field().and_then(CardField::from_id))) {
                Some((decline, Some(field))) => problems.push((field, Problem::of(decline.code()))),
                Some((decline, None)) => notice = Some(texts.text(decline.code()).to_owned()),
                None => {}
            }
        }
        let accepted: Vec<&str> = boot
            .networks
            .iter()
            .filter_map(|code| Network::from_code(code))
            .map(Network::name)
            .collect();
        let accepted = accepted.join(", ");
        let fields = boot
            .fields
            .iter()
            .filter_map(|id| CardField::from_id(id))
            .map(|field| {
                let problem = problems.iter().find(|(of, _)| *of == field);
                let name = input_name(field);
                let value = again.get(name).or_else(|| boot.defaults.get(field.id()));
                ShownField {
                    id: field.id(),
                    name,
                    label: texts.text(label_of(field)).to_owned(),
                    attributes: InputAttributes::of(field, texts),
                    value: value
                        .filter(|_| !is_secret(field))
                        .cloned()
                        .unwrap_or_default(),
                    problem: problem.map_or_else(String::new, |(_, problem)| {
                        sentence(texts, problem, &accepted)
                    }),
                }
            })
            .collect();
        let merchant = boot.merchant.as_str();
        CardScreen {
            notice: notice.unwrap_or_default(),
            fields,
            billing: boot
                .billing
                .as_ref()
                .map(|asked| ShownBilling::of(asked, texts, &again, &billing)),
            methods: boot
                .methods
                .iter()
                .map(|method| {
                    let label = texts.fill("label_pay_with", &[("method", &method.label)]);
                    (method.id.clone(), label)
                })
                .collect(),
            installments: boot
                .installments
                .iter()
                .map(|count| {
                    let count = count.to_string();
                    let label = texts.fill("choice_installments_count", &[("count", &count)]);
                    (count, label)
                })
                .collect(),
            consent: boot
                .consent
                .as_ref()
                .map(|asked| ShownConsent::of(asked, texts, merchant, consent)),
        }
    }
}

impl Screen {
    /// What to show. `refusal`: why the last press has led to nothing.
    pub(super) fn of(
        app: &App,
        payment: &Payment,
        texts: &PlainTexts,
        refusal: Option<Refusal>,
    ) -> Screen {
        let Payment { view, row } = payment;
        let text = |key: &str| texts.text(key).to_owned();
        if !is_offered(app, payment) && row.session.state.is_open() {
            return Screen::End(End {
                title: text("label_frame_title"),
                text: text("label_scripts_off"),
                ..End::default()
            });
        }
        let notice = refusal.as_ref().and_then(|refusal| refusal.notice);
        let notice = notice.map(text).unwrap_or_default();
        match &row.session.state {
            State::ChoosingMethod | State::CollectingCard(_) => {
                Screen::Card(CardScreen::of(payment, texts, refusal.unwrap_or_default()))
            }
            State::Ready { card } => {
                let is_agreed = card
                    .shown
                    .as_ref()
                    .is_none_or(|shown| shown.to_string() == payment.sum());
                if !is_agreed {
                    let summary = PaymentSummary::of(view, texts.code());
                    let values = [
                        ("amount", summary.amount.as_str()),
                        ("merchant", view.boot.merchant.as_str()),
                    ];
                    return Screen::Review {
                        title: text("amount_title"),
                        notice: texts.fill("amount_text", &values),
                    };
                }
                match row.terms.capture_initiator {
                    CaptureInitiator::Server => Screen::Waiting(text("waiting_for_shop")),
                    CaptureInitiator::Frame => Screen::Review {
                        title: text("label_frame_title"),
                        notice,
                    },
                }
            }
            State::CheckingDevice { .. } => Screen::Review {
                title: text("label_frame_title"),
                notice,
            },
            State::VerifyingDevice { .. } => Screen::Waiting(text("checking")),
            State::Challenged { .. } => match &view.boot.state.url {
                Some(url) => Screen::Challenge(url.clone()),
                None => Screen::Waiting(text("checking")),
            },
            State::Authorizing { .. }
            | State::SteppingUp { .. }
            | State::AuthorizingMethod { .. } => Screen::Waiting(text("paying")),
            State::Redirected { .. } => match &view.boot.state.url {
                Some(url) => Screen::Elsewhere(url.clone()),
                None => Screen::Waiting(text("reading")),
            },
            State::Complete { .. } | State::Cancelled { .. } | State::Dead => {
                Screen::End(End::of(app, payment, texts))
            }
        }
    }

    fn reloads(&self) -> bool {
        matches!(self, Screen::Waiting(_))
    }

    fn title<'a>(&'a self, texts: &'a PlainTexts) -> &'a str {
        match self {
            Screen::Card(_) | Screen::Question => texts.text("label_frame_title"),
            Screen::Review { title, .. } => title,
            Screen::Waiting(text) => text,
            Screen::Challenge(_) => texts.text("challenge_title"),
            Screen::Elsewhere(_) => texts.text("elsewhere_title"),
            Screen::End(end) => &end.title,
        }
    }
}

impl End {
    fn of(app: &App, payment: &Payment, texts: &PlainTexts) -> End {
        let Payment { view, row } = payment;
        let operation = view.boot.state.operation.as_ref();
        let outcome = operation.map_or(Outcome::Unknown, |operation| {
            Outcome::from_operation_result(&operation.operation_result)
        });
        let (mark, mark_class, title, text) = match outcome {
            Outcome::Approved => {
                let (title, text) = match view.action {
                    ActionType::Pay => ("approved_title", "approved_text"),
                    ActionType::PreAuth => ("held_title", "held_text"),
                    ActionType::Verify => ("verified_title", "verified_text"),
                };
                ("✓", "mark approved", title, text)
            }
            Outcome::Pending => ("…", "mark", "pending_title", "pending_text"),
            Outcome::Declined => {
                let decline = operation.map_or(Decline::Issuer, decline_of);
                ("!", "mark failed", "declined_title", decline.code())
            }
            Outcome::Cancelled => ("×", "mark", "cancelled_title", "cancelled_text"),
            Outcome::Failed => ("!", "mark failed", "failed_title", "failed_text"),
            Outcome::Reversed => ("↩", "mark", "reversed_title", "reversed_text"),
            Outcome::Unknown => ("?", "mark", "unknown_title", "unknown_text"),
        };
        let summary = PaymentSummary::of(view, texts.code());
        let values = [
            ("amount", summary.amount.as_str()),
            ("merchant", view.boot.merchant.as_str()),
        ];
        let url = app.payments().return_url(row);
        End {
            mark,
            mark_class,
            title: texts.text(title).to_owned(),
            text: texts.fill(text, &values),
            back: is_web_address(&url).then(|| (url, texts.fill("label_hosted_back", &values))),
        }
    }
}

impl ShownConsent {
    fn of(asked: &BootConsent, texts: &PlainTexts, merchant: &str, is_missing: bool) -> Self {
        let values = [("merchant", merchant)];
        let fill = |key: &str| texts.fill(key, &values);
        let mut sentences = vec![fill(match asked.kind {
            ConsentKind::WithBuyer => "choice_consent_with",
            _ => "choice_consent_alone",
        })];
        sentences.extend(asked.text.clone());
        sentences.push(fill("choice_consent_stop"));
        if !asked.required {
            sentences.push(fill("choice_consent_optional"));
        }
        ShownConsent {
            label: fill("choice_consent"),
            sentences,
            problem: match is_missing {
                true => fill("choice_consent_missing"),
                false => String::new(),
            },
        }
    }
}

impl InputAttributes {
    fn of(field: CardField, texts: &PlainTexts) -> InputAttributes {
        let (autocomplete, inputmode, placeholder) = match field {
            CardField::Number => ("cc-number", "numeric", "label_card_number_placeholder"),
            CardField::Expiry => ("cc-exp", "numeric", "label_expiry_placeholder"),
            CardField::SecurityCode => ("cc-csc", "numeric", "security_code_placeholder"),
            CardField::HolderName => ("cc-name", "text", ""),
            CardField::HolderSurname => ("cc-family-name", "text", ""),
            CardField::Email => ("email", "email", ""),
            CardField::Privacy => ("off", "", ""),
        };
        InputAttributes {
            autocomplete,
            inputmode,
            placeholder: texts.text(placeholder).to_owned(),
        }
    }
}

fn label_of(field: CardField) -> &'static str {
    match field {
        CardField::Number => "label_card_number",
        CardField::Expiry => "label_expiry",
        CardField::SecurityCode => "label_security_code",
        CardField::HolderName => "label_holder_name",
        CardField::HolderSurname => "label_holder_surname",
        CardField::Email => "label_email",
        CardField::Privacy => "label_privacy",
    }
}

fn decline_of(operation: &OperationSummary) -> Decline {
    let data = operation.additional_data.as_ref();
    let code = data.and_then(|data| data.authorization_status.as_deref());
    Decline::sort(&operation.operation_result, code)
}

fn sentence(texts: &PlainTexts, problem: &Problem, accepted: &str) -> String {
    let count = match problem.count {
        0 => String::from("3–4"),
        count => count.to_string(),
    };
    let values = [
        ("brand", problem.brand.map_or("", Network::name)),
        ("accepted", accepted),
        ("count", &count),
    ];
    texts.fill(problem.key, &values)
}

/// What all pages of a form have in common.
pub(super) struct PageFrame<'a> {
    pub(super) texts: &'a PlainTexts,
    pub(super) theme: Theme,
    /// The address of all of them.
    pub(super) here: String,
    /// The address of the style.
    pub(super) style: &'static str,
}

/// The page with its headers.
pub(super) fn render_page(
    status: StatusCode,
    frame: &PageFrame<'_>,
    payment: &Payment,
    screen: &Screen,
    token: &str,
) -> Response {
    let summary = PaymentSummary::of(&payment.view, frame.texts.code());
    let template = PlainPage {
        texts: frame.texts,
        theme: frame.theme.as_str(),
        style: frame.style,
        here: &frame.here,
        title: screen.title(frame.texts),
        reloads: screen.reloads(),
        may_cancel: payment.row.session.state.is_open(),
        summary: &summary,
        sum: payment.sum(),
        token,
        elsewhere: &[("merchant", payment.view.boot.merchant.as_str())],
        asks_to_cancel: matches!(screen, Screen::Question),
        screen,
    };
    let mut page = render(status, &template);
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'self'; \
         frame-ancestors {}",
        ancestors(payment.view.framing.origins())
    );
    protect(&mut page, &policy);
    page
}

#[derive(Template)]
#[template(path = "plain-form.html")]
struct PlainPage<'a> {
    texts: &'a PlainTexts,
    theme: &'static str,
    style: &'static str,
    here: &'a str,
    title: &'a str,
    reloads: bool,
    may_cancel: bool,
    summary: &'a PaymentSummary,
    sum: String,
    token: &'a str,
    /// The values of a text.
    elsewhere: &'a [(&'a str, &'a str)],
    asks_to_cancel: bool,
    screen: &'a Screen,
}
