//! Calls about one session: which session it is, and whether the caller may use it (contract 1.4, 10.8 step 8).

use super::Reply;
use super::call::Call;
use super::caller::Caller;
use super::error::ApiError;
use super::query;
use super::requests::Member;
use super::requests::queries::AskedSession;
use crate::App;
use axum::extract::FromRequestParts;
use axum::http::request;
use payframe_error_codes::ErrorCode::PS0026;
use payframe_payment_domain::session::State;
use payframe_payment_domain::terms::Terminal;
use payframe_payment_service::session_status::SessionStatus;
use payframe_protocol::operation::Operation;
use payframe_protocol::warning::Warning;
use payframe_storage::merchants;
use payframe_storage::sessions::SessionRow;
use serde_json::Value;

/// The session of a call, which the caller may use.
pub(crate) struct CallSession {
    pub(crate) session_id: String,
    pub(crate) row: SessionRow,
}

impl CallSession {
    /// The session that this member of the body names.
    pub(crate) async fn in_body(
        app: &App,
        call: &Call,
        session_id: &Member,
    ) -> Result<CallSession, ApiError> {
        let is_left_out = call.body.is_null() && call.is_body_optional;
        if !call.body.is_object() && !is_left_out {
            call.refuse_scripts()?;
            return Err(ApiError::bad(PS0026, "the body must be an object"));
        }
        let named = match session_id.sent() {
            None => None,
            Some(Value::String(session_id)) => Some(session_id.as_str()),
            Some(_) => {
                call.refuse_scripts()?;
                return Err(ApiError::bad(PS0026, "sessionId must be a text"));
            }
        };
        CallSession::find(app, call, named).await
    }

    async fn find(app: &App, call: &Call, named: Option<&str>) -> Result<CallSession, ApiError> {
        let (session_id, hash, seen) = match &call.caller {
            Caller::Merchant { .. } => {
                let Some(session_id) = named else {
                    call.refuse_scripts()?;
                    return Err(ApiError::bad(PS0026, "sessionId is missing"));
                };
                (session_id, payframe_vault::hash(session_id), None)
            }
            Caller::Frame {
                session_id,
                session_hash,
                row,
            } => {
                if named.is_some_and(|named| named != session_id) {
                    return Err(ApiError::Unauthorized);
                }
                (session_id.as_str(), session_hash.clone(), row.as_deref())
            }
        };
        let row = match seen {
            Some(row) => app.sessions().up_to_date(row.clone()).await?,
            None => app
                .sessions()
                .find(&hash)
                .await?
                .ok_or_else(ApiError::session_dead)?,
        };
        if let Caller::Merchant { terminal, .. } = &call.caller
            && row.terms.merchant_id != terminal.merchant_id
        {
            return Err(ApiError::session_dead());
        }
        if row.session.state == State::Dead {
            return Err(ApiError::session_dead());
        }
        if matches!(call.caller, Caller::Frame { .. }) {
            app.sessions().buyer_seen(&row).await?;
        }
        Ok(CallSession {
            session_id: session_id.to_owned(),
            row,
        })
    }

    /// The terminal that made the session.
    pub(crate) async fn terminal(&self, app: &App) -> Result<Terminal, ApiError> {
        Ok(
            merchants::terminal(&mut *app.store().read().await?, &self.row.terms.terminal_id)
                .await?,
        )
    }

    /// The state of the session after `row`, with the details that the caller may know.
    pub(crate) async fn answer(
        &self,
        app: &App,
        call: &Call,
        row: &SessionRow,
        warnings: Vec<Warning>,
    ) -> Result<Reply, ApiError> {
        if row.session.state == State::Dead {
            return Err(ApiError::session_dead());
        }
        let status = app.sessions().status(row, &self.session_id).await?;
        written(call, status, warnings).map(Reply::bytes)
    }

    /// The body of the same answer after a change that recorded this operation. `None` if the answer has to be asked for.
    pub(crate) fn answer_after(
        &self,
        app: &App,
        call: &Call,
        row: &SessionRow,
        recorded: Option<&Operation>,
    ) -> Option<Vec<u8>> {
        if row.session.state == State::Dead {
            return None;
        }
        let sessions = app.sessions();
        let status = sessions.status_after(row, &self.session_id, recorded)?;
        written(call, status, Vec::new()).ok()
    }
}

/// The state of a session as JSON, with the details that the caller may know.
fn written(
    call: &Call,
    status: SessionStatus,
    warnings: Vec<Warning>,
) -> Result<Vec<u8>, ApiError> {
    let body = match call.caller {
        Caller::Merchant { .. } => serde_json::to_vec(&status.for_merchant(warnings)),
        Caller::Frame { .. } => serde_json::to_vec(&status.for_frame()),
    };
    body.map_err(|_| ApiError::Ours)
}

/// The session that the query names, or that of the calling frame.
pub(crate) struct QuerySession(pub(crate) CallSession);

impl FromRequestParts<App> for QuerySession {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut request::Parts,
        app: &App,
    ) -> Result<QuerySession, ApiError> {
        let call = Call::from_request_parts(parts, app).await?;
        let sent: AskedSession = query::sent(&call.query);
        let session = CallSession::find(app, &call, query::text_of(&sent.session_id)).await?;
        Ok(QuerySession(session))
    }
}

/// The session of the calling frame.
pub(crate) struct FrameSession(pub(crate) CallSession);

impl FromRequestParts<App> for FrameSession {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut request::Parts,
        app: &App,
    ) -> Result<FrameSession, ApiError> {
        let call = Call::from_request_parts(parts, app).await?;
        CallSession::find(app, &call, None).await.map(FrameSession)
    }
}
