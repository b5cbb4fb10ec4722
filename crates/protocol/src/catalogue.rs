//! What reservations refer to, as the merchant's server reads it: terms and conditions, structures, their conditions and
//! custom fields.
//!
//! Source: gateway contract, sections 2.12, 8.3.1 to 8.3.3, 8.3.12 to 8.3.14 and 8.3.18 to 8.3.23.

use serde::{Deserialize, Serialize};

/// Answer of `POST /terms_and_conditions` (8.3.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TermsAnswer {
    /// The id of the new terms and conditions.
    pub terms_and_conditions_id: String,
}

/// Terms and conditions (2.12).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Terms {
    /// Their id.
    pub terms_and_conditions_id: String,
    /// The merchant's own name for them.
    pub name: String,
    /// When they were made, `YYYY-MM-DD`.
    pub tec_creation_date: String,
    /// `ACTIVE`, `CANCELED`.
    pub status: String,
    /// One for each language.
    pub terms_and_conditions: Vec<TermsText>,
}

/// Terms and conditions in one language (2.12).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TermsText {
    /// Three letters.
    pub language: String,
    /// What stands beside the box that the buyer ticks.
    pub check_mark_label: String,
    /// What the link to the text says.
    pub link_label: String,
    /// HTML in base64.
    pub text: String,
}

/// Answer of `POST /structures` (8.3.12).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct StructureMade {
    /// The id of the structure.
    pub structure_id: String,
}

/// Answer of `GET /structures` (8.3.13).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StructureList {
    /// `[]` if none.
    pub structures: Vec<Structure>,
}

/// Answer of `GET /structures/{structureId}` (8.3.14).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StructureAnswer {
    /// The structure.
    pub structure: Structure,
}

/// A place that takes reservations (2.12).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Structure {
    /// The terminal that its reservations are paid on.
    pub terminal_id: String,
    /// Its id.
    pub structure_id: String,
    /// `ACTIVE`, `NOT_ACTIVE`.
    pub status: String,
    /// When it was made first, `YYYY-MM-DD`.
    pub structure_creation_date: String,
    /// Its name; absent where none was given, as everything that follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structure_name: Option<String>,
    /// Where to write to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structure_email: Option<String>,
    /// With or without `+`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mobile_phone_country_code: Option<String>,
    /// Without the country's code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mobile_phone: Option<String>,
    /// `HH:mm`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_in_from_time: Option<String>,
    /// `HH:mm`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_in_to_time: Option<String>,
    /// `HH:mm`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_out_from_time: Option<String>,
    /// `HH:mm`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_out_to_time: Option<String>,
    /// Which terms or structure condition buyers of `GUARANTEED_PENALTY` accept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tec_guaranteed_penalty_id: Option<String>,
    /// The same for `GUARANTEED_NOSHOW`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tec_guaranteed_no_show_id: Option<String>,
    /// The same for `PREPAID_REFUNDABLE`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tec_refundable_id: Option<String>,
    /// The same for `PREPAID_NOT_REFUNDABLE`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tec_not_refundable_id: Option<String>,
    /// What it adds to its reservations; `[]` if nothing.
    #[serde(default)]
    pub custom_field: Vec<CustomField>,
}

/// Answer of `POST /structure_conditions` (8.3.18).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConditionAnswer {
    /// The id of the new condition.
    pub structure_condition_id: String,
}

/// What buyers of one type of reservation accept at a structure (2.12).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct StructureCondition {
    /// Its id.
    pub structure_condition_id: String,
    /// The structure.
    pub structure_id: String,
    /// E.g. `GUARANTEED_NOSHOW`.
    pub reservation_type: String,
    /// The merchant's own name for it.
    pub name: String,
    /// When it was made, `YYYY-MM-DD`.
    pub tec_creation_date: String,
    /// `ACTIVE`, `CANCELED`.
    pub status: String,
    /// One for each language.
    pub terms_and_conditions: Vec<ConditionText>,
}

/// A structure condition in one language: what applies to the stay, and what to its cancellation (2.12).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConditionText {
    /// Three letters.
    pub language: String,
    /// What stands beside the box that the buyer ticks for the stay.
    pub check_mark_label_structure_condition: String,
    /// What the link to that text says.
    pub link_label_structure_condition: String,
    /// HTML in base64.
    pub text_structure_condition: String,
    /// What stands beside the box for the cancellation.
    pub check_mark_label_cancellation_condition: String,
    /// What the link to that text says.
    pub link_label_cancellation_condition: String,
    /// HTML in base64.
    pub text_cancellation_condition: String,
}

/// A structure condition in one language, in a list (8.3.19).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConditionRow {
    /// The condition.
    pub structure_condition_id: String,
    /// The merchant's own name for it.
    pub name: String,
    /// When it was made, `YYYY-MM-DD`.
    pub tec_creation_date: String,
    /// Three letters.
    pub language: String,
}

/// Answer of `POST /custom_fields` (8.3.22).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct CustomFieldAnswer {
    /// The id of the new field.
    pub custom_field_id: String,
}

/// A field that a structure adds to its reservations (2.12).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct CustomField {
    /// Its id.
    pub custom_field_id: String,
    /// The structure.
    pub structure_id: String,
    /// Its place among the others, 1 to 99.
    pub custom_field_ord: u32,
    /// The merchant's own name for it.
    pub custom_field_title: String,
    /// Whether it is asked for.
    pub custom_field_enabled: bool,
    /// What it is called, one for each language.
    pub custom_field_translations: Vec<FieldLabel>,
}

/// What a custom field is called in one language (2.12).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FieldLabel {
    /// Three letters.
    pub language: String,
    /// At most 255 characters.
    pub label: String,
}
