//! Fonts of merchants' sheets. They are rebuilt, because the text of an input is drawn in them: a font with its own rules can
//! reveal the digits by the time that drawing takes.

use super::{StyleParseError, listed, unfit};
use base64::Engine as _;
use base64::alphabet::STANDARD as ALPHABET;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use cssparser::Parser;
use payframe_merchant_font::{Outlines, rebuild};

/// How many fonts one sheet may contain: each takes time and memory.
pub(super) const MOST_FONTS: usize = 4;

/// Reads the value of `src`: the first of its fonts that can be rebuilt, as a TrueType font inside the sheet.
pub(super) fn source(input: &mut Parser<'_>) -> Result<String, StyleParseError> {
    let candidates = input.parse_comma_separated(candidate)?;
    let rebuilt = candidates.iter().find_map(|file| rebuilt(file));
    let rebuilt = rebuilt.ok_or_else(unfit)?;
    let base64 = ENGINE.encode(rebuilt);
    Ok(format!(
        "url(\"data:font/ttf;base64,{base64}\") format(\"truetype\")"
    ))
}

/// `url(data:…;base64,…) format(…)`: the text of the file.
fn candidate(input: &mut Parser<'_>) -> Result<String, StyleParseError> {
    let url = input.expect_url()?;
    if !input.is_exhausted() {
        input.expect_function_matching("format")?;
        input.parse_nested_block(|input| {
            let name = input.expect_ident_or_string()?.clone();
            listed(&name, &FORMATS)
        })?;
    }
    let (head, file) = url.split_once(";base64,").ok_or_else(unfit)?;
    listed(head, &TYPES)?;
    Ok(file.to_owned())
}

fn rebuilt(file: &str) -> Option<Vec<u8>> {
    let file = ENGINE.decode(file).ok()?;
    // The font can come from any server, so it is rebuilt.
    let rebuilt = rebuild(&file, Outlines::TrueType).ok()?;
    (rebuilt.len() <= LARGEST_FONT).then_some(rebuilt)
}

/// In bytes, after rebuilding.
const LARGEST_FONT: usize = 256 << 10;

/// Sheets may leave out the padding.
const ENGINE: GeneralPurpose = GeneralPurpose::new(
    &ALPHABET,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

const TYPES: [&str; 12] = [
    "data:font/woff2",
    "data:font/woff",
    "data:font/ttf",
    "data:font/otf",
    "data:font/opentype",
    "data:font/truetype",
    "data:application/font-woff2",
    "data:application/font-woff",
    "data:application/x-font-woff2",
    "data:application/x-font-woff",
    "data:application/x-font-ttf",
    "data:application/font-sfnt",
];

const FORMATS: [&str; 4] = ["woff2", "woff", "truetype", "opentype"];
