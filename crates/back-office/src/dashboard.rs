//! The first page: what was paid, how much of it was approved, and why the rest was not, as plots and as tables.

use super::display::{address, sum_of_minor};
use super::error::OfficeError;
use super::labels;
use super::login_session::LoginSession;
use super::page::{Layout, Section, show};
use super::plot::{Bars, Line, Ranking};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::calendar::{at_utc, utc_day};
use payframe_storage::day_sums::MOST_DAYS;
use payframe_storage::statistics::{DAY_MS, DayFigures, Figures};
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new().route("/office", get(show_figures))
}

/// The parameters of the address. A missing or wrong one has its default, because this page only shows data.
#[derive(Default, Deserialize)]
#[serde(default)]
struct DashboardQuery {
    days: String,
    currency: String,
}

async fn show_figures(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(query): Query<DashboardQuery>,
) -> Result<Response, OfficeError> {
    let merchant_id = &login.member.merchant_id;
    let count = LENGTHS
        .into_iter()
        .find(|days| days.to_string() == query.days);
    let count = count.unwrap_or(LENGTHS[1]);
    let today = at_utc(utc_day(office.payment_clock().now_ms())) / DAY_MS;
    let first = today + 1 - count;
    let mut connection = office.store().read().await?;
    let figures = Figures::of(&mut connection, merchant_id, first..today + 1).await?;
    drop(connection);
    let currencies = figures.currencies();
    let currency = currencies.iter().find(|known| **known == query.currency);
    let Some(currency) = currency.or(currencies.first()) else {
        let page = DashboardPage {
            layout: Layout::of(&login, Section::Overview, "Overview"),
            count,
            lengths: LENGTHS,
            figures: None,
            currencies: &currencies,
        };
        return Ok(show(StatusCode::OK, &page));
    };
    let found = figures.days(currency);
    let refused = figures.refused(currency)?;
    let days: Vec<DayFigures> = (first..=today).map(|day| on(day, &found)).collect();
    let reasons = refused.iter().map(|refused| {
        let reason = labels::reason(refused.result, refused.issuer_code.as_deref());
        (reason.unwrap_or_default(), refused.count)
    });
    let page = DashboardPage {
        layout: Layout::of(&login, Section::Overview, "Overview"),
        count,
        lengths: LENGTHS,
        figures: Some(CurrencyFigures::of(currency, &days, reasons.collect())),
        currencies: &currencies,
    };
    Ok(show(StatusCode::OK, &page))
}

/// The selectable numbers of days.
const LENGTHS: [i64; 3] = [7, 30, MOST_DAYS];

/// The figures of a day; zeros if nothing happened.
fn on(day: i64, found: &[DayFigures]) -> DayFigures {
    let found = found.iter().find(|figures| figures.day == day);
    found.copied().unwrap_or(DayFigures {
        day,
        ..DayFigures::default()
    })
}

#[derive(Template)]
#[template(path = "office-dashboard.html")]
struct DashboardPage<'a> {
    layout: Layout<'a>,
    count: i64,
    lengths: [i64; 3],
    /// `None`: there was no attempt to pay in the period.
    figures: Option<CurrencyFigures<'a>>,
    currencies: &'a [&'a str],
}

impl DashboardPage<'_> {
    /// The same page for this number of days, or in another currency.
    fn path(&self, days: &i64, currency: &str) -> String {
        address(
            "/office",
            &[("days", &days.to_string()), ("currency", currency)],
        )
    }

    fn currency(&self) -> &str {
        self.figures.as_ref().map_or("", |figures| figures.currency)
    }
}

/// The figures of one currency on the page.
struct CurrencyFigures<'a> {
    currency: &'a str,
    approved: String,
    refunded: String,
    payments: i64,
    /// In percent, with one digit after the point; `None` if there was no attempt.
    rate: Option<String>,
    volume: Bars,
    rates: Line,
    reasons: Ranking,
    /// Newest first.
    rows: Vec<DayRow>,
}

/// A day in the table.
struct DayRow {
    day: String,
    approved: String,
    refunded: String,
    payments: i64,
    refused: i64,
    rate: Option<String>,
}

impl<'a> CurrencyFigures<'a> {
    fn of(
        currency: &'a str,
        days: &[DayFigures],
        reasons: Vec<(String, i64)>,
    ) -> CurrencyFigures<'a> {
        let total = |part: fn(&DayFigures) -> i64| days.iter().map(part).sum::<i64>();
        let names: Vec<String> = days.iter().map(|day| day_name(day.day)).collect();
        let volume = days.iter().map(|day| day.approved_minor);
        let rates = days.iter().map(|day| part_of(day.approved, day.refused));
        let payments = total(|day| day.approved);
        let rows = days
            .iter()
            .zip(&names)
            .rev()
            .filter(|(day, _)| **day != on(day.day, &[]));
        CurrencyFigures {
            currency,
            approved: sum_of_minor(total(|day| day.approved_minor), currency),
            refunded: sum_of_minor(total(|day| day.refunded_minor), currency),
            payments,
            rate: percent(part_of(payments, total(|day| day.refused))),
            volume: Bars::of(&volume.collect::<Vec<_>>(), &names, |minor| {
                sum_of_minor(minor, currency)
            }),
            rates: Line::of(&rates.collect::<Vec<_>>(), &names),
            reasons: Ranking::of(reasons),
            rows: rows
                .map(|(day, name)| DayRow {
                    day: name.clone(),
                    approved: sum_of_minor(day.approved_minor, currency),
                    refunded: sum_of_minor(day.refunded_minor, currency),
                    payments: day.approved,
                    refused: day.refused,
                    rate: percent(part_of(day.approved, day.refused)),
                })
                .collect(),
        }
    }
}

/// How many thousandths of all attempts were approved; `None` if there was no attempt.
fn part_of(approved: i64, refused: i64) -> Option<i64> {
    let all = approved + refused;
    (all > 0).then(|| (approved * 1000 + all / 2) / all)
}

fn percent(thousandths: Option<i64>) -> Option<String> {
    thousandths.map(|part| format!("{}.{}%", part / 10, part % 10))
}

/// `YYYY-MM-DD`.
fn day_name(day: i64) -> String {
    payframe_payment_domain::calendar::day_text(utc_day(day * DAY_MS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_of_those_that_were_answered() {
        for (approved, refused, expected) in [
            (0, 0, None),
            (1, 0, Some("100.0%")),
            (0, 3, Some("0.0%")),
            (2, 1, Some("66.7%")),
            (1, 7, Some("12.5%")),
        ] {
            assert_eq!(percent(part_of(approved, refused)).as_deref(), expected);
        }
    }

    #[test]
    fn figures_of_days_add_up() {
        let day = |day, approved_minor, refunded_minor, approved, refused| DayFigures {
            day,
            approved_minor,
            refunded_minor,
            approved,
            refused,
        };
        let days = [
            day(20_775, 1000, 0, 1, 1),
            day(20_776, 0, 0, 0, 0),
            day(20_777, 2500, 400, 2, 0),
        ];
        let figures = CurrencyFigures::of("EUR", &days, vec![(String::from("lost card"), 1)]);
        assert_eq!(
            (figures.approved.as_str(), figures.refunded.as_str()),
            ("€35.00", "€4.00")
        );
        assert_eq!(
            (figures.payments, figures.rate.as_deref()),
            (3, Some("75.0%"))
        );
        let rows: Vec<_> = figures.rows.iter().map(|row| row.day.as_str()).collect();
        assert_eq!(rows, ["2026-11-20", "2026-11-18"]);
    }
}
