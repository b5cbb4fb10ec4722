//! Structures, places that take reservations, and the fields that they add to them (contract 8.3.12 to 8.3.14, 8.3.22, 8.3.23).

use super::call::{Call, CallingTerminal, PathId, SentBody, SentQuery};
use super::endpoint::{Endpoint, GUARANTEED_COLLECTION};
use super::error::{ApiError, RequestErrors};
use super::fields::{BodyCheck, Presence, Section};
use super::legal_texts::{read_language, unknown_structure, wire};
use super::query::Query;
use super::requests::catalogue::{CreateCustomField, PutStructure, Structure as SentStructure};
use super::requests::forms::StructureStatuses;
use super::requests::queries::ListStructures;
use super::requests::{Member, Part};
use crate::App;
use axum::Json;
use axum::extract::State;
use payframe_error_codes::ErrorCode::{PS0011, PS0026, PS0052};
use payframe_payment_domain::calendar::{day_text, terminal_day};
use payframe_protocol::catalogue::{
    CustomField, CustomFieldAnswer, Structure, StructureAnswer, StructureList, StructureMade,
};
use payframe_storage::legal_texts::{self, TextUser};
use payframe_storage::structures::{self, FieldRow, StructureFilter, StructureRow, TEC_IDS};
use payframe_storage::{Connection, StoreError, Subject, merchants};
use serde_json::{Map, Value, json};
use utoipa_axum::routes;

/// Contract 8.3.12 to 8.3.14, 8.3.22 and 8.3.23.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(put_structure)).refusals(&[PS0026, PS0011, PS0052]),
        Endpoint::of(routes!(list_structures)).query::<ListStructures>(),
        Endpoint::of(routes!(read_structure)),
        Endpoint::of(routes!(create_custom_field)),
        Endpoint::of(routes!(read_custom_field)),
    ]
}

/// Make or change a structure
///
/// A place that takes reservations. Its members may also be in the body itself, without `structure`. A `structureId`
/// that already exists gets all members that are sent, and loses those that are not. `terminalId` is by default the
/// caller's terminal. The four `tec…Id` name terms and conditions or structure conditions; without them the newest active
/// condition of the type counts.
#[utoipa::path(
    post, path = "/structures", operation_id = "putStructure", tag = GUARANTEED_COLLECTION,
    request_body = PutStructure,
    responses((status = 200, body = StructureMade)),
)]
async fn put_structure(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(sent): SentBody<PutStructure>,
    call: Call,
) -> Result<Json<StructureMade>, ApiError> {
    let mut check = BodyCheck::of(&sent);
    let mut document = read_sent(&call, &mut check.body, &sent, &mut check.findings);
    check.finish()?;
    let merchant_id = &terminal.merchant_id;
    let text = |document: &Map<String, Value>, name: &str| {
        document
            .get(name)
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let structure_id =
        text(&document, "structureId").unwrap_or_else(|| uuid::Uuid::new_v4().to_string());
    let terminal_id = text(&document, "terminalId").unwrap_or_else(|| terminal.terminal_id.clone());
    document.insert(String::from("structureId"), json!(structure_id));
    document.insert(String::from("terminalId"), json!(terminal_id));
    document
        .entry("status")
        .or_insert_with(|| json!(structures::ACTIVE));
    let mut transaction = app.store().write(Subject::Merchant(merchant_id)).await?;
    let owner = merchants::owner_of_terminal(&mut transaction, &terminal_id).await?;
    if owner.as_ref() != Some(merchant_id) {
        return Err(ApiError::bad(
            PS0052,
            "terminalId is not that of a terminal",
        ));
    }
    let texts = TEC_IDS
        .iter()
        .filter_map(|(name, _)| Some((*name, document.get(*name)?.as_str()?)));
    let mut used = Vec::new();
    let mut findings = RequestErrors::default();
    for (name, text_id) in texts {
        match legal_texts::find(&mut transaction, merchant_id, text_id).await? {
            Some(text) if text.is_active => used.push(text_id),
            _ => findings.add(
                PS0026,
                format!("{name} is not that of active terms or of an active condition"),
            ),
        }
    }
    findings.into_result()?;
    let row = StructureRow {
        structure_id: structure_id.clone(),
        document: document.clone(),
        created_ms: app.clock().now_ms(),
    };
    structures::put(&mut transaction, merchant_id, &row).await?;
    let user = TextUser::Structure(&structure_id);
    legal_texts::put_uses(&mut transaction, merchant_id, user, &used).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(Json(StructureMade { structure_id }))
}

/// Reads a structure, which may be the body itself, and returns it clean.
fn read_sent(
    call: &Call,
    body: &mut Section,
    sent: &Part<PutStructure>,
    findings: &mut RequestErrors,
) -> Map<String, Value> {
    let part = &sent.members().structure;
    if !part.is_there() {
        let whole: Part<SentStructure> = Part::of(&call.body);
        read_members(body, whole.members(), findings);
        return body.take_document();
    }
    let mut structure = body.section("structure", part, Presence::Optional, findings);
    read_members(&mut structure, part.members(), findings);
    structure.document()
}

fn read_members(structure: &mut Section, sent: &SentStructure, findings: &mut RequestErrors) {
    let optional = Presence::Optional;
    structure.text("terminalId", &sent.terminal_id, optional, 1..=36, findings);
    let id = structure.text(
        "structureId",
        &sent.structure_id,
        optional,
        1..=36,
        findings,
    );
    if id.is_some_and(|id| id.contains(['/', '?', '#', '%'])) {
        let path = structure.path_of("structureId");
        findings.add(PS0026, format!("{path} must not hold / ? # %"));
    }
    structure.one_of("status", &sent.status, StructureStatuses::CODES, findings);
    for (name, member, most) in [
        ("structureName", &sent.structure_name, 255),
        ("structureEmail", &sent.structure_email, 255),
        ("mobilePhoneCountryCode", &sent.mobile_phone_country_code, 4),
        ("mobilePhone", &sent.mobile_phone, 15),
    ] {
        structure.text(name, member, optional, 0..=most, findings);
    }
    let times = [
        &sent.check_in_from_time,
        &sent.check_in_to_time,
        &sent.check_out_from_time,
        &sent.check_out_to_time,
    ];
    read_times(structure, times, findings);
    for (name, member) in [
        ("tecGuaranteedPenaltyId", &sent.tec_guaranteed_penalty_id),
        ("tecGuaranteedNoShowId", &sent.tec_guaranteed_no_show_id),
        ("tecRefundableId", &sent.tec_refundable_id),
        ("tecNotRefundableId", &sent.tec_not_refundable_id),
    ] {
        structure.text(name, member, optional, 1..=36, findings);
    }
}

/// The times of guests: from and to of the arrival, from and to of the departure.
pub(super) fn read_times(section: &mut Section, times: [&Member; 4], findings: &mut RequestErrors) {
    let names = [
        "checkInFromTime",
        "checkInToTime",
        "checkOutFromTime",
        "checkOutToTime",
    ];
    for (name, member) in names.into_iter().zip(times) {
        section.time_of_day(name, member, findings);
    }
}

/// List structures
///
/// All structures of the merchant, oldest first. `structureName` is compared with the beginning of the name, in any letter case.
#[utoipa::path(
    get, path = "/structures", operation_id = "listStructures", tag = GUARANTEED_COLLECTION,
    responses((status = 200, body = StructureList)),
)]
async fn list_structures(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentQuery(sent): SentQuery<ListStructures>,
) -> Result<Json<StructureList>, ApiError> {
    let merchant_id = &terminal.merchant_id;
    let mut query = Query::default();
    let filter = read_filter(&mut query, &sent);
    query.into_result()?;
    let mut connection = app.store().read().await?;
    let mut found = Vec::new();
    for row in structures::list(&mut connection, merchant_id, &filter).await? {
        found.push(on_the_wire(&mut connection, merchant_id, row).await?);
    }
    Ok(Json(StructureList { structures: found }))
}

fn read_filter<'a>(query: &mut Query, sent: &'a ListStructures) -> StructureFilter<'a> {
    StructureFilter {
        name: query.text("structureName", &sent.structure_name, 0..=255),
        status: query.one_of("status", &sent.status, StructureStatuses::CODES),
    }
}

/// Read a structure
///
/// The structure with the fields that it adds to its reservations.
#[utoipa::path(
    get, path = "/structures/{structureId}", operation_id = "readStructure", tag = GUARANTEED_COLLECTION,
    params(("structureId" = String, Path, description = "The structure, by its id.", example = "HOTEL-1")),
    responses((status = 200, body = StructureAnswer)),
)]
async fn read_structure(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(structure_id): PathId,
) -> Result<Json<StructureAnswer>, ApiError> {
    let merchant_id = &terminal.merchant_id;
    let mut connection = app.store().read().await?;
    let row = structures::find(&mut connection, merchant_id, &structure_id)
        .await?
        .ok_or(ApiError::NotFound)?;
    Ok(Json(StructureAnswer {
        structure: on_the_wire(&mut connection, merchant_id, row).await?,
    }))
}

async fn on_the_wire(
    connection: &mut Connection,
    merchant_id: &str,
    row: StructureRow,
) -> Result<Structure, ApiError> {
    let fields = structures::fields(connection, merchant_id, &row.structure_id).await?;
    let mut document = row.document;
    let day = day_text(terminal_day(row.created_ms));
    document.insert(String::from("structureCreationDate"), json!(day));
    let mut structure: Structure = wire(document)?;
    for field in fields {
        structure.custom_field.push(field_on_the_wire(field)?);
    }
    Ok(structure)
}

/// Make a custom field
///
/// A field that a structure adds to its reservations. `customFieldEnabled` may also be `"Y"` or `"N"`.
#[utoipa::path(
    post, path = "/custom_fields", operation_id = "createCustomField", tag = GUARANTEED_COLLECTION,
    request_body = CreateCustomField,
    responses((status = 200, body = CustomFieldAnswer)),
)]
async fn create_custom_field(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(sent): SentBody<CreateCustomField>,
) -> Result<Json<CustomFieldAnswer>, ApiError> {
    let mut check = BodyCheck::of(&sent);
    let read = read_field(&mut check.body, sent.members(), &mut check.findings);
    let document = check.finish()?;
    // Without a finding, all mandatory members were read.
    let (structure_id, place) = read.ok_or(ApiError::Ours)?;
    let merchant_id = &terminal.merchant_id;
    let mut transaction = app.store().write(Subject::Merchant(merchant_id)).await?;
    structures::find(&mut transaction, merchant_id, &structure_id)
        .await?
        .ok_or_else(unknown_structure)?;
    let row = FieldRow {
        field_id: uuid::Uuid::new_v4().to_string(),
        structure_id,
        place,
        document,
        created_ms: app.clock().now_ms(),
    };
    structures::add_field(&mut transaction, merchant_id, &row).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(Json(CustomFieldAnswer {
        custom_field_id: row.field_id,
    }))
}

fn read_field(
    field: &mut Section,
    sent: &CreateCustomField,
    findings: &mut RequestErrors,
) -> Option<(String, i64)> {
    let mandatory = Presence::Mandatory;
    let structure_id = field.text(
        "structureId",
        &sent.structure_id,
        mandatory,
        1..=36,
        findings,
    );
    field.must_have("customFieldOrd", sent.custom_field_ord.is_there(), findings);
    let place = field.count("customFieldOrd", &sent.custom_field_ord, 1..=99, findings);
    let title = &sent.custom_field_title;
    field.text("customFieldTitle", title, mandatory, 1..=50, findings);
    read_enabled(field, &sent.custom_field_enabled, findings);
    const NAME: &str = "customFieldTranslations";
    let translations = &sent.custom_field_translations;
    field.must_have(NAME, translations.is_there(), findings);
    let mut languages = Vec::new();
    let mut labels = Vec::new();
    let items = field.array(NAME, translations, 1..=50, findings);
    for (index, item) in items.iter().enumerate() {
        let mut label = field.element(NAME, index, item, findings);
        let sent = item.members();
        read_language(&mut label, &sent.language, &mut languages, findings);
        label.text("label", &sent.label, mandatory, 1..=255, findings);
        labels.push(Value::Object(label.document()));
    }
    field.put(NAME, labels);
    Some((structure_id?.to_owned(), i64::try_from(place?).ok()?))
}

/// `true`, `false`, or the letter for one of them, as some clients send it.
fn read_enabled(field: &mut Section, member: &Member, findings: &mut RequestErrors) {
    const NAME: &str = "customFieldEnabled";
    let enabled = match member.sent() {
        Some(Value::Bool(enabled)) => Some(*enabled),
        Some(Value::String(letter)) if letter == "Y" => Some(true),
        Some(Value::String(letter)) if letter == "N" => Some(false),
        _ => None,
    };
    match enabled {
        Some(enabled) => field.put(NAME, enabled),
        None => findings.add(
            PS0026,
            format!("{} must be true or false", field.path_of(NAME)),
        ),
    }
}

/// Read a custom field
///
/// The field as it was sent.
#[utoipa::path(
    get, path = "/custom_fields/{customFieldId}", operation_id = "readCustomField", tag = GUARANTEED_COLLECTION,
    params((
        "customFieldId" = String, Path, example = "d41f7b26-90c5-4e3a-b8f2-1a6e5d7c9b04",
        description = "The field, by the id that the answer of its creation tells.",
    )),
    responses((status = 200, body = CustomField)),
)]
async fn read_custom_field(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(field_id): PathId,
) -> Result<Json<CustomField>, ApiError> {
    let merchant_id = &terminal.merchant_id;
    let mut connection = app.store().read().await?;
    let found = structures::find_field(&mut connection, merchant_id, &field_id).await?;
    Ok(Json(field_on_the_wire(found.ok_or(ApiError::NotFound)?)?))
}

fn field_on_the_wire(row: FieldRow) -> Result<CustomField, ApiError> {
    let mut document = row.document;
    document.insert(String::from("customFieldId"), json!(row.field_id));
    wire(document)
}
