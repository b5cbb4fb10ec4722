//! Random walks: series of inputs that a search of all short series does not reach, with answers of every kind.
//!
//! The numbers come from a fixed seed for each walk, so the same walks are made each time.

use crate::{DUE, minor, vector};
use payframe_order_keeper::{Input, OperationId, Order, Payment, PaymentOutcome, Reading, Staff};

/// The vectors of so many walks. Each begins with a new order.
pub(crate) fn lines(first: &Order, walks: u64) -> Vec<String> {
    (0..walks).flat_map(|seed| walk(first, seed)).collect()
}

fn walk(first: &Order, seed: u64) -> Vec<String> {
    let mut random = Random(seed + 1);
    let mut order = first.clone();
    let mut lines = Vec::new();
    for _ in 0..STEPS {
        let input = input(&order, &mut random);
        let (after, line) = vector(&order, &input);
        lines.push(line);
        order = after;
    }
    lines
}

/// Answers are as frequent as everything else together, so that a walk gets on.
fn input(order: &Order, random: &mut Random) -> Input {
    let number = random.below(5);
    match (order.asked(), random.below(20)) {
        (Some(ticket), 0..=8) => Input::Read {
            ticket,
            reading: reading(random),
        },
        (Some(ticket), 9) => Input::ReadFailed { ticket },
        (Some(ticket), 10) => Input::ReadUnreadable { ticket },
        // An older answer.
        (Some(ticket), 11) => Input::Read {
            ticket: ticket - 1,
            reading: reading(random),
        },
        (_, 12 | 13) => Input::AttemptWanted,
        (_, 14) => Input::AttemptOpened(number),
        (_, 15) => Input::AttemptClosed(number),
        (_, 16) => Input::TimeOut,
        (_, 17) => Input::Staff(Staff::LookAgain),
        // Rare, because little is left to happen after it.
        (_, 18) if number == 0 => Input::Staff(Staff::Cancel),
        (_, 18) => Input::ReturnPage,
        _ => Input::Notification,
    }
}

/// Up to four payments and any held sum that they allow.
fn reading(random: &mut Random) -> Reading {
    use PaymentOutcome::{Approved, Returned, Undecided};
    let payments: Vec<Payment> = (1..=random.below(5))
        .map(|number| Payment {
            operation: OperationId::parse(&format!("{number:018}")).unwrap(),
            outcome: [Approved, Approved, Undecided, Returned][random.pick(4)],
            amount: minor([DUE, DUE, DUE - 1, DUE + 1, 1000, 1, 0][random.pick(7)]),
        })
        .collect();
    let approved = payments.iter().filter(|one| one.outcome == Approved);
    let sum: u64 = approved.map(|one| one.amount.minor()).sum();
    let held = [sum, sum, sum, sum / 2, sum.saturating_sub(1), DUE.min(sum)][random.pick(6)];
    Reading::of(minor(held), payments).unwrap()
}

/// A generator of numbers (xorshift). It is here for its constancy, not for its quality.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32
    }

    fn below(&mut self, limit: u32) -> u32 {
        u32::try_from(self.next() % u64::from(limit)).unwrap()
    }

    fn pick(&mut self, length: u32) -> usize {
        usize::try_from(self.below(length)).unwrap()
    }
}

const STEPS: usize = 20;
