//! Text that must not be shown or logged: card digits and security codes.
//!
//! A [`Secret`] has no `Display`, its `Debug` reveals nothing of its content (not even the length), and its memory is
//! wiped when it is dropped. It does not protect text that was copied out of it: each call of [`Secret::expose`] has a comment
//! that says why it is needed.

use core::fmt;
use zeroize::Zeroize;

/// Text that is wiped from memory on drop and never printed.
pub struct Secret(String);

impl Secret {
    /// Takes over `text`; no copy is made.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// The text in clear. Say at the call why it is needed.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_tells_neither_content_nor_length() {
        for text in ["", "4", "4761730000000003"] {
            assert_eq!(format!("{:?}", Secret::new(text.to_owned())), "Secret(…)");
            assert_eq!(format!("{:#?}", Secret::new(text.to_owned())), "Secret(…)");
        }
    }

    #[test]
    fn exposes_what_it_was_given() {
        assert_eq!(Secret::new("123".to_owned()).expose(), "123");
    }
}
