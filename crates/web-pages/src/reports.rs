//! What browsers report of a page: something that its policy stopped, or a script without the hash that it must have; and what a form reports
//! of the page around it: that it took the focus in the middle of a card number.
//!
//! Anybody can send a report. What is read of it are words of this program and a host without its digits: the address of the page, which names
//! a session, and samples of code are left out.

use serde::Deserialize;
use url::Url;

/// What a body reports. `None`: it is no report.
pub fn read(body: &[u8]) -> Option<Vec<Stopped>> {
    let sent: Sent = serde_json::from_slice(body).ok()?;
    Some(sent.stopped())
}

/// Something that a browser stopped in a page.
#[derive(Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The kind of the page.
    pub page: &'static str,
    /// The directive of the page's policy.
    pub directive: &'static str,
    /// Where that which was stopped came from.
    pub source: &'static str,
    /// Its host, without digits.
    pub host: String,
}

/// A body, in one of the forms that browsers send.
#[derive(Deserialize)]
#[serde(untagged)]
enum Sent {
    /// Of the Reporting API, for `report-to`: <https://www.w3.org/TR/reporting-1/>.
    Several(Vec<Report>),
    /// The same, as WebKit sends it.
    Alone(Report),
    /// Of Content Security Policy Level 2, for `report-uri`: <https://www.w3.org/TR/CSP2/#violation-reports>.
    One {
        #[serde(rename = "csp-report")]
        report: Violation,
    },
}

#[derive(Deserialize)]
struct Report {
    #[serde(rename = "type")]
    kind: String,
    body: Violation,
}

/// What a page's policy stopped.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Violation {
    #[serde(rename = "documentURL", alias = "document-uri")]
    document: String,
    #[serde(rename = "effectiveDirective", alias = "effective-directive")]
    effective: String,
    /// Some browsers send no other directive.
    #[serde(rename = "violated-directive")]
    violated: String,
    #[serde(rename = "blockedURL", alias = "blocked-uri")]
    blocked: String,
}

impl Sent {
    fn stopped(self) -> Vec<Stopped> {
        match self {
            Sent::Several(reports) => reports
                .iter()
                .take(MOST_REPORTS)
                .filter_map(Report::stopped)
                .collect(),
            Sent::Alone(report) => report.stopped().into_iter().collect(),
            Sent::One { report } => vec![report.stopped()],
        }
    }
}

impl Report {
    /// `None`: it is about something else.
    fn stopped(&self) -> Option<Stopped> {
        let stopped = self.body.stopped();
        match self.kind.as_str() {
            "csp-violation" => Some(stopped),
            "integrity-violation" => Some(Stopped {
                directive: INTEGRITY,
                ..stopped
            }),
            // A frame of ours reports it: `www/frame/guards.js`.
            "focus-taken" => Some(Stopped {
                directive: FOCUS,
                source: "embedder",
                ..stopped
            }),
            _ => None,
        }
    }
}

impl Violation {
    fn stopped(&self) -> Stopped {
        let named = [&self.effective, &self.violated]
            .into_iter()
            .find_map(|directive| directive.split_ascii_whitespace().next());
        let directive = DIRECTIVES.into_iter().find(|known| named == Some(known));
        let document = Url::parse(&self.document).ok();
        let blocked = Url::parse(&self.blocked).ok();
        Stopped {
            page: document.as_ref().map_or(OTHER, page_at),
            directive: directive.unwrap_or(OTHER),
            source: source(&self.blocked, blocked.as_ref(), document.as_ref()),
            host: blocked.as_ref().map_or_else(String::new, plain_host),
        }
    }
}

/// The kind of the page at an address.
fn page_at(document: &Url) -> &'static str {
    let first = document.path_segments().and_then(|mut parts| parts.next());
    PAGES
        .into_iter()
        .find(|(path, _)| first == Some(path))
        .map_or(OTHER, |(_, page)| page)
}

/// Where that which was stopped came from.
fn source(blocked: &str, address: Option<&Url>, document: Option<&Url>) -> &'static str {
    match (blocked, address.map(Url::scheme)) {
        ("inline", _) => "inline",
        ("eval" | "wasm-eval", _) => "eval",
        ("trusted-types-sink" | "trusted-types-policy", _) => "trusted-types",
        (_, Some(scheme)) if scheme.ends_with("-extension") => "extension",
        (_, Some("http" | "https" | "ws" | "wss")) => {
            let same = address.map(Url::origin) == document.map(Url::origin);
            if same { "own" } else { "foreign" }
        }
        _ => OTHER,
    }
}

/// A host without its digits, which could be those of a card: whoever gets code into a page chooses the address.
fn plain_host(address: &Url) -> String {
    let host = address.host_str().unwrap_or_default();
    host.chars()
        .take(MOST_OF_A_HOST)
        .map(|letter| if letter.is_ascii_digit() { '#' } else { letter })
        .collect()
}

const OTHER: &str = "other";
const INTEGRITY: &str = "integrity";
const FOCUS: &str = "focus";

/// The first part of a path, and the kind of the pages below it.
const PAGES: [(&str, &str); 9] = [
    ("form", "form"),
    ("fields", "fields"),
    ("pay", "hosted"),
    ("link", "hosted"),
    ("threeds", "issuer"),
    ("methods", "methods"),
    ("office", "office"),
    ("docs", "docs"),
    ("api", "docs"),
];

/// The directives that a report can be about.
const DIRECTIVES: [&str; 19] = [
    "default-src",
    "script-src",
    "script-src-elem",
    "script-src-attr",
    "style-src",
    "style-src-elem",
    "style-src-attr",
    "img-src",
    "font-src",
    "connect-src",
    "frame-src",
    "worker-src",
    "object-src",
    "media-src",
    "base-uri",
    "form-action",
    "frame-ancestors",
    "require-trusted-types-for",
    "trusted-types",
];

/// Browsers send what has gathered in a minute at most.
const MOST_REPORTS: usize = 100;
const MOST_OF_A_HOST: usize = 100;

#[cfg(test)]
mod tests;
