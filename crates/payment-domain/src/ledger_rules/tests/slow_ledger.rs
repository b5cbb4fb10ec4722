//! Compares random payments with a simple, slow ledger that counts every coin.

use super::*;

/// The place of a coin.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Coin {
    Open,
    Released,
    Taken {
        by: String,
        day: i64,
    },
    OnItsWayBack {
        from: String,
        day: i64,
        refund: usize,
    },
    Back {
        from: String,
    },
}

/// The slow ledger: every coin of the payment, all of the same value; and how many may still be added.
struct Coins(Vec<Coin>, u64);

impl Coins {
    fn count(&self, is: impl Fn(&Coin) -> bool) -> u64 {
        self.0.iter().filter(|coin| is(coin)).count() as u64
    }

    fn open(&self) -> u64 {
        self.count(|coin| *coin == Coin::Open)
    }

    fn taken(&self, target: &str) -> u64 {
        self.count(|coin| matches!(coin, Coin::Taken { by, .. } if target == AUTHORIZATION || by == target))
    }

    fn was_taken(&self, target: &str) -> u64 {
        self.count(|coin| match coin {
            Coin::Taken { by: id, .. }
            | Coin::OnItsWayBack { from: id, .. }
            | Coin::Back { from: id } => id == target,
            Coin::Open | Coin::Released => false,
        })
    }

    /// Whether so many coins may be moved, decided only by their places.
    fn permits(&self, target: &str, call: ActionCall, coins: u64, day: i64) -> bool {
        match (target == AUTHORIZATION, call) {
            (true, ActionCall::Capture) => (1..=self.open()).contains(&coins),
            (true, ActionCall::Refund) if self.open() > 0 && coins == self.open() => true,
            (_, ActionCall::Refund) => (1..=self.taken(target)).contains(&coins),
            (false, ActionCall::Cancel) => {
                let all = self.was_taken(target);
                let today = self.count(|coin| matches!(coin, Coin::Taken { by, day: taken } if by == target && *taken == day));
                all > 0 && today == all
            }
            (true, ActionCall::Increment) => {
                self.open() == self.0.len() as u64 && (1..=self.1).contains(&coins)
            }
            (true, ActionCall::Cancel) | (false, ActionCall::Capture | ActionCall::Increment) => {
                false
            }
        }
    }

    fn turn(&mut self, mut number: u64, to: impl Fn(&Coin) -> Option<Coin>) {
        for coin in &mut self.0 {
            if number == 0 {
                return;
            }
            if let Some(turned) = to(coin) {
                *coin = turned;
                number -= 1;
            }
        }
        assert_eq!(number, 0, "coins that are not there");
    }
}

/// What may happen to a payment.
#[derive(Clone, Debug)]
enum Step {
    Act {
        target: usize,
        call: ActionCall,
        coins: u64,
        answer: Answer,
    },
    NextDay,
    /// The issuer gives the result of a refund that was in progress.
    Hear {
        refund: usize,
        yes: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    Later,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let call = prop::sample::select(ActionCall::ALL.to_vec());
    let answer = prop::sample::select(vec![
        Answer::Yes,
        Answer::Yes,
        Answer::Yes,
        Answer::No,
        Answer::Later,
    ]);
    // Targets: often the authorization. Amounts: often the whole (see `run`).
    let act = (0..12_usize, call, 0..60_u64, answer).prop_map(|(target, call, coins, answer)| {
        Step::Act {
            target,
            call,
            coins,
            answer,
        }
    });
    let hear = (0..20_usize, any::<bool>()).prop_map(|(refund, yes)| Step::Hear { refund, yes });
    prop::collection::vec(
        prop_oneof![8 => act, 1 => Just(Step::NextDay), 2 => hear],
        1..60,
    )
}

/// Carries out the steps of a payment of `number` coins, each worth `worth`, and compares it with the ledger after every step.
fn run(capture: Capture, number: u64, worth: u64, steps: Vec<Step>) {
    let mut recorded = RecordedPayment::new(capture, number * worth);
    let start = match capture {
        Capture::Implicit => Coin::Taken {
            by: String::from(AUTHORIZATION),
            day: 0,
        },
        Capture::Explicit => Coin::Open,
    };
    let room = recorded.authorization.increments.minor() / worth;
    let mut ledger = Coins(vec![start; number as usize], room);
    let mut day = 0;
    for step in steps {
        match step {
            Step::NextDay => day += 1,
            Step::Hear { refund, yes } => {
                let waits =
                    |index: &usize| recorded.later[*index].result == OperationResult::Pending;
                let Some(index) = (0..recorded.later.len()).filter(waits).nth(refund % 3) else {
                    continue;
                };
                if yes {
                    recorded.approve(index);
                } else {
                    recorded.later[index].result = OperationResult::Failed;
                }
                for coin in &mut ledger.0 {
                    if let Coin::OnItsWayBack { from, day, refund } = coin
                        && *refund == index
                    {
                        *coin = if yes {
                            Coin::Back { from: from.clone() }
                        } else {
                            Coin::Taken {
                                by: from.clone(),
                                day: *day,
                            }
                        };
                    }
                }
            }
            Step::Act {
                target,
                call,
                coins,
                answer,
            } => {
                let target = match target.checked_sub(6) {
                    Some(index) if index < recorded.later.len() => {
                        recorded.later[index].operation_id.clone()
                    }
                    _ => String::from(AUTHORIZATION),
                };
                // Large numbers mean all available coins.
                let coins = match (coins < 40, ledger.open()) {
                    (true, _) => coins,
                    (false, open) if open > 0 && target == AUTHORIZATION => open,
                    (false, _) => ledger.taken(&target).max(1),
                };
                // The routes refuse an amount of zero.
                let coins = coins.max(1);
                let now_ms = day * DAY_MS + 7;
                let permitted = ledger.permits(&target, call, coins, day);
                let begun = recorded.begin(&target, call, coins * worth, now_ms);
                assert_eq!(
                    begun.is_ok(),
                    permitted,
                    "{target} {call:?} {coins}: {begun:?}"
                );
                if let Ok(index) = begun {
                    resolve(&mut recorded, &mut ledger, index, worth, answer, day);
                }
            }
        }
        hold_against(&recorded, &ledger, worth, day);
    }
}

/// Gives the issuer's answer to a follow-up operation that has begun.
fn resolve(
    recorded: &mut RecordedPayment,
    ledger: &mut Coins,
    index: usize,
    worth: u64,
    answer: Answer,
    today: i64,
) {
    let later = recorded.later[index].clone();
    let id = later.operation_id.clone();
    match (later.follow_up, answer) {
        (FollowUpOperation::Refund, Answer::Later) => {
            for share in &later.shares {
                ledger.turn(share.amount.minor() / worth, |coin| match coin {
                    Coin::Taken { by, day } if *by == share.capture_id => {
                        Some(Coin::OnItsWayBack {
                            from: by.clone(),
                            day: *day,
                            refund: index,
                        })
                    }
                    _ => None,
                });
            }
        }
        (_, Answer::No) => recorded.later[index].result = OperationResult::Declined,
        (follow_up, _) => {
            let coins = later.amount.minor() / worth;
            match follow_up {
                FollowUpOperation::Capture => ledger.turn(coins, |coin| {
                    (*coin == Coin::Open).then(|| Coin::Taken {
                        by: id.clone(),
                        day: today,
                    })
                }),
                FollowUpOperation::Void => {
                    ledger.turn(coins, |coin| {
                        (*coin == Coin::Open).then_some(Coin::Released)
                    });
                }
                FollowUpOperation::Increment => {
                    ledger.0.extend(vec![Coin::Open; coins as usize]);
                    ledger.1 -= coins;
                }
                FollowUpOperation::Refund => {
                    for share in &later.shares {
                        ledger.turn(share.amount.minor() / worth, |coin| match coin {
                            Coin::Taken { by, .. } if *by == share.capture_id => {
                                Some(Coin::Back { from: by.clone() })
                            }
                            _ => None,
                        });
                    }
                }
                FollowUpOperation::Cancel => ledger.turn(coins, |coin| match coin {
                    Coin::Taken { by, .. } if *by == later.target_id => Some(Coin::Open),
                    _ => None,
                }),
            }
            recorded.approve(index);
        }
    }
}

fn hold_against(recorded: &RecordedPayment, ledger: &Coins, worth: u64, day: i64) {
    let payment = recorded.payment();
    let totals = payment.totals();
    let released = ledger.count(|coin| *coin == Coin::Released);
    let back = ledger.count(|coin| matches!(coin, Coin::Back { .. }));
    let whole = ledger.0.len() as u64;
    assert_eq!(totals.authorized, amount((whole - released) * worth));
    assert_eq!(
        totals.captured,
        amount((whole - released - ledger.open()) * worth)
    );
    assert_eq!(totals.refunded, amount(back * worth));
    assert!(totals.refunded <= totals.captured && totals.captured <= totals.authorized);
    // The order's totals, changed step by step, have the same result.
    let mut moved = Totals::default().after(
        match recorded.authorization.capture {
            Capture::Implicit => OperationResult::Executed,
            Capture::Explicit => OperationResult::Authorized,
        },
        recorded.authorization.amount,
    );
    for later in recorded
        .later
        .iter()
        .filter(|later| later.result.moved_money() || later.result.is_good())
    {
        // In the order of approval refunds may come later than here, never earlier.
        moved = match later.follow_up {
            FollowUpOperation::Refund => moved,
            follow_up => moved
                .moved(follow_up, later.amount)
                .unwrap_or_else(|| panic!("{later:?}")),
        };
    }
    assert_eq!(
        (moved.authorized, moved.captured),
        (totals.authorized, totals.captured)
    );
    // The list of allowed actions and the decisions about calls agree, to the last coin.
    let now_ms = day * DAY_MS + 7;
    let ids = recorded
        .later
        .iter()
        .map(|later| later.operation_id.as_str());
    for id in ids.chain([AUTHORIZATION]) {
        let allowed = payment.allowed(id, now_ms);
        for call in ActionCall::ALL {
            let plan = |minor| payment.plan_call(id, call, Amount::from_minor(minor), now_ms);
            let offers: Vec<_> = allowed
                .iter()
                .filter(|allowed| allowed.call == call)
                .collect();
            let mut edges = vec![1, worth, whole * worth, whole * worth + 1];
            for Allowed { bounds, .. } in &offers {
                let (min, max) = (bounds.min.minor(), bounds.max.minor());
                assert!((1..=max).contains(&min) && max <= whole * worth);
                edges.extend([min - 1, min, max, max + 1]);
            }
            for minor in edges {
                let fits = |offer: &&Allowed| {
                    (offer.bounds.min.minor()..=offer.bounds.max.minor()).contains(&minor)
                };
                // If several actions fit, the first one is carried out.
                let expected = offers.iter().copied().find(fits);
                let found = plan(minor).ok();
                assert_eq!(
                    found.map(|plan| (plan.follow_up, plan.amount.minor())),
                    expected.map(|offer| (offer.follow_up, minor)),
                    "{id} {call:?} {minor}"
                );
            }
            for offer in offers {
                let as_seen = |follow_up, bound| {
                    let judged = payment.plan_exactly(id, (call, follow_up), Some(bound), now_ms);
                    judged.map(|plan| plan.follow_up)
                };
                assert_eq!(
                    as_seen(offer.follow_up, offer.bounds.max),
                    Ok(offer.follow_up)
                );
            }
        }
    }
    let is_open = recorded.authorization.result == OperationResult::Authorized;
    assert_eq!(is_open, ledger.open() > 0);
}

proptest! {
    #[test]
    fn every_life_agrees_with_the_slow_ledger(
        capture in prop::sample::select(vec![Capture::Implicit, Capture::Explicit]),
        number in 1..40_u64,
        // Units of currencies with 0, 2 and 3 digits, and amounts near the largest of the API.
        worth in prop::sample::select(vec![1, 100, 1_000, 24_999_999_999]),
        steps in steps(),
    ) {
        run(capture, number, worth, steps);
    }
}
