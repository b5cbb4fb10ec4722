//! The steps of every API call, in the order of the contract's table of precedence (10.8): the first failed step
//! answers, and no later step runs.

use super::about::About;
use super::call::{Call, CallParts};
use super::caller::{Caller, address_of};
use super::encrypted_card::{Encrypted, TypedCard, is_in_clear};
use super::endpoint::{Encryption, Endpoint, Needed, Verb};
use super::error::ApiError;
use super::fault;
use super::route::Route;
use super::unknown_members::{self, UnknownMembers};
use super::{Reply, addresses, api_version, number_texts};
use crate::App;
use crate::admission::WithinPage;
use crate::listener::Connection;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use axum::http::{HeaderMap, Response, StatusCode, request};
use axum::middleware::Next;
use axum::response::IntoResponse;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use payframe_error_codes::ErrorCode::{GW9001, GW9004, GW9105, PS0025, PS0035};
use payframe_payment_ports::fault_injection::Fault;
use payframe_payment_service::idempotency::{PreviousUse, Slot};
use payframe_protocol::warning::Warning;
use payframe_storage::{StoreError, Subject, order_warnings};
use serde_json::Value;

/// A call that passed the checks, and what its answer has to contain besides the result.
struct Admitted {
    endpoint: &'static Endpoint,
    call: Call,
    /// The parts of the body without effect; empty for frames.
    unread: UnknownMembers,
    /// Whether the caller wants a refusal for such members.
    is_strict: bool,
}

/// The rest of a call: its request, and the handler.
struct Handler {
    request: Request,
    next: Next,
}

/// The correlation id of a call, for the log.
#[derive(Clone, Debug)]
pub(crate) struct CorrelationId(pub(crate) String);

/// The pattern of the call's route, for the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoutePattern(pub(crate) &'static str);

/// Middleware of every call below `/api`: adds the headers that every answer has, also to a refusal.
pub(crate) async fn mark(mut request: Request, next: Next) -> Response<Body> {
    let correlation_id = correlation_id(request.headers());
    let is_strict = unknown_members::is_strict(request.headers());
    let version = api_version::requested(request.headers()).unwrap_or_default();
    let value = HeaderValue::from_str(&correlation_id).ok();
    let correlation_id = CorrelationId(correlation_id);
    request.extensions_mut().insert(correlation_id.clone());
    let mut response = next.run(request).await;
    let was_read = response.status().is_success() || response.status() == StatusCode::BAD_REQUEST;
    let headers = response.headers_mut();
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if is_strict && was_read {
        let applied = HeaderValue::from_static("handling=strict");
        headers.insert("preference-applied", applied);
    }
    if let Some(value) = value {
        headers.insert(CORRELATION_ID, value);
    }
    api_version::tell(version, headers);
    let extensions = response.extensions_mut();
    extensions.insert(correlation_id);
    // The pattern if no endpoint was found.
    extensions.get_or_insert(RoutePattern("/api/{*path}"));
    response
}

/// Middleware of every endpoint: checks a call, and has the handler answer it.
pub(crate) async fn admit(
    State((app, route)): State<(App, Route)>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let answered = answer(app, route, request, next).await;
    let mut response = answered.map_or_else(ApiError::into_response, Reply::send);
    response
        .extensions_mut()
        .insert(RoutePattern(route.pattern));
    response
}

async fn answer(app: App, route: Route, request: Request, next: Next) -> Result<Reply, ApiError> {
    let (mut parts, body) = request.into_parts();
    let endpoint = route.endpoint;
    // 1: path. The router found it, and the verb.
    let path = parts.uri.path();
    let parameter = route.parameter(path).ok_or(ApiError::NotFound)?;
    // Before the call can be refused: the card is in the connection's buffers in any case.
    if endpoint.takes_card() {
        Connection::end_after_answers(&parts.extensions);
    }
    // A place at work, before anything is read or asked. A call of a page has that of the page.
    let permit = match parts.extensions.remove::<WithinPage>() {
        Some(WithinPage) => None,
        None => Some(app.admission().enter(endpoint.call_kind()).await?),
    };
    if endpoint.callers.is_browser(&parts.headers)
        && let Some(address) = address_of(&app, &parts)
    {
        let vault = app.payments().vault();
        app.rates().admit_address(vault, address).await?;
    }
    // 2: credential.
    let caller = Caller::identify(&app, endpoint.callers, &parts.headers).await?;
    // 3: rate.
    app.rates().admit(&caller).await?;
    // 4: faults that the caller asks for.
    let fault = fault::requested(app.faults(), &parts.headers)?;
    match read(&app, route, caller, &mut parts, parameter, body, fault).await {
        Ok(admitted) => {
            // The handler knows one verb; an alias can have another one.
            parts.method = endpoint.verb.method();
            parts.extensions.insert(admitted.call.clone());
            let request = Request::from_parts(parts, Body::empty());
            let handler = Handler { request, next };
            // Runs in its own task, so that a closed connection cannot interrupt a payment.
            let work = perform(app.clone(), admitted, handler, fault);
            let work = async move {
                let answered = work.await;
                // Until here, even if the caller is gone.
                drop(permit);
                answered
            };
            match tokio::spawn(work).await {
                Ok(answered) if fault == Some(Fault::Timeout) => {
                    drop(answered);
                    tokio::time::sleep(app.config().fault_timeout).await;
                    Err(ApiError::Close)
                }
                Ok(answered) => answered,
                Err(_) => Err(ApiError::Ours),
            }
        }
        Err(refusal) => {
            fault::delay(fault).await;
            Err(refusal)
        }
    }
}

/// Steps 5 and 6: the body, and the headers that belong to it.
async fn read(
    app: &App,
    route: Route,
    mut caller: Caller,
    parts: &mut request::Parts,
    parameter: String,
    body: Body,
    fault: Option<Fault>,
) -> Result<Admitted, ApiError> {
    let endpoint = route.endpoint;
    let headers = &parts.headers;
    // 5: size, media type, JSON.
    let mut body = read_body(endpoint, headers, body).await?;
    // Calls of frames are our own, and not checked.
    let schema = match caller {
        Caller::Merchant { .. } => unknown_members::schema(endpoint),
        Caller::Frame { .. } => None,
    };
    if let Some(schema) = schema {
        number_texts::write_numbers(&mut body, schema);
    }
    // 6: Payframe-Version, Idempotency-Key.
    api_version::requested(headers)?;
    let sent_key = idempotency_key(endpoint, headers)?;
    let made_key =
        (sent_key.is_none() && endpoint.makes_key()).then(|| uuid::Uuid::new_v4().to_string());
    let key = sent_key.or_else(|| made_key.clone());
    // Whether the value may be encrypted is decided with the other fields.
    let encrypted = match (endpoint.encryption, parts.extensions.get()) {
        (Encryption::Possible, Some(TypedCard(items))) => Encrypted::Typed(items.clone()),
        (Encryption::Possible, None) => Encrypted::take(app, &caller, &mut body).await?,
        (Encryption::None, _) => Encrypted::Nothing,
    };
    if endpoint.encryption == Encryption::Possible && is_in_clear(&body) {
        Connection::end_after_answers(&parts.extensions);
    }
    let slot = match key {
        Some(key) => {
            let content = serde_json::to_vec(&body).unwrap_or_default();
            // Only calls that act have a key. The same path below two versions means two operations. An answer is for one terminal.
            let mut call = vec![
                endpoint.id.as_bytes(),
                route.below_base(parts.uri.path()).as_bytes(),
                content.as_slice(),
                caller.terminal_id().unwrap_or_default().as_bytes(),
            ];
            for (id, value) in encrypted.items() {
                // The value is exposed to be hashed with a key, because the same card is encrypted differently each time.
                call.extend([id.as_bytes(), value.expose().as_bytes()]);
            }
            Some(Slot::new(
                caller.key_scope(),
                key,
                app.payments().vault().fingerprint(&call),
            ))
        }
        None => None,
    };
    let query = url::form_urlencoded::parse(parts.uri.query().unwrap_or("").as_bytes())
        .into_owned()
        .collect();
    let plugin_name = headers
        .get("x-plugin-name")
        .map(|name| String::from_utf8_lossy(name.as_bytes()).into_owned());
    // The key covers everything that was sent, also what is removed afterwards.
    let unread = match schema {
        Some(schema) => {
            let left_out = addresses::leave_out(&mut body, schema);
            UnknownMembers::of(&body, schema, left_out)
        }
        None => UnknownMembers::default(),
    };
    // A call that waits gets the session as it is afterwards.
    if fault.is_some() {
        caller.forget_session();
    }
    let is_strict = unknown_members::is_strict(headers);
    let correlation_id = parts.extensions.remove::<CorrelationId>();
    let correlation_id = correlation_id.map_or_else(String::new, |CorrelationId(id)| id);
    let call = CallParts {
        address: address_of(app, parts),
        parameter,
        caller,
        query,
        body,
        is_body_optional: !endpoint.needs_body(),
        encrypted,
        correlation_id,
        plugin_name,
        slot,
        made_key,
    };
    Ok(Admitted {
        endpoint,
        call: Call::from(call),
        unread,
        is_strict,
    })
}

/// Refuses or reports the parts of a call without effect. A repeated call gets the same report.
async fn perform(
    app: App,
    admitted: Admitted,
    handler: Handler,
    fault: Option<Fault>,
) -> Result<Reply, ApiError> {
    let Admitted {
        endpoint,
        call,
        unread,
        is_strict,
    } = admitted;
    if is_strict {
        unread.refuse()?;
    }
    let about = About::of(endpoint, &call);
    let reply = carry_out(&app, endpoint, &call, handler, fault).await?;
    let is_without_key = reply.made_key.is_some();
    if unread.is_empty() && !is_without_key {
        return Ok(reply);
    }
    let order = match about {
        Some(about) => about.order(&app).await?,
        None => None,
    };
    let order = order
        .as_ref()
        .map(|(merchant_id, order_id)| (merchant_id.as_str(), order_id.as_str()));
    unread.keep(&app, &call.correlation_id, order).await?;
    if let Some(order) = order.filter(|_| is_without_key) {
        let now_ms = app.clock().now_ms();
        let mut transaction = app.store().write(Subject::Statement).await?;
        order_warnings::keep(&mut transaction, order, &no_key(), now_ms);
        transaction.commit().await.map_err(StoreError::from)?;
    }
    unread.add_warnings(reply)
}

/// Step 7, then the call itself (steps 8 to 15).
async fn carry_out(
    app: &App,
    endpoint: &Endpoint,
    call: &Call,
    handler: Handler,
    fault: Option<Fault>,
) -> Result<Reply, ApiError> {
    let Some(name) = call.slot.as_ref().map(Slot::name) else {
        fault::delay(fault).await;
        return run(app, endpoint, call, handler).await;
    };
    // Held until the answer is stored: a repeated call waits for it.
    let _held = match app.idempotency_keys().hold_at_once(&name) {
        Some(held) => held,
        None => {
            tracing::debug!(
                operation = endpoint.id,
                correlation_id = call.correlation_id,
                "{WAITS}"
            );
            let held = app.idempotency_keys().lock(&name);
            let held = tokio::time::timeout(app.config().in_flight_wait, held).await;
            held.map_err(|_| {
                let running = "a request with this idempotency key is still running";
                ApiError::with(StatusCode::CONFLICT, GW9001, running)
            })?
        }
    };
    let Some(slot) = &call.slot else {
        return Err(ApiError::Ours);
    };
    if let Some(replayed) = replayed(app, slot).await? {
        return Ok(replayed);
    }
    fault::delay(fault).await;
    match run_and_keep(app, endpoint, call, handler, slot).await {
        Ok(reply) => Ok(reply),
        // If another process answered the key in the meantime, its answer counts.
        Err(refusal) if app.store().is_shared() => replayed(app, slot).await?.ok_or(refusal),
        Err(refusal) => Err(refusal),
    }
}

/// Step 7: the stored answer of the key.
async fn replayed(app: &App, slot: &Slot) -> Result<Option<Reply>, ApiError> {
    let earlier = slot
        .earlier(&mut *app.store().read().await?, app.payments().vault())
        .await?;
    match earlier {
        PreviousUse::Nothing => Ok(None),
        PreviousUse::Same { status, body } => Ok(Some(Reply::replayed(status, body))),
        PreviousUse::Other => Err(ApiError::bad(
            PS0025,
            "header Idempotency-Key was used for another request",
        )),
    }
}

/// Between steps 7 and 8: checks that money can be asked for, if the call asks. Then the call itself.
async fn run(
    app: &App,
    endpoint: &Endpoint,
    call: &Call,
    handler: Handler,
) -> Result<Reply, ApiError> {
    let terminal_id = call.caller.terminal_id();
    let (money, slot) = (endpoint.money, call.slot.as_ref());
    money.admit(app.payments(), terminal_id, slot).await?;
    Reply::of_handler(handler.next.run(handler.request).await).await
}

async fn run_and_keep(
    app: &App,
    endpoint: &Endpoint,
    call: &Call,
    handler: Handler,
    slot: &Slot,
) -> Result<Reply, ApiError> {
    let reply = run(app, endpoint, call, handler).await?;
    slot.keep_unless_kept(app.payments(), reply.status, &reply.body)
        .await?;
    let Some(made_key) = &call.made_key else {
        return Ok(reply);
    };
    tracing::warn!(
        code = %GW9105,
        operation = endpoint.id,
        correlation_id = call.correlation_id,
        "a call without an idempotency key cannot be repeated safely"
    );
    Ok(Reply {
        made_key: Some(made_key.clone()),
        ..reply.with_warning(&no_key())?
    })
}

async fn read_body(
    endpoint: &Endpoint,
    headers: &HeaderMap,
    body: Body,
) -> Result<Value, ApiError> {
    let too_large = || ApiError::with(StatusCode::PAYLOAD_TOO_LARGE, GW9004, "request too large");
    let unreadable = || ApiError::bad(PS0035, "the body could not be read");
    let bytes = match Limited::new(body, endpoint.body_limit).collect().await {
        Ok(collected) => collected.to_bytes(),
        Err(problem) if problem.is::<LengthLimitError>() => return Err(too_large()),
        Err(_) => return Err(unreadable()),
    };
    if endpoint.verb == Verb::Get {
        return Ok(Value::Null);
    }
    if bytes.is_empty() {
        return if endpoint.needs_body() {
            Err(ApiError::bad(PS0035, "the body must be JSON"))
        } else {
            Ok(Value::Null)
        };
    }
    let media_type = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or("");
    let essence = media_type.split(';').next().unwrap_or("").trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        return Err(ApiError::with(
            status,
            PS0035,
            "Content-Type must be application/json",
        ));
    }
    // The parser's message is not passed on: it may repeat what was sent.
    serde_json::from_slice(&bytes)
        .map_err(|_| ApiError::bad(PS0035, "the body must be JSON in UTF-8"))
}

fn idempotency_key(endpoint: &Endpoint, headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    if endpoint.verb == Verb::Get {
        return Ok(None);
    }
    let refused = || {
        ApiError::bad(
            PS0025,
            "header Idempotency-Key must be 1 to 63 printable ASCII characters",
        )
    };
    match headers.get("idempotency-key") {
        None if endpoint.idempotency_key == Needed::No || endpoint.makes_key() => Ok(None),
        None => Err(refused()),
        Some(value) => match value.to_str() {
            Ok(key)
                if (1..=63).contains(&key.len())
                    && key.bytes().all(|byte| (0x20..0x7f).contains(&byte)) =>
            {
                Ok(Some(key.to_owned()))
            }
            _ => Err(refused()),
        },
    }
}

/// The call's correlation id, or a new one if there is no well-formed one. It is only for tracing.
fn correlation_id(headers: &HeaderMap) -> String {
    headers
        .get(CORRELATION_ID)
        .and_then(|value| value.to_str().ok())
        .map(str::trim)
        .filter(|text| text.len() == 36 && uuid::Uuid::try_parse(text).is_ok())
        .map_or_else(|| uuid::Uuid::new_v4().to_string(), str::to_owned)
}

/// The warning of a call whose key the gateway made.
fn no_key() -> Warning {
    Warning {
        code: GW9105.to_string(),
        description: String::from(
            "header Idempotency-Key is missing: calls without a key cannot be repeated safely",
        ),
    }
}

const CORRELATION_ID: &str = "correlation-id";
const WAITS: &str = "waits for the running call with the same idempotency key";
