//! Routes of terminals: what they mean, and what the refusals say.

use super::*;

fn read(text: &str) -> Result<Terminal, Refusal> {
    let member: TerminalMember = toml::from_str(&format!("id = '55000001'\n{text}")).unwrap();
    member.read(&["north", "south", "east"])
}

fn check(text: &str, expected: &str) {
    let Refusal { member, accepts } = read(text).unwrap_err();
    let said = format!("{member} must be {accepts}");
    assert!(said.starts_with(expected), "{text}: {said}");
}

const REST: &str = "[[route]]\nacquirer = 'north'\n";

#[test]
fn routes_with_the_same_conditions_share_their_payments() {
    let terminal = read(
        "[[route]]\nnetworks = ['VISA', 'MC']\ncurrencies = ['EUR']\nranges = ['4', '51-55']\nshare = 70\nacquirer = 'north'\nfallback = 'south'\n\
         [[route]]\nnetworks = ['VISA', 'MC']\ncurrencies = ['EUR']\nranges = ['4', '51-55']\nshare = 30\nacquirer = 'south'\nfallback = 'north'\n\
         [[route]]\nacquirer = 'east'\n",
    );
    let share = |percent, acquirer: &str, fallback: Option<&str>| Share {
        percent,
        acquirer: acquirer.to_owned(),
        fallback: fallback.map(str::to_owned),
    };
    let expected = [
        Choice {
            conditions: Conditions {
                networks: Some(vec![Network::Visa, Network::Mastercard]),
                currencies: Some(vec![String::from("EUR")]),
                ranges: Some(
                    ["4", "51-55"]
                        .map(|one| CardRange::parse(one).unwrap())
                        .to_vec(),
                ),
            },
            shares: vec![
                share(70, "north", Some("south")),
                share(30, "south", Some("north")),
            ],
        },
        Choice {
            conditions: Conditions::default(),
            shares: vec![share(100, "east", None)],
        },
    ];
    assert_eq!(terminal.unwrap().routes.0, expected);
}

#[test]
fn the_payments_that_the_others_leave_can_be_shared_too() {
    let shared =
        "[[route]]\nshare = 50\nacquirer = 'north'\n[[route]]\nshare = 50\nacquirer = 'south'\n";
    assert_eq!(read(shared).unwrap().routes.0.len(), 1);
    let euro = "[[route]]\ncurrencies = ['EUR']\nacquirer = 'east'\n";
    assert_eq!(read(&format!("{euro}{shared}")).unwrap().routes.0.len(), 2);
}

#[test]
fn a_terminal_without_routes_has_one_acquirer_and_perhaps_a_second() {
    let terminal = read("acquirer = 'north'\nfallback = 'south'").unwrap();
    let expected = Routes::to(String::from("north"), Some(String::from("south")));
    assert_eq!(terminal.routes, expected);
    check("", "acquirer of terminal 55000001 must be given");
    check(
        "acquirer = 'west'",
        "acquirer of terminal 55000001 must be the name of an [[acquirer]]",
    );
    check(
        "acquirer = 'north'\nfallback = 'west'",
        "fallback of terminal 55000001 must be the name of an [[acquirer]]",
    );
    check(
        "acquirer = 'north'\nfallback = 'north'",
        "fallback of terminal 55000001 must be another one than acquirer",
    );
    for key in ["acquirer", "fallback"] {
        check(
            &format!("{key} = 'north'\n{REST}"),
            &format!("{key} of terminal 55000001 must be left out beside a [[terminal.route]]"),
        );
    }
}

#[test]
fn a_member_of_a_route_that_cannot_be_used_is_named_with_what_is_accepted() {
    let first = |member: &str, expected: &str| {
        let text = format!("[[route]]\nacquirer = 'south'\n{member}\n{REST}");
        check(
            &text,
            &format!("{expected} of route 1 of terminal 55000001 must be"),
        );
    };
    first("networks = ['VISA', 'Visa']", "networks");
    first("networks = []", "networks");
    first("currencies = ['eur']", "currencies");
    first("currencies = ['XXX']", "currencies");
    first("currencies = []", "currencies");
    first("ranges = ['123456789']", "ranges");
    first("ranges = ['55-51']", "ranges");
    first("ranges = []", "ranges");
    for share in ["0", "100", "-1", "300"] {
        first(&format!("share = {share}"), "share");
    }
    first("fallback = 'south'", "fallback");
    check(
        "[[route]]\nacquirer = 'west'\n",
        "acquirer of route 1 of terminal 55000001 must be the name of an [[acquirer]]",
    );
}

#[test]
fn shares_that_do_not_add_up_are_refused() {
    let visa =
        |share: &str| format!("[[route]]\nnetworks = ['VISA']\n{share}\nacquirer = 'south'\n");
    let (half, most, whole) = (visa("share = 50"), visa("share = 60"), visa(""));
    check(
        &format!("{half}{REST}"),
        "share of route 1 of terminal 55000001 must be such that the shares of the routes with its conditions (1 to 1) add up to 100; now it is 50",
    );
    check(
        &format!("{half}{most}{REST}"),
        "share of route 2 of terminal 55000001 must be such that the shares of the routes with its conditions (1 to 2) add up to 100; now it is 110",
    );
    for (text, number) in [
        (format!("{half}{whole}{REST}"), 2),
        (format!("{whole}{half}{REST}"), 1),
    ] {
        check(
            &text,
            &format!("share of route {number} of terminal 55000001 must be given"),
        );
    }
    assert!(read(&format!("{half}{half}{REST}")).is_ok());
}

#[test]
fn a_route_that_no_payment_reaches_is_refused_and_so_is_a_last_one_with_conditions() {
    let visa = "[[route]]\nnetworks = ['VISA']\nacquirer = 'south'\n";
    check(
        &format!("{REST}{visa}"),
        "route 2 of terminal 55000001 must be reached by a payment",
    );
    check(
        &format!("{visa}{visa}{REST}"),
        "route 2 of terminal 55000001 must be reached by a payment",
    );
    let shared = "[[route]]\nshare = 50\nacquirer = 'north'\n".repeat(2);
    check(
        &format!("{shared}{visa}"),
        "route 3 of terminal 55000001 must be reached by a payment",
    );
    check(
        visa,
        "route 1 of terminal 55000001 must be without networks, currencies and ranges",
    );
}
