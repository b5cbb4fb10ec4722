//! The question about a buyer: which directory server is asked, in which version, and what its answer leads to.

use super::confirming::is_confirmation_of;
use super::{Directory, Inner};
use crate::call::{CallParts, call, decoupled_minutes};
use crate::card_ranges::Versions;
use crate::error::ExchangeError;
use crate::fault::{Fault, FaultCode};
use crate::journal::Kept;
use crate::message::{AuthenticationAnswer, MethodCompletion, TransactionStatus, YesNo};
use crate::settings::{Enrolment, TerminalSettings, Unauthenticated};
use crate::transport::{is_answer_to, other};
use payframe_payment_ports::three_ds_server::{
    Authentication, AuthenticationRequest, AuthenticationResponse, BrowserData, ChallengePreference,
};
use payframe_storage::three_ds_authentications::AuthenticationState;

/// What is needed to ask about one card.
pub(super) struct Route<'a> {
    pub(super) directory: &'a Directory,
    pub(super) terminal: &'a TerminalSettings,
    pub(super) enrolment: &'a Enrolment,
    pub(super) versions: Versions,
}

impl Inner {
    /// How the card can be asked about. `None`: no directory server knows terminal and card.
    pub(super) async fn route(
        &self,
        request: &AuthenticationRequest<'_>,
    ) -> Result<Option<Route<'_>>, ExchangeError> {
        let terminal = self.terminals.get(request.terminal_id);
        let terminal = terminal.ok_or(ExchangeError::UnknownTerminal)?;
        let Some(directory) = self.directory_of(request.network) else {
            return Ok(None);
        };
        let Some(enrolment) = terminal.enrolments.get(&directory.settings.name) else {
            return Ok(None);
        };
        if directory.known_ranges().serial_number().is_none() {
            self.fetch_ranges(directory).await?;
        }
        let mut versions = directory.versions_of(request.number);
        versions.retain(|(version, _)| directory.settings.versions.contains(version));
        versions.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
        Ok((!versions.is_empty()).then_some(Route {
            directory,
            terminal,
            enrolment,
            versions,
        }))
    }

    /// Asks the directory server, in an older version too if it does not accept the newer one.
    pub(super) async fn ask(
        &self,
        route: &Route<'_>,
        request: &AuthenticationRequest<'_>,
        browser: &BrowserData,
    ) -> Result<Kept, ExchangeError> {
        let reference = request.reference;
        let own_id = self.journal.transaction_id(reference);
        let check_id = request
            .device_check
            .map(|check| self.journal.transaction_id(check));
        let ids: Vec<_> = check_id.clone().into_iter().chain([own_id]).collect();
        self.journal.begin(reference, &ids).await?;
        for (place, (version, method_url)) in route.versions.iter().enumerate() {
            let kept = self.journal.find(reference).await?;
            let Some(kept) = kept else {
                return Err(ExchangeError::Kept);
            };
            if kept.state != AuthenticationState::Asked {
                return Ok(kept);
            }
            let mut id = kept.transaction_id;
            if place > 0 {
                // The former id was used for a message that was not accepted.
                let anew = self
                    .journal
                    .transaction_id(&format!("{reference} in {}", version.code()));
                if !self.journal.ask_anew(reference, &anew).await? {
                    // Another process has got the answer.
                    let kept = self.journal.find(reference).await?;
                    return kept.ok_or(ExchangeError::Kept);
                }
                id = anew.to_string();
            }
            let is_checked = check_id.as_ref().is_some_and(|check| **check == *id);
            let parts = CallParts {
                version: *version,
                transaction_id: &id,
                server_reference: &self.server_reference,
                directory: &route.directory.settings,
                terminal: route.terminal,
                enrolment: route.enrolment,
                method: match (method_url, is_checked && browser.is_method_done) {
                    (None, _) => MethodCompletion::Unavailable,
                    (Some(_), true) => MethodCompletion::Done,
                    (Some(_), false) => MethodCompletion::NotDone,
                },
                now_ms: self.journal.clock.now_ms(),
                confirmation: None,
            };
            let question = call(&parts, request, browser)?;
            let accept = |answer: &AuthenticationAnswer| {
                is_answer_to(answer, &id, *version)?;
                is_allowed(answer.status, request.challenge_preference)?;
                match answer.status {
                    TransactionStatus::Confirmation => {
                        let is_offered = question.confirmation_support == Some(YesNo::Yes);
                        is_confirmation_of(answer, request, is_offered)
                    }
                    _ => Ok(()),
                }
            };
            let answer = route
                .directory
                .transport
                .ask(&question, *version, accept)
                .await;
            let is_last = place + 1 == route.versions.len();
            match answer {
                Err(ExchangeError::Reported { code, .. })
                    if code == FaultCode::Version.code() && !is_last => {}
                answer => {
                    let minutes = decoupled_minutes(route.terminal, request);
                    return self.keep(reference, answer?, minutes).await;
                }
            }
        }
        Err(ExchangeError::Kept)
    }

    /// Keeps the answer to AReq, unless another process has kept one. What is kept counts.
    async fn keep(
        &self,
        reference: &str,
        answer: AuthenticationAnswer,
        decoupled_minutes: Option<u16>,
    ) -> Result<Kept, ExchangeError> {
        let (next, until_ms) = match (answer.status, decoupled_minutes) {
            (TransactionStatus::Challenge, _) => (AuthenticationState::Challenged, None),
            (TransactionStatus::Confirmation, _) => (AuthenticationState::Confirming, None),
            (TransactionStatus::Decoupled, Some(minutes)) => {
                let until_ms = self.journal.clock.now_ms() + i64::from(decoupled_ms(minutes));
                (AuthenticationState::Decoupled, Some(until_ms))
            }
            _ => (AuthenticationState::Done, None),
        };
        let states = (AuthenticationState::Asked, next);
        self.journal
            .keep(reference, states, &answer, None, until_ms)
            .await?;
        self.journal
            .find(reference)
            .await?
            .ok_or(ExchangeError::Kept)
    }
}

/// Whether the issuer may answer the preference by this status. The core specification does not allow `C` where data is only shared.
fn is_allowed(status: TransactionStatus, preference: ChallengePreference) -> Result<(), Fault> {
    match (status, preference) {
        (TransactionStatus::Challenge, ChallengePreference::DataShareOnly) => {
            Err(other("transStatus"))
        }
        _ => Ok(()),
    }
}

/// What an answer means for the payment.
pub(super) fn response(
    kept: &Kept,
    request: &AuthenticationRequest<'_>,
    unauthenticated: Unauthenticated,
) -> AuthenticationResponse {
    let Some(answer) = &kept.answer else {
        return AuthenticationResponse::Refused;
    };
    match answer.status {
        TransactionStatus::Authenticated => AuthenticationResponse::Completed(Authentication::Full),
        TransactionStatus::Attempted => {
            AuthenticationResponse::Completed(Authentication::Attempted)
        }
        TransactionStatus::Challenge => AuthenticationResponse::Challenge,
        TransactionStatus::Confirmation => AuthenticationResponse::Confirmation,
        TransactionStatus::Informational => match request.challenge_preference {
            ChallengePreference::DataShareOnly => {
                AuthenticationResponse::Completed(Authentication::DataShared)
            }
            // The issuer has taken note of the exemption, and wants no authentication.
            ChallengePreference::Exemption(_) => {
                AuthenticationResponse::Completed(Authentication::None)
            }
            ChallengePreference::None
            | ChallengePreference::ChallengeRequested
            | ChallengePreference::ChallengeMandated => without(unauthenticated),
        },
        TransactionStatus::Unavailable => without(unauthenticated),
        TransactionStatus::Decoupled => match kept.until_ms {
            Some(until_ms) => AuthenticationResponse::Decoupled { until_ms },
            // It was not asked for, so an issuer that wants one gets no payment.
            None => AuthenticationResponse::Refused,
        },
        TransactionStatus::NotAuthenticated | TransactionStatus::Rejected => {
            AuthenticationResponse::Refused
        }
    }
}

/// How long the result of a decoupled authentication counts, for which the issuer has so many minutes.
pub(super) fn decoupled_ms(minutes: u16) -> u32 {
    u32::from(minutes) * 60_000 + ON_ITS_WAY_MS
}

/// What becomes of a payment that no issuer authenticates.
pub(super) fn without(unauthenticated: Unauthenticated) -> AuthenticationResponse {
    match unauthenticated {
        Unauthenticated::Pay => AuthenticationResponse::Completed(Authentication::None),
        Unauthenticated::Refuse => AuthenticationResponse::Refused,
    }
}

/// How long a result may be on its way that the issuer has sent in time.
const ON_ITS_WAY_MS: u32 = 30_000;
