//! The table of words: parameters of paths, then of queries. One entry a parameter; add one where a test of the parent
//! module asks for it.

use super::{Example, Member};

const fn word(path: &'static str, meaning: &'static str) -> Member {
    Member {
        path,
        operations: &[],
        meaning,
        example: Example::OfSchema,
    }
}

impl Member {
    /// The example; needed where the schema has none and does not name every value.
    const fn such_as(mut self, text: &'static str) -> Member {
        self.example = Example::Text(text);
        self
    }

    /// The example, where it is a number.
    const fn such_as_number(mut self, number: u64) -> Member {
        self.example = Example::Number(number);
        self
    }

    /// For these operations only, because the name means something else elsewhere.
    const fn only(mut self, operations: &'static [&'static str]) -> Member {
        self.operations = operations;
        self
    }
}

// One entry a line: the table is read as a table.
#[rustfmt::skip]
pub(super) static WORDS: &[Member] = &[
    // Parameters of paths.
    word("{operationId}", "The operation, by the id that the answer of a payment, the order or a notification tells.").such_as("347074400000000001"),
    word("{operationId}", "The capture to be undone: the whole of it, on its own day, while nothing of it is refunded.").only(&["cancel"]).such_as("347074400000000002"),
    word("{operationId}", "The authorization whose held money is taken.").only(&["capture"]).such_as("347074400000000001"),
    word("{operationId}", "The authorization or the capture whose money goes back to the buyer.").only(&["refund"]).such_as("347074400000000002"),
    word("{orderId}", "The order, by the id that the merchant gave it. Percent-encode it: it may hold `#`, `?` or `;`."),
    word("{customerId}", "The customer, by the merchant's own id: the `order.customerId` of the payment that kept the card.").such_as("cust-7"),
    word("{contractId}", "The contract, by the id that the merchant gave it in `recurrence.contractId`.").such_as("contract-7"),
    word("{linkId}", "The payment link, by the id that the answer of its creation tells.").such_as("7f2c1d0e9a4b4c6f8d3e5a7b9c1d2e3f"),
    word("{reservationId}", "The reservation, by its id, which is also the `orderId` of its payments.").such_as("STAY-1"),
    word("{termsAndConditionsId}", "The text, by the id that the answer of its creation tells.").such_as("0b7f8c52-64a1-4d0b-9a3e-2f1d5c7e8a90"),
    word("{structureConditionId}", "The condition, by the id that the answer of its creation tells.").such_as("5c3a9e17-2b64-4f8d-8e1a-7d0c6b5a4f32"),
    word("{structureId}", "The structure, by its id.").such_as("HOTEL-1"),
    word("{structureid}", "The structure whose conditions are listed, by its id.").such_as("HOTEL-1"),
    word("{customFieldId}", "The field, by the id that the answer of its creation tells.").such_as("d41f7b26-90c5-4e3a-b8f2-1a6e5d7c9b04"),
    word("{id}", "The input that the value is for. One that the session does not have is answered with 404.").only(&["checkField"]).such_as("CARDHOLDER_NAME"),
    word("{id}", "The button: `PAY_WITH_CARD`, or the code of a method that the session offers.").only(&["pressButton"]).such_as("PAY_WITH_CARD"),
    word("{id}", "The input or the button that the frame shows. One that the session does not have is answered with 404.").only(&["readFieldSettings"]).such_as("CARD_NUMBER"),
    word("{id}", "The saved card, by the id that the form's data gives it. It is good in sessions of the same customer.").only(&["removeSavedCard"]).such_as("b3f1c2d4e5a60718"),

    // Parameters of queries.
    word("?fromTime", "The beginning of the window, included; an ISO 8601 instant with its zone. At most 31 days before `toTime`. Without it: 31 days before `toTime`."),
    word("?toTime", "The end of the window, excluded; an ISO 8601 instant with its zone. For the next page: the time of the last row. Without it nothing is too new."),
    word("?maxRecords", "How many rows a page has at most. Fewer rows than that: it is the last page.").such_as_number(20),
    word("?customField", "Only rows whose order has exactly this text in `order.customField`.").such_as("shop-12"),
    word("?customField", "Only reservations with exactly this text in `customField`.").only(&["listReservations"]).such_as("shop-12"),
    word("?orderId", "Only what belongs to the order with exactly this id."),
    word("?amountType", "Which sum of an order is compared with `minAmount` and `maxAmount`: what was ordered (also where it is left out), held or captured. It needs both bounds."),
    word("?minAmount", "The smallest sum, included, in the minor unit. It needs `maxAmount`."),
    word("?maxAmount", "The largest sum, included, in the minor unit. It needs `minAmount`."),
    word("?orderState", "`TO_CAPTURE`: only orders with held money that can be captured. `CAPTURED`: only orders whose held money is captured wholly."),
    word("?channel", "Only operations that were made this way: in a web shop, at a point of sale, or by hand in the back office."),
    word("?operationType", "Only operations of this type."),
    word("?customerId", "Only links whose order has exactly this `order.customerId`.").such_as("cust-7"),
    word("?status", "Only links in this state."),
    word("?status", "Only structures in this state.").only(&["listStructures"]),
    word("?reservationId", "Only the reservation with exactly this id."),
    word("?dateType", "Which time `fromTime`, `toTime` and the order of the rows are about: that of the reservation's making (also where it is left out), or the first moment of the day of arrival or departure."),
    word("?reservationType", "Only reservations of this type."),
    word("?structureName", "Only rows of structures whose name begins with this text, in any letter case.").such_as("Hotel Mir"),
    word("?customerNameReservation", "Only reservations whose `customerName` begins with this text, in any letter case.").such_as("Anna"),
    word("?customerSurnameReservation", "Only reservations whose `customerSurname` begins with this text, in any letter case.").such_as("Ros"),
    word("?sessionId", "The session that is asked for. A merchant's server must name it; a frame may leave it to its header `session`.").such_as("m3p0Zr8cV1nT5xQ2bK7sLw9dYe4uHgJfA6oPiRtXvQk"),
    word("?attemptNumber", "Which time the frame asks for this device check, from 1, once a second. The tenth is the last: a check that is not over then has failed.").such_as_number(1),
    word("?lang", "The language of the texts: three letters, in any letter case. One that the gateway does not speak gives English. Without it: the session's.").such_as("eng"),
];
