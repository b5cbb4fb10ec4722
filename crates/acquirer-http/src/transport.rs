//! One exchange with an adapter: a signed request, and its signed answer, within limits of time and size.
//!
//! Nothing is repeated here, no redirect is followed, and no proxy of the environment is used: a request goes to the configured address or
//! nowhere. Errors contain neither bodies nor card data.

use crate::error::{ExchangeError, LONGEST_ANSWER_BYTES};
use crate::secrets::Secrets;
use crate::settings::AcquirerSettings;
use crate::signature::{
    ID_HEADER, PROTOCOL_HEADER, SIGNATURE_HEADER, SignedHeaders, TIMESTAMP_HEADER, check_answer,
};
use payframe_payment_ports::Clock;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Certificate, Client, redirect};
use serde::Serialize;
use serde::de::DeserializeOwned;
use url::Url;

/// What a request is for: the last part of its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    Describe,
    Authorize,
    FollowUp,
    Inquire,
}

impl Endpoint {
    fn path(self) -> &'static str {
        match self {
            Endpoint::Describe => "describe",
            Endpoint::Authorize => "authorize",
            Endpoint::FollowUp => "follow-up",
            Endpoint::Inquire => "inquire",
        }
    }
}

/// An answer before anything in it was checked.
pub(crate) struct RawAnswer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// The way to one adapter.
#[derive(Clone, Debug)]
pub(crate) struct Transport {
    client: Client,
    base: Url,
    secrets: Secrets,
    clock: Clock,
}

impl Transport {
    /// The way to this adapter.
    pub(crate) fn new(
        settings: &AcquirerSettings,
        clock: Clock,
    ) -> Result<Transport, ExchangeError> {
        let mut builder = Client::builder()
            .user_agent("payframe-gateway")
            .redirect(redirect::Policy::none())
            .no_proxy()
            .https_only(settings.url.scheme() == "https")
            .connect_timeout(settings.connect_limit)
            .timeout(settings.answer_limit)
            .tcp_keepalive(settings.answer_limit);
        if let Some(certificates) = &settings.certificates {
            builder = builder.tls_built_in_root_certs(false);
            let certificates = Certificate::from_pem_bundle(certificates).map_err(unusable)?;
            if certificates.is_empty() {
                return Err(ExchangeError::Request("there is no certificate".into()));
            }
            for certificate in certificates {
                builder = builder.add_root_certificate(certificate);
            }
        }
        Ok(Transport {
            client: builder.build().map_err(unusable)?,
            base: settings.url.clone(),
            secrets: settings.secrets.clone(),
            clock,
        })
    }

    /// Sends a message, and reads its answer.
    pub(crate) async fn ask<A: DeserializeOwned>(
        &self,
        endpoint: Endpoint,
        message: &impl Serialize,
    ) -> Result<A, ExchangeError> {
        let body = to_json(message)?;
        let signed = self.sign(endpoint, &body)?;
        let id = signed.id.clone();
        let answer = self.send(endpoint, signed, body).await?;
        let body = self.checked(&id, answer)?;
        serde_json::from_slice(&body).map_err(|problem| ExchangeError::NotJson {
            line: problem.line(),
            column: problem.column(),
        })
    }

    /// The signature of a request that is made now.
    pub(crate) fn sign(
        &self,
        endpoint: Endpoint,
        body: &[u8],
    ) -> Result<SignedHeaders, ExchangeError> {
        self.sign_as_of(self.now_seconds(), endpoint, body)
    }

    /// The signature of a request that was made at another time.
    pub(crate) fn sign_as_of(
        &self,
        seconds: i64,
        endpoint: Endpoint,
        body: &[u8],
    ) -> Result<SignedHeaders, ExchangeError> {
        let id = payframe_vault::random_token()?;
        let address = self.address(endpoint);
        let path = address.path();
        Ok(SignedHeaders::of_request(
            &self.secrets,
            id,
            seconds,
            path,
            body,
        ))
    }

    /// The gateway's time.
    pub(crate) fn now_seconds(&self) -> i64 {
        self.clock.now_ms() / 1000
    }

    /// Sends a request, and returns whatever comes back.
    pub(crate) async fn send(
        &self,
        endpoint: Endpoint,
        signed: SignedHeaders,
        body: Vec<u8>,
    ) -> Result<RawAnswer, ExchangeError> {
        let request = self
            .client
            .post(self.address(endpoint))
            .header(CONTENT_TYPE, "application/json")
            .header(PROTOCOL_HEADER, signed.protocol)
            .header(ID_HEADER, signed.id)
            .header(TIMESTAMP_HEADER, signed.timestamp)
            .header(SIGNATURE_HEADER, signed.signature)
            .body(body);
        let mut response = request.send().await.map_err(ExchangeError::of)?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(ExchangeError::of)? {
            body.extend_from_slice(&chunk);
            if body.len() > LONGEST_ANSWER_BYTES {
                return Err(ExchangeError::TooLong);
            }
        }
        Ok(RawAnswer {
            status,
            headers,
            body,
        })
    }

    /// The body of an answer that counts.
    pub(crate) fn checked(&self, id: &str, answer: RawAnswer) -> Result<Vec<u8>, ExchangeError> {
        if answer.status != 200 {
            return Err(ExchangeError::Status(answer.status));
        }
        check_answer(
            &self.secrets,
            &self.clock,
            id,
            &answer.headers,
            &answer.body,
        )?;
        Ok(answer.body)
    }

    fn address(&self, endpoint: Endpoint) -> Url {
        let mut address = self.base.clone();
        let path = format!(
            "{}/{}",
            self.base.path().trim_end_matches('/'),
            endpoint.path()
        );
        address.set_path(&path);
        address
    }
}

/// A message as JSON.
pub(crate) fn to_json(message: &impl Serialize) -> Result<Vec<u8>, ExchangeError> {
    serde_json::to_vec(message).map_err(|problem| ExchangeError::Request(Box::new(problem)))
}

fn unusable(problem: reqwest::Error) -> ExchangeError {
    ExchangeError::Request(Box::new(problem))
}
