//! Keys that reach another element than the buyer meant.
//!
//! People who fill many forms type without looking. They press Tab or Enter after each field, even if the form has
//! already moved the focus ([`AutoAdvance`]), and they continue to type when the focus is on a button ([`TypingRun`]).
//! Use it wherever keys are handled; it does not depend on a browser.

/// The last move of the focus that the form made by itself, because a field was full. One Tab or Enter after it belongs to
/// it, at any later time as long as nothing else happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AutoAdvance<F> {
    between: Option<(F, F)>,
}

impl<F> Default for AutoAdvance<F> {
    fn default() -> Self {
        Self { between: None }
    }
}

impl<F: Copy + PartialEq> AutoAdvance<F> {
    /// The form moves the focus.
    pub fn moved(&mut self, from: F, to: F) {
        self.between = Some((from, to));
    }

    /// The buyer typed or pointed at something: what comes next is a move of their own.
    pub fn over(&mut self) {
        self.between = None;
    }

    /// A field, or something else, has the focus now.
    pub fn focused(&mut self, place: Option<F>) {
        if self.between.is_some_and(|(_, to)| place != Some(to)) {
            self.between = None;
        }
    }

    /// Whether Tab or Enter, pressed in this field, belongs to the move. The focus may not have arrived yet. The next
    /// key does not belong to it.
    pub fn takes(&mut self, field: F) -> bool {
        self.between
            .take_if(|(from, to)| field == *from || field == *to)
            .is_some()
    }
}

/// After this time without a key, the next key begins another run.
const PAUSE_MS: f64 = 1000.0;

/// Keys of one run of typing on a button. In a run, the space between two names does not press the button.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TypingRun {
    last: Option<f64>,
}

impl TypingRun {
    /// The buyer moved the focus to the button.
    pub fn begins(&mut self) {
        self.last = None;
    }

    /// A key that writes a character, at this time in milliseconds.
    pub fn typed(&mut self, now: f64) {
        self.last = Some(now);
    }

    /// Whether a space or Enter at this time belongs to the run, which then continues.
    pub fn holds(&mut self, now: f64) -> bool {
        let holds = self.last.is_some_and(|last| now - last < PAUSE_MS);
        if holds {
            self.last = Some(now);
        }
        holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved() -> AutoAdvance<char> {
        let mut own = AutoAdvance::default();
        own.moved('a', 'b');
        own
    }

    /// E14: one Tab or Enter after a move of the form is part of it.
    #[test]
    fn one_tab_after_a_move_is_part_of_it_and_the_next_is_not() {
        let mut own = moved();
        assert!(own.takes('b'));
        assert!(!own.takes('b'));
    }

    #[test]
    fn the_focus_may_still_be_on_its_way() {
        assert!(moved().takes('a'));
        assert!(!moved().takes('c'));
    }

    #[test]
    fn the_focus_that_the_form_gave_ends_nothing_and_any_other_does() {
        for (place, taken) in [(Some('b'), true), (Some('a'), false), (None, false)] {
            let mut own = moved();
            own.focused(place);
            assert_eq!(own.takes('b'), taken, "{place:?}");
        }
    }

    #[test]
    fn after_a_key_or_a_press_a_move_is_the_buyers() {
        let mut own = moved();
        own.over();
        assert!(!own.takes('b'));
    }

    /// E15: keys of a run of typing press no button.
    #[test]
    fn a_blank_between_names_presses_nothing() {
        let mut run = TypingRun::default();
        assert!(!run.holds(0.0), "a blank alone is a press");
        run.typed(10.0);
        assert!(run.holds(900.0));
        assert!(run.holds(1800.0), "it is part of the run itself");
        assert!(!run.holds(2800.0), "after a pause it is a press");
    }

    #[test]
    fn who_goes_to_a_button_presses_it() {
        let mut run = TypingRun::default();
        run.typed(10.0);
        run.begins();
        assert!(!run.holds(20.0));
    }
}
