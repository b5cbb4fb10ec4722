//! Passkeys (WebAuthn): what a browser is asked for, and how its answer is checked. `webauthn_rs` makes and checks both.
//!
//! Each question has a challenge, is kept in the database for the browser that was asked, and can be answered once, within
//! [`ANSWERED_WITHIN`]. The device always has to verify that it is its owner who uses it, by a PIN, a finger or a face: so a passkey is
//! something that the member has together with something that they know or are, and is enough to log in.
//!
//! Passkeys belong to one host. Browsers use them over https, and at `localhost`.

use super::error::OfficeError;
use super::login_session::LoginSession;
use crate::BackOffice;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use payframe_payment_ports::clock::millis;
use payframe_storage::members::Member;
use payframe_storage::passkeys::{self, Passkey, Purpose};
use payframe_storage::{Connection, StoreError, Subject, Write};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::time::Duration;
use url::{Host, Url};
use uuid::Uuid;
use webauthn_rs::prelude::{
    AuthenticationResult, DiscoverableAuthentication, Passkey as Credential, PasskeyAuthentication,
    PasskeyRegistration, PublicKeyCredential, RegisterPublicKeyCredential, WebauthnError,
};
use webauthn_rs::{Webauthn, WebauthnBuilder};

/// The gateway as passkeys know it: its host, and the origin of its pages.
pub(crate) struct RelyingParty(pub(crate) Webauthn);

impl RelyingParty {
    /// `None`: browsers use no passkeys at this origin.
    pub(crate) fn of(origin: &str) -> Option<RelyingParty> {
        let origin = Url::parse(origin).ok()?;
        let Some(Host::Domain(host)) = origin.host() else {
            return None;
        };
        let is_local = host == "localhost" || host.ends_with(".localhost");
        if origin.scheme() != "https" && !is_local {
            return None;
        }
        let built = WebauthnBuilder::new(host, &origin)
            .and_then(|builder| builder.timeout(ANSWERED_WITHIN).build());
        built.ok().map(RelyingParty)
    }
}

/// Why an answer was not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PasskeyRefusal {
    /// The browser sent no answer: it runs no script, or the member cancelled.
    Missing,
    /// The question was answered before, or too long ago, or another browser was asked.
    Late,
    /// The passkey is no member's, or not this member's.
    Unknown,
    /// The device counts less than before: there may be a copy of it.
    Copied,
    /// It is right, and the member logs in at a provider alone.
    NotAlone,
    /// The answer is not one to the question: another origin, no verification, a wrong signature.
    Wrong,
}

impl PasskeyRefusal {
    /// The message for the person.
    pub(super) fn sentence(self) -> &'static str {
        match self {
            PasskeyRefusal::Missing => {
                "Your browser sent no passkey: that needs scripts. Try again, or use another way."
            }
            PasskeyRefusal::Late => "This took too long, or was sent twice. Try again.",
            PasskeyRefusal::Unknown => {
                "This passkey does not get in here any more. Use another one, or log in with your password."
            }
            PasskeyRefusal::Copied => {
                "There may be a copy of this passkey, so it was refused. Use another way, remove it, and tell the operator of this gateway."
            }
            PasskeyRefusal::NotAlone => {
                "Your company logs in at its provider only. Go back to the log-in, and use its button there."
            }
            PasskeyRefusal::Wrong => "The passkey could not be checked. Try again.",
        }
    }

    /// The detail of the entry in the audit log.
    pub(super) fn detail(self) -> &'static str {
        match self {
            PasskeyRefusal::Missing => "no passkey was sent",
            PasskeyRefusal::Late => "passkey: late, or sent twice",
            PasskeyRefusal::Unknown => "passkey of nobody, or of another member",
            PasskeyRefusal::Copied => "passkey: its counter went back, so there may be a copy",
            PasskeyRefusal::NotAlone => "with a passkey alone, and not at a provider",
            PasskeyRefusal::Wrong => "wrong passkey",
        }
    }

    fn of(problem: &WebauthnError) -> PasskeyRefusal {
        match problem {
            WebauthnError::CredentialPossibleCompromise => PasskeyRefusal::Copied,
            WebauthnError::CredentialNotFound => PasskeyRefusal::Unknown,
            _ => PasskeyRefusal::Wrong,
        }
    }
}

/// Asks a member's browser for a new passkey. Returns the question for the page, or `None` where there are no passkeys.
pub(super) async fn ask_to_add(
    office: &BackOffice,
    login: &LoginSession,
    present: &[Passkey],
) -> Result<Option<String>, OfficeError> {
    let Some(RelyingParty(webauthn)) = office.relying_party() else {
        return Ok(None);
    };
    let member = &login.member;
    let known = credentials(present)?;
    let known = known.iter().map(|known| known.cred_id().clone()).collect();
    // People see it in the list of their device, where they may have one for each merchant.
    let name = format!("{} ({})", member.email, login.merchant_name);
    let (question, state) = webauthn
        .start_passkey_registration(handle(member)?, &name, &member.name, Some(known))
        .map_err(failed)?;
    let mut question = options(&question)?;
    // It has to be found without an e-mail address, so that it is enough to log in.
    question["authenticatorSelection"]["residentKey"] = json!("required");
    question["authenticatorSelection"]["requireResidentKey"] = json!(true);
    keep(office, &login.token_hash, Purpose::Add, &state).await?;
    Ok(Some(question.to_string()))
}

/// Checks the answer to [`ask_to_add`]. The passkey is not stored yet.
pub(super) async fn new_passkey(
    office: &BackOffice,
    login: &LoginSession,
    name: &str,
    answer: &str,
) -> Result<Result<Passkey, PasskeyRefusal>, OfficeError> {
    let (webauthn, state, answer) =
        match answered::<PasskeyRegistration, RegisterPublicKeyCredential>(
            office,
            &login.token_hash,
            Purpose::Add,
            answer,
        )
        .await?
        {
            Ok(parts) => parts,
            Err(refusal) => return Ok(Err(refusal)),
        };
    let credential = match webauthn.finish_passkey_registration(&answer, &state) {
        Ok(credential) => credential,
        Err(problem) => return Ok(Err(refused(&problem))),
    };
    Ok(Ok(Passkey {
        id: payframe_vault::random_token()?,
        credential_id: URL_SAFE_NO_PAD.encode(credential.cred_id()),
        member_id: login.member.id.clone(),
        name: name.to_owned(),
        credential: written(&credential)?,
        created_ms: office.clock().now_ms(),
        used_ms: None,
    }))
}

/// Asks a member's browser for one of the member's passkeys. Returns the question for the page, or `None` if the member has none here.
pub(super) async fn ask_member(
    office: &BackOffice,
    login: &LoginSession,
    purpose: Purpose,
) -> Result<Option<String>, OfficeError> {
    let Some(RelyingParty(webauthn)) = office.relying_party() else {
        return Ok(None);
    };
    let mut connection = office.store().read().await?;
    let present = passkeys::of_member(&mut connection, &login.member.id).await?;
    drop(connection);
    if present.is_empty() {
        return Ok(None);
    }
    let known = credentials(&present)?;
    let (question, state) = webauthn
        .start_passkey_authentication(&known)
        .map_err(failed)?;
    keep(office, &login.token_hash, purpose, &state).await?;
    Ok(Some(options(&question)?.to_string()))
}

async fn used_by_member(
    office: &BackOffice,
    login: &LoginSession,
    purpose: Purpose,
    answer: &str,
) -> Result<Result<UsedPasskey, PasskeyRefusal>, OfficeError> {
    let (webauthn, state, answer) = match answered::<PasskeyAuthentication, PublicKeyCredential>(
        office,
        &login.token_hash,
        purpose,
        answer,
    )
    .await?
    {
        Ok(parts) => parts,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let Some((passkey, member)) = owner(office, &answer).await? else {
        return Ok(Err(PasskeyRefusal::Unknown));
    };
    if member.id != login.member.id {
        return Ok(Err(PasskeyRefusal::Unknown));
    }
    let checked = webauthn.finish_passkey_authentication(&answer, &state);
    match checked {
        Ok(result) => UsedPasskey::after(passkey, member, &result),
        Err(problem) => Ok(Err(refused(&problem))),
    }
}

/// Checks the answer to [`ask_member`], and records the use in the change that follows from it. Returns the change, and the member's name for
/// the passkey.
pub(super) async fn use_by_member(
    office: &BackOffice,
    login: &LoginSession,
    purpose: Purpose,
    answer: &str,
) -> Result<(Write, Result<String, PasskeyRefusal>), OfficeError> {
    let used = used_by_member(office, login, purpose, answer).await?;
    let subject = Subject::Merchant(&login.member.merchant_id);
    let mut change = office.store().write(subject).await?;
    let recorded = match used {
        Ok(used) => used.record(&mut change, office.clock().now_ms()).await?,
        Err(refusal) => Err(refusal),
    };
    Ok((change, recorded))
}

/// Asks the browser of somebody who is not known yet for a passkey. `token_hash` is that of the browser's cookie.
pub(super) async fn ask_anybody(
    office: &BackOffice,
    token_hash: &str,
) -> Result<Option<String>, OfficeError> {
    let Some(RelyingParty(webauthn)) = office.relying_party() else {
        return Ok(None);
    };
    let (question, state) = webauthn
        .start_discoverable_authentication()
        .map_err(failed)?;
    keep(office, token_hash, Purpose::LogIn, &state).await?;
    Ok(Some(options(&question)?.to_string()))
}

/// The answer of somebody who says with a passkey who they are. It is not checked yet.
pub(super) struct Claim<'a> {
    webauthn: &'a Webauthn,
    state: DiscoverableAuthentication,
    answer: PublicKeyCredential,
    passkey: Passkey,
    /// Whose passkey it claims to be.
    pub(super) member: Member,
}

impl<'a> Claim<'a> {
    /// Reads the answer to [`ask_anybody`].
    pub(super) async fn of(
        office: &'a BackOffice,
        token_hash: &str,
        answer: &str,
    ) -> Result<Result<Claim<'a>, PasskeyRefusal>, OfficeError> {
        let (webauthn, state, answer) =
            match answered(office, token_hash, Purpose::LogIn, answer).await? {
                Ok(parts) => parts,
                Err(refusal) => return Ok(Err(refusal)),
            };
        let Some((passkey, member)) = owner(office, &answer).await? else {
            return Ok(Err(PasskeyRefusal::Unknown));
        };
        Ok(Ok(Claim {
            webauthn,
            state,
            answer,
            passkey,
            member,
        }))
    }

    /// Checks it.
    pub(super) fn check(self) -> Result<Result<UsedPasskey, PasskeyRefusal>, OfficeError> {
        // The device says for whom it made the passkey. Whoever does not say so is nobody's.
        let identified = self
            .webauthn
            .identify_discoverable_authentication(&self.answer);
        if identified.ok().map(|(user, _)| user) != Some(handle(&self.member)?) {
            return Ok(Err(PasskeyRefusal::Unknown));
        }
        let credential = read_credential(&self.passkey)?;
        let checked = self.webauthn.finish_discoverable_authentication_v2(
            &self.answer,
            self.state,
            &credential,
        );
        match checked {
            Ok(result) => UsedPasskey::after(self.passkey, self.member, &result),
            Err(problem) => Ok(Err(refused(&problem))),
        }
    }
}

/// A passkey that answered a question rightly.
pub(super) struct UsedPasskey {
    passkey: Passkey,
    member: Member,
    credential: String,
}

impl UsedPasskey {
    fn after(
        passkey: Passkey,
        member: Member,
        result: &AuthenticationResult,
    ) -> Result<Result<UsedPasskey, PasskeyRefusal>, OfficeError> {
        let mut credential = read_credential(&passkey)?;
        let is_changed = credential.update_credential(result) == Some(true);
        // The passkey may have been used since the question was made. A device that counts has to count on from there.
        if result.counter() > 0 && !is_changed {
            return Ok(Err(PasskeyRefusal::Copied));
        }
        Ok(Ok(UsedPasskey {
            credential: written(&credential)?,
            passkey,
            member,
        }))
    }

    /// Records the use, in the change that it allows. Returns the member's name for the passkey. Meanwhile the passkey may have been removed
    /// or used, or the member may have been changed or disabled.
    pub(super) async fn record(
        self,
        change: &mut Connection,
        now_ms: i64,
    ) -> Result<Result<String, PasskeyRefusal>, StoreError> {
        let found = passkeys::with_member(change, &self.passkey.credential_id).await?;
        let is_same = found.is_some_and(|(_, member)| member == self.member);
        if !is_same || !passkeys::put_used(change, &self.passkey, &self.credential, now_ms).await? {
            return Ok(Err(PasskeyRefusal::Unknown));
        }
        Ok(Ok(self.passkey.name))
    }
}

/// Takes the question of this browser, which is then answered, and reads its answer.
async fn answered<'a, S: DeserializeOwned, A: DeserializeOwned>(
    office: &'a BackOffice,
    token_hash: &str,
    purpose: Purpose,
    answer: &str,
) -> Result<Result<(&'a Webauthn, S, A), PasskeyRefusal>, OfficeError> {
    let Some(RelyingParty(webauthn)) = office.relying_party() else {
        return Err(OfficeError::NotFound);
    };
    if answer.is_empty() {
        return Ok(Err(PasskeyRefusal::Missing));
    }
    let over_ms = office.clock().now_ms() - millis(ANSWERED_WITHIN);
    let mut change = office.store().write(Subject::Statement).await?;
    let state = passkeys::take_question(&mut change, token_hash, purpose, over_ms).await?;
    change.commit().await?;
    let Some(state) = state else {
        return Ok(Err(PasskeyRefusal::Late));
    };
    let state = serde_json::from_str(&state).map_err(|_| unreadable("passkey_question.state"))?;
    Ok(match serde_json::from_str(answer) {
        Ok(answer) => Ok((webauthn, state, answer)),
        Err(_) => Err(PasskeyRefusal::Wrong),
    })
}

/// The passkey that answers, and its member, who may log in.
async fn owner(
    office: &BackOffice,
    answer: &PublicKeyCredential,
) -> Result<Option<(Passkey, Member)>, StoreError> {
    let credential_id = URL_SAFE_NO_PAD.encode(answer.get_credential_id());
    let mut connection = office.store().read().await?;
    passkeys::with_member(&mut connection, &credential_id).await
}

/// Keeps what the gateway has to know for the answer.
async fn keep(
    office: &BackOffice,
    token_hash: &str,
    purpose: Purpose,
    state: &impl Serialize,
) -> Result<(), OfficeError> {
    let now_ms = office.clock().now_ms();
    let over_ms = now_ms - millis(ANSWERED_WITHIN);
    let state = written(state)?;
    let mut change = office.store().write(Subject::Gateway).await?;
    passkeys::ask(&mut change, token_hash, purpose, &state, now_ms, over_ms).await?;
    change.commit().await?;
    Ok(())
}

/// The options of a question, as `navigator.credentials` takes them.
fn options(question: &impl Serialize) -> Result<Value, OfficeError> {
    let mut question = serde_json::to_value(question).map_err(unwritable)?;
    Ok(question["publicKey"].take())
}

/// What devices know a member by: the 16 bytes of their id.
fn handle(member: &Member) -> Result<Uuid, OfficeError> {
    Uuid::parse_str(&member.id).map_err(|_| unreadable("member.member_id"))
}

fn credentials(passkeys: &[Passkey]) -> Result<Vec<Credential>, OfficeError> {
    passkeys.iter().map(read_credential).collect()
}

fn read_credential(passkey: &Passkey) -> Result<Credential, OfficeError> {
    serde_json::from_str(&passkey.credential).map_err(|_| unreadable("passkey.credential"))
}

fn written(value: &impl Serialize) -> Result<String, OfficeError> {
    serde_json::to_string(value).map_err(unwritable)
}

fn refused(problem: &WebauthnError) -> PasskeyRefusal {
    tracing::info!(%problem, "a passkey was refused");
    PasskeyRefusal::of(problem)
}

fn failed(problem: WebauthnError) -> OfficeError {
    tracing::error!(%problem, "a question for a passkey could not be made");
    OfficeError::Failed
}

fn unwritable(problem: serde_json::Error) -> OfficeError {
    tracing::error!(%problem, "a passkey could not be written as JSON");
    OfficeError::Failed
}

fn unreadable(column: &'static str) -> OfficeError {
    StoreError::Unreadable(column).into()
}

/// An answer is accepted for this long after the question.
const ANSWERED_WITHIN: Duration = Duration::from_secs(5 * 60);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passkeys_need_a_host_that_browsers_use_them_at() {
        for (origin, expected) in [
            ("https://gateway.example", true),
            ("https://gateway.example:8443", true),
            ("http://localhost:8790", true),
            ("http://demo.localhost:8790", true),
            ("http://gateway.example", false),
            ("https://192.0.2.1", false),
            ("https://[2001:db8::1]", false),
            ("http://127.0.0.1:8790", false),
            ("", false),
        ] {
            assert_eq!(RelyingParty::of(origin).is_some(), expected, "{origin}");
        }
    }
}
