//! How an operation gets its result, and its effect on the order's totals.
//!
//! An operation is made with a result; a pending one gets its final result later. What may be done with it
//! after that is in [`super::ledger_rules`]. Money that was approved counts in the order from that moment on.

use payframe_money::Amount;

/// The type of an operation (contract 2.7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperationType {
    /// An authorization, or a sale that is captured at once.
    Authorization,
    /// A card verification, without a charge.
    CardVerification,
    /// Held money that was captured.
    Capture,
    /// Held money that was released.
    Void,
    /// Money that was refunded.
    Refund,
    /// A capture that was cancelled, or a session that was cancelled.
    Cancel,
    /// An increase of a pre-authorization.
    Incremental,
    /// A charge for a guest who did not come, or cancelled late.
    NoShow,
    /// A charge after a stay.
    DelayCharge,
}

/// Its result (contract 2.7.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperationResult {
    /// Approved, to be captured.
    Authorized,
    /// Done: paid or verified.
    Executed,
    /// The issuer refused.
    Declined,
    /// Risk rules refused; the issuer was not asked.
    DeniedByRisk,
    /// The buyer was authenticated, or did not have to be; no money was asked for yet.
    ThreeDsValidated,
    /// The buyer was not authenticated.
    ThreeDsFailed,
    /// There is no final result yet.
    Pending,
    /// The payment was cancelled.
    Canceled,
    /// Completely reversed: released, cancelled, or refunded on the same day.
    Voided,
    /// Completely refunded.
    Refunded,
    /// A technical failure.
    Failed,
}

/// What a payment does (contract 2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionType {
    /// To pay.
    Pay,
    /// To check the card without a charge.
    Verify,
    /// To hold the amount.
    PreAuth,
}

/// When approved money is captured (contract 2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// With the authorization.
    Implicit,
    /// With a later call of the merchant.
    Explicit,
}

/// An issuer's answer, before it is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AuthorizationResult {
    /// The issuer approved.
    Approved,
    /// The issuer declined.
    Declined,
    /// The issuer could not be asked, or could not process the request.
    Failed,
    /// The issuer answers later.
    Pending,
}

/// Money of an order (contract 8.2.0).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The approved amount, minus the released one.
    pub authorized: Amount,
    /// The captured amount, minus the cancelled one.
    pub captured: Amount,
    /// The refunded amount.
    pub refunded: Amount,
}

/// The operation has its final result, which cannot change this way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlreadyFinal;

impl OperationResult {
    /// The result of an issuer's answer. An approval that is captured later is `Authorized`.
    pub fn of(
        response: AuthorizationResult,
        action: ActionType,
        capture: Capture,
    ) -> OperationResult {
        match (response, action, capture) {
            (AuthorizationResult::Approved, ActionType::Verify, _)
            | (AuthorizationResult::Approved, ActionType::Pay, Capture::Implicit) => {
                OperationResult::Executed
            }
            (AuthorizationResult::Approved, ActionType::PreAuth, _)
            | (AuthorizationResult::Approved, ActionType::Pay, Capture::Explicit) => {
                OperationResult::Authorized
            }
            (AuthorizationResult::Declined, _, _) => OperationResult::Declined,
            (AuthorizationResult::Failed, _, _) => OperationResult::Failed,
            (AuthorizationResult::Pending, _, _) => OperationResult::Pending,
        }
    }

    /// The result after the issuer's late answer. If the answer is "pending" again, a pending operation stays pending.
    pub fn resolve(
        self,
        response: AuthorizationResult,
        action: ActionType,
        capture: Capture,
    ) -> Result<OperationResult, AlreadyFinal> {
        match self {
            OperationResult::Pending => Ok(OperationResult::of(response, action, capture)),
            OperationResult::Authorized
            | OperationResult::Executed
            | OperationResult::Declined
            | OperationResult::DeniedByRisk
            | OperationResult::ThreeDsValidated
            | OperationResult::ThreeDsFailed
            | OperationResult::Canceled
            | OperationResult::Voided
            | OperationResult::Refunded
            | OperationResult::Failed => Err(AlreadyFinal),
        }
    }

    /// Whether money was approved (or the card, if it was only verified).
    pub fn is_good(self) -> bool {
        matches!(
            self,
            OperationResult::Authorized | OperationResult::Executed
        )
    }

    /// Whether money was moved. It may have been refunded since.
    pub fn moved_money(self) -> bool {
        matches!(
            self,
            OperationResult::Executed | OperationResult::Voided | OperationResult::Refunded
        )
    }

    /// Whether the order must not be paid by another operation: it is or was paid, or may still become paid.
    pub fn holds_the_order(self) -> bool {
        self.is_good() || self.moved_money() || self == OperationResult::Pending
    }

    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            OperationResult::Authorized => "AUTHORIZED",
            OperationResult::Executed => "EXECUTED",
            OperationResult::Declined => "DECLINED",
            OperationResult::DeniedByRisk => "DENIED_BY_RISK",
            OperationResult::ThreeDsValidated => "THREEDS_VALIDATED",
            OperationResult::ThreeDsFailed => "THREEDS_FAILED",
            OperationResult::Pending => "PENDING",
            OperationResult::Canceled => "CANCELED",
            OperationResult::Voided => "VOIDED",
            OperationResult::Refunded => "REFUNDED",
            OperationResult::Failed => "FAILED",
        }
    }

    /// The result of a code on the wire.
    pub fn from_code(code: &str) -> Option<OperationResult> {
        OperationResult::ALL
            .into_iter()
            .find(|result| result.code() == code)
    }

    /// Every result.
    pub const ALL: [OperationResult; 11] = [
        OperationResult::Authorized,
        OperationResult::Executed,
        OperationResult::Declined,
        OperationResult::DeniedByRisk,
        OperationResult::ThreeDsValidated,
        OperationResult::ThreeDsFailed,
        OperationResult::Pending,
        OperationResult::Canceled,
        OperationResult::Voided,
        OperationResult::Refunded,
        OperationResult::Failed,
    ];
}

impl Totals {
    /// The totals after an operation of `amount` got a good `result`; any other result does not change them.
    pub fn after(self, result: OperationResult, amount: Amount) -> Totals {
        // The sum cannot have more than 12 digits: an order is paid once, and its amount has at most 12.
        let add = |sum: Amount| sum.checked_add(amount).unwrap_or(Amount::MAX);
        match result {
            OperationResult::Executed => Totals {
                authorized: add(self.authorized),
                captured: add(self.captured),
                ..self
            },
            OperationResult::Authorized => Totals {
                authorized: add(self.authorized),
                ..self
            },
            _ => self,
        }
    }
}

impl ActionType {
    /// The type of the operation that it makes.
    pub fn operation_type(self) -> OperationType {
        match self {
            ActionType::Verify => OperationType::CardVerification,
            ActionType::Pay | ActionType::PreAuth => OperationType::Authorization,
        }
    }

    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            ActionType::Pay => "PAY",
            ActionType::Verify => "VERIFY",
            ActionType::PreAuth => "PREAUTH",
        }
    }

    /// The action of a code on the wire.
    pub fn from_code(code: &str) -> Option<ActionType> {
        [ActionType::Pay, ActionType::Verify, ActionType::PreAuth]
            .into_iter()
            .find(|action| action.code() == code)
    }
}

impl Capture {
    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            Capture::Implicit => "IMPLICIT",
            Capture::Explicit => "EXPLICIT",
        }
    }

    /// The capture of a code on the wire.
    pub fn from_code(code: &str) -> Option<Capture> {
        [Capture::Implicit, Capture::Explicit]
            .into_iter()
            .find(|capture| capture.code() == code)
    }
}

impl OperationType {
    /// Every code, in the order of the contract (2.7.1).
    pub const CODES: [&'static str; 9] = [
        "AUTHORIZATION",
        "CAPTURE",
        "VOID",
        "REFUND",
        "CANCEL",
        "CARD_VERIFICATION",
        "NOSHOW",
        "INCREMENTAL",
        "DELAY_CHARGE",
    ];

    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            OperationType::Authorization => "AUTHORIZATION",
            OperationType::CardVerification => "CARD_VERIFICATION",
            OperationType::Capture => "CAPTURE",
            OperationType::Void => "VOID",
            OperationType::Refund => "REFUND",
            OperationType::Cancel => "CANCEL",
            OperationType::Incremental => "INCREMENTAL",
            OperationType::NoShow => "NOSHOW",
            OperationType::DelayCharge => "DELAY_CHARGE",
        }
    }

    /// The type of a code on the wire.
    pub fn from_code(code: &str) -> Option<OperationType> {
        OperationType::ALL
            .into_iter()
            .find(|kind| kind.code() == code)
    }

    /// Every type.
    pub const ALL: [OperationType; 9] = [
        OperationType::Authorization,
        OperationType::CardVerification,
        OperationType::Capture,
        OperationType::Void,
        OperationType::Refund,
        OperationType::Cancel,
        OperationType::Incremental,
        OperationType::NoShow,
        OperationType::DelayCharge,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;
    use ActionType::{Pay, PreAuth, Verify};
    use AuthorizationResult::{Approved, Declined, Failed, Pending};
    use Capture::{Explicit, Implicit};

    const RESPONSES: [AuthorizationResult; 4] = [Approved, Declined, Failed, Pending];

    #[test]
    fn an_approval_is_booked_as_the_contract_says() {
        for (action, capture, expected) in [
            (Pay, Implicit, "EXECUTED"),
            (Pay, Explicit, "AUTHORIZED"),
            (PreAuth, Implicit, "AUTHORIZED"),
            (PreAuth, Explicit, "AUTHORIZED"),
            (Verify, Implicit, "EXECUTED"),
            (Verify, Explicit, "EXECUTED"),
        ] {
            assert_eq!(
                OperationResult::of(Approved, action, capture).code(),
                expected,
                "{action:?} {capture:?}"
            );
        }
    }

    #[test]
    fn every_result_has_an_answer_to_every_response() {
        for result in OperationResult::ALL {
            for response in RESPONSES {
                let after = result.resolve(response, Pay, Implicit);
                if result == OperationResult::Pending {
                    let expected = match response {
                        Approved => OperationResult::Executed,
                        Declined => OperationResult::Declined,
                        Failed => OperationResult::Failed,
                        Pending => OperationResult::Pending,
                    };
                    assert_eq!(after, Ok(expected));
                } else {
                    assert_eq!(after, Err(AlreadyFinal), "{result:?} {response:?}");
                }
            }
        }
    }

    #[test]
    fn only_good_results_count_in_the_totals() {
        let amount = Amount::parse("3545").unwrap();
        for result in OperationResult::ALL {
            let totals = Totals::default().after(result, amount);
            let expected = match result {
                OperationResult::Executed => (3545, 3545),
                OperationResult::Authorized => (3545, 0),
                _ => (0, 0),
            };
            assert_eq!(
                (totals.authorized.minor(), totals.captured.minor()),
                expected,
                "{result:?}"
            );
            assert_eq!(result.is_good(), expected.0 > 0);
        }
    }

    #[test]
    fn good_and_pending_results_hold_the_order() {
        for result in OperationResult::ALL {
            let holds = matches!(
                result.code(),
                "AUTHORIZED" | "EXECUTED" | "PENDING" | "VOIDED" | "REFUNDED"
            );
            assert_eq!(result.holds_the_order(), holds, "{result:?}");
            assert_eq!(OperationResult::from_code(result.code()), Some(result));
        }
    }
}
