//! Bodies of calls about structures, their fields and texts (contract 8.3.1, 8.3.12, 8.3.18, 8.3.22).

use super::forms::{ReservationTypes, StructureStatuses, YesOrNo};
use super::{Member, Part, Parts};
use serde::Deserialize;
use utoipa::ToSchema;

/// The body of `POST /structures`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PutStructure {
    /// The place that takes reservations. Its members may also be in the body itself.
    #[schema(value_type = Option<Structure>)]
    pub(crate) structure: Part<Structure>,
}

/// A place that takes reservations.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Structure {
    /// The country's calling code of `mobilePhone`, with or without `+`.
    #[schema(value_type = Option<String>, max_length = 4, examples("+39"))]
    pub(crate) mobile_phone_country_code: Member,
    /// The mobile number without the country's calling code.
    #[schema(value_type = Option<String>, max_length = 15, examples("3331234567"))]
    pub(crate) mobile_phone: Member,
    /// The earliest time of arrival, `HH:mm` in the terminal's time zone.
    #[schema(value_type = Option<String>, format = "time")]
    pub(crate) check_in_from_time: Member,
    /// The latest time of arrival, `HH:mm` in the terminal's time zone. After it, a guest who did not come can be
    /// charged. Without it: midnight.
    #[schema(value_type = Option<String>, format = "time", examples("20:00"))]
    pub(crate) check_in_to_time: Member,
    /// The earliest time of departure, `HH:mm` in the terminal's time zone.
    #[schema(value_type = Option<String>, format = "time", examples("07:00"))]
    pub(crate) check_out_from_time: Member,
    /// The latest time of departure, `HH:mm` in the terminal's time zone.
    #[schema(value_type = Option<String>, format = "time", examples("11:00"))]
    pub(crate) check_out_to_time: Member,
    /// The merchant's id of the place, without `/`, `?`, `#` and `%`. An existing structure is replaced by what is sent.
    /// Without it the gateway makes one.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 36, examples("HOTEL-1"))]
    pub(crate) structure_id: Member,
    /// The terminal that charges for this place; it must belong to the merchant (`PS0052`). Without it: the terminal of the
    /// calling API key.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 36, examples("91000001"))]
    pub(crate) terminal_id: Member,
    /// Whether the place takes reservations. Without it: `ACTIVE`.
    #[schema(value_type = Option<StructureStatuses>)]
    pub(crate) status: Member,
    /// The name of the place.
    #[schema(value_type = Option<String>, max_length = 255, examples("Hotel Miramare"))]
    pub(crate) structure_name: Member,
    /// The e-mail address of the place.
    #[schema(value_type = Option<String>, max_length = 255, examples("desk@hotel.example"))]
    pub(crate) structure_email: Member,
    /// The text that guests accept with `GUARANTEED_PENALTY`: active terms or an active condition. Without it the
    /// newest active condition of the type counts.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 36, examples("0b7f8c52-64a1-4d0b-9a3e-2f1d5c7e8a90"))]
    pub(crate) tec_guaranteed_penalty_id: Member,
    /// The text that guests accept with `GUARANTEED_NOSHOW`: active terms or an active condition. Without it the newest
    /// active condition of the type counts.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 36, examples("0b7f8c52-64a1-4d0b-9a3e-2f1d5c7e8a90"))]
    pub(crate) tec_guaranteed_no_show_id: Member,
    /// The text that guests accept with `PREPAID_REFUNDABLE`: active terms or an active condition. Without it the
    /// newest active condition of the type counts.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 36, examples("0b7f8c52-64a1-4d0b-9a3e-2f1d5c7e8a90"))]
    pub(crate) tec_refundable_id: Member,
    /// The text that guests accept with `PREPAID_NOT_REFUNDABLE`: active terms or an active condition. Without it the
    /// newest active condition of the type counts.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 36, examples("0b7f8c52-64a1-4d0b-9a3e-2f1d5c7e8a90"))]
    pub(crate) tec_not_refundable_id: Member,
}

/// The body of `POST /terms_and_conditions`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateTerms {
    /// The merchant's own name for this text. Guests do not see it.
    #[schema(value_type = String, min_length = 1, max_length = 255, examples("House rules"))]
    pub(crate) name: Member,
    /// The text in each of its languages, each language once.
    #[schema(value_type = Vec<TermsText>, min_items = 1, max_items = 50)]
    pub(crate) terms_and_conditions: Parts<TermsText>,
}

/// Terms and conditions in one language.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TermsText {
    /// The language of this entry: three letters, in any letter case.
    #[schema(value_type = String, format = "language")]
    pub(crate) language: Member,
    /// The text beside the box that the buyer ticks.
    #[schema(value_type = String, min_length = 1, max_length = 255, examples("I accept the house rules"))]
    pub(crate) check_mark_label: Member,
    /// The text of the link that opens the full text.
    #[schema(value_type = String, min_length = 1, max_length = 255, examples("House rules"))]
    pub(crate) link_label: Member,
    /// The text: HTML in UTF-8, in base64. Scripts, and everything that loads, are removed when it is shown.
    #[schema(value_type = String, format = "base64")]
    pub(crate) text: Member,
}

/// The body of `POST /structure_conditions`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateStructureCondition {
    /// The structure that it belongs to, by the id of `POST /structures`.
    #[schema(value_type = String, min_length = 1, max_length = 36, examples("HOTEL-1"))]
    pub(crate) structure_id: Member,
    /// The type of reservations whose guests accept this condition.
    #[schema(value_type = ReservationTypes)]
    pub(crate) reservation_type: Member,
    /// The merchant's own name for this text. Guests do not see it.
    #[schema(value_type = String, min_length = 1, max_length = 255, examples("House rules"))]
    pub(crate) name: Member,
    /// The text in each of its languages, each language once.
    #[schema(value_type = Vec<ConditionText>, min_items = 1, max_items = 50)]
    pub(crate) terms_and_conditions: Parts<ConditionText>,
}

/// The conditions of a structure in one language.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConditionText {
    /// The language of this entry: three letters, in any letter case.
    #[schema(value_type = String, format = "language")]
    pub(crate) language: Member,
    /// The text beside the box for the conditions of the stay.
    #[schema(value_type = String, min_length = 1, max_length = 255, examples("I accept the conditions of the stay"))]
    pub(crate) check_mark_label_structure_condition: Member,
    /// The text of the link that opens the conditions of the stay.
    #[schema(value_type = String, min_length = 1, max_length = 255, examples("Conditions of the stay"))]
    pub(crate) link_label_structure_condition: Member,
    /// The conditions of the stay: HTML in UTF-8, in base64. Scripts, and everything that loads, are removed when it is shown.
    #[schema(value_type = String, format = "base64")]
    pub(crate) text_structure_condition: Member,
    /// The text beside the box for the conditions of cancellation.
    #[schema(value_type = String, min_length = 1, max_length = 255, examples("I accept the conditions of cancelling"))]
    pub(crate) check_mark_label_cancellation_condition: Member,
    /// The text of the link that opens the conditions of cancellation.
    #[schema(value_type = String, min_length = 1, max_length = 255, examples("Conditions of cancelling"))]
    pub(crate) link_label_cancellation_condition: Member,
    /// The conditions of cancellation: HTML in UTF-8, in base64. Scripts, and everything that loads, are removed when it is shown.
    #[schema(value_type = String, format = "base64")]
    pub(crate) text_cancellation_condition: Member,
}

/// The body of `POST /custom_fields`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateCustomField {
    /// The structure that it belongs to, by the id of `POST /structures`.
    #[schema(value_type = String, min_length = 1, max_length = 36, examples("HOTEL-1"))]
    pub(crate) structure_id: Member,
    /// The position of the field among the fields of the structure.
    #[schema(value_type = u64, minimum = 1, maximum = 99, examples(1))]
    pub(crate) custom_field_ord: Member,
    /// The merchant's own name for the field.
    #[schema(value_type = String, min_length = 1, max_length = 50, examples("Plate"))]
    pub(crate) custom_field_title: Member,
    /// Whether the field is in use. `Y` and `N` mean `true` and `false`.
    #[schema(value_type = YesOrNo)]
    pub(crate) custom_field_enabled: Member,
    /// What guests read beside the field, each language once.
    #[schema(value_type = Vec<FieldLabel>, min_items = 1, max_items = 50)]
    pub(crate) custom_field_translations: Parts<FieldLabel>,
}

/// A field's label in one language.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FieldLabel {
    /// The language of the label: three letters, in any letter case.
    #[schema(value_type = String, format = "language")]
    pub(crate) language: Member,
    /// The text beside the field.
    #[schema(value_type = String, min_length = 1, max_length = 255, examples("Number plate of your car"))]
    pub(crate) label: Member,
}
