//! `GET /test/clock` and `POST /test/clock/advance`: the clock of a sandbox. An extension of the contract.

use super::call::{CallingTerminal, SentBody};
use super::endpoint::{Endpoint, SANDBOX};
use super::error::{ApiError, RequestErrors};
use super::fields::Section;
use super::requests::test_clock::AdvanceTestClock;
use super::requests::{Member, Part};
use crate::{App, maintenance};
use axum::Json;
use axum::extract::State;
use payframe_error_codes::ErrorCode::PS0026;
use payframe_payment_domain::calendar::{instant, parse_instant};
use payframe_payment_ports::clock::millis;
use payframe_payment_service::TestClock as ClockService;
use payframe_payment_service::test_clock::MOST_AHEAD;
use payframe_protocol::test_clock::TestClock;
use std::time::Duration;
use utoipa_axum::routes;

/// They are not in the contract, and production does not have them.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(read_test_clock)).only_with_test_clock(),
        Endpoint::of(routes!(advance_test_clock))
            .only_with_test_clock()
            .refusals(&[PS0026]),
    ]
}

/// Read the clock of the sandbox
///
/// The time of payments. It is the real time until a test advances it.
#[utoipa::path(
    get, path = "/test/clock", operation_id = "readTestClock", tag = SANDBOX,
    responses((status = 200, body = TestClock)),
)]
async fn read_test_clock(State(app): State<App>, _: CallingTerminal) -> Json<TestClock> {
    Json(clock_of(&app))
}

/// Advance the clock of the sandbox
///
/// Time passes at once until `to`, or until the clock is `secondsAhead` of the real time: what is due by then happens in its order, before
/// the call answers. Sessions and links end, pending payments get their result, reservations are charged, authorizations that nobody
/// captured are released, and old data is deleted. Then the clock goes on from there. It is the clock of the whole sandbox, for all its
/// merchants, and never goes back: a time that has passed changes nothing, so the call can be repeated. Notifications are on their way
/// when the call answers. Log-ins, API keys, signatures and the limit of calls keep the real time.
#[utoipa::path(
    post, path = "/test/clock/advance", operation_id = "advanceTestClock", tag = SANDBOX,
    request_body = AdvanceTestClock,
    responses((status = 200, body = TestClock)),
)]
async fn advance_test_clock(
    State(app): State<App>,
    _: CallingTerminal,
    SentBody(body): SentBody<AdvanceTestClock>,
) -> Result<Json<TestClock>, ApiError> {
    let mut findings = RequestErrors::default();
    let to_ms = read_time(&body, app.test_clock(), &mut findings);
    findings.into_result()?;
    let to_ms = to_ms.ok_or(ApiError::Ours)?;
    Box::pin(app.test_clock().advance(to_ms)).await?;
    maintenance::compare_books(&app).await;
    Ok(Json(clock_of(&app)))
}

/// The instant to advance to, by either member.
fn read_time(
    body: &Part<AdvanceTestClock>,
    clock: ClockService<'_>,
    findings: &mut RequestErrors,
) -> Option<i64> {
    let mut whole = Section::body(body, findings);
    let AdvanceTestClock { to, seconds_ahead } = body.members();
    let seconds = whole.count(
        "secondsAhead",
        seconds_ahead,
        0..=MOST_AHEAD.as_secs(),
        findings,
    );
    let to_ms = read_instant(to, clock.latest_ms(), findings);
    if to.is_there() == seconds_ahead.is_there() {
        findings.add(PS0026, "one of to, secondsAhead must be there");
    }
    let ahead = seconds.map(Duration::from_secs).map(millis);
    to_ms.or_else(|| Some(clock.real_ms().saturating_add(ahead?)))
}

fn read_instant(sent: &Member, latest_ms: i64, findings: &mut RequestErrors) -> Option<i64> {
    let to_ms = sent.sent()?.as_str().and_then(parse_instant);
    match to_ms {
        None => findings.add(
            PS0026,
            "to must be an ISO 8601 instant, as in 2026-09-01T01:20:00.001Z",
        ),
        Some(to_ms) if to_ms > latest_ms => findings.add(
            PS0026,
            format!(
                "to must be at most two years after the real time, which is {}",
                instant(latest_ms)
            ),
        ),
        Some(_) => {}
    }
    to_ms
}

fn clock_of(app: &App) -> TestClock {
    // Both times are of one moment.
    let (real_ms, ahead_ms) = (app.test_clock().real_ms(), app.clock().ahead_ms());
    TestClock {
        time: instant(real_ms.saturating_add(ahead_ms)),
        real_time: instant(real_ms),
        seconds_ahead: u64::try_from(ahead_ms / 1000).unwrap_or(0),
        latest_time: instant(app.test_clock().latest_ms()),
    }
}
