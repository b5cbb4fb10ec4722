//! Test card numbers: which are known, and the outcome of each.

use super::*;
use payframe_card_rules::network::NetworkSet;

#[test]
fn numbers_of_the_contract_behave_as_listed() {
    let check = |number: &str,
                 iso: &str,
                 result: AuthorizationResult,
                 access_control: AccessControl,
                 check: DeviceCheckScript| {
        let digits = number.replace(' ', "");
        CardNumber::parse(&digits, NetworkSet::all())
            .unwrap_or_else(|problem| panic!("{number}: {problem:?}"));
        let scenario = Scenario::of(&digits);
        let plan = scenario.plan();
        assert_eq!((plan.iso, plan.result), (iso, result), "{number}");
        assert_eq!(
            (scenario.access_control(), scenario.device_check()),
            (access_control, check),
            "{number}"
        );
    };
    let full = AccessControl::Pass(Authentication::Full);
    let none = AccessControl::Pass(Authentication::None);
    let regular = AccessControl::Challenge(ChallengeScript::Regular);
    use AuthorizationResult::{Approved, Declined, Failed, Pending};
    use DeviceCheckScript::{NotDue, Quick, Silent, Slow};
    check("4349 9401 9900 4549", "000", Approved, full, Quick);
    check("5186 1516 5000 5008", "000", Approved, full, Quick);
    check("4349 9401 9999 7007", "100", Declined, full, Quick);
    check("5533 8938 7430 4465", "100", Declined, full, Quick);
    check("4761 7300 0000 0003", "000", Approved, full, Quick);
    check("4761 7300 0000 3007", "000", Approved, regular, Quick);
    check(
        "4761 7300 0000 3015",
        "000",
        Approved,
        AccessControl::Challenge(ChallengeScript::Failing),
        Quick,
    );
    check(
        "4761 7300 0000 3023",
        "000",
        Approved,
        AccessControl::Challenge(ChallengeScript::Endless),
        Quick,
    );
    check("4761 7300 0000 3031", "000", Approved, none, Silent);
    check("4761 7300 0000 3049", "000", Approved, none, NotDue);
    check("4761 7300 0000 3056", "000", Approved, none, Quick);
    check(
        "4761 7300 0000 3064",
        "000",
        Approved,
        AccessControl::Refused,
        Quick,
    );
    check(
        "4761 7300 0000 3072",
        "000",
        Approved,
        AccessControl::Pass(Authentication::Attempted),
        Quick,
    );
    check("4761 7300 0000 3080", "116", Declined, regular, Quick);
    check("4761 7300 0000 3098", "000", Approved, full, Slow);
    let on_demand = AccessControl::OnDemand;
    check("4761 7300 0000 3114", "000", Approved, on_demand, Quick);
    check("4761 7300 0000 3122", "000", Approved, on_demand, Quick);
    check("4761 7300 0000 3130", "000", Approved, none, Quick);
    let confirmation = AccessControl::Confirmation;
    check("4761 7300 0000 3148", "000", Approved, confirmation, Quick);
    let in_app = AccessControl::Decoupled;
    check("4761 7300 0000 3155", "000", Approved, in_app, Quick);
    check("4761 7300 0000 6000", "000", Approved, full, Quick);
    check("4761 7300 0000 7016", "000", Approved, full, Quick);
    check("4761 7300 0000 1167", "116", Declined, full, Quick);
    check("5413 3300 0000 1298", "129", Declined, full, Quick);
    check("4761 7300 0000 8881", "888", Pending, full, Quick);
    check("4761 7300 0000 9079", "907", Pending, full, Quick);
    check("4761 7300 0000 9095", "909", Failed, full, Quick);
    check("4761 7300 0000 9137", "913", Declined, full, Quick);
    check("4761 7300 0000 0", "000", Approved, full, Quick);
    check("4761 7300 0116 4", "116", Declined, full, Quick);
    check("4761 7300 0000 0003 004", "000", Approved, regular, Quick);
    check("3742 450000 01163", "116", Declined, full, Quick);
    check("3614 890000 3000", "000", Approved, regular, Quick);
    check("6799 9900 0000 0001 167", "116", Declined, full, Quick);
    check("6200 0000 0000 0000 000", "000", Approved, full, Quick);
    check("4761 7382 6000 3005", "000", Approved, regular, Quick);
    check("6205 5000 0000 0000 004", "000", Approved, full, Quick);
    check("3056 930902 5904", "000", Approved, full, Quick);
}

#[test]
fn stored_cards_may_run_out() {
    for (number, now, later) in [
        ("4761730000007016", "000", "101"),
        ("4761730000007164", "000", "116"),
        ("4761730000000003", "000", "000"),
        ("4761730000001167", "116", "116"),
    ] {
        let scenario = Scenario::of(number);
        let plans = (scenario.plan().iso, scenario.plan_of_stored_card().iso);
        assert_eq!(plans, (now, later), "{number}");
    }
}

#[test]
fn one_case_is_too_risky() {
    let decide = |number: &str| {
        let typed = samples::Typed::of(number);
        TestCards.decide(&RiskQuestion {
            number: &typed.number,
            expiry: typed.expiry,
        })
    };
    assert_eq!(decide("4761730000006000"), RiskDecision::Deny);
    assert_eq!(decide("4761730000000003"), RiskDecision::Accept);
}

#[test]
fn one_case_compares_what_was_typed() {
    let check = |typed: &samples::Typed, expected: &str| {
        let card = samples::card(typed);
        // Exposed because the test looks up its own number.
        let plan = Scenario::of(typed.number.expose()).plan_of_payment(&card);
        assert_eq!(plan.iso, expected, "{typed:?}");
    };
    let typed = || samples::Typed::of("4761730000004005");
    check(&typed(), "000");
    check(&typed().with_code("999"), "129");
    check(&typed().with_code("9999"), "129");
    check(&typed().with_name("no match"), "119");
    check(&typed().with_expiry("1240"), "101");
    check(&typed().with_expiry("1240").with_code("999"), "101");
    check(&typed().without_code(), "000");
    // Every other card is approved with any values.
    let other = samples::Typed::of("4761730000000003");
    let other = other.with_expiry("1240").with_code("999");
    check(&other.with_name("No Match"), "000");
    let stored = typed().with_expiry("1240");
    let card = CardAuthorization {
        origin: CardOrigin::Stored,
        ..samples::card(&stored)
    };
    assert_eq!(Scenario(COMPARING).plan_of_payment(&card).iso, "101");
}

#[test]
fn a_bank_disputes_by_the_digits_that_stay_known() {
    let disputes = |masked: &str| TestCards.dispute_of(masked).is_some();
    for masked in ["476173******7505", "47617300****7505", "541333******7503"] {
        assert!(disputes(masked), "{masked}");
    }
    for masked in [
        "476173******0003",
        "476173******7305",
        "411111******7505",
        "7505",
        "",
        "47617ü******7505",
    ] {
        assert!(!disputes(masked), "{masked}");
    }
}

#[test]
fn some_cases_want_an_authentication() {
    let check = |number: &str, with: &str, without: &str| {
        let typed = samples::Typed::of(number);
        let plan = |authentication| {
            let card = CardAuthorization {
                authentication,
                ..samples::card(&typed)
            };
            // Exposed because the test looks up its own number.
            let plan = Scenario::of(typed.number.expose()).plan_of_payment(&card);
            let reason = plan.decline_reason.map_or("", DeclineReason::code);
            format!("{} {reason}", plan.iso)
        };
        assert_eq!(plan(Some(samples::evidence())), with, "{number}");
        assert_eq!(plan(None), without, "{number}");
    };
    let demands = "100 AUTHENTICATION_REQUIRED";
    check("4761730000003114", "000 ", demands);
    check("4761730000003122", demands, demands);
    check("4761730000003130", "000 ", demands);
    check("4761730000000003", "000 ", "000 ");
}

#[test]
fn numbers_that_are_not_listed_are_refused_with_111() {
    for number in ["4012888888881881", "5105105105105100", "4761730000005556"] {
        assert_eq!(Scenario::of(number).plan().iso, "111", "{number}");
    }
}

#[test]
fn later_results_are_those_of_the_contract() {
    assert_eq!(
        Scenario(888).plan().later,
        Some(("000", AuthorizationResult::Approved))
    );
    assert_eq!(
        Scenario(907).plan().later,
        Some(("907", AuthorizationResult::Declined))
    );
    assert_eq!(
        Scenario(911).plan().later,
        Some(("000", AuthorizationResult::Approved))
    );
}

#[test]
fn ranges_tell_country_and_second_network() {
    let issuer = TestCards.issuer_of("47617325");
    assert_eq!((issuer.networks.len(), issuer.country), (2, Some("FRA")));
    assert_eq!(
        TestCards.issuer_of("47617350").funding,
        Some(Funding::Prepaid)
    );
    assert_eq!(TestCards.issuer_of("476173").country, None);
    assert!(TestCards.issuer_of("90000000").networks.is_empty());
}

#[test]
fn no_scenario_has_two_prefixes() {
    let prefixes: Vec<&str> = RANGES
        .iter()
        .flat_map(|range| range.prefixes.iter().copied())
        .collect();
    for prefix in &prefixes {
        let same = prefixes
            .iter()
            .filter(|other| other.len() == prefix.len() && *other == prefix);
        assert_eq!(same.count(), 1, "{prefix}");
    }
}
