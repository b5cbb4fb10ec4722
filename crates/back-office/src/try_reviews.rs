//! The queue of stopped tries: by what stopped them, until an administrator decides that they were of honest buyers or of a bot. The
//! decision lets through what stopped them, or stops it, until an end that is chosen with it.
//!
//! [`super::stopped_tries`] lists the tries one by one, [`super::decided_tries`] the decisions.

use super::display::sum_of_text;
use super::error::OfficeError;
use super::filter::FieldErrors;
use super::form::Posted;
use super::login_session::LoginSession;
use super::moment::Moment;
use super::page::{LastAction, Layout, Section, show};
use super::stopped_tries::ShownTry;
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::back_office::{Act, Role};
use payframe_payment_domain::card_testing::{Rule, Term, Verdict};
use payframe_storage::card_try_reviews::{self, Review, TryGroup};
use payframe_storage::{Connection, StoreError, Subject, audit, stopped_tries};
use payframe_web_pages::see_other;
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route(PATH, get(list))
        .route(&format!("{PATH}/{{operation}}"), get(ask).post(decide))
}

/// The address of the queue.
const PATH: &str = "/office/card-testing/reviews";

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(done): Query<LastAction>,
) -> Result<Response, OfficeError> {
    login.require(Role::Administrator)?;
    let mut connection = office.store().read().await?;
    let merchant_id = &login.member.merchant_id;
    let groups = card_try_reviews::undecided(&mut connection, merchant_id, MOST_GROUPS).await?;
    drop(connection);
    let page = QueuePage {
        layout: Layout::of(&login, Section::CardTesting, "Tries to review").after(&done, DONE),
        rows: groups.into_iter().map(ShownGroup::of).collect(),
    };
    Ok(show(StatusCode::OK, &page))
}

/// A decision as it was typed.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ReviewForm {
    reason: String,
    /// How long it is in force.
    term: String,
    /// The button that was pressed.
    verdict: String,
}

async fn ask(
    State(office): State<BackOffice>,
    Path(operation_id): Path<String>,
    login: LoginSession,
) -> Result<Response, OfficeError> {
    login.require(Role::Administrator)?;
    let mut connection = office.store().read().await?;
    let group = group_of(&mut connection, &login, &operation_id).await?;
    let group = group.ok_or(OfficeError::NotFound)?;
    let form = ReviewForm {
        term: Term::Day.code().to_owned(),
        ..ReviewForm::default()
    };
    let errors = FieldErrors::default();
    one(&mut connection, &login, group, &form, errors).await
}

async fn decide(
    State(office): State<BackOffice>,
    Path(operation_id): Path<String>,
    Posted {
        login,
        fields: form,
    }: Posted<ReviewForm>,
) -> Result<Response, OfficeError> {
    login.require(Role::Administrator)?;
    let merchant_id = &login.member.merchant_id;
    let chosen = Verdict::from_code(&form.verdict).zip(Term::from_code(&form.term));
    let (verdict, term) = chosen.ok_or_else(OfficeError::incomplete)?;
    let subject = Subject::CardTries(merchant_id);
    let mut change = office.store().write(subject).await?;
    let Some(group) = group_of(&mut change, &login, &operation_id).await? else {
        // Somebody else was faster, or the form was sent twice.
        return Ok(see_other(&format!("{PATH}?done=before")));
    };
    let reason = form.reason.trim();
    if reason.is_empty() || reason.chars().count() > LONGEST_REASON {
        let mut errors = FieldErrors::default();
        let accepted = format!("Write why, in at most {LONGEST_REASON} characters.");
        errors.add("reason", accepted);
        return one(&mut change, &login, group, &form, errors).await;
    }
    // Tries live in the time of payments, which a test clock advances; the audit log lives in the real one.
    let at_ms = office.payment_clock().now_ms();
    let review = Review {
        review_id: uuid::Uuid::new_v4().to_string(),
        merchant_id: merchant_id.clone(),
        rule: group.rule,
        subject: group.subject,
        verdict,
        reason: reason.to_owned(),
        member_id: login.member.id.clone(),
        tries: group.tries,
        terminal_id: group.terminal_id,
        at_ms,
        ends_ms: at_ms + term.ms(),
    };
    card_try_reviews::add(&mut change, &review);
    let (rule, verdict, term) = (review.rule.code(), verdict.code(), term.code());
    let detail = format!(
        "{rule} {verdict} for one {term}, after {} tries: {reason}",
        review.tries
    );
    let now_ms = office.clock().now_ms();
    let entry = login.entry(now_ms, Act::ReviewTries, &review.review_id, &detail);
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    Ok(see_other(&format!("{PATH}?done=decided")))
}

async fn group_of(
    connection: &mut Connection,
    login: &LoginSession,
    operation_id: &str,
) -> Result<Option<TryGroup>, StoreError> {
    let merchant_id = &login.member.merchant_id;
    card_try_reviews::group_of(connection, merchant_id, operation_id).await
}

async fn one(
    connection: &mut Connection,
    login: &LoginSession,
    group: TryGroup,
    form: &ReviewForm,
    errors: FieldErrors,
) -> Result<Response, OfficeError> {
    let of = (group.rule, group.subject.as_str());
    let merchant_id = &login.member.merchant_id;
    let tries = stopped_tries::of_subject(connection, merchant_id, of, MOST_TRIES).await?;
    let (rule, with) = (group.rule, with(group.rule, &group.subject, "this"));
    let shown = ShownGroup::of(group);
    let page = GroupPage {
        layout: Layout::of(login, Section::CardTesting, shown.label.clone()),
        if_buyers: format!("Tries {with} are not stopped by this rule until then."),
        if_attack: match rule.refuses() {
            true => format!("Tries {with} are refused until then."),
            false => format!("Tries {with} need a challenge of the issuer until then."),
        },
        shown,
        rows: tries.into_iter().map(ShownTry::of).collect(),
        form,
        terms: TERMS,
        errors,
    };
    Ok(show(page.errors.status(), &page))
}

/// What tries have in common, as a part of a sentence about `one` card or `this` card. A hash says nothing to people.
pub(super) fn with(rule: Rule, subject: &str, which: &str) -> String {
    match rule {
        Rule::Card => format!("with {which} card"),
        Rule::Session => format!("in {which} session"),
        Rule::Address => format!("from {which} address"),
        Rule::Range => format!("with cards of {which} range"),
        Rule::Terminal => format!("at terminal {subject}"),
        Rule::Merchant => String::from("spread over all terminals"),
        Rule::Device => format!("from browsers of {which} kind"),
        Rule::OrderValue => {
            let (amount, currency) = subject.split_once(' ').unwrap_or((subject, ""));
            format!("with the sum {}", sum_of_text(amount, currency))
        }
        Rule::BlockedRange => format!("with cards of {which} blocked range"),
        Rule::BlockedAddress => format!("from {which} blocked address"),
    }
}

/// A group as the pages show it.
struct ShownGroup {
    path: String,
    label: String,
    tries: i64,
    paid: i64,
    first: Moment,
    last: Moment,
    terminal: String,
}

impl ShownGroup {
    fn of(group: TryGroup) -> ShownGroup {
        ShownGroup {
            path: format!("{PATH}/{}", group.operation_id),
            label: format!("Tries {}", with(group.rule, &group.subject, "one")),
            tries: group.tries,
            paid: group.paid,
            first: Moment(group.first_ms),
            last: Moment(group.last_ms),
            terminal: match group.terminals {
                1 => group.terminal_id,
                count => format!("{count} terminals"),
            },
        }
    }
}

#[derive(Template)]
#[template(path = "office-try-reviews.html")]
struct QueuePage<'a> {
    layout: Layout<'a>,
    rows: Vec<ShownGroup>,
}

#[derive(Template)]
#[template(path = "office-try-review.html")]
struct GroupPage<'a> {
    layout: Layout<'a>,
    shown: ShownGroup,
    if_buyers: String,
    if_attack: String,
    rows: Vec<ShownTry>,
    form: &'a ReviewForm,
    terms: [(&'static str, &'static str); 4],
    errors: FieldErrors,
}

const TERMS: [(&str, &str); 4] = [
    ("hour", "For an hour"),
    ("day", "For a day"),
    ("week", "For a week"),
    ("month", "For 30 days"),
];

/// Sentences about the last action.
const DONE: &[(&str, &str)] = &[
    ("decided", "The decision applies from the next payment on."),
    (
        "before",
        "These tries were decided about before. Nothing was changed.",
    ),
];

/// How many groups the queue shows; what was decided makes room.
const MOST_GROUPS: i64 = 100;

/// How many tries the page of a group shows.
const MOST_TRIES: i64 = 20;

const LONGEST_REASON: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_has_a_name() {
        assert_eq!(TERMS.map(|(code, _)| code), Term::ALL.map(Term::code));
    }

    #[test]
    fn no_hash_is_shown() {
        for rule in Rule::ALL {
            let shown = with(rule, "3545 EUR", "one");
            let says_it = matches!(rule, Rule::Terminal | Rule::OrderValue);
            assert_eq!(shown.contains("35"), says_it, "{rule:?}: {shown}");
        }
    }
}
