//! Stored cards: what a payment does with a contract, from the request to the recorded result (contract 2.5).
//!
//! Before the call to the acquirer, the transaction of the intent writes what the payment will do ([`Contracts::preassign_contract_id`]), with
//! the card encrypted for the contract. The transaction that records the final result does it, or discards it ([`conclude`]). So a
//! contract exists exactly if the payment that makes it succeeds, even after a crash between the two, and two payments cannot make the
//! same contract.

use super::PaymentContext;
use super::audit_notes::Noted;
use super::booked_money::booked_amount;
use super::cardholder_data::CardholderData;
use super::error::{ContractError, PaymentError};
use payframe_money::Amount;
use payframe_payment_domain::back_office::Act;
use payframe_payment_domain::calendar::terminal_day;
use payframe_payment_domain::card::{ConsentMark, EnteredCard, circuit};
use payframe_payment_domain::card_on_file::SavedCards;
use payframe_payment_domain::contract::{
    ContractChargeError, ContractIntent, Kind, Recurrence, is_hidden,
};
use payframe_payment_domain::exemption::{NoChallengeRequest, RequestedExemption};
use payframe_payment_domain::operation::OperationResult;
use payframe_payment_domain::session::State;
use payframe_payment_domain::terms::Channel;
use payframe_payment_ports::Vault;
use payframe_protocol::contract::{Contract, ContractList};
use payframe_storage::audit::Author;
use payframe_storage::contracts::{self, ChangeKind, ChangeRow, ContractRow, NewCard};
use payframe_storage::sessions::SessionRow;
use payframe_storage::{Connection, StoreError, Subject, operations, orders};

/// A card that was stored with an earlier payment.
pub struct StoredCard {
    pub(super) shown: EnteredCard,
    pub(super) cardholder_data: CardholderData,
}

/// Contracts with cards on file, and the saved cards that a form shows.
#[derive(Clone, Copy)]
pub struct Contracts<'a> {
    pub(super) context: &'a PaymentContext,
}

impl<'a> Contracts<'a> {
    /// The service over these dependencies.
    pub fn new(context: &'a PaymentContext) -> Contracts<'a> {
        Contracts { context }
    }
}

impl Contracts<'_> {
    /// Checks whether a payment may do what it requests. Returns the card that it is paid with, if that is a stored card.
    pub(super) async fn agree(
        &self,
        connection: &mut Connection,
        merchant_id: &str,
        recurrence: Option<&Recurrence>,
    ) -> Result<Option<StoredCard>, PaymentError> {
        match recurrence {
            None => Ok(None),
            Some(Recurrence::Create { contract_id, .. }) => {
                must_be_free(connection, merchant_id, contract_id).await?;
                Ok(None)
            }
            Some(Recurrence::Substitute { contract_id, kind }) => {
                active(connection, merchant_id, contract_id, *kind).await?;
                Ok(None)
            }
            Some(Recurrence::Pay { contract_id, kind }) => {
                // Also a contract for charges without the buyer: a buyer who is present agrees to more (contract 13, D136).
                let contract = active(connection, merchant_id, contract_id, *kind).await?;
                kept_card(self.context.vault(), contract).map(Some)
            }
        }
    }

    /// Checks whether a payment may ask for its exemption under its contract: a recurring one needs the sum of the payment that stored the
    /// card. All else is checked where the request is read.
    pub(super) async fn agree_to_exemption(
        &self,
        connection: &mut Connection,
        merchant_id: &str,
        (exemptions, recurrence): (&str, Option<&Recurrence>),
        sum: (Amount, &str),
    ) -> Result<(), PaymentError> {
        let asked =
            NoChallengeRequest::from_code(exemptions).and_then(NoChallengeRequest::exemption);
        match (asked, recurrence) {
            (
                Some(RequestedExemption::RecurringSameAmount),
                Some(Recurrence::Pay { contract_id, .. }),
            ) if !has_sum(connection, merchant_id, contract_id, sum).await? => {
                Err(ContractError::OtherSum.into())
            }
            _ => Ok(()),
        }
    }

    /// The card of a contract for a charge by the merchant alone, and the reason if the charge is not allowed.
    pub(super) async fn card_to_charge(
        &self,
        connection: &mut Connection,
        merchant_id: &str,
        contract_id: &str,
        now_ms: i64,
    ) -> Result<(StoredCard, Result<(), ContractChargeError>), PaymentError> {
        contracts::lock(connection, merchant_id, contract_id).await?;
        let contract = active(connection, merchant_id, contract_id, None).await?;
        let charges = contracts::charges(connection, merchant_id, &contract, terminal_day).await?;
        let permitted = contract.rules.permit_charge(charges, terminal_day(now_ms));
        Ok((kept_card(self.context.vault(), contract)?, permitted))
    }

    /// Writes what an operation does with a contract if it succeeds. Called before the request to the acquirer.
    pub(super) async fn preassign_contract_id(
        &self,
        connection: &mut Connection,
        row: &SessionRow,
        operation_id: &str,
    ) -> Result<(), PaymentError> {
        let State::Authorizing { card, .. } = &row.session.state else {
            return Ok(());
        };
        let terms = &row.terms;
        let merchant_id = terms.merchant_id.as_str();
        let (contract_id, kind) = match (&card.contract_id, &terms.contract) {
            (Some(contract_id), _) => {
                contracts::lock(connection, merchant_id, contract_id).await?;
                match active(connection, merchant_id, contract_id, None).await {
                    Ok(_) => {}
                    // The buyer chose it in the form before it was removed. The payment continues, and nothing is stored.
                    Err(PaymentError::Contract(ContractError::Unknown))
                        if terms.card_on_file.saved != SavedCards::None =>
                    {
                        return Ok(());
                    }
                    Err(problem) => return Err(problem),
                }
                (contract_id, ChangeKind::Charge)
            }
            (None, None) => return Ok(()),
            (None, Some(ContractIntent::Create { .. })) if card.consent == ConsentMark::Refused => {
                return Ok(());
            }
            (None, Some(ContractIntent::Create { contract_id, rules })) => {
                contracts::lock(connection, merchant_id, contract_id).await?;
                must_be_free(connection, merchant_id, contract_id).await?;
                let kind = ChangeKind::Create {
                    // Without a customer id it is not in the list of a customer's cards.
                    customer_id: match is_hidden(contract_id) {
                        true => None,
                        false => customer_of(connection, row).await?,
                    },
                    rules: *rules,
                    card: self.card_for_contract(row, card, operation_id)?,
                };
                (contract_id, kind)
            }
            (None, Some(ContractIntent::Substitute { contract_id })) => {
                contracts::lock(connection, merchant_id, contract_id).await?;
                active(connection, merchant_id, contract_id, None).await?;
                let card = self.card_for_contract(row, card, operation_id)?;
                (contract_id, ChangeKind::Substitute { card })
            }
        };
        let moves_money = !booked_amount(terms.action, row.amount).is_zero();
        // A payment beside the agreed ones does not move the date of the next charge.
        let is_extra = matches!(kind, ChangeKind::Charge)
            && !matches!(
                terms.channel,
                Channel::MerchantInitiated | Channel::Automatic
            );
        let change = ChangeRow {
            operation_id: operation_id.to_owned(),
            merchant_id: merchant_id.to_owned(),
            contract_id: contract_id.clone(),
            is_charge: moves_money && !is_extra && !matches!(kind, ChangeKind::Substitute { .. }),
            kind,
        };
        contracts::promise(connection, &change).await?;
        Ok(())
    }

    /// The session's card, encrypted for the contract that gets it.
    fn card_for_contract(
        &self,
        row: &SessionRow,
        card: &EnteredCard,
        operation_id: &str,
    ) -> Result<NewCard, PaymentError> {
        let opened = CardholderData::of(self.context.vault(), row)?
            .ok_or(PaymentError::Broken("no encrypted card to keep"))?;
        Ok(NewCard {
            // A currency offer is valid for one payment only, and so are installments.
            shown: EnteredCard {
                offer: None,
                installments: None,
                ..card.clone()
            },
            // The holder's data was for this payment only.
            encrypted: opened
                .number_only()
                .encrypt(self.context.vault(), &owner(operation_id))?,
        })
    }

    /// The active contracts of a customer. `None`: the customer has never had one.
    pub async fn list(
        &self,
        merchant_id: &str,
        customer_id: &str,
    ) -> Result<Option<ContractList>, PaymentError> {
        let mut connection = self.context.store().read().await?;
        let rows = contracts::of_customer(&mut connection, merchant_id, customer_id).await?;
        Ok((!rows.is_empty()).then(|| ContractList {
            customer_id: customer_id.to_owned(),
            contracts: rows
                .into_iter()
                .filter(|row| row.is_active)
                .map(on_the_wire)
                .collect(),
        }))
    }

    /// Ends a contract. A repeated call changes nothing.
    pub async fn deactivate(
        &self,
        merchant_id: &str,
        contract_id: &str,
        author: Option<Author<'_>>,
    ) -> Result<(), PaymentError> {
        let mut transaction = self
            .context
            .store()
            .write(Subject::Merchant(merchant_id))
            .await?;
        if is_hidden(contract_id)
            || !contracts::is_known(&mut transaction, merchant_id, contract_id).await?
        {
            return Err(ContractError::Unknown.into());
        }
        let was_active = contracts::deactivate(&mut transaction, merchant_id, contract_id).await?;
        if let Some(author) = author.filter(|_| was_active) {
            let noted = Noted {
                merchant_id,
                act: Act::EndContract,
                subject: format!("contract {contract_id}"),
                detail: String::new(),
            };
            self.context.note(&mut transaction, author, noted).await?;
        }
        transaction.commit().await?;
        Ok(())
    }
}

/// Applies the contract change of an operation if its result is good, and discards the change otherwise. Does nothing while the result is
/// not final. Returns the contract if it changed.
pub(super) async fn conclude(
    connection: &mut Connection,
    operation_id: &str,
    result: OperationResult,
    time_ms: i64,
) -> Result<Option<String>, PaymentError> {
    if result == OperationResult::Pending {
        return Ok(None);
    }
    match contracts::take_preassigned_contract_id(connection, operation_id).await? {
        Some(change) if result.is_good() => {
            let contract_id = change.contract_id.clone();
            contracts::lock(connection, &change.merchant_id, &contract_id).await?;
            contracts::carry_out(connection, change, time_ms).await?;
            Ok(Some(contract_id))
        }
        _ => Ok(None),
    }
}

/// The scheme's id of the payment with which a contract's card was stored. `None` if that payment has no such id, or the contract has
/// ended.
pub(super) async fn first_scheme_id(
    connection: &mut Connection,
    merchant_id: &str,
    contract_id: &str,
) -> Result<Option<String>, PaymentError> {
    let contract = contracts::find_active(connection, merchant_id, contract_id).await?;
    let Some(contract) = contract else {
        return Ok(None);
    };
    let first = operations::find(connection, &contract.card_from).await?;
    let id = first.and_then(|first| first.payment_end_to_end_id);
    Ok(id)
}

/// Whether a payment has the sum of the payment with which the contract's card was stored. A card that was stored without a charge, or whose
/// contract has ended, says nothing about sums: then every sum is the agreed one.
pub(super) async fn has_sum(
    connection: &mut Connection,
    merchant_id: &str,
    contract_id: &str,
    (amount, currency): (Amount, &str),
) -> Result<bool, PaymentError> {
    let Some(contract) = contracts::find_active(connection, merchant_id, contract_id).await? else {
        return Ok(true);
    };
    let Some(first) = operations::find(connection, &contract.card_from).await? else {
        return Ok(true);
    };
    let agreed = Amount::parse(&first.operation_amount).ok_or(StoreError::Unreadable("amount"))?;
    Ok(agreed.is_zero() || (agreed, first.operation_currency.as_str()) == (amount, currency))
}

async fn must_be_free(
    connection: &mut Connection,
    merchant_id: &str,
    contract_id: &str,
) -> Result<(), PaymentError> {
    let found = contracts::find_active(connection, merchant_id, contract_id).await?;
    if found.is_some() || contracts::is_being_made(connection, merchant_id, contract_id).await? {
        return Err(ContractError::Taken.into());
    }
    Ok(())
}

async fn active(
    connection: &mut Connection,
    merchant_id: &str,
    contract_id: &str,
    kind: Option<Kind>,
) -> Result<ContractRow, PaymentError> {
    let contract = contracts::find_active(connection, merchant_id, contract_id)
        .await?
        .ok_or(ContractError::Unknown)?;
    if kind.is_some_and(|kind| kind != contract.rules.kind) {
        return Err(ContractError::OtherType.into());
    }
    Ok(contract)
}

pub(super) fn kept_card(
    vault: &dyn Vault,
    contract: ContractRow,
) -> Result<StoredCard, PaymentError> {
    let encrypted = contract
        .encrypted_card
        .ok_or(PaymentError::Broken("an active contract without a card"))?;
    let opened = CardholderData::decrypt(vault, &owner(&contract.card_from), &encrypted)?;
    Ok(StoredCard {
        shown: EnteredCard {
            contract_id: Some(contract.contract_id),
            ..contract.card
        },
        // The security code was for its own payment only.
        cardholder_data: opened.number_only(),
    })
}

pub(super) async fn customer_of(
    connection: &mut Connection,
    row: &SessionRow,
) -> Result<Option<String>, PaymentError> {
    let order = orders::find(connection, &row.terms.merchant_id, &row.terms.order_id)
        .await?
        .ok_or(StoreError::Unreadable("order"))?;
    let customer_id = order.document.get("customerId").and_then(|id| id.as_str());
    Ok(customer_id.map(str::to_owned))
}

fn on_the_wire(row: ContractRow) -> Contract {
    Contract {
        contract_id: row.contract_id,
        contract_type: row.rules.kind.code().to_owned(),
        recurring_contract_type: row.rules.kind.code().to_owned(),
        contract_expiry_date: row.rules.last_day.map(contracts::date_text),
        contract_frequency: row.rules.gap_days.map(|days| days.to_string()),
        payment_method: String::from("CARD"),
        payment_circuit: circuit(row.card.network).to_owned(),
        payment_instrument_info: format!("***{}", row.card.last4),
    }
}

/// What a contract's encrypted card is bound to: the operation that stored it.
pub fn owner(operation_id: &str) -> String {
    format!("the contract of operation {operation_id}")
}
