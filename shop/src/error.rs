//! Why the shop cannot serve a request, as a page and as JSON.

use crate::{
    gateway::GatewayError,
    pages::{ProblemPage, page},
};
use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};

/// Why a request could not be served.
pub(crate) enum ShopError {
    NoSuchOrder,
    NoSuchSession,
    ForeignOrigin,
    /// The sum that the page showed differs from the one that the shop's server computes.
    OtherTotal,
    Gateway(GatewayError),
    Ledger(sqlx::Error),
}

impl ShopError {
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

    /// The answer for scripts: a status and a stable code.
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

impl IntoResponse for ShopError {
    fn into_response(self) -> Response {
        let (status, problem) = self.into_page();
        page(status, problem)
    }
}

impl From<GatewayError> for ShopError {
    fn from(problem: GatewayError) -> Self {
        Self::Gateway(problem)
    }
}

impl From<sqlx::Error> for ShopError {
    fn from(error: sqlx::Error) -> Self {
        Self::Ledger(error)
    }
}
