//! The shop's orders, each kept by the order keeper: what happens to an order is given to it, and what it answers is carried out. Rows are in
//! memory here. A real shop has them in its database, and what is marked as a transaction is one; see `docs/order-keeper.md` of the project.

use payframe_server::order_keeper::{
    Input, Order, Output, PaymentUnavailable, new_order, read_input, to_json,
};
use payframe_server::types::{FulfilmentRequest, FulfilmentState, Session};
use payframe_server::{Call, Money, Payframe, PayframeError};
use std::collections::{HashMap, VecDeque};
use std::fmt::Display;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::task::AbortHandle;

pub(crate) struct OrderBook {
    payframe: Payframe,
    report: Report,
    rows: Mutex<HashMap<String, Row>>,
    /// Itself, for what is done later.
    book: Weak<OrderBook>,
}

/// Hears of what failed.
type Report = Box<dyn Fn(&dyn Display) + Send + Sync>;

struct Row {
    order: Order,
    price: Money,
    outbox: VecDeque<Output>,
    sessions: HashMap<u32, Session>,
    question: Option<AbortHandle>,
    shipped: u32,
}

/// What happens leads to outputs, and they lead to what happens: a future that holds itself is on the heap.
type Happening<'a> = Pin<Box<dyn Future<Output = Vec<Output>> + Send + 'a>>;

impl OrderBook {
    /// `report` hears of what failed, and of orders that need a person.
    pub(crate) fn new(
        payframe: Payframe,
        report: impl Fn(&dyn Display) + Send + Sync + 'static,
    ) -> Arc<OrderBook> {
        Arc::new_cyclic(|book| OrderBook {
            payframe,
            report: Box::new(report),
            rows: Mutex::default(),
            book: book.clone(),
        })
    }

    pub(crate) fn report(&self, problem: &dyn Display) {
        (self.report)(problem);
    }

    pub(crate) fn has(&self, order_id: &str) -> bool {
        self.rows().contains_key(order_id)
    }

    /// The status of an order, in the word that is stored.
    pub(crate) fn status(&self, order_id: &str) -> Option<String> {
        let stored = to_json(&self.rows().get(order_id)?.order);
        stored["status"].as_str().map(str::to_owned)
    }

    /// How often the goods were sent: once, at most.
    #[allow(dead_code, reason = "the test of this shop asks")]
    pub(crate) fn shipped(&self, order_id: &str) -> Option<u32> {
        Some(self.rows().get(order_id)?.shipped)
    }

    /// A new order. Its row is there before the gateway hears of it.
    pub(crate) fn place(
        &self,
        order_id: &str,
        price: Money,
        pay_within: Duration,
    ) -> Result<(), PayframeError> {
        let row = Row {
            order: new_order(price.amount.parse().unwrap_or_default())?,
            price,
            outbox: VecDeque::new(),
            sessions: HashMap::new(),
            question: None,
            shipped: 0,
        };
        self.rows().insert(order_id.to_owned(), row);
        self.later(pay_within, order_id, |book, order_id| async move {
            book.happens(&order_id, Input::TimeOut).await;
        });
        Ok(())
    }

    /// The buyer presses Pay. The form is shown only if the keeper says so.
    ///
    /// `build` is `POST /orders/build`. The answer is the session to show, or why there is none.
    pub(crate) async fn pay(
        &self,
        order_id: &str,
        build: impl FnOnce() -> Call<Session>,
    ) -> Result<Result<Session, &'static str>, PayframeError> {
        let wanted = self.happens(order_id, Input::AttemptWanted).await;
        let number = match wanted.first() {
            Some(Output::OpenAttempt(number)) => *number,
            Some(Output::RefuseAttempt(why)) => return Ok(Err(word(*why))),
            _ => return Ok(Err(word(PaymentUnavailable::NotForSale))),
        };
        let session = match build().await {
            Ok(session) => session,
            Err(error) => {
                // Another attempt has paid the order.
                if error.code() == "GW9006" {
                    self.happens(order_id, Input::Feed).await;
                }
                return Err(error);
            }
        };
        if let Some(row) = self.rows().get_mut(order_id) {
            row.sessions.insert(number, session.clone());
        }
        let outputs = self.happens(order_id, Input::AttemptOpened(number)).await;
        match outputs.contains(&Output::ShowForm(number)) {
            true => Ok(Ok(session)),
            false => Ok(Err(word(PaymentUnavailable::NotForSale))),
        }
    }

    /// Answers when everything that can be done at once is done.
    pub(crate) fn happens<'a>(&'a self, order_id: &'a str, input: Input) -> Happening<'a> {
        Box::pin(async move {
            let outputs = {
                let mut rows = self.rows();
                let Some(row) = rows.get_mut(order_id) else {
                    return Vec::new();
                };
                // Begin of the transaction.
                let (order, outputs) = row.order.clone().step(input);
                row.order = order;
                let later = outputs.iter().filter(|output| !is_at_once(output));
                row.outbox.extend(later);
                // End of the transaction.
                outputs
            };
            let question = outputs.iter().find_map(|output| match output {
                Output::Ask { ticket, seconds } => Some((*ticket, *seconds)),
                _ => None,
            });
            let ask = async {
                if let Some((ticket, seconds)) = question {
                    self.ask(order_id, ticket, seconds).await;
                }
            };
            tokio::join!(self.work(order_id), ask);
            outputs
        })
    }

    /// Carries out what is in the outbox. What fails is tried again when something happens.
    async fn work(&self, order_id: &str) {
        while let Some(output) = self.next(order_id) {
            if let Err(error) = self.carry_out(order_id, output).await {
                self.report(&error);
                if let Some(row) = self.rows().get_mut(order_id) {
                    row.outbox.push_back(output);
                }
                return;
            }
        }
    }

    fn next(&self, order_id: &str) -> Option<Output> {
        self.rows().get_mut(order_id)?.outbox.pop_front()
    }

    async fn carry_out(&self, order_id: &str, output: Output) -> Result<(), PayframeError> {
        match output {
            Output::Fulfil => {
                if let Some(row) = self.rows().get_mut(order_id) {
                    row.shipped += 1;
                }
                self.tell(order_id, FulfilmentState::Fulfilled).await;
            }
            // This shop has enough of everything.
            Output::ReleaseStock => self.tell(order_id, FulfilmentState::Canceled).await,
            Output::CloseAttempt(number) => self.close(order_id, number).await?,
            Output::GiveBack { operation, amount } => {
                let currency = self.currency(order_id);
                let sum = payframe_server::money(amount.minor(), &currency)?;
                let refund = self.payframe.operations.refund(&operation.to_string(), sum);
                refund
                    .idempotency_key(format!("give back {operation}"))
                    .await?;
            }
            Output::CallPerson(why) => {
                self.report(&format!("Order {order_id} needs a person: {why:?}"));
            }
            // The others are answered at once, and never in an outbox.
            _ => {}
        }
        Ok(())
    }

    /// Tells the gateway what became of the goods. If that fails, `payframe-gateway reconcile` finds it.
    async fn tell(&self, order_id: &str, state: FulfilmentState) {
        let request = FulfilmentRequest { state, note: None };
        let told = self
            .payframe
            .orders
            .tell_fulfilment(order_id, &request)
            .await;
        if let Err(error) = told {
            self.report(&error);
        }
    }

    async fn close(&self, order_id: &str, number: u32) -> Result<(), PayframeError> {
        let session = self
            .rows()
            .get(order_id)
            .and_then(|row| row.sessions.get(&number).cloned());
        if let Some(session) = session {
            let cancel = self.payframe.sessions.cancel(&session.session_id);
            match cancel
                .idempotency_key(format!("close {order_id} {number}"))
                .await
            {
                // A session that is over is closed.
                Err(error) if error.code() != "PS0061" => return Err(error),
                _ => {}
            }
        }
        self.happens(order_id, Input::AttemptClosed(number)).await;
        Ok(())
    }

    /// One question at a time: a new one replaces the one before.
    async fn ask(&self, order_id: &str, ticket: u32, seconds: u32) {
        let before = self
            .rows()
            .get_mut(order_id)
            .and_then(|row| row.question.take());
        if let Some(before) = before {
            before.abort();
        }
        if seconds == 0 {
            self.read(order_id, ticket).await;
            return;
        }
        let wait = Duration::from_secs(seconds.into());
        let question = self.later(wait, order_id, move |book, order_id| async move {
            // It is no longer waiting, so that the next question does not end it.
            if let Some(row) = book.rows().get_mut(&order_id) {
                row.question = None;
            }
            book.read(&order_id, ticket).await;
        });
        if let Some(row) = self.rows().get_mut(order_id) {
            row.question = Some(question);
        }
    }

    async fn read(&self, order_id: &str, ticket: u32) {
        let currency = self.currency(order_id);
        let input = match self.payframe.orders.read(order_id).await {
            Ok(answer) => read_input(ticket, Some(&answer), &currency),
            Err(error) if error.code() == "not_found" => read_input(ticket, None, &currency),
            Err(error) => {
                self.report(&error);
                Input::ReadFailed { ticket }
            }
        };
        self.happens(order_id, input).await;
    }

    fn currency(&self, order_id: &str) -> String {
        let rows = self.rows();
        rows.get(order_id)
            .map(|row| row.price.currency.clone())
            .unwrap_or_default()
    }

    /// Does something after a time, unless the book is gone.
    fn later<Doing: Future<Output = ()> + Send + 'static>(
        &self,
        wait: Duration,
        order_id: &str,
        what: impl FnOnce(Arc<OrderBook>, String) -> Doing + Send + 'static,
    ) -> AbortHandle {
        let (book, order_id) = (self.book.clone(), order_id.to_owned());
        let task = tokio::spawn(async move {
            tokio::time::sleep(wait).await;
            if let Some(book) = book.upgrade() {
                what(book, order_id).await;
            }
        });
        task.abort_handle()
    }

    /// Never held during a call.
    fn rows(&self) -> MutexGuard<'_, HashMap<String, Row>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn word(why: PaymentUnavailable) -> &'static str {
    match why {
        PaymentUnavailable::AlreadyPaid => "ALREADY_PAID",
        PaymentUnavailable::NotForSale => "NOT_FOR_SALE",
        PaymentUnavailable::Undecided => "UNDECIDED",
        PaymentUnavailable::NeedsPerson => "NEEDS_PERSON",
        PaymentUnavailable::TooManyAttempts => "TOO_MANY_ATTEMPTS",
    }
}

/// Answers to the caller who waits, and the question, which has a place of its own.
fn is_at_once(output: &Output) -> bool {
    matches!(
        output,
        Output::OpenAttempt(_)
            | Output::ShowForm(_)
            | Output::RefuseAttempt(_)
            | Output::Ask { .. }
    )
}
