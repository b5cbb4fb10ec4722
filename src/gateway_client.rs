//! Requests to the gateway, for this one session.
//!
//! Every request carries the session and a fresh correlation id, has a limit, and ends in an answer or in a
//! [`Failure`] that the flow understands. Nothing is retried here: that is the flow's business.

use crate::wire;
use gloo_net::http::{Method, RequestBuilder, Response};
use leptos::prelude::window;
use payframe_checkout::flow::Failure;
use payframe_protocol::api::{ApiProblems, CardData, GdiResult, StateObject, TextAnswer, TextItem};
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

/// Speaks for one session.
pub struct GatewayClient {
    session: String,
}

#[derive(Serialize)]
struct SessionBody<'a> {
    #[serde(rename = "sessionId")]
    session_id: &'a str,
}

impl GatewayClient {
    /// `session`: the frame's credential.
    pub fn new(session: String) -> Self {
        Self { session }
    }

    /// `GET /build/state`.
    ///
    /// # Errors
    /// As the module's text says; so for all calls.
    pub async fn state(&self) -> Result<StateObject, Failure> {
        self.get(&self.with_session("build/state")).await
    }

    /// `GET /build/cardData`.
    ///
    /// # Errors
    /// [`Failure`]
    pub async fn card_data(&self) -> Result<CardData, Failure> {
        self.get(&self.with_session("build/cardData")).await
    }

    /// `POST /fe/build/action/PAY_WITH_CARD`.
    ///
    /// # Errors
    /// [`Failure`]
    pub async fn choose_card(&self) -> Result<StateObject, Failure> {
        let action: ActionAnswer = self.post("fe/build/action/PAY_WITH_CARD", &random_key(), &()).await?;
        Ok(StateObject {
            state: action.state,
            url: action.url,
            operation: None,
            field_set: None,
        })
    }

    /// `POST /fe/build/text`: the one request that holds card data.
    ///
    /// # Errors
    /// [`Failure`]
    pub async fn send_card(&self, items: &[TextItem], key: &str) -> Result<TextAnswer, Failure> {
        self.post("fe/build/text", key, items).await
    }

    /// `GET /fe/build/check_gdi_result`.
    ///
    /// # Errors
    /// [`Failure`]
    pub async fn check_device(&self, attempt: u8) -> Result<GdiResult, Failure> {
        let mut path = String::from("fe/build/check_gdi_result?attemptNumber=");
        path.push_str(&attempt.to_string());
        self.get(&path).await
    }

    /// `POST /build/finalize_payment`.
    ///
    /// # Errors
    /// [`Failure`]
    pub async fn finalize(&self, key: &str) -> Result<StateObject, Failure> {
        self.post("build/finalize_payment", key, &self.body()).await
    }

    /// `POST /build/cancel`.
    ///
    /// # Errors
    /// [`Failure`]
    pub async fn cancel(&self) -> Result<StateObject, Failure> {
        self.post("build/cancel", &random_key(), &self.body()).await
    }

    fn body(&self) -> SessionBody<'_> {
        SessionBody {
            session_id: &self.session,
        }
    }

    fn with_session(&self, path: &str) -> String {
        // Session ids are base64url: nothing to escape.
        [path, "?sessionId=", &self.session].concat()
    }

    async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        let request = self.request(path).method(Method::GET).build();
        receive(request.map_err(|_| Failure::Service)?.send().await.map_err(|_| Failure::Connection)?).await
    }

    async fn post<T: DeserializeOwned, B: Serialize + ?Sized>(&self, path: &str, key: &str, body: &B) -> Result<T, Failure> {
        let body = serde_wasm_bindgen::to_value(body).map_err(|_| Failure::Service)?;
        let text = if body.is_undefined() {
            JsValue::from("{}")
        } else {
            js_sys::JSON::stringify(&body).map_err(|_| Failure::Service)?.into()
        };
        let request = self
            .request(path)
            .method(Method::POST)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .body(text);
        receive(request.map_err(|_| Failure::Service)?.send().await.map_err(|_| Failure::Connection)?).await
    }

    fn request(&self, path: &str) -> RequestBuilder {
        RequestBuilder::new(&["/api/", path].concat())
            .header("session", &self.session)
            .header("Correlation-Id", &random_key())
            .abort_signal(Some(&AbortSignal::timeout_with_u32(LIMIT_MS)))
    }
}

#[derive(serde::Deserialize)]
struct ActionAnswer {
    state: payframe_protocol::api::BuildState,
    #[serde(default)]
    url: Option<String>,
}

/// A new random key, e.g. for one attempt.
pub fn random_key() -> String {
    window().crypto().map(|crypto| crypto.random_uuid()).unwrap_or_default()
}

async fn receive<T: DeserializeOwned>(response: Response) -> Result<T, Failure> {
    match response.status() {
        200 => read(response).await,
        400 => {
            let problems: ApiProblems = read(response).await?;
            Err(wire::failure(problems.errors.first().map(|problem| problem.code.as_str())))
        }
        // A session that the gateway does not know is as good as a dead one.
        401 => Err(Failure::Expired),
        _ => Err(Failure::Service),
    }
}

/// A body that is not the JSON we expect was not written by the gateway: a portal, a proxy.
async fn read<T: DeserializeOwned>(response: Response) -> Result<T, Failure> {
    let promise = web_sys::Response::from(response).json().map_err(|_| Failure::Connection)?;
    let value = JsFuture::from(promise).await.map_err(|_| Failure::Connection)?;
    serde_wasm_bindgen::from_value(value).map_err(|_| Failure::Connection)
}

/// The gateway answers within 30 s: contract 1.10.
const LIMIT_MS: u32 = 35_000;
