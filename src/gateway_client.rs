//! Requests to the gateway, for this one session.
//!
//! Every request carries the session and a fresh correlation id, has a limit, and ends in a JSON value or in a
//! [`Failure`] that the flow understands. Nothing is retried here: that is the flow's business. There is one way out
//! of the widget and one point where it waits, so that the compiled code is small and easy to watch.

use crate::session::Session;
use crate::wire::{self, Json};
use js_sys::Promise;
use leptos::prelude::window;
use payframe_checkout_flow::flow::Failure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, RequestInit, Response};

/// Speaks for one session.
pub struct GatewayClient {
    session: Session,
}

/// One request: what to ask, and with which idempotency key and body.
pub struct Request {
    path: String,
    /// Of a POST.
    key: Option<String>,
    /// Or the promise of one.
    body: JsValue,
}

impl GatewayClient {
    /// `session`: whose id is the frame's credential.
    pub fn new(session: Session) -> Self {
        Self { session }
    }

    fn id(&self) -> String {
        self.session.text("session")
    }

    /// `GET /build/state`.
    pub fn state(&self) -> Request {
        self.read("build/state")
    }

    /// `GET /build/cardData`.
    pub fn card_data(&self) -> Request {
        self.read("build/cardData")
    }

    /// `POST /fe/build/action/{id}`. `button`: `PAY_WITH_CARD`, or the code of a method.
    pub fn choose(&self, button: &str) -> Request {
        Request::post(
            &["fe/build/action/", button].concat(),
            random_key(),
            wire::object(&[]),
        )
    }

    /// `POST /fe/build/text`: the one request that holds card data. `card`: the promise of its items.
    pub fn send_card(&self, card: JsValue, key: String) -> Request {
        Request::post("fe/build/text", key, card)
    }

    /// `POST /fe/build/bin`. `range`: an object with the first digits.
    pub fn networks(&self, range: JsValue) -> Request {
        Request::post("fe/build/bin", random_key(), range)
    }

    /// `GET /fe/build/check_gdi_result`.
    pub fn check_device(&self, question: u8) -> Request {
        let mut path = String::from("fe/build/check_gdi_result?attemptNumber=");
        wire::push_number(&mut path, question);
        Request::get(path)
    }

    /// `POST /fe/build/skip_gdi`.
    pub fn skip_device(&self) -> Request {
        Request::post("fe/build/skip_gdi", random_key(), wire::object(&[]))
    }

    /// `POST /fe/build/leave_challenge`.
    pub fn leave_challenge(&self) -> Request {
        Request::post("fe/build/leave_challenge", random_key(), wire::object(&[]))
    }

    /// `POST /build/finalize_payment`.
    pub fn finalize(&self, key: String) -> Request {
        Request::post("build/finalize_payment", key, self.named())
    }

    /// `POST /build/confirm_payment` with the amount that the buyer was shown.
    pub fn confirm(&self, key: String, amount_minor: &str) -> Request {
        let body = wire::object(&[("sessionId", &self.id()), ("amount", amount_minor)]);
        Request::post("build/confirm_payment", key, body)
    }

    /// `GET /fe/build/gdi_and_finalize`.
    pub fn verify_device(&self, question: u8) -> Request {
        let mut path = String::from("fe/build/gdi_and_finalize?attemptNumber=");
        wire::push_number(&mut path, question);
        Request::get(path)
    }

    /// `POST /build/cancel`.
    pub fn cancel(&self) -> Request {
        Request::post("build/cancel", random_key(), self.named())
    }

    fn named(&self) -> JsValue {
        wire::object(&[("sessionId", &self.id())])
    }

    fn read(&self, path: &str) -> Request {
        // Session ids are base64url: nothing to escape.
        let path = [path, "?sessionId=", &self.id()].concat();
        Request::get(path)
    }

    /// Asks and reads the answer.
    ///
    /// # Errors
    /// No connection, a fault, a call out of place, a dead session.
    pub async fn exchange(&self, request: Request) -> Result<Json, Failure> {
        // A card is on its way through encryption, and is not sent without it. All else is there at once.
        let body = JsFuture::from(Promise::resolve(&request.body));
        let body = body.await.map_err(|_| Failure::Connection)?;
        let (session, correlation_id) = (self.id(), random_key());
        let mut headers = vec![
            ("session", session.as_str()),
            ("Correlation-Id", &correlation_id),
        ];
        let init = RequestInit::new();
        init.set_signal(Some(&AbortSignal::timeout_with_u32(LIMIT_MS)));
        if let Some(key) = &request.key {
            headers.push(("Content-Type", "application/json"));
            headers.push(("Idempotency-Key", key));
            init.set_method("POST");
            init.set_body(&wire::text(&body));
        }
        init.set_headers(&wire::object(&headers));
        let path = ["/api/", &request.path].concat();
        let response = JsFuture::from(window().fetch_with_str_and_init(&path, &init));
        let response: Response = response
            .await
            .map_err(|_| Failure::Connection)?
            .unchecked_into();
        let status = response.status();
        match status {
            200 | 400 => {}
            // A session that the gateway does not know is as good as a dead one.
            401 => return Err(Failure::Expired),
            429 => {
                let seconds = response.headers().get("retry-after").ok().flatten();
                let seconds = seconds.and_then(|seconds| seconds.parse::<u32>().ok());
                return Err(Failure::Busy(seconds.unwrap_or(1).saturating_mul(1_000)));
            }
            _ => return Err(Failure::Service),
        }
        // A body that is not JSON was not written by the gateway: a portal, a proxy.
        let body = response.json().map_err(|_| Failure::Connection)?;
        let body = Json(
            JsFuture::from(body)
                .await
                .map_err(|_| Failure::Connection)?,
        );
        if status == 200 {
            Ok(body)
        } else {
            Err(wire::failure(&body))
        }
    }
}

impl Request {
    fn get(path: String) -> Self {
        Self {
            path,
            key: None,
            body: JsValue::UNDEFINED,
        }
    }

    fn post(path: &str, key: String, body: JsValue) -> Self {
        Self {
            path: path.into(),
            key: Some(key),
            body,
        }
    }
}

/// A new random key, e.g. for one attempt.
pub fn random_key() -> String {
    window()
        .crypto()
        .map(|crypto| crypto.random_uuid())
        .unwrap_or_default()
}

/// The gateway answers within 30 s: contract 1.10.
const LIMIT_MS: u32 = 35_000;
