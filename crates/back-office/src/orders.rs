//! The list of orders, with its search fields.

use super::display::{address, segment, sum};
use super::error::OfficeError;
use super::filter::{FieldErrors, ListQuery, ROWS_AND_ONE, ResultPage, typed};
use super::labels::{self, Badge};
use super::login_session::LoginSession;
use super::moment::Moment;
use super::page::{Layout, Section, show};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;
use payframe_money::{Amount, currencies};
use payframe_storage::order_list::{
    self, AmountType, ListedOrder, OrderFilter, OrderStatus, PaidWith,
};
use payframe_storage::{Connection, StoreError, Window, operations, orders};
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new().route("/office/orders", get(list))
}

/// The parameters of the address.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct OrdersQuery {
    /// The id of an order or of an operation.
    q: String,
    from: String,
    to: String,
    currency: String,
    least: String,
    most: String,
    status: String,
    circuit: String,
    last_four: String,
    before: String,
}

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(query): Query<OrdersQuery>,
) -> Result<Response, OfficeError> {
    let merchant_id = &login.member.merchant_id;
    let mut errors = FieldErrors::default();
    let mut connection = office.store().read().await?;
    let named = order_named(&mut connection, merchant_id, query.named()).await?;
    let (filter, window) = query.read(&named, &mut errors);
    let listed = match errors.is_empty() {
        true => order_list::list(&mut connection, merchant_id, &filter, window).await?,
        false => Vec::new(),
    };
    // An order without an attempt to pay is in no list.
    let untouched = match listed.is_empty() && !named.is_empty() {
        true => orders::find(&mut connection, merchant_id, &named).await?,
        false => None,
    };
    let result = ResultPage::of(listed, |row| row.last_ms);
    let page = OrdersPage {
        layout: Layout::of(&login, Section::Orders, "Orders"),
        rows: result.rows.iter().map(Row::of).collect(),
        next: result.next.map(|next| query.next(next)),
        untouched: untouched.map(|_| path_of(&named)),
        is_filtered: query.is_filtered(),
        exports: [
            (
                address("/office/orders.csv", &query.fields()),
                "Export orders as CSV",
            ),
            (
                address(
                    "/office/operations.csv",
                    &[("from", &query.from), ("to", &query.to)],
                ),
                "Export operations of these days",
            ),
        ],
        statuses: OrderStatus::ALL.map(|status| (status.code(), labels::status(status).text)),
        circuits: labels::circuits(),
        currencies: currencies().collect(),
        query: &query,
        errors: &errors,
    };
    Ok(show(errors.status(), &page))
}

/// The id of the order that was asked for, by its own id or by that of one of its operations.
pub(super) async fn order_named(
    connection: &mut Connection,
    merchant_id: &str,
    id: &str,
) -> Result<String, StoreError> {
    if id.is_empty() {
        return Ok(String::new());
    }
    let operation = operations::find_of_merchant(connection, merchant_id, id).await?;
    Ok(operation.map_or_else(|| id.to_owned(), |operation| operation.order_id))
}

impl OrdersQuery {
    /// The id that is searched for.
    pub(super) fn named(&self) -> &str {
        self.q.trim()
    }

    /// The days that are searched.
    pub(super) fn days(&self, errors: &mut FieldErrors, most: u32) -> Window {
        errors.window((&self.from, &self.to), &self.before, most)
    }

    pub(super) fn read<'a>(
        &'a self,
        named: &'a str,
        errors: &mut FieldErrors,
    ) -> (OrderFilter<'a>, Window) {
        let currency = errors.currency("currency", &self.currency);
        let (least, most) = match currency {
            Some(currency) => (
                errors.amount("least", &self.least, currency),
                errors.amount("most", &self.most, currency),
            ),
            None => {
                if !(self.least.is_empty() && self.most.is_empty()) && self.currency.is_empty() {
                    errors.add("currency", "Choose the currency of the amounts.");
                }
                (None, None)
            }
        };
        if let (Some(least), Some(most)) = (least, most)
            && least > most
        {
            errors.add("most", "This is less than the least amount.");
        }
        let amount = (least.is_some() || most.is_some()).then(|| {
            (
                AmountType::Order,
                least.unwrap_or(Amount::ZERO),
                most.unwrap_or(Amount::MAX),
            )
        });
        let is_four =
            |text: &str| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
        let last_four = typed(&self.last_four);
        if last_four.is_some_and(|text| !is_four(text)) {
            errors.add(
                "last_four",
                "Write the last four digits of the card number.",
            );
        }
        let filter = OrderFilter {
            order_id: (!named.is_empty()).then_some(named),
            currency,
            amount,
            status: errors.choice("status", &self.status, OrderStatus::from_code),
            paid_with: PaidWith {
                circuit: (!self.circuit.is_empty()).then_some(&self.circuit),
                last_four,
            },
            ..OrderFilter::default()
        };
        (filter, self.days(errors, ROWS_AND_ONE))
    }

    /// Whether one of the fields is used that are hidden at first.
    fn is_detailed(&self) -> bool {
        let fields = [
            &self.currency,
            &self.least,
            &self.most,
            &self.circuit,
            &self.last_four,
        ];
        fields.into_iter().any(|field| !field.is_empty())
    }
}

impl ListQuery for OrdersQuery {
    const PATH: &'static str = "/office/orders";

    fn fields(&self) -> Vec<(&'static str, &str)> {
        vec![
            ("q", self.q.as_str()),
            ("from", &self.from),
            ("to", &self.to),
            ("currency", &self.currency),
            ("least", &self.least),
            ("most", &self.most),
            ("status", &self.status),
            ("circuit", &self.circuit),
            ("last_four", &self.last_four),
        ]
    }
}

/// The page of an order.
pub(super) fn path_of(order_id: &str) -> String {
    format!("/office/orders/{}", segment(order_id))
}

#[derive(Template)]
#[template(path = "office-orders.html")]
struct OrdersPage<'a> {
    layout: Layout<'a>,
    rows: Vec<Row<'a>>,
    /// The address of the next page.
    next: Option<String>,
    /// The page of the order that was asked for, if it has no operation.
    untouched: Option<String>,
    is_filtered: bool,
    /// The addresses of files, and what they are called.
    exports: [(String, &'static str); 2],
    statuses: [(&'static str, &'static str); 10],
    circuits: Vec<(&'static str, String)>,
    currencies: Vec<&'static str>,
    query: &'a OrdersQuery,
    errors: &'a FieldErrors,
}

struct Row<'a> {
    order_id: &'a str,
    path: String,
    status: Badge,
    sum: String,
    last: Moment,
    last_type: String,
    paid_with: String,
}

impl<'a> Row<'a> {
    fn of(listed: &'a ListedOrder) -> Row<'a> {
        let circuit = listed.circuit.as_deref().map(labels::circuit);
        let parts = [circuit.as_deref(), listed.instrument.as_deref()];
        Row {
            order_id: &listed.order_id,
            path: path_of(&listed.order_id),
            status: labels::status(listed.status),
            sum: sum(listed.order.amount, &listed.order.currency),
            last: Moment(listed.last_ms),
            last_type: labels::kind(&listed.last_type),
            paid_with: parts.into_iter().flatten().collect::<Vec<_>>().join(" "),
        }
    }
}
