//! 3-step payments (contract 8.1.5 to 8.1.7): the merchant's server sends the card, its page redirects the buyer to the challenge, and the
//! server pays.
//!
//! Such a payment is a session with an id that is not given to anyone. From the first call on it is ready to be completed, and the last
//! call completes it: intent, acquirer and recording are the same as for every payment (see [`super::transition`]). The merchant knows the
//! operation id from the first call on. So the id is assigned in the session's terms, and every result of the session is written into that
//! operation.
//!
//! An authentication that fails closes the session in the same way as a refusal in the form. If an authentication is not completed, the
//! session's limit ends it ([`external_3ds_events::on_limit`]): the limit of the challenge once the buyer has arrived there, the limit of
//! the payment before and after.

use super::card_entry::ValidatedCard;
use super::cardholder_data::CardholderData;
use super::error::PaymentError;
use super::external_3ds_events;
use super::operation_document::Booking;
use super::server_to_server::DirectOrder;
use super::transition::EventContext;
use super::{
    Authorizations, Contracts, Ledger, PaymentContext, ServerPayments, Sessions, Transitions,
};
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_money::Amount;
use payframe_payment_domain::card::network_of_circuit;
use payframe_payment_domain::contract::Recurrence;
use payframe_payment_domain::external_3ds::AuthenticationStatus;
use payframe_payment_domain::operation::{Capture, OperationResult};
use payframe_payment_domain::session::{Authentication, Recorded, State};
use payframe_payment_ports::Vault;
use payframe_payment_ports::three_ds_server::{AuthenticationEvidence, EvidenceRequest};
use payframe_protocol::operation::Operation;
use payframe_protocol::three_step::{ThreeDsAuthResult, ThreeStepValidationAnswer};
use payframe_storage::external_3ds::{self, External3dsRow};
use payframe_storage::sessions::{self, SessionRow};
use payframe_storage::{Connection, StoreError, Subject, operations};
use serde::Serialize;
use subtle::ConstantTimeEq;
use thiserror::Error;

/// The first call: a validated request.
pub struct StepInit {
    /// The order to pay.
    pub order: DirectOrder,
    /// May be missing if a stored card pays.
    pub card: Option<ValidatedCard>,
    /// The contract that the payment makes or charges.
    pub recurrence: Option<Recurrence>,
    /// `exemptions`
    pub challenge_preference: &'static str,
}

/// The last call: a validated request.
pub struct StepPayment<'a> {
    /// The operation id from the first call.
    pub operation_id: &'a str,
    /// As the last call names it.
    pub order_id: &'a str,
    /// As the last call names it.
    pub amount: Amount,
    /// As the last call names it.
    pub currency: &'a str,
    /// May be missing if a stored card pays.
    pub card: Option<ValidatedCard>,
    /// The contract that the payment makes or charges.
    pub recurrence: Option<Recurrence>,
    /// When the money is captured, if the call sets it.
    pub capture: Option<Capture>,
    /// The response of the validation, as the call repeats it.
    pub proof: Option<AuthenticationProof<'a>>,
}

/// The proof of the authentication that the merchant's server sends (`threeDSAuthData`).
pub struct AuthenticationProof<'a> {
    /// The proof itself, in base64.
    pub authentication_value: &'a str,
    /// Not compared if the client omits it (contract 13, D128).
    pub response: Option<&'a str>,
    /// The indicator that came with it.
    pub eci: Option<&'a str>,
    /// The directory server's id of the transaction.
    pub xid: Option<&'a str>,
}

/// Why a call of a 3-step payment was not carried out.
#[derive(Debug, Error)]
pub enum External3dsError {
    /// The merchant has no operation with this id.
    #[error("the merchant has no operation with this id")]
    Unknown,
    /// The card is not the one from the first call, or from the contract.
    #[error("the card is another one than in the first call or in the contract")]
    OtherCard,
    /// There is no card.
    #[error("there is no card")]
    NoCard,
    /// These members differ from the first call.
    #[error("members differ from the first call: {}", .0.join(", "))]
    Differs(Vec<&'static str>),
    /// The capture type is not allowed.
    #[error("the capture type {0}")]
    Capture(&'static str),
    /// The proof of the authentication is missing.
    #[error("the proof of the authentication is missing")]
    NoProof,
    /// The proof belongs to another authentication.
    #[error("the proof belongs to another authentication")]
    OtherProof,
    /// The challenge's result does not belong to this operation, or does not exist yet.
    #[error("the result of the challenge is not that of this operation")]
    OtherResponse,
    /// The operation's state does not allow the call.
    #[error("the operation is {0}, which does not allow the call")]
    State(String),
    /// The payment does not continue.
    #[error(transparent)]
    Payment(PaymentError),
}

impl<P: Into<PaymentError>> From<P> for External3dsError {
    fn from(problem: P) -> External3dsError {
        External3dsError::Payment(problem.into())
    }
}

/// 3-step payments: the merchant's server controls the authentication.
#[derive(Clone, Copy)]
pub struct External3ds<'a> {
    pub(super) context: &'a PaymentContext,
    pub(super) ledger: Ledger<'a>,
    pub(super) authorizations: Authorizations<'a>,
    pub(super) contracts: Contracts<'a>,
    pub(super) transitions: Transitions<'a>,
    pub(super) sessions: Sessions<'a>,
    pub(super) server_payments: ServerPayments<'a>,
}

impl<'a> External3ds<'a> {
    /// The service over these dependencies.
    pub fn new(context: &'a PaymentContext) -> External3ds<'a> {
        External3ds {
            context,
            ledger: Ledger::new(context),
            authorizations: Authorizations::new(context),
            contracts: Contracts::new(context),
            transitions: Transitions::new(context),
            sessions: Sessions::new(context),
            server_payments: ServerPayments::new(context),
        }
    }
}

impl External3ds<'_> {
    /// Writes the state of the operation before the authorization request.
    pub(super) async fn report_result(
        &self,
        connection: &mut Connection,
        row: &SessionRow,
        step: &External3dsRow,
        (result, authentication): (OperationResult, Option<Authentication>),
        now_ms: i64,
    ) -> Result<(), PaymentError> {
        let State::Ready { card } = &row.session.state else {
            return Ok(());
        };
        let opened = CardholderData::of(self.context.vault(), row)?;
        let booking = Booking {
            operation_id: &step.operation_id,
            terminal_id: &row.terms.terminal_id,
            card: Some(card),
            method: None,
            number: opened.as_ref().map(|card| &card.number),
            authentication,
            exemption: None,
            result: Recorded::Own(result),
            repeats: None,
            reply: None,
        };
        self.ledger
            .record(connection, row, &booking, now_ms)
            .await?;
        Ok(())
    }

    /// The authentication has failed: the session gets this outcome.
    pub(super) async fn fail(
        &self,
        connection: &mut Connection,
        row: &mut SessionRow,
    ) -> Result<(), PaymentError> {
        let event = external_3ds_events::failing(row)?;
        self.transitions
            .apply(connection, row, event, &EventContext::default())
            .await?;
        Ok(())
    }

    /// Processes the result of the challenge, and returns the body of the response.
    pub async fn validate(
        &self,
        merchant_id: &str,
        operation_id: &str,
        response: &str,
    ) -> Result<Vec<u8>, External3dsError> {
        let step = self.step_of(merchant_id, operation_id).await?;
        let hash = &step.session_hash;
        let _held = self.context.lock_session(hash).await;
        let row = self.transitions.current_row(hash).await?;
        let (mut transaction, mut step, evidence) = loop {
            let asked = {
                let mut connection = self.context.store().read().await?;
                let step = external_3ds_row(&mut connection, operation_id).await?;
                (step, operation(&mut connection, operation_id).await?)
            };
            let evidence = self
                .evidence_of(&asked.0, &asked.1, &row.terms.terminal_id)
                .await?;
            let mut transaction = self.context.store().write(Subject::Session(hash)).await?;
            let step = external_3ds_row(&mut transaction, operation_id).await?;
            let before = operation(&mut transaction, operation_id).await?;
            let is_same = step.status == asked.0.status
                && before.operation_result == asked.1.operation_result;
            // Another process may have changed the payment in the meantime.
            if is_same {
                break (transaction, step, evidence);
            }
        };
        let now_ms = self.context.clock().now_ms();
        if !same(response, &self.response_of(&step)) {
            return Err(External3dsError::OtherResponse);
        }
        if let Some(answered) = &step.validation {
            let answered = self
                .context
                .vault()
                .decrypt(answered, &validation_of(operation_id));
            let answered =
                answered.map_err(|_| PaymentError::Broken("a validation does not open"))?;
            return Ok(answered.to_vec());
        }
        let mut row = session(&mut transaction, hash).await?;
        let before = operation(&mut transaction, operation_id).await?;
        match (step.status, &row.session.state) {
            (AuthenticationStatus::Passed(authentication), State::Ready { .. }) => {
                step.status = AuthenticationStatus::Authenticated(authentication);
                let told = notified_status(step.status);
                self.report_result(&mut transaction, &row, &step, told, now_ms)
                    .await?;
            }
            (AuthenticationStatus::Frictionless(authentication), State::Ready { .. }) => {
                let told = (OperationResult::ThreeDsValidated, Some(authentication));
                self.report_result(&mut transaction, &row, &step, told, now_ms)
                    .await?;
            }
            (AuthenticationStatus::Failed, State::Ready { .. }) => {
                self.fail(&mut transaction, &mut row).await?;
            }
            // The time limit has expired.
            _ if before.operation_result == OperationResult::ThreeDsFailed.code() => {}
            _ => return Err(External3dsError::State(before.operation_result)),
        }
        let validated = operation(&mut transaction, operation_id).await?;
        let answer = validation_answer(validated, step.status, evidence);
        let body = written(&answer)?;
        step.validation = Some(
            self.context
                .vault()
                .encrypt(&body, &validation_of(operation_id))?,
        );
        external_3ds::put(&mut transaction, &step).await?;
        transaction.commit().await?;
        self.context.wake_notifier();
        Ok(body)
    }

    /// The evidence of an authentication that is being validated, under the assumption that the validation succeeds.
    async fn evidence_of(
        &self,
        step: &External3dsRow,
        operation: &Operation,
        terminal_id: &str,
    ) -> Result<AuthenticationEvidence, External3dsError> {
        let is_over = operation.operation_result == OperationResult::ThreeDsFailed.code();
        let authentication = match step.status {
            _ if is_over => Authentication::None,
            AuthenticationStatus::Passed(authentication) => authentication,
            status => status.authentication().unwrap_or(Authentication::None),
        };
        let asked = evidence_request(operation, terminal_id, authentication);
        Ok(self.authorizations.evidence(&asked).await?)
    }

    /// The 3-step payment of a merchant's operation.
    pub(super) async fn step_of(
        &self,
        merchant_id: &str,
        operation_id: &str,
    ) -> Result<External3dsRow, External3dsError> {
        let mut connection = self.context.store().read().await?;
        let operation =
            operations::find_of_merchant(&mut connection, merchant_id, operation_id).await?;
        let operation = operation.ok_or(External3dsError::Unknown)?;
        let step = external_3ds::find(&mut connection, operation_id).await?;
        step.ok_or(External3dsError::State(operation.operation_result))
    }

    /// `threeDSAuthRequest`: what the buyer's browser sends to the challenge.
    pub(super) fn step_request(&self, operation_id: &str) -> String {
        self.context
            .vault()
            .page_token(&format!("3-step request of {operation_id}"))
    }

    /// The value that a validation accepts as `threeDSAuthResponse`. If there is no challenge, it is a fixed word.
    pub(super) fn response_of(&self, step: &External3dsRow) -> String {
        match step.status {
            AuthenticationStatus::Frictionless(_) => String::from(NOT_NEEDED),
            _ => self.step_response(&step.operation_id),
        }
    }

    /// `PaRes`: what the buyer's browser brings back from the challenge.
    fn step_response(&self, operation_id: &str) -> String {
        self.context
            .vault()
            .page_token(&format!("3-step response of {operation_id}"))
    }
}

/// What the 3-D Secure server is asked for the evidence of a 3-step payment.
pub(super) fn evidence_request<'a>(
    operation: &'a Operation,
    terminal_id: &'a str,
    authentication: Authentication,
) -> EvidenceRequest<'a> {
    EvidenceRequest {
        reference: &operation.operation_id,
        terminal_id,
        number: None,
        network: network_of(operation),
        authentication,
    }
}

fn validation_answer(
    operation: Operation,
    status: AuthenticationStatus,
    evidence: AuthenticationEvidence,
) -> ThreeStepValidationAnswer {
    let is_validated = operation.operation_result == OperationResult::ThreeDsValidated.code();
    let authentication = status
        .authentication()
        .filter(|_| is_validated)
        .unwrap_or(Authentication::None);
    // Where the issuer stands aside, nothing is proved.
    let is_proved = is_validated && !evidence.authentication_value.is_empty();
    ThreeStepValidationAnswer {
        three_ds_auth_result: ThreeDsAuthResult {
            authentication_value: is_proved.then_some(evidence.authentication_value),
            cavv_algorithm: is_proved.then(|| String::from("3")),
            eci: evidence.eci.into_owned(),
            merchant_acquirer_bin: evidence.acquirer_bin.into_owned(),
            xid: evidence.ds_transaction_id,
            status: String::from(match authentication {
                Authentication::Full => "VALIDATED",
                Authentication::Attempted => "ATTEMPTED",
                Authentication::DataShared | Authentication::None | Authentication::NotDue => {
                    "FAILED"
                }
            }),
            vendorcode: String::from(evidence.operator),
            version: String::from(evidence.version),
        },
        operation,
    }
}

/// The network of an operation's card.
fn network_of(operation: &Operation) -> Option<Network> {
    let circuit = operation.payment_circuit.as_deref();
    circuit.and_then(network_of_circuit)
}

/// What the merchant is notified of before the authorization request.
pub(super) fn notified_status(
    status: AuthenticationStatus,
) -> (OperationResult, Option<Authentication>) {
    match status {
        AuthenticationStatus::Authenticated(authentication) => {
            (OperationResult::ThreeDsValidated, Some(authentication))
        }
        AuthenticationStatus::BrowserDue
        | AuthenticationStatus::Due(_)
        | AuthenticationStatus::Frictionless(_)
        | AuthenticationStatus::Passed(_)
        | AuthenticationStatus::Failed => (OperationResult::Pending, None),
    }
}

/// What the response of a validation is bound to: it contains the proof of the authentication.
pub fn validation_of(operation_id: &str) -> String {
    format!("validation of {operation_id}")
}

/// A card as operations name it: `cardId4`.
pub(super) fn card_id(
    vault: &dyn Vault,
    merchant_id: &str,
    card: &CardholderData,
    expiry: Expiry,
) -> String {
    // Exposed to compute a hash, with a key and for this merchant only.
    vault.card_id(merchant_id, &[card.number.expose(), &expiry.yyyymm()])
}

/// Compares a secret with the expected one. The time does not depend on where they differ.
pub(super) fn same(sent: &str, expected: &str) -> bool {
    sent.as_bytes().ct_eq(expected.as_bytes()).into()
}

pub(super) fn written(answer: &impl Serialize) -> Result<Vec<u8>, PaymentError> {
    serde_json::to_vec(answer).map_err(|_| PaymentError::Broken("an answer does not serialize"))
}

pub(super) async fn operation(
    connection: &mut Connection,
    operation_id: &str,
) -> Result<Operation, PaymentError> {
    let found = operations::find(connection, operation_id).await?;
    found.ok_or_else(|| StoreError::Unreadable("operation").into())
}

pub(super) async fn external_3ds_row(
    connection: &mut Connection,
    operation_id: &str,
) -> Result<External3dsRow, PaymentError> {
    let found = external_3ds::find(connection, operation_id).await?;
    found.ok_or_else(|| StoreError::Unreadable("3-step authentication").into())
}

async fn session(connection: &mut Connection, hash: &str) -> Result<SessionRow, PaymentError> {
    let found = sessions::find(connection, hash).await?;
    found.ok_or_else(|| StoreError::Unreadable("session").into())
}

/// How long the payment of a 3-step payment is possible (contract 8.1.5).
pub(super) const STEP_MS: i64 = 30 * 60 * 1000;

/// The fixed word that is used if there is no challenge.
pub(super) const NOT_NEEDED: &str = "notneeded";
