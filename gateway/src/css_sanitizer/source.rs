//! Fetches merchants' sheets and keeps what is left of them for some minutes.
//!
//! A sheet that cannot be had gives an empty one with a comment that says why: a field never waits for it in vain.
//! The comment is ours word for word, for any page may read it: no address and no number of the other side is in it.

use super::{Filtered, filter};
use crate::App;
use payframe_outbound_address::{AddressError, AllowedAddresses, OutboundAddress};
use reqwest::{StatusCode, header};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use url::Url;

/// The sheets of the last minutes, by their addresses as they were given.
#[derive(Default)]
pub(crate) struct Sheets(Mutex<HashMap<String, Kept>>);

struct Kept {
    css: Arc<str>,
    until_ms: i64,
}

impl Sheets {
    fn find(&self, href: &str, now_ms: i64) -> Option<Arc<str>> {
        // A panic while the map is held leaves it whole.
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
            // Somebody else's sheet is fetched again.
            let first = sheets
                .iter()
                .min_by_key(|(_, kept)| kept.until_ms)
                .map(|(href, _)| href.clone());
            first.and_then(|href| sheets.remove(&href));
        }
        sheets.insert(href.to_owned(), Kept { css, until_ms });
    }
}

impl App {
    /// What is left of the merchant's sheet at `href`. Takes no longer than the setting allows, redirects included.
    pub(crate) async fn sheet(&self, href: &str) -> Arc<str> {
        let sheets = &self.parts().sheets;
        if let Some(css) = sheets.find(href, self.clock().now_ms()) {
            return css;
        }
        // The fields of a form ask at the same time: one fetches, the others wait for it.
        let _held = self.parts().sheet_locks.lock(href).await;
        if let Some(css) = sheets.find(href, self.clock().now_ms()) {
            return css;
        }
        let found = tokio::time::timeout(self.config().sheet_timeout, self.fetch_sheet(href))
            .await
            .unwrap_or(Err(NoSheet::Late));
        let (css, keep) = match found {
            Ok(sheet) => (written(&filter(&sheet)), KEEP),
            Err(problem) => {
                tracing::info!(%problem, "a merchant's sheet is not used");
                (format!("/* not used: {problem} */\n"), KEEP_FAILURE)
            }
        };
        let css: Arc<str> = css.into();
        let now_ms = self.clock().now_ms();
        let until_ms = now_ms + payframe_payment_ports::clock::millis(keep);
        sheets.keep(href, css.clone(), until_ms, now_ms);
        css
    }

    async fn fetch_sheet(&self, href: &str) -> Result<String, NoSheet> {
        let mut address = href.to_owned();
        for _ in 0..=MOST_REDIRECTS {
            let receiver = self.sheet_receiver(&address).await?;
            let client = receiver
                .client("gateway-sheets/1")
                .map_err(|_| NoSheet::Unreachable)?;
            let answer = client
                .get(receiver.url.clone())
                .header(header::ACCEPT, "text/css")
                .send()
                .await
                .map_err(|_| NoSheet::Unreachable)?;
            if answer.status().is_redirection() {
                let location = answer.headers().get(header::LOCATION);
                let next = location
                    .and_then(|location| location.to_str().ok())
                    .and_then(|location| receiver.url.join(location).ok());
                address = next.ok_or(NoSheet::NotFound)?.into();
                continue;
            }
            return read(answer).await;
        }
        Err(NoSheet::Redirects)
    }

    /// Who has the sheet, if it may be asked: over https on the public internet, or on a developer's own machine.
    async fn sheet_receiver(&self, address: &str) -> Result<OutboundAddress, NoSheet> {
        let insecure = self.config().mode.allows_insecure_urls();
        let url = Url::parse(address).map_err(|_| NoSheet::Address)?;
        let is_usual = insecure || url.port().is_none();
        let has_password = !url.username().is_empty() || url.password().is_some();
        if address.len() > LONGEST_ADDRESS || has_password || !is_usual {
            return Err(NoSheet::Address);
        }
        let (reach, out_of_reach) = match url.scheme() {
            "https" if insecure => (AllowedAddresses::PublicOrLoopback, NoSheet::Private),
            "https" => (AllowedAddresses::Public, NoSheet::Private),
            "http" if insecure => (AllowedAddresses::Loopback, NoSheet::Address),
            _ => return Err(NoSheet::Address),
        };
        OutboundAddress::find(address, reach)
            .await
            .map_err(|refusal| match refusal {
                AddressError::BadUrl => NoSheet::Address,
                AddressError::Unresolvable => NoSheet::Unreachable,
                AddressError::PrivateAddress => out_of_reach,
            })
    }
}

/// Reads an answer as long as it is a sheet of a bearable size.
async fn read(mut answer: reqwest::Response) -> Result<String, NoSheet> {
    if answer.status() != StatusCode::OK {
        return Err(NoSheet::NotFound);
    }
    let media_type = answer
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .unwrap_or_default();
    if !media_type.trim().eq_ignore_ascii_case("text/css") {
        return Err(NoSheet::NotCss);
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|_| NoSheet::Unreachable)? {
        if bytes.len() + chunk.len() > LARGEST_SHEET {
            return Err(NoSheet::TooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).map_err(|_| NoSheet::NotCss)
}

fn written(sheet: &Filtered) -> String {
    format!(
        "/* dropped: {} rules, {} declarations of other rules */\n{}\n",
        sheet.dropped.rules, sheet.dropped.declarations, sheet.css
    )
}

/// Why there is no sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NoSheet {
    Address,
    Private,
    Unreachable,
    Late,
    Redirects,
    NotFound,
    NotCss,
    TooLarge,
}

impl std::fmt::Display for NoSheet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NoSheet::Address => "cssLink must be an absolute https address",
            NoSheet::Private => "the sheet's server is not on the public internet",
            NoSheet::Unreachable => "the sheet's server cannot be reached",
            NoSheet::Late => "the sheet's server took too long",
            NoSheet::Redirects => "there are too many redirects",
            NoSheet::NotFound => "the sheet's server has no sheet there",
            NoSheet::NotCss => "it is not plain text/css",
            NoSheet::TooLarge => "the sheet is too large",
        })
    }
}

/// In bytes (contract 7.6).
const LARGEST_SHEET: usize = 64 << 10;

const MOST_REDIRECTS: usize = 3;
const LONGEST_ADDRESS: usize = 2048;

const KEEP: Duration = Duration::from_secs(300);

/// Shorter, so that who mends a sheet's server need not wait.
const KEEP_FAILURE: Duration = Duration::from_secs(20);

/// Of at most twice [`LARGEST_SHEET`] each.
const MOST_SHEETS: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_are_kept_for_their_time_and_no_more_than_so_many() {
        let sheets = Sheets::default();
        sheets.keep("a", "A".into(), 100, 0);
        assert_eq!(sheets.find("a", 99).as_deref(), Some("A"));
        assert_eq!(sheets.find("a", 100), None);
        assert_eq!(sheets.find("b", 0), None);
        for number in 0..2 * MOST_SHEETS {
            let until_ms = 200 + i64::try_from(number).unwrap();
            sheets.keep(&number.to_string(), "x".into(), until_ms, 150);
        }
        assert_eq!(sheets.0.lock().unwrap().len(), MOST_SHEETS);
        // The newest are there.
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
            NoSheet::Address,
            NoSheet::Private,
            NoSheet::Unreachable,
            NoSheet::Late,
            NoSheet::Redirects,
            NoSheet::NotFound,
            NoSheet::NotCss,
            NoSheet::TooLarge,
        ] {
            let text = problem.to_string();
            assert!(!text.contains(|c: char| c.is_ascii_digit()), "{text}");
            assert!(!text.contains("*/"), "{text}");
        }
    }
}
