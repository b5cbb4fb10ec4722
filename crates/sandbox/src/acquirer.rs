//! The sandbox's acquirer: the issuers' side of the money, in a separate database.
//!
//! Idempotent by reference: a repeated request with the same reference is charged once and gets the same response. The gateway's own
//! database can be lost or outdated; what is recorded here has happened.

use super::SandboxSettings;
use super::cards::{IssuerPlan, Scenario};
use super::methods;
use async_trait::async_trait;
use payframe_payment_ports::acquirer::{
    AcceptedOffer, Acquirer, AcquirerError, Approval, AuthorizationRequest, AuthorizationResponse,
    AuthorizationResult, Capture, DeclineReason, FollowUpOperation, FollowUpRequest,
    InquiryRequest, Instrument, SecurityCodeData, Taking,
};
use payframe_payment_ports::clock::{Clock, millis};
use payframe_storage::{
    Connection, Database, Row, StorageSettings, Subject, Tables, database, query,
};
use sqlx::migrate::Migrator;

pub(crate) struct SandboxAcquirer {
    records: Database,
    clock: Clock,
    /// The time until a pending payment becomes final.
    pending_ms: i64,
}

/// The acquirer's database: stored beside the gateway's tables, and separate from them.
pub async fn records(settings: &StorageSettings) -> Result<Database, sqlx::Error> {
    Database::open(settings, &TABLES).await
}

/// The migrations that the acquirer's database needs.
pub async fn missing(
    settings: &StorageSettings,
) -> Result<Vec<(&'static str, String)>, sqlx::Error> {
    database::missing(settings, &TABLES).await
}

/// The file of the acquirer's database.
pub const FILE: &str = "acquirer.db";

static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

static TABLES: Tables<'static> = Tables {
    file: FILE,
    for_files: &MIGRATIONS,
    schema: "payframe_acquirer",
    for_servers: &MIGRATIONS,
};

#[async_trait]
impl Acquirer for SandboxAcquirer {
    async fn authorize(
        &self,
        request: &AuthorizationRequest<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        self.charge(request).await.map_err(no_answer)
    }

    async fn follow_up(
        &self,
        request: &FollowUpRequest<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        self.move_money(request).await.map_err(no_answer)
    }

    async fn inquire(
        &self,
        request: &InquiryRequest<'_>,
    ) -> Result<Option<AuthorizationResponse>, AcquirerError> {
        self.answer_to(request.reference).await.map_err(no_answer)
    }

    fn converts(&self) -> bool {
        true
    }
}

impl SandboxAcquirer {
    /// Opens the acquirer's database.
    pub(crate) async fn open(
        settings: &SandboxSettings,
        clock: Clock,
    ) -> Result<SandboxAcquirer, sqlx::Error> {
        Ok(SandboxAcquirer {
            records: records(&settings.storage).await?,
            clock,
            pending_ms: millis(settings.pending),
        })
    }

    async fn charge(
        &self,
        request: &AuthorizationRequest<'_>,
    ) -> Result<AuthorizationResponse, sqlx::Error> {
        let now_ms = self.clock.now_ms();
        let mut transaction = self.records.write(Subject::Statement).await?;
        let plan = match &request.instrument {
            Instrument::Card(card) => {
                // Exposed because the issuer decides by the number.
                Scenario::of(card.number.expose()).plan_of_payment(card)
            }
            Instrument::Method {
                method,
                return_data,
            } => methods::plan(method, return_data),
        };
        let final_ms = plan.later.map(|_| now_ms + self.pending_ms);
        let [authorization_code, retrieval_reference, scheme_id] = ids_of(request.reference);
        let (cardholder_amount, cardholder_currency, exchange_rate) =
            columns_of(request.conversion);
        if let Instrument::Card(card) = &request.instrument {
            // Exposed because the issuer decides by the number.
            let scenario = Scenario::of(card.number.expose());
            plan_refunds(&mut transaction, request.reference, scenario);
            plan_increments(&mut transaction, request.reference, scenario);
        }
        let charge = query(
            "INSERT INTO charge (reference, terminal_id, action, amount_minor, currency, security_code, iso, settlement, \
             final_iso, final_settlement, final_ms, authorization_code, retrieval_reference, scheme_id, created_ms, decline_reason, \
             cardholder_amount_minor, cardholder_currency, exchange_rate, capture) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (reference) DO NOTHING RETURNING *",
        )
        .bind(request.reference)
        .bind(request.terminal_id)
        .bind(request.action.code())
        .bind(request.amount.minor() as i64)
        .bind(request.currency)
        .bind(security_code_presence(&request.instrument))
        .bind(plan.iso)
        .bind(result_code(plan.result))
        .bind(plan.later.map(|(iso, _)| iso))
        .bind(plan.later.map(|(_, result)| result_code(result)))
        .bind(final_ms)
        .bind(authorization_code)
        .bind(retrieval_reference)
        .bind(scheme_id)
        .bind(now_ms)
        .bind(plan.decline_reason.map(DeclineReason::code))
        .bind(cardholder_amount)
        .bind(cardholder_currency)
        .bind(exchange_rate)
        .bind(request.capture.code());
        match transaction.commit_with(charge).await?.first() {
            Some(row) => response_to_charge(row, now_ms),
            None => {
                let known = query("SELECT * FROM charge WHERE reference = ?")
                    .bind(request.reference)
                    .fetch_one(&mut *self.records.read().await?)
                    .await?;
                response_to_charge(&known, now_ms)
            }
        }
    }

    /// An amount above the authorized or captured amount is not moved: the acquirer has its own totals.
    async fn move_money(
        &self,
        request: &FollowUpRequest<'_>,
    ) -> Result<AuthorizationResponse, sqlx::Error> {
        let now_ms = self.clock.now_ms();
        let charge = request.authorization;
        let mut transaction = self.records.write(records_of(charge)).await?;
        let known = query("SELECT * FROM movement WHERE reference = ?")
            .bind(request.reference)
            .fetch_optional(&mut transaction)
            .await?;
        if let Some(row) = known {
            return response_of(&row, now_ms);
        }
        let plan = AcquirerRecords::of(&mut transaction, charge, now_ms)
            .await?
            .permit(request);
        let plans = match (plan == IssuerPlan::APPROVED, request.operation) {
            (true, FollowUpOperation::Refund) => Some("SELECT * FROM refund_plan WHERE charge = ?"),
            (true, FollowUpOperation::Increment) => Some(
                "SELECT iso, settlement, CAST(NULL AS TEXT) AS final_iso, CAST(NULL AS TEXT) AS final_settlement \
                 FROM increment_plan WHERE charge = ?",
            ),
            _ => None,
        };
        let planned = match plans {
            Some(plans) => {
                let found = query(plans).bind(charge);
                found.fetch_optional(&mut transaction).await?
            }
            None => None,
        };
        let text = |column, otherwise: &str| match &planned {
            Some(row) => row.try_get::<String>(column),
            None => Ok(otherwise.to_owned()),
        };
        let late = |column| {
            planned
                .as_ref()
                .map(|row| row.try_get::<Option<String>>(column))
                .transpose()
                .map(Option::flatten)
        };
        let [authorization_code, retrieval_reference, scheme_id] = ids_of(request.reference);
        let (cardholder_amount, cardholder_currency, exchange_rate) =
            columns_of(request.conversion);
        let row = query(
            "INSERT INTO movement (reference, charge, kind, amount_minor, iso, settlement, final_iso, final_settlement, \
             final_ms, authorization_code, retrieval_reference, scheme_id, created_ms, \
             cardholder_amount_minor, cardholder_currency, exchange_rate) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *",
        )
        .bind(request.reference)
        .bind(charge)
        .bind(request.operation.operation_type().code())
        .bind(request.amount.minor() as i64)
        .bind(text("iso", plan.iso)?)
        .bind(text("settlement", result_code(plan.result))?)
        .bind(late("final_iso")?)
        .bind(late("final_settlement")?)
        .bind(late("final_iso")?.map(|_| now_ms + self.pending_ms))
        .bind(authorization_code)
        .bind(retrieval_reference)
        .bind(scheme_id)
        .bind(now_ms)
        .bind(cardholder_amount)
        .bind(cardholder_currency)
        .bind(exchange_rate)
        .fetch_one(&mut transaction)
        .await?;
        transaction.commit().await?;
        response_of(&row, now_ms)
    }

    async fn answer_to(
        &self,
        reference: &str,
    ) -> Result<Option<AuthorizationResponse>, sqlx::Error> {
        let now_ms = self.clock.now_ms();
        let row = query("SELECT * FROM charge WHERE reference = ?")
            .bind(reference)
            .fetch_optional(&mut *self.records.read().await?)
            .await?;
        row.map(|row| response_to_charge(&row, now_ms)).transpose()
    }
}

/// Changes of one charge wait for each other.
fn records_of(charge: &str) -> Subject<'_> {
    Subject::Foreign {
        lock: "SELECT 1 FROM charge WHERE reference = ? FOR NO KEY UPDATE",
        name: charge,
    }
}

/// The acquirer's own totals of a charge.
#[derive(Default)]
struct AcquirerRecords {
    /// Whether refunds are limited by what was captured: not for charges of an earlier release, whose captures are not known.
    has_captures: bool,
    authorized: i64,
    captured: i64,
    released: i64,
    refunded: i64,
}

impl AcquirerRecords {
    async fn of(
        connection: &mut Connection,
        charge: &str,
        now_ms: i64,
    ) -> Result<AcquirerRecords, sqlx::Error> {
        let mut records = AcquirerRecords::default();
        let row = query("SELECT * FROM charge WHERE reference = ?")
            .bind(charge)
            .fetch_optional(&mut *connection)
            .await?;
        let Some(row) = row else { return Ok(records) };
        if response_of(&row, now_ms)?.result == AuthorizationResult::Approved {
            records.authorized = row.try_get("amount_minor")?;
        }
        let capture: Option<&str> = row.try_get("capture")?;
        records.has_captures = capture.is_some();
        if capture == Some(Capture::Implicit.code()) {
            records.captured = records.authorized;
        }
        let rows = query("SELECT * FROM movement WHERE charge = ?")
            .bind(charge)
            .fetch_all(connection)
            .await?;
        for row in rows {
            let result = response_of(&row, now_ms)?.result;
            if !matches!(
                result,
                AuthorizationResult::Approved | AuthorizationResult::Pending
            ) {
                continue;
            }
            let amount: i64 = row.try_get("amount_minor")?;
            match row.try_get("kind")? {
                "INCREMENTAL" => records.authorized += amount,
                "CAPTURE" => records.captured += amount,
                "VOID" => records.released += amount,
                "REFUND" => records.refunded += amount,
                _ => records.captured -= amount,
            }
        }
        Ok(records)
    }

    /// Whether the amount is available. A charge with immediate capture has no capture of its own here: all of it is captured.
    fn permit(&self, request: &FollowUpRequest<'_>) -> IssuerPlan {
        let amount = request.amount.minor() as i64;
        let left = match request.operation {
            FollowUpOperation::Capture | FollowUpOperation::Void => {
                self.authorized - self.captured - self.released
            }
            FollowUpOperation::Refund if self.has_captures => self.captured - self.refunded,
            FollowUpOperation::Refund => self.authorized - self.released - self.refunded,
            FollowUpOperation::Cancel => self.captured - self.refunded,
            // At most the authorized amount again: the acquirer has its own limit, whatever the merchant's limit is.
            FollowUpOperation::Increment => self.authorized,
        };
        if amount <= left {
            IssuerPlan::APPROVED
        } else {
            IssuerPlan::BAD_AMOUNT
        }
    }
}

/// The issuer's response to refunds of this charge, if it is not an approval.
fn plan_refunds(connection: &mut Connection, charge: &str, scenario: Scenario) {
    let IssuerPlan {
        iso,
        result,
        later: Some((final_iso, final_result)),
        ..
    } = scenario.refund_plan()
    else {
        return;
    };
    connection
        .enqueue("INSERT INTO refund_plan (charge, iso, settlement, final_iso, final_settlement) VALUES (?, ?, ?, ?, ?) \
                  ON CONFLICT (charge) DO NOTHING")
        .bind(charge)
        .bind(iso)
        .bind(result_code(result))
        .bind(final_iso)
        .bind(result_code(final_result));
}

/// The issuer's response to increments, if it is not an approval. The buyer is not present, as with a stored card.
fn plan_increments(connection: &mut Connection, charge: &str, scenario: Scenario) {
    let plan = scenario.plan_of_stored_card();
    if plan.result != AuthorizationResult::Declined {
        return;
    }
    connection
        .enqueue("INSERT INTO increment_plan (charge, iso, settlement) VALUES (?, ?, ?) ON CONFLICT (charge) DO NOTHING")
        .bind(charge)
        .bind(plan.iso)
        .bind(result_code(plan.result));
}

/// Whether a request had a security code. Only its presence is stored.
fn security_code_presence(instrument: &Instrument<'_>) -> &'static str {
    match instrument {
        Instrument::Card(card) => match card.security_code {
            SecurityCodeData::Given(_) => "GIVEN",
            SecurityCodeData::NotGiven => "NOT_GIVEN",
            SecurityCodeData::Lost => "LOST",
        },
        Instrument::Method { .. } => "NOT_GIVEN",
    }
}

/// Without its database the sandbox cannot respond.
fn no_answer(problem: sqlx::Error) -> AcquirerError {
    AcquirerError::NoAnswer(Box::new(problem))
}

/// The response to a charge, with the reason of a decline.
fn response_to_charge(row: &Row, now_ms: i64) -> Result<AuthorizationResponse, sqlx::Error> {
    let reason: Option<String> = row.try_get("decline_reason")?;
    let authentication = DeclineReason::AuthenticationRequired;
    let decline_reason =
        (reason.as_deref() == Some(authentication.code())).then_some(authentication);
    Ok(AuthorizationResponse {
        decline_reason,
        ..response_of(row, now_ms)?
    })
}

fn response_of(row: &Row, now_ms: i64) -> Result<AuthorizationResponse, sqlx::Error> {
    let final_ms: Option<i64> = row.try_get("final_ms")?;
    let is_final = final_ms.is_some_and(|final_ms| final_ms <= now_ms);
    let (iso, result) = if is_final {
        ("final_iso", "final_settlement")
    } else {
        ("iso", "settlement")
    };
    let result = result_of(row.try_get(result)?);
    let approval = match result {
        AuthorizationResult::Approved => Some(Approval {
            authorization_code: row.try_get("authorization_code")?,
            retrieval_reference: row.try_get("retrieval_reference")?,
            scheme_id: row.try_get("scheme_id")?,
        }),
        _ => None,
    };
    let ask_again_ms = if is_final { None } else { final_ms };
    Ok(AuthorizationResponse {
        response_code: row.try_get(iso)?,
        result,
        approval,
        decline_reason: None,
        ask_again_ms,
        taking: Taking::Taken,
    })
}

fn result_code(result: AuthorizationResult) -> &'static str {
    match result {
        AuthorizationResult::Approved => "APPROVED",
        AuthorizationResult::Declined => "DECLINED",
        AuthorizationResult::Failed => "FAILED",
        AuthorizationResult::Pending => "PENDING",
    }
}

/// An unknown value is not from this program. It becomes a failure, which charges nothing.
fn result_of(code: &str) -> AuthorizationResult {
    match code {
        "APPROVED" => AuthorizationResult::Approved,
        "DECLINED" => AuthorizationResult::Declined,
        "PENDING" => AuthorizationResult::Pending,
        _ => AuthorizationResult::Failed,
    }
}

/// The codes of an approval, derived from its reference: authorization code, retrieval reference, and the network's id.
fn ids_of(reference: &str) -> [String; 3] {
    let digits = reference.bytes().fold(7, |sum: u64, byte| {
        sum.wrapping_mul(31).wrapping_add(byte.into())
    });
    [
        format!("{:06}", digits % 1_000_000),
        format!("{:012}", digits / 7 % 1_000_000_000_000),
        format!("SBX{:05}U", digits / 11 % 100_000),
    ]
}

/// The columns of what the cardholder is charged, or gets back, in the card's own currency: amount, currency, rate.
fn columns_of(conversion: Option<&AcceptedOffer>) -> (Option<i64>, Option<&str>, Option<&str>) {
    (
        conversion.map(|offer| offer.amount.minor() as i64),
        conversion.map(|offer| offer.currency.as_str()),
        conversion.map(|offer| offer.exchange_rate.as_str()),
    )
}

#[cfg(test)]
mod tests;
