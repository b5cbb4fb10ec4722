//! The way to one directory server: a message and its answer over mutual TLS, within limits of time and size.
//!
//! Nothing is repeated here, no redirect is followed, and no proxy of the environment is used.

use crate::error::ExchangeError;
use crate::fault::{Fault, FaultCode};
use crate::message::{AuthenticationAnswer, Fields, Message, Problem, Version};
use crate::settings::DirectorySettings;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Certificate, Client, Identity, redirect};

/// The way to one directory server.
pub(crate) struct Transport {
    client: Client,
    url: String,
}

impl Transport {
    /// `None`: certificates or key cannot be used.
    pub(crate) fn new(settings: &DirectorySettings) -> Option<Transport> {
        let mut builder = Client::builder()
            .user_agent("payframe-gateway")
            .redirect(redirect::Policy::none())
            .no_proxy()
            .https_only(true)
            .identity(Identity::from_pem(&settings.identity).ok()?)
            .connect_timeout(settings.connect_limit)
            .timeout(settings.answer_limit);
        if let Some(authorities) = &settings.authorities {
            builder = builder.tls_built_in_root_certs(false);
            let authorities = Certificate::from_pem_bundle(authorities).ok()?;
            if authorities.is_empty() {
                return None;
            }
            for authority in authorities {
                builder = builder.add_root_certificate(authority);
            }
        }
        Some(Transport {
            client: builder.build().ok()?,
            url: settings.url.to_string(),
        })
    }

    /// Sends a message, and reads its answer. `accept` checks the answer further. The directory server is told what is wrong with it.
    pub(crate) async fn ask<A: Message>(
        &self,
        message: &impl Message,
        version: Version,
        accept: impl Fn(&A) -> Result<(), Fault>,
    ) -> Result<A, ExchangeError> {
        let body = self.post(message).await?;
        let read = Fields::parse(&body).and_then(|fields| match fields.message_type() {
            Ok(Problem::TYPE) => Problem::read(&fields).map(Err),
            _ => A::read(&fields).map(Ok),
        });
        let fault = match read {
            Ok(Err(problem)) => {
                return Err(ExchangeError::Reported {
                    code: problem.code.to_string(),
                    component: problem.component.code(),
                });
            }
            Ok(Ok(answer)) => match accept(&answer) {
                Ok(()) => return Ok(answer),
                Err(fault) => fault,
            },
            Err(fault) => fault,
        };
        if let Some(problem) = Problem::of(&fault, A::TYPE, version) {
            // Whether this arrives changes nothing.
            let _ = self.post(&problem).await;
        }
        Err(ExchangeError::Message(fault))
    }

    async fn post(&self, message: &impl Message) -> Result<Vec<u8>, ExchangeError> {
        let request = self
            .client
            .post(&self.url)
            .header(CONTENT_TYPE, "application/json; charset=utf-8")
            .body(message.write().to_body());
        let mut response = request.send().await.map_err(ExchangeError::of)?;
        if response.status().as_u16() != 200 {
            return Err(ExchangeError::Status(response.status().as_u16()));
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(ExchangeError::of)? {
            body.extend_from_slice(&chunk);
            if body.len() > LONGEST_ANSWER_BYTES {
                return Err(ExchangeError::TooLong);
            }
        }
        Ok(body)
    }
}

/// An answer that names another transaction than the question.
pub(crate) fn other(name: &'static str) -> Fault {
    Fault::new(FaultCode::WrongTransaction, name)
}

/// Whether an answer belongs to a question.
pub(crate) fn is_answer_to(
    answer: &AuthenticationAnswer,
    transaction_id: &str,
    version: Version,
) -> Result<(), Fault> {
    if *answer.server_transaction_id != *transaction_id {
        return Err(other("threeDSServerTransID"));
    }
    if answer.version != version {
        return Err(Fault::new(FaultCode::Version, "messageVersion"));
    }
    Ok(())
}

/// All card ranges of a network are a few megabytes.
const LONGEST_ANSWER_BYTES: usize = 64 << 20;
