//! Every state with every event, as one table in the form of the contract's, and the rules that must hold
//! for every series of events.

use super::samples::{SUBMISSION, events, states};
use super::*;
use crate::operation::{AuthorizationResult, OperationResult};
use proptest::prelude::*;

/// The table that the state machine has to match. A change of the state machine shows as a change of the file.
const TABLE: &str = include_str!("table.txt");

#[test]
fn every_state_has_its_answer_to_every_event() {
    let mut table = String::new();
    for version in [Version::Three, Version::Two] {
        for state in states() {
            table.push_str(&format!(
                "\nversion {}: {}\n",
                version.number(),
                name(&state)
            ));
            let mut answers: Vec<(String, Vec<String>)> = Vec::new();
            for event in events() {
                let [last, not_last] =
                    [1, 2].map(|attempts_left| answer(version, &state, &event, attempts_left));
                let text = if last == not_last {
                    last
                } else {
                    format!("{last}\n    or, with attempts left, {not_last}")
                };
                match answers.iter_mut().find(|(known, _)| *known == text) {
                    Some((_, events)) => events.push(event_name(&event)),
                    None => answers.push((text, vec![event_name(&event)])),
                }
            }
            for (answer, events) in answers {
                table.push_str(&format!("  {answer}\n      {}\n", events.join(" | ")));
            }
        }
    }
    if std::env::var_os("UPDATE_TABLES").is_some() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/session/table.txt");
        std::fs::write(file, &table).unwrap();
    } else {
        let changed = table
            .lines()
            .zip(TABLE.lines())
            .find(|(made, kept)| made != kept);
        assert!(
            changed.is_none() && table.len() == TABLE.len(),
            "the machine and table.txt differ at {changed:?}: if that is meant, run the test with UPDATE_TABLES=1 and read the difference"
        );
    }
}

fn answer(version: Version, state: &State, event: &Event, attempts_left: u8) -> String {
    let counters = Counters {
        attempts_left,
        submissions: SUBMISSION,
    };
    let session = Session {
        counters,
        state: state.clone(),
    };
    match step(version, session.clone(), event.clone(), 1_000) {
        Ok(after) => describe(&session, &after),
        Err(refusal) => format!("refused: {refusal:?}"),
    }
}

fn name(state: &State) -> String {
    match state {
        State::CollectingCard(PreviousAttempt::None) => String::from("CollectingCard"),
        State::CollectingCard(PreviousAttempt::Refused {
            idempotency_key, ..
        }) => {
            format!(
                "CollectingCard after a refusal, call {}",
                if idempotency_key.is_some() {
                    "with key"
                } else {
                    "without key"
                }
            )
        }
        State::CheckingDevice { .. } => String::from("CheckingDevice"),
        State::Ready { .. } => String::from("Ready"),
        State::VerifyingDevice { progress, .. } => format!("VerifyingDevice {progress:?}"),
        State::Challenged { challenge, .. } => {
            let means = match challenge.means {
                ChallengeMeans::Page => "",
                ChallengeMeans::Confirmation => " by a confirmation",
                ChallengeMeans::Decoupled { .. } => " apart from the browser",
            };
            format!("Challenged{means}, {} wrong", challenge.wrong_codes)
        }
        State::Redirected { .. } => String::from("Redirected"),
        State::AuthorizingMethod { .. } => String::from("AuthorizingMethod"),
        State::Authorizing {
            from, completion, ..
        } => {
            let again = completion.repeats.as_ref();
            let again = again.map_or_else(String::new, |earlier| format!(", repeating {earlier}"));
            format!("Authorizing from {from:?}{again}")
        }
        State::SteppingUp { from, .. } => format!("SteppingUp from {from:?}"),
        State::Complete { card, .. } => {
            format!(
                "Complete {}",
                if card.is_some() {
                    "with card"
                } else {
                    "without card"
                }
            )
        }
        State::Cancelled { .. } => String::from("Cancelled"),
        State::ChoosingMethod | State::Dead => format!("{state:?}"),
    }
}

fn event_name(event: &Event) -> String {
    match event {
        Event::CardAccepted { check, .. } => format!("CardAccepted, check {check:?}"),
        Event::CompletionRequested {
            completion_call,
            check,
            verdict,
            ..
        } => format!("{completion_call:?}, check {check:?}, {verdict:?}"),
        Event::ChallengeAnswered {
            operation_id,
            reply,
        } => format!("ChallengeAnswered {reply:?}, {operation_id}"),
        Event::ConfirmationAnswered {
            operation_id,
            reply,
        } => format!("ConfirmationAnswered {reply:?}, {operation_id}"),
        Event::MethodAnswered {
            operation_id,
            reply,
        } => format!("MethodAnswered {reply:?}, {operation_id}"),
        Event::SumAgreed { sum, .. } => format!("SumAgreed {sum}"),
        Event::MethodChosen { .. } => String::from("MethodChosen"),
        Event::CardRefused { .. } => String::from("CardRefused"),
        Event::DeviceCheckGivenUp { .. } => String::from("DeviceCheckGivenUp"),
        Event::CancelAsked { .. } => String::from("CancelAsked"),
        Event::AuthenticationDemanded { .. } => String::from("AuthenticationDemanded"),
        Event::DeviceChecked { submission } => format!("DeviceChecked {submission}"),
        other => format!("{other:?}"),
    }
}

fn describe(before: &Session, after: &Step) -> String {
    let mut text = if before.state == after.session.state {
        String::from("stays")
    } else {
        format!("-> {}", name(&after.session.state))
    };
    let (counted, now) = (before.counters, after.session.counters);
    if counted.attempts_left != now.attempts_left {
        text.push_str(", one attempt less");
    }
    if counted.submissions != now.submissions {
        text.push_str(", one submission more");
    }
    for effect in &after.effects {
        text.push_str(&match effect {
            Effect::Record {
                operation_id,
                terminal,
                card,
                result,
                repeats,
                ..
            } => {
                let card = if card.is_some() { "card" } else { "no card" };
                let again = repeats.as_ref();
                let again =
                    again.map_or_else(String::new, |earlier| format!(", repeating {earlier}"));
                format!("; Record {operation_id} {result:?} on {terminal:?} with {card}{again}")
            }
            Effect::RecordMethod {
                operation_id,
                result,
                ..
            } => format!("; RecordMethod {operation_id} {result:?}"),
            other => format!("; {other:?}"),
        });
    }
    text
}

/// The table agrees with the contract's table 4.8.
#[test]
fn calls_against_states_are_those_of_the_contract() {
    let finalize = |state: State| {
        let event = Event::CompletionRequested {
            completion_call: CompletionCall::Finalize,
            check: DeviceCheck::Due,
            verdict: Verdict::Pass(Authentication::Full),
            call: PendingCompletion {
                operation_id: String::from("9"),
                terminal_id: String::new(),
                idempotency_key: None,
                repeats: None,
            },
        };
        step(
            Version::Three,
            Session {
                counters: COUNTERS,
                state,
            },
            event,
            0,
        )
        .map(|after| after.effects)
    };
    for state in states() {
        let answer = finalize(state.clone());
        match state {
            State::ChoosingMethod | State::CollectingCard(_) | State::CheckingDevice { .. } => {
                assert_eq!(answer, Err(TransitionError::WrongState));
            }
            State::Ready { .. } => {
                assert_eq!(
                    answer,
                    Ok(vec![Effect::AskIssuer {
                        operation_id: String::from("9")
                    }])
                );
            }
            State::Authorizing { .. }
            | State::SteppingUp { .. }
            | State::AuthorizingMethod { .. } => {
                assert_eq!(answer, Err(TransitionError::Authorizing))
            }
            State::Dead => assert_eq!(answer, Err(TransitionError::Dead)),
            _ => assert_eq!(answer, Ok(Vec::new()), "{state:?}"),
        }
    }
}

#[test]
fn the_tenth_bad_submission_ends_the_session() {
    let mut session = Session {
        counters: Counters {
            attempts_left: 5,
            submissions: 0,
        },
        state: COLLECTING,
    };
    for number in 1..=SUBMISSIONS {
        let event = Event::CardRefused {
            operation_id: number.to_string(),
        };
        session = step(Version::Three, session, event, 0).unwrap().session;
        let is_over = matches!(session.state, State::Complete { .. });
        assert_eq!(is_over, number == SUBMISSIONS, "{number}");
    }
}

#[test]
fn a_good_tenth_submission_goes_on_and_an_eleventh_does_not() {
    let accepted = || Event::CardAccepted {
        card: samples::card(),
        check: DeviceCheck::Due,
        operation_id: String::from("9"),
    };
    let counters = Counters {
        attempts_left: 1,
        submissions: SUBMISSIONS - 1,
    };
    let tenth = step(
        Version::Three,
        Session {
            counters,
            state: COLLECTING,
        },
        accepted(),
        0,
    )
    .unwrap()
    .session;
    assert!(matches!(tenth.state, State::CheckingDevice { .. }));
    let eleventh = step(Version::Three, tenth, accepted(), 0).unwrap();
    assert!(matches!(eleventh.session.state, State::Complete { .. }));
    assert!(eleventh.effects.iter().any(|effect| matches!(
        effect,
        Effect::Record {
            result: Recorded::Own(OperationResult::Failed),
            ..
        }
    )));
}

#[test]
fn whichever_button_was_first_decides() {
    let press = |state: State, event: Event| {
        let session = Session {
            counters: COUNTERS,
            state,
        };
        step(Version::Three, session, event, 10)
            .unwrap()
            .session
            .state
    };
    let method = || Event::MethodChosen {
        method: Method::from_code("PAYPAL").unwrap(),
        operation_id: String::from("1"),
    };
    assert_eq!(press(COLLECTING, method()), COLLECTING);
    let redirected = press(State::ChoosingMethod, method());
    assert!(matches!(redirected, State::Redirected { .. }));
    let again = press(redirected.clone(), Event::CardMethodChosen);
    assert_eq!(again, redirected);
    let other = Event::MethodChosen {
        method: Method::from_code("IDEAL").unwrap(),
        operation_id: String::from("2"),
    };
    assert_eq!(press(redirected.clone(), other), redirected);
}

#[test]
fn limits_are_those_of_the_states() {
    let limits = Limits {
        idle_ms: 300,
        challenge_ms: 60,
        redirect_ms: 90,
        retention_ms: 86_400,
    };
    let check = |state: &State, now_ms: i64, expected: Option<Limit>| {
        assert_eq!(
            passed_limit(state, 100, 1_000, limits, now_ms),
            expected,
            "{state:?} at {now_ms}"
        );
    };
    for state in states() {
        match state {
            State::Challenged {
                challenge:
                    Challenge {
                        means: ChallengeMeans::Decoupled { until_ms },
                        ..
                    },
                ..
            } => {
                check(&state, until_ms - 1, None);
                check(&state, until_ms, Some(Limit::Challenge));
            }
            State::Challenged { .. } => {
                check(&state, 69, None);
                check(&state, 70, Some(Limit::Challenge));
            }
            State::Redirected { .. } => {
                check(&state, 99, None);
                check(&state, 100, Some(Limit::Redirect));
            }
            State::Complete { .. } | State::Cancelled { .. } => {
                check(&state, 86_409, None);
                check(&state, 86_410, Some(Limit::Retention));
            }
            State::Authorizing { .. }
            | State::SteppingUp { .. }
            | State::AuthorizingMethod { .. }
            | State::Dead => {
                check(&state, i64::MAX, None);
            }
            _ => {
                check(&state, 399, None);
                check(&state, 400, Some(Limit::Idle));
                assert_eq!(passed_limit(&state, 900, 1_000, limits, 999), None);
                assert_eq!(
                    passed_limit(&state, 900, 1_000, limits, 1_000),
                    Some(Limit::Hard)
                );
            }
        }
    }
}

const COUNTERS: Counters = Counters {
    attempts_left: 1,
    submissions: SUBMISSION,
};
const COLLECTING: State = State::CollectingCard(PreviousAttempt::None);

fn history() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(0..events().len(), 0..60)
}

proptest! {
    /// For every series of events: only one request for money runs at a time, and at most one succeeds. An attempt asks twice at most: the
    /// second time after a challenge that the issuer demanded.
    #[test]
    fn no_history_pays_twice(history in history(), attempts in 1_u8..=5, two in any::<bool>(), chosen in any::<bool>()) {
        let version = if two { Version::Two } else { Version::Three };
        let counters = Counters { attempts_left: attempts, submissions: 0 };
        let state = if chosen { COLLECTING } else { State::ChoosingMethod };
        let mut session = Session { counters, state };
        let (mut asked, mut approved, mut refused) = (0, 0, 0);
        for index in history {
            let event = events().swap_remove(index);
            let before = session.clone();
            let Ok(after) = step(version, session, event, 0) else {
                session = before;
                continue;
            };
            for effect in &after.effects {
                match effect {
                    Effect::AskIssuer { .. } => {
                        prop_assert!(!before.state.has_money_on_its_way(), "asked while asking");
                        prop_assert_eq!(approved, 0, "asked after success");
                        asked += 1;
                    }
                    Effect::Record { result: Recorded::Issuer(result), .. }
                    | Effect::RecordMethod { result: Recorded::Issuer(result), .. } => {
                        approved += u32::from(matches!(result, AuthorizationResult::Approved | AuthorizationResult::Pending));
                        refused += u32::from(*result == AuthorizationResult::Declined);
                    }
                    _ => {}
                }
            }
            session = after.session;
        }
        prop_assert!(approved <= 1);
        prop_assert!(refused <= 2 * u32::from(attempts));
        prop_assert!(asked <= approved + 2 * u32::from(attempts) + 1);
    }

    /// A session that has ended does not change.
    #[test]
    fn nothing_wakes_the_dead(index in 0..events().len()) {
        let session = Session { counters: COUNTERS, state: State::Dead };
        let event = events().swap_remove(index);
        prop_assert_eq!(step(Version::Three, session, event, 0), Err(TransitionError::Dead));
    }
}
