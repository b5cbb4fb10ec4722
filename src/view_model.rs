//! What is on the screen, as data: the value of the signal that the views read.
//!
//! [`ViewModel::of`] derives it from the flow and the fields, in one function that can be read from top to bottom. Views
//! write it into the page and hold no state of their own. It holds no card digit but the last four that the gateway
//! stated. What replaces the fields is a [`Panel`].

mod email_proposal;
mod panel;

pub use email_proposal::{EmailProposal, ProposalSignal};
pub use panel::{Panel, PanelAction};

use crate::fields::{FIELDS, Fields};
use crate::session::Session;
use crate::task::QueuedPress;
use crate::texts::Texts;
use crate::wire::notice_key;
use payframe_card_rules::co_badge::Choice;
use payframe_card_rules::network::{Network, SecurityCodePolicy};
use payframe_checkout_flow::flow::{Flow, Notice, Phase};

/// Everything that changes on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewModel {
    /// The card's network, once certain.
    pub network: Option<Network>,
    /// Networks to choose from, on a card with two.
    pub choice: Option<Choice>,
    /// Whether a choice was withdrawn because the number has changed.
    pub choice_is_withdrawn: bool,
    /// Whether the card has a security code.
    pub code_policy: SecurityCodePolicy,
    /// The message of each field, in visual order; empty where there is none.
    pub messages: [String; FIELDS],
    /// Key of the text about a wait.
    pub wait: Option<&'static str>,
    /// Key of the text that says why the fields are shown again.
    pub notice: Option<&'static str>,
    /// "Visa •••• 4549", once the gateway has said so.
    pub card_used: String,
    /// What is shown in place of the fields; `None` for the fields themselves.
    pub stage: Option<Panel>,
    /// Address of the hidden device check.
    pub probe_url: Option<String>,
    /// Whether the buyer is asked if they want to give the payment up.
    pub asks_to_give_up: bool,
}

impl ViewModel {
    /// What to show.
    pub fn of(
        flow: &Flow,
        fields: &Fields,
        texts: &Texts,
        card_used: &str,
        session: &Session,
        press: QueuedPress,
    ) -> Self {
        let phase = flow.phase();
        Self {
            network: fields.network(),
            choice: fields.choice(),
            choice_is_withdrawn: fields.choice_is_withdrawn(),
            code_policy: fields.code_policy(),
            messages: fields.sentences(texts),
            wait: waiting_key(phase, press),
            notice: match phase {
                Phase::Collecting(_) if fields.stated.get().is_some() => fields.stated.get(),
                // A refusal of one field is shown at that field instead.
                Phase::Collecting(Notice::Refused(decline))
                    if fields.field_of_decline(*decline).is_some() =>
                {
                    None
                }
                Phase::Collecting(notice) => notice_key(notice),
                _ => None,
            },
            card_used: card_used.into(),
            stage: Panel::of(flow, &session.text("actionType")),
            probe_url: match phase {
                Phase::CheckingDevice { url, .. } => Some(url.clone()),
                Phase::Verifying { url, .. } if !url.is_empty() => Some(url.clone()),
                _ => None,
            },
            asks_to_give_up: flow.asks_to_give_up(),
        }
    }
}

/// Key of the text about a wait; `None` if the buyer has to act.
fn waiting_key(phase: &Phase, press: QueuedPress) -> Option<&'static str> {
    Some(match phase {
        Phase::OpeningElsewhere { .. }
        | Phase::Resuming
        | Phase::Sending { .. }
        | Phase::Proving { .. } => "sending",
        Phase::CheckingDevice { .. } | Phase::SkippingDevice { .. } | Phase::Verifying { .. } => {
            "checking"
        }
        Phase::AwaitingServer { .. } | Phase::HandedOver => "waiting_for_shop",
        Phase::Completing { .. } => "paying",
        Phase::Cancelling { .. } => "cancelling",
        Phase::Agreeing { .. }
        | Phase::Rereading { .. }
        | Phase::LeavingChallenge { .. }
        | Phase::Renewing { .. } => "reading",
        _ if press == QueuedPress::Waits => "sending",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn press_that_waits_is_shown_like_one_that_is_sent() {
        let fields = Phase::Collecting(Notice::None);
        assert_eq!(waiting_key(&fields, QueuedPress::Absent), None);
        assert_eq!(waiting_key(&fields, QueuedPress::Waits), Some("sending"));
        assert_eq!(
            waiting_key(&Phase::HandedOver, QueuedPress::Waits),
            Some("waiting_for_shop")
        );
    }
}
