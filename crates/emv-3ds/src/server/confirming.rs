//! Confirmations by the buyer's device: what the browser is asked, and the second AReq that says what came of it.
//!
//! The second AReq is a transaction of its own. Its id is derived from the outcome, so that a repeated question is the same, and another
//! outcome is another question. The first answer is kept and counts.

use super::Inner;
use crate::call::{CallParts, Confirmed, call};
use crate::error::ExchangeError;
use crate::fault::Fault;
use crate::message::{
    AuthenticationAnswer, MethodCompletion, SpcTransactionData, TransactionStatus,
};
use crate::transport::{is_answer_to, other};
use iso_currency::Currency;
use payframe_payment_ports::three_ds_server::{
    Authentication, AuthenticationRequest, AuthenticationResponse, Confirmation,
    ConfirmationOutcome, ConfirmationStatus,
};
use payframe_storage::three_ds_authentications::AuthenticationState;
use sha2::{Digest, Sha256};

impl Inner {
    /// What the browser is asked, or the answer to what came of it.
    pub(super) async fn confirmation(
        &self,
        request: &AuthenticationRequest<'_>,
    ) -> Result<ConfirmationStatus, ExchangeError> {
        let kept = self.journal.find(request.reference).await?;
        let kept = kept.ok_or(ExchangeError::Kept)?;
        let answer = kept.answer.as_ref().ok_or(ExchangeError::Kept)?;
        if kept.state != AuthenticationState::Confirming {
            return Ok(ConfirmationStatus::Answered(response_to_outcome(answer)));
        }
        let asked = confirmation_in(answer, request).ok_or(ExchangeError::Kept)?;
        Ok(ConfirmationStatus::Asked(Box::new(asked)))
    }

    /// Tells the issuer what came of a confirmation.
    pub(super) async fn confirm(
        &self,
        request: &AuthenticationRequest<'_>,
        outcome: &ConfirmationOutcome,
    ) -> Result<AuthenticationResponse, ExchangeError> {
        let reference = request.reference;
        let kept = self.journal.find(reference).await?;
        let kept = kept.ok_or(ExchangeError::Kept)?;
        let first = kept.answer.as_ref().ok_or(ExchangeError::Kept)?;
        if kept.state != AuthenticationState::Confirming {
            return Ok(response_to_outcome(first));
        }
        // The operator took card or terminal away, or nothing is known of the browser any more: nobody can be asked.
        let route = self.route(request).await?;
        let (Some(route), Some(browser)) = (route, request.browser) else {
            return Ok(AuthenticationResponse::Refused);
        };
        let version = first.version;
        let mut versions = route.versions.iter();
        let method_url = versions.find_map(|(one, url)| (*one == version).then_some(url.as_ref()));
        let subject = format!("{reference} confirmed: {}", digest(outcome)?);
        let id = self.journal.transaction_id(&subject);
        let parts = CallParts {
            version,
            transaction_id: &id,
            server_reference: &self.server_reference,
            directory: &route.directory.settings,
            terminal: route.terminal,
            enrolment: route.enrolment,
            // The 3DS method knows the first transaction.
            method: match method_url.flatten() {
                None => MethodCompletion::Unavailable,
                Some(_) => MethodCompletion::NotDone,
            },
            now_ms: self.journal.clock.now_ms(),
            confirmation: Some(Confirmed {
                outcome,
                acs_transaction_id: &first.acs_transaction_id,
            }),
        };
        let question = call(&parts, request, browser)?;
        let accept = |answer: &AuthenticationAnswer| {
            is_answer_to(answer, &id, version)?;
            match answer.status {
                // It has been asked for.
                TransactionStatus::Confirmation => Err(other("transStatus")),
                _ => Ok(()),
            }
        };
        let asked = route.directory.transport.ask(&question, version, accept);
        let answer = asked.await?;
        let next = match answer.status {
            TransactionStatus::Challenge => AuthenticationState::Challenged,
            _ => AuthenticationState::Done,
        };
        let states = (AuthenticationState::Confirming, next);
        self.journal
            .keep(reference, states, &answer, None, None)
            .await?;
        let kept = self.journal.find(reference).await?;
        let answer = kept.and_then(|kept| kept.answer);
        Ok(response_to_outcome(&answer.ok_or(ExchangeError::Kept)?))
    }
}

/// What the answer to the second AReq means for the payment. A decoupled authentication is not offered in it. The issuer wanted to ask the buyer: without an answer of its own or of the
/// network in its place, and without a challenge, nobody is charged.
fn response_to_outcome(answer: &AuthenticationAnswer) -> AuthenticationResponse {
    match answer.status {
        TransactionStatus::Authenticated => AuthenticationResponse::Completed(Authentication::Full),
        TransactionStatus::Attempted => {
            AuthenticationResponse::Completed(Authentication::Attempted)
        }
        TransactionStatus::Challenge => AuthenticationResponse::Challenge,
        TransactionStatus::Confirmation
        | TransactionStatus::NotAuthenticated
        | TransactionStatus::Rejected
        | TransactionStatus::Decoupled
        | TransactionStatus::Informational
        | TransactionStatus::Unavailable => AuthenticationResponse::Refused,
    }
}

/// Whether the issuer may ask for this confirmation: it was offered, and the browser shows the sum of the payment.
pub(super) fn is_confirmation_of(
    answer: &AuthenticationAnswer,
    request: &AuthenticationRequest<'_>,
    is_offered: bool,
) -> Result<(), Fault> {
    if !is_offered {
        return Err(other("transStatus"));
    }
    match confirmation_in(answer, request) {
        Some(_) => Ok(()),
        None => Err(other("spcTransData")),
    }
}

/// What an answer asks the browser. `None`: it does not belong to the payment.
fn confirmation_in(
    answer: &AuthenticationAnswer,
    request: &AuthenticationRequest<'_>,
) -> Option<Confirmation> {
    let asked = answer.confirmation.as_ref()?;
    let currency = Currency::from_code(request.currency)?;
    let value = decimal(request.amount.minor(), currency.exponent()?);
    if !is_sum(asked, &value, currency) {
        return None;
    }
    let credentials = answer.credentials.as_deref()?;
    let text = |text: &str| text.to_owned();
    let payee_name = asked.payee_name.as_deref().map(text);
    let payee_origin = asked.payee_origin.as_deref().map(text);
    let has_payee = payee_name.is_some() || payee_origin.is_some();
    has_payee.then_some(())?;
    Some(Confirmation {
        rp_id: credentials.first()?.relying_party.to_string(),
        credential_ids: credentials.iter().map(|one| one.id.to_string()).collect(),
        challenge: asked.challenge.to_string(),
        payee_name,
        payee_origin,
        instrument_name: asked.instrument_name.to_string(),
        instrument_icon: asked.instrument_icon.to_string(),
        currency: request.currency.to_owned(),
        value,
        timeout_ms: asked
            .timeout
            .parse()
            .unwrap_or(LONGEST_MS)
            .clamp(SHORTEST_MS, LONGEST_MS),
    })
}

fn is_sum(asked: &SpcTransactionData, value: &str, currency: Currency) -> bool {
    let number = format!("{:03}", currency.numeric());
    *asked.value == *value && [currency.code(), number.as_str()].contains(&&*asked.currency)
}

/// An amount as a decimal number.
fn decimal(minor: u64, exponent: u16) -> String {
    let digits = usize::from(exponent);
    let minor = format!("{minor:0>width$}", width = digits + 1);
    let (whole, fraction) = minor.split_at(minor.len() - digits);
    match fraction {
        "" => whole.to_owned(),
        fraction => format!("{whole}.{fraction}"),
    }
}

fn digest(outcome: &ConfirmationOutcome) -> Result<String, ExchangeError> {
    Ok(match outcome {
        ConfirmationOutcome::Confirmed(assertion) => {
            let text = serde_json::to_string(assertion).map_err(|_| ExchangeError::Kept)?;
            format!("{:x}", Sha256::digest(text.as_bytes()))
        }
        ConfirmationOutcome::NotCompleted => String::from("not completed"),
        ConfirmationOutcome::Cancelled => String::from("cancelled"),
        ConfirmationOutcome::TimedOut => String::from("timed out"),
    })
}

/// How long a browser waits for a confirmation: at least, and at most.
const SHORTEST_MS: u32 = 60_000;
const LONGEST_MS: u32 = 500_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_decimal_numbers() {
        for (minor, exponent, expected) in [
            (3545, 2, "35.45"),
            (5, 2, "0.05"),
            (0, 2, "0.00"),
            (50, 0, "50"),
            (1234, 3, "1.234"),
        ] {
            assert_eq!(decimal(minor, exponent), expected);
        }
    }
}
