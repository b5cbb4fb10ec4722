//! The stored cards that the form shows: those of the order's customer. Handles identify them for use and removal.
//!
//! A handle is told only to documents that show the cards (`form_documents.rs`), so whoever names one has such a document. It is the same
//! in every session of the order, because a session may take over the form of another one. In other orders it is unknown. It does not
//! reveal the contract, and cannot be guessed. It is searched only among the customer's own cards. The handle belongs to one card: if the
//! contract gets a new card, it gets a new handle.

use super::Contracts;
use super::card_entry::has_expired;
use super::contracts::{StoredCard, customer_of, kept_card};
use super::error::ContractError;
use super::error::PaymentError;
use super::form::is_collecting;
use payframe_payment_domain::card_on_file::SavedCards;
use payframe_payment_domain::contract::Kind;
use payframe_payment_domain::session::TransitionError;
use payframe_payment_domain::terms::Terminal;
use payframe_protocol::api::SavedCard;
use payframe_storage::contracts::{self, ContractRow};
use payframe_storage::sessions::SessionRow;
use payframe_storage::{Connection, Subject};

impl Contracts<'_> {
    /// The cards that the buyer can choose, newest first.
    pub(super) async fn saved_cards(
        &self,
        row: &SessionRow,
        terminal: &Terminal,
    ) -> Result<Vec<SavedCard>, PaymentError> {
        let mut connection = self.context.store().read().await?;
        let today = self.context.today();
        let found = usable(&mut connection, row, terminal).await?;
        Ok(found
            .into_iter()
            .map(|contract| SavedCard {
                id: self.handle_of(row, &contract),
                network: contract.card.network.code().to_owned(),
                brand: contract.card.network.name().to_owned(),
                last4: contract.card.last4,
                expires: format!(
                    "{:04}-{:02}",
                    contract.card.expiry.year(),
                    contract.card.expiry.month()
                ),
                expired: has_expired(contract.card.expiry, today),
            })
            .collect())
    }

    /// The card with this handle, if the buyer can choose it.
    pub(super) async fn saved_card(
        &self,
        row: &SessionRow,
        terminal: &Terminal,
        handle: &str,
    ) -> Result<Option<StoredCard>, PaymentError> {
        let mut connection = self.context.store().read().await?;
        let found = usable(&mut connection, row, terminal).await?;
        let chosen = found
            .into_iter()
            .find(|contract| self.handle_of(row, contract) == handle);
        chosen
            .map(|contract| kept_card(self.context.vault(), contract))
            .transpose()
    }

    /// Ends the contract of a card at the buyer's request. Returns the remaining cards.
    pub async fn remove_saved_card(
        &self,
        row: &SessionRow,
        terminal: &Terminal,
        handle: &str,
    ) -> Result<Vec<SavedCard>, PaymentError> {
        let may_remove = row.terms.card_on_file.saved == SavedCards::UseAndRemove;
        if !may_remove || !is_collecting(&row.session.state) {
            return Err(TransitionError::WrongState.into());
        }
        let mut transaction = self
            .context
            .store()
            .write(Subject::Merchant(&row.terms.merchant_id))
            .await?;
        let found = usable(&mut transaction, row, terminal).await?;
        let contract = found
            .into_iter()
            .find(|contract| self.handle_of(row, contract) == handle)
            .ok_or(ContractError::Unknown)?;
        let merchant_id = &row.terms.merchant_id;
        contracts::deactivate(&mut transaction, merchant_id, &contract.contract_id).await?;
        transaction.commit().await?;
        self.saved_cards(row, terminal).await
    }

    fn handle_of(&self, row: &SessionRow, contract: &ContractRow) -> String {
        // The operation that stored the card belongs to one merchant and one contract.
        let subject = format!(
            "kept card {} of {} in order {}",
            contract.card_from, row.terms.merchant_id, row.terms.order_id
        );
        self.context.vault().page_token(&subject)
    }
}

/// The contracts of the order's customer that a buyer can pay with at this terminal.
async fn usable(
    connection: &mut Connection,
    row: &SessionRow,
    terminal: &Terminal,
) -> Result<Vec<ContractRow>, PaymentError> {
    if row.terms.card_on_file.saved == SavedCards::None {
        return Ok(Vec::new());
    }
    let customer_id = customer_of(connection, row).await?;
    // An empty id belongs to no customer.
    let Some(customer_id) = customer_id.filter(|id| !id.is_empty()) else {
        return Ok(Vec::new());
    };
    let all = contracts::of_customer(connection, &row.terms.merchant_id, &customer_id).await?;
    let fits = |contract: &ContractRow| {
        contract.is_active
            && contract.rules.kind == Kind::WithBuyer
            && terminal.networks.contains(contract.card.network)
    };
    Ok(all.into_iter().filter(fits).take(MOST).collect())
}

/// The maximum number of cards in the list.
const MOST: usize = 20;
