//! How an order processes an input.

use crate::messages::{Cause, Input, Output, PaymentUnavailable, Staff};
use crate::order::{Goods, Intent, OpenAttempt, Order, Status, WaitingFor};
use crate::{ASK_AFTER_SECONDS, READS_UNTIL_PERSON};

impl Order {
    /// The order after this input, and the actions to carry out. Store both in one transaction.
    #[must_use]
    pub fn step(mut self, input: Input) -> (Self, Vec<Output>) {
        let mut outputs = Vec::new();
        match input {
            Input::AttemptWanted => self.begin(&mut outputs),
            Input::AttemptOpened(number) => self.opened(number, &mut outputs),
            Input::AttemptClosed(number) => self.closed(number, &mut outputs),
            Input::ReturnPage | Input::Notification | Input::Feed => self.ask_now(&mut outputs),
            Input::Read { ticket, reading } => {
                if self.takes(ticket) {
                    self.apply_reading(&reading, &mut outputs);
                }
            }
            Input::ReadFailed { ticket } => {
                if self.takes(ticket) {
                    self.ask_later(&mut outputs);
                }
            }
            Input::ReadUnreadable { ticket } => {
                if self.takes(ticket) {
                    self.at.status = Status::NeedsPerson(Cause::Unreadable);
                    self.call(Cause::Unreadable, &mut outputs);
                    self.ask_later(&mut outputs);
                }
            }
            Input::TimeOut => {
                if self.at.intent == Intent::Sell && self.at.goods == Goods::Reserved {
                    self.end(Intent::GiveUp, &mut outputs);
                }
            }
            Input::Staff(Staff::Cancel) => self.end(Intent::GiveBack, &mut outputs),
            Input::Staff(Staff::LookAgain) => {
                self.at.reads = 0;
                self.at.called = None;
                self.ask_now(&mut outputs);
            }
        }
        (self, outputs)
    }

    fn begin(&mut self, outputs: &mut Vec<Output>) {
        let refusal = match self.at.status {
            Status::Paid | Status::PartlyPaid => Some(PaymentUnavailable::AlreadyPaid),
            Status::Refunded | Status::GivenUp => Some(PaymentUnavailable::NotForSale),
            Status::NeedsPerson(_) => Some(PaymentUnavailable::NeedsPerson),
            Status::Paying(WaitingFor::Issuer) => Some(PaymentUnavailable::Undecided),
            Status::Unpaid | Status::Paying(WaitingFor::Buyer)
                if self.at.intent != Intent::Sell =>
            {
                Some(PaymentUnavailable::NotForSale)
            }
            Status::Unpaid | Status::Paying(WaitingFor::Buyer) => {
                (!self.has_room()).then_some(PaymentUnavailable::TooManyAttempts)
            }
        };
        if let Some(refusal) = refusal {
            outputs.push(Output::RefuseAttempt(refusal));
            return;
        }
        self.at.attempts += 1;
        self.at.open.push(OpenAttempt {
            number: self.at.attempts,
            is_closing: false,
        });
        self.at.status = Status::Paying(WaitingFor::Buyer);
        outputs.push(Output::OpenAttempt(self.at.attempts));
    }

    /// An attempt may have been closed during its call. Then its form is never shown.
    fn opened(&mut self, number: u32, outputs: &mut Vec<Output>) {
        if number == 0 || number > self.at.attempts {
            return;
        }
        let is_wanted = self.at.intent == Intent::Sell
            && self.at.status == Status::Paying(WaitingFor::Buyer)
            && self.at.open.contains(&OpenAttempt {
                number,
                is_closing: false,
            });
        if is_wanted {
            outputs.push(Output::ShowForm(number));
            self.at.reads = 0;
            self.ask_later_uncounted(outputs);
            return;
        }
        outputs.push(Output::CloseAttempt(number));
        self.at.open.retain(|one| one.number != number);
        self.at.open.push(OpenAttempt {
            number,
            is_closing: true,
        });
        self.at.open.sort_unstable();
    }

    /// When the last attempt is closed, nothing new can happen at the gateway. A later answer is final, except for payments
    /// that are pending.
    fn closed(&mut self, number: u32, outputs: &mut Vec<Output>) {
        let closing = OpenAttempt {
            number,
            is_closing: true,
        };
        let before = self.at.open.len();
        self.at.open.retain(|one| *one != closing);
        if self.at.open.len() < before && self.at.open.is_empty() {
            self.ask_now(outputs);
        }
    }

    /// Whether this answers the newest request, which is then no longer open.
    fn takes(&mut self, ticket: u32) -> bool {
        let is_newest = self.at.asked == Some(ticket);
        if is_newest {
            self.at.asked = None;
        }
        is_newest
    }

    /// Changes the shop's intention, closes open attempts, and reads the order.
    fn end(&mut self, intent: Intent, outputs: &mut Vec<Output>) {
        self.at.intent = intent;
        self.at.reads = 0;
        self.close_all(outputs);
        self.ask_now(outputs);
    }

    pub(crate) fn close_all(&mut self, outputs: &mut Vec<Output>) {
        for one in self.at.open.iter_mut().filter(|one| !one.is_closing) {
            one.is_closing = true;
            outputs.push(Output::CloseAttempt(one.number));
        }
    }

    pub(crate) fn ask_now(&mut self, outputs: &mut Vec<Output>) {
        self.ask(0, outputs);
    }

    /// Reads the order again after an answer without a result.
    pub(crate) fn ask_later(&mut self, outputs: &mut Vec<Output>) {
        self.at.reads = (self.at.reads + 1).min(READS_UNTIL_PERSON);
        self.ask_later_uncounted(outputs);
    }

    fn ask_later_uncounted(&mut self, outputs: &mut Vec<Output>) {
        let last = ASK_AFTER_SECONDS.len() - 1;
        let wait = ASK_AFTER_SECONDS[usize::from(self.at.reads).min(last)];
        self.ask(wait, outputs);
    }

    fn ask(&mut self, seconds: u32, outputs: &mut Vec<Output>) {
        self.at.tickets += 1;
        let ticket = self.at.tickets;
        self.at.asked = Some(ticket);
        outputs.push(Output::Ask { ticket, seconds });
    }

    pub(crate) fn call(&mut self, cause: Cause, outputs: &mut Vec<Output>) {
        if self.at.called != Some(cause) {
            self.at.called = Some(cause);
            outputs.push(Output::CallPerson(cause));
        }
    }

    pub(crate) fn fulfil(&mut self, outputs: &mut Vec<Output>) {
        if self.at.goods == Goods::Reserved {
            self.at.goods = Goods::Fulfilled;
            outputs.push(Output::Fulfil);
        }
    }

    /// An order whose stock is released is never sold.
    pub(crate) fn release(&mut self, outputs: &mut Vec<Output>) {
        if self.at.intent == Intent::Sell {
            self.at.intent = Intent::GiveUp;
        }
        if self.at.goods == Goods::Reserved {
            self.at.goods = Goods::Released;
            outputs.push(Output::ReleaseStock);
        }
    }
}
