//! Compares the tables of `docs/testing.md` with the test numbers.

use super::{
    AccessControl, COMPARED, COMPARING, ChallengeScript, DEMANDING, DeviceCheckScript, IssuerPlan,
    KNOWN, RANGES, Range, Scenario, Typed, UNCONVINCED, UNKNOWN_NUMBER, UNREACHABLE,
};
use payframe_card_rules::card_number::passes_luhn;
use payframe_card_rules::entry::format_card_number;
use payframe_card_rules::network::network_of;
use payframe_payment_ports::acquirer::AuthorizationResult;
use payframe_payment_ports::three_ds_server::Authentication;
use std::fmt::Write;

const GUIDE: &str = include_str!("../../../../docs/testing.md");

#[test]
fn the_guide_says_what_becomes_of_every_card() {
    let [visa, mastercard] = ["476173000000", "541333000000"];
    for scenario in (0..1000).filter(|scenario| Scenario(*scenario).is_listed()) {
        let row = format!(
            "| {} | {} | {} | {:03} |",
            format_card_number(&number(visa, scenario)),
            format_card_number(&number(mastercard, scenario)),
            outcome(Scenario(scenario)),
            scenario
        );
        assert!(
            GUIDE.contains(&row),
            "docs/testing.md is to have a row that begins with\n{row}"
        );
    }
}

#[test]
fn the_guide_has_the_table_of_all_kinds_of_cards() {
    let mut table = String::new();
    for range in RANGES {
        for prefix in range.prefixes {
            writeln!(table, "{}", row_of_kind(range, prefix)).unwrap();
        }
    }
    assert!(
        GUIDE.contains(&table),
        "docs/testing.md is to have these rows:\n{table}"
    );
}

#[test]
fn the_guide_has_the_numbers_that_everybody_knows() {
    for (number, scenario) in KNOWN {
        let told = format!(
            "| {} | {} | {} |",
            format_card_number(number),
            network_of(number).unwrap().code(),
            outcome(Scenario(*scenario))
        );
        assert!(GUIDE.contains(&told), "docs/testing.md is to have\n{told}");
    }
    let other = outcome(UNKNOWN_NUMBER);
    assert!(GUIDE.contains(&format!("any other number is {other}")));
}

#[test]
fn the_guide_says_what_the_comparing_issuer_finds_wrong() {
    let number = format_card_number(&number("476173000000", COMPARING));
    assert!(GUIDE.contains(&format!("Of case {COMPARING}, as {number},")));
    let mut table = String::new();
    for (typed, value, refusal) in COMPARED {
        let what = match typed {
            Typed::Expiry => format!("expiry {}/{}", &value[..2], &value[2..]),
            Typed::SecurityCode => format!("security code {value}"),
            Typed::HolderName => format!("name {value}"),
        };
        writeln!(table, "| {what} | {} |", outcome(Scenario(*refusal))).unwrap();
    }
    assert!(
        GUIDE.contains(&table),
        "docs/testing.md is to have these rows:\n{table}"
    );
}

fn row_of_kind(range: &Range, prefix: &str) -> String {
    let networks: Vec<String> = range
        .networks
        .iter()
        .map(|network| format!("`{}`", network.code()))
        .collect();
    let [approved, challenged, no_funds] =
        [0, 300, 116].map(|scenario| format_card_number(&number(prefix, scenario)));
    format!(
        "| {} | {}, {}, {} | {approved} | {challenged} | {no_funds} |",
        networks.join(", "),
        range.country,
        range.funding.code(),
        range.currency
    )
}

/// The number of a scenario, with its check digit.
fn number(prefix: &str, scenario: u16) -> String {
    (0..10)
        .map(|check| format!("{prefix}{scenario:03}{check}"))
        .find(|number| passes_luhn(number))
        .unwrap()
}

/// The outcome of a first payment in the form, in the words of the guide.
fn outcome(scenario: Scenario) -> String {
    if scenario.is_too_risky() {
        return "refused by risk rules".to_owned();
    }
    let answer = answer(scenario.plan());
    match scenario.0 {
        DEMANDING => {
            return format!("declined without an authentication, challenge, then {answer}");
        }
        UNCONVINCED => {
            return "declined without an authentication, challenge, then declined (100)".to_owned();
        }
        UNREACHABLE => return "declined without an authentication (100)".to_owned(),
        _ => {}
    }
    let checked = match scenario.device_check() {
        DeviceCheckScript::Quick => "",
        DeviceCheckScript::Slow => "slow device check, then ",
        DeviceCheckScript::Silent => "device check without an end, then ",
        DeviceCheckScript::NotDue => "no device check, ",
    };
    let after = match scenario.access_control() {
        AccessControl::Pass(Authentication::Full) => answer,
        AccessControl::Pass(Authentication::Attempted) => {
            format!("{answer}, authentication attempted")
        }
        AccessControl::Pass(
            Authentication::DataShared | Authentication::None | Authentication::NotDue,
        ) => {
            format!("{answer}, not authenticated")
        }
        AccessControl::Challenge(ChallengeScript::Regular) => format!("challenge, then {answer}"),
        AccessControl::Challenge(ChallengeScript::Failing) => {
            "challenge that fails whatever is typed".to_owned()
        }
        AccessControl::Challenge(ChallengeScript::Endless) => "challenge without an end".to_owned(),
        AccessControl::Confirmation => {
            format!("confirmation by the device, or a challenge, then {answer}")
        }
        AccessControl::Decoupled => format!("confirmation in the bank's app, then {answer}"),
        AccessControl::Refused => "authentication refused".to_owned(),
        AccessControl::OnDemand => format!("{answer}, challenge on demand"),
    };
    format!("{checked}{after}")
}

fn answer(plan: IssuerPlan) -> String {
    let said = |iso: &str, result: AuthorizationResult| match result {
        AuthorizationResult::Approved => "approved".to_owned(),
        AuthorizationResult::Declined => format!("declined ({iso})"),
        AuthorizationResult::Failed => format!("failed ({iso})"),
        AuthorizationResult::Pending => format!("pending ({iso})"),
    };
    let now = said(plan.iso, plan.result);
    match plan.later {
        Some((iso, result)) => format!("{now}, later {}", said(iso, result)),
        None => now,
    }
}
