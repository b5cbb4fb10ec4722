//! What the gateway wrote into the page about this session, as far as the widget needs it.

use crate::wire::{Json, closing, reading};
use payframe_card_rules::co_badge::Asking;
use payframe_card_rules::expiry::Date;
use payframe_card_rules::network::{Network, NetworkSet};
use payframe_checkout_flow::flow::{Closing, SessionSnapshot};

/// The session that this form is for. The shape on the page is `payframe_protocol::boot::FormBoot`, in which the loader changes
/// `amountText` and `payText` where the amount changes. What is said about it is read where it is needed. When another session
/// takes over, this is read anew.
#[derive(Clone, Debug)]
pub struct Session {
    /// Which ranges the gateway is asked about.
    pub asking: Asking,
    /// Networks that the terminal takes.
    pub networks: NetworkSet,
    /// The gateway's date.
    pub today: Date,
    boot: Json,
}

impl Session {
    /// From the page's boot data. `None` if the page is not of this release.
    pub fn read(boot: &Json) -> Option<Self> {
        // A page that sees to the rest has no place to draw an offer in.
        let offers = boot.member("lookUp").is_there()
            && boot.member("closing").text().as_deref() != Some("PAGE");
        let mut networks = NetworkSet::empty();
        for code in boot.member("networks").items() {
            if let Some(network) = code.text().and_then(|code| Network::from_code(&code)) {
                networks.insert(network);
            }
        }
        Some(Self {
            asking: if offers {
                Asking::Always
            } else {
                Asking::TwoNetworks
            },
            networks,
            today: Date::parse(&boot.member("today").text()?)?,
            boot: boot.clone(),
        })
    }

    /// The session that took the place of this one in the page's boot data. `None` if it is not of this release.
    pub fn renewed(&self) -> Option<Self> {
        Self::read(&self.boot)
    }

    /// `session`: its id, the frame's credential. `orderId`, `merchant`: as the buyer reads it. `actionType`: `PAY`, `VERIFY` or
    /// `PREAUTH`. `closing`: `FRAME`, `SERVER` or `PAGE`. `cardSummary`: `NONE`, `LAST4` or `BIN_LAST4`.
    pub fn text(&self, name: &str) -> String {
        self.boot.member(name).text_or_empty()
    }

    /// Version 2: the closing call names the amount.
    pub fn confirms(&self) -> bool {
        self.boot.member("version").0.as_f64() == Some(2.0)
    }

    /// Whether the merchant's page takes the buyer to the page of a method.
    pub fn page_leads(&self) -> bool {
        self.boot.member("redirect").is_there()
    }

    /// Where it stood when the page was made, and who closes it. `None` if the page is not of this release.
    pub fn standing(&self) -> Option<(Closing, SessionSnapshot)> {
        let reading = reading(&self.state())?;
        Some((closing(&self.text("closing")), reading))
    }

    /// The amount as the buyer reads it.
    pub fn amount(&self) -> String {
        self.text("amountText")
    }

    /// The state object of the page.
    pub fn state(&self) -> Json {
        self.boot.member("state")
    }

    /// The amount in minor units, digits only: that which the buyer is shown.
    pub fn amount_minor(&self) -> String {
        self.boot.member("amount").text_or_empty()
    }

    /// Whether the session asks for this field.
    pub fn wants(&self, field: &str) -> bool {
        self.boot
            .member("fields")
            .items()
            .any(|id| id.text().as_deref() == Some(field))
    }

    /// What the pay button promises: a payment of that amount, a hold, or nothing but a check.
    pub fn pay_text(&self) -> String {
        self.text("payText")
    }
}
