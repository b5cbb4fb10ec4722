//! What a merchant's page is told in the Build protocol (contract 7): events, made of what the widget says.
//!
//! Use it in a frame of a single field that runs the widget. It has no access to the page, to the gateway or to what was typed:
//! [`crate::runtime`] hands it what was said, sends the events, and reads the session's state when this asks for it.

use payframe_protocol::api::{BuildState, FieldSet};
use payframe_protocol::build_messages::{
    BuildErrorCode, BuildEvent, BuildOperation, InputValidity,
};
use payframe_protocol::field_id::FieldId;
use payframe_protocol::frame::{FieldReport, FlowState, PayframeErrorCode};

/// The events of one session.
pub struct BuildEvents {
    /// The session's inputs, in the order in which they are shown.
    fields: Vec<FieldId>,
    /// Id of the field whose frame runs the widget: it speaks for the session.
    own_field: String,
    reports: Vec<FieldReport>,
    /// The fields that the page knows to be valid.
    told_valid: Vec<FieldId>,
    focused: Option<FieldId>,
    state: Option<FlowState>,
    is_confirming: bool,
    /// The numbers of the page's commands so far.
    calls: Vec<String>,
}

/// What the widget says, as far as an event can follow from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// The fields have this state.
    Changed(Vec<FieldReport>),
    /// The field has the focus.
    Focused(FieldId),
    /// The field lost the focus.
    Left(FieldId),
    /// The page's command was not carried out.
    Refused(PayframeErrorCode),
    /// The flow has this state.
    Flow(FlowState),
}

/// What follows from what was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The page is told.
    Tell(BuildEvent),
    /// The gateway is asked for the session's state; the answer is for [`BuildEvents::state_read`].
    ReadState,
}

/// The session's state object (2.10), as far as the page is told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionState {
    /// Where the session stands.
    pub state: BuildState,
    /// Where the browser is to go.
    pub url: Option<String>,
    /// What to show now.
    pub field_set: Option<FieldSet>,
    /// The last operation.
    pub operation: Option<BuildOperation>,
}

/// Why there is no state object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoState {
    /// The session is over.
    Expired,
    /// The gateway was not reached, or its answer is none.
    Unknown,
}

impl BuildEvents {
    /// For a session with these inputs, in a frame that shows `own_field`.
    pub fn new(fields: Vec<FieldId>, own_field: String) -> Self {
        Self {
            fields,
            own_field,
            reports: Vec::new(),
            told_valid: Vec::new(),
            focused: None,
            state: None,
            is_confirming: false,
            calls: Vec::new(),
        }
    }

    /// The page's command to send the card. Whether it counts: each comes through every frame, and one is carried out at a time.
    pub fn begin_confirm(&mut self, call: String) -> bool {
        if self.calls.contains(&call) {
            return false;
        }
        self.calls.push(call);
        !std::mem::replace(&mut self.is_confirming, true)
    }

    /// What follows from what the widget says.
    pub fn hear(&mut self, said: Said) -> Vec<Effect> {
        match said {
            Said::Changed(reports) => self.changed(reports),
            Said::Focused(field) => {
                self.focused = Some(field);
                let id = field.id().into();
                self.with_valid_fields(BuildEvent::FieldFocussed { id })
            }
            Said::Left(field) => {
                self.focused = None;
                let id = field.id().into();
                self.with_valid_fields(BuildEvent::FieldBlurred { id })
            }
            Said::Refused(PayframeErrorCode::Busy) => Vec::new(),
            Said::Refused(cause) => vec![self.confirm_failed(code_of_refusal(cause))],
            Said::Flow(state) => self.flow_changed(state),
        }
    }

    /// What follows from the gateway's answer to [`Effect::ReadState`].
    pub fn state_read(&mut self, answer: Result<SessionState, NoState>) -> Vec<Effect> {
        let cause = match answer {
            Ok(now) => return self.session_changed(now),
            Err(cause) => cause,
        };
        let mut effects = Vec::new();
        if cause == NoState::Expired {
            effects.push(self.session_expired());
        }
        if self.is_confirming {
            effects.push(self.confirm_failed(BuildErrorCode::HF0002));
        }
        effects
    }

    /// What follows from the gateway's answer once the page is back from the back-forward cache. A session that still takes a card is no news.
    pub fn state_read_again(&mut self, answer: Result<SessionState, NoState>) -> Vec<Effect> {
        match answer {
            Ok(now) if now.state != BuildState::CardDataCollection => self.session_changed(now),
            Err(NoState::Expired) => vec![self.session_expired()],
            _ => Vec::new(),
        }
    }

    /// The fields whose state is known.
    pub fn known_fields(&self) -> impl Iterator<Item = FieldId> {
        self.reports.iter().map(|report| report.id)
    }

    /// The classes of a field's input, for style sheets of merchants, and whether it has them now.
    pub fn classes(&self, field: FieldId) -> [(&'static str, bool); 5] {
        let report = self.reports.iter().find(|report| report.id == field);
        let is_busy = !matches!(self.state, None | Some(FlowState::CardDataCollection));
        [
            ("is-empty", report.is_none_or(|report| report.empty)),
            ("is-focused", self.focused == Some(field)),
            ("is-valid", report.is_some_and(is_valid)),
            (
                "is-invalid",
                report.is_some_and(|report| report.error.is_some()),
            ),
            ("is-disabled", is_busy),
        ]
    }

    fn changed(&mut self, reports: Vec<FieldReport>) -> Vec<Effect> {
        let before = std::mem::replace(&mut self.reports, reports);
        let mut effects = Vec::new();
        for report in &self.reports {
            let former = before.iter().find(|former| former.id == report.id);
            if let Some(error) = &report.error
                && former.and_then(|former| former.error.as_ref()) != Some(error)
            {
                effects.push(Effect::Tell(BuildEvent::BuildError {
                    id: report.id.id().into(),
                    error_code: code_of_field(report.id, error),
                    error_message: report.message.clone().unwrap_or_default(),
                }));
            }
            if !is_valid(report) {
                self.told_valid.retain(|told| *told != report.id);
            }
        }
        effects.extend(self.newly_valid());
        effects
    }

    fn with_valid_fields(&mut self, event: BuildEvent) -> Vec<Effect> {
        let mut effects = vec![Effect::Tell(event)];
        effects.extend(self.newly_valid());
        effects
    }

    /// The fields that have become valid. A number that is being typed may be valid at several lengths.
    fn newly_valid(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        for report in &self.reports {
            let id = report.id;
            let is_being_typed = id == FieldId::CardNumber && self.focused == Some(id);
            if is_valid(report) && !is_being_typed && !self.told_valid.contains(&id) {
                self.told_valid.push(id);
                effects.push(Effect::Tell(BuildEvent::BuildSuccess {
                    id: id.id().into(),
                }));
            }
        }
        effects
    }

    fn flow_changed(&mut self, state: FlowState) -> Vec<Effect> {
        let is_first = self.state.replace(state).is_none();
        match state {
            // The page knows the first state from its server.
            _ if is_first => Vec::new(),
            FlowState::Processing => Vec::new(),
            FlowState::Expired if self.is_confirming => {
                vec![self.confirm_failed(BuildErrorCode::HF0003)]
            }
            FlowState::Expired => vec![self.session_expired()],
            FlowState::CardDataCollection if self.is_confirming => {
                let some_field_is_wrong = self.reports.iter().any(|report| report.error.is_some());
                vec![self.confirm_failed(if some_field_is_wrong {
                    BuildErrorCode::HF0007
                } else {
                    BuildErrorCode::HF0002
                })]
            }
            FlowState::CardDataCollection => Vec::new(),
            FlowState::ReadyForPayment => self.session_changed(SessionState {
                state: BuildState::ReadyForPayment,
                url: None,
                field_set: None,
                operation: None,
            }),
            FlowState::PaymentMethodSelection
            | FlowState::Finalizing
            | FlowState::Challenge
            | FlowState::RedirectedToExternalDomain
            | FlowState::PaymentComplete => vec![Effect::ReadState],
        }
    }

    /// The session has a new state: a confirm that runs has ended with it.
    fn session_changed(&mut self, now: SessionState) -> Vec<Effect> {
        let was_confirming = std::mem::take(&mut self.is_confirming);
        let mut effects = Vec::new();
        let result = now.operation.as_ref().map(|made| &*made.operation_result);
        if was_confirming && result == Some("THREEDS_FAILED") {
            effects.push(failure("GDI", BuildErrorCode::HF0009));
        }
        effects.push(Effect::Tell(BuildEvent::BuildFlowStateChange {
            state: now.state,
            field_set: now.field_set,
            url: now.url,
            operation: now.operation.map(Box::new),
            data: None,
        }));
        effects
    }

    fn session_expired(&self) -> Effect {
        failure(&self.own_field, BuildErrorCode::HF0003)
    }

    fn confirm_failed(&mut self, code: BuildErrorCode) -> Effect {
        self.is_confirming = false;
        let reports = &self.reports;
        let validity = |field: &FieldId| InputValidity {
            id: field.id().into(),
            valid: reports
                .iter()
                .any(|report| report.id == *field && is_valid(report)),
        };
        Effect::Tell(BuildEvent::ConfirmError {
            id: "confirmData".into(),
            error_code: code,
            error_message: sentence(code).into(),
            validation_status: self.fields.iter().map(validity).collect(),
        })
    }
}

fn is_valid(report: &FieldReport) -> bool {
    report.complete && report.error.is_none()
}

/// Something is wrong that is no mistake of the buyer.
fn failure(id: &str, code: BuildErrorCode) -> Effect {
    Effect::Tell(BuildEvent::BuildError {
        id: id.into(),
        error_code: code,
        error_message: sentence(code).into(),
    })
}

/// The code for an error of a field.
fn code_of_field(field: FieldId, error: &str) -> BuildErrorCode {
    match field {
        FieldId::CardNumber => match error {
            "card_number_unknown_network" | "card_number_not_accepted" => BuildErrorCode::HF0005,
            _ => BuildErrorCode::HF0004,
        },
        FieldId::Expiry => BuildErrorCode::HF0006,
        FieldId::HolderName | FieldId::HolderSurname => BuildErrorCode::HF0007,
        FieldId::SecurityCode | FieldId::Email | FieldId::Privacy => BuildErrorCode::HF0001,
    }
}

/// The code for a confirm that was refused. Every cause that is not listed is the session's state.
fn code_of_refusal(cause: PayframeErrorCode) -> BuildErrorCode {
    match cause {
        PayframeErrorCode::InvalidData => BuildErrorCode::HF0007,
        PayframeErrorCode::Offline | PayframeErrorCode::ScriptBlocked => BuildErrorCode::HF0002,
        _ => BuildErrorCode::HF9004,
    }
}

/// For developers. Buyers read a text of the merchant, or the sentence of the field.
fn sentence(code: BuildErrorCode) -> &'static str {
    match code {
        BuildErrorCode::HF0003 => "The session has expired.",
        BuildErrorCode::HF0007 => "Some field is not valid.",
        BuildErrorCode::HF0009 => "The device check failed.",
        BuildErrorCode::HF9004 => "The session is in a state that does not allow this.",
        _ => "The service is briefly unavailable.",
    }
}

#[cfg(test)]
mod tests;
