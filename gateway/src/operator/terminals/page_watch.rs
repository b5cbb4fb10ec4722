//! The setting of a terminal whose merchant's pages are watched.

use super::setting::Setting;
use payframe_payment_domain::page_watch::PageWatch;

pub(super) const SETTINGS: &[Setting] = &[Setting {
    name: "page_watch",
    accepts: || String::from("off, or a number up to 10000: of so many loads one is reported"),
    put: |terminal, value| {
        let read = PageWatch::from_code(value);
        read.map(|read| terminal.page_watch = read).is_some()
    },
    shown: |terminal| terminal.page_watch.code(),
}];
