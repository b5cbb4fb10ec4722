//! Which acquirer a payment goes to: chosen once, written down before anybody is asked, and changed at most once.
//!
//! A payment moves on to its fallback only if its first acquirer has surely not taken it. That an acquirer says of one request. Of the
//! payment it is true only if this request was the first one: an earlier copy may have arrived, and nobody knows what came of it. So there are
//! two rules, and they hold for any number of processes, and over crashes:
//!
//! - The process that has written the intent may use the fallback, once, after its first request. It keeps what it has chosen in memory
//!   ([`crate::first_requests`]), and proves with the key of the fallback that it is this process.
//! - Whoever else is about to ask drops the fallback first, in a transaction of its own. From then on the payment stays where it is.

use crate::PaymentContext;
use crate::error::{NoAcquirerError, PaymentError};
use crate::meter;
use payframe_card_rules::network::Network;
use payframe_card_rules::secret::Secret;
use payframe_payment_domain::terms::Terms;
use payframe_payment_ports::Acquirer;
use payframe_payment_ports::acquirer::{
    AcquirerError, AuthorizationRequest, AuthorizationResponse, Taking,
};
use payframe_payment_ports::acquirers::{ChosenAcquirer, NewPayment, NewPaymentCard};
use payframe_storage::acquirer_choices::{AcquirerChoice, Fallback};
use payframe_storage::{Connection, Subject, acquirer_choices};

/// The acquirer of a payment.
pub(crate) struct PaymentAcquirer<'a> {
    pub(crate) acquirer: &'a dyn Acquirer,
    /// Its name, for the log and for metrics.
    pub(crate) name: String,
}

/// The payment that an acquirer is chosen for.
pub(crate) struct PaymentToSend<'a> {
    pub(crate) operation_id: &'a str,
    pub(crate) terminal_id: &'a str,
    pub(crate) terms: &'a Terms,
    /// The network and the number of the card. `None`: an alternative method.
    pub(crate) card: Option<(Network, &'a Secret)>,
    /// Whether the buyer accepted an offer in the card's own currency.
    pub(crate) charge_currency: ChargeCurrency,
}

/// The currency that a card is charged in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChargeCurrency {
    /// The order's.
    OfOrder,
    /// The card's own.
    OfCard,
}

impl PaymentContext {
    /// Chooses the acquirer of a payment, and writes it down in the transaction of the intent.
    pub(crate) fn choose_acquirer(
        &self,
        connection: &mut Connection,
        payment: &PaymentToSend<'_>,
    ) -> Result<(), PaymentError> {
        let operation_id = payment.operation_id;
        let card = payment.card.map(|(network, number)| {
            // Exposed, because the first digits may decide who gets the payment.
            (network, number.expose())
        });
        let chosen = self.chosen_for(payment.terminal_id, payment.terms, card);
        let mut chosen = chosen.ok_or(NoAcquirerError::OfTerminal)?;
        if payment.charge_currency == ChargeCurrency::OfCard {
            // An acquirer that does not know of the conversion would charge another sum.
            if !self.converts(chosen.name) {
                return Err(NoAcquirerError::OfConversion.into());
            }
            chosen.fallback = chosen.fallback.filter(|name| self.converts(Some(name)));
        }
        let choice = match chosen.name {
            None => None,
            Some(acquirer) => Some(AcquirerChoice {
                acquirer: acquirer.to_owned(),
                fallback: chosen.fallback.map(fallback_named).transpose()?,
            }),
        };
        if let Some(choice) = &choice {
            acquirer_choices::put(connection, operation_id, choice);
        }
        self.first_requests().expect(operation_id, choice);
        Ok(())
    }

    /// Whether the acquirer that a payment with this card would be sent to charges cards in their own currency.
    pub(crate) fn converts_for(&self, terms: &Terms, network: Network, first_digits: &str) -> bool {
        let chosen = self.chosen_for(&terms.terminal_id, terms, Some((network, first_digits)));
        chosen.is_some_and(|chosen| self.converts(chosen.name))
    }

    fn converts(&self, name: Option<&str>) -> bool {
        let acquirer = self.acquirers().named(name);
        acquirer.is_some_and(|acquirer| acquirer.converts())
    }

    fn chosen_for(
        &self,
        terminal_id: &str,
        terms: &Terms,
        card: Option<(Network, &str)>,
    ) -> Option<ChosenAcquirer<'_>> {
        self.acquirers().choose(&NewPayment {
            terminal_id,
            merchant_id: &terms.merchant_id,
            order_id: &terms.order_id,
            currency: &terms.currency,
            card: card.map(|(network, digits)| NewPaymentCard {
                network,
                first_digits: digits.get(..FIRST_DIGITS).unwrap_or(digits),
            }),
        })
    }

    /// Asks the acquirer of a payment to authorize it, or repeats the request. If the acquirer has surely not taken the payment, its fallback
    /// is asked.
    pub(crate) async fn authorize(
        &self,
        request: &AuthorizationRequest<'_>,
    ) -> Result<AuthorizationResponse, PaymentError> {
        let Some(choice) = self.first_requests().take(request.reference) else {
            return Box::pin(self.authorize_again(request)).await;
        };
        let first = self.acquirer_named(name_in(choice.as_ref()));
        let first = first.map_err(unknown)?;
        let asked = first.acquirer.authorize(request);
        let answer = meter::asking("authorize", &first.name, asked).await;
        let fallback = choice.and_then(|choice| choice.fallback);
        let (Some(fallback), Some(cause)) = (fallback, surely_not_taken(&answer)) else {
            return Ok(answer?);
        };
        let Ok(second) = self.acquirer_named(Some(&fallback.acquirer)) else {
            return Ok(answer?);
        };
        let operation_id = request.reference;
        let mut transaction = self.store().write(Subject::Statement).await?;
        let has_moved =
            acquirer_choices::move_on(&mut transaction, operation_id, &fallback.key).await?;
        transaction.commit().await?;
        if !has_moved {
            // Another process has asked the first acquirer in the meantime.
            return Ok(answer?);
        }
        let (acquirer, fallback) = (&first.name, &second.name);
        tracing::warn!(operation_id, %acquirer, %fallback, %cause, "a payment goes to the fallback");
        let asked = second.acquirer.authorize(request);
        Ok(meter::asking("authorize", &second.name, asked).await?)
    }

    /// Asks where an earlier request may have arrived, and nowhere else from now on.
    async fn authorize_again(
        &self,
        request: &AuthorizationRequest<'_>,
    ) -> Result<AuthorizationResponse, PaymentError> {
        let operation_id = request.reference;
        let mut choice = self.choice(operation_id).await?;
        if choice
            .as_ref()
            .is_some_and(|choice| choice.fallback.is_some())
        {
            let mut transaction = self.store().write(Subject::Statement).await?;
            acquirer_choices::stay(&mut transaction, operation_id).await?;
            transaction.commit().await?;
            // It may have moved on before it was told to stay.
            choice = self.choice(operation_id).await?;
        }
        let acquirer = self.acquirer_named(name_in(choice.as_ref()));
        let PaymentAcquirer { acquirer, name } = acquirer.map_err(unknown)?;
        Ok(meter::asking("authorize", &name, acquirer.authorize(request)).await?)
    }

    /// The acquirer that a payment was sent to when it was authorized. No other one is asked about it.
    pub(crate) async fn acquirer_of_payment(
        &self,
        connection: &mut Connection,
        payment_id: &str,
    ) -> Result<PaymentAcquirer<'_>, PaymentError> {
        let choice = acquirer_choices::find(connection, payment_id).await?;
        self.acquirer_named(name_in(choice.as_ref()))
    }

    /// The same, about money that may be on its way.
    pub(crate) async fn find_acquirer(
        &self,
        payment_id: &str,
    ) -> Result<PaymentAcquirer<'_>, PaymentError> {
        let choice = self.choice(payment_id).await?;
        self.acquirer_named(name_in(choice.as_ref()))
            .map_err(unknown)
    }

    async fn choice(&self, payment_id: &str) -> Result<Option<AcquirerChoice>, PaymentError> {
        let mut connection = self.store().read().await?;
        Ok(acquirer_choices::find(&mut connection, payment_id).await?)
    }

    fn acquirer_named(&self, name: Option<&str>) -> Result<PaymentAcquirer<'_>, PaymentError> {
        if let Some(acquirer) = self.acquirers().named(name) {
            let name = name.unwrap_or(OWN).to_owned();
            return Ok(PaymentAcquirer { acquirer, name });
        }
        if self.acquirers().is_empty() {
            return Err(NoAcquirerError::OfTerminal.into());
        }
        // For the operator alone: callers do not learn the name.
        let acquirer = name.unwrap_or("the gateway's own");
        tracing::error!(acquirer, "a payment's acquirer is not set up");
        Err(NoAcquirerError::OfPayment.into())
    }
}

fn name_in(choice: Option<&AcquirerChoice>) -> Option<&str> {
    choice.map(|choice| choice.acquirer.as_str())
}

/// A fallback of this name, with a new key.
fn fallback_named(name: &str) -> Result<Fallback, PaymentError> {
    Ok(Fallback {
        acquirer: name.to_owned(),
        key: payframe_vault::random_token()?,
    })
}

/// Without its acquirer the outcome of a payment stays unknown: that is no refusal.
fn unknown(problem: PaymentError) -> PaymentError {
    match problem {
        PaymentError::NoAcquirer(_) => {
            PaymentError::Broken("the acquirer that was asked first is not set up")
        }
        other => other,
    }
}

/// Why an acquirer has surely not taken the first request of a payment. `None`: it may have.
fn surely_not_taken(answer: &Result<AuthorizationResponse, AcquirerError>) -> Option<String> {
    match answer {
        Err(problem @ AcquirerError::NotSent(_)) => Some(problem.to_string()),
        Ok(response) if response.taking == Taking::NotTaken => {
            Some(String::from("the acquirer has not taken it"))
        }
        Ok(_) | Err(AcquirerError::NoAnswer(_) | AcquirerError::Unreadable(_)) => None,
    }
}

/// The name of the gateway's own acquirer in metrics.
const OWN: &str = "own";

/// How many digits of a card number decide.
const FIRST_DIGITS: usize = 8;
