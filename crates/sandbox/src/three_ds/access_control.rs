//! The access control server (ACS) of all issuers of the sandbox: it answers AReq, asks buyers on pages of its own, and sends RReq.
//!
//! The card's case decides, as in the sandbox's own process. The directory server reaches it over mutual TLS; browsers reach its pages at
//! another address.

use super::challenges::{Asking, Challenge};
use super::confirmations::Confirmations;
use super::identities::{Identities, Side};
use super::issuer_messages::{asking_for, decided, elements, method_of, results, view};
use super::mutual_tls::{TlsSocket, client};
use super::newest::Newest;
use super::{Misbehaviour, ThreeDsProblem};
use crate::cards::enrolled_ranges::network_of;
use crate::issuer_decision::IssuerDecision;
use crate::page_behaviour::{APP_WAIT_MS, judge, script};
use crate::pages;
use crate::payment_credentials::CredentialIssuer;
use crate::three_ds_server::authentication_value;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use payframe_card_rules::network::Network;
use payframe_emv_3ds::element::{Element, Text, TransactionId, WebAddress};
use payframe_emv_3ds::fault::Fault;
use payframe_emv_3ds::message::{
    AuthenticationAnswer, AuthenticationCall, ChallengeCall, Component, Fields, Message, Problem,
    TransactionStatus, Version, WindowSize,
};
use payframe_payment_domain::session::ChallengeReply;
use payframe_payment_service::ChallengeAnswer;
use reqwest::Client;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// Where an access control server is.
#[derive(Clone, Debug)]
pub struct AccessControlSettings {
    /// Where the directory server reaches it.
    pub listen: SocketAddr,
    /// Where browsers reach its pages.
    pub pages: SocketAddr,
    /// The folder of certificates.
    pub folder: PathBuf,
    /// The rules that it breaks.
    pub misbehaviour: Option<Misbehaviour>,
}

/// An access control server that listens.
pub struct AccessControlServer {
    socket: TlsSocket,
    pages: TcpListener,
    desk: Arc<AccessControl>,
}

/// What all parts of the server know.
pub(crate) struct AccessControl {
    /// The origin of the pages.
    pub(crate) origin: String,
    client: Client,
    /// Makes ids that other programs cannot guess.
    salt: String,
    misbehaviour: Option<Misbehaviour>,
    challenges: Newest<Challenge>,
    confirmations: Confirmations,
}

/// What follows a buyer's answer.
pub(crate) enum Answered {
    /// The code was wrong.
    AskAgain {
        /// How many further tries there are.
        left: u8,
    },
    /// Nothing: the issuer gives no answer.
    Waiting,
    /// The browser goes back with this CRes.
    Back {
        /// Where to.
        address: String,
        /// The value of `cres`.
        cres: String,
    },
    /// There is no such challenge.
    Gone,
    /// The result did not arrive. The same can be tried again.
    Failed,
}

impl AccessControlServer {
    /// Opens its sockets.
    ///
    /// # Errors
    /// A certificate cannot be made or used, or a socket cannot be opened.
    pub async fn open(
        settings: &AccessControlSettings,
    ) -> Result<AccessControlServer, ThreeDsProblem> {
        let identities = Identities::open(&settings.folder)?;
        let socket = TlsSocket::open(settings.listen, &identities, Side::AccessControl)?;
        let pages = TcpListener::bind(settings.pages).await;
        let pages = pages.map_err(ThreeDsProblem::Listen)?;
        let at = pages.local_addr().map_err(ThreeDsProblem::Listen)?;
        let desk = AccessControl {
            origin: format!("http://{at}"),
            client: client(&identities, Side::AccessControl, RESULT_LIMIT)?,
            salt: uuid::Uuid::new_v4().to_string(),
            misbehaviour: settings.misbehaviour,
            challenges: Newest::default(),
            confirmations: Confirmations::new(
                uuid::Uuid::new_v4().to_string(),
                enrolment_origin(at),
            ),
        };
        Ok(AccessControlServer {
            socket,
            pages,
            desk: Arc::new(desk),
        })
    }

    /// Where the directory server reaches it.
    ///
    /// # Errors
    /// The system does not say where it listens.
    pub fn address(&self) -> Result<String, ThreeDsProblem> {
        self.socket.address()
    }

    /// The origin of its pages.
    pub fn origin(&self) -> &str {
        &self.desk.origin
    }

    /// The address of the page where buyers enrol devices.
    pub fn enrolment(&self) -> String {
        format!("{}{}", self.desk.issuer().origin(), pages::ENROLMENT_PATH)
    }

    /// Answers until `stop` is done.
    ///
    /// # Errors
    /// A socket fails.
    pub async fn serve(self, stop: impl Future<Output = ()>) -> std::io::Result<()> {
        let messages = Router::new()
            .route("/", post(receive))
            .with_state(self.desk.clone());
        let pages = axum::serve(self.pages, pages::access_control_router(self.desk));
        tokio::select! {
            ended = self.socket.serve(messages, stop) => ended,
            ended = pages.into_future() => ended,
        }
    }
}

async fn receive(State(desk): State<Arc<AccessControl>>, body: Bytes) -> Response {
    let answer = desk.answer_to(&body).await;
    ([(CONTENT_TYPE, JSON)], answer).into_response()
}

impl AccessControl {
    /// The answer to a message of the directory server.
    async fn answer_to(self: &Arc<Self>, body: &[u8]) -> Vec<u8> {
        let fields = Fields::parse(body);
        let version = fields.as_ref().ok().and_then(|one| one.version().ok());
        let answer = match fields {
            Ok(fields) => self.authenticate(&fields).await,
            Err(fault) => Err(fault),
        };
        let answer = match answer {
            Ok(answer) => answer.write().to_body(),
            Err(fault) => {
                tracing::warn!(%fault, "AReq is not accepted");
                let version = version.unwrap_or(Version::V2_2_0);
                erro(
                    &fault,
                    AuthenticationCall::TYPE,
                    version,
                    Component::AccessControl,
                )
            }
        };
        match self.misbehaviour {
            Some(Misbehaviour::Late) => {
                tokio::time::sleep(TOO_LATE).await;
                answer
            }
            Some(Misbehaviour::Malformed) => b"[]".to_vec(),
            _ => answer,
        }
    }

    async fn authenticate(
        self: &Arc<Self>,
        fields: &Fields,
    ) -> Result<AuthenticationAnswer, Fault> {
        let asked = AuthenticationCall::read(fields)?;
        let ds_transaction_id: TransactionId = fields.required("dsTransID")?;
        let ds_url: WebAddress<2048> = fields.required("dsURL")?;
        let decision = self.confirmations.decide(&asked).await?;
        // Exposed because the number of a test card defines its behaviour.
        let number = asked.account_number.secret().expose();
        let acs_transaction_id = self.id_of(&asked.server_transaction_id);
        let network = network_of(number).unwrap_or(Network::Visa);
        let mut answer = elements(json!({
            "messageType": AuthenticationAnswer::TYPE,
            "messageVersion": asked.version.code(),
            "threeDSServerTransID": &*asked.server_transaction_id,
            "dsTransID": &*ds_transaction_id,
            "acsTransID": &*acs_transaction_id,
            "acsReferenceNumber": ACS_REFERENCE,
            "dsReferenceNumber": fields.required::<Text<1, 32>>("dsReferenceNumber")?.write(),
        }));
        let value = authentication_value(&acs_transaction_id);
        let confirmation = match decision {
            IssuerDecision::Confirmation => {
                let id = &acs_transaction_id;
                self.confirmations.ask_device(id, &asked).await?
            }
            _ => None,
        };
        answer.extend(match &confirmation {
            Some(confirmation) => asking_for(confirmation),
            None => decided(decision, network, &value, asked.decoupled_request),
        });
        let asking = match answer["transStatus"].as_str() {
            Some("C") => Some(Asking::ByCode),
            Some("D") => Some(Asking::InApp),
            _ => None,
        };
        if let Some(asking) = asking {
            answer.extend(method_of(asked.version, asking));
            if asking == Asking::ByCode {
                let acs_url = json!(format!("{}/challenge", self.origin));
                answer.insert(String::from("acsURL"), acs_url);
            }
            let challenge = Challenge {
                version: asked.version,
                asking,
                server_transaction_id: asked.server_transaction_id.clone(),
                ds_transaction_id,
                ds_url,
                network,
                notification_url: asked.notification_url.to_string(),
                script: script(asked.account_number.secret()),
                view: view(&asked, number),
                wrong_codes: 0,
                ended: None,
            };
            let id = acs_transaction_id;
            let is_new = self.challenges.keep(id.clone(), challenge);
            if is_new && asking == Asking::InApp {
                tokio::spawn(Arc::clone(self).ask_in_app(id));
            }
        }
        AuthenticationAnswer::read(&Fields::of(answer))
    }

    /// Who enrols devices.
    pub(crate) fn issuer(&self) -> &CredentialIssuer {
        self.confirmations.issuer()
    }

    /// The challenge that a CReq asks for.
    pub(crate) fn begin(&self, creq: &str) -> Option<(TransactionId, Challenge)> {
        let asked = ChallengeCall::of_form_value(creq);
        let asked = asked
            .inspect_err(|fault| tracing::warn!(%fault, "CReq is not accepted"))
            .ok()?;
        let challenge = self.challenges.find(&asked.acs_transaction_id)?;
        let is_same = challenge.server_transaction_id == asked.server_transaction_id
            && challenge.version == asked.version;
        is_same.then_some((asked.acs_transaction_id, challenge))
    }

    /// The challenge with this id.
    pub(crate) fn challenge(&self, id: &TransactionId) -> Option<Challenge> {
        self.challenges.find(id)
    }

    /// Takes a buyer's answer. If it ends the challenge, the result is sent before this returns.
    pub(crate) async fn answer(&self, id: &TransactionId, answer: &ChallengeAnswer) -> Answered {
        let Some(challenge) = self.challenges.find(id) else {
            return Answered::Gone;
        };
        if let Some(status) = challenge.ended {
            return back(&challenge, id, status);
        }
        let reply = judge(challenge.script, answer);
        let status = match reply {
            ChallengeReply::Undecided => return Answered::Waiting,
            ChallengeReply::Right => TransactionStatus::Authenticated,
            ChallengeReply::Attempted => TransactionStatus::Attempted,
            ChallengeReply::No => TransactionStatus::NotAuthenticated,
            ChallengeReply::Wrong => {
                match self.challenges.change(id, Challenge::count_wrong_code) {
                    None | Some(0) => TransactionStatus::NotAuthenticated,
                    Some(left) => return Answered::AskAgain { left },
                }
            }
        };
        let is_cancelled = *answer == ChallengeAnswer::Cancel;
        match self.tell(id, &challenge, status, is_cancelled).await {
            Ok(told) => {
                let end = |challenge: &mut Challenge| challenge.ended = Some(told);
                self.challenges.change(id, end);
                back(&challenge, id, told)
            }
            Err(problem) => {
                let problem = problem.without_url();
                tracing::error!(%problem, "RReq did not arrive");
                Answered::Failed
            }
        }
    }

    /// The buyer of this program confirms in the app, after a short time.
    async fn ask_in_app(self: Arc<Self>, id: TransactionId) {
        tokio::time::sleep(Duration::from_millis(APP_WAIT_MS.unsigned_abs())).await;
        self.answer(&id, &ChallengeAnswer::Approve).await;
    }

    /// Sends RReq. Returns what CRes says.
    async fn tell(
        &self,
        id: &TransactionId,
        challenge: &Challenge,
        status: TransactionStatus,
        is_cancelled: bool,
    ) -> reqwest::Result<TransactionStatus> {
        use TransactionStatus::{Authenticated, NotAuthenticated};
        let result = |status| results(id, challenge, status, is_cancelled);
        match self.misbehaviour {
            Some(Misbehaviour::NoResult) => return Ok(Authenticated),
            Some(Misbehaviour::Contradicting) => {
                self.send(challenge, result(NotAuthenticated)).await?;
                self.send(challenge, results(id, challenge, Authenticated, false))
                    .await?;
                return Ok(Authenticated);
            }
            Some(Misbehaviour::WrongTransaction) => {
                let mut wrong = result(status);
                wrong.insert(String::from("threeDSServerTransID"), id.write());
                self.send(challenge, wrong).await?;
            }
            Some(Misbehaviour::Doubled) => self.send(challenge, result(status)).await?,
            Some(Misbehaviour::Late | Misbehaviour::Malformed) | None => {}
        }
        self.send(challenge, result(status)).await?;
        Ok(status)
    }

    async fn send(
        &self,
        challenge: &Challenge,
        results: Map<String, Value>,
    ) -> reqwest::Result<()> {
        let request = self
            .client
            .post(&*challenge.ds_url)
            .header(CONTENT_TYPE, JSON)
            .body(Fields::of(results).to_body());
        let answer = request.send().await?.error_for_status()?.bytes().await?;
        let answer = Fields::parse(&answer);
        let member = |name| {
            let found = answer.as_ref().ok()?.optional::<Text<1, 4>>(name);
            found.ok().flatten().map(|text| text.to_string())
        };
        let kind = member("messageType").unwrap_or_default();
        let said = member("resultsStatus").or(member("errorCode"));
        tracing::info!(kind, said = said.unwrap_or_default(), "RReq was answered");
        Ok(())
    }

    /// The id of a transaction here: the same for a repeated AReq.
    fn id_of(&self, server_transaction_id: &TransactionId) -> TransactionId {
        let digest = Sha256::digest(format!("{} {}", self.salt, &**server_transaction_id));
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&digest[..16]);
        TransactionId::of_bytes(bytes)
    }
}

/// The origin of the page where devices are enrolled. Their credentials belong to a domain, which an address is not. Browsers that can ask
/// devices find names below `localhost` on this machine by themselves.
fn enrolment_origin(pages: SocketAddr) -> String {
    match pages.ip().is_loopback() {
        true => format!("http://issuer.localhost:{}", pages.port()),
        false => format!("http://{pages}"),
    }
}

/// Erro about a message, from this side.
pub(super) fn erro(fault: &Fault, about: &str, version: Version, from: Component) -> Vec<u8> {
    let problem = Problem::of(fault, about, version).map(|mut problem| {
        problem.component = from;
        problem.write().to_body()
    });
    problem.unwrap_or_default()
}

fn back(challenge: &Challenge, id: &TransactionId, status: TransactionStatus) -> Answered {
    let asked = ChallengeCall::new(
        challenge.version,
        challenge.server_transaction_id.clone(),
        id.clone(),
        WindowSize::Full,
    );
    Answered::Back {
        address: challenge.notification_url.clone(),
        cres: asked.answer(status).to_form_value(),
    }
}

pub(super) const JSON: &str = "application/json; charset=utf-8";

const ACS_REFERENCE: &str = "PAYFRAME_SANDBOX_ACS";
/// How long the directory server and the gateway may take for RReq.
const RESULT_LIMIT: Duration = Duration::from_secs(10);

/// Longer than the directory server waits.
const TOO_LATE: Duration = Duration::from_secs(6);
