//! Lists of orders and their filters, for merchants' servers and the back office.

pub use super::few_orders::AmountType;
use super::few_orders::{Searched, are_few};
use super::orders::{OrderRow, order_of};
use super::{Connection, Row, StoreError, Window, minor, query};
use payframe_money::Amount;

/// The orders `m`, each with its newest operation. One without operations has no `last_operation_ms`, so a condition on that leaves it out.
/// `LEFT` tells PostgreSQL that each order has one, so that it goes through the newest orders and does not read all.
macro_rules! with_last_operation {
    () => {
        "FROM merchant_order m LEFT JOIN operation o \
         ON o.merchant_id = m.merchant_id AND o.order_id = m.order_id AND o.time_ms = m.last_operation_ms"
    };
}

/// A filter for orders. `None` does not filter.
#[derive(Default)]
pub struct OrderFilter<'a> {
    /// The merchant's order.
    pub order_id: Option<&'a str>,
    /// ISO 4217 code.
    pub currency: Option<&'a str>,
    /// One of an order's amounts, with its minimum and maximum, both included.
    pub amount: Option<(AmountType, Amount, Amount)>,
    /// The state of its money.
    pub state: Option<OrderState>,
    /// Its status.
    pub status: Option<OrderStatus>,
    /// The merchant's custom field.
    pub custom_field: Option<&'a str>,
    /// How it was paid.
    pub paid_with: PaidWith<'a>,
}

/// How an order was paid, or was to be.
#[derive(Clone, Copy, Debug, Default)]
pub struct PaidWith<'a> {
    /// Network, wallet or method of its newest operation, as lists show it. With `last_four`: of the operation with these digits.
    pub circuit: Option<&'a str>,
    /// The last four digits of the card number of one of its operations.
    pub last_four: Option<&'a str>,
}

/// The state of an order's money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderState {
    /// An amount remains to be captured.
    ToCapture,
    /// Captured, and nothing remains.
    Captured,
}

/// The status of an order's money. An order with operations has exactly one. The totals decide first: money that is captured stays so while a
/// refund has no result. Where the totals are empty, the newest operation decides. Triggers of the database keep it with the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderStatus {
    /// Nothing is held or captured, and its newest operation is not final.
    Pending,
    /// An amount remains to be captured.
    ToCapture,
    /// The whole approved amount is captured, and nothing is refunded.
    Paid,
    /// A part is refunded.
    PartlyRefunded,
    /// The whole amount is refunded.
    Refunded,
    /// The authorization is released, or the capture is reversed.
    Released,
    /// The card was verified without a charge.
    Verified,
    /// Refused by the issuer, by risk rules, or by 3-D Secure.
    Refused,
    /// The payment was cancelled.
    Cancelled,
    /// A technical failure.
    Failed,
}

/// An order in a list.
pub struct ListedOrder {
    /// The merchant's order.
    pub order_id: String,
    /// The order.
    pub order: OrderRow,
    /// Its status.
    pub status: OrderStatus,
    /// The type of its newest operation.
    pub last_type: String,
    /// When its newest operation was created.
    pub last_ms: i64,
    /// The network of the card.
    pub circuit: Option<String>,
    /// The card or account, in the form that may be shown.
    pub instrument: Option<String>,
}

/// The status of a merchant's order. `None`: it has no operation.
pub async fn status(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<Option<OrderStatus>, StoreError> {
    let row =
        query("SELECT order_status FROM merchant_order WHERE merchant_id = ? AND order_id = ?")
            .bind(merchant_id)
            .bind(order_id)
            .fetch_optional(connection)
            .await?;
    let Some(row) = row else { return Ok(None) };
    let code: Option<&str> = row.try_get("order_status")?;
    code.map(known).transpose()
}

/// A merchant's orders that have operations, in descending order of the newest operation.
pub async fn list(
    connection: &mut Connection,
    merchant_id: &str,
    filter: &OrderFilter<'_>,
    window: Window,
) -> Result<Vec<ListedOrder>, StoreError> {
    let amount_type = filter.amount.map(|(amount_type, _, _)| match amount_type {
        AmountType::Order => "ORDER",
        AmountType::Authorized => "AUTHORIZED",
        AmountType::Captured => "CAPTURED",
    });
    let state = filter.state.map(|state| match state {
        OrderState::ToCapture => "TO_CAPTURE",
        OrderState::Captured => "CAPTURED",
    });
    let instrument = filter
        .paid_with
        .last_four
        .map(|digits| format!("***{digits}"));
    let by_amount = AmountIndex::of(connection, merchant_id, filter.amount).await?;
    let rows = query(statement(filter, by_amount))
        .bind(merchant_id)
        .bind(window.from_ms)
        .bind(window.to_ms)
        .bind(filter.order_id)
        .bind(filter.custom_field)
        .bind(amount_type)
        .bind(filter.amount.map(|(_, least, _)| minor(least)))
        .bind(filter.amount.map(|(_, _, most)| minor(most)))
        .bind(state)
        .bind(filter.currency)
        .bind(filter.paid_with.circuit)
        .bind(instrument)
        .bind(searched_status(filter).map(OrderStatus::code))
        .bind(window.max_records)
        .fetch_all(connection)
        .await?;
    rows.iter().map(listed).collect()
}

/// What a filter asks of an order `m`, apart from how it was paid. `$time`: the time of its newest operation, in the column of the index that
/// leads to it.
macro_rules! order_conditions {
    ($time:literal) => {
        concat!(
            "m.merchant_id = ?1 AND ", $time, " >= ?2 AND ", $time, " < ?3 \
             AND (?4 IS NULL OR m.order_id = ?4) AND (?5 IS NULL OR m.custom_field = ?5) \
             AND (?6 IS NULL OR CASE ?6 WHEN 'AUTHORIZED' THEN m.authorized_minor WHEN 'CAPTURED' THEN m.captured_minor \
                  ELSE m.amount_minor END BETWEEN ?7 AND ?8) \
             AND CASE ?9 WHEN 'TO_CAPTURE' THEN m.authorized_minor > m.captured_minor \
                 WHEN 'CAPTURED' THEN m.captured_minor > 0 AND m.authorized_minor = m.captured_minor ELSE TRUE END \
             AND (?10 IS NULL OR m.currency = ?10) AND (?13 IS NULL OR m.order_status = ?13)"
        )
    };
}

/// The list of orders. `$source`: where the search begins, so that an index leads to what is rare. `$where`: what holds there besides.
/// `$time`: the time of the newest operation, in the column of that index. The expression around the instrument lets databases find an
/// order's operations by the order, not among all with that instrument.
macro_rules! listed_from {
    ($source:expr, $where:expr, $time:literal) => {
        concat!(
            "SELECT m.*, o.operation_type AS last_type, o.circuit, o.instrument, ", $time, " AS listed_ms ",
            $source, " WHERE ", $where, " AND ", order_conditions!($time), " \
             AND (?12 IS NULL AND (?11 IS NULL OR o.circuit = ?11) OR EXISTS (SELECT 1 FROM operation p \
                  WHERE p.merchant_id = m.merchant_id AND p.order_id = m.order_id \
                  AND (?11 IS NULL OR p.circuit = ?11) AND p.instrument || '' = ?12)) \
             ORDER BY listed_ms DESC LIMIT ?14"
        )
    };
}

/// The list of the orders that a card was used for. Those whose newest operation has the card are found by the index of operations: no
/// operation is newer, so its time is that of the list. The others are found by their earlier cards. Each part goes through an index in the
/// order of the list, and ends after a page. `$operation`, `$earlier`: what is asked of the network in each part.
macro_rules! listed_by_card {
    ($operation:literal, $earlier:literal) => {
        concat!(
            "SELECT m.*, o.operation_type AS last_type, o.circuit, o.instrument, found.listed_ms FROM (\
             SELECT order_id, listed_ms FROM (SELECT p.order_id, p.time_ms AS listed_ms FROM operation p CROSS JOIN merchant_order m \
                 WHERE p.merchant_id = ?1 AND p.instrument = ?12", $operation, " \
                 AND m.order_id = p.order_id AND m.last_operation_ms <= p.time_ms AND ", order_conditions!("p.time_ms"), " \
                 ORDER BY p.time_ms DESC LIMIT ?14) AS by_newest \
             UNION SELECT order_id, listed_ms FROM (\
                 SELECT DISTINCT c.order_id, c.last_operation_ms AS listed_ms FROM earlier_card c CROSS JOIN merchant_order m \
                 WHERE c.merchant_id = ?1 AND c.instrument = ?12", $earlier, " \
                 AND m.order_id = c.order_id AND ", order_conditions!("c.last_operation_ms"), " \
                 ORDER BY listed_ms DESC, c.order_id DESC LIMIT ?14) AS by_earlier) AS found \
             CROSS JOIN merchant_order m JOIN operation o \
             ON o.merchant_id = m.merchant_id AND o.order_id = m.order_id AND o.time_ms = m.last_operation_ms \
             WHERE m.merchant_id = ?1 AND m.order_id = found.order_id ORDER BY found.listed_ms DESC LIMIT ?14"
        )
    };
}

/// The status that is searched for. The state `TO_CAPTURE` is one.
fn searched_status(filter: &OrderFilter<'_>) -> Option<OrderStatus> {
    let to_capture = filter.state == Some(OrderState::ToCapture);
    filter
        .status
        .or(to_capture.then_some(OrderStatus::ToCapture))
}

/// How a search for an amount uses the index of that amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AmountIndex {
    /// It does not: nothing is searched for, or so much that going through the newest orders finds it soon.
    Unused,
    /// One amount: the index has its orders by time.
    Exact(AmountType),
    /// A range of few orders, which are sorted.
    Range(AmountType),
}

impl AmountIndex {
    async fn of(
        connection: &mut Connection,
        merchant_id: &str,
        searched: Option<(AmountType, Amount, Amount)>,
    ) -> Result<AmountIndex, StoreError> {
        let Some((amount_type, least, most)) = searched else {
            return Ok(AmountIndex::Unused);
        };
        if amount_type.is_in_index(least) && least == most {
            return Ok(AmountIndex::Exact(amount_type));
        }
        let searched = Searched::Amount(amount_type, least, most);
        Ok(
            match are_few(connection, merchant_id, Some(searched)).await? {
                true => AmountIndex::Range(amount_type),
                false => AmountIndex::Unused,
            },
        )
    }
}

/// The statement for a filter. Each has the same values. It begins with what is rare in most tables.
fn statement(filter: &OrderFilter<'_>, by_amount: AmountIndex) -> &'static str {
    let PaidWith { circuit, last_four } = filter.paid_with;
    if filter.order_id.is_some() {
        return listed_from!(
            with_last_operation!(),
            "m.order_id = ?4",
            "m.last_operation_ms"
        );
    }
    if last_four.is_some() {
        return match circuit {
            None => listed_by_card!("", ""),
            // As a range, so that a file is not searched by the index of networks.
            Some(_) => {
                listed_by_card!(" AND p.circuit BETWEEN ?11 AND ?11", " AND c.circuit = ?11")
            }
        };
    }
    if filter.custom_field.is_some() {
        return listed_from!(
            with_last_operation!(),
            "m.custom_field = ?5",
            "m.last_operation_ms"
        );
    }
    macro_rules! with_amount {
        ($where:literal, $time:literal) => {
            listed_from!(
                with_last_operation!(),
                concat!($where, " AND m.last_operation_ms IS NOT NULL"),
                $time
            )
        };
    }
    // `+` keeps databases from going through the orders by time.
    match by_amount {
        AmountIndex::Exact(AmountType::Order) => {
            return with_amount!("m.amount_minor = ?7", "m.last_operation_ms");
        }
        AmountIndex::Exact(AmountType::Authorized) => {
            return with_amount!(
                "m.authorized_minor = ?7 AND m.authorized_minor > 0",
                "m.last_operation_ms"
            );
        }
        AmountIndex::Exact(AmountType::Captured) => {
            return with_amount!(
                "m.captured_minor = ?7 AND m.captured_minor > 0",
                "m.last_operation_ms"
            );
        }
        AmountIndex::Range(AmountType::Order) => {
            return with_amount!("m.amount_minor BETWEEN ?7 AND ?8", "+m.last_operation_ms");
        }
        AmountIndex::Range(AmountType::Authorized) => {
            return with_amount!(
                "m.authorized_minor BETWEEN ?7 AND ?8 AND m.authorized_minor > 0",
                "+m.last_operation_ms"
            );
        }
        AmountIndex::Range(AmountType::Captured) => {
            return with_amount!(
                "m.captured_minor BETWEEN ?7 AND ?8 AND m.captured_minor > 0",
                "+m.last_operation_ms"
            );
        }
        AmountIndex::Unused => {}
    }
    if searched_status(filter).is_some() {
        return listed_from!(
            with_last_operation!(),
            "m.order_status = ?13",
            "m.last_operation_ms"
        );
    }
    if circuit.is_some() {
        // No operation is newer than the last one of its order. By `=` a server would expect that hardly any operation has an order, so that it
        // would join all of them before it finds enough.
        return listed_from!(
            "FROM operation o CROSS JOIN merchant_order m",
            "o.merchant_id = ?1 AND o.circuit = ?11 AND m.order_id = o.order_id AND m.last_operation_ms <= o.time_ms",
            "o.time_ms"
        );
    }
    if filter.currency.is_some() {
        return listed_from!(
            with_last_operation!(),
            "m.currency = ?10",
            "m.last_operation_ms"
        );
    }
    listed_from!(
        with_last_operation!(),
        "m.order_id IS NOT NULL",
        "m.last_operation_ms"
    )
}

impl OrderStatus {
    /// Its code in URLs and queries.
    pub fn code(self) -> &'static str {
        match self {
            OrderStatus::Pending => "PENDING",
            OrderStatus::ToCapture => "TO_CAPTURE",
            OrderStatus::Paid => "PAID",
            OrderStatus::PartlyRefunded => "PARTLY_REFUNDED",
            OrderStatus::Refunded => "REFUNDED",
            OrderStatus::Released => "RELEASED",
            OrderStatus::Verified => "VERIFIED",
            OrderStatus::Refused => "REFUSED",
            OrderStatus::Cancelled => "CANCELED",
            OrderStatus::Failed => "FAILED",
        }
    }

    /// The status with this code.
    pub fn from_code(code: &str) -> Option<OrderStatus> {
        OrderStatus::ALL
            .into_iter()
            .find(|status| status.code() == code)
    }

    /// All of them.
    pub const ALL: [OrderStatus; 10] = [
        OrderStatus::Paid,
        OrderStatus::ToCapture,
        OrderStatus::Pending,
        OrderStatus::PartlyRefunded,
        OrderStatus::Refunded,
        OrderStatus::Released,
        OrderStatus::Verified,
        OrderStatus::Refused,
        OrderStatus::Cancelled,
        OrderStatus::Failed,
    ];
}

fn known(code: &str) -> Result<OrderStatus, StoreError> {
    OrderStatus::from_code(code).ok_or(StoreError::Unreadable("status of an order"))
}

fn listed(row: &Row) -> Result<ListedOrder, StoreError> {
    Ok(ListedOrder {
        order_id: row.try_get("order_id")?,
        order: order_of(row)?,
        status: known(row.try_get("order_status")?)?,
        last_type: row.try_get("last_type")?,
        last_ms: row.try_get("last_operation_ms")?,
        circuit: row.try_get("circuit")?,
        instrument: row.try_get("instrument")?,
    })
}
