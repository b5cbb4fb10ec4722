//! Processes that count the calls of an account together, with every order of calls, answers and pauses.

use super::{Limit, MILLI, Tally, Verdict};
use proptest::collection::vec;
use proptest::prelude::*;

/// The bucket of the database.
#[derive(Default)]
struct Bucket {
    used_milli: i64,
    at_ms: i64,
    /// All calls that it was told of.
    told: u32,
}

impl Bucket {
    fn add(&mut self, limit: Limit, calls: u32, now_ms: i64) -> i64 {
        let left = self.used_milli - i64::from(limit.per_second) * (now_ms - self.at_ms);
        self.used_milli = left.max(0) + i64::from(calls) * MILLI;
        self.at_ms = now_ms;
        self.told += calls;
        self.used_milli
    }
}

/// An answer of the database that a process has not heard yet.
struct Answer {
    process: usize,
    calls: u32,
    used_milli: i64,
}

struct World {
    limit: Limit,
    now_ms: i64,
    bucket: Bucket,
    processes: Vec<Tally>,
    under_way: Vec<Answer>,
    /// When each call was allowed.
    allowed_ms: Vec<i64>,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Call(usize),
    Wait(i64),
    /// What each process does every second.
    TellAll,
    /// An answer arrives, the first or the last of those under way.
    Hear {
        last: bool,
    },
}

impl World {
    fn new(limit: Limit, processes: usize) -> World {
        World {
            limit,
            now_ms: 1_760_000_000_000,
            bucket: Bucket::default(),
            processes: vec![Tally::default(); processes],
            under_way: Vec::new(),
            allowed_ms: Vec::new(),
        }
    }

    /// Whether the call of a process passes.
    fn call(&mut self, process: usize) -> bool {
        let process = process % self.processes.len();
        match self.processes[process].take(self.limit, self.now_ms) {
            Verdict::Refused { wait_ms } => {
                assert!(wait_ms > 0);
                return false;
            }
            Verdict::Passed => {}
            Verdict::PassedAndTell(calls) => self.tell(process, calls),
        }
        self.allowed_ms.push(self.now_ms);
        true
    }

    fn tell(&mut self, process: usize, calls: u32) {
        let used_milli = self.bucket.add(self.limit, calls, self.now_ms);
        self.under_way.push(Answer {
            process,
            calls,
            used_milli,
        });
    }

    fn tell_all(&mut self) {
        for process in 0..self.processes.len() {
            match self.processes[process].hand_over() {
                0 => {}
                calls => self.tell(process, calls),
            }
        }
    }

    fn hear(&mut self, last: bool) {
        if self.under_way.is_empty() {
            return;
        }
        let index = if last { self.under_way.len() - 1 } else { 0 };
        let Answer {
            process,
            calls,
            used_milli,
        } = self.under_way.remove(index);
        self.processes[process].heard(self.limit, calls, used_milli, self.now_ms);
    }

    fn hear_all(&mut self) {
        while !self.under_way.is_empty() {
            self.hear(false);
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Call(process) => {
                self.call(process);
            }
            Step::Wait(ms) => self.now_ms += ms,
            Step::TellAll => self.tell_all(),
            Step::Hear { last } => self.hear(last),
        }
    }

    /// In no span of time there were more calls than those of one process and a portion for each process.
    fn check_every_span(&self) {
        let extra = self.limit.portion as usize * self.processes.len();
        for (first, from_ms) in self.allowed_ms.iter().enumerate() {
            for (last, until_ms) in self.allowed_ms.iter().enumerate().skip(first) {
                let ran_out = i64::from(self.limit.per_second) * (until_ms - from_ms) / MILLI;
                let most =
                    self.limit.burst as usize + usize::try_from(ran_out).unwrap() + 1 + extra;
                assert!(
                    last - first < most,
                    "{} in {} ms",
                    last - first + 1,
                    until_ms - from_ms
                );
            }
        }
    }
}

fn limits() -> impl Strategy<Value = Limit> {
    (1u32..100, 1u32..=4, 1u32..=10).prop_map(|(per_second, seconds, parts)| {
        let burst = per_second * seconds;
        Limit {
            per_second,
            burst,
            portion: (burst / parts).max(1),
        }
    })
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        12 => (0usize..4).prop_map(Step::Call),
        2 => (0i64..300).prop_map(Step::Wait),
        1 => Just(Step::TellAll),
        4 => any::<bool>().prop_map(|last| Step::Hear { last }),
    ];
    vec(step, 0..400)
}

proptest! {
    #[test]
    fn all_processes_together_allow_a_portion_each_more_than_one(
        limit in limits(), processes in 1usize..=4, steps in steps()
    ) {
        let mut world = World::new(limit, processes);
        for step in steps {
            world.step(step);
            // A caller waits for the answer to what its call told.
            world.hear_all();
        }
        world.check_every_span();
    }

    #[test]
    fn every_call_is_told_once_and_a_quiet_account_is_free_again(
        limit in limits(), processes in 1usize..=4, steps in steps()
    ) {
        let mut world = World::new(limit, processes);
        for step in steps {
            world.step(step);
        }
        world.tell_all();
        world.hear_all();
        prop_assert_eq!(world.bucket.told as usize, world.allowed_ms.len());
        world.now_ms += 1_000 * 60;
        for process in &world.processes {
            prop_assert!(process.is_quiet(limit, world.now_ms));
        }
    }

    /// Answers come in their order here. One that overtakes another makes its calls count twice until the other comes.
    #[test]
    fn a_process_is_not_refused_while_all_calls_fit(
        limit in limits(), processes in 1usize..=4, steps in steps()
    ) {
        let mut world = World::new(limit, processes);
        for step in steps {
            match step {
                Step::Call(process) if world.allowed_ms.len() < limit.burst as usize => {
                    prop_assert!(world.call(process));
                }
                Step::Call(_) => {}
                Step::Hear { .. } => world.hear(false),
                other => world.step(other),
            }
        }
    }

    #[test]
    fn a_flood_at_one_process_leaves_the_others_no_more_than_a_portion(
        limit in limits(), others in 1usize..=3
    ) {
        let mut world = World::new(limit, others + 1);
        while world.call(0) {
            world.hear_all();
        }
        world.tell_all();
        world.hear_all();
        prop_assert_eq!(world.allowed_ms.len(), limit.burst as usize);
        for process in 1..=others {
            let mut allowed = 0;
            while world.call(process) {
                world.hear_all();
                allowed += 1;
            }
            prop_assert_eq!(allowed, limit.portion);
        }
    }
}

const LIMIT: Limit = Limit {
    per_second: 10,
    burst: 20,
    portion: 2,
};

#[test]
fn who_is_refused_passes_after_the_wait_and_not_before() {
    let mut world = World::new(LIMIT, 1);
    while world.call(0) {
        world.hear_all();
    }
    let Verdict::Refused { wait_ms } = world.processes[0].take(LIMIT, world.now_ms) else {
        panic!("passed");
    };
    assert_eq!(wait_ms, 100);
    world.now_ms += 99;
    assert!(!world.call(0));
    world.now_ms += 1;
    assert!(world.call(0));
    assert!(!world.call(0));
}

#[test]
fn calls_that_cannot_be_told_refuse_nobody() {
    let mut tally = Tally::default();
    for _ in 0..1000 {
        match tally.take(LIMIT, 0) {
            Verdict::PassedAndTell(calls) => tally.lost(calls),
            other => assert_eq!(other, Verdict::Passed),
        }
    }
    assert!(tally.is_quiet(LIMIT, 0));
}

#[test]
fn a_clock_that_goes_back_gives_nothing_and_one_that_jumps_gives_a_burst() {
    let mut world = World::new(LIMIT, 1);
    while world.call(0) {
        world.hear_all();
    }
    world.now_ms -= 60_000;
    assert!(!world.call(0));
    for jump_ms in [1_000_000_000_000, 1] {
        world.now_ms += jump_ms;
        world.bucket.at_ms = world.now_ms;
        world.bucket.used_milli = 0;
        let mut allowed = 0;
        while world.call(0) {
            world.hear_all();
            allowed += 1;
        }
        assert_eq!(allowed, if jump_ms == 1 { 0 } else { LIMIT.burst });
    }
}

#[test]
fn the_highest_numbers_fit() {
    let limit = Limit {
        per_second: u32::MAX,
        burst: u32::MAX,
        portion: u32::MAX,
    };
    let mut tally = Tally::default();
    assert_eq!(tally.take(limit, i64::MAX), Verdict::Passed);
    assert_eq!(tally.hand_over(), 1);
    tally.heard(limit, 1, i64::from(u32::MAX) * 2 * MILLI, i64::MAX);
    assert!(matches!(
        tally.take(limit, i64::MAX),
        Verdict::Refused { .. }
    ));
    assert!(matches!(tally.take(limit, 0), Verdict::Refused { .. }));
}
