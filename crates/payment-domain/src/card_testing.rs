//! The rules that stop whoever tries out stolen cards on a form: how many tries without an approval one card, session, address, range,
//! terminal, merchant, kind of browser or order value may have, and what follows when there were more.
//!
//! The decision is here, without any I/O; counting is the storage's task. [`settings`] has what a merchant can change.
//!
//! A try counts from the moment at which it is admitted, and no longer once it is approved. So tries that run at the same time count,
//! too. Two things can follow: the try is refused, and nobody is asked; or the buyer has to pass a challenge of the issuer. The second is
//! for what honest buyers share with a bot, such as the range of their cards. While a terminal is under attack, forms are asked for a
//! proof of work, and tries with one are judged among themselves.

mod review;
mod rule;
mod settings;
mod tries;

pub use review::{Term, Verdict, Verdicts};
pub use rule::Rule;
pub use settings::{
    AddressRange, CardRange, CardTestingSettings, Limits, SettingError, Switch, address_key,
};
pub use tries::{EarlierTries, Tries};

/// What a list of the terminal says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listed {
    /// Nothing.
    #[default]
    No,
    /// It is trusted.
    Allowed,
    /// It is never admitted.
    Blocked,
}

/// What happens to a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It goes on.
    Admit,
    /// It goes on only if the buyer passes a challenge of the issuer.
    Challenge(Rule),
    /// It is refused, and neither issuer nor acquirer is asked.
    Refuse(Rule),
}

/// What a merchant has decided about a try, before anything is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decided {
    /// What the terminal's lists say of the card's range.
    pub range: Listed,
    /// What they say of the buyer's address.
    pub address: Listed,
    /// What members decided about earlier tries of the same kind.
    pub verdicts: Verdicts,
}

/// Decides about a try.
pub fn decide(limits: &Limits, earlier: &EarlierTries, decided: &Decided) -> Decision {
    let Decided {
        range,
        address,
        ref verdicts,
    } = *decided;
    let holds = |rule, by_counts| verdicts.holds(rule, by_counts);
    if holds(Rule::BlockedRange, range == Listed::Blocked) {
        return Decision::Refuse(Rule::BlockedRange);
    }
    if holds(Rule::BlockedAddress, address == Listed::Blocked) {
        return Decision::Refuse(Rule::BlockedAddress);
    }
    // Nobody else has this card or this session, so approvals do not excuse the others.
    if holds(Rule::Card, is_reached(limits.card, earlier.card.unapproved)) {
        return Decision::Refuse(Rule::Card);
    }
    let session = is_reached(limits.session, earlier.session.unapproved);
    if holds(Rule::Session, session) {
        return Decision::Refuse(Rule::Session);
    }
    if address == Listed::Allowed {
        return Decision::Admit;
    }
    if holds(Rule::Address, fail_mostly(limits.address, earlier.address)) {
        return Decision::Refuse(Rule::Address);
    }
    let is_range_tried = range != Listed::Allowed && fail_mostly(limits.range, earlier.range);
    if holds(Rule::Range, is_range_tried) {
        return Decision::Challenge(Rule::Range);
    }
    let is_attacked = is_under_attack(limits, earlier.terminal);
    if holds(Rule::Terminal, is_attacked) {
        return match is_excused(limits, earlier.proven) {
            true => Decision::Admit,
            false => Decision::Challenge(Rule::Terminal),
        };
    }
    if holds(Rule::Merchant, is_spread(limits, earlier)) {
        return Decision::Challenge(Rule::Merchant);
    }
    // Many honest buyers share these, so they say something only where the terminal's own rule says nothing: of a bot whose tries are few
    // among those of all buyers.
    if holds(Rule::Device, fail_mostly(limits.device, earlier.device)) {
        return Decision::Challenge(Rule::Device);
    }
    let is_sum_tried = fail_mostly(limits.order_value, earlier.order_value);
    if holds(Rule::OrderValue, is_sum_tried) {
        return Decision::Challenge(Rule::OrderValue);
    }
    Decision::Admit
}

/// Whether somebody tries out cards at several terminals of a merchant, few at each. Tries at one terminal are judged by its own rule.
fn is_spread(limits: &Limits, earlier: &EarlierTries) -> bool {
    earlier.merchant.unapproved > earlier.terminal.unapproved
        && fail_too_often(limits.merchant, earlier.merchant)
}

/// Whether a try with a proof of work passes at a terminal under attack: those with a proof are judged among themselves, with a much lower
/// limit. A bot that solves no puzzles does not count against them; one that does ends this for all.
fn is_excused(limits: &Limits, proven: Option<Tries>) -> bool {
    let among_proven = (limits.terminal / PROVEN_SHARE).max(1);
    proven.is_some_and(|proven| !fail_too_often(among_proven, proven))
}

/// Whether so many tries at a terminal fail that somebody tries out cards.
pub fn is_under_attack(limits: &Limits, at_terminal: Tries) -> bool {
    fail_too_often(limits.terminal, at_terminal)
}

/// Whether the limit of tries that fail is reached, and more than a third fails. Of honest buyers about one in ten fails.
fn fail_too_often(limit: u32, tries: Tries) -> bool {
    is_reached(limit, tries.unapproved) && tries.unapproved.saturating_mul(2) > tries.approved
}

/// A limit of 0 is none.
fn is_reached(limit: u32, tries: u32) -> bool {
    limit > 0 && tries >= limit
}

/// The limit for tries with a proof of work is this part of the terminal's, so that a bot that solves puzzles has no more than 20 tries
/// in all.
const PROVEN_SHARE: u32 = 8;

/// Whether the limit of tries that fail is reached, and more fail than succeed. Buyers behind one address, and the cards of one range, are
/// many: some of them always fail.
fn fail_mostly(limit: u32, tries: Tries) -> bool {
    is_reached(limit, tries.unapproved) && tries.unapproved > tries.approved
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(unapproved: u32, approved: u32) -> Tries {
        Tries {
            unapproved,
            approved,
        }
    }

    #[test]
    fn each_rule_has_its_limit() {
        let limits = Limits::default();
        let none = EarlierTries::default();
        let check = |earlier: EarlierTries, expected| {
            let decided = decide(&limits, &earlier, &Decided::default());
            assert_eq!(decided, expected, "{earlier:?}");
        };
        check(none, Decision::Admit);
        let card = |tries| EarlierTries {
            card: tries,
            ..none
        };
        check(card(of(7, 0)), Decision::Admit);
        check(card(of(8, 100)), Decision::Refuse(Rule::Card));
        let session = |tries| EarlierTries {
            session: tries,
            ..none
        };
        check(session(of(5, 0)), Decision::Admit);
        check(session(of(6, 0)), Decision::Refuse(Rule::Session));
        let address = |tries| EarlierTries {
            address: tries,
            ..none
        };
        check(address(of(11, 0)), Decision::Admit);
        check(address(of(12, 11)), Decision::Refuse(Rule::Address));
        check(address(of(12, 12)), Decision::Admit);
        let range = |tries| EarlierTries {
            range: tries,
            ..none
        };
        check(range(of(11, 0)), Decision::Admit);
        check(range(of(12, 11)), Decision::Challenge(Rule::Range));
        check(range(of(12, 12)), Decision::Admit);
        let terminal = |tries| EarlierTries {
            terminal: tries,
            ..none
        };
        check(terminal(of(15, 0)), Decision::Admit);
        check(terminal(of(16, 31)), Decision::Challenge(Rule::Terminal));
        check(terminal(of(16, 32)), Decision::Admit);
        let merchant = |tries| EarlierTries {
            merchant: tries,
            ..terminal(of(6, 0))
        };
        check(merchant(of(17, 0)), Decision::Admit);
        check(merchant(of(18, 35)), Decision::Challenge(Rule::Merchant));
        check(merchant(of(18, 36)), Decision::Admit);
        let device = |tries| EarlierTries {
            device: tries,
            ..terminal(of(15, 40))
        };
        check(device(of(15, 0)), Decision::Admit);
        check(device(of(16, 15)), Decision::Challenge(Rule::Device));
        check(device(of(16, 16)), Decision::Admit);
        let order_value = |tries| EarlierTries {
            order_value: tries,
            ..terminal(of(16, 40))
        };
        check(order_value(of(15, 0)), Decision::Admit);
        check(
            order_value(of(16, 15)),
            Decision::Challenge(Rule::OrderValue),
        );
        check(order_value(of(16, 16)), Decision::Admit);
        // All of them at this terminal, whose own rule judges them.
        let alone = EarlierTries {
            terminal: of(15, 0),
            ..merchant(of(15, 0))
        };
        let low = Limits {
            merchant: 1,
            ..limits
        };
        let decided = decide(&low, &alone, &Decided::default());
        assert_eq!(decided, Decision::Admit);
    }

    #[test]
    fn at_a_terminal_under_attack_tries_with_a_proof_are_judged_among_themselves() {
        let limits = Limits::default();
        let attacked = |proven| EarlierTries {
            terminal: of(1000, 3),
            proven,
            ..EarlierTries::default()
        };
        let check = |earlier: EarlierTries, expected| {
            let decided = decide(&limits, &earlier, &Decided::default());
            assert_eq!(decided, expected, "{earlier:?}");
        };
        check(attacked(None), Decision::Challenge(Rule::Terminal));
        check(attacked(Some(of(0, 0))), Decision::Admit);
        check(attacked(Some(of(1, 0))), Decision::Admit);
        check(
            attacked(Some(of(2, 0))),
            Decision::Challenge(Rule::Terminal),
        );
        check(
            attacked(Some(of(2, 3))),
            Decision::Challenge(Rule::Terminal),
        );
        // Of honest buyers one in ten fails.
        check(attacked(Some(of(10, 90))), Decision::Admit);
        // A proof excuses from nothing else.
        let same_range = EarlierTries {
            range: of(12, 0),
            ..attacked(Some(of(0, 0)))
        };
        check(same_range, Decision::Challenge(Rule::Range));
    }

    #[test]
    fn lists_come_first_and_a_trusted_address_still_has_the_limits_of_card_and_session() {
        let limits = Limits::default();
        let many = of(1000, 0);
        let by_all = EarlierTries {
            card: many,
            session: many,
            address: many,
            range: many,
            terminal: many,
            merchant: many,
            device: many,
            order_value: many,
            proven: Some(many),
        };
        let shared = EarlierTries {
            card: Tries::default(),
            session: Tries::default(),
            ..by_all
        };
        let none = EarlierTries::default();
        use Listed::{Allowed, Blocked, No};
        for (earlier, range, address, expected) in [
            (none, Blocked, Allowed, Decision::Refuse(Rule::BlockedRange)),
            (
                none,
                Allowed,
                Blocked,
                Decision::Refuse(Rule::BlockedAddress),
            ),
            (by_all, No, Allowed, Decision::Refuse(Rule::Card)),
            (shared, No, Allowed, Decision::Admit),
            (shared, No, No, Decision::Refuse(Rule::Address)),
            (
                EarlierTries {
                    address: Tries::default(),
                    ..shared
                },
                Allowed,
                No,
                Decision::Challenge(Rule::Terminal),
            ),
        ] {
            let lists = Decided {
                range,
                address,
                ..Decided::default()
            };
            assert_eq!(decide(&limits, &earlier, &lists), expected);
        }
    }

    #[test]
    fn what_members_decided_wins_over_counts_and_lists_of_its_own_rule_alone() {
        let limits = Limits::default();
        let check = |earlier: EarlierTries, decisions: &[(Rule, Verdict)], range, expected| {
            let decided = Decided {
                range,
                verdicts: decisions.iter().copied().collect(),
                ..Decided::default()
            };
            assert_eq!(
                decide(&limits, &earlier, &decided),
                expected,
                "{decisions:?}"
            );
        };
        let none = EarlierTries::default();
        for (rule, measure) in [
            (Rule::BlockedRange, Decision::Refuse as fn(Rule) -> Decision),
            (Rule::BlockedAddress, Decision::Refuse),
            (Rule::Card, Decision::Refuse),
            (Rule::Session, Decision::Refuse),
            (Rule::Address, Decision::Refuse),
            (Rule::Range, Decision::Challenge),
            (Rule::Terminal, Decision::Challenge),
            (Rule::Merchant, Decision::Challenge),
            (Rule::Device, Decision::Challenge),
            (Rule::OrderValue, Decision::Challenge),
        ] {
            check(none, &[(rule, Verdict::Attack)], Listed::No, measure(rule));
        }
        let card = EarlierTries {
            card: of(8, 0),
            range: of(12, 0),
            ..none
        };
        let buyers = (Rule::Card, Verdict::Buyers);
        check(
            card,
            &[buyers],
            Listed::No,
            Decision::Challenge(Rule::Range),
        );
        let both = [buyers, (Rule::Range, Verdict::Buyers)];
        check(card, &both, Listed::No, Decision::Admit);
        let listed = [(Rule::BlockedRange, Verdict::Buyers)];
        check(none, &listed, Listed::Blocked, Decision::Admit);
    }

    fn tries() -> impl Strategy<Value = Tries> {
        (0..60u32, 0..60u32).prop_map(|(unapproved, approved)| of(unapproved, approved))
    }

    fn earlier() -> impl Strategy<Value = EarlierTries> {
        (tries(), tries(), tries(), tries(), tries()).prop_map(
            |(card, session, address, range, terminal)| EarlierTries {
                card,
                session,
                address,
                range,
                terminal,
                merchant: terminal,
                device: address,
                order_value: range,
                proven: None,
            },
        )
    }

    proptest! {
        /// Whatever a bot keeps the same, and however few of its tries succeed, its 21st try is not admitted without a challenge.
        #[test]
        fn a_bot_is_stopped_within_twenty_tries(pattern in 0..8usize, approved_of_ten in 0..2u32) {
            let limits = Limits::default();
            let mut same = Tries::default();
            let mut admitted = 0;
            for attempt in 1..=100u32 {
                let mut earlier = EarlierTries::default();
                let counted = [
                    &mut earlier.card, &mut earlier.session, &mut earlier.address, &mut earlier.range, &mut earlier.terminal, &mut earlier.merchant,
                    &mut earlier.device, &mut earlier.order_value,
                ];
                if let Some(counted) = counted.into_iter().nth(pattern) {
                    *counted = same;
                }
                if decide(&limits, &earlier, &Decided::default()) == Decision::Admit {
                    admitted += 1;
                    match attempt % 10 < approved_of_ten {
                        true => same.approved += 1,
                        false => same.unapproved += 1,
                    }
                }
            }
            prop_assert!(admitted <= 20, "{admitted}");
        }

        /// The same, if it solves a puzzle for each try once the terminal is under attack.
        #[test]
        fn a_bot_that_works_is_stopped_within_twenty_tries(approved_of_ten in 0..2u32) {
            let limits = Limits::default();
            let (mut terminal, mut proven) = (Tries::default(), Tries::default());
            let mut admitted = 0;
            for attempt in 1..=100u32 {
                let works = is_under_attack(&limits, terminal);
                let earlier = EarlierTries { terminal, proven: works.then_some(proven), ..EarlierTries::default() };
                if decide(&limits, &earlier, &Decided::default()) == Decision::Admit {
                    admitted += 1;
                    let counted = if works { vec![&mut terminal, &mut proven] } else { vec![&mut terminal] };
                    for tries in counted {
                        match attempt % 10 < approved_of_ten {
                            true => tries.approved += 1,
                            false => tries.unapproved += 1,
                        }
                    }
                }
            }
            prop_assert!(admitted <= 20, "{admitted}");
        }

        /// A buyer who mistypes three times is admitted, behind an address and with a card of a range at which most others succeed.
        #[test]
        fn an_honest_buyer_is_admitted(own in 0..=3u32, others in 0..10_000u32, failing_of_ten in 0..3u32) {
            let failed = others * failing_of_ten / 10;
            let shared = of(failed + own, others - failed);
            // With few others, the buyer's own tries are far from each limit.
            let earlier = EarlierTries {
                card: of(own, 0), session: of(own, 0), address: shared, range: shared, terminal: shared, merchant: shared, device: shared,
                order_value: shared, proven: None,
            };
            prop_assert_eq!(decide(&Limits::default(), &earlier, &Decided::default()), Decision::Admit);
        }

        /// One more failure never makes a decision milder, and one more approval never makes it stricter.
        #[test]
        fn failures_never_help_and_approvals_never_harm(before in earlier(), which in 0..7usize) {
            let limits = Limits::default();
            let severity = |earlier: &EarlierTries| match decide(&limits, earlier, &Decided::default()) {
                Decision::Admit => 0,
                Decision::Challenge(_) => 1,
                Decision::Refuse(_) => 2,
            };
            let with = |change: fn(&mut Tries)| {
                let mut earlier = before;
                let all = [
                    &mut earlier.card, &mut earlier.session, &mut earlier.address, &mut earlier.range, &mut earlier.terminal,
                    &mut earlier.device, &mut earlier.order_value,
                ];
                if let Some(tries) = all.into_iter().nth(which) {
                    change(tries);
                }
                earlier
            };
            prop_assert!(severity(&with(|tries| tries.unapproved += 1)) >= severity(&before));
            prop_assert!(severity(&with(|tries| tries.approved += 1)) <= severity(&before));
        }

        /// Without limits and lists everything is admitted.
        #[test]
        fn limits_of_zero_are_none(earlier in earlier()) {
            let none = Limits {
                card: 0, session: 0, address: 0, range: 0, terminal: 0, merchant: 0, device: 0, order_value: 0,
            };
            prop_assert_eq!(decide(&none, &earlier, &Decided::default()), Decision::Admit);
        }
    }
}
