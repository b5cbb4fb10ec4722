//! The properties that a rule may set, each with the values that it may have. All others are dropped.
//!
//! Sizes that could move the input or hide it have limits. `display` and `position` accept words that neither hide an element nor
//! move it. [`super::value`] reads and rewrites the values.

/// Which values a property may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// Words, colours, numbers, lengths, and functions of them.
    Free,
    /// Like `Free`, and quoted names.
    Text,
    /// Like `Free`, and images inside the sheet itself.
    Image,
    /// One of these words.
    Words(&'static [&'static str]),
    /// Words, and sizes within limits.
    Limited(Limits),
    /// Like `Limited`, and quoted names: the shorthand `font`.
    LimitedText(Limits),
}

impl Kind {
    pub(super) fn limits(&self) -> Option<&Limits> {
        match self {
            Kind::Limited(limits) | Kind::LimitedText(limits) => Some(limits),
            Kind::Free | Kind::Text | Kind::Image | Kind::Words(_) => None,
        }
    }
}

/// The least and the most of a size; [`NONE`] accepts no such size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    /// In pixels; other units as far as their size is known here.
    pub(super) length: (f32, f32),
    /// 1 is 100 %.
    pub(super) percent: (f32, f32),
    pub(super) number: (f32, f32),
}

const NONE: (f32, f32) = (1.0, 0.0);
const ZERO: (f32, f32) = (0.0, 0.0);

/// The properties that are kept.
pub(super) const PROPERTIES: [(Kind, &[&str]); 11] = [
    (
        Kind::Free,
        &[
            "color",
            "color-scheme",
            "accent-color",
            "caret-color",
            "cursor",
            "-webkit-text-fill-color",
            "-webkit-font-smoothing",
            "-moz-osx-font-smoothing",
            "font-style",
            "font-weight",
            "font-stretch",
            "font-variant",
            "font-variant-caps",
            "font-variant-numeric",
            "font-variant-ligatures",
            "font-kerning",
            "font-optical-sizing",
            "text-align",
            "text-align-last",
            "text-decoration",
            "text-decoration-color",
            "text-decoration-line",
            "text-decoration-style",
            "text-overflow",
            "text-rendering",
            "text-shadow",
            "text-transform",
            "line-height",
            "background-color",
            "background-clip",
            "background-origin",
            "background-position",
            "background-repeat",
            "background-size",
            "border",
            "border-color",
            "border-style",
            "border-top",
            "border-top-color",
            "border-top-style",
            "border-right",
            "border-right-color",
            "border-right-style",
            "border-bottom",
            "border-bottom-color",
            "border-bottom-style",
            "border-left",
            "border-left-color",
            "border-left-style",
            "border-radius",
            "border-top-left-radius",
            "border-top-right-radius",
            "border-bottom-left-radius",
            "border-bottom-right-radius",
            "box-shadow",
            "box-sizing",
            "outline",
            "outline-color",
            "outline-style",
            "transition",
            "transition-property",
            "transition-duration",
            "transition-delay",
            "transition-timing-function",
        ],
    ),
    (
        Kind::Text,
        &[
            "font-family",
            "font-feature-settings",
            "font-variation-settings",
        ],
    ),
    (Kind::Image, &["background", "background-image"]),
    (Kind::Words(&DISPLAYS), &["display"]),
    (Kind::Words(&POSITIONS), &["position"]),
    (
        Kind::LimitedText(Limits {
            length: (8.0, 64.0),
            percent: (0.5, 4.0),
            number: (0.8, 1000.0),
        }),
        &["font"],
    ),
    (
        Kind::Limited(Limits {
            length: (8.0, 64.0),
            percent: (0.5, 4.0),
            number: NONE,
        }),
        &["font-size"],
    ),
    (
        Kind::Limited(Limits {
            length: (-4.0, 32.0),
            percent: NONE,
            number: ZERO,
        }),
        &["letter-spacing", "word-spacing", "outline-offset"],
    ),
    (
        Kind::Limited(Limits {
            length: (0.0, 64.0),
            percent: (0.0, 0.2),
            number: ZERO,
        }),
        &[
            "margin",
            "margin-top",
            "margin-right",
            "margin-bottom",
            "margin-left",
            "padding",
            "padding-top",
            "padding-right",
            "padding-bottom",
            "padding-left",
            "text-indent",
            "border-width",
            "border-top-width",
            "border-right-width",
            "border-bottom-width",
            "border-left-width",
            "outline-width",
        ],
    ),
    (
        Kind::Limited(Limits {
            length: NONE,
            percent: (0.1, 1.0),
            number: NONE,
        }),
        &[
            "width",
            "min-width",
            "max-width",
            "height",
            "min-height",
            "max-height",
        ],
    ),
    (
        Kind::Limited(Limits {
            length: NONE,
            percent: (0.4, 1.0),
            number: (0.4, 1.0),
        }),
        &["opacity"],
    ),
];

/// Each makes a box: `none` and `contents` do not.
const DISPLAYS: [&str; 8] = [
    "block",
    "inline-block",
    "inline",
    "flex",
    "inline-flex",
    "grid",
    "inline-grid",
    "flow-root",
];

/// Each leaves the element in its place, because nothing that shifts it is kept. `absolute` and `fixed` take it out of the
/// flow: it would cover what follows, and its container would lose its height.
const POSITIONS: [&str; 2] = ["static", "relative"];
