//! `POST /orders/build` and `/build/*` (contract, sections 3 and 4).

use super::Reply;
use super::caller::Caller;
use super::fields::{Presence, Section};
use super::order_request::{self, Headers, Rules};
use super::pipeline::Call;
use super::problem::{Findings, Refusal};
use super::session_call::Named;
use crate::App;
use crate::clock::terminal_day;
use crate::domain::operation::ActionType;
use crate::domain::session::{Closing, State};
use crate::domain::terms::{Closer, Version};
use crate::payments::closing::{CloseCall, CloseProblem, Closed};
use crate::payments::problem::PaymentProblem;
use axum::http::StatusCode;
use payframe_checkout::money::Amount;
use payframe_protocol::api::CardData;
use payframe_protocol::build::{IntegrityAnswer, ScriptIntegrity};
use payframe_protocol::operation::Warning;
use serde_json::Value;

/// `POST /orders/build`
pub(crate) async fn open_payment(app: &App, call: &Call) -> Result<Reply, Refusal> {
    let Caller::Merchant { terminal, .. } = &call.caller else {
        return Err(Refusal::Unauthorized);
    };
    call.refuse_scripts()?;
    let rules = Rules {
        config: app.config(),
        terminal,
        today: terminal_day(app.clock().now_ms()),
    };
    let headers = Headers {
        plugin_name: call.plugin_name.as_deref(),
        correlation_id: &call.correlation_id,
    };
    let opening = order_request::read(&call.body, &headers, &rules)?;
    let body = app
        .open_payment(terminal, opening, call.slot.as_ref())
        .await?;
    Ok(Reply::bytes(body))
}

/// `GET /build/state`
pub(crate) async fn state(app: &App, call: &Call) -> Result<Reply, Refusal> {
    let named = Named::in_query(app, call).await?;
    named.answer(app, call, &named.row, Vec::new()).await
}

/// `GET /build/cardData`
pub(crate) async fn card_data(app: &App, call: &Call) -> Result<Reply, Refusal> {
    let named = Named::in_query(app, call).await?;
    let card = match &named.row.session.state {
        State::Ready { card }
        | State::VerifyingDevice { card, .. }
        | State::Challenged { card, .. }
        | State::Authorizing { card, .. }
        | State::Complete {
            card: Some(card), ..
        } => card,
        other => return Err(Refusal::wrong_state(other)),
    };
    Reply::json(&CardData {
        bin: card.bin.clone(),
        last_four_digits: card.last4.clone(),
        expiring_date: card.expiry.mmyy(),
        circuit: card.network.code().to_owned(),
        funding: card.funding.map(|funding| funding.code().to_owned()),
        issuer_country: card.country.clone(),
    })
}

/// `GET /build/integrity`
pub(crate) fn integrity(app: &App) -> Result<Reply, Refusal> {
    let scripts: Vec<ScriptIntegrity> = app
        .dist()
        .map(|dist| dist.integrity())
        .unwrap_or_default()
        .into_iter()
        .map(|(path, integrity)| ScriptIntegrity {
            src: format!("{}{path}", app.config().origin),
            integrity,
        })
        .collect();
    let Some(current) = scripts.first() else {
        return Err(Refusal::with(
            StatusCode::INTERNAL_SERVER_ERROR,
            "PS0000",
            "the browser SDK is not built",
        ));
    };
    let answer = IntegrityAnswer {
        integrity: current.integrity.clone(),
        cross_origin: String::from("anonymous"),
        scripts,
    };
    Ok(Reply {
        cache: Some("max-age=300"),
        ..Reply::json(&answer)?
    })
}

/// `POST /build/confirm_payment`
pub(crate) async fn confirm(app: &App, call: &Call) -> Result<Reply, Refusal> {
    let named = Named::in_body(app, call).await?;
    call.refuse_scripts()?;
    let mut findings = Findings::default();
    let mut body = Section::body(&call.body, &mut findings);
    let amount = body.amount("amount", Presence::Mandatory, &mut findings);
    let confirms = match body.value("confirm") {
        None => true,
        Some(Value::Bool(confirm)) => *confirm,
        Some(_) => {
            findings.add("PS0026", "confirm must be true or false");
            true
        }
    };
    if amount.is_some_and(Amount::is_zero) && named.row.terms.action != ActionType::Verify {
        findings.add("PS0026", "amount must be above 0");
    }
    if matches!(call.caller, Caller::Frame { .. }) {
        if amount.is_some_and(|amount| amount != named.row.amount) {
            findings.add("PS0026", "amount must be the session's");
        }
        if !confirms {
            findings.add(
                "PS0026",
                "confirm may be false only from the merchant's server",
            );
        }
    }
    findings.into_result()?;
    let amount = amount.ok_or(Refusal::Ours)?;
    may_close(call, &named, Version::Two)?;
    if confirms {
        return close(app, call, &named, Closing::Confirm, Some(amount)).await;
    }
    let closed = app
        .fix_amount(&named.row.hash, amount)
        .await
        .map_err(|problem| with_state(problem, &named))?;
    named.answer(app, call, &closed.row, dropped(&closed)).await
}

/// `POST /build/finalize_payment`
pub(crate) async fn finalize(app: &App, call: &Call) -> Result<Reply, Refusal> {
    let named = Named::in_body(app, call).await?;
    call.refuse_scripts()?;
    may_close(call, &named, Version::Three)?;
    close(app, call, &named, Closing::Finalize, None).await
}

/// `POST /build/cancel`
pub(crate) async fn cancel(app: &App, call: &Call) -> Result<Reply, Refusal> {
    let named = Named::in_body(app, call).await?;
    call.refuse_scripts()?;
    let (terminal_id, by_buyer) = match &call.caller {
        Caller::Merchant { terminal, .. } => (Some(terminal.terminal_id.as_str()), false),
        Caller::Frame { .. } => (None, true),
    };
    let row = app.cancel(&named.row.hash, terminal_id, by_buyer).await?;
    named.answer(app, call, &row, Vec::new()).await
}

async fn close(
    app: &App,
    call: &Call,
    named: &Named,
    closing: Closing,
    amount: Option<Amount>,
) -> Result<Reply, Refusal> {
    let (terminal_id, by_buyer) = match &call.caller {
        Caller::Merchant { terminal, .. } => (terminal.terminal_id.clone(), false),
        Caller::Frame { .. } => (named.row.terms.terminal_id.clone(), true),
    };
    let close = CloseCall {
        closing,
        amount,
        terminal_id,
        by_buyer,
        slot: call.slot.as_ref(),
    };
    match app.close(&named.row.hash, close).await {
        Ok(closed) => named.answer(app, call, &closed.row, dropped(&closed)).await,
        Err(CloseProblem::OtherAmount) => Err(Refusal::bad(
            "PS0026",
            "amount must be the one that was confirmed",
        )),
        Err(CloseProblem::Payment(problem)) => Err(with_state(problem, named)),
    }
}

/// Whether the caller may close a session of this version (contract 1.4, 3.2, 3.7).
fn may_close(call: &Call, named: &Named, version: Version) -> Result<(), Refusal> {
    let terms = &named.row.terms;
    if terms.version != version {
        let right = match terms.version {
            Version::Two => "confirm_payment",
            Version::Three => "finalize_payment",
        };
        let text = format!(
            "a session of version {} is closed by {right}",
            terms.version.number()
        );
        return Err(Refusal::bad("GW9003", text));
    }
    if matches!(call.caller, Caller::Frame { .. }) && terms.closer == Closer::Server {
        return Err(Refusal::bad(
            "GW9003",
            "only the merchant's server may close this session (form.closing)",
        ));
    }
    Ok(())
}

/// Names the state where that is the reason.
fn with_state(problem: PaymentProblem, named: &Named) -> Refusal {
    match problem {
        PaymentProblem::Refused(crate::domain::session::Refusal::WrongState) => {
            Refusal::wrong_state(&named.row.session.state)
        }
        other => other.into(),
    }
}

fn dropped(closed: &Closed) -> Vec<Warning> {
    if !closed.offer_dropped {
        return Vec::new();
    }
    vec![Warning {
        code: String::from("GW9102"),
        description: String::from(
            "the accepted currency offer was dropped because the amount changed",
        ),
    }]
}
