//! What is on the screen, as data: the value of the signal that the views read.
//!
//! [`ViewModel::of`] derives it from the flow and the fields, in one function that can be read from top to bottom. Views
//! write it into the page and hold no state of their own. It holds no card digit but the last four that the gateway
//! stated.

use crate::fields::{FIELDS, Fields};
use crate::session::Session;
use crate::texts::Texts;
use crate::wire::notice_key;
use payframe_card_rules::co_badge::Choice;
use payframe_card_rules::network::{Network, SecurityCodePolicy};
use payframe_checkout_flow::decline::Decline;
use payframe_checkout_flow::flow::{Flow, Notice, Outcome, Phase};

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

/// What is shown in place of the fields: mark, heading, sentence, the issuer's page, a main button, a cancel button.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Panel {
    /// Sign of the outcome.
    pub mark: &'static str,
    /// CSS class of the sign.
    pub mark_class: &'static str,
    /// Text key of the heading.
    pub title: &'static str,
    /// Text key of the sentence.
    pub text: &'static str,
    /// Address of the issuer's page.
    pub challenge_url: Option<String>,
    /// The main button.
    pub press: Option<PanelAction>,
    /// Whether the payment can still be given up.
    pub may_cancel: bool,
}

/// The action of a panel's main button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelAction {
    /// Choose the card.
    ByCard,
    /// Pay with the card that is known.
    Pay,
    /// Go to the page of a method.
    Leave,
    /// Ask again how the payment stands.
    Recheck,
    /// Try again, with another session.
    TryAgain,
}

impl ViewModel {
    /// What to show.
    pub fn of(
        flow: &Flow,
        fields: &Fields,
        texts: &Texts,
        card_used: &str,
        session: &Session,
    ) -> Self {
        let phase = flow.phase();
        Self {
            network: fields.network(),
            choice: fields.choice(),
            choice_is_withdrawn: fields.choice_is_withdrawn(),
            code_policy: fields.code_policy(),
            messages: fields.sentences(texts),
            wait: waiting_key(phase),
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
            stage: Panel::of(flow, session),
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
fn waiting_key(phase: &Phase) -> Option<&'static str> {
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
        _ => return None,
    })
}

impl Panel {
    fn of(flow: &Flow, session: &Session) -> Option<Self> {
        let phase = flow.phase();
        Some(match phase {
            Phase::Elsewhere { .. } => Self {
                title: "elsewhere_title",
                text: "elsewhere_text",
                press: Some(PanelAction::Leave),
                may_cancel: true,
                ..Self::default()
            },
            Phase::ChoosingMethod | Phase::OpeningCard | Phase::OpeningElsewhere { .. } => Self {
                press: Some(PanelAction::ByCard),
                may_cancel: true,
                ..Self::default()
            },
            Phase::Reviewing => Self {
                press: Some(PanelAction::Pay),
                may_cancel: true,
                ..Self::default()
            },
            Phase::Repriced => Self {
                title: "amount_title",
                text: "amount_text",
                press: Some(PanelAction::Pay),
                may_cancel: true,
                ..Self::default()
            },
            Phase::Challenge { url, .. } => Self {
                title: "challenge_title",
                challenge_url: Some(url.clone()),
                may_cancel: true,
                ..Self::default()
            },
            Phase::Complete(verdict) | Phase::Retrying(verdict) => {
                let mut end = Self::end(verdict.outcome, verdict.decline, session);
                if flow.may_retry() {
                    end.press = Some(PanelAction::TryAgain);
                }
                end
            }
            Phase::Expired => Self::bad("expired_title", "expired_text"),
            Phase::Unknown { .. } if phase.has_stopped_asking() => Self {
                text: "unknown_end",
                ..Self::end(Outcome::Unknown, None, session)
            },
            Phase::Unknown { .. } => Self::end(Outcome::Unknown, None, session),
            _ => return None,
        })
    }

    fn end(outcome: Outcome, decline: Option<Decline>, session: &Session) -> Self {
        match outcome {
            Outcome::Approved => {
                let (title, text) = match session.text("actionType").as_str() {
                    "VERIFY" => ("verified_title", "verified_text"),
                    "PREAUTH" => ("held_title", "held_text"),
                    _ => ("approved_title", "approved_text"),
                };
                Self::marked("✓", "mark approved", title, text)
            }
            Outcome::Pending => Self::marked("…", "mark", "pending_title", "pending_text"),
            Outcome::Declined => {
                Self::bad("declined_title", decline.unwrap_or(Decline::Issuer).code())
            }
            Outcome::Cancelled => Self::marked("×", "mark", "cancelled_title", "cancelled_text"),
            Outcome::Failed => Self::bad("failed_title", "failed_text"),
            Outcome::Reversed => Self::marked("↩", "mark", "reversed_title", "reversed_text"),
            Outcome::Unknown => Self {
                press: Some(PanelAction::Recheck),
                ..Self::marked("?", "mark", "unknown_title", "unknown_text")
            },
        }
    }

    fn bad(title: &'static str, text: &'static str) -> Self {
        Self::marked("!", "mark failed", title, text)
    }

    fn marked(
        mark: &'static str,
        mark_class: &'static str,
        title: &'static str,
        text: &'static str,
    ) -> Self {
        Self {
            mark,
            mark_class,
            title,
            text,
            ..Self::default()
        }
    }
}
