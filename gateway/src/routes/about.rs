//! What a call of a merchant's server is about, for warnings that stand at the order's page of the back office.

use super::call::Call;
use super::endpoint::Endpoint;
use crate::App;
use payframe_storage::{StoreError, operations};

/// The object of a call of a merchant's server, if it is known before the call is carried out.
pub(super) enum About {
    /// An order.
    Order {
        merchant_id: String,
        order_id: String,
    },
    /// An operation of an order.
    Operation {
        merchant_id: String,
        operation_id: String,
    },
}

impl About {
    /// What the call is about. `None`: a call of a frame, or one that names no object.
    pub(super) fn of(endpoint: &Endpoint, call: &Call) -> Option<About> {
        let merchant_id = call.terminal().ok()?.merchant_id.clone();
        if let Some(order_id) = call.body["order"]["orderId"].as_str() {
            let order_id = order_id.to_owned();
            return Some(About::Order {
                merchant_id,
                order_id,
            });
        }
        if endpoint.path.contains("{orderId}") {
            let order_id = call.parameter.clone();
            return Some(About::Order {
                merchant_id,
                order_id,
            });
        }
        endpoint
            .path
            .contains("{operationId}")
            .then(|| About::Operation {
                merchant_id,
                operation_id: call.parameter.clone(),
            })
    }

    /// Merchant and id of the order, if there is one.
    pub(super) async fn order(self, app: &App) -> Result<Option<(String, String)>, StoreError> {
        match self {
            About::Order {
                merchant_id,
                order_id,
            } => Ok(Some((merchant_id, order_id))),
            About::Operation {
                merchant_id,
                operation_id,
            } => {
                let mut connection = app.store().read().await?;
                let found =
                    operations::find_of_merchant(&mut connection, &merchant_id, &operation_id)
                        .await?;
                Ok(found.map(|operation| (merchant_id, operation.order_id)))
            }
        }
    }
}
