//! What the pages about watched pages share: addresses, words, and whose terminal it is.

use super::display::address;
use super::error::OfficeError;
use super::labels::Badge;
use super::login_session::LoginSession;
use payframe_payment_domain::page_watch::EntryKind;
use payframe_storage::page_watch::PageEntry;
use payframe_storage::{Connection, merchants};

/// The address of the list.
pub(super) const PATH: &str = "/office/page-watch";

/// The address of the page that shows what a watched page was made of.
pub(super) fn path_of_page(terminal_id: &str, page: &str) -> String {
    address(&format!("{PATH}/{terminal_id}/entries"), &[("page", page)])
}

/// What an entry is, in words.
pub(super) fn kind(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Script => "Script",
        EntryKind::Inline => "Script in the page",
        EntryKind::Handlers => "Event attributes",
        EntryKind::CodeAddresses => "Links that run code",
        EntryKind::ImportMap => "Import map",
        EntryKind::Frame => "Frame with a document of the page",
        EntryKind::Base => "Base address",
        EntryKind::Policy => "Policy in the page",
        EntryKind::Header => "Security header",
        EntryKind::Rest => "What did not fit into the report",
    }
}

/// What became of an entry.
pub(super) fn state(entry: &PageEntry) -> Badge {
    match (entry.gone_ms, &entry.judged) {
        (Some(_), _) if entry.is_open() => Badge::bad("Gone"),
        (Some(_), _) => Badge::quiet("Gone"),
        (None, Some(_)) if entry.is_authorized => Badge::good("Authorized"),
        (None, Some(_)) => Badge::bad("Not authorized"),
        (None, None) if entry.replaces.is_some() => Badge::bad("Changed"),
        (None, None) if entry.is_open() => Badge::bad("New"),
        (None, None) => Badge::waiting("To authorize"),
    }
}

/// Refuses the terminal of another merchant.
pub(super) async fn must_own(
    connection: &mut Connection,
    login: &LoginSession,
    terminal_id: &str,
) -> Result<(), OfficeError> {
    let owner = merchants::owner_of_terminal(connection, terminal_id).await?;
    is_named(owner.as_ref() == Some(&login.member.merchant_id))
}

/// Refuses what is not there.
pub(super) fn is_named(is_there: bool) -> Result<(), OfficeError> {
    match is_there {
        true => Ok(()),
        false => Err(OfficeError::NotFound),
    }
}
