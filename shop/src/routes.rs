//! The shop's addresses, and the headers that every answer carries.

use crate::{
    Shop,
    choice::Choice,
    embedded,
    gateway::{Closing, Embedding, Field, GatewayError},
    hook, hosted,
    ledger::ShopOrder,
    order_status::OrderStatus,
    pages::{CheckoutPage, NotificationsPage, OrderPage, ProblemPage, page},
};
use askama::Template;
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
    let files = FILES.into_iter().fold(Router::new(), |router, name| {
        router.route_service(
            &format!("/{name}"),
            ServeFile::new(shop.config.www.join(name)),
        )
    });
    Router::new()
        .route("/", get(checkout))
        .route("/fields", get(embedded::fields))
        .route("/build3", get(embedded::build_with_buttons))
        .route("/build2", get(embedded::build_with_fees))
        .route("/hosted", get(hosted::page))
        .route("/link", get(hosted::link))
        .route("/finalize", post(finalize))
        .route("/quote", post(embedded::quote))
        .route("/confirm", post(embedded::confirm))
        .route("/cancel", post(embedded::cancel))
        .route("/orders/{order}", get(order))
        .route("/notifications", get(notifications))
        .route("/hook", post(receive))
        .route("/result", get(result))
        .route("/cancelled", get(result))
        .route("/health", get(|| async { "ok" }))
        .merge(files)
        .fallback(missing)
        .layer(DefaultBodyLimit::max(256 * 1024))
        .layer(middleware::from_fn_with_state(shop.clone(), protect))
        .with_state(shop)
}

/// What pages load beside the templates.
const FILES: [&str; 8] = [
    "checkout.js",
    "fields.js",
    "build3.js",
    "build2.js",
    "server.js",
    "shop.css",
    "card-light.css",
    "card-dark.css",
];

pub(crate) type Pairs = Result<Query<Vec<(String, String)>>, QueryRejection>;

async fn checkout(State(shop): State<Shop>, query: Pairs) -> Response {
    let choice = match choice(query, &[]) {
        Ok(choice) => choice,
        Err(refused) => return *refused,
    };
    let opened = async {
        let scripts = shop.gateway.scripts().await?;
        let mut orders = Vec::new();
        for _ in 0..choice.forms {
            orders.push(open_payment(&shop, &choice, Embedding::Form).await?.order);
        }
        let sdk = scripts.named("payframe.js")?;
        Ok::<_, Problem>(CheckoutPage::new(
            &choice,
            &shop.config.gateway,
            sdk,
            &orders,
        ))
    };
    answer(opened.await)
}

/// What the query chooses, or the page that says what is wrong with it.
pub(crate) fn choice(query: Pairs, meaningless: &[&str]) -> Result<Choice, Box<Response>> {
    let refused = |problem| Box::new(page(StatusCode::BAD_REQUEST, problem));
    let Ok(Query(pairs)) = query else {
        return Err(refused(ProblemPage::new(
            "This address cannot be used",
            "The part behind the question mark is not readable.",
        )));
    };
    let pairs = pairs
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()));
    Choice::parse_without(meaningless, pairs)
        .map_err(|wrong| refused(ProblemPage::wrong_parameters(wrong)))
}

/// A filled page, or the page that says why there is none.
pub(crate) fn answer(filled: Result<impl Template, Problem>) -> Response {
    match filled {
        Ok(filled) => page(StatusCode::OK, filled),
        Err(problem) => problem.into_response(),
    }
}

/// A payment that was just opened, with what the page shows in frames of its own.
pub(crate) struct Opened {
    pub(crate) order: ShopOrder,
    pub(crate) fields: Vec<Field>,
}

/// Opens a payment at the gateway and remembers it.
pub(crate) async fn open_payment(
    shop: &Shop,
    choice: &Choice,
    embedding: Embedding,
) -> Result<Opened, Problem> {
    let order_id = new_order_id();
    let session = shop
        .gateway
        .build(&order_id, choice, &shop.config.origin, embedding)
        .await?;
    let order = ShopOrder {
        order_id,
        session_id: session.session_id,
        security_token: session.security_token,
        amount_minor: choice.amount.minor().to_string(),
        fee_minor: "0".to_owned(),
        currency: choice.currency.clone(),
        locale: choice.locale.clone(),
        created_ms: now_ms(),
    };
    shop.ledger.remember(&order).await?;
    Ok(Opened {
        order,
        fields: session.fields,
    })
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
    let closed = async {
        let order = order_of_page(&shop, &headers, &request.session_id).await?;
        tracing::info!(order_id = order.order_id, "finalizing");
        Ok::<_, Problem>(shop.gateway.finalize(&request.session_id).await?)
    };
    closing(closed.await)
}

/// What the page learns of a call that moved the payment on. The outcome it asks for at `/orders/{id}.json`.
pub(crate) fn closing(closed: Result<Closing, Problem>) -> Response {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Told<'a> {
        state: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        url: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        device_check: Option<&'a str>,
    }
    match closed {
        Ok(closed) => Json(Told {
            state: &closed.state,
            url: closed.url.as_deref(),
            device_check: closed.device_check(),
        })
        .into_response(),
        Err(problem) => problem.into_json(),
    }
}

/// The order of a session that one of the shop's own pages names.
pub(crate) async fn order_of_page(
    shop: &Shop,
    headers: &HeaderMap,
    session_id: &str,
) -> Result<ShopOrder, Problem> {
    // Only the shop's own pages may ask; another site's script would send its own origin.
    let foreign = headers
        .get(header::ORIGIN)
        .is_some_and(|origin| origin.as_bytes() != shop.config.origin.as_bytes());
    if foreign {
        return Err(Problem::ForeignOrigin);
    }
    shop.ledger
        .order_of_session(session_id)
        .await?
        .ok_or(Problem::NoSuchSession)
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
                let standing = OrderStatus::of(&order, &view);
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
pub(crate) enum Problem {
    NoSuchOrder,
    NoSuchSession,
    ForeignOrigin,
    /// The page showed the buyer another sum than the shop's server counts.
    OtherTotal,
    Gateway(GatewayError),
    Ledger(sqlx::Error),
}

impl Problem {
    fn into_page(self) -> (StatusCode, ProblemPage) {
        match self {
            Self::NoSuchOrder => (
                StatusCode::NOT_FOUND,
                ProblemPage::new("No such order", "This shop has no order with that number."),
            ),
            Self::NoSuchSession => (
                StatusCode::NOT_FOUND,
                ProblemPage::new("No such payment", "This shop opened no such payment."),
            ),
            Self::ForeignOrigin => (
                StatusCode::FORBIDDEN,
                ProblemPage::new("Not from here", "Only the shop's own pages may ask this."),
            ),
            Self::OtherTotal => (
                StatusCode::CONFLICT,
                ProblemPage::new(
                    "Another sum",
                    "The sum has changed. Please look at it again.",
                ),
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
    pub(crate) fn into_json(self) -> Response {
        let word = match &self {
            Self::NoSuchOrder => "unknown_order",
            Self::NoSuchSession => "unknown_session",
            Self::ForeignOrigin => "foreign_origin",
            Self::OtherTotal => "other_total",
            Self::Gateway(GatewayError::Refused {
                first: Some(refusal),
                ..
            }) if refusal.code == "PS0061" => "session_over",
            Self::Gateway(GatewayError::Refused { .. }) => "gateway_refused",
            Self::Gateway(_) => "gateway_unavailable",
            Self::Ledger(_) => "shop_failed",
        };
        let (status, _) = self.into_page();
        (status, Json(serde_json::json!({ "error": word }))).into_response()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, problem) = self.into_page();
        page(status, problem)
    }
}

impl From<GatewayError> for Problem {
    fn from(problem: GatewayError) -> Self {
        Self::Gateway(problem)
    }
}

impl From<sqlx::Error> for Problem {
    fn from(error: sqlx::Error) -> Self {
        Self::Ledger(error)
    }
}

/// The headers of every answer. The policy names the gateway for script and frames, and nowhere else.
async fn protect(State(shop): State<Shop>, request: Request, next: Next) -> Response {
    let is_page_file = FILES.contains(&request.uri().path().trim_start_matches('/'));
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
pub(crate) fn new_order_id() -> String {
    let mut id = Uuid::new_v4().simple().to_string().to_ascii_uppercase();
    id.truncate(16);
    id
}

pub(crate) fn now_ms() -> i64 {
    Timestamp::now().as_millisecond()
}
