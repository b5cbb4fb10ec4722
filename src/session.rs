//! What the gateway wrote into the page about this session, as far as the widget needs it.

use crate::wire::{Json, reading};
use payframe_checkout::co_badge::Asking;
use payframe_checkout::expiry::Date;
use payframe_checkout::flow::Reading;
use payframe_checkout::network::{Network, NetworkSet};

/// The session that this form is for. The shape on the page is `payframe_protocol::boot::Boot`, to which the
/// loader adds `amountText` and `payText`.
#[derive(Clone, Debug)]
pub struct Session {
    /// Session id, the frame's credential.
    pub id: String,
    /// The merchant's order.
    pub order_id: String,
    /// The merchant's name, as the buyer reads it.
    pub merchant: String,
    /// `PAY`, `VERIFY` or `PREAUTH`.
    pub action_type: String,
    /// `FRAME` or `SERVER`.
    pub closing: String,
    /// Whether no money is ever moved by it.
    pub sandbox: bool,
    /// `NONE`, `LAST4` or `BIN_LAST4`.
    pub card_summary: String,
    /// Version 2: the closing call names the amount.
    pub confirms: bool,
    /// Which ranges the gateway is asked about.
    pub asking: Asking,
    /// Whether the merchant's page takes the buyer to the page of a method.
    pub page_leads: bool,
    /// Networks that the terminal takes.
    pub networks: NetworkSet,
    /// The gateway's date.
    pub today: Date,
    /// Where the session stood when the page was made.
    pub reading: Reading,
    boot: Json,
}

impl Session {
    /// From the page's boot data. `None` if the page is not of this release.
    pub fn read(boot: &Json) -> Option<Self> {
        let text = |name| boot.member(name).text();
        let closing = text("closing")?;
        // A page that sees to the rest has no place to draw an offer in.
        let asking = if boot.member("lookUp").is_there() && closing != "PAGE" {
            Asking::Always
        } else {
            Asking::TwoNetworks
        };
        let mut networks = NetworkSet::empty();
        for code in boot.member("networks").items() {
            if let Some(network) = code.text().and_then(|code| Network::from_code(&code)) {
                networks.insert(network);
            }
        }
        Some(Self {
            id: text("session")?,
            order_id: text("orderId")?,
            merchant: text("merchant")?,
            action_type: text("actionType")?,
            closing,
            card_summary: text("cardSummary")?,
            sandbox: boot.member("sandbox").0.is_truthy(),
            confirms: boot.member("version").0.as_f64() == Some(2.0),
            asking,
            page_leads: boot.member("redirect").is_there(),
            networks,
            today: Date::parse(&text("today")?)?,
            reading: reading(&boot.member("state"))?,
            boot: boot.clone(),
        })
    }

    /// The amount as the buyer reads it. The loader writes it with the browser's `Intl` once there is time for that;
    /// empty before.
    pub fn amount(&self) -> String {
        self.boot.member("amountText").text_or_empty()
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

    /// What the pay button promises: a payment of that amount, a hold, or nothing but a check. Empty as long as the amount is.
    pub fn pay_text(&self) -> String {
        self.boot.member("payText").text_or_empty()
    }
}
