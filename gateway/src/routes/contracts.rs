//! Contracts: cards that are kept for later payments (contract 8.2.9, 8.2.10).

use super::Reply;
use super::caller::Caller;
use super::pipeline::Call;
use super::problem::Refusal;
use crate::App;

/// `GET /contracts/customers/{customerId}`
pub(crate) async fn list(app: &App, call: &Call) -> Result<Reply, Refusal> {
    let Caller::Merchant { terminal, .. } = &call.caller else {
        return Err(Refusal::Unauthorized);
    };
    let list = app
        .contracts_of(&terminal.merchant_id, &call.parameter)
        .await?;
    Reply::json(&list.ok_or(Refusal::NotFound)?)
}

/// `POST /contracts/{contractId}/deactivation`
pub(crate) async fn deactivate(app: &App, call: &Call) -> Result<Reply, Refusal> {
    let Caller::Merchant { terminal, .. } = &call.caller else {
        return Err(Refusal::Unauthorized);
    };
    call.refuse_scripts()?;
    app.deactivate_contract(&terminal.merchant_id, &call.parameter)
        .await?;
    Ok(Reply::empty())
}
