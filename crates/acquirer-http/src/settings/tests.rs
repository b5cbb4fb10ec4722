//! Files of acquirers: what each place takes, and what the refusals say.

use super::*;

const SECRET: &str = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

const MAIN: &str = r#"
[[acquirer]]
name = "main"
url = "https://adapter.example/payframe"
secret_file = "main.secret"
"#;

const TOKEN: &str = r#"
[acquirer.test_cards]
approved = "4761730000000003"
declined = "4761730000001167"
expiry = "1240"
security_code = "123"
currencies = ["EUR"]
[acquirer.test_cards.network_token]
number = "4761730000000003"
wallet = "APPLEPAY"
cryptogram = "AAAA"
eci = "05"
declined_cryptogram = 'BBBB'
"#;

const TERMINAL: &str = r#"
[[terminal]]
id = "55000001"
acquirer = "main"
"#;

/// Reads a file with this text, beside a file with a secret.
fn read(text: &str, place: Place) -> Result<AcquirerFile, SettingsFileError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("acquirers.toml");
    std::fs::write(folder.path().join("main.secret"), SECRET).unwrap();
    std::fs::write(folder.path().join("bad.secret"), "secret").unwrap();
    std::fs::write(&path, text).unwrap();
    AcquirerFile::read(&path, place)
}

#[test]
fn a_file_names_acquirers_and_the_terminals_that_use_them() {
    let text = format!(
        "{MAIN}connect_seconds = 2\n{TERMINAL}without_authentication = true\n[[terminal]]\nid = '55000002'\nacquirer = 'main'\n"
    );
    let file = read(&text, Place::Production).unwrap();
    let [main] = file.acquirers() else {
        panic!("{file:?}");
    };
    assert_eq!((main.name.as_str(), main.is_test_endpoint), ("main", false));
    assert_eq!(main.connect_limit, Duration::from_secs(2));
    assert_eq!(main.answer_limit, Duration::from_secs(30));
    let decided: Vec<_> = file.without_authentication().into_iter().collect();
    assert_eq!(decided, ["55000001"]);
    let terminals: Vec<_> = file.terminals().collect();
    let main = Routes::to(String::from("main"), None);
    assert_eq!(terminals, [("55000001", &main), ("55000002", &main)]);
    assert!(!format!("{file:?}").contains(SECRET));
}

/// The first block of the documentation with this text.
fn block_with(text: &str) -> Option<&'static str> {
    let document = include_str!("../../../../docs/operations.md");
    let mut blocks = document.split("```toml\n").skip(1);
    blocks.find_map(|rest| {
        let (block, _) = rest.split_once("```")?;
        block.contains(text).then_some(block)
    })
}

#[test]
fn the_test_cards_of_the_documentation_can_be_used() {
    let block = block_with("[acquirer.test_cards]\n").unwrap();
    let file = read(&format!("{MAIN}{block}"), Place::Examination).unwrap();
    let token = file.acquirers()[0].test_cards.network_token.as_ref();
    assert!(token.unwrap().declined_cryptogram.is_some());
}

#[test]
fn the_routes_of_the_documentation_can_be_used() {
    let block = block_with("\n[[terminal.route]]");
    let [north, south] =
        ["north", "south"].map(|name| MAIN.replacen("\"main\"", &format!("\"{name}\""), 1));
    let file = read(
        &format!("{north}{south}{}", block.unwrap()),
        Place::Production,
    )
    .unwrap();
    let (id, routes) = file.terminals().next().unwrap();
    assert_eq!((id, routes.0.len()), ("55000002", 3));
}

#[test]
fn what_cannot_be_used_is_named_with_what_is_accepted() {
    let other = |from: &str, to: &str| MAIN.replacen(from, to, 1);
    for (text, expected) in [
        (other("name", "nmae"), "unknown field `nmae`"),
        (
            format!("{MAIN}secret = '{SECRET}'"),
            "unknown field `secret`",
        ),
        (
            other("\"main\"", "\"Main\""),
            "name of an acquirer must be 1 to 40 lower-case letters",
        ),
        (
            other("https", "http"),
            "url of acquirer main must be an https address",
        ),
        (
            other("//", "//me:you@"),
            "url of acquirer main must be an https address",
        ),
        (
            other("payframe\"", "payframe?a=1\""),
            "url of acquirer main must be",
        ),
        (
            other("main.secret", "none.secret"),
            "secret_file of acquirer main must be the path",
        ),
        (
            other("main.secret", "bad.secret"),
            "secret_file of acquirer main must be the path",
        ),
        (
            format!("{MAIN}answer_seconds = 0"),
            "answer_seconds of acquirer main must be",
        ),
        (
            format!("{MAIN}connect_seconds = 121"),
            "connect_seconds of acquirer main must be",
        ),
        (
            format!("{MAIN}ca_file = 'none.pem'"),
            "ca_file of acquirer main must be",
        ),
        (
            format!("{MAIN}test_endpoint = true"),
            "test_endpoint of acquirer main must be false in production",
        ),
        (
            format!("{MAIN}{MAIN}"),
            "name of acquirer main must be different",
        ),
        (
            format!("{MAIN}{TERMINAL}{TERMINAL}"),
            "id of terminal 55000001 must be different",
        ),
        (
            TERMINAL.to_owned(),
            "acquirer of terminal 55000001 must be the name of an [[acquirer]]",
        ),
        (
            format!(
                "{MAIN}[acquirer.test_cards]\napproved = '1'\ndeclined = '2'\nexpiry = '1240'\nsecurity_code = '123'\ncurrencies = ['EUR']"
            ),
            "test_cards of acquirer main must be given with card numbers",
        ),
        (
            format!("{MAIN}{TOKEN}").replace("APPLEPAY", "PAYPHONE"),
            "test_cards of acquirer main must be given with a card number, APPLEPAY or GOOGLEPAY as wallet",
        ),
        (
            format!("{MAIN}{TOKEN}").replace("'BBBB'", "'B'"),
            "declined_cryptogram, and two digits as eci in network_token",
        ),
        (
            format!("{MAIN}{TOKEN}").replace("eci", "ece"),
            "unknown field `ece`",
        ),
        (String::from("acquirer = 1"), "acquirers.toml: "),
    ] {
        let said = read(&text, Place::Production).unwrap_err().to_string();
        assert!(said.contains(expected), "{text}: {said}");
        assert!(said.contains("acquirers.toml"), "{said}");
        assert!(!said.contains(SECRET), "a secret is told");
    }
}

#[test]
fn a_sandbox_takes_test_endpoints_alone_also_on_the_same_machine() {
    let test = format!("{MAIN}test_endpoint = true\n");
    assert!(read(&test, Place::Sandbox).is_ok());
    let said = read(MAIN, Place::Sandbox).unwrap_err().to_string();
    assert!(
        said.contains("test_endpoint of acquirer main must be true in a sandbox"),
        "{said}"
    );
    for (host, expected) in [
        ("http://127.0.0.1:9000", true),
        ("http://localhost:9000/payframe", true),
        ("http://[::1]:9000", true),
        ("http://adapter.example", false),
        ("http://10.0.0.1", false),
        ("ftp://localhost", false),
    ] {
        let local = test.replace("https://adapter.example/payframe", host);
        for (place, accepts) in [
            (Place::Sandbox, expected),
            (Place::Examination, expected),
            (Place::Production, false),
        ] {
            assert_eq!(read(&local, place).is_ok(), accepts, "{host} {place:?}");
        }
    }
    let decided = format!("{test}{TERMINAL}without_authentication = true");
    let said = read(&decided, Place::Sandbox).unwrap_err().to_string();
    assert!(said.contains("must be false in a sandbox"), "{said}");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let said = AcquirerFile::read(Path::new("/nowhere/acquirers.toml"), Place::Production);
    let said = said.unwrap_err().to_string();
    assert!(said.starts_with("/nowhere/acquirers.toml: "), "{said}");
}

const ISO: &str = r#"
[[acquirer]]
name = "bank"
protocol = "iso8583"
host = "host.example"
"#;

#[test]
fn an_acquirer_of_another_protocol_is_passed_on_with_its_members() {
    let text = format!("{MAIN}{ISO}[[terminal]]\nid = '55000001'\nacquirer = 'bank'\n");
    let file = read(&text, Place::Production).unwrap();
    assert_eq!(file.acquirers().len(), 1);
    let [bank] = file.others() else {
        panic!("{file:?}");
    };
    assert_eq!(bank.name, "bank");
    assert_eq!(bank.members.len(), 1);
    assert_eq!(bank.members["host"].as_str(), Some("host.example"));
    let terminals: Vec<_> = file.terminals().collect();
    let bank = Routes::to(String::from("bank"), None);
    assert_eq!(terminals, [("55000001", &bank)]);
}

#[test]
fn what_all_protocols_have_is_checked_for_all_of_them() {
    let check = |text: String, place: Place, expected: &str| {
        let said = read(&text, place).unwrap_err().to_string();
        assert!(said.contains(expected), "{said}");
    };
    let other = |from: &str, to: &str| ISO.replacen(from, to, 1);
    let production = Place::Production;
    check(
        other("iso8583", "iso20022"),
        production,
        "protocol must be \"http\" or \"iso8583\"",
    );
    check(
        other("\"bank\"", "\"Bank\""),
        production,
        "name of an acquirer must be",
    );
    check(
        format!("{MAIN}{}", other("\"bank\"", "\"main\"")),
        production,
        "name of acquirer main must be different",
    );
    check(
        ISO.to_owned(),
        Place::Sandbox,
        "test_endpoint of acquirer bank must be true in a sandbox",
    );
    check(
        format!("{ISO}test_endpoint = true\n"),
        production,
        "test_endpoint of acquirer bank must be false in production",
    );
}
