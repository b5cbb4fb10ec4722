//! Money and goods that agree and that differ; and what holds for all of them.

use super::*;
use proptest::prelude::*;

const GRACE_PERIODS: GracePeriods = GracePeriods {
    to_fulfil_ms: 1000,
    to_settle_ms: 100,
};

/// When money and goods moved last.
const MOVED_MS: i64 = 50_000;

fn amount(minor: u64) -> Amount {
    Amount::from_minor(minor).unwrap()
}

fn totals(authorized: u64, captured: u64, refunded: u64) -> Totals {
    Totals {
        authorized: amount(authorized),
        captured: amount(captured),
        refunded: amount(refunded),
    }
}

/// An order with these sums and these goods, whose shop tells of goods since long.
fn order(sums: [u64; 3], goods: Option<FulfilmentState>) -> OrderFacts {
    let [authorized, captured, refunded] = sums;
    OrderFacts {
        totals: totals(authorized, captured, refunded),
        disputed: Amount::ZERO,
        charges: u32::from(authorized > refunded),
        has_pending: false,
        money_moved_ms: Some(MOVED_MS),
        goods: goods.map(|state| (state, MOVED_MS)),
        telling_since_ms: Some(0),
    }
}

fn after(facts: &OrderFacts, quiet_ms: i64) -> Vec<Difference> {
    let found = compare(facts, GRACE_PERIODS, MOVED_MS + quiet_ms);
    found.into_iter().map(|found| found.difference).collect()
}

#[track_caller]
fn check(sums: [u64; 3], goods: Option<FulfilmentState>, expected: Option<Difference>) {
    let found = after(&order(sums, goods), 1000);
    assert_eq!(found, Vec::from_iter(expected), "{sums:?} {goods:?}");
}

#[test]
fn money_and_goods_agree_or_differ_in_one_way() {
    use Difference as D;
    use FulfilmentState as S;
    const NOTHING: [u64; 3] = [0, 0, 0];
    const RESERVED: [u64; 3] = [10, 0, 0];
    const PAID: [u64; 3] = [10, 10, 0];
    const PARTLY_BACK: [u64; 3] = [10, 10, 4];
    const BACK: [u64; 3] = [10, 10, 10];
    for goods in [None, Some(S::None)] {
        check(NOTHING, goods, None);
        check(RESERVED, goods, Some(D::PaidNotFulfilled));
        check(PAID, goods, Some(D::PaidNotFulfilled));
        check(PARTLY_BACK, goods, Some(D::PaidNotFulfilled));
        check(BACK, goods, None);
    }
    check(NOTHING, Some(S::Partial), Some(D::FulfilledUnpaid));
    check(RESERVED, Some(S::Partial), None);
    check(PAID, Some(S::Partial), None);
    check(BACK, Some(S::Partial), Some(D::FulfilledRefunded));
    check(NOTHING, Some(S::Fulfilled), Some(D::FulfilledUnpaid));
    check(RESERVED, Some(S::Fulfilled), Some(D::FulfilledUncaptured));
    check(PAID, Some(S::Fulfilled), None);
    check(PARTLY_BACK, Some(S::Fulfilled), None);
    check(BACK, Some(S::Fulfilled), Some(D::FulfilledRefunded));
    for goods in [Some(S::Canceled), Some(S::Returned)] {
        check(NOTHING, goods, None);
        check(RESERVED, goods, Some(D::CanceledButHeld));
        check(PAID, goods, Some(D::CanceledButHeld));
        check(PARTLY_BACK, goods, Some(D::CanceledButHeld));
        check(BACK, goods, None);
    }
}

#[test]
fn what_is_pending_may_still_end_it() {
    let mut facts = order([0, 0, 0], Some(FulfilmentState::Fulfilled));
    facts.has_pending = true;
    assert_eq!(after(&facts, 1000), [Difference::FulfilledUndecided]);
    let mut facts = order([10, 10, 0], Some(FulfilmentState::Canceled));
    facts.has_pending = true;
    assert_eq!(after(&facts, 1000), []);
}

#[test]
fn each_difference_waits_for_its_time() {
    let unsent = order([10, 10, 0], None);
    assert_eq!(after(&unsent, 999), []);
    assert_eq!(after(&unsent, 1000), [Difference::PaidNotFulfilled]);
    let canceled = order([10, 10, 0], Some(FulfilmentState::Canceled));
    assert_eq!(after(&canceled, 99), []);
    assert_eq!(after(&canceled, 100), [Difference::CanceledButHeld]);
    // A clock that was set back finds nothing.
    assert_eq!(after(&canceled, -5), []);
}

#[test]
fn a_shop_that_tells_nothing_misses_nothing() {
    let mut facts = order([10, 10, 0], None);
    facts.telling_since_ms = None;
    assert_eq!(after(&facts, 1000), []);
    facts.telling_since_ms = Some(MOVED_MS + 1);
    assert_eq!(
        after(&facts, 1000),
        [],
        "paid before the shop began to tell"
    );
    // A second charge is a difference whatever the shop tells.
    facts.charges = 2;
    assert_eq!(after(&facts, 1000), [Difference::SeveralCharges]);
}

#[test]
fn a_second_charge_stands_beside_the_goods() {
    let mut facts = order([20, 20, 0], None);
    facts.charges = 2;
    let both = [Difference::SeveralCharges, Difference::PaidNotFulfilled];
    assert_eq!(after(&facts, 1000), both);
}

#[test]
fn every_difference_says_its_cause_and_what_ends_it() {
    let mut codes: Vec<_> = Difference::ALL.map(Difference::code).into();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), Difference::ALL.len());
    for difference in Difference::ALL {
        for sentence in [difference.cause(), difference.action()] {
            assert!(sentence.ends_with('.'), "{sentence}");
        }
    }
}

#[test]
fn disputed_money_is_neither_missed_nor_to_be_refunded() {
    use FulfilmentState::{Canceled, Fulfilled, Returned};
    for (disputed, goods, expected) in [
        (100, Some(Fulfilled), None),
        (100, Some(Returned), None),
        (100, None, None),
        (40, Some(Fulfilled), None),
        (40, Some(Canceled), Some(Difference::CanceledButHeld)),
        (40, None, Some(Difference::PaidNotFulfilled)),
    ] {
        let facts = OrderFacts {
            disputed: amount(disputed),
            ..order([100, 100, 0], goods)
        };
        assert_eq!(after(&facts, 1000), Vec::from_iter(expected), "{disputed}");
    }
}

/// The order after the action that ends the difference, as [`Difference::action`] says it.
fn ended(mut facts: OrderFacts, difference: Difference, at_ms: i64) -> OrderFacts {
    let totals = &mut facts.totals;
    match difference {
        Difference::SeveralCharges => facts.charges = 1,
        Difference::PaidNotFulfilled => {
            totals.captured = totals.authorized;
            facts.goods = Some((FulfilmentState::Fulfilled, at_ms));
        }
        Difference::FulfilledUnpaid
        | Difference::FulfilledUndecided
        | Difference::FulfilledRefunded => {
            facts.goods = Some((FulfilmentState::Returned, at_ms));
        }
        Difference::FulfilledUncaptured => totals.captured = totals.authorized,
        Difference::CanceledButHeld => {
            totals.refunded = totals.authorized.checked_sub(facts.disputed).unwrap();
        }
    }
    facts
}

fn any_facts() -> impl Strategy<Value = OrderFacts> {
    let goods = prop::option::of((prop::sample::select(&FulfilmentState::ALL[..]), 0..2000_i64));
    let sums = (0..5_u64, 0..5_u64, 0..5_u64, 0..5_u64);
    let times = (prop::option::of(0..2000_i64), prop::option::of(0..2000_i64));
    (sums, 0..4_u32, any::<bool>(), times, goods).prop_map(
        |(sums, charges, has_pending, (money_moved_ms, telling_since_ms), goods)| {
            let authorized = sums.0;
            let captured = sums.1.min(authorized);
            let refunded = sums.2.min(captured);
            let disputed = sums.3.min(captured - refunded);
            OrderFacts {
                totals: totals(authorized, captured, refunded),
                disputed: amount(disputed),
                charges,
                has_pending,
                money_moved_ms,
                goods,
                telling_since_ms,
            }
        },
    )
}

proptest! {
    #[test]
    fn money_and_goods_differ_in_one_way_at_most(facts in any_facts(), now_ms in 0..5000_i64) {
        let found = compare(&facts, GRACE_PERIODS, now_ms);
        let of_goods = found.iter().filter(|one| one.difference != Difference::SeveralCharges);
        prop_assert!(of_goods.count() <= 1);
        prop_assert!(found.iter().all(|one| one.since_ms <= now_ms));
    }

    #[test]
    fn a_difference_stays_until_something_moves(facts in any_facts(), now_ms in 0..5000_i64, later_ms in 0..5000_i64) {
        let now = compare(&facts, GRACE_PERIODS, now_ms);
        let later = compare(&facts, GRACE_PERIODS, now_ms + later_ms);
        prop_assert!(now.iter().all(|one| later.contains(one)));
    }

    #[test]
    fn the_action_of_a_difference_ends_it(facts in any_facts(), now_ms in 0..5000_i64) {
        for found in compare(&facts, GRACE_PERIODS, now_ms) {
            let ended = ended(facts, found.difference, now_ms);
            let left = compare(&ended, GRACE_PERIODS, now_ms + 10_000);
            prop_assert!(left.iter().all(|one| one.difference != found.difference));
        }
    }

    #[test]
    fn no_shop_is_blamed_for_goods_of_which_it_tells_nothing(facts in any_facts(), now_ms in 0..5000_i64) {
        let silent = OrderFacts { goods: None, telling_since_ms: None, ..facts };
        let found = compare(&silent, GRACE_PERIODS, now_ms);
        prop_assert!(found.iter().all(|one| one.difference == Difference::SeveralCharges));
    }
}
