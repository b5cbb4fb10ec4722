//! The status of a session, in the terms of the API (contract 2.10, 4.2).

use crate::Sessions;
use crate::error::PaymentError;
use payframe_money::minor_digits;
use payframe_payment_domain::offer::AcceptedOffer;
use payframe_payment_domain::operation::OperationResult;
use payframe_payment_domain::session::{self, PreviousAttempt, State, StateBeforeAuthorization};
use payframe_payment_domain::sum::Sum;
use payframe_payment_domain::terms::{CardField, Terms};
use payframe_protocol::api::{
    BuildState, Field, FieldSet, FrameAdditionalData, OperationSummary, SessionSum, StateObject,
};
use payframe_protocol::build::MerchantStateObject;
use payframe_protocol::operation::{CARD_TESTING_RULE, Operation};
use payframe_protocol::warning::Warning;
use payframe_storage::sessions::SessionRow;
use payframe_storage::{merchants, operations};

/// The status of a session.
pub struct SessionStatus {
    /// As the contract names it.
    pub state: BuildState,
    /// The URL to which the browser must go.
    pub url: Option<String>,
    /// The last operation, if there is one.
    pub operation: Option<Operation>,
    /// The fields that the merchant shows next.
    pub field_set: Option<FieldSet>,
    /// Code of the alternative method to which the buyer was sent.
    pub method: Option<&'static str>,
    /// The sum of the session, while it is open.
    pub sum: Option<Sum>,
    /// The sum that the buyer pays instead, if an offer was accepted with the card.
    pub offer: Option<Sum>,
    /// The time until the next limit of the session, while it is open.
    pub seconds_left: Option<u32>,
}

/// The state's name in the API.
pub(crate) fn wire_state(state: &State) -> BuildState {
    match state {
        State::ChoosingMethod => BuildState::PaymentMethodSelection,
        State::CollectingCard(_) | State::CheckingDevice { .. } => BuildState::CardDataCollection,
        State::Ready { .. }
        | State::Authorizing {
            from: StateBeforeAuthorization::Ready,
            ..
        }
        | State::SteppingUp {
            from: StateBeforeAuthorization::Ready,
            ..
        } => BuildState::ReadyForPayment,
        State::VerifyingDevice { .. }
        | State::Authorizing {
            from: StateBeforeAuthorization::VerifyingDevice,
            ..
        }
        | State::SteppingUp {
            from: StateBeforeAuthorization::VerifyingDevice,
            ..
        } => BuildState::GdiVerification,
        State::Challenged { .. }
        | State::Redirected { .. }
        | State::AuthorizingMethod { .. }
        | State::Authorizing {
            from: StateBeforeAuthorization::Challenged,
            ..
        }
        | State::SteppingUp {
            from: StateBeforeAuthorization::Challenged,
            ..
        } => BuildState::RedirectedToExternalDomain,
        State::Complete { .. } | State::Cancelled { .. } | State::Dead => {
            BuildState::PaymentComplete
        }
    }
}

/// The id of the operation that a session in this state shows.
fn shown_operation(state: &State) -> Option<&str> {
    match state {
        State::Complete { operation_id, .. }
        | State::Cancelled { operation_id, .. }
        | State::CollectingCard(PreviousAttempt::Refused { operation_id, .. }) => {
            Some(operation_id)
        }
        _ => None,
    }
}

fn asks_card(state: &State) -> bool {
    wire_state(state) == BuildState::CardDataCollection
}

impl Sessions<'_> {
    /// The present session. Expired limits have been applied.
    pub async fn find(&self, hash: &str) -> Result<Option<SessionRow>, PaymentError> {
        self.transitions.find(hash).await
    }

    /// The same for a session that has just been read.
    pub async fn up_to_date(&self, row: SessionRow) -> Result<SessionRow, PaymentError> {
        self.transitions.up_to_date(row).await
    }

    /// The status of a session. `session_id` comes from the caller: only its hash is stored.
    pub async fn status(
        &self,
        row: &SessionRow,
        session_id: &str,
    ) -> Result<SessionStatus, PaymentError> {
        let mut connection = self.context.store().read().await?;
        let operation = match shown_operation(&row.session.state) {
            Some(operation_id) => operations::find(&mut connection, operation_id).await?,
            None => None,
        };
        let card_fields = if asks_card(&row.session.state) {
            merchants::terminal(&mut connection, &row.terms.terminal_id)
                .await?
                .card_fields
        } else {
            Vec::new()
        };
        Ok(self.status_of(row, session_id, operation, &card_fields))
    }

    /// The status of a session after a change, by the operation that the change recorded. `None` if the status needs more from the
    /// database.
    pub fn status_after(
        &self,
        row: &SessionRow,
        session_id: &str,
        recorded: Option<&Operation>,
    ) -> Option<SessionStatus> {
        let operation = match shown_operation(&row.session.state) {
            Some(operation_id) => {
                Some(recorded.filter(|recorded| recorded.operation_id == operation_id)?)
            }
            None => None,
        };
        let is_complete = !asks_card(&row.session.state);
        is_complete.then(|| self.status_of(row, session_id, operation.cloned(), &[]))
    }

    /// `operation`: the one that the session shows. `card_fields`: those of the terminal, if the session asks for a card.
    fn status_of(
        &self,
        row: &SessionRow,
        session_id: &str,
        operation: Option<Operation>,
        card_fields: &[CardField],
    ) -> SessionStatus {
        let state = wire_state(&row.session.state);
        let fields = match state {
            BuildState::PaymentMethodSelection => Some(self.method_fields(&row.terms, session_id)),
            BuildState::CardDataCollection => {
                Some(self.card_fields(&row.terms, card_fields, session_id))
            }
            BuildState::GdiVerification => {
                Some(vec![self.device_check_field(&row.terms, session_id)])
            }
            _ => None,
        };
        let method = match &row.session.state {
            State::Redirected { redirect } | State::AuthorizingMethod { redirect, .. } => {
                Some(redirect.method.code())
            }
            _ => None,
        };
        let sum = row.session.state.is_open().then(|| row.sum());
        let offer = taken_offer(&row.session.state).filter(|_| sum.is_some());
        SessionStatus {
            state,
            method,
            sum,
            offer: offer.map(Sum::from),
            url: self
                .context
                .challenge_url(row)
                .or_else(|| self.context.method_url(row)),
            operation,
            field_set: fields.map(|fields| FieldSet {
                session_id: session_id.to_owned(),
                fields,
            }),
            seconds_left: self.seconds_left(row),
        }
    }

    /// Whole seconds until an open session or its challenge expires. A request from a frame counts as activity of the buyer.
    fn seconds_left(&self, row: &SessionRow) -> Option<u32> {
        if !row.session.state.is_open() {
            return None;
        }
        let now_ms = self.context.clock().now_ms();
        let (_, at_ms) = session::next_limit(
            &row.session.state,
            now_ms,
            row.ends_ms,
            self.context.limits(),
        )?;
        u32::try_from((at_ms - now_ms).max(0) / 1_000).ok()
    }

    /// The buttons of the method selection. The card's button is the first.
    pub(crate) fn method_fields(&self, terms: &Terms, session_id: &str) -> Vec<Field> {
        let card = self.field("ACTION", "CARD", CARD_BUTTON, terms, session_id);
        let others = terms
            .methods
            .iter()
            .map(|method| self.field("ACTION", "APM", method.code(), terms, session_id));
        std::iter::once(card).chain(others).collect()
    }

    /// The inputs of the card.
    pub fn card_fields(&self, terms: &Terms, fields: &[CardField], session_id: &str) -> Vec<Field> {
        fields
            .iter()
            .map(|field| self.field("TEXT", "CARD_FIELD", field.id(), terms, session_id))
            .collect()
    }

    /// The device check of version 2.
    pub(crate) fn device_check_field(&self, terms: &Terms, session_id: &str) -> Field {
        self.field("GDI", "GDI", "GDI", terms, session_id)
    }

    fn field(&self, kind: &str, class: &str, id: &str, terms: &Terms, session_id: &str) -> Field {
        let src = format!(
            "{}/fields/?id={id}&lang={}&correlationid={}&sessionid={session_id}&placeholder=Y",
            self.context.settings().origin,
            terms.language.to_ascii_uppercase(),
            terms.trace_id,
        );
        Field {
            kind: kind.to_owned(),
            class: class.to_owned(),
            id: id.to_owned(),
            src,
        }
    }
}

impl SessionStatus {
    /// For the merchant's server.
    pub fn for_merchant(self, warnings: Vec<Warning>) -> MerchantStateObject {
        let SessionStatus {
            state,
            url,
            operation,
            field_set,
            method: _,
            sum: _,
            offer: _,
            seconds_left: _,
        } = self;
        MerchantStateObject {
            state,
            url,
            operation,
            field_set,
            warnings,
        }
    }

    /// For a frame: without the data that is only for the merchant's server.
    pub fn for_frame(self) -> StateObject {
        let SessionStatus {
            state,
            url,
            operation,
            field_set,
            method,
            sum,
            offer,
            seconds_left,
        } = self;
        StateObject {
            sum: sum.as_ref().map(session_sum),
            offer: offer.as_ref().map(session_sum),
            method: method.map(str::to_owned),
            state,
            url,
            operation: operation.as_ref().map(summary),
            field_set,
            seconds_left,
        }
    }
}

/// A sum, as a frame reads it.
pub fn session_sum(sum: &Sum) -> SessionSum {
    SessionSum {
        amount: sum.amount.to_string(),
        currency: sum.currency.clone(),
        minor_digits: minor_digits(&sum.currency).unwrap_or(2),
    }
}

/// The offer that the buyer accepted with the card. The choice can be changed as long as the session collects a card.
pub(crate) fn taken_offer(state: &State) -> Option<&AcceptedOffer> {
    let card = match state {
        State::Ready { card }
        | State::VerifyingDevice { card, .. }
        | State::Challenged { card, .. }
        | State::Authorizing { card, .. }
        | State::SteppingUp { card, .. }
        | State::Complete {
            card: Some(card), ..
        } => card,
        _ => return None,
    };
    card.offer.as_ref()
}

/// The part of an operation that a frame may read. A refusal by the rules against card testing reads as a decline of the issuer.
pub fn summary(operation: &Operation) -> OperationSummary {
    let is_stopped = operation.additional_data.contains_key(CARD_TESTING_RULE);
    let (result, status) = if is_stopped {
        (OperationResult::Declined.code(), Some(DO_NOT_HONOUR))
    } else {
        let status = operation.additional_data.get("authorizationStatus");
        let status = status.and_then(|status| status.as_str()).map(told_code);
        (operation.operation_result.as_str(), status)
    };
    OperationSummary {
        order_id: operation.order_id.clone(),
        operation_id: operation.operation_id.clone(),
        operation_type: operation.operation_type.clone(),
        operation_result: result.to_owned(),
        operation_time: operation.operation_time.clone(),
        additional_data: status.map(|status| FrameAdditionalData {
            authorization_status: Some(status.to_owned()),
        }),
    }
}

/// The response code that a frame may read: one for each sentence that buyers read. Whoever tries out stolen cards must not learn
/// whether a card is blocked, unknown or suspected. The merchant's server reads the issuer's own code.
fn told_code(code: &str) -> &str {
    match code {
        "000" | "101" | "111" | "129" | "888" => code,
        "110" | "117" | "126" => "110",
        "116" | "121" | "123" => "116",
        technical if technical.starts_with('9') => "909",
        _ => DO_NOT_HONOUR,
    }
}

/// The response code of a decline without a reason.
const DO_NOT_HONOUR: &str = "100";

/// Id of the button that chooses the card.
pub const CARD_BUTTON: &str = "PAY_WITH_CARD";
