//! A puzzle that costs a computer about a second, and its check, which costs a few microseconds. The gateway makes and checks it, the form
//! solves it while a terminal is under attack by somebody who tries out cards.
//!
//! A puzzle is a text: `bits.parts.token`. It is solved by one number for each part, written in decimal and joined by points, in order.
//! The number `n` of the part `i`, counted from 0, is right if the SHA-256 of `bits.parts.token.i.n` begins with `bits` zero bits. Many small
//! parts take nearly the same time in every try; one large part would take some buyers five times as long as others.
//!
//! No clock and no I/O: who makes a puzzle decides what its token stands for, and how long it is valid.

use sha2::{Digest, Sha256};

/// A puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    text: String,
    bits: u32,
    parts: usize,
}

impl Puzzle {
    /// The puzzle of a token that nobody can foresee, as hard as the gateway asks for.
    pub fn new(token: &str) -> Puzzle {
        Puzzle {
            text: [DIFFICULTY, token].concat(),
            bits: BITS,
            parts: PARTS,
        }
    }

    /// Reads a puzzle. `None`: this is none, or one that takes unreasonably long.
    pub fn parse(text: &str) -> Option<Puzzle> {
        let mut members = text.splitn(3, '.');
        let bits = number(members.next()?)?;
        let parts = number(members.next()?)?;
        members.next()?;
        let is_reasonable = bits <= MOST_BITS && (1..=MOST_PARTS).contains(&parts);
        is_reasonable.then(|| Puzzle {
            text: text.into(),
            bits,
            parts: parts as usize,
        })
    }

    /// The puzzle as it is sent.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether this text solves it. Takes the same time for every text, but for its length, of which little is read.
    pub fn is_solved_by(&self, solution: &str) -> bool {
        let mut numbers = solution.splitn(self.parts + 1, '.');
        let mut right = 0;
        for part in 0..self.parts {
            let found = numbers.next().and_then(number);
            let begins = self.begins(part, found.unwrap_or(0));
            right += usize::from(begins && found.is_some());
        }
        right == self.parts && numbers.next().is_none()
    }

    /// Whether the hash of this number begins with enough zeros.
    fn begins(&self, part: usize, tried: u32) -> bool {
        let mut hashed = Sha256::new();
        hashed.update(self.text.as_bytes());
        let mut digits = [0; DIGITS];
        for number in [part as u32, tried] {
            hashed.update(b".");
            hashed.update(decimal(number, &mut digits));
        }
        let hash = hashed.finalize();
        let first = hash.iter().take(4).fold(0, |first: u32, byte| {
            first.wrapping_shl(8) | u32::from(*byte)
        });
        first.leading_zeros() >= self.bits
    }
}

/// A search for the solution, which can be interrupted after any number of tries.
#[derive(Clone, Debug)]
pub struct Search {
    puzzle: Puzzle,
    part: usize,
    next: u32,
    found: String,
}

impl Search {
    /// Begins to search.
    pub fn new(puzzle: Puzzle) -> Search {
        Search {
            puzzle,
            part: 0,
            next: 0,
            found: String::new(),
        }
    }

    /// Tries so many numbers more. Returns the solution once it is found.
    pub fn go_on(&mut self, tries: u32) -> Option<&str> {
        let mut digits = [0; DIGITS];
        for _ in 0..tries {
            if self.part == self.puzzle.parts {
                break;
            }
            let tried = self.next;
            self.next = tried.wrapping_add(1);
            if self.puzzle.begins(self.part, tried) {
                if self.part > 0 {
                    self.found.push('.');
                }
                for digit in decimal(tried, &mut digits) {
                    self.found.push(char::from(*digit));
                }
                self.part += 1;
                self.next = 0;
            }
        }
        (self.part == self.puzzle.parts).then_some(&*self.found)
    }
}

/// A decimal number without leading zeros, as [`decimal`] writes it. Without the parser of the standard library, which every buyer would
/// download.
fn number(text: &str) -> Option<u32> {
    let is_short = (1..DIGITS).contains(&text.len());
    if !is_short || (text.len() > 1 && text.starts_with('0')) {
        return None;
    }
    text.bytes().try_fold(0, |number: u32, digit| {
        let digit = digit.is_ascii_digit().then(|| u32::from(digit - b'0'))?;
        Some(number * 10 + digit)
    })
}

/// Writes a number at the end of `digits`, and returns what it wrote.
fn decimal(mut number: u32, digits: &mut [u8; DIGITS]) -> &[u8] {
    let mut from = DIGITS;
    for (place, digit) in digits.iter_mut().enumerate().rev() {
        // A digit from 0 to 9.
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
        from = place;
        if number == 0 {
            break;
        }
    }
    digits.get(from..).unwrap_or_default()
}

/// The digits of the largest number.
const DIGITS: usize = 10;

/// How hard each part of a new puzzle is: 2^15 tries on average.
const BITS: u32 = 15;

/// How many parts a new puzzle has.
const PARTS: usize = 16;

/// [`BITS`] and [`PARTS`], as a puzzle begins.
const DIFFICULTY: &str = "15.16.";

/// The hardest puzzle that is read: 64 times as hard as a new one.
const MOST_BITS: u32 = 20;
const MOST_PARTS: u32 = 32;

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(puzzle: &Puzzle) -> String {
        let mut search = Search::new(puzzle.clone());
        loop {
            if let Some(solution) = search.go_on(1_000) {
                return solution.to_owned();
            }
        }
    }

    /// Known values, computed with another implementation of SHA-256: `printf '8.3.abc.0.266' | sha256sum` and so on.
    #[test]
    fn a_solution_is_the_first_number_of_each_part_whose_hash_begins_with_zeros() {
        let puzzle = Puzzle::parse("8.3.abc").unwrap();
        assert_eq!(solved(&puzzle), VECTOR);
        assert!(puzzle.is_solved_by(VECTOR));
    }

    #[test]
    fn a_new_puzzle_says_how_hard_it_is_and_can_be_solved() {
        let puzzle = Puzzle::new("r2lQpnMd7Jq0aYxk5vXw1g");
        assert_eq!(puzzle.text(), "15.16.r2lQpnMd7Jq0aYxk5vXw1g");
        assert_eq!(Puzzle::parse(puzzle.text()), Some(puzzle.clone()));
        let solution = solved(&puzzle);
        assert!(puzzle.is_solved_by(&solution));
        assert!(!Puzzle::new("r2lQpnMd7Jq0aYxk5vXw1h").is_solved_by(&solution));
    }

    #[test]
    fn what_is_no_solution_is_refused() {
        let puzzle = Puzzle::parse("8.3.abc").unwrap();
        let numbers: Vec<&str> = VECTOR.split('.').collect();
        let [first, second, third] = numbers[..] else {
            panic!("three parts")
        };
        for wrong in [
            String::new(),
            String::from(".."),
            format!("{first}.{second}"),
            format!("{first}.{second}.{third}.0"),
            format!("{first}.{second}.{third}."),
            format!("{second}.{first}.{third}"),
            format!("{first}.{first}.{first}"),
            format!("0{first}.{second}.{third}"),
            format!("+{first}.{second}.{third}"),
            format!("{first}.{second}.99999999999999999999"),
            format!("{first}.{second}.x"),
        ] {
            assert!(!puzzle.is_solved_by(&wrong), "{wrong}");
        }
    }

    #[test]
    fn what_is_no_puzzle_is_not_read() {
        for text in [
            "", "8", "8.3", "x.3.abc", "8.0.abc", "21.3.abc", "8.33.abc", "08.3.abc", "8.-1.abc",
        ] {
            assert_eq!(Puzzle::parse(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_written_as_they_are_read() {
        let mut digits = [0; DIGITS];
        for tried in [0, 9, 10, 65_535, 999_999_999] {
            let text = String::from_utf8(decimal(tried, &mut digits).to_vec()).unwrap();
            assert_eq!(
                (text.as_str(), number(&text)),
                (tried.to_string().as_str(), Some(tried))
            );
        }
    }

    const VECTOR: &str = "266.78.156";
}
