//! Which refunds wait for a second member: those by which an order's refunds together are above the sum of their currency, so that nobody
//! stays below it in steps.

use super::error::OfficeError;
use crate::BackOffice;
use payframe_money::Amount;
use payframe_payment_domain::operation::{OperationResult, OperationType};
use payframe_payment_service::order_version::{self, ExpectedVersion};
use payframe_protocol::operation::Operation;
use payframe_storage::{operations, refund_requests};

/// Whether a refund waits for a second member.
pub(super) struct Judgement {
    pub(super) waits: bool,
    /// The order that was judged. Of another one nothing may be refunded.
    pub(super) version: ExpectedVersion,
}

impl Judgement {
    /// Nothing is asked.
    pub(super) fn free() -> Judgement {
        Judgement {
            waits: false,
            version: ExpectedVersion::Any,
        }
    }

    /// Judges a refund of an order's operation.
    pub(super) async fn of_refund(
        office: &BackOffice,
        merchant_id: &str,
        operation: &Operation,
        amount: Amount,
    ) -> Result<Judgement, OfficeError> {
        let mut connection = office.store().read().await?;
        let currency = &operation.operation_currency;
        let rule = refund_requests::rule(&mut connection, merchant_id, currency).await?;
        let Some(above) = rule else {
            return Ok(Judgement::free());
        };
        let order_id = &operation.order_id;
        let version = order_version::current(&mut connection, merchant_id, order_id).await?;
        let operations = operations::of_order(&mut connection, merchant_id, order_id).await?;
        Ok(Judgement {
            waits: refunded_minor(&operations) + i128::from(amount.minor())
                > i128::from(above.minor()),
            version: ExpectedVersion::OneOf(version.into_iter().collect()),
        })
    }

    /// The judged version, for a request.
    pub(super) fn into_version(self) -> String {
        match self.version {
            ExpectedVersion::OneOf(versions) => versions.into_iter().next().unwrap_or_default(),
            ExpectedVersion::Any => String::new(),
        }
    }
}

/// What was refunded, or will be, by these operations of an order.
fn refunded_minor(operations: &[Operation]) -> i128 {
    let counts = |operation: &&Operation| {
        operation.operation_type == OperationType::Refund.code()
            && matches!(
                OperationResult::from_code(&operation.operation_result),
                Some(OperationResult::Executed | OperationResult::Pending)
            )
    };
    let minor = |operation: &Operation| {
        Amount::parse(&operation.operation_amount).map_or(0, |amount| i128::from(amount.minor()))
    };
    operations.iter().filter(counts).map(minor).sum()
}
