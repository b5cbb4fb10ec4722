//! Settings are read as documented, and what is not accepted is refused by name.

use super::*;

/// Reads an environment with these variables.
fn with(variables: &[(&'static str, &'static str)]) -> Result<Config, ConfigError> {
    Config::read(|asked| {
        let found = variables.iter().find(|(name, _)| *name == asked);
        found.map(|(_, value)| (*value).to_owned())
    })
}

/// A sandbox with one more setting.
fn read(name: &'static str, value: &'static str) -> Result<Config, ConfigError> {
    with(&[("PAYFRAME_MODE", "sandbox"), (name, value)])
}

const PRODUCTION: [(&str, &str); 2] = [
    ("PAYFRAME_MODE", "production"),
    ("PAYFRAME_ORIGIN", "https://pay.example"),
];

/// Production with one more setting.
fn produce(name: &'static str, value: &'static str) -> Result<Config, ConfigError> {
    let [mode, origin] = PRODUCTION;
    // If two variables have the same name, the first one is read.
    with(&[(name, value), mode, origin])
}

#[test]
fn the_mode_has_to_be_set() {
    let problem = with(&[]).unwrap_err();
    assert_eq!(problem, ConfigError::NoMode);
    let said = problem.to_string();
    for expected in ["PAYFRAME_MODE", "  sandbox  ", "  production  "] {
        assert!(said.contains(expected), "{said}");
    }
    for other in ["", "Production", "live"] {
        let said = with(&[("PAYFRAME_MODE", other)]).unwrap_err().to_string();
        assert_eq!(
            said, "PAYFRAME_MODE must be sandbox or production",
            "{other}"
        );
    }
}

#[test]
fn a_sandbox_needs_no_further_setting() {
    let config = with(&[("PAYFRAME_MODE", "sandbox")]).unwrap();
    assert_eq!(config.mode, Mode::Sandbox(Sandbox::default()));
    assert_eq!(config.origin, "http://localhost:8787");
    assert_eq!(config.listen.port(), 8787);
    assert_eq!(config.idle, Duration::from_secs(300));
}

const TOKEN: [(&str, &str); 5] = [
    ("PAYFRAME_MODE", "sandbox"),
    ("PAYFRAME_PKCS11_MODULE", "/lib/module.so"),
    ("PAYFRAME_PKCS11_TOKEN", "payframe"),
    ("PAYFRAME_PKCS11_KEY", "vault-2026"),
    ("PAYFRAME_PKCS11_PIN_FILE", "/run/pin"),
];

#[test]
fn a_token_is_set_as_a_whole_and_with_one_pin() {
    assert!(with(&TOKEN).unwrap().token.complete().unwrap().is_some());
    let none = with(&TOKEN[..1]).unwrap();
    assert!(none.token.complete().unwrap().is_none());
    for at in 1..TOKEN.len() {
        let mut settings = TOKEN.to_vec();
        let (missing, _) = settings.remove(at);
        let said = with(&settings).unwrap_err().to_string();
        let expected = match missing {
            "PAYFRAME_PKCS11_PIN_FILE" => "PAYFRAME_PKCS11_PIN must be set",
            _ => missing,
        };
        assert!(said.starts_with(expected), "{said}");
    }
    for (other, value) in [
        ("PAYFRAME_PKCS11_PIN", "hunter2"),
        ("PAYFRAME_PKCS11_PIN_COMMAND", "print hunter2"),
    ] {
        let settings = [&TOKEN[..], &[(other, value)]].concat();
        let said = with(&settings).unwrap_err().to_string();
        let names_both = said.contains(other) && said.contains("PAYFRAME_PKCS11_PIN_FILE");
        assert!(names_both && said.ends_with("cannot both be set"), "{said}");
        assert!(!said.contains("hunter2"), "{said}");
    }
    let pin = [&TOKEN[..4], &[("PAYFRAME_PKCS11_PIN", "hunter2")]].concat();
    let shown = format!("{:?}", with(&pin).unwrap());
    assert!(!shown.contains("hunter2"), "{shown}");
}

#[test]
fn the_keys_of_the_vault_come_from_one_place() {
    let both = [
        ("PAYFRAME_MODE", "sandbox"),
        ("PAYFRAME_VAULT_KEY", "a"),
        ("PAYFRAME_VAULT_KEY_COMMAND", "print b"),
    ];
    assert_eq!(
        with(&both).unwrap_err(),
        ConfigError::Together {
            one: "PAYFRAME_VAULT_KEY",
            other: "PAYFRAME_VAULT_KEY_COMMAND"
        }
    );
    read("PAYFRAME_VAULT_KEY_COMMAND", "print b").unwrap();
    for (name, bad) in [
        ("PAYFRAME_VAULT_KEY_COMMAND", " "),
        ("PAYFRAME_PKCS11_KEY", "a:b"),
        ("PAYFRAME_PKCS11_TOKEN", ""),
    ] {
        let said = read(name, bad).unwrap_err().to_string();
        assert!(said.starts_with(&format!("{name} must be ")), "{said}");
    }
}

#[test]
fn records_are_kept_for_a_least_time() {
    for (name, good, bad) in [
        ("PAYFRAME_KEEP_ANSWERS_DAYS", "1", "0"),
        ("PAYFRAME_KEEP_EVENTS_DAYS", "7", "6"),
        ("PAYFRAME_KEEP_NOTIFICATIONS_DAYS", "7", "6"),
        ("PAYFRAME_KEEP_SESSIONS_DAYS", "1", "0"),
        ("PAYFRAME_KEEP_PROOFS_DAYS", "400", "399"),
    ] {
        assert!(read(name, good).is_ok(), "{name}");
        for refused in [bad, "36526", "-1", "a week"] {
            let said = read(name, refused).unwrap_err().to_string();
            assert!(said.contains(name) && said.contains("days from"), "{said}");
        }
    }
}

#[test]
fn a_sandbox_may_be_as_strict_as_production() {
    let config = with(&[
        ("PAYFRAME_MODE", "sandbox"),
        ("PAYFRAME_SANDBOX_MERCHANTS", "0"),
        ("PAYFRAME_SANDBOX_FAULTS", "0"),
        ("PAYFRAME_ALLOW_INSECURE_URLS", "0"),
        ("PAYFRAME_REQUIRE_ENCRYPTED_CARDS", "1"),
    ]);
    let strict = Sandbox {
        merchants: false,
        faults: false,
        allow_insecure_urls: false,
        require_encrypted_cards: true,
    };
    assert_eq!(config.unwrap().mode, Mode::Sandbox(strict));
}

#[test]
fn production_takes_no_setting_that_contradicts_it() {
    for (name, value, accepted) in [
        ("PAYFRAME_SANDBOX_MERCHANTS", "1", "0"),
        ("PAYFRAME_SANDBOX_FAULTS", "1", "0"),
        ("PAYFRAME_ALLOW_INSECURE_URLS", "1", "0"),
        ("PAYFRAME_REQUIRE_ENCRYPTED_CARDS", "0", "1"),
    ] {
        let said = produce(name, value).unwrap_err().to_string();
        let expected = format!("{name} must be {accepted} where PAYFRAME_MODE is production");
        assert_eq!(said, expected);
        // The value that production always has may be set.
        assert_eq!(produce(name, accepted).unwrap().mode, Mode::Production);
    }
}

#[test]
fn production_has_an_https_origin_of_its_own() {
    let said = with(&[("PAYFRAME_MODE", "production")]).unwrap_err();
    assert_eq!(said, ConfigError::NoOrigin);
    let said = produce("PAYFRAME_ORIGIN", "http://pay.example").unwrap_err();
    let said = said.to_string();
    assert!(said.starts_with("PAYFRAME_ORIGIN must be "), "{said}");
    assert!(said.ends_with("in production https"), "{said}");
    assert_eq!(with(&PRODUCTION).unwrap().origin, "https://pay.example");
}

#[test]
fn values_that_cannot_be_read_name_their_variable() {
    for (name, value) in [
        ("PAYFRAME_LISTEN", "8787"),
        ("PAYFRAME_METRICS_LISTEN", "9090"),
        ("PAYFRAME_ORIGIN", "localhost"),
        ("PAYFRAME_ORIGIN", "https://gateway.example/api"),
        ("PAYFRAME_SANDBOX_FAULTS", "yes"),
        ("PAYFRAME_PENDING_SECONDS", "0"),
        ("PAYFRAME_HARD_SECONDS", "-5"),
        ("PAYFRAME_MERCHANT_CALLS_PER_SECOND", "0"),
        ("PAYFRAME_MERCHANT_TOTAL_CALLS_PER_SECOND", "0"),
        ("PAYFRAME_ADDRESS_CALLS_PER_SECOND", "0"),
        ("PAYFRAME_OFFER_SECONDS", "0"),
        ("DATABASE_URL", "mysql://localhost/payframe"),
        ("DATABASE_URL", "payframe"),
        ("PAYFRAME_CARD_KEY_SECONDS", "0"),
        ("PAYFRAME_REQUIRE_ENCRYPTED_CARDS", "always"),
        ("PAYFRAME_PRIVACY_URL", "javascript:alert(1)"),
        ("PAYFRAME_LOG", "payframe_gateway=loudly"),
        ("PAYFRAME_OFFICE", "on"),
        ("PAYFRAME_PROXIES", "-1"),
    ] {
        let problem = read(name, value).unwrap_err().to_string();
        let named = format!("{name} must be ");
        assert!(problem.starts_with(&named), "{value}: {problem}");
    }
}

#[test]
fn a_certificate_needs_its_key() {
    for (given, missing) in [
        ("PAYFRAME_TLS_CERT", "PAYFRAME_TLS_KEY"),
        ("PAYFRAME_TLS_KEY", "PAYFRAME_TLS_CERT"),
    ] {
        let problem = read(given, "/etc/payframe.pem").unwrap_err();
        assert_eq!(problem, ConfigError::Alone { missing, given });
    }
}

#[test]
fn the_origin_has_no_slash_at_the_end() {
    let config = read("PAYFRAME_ORIGIN", "https://Gateway.example:443/").unwrap();
    assert_eq!(config.origin, "https://gateway.example");
}
