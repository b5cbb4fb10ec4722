//! The issuer's page in its frame: whether it has come, what replaces it, and when the whole window is offered. It moves no money: the
//! gateway's answer decides what the challenge came to.

use super::{ChallengeFailure, Effect, Flow, FrameContent, IssuerPage, Phase};

impl Flow {
    pub(super) fn issuer_page_seen(self, content: FrameContent) -> (Self, Vec<Effect>) {
        let Phase::Challenge { url, page } = self.phase.clone() else {
            return self.stay();
        };
        match content {
            _ if page.is_away => self.stay(),
            FrameContent::Ours => self.with_page(IssuerPage {
                has_come: true,
                ..page
            }),
            FrameContent::Nothing if !page.has_come => self.stay(),
            FrameContent::Nothing | FrameContent::Other => {
                let (flow, mut effects) = self.with_page(IssuerPage {
                    is_away: true,
                    ..page
                });
                effects.push(Effect::RemoveIssuerPage(url));
                (flow, effects)
            }
        }
    }

    /// It has not come for a while.
    pub(super) fn issuer_page_late(self) -> (Self, Vec<Effect>) {
        match self.phase {
            Phase::Challenge { page, .. } if !page.has_come => self.with_page(IssuerPage {
                offers_window: true,
                ..page
            }),
            _ => self.stay(),
        }
    }

    pub(super) fn challenge_troubled(self, trouble: ChallengeFailure) -> (Self, Vec<Effect>) {
        let Phase::Challenge { page, .. } = self.phase else {
            return self.stay();
        };
        let flow = self.with_challenge_failure(trouble);
        let (flow, mut effects) = flow.with_page(IssuerPage {
            offers_window: true,
            ..page
        });
        effects.push(Effect::ReportTrouble(trouble));
        (flow, effects)
    }

    /// The browser comes back to the merchant's address, and the outcome is then read from the gateway.
    pub(super) fn window_requested(self) -> (Self, Vec<Effect>) {
        match &self.phase {
            Phase::Challenge { url, .. } => {
                let opens = Effect::OpenIssuerWindow(url.clone());
                (self, vec![opens])
            }
            _ => self.stay(),
        }
    }

    /// The page of the same question: its answer still counts.
    fn with_page(self, now: IssuerPage) -> (Self, Vec<Effect>) {
        let phase = match self.phase {
            Phase::Challenge { url, .. } => Phase::Challenge { url, page: now },
            other => other,
        };
        (Self { phase, ..self }, vec![])
    }
}
