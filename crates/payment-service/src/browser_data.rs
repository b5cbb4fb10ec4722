//! What is kept of the buyer's browser until the payment has its outcome: it is part of the encrypted card.

use payframe_payment_ports::three_ds_server::BrowserData;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::net::IpAddr;

#[derive(Serialize, Deserialize)]
struct KeptBrowser<'a> {
    accept: Cow<'a, str>,
    accept_language: Cow<'a, str>,
    user_agent: Cow<'a, str>,
    ip: Option<IpAddr>,
    language: Cow<'a, str>,
    /// Data from earlier releases is of browsers with scripts.
    #[serde(default = "yes")]
    has_javascript: bool,
    has_java: bool,
    color_depth: u8,
    screen_height: u32,
    screen_width: u32,
    time_zone_minutes: i16,
    is_method_done: bool,
    /// Missing in data from earlier releases.
    #[serde(default)]
    can_confirm: bool,
}

/// As one line.
pub(super) fn write(browser: &BrowserData) -> Option<String> {
    let kept = KeptBrowser {
        accept: Cow::from(&browser.accept),
        accept_language: Cow::from(&browser.accept_language),
        user_agent: Cow::from(&browser.user_agent),
        ip: browser.ip,
        language: Cow::from(&browser.language),
        has_javascript: browser.has_javascript,
        has_java: browser.has_java,
        color_depth: browser.color_depth,
        screen_height: browser.screen_height,
        screen_width: browser.screen_width,
        time_zone_minutes: browser.time_zone_minutes,
        is_method_done: browser.is_method_done,
        can_confirm: browser.can_confirm,
    };
    serde_json::to_string(&kept).ok()
}

/// From one line.
pub(super) fn read(line: &[u8]) -> Option<BrowserData> {
    let kept: KeptBrowser<'_> = serde_json::from_slice(line).ok()?;
    Some(BrowserData {
        accept: kept.accept.into_owned(),
        accept_language: kept.accept_language.into_owned(),
        user_agent: kept.user_agent.into_owned(),
        ip: kept.ip,
        language: kept.language.into_owned(),
        has_javascript: kept.has_javascript,
        has_java: kept.has_java,
        color_depth: kept.color_depth,
        screen_height: kept.screen_height,
        screen_width: kept.screen_width,
        time_zone_minutes: kept.time_zone_minutes,
        is_method_done: kept.is_method_done,
        can_confirm: kept.can_confirm,
    })
}

fn yes() -> bool {
    true
}
