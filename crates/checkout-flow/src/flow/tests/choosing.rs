//! What the buyer chooses beside the card, as a part of the payment.

use super::*;
use crate::choices::{
    ChoiceEvent, ChoiceId, ConsentRule, Currency, CurrencyOffer, SavedCard, Sentence,
};

fn dollars() -> Sum {
    Sum {
        amount_minor: "3952".into(),
        currency: "USD".into(),
        minor_digits: 2,
    }
}

fn offered() -> Event {
    let offer = CurrencyOffer {
        id: "a".into(),
        sum: dollars(),
        exchange_rate: "0.897".into(),
        mark_up_percent: "3".into(),
        expires_in_s: 300,
    };
    Event::Choice(ChoiceEvent::Offered { offer, now_ms: 0 })
}

fn chooses(currency: Currency) -> Event {
    Event::Choice(ChoiceEvent::CurrencyChosen(currency))
}

/// A form that waits for a card, in which this is asked.
fn asking(asked: Asked) -> Flow {
    let (flow, _) = start(
        CaptureInitiator::Frame,
        Renewal::Available,
        SessionSnapshot::Collecting(None),
    );
    let types_card = false;
    flow.step(Event::ChoicesOpened { asked, types_card }).0
}

/// With an offer that the buyer took.
fn in_dollars() -> Flow {
    let flow = asking(Asked::default()).step(offered()).0;
    flow.step(chooses(Currency::Card)).0
}

/// Another session on the same terms, which asks this.
fn renewed(asked: Asked) -> Event {
    Event::Renewed(NewSession {
        capture_initiator: CaptureInitiator::Frame,
        snapshot: SessionSnapshot::Collecting(None),
        terms: Terms::Same,
        sums: Some(sums("3545")),
        asked,
    })
}

fn card() -> SavedCard {
    SavedCard {
        id: "a".into(),
        network: "VISA".into(),
        brand: "Visa".into(),
        last4: "0003".into(),
        expires: "2028-12".into(),
        is_expired: false,
    }
}

fn answer(flow: Flow, answer: Answer) -> (Flow, Vec<Effect>) {
    let generation = flow.generation;
    flow.step(Event::Answered(generation, answer))
}

#[test]
fn nothing_is_sent_while_something_must_be_chosen() {
    let flow = asking(Asked {
        consent: Some(ConsentRule::Required),
        ..Asked::default()
    });
    let flow = flow.step(offered()).0;
    let (flow, effects) = flow.step(Event::Submitted(0));
    assert!(effects.contains(&Effect::Choice(ChoiceEffect::Urge(
        Sentence::CurrencyMissing
    ))));
    let (flow, effects) = flow
        .step(chooses(Currency::Shop))
        .0
        .step(Event::Submitted(0));
    assert!(effects.contains(&Effect::Choice(ChoiceEffect::Urge(
        Sentence::ConsentMissing
    ))));
    assert_eq!(flow.phase, Phase::Collecting(Notice::None));
    let flow = flow.step(Event::Choice(ChoiceEvent::ConsentTicked(true))).0;
    let (flow, effects) = flow.step(Event::Submitted(0));
    assert_eq!(count(&effects, Call::SendCard), 1);
    assert_eq!(flow.answers().consent, Some(true));
    assert_eq!(flow.answers().currency_offer, Some(""));
}

/// A press that goes on in another session is checked like any other.
#[test]
fn a_press_that_goes_on_is_not_sent_either() {
    let flow = asking(Asked::default()).step(offered()).0;
    let flow = Flow {
        phase: Phase::Resuming,
        ..flow
    };
    let (flow, effects) = flow.step(Event::Submitted(0));
    assert_eq!(flow.phase, Phase::Collecting(Notice::None));
    assert_eq!(count(&effects, Call::SendCard), 0);
}

#[test]
fn what_is_on_its_way_can_not_be_chosen_otherwise() {
    let (sending, _) = in_dollars().step(Event::Submitted(0));
    for event in [
        chooses(Currency::Shop),
        offered(),
        Event::Choice(ChoiceEvent::OfferWithdrawn),
        Event::OfferWaitOver(0),
    ] {
        let (same, _) = sending.clone().step(event);
        assert_eq!(same, sending);
    }
    assert_eq!(sending.payable(), Some(&dollars()));
}

#[test]
fn an_offer_is_for_one_sum() {
    let (flow, _) = in_dollars().step(Event::Submitted(0));
    let (flow, _) = answer(flow, Answer::Failed(Failure::WrongState));
    let (flow, effects) = answer(flow, repriced(SessionSnapshot::Collecting(None)));
    assert_eq!(flow.phase, Phase::Collecting(Notice::SumChanged));
    assert_eq!(flow.offer(), None);
    assert_eq!(flow.payable(), Some(&sums("3600").session));
    assert!(effects.contains(&looks_up()));
}

/// The gateway has the card and its offer: the sum in dollars is what the buyer was shown.
#[test]
fn the_sum_of_an_offer_that_was_taken_is_no_other_sum() {
    let (flow, _) = in_dollars().step(Event::Submitted(0));
    let (flow, _) = answer(flow, Answer::CardTakenNoCheck);
    let taken = |offer| Sums {
        offer,
        ..sums("3545")
    };
    let ready = |offer| Answer::StateWithSums(SessionSnapshot::Ready, taken(offer));
    let (flow, _) = answer(flow, Answer::Failed(Failure::WrongState));
    let (same, effects) = answer(flow.clone(), ready(Some(dollars())));
    assert_eq!(count(&effects, Call::Complete), 1);
    assert_eq!(same.payable(), Some(&dollars()));
    // If it was dropped, the buyer reads what is due now.
    let (other, effects) = answer(flow, ready(None));
    assert_eq!(other.phase, Phase::Repriced);
    assert_eq!(count(&effects, Call::Complete), 0);
    assert_eq!(other.payable(), Some(&sums("3545").session));
}

#[test]
fn an_offer_does_not_outlive_its_session() {
    let (flow, _) = in_dollars().step(Event::Submitted(0));
    let (flow, _) = answer(flow, Answer::Failed(Failure::Expired));
    assert_eq!(flow.phase, Phase::Renewing { pressed: true });
    let (flow, effects) = flow.step(renewed(Asked::default()));
    assert_eq!(flow.phase, Phase::Collecting(Notice::None));
    assert_eq!(flow.payable(), Some(&sums("3545").session));
    assert!(effects.contains(&Effect::Choice(ChoiceEffect::Urge(Sentence::OfferOver))));
    assert!(effects.contains(&looks_up()));
    assert!(!effects.contains(&Effect::CheckFields));
}

/// The card of the offer is at the gateway, which tells the offer; then the session dies.
#[test]
fn a_press_for_an_offer_that_was_taken_does_not_go_on_in_the_shops_currency() {
    let flow = asking(Asked::default());
    let generation = flow.generation;
    let taken = Sums {
        offer: Some(dollars()),
        ..sums("3545")
    };
    let ready = Answer::StateWithSums(SessionSnapshot::Ready, taken);
    let flow = flow.step(Event::StatePeeked(generation, ready)).0;
    assert_eq!(flow.payable(), Some(&dollars()));
    let generation = flow.generation;
    let death = Answer::Failed(Failure::Expired);
    let flow = flow.step(Event::StatePeeked(generation, death)).0;
    let flow = flow.step(Event::Submitted(0)).0;
    let (flow, effects) = flow.step(renewed(Asked::default()));
    assert_eq!(flow.phase, Phase::Collecting(Notice::None));
    assert!(effects.contains(&Effect::AskToPayAgain));
}

/// The buyer pressed for a saved card, or for parts, that the next session does not have.
#[test]
fn a_press_does_not_go_on_with_another_card_or_in_other_parts() {
    let parts = |count: u8| Asked {
        instalments: vec![count],
        ..Asked::default()
    };
    let saved = |cards: Vec<SavedCard>| Asked {
        saved_cards: Some(cards),
        ..Asked::default()
    };
    let rows = [
        (parts(3), parts(3), true),
        (parts(3), parts(6), false),
        (saved(vec![card()]), saved(vec![card()]), true),
        (saved(vec![card()]), saved(vec![]), false),
    ];
    for (first, second, goes_on) in rows {
        let flow = asking(first);
        let in_parts = Event::Choice(ChoiceEvent::InstalmentsChosen(3));
        let flow = flow.step(in_parts).0.step(Event::Submitted(0)).0;
        let (flow, _) = answer(flow, Answer::Failed(Failure::Expired));
        let (flow, effects) = flow.step(renewed(second));
        assert_eq!(flow.phase == Phase::Resuming, goes_on);
        assert_eq!(effects.contains(&Effect::CheckFields), goes_on);
    }
}

#[test]
fn a_refused_choice_is_told_at_the_fields() {
    let (flow, _) = in_dollars().step(Event::Submitted(0));
    let (flow, effects) = answer(flow, Answer::CardRefused(vec![ChoiceId::CurrencyOffer]));
    assert_eq!(flow.phase, Phase::Collecting(Notice::FieldsRefused));
    assert_eq!(flow.offer(), None);
    assert!(effects.contains(&looks_up()));
}

/// The time of an offer is of interest only while the buyer can take it.
#[test]
fn nothing_is_said_of_an_offer_after_the_end() {
    let flow = asking(Asked::default()).step(offered()).0;
    let generation = flow.generation;
    let paid = Answer::State(SessionSnapshot::Complete(verdict(Outcome::Approved)));
    let (flow, _) = flow.step(Event::StatePeeked(generation, paid));
    let (_, effects) = flow.step(Event::OfferWaitOver(400_000));
    assert_eq!(effects, []);
}

#[test]
fn a_buyer_who_has_begun_to_type_pays_with_that_card() {
    for types_card in [false, true] {
        let (flow, _) = start(
            CaptureInitiator::Frame,
            Renewal::Unavailable,
            SessionSnapshot::Collecting(None),
        );
        let asked = Asked {
            saved_cards: Some(vec![card()]),
            ..Asked::default()
        };
        let (flow, effects) = flow.step(Event::ChoicesOpened { asked, types_card });
        assert_eq!(flow.answers().saved_card.is_none(), types_card);
        assert_eq!(effects.is_empty(), types_card);
    }
}

#[test]
fn the_question_to_give_up_is_closed_with_what_it_was_about() {
    let asked = asking(Asked::default()).step(Event::GivingUpRequested).0;
    assert!(asked.asks_to_give_up());
    let dropped = asked.clone().step(Event::GivingUpDropped).0;
    assert!(!dropped.asks_to_give_up());
    for event in [Event::Submitted(0), Event::CancelRequested] {
        assert!(!asked.clone().step(event).0.asks_to_give_up());
    }
    let (ended, _) = start(
        CaptureInitiator::Frame,
        Renewal::Unavailable,
        SessionSnapshot::Complete(verdict(Outcome::Approved)),
    );
    assert!(!ended.step(Event::GivingUpRequested).0.asks_to_give_up());
}
