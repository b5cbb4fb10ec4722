//! What a running gateway measures, and where Prometheus reads it.
//!
//! [`install`] starts to measure. Without it there are no metrics, and measuring costs nothing. [`router`] answers `GET /metrics`, at an address
//! of its own that is not the public one. All metrics are in one table, [`METRICS`]. Labels have values of this program
//! only: names of routes, results, tables; never an id, and no card data.

use crate::App;
use crate::admission::{AT_WORK, TURNED_AWAY};
use crate::pages::protect_answer;
use crate::routes::{LIMITED, LIMITS};
use crate::unavailable::UNAVAILABLE;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{map_response, map_response_with_state};
use axum::response::Response;
use metrics::{Unit, counter, gauge, histogram};
use metrics_exporter_prometheus::{BuildError, PrometheusBuilder, PrometheusHandle};
use payframe_notifier::{ATTEMPTS, OUTCOMES};
use payframe_payment_service::PaymentError;
use payframe_storage::{meter, outbox, sessions};
use std::time::{Duration, Instant, SystemTime};

/// The metrics of a process, as Prometheus reads them.
#[derive(Clone)]
pub struct Exporter(PrometheusHandle);

/// A metric.
struct Metric {
    name: &'static str,
    kind: Kind,
    means: &'static str,
}

#[derive(Clone, Copy)]
enum Kind {
    Counter,
    Gauge,
    /// In seconds.
    Durations,
}

/// Starts to measure, once for the whole process. Call it before the databases are opened, because they measure too.
pub fn install() -> Result<Exporter, BuildError> {
    let handle = PrometheusBuilder::new()
        .set_buckets(BUCKETS_SECONDS)?
        .install_recorder()?;
    for Metric { name, kind, means } in METRICS {
        match kind {
            Kind::Counter => metrics::describe_counter!(*name, *means),
            Kind::Gauge => metrics::describe_gauge!(*name, *means),
            Kind::Durations => metrics::describe_histogram!(*name, Unit::Seconds, *means),
        }
    }
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    gauge!(START).set(now.unwrap_or_default().as_secs_f64());
    // Set to zero at the start, so that the first failure shows as a rise.
    payframe_payment_service::meter::start();
    counter!(UNAVAILABLE).absolute(0);
    counter!(TURNED_AWAY).absolute(0);
    gauge!(AT_WORK).set(0.0);
    for of in LIMITS {
        counter!(LIMITED, "of" => of).absolute(0);
    }
    for outcome in OUTCOMES {
        counter!(ATTEMPTS, "outcome" => outcome).absolute(0);
    }
    gauge!(BUILD, "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    Ok(Exporter(handle))
}

/// Answers `GET /metrics`, with the headers of every answer. A browser of the operator may come here, and shows nothing else.
pub fn router(app: App, exporter: Exporter) -> axum::Router {
    let shut = |mut answer: Response| async {
        let headers = answer.headers_mut();
        for (name, value) in [
            (header::CACHE_CONTROL, "no-store"),
            (header::CONTENT_SECURITY_POLICY, SHUT),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        answer
    };
    axum::Router::new()
        .route("/metrics", axum::routing::get(page))
        .fallback(|| async { StatusCode::NOT_FOUND })
        .layer(map_response(shut))
        .layer(map_response_with_state(app.clone(), protect_answer))
        .with_state((app, exporter))
}

const SHUT: &str = "default-src 'none'; frame-ancestors 'none'";

/// Processes the recorded values regularly, so that they do not fill the memory if nobody reads them.
pub async fn run_upkeep(exporter: Exporter, shutdown: impl Future<Output = ()>) {
    let mut shutdown = std::pin::pin!(shutdown);
    let mut turn = tokio::time::interval(Duration::from_secs(5));
    loop {
        tokio::select! {
            () = &mut shutdown => return,
            _ = turn.tick() => exporter.0.run_upkeep(),
        }
    }
}

async fn page(
    State((app, Exporter(handle))): State<(App, Exporter)>,
) -> ([(HeaderName, &'static str); 1], String) {
    let is_up = match ask(&app).await {
        Ok(()) => 1.0,
        Err(problem) => {
            tracing::error!(%problem, "what waits in the database cannot be measured");
            0.0
        }
    };
    gauge!(DATABASE_UP).set(is_up);
    let kind = (
        header::CONTENT_TYPE,
        "text/plain; version=0.0.4; charset=utf-8",
    );
    ([kind], handle.render())
}

/// Measures values that only the database has.
async fn ask(app: &App) -> Result<(), PaymentError> {
    let now_ms = app.clock().now_ms();
    let mut connection = app.store().read().await?;
    let longest_ms = payframe_payment_ports::clock::millis(app.config().hard);
    let open = sessions::count_open(&mut connection, now_ms.saturating_add(longest_ms)).await?;
    gauge!(SESSIONS_OPEN).set(count(open));
    gauge!(UNDER_ATTACK).set(count(app.payments().terminals_under_attack().await?));
    gauge!(PAGE_CHANGES_OPEN).set(count(app.payments().open_page_changes().await?));
    let waiting = outbox::waiting(&mut connection).await?;
    gauge!(WAITING).set(count(waiting.count));
    let age_ms = waiting.oldest_ms.map_or(0, |oldest_ms| now_ms - oldest_ms);
    gauge!(OLDEST).set(count(age_ms.max(0)) / 1000.0);
    Ok(())
}

/// Records that a call was answered.
pub(crate) fn answered(method: &'static str, route: &str, status: u16, began: Instant) {
    let route = route.to_owned();
    histogram!(REQUEST_DURATION, "route" => route.clone()).record(began.elapsed());
    counter!(REQUESTS, "method" => method, "route" => route, "status" => status.to_string())
        .increment(1);
}

/// Records that a browser stopped something in a page of the gateway.
pub(crate) fn stopped_in_page(page: &'static str, directive: &'static str, source: &'static str) {
    counter!(STOPPED_IN_PAGES, "page" => page, "directive" => directive, "source" => source)
        .increment(1);
}

/// Records that the work that was due is done.
pub(crate) fn due_work_done(began: Instant) {
    histogram!(DUE_WORK_DURATION).record(began.elapsed());
}

/// Converts to a float, which is exact for all values counted here.
#[allow(clippy::cast_precision_loss)]
fn count(number: i64) -> f64 {
    number as f64
}

/// All measures, as the table in `docs/operations.md`.
pub fn in_markdown() -> String {
    let mut table = String::from("| Metric | Kind | Is |\n|---|---|---|\n");
    table.extend(METRICS.iter().map(|Metric { name, kind, means }| {
        let kind = match kind {
            Kind::Counter => "counter",
            Kind::Gauge => "gauge",
            Kind::Durations => "histogram",
        };
        format!("| `{name}` | {kind} | {means} |\n")
    }));
    table
}

const REQUESTS: &str = "payframe_requests_total";
const REQUEST_DURATION: &str = "payframe_request_duration_seconds";
const WAITING: &str = "payframe_notifications_waiting";
const OLDEST: &str = "payframe_notification_oldest_age_seconds";
const SESSIONS_OPEN: &str = "payframe_sessions_open";
const UNDER_ATTACK: &str = "payframe_terminals_under_attack";
const PAGE_CHANGES_OPEN: &str = "payframe_page_changes_open";
const STOPPED_IN_PAGES: &str = "payframe_browser_reports_total";
const DATABASE_UP: &str = "payframe_database_up";
const DUE_WORK_DURATION: &str = "payframe_due_work_duration_seconds";
const START: &str = "process_start_time_seconds";
const BUILD: &str = "payframe_build_info";

/// All metrics.
const METRICS: &[Metric] = &[
    Metric {
        name: REQUESTS,
        kind: Kind::Counter,
        means: "responses, by `method`, `route` and `status`",
    },
    Metric {
        name: REQUEST_DURATION,
        kind: Kind::Durations,
        means: "duration of the calls, by `route`",
    },
    Metric {
        name: payframe_payment_service::meter::OPERATIONS,
        kind: Kind::Counter,
        means: "results of operations, by `type` and `result`; what was `PENDING` counts again with its final result",
    },
    Metric {
        name: payframe_payment_service::meter::STOPPED,
        kind: Kind::Counter,
        means: "tries of cards that a rule against card testing stopped, by `rule` (`CARD`, `RANGE` and so on) and `measure` (`refused`, `challenged`)",
    },
    Metric {
        name: payframe_payment_service::meter::PROOFS,
        kind: Kind::Counter,
        means: "proofs of work that were due because a terminal is under attack, by `result` (`asked`; `passed`; `refused`: wrong, old or used; `impossible`: a form without scripts that was let through)",
    },
    Metric {
        name: payframe_payment_service::meter::STEP_UPS,
        kind: Kind::Counter,
        means: "declines of issuers that demanded an authentication of the buyer, by what followed (`answer`: `challenge`; `refused`, by the issuer; `not_possible`)",
    },
    Metric {
        name: payframe_payment_service::meter::ACQUIRER,
        kind: Kind::Durations,
        means: "calls of acquirers, by `acquirer` (its name; `own` is the sandbox's), `call` and `outcome` (`answered`; `not_sent`: surely nothing was sent; `failed`: not known)",
    },
    Metric {
        name: ATTEMPTS,
        kind: Kind::Counter,
        means: "attempts to deliver notifications, by `outcome` (`delivered`, `failed`, `given_up`)",
    },
    Metric {
        name: WAITING,
        kind: Kind::Gauge,
        means: "notifications that wait to be delivered, of all processes",
    },
    Metric {
        name: OLDEST,
        kind: Kind::Gauge,
        means: "age of the oldest of them",
    },
    Metric {
        name: SESSIONS_OPEN,
        kind: Kind::Gauge,
        means: "sessions whose payment has not ended, of all processes",
    },
    Metric {
        name: UNDER_ATTACK,
        kind: Kind::Gauge,
        means: "terminals at which somebody tries out cards, of all processes",
    },
    Metric {
        name: payframe_payment_service::meter::PAGE_CHANGES,
        kind: Kind::Counter,
        means: "loads of watched pages at which something was new, changed or gone",
    },
    Metric {
        name: PAGE_CHANGES_OPEN,
        kind: Kind::Gauge,
        means: "changes of watched pages about which nobody has decided, of all processes",
    },
    Metric {
        name: meter::COMMIT_DURATION,
        kind: Kind::Durations,
        means: "duration of commits, by `schema`",
    },
    Metric {
        name: meter::CONNECTIONS_IN_USE,
        kind: Kind::Gauge,
        means: "connections in use, by `schema` and `for` (`questions`, `changes`)",
    },
    Metric {
        name: meter::CONNECTIONS_WAITED_FOR,
        kind: Kind::Gauge,
        means: "who waits for one",
    },
    Metric {
        name: STOPPED_IN_PAGES,
        kind: Kind::Counter,
        means: "what browsers stopped in pages of the gateway, by `page` (`form`, `fields`, `hosted`, `issuer`, `methods`, `office`, `docs`), `directive` and `source` (`inline`, `eval`, `trusted-types`, `own`, `foreign`, `extension`, `embedder`)",
    },
    Metric {
        name: DATABASE_UP,
        kind: Kind::Gauge,
        means: "1 while the database answers",
    },
    Metric {
        name: UNAVAILABLE,
        kind: Kind::Counter,
        means: "calls that were refused with 503, because the database was away or had no free connection",
    },
    Metric {
        name: AT_WORK,
        kind: Kind::Gauge,
        means: "calls and pages that the process works on",
    },
    Metric {
        name: TURNED_AWAY,
        kind: Kind::Counter,
        means: "calls and pages that were answered 503 before anything was done for them, because too many were at work",
    },
    Metric {
        name: LIMITED,
        kind: Kind::Counter,
        means: "calls that were answered 429, by whose limit was reached (`of`: `key`; `merchant`, all its keys together; `session`; `address`, all browsers with it)",
    },
    Metric {
        name: payframe_payment_service::meter::BOOK_DIFFERENCES,
        kind: Kind::Gauge,
        means: "orders whose money and goods do not agree, by `difference`; compared every hour",
    },
    Metric {
        name: payframe_payment_service::meter::DELETED,
        kind: Kind::Counter,
        means: "old records that were deleted, by `kind` (`answers`, `events`, `notifications`, `sessions`, `exchanges`, `authentications`, `card_tries`, `card_sources`, `card_refusals`, `wallet_tokens`)",
    },
    Metric {
        name: DUE_WORK_DURATION,
        kind: Kind::Durations,
        means: "duration of the regular work of each second",
    },
    Metric {
        name: payframe_payment_service::meter::FAILURES,
        kind: Kind::Counter,
        means: "failures of regular work, such as expiring sessions; the log has the cause",
    },
    Metric {
        name: START,
        kind: Kind::Gauge,
        means: "when the process started, in seconds since 1970",
    },
    Metric {
        name: BUILD,
        kind: Kind::Gauge,
        means: "1, with the gateway's `version`",
    },
];

/// The bounds of the histograms: from the time of a commit to that of a call that waits for another one.
const BUCKETS_SECONDS: &[f64] = &[
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_dashboard_shows_every_metric() {
        let dashboard = include_str!("../../docs/dashboard.json");
        for Metric { name, .. } in METRICS.iter().filter(|metric| metric.name != BUILD) {
            assert!(
                dashboard.contains(name),
                "docs/dashboard.json is to show {name}"
            );
        }
    }

    #[test]
    fn the_documentation_has_the_table_of_all_metrics() {
        let documented = include_str!("../../docs/operations.md");
        let table = in_markdown();
        assert!(
            documented.contains(&table),
            "docs/operations.md is to hold:\n{table}"
        );
    }
}
