//! What is shown in place of the fields: choice of method, review, challenge, outcome. As data; [`crate::view::panel`] draws it.

use payframe_checkout_flow::decline::Decline;
use payframe_checkout_flow::flow::{Event, Flow, Outcome, Phase};

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

impl PanelAction {
    /// What a press at this time, in milliseconds, is to the flow.
    pub fn event(self, now_ms: u64) -> Event {
        match self {
            Self::ByCard => Event::MethodChosen,
            Self::Pay => Event::Submitted(now_ms),
            Self::Leave => Event::LeaveRequested,
            Self::Recheck => Event::RecheckRequested,
            Self::TryAgain => Event::RetryRequested,
        }
    }

    /// Text key of the button. `None`: it names the sum.
    pub fn label(self) -> Option<&'static str> {
        match self {
            Self::ByCard => Some("pay_with_card"),
            Self::Pay => None,
            Self::Leave => Some("elsewhere_go"),
            Self::Recheck => Some("check_again"),
            Self::TryAgain => Some("try_again"),
        }
    }
}

impl Panel {
    /// What the flow shows in place of the fields; `None` for the fields themselves. `action_type`: of the session, as `PAY`.
    pub fn of(flow: &Flow, action_type: &str) -> Option<Self> {
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
                let mut end = Self::end(verdict.outcome, verdict.decline, action_type);
                if flow.may_retry() {
                    end.press = Some(PanelAction::TryAgain);
                }
                end
            }
            Phase::Expired => Self::bad("expired_title", "expired_text"),
            Phase::Unknown { .. } if phase.has_stopped_asking() => Self {
                text: "unknown_end",
                ..Self::end(Outcome::Unknown, None, action_type)
            },
            Phase::Unknown { .. } => Self::end(Outcome::Unknown, None, action_type),
            _ => return None,
        })
    }

    /// Whether it is a dialog: the issuer's page is shown in it.
    pub fn is_dialog(&self) -> bool {
        self.challenge_url.is_some()
    }

    /// Whether its main button pays.
    pub fn pays(&self) -> bool {
        self.press == Some(PanelAction::Pay)
    }

    /// Whether other methods can be chosen.
    pub fn offers_methods(&self) -> bool {
        self.press == Some(PanelAction::ByCard)
    }

    /// Text key of the button that leaves the issuer's page, or gives the payment up.
    pub fn leave_label(&self) -> &'static str {
        if self.is_dialog() {
            "challenge_leave"
        } else {
            "cancel_payment"
        }
    }

    fn end(outcome: Outcome, decline: Option<Decline>, action_type: &str) -> Self {
        match outcome {
            Outcome::Approved => {
                let (title, text) = match action_type {
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

#[cfg(test)]
mod tests {
    use super::*;
    use payframe_checkout_flow::flow::{
        Answer, CaptureInitiator, Renewal, SessionSnapshot, Verdict,
    };

    /// The panel of a page whose session has this state.
    fn panel(renewal: Renewal, snapshot: SessionSnapshot) -> Option<Panel> {
        let (flow, _) = Flow::opening(CaptureInitiator::Frame, renewal)
            .step(Event::Opened(Answer::State(snapshot)));
        Panel::of(&flow, "PAY")
    }

    fn end(outcome: Outcome, decline: Option<Decline>) -> SessionSnapshot {
        SessionSnapshot::Complete(Verdict {
            outcome,
            decline,
            operation_id: "1".into(),
        })
    }

    #[test]
    fn fields_have_no_panel() {
        let collecting = SessionSnapshot::Collecting(None);
        assert_eq!(panel(Renewal::Unavailable, collecting), None);
    }

    #[test]
    fn issuers_page_is_a_dialog_that_can_be_left() {
        let url = "https://issuer.example/a";
        let panel = panel(Renewal::Unavailable, SessionSnapshot::Challenge(url.into())).unwrap();
        assert!(panel.is_dialog() && panel.may_cancel && panel.press.is_none());
        assert_eq!(panel.challenge_url.as_deref(), Some(url));
        assert_eq!(panel.leave_label(), "challenge_leave");
    }

    #[test]
    fn review_pays_and_can_be_given_up() {
        let panel = panel(Renewal::Unavailable, SessionSnapshot::Ready).unwrap();
        assert!(panel.pays() && panel.may_cancel && !panel.is_dialog());
        assert_eq!(panel.leave_label(), "cancel_payment");
    }

    #[test]
    fn choice_of_method_offers_the_card_and_others() {
        let panel = panel(Renewal::Unavailable, SessionSnapshot::MethodSelection).unwrap();
        assert!(panel.offers_methods() && !panel.pays());
    }

    #[test]
    fn end_says_what_happened_and_can_not_be_given_up() {
        for (outcome, decline, title, text) in [
            (Outcome::Approved, None, "approved_title", "approved_text"),
            (Outcome::Pending, None, "pending_title", "pending_text"),
            (
                Outcome::Declined,
                Some(Decline::Funds),
                "declined_title",
                Decline::Funds.code(),
            ),
            (
                Outcome::Declined,
                None,
                "declined_title",
                Decline::Issuer.code(),
            ),
            (
                Outcome::Cancelled,
                None,
                "cancelled_title",
                "cancelled_text",
            ),
            (Outcome::Failed, None, "failed_title", "failed_text"),
            (Outcome::Reversed, None, "reversed_title", "reversed_text"),
        ] {
            let panel = panel(Renewal::Unavailable, end(outcome, decline)).unwrap();
            assert_eq!((panel.title, panel.text), (title, text));
            assert!(!panel.may_cancel && panel.press.is_none(), "{outcome:?}");
        }
    }

    #[test]
    fn unknown_end_is_asked_about_again() {
        let panel = panel(Renewal::Unavailable, end(Outcome::Unknown, None)).unwrap();
        assert_eq!(panel.press, Some(PanelAction::Recheck));
    }

    #[test]
    fn approval_is_named_by_what_was_asked_for() {
        let title = |action_type| Panel::end(Outcome::Approved, None, action_type).title;
        assert_eq!(title("PAY"), "approved_title");
        assert_eq!(title("VERIFY"), "verified_title");
        assert_eq!(title("PREAUTH"), "held_title");
    }

    #[test]
    fn decline_can_be_tried_again_where_the_page_has_other_sessions() {
        let declined = || end(Outcome::Declined, Some(Decline::Funds));
        let press = |renewal| panel(renewal, declined()).unwrap().press;
        assert_eq!(press(Renewal::Available), Some(PanelAction::TryAgain));
        assert_eq!(press(Renewal::Unavailable), None);
    }

    #[test]
    fn only_the_button_that_pays_names_the_sum() {
        for (action, event, is_named) in [
            (PanelAction::ByCard, Event::MethodChosen, true),
            (PanelAction::Pay, Event::Submitted(7), false),
            (PanelAction::Leave, Event::LeaveRequested, true),
            (PanelAction::Recheck, Event::RecheckRequested, true),
            (PanelAction::TryAgain, Event::RetryRequested, true),
        ] {
            assert_eq!(action.event(7), event);
            assert_eq!(action.label().is_some(), is_named, "{action:?}");
        }
    }
}
