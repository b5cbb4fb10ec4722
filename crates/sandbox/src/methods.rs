//! The sandbox's operators of alternative methods: the result of each button of their page (contract 11.8).

use super::cards::IssuerPlan;
use payframe_payment_domain::method::{Method, MethodStart};
use payframe_payment_domain::operation::AuthorizationResult;

/// The operator's response to the data that its page sent back with the buyer.
pub(crate) fn plan(method: &Method, return_data: &str) -> IssuerPlan {
    let (result, later) = match (return_data, method.start()) {
        (APPROVING, MethodStart::Paid) => (AuthorizationResult::Approved, None),
        (APPROVING, MethodStart::Pending) | (WAITING, _) => (
            AuthorizationResult::Pending,
            Some((NO_ISO, AuthorizationResult::Approved)),
        ),
        // Data that the page never sends is declined.
        _ => (AuthorizationResult::Declined, None),
    };
    IssuerPlan {
        iso: NO_ISO,
        result,
        decline_reason: None,
        later,
    }
}

/// The buyer pays.
pub(crate) const APPROVING: &str = "Approving";

/// The buyer refuses.
pub(crate) const REFUSING: &str = "Refusing";

/// The payment stays pending.
pub(crate) const WAITING: &str = "Waiting";

/// The empty response code: only cards have one.
const NO_ISO: &str = "";

#[cfg(test)]
mod tests {
    use super::*;
    use AuthorizationResult::{Approved, Declined, Pending};

    #[test]
    fn buttons_come_to_what_the_contract_says() {
        for (code, script, expected) in [
            ("PAYPAL", APPROVING, (Approved, None)),
            ("PAYPAL", REFUSING, (Declined, None)),
            ("PAYPAL", WAITING, (Pending, Some(Approved))),
            ("MULTIBANCO", APPROVING, (Pending, Some(Approved))),
            ("MULTIBANCO", REFUSING, (Declined, None)),
            ("PAYPAL", "", (Declined, None)),
        ] {
            let method = Method::from_code(code).unwrap();
            let plan = plan(method, script);
            let later = plan.later.map(|(_, result)| result);
            assert_eq!((plan.result, later), expected, "{code} {script:?}");
        }
    }
}
