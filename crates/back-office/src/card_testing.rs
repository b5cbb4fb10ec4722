//! Rules against card testing: whether somebody tries out cards at a terminal, what was stopped there, and the terminal's settings. For
//! administrators.

use super::error::OfficeError;
use super::filter::FieldErrors;
use super::form::Posted;
use super::login_session::LoginSession;
use super::moment::Moment;
use super::page::{LastAction, Layout, Section, show};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::back_office::{Act, Role};
use payframe_payment_domain::card_testing::{CardTestingSettings, Limits, Rule, Switch};
use payframe_payment_domain::terms::Terminal;
use payframe_storage::{Subject, audit, card_tries, merchants, terminal_attacks};
use payframe_web_pages::see_other;
use serde::Deserialize;
use std::str::FromStr;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route("/office/card-testing", get(list))
        .route("/office/card-testing/{terminal}", get(ask).post(change))
}

/// A terminal as the list shows it.
struct ShownTerminal {
    id: String,
    /// Whether the rules apply.
    is_on: bool,
    /// Since when it is under attack, if it is.
    attacked: Option<Moment>,
    /// What was stopped in a day, by the rules' sentences.
    stopped: Vec<(&'static str, i64)>,
}

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
) -> Result<Response, OfficeError> {
    login.require(Role::Administrator)?;
    let by_default = office.payments().settings().stops_card_testing;
    let now_ms = office.payment_clock().now_ms();
    let mut connection = office.store().read().await?;
    let mut terminals = Vec::new();
    for id in merchants::terminals(&mut connection, &login.member.merchant_id).await? {
        let rules = card_tries::settings(&mut connection, &id).await?;
        let attack = terminal_attacks::find(&mut connection, &id).await?;
        let stopped = card_tries::stopped(&mut connection, &id, now_ms - DAY_MS).await?;
        let is_on = rules.is_on(by_default);
        terminals.push(ShownTerminal {
            is_on,
            attacked: attack.map(|attack| Moment(attack.since_ms)),
            stopped: stopped
                .into_iter()
                .map(|(rule, count)| (label(rule), count))
                .collect(),
            id,
        });
    }
    drop(connection);
    let layout = Layout::of(&login, Section::CardTesting, "Card testing");
    let page = ListPage { layout, terminals };
    Ok(show(StatusCode::OK, &page))
}

async fn ask(
    State(office): State<BackOffice>,
    Path(terminal_id): Path<String>,
    login: LoginSession,
    Query(done): Query<LastAction>,
) -> Result<Response, OfficeError> {
    let terminal = own_terminal(&office, &login, &terminal_id).await?;
    let form = SettingsForm::of(&terminal.card_testing);
    let page = SettingsPage {
        layout: Layout::of(&login, Section::CardTesting, title(&terminal_id)).after(&done, DONE),
        terminal_id: &terminal_id,
        form: &form,
        switches: switches(office.payments().settings().stops_card_testing),
        errors: FieldErrors::default(),
    };
    Ok(show(page.errors.status(), &page))
}

/// The settings as they were typed.
#[derive(Deserialize)]
struct SettingsForm {
    switch: String,
    card: String,
    session: String,
    address: String,
    range: String,
    terminal: String,
    merchant: String,
    device: String,
    order_value: String,
    allowed_ranges: String,
    blocked_ranges: String,
    allowed_addresses: String,
    blocked_addresses: String,
}

async fn change(
    State(office): State<BackOffice>,
    Path(terminal_id): Path<String>,
    Posted {
        login,
        fields: form,
    }: Posted<SettingsForm>,
) -> Result<Response, OfficeError> {
    own_terminal(&office, &login, &terminal_id).await?;
    let mut errors = FieldErrors::default();
    let settings = form.read(&mut errors);
    let Some(settings) = settings.filter(|_| errors.is_empty()) else {
        let page = SettingsPage {
            layout: Layout::of(&login, Section::CardTesting, title(&terminal_id)),
            terminal_id: &terminal_id,
            form: &form,
            switches: switches(office.payments().settings().stops_card_testing),
            errors,
        };
        return Ok(show(page.errors.status(), &page));
    };
    let mut write = office.store().write(Subject::Gateway).await?;
    let mut terminal = merchants::terminal(&mut write, &terminal_id).await?;
    terminal.card_testing = settings;
    merchants::put_terminal(&mut write, &terminal).await?;
    let now_ms = office.clock().now_ms();
    let rules = &terminal.card_testing;
    let detail = format!(
        "card_testing={} card_testing_limits={} allowed_ranges={} blocked_ranges={} allowed_addresses={} blocked_addresses={}",
        rules.switch.code(),
        rules.limits,
        joined(&rules.allowed_ranges),
        joined(&rules.blocked_ranges),
        joined(&rules.allowed_addresses),
        joined(&rules.blocked_addresses),
    );
    let entry = login.entry(now_ms, Act::ChangeTerminal, &terminal_id, &detail);
    audit::add(&mut write, &entry).await?;
    write.commit().await?;
    Ok(see_other(&format!(
        "/office/card-testing/{terminal_id}?done=kept"
    )))
}

/// A terminal of the member's merchant.
async fn own_terminal(
    office: &BackOffice,
    login: &LoginSession,
    terminal_id: &str,
) -> Result<Terminal, OfficeError> {
    login.require(Role::Administrator)?;
    let mut connection = office.store().read().await?;
    let owner = merchants::owner_of_terminal(&mut connection, terminal_id).await?;
    if owner.as_ref() != Some(&login.member.merchant_id) {
        return Err(OfficeError::NotFound);
    }
    Ok(merchants::terminal(&mut connection, terminal_id).await?)
}

impl SettingsForm {
    fn of(settings: &CardTestingSettings) -> SettingsForm {
        let limits = settings.limits;
        SettingsForm {
            switch: settings.switch.code().to_owned(),
            card: limits.card.to_string(),
            session: limits.session.to_string(),
            address: limits.address.to_string(),
            range: limits.range.to_string(),
            terminal: limits.terminal.to_string(),
            merchant: limits.merchant.to_string(),
            device: limits.device.to_string(),
            order_value: limits.order_value.to_string(),
            allowed_ranges: joined(&settings.allowed_ranges),
            blocked_ranges: joined(&settings.blocked_ranges),
            allowed_addresses: joined(&settings.allowed_addresses),
            blocked_addresses: joined(&settings.blocked_addresses),
        }
    }

    fn read(&self, errors: &mut FieldErrors) -> Option<CardTestingSettings> {
        let mut limit = |name: &'static str, typed: &str| {
            let read = format!("{name}:{}", typed.trim()).parse::<Limits>().is_ok();
            if !read {
                errors.add(name, "Type a whole number; 0 is no limit.");
            }
            typed.trim().parse().unwrap_or_default()
        };
        let limits = Limits {
            card: limit("card", &self.card),
            session: limit("session", &self.session),
            address: limit("address", &self.address),
            range: limit("range", &self.range),
            terminal: limit("terminal", &self.terminal),
            merchant: limit("merchant", &self.merchant),
            device: limit("device", &self.device),
            order_value: limit("order_value", &self.order_value),
        };
        Some(CardTestingSettings {
            switch: Switch::from_code(&self.switch)?,
            limits,
            allowed_ranges: ranges("allowed_ranges", &self.allowed_ranges, errors),
            blocked_ranges: ranges("blocked_ranges", &self.blocked_ranges, errors),
            allowed_addresses: addresses("allowed_addresses", &self.allowed_addresses, errors),
            blocked_addresses: addresses("blocked_addresses", &self.blocked_addresses, errors),
        })
    }
}

fn ranges<T: FromStr>(name: &'static str, typed: &str, errors: &mut FieldErrors) -> Vec<T> {
    let wrong = "Type beginnings of card numbers, of 4 to 10 digits, separated by commas.";
    parts(typed).unwrap_or_else(|| {
        errors.add(name, wrong);
        Vec::new()
    })
}

fn addresses<T: FromStr>(name: &'static str, typed: &str, errors: &mut FieldErrors) -> Vec<T> {
    let wrong = "Type addresses, or networks such as 192.0.2.0/24, separated by commas.";
    parts(typed).unwrap_or_else(|| {
        errors.add(name, wrong);
        Vec::new()
    })
}

/// The parts of a list that commas or blanks separate.
fn parts<T: FromStr>(typed: &str) -> Option<Vec<T>> {
    let parts = typed
        .split([',', ' ', '\n', '\r', '\t'])
        .filter(|part| !part.is_empty());
    parts.map(|part| part.parse().ok()).collect()
}

fn joined<T: ToString>(parts: &[T]) -> String {
    let parts: Vec<String> = parts.iter().map(T::to_string).collect();
    parts.join(",")
}

/// What a rule found.
pub(super) fn label(rule: Rule) -> &'static str {
    match rule {
        Rule::Card => "too many with one card",
        Rule::Session => "too many in one session",
        Rule::Address => "too many from one address",
        Rule::Range => "too many with cards of one range",
        Rule::Terminal => "too many at this terminal",
        Rule::Merchant => "too many at all terminals together",
        Rule::Device => "too many from browsers of one kind",
        Rule::OrderValue => "too many with one sum",
        Rule::BlockedRange => "with cards of blocked ranges",
        Rule::BlockedAddress => "from blocked addresses",
    }
}

fn switches(by_default: bool) -> [(&'static str, &'static str); 3] {
    let by_default = match by_default {
        true => "As the gateway has it: on",
        false => "As the gateway has it: off",
    };
    Switch::ALL.map(|switch| {
        let label = match switch {
            Switch::Default => by_default,
            Switch::On => "On",
            Switch::Off => "Off",
        };
        (switch.code(), label)
    })
}

fn title(terminal_id: &str) -> String {
    format!("Card testing at terminal {terminal_id}")
}

#[derive(Template)]
#[template(path = "office-card-testing.html")]
struct ListPage<'a> {
    layout: Layout<'a>,
    terminals: Vec<ShownTerminal>,
}

#[derive(Template)]
#[template(path = "office-card-testing-terminal.html")]
struct SettingsPage<'a> {
    layout: Layout<'a>,
    terminal_id: &'a str,
    form: &'a SettingsForm,
    switches: [(&'static str, &'static str); 3],
    errors: FieldErrors,
}

/// Sentences about the last action.
const DONE: &[(&str, &str)] = &[(
    "kept",
    "The settings are kept. They apply from the next payment on.",
)];

const DAY_MS: i64 = 86_400_000;
