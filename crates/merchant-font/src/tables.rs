//! Writes a TrueType font from outlines: only the tables that browsers require, and none with rules.

use crate::glyphs::{Glyphs, UNITS_PER_EM};
use kurbo::{BezPath, Rect};
use skrifa::GlyphId;
use write_fonts::FontBuilder;
use write_fonts::tables::cmap::Cmap;
use write_fonts::tables::glyf::{GlyfLocaBuilder, Glyph, SimpleGlyph};
use write_fonts::tables::head::Head;
use write_fonts::tables::hhea::Hhea;
use write_fonts::tables::hmtx::{Hmtx, LongMetric};
use write_fonts::tables::loca::LocaFormat;
use write_fonts::tables::maxp::Maxp;
use write_fonts::tables::name::{Name, NameRecord};
use write_fonts::tables::os2::Os2;
use write_fonts::tables::post::Post;
use write_fonts::types::{FWord, NameId, UfWord, Version16Dot16};

/// The file. `None` if an outline cannot be written.
pub(crate) fn write(glyphs: Glyphs) -> Option<Vec<u8>> {
    let mut outlines = GlyfLocaBuilder::new();
    // The glyph for missing characters. Browsers take such characters from the next font.
    outlines.add_glyph(&Glyph::Empty).ok()?;
    let mut metrics = vec![LongMetric::new(UNITS_PER_EM / 2, 0)];
    let mut characters = Vec::new();
    let mut extent = Extent::default();
    for (index, glyph) in glyphs.all.iter().enumerate() {
        let id = u16::try_from(index + 1).ok()?;
        characters.push((glyph.character, GlyphId::from(id)));
        outlines.add_glyph(&simple(&glyph.path)?).ok()?;
        let bounds = glyph.path.control_box();
        let is_drawn = !glyph.path.elements().is_empty();
        metrics.push(LongMetric::new(
            glyph.advance,
            if is_drawn { bounds.x0 as i16 } else { 0 },
        ));
        if is_drawn {
            extent.add(&glyph.path, bounds, glyph.advance);
        }
    }
    let count = u16::try_from(metrics.len()).ok()?;
    let widest = metrics.iter().map(|metric| metric.advance).max()?;
    let (glyf, loca, format) = outlines.build();
    let mut font = FontBuilder::new();
    font.add_table(&head(&extent, format)).ok()?;
    font.add_table(&Hhea {
        ascender: FWord::new(glyphs.ascent),
        descender: FWord::new(glyphs.descent),
        advance_width_max: UfWord::new(widest),
        x_max_extent: FWord::new(extent.bounds.x1 as i16),
        caret_slope_rise: 1,
        number_of_h_metrics: count,
        ..Hhea::default()
    })
    .ok()?;
    font.add_table(&maxp(count, &extent)).ok()?;
    font.add_table(&os2(&glyphs, &characters)).ok()?;
    font.add_table(&Hmtx::new(metrics, Vec::new())).ok()?;
    font.add_table(&Cmap::from_mappings(characters).ok()?)
        .ok()?;
    font.add_table(&loca).ok()?;
    font.add_table(&glyf).ok()?;
    font.add_table(&name()).ok()?;
    font.add_table(&Post {
        version: Version16Dot16::VERSION_3_0,
        ..Post::default()
    })
    .ok()?;
    Some(font.build())
}

fn simple(path: &BezPath) -> Option<Glyph> {
    if path.elements().is_empty() {
        return Some(Glyph::Empty);
    }
    SimpleGlyph::from_bezpath(path).ok().map(Glyph::Simple)
}

/// The maximum values that some tables contain.
#[derive(Default)]
struct Extent {
    bounds: Rect,
    points: u16,
    contours: u16,
}

impl Extent {
    fn add(&mut self, path: &BezPath, bounds: Rect, advance: u16) {
        self.bounds = self
            .bounds
            .union(bounds)
            .union(Rect::new(0.0, 0.0, f64::from(advance), 0.0));
        let contours = path
            .elements()
            .iter()
            .filter(|element| matches!(element, kurbo::PathEl::MoveTo(_)))
            .count();
        // Outlines have at most a few hundred points.
        self.contours = self.contours.max(contours as u16);
        self.points = self.points.max(2 * path.elements().len() as u16);
    }
}

fn head(extent: &Extent, format: LocaFormat) -> Head {
    Head {
        units_per_em: UNITS_PER_EM,
        x_min: extent.bounds.x0 as i16,
        y_min: extent.bounds.y0 as i16,
        x_max: extent.bounds.x1 as i16,
        y_max: extent.bounds.y1 as i16,
        lowest_rec_ppem: 6,
        index_to_loc_format: match format {
            LocaFormat::Short => 0,
            LocaFormat::Long => 1,
        },
        ..Head::default()
    }
}

fn maxp(count: u16, extent: &Extent) -> Maxp {
    Maxp {
        num_glyphs: count,
        max_points: Some(extent.points),
        max_contours: Some(extent.contours),
        max_composite_points: Some(0),
        max_composite_contours: Some(0),
        max_zones: Some(1),
        max_twilight_points: Some(0),
        max_storage: Some(0),
        max_function_defs: Some(0),
        max_instruction_defs: Some(0),
        max_stack_elements: Some(0),
        max_size_of_instructions: Some(0),
        max_component_elements: Some(0),
        max_component_depth: Some(0),
    }
}

fn os2(glyphs: &Glyphs, characters: &[(char, GlyphId)]) -> Os2 {
    let index = |character: Option<&(char, GlyphId)>| character.map_or(0, |(c, _)| *c as u16);
    Os2 {
        us_weight_class: 400,
        us_width_class: 5,
        us_first_char_index: index(characters.first()),
        us_last_char_index: index(characters.last()),
        s_typo_ascender: glyphs.ascent,
        s_typo_descender: glyphs.descent,
        us_win_ascent: glyphs.ascent.unsigned_abs(),
        us_win_descent: glyphs.descent.unsigned_abs(),
        ..Os2::default()
    }
}

/// Browsers refuse a font without names. The merchant's names are not used, because they would copy bytes of the original.
fn name() -> Name {
    let entry = |id: NameId, text: &str| {
        // Windows, Unicode, English.
        NameRecord::new(3, 1, 0x409, id, text.to_owned().into())
    };
    Name::new(vec![
        entry(NameId::FAMILY_NAME, "Merchant"),
        entry(NameId::SUBFAMILY_NAME, "Regular"),
        entry(NameId::FULL_NAME, "Merchant"),
        entry(NameId::POSTSCRIPT_NAME, "Merchant"),
    ])
}
