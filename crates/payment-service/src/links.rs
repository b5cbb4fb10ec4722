//! The merchant's calls on payment links: list, read, cancel, renew (contract 8.1.4, 8.2.12 to 8.2.14). [`super::hosted`] creates links
//! and takes their payments.

use super::HostedPages;
use super::audit_notes::Noted;
use super::error::PaymentError;
use payframe_payment_domain::back_office::Act;
use payframe_payment_domain::calendar::{instant, terminal_day};
use payframe_payment_domain::hosted::{HostedPageError, HostedPageState, Payment};
use payframe_protocol::hosted::PaymentLink;
use payframe_storage::audit::Author;
use payframe_storage::hosted_pages::{self, HostedPageRow};
use payframe_storage::{StoreError, Subject, orders};

impl HostedPages<'_> {
    /// The address of a page or a link.
    pub fn address(&self, page: &HostedPageRow) -> String {
        self.context.hosted_address(page)
    }

    /// A merchant's link. `None`: no link has this id.
    pub async fn link(
        &self,
        merchant_id: &str,
        link_id: &str,
    ) -> Result<Option<HostedPageRow>, PaymentError> {
        let mut connection = self.context.store().read().await?;
        Ok(hosted_pages::find_link(&mut connection, merchant_id, link_id).await?)
    }

    /// Cancels a link, unless it is paid or a payment is in progress on it. `author`: who asks, if the audit log gets an entry with it.
    pub async fn cancel_link(
        &self,
        link: &HostedPageRow,
        author: Option<Author<'_>>,
    ) -> Result<HostedPageRow, PaymentError> {
        let terms = &link.terms;
        let _held = self
            .context
            .lock_order(&terms.merchant_id, &terms.order_id)
            .await;
        // This comes first, so that the following decision uses the final state.
        let idle = match self.clear_page(link).await {
            Ok(()) => Payment::None,
            Err(PaymentError::Hosted(HostedPageError::Running)) => Payment::Running,
            Err(problem) => return Err(problem),
        };
        let mut transaction = self
            .context
            .store()
            .write(Subject::Order {
                merchant_id: &terms.merchant_id,
                order_id: &terms.order_id,
            })
            .await?;
        let mut link = self.reload(&mut transaction, link).await?;
        let payment = match hosted_pages::has_unfinished(&mut transaction, &link.page_id).await? {
            true => Payment::Running,
            false => idle,
        };
        let was_cancelled = link.life.status == HostedPageState::Canceled;
        link.life = link.life.cancel(payment).map_err(PaymentError::Hosted)?;
        hosted_pages::put(&mut transaction, &link).await?;
        if let Some(author) = author.filter(|_| !was_cancelled) {
            let noted = of_link(Act::RevokeLink, &link);
            self.context.note(&mut transaction, author, noted).await?;
        }
        transaction.commit().await?;
        Ok(link)
    }

    /// Renews a link for the same period as at its creation. `author`: who asks, if the audit log gets an entry with it.
    pub async fn renew_link(
        &self,
        link: &HostedPageRow,
        author: Option<Author<'_>>,
    ) -> Result<HostedPageRow, PaymentError> {
        let terms = &link.terms;
        self.context.admit_buyers(&terms.terminal_id)?;
        let _held = self
            .context
            .lock_order(&terms.merchant_id, &terms.order_id)
            .await;
        let mut transaction = self
            .context
            .store()
            .write(Subject::Order {
                merchant_id: &terms.merchant_id,
                order_id: &terms.order_id,
            })
            .await?;
        let mut link = self.reload(&mut transaction, link).await?;
        let mut term = link
            .term
            .take()
            .ok_or(StoreError::Unreadable("payment link"))?;
        let today = terminal_day(self.context.clock().now_ms());
        term.validity = term.validity.renewed(today, term.life_days);
        link.life = link
            .life
            .renew(term.validity.ends_ms())
            .map_err(PaymentError::Hosted)?;
        let order = orders::find(&mut transaction, &terms.merchant_id, &terms.order_id).await?;
        let is_taken = order.is_some_and(|order| order.payment_operation_id.is_some());
        if is_taken && !hosted_pages::has_unfinished(&mut transaction, &link.page_id).await? {
            return Err(PaymentError::OrderPaid);
        }
        term.renewals += 1;
        link.term = Some(term);
        hosted_pages::put(&mut transaction, &link).await?;
        if let Some(author) = author {
            let noted = of_link(Act::RenewLink, &link);
            self.context.note(&mut transaction, author, noted).await?;
        }
        transaction.commit().await?;
        Ok(link)
    }

    async fn reload(
        &self,
        connection: &mut payframe_storage::Connection,
        link: &HostedPageRow,
    ) -> Result<HostedPageRow, PaymentError> {
        let found = hosted_pages::find(connection, &link.page_id).await?;
        Ok(found.ok_or(StoreError::Unreadable("payment link"))?)
    }

    /// A link in the format of version 2 of the contract.
    pub fn link_answer(&self, link: &HostedPageRow) -> PaymentLink {
        let (terms, term) = (&link.terms, link.term.as_ref());
        PaymentLink {
            expiration_time: term
                .and_then(|term| term.validity.time.as_ref())
                .map(|time| time.as_str().to_owned()),
            order_id: Some(terms.order_id.clone()),
            currency: Some(terms.currency.clone()),
            action_type: Some(terms.action.code().to_owned()),
            capture_type: Some(terms.capture.code().to_owned()),
            creation_time: Some(instant(link.created_ms)),
            renewals: Some(term.map_or(0, |term| term.renewals)),
            ..self.first_link_answer(link)
        }
    }

    /// A link in the format of version 1 of the creation call.
    pub fn first_link_answer(&self, link: &HostedPageRow) -> PaymentLink {
        let now_ms = self.context.clock().now_ms();
        PaymentLink {
            link_id: link.page_id.clone(),
            amount: link.terms.amount.to_string(),
            expiration_date: link
                .term
                .as_ref()
                .map(|term| term.validity.day_text())
                .unwrap_or_default(),
            link: self.context.hosted_address(link),
            paid_by_operation_id: link.life.paid_by().map(str::to_owned),
            status: link.life.status(now_ms).code().to_owned(),
            expiration_time: None,
            order_id: None,
            currency: None,
            action_type: None,
            capture_type: None,
            creation_time: None,
            renewals: None,
        }
    }
}

/// What the audit log says of a link.
fn of_link(act: Act, link: &HostedPageRow) -> Noted<'_> {
    Noted {
        merchant_id: &link.terms.merchant_id,
        act,
        subject: format!("order {}", link.terms.order_id),
        detail: format!("link {}", link.page_id),
    }
}
