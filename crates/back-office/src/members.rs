//! Members: who works for the merchant, with which role. For administrators.

use super::error::OfficeError;
use super::form::{NoFields, Posted};
use super::login_session::{self, LoginSession};
use super::moment::Moment;
use super::own_log_ins::ShownLogIn;
use super::page::{LastAction, Layout, Section, show};
use super::secret;
use super::staff::{Actor, Email, FirstPassword, Name, NewMember, Staff, StaffError};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use payframe_payment_domain::back_office::Role;
use payframe_storage::members::{self, Member};
use payframe_storage::{provider_accounts, second_factors};
use payframe_web_pages::see_other;
use serde::Deserialize;
use serde::de::DeserializeOwned;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route("/office/members", get(list).post(add))
        .route("/office/members/new", get(ask))
        .route("/office/members/{id}", get(one))
        .route("/office/members/{id}/role", post(put_role))
        .route("/office/members/{id}/disable", post(disable))
        .route("/office/members/{id}/enable", post(enable))
        .route("/office/members/{id}/password", post(reset_password))
        .route("/office/members/{id}/log-out", post(end_log_ins))
        .route("/office/members/{id}/factor", post(reset_second_factor))
        .route("/office/members/{id}/account", post(forget_account))
}

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(done): Query<LastAction>,
) -> Result<Response, OfficeError> {
    login.require(Role::Administrator)?;
    let merchant_id = &login.member.merchant_id;
    let members = members::of_merchant(&mut *office.store().read().await?, merchant_id).await?;
    let layout = Layout::of(&login, Section::Members, "Members").after(&done, DONE);
    Ok(show(StatusCode::OK, &ListPage { layout, members }))
}

async fn ask(login: LoginSession) -> Result<Response, OfficeError> {
    login.require(Role::Administrator)?;
    let empty = MemberForm {
        name: String::new(),
        email: String::new(),
        role: String::from(Role::Viewer.code()),
    };
    Ok(asked_again(
        StatusCode::OK,
        &login,
        &empty,
        MemberFormErrors::default(),
    ))
}

#[derive(Deserialize)]
struct MemberForm {
    name: String,
    email: String,
    role: String,
}

/// The errors in the fields; empty if there are none.
#[derive(Default)]
struct MemberFormErrors {
    name: String,
    email: String,
}

async fn add(
    State(office): State<BackOffice>,
    Posted { login, fields }: Posted<MemberForm>,
) -> Result<Response, OfficeError> {
    login.require(Role::Administrator)?;
    login.require_confirmed(&office, "/office/members/new")?;
    let role = Role::from_code(&fields.role).ok_or_else(no_such_role)?;
    let (name, email) = match (Name::parse(&fields.name), Email::parse(&fields.email)) {
        (Some(name), Some(email)) => (name, email),
        (name, email) => {
            let say = |is_good: bool, sentence: &str| match is_good {
                true => String::new(),
                false => sentence.to_owned(),
            };
            let errors = MemberFormErrors {
                name: say(name.is_some(), "A name has 1 to 80 characters."),
                email: say(
                    email.is_some(),
                    "Type an e-mail address, as in anna@shop.example.",
                ),
            };
            return Ok(asked_again(
                StatusCode::BAD_REQUEST,
                &login,
                &fields,
                errors,
            ));
        }
    };
    let newcomer = NewMember {
        merchant_id: login.member.merchant_id.clone(),
        name,
        email,
        role,
    };
    let actor = Actor::member(&office, &login);
    let staff = Staff::new(office.store());
    let added = match login.has_password {
        true => staff
            .add(actor, newcomer, FirstPassword::FirstUse)
            .await
            .map(|(member, password)| (member, Some(password))),
        false => staff
            .add_without_password(actor, newcomer)
            .await
            .map(|member| (member, None)),
    };
    match added {
        Ok((member, None)) => Ok(back_to(&member, "added")),
        Ok((member, Some(password))) => {
            let about = format!(
                "The password of {} ({}). It is shown this once: hand it over in a way that nobody else sees. They choose \
                 another one when they first log in.",
                member.name, member.email
            );
            let layout = Layout::of(&login, Section::Members, "A member was added");
            Ok(password_page(layout, &about, password.expose()))
        }
        Err(problem @ StaffError::Taken) => {
            let errors = MemberFormErrors {
                email: problem.to_string(),
                ..MemberFormErrors::default()
            };
            Ok(asked_again(StatusCode::CONFLICT, &login, &fields, errors))
        }
        Err(problem) => Err(problem.into()),
    }
}

fn asked_again(
    status: StatusCode,
    login: &LoginSession,
    form: &MemberForm,
    errors: MemberFormErrors,
) -> Response {
    let layout = Layout::of(login, Section::Members, "Add a member");
    show(
        status,
        &NewPage {
            layout,
            form,
            errors,
            has_password: login.has_password,
            roles: Role::ALL,
        },
    )
}

async fn one(
    State(office): State<BackOffice>,
    login: LoginSession,
    Path(id): Path<String>,
    Query(done): Query<LastAction>,
) -> Result<Response, OfficeError> {
    let member = named(&office, &login, &id).await?;
    let is_oneself = member.id == login.member.id;
    let mut connection = office.store().read().await?;
    let factors = second_factors::count(&mut connection, &member.id).await?;
    let account = provider_accounts::of_member(&mut connection, &member.id).await?;
    drop(connection);
    let open = login_session::open_of(&office, &member).await?;
    let layout = Layout::of(&login, Section::Members, &member.name).after(&done, DONE);
    let page = MemberPage {
        layout,
        since: Moment(member.created_ms),
        is_oneself,
        has_password: login.has_password,
        has_second_factor: factors > 0,
        account: account.map(|(issuer, since_ms)| (issuer, Moment(since_ms))),
        log_ins: open
            .into_iter()
            .map(|session| ShownLogIn::of(session, &login))
            .collect(),
        roles: Role::ALL,
        member: &member,
    };
    Ok(show(StatusCode::OK, &page))
}

#[derive(Deserialize)]
struct RoleForm {
    role: String,
}

async fn put_role(
    State(office): State<BackOffice>,
    change: MemberChange<RoleForm>,
) -> Result<Response, OfficeError> {
    change.require_confirmed(&office)?;
    let role = Role::from_code(&change.fields.role).ok_or_else(no_such_role)?;
    let (actor, member) = (change.actor(&office), &change.member);
    Staff::new(office.store())
        .put_role(actor, member, role)
        .await?;
    Ok(back_to(member, "role"))
}

async fn disable(
    State(office): State<BackOffice>,
    change: MemberChange<NoFields>,
) -> Result<Response, OfficeError> {
    let (actor, member) = (change.actor(&office), &change.member);
    Staff::new(office.store()).disable(actor, member).await?;
    Ok(back_to(member, "disabled"))
}

async fn enable(
    State(office): State<BackOffice>,
    change: MemberChange<NoFields>,
) -> Result<Response, OfficeError> {
    let (actor, member) = (change.actor(&office), &change.member);
    Staff::new(office.store()).enable(actor, member).await?;
    Ok(back_to(member, "enabled"))
}

async fn reset_password(
    State(office): State<BackOffice>,
    change: MemberChange<NoFields>,
) -> Result<Response, OfficeError> {
    change.require_confirmed(&office)?;
    let (actor, member) = (change.actor(&office), &change.member);
    let password = Staff::new(office.store())
        .reset_password(actor, member, office.providers())
        .await?;
    let about = format!(
        "The new password of {} ({}). It is shown this once. The former one opens nothing any more, they are logged out \
         everywhere, and choose another one when they log in.",
        member.name, member.email
    );
    let layout = Layout::of(&change.login, Section::Members, "A new password");
    Ok(password_page(layout, &about, password.expose()))
}

async fn end_log_ins(
    State(office): State<BackOffice>,
    change: MemberChange<NoFields>,
) -> Result<Response, OfficeError> {
    let (actor, member) = (change.actor(&office), &change.member);
    let staff = Staff::new(office.store());
    staff.end_log_ins(actor, member).await?;
    Ok(back_to(member, "log-ins"))
}

async fn reset_second_factor(
    State(office): State<BackOffice>,
    change: MemberChange<NoFields>,
) -> Result<Response, OfficeError> {
    change.require_confirmed(&office)?;
    let (actor, member) = (change.actor(&office), &change.member);
    let staff = Staff::new(office.store());
    staff.reset_second_factor(actor, member).await?;
    Ok(back_to(member, "factor"))
}

async fn forget_account(
    State(office): State<BackOffice>,
    change: MemberChange<NoFields>,
) -> Result<Response, OfficeError> {
    change.require_confirmed(&office)?;
    let (actor, member) = (change.actor(&office), &change.member);
    let staff = Staff::new(office.store());
    staff.forget_provider_account(actor, member).await?;
    Ok(back_to(member, "account"))
}

/// A form of an administrator about the member that the path names.
struct MemberChange<T> {
    login: LoginSession,
    member: Member,
    fields: T,
}

impl<T> MemberChange<T> {
    fn actor(&self, office: &BackOffice) -> Actor<'_> {
        Actor::member(office, &self.login)
    }

    fn require_confirmed(&self, office: &BackOffice) -> Result<(), OfficeError> {
        let page = format!("/office/members/{}", self.member.id);
        self.login.require_confirmed(office, &page)
    }
}

impl<T: DeserializeOwned + Send> FromRequest<BackOffice> for MemberChange<T> {
    type Rejection = OfficeError;

    async fn from_request(
        request: Request,
        office: &BackOffice,
    ) -> Result<MemberChange<T>, OfficeError> {
        let (mut parts, body) = request.into_parts();
        let Path(id) = Path::<String>::from_request_parts(&mut parts, office)
            .await
            .map_err(|_| OfficeError::NotFound)?;
        let request = Request::from_parts(parts, body);
        let Posted { login, fields } = Posted::from_request(request, office).await?;
        let member = named(office, &login, &id).await?;
        Ok(MemberChange {
            login,
            member,
            fields,
        })
    }
}

fn password_page(layout: Layout<'_>, about: &str, password: &str) -> Response {
    secret::secret_page(layout, about, password, "/office/members", "To the members")
}

/// The merchant's member that the path names, for an administrator.
async fn named(office: &BackOffice, login: &LoginSession, id: &str) -> Result<Member, OfficeError> {
    login.require(Role::Administrator)?;
    let merchant_id = &login.member.merchant_id;
    let members = members::of_merchant(&mut *office.store().read().await?, merchant_id).await?;
    members
        .into_iter()
        .find(|member| member.id == id)
        .ok_or(OfficeError::NotFound)
}

fn back_to(member: &Member, done: &str) -> Response {
    // Ids are hex digits.
    see_other(&format!("/office/members/{}?done={done}", member.id))
}

fn no_such_role() -> OfficeError {
    OfficeError::Bad(String::from("There is no such role."))
}

impl From<StaffError> for OfficeError {
    fn from(problem: StaffError) -> OfficeError {
        match problem {
            StaffError::Store(problem) => problem.into(),
            StaffError::Vault(problem) => problem.into(),
            refused => OfficeError::Bad(refused.to_string()),
        }
    }
}

#[derive(Template)]
#[template(path = "office-members.html")]
struct ListPage<'a> {
    layout: Layout<'a>,
    members: Vec<Member>,
}

#[derive(Template)]
#[template(path = "office-member-new.html")]
struct NewPage<'a> {
    layout: Layout<'a>,
    form: &'a MemberForm,
    errors: MemberFormErrors,
    /// Whether the merchant's members have passwords here.
    has_password: bool,
    roles: [Role; 3],
}

#[derive(Template)]
#[template(path = "office-member.html")]
struct MemberPage<'a> {
    layout: Layout<'a>,
    member: &'a Member,
    since: Moment,
    is_oneself: bool,
    /// Whether the merchant's members have passwords here.
    has_password: bool,
    has_second_factor: bool,
    /// The log-in provider of the member's account, and since when it is bound.
    account: Option<(String, Moment)>,
    log_ins: Vec<ShownLogIn>,
    roles: [Role; 3],
}

const DONE: &[(&str, &str)] = &[
    (
        "role",
        "The role was changed, and the member was logged out.",
    ),
    ("log-ins", "The member was logged out everywhere."),
    (
        "factor",
        "The second factor was removed, and the member was logged out.",
    ),
    (
        "account",
        "The account was forgotten, and the member was logged out.",
    ),
    (
        "disabled",
        "The member was logged out and can no longer log in.",
    ),
    ("enabled", "The member can log in again as before."),
    (
        "added",
        "The member was added, and logs in at your log-in provider.",
    ),
];
