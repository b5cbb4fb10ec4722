//! Settlement: the clearing files of acquirers with their sums, and how many differences are open.

use super::display::address;
use super::error::OfficeError;
use super::labels::Badge;
use super::login_session::LoginSession;
use super::moment::Moment;
use super::page::{Layout, Section, show};
use super::settlement_parts::{DIFFERENCES, FILES, ShownSums, badge, path_of_file};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::settlement::Difference;
use payframe_storage::settlements::{self, FileRow, Sums};
use payframe_storage::{RowPlace, cut_page};
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new().route(FILES, get(list))
}

/// Which part of the list.
#[derive(Default, Deserialize)]
#[serde(default)]
struct SettlementsQuery {
    /// The file that the page begins behind: when it was imported, and its id. An unreadable one begins at the newest.
    before: String,
}

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(query): Query<SettlementsQuery>,
) -> Result<Response, OfficeError> {
    let merchant_id = &login.member.merchant_id;
    let now_ms = office.payment_clock().now_ms();
    let mut connection = office.store().read().await?;
    let place = RowPlace::parse(&query.before);
    let mut files =
        settlements::files(&mut connection, merchant_id, place.as_ref(), PAGE + 1).await?;
    let older =
        cut_page(&mut files, PAGE as usize).map(|last| format!("{FILES}?before={}", last.place()));
    let mut rows = Vec::new();
    for file in files {
        let sums = settlements::sums(&mut connection, &file.file_id).await?;
        rows.push(ShownFile::of(file, &sums));
    }
    let open =
        settlements::open_differences(&mut connection, (merchant_id, now_ms), MOST_COUNTED).await?;
    drop(connection);
    let count = |difference| {
        let found = open.iter().find(|(one, _)| *one == difference);
        found.map_or(0, |(_, count)| *count)
    };
    let page = SettlementsPage {
        layout: Layout::of(&login, Section::Settlement, "Settlement"),
        rows,
        older,
        open: Difference::ALL
            .into_iter()
            .filter(|one| count(*one) > 0)
            .map(|one| OpenDifferences {
                label: one.label(),
                count: match count(one) {
                    found if found >= i64::from(MOST_COUNTED) => {
                        format!("{found} or more")
                    }
                    found => found.to_string(),
                },
                path: address(
                    DIFFERENCES,
                    &[("difference", one.code()), ("state", "OPEN")],
                ),
            })
            .collect(),
    };
    Ok(show(StatusCode::OK, &page))
}

#[derive(Template)]
#[template(path = "office-settlements.html")]
struct SettlementsPage<'a> {
    layout: Layout<'a>,
    rows: Vec<ShownFile>,
    older: Option<String>,
    open: Vec<OpenDifferences>,
}

/// How many differences of one kind nobody has cleared.
struct OpenDifferences {
    label: &'static str,
    count: String,
    path: String,
}

struct ShownFile {
    name: String,
    path: String,
    imported: Moment,
    first_day: String,
    last_day: String,
    sums: Vec<ShownSums>,
    badge: Badge,
    open: i64,
}

impl ShownFile {
    fn of(file: FileRow, sums: &[Sums]) -> ShownFile {
        ShownFile {
            path: path_of_file(&file.file_id),
            imported: Moment(file.imported_ms),
            sums: sums.iter().map(ShownSums::of).collect(),
            badge: badge(&file),
            open: file.open_differences,
            first_day: file.first_day,
            last_day: file.last_day,
            name: file.name,
        }
    }
}

const PAGE: u32 = 25;

/// Of operations that no file has, so many are counted. More than that are a file that is missing.
const MOST_COUNTED: u32 = 1000;
