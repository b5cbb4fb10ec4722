//! Acquirers that do what a test plans, and record who was asked for what.

use crate::harness::TestApp;
use async_trait::async_trait;
use payframe_payment_ports::acquirer::{
    AcceptedOffer, Acquirer, AcquirerError, Approval, AuthorizationRequest, AuthorizationResponse,
    AuthorizationResult, CardAuthorization, FollowUpRequest, InquiryRequest, Instrument,
    NetworkToken, Taking,
};
use payframe_payment_ports::acquirers::{ChosenAcquirer, Instruments, NewPayment};
use payframe_payment_ports::{Acquirers, Ports};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// An acquirer that records what it is asked.
struct Recorded {
    name: &'static str,
    desk: Desk,
}

/// What all of them share with the test.
#[derive(Clone, Default)]
pub(crate) struct Desk(Arc<Mutex<Plan>>);

#[derive(Default)]
pub(crate) struct Plan {
    /// The name of the terminals' acquirer. `None`: the sandbox's own.
    pub(crate) chosen: Option<&'static str>,
    /// The name of the one that is asked if that one has surely not taken a payment.
    pub(crate) fallback: Option<&'static str>,
    /// The acquirers that are not set up any more.
    pub(crate) gone: Vec<&'static str>,
    /// The acquirers that say nothing, whatever the answer is.
    pub(crate) silent: Vec<&'static str>,
    /// The acquirers to which nothing can be sent.
    pub(crate) unreachable: Vec<&'static str>,
    /// The acquirers that say that they took nothing.
    pub(crate) taking_nothing: Vec<&'static str>,
    /// The acquirers that a payment is on its way to, for as long as they are here.
    pub(crate) slow: Vec<&'static str>,
    /// The same, but the payment is on its way for ever.
    pub(crate) stuck: Vec<&'static str>,
    /// The acquirers that charge cards in their own currency.
    pub(crate) converting: Vec<&'static str>,
    /// What the others say. `None`: nothing.
    pub(crate) answer: Option<AuthorizationResult>,
    /// Who was asked for what.
    asked: Vec<String>,
    /// What an acquirer was chosen for.
    chosen_for: Vec<String>,
    /// Who began to authorize a payment.
    began: Vec<&'static str>,
    /// The versions of 3-D Secure in which buyers were authenticated, or data was shared.
    versions: Vec<&'static str>,
}

impl Desk {
    pub(crate) fn with(answer: AuthorizationResult) -> Desk {
        let desk = Desk::default();
        desk.change(|plan| {
            plan.chosen = Some("first");
            plan.answer = Some(answer);
        });
        desk
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut Plan)) {
        change(&mut self.0.lock().unwrap());
    }

    /// Who was asked for what since the last time.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap().asked)
    }

    /// What an acquirer was chosen for since the last time.
    pub(crate) fn chosen_for(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap().chosen_for)
    }

    /// The versions of 3-D Secure that acquirers were told.
    pub(crate) fn versions(&self) -> Vec<&'static str> {
        self.0.lock().unwrap().versions.clone()
    }

    fn has_slow(&self, name: &str) -> bool {
        self.0.lock().unwrap().slow.contains(&name)
    }

    /// Waits until a payment is on its way to this acquirer.
    pub(crate) async fn until_asked(&self, name: &str) {
        while !self.0.lock().unwrap().began.contains(&name) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// A sandbox with these acquirers.
    pub(crate) async fn app(&self) -> TestApp {
        let desk = self.clone();
        TestApp::with_ports(|_| {}, move |ports| desk.replace(ports)).await
    }

    /// These ports with the acquirers of the test.
    pub(crate) fn replace(&self, ports: Ports) -> Ports {
        let acquirers = ["first", "second"].map(|name| Recorded {
            name,
            desk: self.clone(),
        });
        Ports {
            acquirers: Arc::new(Directory {
                own: ports.acquirers,
                acquirers,
                desk: self.clone(),
            }),
            ..ports
        }
    }
}

struct Directory {
    own: Arc<dyn Acquirers>,
    acquirers: [Recorded; 2],
    desk: Desk,
}

impl Acquirers for Directory {
    fn of_terminal(&self, terminal_id: &str) -> Option<Instruments> {
        match self.desk.0.lock().unwrap().chosen {
            Some(_) => Some(Instruments::Cards),
            None => self.own.of_terminal(terminal_id),
        }
    }

    fn choose(&self, payment: &NewPayment<'_>) -> Option<ChosenAcquirer<'_>> {
        let mut plan = self.desk.0.lock().unwrap();
        let NewPayment {
            terminal_id,
            merchant_id,
            order_id,
            currency,
            card,
        } = payment;
        let card = card.map(|card| format!("{} {}", card.network.code(), card.first_digits));
        plan.chosen_for.push(format!(
            "{terminal_id} {merchant_id} {order_id} {currency} {}",
            card.unwrap_or_default()
        ));
        match plan.chosen {
            Some(name) => Some(ChosenAcquirer {
                name: Some(name),
                fallback: plan.fallback,
            }),
            None => self.own.choose(payment),
        }
    }

    fn named(&self, name: Option<&str>) -> Option<&dyn Acquirer> {
        let Some(name) = name else {
            return self.own.named(None);
        };
        let is_gone = self.desk.0.lock().unwrap().gone.contains(&name);
        let found = self.acquirers.iter().find(|one| one.name == name)?;
        (!is_gone).then_some(found as &dyn Acquirer)
    }

    fn is_empty(&self) -> bool {
        false
    }
}

impl Recorded {
    fn answer(&self, to: &str) -> Result<AuthorizationResponse, AcquirerError> {
        let mut plan = self.desk.0.lock().unwrap();
        plan.asked.push(format!("{} {to}", self.name));
        if plan.unreachable.contains(&self.name) {
            return Err(AcquirerError::NotSent("it refuses connections".into()));
        }
        if plan.taking_nothing.contains(&self.name) {
            return Ok(AuthorizationResponse {
                response_code: String::from("909"),
                result: AuthorizationResult::Failed,
                approval: None,
                decline_reason: None,
                ask_again_ms: None,
                taking: Taking::NotTaken,
            });
        }
        let answer = plan.answer.filter(|_| !plan.silent.contains(&self.name));
        let Some(result) = answer else {
            return Err(AcquirerError::NoAnswer("it is silent".into()));
        };
        let is_approved = result == AuthorizationResult::Approved;
        Ok(AuthorizationResponse {
            response_code: String::from("000"),
            result,
            approval: is_approved.then(|| Approval {
                authorization_code: String::new(),
                retrieval_reference: String::new(),
                scheme_id: String::new(),
            }),
            decline_reason: None,
            ask_again_ms: (result == AuthorizationResult::Pending).then_some(0),
            taking: Taking::Taken,
        })
    }
}

/// The version of 3-D Secure of a payment with a card, if there was any.
fn version(instrument: &Instrument<'_>) -> Option<&'static str> {
    let Instrument::Card(card) = instrument else {
        return None;
    };
    let authenticated = card.authentication.as_ref().map(|one| one.version);
    authenticated.or(card.data_share.map(|one| one.version))
}

/// What a network token came with. Empty if the number is none.
fn network_token(instrument: &Instrument<'_>) -> String {
    let Instrument::Card(CardAuthorization {
        network_token: Some(NetworkToken { wallet, cryptogram }),
        ..
    }) = instrument
    else {
        return String::new();
    };
    let cryptogram = cryptogram.as_ref().map(|cryptogram| {
        // Exposed to be compared: it is the test's own.
        let value = cryptogram.value().expose();
        format!(" {value} {}", cryptogram.eci().unwrap_or("-"))
    });
    format!(" {}{}", wallet.code(), cryptogram.unwrap_or_default())
}

/// What the cardholder is charged, or gets back, in the card's own currency. Empty: nothing is converted.
fn conversion(offer: Option<&AcceptedOffer>) -> String {
    offer.map_or_else(String::new, |offer| {
        let AcceptedOffer {
            amount,
            currency,
            exchange_rate,
        } = offer;
        format!(" as {amount} {currency} at {exchange_rate}")
    })
}

#[async_trait]
impl Acquirer for Recorded {
    async fn authorize(
        &self,
        request: &AuthorizationRequest<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        let token = network_token(&request.instrument);
        let conversion = conversion(request.conversion);
        let asked = format!("authorize {}{token}{conversion}", request.capture.code());
        self.desk.change(|plan| {
            plan.began.push(self.name);
            plan.versions.extend(version(&request.instrument));
        });
        if self.desk.0.lock().unwrap().stuck.contains(&self.name) {
            std::future::pending::<()>().await;
        }
        while self.desk.has_slow(self.name) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        self.answer(&asked)
    }

    async fn follow_up(
        &self,
        request: &FollowUpRequest<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        let operation = request.operation.operation_type().code();
        let of_first = request.target == request.authorization;
        let target = if of_first { "authorization" } else { "capture" };
        let FollowUpRequest {
            amount,
            currency,
            conversion: asked,
            ..
        } = request;
        let conversion = conversion(*asked);
        self.answer(&format!(
            "{operation} {amount} {currency} of the {target}{conversion}"
        ))
    }

    async fn inquire(
        &self,
        request: &InquiryRequest<'_>,
    ) -> Result<Option<AuthorizationResponse>, AcquirerError> {
        let InquiryRequest {
            amount, currency, ..
        } = request;
        self.answer(&format!("inquire {amount} {currency}"))
            .map(Some)
    }

    fn converts(&self) -> bool {
        let plan = self.desk.0.lock().unwrap();
        plan.converting.contains(&self.name)
    }
}
