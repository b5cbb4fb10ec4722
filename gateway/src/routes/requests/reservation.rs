//! Bodies of calls about reservations (contract 2.12, 8.3.7 to 8.3.10).

use super::creation::PageForm;
use super::customer::CustomerInfo;
use super::forms::{
    AnyDate, CaptureTypes, CollectionTypes, InstallmentTypes, Nights, PointUnits, PointValue,
    ReservationTypes, TermsId,
};
use super::order::TransactionSummary;
use super::{Member, Part, Parts};
use serde::Deserialize;
use utoipa::ToSchema;

/// The body of `POST /reservations`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateReservation {
    /// What is agreed with the guest. Its members may also be in the body itself.
    #[schema(value_type = Option<Reservation>)]
    pub(crate) reservation: Part<Reservation>,
}

/// What is agreed with a guest.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reservation {
    /// The guest who pays. The form takes name and e-mail address from it; the issuer takes the rest into account when it decides
    /// about 3-D Secure.
    #[schema(value_type = Option<CustomerInfo>)]
    pub(crate) customer_info: Part<CustomerInfo>,
    /// The merchant's id of the reservation, also the `orderId` of all its payments. An id that is in use is refused
    /// (`GW9006`). Without it the gateway makes one.
    #[schema(value_type = Option<String>, format = "order-id", examples("STAY-1"))]
    pub(crate) reservation_id: Member,
    /// The price of the whole stay, in the minor unit of `reservation.currency`. Above 0.
    #[schema(value_type = String, format = "amount", examples("30000"))]
    pub(crate) amount: Member,
    /// The currency of the reservation and of all its charges: the ISO 4217 letters. The terminal must accept it
    /// (`PS0009`).
    #[schema(value_type = String, format = "currency")]
    pub(crate) currency: Member,
    /// The amount that is paid first instead of the whole amount; with `GUARANTEED_PENALTY` the penalty. Above 0, at most the
    /// amount; with `INSTALLMENT` the first installment. Without it `amount` is paid.
    #[schema(value_type = Option<String>, format = "amount", examples("10000"))]
    pub(crate) deposit: Member,
    /// What is reserved, as a text for the guest. The page of the link shows it.
    #[schema(value_type = Option<String>, max_length = 255, examples("Double room, sea view"))]
    pub(crate) description: Member,
    /// What the guest owes. Prepaid and refundable or not, or as a package (`BUNDLE`); or only guaranteed by a card:
    /// one night if the guest does not come (`GUARANTEED_NOSHOW`), a fixed penalty (`GUARANTEED_PENALTY`).
    #[schema(value_type = ReservationTypes)]
    pub(crate) reservation_type: Member,
    /// The structure where the guest stays, by the id of `POST /structures`.
    #[schema(value_type = String, min_length = 1, max_length = 36, examples("HOTEL-1"))]
    pub(crate) structure_id: Member,
    /// Texts that the guest has to accept before paying, by the ids of `POST /terms_and_conditions`, in the order in
    /// which they are shown.
    #[schema(value_type = Option<Vec<TermsId>>, max_items = 10)]
    pub(crate) terms_and_conditions_ids: Member,
    /// The day of arrival, in the terminal's time zone.
    #[schema(value_type = String, format = "date")]
    pub(crate) check_in_date: Member,
    /// The day of departure, in the terminal's time zone. Not before `checkInDate` (`PS0013`).
    #[schema(value_type = String, format = "date", examples("2030-02-03"))]
    pub(crate) check_out_date: Member,
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
    /// The number of nights, from which the price of one is calculated. Without it: the days between arrival and departure,
    /// at least 1.
    #[schema(value_type = Option<Nights>)]
    pub(crate) reservation_period: Member,
    /// The number of guests.
    #[schema(value_type = Option<String>, format = "number", examples("2"))]
    pub(crate) customer_number: Member,
    /// The guest's first name. Lists of reservations can be filtered by its beginning.
    #[schema(value_type = Option<String>, max_length = 255, examples("Anna"))]
    pub(crate) customer_name: Member,
    /// The guest's family name. Lists of reservations can be filtered by its beginning.
    #[schema(value_type = Option<String>, max_length = 255, examples("Rossi"))]
    pub(crate) customer_surname: Member,
    /// The last day on which a link of this reservation can be paid, if the call that makes the link names none.
    #[schema(value_type = Option<String>, format = "date")]
    pub(crate) link_expiration_date: Member,
    /// When the money is collected: at once (`INSTANT`, the default), held for 28 days and captured by a
    /// call (`DELAYED`), or in installments (`INSTALLMENT`). Guaranteed reservations: `INSTANT` only.
    #[schema(value_type = Option<CollectionTypes>)]
    pub(crate) collection_type: Member,
    /// The merchant's id of the guest.
    #[schema(value_type = Option<String>, max_length = 27, examples("cust-7"))]
    pub(crate) customer_id: Member,
    /// A text of the merchant's own. Lists of reservations can be filtered by it.
    #[schema(value_type = Option<String>, max_length = 255, examples("shop-12"))]
    pub(crate) custom_field: Member,
    /// The guest's tax number. It is stored and returned.
    #[schema(value_type = Option<String>, max_length = 21, examples("RSSNNA80A41F205X"))]
    pub(crate) customer_tax_code: Member,
    /// The installments of the stay; with `INSTALLMENT` only, and then mandatory. Together they are at most the amount
    /// (`PS0005`). The first one is paid through the link.
    #[schema(value_type = Option<Vec<ReservationPart>>, min_items = 2, max_items = 12)]
    pub(crate) installments: Parts<ReservationPart>,
    /// What the guest sees of the reservation on the page of the link, once for each language.
    #[schema(value_type = Option<Vec<TransactionSummary>>, max_items = 20)]
    pub(crate) transaction_summary: Parts<TransactionSummary>,
    /// What a guest who cancels owes, for each point in time. With `GUARANTEED_PENALTY` a cancellation after these
    /// terms charges the penalty.
    #[serde(rename = "CancelationDetails")]
    #[schema(value_type = Option<CancelationDetails>)]
    pub(crate) cancelation_details: Part<CancelationDetails>,
}

/// An installment of a stay.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReservationPart {
    /// The day on which the installment is due, in the terminal's time zone, not in the past (`PS0006`). It is ignored for
    /// the first installment, because that is paid at once.
    #[schema(value_type = Option<AnyDate>)]
    pub(crate) date: Member,
    /// The amount that is paid on that day, in the minor unit of the order's currency.
    #[schema(value_type = String, format = "amount")]
    pub(crate) amount: Member,
    /// Who charges the installment: the gateway on its date (`AUTOMATIC`, the default), or the merchant's server by a call
    /// (`MANUAL`).
    #[serde(rename = "type")]
    #[schema(value_type = Option<InstallmentTypes>)]
    pub(crate) kind: Member,
}

/// What a guest who cancels owes. The name is the contract's.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CancelationDetails {
    /// The meaning of `dataTypeValue`: a day, hours before the arrival, or days before it.
    #[schema(value_type = PointUnits)]
    pub(crate) data_type: Member,
    /// The points, in any order.
    #[schema(value_type = Vec<CancellationCondition>, min_items = 1, max_items = 20)]
    pub(crate) cancellation_condition: Parts<CancellationCondition>,
}

/// A point in time, and what is owed after it.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CancellationCondition {
    /// When the condition begins: with `DATE` a day, `YYYY-MM-DD`; else the number of hours or days before the arrival.
    #[schema(value_type = PointValue)]
    pub(crate) data_type_value: Member,
    /// What a guest owes who cancels after that point, in the minor unit of the reservation's currency.
    #[schema(value_type = String, format = "amount", examples("10000"))]
    pub(crate) value: Member,
}

/// The body of `POST /reservations/{reservationId}/paybylink`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LinkReservation {
    /// Whether the payment through the link is captured at once (`IMPLICIT`) or held for a capture (`EXPLICIT`). Without
    /// it: the terminal's setting.
    #[schema(value_type = Option<CaptureTypes>)]
    pub(crate) capture_type: Member,
    /// The last day on which the link can be paid, in the terminal's time zone: not in the past, at most 90 days ahead
    /// (`PS0042`). Without it: the day in the reservation, else 30 days ahead.
    #[schema(value_type = Option<String>, format = "date")]
    pub(crate) link_expiration_date: Member,
    /// How the form of the link behaves.
    #[schema(value_type = Option<PageForm>)]
    pub(crate) form: Part<PageForm>,
}
