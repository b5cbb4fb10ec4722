//! Contracts: cards that are stored for later payments (contract 8.2.9, 8.2.10).

use super::Reply;
use super::call::Call;
use super::error::ApiError;
use super::operation::{Area, Operation, PathParameter, Request, answers};
use crate::App;
use payframe_error_codes::ErrorCode::PS0017;
use payframe_protocol::contract::{ContractList, Done};

/// Contract 8.2.9 and 8.2.10.
pub(super) const OPERATIONS: &[Operation] = &[
    Operation {
        title: "List the contracts of a customer",
        about: "The cards that are kept for a customer and active, newest first. Nothing was ever kept: 404.",
        answer: answers::<ContractList>(),
        parameter: PathParameter::new(
            "The customer, by the merchant's own id: the `order.customerId` of the payment that kept the card.",
            "cust-7",
        ),
        ..Operation::get(
            "listContracts",
            "/contracts/customers/{customerId}",
            |app, call| Box::pin(list(app, call)),
        )
    },
    Operation {
        area: Area::BackOffice,
        title: "Deactivate a contract",
        about: "Nothing more is charged to its card. Again is no error; the id may be used for another contract.",
        answer: answers::<Done>(),
        refusals: &[PS0017],
        parameter: PathParameter::new(
            "The contract, by the id that the merchant gave it in `recurrence.contractId`.",
            "contract-7",
        ),
        ..Operation::post(
            "deactivateContract",
            "/contracts/{contractId}/deactivation",
            Request::None,
            |app, call| Box::pin(deactivate(app, call)),
        )
    },
];

/// `GET /contracts/customers/{customerId}`
async fn list(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let terminal = call.terminal()?;
    let list = app
        .contracts()
        .list(&terminal.merchant_id, &call.parameter)
        .await?;
    Reply::json(&list.ok_or(ApiError::NotFound)?)
}

/// `POST /contracts/{contractId}/deactivation`
async fn deactivate(app: &App, call: &Call) -> Result<Reply, ApiError> {
    let terminal = call.terminal()?;
    call.refuse_scripts()?;
    app.contracts()
        .deactivate(&terminal.merchant_id, &call.parameter)
        .await?;
    // `{}`: typed clients expect an object (contract 13, D135).
    Reply::json(&Done {})
}
