//! The built widget.

use crate::App;
use axum::Router;
use std::path::Path;

/// Routes of the built files.
pub fn router() -> Router<App> {
    Router::new()
}

/// The built widget.
#[derive(Clone, Debug)]
pub struct Dist;

/// Why there is no built widget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistProblem;

impl std::fmt::Display for DistProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no manifest")
    }
}

impl Dist {
    /// Reads the manifest in `dir`.
    pub fn load(dir: &Path) -> Result<Dist, DistProblem> {
        let _ = dir;
        Err(DistProblem)
    }

    /// Path and integrity value of each script that merchants load; the current browser SDK first.
    pub fn integrity(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}
