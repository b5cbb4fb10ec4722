//! What the page of a single field needs to start, and why a field may be unavailable (contract 3.5, 5.2).

use super::Forms;
use super::error::{PaymentError, report};
use super::page_views::{FieldError, FieldKind, FieldRequest, FieldView};
use super::session_status::CARD_BUTTON;
use payframe_payment_domain::session::State;
use payframe_payment_domain::terms::{CardField, Terminal, Terms, Version};
use payframe_protocol::boot::{BootField, FieldBoot};
use payframe_storage::orders;

impl Forms<'_> {
    /// A field of a session. The request counts as activity of the buyer, unless a page of another origin sends it.
    pub async fn field(&self, ask: FieldRequest<'_>) -> Result<FieldView, FieldError> {
        match self.find_field(ask).await {
            Ok(found) => found,
            Err(problem) => {
                report("the page of a field", &problem);
                Err(FieldError::Failed)
            }
        }
    }

    async fn find_field(
        &self,
        ask: FieldRequest<'_>,
    ) -> Result<Result<FieldView, FieldError>, PaymentError> {
        let Some(row) = self
            .transitions
            .find(&payframe_vault::hash(ask.session_id))
            .await?
        else {
            return Ok(Err(FieldError::Unknown));
        };
        let framing = &row.terms.framing;
        // The browser's information about the surrounding page. If the frame cannot read the page, the information can only prove a wrong
        // origin.
        let is_elsewhere =
            |asker: &str| asker != framing.merchant && asker != self.context.settings().origin;
        if ask.asker.is_some_and(is_elsewhere) {
            return Ok(Err(FieldError::OtherOrigin));
        }
        if row.session.state == State::Dead {
            return Ok(Err(FieldError::Dead {
                framing: framing.clone(),
            }));
        }
        self.sessions.buyer_seen(&row).await?;
        let (boot, terminal) = self.boot(&row, ask.session_id).await?;
        let Some(kind) = kind(ask.id, &row.terms, &terminal) else {
            return Ok(Err(FieldError::NoSuchField {
                framing: framing.clone(),
            }));
        };
        let label = ask.label.or_else(|| match kind {
            FieldKind::Button => row
                .terms
                .offered(ask.id)
                .map(|method| method.name().to_owned()),
            FieldKind::Input(_) | FieldKind::DeviceCheck => None,
        });
        let default_value = match kind {
            FieldKind::Input(field) => self.default_value(&row.terms, field).await?,
            FieldKind::Button | FieldKind::DeviceCheck => None,
        };
        let field = BootField {
            id: ask.id.to_owned(),
            driver: ask.driver,
            placeholder: ask.placeholder,
            errors: ask.errors,
            label,
            default_value,
            correlation_id: row.terms.trace_id,
        };
        Ok(Ok(FieldView {
            boot: FieldBoot { boot, field },
            kind,
            language: row.terms.language,
            framing: row.terms.framing,
            font: terminal.font,
        }))
    }

    /// The hash of an open session, for requests of its frames that are not part of the payment. Counts as activity of the buyer.
    pub async fn live_session(&self, session_id: &str) -> Result<Option<String>, PaymentError> {
        let row = self
            .transitions
            .find(&payframe_vault::hash(session_id))
            .await?;
        let Some(row) = row.filter(|row| row.session.state != State::Dead) else {
            return Ok(None);
        };
        self.sessions.buyer_seen(&row).await?;
        Ok(Some(row.hash))
    }

    /// Name and e-mail address that the merchant sent with the order. Never card data.
    pub async fn default_value(
        &self,
        terms: &Terms,
        field: CardField,
    ) -> Result<Option<String>, PaymentError> {
        let member = match field {
            CardField::HolderName => "cardHolderName",
            CardField::Email => "cardHolderEmail",
            _ => return Ok(None),
        };
        let order = orders::find(
            &mut *self.context.store().read().await?,
            &terms.merchant_id,
            &terms.order_id,
        )
        .await?;
        let value = order
            .as_ref()
            .and_then(|order| order.document.get("customerInfo")?.get(member)?.as_str());
        Ok(value.map(str::to_owned))
    }
}

/// The kind of the field with this id in a session.
fn kind(id: &str, terms: &Terms, terminal: &Terminal) -> Option<FieldKind> {
    match id {
        // Allowed in every state: a button frame may load late or again, and a second click has no effect (contract 6.3).
        CARD_BUTTON => Some(FieldKind::Button),
        _ if terms.offered(id).is_some() => Some(FieldKind::Button),
        "GDI" => (terms.version == Version::Two).then_some(FieldKind::DeviceCheck),
        _ => CardField::from_id(id)
            .filter(|field| terminal.card_fields.contains(field))
            .map(FieldKind::Input),
    }
}
