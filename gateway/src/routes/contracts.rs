//! Contracts: cards that are stored for later payments (contract 8.2.9, 8.2.10).

use super::call::{Call, CallingTerminal, PathId};
use super::endpoint::{BACK_OFFICE, Endpoint};
use super::error::ApiError;
use crate::App;
use axum::Json;
use axum::extract::State;
use payframe_error_codes::ErrorCode::PS0017;
use payframe_protocol::contract::{ContractList, Done};
use utoipa_axum::routes;

/// Contract 8.2.9 and 8.2.10.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(list_contracts)),
        Endpoint::of(routes!(deactivate_contract)).refusals(&[PS0017]),
    ]
}

/// List the contracts of a customer
///
/// The active contracts of a customer, newest first. 404 if the customer never had a contract.
#[utoipa::path(
    get, path = "/contracts/customers/{customerId}", operation_id = "listContracts", tag = BACK_OFFICE,
    params((
        "customerId" = String, Path, example = "cust-7",
        description = "The customer, by the merchant's own id: the `order.customerId` of the payment that kept the card.",
    )),
    responses((status = 200, body = ContractList)),
)]
async fn list_contracts(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(customer_id): PathId,
) -> Result<Json<ContractList>, ApiError> {
    let list = app
        .contracts()
        .list(&terminal.merchant_id, &customer_id)
        .await?;
    Ok(Json(list.ok_or(ApiError::NotFound)?))
}

/// Deactivate a contract
///
/// Its card is not charged again. Repeating the call is not an error. The id may be used for another contract.
#[utoipa::path(
    post, path = "/contracts/{contractId}/deactivation", operation_id = "deactivateContract", tag = BACK_OFFICE,
    params((
        "contractId" = String, Path, example = "contract-7",
        description = "The contract, by the id that the merchant gave it in `recurrence.contractId`.",
    )),
    responses((status = 200, body = Done)),
)]
async fn deactivate_contract(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(contract_id): PathId,
    call: Call,
) -> Result<Json<Done>, ApiError> {
    call.refuse_scripts()?;
    app.contracts()
        .deactivate(&terminal.merchant_id, &contract_id, call.author())
        .await?;
    // `{}`: typed clients expect an object (contract 13, D135).
    Ok(Json(Done {}))
}
