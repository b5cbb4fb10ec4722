//! Fetches merchants' sheets and keeps the filtered ones for some minutes.
//!
//! If a sheet cannot be fetched, the answer is an empty sheet with a comment that says why: a field always gets an answer.
//! The comment consists of our own words, because any page may read it: it contains no address and no number of the other server.

use payframe_css_sanitizer::{Filtered, filter};
use payframe_outbound_address::{AddressError, AllowedAddresses, OutboundAddress};
use payframe_payment_ports::clock::{Clock, millis};
use payframe_payment_service::locks::Locks;
use reqwest::{StatusCode, header};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use thiserror::Error;
use url::Url;

/// Merchants' sheets: fetched when a page asks for one, and kept for some minutes.
pub(crate) struct StyleSheets {
    recent: RecentSheets,
    /// One fetch at a time for each address.
    locks: Locks,
    /// How long a field waits (contract 7.6).
    timeout: Duration,
    /// Whether a developer's own machine may be asked.
    allows_insecure_urls: bool,
}

/// The sheets of the last minutes, by their addresses as they were given.
#[derive(Default)]
struct RecentSheets(Mutex<HashMap<String, CachedSheet>>);

struct CachedSheet {
    css: Arc<str>,
    until_ms: i64,
}

impl RecentSheets {
    fn find(&self, href: &str, now_ms: i64) -> Option<Arc<str>> {
        // A panic while the map is locked leaves it valid.
        let sheets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = sheets.get(href).filter(|kept| now_ms < kept.until_ms)?;
        Some(kept.css.clone())
    }

    fn keep(&self, href: &str, css: Arc<str>, until_ms: i64, now_ms: i64) {
        let mut sheets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if sheets.len() >= MOST_SHEETS {
            sheets.retain(|_, kept| now_ms < kept.until_ms);
        }
        if sheets.len() >= MOST_SHEETS {
            // The sheet that expires first is removed; it can be fetched again.
            let first = sheets
                .iter()
                .min_by_key(|(_, kept)| kept.until_ms)
                .map(|(href, _)| href.clone());
            first.and_then(|href| sheets.remove(&href));
        }
        sheets.insert(href.to_owned(), CachedSheet { css, until_ms });
    }
}

impl StyleSheets {
    /// Begins without sheets. Each is fetched within `timeout`.
    pub(crate) fn new(timeout: Duration, allows_insecure_urls: bool) -> StyleSheets {
        StyleSheets {
            recent: RecentSheets::default(),
            locks: Locks::default(),
            timeout,
            allows_insecure_urls,
        }
    }

    /// The filtered sheet of the merchant at `href`. Takes no longer than the setting allows, redirects included.
    pub(crate) async fn find(&self, href: &str, clock: &Clock) -> Arc<str> {
        if let Some(css) = self.recent.find(href, clock.now_ms()) {
            return css;
        }
        // The fields of a form ask at the same time: one fetches, the others wait for it.
        let _held = self.locks.lock(href).await;
        if let Some(css) = self.recent.find(href, clock.now_ms()) {
            return css;
        }
        let found = tokio::time::timeout(self.timeout, self.fetch(href))
            .await
            .unwrap_or(Err(SheetError::Late));
        let (css, keep) = match found {
            Ok(sheet) => (written(&filter(&sheet)), KEEP),
            Err(problem) => {
                tracing::info!(%problem, "a merchant's sheet is not used");
                (format!("/* not used: {problem} */\n"), KEEP_FAILURE)
            }
        };
        let css: Arc<str> = css.into();
        let now_ms = clock.now_ms();
        let until_ms = now_ms + millis(keep);
        self.recent.keep(href, css.clone(), until_ms, now_ms);
        css
    }

    async fn fetch(&self, href: &str) -> Result<String, SheetError> {
        let mut address = href.to_owned();
        for _ in 0..=MOST_REDIRECTS {
            let receiver = self.receiver(&address).await?;
            let client = receiver
                .client("gateway-sheets/1")
                .map_err(|_| SheetError::Unreachable)?;
            let answer = client
                .get(receiver.url.clone())
                .header(header::ACCEPT, "text/css")
                .send()
                .await
                .map_err(|_| SheetError::Unreachable)?;
            if answer.status().is_redirection() {
                let location = answer.headers().get(header::LOCATION);
                let next = location
                    .and_then(|location| location.to_str().ok())
                    .and_then(|location| receiver.url.join(location).ok());
                address = next.ok_or(SheetError::NotFound)?.into();
                continue;
            }
            return read(answer).await;
        }
        Err(SheetError::Redirects)
    }

    /// The server that has the sheet, if the gateway may connect to it: over https on the public internet, or on a developer's own machine.
    async fn receiver(&self, address: &str) -> Result<OutboundAddress, SheetError> {
        let insecure = self.allows_insecure_urls;
        let url = Url::parse(address).map_err(|_| SheetError::Address)?;
        let is_usual = insecure || url.port().is_none();
        let has_password = !url.username().is_empty() || url.password().is_some();
        if address.len() > LONGEST_ADDRESS || has_password || !is_usual {
            return Err(SheetError::Address);
        }
        // A name without an address and one with an address of our own network get the same answer: pages must not learn which
        // names there are inside.
        let (reach, out_of_reach) = match url.scheme() {
            "https" if insecure => (AllowedAddresses::PublicOrLoopback, SheetError::Unreachable),
            "https" => (AllowedAddresses::Public, SheetError::Unreachable),
            "http" if insecure => (AllowedAddresses::Loopback, SheetError::Address),
            _ => return Err(SheetError::Address),
        };
        OutboundAddress::find(address, reach)
            .await
            .map_err(|refusal| {
                tracing::info!(
                    reason = refusal.as_str(),
                    "a merchant's sheet is not fetched"
                );
                match refusal {
                    AddressError::BadUrl => SheetError::Address,
                    AddressError::Unresolvable | AddressError::PrivateAddress => out_of_reach,
                }
            })
    }
}

/// Reads an answer that is a sheet of an accepted size.
async fn read(mut answer: reqwest::Response) -> Result<String, SheetError> {
    if answer.status() != StatusCode::OK {
        return Err(SheetError::NotFound);
    }
    let media_type = answer
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .unwrap_or_default();
    if !media_type.trim().eq_ignore_ascii_case("text/css") {
        return Err(SheetError::NotCss);
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|_| SheetError::Unreachable)? {
        if bytes.len() + chunk.len() > LARGEST_SHEET {
            return Err(SheetError::TooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).map_err(|_| SheetError::NotCss)
}

fn written(sheet: &Filtered) -> String {
    format!(
        "/* dropped: {} rules, {} declarations of other rules */\n{}\n",
        sheet.dropped.rules, sheet.dropped.declarations, sheet.css
    )
}

/// Why there is no sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
enum SheetError {
    #[error("cssLink must be an absolute https address")]
    Address,
    #[error("the sheet's server cannot be reached on the public internet")]
    Unreachable,
    #[error("the sheet's server took too long")]
    Late,
    #[error("there are too many redirects")]
    Redirects,
    #[error("the sheet's server has no sheet there")]
    NotFound,
    #[error("it is not plain text/css")]
    NotCss,
    #[error("the sheet is too large")]
    TooLarge,
}

/// In bytes (contract 7.6).
const LARGEST_SHEET: usize = 64 << 10;

const MOST_REDIRECTS: usize = 3;
const LONGEST_ADDRESS: usize = 2048;

const KEEP: Duration = Duration::from_secs(300);

/// Short, so that a sheet is found soon after its server is repaired.
const KEEP_FAILURE: Duration = Duration::from_secs(20);

/// Of at most twice [`LARGEST_SHEET`] each.
const MOST_SHEETS: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_are_kept_for_their_time_and_no_more_than_so_many() {
        let sheets = RecentSheets::default();
        sheets.keep("a", "A".into(), 100, 0);
        assert_eq!(sheets.find("a", 99).as_deref(), Some("A"));
        assert_eq!(sheets.find("a", 100), None);
        assert_eq!(sheets.find("b", 0), None);
        for number in 0..2 * MOST_SHEETS {
            let until_ms = 200 + i64::try_from(number).unwrap();
            sheets.keep(&number.to_string(), "x".into(), until_ms, 150);
        }
        assert_eq!(sheets.0.lock().unwrap().len(), MOST_SHEETS);
        // The newest sheets are still stored.
        assert!(
            sheets
                .find(&(2 * MOST_SHEETS - 1).to_string(), 150)
                .is_some()
        );
        assert!(sheets.find("0", 150).is_none());
    }

    #[test]
    fn reasons_hold_no_digit() {
        for problem in [
            SheetError::Address,
            SheetError::Unreachable,
            SheetError::Late,
            SheetError::Redirects,
            SheetError::NotFound,
            SheetError::NotCss,
            SheetError::TooLarge,
        ] {
            let text = problem.to_string();
            assert!(!text.contains(|c: char| c.is_ascii_digit()), "{text}");
            assert!(!text.contains("*/"), "{text}");
        }
    }
}
