//! The cards of the model: one for each combination of results of device check, issuer and acquirer.

use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_payment_domain::card::{ConsentMark, DeviceMark, EnteredCard};
use payframe_payment_domain::operation::AuthorizationResult;
use payframe_payment_domain::session::{Authentication, DeviceCheck, Verdict};

/// A card, by what happens with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Card {
    /// No device check, approved at once.
    Good,
    /// No device check, declined by the acquirer.
    Declined,
    /// Device check, then approved.
    Checked,
    /// Device check that never reports.
    Silent,
    /// Challenge, approved after it.
    Challenged,
    /// The issuer asks for a confirmation by the buyer's device first; approved after it, or after the challenge that follows.
    Confirmed,
    /// The issuer's access control refuses the authentication.
    Refused,
    /// The acquirer decides later.
    Pending,
    /// No device check and no authentication; the acquirer declines without one. Challenge on demand, approved after it.
    Demanding,
    /// The gateway refuses the number.
    Bad,
}

impl Card {
    /// Every card.
    pub const ALL: [Card; 10] = [
        Card::Good,
        Card::Declined,
        Card::Checked,
        Card::Silent,
        Card::Challenged,
        Card::Confirmed,
        Card::Refused,
        Card::Pending,
        Card::Demanding,
        Card::Bad,
    ];

    /// `None` where the gateway does not take the card.
    pub(crate) fn device_check(self) -> Option<DeviceCheck> {
        match self {
            Card::Checked | Card::Silent => Some(DeviceCheck::Due),
            Card::Bad => None,
            Card::Good
            | Card::Declined
            | Card::Challenged
            | Card::Confirmed
            | Card::Refused
            | Card::Pending
            | Card::Demanding => Some(DeviceCheck::NotDue),
        }
    }

    pub(crate) fn verdict(self) -> Verdict {
        match self {
            Card::Challenged => Verdict::Challenge,
            Card::Confirmed => Verdict::Confirmation,
            Card::Refused => Verdict::Refused,
            Card::Demanding => Verdict::Pass(Authentication::None),
            _ => Verdict::Pass(Authentication::Full),
        }
    }

    /// The acquirer's first answer to a request with this authentication.
    pub(crate) fn result(self, authentication: Authentication) -> AuthorizationResult {
        match self {
            Card::Demanding if authentication == Authentication::None => {
                AuthorizationResult::Declined
            }
            Card::Declined => AuthorizationResult::Declined,
            Card::Pending => AuthorizationResult::Pending,
            _ => AuthorizationResult::Approved,
        }
    }

    /// The data of the card that the gateway stores.
    #[expect(clippy::expect_used, reason = "1230 is a month and a year")]
    pub(crate) fn entered(self) -> EnteredCard {
        EnteredCard {
            installments: None,
            bin: String::new(),
            masked: String::new(),
            last4: format!("{self:?}"),
            expiry: Expiry::parse_shape("1230").expect("a month and a year"),
            network: Network::Visa,
            network_chosen_by: None,
            funding: None,
            country: None,
            offer: None,
            contract_id: None,
            device: DeviceMark::None,
            consent: ConsentMark::None,
            shown: None,
        }
    }
}
