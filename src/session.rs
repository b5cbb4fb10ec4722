//! The boot data of this session, which the gateway writes into the page, as far as the widget needs it.

use crate::wire::{self, Json, capture_initiator};
use js_sys::{Object, Reflect};
use payframe_card_rules::co_badge::Asking;
use payframe_card_rules::expiry::Date;
use payframe_card_rules::network::{Network, NetworkSet};
use payframe_checkout_flow::flow::{CaptureInitiator, Terms};
use payframe_checkout_flow::sum::Sums;
use wasm_bindgen::JsCast;

/// The texts of a sum in the buyer's language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SumTexts {
    /// The sum.
    pub amount: String,
    /// The pay button: a payment of the sum, a hold, or a check of the card.
    pub pay: String,
}

/// The session that this form is for. Its shape in the page is `payframe_protocol::boot::FormBoot`. Its members are read where they are needed, and never
/// changed. When another session takes over, this is read again.
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
        // In the Build protocol there is no place to draw an offer in.
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

    /// Whether the session of these boot data shows the same inputs to the same page.
    pub fn has_inputs_of(&self, next: &Json) -> bool {
        let layout = ["merchantOrigin", "version", "fields", "networks"];
        let text = |boot: &Json, name| wire::text(&boot.member(name).0);
        layout
            .into_iter()
            .all(|name| text(next, name) == text(&self.boot, name))
    }

    /// Compares the terms of the session of these boot data with those of this session. The flow compares the sums.
    pub fn terms_beside(&self, next: &Json) -> Terms {
        let terms = ["merchant", "actionType"];
        let same = |name| next.member(name).0 == self.boot.member(name).0;
        if terms.into_iter().all(same) {
            Terms::Same
        } else {
            Terms::Changed
        }
    }

    /// The session of these boot data, which replace those of this session in the page. `None` if they are not of this release.
    pub fn replaced_by(&self, next: &Json) -> Option<Self> {
        Self::read(next)?;
        // The frame's scripts hold the same object.
        let boot: &Object = self.boot.0.unchecked_ref();
        // What only this session has, such as instalments, is not the next one's.
        for name in Object::keys(boot) {
            // Members of the page's own data can be deleted.
            let _ = Reflect::delete_property(boot, &name);
        }
        Self::read(&Json(Object::assign(boot, next.0.unchecked_ref()).into()))
    }

    /// Whether the merchant's page does everything but the fields: in the Build protocol.
    pub fn is_page_driven(&self) -> bool {
        self.text("closing") == "PAGE"
    }

    /// Whether the page reports which scripts and security headers it has.
    pub fn is_watched(&self) -> bool {
        self.boot.member("watch").0.is_truthy()
    }

    /// Whether the page gets diagnostics of how it embeds the form.
    pub fn has_diagnostics(&self) -> bool {
        self.boot.member("diagnostics").0.is_truthy()
    }

    /// `session`: its id, the frame's credential. `orderId`, `merchant`: as the buyer reads it. `actionType`: `PAY`, `VERIFY` or
    /// `PREAUTH`. `closing`: `FRAME`, `SERVER` or `PAGE`. `cardSummary`: `NONE`, `LAST4` or `BIN_LAST4`.
    pub fn text(&self, name: &str) -> String {
        self.boot.member(name).text_or_empty()
    }

    /// The member of the boot data with this name.
    pub fn member(&self, name: &str) -> Json {
        self.boot.member(name)
    }

    /// Version 2: the completion call names the amount.
    pub fn confirms(&self) -> bool {
        self.boot.member("version").0.as_f64() == Some(2.0)
    }

    /// Whether the merchant's page takes the buyer to the page of a method.
    pub fn page_redirects(&self) -> bool {
        self.boot.member("redirect").is_there()
    }

    /// Who closes it.
    pub fn capture_initiator(&self) -> CaptureInitiator {
        capture_initiator(&self.text("closing"))
    }

    /// Whether it waited for a card when the page was made, and nothing had happened to it.
    pub fn is_fresh(&self) -> bool {
        let state = self.state();
        state.member("state").text().as_deref() == Some("CARD_DATA_COLLECTION")
            && !state.member("operation").is_there()
    }

    /// The state object of the page.
    pub fn state(&self) -> Json {
        self.boot.member("state")
    }

    /// Its sums when its page was made. `None`: the merchant's page does everything but the fields.
    pub fn sums(&self) -> Option<Sums> {
        if self.is_page_driven() {
            return None;
        }
        Some(Sums {
            session: wire::sum(&self.boot)?,
            offer: wire::sum(&self.boot.member("offer")),
        })
    }

    /// The texts of its sum when its page was made.
    pub fn sum_texts(&self) -> SumTexts {
        SumTexts {
            amount: self.text("amountText"),
            pay: self.text("payText"),
        }
    }

    /// Whether the session asks for this field.
    pub fn wants(&self, field: &str) -> bool {
        self.boot
            .member("fields")
            .items()
            .any(|id| id.text().as_deref() == Some(field))
    }
}
