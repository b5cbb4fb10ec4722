//! The properties hold with the keeper; the search finds shops that use it wrongly, and the faults of common rules.

use super::common_rules::{Rule, RuleAction};
use super::keeper::{BrokenShop, KeeperSetting};
use super::{AGREES, FULFILLED_ONCE, GIVEN_UP_IS_UNPAID, PAID_IS_HELD};
use stateright::{Checker, HasDiscoveries, Model};
use std::collections::{HashSet, VecDeque};

const SHOP: KeeperSetting = KeeperSetting {
    presses: 1,
    faults: 1,
    staff: false,
    counts_reads: false,
    broken: None,
};

/// Searches every state. Every property must hold, every required outcome must be reached, with at least `least` states.
fn check(setting: KeeperSetting, least: usize) {
    let checker = setting.checker().spawn_bfs().join();
    let states = checker.unique_state_count();
    println!("{states} states");
    checker.assert_properties();
    assert!(states >= least, "{states} states only: what was left out?");
}

#[test]
fn one_tab_with_two_faults() {
    check(KeeperSetting { faults: 2, ..SHOP }, 7_700);
}

#[test]
fn two_tabs() {
    check(
        KeeperSetting {
            presses: 2,
            faults: 0,
            ..SHOP
        },
        194_000,
    );
}

#[test]
fn two_tabs_with_a_fault() {
    check(KeeperSetting { presses: 2, ..SHOP }, 494_000);
}

#[test]
fn staff_cancels() {
    check(
        KeeperSetting {
            staff: true,
            ..SHOP
        },
        24_000,
    );
}

#[test]
fn reads_are_counted_up_to_the_call_for_a_person() {
    check(
        KeeperSetting {
            counts_reads: true,
            faults: 0,
            ..SHOP
        },
        9_100,
    );
}

/// The checker has to find that this property is broken.
#[track_caller]
fn caught(broken: BrokenShop, promise: &'static str) {
    let setting = KeeperSetting {
        broken: Some(broken),
        ..SHOP
    };
    let found = HasDiscoveries::AnyOf([promise].into());
    let checker = setting.checker().finish_when(found).spawn_bfs().join();
    assert!(
        checker.discovery(promise).is_some(),
        "{broken:?} goes unnoticed: {promise}"
    );
}

#[test]
fn a_shop_that_forgets_outputs_is_caught() {
    caught(BrokenShop::OutputsForgotten, AGREES);
}

#[test]
fn a_shop_that_does_not_lock_the_row_is_caught() {
    caught(BrokenShop::RowNotLocked, FULFILLED_ONCE);
}

#[test]
fn a_shop_that_shows_a_form_too_early_is_caught() {
    caught(BrokenShop::FormBeforeKeeper, GIVEN_UP_IS_UNPAID);
}

#[test]
fn a_shop_that_takes_any_answer_for_the_newest_is_caught() {
    caught(BrokenShop::TicketOfTheRow, GIVEN_UP_IS_UNPAID);
}

#[test]
fn a_shop_that_closes_nothing_is_caught() {
    caught(BrokenShop::ClosedByWord, GIVEN_UP_IS_UNPAID);
}

/// Rules that are in use, the property that each breaks, and the result for the shop.
const RULES: &[(Rule, &str, &str, &str)] = &[
    (
        Rule::CancelUnpaid,
        "Cancel unpaid orders after M minutes",
        GIVEN_UP_IS_UNPAID,
        "The order is cancelled, its stock is sold again, and the buyer's money is held.",
    ),
    (
        Rule::WaitTwoSeconds,
        "Wait two seconds, so that the return page is first",
        FULFILLED_ONCE,
        "Both have read an order that waits. The goods are sent twice.",
    ),
    (
        Rule::LateFailureCancels,
        "A failure cancels the order, whenever it comes",
        GIVEN_UP_IS_UNPAID,
        "The message of the first attempt cancels what the second one paid.",
    ),
    (
        Rule::FirstMessageWins,
        "The first message wins, later ones are repetitions",
        GIVEN_UP_IS_UNPAID,
        "The refusal of the first attempt was the first message: the payment is taken for a repetition.",
    ),
    (
        Rule::BrowserIsTruth,
        "What the return page says is the outcome",
        PAID_IS_HELD,
        "The issuer has not decided, and may refuse. The goods are gone.",
    ),
    (
        Rule::OrderOnReturn,
        "The order is made when the buyer is back",
        AGREES,
        "The notification found no order and was acknowledged, so it does not come again. The buyer paid for an order that is not there.",
    ),
];

const BEGIN: &str = "<!-- traces: begin -->\n";
const END: &str = "<!-- traces: end -->\n";

/// The checker stops at any sequence to a broken property; the page shows the shortest.
fn shortest(rule: &Rule, promise: &'static str) -> Option<Vec<RuleAction>> {
    let property = rule.property(promise);
    let mut queue: VecDeque<_> = rule
        .init_states()
        .into_iter()
        .map(|world| (world, Vec::new()))
        .collect();
    let mut seen = HashSet::new();
    while let Some((world, path)) = queue.pop_front() {
        if !(property.condition)(rule, &world) {
            return Some(path);
        }
        let mut actions = Vec::new();
        rule.actions(&world, &mut actions);
        for action in actions {
            let next = rule.next_state(&world, action);
            if let Some(next) = next.filter(|next| seen.insert(next.clone())) {
                queue.push_back((next, [&path[..], &[action]].concat()));
            }
        }
    }
    None
}

fn traces() -> String {
    let mut text = String::new();
    for (rule, title, promise, end) in RULES {
        let Some(path) = shortest(rule, promise) else {
            panic!("{rule:?} goes unnoticed: {promise}");
        };
        text += &format!("\n### \"{title}\"\n\nBroken: {promise}.\n\n");
        for (at, action) in path.iter().enumerate() {
            text += &format!("{}. {action}\n", at + 1);
        }
        text += &format!("\n{end}\n");
    }
    text + "\n"
}

/// `UPDATE_TRACES=1 cargo test -p payframe-model shop` writes it again.
#[test]
fn common_rules_are_broken_as_the_page_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/order-keeper.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (kept, after) = rest.split_once(END).unwrap();
    let found = traces();
    if std::env::var_os("UPDATE_TRACES").is_some() {
        std::fs::write(path, format!("{before}{BEGIN}{found}{END}{after}")).unwrap();
        return;
    }
    assert!(
        kept == found,
        "docs/order-keeper.md differs from what the search finds: if that is meant, run the test with UPDATE_TRACES=1"
    );
}
