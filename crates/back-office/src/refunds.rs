//! Moving an order's money by hand: refund, release, capture, cancel, increment.
//!
//! There are three pages, and each works without script: what may be moved, with the field for the amount; the confirmation; and the
//! order with the result. The same functions as for the API decide what is allowed and move the money
//! ([`payframe_payment_service::post_authorization`]).

use super::amount::{AmountForm, AmountPage, AmountRange};
use super::approvals::{self, Wanted};
use super::display::{segment, sum};
use super::error::OfficeError;
use super::filter::FieldErrors;
use super::form::Posted;
use super::idempotent_form::{FormOutcome, FormSubmission, carry_out, was_sent};
use super::labels;
use super::login_session::LoginSession;
use super::moment::Moment;
use super::orders::path_of;
use super::page::{Layout, Section};
use super::refund_rule::Judgement;
use crate::BackOffice;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::get;
use payframe_money::Amount;
use payframe_payment_domain::back_office::{Act, Role};
use payframe_payment_domain::ledger_rules::{ActionCall, Allowed, FollowUpOperation};
use payframe_payment_service::idempotency::Slot;
use payframe_payment_service::order_version::ExpectedVersion;
use payframe_payment_service::post_authorization::{ActionError, FollowUpCall};
use payframe_protocol::operation::Operation;
use payframe_storage::{ledger, merchants, operations};
use payframe_web_pages::see_other;
use std::sync::Arc;

pub(super) fn router() -> Router<BackOffice> {
    Router::new().route(
        "/office/orders/{order_id}/{operation_id}/{act}",
        get(ask).post(answer),
    )
}

/// The message of the order's page after each action.
pub(super) const DONE: [(&str, &str); 7] = [
    ("capture", "The capture was requested. Its result is below."),
    ("refund", "The refund was requested. Its result is below."),
    ("release", "The release was requested. Its result is below."),
    (
        "cancel",
        "The cancellation was requested. Its result is below.",
    ),
    (
        "increment",
        "The increment was requested. Its result is below.",
    ),
    (
        "asked",
        "The refund waits until somebody else approves it, under Approvals.",
    ),
    (
        "before",
        "This form was sent before. Its result is below; nothing was done twice.",
    ),
];

/// An action on an operation that the page of its order offers.
pub(super) struct ActionLink {
    pub(super) path: String,
    pub(super) label: &'static str,
    pub(super) bounds: String,
}

impl ActionLink {
    pub(super) fn of(operation: &Operation, allowed: &Allowed) -> ActionLink {
        let (order, id) = (
            path_of(&operation.order_id),
            segment(&operation.operation_id),
        );
        ActionLink {
            path: format!("{order}/{id}/{}", word(allowed.follow_up)),
            label: labels::follow_up(allowed.follow_up),
            bounds: possible(operation, allowed).text(),
        }
    }
}

/// An action on an operation that is allowed now.
struct PossibleAction {
    operation: Operation,
    payment_id: String,
    allowed: Allowed,
    possible: AmountRange,
}

async fn ask(
    State(office): State<BackOffice>,
    login: LoginSession,
    Path(path): Path<(String, String, String)>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let action = possible_action(&office, &login, &path).await?;
    let form = AmountForm::all_of(&action.possible);
    Ok(action.page(&login, form, FieldErrors::default()).page())
}

async fn answer(
    State(office): State<BackOffice>,
    Path(path): Path<(String, String, String)>,
    Posted { login, fields }: Posted<AmountForm>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let order = path_of(&path.0);
    let found = possible_action(&office, &login, &path).await;
    if was_sent(&office, &login, &fields.key).await? {
        return Ok(see_other(&format!("{order}?done=before")));
    }
    let action = found?;
    let mut errors = FieldErrors::default();
    let Some(amount) = fields.read(&action.possible, &mut errors) else {
        let form = fields.again(&action.possible);
        return Ok(action.page(&login, form, errors).page());
    };
    if action.allowed.call == ActionCall::Refund && is_large(&office, &login, amount).await? {
        let page = format!("{order}/{}/{}", segment(&path.1), segment(&path.2));
        login.require_confirmed(&office, &page)?;
    }
    let judgement = match action.allowed.follow_up {
        FollowUpOperation::Refund => {
            let merchant_id = &login.member.merchant_id;
            Judgement::of_refund(&office, merchant_id, &action.operation, amount).await?
        }
        _ => Judgement::free(),
    };
    let label = labels::follow_up(action.allowed.follow_up);
    if !fields.is_confirmed() {
        let mut page = action.page(&login, AmountForm::all_of(&action.possible), errors);
        let label = match judgement.waits {
            true => {
                page.about = WAITS;
                "Ask for approval:"
            }
            false => label,
        };
        return Ok(fields.question(page, label, amount).page());
    }
    if judgement.waits {
        let wanted = Wanted {
            operation: &action.operation,
            payment_id: &action.payment_id,
            amount,
            note: fields.note(),
            key: &fields.key,
            version: judgement.into_version(),
        };
        let word = match approvals::request(&office, &login, wanted).await? {
            FormOutcome::Done => "asked",
            FormOutcome::DoneBefore => "before",
        };
        return Ok(see_other(&format!("{order}?done={word}")));
    }
    let call = action.allowed.call;
    let written = sum(amount, &action.possible.currency);
    let submission = FormSubmission {
        login: &login,
        key: &fields.key,
        act: act_of(call),
        subject: format!("order {}", action.operation.order_id),
        detail: format!(
            "{label} {written} of operation {}",
            action.operation.operation_id
        ),
    };
    let task = FollowUpTask {
        target_id: action.operation.operation_id.clone(),
        payment_id: action.payment_id.clone(),
        terminal_id: action.operation.terminal_id.clone(),
        call,
        wanted: action.allowed.follow_up,
        expected_version: judgement.version,
        // A cancellation has no amount: it cancels the whole operation.
        amount: (call != ActionCall::Cancel).then_some(amount),
        description: fields.note().map(str::to_owned),
    };
    let run =
        move |office: BackOffice, slot: Arc<Slot>| async move { task.run(&office, &slot).await };
    match carry_out(&office, submission, run).await {
        Ok(FormOutcome::Done) => Ok(see_other(&format!(
            "{order}?done={}",
            word(action.allowed.follow_up)
        ))),
        Ok(FormOutcome::DoneBefore) => Ok(see_other(&format!("{order}?done=before"))),
        Err(OfficeError::Bad(why)) => {
            errors.add("amount", why);
            let form = fields.again(&action.possible);
            Ok(action.page(&login, form, errors).page())
        }
        Err(refused) => Err(refused),
    }
}

/// Whether members confirm refunds of this amount.
async fn is_large(
    office: &BackOffice,
    login: &LoginSession,
    amount: Amount,
) -> Result<bool, OfficeError> {
    let mut connection = office.store().read().await?;
    let above = merchants::confirmed_refund(&mut connection, &login.member.merchant_id).await?;
    Ok(i128::from(amount.minor()) > i128::from(above))
}

/// The action that an address names, if it is allowed now.
async fn possible_action(
    office: &BackOffice,
    login: &LoginSession,
    (order_id, operation_id, act): &(String, String, String),
) -> Result<PossibleAction, OfficeError> {
    if !WORDS.iter().any(|(_, known)| known == act) {
        return Err(OfficeError::NotFound);
    }
    let merchant_id = &login.member.merchant_id;
    let mut connection = office.store().read().await?;
    let operation =
        operations::find_of_merchant(&mut connection, merchant_id, operation_id).await?;
    let operation = operation.filter(|operation| operation.order_id == *order_id);
    let payment_id = ledger::payment_of(&mut connection, merchant_id, operation_id).await?;
    drop(connection);
    let (operation, payment_id) = operation.zip(payment_id).ok_or(OfficeError::NotFound)?;
    let allowed = office
        .post_authorization()
        .allowed_actions(merchant_id, operation_id)
        .await?;
    let (_, allowed) = allowed.ok_or(OfficeError::NotFound)?;
    let allowed = allowed
        .into_iter()
        .find(|allowed| word(allowed.follow_up) == act);
    let allowed = allowed.ok_or_else(|| {
        let result = labels::result(&operation.operation_result).text;
        OfficeError::Bad(format!(
            "The operation does not allow this now; it is: {}. What may be done is on the page of the order.",
            result.to_lowercase()
        ))
    })?;
    Ok(PossibleAction {
        possible: possible(&operation, &allowed),
        operation,
        payment_id,
        allowed,
    })
}

fn possible(operation: &Operation, allowed: &Allowed) -> AmountRange {
    AmountRange {
        min: allowed.bounds.min,
        max: allowed.bounds.max,
        currency: operation.operation_currency.clone(),
    }
}

impl PossibleAction {
    fn page<'a>(
        &'a self,
        login: &'a LoginSession,
        form: AmountForm,
        errors: FieldErrors,
    ) -> AmountPage<'a> {
        let follow_up = self.allowed.follow_up;
        let title = format!(
            "{}: order {}",
            labels::follow_up(follow_up),
            self.operation.order_id
        );
        AmountPage {
            layout: Layout::of(login, Section::Orders, title),
            about: about(follow_up),
            facts: vec![("Operation", self.operation.operation_id.clone())],
            possible: &self.possible,
            until: Some(Moment(self.allowed.bounds.until_ms)),
            back: path_of(&self.operation.order_id),
            form,
            errors,
        }
    }
}

/// An action that is being carried out, in a task of its own: it is done even if the browser closes the connection.
struct FollowUpTask {
    target_id: String,
    payment_id: String,
    terminal_id: String,
    call: ActionCall,
    wanted: FollowUpOperation,
    expected_version: ExpectedVersion,
    amount: Option<Amount>,
    description: Option<String>,
}

impl FollowUpTask {
    async fn run(self, office: &BackOffice, slot: &Slot) -> Result<String, OfficeError> {
        let ask = FollowUpCall {
            expected_version: self.expected_version,
            target_id: &self.target_id,
            payment_id: &self.payment_id,
            call: self.call,
            wanted: Some(self.wanted),
            amount: self.amount,
            description: self.description.as_deref(),
            terminal_id: &self.terminal_id,
            slot: Some(slot),
            author: None,
        };
        let operation_id = match self.call {
            ActionCall::Increment => {
                office
                    .post_authorization()
                    .increment(&ask)
                    .await?
                    .operation_id
            }
            ActionCall::Capture | ActionCall::Refund | ActionCall::Cancel => {
                office.post_authorization().act(&ask).await?.operation_id
            }
        };
        Ok(format!("operation {operation_id}"))
    }
}

impl From<ActionError> for OfficeError {
    fn from(problem: ActionError) -> OfficeError {
        match problem {
            ActionError::Payment(problem) => problem.into(),
            ActionError::OrderChanged => OfficeError::Bad(String::from(
                "The order has changed since the page was opened. Open it again.",
            )),
            ActionError::Denied { denials, .. } => {
                let sentences: Vec<_> = denials.iter().map(|denial| denial.sentence()).collect();
                OfficeError::Bad(format!("This was refused: {}.", sentences.join("; ")))
            }
        }
    }
}

/// The name of an action in an address.
fn word(follow_up: FollowUpOperation) -> &'static str {
    let found = WORDS.iter().find(|(known, _)| *known == follow_up);
    found.map_or("", |(_, word)| word)
}

const WORDS: [(FollowUpOperation, &str); 5] = [
    (FollowUpOperation::Capture, "capture"),
    (FollowUpOperation::Void, "release"),
    (FollowUpOperation::Refund, "refund"),
    (FollowUpOperation::Cancel, "cancel"),
    (FollowUpOperation::Increment, "increment"),
];

fn act_of(call: ActionCall) -> Act {
    match call {
        ActionCall::Capture => Act::Capture,
        ActionCall::Refund => Act::Refund,
        ActionCall::Cancel => Act::Cancel,
        ActionCall::Increment => Act::Increment,
    }
}

/// What a refund does that a second member has to approve.
const WAITS: &str = "The refunds of this order would be above the sum that needs a second member. Nothing is refunded until somebody else approves it.";

/// What an action does, for the member who is about to confirm it.
fn about(follow_up: FollowUpOperation) -> &'static str {
    match follow_up {
        FollowUpOperation::Capture => {
            "What is held on the buyer's card is taken, as a whole or in parts."
        }
        FollowUpOperation::Void => {
            "What is held on the buyer's card is released. It cannot be held again."
        }
        FollowUpOperation::Refund => "The money goes back to the buyer. It cannot be taken again.",
        FollowUpOperation::Cancel => {
            "The capture is undone on its own day; the money is held as before."
        }
        FollowUpOperation::Increment => {
            "More is held on the buyer's card beside what is held already."
        }
    }
}
