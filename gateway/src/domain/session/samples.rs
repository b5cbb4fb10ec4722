//! A sample of every state and of every event, for tests that go through all of them.

use super::*;
use crate::domain::card::{ConsentMark, DeviceMark, Funding, NetworkChooser};
use crate::domain::offer::AcceptedOffer;
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_money::Amount;

/// A card, with an accepted offer.
pub(crate) fn card() -> EnteredCard {
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
    }
}

/// A closing call that asks for operation 1.
pub(crate) fn call() -> ClosingCall {
    ClosingCall {
        operation_id: String::from("1"),
        terminal_id: String::from("terminal"),
        asked_by: Some(String::from("key")),
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

fn challenged(script: ChallengeScript, wrong_codes: u8) -> State {
    State::Challenged {
        card: card(),
        challenge: Challenge {
            script,
            wrong_codes,
            since_ms: 10,
        },
        closing: call(),
    }
}

/// Every state, and the differences within a state that decide something.
pub(crate) fn states() -> Vec<State> {
    let card = card();
    let refused = |asked_by: Option<&str>| {
        State::CollectingCard(AfterRefusal::Yes {
            operation_id: String::from("0"),
            asked_by: asked_by.map(str::to_owned),
        })
    };
    let verifying = |check, progress| State::VerifyingDevice {
        card: card.clone(),
        check,
        progress,
        closing: call(),
    };
    let authorizing = |from| State::Authorizing {
        card: card.clone(),
        authentication: Authentication::Full,
        from,
        closing: call(),
    };
    vec![
        State::ChoosingMethod,
        State::CollectingCard(AfterRefusal::No),
        refused(None),
        refused(Some("key")),
        State::CheckingDevice {
            card: card.clone(),
            check: DeviceCheck::Quick,
        },
        State::CheckingDevice {
            card: card.clone(),
            check: DeviceCheck::Silent,
        },
        State::Ready { card: card.clone() },
        verifying(DeviceCheck::Slow, CheckProgress::Running),
        verifying(DeviceCheck::Silent, CheckProgress::Running),
        verifying(DeviceCheck::NotDue, CheckProgress::Done),
        challenged(ChallengeScript::Regular, 0),
        challenged(ChallengeScript::Regular, 2),
        challenged(ChallengeScript::Failing, 0),
        challenged(ChallengeScript::Endless, 0),
        authorizing(Stage::Ready),
        authorizing(Stage::VerifyingDevice),
        authorizing(Stage::Challenged),
        State::Redirected {
            redirect: redirect(),
        },
        State::Settling {
            redirect: redirect(),
            script: MethodScript::Refusing,
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

/// Every event, and the differences within an event that decide something. Fresh operations have the id 9.
pub(crate) fn events() -> Vec<Event> {
    let fresh = || String::from("9");
    let accepted = |check| Event::CardAccepted {
        card: card(),
        check,
        operation_id: fresh(),
    };
    let closing = |closing, check, verdict| Event::ClosingAsked {
        closing,
        check,
        verdict,
        call: ClosingCall {
            operation_id: fresh(),
            ..call()
        },
    };
    let answered = |reply| Event::ChallengeAnswered {
        operation_id: String::from("1"),
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
        accepted(DeviceCheck::Quick),
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
        answered(ChallengeReply::Right),
        answered(ChallengeReply::Wrong),
        answered(ChallengeReply::No),
        Event::ChallengeAnswered {
            operation_id: String::from("of another challenge"),
            reply: ChallengeReply::Right,
        },
        Event::CancelAsked {
            operation_id: fresh(),
        },
        method_answered("1", MethodReply::Settle(MethodScript::Approving)),
        method_answered("1", MethodReply::Cancel),
        method_answered("of another page", MethodReply::Cancel),
        closing(Closing::Finalize, DeviceCheck::Quick, pass),
        closing(Closing::Confirm, DeviceCheck::Quick, pass),
        closing(Closing::Confirm, DeviceCheck::NotDue, pass),
    ];
    for verdict in [
        Verdict::Challenge(ChallengeScript::Regular),
        Verdict::Refused,
        Verdict::Risk,
    ] {
        events.push(closing(Closing::Finalize, DeviceCheck::Quick, verdict));
        events.push(closing(Closing::Confirm, DeviceCheck::Quick, verdict));
    }
    for verdict in [
        pass,
        Verdict::Challenge(ChallengeScript::Regular),
        Verdict::Refused,
        Verdict::Risk,
    ] {
        events.push(Event::DeviceVerified { verdict });
    }
    for settlement in [
        Settlement::Approved,
        Settlement::Declined,
        Settlement::Failed,
        Settlement::Pending,
    ] {
        events.push(Event::IssuerAnswered { settlement });
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
pub(crate) const SUBMISSION: u8 = 3;
