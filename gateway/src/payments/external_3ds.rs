//! 3-step payments (contract 8.1.5 to 8.1.7): the merchant's server sends the card, its page sends the buyer to the
//! challenge, and the server pays.
//!
//! Such a payment is a session like any other, with an id that nobody knows. It waits from the first call on, ready to be
//! closed, for the last one, which closes it: intent, acquirer and booking are those of every payment (see [`super::transition`]).
//! The merchant knows the operation from the first call on, so its id stands in the session's terms as the one that is
//! preassigned, and whatever becomes of the session is written into that operation.
//!
//! An authentication that fails closes the session as a refusal does in the form. One that nobody ends is ended by the
//! session's limit ([`App::lapse`]): that of the challenge from the buyer's coming on, and that of the payment before and after.

use super::authorization::Authenticating;
use super::booking::Booking;
use super::card_entry::GoodCard;
use super::card_seal::SealedCard;
use super::contracts::KeptCard;
use super::create_session::{Attempt, Changes, OrderAvailability};
use super::error::PaymentError;
use super::page_views::{ChallengeStep, ChallengeView, StepReturnView, StepStart};
use super::server_to_server::DirectOrder;
use super::transition::EventContext;
use crate::App;
use crate::idempotency::Slot;
use crate::store::external_3ds::{self, ThreeStepRow};
use crate::store::sessions::{self, Page, SessionRow};
use crate::store::{Connection, StoreError, Subject, cards, operations, orders};
use crate::vault::{self, Vault};
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_money::{Amount, minor_digits};
use payframe_payment_domain::card::{EnteredCard, network_of_circuit};
use payframe_payment_domain::contract::Recurrence;
use payframe_payment_domain::hosted::Kind as HostedKind;
use payframe_payment_domain::operation::{Capture, OperationResult};
use payframe_payment_domain::session::{
    Authentication, CODES, Challenge, Closing, ClosingCall, DeviceCheck, Event, Limit, Recorded,
    State, Verdict,
};
use payframe_payment_domain::terms::{Terminal, agreed_capture};
use payframe_payment_domain::three_step::{AuthenticationStatus, Enrollment};
use payframe_payment_ports::simulator_pages::ChallengeAnswer;
use payframe_payment_ports::three_ds_server::AuthenticationEvidence;
use payframe_protocol::operation::{Operation, OperationAnswer};
use payframe_protocol::three_step::{
    ThreeDsAuthResult, ThreeStepInitAnswer, ThreeStepValidationAnswer,
};
use serde::Serialize;
use subtle::ConstantTimeEq;

/// The first call: a request that was read and found good.
pub(crate) struct StepInit {
    pub(crate) order: DirectOrder,
    /// May be missing where a kept card pays.
    pub(crate) card: Option<GoodCard>,
    pub(crate) recurrence: Option<Recurrence>,
    /// `exemptions`
    pub(crate) challenge_wish: &'static str,
}

/// The last call: a request that was read and found good.
pub(crate) struct StepPayment<'a> {
    pub(crate) operation_id: &'a str,
    pub(crate) order_id: &'a str,
    pub(crate) amount: Amount,
    pub(crate) currency: &'a str,
    pub(crate) card: Option<GoodCard>,
    pub(crate) recurrence: Option<Recurrence>,
    pub(crate) capture: Option<Capture>,
    pub(crate) proof: Option<AuthenticationProof<'a>>,
}

/// What the merchant's server says of the authentication (`threeDSAuthData`).
pub(crate) struct AuthenticationProof<'a> {
    pub(crate) authentication_value: &'a str,
    /// What a client leaves out is not compared (contract 13, D128).
    pub(crate) response: Option<&'a str>,
    pub(crate) eci: Option<&'a str>,
    pub(crate) xid: Option<&'a str>,
}

/// Why a call of a 3-step payment was not carried out.
#[derive(Debug)]
pub(crate) enum External3dsError {
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

impl App {
    /// Begins a 3-step payment and answers the body of the response.
    pub(crate) async fn begin_three_step(
        &self,
        terminal: &Terminal,
        init: &StepInit,
        slot: Option<&Slot>,
    ) -> Result<Vec<u8>, External3dsError> {
        let _held = self
            .lock_order(&terminal.merchant_id, &init.order.order_id)
            .await;
        let assessed = self.assess_step(terminal, init).await?;
        loop {
            match self.try_to_begin(terminal, init, &assessed, slot).await? {
                Attempt::Opened(body) => return Ok(body),
                Attempt::Earlier(earlier) => {
                    // The answer has no place for warnings.
                    self.give_up_earlier(&earlier, Some(terminal), &mut Vec::new())
                        .await?;
                }
            }
        }
    }

    /// Asks the card's issuer about the buyer. A device check there is not, and risk rules are asked with the payment.
    async fn assess_step(
        &self,
        terminal: &Terminal,
        init: &StepInit,
    ) -> Result<Assessed, External3dsError> {
        let merchant_id = &terminal.merchant_id;
        let kept = {
            let mut connection = self.store().read().await?;
            self.agree(&mut connection, merchant_id, init.recurrence.as_ref())
                .await?
        };
        let card = self.card_of(merchant_id, init, kept.as_ref())?;
        let operation_id = vault::random_operation_id()?;
        let verdict = self
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
        let range = self.three_ds_server().card_range(&card.sealed.number);
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
        let now_ms = self.clock().now_ms();
        let mut transaction = self.store().write(Subject::Merchant(merchant_id)).await?;
        let kept = self
            .agree(&mut transaction, merchant_id, init.recurrence.as_ref())
            .await?;
        let card = self.card_of(merchant_id, init, kept.as_ref())?;
        let order = init.order.to_write(merchant_id, now_ms);
        if let OrderAvailability::Open(earlier) = self
            .way(
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
        let sealed = card.sealed.bare().seal(self.vault(), &row.hash)?;
        cards::keep(&mut transaction, &mut row, sealed);
        let step = ThreeStepRow {
            operation_id: operation_id.clone(),
            session_hash: row.hash.clone(),
            status: first_status(*enrollment, *verdict),
            return_url: None,
            validation: None,
            ends_ms: row.ends_ms,
        };
        let told = told_of(step.status);
        self.tell(&mut transaction, &row, &step, told, now_ms)
            .await?;
        external_3ds::add(&mut transaction, &step).await?;
        if let AuthenticationStatus::Due(_) | AuthenticationStatus::Frictionless(_) = step.status {
            let page = Page::Step(operation_id.clone());
            let token_hash = vault::hash(&self.page_token(&row.hash, &page));
            sessions::open_page(&mut transaction, &token_hash, &row.hash, &page);
        }
        if step.status == AuthenticationStatus::Failed {
            self.fail(&mut transaction, &mut row).await?;
        }
        let answer = self.init_answer(
            operation(&mut transaction, operation_id).await?,
            *enrollment,
            &step,
        );
        let body = written(&answer)?;
        if let Some(slot) = slot {
            slot.keep(&mut transaction, self.vault(), 200, &body, now_ms)?;
        }
        transaction.commit().await?;
        self.wake_notifier();
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
            card_id(self.vault(), merchant_id, card.sealed, card.shown.expiry)
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
        let session_hash = vault::hash(&vault::random_secret()?);
        let mut row = self.direct_session(terminal, &init.order, &session_hash, card.clone())?;
        row.terms.preassigned_operation_id = Some(operation_id.to_owned());
        row.terms.contract = init.recurrence.as_ref().and_then(Recurrence::wish);
        row.terms.challenge_wish = init.challenge_wish.to_owned();
        // Only the merchant's server is waited for: the limit without a sign of the buyer is no shorter.
        row.ends_ms = self.clock().now_ms() + STEP_MS;
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
        let opened = SealedCard::of(self.vault(), row)?;
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
        self.record(connection, row, &booking, now_ms).await
    }

    /// The authentication has failed: the session gets that outcome.
    async fn fail(
        &self,
        connection: &mut Connection,
        row: &mut SessionRow,
    ) -> Result<(), PaymentError> {
        let event = self.failing(row)?;
        self.apply(connection, row, event, &EventContext::default())
            .await?;
        Ok(())
    }

    fn failing(&self, row: &SessionRow) -> Result<Event, PaymentError> {
        closing(row, &row.terms.terminal_id, Verdict::Refused, None)
    }

    /// What a limit does to a session. One that waits for the last call of a 3-step payment ends with an outcome, because
    /// the merchant knows of its operation.
    pub(super) async fn lapse(
        &self,
        connection: &mut Connection,
        row: &SessionRow,
        limit: Limit,
    ) -> Result<Event, PaymentError> {
        let (Some(preassigned_operation_id), State::Ready { .. }) =
            (&row.terms.preassigned_operation_id, &row.session.state)
        else {
            return Ok(Event::LimitPassed(limit));
        };
        let step = external_3ds::find(connection, preassigned_operation_id).await?;
        match step.map(|step| step.status) {
            Some(
                AuthenticationStatus::Authenticated(_) | AuthenticationStatus::Frictionless(_),
            )
            | None => Ok(Event::CancelAsked {
                operation_id: preassigned_operation_id.clone(),
            }),
            Some(
                AuthenticationStatus::Due(_)
                | AuthenticationStatus::Passed
                | AuthenticationStatus::Failed,
            ) => self.failing(row),
        }
    }

    fn init_answer(
        &self,
        operation: Operation,
        enrollment: Enrollment,
        step: &ThreeStepRow,
    ) -> ThreeStepInitAnswer {
        let is_due = matches!(step.status, AuthenticationStatus::Due(_));
        let is_frictionless = matches!(step.status, AuthenticationStatus::Frictionless(_));
        let url = || format!("{}/threeds/start", self.config().origin);
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
    pub(crate) async fn validate_three_step(
        &self,
        merchant_id: &str,
        operation_id: &str,
        response: &str,
    ) -> Result<Vec<u8>, External3dsError> {
        let step = self.step_of(merchant_id, operation_id).await?;
        let hash = &step.session_hash;
        let _held = self.lock_session(hash).await;
        self.lapsed(hash).await?;
        let (mut transaction, mut step, evidence) = loop {
            let asked = {
                let mut connection = self.store().read().await?;
                let step = three_step(&mut connection, operation_id).await?;
                (step, operation(&mut connection, operation_id).await?)
            };
            let evidence = self.evidence_of(&asked.0, &asked.1).await?;
            let mut transaction = self.store().write(Subject::Session(hash)).await?;
            let step = three_step(&mut transaction, operation_id).await?;
            let before = operation(&mut transaction, operation_id).await?;
            let is_same = step.status == asked.0.status
                && before.operation_result == asked.1.operation_result;
            // Another process may have moved the payment on meanwhile.
            if is_same {
                break (transaction, step, evidence);
            }
        };
        let now_ms = self.clock().now_ms();
        if !same(response, &self.response_of(&step)) {
            return Err(External3dsError::OtherResponse);
        }
        if let Some(answered) = &step.validation {
            let answered = self
                .vault()
                .open_sealed(answered, &validation_of(operation_id));
            let answered =
                answered.map_err(|_| PaymentError::Vault("a validation does not open"))?;
            return Ok(answered.to_vec());
        }
        let mut row = session(&mut transaction, hash).await?;
        let before = operation(&mut transaction, operation_id).await?;
        match (step.status, &row.session.state) {
            (AuthenticationStatus::Passed, State::Ready { .. }) => {
                step.status = AuthenticationStatus::Authenticated(Authentication::Full);
                let told = told_of(step.status);
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
        let answer = validation_answer(validated, step.status, evidence);
        let body = written(&answer)?;
        step.validation = Some(self.vault().seal(&body, &validation_of(operation_id))?);
        external_3ds::put(&mut transaction, &step).await?;
        transaction.commit().await?;
        self.wake_notifier();
        Ok(body)
    }

    /// What is known of an authentication whose validation was asked for: as it will be, if the validation is good.
    async fn evidence_of(
        &self,
        step: &ThreeStepRow,
        operation: &Operation,
    ) -> Result<AuthenticationEvidence, External3dsError> {
        let is_over = operation.operation_result == OperationResult::ThreeDsFailed.code();
        let authentication = match step.status {
            _ if is_over => Authentication::None,
            AuthenticationStatus::Passed => Authentication::Full,
            status => status.authentication().unwrap_or(Authentication::None),
        };
        let network = network_of(operation);
        let evidence = self.evidence(&operation.operation_id, network, authentication);
        Ok(evidence.await?)
    }

    /// Makes the payment, or tells again what became of it.
    pub(crate) async fn pay_three_step(
        &self,
        terminal: &Terminal,
        mut payment: StepPayment<'_>,
        slot: Option<&Slot>,
    ) -> Result<Vec<u8>, External3dsError> {
        let operation_id = payment.operation_id;
        let step = self.step_of(&terminal.merchant_id, operation_id).await?;
        let hash = &step.session_hash;
        let held = self.lock_session(hash).await;
        self.lapsed(hash).await?;
        // Who comes while the acquirer is being asked comes after its answer.
        let row = self.settle(&held, hash).await?;
        let (step, before) = {
            let mut connection = self.store().read().await?;
            (
                three_step(&mut connection, operation_id).await?,
                operation(&mut connection, operation_id).await?,
            )
        };
        let authenticated = step.status.authentication();
        let authenticated = authenticated.unwrap_or(Authentication::None);
        let evidence = self
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
        let Some(authentication) = step.status.authentication() else {
            return Err(External3dsError::State(before.operation_result));
        };
        let code = payment
            .card
            .as_mut()
            .and_then(|card| card.security_code.take());
        self.parts().security_codes.keep(hash, code);
        let decided = (capture, authentication);
        let asked = self
            .ask_for_money(terminal, &payment, hash, decided, slot)
            .await;
        if asked.is_err() {
            self.parts().security_codes.forget(hash);
        }
        asked?;
        self.settle(&held, hash).await?;
        let paid = operation(&mut *self.store().read().await?, operation_id).await?;
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
        let sent_card = payment
            .card
            .as_ref()
            .map(|sent| card_id(self.vault(), merchant_id, &sent.sealed, sent.card.expiry));
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
        let mut transaction = self.store().write(Subject::Session(hash)).await?;
        let mut row = session(&mut transaction, hash).await?;
        row.terms.capture = capture;
        if let Some(recurrence) = &payment.recurrence {
            let merchant_id = &terminal.merchant_id;
            self.agree(&mut transaction, merchant_id, Some(recurrence))
                .await?;
            row.terms.contract = recurrence.wish();
        }
        sessions::put_decided(&mut transaction, &row).await?;
        if let Some(card) = &payment.card {
            let sealed = card.sealed.seal(self.vault(), hash)?;
            cards::keep(&mut transaction, &mut row, sealed);
        }
        let card = SealedCard::of(self.vault(), &row)?;
        let card = card.ok_or(PaymentError::Vault("no sealed card"))?;
        let verdict = match &row.session.state {
            State::Ready { card: shown } => {
                self.verdict_unless_risky(&card, shown.expiry, authentication)
            }
            // No payment is due: whatever is said here decides nothing.
            _ => Verdict::Pass(authentication),
        };
        let event = closing(&row, &terminal.terminal_id, verdict, slot.map(Slot::name))?;
        let effects = self
            .apply(&mut transaction, &mut row, event, &EventContext::default())
            .await?;
        transaction.commit().await?;
        self.after_commit(&row, &effects);
        Ok(())
    }

    /// The 3-step payment of a merchant's operation.
    async fn step_of(
        &self,
        merchant_id: &str,
        operation_id: &str,
    ) -> Result<ThreeStepRow, External3dsError> {
        let mut connection = self.store().read().await?;
        let operation =
            operations::find_of_merchant(&mut connection, merchant_id, operation_id).await?;
        let operation = operation.ok_or(External3dsError::Unknown)?;
        let step = external_3ds::find(&mut connection, operation_id).await?;
        step.ok_or(External3dsError::State(operation.operation_result))
    }

    /// `threeDSAuthRequest`: what the buyer's browser shows at the challenge.
    fn step_request(&self, operation_id: &str) -> String {
        self.vault()
            .page_token(&format!("3-step request of {operation_id}"))
    }

    /// What a validation takes as `threeDSAuthResponse`: of a buyer who is not asked it is a word.
    fn response_of(&self, step: &ThreeStepRow) -> String {
        match step.status {
            AuthenticationStatus::Frictionless(_) => String::from(NOT_NEEDED),
            _ => self.step_response(&step.operation_id),
        }
    }

    /// `PaRes`: what the buyer's browser brings from there.
    fn step_response(&self, operation_id: &str) -> String {
        self.vault()
            .page_token(&format!("3-step response of {operation_id}"))
    }
}

/// What the browser of the buyer does.
impl App {
    /// The buyer comes with a request. `return_url` is a good address.
    pub(crate) async fn start_step(
        &self,
        operation_id: &str,
        request: &str,
        return_url: &str,
    ) -> StepStart {
        let is_asked = same(request, &self.step_request(operation_id));
        if !is_asked && request != NOT_NEEDED {
            return StepStart::Gone;
        }
        match self.try_to_start(operation_id, is_asked, return_url).await {
            Ok(Some(token)) => StepStart::Challenge(token),
            Ok(None) => StepStart::Gone,
            Err(problem) => {
                self.report("a 3-step challenge", &problem);
                StepStart::Failed
            }
        }
    }

    async fn try_to_start(
        &self,
        operation_id: &str,
        is_asked: bool,
        return_url: &str,
    ) -> Result<Option<String>, PaymentError> {
        let found = external_3ds::find(&mut *self.store().read().await?, operation_id).await?;
        let Some(ThreeStepRow {
            session_hash,
            status,
            ..
        }) = found
        else {
            return Ok(None);
        };
        // The word is that of buyers who are not asked, and of no other.
        if is_asked == matches!(status, AuthenticationStatus::Frictionless(_)) {
            return Ok(None);
        }
        let _held = self.lock_session(&session_hash).await;
        let row = self.lapsed(&session_hash).await?;
        let mut transaction = self.store().write(Subject::Session(&session_hash)).await?;
        let mut step = three_step(&mut transaction, operation_id).await?;
        let is_first = step.return_url.is_none();
        step.return_url = Some(return_url.to_owned());
        external_3ds::put(&mut transaction, &step).await?;
        let is_open = matches!(row.session.state, State::Ready { .. });
        if let (true, true, AuthenticationStatus::Due(_)) = (is_first, is_open, step.status) {
            // From now on the limit of the challenge counts (contract 4.1).
            let until_ms = self.clock().now_ms() + self.limits().challenge_ms;
            let ends_ms = step.ends_ms.min(until_ms);
            sessions::put_end(&mut transaction, &session_hash, ends_ms).await?;
        }
        transaction.commit().await?;
        let page = Page::Step(operation_id.to_owned());
        Ok(Some(self.page_token(&session_hash, &page)))
    }

    /// The challenge of a 3-step payment. `None`: the buyer has not come with the request.
    pub(super) async fn step_challenge(
        &self,
        row: SessionRow,
        operation_id: &str,
    ) -> Result<Option<ChallengeView>, PaymentError> {
        let step = three_step(&mut *self.store().read().await?, operation_id).await?;
        let Some(return_url) = &step.return_url else {
            return Ok(None);
        };
        let open = match (&row.session.state, step.status) {
            (State::Ready { card }, AuthenticationStatus::Due(_)) => Some(card.last4.clone()),
            _ => None,
        };
        Ok(Some(ChallengeView {
            merchant: self.merchant_name(&row).await?,
            amount_minor: row.amount.to_string(),
            minor_digits: minor_digits(&row.terms.currency).unwrap_or(2),
            // No call of such a payment names one.
            language: String::new(),
            merchant_origin: origin_of(return_url),
            never_ends: open.is_some() && self.challenge_never_ends(&row),
            finished: open.is_none(),
            framed_by_us: false,
            last4: open.unwrap_or_default(),
            currency: row.terms.currency,
        }))
    }

    /// Takes the buyer's answer.
    pub(super) async fn step_answered(
        &self,
        row: &SessionRow,
        operation_id: &str,
        answer: ChallengeAnswer,
    ) -> Result<ChallengeStep, PaymentError> {
        let _held = self.lock_session(&row.hash).await;
        let row = self.lapsed(&row.hash).await?;
        let mut transaction = self.store().write(Subject::Session(&row.hash)).await?;
        let mut step = three_step(&mut transaction, operation_id).await?;
        if step.return_url.is_none() {
            return Ok(ChallengeStep::Gone);
        }
        if !matches!(row.session.state, State::Ready { .. }) {
            return Ok(ChallengeStep::Return);
        }
        step.status = step.status.after(self.judge(&row, &answer));
        external_3ds::put(&mut transaction, &step).await?;
        let next = match step.status {
            AuthenticationStatus::Due(Challenge { wrong_codes, .. }) => ChallengeStep::AskAgain {
                left: CODES - wrong_codes.min(CODES - 1),
            },
            AuthenticationStatus::Passed
            | AuthenticationStatus::Failed
            | AuthenticationStatus::Frictionless(_)
            | AuthenticationStatus::Authenticated(_) => {
                // The challenge is over; the payment has its own limit.
                sessions::put_end(&mut transaction, &row.hash, step.ends_ms).await?;
                ChallengeStep::Return
            }
        };
        transaction.commit().await?;
        Ok(next)
    }

    /// The way back to the merchant, once there is something to bring.
    pub(crate) async fn step_return(&self, token: &str) -> Option<StepReturnView> {
        let (row, Page::Step(operation_id)) = self.page(token).await? else {
            return None;
        };
        let step = match self.store().read().await {
            Ok(mut connection) => three_step(&mut connection, &operation_id).await,
            Err(problem) => Err(problem.into()),
        };
        let step = match step {
            Ok(step) => step,
            Err(problem) => {
                self.report("the end of a 3-step challenge", &problem);
                return None;
            }
        };
        let is_open = matches!(row.session.state, State::Ready { .. });
        if is_open && matches!(step.status, AuthenticationStatus::Due(_)) {
            return None;
        }
        let response = self.response_of(&step);
        let return_url = step.return_url?;
        Some(StepReturnView {
            merchant_origin: origin_of(&return_url),
            return_url,
            response,
            operation_id,
        })
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
fn told_of(status: AuthenticationStatus) -> (OperationResult, Option<Authentication>) {
    match status {
        AuthenticationStatus::Authenticated(authentication) => {
            (OperationResult::ThreeDsValidated, Some(authentication))
        }
        AuthenticationStatus::Due(_)
        | AuthenticationStatus::Frictionless(_)
        | AuthenticationStatus::Passed
        | AuthenticationStatus::Failed => (OperationResult::Pending, None),
    }
}

fn first_status(enrollment: Enrollment, verdict: Verdict) -> AuthenticationStatus {
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

/// The event that closes a session which waits.
fn closing(
    row: &SessionRow,
    terminal_id: &str,
    verdict: Verdict,
    asked_by: Option<String>,
) -> Result<Event, PaymentError> {
    let preassigned_operation_id = row.terms.preassigned_operation_id.clone();
    let operation_id =
        preassigned_operation_id.ok_or(StoreError::Unreadable("preassigned operation"))?;
    Ok(Event::ClosingAsked {
        closing: Closing::Finalize,
        check: DeviceCheck::NotDue,
        verdict,
        call: ClosingCall {
            operation_id,
            terminal_id: terminal_id.to_owned(),
            asked_by,
        },
    })
}

/// What the answer of a validation is sealed for: it holds the proof of the authentication.
pub(crate) fn validation_of(operation_id: &str) -> String {
    format!("validation of {operation_id}")
}

/// A card as operations name it: `cardId4`.
fn card_id(vault: &Vault, merchant_id: &str, card: &SealedCard, expiry: Expiry) -> String {
    // Exposed to be hashed, with a key and for this merchant only.
    vault.card_id(merchant_id, &[card.number.expose(), &expiry.yyyymm()])
}

/// Whether a secret is the one that is expected. Takes as long for any that is not.
fn same(sent: &str, expected: &str) -> bool {
    sent.as_bytes().ct_eq(expected.as_bytes()).into()
}

/// The origin of an address that was found good.
fn origin_of(return_url: &str) -> String {
    url::Url::parse(return_url)
        .map(|url| url.origin().ascii_serialization())
        .unwrap_or_default()
}

fn written(answer: &impl Serialize) -> Result<Vec<u8>, PaymentError> {
    serde_json::to_vec(answer).map_err(|_| PaymentError::Vault("an answer does not serialize"))
}

async fn operation(
    connection: &mut Connection,
    operation_id: &str,
) -> Result<Operation, PaymentError> {
    let found = operations::find(connection, operation_id).await?;
    found.ok_or_else(|| StoreError::Unreadable("operation").into())
}

async fn three_step(
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
const NOT_NEEDED: &str = "notneeded";
