//! Checks about payments in the card's own currency: the cardholder is charged what the buyer accepted, and nothing else.
//!
//! An answer over ISO 8583 names no sum of its own. There the books of the other side say it, for which the report has a line.

use crate::bench::{Bench, Movement, Payment, amount, must_be_same, reference};
use crate::report::{Finding, Report};
use payframe_payment_ports::acquirer::{AcceptedOffer, Capture, FollowUpOperation};

/// Payments in the card's own currency, their captures, releases and refunds.
pub async fn conversions(bench: &Bench<'_>, report: &mut Report) {
    let mut books = Books::default();
    let outcome = converted(bench, &mut books).await;
    report.add(
        "a payment in the card's own currency is captured in parts and given back, and another one is released",
        outcome,
    );
    report.books.extend(books.in_words(card_currency(bench)));
}

/// What was approved, in minor units of the card's currency.
#[derive(Default)]
struct Books {
    charged: Vec<u64>,
    given_back: Vec<u64>,
}

impl Books {
    fn in_words(&self, currency: &str) -> Vec<String> {
        let kinds = [("charged", &self.charged), ("given back", &self.given_back)];
        let booked = kinds.into_iter().filter(|(_, sums)| !sums.is_empty());
        let line = |(kind, sums): (&str, &Vec<u64>)| {
            let (count, together) = (sums.len(), sums.iter().sum::<u64>());
            format!(
                "{kind} in the card's own currency, APPROVED: {count}, together {together} {currency}"
            )
        };
        booked.map(line).collect()
    }
}

async fn converted(bench: &Bench<'_>, books: &mut Books) -> Result<(), Finding> {
    if !bench.acquirer.converts() {
        return Err(Finding::NotTried(String::from(
            "the acquirer is not set up for payments in the card's own currency: buyers get no offers",
        )));
    }
    for operations in [
        &[
            (FollowUpOperation::Capture, 600),
            (FollowUpOperation::Capture, 400),
            (FollowUpOperation::Refund, 600),
        ][..],
        &[(FollowUpOperation::Void, WHOLE)],
    ] {
        let payment = reference()?;
        let offer = offer(bench, WHOLE)?;
        let request = Payment {
            amount: amount(WHOLE),
            conversion: Some(&offer),
            ..bench.payment(&payment, Capture::Explicit)
        };
        bench.approve(request).await?;
        let first = bench.pay(request).await?;
        must_be_same("the repetition", &first, &bench.pay(request).await?)?;
        books.charged.push(offer.amount.minor());
        for (operation, minor) in operations {
            let (movement, part) = (reference()?, self::offer(bench, *minor)?);
            let follow_up = Movement {
                conversion: Some(&part),
                ..bench.follow_up(&movement, &payment, *operation, *minor)
            };
            bench.approve_movement(follow_up).await?;
            if *operation == FollowUpOperation::Refund {
                books.given_back.push(part.amount.minor());
            }
        }
    }
    Ok(())
}

/// What the cardholder pays for this amount.
fn offer(bench: &Bench<'_>, minor: u64) -> Result<AcceptedOffer, Finding> {
    AcceptedOffer::of(amount(minor), bench.currency(), card_currency(bench), RATE)
        .ok_or_else(|| Finding::Failed(String::from("a currency without a minor unit")))
}

/// A currency that is not the first one of the bench.
fn card_currency(bench: &Bench<'_>) -> &'static str {
    match bench.currency() {
        "USD" => "EUR",
        _ => "USD",
    }
}

/// The amount of a payment, in minor units.
const WHOLE: u64 = 1_000;

/// The rate of every offer.
const RATE: &str = "0.900000000";
