//! What is asked of a gateway with many orders: every list, every search and every look-up that grows with them, of the API and of the back
//! office. Each question differs each time: another order, another card, another page.

use super::calendar::{DAY_MS, written};
use super::clearing::file_of;
use super::copies::{last_four, more};
use super::filled::Filled;
use super::orders::{AMOUNT, Case, MERCHANT, ORDERS_OF_A_CUSTOMER, ORDERS_OF_A_FIELD};
use anyhow::Result;
use fastrand::Rng;

/// Something that merchants' servers or members ask.
pub(super) struct Question {
    /// What, in the words of the report.
    pub(super) about: &'static str,
    /// Whether the time has an aim. The time of a file or of figures grows with the days that it covers.
    pub(super) has_aim: bool,
    who: Who,
    path: fn(&mut Picked) -> String,
}

#[derive(Clone, Copy)]
enum Who {
    Server,
    Member,
}

/// Any order of the gateway, for one question.
pub(super) struct Picked<'a> {
    filled: &'a Filled,
    random: &'a mut Rng,
}

impl Question {
    /// Asks, and takes the whole answer.
    pub(super) async fn ask(&self, filled: &mut Filled, random: &mut Rng) -> Result<()> {
        let path = (self.path)(&mut Picked { filled, random });
        match self.who {
            Who::Server => drop(filled.line.get(MERCHANT, &path).await?),
            Who::Member => drop(filled.line.page(&filled.cookie, &path).await?),
        }
        Ok(())
    }
}

impl Picked<'_> {
    fn template(&mut self) -> usize {
        self.random.usize(..self.filled.orders.len())
    }

    fn of(&self, case: Case) -> usize {
        let found = self
            .filled
            .orders
            .iter()
            .position(|order| order.case == case);
        found.unwrap_or_default()
    }

    fn n(&mut self) -> i64 {
        self.random.i64(0..self.filled.copies.of_each)
    }

    /// A copy so young that its event and its notification are there.
    fn young(&mut self) -> i64 {
        let copies = &self.filled.copies;
        let youngest = 80 * DAY_MS / (copies.step_ms * copies.templates);
        self.random.i64(0..youngest.clamp(1, copies.of_each))
    }

    fn order(&mut self) -> String {
        let (template, n) = (self.template(), self.n());
        self.order_of(template, n)
    }

    fn order_of(&self, template: usize, n: i64) -> String {
        format!("{}-{n}", self.filled.orders[template].order_id)
    }

    fn operation(&mut self) -> String {
        let (template, n) = (self.of(Case::Paid), self.n());
        self.id("operation", template, n)
    }

    fn id(&self, table: &str, template: usize, n: i64) -> String {
        self.filled.id(table, template, n).unwrap_or_default()
    }

    fn customer_of(&mut self, case: Case) -> String {
        let (template, n) = (self.of(case), self.n());
        let customer = &self.filled.orders[template].customer_id;
        let copies = &self.filled.copies;
        format!("{customer}-{}", copies.shared(n, ORDERS_OF_A_CUSTOMER))
    }

    fn field(&mut self) -> String {
        let (template, n) = (self.template(), self.n());
        self.field_of(template, n)
    }

    fn field_of(&self, template: usize, n: i64) -> String {
        let field = &self.filled.orders[template].custom_field;
        let copies = &self.filled.copies;
        format!("{field}-{}", copies.shared(n, ORDERS_OF_A_FIELD))
    }

    /// When any order was made.
    fn time_ms(&mut self) -> i64 {
        let (template, n) = (self.template(), self.n());
        self.filled.copies.time_ms(template as i64, n)
    }

    /// The parameter of the API for a page somewhere in the list.
    fn api_page(&mut self) -> String {
        format!("toTime={}", written(self.time_ms()))
    }

    /// The parameter of the back office for a page somewhere in the list.
    fn office_page(&mut self) -> String {
        format!("before={}", self.time_ms())
    }

    /// The parameters of the back office for any day.
    fn day(&mut self) -> String {
        let time = written(self.time_ms());
        let day = time.get(..10).unwrap_or_default();
        format!("from={day}&to={day}")
    }

    /// Any clearing file that is old enough to be there.
    fn clearing_file(&mut self) -> String {
        let copies = &self.filled.copies;
        let n = copies.of_each / 10 + self.random.i64(0..copies.of_each * 9 / 10);
        let template = self.of(Case::Paid);
        file_of(self.filled.copies.time_ms(template as i64, n))
    }

    fn amount(&mut self) -> i64 {
        AMOUNT + more(self.n())
    }

    fn last_four(&mut self) -> String {
        format!("{:04}", last_four(self.n()))
    }
}

const fn question(who: Who, about: &'static str, path: fn(&mut Picked) -> String) -> Question {
    Question {
        about,
        has_aim: true,
        who,
        path,
    }
}

const fn api(about: &'static str, path: fn(&mut Picked) -> String) -> Question {
    question(Who::Server, about, path)
}

const fn office(about: &'static str, path: fn(&mut Picked) -> String) -> Question {
    question(Who::Member, about, path)
}

const fn without_aim(question: Question) -> Question {
    Question {
        has_aim: false,
        ..question
    }
}

fn euros(minor: i64) -> String {
    format!("{}.{:02}", minor / 100, minor % 100)
}

/// All questions. Reservations and the audit log grow with other things than orders.
pub(super) const QUESTIONS: &[Question] = &[
    api("GET /orders", |_| String::from("/api/orders")),
    api("GET /orders, any page", |any| {
        format!("/api/orders?{}", any.api_page())
    }),
    api("GET /orders, 500 rows", |any| {
        format!("/api/orders?maxRecords=500&{}", any.api_page())
    }),
    api("GET /orders by id", |any| {
        let (template, n) = (any.of(Case::Paid), any.n());
        let end = written(any.filled.copies.time_ms(template as i64, n) + DAY_MS);
        format!(
            "/api/orders?orderId={}&toTime={end}",
            any.order_of(template, n)
        )
    }),
    api("GET /orders by custom field", |any| {
        format!("/api/orders?customField={}", any.field())
    }),
    api("GET /orders by amount", |any| {
        let (amount, to) = (any.amount(), any.api_page());
        format!("/api/orders?minAmount={amount}&maxAmount={amount}&{to}")
    }),
    api("GET /orders by captured amount", |any| {
        let (amount, to) = (any.amount(), any.api_page());
        format!("/api/orders?amountType=CAPTURED_AMOUNT&minAmount={amount}&maxAmount={amount}&{to}")
    }),
    api("GET /orders by an amount of none", |any| {
        format!(
            "/api/orders?minAmount=77777777&maxAmount=77777778&{}",
            any.api_page()
        )
    }),
    api("GET /orders to capture", |any| {
        format!("/api/orders?orderState=TO_CAPTURE&{}", any.api_page())
    }),
    api("GET /orders/{id}", |any| {
        format!("/api/orders/{}", any.order())
    }),
    api("GET /operations", |_| String::from("/api/operations")),
    api("GET /operations, any page", |any| {
        format!("/api/operations?{}", any.api_page())
    }),
    api("GET /operations by type", |any| {
        format!("/api/operations?operationType=REFUND&{}", any.api_page())
    }),
    api("GET /operations of no channel", |any| {
        format!("/api/operations?channel=POS&{}", any.api_page())
    }),
    api("GET /operations by custom field", |any| {
        format!("/api/operations?customField={}", any.field())
    }),
    api("GET /operations/{id}", |any| {
        format!("/api/operations/{}", any.operation())
    }),
    api("GET /events", |_| String::from("/api/events")),
    api("GET /events, 500 rows", |_| {
        String::from("/api/events?limit=500")
    }),
    api("GET /orders/paybylink", |_| {
        String::from("/api/v2/orders/paybylink")
    }),
    api("GET /orders/paybylink, any page", |any| {
        format!("/api/v2/orders/paybylink?{}", any.api_page())
    }),
    api("GET /orders/paybylink by order", |any| {
        let (template, n) = (any.of(Case::Link), any.n());
        format!(
            "/api/v2/orders/paybylink?orderId={}",
            any.order_of(template, n)
        )
    }),
    api("GET /orders/paybylink by customer", |any| {
        format!(
            "/api/v2/orders/paybylink?customerId={}",
            any.customer_of(Case::Link)
        )
    }),
    api("GET /orders/paybylink by custom field", |any| {
        let (template, n) = (any.of(Case::Link), any.n());
        format!(
            "/api/v2/orders/paybylink?customField={}",
            any.field_of(template, n)
        )
    }),
    api("GET /orders/paybylink by status", |any| {
        format!("/api/v2/orders/paybylink?status=PAID&{}", any.api_page())
    }),
    api("GET /orders/paybylink/{id}", |any| {
        let (template, n) = (any.of(Case::Link), any.n());
        format!(
            "/api/v2/orders/paybylink/{}",
            any.id("hosted_page", template, n)
        )
    }),
    api("GET /contracts/customers/{id}", |any| {
        format!(
            "/api/contracts/customers/{}",
            any.customer_of(Case::Contract)
        )
    }),
    api("GET /disputes", |_| String::from("/api/disputes")),
    api("GET /disputes by state", |_| {
        String::from("/api/disputes?state=WON")
    }),
    api("GET /disputes by order", |any| {
        let (template, n) = (any.of(Case::Disputed), any.n());
        format!("/api/disputes?orderId={}", any.order_of(template, n))
    }),
    api("GET /settlements", |_| String::from("/api/settlements")),
    api("GET /settlements/{id}, any page", |any| {
        let after = any.random.u32(..1000);
        format!("/api/settlements/{}?after={after}", any.clearing_file())
    }),
    office("orders", |_| String::from("/office/orders")),
    office("orders, any page", |any| {
        format!("/office/orders?{}", any.office_page())
    }),
    office("orders of a day", |any| {
        format!("/office/orders?{}", any.day())
    }),
    office("orders by id", |any| {
        format!("/office/orders?q={}", any.order())
    }),
    office("orders by operation", |any| {
        format!("/office/orders?q={}", any.operation())
    }),
    office("orders by last four digits", |any| {
        format!("/office/orders?last_four={}", any.last_four())
    }),
    office("orders by digits and network", |any| {
        format!("/office/orders?circuit=AMEX&last_four={}", any.last_four())
    }),
    office("orders by network", |any| {
        format!("/office/orders?circuit=DINERS&{}", any.office_page())
    }),
    office("orders by the most used network", |any| {
        format!("/office/orders?circuit=VISA&{}", any.office_page())
    }),
    office("orders of no network", |_| {
        String::from("/office/orders?circuit=JCB")
    }),
    office("orders by amount", |any| {
        let amount = euros(any.amount());
        format!("/office/orders?currency=EUR&least={amount}&most={amount}")
    }),
    office("orders by a range of amounts", |any| {
        format!(
            "/office/orders?currency=EUR&least=40&most=90&{}",
            any.office_page()
        )
    }),
    office("orders by an amount of none", |_| {
        String::from("/office/orders?currency=EUR&least=777777&most=777778")
    }),
    office("orders by currency", |any| {
        format!("/office/orders?currency=EUR&{}", any.office_page())
    }),
    office("orders of no currency", |_| {
        String::from("/office/orders?currency=GBP")
    }),
    office("orders that are paid", |any| {
        format!("/office/orders?status=PAID&{}", any.office_page())
    }),
    office("orders that are refused", |any| {
        format!("/office/orders?status=REFUSED&{}", any.office_page())
    }),
    office("orders that are refunded", |any| {
        format!("/office/orders?status=REFUNDED&{}", any.office_page())
    }),
    office("orders to capture", |_| {
        String::from("/office/orders?status=TO_CAPTURE")
    }),
    office("orders that are released", |_| {
        String::from("/office/orders?status=RELEASED")
    }),
    office("orders that failed", |_| {
        String::from("/office/orders?status=FAILED")
    }),
    office("orders that are pending", |_| {
        String::from("/office/orders?status=PENDING")
    }),
    office("an order", |any| format!("/office/orders/{}", any.order())),
    office("links", |any| {
        format!("/office/links?{}", any.office_page())
    }),
    office("links by customer", |any| {
        format!("/office/links?customer={}", any.customer_of(Case::Link))
    }),
    office("links by status", |_| {
        String::from("/office/links?status=PAID")
    }),
    office("a link", |any| {
        let (template, n) = (any.of(Case::Link), any.n());
        format!("/office/links/{}", any.id("hosted_page", template, n))
    }),
    office("notifications", |_| String::from("/office/notifications")),
    office("notifications by order", |any| {
        let (template, n) = (any.of(Case::Paid), any.young());
        format!("/office/notifications?order={}", any.order_of(template, n))
    }),
    office("notifications given up", |_| {
        String::from("/office/notifications?status=GIVEN_UP")
    }),
    office("contracts", |_| String::from("/office/contracts")),
    office("contracts by customer", |any| {
        format!(
            "/office/contracts?customer={}",
            any.customer_of(Case::Contract)
        )
    }),
    office("disputes", |_| String::from("/office/disputes")),
    office("disputes by state", |_| {
        String::from("/office/disputes?state=WON")
    }),
    office("clearing files", |_| String::from("/office/settlement")),
    office("a clearing file", |any| {
        format!("/office/settlement/{}", any.clearing_file())
    }),
    office("differences", |_| {
        String::from("/office/settlement/differences")
    }),
    office("differences, any page", |any| {
        let (time_ms, operation_id) = (any.time_ms(), any.operation());
        format!("/office/settlement/differences?before={time_ms}:{operation_id}")
    }),
    office("differences of one kind", |_| {
        String::from("/office/settlement/differences?difference=NOT_IN_FILE&state=OPEN")
    }),
    office("differences of a file", |any| {
        format!(
            "/office/settlement/differences?file={}",
            any.clearing_file()
        )
    }),
    office("differences that are cleared", |_| {
        String::from("/office/settlement/differences?state=CLEARED")
    }),
    office("books", |_| String::from("/office/books")),
    office("figures", |_| String::from("/office")),
    without_aim(office("orders of a day as a file", |any| {
        format!("/office/orders.csv?{}", any.day())
    })),
    without_aim(office("operations of a day as a file", |any| {
        format!("/office/operations.csv?{}", any.day())
    })),
];
