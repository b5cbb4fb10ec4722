//! `POST /orders/build` and `/build/*` (contract, sections 3 and 4).

use super::Reply;
use super::call::Call;
use super::caller::Caller;
use super::caller::Callers;
use super::creation_rules::{Headers, Rules};
use super::error::{ApiError, Findings};
use super::fields::{Presence, Section};
use super::operation::{Area, Money, Operation, answers, answers_either, body};
use super::order_request::{self};
use super::requests::Part;
use super::requests::creation::OpenPayment;
use super::requests::queries::AskedSession;
use super::requests::schema::parameters;
use super::requests::session::{ConfirmPayment, NamedSession};
use super::session_call::Named;
use crate::App;
use axum::http::StatusCode;
use payframe_error_codes::ErrorCode::{
    GW0001, GW0002, GW9003, GW9006, GW9102, PS0000, PS0005, PS0006, PS0007, PS0008, PS0009, PS0017,
    PS0026, PS0036, PS0061,
};
use payframe_money::Amount;
use payframe_payment_domain::card::circuit;
use payframe_payment_domain::operation::ActionType;
use payframe_payment_domain::session::{Closing, State};
use payframe_payment_domain::terms::{CaptureInitiator, Version};
use payframe_payment_service::PaymentError;
use payframe_payment_service::completion::{CloseCall, Closed, CompletionError};
use payframe_protocol::api::{CardData, StateObject};
use payframe_protocol::build::{
    BuildAnswer, IntegrityAnswer, MerchantStateObject, ScriptIntegrity,
};
use payframe_protocol::warning::Warning;

/// Contract, sections 3 and 4.
pub(super) const OPERATIONS: &[Operation] = &[
    Operation {
        title: "Open a payment in an embedded form",
        about: "Makes a build session for an order. The answer says where the form or its fields are. \
                The order may be new, or one without an approved payment and with the same amount and currency. \
                The origin of `merchantUrl` has to be proven for the terminal. \
                `paymentSession.amount` must not be above `order.amount`; both are above 0 except with `VERIFY`.",
        answer: answers::<BuildAnswer>(),
        refusals: &[
            GW0001, PS0026, PS0036, PS0008, PS0009, PS0007, PS0005, PS0006, GW0002, PS0017, GW9006,
        ],
        money: Money::Asked,
        ..Operation::post(
            "openPayment",
            "/orders/build",
            body::<OpenPayment>(),
            |app, call| Box::pin(open_payment(app, call)),
        )
    },
    Operation {
        area: Area::Payments,
        title: "Ask where a session stands",
        about: "The state of the session, and what the page must show in it.",
        callers: Callers::MerchantOrFrame,
        query: parameters::<AskedSession>,
        answer: answers_either::<MerchantStateObject, StateObject>(),
        refusals: &[PS0026, PS0061],
        ..Operation::get("readState", "/build/state", |app, call| {
            Box::pin(state(app, call))
        })
    },
    Operation {
        area: Area::Payments,
        title: "Read what may be shown of the card",
        about: "First and last digits, expiry and network of the card that was entered. Not before it was entered.",
        callers: Callers::MerchantOrFrame,
        query: parameters::<AskedSession>,
        answer: answers::<CardData>(),
        refusals: &[PS0026, PS0061, GW9003],
        ..Operation::get("readCardData", "/build/cardData", |app, call| {
            Box::pin(card_data(app, call))
        })
    },
    Operation {
        area: Area::Payments,
        title: "Read the integrity values of the browser SDK",
        about: "What the attribute `integrity` of a script element has to be for each script that merchants load. \
                May be kept for five minutes.",
        answer: answers::<IntegrityAnswer>(),
        ..Operation::get("readIntegrity", "/build/integrity", |app, _| {
            Box::pin(async { integrity(app) })
        })
    },
    Operation {
        title: "Close a payment of version 2",
        about: "Charges the card that was entered, or, with `confirm: false`, only fixes the amount. \
                A frame may call it where the session says so (`form.closing`), with the session's amount.",
        callers: Callers::MerchantOrFrame,
        answer: answers_either::<MerchantStateObject, StateObject>(),
        refusals: &[PS0026, PS0036, PS0061, PS0017, GW9003, GW9006],
        money: Money::Asked,
        ..Operation::post(
            "confirmPayment",
            "/build/confirm_payment",
            body::<ConfirmPayment>(),
            |app, call| Box::pin(confirm(app, call)),
        )
    },
    Operation {
        title: "Close a payment of version 3",
        about: "Charges the card that was entered. A frame may call it where the session says so (`form.closing`).",
        callers: Callers::MerchantOrFrame,
        answer: answers_either::<MerchantStateObject, StateObject>(),
        refusals: &[PS0026, PS0061, PS0017, GW9003, GW9006],
        money: Money::Asked,
        ..Operation::post(
            "finalizePayment",
            "/build/finalize_payment",
            body::<NamedSession>(),
            |app, call| Box::pin(finalize(app, call)),
        )
    },
    Operation {
        title: "Cancel a session",
        about: "Ends the session. What was approved already is released or given back.",
        callers: Callers::MerchantOrFrame,
        answer: answers_either::<MerchantStateObject, StateObject>(),
        refusals: &[PS0026, PS0061, GW9003],
        ..Operation::post(
            "cancelSession",
            "/build/cancel",
            body::<NamedSession>(),
            |app, call| Box::pin(cancel(app, call)),
        )
    },
];

/// `POST /orders/build`
async fn open_payment(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let terminal = call.terminal()?;
    call.refuse_scripts()?;
    let rules = Rules::of(app, terminal);
    let headers = Headers::of(call);
    let opening = order_request::read(&call.body, &headers, &rules)?;
    app.forms()
        .must_be_proven(terminal, &opening.merchant_origin)
        .await?;
    let body = app
        .sessions()
        .open(terminal, opening, call.slot.as_ref())
        .await?;
    Ok(Reply::bytes(body))
}

/// `GET /build/state`
async fn state(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let named = Named::in_query(app, call).await?;
    named.answer(app, call, &named.row, Vec::new()).await
}

/// `GET /build/cardData`
async fn card_data(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let named = Named::in_query(app, call).await?;
    let card = match &named.row.session.state {
        State::Ready { card }
        | State::VerifyingDevice { card, .. }
        | State::Challenged { card, .. }
        | State::Authorizing { card, .. }
        | State::Complete {
            card: Some(card), ..
        } => card,
        other => return Err(ApiError::wrong_state(other)),
    };
    Reply::json(&CardData {
        bin: card.bin.clone(),
        last_four_digits: card.last4.clone(),
        expiring_date: card.expiry.mmyy(),
        circuit: circuit(card.network).to_owned(),
        funding: card.funding.map(|funding| funding.code().to_owned()),
        issuer_country: card.country.clone(),
    })
}

/// `GET /build/integrity`
fn integrity(app: &App) -> Result<Reply, ApiError> {
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
        return Err(ApiError::with(
            StatusCode::INTERNAL_SERVER_ERROR,
            PS0000,
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
async fn confirm(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let body: Part<ConfirmPayment> = Part::of(&call.body);
    let sent = body.members();
    let named = Named::in_body(app, call, &sent.session_id).await?;
    call.refuse_scripts()?;
    let mut findings = Findings::default();
    let mut whole = Section::body(&body, &mut findings);
    let amount = whole.amount("amount", &sent.amount, Presence::Mandatory, &mut findings);
    let confirms = whole.flag("confirm", &sent.confirm, &mut findings);
    let confirms = confirms.unwrap_or(true);
    if amount.is_some_and(Amount::is_zero) && named.row.terms.action != ActionType::Verify {
        findings.add(PS0026, "amount must be above 0");
    }
    if matches!(call.caller, Caller::Frame { .. }) {
        if amount.is_some_and(|amount| amount != named.row.amount) {
            findings.add(PS0026, "amount must be the session's");
        }
        if !confirms {
            findings.add(
                PS0026,
                "confirm may be false only from the merchant's server",
            );
        }
    }
    findings.into_result()?;
    let amount = amount.ok_or(ApiError::Ours)?;
    may_close(call, &named, Version::Two)?;
    if confirms {
        return close(app, call, &named, Closing::Confirm, Some(amount)).await;
    }
    let closed = app
        .sessions()
        .fix_amount(&named.row.hash, amount)
        .await
        .map_err(|problem| with_state(problem, &named))?;
    named.answer(app, call, &closed.row, dropped(&closed)).await
}

/// `POST /build/finalize_payment`
async fn finalize(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let body: Part<NamedSession> = Part::of(&call.body);
    let named = Named::in_body(app, call, &body.members().session_id).await?;
    call.refuse_scripts()?;
    may_close(call, &named, Version::Three)?;
    close(app, call, &named, Closing::Finalize, None).await
}

/// `POST /build/cancel`
async fn cancel(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let body: Part<NamedSession> = Part::of(&call.body);
    let named = Named::in_body(app, call, &body.members().session_id).await?;
    call.refuse_scripts()?;
    let (terminal_id, by_buyer) = match &call.caller {
        Caller::Merchant { terminal, .. } => (Some(terminal.terminal_id.as_str()), false),
        Caller::Frame { .. } => (None, true),
    };
    let row = app
        .sessions()
        .cancel(&named.row.hash, terminal_id, by_buyer)
        .await?;
    named.answer(app, call, &row, Vec::new()).await
}

async fn close(
    app: &App,
    call: &Call,
    named: &Named,
    closing: Closing,
    amount: Option<Amount>,
) -> Result<Reply, ApiError> {
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
    match app.sessions().close(&named.row.hash, close).await {
        Ok(closed) => named.answer(app, call, &closed.row, dropped(&closed)).await,
        Err(CompletionError::OtherAmount) => Err(ApiError::bad(
            PS0026,
            "amount must be the one that was confirmed",
        )),
        Err(CompletionError::Payment(problem)) => Err(with_state(problem, named)),
    }
}

/// Whether the caller may close a session of this version (contract 1.4, 3.2, 3.7).
fn may_close(call: &Call, named: &Named, version: Version) -> Result<(), ApiError> {
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
        return Err(ApiError::bad(GW9003, text));
    }
    if matches!(call.caller, Caller::Frame { .. })
        && terms.capture_initiator == CaptureInitiator::Server
    {
        return Err(ApiError::bad(
            GW9003,
            "only the merchant's server may close this session (form.closing)",
        ));
    }
    Ok(())
}

/// Names the state where that is the reason.
fn with_state(problem: PaymentError, named: &Named) -> ApiError {
    match problem {
        PaymentError::Refused(payframe_payment_domain::session::TransitionError::WrongState) => {
            ApiError::wrong_state(&named.row.session.state)
        }
        other => other.into(),
    }
}

fn dropped(closed: &Closed) -> Vec<Warning> {
    if !closed.offer_dropped {
        return Vec::new();
    }
    vec![Warning {
        code: GW9102.to_string(),
        description: String::from(
            "the accepted currency offer was dropped because the amount changed",
        ),
    }]
}
