//! The shop's addresses, and the headers of every answer.

use crate::{
    Shop,
    checkout::{Pairs, answer, choice, closing, now_ms, open_payment, order_of_page},
    embedded,
    error::ShopError,
    gateway::Embedding,
    hook, hosted,
    ledger::ShopOrder,
    order_status::OrderStatus,
    pages::{CheckoutPage, NotificationsPage, OrderPage, ProblemPage, page},
    session_sum,
};
use axum::{
    Json, Router,
    body::Bytes,
    extract::{DefaultBodyLimit, Path, Query, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use reqwest::Url;
use serde::{Deserialize, Serialize};

/// All routes of the shop.
pub fn router(shop: Shop) -> Router {
    let files = FILES
        .into_iter()
        .fold(Router::new(), |router, (name, content)| {
            router.route(&format!("/{name}"), get(move || file(name, content)))
        });
    Router::new()
        .route("/", get(checkout))
        .route("/fields", get(embedded::fields))
        .route("/build3", get(embedded::build_with_buttons))
        .route("/build2", get(embedded::build_with_fees))
        .route("/hosted", get(hosted::page))
        .route("/link", get(hosted::link))
        .route("/finalize", post(finalize))
        .route("/delivery", post(session_sum::choose_delivery))
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
        .layer(middleware::from_fn_with_state(shop.clone(), lead_home))
        .layer(middleware::from_fn_with_state(shop.clone(), protect))
        .with_state(shop)
}

/// The files that pages load, which are inside the program.
const FILES: [(&str, &str); 8] = [
    ("checkout.js", include_str!("../../www/shop/checkout.js")),
    ("fields.js", include_str!("../../www/shop/fields.js")),
    ("build3.js", include_str!("../../www/shop/build3.js")),
    ("build2.js", include_str!("../../www/shop/build2.js")),
    ("server.js", include_str!("../../www/shop/server.js")),
    ("shop.css", include_str!("../../www/shop/shop.css")),
    (
        "card-light.css",
        include_str!("../../www/shop/card-light.css"),
    ),
    (
        "card-dark.css",
        include_str!("../../www/shop/card-dark.css"),
    ),
];

async fn file(name: &'static str, content: &'static str) -> Response {
    let media_type = if name.ends_with(".js") {
        "text/javascript"
    } else {
        "text/css"
    };
    ([(header::CONTENT_TYPE, media_type)], content).into_response()
}

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
        Ok::<_, ShopError>(CheckoutPage::new(
            &choice,
            &shop.config.gateway,
            sdk,
            &orders,
        ))
    };
    answer(opened.await)
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
        Ok::<_, ShopError>(shop.gateway.finalize(&request.session_id).await?)
    };
    closing(closed.await)
}

/// What a page's script may know of an order.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OrderAnswer {
    order_id: String,
    status: &'static str,
    message: String,
}

async fn order(State(shop): State<Shop>, Path(name): Path<String>) -> Response {
    match name.strip_suffix(".json") {
        None => order_page(&shop, &name).await,
        Some(order_id) => match known_order(&shop, order_id).await {
            Ok((order, view)) => {
                let status = OrderStatus::of(&order, &view);
                Json(OrderAnswer {
                    message: status.sentence(&order.order_id),
                    status: status.as_str(),
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

/// The page that a browser returns to from another site. The address proves nothing, so the page asks the gateway.
async fn result(State(shop): State<Shop>, Query(returned): Query<Returned>) -> Response {
    order_page(&shop, &returned.order).await
}

async fn order_page(shop: &Shop, order_id: &str) -> Response {
    let filled = async {
        let (order, view) = known_order(shop, order_id).await?;
        let notifications = shop.ledger.notifications(Some(order_id)).await?;
        Ok::<_, ShopError>(OrderPage::new(&order, &view, &notifications))
    };
    match filled.await {
        Ok(filled) => page(StatusCode::OK, filled),
        Err(problem) => problem.into_response(),
    }
}

async fn known_order(
    shop: &Shop,
    order_id: &str,
) -> Result<(ShopOrder, crate::gateway::OrderView), ShopError> {
    let order = shop
        .ledger
        .order(order_id)
        .await?
        .ok_or(ShopError::NoSuchOrder)?;
    match shop.gateway.order(&order.order_id).await {
        Ok(view) => Ok((order, view)),
        Err(problem) if problem.is_missing() => Err(ShopError::NoSuchOrder),
        Err(problem) => Err(problem.into()),
    }
}

async fn notifications(State(shop): State<Shop>) -> Response {
    match shop.ledger.notifications(None).await {
        Ok(received) => page(StatusCode::OK, NotificationsPage::new(&received)),
        Err(error) => ShopError::from(error).into_response(),
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

/// Leads a browser that came by another name of this machine, such as `localhost`, to the shop's own origin: the gateway shows the form in
/// pages of that origin alone. Other names are left alone, because a proxy may stand behind them.
async fn lead_home(State(shop): State<Shop>, request: Request, next: Next) -> Response {
    let origin = &shop.config.origin;
    let asked = request
        .headers()
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .map(|host| format!("http://{host}"));
    match asked {
        Some(asked)
            if request.method() == Method::GET
                && asked != *origin
                && is_this_machine(&asked)
                && is_this_machine(origin) =>
        {
            let path = request
                .uri()
                .path_and_query()
                .map_or("/", |path| path.as_str());
            Redirect::temporary(&format!("{origin}{path}")).into_response()
        }
        _ => next.run(request).await,
    }
}

/// Whether a plain http origin is a name of this machine.
fn is_this_machine(origin: &str) -> bool {
    Url::parse(origin).is_ok_and(|url| {
        url.scheme() == "http"
            && matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"))
    })
}

/// The headers of every answer. The policy allows the gateway only for script, frames, and the reports of a watched page.
async fn protect(State(shop): State<Shop>, request: Request, next: Next) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    let is_page_file = FILES.iter().any(|(name, _)| *name == path);
    let mut answer = next.run(request).await;
    let headers = answer.headers_mut();
    let gateway = &shop.config.gateway;
    let policy = format!(
        "default-src 'none'; script-src 'self' {gateway}; frame-src {gateway}; style-src 'self'; \
         img-src 'self' data:; connect-src 'self' {gateway}; base-uri 'none'; form-action 'self'; \
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
        // An origin is plain ASCII (`Config` checks it), so the value is always a valid header.
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(name, value);
        }
    }
    answer
}
