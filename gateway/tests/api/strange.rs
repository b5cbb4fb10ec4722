//! Strange values for fuzz tests. The same seed gives the same values, so a failure can be repeated.

use serde_json::{Value, json};

/// Draws random numbers and makes values from them.
pub(crate) struct Random(fastrand::Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(fastrand::Rng::with_seed(seed))
    }

    pub(crate) fn number(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// A number from 0 up to `limit`, without `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit.max(1))
    }

    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(crate) fn one_of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    /// Text with known difficulties.
    pub(crate) fn text(&mut self) -> String {
        match self.below(10) {
            0 => "A".repeat(1 + self.below(3000)),
            1 => self.number().to_string(),
            2 => (0..self.below(20))
                .filter_map(|_| char::from_u32(self.below(0x11_0000) as u32))
                .collect(),
            3 => (0..self.below(30))
                .map(|_| char::from(self.below(0x80) as u8))
                .collect(),
            _ => self.one_of(TEXTS).to_owned(),
        }
    }

    /// Any JSON value, small.
    pub(crate) fn value(&mut self) -> Value {
        match self.below(12) {
            0 => Value::Null,
            1 => json!(self.one_in(2)),
            2 => json!(self.number()),
            3 => json!(-(self.below(1_000_000) as i64)),
            4 => json!(f64::from_bits(self.number())),
            5 => json!([]),
            6 => json!({}),
            7 => (0..self.below(60)).fold(json!(1), |inner, _| json!([inner])),
            8 => (0..self.below(4)).map(|_| self.value()).collect(),
            _ => json!(self.text()),
        }
    }

    /// Changes something somewhere in `value`, and usually keeps its type.
    pub(crate) fn change(&mut self, value: &mut Value) {
        let inside = !self.one_in(4);
        match value {
            Value::Object(members) if inside && !members.is_empty() => {
                let place = self.below(members.len());
                let name = members.keys().nth(place).unwrap().clone();
                match self.below(8) {
                    0 => {
                        members.remove(&name);
                    }
                    1 => {
                        let member = members.remove(&name).unwrap();
                        members.insert(self.text(), member);
                    }
                    2 => {
                        members.insert(self.text(), self.value());
                    }
                    _ => self.change(members.get_mut(&name).unwrap()),
                }
            }
            Value::Array(items) if inside && !items.is_empty() => {
                let place = self.below(items.len());
                match self.below(8) {
                    0 => {
                        items.remove(place);
                    }
                    1 => items.push(items[place].clone()),
                    2 => items.insert(place, self.value()),
                    3 => {
                        let many = vec![items[place].clone(); self.below(200)];
                        items.extend(many);
                    }
                    _ => self.change(&mut items[place]),
                }
            }
            Value::String(text) if inside => *text = self.changed(text),
            other => *other = self.value(),
        }
    }

    /// A text with one thing changed.
    pub(crate) fn changed(&mut self, text: &str) -> String {
        let mut letters: Vec<char> = text.chars().collect();
        let place = self.below(letters.len() + 1);
        match self.below(5) {
            0 => letters.truncate(place),
            1 => letters.extend(letters.clone()),
            2 if place < letters.len() => {
                letters.remove(place);
            }
            3 if place < letters.len() => {
                letters[place] = char::from_u32(self.below(0x300) as u32).unwrap_or('\u{fffd}');
            }
            _ => {
                let piece: Vec<char> = self.text().chars().collect();
                letters.splice(place..place, piece);
            }
        }
        letters.into_iter().collect()
    }

    /// Bytes with a few of them changed, cut off or doubled.
    pub(crate) fn mangled(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.below(4) {
            let place = self.below(bytes.len().max(1));
            match self.below(4) {
                0 => bytes.truncate(place),
                1 if place < bytes.len() => bytes[place] = self.number() as u8,
                2 if place < bytes.len() => {
                    bytes.remove(place);
                }
                _ => bytes.insert(place.min(bytes.len()), self.number() as u8),
            }
        }
        bytes
    }
}

const TEXTS: &[&str] = &[
    "",
    " ",
    "\u{0}",
    "\r\n",
    "null",
    "undefined",
    "true",
    "-1",
    "0",
    "00",
    "1e3",
    "-0",
    "999999999999999999999999",
    "٣٥٤٥",
    "35.45",
    "__proto__",
    "constructor",
    "<script>alert(1)</script>",
    "javascript:alert(1)",
    "'; DROP TABLE session; --",
    "../../../etc/passwd",
    "%00",
    "%",
    "%zz",
    "%C0%AF",
    "+",
    "&a=b",
    "?",
    "#",
    "\u{202e}",
    "\u{feff}",
    "👩‍👩‍👧‍👦",
    "ﷺ",
    "2026-13-45",
    "9999-12-31",
    "0000-00-00",
    "+10000-01-01",
    "2026-11-20T10:00:00Z",
    "25:61",
    "https://",
    "https://[::1",
    "http://127.0.0.1:99999",
    "https://user:word@shop.example:443/a?b#c",
    "file:///etc/passwd",
    "EUR",
    "XXX",
    "ita",
    "zz",
    "4761730000000003",
    "FRAME",
    "PAY",
    "text/html",
    "application/json; charset=\u{fc}",
    "*;q=nan, en;q=2, ;;,,=",
    "en-GB-x-\u{fffd};q=0.0000000000001",
    "Bearer ",
    "{{boot}}",
    "${jndi:ldap://x}",
];
