//! Checks about who is heard, and about what leaves the adapter.
//!
//! A request that must be refused is followed by an inquiry: whatever its status was, it must not have moved money.

use crate::error::ExchangeError;
use crate::message::{AuthorizeMessage, Expected, OutcomeMessage, SecurityCodeUse};
use crate::signature::{CLOCK_TOLERANCE_SECONDS, SignedHeaders};
use crate::transport::{Endpoint, Transport, to_json};
use payframe_examiner::{
    Bench, Books, Finding, Payment, Report, failed, in_words, must_be, must_be_same, reference,
};
use payframe_payment_ports::acquirer::{
    AuthorizationResponse, AuthorizationResult, Capture, Instrument,
};
use serde_json::{Value, json};

/// What the checks need: payments, and the way on which they are sent with signatures of our own.
struct Wire<'a> {
    bench: &'a Bench<'a>,
    books: &'a Books<'a>,
    transport: &'a Transport,
}

pub(super) async fn run(
    (bench, books): (&Bench<'_>, &Books<'_>),
    transport: &Transport,
    report: &mut Report,
) {
    let wire = &Wire {
        bench,
        books,
        transport,
    };
    for forgery in FORGERIES {
        report.add(forgery.name, refused(wire, forgery).await);
    }
    report.add(
        "a request with one valid signature among several is heard",
        rotated(wire).await,
    );
    report.add(
        "a request from a clock that is some minutes behind is heard",
        other_clock(wire, -WITHIN_SECONDS).await,
    );
    report.add(
        "a request from a clock that is some minutes ahead is heard",
        other_clock(wire, WITHIN_SECONDS).await,
    );
    report.add(
        "after the gateway's clock was put back, a repeated request has the first outcome",
        clock_put_back(wire).await,
    );
    report.add(
        "members that the adapter does not know are ignored",
        unknown_members(wire).await,
    );
    report.add(
        "what can not be read is not answered, and does no harm",
        unreadable(wire).await,
    );
    report.add(
        "an answer does not repeat card data",
        no_card_data(wire).await,
    );
}

/// A request that must not be heard.
struct Forgery {
    name: &'static str,
    forge: fn(&Transport, &[u8]) -> Result<SignedHeaders, ExchangeError>,
}

const FORGERIES: &[Forgery] = &[
    Forgery {
        name: "a request without a signature is refused",
        forge: |transport, body| {
            Ok(SignedHeaders {
                signature: String::from("v1,"),
                ..transport.sign(Endpoint::Authorize, body)?
            })
        },
    },
    Forgery {
        name: "a request with the signature of another body is refused",
        forge: |transport, body| {
            let other = [body, b" "].concat();
            transport.sign(Endpoint::Authorize, &other)
        },
    },
    Forgery {
        name: "a request with the signature of another path is refused",
        forge: |transport, body| transport.sign(Endpoint::Inquire, body),
    },
    Forgery {
        name: "a request with the signature of another id is refused",
        forge: |transport, body| {
            Ok(SignedHeaders {
                id: payframe_vault::random_token()?,
                ..transport.sign(Endpoint::Authorize, body)?
            })
        },
    },
    Forgery {
        name: "a request with a changed time is refused",
        forge: |transport, body| {
            Ok(SignedHeaders {
                timestamp: (transport.now_seconds() - 1).to_string(),
                ..transport.sign(Endpoint::Authorize, body)?
            })
        },
    },
    Forgery {
        name: "a request that was signed too long ago is refused",
        forge: |transport, body| {
            let seconds = transport.now_seconds() - CLOCK_TOLERANCE_SECONDS - MARGIN_SECONDS;
            transport.sign_as_of(seconds, Endpoint::Authorize, body)
        },
    },
    Forgery {
        name: "a request that was signed in the future is refused",
        forge: |transport, body| {
            let seconds = transport.now_seconds() + CLOCK_TOLERANCE_SECONDS + MARGIN_SECONDS;
            transport.sign_as_of(seconds, Endpoint::Authorize, body)
        },
    },
    Forgery {
        name: "a request of another version of the protocol is refused",
        forge: |transport, body| {
            Ok(SignedHeaders {
                protocol: "999",
                ..transport.sign(Endpoint::Authorize, body)?
            })
        },
    },
];

async fn refused(wire: &Wire<'_>, forgery: &Forgery) -> Result<(), Finding> {
    let reference = reference()?;
    let payment = wire.bench.payment(&reference, Capture::Implicit);
    let body = body(wire, &payment)?;
    let headers = (forgery.forge)(wire.transport, &body)?;
    let status = match wire
        .transport
        .send(Endpoint::Authorize, headers, body)
        .await
    {
        Ok(answer) => answer.status,
        // Refused without an answer.
        Err(ExchangeError::Interrupted(_)) => 0,
        Err(problem) => return Err(problem.into()),
    };
    if status == 200 {
        return failed(String::from("the request was answered with 200"));
    }
    match wire.bench.inquire(&reference, payment.amount).await? {
        None => Ok(()),
        Some(response) => failed(format!(
            "the status was {status}, and yet the reference is known: {}",
            in_words(response.result)
        )),
    }
}

async fn rotated(wire: &Wire<'_>) -> Result<(), Finding> {
    let reference = reference()?;
    let payment = wire.bench.payment(&reference, Capture::Implicit);
    let body = body(wire, &payment)?;
    let mut headers = wire.transport.sign(Endpoint::Authorize, &body)?;
    headers.signature = format!("v1,{} {}", "A".repeat(43) + "=", headers.signature);
    approved(wire, &payment, headers, body).await
}

async fn other_clock(wire: &Wire<'_>, seconds: i64) -> Result<(), Finding> {
    let reference = reference()?;
    let payment = wire.bench.payment(&reference, Capture::Implicit);
    let response = paid_at(wire, &payment, seconds).await?;
    must_be("the request", AuthorizationResult::Approved, &response)
}

async fn clock_put_back(wire: &Wire<'_>) -> Result<(), Finding> {
    let reference = reference()?;
    let payment = wire.bench.payment(&reference, Capture::Implicit);
    let first = paid_at(wire, &payment, WITHIN_SECONDS).await?;
    must_be("the first request", AuthorizationResult::Approved, &first)?;
    let second = paid_at(wire, &payment, -WITHIN_SECONDS).await?;
    must_be_same("the repetition", &first, &second)
}

/// Asks for a payment by a clock that is some seconds off.
async fn paid_at(
    wire: &Wire<'_>,
    payment: &Payment<'_>,
    seconds: i64,
) -> Result<AuthorizationResponse, Finding> {
    let body = body(wire, payment)?;
    let transport = wire.transport;
    let seconds = transport.now_seconds() + seconds;
    let headers = transport.sign_as_of(seconds, Endpoint::Authorize, &body)?;
    answered(wire, payment, headers, body).await
}

async fn unknown_members(wire: &Wire<'_>) -> Result<(), Finding> {
    let reference = reference()?;
    let payment = wire.bench.payment(&reference, Capture::Implicit);
    let known = body(wire, &payment)?;
    let mut message: Value = serde_json::from_slice(&known).map_err(unwritable)?;
    message["memberOfALaterVersion"] = json!({ "list": [1, "two"] });
    message["card"]["memberOfALaterVersion"] = json!(true);
    let body = to_json(&message)?;
    let headers = wire.transport.sign(Endpoint::Authorize, &body)?;
    approved(wire, &payment, headers, body).await
}

async fn unreadable(wire: &Wire<'_>) -> Result<(), Finding> {
    for body in [
        "",
        "{",
        "[]",
        "null",
        "{\"reference\":5}",
        "{\"reference\":\"\"}",
    ] {
        let body = body.as_bytes().to_vec();
        let headers = wire.transport.sign(Endpoint::Authorize, &body)?;
        let sent = body.clone();
        match wire
            .transport
            .send(Endpoint::Authorize, headers, body)
            .await
        {
            Ok(answer) if answer.status == 200 => {
                let sent = String::from_utf8_lossy(&sent).into_owned();
                return failed(format!("the body `{sent}` was answered with 200"));
            }
            Ok(_) | Err(ExchangeError::Interrupted(_)) => {}
            Err(problem) => return Err(problem.into()),
        }
    }
    let reference = reference()?;
    wire.bench
        .approve(wire.bench.payment(&reference, Capture::Implicit))
        .await
}

async fn no_card_data(wire: &Wire<'_>) -> Result<(), Finding> {
    for card in [&wire.bench.approved, &wire.bench.declined] {
        let reference = reference()?;
        let payment = Payment {
            card,
            ..wire.bench.payment(&reference, Capture::Implicit)
        };
        let body = body(wire, &payment)?;
        let headers = wire.transport.sign(Endpoint::Authorize, &body)?;
        let answer = wire
            .transport
            .send(Endpoint::Authorize, headers, body)
            .await?;
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        let named = answer.headers.values().any(|value| {
            // Exposed to be searched for in the answer.
            String::from_utf8_lossy(value.as_bytes()).contains(card.number.expose())
        });
        // Exposed to be searched for in the answer.
        if named || text.contains(card.number.expose()) {
            return failed(String::from("the card number is in the answer"));
        }
    }
    Ok(())
}

/// Sends a request that has to be heard.
async fn approved(
    wire: &Wire<'_>,
    payment: &Payment<'_>,
    headers: SignedHeaders,
    body: Vec<u8>,
) -> Result<(), Finding> {
    let response = answered(wire, payment, headers, body).await?;
    must_be("the request", AuthorizationResult::Approved, &response)
}

/// Sends a request that has to be answered.
async fn answered(
    wire: &Wire<'_>,
    payment: &Payment<'_>,
    headers: SignedHeaders,
    body: Vec<u8>,
) -> Result<AuthorizationResponse, Finding> {
    let id = headers.id.clone();
    let transport = wire.transport;
    let answer = transport.send(Endpoint::Authorize, headers, body).await?;
    let body = transport.checked(&id, answer)?;
    let outcome: OutcomeMessage =
        serde_json::from_slice(&body).map_err(|problem| ExchangeError::NotJson {
            line: problem.line(),
            column: problem.column(),
        })?;
    let expected = Expected {
        reference: payment.reference,
        amount: payment.amount,
        currency: payment.currency,
        conversion: None,
    };
    Ok(outcome.checked(expected, wire.bench.clock.now_ms())?)
}

/// The body of a payment.
fn body(wire: &Wire<'_>, payment: &Payment<'_>) -> Result<Vec<u8>, ExchangeError> {
    let request = wire.bench.request(payment);
    wire.books.expect(&request);
    match &request.instrument {
        Instrument::Card(card) => to_json(&AuthorizeMessage::of(
            &request,
            card,
            SecurityCodeUse::First,
        )?),
        Instrument::Method { .. } => Err(ExchangeError::Request("only cards are sent".into())),
    }
}

fn unwritable(problem: serde_json::Error) -> ExchangeError {
    ExchangeError::Request(Box::new(problem))
}

/// How far beyond the tolerance a time is, so that slow machines do not matter.
const MARGIN_SECONDS: i64 = 60;

/// How far a clock may be off and still be heard, with the same margin.
const WITHIN_SECONDS: i64 = CLOCK_TOLERANCE_SECONDS - MARGIN_SECONDS;
