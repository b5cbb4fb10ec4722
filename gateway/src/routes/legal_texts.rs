//! Texts that buyers accept: terms and conditions, and the conditions of structures (contract 8.3.1 to 8.3.3, 8.3.18 to
//! 8.3.21). A text never changes, so an accepted text can be read again.

use super::call::{Call, CallingTerminal, PathId, SentBody};
use super::endpoint::{BASES, Endpoint, GUARANTEED_COLLECTION, LONG_BODY_LIMIT, Verb};
use super::error::{ApiError, RequestErrors};
use super::fields::{BodyCheck, Presence, Section};
use super::requests::catalogue::{self, CreateStructureCondition, CreateTerms, TermsText};
use super::requests::forms::ReservationTypes;
use super::requests::{Member, Parts};
use crate::App;
use axum::Json;
use axum::extract::State;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use payframe_error_codes::ErrorCode::{GW9007, PS0026};
use payframe_payment_domain::calendar::{day_text, terminal_day};
use payframe_payment_domain::reservation::ReservationType;
use payframe_payment_domain::terms::Terminal;
use payframe_protocol::catalogue::{
    ConditionAnswer, ConditionRow, ConditionText, StructureCondition, Terms, TermsAnswer,
};
use payframe_storage::legal_texts::{self, LegalText, TextKind};
use payframe_storage::{StoreError, Subject, structures};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use utoipa_axum::routes;

/// Contract 8.3.1 to 8.3.3, 8.3.18 to 8.3.21.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(create_terms))
            .alias(Verb::Post, "/termsAndConditions", BASES)
            .body_limit(LONG_BODY_LIMIT),
        Endpoint::of(routes!(read_terms)),
        Endpoint::of(routes!(cancel_terms)).refusals(&[GW9007]),
        Endpoint::of(routes!(create_structure_condition)).body_limit(LONG_BODY_LIMIT),
        Endpoint::of(routes!(list_structure_conditions)),
        Endpoint::of(routes!(read_structure_condition)),
        Endpoint::of(routes!(cancel_structure_condition)).refusals(&[GW9007]),
    ]
}

const TERMS_ID: &str = "The text, by the id that the answer of its creation tells.";

const CONDITION_ID: &str = "The condition, by the id that the answer of its creation tells.";

/// The kind of texts that a call is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextFamily {
    Terms,
    Conditions,
}

/// Make terms and conditions
///
/// What a buyer has to accept before a reservation is paid or guaranteed: in each language the label of the box, the
/// text of the link, and the content as HTML in base64 (UTF-8). A text never changes; to replace it, make another.
#[utoipa::path(
    post, path = "/terms_and_conditions", operation_id = "createTerms", tag = GUARANTEED_COLLECTION,
    request_body = CreateTerms,
    responses((status = 200, body = TermsAnswer)),
)]
async fn create_terms(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(sent): SentBody<CreateTerms>,
) -> Result<Json<TermsAnswer>, ApiError> {
    let mut check = BodyCheck::of(&sent);
    read_sent_terms(&mut check.body, sent.members(), &mut check.findings);
    let document = check.finish()?;
    let text = new_text(&app, TextKind::Terms, document);
    add(&app, &terminal, &text).await?;
    Ok(Json(TermsAnswer {
        terms_and_conditions_id: text.text_id,
    }))
}

fn read_sent_terms(body: &mut Section, sent: &CreateTerms, findings: &mut RequestErrors) {
    body.text("name", &sent.name, Presence::Mandatory, 1..=255, findings);
    read_texts(body, &sent.terms_and_conditions, findings);
}

/// Make a structure condition
///
/// What buyers of one type of reservation accept at a structure: one text about the stay, one about cancelling it.
/// Reservations that are made afterwards show it.
#[utoipa::path(
    post, path = "/structure_conditions", operation_id = "createStructureCondition", tag = GUARANTEED_COLLECTION,
    request_body = CreateStructureCondition,
    responses((status = 200, body = ConditionAnswer)),
)]
async fn create_structure_condition(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(sent): SentBody<CreateStructureCondition>,
) -> Result<Json<ConditionAnswer>, ApiError> {
    let mut check = BodyCheck::of(&sent);
    let read = read_condition(&mut check.body, sent.members(), &mut check.findings);
    let document = check.finish()?;
    // Without a finding, all mandatory members were read.
    let (structure_id, reservation_type) = read.ok_or(ApiError::Ours)?;
    let merchant_id = &terminal.merchant_id;
    structures::find(&mut *app.store().read().await?, merchant_id, &structure_id)
        .await?
        .ok_or_else(unknown_structure)?;
    let kind = TextKind::Condition {
        structure_id,
        reservation_type,
    };
    let text = new_text(&app, kind, document);
    add(&app, &terminal, &text).await?;
    Ok(Json(ConditionAnswer {
        structure_condition_id: text.text_id,
    }))
}

fn read_condition(
    body: &mut Section,
    sent: &CreateStructureCondition,
    findings: &mut RequestErrors,
) -> Option<(String, ReservationType)> {
    let mandatory = Presence::Mandatory;
    let structure_id = body.text(
        "structureId",
        &sent.structure_id,
        mandatory,
        1..=36,
        findings,
    );
    let kind = &sent.reservation_type;
    body.must_have("reservationType", kind.is_there(), findings);
    let code = body.one_of("reservationType", kind, ReservationTypes::CODES, findings);
    body.text("name", &sent.name, mandatory, 1..=255, findings);
    read_texts(body, &sent.terms_and_conditions, findings);
    Some((
        structure_id?.to_owned(),
        code.and_then(ReservationType::from_code)?,
    ))
}

/// An element of `termsAndConditions`: what buyers accept, in one language.
trait SentText {
    /// `language`.
    fn language(&self) -> &Member;
    /// Label of the box, words of the link, and content of each text, with their names.
    fn texts(&self) -> Vec<[(&'static str, &Member); 3]>;
}

impl SentText for TermsText {
    fn language(&self) -> &Member {
        &self.language
    }

    fn texts(&self) -> Vec<[(&'static str, &Member); 3]> {
        vec![[
            ("checkMarkLabel", &self.check_mark_label),
            ("linkLabel", &self.link_label),
            ("text", &self.text),
        ]]
    }
}

impl SentText for catalogue::ConditionText {
    fn language(&self) -> &Member {
        &self.language
    }

    fn texts(&self) -> Vec<[(&'static str, &Member); 3]> {
        vec![
            [
                (
                    "checkMarkLabelStructureCondition",
                    &self.check_mark_label_structure_condition,
                ),
                (
                    "linkLabelStructureCondition",
                    &self.link_label_structure_condition,
                ),
                ("textStructureCondition", &self.text_structure_condition),
            ],
            [
                (
                    "checkMarkLabelCancellationCondition",
                    &self.check_mark_label_cancellation_condition,
                ),
                (
                    "linkLabelCancellationCondition",
                    &self.link_label_cancellation_condition,
                ),
                (
                    "textCancellationCondition",
                    &self.text_cancellation_condition,
                ),
            ],
        ]
    }
}

/// Reads `termsAndConditions`.
fn read_texts<T: SentText>(body: &mut Section, parts: &Parts<T>, findings: &mut RequestErrors) {
    const NAME: &str = "termsAndConditions";
    body.must_have(NAME, parts.is_there(), findings);
    let mut languages = Vec::new();
    let mut texts = Vec::new();
    for (index, item) in body
        .array(NAME, parts, 1..=MOST_LANGUAGES, findings)
        .iter()
        .enumerate()
    {
        let mut text = body.element(NAME, index, item, findings);
        let sent = item.members();
        read_language(&mut text, sent.language(), &mut languages, findings);
        for [label, link, (name, content)] in sent.texts() {
            for (name, member) in [label, link] {
                text.text(name, member, Presence::Mandatory, 1..=255, findings);
            }
            read_content(&mut text, name, content, findings);
        }
        texts.push(Value::Object(text.document()));
    }
    body.put(NAME, texts);
}

/// The language of an element. Each language may occur once.
pub(super) fn read_language(
    element: &mut Section,
    member: &Member,
    known: &mut Vec<String>,
    findings: &mut RequestErrors,
) {
    let path = element.path_of("language");
    element.language("language", member, Presence::Mandatory, findings);
    let Some(code) = member
        .sent()
        .and_then(Value::as_str)
        .map(str::to_ascii_lowercase)
    else {
        return;
    };
    if known.contains(&code) {
        findings.add(PS0026, format!("{path} must not be there twice"));
    }
    known.push(code);
}

/// HTML in base64.
fn read_content(text: &mut Section, name: &str, member: &Member, findings: &mut RequestErrors) {
    let path = text.path_of(name);
    let Some(value) = member.sent() else {
        findings.add(PS0026, format!("{path} is missing"));
        return;
    };
    let is_html = value
        .as_str()
        .filter(|sent| !sent.is_empty())
        .filter(|sent| {
            let bytes = STANDARD.decode(sent).ok();
            bytes.is_some_and(|bytes| String::from_utf8(bytes).is_ok())
        });
    match is_html {
        Some(sent) => text.put(name, sent),
        None => findings.add(PS0026, format!("{path} must be HTML in UTF-8, in base64")),
    }
}

/// Read terms and conditions
///
/// The texts as they were sent.
#[utoipa::path(
    get, path = "/terms_and_conditions/{termsAndConditionsId}", operation_id = "readTerms", tag = GUARANTEED_COLLECTION,
    params((
        "termsAndConditionsId" = String, Path, example = "0b7f8c52-64a1-4d0b-9a3e-2f1d5c7e8a90",
        description = TERMS_ID,
    )),
    responses((status = 200, body = Terms)),
)]
async fn read_terms(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(text_id): PathId,
) -> Result<Json<Terms>, ApiError> {
    let text = named(&app, &terminal, &text_id, TextFamily::Terms).await?;
    Ok(Json(on_the_wire(text, "termsAndConditionsId")?))
}

/// Read a structure condition
///
/// The texts as they were sent.
#[utoipa::path(
    get, path = "/structure_conditions/{structureConditionId}", operation_id = "readStructureCondition", tag = GUARANTEED_COLLECTION,
    params((
        "structureConditionId" = String, Path, example = "5c3a9e17-2b64-4f8d-8e1a-7d0c6b5a4f32",
        description = CONDITION_ID,
    )),
    responses((status = 200, body = StructureCondition)),
)]
async fn read_structure_condition(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(text_id): PathId,
) -> Result<Json<StructureCondition>, ApiError> {
    let text = named(&app, &terminal, &text_id, TextFamily::Conditions).await?;
    Ok(Json(on_the_wire(text, "structureConditionId")?))
}

/// List the conditions of a structure
///
/// One row for each condition and language, oldest first.
#[utoipa::path(
    get, path = "/structure_conditions/structures/{structureid}", operation_id = "listStructureConditions", tag = GUARANTEED_COLLECTION,
    params((
        "structureid" = String, Path, example = "HOTEL-1",
        description = "The structure whose conditions are listed, by its id.",
    )),
    responses((status = 200, body = Vec<ConditionRow>)),
)]
async fn list_structure_conditions(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(structure_id): PathId,
) -> Result<Json<Vec<ConditionRow>>, ApiError> {
    let merchant_id = &terminal.merchant_id;
    let mut connection = app.store().read().await?;
    structures::find(&mut connection, merchant_id, &structure_id)
        .await?
        .ok_or(ApiError::NotFound)?;
    let texts = legal_texts::of_structure(&mut connection, merchant_id, &structure_id).await?;
    let mut rows = Vec::new();
    for text in texts {
        let condition: StructureCondition = on_the_wire(text, "structureConditionId")?;
        let row = |text: ConditionText| ConditionRow {
            structure_condition_id: condition.structure_condition_id.clone(),
            name: condition.name.clone(),
            tec_creation_date: condition.tec_creation_date.clone(),
            language: text.language,
        };
        rows.extend(condition.terms_and_conditions.into_iter().map(row));
    }
    Ok(Json(rows))
}

/// Cancel terms and conditions
///
/// Only if nothing refers to them. Repeating the call is not an error.
#[utoipa::path(
    post, path = "/terms_and_conditions/{termsAndConditionsId}/cancels", operation_id = "cancelTerms", tag = GUARANTEED_COLLECTION,
    params((
        "termsAndConditionsId" = String, Path, example = "0b7f8c52-64a1-4d0b-9a3e-2f1d5c7e8a90",
        description = TERMS_ID,
    )),
    responses((status = 200)),
)]
async fn cancel_terms(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(text_id): PathId,
    call: Call,
) -> Result<(), ApiError> {
    let text = named(&app, &terminal, &text_id, TextFamily::Terms).await?;
    call.refuse_scripts()?;
    cancel(&app, &terminal, &text).await
}

/// Cancel a structure condition
///
/// Only if nothing refers to it. Repeating the call is not an error.
#[utoipa::path(
    post, path = "/structure_conditions/{structureConditionId}/cancels", operation_id = "cancelStructureCondition", tag = GUARANTEED_COLLECTION,
    params((
        "structureConditionId" = String, Path, example = "5c3a9e17-2b64-4f8d-8e1a-7d0c6b5a4f32",
        description = CONDITION_ID,
    )),
    responses((status = 200)),
)]
async fn cancel_structure_condition(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(text_id): PathId,
    call: Call,
) -> Result<(), ApiError> {
    let text = named(&app, &terminal, &text_id, TextFamily::Conditions).await?;
    call.refuse_scripts()?;
    cancel(&app, &terminal, &text).await
}

/// `POST /terms_and_conditions/{termsAndConditionsId}/cancels`, `POST /structure_conditions/{structureConditionId}/cancels`
async fn cancel(app: &App, terminal: &Terminal, text: &LegalText) -> Result<(), ApiError> {
    let mut transaction = app
        .store()
        .write(Subject::Merchant(&terminal.merchant_id))
        .await?;
    if legal_texts::is_used(&mut transaction, &text.text_id).await? {
        return Err(ApiError::bad(
            GW9007,
            "a structure or a reservation refers to the text, it cannot be cancelled",
        ));
    }
    legal_texts::cancel(&mut transaction, &text.text_id).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(())
}

/// The merchant's text that the path names.
async fn named(
    app: &App,
    terminal: &Terminal,
    text_id: &str,
    which: TextFamily,
) -> Result<LegalText, ApiError> {
    let found = legal_texts::find(
        &mut *app.store().read().await?,
        &terminal.merchant_id,
        text_id,
    )
    .await?;
    let is_it = |text: &LegalText| match which {
        TextFamily::Terms => text.kind == TextKind::Terms,
        TextFamily::Conditions => text.kind != TextKind::Terms,
    };
    found.filter(is_it).ok_or(ApiError::NotFound)
}

/// Refuses a reference to an unknown structure.
pub(super) fn unknown_structure() -> ApiError {
    ApiError::bad(PS0026, "structureId is not that of a structure")
}

fn new_text(app: &App, kind: TextKind, document: Map<String, Value>) -> LegalText {
    LegalText {
        text_id: uuid::Uuid::new_v4().to_string(),
        kind,
        is_active: true,
        document,
        created_ms: app.clock().now_ms(),
    }
}

async fn add(app: &App, terminal: &Terminal, text: &LegalText) -> Result<(), ApiError> {
    let merchant_id = &terminal.merchant_id;
    let mut transaction = app.store().write(Subject::Merchant(merchant_id)).await?;
    legal_texts::add(&mut transaction, merchant_id, text).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(())
}

/// A text as merchants read it, with its id in the member `id`.
fn on_the_wire<T: DeserializeOwned>(text: LegalText, id: &str) -> Result<T, ApiError> {
    let mut document = text.document;
    let status = if text.is_active { "ACTIVE" } else { "CANCELED" };
    let day = day_text(terminal_day(text.created_ms));
    for (name, value) in [
        (id, text.text_id.as_str()),
        ("status", status),
        ("tecCreationDate", day.as_str()),
    ] {
        document.insert(name.to_owned(), Value::from(value));
    }
    wire(document)
}

/// A document as its wire type.
pub(super) fn wire<T: DeserializeOwned>(document: Map<String, Value>) -> Result<T, ApiError> {
    serde_json::from_value(Value::Object(document))
        .map_err(|_| StoreError::Unreadable("document").into())
}

/// More than the form has languages.
const MOST_LANGUAGES: usize = 50;
