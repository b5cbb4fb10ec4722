//! A sample of every state and of every event, for tests that run through all of them.

#![expect(clippy::unwrap_used, reason = "every sample is known to be good")]

use super::*;
use crate::card::{ConsentMark, DeviceMark, Funding, NetworkChooser};
use crate::offer::AcceptedOffer;
use crate::operation::AuthorizationResult;
use crate::sum::Sum;
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_money::Amount;

/// A card, with an accepted offer.
pub fn card() -> EnteredCard {
    EnteredCard {
        installments: Some(3),
        bin: String::from("476173"),
        masked: String::from("476173******0002"),
        last4: String::from("0002"),
        expiry: Expiry::parse_shape("1230").unwrap(),
        network: Network::Visa,
        network_chosen_by: Some(NetworkChooser::Buyer),
        funding: Some(Funding::Credit),
        country: Some(String::from("USA")),
        offer: Some(AcceptedOffer {
            amount: Amount::parse("3952").unwrap(),
            currency: String::from("USD"),
            exchange_rate: String::from("0.897085020"),
        }),
        contract_id: Some(String::from("contract")),
        device: DeviceMark::NotDone,
        consent: ConsentMark::Refused,
        shown: Some(sum()),
    }
}

/// The sum of every sample.
pub fn sum() -> Sum {
    Sum {
        amount: Amount::parse("3545").unwrap(),
        currency: String::from("EUR"),
    }
}

/// A completion call that makes operation 1.
pub fn call() -> PendingCompletion {
    PendingCompletion {
        operation_id: String::from("1"),
        terminal_id: String::from("terminal"),
        idempotency_key: Some(String::from("key")),
        repeats: None,
    }
}

/// An alternative method that leads to operation 1.
fn redirect() -> Redirect {
    Redirect {
        method: method(),
        operation_id: String::from("1"),
        since_ms: 10,
    }
}

fn method() -> &'static Method {
    Method::from_code("PAYPAL").unwrap()
}

fn challenged(means: ChallengeMeans, wrong_codes: u8) -> State {
    State::Challenged {
        card: card(),
        challenge: Challenge {
            means,
            wrong_codes,
            since_ms: 10,
        },
        completion: call(),
    }
}

/// Every state, with the variants of a state that have an effect.
pub fn states() -> Vec<State> {
    let card = card();
    let refused = |idempotency_key: Option<&str>| {
        State::CollectingCard(PreviousAttempt::Refused {
            operation_id: String::from("0"),
            idempotency_key: idempotency_key.map(str::to_owned),
        })
    };
    let verifying = |progress| State::VerifyingDevice {
        card: card.clone(),
        progress,
        completion: call(),
    };
    let authorizing = |from| State::Authorizing {
        card: card.clone(),
        authentication: Authentication::Full,
        from,
        completion: call(),
    };
    vec![
        State::ChoosingMethod,
        State::CollectingCard(PreviousAttempt::None),
        refused(None),
        refused(Some("key")),
        State::CheckingDevice { card: card.clone() },
        State::Ready { card: card.clone() },
        verifying(CheckProgress::Running),
        verifying(CheckProgress::Done),
        challenged(ChallengeMeans::Page, 0),
        challenged(ChallengeMeans::Page, 2),
        challenged(ChallengeMeans::Confirmation, 0),
        challenged(ChallengeMeans::Decoupled { until_ms: 600 }, 0),
        authorizing(StateBeforeAuthorization::Ready),
        authorizing(StateBeforeAuthorization::VerifyingDevice),
        authorizing(StateBeforeAuthorization::Challenged),
        State::Authorizing {
            card: card.clone(),
            authentication: Authentication::Full,
            from: StateBeforeAuthorization::Challenged,
            completion: PendingCompletion {
                repeats: Some(String::from("0")),
                ..call()
            },
        },
        State::SteppingUp {
            card: card.clone(),
            from: StateBeforeAuthorization::Ready,
            declined: call(),
            operation_id: String::from("2"),
        },
        State::Redirected {
            redirect: redirect(),
        },
        State::AuthorizingMethod {
            redirect: redirect(),
            return_data: String::from("refused"),
        },
        State::Complete {
            card: Some(card.clone()),
            operation_id: String::from("1"),
            since_ms: 10,
        },
        State::Complete {
            card: None,
            operation_id: String::from("1"),
            since_ms: 10,
        },
        State::Cancelled {
            operation_id: String::from("2"),
            since_ms: 10,
        },
        State::Dead,
    ]
}

/// Every event, with the variants of an event that have an effect. New operations have the id 9.
pub fn events() -> Vec<Event> {
    let fresh = || String::from("9");
    let accepted = |check| Event::CardAccepted {
        card: card(),
        check,
        operation_id: fresh(),
    };
    let completion = |completion_call, check, verdict| Event::CompletionRequested {
        completion_call,
        check,
        verdict,
        call: PendingCompletion {
            operation_id: fresh(),
            ..call()
        },
    };
    let answered = |reply| Event::ChallengeAnswered {
        operation_id: String::from("1"),
        reply,
    };
    let confirmed = |operation_id: &str, reply| Event::ConfirmationAnswered {
        operation_id: operation_id.to_owned(),
        reply,
    };
    let method_answered = |operation_id: &str, reply| Event::MethodAnswered {
        operation_id: operation_id.to_owned(),
        reply,
    };
    let pass = Verdict::Pass(Authentication::Full);
    let mut events = vec![
        Event::CardMethodChosen,
        Event::MethodChosen {
            method: method(),
            operation_id: fresh(),
        },
        Event::CardRefused {
            operation_id: fresh(),
        },
        accepted(DeviceCheck::NotDue),
        accepted(DeviceCheck::Due),
        Event::DeviceChecked {
            submission: SUBMISSION,
        },
        Event::DeviceChecked {
            submission: SUBMISSION - 1,
        },
        Event::DeviceCheckGivenUp {
            operation_id: fresh(),
        },
        Event::DeviceCheckSkipped,
        Event::ChallengeLeft,
        Event::AmountChanged,
        Event::SumAgreed {
            sum: sum(),
            session: sum(),
        },
        // The sum of the accepted offer.
        Event::SumAgreed {
            sum: Sum {
                amount: Amount::parse("3952").unwrap(),
                currency: String::from("USD"),
            },
            session: sum(),
        },
        answered(ChallengeReply::Right),
        answered(ChallengeReply::Attempted),
        answered(ChallengeReply::Wrong),
        answered(ChallengeReply::No),
        answered(ChallengeReply::Undecided),
        Event::ChallengeAnswered {
            operation_id: String::from("of another challenge"),
            reply: ChallengeReply::Right,
        },
        confirmed("1", ConfirmationReply::Passed(Authentication::Full)),
        confirmed("1", ConfirmationReply::Challenge),
        confirmed("1", ConfirmationReply::Refused),
        confirmed(
            "of another challenge",
            ConfirmationReply::Passed(Authentication::Full),
        ),
        Event::CancelAsked {
            operation_id: fresh(),
        },
        method_answered("1", MethodReply::Returned(String::from("paid"))),
        method_answered("1", MethodReply::Cancel),
        method_answered("of another page", MethodReply::Cancel),
        completion(CompletionCall::Finalize, DeviceCheck::Due, pass),
        completion(CompletionCall::Confirm, DeviceCheck::Due, pass),
        completion(CompletionCall::Confirm, DeviceCheck::NotDue, pass),
    ];
    for verdict in [
        Verdict::Challenge,
        Verdict::Confirmation,
        Verdict::Decoupled { until_ms: 600 },
        Verdict::Refused,
        Verdict::Risk,
        Verdict::Stopped,
    ] {
        events.push(completion(
            CompletionCall::Finalize,
            DeviceCheck::Due,
            verdict,
        ));
        events.push(completion(
            CompletionCall::Confirm,
            DeviceCheck::Due,
            verdict,
        ));
    }
    for verdict in [
        pass,
        Verdict::Challenge,
        Verdict::Confirmation,
        Verdict::Decoupled { until_ms: 600 },
        Verdict::Refused,
        Verdict::Risk,
        Verdict::Stopped,
    ] {
        events.push(Event::DeviceVerified { verdict });
    }
    for answer in [
        StepUp::Challenge,
        StepUp::Confirmation,
        StepUp::Decoupled { until_ms: 600 },
        StepUp::Refused,
        StepUp::NotPossible,
    ] {
        events.push(Event::StepUpAnswered { answer });
    }
    events.push(Event::AuthenticationDemanded {
        operation_id: fresh(),
    });
    for result in [
        AuthorizationResult::Approved,
        AuthorizationResult::Declined,
        AuthorizationResult::Failed,
        AuthorizationResult::Pending,
    ] {
        events.push(Event::IssuerAnswered { result });
    }
    events.extend(
        [
            Limit::Idle,
            Limit::Hard,
            Limit::Challenge,
            Limit::Redirect,
            Limit::Retention,
        ]
        .map(Event::LimitPassed),
    );
    events
}

/// The number of the samples' latest submission.
pub const SUBMISSION: u8 = 3;
