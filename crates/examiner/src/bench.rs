//! What checks are made of: payments with the test cards, and expectations about their outcomes.

use crate::card::{Card, Token};
use crate::report::Finding;
use crate::test_cards::TestCards;
use payframe_money::Amount;
use payframe_payment_domain::operation::ActionType;
use payframe_payment_ports::Clock;
use payframe_payment_ports::acquirer::{
    AcceptedOffer, Acquirer, AcquirerError, AuthorizationRequest, AuthorizationResponse,
    AuthorizationResult, Capture, CardAuthorization, CardOrigin, Exemption, FollowUpOperation,
    FollowUpRequest, Initiator, InquiryRequest, Instrument, NetworkToken, SecurityCodeData,
};
use payframe_payment_ports::three_ds_server::DataShare;

/// The way to the acquirer, and what to pay with.
pub struct Bench<'a> {
    /// The acquirer, or what leads to it.
    pub acquirer: &'a dyn Acquirer,
    /// The terminal of the payments.
    pub terminal_id: &'a str,
    /// The currencies to pay in. There is at least one.
    pub currencies: &'a [String],
    /// A card that is approved.
    pub approved: Card,
    /// A card that is declined.
    pub declined: Card,
    declined_amount: Amount,
    /// A card whose payment is pending first.
    pub pending: Option<Card>,
    /// A card of which a part is approved.
    pub partial: Option<Card>,
    partial_amount: Amount,
    token: Option<Token>,
    /// The time.
    pub clock: Clock,
    totals: Totals,
    operations: Vec<String>,
}

/// Whether an acquirer itself refuses what goes beyond the money that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Totals {
    /// It does, so it is asked for too much, too.
    Kept,
    /// The gateway does it alone: nothing is asked for that it would not ask for.
    OfGateway,
}

/// A payment to be made.
#[derive(Clone, Copy)]
pub struct Payment<'a> {
    /// The reference.
    pub reference: &'a str,
    /// The card.
    pub card: &'a Card,
    /// What it does.
    pub action: ActionType,
    /// When it is captured.
    pub capture: Capture,
    /// The amount.
    pub amount: Amount,
    /// Its currency.
    pub currency: &'a str,
    /// Whether it has the security code.
    pub code: CodeData,
    /// Why nobody was authenticated.
    pub exemption: Exemption,
    /// With what the number came, if it is a network token.
    pub network_token: Option<&'a NetworkToken>,
    /// What the issuer said of data that was only shared with it.
    pub data_share: Option<&'a DataShare>,
    /// What the cardholder is charged in place of the amount.
    pub conversion: Option<&'a AcceptedOffer>,
}

/// Whether a request has the security code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CodeData {
    /// It has.
    Given,
    /// The gateway has lost it.
    Lost,
}

/// A follow-up operation to be made.
#[derive(Clone, Copy)]
pub struct Movement<'a> {
    /// The reference.
    pub reference: &'a str,
    /// The reference of the authorization.
    pub authorization: &'a str,
    /// The reference of what is changed.
    pub target: &'a str,
    /// What it does.
    pub operation: FollowUpOperation,
    /// The amount.
    pub amount: Amount,
    /// Its currency.
    pub currency: &'a str,
    /// What the cardholder pays, or gets back, in place of the amount.
    pub conversion: Option<&'a AcceptedOffer>,
}

impl<'a> Bench<'a> {
    /// A bench that pays with these cards. `operations`: what the acquirer supports, in the words of the protocol of adapters.
    ///
    /// # Errors
    /// A card cannot be read.
    pub fn new(
        acquirer: &'a dyn Acquirer,
        cards: &'a TestCards,
        operations: Vec<String>,
        totals: Totals,
        clock: Clock,
    ) -> Result<Bench<'a>, Finding> {
        let card = |number: &str| Card::read(number, cards).ok_or_else(unreadable_card);
        Ok(Bench {
            acquirer,
            terminal_id: &cards.terminal,
            currencies: &cards.currencies,
            approved: card(&cards.approved)?,
            declined: card(&cards.declined)?,
            declined_amount: amount(cards.declined_amount.unwrap_or(ANY)),
            pending: cards.pending.as_deref().map(card).transpose()?,
            partial: cards.partial.as_deref().map(card).transpose()?,
            partial_amount: amount(cards.partial_amount.unwrap_or(ANY)),
            token: match &cards.network_token {
                Some(token) => Some(Token::read(token, cards).ok_or_else(unreadable_card)?),
                None => None,
            },
            clock,
            totals,
            operations,
        })
    }

    /// Whether the acquirer supports an operation.
    pub fn must_support(&self, operation: &str) -> Result<(), Finding> {
        match self.operations.iter().any(|known| known == operation) {
            true => Ok(()),
            false => Err(Finding::NotTried(format!(
                "the acquirer does not support {operation}"
            ))),
        }
    }

    /// The first currency.
    pub fn currency(&self) -> &'a str {
        self.currencies.first().map_or("EUR", String::as_str)
    }

    /// A payment with the approved card in the first currency.
    pub fn payment<'b>(&'b self, reference: &'b str, capture: Capture) -> Payment<'b> {
        Payment {
            reference,
            card: &self.approved,
            action: ActionType::Pay,
            capture,
            amount: amount(ANY),
            currency: self.currency(),
            code: CodeData::Given,
            exemption: Exemption::None,
            network_token: None,
            data_share: None,
            conversion: None,
        }
    }

    /// The same with the card that is declined.
    pub fn declined_payment<'b>(&'b self, reference: &'b str, capture: Capture) -> Payment<'b> {
        Payment {
            card: &self.declined,
            amount: self.declined_amount,
            ..self.payment(reference, capture)
        }
    }

    /// The same with the card of which a part is approved, if there is one.
    pub fn partial_payment<'b>(
        &'b self,
        reference: &'b str,
        capture: Capture,
    ) -> Result<Payment<'b>, Finding> {
        match &self.partial {
            Some(card) => Ok(Payment {
                card,
                amount: self.partial_amount,
                ..self.payment(reference, capture)
            }),
            None => Err(Finding::NotTried(String::from(
                "the settings have no card of which a part is approved",
            ))),
        }
    }

    /// The same with the network token, if there is one.
    pub fn token_payment<'b>(
        &'b self,
        reference: &'b str,
        capture: Capture,
    ) -> Result<Payment<'b>, Finding> {
        let token = self.token()?;
        Ok(Payment {
            card: &token.card,
            network_token: Some(&token.right),
            ..self.payment(reference, capture)
        })
    }

    /// The same with a cryptogram that is wrong, if there is one.
    pub fn wrong_token_payment<'b>(
        &'b self,
        reference: &'b str,
        capture: Capture,
    ) -> Result<Payment<'b>, Finding> {
        let Some(wrong) = &self.token()?.wrong else {
            return Err(Finding::NotTried(String::from(
                "the settings have no cryptogram with which the network token is declined",
            )));
        };
        Ok(Payment {
            network_token: Some(wrong),
            ..self.token_payment(reference, capture)?
        })
    }

    fn token(&self) -> Result<&Token, Finding> {
        self.token
            .as_ref()
            .ok_or_else(|| Finding::NotTried(String::from("the settings have no network token")))
    }

    /// A follow-up operation of a payment with the approved card.
    pub fn follow_up<'b>(
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
            conversion: None,
        }
    }

    /// Makes a payment.
    pub async fn pay(&self, payment: Payment<'_>) -> Result<AuthorizationResponse, AcquirerError> {
        self.acquirer.authorize(&self.request(&payment)).await
    }

    /// The request for a payment.
    pub fn request<'b>(&'b self, payment: &Payment<'b>) -> AuthorizationRequest<'b> {
        let card = payment.card;
        AuthorizationRequest {
            reference: payment.reference,
            terminal_id: self.terminal_id,
            action: payment.action,
            capture: payment.capture,
            amount: payment.amount,
            currency: payment.currency,
            conversion: payment.conversion,
            instrument: Instrument::Card(CardAuthorization {
                number: &card.number,
                network_token: payment.network_token,
                expiry: card.expiry,
                network: card.network,
                security_code: match (payment.network_token, payment.code) {
                    // A wallet has none.
                    (Some(_), _) => SecurityCodeData::NotGiven,
                    (None, CodeData::Given) => SecurityCodeData::Given(&card.code),
                    (None, CodeData::Lost) => SecurityCodeData::Lost,
                },
                holder_name: None,
                holder_email: None,
                billing_address: None,
                origin: CardOrigin::Entered,
                initiator: Initiator::Cardholder,
                first_scheme_id: None,
                authentication: None,
                data_share: payment.data_share,
                exemption: payment.exemption,
            }),
        }
    }

    /// Makes a follow-up operation.
    pub async fn move_money(
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
            conversion: follow_up.conversion,
        };
        self.acquirer.follow_up(&request).await
    }

    /// The present outcome of a reference, of which this amount was asked.
    pub async fn inquire(
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
    pub async fn approve(&self, payment: Payment<'_>) -> Result<(), Finding> {
        must_be(
            &format!("an authorization of {}", payment.amount.minor()),
            AuthorizationResult::Approved,
            &self.pay(payment).await?,
        )
    }

    /// Makes a follow-up operation that has to be approved.
    pub async fn approve_movement(&self, follow_up: Movement<'_>) -> Result<(), Finding> {
        must_be(
            &follow_up.in_words(),
            AuthorizationResult::Approved,
            &self.move_money(follow_up).await?,
        )
    }

    /// Makes a follow-up operation that must not move money, unless only the gateway's totals keep it from that.
    pub async fn refuse_movement(&self, follow_up: Movement<'_>, why: &str) -> Result<(), Finding> {
        if self.totals == Totals::OfGateway {
            return Ok(());
        }
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

impl From<AcquirerError> for Finding {
    fn from(problem: AcquirerError) -> Finding {
        Finding::Failed(problem.to_string())
    }
}

/// A new reference, as the gateway makes them.
///
/// # Errors
/// The system has no random numbers.
pub fn reference() -> Result<String, Finding> {
    payframe_vault::random_operation_id().map_err(|problem| Finding::Failed(problem.to_string()))
}

/// Checks a result.
pub fn must_be(
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
pub fn must_be_same(
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

/// A failed check.
///
/// # Errors
/// Always.
pub fn failed<T>(text: String) -> Result<T, Finding> {
    Err(Finding::Failed(text))
}

/// The result as the protocol of adapters writes it.
pub fn in_words(result: AuthorizationResult) -> &'static str {
    match result {
        AuthorizationResult::Approved => "APPROVED",
        AuthorizationResult::Declined => "DECLINED",
        AuthorizationResult::Failed => "FAILED",
        AuthorizationResult::Pending => "PENDING",
    }
}

/// An amount in minor units.
pub fn amount(minor: u64) -> Amount {
    Amount::from_minor(minor).unwrap_or(Amount::MAX)
}

/// The amount of a payment for which it does not matter, in minor units.
const ANY: u64 = 1_000;

fn unreadable_card() -> Finding {
    Finding::Failed(String::from("a test card can not be read"))
}
