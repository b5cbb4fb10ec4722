//! The vault's keys are wrapped by a key of a token: SoftHSM, which is a token in files, with the module that real programs load.

use crate::process::{Process, command};
use crate::shop::{APPROVED, pay, socket};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const PIN: &str = "471108154711";
const WRONG_PIN: &str = "000000000000";

/// Where systems put the module.
const MODULES: [&str; 5] = [
    "/usr/lib/softhsm/libsofthsm2.so",
    "/usr/lib64/softhsm/libsofthsm2.so",
    "/usr/lib64/pkcs11/libsofthsm2.so",
    "/usr/local/lib/softhsm/libsofthsm2.so",
    "/opt/homebrew/lib/softhsm/libsofthsm2.so",
];

/// A token of its own, and a folder for a gateway.
struct Token {
    folder: TempDir,
    settings: Vec<(&'static str, String)>,
}

impl Token {
    fn new() -> Token {
        let folder = tempfile::tempdir().unwrap();
        let tokens = folder.path().join("tokens");
        std::fs::create_dir(&tokens).unwrap();
        let conf = folder.path().join("softhsm2.conf");
        std::fs::write(
            &conf,
            format!("directories.tokendir = {}\n", tokens.display()),
        )
        .unwrap();
        let made = Command::new("softhsm2-util")
            .env("SOFTHSM2_CONF", &conf)
            .args(["--init-token", "--free", "--label", "payframe"])
            .args(["--so-pin", "12345678", "--pin", PIN])
            .output()
            .expect(
                "SoftHSM is missing: `cargo xtask setup`, or `apt-get install softhsm2` as root",
            );
        assert!(made.status.success(), "{made:?}");
        let module = MODULES
            .into_iter()
            .find(|module| Path::new(module).exists())
            .expect("the module libsofthsm2.so is missing: install SoftHSM's library");
        Token {
            settings: vec![
                ("SOFTHSM2_CONF", conf.to_str().unwrap().to_owned()),
                ("PAYFRAME_PKCS11_MODULE", module.to_owned()),
                ("PAYFRAME_PKCS11_TOKEN", String::from("payframe")),
                ("PAYFRAME_PKCS11_KEY", String::from("vault-1")),
                ("PAYFRAME_PKCS11_PIN", PIN.to_owned()),
            ],
            folder,
        }
    }

    /// The same with another value; without one the setting is left out.
    fn with(&self, name: &'static str, value: Option<&str>) -> Vec<(&'static str, String)> {
        let others = self.settings.iter().filter(|(known, _)| *known != name);
        let value = value.map(|value| (name, value.to_owned()));
        others.cloned().chain(value).collect()
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn key_lines(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.data().join("vault.key")).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    fn start(&self, settings: &[(&str, String)]) -> Process {
        Process::start(&self.data(), &borrowed(settings))
    }

    fn tell(&self, settings: &[(&str, String)], words: &[&str]) -> Output {
        let mut command = command(&self.data(), &borrowed(settings));
        command.args(words).output().unwrap()
    }

    /// Carries out a command and returns what it prints.
    #[track_caller]
    fn done(&self, settings: &[(&str, String)], words: &[&str]) -> String {
        let output = self.tell(settings, words);
        assert!(output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// A start is refused with this text, which has no PIN.
    #[track_caller]
    fn refused(&self, settings: &[(&str, String)], expected: &str) {
        self.refuses(settings, &["vault", "list"], expected);
    }

    #[track_caller]
    fn refuses(&self, settings: &[(&str, String)], words: &[&str], expected: &str) {
        let output = self.tell(settings, words);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{said}");
        assert!(said.contains(expected), "{said}");
        assert!(!said.contains(PIN) && !said.contains(WRONG_PIN), "{said}");
    }
}

fn borrowed<'a>(settings: &'a [(&str, String)]) -> Vec<(&'a str, &'a str)> {
    let pair = |(name, value): &'a (&str, String)| (*name, value.as_str());
    settings.iter().map(pair).collect()
}

#[track_caller]
fn pays(gateway: &Process, order: &str) {
    assert_eq!(pay(socket(&gateway.address), order, APPROVED), "EXECUTED");
}

#[track_caller]
fn all_begin_with(lines: &[String], expected: &str) {
    assert!(
        lines.iter().all(|line| line.starts_with(expected)),
        "{lines:?}"
    );
}

#[test]
fn a_gateway_pays_restarts_and_rotates_with_keys_that_a_token_wraps() {
    let token = Token::new();
    let settings = &token.settings;
    token.done(settings, &["vault", "wrap", "--make-key"]);
    all_begin_with(&token.key_lines(), "wrapped:vault-1:");
    let gateway = token.start(settings);
    pays(&gateway, "before");
    drop(gateway);
    let gateway = token.start(settings);
    pays(&gateway, "again");
    token.done(settings, &["vault", "rotate"]);
    assert_eq!(token.key_lines().len(), 2);
    all_begin_with(&token.key_lines(), "wrapped:vault-1:");
    pays(&gateway, "rotated");
    let told = token.done(settings, &["vault", "reencrypt"]);
    assert!(
        told.contains("is encrypted with") || told.contains("meanwhile"),
        "{told}"
    );
    let list = token.done(settings, &["vault", "list"]);
    assert_eq!(list.lines().count(), 3, "{list}");
    drop(gateway);
    pays(&token.start(settings), "after");
    let log = token.done(settings, &["audit", "export"]);
    assert!(
        log.contains("WRAP_VAULT_KEYS") && log.contains("vault-1"),
        "{log}"
    );
    assert!(!log.contains(PIN));
}

#[test]
fn keys_in_clear_are_wrapped_and_wrapped_again_by_the_next_key_while_gateways_pay() {
    let token = Token::new();
    let settings = &token.settings;
    let none: &[(&str, String)] = &[];
    let in_clear = token.start(none);
    pays(&in_clear, "in-clear");
    token.refused(settings, "`payframe-gateway vault wrap`");
    let told = token.done(settings, &["vault", "wrap", "--make-key"]);
    assert!(told.starts_with("1 keys are wrapped by vault-1"), "{told}");
    all_begin_with(&token.key_lines(), "wrapped:vault-1:");
    // It has read its keys before.
    pays(&in_clear, "still-in-clear");
    token.refused(none, "set PAYFRAME_PKCS11_MODULE");
    drop(in_clear);
    let first = token.start(settings);
    pays(&first, "first-key");
    let next = token.with("PAYFRAME_PKCS11_KEY", Some("vault-2"));
    token.refuses(
        &next,
        &["vault", "rotate"],
        "has no AES key vault-2 (PAYFRAME_PKCS11_KEY)",
    );
    all_begin_with(&token.key_lines(), "wrapped:vault-1:");
    token.done(&next, &["vault", "wrap", "--make-key"]);
    all_begin_with(&token.key_lines(), "wrapped:vault-2:");
    token.refuses(
        &next,
        &["vault", "wrap", "--make-key"],
        "has a key vault-2 already",
    );
    pays(&first, "wrapped-again");
    drop(first);
    pays(&token.start(&next), "second-key");
    let mut lines = token.key_lines();
    lines[0] = lines[0].replacen("vault-2", "vault-1", 1);
    std::fs::write(token.data().join("vault.key"), lines.join("\n")).unwrap();
    token.refused(&next, "the key vault-1 of the token did not wrap this key");
}

#[test]
fn what_is_wrong_is_said_and_no_key_is_written() {
    let token = Token::new();
    let wrap = &["vault", "wrap", "--make-key"];
    for (setting, value, expected) in [
        (
            "PAYFRAME_PKCS11_MODULE",
            Some("/nonexistent/module.so"),
            "the module /nonexistent/module.so (PAYFRAME_PKCS11_MODULE) cannot be loaded",
        ),
        (
            "PAYFRAME_PKCS11_MODULE",
            Some("/etc/hostname"),
            "the module /etc/hostname (PAYFRAME_PKCS11_MODULE) cannot be loaded",
        ),
        (
            "PAYFRAME_PKCS11_TOKEN",
            Some("other"),
            "there is no token other (PAYFRAME_PKCS11_TOKEN); there are: payframe",
        ),
        (
            "PAYFRAME_PKCS11_PIN",
            None,
            "PAYFRAME_PKCS11_PIN must be set where PAYFRAME_PKCS11_MODULE is",
        ),
    ] {
        let settings = token.with(setting, value);
        token.refused(&settings, expected);
        token.refuses(&settings, wrap, expected);
    }
    let settings = &token.settings;
    token.refused(
        settings,
        "the token has no AES key vault-1 (PAYFRAME_PKCS11_KEY)",
    );
    // A wrong PIN is given once; neither a wrong one nor the right one is tried then, until a person does.
    let wrong = token.with("PAYFRAME_PKCS11_PIN", Some(WRONG_PIN));
    token.refused(&wrong, "the PIN (PAYFRAME_PKCS11_PIN) is wrong");
    for settings in [&wrong, settings] {
        token.refused(settings, "a wrong PIN was given to the token");
        token.refuses(settings, wrap, "a wrong PIN was given to the token");
    }
    let log_in = &["vault", "log-in"];
    token.refuses(&wrong, log_in, "the PIN (PAYFRAME_PKCS11_PIN) is wrong");
    token.done(settings, log_in);
    let none: &[(&str, String)] = &[];
    token.refuses(none, log_in, "PAYFRAME_PKCS11_MODULE");
    assert!(!token.data().join("vault.key").exists());
    token.done(settings, wrap);
    pays(&token.start(settings), "at-last");
    token.done(settings, log_in);
    let log = token.done(settings, &["audit", "export"]);
    assert!(log.contains("LOG_IN_VAULT_TOKEN"), "{log}");
}

/// How many entries of an exported log are about this act.
fn logged(log: &str, act: &str) -> usize {
    let act = format!("\"act\":\"{act}\"");
    log.lines().filter(|line| line.contains(&act)).count()
}

#[test]
fn pins_and_keys_come_from_files_and_commands() {
    let token = Token::new();
    let file = |name: &str, text: &str| {
        let path = token.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let pin = file("pin", &format!("{PIN}\n"));
    let mut by_file = token.with("PAYFRAME_PKCS11_PIN", None);
    let mut by_command = by_file.clone();
    by_file.push(("PAYFRAME_PKCS11_PIN_FILE", pin.clone()));
    by_command.push(("PAYFRAME_PKCS11_PIN_COMMAND", format!("cat {pin}")));
    token.done(&by_file, &["vault", "wrap", "--make-key"]);
    token.done(&by_command, &["vault", "list"]);
    let keys = token.key_lines();
    std::fs::remove_file(token.data().join("vault.key")).unwrap();
    token.refused(&by_command, "bring back the file vault.key");
    // The same wrapped key from a command, and one more for later.
    let other = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
    let clear = file("clear", &format!("{other}\n"));
    let mut from_command = by_command.clone();
    from_command.push(("PAYFRAME_VAULT_KEY_COMMAND", format!("cat {clear}")));
    token.refused(&from_command, "a key is in clear");
    let wrapped = token.done(&from_command, &["vault", "wrap"]);
    assert!(wrapped.starts_with("wrapped:vault-1:"), "{wrapped}");
    file("clear", &format!("{}\n{wrapped}", keys[0]));
    let log = token.done(&from_command, &["audit", "export"]);
    let merchants = logged(&log, "READ_AUDIT_LOG");
    assert!(merchants > 0, "{log}");
    assert_eq!(logged(&log, "WRAP_VAULT_KEYS"), 2 * merchants, "{log}");
    let gateway = token.start(&from_command);
    pays(&gateway, "from-a-command");
    assert!(!token.data().join("vault.key").exists());
    let missing = token.folder.path().join("missing");
    by_file.pop();
    by_file.push((
        "PAYFRAME_PKCS11_PIN_FILE",
        missing.to_str().unwrap().to_owned(),
    ));
    token.refused(&by_file, "PAYFRAME_PKCS11_PIN_FILE");
    by_command.pop();
    by_command.push(("PAYFRAME_PKCS11_PIN_COMMAND", String::from("false")));
    token.refused(
        &by_command,
        "the program false of PAYFRAME_PKCS11_PIN_COMMAND ended with",
    );
}
