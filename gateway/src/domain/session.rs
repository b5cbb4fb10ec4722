//! The life of a build session: one pure [`step`] from a session and an event to the next session and what
//! has to be done about it (contract, sections 4.8 and 6).
//!
//! Each state holds what it needs and nothing else. A session whose money is on its way
//! ([`State::Authorizing`]) takes no event but the issuer's answer: whoever has another one fetches that
//! answer first. Time does nothing by itself: [`passed_limit`] says which limit has passed, and that is an
//! event like any other.

use super::card::EnteredCard;
use super::operation::{OperationResult, Settlement};
use super::terms::Version;

/// A session, as far as it changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Session {
    /// What is counted.
    pub(crate) counters: Counters,
    /// Where it stands.
    pub(crate) state: State,
}

/// What is counted over the life of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counters {
    /// How many closing calls may still end in a refusal, the next one included.
    pub(crate) attempts_left: u8,
    /// How often card data was submitted.
    pub(crate) submissions: u8,
}

/// Where a session stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// The buyer picks a method.
    ChoosingMethod,
    /// The buyer enters the card.
    CollectingCard(AfterRefusal),
    /// Version 3: the card is good, its device check runs.
    CheckingDevice {
        card: EnteredCard,
        check: DeviceCheck,
    },
    /// Card data is complete; a closing call is due.
    Ready { card: EnteredCard },
    /// Version 2: confirmed, the device check runs.
    VerifyingDevice {
        card: EnteredCard,
        check: DeviceCheck,
        progress: CheckProgress,
        closing: ClosingCall,
    },
    /// The issuer asks the buyer.
    Challenged {
        card: EnteredCard,
        challenge: Challenge,
        closing: ClosingCall,
    },
    /// The issuer is asked for the money. The operation's id is the reference: asking twice charges once.
    Authorizing {
        card: EnteredCard,
        authentication: Authentication,
        from: Stage,
        closing: ClosingCall,
    },
    /// There is an outcome.
    Complete {
        card: Option<EnteredCard>,
        operation_id: String,
        since_ms: i64,
    },
    /// It was given up.
    Cancelled { operation_id: String, since_ms: i64 },
    /// It ended without an outcome, or its outcome is no longer told here.
    Dead,
}

/// What came before the buyer was asked for a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AfterRefusal {
    /// Nothing.
    No,
    /// An earlier attempt was refused.
    Yes {
        operation_id: String,
        asked_by: Option<String>,
    },
}

/// A closing call, from its arrival until it has its outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClosingCall {
    /// The id of the operation that it leads to.
    pub(crate) operation_id: String,
    /// The terminal that the operation is booked on.
    pub(crate) terminal_id: String,
    /// The call's idempotency key, if it had one: who repeats a call whose answer got lost is told again.
    pub(crate) asked_by: Option<String>,
}

/// How a card's device check behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeviceCheck {
    /// None is due.
    NotDue,
    /// Reports at once.
    Quick,
    /// Reports after some seconds.
    Slow,
    /// Never reports.
    Silent,
}

/// Whether a device check has reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckProgress {
    /// Not yet.
    Running,
    /// Yes.
    Done,
}

/// How sure the issuer is of the buyer (contract 2.7.3, `threeDS`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Authentication {
    /// Authenticated.
    Full,
    /// The issuer does not take part; it was tried.
    Attempted,
    /// Not performed.
    None,
}

/// How a challenge behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChallengeScript {
    /// The right code passes.
    Regular,
    /// Every way fails.
    Failing,
    /// It never ends.
    Endless,
}

/// A challenge that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Challenge {
    /// How it behaves.
    pub(crate) script: ChallengeScript,
    /// How many wrong codes were typed.
    pub(crate) wrong_codes: u8,
    /// When it was opened.
    pub(crate) since_ms: i64,
}

/// Where a session was before its money was asked for: what others see meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// [`State::Ready`]
    Ready,
    /// [`State::VerifyingDevice`]
    VerifyingDevice,
    /// [`State::Challenged`]
    Challenged,
}

/// What the risk rules and the issuer's access control say of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Go on to the issuer.
    Pass(Authentication),
    /// Ask the buyer first.
    Challenge(ChallengeScript),
    /// The buyer is not the card's holder.
    Refused,
    /// Too risky; the issuer is not asked.
    Risk,
}

/// The two closing calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closing {
    /// `confirm_payment`, version 2.
    Confirm,
    /// `finalize_payment`, version 3.
    Finalize,
}

/// What a buyer did on a challenge page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChallengeReply {
    /// The right code, or the button that stands for it.
    Right,
    /// Another code.
    Wrong,
    /// Reject or cancel.
    No,
}

/// What can happen to a session. Ids are fresh ones for an operation that the event may lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The buyer pressed the card button.
    CardMethodChosen,
    /// Card data was submitted, and is not good.
    CardRefused { operation_id: String },
    /// Card data was submitted, and is good.
    CardAccepted {
        card: EnteredCard,
        check: DeviceCheck,
        operation_id: String,
    },
    /// The device check of the submission with this number has reported.
    DeviceChecked { submission: u8 },
    /// The last poll for the device check is used up.
    DeviceCheckGivenUp { operation_id: String },
    /// A closing call arrived.
    ClosingAsked {
        closing: Closing,
        check: DeviceCheck,
        verdict: Verdict,
        call: ClosingCall,
    },
    /// Version 2: the page of the device check asks how it goes on.
    DeviceVerified { verdict: Verdict },
    /// The merchant fixed another amount.
    AmountChanged,
    /// The buyer answered the challenge of this operation.
    ChallengeAnswered {
        operation_id: String,
        reply: ChallengeReply,
    },
    /// The issuer answered.
    IssuerAnswered { settlement: Settlement },
    /// Somebody gives the payment up.
    CancelAsked { operation_id: String },
    /// A limit has passed.
    LimitPassed(Limit),
}

/// A limit of a session's life (contract 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// No sign of the buyer for too long.
    Idle,
    /// Too long since it was made.
    Hard,
    /// The challenge was open for too long.
    Challenge,
    /// The outcome has been told long enough.
    Retention,
}

/// What has to be done with a step, in the same transaction unless it says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Seal and keep the submitted card.
    KeepCard,
    /// Forget the sealed card and the security code.
    ForgetCard,
    /// Make the page of this submission's device check reachable.
    OpenDeviceCheck { submission: u8 },
    /// Make the page of this operation's challenge reachable.
    OpenChallenge { operation_id: String },
    /// Reserve the order for this operation, and ask the issuer once that is committed.
    AskIssuer { operation_id: String },
    /// Record an operation with this result.
    Record {
        operation_id: String,
        terminal: BookedOn,
        card: Option<EnteredCard>,
        authentication: Option<Authentication>,
        result: Recorded,
    },
    /// The buyer is back at the card: the idle limit starts anew.
    RestartIdle,
}

/// The terminal of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BookedOn {
    /// This one.
    Terminal(String),
    /// That of the caller, or of the session where nobody called.
    Caller,
}

/// The result of an operation that a step makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recorded {
    /// What the issuer answered.
    Issuer(Settlement),
    /// A result that needs no issuer.
    Own(OperationResult),
}

/// Why an event does not fit. The session stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The session is dead.
    Dead,
    /// The session's state does not allow it.
    WrongState,
    /// The other version's closing call is the right one.
    WrongVersion,
    /// The issuer is being asked: fetch its answer first.
    Authorizing,
}

/// A session after an event, and what has to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The session now.
    pub(crate) session: Session,
    /// In this order.
    pub(crate) effects: Vec<Effect>,
}

/// How long things may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Without a sign of the buyer.
    pub(crate) idle_ms: i64,
    /// For a challenge.
    pub(crate) challenge_ms: i64,
    /// For telling an outcome.
    pub(crate) retention_ms: i64,
}

/// How often card data may be submitted.
pub(crate) const SUBMISSIONS: u8 = 10;

/// How many wrong codes end a challenge.
pub(crate) const CODES: u8 = 3;

/// Where `session` goes with `event`.
pub(crate) fn step(
    version: Version,
    session: Session,
    event: Event,
    now_ms: i64,
) -> Result<Step, Refusal> {
    let Session { counters, state } = session;
    match (&state, &event) {
        (State::Dead, _) => return Err(Refusal::Dead),
        (State::Authorizing { .. }, Event::IssuerAnswered { .. }) => {}
        (State::Authorizing { .. }, _) => return Err(Refusal::Authorizing),
        _ => {}
    }
    match event {
        Event::CardMethodChosen => Ok(card_method_chosen(counters, state)),
        Event::CardRefused { operation_id } => {
            submission(counters, state, operation_id, now_ms, Submitted::Bad)
        }
        Event::CardAccepted {
            card,
            check,
            operation_id,
        } => {
            let check = if version == Version::Two {
                DeviceCheck::NotDue
            } else {
                check
            };
            submission(
                counters,
                state,
                operation_id,
                now_ms,
                Submitted::Good { card, check },
            )
        }
        Event::DeviceChecked { submission } => Ok(device_checked(counters, state, submission)),
        Event::DeviceCheckGivenUp { operation_id } => {
            device_check_given_up(counters, state, operation_id, now_ms)
        }
        Event::ClosingAsked {
            closing,
            check,
            verdict,
            call,
        } => match (version, closing) {
            (Version::Two, Closing::Confirm) => {
                confirm_asked(counters, state, check, verdict, call, now_ms)
            }
            (Version::Three, Closing::Finalize) => {
                finalize_asked(counters, state, verdict, call, now_ms)
            }
            _ => Err(Refusal::WrongVersion),
        },
        Event::DeviceVerified { verdict } => device_verified(counters, state, verdict, now_ms),
        Event::AmountChanged => amount_changed(counters, state),
        Event::ChallengeAnswered {
            operation_id,
            reply,
        } => Ok(challenge_answered(
            counters,
            state,
            &operation_id,
            reply,
            now_ms,
        )),
        Event::IssuerAnswered { settlement } => {
            issuer_answered(counters, state, settlement, now_ms)
        }
        Event::CancelAsked { operation_id } => {
            Ok(cancel_asked(counters, state, operation_id, now_ms))
        }
        Event::LimitPassed(limit) => Ok(limit_passed(counters, state, limit, now_ms)),
    }
}

/// The limit that `session` has passed by `now_ms`, if any.
pub(crate) fn passed_limit(
    state: &State,
    last_seen_ms: i64,
    ends_ms: i64,
    limits: Limits,
    now_ms: i64,
) -> Option<Limit> {
    let (limit, at_ms) = next_limit(state, last_seen_ms, ends_ms, limits)?;
    (now_ms >= at_ms).then_some(limit)
}

/// The limit that passes next, and when. A session whose money is on its way has none.
pub(crate) fn next_limit(
    state: &State,
    last_seen_ms: i64,
    ends_ms: i64,
    limits: Limits,
) -> Option<(Limit, i64)> {
    match state {
        State::ChoosingMethod
        | State::CollectingCard(_)
        | State::CheckingDevice { .. }
        | State::Ready { .. }
        | State::VerifyingDevice { .. } => {
            let idle_ms = last_seen_ms + limits.idle_ms;
            Some(if idle_ms < ends_ms {
                (Limit::Idle, idle_ms)
            } else {
                (Limit::Hard, ends_ms)
            })
        }
        State::Challenged { challenge, .. } => {
            Some((Limit::Challenge, challenge.since_ms + limits.challenge_ms))
        }
        State::Complete { since_ms, .. } | State::Cancelled { since_ms, .. } => {
            Some((Limit::Retention, since_ms + limits.retention_ms))
        }
        State::Authorizing { .. } | State::Dead => None,
    }
}

enum Submitted {
    Bad,
    Good {
        card: EnteredCard,
        check: DeviceCheck,
    },
}

fn moved(counters: Counters, state: State, effects: Vec<Effect>) -> Step {
    Step {
        session: Session { counters, state },
        effects,
    }
}

fn unchanged(counters: Counters, state: State) -> Step {
    moved(counters, state, Vec::new())
}

fn card_method_chosen(counters: Counters, state: State) -> Step {
    match state {
        State::ChoosingMethod => moved(
            counters,
            State::CollectingCard(AfterRefusal::No),
            Vec::new(),
        ),
        // A second click is answered with the current state (contract 5.4).
        other => unchanged(counters, other),
    }
}

fn submission(
    mut counters: Counters,
    state: State,
    operation_id: String,
    now_ms: i64,
    submitted: Submitted,
) -> Result<Step, Refusal> {
    if !matches!(
        state,
        State::CollectingCard(_) | State::CheckingDevice { .. }
    ) {
        return Err(Refusal::WrongState);
    }
    counters.submissions = counters.submissions.saturating_add(1);
    let number = counters.submissions;
    Ok(match submitted {
        Submitted::Good {
            card,
            check: DeviceCheck::NotDue,
        } if number <= SUBMISSIONS => {
            moved(counters, State::Ready { card }, vec![Effect::KeepCard])
        }
        Submitted::Good { card, check } if number <= SUBMISSIONS => {
            let effects = vec![
                Effect::KeepCard,
                Effect::OpenDeviceCheck { submission: number },
            ];
            moved(counters, State::CheckingDevice { card, check }, effects)
        }
        // A bad submission is not kept, and neither is the good one before it.
        Submitted::Bad if number < SUBMISSIONS => match state {
            State::CheckingDevice { .. } => moved(
                counters,
                State::CollectingCard(AfterRefusal::No),
                vec![Effect::ForgetCard],
            ),
            collecting => unchanged(counters, collecting),
        },
        Submitted::Good { .. } | Submitted::Bad => {
            let result = Recorded::Own(OperationResult::Failed);
            complete(
                counters,
                None,
                None,
                Booking {
                    operation_id,
                    terminal: BookedOn::Caller,
                    result,
                },
                now_ms,
            )
        }
    })
}

fn device_checked(counters: Counters, state: State, submission: u8) -> Step {
    let state = match state {
        // A report of an earlier card's check changes nothing.
        other if counters.submissions != submission => other,
        State::CheckingDevice {
            card,
            check: DeviceCheck::Quick | DeviceCheck::Slow,
        } => State::Ready { card },
        State::VerifyingDevice {
            card,
            check: check @ (DeviceCheck::Quick | DeviceCheck::Slow),
            closing,
            ..
        } => State::VerifyingDevice {
            card,
            check,
            progress: CheckProgress::Done,
            closing,
        },
        other => other,
    };
    unchanged(counters, state)
}

fn device_check_given_up(
    counters: Counters,
    state: State,
    operation_id: String,
    now_ms: i64,
) -> Result<Step, Refusal> {
    match state {
        // Before any closing call: no attempt is spent, the session ends (contract 6.1).
        State::CheckingDevice { card, .. } => {
            let booking = Booking {
                operation_id,
                terminal: BookedOn::Caller,
                result: THREEDS_FAILED,
            };
            Ok(complete(counters, Some(card), None, booking, now_ms))
        }
        State::VerifyingDevice {
            card,
            progress: CheckProgress::Running,
            closing,
            ..
        } => Ok(refused(
            counters,
            card,
            closing,
            None,
            THREEDS_FAILED,
            now_ms,
        )),
        State::CollectingCard(_) | State::ChoosingMethod => Err(Refusal::WrongState),
        other => Ok(unchanged(counters, other)),
    }
}

fn confirm_asked(
    counters: Counters,
    state: State,
    check: DeviceCheck,
    verdict: Verdict,
    call: ClosingCall,
    now_ms: i64,
) -> Result<Step, Refusal> {
    match (state, verdict, check) {
        (State::Ready { card }, Verdict::Risk, _) => {
            Ok(judged(counters, card, verdict, Stage::Ready, call, now_ms))
        }
        (State::Ready { card }, _, DeviceCheck::NotDue) => {
            let progress = CheckProgress::Done;
            Ok(unchanged(
                counters,
                State::VerifyingDevice {
                    card,
                    check,
                    progress,
                    closing: call,
                },
            ))
        }
        (State::Ready { card }, _, _) => {
            let progress = CheckProgress::Running;
            let effects = vec![Effect::OpenDeviceCheck {
                submission: counters.submissions,
            }];
            Ok(moved(
                counters,
                State::VerifyingDevice {
                    card,
                    check,
                    progress,
                    closing: call,
                },
                effects,
            ))
        }
        (other, _, _) => asked_again(counters, other, &call),
    }
}

fn finalize_asked(
    counters: Counters,
    state: State,
    verdict: Verdict,
    call: ClosingCall,
    now_ms: i64,
) -> Result<Step, Refusal> {
    match state {
        State::Ready { card } => Ok(judged(counters, card, verdict, Stage::Ready, call, now_ms)),
        other => asked_again(counters, other, &call),
    }
}

/// A closing call where none is due: what is under way or recorded is told again.
fn asked_again(counters: Counters, state: State, call: &ClosingCall) -> Result<Step, Refusal> {
    match &state {
        // The very call that was refused, repeated because its answer got lost.
        State::CollectingCard(AfterRefusal::Yes {
            asked_by: Some(key),
            ..
        }) if call.asked_by.as_ref() == Some(key) => Ok(unchanged(counters, state)),
        State::ChoosingMethod | State::CollectingCard(_) | State::CheckingDevice { .. } => {
            Err(Refusal::WrongState)
        }
        _ => Ok(unchanged(counters, state)),
    }
}

fn device_verified(
    counters: Counters,
    state: State,
    verdict: Verdict,
    now_ms: i64,
) -> Result<Step, Refusal> {
    match state {
        State::VerifyingDevice {
            card,
            progress: CheckProgress::Done,
            closing,
            ..
        } => Ok(judged(
            counters,
            card,
            verdict,
            Stage::VerifyingDevice,
            closing,
            now_ms,
        )),
        State::ChoosingMethod
        | State::CollectingCard(AfterRefusal::No)
        | State::CheckingDevice { .. }
        | State::Ready { .. } => Err(Refusal::WrongState),
        other => Ok(unchanged(counters, other)),
    }
}

/// What follows from a verdict on a card whose closing call is under way.
fn judged(
    counters: Counters,
    card: EnteredCard,
    verdict: Verdict,
    from: Stage,
    closing: ClosingCall,
    now_ms: i64,
) -> Step {
    match verdict {
        Verdict::Pass(authentication) => {
            let operation_id = closing.operation_id.clone();
            let state = State::Authorizing {
                card,
                authentication,
                from,
                closing,
            };
            moved(counters, state, vec![Effect::AskIssuer { operation_id }])
        }
        Verdict::Challenge(script) => {
            let operation_id = closing.operation_id.clone();
            let challenge = Challenge {
                script,
                wrong_codes: 0,
                since_ms: now_ms,
            };
            let state = State::Challenged {
                card,
                challenge,
                closing,
            };
            moved(
                counters,
                state,
                vec![Effect::OpenChallenge { operation_id }],
            )
        }
        Verdict::Refused => refused(counters, card, closing, None, THREEDS_FAILED, now_ms),
        Verdict::Risk => {
            let booking = Booking::of(closing, Recorded::Own(OperationResult::DeniedByRisk));
            complete(counters, Some(card), None, booking, now_ms)
        }
    }
}

fn amount_changed(counters: Counters, state: State) -> Result<Step, Refusal> {
    match state {
        State::ChoosingMethod
        | State::CollectingCard(_)
        | State::Complete { .. }
        | State::Cancelled { .. } => Ok(unchanged(counters, state)),
        // An offer is for one amount (contract 4.5).
        State::CheckingDevice { card, check } => Ok(unchanged(
            counters,
            State::CheckingDevice {
                card: EnteredCard {
                    offer: None,
                    ..card
                },
                check,
            },
        )),
        State::Ready { card } => Ok(unchanged(
            counters,
            State::Ready {
                card: EnteredCard {
                    offer: None,
                    ..card
                },
            },
        )),
        State::VerifyingDevice { .. }
        | State::Challenged { .. }
        | State::Authorizing { .. }
        | State::Dead => Err(Refusal::WrongState),
    }
}

fn challenge_answered(
    counters: Counters,
    state: State,
    operation_id: &str,
    reply: ChallengeReply,
    now_ms: i64,
) -> Step {
    match state {
        State::Challenged {
            card,
            challenge,
            closing,
        } if closing.operation_id == operation_id
            && challenge.script != ChallengeScript::Endless =>
        {
            match (challenge.script, reply) {
                (ChallengeScript::Regular, ChallengeReply::Right) => {
                    let verdict = Verdict::Pass(Authentication::Full);
                    judged(counters, card, verdict, Stage::Challenged, closing, now_ms)
                }
                (ChallengeScript::Regular, ChallengeReply::Wrong)
                    if challenge.wrong_codes + 1 < CODES =>
                {
                    let challenge = Challenge {
                        wrong_codes: challenge.wrong_codes + 1,
                        ..challenge
                    };
                    unchanged(
                        counters,
                        State::Challenged {
                            card,
                            challenge,
                            closing,
                        },
                    )
                }
                _ => refused(counters, card, closing, None, THREEDS_FAILED, now_ms),
            }
        }
        // An endless challenge takes no answer; one that is over has its outcome.
        other => unchanged(counters, other),
    }
}

fn issuer_answered(
    counters: Counters,
    state: State,
    settlement: Settlement,
    now_ms: i64,
) -> Result<Step, Refusal> {
    let State::Authorizing {
        card,
        authentication,
        closing,
        ..
    } = state
    else {
        return Err(Refusal::WrongState);
    };
    let result = Recorded::Issuer(settlement);
    Ok(match settlement {
        Settlement::Declined => refused(
            counters,
            card,
            closing,
            Some(authentication),
            result,
            now_ms,
        ),
        Settlement::Approved | Settlement::Failed | Settlement::Pending => complete(
            counters,
            Some(card),
            Some(authentication),
            Booking::of(closing, result),
            now_ms,
        ),
    })
}

fn cancel_asked(counters: Counters, state: State, operation_id: String, now_ms: i64) -> Step {
    let card = match state {
        State::Complete { .. } | State::Cancelled { .. } => return unchanged(counters, state),
        State::CheckingDevice { card, .. }
        | State::Ready { card }
        | State::VerifyingDevice { card, .. }
        | State::Challenged { card, .. }
        | State::Authorizing { card, .. } => Some(card),
        State::ChoosingMethod | State::CollectingCard(_) | State::Dead => None,
    };
    let record = Effect::Record {
        operation_id: operation_id.clone(),
        terminal: BookedOn::Caller,
        card,
        authentication: None,
        result: Recorded::Own(OperationResult::Canceled),
    };
    moved(
        counters,
        State::Cancelled {
            operation_id,
            since_ms: now_ms,
        },
        vec![record, Effect::ForgetCard],
    )
}

fn limit_passed(counters: Counters, state: State, limit: Limit, now_ms: i64) -> Step {
    match (state, limit) {
        (
            State::ChoosingMethod
            | State::CollectingCard(_)
            | State::CheckingDevice { .. }
            | State::Ready { .. },
            Limit::Idle | Limit::Hard,
        ) => moved(counters, State::Dead, vec![Effect::ForgetCard]),
        // The page of the device check never came (contract 6.2).
        (State::VerifyingDevice { card, closing, .. }, Limit::Idle | Limit::Hard) => complete(
            counters,
            Some(card),
            None,
            Booking::of(closing, THREEDS_FAILED),
            now_ms,
        ),
        (State::Challenged { card, closing, .. }, Limit::Challenge) => {
            refused(counters, card, closing, None, THREEDS_FAILED, now_ms)
        }
        (State::Complete { .. } | State::Cancelled { .. }, Limit::Retention) => {
            moved(counters, State::Dead, Vec::new())
        }
        (other, _) => unchanged(counters, other),
    }
}

/// A closing call ended in a refusal that another card or a correction could cure (contract 3.7).
fn refused(
    mut counters: Counters,
    card: EnteredCard,
    closing: ClosingCall,
    authentication: Option<Authentication>,
    result: Recorded,
    now_ms: i64,
) -> Step {
    counters.attempts_left = counters.attempts_left.saturating_sub(1);
    if counters.attempts_left == 0 {
        return complete(
            counters,
            Some(card),
            authentication,
            Booking::of(closing, result),
            now_ms,
        );
    }
    let ClosingCall {
        operation_id,
        terminal_id,
        asked_by,
    } = closing;
    let record = Effect::Record {
        operation_id: operation_id.clone(),
        terminal: BookedOn::Terminal(terminal_id),
        card: Some(card),
        authentication,
        result,
    };
    let state = State::CollectingCard(AfterRefusal::Yes {
        operation_id,
        asked_by,
    });
    moved(
        counters,
        state,
        vec![record, Effect::ForgetCard, Effect::RestartIdle],
    )
}

struct Booking {
    operation_id: String,
    terminal: BookedOn,
    result: Recorded,
}

impl Booking {
    fn of(closing: ClosingCall, result: Recorded) -> Booking {
        Booking {
            operation_id: closing.operation_id,
            terminal: BookedOn::Terminal(closing.terminal_id),
            result,
        }
    }
}

fn complete(
    counters: Counters,
    card: Option<EnteredCard>,
    authentication: Option<Authentication>,
    booking: Booking,
    now_ms: i64,
) -> Step {
    let Booking {
        operation_id,
        terminal,
        result,
    } = booking;
    let state = State::Complete {
        card: card.clone(),
        operation_id: operation_id.clone(),
        since_ms: now_ms,
    };
    let record = Effect::Record {
        operation_id,
        terminal,
        card,
        authentication,
        result,
    };
    moved(counters, state, vec![record, Effect::ForgetCard])
}

const THREEDS_FAILED: Recorded = Recorded::Own(OperationResult::ThreeDsFailed);

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
