//! Logging in at a log-in provider, in place of the password (OpenID Connect, authorization code with PKCE).
//!
//! Nobody becomes a member by it: a member of the provider's merchant has to be there. The first log-in finds the member by the e-mail
//! address, if the provider has verified it, and binds them to the account; from then on the account alone counts. The second factor is
//! asked for as after a password, unless the operator says which log-ins at the provider count as two factors.
//!
//! The provider sends the browser back from another site, so the cookie of a log-in (`SameSite=Strict`) would not come with it. The way
//! there and back has a cookie of its own, for these addresses alone, and each page that leaves or arrives leads on by itself.

use super::attempts::{self, Wait};
use super::error::OfficeError;
use super::login_providers::LoginProvider;
use super::login_providers::exchange::{BrowserSecrets, Discovery, ExchangeProblem};
use super::login_session::{self, LogIn, LogInStep, LoginSession};
use super::next_page::Next;
use super::page::{Layout, show};
use super::visit::Visit;
use super::{login_code, password, provider_cookie};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::rejection::{FormRejection, QueryRejection};
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use payframe_login_tokens::id_token::{Expected, Identity};
use payframe_payment_domain::back_office::Act;
use payframe_payment_ports::clock::millis;
use payframe_storage::login_sessions::{self, Proof};
use payframe_storage::members::{self, Member, NewPassword};
use payframe_storage::provider_accounts::{self, Account, ProviderQuestion};
use payframe_storage::provider_logouts;
use payframe_storage::{Connection, StoreError, Subject, audit, second_factors};
use payframe_web_pages as web_pages;
use serde::Deserialize;
use std::time::Duration;
use subtle::ConstantTimeEq;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route("/office/login/provider/{id}", post(ask))
        .route("/office/login/provider/{id}/callback", get(come_back))
}

#[derive(Deserialize)]
struct AskForm {
    /// `1`: the provider has to ask who it is, even if it knows.
    #[serde(default)]
    fresh: String,
    #[serde(flatten)]
    next: Next,
}

async fn ask(
    State(office): State<BackOffice>,
    Path(id): Path<String>,
    visit: Visit,
    headers: HeaderMap,
    form: Result<Form<AskForm>, FormRejection>,
) -> Result<Response, OfficeError> {
    if web_pages::sent_from_elsewhere(office.origin(), &headers) {
        return Err(OfficeError::Elsewhere);
    }
    let Form(form) = form.map_err(|_| OfficeError::incomplete())?;
    let provider = office.providers().find(&id).ok_or(OfficeError::NotFound)?;
    let is_fresh = form.fresh == "1";
    if !is_fresh && LoginSession::of(&office, &headers, &visit).await?.is_some() {
        return Ok(web_pages::see_other(form.next.path()));
    }
    if let Err(wait) = attempts::count_question(&office, &visit).await? {
        return Ok(too_many_attempts(provider, wait));
    }
    let discovery = match Discovery::of(provider).await {
        Ok(discovery) => discovery,
        Err(problem) => return Ok(refused(provider, &Refusal::of(provider, &problem))),
    };
    let token = payframe_vault::random_secret()?;
    let question = ProviderQuestion {
        provider: provider.id.clone(),
        next: form.next.path().to_owned(),
        is_fresh,
        asked_ms: office.clock().now_ms(),
    };
    let over_ms = question.asked_ms - millis(COMES_BACK_WITHIN);
    let mut change = office.store().write(Subject::Gateway).await?;
    let hash = payframe_vault::hash(&token);
    provider_accounts::ask(&mut change, &hash, &question, over_ms).await?;
    change.commit().await?;
    let secrets = BrowserSecrets::of(&token);
    let address = discovery.log_in_page(provider, office.origin(), &secrets, is_fresh);
    let title = format!("Log in with {}", provider.name);
    let mut page = leads_on(&title, address.as_str());
    provider_cookie::put(&office, &mut page, Some(&token), COMES_BACK_WITHIN);
    Ok(page)
}

/// What the browser brings back.
#[derive(Deserialize)]
struct BroughtBack {
    #[serde(default)]
    code: String,
    #[serde(default)]
    state: String,
    /// The issuer (RFC 9207).
    iss: Option<String>,
    error: Option<String>,
}

async fn come_back(
    State(office): State<BackOffice>,
    Path(id): Path<String>,
    visit: Visit,
    headers: HeaderMap,
    brought: Result<Query<BroughtBack>, QueryRejection>,
) -> Result<Response, OfficeError> {
    let provider = office.providers().find(&id).ok_or(OfficeError::NotFound)?;
    let Query(brought) = brought.map_err(|_| OfficeError::NotFound)?;
    let Some(token) = provider_cookie::token_of(&office, &headers) else {
        return Ok(refused(provider, &Refusal::Late));
    };
    let (question, identity) = match identified(&office, provider, token, &brought).await? {
        Ok(parts) => parts,
        Err(refusal) => return Ok(refused(provider, &refusal)),
    };
    attempts::uncount_question(&office, &visit).await?;
    match log_in(&office, provider, &visit, &question, &identity).await? {
        Err(refusal) => Ok(refused(provider, &refusal)),
        Ok((token, step)) => {
            let next = Next::to(&question.next);
            let address = match step {
                LogInStep::AwaitsCode => login_code::address(&next),
                LogInStep::Done => next.path().to_owned(),
            };
            let mut page = leads_on("Logged in", &address);
            login_session::put_cookie(&office, &mut page, Some(&token));
            provider_cookie::put(&office, &mut page, None, Duration::ZERO);
            Ok(page)
        }
    }
}

/// Who has logged in at the provider, in answer to the question of this browser. The question is used up.
async fn identified(
    office: &BackOffice,
    provider: &LoginProvider,
    token: &str,
    brought: &BroughtBack,
) -> Result<Result<(ProviderQuestion, Identity), Refusal>, OfficeError> {
    let now_ms = office.clock().now_ms();
    let over_ms = now_ms - millis(COMES_BACK_WITHIN);
    let mut change = office.store().write(Subject::Statement).await?;
    let hash = payframe_vault::hash(token);
    let question = provider_accounts::take_question(&mut change, &hash, over_ms).await?;
    change.commit().await?;
    let Some(question) = question.filter(|question| question.provider == provider.id) else {
        return Ok(Err(Refusal::Late));
    };
    let secrets = BrowserSecrets::of(token);
    let is_ours = secrets.state.as_bytes().ct_eq(brought.state.as_bytes());
    let is_of_issuer = brought
        .iss
        .as_ref()
        .is_none_or(|iss| *iss == provider.issuer);
    if !bool::from(is_ours) || !is_of_issuer {
        return Ok(Err(Refusal::Unproven));
    }
    if brought.error.is_some() || brought.code.is_empty() {
        return Ok(Err(Refusal::Declined));
    }
    let discovery = match Discovery::of(provider).await {
        Ok(discovery) => discovery,
        Err(problem) => return Ok(Err(Refusal::of(provider, &problem))),
    };
    if discovery.authorization_response_iss_parameter_supported && brought.iss.is_none() {
        return Ok(Err(Refusal::Unproven));
    }
    let expected = Expected {
        issuer: &provider.issuer,
        client_id: &provider.client_id,
        nonce: &secrets.nonce,
        now_s: now_ms / 1000,
        authenticated_after_s: question.is_fresh.then_some(question.asked_ms / 1000),
    };
    let identity = discovery
        .identity(
            provider,
            office.origin(),
            &brought.code,
            &secrets,
            &expected,
        )
        .await;
    Ok(match identity {
        Ok(identity) => Ok((question, identity)),
        Err(problem) => Err(Refusal::of(provider, &problem)),
    })
}

/// Finds the member, and stores the log-in. Returns the token for the cookie.
async fn log_in(
    office: &BackOffice,
    provider: &LoginProvider,
    visit: &Visit,
    question: &ProviderQuestion,
    identity: &Identity,
) -> Result<Result<(String, LogInStep), Refusal>, OfficeError> {
    let now_ms = office.clock().now_ms();
    let address = visit.address_text();
    let subject = Subject::Merchant(&provider.merchant_id);
    let mut change = office.store().write(subject).await?;
    let session_hash = identity.session.as_deref().map(payframe_vault::hash);
    let subject_hash = payframe_vault::hash(&identity.subject);
    let names = (subject_hash.as_str(), session_hash.as_deref());
    if provider_logouts::told_since(&mut change, &provider.id, names, question.asked_ms).await? {
        return Ok(Err(Refusal::Declined));
    }
    let (member, refusal) = match found(&mut change, provider, identity, now_ms).await? {
        Found::Member { member, is_new } => {
            if is_new {
                let entry = member.entry(&address, now_ms, Act::BindAccount, "", &provider.issuer);
                audit::add(&mut change, &entry).await?;
            }
            (member, None)
        }
        Found::OtherAccount(member) => (member, Some(Refusal::OtherAccount)),
        Found::Nobody(refusal) => return Ok(Err(refusal)),
    };
    if let Some(refusal) = refusal {
        let detail = format!("with another account at {}", provider.issuer);
        let entry = member.entry(&address, now_ms, Act::LogInRefused, "", &detail);
        audit::add(&mut change, &entry).await?;
        change.commit().await?;
        return Ok(Err(refusal));
    }
    login_sessions::forget(&mut change, now_ms - millis(login_session::HARD)).await?;
    let proof = match provider.counts_as_two_factors(identity) {
        true => Proof::ProviderWithTwoFactors,
        false => Proof::Provider,
    };
    let factors = second_factors::count(&mut change, &member.id).await?;
    let step = match proof {
        Proof::Provider if factors > 0 => LogInStep::AwaitsCode,
        _ => LogInStep::Done,
    };
    // A provider that knew the person already has not asked them now.
    let confirmed_ms = match identity.authenticated_s {
        Some(was_s) => now_ms.min(was_s.saturating_mul(1000)),
        None if question.is_fresh => now_ms,
        None => 0,
    };
    let log_in = LogIn {
        step,
        proof,
        confirmed_ms,
        provider_session_hash: session_hash,
    };
    let token = login_session::begin(office, &mut change, &member, log_in, visit).await?;
    if step == LogInStep::Done {
        let detail = format!("at {}", provider.issuer);
        let entry = member.entry(&address, now_ms, Act::LogIn, "", &detail);
        audit::add(&mut change, &entry).await?;
    }
    change.commit().await?;
    Ok(Ok((token, step)))
}

/// Whose account it is.
enum Found {
    /// A member's. `is_new`: from now on.
    Member {
        member: Member,
        is_new: bool,
    },
    /// This member's address, but the member has another account.
    OtherAccount(Member),
    Nobody(Refusal),
}

async fn found(
    change: &mut Connection,
    provider: &LoginProvider,
    identity: &Identity,
    now_ms: i64,
) -> Result<Found, StoreError> {
    let account = Account {
        issuer: &provider.issuer,
        subject: &identity.subject,
    };
    if let Some(member) = provider_accounts::member(change, &provider.merchant_id, account).await? {
        return Ok(Found::Member {
            member,
            is_new: false,
        });
    }
    let Some(email) = &identity.email else {
        return Ok(Found::Nobody(Refusal::NoAddress));
    };
    let known = members::by_email(change, email).await?;
    let known = known
        .into_iter()
        .find(|(member, _)| member.merchant_id == provider.merchant_id && !member.disabled);
    let Some((member, kept)) = known else {
        return Ok(Found::Nobody(Refusal::NoMember));
    };
    if !provider_accounts::bind(change, &member, account, now_ms).await? {
        return Ok(Found::OtherAccount(member));
    }
    // Somebody else knows a password that was made for the member, who will not be asked for another one.
    if member.must_change {
        let none = NewPassword {
            hash: &password::ended(&kept),
            must_change: true,
            now_ms,
        };
        members::put_password(change, &member.id, &none).await?;
    }
    Ok(Found::Member {
        member,
        is_new: true,
    })
}

/// Why nobody is logged in.
enum Refusal {
    /// The browser came back late, twice, or is another one.
    Late,
    /// What came back does not fit the question.
    Unproven,
    /// The provider did not log the person in, or they cancelled.
    Declined,
    /// The provider cannot be reached, or its answer cannot be used.
    Unusable,
    /// The provider has not verified an e-mail address.
    NoAddress,
    /// No member has the address.
    NoMember,
    /// The member with the address has another account.
    OtherAccount,
}

impl Refusal {
    fn of(provider: &LoginProvider, problem: &ExchangeProblem) -> Refusal {
        tracing::warn!(provider = provider.id, %problem, "a log-in provider gave no usable answer");
        match problem {
            ExchangeProblem::Token(_) => Refusal::Unproven,
            _ => Refusal::Unusable,
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            Refusal::Unusable => StatusCode::BAD_GATEWAY,
            _ => StatusCode::FORBIDDEN,
        }
    }

    fn sentence(&self, provider: &LoginProvider) -> String {
        let name = &provider.name;
        match self {
            Refusal::Late => String::from("This took too long, or was opened twice. Try again."),
            Refusal::Unproven => {
                format!(
                    "What {name} said could not be checked, so nobody was logged in. Try again."
                )
            }
            Refusal::Declined => format!("{name} did not log you in. Try again."),
            Refusal::Unusable => {
                let or_else = match provider.is_only_way_in {
                    true => "Try later.",
                    false => "Try later, or log in with your password.",
                };
                format!("{name} gives no usable answer at present. {or_else}")
            }
            Refusal::NoAddress => format!(
                "{name} has not verified your e-mail address, so it is not known who you are here. Ask whoever runs {name} for you."
            ),
            Refusal::NoMember => format!(
                "Nobody works here with the e-mail address that {name} has of you. An administrator of this back office can add you."
            ),
            Refusal::OtherAccount => format!(
                "Your e-mail address belongs to another account at {name} here. An administrator of this back office can make it forget that account."
            ),
        }
    }
}

fn refused(provider: &LoginProvider, refusal: &Refusal) -> Response {
    problem_page(provider, refusal.status(), &refusal.sentence(provider))
}

fn too_many_attempts(provider: &LoginProvider, wait: Wait) -> Response {
    let page = problem_page(provider, StatusCode::TOO_MANY_REQUESTS, &wait.sentence());
    wait.on(page)
}

fn problem_page(provider: &LoginProvider, status: StatusCode, problem: &str) -> Response {
    let page = ProblemPage {
        layout: Layout::of_nobody(format!("Log in with {}", provider.name)),
        problem,
    };
    show(status, &page)
}

/// A page that leads on by itself.
fn leads_on(title: &str, address: &str) -> Response {
    let page = LeadingPage {
        layout: Layout::of_nobody(title),
        address,
    };
    show(StatusCode::OK, &page)
}

#[derive(Template)]
#[template(path = "office-provider-problem.html")]
struct ProblemPage<'a> {
    layout: Layout<'static>,
    problem: &'a str,
}

#[derive(Template)]
#[template(path = "office-leads-on.html")]
struct LeadingPage<'a> {
    layout: Layout<'static>,
    address: &'a str,
}

/// A log-in at a provider may take this long.
pub(super) const COMES_BACK_WITHIN: Duration = Duration::from_secs(10 * 60);
