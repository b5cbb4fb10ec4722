//! What checks are made of: payments with the test cards, and expectations about their outcomes.

use super::report::Finding;
use crate::client::HttpAcquirer;
use crate::error::ExchangeError;
use crate::settings::TestCards;
use crate::transport::Transport;
use payframe_card_rules::card_number::CardNumber;
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::{Network, NetworkSet};
use payframe_card_rules::secret::Secret;
use payframe_card_rules::security_code::SecurityCode;
use payframe_money::Amount;
use payframe_payment_domain::operation::ActionType;
use payframe_payment_ports::Clock;
use payframe_payment_ports::acquirer::{
    Acquirer, AcquirerError, AuthorizationRequest, AuthorizationResponse, AuthorizationResult,
    Capture, CardAuthorization, CardOrigin, Exemption, FollowUpOperation, FollowUpRequest,
    Initiator, InquiryRequest, Instrument, SecurityCodeData,
};

/// The way to the adapter, and what to pay with.
pub(super) struct Bench<'a> {
    pub(super) acquirer: &'a HttpAcquirer,
    pub(super) terminal_id: &'a str,
    /// The currencies to pay in. There is at least one.
    pub(super) currencies: &'a [String],
    pub(super) approved: Card,
    pub(super) declined: Card,
    pub(super) pending: Option<Card>,
    pub(super) partial: Option<Card>,
    pub(super) restart_command: Option<&'a [String]>,
    pub(super) clock: Clock,
    operations: Vec<String>,
}

/// A test card.
pub(super) struct Card {
    pub(super) number: Secret,
    network: Network,
    expiry: Expiry,
    pub(super) code: SecurityCode,
}

/// A payment to be made.
#[derive(Clone, Copy)]
pub(super) struct Payment<'a> {
    pub(super) reference: &'a str,
    pub(super) card: &'a Card,
    pub(super) action: ActionType,
    pub(super) capture: Capture,
    pub(super) amount: Amount,
    pub(super) currency: &'a str,
    pub(super) code: CodeData,
    pub(super) exemption: Exemption,
}

/// Whether a request has the security code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CodeData {
    Given,
    Lost,
}

/// A follow-up operation to be made.
#[derive(Clone, Copy)]
pub(super) struct Movement<'a> {
    pub(super) reference: &'a str,
    pub(super) authorization: &'a str,
    pub(super) target: &'a str,
    pub(super) operation: FollowUpOperation,
    pub(super) amount: Amount,
    pub(super) currency: &'a str,
}

impl<'a> Bench<'a> {
    pub(super) fn new(
        acquirer: &'a HttpAcquirer,
        cards: &'a TestCards,
        operations: Vec<String>,
        clock: Clock,
    ) -> Result<Bench<'a>, ExchangeError> {
        let card = |number: &str| Card::read(number, cards).ok_or_else(unreadable_card);
        Ok(Bench {
            acquirer,
            terminal_id: &cards.terminal,
            currencies: &cards.currencies,
            approved: card(&cards.approved)?,
            declined: card(&cards.declined)?,
            pending: cards.pending.as_deref().map(card).transpose()?,
            partial: cards.partial.as_deref().map(card).transpose()?,
            restart_command: cards.restart_command.as_deref(),
            clock,
            operations,
        })
    }

    pub(super) fn transport(&self) -> &Transport {
        &self.acquirer.transport
    }

    /// Whether the adapter says that it supports an operation.
    pub(super) fn must_support(&self, operation: &str) -> Result<(), Finding> {
        match self.operations.iter().any(|known| known == operation) {
            true => Ok(()),
            false => Err(Finding::NotTried(format!(
                "the adapter does not support {operation}"
            ))),
        }
    }

    /// The first currency.
    pub(super) fn currency(&self) -> &'a str {
        self.currencies.first().map_or("EUR", String::as_str)
    }

    /// A payment with the approved card in the first currency.
    pub(super) fn payment<'b>(&'b self, reference: &'b str, capture: Capture) -> Payment<'b> {
        Payment {
            reference,
            card: &self.approved,
            action: ActionType::Pay,
            capture,
            amount: amount(1_000),
            currency: self.currency(),
            code: CodeData::Given,
            exemption: Exemption::None,
        }
    }

    /// A follow-up operation of such a payment.
    pub(super) fn follow_up<'b>(
        &'b self,
        reference: &'b str,
        authorization: &'b str,
        operation: FollowUpOperation,
        minor: u64,
    ) -> Movement<'b> {
        Movement {
            reference,
            authorization,
            target: authorization,
            operation,
            amount: amount(minor),
            currency: self.currency(),
        }
    }

    pub(super) async fn pay(
        &self,
        payment: Payment<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        self.acquirer.authorize(&self.request(&payment)).await
    }

    /// The request for a payment.
    pub(super) fn request<'b>(&'b self, payment: &Payment<'b>) -> AuthorizationRequest<'b> {
        let card = payment.card;
        AuthorizationRequest {
            reference: payment.reference,
            terminal_id: self.terminal_id,
            action: payment.action,
            capture: payment.capture,
            amount: payment.amount,
            currency: payment.currency,
            instrument: Instrument::Card(CardAuthorization {
                number: &card.number,
                expiry: card.expiry,
                network: card.network,
                security_code: match payment.code {
                    CodeData::Given => SecurityCodeData::Given(&card.code),
                    CodeData::Lost => SecurityCodeData::Lost,
                },
                holder_name: None,
                holder_email: None,
                billing_address: None,
                origin: CardOrigin::Entered,
                initiator: Initiator::Cardholder,
                first_scheme_id: None,
                authentication: None,
                exemption: payment.exemption,
            }),
        }
    }

    pub(super) async fn move_money(
        &self,
        follow_up: Movement<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        let request = FollowUpRequest {
            reference: follow_up.reference,
            authorization: follow_up.authorization,
            target: follow_up.target,
            terminal_id: self.terminal_id,
            operation: follow_up.operation,
            amount: follow_up.amount,
            currency: follow_up.currency,
        };
        self.acquirer.follow_up(&request).await
    }

    /// The present outcome of a reference, of which this amount was asked.
    pub(super) async fn inquire(
        &self,
        reference: &str,
        amount: Amount,
    ) -> Result<Option<AuthorizationResponse>, AcquirerError> {
        let request = InquiryRequest {
            reference,
            terminal_id: self.terminal_id,
            amount,
            currency: self.currency(),
        };
        self.acquirer.inquire(&request).await
    }

    /// Makes a payment that has to be approved.
    pub(super) async fn approve(&self, payment: Payment<'_>) -> Result<(), Finding> {
        must_be(
            &format!("an authorization of {}", payment.amount.minor()),
            AuthorizationResult::Approved,
            &self.pay(payment).await?,
        )
    }

    /// Makes a follow-up operation that has to be approved.
    pub(super) async fn approve_movement(&self, follow_up: Movement<'_>) -> Result<(), Finding> {
        must_be(
            &follow_up.in_words(),
            AuthorizationResult::Approved,
            &self.move_money(follow_up).await?,
        )
    }

    /// Makes a follow-up operation that must not move money.
    pub(super) async fn refuse_movement(
        &self,
        follow_up: Movement<'_>,
        why: &str,
    ) -> Result<(), Finding> {
        let response = self.move_money(follow_up).await?;
        match response.result {
            AuthorizationResult::Declined | AuthorizationResult::Failed => Ok(()),
            result => failed(format!(
                "{} {why}: expected DECLINED or FAILED, got {}",
                follow_up.in_words(),
                in_words(result)
            )),
        }
    }
}

impl Movement<'_> {
    fn in_words(&self) -> String {
        let operation = self.operation.operation_type().code();
        format!("a {operation} of {}", self.amount.minor())
    }
}

impl Card {
    fn read(number: &str, cards: &TestCards) -> Option<Card> {
        let number = CardNumber::parse(number, NetworkSet::all()).ok()?;
        let network = number.network();
        Some(Card {
            network,
            // Exposed to be sent to an endpoint for tests.
            number: Secret::new(number.expose().to_owned()),
            expiry: Expiry::parse_shape(&cards.expiry).ok()?,
            code: SecurityCode::parse(&cards.security_code, None).ok()??,
        })
    }
}

impl From<AcquirerError> for Finding {
    fn from(problem: AcquirerError) -> Finding {
        Finding::Failed(problem.to_string())
    }
}

impl From<ExchangeError> for Finding {
    fn from(problem: ExchangeError) -> Finding {
        Finding::Failed(problem.to_string())
    }
}

/// A new reference, as the gateway makes them.
pub(super) fn reference() -> Result<String, ExchangeError> {
    Ok(payframe_vault::random_operation_id()?)
}

/// Checks a result.
pub(super) fn must_be(
    what: &str,
    expected: AuthorizationResult,
    response: &AuthorizationResponse,
) -> Result<(), Finding> {
    if response.result == expected {
        return Ok(());
    }
    failed(format!(
        "{what}: expected {}, got {} ({})",
        in_words(expected),
        in_words(response.result),
        response.response_code
    ))
}

/// Checks that a repetition has the outcome of the first request.
pub(super) fn must_be_same(
    what: &str,
    first: &AuthorizationResponse,
    second: &AuthorizationResponse,
) -> Result<(), Finding> {
    // When to ask again, and whether somebody else may be asked, is not part of an outcome.
    let outcome = |response: &AuthorizationResponse| {
        let AuthorizationResponse {
            response_code,
            result,
            approval,
            decline_reason,
            ask_again_ms: _,
            taking: _,
        } = response.clone();
        (response_code, result, approval, decline_reason)
    };
    match outcome(first) == outcome(second) {
        true => Ok(()),
        false => failed(format!(
            "{what}: expected the first outcome again, {} {:?}, got {} {:?}",
            in_words(first.result),
            first.approval,
            in_words(second.result),
            second.approval
        )),
    }
}

pub(super) fn failed<T>(text: String) -> Result<T, Finding> {
    Err(Finding::Failed(text))
}

pub(super) fn in_words(result: AuthorizationResult) -> &'static str {
    match result {
        AuthorizationResult::Approved => "APPROVED",
        AuthorizationResult::Declined => "DECLINED",
        AuthorizationResult::Failed => "FAILED",
        AuthorizationResult::Pending => "PENDING",
    }
}

pub(super) fn amount(minor: u64) -> Amount {
    Amount::from_minor(minor).unwrap_or(Amount::MAX)
}

fn unreadable_card() -> ExchangeError {
    ExchangeError::Request("a test card can not be read".into())
}
