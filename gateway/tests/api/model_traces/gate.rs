//! The sandbox's ports with a gate in front: each call to the acquirer, and each demand for a challenge, waits until the test lets it continue.

use async_trait::async_trait;
use payframe_card_rules::secret::Secret;
use payframe_model::Card;
use payframe_payment_domain::session::{Authentication, DeviceCheck};
use payframe_payment_ports::acquirer::{
    Acquirer, AcquirerError, AuthorizationRequest, AuthorizationResponse, FollowUpRequest,
    InquiryRequest,
};
use payframe_payment_ports::acquirers::OwnAcquirer;
use payframe_payment_ports::three_ds_server::{
    AuthenticationEvidence, AuthenticationRequest, AuthenticationResponse, CardRange,
    ChallengePreference, ConfirmationOutcome, ConfirmationRequest, ConfirmationStatus,
    EvidenceRequest, ThreeDsServer, ThreeDsServerError,
};
use payframe_payment_ports::{Acquirers, Ports};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The test's side of the gate.
pub(super) struct Gate {
    waits: UnboundedReceiver<()>,
    decisions: UnboundedSender<GateDecision>,
}

/// How a waiting request continues.
#[derive(Clone, Copy, Debug)]
pub(super) enum GateDecision {
    /// It continues: to the acquirer, or with its answer to the gateway.
    Pass,
    /// There is no answer.
    Silence,
    /// It never gets an answer: the process has ended.
    Crash,
}

/// Both sides of a new gate.
pub(super) fn gate() -> (Gate, impl Fn(Ports) -> Ports + Send + Sync + 'static) {
    let (is_waiting, waits) = unbounded_channel();
    let (decisions, next_decision) = unbounded_channel();
    let turnstile = Turnstile {
        is_waiting,
        next_decision: Arc::new(Mutex::new(next_decision)),
    };
    let replace = move |ports: Ports| Ports {
        acquirers: Arc::new(OwnAcquirer(Arc::new(GatedAcquirer {
            acquirers: ports.acquirers,
            turnstile: turnstile.clone(),
        }))),
        three_ds_server: Arc::new(ModelsThreeDsServer {
            server: ports.three_ds_server,
            turnstile: turnstile.clone(),
        }),
        ..ports
    };
    (Gate { waits, decisions }, replace)
}

impl Gate {
    /// Waits until a request is at the gate.
    pub(super) async fn request(&mut self) -> Result<(), String> {
        match tokio::time::timeout(REQUEST_TIMEOUT, self.waits.recv()).await {
            Ok(Some(())) => Ok(()),
            _ => Err(String::from("the acquirer is not asked")),
        }
    }

    /// Decides how the waiting request continues.
    pub(super) fn decide(&self, decision: GateDecision) {
        // The waiting request holds the other end.
        let _ = self.decisions.send(decision);
    }
}

/// The gateway's side of the gate.
#[derive(Clone)]
struct Turnstile {
    is_waiting: UnboundedSender<()>,
    next_decision: Arc<Mutex<UnboundedReceiver<GateDecision>>>,
}

impl Turnstile {
    /// Waits until the test decides. The error: there is no answer.
    async fn wait(&self) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let _ = self.is_waiting.send(());
        let decision = self.next_decision.lock().await.recv().await;
        match decision {
            Some(GateDecision::Pass) => Ok(()),
            Some(GateDecision::Silence) => Err("it is silent".into()),
            Some(GateDecision::Crash) | None => std::future::pending().await,
        }
    }
}

struct GatedAcquirer {
    acquirers: Arc<dyn Acquirers>,
    turnstile: Turnstile,
}

impl GatedAcquirer {
    /// The sandbox's acquirer.
    fn acquirer(&self) -> Result<&dyn Acquirer, AcquirerError> {
        let acquirer = self.acquirers.named(None);
        acquirer.ok_or_else(|| AcquirerError::NoAnswer("there is none".into()))
    }

    async fn wait(&self) -> Result<(), AcquirerError> {
        self.turnstile.wait().await.map_err(AcquirerError::NoAnswer)
    }
}

#[async_trait]
impl Acquirer for GatedAcquirer {
    async fn authorize(
        &self,
        request: &AuthorizationRequest<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        self.wait().await?;
        let response = self.acquirer()?.authorize(request).await?;
        self.wait().await?;
        Ok(response)
    }

    async fn follow_up(
        &self,
        request: &FollowUpRequest<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        self.acquirer()?.follow_up(request).await
    }

    async fn inquire(
        &self,
        request: &InquiryRequest<'_>,
    ) -> Result<Option<AuthorizationResponse>, AcquirerError> {
        self.acquirer()?.inquire(request).await
    }

    fn converts(&self) -> bool {
        self.acquirer().is_ok_and(Acquirer::converts)
    }
}

/// The sandbox's server, but with the model's rule about which cards need a device check. A demand for a challenge waits at the gate.
struct ModelsThreeDsServer {
    server: Arc<dyn ThreeDsServer>,
    turnstile: Turnstile,
}

#[async_trait]
impl ThreeDsServer for ModelsThreeDsServer {
    fn card_range(&self, number: &Secret) -> CardRange {
        // Exposed because the number of a test card decides its behaviour.
        let card = Card::ALL
            .into_iter()
            .find(|card| number_of(*card) == number.expose());
        let device_check = match card {
            Some(Card::Checked | Card::Silent) => DeviceCheck::Due,
            _ => DeviceCheck::NotDue,
        };
        CardRange {
            device_check,
            ..self.server.card_range(number)
        }
    }

    async fn authenticate(
        &self,
        request: &AuthenticationRequest<'_>,
    ) -> Result<AuthenticationResponse, ThreeDsServerError> {
        if request.challenge_preference == ChallengePreference::ChallengeMandated {
            let waited = self.turnstile.wait().await;
            waited.map_err(ThreeDsServerError::NoAnswer)?;
        }
        // No walk describes a browser.
        // Exposed because the number of a test card decides its behaviour.
        if request.number.expose() == CONFIRMED {
            return Ok(AuthenticationResponse::Confirmation);
        }
        self.server.authenticate(request).await
    }

    async fn confirmation(
        &self,
        _request: &ConfirmationRequest<'_>,
    ) -> Result<ConfirmationStatus, ThreeDsServerError> {
        Ok(ConfirmationStatus::Answered(
            AuthenticationResponse::Challenge,
        ))
    }

    async fn confirm(
        &self,
        _request: &ConfirmationRequest<'_>,
        outcome: &ConfirmationOutcome,
    ) -> Result<AuthenticationResponse, ThreeDsServerError> {
        Ok(match outcome {
            ConfirmationOutcome::Confirmed(_) => {
                AuthenticationResponse::Completed(Authentication::Full)
            }
            ConfirmationOutcome::TimedOut => AuthenticationResponse::Refused,
            ConfirmationOutcome::NotCompleted | ConfirmationOutcome::Cancelled => {
                AuthenticationResponse::Challenge
            }
        })
    }

    async fn evidence(
        &self,
        request: &EvidenceRequest<'_>,
    ) -> Result<AuthenticationEvidence, ThreeDsServerError> {
        self.server.evidence(request).await
    }
}

/// The sandbox's number for a card of the model; for the refused card, a number with a wrong check digit.
pub(super) fn number_of(card: Card) -> &'static str {
    match card {
        Card::Good => "4761730000000003",
        Card::Declined => "4761730000001167",
        Card::Checked => "4761730000003098",
        Card::Silent => "4761730000003031",
        Card::Challenged => "4761730000003007",
        Card::Confirmed => CONFIRMED,
        Card::Refused => "4761730000003064",
        Card::Pending => "4761730000008881",
        Card::Demanding => "4761730000003114",
        Card::Bad => "4761730000000004",
    }
}

/// The number whose issuer asks for a confirmation by the buyer's device.
const CONFIRMED: &str = "4761730000003148";

/// Longer than any machine needs.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);
