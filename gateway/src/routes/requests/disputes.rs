//! The bodies of the calls about disputes.

use super::Member;
use super::forms::{DisputeCategories, DisputeKinds, DisputeResults};
use serde::Deserialize;
use utoipa::ToSchema;

/// The body of `POST /disputes/{disputeId}/files`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AddDisputeFile {
    /// What the file is called. It says nothing about its type.
    #[schema(value_type = String, min_length = 1, max_length = 100, examples("delivery note.pdf"))]
    pub(crate) name: Member,
    /// The content, in base64: a PDF document, or a PNG or JPEG picture, of at most 4.5 MB.
    #[schema(value_type = String, min_length = 1, max_length = 6_000_000, format = "byte", examples("JVBERi0xLjcK"))]
    pub(crate) content: Member,
}

/// The body of `POST /disputes/{disputeId}/evidence`. It may be left out where files say everything.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SubmitEvidence {
    /// Why the payment is right.
    #[schema(value_type = Option<String>, max_length = 4000, examples("The buyer confirmed that the parcel arrived."))]
    pub(crate) explanation: Member,
    /// What was sold.
    #[schema(value_type = Option<String>, max_length = 4000, examples("Two tickets, row 7"))]
    pub(crate) goods: Member,
    /// When, how and where it was delivered, such as the carrier and the number of the parcel.
    #[schema(value_type = Option<String>, max_length = 4000, examples("Picked up at the counter on 20 November"))]
    pub(crate) delivery: Member,
    /// What buyer and merchant wrote to each other.
    #[schema(value_type = Option<String>, max_length = 4000, examples("20 November: \"They arrived, thank you!\""))]
    pub(crate) correspondence: Member,
    /// The terms of cancellation and refund that the buyer accepted, and how.
    #[schema(value_type = Option<String>, max_length = 4000, examples("Tickets are not taken back, as said before the payment"))]
    pub(crate) refund_terms: Member,
}

/// The body of `POST /test/disputes`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpenTestDispute {
    /// The operation whose captured money is disputed.
    #[schema(value_type = String, min_length = 1, max_length = 63, examples("347074400000000001"))]
    pub(crate) operation_id: Member,
    /// How far it has come. Without it: `CHARGEBACK`.
    #[schema(value_type = Option<DisputeKinds>)]
    pub(crate) kind: Member,
    /// Why the buyer disputes. Without it: `NOT_RECEIVED`.
    #[schema(value_type = Option<DisputeCategories>)]
    pub(crate) category: Member,
    /// The network's code of the reason: letters, digits, dots and hyphens. Without it: `TEST`.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 20, examples("10.4"))]
    pub(crate) reason_code: Member,
    /// The disputed money, in the minor unit. Without it: all that can be disputed.
    #[schema(value_type = Option<String>, pattern = "^[0-9]{1,12}$", examples("3545"))]
    pub(crate) amount: Member,
    /// The time for an answer, in seconds. Without it: ten days.
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 8_640_000, examples(864_000))]
    pub(crate) seconds_to_respond: Member,
}

/// The body of `POST /test/disputes/{disputeId}/result`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DecideTestDispute {
    /// `WON`, `LOST`: the bank decides for the merchant, or for the buyer. `CHARGEBACK`, `PRE_ARBITRATION`, `ARBITRATION`: the dispute comes
    /// to this later stage, with ten days for an answer.
    #[schema(value_type = DisputeResults)]
    pub(crate) result: Member,
}
