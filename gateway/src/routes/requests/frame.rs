//! Bodies of calls that the gateway's own frames make (contract, section 5).

use super::Member;
use super::forms::NetworkChoosers;
use serde::Deserialize;
use utoipa::ToSchema;

/// One value of a submission: of an input, or a choice of the buyer.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SubmittedItem {
    /// The id of the value: one of the session's card inputs, `ENCRYPTED_CARD`, `PREFERRED_NETWORK`,
    /// `CURRENCY_OFFER`, `INSTALLMENTS`, `SAVED_CARD`, `CONTRACT_CONSENT`, `BILLING_COUNTRY`, `BILLING_LINE1`, `BILLING_LINE2`,
    /// `BILLING_CITY`, `BILLING_STATE` or `BILLING_POSTAL_CODE`. Each at most once.
    #[schema(value_type = String, examples("EXPIRATION_DATE"))]
    pub(crate) id: Member,
    /// What was entered or chosen: at most 1024 bytes. It is never returned.
    #[schema(value_type = String, max_length = 1024, examples("1230"))]
    pub(crate) value: Member,
    /// Of `PREFERRED_NETWORK`: who chose the network of a card with two networks: the buyer (`BUYER`, the default) or the
    /// form (`DEFAULT`).
    #[schema(value_type = Option<NetworkChoosers>)]
    pub(crate) chosen_by: Member,
}

/// The body of `POST /fe/build/text/{id}`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CheckField {
    /// The content of the input. It is checked, not stored, and never returned.
    #[schema(value_type = String, examples("Anna Rossi"))]
    pub(crate) value: Member,
}

/// The body of `POST /fe/build/bin`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LookUpBin {
    /// The first six to eight digits of the card number.
    #[schema(value_type = String, pattern = r"^[0-9]{6,8}$", examples("476173"))]
    pub(crate) bin: Member,
}
