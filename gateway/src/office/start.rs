//! The first page after the log-in.

use super::page::{Frame, Section, show};
use super::seat::Seat;
use crate::App;
use askama::Template;
use axum::Router;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;

pub(super) fn router() -> Router<App> {
    Router::new().route("/office", get(start))
}

async fn start(seat: Seat) -> Response {
    show(
        StatusCode::OK,
        &StartPage {
            frame: Frame::of(&seat, Section::Overview, "Overview"),
            seat: &seat,
        },
    )
}

#[derive(Template)]
#[template(path = "office-start.html")]
struct StartPage<'a> {
    frame: Frame<'a>,
    seat: &'a Seat,
}
