//! Contracts: the cards that are stored for later payments, and ending one.

use super::confirm::{Confirmed, Question};
use super::error::OfficeError;
use super::filter::{FieldErrors, ListQuery, ROWS_AND_ONE, ResultPage, typed};
use super::form::Posted;
use super::idempotent_form::{FormOutcome, FormSubmission, carry_out, new_key};
use super::labels::{self, Badge};
use super::login_session::LoginSession;
use super::moment::Moment;
use super::orders;
use super::page::{LastAction, Layout, Section, show};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::back_office::{Act, Role};
use payframe_payment_domain::calendar::day_text;
use payframe_payment_domain::contract::Kind;
use payframe_payment_service::idempotency::Slot;
use payframe_storage::contracts::{self, ContractFilter, ListedContract};
use payframe_storage::operations;
use payframe_web_pages::see_other;
use serde::Deserialize;
use std::sync::Arc;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route("/office/contracts", get(list))
        .route("/office/contracts/{key}", get(detail))
        .route("/office/contracts/{key}/end", get(ask).post(end))
}

/// The page of a contract, by its key, because a later contract can have the same id.
fn path_of(key: i64) -> String {
    format!("/office/contracts/{key}")
}

/// The parameters of the address.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ContractsQuery {
    contract: String,
    customer: String,
    status: String,
    before: String,
}

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(query): Query<ContractsQuery>,
) -> Result<Response, OfficeError> {
    let mut errors = FieldErrors::default();
    let is_active = |status: &str| match status {
        "ACTIVE" => Some(true),
        "ENDED" => Some(false),
        _ => None,
    };
    let filter = ContractFilter {
        key: None,
        contract_id: typed(&query.contract),
        customer_id: typed(&query.customer),
        is_active: errors.choice("status", &query.status, is_active),
        before_key: errors.place(&query.before),
    };
    let found = match errors.is_empty() {
        true => {
            let mut connection = office.store().read().await?;
            contracts::list(
                &mut connection,
                &login.member.merchant_id,
                &filter,
                ROWS_AND_ONE,
            )
            .await?
        }
        false => Vec::new(),
    };
    let result = ResultPage::of(found, |contract| contract.key);
    let page = ContractsPage {
        layout: Layout::of(&login, Section::Contracts, "Contracts"),
        rows: result.rows.iter().map(Row::of).collect(),
        next: result.next.map(|next| query.next(next)),
        is_filtered: query.is_filtered(),
        query: &query,
        errors: &errors,
    };
    Ok(show(errors.status(), &page))
}

impl ListQuery for ContractsQuery {
    const PATH: &'static str = "/office/contracts";

    fn fields(&self) -> Vec<(&'static str, &str)> {
        vec![
            ("contract", self.contract.as_str()),
            ("customer", &self.customer),
            ("status", &self.status),
        ]
    }
}

async fn detail(
    State(office): State<BackOffice>,
    login: LoginSession,
    Path(key): Path<i64>,
    Query(done): Query<LastAction>,
) -> Result<Response, OfficeError> {
    let found = find(&office, &login, key).await?;
    let made_by = {
        let mut connection = office.store().read().await?;
        let (merchant_id, operation_id) = (&login.member.merchant_id, &found.contract.card_from);
        operations::find_of_merchant(&mut connection, merchant_id, operation_id).await?
    };
    let contract = &found.contract;
    let page = ContractPage {
        layout: Layout::of(
            &login,
            Section::Contracts,
            format!("Contract {}", contract.contract_id),
        )
        .after(&done, &DONE),
        row: Row::of(&found),
        last_day: contract.rules.last_day.map(day_text),
        gap_days: contract.rules.gap_days,
        masked: &contract.card.masked,
        last_charge: contract.last_charge_ms.map(Moment),
        made_by: made_by
            .map(|operation| (orders::path_of(&operation.order_id), operation.order_id)),
        end: (contract.is_active && login.may(Role::Operator))
            .then(|| format!("{}/end", path_of(key))),
    };
    Ok(show(StatusCode::OK, &page))
}

const DONE: [(&str, &str); 2] = [
    ("ended", "The contract has ended and its card is deleted."),
    (
        "before",
        "This form was sent before; nothing was done twice.",
    ),
];

async fn find(
    office: &BackOffice,
    login: &LoginSession,
    key: i64,
) -> Result<ListedContract, OfficeError> {
    let filter = ContractFilter {
        key: Some(key),
        ..ContractFilter::default()
    };
    let mut connection = office.store().read().await?;
    let found = contracts::list(&mut connection, &login.member.merchant_id, &filter, 1).await?;
    found.into_iter().next().ok_or(OfficeError::NotFound)
}

fn question<'a>(login: &'a LoginSession, found: &ListedContract) -> Question<'a> {
    let row = Row::of(found);
    Question {
        layout: Layout::of(login, Section::Contracts, "End the contract"),
        sum: None,
        about: "Nothing more can be charged to its card, and the card is forgotten. What is on its way is finished.",
        facts: vec![
            ("Contract", found.contract.contract_id.clone()),
            ("Card", row.card),
        ],
        label: String::from("End the contract"),
        back: row.path,
        hidden: vec![("key", new_key())],
        problem: None,
    }
}

async fn ask(
    State(office): State<BackOffice>,
    login: LoginSession,
    Path(key): Path<i64>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let found = find(&office, &login, key).await?;
    Ok(question(&login, &found).page())
}

async fn end(
    State(office): State<BackOffice>,
    Path(key): Path<i64>,
    Posted { login, fields }: Posted<Confirmed>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let found = find(&office, &login, key).await?;
    let contract_id = found.contract.contract_id.clone();
    let submission = FormSubmission {
        login: &login,
        key: &fields.key,
        act: Act::EndContract,
        subject: format!("contract {contract_id}"),
        detail: format!("contract {key}"),
    };
    let (merchant_id, was_active) = (login.member.merchant_id.clone(), found.contract.is_active);
    let run = move |office: BackOffice, _: Arc<Slot>| async move {
        // If several contracts have one id, only the newest can be active.
        if was_active {
            office
                .contracts()
                .deactivate(&merchant_id, &contract_id, None)
                .await?;
        }
        Ok(String::from("ended"))
    };
    let word = match carry_out(&office, submission, run).await {
        Ok(FormOutcome::Done) => "ended",
        Ok(FormOutcome::DoneBefore) => "before",
        Err(refused) => return question(&login, &found).refused(refused),
    };
    Ok(see_other(&format!("{}?done={word}", path_of(key))))
}

#[derive(Template)]
#[template(path = "office-contracts.html")]
struct ContractsPage<'a> {
    layout: Layout<'a>,
    rows: Vec<Row<'a>>,
    next: Option<String>,
    is_filtered: bool,
    query: &'a ContractsQuery,
    errors: &'a FieldErrors,
}

struct Row<'a> {
    contract_id: &'a str,
    path: String,
    status: Badge,
    kind: &'static str,
    customer_id: Option<&'a str>,
    card: String,
    made: Moment,
}

impl<'a> Row<'a> {
    fn of(found: &'a ListedContract) -> Row<'a> {
        let contract = &found.contract;
        let expiry = contract.card.expiry.yyyymm();
        let (year, month) = expiry.split_at(4);
        Row {
            contract_id: &contract.contract_id,
            path: path_of(found.key),
            status: match contract.is_active {
                true => Badge::good("Active"),
                false => Badge::quiet("Ended"),
            },
            kind: match contract.rules.kind {
                Kind::WithBuyer => "Payments with the buyer",
                Kind::Unscheduled => "Charges when there is a reason",
                Kind::Scheduled => "Charges at agreed intervals",
            },
            customer_id: found.customer_id.as_deref(),
            card: format!(
                "{} ***{}, until {month}/{year}",
                labels::circuit(contract.card.network.code()),
                contract.card.last4
            ),
            made: Moment(found.created_ms),
        }
    }
}

#[derive(Template)]
#[template(path = "office-contract.html")]
struct ContractPage<'a> {
    layout: Layout<'a>,
    row: Row<'a>,
    last_day: Option<String>,
    gap_days: Option<u16>,
    masked: &'a str,
    last_charge: Option<Moment>,
    /// Page and id of the order whose payment stored the card.
    made_by: Option<(String, String)>,
    /// The address that ends it.
    end: Option<String>,
}
