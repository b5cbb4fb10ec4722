//! The saved cards of the order's customer: which one pays, and how one is removed.

use super::{ChoiceEffect, Choices, FocusTarget, RemovalAnswer, SavedCard, Sentence};

/// The saved cards of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedCards {
    /// Newest first.
    pub cards: Vec<SavedCard>,
    /// Id of the one that pays; `None` where the buyer types another card.
    chosen: Option<String>,
    /// The state of a removal.
    pub removal: Removal,
    /// The message below the choice.
    pub said: Option<Sentence>,
}

/// The state of a removal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Removal {
    /// No card is being removed.
    #[default]
    None,
    /// The buyer is asked about the card with this id.
    Asked(String),
    /// The gateway was asked to remove the card with this id.
    Running(String),
}

impl SavedCards {
    /// `before`: those of an earlier session; the choice made there stays if it is still possible.
    pub(super) fn new(cards: Vec<SavedCard>, before: Option<&Self>) -> Self {
        let mut new = Self {
            cards,
            chosen: before.and_then(|before| before.chosen.clone()),
            removal: Removal::None,
            said: None,
        };
        if before.is_none() || (new.chosen.is_some() && new.chosen().is_none()) {
            new.choose_first();
        }
        new
    }

    /// The card that pays; `None` where the buyer types another one.
    pub fn chosen(&self) -> Option<&SavedCard> {
        let chosen = self.chosen.as_ref()?;
        let card = self.cards.iter().find(|card| card.id == *chosen);
        card.filter(|card| !card.is_expired)
    }

    pub(super) fn choose(&mut self, id: Option<String>) {
        self.chosen = id;
        self.said = None;
    }

    fn choose_first(&mut self) {
        let first = self.cards.iter().find(|card| !card.is_expired);
        self.chosen = first.map(|card| card.id.clone());
    }

    /// Takes the cards that are left. Gives whether another card pays now.
    fn keep(&mut self, cards: Vec<SavedCard>) -> bool {
        self.cards = cards;
        self.removal = Removal::None;
        let is_gone = self.chosen.is_some() && self.chosen().is_none();
        if is_gone {
            self.choose_first();
        }
        is_gone
    }
}

impl Choices {
    /// Asks for confirmation of a removal, or drops the question.
    pub(super) fn removal(&mut self, removal: Removal) -> Vec<ChoiceEffect> {
        let Some(cards) = &mut self.saved_cards else {
            return vec![];
        };
        // A removal that runs has to be answered first.
        if matches!(cards.removal, Removal::Running(_)) {
            return vec![];
        }
        let before = std::mem::replace(&mut cards.removal, removal);
        match (&cards.removal, before) {
            (Removal::Asked(_), _) => vec![ChoiceEffect::Focus(FocusTarget::KeepCard)],
            (Removal::None, Removal::Asked(id)) => {
                vec![ChoiceEffect::Focus(FocusTarget::RemoveCard(id))]
            }
            _ => vec![],
        }
    }

    pub(super) fn remove(&mut self) -> Vec<ChoiceEffect> {
        let Some(cards) = &mut self.saved_cards else {
            return vec![];
        };
        // A second press has no effect.
        let Removal::Asked(id) = cards.removal.clone() else {
            return vec![];
        };
        cards.removal = Removal::Running(id.clone());
        vec![ChoiceEffect::RemoveCard(id)]
    }

    pub(super) fn removal_answered(&mut self, answer: RemovalAnswer) -> Vec<ChoiceEffect> {
        let Some(cards) = &mut self.saved_cards else {
            return vec![];
        };
        let Removal::Running(id) = cards.removal.clone() else {
            return vec![];
        };
        match answer {
            RemovalAnswer::Removed(left) => {
                let removed = cards.cards.iter().find(|card| card.id == id).cloned();
                let said = removed.map_or(Sentence::CardGone, Sentence::CardRemoved);
                self.left(left, said)
            }
            RemovalAnswer::Gone => self.card_gone(&id),
            RemovalAnswer::Failed => {
                cards.removal = Removal::None;
                cards.said = Some(Sentence::RemovalFailed);
                vec![
                    ChoiceEffect::Urge(Sentence::RemovalFailed),
                    ChoiceEffect::Focus(FocusTarget::RemoveCard(id)),
                ]
            }
        }
    }

    /// A card was removed, or can not be used any more.
    pub(super) fn card_gone(&mut self, id: &str) -> Vec<ChoiceEffect> {
        let Some(cards) = &self.saved_cards else {
            return vec![];
        };
        let left = cards.cards.iter().filter(|card| card.id != id).cloned();
        let mut effects = self.left(left.collect(), Sentence::CardGone);
        effects.push(ChoiceEffect::Urge(Sentence::CardGone));
        effects
    }

    /// There is one card less.
    fn left(&mut self, left: Vec<SavedCard>, said: Sentence) -> Vec<ChoiceEffect> {
        let Some(cards) = &mut self.saved_cards else {
            return vec![];
        };
        let another_pays = cards.keep(left);
        cards.said = Some(said.clone());
        let mut effects = if another_pays {
            self.card_changed()
        } else {
            vec![]
        };
        effects.push(ChoiceEffect::Announce(said));
        effects.push(ChoiceEffect::Focus(FocusTarget::ChosenCard));
        effects
    }
}
