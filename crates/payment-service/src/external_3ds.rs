//! 3-step payments (contract 8.1.5 to 8.1.7): the merchant's server sends the card, its page sends the buyer to the
//! challenge, and the server pays.
//!
//! Such a payment is a session like any other, with an id that nobody knows. It waits from the first call on, ready to be
//! closed, for the last one, which closes it: intent, acquirer and booking are those of every payment (see [`super::transition`]).
//! The merchant knows the operation from the first call on, so its id stands in the session's terms as the one that is
//! announced, and whatever becomes of the session is written into that operation.
//!
//! An authentication that fails closes the session as a refusal does in the form. One that nobody ends is ended by the
//! session's limit ([`three_step_events::on_limit`]): that of the challenge from the buyer's coming on, and that of the payment before and after.

use super::authorization::Authenticating;
use super::booking::Booking;
use super::card_entry::GoodCard;
use super::card_seal::SealedCard;
use super::contracts::KeptCard;
use super::create_session::{Attempt, Changes, OrderAvailability};
use super::error::PaymentError;
use super::server_to_server::DirectOrder;
use super::three_step_events;
use super::transition::EventContext;
use super::{
    Authorizations, Contracts, Ledger, PaymentContext, ServerPayments, Sessions, Transitions,
};
use crate::idempotency::Slot;
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_money::Amount;
use payframe_payment_domain::card::{EnteredCard, network_of_circuit};
use payframe_payment_domain::contract::Recurrence;
use payframe_payment_domain::hosted::Kind as HostedKind;
use payframe_payment_domain::operation::{Capture, OperationResult};
use payframe_payment_domain::session::{Authentication, Challenge, Recorded, State, Verdict};
use payframe_payment_domain::terms::{Terminal, agreed_capture};
use payframe_payment_domain::three_step::{AuthenticationStatus, Enrollment};
use payframe_payment_ports::three_ds_server::AuthenticationEvidence;
use payframe_protocol::operation::{Operation, OperationAnswer};
use payframe_protocol::three_step::{
    ThreeDsAuthResult, ThreeStepInitAnswer, ThreeStepValidationAnswer,
};
use payframe_storage::external_3ds::{self, ThreeStepRow};
use payframe_storage::sessions::{self, Page, SessionRow};
use payframe_storage::{Connection, StoreError, Subject, cards, operations, orders};
use payframe_vault::Vault;
use serde::Serialize;
use subtle::ConstantTimeEq;

/// The first call: a request that was read and found good.
pub struct StepInit {
    /// What is paid.
    pub order: DirectOrder,
    /// May be missing where a kept card pays.
    pub card: Option<GoodCard>,
    /// The contract that it makes or charges.
    pub recurrence: Option<Recurrence>,
    /// `exemptions`
    pub challenge_wish: &'static str,
}

/// The last call: a request that was read and found good.
pub struct StepPayment<'a> {
    /// Of the first call.
    pub operation_id: &'a str,
    /// As the last call names it.
    pub order_id: &'a str,
    /// As the last call names it.
    pub amount: Amount,
    /// As the last call names it.
    pub currency: &'a str,
    /// May be missing where a kept card pays.
    pub card: Option<GoodCard>,
    /// The contract that it makes or charges.
    pub recurrence: Option<Recurrence>,
    /// When the money is taken, where the call says it.
    pub capture: Option<Capture>,
    /// What the validation answered, as the call repeats it.
    pub proof: Option<AuthenticationProof<'a>>,
}

/// What the merchant's server says of the authentication (`threeDSAuthData`).
pub struct AuthenticationProof<'a> {
    /// The proof itself, in base64.
    pub authentication_value: &'a str,
    /// What a client leaves out is not compared (contract 13, D128).
    pub response: Option<&'a str>,
    /// The indicator that came with it.
    pub eci: Option<&'a str>,
    /// The directory server's id of the transaction.
    pub xid: Option<&'a str>,
}

/// Why a call of a 3-step payment was not carried out.
#[derive(Debug)]
pub enum External3dsError {
    /// The merchant has no operation with this id.
    Unknown,
    /// The card is not the one that the first call, or the contract, knows.
    OtherCard,
    /// There is no card.
    NoCard,
    /// These members are not what the first call said.
    Differs(Vec<&'static str>),
    /// The capture can not be that.
    Capture(&'static str),
    /// What was validated must be proved.
    NoProof,
    /// It proves another authentication.
    OtherProof,
    /// The challenge's result is not that of this operation, or there is none yet.
    OtherResponse,
    /// The operation's state does not allow the call.
    State(String),
    /// The payment does not move on.
    Payment(PaymentError),
}

impl<P: Into<PaymentError>> From<P> for External3dsError {
    fn from(problem: P) -> External3dsError {
        External3dsError::Payment(problem.into())
    }
}

/// What the acquirer needs of a card, and what may be shown of it.
struct Instrument<'a> {
    shown: &'a EnteredCard,
    sealed: &'a SealedCard,
}

/// What the issuer says at the first call.
struct Assessed {
    /// The operation that it was asked for.
    operation_id: String,
    enrollment: Enrollment,
    verdict: Verdict,
}

/// Payments in three steps, whose authentication the merchant's server leads.
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
    /// The service over what payments work with.
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
    /// Begins a 3-step payment and answers the body of the response.
    pub async fn begin(
        &self,
        terminal: &Terminal,
        init: &StepInit,
        slot: Option<&Slot>,
    ) -> Result<Vec<u8>, External3dsError> {
        let _held = self
            .context
            .lock_order(&terminal.merchant_id, &init.order.order_id)
            .await;
        let assessed = self.assess(terminal, init).await?;
        loop {
            match self.try_to_begin(terminal, init, &assessed, slot).await? {
                Attempt::Opened(body) => return Ok(body),
                Attempt::Earlier(earlier) => {
                    // The answer has no place for warnings.
                    self.sessions
                        .give_up_earlier(&earlier, Some(terminal), &mut Vec::new())
                        .await?;
                }
            }
        }
    }

    /// Asks the card's issuer about the buyer. A device check there is not, and risk rules are asked with the payment.
    async fn assess(
        &self,
        terminal: &Terminal,
        init: &StepInit,
    ) -> Result<Assessed, External3dsError> {
        let merchant_id = &terminal.merchant_id;
        let kept = {
            let mut connection = self.context.store().read().await?;
            self.contracts
                .agree(&mut connection, merchant_id, init.recurrence.as_ref())
                .await?
        };
        let card = self.card_of(merchant_id, init, kept.as_ref())?;
        let operation_id = payframe_vault::random_operation_id()?;
        let verdict = self
            .authorizations
            .authenticate(&Authenticating {
                operation_id: &operation_id,
                terminal_id: &terminal.terminal_id,
                card: card.sealed,
                expiry: card.shown.expiry,
                amount: init.order.amount,
                currency: &init.order.currency,
                challenge_wish: init.challenge_wish,
            })
            .await?;
        let range = self
            .context
            .three_ds_server()
            .card_range(&card.sealed.number);
        Ok(Assessed {
            operation_id,
            enrollment: range.enrollment,
            verdict,
        })
    }

    async fn try_to_begin(
        &self,
        terminal: &Terminal,
        init: &StepInit,
        assessed: &Assessed,
        slot: Option<&Slot>,
    ) -> Result<Attempt, External3dsError> {
        let merchant_id = &terminal.merchant_id;
        let now_ms = self.context.clock().now_ms();
        let mut transaction = self
            .context
            .store()
            .write(Subject::Merchant(merchant_id))
            .await?;
        let kept = self
            .contracts
            .agree(&mut transaction, merchant_id, init.recurrence.as_ref())
            .await?;
        let card = self.card_of(merchant_id, init, kept.as_ref())?;
        let order = init.order.to_write(merchant_id, now_ms);
        if let OrderAvailability::Open(earlier) = self
            .sessions
            .order_availability(
                &mut transaction,
                &order,
                &[HostedKind::Page],
                Changes::Refused,
            )
            .await?
        {
            return Ok(Attempt::Earlier(earlier));
        }
        orders::put(&mut transaction, &order);
        let Assessed {
            operation_id,
            enrollment,
            verdict,
        } = assessed;
        let mut row = self.waiting_session(terminal, init, operation_id, card.shown)?;
        sessions::add(&mut transaction, &row, now_ms)?;
        // The security code comes again with the payment.
        let sealed = card.sealed.bare().seal(self.context.vault(), &row.hash)?;
        cards::keep(&mut transaction, &mut row, sealed);
        let step = ThreeStepRow {
            operation_id: operation_id.clone(),
            session_hash: row.hash.clone(),
            standing: first_standing(*enrollment, *verdict),
            return_url: None,
            validation: None,
            ends_ms: row.ends_ms,
        };
        let told = told_of(step.standing);
        self.tell(&mut transaction, &row, &step, told, now_ms)
            .await?;
        external_3ds::add(&mut transaction, &step).await?;
        if let AuthenticationStatus::Due(_) | AuthenticationStatus::Frictionless(_) = step.standing
        {
            let page = Page::Step(operation_id.clone());
            let token_hash = payframe_vault::hash(&self.context.page_token(&row.hash, &page));
            sessions::open_page(&mut transaction, &token_hash, &row.hash, &page);
        }
        if step.standing == AuthenticationStatus::Failed {
            self.fail(&mut transaction, &mut row).await?;
        }
        let answer = self.init_answer(
            operation(&mut transaction, operation_id).await?,
            *enrollment,
            &step,
        );
        let body = written(&answer)?;
        if let Some(slot) = slot {
            slot.keep(&mut transaction, self.context.vault(), 200, &body, now_ms)?;
        }
        transaction.commit().await?;
        self.context.wake_notifier();
        Ok(Attempt::Opened(body))
    }

    /// The card of a payment: the one that was sent, or the kept one, which a sent one must be.
    fn card_of<'a>(
        &self,
        merchant_id: &str,
        init: &'a StepInit,
        kept: Option<&'a KeptCard>,
    ) -> Result<Instrument<'a>, External3dsError> {
        let sent = init.card.as_ref().map(|card| Instrument {
            shown: &card.card,
            sealed: &card.sealed,
        });
        let kept = kept.map(|card| Instrument {
            shown: &card.shown,
            sealed: &card.sealed,
        });
        let id = |card: &Instrument<'_>| {
            card_id(
                self.context.vault(),
                merchant_id,
                card.sealed,
                card.shown.expiry,
            )
        };
        match (sent, kept) {
            (Some(sent), Some(kept)) if id(&sent) != id(&kept) => Err(External3dsError::OtherCard),
            (_, Some(kept)) => Ok(kept),
            (Some(sent), None) => Ok(sent),
            (None, None) => Err(External3dsError::NoCard),
        }
    }

    /// A session that waits for the last call.
    fn waiting_session(
        &self,
        terminal: &Terminal,
        init: &StepInit,
        operation_id: &str,
        card: &EnteredCard,
    ) -> Result<SessionRow, PaymentError> {
        let session_hash = payframe_vault::hash(&payframe_vault::random_secret()?);
        let mut row =
            self.server_payments
                .new_session(terminal, &init.order, &session_hash, card.clone())?;
        row.terms.announced = Some(operation_id.to_owned());
        row.terms.contract = init.recurrence.as_ref().and_then(Recurrence::wish);
        row.terms.challenge_wish = init.challenge_wish.to_owned();
        // Only the merchant's server is waited for: the limit without a sign of the buyer is no shorter.
        row.ends_ms = self.context.clock().now_ms() + STEP_MS;
        row.last_seen_ms = row.ends_ms;
        row.wake_ms = row.ends_ms;
        Ok(row)
    }

    /// Writes the operation as it stands before its money is asked for.
    async fn tell(
        &self,
        connection: &mut Connection,
        row: &SessionRow,
        step: &ThreeStepRow,
        (result, authentication): (OperationResult, Option<Authentication>),
        now_ms: i64,
    ) -> Result<(), PaymentError> {
        let State::Ready { card } = &row.session.state else {
            return Ok(());
        };
        let opened = SealedCard::of(self.context.vault(), row)?;
        let booking = Booking {
            operation_id: &step.operation_id,
            terminal_id: &row.terms.terminal_id,
            card: Some(card),
            method: None,
            number: opened.as_ref().map(|card| &card.number),
            authentication,
            result: Recorded::Own(result),
            reply: None,
        };
        self.ledger.record(connection, row, &booking, now_ms).await
    }

    /// The authentication has failed: the session gets that outcome.
    async fn fail(
        &self,
        connection: &mut Connection,
        row: &mut SessionRow,
    ) -> Result<(), PaymentError> {
        let event = three_step_events::failing(row)?;
        self.transitions
            .apply(connection, row, event, &EventContext::default())
            .await?;
        Ok(())
    }

    fn init_answer(
        &self,
        operation: Operation,
        enrollment: Enrollment,
        step: &ThreeStepRow,
    ) -> ThreeStepInitAnswer {
        let is_due = matches!(step.standing, AuthenticationStatus::Due(_));
        let is_frictionless = matches!(step.standing, AuthenticationStatus::Frictionless(_));
        let url = || format!("{}/threeds/start", self.context.settings().origin);
        ThreeStepInitAnswer {
            operation,
            three_ds_enrollment_status: if is_frictionless {
                String::from(NOT_NEEDED)
            } else {
                enrollment.code().to_owned()
            },
            three_ds_auth_request: if is_due {
                self.step_request(&step.operation_id)
            } else {
                String::from(NOT_NEEDED)
            },
            three_ds_auth_url: (is_due || is_frictionless).then(url),
        }
    }

    /// Takes the result of the challenge, and answers the body of the response.
    pub async fn validate(
        &self,
        merchant_id: &str,
        operation_id: &str,
        response: &str,
    ) -> Result<Vec<u8>, External3dsError> {
        let step = self.step_of(merchant_id, operation_id).await?;
        let hash = &step.session_hash;
        let _held = self.context.lock_session(hash).await;
        self.transitions.lapsed(hash).await?;
        let (mut transaction, mut step, evidence) = loop {
            let asked = {
                let mut connection = self.context.store().read().await?;
                let step = three_step(&mut connection, operation_id).await?;
                (step, operation(&mut connection, operation_id).await?)
            };
            let evidence = self.evidence_of(&asked.0, &asked.1).await?;
            let mut transaction = self.context.store().write(Subject::Session(hash)).await?;
            let step = three_step(&mut transaction, operation_id).await?;
            let before = operation(&mut transaction, operation_id).await?;
            let is_same = step.standing == asked.0.standing
                && before.operation_result == asked.1.operation_result;
            // Another process may have moved the payment on meanwhile.
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
                .open_sealed(answered, &validation_of(operation_id));
            let answered =
                answered.map_err(|_| PaymentError::Broken("a validation does not open"))?;
            return Ok(answered.to_vec());
        }
        let mut row = session(&mut transaction, hash).await?;
        let before = operation(&mut transaction, operation_id).await?;
        match (step.standing, &row.session.state) {
            (AuthenticationStatus::Passed, State::Ready { .. }) => {
                step.standing = AuthenticationStatus::Authenticated(Authentication::Full);
                let told = told_of(step.standing);
                self.tell(&mut transaction, &row, &step, told, now_ms)
                    .await?;
            }
            (AuthenticationStatus::Frictionless(authentication), State::Ready { .. }) => {
                let told = (OperationResult::ThreeDsValidated, Some(authentication));
                self.tell(&mut transaction, &row, &step, told, now_ms)
                    .await?;
            }
            (AuthenticationStatus::Failed, State::Ready { .. }) => {
                self.fail(&mut transaction, &mut row).await?;
            }
            // Its time was up.
            _ if before.operation_result == OperationResult::ThreeDsFailed.code() => {}
            _ => return Err(External3dsError::State(before.operation_result)),
        }
        let validated = operation(&mut transaction, operation_id).await?;
        let answer = validation_answer(validated, step.standing, evidence);
        let body = written(&answer)?;
        step.validation = Some(
            self.context
                .vault()
                .seal(&body, &validation_of(operation_id))?,
        );
        external_3ds::put(&mut transaction, &step).await?;
        transaction.commit().await?;
        self.context.wake_notifier();
        Ok(body)
    }

    /// What is known of an authentication whose validation was asked for: as it will be, if the validation is good.
    async fn evidence_of(
        &self,
        step: &ThreeStepRow,
        operation: &Operation,
    ) -> Result<AuthenticationEvidence, External3dsError> {
        let is_over = operation.operation_result == OperationResult::ThreeDsFailed.code();
        let authentication = match step.standing {
            _ if is_over => Authentication::None,
            AuthenticationStatus::Passed => Authentication::Full,
            standing => standing.authentication().unwrap_or(Authentication::None),
        };
        let network = network_of(operation);
        let evidence =
            self.authorizations
                .evidence(&operation.operation_id, network, authentication);
        Ok(evidence.await?)
    }

    /// Makes the payment, or tells again what became of it.
    pub async fn pay(
        &self,
        terminal: &Terminal,
        mut payment: StepPayment<'_>,
        slot: Option<&Slot>,
    ) -> Result<Vec<u8>, External3dsError> {
        let operation_id = payment.operation_id;
        let step = self.step_of(&terminal.merchant_id, operation_id).await?;
        let hash = &step.session_hash;
        let held = self.context.lock_session(hash).await;
        self.transitions.lapsed(hash).await?;
        // Who comes while the acquirer is being asked comes after its answer.
        let row = self.transitions.settle(&held, hash).await?;
        let (step, before) = {
            let mut connection = self.context.store().read().await?;
            (
                three_step(&mut connection, operation_id).await?,
                operation(&mut connection, operation_id).await?,
            )
        };
        let authenticated = step.standing.authentication();
        let authenticated = authenticated.unwrap_or(Authentication::None);
        let evidence = self
            .authorizations
            .evidence(operation_id, network_of(&before), authenticated)
            .await?;
        self.compare(&payment, &row, (&step, &evidence), &before)?;
        let capture = agreed_capture(payment.capture, row.terms.action, terminal)
            .map_err(External3dsError::Capture)?;
        if !matches!(row.session.state, State::Ready { .. }) {
            return match OperationResult::from_code(&before.operation_result) {
                Some(OperationResult::ThreeDsFailed | OperationResult::Canceled) | None => {
                    Err(External3dsError::State(before.operation_result))
                }
                Some(_) => Ok(written(&OperationAnswer { operation: before })?),
            };
        }
        let Some(authentication) = step.standing.authentication() else {
            return Err(External3dsError::State(before.operation_result));
        };
        let code = payment
            .card
            .as_mut()
            .and_then(|card| card.security_code.take());
        self.context.security_codes().keep(hash, code);
        let decided = (capture, authentication);
        let asked = self
            .ask_for_money(terminal, &payment, hash, decided, slot)
            .await;
        if asked.is_err() {
            self.context.security_codes().forget(hash);
        }
        asked?;
        self.transitions.settle(&held, hash).await?;
        let paid = operation(&mut *self.context.store().read().await?, operation_id).await?;
        Ok(written(&OperationAnswer { operation: paid })?)
    }

    /// Holds the last call against the first one.
    fn compare(
        &self,
        payment: &StepPayment<'_>,
        row: &SessionRow,
        (step, evidence): (&ThreeStepRow, &AuthenticationEvidence),
        before: &Operation,
    ) -> Result<(), External3dsError> {
        let known_card = before.additional_data.get("cardId4");
        let known_card = known_card.and_then(|id| id.as_str()).unwrap_or_default();
        let merchant_id = &row.terms.merchant_id;
        let sent_card = payment.card.as_ref().map(|sent| {
            card_id(
                self.context.vault(),
                merchant_id,
                &sent.sealed,
                sent.card.expiry,
            )
        });
        let differs: Vec<&'static str> = [
            ("order.orderId", payment.order_id != row.terms.order_id),
            ("order.amount", payment.amount != row.amount),
            ("order.currency", payment.currency != row.terms.currency),
            ("card", sent_card.is_some_and(|sent| sent != known_card)),
        ]
        .into_iter()
        .filter_map(|(name, differs)| differs.then_some(name))
        .collect();
        if !differs.is_empty() {
            return Err(External3dsError::Differs(differs));
        }
        // A kept card is not sent.
        let is_kept = before.additional_data.contains_key("contractId");
        if payment.card.is_none() && !is_kept {
            return Err(External3dsError::NoCard);
        }
        if let (Some(Recurrence::Pay { .. }), false) = (&payment.recurrence, is_kept) {
            return Err(External3dsError::Differs(vec!["recurrence.action"]));
        }
        if step.validation.is_none() {
            return Ok(());
        }
        let Some(proof) = &payment.proof else {
            return Err(External3dsError::NoProof);
        };
        let fits =
            |sent: Option<&str>, expected: &str| sent.is_none_or(|sent| same(sent, expected));
        let is_that = same(proof.authentication_value, &evidence.authentication_value)
            && fits(proof.response, &self.response_of(step))
            && fits(proof.eci, evidence.eci)
            && fits(proof.xid, &evidence.ds_transaction_id);
        if is_that {
            Ok(())
        } else {
            Err(External3dsError::OtherProof)
        }
    }

    /// The transaction of the intent.
    async fn ask_for_money(
        &self,
        terminal: &Terminal,
        payment: &StepPayment<'_>,
        hash: &str,
        (capture, authentication): (Capture, Authentication),
        slot: Option<&Slot>,
    ) -> Result<(), External3dsError> {
        let mut transaction = self.context.store().write(Subject::Session(hash)).await?;
        let mut row = session(&mut transaction, hash).await?;
        row.terms.capture = capture;
        if let Some(recurrence) = &payment.recurrence {
            let merchant_id = &terminal.merchant_id;
            self.contracts
                .agree(&mut transaction, merchant_id, Some(recurrence))
                .await?;
            row.terms.contract = recurrence.wish();
        }
        sessions::put_decided(&mut transaction, &row).await?;
        if let Some(card) = &payment.card {
            let sealed = card.sealed.seal(self.context.vault(), hash)?;
            cards::keep(&mut transaction, &mut row, sealed);
        }
        let card = SealedCard::of(self.context.vault(), &row)?;
        let card = card.ok_or(PaymentError::Broken("no sealed card"))?;
        let verdict = match &row.session.state {
            State::Ready { card: shown } => {
                self.authorizations
                    .verdict_unless_risky(&card, shown.expiry, authentication)
            }
            // No payment is due: whatever is said here decides nothing.
            _ => Verdict::Pass(authentication),
        };
        let event =
            three_step_events::closing(&row, &terminal.terminal_id, verdict, slot.map(Slot::name))?;
        let effects = self
            .transitions
            .apply(&mut transaction, &mut row, event, &EventContext::default())
            .await?;
        transaction.commit().await?;
        self.transitions.after_commit(&row, &effects);
        Ok(())
    }

    /// The 3-step payment of a merchant's operation.
    async fn step_of(
        &self,
        merchant_id: &str,
        operation_id: &str,
    ) -> Result<ThreeStepRow, External3dsError> {
        let mut connection = self.context.store().read().await?;
        let operation =
            operations::find_of_merchant(&mut connection, merchant_id, operation_id).await?;
        let operation = operation.ok_or(External3dsError::Unknown)?;
        let step = external_3ds::find(&mut connection, operation_id).await?;
        step.ok_or(External3dsError::State(operation.operation_result))
    }

    /// `threeDSAuthRequest`: what the buyer's browser shows at the challenge.
    pub(super) fn step_request(&self, operation_id: &str) -> String {
        self.context
            .vault()
            .page_token(&format!("3-step request of {operation_id}"))
    }

    /// What a validation takes as `threeDSAuthResponse`: of a buyer who is not asked it is a word.
    pub(super) fn response_of(&self, step: &ThreeStepRow) -> String {
        match step.standing {
            AuthenticationStatus::Frictionless(_) => String::from(NOT_NEEDED),
            _ => self.step_response(&step.operation_id),
        }
    }

    /// `PaRes`: what the buyer's browser brings from there.
    fn step_response(&self, operation_id: &str) -> String {
        self.context
            .vault()
            .page_token(&format!("3-step response of {operation_id}"))
    }
}

fn validation_answer(
    operation: Operation,
    standing: AuthenticationStatus,
    evidence: AuthenticationEvidence,
) -> ThreeStepValidationAnswer {
    let is_validated = operation.operation_result == OperationResult::ThreeDsValidated.code();
    let authentication = standing
        .authentication()
        .filter(|_| is_validated)
        .unwrap_or(Authentication::None);
    ThreeStepValidationAnswer {
        three_ds_auth_result: ThreeDsAuthResult {
            authentication_value: is_validated.then_some(evidence.authentication_value),
            cavv_algorithm: is_validated.then(|| String::from("3")),
            eci: evidence.eci.to_owned(),
            merchant_acquirer_bin: String::from(evidence.acquirer_bin),
            xid: evidence.ds_transaction_id,
            status: String::from(match authentication {
                Authentication::Full => "VALIDATED",
                Authentication::Attempted => "ATTEMPTED",
                Authentication::None | Authentication::NotDue => "FAILED",
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

/// What the merchant hears of it before the money is asked for.
fn told_of(standing: AuthenticationStatus) -> (OperationResult, Option<Authentication>) {
    match standing {
        AuthenticationStatus::Authenticated(authentication) => {
            (OperationResult::ThreeDsValidated, Some(authentication))
        }
        AuthenticationStatus::Due(_)
        | AuthenticationStatus::Frictionless(_)
        | AuthenticationStatus::Passed
        | AuthenticationStatus::Failed => (OperationResult::Pending, None),
    }
}

fn first_standing(enrollment: Enrollment, verdict: Verdict) -> AuthenticationStatus {
    match verdict {
        Verdict::Pass(authentication) if enrollment == Enrollment::Enrolled => {
            AuthenticationStatus::Frictionless(authentication)
        }
        Verdict::Pass(authentication) => AuthenticationStatus::Authenticated(authentication),
        Verdict::Challenge => AuthenticationStatus::Due(Challenge {
            wrong_codes: 0,
            since_ms: 0,
        }),
        Verdict::Refused | Verdict::Risk => AuthenticationStatus::Failed,
    }
}

/// What the answer of a validation is sealed for: it holds the proof of the authentication.
pub fn validation_of(operation_id: &str) -> String {
    format!("validation of {operation_id}")
}

/// A card as operations name it: `cardId4`.
fn card_id(vault: &Vault, merchant_id: &str, card: &SealedCard, expiry: Expiry) -> String {
    // Exposed to be hashed, with a key and for this merchant only.
    vault.card_id(merchant_id, &[card.number.expose(), &expiry.yyyymm()])
}

/// Whether a secret is the one that is expected. Takes as long for any that is not.
pub(super) fn same(sent: &str, expected: &str) -> bool {
    sent.as_bytes().ct_eq(expected.as_bytes()).into()
}

fn written(answer: &impl Serialize) -> Result<Vec<u8>, PaymentError> {
    serde_json::to_vec(answer).map_err(|_| PaymentError::Broken("an answer does not serialize"))
}

async fn operation(
    connection: &mut Connection,
    operation_id: &str,
) -> Result<Operation, PaymentError> {
    let found = operations::find(connection, operation_id).await?;
    found.ok_or_else(|| StoreError::Unreadable("operation").into())
}

pub(super) async fn three_step(
    connection: &mut Connection,
    operation_id: &str,
) -> Result<ThreeStepRow, PaymentError> {
    let found = external_3ds::find(connection, operation_id).await?;
    found.ok_or_else(|| StoreError::Unreadable("3-step authentication").into())
}

async fn session(connection: &mut Connection, hash: &str) -> Result<SessionRow, PaymentError> {
    let found = sessions::find(connection, hash).await?;
    found.ok_or_else(|| StoreError::Unreadable("session").into())
}

/// How long a 3-step payment can be made (contract 8.1.5).
const STEP_MS: i64 = 30 * 60 * 1000;

/// Stands for the challenge of a buyer who is not asked.
pub(super) const NOT_NEEDED: &str = "notneeded";
