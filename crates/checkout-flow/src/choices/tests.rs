//! What may be chosen, what is missing, when an offer ends, and what goes with the card.

use super::{
    Answers, Asked, ChoiceEffect, ChoiceEvent, ChoiceId, Choices, ConsentRule, Currency,
    CurrencyOffer, FocusTarget, InstalmentParts, Payable, Removal, RemovalAnswer, SavedCard,
    Sentence,
};
use crate::sum::Sum;
use ChoiceEffect::{Announce, Focus, LookUpAnew, RemoveCard, SubmitAnew, Urge, UseCard, Wait};

fn offer(id: &str) -> CurrencyOffer {
    CurrencyOffer {
        id: id.to_owned(),
        sum: Sum {
            amount_minor: "3952".to_owned(),
            currency: "USD".to_owned(),
            minor_digits: 2,
        },
        exchange_rate: "0.897".to_owned(),
        mark_up_percent: "3".to_owned(),
        expires_in_s: 300,
    }
}

fn card(id: &str) -> SavedCard {
    SavedCard {
        id: id.to_owned(),
        network: "VISA".to_owned(),
        brand: "Visa".to_owned(),
        last4: "0003".to_owned(),
        expires: "2028-12".to_owned(),
        is_expired: false,
    }
}

fn expired(id: &str) -> SavedCard {
    SavedCard {
        is_expired: true,
        ..card(id)
    }
}

fn with_cards(cards: &[SavedCard]) -> Choices {
    Choices::new(Asked {
        saved_cards: Some(cards.to_vec()),
        ..Asked::default()
    })
    .0
}

fn with_consent(rule: ConsentRule) -> Choices {
    Choices::new(Asked {
        consent: Some(rule),
        ..Asked::default()
    })
    .0
}

/// With an offer that was made at the time 0.
fn with_offer() -> Choices {
    let mut choices = Choices::default();
    choices.step(made("a", 0));
    choices
}

fn made(id: &str, now_ms: u64) -> ChoiceEvent {
    ChoiceEvent::Offered {
        offer: offer(id),
        now_ms,
    }
}

fn chosen_id(choices: &Choices) -> Option<&str> {
    choices.saved_card().map(|card| card.id.as_str())
}

#[test]
fn a_session_that_asks_nothing_sends_nothing() {
    let (mut choices, effects) = Choices::new(Asked::default());
    assert_eq!(effects, []);
    assert_eq!(choices.submit(0), []);
    assert_eq!(choices.answers(), Answers::default());
}

#[test]
fn an_offer_favours_no_currency_and_is_decided_before_the_card_is_sent() {
    let mut choices = Choices::default();
    let told = choices.step(made("a", 1_000));
    assert_eq!(told, [Announce(Sentence::CurrencyOffered), Wait(298_000)]);
    assert_eq!(choices.payable(), Payable::Undecided);
    assert_eq!(
        choices.submit(2_000),
        [
            Urge(Sentence::CurrencyMissing),
            Focus(FocusTarget::Currency)
        ]
    );
    let said = |choices: &Choices| choices.offer().and_then(|open| open.said.clone());
    assert_eq!(said(&choices), Some(Sentence::CurrencyMissing));
    assert_eq!(
        choices.step(ChoiceEvent::CurrencyChosen(Currency::Card)),
        [SubmitAnew]
    );
    assert_eq!(said(&choices), None);
    assert_eq!(choices.payable(), Payable::Card);
    assert_eq!(choices.submit(3_000), []);
    assert_eq!(choices.answers().currency_offer, Some("a"));
    choices.step(ChoiceEvent::CurrencyChosen(Currency::Shop));
    assert_eq!(choices.payable(), Payable::Shop);
    assert_eq!(choices.answers().currency_offer, Some(""));
}

#[test]
fn an_offer_that_runs_out_is_replaced_and_chosen_anew() {
    let mut choices = with_offer();
    choices.step(ChoiceEvent::CurrencyChosen(Currency::Card));
    assert_eq!(choices.time_passed(100_000, false), [Wait(198_000)]);
    let over = [Urge(Sentence::OfferOver), SubmitAnew, LookUpAnew];
    assert_eq!(choices.time_passed(298_000, false), over);
    assert_eq!(choices.payable(), Payable::Shop);
    assert_eq!(choices.answers().currency_offer, None);
    // The one that takes its place says why it is asked again.
    choices.step(made("b", 299_000));
    let open = choices.offer().unwrap();
    assert_eq!(open.said, Some(Sentence::OfferOver));
    assert_eq!(open.chosen, None);
    choices.step(made("c", 299_500));
    assert_eq!(choices.offer().unwrap().said, None);
}

#[test]
fn an_offer_does_not_run_out_while_the_form_waits_nor_once_it_was_sent() {
    let mut choices = with_offer();
    choices.step(ChoiceEvent::CurrencyChosen(Currency::Card));
    assert_eq!(choices.time_passed(400_000, true), [Wait(500)]);
    choices.sent();
    assert_eq!(choices.time_passed(400_000, false), []);
    assert_eq!(choices.submit(400_000), []);
    assert_eq!(choices.answers().currency_offer, Some("a"));
    // Another choice has not been sent yet.
    choices.step(ChoiceEvent::CurrencyChosen(Currency::Card));
    assert_eq!(
        choices.submit(400_000),
        [Urge(Sentence::OfferOver), SubmitAnew, LookUpAnew]
    );
    assert_eq!(choices.offer(), None);
}

#[test]
fn an_offer_that_would_be_over_on_arrival_is_over_at_the_press() {
    for (now_ms, is_over) in [(297_999, false), (298_000, true), (300_001, true)] {
        let mut choices = with_offer();
        choices.step(ChoiceEvent::CurrencyChosen(Currency::Card));
        assert_eq!(!choices.submit(now_ms).is_empty(), is_over);
    }
}

#[test]
fn a_refused_offer_goes_and_another_one_is_asked_for() {
    let mut choices = with_offer();
    choices.step(ChoiceEvent::CurrencyChosen(Currency::Card));
    choices.sent();
    assert_eq!(
        choices.refuse(ChoiceId::CurrencyOffer),
        [Urge(Sentence::OfferOver), SubmitAnew, LookUpAnew]
    );
    assert_eq!(choices.offer(), None);
}

#[test]
fn a_withdrawn_offer_is_announced_once() {
    let mut choices = with_offer();
    let withdrawn = || ChoiceEvent::OfferWithdrawn;
    assert_eq!(choices.step(withdrawn()), [Announce(Sentence::OfferGone)]);
    assert_eq!(choices.step(withdrawn()), []);
    assert_eq!(choices.time_passed(400_000, false), []);
}

#[test]
fn payment_at_once_is_chosen_first_and_only_what_is_offered_can_be_chosen() {
    let asked = |counts: &[u8]| Asked {
        instalments: counts.to_vec(),
        ..Asked::default()
    };
    let (mut choices, _) = Choices::new(asked(&[3, 6]));
    assert_eq!(choices.answers().instalments, Some(1));
    for (count, chosen) in [(3, 3), (4, 3), (1, 1), (6, 6)] {
        choices.step(ChoiceEvent::InstalmentsChosen(count));
        assert_eq!(choices.answers().instalments, Some(chosen));
    }
    choices.renew(asked(&[6, 12]));
    assert_eq!(choices.answers().instalments, Some(6));
    choices.renew(asked(&[12]));
    assert_eq!(choices.answers().instalments, Some(1));
    choices.renew(asked(&[]));
    assert_eq!(choices.answers().instalments, None);
}

#[test]
fn parts_add_up_to_the_sum() {
    let check = |amount: u64, count: u8, first: u64, each: u64| {
        let parts = InstalmentParts::of(amount, count);
        assert_eq!((parts.first_minor, parts.each_minor), (first, each));
    };
    check(3_545, 2, 1_773, 1_772);
    check(3_545, 3, 1_183, 1_181);
    check(3_545, 5, 709, 709);
    check(2, 3, 2, 0);
    check(0, 3, 0, 0);
    check(999_999_999_999, 24, 41_666_666_681, 41_666_666_666);
    check(3_545, 0, 3_545, 3_545);
    for amount in 0..200 {
        for count in 1..=24 {
            let parts = InstalmentParts::of(amount, count);
            let others = u64::from(count - 1) * parts.each_minor;
            assert_eq!(parts.first_minor + others, amount);
        }
    }
}

#[test]
fn the_newest_card_that_can_pay_is_chosen_first() {
    let check = |cards: &[SavedCard], chosen: Option<&str>| {
        assert_eq!(chosen_id(&with_cards(cards)), chosen);
    };
    check(&[card("a"), card("b")], Some("a"));
    check(&[expired("a"), card("b")], Some("b"));
    check(&[expired("a")], None);
    check(&[], None);
}

#[test]
fn a_saved_card_is_sent_in_place_of_a_consent_and_of_an_offer() {
    let (mut choices, effects) = Choices::new(Asked {
        saved_cards: Some(vec![card("a")]),
        consent: Some(ConsentRule::Required),
        ..Asked::default()
    });
    assert_eq!(effects, [SubmitAnew, UseCard]);
    assert_eq!(choices.step(made("o", 0)), []);
    assert_eq!(choices.submit(0), []);
    let answers = choices.answers();
    assert_eq!((answers.saved_card, answers.consent), (Some("a"), None));

    let other = choices.step(ChoiceEvent::CardChosen(None));
    assert_eq!(other, [SubmitAnew, UseCard, LookUpAnew]);
    choices.step(made("o", 0));
    assert!(choices.offer().is_some());
    let answers = choices.answers();
    assert_eq!((answers.saved_card, answers.consent), (None, Some(false)));

    assert_eq!(
        choices.step(ChoiceEvent::CardChosen(Some("a".to_owned()))),
        [SubmitAnew, Announce(Sentence::OfferGone), UseCard]
    );
    assert_eq!(choices.offer(), None);
}

#[test]
fn a_card_is_removed_only_after_a_question() {
    let mut choices = with_cards(&[card("a"), card("b")]);
    assert_eq!(choices.step(ChoiceEvent::RemovalConfirmed), []);
    let ask = |id: &str| ChoiceEvent::RemovalRequested(id.to_owned());
    let removal = |choices: &Choices| choices.saved_cards().unwrap().removal.clone();
    assert_eq!(choices.step(ask("a")), [Focus(FocusTarget::KeepCard)]);
    assert_eq!(
        choices.step(ChoiceEvent::RemovalDropped),
        [Focus(FocusTarget::RemoveCard("a".to_owned()))]
    );
    assert_eq!(removal(&choices), Removal::None);
    choices.step(ask("b"));
    choices.step(ask("a"));
    assert_eq!(
        choices.step(ChoiceEvent::RemovalConfirmed),
        [RemoveCard("a".to_owned())]
    );
    // Until the answer comes nothing else is removed, and nothing twice.
    assert_eq!(choices.step(ChoiceEvent::RemovalConfirmed), []);
    assert_eq!(choices.step(ask("b")), []);
    assert_eq!(removal(&choices), Removal::Running("a".to_owned()));
    let removed = Sentence::CardRemoved(card("a"));
    let answer = RemovalAnswer::Removed(vec![card("b")]);
    assert_eq!(
        choices.step(ChoiceEvent::RemovalAnswered(answer.clone())),
        [
            SubmitAnew,
            UseCard,
            Announce(removed.clone()),
            Focus(FocusTarget::ChosenCard)
        ]
    );
    assert_eq!(chosen_id(&choices), Some("b"));
    assert_eq!(choices.saved_cards().unwrap().said, Some(removed));
    assert_eq!(choices.step(ChoiceEvent::RemovalAnswered(answer)), []);
}

#[test]
fn a_removal_without_an_answer_leaves_the_card() {
    let mut choices = with_cards(&[card("a")]);
    choices.step(ChoiceEvent::RemovalRequested("a".to_owned()));
    choices.step(ChoiceEvent::RemovalConfirmed);
    assert_eq!(
        choices.step(ChoiceEvent::RemovalAnswered(RemovalAnswer::Failed)),
        [
            Urge(Sentence::RemovalFailed),
            Focus(FocusTarget::RemoveCard("a".to_owned()))
        ]
    );
    assert_eq!(chosen_id(&choices), Some("a"));
    // It can be tried again.
    choices.step(ChoiceEvent::RemovalRequested("a".to_owned()));
    assert_eq!(
        choices.step(ChoiceEvent::RemovalConfirmed),
        [RemoveCard("a".to_owned())]
    );
}

#[test]
fn a_card_that_is_gone_is_replaced_by_the_next_or_by_typing_one() {
    let mut choices = with_cards(&[card("a"), card("b")]);
    let gone = [
        Announce(Sentence::CardGone),
        Focus(FocusTarget::ChosenCard),
        Urge(Sentence::CardGone),
    ];
    let effects = choices.refuse(ChoiceId::SavedCard);
    assert_eq!(effects[..2], [SubmitAnew, UseCard]);
    assert_eq!(effects[2..], gone);
    assert_eq!(chosen_id(&choices), Some("b"));
    let effects = choices.refuse(ChoiceId::SavedCard);
    assert_eq!(effects[..3], [SubmitAnew, UseCard, LookUpAnew]);
    assert_eq!(effects[3..], gone);
    assert_eq!(chosen_id(&choices), None);
    assert_eq!(choices.refuse(ChoiceId::SavedCard), []);
}

#[test]
fn another_tabs_removal_of_a_card_that_does_not_pay_changes_nothing_else() {
    let mut choices = with_cards(&[card("a"), card("b")]);
    choices.step(ChoiceEvent::RemovalRequested("b".to_owned()));
    choices.step(ChoiceEvent::RemovalConfirmed);
    assert_eq!(
        choices.step(ChoiceEvent::RemovalAnswered(RemovalAnswer::Gone)),
        [
            Announce(Sentence::CardGone),
            Focus(FocusTarget::ChosenCard),
            Urge(Sentence::CardGone)
        ]
    );
    assert_eq!(chosen_id(&choices), Some("a"));
}

#[test]
fn a_session_that_takes_over_keeps_the_choice_where_it_can() {
    let asked = |cards: &[SavedCard]| Asked {
        saved_cards: Some(cards.to_vec()),
        consent: Some(ConsentRule::Optional),
        ..Asked::default()
    };
    let mut choices = with_cards(&[card("a"), card("b")]);
    choices.step(ChoiceEvent::CardChosen(Some("b".to_owned())));
    assert_eq!(choices.renew(asked(&[card("a"), card("b")])), []);
    assert_eq!(chosen_id(&choices), Some("b"));
    assert_eq!(
        choices.renew(asked(&[card("a")])),
        [SubmitAnew, UseCard, Urge(Sentence::CardGone)]
    );
    assert_eq!(chosen_id(&choices), Some("a"));
    choices.step(ChoiceEvent::CardChosen(None));
    choices.step(ChoiceEvent::ConsentTicked(true));
    assert_eq!(choices.renew(asked(&[card("a")])), []);
    assert_eq!(chosen_id(&choices), None);
    assert_eq!(choices.answers().consent, Some(true));
    choices.step(made("o", 0));
    assert_eq!(
        choices.renew(asked(&[card("a")])),
        [Urge(Sentence::OfferOver), SubmitAnew, LookUpAnew]
    );
    assert_eq!(choices.offer(), None);
}

#[test]
fn nothing_is_sent_without_a_consent_that_is_needed() {
    let missing = [Urge(Sentence::ConsentMissing), Focus(FocusTarget::Consent)];
    let mut choices = with_consent(ConsentRule::Required);
    assert_eq!(choices.submit(0), missing);
    assert!(choices.consent().unwrap().is_missed);
    assert_eq!(choices.step(ChoiceEvent::ConsentTicked(true)), [SubmitAnew]);
    assert!(!choices.consent().unwrap().is_missed);
    assert_eq!(choices.submit(0), []);
    assert_eq!(choices.answers().consent, Some(true));

    let mut choices = with_consent(ConsentRule::Optional);
    assert_eq!(choices.submit(0), []);
    assert_eq!(choices.answers().consent, Some(false));
    assert_eq!(choices.refuse(ChoiceId::Consent), []);
}

#[test]
fn the_currency_is_asked_for_before_the_consent() {
    let mut choices = with_consent(ConsentRule::Required);
    choices.step(made("a", 0));
    assert_eq!(choices.submit(0)[0], Urge(Sentence::CurrencyMissing));
    choices.step(ChoiceEvent::CurrencyChosen(Currency::Shop));
    assert_eq!(choices.submit(0)[0], Urge(Sentence::ConsentMissing));
}
