//! The directory server of all networks of the sandbox: it publishes card ranges, passes AReq on to the issuer, and RReq on to the 3-D
//! Secure server.

use super::access_control::{JSON, erro};
use super::identities::{Identities, Side};
use super::mutual_tls::{TlsSocket, client};
use super::newest::Newest;
use super::{ThreeDsProblem, settings};
use crate::cards::DeviceCheckScript;
use crate::cards::enrolled_ranges::enrolled_ranges;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use payframe_card_rules::network::Network;
use payframe_emv_3ds::element::{Digits, Text, TransactionId, WebAddress};
use payframe_emv_3ds::fault::{Fault, FaultCode};
use payframe_emv_3ds::message::{
    AuthenticationAnswer, AuthenticationCall, Component, Fields, Message, Problem, PublishedRange,
    RangeAction, RangesAnswer, RangesCall, ResultsCall, Version,
};
use reqwest::Client;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Where a directory server is.
#[derive(Clone, Debug)]
pub struct DirectorySettings {
    /// Where gateways and the issuer reach it.
    pub listen: SocketAddr,
    /// The folder of certificates. The file for gateways is written there, too.
    pub folder: PathBuf,
    /// Where it reaches the issuer.
    pub access_control: String,
    /// The origin of the issuer's pages.
    pub access_control_pages: String,
}

/// A directory server that listens.
pub struct DirectoryServer {
    socket: TlsSocket,
    desk: Arc<Desk>,
    file: PathBuf,
}

struct Desk {
    client: Client,
    /// Where the issuer sends RReq.
    results_url: String,
    access_control: String,
    ranges: Vec<PublishedRange>,
    /// The state of the ranges. They are others if the issuer's pages are elsewhere.
    serial: Text<1, 20>,
    /// Where the results of challenges go.
    server_urls: Newest<WebAddress<2048>>,
}

impl DirectoryServer {
    /// Opens its socket, and writes the file for gateways.
    ///
    /// # Errors
    /// A certificate cannot be made or used, the file cannot be written, or the socket cannot be opened.
    pub fn open(settings: &DirectorySettings) -> Result<DirectoryServer, ThreeDsProblem> {
        let identities = Identities::open(&settings.folder)?;
        let socket = TlsSocket::open(settings.listen, &identities, Side::DirectoryServer)?;
        let address = socket.address()?;
        let file = settings.folder.join(settings::FILE);
        let written = std::fs::write(&file, settings::file(&address));
        written.map_err(|source| ThreeDsProblem::File {
            file: file.clone(),
            source,
        })?;
        let desk = Desk {
            client: client(&identities, Side::DirectoryServer, ANSWER_LIMIT)?,
            results_url: format!("{address}results"),
            access_control: settings.access_control.clone(),
            ranges: published_ranges(&settings.access_control_pages)?,
            serial: serial(&settings.access_control_pages)?,
            server_urls: Newest::default(),
        };
        Ok(DirectoryServer {
            socket,
            desk: Arc::new(desk),
            file,
        })
    }

    /// Where gateways reach it.
    ///
    /// # Errors
    /// The system does not say where it listens.
    pub fn address(&self) -> Result<String, ThreeDsProblem> {
        self.socket.address()
    }

    /// The file for gateways: the value of `PAYFRAME_3DS`.
    pub fn settings_file(&self) -> &std::path::Path {
        &self.file
    }

    /// Answers until `stop` is done.
    ///
    /// # Errors
    /// The socket fails.
    pub async fn serve(self, stop: impl Future<Output = ()>) -> std::io::Result<()> {
        let router = Router::new()
            .route("/", post(receive))
            .route("/results", post(receive_results))
            .with_state(self.desk);
        self.socket.serve(router, stop).await
    }
}

/// A message of a 3-D Secure server.
async fn receive(State(desk): State<Arc<Desk>>, body: Bytes) -> Response {
    let fields = Fields::parse(&body);
    let version = version_of(&fields);
    let kind = match &fields {
        Ok(fields) => fields.message_type().unwrap_or_default().to_owned(),
        Err(_) => String::new(),
    };
    let answer = match fields {
        Err(fault) => Err(fault),
        Ok(fields) => match kind.as_str() {
            RangesCall::TYPE => desk.publish(&fields),
            AuthenticationCall::TYPE => desk.authenticate(&fields).await,
            Problem::TYPE => Problem::read(&fields).map(|problem| {
                let (code, element) = (&*problem.code, &*problem.detail);
                tracing::warn!(code, element, "a 3-D Secure server reports an error");
                Vec::new()
            }),
            _ => Err(Fault::new(FaultCode::NotAMessage, "messageType")),
        },
    };
    answered(answer, &kind, version)
}

/// A message of the issuer.
async fn receive_results(State(desk): State<Arc<Desk>>, body: Bytes) -> Response {
    let fields = Fields::parse(&body);
    let version = version_of(&fields);
    let answer = match fields.and_then(|fields| desk.server_of(&fields)) {
        Ok(server_url) => desk.post(&server_url, body.to_vec()).await,
        Err(fault) => Err(fault),
    };
    answered(answer, ResultsCall::TYPE, version)
}

fn version_of(fields: &Result<Fields, Fault>) -> Version {
    let version = fields.as_ref().ok().and_then(|one| one.version().ok());
    version.unwrap_or(Version::V2_2_0)
}

fn answered(answer: Result<Vec<u8>, Fault>, about: &str, version: Version) -> Response {
    let answer = answer.unwrap_or_else(|fault| {
        tracing::warn!(%fault, about, "a message is not accepted");
        erro(&fault, about, version, Component::Directory)
    });
    ([(CONTENT_TYPE, JSON)], answer).into_response()
}

impl Desk {
    /// PRes: all ranges, or that nothing has changed.
    fn publish(&self, fields: &Fields) -> Result<Vec<u8>, Fault> {
        let asked = RangesCall::read(fields)?;
        let is_known = asked.serial_number.as_ref() == Some(&self.serial);
        let ranges = (!is_known).then(|| self.ranges.clone());
        let id = ds_id(&asked.server_transaction_id);
        let answer = RangesAnswer::to(&asked, id, self.serial.clone(), ranges);
        Ok(answer.write().to_body())
    }

    /// The issuer's answer to AReq.
    async fn authenticate(&self, fields: &Fields) -> Result<Vec<u8>, Fault> {
        let asked = AuthenticationCall::read(fields)?;
        let id = ds_id(&asked.server_transaction_id);
        self.server_urls.keep(id.clone(), asked.server_url.clone());
        let Value::Object(mut passed_on) = fields.clone().into_json() else {
            return Err(own("message"));
        };
        passed_on.insert(String::from("dsTransID"), json!(&*id));
        passed_on.insert(String::from("dsReferenceNumber"), json!(DS_REFERENCE));
        passed_on.insert(String::from("dsURL"), json!(self.results_url));
        let body = Fields::of(passed_on).to_body();
        let answer = self.post(&self.access_control, body).await?;
        let read = Fields::parse(&answer)?;
        match read.message_type()? {
            Problem::TYPE => Problem::read(&read).map(|problem| problem.write().to_body()),
            _ => {
                let answer = AuthenticationAnswer::read(&read)?;
                match answer.server_transaction_id == asked.server_transaction_id
                    && answer.ds_transaction_id == id
                {
                    true => Ok(answer.write().to_body()),
                    false => Err(Fault::new(FaultCode::WrongTransaction, "dsTransID")),
                }
            }
        }
    }

    /// Where RReq goes.
    fn server_of(&self, fields: &Fields) -> Result<String, Fault> {
        let results = ResultsCall::read(fields)?;
        let known = self.server_urls.find(&results.ds_transaction_id);
        let known = known.map(|url| url.to_string());
        known.ok_or_else(|| Fault::new(FaultCode::UnknownTransaction, "dsTransID"))
    }

    /// Passes a message on, and returns its answer.
    async fn post(&self, url: &str, body: Vec<u8>) -> Result<Vec<u8>, Fault> {
        let request = self.client.post(url).header(CONTENT_TYPE, JSON).body(body);
        let answer = async { request.send().await?.error_for_status()?.bytes().await };
        let answer = answer.await.map_err(|problem| {
            let code = match problem.is_timeout() {
                true => FaultCode::TimedOut,
                false => FaultCode::Transient,
            };
            Fault::new(code, "message")
        });
        Ok(answer?.to_vec())
    }
}

/// The ranges of issuers that take part. Cards of VISA, and those whose issuer asks the buyer's device, are authenticated in version 2.3.1,
/// and all others in version 2.2.0, so that both can be tried.
fn published_ranges(pages: &str) -> Result<Vec<PublishedRange>, ThreeDsProblem> {
    let ranges = enrolled_ranges().into_iter().map(|range| {
        let behaviour = match range.method {
            DeviceCheckScript::Silent => "silent",
            DeviceCheckScript::Slow => "slow",
            DeviceCheckScript::Quick | DeviceCheckScript::NotDue => "quick",
        };
        let method = WebAddress::new(&format!("{pages}/method/{behaviour}"));
        let method = method.ok_or(ThreeDsProblem::Element("threeDSMethodURL"))?;
        let bounds = Digits::new(&range.first).zip(Digits::new(&range.last));
        let bounds = bounds.ok_or(ThreeDsProblem::Element("cardRangeData"))?;
        let versions: &[Version] = match (range.network, range.asks_device) {
            (Some(Network::Visa), _) | (_, true) => &[Version::V2_2_0, Version::V2_3_1],
            _ => &[Version::V2_2_0],
        };
        Ok(PublishedRange {
            bounds: vec![bounds],
            action: RangeAction::Add,
            versions: versions
                .iter()
                .map(|version| (*version, Some(method.clone())))
                .collect(),
        })
    });
    ranges.collect()
}

fn serial(pages: &str) -> Result<Text<1, 20>, ThreeDsProblem> {
    let digest = payframe_vault::hex(&Sha256::digest(pages)[..8]);
    Text::new(&digest).ok_or(ThreeDsProblem::Element("serialNum"))
}

/// The id of a transaction here: the same for a repeated message.
fn ds_id(server_transaction_id: &TransactionId) -> TransactionId {
    let digest = Sha256::digest(format!("directory server {}", &**server_transaction_id));
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    TransactionId::of_bytes(bytes)
}

/// A fault in a message of ours.
fn own(name: &str) -> Fault {
    Fault::new(FaultCode::Format, name)
}

const DS_REFERENCE: &str = "PAYFRAME_SANDBOX_DS";

/// How long issuer and 3-D Secure server may take to answer.
const ANSWER_LIMIT: Duration = Duration::from_secs(4);
