//! Pages of the gateway's own origin.

use crate::App;
use axum::Router;

/// Routes of the pages.
pub fn router() -> Router<App> {
    Router::new()
}
