//! The life of a hosted payment page and of a payment link, which is a page whose address can be sent to a buyer (contract 8.1.1
//! to 8.1.4): what a result does to it, when it can be cancelled, when it can be renewed.
//!
//! The sessions in which a page is paid have their own states ([`super::session`]); a page gets only their results.
//! Its expiry is not stored: it follows from [`HostedPageLifecycle::ends_ms`].

mod link_validity;

pub use link_validity::{EndTime, LinkValidity, minutes};

use super::operation::OperationResult;

/// What a page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Made for a buyer who is in the shop now.
    Page,
    /// Sent to a buyer.
    Link,
}

/// The stored state of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostedPageLifecycle {
    /// A page, or a link to one.
    pub kind: Kind,
    /// Its status, apart from its expiry.
    pub status: HostedPageState,
    /// The number of refused attempts.
    pub refused: u8,
    /// The first moment at which it is expired.
    pub ends_ms: i64,
}

/// The status of a page, apart from its expiry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostedPageState {
    /// It can be paid.
    Active,
    /// It was paid, by this operation. This status is final.
    Paid(String),
    /// It was cancelled.
    Canceled,
    /// Too many attempts were refused.
    Failed,
}

/// The status of a page at a moment (contract 2.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It can be paid.
    Active,
    /// It was paid.
    Paid,
    /// It is expired.
    Expired,
    /// It was cancelled.
    Canceled,
    /// Too many attempts were refused.
    Failed,
}

/// Why a page cannot be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostedPageError {
    /// It was paid.
    #[error("it was paid")]
    Used,
    /// A payment is in progress on it.
    #[error("a payment is in progress on it")]
    Running,
    /// It was cancelled.
    #[error("it was given up")]
    Canceled,
}

/// Whether a payment is in progress: the buyer is on the page of the bank or the method, or the outcome is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payment {
    /// No.
    None,
    /// Yes.
    Running,
}

impl Kind {
    /// The code in the database.
    pub fn code(self) -> &'static str {
        match self {
            Kind::Page => "PAGE",
            Kind::Link => "LINK",
        }
    }

    /// The kind of a code in the database.
    pub fn from_code(code: &str) -> Option<Kind> {
        [Kind::Page, Kind::Link]
            .into_iter()
            .find(|kind| kind.code() == code)
    }

    /// How many attempts may be refused; the last of them ends the page.
    pub fn tries(self) -> u8 {
        match self {
            Kind::Page => 5,
            Kind::Link => 10,
        }
    }
}

impl Status {
    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            Status::Active => "ACTIVE",
            Status::Paid => "PAID",
            Status::Expired => "EXPIRED",
            Status::Canceled => "CANCELED",
            Status::Failed => "FAILED",
        }
    }

    /// Every code.
    pub const CODES: [&'static str; 5] = ["ACTIVE", "PAID", "EXPIRED", "CANCELED", "FAILED"];
}

impl HostedPageLifecycle {
    /// A new page.
    pub fn new(kind: Kind, ends_ms: i64) -> HostedPageLifecycle {
        HostedPageLifecycle {
            kind,
            status: HostedPageState::Active,
            refused: 0,
            ends_ms,
        }
    }

    /// Its status at a moment.
    pub fn status(&self, now_ms: i64) -> Status {
        match self.status {
            HostedPageState::Active if now_ms >= self.ends_ms => Status::Expired,
            HostedPageState::Active => Status::Active,
            HostedPageState::Paid(_) => Status::Paid,
            HostedPageState::Canceled => Status::Canceled,
            HostedPageState::Failed => Status::Failed,
        }
    }

    /// The number of remaining attempts.
    pub fn tries_left(&self) -> u8 {
        self.kind.tries().saturating_sub(self.refused)
    }

    /// The operation that paid it.
    pub fn paid_by(&self) -> Option<&str> {
        match &self.status {
            HostedPageState::Paid(operation_id) => Some(operation_id),
            _ => None,
        }
    }

    /// The state after an operation of one of its sessions got this result. If money was taken, the page is paid in any case.
    pub fn after(self, operation_id: &str, result: OperationResult) -> HostedPageLifecycle {
        let status = match (result, self.status) {
            (_, paid @ HostedPageState::Paid(_)) => paid,
            (OperationResult::Authorized | OperationResult::Executed, _) => {
                HostedPageState::Paid(operation_id.to_owned())
            }
            (
                OperationResult::Declined
                | OperationResult::DeniedByRisk
                | OperationResult::ThreeDsFailed
                | OperationResult::Failed,
                status,
            ) => {
                let refused = self.refused.saturating_add(1);
                let status = match status {
                    HostedPageState::Active if refused >= self.kind.tries() => {
                        HostedPageState::Failed
                    }
                    status => status,
                };
                return HostedPageLifecycle {
                    status,
                    refused,
                    ..self
                };
            }
            // A buyer who leaves a page returns to the shop. A buyer who leaves a link may come again.
            (OperationResult::Canceled, HostedPageState::Active) if self.kind == Kind::Page => {
                HostedPageState::Canceled
            }
            (
                OperationResult::Canceled
                | OperationResult::Pending
                | OperationResult::ThreeDsValidated
                | OperationResult::Voided
                | OperationResult::Refunded,
                status,
            ) => status,
        };
        HostedPageLifecycle { status, ..self }
    }

    /// The state after it was cancelled. Cancelling twice is not an error.
    pub fn cancel(self, payment: Payment) -> Result<HostedPageLifecycle, HostedPageError> {
        match (&self.status, payment) {
            (HostedPageState::Paid(_), _) => Err(HostedPageError::Used),
            (HostedPageState::Active | HostedPageState::Failed, Payment::Running) => {
                Err(HostedPageError::Running)
            }
            (HostedPageState::Active | HostedPageState::Failed | HostedPageState::Canceled, _) => {
                Ok(HostedPageLifecycle {
                    status: HostedPageState::Canceled,
                    ..self
                })
            }
        }
    }

    /// The state after it was renewed until `ends_ms`, with the full number of attempts.
    pub fn renew(self, ends_ms: i64) -> Result<HostedPageLifecycle, HostedPageError> {
        match self.status {
            HostedPageState::Paid(_) => Err(HostedPageError::Used),
            HostedPageState::Canceled => Err(HostedPageError::Canceled),
            HostedPageState::Active | HostedPageState::Failed => {
                Ok(HostedPageLifecycle::new(self.kind, ends_ms))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ENDS_MS: i64 = 1_000;

    fn life(kind: Kind, status: HostedPageState, refused: u8) -> HostedPageLifecycle {
        HostedPageLifecycle {
            kind,
            status,
            refused,
            ends_ms: ENDS_MS,
        }
    }

    fn paid() -> HostedPageState {
        HostedPageState::Paid(String::from("1"))
    }

    #[test]
    fn it_expires_at_its_end_and_not_before() {
        for (status, now_ms, expected) in [
            (HostedPageState::Active, ENDS_MS - 1, Status::Active),
            (HostedPageState::Active, ENDS_MS, Status::Expired),
            (paid(), ENDS_MS, Status::Paid),
            (HostedPageState::Canceled, ENDS_MS, Status::Canceled),
            (HostedPageState::Failed, ENDS_MS, Status::Failed),
        ] {
            assert_eq!(life(Kind::Link, status, 0).status(now_ms), expected);
        }
    }

    #[test]
    fn results_do_what_the_contract_says() {
        use OperationResult::{
            Authorized, Canceled, Declined, DeniedByRisk, Executed, Failed, Pending, Refunded,
            ThreeDsFailed, Voided,
        };
        let check =
            |kind, before: HostedPageState, refused, result, expected: (HostedPageState, u8)| {
                let after = life(kind, before.clone(), refused).after("2", result);
                assert_eq!(
                    (after.status, after.refused),
                    expected,
                    "{kind:?} {before:?} {refused} {result:?}"
                );
            };
        let paid_now = || HostedPageState::Paid(String::from("2"));
        for kind in [Kind::Page, Kind::Link] {
            for good in [Authorized, Executed] {
                for before in [
                    HostedPageState::Active,
                    HostedPageState::Canceled,
                    HostedPageState::Failed,
                ] {
                    check(kind, before, 0, good, (paid_now(), 0));
                }
                check(kind, paid(), 0, good, (paid(), 0));
            }
            for refusal in [Declined, DeniedByRisk, ThreeDsFailed, Failed] {
                check(
                    kind,
                    HostedPageState::Active,
                    0,
                    refusal,
                    (HostedPageState::Active, 1),
                );
                let last = kind.tries() - 1;
                check(
                    kind,
                    HostedPageState::Active,
                    last,
                    refusal,
                    (HostedPageState::Failed, last + 1),
                );
                check(
                    kind,
                    HostedPageState::Canceled,
                    last,
                    refusal,
                    (HostedPageState::Canceled, last + 1),
                );
                check(kind, paid(), 0, refusal, (paid(), 0));
            }
            for nothing in [Pending, Voided, Refunded] {
                check(
                    kind,
                    HostedPageState::Active,
                    3,
                    nothing,
                    (HostedPageState::Active, 3),
                );
            }
        }
        check(
            Kind::Page,
            HostedPageState::Active,
            0,
            Canceled,
            (HostedPageState::Canceled, 0),
        );
        check(
            Kind::Link,
            HostedPageState::Active,
            0,
            Canceled,
            (HostedPageState::Active, 0),
        );
        check(
            Kind::Page,
            HostedPageState::Failed,
            5,
            Canceled,
            (HostedPageState::Failed, 5),
        );
    }

    #[test]
    fn only_what_is_unpaid_and_idle_is_given_up() {
        for (status, payment, expected) in [
            (
                HostedPageState::Active,
                Payment::None,
                Ok(HostedPageState::Canceled),
            ),
            (
                HostedPageState::Active,
                Payment::Running,
                Err(HostedPageError::Running),
            ),
            (
                HostedPageState::Failed,
                Payment::None,
                Ok(HostedPageState::Canceled),
            ),
            (
                HostedPageState::Canceled,
                Payment::None,
                Ok(HostedPageState::Canceled),
            ),
            (
                HostedPageState::Canceled,
                Payment::Running,
                Ok(HostedPageState::Canceled),
            ),
            (paid(), Payment::None, Err(HostedPageError::Used)),
            (paid(), Payment::Running, Err(HostedPageError::Used)),
        ] {
            let given_up = life(Kind::Link, status.clone(), 2).cancel(payment);
            let given_up = given_up.map(|life| life.status);
            assert_eq!(given_up, expected, "{status:?} {payment:?}");
        }
    }

    #[test]
    fn a_renewal_gives_all_tries_back() {
        for (status, expected) in [
            (
                HostedPageState::Active,
                Ok((HostedPageState::Active, 0, 2_000)),
            ),
            (
                HostedPageState::Failed,
                Ok((HostedPageState::Active, 0, 2_000)),
            ),
            (HostedPageState::Canceled, Err(HostedPageError::Canceled)),
            (paid(), Err(HostedPageError::Used)),
        ] {
            let renewed = life(Kind::Link, status.clone(), 10).renew(2_000);
            let renewed = renewed.map(|life| (life.status, life.refused, life.ends_ms));
            assert_eq!(renewed, expected, "{status:?}");
        }
    }

    #[derive(Clone, Debug)]
    enum PageAction {
        Result(OperationResult),
        Cancel(Payment),
        Renew,
    }

    fn action() -> impl Strategy<Value = PageAction> {
        prop_oneof![
            proptest::sample::select(OperationResult::ALL.to_vec()).prop_map(PageAction::Result),
            proptest::sample::select(vec![Payment::None, Payment::Running])
                .prop_map(PageAction::Cancel),
            Just(PageAction::Renew),
        ]
    }

    proptest! {
        #[test]
        fn what_was_paid_stays_paid_by_the_same_operation(
            is_link in any::<bool>(),
            actions in proptest::collection::vec(action(), 0..40),
        ) {
            let kind = if is_link { Kind::Link } else { Kind::Page };
            let mut life = HostedPageLifecycle::new(kind, ENDS_MS);
            for (number, action) in actions.into_iter().enumerate() {
                let before = life.clone();
                life = match action {
                    PageAction::Result(result) => life.after(&number.to_string(), result),
                    PageAction::Cancel(payment) => life.cancel(payment).unwrap_or_else(|_| before.clone()),
                    PageAction::Renew => life.renew(ENDS_MS + 1).unwrap_or_else(|_| before.clone()),
                };
                if before.paid_by().is_some() {
                    prop_assert_eq!(&life, &before);
                }
                prop_assert!(life.status != HostedPageState::Active || life.refused < kind.tries());
                prop_assert_eq!(life.status == HostedPageState::Active, life.tries_left() > 0 && life.status == HostedPageState::Active);
            }
        }
    }
}
