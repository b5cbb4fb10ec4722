//! What the merchant's page chooses for the form: [`FrameOptions`].

use serde::{Deserialize, Serialize};
use strum::VariantNames;

/// What the page chose about the form. Sent with `init` and `update`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct FrameOptions {
    /// The form's colours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<Theme>,
    /// Whose pay button it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub button: Option<PayButton>,
    /// Whether the form has a link that cancels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancellation: Option<Cancellation>,
    /// Whether the focus moves by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advance: Option<Advance>,
    /// How the form looks: a preset's name, or an object as JSON text; empty for the default look. Data, never style text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub appearance: Option<String>,
    /// The buyer's language, as tag or three-letter code; empty for the session's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// Texts of the merchant in place of ours: an object as JSON text, or empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<String>,
    /// Whether the page can bring another session when this one ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renew: Option<bool>,
}

/// The form's colours. `auto`: `dark` if the page's text at the element is light, also after a change of the system's scheme; else `light`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Theme {
    /// Like the page around it.
    Auto,
    /// Dark text on a light background.
    Light,
    /// Light text on a dark background.
    Dark,
}

impl Theme {
    /// The values as they are sent.
    pub const CODES: &[&str] = Self::VARIANTS;
}

/// Whose pay button it is. `auto`: the form's own. `hidden`: the page has one, and calls `confirm()`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum PayButton {
    /// The form's own.
    Auto,
    /// The page's.
    Hidden,
}

impl PayButton {
    /// The values as they are sent.
    pub const CODES: &[&str] = Self::VARIANTS;
}

/// Whose link it is that cancels before the card is sent. `auto`: the form's own. `hidden`: the page has one, and calls `cancel()`. What the
/// form offers during a wait or a challenge stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Cancellation {
    /// The form's own.
    Auto,
    /// The page's.
    Hidden,
}

impl Cancellation {
    /// The values as they are sent.
    pub const CODES: &[&str] = Self::VARIANTS;
}

/// Whether the focus moves by itself. `auto`: when a field is certainly full, the focus moves to the next one. `off`: never.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Advance {
    /// From a field that is certainly full.
    Auto,
    /// Never.
    Off,
}

impl Advance {
    /// The values as they are sent.
    pub const CODES: &[&str] = Self::VARIANTS;
}
