//! The browser's part of a 3-step payment whose issuer speaks the real protocol: it is described, the issuer is asked, and the result goes
//! back to the merchant. Between the two, a challenge has the pages of [`super`].

use super::texts::Texts;
use super::{back_page, failed, gone, policy, protected, unavailable};
use crate::App;
use crate::pages::browser_headers::browser_of;
use askama::Template;
use axum::extract::rejection::FormRejection;
use axum::extract::{ConnectInfo, Form, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use payframe_payment_service::{BuyerPages, StepRequest, StepReturnView, StepStart, StepView};
use payframe_web_pages::language::accepted_language;
use payframe_web_pages::notice::Notice;
use payframe_web_pages::post_back::PostBack;
use payframe_web_pages::script::PageScript;
use payframe_web_pages::theme::Theme;
use payframe_web_pages::{see_other, sent_from_elsewhere};
use std::net::SocketAddr;
use std::sync::LazyLock;

/// The start, and the page that asks the issuer.
pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/threeds/start", post(start))
        .route("/threeds/step/{token}", get(step).post(ask))
        .route(SCRIPT.path(), get(async || SCRIPT.answer()))
}

async fn start(
    State(app): State<App>,
    headers: HeaderMap,
    form: Result<Form<StepRequest>, FormRejection>,
) -> Response {
    let texts = texts_of(&headers);
    let Ok(Form(sent)) = form else {
        return wrong(texts);
    };
    let insecure = app.config().mode.allows_insecure_urls();
    match BuyerPages::new(app.payments())
        .start_step(&sent, insecure)
        .await
    {
        StepStart::Started(token) => see_other(&address_of(&token)),
        StepStart::Wrong => wrong(texts),
        StepStart::Gone => gone(texts),
        StepStart::Failed => unavailable(texts),
    }
}

async fn step(State(app): State<App>, Path(token): Path<String>, headers: HeaderMap) -> Response {
    let texts = texts_of(&headers);
    match BuyerPages::new(app.payments()).step(&token).await {
        Err(problem) => failed(texts, &problem),
        Ok(None) => gone(texts),
        Ok(Some(StepView::BrowserDue { framing })) => {
            let page = StepPage {
                script: &SCRIPT,
                texts,
                theme: Theme::Auto.as_str(),
                check: &format!("/threeds/device/{token}"),
            };
            protected(&page, &policy(&framing, "'self'", "'self'"))
        }
        Ok(Some(StepView::Challenge { .. })) => see_other(&format!("/threeds/challenge/{token}")),
        Ok(Some(StepView::Return(view))) => return_page(&app, texts, &view),
    }
}

/// Asks the issuer. The page then leads on.
async fn ask(
    State(app): State<App>,
    Path(token): Path<String>,
    peer: Option<Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
) -> Response {
    if sent_from_elsewhere(&app.config().origin, &headers) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let texts = texts_of(&headers);
    let peer = peer.map(|Extension(ConnectInfo(address))| address.ip());
    let described = browser_of(&app, &headers, peer);
    let asked = BuyerPages::new(app.payments())
        .ask_issuer_of_step(&token, described)
        .await;
    match asked {
        Err(problem) => failed(texts, &problem),
        Ok(false) => gone(texts),
        Ok(true) => see_other(&address_of(&token)),
    }
}

/// Where the browser goes after a challenge. `None`: the token is not that of a 3-step payment.
pub(super) async fn way_back(app: &App, token: &str, texts: &'static Texts) -> Option<Response> {
    let pages = BuyerPages::new(app.payments());
    let found = async {
        let view = pages.step(token).await?;
        if let Some(StepView::Challenge { .. }) = view {
            // The issuer's result may be there, and not booked yet.
            pages.back_from_challenge(token).await?;
            return pages.step(token).await;
        }
        Ok(view)
    };
    Some(match found.await {
        Err(problem) => failed(texts, &problem),
        Ok(None) => return None,
        Ok(Some(StepView::BrowserDue { .. })) => see_other(&address_of(token)),
        Ok(Some(StepView::Challenge { framing })) => back_page(texts, &framing, "", true),
        Ok(Some(StepView::Return(view))) => return_page(app, texts, &view),
    })
}

fn return_page(app: &App, texts: &Texts, view: &StepReturnView) -> Response {
    let back = PostBack {
        tag: &texts.tag,
        title: &texts.return_title,
        button: &texts.return_link,
        address: &view.return_url,
        fields: &view.fields(),
    };
    let insecure = app.config().mode.allows_insecure_urls();
    back.page(Theme::Auto, view.framing.origins(), insecure)
}

/// The merchant's form is not as it has to be.
fn wrong(texts: &Texts) -> Response {
    let notice = Notice {
        status: StatusCode::BAD_REQUEST,
        tag: &texts.tag,
        title: &texts.start_bad_title,
        text: &texts.start_bad_text,
    };
    notice.page(Theme::Auto, None)
}

fn texts_of(headers: &HeaderMap) -> &'static Texts {
    Texts::of([accepted_language(headers)])
}

fn address_of(token: &str) -> String {
    format!("/threeds/step/{token}")
}

#[derive(Template)]
#[template(path = "issuer-step.html")]
struct StepPage<'a> {
    script: &'static PageScript,
    texts: &'a Texts,
    theme: &'static str,
    check: &'a str,
}

static SCRIPT: LazyLock<PageScript> = LazyLock::new(|| {
    PageScript::new(
        "issuer/step",
        include_str!("../../../../www/issuer/step.js"),
    )
});
