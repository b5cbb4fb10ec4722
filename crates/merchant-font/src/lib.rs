//! Rebuilds a merchant's font so that the time it takes to draw a text says nothing about the text.
//!
//! A font is a program: its substitution, positioning and hinting rules can make one digit at one position slow to draw. A page that
//! measures this time can read the card number. [`rebuild`] keeps none of these rules. It reads the outlines of a fixed set of characters
//! and writes a new TrueType font with these outlines, one glyph for each character, and nothing else. No byte of the original is copied.
//!
//! Use it for every font of an input's text that was not chosen by the operator of the gateway.
//!
//! It refuses files that are not fonts, collections, and fonts over [`MAX_FILE_BYTES`]. It leaves out characters whose outline is too
//! complex or too large, and variations: a variable font is reduced to its default instance.
//!
//! Libraries: `skrifa` reads outlines with limits on work, `write-fonts` writes tables, `wuff` decompresses WOFF. A subsetting tool would
//! need less code, but copies tables that it does not know.

mod charset;
mod glyphs;
mod tables;

use glyphs::Glyphs;
use skrifa::raw::types::Tag;
use skrifa::raw::{FileRef, TableProvider};
use thiserror::Error;

/// The maximum size of a file, in bytes, before and after decompression.
pub const MAX_FILE_BYTES: usize = 2 << 20;

/// The kinds of outlines that are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlines {
    /// TrueType and PostScript (CFF). For files that the operator chose: a PostScript outline is a small program, which can run for
    /// milliseconds for each glyph before it reaches its limit.
    All,
    /// TrueType only. For files from anyone.
    TrueType,
}

/// Why a file is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FontError {
    /// It is larger than [`MAX_FILE_BYTES`], before or after decompression.
    #[error("the font has more than 2 MiB")]
    TooLarge,
    /// It is not a TrueType, OpenType, WOFF or WOFF2 font, or it is damaged.
    #[error("the file is no TrueType, OpenType, WOFF or WOFF2 font, or it is broken")]
    NotAFont,
    /// It contains several fonts.
    #[error("the file holds several fonts; take one of them")]
    Collection,
    /// Its outlines are not of an accepted kind; see [`Outlines`].
    #[error("the font has no TrueType outlines")]
    UnsupportedOutlines,
    /// It has no glyph for any of the kept characters.
    #[error("the font has none of the characters that forms are written with")]
    NoGlyphs,
}

/// Returns a TrueType file with the same outlines and no rules.
///
/// All ten digits have the same advance, or the font contains none of them: if a browser took some digits from another font, it would draw
/// them at another speed.
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
    // All tables are created here, so the writer only refuses outlines that are not valid.
    tables::write(glyphs).ok_or(FontError::NotAFont)
}

/// The decompressed file.
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
