//! Texts that buyers accept: terms and conditions, and the conditions of structures (contract 8.3.1 to 8.3.3, 8.3.18 to
//! 8.3.21). A text never changes, so that what was accepted can be read again.

use super::Reply;
use super::error::{ApiError, Findings};
use super::fields::{Presence, Section};
use super::operation::{
    Alias, Answer, Area, BASES, LONG_BODY_LIMIT, Operation, Request, Verb, answers,
};
use super::pipeline::Call;
use super::request_schema;
use crate::App;
use crate::error_code::ErrorCode::{GW9007, PS0026};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use payframe_payment_domain::calendar::{day_text, terminal_day};
use payframe_payment_domain::reservation::ReservationType;
use payframe_protocol::catalogue::{
    ConditionAnswer, ConditionRow, ConditionText, StructureCondition, Terms, TermsAnswer,
};
use payframe_storage::legal_texts::{self, LegalText, TextKind};
use payframe_storage::{StoreError, Subject, structures};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Contract 8.3.1 to 8.3.3, 8.3.18 to 8.3.21.
pub(super) const OPERATIONS: &[Operation] = &[
    Operation {
        area: Area::GuaranteedCollection,
        aliases: &[Alias {
            verb: Verb::Post,
            path: "/termsAndConditions",
            bases: BASES,
        }],
        title: "Make terms and conditions",
        about: "What a buyer has to accept before a reservation is paid or guaranteed: in each language the label of \
                the box, the words of the link, and the text as HTML in base64 (UTF-8). A text never changes; make another.",
        body_limit: LONG_BODY_LIMIT,
        answer: answers::<TermsAnswer>(),
        ..Operation::post(
            "createTerms",
            "/terms_and_conditions",
            |body, findings| {
                read_terms(body, findings);
            },
            |app, call| Box::pin(create_terms(app, call)),
        )
    },
    Operation {
        area: Area::GuaranteedCollection,
        title: "Read terms and conditions",
        about: "As they were made.",
        answer: answers::<Terms>(),
        ..Operation::get(
            "readTerms",
            "/terms_and_conditions/{termsAndConditionsId}",
            |app, call| Box::pin(terms(app, call)),
        )
    },
    Operation {
        area: Area::GuaranteedCollection,
        title: "Cancel terms and conditions",
        about: "Only where nothing refers to them. Again is no error.",
        request: Request::None,
        answer: Answer::Empty,
        refusals: &[GW9007],
        ..Operation::post(
            "cancelTerms",
            "/terms_and_conditions/{termsAndConditionsId}/cancels",
            |_, _| {},
            |app, call| Box::pin(cancel(app, call, Which::Terms)),
        )
    },
    Operation {
        area: Area::GuaranteedCollection,
        title: "Make a structure condition",
        about: "What buyers of one type of reservation accept at a structure: one text about the stay, one about \
                cancelling it. Reservations that are made from then on show it.",
        body_limit: LONG_BODY_LIMIT,
        answer: answers::<ConditionAnswer>(),
        ..Operation::post(
            "createStructureCondition",
            "/structure_conditions",
            |body, findings| {
                read_condition(body, findings);
            },
            |app, call| Box::pin(create_condition(app, call)),
        )
    },
    Operation {
        area: Area::GuaranteedCollection,
        title: "List the conditions of a structure",
        about: "One row for each condition and language, oldest first.",
        answer: answers::<Vec<ConditionRow>>(),
        ..Operation::get(
            "listStructureConditions",
            "/structure_conditions/structures/{structureid}",
            |app, call| Box::pin(conditions(app, call)),
        )
    },
    Operation {
        area: Area::GuaranteedCollection,
        title: "Read a structure condition",
        about: "As it was made.",
        answer: answers::<StructureCondition>(),
        ..Operation::get(
            "readStructureCondition",
            "/structure_conditions/{structureConditionId}",
            |app, call| Box::pin(condition(app, call)),
        )
    },
    Operation {
        area: Area::GuaranteedCollection,
        title: "Cancel a structure condition",
        about: "Only where nothing refers to it. Again is no error.",
        request: Request::None,
        answer: Answer::Empty,
        refusals: &[GW9007],
        ..Operation::post(
            "cancelStructureCondition",
            "/structure_conditions/{structureConditionId}/cancels",
            |_, _| {},
            |app, call| Box::pin(cancel(app, call, Which::Conditions)),
        )
    },
];

/// Which of the two kinds of texts a call is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    Terms,
    Conditions,
}

/// `POST /terms_and_conditions`
async fn create_terms(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let mut begun = begin(call)?;
    read_terms(&mut begun.body, &mut begun.findings);
    let document = begun.finish()?;
    let text = new_text(app, TextKind::Terms, document);
    add(app, call, &text).await?;
    Reply::json(&TermsAnswer {
        terms_and_conditions_id: text.text_id,
    })
}

fn read_terms(body: &mut Section<'_>, findings: &mut Findings) {
    body.text("name", Presence::Mandatory, 1..=255, findings);
    read_texts(body, &[("checkMarkLabel", "linkLabel", "text")], findings);
}

/// `POST /structure_conditions`
async fn create_condition(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let mut begun = begin(call)?;
    let read = read_condition(&mut begun.body, &mut begun.findings);
    let document = begun.finish()?;
    // Without a finding everything mandatory was read.
    let (structure_id, reservation_type) = read.ok_or(ApiError::Ours)?;
    let merchant_id = &call.terminal()?.merchant_id;
    structures::find(&mut *app.store().read().await?, merchant_id, &structure_id)
        .await?
        .ok_or_else(unknown_structure)?;
    let kind = TextKind::Condition {
        structure_id,
        reservation_type,
    };
    let text = new_text(app, kind, document);
    add(app, call, &text).await?;
    Reply::json(&ConditionAnswer {
        structure_condition_id: text.text_id,
    })
}

fn read_condition(
    body: &mut Section<'_>,
    findings: &mut Findings,
) -> Option<(String, ReservationType)> {
    let structure_id = body.text("structureId", Presence::Mandatory, 1..=36, findings);
    body.must_have("reservationType", findings);
    let code = body.one_of("reservationType", &ReservationType::CODES, findings);
    body.text("name", Presence::Mandatory, 1..=255, findings);
    read_texts(
        body,
        &[
            (
                "checkMarkLabelStructureCondition",
                "linkLabelStructureCondition",
                "textStructureCondition",
            ),
            (
                "checkMarkLabelCancellationCondition",
                "linkLabelCancellationCondition",
                "textCancellationCondition",
            ),
        ],
        findings,
    );
    Some((
        structure_id?.to_owned(),
        code.and_then(ReservationType::from_code)?,
    ))
}

/// Reads `termsAndConditions`: in each language these labels, links and texts.
fn read_texts(body: &mut Section<'_>, parts: &[(&str, &str, &str)], findings: &mut Findings) {
    const NAME: &str = "termsAndConditions";
    body.must_have(NAME, findings);
    let mut languages = Vec::new();
    let mut texts = Vec::new();
    for (index, item) in body
        .array(NAME, 1..=MOST_LANGUAGES, findings)
        .iter()
        .enumerate()
    {
        let mut text = body.element(NAME, index, item, findings);
        read_language(&mut text, &mut languages, findings);
        for (label, link, content) in parts {
            text.text(label, Presence::Mandatory, 1..=255, findings);
            text.text(link, Presence::Mandatory, 1..=255, findings);
            read_content(&mut text, content, findings);
        }
        texts.push(Value::Object(text.document()));
    }
    body.put(NAME, texts);
}

/// The language of an element; no two may be of the same.
pub(super) fn read_language(
    element: &mut Section<'_>,
    known: &mut Vec<String>,
    findings: &mut Findings,
) {
    let path = element.path_of("language");
    element.language("language", Presence::Mandatory, findings);
    let sent = element.value_of("language", Presence::Mandatory, || {
        request_schema::pattern("^[A-Za-z]{3}$", "ita")
    });
    let Some(code) = sent.and_then(Value::as_str).map(str::to_ascii_lowercase) else {
        return;
    };
    if known.contains(&code) {
        findings.add(PS0026, format!("{path} must not be there twice"));
    }
    known.push(code);
}

/// HTML in base64.
fn read_content(text: &mut Section<'_>, name: &str, findings: &mut Findings) {
    let path = text.path_of(name);
    let schema = || request_schema::pattern("^[A-Za-z0-9+/]+={0,2}$", "PHA+VGhlIHRlcm1zPC9wPg==");
    let Some(value) = text.value_of(name, Presence::Mandatory, schema) else {
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

/// `GET /terms_and_conditions/{termsAndConditionsId}`
async fn terms(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let text = named(app, call, Which::Terms).await?;
    Reply::json(&on_the_wire::<Terms>(text, "termsAndConditionsId")?)
}

/// `GET /structure_conditions/{structureConditionId}`
async fn condition(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let text = named(app, call, Which::Conditions).await?;
    Reply::json(&on_the_wire::<StructureCondition>(
        text,
        "structureConditionId",
    )?)
}

/// `GET /structure_conditions/structures/{structureid}`
async fn conditions(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let merchant_id = &call.terminal()?.merchant_id;
    let mut connection = app.store().read().await?;
    structures::find(&mut connection, merchant_id, &call.parameter)
        .await?
        .ok_or(ApiError::NotFound)?;
    let texts = legal_texts::of_structure(&mut connection, merchant_id, &call.parameter).await?;
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
    Reply::json(&rows)
}

/// `POST /terms_and_conditions/{termsAndConditionsId}/cancels`, `POST /structure_conditions/{structureConditionId}/cancels`
async fn cancel(app: &App, call: &Call, which: Which) -> Result<Reply, ApiError> {
    let text = named(app, call, which).await?;
    call.refuse_scripts()?;
    let mut transaction = app
        .store()
        .write(Subject::Merchant(&call.terminal()?.merchant_id))
        .await?;
    if legal_texts::is_used(&mut transaction, &text.text_id).await? {
        return Err(ApiError::bad(
            GW9007,
            "a structure or a reservation refers to the text, it cannot be cancelled",
        ));
    }
    legal_texts::cancel(&mut transaction, &text.text_id).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(Reply::empty())
}

/// The merchant's text that the path names.
async fn named(app: &App, call: &Call, which: Which) -> Result<LegalText, ApiError> {
    let merchant_id = &call.terminal()?.merchant_id;
    let found = legal_texts::find(
        &mut *app.store().read().await?,
        merchant_id,
        &call.parameter,
    )
    .await?;
    let is_it = |text: &LegalText| match which {
        Which::Terms => text.kind == TextKind::Terms,
        Which::Conditions => text.kind != TextKind::Terms,
    };
    found.filter(is_it).ok_or(ApiError::NotFound)
}

/// A body that is being read, with what was found wrong so far.
pub(super) struct Begun<'a> {
    pub(super) body: Section<'a>,
    pub(super) findings: Findings,
}

/// Begins to read the body of a call.
pub(super) fn begin(call: &Call) -> Result<Begun<'_>, ApiError> {
    call.terminal()?;
    call.refuse_scripts()?;
    let mut findings = Findings::default();
    let body = Section::body(&call.body, &mut findings);
    Ok(Begun { body, findings })
}

impl Begun<'_> {
    /// What was read, if all of it is good.
    pub(super) fn finish(self) -> Result<Map<String, Value>, ApiError> {
        self.findings.into_result()?;
        Ok(self.body.document())
    }
}

/// Refuses a reference to a structure that is not there.
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

async fn add(app: &App, call: &Call, text: &LegalText) -> Result<(), ApiError> {
    let merchant_id = &call.terminal()?.merchant_id;
    let mut transaction = app.store().write(Subject::Merchant(merchant_id)).await?;
    legal_texts::add(&mut transaction, merchant_id, text).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(())
}

/// A text as merchants read it, with its id under this name.
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

/// A document as the wire type that it is of.
pub(super) fn wire<T: DeserializeOwned>(document: Map<String, Value>) -> Result<T, ApiError> {
    serde_json::from_value(Value::Object(document))
        .map_err(|_| StoreError::Unreadable("document").into())
}

/// More than there are languages of the form.
const MOST_LANGUAGES: usize = 50;
