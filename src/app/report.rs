//! What the shop's page is told about the fields. Only the late part tells it.

use super::App;
use crate::fields::{Field, Report};
use payframe_protocol::frame::{ChangeDetail, FrameMessage};

impl App {
    /// Tells the page what happened to the fields before the late part was there. Of a form that nobody touched nothing is told, except in
    /// the Build protocol, where the inputs get their classes with it.
    pub fn tell_first_change(&self) {
        let untouched = |field: &Field| field.is_empty() && field.message.get().is_none();
        if self.build_page.get().is_none() && self.fields.wanted().all(untouched) {
            self.last_reported_fields.set(Some(self.current_report()));
        } else {
            self.tell_change();
        }
    }

    /// Tells the page the state of the fields if it has changed.
    pub fn tell_change(&self) {
        let report = self.current_report();
        if self.last_reported_fields.replace(Some(report)) != Some(report) {
            self.host.send(&self.change());
        }
    }

    /// What the page is told about the fields, without any digit that the session does not allow.
    fn current_report(&self) -> Report {
        let digits = self.session.borrow().text("cardSummary") != "NONE";
        self.fields.report(digits)
    }

    /// The state of the fields, for the page.
    fn change(&self) -> FrameMessage {
        let fields = self.fields.reports(&self.texts);
        let (bin, last4) = self.summary();
        FrameMessage::Change(ChangeDetail {
            complete: fields.iter().all(|field| field.complete),
            reason: self.missing_choice(),
            empty: fields.iter().all(|field| field.empty),
            brand: self
                .fields
                .reported_network()
                .map(|network| network.code().into()),
            candidates: self
                .fields
                .candidates()
                .iter()
                .map(|network| network.code().into())
                .collect(),
            fields,
            bin,
            last4,
        })
    }

    /// First and last digits, as far as the merchant's server asked for them when it created the session.
    pub fn summary(&self) -> (Option<String>, Option<String>) {
        let wanted = self.session.borrow().text("cardSummary");
        let known = (wanted != "NONE").then(|| self.fields.summary()).flatten();
        match (wanted.as_str(), known) {
            ("LAST4", Some((_, last4))) => (None, Some(last4)),
            ("BIN_LAST4", Some((bin, last4))) => (Some(bin), Some(last4)),
            _ => (None, None),
        }
    }
}
