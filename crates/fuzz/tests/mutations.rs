//! All targets over their samples, and over mutations of them.
//!
//! Each run is the same. `PAYFRAME_FUZZ_SEED` selects another one, `PAYFRAME_FUZZ_CASES` a longer one; a failure prints target, seed and case.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use payframe_fuzz::TARGETS;

fn setting(name: &str, default: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.map_or(default, |text| text.parse().unwrap())
}

/// Prints where a run was when it panicked.
struct Place(&'static str, u64, u64);

impl Drop for Place {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let Place(name, seed, case) = self;
            eprintln!("{name}: PAYFRAME_FUZZ_SEED={seed}, case {case}");
        }
    }
}

#[test]
fn every_sample_passes() {
    for target in TARGETS {
        let samples = (target.samples)();
        assert!(samples.len() > 1, "{}", target.name);
        for sample in samples {
            (target.run)(&sample);
        }
    }
}

#[test]
fn mutated_samples_break_nothing() {
    let (seed, cases) = (
        setting("PAYFRAME_FUZZ_SEED", 1),
        setting("PAYFRAME_FUZZ_CASES", 400),
    );
    for target in TARGETS {
        let samples = (target.samples)();
        let mut random = fastrand::Rng::with_seed(seed);
        let mut place = Place(target.name, seed, 0);
        for case in 0..cases {
            place.2 = case;
            let mut input = random.choice(&samples).unwrap().clone();
            for _ in 0..random.u8(1..8) {
                mutate(&mut input, &samples, &mut random);
            }
            (target.run)(&input);
        }
    }
}

fn mutate(input: &mut Vec<u8>, samples: &[Vec<u8>], random: &mut fastrand::Rng) {
    if input.is_empty() {
        input.push(random.u8(..));
    }
    let place = random.usize(..input.len());
    match random.u8(..6) {
        0 => input[place] ^= 1 << random.u8(..8),
        1 => input[place] = random.u8(..),
        2 => input.insert(place, random.u8(..)),
        3 => drop(input.remove(place)),
        4 => input.truncate(place),
        _ => {
            let other = random.choice(samples).unwrap();
            let from = random.usize(..other.len());
            input.splice(place.., other[from..].iter().copied());
        }
    }
}
