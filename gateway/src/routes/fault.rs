//! Faults that a caller may ask for. The port [`FaultInjection`] says by which header, and for which; this module carries them out.

use super::error::ApiError;
use axum::http::{HeaderMap, StatusCode};
use payframe_error_codes::ErrorCode::{GW9005, PS0026};
use payframe_payment_ports::FaultInjection;
use payframe_payment_ports::fault_injection::Fault;

/// The fault that the headers of a call ask for. Faults that prevent the call are refusals at once.
pub(crate) fn requested(
    faults: &dyn FaultInjection,
    headers: &HeaderMap,
) -> Result<Option<Fault>, ApiError> {
    let Some(value) = headers.get(faults.header()) else {
        return Ok(None);
    };
    match faults.parse(value.as_bytes()) {
        Ok(Fault::Drop) => Err(ApiError::Close),
        Ok(Fault::ServerError) => Err(ApiError::with(
            StatusCode::INTERNAL_SERVER_ERROR,
            GW9005,
            "injected fault",
        )),
        Ok(fault @ (Fault::Timeout | Fault::Delay(_))) => Ok(Some(fault)),
        Err(problem) => Err(ApiError::bad(PS0026, problem.to_string())),
    }
}

/// Waits, if the fault is a delay.
pub(crate) async fn delay(fault: Option<Fault>) {
    if let Some(Fault::Delay(delay)) = fault {
        tokio::time::sleep(delay).await;
    }
}
