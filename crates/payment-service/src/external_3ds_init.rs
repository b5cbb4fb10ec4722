//! The first call of a 3-step payment: checks the card and creates the operation. The session then waits for the buyer.

use super::External3ds;
use super::authorization::{Authenticating, preference};
use super::cardholder_data::CardholderData;
use super::contracts::StoredCard;
use super::create_session::order_availability::{AmountChange, Attempt, OrderAvailability};
use super::error::PaymentError;
use super::external_3ds::{
    External3dsError, NOT_NEEDED, STEP_MS, StepInit, card_id, notified_status, operation, written,
};
use crate::idempotency::Slot;
use payframe_payment_domain::card::EnteredCard;
use payframe_payment_domain::contract::Recurrence;
use payframe_payment_domain::exemption::NoChallengeRequest;
use payframe_payment_domain::external_3ds::{AuthenticationStatus, Enrollment};
use payframe_payment_domain::hosted::Kind as HostedKind;
use payframe_payment_domain::session::Verdict;
use payframe_payment_domain::terms::Terminal;
use payframe_protocol::operation::Operation;
use payframe_protocol::three_step::ThreeStepInitAnswer;
use payframe_storage::external_3ds::{self, External3dsRow};
use payframe_storage::session_pages::{self, Page};
use payframe_storage::sessions::{self, SessionRow};
use payframe_storage::{cards, orders};

/// The card data for the acquirer, and the part that may be shown.
struct Instrument<'a> {
    shown: &'a EnteredCard,
    cardholder_data: &'a CardholderData,
}

/// What is known of the authentication after the first call.
struct IssuerAssessment {
    /// The operation that it is for.
    operation_id: String,
    enrollment: Enrollment,
    status: AuthenticationStatus,
}

impl External3ds<'_> {
    /// Starts a 3-step payment and returns the body of the response.
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
                Attempt::OpenSessions(earlier) => {
                    // The response has no member for warnings.
                    self.sessions
                        .give_up_earlier(&earlier, Some(terminal), &mut Vec::new())
                        .await?;
                }
            }
        }
    }

    /// Requests the authentication of the buyer from the card's issuer. There is no device check, and risk rules run with the payment. A 3-D
    /// Secure server that needs the buyer's browser only says whether the issuer can be asked.
    async fn assess(
        &self,
        terminal: &Terminal,
        init: &StepInit,
    ) -> Result<IssuerAssessment, External3dsError> {
        let merchant_id = &terminal.merchant_id;
        let kept = {
            let mut connection = self.context.store().read().await?;
            let asked = (init.challenge_preference, init.recurrence.as_ref());
            let sum = (init.order.amount, init.order.currency.as_str());
            self.contracts
                .agree_to_exemption(&mut connection, merchant_id, asked, sum)
                .await?;
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
                card: card.cardholder_data,
                network: card.shown.network,
                expiry: card.shown.expiry,
                sum: (init.order.amount, &init.order.currency),
                challenge_preference: preference(
                    init.challenge_preference,
                    NoChallengeRequest::from_code(init.challenge_preference),
                ),
                session: None,
            })
            .await?;
        let server = self.context.three_ds_server();
        let enrollment = server.card_range(&card.cardholder_data.number).enrollment;
        let status = first_status(enrollment, verdict);
        Ok(match (status, enrollment) {
            // Without a browser it refuses every card that an issuer could be asked about.
            (AuthenticationStatus::Failed, Enrollment::Enrolled | Enrollment::Unavailable)
                if server.needs_browser() =>
            {
                IssuerAssessment {
                    operation_id,
                    enrollment: Enrollment::Enrolled,
                    status: AuthenticationStatus::BrowserDue,
                }
            }
            _ => IssuerAssessment {
                operation_id,
                enrollment,
                status,
            },
        })
    }

    async fn try_to_begin(
        &self,
        terminal: &Terminal,
        init: &StepInit,
        assessed: &IssuerAssessment,
        slot: Option<&Slot>,
    ) -> Result<Attempt, External3dsError> {
        let merchant_id = &terminal.merchant_id;
        let now_ms = self.context.clock().now_ms();
        let (mut transaction, known) =
            orders::begin_change(self.context.store(), merchant_id, &init.order.order_id).await?;
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
                (known, &order),
                &[HostedKind::Page],
                AmountChange::Refused,
            )
            .await?
        {
            return Ok(Attempt::OpenSessions(earlier));
        }
        orders::put(&mut transaction, &order);
        let IssuerAssessment {
            operation_id,
            enrollment,
            status,
        } = assessed;
        let mut row = self.waiting_session(terminal, init, operation_id, card.shown)?;
        if matches!(status, AuthenticationStatus::Due(_)) {
            // The issuer demands a challenge, so no exemption is claimed.
            row.terms.challenge_preference = String::from("NO_PREFERENCE");
        }
        sessions::add(&mut transaction, &row, now_ms)?;
        // The payment sends the security code again.
        let kept_card = match status {
            AuthenticationStatus::BrowserDue => card.cardholder_data.for_authentication(),
            _ => card.cardholder_data.number_only(),
        };
        let encrypted = kept_card.encrypt(self.context.vault(), &row.hash)?;
        cards::keep(&mut transaction, &mut row, encrypted);
        let step = External3dsRow {
            operation_id: operation_id.clone(),
            session_hash: row.hash.clone(),
            status: *status,
            return_url: None,
            validation: None,
            ends_ms: row.ends_ms,
        };
        let told = notified_status(step.status);
        self.report_result(&mut transaction, &row, &step, told, now_ms)
            .await?;
        external_3ds::add(&mut transaction, &step).await?;
        if let AuthenticationStatus::BrowserDue
        | AuthenticationStatus::Due(_)
        | AuthenticationStatus::Frictionless(_) = step.status
        {
            let page = Page::Step(operation_id.clone());
            let token_hash = payframe_vault::hash(&self.context.page_token(&row.hash, &page));
            session_pages::open(&mut transaction, &token_hash, &row.hash, &page);
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
            slot.keep(&mut transaction, self.context.vault(), 200, &body, now_ms)?;
        }
        transaction.commit().await?;
        self.context.wake_notifier();
        Ok(Attempt::Opened(body))
    }

    /// The card of a payment: the one that was sent, or the stored one. If both exist, they must be the same.
    fn card_of<'a>(
        &self,
        merchant_id: &str,
        init: &'a StepInit,
        kept: Option<&'a StoredCard>,
    ) -> Result<Instrument<'a>, External3dsError> {
        let sent = init.card.as_ref().map(|card| Instrument {
            shown: &card.card,
            cardholder_data: &card.cardholder_data,
        });
        let kept = kept.map(|card| Instrument {
            shown: &card.shown,
            cardholder_data: &card.cardholder_data,
        });
        let id = |card: &Instrument<'_>| {
            card_id(
                self.context.vault(),
                merchant_id,
                card.cardholder_data,
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
        row.terms.preassigned_operation_id = Some(operation_id.to_owned());
        row.terms.contract = init
            .recurrence
            .as_ref()
            .and_then(Recurrence::requested_contract);
        row.terms.challenge_preference = init.challenge_preference.to_owned();
        // The session waits for the merchant's server only, so the limit for an inactive buyer is not shorter.
        row.ends_ms = self.context.clock().now_ms() + STEP_MS;
        row.last_seen_ms = row.ends_ms;
        row.wake_ms = row.ends_ms;
        Ok(row)
    }

    fn init_answer(
        &self,
        operation: Operation,
        enrollment: Enrollment,
        step: &External3dsRow,
    ) -> ThreeStepInitAnswer {
        let is_due = matches!(
            step.status,
            AuthenticationStatus::BrowserDue | AuthenticationStatus::Due(_)
        );
        let is_frictionless = matches!(step.status, AuthenticationStatus::Frictionless(_));
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
}

fn first_status(enrollment: Enrollment, verdict: Verdict) -> AuthenticationStatus {
    match verdict {
        Verdict::Pass(authentication) if enrollment == Enrollment::Enrolled => {
            AuthenticationStatus::Frictionless(authentication)
        }
        Verdict::Pass(authentication) => AuthenticationStatus::Authenticated(authentication),
        Verdict::Challenge => AuthenticationStatus::challenged(),
        // No browser is described here, so no issuer asks for a confirmation, or apart from the browser.
        Verdict::Confirmation
        | Verdict::Decoupled { .. }
        | Verdict::Refused
        | Verdict::Risk
        | Verdict::Stopped => AuthenticationStatus::Failed,
    }
}
