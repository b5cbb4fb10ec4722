//! What is seen of the issuer's page and of its frame.

/// What the buyer sees of the issuer's page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct IssuerPage {
    /// Whether a document of this challenge has been in the frame. An empty document could belong to anybody.
    pub has_come: bool,
    /// Whether the frame was removed, because something else was in it.
    pub is_away: bool,
    /// Whether the buyer may open the page in the whole window.
    pub offers_window: bool,
}

/// What a frame shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameContent {
    /// Nothing yet.
    Nothing,
    /// A document of this challenge.
    Ours,
    /// Another document, or an error of the browser.
    Other,
}
