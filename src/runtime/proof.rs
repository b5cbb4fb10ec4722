//! Solves the puzzle that the gateway asks for before it takes a card, while somebody tries out cards at the terminal.
//!
//! In slices, between which the browser handles everything else: nothing blocks, and a slow device only takes longer. It needs no worker,
//! for which the frame's policy would have to be opened.

use crate::app::App;
use crate::wire;
use js_sys::Date;
use leptos::prelude::set_timeout;
use payframe_checkout_flow::flow::{Event, Generation, Phase};
use payframe_proof_of_work::{Puzzle, Search};
use std::time::Duration;
use wasm_bindgen::JsValue;

impl App {
    /// Solves a puzzle, and passes the solution to the flow.
    pub(super) fn solve_puzzle(&'static self, puzzle: &str, generation: Generation) {
        match Puzzle::parse(puzzle) {
            Some(puzzle) => self.search_on(Search::new(puzzle), generation),
            None => self.dispatch(Event::PuzzleSolved(generation, None)),
        }
    }

    /// Adds the proof of work to what is sent, if the gateway asked for one.
    pub(super) fn add_proof(&self, items: &JsValue) {
        if let Phase::Sending { proof, .. } = self.flow.borrow().phase()
            && !proof.solution.is_empty()
        {
            wire::push_item(items, "PROOF_OF_WORK", &proof.solution);
        }
    }

    fn search_on(&'static self, mut search: Search, generation: Generation) {
        // The buyer has cancelled.
        if self.flow.borrow().generation() != generation {
            return;
        }
        let end_ms = Date::now() + SLICE_MS;
        while Date::now() < end_ms {
            if let Some(solution) = search.go_on(TRIES) {
                let solution = Some(solution.into());
                return self.dispatch(Event::PuzzleSolved(generation, solution));
            }
        }
        set_timeout(move || self.search_on(search, generation), Duration::ZERO);
    }
}

/// Shorter than half a frame of the screen.
const SLICE_MS: f64 = 8.0;

/// How many numbers are tried before the clock is read again: about 1 ms on a slow phone.
const TRIES: u32 = 500;
