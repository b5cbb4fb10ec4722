//! Rebuilt fonts: what is kept, what is removed, what is refused.

use super::*;
use crate::glyphs::{CharacterGlyph, UNITS_PER_EM};
use kurbo::BezPath;
use proptest::prelude::*;
use skrifa::instance::{LocationRef, Size};
use skrifa::raw::FontRef;
use skrifa::{GlyphId, MetadataProvider};

const TRUETYPE: &[u8] = include_bytes!("../../../tests/gallery/fonts/NotoSans-Regular.ttf");
const WOFF2: &[u8] = include_bytes!("../fixtures/digits.woff2");
const POSTSCRIPT: &[u8] = include_bytes!("../fixtures/digits.otf");

/// The tables that browsers require, and none with rules.
const TABLES: [&str; 10] = [
    "OS/2", "cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "post",
];

fn tables(file: &[u8]) -> Vec<String> {
    let font = FontRef::new(file).unwrap();
    let records = font.table_directory().table_records().iter();
    let mut tags: Vec<String> = records.map(|record| record.tag().to_string()).collect();
    tags.sort();
    tags
}

fn advances(file: &[u8], text: &str) -> Vec<Option<f32>> {
    let font = FontRef::new(file).unwrap();
    let metrics = font.glyph_metrics(Size::unscaled(), LocationRef::default());
    let advance = |c| {
        font.charmap()
            .map(c)
            .and_then(|id: GlyphId| metrics.advance_width(id))
    };
    text.chars().map(advance).collect()
}

fn path(file: &[u8], character: char) -> String {
    let font = FontRef::new(file).unwrap();
    let id = font.charmap().map(character).unwrap();
    let mut pen = skrifa::outline::pen::SvgPen::new();
    let size = Size::new(f32::from(UNITS_PER_EM));
    let settings = skrifa::outline::DrawSettings::unhinted(size, LocationRef::default());
    font.outline_glyphs()
        .get(id)
        .unwrap()
        .draw(settings, &mut pen)
        .unwrap();
    pen.to_string()
}

/// A font for tests, to be rebuilt.
fn made_of(glyphs: impl IntoIterator<Item = (char, BezPath, u16)>) -> Vec<u8> {
    let all = glyphs
        .into_iter()
        .map(|(character, path, advance)| CharacterGlyph {
            character,
            path,
            advance,
        });
    tables::write(Glyphs {
        all: all.collect(),
        ascent: 1000,
        descent: -200,
    })
    .unwrap()
}

fn square(size: f64) -> BezPath {
    let mut path = BezPath::new();
    path.move_to((0.0, 0.0));
    for corner in [(size, 0.0), (size, size), (0.0, size)] {
        path.line_to(corner);
    }
    path.close_path();
    path
}

#[test]
fn rules_are_gone_and_outlines_stay() {
    let before = tables(TRUETYPE);
    assert!(
        ["GSUB", "GPOS"]
            .iter()
            .all(|tag| before.iter().any(|known| known == tag))
    );
    let rebuilt = rebuild(TRUETYPE, Outlines::TrueType).unwrap();
    assert_eq!(tables(&rebuilt), TABLES);
    assert_eq!(
        path(&rebuilt, 'g'),
        path(&rebuild(&rebuilt, Outlines::TrueType).unwrap(), 'g')
    );
    // The same outline as in the original, except for rounded units.
    assert_eq!(
        path(&rebuilt, 'g').matches('M').count(),
        path(TRUETYPE, 'g').matches('M').count()
    );
    let text = "Zażółć Ω Ж –€";
    let (ours, theirs) = (advances(&rebuilt, text), advances(TRUETYPE, text));
    assert_eq!(ours, theirs, "the original has 1000 units too");
}

#[test]
fn digits_have_one_advance() {
    for (file, outlines) in [
        (TRUETYPE, Outlines::TrueType),
        (WOFF2, Outlines::TrueType),
        (POSTSCRIPT, Outlines::All),
    ] {
        let advances = advances(&rebuild(file, outlines).unwrap(), "0123456789");
        assert!(advances[0].is_some_and(|advance| advance > 0.0));
        assert!(
            advances.iter().all(|advance| *advance == advances[0]),
            "{advances:?}"
        );
    }
    let uneven = ('0'..='9').map(|digit| (digit, square(300.0), 400 + digit as u16));
    let rebuilt = rebuild(&made_of(uneven), Outlines::TrueType).unwrap();
    assert_eq!(advances(&rebuilt, "09"), [Some(457.0), Some(457.0)]);
}

#[test]
fn digits_are_kept_together_or_not_at_all() {
    let letter = ('A', square(300.0), 400);
    let digits = |left_out| ('0'..='9').filter(move |digit| *digit != left_out);
    let glyphs = |left_out| digits(left_out).map(|digit| (digit, square(300.0), 400));
    let whole = rebuild(&made_of(glyphs('x').chain([letter.clone()])), Outlines::All).unwrap();
    assert!(advances(&whole, "3A").iter().all(Option::is_some));
    let lacking = rebuild(&made_of(glyphs('7').chain([letter.clone()])), Outlines::All).unwrap();
    assert_eq!(advances(&lacking, "3A"), [None, Some(400.0)]);
    // A digit with an empty outline counts as missing.
    let unseen = glyphs('7').chain([('7', BezPath::new(), 400), letter]);
    let mut unseen: Vec<_> = unseen.collect();
    unseen.sort_by_key(|(character, ..)| *character);
    let unseen = rebuild(&made_of(unseen), Outlines::All).unwrap();
    assert_eq!(advances(&unseen, "3A"), [None, Some(400.0)]);
}

#[test]
fn what_is_too_complex_or_too_large_is_left_out() {
    let mut intricate = BezPath::new();
    intricate.move_to((0.0, 0.0));
    for step in 1..300 {
        intricate.line_to((f64::from(step), f64::from(step % 7)));
    }
    intricate.close_path();
    let file = made_of([
        ('A', square(300.0), 400),
        ('B', intricate, 400),
        ('C', square(2_500.0), 400),
        ('D', square(300.0), 2_500),
        ('E', square(2_000.0), 2_000),
    ]);
    let rebuilt = rebuild(&file, Outlines::TrueType).unwrap();
    assert_eq!(
        advances(&rebuilt, "ABCDE"),
        [Some(400.0), None, None, None, Some(2_000.0)]
    );
}

#[test]
fn other_files_are_refused_with_the_reason() {
    let mut collection = b"ttcf\0\x01\0\0\0\0\0\0".to_vec();
    collection.extend([0; 32]);
    for (file, outlines, expected) in [
        (b"".as_slice(), Outlines::All, FontError::NotAFont),
        (b"<svg/>", Outlines::All, FontError::NotAFont),
        (b"wOF2 and nothing else", Outlines::All, FontError::NotAFont),
        (b"wOFF and nothing else", Outlines::All, FontError::NotAFont),
        (&TRUETYPE[..1000], Outlines::All, FontError::NotAFont),
        (&collection, Outlines::All, FontError::Collection),
        (
            POSTSCRIPT,
            Outlines::TrueType,
            FontError::UnsupportedOutlines,
        ),
        (&[0; MAX_FILE_BYTES + 1], Outlines::All, FontError::TooLarge),
    ] {
        assert_eq!(
            rebuild(file, outlines),
            Err(expected),
            "{:?}",
            file.get(..8)
        );
    }
    let symbols = made_of([('☃', square(300.0), 400)]);
    assert_eq!(rebuild(&symbols, Outlines::All), Err(FontError::NoGlyphs));
}

proptest! {
    /// For any file, the result has these tables and digits of equal advance, or there is no result.
    #[test]
    fn strange_files_are_refused_or_made_harmless(
        file in prop::sample::select(vec![TRUETYPE, WOFF2, POSTSCRIPT]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
    ) {
        let mut file = file.to_vec();
        for (place, byte) in changes {
            let place = place.index(file.len());
            file[place] = byte;
        }
        if let Ok(rebuilt) = rebuild(&file, Outlines::All) {
            prop_assert_eq!(tables(&rebuilt), TABLES);
            let advances = advances(&rebuilt, "0123456789");
            prop_assert!(advances.iter().all(|advance| *advance == advances[0]));
        }
    }
}
