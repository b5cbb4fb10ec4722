//! What the script in a merchant's page reports of the page, as `www/sdk/page-watch.js` writes it (own extension).

use serde::{Deserialize, Serialize};

/// The body of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentReport {
    /// The session of the page's form.
    pub session: String,
    /// Origin and path of the page.
    pub page: String,
    /// What is reported.
    #[serde(flatten)]
    pub part: SentPart,
}

/// A part of what a page is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SentPart {
    /// The first report of a page that was loaded.
    Load {
        /// The names of all entries, one after the other.
        entries: String,
        /// Whether the security headers could be read.
        headers: bool,
    },
    /// The entries that the gateway did not know.
    Told {
        /// Each of them.
        told: Vec<SentEntry>,
    },
}

/// An entry: its name, kind, source, hash, and whether it has an integrity hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentEntry(pub String, pub String, pub String, pub String, pub bool);
