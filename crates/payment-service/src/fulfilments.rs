//! What shops tell of the goods of their orders. It moves no money.

use crate::{PaymentContext, PaymentError};
use payframe_payment_domain::calendar::instant;
use payframe_payment_domain::fulfilment::FulfilmentState;
use payframe_protocol::fulfilment::{Fulfilment, FulfilmentState as Told};
use payframe_storage::events::{self, About};
use payframe_storage::fulfilments::{self, FulfilmentRow};
use payframe_storage::{Connection, StoreError, orders};

/// The states of orders' goods.
#[derive(Clone, Copy)]
pub struct Fulfilments<'a> {
    context: &'a PaymentContext,
}

impl<'a> Fulfilments<'a> {
    /// The service over these dependencies.
    pub fn new(context: &'a PaymentContext) -> Fulfilments<'a> {
        Fulfilments { context }
    }
}

impl Fulfilments<'_> {
    /// Keeps what the shop tells of an order, and writes an event if it is something new. `None`: the merchant has no such order.
    pub async fn tell(
        &self,
        merchant_id: &str,
        order_id: &str,
        state: FulfilmentState,
        note: Option<&str>,
    ) -> Result<Option<Fulfilment>, PaymentError> {
        let (mut change, order) =
            orders::begin_change(self.context.store(), merchant_id, order_id).await?;
        if order.is_none() {
            return Ok(None);
        }
        let before = fulfilments::find(&mut change, merchant_id, order_id).await?;
        if let Some(before) = before
            && before.state == state
            && before.note.as_deref() == note
        {
            return Ok(Some(on_the_wire(order_id, before)));
        }
        let now_ms = self.context.clock().now_ms();
        let row = FulfilmentRow {
            state,
            note: note.map(str::to_owned),
            changed_ms: now_ms,
        };
        fulfilments::put(&mut change, merchant_id, order_id, &row);
        let fulfilment = on_the_wire(order_id, row);
        let event_id = uuid::Uuid::new_v4().to_string();
        let place = events::next_place(&mut change, merchant_id, About::Other, now_ms).await?;
        events::add_fulfilment(
            &mut change,
            merchant_id,
            place,
            &event_id,
            fulfilment.clone(),
        )?;
        change.commit().await?;
        Ok(Some(fulfilment))
    }
}

/// What the shop told of an order last. `None`: nothing.
pub async fn told(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<Option<Fulfilment>, StoreError> {
    let row = fulfilments::find(connection, merchant_id, order_id).await?;
    Ok(row.map(|row| on_the_wire(order_id, row)))
}

fn on_the_wire(order_id: &str, row: FulfilmentRow) -> Fulfilment {
    Fulfilment {
        order_id: order_id.to_owned(),
        state: match row.state {
            FulfilmentState::None => Told::None,
            FulfilmentState::Partial => Told::Partial,
            FulfilmentState::Fulfilled => Told::Fulfilled,
            FulfilmentState::Canceled => Told::Canceled,
            FulfilmentState::Returned => Told::Returned,
        },
        changed_time: instant(row.changed_ms),
        note: row.note,
    }
}
