//! Versions of the API (`docs/releases.md`, "Versions of the API").

/// A version of the API: the shapes and meanings of calls, answers and notifications. Its name is a date.
///
/// A new one is added where calls or notifications change in a way that existing programs could notice. Whatever differs between two
/// versions then matches on this enum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ApiVersion {
    /// The first one. It answers calls that ask for none.
    #[default]
    V2026_11_27,
}

impl ApiVersion {
    /// All that are served, the oldest first.
    pub const ALL: [ApiVersion; 1] = [ApiVersion::V2026_11_27];

    /// The name, as `Payframe-Version` has it: `2026-11-27`.
    pub const fn date(self) -> &'static str {
        match self {
            ApiVersion::V2026_11_27 => "2026-11-27",
        }
    }

    /// The version with this name.
    pub fn of(date: &str) -> Option<ApiVersion> {
        ApiVersion::ALL
            .into_iter()
            .find(|version| version.date() == date)
    }
}
