//! The shop's addresses, and the headers that every answer carries.

use crate::{
    Shop,
    choice::Choice,
    gateway::{GatewayProblem, Sdk},
    hook,
    ledger::ShopOrder,
    pages::{CheckoutPage, NotificationsPage, OrderPage, ProblemPage, page},
    standing::Standing,
};
use axum::{
    Json, Router,
    body::Bytes,
    extract::{DefaultBodyLimit, Path, Query, Request, State, rejection::QueryRejection},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tower_http::services::ServeFile;
use uuid::Uuid;

/// Everything that the shop serves.
pub fn router(shop: Shop) -> Router {
    let file = |name: &str| ServeFile::new(shop.config.www.join(name));
    Router::new()
        .route("/", get(checkout))
        .route("/finalize", post(finalize))
        .route("/orders/{order}", get(order))
        .route("/notifications", get(notifications))
        .route("/hook", post(receive))
        .route("/result", get(result))
        .route("/cancelled", get(result))
        .route("/health", get(|| async { "ok" }))
        .route_service("/checkout.js", file("checkout.js"))
        .route_service("/shop.css", file("shop.css"))
        .fallback(missing)
        .layer(DefaultBodyLimit::max(256 * 1024))
        .layer(middleware::from_fn_with_state(shop.clone(), protect))
        .with_state(shop)
}

type Pairs = Result<Query<Vec<(String, String)>>, QueryRejection>;

async fn checkout(State(shop): State<Shop>, query: Pairs) -> Response {
    let Ok(Query(pairs)) = query else {
        let problem = ProblemPage::new(
            "This address cannot be used",
            "The part behind the question mark is not readable.",
        );
        return page(StatusCode::BAD_REQUEST, problem);
    };
    let choice = match Choice::parse(
        pairs
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str())),
    ) {
        Ok(choice) => choice,
        Err(wrong) => {
            return page(
                StatusCode::BAD_REQUEST,
                ProblemPage::wrong_parameters(wrong),
            );
        }
    };
    match open_payments(&shop, &choice).await {
        Ok((orders, sdk)) => page(
            StatusCode::OK,
            CheckoutPage::new(&choice, &shop.config.gateway, &sdk, &orders),
        ),
        Err(problem) => problem.into_response(),
    }
}

/// One payment for each form, and the script that shows them.
async fn open_payments(shop: &Shop, choice: &Choice) -> Result<(Vec<ShopOrder>, Sdk), Problem> {
    let sdk = shop.gateway.sdk().await?;
    let mut orders = Vec::new();
    for _ in 0..choice.forms {
        let order_id = new_order_id();
        let session = shop
            .gateway
            .build(&order_id, choice, &shop.config.origin)
            .await?;
        let order = ShopOrder {
            order_id,
            session_id: session.session_id,
            security_token: session.security_token,
            amount_minor: choice.amount.minor().to_string(),
            currency: choice.currency.clone(),
            locale: choice.locale.clone(),
            created_ms: now_ms(),
        };
        shop.ledger.remember(&order).await?;
        orders.push(order);
    }
    Ok((orders, sdk))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FinalizeRequest {
    session_id: String,
}

/// Merchant mode: the form is ready, and the page asks the shop's server to close the payment.
async fn finalize(
    State(shop): State<Shop>,
    headers: HeaderMap,
    Json(request): Json<FinalizeRequest>,
) -> Response {
    // Only the shop's own pages may ask; another site's script would send its own origin.
    let foreign = headers
        .get(header::ORIGIN)
        .is_some_and(|origin| origin.as_bytes() != shop.config.origin.as_bytes());
    if foreign {
        return refusal(StatusCode::FORBIDDEN, "foreign_origin");
    }
    match shop.ledger.order_of_session(&request.session_id).await {
        Ok(Some(order)) => tracing::info!(order_id = order.order_id, "finalizing"),
        Ok(None) => return refusal(StatusCode::NOT_FOUND, "unknown_session"),
        Err(error) => return Problem::from(error).into_json(),
    }
    match shop.gateway.finalize(&request.session_id).await {
        // The page learns that the gateway acted; the outcome it asks for at `/orders/{id}.json`.
        Ok(state) => Json(serde_json::json!({ "state": state })).into_response(),
        Err(problem) => Problem::from(problem).into_json(),
    }
}

/// What a page's script may know of an order.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OrderAnswer {
    order_id: String,
    standing: &'static str,
    message: String,
}

async fn order(State(shop): State<Shop>, Path(name): Path<String>) -> Response {
    match name.strip_suffix(".json") {
        None => order_page(&shop, &name).await,
        Some(order_id) => match known_order(&shop, order_id).await {
            Ok((order, view)) => {
                let standing = Standing::of(&order, &view);
                Json(OrderAnswer {
                    message: standing.sentence(&order.order_id),
                    standing: standing.as_str(),
                    order_id: order.order_id,
                })
                .into_response()
            }
            Err(problem) => problem.into_json(),
        },
    }
}

#[derive(Deserialize)]
struct Returned {
    #[serde(default)]
    order: String,
}

/// Where a browser lands that was sent away. The address proves nothing, so the page asks the gateway.
async fn result(State(shop): State<Shop>, Query(returned): Query<Returned>) -> Response {
    order_page(&shop, &returned.order).await
}

async fn order_page(shop: &Shop, order_id: &str) -> Response {
    let filled = async {
        let (order, view) = known_order(shop, order_id).await?;
        let notifications = shop.ledger.notifications(Some(order_id)).await?;
        Ok::<_, Problem>(OrderPage::new(&order, &view, &notifications))
    };
    match filled.await {
        Ok(filled) => page(StatusCode::OK, filled),
        Err(problem) => problem.into_response(),
    }
}

async fn known_order(
    shop: &Shop,
    order_id: &str,
) -> Result<(ShopOrder, crate::gateway::OrderView), Problem> {
    let order = shop
        .ledger
        .order(order_id)
        .await?
        .ok_or(Problem::NoSuchOrder)?;
    match shop.gateway.order(&order.order_id).await {
        Ok(view) => Ok((order, view)),
        Err(problem) if problem.is_missing() => Err(Problem::NoSuchOrder),
        Err(problem) => Err(problem.into()),
    }
}

async fn notifications(State(shop): State<Shop>) -> Response {
    match shop.ledger.notifications(None).await {
        Ok(received) => page(StatusCode::OK, NotificationsPage::new(&received)),
        Err(error) => Problem::from(error).into_response(),
    }
}

async fn receive(State(shop): State<Shop>, body: Bytes) -> StatusCode {
    hook::receive(&shop.ledger, &body, now_ms()).await
}

async fn missing() -> Response {
    page(
        StatusCode::NOT_FOUND,
        ProblemPage::new("Nothing here", "The shop has no page at this address."),
    )
}

/// Why a request could not be served.
enum Problem {
    NoSuchOrder,
    Gateway(GatewayProblem),
    Ledger(sqlx::Error),
}

impl Problem {
    fn into_page(self) -> (StatusCode, ProblemPage) {
        match self {
            Self::NoSuchOrder => (
                StatusCode::NOT_FOUND,
                ProblemPage::new("No such order", "This shop has no order with that number."),
            ),
            Self::Gateway(problem) => ProblemPage::gateway(&problem),
            Self::Ledger(error) => {
                tracing::error!(%error, "the shop's records could not be used");
                (
                    StatusCode::INTERNAL_SERVER_ERROR,
                    ProblemPage::new(
                        "The shop has a problem",
                        "Its own records could not be used. Please try again in a minute.",
                    ),
                )
            }
        }
    }

    /// For scripts: a status and a stable word.
    fn into_json(self) -> Response {
        let word = match &self {
            Self::NoSuchOrder => "unknown_order",
            Self::Gateway(GatewayProblem::Refused { .. }) => "gateway_refused",
            Self::Gateway(_) => "gateway_unavailable",
            Self::Ledger(_) => "shop_failed",
        };
        let (status, _) = self.into_page();
        refusal(status, word)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, problem) = self.into_page();
        page(status, problem)
    }
}

impl From<GatewayProblem> for Problem {
    fn from(problem: GatewayProblem) -> Self {
        Self::Gateway(problem)
    }
}

impl From<sqlx::Error> for Problem {
    fn from(error: sqlx::Error) -> Self {
        Self::Ledger(error)
    }
}

fn refusal(status: StatusCode, word: &'static str) -> Response {
    (status, Json(serde_json::json!({ "error": word }))).into_response()
}

/// The headers of every answer. The policy names the gateway for script and frames, and nowhere else.
async fn protect(State(shop): State<Shop>, request: Request, next: Next) -> Response {
    let is_page_file = matches!(request.uri().path(), "/checkout.js" | "/shop.css");
    let mut answer = next.run(request).await;
    let headers = answer.headers_mut();
    let gateway = &shop.config.gateway;
    let policy = format!(
        "default-src 'none'; script-src 'self' {gateway}; frame-src {gateway}; style-src 'self'; \
         img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; \
         frame-ancestors 'none'; require-trusted-types-for 'script'"
    );
    let permissions = format!(
        "payment=(self \"{gateway}\"), publickey-credentials-get=(self \"{gateway}\"), camera=(), microphone=(), geolocation=()"
    );
    let caching = if is_page_file { "no-cache" } else { "no-store" };
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
        (header::CACHE_CONTROL, caching),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let from_settings = [
        (header::CONTENT_SECURITY_POLICY, policy),
        (HeaderName::from_static("permissions-policy"), permissions),
    ];
    for (name, value) in from_settings {
        // An origin is plain ASCII (`Config` saw to it), so the value is always a valid header.
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(name, value);
        }
    }
    answer
}

/// 60 random bits: nobody guesses another buyer's order page.
fn new_order_id() -> String {
    let mut id = Uuid::new_v4().simple().to_string().to_ascii_uppercase();
    id.truncate(16);
    id
}

fn now_ms() -> i64 {
    Timestamp::now().as_millisecond()
}
