//! Rebuilds a merchant's font so that the time it takes to draw a text says nothing about the text.
//!
//! A font is a program: its substitution, positioning and hinting rules can make one chosen digit at one chosen place
//! slow to draw, and a page that measures time reads the card number from that. [`rebuild`] keeps none of these rules.
//! It reads the outlines of a fixed set of characters and writes a new TrueType font that holds these outlines, one
//! glyph for each character, and nothing else. No byte of the original passes through.
//!
//! Use it for every font that shapes the text of an input and was not chosen by the operator of the gateway.
//!
//! It refuses what is no font, collections, and fonts over [`MAX_FILE_BYTES`]. It leaves out characters whose outline is
//! too complex or too large, and variations: of a variable font the default instance is taken.
//!
//! Libraries: `skrifa` reads outlines with limits on work, `write-fonts` writes tables, `wuff` unpacks WOFF. A subsetting
//! tool would be shorter, but copies tables that it does not know.

mod charset;
mod glyphs;
mod tables;

use glyphs::Glyphs;
use skrifa::raw::types::Tag;
use skrifa::raw::{FileRef, TableProvider};
use thiserror::Error;

/// The largest file that is read, in bytes, packed or not.
pub const MAX_FILE_BYTES: usize = 2 << 20;

/// Which kinds of outlines are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlines {
    /// TrueType and PostScript (CFF). For files that the operator chose: a PostScript outline is a small program, which may run
    /// for milliseconds for each glyph before it meets its limit.
    All,
    /// TrueType alone. For files that anybody may send.
    TrueType,
}

/// Why a file is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FontError {
    /// It has more than [`MAX_FILE_BYTES`], as it is or unpacked.
    #[error("the font has more than 2 MiB")]
    TooLarge,
    /// It is no TrueType, OpenType, WOFF or WOFF2 font, or it is broken.
    #[error("the file is no TrueType, OpenType, WOFF or WOFF2 font, or it is broken")]
    NotAFont,
    /// It holds several fonts.
    #[error("the file holds several fonts; take one of them")]
    Collection,
    /// Its outlines are not of a kind that is read here; see [`Outlines`].
    #[error("the font has no TrueType outlines")]
    UnsupportedOutlines,
    /// It has no glyph for any of the characters that are kept.
    #[error("the font has none of the characters that forms are written with")]
    NoGlyphs,
}

/// The font with the same outlines and no rules, as a TrueType file.
///
/// All ten digits have the same advance, or none of them is in the font: a browser that takes some digits from another font
/// would draw them at another speed.
///
/// # Errors
/// What [`FontError`] lists.
pub fn rebuild(file: &[u8], outlines: Outlines) -> Result<Vec<u8>, FontError> {
    let unpacked = unpack(file)?;
    let font = match FileRef::new(&unpacked).map_err(|_| FontError::NotAFont)? {
        FileRef::Font(font) => font,
        FileRef::Collection(_) => return Err(FontError::Collection),
    };
    let has_truetype = font.table_data(Tag::new(b"glyf")).is_some();
    if outlines == Outlines::TrueType && !has_truetype {
        return Err(FontError::UnsupportedOutlines);
    }
    font.head().map_err(|_| FontError::NotAFont)?;
    let glyphs = Glyphs::read(&font);
    if glyphs.is_empty() {
        return Err(FontError::NoGlyphs);
    }
    // Everything that is written was made here, so a refusal of the writer means that the outlines made no sense.
    tables::write(glyphs).ok_or(FontError::NotAFont)
}

/// The file without the packing of the web.
fn unpack(file: &[u8]) -> Result<Vec<u8>, FontError> {
    if file.len() > MAX_FILE_BYTES {
        return Err(FontError::TooLarge);
    }
    let unpacked = match file.get(..4) {
        Some(b"wOF2") => wuff::decompress_woff2(file).map_err(|_| FontError::NotAFont)?,
        Some(b"wOFF") => wuff::decompress_woff1(file).map_err(|_| FontError::NotAFont)?,
        _ => file.to_vec(),
    };
    if unpacked.len() > MAX_FILE_BYTES * 4 {
        return Err(FontError::TooLarge);
    }
    Ok(unpacked)
}

#[cfg(test)]
mod tests;
