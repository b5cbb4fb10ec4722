//! The queries of calls, one struct for each: the parameters behind the `?` of an address, and their meaning. They are read by
//! [`crate::routes::query`].

use super::Member;
use super::forms::{
    AmountTypes, Channels, DateTypes, DisputeStates, LinkStatuses, OperationTypes, OrderStates,
    ReservationTypes, StructureStatuses,
};
use serde::Deserialize;
use utoipa::ToSchema;

/// Which part of a list is asked for (contract 1.8).
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListWindow {
    /// The beginning of the window, included; an ISO 8601 instant with its zone. At most 31 days before `toTime`.
    /// Without it: 31 days before `toTime`.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub(crate) from_time: Member,
    /// The end of the window, excluded; an ISO 8601 instant with its zone. For the next page: the time of the last row.
    /// Without it the window has no end.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub(crate) to_time: Member,
    /// The largest number of rows of a page. A page with fewer rows is the last one.
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 500, default = 20, examples(20))]
    pub(crate) max_records: Member,
}

/// The query of `GET /orders`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListOrders {
    /// Only what belongs to the order with exactly this id.
    #[schema(value_type = Option<String>, format = "order-id")]
    pub(crate) order_id: Member,
    /// Which amount of an order is compared with `minAmount` and `maxAmount`: what was ordered (the default), held or
    /// captured. It needs both bounds.
    #[schema(value_type = Option<AmountTypes>)]
    pub(crate) amount_type: Member,
    /// The smallest amount, included, in the minor unit. It needs `maxAmount`.
    #[schema(value_type = Option<String>, pattern = "^[0-9]{1,12}$", examples("3545"))]
    pub(crate) min_amount: Member,
    /// The largest amount, included, in the minor unit. It needs `minAmount`.
    #[schema(value_type = Option<String>, pattern = "^[0-9]{1,12}$", examples("3545"))]
    pub(crate) max_amount: Member,
    /// `TO_CAPTURE`: only orders with held money that can be captured. `CAPTURED`: only orders whose held money is completely
    /// captured.
    #[schema(value_type = Option<OrderStates>)]
    pub(crate) order_state: Member,
    /// Only rows whose order has exactly this text in `order.customField`.
    #[schema(value_type = Option<String>, max_length = 255, examples("shop-12"))]
    pub(crate) custom_field: Member,
    #[serde(flatten)]
    #[schema(value_type = ListWindow)]
    pub(crate) window: ListWindow,
}

/// The query of `GET /operations`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListOperations {
    /// Only operations that were made this way: in a web shop, at a point of sale, or by hand in the back office.
    #[schema(value_type = Option<Channels>)]
    pub(crate) channel: Member,
    /// Only operations of this type.
    #[schema(value_type = Option<OperationTypes>)]
    pub(crate) operation_type: Member,
    /// Only rows whose order has exactly this text in `order.customField`.
    #[schema(value_type = Option<String>, max_length = 255, examples("shop-12"))]
    pub(crate) custom_field: Member,
    #[serde(flatten)]
    #[schema(value_type = ListWindow)]
    pub(crate) window: ListWindow,
}

/// The query of `GET /events`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListEvents {
    /// Only events behind this cursor: the `nextCursor` of the last answer, or the `cursor` of an event. `latest`: behind the newest
    /// event, to begin now. Without it the feed begins with the oldest event that is kept.
    #[schema(value_type = Option<String>, max_length = 63, examples("42-554ccc00"))]
    pub(crate) after: Member,
    /// The largest number of events of an answer.
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 500, default = 100, examples(100))]
    pub(crate) limit: Member,
}

/// The query of `GET /settlements`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListSettlements {
    /// Only settlements behind this cursor: the `nextCursor` of the last answer. Without it the list begins with the newest one.
    #[schema(value_type = Option<String>, max_length = 63, examples("1795168800000-347074400000000001"))]
    pub(crate) after: Member,
    /// The largest number of settlements of an answer.
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 500, default = 25, examples(25))]
    pub(crate) limit: Member,
}

/// The query of `GET /settlements/{settlementId}`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReadSettlement {
    /// Only lines behind this cursor: the `nextCursor` of the last answer. Without it the lines begin with the first one.
    #[schema(value_type = Option<String>, max_length = 63, examples("101"))]
    pub(crate) after: Member,
    /// The largest number of lines of an answer.
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 500, default = 100, examples(100))]
    pub(crate) limit: Member,
}

/// The query of `GET /disputes`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListDisputes {
    /// Only disputes in this state.
    #[schema(value_type = Option<DisputeStates>)]
    pub(crate) state: Member,
    /// Only what belongs to the order with exactly this id.
    #[schema(value_type = Option<String>, format = "order-id")]
    pub(crate) order_id: Member,
    /// Only disputes behind this one: the `disputeId` of the last row of the page before. Without it the list begins with the newest.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 63, examples("6f1e2a3b-8c4d-4e5f-9a0b-1c2d3e4f5a6b"))]
    pub(crate) after: Member,
    /// The largest number of disputes of an answer.
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 500, default = 20, examples(20))]
    pub(crate) limit: Member,
}

/// The query of `GET /orders/paybylink`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListPaymentLinks {
    /// Only what belongs to the order with exactly this id.
    #[schema(value_type = Option<String>, format = "order-id")]
    pub(crate) order_id: Member,
    /// Only links whose order has exactly this `order.customerId`.
    #[schema(value_type = Option<String>, max_length = 27, examples("cust-7"))]
    pub(crate) customer_id: Member,
    /// Only rows whose order has exactly this text in `order.customField`.
    #[schema(value_type = Option<String>, max_length = 255, examples("shop-12"))]
    pub(crate) custom_field: Member,
    /// Only links in this state.
    #[schema(value_type = Option<LinkStatuses>)]
    pub(crate) status: Member,
    #[serde(flatten)]
    #[schema(value_type = ListWindow)]
    pub(crate) window: ListWindow,
}

/// The query of `GET /reservations`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListReservations {
    /// Only the reservation with exactly this id.
    #[schema(value_type = Option<String>, format = "order-id")]
    pub(crate) reservation_id: Member,
    /// Which time `fromTime`, `toTime` and the order of the rows are about: the creation of the reservation (the default),
    /// or the first moment of the day of arrival or departure.
    #[schema(value_type = Option<DateTypes>)]
    pub(crate) date_type: Member,
    /// Only reservations with exactly this text in `customField`.
    #[schema(value_type = Option<String>, max_length = 255, examples("shop-12"))]
    pub(crate) custom_field: Member,
    /// Only reservations of this type.
    #[schema(value_type = Option<ReservationTypes>)]
    pub(crate) reservation_type: Member,
    /// Only rows of structures whose name begins with this text, in any letter case.
    #[schema(value_type = Option<String>, max_length = 255, examples("Hotel Mir"))]
    pub(crate) structure_name: Member,
    /// Only reservations whose `customerName` begins with this text, in any letter case.
    #[schema(value_type = Option<String>, max_length = 255, examples("Anna"))]
    pub(crate) customer_name_reservation: Member,
    /// Only reservations whose `customerSurname` begins with this text, in any letter case.
    #[schema(value_type = Option<String>, max_length = 255, examples("Ros"))]
    pub(crate) customer_surname_reservation: Member,
    #[serde(flatten)]
    #[schema(value_type = ListWindow)]
    pub(crate) window: ListWindow,
}

/// The query of `GET /structures`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListStructures {
    /// Only rows of structures whose name begins with this text, in any letter case.
    #[schema(value_type = Option<String>, max_length = 255, examples("Hotel Mir"))]
    pub(crate) structure_name: Member,
    /// Only structures in this state.
    #[schema(value_type = Option<StructureStatuses>)]
    pub(crate) status: Member,
}

/// Which session a call is about.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AskedSession {
    /// The session that is asked for. A merchant's server must name it; a frame may leave it to its header `session`.
    #[schema(value_type = Option<String>, examples("m3p0Zr8cV1nT5xQ2bK7sLw9dYe4uHgJfA6oPiRtXvQk"))]
    pub(crate) session_id: Member,
}

/// The query of a call that reads the result of the device check.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeviceCheck {
    /// The number of this call for this device check: 1 for the first, and one call a second. The tenth is the last: a
    /// check that has not ended by then has failed.
    #[schema(value_type = u64, minimum = 1, maximum = 10, examples(1))]
    pub(crate) attempt_number: Member,
}

/// The query of `GET /fe/build/field_settings/{id}`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FieldTexts {
    /// The language of the texts: three letters, in any letter case. A language that the gateway does not have gives English.
    /// Without it: the session's.
    #[schema(value_type = Option<String>, format = "language", examples("eng"))]
    pub(crate) lang: Member,
}
