//! Reads the outlines of a font, scales them to [`UNITS_PER_EM`], and limits their size.

use crate::charset::{self, DIGITS};
use kurbo::{Affine, BezPath, CubicBez, PathEl, Point};
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::outline::{DrawSettings, OutlineGlyphCollection, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};

/// The scale of the outlines that are read and written.
pub(crate) const UNITS_PER_EM: u16 = 1000;

/// A character with its outline: straight lines and quadratic curves, within [`LIMIT`] units of the origin.
#[derive(Clone, Debug)]
pub(crate) struct CharacterGlyph {
    pub(crate) character: char,
    pub(crate) path: BezPath,
    /// The distance to the next character, from 0 to [`LIMIT`].
    pub(crate) advance: u16,
}

/// The glyphs of the kept characters.
#[derive(Clone, Debug)]
pub(crate) struct Glyphs {
    /// In the order of the characters.
    pub(crate) all: Vec<CharacterGlyph>,
    /// Above the base line, in units.
    pub(crate) ascent: i16,
    /// Below the base line, in units; negative.
    pub(crate) descent: i16,
}

impl Glyphs {
    pub(crate) fn read(font: &FontRef<'_>) -> Glyphs {
        let reader = Reader::of(font);
        let mut all: Vec<CharacterGlyph> = charset::all().filter_map(|c| reader.glyph(c)).collect();
        level_digits(&mut all);
        let metrics = font.metrics(reader.size, LocationRef::default());
        Glyphs {
            all,
            ascent: (metrics.ascent as i16).clamp(ASCENT.0, ASCENT.1),
            descent: (metrics.descent as i16).clamp(DESCENT.0, DESCENT.1),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

struct Reader<'a> {
    map: skrifa::charmap::Charmap<'a>,
    outlines: OutlineGlyphCollection<'a>,
    metrics: GlyphMetrics<'a>,
    size: Size,
}

impl<'a> Reader<'a> {
    fn of(font: &FontRef<'a>) -> Reader<'a> {
        let size = Size::new(f32::from(UNITS_PER_EM));
        Reader {
            map: font.charmap(),
            outlines: font.outline_glyphs(),
            metrics: font.glyph_metrics(size, LocationRef::default()),
            size,
        }
    }

    /// The glyph of a character. `None` if it is missing, too complex or too large.
    fn glyph(&self, character: char) -> Option<CharacterGlyph> {
        let id: GlyphId = self
            .map
            .map(character)
            .filter(|id| *id != GlyphId::NOTDEF)?;
        let mut pen = Pen::default();
        let settings = DrawSettings::unhinted(self.size, LocationRef::default());
        self.outlines.get(id)?.draw(settings, &mut pen).ok()?;
        let advance = self.metrics.advance_width(id)?;
        let path = pen.finish()?;
        Some(CharacterGlyph {
            character,
            path,
            advance: (0.0..=f32::from(LIMIT as u16))
                .contains(&advance)
                .then_some(advance.round() as u16)?,
        })
    }
}

/// Gives all digits the advance of the widest digit, and centres them. If one digit is missing, all are removed.
fn level_digits(all: &mut Vec<CharacterGlyph>) {
    let digits = || all.iter().filter(|glyph| DIGITS.contains(&glyph.character));
    let widest = digits().map(|glyph| glyph.advance).max().unwrap_or(0);
    if digits().count() < DIGITS.count() || digits().any(|glyph| glyph.path.elements().is_empty()) {
        all.retain(|glyph| !DIGITS.contains(&glyph.character));
        return;
    }
    for glyph in all
        .iter_mut()
        .filter(|glyph| DIGITS.contains(&glyph.character))
    {
        let shift = f64::from((widest - glyph.advance) / 2);
        glyph.path.apply_affine(Affine::translate((shift, 0.0)));
        glyph.advance = widest;
    }
}

/// Records an outline. A cubic curve becomes several quadratic ones.
#[derive(Default)]
struct Pen {
    path: BezPath,
    at: Point,
    points: usize,
}

impl Pen {
    fn add(&mut self, element: PathEl) {
        self.points += 2;
        if let Some(end) = element.end_point() {
            self.at = end;
        }
        // An outline that is too long is not stored in memory.
        if self.points <= MAX_POINTS {
            self.path.push(element);
        }
    }

    /// The outline in whole units. `None` if it is too complex or too large.
    fn finish(self) -> Option<BezPath> {
        let whole = |point: Point| Point::new(point.x.round(), point.y.round());
        let path: BezPath = self
            .path
            .elements()
            .iter()
            .map(|element| match *element {
                PathEl::MoveTo(to) => PathEl::MoveTo(whole(to)),
                PathEl::LineTo(to) => PathEl::LineTo(whole(to)),
                PathEl::QuadTo(by, to) => PathEl::QuadTo(whole(by), whole(to)),
                other => other,
            })
            .collect();
        let bounds = path.control_box();
        let within = |value: f64| value.is_finite() && value.abs() <= LIMIT;
        let fits = path.elements().is_empty()
            || [bounds.x0, bounds.y0, bounds.x1, bounds.y1]
                .into_iter()
                .all(within);
        (fits && self.points <= MAX_POINTS).then_some(path)
    }
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.add(PathEl::MoveTo(point(x, y)));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.add(PathEl::LineTo(point(x, y)));
    }

    fn quad_to(&mut self, cx0: f32, cy0: f32, x: f32, y: f32) {
        self.add(PathEl::QuadTo(point(cx0, cy0), point(x, y)));
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        let curve = CubicBez::new(self.at, point(cx0, cy0), point(cx1, cy1), point(x, y));
        // Half a unit of a thousand is too small to be visible at the size of an input.
        for (_, _, part) in curve.to_quads(0.5).take(MAX_POINTS) {
            self.add(PathEl::QuadTo(part.p1, part.p2));
        }
    }

    fn close(&mut self) {
        self.add(PathEl::ClosePath);
    }
}

fn point(x: f32, y: f32) -> Point {
    Point::new(f64::from(x), f64::from(y))
}

/// The maximum distance of an outline from the origin, and the maximum advance, in units.
const LIMIT: f64 = 2000.0;
/// The maximum number of points. The most complex letters of ordinary fonts have fewer.
const MAX_POINTS: usize = 400;
/// The allowed range of the ascent, in units.
const ASCENT: (i16, i16) = (700, 1200);
/// The allowed range of the descent, in units.
const DESCENT: (i16, i16) = (-500, -100);
