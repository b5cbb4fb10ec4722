//! Drives a host through what it has to get right, and reports what was tried.
//!
//! The host has no question about an earlier message, so what matters most is a message whose answer the gateway never books: the examiner
//! interrupts the gateway's side at every moment of a payment, starts it again, and has the reversal acknowledged. The host's own books are
//! not seen from here: the report says what they have to contain.
//!
//! The gateway refuses what goes beyond the money of an order before it asks an acquirer, so the host is not asked for too much.

use crate::acquirer::IsoAcquirer;
use futures_util::future::try_join_all;
use payframe_examiner::{
    Bench, Finding, Payment, Report, TestCards, Totals, amount, conversions, failed, in_words,
    must_be, must_be_same, network_tokens, reference, sequences,
};
use payframe_payment_ports::Clock;
use payframe_payment_ports::acquirer::{
    AcquirerError, AuthorizationResponse, AuthorizationResult, Capture, FollowUpOperation,
};
use std::time::Duration;
use tokio::time::error::Elapsed;

/// The host, and what the examiner needs to reach it again and again.
pub struct Subject<'a, C: Fn(&Clock) -> IsoAcquirer> {
    /// The acquirer's name in the settings.
    pub name: &'a str,
    /// What to pay with.
    pub test_cards: &'a TestCards,
    /// Begins to connect, with the tables of the examination. Each call is a start of the gateway's process.
    pub connect: C,
}

/// Examines a host, which must be an endpoint for tests.
pub async fn examine<C: Fn(&Clock) -> IsoAcquirer>(subject: &Subject<'_, C>) -> Report {
    let clock = Clock::manual(Clock::system().now_ms());
    let acquirer = (subject.connect)(&clock);
    let mut report = Report::about(
        subject.name,
        acquirer.address(),
        "a host that speaks ISO 8583",
    );
    let signed_on = acquirer.wait_for_sign_on().await;
    let is_connected = signed_on.is_ok();
    report.add(
        "a connection is made, and the host accepts the sign-on",
        signed_on.map_err(Finding::from),
    );
    if !is_connected {
        return report;
    }
    report.add(
        "the host answers an echo",
        acquirer.echo().await.map_err(Finding::from),
    );
    let room = Room { subject, clock };
    match room.bench(&acquirer) {
        Ok(bench) => {
            sequences(&bench, &mut report).await;
            network_tokens(&bench, &mut report).await;
            conversions(&bench, &mut report).await;
            report.add(
                "a payment of which a part is approved is declined and reversed",
                approved_in_part(&bench).await,
            );
            report.add(
                "payments at the same moment have their own answers",
                at_once(&bench).await,
            );
            report.add(
                "after the gateway's clock was put back, a payment is approved",
                clock_put_back(&bench).await,
            );
        }
        Err(problem) => report.add("the test cards can be read", Err(problem)),
    }
    drop(acquirer);
    report.add(
        "a payment that is interrupted at any moment is paid or reversed, and the host acknowledges that",
        room.interrupted_payment().await,
    );
    for (operation, name) in [
        (FollowUpOperation::Capture, "capture"),
        (FollowUpOperation::Refund, "refund"),
    ] {
        report.add(
            format!("a {name} that is interrupted at any moment has one outcome"),
            room.interrupted_movement(operation).await,
        );
    }
    let acquirer = (subject.connect)(&room.clock);
    match acquirer.booked().await {
        Ok(books) => report.books.extend(books),
        Err(problem) => report.add("the journal can be read", Err(problem.into())),
    }
    report
}

async fn approved_in_part(bench: &Bench<'_>) -> Result<(), Finding> {
    let payment = reference()?;
    let request = bench.partial_payment(&payment, Capture::Explicit)?;
    let what = "a payment of which a part is approved";
    must_be(
        what,
        AuthorizationResult::Declined,
        &bench.pay(request).await?,
    )
}

/// Each has an amount of its own, so that an answer of another one would be a partial approval.
async fn at_once(bench: &Bench<'_>) -> Result<(), Finding> {
    let references: Vec<String> = (0..AT_ONCE)
        .map(|_| reference())
        .collect::<Result<_, _>>()?;
    let payments = references.iter().zip(1u64..).map(|(reference, place)| {
        bench.approve(Payment {
            amount: amount(1_000 + 100 * place),
            ..bench.payment(reference, Capture::Implicit)
        })
    });
    try_join_all(payments).await.map(drop)
}

async fn clock_put_back(bench: &Bench<'_>) -> Result<(), Finding> {
    let now_ms = bench.clock.now_ms();
    bench.clock.set(now_ms - HOUR_MS);
    let payment = reference()?;
    let paid = bench
        .approve(bench.payment(&payment, Capture::Implicit))
        .await;
    bench.clock.set(now_ms);
    paid
}

/// What interruptions need: starts of the gateway's side, and a clock that goes on between them.
struct Room<'a, C: Fn(&Clock) -> IsoAcquirer> {
    subject: &'a Subject<'a, C>,
    clock: Clock,
}

/// What was seen when an interrupted operation was looked at again.
enum Seen {
    /// It had not begun.
    Nothing,
    Outcome(AuthorizationResponse),
}

impl<C: Fn(&Clock) -> IsoAcquirer> Room<'_, C> {
    fn bench<'b>(&'b self, acquirer: &'b IsoAcquirer) -> Result<Bench<'b>, Finding> {
        let supported = acquirer.supported();
        let cards = self.subject.test_cards;
        Bench::new(
            acquirer,
            cards,
            supported,
            Totals::OfGateway,
            self.clock.clone(),
        )
    }

    /// A process that is signed on.
    async fn start(&self) -> Result<IsoAcquirer, Finding> {
        let acquirer = (self.subject.connect)(&self.clock);
        acquirer.wait_for_sign_on().await?;
        Ok(acquirer)
    }

    async fn interrupted_payment(&self) -> Result<(), Finding> {
        let mut interruptions = Interruptions::of(false);
        for limit in limits() {
            let payment = reference()?;
            let ended = {
                let acquirer = self.start().await?;
                let bench = self.bench(&acquirer)?;
                let request = bench.payment(&payment, Capture::Implicit);
                tokio::time::timeout(limit, bench.pay(request)).await
            };
            let seen = self.after_restart(&payment).await?;
            if interruptions.judge(ended, &seen)? {
                break;
            }
        }
        interruptions.enough()
    }

    async fn interrupted_movement(&self, operation: FollowUpOperation) -> Result<(), Finding> {
        let is_repeated = (self.subject.connect)(&self.clock).repeats(operation);
        let mut interruptions = Interruptions::of(is_repeated);
        let capture = match operation {
            FollowUpOperation::Capture => Capture::Explicit,
            _ => Capture::Implicit,
        };
        for limit in limits() {
            let (payment, movement) = (reference()?, reference()?);
            let ended = {
                let acquirer = self.start().await?;
                let bench = self.bench(&acquirer)?;
                bench.approve(bench.payment(&payment, capture)).await?;
                let follow_up = bench.follow_up(&movement, &payment, operation, AMOUNT);
                tokio::time::timeout(limit, bench.move_money(follow_up)).await
            };
            let seen = self.after_restart(&movement).await?;
            if interruptions.judge(ended, &seen)? {
                break;
            }
        }
        interruptions.enough()
    }

    /// Starts again after the wait for the answer is over, and looks at an operation twice.
    async fn after_restart(&self, reference: &str) -> Result<Seen, Finding> {
        let acquirer = self.start().await?;
        // Nothing is under way any more.
        self.clock
            .advance(acquirer.answer_limit() * 2 + Duration::from_secs(1));
        let bench = self.bench(&acquirer)?;
        let Some(first) = bench.inquire(reference, amount(AMOUNT)).await? else {
            return Ok(Seen::Nothing);
        };
        match bench.inquire(reference, amount(AMOUNT)).await? {
            Some(second) => must_be_same("the second look after the restart", &first, &second)?,
            None => return failed(String::from("the operation is not known any more")),
        }
        Ok(Seen::Outcome(first))
    }
}

/// How often an operation was interrupted while the host had it, or may have had it.
struct Interruptions {
    /// Whether its message is repeated after the restart, in place of being reversed.
    is_repeated: bool,
    under_way: u32,
}

impl Interruptions {
    fn of(is_repeated: bool) -> Interruptions {
        Interruptions {
            is_repeated,
            under_way: 0,
        }
    }

    /// Compares what an operation had said, if it ended, with what is seen after the restart. Returns whether it ended before it was interrupted.
    fn judge(
        &mut self,
        ended: Result<Result<AuthorizationResponse, AcquirerError>, Elapsed>,
        seen: &Seen,
    ) -> Result<bool, Finding> {
        match (ended, seen) {
            (Ok(Ok(first)), Seen::Outcome(now)) => {
                must_be_same("after the restart", &first, now)?;
                Ok(true)
            }
            (Ok(Ok(first)), Seen::Nothing) => failed(format!(
                "{} was told, and nothing is known after the restart",
                in_words(first.result)
            )),
            (Ok(Err(problem)), _) => Err(problem.into()),
            (Err(_), Seen::Nothing) => Ok(false),
            (Err(_), Seen::Outcome(now)) => {
                self.under_way += 1;
                match (now.result, self.is_repeated) {
                    (AuthorizationResult::Approved, _) | (AuthorizationResult::Failed, false) => {
                        Ok(false)
                    }
                    (other, true) => failed(format!(
                        "its repetition after the restart: expected APPROVED, got {}",
                        in_words(other)
                    )),
                    (other, false) => failed(format!(
                        "after the restart: expected APPROVED or FAILED, got {}",
                        in_words(other)
                    )),
                }
            }
        }
    }

    fn enough(self) -> Result<(), Finding> {
        match self.under_way {
            0 => Err(Finding::NotTried(String::from(
                "the host answered before the operation could be interrupted",
            ))),
            _ => Ok(()),
        }
    }
}

/// After how long an operation is interrupted: soon, and then later and later, until it ends before that.
fn limits() -> impl Iterator<Item = Duration> {
    let longer = |limit: &Duration| Some(*limit * 2);
    std::iter::successors(Some(Duration::from_micros(250)), longer).take(MOST_INTERRUPTIONS)
}

/// What is captured and given back, which is the amount of a payment.
const AMOUNT: u64 = 1_000;
const AT_ONCE: usize = 16;
const HOUR_MS: i64 = 3_600_000;
/// The last one comes after two minutes, which is the longest wait for an answer.
const MOST_INTERRUPTIONS: usize = 20;
