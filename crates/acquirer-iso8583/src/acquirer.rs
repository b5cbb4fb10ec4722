//! The port over ISO 8583: what is sent for which request, and what an answer means.
//!
//! | | A message without an answer in time |
//! |---|---|
//! | authorization, sale, verification, increment | is reversed; once the host acknowledges that, it has failed |
//! | a message with `repeat` in the dialect, such as a capture | is repeated with the same numbers |
//! | any other one, such as a refund | is reversed |
//!
//! The reversal is written into the journal in the moment in which the wait ends. From then on no answer to the first message counts. The
//! caller repeats its request until there is a response (see the port), and each repetition sends the reversal again until the host
//! acknowledges it. So nothing else has to run, and nothing is forgotten over a restart.
//!
//! A reversal follows its message on the same connection, as long as that lives: a host reads each connection in order, so it cannot read
//! the reversal first, answer that there is nothing to reverse, and book the message afterwards. On another connection that answer does not
//! count until the message can not be under way any more.

mod examined;
mod outcome;
mod values;

use crate::dialect::{Dialect, MessageForm, MessageName};
use crate::error::ExchangeError;
use crate::journal::{Journal, JournalCard, NewExchange, Sums, is_unsent};
use crate::link::{Host, Line, Link, put_numbers};
use crate::message::{Message, field};
use crate::response::Meaning;
use crate::settings::{Identity, IsoSettings};
use crate::template::Value;
use async_trait::async_trait;
use outcome::{
    APPROVED, AUTHENTICATION_REQUIRED, DECLINED, NO_ORIGINAL, NOT_POSSIBLE, PARTIAL, TIMED_OUT,
    failed, not_sent, response_of, stored,
};
use payframe_payment_domain::operation::ActionType;
use payframe_payment_ports::acquirer::{
    Acquirer, AcquirerError, AuthorizationRequest, AuthorizationResponse, Capture,
    FollowUpOperation, FollowUpRequest, InquiryRequest, Instrument,
};
use payframe_payment_ports::{Clock, Vault};
use payframe_storage::Store;
use payframe_storage::iso8583_exchanges::{ExchangeRow, ExchangeState, StoredAnswer};
use std::sync::Arc;

/// An acquirer whose host speaks ISO 8583.
pub struct IsoAcquirer {
    name: String,
    address: String,
    identity: Identity,
    dialect: Arc<Dialect>,
    journal: Journal,
    link: Link,
}

impl IsoAcquirer {
    /// The acquirer with these settings. It begins to connect, and needs a Tokio runtime for that.
    pub fn connect(
        settings: IsoSettings,
        store: Store,
        vault: Arc<dyn Vault>,
        clock: Clock,
    ) -> IsoAcquirer {
        let dialect = Arc::new(settings.dialect);
        let address = settings.endpoint.to_string();
        let journal = Journal {
            acquirer: settings.name.clone(),
            store,
            vault,
            clock,
            answer_limit: settings.answer_limit,
        };
        let link = Link::open(Host {
            name: settings.name.clone(),
            endpoint: settings.endpoint,
            dialect: dialect.clone(),
            mac: settings.mac,
            journal: journal.clone(),
            connections: settings.connections,
            connect_limit: settings.connect_limit,
            answer_limit: settings.answer_limit,
            echo_interval: settings.echo_interval,
        });
        IsoAcquirer {
            name: settings.name,
            address,
            identity: settings.identity,
            dialect,
            journal,
            link,
        }
    }

    /// How many answers nobody waited for: doubled ones, and those that came after the reversal had begun.
    pub fn late_answers(&self) -> u64 {
        self.link.late_answers()
    }

    async fn authorize_card(
        &self,
        request: &AuthorizationRequest<'_>,
    ) -> Result<AuthorizationResponse, ExchangeError> {
        if let Some(row) = self.journal.find(request.reference).await? {
            return self.resume(row).await;
        }
        let name = match (request.action, request.capture) {
            (ActionType::Verify, _) => MessageName::Verification,
            (ActionType::Pay, Capture::Implicit) => MessageName::Sale,
            (ActionType::Pay, Capture::Explicit) | (ActionType::PreAuth, _) => {
                MessageName::Authorization
            }
        };
        let (Instrument::Card(card), Some(form)) =
            (&request.instrument, self.dialect.message(name))
        else {
            return Ok(not_sent(NOT_POSSIBLE));
        };
        // Without its cryptogram a network token is declined, or taken for a card whose buyer was not authenticated.
        if values::cryptogram(card).is_some() && !form.names(Value::TokenCryptogram) {
            return Ok(not_sent(NOT_POSSIBLE));
        }
        // A host that is not told what the merchant gets would settle another sum.
        if request.conversion.is_some() && !form.names(Value::MerchantAmount) {
            return Ok(not_sent(NOT_POSSIBLE));
        }
        let line = self.link.line().await.map_err(never_sent)?;
        let kept = JournalCard::new(card.number, card.expiry);
        let new = NewExchange {
            reference: request.reference,
            message: name.code(),
            original: None,
            terminal_id: request.terminal_id,
            sums: Sums {
                of_order: (request.amount, request.currency),
                conversion: request.conversion,
            },
            card: Some(&kept),
        };
        let begun = self.journal.begin(&new).await?;
        let row = begun.ok_or(ExchangeError::Awaited)?;
        let mut values = self.values(&row, Some(&kept));
        put_numbers(&mut values, &row.numbers);
        self.put_authorization(&mut values, card);
        self.send(&line, row, form, &form.fill(&values)).await
    }

    async fn move_money(
        &self,
        request: &FollowUpRequest<'_>,
    ) -> Result<AuthorizationResponse, ExchangeError> {
        if let Some(row) = self.journal.find(request.reference).await? {
            return self.resume(row).await;
        }
        let name = message_for(request.operation);
        let Some(form) = self.dialect.message(name) else {
            return Ok(not_sent(NOT_POSSIBLE));
        };
        let Some(authorization) = self.journal.find(request.authorization).await? else {
            return Ok(not_sent(NO_ORIGINAL));
        };
        let target = self.journal.find(request.target).await?;
        let original = target.as_ref().unwrap_or(&authorization);
        let card = self.journal.card(&authorization)?;
        let line = self.link.line().await?;
        let new = NewExchange {
            reference: request.reference,
            message: name.code(),
            original: Some(&original.reference),
            terminal_id: request.terminal_id,
            sums: Sums {
                of_order: (request.amount, request.currency),
                // What was charged in the order's currency is given back in it.
                conversion: authorization.merchant_sum.as_ref().and(request.conversion),
            },
            card: card.as_ref(),
        };
        let begun = self.journal.begin(&new).await?;
        let row = begun.ok_or(ExchangeError::Awaited)?;
        let mut values = self.values(&row, card.as_ref());
        put_numbers(&mut values, &row.numbers);
        self.put_original(&mut values, original);
        self.send(&line, row, form, &form.fill(&values)).await
    }

    /// What has become of an earlier request, after whatever has to be sent for it now.
    async fn resume(&self, row: ExchangeRow) -> Result<AuthorizationResponse, ExchangeError> {
        if row.state != ExchangeState::Done && self.journal.is_awaited(&row) {
            return Err(ExchangeError::Awaited);
        }
        match row.state {
            ExchangeState::Done => Ok(response_of(&row.answer)),
            ExchangeState::Reversing => self.send_reversal(row, None).await,
            ExchangeState::Waiting => {
                let name = MessageName::from_code(&row.message);
                let form = name.and_then(|name| self.dialect.message(name));
                match form.filter(|form| form.repeat.is_some()) {
                    Some(form) => self.send_again(row, form).await,
                    None => self.reverse(&row, &failed(TIMED_OUT), None).await,
                }
            }
        }
    }

    /// Sends a message, and books its answer.
    async fn send(
        &self,
        line: &Line,
        row: ExchangeRow,
        form: &MessageForm,
        message: &Message,
    ) -> Result<AuthorizationResponse, ExchangeError> {
        match self.link.exchange(line, message, &form.answer).await {
            Ok(answer) => self.book(line, row, form, &answer).await,
            Err(ExchangeError::Message(problem)) => {
                // Nothing was sent, and nothing will be: that is certain.
                tracing::error!(acquirer = %self.name, %problem, "a message can not be written");
                self.end(&row, failed(NOT_POSSIBLE)).await
            }
            Err(problem) if form.repeat.is_some() => {
                self.journal.give_up(&row).await?;
                Err(problem)
            }
            Err(problem) => {
                let (acquirer, reference) = (&self.name, &row.reference);
                tracing::warn!(%acquirer, reference, %problem, "a message without an answer is reversed");
                self.reverse(&row, &failed(TIMED_OUT), Some(line)).await
            }
        }
    }

    async fn book(
        &self,
        line: &Line,
        row: ExchangeRow,
        form: &MessageForm,
        answer: &Message,
    ) -> Result<AuthorizationResponse, ExchangeError> {
        let code = answer.field(field::RESPONSE_CODE).unwrap_or_default();
        let (meaning, told) = self.dialect.responses.meaning(code);
        let amount = answer.field(field::AMOUNT);
        let is_whole = amount.is_none_or(|text| text.parse() == Ok(row.amount.minor()));
        match meaning {
            Meaning::Approved if is_whole => {
                let approved = self.approved(&row, told, answer);
                self.end(&row, approved).await
            }
            Meaning::Declined => self.end(&row, stored(DECLINED, told)).await,
            Meaning::AuthenticationRequired => {
                let answer = stored(AUTHENTICATION_REQUIRED, told);
                self.end(&row, answer).await
            }
            Meaning::Failed => self.end(&row, failed(told)).await,
            Meaning::Approved | Meaning::Partial | Meaning::Unknown if form.repeat.is_some() => {
                self.journal.give_up(&row).await?;
                Err(ExchangeError::NoOutcome(code.to_owned()))
            }
            Meaning::Approved | Meaning::Partial => {
                self.reverse(&row, &stored(DECLINED, PARTIAL), Some(line))
                    .await
            }
            Meaning::Unknown => self.reverse(&row, &failed(told), Some(line)).await,
        }
    }

    /// Writes down the outcome. If a reversal has begun in the meantime, it is not the outcome any more.
    async fn end(
        &self,
        row: &ExchangeRow,
        answer: StoredAnswer,
    ) -> Result<AuthorizationResponse, ExchangeError> {
        match self.journal.end(&row.reference, &answer).await? {
            true => Ok(response_of(&answer)),
            false => Err(ExchangeError::Timeout),
        }
    }

    /// Repeats a message with the numbers that it had.
    async fn send_again(
        &self,
        row: ExchangeRow,
        form: &MessageForm,
    ) -> Result<AuthorizationResponse, ExchangeError> {
        let line = self.link.line().await?;
        let original = match &row.original {
            Some(original) => self.journal.find(original).await?,
            None => None,
        };
        let card = self.journal.card(&row)?;
        let taken = self.journal.take_over(&row).await?;
        let row = taken.ok_or(ExchangeError::Awaited)?;
        let mut values = self.values(&row, card.as_ref());
        put_numbers(&mut values, &row.numbers);
        if let Some(original) = &original {
            self.put_original(&mut values, original);
        }
        self.send(&line, row, form, &form.fill_again(&values)).await
    }

    /// Writes down that a message is reversed, and what is said then, and sends the reversal for the first time. `line`: the connection
    /// that the message was sent on, if it is known.
    async fn reverse(
        &self,
        row: &ExchangeRow,
        then: &StoredAnswer,
        line: Option<&Line>,
    ) -> Result<AuthorizationResponse, ExchangeError> {
        let begun = self.journal.begin_reversal(&row.reference, then).await?;
        match self.journal.find(&row.reference).await? {
            Some(reversing) if begun => self.send_reversal(reversing, line).await,
            Some(other) if other.state == ExchangeState::Done => Ok(response_of(&other.answer)),
            _ => Err(ExchangeError::Awaited),
        }
    }

    async fn send_reversal(
        &self,
        row: ExchangeRow,
        line: Option<&Line>,
    ) -> Result<AuthorizationResponse, ExchangeError> {
        // Every dialect has this message, and every row in this state has these numbers.
        let form = self.dialect.message(MessageName::Reversal);
        let (Some(form), Some(reversal)) = (form, row.reversal.clone()) else {
            return Err(ExchangeError::Awaited);
        };
        let former = line;
        let line = self.link.line_after(former).await?;
        let follows = former.is_some_and(|former| former.is_same(&line));
        let is_first = is_unsent(&row, &reversal);
        let card = self.journal.card(&row)?;
        let taken = self.journal.take_over(&row).await?;
        let row = taken.ok_or(ExchangeError::Awaited)?;
        let mut values = self.values(&row, card.as_ref());
        put_numbers(&mut values, &reversal);
        self.put_original(&mut values, &row);
        let message = match is_first {
            true => form.fill(&values),
            false => form.fill_again(&values),
        };
        let answer = self.link.exchange(&line, &message, &form.answer).await;
        let code = match &answer {
            Ok(answer) => answer.field(field::RESPONSE_CODE).unwrap_or_default(),
            Err(_) => "",
        };
        if self.is_reversed(&row, code, follows) {
            self.journal.end_reversal(&row.reference).await?;
            return Ok(response_of(&row.answer));
        }
        self.journal.give_up(&row).await?;
        Err(match answer {
            Ok(_) => ExchangeError::NotReversed(code.to_owned()),
            Err(problem) => problem,
        })
    }

    /// Whether a code ends a reversal. A host that knows no such message may still read it: not if the reversal `follows` the message on the
    /// same connection, and not if the message is older than any that is under way.
    fn is_reversed(&self, row: &ExchangeRow, code: &str, follows: bool) -> bool {
        let is_one_of = |codes: &[String]| codes.iter().any(|known| known == code);
        is_one_of(&self.dialect.reversed)
            || is_one_of(&self.dialect.nothing_to_reverse)
                && (follows || !self.journal.may_be_under_way(row))
    }

    fn approved(&self, row: &ExchangeRow, told: &str, answer: &Message) -> StoredAnswer {
        let text = |number| answer.field(number).map(str::trim).unwrap_or_default();
        let retrieval_reference = match text(field::RETRIEVAL_REFERENCE) {
            "" => row.numbers.retrieval_reference.as_str(),
            given => given,
        };
        let scheme_id = self.dialect.scheme_id_field.map(text).unwrap_or_default();
        StoredAnswer {
            authorization_code: text(field::AUTHORIZATION_CODE).to_owned(),
            retrieval_reference: retrieval_reference.to_owned(),
            scheme_id: scheme_id.to_owned(),
            ..stored(APPROVED, told)
        }
    }

    fn no_outcome(&self, problem: ExchangeError) -> AcquirerError {
        let named = Box::new(NamedError {
            name: self.name.clone(),
            problem,
        });
        match named.problem {
            ExchangeError::NeverSent => AcquirerError::NotSent(named),
            ExchangeError::NoOutcome(_) | ExchangeError::NotReversed(_) => {
                AcquirerError::Unreadable(named)
            }
            _ => AcquirerError::NoAnswer(named),
        }
    }
}

/// Without a connection for a message that the journal did not have, nothing of it has left.
fn never_sent(problem: ExchangeError) -> ExchangeError {
    match problem {
        ExchangeError::Unreachable => ExchangeError::NeverSent,
        other => other,
    }
}

#[async_trait]
impl Acquirer for IsoAcquirer {
    async fn authorize(
        &self,
        request: &AuthorizationRequest<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        let asked = self.authorize_card(request);
        asked.await.map_err(|problem| self.no_outcome(problem))
    }

    async fn follow_up(
        &self,
        request: &FollowUpRequest<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        let asked = self.move_money(request);
        asked.await.map_err(|problem| self.no_outcome(problem))
    }

    /// The journal knows what was sent, so the host is not asked; but what is due for the reference is sent.
    async fn inquire(
        &self,
        request: &InquiryRequest<'_>,
    ) -> Result<Option<AuthorizationResponse>, AcquirerError> {
        let asked = async {
            match self.journal.find(request.reference).await? {
                Some(row) => self.resume(row).await.map(Some),
                None => Ok(None),
            }
        };
        asked.await.map_err(|problem| self.no_outcome(problem))
    }

    /// Whether the dialect says where the host reads what the merchant gets.
    fn converts(&self) -> bool {
        let asking = [MessageName::Authorization, MessageName::Sale];
        let mut forms = asking.into_iter().map(|name| self.dialect.message(name));
        forms.all(|form| form.is_some_and(|form| form.names(Value::MerchantAmount)))
    }
}

fn message_for(operation: FollowUpOperation) -> MessageName {
    match operation {
        FollowUpOperation::Capture => MessageName::Capture,
        FollowUpOperation::Void => MessageName::Release,
        FollowUpOperation::Refund => MessageName::Refund,
        FollowUpOperation::Cancel => MessageName::Cancel,
        FollowUpOperation::Increment => MessageName::Increment,
    }
}

/// Which acquirer has the problem.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {problem}")]
struct NamedError {
    name: String,
    #[source]
    problem: ExchangeError,
}
