//! The sandbox's acquirer: the issuers' side of the money, in a database of its own.
//!
//! Idempotent by reference: who asks twice with the same reference is charged once and hears the same
//! answer. The gateway's own database can be lost or behind; what is written here has happened.

use super::cards::{IssuerPlan, Scenario};
use super::methods;
use crate::config::Config;
use crate::domain::ledger_rules::FollowUpOperation;
use crate::domain::method::Method;
use crate::domain::operation::{ActionType, Settlement};
use crate::domain::session::MethodScript;
use crate::store::{Connection, Database, Row, Subject, Tables, database, query};
use payframe_card_rules::secret::Secret;
use payframe_money::Amount;
use sqlx::migrate::Migrator;

/// The acquirer.
pub(crate) struct Acquirer {
    books: Database,
    /// When what is pending becomes final.
    pending_ms: i64,
}

/// The acquirer's books: on a server beside the gateway's tables, and apart from them.
pub(crate) async fn books(config: &Config) -> Result<Database, sqlx::Error> {
    Database::open(config, &TABLES).await
}

/// What has to be done to bring them up to date.
pub(crate) async fn missing(config: &Config) -> Result<Vec<(&'static str, String)>, sqlx::Error> {
    database::missing(config, &TABLES).await
}

static MIGRATIONS: Migrator = sqlx::migrate!("./migrations/acquirer");

static TABLES: Tables<'static> = Tables {
    file: "acquirer.db",
    for_files: &MIGRATIONS,
    schema: "payframe_acquirer",
    for_servers: &MIGRATIONS,
};

/// What the acquirer is asked for.
pub(crate) struct Demand<'a> {
    /// Ours, unique: the operation's id.
    pub(crate) reference: &'a str,
    pub(crate) terminal_id: &'a str,
    pub(crate) action: ActionType,
    pub(crate) amount: Amount,
    pub(crate) currency: &'a str,
    pub(crate) instrument: Instrument<'a>,
}

/// What is to be charged.
#[derive(Clone, Copy)]
pub(crate) enum Instrument<'a> {
    /// A card, by its issuer.
    Card {
        number: &'a Secret,
        security_code: SecurityCodePresence,
        origin: CardOrigin,
    },
    /// An alternative method, by its operator.
    Method {
        method: &'a Method,
        script: MethodScript,
    },
}

/// What the acquirer is asked to do with money that it has authorized.
pub(crate) struct LaterDemand<'a> {
    /// Ours, unique: the later operation's id.
    pub(crate) reference: &'a str,
    /// That of the authorization.
    pub(crate) charge: &'a str,
    pub(crate) movement: FollowUpOperation,
    pub(crate) amount: Amount,
}

/// Where the card of a demand comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CardOrigin {
    /// The buyer gave it for this payment.
    Entered,
    /// The merchant kept it from an earlier one.
    Kept,
}

/// Whether the buyer's security code comes with a demand. The sandbox notes it; it steers nothing (contract 11.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SecurityCodePresence {
    /// It does.
    Given,
    /// The card needs none, or the buyer left it out.
    NotGiven,
    /// It was given, and lost in a restart: it is never written down.
    Lost,
}

/// What the acquirer answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    /// ISO response code; empty where no card was charged.
    pub(crate) iso: String,
    /// What it comes to.
    pub(crate) settlement: Settlement,
    /// With an approval.
    pub(crate) approval: Option<Approval>,
    /// While pending: when to ask again.
    pub(crate) ask_again_ms: Option<i64>,
}

/// What comes with an approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Approval {
    /// Six digits.
    pub(crate) authorization_code: String,
    /// Twelve digits.
    pub(crate) retrieval_reference: String,
    /// The scheme's transaction id.
    pub(crate) scheme_id: String,
}

impl Acquirer {
    /// Opens the acquirer's books.
    pub(crate) async fn open(config: &Config) -> Result<Acquirer, sqlx::Error> {
        Ok(Acquirer {
            books: books(config).await?,
            pending_ms: crate::clock::millis(config.pending),
        })
    }

    /// Asks for the money, or again for the answer to the same reference.
    pub(crate) async fn authorize(
        &self,
        demand: &Demand<'_>,
        now_ms: i64,
    ) -> Result<Reply, sqlx::Error> {
        let mut transaction = self.books.write(Subject::Statement).await?;
        let plan = match demand.instrument {
            Instrument::Card { number, origin, .. } => {
                // Exposed because the issuer decides by the number.
                let scenario = Scenario::of(number.expose());
                match origin {
                    CardOrigin::Entered => scenario.plan(),
                    CardOrigin::Kept => scenario.plan_of_kept_card(),
                }
            }
            Instrument::Method { method, script } => methods::plan(method, script),
        };
        let final_ms = plan.later.map(|_| now_ms + self.pending_ms);
        let digits = digits_of(demand.reference);
        let row = query(
            "INSERT INTO charge (reference, terminal_id, action, amount_minor, currency, security_code, iso, settlement, \
             final_iso, final_settlement, final_ms, authorization_code, retrieval_reference, scheme_id, created_ms) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (reference) DO NOTHING RETURNING *",
        )
        .bind(demand.reference)
        .bind(demand.terminal_id)
        .bind(demand.action.code())
        .bind(demand.amount.minor() as i64)
        .bind(demand.currency)
        .bind(demand.instrument.security_code().code())
        .bind(plan.iso)
        .bind(settlement_code(plan.settlement))
        .bind(plan.later.map(|(iso, _)| iso))
        .bind(plan.later.map(|(_, settlement)| settlement_code(settlement)))
        .bind(final_ms)
        .bind(format!("{:06}", digits % 1_000_000))
        .bind(format!("{:012}", digits / 7 % 1_000_000_000_000))
        .bind(format!("SBX{:05}U", digits / 11 % 100_000))
        .bind(now_ms)
        .fetch_optional(&mut transaction)
        .await?;
        let Some(row) = row else {
            let known = query("SELECT * FROM charge WHERE reference = ?")
                .bind(demand.reference)
                .fetch_one(&mut transaction)
                .await?;
            return reply_of(&known, now_ms);
        };
        if let Instrument::Card { number, .. } = demand.instrument {
            // Exposed because the issuer decides by the number.
            let scenario = Scenario::of(number.expose());
            plan_refunds(&mut transaction, demand.reference, scenario);
            plan_increments(&mut transaction, demand.reference, scenario);
        }
        transaction.commit().await?;
        reply_of(&row, now_ms)
    }

    /// Asks to move money that was authorized, or again for the answer to the same reference. More than was
    /// authorized, or than was taken, does not move: the acquirer keeps its own count.
    pub(crate) async fn move_money(
        &self,
        demand: &LaterDemand<'_>,
        now_ms: i64,
    ) -> Result<Reply, sqlx::Error> {
        let mut transaction = self.books.write(Subject::Charge(demand.charge)).await?;
        let known = query("SELECT * FROM movement WHERE reference = ?")
            .bind(demand.reference)
            .fetch_optional(&mut transaction)
            .await?;
        if let Some(row) = known {
            return reply_of(&row, now_ms);
        }
        let plan = Books::of(&mut transaction, demand.charge, now_ms)
            .await?
            .permit(demand);
        let plans = match (plan == IssuerPlan::APPROVED, demand.movement) {
            (true, FollowUpOperation::Refund) => Some("SELECT * FROM refund_plan WHERE charge = ?"),
            (true, FollowUpOperation::Increment) => Some(
                "SELECT iso, settlement, CAST(NULL AS TEXT) AS final_iso, CAST(NULL AS TEXT) AS final_settlement \
                 FROM increment_plan WHERE charge = ?",
            ),
            _ => None,
        };
        let planned = match plans {
            Some(plans) => {
                let found = query(plans).bind(demand.charge);
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
        let digits = digits_of(demand.reference);
        let row = query(
            "INSERT INTO movement (reference, charge, kind, amount_minor, iso, settlement, final_iso, final_settlement, \
             final_ms, authorization_code, retrieval_reference, scheme_id, created_ms) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *",
        )
        .bind(demand.reference)
        .bind(demand.charge)
        .bind(demand.movement.operation_type().code())
        .bind(demand.amount.minor() as i64)
        .bind(text("iso", plan.iso)?)
        .bind(text("settlement", settlement_code(plan.settlement))?)
        .bind(late("final_iso")?)
        .bind(late("final_settlement")?)
        .bind(late("final_iso")?.map(|_| now_ms + self.pending_ms))
        .bind(format!("{:06}", digits % 1_000_000))
        .bind(format!("{:012}", digits / 7 % 1_000_000_000_000))
        .bind(format!("SBX{:05}U", digits / 11 % 100_000))
        .bind(now_ms)
        .fetch_one(&mut transaction)
        .await?;
        transaction.commit().await?;
        reply_of(&row, now_ms)
    }

    /// The answer to a reference as it is now; `None` where it was never asked for.
    pub(crate) async fn inquire(
        &self,
        reference: &str,
        now_ms: i64,
    ) -> Result<Option<Reply>, sqlx::Error> {
        let row = query("SELECT * FROM charge WHERE reference = ?")
            .bind(reference)
            .fetch_optional(&mut *self.books.read().await?)
            .await?;
        row.map(|row| reply_of(&row, now_ms)).transpose()
    }
}

/// The acquirer's own count of a charge's money.
#[derive(Default)]
struct Books {
    authorized: i64,
    captured: i64,
    released: i64,
    refunded: i64,
}

impl Books {
    async fn of(
        connection: &mut Connection,
        charge: &str,
        now_ms: i64,
    ) -> Result<Books, sqlx::Error> {
        let mut books = Books::default();
        let row = query("SELECT * FROM charge WHERE reference = ?")
            .bind(charge)
            .fetch_optional(&mut *connection)
            .await?;
        let Some(row) = row else { return Ok(books) };
        if reply_of(&row, now_ms)?.settlement == Settlement::Approved {
            books.authorized = row.try_get("amount_minor")?;
        }
        let rows = query("SELECT * FROM movement WHERE charge = ?")
            .bind(charge)
            .fetch_all(connection)
            .await?;
        for row in rows {
            let settlement = reply_of(&row, now_ms)?.settlement;
            if !matches!(settlement, Settlement::Approved | Settlement::Pending) {
                continue;
            }
            let amount: i64 = row.try_get("amount_minor")?;
            match row.try_get("kind")? {
                "INCREMENTAL" => books.authorized += amount,
                "CAPTURE" => books.captured += amount,
                "VOID" => books.released += amount,
                "REFUND" => books.refunded += amount,
                _ => books.captured -= amount,
            }
        }
        Ok(books)
    }

    /// Whether the money is there. A charge that is taken at once has no capture of its own here.
    fn permit(&self, demand: &LaterDemand<'_>) -> IssuerPlan {
        let amount = demand.amount.minor() as i64;
        let left = match demand.movement {
            FollowUpOperation::Capture | FollowUpOperation::Void => {
                self.authorized - self.captured - self.released
            }
            FollowUpOperation::Refund => self.authorized - self.released - self.refunded,
            FollowUpOperation::Cancel => self.captured - self.refunded,
            // As much more as is held: it has limits of its own where merchants keep to theirs.
            FollowUpOperation::Increment => self.authorized,
        };
        if amount <= left {
            IssuerPlan::APPROVED
        } else {
            IssuerPlan::BAD_AMOUNT
        }
    }
}

/// What the issuer will answer to refunds of this charge, where it does not simply take them.
fn plan_refunds(connection: &mut Connection, charge: &str, scenario: Scenario) {
    let IssuerPlan {
        iso,
        settlement,
        later: Some((final_iso, final_settlement)),
    } = scenario.refund_plan()
    else {
        return;
    };
    connection
        .enqueue("INSERT INTO refund_plan (charge, iso, settlement, final_iso, final_settlement) VALUES (?, ?, ?, ?, ?)")
        .bind(charge)
        .bind(iso)
        .bind(settlement_code(settlement))
        .bind(final_iso)
        .bind(settlement_code(final_settlement));
}

/// What the issuer will answer where more is to be held, if that is no: nobody is there then, as with a kept card.
fn plan_increments(connection: &mut Connection, charge: &str, scenario: Scenario) {
    let plan = scenario.plan_of_kept_card();
    if plan.settlement != Settlement::Declined {
        return;
    }
    connection
        .enqueue("INSERT INTO increment_plan (charge, iso, settlement) VALUES (?, ?, ?)")
        .bind(charge)
        .bind(plan.iso)
        .bind(settlement_code(plan.settlement));
}

impl Instrument<'_> {
    fn security_code(&self) -> SecurityCodePresence {
        match self {
            Instrument::Card { security_code, .. } => *security_code,
            Instrument::Method { .. } => SecurityCodePresence::NotGiven,
        }
    }
}

impl SecurityCodePresence {
    fn code(self) -> &'static str {
        match self {
            SecurityCodePresence::Given => "GIVEN",
            SecurityCodePresence::NotGiven => "NOT_GIVEN",
            SecurityCodePresence::Lost => "LOST",
        }
    }
}

fn reply_of(row: &Row, now_ms: i64) -> Result<Reply, sqlx::Error> {
    let final_ms: Option<i64> = row.try_get("final_ms")?;
    let is_final = final_ms.is_some_and(|final_ms| final_ms <= now_ms);
    let (iso, settlement) = if is_final {
        ("final_iso", "final_settlement")
    } else {
        ("iso", "settlement")
    };
    let settlement = settlement_of(row.try_get(settlement)?);
    let approval = match settlement {
        Settlement::Approved => Some(Approval {
            authorization_code: row.try_get("authorization_code")?,
            retrieval_reference: row.try_get("retrieval_reference")?,
            scheme_id: row.try_get("scheme_id")?,
        }),
        _ => None,
    };
    let ask_again_ms = if is_final { None } else { final_ms };
    Ok(Reply {
        iso: row.try_get(iso)?,
        settlement,
        approval,
        ask_again_ms,
    })
}

fn settlement_code(settlement: Settlement) -> &'static str {
    match settlement {
        Settlement::Approved => "APPROVED",
        Settlement::Declined => "DECLINED",
        Settlement::Failed => "FAILED",
        Settlement::Pending => "PENDING",
    }
}

/// Anything else was not written by us: a failure is the answer that charges nobody.
fn settlement_of(code: &str) -> Settlement {
    match code {
        "APPROVED" => Settlement::Approved,
        "DECLINED" => Settlement::Declined,
        "PENDING" => Settlement::Pending,
        _ => Settlement::Failed,
    }
}

/// A number made of a reference, for the codes of an approval.
fn digits_of(reference: &str) -> u64 {
    reference.bytes().fold(7, |sum: u64, byte| {
        sum.wrapping_mul(31).wrapping_add(byte.into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::query_scalar;

    async fn acquirer(folder: &tempfile::TempDir) -> Acquirer {
        let config = Config {
            data: folder.path().to_owned(),
            ..Config::default()
        };
        Acquirer::open(&config).await.unwrap()
    }

    async fn ask(acquirer: &Acquirer, reference: &str, number: &str, now_ms: i64) -> Reply {
        let instrument = Instrument::Card {
            number: &Secret::new(number.to_owned()),
            security_code: SecurityCodePresence::Given,
            origin: CardOrigin::Entered,
        };
        charge(acquirer, reference, instrument, now_ms).await
    }

    async fn charge(
        acquirer: &Acquirer,
        reference: &str,
        instrument: Instrument<'_>,
        now_ms: i64,
    ) -> Reply {
        let demand = Demand {
            reference,
            terminal_id: "terminal",
            action: ActionType::Pay,
            amount: Amount::parse("3545").unwrap(),
            currency: "EUR",
            instrument,
        };
        acquirer.authorize(&demand, now_ms).await.unwrap()
    }

    #[tokio::test]
    async fn the_same_reference_is_charged_once() {
        let folder = tempfile::tempdir().unwrap();
        let acquirer = acquirer(&folder).await;
        let first = ask(&acquirer, "1", "4761730000000003", 0).await;
        let second = ask(&acquirer, "1", "4761730000000003", 5).await;
        assert_eq!(first, second);
        assert_eq!(first.settlement, Settlement::Approved);
        let count: i64 = query_scalar("SELECT count(*) FROM charge")
            .fetch_one(&mut acquirer.books.read().await.unwrap())
            .await
            .unwrap();
        assert_eq!(count, 1);
    }

    #[tokio::test]
    async fn money_moves_once_for_each_reference_and_never_more_than_there_is() {
        let folder = tempfile::tempdir().unwrap();
        let acquirer = acquirer(&folder).await;
        ask(&acquirer, "charge", "4761730000000003", 0).await;
        let moved = async |reference: &str, movement, minor| {
            let demand = LaterDemand {
                reference,
                charge: "charge",
                movement,
                amount: Amount::from_minor(minor).unwrap(),
            };
            acquirer.move_money(&demand, 5).await.unwrap().iso
        };
        for (reference, movement, minor, expected) in [
            ("1", FollowUpOperation::Capture, 3546, "110"),
            ("2", FollowUpOperation::Capture, 3000, "000"),
            ("2", FollowUpOperation::Capture, 3000, "000"),
            ("3", FollowUpOperation::Void, 546, "110"),
            ("4", FollowUpOperation::Void, 545, "000"),
            ("5", FollowUpOperation::Refund, 2000, "000"),
            ("6", FollowUpOperation::Cancel, 3000, "110"),
            ("7", FollowUpOperation::Refund, 1001, "110"),
            ("8", FollowUpOperation::Refund, 1000, "000"),
            ("8", FollowUpOperation::Refund, 1000, "000"),
            ("9", FollowUpOperation::Refund, 1, "110"),
        ] {
            assert_eq!(
                moved(reference, movement, minor).await,
                expected,
                "{reference}"
            );
        }
        let demand = LaterDemand {
            reference: "10",
            charge: "unknown",
            movement: FollowUpOperation::Refund,
            amount: Amount::from_minor(1).unwrap(),
        };
        assert_eq!(acquirer.move_money(&demand, 5).await.unwrap().iso, "110");
    }

    #[tokio::test]
    async fn refunds_of_the_stubborn_card_fail_in_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let acquirer = acquirer(&folder).await;
        ask(&acquirer, "charge", "4761730000007305", 0).await;
        let demand = LaterDemand {
            reference: "refund",
            charge: "charge",
            movement: FollowUpOperation::Refund,
            amount: Amount::from_minor(5).unwrap(),
        };
        let first = acquirer.move_money(&demand, 1_000).await.unwrap();
        assert_eq!(
            (first.settlement, first.ask_again_ms),
            (Settlement::Pending, Some(31_000))
        );
        let last = acquirer.move_money(&demand, 31_000).await.unwrap();
        assert_eq!(
            (last.settlement, last.iso.as_str()),
            (Settlement::Failed, "909")
        );
    }

    #[tokio::test]
    async fn a_method_keeps_to_its_first_answer() {
        let folder = tempfile::tempdir().unwrap();
        let acquirer = acquirer(&folder).await;
        let ask = async |script, now_ms| {
            let method = Method::from_code("PAYPAL").unwrap();
            let instrument = Instrument::Method { method, script };
            charge(&acquirer, "1", instrument, now_ms).await
        };
        let first = ask(MethodScript::Waiting, 1_000).await;
        assert_eq!(
            (first.settlement, first.ask_again_ms),
            (Settlement::Pending, Some(31_000))
        );
        assert_eq!(ask(MethodScript::Refusing, 30_999).await, first);
        let late = acquirer.inquire("1", 31_000).await.unwrap().unwrap();
        assert_eq!(late.settlement, Settlement::Approved);
        assert!(late.approval.is_some());
    }

    #[tokio::test]
    async fn a_pending_charge_becomes_final_in_time() {
        let folder = tempfile::tempdir().unwrap();
        let acquirer = acquirer(&folder).await;
        let first = ask(&acquirer, "1", "4761730000009079", 1_000).await;
        assert_eq!(
            (first.settlement, first.ask_again_ms),
            (Settlement::Pending, Some(31_000))
        );
        let early = acquirer.inquire("1", 30_999).await.unwrap().unwrap();
        assert_eq!(early.settlement, Settlement::Pending);
        let late = acquirer.inquire("1", 31_000).await.unwrap().unwrap();
        assert_eq!(
            (late.settlement, late.iso.as_str(), late.ask_again_ms),
            (Settlement::Declined, "907", None)
        );
        assert_eq!(acquirer.inquire("2", 31_000).await.unwrap(), None);
    }
}
