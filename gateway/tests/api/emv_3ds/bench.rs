//! A production gateway whose only terminal is known to a directory server, and the acquirer that it charges.

use crate::counterpart::{Conduct, Counterpart, LATER_PROOF};
use crate::encryption::{hidden, key_of};
use crate::harness::{Answer, TestApp, build_form, short};
use async_trait::async_trait;
use axum::body::Body;
use axum::http::Request;
use payframe_gateway::config::{Config, Mode};
use payframe_payment_ports::acquirer::{
    Acquirer, AcquirerError, AddressPart, Approval, AuthorizationRequest, AuthorizationResponse,
    AuthorizationResult, DeclineReason, Exemption, FollowUpRequest, InquiryRequest, Instrument,
    Taking,
};
use payframe_payment_ports::acquirers::OwnAcquirer;
use payframe_payment_ports::risk_rules::{RiskDecision, RiskQuestion};
use payframe_payment_ports::{Ports, RiskRules};
use serde_json::{Value, json};
use std::iter;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

pub(super) const NUMBER: &str = "4761730000000003";

const TERMINALS: &str = "[[terminal]]\nid = '55000001'\nmerchant_name = 'Blumenladen'\n\
     merchant_url = 'https://shop.example'\nmerchant_category = '5992'\ncountry = '276'\n\
     [terminal.directory.visa]\nrequestor_id = 'R1'\nacquirer_bin = '400000'\nmerchant_id = 'M1'\n";

/// Approves everything, unless it demands a challenge, and remembers how the buyer was authenticated: ECI, proof, what was only shared, the
/// exemption that was claimed, and the billing address.
#[derive(Clone, Default)]
struct Till {
    told: Arc<Mutex<Vec<String>>>,
    /// Whether it declines what has not the proof of a challenge.
    demands: Arc<AtomicBool>,
}

#[async_trait]
impl Acquirer for Till {
    async fn authorize(
        &self,
        request: &AuthorizationRequest<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        let Instrument::Card(card) = &request.instrument else {
            return Err(AcquirerError::NoAnswer("only cards".into()));
        };
        let evidence = card.authentication.as_ref();
        let evidence = evidence.map(|one| format!("{} {}", one.eci, one.authentication_value));
        let claimed = match card.exemption {
            Exemption::Requested(exemption) => Some(exemption.code().to_owned()),
            _ => None,
        };
        let billing = card.billing_address.map(|address| {
            let parts = AddressPart::ALL.map(|part| address.part(part));
            let parts = parts.into_iter().flatten().map(|text| text.expose());
            let country = address.country().code();
            iter::once(country)
                .chain(parts)
                .collect::<Vec<_>>()
                .join(" ")
        });
        let shared = card
            .data_share
            .map(|one| format!("shared {:?} {}", one.eci, one.ds_transaction_id));
        let told = evidence.into_iter().chain(shared).chain(claimed);
        let told: Vec<String> = told.chain(billing).collect();
        let told = told.join(" ");
        let is_declined = self.demands.load(Ordering::Relaxed) && !told.contains(LATER_PROOF);
        self.told.lock().unwrap().push(told);
        if is_declined {
            return Ok(AuthorizationResponse {
                response_code: String::from("100"),
                result: AuthorizationResult::Declined,
                approval: None,
                decline_reason: Some(DeclineReason::AuthenticationRequired),
                ask_again_ms: None,
                taking: Taking::Taken,
            });
        }
        Ok(AuthorizationResponse {
            response_code: String::from("000"),
            result: AuthorizationResult::Approved,
            approval: Some(Approval {
                authorization_code: String::from("A1"),
                retrieval_reference: String::new(),
                scheme_id: String::new(),
            }),
            decline_reason: None,
            ask_again_ms: None,
            taking: Taking::Taken,
        })
    }

    async fn follow_up(
        &self,
        _request: &FollowUpRequest<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        Err(AcquirerError::NoAnswer("nothing follows".into()))
    }

    async fn inquire(
        &self,
        _request: &InquiryRequest<'_>,
    ) -> Result<Option<AuthorizationResponse>, AcquirerError> {
        Ok(None)
    }
}

struct AnyRisk;

impl RiskRules for AnyRisk {
    fn decide(&self, _question: &RiskQuestion<'_>) -> RiskDecision {
        RiskDecision::Accept
    }
}

/// A production gateway whose only terminal is known to a directory server.
pub(super) struct Bench {
    pub(super) app: TestApp,
    pub(super) key: String,
    pub(super) directory: Counterpart,
    till: Till,
    _folder: tempfile::TempDir,
}

fn in_production(config: &mut Config, file: &Path) {
    config.mode = Mode::Production;
    config.three_ds = Some(file.to_owned());
    let dist = config.data.join("dist");
    crate::dist::write(&dist);
    config.assets = Some(dist);
}

impl Bench {
    pub(super) async fn start() -> Bench {
        Bench::with(TERMINALS).await
    }

    /// Whose terminal lets issuers ask apart from the browser for ten minutes.
    pub(super) async fn patient() -> Bench {
        let country = "country = '276'\n";
        let patient = format!("{country}decoupled_minutes = 10\n");
        Bench::with(&TERMINALS.replace(country, &patient)).await
    }

    /// The same, and whom no issuer authenticates pays all the same.
    pub(super) async fn paid_without_authentication() -> Bench {
        let country = "country = '276'\n";
        let paid = format!("{country}unauthenticated = 'pay'\n");
        Bench::with(&TERMINALS.replace(country, &paid)).await
    }

    async fn with(terminals: &str) -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let directory = Counterpart::start(folder.path(), terminals).await;
        let file = folder.path().join("3ds.toml");
        let till = Till::default();
        let acquirer = till.clone();
        let replace = move |ports: Ports| Ports {
            acquirers: Arc::new(OwnAcquirer(Arc::new(acquirer.clone()))),
            risk_rules: Arc::new(AnyRisk),
            ..ports
        };
        let app = TestApp::with_ports(|config| in_production(config, &file), replace).await;
        let key = app.own_shop().await;
        app.has_proven("55000001", "https://shop.example").await;
        Bench {
            app,
            key,
            directory,
            till,
            _folder: folder,
        }
    }

    /// A session with a card whose device check has not run.
    pub(super) async fn entered(&self, order: &str) -> (String, String) {
        self.entered_for(&build_form(order, 2), &[]).await
    }

    /// `beside`: items that are sent with the card.
    async fn entered_for(&self, request: &Value, beside: &[Value]) -> (String, String) {
        let session = self.app.open_by(&self.key, request).await;
        let card_key = key_of(&self.app, &session).await;
        let mut card = hidden(NUMBER, &card_key, &session);
        card.as_array_mut().unwrap().extend_from_slice(beside);
        let answer = self
            .app
            .frame(&session)
            .post("/fe/build/text", &card)
            .await
            .ok();
        let check = answer["gdiStatus"]["gdiUrl"].as_str().unwrap().to_owned();
        (session, check)
    }

    /// A session whose browser is known to the gateway.
    pub(super) async fn checked(&self, order: &str) -> String {
        self.checked_for(&build_form(order, 2)).await
    }

    /// The same for this request.
    pub(super) async fn checked_for(&self, request: &Value) -> String {
        self.checked_with(request, &[]).await
    }

    /// The same with these items beside the card.
    pub(super) async fn checked_with(&self, request: &Value, beside: &[Value]) -> String {
        let (session, check) = self.entered_for(request, beside).await;
        let answer = self
            .post(&check, "application/json", &browser(true, true).to_string())
            .await;
        assert_eq!(answer.status, 204);
        session
    }

    pub(super) async fn close(&self, session: &str) -> Answer {
        let closing = json!({ "sessionId": session });
        self.app
            .key(&self.key)
            .post("/build/finalize_payment", &closing)
            .await
    }

    /// A session with a challenge, and the address of its page.
    pub(super) async fn challenged(&self, order: &str) -> (String, String) {
        self.directory.behave(Conduct::Status("C"));
        let session = self.checked(order).await;
        let closed = self.close(&session).await.ok();
        let address = closed["url"].as_str().unwrap().to_owned();
        (session, address)
    }

    pub(super) async fn state(&self, session: &str) -> String {
        let path = format!("/build/state?sessionId={session}");
        short(&self.app.key(&self.key).get(&path).await.ok())
    }

    /// The directory server sends the result of the challenge to the address that AReq named.
    pub(super) async fn result(&self, message: &Value) -> Answer {
        let asked = self.directory.heard("AReq").pop().unwrap();
        let address = asked["threeDSServerURL"].as_str().unwrap().to_owned();
        self.post(&address, "application/json", &message.to_string())
            .await
    }

    pub(super) async fn get(&self, address: &str) -> Answer {
        self.app.page(address, &[]).await
    }

    pub(super) async fn post(&self, address: &str, kind: &str, body: &str) -> Answer {
        let path = address
            .strip_prefix("https://gateway.example")
            .unwrap_or(address);
        let request = Request::post(path)
            .header("content-type", kind)
            .header("user-agent", "Mozilla/5.0")
            .header("accept", "*/*")
            .header("accept-language", "it-IT,en")
            .body(Body::from(body.to_owned()));
        self.app.send(request.unwrap()).await
    }

    /// From now on the acquirer declines what has not the proof of a challenge.
    pub(super) fn demand_challenges(&self) {
        self.till.demands.store(true, Ordering::Relaxed);
    }

    pub(super) fn charges(&self) -> Vec<String> {
        self.till.told.lock().unwrap().clone()
    }
}

pub(super) fn browser(is_method_done: bool, is_over: bool) -> Value {
    json!({
        "language": "it-IT", "hasJava": false, "colorDepth": 24, "screenHeight": 900, "screenWidth": 1440,
        "timeZoneMinutes": -60, "isMethodDone": is_method_done, "isOver": is_over,
    })
}
