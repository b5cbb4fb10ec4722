//! Requests to the gateway, for this one session.
//!
//! Every request carries the session and a new correlation id, has a time limit, and ends in a JSON value or in a
//! [`Failure`] that the flow understands. Nothing is retried here: the flow does that. The requests are
//! made with `gloo-net`. A script of the frame encrypts the card with the browser's WebCrypto.

use crate::frame_scripts::encrypt_card;
use crate::session::Session;
use crate::wire::{self, Json};
use gloo_net::http::{Method, RequestBuilder};
use js_sys::{JSON, Promise};
use leptos::prelude::window;
use payframe_checkout_flow::flow::Failure;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

/// Makes requests for one session. Another session may take over, so `App::client` makes a client for each request.
pub struct GatewayClient {
    session: Session,
}

/// One request: what to ask, and with which idempotency key and body.
pub struct Request {
    path: String,
    /// The idempotency key of a POST.
    key: Option<String>,
    /// The body, or the promise of one.
    body: JsValue,
    refusal: RefusalHandling,
}

/// What a refused call means to its caller.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RefusalHandling {
    /// The call has failed.
    Failure,
    /// The errors object is an answer like any other.
    Answer,
}

impl GatewayClient {
    /// `session`: its id is the frame's credential.
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

    /// `POST /fe/build/text`: the one request that holds card data. `items`: an array of ids and values.
    pub fn send_card(&self, items: &JsValue, key: String) -> Request {
        let encrypted = encrypt_card(items.unchecked_ref());
        Request::post("fe/build/text", key, encrypted.into())
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

    /// `POST /build/finalize_payment`, or, with an amount, `POST /build/confirm_payment`. `shown`: the sum that the buyer was shown.
    pub fn close(&self, key: String, shown: &str, amount_minor: Option<&str>) -> Request {
        let id = self.id();
        let mut body = vec![("sessionId", id.as_str()), ("shownSum", shown)];
        let path = match amount_minor {
            Some(amount) => {
                body.push(("amount", amount));
                "build/confirm_payment"
            }
            None => "build/finalize_payment",
        };
        Request::post(path, key, wire::object(&body))
    }

    /// `POST /fe/build/sum`. `shown`: the sum that the buyer was shown at the press.
    pub fn agree_to_sum(&self, shown: &str) -> Request {
        let body = wire::object(&[("shownSum", shown)]);
        Request::post("fe/build/sum", random_key(), body)
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

    /// `POST /fe/build/remove_saved_card/{id}`. The answer lists the cards that are left, or is an errors object.
    pub fn remove_saved_card(&self, card: &str) -> Request {
        let path = ["fe/build/remove_saved_card/", card].concat();
        Request {
            refusal: RefusalHandling::Answer,
            ..Request::post(&path, random_key(), wire::object(&[]))
        }
    }

    fn named(&self) -> JsValue {
        wire::object(&[("sessionId", &self.id())])
    }

    fn read(&self, path: &str) -> Request {
        // Session ids are base64url: nothing to escape.
        let path = [path, "?sessionId=", &self.id()].concat();
        Request::get(path)
    }

    /// Sends the request and reads the answer.
    ///
    /// # Errors
    /// No connection, a fault, a call out of place, a dead session.
    pub async fn exchange(&self, request: Request) -> Result<Json, Failure> {
        // A card is being encrypted, and is not sent without encryption. Other bodies are there at once.
        let body = JsFuture::from(Promise::resolve(&request.body));
        let body = body.await.map_err(|_| Failure::Connection)?;
        let path = ["/api/", &request.path].concat();
        let builder = limited(&path)
            .header("session", &self.id())
            .header("Correlation-Id", &random_key());
        let sent = match &request.key {
            None => builder.send().await,
            Some(key) => {
                let post = builder
                    .method(Method::POST)
                    .header("Content-Type", "application/json")
                    .header("Idempotency-Key", key)
                    .body(wire::text(&body));
                post.map_err(|_| Failure::Connection)?.send().await
            }
        };
        let response = sent.map_err(|_| Failure::Connection)?;
        let status = response.status();
        match status {
            200 | 400 => {}
            // A session that the gateway does not know is treated as a dead one.
            401 => return Err(Failure::Expired),
            // Too many calls, or a gateway that cannot work now: it says when to ask again.
            429 | 503 => {
                let seconds = response.headers().get("retry-after");
                let seconds = seconds.and_then(|seconds| seconds.parse::<u32>().ok());
                return Err(Failure::Busy(seconds.unwrap_or(1).saturating_mul(1_000)));
            }
            _ => return Err(Failure::Service),
        }
        if let Some(puzzle) = response.headers().get("proof-of-work") {
            return Ok(wire::proof_due(&puzzle));
        }
        let body = response.text().await.map_err(|_| Failure::Connection)?;
        // A body that is not JSON does not come from the gateway, but from a captive portal or a proxy.
        let body = JSON::parse(&body).map_err(|_| Failure::Connection)?;
        let body = Json(body);
        if status == 200 || request.refusal == RefusalHandling::Answer {
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
            refusal: RefusalHandling::Failure,
        }
    }

    fn post(path: &str, key: String, body: JsValue) -> Self {
        Self {
            path: path.into(),
            key: Some(key),
            body,
            refusal: RefusalHandling::Failure,
        }
    }
}

/// A page of the gateway as text; `None` if it does not arrive.
pub async fn page(address: &str) -> Option<String> {
    let answer = limited(address).send().await.ok()?;
    if answer.ok() {
        answer.text().await.ok()
    } else {
        None
    }
}

fn limited(address: &str) -> RequestBuilder {
    RequestBuilder::new(address).abort_signal(Some(&AbortSignal::timeout_with_u32(LIMIT_MS)))
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
