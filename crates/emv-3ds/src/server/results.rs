//! Challenges: where the browser goes, and what the issuer says about it. A decoupled authentication is one without a page of the issuer.

use super::Inner;
use crate::element::TransactionId;
use crate::error::ExchangeError;
use crate::fault::{Fault, FaultCode};
use crate::journal::Kept;
use crate::message::{
    AuthenticationAnswer, ChallengeCall, Fields, Message, Problem, ResultsCall, ResultsStatus,
    TransactionStatus, Version, WindowSize,
};
use payframe_payment_domain::session::ChallengeReply;
use payframe_payment_ports::three_ds_server::{BrowserForm, DataShare};
use payframe_storage::three_ds_authentications::AuthenticationState;

/// What proves an authentication.
pub(super) struct Proof {
    pub(super) eci: Option<String>,
    pub(super) value: String,
    pub(super) ds_transaction_id: String,
    pub(super) version: Version,
}

/// The proof of an authentication: of the challenge, if there was one.
pub(super) fn proof(kept: &Kept) -> Option<Proof> {
    let answer = kept.answer.as_ref()?;
    let (eci, value) = match (answer.status, &kept.results) {
        (TransactionStatus::Challenge | TransactionStatus::Decoupled, Some(results)) => {
            (&results.eci, results.value.as_ref()?)
        }
        (TransactionStatus::Challenge | TransactionStatus::Decoupled, None) => return None,
        _ => (&answer.eci, answer.value.as_ref()?),
    };
    Some(Proof {
        eci: eci.as_ref().map(|eci| eci.to_string()),
        // Exposed to be sent to the acquirer.
        value: value.expose().to_owned(),
        ds_transaction_id: answer.ds_transaction_id.to_string(),
        version: answer.version,
    })
}

/// What the answer to shared data says. Only an answer that informs is one.
pub(super) fn data_share(kept: &Kept) -> Option<DataShare> {
    let answer = kept.answer.as_ref()?;
    (answer.status == TransactionStatus::Informational).then(|| DataShare {
        eci: answer.eci.as_ref().map(|eci| eci.to_string()),
        ds_transaction_id: answer.ds_transaction_id.to_string(),
        version: answer.version.code(),
    })
}

impl Inner {
    pub(super) async fn challenge_form(
        &self,
        reference: &str,
    ) -> Result<Option<BrowserForm>, ExchangeError> {
        let kept = self.journal.find(reference).await?;
        let kept = kept.filter(|kept| kept.state == AuthenticationState::Challenged);
        let Some(answer) = kept.and_then(|kept| kept.answer) else {
            return Ok(None);
        };
        let Some(address) = &answer.acs_url else {
            return Ok(None);
        };
        let asked = ChallengeCall::new(
            answer.version,
            answer.server_transaction_id.clone(),
            answer.acs_transaction_id.clone(),
            WindowSize::Full,
        );
        Ok(Some(BrowserForm {
            address: address.to_string(),
            field: ("creq", asked.to_form_value()),
        }))
    }

    /// What the issuer tells the buyer while it asks apart from the browser.
    pub(super) async fn decoupled_notice(
        &self,
        reference: &str,
    ) -> Result<Option<String>, ExchangeError> {
        let kept = self.journal.find(reference).await?;
        let kept = kept.filter(|kept| kept.state == AuthenticationState::Decoupled);
        let answer = kept.and_then(|kept| kept.answer);
        let notice = answer.and_then(|answer| answer.cardholder_info);
        Ok(notice.map(|notice| notice.to_string()))
    }

    pub(super) async fn challenge_result(
        &self,
        reference: &str,
    ) -> Result<ChallengeReply, ExchangeError> {
        let kept = self.journal.find(reference).await?;
        let results = kept.and_then(|kept| kept.results);
        Ok(results.map_or(ChallengeReply::Undecided, |results| reply(&results)))
    }

    /// Answers RReq: by RRes, or by Erro if it is not accepted.
    pub(super) async fn receive_result(
        &self,
        reference: &str,
        message: &[u8],
    ) -> Result<Vec<u8>, ExchangeError> {
        let kept = self.journal.find(reference).await?;
        let asked = kept.as_ref().and_then(|kept| kept.answer.as_ref());
        let until_ms = kept.as_ref().and_then(|kept| kept.until_ms);
        let is_over = kept
            .as_ref()
            .is_some_and(|kept| is_over(kept, self.journal.clock.now_ms()));
        let read = Fields::parse(message).and_then(|fields| ResultsCall::read(&fields));
        let checked = read.and_then(|results| match asked {
            None => Err(Fault::new(
                FaultCode::UnknownTransaction,
                "threeDSServerTransID",
            )),
            Some(asked) => {
                belongs_to(&results, asked, until_ms)?;
                match is_over {
                    true => Err(Fault::new(FaultCode::TimedOut, "threeDSServerTransID")),
                    false => Ok((results, asked)),
                }
            }
        });
        let (results, asked) = match checked {
            Ok(checked) => checked,
            Err(fault) => {
                let version = asked.map_or(Version::V2_2_0, |asked| asked.version);
                let problem = Problem::of(&fault, ResultsCall::TYPE, version);
                tracing::warn!(%fault, "a result of a challenge is not accepted");
                return Ok(problem
                    .map(|problem| problem.write().to_body())
                    .unwrap_or_default());
            }
        };
        let expected = match until_ms {
            None => AuthenticationState::Challenged,
            Some(_) => AuthenticationState::Decoupled,
        };
        let states = (expected, AuthenticationState::Done);
        let is_first = self
            .journal
            .keep(reference, states, asked, Some(&results), until_ms)
            .await?;
        let status = match is_first {
            true => ResultsStatus::Received,
            false => {
                let kept = self.journal.find(reference).await?;
                let former = kept.and_then(|kept| kept.results);
                // The same message again is a repetition. The first result counts, whatever comes later.
                match former == Some(results.clone()) {
                    true => ResultsStatus::Received,
                    false => ResultsStatus::NotUsed,
                }
            }
        };
        Ok(results.answer(status).write().to_body())
    }
}

/// What the result of a challenge means for the payment.
///
/// The core specification allows `Y`, `N`, `U`, `A` and `R` in RReq, and requires a proof (`authenticationValue`) for `Y` and `A`. `A` is
/// what an issuer sends whose challenge came to no end by itself, for example after a time-out: the buyer is not authenticated, and the
/// proof is that of the attempt. It counts as in ARes: the payment goes on with the indicator of attempts. Except for a buyer who
/// cancelled (`challengeCancel` is `01`): who gives up is not charged, whatever the issuer vouches for. `U` has no proof. It is a
/// refusal, because the issuer wanted a challenge and there was none.
fn reply(results: &ResultsCall) -> ChallengeReply {
    let is_cancelled_by_buyer = results.cancel.as_deref() == Some(CANCELLED_BY_BUYER);
    match results.status {
        TransactionStatus::Authenticated => ChallengeReply::Right,
        TransactionStatus::Attempted if !is_cancelled_by_buyer => ChallengeReply::Attempted,
        _ => ChallengeReply::No,
    }
}

/// `challengeCancel`: the cardholder pressed "cancel".
const CANCELLED_BY_BUYER: &str = "01";

/// Whether RReq is about the challenge of an ARes. `until_ms`: until when the result of a decoupled authentication counts.
fn belongs_to(
    results: &ResultsCall,
    asked: &AuthenticationAnswer,
    until_ms: Option<i64>,
) -> Result<(), Fault> {
    let unless_same = |one: &TransactionId, two: &TransactionId, name: &str| match one == two {
        true => Ok(()),
        false => Err(Fault::new(FaultCode::UnknownTransaction, name)),
    };
    unless_same(
        &results.server_transaction_id,
        &asked.server_transaction_id,
        "threeDSServerTransID",
    )?;
    unless_same(
        &results.ds_transaction_id,
        &asked.ds_transaction_id,
        "dsTransID",
    )?;
    unless_same(
        &results.acs_transaction_id,
        &asked.acs_transaction_id,
        "acsTransID",
    )?;
    if results.version != asked.version {
        return Err(Fault::new(FaultCode::Version, "messageVersion"));
    }
    match (asked.status, until_ms) {
        (TransactionStatus::Challenge, _) | (TransactionStatus::Decoupled, Some(_)) => Ok(()),
        // A decoupled authentication that was not asked for has no result.
        _ => Err(Fault::new(FaultCode::WrongTransaction, "transStatus")),
    }
}

/// Whether the time of a decoupled authentication has ended without a result.
fn is_over(kept: &Kept, now_ms: i64) -> bool {
    kept.state == AuthenticationState::Decoupled
        && kept.until_ms.is_some_and(|until_ms| now_ms >= until_ms)
}
