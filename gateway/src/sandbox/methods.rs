//! The sandbox's operators of alternative methods: what each button of their page comes to (contract 11.8).

use super::cards::IssuerPlan;
use crate::domain::method::{Method, MethodStart};
use crate::domain::operation::Settlement;
use crate::domain::session::MethodScript;

/// What the method's operator answers.
pub(crate) fn plan(method: &Method, script: MethodScript) -> IssuerPlan {
    let (settlement, later) = match (script, method.start()) {
        (MethodScript::Refusing, _) => (Settlement::Declined, None),
        (MethodScript::Approving, MethodStart::Paid) => (Settlement::Approved, None),
        (MethodScript::Approving, MethodStart::Pending) | (MethodScript::Waiting, _) => {
            (Settlement::Pending, Some((NO_ISO, Settlement::Approved)))
        }
    };
    IssuerPlan {
        iso: NO_ISO,
        settlement,
        later,
    }
}

/// Stands in for the response code, which cards alone have.
const NO_ISO: &str = "";

#[cfg(test)]
mod tests {
    use super::*;
    use Settlement::{Approved, Declined, Pending};

    #[test]
    fn buttons_come_to_what_the_contract_says() {
        for (code, script, expected) in [
            ("PAYPAL", MethodScript::Approving, (Approved, None)),
            ("PAYPAL", MethodScript::Refusing, (Declined, None)),
            ("PAYPAL", MethodScript::Waiting, (Pending, Some(Approved))),
            (
                "MULTIBANCO",
                MethodScript::Approving,
                (Pending, Some(Approved)),
            ),
            ("MULTIBANCO", MethodScript::Refusing, (Declined, None)),
        ] {
            let method = Method::from_code(code).unwrap();
            let plan = plan(method, script);
            let later = plan.later.map(|(_, settlement)| settlement);
            assert_eq!((plan.settlement, later), expected, "{code} {script:?}");
        }
    }
}
